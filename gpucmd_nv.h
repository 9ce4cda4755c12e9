/* gpucmd_nv.h - v0.1.0 - NVIDIA pushbuffers, NV4 to Blackwell - SPDX-License-Identifier: MIT
 *
 * [NV.MANUAL]
 *
 * WHAT IT IS
 *   Encodes, decodes, checks and executes the command words that the host
 *   engine of an NVIDIA GPU (PFIFO, PBDMA) fetches. Writes NV4-style rings and
 *   IB rings (GPFIFO). For Tegra: makes the nvgpu and nvmap calls from open to
 *   the doorbell, and has a model kernel that answers them.
 *
 * WHAT IT DOES NOT DO
 *   The library does not:
 *     - make system calls or access registers, except through the caller's
 *       gpucmd_sys_ops and gpucmd_mmio; allocate memory; flush caches
 *     - support NV1 and NV3, which have no pusher (GPUCMD_UNSUPPORTED)
 *     - drive the rings of NV4 until NV1A from a big-endian CPU: a writer stores
 *       CPU words, and these chips read little-endian words only
 *   gpucmd_nv_pusher and gpucmd_nv_pbdma pass all methods to the callback.
 *   gpucmd_nv_channel executes host methods, M2MF and DMA copies, inline
 *   uploads, 2D blits, images, and fences, reports and clears of 3D classes.
 *   gpucmd_nv_channel has no:
 *     - drawing, dispatching, privileged methods, M2MF notifiers
 *     - TLB, cache, method FIFO, acquire timer, INTR_1
 *     - counters for reports: the caller supplies them, otherwise they are 0
 *   gpucmd_nv_channel passes to the callback (without a callback UNSUPPORTED):
 *     - physical addresses, conditional, secure and scrub copies, float reductions
 *     - syncpoint bases, strided M2MF formats, C1B5 origin methods
 *     - acquires of 3D reports, clears of formats without a row
 *     - images that filter or convert; blits that convert integers or have other
 *       operations than copy, mask and premultiply by 0 or 1; images and blits
 *       that leave the surface
 *     - CRC_CHECK unless puller.keeps_crc is set, CLEAR_FAULTED without
 *       card.faulted
 *   Tegra: no L4T before 36, and nothing was tried on a board. The model kernel
 *   lacks submission by ioctl, syncpoints, compression, REMAP and groups shared
 *   between processes; GPUCMD_NVGPU_IOCTLS has the errno of each ioctl.
 *
 * SMALLEST PROGRAM
 *   See gpucmd.h, or examples/01_first_words.c.
 *
 * DEFINITIONS
 *   method       address in bytes that takes one word: 0x0000..0x1ffc before
 *                GF100, 0x0000..0x3ffc on GF100 and later
 *   subchannel   0..7: selects the bound object that takes a method
 *   method run   one header with its data words; in names: run
 *   pushbuffer   the words that the GPU fetches
 *   segment      the part of a pushbuffer that one IB entry names
 *   IB entry     8 bytes in a ring (IB, GPFIFO); G80 and later
 *   NV4-style    the pushbuffer is a ring with jumps; NV4 until GF100
 *   control area PUT and GET registers of a channel; USERD on GF100 and later
 *   "A until B" includes chip A and excludes chip B, in the order of the chip
 *   table, not of the ids.
 *
 * STEPS
 *   1. Choose the chip: GPUCMD_NV_CHIP_*, or gpucmd_nv_chip_from_name, _from_id.
 *   2. Write method runs: gpucmd_nv_emit_old_inc and family before GF100,
 *      gpucmd_nv_emit_inc and family on GF100 and later; or use NV.RECIPE.
 *   3. Submit: gpucmd_nv_ring_init, _begin, _end, _kick (NV4-style), or
 *      gpucmd_nv_gpfifo_init, _push, _kick (IB). A ring that does not start at
 *      0: _resume.
 *   4. Check: gpucmd_nv_check (words), gpucmd_nv_check_host (methods). Print:
 *      gpucmd_nv_walk_init, _segment, _next, gpucmd_nv_print.
 *   5. Execute: gpucmd_mem_init, gpucmd_nv_card_init and gpucmd_nv_channel_init.
 *      Then set where the words are:
 *        GF100 and later  pbdma.gp_base, pbdma.limit2, and pbdma.gp_put for each
 *                         submission
 *        IB before GF100  pusher.ib_enable, ib_address, ib_order, and ib_put for
 *                         each submission
 *        NV4-style        pusher.dma_pushbuffer_va, the address of offset 0, and
 *                         dma_put for each submission
 *      Then gpucmd_nv_channel_run, or gpucmd_nv_run_all for several channels.
 *      gpucmd_nv_channel_why says why a channel stopped.
 *   6. Tegra: gpucmd_nvgpu_start, _buffer_alloc, _channel_open, _gpfifo_init,
 *      _submit, over gpucmd_sys_ops_init_linux or gpucmd_nvgpu_kernel_sys. A
 *      gpucmd_nvgpu_kernel_store has tables of recommended sizes for the model
 *      kernel. gpucmd_nvgpu_rm translates the calls of the desktop driver.
 *
 * ERRORS
 *   Emitters set the sticky status of the writer. Executors stop with the error
 *   and the state that the hardware has, and recover as a kernel does.
 *
 * GENERATIONS
 *   NV4 to Blackwell (GB207): the rows of GPUCMD_NV_CHIPS. Every function takes
 *   the chip, or a struct that has it.
 *
 * MODEL CHOICES
 *   No source confirms the following; comments mark such statements with MODEL.
 *   Engines are never busy: WFI, flushes and MEM_OP have nothing to wait for.
 *   The GOBs of block-linear surfaces are stored line by line. The limit of a
 *   DMA object is its last byte; engines before G80 also stop at the limit. Floats
 *   are rounded to nearest, ties to even, and other components half away from 0.
 *   PB_CRC reads the segment again: words that changed after the fetch count with
 *   their new value. The order of the bytes of METHOD_CRC is our reading. An
 *   unknown operation of MEM_OP raises METHOD.
 *
 * CONFIGURATION, THREADING
 *   Size in KiB with gpucmd.h, Cortex-M4, -Os: read 23, read and run 70, all 91.
 *   Otherwise as in gpucmd.h.
 *
 * CONTENTS (search for the mark)
 *   [NV.MANUAL]       this text
 *   [NV.SOURCES]      where facts come from
 *   [NV.FACTS]        chips, classes, fields, forms, methods, registers, ioctls
 *   [NV.CONST]        enums, sizes, constant words, what a chip has
 *   [NV.ENCODE]       checked values to words and IB entries
 *   [NV.EMIT]         whole commands into a gpucmd_writer
 *   [NV.RING]         NV4-style ring, IB ring, doorbell
 *   [NV.DECODE]       words and IB entries to commands: classify, walk, print
 *   [NV.CHECK]        findings in a stream that is not executed
 *   [NV.EXEC]         pusher (before GF100), PBDMA, host methods
 *   [NV.ENGINE]       copies, images, 3D fences and clears
 *   [NV.CHANNEL]      PCI windows, channels, deadlock
 *   [NV.RECIPE]       method sequences by chip: bind, semaphores, copies
 *   [NV.KERNEL]       Tegra: structures, calls, submission, model kernel
 *   [NV.IMPL.CONST]   implementation, in the same order
 *   [NV.IMPL.DECODE]
 *   [NV.IMPL.CHECK]
 *   [NV.IMPL.EXEC]
 *   [NV.IMPL.ENGINE]
 *   [NV.IMPL.CHANNEL]
 *   [NV.IMPL.KERNEL]
 */

#include "gpucmd.h"
#if GPUCMD_VERSION != 0x000100 /* 0xMMmmpp: major, minor, patch */
#error "gpucmd_nv.h and gpucmd.h come from different releases"
#endif
#ifndef GPUCMD_NV_H
#define GPUCMD_NV_H

GPUCMD_PRIV_BEGIN

/* ==== [NV.SOURCES] ========================================================================= */

/* clang-format off */
#define GPUCMD_NV_SOURCES(S)                                                                       \
    /*  key     kind (re: reverse engineering, src: source code, doc: manual)  title */            \
    S( ENVY,    re,   "envytools docs/hw: fifo/dma-pusher.rst, fifo/puller.rst, gpu.rst" )         \
    S( RNNDB,   re,   "envytools rnndb/fifo: nv4_pfifo.xml, g80_pfifo.xml, gf100_pfifo.xml" )      \
    S( 006C,    src,  "NVIDIA open-gpu-doc classes/host/cl006c.h" )                                \
    S( 206E,    src,  "NVIDIA open-gpu-doc classes/host/cl206e.h" )                                \
    S( 366E,    src,  "NVIDIA open-gpu-doc classes/host/cl366e.h" )                                \
    S( 446E,    src,  "NVIDIA open-gpu-doc classes/host/cl446e.h" )                                \
    S( 506F,    src,  "NVIDIA open-gpu-doc classes/host/cl506f.h" )                                \
    S( 826F,    src,  "NVIDIA open-gpu-doc classes/host/cl826f.h" )                                \
    S( 866F,    src,  "NVIDIA open-gpu-doc classes/host/cl866f.h" )                                \
    S( 906F,    src,  "NVIDIA open-gpu-doc classes/host/cl906f.h" )                                \
    S( A06F,    src,  "NVIDIA open-gpu-doc classes/host/cla06f.h" )                                \
    S( A16F,    src,  "NVIDIA open-gpu-doc classes/host/cla16f.h" )                                \
    S( A26F,    src,  "NVIDIA open-gpu-doc classes/host/cla26f.h" )                                \
    S( B06F,    src,  "NVIDIA open-gpu-doc classes/host/clb06f.h" )                                \
    S( C06F,    src,  "NVIDIA open-gpu-doc classes/host/clc06f.h" )                                \
    S( C36F,    src,  "NVIDIA open-gpu-doc classes/host/clc36f.h" )                                \
    S( C46F,    src,  "NVIDIA open-gpu-doc classes/host/clc46f.h" )                                \
    S( C56F,    src,  "NVIDIA open-gpu-doc classes/host/clc56f.h, clc76f.h" )                      \
    S( C86F,    src,  "NVIDIA open-gpu-kernel-modules class/clc86f.h, clc96f.h, clca6f.h" )        \
    S( PBDMA,   doc,  "NVIDIA open-gpu-doc manuals gv100, tu104, ga100: dev_pbdma.ref.txt" )       \
    S( RAM,     doc,  "NVIDIA open-gpu-doc manuals gv100, tu104, ga100: dev_ram.ref.txt" )         \
    S( 0039,    src,  "NVIDIA open-gpu-doc classes/memory-to-memory-format/cl0039.h" )             \
    S( 5039,    src,  "NVIDIA open-gpu-doc classes/memory-to-memory-format/cl5039.h" )             \
    S( 9039,    src,  "NVIDIA open-gpu-doc classes/memory-to-memory-format/cl9039.h" )             \
    S( A140,    src,  "NVIDIA open-gpu-doc classes/inline-to-memory/cla140.h" )                    \
    S( C0C0,    src,  "NVIDIA open-gpu-doc classes/compute/clc0c0.h to clcec0.h" )                 \
    S( CB97,    src,  "NVIDIA open-gpu-doc classes/3d/cl9097.h to clce97.h" )                      \
    S( 85B5,    src,  "NVIDIA open-gpu-doc classes/dma-copy/cl85b5.h to clc7b5.h" )                \
    S( C8B5,    src,  "NVIDIA open-gpu-kernel-modules class/clc8b5.h to clcab5.h" )                \
    S( MESA,    src,  "Mesa src/gallium/drivers/nouveau: nv30, nv50, nvc0" )                       \
    S( USER,    doc,  "NVIDIA open-gpu-doc manuals gv100, tu104: dev_usermode.ref.txt" )           \
    S( BUS,     doc,  "NVIDIA open-gpu-doc manuals gv100, tu104: dev_bus.ref.txt" )                \
    S( LNX,     src,  "Linux drivers/gpu/drm/nouveau/nvkm/engine: fifo, device/base.c" )           \
    S( NVGPU,   src,  "NVIDIA L4T 36.4.3 include/uapi/linux: nvgpu*.h, nvmap.h" )                  \
    S( NVGPUK,  src,  "NVIDIA L4T 36.4.3 kernel drivers nvgpu and nvmap" )                         \
    S( RM,      src,  "NVIDIA open-gpu-kernel-modules src/common/sdk/nvidia/inc: class, ctrl" )    \
    S( TEGRAIF, re,   "TegraIface notes: an nvgpu and nvmap backend for tinygrad" )                \
    S( OUR,     our,  "our reading where the sources above are silent; the row says MODEL" )

#define GPUCMD_NV_PRIV_SOURCE(key, kind, title) GPUCMD_NV_SRC_##key,
enum { GPUCMD_NV_SOURCES(GPUCMD_NV_PRIV_SOURCE) };
#undef GPUCMD_NV_PRIV_SOURCE

/* ==== [NV.FACTS] =========================================================================== */

/* Chips in the order in which features appeared. Compare chips by this order, never by id. Column
 * id is the value of the id register; 0: not known. Column other_name is a second name, or empty.
 * [ENVY] ssot/gpu.py for NV1 to TU117; [NVGPUK] for GA10B, which reports the classes of GA102;
 * [LNX] device/base.c for all other chips, in release order. */
#define GPUCMD_NV_CHIPS(C)                                                                         \
    /*  name     id     family     bus    other_name  (several rows in a line) */                  \
    C( NV1,     0x000,  NV1,       AGP,   "" )      C( NV3,     0x000,  NV3,       AGP,   "" )     \
    C( NV3T,    0x000,  NV3,       AGP,   "" )      C( NV4,     0x000,  NV4,       AGP,   "" )     \
    C( NV5,     0x000,  NV4,       AGP,   "" )      C( NV6,     0x000,  NV4,       AGP,   "" )     \
    C( NVA,     0x000,  NV4,       AGP,   "" )      C( NV10,    0x010,  CELSIUS,   AGP,   "" )     \
    C( NV15,    0x015,  CELSIUS,   AGP,   "" )      C( NV1A,    0x01a,  CELSIUS,   AGP,   "" )     \
    C( NV11,    0x011,  CELSIUS,   AGP,   "" )      C( NV17,    0x017,  CELSIUS,   AGP,   "" )     \
    C( NV1F,    0x01f,  CELSIUS,   AGP,   "" )      C( NV18,    0x018,  CELSIUS,   AGP,   "" )     \
    C( NV20,    0x020,  KELVIN,    AGP,   "" )      C( NV2A,    0x02a,  KELVIN,    AGP,   "" )     \
    C( NV25,    0x025,  KELVIN,    AGP,   "" )      C( NV28,    0x028,  KELVIN,    AGP,   "" )     \
    C( NV30,    0x030,  RANKINE,   AGP,   "" )      C( NV35,    0x035,  RANKINE,   AGP,   "" )     \
    C( NV31,    0x031,  RANKINE,   AGP,   "" )      C( NV36,    0x036,  RANKINE,   AGP,   "" )     \
    C( NV34,    0x034,  RANKINE,   AGP,   "" )      C( NV40,    0x040,  CURIE,     AGP,   "" )     \
    C( NV45,    0x045,  CURIE,     AGP,   "" )      C( NV41,    0x041,  CURIE,     PCIE,  "" )     \
    C( NV42,    0x042,  CURIE,     PCIE,  "" )      C( NV43,    0x043,  CURIE,     PCIE,  "" )     \
    C( NV44,    0x044,  CURIE,     PCIE,  "" )      C( NV44A,   0x04a,  CURIE,     AGP,   "" )     \
    C( G70,     0x047,  CURIE,     PCIE,  "" )      C( G72,     0x046,  CURIE,     PCIE,  "" )     \
    C( G71,     0x049,  CURIE,     PCIE,  "" )      C( G73,     0x04b,  CURIE,     PCIE,  "" )     \
    C( C51,     0x04e,  CURIE,     IGP,   "" )      C( MCP61,   0x04c,  CURIE,     IGP,   "" )     \
    C( MCP67,   0x067,  CURIE,     IGP,   "" )      C( MCP68,   0x068,  CURIE,     IGP,   "" )     \
    C( MCP73,   0x063,  CURIE,     IGP,   "" )      C( RSX,     0x04d,  CURIE,     FLEXIO, "" )    \
    C( G80,     0x050,  TESLA,     PCIE,  "" )      C( G84,     0x084,  TESLA,     PCIE,  "" )     \
    C( G86,     0x086,  TESLA,     PCIE,  "" )      C( G92,     0x092,  TESLA,     PCIE,  "" )     \
    C( G94,     0x094,  TESLA,     PCIE,  "" )      C( G96,     0x096,  TESLA,     PCIE,  "" )     \
    C( G98,     0x098,  TESLA,     PCIE,  "" ) C( G200,    0x0a0,  TESLA,     PCIE,  "GT200" )     \
    C( MCP77,   0x0aa,  TESLA,     IGP,   "" )      C( MCP79,   0x0ac,  TESLA,     IGP,   "" )     \
    C( GT215,   0x0a3,  TESLA,     PCIE,  "" )      C( GT216,   0x0a5,  TESLA,     PCIE,  "" )     \
    C( GT218,   0x0a8,  TESLA,     PCIE,  "" )      C( MCP89,   0x0af,  TESLA,     IGP,   "" )     \
    C( GF100,   0x0c0,  FERMI,     PCIE,  "" )      C( GF104,   0x0c4,  FERMI,     PCIE,  "" )     \
    C( GF114,   0x0ce,  FERMI,     PCIE,  "" )      C( GF106,   0x0c3,  FERMI,     PCIE,  "" )     \
    C( GF116,   0x0cf,  FERMI,     PCIE,  "" )      C( GF108,   0x0c1,  FERMI,     PCIE,  "" )     \
    C( GF110,   0x0c8,  FERMI,     PCIE,  "" )      C( GF119,   0x0d9,  FERMI,     PCIE,  "" )     \
    C( GF117,   0x0d7,  FERMI,     PCIE,  "" )      C( GK104,   0x0e4,  KEPLER,    PCIE,  "" )     \
    C( GK107,   0x0e7,  KEPLER,    PCIE,  "" )      C( GK106,   0x0e6,  KEPLER,    PCIE,  "" )     \
    C( GK110,   0x0f0,  KEPLER,    PCIE,  "" )      C( GK110B,  0x0f1,  KEPLER,    PCIE,  "" )     \
    C( GK210,   0x000,  KEPLER,    PCIE,  "" )      C( GK208,   0x108,  KEPLER,    PCIE,  "" )     \
    C( GK208B,  0x106,  KEPLER,    PCIE,  "" )      C( GK20A,   0x0ea,  KEPLER,    TEGRA, "" )     \
    C( GM107,   0x117,  MAXWELL,   PCIE,  "" )      C( GM108,   0x118,  MAXWELL,   PCIE,  "" )     \
    C( GM204,   0x124,  MAXWELL,   PCIE,  "" )      C( GM200,   0x120,  MAXWELL,   PCIE,  "" )     \
    C( GM206,   0x126,  MAXWELL,   PCIE,  "" )      C( GM20B,   0x12b,  MAXWELL,   TEGRA, "" )     \
    C( GP100,   0x130,  PASCAL,    PCIE,  "" )      C( GP102,   0x132,  PASCAL,    PCIE,  "" )     \
    C( GP104,   0x134,  PASCAL,    PCIE,  "" )      C( GP106,   0x136,  PASCAL,    PCIE,  "" )     \
    C( GP107,   0x137,  PASCAL,    PCIE,  "" )      C( GP108,   0x138,  PASCAL,    PCIE,  "" )     \
    C( GP10B,   0x13b,  PASCAL,    TEGRA, "" )      C( GV100,   0x140,  VOLTA,     PCIE,  "" )     \
    C( GV11B,   0x15b,  VOLTA,     TEGRA, "" )      C( TU102,   0x162,  TURING,    PCIE,  "" )     \
    C( TU104,   0x164,  TURING,    PCIE,  "" )      C( TU106,   0x166,  TURING,    PCIE,  "" )     \
    C( TU116,   0x168,  TURING,    PCIE,  "" )      C( TU117,   0x167,  TURING,    PCIE,  "" )     \
    C( GA100,   0x170,  AMPERE,    PCIE,  "" )      C( GA102,   0x172,  AMPERE,    PCIE,  "" )     \
    C( GA103,   0x173,  AMPERE,    PCIE,  "" )      C( GA104,   0x174,  AMPERE,    PCIE,  "" )     \
    C( GA106,   0x176,  AMPERE,    PCIE,  "" )      C( GA107,   0x177,  AMPERE,    PCIE,  "" )     \
    C( GA10B,   0x17b,  AMPERE,    TEGRA, "" )      C( AD102,   0x192,  ADA,       PCIE,  "" )     \
    C( AD103,   0x193,  ADA,       PCIE,  "" )      C( AD104,   0x194,  ADA,       PCIE,  "" )     \
    C( AD106,   0x196,  ADA,       PCIE,  "" )      C( AD107,   0x197,  ADA,       PCIE,  "" )     \
    C( GH100,   0x180,  HOPPER,    PCIE,  "" )      C( GB100,   0x1a0,  BLACKWELL, PCIE,  "" )     \
    C( GB102,   0x1a2,  BLACKWELL, PCIE,  "" )      C( GB202,   0x1b2,  BLACKWELL, PCIE,  "" )     \
    C( GB203,   0x1b3,  BLACKWELL, PCIE,  "" )      C( GB205,   0x1b5,  BLACKWELL, PCIE,  "" )     \
    C( GB206,   0x1b6,  BLACKWELL, PCIE,  "" )      C( GB207,   0x1b7,  BLACKWELL, PCIE,  "" )

/* Chip families, the oldest first. Column family of GPUCMD_NV_CHIPS has one of these values. */
#define GPUCMD_NV_FAMILIES(F)                                                                      \
    F( NV1 ) F( NV3 ) F( NV4 ) F( CELSIUS ) F( KELVIN ) F( RANKINE ) F( CURIE ) F( TESLA )         \
    F( FERMI ) F( KEPLER ) F( MAXWELL ) F( PASCAL ) F( VOLTA ) F( TURING ) F( AMPERE ) F( ADA )    \
    F( HOPPER ) F( BLACKWELL )

/* Classes of channel objects, ordered by column `since`. The kernel driver binds the class
 * of the last row whose chip in column `since` is not later than the GPU. The first row of a class
 * names the first chip that accepts the class. */
#define GPUCMD_NV_CLASSES(K)                                                                       \
    /*  class   since   source  (several rows in a line) */                                        \
    K( 006B,    NV3,    RNNDB )                     K( 006C,    NV4,    006C )                     \
    K( 006E,    NV10,   206E )                      K( 176E,    NV17,   LNX )                      \
    K( 206E,    NV20,   206E )                      K( 366E,    NV36,   366E )                     \
    K( 406E,    NV40,   446E )                      K( 446E,    NV44,   446E )                     \
    K( 506F,    G80,    506F )                      K( 826F,    G84,    826F )                     \
    K( 866F,    MCP89,  866F )                      K( 906F,    GF100,  906F )                     \
    K( A06F,    GK104,  A06F )                      K( A16F,    GK110,  A16F )                     \
    K( A26F,    GK20A,  A26F )                      K( A16F,    GM107,  A16F )                     \
    K( B06F,    GM204,  B06F )                      K( C06F,    GP100,  C06F )                     \
    K( C36F,    GV100,  C36F )                      K( C46F,    TU102,  C46F )                     \
    K( C56F,    GA100,  C56F )                      K( C76F,    GA102,  C56F )                     \
    K( C56F,    GA102,  RM )                        K( C76F,    GA10B,  NVGPUK )                   \
    K( C56F,    AD102,  RM )                        K( C86F,    GH100,  C86F )                     \
    K( C96F,    GB100,  C86F )                      K( CA6F,    GB202,  C86F )

/* Fields of a command word before GF100. Fermi to Pascal also accept these words
 * if the PBDMA register FORMATS is OLD or BOTH. */
#define GPUCMD_NV_OLD_FIELDS(F)                                                                    \
    /*  name             hi  lo  unit  meaning                               source */             \
    F( OLD_SEC_OP,       31, 29, "",   "kind of command",                    506F )                \
    F( OLD_COUNT,        28, 18, "dw", "data words that follow",             206E )                \
    F( OLD_TERT_OP,      17, 16, "",   "kind of command, refined",           506F )                \
    F( OLD_SUBC,         15, 13, "",   "subchannel",                         206E )                \
    F( OLD_MTHD,         12,  2, "dw", "method address / 4",                 206E )                \
    F( OLD_PRIMARY_OP,    1,  0, "",   "0 method, 1 jump, 2 call",           506F )                \
    F( OLD_JUMP_OFFSET,  28,  2, "dw", "target / 4 of an old jump",          006C )                \
    F( OLD_LONG_OFFSET,  31,  2, "dw", "target / 4 of a jump or call",       206E )                \
    F( OLD_LONG_COUNT,   23,  0, "dw", "second word of a long run",          506F )

/* Fields of a command word, GF100 and later. Bit 12 of the header of a method run is
 * reserved: encoders write 0, decoders and executors ignore it (MODEL). */
#define GPUCMD_NV_HDR_FIELDS(F)                                                                    \
    /*  name             hi  lo  unit  meaning                               source */             \
    F( HDR_SEC_OP,       31, 29, "",   "form of the command",                906F )                \
    F( HDR_COUNT,        28, 16, "dw", "data words that follow",             906F )                \
    F( HDR_IMMD_DATA,    28, 16, "",   "the data itself, zero-extended",     906F )                \
    F( HDR_TERT_OP,      17, 16, "",   "subdevice command",                  906F )                \
    F( HDR_SUBC,         15, 13, "",   "subchannel",                         906F )                \
    F( HDR_MTHD,         11,  0, "dw", "method address / 4",                 906F )                \
    F( HDR_SUBDEVICE,    15,  4, "",   "mask of a subdevice command",        906F )

/* Fields of the two words of an IB entry: ENTRY0_* of word 0, ENTRY1_* of word 1. EXTENDED_BASE
 * is a field of the operand of a control entry. */
#define GPUCMD_NV_ENTRY_FIELDS(F)                                                                  \
    /*  name             hi  lo  unit  meaning                               source */             \
    F( ENTRY0_DISABLE,    0,  0, "",   "skip this entry (G80 until GF100)",  506F )                \
    F( ENTRY0_FETCH,      0,  0, "",   "1: only if the subdevice is active", 906F )                \
    F( ENTRY0_NO_CONTEXT_SWITCH, 1, 1, "", "no channel switch inside",       506F )                \
    F( ENTRY0_GET,       31,  2, "dw", "segment address 31:2",               506F )                \
    F( ENTRY0_OPERAND,   31,  0, "",   "operand of a control entry",         906F )                \
    F( ENTRY1_GET_HI,     7,  0, "",   "segment address 39:32",              506F )                \
    F( ENTRY1_OPCODE,     7,  0, "",   "operation of a control entry",       906F )                \
    F( ENTRY1_PRIV,       8,  8, "",   "methods of the kernel",              506F )                \
    F( ENTRY1_LEVEL,      9,  9, "",   "1: subroutine, not the main buffer", 506F )                \
    F( ENTRY1_LENGTH_OLD, 31, 10, "dw", "segment length (G80 until GF100)",  506F )                \
    F( ENTRY1_LENGTH,    30, 10, "dw", "segment length, 0: control entry",   906F )                \
    F( ENTRY1_SYNC,      31, 31, "",   "1: wait for the previous segment",   906F )                \
    F( EXTENDED_BASE,    24,  8, "",   "address 56:40, opcode 4's operand",  C86F )

/* Fields of the register SUBDEVICE of the PBDMA. */
#define GPUCMD_NV_PBDMA_FIELDS(F)                                                                  \
    /*  name             hi  lo  unit  meaning                               source */             \
    F( SUBDEVICE_ID,     11,  0, "",   "which subdevices this is",           PBDMA )               \
    F( SUBDEVICE_STORED_MASK, 27, 16, "", "last STORE_SUBDEVICE_MASK",       PBDMA )               \
    F( SUBDEVICE_STATUS, 28, 28, "",   "1: ACTIVE, methods are sent",        PBDMA )               \
    F( SUBDEVICE_CHANNEL_DMA, 29, 29, "", "1: subdevice commands allowed",   PBDMA )

/* Fields of registers of the channel control area. */
#define GPUCMD_NV_AREA_FIELDS(F)                                                                   \
    /*  name             hi  lo  unit  meaning                               source */             \
    F( AREA_HIGH,         7,  0, "",   "address 39:32",                      ENVY )                \
    F( AREA_MGET_VAL,    31, 31, "",   "DMA_MGET is valid",                  506F )

/* Fields of the registers of the usermode region. Token bits without a row must
 * be 0, because on GB100 until GB202 some of these bits disable the doorbell. */
#define GPUCMD_NV_USERMODE_FIELDS(F)                                                               \
    /*  name             hi  lo  unit  meaning                               source */             \
    F( TOKEN_CHANNEL,    11,  0, "",   "channel, all that GV100 has",        USER )                \
    F( TOKEN_RUNLIST,    22, 16, "",   "runlist, TU102 and later",           USER )                \
    F( TOKEN_RUNLIST_GB100, 21, 16, "", "runlist, GB100 until GB202",        RM )                  \
    F( TOKEN_GB202,      30, 30, "",   "1: ring, GB202 and later",           RM )                  \
    F( USERMODE_CLASS,   15,  0, "",   "CFG0: class of the region",          USER )                \
    F( USERMODE_TIME_LO, 31,  5, "",   "TIME_0: units of 32 ns",             USER )                \
    F( USERMODE_TIME_HI, 28,  0, "",   "TIME_1: units of 2^32 ns",           USER )

/* Fields of the registers BAR1_BLOCK and BAR2_BLOCK. */
#define GPUCMD_NV_BLOCK_FIELDS(F)                                                                  \
    /*  name             hi  lo  unit  meaning                               source */             \
    F( BLOCK_PTR,        27,  0, "",   "instance block, units of 4 KB",      BUS )                 \
    F( BLOCK_TARGET,     29, 28, "",   "memory that it lies in",             BUS )                 \
    F( BLOCK_MODE,       31, 31, "",   "0: physical, 1: virtual addresses",  BUS )

/* Forms of command words before GF100. Columns:
 *   picture          one character for each bit, bit 31 first: 0 and 1 fixed bits, j target / 4,
 *                    c count, s subchannel, m method / 4, v mask, - ignored
 *   sec, tert, prim  values of the fields OLD_SEC_OP, OLD_TERT_OP and OLD_PRIMARY_OP
 *   mask             bits of a word that must equal the bits that sec, tert and prim give
 *   since            first chip that accepts the form
 *   mode             mode that accepts the form: NV4 (NV4-style), IB or ANY
 *   sli              1: accepted only if gpucmd_nv_gate.sli_enable is true
 * No word matches two rows, so the order of the rows does not matter. */
#define GPUCMD_NV_OLD_FORMS(R)                                                                     \
    /* name, picture, sec tert prim, mask, since, mode, sli, source */                             \
    R( INC,         "000ccccccccccc00sssmmmmmmmmmmm00", 0,0,0, 0xe0030003, NV4,  ANY, 0, 006C )    \
    R( NON_INC,     "010ccccccccccc00sssmmmmmmmmmmm00", 2,0,0, 0xe0030003, NV10, ANY, 0, ENVY )    \
    R( JUMP_OLD,    "001jjjjjjjjjjjjjjjjjjjjjjjjjjj00", 1,0,0, 0xe0000003, NV4,  NV4, 0, 006C )    \
    R( JUMP,        "jjjjjjjjjjjjjjjjjjjjjjjjjjjjjj01", 0,0,1, 0x00000003, NV1A, NV4, 0, 206E )    \
    R( CALL,        "jjjjjjjjjjjjjjjjjjjjjjjjjjjjjj10", 0,0,2, 0x00000003, NV1A, NV4, 0, 206E )    \
    R( RETURN,      "00000000000000100000000000000000", 0,2,0, 0xffffffff, NV1A, NV4, 0, 206E )    \
    R( LONG_NON_INC,"0000000000000011sssmmmmmmmmmmm00", 0,3,0, 0xffff0003, G80,  IB,  0, 506F )    \
    R( SLI_COND,    "0000000000000001vvvvvvvvvvvv--00", 0,1,0, 0xffff0003, NV40, ANY, 1, 366E )

/* Forms of command words, GF100 and later. Columns as in GPUCMD_NV_OLD_FORMS, and:
 *   picture   also d: data
 *   new       1: accepted if the register FORMATS is NEW or BOTH. GV100 and later: always NEW
 *   old       1: accepted if FORMATS is OLD or BOTH [RNNDB] (MODEL)
 * The row NOP is before OLD_INC, because a NOP also matches OLD_INC. [906F] */
#define GPUCMD_NV_HDR_FORMS(R)                                                                     \
    /*  name         picture                             sec tert mask        new old source */    \
    R( INC,         "001cccccccccccccsss-mmmmmmmmmmmm", 1,  0,   0xe0000000, 1,  0,  906F )        \
    R( IMMD,        "100dddddddddddddsss-mmmmmmmmmmmm", 4,  0,   0xe0000000, 1,  0,  906F )        \
    R( NON_INC,     "011cccccccccccccsss-mmmmmmmmmmmm", 3,  0,   0xe0000000, 1,  0,  906F )        \
    R( ONE_INC,     "101cccccccccccccsss-mmmmmmmmmmmm", 5,  0,   0xe0000000, 1,  0,  906F )        \
    R( NOP,         "00000000000000000000000000000000", 0,  0,   0xffffffff, 1,  1,  906F )        \
    R( SLI_COND,    "000-----------01vvvvvvvvvvvv----", 0,  1,   0xe0030000, 1,  1,  906F )        \
    R( SLI_STORE,   "000-----------10vvvvvvvvvvvv----", 0,  2,   0xe0030000, 1,  0,  906F )        \
    R( SLI_USE,     "000-----------11----------------", 0,  3,   0xe0030000, 1,  0,  906F )        \
    R( END_SEGMENT, "111-----------------------------", 7,  0,   0xe0000000, 1,  0,  906F )        \
    R( OLD_INC,     "000ccccccccccc00sssmmmmmmmmmmm--", 0,  0,   0xe0030000, 0,  1,  906F )        \
    R( OLD_NON_INC, "010ccccccccccc00sssmmmmmmmmmmm--", 2,  0,   0xe0030000, 0,  1,  906F )

/* Names of all command forms: those before GF100, and those of GF100 and later. */
#define GPUCMD_NV_FORMS(F)                                                                         \
    F( INVALID ) F( NOP ) F( INC ) F( NON_INC ) F( ONE_INC ) F( IMMD ) F( LONG_NON_INC )           \
    F( OLD_INC ) F( OLD_NON_INC ) F( JUMP_OLD ) F( JUMP ) F( CALL ) F( RETURN ) F( SLI_COND )      \
    F( SLI_STORE ) F( SLI_USE ) F( END_SEGMENT )

/* Flags of an IB entry. Columns:
 *   flag          bit in the argument flags of gpucmd_nv_encode_entry
 *   word, field   word of the entry, and its field that the flag sets to 1
 *   since, until  first chip with the flag, and first later chip without it; LATER: none */
#define GPUCMD_NV_ENTRY_FLAGS(G)                                                                   \
    /*  name               flag  word  field                    since   until  source */           \
    G( DISABLE,            1,    0,    ENTRY0_DISABLE,           G80,    GF100, 506F )             \
    G( NO_CONTEXT_SWITCH,  2,    0,    ENTRY0_NO_CONTEXT_SWITCH, G80,    GK104, 506F )             \
    G( FETCH_CONDITIONAL,  4,    0,    ENTRY0_FETCH,             GF100,  LATER, 906F )             \
    G( PRIV,               8,    1,    ENTRY1_PRIV,              G80,    TU102, 506F )             \
    G( SUBROUTINE,         16,   1,    ENTRY1_LEVEL,             G80,    LATER, 506F )             \
    G( SYNC_WAIT,          32,   1,    ENTRY1_SYNC,              GF100,  LATER, 906F )

/* Operations of control entries: IB entries of LENGTH 0, GF100 and later. */
#define GPUCMD_NV_CONTROLS(O)                                                                      \
    /*  name                            op  since   source */                                      \
    O( NOP,                             0,  GF100,  906F )                                         \
    O( ILLEGAL,                         1,  GF100,  906F )                                         \
    O( GP_CRC,                          2,  GF100,  906F )                                         \
    O( PB_CRC,                          3,  GF100,  906F )                                         \
    O( SET_PB_SEGMENT_EXTENDED_BASE,    4,  GH100,  C86F )

/* Host methods: methods at an address (column mthd) below 0x100, which the host engine
 * executes. The chips from column `since` until column `until` (LATER: all later chips) have the
 * method. A name has one row M, and a row A for each further range of chips. Before GF100 the
 * pusher rejects all other addresses below 0x100. */
#define GPUCMD_NV_HOST_METHODS(M, A)                                                               \
    /*  name                  mthd   since   until  source */                                      \
    M( SET_OBJECT,            0x00,  NV4,    LATER, ENVY )                                         \
    M( ILLEGAL,               0x04,  GF100,  LATER, 906F )                                         \
    M( NOP,                   0x08,  GF100,  LATER, 906F )                                         \
    M( SEMAPHOREA,            0x10,  G84,    LATER, 826F )                                         \
    M( SEMAPHOREB,            0x14,  G84,    LATER, 826F )                                         \
    M( SEMAPHOREC,            0x18,  G84,    LATER, 826F )                                         \
    M( SEMAPHORED,            0x1c,  G84,    LATER, 826F )                                         \
    M( NON_STALL_INTERRUPT,   0x20,  G84,    LATER, 826F )                                         \
    M( FB_FLUSH,              0x24,  G84,    LATER, 826F )                                         \
    M( MEM_OP_A,              0x28,  MCP89,  GM204, 866F )                                         \
    A( MEM_OP_A,              0x28,  GP100,  LATER, C06F )                                         \
    M( MEM_OP_B,              0x2c,  MCP89,  GM204, 866F )                                         \
    A( MEM_OP_B,              0x2c,  GP100,  LATER, C06F )                                         \
    M( MEM_OP_C,              0x30,  GM204,  LATER, B06F )                                         \
    M( MEM_OP_D,              0x34,  GM204,  LATER, B06F )                                         \
    M( REF_CNT,               0x50,  NV10,   LATER, ENVY )                                         \
    M( SEM_ADDR_LO,           0x5c,  GV100,  LATER, C36F )                                         \
    M( DMA_SEMAPHORE,         0x60,  NV1A,   GF100, ENVY )                                         \
    M( SEM_ADDR_HI,           0x60,  GV100,  LATER, C36F )                                         \
    M( SEMAPHORE_OFFSET,      0x64,  NV1A,   GF100, ENVY )                                         \
    M( SEM_PAYLOAD_LO,        0x64,  GV100,  LATER, C36F )                                         \
    M( SEMAPHORE_ACQUIRE,     0x68,  NV1A,   GF100, ENVY )                                         \
    M( SEM_PAYLOAD_HI,        0x68,  GV100,  LATER, C36F )                                         \
    M( SEMAPHORE_RELEASE,     0x6c,  NV1A,   GF100, ENVY )                                         \
    M( SEM_EXECUTE,           0x6c,  GV100,  LATER, C36F )                                         \
    M( SYNCPOINTA,            0x70,  GK20A,  GM107, A26F )                                         \
    A( SYNCPOINTA,            0x70,  GP10B,  GV100, C06F )                                         \
    M( SYNCPOINTB,            0x74,  GK20A,  GM107, A26F )                                         \
    A( SYNCPOINTB,            0x74,  GP10B,  GV100, C06F )                                         \
    M( WFI,                   0x78,  GK110,  LATER, A16F )                                         \
    M( CRC_CHECK,             0x7c,  GF100,  GA100, 906F )                                         \
    M( YIELD,                 0x80,  NV40,   LATER, ENVY )                                         \
    M( CLEAR_FAULTED,         0x84,  GV100,  LATER, C36F )

/* Errors of the pusher before GF100. Column id is the value of bits 31:29 of DMA_STATE. [ENVY] */
#define GPUCMD_NV_PUSHER_ERRORS(X)                                                                 \
    /*  name               id  text */                                                             \
    X( NONE,               0,  "no error" )                                                        \
    X( CALL_SUBR_ACTIVE,   1,  "call inside a subroutine" )                                        \
    X( INVALID_MTHD,       2,  "method below 0x100 that the host engine lacks" )                   \
    X( RET_SUBR_INACTIVE,  3,  "return outside a subroutine" )                                     \
    X( INVALID_CMD,        4,  "not a command of this chip and mode" )                             \
    X( IB_EMPTY,           5,  "IB entry of length zero" )                                         \
    X( MEM_FAULT,          6,  "pushbuffer or IB not readable, or past dma_limit" )

/* Fields of the registers of CACHE1, NV4 until GF100. [ENVY] nv4_pfifo.xml */
#define GPUCMD_NV_CACHE1_FIELDS(F)                                                                 \
    /*  name                      hi  lo  unit  meaning                          source */         \
    F( CACHE1_STATE_NI,            0,  0, "",  "non-increasing, NV10 and later",   ENVY )          \
    F( CACHE1_STATE_PRIV,          1,  1, "",  "kernel privilege, G80",            ENVY )          \
    F( CACHE1_STATE_MTHD,         12,  2, "",  "method address / 4",               ENVY )          \
    F( CACHE1_STATE_SUBC,         15, 13, "",  "subchannel",                       ENVY )          \
    F( CACHE1_STATE_LENP,         16, 16, "",  "long count comes next, G80",       ENVY )          \
    F( CACHE1_STATE_SUBR_ACTIVE,  17, 17, "",  "NV40 and later",                   ENVY )          \
    F( CACHE1_STATE_NONMAIN,      18, 18, "",  "not the main pushbuffer, G80",     ENVY )          \
    F( CACHE1_STATE_COUNT,        28, 18, "",  "remaining data words, before G80", ENVY )          \
    F( CACHE1_STATE_ERROR,        31, 29, "",  "GPUCMD_NV_PUSHER_ERRORS",          ENVY )          \
    F( CACHE1_SUBROUTINE_ACTIVE,   0,  0, "",  "NV1A until NV40",                  ENVY )          \
    F( CACHE1_SUBROUTINE_RETURN,  31,  2, "",  "return offset / 4",                ENVY )          \
    F( CACHE1_PUSH_ACCESS,         0,  0, "",  "DMA_PUSH: the pusher may run",     ENVY )          \
    F( CACHE1_PUSH_SUSPENDED,     12, 12, "",  "DMA_PUSH: stopped by an error",    ENVY )          \
    F( CACHE1_ADDR_NI,             0,  0, "",  "CACHE entry: non-increasing",      ENVY )          \
    F( CACHE1_ADDR_MTHD,          12,  2, "",  "CACHE entry: method address / 4",  ENVY )          \
    F( CACHE1_ADDR_SUBC,          15, 13, "",  "CACHE entry: subchannel",          ENVY )

/* Registers of CACHE1 that hold the state of the pusher. Column member is a member of
 * gpucmd_nv_cache1. Column off is the MMIO offset in bytes. Emulators often use offsets from the
 * start of PFIFO at 0x2000 instead. [ENVY] nv4_pfifo.xml, g80_pfifo.xml */
#define GPUCMD_NV_CACHE1_REGS(R)                                                                   \
    /*  name            member          off     since  meaning */                                  \
    R( DMA_STATE,       dma_state,      0x3228, NV4,   "the method run, and the error" )           \
    R( DMA_PUT,         dma_put,        0x3240, NV4,   "31:2 of the end" )                         \
    R( DMA_GET,         dma_get,        0x3244, NV4,   "31:2 of the next word" )                   \
    R( REF,             ref,            0x3248, NV10,  "reference counter" )                       \
    R( DMA_SUBROUTINE,  dma_subroutine, 0x324c, NV1A,  "where RETURN jumps to" )                   \
    R( DMA_DCOUNT,      dma_dcount,     0x32a0, NV5,   "data words already passed" )               \
    R( DMA_GET_JMP,     dma_get_jmp,    0x32a4, NV5,   "shadow: GET before a jump" )               \
    R( DMA_RSVD,        dma_rsvd,       0x32a8, NV5,   "shadow: word of a command" )               \
    R( DMA_DATA,        dma_data,       0x32ac, NV5,   "shadow: data word" )                       \
    R( METHOD_COUNT,    method_count,   0x3364, G80,   "remaining data words" )

/* Bits of the PBDMA register INTR_0 that the executor sets. A page fault sets no
 * bit, because the MMU reports it. [PBDMA] */
#define GPUCMD_NV_PBDMA_INTRS(I)                                                                   \
    /*  name          bit  text */                                                                 \
    I( GPFIFO,        13,  "ring passes the end of the address space" )                            \
    I( GPPTR,         14,  "GP_PUT or GP_GET not inside the ring" )                                \
    I( GPENTRY,       15,  "invalid IB entry, or segment passes the end of the address space" )    \
    I( GPCRC,         16,  "GP_CRC differs" )                                                      \
    I( PBENTRY,       18,  "no such command, or address wraps" )                                   \
    I( PBCRC,         19,  "PB_CRC differs" )                                                      \
    I( METHOD,        21,  "method or operation that the host engine lacks, or ILLEGAL" )          \
    I( METHODCRC,     22,  "METHOD_CRC differs" )                                                  \
    I( DEVICE,        23,  "method of a software object" )                                         \
    I( SEMAPHORE,     25,  "semaphore address not aligned, or unknown operation" )                 \
    I( SYNCPOINT_ILLEGAL, 28, "no such syncpoint" )                                                \
    I( NO_CTXSW_SEG,  29,  "acquire in a segment that forbids channel switches" )                  \
    I( PBSEG,         30,  "method run crosses into a conditional segment" )

/* Bits of the PBDMA register INTR_0 that the executor never sets. Sources: [PBDMA] for GV100 and
 * later, [LNX] fifo/gk104.c for earlier chips. */
#define GPUCMD_NV_PBDMA_OTHER_INTRS(I)                                                             \
    /*  name                bit  since  until  text */                                             \
    I( MEMREQ,               0,  GF100, LATER, "memory request not accepted in time" )             \
    I( MEMACK_TIMEOUT,       1,  GF100, LATER, "memory acknowledge not received in time" )         \
    I( MEMACK_EXTRA,         2,  GF100, LATER, "memory acknowledge without a request" )            \
    I( MEMDAT_TIMEOUT,       3,  GF100, LATER, "memory data not received in time" )                \
    I( MEMDAT_EXTRA,         4,  GF100, LATER, "memory data without a request" )                   \
    I( MEMFLUSH,             5,  GF100, LATER, "memory flush not acknowledged in time" )           \
    I( MEMOP,                6,  GF100, GA100, "MEM_OP not acknowledged in time" )                 \
    I( LBCONNECT,            7,  GF100, LATER, "LB not connected in time" )                        \
    I( LBREQ,                8,  GF100, LATER, "LB request not accepted in time" )                 \
    I( LBACK_TIMEOUT,        9,  GF100, LATER, "LB acknowledge not received in time" )             \
    I( LBACK_EXTRA,         10,  GF100, LATER, "LB acknowledge without a request" )                \
    I( LBDAT_TIMEOUT,       11,  GF100, LATER, "LB data not received in time" )                    \
    I( LBDAT_EXTRA,         12,  GF100, LATER, "LB data without a request" )                       \
    I( PBPTR,               17,  GF100, LATER, "GET of the segment is not below PUT" )             \
    I( XBARCONNECT,         20,  GF100, GV100, "crossbar not connected in time" )                  \
    I( CLEAR_FAULTED_ERROR, 20,  GV100, GA100, "CLEAR_FAULTED failed" )                            \
    I( ENG_RESET,           24,  GV100, LATER, "engine was reset" )                                \
    I( ACQUIRE,             26,  GF100, LATER, "acquire took longer than its limit" )              \
    I( PRI,                 27,  GF100, LATER, "register access forbidden" )                       \
    I( SIGNATURE,           31,  GF100, LATER, "RAMFC has no valid signature" )

/* Registers of the channel control area, offsets in bytes.
 *   rd       whether the CPU may read the register. 0: never, 1: always, 2: only if the
 *            channel is not in IB mode, 3: only if the channel is in IB mode
 *   wr       whether the CPU may write the register; values as in rd
 *   meaning  starts with NVIDIA's name
 * Only areas of style NEW (GPUCMD_NV_AREAS) contain DMA_CGET. On GF100 and later the area is memory
 * (USERD). GV100 until GB100 update the area at unspecified times; GB100 and later do not update
 * the area. The register FREE (0x10) has no row, because it belongs to method submission by CPU
 * writes (PIO). [ENVY] [RNNDB] [006C] [206E] [446E] [506F] [906F] [C86F] */
#define GPUCMD_NV_AREA_REGS(A)                                                                     \
    /*  name            off   since  until  rd wr  meaning */                                      \
    A( DMA_PUT,         0x40, NV4,   GB100, 1, 2,  "Put: dma_put 31:0, with DMA_PUT_HIGH" )        \
    A( DMA_GET,         0x44, NV4,   GB100, 1, 0,  "Get: dma_get 31:0; latches DMA_GET_HIGH" )     \
    A( REF,             0x48, NV10,  GB100, 1, 0,  "Reference: reference counter" )                \
    A( DMA_PUT_HIGH,    0x4c, G80,   GB100, 1, 2,  "PutHi: dma_put 39:32" )                        \
    A( STALL_NOTIFIER,  0x50, NV4,   NV10,  0, 1,  "StallNotifier" )                               \
    A( SET_REFERENCE,   0x50, NV10,  GF100, 0, 1,  "SetReference: reference counter" )             \
    A( REF_THRESHOLD,   0x50, GF100, GK104, 1, 1,  "SetReferenceThreshold" )                       \
    A( STALL_CHANNEL,   0x54, NV4,   NV10,  0, 1,  "StallChannel" )                                \
    A( DMA_CGET,        0x54, NV40,  GF100, 2, 0,  "subr_return in a subroutine, else dma_get" )   \
    A( DMA_MGET,        0x58, G80,   GB100, 1, 0,  "TopLevelGet: dma_mget 31:0; latches high" )    \
    A( DMA_MGET_HIGH,   0x5c, G80,   GB100, 1, 0,  "TopLevelGetHi: 39:32, valid flag in bit 31" )  \
    A( SEM_CTXDMA,      0x60, NV1A,  G80,   0, 1,  "SetContextDmaSemaphore" )                      \
    A( DMA_GET_HIGH,    0x60, G80,   GB100, 1, 0,  "GetHi: dma_get 39:32" )                        \
    A( SEM_OFFSET,      0x64, NV1A,  G80,   0, 1,  "SetSemaphoreOffset" )                          \
    A( SEM_ACQUIRE,     0x68, NV1A,  G80,   0, 1,  "SetSemaphoreAcquire" )                         \
    A( SEM_RELEASE,     0x6c, NV1A,  G80,   0, 1,  "SetSemaphoreRelease" )                         \
    A( YIELD,           0x80, NV44,  GF100, 0, 1,  "Yield" )                                       \
    A( IB_GET,          0x88, G80,   GB100, 1, 0,  "GPGet: next entry the GPU reads" )             \
    A( IB_PUT,          0x8c, G80,   LATER, 1, 3,  "GPPut: first entry not submitted" )

/* Locations of the control areas. Columns:
 *   style        OLD: the area also accepts methods by CPU writes (PIO), and lacks DMA_CGET
 *   window       window that contains the areas. MEMORY: each area is in memory, aligned to its
 *                size, and the runlist entry has its address
 *   base         offset of the area of channel 0 in the window, bytes
 *   stride       distance between the areas of two successive channels, bytes
 *   first, last  numbers of the channels; GA100 and later: of one runlist
 * [ENVY] mmio.rst, [RAM], [LNX] */
#define GPUCMD_NV_AREAS(A)                                                                         \
    /*  since   until  style  window  base      stride   first  last */                            \
    A( NV1,     NV4,   OLD,   MMIO,   0x800000, 0x10000, 0,     127 )                              \
    A( NV4,     NV10,  OLD,   MMIO,   0x800000, 0x10000, 0,     15 )                               \
    A( NV10,    G80,   OLD,   MMIO,   0x800000, 0x10000, 0,     31 )                               \
    A( NV40,    G80,   NEW,   MMIO,   0xc00000, 0x1000,  0,     511 )                              \
    A( G80,     GF100, OLD,   MMIO,   0x800000, 0x2000,  0,     0 )                                \
    A( G80,     GF100, NEW,   MMIO,   0xc00000, 0x2000,  1,     126 )                              \
    A( GF100,   GK104, NEW,   VRAM,   0,        0x1000,  0,     127 )                              \
    A( GK104,   GV100, NEW,   VRAM,   0,        0x200,   0,     4095 )                             \
    A( GV100,   GA100, NEW,   MEMORY, 0,        0x200,   0,     4095 )                             \
    A( GA100,   LATER, NEW,   MEMORY, 0,        0x200,   0,     2047 )

/* Usermode regions: parts of MMIO that contain the doorbell and that a process may
 * map. TU102 until GA100 have two rows: the manual of TU104 documents both
 * regions, drivers use the first. [USER] [RM] */
#define GPUCMD_NV_USERMODES(U)                                                                     \
    /*  since   until  base (MMIO offset in bytes) */                                              \
    U( TU102,   LATER, 0xbb0000 )                                                                  \
    U( GV100,   GA100, 0x810000 )

/* Registers of a usermode region, offsets in bytes. Offsets without a row read 0. [USER] */
#define GPUCMD_NV_USERMODE_REGS(R)                                                                 \
    /*  name                    off   meaning */                                                   \
    R( CFG0,                    0x00, "class of the region" )                                      \
    R( TIME_0,                  0x80, "nanoseconds, low half; read TIME_1 before and after" )      \
    R( TIME_1,                  0x84, "nanoseconds, high half" )                                   \
    R( NOTIFY_CHANNEL_PENDING,  0x90, "doorbell: takes a token, reads 0" )

/* PCI windows. Columns:
 *   slot      number of the base address register. On AGP chips RAMIN has slot 2, not 3, because
 *             the base address register of their VRAM window has 32 bits, which occupy one slot
 *   io        1: IO ports, 0: memory
 *   from, to  log2 of the smallest and largest size in bytes; 0: not documented
 *   swap      1: the endian switch of PMC swaps the bytes of accesses to the window
 * [ENVY] bus/bars.rst, io/pstraps.rst. The slots of RAMIN are from [LNX] subdev/instmem/nv40.c,
 * because [ENVY] exchanges the slots 2 and 3. */
#define GPUCMD_NV_BARS(B)                                                                          \
    /*  window   since   until   slot  io  from  to  prefetchable  swap */                         \
    B( MMIO,     NV1,    NV3,    0,    0,  25,   25, 0,            0 )                             \
    B( MMIO,     NV3,    NV17,   0,    0,  24,   24, 0,            1 )                             \
    B( MMIO,     NV17,   G80,    0,    0,  24,   27, 0,            1 )                             \
    B( MMIO,     G80,    LATER,  0,    0,  24,   31, 0,            1 )                             \
    B( VRAM,     NV3,    NV5,    1,    0,  24,   24, 1,            0 )                             \
    B( VRAM,     NV5,    NV10,   1,    0,  25,   25, 1,            0 )                             \
    B( VRAM,     NV10,   NV17,   1,    0,  27,   27, 1,            0 )                             \
    B( VRAM,     NV17,   G80,    1,    0,  26,   29, 1,            0 )                             \
    B( VRAM,     G80,    LATER,  1,    0,  26,   36, 1,            0 )                             \
    B( RMA,      NV3,    NV4,    2,    1,  8,    8,  0,            0 )                             \
    B( RAMIN,    NV40,   G80,    3,    0,  24,   0,  0,            1 )                             \
    B( RAMIN,    G80,    MCP77,  3,    0,  24,   32, 0,            1 )                             \
    B( RAMIN,    MCP77,  LATER,  3,    0,  24,   32, 1,            1 )                             \
    B( PORTS,    G80,    LATER,  5,    1,  7,    7,  0,            0 )                             \
    B( ROM,      NV3,    LATER,  6,    0,  0,    0,  0,            0 )

/* Straps: register bits that contain the sizes of the PCI windows. Before G80 the straps are in
 * register 0, on G80 and later in registers 0 and 1. [ENVY] io/pstraps.rst */
#define GPUCMD_NV_STRAP_FIELDS(F)                                                                  \
    /*  name               hi  lo  unit  meaning                                source */          \
    F( STRAP_NV20_VRAM,    17, 16, "",   "64 MB << n, NV20 until NV25",          ENVY )            \
    F( STRAP_NV20_MMIO,    18, 18, "",   "1: 128 MB, NV20 until NV25",           ENVY )            \
    F( STRAP_NV17_VRAM,    24, 23, "",   "64 MB << n, NV17, and NV25 until G80", ENVY )            \
    F( STRAP_NV17_MMIO,    25, 25, "",   "1: 128 MB, NV17, and NV25 until G80",  ENVY )            \
    F( STRAP0_VRAM,        15, 14, "",   "64 MB << (n + STRAP1_VRAM)",           ENVY )            \
    F( STRAP1_PORTS,       16, 16, "",   "1: PORTS exists",                      ENVY )            \
    F( STRAP1_MMIO,        19, 17, "",   "16 MB << n",                           ENVY )            \
    F( STRAP1_VRAM,        22, 20, "",   "64 MB << (n + STRAP0_VRAM)",           ENVY )            \
    F( STRAP1_RAMIN,       23, 23, "",   "0: twice MMIO, 1: as MMIO",            ENVY )

/* Ports of the window PORTS, for real-mode access to MMIO, VRAM and RAMIN. [ENVY] bus/bars.rst */
#define GPUCMD_NV_PORTS(P)                                                                         \
    /*  name         off   meaning  (several rows in a line) */                                    \
    P( MASTER,       0x00, "reads the signature; bit 0 written enables the other ports" )          \
    P( ENABLE,       0x04, "bit 0: data ports work, else they keep what is written" )              \
    P( MMIO_ADDR,    0x08, "bits 23:2" )            P( MMIO_DATA,    0x0c, "" )                    \
    P( VRAM_ADDR,    0x10, "bits 31:2" )            P( VRAM_DATA,    0x14, "" )                    \
    P( RAMIN_ADDR,   0x18, "bits 23:2" )            P( RAMIN_DATA,   0x1c, "" )

/* Address ranges of MMIO that alias VGA registers and VGA memory. The endian
 * switch does not swap accesses to these ranges, because they contain bytes.
 * [ENVY] mmio.rst; no source confirms this for the memory (PRMFB) (MODEL). */
#define GPUCMD_NV_VGA_ALIASES(V)                                                                   \
    /*  name      since  until  base      bytes  (several rows in a line) */                       \
    V( PRMFB,     NV3,   LATER, 0x0a0000, 0x20000 ) V( PRMVIO,    NV3,   G80,   0x0c0000, 0x1000 ) \
    V( PRMVIO2,   NV40,  G80,   0x0c2000, 0x1000 )  V( PRMCIO,    NV3,   G80,   0x601000, 0x1000 ) \
    V( PRMCIO2,   NV11,  NV20,  0x603000, 0x1000 )  V( PRMCIO2,   NV25,  G80,   0x603000, 0x1000 ) \
    V( PRMIO,     G80,   LATER, 0x601000, 0x1000 )  V( PRMDIO,    NV3,   G80,   0x681000, 0x1000 ) \
    V( PRMDIO2,   NV11,  NV20,  0x683000, 0x1000 )  V( PRMDIO2,   NV25,  G80,   0x683000, 0x1000 )

/* Ports of the window RMA of NV3. The format of the addresses is not
 * documented. The ports are also in MMIO at 0x7100. [ENVY] bus/prma.rst */
#define GPUCMD_NV_RMA_PORTS(P)                                                                     \
    /*  name              off   meaning  (several rows in a line) */                               \
    P( SIG,               0x00, "reads RMA_SIGNATURE" )                                            \
    P( ADDR,              0x04, "" )                P( DATA,              0x08, "" )               \
    P( DATA_PARTIAL,      0x0c, "8 and 16 bits" )   P( DATA_INC,          0x10, "" )               \
    P( DATA_PARTIAL_INC,  0x14, "" )

/* Constants of the bus interface. [ENVY] bus/bars.rst, bus/pci.rst, bus/pmc.rst */
#define GPUCMD_NV_BUS_NUMBERS(N)                                                                   \
    /*  name                     value        meaning */                                           \
    N( PORTS_SIGNATURE,          0x2469fdb9,  "read at PORTS MASTER" )                             \
    N( RMA_SIGNATURE,            0x2b16d065,  "read at RMA SIG" )                                  \
    N( PMC,                      0x000000,    "MMIO: id, engine enables, interrupts, to 0xfff" )   \
    N( PMC_ENDIAN,               0x000004,    "MMIO register of the endian switch, NV1A on" )      \
    N( PMC_ENDIAN_BIG,           0x01000001,  "read there while big-endian, else 0" )              \
    N( PMC_ENDIAN_TOGGLE,        0x01000000,  "written there: toggle" )                            \
    N( AREA_BASE,                0x002254,    "MMIO: base of the areas, GF100 until GV100" )       \
    N( BAR1_BLOCK,               0x001704,    "MMIO: what VRAM's window shows, [BUS]" )            \
    N( BAR2_BLOCK,               0x001714,    "MMIO: what RAMIN's window shows, [BUS]" )           \
    N( USERMODE_BYTES,           0x10000,     "size of a usermode region" )                        \
    N( RUNLIST_ALL,              15,          "in a token of TU102 until GA100: every runlist" )   \
    N( NV1_VRAM_IN_MMIO,         0x1000000,   "VRAM in the MMIO window of NV1" )                   \
    N( NV3_RAMIN_IN_VRAM,        0xc00000,    "RAMIN in the VRAM window of NV3" )                  \
    N( RMA_IN_MMIO,              0x7100,      "the RMA ports in MMIO" )                            \
    N( RAMIN_IN_MMIO,            0x700000,    "RAMIN in MMIO before NV40, 1 MB" )                  \
    N( CONFIG_BAR0,              0x10,        "config space: slot 0, others 4 bytes on" )          \
    N( CONFIG_ROM,               0x30,        "config space: expansion ROM" )                      \
    N( CONFIG_ROM_SHADOW,        0x50,        "config space: 1 shows the ROM copy in VRAM" )       \
    N( CONFIG_VGA,               0x54,        "config space: legacy VGA decode enable" )           \
    N( VGA_IO_LOW,               0x3b0,       "legacy VGA ports, to 0x3bb" )                       \
    N( VGA_IO_HIGH,              0x3c0,       "legacy VGA ports, to 0x3df" )                       \
    N( VGA_MEMORY,               0xa0000,     "legacy VGA memory, to 0xbffff" )

/* Rules of gpucmd_nv_check. Column text describes a stream that breaks the rule. */
#define GPUCMD_NV_RULES(U)                                                                         \
    /*  name              severity  text */                                                        \
    U( INVALID_COMMAND,   ERROR,    "the word is not a command" )                                  \
    U( UNSUPPORTED_FORM,  ERROR,    "this chip or mode lacks the command" )                        \
    U( TRUNCATED,         ERROR,    "the stream ends inside a method run" )                        \
    U( UNKNOWN_METHOD,    ERROR,    "the host engine of this chip lacks the method" )              \
    U( METHOD_WRAP,       ERROR,    "the method run passes the last method address" )              \
    U( OLD_METHOD_WRAP,   WARNING,  "the method run continues at 0 after the last method address" )\
    U( JUMP_OUTSIDE,      ERROR,    "the target is outside the buffer" )                           \
    U( RETURN_OUTSIDE,    NOTE,     "RETURN is valid only in a subroutine" )                       \
    U( STRAY_BITS,        WARNING,  "reserved bits are set" )                                      \
    U( EMPTY_RUN,         NOTE,     "the method run has no words" )                                \
    U( AFTER_END,         WARNING,  "words after END_SEGMENT are dropped" )                        \
    U( EMPTY_ENTRY,       ERROR,    "the IB entry has length 0" )                                  \
    U( ENTRY_RANGE,       ERROR,    "the segment passes the end of the address space" )            \
    U( ENTRY_STRAY,       WARNING,  "reserved bits of the IB entry are set" )                      \
    U( ENTRY_OPCODE,      ERROR,    "the operation of the control entry is unknown or ILLEGAL" )   \
    U( ENTRY_MEMORY,      ERROR,    "the segment is outside GPU memory" )                          \
    U( RUN_CONDITIONAL,   ERROR,    "the method run continues in a conditional segment" )

/* Fields of host methods. If the width of a field depends on the class or chip, the field has one
 * row for each width; the end of the row's name is a class or chip with this width. */
#define GPUCMD_NV_HOST_FIELDS(F)                                                                   \
    /*  name             hi  lo  unit  meaning                               source */             \
    F( OBJECT_CLASS,     15,  0, "",   "SET_OBJECT: class",                  906F )                \
    F( OBJECT_ENGINE,    20, 16, "",   "SET_OBJECT: engine (Fermi)",         906F )                \
    F( SEM_UPPER,         7,  0, "",   "semaphore address 39:32",            906F )                \
    F( SEM_UPPER_C86F,   24,  0, "",   "semaphore address 56:32",            C86F )                \
    F( SEM_LOWER,        31,  2, "dw", "semaphore address 31:2",             906F )                \
    F( SEMAPHORED_OPERATION,      4, 0, "", "GPUCMD_NV_SEM_OPS",             A16F )                \
    F( SEMAPHORED_OPERATION_906F, 3, 0, "", "GPUCMD_NV_SEM_OPS",             906F )                \
    F( SEMAPHORED_OPERATION_826F, 2, 0, "", "GPUCMD_NV_SEM_OPS",             826F )                \
    F( SEMAPHORED_ACQUIRE_SWITCH, 12, 12, "", "1: leave a blocked channel",  906F )                \
    F( SEMAPHORED_RELEASE_WFI,   20, 20, "", "1: do NOT wait for idle",      906F )                \
    F( SEMAPHORED_RELEASE_SIZE,  24, 24, "", "1: 4 bytes, 0: 16 with time",  906F )                \
    F( SEMAPHORED_REDUCTION,     30, 27, "", "GPUCMD_NV_REDUCTIONS",         A16F )                \
    F( SEMAPHORED_FORMAT,        31, 31, "", "1: unsigned",                  A16F )                \
    F( SEM_EXECUTE_OPERATION,     2,  0, "", "GPUCMD_NV_SEM_OPS",            C36F )                \
    F( SEM_EXECUTE_ACQUIRE_SWITCH_TSG, 12, 12, "", "1: leave a blocked group", C36F )              \
    F( SEM_EXECUTE_RELEASE_WFI,  20, 20, "", "1: wait for idle",             C36F )                \
    F( SEM_EXECUTE_PAYLOAD_SIZE, 24, 24, "", "1: 64 bits",                   C36F )                \
    F( SEM_EXECUTE_RELEASE_TIMESTAMP, 25, 25, "", "1: time at + 8",          C36F )                \
    F( SEM_EXECUTE_REDUCTION,    30, 27, "", "GPUCMD_NV_REDUCTIONS",         C36F )                \
    F( SEM_EXECUTE_FORMAT,       31, 31, "", "1: unsigned",                  C36F )                \
    F( SEMAPHORE_OFFSET,     11,  2, "dw", "offset in DMA_SEMAPHORE",        ENVY )                \
    F( SEMAPHORE_OFFSET_G80, 15,  2, "dw", "offset in DMA_SEMAPHORE, G80+",  ENVY )                \
    F( MEM_OP_OPERATION, 31, 27, "",   "last word: GPUCMD_NV_MEM_OPS",       906F )                \
    F( MEM_OP_OPERATION_866F, 31, 29, "", "B: 0 evict, 1 clean, 2 invalidate", 866F )              \
    F( MEM_OP_FLUSH_ALL_866F, 28, 28, "", "B: 1: all lines",                 866F )                \
    F( MEM_OP_LINES_866F, 27,  0, "",  "B: how many lines",                  866F )                \
    F( MEM_OP_TLB_PDB,    0,  0, "",   "1: all page directories",            906F )                \
    F( MEM_OP_TLB_GPC,    1,  1, "",   "1: not the TLBs of GPCs",            906F )                \
    F( MEM_OP_TLB_ADDR_906F,   29,  2, "", "A: directory address 39:12",     906F )                \
    F( MEM_OP_TLB_TARGET_906F, 31, 30, "", "A: where the directory lies",    906F )                \
    F( MEM_OP_TLB_TARGET, 11, 10, "",  "C: where the directory lies",        B06F )                \
    F( MEM_OP_TLB_ADDR_LO, 31, 12, "", "C: directory address 31:12",         B06F )                \
    F( MEM_OP_TLB_ADDR_HI_B06F, 7, 0, "", "D: directory address 39:32",      B06F )                \
    F( MEM_OP_TLB_ADDR_HI, 26, 0, "",  "D: directory address 58:32",         C06F )                \
    F( MEM_OP_TLB_CLIENT,  5, 0, "",   "A: uTLB, with CANCEL_TARGETED",      C06F )                \
    F( MEM_OP_TLB_SIZE,  5, 0, "",     "A: 4 KiB << n are invalidated",      C36F )                \
    F( MEM_OP_TLB_GPC_ID, 10, 6, "",   "A: with CANCEL_TARGETED",            C06F )                \
    F( MEM_OP_TLB_SCOPE, 7, 6, "",     "A: without REPLAY: TLB_SCOPE_*",     C56F )                \
    F( MEM_OP_TLB_ENGINE_C36F,  6, 0, "", "A: MMU engine, CANCEL_VA_GLOBAL", C36F )                \
    F( MEM_OP_TLB_ENGINE,  8, 0, "",   "A: MMU engine, CANCEL_VA_GLOBAL",    C86F )                \
    F( MEM_OP_TLB_SYSMEMBAR, 11, 11, "", "A: 1: then a system barrier",      C06F )                \
    F( MEM_OP_TLB_VA_LO,31, 12, "",    "A: TARGETED: virtual address 31:12", C06F )                \
    F( MEM_OP_TLB_REPLAY,  4, 2, "",   "C: TLB_REPLAY_*",                    C06F )                \
    F( MEM_OP_TLB_ACK,   6, 5, "",     "C: TLB_ACK_*",                       C06F )                \
    F( MEM_OP_TLB_LEVEL, 9, 7, "",     "C: TLB_LEVEL_*",                     C06F )                \
    F( MEM_OP_TLB_ACCESS,  9, 7, "",   "C: CANCEL_VA_GLOBAL: TLB_ACCESS_*",  C36F )                \
    F( MEM_OP_NOTIFY_TAG, 19, 0, "",   "C: of ACCESS_COUNTER_CLR",           C36F )                \
    F( MEM_OP_COUNTER_TYPE,  1, 0, "", "D: ACCESS_COUNTER_*",                C36F )                \
    F( MEM_OP_COUNTER_MOMC,  2, 2, "", "D: TARGETED: 0 MIMC, 1 MOMC",        C36F )                \
    F( MEM_OP_COUNTER_BANK,  6, 3, "", "D: TARGETED",                        C36F )                \
    F( MEM_OP_MMU_OPERATION_TYPE, 23, 20, "", "D: 1 VIDMEM_ACCESS_BIT_DUMP", C56F )                \
    F( MEM_OP_MEMBAR_TYPE, 2,  0, "",  "C: 0 system, 1 GPU",                 C06F )                \
    F( WFI_SCOPE,         0,  0, "",   "1: all engines",                     B06F )                \
    F( YIELD_OP,          1,  0, "",   "GPUCMD_NV_YIELDS",                   B06F )                \
    F( CLEAR_FAULTED_CHID_C36F, 11, 0, "", "which channel",                  C36F )                \
    F( CLEAR_FAULTED_CHID,  15,  0, "", "which channel",                     PBDMA )               \
    F( CLEAR_FAULTED_TYPE,  31, 31, "", "0 PBDMA_FAULTED, 1 ENG_FAULTED",    C36F )                \
    F( SYNCPOINT_OPERATION_A26F, 1, 0, "", "0 WAIT, 1 INCR",                 A26F )                \
    F( SYNCPOINT_OPERATION,  0,  0, "", "0 WAIT, 1 INCR",                    C06F )                \
    F( SYNCPOINT_WAIT_SWITCH, 4, 4, "", "1: leave the channel while it waits", A26F )              \
    F( SYNCPOINT_BASE_A26F,  5,  5, "", "WAIT: the payload counts from a base", A26F )             \
    F( SYNCPOINT_INDEX_A26F, 15, 8, "", "which one",                         A26F )                \
    F( SYNCPOINT_INDEX,     19,  8, "", "which one",                         C06F )

/* Operations of the semaphore methods. The acquires wait until:
 *   ACQUIRE         memory equals the payload
 *   ACQ_CIRC_GEQ    memory - payload, as a signed number, is not negative
 *   ACQ_STRICT_GEQ  memory is at least the payload, unsigned
 *   ACQ_AND         at least one bit is set in both memory and payload
 *   ACQ_NOR         at least one bit is clear in both memory and payload */
#define GPUCMD_NV_SEM_OPS(O)                                                                       \
    /*  method        operation       value  since   until  source */                              \
    O( SEMAPHORED,    ACQUIRE,        1,     G84,    LATER, 826F )                                 \
    O( SEMAPHORED,    RELEASE,        2,     G84,    LATER, 826F )                                 \
    O( SEMAPHORED,    ACQ_CIRC_GEQ,   4,     G84,    LATER, 826F )                                 \
    O( SEMAPHORED,    ACQ_AND,        8,     GF100,  LATER, 906F )                                 \
    O( SEMAPHORED,    REDUCTION,     16,     GK110,  GK20A, A16F )                                 \
    O( SEMAPHORED,    REDUCTION,     16,     GM107,  LATER, A16F )                                 \
    O( SEM_EXECUTE,   ACQUIRE,        0,     GV100,  LATER, C36F )                                 \
    O( SEM_EXECUTE,   RELEASE,        1,     GV100,  LATER, C36F )                                 \
    O( SEM_EXECUTE,   ACQ_STRICT_GEQ, 2,     GV100,  LATER, C36F )                                 \
    O( SEM_EXECUTE,   ACQ_CIRC_GEQ,   3,     GV100,  LATER, C36F )                                 \
    O( SEM_EXECUTE,   ACQ_AND,        4,     GV100,  LATER, C36F )                                 \
    O( SEM_EXECUTE,   ACQ_NOR,        5,     GV100,  LATER, C36F )                                 \
    O( SEM_EXECUTE,   REDUCTION,      6,     GV100,  LATER, C36F )

/* Reductions, which combine a value in memory with a payload. Columns s32, u32, s64 and u64 are 1
 * if the reduction exists for signed (s) or unsigned (u) values of 32 or 64 bits. [PBDMA] */
#define GPUCMD_NV_REDUCTIONS(R)                                                                    \
    /*  name  value  s32 u32 s64 u64  (several rows in a line) */                                  \
    R( IMIN,  0,     1,  1,  1,  1 )                R( IMAX,  1,     1,  1,  1,  1 )               \
    R( IXOR,  2,     1,  1,  1,  1 )                R( IAND,  3,     1,  1,  1,  1 )               \
    R( IOR,   4,     1,  1,  1,  1 )                R( IADD,  5,     1,  1,  0,  1 )               \
    R( INC,   6,     0,  1,  0,  0 )                R( DEC,   7,     0,  1,  0,  0 )

/* Operations of MEM_OP. An operation has no effect in the executor, which has no TLB and no cache.
 * An operation has one row P, and a row A for each further range of chips that have it. */
#define GPUCMD_NV_MEM_OPS(P, A)                                                                    \
    /*  name                           value  since   until  source */                             \
    P( MEMBAR,                         0x05,  GF100,  LATER, 906F )                                \
    P( SOFT_FLUSH,                     0x06,  GF100,  GK20A, 906F )                                \
    A( SOFT_FLUSH,                     0x06,  GM107,  GM204, A16F )                                \
    P( MMU_TLB_INVALIDATE,             0x09,  GF100,  LATER, 906F )                                \
    P( MMU_TLB_INVALIDATE_TARGETED,    0x0a,  GP100,  LATER, C06F )                                \
    P( MMU_OPERATION,                  0x0b,  GA102,  LATER, C56F )                                \
    P( L2_PEERMEM_INVALIDATE,          0x0d,  GF100,  GK20A, 906F )                                \
    A( L2_PEERMEM_INVALIDATE,          0x0d,  GM107,  LATER, A16F )                                \
    P( L2_SYSMEM_INVALIDATE,           0x0e,  GF100,  LATER, 906F )                                \
    P( L2_CLEAN_COMPTAGS,              0x0f,  GF100,  LATER, 906F )                                \
    P( L2_FLUSH_DIRTY,                 0x10,  GF100,  LATER, 906F )                                \
    P( L2_SYSMEM_NCOH_INVALIDATE,      0x11,  GB100,  LATER, C86F )                                \
    P( L2_WAIT_FOR_SYS_PENDING_READS,  0x15,  GP100,  LATER, C06F )                                \
    P( ACCESS_COUNTER_CLR,             0x16,  GV100,  LATER, C36F )

/* Values of fields of host methods and of compute methods. */
#define GPUCMD_NV_HOST_VALUES(V)                                                                   \
    /*  name                            value meaning                               source */      \
    V( TLB_TARGET_VID_MEM,              0,  "page directory in video memory",     906F )           \
    V( TLB_TARGET_SYS_MEM_COHERENT,     2,  "in coherent system memory",          906F )           \
    V( TLB_TARGET_SYS_MEM_NONCOHERENT,  3,  "in other system memory",             906F )           \
    V( TLB_LEVEL_ALL,                   0,  "every level",                        C06F )           \
    V( TLB_LEVEL_PTE_ONLY,              1,  "level of page table entries only",   C06F )           \
    V( TLB_LEVEL_UP_TO_PDE0,            2,  "this level and all below",           C06F )           \
    V( TLB_LEVEL_UP_TO_PDE1,            3,  "",                                   C06F )           \
    V( TLB_LEVEL_UP_TO_PDE2,            4,  "",                                   C06F )           \
    V( TLB_LEVEL_UP_TO_PDE3,            5,  "",                                   C06F )           \
    V( TLB_LEVEL_UP_TO_PDE4,            6,  "",                                   C86F )           \
    V( TLB_LEVEL_UP_TO_PDE5,            7,  "",                                   C86F )           \
    V( TLB_ACK_NONE,                    0,  "no barrier",                         C06F )           \
    V( TLB_ACK_GLOBALLY,                1,  "wait for the L2 cache",              C06F )           \
    V( TLB_ACK_INTRANODE,               2,  "wait for the crossbar",              C06F )           \
    V( TLB_REPLAY_NONE,                 0,  "",                                   C06F )           \
    V( TLB_REPLAY_START,                1,  "acknowledged when replay begins",    C06F )           \
    V( TLB_REPLAY_START_ACK_ALL,        2,  "acknowledged after the translations", C06F )          \
    V( TLB_REPLAY_CANCEL_TARGETED,      3,  "faults of one uTLB become fatal",    C06F )           \
    V( TLB_REPLAY_CANCEL_GLOBAL,        4,  "all faults become fatal",            C06F )           \
    V( TLB_REPLAY_CANCEL_VA_GLOBAL,     5,  "faults of a page become fatal",      C36F )           \
    V( TLB_SCOPE_ALL_TLBS,              0,  "",                                   C56F )           \
    V( TLB_SCOPE_LINK_TLBS,             1,  "",                                   C56F )           \
    V( TLB_SCOPE_NON_LINK_TLBS,         2,  "",                                   C56F )           \
    V( TLB_ACCESS_READ,                 0,  "",                                   C36F )           \
    V( TLB_ACCESS_WRITE,                1,  "",                                   C36F )           \
    V( TLB_ACCESS_ATOMIC_STRONG,        2,  "",                                   C36F )           \
    V( TLB_ACCESS_ATOMIC_WEAK,          4,  "",                                   C36F )           \
    V( TLB_ACCESS_ATOMIC_ALL,           5,  "",                                   C36F )           \
    V( TLB_ACCESS_WRITE_AND_ATOMIC,     6,  "",                                   C36F )           \
    V( TLB_ACCESS_ALL,                  7,  "",                                   C36F )           \
    V( ACCESS_COUNTER_MIMC,             0,  "",                                   C36F )           \
    V( ACCESS_COUNTER_MOMC,             1,  "",                                   C36F )           \
    V( ACCESS_COUNTER_ALL,              2,  "",                                   C36F )           \
    V( ACCESS_COUNTER_TARGETED,         3,  "",                                   C36F )           \
    V( WFI_SCOPE_CURRENT,               0,  "",                                   B06F )           \
    V( WFI_SCOPE_ALL,                   1,  "",                                   B06F )           \
    V( CLEAR_FAULTED_PBDMA,             0,  "CLEAR_FAULTED_TYPE",                 C36F )           \
    V( CLEAR_FAULTED_ENG,               1,  "",                                   C36F )           \
    V( PCAS2_NOP,                       0,  "",                                   C0C0 )           \
    V( PCAS2_INVALIDATE,                1,  "",                                   C0C0 )           \
    V( PCAS2_SCHEDULE,                  2,  "",                                   C0C0 )           \
    V( PCAS2_INVALIDATE_COPY_SCHEDULE,  3,  "",                                   C0C0 )           \
    V( PCAS2_INCREMENT_PUT,             6,  "",                                   C0C0 )           \
    V( PCAS2_DECREMENT_DEPENDENCE,      7,  "",                                   C0C0 )           \
    V( PCAS2_PREFETCH,                  8,  "",                                   C0C0 )           \
    V( PCAS2_PREFETCH_SCHEDULE,         9,  "",                                   C0C0 )           \
    V( PCAS2_INVALIDATE_PREFETCH_COPY_SCHEDULE,10,  "", C0C0 )                                     \
    V( PCAS2_INVALIDATE_PREFETCH_COPY_FORCE_REQUIRE_SCHEDULING,11,  "", C0C0 )                     \
    V( REPORT_EXECUTE_RELEASE,          0,  "",                                   C0C0 )           \
    V( REPORT_EXECUTE_ACQUIRE,          1,  "",                                   C0C0 )           \
    V( REPORT_EXECUTE_REPORT_ONLY,      2,  "",                                   C0C0 )           \
    V( REPORT_EXECUTE_TRAP,             3,  "",                                   C0C0 )

/* Values of method YIELD. A chip from column `since` until column `until` (LATER: all later chips)
 * accepts the value; before GF100 every value yields. */
#define GPUCMD_NV_YIELDS(Y)                                                                        \
    /*  name                value  since   until  source */                                        \
    Y( NOP,                 0,     NV40,   LATER, 906F )                                           \
    Y( PBDMA_TIMESLICE,     1,     GM204,  GV100, B06F )                                           \
    Y( NOP1,                1,     GA100,  LATER, PBDMA )                                          \
    Y( RUNLIST_TIMESLICE,   2,     GM204,  GA100, B06F )                                           \
    Y( TSG,                 3,     GM204,  LATER, B06F )

/* Errors of the host engine before GF100. Each error stops the channel, writes
 * column code to the error register, and raises an interrupt: CACHE_ERROR if column
 * kind is CACHE, otherwise SEMAPHORE. [ENVY] */
#define GPUCMD_NV_HOST_ERRORS(E)                                                                   \
    /*  name                         kind       code  text */                                      \
    E( NONE,                         NONE,      0,    "no error" )                                 \
    E( CACHE_EMPTY_SUBCHANNEL,       CACHE,     0,    "no object or a software object is bound" )  \
    E( CACHE_NO_HASH,                CACHE,     0,    "no object has this handle" )                \
    E( SEMAPHORE_INVALID_OPERAND,    SEMAPHORE, 1,    "invalid object or offset (before G80)" )    \
    E( SEMAPHORE_ADDRESS_UNALIGNED,  SEMAPHORE, 1,    "address not 4-byte aligned (G80)" )         \
    E( SEMAPHORE_INVALID_STATE,      SEMAPHORE, 2,    "no object or offset was set" )              \
    E( SEMAPHORE_ADDRESS_TOO_LARGE,  SEMAPHORE, 3,    "address has too many bits (G80)" )          \
    E( SEMAPHORE_MEM_FAULT,          SEMAPHORE, 4,    "semaphore memory not accessible (G80)" )

/* Classes of the copy engine, newest first. A newer class has a larger number. */
#define GPUCMD_NV_COPY_CLASSES(K)                                                                  \
    /*  class  model      since   source  (several rows in a line) */                              \
    K( CAB5,   COPY,      GB202,  C8B5 )            K( C9B5,   COPY,      GB100,  C8B5 )           \
    K( C8B5,   COPY,      GH100,  C8B5 )            K( C7B5,   COPY,      GA102,  85B5 )           \
    K( C6B5,   COPY,      GA100,  85B5 )            K( C5B5,   COPY,      TU102,  85B5 )           \
    K( C3B5,   COPY,      GV100,  85B5 )            K( C1B5,   COPY,      GP102,  85B5 )           \
    K( C0B5,   COPY,      GP100,  85B5 )            K( B0B5,   COPY,      GM107,  85B5 )           \
    K( A0B5,   COPY,      GK104,  85B5 )            K( 90B5,   COPY,      GF100,  85B5 )           \
    K( 85B5,   COPY,      GT215,  85B5 )

/* Classes of objects. Column model is the engine model that executes the methods. Column since is
 * the first chip with the class. Methods of a class without a row are passed to the callback. */
#define GPUCMD_NV_OBJECTS(K)                                                                       \
    /*  class  model      since   source  (several rows in a line) */                              \
    K( 0039,   M2MF_NV4,  NV4,    0039 )            K( 5039,   M2MF_G80,  G80,    5039 )           \
    K( 9039,   M2MF_GF100, GF100, 9039 )            K( A040,   INLINE,    GK104,  A140 )           \
    K( A140,   INLINE,    GK110,  A140 )                                                           \
    GPUCMD_NV_COPY_CLASSES(K)                                                                      \
    K( 0062,   SURFACE,   NV10,   MESA )            K( 039E,   SWIZZLED,  NV30,   MESA )           \
    K( 309E,   SWIZZLED,  NV40,   MESA )            K( 0389,   SCALED,    NV30,   MESA )           \
    K( 3089,   SCALED,    NV40,   MESA )            K( 502D,   2D_G80,    G80,    MESA )           \
    K( 902D,   2D_GF100,  GF100,  MESA )            K( 0397,   3D_NV30,   NV30,   MESA )           \
    K( 0497,   3D_NV30,   NV35,   MESA )            K( 0697,   3D_NV30,   NV34,   MESA )           \
    K( 4097,   3D_NV30,   NV40,   MESA )            K( 4497,   3D_NV30,   NV44,   MESA )           \
    K( 5097,   3D_G80,    G80,    MESA )            K( 8297,   3D_G80,    G84,    MESA )           \
    K( 8397,   3D_G80,    G200,   MESA )            K( 8597,   3D_G80,    GT215,  MESA )           \
    K( 8697,   3D_G80,    MCP89,  MESA )            K( 9097,   3D_GF100,  GF100,  MESA )           \
    K( 9197,   3D_GF100,  GF108,  MESA )            K( 9297,   3D_GF100,  GF110,  MESA )           \
    K( A097,   3D_GF100,  GK104,  MESA )            K( A197,   3D_GF100,  GK110,  MESA )           \
    K( A297,   3D_GF100,  GK20A,  MESA )            K( B097,   3D_GF100,  GM107,  MESA )           \
    K( B197,   3D_GF100,  GM204,  MESA )            K( C097,   3D_GF100,  GP100,  MESA )           \
    K( C197,   3D_GF100,  GP102,  MESA )            K( C397,   3D_GF100,  GV100,  MESA )           \
    K( C597,   3D_GF100,  TU102,  MESA )            K( C697,   3D_GF100,  GA100,  MESA )           \
    K( C797,   3D_GF100,  GA102,  MESA )            K( C997,   3D_GF100,  AD102,  CB97 )           \
    K( CB97,   3D_GF100,  GH100,  CB97 )            K( CD97,   3D_GF100,  GB100,  CB97 )           \
    K( CE97,   3D_GF100,  GB202,  CB97 )            K( A0C0,   INLINE,    GK104,  A140 )           \
    K( A1C0,   INLINE,    GK110,  A140 )            K( B0C0,   INLINE,    GM107,  A140 )           \
    K( B1C0,   INLINE,    GM204,  A140 )            K( C0C0,   INLINE,    GP100,  A140 )           \
    K( C1C0,   INLINE,    GP102,  A140 )            K( C3C0,   INLINE,    GV100,  A140 )           \
    K( C5C0,   INLINE,    TU102,  A140 )            K( C6C0,   INLINE,    GA100,  A140 )           \
    K( C7C0,   INLINE,    GA102,  A140 )            K( C9C0,   INLINE,    AD102,  C0C0 )           \
    K( CBC0,   INLINE,    GH100,  C0C0 )            K( CDC0,   INLINE,    GB100,  C0C0 )           \
    K( CEC0,   INLINE,    GB202,  C0C0 )

/* Classes of the graphics engine that drivers use.
 *   kind   a value of gpucmd_nv_class_kind, without the prefix GPUCMD_NV_CLASS_
 *   since  first chip of a range of chips that have the class
 *   until  first later chip that lacks the class; LATER: none
 * If a chip has several classes of one kind, gpucmd_nv_class_of returns the class of
 * the last row. [LNX] nvkm/engine/gr, [RM] */
#define GPUCMD_NV_CHIP_CLASSES(R)                                                                  \
    /*  class  kind      since   until   source  (several rows in a line) */                       \
    R( 0039,   INLINE,   NV4,    G80,    LNX )      R( 5039,   INLINE,   G80,    GF100,  LNX )     \
    R( 9039,   INLINE,   GF100,  GK104,  LNX )      R( A040,   INLINE,   GK104,  GK110,  LNX )     \
    R( A140,   INLINE,   GK110,  GK20A,  LNX )      R( A040,   INLINE,   GK20A,  GM107,  LNX )     \
    R( A140,   INLINE,   GM107,  GB100,  LNX )      R( CD40,   INLINE,   GB100,  LATER,  RM )      \
    R( 0030,   EMPTY,    NV4,    GF100,  LNX )      R( 0062,   IMAGE,    NV10,   G80,    LNX )     \
    R( 039E,   IMAGE,    NV30,   NV40,   LNX )      R( 309E,   IMAGE,    NV40,   G80,    LNX )     \
    R( 0389,   IMAGE,    NV30,   NV40,   LNX )      R( 3089,   IMAGE,    NV40,   G80,    LNX )     \
    R( 502D,   2D,       G80,    GF100,  LNX )      R( 902D,   2D,       GF100,  LATER,  LNX )     \
    R( 0054,   3D,       NV4,    NV10,   LNX )      R( 0055,   3D,       NV4,    NV10,   LNX )     \
    R( 0056,   3D,       NV10,   NV15,   LNX )      R( 0096,   3D,       NV15,   NV17,   LNX )     \
    R( 0099,   3D,       NV17,   NV20,   LNX )      R( 0097,   3D,       NV20,   NV25,   LNX )     \
    R( 0597,   3D,       NV25,   NV30,   LNX )      R( 0397,   3D,       NV30,   NV35,   MESA )    \
    R( 0497,   3D,       NV35,   NV31,   MESA )     R( 0397,   3D,       NV31,   NV36,   MESA )    \
    R( 0497,   3D,       NV36,   NV34,   MESA )     R( 0697,   3D,       NV34,   NV40,   MESA )    \
    R( 4097,   3D,       NV40,   NV44,   MESA )     R( 4497,   3D,       NV44,   G70,    MESA )    \
    R( 4097,   3D,       G70,    G72,    MESA )     R( 4497,   3D,       G72,    G71,    MESA )    \
    R( 4097,   3D,       G71,    C51,    MESA )     R( 4497,   3D,       C51,    RSX,    MESA )    \
    R( 4097,   3D,       RSX,    G80,    MESA )     R( 5097,   3D,       G80,    G84,    LNX )     \
    R( 8297,   3D,       G84,    G200,   LNX )      R( 8397,   3D,       G200,   GT215,  LNX )     \
    R( 8597,   3D,       GT215,  MCP89,  LNX )      R( 8697,   3D,       MCP89,  GF100,  LNX )     \
    R( 9097,   3D,       GF100,  GK104,  LNX )      R( 9197,   3D,       GF108,  GK104,  LNX )     \
    R( 9297,   3D,       GF110,  GK104,  LNX )      R( A097,   3D,       GK104,  GK110,  LNX )     \
    R( A197,   3D,       GK110,  GK20A,  LNX )      R( A297,   3D,       GK20A,  GM107,  LNX )     \
    R( B097,   3D,       GM107,  GM204,  LNX )      R( B197,   3D,       GM204,  GP100,  LNX )     \
    R( C097,   3D,       GP100,  GP102,  LNX )      R( C197,   3D,       GP102,  GP10B,  LNX )     \
    R( C097,   3D,       GP10B,  GV100,  NVGPU )    R( C397,   3D,       GV100,  TU102,  LNX )     \
    R( C597,   3D,       TU102,  GA100,  LNX )      R( C697,   3D,       GA100,  GA102,  LNX )     \
    R( C797,   3D,       GA102,  AD102,  LNX )      R( C997,   3D,       AD102,  GH100,  RM )      \
    R( CB97,   3D,       GH100,  GB100,  RM )       R( CD97,   3D,       GB100,  GB202,  RM )      \
    R( CE97,   3D,       GB202,  LATER,  RM )       R( 50C0,   COMPUTE,  G80,    GF100,  LNX )     \
    R( 85C0,   COMPUTE,  GT215,  GF100,  LNX )      R( 90C0,   COMPUTE,  GF100,  GK104,  LNX )     \
    R( 91C0,   COMPUTE,  GF110,  GK104,  LNX )      R( A0C0,   COMPUTE,  GK104,  GK110,  LNX )     \
    R( A1C0,   COMPUTE,  GK110,  GK20A,  LNX )      R( A0C0,   COMPUTE,  GK20A,  GM107,  LNX )     \
    R( B0C0,   COMPUTE,  GM107,  GM204,  LNX )      R( B1C0,   COMPUTE,  GM204,  GP100,  LNX )     \
    R( C0C0,   COMPUTE,  GP100,  GP102,  LNX )      R( C1C0,   COMPUTE,  GP102,  GP10B,  LNX )     \
    R( C0C0,   COMPUTE,  GP10B,  GV100,  NVGPU )    R( C3C0,   COMPUTE,  GV100,  TU102,  LNX )     \
    R( C5C0,   COMPUTE,  TU102,  GA100,  LNX )      R( C6C0,   COMPUTE,  GA100,  GA102,  LNX )     \
    R( C7C0,   COMPUTE,  GA102,  AD102,  LNX )      R( C9C0,   COMPUTE,  AD102,  GH100,  RM )      \
    R( CBC0,   COMPUTE,  GH100,  GB100,  RM )       R( CDC0,   COMPUTE,  GB100,  GB202,  RM )      \
    R( CEC0,   COMPUTE,  GB202,  LATER,  RM )

/* Classes of usermode regions, and the first chip of each class. [USER] [RM] */
#define GPUCMD_NV_USERMODE_CLASSES(K)                                                              \
    /*  class  since  (several rows in a line) */                                                  \
    K( C361,   GV100 )                              K( C461,   TU102 )                             \
    K( C561,   GA100 )                              K( C661,   GH100 )                             \
    K( C761,   GB202 )

/* Formats of render targets and 2D surfaces, G80 and later. [CB97] Columns:
 *   bytes     size of a pixel
 *   red*      the columns with * have two numbers: lowest bit of the component, number of bits
 *   x         1: the GPU stores alpha bits, but reads alpha as 1 (MODEL)
 *   encoding  UNORM: 0 to 1. SNORM: -1 to 1. SINT, UINT: integers, which the executor clears and
 *             copies, but does not convert. FLOAT: IEEE 754; components of 10 and 11 bits have no
 *             sign. SRGB: UNORM with sRGB-encoded colours */
#define GPUCMD_NV_PIXEL_FORMATS(R)                                                                 \
    /*  format   name                bytes  encoding  red*    green*  blue*   alpha*  x */         \
    R( 0xc0,    RF32_GF32_BF32_AF32,16,    FLOAT,    0, 32,  32, 32, 64, 32, 96, 32, 0 )           \
    R( 0xc1,    RS32_GS32_BS32_AS32,16,    SINT,     0, 32,  32, 32, 64, 32, 96, 32, 0 )           \
    R( 0xc2,    RU32_GU32_BU32_AU32,16,    UINT,     0, 32,  32, 32, 64, 32, 96, 32, 0 )           \
    R( 0xc3,    RF32_GF32_BF32_X32, 16,    FLOAT,    0, 32,  32, 32, 64, 32, 96, 32, 1 )           \
    R( 0xc4,    RS32_GS32_BS32_X32, 16,    SINT,     0, 32,  32, 32, 64, 32, 96, 32, 1 )           \
    R( 0xc5,    RU32_GU32_BU32_X32, 16,    UINT,     0, 32,  32, 32, 64, 32, 96, 32, 1 )           \
    R( 0xc6,    R16_G16_B16_A16,    8,     UNORM,    0, 16,  16, 16, 32, 16, 48, 16, 0 )           \
    R( 0xc7,    RN16_GN16_BN16_AN16,8,     SNORM,    0, 16,  16, 16, 32, 16, 48, 16, 0 )           \
    R( 0xc8,    RS16_GS16_BS16_AS16,8,     SINT,     0, 16,  16, 16, 32, 16, 48, 16, 0 )           \
    R( 0xc9,    RU16_GU16_BU16_AU16,8,     UINT,     0, 16,  16, 16, 32, 16, 48, 16, 0 )           \
    R( 0xca,    RF16_GF16_BF16_AF16,8,     FLOAT,    0, 16,  16, 16, 32, 16, 48, 16, 0 )           \
    R( 0xcb,    RF32_GF32,          8,     FLOAT,    0, 32,  32, 32, 0, 0,   0, 0,   0 )           \
    R( 0xcc,    RS32_GS32,          8,     SINT,     0, 32,  32, 32, 0, 0,   0, 0,   0 )           \
    R( 0xcd,    RU32_GU32,          8,     UINT,     0, 32,  32, 32, 0, 0,   0, 0,   0 )           \
    R( 0xce,    RF16_GF16_BF16_X16, 8,     FLOAT,    0, 16,  16, 16, 32, 16, 48, 16, 1 )           \
    R( 0xcf,    A8R8G8B8,           4,     UNORM,    16, 8,  8, 8,   0, 8,   24, 8,  0 )           \
    R( 0xd0,    A8RL8GL8BL8,        4,     SRGB,     16, 8,  8, 8,   0, 8,   24, 8,  0 )           \
    R( 0xd1,    A2B10G10R10,        4,     UNORM,    0, 10,  10, 10, 20, 10, 30, 2,  0 )           \
    R( 0xd2,    AU2BU10GU10RU10,    4,     UINT,     0, 10,  10, 10, 20, 10, 30, 2,  0 )           \
    R( 0xd5,    A8B8G8R8,           4,     UNORM,    0, 8,   8, 8,   16, 8,  24, 8,  0 )           \
    R( 0xd6,    A8BL8GL8RL8,        4,     SRGB,     0, 8,   8, 8,   16, 8,  24, 8,  0 )           \
    R( 0xd7,    AN8BN8GN8RN8,       4,     SNORM,    0, 8,   8, 8,   16, 8,  24, 8,  0 )           \
    R( 0xd8,    AS8BS8GS8RS8,       4,     SINT,     0, 8,   8, 8,   16, 8,  24, 8,  0 )           \
    R( 0xd9,    AU8BU8GU8RU8,       4,     UINT,     0, 8,   8, 8,   16, 8,  24, 8,  0 )           \
    R( 0xda,    R16_G16,            4,     UNORM,    0, 16,  16, 16, 0, 0,   0, 0,   0 )           \
    R( 0xdb,    RN16_GN16,          4,     SNORM,    0, 16,  16, 16, 0, 0,   0, 0,   0 )           \
    R( 0xdc,    RS16_GS16,          4,     SINT,     0, 16,  16, 16, 0, 0,   0, 0,   0 )           \
    R( 0xdd,    RU16_GU16,          4,     UINT,     0, 16,  16, 16, 0, 0,   0, 0,   0 )           \
    R( 0xde,    RF16_GF16,          4,     FLOAT,    0, 16,  16, 16, 0, 0,   0, 0,   0 )           \
    R( 0xdf,    A2R10G10B10,        4,     UNORM,    20, 10, 10, 10, 0, 10,  30, 2,  0 )           \
    R( 0xe0,    BF10GF11RF11,       4,     FLOAT,    0, 11,  11, 11, 22, 10, 0, 0,   0 )           \
    R( 0xe3,    RS32,               4,     SINT,     0, 32,  0, 0,   0, 0,   0, 0,   0 )           \
    R( 0xe4,    RU32,               4,     UINT,     0, 32,  0, 0,   0, 0,   0, 0,   0 )           \
    R( 0xe5,    RF32,               4,     FLOAT,    0, 32,  0, 0,   0, 0,   0, 0,   0 )           \
    R( 0xe6,    X8R8G8B8,           4,     UNORM,    16, 8,  8, 8,   0, 8,   24, 8,  1 )           \
    R( 0xe7,    X8RL8GL8BL8,        4,     SRGB,     16, 8,  8, 8,   0, 8,   24, 8,  1 )           \
    R( 0xe8,    R5G6B5,             2,     UNORM,    11, 5,  5, 6,   0, 5,   0, 0,   0 )           \
    R( 0xe9,    A1R5G5B5,           2,     UNORM,    10, 5,  5, 5,   0, 5,   15, 1,  0 )           \
    R( 0xea,    G8R8,               2,     UNORM,    0, 8,   8, 8,   0, 0,   0, 0,   0 )           \
    R( 0xeb,    GN8RN8,             2,     SNORM,    0, 8,   8, 8,   0, 0,   0, 0,   0 )           \
    R( 0xec,    GS8RS8,             2,     SINT,     0, 8,   8, 8,   0, 0,   0, 0,   0 )           \
    R( 0xed,    GU8RU8,             2,     UINT,     0, 8,   8, 8,   0, 0,   0, 0,   0 )           \
    R( 0xee,    R16,                2,     UNORM,    0, 16,  0, 0,   0, 0,   0, 0,   0 )           \
    R( 0xef,    RN16,               2,     SNORM,    0, 16,  0, 0,   0, 0,   0, 0,   0 )           \
    R( 0xf0,    RS16,               2,     SINT,     0, 16,  0, 0,   0, 0,   0, 0,   0 )           \
    R( 0xf1,    RU16,               2,     UINT,     0, 16,  0, 0,   0, 0,   0, 0,   0 )           \
    R( 0xf2,    RF16,               2,     FLOAT,    0, 16,  0, 0,   0, 0,   0, 0,   0 )           \
    R( 0xf3,    R8,                 1,     UNORM,    0, 8,   0, 0,   0, 0,   0, 0,   0 )           \
    R( 0xf4,    RN8,                1,     SNORM,    0, 8,   0, 0,   0, 0,   0, 0,   0 )           \
    R( 0xf5,    RS8,                1,     SINT,     0, 8,   0, 0,   0, 0,   0, 0,   0 )           \
    R( 0xf6,    RU8,                1,     UINT,     0, 8,   0, 0,   0, 0,   0, 0,   0 )           \
    R( 0xf7,    A8,                 1,     UNORM,    0, 0,   0, 0,   0, 0,   0, 8,   0 )           \
    R( 0xf8,    X1R5G5B5,           2,     UNORM,    10, 5,  5, 5,   0, 5,   15, 1,  1 )           \
    R( 0xf9,    X8B8G8R8,           4,     UNORM,    0, 8,   8, 8,   16, 8,  24, 8,  1 )           \
    R( 0xfa,    X8BL8GL8RL8,        4,     SRGB,     0, 8,   8, 8,   16, 8,  24, 8,  1 )

/* Formats of depth and stencil, G80 and later. The comment after a row is the name of the format.
 *   bytes    size of a pixel
 *   depth    offset of the depth in the pixel, bytes
 *   bits     number of bits of depth; depth of 32 bits is a float
 *   stencil  offset of the stencil in the pixel, bytes; 8: no stencil */
#define GPUCMD_NV_ZETA_FORMATS(R)                                                                  \
    /*  format  bytes depth bits stencil source */                                                 \
    R( 0x0a,    4,    0,    32,  8,      RNNDB ) /* format Z32_FLOAT */                            \
    R( 0x13,    2,    0,    16,  8,      RNNDB ) /* format Z16_UNORM */                            \
    R( 0x14,    4,    1,    24,  0,      RNNDB ) /* format S8_Z24_UNORM */                         \
    R( 0x15,    4,    0,    24,  8,      RNNDB ) /* format Z24_X8_UNORM */                         \
    R( 0x16,    4,    0,    24,  3,      RNNDB ) /* format Z24_S8_UNORM */                         \
    R( 0x19,    8,    0,    32,  4,      RNNDB ) /* format Z32_S8_X24_FLOAT */

/* The executor copies the pixels of a scaled image unchanged if the image has the format in column
 * image and the surface has the format in column surface. Column bytes is the size of a pixel. The
 * comment after a row is the image format. [MESA] nv30 */
#define GPUCMD_NV_IMAGE_FORMATS(R)                                                                 \
    /*  image  surface  bytes */                                                                   \
    R( 0x3,    0xa,     4 ) /* image format A8R8G8B8 */                                            \
    R( 0x7,    0x4,     2 ) /* image format R5G6B5 */                                              \
    R( 0x8,    0x1,     1 ) /* image format Y8 */                                                  \
    R( 0x9,    0x1,     1 ) /* image format AY8 */

/* Methods of copy engines, M2MF and inline data classes, which the functions of NV.RECIPE write. */
#define GPUCMD_NV_ENGINE_METHODS(M)                                                                \
    /*  name                        mthd    source  (several rows in a line) */                    \
    M( COPY_SET_CTX_DMA,            0x180,  85B5 ) M( COPY_SET_MONITORED_FENCE_TYPE, 0x21c,85B5 )  \
    M( COPY_SET_MONITORED_FENCE_SIGNAL_ADDR_BASE_UPPER, 0x220,85B5 )                               \
    M( COPY_SET_MONITORED_FENCE_SIGNAL_ADDR_BASE_LOWER, 0x224,85B5 )                               \
    M( COPY_SET_SEMAPHORE_A,        0x240,  85B5 ) M( COPY_SET_SEMAPHORE_B,        0x244,  85B5 )  \
    M( COPY_SET_SEMAPHORE_PAYLOAD,  0x248,  85B5 )                                                 \
    M( COPY_SET_SEMAPHORE_PAYLOAD_UPPER, 0x24c, 85B5 )                                             \
    M( COPY_ADDRESSING_MODE,        0x250,  85B5 ) M( COPY_SET_RENDER_ENABLE_A,    0x254,  85B5 )  \
    M( COPY_SET_RENDER_ENABLE_B,    0x258,  85B5 ) M( COPY_SET_RENDER_ENABLE_C,    0x25c,  85B5 )  \
    M( COPY_SET_SRC_PHYS_MODE,      0x260,  85B5 ) M( COPY_SET_DST_PHYS_MODE,      0x264,  85B5 )  \
    M( COPY_LAUNCH_DMA,             0x300,  85B5 ) M( COPY_OFFSET_IN_UPPER,        0x400,  85B5 )  \
    M( COPY_OFFSET_IN_LOWER,        0x404,  85B5 ) M( COPY_OFFSET_OUT_UPPER,       0x408,  85B5 )  \
    M( COPY_OFFSET_OUT_LOWER,       0x40c,  85B5 ) M( COPY_PITCH_IN,               0x410,  85B5 )  \
    M( COPY_PITCH_OUT,              0x414,  85B5 ) M( COPY_LINE_LENGTH_IN,         0x418,  85B5 )  \
    M( COPY_LINE_COUNT,             0x41c,  85B5 ) M( COPY_SET_SECURE_COPY_MODE,   0x500,  C8B5 )  \
    M( COPY_SET_DECRYPT_AUTH_TAG_COMPARE_ADDR_UPPER, 0x514,C8B5 )                                  \
    M( COPY_SET_DECRYPT_AUTH_TAG_COMPARE_ADDR_LOWER, 0x518,C8B5 )                                  \
    M( COPY_SET_ENCRYPT_AUTH_TAG_ADDR_UPPER, 0x530,C8B5 )                                          \
    M( COPY_SET_ENCRYPT_AUTH_TAG_ADDR_LOWER, 0x534,C8B5 )                                          \
    M( COPY_SET_ENCRYPT_IV_ADDR_UPPER, 0x538,C8B5 )                                                \
    M( COPY_SET_ENCRYPT_IV_ADDR_LOWER, 0x53c,C8B5 )                                                \
    M( COPY_SET_MEMORY_SCRUB_PARAMETERS, 0x6fc,C8B5 )                                              \
    M( COPY_SET_REMAP_CONST_A,      0x700,  85B5 ) M( COPY_SET_REMAP_CONST_B,      0x704,  85B5 )  \
    M( COPY_SET_REMAP_COMPONENTS,   0x708,  85B5 ) M( COPY_SET_DST_BLOCK_SIZE,     0x70c,  85B5 )  \
    M( COPY_SET_DST_WIDTH,          0x710,  85B5 ) M( COPY_SET_DST_HEIGHT,         0x714,  85B5 )  \
    M( COPY_SET_DST_DEPTH,          0x718,  85B5 ) M( COPY_SET_DST_LAYER,          0x71c,  85B5 )  \
    M( COPY_SET_DST_ORIGIN,         0x720,  85B5 ) M( COPY_SET_SRC_BLOCK_SIZE,     0x728,  85B5 )  \
    M( COPY_SET_SRC_WIDTH,          0x72c,  85B5 ) M( COPY_SET_SRC_HEIGHT,         0x730,  85B5 )  \
    M( COPY_SET_SRC_DEPTH,          0x734,  85B5 ) M( COPY_SET_SRC_LAYER,          0x738,  85B5 )  \
    M( COPY_SET_SRC_ORIGIN,         0x73c,  85B5 ) M( COPY_SRC_ORIGIN_X,           0x744,  85B5 )  \
    M( COPY_SRC_ORIGIN_Y,           0x748,  85B5 ) M( COPY_DST_ORIGIN_X,           0x74c,  85B5 )  \
    M( COPY_DST_ORIGIN_Y,           0x750,  85B5 ) M( COPY_SET_REQ_ATTR,           0x754,  C8B5 )  \
    M( M2MF_DMA_BUFFER_IN,          0x184,  0039 ) M( M2MF_DMA_BUFFER_OUT,         0x188,  0039 )  \
    M( M2MF_SRC_LAYOUT,             0x200,  5039 ) M( M2MF_SRC_BLOCK_SIZE,         0x204,  5039 )  \
    M( M2MF_SRC_WIDTH,              0x208,  5039 ) M( M2MF_SRC_LAYER,              0x214,  5039 )  \
    M( M2MF_SRC_ORIGIN,             0x218,  5039 ) M( M2MF_DST_LAYOUT,             0x21c,  5039 )  \
    M( M2MF_DST_BLOCK_SIZE,         0x220,  5039 ) M( M2MF_DST_WIDTH,              0x224,  5039 )  \
    M( M2MF_DST_LAYER,              0x230,  5039 ) M( M2MF_DST_ORIGIN,             0x234,  5039 )  \
    M( M2MF_G80_OFFSET_IN_UPPER,    0x238,  5039 ) M( M2MF_G80_OFFSET_OUT_UPPER,   0x23c,  5039 )  \
    M( M2MF_OFFSET_OUT_UPPER,       0x238,  9039 ) M( M2MF_OFFSET_OUT,             0x23c,  9039 )  \
    M( M2MF_LAUNCH_DMA,             0x300,  9039 ) M( M2MF_LOAD_INLINE_DATA,       0x304,  9039 )  \
    M( M2MF_OFFSET_IN_UPPER,        0x30c,  9039 ) M( M2MF_OFFSET_IN,              0x310,  9039 )  \
    M( M2MF_NV4_OFFSET_IN,          0x30c,  0039 ) M( M2MF_NV4_OFFSET_OUT,         0x310,  0039 )  \
    M( M2MF_PITCH_IN,               0x314,  0039 ) M( M2MF_PITCH_OUT,              0x318,  0039 )  \
    M( M2MF_LINE_LENGTH_IN,         0x31c,  0039 ) M( M2MF_LINE_COUNT,             0x320,  0039 )  \
    M( M2MF_NV4_FORMAT,             0x324,  0039 ) M( M2MF_NV4_BUFFER_NOTIFY,      0x328,  0039 )  \
    M( M2MF_SET_SEMAPHORE_A,        0x32c,  9039 ) M( M2MF_SET_SEMAPHORE_B,        0x330,  9039 )  \
    M( M2MF_SET_SEMAPHORE_C,        0x334,  9039 ) M( M2MF_SRC_ORIGIN_X,           0x344,  MESA )  \
    M( M2MF_SRC_ORIGIN_Y,           0x348,  MESA ) M( M2MF_DST_ORIGIN_X,           0x34c,  MESA )  \
    M( M2MF_DST_ORIGIN_Y,           0x350,  MESA ) M( INLINE_LINE_LENGTH_IN,       0x180,  A140 )  \
    M( INLINE_LINE_COUNT,           0x184,  A140 ) M( INLINE_OFFSET_OUT_UPPER,     0x188,  A140 )  \
    M( INLINE_OFFSET_OUT,           0x18c,  A140 ) M( INLINE_PITCH_OUT,            0x190,  A140 )  \
    M( INLINE_SET_DST_BLOCK_SIZE,   0x194,  A140 ) M( INLINE_SET_DST_WIDTH,        0x198,  A140 )  \
    M( INLINE_SET_DST_LAYER,        0x1a4,  A140 ) M( INLINE_SET_DST_ORIGIN_X,     0x1a8,  A140 )  \
    M( INLINE_SET_DST_ORIGIN_Y,     0x1ac,  A140 ) M( INLINE_LAUNCH_DMA,           0x1b0,  A140 )  \
    M( INLINE_LOAD_INLINE_DATA,     0x1b4,  A140 ) M( INLINE_SET_SEMAPHORE_A,      0x1dc,  A140 )  \
    M( INLINE_SET_SEMAPHORE_B,      0x1e0,  A140 ) M( INLINE_SET_SEMAPHORE_C,      0x1e4,  A140 )

/* Methods that drivers write to compute classes and to C076, the software class of fault replay.
 * The executor passes these methods to the callback. Column class is the first class with the
 * method at this address. A name that ends in _A is the first of several consecutive methods,
 * whose names end in _A, _B, _C, ... [C0C0] [RM] */
#define GPUCMD_NV_DRIVER_METHODS(M)                                                                \
    /*  name                                        mthd     class  meaning */                     \
    M( SOFTWARE_FAULT_CANCEL_A,                     0x104,   C076,  "FAULT_INST_APERTURE, _LOW" )  \
    M( SOFTWARE_FAULT_CANCEL_B,                     0x108,   C076,  "address 63:32" )              \
    M( SOFTWARE_FAULT_CANCEL_C,                     0x10c,   C076,  "FAULT_CANCEL_*" )             \
    M( SOFTWARE_CLEAR_FAULTED_A,                    0x110,   C076,  "FAULT_INST_*, _ENGINE" )      \
    M( SOFTWARE_CLEAR_FAULTED_B,                    0x114,   C076,  "address 63:32" )              \
    M( COMPUTE_NO_OPERATION,                        0x100,   90C0,  "" )                           \
    M( COMPUTE_SET_NOTIFY_A,                        0x104,   90C0,  "" )                           \
    M( COMPUTE_NOTIFY,                              0x10c,   90C0,  "" )                           \
    M( COMPUTE_WAIT_FOR_IDLE,                       0x110,   90C0,  "" )                           \
    M( COMPUTE_SEND_GO_IDLE,                        0x13c,   90C0,  "" )                           \
    M( COMPUTE_PM_TRIGGER,                          0x140,   90C0,  "" )                           \
    M( COMPUTE_SET_REPORT_SEMAPHORE_PAYLOAD_LOWER,  0x158,   C7C0,  "" )                           \
    M( COMPUTE_REPORT_SEMAPHORE_EXECUTE,            0x168,   C7C0,  "" )                           \
    M( COMPUTE_PERFMON_TRANSFER,                    0x210,   A0C0,  "" )                           \
    M( COMPUTE_SET_SHADER_SHARED_MEMORY_WINDOW,     0x214,   90C0,  "until C3C0" )                 \
    M( COMPUTE_INVALIDATE_SHADER_CACHES,            0x21c,   90C0,  "" )                           \
    M( COMPUTE_INVALIDATE_TEXTURE_HEADER_CACHE_NO_WFI, 0x244, 90C0, "" )                           \
    M( COMPUTE_SET_CWD_REF_COUNTER,                 0x248,   A0C0,  "" )                           \
    M( COMPUTE_SET_COMPUTE_CLASS_VERSION,           0x280,   A0C0,  "" )                           \
    M( COMPUTE_CHECK_COMPUTE_CLASS_VERSION,         0x284,   A0C0,  "" )                           \
    M( COMPUTE_INVALIDATE_SKED_CACHES,              0x298,   B1C0,  "" )                           \
    M( COMPUTE_SET_SHADER_SHARED_MEMORY_WINDOW_A,   0x2a0,   C0C0,  "" )                           \
    M( COMPUTE_SET_CWD_SLOT_COUNT,                  0x2b0,   A0C0,  "" )                           \
    M( COMPUTE_SEND_PCAS_A,                         0x2b4,   A0C0,  "" )                           \
    M( COMPUTE_SEND_PCAS_B,                         0x2b8,   A0C0,  "" )                           \
    M( COMPUTE_SEND_SIGNALING_PCAS_B,               0x2bc,   A0C0,  "" )                           \
    M( COMPUTE_SEND_SIGNALING_PCAS2_B,              0x2c0,   C6C0,  "" )                           \
    M( COMPUTE_SET_SKED_CACHE_CONTROL,              0x2cc,   C3C0,  "" )                           \
    M( COMPUTE_SET_SHADER_LOCAL_MEMORY_NON_THROTTLED_A, 0x2e4, A0C0, "" )                          \
    M( COMPUTE_SET_SHADER_LOCAL_MEMORY_THROTTLED_A, 0x2f0,   A0C0,  "until C3C0" )                 \
    M( COMPUTE_SET_SPA_VERSION,                     0x310,   A0C0,  "" )                           \
    M( COMPUTE_LAUNCH,                              0x368,   90C0,  "until A0C0" )                 \
    M( COMPUTE_SET_SHADER_LOCAL_MEMORY_WINDOW,      0x77c,   90C0,  "until C3C0" )                 \
    M( COMPUTE_SET_SHADER_LOCAL_MEMORY_A,           0x790,   90C0,  "" )                           \
    M( COMPUTE_SET_SHADER_LOCAL_MEMORY_WINDOW_A,    0x7b0,   C0C0,  "" )                           \
    M( COMPUTE_SET_SHADER_CACHE_CONTROL,            0xd94,   90C0,  "" )                           \
    M( COMPUTE_SET_SPARE_NOOP00,                    0x1040,  90C0,  "until C3C0" )                 \
    M( COMPUTE_INVALIDATE_SAMPLER_CACHE,            0x1330,  90C0,  "" )                           \
    M( COMPUTE_INVALIDATE_TEXTURE_HEADER_CACHE,     0x1334,  90C0,  "" )                           \
    M( COMPUTE_INVALIDATE_SAMPLER_CACHE_NO_WFI,     0x1424,  90C0,  "" )                           \
    M( COMPUTE_SET_SHADER_EXCEPTIONS,               0x1528,  90C0,  "" )                           \
    M( COMPUTE_SET_RENDER_ENABLE_A,                 0x1550,  90C0,  "" )                           \
    M( COMPUTE_SET_TEX_SAMPLER_POOL_A,              0x155c,  90C0,  "" )                           \
    M( COMPUTE_SET_TEX_HEADER_POOL_A,               0x1574,  90C0,  "" )                           \
    M( COMPUTE_SET_PROGRAM_REGION_A,                0x1608,  90C0,  "until C3C0" )                 \
    M( COMPUTE_INVALIDATE_SHADER_CACHES_NO_WFI,     0x1698,  90C0,  "" )                           \
    M( COMPUTE_SET_RENDER_ENABLE_OVERRIDE,          0x1944,  90C0,  "" )                           \
    M( COMPUTE_PIPE_NOP,                            0x1a2c,  90C0,  "" )                           \
    M( COMPUTE_SET_REPORT_SEMAPHORE_A,              0x1b00,  90C0,  "" )                           \
    M( COMPUTE_SET_REPORT_SEMAPHORE_D,              0x1b0c,  90C0,  "" )                           \
    M( COMPUTE_SET_TRAP_HANDLER_A,                  0x25f8,  C3C0,  "" )                           \
    M( COMPUTE_SET_BINDLESS_TEXTURE,                0x2608,  A0C0,  "" )

/* Fields of the methods in GPUCMD_NV_DRIVER_METHODS. */
#define GPUCMD_NV_DRIVER_FIELDS(F)                                                                 \
    /*  name                     hi  lo  unit  meaning                       source */             \
    F( FAULT_INST_APERTURE,       1,  0, "",  "TLB_TARGET_*",                RM )                  \
    F( FAULT_INST_LOW,           31, 12, "",  "instance block 31:12",        RM )                  \
    F( FAULT_CANCEL_CLIENT,       5,  0, "",  "uTLB",                        RM )                  \
    F( FAULT_CANCEL_GPC,         10,  6, "",  "",                            RM )                  \
    F( FAULT_CANCEL_MODE,        31, 30, "",  "0 TARGETED, 1 GLOBAL",        RM )                  \
    F( CLEAR_FAULTED_ENGINE,      2,  2, "",  "0 PBDMA, 1 ENG",              RM )                  \
    F( PCAS_FROM,                23,  0, "",  "SEND_PCAS_B",                 C0C0 )                \
    F( PCAS_DELTA,               31, 24, "",  "SEND_PCAS_B",                 C0C0 )                \
    F( PCAS_INVALIDATE,           0,  0, "",  "SEND_SIGNALING_PCAS_B",       C0C0 )                \
    F( PCAS_SCHEDULE,             1,  1, "",  "SEND_SIGNALING_PCAS_B",       C0C0 )                \
    F( PCAS2_ACTION,              3,  0, "",  "PCAS2_*",                     C0C0 )                \
    F( SHADER_CACHES_INSTRUCTION, 0,  0, "",  "INVALIDATE_SHADER_CACHES",    C0C0 )                \
    F( SHADER_CACHES_GLOBAL_DATA, 4,  4, "",  "INVALIDATE_SHADER_CACHES",    C0C0 )                \
    F( SHADER_CACHES_CONSTANT,   12, 12, "",  "INVALIDATE_SHADER_CACHES",    C0C0 )                \
    F( REPORT_EXECUTE_OPERATION,  1,  0, "",  "REPORT_SEMAPHORE_EXECUTE",    C0C0 )                \
    F( REPORT_EXECUTE_AWAKEN,     2,  2, "",  "",                            C0C0 )                \
    F( REPORT_EXECUTE_STRUCTURE_SIZE, 4,  3, "", "0 four, 1 one, 2 two words",  C0C0 )             \
    F( REPORT_EXECUTE_FLUSH_DISABLE, 5,  5, "", "",                            C0C0 )              \
    F( REPORT_EXECUTE_REDUCTION,  6,  6, "",  "1: reduce",                   C0C0 )                \
    F( REPORT_EXECUTE_REDUCTION_OP, 9,  7, "", "",                            C0C0 )               \
    F( REPORT_EXECUTE_REDUCTION_FORMAT,11, 10, "", "",                            C0C0 )           \
    F( REPORT_EXECUTE_PAYLOAD_SIZE64,12, 12, "", "",                            C0C0 )             \
    F( REPORT_EXECUTE_TRAP_TYPE, 14, 13, "",  "",                            C0C0 )

/* Methods of image, 2D and 3D classes that the executor stores or executes. */
#define GPUCMD_NV_IMAGE_METHODS(M)                                                                 \
    /*  name                        mthd    source  (several rows in a line) */                    \
    M( SURFACE_DMA_DST,             0x188,  MESA ) M( SURFACE_FORMAT,              0x300,  MESA )  \
    M( SURFACE_PITCH,               0x304,  MESA ) M( SURFACE_OFFSET_DST,          0x30c,  MESA )  \
    M( SWIZZLED_DMA,                0x184,  MESA ) M( SWIZZLED_FORMAT,             0x300,  MESA )  \
    M( SWIZZLED_OFFSET,             0x304,  MESA ) M( SCALED_DMA,                  0x184,  MESA )  \
    M( SCALED_SURFACE,              0x198,  MESA ) M( SCALED_FORMAT,               0x300,  MESA )  \
    M( SCALED_OPERATION,            0x304,  MESA ) M( SCALED_CLIP_POINT,           0x308,  MESA )  \
    M( SCALED_CLIP_SIZE,            0x30c,  MESA ) M( SCALED_OUT_POINT,            0x310,  MESA )  \
    M( SCALED_OUT_SIZE,             0x314,  MESA ) M( SCALED_DU_DX,                0x318,  MESA )  \
    M( SCALED_DV_DY,                0x31c,  MESA ) M( SCALED_SIZE,                 0x400,  MESA )  \
    M( SCALED_PITCH,                0x404,  MESA ) M( SCALED_OFFSET,               0x408,  MESA )  \
    M( SCALED_POINT,                0x40c,  MESA ) M( 2D_DMA_DST,                  0x184,  MESA )  \
    M( 2D_DMA_SRC,                  0x188,  MESA ) M( 2D_DST_FORMAT,               0x200,  MESA )  \
    M( 2D_SRC_FORMAT,               0x230,  MESA ) M( 2D_CLIP_X,                   0x280,  MESA )  \
    M( 2D_CLIP_ENABLE,              0x290,  MESA ) M( 2D_COLOR_KEY_ENABLE,         0x29c,  MESA )  \
    M( 2D_ROP,                      0x2a0,  MESA ) M( 2D_BETA4,                    0x2a8,  MESA )  \
    M( 2D_OPERATION,                0x2ac,  MESA ) M( 2D_PATTERN_SELECT,           0x2b4,  MESA )  \
    M( 2D_PATTERN_COLOR_FORMAT,     0x2e8,  MESA ) M( 2D_PATTERN_COLOR_1,          0x2f4,  MESA )  \
    M( 2D_PATTERN_BITMAP,           0x2f8,  MESA ) M( 2D_INLINE_BITMAP,            0x800,  MESA )  \
    M( 2D_INLINE_FORMAT,            0x804,  MESA ) M( 2D_INLINE_WIDTH,             0x838,  MESA )  \
    M( 2D_INLINE_HEIGHT,            0x83c,  MESA ) M( 2D_INLINE_DU_DX,             0x840,  MESA )  \
    M( 2D_INLINE_DST_X,             0x850,  MESA ) M( 2D_INLINE_DST_Y,             0x85c,  MESA )  \
    M( 2D_INLINE_DATA,              0x860,  MESA ) M( 2D_BLIT_CONTROL,             0x88c,  MESA )  \
    M( 2D_BLIT_DST_X,               0x8b0,  MESA ) M( 2D_BLIT_DU_DX,               0x8c0,  MESA )  \
    M( 2D_BLIT_SRC_X,               0x8d0,  MESA ) M( 2D_BLIT_SRC_Y,               0x8dc,  MESA )  \
    M( 3D_NV30_DMA_COLOR,           0x194,  MESA ) M( 3D_NV30_DMA_ZETA,            0x198,  MESA )  \
    M( 3D_NV30_DMA_FENCE,           0x1a4,  MESA ) M( 3D_NV30_DMA_QUERY,           0x1a8,  MESA )  \
    M( 3D_NV30_RT_HORIZ,            0x200,  MESA ) M( 3D_NV30_RT_VERT,             0x204,  MESA )  \
    M( 3D_NV30_RT_FORMAT,           0x208,  MESA ) M( 3D_NV30_RT_PITCH,            0x20c,  MESA )  \
    M( 3D_NV30_RT_OFFSET,           0x210,  MESA ) M( 3D_NV30_ZETA_OFFSET,         0x214,  MESA )  \
    M( 3D_NV40_ZETA_PITCH,          0x22c,  MESA ) M( 3D_NV30_SCISSOR_HORIZ,       0x8c0,  MESA )  \
    M( 3D_NV30_SCISSOR_VERT,        0x8c4,  MESA ) M( 3D_NV30_QUERY_GET,           0x1800, MESA )  \
    M( 3D_NV30_FENCE_OFFSET,        0x1d6c, MESA ) M( 3D_NV30_FENCE_VALUE,         0x1d70, MESA )  \
    M( 3D_NV30_CLEAR_DEPTH,         0x1d8c, MESA ) M( 3D_NV30_CLEAR_COLOR,         0x1d90, MESA )  \
    M( 3D_NV30_CLEAR_BUFFERS,       0x1d94, MESA ) M( 3D_NV40_COND,                0x1e98, MESA )  \
    M( 3D_DMA_ZETA,                 0x184,  MESA ) M( 3D_DMA_QUERY,                0x188,  MESA )  \
    M( 3D_DMA_COLOR,                0x1c0,  MESA ) M( 3D_RT_G80,                   0x200,  MESA )  \
    M( 3D_RT_GF100,                 0x800,  MESA ) M( 3D_CLEAR_COLOR,              0xd80,  MESA )  \
    M( 3D_CLEAR_DEPTH,              0xd90,  MESA ) M( 3D_CLEAR_STENCIL,            0xda0,  MESA )  \
    M( 3D_ZETA,                     0xfe0,  MESA ) M( 3D_SCISSOR_HORIZ,            0xff4,  MESA )  \
    M( 3D_SCISSOR_VERT,             0xff8,  MESA ) M( 3D_RT_ARRAY_MODE_G80,        0x1224, MESA )  \
    M( 3D_ZETA_HORIZ,               0x1228, MESA ) M( 3D_ZETA_VERT,                0x122c, MESA )  \
    M( 3D_ZETA_ARRAY_MODE,          0x1230, MESA ) M( 3D_RT_HORIZ_G80,             0x1240, MESA )  \
    M( 3D_RT_VERT_G80,              0x1244, MESA ) M( 3D_ZETA_ENABLE,              0x1538, MESA )  \
    M( 3D_COND_UPPER,               0x1550, MESA ) M( 3D_COND_LOWER,               0x1554, MESA )  \
    M( 3D_COND_MODE,                0x1558, MESA ) M( 3D_ZETA_BASE_LAYER,          0x179c, MESA )  \
    M( 3D_CLEAR_BUFFERS,            0x19d0, MESA ) M( 3D_REPORT_UPPER,             0x1b00, MESA )  \
    M( 3D_REPORT_LOWER,             0x1b04, MESA ) M( 3D_REPORT_PAYLOAD,           0x1b08, MESA )  \
    M( 3D_REPORT_GET,               0x1b0c, MESA )

/* Windows of methods, for the models 2D_G80 and 2D_GF100. A window is a group of consecutive
 * methods whose values an engine model stores.
 *   words     number of methods; 0: one method that takes inline data
 *   triggers  bit i: method i of the window starts an operation */
#define GPUCMD_NV_2D_WINDOWS(W, model)                                                             \
    /*  model       mthd    words triggers  (several rows in a line) */                            \
    W( model,       0x200, 22,    0x00000000 )      W( model,       0x280,  5,    0x00000000 )     \
    W( model,       0x29c,  7,    0x00000000 )      W( model,       0x2e8,  6,    0x00000000 )     \
    W( model,       0x800,  2,    0x00000000 )      W( model,       0x838, 10,    0x00000200 )     \
    W( model,       0x860,  0,    0x00000001 )      W( model,       0x88c,  1,    0x00000000 )     \
    W( model,       0x8b0, 12,    0x00000800 )

/* Windows of methods of all engine models. GPUCMD_NV_2D_WINDOWS explains windows and columns. */
#define GPUCMD_NV_ENGINE_WINDOWS(W)                                                                \
    /*  model       mthd    words triggers  (several rows in a line) */                            \
    W( COPY,        0x180, 16,    0x00000000 )      W( COPY,        0x240,  8,    0x00000000 )     \
    W( COPY,        0x300,  1,    0x00000001 )      W( COPY,        0x400,  8,    0x00000000 )     \
    W( COPY,        0x700, 21,    0x00000000 )      W( M2MF_NV4,    0x180,  3,    0x00000000 )     \
    W( M2MF_NV4,    0x30c,  8,    0x00000080 )      W( M2MF_G80,    0x180,  3,    0x00000000 )     \
    W( M2MF_G80,    0x200, 16,    0x00000000 )      W( M2MF_G80,    0x30c,  8,    0x00000080 )     \
    W( M2MF_GF100,  0x204, 15,    0x00000000 )      W( M2MF_GF100,  0x300,  1,    0x00000001 )     \
    W( M2MF_GF100,  0x304,  0,    0x00000001 )      W( M2MF_GF100,  0x30c, 18,    0x00000000 )     \
    W( INLINE,      0x180, 13,    0x00001000 )      W( INLINE,      0x1b4,  0,    0x00000001 )     \
    W( INLINE,      0x1dc,  3,    0x00000000 )      W( SURFACE,     0x184,  2,    0x00000000 )     \
    W( SURFACE,     0x300,  4,    0x00000000 )      W( SWIZZLED,    0x184,  1,    0x00000000 )     \
    W( SWIZZLED,    0x300,  2,    0x00000000 )      W( SCALED,      0x184,  1,    0x00000000 )     \
    W( SCALED,      0x198,  1,    0x00000000 )      W( SCALED,      0x300,  8,    0x00000000 )     \
    W( SCALED,      0x400,  4,    0x00000008 )      W( 2D_G80,      0x184,  2,    0x00000000 )     \
    GPUCMD_NV_2D_WINDOWS(W, 2D_G80)                                                                \
    GPUCMD_NV_2D_WINDOWS(W, 2D_GF100)                                                              \
    W( 3D_NV30,     0x194,  2,    0x00000000 )      W( 3D_NV30,     0x1a4,  2,    0x00000000 )     \
    W( 3D_NV30,     0x200,  6,    0x00000000 )      W( 3D_NV30,     0x22c,  1,    0x00000000 )     \
    W( 3D_NV30,     0x8c0,  2,    0x00000000 )      W( 3D_NV30,     0x1800, 1,    0x00000001 )     \
    W( 3D_NV30,     0x1d6c, 2,    0x00000002 )      W( 3D_NV30,     0x1d8c, 3,    0x00000004 )     \
    W( 3D_NV30,     0x1e98, 1,    0x00000000 )      W( 3D_G80,      0x184,  2,    0x00000000 )     \
    W( 3D_G80,      0x1c0,  8,    0x00000000 )      W( 3D_G80,      0x200,  5,    0x00000000 )     \
    W( 3D_G80,      0x220,  5,    0x00000000 )      W( 3D_G80,      0x240,  5,    0x00000000 )     \
    W( 3D_G80,      0x260,  5,    0x00000000 )      W( 3D_G80,      0x280,  5,    0x00000000 )     \
    W( 3D_G80,      0x2a0,  5,    0x00000000 )      W( 3D_G80,      0x2c0,  5,    0x00000000 )     \
    W( 3D_G80,      0x2e0,  5,    0x00000000 )      W( 3D_G80,      0xd80,  5,    0x00000000 )     \
    W( 3D_G80,      0xda0,  1,    0x00000000 )      W( 3D_G80,      0xfe0,  7,    0x00000000 )     \
    W( 3D_G80,      0x1224, 4,    0x00000000 )      W( 3D_G80,      0x1240, 16,    0x00000000 )    \
    W( 3D_G80,      0x1538, 1,    0x00000000 )      W( 3D_G80,      0x1550, 3,    0x00000000 )     \
    W( 3D_G80,      0x19d0, 1,    0x00000001 )      W( 3D_G80,      0x1b00, 4,    0x00000008 )     \
    W( 3D_GF100,    0x800,  9,    0x00000000 )      W( 3D_GF100,    0x840,  9,    0x00000000 )     \
    W( 3D_GF100,    0x880,  9,    0x00000000 )      W( 3D_GF100,    0x8c0,  9,    0x00000000 )     \
    W( 3D_GF100,    0x900,  9,    0x00000000 )      W( 3D_GF100,    0x940,  9,    0x00000000 )     \
    W( 3D_GF100,    0x980,  9,    0x00000000 )      W( 3D_GF100,    0x9c0,  9,    0x00000000 )     \
    W( 3D_GF100,    0xd80,  5,    0x00000000 )      W( 3D_GF100,    0xda0,  1,    0x00000000 )     \
    W( 3D_GF100,    0xfe0,  7,    0x00000000 )      W( 3D_GF100,    0x1228, 3,    0x00000000 )     \
    W( 3D_GF100,    0x1538, 1,    0x00000000 )      W( 3D_GF100,    0x1550, 3,    0x00000000 )     \
    W( 3D_GF100,    0x179c, 1,    0x00000000 )      W( 3D_GF100,    0x19d0, 1,    0x00000001 )     \
    W( 3D_GF100,    0x1b00, 4,    0x00000008 )

/* Rules of gpucmd_nv_check_host. Column text describes a stream that breaks the rule. */
#define GPUCMD_NV_HOST_RULES(U)                                                                    \
    /*  name                 severity  text */                                                     \
    U( UNBOUND_SUBCHANNEL,   WARNING,  "the stream binds no object to this subchannel" )           \
    U( HOST_METHOD,          ERROR,    "the host engine of this chip lacks the method" )           \
    U( SEM_OPERATION,        ERROR,    "this chip lacks the semaphore operation" )                 \
    U( SEM_MISALIGNED,       ERROR,    "the semaphore address is not aligned for the operation" )  \
    U( SEM_NEVER_RELEASED,   WARNING,  "no stream writes the semaphore of this acquire" )          \
    U( SEM_RANGE,            ERROR,    "the semaphore offset or address has too many bits" )       \
    U( SEM_NOT_SET,          WARNING,  "the stream uses a semaphore that it does not set" )        \
    U( UNKNOWN_OBJECT,       ERROR,    "the handle names no object or a class of later chips" )    \
    U( COPY_EMPTY,           WARNING,  "the copy has no bytes or no lines" )                       \
    U( RELEASE_NO_FLUSH,     WARNING,  "the copy engine releases without a flush after a copy" )   \
    U( RELEASE_NO_WAIT,      NOTE,     "the host engine releases while an engine may be busy" )    \
    U( HOST_VALUE,           ERROR,    "this chip lacks the value of MEM_OP or YIELD" )            \
    U( TLB_NO_BARRIER,       WARNING,  "SYSMEMBAR without ACK_TYPE or TLBs of GPCs has no effect" )

/* Bits of LAUNCH_DMA: bits hi to lo exist in the copy classes from column `since` until column
 * `until` (FFFF: all later classes). [85B5] [C8B5] */
#define GPUCMD_NV_LAUNCH_BITS(B)                                                                   \
    /*  hi  lo  since  until  (several rows in a line) */                                          \
    B( 10,  0, 85B5,  FFFF )                        B( 11, 11, A0B5,  C9B5 )                       \
    B( 19, 12, A0B5,  FFFF )                        B( 20, 20, B0B5,  C6B5 )                       \
    B( 21, 21, C0B5,  C6B5 )                        B( 22, 22, C1B5,  FFFF )                       \
    B( 21, 20, C8B5,  FFFF )                        B( 23, 23, C8B5,  FFFF )                       \
    B( 25, 25, C3B5,  FFFF )                        B( 26, 26, C5B5,  FFFF )                       \
    B( 27, 27, C7B5,  FFFF )

/* Values of fields of copies. GPUCMD_NV_CE_<name> is the value, shifted to its field. A class in
 * column meaning is a class that accepts the value; "+" means "and later". [85B5] [C8B5] */
#define GPUCMD_NV_CE_VALUES(V)                                                                     \
    /*  name                      field                    value meaning */                        \
    V( PIPELINED,                 LAUNCH_TRANSFER,         1,     "overlaps earlier copies" )      \
    V( NON_PIPELINED,             LAUNCH_TRANSFER,         2,     "waits for earlier copies" )     \
    V( PREFETCH,                  LAUNCH_TRANSFER,         3,     "CAB5+" )                        \
    V( FLUSH_SYS,                 LAUNCH_FLUSH,            1,     "flush for the system" )         \
    V( FLUSH_TYPE_GL,             LAUNCH_FLUSH_TYPE,       1,     "flush for the GPU only, C3B5+" )\
    V( SEM_ONE_WORD,              LAUNCH_SEMAPHORE,        1,     "payload without time" )         \
    V( SEM_FOUR_WORD,             LAUNCH_SEMAPHORE,        2,     "payload and time" )             \
    V( SEM_CONDITIONAL_INTR,      LAUNCH_SEMAPHORE,        3,     "C5B5+" )                        \
    V( SEM_64BIT,                 LAUNCH_PAYLOAD_SIZE,     1,     "payload of two words, C7B5+" )  \
    V( INTERRUPT_BLOCKING,        LAUNCH_INTERRUPT,        1,     "" )                             \
    V( INTERRUPT_NON_BLOCKING,    LAUNCH_INTERRUPT,        2,     "" )                             \
    V( REDUCTION,                 LAUNCH_REDUCTION_ENABLE, 1,     "A0B5+" )                        \
    V( REDUCTION_UNSIGNED,        LAUNCH_REDUCTION_SIGN,   1,     "" )                             \
    V( REDUCTION_IMIN,            LAUNCH_REDUCTION,        0,     "" )                             \
    V( REDUCTION_IMAX,            LAUNCH_REDUCTION,        1,     "" )                             \
    V( REDUCTION_IXOR,            LAUNCH_REDUCTION,        2,     "" )                             \
    V( REDUCTION_IAND,            LAUNCH_REDUCTION,        3,     "" )                             \
    V( REDUCTION_IOR,             LAUNCH_REDUCTION,        4,     "" )                             \
    V( REDUCTION_IADD,            LAUNCH_REDUCTION,        5,     "" )                             \
    V( REDUCTION_INC,             LAUNCH_REDUCTION,        6,     "" )                             \
    V( REDUCTION_DEC,             LAUNCH_REDUCTION,        7,     "" )                             \
    V( REDUCTION_FADD,            LAUNCH_REDUCTION,        10,    "" )                             \
    V( REDUCTION_FMIN,            LAUNCH_REDUCTION,        11,    "A0B5, C7B5+" )                  \
    V( REDUCTION_FMAX,            LAUNCH_REDUCTION,        12,    "A0B5, C7B5+" )                  \
    V( REDUCTION_FMUL,            LAUNCH_REDUCTION,        13,    "A0B5" )                         \
    V( REDUCTION_IMUL,            LAUNCH_REDUCTION,        14,    "A0B5" )                         \
    V( BYPASS_L2_A0B5,            LAUNCH_BYPASS_L2_A0B5,   1,     "" )                             \
    V( FORCE_RMWDISABLE,          LAUNCH_RMWDISABLE,       1,     "B0B5 until C9B5" )              \
    V( SRC_BYPASS_L2,             LAUNCH_SRC_BYPASS_L2,    1,     "B0B5: both sides; until C6B5" ) \
    V( DST_BYPASS_L2,             LAUNCH_DST_BYPASS_L2,    1,     "C0B5 until C6B5" )              \
    V( PROT2PROT,                 LAUNCH_COPY_TYPE,        0,     "C8B5+" )                        \
    V( SECURE,                    LAUNCH_COPY_TYPE,        1,     "encrypt or decrypt" )           \
    V( NONPROT2NONPROT,           LAUNCH_COPY_TYPE,        2,     "" )                             \
    V( VPR_VID2VID,               LAUNCH_VPRMODE,          1,     "C1B5+" )                        \
    V( SCRUB,                     LAUNCH_SCRUB,            1,     "C8B5+" )                        \
    V( DISABLE_PLC,               LAUNCH_DISABLE_PLC,      1,     "C5B5+" )                        \
    V( PHYS_LOCAL_FB,             PHYS_TARGET,             0,     "video memory" )                 \
    V( PHYS_COHERENT_SYSMEM,      PHYS_TARGET,             1,     "" )                             \
    V( PHYS_NONCOHERENT_SYSMEM,   PHYS_TARGET,             2,     "" )                             \
    V( PHYS_PEERMEM,              PHYS_TARGET,             3,     "C6B5+" )                        \
    V( EVICT_FIRST,               REQ_PREFETCH_L2_CLASS,   0,     "CAB5" )                         \
    V( EVICT_NORMAL,              REQ_PREFETCH_L2_CLASS,   1,     "" )                             \
    V( EVICT_LAST,                REQ_PREFETCH_L2_CLASS,   2,     "" )                             \
    V( EVICT_DEMOTE,              REQ_PREFETCH_L2_CLASS,   3,     "" )                             \
    V( BL_32,                     BLOCK_KIND_BPP,          0,     "CAB5" )                         \
    V( BL_8,                      BLOCK_KIND_BPP,          1,     "" )                             \
    V( BL_16,                     BLOCK_KIND_BPP,          2,     "" )                             \
    V( BL_24,                     BLOCK_KIND_BPP,          3,     "" )

/* Fields of copies, M2MF and inline data. */
#define GPUCMD_NV_ENGINE_FIELDS(F)                                                                 \
    /*  name                     hi  lo  unit  meaning                       source */             \
    F( COPY_UPPER,                7,  0, "",   "address 39:32",              85B5 )                \
    F( COPY_CTX_DMA,             31, 28, "",   "which SET_CTX_DMA (85B5)",   85B5 )                \
    F( COPY_UPPER_C0B5,          16,  0, "",   "address 48:32",              85B5 )                \
    F( COPY_UPPER_C8B5,          24,  0, "",   "address 56:32",              C8B5 )                \
    F( LAUNCH_TRANSFER,           1,  0, "",   "0 none, 1 or 2: copy",       85B5 )                \
    F( LAUNCH_FLUSH,              2,  2, "",   "flush what was written",     85B5 )                \
    F( LAUNCH_SEMAPHORE,          4,  3, "",   "1 one word, 2 four words",   85B5 )                \
    F( LAUNCH_INTERRUPT,          6,  5, "",   "1 blocking, 2 not",          85B5 )                \
    F( LAUNCH_SRC_PITCH,          7,  7, "",   "1: lines at a pitch",        85B5 )                \
    F( LAUNCH_DST_PITCH,          8,  8, "",   "1: lines at a pitch",        85B5 )                \
    F( LAUNCH_MULTI_LINE,         9,  9, "",   "LINE_COUNT counts",          85B5 )                \
    F( LAUNCH_REMAP,             10, 10, "",   "REMAP_COMPONENTS counts",    85B5 )                \
    F( ADDRESSING_SRC_PHYSICAL,   0,  0, "",   "not virtual (90B5)",         85B5 )                \
    F( ADDRESSING_DST_PHYSICAL,   8,  8, "",   "not virtual (90B5)",         85B5 )                \
    F( LAUNCH_SRC_PHYSICAL,      12, 12, "",   "not virtual (A0B5+)",        85B5 )                \
    F( LAUNCH_DST_PHYSICAL,      13, 13, "",   "not virtual (A0B5+)",        85B5 )                \
    F( LAUNCH_REDUCTION,         17, 14, "",   "GPUCMD_NV_REDUCTIONS",       85B5 )                \
    F( LAUNCH_REDUCTION_SIGN,    18, 18, "",   "1: unsigned",                85B5 )                \
    F( LAUNCH_REDUCTION_ENABLE,  19, 19, "",   "reduce, do not write",       85B5 )                \
    F( LAUNCH_BYPASS_L2_A0B5,    11, 11, "",  "1: FORCE_VOLATILE",           85B5 )                \
    F( LAUNCH_RMWDISABLE,        11, 11, "",  "B0B5 until C9B5",             85B5 )                \
    F( LAUNCH_SRC_BYPASS_L2,     20, 20, "",  "B0B5 until C6B5",             85B5 )                \
    F( LAUNCH_DST_BYPASS_L2,     21, 21, "",  "C0B5 until C6B5",             85B5 )                \
    F( LAUNCH_COPY_TYPE,         21, 20, "",  "CE_PROT2PROT, ...",           C8B5 )                \
    F( LAUNCH_VPRMODE,           22, 22, "",  "1: VPR_VID2VID (C1B5+)",      85B5 )                \
    F( LAUNCH_SCRUB,             23, 23, "",  "MEMORY_SCRUB_ENABLE",         C8B5 )                \
    F( LAUNCH_FLUSH_TYPE,        25, 25, "",  "0 SYS, 1 GL (C3B5+)",         85B5 )                \
    F( LAUNCH_DISABLE_PLC,       26, 26, "",  "1: no compression (C5B5+)",   85B5 )                \
    F( LAUNCH_PAYLOAD_SIZE,      27, 27, "",  "1: two words (C7B5+)",        85B5 )                \
    F( PHYS_TARGET,               1,  0, "",  "SET_*_PHYS_MODE (A0B5+)",     85B5 )                \
    F( PHYS_BASIC_KIND,           5,  2, "",  "C3B5+",                       85B5 )                \
    F( PHYS_PEER_ID,              8,  6, "",  "with PEERMEM (C6B5+)",        85B5 )                \
    F( PHYS_FLA,                  9,  9, "",  "C6B5+",                       85B5 )                \
    F( ADDRESSING_SRC_TARGET,     5,  4, "",  "memory, not PEERMEM (90B5)",  85B5 )                \
    F( ADDRESSING_DST_TARGET,    13, 12, "",  "memory, not PEERMEM (90B5)",  85B5 )                \
    F( SECURE_MODE,               0,  0, "",  "0 encrypt, 1 decrypt",        C8B5 )                \
    F( SCRUB_DISCARDABLE,         0,  0, "",  "",                            C8B5 )                \
    F( MONITORED_FENCE_TYPE,      0,  0, "",  "1: EXT (C7B5+)",              85B5 )                \
    F( REQ_PREFETCH_L2_CLASS,     1,  0, "",  "CE_EVICT_FIRST, ...",         C8B5 )                \
    F( REMAP_DST_X,               2,  0, "",   "GPUCMD_NV_REMAP_*",          85B5 )                \
    F( REMAP_DST_Y,               6,  4, "",   "GPUCMD_NV_REMAP_*",          85B5 )                \
    F( REMAP_DST_Z,              10,  8, "",   "GPUCMD_NV_REMAP_*",          85B5 )                \
    F( REMAP_DST_W,              14, 12, "",   "GPUCMD_NV_REMAP_*",          85B5 )                \
    F( REMAP_SIZE,               17, 16, "",   "bytes of a component - 1",   85B5 )                \
    F( REMAP_NUM_SRC,            21, 20, "",   "components - 1",             85B5 )                \
    F( REMAP_NUM_DST,            25, 24, "",   "components - 1",             85B5 )                \
    F( BLOCK_WIDTH,               3,  0, "",  "GOBs, log2; e: a quarter",    85B5 )                \
    F( BLOCK_HEIGHT,              7,  4, "",   "GOBs, log2",                 85B5 )                \
    F( BLOCK_DEPTH,              11,  8, "",   "slices, log2",               85B5 )                \
    F( BLOCK_GOB_HEIGHT,         15, 12, "",  "0: 4 lines, 1: 8 lines",      85B5 )                \
    F( BLOCK_KIND_BPP,           17, 16, "",  "BL_32, 8, 16, 24 (CAB5)",     C8B5 )                \
    F( ORIGIN_X,                 15,  0, "",   "first column",               85B5 )                \
    F( ORIGIN_Y,                 31, 16, "",   "first line",                 85B5 )                \
    F( M2MF_UPPER,                7,  0, "",   "address 39:32",              9039 )                \
    F( M2MF_FORMAT_IN,            7,  0, "",   "bytes from one to the next", 0039 )                \
    F( M2MF_FORMAT_OUT,          31,  8, "",   "bytes from one to the next", 0039 )                \
    F( M2MF_FORMAT_OUT_5039,     15,  8, "",   "bytes from one to the next", 5039 )                \
    F( M2MF_SRC_INLINE,           0,  0, "",   "data come as methods",       9039 )                \
    F( M2MF_SRC_PITCH,            4,  4, "",   "1: lines at a pitch",        9039 )                \
    F( M2MF_DST_PITCH,            8,  8, "",   "1: lines at a pitch",        9039 )                \
    F( M2MF_COMPLETION,          13, 12, "",   "2: release the semaphore",   9039 )                \
    F( M2MF_INTERRUPT,           17, 16, "",   "1: interrupt",               9039 )                \
    F( M2MF_STRUCT_SIZE,         20, 20, "",   "1: one word, 0: four",       9039 )                \
    F( INLINE_UPPER,              7,  0, "",   "address 39:32",              A140 )                \
    F( INLINE_UPPER_C0C0,        16,  0, "",   "address 48:32",              C0C0 )                \
    F( INLINE_UPPER_CBC0,        24,  0, "",   "address 56:32",              C0C0 )                \
    F( INLINE_DST_PITCH,          0,  0, "",   "1: lines at a pitch",        A140 )                \
    F( INLINE_REDUCTION,          1,  1, "",   "reduce (A140)",              A140 )                \
    F( INLINE_COMPLETION,         5,  4, "",   "2: release the semaphore",   A140 )                \
    F( INLINE_INTERRUPT,          9,  8, "",   "1: interrupt",               A140 )                \
    F( INLINE_STRUCT_SIZE,       12, 12, "",   "1: one word, 0: four",       A140 )

/* Fields of image, 2D and 3D classes that the executor reads. */
#define GPUCMD_NV_IMAGE_FIELDS(F)                                                                  \
    /*  name                     hi  lo  unit  meaning                       source */             \
    F( REPORT_UPPER,              7,  0, "",   "address 39:32",              MESA )                \
    F( REPORT_UPPER_CB97,        24,  0, "",   "address 56:32",              CB97 )                \
    F( REPORT_OPERATION,          1,  0, "",   "0 release, 2 counter",       MESA )                \
    F( REPORT_REDUCTION,          3,  3, "",   "reduce",                     MESA )                \
    F( REPORT_UNIT,              15, 12, "",   "which part reports",         MESA )                \
    F( REPORT_COUNTER,           27, 23, "",   "what it counts",             MESA )                \
    F( REPORT_SHORT,             28, 28, "",   "one word, no time",          MESA )                \
    F( QUERY_OFFSET,             23,  0, "",   "in the query's object",      MESA )                \
    F( COND_NV40_MODE,           31, 24, "",   "1 always, 2 by a report",    MESA )                \
    F( CLEAR_COLOR_RGBA,          5,  2, "",   "channels of the clear",      MESA )                \
    F( CLEAR_DEPTH_STENCIL,       1,  0, "",   "Z and S",                    MESA )                \
    F( CLEAR_DEPTH,               0,  0, "",   "Z",                          MESA )                \
    F( CLEAR_STENCIL,             1,  1, "",   "S",                          MESA )                \
    F( RT_LAYERS,                15,  0, "",   "layers, or slices",          MESA )                \
    F( RT_VOLUME,                16, 16, "",   "layers are slices",          MESA )                \
    F( CLEAR_LAYER,              25, 10, "",   "of the target",              CB97 )                \
    F( CLEAR_LAYER_G80,          20, 10, "",   "of the target",              MESA )                \
    F( CLEAR_TARGET,              9,  6, "",   "which render target",        MESA )                \
    F( CLEAR_NV30_COLOR,          7,  4, "",   "channels of the clear",      MESA )                \
    F( RT_G80_LINEAR,            31, 31, "",   "in RT_HORIZ: a pitch",       MESA )                \
    F( RT_GF100_LINEAR,          12, 12, "",   "in the tile mode",           MESA )                \
    F( RT_LINEAR_PITCH,          15,  0, "",   "bytes",                      MESA )                \
    F( RT_TILE_HEIGHT,            7,  4, "",   "GOBs, log2",                 MESA )                \
    F( RT_SIZE,                  31, 16, "",   "of a rectangle's side",      MESA )                \
    F( RT_START,                 15,  0, "",   "of a rectangle's side",      MESA )                \
    F( RT_NV30_LAYOUT,           11,  8, "",   "1 linear, 2 swizzled",       MESA )                \
    F( RT_NV30_COLOR,             4,  0, "",   "5: X8R8G8B8, 8: A8R8G8B8",   MESA )                \
    F( RT_NV30_ZETA,              7,  5, "",   "1: Z16, 2: Z24S8",           MESA )                \
    F( RT_NV30_ZETA_PITCH,       31, 16, "",   "of NV30, bytes",             MESA )                \
    F( RT_NV30_WIDTH,            23, 16, "",   "swizzled: pixels, log2",     MESA )                \
    F( RT_NV30_HEIGHT,           31, 24, "",   "swizzled: lines, log2",      MESA )                \
    F( SWIZZLED_COLOR,           15,  0, "",   "GPUCMD_NV_IMAGE_FORMATS",    MESA )                \
    F( SWIZZLED_WIDTH,           23, 16, "",   "pixels, log2",               MESA )                \
    F( SWIZZLED_HEIGHT,          31, 24, "",   "lines, log2",                MESA )                \
    F( SURFACE_PITCH_DST,        31, 16, "",   "bytes",                      MESA )                \
    F( SCALED_X,                 15,  0, "",   "of a point or a size",       MESA )                \
    F( SCALED_Y,                 31, 16, "",   "of a point or a size",       MESA )                \
    F( SCALED_PITCH_IN,          15,  0, "",   "bytes",                      MESA )                \
    F( SCALED_FILTER,            31, 24, "",   "0: nearest pixel",           MESA )                \
    F( 2D_LINEAR,                 0,  0, "",   "lines at a pitch",           MESA )                \
    F( 2D_ORIGIN,                 0,  0, "",   "BLIT_CONTROL: 1 corner",     MESA )                \
    F( 2D_FILTER,                 4,  4, "",   "BLIT_CONTROL: 0 nearest",    MESA )
/* clang-format on */

/* ---- Tegra ---- */

/* On Tegra, ioctls of /dev/nvmap allocate memory, and ioctls of /dev/nvgpu/igpu0/ctrl control the
 * GPU. These ioctls return all other descriptors. All rows are for L4T 36.4 and chip ga10b (Orin).
 * L4T 36.2 has the same numbers. L4T 35.x lacks some ioctls, and some structures differ. */

/* clang-format off */
/* Structures of the ioctl arguments. Names and members are those of the kernel, and the
 * layout is that of a 64-bit kernel: pointers and unsigned long are u64. Members pad0,
 * pad1 are padding and must be zero. GPUCMD_LAYOUT_STRUCTS explains the columns. [NVGPU] */
#define GPUCMD_NVGPU_STRUCTS(S, F, A, U, E)                                                        \
    S( nvgpu_gpu_get_characteristics ) F( u64, gpu_characteristics_buf_size, 0 )                   \
        F( u64, gpu_characteristics_buf_addr, 8 ) E( nvgpu_gpu_get_characteristics, 16 )           \
    S( nvgpu_alloc_as_args ) F( u32, big_page_size, 0 ) F( s32, as_fd, 4 ) F( u32, flags, 8 )      \
        F( u32, reserved, 12 ) F( u64, va_range_start, 16 ) F( u64, va_range_end, 24 )             \
        F( u64, va_range_split, 32 ) A( u32, padding, 6, 40 ) E( nvgpu_alloc_as_args, 64 )         \
    S( nvgpu_gpu_open_tsg_args ) F( u32, tsg_fd, 0 ) F( u32, flags, 4 )                            \
        F( u64, source_device_instance_id, 8 ) F( u64, share_token, 16 )                           \
        E( nvgpu_gpu_open_tsg_args, 24 )                                                           \
    S( nvgpu_gpu_open_channel_args ) U( union { ) F( s32, channel_fd, 0 )                          \
        U( struct { int32_t runlist_id; } in; struct { int32_t channel_fd; } out; }; )             \
        E( nvgpu_gpu_open_channel_args, 4 )                                                        \
    S( nvgpu_as_bind_channel_args ) F( u32, channel_fd, 0 ) E( nvgpu_as_bind_channel_args, 4 )     \
    S( nvgpu_offset_or_align ) U( union { ) F( u64, offset, 0 ) U( uint64_t align; }; )            \
        E( nvgpu_offset_or_align, 8 )                                                              \
    S( nvgpu_as_alloc_space_args ) F( u64, pages, 0 ) F( u32, page_size, 8 ) F( u32, flags, 12 )   \
        F( nvgpu_offset_or_align, o_a, 16 ) A( u32, padding, 2, 24 )                               \
        E( nvgpu_as_alloc_space_args, 32 )                                                         \
    S( nvgpu_as_free_space_args ) F( u64, offset, 0 ) F( u64, pages, 8 ) F( u32, page_size, 16 )   \
        A( u32, padding, 3, 20 ) E( nvgpu_as_free_space_args, 32 )                                 \
    S( nvgpu_as_map_buffer_ex_args ) F( u32, flags, 0 ) F( s16, compr_kind, 4 )                    \
        F( s16, incompr_kind, 6 ) F( u32, dmabuf_fd, 8 ) F( u32, page_size, 12 )                   \
        F( u64, buffer_offset, 16 ) F( u64, mapping_size, 24 ) F( u64, offset, 32 )                \
        E( nvgpu_as_map_buffer_ex_args, 40 )                                                       \
    S( nvgpu_as_unmap_buffer_args ) F( u64, offset, 0 ) E( nvgpu_as_unmap_buffer_args, 8 )         \
    S( nvgpu_as_get_va_regions_args ) F( u64, buf_addr, 0 ) F( u32, buf_size, 8 )                  \
        F( u32, reserved, 12 ) E( nvgpu_as_get_va_regions_args, 16 )                               \
    S( nvgpu_as_va_region ) F( u64, offset, 0 ) F( u32, page_size, 8 ) F( u32, reserved, 12 )      \
        F( u64, pages, 16 ) E( nvgpu_as_va_region, 24 )                                            \
    S( nvgpu_tsg_bind_channel_ex_args ) F( s32, channel_fd, 0 ) F( u32, subcontext_id, 4 )         \
        A( u8, reserved, 16, 8 ) E( nvgpu_tsg_bind_channel_ex_args, 24 )                           \
    S( nvgpu_tsg_create_subcontext_args ) F( u32, type, 0 ) F( s32, as_fd, 4 ) F( u32, veid, 8 )   \
        F( u32, reserved, 12 ) E( nvgpu_tsg_create_subcontext_args, 16 )                           \
    S( nvgpu_tsg_delete_subcontext_args ) F( u32, veid, 0 ) F( u32, reserved, 4 )                  \
        E( nvgpu_tsg_delete_subcontext_args, 8 )                                                   \
    S( nvgpu_channel_wdt_args ) F( u32, wdt_status, 0 ) F( u32, timeout_ms, 4 )                    \
        E( nvgpu_channel_wdt_args, 8 )                                                             \
    S( nvgpu_channel_setup_bind_args ) F( u32, num_gpfifo_entries, 0 )                             \
        F( u32, num_inflight_jobs, 4 ) F( u32, flags, 8 ) F( s32, userd_dmabuf_fd, 12 )            \
        F( s32, gpfifo_dmabuf_fd, 16 ) F( u32, work_submit_token, 20 )                             \
        F( u64, userd_dmabuf_offset, 24 ) F( u64, gpfifo_dmabuf_offset, 32 )                       \
        F( u64, gpfifo_gpu_va, 40 ) F( u64, userd_gpu_va, 48 ) F( u64, usermode_mmio_gpu_va, 56 )  \
        A( u32, reserved, 9, 64 ) F( u32, pad0, 100 ) E( nvgpu_channel_setup_bind_args, 104 )      \
    S( nvgpu_alloc_obj_ctx_args ) F( u32, class_num, 0 ) F( u32, flags, 4 ) F( u64, obj_id, 8 )    \
        E( nvgpu_alloc_obj_ctx_args, 16 )                                                          \
    S( nvgpu_gpfifo ) F( u32, entry0, 0 ) F( u32, entry1, 4 ) E( nvgpu_gpfifo, 8 )                 \
    S( nvmap_create_handle ) U( union { struct { union { ) F( u32, size, 0 ) U( int32_t fd; }; )   \
        F( u32, handle, 4 )                                                                        \
        U( }; uint64_t ivm_id; uint32_t ivm_handle; uint64_t size64; uint32_t handle64; }; )       \
        E( nvmap_create_handle, 8 )                                                                \
    S( nvmap_alloc_handle ) F( u32, handle, 0 ) F( u32, heap_mask, 4 ) F( u32, flags, 8 )          \
        F( u32, align, 12 ) F( s32, numa_nid, 16 ) E( nvmap_alloc_handle, 20 )                     \
    S( nvgpu_gpu_zcull_get_ctx_size_args ) F( u32, size, 0 )                                       \
        E( nvgpu_gpu_zcull_get_ctx_size_args, 4 )                                                  \
    S( nvgpu_gpu_get_tpc_masks_args ) F( u32, mask_buf_size, 0 ) F( u32, reserved, 4 )             \
        F( u64, mask_buf_addr, 8 ) E( nvgpu_gpu_get_tpc_masks_args, 16 )                           \
    S( nvgpu_gpu_l2_fb_args ) F( u8, flush, 0 ) A( u8, reserved, 4, 1 )                            \
        E( nvgpu_gpu_l2_fb_args, 5 )                                                               \
    S( nvgpu_gpu_num_vsms ) F( u32, num_vsms, 0 ) F( u32, reserved, 4 )                            \
        E( nvgpu_gpu_num_vsms, 8 )                                                                 \
    S( nvgpu_gpu_vsms_mapping ) F( u64, vsms_map_buf_addr, 0 ) E( nvgpu_gpu_vsms_mapping, 8 )      \
    S( nvgpu_gpu_vsms_mapping_entry ) F( u8, gpc_logical_index, 0 ) F( u8, gpc_virtual_index, 1 )  \
        F( u8, tpc_local_logical_index, 2 ) F( u8, tpc_global_logical_index, 3 )                   \
        F( u8, sm_local_id, 4 ) F( u8, tpc_migratable_index, 5 )                                   \
        E( nvgpu_gpu_vsms_mapping_entry, 6 )                                                       \
    S( nvgpu_gpu_get_gpu_time_args ) F( u64, gpu_timestamp, 0 ) F( u64, reserved, 8 )              \
        E( nvgpu_gpu_get_gpu_time_args, 16 )                                                       \
    S( nvgpu_gpu_get_cpu_time_correlation_sample ) F( u64, cpu_timestamp, 0 )                      \
        F( u64, gpu_timestamp, 8 ) E( nvgpu_gpu_get_cpu_time_correlation_sample, 16 )              \
    S( nvgpu_gpu_get_cpu_time_correlation_info_args )                                              \
        A( nvgpu_gpu_get_cpu_time_correlation_sample, samples, 16, 0 ) F( u32, count, 256 )        \
        F( u32, source_id, 260 ) E( nvgpu_gpu_get_cpu_time_correlation_info_args, 264 )            \
    S( nvgpu_gpu_get_engine_info_args ) F( u32, engine_info_buf_size, 0 ) F( u32, reserved, 4 )    \
        F( u64, engine_info_buf_addr, 8 ) E( nvgpu_gpu_get_engine_info_args, 16 )                  \
    S( nvgpu_gpu_get_engine_info_item ) F( u32, engine_id, 0 ) F( u32, engine_instance, 4 )        \
        F( s32, runlist_id, 8 ) F( u32, reserved, 12 ) E( nvgpu_gpu_get_engine_info_item, 16 )     \
    S( nvgpu_gpu_get_memory_state_args ) F( u64, total_free_bytes, 0 ) A( u64, reserved, 4, 8 )    \
        E( nvgpu_gpu_get_memory_state_args, 40 )                                                   \
    S( nvgpu_gpu_set_deterministic_opts_args ) F( u32, num_channels, 0 ) F( u32, flags, 4 )        \
        F( u64, channels, 8 ) E( nvgpu_gpu_set_deterministic_opts_args, 16 )                       \
    S( nvgpu_gpu_register_buffer_args ) F( s32, dmabuf_fd, 0 ) F( u8, comptags_alloc_control, 4 )  \
        F( u8, reserved0, 5 ) F( u16, reserved1, 6 ) F( u64, metadata_addr, 8 )                    \
        F( u32, metadata_size, 16 ) F( u32, flags, 20 ) E( nvgpu_gpu_register_buffer_args, 24 )    \
    S( nvgpu_gpu_buffer_info_in ) F( s32, dmabuf_fd, 0 ) F( u32, metadata_size, 4 )                \
        F( u64, metadata_addr, 8 ) E( nvgpu_gpu_buffer_info_in, 16 )                               \
    S( nvgpu_gpu_buffer_info_out ) F( u64, flags, 0 ) F( u32, metadata_size, 8 )                   \
        F( u32, reserved, 12 ) F( u64, size, 16 ) E( nvgpu_gpu_buffer_info_out, 24 )               \
    S( nvgpu_gpu_get_buffer_info_args ) U( union { struct gpucmd_nvgpu_gpu_buffer_info_in in; )    \
        F( nvgpu_gpu_buffer_info_out, out, 0 ) U( }; ) E( nvgpu_gpu_get_buffer_info_args, 24 )     \
    S( nvgpu32_as_alloc_space_args ) F( u32, pages, 0 ) F( u32, page_size, 4 ) F( u32, flags, 8 )  \
        F( u32, pad0, 12 ) F( nvgpu_offset_or_align, o_a, 16 )                                     \
        E( nvgpu32_as_alloc_space_args, 24 )                                                       \
    S( nvgpu_as_map_buffer_batch_args ) F( u64, unmaps, 0 ) F( u64, maps, 8 )                      \
        F( u32, num_unmaps, 16 ) F( u32, num_maps, 20 ) F( u64, reserved, 24 )                     \
        E( nvgpu_as_map_buffer_batch_args, 32 )                                                    \
    S( nvgpu_as_get_sync_ro_map_args ) F( u64, base_gpuva, 0 ) F( u32, sync_size, 8 )              \
        F( u32, num_syncpoints, 12 ) E( nvgpu_as_get_sync_ro_map_args, 16 )                        \
    S( nvgpu_as_mapping_modify_args ) F( s16, compr_kind, 0 ) F( s16, incompr_kind, 2 )            \
        F( u32, pad0, 4 ) F( u64, buffer_offset, 8 ) F( u64, buffer_size, 16 )                     \
        F( u64, map_address, 24 ) E( nvgpu_as_mapping_modify_args, 32 )                            \
    S( nvgpu_as_remap_args ) F( u64, ops, 0 ) F( u32, num_ops, 8 ) F( u32, pad0, 12 )              \
        E( nvgpu_as_remap_args, 16 )                                                               \
    S( nvgpu_as_get_buffer_compbits_info_args ) F( u64, mapping_gva, 0 )                           \
        F( u64, compbits_win_size, 8 ) F( u32, compbits_win_ctagline, 16 )                         \
        F( u32, mapping_ctagline, 20 ) F( u32, flags, 24 ) F( u32, reserved1, 28 )                 \
        E( nvgpu_as_get_buffer_compbits_info_args, 32 )                                            \
    S( nvgpu_as_map_buffer_compbits_args ) F( u64, mapping_gva, 0 ) F( u64, compbits_win_gva, 8 )  \
        U( union { ) F( u64, mapping_iova, 16 ) U( uint64_t mapping_iova_buf_addr; }; )            \
        F( u64, mapping_iova_buf_size, 24 ) F( u32, flags, 32 ) F( u32, reserved1, 36 )            \
        E( nvgpu_as_map_buffer_compbits_args, 40 )                                                 \
    S( nvgpu_timeslice_args ) F( u32, timeslice_us, 0 ) F( u32, reserved, 4 )                      \
        E( nvgpu_timeslice_args, 8 )                                                               \
    S( nvgpu_runlist_interleave_args ) F( u32, level, 0 ) F( u32, reserved, 4 )                    \
        E( nvgpu_runlist_interleave_args, 8 )                                                      \
    S( nvgpu_event_id_ctrl_args ) F( u32, cmd, 0 ) F( u32, event_id, 4 ) F( s32, event_fd, 8 )     \
        F( u32, padding, 12 ) E( nvgpu_event_id_ctrl_args, 16 )                                    \
    S( nvgpu_tsg_read_single_sm_error_state_args ) F( u32, sm_id, 0 ) F( u32, reserved, 4 )        \
        F( u64, record_mem, 8 ) F( u64, record_size, 16 )                                          \
        E( nvgpu_tsg_read_single_sm_error_state_args, 24 )                                         \
    S( nvgpu_tsg_sm_error_state_record ) F( u32, global_esr, 0 ) F( u32, warp_esr, 4 )             \
        F( u64, warp_esr_pc, 8 ) F( u32, global_esr_report_mask, 16 )                              \
        F( u32, warp_esr_report_mask, 20 ) E( nvgpu_tsg_sm_error_state_record, 24 )                \
    S( nvgpu_tsg_read_all_sm_error_state_args ) F( u32, num_sm, 0 ) F( u32, reserved, 4 )          \
        F( u64, buffer_mem, 8 ) F( u64, buffer_size, 16 )                                          \
        E( nvgpu_tsg_read_all_sm_error_state_args, 24 )                                            \
    S( nvgpu_tsg_l2_max_ways_evict_last_args ) F( u32, max_ways, 0 ) F( u32, reserved, 4 )         \
        E( nvgpu_tsg_l2_max_ways_evict_last_args, 8 )                                              \
    S( nvgpu_tsg_set_l2_sector_promotion_args ) F( u32, promotion_flag, 0 ) F( u32, reserved, 4 )  \
        E( nvgpu_tsg_set_l2_sector_promotion_args, 8 )                                             \
    S( nvgpu_tsg_bind_scheduling_domain_args ) F( s32, domain_fd, 0 ) F( s32, reserved0, 4 )       \
        A( u64, reserved, 3, 8 ) E( nvgpu_tsg_bind_scheduling_domain_args, 32 )                    \
    S( nvgpu_tsg_get_share_token_args ) F( u64, source_device_instance_id, 0 )                     \
        F( u64, target_device_instance_id, 8 ) F( u64, share_token, 16 )                           \
        E( nvgpu_tsg_get_share_token_args, 24 )                                                    \
    S( nvgpu_tsg_revoke_share_token_args ) F( u64, source_device_instance_id, 0 )                  \
        F( u64, target_device_instance_id, 8 ) F( u64, share_token, 16 )                           \
        E( nvgpu_tsg_revoke_share_token_args, 24 )                                                 \
    S( nvgpu_channel_open_args ) U( union { ) F( s32, channel_fd, 0 )                              \
        U( struct { int32_t runlist_id; } in; struct { int32_t channel_fd; } out; }; )             \
        E( nvgpu_channel_open_args, 4 )                                                            \
    S( nvgpu_get_param_args ) F( u32, value, 0 ) E( nvgpu_get_param_args, 4 )                      \
    S( nvgpu_set_nvmap_fd_args ) F( u32, fd, 0 ) E( nvgpu_set_nvmap_fd_args, 4 )                   \
    S( nvgpu_set_timeout_args ) F( u32, timeout, 0 ) E( nvgpu_set_timeout_args, 4 )                \
    S( nvgpu_set_timeout_ex_args ) F( u32, timeout, 0 ) F( u32, flags, 4 )                         \
        E( nvgpu_set_timeout_ex_args, 8 )                                                          \
    S( nvgpu_set_error_notifier ) F( u64, offset, 0 ) F( u64, size, 8 ) F( u32, mem, 16 )          \
        F( u32, padding, 20 ) E( nvgpu_set_error_notifier, 24 )                                    \
    S( nvgpu_time_stamp ) A( u32, nanoseconds, 2, 0 ) E( nvgpu_time_stamp, 8 )                     \
    S( nvgpu_notification ) F( nvgpu_time_stamp, time_stamp, 0 ) F( u32, info32, 8 )               \
        F( u16, info16, 12 ) F( u16, status, 14 ) E( nvgpu_notification, 16 )                      \
    S( nvgpu_fence ) F( u32, id, 0 ) F( u32, value, 4 ) E( nvgpu_fence, 8 )                        \
    S( nvgpu_submit_gpfifo_args ) F( u64, gpfifo, 0 ) F( u32, num_entries, 8 )                     \
        F( u32, flags, 12 ) F( nvgpu_fence, fence, 16 ) E( nvgpu_submit_gpfifo_args, 24 )          \
    S( nvgpu_wait_notifier ) F( u32, dmabuf_fd, 0 ) F( u32, offset, 4 ) F( u32, padding1, 8 )      \
        F( u32, padding2, 12 ) E( nvgpu_wait_notifier, 16 )                                        \
    S( nvgpu_wait_semaphore ) F( u32, dmabuf_fd, 0 ) F( u32, offset, 4 ) F( u32, payload, 8 )      \
        F( u32, padding, 12 ) E( nvgpu_wait_semaphore, 16 )                                        \
    S( nvgpu_wait_condition ) U( union { struct gpucmd_nvgpu_wait_notifier notifier; )             \
        F( nvgpu_wait_semaphore, semaphore, 0 ) U( }; ) E( nvgpu_wait_condition, 16 )              \
    S( nvgpu_wait_args ) F( u32, type, 0 ) F( u32, timeout, 4 )                                    \
        F( nvgpu_wait_condition, condition, 8 ) E( nvgpu_wait_args, 24 )                           \
    S( nvgpu_preemption_mode_args ) F( u32, graphics_preempt_mode, 0 )                             \
        F( u32, compute_preempt_mode, 4 ) E( nvgpu_preemption_mode_args, 8 )                       \
    S( nvgpu_boosted_ctx_args ) F( u32, boost, 0 ) F( u32, padding, 4 )                            \
        E( nvgpu_boosted_ctx_args, 8 )                                                             \
    S( nvgpu_reschedule_runlist_args ) F( u32, flags, 0 ) E( nvgpu_reschedule_runlist_args, 4 )    \
    S( nvgpu_zcull_bind_args ) F( u64, gpu_va, 0 ) F( u32, mode, 8 ) F( u32, padding, 12 )         \
        E( nvgpu_zcull_bind_args, 16 )                                                             \
    S( nvgpu_alloc_gpfifo_ex_args ) F( u32, num_entries, 0 ) F( u32, num_inflight_jobs, 4 )        \
        F( u32, flags, 8 ) A( u32, reserved, 5, 12 ) E( nvgpu_alloc_gpfifo_ex_args, 32 )           \
    S( nvgpu_get_user_syncpoint_args ) F( u64, gpu_va, 0 ) F( u32, syncpoint_id, 8 )               \
        F( u32, syncpoint_max, 12 ) E( nvgpu_get_user_syncpoint_args, 16 )                         \
    S( nvmap_handle_param ) F( u32, handle, 0 ) F( u32, param, 4 ) F( u64, result, 8 )             \
        E( nvmap_handle_param, 16 )                                                                \
    S( nvmap_rw_handle ) F( u64, addr, 0 ) F( u32, handle, 8 ) F( u32, pad0, 12 )                  \
        F( u64, offset, 16 ) F( u64, elem_size, 24 ) F( u64, hmem_stride, 32 )                     \
        F( u64, user_stride, 40 ) F( u64, count, 48 ) E( nvmap_rw_handle, 56 )                     \
    S( nvmap_cache_op ) F( u64, addr, 0 ) F( u32, handle, 8 ) F( u32, len, 12 ) F( s32, op, 16 )   \
        F( u32, pad0, 20 ) E( nvmap_cache_op, 24 )                                                 \
    S( nvmap_cache_op_64 ) F( u64, addr, 0 ) F( u32, handle, 8 ) F( u32, pad0, 12 )                \
        F( u64, len, 16 ) F( s32, op, 24 ) F( u32, pad1, 28 ) E( nvmap_cache_op_64, 32 )           \
    S( nvmap_cache_op_list ) F( u64, handles, 0 ) F( u64, offsets, 8 ) F( u64, sizes, 16 )         \
        F( u32, nr, 24 ) F( s32, op, 28 ) E( nvmap_cache_op_list, 32 )                             \
    S( nvmap_create_handle_from_va ) F( u64, va, 0 ) F( u32, size, 8 ) F( u32, flags, 12 )         \
        U( union { uint32_t handle; ) F( u64, size64, 16 ) U( }; )                                 \
        E( nvmap_create_handle_from_va, 24 )                                                       \
    S( nvmap_set_tag_label ) F( u32, tag, 0 ) F( u32, len, 4 ) F( u64, addr, 8 )                   \
        E( nvmap_set_tag_label, 16 )                                                               \
    S( nvmap_available_heaps ) F( u64, heaps, 0 ) E( nvmap_available_heaps, 8 )                    \
    S( nvmap_heap_size ) F( u32, heap, 0 ) F( u32, pad0, 4 ) F( u64, size, 8 )                     \
        E( nvmap_heap_size, 16 )                                                                   \
    S( nvmap_handle_parameters ) F( u8, contig, 0 ) A( u8, pad0, 3, 1 ) F( u32, import_id, 4 )     \
        F( u32, handle, 8 ) F( u32, heap_number, 12 ) F( u32, access_flags, 16 )                   \
        F( u32, pad1, 20 ) F( u64, heap, 24 ) F( u64, align, 32 ) F( u64, coherency, 40 )          \
        F( u64, size, 48 ) F( u64, offset, 56 ) F( u64, serial_id, 64 )                            \
        E( nvmap_handle_parameters, 72 )                                                           \
    S( nvmap_query_heap_params ) F( u32, heap_mask, 0 ) F( u32, flags, 4 ) F( u8, contig, 8 )      \
        A( u8, pad0, 7, 9 ) F( u64, total, 16 ) F( u64, free, 24 )                                 \
        F( u64, largest_free_block, 32 ) F( u32, granule_size, 40 ) F( u32, pad1, 44 )             \
        E( nvmap_query_heap_params, 48 )                                                           \
    S( nvmap_duplicate_handle ) F( u32, handle, 0 ) F( u32, access_flags, 4 )                      \
        F( u32, dup_handle, 8 ) E( nvmap_duplicate_handle, 12 )                                    \
    S( nvmap_fd_for_range_from_list ) F( u64, handles, 0 ) F( u32, num_handles, 8 )                \
        F( u32, pad0, 12 ) F( u64, offset, 16 ) F( u64, size, 24 ) F( s32, fd, 32 )                \
        F( u32, pad1, 36 ) E( nvmap_fd_for_range_from_list, 40 )

/* Structure of the characteristics of a GPU, which gpucmd_nvgpu contains.
 * Columns as in GPUCMD_NVGPU_STRUCTS. [NVGPU] */
#define GPUCMD_NVGPU_CHARACTERISTICS(S, F, A, U, E)                                                \
    S( nvgpu_gpu_characteristics ) F( u32, arch, 0 ) F( u32, impl, 4 ) F( u32, rev, 8 )            \
        F( u32, num_gpc, 12 ) F( s32, numa_domain_id, 16 ) F( u32, pad0, 20 )                      \
        F( u64, L2_cache_size, 24 ) F( u64, on_board_video_memory_size, 32 )                       \
        F( u32, num_tpc_per_gpc, 40 ) F( u32, bus_type, 44 ) F( u32, big_page_size, 48 )           \
        F( u32, compression_page_size, 52 ) F( u32, pde_coverage_bit_count, 56 )                   \
        F( u32, available_big_page_sizes, 60 ) F( u64, flags, 64 ) F( u32, twod_class, 72 )        \
        F( u32, threed_class, 76 ) F( u32, compute_class, 80 ) F( u32, gpfifo_class, 84 )          \
        F( u32, inline_to_memory_class, 88 ) F( u32, dma_copy_class, 92 ) F( u32, gpc_mask, 96 )   \
        F( u32, sm_arch_sm_version, 100 ) F( u32, sm_arch_spa_version, 104 )                       \
        F( u32, sm_arch_warp_count, 108 ) F( s16, gpu_ioctl_nr_last, 112 )                         \
        F( s16, tsg_ioctl_nr_last, 114 ) F( s16, dbg_gpu_ioctl_nr_last, 116 )                      \
        F( s16, ioctl_channel_nr_last, 118 ) F( s16, as_ioctl_nr_last, 120 )                       \
        F( u8, gpu_va_bit_count, 122 ) F( u8, reserved, 123 ) F( u32, max_fbps_count, 124 )        \
        F( u32, fbp_en_mask, 128 ) F( u32, emc_en_mask, 132 ) F( u32, max_ltc_per_fbp, 136 )       \
        F( u32, max_lts_per_ltc, 140 ) F( u32, max_tex_per_tpc, 144 )                              \
        F( u32, max_gpc_count, 148 ) A( u32, rop_l2_en_mask_DEPRECATED, 2, 152 )                   \
        A( u8, chipname, 8, 160 ) F( u64, gr_compbit_store_base_hw, 168 )                          \
        F( u32, gr_gobs_per_comptagline_per_slice, 176 ) F( u32, num_ltc, 180 )                    \
        F( u32, lts_per_ltc, 184 ) F( u32, cbc_cache_line_size, 188 )                              \
        F( u32, cbc_comptags_per_line, 192 ) F( u32, map_buffer_batch_limit, 196 )                 \
        F( u64, max_freq, 200 ) F( u32, graphics_preemption_mode_flags, 208 )                      \
        F( u32, compute_preemption_mode_flags, 212 ) F( u32, default_graphics_preempt_mode, 216 )  \
        F( u32, default_compute_preempt_mode, 220 ) F( u64, local_video_memory_size, 224 )         \
        F( u16, pci_vendor_id, 232 ) F( u16, pci_device_id, 234 )                                  \
        F( u16, pci_subsystem_vendor_id, 236 ) F( u16, pci_subsystem_device_id, 238 )              \
        F( u16, pci_class, 240 ) F( u8, pci_revision, 242 ) F( u8, vbios_oem_version, 243 )        \
        F( u32, vbios_version, 244 ) F( u32, reg_ops_limit, 248 ) F( u32, reserved1, 252 )         \
        F( s16, event_ioctl_nr_last, 256 ) F( u16, pad, 258 ) F( u32, max_css_buffer_size, 260 )   \
        F( s16, ctxsw_ioctl_nr_last, 264 ) F( s16, prof_ioctl_nr_last, 266 )                       \
        F( s16, nvs_ioctl_nr_last, 268 ) A( u8, reserved2, 2, 270 )                                \
        F( u32, max_ctxsw_ring_buffer_size, 272 ) F( u32, reserved3, 276 )                         \
        F( u64, per_device_identifier, 280 ) F( u32, num_ppc_per_gpc, 288 )                        \
        F( u32, max_veid_count_per_tsg, 292 ) F( u32, num_sub_partition_per_fbpa, 296 )            \
        F( u32, gpu_instance_id, 300 ) F( u32, gr_instance_id, 304 )                               \
        F( u32, max_gpfifo_entries, 308 ) F( u32, max_dbg_tsg_timeslice, 312 )                     \
        F( u32, reserved5, 316 ) F( u64, device_instance_id, 320 )                                 \
        E( nvgpu_gpu_characteristics, 328 )

/* All ioctls of the nodes /dev/nvmap and ctrl, and of the descriptors that these nodes return.
 *   handler  function of the model kernel. absent: the model kernel lacks the ioctl and
 *            returns ENOSYS. unknown: the ioctl is in the headers of the kernel but not
 *            in its drivers, so that the driver and the model kernel return ENOTTY
 *   errno    every errno that the handler returns. Before the handler is called, the
 *            call can fail with EBADF, EINVAL, ENOTTY or EFAULT. [NVGPU] [NVGPUK] */
#define GPUCMD_NVGPU_IOCTLS(I)                                                                     \
    /*  name                                            handler            errno */                \
    I( NVGPU_GPU_IOCTL_ZCULL_GET_CTX_SIZE,             absent,            "ENOSYS" )               \
    I( NVGPU_GPU_IOCTL_GET_CHARACTERISTICS,            characteristics,   "" )                     \
    I( NVGPU_GPU_IOCTL_ALLOC_AS,                       alloc_as,          "EMFILE EINVAL ENOMEM" ) \
    I( NVGPU_GPU_IOCTL_OPEN_TSG,                       open_tsg,          "EMFILE EINVAL ENOMEM" ) \
    I( NVGPU_GPU_IOCTL_GET_TPC_MASKS,                  absent,            "ENOSYS" )               \
    I( NVGPU_GPU_IOCTL_OPEN_CHANNEL,                   open_channel,      "EMFILE EINVAL ENOMEM" ) \
    I( NVGPU_GPU_IOCTL_FLUSH_L2,                       flush_l2,          "EINVAL" )               \
    I( NVGPU_GPU_IOCTL_NUM_VSMS,                       absent,            "ENOSYS" )               \
    I( NVGPU_GPU_IOCTL_VSMS_MAPPING,                   absent,            "ENOSYS" )               \
    I( NVGPU_GPU_IOCTL_GET_CPU_TIME_CORRELATION_INFO,  absent,            "ENOSYS" )               \
    I( NVGPU_GPU_IOCTL_GET_GPU_TIME,                   absent,            "ENOSYS" )               \
    I( NVGPU_GPU_IOCTL_GET_ENGINE_INFO,                absent,            "ENOSYS" )               \
    I( NVGPU_GPU_IOCTL_GET_MEMORY_STATE,               absent,            "ENOSYS" )               \
    I( NVGPU_GPU_IOCTL_SET_DETERMINISTIC_OPTS,         absent,            "ENOSYS" )               \
    I( NVGPU_GPU_IOCTL_REGISTER_BUFFER,                absent,            "ENOSYS" )               \
    I( NVGPU_GPU_IOCTL_GET_BUFFER_INFO,                absent,            "ENOSYS" )               \
    I( NVGPU_AS_IOCTL_BIND_CHANNEL,                    as_bind,           "EINVAL" )               \
    I( NVGPU32_AS_IOCTL_ALLOC_SPACE,                   alloc_space32,     "EINVAL ENOMEM" )        \
    I( NVGPU_AS_IOCTL_FREE_SPACE,                      free_space,        "" )                     \
    I( NVGPU_AS_IOCTL_UNMAP_BUFFER,                    unmap_buffer,      "" )                     \
    I( NVGPU_AS_IOCTL_ALLOC_SPACE,                     alloc_space,       "EINVAL ENOMEM" )        \
    I( NVGPU_AS_IOCTL_MAP_BUFFER_EX,                   map_buffer,        "EBADF EINVAL ENOMEM" )  \
    I( NVGPU_AS_IOCTL_GET_VA_REGIONS,                  va_regions,        "EFAULT" )               \
    I( NVGPU_AS_IOCTL_GET_BUFFER_COMPBITS_INFO,        unknown,           "ENOTTY" )               \
    I( NVGPU_AS_IOCTL_MAP_BUFFER_COMPBITS,             unknown,           "ENOTTY" )               \
    I( NVGPU_AS_IOCTL_MAP_BUFFER_BATCH,                absent,            "ENOSYS" )               \
    I( NVGPU_AS_IOCTL_GET_SYNC_RO_MAP,                 absent,            "ENOSYS" )               \
    I( NVGPU_AS_IOCTL_MAPPING_MODIFY,                  absent,            "ENOSYS" )               \
    I( NVGPU_AS_IOCTL_REMAP,                           absent,            "ENOSYS" )               \
    I( NVGPU_TSG_IOCTL_BIND_CHANNEL,                   tsg_bind,          "EINVAL ENOSPC" )        \
    I( NVGPU_TSG_IOCTL_UNBIND_CHANNEL,                 tsg_unbind,        "EINVAL" )               \
    I( NVGPU_IOCTL_TSG_ENABLE,                         absent,            "ENOSYS" )               \
    I( NVGPU_IOCTL_TSG_DISABLE,                        absent,            "ENOSYS" )               \
    I( NVGPU_IOCTL_TSG_PREEMPT,                        absent,            "ENOSYS" )               \
    I( NVGPU_IOCTL_TSG_EVENT_ID_CTRL,                  absent,            "ENOSYS" )               \
    I( NVGPU_IOCTL_TSG_SET_RUNLIST_INTERLEAVE,         absent,            "ENOSYS" )               \
    I( NVGPU_IOCTL_TSG_SET_TIMESLICE,                  set_timeslice,     "EINVAL" )               \
    I( NVGPU_IOCTL_TSG_GET_TIMESLICE,                  get_timeslice,     "" )                     \
    I( NVGPU_TSG_IOCTL_BIND_CHANNEL_EX,                tsg_bind_ex,       "EINVAL ENOSPC" )        \
    I( NVGPU_TSG_IOCTL_READ_SINGLE_SM_ERROR_STATE,     absent,            "ENOSYS" )               \
    I( NVGPU_TSG_IOCTL_SET_L2_MAX_WAYS_EVICT_LAST,     absent,            "ENOSYS" )               \
    I( NVGPU_TSG_IOCTL_GET_L2_MAX_WAYS_EVICT_LAST,     absent,            "ENOSYS" )               \
    I( NVGPU_TSG_IOCTL_SET_L2_SECTOR_PROMOTION,        absent,            "ENOSYS" )               \
    I( NVGPU_TSG_IOCTL_BIND_SCHEDULING_DOMAIN,         absent,            "ENOSYS" )               \
    I( NVGPU_TSG_IOCTL_READ_ALL_SM_ERROR_STATES,       absent,            "ENOSYS" )               \
    I( NVGPU_TSG_IOCTL_CREATE_SUBCONTEXT,              create_subcontext, "EINVAL ENOSPC" )        \
    I( NVGPU_TSG_IOCTL_DELETE_SUBCONTEXT,              delete_subcontext, "EINVAL" )               \
    I( NVGPU_TSG_IOCTL_GET_SHARE_TOKEN,                absent,            "ENOSYS" )               \
    I( NVGPU_TSG_IOCTL_REVOKE_SHARE_TOKEN,             absent,            "ENOSYS" )               \
    I( NVGPU_IOCTL_CHANNEL_SET_NVMAP_FD,               absent,            "ENOSYS" )               \
    I( NVGPU_IOCTL_CHANNEL_SET_TIMEOUT,                absent,            "ENOSYS" )               \
    I( NVGPU_IOCTL_CHANNEL_GET_TIMEDOUT,               get_timedout,      "" )                     \
    I( NVGPU_IOCTL_CHANNEL_SET_TIMEOUT_EX,             absent,            "ENOSYS" )               \
    I( NVGPU_IOCTL_CHANNEL_WAIT,                       absent,            "ENOSYS" )               \
    I( NVGPU_IOCTL_CHANNEL_SUBMIT_GPFIFO, submit_gpfifo, "ETIMEDOUT EINVAL ENOMEM" )               \
    I( NVGPU_IOCTL_CHANNEL_ALLOC_OBJ_CTX,              alloc_obj_ctx,     "EINVAL" )               \
    I( NVGPU_IOCTL_CHANNEL_ZCULL_BIND,                 absent,            "ENOSYS" )               \
    I( NVGPU_IOCTL_CHANNEL_SET_ERROR_NOTIFIER,         set_notifier,      "EINVAL" )               \
    I( NVGPU_IOCTL_CHANNEL_OPEN,                       absent,            "ENOSYS" )               \
    I( NVGPU_IOCTL_CHANNEL_ENABLE,                     absent,            "ENOSYS" )               \
    I( NVGPU_IOCTL_CHANNEL_DISABLE,                    absent,            "ENOSYS" )               \
    I( NVGPU_IOCTL_CHANNEL_PREEMPT,                    absent,            "ENOSYS" )               \
    I( NVGPU_IOCTL_CHANNEL_FORCE_RESET,                absent,            "ENOSYS" )               \
    I( NVGPU_IOCTL_CHANNEL_EVENT_ID_CTRL,              unknown,           "ENOTTY" )               \
    I( NVGPU_IOCTL_CHANNEL_WDT,                        wdt,               "EINVAL" )               \
    I( NVGPU_IOCTL_CHANNEL_SET_RUNLIST_INTERLEAVE,     unknown,           "ENOTTY" )               \
    I( NVGPU_IOCTL_CHANNEL_SET_PREEMPTION_MODE,        absent,            "ENOSYS" )               \
    I( NVGPU_IOCTL_CHANNEL_ALLOC_GPFIFO_EX,            absent,            "ENOSYS" )               \
    I( NVGPU_IOCTL_CHANNEL_SET_BOOSTED_CTX,            absent,            "ENOSYS" )               \
    I( NVGPU_IOCTL_CHANNEL_GET_USER_SYNCPOINT,         get_syncpoint,     "" )                     \
    I( NVGPU_IOCTL_CHANNEL_RESCHEDULE_RUNLIST,         absent,            "ENOSYS" )               \
    I( NVGPU_IOCTL_CHANNEL_SETUP_BIND, setup_bind, "EINVAL EEXIST EBADF ENOMEM" )                  \
    I( NVMAP_IOC_CREATE,                               nvmap_create,      "EINVAL ENOMEM" )        \
    I( NVMAP_IOC_CREATE_64,                            nvmap_create_64,   "EINVAL ENOMEM" )        \
    I( NVMAP_IOC_FROM_ID,                              unknown,           "ENOTTY" )               \
    I( NVMAP_IOC_ALLOC,                                nvmap_alloc,       "EINVAL ENOMEM EEXIST" ) \
    I( NVMAP_IOC_FREE,                                 nvmap_free,        "" )                     \
    I( NVMAP_IOC_WRITE,                                absent,            "ENOSYS" )               \
    I( NVMAP_IOC_READ,                                 absent,            "ENOSYS" )               \
    I( NVMAP_IOC_PARAM,                                unknown,           "ENOTTY" )               \
    I( NVMAP_IOC_CACHE,                                absent,            "ENOSYS" )               \
    I( NVMAP_IOC_CACHE_64,                             absent,            "ENOSYS" )               \
    I( NVMAP_IOC_GET_ID,                               unknown,           "ENOTTY" )               \
    I( NVMAP_IOC_GET_FD,                               nvmap_get_fd,      "EINVAL EBADF EFAULT" )  \
    I( NVMAP_IOC_FROM_FD,                              nvmap_from_fd,     "EBADF EINVAL ENOMEM" )  \
    I( NVMAP_IOC_CACHE_LIST,                           absent,            "ENOSYS" )               \
    I( NVMAP_IOC_FROM_VA,                              absent,            "ENOSYS" )               \
    I( NVMAP_IOC_SET_TAG_LABEL,                        absent,            "ENOSYS" )               \
    I( NVMAP_IOC_GET_AVAILABLE_HEAPS,                  absent,            "ENOSYS" )               \
    I( NVMAP_IOC_GET_HEAP_SIZE,                        absent,            "ENOSYS" )               \
    I( NVMAP_IOC_PARAMETERS,                           nvmap_parameters,  "ENODEV" )               \
    I( NVMAP_IOC_QUERY_HEAP_PARAMS,                    absent,            "ENOSYS" )               \
    I( NVMAP_IOC_DUP_HANDLE,                           absent,            "ENOSYS" )               \
    I( NVMAP_IOC_GET_FD_FOR_RANGE_FROM_LIST,           absent,            "ENOSYS" )

/* The driver of a descriptor accepts ioctls with this letter, a number up to last_nr, and an
 * argument of at most most_bytes bytes. Any other ioctl fails with EINVAL. Exception: nvmap accepts
 * the ioctls of GPUCMD_NVGPU_IOCTLS with letter N; any other ioctl fails with ENOTTY. [NVGPUK] */
#define GPUCMD_NVGPU_LETTERS(L)                                                                    \
    /*  descriptor  letter  last_nr  most_bytes */                                                 \
    L( CTRL,        'G',    44,      264 )                                                         \
    L( AS,          'A',    14,      40 )                                                          \
    L( TSG,         'T',    21,      32 )                                                          \
    L( CHANNEL,     'H',    128,     104 )

/* Bits of nvgpu_gpu_characteristics.flags: features that the driver offers.
 * Column ga10b is 1 if the driver sets the bit on the chip ga10b. [NVGPU] [NVGPUK] */
#define GPUCMD_NVGPU_FLAGS(G)                                                                      \
    /*  name                      bit  ga10b  meaning */                                           \
    G( SYNCPOINTS,                0,   1,  "has syncpoints" )                                      \
    G( SPARSE_ALLOCS,             2,   1,  "sparse allocations" )                                  \
    G( SYNC_FENCE_FDS,            3,   1,  "fences as descriptors" )                               \
    G( TSG,                       8,   1,  "time-slice groups" )                                   \
    G( FECS_CTXSW_TRACE,          16,  1,  "trace of context switches" )                           \
    G( DETERMINISTIC_NO_JOBS,     18,  1,  "deterministic submit without job tracking" )           \
    G( DETERMINISTIC_FULL,        19,  1,  "deterministic submit" )                                \
    G( IO_COHERENCE,              20,  1,  "memory is coherent with the CPU" )                     \
    G( TSG_SUBCONTEXTS,           22,  1,  "subcontexts" )                                         \
    G( DETERMINISTIC_OPTS,        24,  1,  "options of deterministic channels" )                   \
    G( SCG,                       25,  1,  "simultaneous compute and graphics" )                   \
    G( SYNCPOINT_ADDRESS,         26,  1,  "syncpoints have addresses" )                           \
    G( USER_SYNCPOINT,            28,  1,  "syncpoints for user space" )                           \
    G( USERMODE_SUBMIT,           30,  1,  "doorbell in user space" )                              \
    G( SET_MMU_DEBUG_MODE,        32,  1,  "MMU debug mode" )                                      \
    G( FAULT_RECOVERY,            33,  1,  "recovers from faults" )                                \
    G( MAPPING_MODIFY,            34,  1,  "MAPPING_MODIFY" )                                      \
    G( REMAP,                     35,  1,  "REMAP" )                                               \
    G( COMPRESSION,               36,  1,  "compression" )                                         \
    G( POST_L2_COMPRESSION,       38,  1,  "compression after the L2" )                            \
    G( MAP_ACCESS_TYPE,           39,  1,  "read-only mappings" )                                  \
    G( CLASS_2D,                  40,  1,  "2D class" )                                            \
    G( CLASS_3D,                  41,  1,  "3D class" )                                            \
    G( CLASS_COMPUTE,             42,  1,  "compute class" )                                       \
    G( CLASS_I2M,                 43,  1,  "inline-to-memory class" )                              \
    G( CLASS_ZBC,                 44,  1,  "ZBC" )                                                 \
    G( PROFILER_V2_DEVICE,        46,  1,  "profiler of the device" )                              \
    G( SMPC_GLOBAL_MODE,          48,  1,  "SMPC global mode" )                                    \
    G( GET_GR_CONTEXT,            49,  1,  "GET_GR_CONTEXT" )                                      \
    G( BUFFER_METADATA,           50,  1,  "metadata of buffers" )                                 \
    G( L2_MAX_WAYS_EVICT_LAST,    51,  1,  "ways of the L2 that are evicted last" )                \
    G( VAB,                       52,  1,  "virtual access bits" )                                 \
    G( NVS,                       53,  1,  "scheduler node" )                                      \
    G( ERRBAR_WAIT,               55,  1,  "wait of error barriers" )                              \
    G( TSG_SHARING,               56,  1,  "groups shared between processes" )                     \
    G( GPU_MMIO,                  57,  0,  "doorbell mapped for the GPU" )

/* All classes that ALLOC_OBJ_CTX of ga10b accepts. Kind GRAPHICS needs subcontext 0. [NVGPUK] */
#define GPUCMD_NVGPU_CLASSES(K)                                                                    \
    /*  class kind                  class kind                  class kind */                      \
    K( C7C0, COMPUTE )       K( C7B5, COPY )          K( C76F, CHANNEL )                           \
    K( C797, GRAPHICS )      K( C637, OTHER )         K( C5C0, COMPUTE )                           \
    K( C5B5, COPY )          K( C46F, CHANNEL )       K( C597, GRAPHICS )                          \
    K( C4B7, OTHER )         K( C3C0, COMPUTE )       K( C3B5, COPY )                              \
    K( C36F, CHANNEL )       K( C397, GRAPHICS )      K( C0C0, COMPUTE )                           \
    K( C0B5, COPY )          K( C06F, CHANNEL )       K( C097, GRAPHICS )                          \
    K( B1C0, COMPUTE )       K( B0B5, COPY )          K( A0B5, COPY )                              \
    K( B06F, CHANNEL )       K( B197, GRAPHICS )      K( A140, OTHER )                             \
    K( 902D, OTHER )

/* Requests to the kernel, in the order in which a start-up makes them. */
#define GPUCMD_NVGPU_STEPS(S)                                                                      \
    /*  name                text */                                                                \
    S( NONE,                "nothing failed" )                                                     \
    S( OPEN_NVMAP,          "open /dev/nvmap" )                                                    \
    S( OPEN_CTRL,           "open /dev/nvgpu/igpu0/ctrl" )                                         \
    S( GET_CHARACTERISTICS, "read the characteristics of the GPU" )                                \
    S( ALLOC_AS,            "create the address space" )                                           \
    S( ALLOC_SPACE,         "reserve a shader window" )                                            \
    S( MAP_USERMODE,        "map the doorbell page" )                                              \
    S( OPEN_TSG,            "create the group" )                                                   \
    S( CREATE_SUBCONTEXT,   "create the subcontext" )                                              \
    S( CREATE,              "nvmap: create a handle" )                                             \
    S( ALLOC,               "nvmap: allocate memory" )                                             \
    S( GET_FD,              "nvmap: create a dma-buf descriptor" )                                 \
    S( MAP_BUFFER_EX,       "map the buffer for the GPU" )                                         \
    S( MMAP,                "map the buffer for the CPU" )                                         \
    S( OPEN_CHANNEL,        "open a channel" )                                                     \
    S( AS_BIND_CHANNEL,     "bind the channel to the address space" )                              \
    S( TSG_BIND_CHANNEL,    "bind the channel to the group" )                                      \
    S( WDT,                 "disable the watchdog" )                                               \
    S( RING,                "allocate the ring" )                                                  \
    S( USERD,               "allocate USERD" )                                                     \
    S( SETUP_BIND,          "set up the channel with ring and USERD" )                             \
    S( OVERLAY_RING,        "map the ring over the area" )                                         \
    S( OVERLAY_USERD,       "map USERD over the area" )                                            \
    S( ALLOC_OBJ_CTX,       "create a compute or copy object" )                                    \
    S( READ_MAX_FREQ,       "read max_freq of devfreq" )                                           \
    S( READ_MIN_FREQ,       "read min_freq of devfreq" )                                           \
    S( WRITE_MIN_FREQ,      "write min_freq of devfreq" )                                          \
    S( PARAMS,              "check the parameters" )

/* Classes of the desktop driver. Column action is what gpucmd_nvgpu_rm_alloc does for the class.
 * For NONE and STUB the function makes no system call, for REFUSE it returns GPUCMD_UNSUPPORTED.
 * The numbers are from [RM], the actions from [TEGRAIF]. */
#define GPUCMD_NVGPU_RM_CLASSES(C)                                                                 \
    /*  name                 number  action  (several rows in a line) */                           \
    C( NV01_ROOT,                0x0000, NONE )     C( NV01_ROOT_CLIENT,         0x0041, NONE )    \
    C( NV01_DEVICE_0,            0x0080, NONE )     C( NV20_SUBDEVICE_0,         0x2080, NONE )    \
    C( NV01_MEMORY_VIRTUAL,      0x0070, AS )       C( FERMI_VASPACE_A,          0x90f1, NONE )    \
    C( KEPLER_CHANNEL_GROUP_A,   0xa06c, TSG )                                                     \
    C( FERMI_CONTEXT_SHARE_A,    0x9067, SUBCONTEXT )                                              \
    C( AMPERE_CHANNEL_GPFIFO_A,  0xc56f, CHANNEL )  C( AMPERE_CHANNEL_GPFIFO_B,  0xc76f, CHANNEL ) \
    C( AMPERE_COMPUTE_B,         0xc7c0, COMPUTE )  C( AMPERE_DMA_COPY_B,        0xc7b5, COPY )    \
    C( AMPERE_COMPUTE_A,         0xc6c0, REFUSE )   C( AMPERE_DMA_COPY_A,        0xc6b5, REFUSE )  \
    C( GT200_DEBUGGER,           0x83de, NONE )     C( VOLTA_USERMODE_A,         0xc361, STUB )    \
    C( TURING_USERMODE_A,        0xc461, STUB )     C( AMPERE_USERMODE_A,        0xc561, STUB )    \
    C( NV1_MEMORY_SYSTEM,        0x003e, STUB )     C( NV1_MEMORY_USER,          0x0040, STUB )    \
    C( NV01_MEMORY_SYSTEM_OS_DESCRIPTOR, 0x0071, STUB )                                            \
    C( MAXWELL_PROFILER_DEVICE,  0xb2cc, STUB )

/* Controls of the desktop driver. Column bytes is the size of the parameters, 0: the parameters are
 * ignored. Column action is what gpucmd_nvgpu_rm_control does for the control. */
#define GPUCMD_NVGPU_RM_CONTROLS(C)                                                                \
    /*  name                                            number      bytes action */                \
    C( NV2080_CTRL_CMD_PERF_BOOST,                      0x2080200a, 8,    PERF_BOOST )             \
    C( NVA06C_CTRL_CMD_GPFIFO_SCHEDULE,                 0xa06c0101, 0,    NONE )                   \
    C( NVA06F_CTRL_CMD_GPFIFO_SCHEDULE,                 0xa06f0103, 0,    NONE )                   \
    C( NVA06F_CTRL_CMD_BIND,                            0xa06f0104, 0,    NONE )                   \
    C( NVC36F_CTRL_CMD_GPFIFO_GET_WORK_SUBMIT_TOKEN,    0xc36f0108, 4,    TOKEN )                  \
    C( NV2080_CTRL_CMD_GR_GET_INFO,                     0x20801201, 32,   GR_INFO )                \
    C( NV2080_CTRL_CMD_GR_GET_GPC_MASK,                 0x2080122a, 0,    NONE )                   \
    C( NV2080_CTRL_CMD_GR_GET_TPC_MASK,                 0x2080122b, 0,    NONE )                   \
    C( NV0080_CTRL_CMD_GPU_GET_CLASSLIST,               0x00800201, 16,   CLASSLIST )              \
    C( NV2080_CTRL_CMD_GPU_GET_GID_INFO,                0x2080014a, 268,  GID_INFO )               \
    C( NV2080_CTRL_CMD_FB_FLUSH_GPU_CACHE,              0x2080130e, 0,    NONE )

/* Byte offsets of the parameters of the desktop driver that gpucmd_nvgpu_rm reads or writes. */
#define GPUCMD_NVGPU_RM_PARAMS(P)                                                                  \
    /*  name                   off  (several rows in a line) */                                    \
    P( CHANNEL_H_BUFFER,       4 )                  P( CHANNEL_GPFIFO_OFFSET,  8 )                 \
    P( CHANNEL_ENTRIES,        16 )                 P( CHANNEL_CONTEXT_SHARE,  24 )                \
    P( CHANNEL_USERD_OFFSET,   64 )                 P( CHANNEL_ENGINE_TYPE,    128 )               \
    P( CHANNEL_BYTES,          368 )                P( BOOST_FLAGS,            0 )                 \
    P( GR_INFO_COUNT,          0 )                  P( GR_INFO_LIST,           8 )                 \
    P( CLASSLIST_COUNT,        0 )                  P( CLASSLIST_LIST,         8 )                 \
    P( GID_LENGTH,             8 )                  P( GID_DATA,               12 )

/* Values of GR_GET_INFO by index; gr points to the GPU characteristics. Other indices have 0. */
#define GPUCMD_NVGPU_GR_INFOS(G)                                                                   \
    /*  name                index  value */                                                        \
    G( SM_VERSION,          0x0c,  gr->sm_arch_sm_version )                                        \
    G( WARPS_PER_SM,        0x0d,  gr->sm_arch_warp_count )                                        \
    G( NUM_GPCS,            0x14,  gr->num_gpc )                                                   \
    G( NUM_TPC_PER_GPC,     0x17,  gr->num_tpc_per_gpc )                                           \
    G( NUM_SM_PER_TPC,      0x20,  2 )

/* Fields of a work submit token of ga10b. The library does not interpret the token. [NVGPUK] */
#define GPUCMD_NVGPU_TOKEN_FIELDS(F)                                                               \
    /*  name              hi  lo  unit  meaning          source */                                 \
    F( NVGPU_CHANNEL,     11,  0, "",   "channel",       NVGPUK )                                  \
    F( NVGPU_RUNLIST,     22, 16, "",   "run list",      NVGPUK )

/* Tables of the model kernel, owned by the caller.
 *   member, count  members of gpucmd_nvgpu_kernel: address of the table, number of its rows
 *   used           member of a row that is 0 while the row is free
 *   store          number of rows in gpucmd_nvgpu_kernel_store, which is enough for a
 *                  program with a few channels */
#define GPUCMD_NVGPU_KERNEL_TABLES(T)                                                              \
    /*  name       member    count          type                         used    store */          \
    T( FILES,      files,    fd_count,    gpucmd_nvgpu_kernel_file,    kind,   64 )              \
    T( BUFFERS,    buffers,  buffer_count,  gpucmd_nvgpu_kernel_buffer,  refs,   48 )              \
    T( HANDLES,    handles,  handle_count,  gpucmd_nvgpu_kernel_handle,  number, 48 )              \
    T( CTRLS,      ctrls,    ctrl_count,    gpucmd_nvgpu_kernel_ctrl,    refs,   4 )               \
    T( SPACES,     spaces,   space_count,   gpucmd_nvgpu_kernel_as,      refs,   4 )               \
    T( RANGES,     ranges,   range_count,   gpucmd_nvgpu_kernel_range,   kind,   64 )              \
    T( TSGS,       tsgs,     tsg_count,     gpucmd_nvgpu_kernel_tsg,     refs,   4 )               \
    T( CHANNELS,   channels, channel_count, gpucmd_nvgpu_kernel_channel, used,   8 )               \
    T( VMAS,       vmas,     vma_count,     gpucmd_nvgpu_kernel_vma,     kind,   64 )
/* clang-format on */

/* ==== [NV.CONST] =========================================================================== */

#define GPUCMD_NV_PRIV_CHIP(name, id, family, bus, other) GPUCMD_NV_CHIP_##name,
typedef enum gpucmd_nv_chip { GPUCMD_NV_CHIPS(GPUCMD_NV_PRIV_CHIP) } gpucmd_nv_chip;
#undef GPUCMD_NV_PRIV_CHIP

enum {
    GPUCMD_NV_CHIP_COUNT = GPUCMD_NV_CHIP_GB207 + 1, /* GB207 is the last row of GPUCMD_NV_CHIPS */
    GPUCMD_NV_CHIP_LATER = GPUCMD_NV_CHIP_COUNT,     /* in column until of a row: all later chips */
};

#define GPUCMD_NV_PRIV_FAMILY(name) GPUCMD_NV_FAMILY_##name,
typedef enum gpucmd_nv_family { GPUCMD_NV_FAMILIES(GPUCMD_NV_PRIV_FAMILY) } gpucmd_nv_family;
#undef GPUCMD_NV_PRIV_FAMILY

/* Bus of a chip. A chip of bus AGP is on a PCI card or an AGP card; the GPU detects which. */
typedef enum gpucmd_nv_bus {
    GPUCMD_NV_BUS_AGP,
    GPUCMD_NV_BUS_PCIE,
    GPUCMD_NV_BUS_IGP,
    GPUCMD_NV_BUS_FLEXIO,
    GPUCMD_NV_BUS_TEGRA,
} gpucmd_nv_bus;

/* Constants for each row of the field tables: GPUCMD_NV_<field>_HI is the highest bit, _LO the
 * lowest bit. GPUCMD_FIELD_PUT(NV_<field>, v), _GET, _MAX, _MASK and _CONST use them. */
#define GPUCMD_NV_PRIV_BITS(name, hi, lo, unit, meaning, src)                                      \
    GPUCMD_NV_##name##_HI = hi, GPUCMD_NV_##name##_LO = lo,
enum { GPUCMD_NV_OLD_FIELDS(GPUCMD_NV_PRIV_BITS) };
enum { GPUCMD_NV_HDR_FIELDS(GPUCMD_NV_PRIV_BITS) };
enum { GPUCMD_NV_ENTRY_FIELDS(GPUCMD_NV_PRIV_BITS) };
enum { GPUCMD_NV_PBDMA_FIELDS(GPUCMD_NV_PRIV_BITS) };
enum { GPUCMD_NV_AREA_FIELDS(GPUCMD_NV_PRIV_BITS) };
enum { GPUCMD_NV_USERMODE_FIELDS(GPUCMD_NV_PRIV_BITS) };
enum { GPUCMD_NV_BLOCK_FIELDS(GPUCMD_NV_PRIV_BITS) };
enum { GPUCMD_NV_STRAP_FIELDS(GPUCMD_NV_PRIV_BITS) };
enum { GPUCMD_NV_HOST_FIELDS(GPUCMD_NV_PRIV_BITS) };
enum { GPUCMD_NV_ENGINE_FIELDS(GPUCMD_NV_PRIV_BITS) };
#undef GPUCMD_NV_PRIV_BITS

/* Constants for the forms of command words: GPUCMD_NV_FORM_INC, ... */
#define GPUCMD_NV_PRIV_FORM(name) GPUCMD_NV_FORM_##name,
typedef enum gpucmd_nv_form { GPUCMD_NV_FORMS(GPUCMD_NV_PRIV_FORM) } gpucmd_nv_form;
#undef GPUCMD_NV_PRIV_FORM

/* Values of the op fields of each form. GPUCMD_NV_PRIV_OLD_SEC_*, _OLD_TERT_* and _OLD_PRIM_* are
 * for the forms before GF100, GPUCMD_NV_PRIV_SEC_* and _TERT_* for GF100 and later. */
#define GPUCMD_NV_PRIV_OLD(name, picture, sec, tert, prim, mask, since, mode, sli, src)            \
    GPUCMD_NV_PRIV_OLD_SEC_##name = sec, GPUCMD_NV_PRIV_OLD_TERT_##name = tert,                    \
    GPUCMD_NV_PRIV_OLD_PRIM_##name = prim,
#define GPUCMD_NV_PRIV_HDR(name, picture, sec, tert, mask, is_new, is_old, src)                    \
    GPUCMD_NV_PRIV_SEC_##name = sec, GPUCMD_NV_PRIV_TERT_##name = tert,
enum { GPUCMD_NV_OLD_FORMS(GPUCMD_NV_PRIV_OLD) };
enum { GPUCMD_NV_HDR_FORMS(GPUCMD_NV_PRIV_HDR) };
#undef GPUCMD_NV_PRIV_OLD
#undef GPUCMD_NV_PRIV_HDR

/* Rule that selects the method for each data word of a method run. */
typedef enum gpucmd_nv_kind {
    GPUCMD_NV_KIND_INC,     /* each word goes to the method after the method of the word before */
    GPUCMD_NV_KIND_NON_INC, /* all words go to one method */
    GPUCMD_NV_KIND_ONE_INC, /* the first word goes to one method, all others to the next method */
    GPUCMD_NV_KIND_IMMD,    /* the header contains the only word */
} gpucmd_nv_kind;

/* Operations of control entries: GPUCMD_NV_CONTROL_NOP, ... */
#define GPUCMD_NV_PRIV_CONTROL(name, op, since, src) GPUCMD_NV_CONTROL_##name = op,
typedef enum gpucmd_nv_control { GPUCMD_NV_CONTROLS(GPUCMD_NV_PRIV_CONTROL) } gpucmd_nv_control;
#undef GPUCMD_NV_PRIV_CONTROL

/* Errors of the pusher: GPUCMD_NV_PUSHER_ERROR_NONE, ... */
#define GPUCMD_NV_PRIV_ERROR(name, id, text) GPUCMD_NV_PUSHER_ERROR_##name = id,
typedef enum gpucmd_nv_pusher_error {
    GPUCMD_NV_PUSHER_ERRORS(GPUCMD_NV_PRIV_ERROR)
} gpucmd_nv_pusher_error;
#undef GPUCMD_NV_PRIV_ERROR

/* Bits of the PBDMA register INTR_0: GPUCMD_NV_PBDMA_INTR_GPENTRY, ... */
#define GPUCMD_NV_PRIV_INTR(name, bit, text) GPUCMD_NV_PBDMA_INTR_##name = 1 << (bit),
enum { GPUCMD_NV_PBDMA_INTRS(GPUCMD_NV_PRIV_INTR) };
#undef GPUCMD_NV_PRIV_INTR

/* Offsets of registers in the channel control area: GPUCMD_NV_AREA_DMA_PUT, ... */
#define GPUCMD_NV_PRIV_AREA(name, off, since, until, rd, wr, meaning) GPUCMD_NV_AREA_##name = off,
enum { GPUCMD_NV_AREA_REGS(GPUCMD_NV_PRIV_AREA) };
#undef GPUCMD_NV_PRIV_AREA

/* Offsets of ports, and numbers of the bus interface: GPUCMD_NV_PORT_MASTER,
 * GPUCMD_NV_RMA_SIG, GPUCMD_NV_PORTS_SIGNATURE, ... */
#define GPUCMD_NV_PRIV_PORT(name, off, meaning)     GPUCMD_NV_PORT_##name = off,
#define GPUCMD_NV_PRIV_RMA(name, off, meaning)      GPUCMD_NV_RMA_##name = off,
#define GPUCMD_NV_PRIV_NUMBER(name, value, meaning) GPUCMD_NV_##name = value,
enum { GPUCMD_NV_PORTS(GPUCMD_NV_PRIV_PORT) };
enum { GPUCMD_NV_RMA_PORTS(GPUCMD_NV_PRIV_RMA) };
enum { GPUCMD_NV_BUS_NUMBERS(GPUCMD_NV_PRIV_NUMBER) };
#undef GPUCMD_NV_PRIV_PORT
#undef GPUCMD_NV_PRIV_RMA
#undef GPUCMD_NV_PRIV_NUMBER

/* Offsets of registers in the usermode region: GPUCMD_NV_USERMODE_CFG0, ... */
#define GPUCMD_NV_PRIV_USERMODE(name, off, meaning) GPUCMD_NV_USERMODE_##name = off,
enum { GPUCMD_NV_USERMODE_REGS(GPUCMD_NV_PRIV_USERMODE) };
#undef GPUCMD_NV_PRIV_USERMODE

/* True if chip is GF100 or later. Earlier chips have another format of command words. */
#define GPUCMD_NV_IS_GF100(chip) ((chip) >= GPUCMD_NV_CHIP_GF100)

/* Number of words of each command; n is the number of data words. */
#define GPUCMD_NV_INC_DW(n)          (1u + (n))
#define GPUCMD_NV_NON_INC_DW(n)      (1u + (n))
#define GPUCMD_NV_ONE_INC_DW(n)      (1u + (n))
#define GPUCMD_NV_IMMD_DW            1u
#define GPUCMD_NV_NOP_DW             1u
#define GPUCMD_NV_SLI_COND_DW        1u
#define GPUCMD_NV_SLI_STORE_DW       1u
#define GPUCMD_NV_SLI_USE_DW         1u
#define GPUCMD_NV_END_SEGMENT_DW     1u
#define GPUCMD_NV_OLD_INC_DW(n)      (1u + (n))
#define GPUCMD_NV_OLD_NON_INC_DW(n)  (1u + (n))
#define GPUCMD_NV_LONG_NON_INC_DW(n) (2u + (n))
#define GPUCMD_NV_JUMP_OLD_DW        1u
#define GPUCMD_NV_JUMP_DW            1u
#define GPUCMD_NV_CALL_DW            1u
#define GPUCMD_NV_RETURN_DW          1u

/* Number of words if n data words (n >= 1) are split into several method runs: the n data
 * words, and the headers of all runs. A header is one word; for LONG_NON_INC it is two words. */
#define GPUCMD_NV_NON_INC_LONG_DW(n)                                                               \
    ((n) + ((n) + GPUCMD_FIELD_MAX(NV_HDR_COUNT) - 1) / GPUCMD_FIELD_MAX(NV_HDR_COUNT))
#define GPUCMD_NV_ONE_INC_LONG_DW(n) GPUCMD_NV_NON_INC_LONG_DW(n)
#define GPUCMD_NV_OLD_INC_LONG_DW(n)                                                               \
    ((n) + ((n) + GPUCMD_FIELD_MAX(NV_OLD_COUNT) - 1) / GPUCMD_FIELD_MAX(NV_OLD_COUNT))
#define GPUCMD_NV_OLD_NON_INC_LONG_DW(n) GPUCMD_NV_OLD_INC_LONG_DW(n)
#define GPUCMD_NV_LONG_NON_INC_LONG_DW(n)                                                          \
    ((n) +                                                                                         \
     ((n) + GPUCMD_FIELD_MAX(NV_OLD_LONG_COUNT) - 1) / GPUCMD_FIELD_MAX(NV_OLD_LONG_COUNT) * 2)

/* Command words as integer constant expressions. A value out of range does not compile. Parameters
 * mthd, target_va: bytes. Parameter n: data words. [906F] DMA_SEC_OP, [206E] DMA_OPCODE */
#define GPUCMD_NV_PRIV_RUN(name, subc, mthd, n)                                                    \
    (GPUCMD_FIELD_PUT(NV_HDR_SEC_OP, GPUCMD_NV_PRIV_SEC_##name) +                                  \
     GPUCMD_FIELD_CONST(NV_HDR_COUNT, n) + GPUCMD_FIELD_CONST(NV_HDR_SUBC, subc) +                 \
     GPUCMD_FIELD_CONST(NV_HDR_MTHD, (mthd) / 4) + GPUCMD_PRIV_REQUIRE((mthd) % 4 == 0))
#define GPUCMD_NV_INC(subc, mthd, n)                                                               \
    (GPUCMD_NV_PRIV_RUN(INC, subc, mthd, n) +                                                      \
     GPUCMD_PRIV_REQUIRE((n) == 0 || (mthd) / 4 + (n) <= GPUCMD_FIELD_MAX(NV_HDR_MTHD) + 1))
#define GPUCMD_NV_NON_INC(subc, mthd, n) GPUCMD_NV_PRIV_RUN(NON_INC, subc, mthd, n)
#define GPUCMD_NV_ONE_INC(subc, mthd, n)                                                           \
    (GPUCMD_NV_PRIV_RUN(ONE_INC, subc, mthd, n) +                                                  \
     GPUCMD_PRIV_REQUIRE((n) <= 1 || (mthd) / 4 < GPUCMD_FIELD_MAX(NV_HDR_MTHD)))
#define GPUCMD_NV_IMMD(subc, mthd, data) GPUCMD_NV_PRIV_RUN(IMMD, subc, mthd, data)
#define GPUCMD_NV_NOP                    0u
#define GPUCMD_NV_PRIV_SLI(name, mask)                                                             \
    (GPUCMD_FIELD_PUT(NV_HDR_SEC_OP, GPUCMD_NV_PRIV_SEC_##name) +                                  \
     GPUCMD_FIELD_PUT(NV_HDR_TERT_OP, GPUCMD_NV_PRIV_TERT_##name) +                                \
     GPUCMD_FIELD_CONST(NV_HDR_SUBDEVICE, mask))
#define GPUCMD_NV_SLI_COND(mask)  GPUCMD_NV_PRIV_SLI(SLI_COND, mask)
#define GPUCMD_NV_SLI_STORE(mask) GPUCMD_NV_PRIV_SLI(SLI_STORE, mask)
#define GPUCMD_NV_SLI_USE         GPUCMD_NV_PRIV_SLI(SLI_USE, 0)
#define GPUCMD_NV_END_SEGMENT     GPUCMD_FIELD_PUT(NV_HDR_SEC_OP, GPUCMD_NV_PRIV_SEC_END_SEGMENT)

#define GPUCMD_NV_PRIV_OLD_OP(name)                                                                \
    (GPUCMD_FIELD_PUT(NV_OLD_SEC_OP, GPUCMD_NV_PRIV_OLD_SEC_##name) +                              \
     GPUCMD_FIELD_PUT(NV_OLD_TERT_OP, GPUCMD_NV_PRIV_OLD_TERT_##name) +                            \
     GPUCMD_FIELD_PUT(NV_OLD_PRIMARY_OP, GPUCMD_NV_PRIV_OLD_PRIM_##name))
#define GPUCMD_NV_PRIV_OLD_RUN(name, subc, mthd, n)                                                \
    (GPUCMD_NV_PRIV_OLD_OP(name) + GPUCMD_FIELD_CONST(NV_OLD_COUNT, n) +                           \
     GPUCMD_FIELD_CONST(NV_OLD_SUBC, subc) + GPUCMD_FIELD_CONST(NV_OLD_MTHD, (mthd) / 4) +         \
     GPUCMD_PRIV_REQUIRE((mthd) % 4 == 0))
#define GPUCMD_NV_OLD_INC(subc, mthd, n)     GPUCMD_NV_PRIV_OLD_RUN(INC, subc, mthd, n)
#define GPUCMD_NV_OLD_NON_INC(subc, mthd, n) GPUCMD_NV_PRIV_OLD_RUN(NON_INC, subc, mthd, n)
#define GPUCMD_NV_LONG_NON_INC(subc, mthd)   GPUCMD_NV_PRIV_OLD_RUN(LONG_NON_INC, subc, mthd, 0)
#define GPUCMD_NV_LONG_COUNT(n)              GPUCMD_FIELD_CONST(NV_OLD_LONG_COUNT, n)
#define GPUCMD_NV_JUMP_OLD(target_va)                                                              \
    (GPUCMD_NV_PRIV_OLD_OP(JUMP_OLD) + GPUCMD_FIELD_CONST(NV_OLD_JUMP_OFFSET, (target_va) / 4) +   \
     GPUCMD_PRIV_REQUIRE((target_va) % 4 == 0))
#define GPUCMD_NV_PRIV_LONG(name, target_va)                                                       \
    (GPUCMD_NV_PRIV_OLD_OP(name) + GPUCMD_FIELD_CONST(NV_OLD_LONG_OFFSET, (target_va) / 4) +       \
     GPUCMD_PRIV_REQUIRE((target_va) % 4 == 0))
#define GPUCMD_NV_JUMP(target_va) GPUCMD_NV_PRIV_LONG(JUMP, target_va)
#define GPUCMD_NV_CALL(target_va) GPUCMD_NV_PRIV_LONG(CALL, target_va)
#define GPUCMD_NV_RETURN          GPUCMD_NV_PRIV_OLD_OP(RETURN)

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Find a chip and write it to *chip. GPUCMD_RANGE: no chip matches; *chip is unchanged.
 *   from_id    finds the first chip with this value of the id register, 0x10 or more
 *   from_name  accepts in upper or lower case: a name of the table ("gf100"), "nv" and an
 *              id ("nvc0"), or the four hex digits of a channel class ("c76f"), for which
 *              it finds the first chip with the class */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_nv_chip_from_id(uint32_t id, gpucmd_nv_chip *chip);
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_nv_chip_from_name(const char *name, gpucmd_nv_chip *chip);
/* Return the name ("GF100"), id (0: not known), family, bus or channel class (0 before
 * NV3) of a chip. If chip is invalid, the name is "?" and all other results are 0. */
GPUCMD_PRIV_API const char *gpucmd_nv_chip_name(gpucmd_nv_chip chip);
GPUCMD_PRIV_API uint32_t gpucmd_nv_chip_id(gpucmd_nv_chip chip);
GPUCMD_PRIV_API gpucmd_nv_family gpucmd_nv_chip_family(gpucmd_nv_chip chip);
GPUCMD_PRIV_API gpucmd_nv_bus gpucmd_nv_chip_bus(gpucmd_nv_chip chip);
GPUCMD_PRIV_API uint32_t gpucmd_nv_chip_class(gpucmd_nv_chip chip);
/* Return the name of a form, of a host method of this chip (mthd in bytes) or of a pusher
 * error. gpucmd_nv_pusher_error_text returns the text of a pusher error. All four functions
 * return "?" if the table has no row for the argument. */
GPUCMD_PRIV_API const char *gpucmd_nv_form_name(gpucmd_nv_form form);
GPUCMD_PRIV_API const char *gpucmd_nv_host_method_name(gpucmd_nv_chip chip, uint32_t mthd);
GPUCMD_PRIV_API const char *gpucmd_nv_pusher_error_name(gpucmd_nv_pusher_error error);
GPUCMD_PRIV_API const char *gpucmd_nv_pusher_error_text(gpucmd_nv_pusher_error error);
/* Return the name or text of a bit (0..31) of register INTR_0; "?" if this chip lacks the bit. */
GPUCMD_PRIV_API const char *gpucmd_nv_pbdma_intr_name(gpucmd_nv_chip chip, unsigned bit);
GPUCMD_PRIV_API const char *gpucmd_nv_pbdma_intr_text(gpucmd_nv_chip chip, unsigned bit);
/* Return the name of an operation of control entries; "?" if this chip lacks the operation. */
GPUCMD_PRIV_API const char *gpucmd_nv_control_name(gpucmd_nv_chip chip, uint32_t op);
#endif

/* Return true if since <= chip < until in the order of GPUCMD_NV_CHIPS. */
GPUCMD_INLINE bool gpucmd_priv_nv_in(gpucmd_nv_chip chip, unsigned since, unsigned until)
{
    return (unsigned)chip - since < until - since;
}

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Return true if this chip has the method at address mthd (bytes). For 0x100 and above the result
 * is always true, because these methods belong to engines, not to the host engine. */
GPUCMD_PRIV_API bool gpucmd_nv_knows_mthd(gpucmd_nv_chip chip, uint32_t mthd);
#endif

/* As gpucmd_nv_knows_mthd, but mthd is a constant below 0x100, so that the compiler reduces the
 * call to comparisons of chip with the rows of the method in GPUCMD_NV_HOST_METHODS. */
GPUCMD_INLINE bool gpucmd_priv_nv_has_host(gpucmd_nv_chip chip, uint32_t mthd)
{
    const unsigned c = (unsigned)chip;
#define GPUCMD_NV_PRIV_ROW(name, at, since, until, src)                                            \
    (mthd == at && c >= GPUCMD_NV_CHIP_##since && c < GPUCMD_NV_CHIP_##until) ||
    return GPUCMD_NV_HOST_METHODS(GPUCMD_NV_PRIV_ROW, GPUCMD_NV_PRIV_ROW) false;
#undef GPUCMD_NV_PRIV_ROW
}

/* ---- IB entries ---- */

/* Flags of an IB entry; GPUCMD_NV_ENTRY_FLAGS lists the chips. If a flag is set, the GPU:
 *   GPUCMD_NV_ENTRY_DISABLE            skips the entry
 *   GPUCMD_NV_ENTRY_NO_CONTEXT_SWITCH  switches no channel inside the segment
 *   GPUCMD_NV_ENTRY_FETCH_CONDITIONAL  skips the segment unless the subdevice is active
 *   GPUCMD_NV_ENTRY_PRIV               accepts methods that need kernel privilege
 *   GPUCMD_NV_ENTRY_SUBROUTINE         does not count the segment as main pushbuffer
 *   GPUCMD_NV_ENTRY_SYNC_WAIT          executes the previous segment, which may write the words of
 *                                      this segment, before it fetches this segment */
#define GPUCMD_NV_PRIV_FLAG(name, flag, word, field, since, until, src)                            \
    GPUCMD_NV_ENTRY_##name = flag,
enum { GPUCMD_NV_ENTRY_FLAGS(GPUCMD_NV_PRIV_FLAG) };
#undef GPUCMD_NV_PRIV_FLAG

/* The two words of an IB entry for a segment as integer constant expressions,
 * without flags. va must be below 2^40. */
#define GPUCMD_NV_ENTRY0(va)                                                                       \
    (GPUCMD_FIELD_CONST(NV_ENTRY0_GET, ((uint64_t)(va)&0xffffffffu) / 4) +                         \
     GPUCMD_PRIV_REQUIRE((va) % 4 == 0))
#define GPUCMD_NV_ENTRY1(va, len_dw)                                                               \
    (GPUCMD_FIELD_CONST(NV_ENTRY1_GET_HI, (uint64_t)(va) >> 32) +                                  \
     GPUCMD_FIELD_CONST(NV_ENTRY1_LENGTH, len_dw))
#define GPUCMD_NV_ENTRY_DW 2u

/* ENTRY_VA_BITS is the number of bits of a segment address in an IB entry. VA57_BITS is the number
 * of bits of a virtual address of GH100 and later. */
enum {
    GPUCMD_NV_ENTRY_VA_BITS = 40,
    GPUCMD_NV_VA57_BITS = 57,
};

/* Return the largest LENGTH of an IB entry of this chip in words. LENGTH has
 * 22 bits before GF100, 21 bits on GF100 and later. */
GPUCMD_INLINE uint32_t gpucmd_nv_entry_max_dw(gpucmd_nv_chip chip)
{
    return GPUCMD_NV_IS_GF100(chip) ? GPUCMD_FIELD_MAX(NV_ENTRY1_LENGTH)
                                    : GPUCMD_FIELD_MAX(NV_ENTRY1_LENGTH_OLD);
}

/* ---- host methods ---- */

/* Addresses of host methods in bytes: GPUCMD_NV_HOST_SEM_EXECUTE, ... */
#define GPUCMD_NV_PRIV_ROW(name, at, since, until, src) GPUCMD_NV_HOST_##name = at,
enum {
    GPUCMD_NV_HOST_METHODS(GPUCMD_NV_PRIV_ROW, GPUCMD_PRIV_SKIP) /* one constant for each row */
    GPUCMD_NV_HOST_END = 0x100, /* address of the first engine method */
};
#undef GPUCMD_NV_PRIV_ROW

/* Operations of semaphore methods. The number of an operation depends on chip and method. */
typedef enum gpucmd_nv_sem_op {
    GPUCMD_NV_SEM_OP_NONE, /* the number names no operation of the chip */
    GPUCMD_NV_SEM_OP_ACQUIRE,
    GPUCMD_NV_SEM_OP_ACQ_STRICT_GEQ,
    GPUCMD_NV_SEM_OP_ACQ_CIRC_GEQ,
    GPUCMD_NV_SEM_OP_ACQ_AND,
    GPUCMD_NV_SEM_OP_ACQ_NOR,
    GPUCMD_NV_SEM_OP_RELEASE,
    GPUCMD_NV_SEM_OP_REDUCTION,
} gpucmd_nv_sem_op;

/* Values of reductions, operations of MEM_OP and YIELD, and field values: GPUCMD_NV_REDUCTION_IMIN,
 * GPUCMD_NV_MEM_OP_MEMBAR, GPUCMD_NV_YIELD_TSG, GPUCMD_NV_TLB_ACK_GLOBALLY, ... */
#define GPUCMD_NV_PRIV_ROW(name, value, s32, u32, s64, u64) GPUCMD_NV_REDUCTION_##name = value,
typedef enum gpucmd_nv_reduction { GPUCMD_NV_REDUCTIONS(GPUCMD_NV_PRIV_ROW) } gpucmd_nv_reduction;
#undef GPUCMD_NV_PRIV_ROW
#define GPUCMD_NV_PRIV_ROW(name, value, since, until, src) GPUCMD_NV_MEM_OP_##name = value,
typedef enum gpucmd_nv_mem_op {
    GPUCMD_NV_MEM_OPS(GPUCMD_NV_PRIV_ROW, GPUCMD_PRIV_SKIP)
} gpucmd_nv_mem_op;
#undef GPUCMD_NV_PRIV_ROW
#define GPUCMD_NV_PRIV_ROW(name, value, since, until, src) GPUCMD_NV_YIELD_##name = value,
typedef enum gpucmd_nv_yield { GPUCMD_NV_YIELDS(GPUCMD_NV_PRIV_ROW) } gpucmd_nv_yield;
#undef GPUCMD_NV_PRIV_ROW
#define GPUCMD_NV_PRIV_ROW(name, value, meaning, src) GPUCMD_NV_##name = value,
enum { GPUCMD_NV_HOST_VALUES(GPUCMD_NV_PRIV_ROW) };
#undef GPUCMD_NV_PRIV_ROW
#define GPUCMD_NV_PRIV_ROW(name, kind, code, text) GPUCMD_NV_HOST_ERROR_##name,
typedef enum gpucmd_nv_host_error {
    GPUCMD_NV_HOST_ERRORS(GPUCMD_NV_PRIV_ROW)
} gpucmd_nv_host_error;
#undef GPUCMD_NV_PRIV_ROW

/* Values of member code of an event INTERRUPT: the cause of the interrupt. */
enum {
    GPUCMD_NV_INTERRUPT_NON_STALL, /* host method NON_STALL_INTERRUPT */
    GPUCMD_NV_INTERRUPT_COPY,      /* end of a copy; value is the field LAUNCH_INTERRUPT */
    GPUCMD_NV_INTERRUPT_INLINE,    /* end of an inline upload or an M2MF copy */
};

/* Return true if the host engine of this chip has this operation of MEM_OP. */
GPUCMD_INLINE bool gpucmd_nv_knows_mem_op(gpucmd_nv_chip chip, uint32_t op)
{
    const unsigned c = (unsigned)chip;
#define GPUCMD_NV_PRIV_ROW(name, value, since, until, src)                                         \
    (op == value && c >= GPUCMD_NV_CHIP_##since && c < GPUCMD_NV_CHIP_##until) ||
    return GPUCMD_NV_MEM_OPS(GPUCMD_NV_PRIV_ROW, GPUCMD_NV_PRIV_ROW) false;
}

/* Return true if the host engine of this chip has this operation of YIELD. */
GPUCMD_INLINE bool gpucmd_nv_knows_yield(gpucmd_nv_chip chip, uint32_t op)
{
    const unsigned c = (unsigned)chip;
    return GPUCMD_NV_YIELDS(GPUCMD_NV_PRIV_ROW)(c < GPUCMD_NV_CHIP_GF100 &&
                                                c >= GPUCMD_NV_CHIP_NV40);
}
#undef GPUCMD_NV_PRIV_ROW

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Return the operation that number selects in the method SEMAPHORED or SEM_EXECUTE (mthd,
 * bytes) of this chip. GPUCMD_NV_SEM_OP_NONE: no operation of this method has the number. */
GPUCMD_PRIV_API gpucmd_nv_sem_op gpucmd_nv_sem_op_of(gpucmd_nv_chip chip, uint32_t mthd,
                                                     uint32_t number);
#endif

/* Inverse of gpucmd_nv_sem_op_of: write the number of sem_op to *number.
 * GPUCMD_UNSUPPORTED: the method lacks sem_op on this chip; *number is unchanged. */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_nv_sem_number(gpucmd_nv_chip chip,
                                                                   uint32_t mthd,
                                                                   gpucmd_nv_sem_op sem_op,
                                                                   uint32_t *number)
{
    const unsigned c = (unsigned)chip;
#define GPUCMD_NV_PRIV_ROW(method, op, value, since, until, src)                                   \
    (sem_op == GPUCMD_NV_SEM_OP_##op && mthd == GPUCMD_NV_HOST_##method &&                         \
     c >= GPUCMD_NV_CHIP_##since && c < GPUCMD_NV_CHIP_##until)                                    \
        ? value                                                                                    \
        :
    const int found = GPUCMD_NV_SEM_OPS(GPUCMD_NV_PRIV_ROW) - 1;
#undef GPUCMD_NV_PRIV_ROW
    if (found < 0) {
        return GPUCMD_UNSUPPORTED;
    }
    *number = (uint32_t)found;
    return GPUCMD_OK;
}

/* Return true if the reduction exists for unsigned (is_unsigned) or signed values of this size. */
GPUCMD_INLINE bool gpucmd_nv_knows_reduction(uint32_t reduction, bool is_64bit, bool is_unsigned)
{
#define GPUCMD_NV_PRIV_ROW(name, value, s32, u32, s64, u64)                                        \
    (reduction == value ? s32 + u32 * 2 + s64 * 4 + u64 * 8 : 0) +
    const int has = GPUCMD_NV_REDUCTIONS(GPUCMD_NV_PRIV_ROW) 0;
#undef GPUCMD_NV_PRIV_ROW
    return (has >> (2 * is_64bit + is_unsigned) & 1) != 0;
}

/* ---- engines and classes ---- */

/* Addresses of methods of copies, M2MF and inline data, in bytes: GPUCMD_NV_COPY_LAUNCH_DMA, ... */
#define GPUCMD_NV_PRIV_ROW(name, mthd, src) GPUCMD_NV_##name = mthd,
enum { GPUCMD_NV_ENGINE_METHODS(GPUCMD_NV_PRIV_ROW) };
#undef GPUCMD_NV_PRIV_ROW

/* Values of fields of copies, shifted to the field: GPUCMD_NV_CE_PIPELINED, ... */
#define GPUCMD_NV_PRIV_ROW(name, field, value, meaning)                                            \
    GPUCMD_NV_CE_##name = (value) << GPUCMD_NV_##field##_LO,
enum {
    GPUCMD_NV_CE_VALUES(GPUCMD_NV_PRIV_ROW) /* one constant for each row */
    GPUCMD_NV_CE_FLUSH_GL = GPUCMD_NV_CE_FLUSH_SYS | GPUCMD_NV_CE_FLUSH_TYPE_GL,
};
#undef GPUCMD_NV_PRIV_ROW

/* Values of the fields REMAP_DST_*: what the copy writes to a component of the destination. SRC_X
 * is component X of the source; SRC_X + 1 to + 3 are Y, Z and W. */
enum {
    GPUCMD_NV_REMAP_SRC_X = 0,
    GPUCMD_NV_REMAP_CONST_A = 4,
    GPUCMD_NV_REMAP_CONST_B = 5,
    GPUCMD_NV_REMAP_NO_WRITE = 6,
};

/* Kinds of classes, for gpucmd_nv_class_of. */
typedef enum gpucmd_nv_class_kind {
    GPUCMD_NV_CLASS_HOST, /* class of a channel */
    GPUCMD_NV_CLASS_COPY, /* copy engine */
    GPUCMD_NV_CLASS_COMPUTE,
    GPUCMD_NV_CLASS_3D,
    GPUCMD_NV_CLASS_2D,
    GPUCMD_NV_CLASS_INLINE, /* before GK104: M2MF; GK104 and later: inline to memory */
    GPUCMD_NV_CLASS_USERMODE,
    GPUCMD_NV_CLASS_IMAGE, /* 2D classes before G80: surfaces and scaled images */
    GPUCMD_NV_CLASS_EMPTY, /* null object, which has no methods */
} gpucmd_nv_class_kind;

/* Engine models, which execute the methods of a class. */
typedef enum gpucmd_nv_model {
    GPUCMD_NV_MODEL_NONE,     /* no object is bound */
    GPUCMD_NV_MODEL_SOFTWARE, /* software object, whose methods the kernel executes */
    GPUCMD_NV_MODEL_OTHER,    /* class without an engine model; the callback receives its methods */
    GPUCMD_NV_MODEL_M2MF_NV4,
    GPUCMD_NV_MODEL_M2MF_G80,
    GPUCMD_NV_MODEL_M2MF_GF100,
    GPUCMD_NV_MODEL_INLINE, /* inline to memory, alone or in a compute class */
    GPUCMD_NV_MODEL_COPY,
    GPUCMD_NV_MODEL_SURFACE,  /* linear surface, destination of a scaled image */
    GPUCMD_NV_MODEL_SWIZZLED, /* destination of a scaled image with interleaved bits of x and y */
    GPUCMD_NV_MODEL_SCALED,   /* image in memory that is scaled to a surface */
    GPUCMD_NV_MODEL_2D_G80,
    GPUCMD_NV_MODEL_2D_GF100,
    GPUCMD_NV_MODEL_3D_NV30,
    GPUCMD_NV_MODEL_3D_G80,
    GPUCMD_NV_MODEL_3D_GF100,
} gpucmd_nv_model;

/* Return the newest class of the copy engine of a chip; 0 before GT215. GP10B
 * has C0B5, although GP10B is after GP102 in the order of chips. [NVGPU] */
GPUCMD_INLINE uint32_t gpucmd_nv_copy_class(gpucmd_nv_chip chip)
{
#define GPUCMD_NV_PRIV_ROW(class_id, model, since, src)                                            \
    (unsigned)chip >= GPUCMD_NV_CHIP_##since ? 0x##class_id##u:
    return chip == GPUCMD_NV_CHIP_GP10B ? 0xc0b5u : GPUCMD_NV_COPY_CLASSES(GPUCMD_NV_PRIV_ROW) 0;
#undef GPUCMD_NV_PRIV_ROW
}

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Return the engine model of a class, and write the first chip of the class to *since. For a class
 * that GPUCMD_NV_OBJECTS lacks return GPUCMD_NV_MODEL_OTHER and write GPUCMD_NV_CHIP_NV1. */
GPUCMD_PRIV_API gpucmd_nv_model gpucmd_nv_class_model(uint32_t class_id, gpucmd_nv_chip *since);
/* Return element idx (from 0) of the list of classes that the graphics and copy
 * engines of a chip support. After the last element return 0. */
GPUCMD_PRIV_API uint32_t gpucmd_nv_object_class(gpucmd_nv_chip chip, uint32_t idx);
/* Return true if the graphics or copy engine of the chip has the class. */
GPUCMD_PRIV_API bool gpucmd_nv_has_class(gpucmd_nv_chip chip, uint32_t class_id);
/* Return the newest class of this kind that the chip has, or 0. Exception: for
 * kind IMAGE return the last class of the chip in GPUCMD_NV_CHIP_CLASSES. Many
 * chips also have older classes of a kind. */
GPUCMD_PRIV_API uint32_t gpucmd_nv_class_of(gpucmd_nv_chip chip, gpucmd_nv_class_kind kind);
/* Find the first chip, in table order, whose channel, usermode, graphics or copy class is
 * class_id, and write this chip to *chip. For C076, the software class of fault replay,
 * write GP100. GPUCMD_RANGE: no chip has the class; *chip is unchanged. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_nv_chip_from_class(uint32_t class_id, gpucmd_nv_chip *chip);
#endif

/* ==== [NV.ENCODE] ========================================================================== */

/* Check the values of a method run and return the status. count_max is the largest valid
 * count, mthd_max the largest valid mthd / 4. */
GPUCMD_INLINE gpucmd_status gpucmd_priv_nv_check_run(uint32_t subc, uint32_t mthd, uint32_t count,
                                                     uint32_t count_max, uint32_t mthd_max)
{
    if (GPUCMD_PRIV_UNLIKELY(subc > GPUCMD_FIELD_MAX(NV_HDR_SUBC) || mthd / 4 > mthd_max ||
                             count > count_max)) {
        return GPUCMD_RANGE;
    }
    return GPUCMD_PRIV_UNLIKELY(mthd % 4 != 0) ? GPUCMD_ALIGN : GPUCMD_OK;
}

/* Encode the header of a method run; GF100 and later. The run uses reach_dw methods from mthd on.
 * GPUCMD_RANGE: a value is too large, or the run passes the last method. */
GPUCMD_INLINE gpucmd_status gpucmd_priv_nv_run(uint32_t *dw, uint32_t sec, uint32_t subc,
                                               uint32_t mthd, uint32_t count, uint32_t reach_dw)
{
    const gpucmd_status status = gpucmd_priv_nv_check_run(
        subc, mthd, count, GPUCMD_FIELD_MAX(NV_HDR_COUNT), GPUCMD_FIELD_MAX(NV_HDR_MTHD));
    if (GPUCMD_PRIV_UNLIKELY(status != GPUCMD_OK)) {
        return status;
    }
    if (GPUCMD_PRIV_UNLIKELY(mthd / 4 + reach_dw > GPUCMD_FIELD_MAX(NV_HDR_MTHD) + 1)) {
        return GPUCMD_RANGE;
    }
    *dw = GPUCMD_FIELD_PUT(NV_HDR_SEC_OP, sec) | GPUCMD_FIELD_PUT(NV_HDR_COUNT, count) |
          GPUCMD_FIELD_PUT(NV_HDR_SUBC, subc) | GPUCMD_FIELD_PUT(NV_HDR_MTHD, mthd / 4);
    return GPUCMD_OK;
}

/* Encode the header of a method run before GF100. op_dw is a header word in
 * which only the op fields are set. GPUCMD_RANGE: subc, mthd or count is too
 * large. GPUCMD_ALIGN: mthd % 4 is not 0. */
GPUCMD_INLINE gpucmd_status gpucmd_priv_nv_old_run(uint32_t *dw, uint32_t op_dw, uint32_t subc,
                                                   uint32_t mthd, uint32_t count)
{
    const gpucmd_status status = gpucmd_priv_nv_check_run(
        subc, mthd, count, GPUCMD_FIELD_MAX(NV_OLD_COUNT), GPUCMD_FIELD_MAX(NV_OLD_MTHD));
    if (GPUCMD_PRIV_UNLIKELY(status != GPUCMD_OK)) {
        return status;
    }
    *dw = op_dw | GPUCMD_FIELD_PUT(NV_OLD_COUNT, count) | GPUCMD_FIELD_PUT(NV_OLD_SUBC, subc) |
          GPUCMD_FIELD_PUT(NV_OLD_MTHD, mthd / 4);
    return GPUCMD_OK;
}

/* Define the function `name`, which encodes the header of a method run of this form. reach_dw is an
 * expression of count_dw: how many methods from mthd on the run uses. */
#define GPUCMD_NV_PRIV_ENCODE_RUN(name, form, reach_dw)                                            \
    GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status name(uint32_t *dw, uint32_t subc, uint32_t mthd, \
                                                       uint32_t count_dw)                          \
    {                                                                                              \
        return gpucmd_priv_nv_run(dw, GPUCMD_NV_PRIV_SEC_##form, subc, mthd, count_dw, reach_dw);  \
    }
#define GPUCMD_NV_PRIV_ENCODE_OLD_RUN(name, form)                                                  \
    GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status name(uint32_t *dw, uint32_t subc, uint32_t mthd, \
                                                       uint32_t count_dw)                          \
    {                                                                                              \
        return gpucmd_priv_nv_old_run(dw, GPUCMD_NV_PRIV_OLD_OP(form), subc, mthd, count_dw);      \
    }

/* Define the function `name`, which encodes a jump or call with target_va / 4 in field. */
#define GPUCMD_NV_PRIV_ENCODE_JUMP(name, form, field)                                              \
    GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status name(uint32_t *dw, uint64_t target_va)           \
    {                                                                                              \
        if (GPUCMD_PRIV_UNLIKELY(target_va / 4 > GPUCMD_FIELD_MAX(field))) {                       \
            return GPUCMD_RANGE;                                                                   \
        }                                                                                          \
        if (GPUCMD_PRIV_UNLIKELY(target_va % 4 != 0)) {                                            \
            return GPUCMD_ALIGN;                                                                   \
        }                                                                                          \
        *dw = GPUCMD_NV_PRIV_OLD_OP(form) | GPUCMD_FIELD_PUT(field, target_va / 4);                \
        return GPUCMD_OK;                                                                          \
    }

/* Encode the header of a method run to increasing methods; GF100 and later.
 *   subc      SUBC 0..7
 *   mthd      byte address of the first method, multiple of 4; mthd / 4 is MTHD 0..4095
 *   count_dw  COUNT 0..8191; the last method, mthd / 4 + count_dw - 1, is at most 4095
 * GPUCMD_RANGE: subc, mthd or count_dw is too large. GPUCMD_ALIGN: mthd is not a multiple of 4.
 * On failure *dw is unchanged. [906F] INC_METHOD */
GPUCMD_NV_PRIV_ENCODE_RUN(gpucmd_nv_encode_inc, INC, count_dw)

/* Encode the header of a method run whose words all go to one method. As gpucmd_nv_encode_inc,
 * but mthd may be the last method (0x3ffc) for any count_dw. [906F] NON_INC_METHOD */
GPUCMD_NV_PRIV_ENCODE_RUN(gpucmd_nv_encode_non_inc, NON_INC, 0)

/* Encode the header of a method run whose first word goes to mthd and all other
 * words to mthd + 4. As gpucmd_nv_encode_inc, but the last method is mthd + 4: mthd is
 * at most 0x3ff8 if count_dw is 2 or more. [906F] ONE_INC */
GPUCMD_NV_PRIV_ENCODE_RUN(gpucmd_nv_encode_one_inc, ONE_INC, count_dw < 2 ? 0 : 2)

/* Encode one method with its data in the header: IMMD_DATA 0..0x1fff, zero-extended;
 * GF100 and later. GPUCMD_RANGE: subc, mthd or data is too large. GPUCMD_ALIGN: mthd is
 * not a multiple of 4. On failure *dw is unchanged. [906F] IMMD_DATA_METHOD */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_nv_encode_immd(uint32_t *dw, uint32_t subc,
                                                                    uint32_t mthd, uint32_t data)
{
    return gpucmd_priv_nv_run(dw, GPUCMD_NV_PRIV_SEC_IMMD, subc, mthd, data, 0);
}

/* Encode NOP, one word that does nothing on every chip. Always return GPUCMD_OK. */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_nv_encode_nop(uint32_t *dw)
{
    *dw = GPUCMD_NV_NOP;
    return GPUCMD_OK;
}

/* Encode the subdevice command whose field TERT_OP is tert. GPUCMD_RANGE: mask is above 0xfff. */
GPUCMD_INLINE gpucmd_status gpucmd_priv_nv_sli(uint32_t *dw, uint32_t tert, uint32_t mask)
{
    if (GPUCMD_PRIV_UNLIKELY(mask > GPUCMD_FIELD_MAX(NV_HDR_SUBDEVICE))) {
        return GPUCMD_RANGE;
    }
    *dw = GPUCMD_FIELD_PUT(NV_HDR_TERT_OP, tert) | GPUCMD_FIELD_PUT(NV_HDR_SUBDEVICE, mask);
    return GPUCMD_OK;
}

/* Encode SLI_COND: following methods reach only the subdevices in mask (SUBDEVICE
 * 0..0xfff). NV40 and later; before GF100 only if sli_enable is set. GPUCMD_RANGE: mask
 * is above 0xfff; *dw is unchanged. [366E] [906F] SET_SUBDEVICE_MASK */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_nv_encode_sli_cond(uint32_t *dw, uint32_t mask)
{
    return gpucmd_priv_nv_sli(dw, GPUCMD_NV_PRIV_TERT_SLI_COND, mask);
}

/* Encode SLI_STORE: the GPU stores a subdevice mask (0..0xfff), which SLI_USE uses. GF100 and
 * later. GPUCMD_RANGE: mask is above 0xfff; *dw is unchanged. [906F] STORE_SUBDEVICE_MASK */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_nv_encode_sli_store(uint32_t *dw,
                                                                         uint32_t mask)
{
    return gpucmd_priv_nv_sli(dw, GPUCMD_NV_PRIV_TERT_SLI_STORE, mask);
}

/* Encode SLI_USE: as SLI_COND, but with the mask that SLI_STORE stored. GF100
 * and later. Always return GPUCMD_OK. [906F] USE_SUBDEVICE_MASK */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_nv_encode_sli_use(uint32_t *dw)
{
    return gpucmd_priv_nv_sli(dw, GPUCMD_NV_PRIV_TERT_SLI_USE, 0);
}

/* Encode END_SEGMENT: the GPU skips the remaining words of the segment. GF100
 * and later. Always return GPUCMD_OK. [906F] END_PB_SEGMENT */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_nv_encode_end_segment(uint32_t *dw)
{
    *dw = GPUCMD_NV_END_SEGMENT;
    return GPUCMD_OK;
}

/* Encode the header of a method run to increasing methods; before GF100, and Fermi
 * to Pascal if FORMATS accepts old words.
 *   subc      OLD_SUBC 0..7
 *   mthd      byte address of the first method, multiple of 4; mthd / 4 is OLD_MTHD 0..2047
 *   count_dw  OLD_COUNT 0..2047; after method 0x1ffc the next word goes to method 0 (MODEL)
 * GPUCMD_RANGE: subc, mthd or count_dw is too large. GPUCMD_ALIGN: mthd is not a multiple of 4. On
 * failure *dw is unchanged. [206E] OPCODE_METHOD */
GPUCMD_NV_PRIV_ENCODE_OLD_RUN(gpucmd_nv_encode_old_inc, INC)

/* Encode the header of a method run whose words all go to one method. As
 * gpucmd_nv_encode_old_inc, but NV10 and later. [206E] OPCODE_NONINC_METHOD */
GPUCMD_NV_PRIV_ENCODE_OLD_RUN(gpucmd_nv_encode_old_non_inc, NON_INC)

/* Encode the two header words of a long method run whose words all go to one
 * method. As gpucmd_nv_encode_old_inc, but IB mode of G80 until GF100, and
 * count_dw is 0..16777215. [506F] DOUBLE_HEADER */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_nv_encode_long_non_inc(uint32_t dw[2],
                                                                            uint32_t subc,
                                                                            uint32_t mthd,
                                                                            uint32_t count_dw)
{
    if (GPUCMD_PRIV_UNLIKELY(count_dw > GPUCMD_FIELD_MAX(NV_OLD_LONG_COUNT))) {
        return GPUCMD_RANGE;
    }
    const gpucmd_status status =
        gpucmd_priv_nv_old_run(dw, GPUCMD_NV_PRIV_OLD_OP(LONG_NON_INC), subc, mthd, 0);
    if (GPUCMD_PRIV_UNLIKELY(status != GPUCMD_OK)) {
        return status;
    }
    dw[1] = GPUCMD_FIELD_PUT(NV_OLD_LONG_COUNT, count_dw);
    return GPUCMD_OK;
}

/* Encode a jump to target_va: multiple of 4, at most 0x1ffffffc. NV4-style, NV4
 * until GF100. GPUCMD_RANGE: target_va is too large. GPUCMD_ALIGN: target_va is
 * not a multiple of 4. On failure *dw is unchanged. [006C] OPCODE_JUMP */
GPUCMD_NV_PRIV_ENCODE_JUMP(gpucmd_nv_encode_jump_old, JUMP_OLD, NV_OLD_JUMP_OFFSET)

/* Encode a jump to target_va: multiple of 4, at most 0xfffffffc. NV4-style, NV1A until
 * GF100. GPUCMD_RANGE: target_va is too large. GPUCMD_ALIGN: target_va is not a multiple
 * of 4. On failure *dw is unchanged. [206E] OPCODE2_JUMP_LONG */
GPUCMD_NV_PRIV_ENCODE_JUMP(gpucmd_nv_encode_jump, JUMP, NV_OLD_LONG_OFFSET)

/* Encode a call of the subroutine at target_va. A subroutine must not call another
 * subroutine. Range, chips and statuses as gpucmd_nv_encode_jump. [206E] OPCODE2_CALL */
GPUCMD_NV_PRIV_ENCODE_JUMP(gpucmd_nv_encode_call, CALL, NV_OLD_LONG_OFFSET)

/* Encode a return to the word after the call; NV4-style, NV1A until GF100.
 * Always return GPUCMD_OK. [206E] OPCODE3_RETURN */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_nv_encode_return(uint32_t *dw)
{
    *dw = GPUCMD_NV_RETURN;
    return GPUCMD_OK;
}

#undef GPUCMD_NV_PRIV_ENCODE_JUMP
#undef GPUCMD_NV_PRIV_ENCODE_OLD_RUN
#undef GPUCMD_NV_PRIV_ENCODE_RUN

/* ---- IB entries ---- */

/* Set to 1 the fields of entry that the bits of flags (GPUCMD_NV_ENTRY_*) select.
 * GPUCMD_UNSUPPORTED: the chip lacks a flag. */
GPUCMD_INLINE gpucmd_status gpucmd_priv_nv_entry_flags(uint32_t entry[2], gpucmd_nv_chip chip,
                                                       uint32_t flags)
{
    uint32_t left = flags;
#define GPUCMD_NV_PRIV_FLAG(name, flag, word, field, since, until, src)                            \
    if ((flags & GPUCMD_NV_ENTRY_##name) != 0 &&                                                   \
        gpucmd_priv_nv_in(chip, GPUCMD_NV_CHIP_##since, GPUCMD_NV_CHIP_##until)) {                 \
        entry[word] |= GPUCMD_FIELD_PUT(NV_##field, 1);                                            \
        left &= ~(uint32_t)GPUCMD_NV_ENTRY_##name;                                                 \
    }
    GPUCMD_NV_ENTRY_FLAGS(GPUCMD_NV_PRIV_FLAG)
#undef GPUCMD_NV_PRIV_FLAG
    return left == 0 ? GPUCMD_OK : GPUCMD_UNSUPPORTED;
}

/* Encode the IB entry that names the segment of len_dw words at va.
 *   chip    G80 or later
 *   va      bytes, multiple of 4, below 2^40. GH100 and later: below 2^57; an earlier control entry
 *           SET_PB_SEGMENT_EXTENDED_BASE must set bits 56:40
 *   len_dw  LENGTH 1..0x3fffff before GF100, 1..0x1fffff on GF100 and later
 *   flags   GPUCMD_NV_ENTRY_*
 * GPUCMD_RANGE: va or len_dw is out of range, or the segment crosses a multiple of 2^40. On
 * GF100 and later a segment cannot contain the last word before this multiple. GPUCMD_ALIGN: va
 * is not aligned. GPUCMD_UNSUPPORTED: the chip lacks IB entries or a flag. On failure entry is
 * unchanged. [506F] [906F] GP_ENTRY, [PBDMA] */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_nv_encode_entry(uint32_t entry[2],
                                                                     gpucmd_nv_chip chip,
                                                                     uint64_t va, uint32_t len_dw,
                                                                     uint32_t flags)
{
    const uint64_t low_va = va & (((uint64_t)1 << GPUCMD_NV_ENTRY_VA_BITS) - 1);
    const unsigned va_bits = chip >= GPUCMD_NV_CHIP_GH100 ? (unsigned)GPUCMD_NV_VA57_BITS
                                                          : (unsigned)GPUCMD_NV_ENTRY_VA_BITS;
    const uint64_t end_va = low_va + (uint64_t)len_dw * 4;
    uint32_t out[2];
    if (GPUCMD_PRIV_UNLIKELY(chip < GPUCMD_NV_CHIP_G80)) {
        return GPUCMD_UNSUPPORTED;
    }
    if (GPUCMD_PRIV_UNLIKELY(len_dw - 1 >= gpucmd_nv_entry_max_dw(chip) || va >> va_bits != 0 ||
                             end_va > ((uint64_t)1 << GPUCMD_NV_ENTRY_VA_BITS) -
                                          (GPUCMD_NV_IS_GF100(chip) ? 1 : 0))) {
        return GPUCMD_RANGE;
    }
    if (GPUCMD_PRIV_UNLIKELY(va % 4 != 0)) {
        return GPUCMD_ALIGN;
    }
    out[0] = GPUCMD_FIELD_PUT(NV_ENTRY0_GET, low_va / 4);
    out[1] = GPUCMD_FIELD_PUT(NV_ENTRY1_GET_HI, low_va >> 32) |
             GPUCMD_FIELD_PUT(NV_ENTRY1_LENGTH, len_dw);
    const gpucmd_status status = gpucmd_priv_nv_entry_flags(out, chip, flags);
    if (GPUCMD_PRIV_UNLIKELY(status != GPUCMD_OK)) {
        return status;
    }
    entry[0] = out[0];
    entry[1] = out[1];
    return GPUCMD_OK;
}

/* Encode a control entry; GF100 and later.
 *   op       GPUCMD_NV_CONTROL_*
 *   operand  any value. SET_PB_SEGMENT_EXTENDED_BASE: bits 24:8 are bits 56:40 of the address
 *   flags    0 or GPUCMD_NV_ENTRY_SYNC_WAIT
 * GPUCMD_UNSUPPORTED: the chip lacks op, or flags has another value; entry is
 * unchanged. [906F] GP_ENTRY1_OPCODE */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_nv_encode_control(
    uint32_t entry[2], gpucmd_nv_chip chip, gpucmd_nv_control op, uint32_t operand, uint32_t flags)
{
    bool known = false;
#define GPUCMD_NV_PRIV_CONTROL(name, number, since, src)                                           \
    known = known || (op == GPUCMD_NV_CONTROL_##name && chip >= GPUCMD_NV_CHIP_##since);
    GPUCMD_NV_CONTROLS(GPUCMD_NV_PRIV_CONTROL)
#undef GPUCMD_NV_PRIV_CONTROL
    if (!known || (flags & ~(uint32_t)GPUCMD_NV_ENTRY_SYNC_WAIT) != 0) {
        return GPUCMD_UNSUPPORTED;
    }
    entry[0] = GPUCMD_FIELD_PUT(NV_ENTRY0_OPERAND, operand);
    entry[1] = GPUCMD_FIELD_PUT(NV_ENTRY1_OPCODE, op) |
               GPUCMD_FIELD_PUT(NV_ENTRY1_SYNC, flags != 0 ? 1 : 0);
    return GPUCMD_OK;
}

/* ==== [NV.EMIT] ============================================================================ */

/* Reserve room for a command of n_dw words, and return the address at which the
 * caller must store the command. Return NULL if status is not GPUCMD_OK, or if
 * the writer has no room or is measuring. */
GPUCMD_INLINE uint32_t *gpucmd_priv_nv_recipe(gpucmd_writer *w, gpucmd_status status, size_t n_dw)
{
    if (GPUCMD_PRIV_UNLIKELY(status != GPUCMD_OK)) {
        gpucmd_priv_writer_fail(w, status);
        return NULL;
    }
    return gpucmd_priv_writer_claim(w, n_dw);
}

/* Reserve room for a method run, store its header dw, and return the address of its data words.
 * Return NULL if the caller must store nothing. */
GPUCMD_INLINE uint32_t *gpucmd_priv_nv_open(gpucmd_writer *w, gpucmd_status status, uint32_t dw,
                                            uint32_t count_dw)
{
    uint32_t *at = gpucmd_priv_nv_recipe(w, status, (size_t)count_dw + 1);
    if (at == NULL) {
        return NULL;
    }
    *at = dw;
    return at + 1;
}

/* Append a method run with header dw. The data words are an array. If status is
 * not GPUCMD_OK, only record status in the writer. */
GPUCMD_INLINE void gpucmd_priv_nv_emit_run(gpucmd_writer *w, gpucmd_status status, uint32_t dw,
                                           const uint32_t *data, uint32_t count_dw)
{
    uint32_t *at = gpucmd_priv_nv_open(w, status, dw, count_dw);
    if (at != NULL && count_dw != 0) {
        gpucmd_priv_copy(at, data, (size_t)count_dw * 4);
    }
}

/* Append a command of one word. */
GPUCMD_INLINE void gpucmd_priv_nv_emit_one(gpucmd_writer *w, gpucmd_status status, uint32_t dw)
{
    (void)gpucmd_priv_nv_open(w, status, dw, 0);
}

/* GPUCMD_NV_PRIV_EMIT_RUN defines the function `name`, which appends a method run: the header from
 * encode, and the array data. GPUCMD_NV_PRIV_EMIT_ONE defines the function `name`, which appends
 * the one word that encode makes from its argument. */
#define GPUCMD_NV_PRIV_EMIT_RUN(name, encode)                                                      \
    GPUCMD_INLINE void name(gpucmd_writer *w, uint32_t subc, uint32_t mthd, const uint32_t *data,  \
                            uint32_t count_dw)                                                     \
    {                                                                                              \
        uint32_t dw = 0;                                                                           \
        const gpucmd_status status = encode(&dw, subc, mthd, count_dw);                            \
        gpucmd_priv_nv_emit_run(w, status, dw, data, count_dw);                                    \
    }
#define GPUCMD_NV_PRIV_EMIT_ONE(name, encode, type, value)                                         \
    GPUCMD_INLINE void name(gpucmd_writer *w, type value)                                          \
    {                                                                                              \
        uint32_t dw = 0;                                                                           \
        const gpucmd_status status = encode(&dw, value);                                           \
        gpucmd_priv_nv_emit_one(w, status, dw);                                                    \
    }

/* Append a method run to increasing methods: GPUCMD_NV_INC_DW(count_dw) words; GF100 and later.
 *   data  count_dw words, read before the call returns; may be NULL if count_dw is 0
 * Other parameters and statuses as gpucmd_nv_encode_inc. GPUCMD_FULL: the buffer is full. On
 * failure nothing is written. [906F] INC_METHOD */
GPUCMD_NV_PRIV_EMIT_RUN(gpucmd_nv_emit_inc, gpucmd_nv_encode_inc)

/* Store the first count_dw (1..8, a constant) of the words v0 to v7 at address `at`.
 * Do nothing if `at` is NULL. */
GPUCMD_INLINE void gpucmd_priv_nv_store_few(uint32_t *at, uint32_t count_dw, uint32_t v0,
                                            uint32_t v1, uint32_t v2, uint32_t v3, uint32_t v4,
                                            uint32_t v5, uint32_t v6, uint32_t v7)
{
    if (at == NULL) {
        return;
    }
#define GPUCMD_NV_PRIV_STORE(i)                                                                    \
    if (count_dw > (i)) {                                                                          \
        at[i] = v##i;                                                                              \
    }
    at[0] = v0;
    GPUCMD_NV_PRIV_STORE(1)
    GPUCMD_NV_PRIV_STORE(2)
    GPUCMD_NV_PRIV_STORE(3)
    GPUCMD_NV_PRIV_STORE(4)
    GPUCMD_NV_PRIV_STORE(5)
    GPUCMD_NV_PRIV_STORE(6)
    GPUCMD_NV_PRIV_STORE(7)
#undef GPUCMD_NV_PRIV_STORE
}

/* Call gpucmd_priv_nv_store_few(at, count_dw, the given words), with zeros for the other words. */
#define GPUCMD_NV_PRIV_STORE_FEW(...) GPUCMD_NV_PRIV_STORE_8(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0, 0)
#define GPUCMD_NV_PRIV_STORE_8(at, count_dw, v0, v1, v2, v3, v4, v5, v6, v7, ...)                  \
    gpucmd_priv_nv_store_few(at, count_dw, v0, v1, v2, v3, v4, v5, v6, v7)

/* Define the function `name`, which appends a method run whose count_dw data words are its
 * arguments. GPUCMD_NV_PRIV_TO_n is the parameter list of a function with n data words. */
#define GPUCMD_NV_PRIV_TO_1 gpucmd_writer *w, uint32_t subc, uint32_t mthd, uint32_t v0
#define GPUCMD_NV_PRIV_TO_2 GPUCMD_NV_PRIV_TO_1, uint32_t v1
#define GPUCMD_NV_PRIV_TO_3 GPUCMD_NV_PRIV_TO_2, uint32_t v2
#define GPUCMD_NV_PRIV_TO_4 GPUCMD_NV_PRIV_TO_3, uint32_t v3
#define GPUCMD_NV_PRIV_TO_5 GPUCMD_NV_PRIV_TO_4, uint32_t v4
#define GPUCMD_NV_PRIV_TO_6 GPUCMD_NV_PRIV_TO_5, uint32_t v5
#define GPUCMD_NV_PRIV_TO_7 GPUCMD_NV_PRIV_TO_6, uint32_t v6
#define GPUCMD_NV_PRIV_TO_8 GPUCMD_NV_PRIV_TO_7, uint32_t v7
#define GPUCMD_NV_PRIV_EMIT_FEW(name, encode, count_dw, ...)                                       \
    GPUCMD_INLINE void name(GPUCMD_NV_PRIV_TO_##count_dw)                                          \
    {                                                                                              \
        uint32_t dw = 0;                                                                           \
        const gpucmd_status status = encode(&dw, subc, mthd, count_dw);                            \
        uint32_t *const at = gpucmd_priv_nv_open(w, status, dw, count_dw);                         \
        GPUCMD_NV_PRIV_STORE_FEW(at, count_dw, __VA_ARGS__);                                       \
    }

/* gpucmd_nv_emit_inc1 to _inc8: as gpucmd_nv_emit_inc, but the 1 to 8 data
 * words are arguments. This is faster if the words are separate values. */
GPUCMD_NV_PRIV_EMIT_FEW(gpucmd_nv_emit_inc1, gpucmd_nv_encode_inc, 1, v0)
GPUCMD_NV_PRIV_EMIT_FEW(gpucmd_nv_emit_inc2, gpucmd_nv_encode_inc, 2, v0, v1)
GPUCMD_NV_PRIV_EMIT_FEW(gpucmd_nv_emit_inc3, gpucmd_nv_encode_inc, 3, v0, v1, v2)
GPUCMD_NV_PRIV_EMIT_FEW(gpucmd_nv_emit_inc4, gpucmd_nv_encode_inc, 4, v0, v1, v2, v3)
GPUCMD_NV_PRIV_EMIT_FEW(gpucmd_nv_emit_inc5, gpucmd_nv_encode_inc, 5, v0, v1, v2, v3, v4)
GPUCMD_NV_PRIV_EMIT_FEW(gpucmd_nv_emit_inc6, gpucmd_nv_encode_inc, 6, v0, v1, v2, v3, v4, v5)
GPUCMD_NV_PRIV_EMIT_FEW(gpucmd_nv_emit_inc7, gpucmd_nv_encode_inc, 7, v0, v1, v2, v3, v4, v5, v6)
GPUCMD_NV_PRIV_EMIT_FEW(gpucmd_nv_emit_inc8, gpucmd_nv_encode_inc, 8, v0, v1, v2, v3, v4, v5, v6,
                        v7)

/* Append a method run whose words all go to one method:
 * GPUCMD_NV_NON_INC_DW(count_dw) words. As gpucmd_nv_emit_inc, but mthd may be the last
 * method (0x3ffc) for any count_dw. [906F] NON_INC_METHOD */
GPUCMD_NV_PRIV_EMIT_RUN(gpucmd_nv_emit_non_inc, gpucmd_nv_encode_non_inc)

/* Append a method run whose first word goes to mthd and all other words to mthd
 * + 4: GPUCMD_NV_ONE_INC_DW(count_dw) words. As gpucmd_nv_emit_inc, but mthd is at most
 * 0x3ff8 if count_dw is 2 or more. [906F] ONE_INC */
GPUCMD_NV_PRIV_EMIT_RUN(gpucmd_nv_emit_one_inc, gpucmd_nv_encode_one_inc)

/* Append one method with its data (0..0x1fff) in the header: one word; GF100
 * and later. GPUCMD_RANGE: subc, mthd or data is too large. GPUCMD_ALIGN: mthd
 * is not a multiple of 4. [906F] IMMD_DATA_METHOD */
GPUCMD_INLINE void gpucmd_nv_emit_immd(gpucmd_writer *w, uint32_t subc, uint32_t mthd,
                                       uint32_t data)
{
    uint32_t dw = 0;
    const gpucmd_status status = gpucmd_nv_encode_immd(&dw, subc, mthd, data);
    gpucmd_priv_nv_emit_one(w, status, dw);
}

/* Append NOP, one word that does nothing on every chip. */
GPUCMD_INLINE void gpucmd_nv_emit_nop(gpucmd_writer *w)
{
    gpucmd_priv_nv_emit_one(w, GPUCMD_OK, GPUCMD_NV_NOP);
}

/* Append SLI_COND: following methods reach only the subdevices in mask (0..0xfff). One
 * word; NV40 and later. GPUCMD_RANGE: mask is above 0xfff. [366E] [906F] */
GPUCMD_NV_PRIV_EMIT_ONE(gpucmd_nv_emit_sli_cond, gpucmd_nv_encode_sli_cond, uint32_t, mask)

/* Append SLI_STORE: the GPU stores a subdevice mask (0..0xfff), which SLI_USE
 * uses. One word; GF100 and later. GPUCMD_RANGE: mask is above 0xfff. [906F] */
GPUCMD_NV_PRIV_EMIT_ONE(gpucmd_nv_emit_sli_store, gpucmd_nv_encode_sli_store, uint32_t, mask)

/* Append SLI_USE: as SLI_COND, but with the mask that SLI_STORE stored. One
 * word; GF100 and later. [906F] */
GPUCMD_INLINE void gpucmd_nv_emit_sli_use(gpucmd_writer *w)
{
    gpucmd_priv_nv_emit_one(w, GPUCMD_OK, GPUCMD_NV_SLI_USE);
}

/* Append END_SEGMENT: the GPU skips the remaining words of the segment. One
 * word; GF100 and later. [906F] END_PB_SEGMENT */
GPUCMD_INLINE void gpucmd_nv_emit_end_segment(gpucmd_writer *w)
{
    gpucmd_priv_nv_emit_one(w, GPUCMD_OK, GPUCMD_NV_END_SEGMENT);
}

/* Append a method run to increasing methods: GPUCMD_NV_OLD_INC_DW(count_dw) words; before GF100.
 *   data  count_dw words, read before the call returns; may be NULL if count_dw is 0
 * Other parameters and statuses as gpucmd_nv_encode_old_inc. GPUCMD_FULL: the buffer is full. On
 * failure nothing is written. [206E] OPCODE_METHOD */
GPUCMD_NV_PRIV_EMIT_RUN(gpucmd_nv_emit_old_inc, gpucmd_nv_encode_old_inc)

/* gpucmd_nv_emit_old_inc1 to _inc8: gpucmd_nv_emit_old_inc with 1 to 8 data words as arguments. */
GPUCMD_NV_PRIV_EMIT_FEW(gpucmd_nv_emit_old_inc1, gpucmd_nv_encode_old_inc, 1, v0)
GPUCMD_NV_PRIV_EMIT_FEW(gpucmd_nv_emit_old_inc2, gpucmd_nv_encode_old_inc, 2, v0, v1)
GPUCMD_NV_PRIV_EMIT_FEW(gpucmd_nv_emit_old_inc3, gpucmd_nv_encode_old_inc, 3, v0, v1, v2)
GPUCMD_NV_PRIV_EMIT_FEW(gpucmd_nv_emit_old_inc4, gpucmd_nv_encode_old_inc, 4, v0, v1, v2, v3)
GPUCMD_NV_PRIV_EMIT_FEW(gpucmd_nv_emit_old_inc5, gpucmd_nv_encode_old_inc, 5, v0, v1, v2, v3, v4)
GPUCMD_NV_PRIV_EMIT_FEW(gpucmd_nv_emit_old_inc6, gpucmd_nv_encode_old_inc, 6, v0, v1, v2, v3, v4,
                        v5)
GPUCMD_NV_PRIV_EMIT_FEW(gpucmd_nv_emit_old_inc7, gpucmd_nv_encode_old_inc, 7, v0, v1, v2, v3, v4,
                        v5, v6)
GPUCMD_NV_PRIV_EMIT_FEW(gpucmd_nv_emit_old_inc8, gpucmd_nv_encode_old_inc, 8, v0, v1, v2, v3, v4,
                        v5, v6, v7)

/* Append a method run whose words all go to one method: GPUCMD_NV_OLD_NON_INC_DW(count_dw) words;
 * NV10 until GF100. Otherwise as gpucmd_nv_emit_old_inc. [206E] OPCODE_NONINC_METHOD */
GPUCMD_NV_PRIV_EMIT_RUN(gpucmd_nv_emit_old_non_inc, gpucmd_nv_encode_old_non_inc)

/* Append a method run of at most 0xffffff data words, which all go to one
 * method: GPUCMD_NV_LONG_NON_INC_DW(count_dw) words; IB mode, G80 until GF100.
 * Otherwise as gpucmd_nv_emit_old_inc. [506F] DOUBLE_HEADER */
GPUCMD_INLINE void gpucmd_nv_emit_long_non_inc(gpucmd_writer *w, uint32_t subc, uint32_t mthd,
                                               const uint32_t *data, uint32_t count_dw)
{
    uint32_t dw[2] = {0, 0};
    const gpucmd_status status = gpucmd_nv_encode_long_non_inc(dw, subc, mthd, count_dw);
    uint32_t *at = gpucmd_priv_nv_open(w, status, dw[0], count_dw + 1);
    if (at != NULL) {
        at[0] = dw[1];
        if (count_dw != 0) {
            gpucmd_priv_copy(at + 1, data, (size_t)count_dw * 4);
        }
    }
}

/* Append a jump to target_va: one word; NV4-style. Range, chips and statuses as
 * gpucmd_nv_encode_jump_old. [006C] */
GPUCMD_NV_PRIV_EMIT_ONE(gpucmd_nv_emit_jump_old, gpucmd_nv_encode_jump_old, uint64_t, target_va)

/* Append a jump to target_va: one word; NV4-style, NV1A and later. Range, chips
 * and statuses as gpucmd_nv_encode_jump. [206E] */
GPUCMD_NV_PRIV_EMIT_ONE(gpucmd_nv_emit_jump, gpucmd_nv_encode_jump, uint64_t, target_va)

/* Append a call of the subroutine at target_va: one word. A subroutine must not call
 * another subroutine. Range, chips and statuses as gpucmd_nv_encode_jump. [206E] */
GPUCMD_NV_PRIV_EMIT_ONE(gpucmd_nv_emit_call, gpucmd_nv_encode_call, uint64_t, target_va)

/* Append a return to the word after the call. One word; NV4-style, NV1A until GF100. [206E] */
GPUCMD_INLINE void gpucmd_nv_emit_return(gpucmd_writer *w)
{
    gpucmd_priv_nv_emit_one(w, GPUCMD_OK, GPUCMD_NV_RETURN);
}

/* ---- method runs of any length: split into runs, of which all or none are appended ---- */

/* Append a method run as several runs of at most max_dw data words each.
 *   status       status of the values; unless it is GPUCMD_OK, append nothing
 *   first, rest  headers of the first run and of all other runs, with count 0
 *   step         for each data word in earlier runs, `step` is added to header `rest`
 *   count_lo     lowest bit of the count in the header; 32: the count is a word after the header */
GPUCMD_INLINE void gpucmd_priv_nv_emit_split(gpucmd_writer *w, gpucmd_status status, uint32_t first,
                                             uint32_t rest, uint32_t step, const uint32_t *data,
                                             size_t count_dw, uint32_t max_dw, uint32_t count_lo)
{
    size_t done_dw;
    const size_t parts =
        count_dw == 0 ? 1
                      : 1 + (sizeof(size_t) > 4 ? (count_dw - 1) / max_dw
                                                : gpucmd_priv_div((uint32_t)count_dw - 1, max_dw));
    const bool apart = count_lo == 32;
    uint32_t head = first;
    if (status == GPUCMD_OK && count_dw > (size_t)-1 / 8) {
        status = GPUCMD_RANGE;
    }
    uint32_t *at = gpucmd_priv_nv_recipe(w, status, count_dw + parts + (apart ? parts : 0));
    for (done_dw = 0; at != NULL;) {
        const size_t n_dw = count_dw - done_dw < max_dw ? count_dw - done_dw : max_dw;
        *at++ = apart ? head : head + ((uint32_t)n_dw << (count_lo & 31));
        if (apart) {
            *at++ = GPUCMD_FIELD_PUT(NV_OLD_LONG_COUNT, n_dw);
        }
        if (n_dw != 0) {
            gpucmd_priv_copy(at, data + done_dw, n_dw * 4);
        }
        done_dw += n_dw;
        at = done_dw < count_dw ? at + n_dw : NULL;
        head = rest + (uint32_t)done_dw * step;
    }
}

/* As gpucmd_nv_emit_non_inc, but for any number of words: append method runs of at most
 * 8191 data words each, GPUCMD_NV_NON_INC_LONG_DW(count_dw) words in all. */
GPUCMD_INLINE void gpucmd_nv_emit_non_inc_long(gpucmd_writer *w, uint32_t subc, uint32_t mthd,
                                               const uint32_t *data, size_t count_dw)
{
    uint32_t dw = 0;
    const gpucmd_status status = gpucmd_nv_encode_non_inc(&dw, subc, mthd, 0);
    gpucmd_priv_nv_emit_split(w, status, dw, dw, 0, data, count_dw, GPUCMD_FIELD_MAX(NV_HDR_COUNT),
                              GPUCMD_NV_HDR_COUNT_LO);
}

/* As gpucmd_nv_emit_one_inc, but for any number of words: append a ONE_INC run, then
 * NON_INC runs to mthd + 4, GPUCMD_NV_ONE_INC_LONG_DW(count_dw) words in all. */
GPUCMD_INLINE void gpucmd_nv_emit_one_inc_long(gpucmd_writer *w, uint32_t subc, uint32_t mthd,
                                               const uint32_t *data, size_t count_dw)
{
    uint32_t first = 0, rest = 0;
    gpucmd_status status = gpucmd_nv_encode_one_inc(&first, subc, mthd, count_dw < 2 ? 0 : 2);
    if (status == GPUCMD_OK) {
        status = gpucmd_nv_encode_one_inc(&first, subc, mthd, 0);
    }
    if (status == GPUCMD_OK && count_dw > GPUCMD_FIELD_MAX(NV_HDR_COUNT)) {
        status = gpucmd_nv_encode_non_inc(&rest, subc, mthd + 4, 0);
    }
    gpucmd_priv_nv_emit_split(w, status, first, rest, 0, data, count_dw,
                              GPUCMD_FIELD_MAX(NV_HDR_COUNT), GPUCMD_NV_HDR_COUNT_LO);
}

/* As gpucmd_nv_emit_long_non_inc, but for any number of words: append method runs of at
 * most 0xffffff data words each, GPUCMD_NV_LONG_NON_INC_LONG_DW(count_dw) words in all. */
GPUCMD_INLINE void gpucmd_nv_emit_long_non_inc_long(gpucmd_writer *w, uint32_t subc, uint32_t mthd,
                                                    const uint32_t *data, size_t count_dw)
{
    uint32_t dw[2] = {0, 0};
    const gpucmd_status status = gpucmd_nv_encode_long_non_inc(dw, subc, mthd, 0);
    gpucmd_priv_nv_emit_split(w, status, dw[0], dw[0], 0, data, count_dw,
                              GPUCMD_FIELD_MAX(NV_OLD_LONG_COUNT), 32);
}

/* As gpucmd_nv_emit_old_inc, but for any number of words: append method runs of at most 2047
 * data words each, GPUCMD_NV_OLD_INC_LONG_DW(count_dw) words in all. Also GPUCMD_RANGE: a word
 * would go to a method after the last one. On GF100 and later one method run can reach all
 * methods, so that these chips need no such function. */
GPUCMD_INLINE void gpucmd_nv_emit_old_inc_long(gpucmd_writer *w, uint32_t subc, uint32_t mthd,
                                               const uint32_t *data, size_t count_dw)
{
    uint32_t dw = 0;
    gpucmd_status status = gpucmd_nv_encode_old_inc(&dw, subc, mthd, 0);
    if (status == GPUCMD_OK && count_dw > GPUCMD_FIELD_MAX(NV_OLD_MTHD) + 1 - mthd / 4) {
        status = GPUCMD_RANGE;
    }
    gpucmd_priv_nv_emit_split(w, status, dw, dw, GPUCMD_FIELD_PUT(NV_OLD_MTHD, 1), data, count_dw,
                              GPUCMD_FIELD_MAX(NV_OLD_COUNT), GPUCMD_NV_OLD_COUNT_LO);
}

/* As gpucmd_nv_emit_old_non_inc, but for any number of words: append method runs of at
 * most 2047 data words each, GPUCMD_NV_OLD_NON_INC_LONG_DW(count_dw) words in all. */
GPUCMD_INLINE void gpucmd_nv_emit_old_non_inc_long(gpucmd_writer *w, uint32_t subc, uint32_t mthd,
                                                   const uint32_t *data, size_t count_dw)
{
    uint32_t dw = 0;
    const gpucmd_status status = gpucmd_nv_encode_old_non_inc(&dw, subc, mthd, 0);
    gpucmd_priv_nv_emit_split(w, status, dw, dw, 0, data, count_dw, GPUCMD_FIELD_MAX(NV_OLD_COUNT),
                              GPUCMD_NV_OLD_COUNT_LO);
}

#undef GPUCMD_NV_PRIV_EMIT_FEW
#undef GPUCMD_NV_PRIV_EMIT_ONE
#undef GPUCMD_NV_PRIV_EMIT_RUN

/* ==== [NV.RING] ============================================================================ */

/* NV4-style ring, NV4 until GF100. The GPU fetches the words from DMA_GET up to DMA_PUT. Where the
 * next commands do not fit, the library writes a jump to the start of the ring. It never overwrites
 * words that the GPU has not fetched. DMA_PUT never advances up to DMA_GET, because equal values
 * mean that the ring is empty. [ENVY] */
typedef struct gpucmd_nv_ring {
    uint32_t *base;     /* ring memory, cap_dw words */
    uint32_t base_va;   /* offset of the ring in the DMA object of the pushbuffer, bytes */
    uint32_t cap_dw;    /* size of the ring in words */
    uint32_t first_dw;  /* position of the first command; the words before it are NOPs */
    uint32_t put_dw;    /* position of the next command */
    uint32_t kicked_dw; /* position that was last submitted through DMA_PUT */
    gpucmd_nv_chip chip;
    const gpucmd_mmio *area; /* registers of the channel control area */
    uint32_t get_off_bytes;  /* register to poll: DMA_CGET or DMA_GET */
    gpucmd_wait wait;        /* how the ring waits for room */
} gpucmd_nv_ring;

/* Set up an idle ring whose DMA_GET and DMA_PUT are base_va.
 *   chip      NV4 until GF100
 *   base      cap_dw words of ring memory, which the GPU reads at base_va
 *   base_va   multiple of 4; base_va + 4 * cap_dw is at most 2^32, before NV1A at most 2^29
 *   skip_dw   number of NOPs that this call writes at base; commands start after
 *             them. If skip_dw is not 0, the jump to base_va never leads to DMA_PUT. The
 *             documents allow 0; Linux uses 32, because hardware may misbehave
 *             [LNX]. cap_dw must be at least skip_dw + 2
 *   area      reads and writes the channel control area
 * Ring memory and area are owned by the caller and must stay valid as long as the ring is used. The
 * call sets ring->wait with gpucmd_wait_init, and ring->get_off_bytes to DMA_CGET on NV40 and
 * later, to DMA_GET before. If the area has no DMA_CGET (style OLD in GPUCMD_NV_AREAS), the caller
 * must set ring->get_off_bytes to DMA_GET after this call. The stream may call subroutines outside
 * the ring: the ring ignores GET while GET is outside the ring.
 * GPUCMD_UNSUPPORTED: chip has no NV4-style ring. GPUCMD_RANGE: cap_dw is below skip_dw + 2, or
 * base_va + 4 * cap_dw is too large. GPUCMD_ALIGN: base_va is not a multiple of 4. */
GPUCMD_MUST_CHECK GPUCMD_SHARED gpucmd_status gpucmd_nv_ring_init(gpucmd_nv_ring *ring,
                                                                  gpucmd_nv_chip chip,
                                                                  uint32_t *base, uint32_t base_va,
                                                                  uint32_t cap_dw, uint32_t skip_dw,
                                                                  const gpucmd_mmio *area)
{
    uint32_t i;
    const uint64_t end_va = base_va + (uint64_t)cap_dw * 4;
    const uint32_t max_dw = chip < GPUCMD_NV_CHIP_NV1A ? GPUCMD_FIELD_MAX(NV_OLD_JUMP_OFFSET)
                                                       : GPUCMD_FIELD_MAX(NV_OLD_LONG_OFFSET);
    if (chip < GPUCMD_NV_CHIP_NV4 || GPUCMD_NV_IS_GF100(chip)) {
        return GPUCMD_UNSUPPORTED;
    }
    if (base_va % 4 != 0) {
        return GPUCMD_ALIGN;
    }
    if (end_va > ((uint64_t)max_dw + 1) * 4 || skip_dw >= cap_dw || cap_dw - skip_dw < 2) {
        return GPUCMD_RANGE;
    }
    ring->base = base;
    ring->base_va = base_va;
    ring->cap_dw = cap_dw;
    ring->first_dw = skip_dw;
    ring->put_dw = skip_dw;
    ring->kicked_dw = 0;
    ring->chip = chip;
    ring->area = area;
    ring->get_off_bytes =
        chip >= GPUCMD_NV_CHIP_NV40 ? GPUCMD_NV_AREA_DMA_CGET : GPUCMD_NV_AREA_DMA_GET;
    gpucmd_wait_init(&ring->wait);
    for (i = 0; i < skip_dw; i++) {
        base[i] = GPUCMD_NV_NOP;
    }
    return GPUCMD_OK;
}

/* Call this right after gpucmd_nv_ring_init if the DMA_GET and DMA_PUT of the idle ring are not
 * base_va, but base_va + 4 * put_dw. The ring then continues at position put_dw.
 * GPUCMD_RANGE: put_dw is not a position for commands; the ring is unchanged. */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_nv_ring_resume(gpucmd_nv_ring *ring,
                                                                    uint32_t put_dw)
{
    if (put_dw < ring->first_dw || put_dw >= ring->cap_dw) {
        return GPUCMD_RANGE;
    }
    ring->put_dw = put_dw;
    ring->kicked_dw = put_dw;
    return GPUCMD_OK;
}

/* Submit: execute a write barrier after the words, then store to DMA_PUT (G80
 * and later: high half first). */
GPUCMD_SHARED void gpucmd_nv_ring_kick(gpucmd_nv_ring *ring)
{
    GPUCMD_BARRIER_WRITE();
    if (ring->chip >= GPUCMD_NV_CHIP_G80) {
        ring->area->write32(ring->area->user, GPUCMD_NV_AREA_DMA_PUT_HIGH, 0);
    }
    ring->area->write32(ring->area->user, GPUCMD_NV_AREA_DMA_PUT, ring->base_va + ring->put_dw * 4);
    ring->kicked_dw = ring->put_dw;
}

/* Poll GET (register get_off_bytes) until it is in the ring and the condition is true.
 *   parameter want true   GET is one of the positions lo_dw..hi_dw
 *   parameter want false  GET is none of the positions lo_dw..hi_dw
 * On failure return the status of gpucmd_wait_again. */
static inline gpucmd_status gpucmd_priv_nv_ring_wait(gpucmd_nv_ring *ring, uint32_t lo_dw,
                                                     uint32_t hi_dw, bool want)
{
    uint32_t tries = 0;
    for (;;) {
        const uint32_t get_va = ring->area->read32(ring->area->user, ring->get_off_bytes);
        const uint32_t get_dw = (get_va - ring->base_va) / 4;
        if (get_va >= ring->base_va && get_dw < ring->cap_dw &&
            (get_dw >= lo_dw && get_dw <= hi_dw) == want) {
            return GPUCMD_OK;
        }
        const gpucmd_status status = gpucmd_wait_again(&ring->wait, &tries);
        if (status != GPUCMD_OK) {
            return status;
        }
    }
}

/* Submit all words before put_dw. Wait until GET is after the start, because otherwise PUT at the
 * start would equal GET and mean "empty". Then write and submit the jump to the start. The
 * ring always keeps one word free for this jump. */
static inline gpucmd_status gpucmd_priv_nv_ring_wrap(gpucmd_nv_ring *ring)
{
    const uint64_t target_va = ring->base_va;
    uint32_t dw = 0;
    if (ring->kicked_dw != ring->put_dw) {
        gpucmd_nv_ring_kick(ring);
    }
    gpucmd_status status = gpucmd_priv_nv_ring_wait(ring, ring->first_dw + 1, ring->put_dw, true);
    if (status == GPUCMD_OK) {
        status = ring->chip < GPUCMD_NV_CHIP_NV1A ? gpucmd_nv_encode_jump_old(&dw, target_va)
                                                  : gpucmd_nv_encode_jump(&dw, target_va);
    }
    if (status == GPUCMD_OK) {
        ring->base[ring->put_dw] = dw;
        ring->put_dw = ring->first_dw;
        gpucmd_nv_ring_kick(ring);
    }
    return status;
}

/* Set up w as a writer of n_dw words of ring memory. If n_dw words and a jump do not fit
 * before the end, this call first submits a jump to the start. Then the call waits until
 * the GPU has fetched the words that w will overwrite. After this call emit commands and
 * call gpucmd_nv_ring_end. GPUCMD_RANGE: n_dw is 0 or too large for the ring. Any status
 * of gpucmd_wait_again: the GPU did not make room; the call may be repeated. */
GPUCMD_MUST_CHECK GPUCMD_SHARED gpucmd_status gpucmd_nv_ring_begin(gpucmd_nv_ring *ring,
                                                                   uint32_t n_dw, gpucmd_writer *w)
{
    gpucmd_status status = GPUCMD_OK;
    if (n_dw == 0 || n_dw >= ring->cap_dw - ring->first_dw) {
        return GPUCMD_RANGE;
    }
    if (n_dw >= ring->cap_dw - ring->put_dw) {
        status = gpucmd_priv_nv_ring_wrap(ring);
    }
    if (status == GPUCMD_OK) {
        status = gpucmd_priv_nv_ring_wait(ring, ring->put_dw + 1, ring->put_dw + n_dw, false);
    }
    if (status == GPUCMD_OK) {
        gpucmd_writer_init(w, ring->base + ring->put_dw, n_dw);
    }
    return status;
}

/* Accept the words of w, the writer of the last gpucmd_nv_ring_begin. The GPU
 * fetches the words after the next kick. Return the status of w; unless it is
 * GPUCMD_OK, no word is accepted. GPUCMD_ORDER: w is another writer. */
GPUCMD_MUST_CHECK GPUCMD_SHARED gpucmd_status gpucmd_nv_ring_end(gpucmd_nv_ring *ring,
                                                                 const gpucmd_writer *w)
{
    size_t len_dw = 0;
    const gpucmd_status status = gpucmd_writer_finish(w, &len_dw);
    if (status != GPUCMD_OK) {
        return status;
    }
    if (w->base != ring->base + ring->put_dw || len_dw >= ring->cap_dw - ring->put_dw) {
        return GPUCMD_ORDER;
    }
    ring->put_dw += (uint32_t)len_dw;
    return GPUCMD_OK;
}

/* ---- IB ring ---- */

/* Write the token of a channel, which is the value for the doorbell, to *token. User
 * space drivers receive the token from the kernel instead.
 *   runlist  TOKEN_RUNLIST 0..127, GB100 until GB202 TOKEN_RUNLIST_GB100 0..63; before
 *            TU102 any value, because the token has no runlist
 *   channel  TOKEN_CHANNEL 0..4095
 * GPUCMD_UNSUPPORTED: chip is before GV100. GPUCMD_RANGE: runlist or channel is too
 * large. On failure *token is unchanged. [USER] NOTIFY_CHANNEL_PENDING, [RM] */
GPUCMD_MUST_CHECK GPUCMD_SHARED gpucmd_status gpucmd_nv_encode_token(gpucmd_nv_chip chip,
                                                                     uint32_t runlist,
                                                                     uint32_t channel,
                                                                     uint32_t *token)
{
    const bool gb100 = chip >= GPUCMD_NV_CHIP_GB100 && chip < GPUCMD_NV_CHIP_GB202;
    const uint32_t last =
        gb100 ? GPUCMD_FIELD_MAX(NV_TOKEN_RUNLIST_GB100) : GPUCMD_FIELD_MAX(NV_TOKEN_RUNLIST);
    const uint32_t in_token = chip < GPUCMD_NV_CHIP_TU102 ? 0 : runlist;
    if (chip < GPUCMD_NV_CHIP_GV100) {
        return GPUCMD_UNSUPPORTED;
    }
    if (in_token > last || channel > GPUCMD_FIELD_MAX(NV_TOKEN_CHANNEL)) {
        return GPUCMD_RANGE;
    }
    *token = GPUCMD_FIELD_PUT(NV_TOKEN_CHANNEL, channel) |
             GPUCMD_FIELD_PUT(NV_TOKEN_RUNLIST, in_token) |
             GPUCMD_FIELD_PUT(NV_TOKEN_GB202, chip >= GPUCMD_NV_CHIP_GB202 ? 1 : 0);
    return GPUCMD_OK;
}

/* Split a token into *runlist (before TU102: 0) and *channel. GPUCMD_UNSUPPORTED: chip is
 * before GV100. GPUCMD_INVALID: token is not a token of this chip, so that the doorbell
 * ignores it. On failure *runlist and *channel are unchanged. */
GPUCMD_MUST_CHECK GPUCMD_SHARED gpucmd_status gpucmd_nv_decode_token(gpucmd_nv_chip chip,
                                                                     uint32_t token,
                                                                     uint32_t *runlist,
                                                                     uint32_t *channel)
{
    uint32_t again = 0;
    const uint32_t r = GPUCMD_FIELD_GET(NV_TOKEN_RUNLIST, token);
    const uint32_t c = GPUCMD_FIELD_GET(NV_TOKEN_CHANNEL, token);
    const gpucmd_status status = gpucmd_nv_encode_token(chip, r, c, &again);
    if (status == GPUCMD_UNSUPPORTED) {
        return status;
    }
    if (status != GPUCMD_OK || again != token) {
        return GPUCMD_INVALID;
    }
    *runlist = r;
    *channel = c;
    return GPUCMD_OK;
}

/* IB ring (GPFIFO) of G80 and later. The number of entries is a power of two. The ring is empty if
 * GP_PUT equals GP_GET. It is full if GP_PUT + 1, modulo the number of entries, equals GP_GET. */
typedef struct gpucmd_nv_gpfifo {
    uint8_t *base;   /* ring memory, 8 bytes for each entry */
    uint32_t mask;   /* number of entries - 1 */
    uint32_t put;    /* index of the next entry to write */
    uint32_t get;    /* value of GP_GET at the last poll */
    uint32_t kicked; /* last value written to GP_PUT */
    gpucmd_nv_chip chip;
    gpucmd_endian endian; /* byte order of the entries */
    uint64_t base_va; /* bits 56:40: address bits of the next segments, set by a control entry */
    uint64_t end_dw;  /* first word address (bytes / 4) that an entry cannot contain */
    uint32_t max_dw;  /* longest segment in words */
    const gpucmd_mmio *area; /* channel control area; not used if userd is set */
    volatile uint32_t *
        userd; /* control area as memory that is mapped for the CPU, GF100 and later; may be NULL */
    const gpucmd_mmio *usermode; /* usermode region, GV100 and later; may be NULL */
    volatile uint32_t *doorbell; /* mapped doorbell register; if NULL, usermode is used */
    uint32_t token;              /* value for the doorbell */
    gpucmd_wait wait;            /* how the ring waits for room */
} gpucmd_nv_gpfifo;

/* Set up an idle ring whose GP_GET and GP_PUT are 0.
 *   base      ring memory of 8 << order bytes, 8-byte aligned
 *   order     log2 of the number of entries, 1..24
 *   area      reads and writes the channel control area; NULL: the caller sets
 *             fifo->userd, the control area as mapped memory
 *   usermode  usermode region: each kick writes token to its doorbell. Must be NULL before GV100,
 *             because these chips have no doorbell. NULL on GV100 and later: the caller sets
 *             fifo->doorbell, or writes the doorbell after each kick
 *   token     value for the doorbell
 * Memory, area and usermode are owned by the caller and must stay valid as long as the ring
 * is used. The call sets fifo->wait with gpucmd_wait_init, and fifo->endian to
 * little-endian; if PFIFO is big-endian (G80 until GF100), the caller must then change
 * fifo->endian. GPUCMD_UNSUPPORTED: chip is before G80. GPUCMD_RANGE: order is outside
 * 1..24. GPUCMD_ALIGN: base is not 8-byte aligned. */
GPUCMD_MUST_CHECK GPUCMD_SHARED gpucmd_status
gpucmd_nv_gpfifo_init(gpucmd_nv_gpfifo *fifo, gpucmd_nv_chip chip, void *base, uint32_t order,
                      const gpucmd_mmio *area, const gpucmd_mmio *usermode, uint32_t token)
{
    if (chip < GPUCMD_NV_CHIP_G80) {
        return GPUCMD_UNSUPPORTED;
    }
    if (order < 1 || order > 24) {
        return GPUCMD_RANGE;
    }
    if ((uintptr_t)base % 8 != 0) {
        return GPUCMD_ALIGN;
    }
    fifo->base = (uint8_t *)base;
    fifo->mask = ((uint32_t)1 << order) - 1;
    fifo->put = 0;
    fifo->kicked = 0;
    fifo->get = 0;
    fifo->chip = chip;
    fifo->endian = GPUCMD_LITTLE_ENDIAN;
    fifo->base_va = 0;
    fifo->end_dw =
        ((uint64_t)1 << (GPUCMD_NV_ENTRY_VA_BITS - 2)) - (GPUCMD_NV_IS_GF100(chip) ? 1 : 0);
    fifo->max_dw = gpucmd_nv_entry_max_dw(chip);
    fifo->area = area;
    fifo->userd = NULL;
    fifo->usermode = usermode;
    fifo->doorbell = NULL;
    fifo->token = token;
    gpucmd_wait_init(&fifo->wait);
    return GPUCMD_OK;
}

/* Call this right after gpucmd_nv_gpfifo_init if the GP_GET and GP_PUT of the idle ring are not 0,
 * but the value of `put`. The ring then continues at this entry. GPUCMD_RANGE: the ring has
 * no entry with this index; the ring is unchanged. */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_nv_gpfifo_resume(gpucmd_nv_gpfifo *fifo,
                                                                      uint32_t put)
{
    if (put > fifo->mask) {
        return GPUCMD_RANGE;
    }
    fifo->put = put;
    fifo->get = put;
    fifo->kicked = put;
    return GPUCMD_OK;
}

/* Convert v between CPU byte order and little-endian. */
GPUCMD_INLINE uint32_t gpucmd_priv_nv_le32(uint32_t v)
{
    return gpucmd_cpu_endian() == GPUCMD_BIG_ENDIAN ? gpucmd_priv_swap32(v) : v;
}

/* Submit: execute a write barrier, then store to GP_PUT. If fifo has a doorbell, execute a second
 * barrier, then store the token to the doorbell. The second barrier is full if fifo->userd is set,
 * as in the nvgpu driver, otherwise it is for MMIO. [NVGPUK] [USER] NOTIFY_CHANNEL_PENDING */
GPUCMD_INLINE void gpucmd_nv_gpfifo_kick(gpucmd_nv_gpfifo *fifo)
{
    GPUCMD_BARRIER_WRITE();
    fifo->kicked = fifo->put;
    if (fifo->userd != NULL) {
        fifo->userd[GPUCMD_NV_AREA_IB_PUT / 4] = gpucmd_priv_nv_le32(fifo->put);
        GPUCMD_BARRIER_FULL();
    } else {
        fifo->area->write32(fifo->area->user, GPUCMD_NV_AREA_IB_PUT, fifo->put);
        if (fifo->usermode != NULL || fifo->doorbell != NULL) {
            GPUCMD_BARRIER_MMIO();
        }
    }
    if (fifo->doorbell != NULL) {
        *fifo->doorbell = gpucmd_priv_nv_le32(fifo->token);
    } else if (fifo->usermode != NULL) {
        fifo->usermode->write32(fifo->usermode->user, GPUCMD_NV_USERMODE_NOTIFY_CHANNEL_PENDING,
                                fifo->token);
    }
}

/* Read GP_GET to fifo->get once; do not wait. GPUCMD_FAULT: GP_GET is not an
 * index of this ring, so the channel no longer works; fifo is unchanged. */
GPUCMD_MUST_CHECK GPUCMD_SHARED gpucmd_status gpucmd_nv_gpfifo_poll(gpucmd_nv_gpfifo *fifo)
{
    const uint32_t get = fifo->userd != NULL
                             ? gpucmd_priv_nv_le32(fifo->userd[GPUCMD_NV_AREA_IB_GET / 4])
                             : fifo->area->read32(fifo->area->user, GPUCMD_NV_AREA_IB_GET);
    if (get > fifo->mask) {
        return GPUCMD_FAULT;
    }
    fifo->get = get;
    return GPUCMD_OK;
}

/* Return the number of free entries according to the last poll of GP_GET. */
GPUCMD_INLINE uint32_t gpucmd_nv_gpfifo_room(const gpucmd_nv_gpfifo *fifo)
{
    return fifo->mask - ((fifo->put - fifo->get) & fifo->mask);
}

/* Submit the pushed entries, because the GPU fetches submitted entries only.
 * Then poll GP_GET until `room` entries are free. On failure return the status of
 * gpucmd_nv_gpfifo_poll or gpucmd_wait_again. */
GPUCMD_PRIV_COLD gpucmd_status gpucmd_priv_nv_gpfifo_wait(gpucmd_nv_gpfifo *fifo, uint32_t room)
{
    uint32_t tries = 0;
    if (fifo->kicked != fifo->put) {
        gpucmd_nv_gpfifo_kick(fifo);
    }
    for (;;) {
        gpucmd_status status = gpucmd_nv_gpfifo_poll(fifo);
        if (status != GPUCMD_OK || gpucmd_nv_gpfifo_room(fifo) >= room) {
            return status;
        }
        status = gpucmd_wait_again(&fifo->wait, &tries);
        if (status != GPUCMD_OK) {
            return status;
        }
    }
}

/* Submit the pushed entries and wait until the GPU has fetched all of them. The caller can
 * then reuse the entries. It can reuse the words of the segments only when a later semaphore
 * release was executed. Any status of gpucmd_wait_again: the GPU has not fetched all entries.
 * GPUCMD_FAULT: GP_GET is no index of this ring. */
GPUCMD_MUST_CHECK GPUCMD_SHARED gpucmd_status gpucmd_nv_gpfifo_drain(gpucmd_nv_gpfifo *fifo)
{
    return gpucmd_priv_nv_gpfifo_wait(fifo, fifo->mask);
}

/* Type for one 64-bit store to memory of any declared type. Compilers of GNU C need may_alias,
 * because they may otherwise assume that the store changes only objects of type uint64_t. */
#if defined(GPUCMD_PRIV_GNU)
typedef uint64_t __attribute__((__may_alias__)) gpucmd_priv_nv_entry_store;
#else
typedef uint64_t gpucmd_priv_nv_entry_store;
#endif

/* Wait until the ring has a free entry, and write `entry` to it with one 64-bit store. The
 * lower half of `entry` is word 0 of the IB entry, the upper half is word 1. */
GPUCMD_INLINE gpucmd_status gpucmd_priv_nv_gpfifo_put(gpucmd_nv_gpfifo *fifo, uint64_t entry)
{
    const uint32_t put = fifo->put;
    const uint32_t next = (put + 1) & fifo->mask;
    if (GPUCMD_PRIV_UNLIKELY(next == fifo->get)) {
        const gpucmd_status status = gpucmd_priv_nv_gpfifo_wait(fifo, 1);
        if (status != GPUCMD_OK) {
            return status;
        }
    }
    if (GPUCMD_PRIV_UNLIKELY(fifo->endian != gpucmd_cpu_endian())) {
        entry = (uint64_t)gpucmd_priv_swap32((uint32_t)(entry >> 32)) << 32 |
                gpucmd_priv_swap32((uint32_t)entry);
    }
    if (gpucmd_cpu_endian() == GPUCMD_BIG_ENDIAN) {
        entry = entry << 32 | entry >> 32; /* word 0 must get the lower address */
    }
    ((volatile gpucmd_priv_nv_entry_store *)(void *)fifo->base)[put] = entry;
    fifo->put = next;
    return GPUCMD_OK;
}

/* As gpucmd_nv_gpfifo_push, but for any arguments: check all of them. gpucmd_nv_gpfifo_push
 * itself handles only valid segments without flags. */
GPUCMD_PRIV_COLD gpucmd_status gpucmd_priv_nv_gpfifo_push(gpucmd_nv_gpfifo *fifo, uint64_t va,
                                                          uint32_t len_dw, uint32_t flags)
{
    uint32_t entry[2];
    const gpucmd_status status = gpucmd_nv_encode_entry(entry, fifo->chip, va, len_dw, flags);
    if (status != GPUCMD_OK) {
        return status;
    }
    if ((va - fifo->base_va) >> GPUCMD_NV_ENTRY_VA_BITS != 0) {
        return GPUCMD_ORDER;
    }
    return gpucmd_priv_nv_gpfifo_put(fifo, (uint64_t)entry[1] << 32 | entry[0]);
}

/* Append an entry for the segment of len_dw words at va; parameters and statuses as
 * gpucmd_nv_encode_entry. The GPU fetches the segment after the next kick. If the ring is full,
 * this call kicks and waits. On failure no entry is written. Further statuses:
 *   GPUCMD_ORDER  GH100 and later: bits 56:40 of va are not those that
 *                 gpucmd_nv_gpfifo_push_control set last
 *   GPUCMD_FAULT  GP_GET is not an index of this ring
 *   GPUCMD_LIMIT, or another status of gpucmd_wait_again: the ring stays full */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_nv_gpfifo_push(gpucmd_nv_gpfifo *fifo,
                                                                    uint64_t va, uint32_t len_dw,
                                                                    uint32_t flags)
{
    const uint64_t low_va = va - fifo->base_va; /* 2^40 or more if bits 56:40 are not base_va */
    const uint64_t at_dw =
        low_va >> 2 | low_va << 62; /* too large for the check below unless va is a multiple of 4 */
    if (GPUCMD_PRIV_UNLIKELY(!GPUCMD_PRIV_QUICK || flags != 0 || len_dw - 1 >= fifo->max_dw ||
                             at_dw > fifo->end_dw - len_dw)) {
        return gpucmd_priv_nv_gpfifo_push(fifo, va, len_dw, flags);
    }
    return gpucmd_priv_nv_gpfifo_put(fifo, low_va | (uint64_t)len_dw
                                                        << (32 + GPUCMD_NV_ENTRY1_LENGTH_LO));
}

/* Append a control entry; parameters and statuses as gpucmd_nv_encode_control. If the ring is full,
 * this call kicks and waits, with the same further statuses as gpucmd_nv_gpfifo_push. */
GPUCMD_MUST_CHECK GPUCMD_SHARED gpucmd_status gpucmd_nv_gpfifo_push_control(gpucmd_nv_gpfifo *fifo,
                                                                            gpucmd_nv_control op,
                                                                            uint32_t operand,
                                                                            uint32_t flags)
{
    uint32_t entry[2];
    gpucmd_status status = gpucmd_nv_encode_control(entry, fifo->chip, op, operand, flags);
    if (status == GPUCMD_OK) {
        status = gpucmd_priv_nv_gpfifo_put(fifo, (uint64_t)entry[1] << 32 | entry[0]);
    }
    if (status == GPUCMD_OK && op == GPUCMD_NV_CONTROL_SET_PB_SEGMENT_EXTENDED_BASE) {
        fifo->base_va = (uint64_t)GPUCMD_FIELD_GET(NV_EXTENDED_BASE, operand)
                        << GPUCMD_NV_ENTRY_VA_BITS;
    }
    return status;
}

/* ==== [NV.DECODE] ========================================================================== */

/* Values of the PBDMA register FORMATS of Fermi to Pascal, which selects the word
 * formats that the PBDMA accepts. Drivers set NEW. */
typedef enum gpucmd_nv_fmt {
    GPUCMD_NV_FMT_NEW,
    GPUCMD_NV_FMT_OLD,
    GPUCMD_NV_FMT_BOTH,
} gpucmd_nv_fmt;

/* Chip and mode, which determine the meaning of a command word.
 * gpucmd_nv_gate_init fills all members. */
typedef struct gpucmd_nv_gate {
    gpucmd_nv_chip chip;
    gpucmd_nv_fmt fmt;
    bool ib_enable;  /* IB mode, not NV4-style; always true on GF100 and later */
    bool sli_enable; /* SLI_COND is a valid command; always true on GF100 and later */
    uint32_t forms;  /* bit f: words of form f (gpucmd_nv_form) are valid */
} gpucmd_nv_gate;

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Fill gate with a chip and its mode.
 *   ib_enable   IB mode: G80 until GF100; ignored on GF100 and later
 *   sli_enable  SLI_COND is valid: NV40 until GF100; ignored on GF100 and later
 *   fmt         NEW; OLD and BOTH only for GF100 until GV100
 * GPUCMD_UNSUPPORTED: the chip has no pusher, or lacks the mode or format; gate is unchanged. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_nv_gate_init(gpucmd_nv_gate *gate, gpucmd_nv_chip chip,
                                                    bool ib_enable, bool sli_enable,
                                                    gpucmd_nv_fmt fmt);
#endif

/* A command, or the part of a method run that is in one segment. */
typedef struct gpucmd_nv_cmd {
    gpucmd_nv_form form;
    gpucmd_nv_kind kind;  /* method run: how the methods of the data words are selected */
    uint32_t dw;          /* first word of the command; if resumed, first word in this segment */
    uint32_t subc;        /* method run: subchannel 0..7 */
    uint32_t mthd;        /* method run: first method, bytes */
    uint32_t count_dw;    /* method run: data words in this segment and in later segments */
    uint32_t value;       /* IMMD: data; SLI_*: mask; JUMP*, CALL: target, bytes */
    uint32_t stray;       /* reserved bits that are set in dw, or in LONG_NON_INC's count word */
    bool resumed;         /* true: the header of the method run is in an earlier segment */
    uint32_t head_dw;     /* words before the data in this segment: 0, 1, or 2 for LONG_NON_INC */
    uint32_t len_dw;      /* words of the command in this segment, at least 1 */
    const uint32_t *data; /* data words of the command in this segment: len_dw - head_dw words */
} gpucmd_nv_cmd;

/* State of a walk over the commands of a stream, which consists of one or more segments. A
 * method run may continue in the next segment. */
typedef struct gpucmd_nv_walk {
    const uint32_t *cur;
    const uint32_t *end;
    gpucmd_nv_gate gate;
    bool lenp;           /* the next word is the count word of LONG_NON_INC */
    gpucmd_nv_form form; /* form of the method run that continues in the next segment */
    gpucmd_nv_kind kind;
    uint32_t subc;
    uint32_t mthd;
    uint32_t left_dw; /* data words of the method run that are in later segments */
} gpucmd_nv_walk;

/* Return true if the form is a method run or IMMD. */
GPUCMD_INLINE bool gpucmd_nv_form_is_run(gpucmd_nv_form form)
{
    return form >= GPUCMD_NV_FORM_INC && form <= GPUCMD_NV_FORM_OLD_NON_INC;
}

/* Return the address (bytes) of the method that takes data word i of a method run. Before GF100
 * addresses wrap at 0x2000 (MODEL). On GF100 and later a method run that wraps is an error. */
GPUCMD_INLINE uint32_t gpucmd_nv_mthd_at(gpucmd_nv_chip chip, gpucmd_nv_kind kind, uint32_t mthd,
                                         uint32_t i)
{
    const uint32_t wrap_dw =
        GPUCMD_NV_IS_GF100(chip) ? GPUCMD_FIELD_MAX(NV_HDR_MTHD) : GPUCMD_FIELD_MAX(NV_OLD_MTHD);
    const uint32_t step = kind == GPUCMD_NV_KIND_INC                 ? i
                          : kind == GPUCMD_NV_KIND_ONE_INC && i != 0 ? 1
                                                                     : 0;
    return ((mthd / 4 + step) & wrap_dw) * 4;
}

/* Set up a walk that has no segment yet. */
GPUCMD_INLINE void gpucmd_nv_walk_init(gpucmd_nv_walk *walk, const gpucmd_nv_gate *gate)
{
    walk->cur = NULL;
    walk->end = NULL;
    walk->gate = *gate;
    walk->lenp = false;
    walk->form = GPUCMD_NV_FORM_INVALID;
    walk->kind = GPUCMD_NV_KIND_INC;
    walk->subc = 0;
    walk->mthd = 0;
    walk->left_dw = 0;
}

/* Continue the walk with a segment of len_dw CPU words, which must stay valid until
 * the walk reaches the end of the segment. dw may be NULL if len_dw is 0. */
GPUCMD_INLINE void gpucmd_nv_walk_segment(gpucmd_nv_walk *walk, const uint32_t *dw, size_t len_dw)
{
    walk->cur = dw;
    walk->end = len_dw != 0 ? dw + len_dw : dw;
}

/* Return true if words of the last command are missing. If words are missing at
 * the end of a stream, the stream is truncated. */
GPUCMD_INLINE bool gpucmd_nv_walk_pending(const gpucmd_nv_walk *walk)
{
    return walk->lenp || walk->left_dw != 0;
}

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Return the form of the first word of a command, or GPUCMD_NV_FORM_INVALID if
 * this chip and mode reject the word. */
GPUCMD_PRIV_API gpucmd_nv_form gpucmd_nv_classify(const gpucmd_nv_gate *gate, uint32_t dw);
/* Read the next command of the segment: return true and fill cmd, or return false at the end of the
 * segment. Never read outside the segment. An INVALID word is a command of one word. If a method
 * run continues in the next segment, cmd holds the words of the run in this segment. The next
 * segment then starts with the remaining words as a command with resumed true. */
GPUCMD_PRIV_API bool gpucmd_nv_walk_next(gpucmd_nv_walk *walk, gpucmd_nv_cmd *cmd);
/* Walk to the end of the segment without filling commands, and add the number of commands
 * to *commands. A method run that crosses segments counts once in each segment. This is
 * the fastest check of a stream. GPUCMD_INVALID: walk->cur is the first word that is not
 * a command. GPUCMD_OK: the whole segment is valid; gpucmd_nv_walk_pending returns true
 * if words of its last command are missing. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_nv_walk_valid(gpucmd_nv_walk *walk, size_t *commands);
/* Decode the command that begins at dw[0]; avail_dw (at least 1) words can be read. cmd is always
 * filled, and len_dw is at least 1. GPUCMD_INVALID: dw[0] is not a command of this chip and mode.
 * GPUCMD_TRUNCATED: words are missing; len_dw is the number of words present. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_nv_decode(const uint32_t *dw, size_t avail_dw,
                                                 const gpucmd_nv_gate *gate, gpucmd_nv_cmd *cmd);
/* Decode dw, the first word of a command, without data words: fill cmd with data NULL and
 * len_dw 1. For LONG_NON_INC count_dw is 0, because the count is in the second word.
 * GPUCMD_INVALID: dw is not a command of this chip and mode. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_nv_decode_header(uint32_t dw, const gpucmd_nv_gate *gate,
                                                        gpucmd_nv_cmd *cmd);
/* Callback for gpucmd_print_writer: return the size in words of the command at
 * words[0], or 0 if the command is invalid. gate points to a gpucmd_nv_gate. */
GPUCMD_PRIV_API size_t gpucmd_nv_command_dw(const void *gate, const uint32_t *words,
                                            size_t avail_dw);
/* Append the text of a command, one line for each word.
 *   at_va  address or offset of the first word, bytes; printed with each line */
GPUCMD_PRIV_API void gpucmd_nv_print(gpucmd_text *t, const gpucmd_nv_gate *gate,
                                     const gpucmd_nv_cmd *cmd, uint64_t at_va);
#endif

/* ---- IB entries ---- */

/* A decoded IB entry. */
typedef struct gpucmd_nv_entry {
    uint64_t va;     /* address of the segment, bits 39:2 */
    uint32_t len_dw; /* length of the segment in words; 0: a control entry, before GF100 an error */
    uint32_t flags;  /* GPUCMD_NV_ENTRY_* that are set and that this chip has */
    bool is_control; /* true: opcode and operand are valid; false: va is valid */
    uint32_t opcode; /* GPUCMD_NV_CONTROL_*, or an unknown number */
    uint32_t operand;
    uint32_t stray[2]; /* for each word, the reserved bits that are set */
} gpucmd_nv_entry;

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Decode an IB entry of two CPU words. GPUCMD_UNSUPPORTED: the chip has no IB
 * entries; entry is unchanged. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_nv_decode_entry(const uint32_t dw[2], gpucmd_nv_chip chip,
                                                       gpucmd_nv_entry *entry);
/* Append the text of an IB entry: one line, and a further line for each flag that is set. */
GPUCMD_PRIV_API void gpucmd_nv_print_entry(gpucmd_text *t, gpucmd_nv_chip chip,
                                           const uint32_t dw[2], uint64_t at_va);
#endif

/* ==== [NV.CHECK] =========================================================================== */

#define GPUCMD_NV_PRIV_RULE(name, severity, text) GPUCMD_NV_RULE_##name,
typedef enum gpucmd_nv_rule { GPUCMD_NV_RULES(GPUCMD_NV_PRIV_RULE) } gpucmd_nv_rule;
#undef GPUCMD_NV_PRIV_RULE

typedef struct gpucmd_nv_finding {
    gpucmd_nv_rule rule;
    uint64_t at_va; /* address of the word or IB entry with the finding */
    uint32_t dw;    /* word with the finding, or one word of the IB entry; 0: not read */
    uint32_t mthd;  /* findings about a method run: address of the method, bytes */
    uint32_t value; /* JUMP_OUTSIDE: target; STRAY_BITS, ENTRY_STRAY: the bits;
                       TRUNCATED: missing words; ENTRY_OPCODE: the operation;
                       ENTRY_RANGE: words of the segment; *_FORM: gpucmd_nv_form */
} gpucmd_nv_finding;

/* Callback for findings. A status other than GPUCMD_OK ends the check and becomes its result. */
typedef gpucmd_status (*gpucmd_nv_finding_fn)(void *user, const gpucmd_nv_finding *finding);

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Check len_dw words in CPU byte order from first to last, without following jumps. base_va is
 * the GPU address of the first word. Callback found (may be NULL) receives each finding. Write the
 * number of findings of severity ERROR to *errors; errors must not be NULL. Return GPUCMD_OK, or
 * the status with which the callback ended the check. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_nv_check(const gpucmd_nv_gate *gate, const uint32_t *dw,
                                                size_t len_dw, uint64_t base_va,
                                                gpucmd_nv_finding_fn found, void *user,
                                                size_t *errors);
/* Check `count` IB entries, each of two words in CPU byte order. ring_va is the address of the
 * first entry. If mem is not NULL, also check the segments of the entries (little-endian words) as
 * one stream. Parameters found and errors are as for gpucmd_nv_check. Further status
 * GPUCMD_UNSUPPORTED: the chip has no IB entries; *errors is unchanged. Time: O(count + words). */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_nv_check_entries(const gpucmd_nv_gate *gate,
                                                        const uint32_t *entries, size_t count,
                                                        uint64_t ring_va, gpucmd_mem *mem,
                                                        gpucmd_nv_finding_fn found, void *user,
                                                        size_t *errors);
GPUCMD_PRIV_API const char *gpucmd_nv_rule_name(gpucmd_nv_rule rule);
GPUCMD_PRIV_API const char *gpucmd_nv_rule_text(gpucmd_nv_rule rule);
GPUCMD_PRIV_API gpucmd_severity gpucmd_nv_rule_severity(gpucmd_nv_rule rule);
#endif

/* ---- host methods and copies ---- */

/* Object that a handle names: an object of an engine, or a DMA object. */
typedef struct gpucmd_nv_object {
    uint32_t class_id; /* class of the object; 0x0002 is a class of DMA objects */
    bool software;     /* the kernel executes the methods of the object */
    uint64_t va;       /* DMA object: address of its first byte */
    uint64_t bytes;    /* DMA object: length */
    bool unfit;        /* true: NV1A until G80 reject this DMA object for semaphores, because it is
                          not write-only or has no page table */
} gpucmd_nv_object;

/* Called to find the object of a handle, as the hardware does in its hash table RAMHT.
 * *object is zero before the call. The callback must fill *object and return GPUCMD_OK, or
 * return any other status if the handle has no object. */
typedef gpucmd_status (*gpucmd_nv_object_fn)(void *user, uint32_t channel, uint32_t handle,
                                             gpucmd_nv_object *object);

#define GPUCMD_NV_PRIV_ROW(name, severity, text) GPUCMD_NV_HOST_RULE_##name,
typedef enum gpucmd_nv_host_rule { GPUCMD_NV_HOST_RULES(GPUCMD_NV_PRIV_ROW) } gpucmd_nv_host_rule;
#undef GPUCMD_NV_PRIV_ROW

/* A stream of words in CPU byte order; the GPU address of its first word is base_va. */
typedef struct gpucmd_nv_stream {
    const uint32_t *dw;
    size_t len_dw;
    uint64_t base_va;
} gpucmd_nv_stream;

typedef struct gpucmd_nv_host_finding {
    gpucmd_nv_host_rule rule;
    size_t stream;  /* index of the stream in gpucmd_nv_host_check.streams */
    uint64_t at_va; /* address of the word that the finding is about */
    uint32_t subc;
    uint32_t mthd;
    /* For the rules SEM_MISALIGNED, SEM_NEVER_RELEASED, SEM_NOT_SET and RELEASE_*, value is the
     * address of the semaphore. If the semaphore is in a DMA object, bit 63 is 1, bits 47:16 are
     * the handle and bits 15:0 the offset in bytes. For other rules value is the word at at_va. */
    uint64_t value;
} gpucmd_nv_host_finding;

typedef gpucmd_status (*gpucmd_nv_host_finding_fn)(void *user,
                                                   const gpucmd_nv_host_finding *finding);

/* Input of gpucmd_nv_check_host. The caller sets all members, or sets all to 0 first. */
typedef struct gpucmd_nv_host_check {
    gpucmd_nv_gate gate;
    const gpucmd_nv_stream *streams; /* `count` streams, executed together; owned by the caller */
    size_t count;
    uint64_t *released; /* scratch array, owned by the caller. Each element is a released address
                           with log2 of the size in words in bits 1:0. If the array is NULL or too
                           small, the rule SEM_NEVER_RELEASED is not checked */
    size_t cap;         /* number of elements of released */
    gpucmd_nv_host_finding_fn found; /* called for each finding; may be NULL */
    void *user;
    gpucmd_nv_object_fn object; /* finds objects before GF100. NULL: no class is known there */
    void *object_user;
} gpucmd_nv_host_check;

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Check the methods of the streams. In each stream the words are checked from first to last,
 * without following jumps. A method run must not continue in another stream: segments that share a
 * method run must be in one stream. Semaphores of the host engine and of other engines are checked.
 * Write the number of findings of severity ERROR to *errors. Return GPUCMD_OK, or the status
 * with which check->found ended the check. Time: O(words + semaphores * cap). */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_nv_check_host(const gpucmd_nv_host_check *check,
                                                     size_t *errors);
GPUCMD_PRIV_API const char *gpucmd_nv_host_rule_name(gpucmd_nv_host_rule rule);
GPUCMD_PRIV_API const char *gpucmd_nv_host_rule_text(gpucmd_nv_host_rule rule);
GPUCMD_PRIV_API gpucmd_severity gpucmd_nv_host_rule_severity(gpucmd_nv_host_rule rule);
#endif

/* ==== [NV.EXEC] ============================================================================ */

/* The pusher and the PBDMA pass methods to the callback as events of kind GPUCMD_EVENT_METHODS:
 *   unit            subchannel
 *   addr            first method, bytes; gpucmd_nv_mthd_at returns the method of any word
 *   code            gpucmd_nv_kind
 *   va              address of the words, bytes
 *   data, count_dw  the words, in CPU byte order
 * A method run is one event if its words lie in contiguous CPU memory. Exception: at
 * most 64 words are one event if they are not in CPU byte order or not 4-byte
 * aligned. A callback that returns GPUCMD_BLOCKED stores in *out_dw how many words it
 * executed; the executor later passes the remaining words again.
 *
 * The trace receives an event FETCH for each word and each IB entry. Before a METHODS event, it
 * receives the FETCH event of the header, then the FETCH events of all data words. Words that
 * the callback did not execute are traced again. */

/* Member code of a trace event FETCH: the gpucmd_nv_form of a command word, or one of these values.
 * If code is ENTRY, member value contains both words of the IB entry, word 0 in bits 31:0. */
enum {
    GPUCMD_NV_FETCH_DATA = 0x100,
    GPUCMD_NV_FETCH_COUNT = 0x101,
    GPUCMD_NV_FETCH_ENTRY = 0x102,
};

/* State of the pusher, NV4 until GF100. Names and widths are those of [ENVY] and [RNNDB]. The
 * caller may copy and read the state, and write it as a kernel writes the registers. After
 * gpucmd_nv_pusher_init the caller sets, as a kernel does at channel creation:
 *   always     dma_pushbuffer_va; if needed big_endian, pfifo_endian, sli_enable, sli_mask
 *   NV4-style  dma_get and dma_put; dma_limit if the pushbuffer must have an end
 *   IB         ib_enable, ib_address, ib_order
 * The caller then submits with gpucmd_nv_pusher_write32, or by writing dma_put or ib_put. */
typedef struct gpucmd_nv_pusher {
    uint64_t dma_put;   /* end of the submitted words, bytes, 40 bits */
    uint64_t dma_get;   /* address of the next word, bytes, 40 bits */
    uint32_t dma_limit; /* NV4-style: first offset that the pusher must not read (MODEL) */
    uint32_t mthd;      /* DMA_STATE: method of the next data word, address / 4, 11 bits */
    uint32_t subc;      /* DMA_STATE: subchannel of the method run, 3 bits */
    uint32_t mcnt;      /* DMA_STATE: remaining data words, 24 bits (before G80 11) */
    bool ni;            /* DMA_STATE: all data words go to one method, NV10 and later */
    bool lenp;          /* DMA_STATE: the next word is the count of LONG_NON_INC, G80 and later */
    uint32_t dcount_shadow;      /* data words of the method run that were passed, NV5 and later */
    uint32_t dma_get_jmp_shadow; /* dma_get before the last jump, NV5 and later */
    uint32_t rsvd_shadow;        /* first word of the last command, NV5 and later */
    uint32_t data_shadow;        /* last data word, NV5 and later */
    uint32_t ref;                /* reference counter, which the puller writes */
    bool subr_active;            /* the pusher executes a subroutine, NV1A and later */
    uint32_t subr_return;        /* target of RETURN, bytes, NV1A and later */
    bool big_endian;             /* words are big-endian, NV1A until G80 */
    bool pfifo_endian;           /* words and entries are big-endian, G80 and later */
    bool sli_enable;             /* SLI_COND is valid, NV40 and later */
    uint32_t sli_mask;           /* the bit that this GPU has in the 12-bit mask of SLI_COND */
    bool sli_active;             /* true: methods are passed; false: SLI_COND excluded this GPU */
    bool ib_enable;              /* IB mode, G80 and later */
    bool nonmain;                /* the segment is not part of the main pushbuffer */
    bool priv;                   /* the segment has kernel privilege */
    uint32_t dma_put_high_rs;    /* bits 39:32 of dma_put at the last read of DMA_PUT */
    uint32_t dma_put_high_ws;  /* last value of DMA_PUT_HIGH, used by a write to DMA_PUT, 8 bits */
    uint32_t dma_get_high_rs;  /* bits 39:32 of dma_get at the last read of DMA_GET */
    uint32_t ib_put;           /* index after the last submitted IB entry */
    uint32_t ib_get;           /* index of the next IB entry */
    uint64_t ib_address;       /* address of the IB ring, bytes, 40 bits */
    uint32_t ib_order;         /* log2 of the number of IB entries: 0..31 */
    uint64_t dma_mget;         /* last dma_get in the main pushbuffer, 40 bits */
    bool dma_mget_val;         /* dma_mget is valid; a kernel clears it at a channel switch */
    uint32_t dma_mget_high_rs; /* bits 39:32 of dma_mget at the last read of DMA_MGET */
    bool dma_mget_val_rs;      /* dma_mget_val at the last read of DMA_MGET */
    gpucmd_nv_pusher_error error; /* DMA_STATE 31:29; the pusher is stopped unless error is NONE */
    /* Members that the hardware does not have: */
    gpucmd_nv_chip chip;
    uint64_t dma_pushbuffer_va;    /* address of offset 0 of the DMA object dma_pushbuffer */
    uint64_t dma_pushbuffer_bytes; /* length of dma_pushbuffer; a read after its end: MEM_FAULT */
    bool call_keeps_get; /* true: error CALL_SUBR_ACTIVE leaves dma_get at CALL, as XEMU does */
    gpucmd_status fault; /* failure of a callback; the caller sets GPUCMD_OK to continue */
} gpucmd_nv_pusher;

/* Registers of CACHE1 that contain the state of the pusher, one member for each row of
 * GPUCMD_NV_CACHE1_REGS. Registers that the chip lacks are 0. */
#define GPUCMD_NV_PRIV_CACHE1(name, member, off, since, meaning) uint32_t member;
typedef struct gpucmd_nv_cache1 {
    GPUCMD_NV_CACHE1_REGS(GPUCMD_NV_PRIV_CACHE1)
} gpucmd_nv_cache1;
#undef GPUCMD_NV_PRIV_CACHE1

/* Values of the field TYPE of the PBDMA register PB_HEADER. [PBDMA] */
enum {
    GPUCMD_NV_PB_TYPE_SSDM = 0,
    GPUCMD_NV_PB_TYPE_INC = 1,
    GPUCMD_NV_PB_TYPE_STORE_SDM = 2,
    GPUCMD_NV_PB_TYPE_NON_INC = 3,
    GPUCMD_NV_PB_TYPE_IMMD = 4,
    GPUCMD_NV_PB_TYPE_INC_ONCE = 5, /* becomes NON_INC when the first data word was passed */
    GPUCMD_NV_PB_TYPE_USE_SDM = 6,
    GPUCMD_NV_PB_TYPE_END_SEG = 7,
};

/* State of one PBDMA, GF100 and later. The members have the names of the registers in [PBDMA].
 * After gpucmd_nv_pbdma_init the caller sets gp_base and limit2, and submits IB entries with
 * gpucmd_nv_pbdma_write32 or by writing gp_put.
 *
 * MODEL CHOICES, where the manuals are silent:
 *   - A step checks in this order: pending interrupt, word, GPFIFO, GPPTR, IB entry. It returns
 *     IDLE if there is neither a word nor an IB entry.
 *   - GP_CRC covers the IB entries that name segments, also skipped entries. On
 *     GA100 and later an entry that raises GPENTRY clears GP_CRC.
 *   - USE_SUBDEVICE_MASK ends a conditional segment if the mask excludes the GPU, as
 *     SET_SUBDEVICE_MASK does.
 *   - PBSEG is raised at the first word of a conditional segment if that word
 *     is data of a header in another, unconditional segment. That word is still passed.
 *   - After PBENTRY, count is 0. */
typedef struct gpucmd_nv_pbdma {
    uint64_t gp_base;         /* address of the first IB entry, 8-byte aligned */
    uint32_t limit2;          /* log2 of the number of IB entries: 0..31 */
    uint32_t gp_get;          /* index of the next IB entry */
    uint32_t gp_put;          /* index after the last submitted IB entry */
    uint64_t pb_get;          /* address of the next word of the segment, bytes */
    uint64_t pb_put;          /* end address of the segment, bytes */
    uint64_t top_level_get;   /* last pb_get in the main pushbuffer */
    bool top_level_get_valid; /* top_level_get is valid; a kernel clears it at a channel switch */
    uint32_t mthd;            /* PB_HEADER METHOD: next method, address / 4 */
    uint32_t subc;            /* PB_HEADER SUBCH: subchannel */
    uint32_t type;            /* PB_HEADER TYPE: GPUCMD_NV_PB_TYPE_* */
    uint32_t sdmask;          /* PB_HEADER: mask of the last subdevice command */
    uint32_t count;           /* PB_COUNT: remaining data words */
    bool run_conditional;     /* PB_HEADER CONDITIONAL: the header was in a conditional segment */
    bool level;               /* the IB entry of the segment has the flag SUBROUTINE */
    bool conditional;         /* the IB entry of the segment has the flag FETCH_CONDITIONAL */
    bool first;               /* PB_HEADER FIRST: no word of the segment was fetched yet */
    bool sync_wait; /* flag SYNC_WAIT of the last IB entry; unused, because segments run in order */
    bool no_context_switch; /* the segment forbids channel switches */
    bool priv;              /* the segment has kernel privilege */
    uint32_t subdevice;     /* register SUBDEVICE: fields SUBDEVICE_* */
    uint32_t ref;           /* REF: reference counter */
    uint32_t gp_crc;        /* GP_CRC: CRC of the segment entries since the last entry GP_CRC */
    uint32_t hdr_shadow;    /* HDR_SHADOW: last command word */
    uint32_t gp_shadow[2];  /* GP_SHADOW: last IB entry */
    uint32_t extended_base; /* bits 56:40 of all segment addresses, GH100 and later */
    uint32_t intr;          /* INTR_0; if not 0, the PBDMA is stopped until gpucmd_nv_pbdma_clear */
    /* Members that the hardware does not have: */
    gpucmd_nv_chip chip;
    gpucmd_nv_fmt fmt;       /* register FORMATS, Fermi to Pascal */
    uint64_t segment_va;     /* start of the last segment, for PB_CRC */
    uint64_t segment_end_va; /* end of the words that were read in the last segment */
    uint64_t crc_bytes;      /* PB_CRC in progress: number of segment bytes read so far */
    uint32_t crc;            /* PB_CRC in progress: CRC of the segment bytes read so far */
    uint32_t ref_threshold;  /* register REF_THRESHOLD of the control area */
    gpucmd_status fault; /* page fault or callback status; the caller sets GPUCMD_OK to continue */
} gpucmd_nv_pbdma;

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Reset the pusher: set all bits of dma_limit and dma_pushbuffer_bytes, set sli_active to true on
 * NV40 and later, and set all other members except chip to 0. The comment of gpucmd_nv_pusher lists
 * what the caller sets next. GPUCMD_UNSUPPORTED: chip is not NV4 until GF100; *p is unchanged. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_nv_pusher_init(gpucmd_nv_pusher *p, gpucmd_nv_chip chip);
/* Execute one word or one IB entry.
 *   DONE     the word or IB entry was executed
 *   IDLE     all submitted words are executed
 *   BLOCKED  the callback returned GPUCMD_BLOCKED; the next call passes the word again
 *   FAULT    p->error or p->fault is set; the other members are as hardware leaves them */
GPUCMD_PRIV_API gpucmd_run gpucmd_nv_pusher_step(gpucmd_nv_pusher *p, const gpucmd_env *env);
/* Execute at most budget words and IB entries. Return IDLE, BLOCKED or FAULT as
 * gpucmd_nv_pusher_step does, or LIMIT if budget words and IB entries were executed. The final
 * state is the same as if gpucmd_nv_pusher_step executed the same words. */
GPUCMD_PRIV_API gpucmd_run gpucmd_nv_pusher_run(gpucmd_nv_pusher *p, const gpucmd_env *env,
                                                uint64_t budget);
/* Recover from an error as Linux does after a DMA_PUSHER interrupt. [LNX] fifo/nv04.c
 *   - Clear error and fault, and end the method run.
 *   - NV4-style: drop all submitted words.
 *   - IB mode: drop the remaining words of the segment or, if there are none, all IB entries. */
GPUCMD_PRIV_API void gpucmd_nv_pusher_recover(gpucmd_nv_pusher *p);
/* gpucmd_nv_pusher_pack writes the state of the pusher to the registers of CACHE1, for an emulator
 * of the chip or a context switch. gpucmd_nv_pusher_unpack is the inverse, but does not change
 * members of *p that no register contains, and bits 39:32 of dma_put and dma_get. */
GPUCMD_PRIV_API void gpucmd_nv_pusher_pack(const gpucmd_nv_pusher *p, gpucmd_nv_cache1 *regs);
GPUCMD_PRIV_API void gpucmd_nv_pusher_unpack(gpucmd_nv_pusher *p, const gpucmd_nv_cache1 *regs);
/* Write the CPU address of the submitted word at va to *at, and return how many submitted words
 * are contiguous in CPU memory from this word on. If the result is 0, *at is unchanged. The words
 * are in the byte order of the GPU. A METHODS callback finds the words after the words of its
 * event with va = event->va + 4 * event->count_dw. */
GPUCMD_PRIV_API uint32_t gpucmd_nv_pusher_ahead(const gpucmd_nv_pusher *p, gpucmd_mem *mem,
                                                uint64_t va, const uint8_t **at);
/* Write the reason why the pusher stopped to *why; member unit is 0. Kinds:
 *   ERROR     member bits is the error code in bits 31:29, as in DMA_STATE
 *   CALLBACK  a callback returned a failure, which is in member status
 *   MODEL     the chip does not support the mode that the state of the pusher selects
 *   READY     words remain; also after a callback returned GPUCMD_BLOCKED
 *   IDLE      all submitted words are executed */
GPUCMD_PRIV_API void gpucmd_nv_pusher_why(const gpucmd_nv_pusher *p, gpucmd_why *why);
/* gpucmd_nv_pusher_read32 and _write32 access a register of the channel control area. As in
 * hardware, a read of a low half latches its high half. Both functions fit gpucmd_mmio if its
 * member user points to the pusher. A register reads 0 and ignores writes:
 *   - if gpucmd_nv_area_access does not permit the access in the mode of the pusher
 *   - if the register is STALL_*, SEM_* or YIELD, because the executor cannot submit a method or
 *     stall the channel through a register
 * SET_REFERENCE sets member ref (MODEL). DMA_CGET exists as in an area of style NEW. */
GPUCMD_PRIV_API uint32_t gpucmd_nv_pusher_read32(void *pusher, uint64_t off_bytes);
GPUCMD_PRIV_API void gpucmd_nv_pusher_write32(void *pusher, uint64_t off_bytes, uint32_t v);

/* Reset the PBDMA: set chip, set SUBDEVICE as Linux does (ID 1, ACTIVE, CHANNEL_DMA), and
 * set all other members to 0. The caller then sets gp_base and limit2.
 * GPUCMD_UNSUPPORTED: chip is before GF100; *p is unchanged. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_nv_pbdma_init(gpucmd_nv_pbdma *p, gpucmd_nv_chip chip);
/* As gpucmd_nv_pusher_step and _run, but for a PBDMA. FAULT: p->intr or p->fault is set. */
GPUCMD_PRIV_API gpucmd_run gpucmd_nv_pbdma_step(gpucmd_nv_pbdma *p, const gpucmd_env *env);
GPUCMD_PRIV_API gpucmd_run gpucmd_nv_pbdma_run(gpucmd_nv_pbdma *p, const gpucmd_env *env,
                                               uint64_t budget);
/* Clear bits of INTR_0. When INTR_0 is 0, the PBDMA continues, depending on the bit that was set:
 *   GPENTRY, GPCRC, PBCRC  at the next IB entry
 *   PBENTRY                at the next word, as a header. If the next words are data, the caller
 *                          first sets type, subc, mthd and count
 *   PBSEG                  at the next word
 *   GPFIFO, GPPTR          nowhere: the bit is set again until the caller corrects the ring
 *   other bits             at the word or IB entry that set the bit
 * [PBDMA] */
GPUCMD_PRIV_API void gpucmd_nv_pbdma_clear(gpucmd_nv_pbdma *p, uint32_t bits);
/* As gpucmd_nv_pusher_why, but for a PBDMA. Kind ERROR: bits is INTR_0; name and text describe the
 * lowest set bit of INTR_0. Kind MEMORY: a page fault; va is mem->fault_va. mem may be NULL. */
GPUCMD_PRIV_API void gpucmd_nv_pbdma_why(const gpucmd_nv_pbdma *p, const gpucmd_mem *mem,
                                         gpucmd_why *why);
/* Return the CRC that the IB entry PB_CRC compares: the CRC of the words of the last segment. This
 * call reads the words again. Return 0 if there was no segment, or if a word cannot be read.
 * Polynomial 0x04c11db7, most significant bit first. */
GPUCMD_PRIV_API uint32_t gpucmd_nv_pbdma_pb_crc(const gpucmd_nv_pbdma *p, gpucmd_mem *mem);
/* Return the CRC of earlier data followed by len_bytes bytes. crc is the CRC of the earlier data,
 * or 0 if there is none. Algorithm as gpucmd_nv_pbdma_pb_crc. */
GPUCMD_PRIV_API uint32_t gpucmd_nv_crc(uint32_t crc, const void *data, size_t len_bytes);
/* gpucmd_nv_pbdma_read32 and _write32 access a register of the channel control area (USERD). Both
 * functions fit gpucmd_mmio if its member user points to the PBDMA. The area is memory: a read
 * latches nothing, so that the two halves of a position match only while the GPU is idle. The
 * executor updates the area at once; hardware of GV100 and later does so at unspecified times.
 * REF_THRESHOLD is stored, but has no effect. */
GPUCMD_PRIV_API uint32_t gpucmd_nv_pbdma_read32(void *pbdma, uint64_t off_bytes);
GPUCMD_PRIV_API void gpucmd_nv_pbdma_write32(void *pbdma, uint64_t off_bytes, uint32_t v);
#endif

/* ---- host methods ---- */

/* Wait condition of a blocked channel. The wait ends when op (GPUCMD_NV_SEM_OPS) is true for the
 * value at va and payload. If op is GPUCMD_NV_SEM_OP_NONE, no write by a channel ends the wait. */
typedef struct gpucmd_nv_wait {
    bool active; /* true: the channel waits; false: the other members have no meaning */
    gpucmd_nv_sem_op op;
    uint64_t va; /* address, or index of the syncpoint, or id of the faulted channel */
    uint64_t payload;
    bool is_64bit; /* true: value and payload have 64 bits, false: 32 */
    bool is_syncpoint;
    bool is_fault; /* true: CLEAR_FAULTED waits for a fault of the channel with id va */
    bool ctxsw;    /* the GPU may switch to another channel while this channel waits */
} gpucmd_nv_wait;

/* State of the puller, which executes host methods. The members have the names of [ENVY] puller.rst
 * and of the methods. The caller may copy, read and write the state. */
typedef struct gpucmd_nv_puller {
    uint32_t dma_semaphore;       /* handle from DMA_SEMAPHORE, NV1A until GF100 */
    uint64_t dma_semaphore_va;    /* address of the first byte of the DMA object dma_semaphore */
    uint64_t dma_semaphore_bytes; /* length of the DMA object dma_semaphore; 0: no object was set */
    uint32_t semaphore_off;       /* offset of the semaphore in dma_semaphore, bytes */
    bool semaphore_off_val;       /* semaphore_off was set */
    uint64_t semaphore_address;   /* address from SEMAPHOREA and SEMAPHOREB, G84 and later */
    uint32_t semaphore_sequence;  /* payload from SEMAPHOREC, G84 and later */
    uint32_t sem_addr_lo;         /* sem_*: last data words of the methods SEM_*, GV100 and later */
    uint32_t sem_addr_hi;
    uint32_t sem_payload_lo;
    uint32_t sem_payload_hi;
    uint32_t syncpoint_payload;
    uint32_t mem_op[4];
    uint32_t method_crc;        /* METHOD_CRC, GF100 until GA100; 0 unless keeps_crc is true */
    gpucmd_nv_host_error error; /* before GF100; the channel is stopped unless error is NONE */
    /* Members that the hardware does not have: */
    gpucmd_status fault; /* page fault or callback status; the caller sets GPUCMD_OK to retry */
    gpucmd_nv_wait wait;
    uint64_t known;      /* bit i: the chip accepts the host method at address 4 * i */
    bool keeps_crc;      /* set by the caller. true: the executor computes method_crc, which is
                            slow; false: the executor passes CRC_CHECK to the callback */
    bool skip;           /* true: the error was cleared, and the next word is dropped */
    bool yield;          /* true: the channel stopped before YIELD; the next call executes YIELD */
    bool callback;       /* true: the channel stopped because a callback returned BLOCKED */
    uint64_t pause_cost; /* units of budget that were spent before a pause; 0: no pause */
} gpucmd_nv_puller;

#ifdef GPUCMD_PRIV_PROTOTYPES
/* gpucmd_nv_sem_op_name returns the name of an operation ("ACQUIRE"); gpucmd_nv_host_error_name and
 * _text return the name and the text of an error. All return "?" for other numbers. The strings
 * have static storage. */
GPUCMD_PRIV_API const char *gpucmd_nv_sem_op_name(gpucmd_nv_sem_op op);
GPUCMD_PRIV_API const char *gpucmd_nv_host_error_name(gpucmd_nv_host_error error);
GPUCMD_PRIV_API const char *gpucmd_nv_host_error_text(gpucmd_nv_host_error error);
/* Return the code that the hardware writes to its error register for this error. */
GPUCMD_PRIV_API uint32_t gpucmd_nv_host_error_code(gpucmd_nv_host_error error);
/* Return true if the value v in memory ends the wait. */
GPUCMD_PRIV_API bool gpucmd_nv_wait_ends(const gpucmd_nv_wait *wait, uint64_t v);
/* Return METHOD_CRC after one more engine method. crc is the value before this method,
 * initially 0. The result is gpucmd_nv_crc of 6 bytes, low byte first, of a number
 * with these bits: subchannel in 46:44, mthd / 4 in 43:32, data in 31:0. [PBDMA] names
 * these inputs, but not their order (MODEL). */
GPUCMD_PRIV_API uint32_t gpucmd_nv_method_crc(uint32_t crc, uint32_t subc, uint32_t mthd,
                                              uint32_t dw);
#endif

/* ==== [NV.ENGINE] ========================================================================== */

enum {
    GPUCMD_NV_SUBCHANNELS = 8,
    GPUCMD_NV_ENGINE_LINES = 19, /* lines of gpucmd_nv_engine.reg; a line has 16 method values */
    GPUCMD_NV_LINE_DW = 16,
    GPUCMD_NV_SHADOW_DW = 8 * 0x1000, /* subchannels times methods of a subchannel */
};

/* Object bound to a subchannel, and the state of the engine model that executes its methods. */
typedef struct gpucmd_nv_engine {
    uint32_t class_id;
    uint32_t handle; /* handle of the object; used before GF100 */
    gpucmd_nv_model model;
    /* Last value of each method that the model stores, in lines of 16 methods; line 0 is unused.
     * The line after the last is spare, because the store of a short method run also accesses
     * words after the line of the run. Read a value with gpucmd_nv_engine_reg. */
    uint32_t reg[(GPUCMD_NV_ENGINE_LINES + 1) * GPUCMD_NV_LINE_DW];
    /* Members that the hardware does not have: */
    uint32_t first_window; /* index of the model's first row in GPUCMD_NV_ENGINE_WINDOWS */
    uint32_t window_count; /* number of the model's rows in GPUCMD_NV_ENGINE_WINDOWS */
    uint8_t place[256];    /* [i]: line of reg for methods 0x40 * i to 0x40 * i + 0x3c; 0: none */
    uint16_t keeps[GPUCMD_NV_ENGINE_LINES]; /* [line], bit i: method i is stored */
    uint16_t fires[GPUCMD_NV_ENGINE_LINES]; /* [line], bit i: method i starts an operation */
    bool copying;      /* a copy is in progress, and continues at members line and at */
    bool inlining;     /* an inline upload is in progress and expects data */
    bool half;         /* a clear is in progress: colours remain, depth and stencil are done */
    uint32_t line;     /* current line of the copy or of the inline upload */
    uint32_t at_bytes; /* inline upload: bytes written in the current line */
    uint64_t at;       /* copy: bytes or elements of the current line that are done */
    uint64_t used;     /* work of the copy that was not yet subtracted from the budget */
} gpucmd_nv_engine;

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Return the last value of a method that the model stores, or 0 for any other method. */
GPUCMD_PRIV_API uint32_t gpucmd_nv_engine_reg(const gpucmd_nv_engine *e, uint32_t mthd);
#endif

/* ==== [NV.CHANNEL] ========================================================================= */

/* ---- PCI windows, IO ports, location of control areas ---- */

/* Windows through which the CPU accesses the card. */
typedef enum gpucmd_nv_window {
    GPUCMD_NV_WINDOW_MMIO,   /* MMIO registers, BAR0 */
    GPUCMD_NV_WINDOW_VRAM,   /* VRAM, or memory that page tables map to the window, BAR1 */
    GPUCMD_NV_WINDOW_RAMIN,  /* control structures, BAR2 or BAR3; G80 and later: also VRAM */
    GPUCMD_NV_WINDOW_PORTS,  /* IO ports for access to MMIO, VRAM and RAMIN, BAR5 */
    GPUCMD_NV_WINDOW_RMA,    /* IO ports of NV3 for access to MMIO, BAR2 */
    GPUCMD_NV_WINDOW_ROM,    /* expansion ROM, which has its own base address register */
    GPUCMD_NV_WINDOW_MEMORY, /* no PCI window: the control area is in memory */
} gpucmd_nv_window;

/* A PCI window of a chip. */
typedef struct gpucmd_nv_bar {
    unsigned slot;             /* base address register 0..5; 6: the ROM */
    unsigned config_off_bytes; /* offset of the base address register in config space */
    unsigned width_bits;       /* bits of the base address: 32, or 64 in two slots */
    bool is_io;                /* the window has IO ports, not memory */
    bool is_prefetchable;
    bool is_swapped;    /* the endian switch of PMC swaps 32-bit words, NV1A and later */
    uint64_t min_bytes; /* smallest size; 0: not documented */
    uint64_t max_bytes; /* largest size; 0: not documented */
} gpucmd_nv_bar;

/* One access to an IO port, an element of the array that gpucmd_nv_encode_port fills. */
typedef struct gpucmd_nv_port_step {
    uint32_t off_bytes;
    bool is_write;
    uint32_t v; /* value to write; unused for a read */
} gpucmd_nv_port_step;

enum { GPUCMD_NV_PORT_STEPS = 4 };

/* Write to steps the accesses that read or write 32 bits of a window through the IO ports: enable
 * all ports, enable the data ports, set the address, access the data.
 *   window       MMIO, VRAM or RAMIN
 *   addr         bytes, 4-byte aligned; below 2^24 except for VRAM
 *   is_write, v  true: write v; false: read, v is ignored
 * On failure steps is unchanged. GPUCMD_RANGE: window is not MMIO, VRAM or RAMIN, or addr is too
 * large. GPUCMD_ALIGN: addr is not 4-byte aligned. [ENVY] bus/bars.rst */
GPUCMD_MUST_CHECK GPUCMD_SHARED gpucmd_status
gpucmd_nv_encode_port(gpucmd_nv_port_step steps[GPUCMD_NV_PORT_STEPS], gpucmd_nv_window window,
                      uint32_t addr, bool is_write, uint32_t v)
{
    unsigned i;
    const bool vram = window == GPUCMD_NV_WINDOW_VRAM;
    const uint32_t port =
        (uint32_t)GPUCMD_NV_PORT_MMIO_ADDR +
        (uint32_t)(GPUCMD_NV_PORT_VRAM_ADDR - GPUCMD_NV_PORT_MMIO_ADDR) * (uint32_t)window;
    if (window > GPUCMD_NV_WINDOW_RAMIN || (!vram && addr >> 24 != 0)) {
        return GPUCMD_RANGE;
    }
    if (addr % 4 != 0) {
        return GPUCMD_ALIGN;
    }
    for (i = 0; i < GPUCMD_NV_PORT_STEPS; i++) {
        steps[i].is_write = i != GPUCMD_NV_PORT_STEPS - 1 || is_write;
        steps[i].off_bytes = i < 2 ? (uint32_t)GPUCMD_NV_PORT_ENABLE * i : port + 4 * (i - 2);
        steps[i].v = i < 2 ? 1 : i == 2 ? addr : is_write ? v : 0;
    }
    return GPUCMD_OK;
}

/* Read a 40-bit position from the control area, G80 until GF100. The low half is read
 * first, because that read latches the high half.
 *   low_off_bytes  DMA_PUT, DMA_GET or DMA_MGET. For DMA_MGET, bit 63 of the
 *                  result is 1 if the position is valid
 * Only one thread may read at a time, because all readers share the latches. On GF100 and later the
 * area is memory and latches nothing: repeat the call until two results are equal. [ENVY] */
GPUCMD_SHARED uint64_t gpucmd_nv_area_read40(const gpucmd_mmio *area, uint64_t low_off_bytes)
{
    const uint64_t high_off_bytes =
        low_off_bytes == GPUCMD_NV_AREA_DMA_PUT    ? GPUCMD_NV_AREA_DMA_PUT_HIGH
        : low_off_bytes == GPUCMD_NV_AREA_DMA_MGET ? GPUCMD_NV_AREA_DMA_MGET_HIGH
                                                   : GPUCMD_NV_AREA_DMA_GET_HIGH;
    const uint64_t lo = area->read32(area->user, low_off_bytes);
    return (uint64_t)area->read32(area->user, high_off_bytes) << 32 | lo;
}

/* Write the 40-bit position va to DMA_PUT; G80 and later. The high half is written first, because
 * only the write of the low half changes the position. [ENVY] */
GPUCMD_SHARED void gpucmd_nv_area_write_put40(const gpucmd_mmio *area, uint64_t va)
{
    area->write32(area->user, GPUCMD_NV_AREA_DMA_PUT_HIGH, (uint32_t)(va >> 32));
    area->write32(area->user, GPUCMD_NV_AREA_DMA_PUT, (uint32_t)va);
}

/* Model of the IO ports, for gpucmd_nv_ports_read32 and _write32. Index 0 of each
 * array is for MMIO, 1 for VRAM, 2 for RAMIN. The windows are owned by the
 * caller; a window that is NULL reads 0. */
typedef struct gpucmd_nv_ports {
    bool master;       /* bit 0 of the port MASTER */
    bool enable;       /* bit 0 of the port ENABLE */
    uint32_t addr[3];  /* last address written to each address port */
    uint32_t latch[3]; /* last value written to each data port */
    const gpucmd_mmio *window[3];
} gpucmd_nv_ports;

/* Model of the endian switch of PMC for a little-endian CPU. On G80 and later the switch is also
 * the byte order of PFIFO (gpucmd_nv_pusher.pfifo_endian). While big_endian is true:
 *   - gpucmd_nv_pmc_read32 and _write32 swap the bytes of registers, which inner accesses
 *   - gpucmd_nv_pmc_ramin_read32 and _write32 swap the bytes of RAMIN, which ramin accesses
 * inner and ramin are owned by the caller. If ramin is NULL, RAMIN reads 0. */
typedef struct gpucmd_nv_pmc {
    gpucmd_nv_chip chip;
    bool big_endian;
    const gpucmd_mmio *inner;
    const gpucmd_mmio *ramin;
} gpucmd_nv_pmc;

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Write the description of a window of a chip to *bar. GPUCMD_UNSUPPORTED: the
 * chip or its bus (RSX, Tegra) lacks the window; *bar is unchanged. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_nv_bar_info(gpucmd_nv_chip chip, gpucmd_nv_window window,
                                                   gpucmd_nv_bar *bar);
/* Write to *window the window that begins at base address register slot (0..5,
 * 6: the ROM) of a chip. GPUCMD_UNSUPPORTED: no window begins at slot; *window
 * is unchanged. A 64-bit window begins at the first of its two slots. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_nv_bar_window(gpucmd_nv_chip chip, unsigned slot,
                                                     gpucmd_nv_window *window);
/* Return the name of a window ("MMIO"), or "?" for another number.
 * The string has static storage. */
GPUCMD_PRIV_API const char *gpucmd_nv_window_name(gpucmd_nv_window window);
/* Write to *bytes the size of a window on a card whose strap registers contain strap0 and
 * strap1 (used for G80 and later). GPUCMD_UNSUPPORTED: the chip lacks the window, the straps
 * disable the window, or the size is not documented; *bytes is unchanged. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_nv_bar_bytes(gpucmd_nv_chip chip, gpucmd_nv_window window,
                                                    uint32_t strap0, uint32_t strap1,
                                                    uint64_t *bytes);
/* Find the control area of a channel: write its window to *window, its offset in this window to
 * *off_bytes, and its size to *area_bytes. In VRAM the offset counts from the base that the
 * kernel programmed (AREA_BASE); in MEMORY it is 0.
 *   new_style  NV40 until GF100: true selects an area of style NEW in GPUCMD_NV_AREAS, false of
 *              style OLD. Must be false before NV40, and true on GF100 and later
 * On failure the outputs are unchanged. GPUCMD_UNSUPPORTED: the chip has no area of this style.
 * GPUCMD_RANGE: the chip has no such channel. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_nv_area_place(gpucmd_nv_chip chip, uint32_t channel,
                                                     bool new_style, gpucmd_nv_window *window,
                                                     uint64_t *off_bytes, uint32_t *area_bytes);
/* Inverse of gpucmd_nv_area_place: find the channel whose control area contains
 * off_bytes, the style of the area, and the offset inside the area.
 * GPUCMD_RANGE: no area contains off_bytes; the outputs are unchanged. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_nv_area_find(gpucmd_nv_chip chip, gpucmd_nv_window window,
                                                    uint64_t off_bytes, uint32_t *channel,
                                                    bool *new_style, uint32_t *reg_off_bytes);
/* gpucmd_nv_usermode_place writes the offset of the usermode region in MMIO. GPUCMD_UNSUPPORTED:
 * chip is before GV100. gpucmd_nv_usermode_find writes the offset in the usermode region that
 * contains the MMIO offset off_bytes. GPUCMD_RANGE: no usermode region of the chip contains
 * off_bytes. On failure the output is unchanged. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_nv_usermode_place(gpucmd_nv_chip chip, uint64_t *off_bytes);
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_nv_usermode_find(gpucmd_nv_chip chip, uint64_t off_bytes,
                                                        uint32_t *reg_off_bytes);
/* gpucmd_nv_area_name returns the name of the register at off_bytes of the control area; "?" if the
 * chip has no register there. gpucmd_nv_area_access returns the CPU accesses that the register
 * permits (GPUCMD_ACCESS_*); ib_enable is used only for G80 until GF100. */
GPUCMD_PRIV_API const char *gpucmd_nv_area_name(gpucmd_nv_chip chip, uint64_t off_bytes);
GPUCMD_PRIV_API uint32_t gpucmd_nv_area_access(gpucmd_nv_chip chip, uint64_t off_bytes,
                                               bool ib_enable);
/* Read 32 bits of a window to *v, or write v, through the IO ports of a card.
 *   ports         reads and writes the window PORTS of the card
 *   window, addr  as for gpucmd_nv_encode_port
 * Statuses as for gpucmd_nv_encode_port. GPUCMD_UNSUPPORTED: port MASTER does not return
 * GPUCMD_NV_PORTS_SIGNATURE. On failure *v is unchanged and no port is written. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_nv_port_read32(const gpucmd_mmio *ports,
                                                      gpucmd_nv_window window, uint32_t addr,
                                                      uint32_t *v);
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_nv_port_write32(const gpucmd_mmio *ports,
                                                       gpucmd_nv_window window, uint32_t addr,
                                                       uint32_t v);
/* Set up the model of the ports with these windows, which may be NULL. All ports are disabled. */
GPUCMD_PRIV_API void gpucmd_nv_ports_init(gpucmd_nv_ports *ports, const gpucmd_mmio *mmio,
                                          const gpucmd_mmio *vram, const gpucmd_mmio *ramin);
/* gpucmd_nv_ports_read32 and _write32 access a port. Both functions fit
 * gpucmd_mmio if its member user points to a gpucmd_nv_ports. */
GPUCMD_PRIV_API uint32_t gpucmd_nv_ports_read32(void *ports, uint64_t off_bytes);
GPUCMD_PRIV_API void gpucmd_nv_ports_write32(void *ports, uint64_t off_bytes, uint32_t v);
/* Accesses through the endian switch: gpucmd_nv_pmc_read32 and _write32 access an MMIO register,
 * gpucmd_nv_pmc_ramin_read32 and _write32 access 32 bits of RAMIN. Aliases of VGA registers are not
 * swapped. All four functions fit gpucmd_mmio if its member user points to a gpucmd_nv_pmc. */
GPUCMD_PRIV_API uint32_t gpucmd_nv_pmc_read32(void *pmc, uint64_t off_bytes);
GPUCMD_PRIV_API void gpucmd_nv_pmc_write32(void *pmc, uint64_t off_bytes, uint32_t v);
GPUCMD_PRIV_API uint32_t gpucmd_nv_pmc_ramin_read32(void *pmc, uint64_t off_bytes);
GPUCMD_PRIV_API void gpucmd_nv_pmc_ramin_write32(void *pmc, uint64_t off_bytes, uint32_t v);
#endif

/* ---- channels ---- */
/* Bits of an element of gpucmd_nv_card.faulted. */
enum {
    GPUCMD_NV_PBDMA_FAULTED = 1, /* the host engine faulted: pushbuffer, IB ring or semaphore */
    GPUCMD_NV_ENG_FAULTED = 2,   /* an access of an engine, not of the host engine, faulted */
};

/* State that all channels of a GPU share; gpucmd_nv_card_init sets it up. All pointers are
 * owned by the caller; all except mem may be NULL. */
typedef struct gpucmd_nv_card {
    gpucmd_mem *mem;
    /* The callback, which receives these events:
     *   METHODS    methods that the channel does not execute; unit is the subchannel. A method that
     *              an engine model cannot perform is an event of one word, with va 0
     *   INTERRUPT  code is GPUCMD_NV_INTERRUPT_*; unit is the channel id
     * If event is NULL, a method that an engine model cannot perform sets the fault UNSUPPORTED;
     * all other methods and interrupts are ignored. */
    gpucmd_event_fn event;
    void *user;
    /* The trace, which receives FETCH, WAIT, WAKE, MEM_WRITE, INTERRUPT and ERROR.
     * Each event comes before its effect, in the order of the executed words. unit
     * is the channel id; in FETCH it is 0.
     *   WAIT, WAKE  va is the address or, for a wait for a syncpoint, the index of the syncpoint
     *   MEM_WRITE   one event for each contiguous range; value is 0 if an engine writes
     *   ERROR       a method is rejected; code is INTR_0, before GF100 a gpucmd_nv_host_error */
    gpucmd_event_fn trace;
    void *trace_user;
    /* Called with METHODS of software objects, in place of the kernel's interrupt
     * handler. If software is NULL, such methods raise the interrupt DEVICE, before
     * GF100 the error CACHE_EMPTY_SUBCHANNEL. */
    gpucmd_event_fn software;
    void *software_user;
    gpucmd_nv_object_fn object; /* finds objects. NULL: SET_OBJECT fails, DMA objects start at 0 */
    void *object_user;
    uint64_t (*time_ns)(void *user); /* returns the time in ns. NULL: the time is clock_ns */
    void *time_user;
    uint64_t clock_ns;
    uint64_t clock_step_ns; /* added to clock_ns each time a method has read the time */
    /* Called for the counter of a report of a 3D class. NULL: counters are 0.
     *   get    data word of REPORT_GET, whose field REPORT_COUNTER selects the counter; before
     *          G80 data word of QUERY_GET
     *   words  at entry {payload of the report, 0}, before G80 {0, 0}. The callback writes a
     *          32-bit counter to words[1], a 64-bit counter (G80 and later) to words[0] (low
     *          half) and words[1] */
    void (*counter)(void *user, uint32_t channel, uint32_t get, uint32_t words[2]);
    void *counter_user;
    uint32_t *syncpoints; /* Tegra: array of the values of the syncpoints */
    uint32_t syncpoint_count;
    /* [i]: GPUCMD_NV_*_FAULTED of the channel with id i, GV100 and later. A page fault of the
     * channel sets a bit. Before GA100 the method CLEAR_FAULTED clears a bit; on GA100 and later
     * the caller clears it. When all bits are 0, the channel retries the access that faulted. If
     * faulted is NULL, CLEAR_FAULTED is passed to the callback. [PBDMA] */
    uint32_t *faulted;
    uint32_t faulted_count;
    uint64_t effects; /* number of effects so far: stores to memory, interrupts, events */
} gpucmd_nv_card;

/* A channel: pusher (before GF100) or PBDMA (GF100 and later), puller and bound objects.
 * After gpucmd_nv_channel_init the caller sets the members that the comment of
 * gpucmd_nv_pusher or gpucmd_nv_pbdma lists. */
typedef struct gpucmd_nv_channel {
    gpucmd_nv_chip chip;
    uint32_t id;
    gpucmd_nv_pusher pusher;
    gpucmd_nv_pbdma pbdma;
    gpucmd_nv_puller puller;
    gpucmd_nv_engine engines[GPUCMD_NV_SUBCHANNELS];
    uint32_t last_subc; /* subchannel of the last engine method */
    /* Array of GPUCMD_NV_SHADOW_DW words, owned by the caller; may be NULL. The data word of each
     * engine method is stored to element subc * 0x1000 + mthd / 4. */
    uint32_t *shadow;
} gpucmd_nv_channel;

/* Model of MMIO, or of the usermode region alone. MMIO contains the control areas (NV4 until
 * GF100) or the usermode region with the doorbell (GV100 and later). The caller first sets all
 * members to 0. Pointers are owned by the caller. */
typedef struct gpucmd_nv_mmio {
    gpucmd_nv_chip chip;
    gpucmd_nv_channel *channels; /* array of count channels; a channel is found by its member id */
    size_t count;
    uint32_t runlist;           /* number of the runlist that contains all channels */
    const gpucmd_nv_card *card; /* supplies the time in the usermode region; NULL: time 0 */
    /* Called with the array index of the channel whose token was written to the
     * doorbell. Tokens of no channel are ignored. May be NULL. */
    void (*doorbell)(void *user, size_t channel);
    void *user;
    const gpucmd_mmio *inner; /* all other registers of MMIO; NULL: they read 0 */
} gpucmd_nv_mmio;

/* Value of gpucmd_nv_blocked.releaser if no channel releases the blocked channel. */
#define GPUCMD_NV_NO_CHANNEL 0xffffffffu

/* A blocked channel in a report. A releaser is a channel whose remaining words write the address
 * that the blocked channel waits for, if all acquires before that write succeed. If there are
 * several releasers, the report names the first releaser of the first kind that exists:
 *   1. a releaser that certainly ends the wait and can itself be released
 *   2. a releaser that certainly ends the wait
 *   3. any other releaser */
typedef struct gpucmd_nv_blocked {
    uint32_t channel; /* array index of the blocked channel */
    uint32_t id;      /* gpucmd_nv_channel.id of the blocked channel */
    uint64_t at_va;   /* address of the channel's next pushbuffer word, bytes */
    bool callback;    /* true: a callback returned BLOCKED, and all members of wait are 0 */
    gpucmd_nv_wait wait;
    bool readable;         /* true: member memory is set; false: the value could not be read */
    uint64_t memory;       /* value at wait.va, or value of the syncpoint wait.va */
    uint32_t releaser;     /* array index of the releaser, or GPUCMD_NV_NO_CHANNEL */
    uint32_t releaser_id;  /* gpucmd_nv_channel.id of the releaser */
    bool releaser_stopped; /* the releaser stopped with an error, which the caller must clear */
    bool satisfies;        /* true: the value that the releaser would write ends the wait */
    bool in_cycle;         /* true: the chain of releasers leads back to this channel */
    bool dead_end;         /* true: every chain of releasers ends at a channel without a releaser */
} gpucmd_nv_blocked;

/* Result of gpucmd_nv_run_all. The caller sets rows, cap, scratch and look_ahead before the
 * call. Releasers are searched only if no channel can continue, or after a livelock. The
 * search takes O(b * n * (look_ahead + b * b)) for b blocked of n channels. All cycles are
 * found only if each blocked channel has a row. */
typedef struct gpucmd_nv_report {
    gpucmd_nv_blocked *rows;    /* set by the caller; NULL: no rows are written */
    size_t cap;                 /* set by the caller: number of elements of rows */
    gpucmd_nv_channel *scratch; /* set by the caller: working memory; NULL: no search */
    uint64_t look_ahead;        /* set by the caller: words that the search executes per channel */
    size_t count;               /* number of blocked channels, also if it exceeds cap */
    bool deadlock;   /* true: channels are blocked, none can continue, none waits for a callback */
    bool livelock;   /* true: card->effects did not change in the second half of the budget */
    uint64_t rounds; /* number of rounds in which each channel was executed once */
} gpucmd_nv_report;

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Set mem, set clock_step_ns to 32, and set all other members to 0. */
GPUCMD_PRIV_API void gpucmd_nv_card_init(gpucmd_nv_card *card, gpucmd_mem *mem);
/* Reset all parts of a channel and set its id. On GK104 and later, also bind objects: the chip's
 * copy class to subchannel 4, because drivers do not bind it, and software objects to subchannels 5
 * to 7. [RAM] GPUCMD_UNSUPPORTED: chip is before NV4; *ch must not be used. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_nv_channel_init(gpucmd_nv_channel *ch, gpucmd_nv_chip chip,
                                                       uint32_t id);
/* Execute at most budget units. A unit is one of:
 *   - a word, which is also the first unit of an operation that the word starts
 *   - an IB entry, or 256 bytes of a PB_CRC
 *   - at most 4 KiB of a copy, blit, clear or upload, in at most 8 ranges; a range is a line, a
 *     contiguous part of a tiled line, the bytes in one region, or a computed pixel
 * When the budget is spent, an operation stops, also inside a line. The next call
 * continues the operation; the result is the same as without a stop. If an access
 * faults, all bytes before the access are copied.
 *   IDLE     all submitted words are executed
 *   BLOCKED  the channel waits for memory, a syncpoint or a callback
 *   FAULT    an error, which gpucmd_nv_channel_why reports; the next word
 *            is the word that raised the error
 *   LIMIT    the budget is spent */
GPUCMD_PRIV_API gpucmd_run gpucmd_nv_channel_run(gpucmd_nv_channel *ch, gpucmd_nv_card *card,
                                                 uint64_t budget);
/* As gpucmd_nv_channel_run with budget 1, but returns DONE if a word or IB entry was executed. */
GPUCMD_PRIV_API gpucmd_run gpucmd_nv_channel_step(gpucmd_nv_channel *ch, gpucmd_nv_card *card);
/* Recover from an error as a kernel does: drop the word that raised the error, clear
 * INTR_0, and clear the error and fault of the puller. For an error of the pusher
 * call gpucmd_nv_pusher_recover instead. */
GPUCMD_PRIV_API void gpucmd_nv_channel_clear(gpucmd_nv_channel *ch);
/* Write the reason why the channel stopped to *why. Member unit is the channel id. at_va is the
 * address of the next word; for an error of a method, of the word that raised the error.
 *   WAIT      the channel waits for puller.wait; name is the comparison
 *   CALLBACK  status is what the callback returned; GPUCMD_BLOCKED: it was not ready
 *   MODEL     a method needs a callback and there is none, or no chip can have this state */
GPUCMD_PRIV_API void gpucmd_nv_channel_why(const gpucmd_nv_channel *ch, const gpucmd_nv_card *card,
                                           gpucmd_why *why);
/* gpucmd_nv_channel_read32 and _write32 access the channel control area: before GF100 as
 * gpucmd_nv_pusher_read32 and _write32, on GF100 and later as gpucmd_nv_pbdma_read32 and _write32.
 * Both functions fit gpucmd_mmio if its member user points to the channel. */
GPUCMD_PRIV_API uint32_t gpucmd_nv_channel_read32(void *channel, uint64_t off_bytes);
GPUCMD_PRIV_API void gpucmd_nv_channel_write32(void *channel, uint64_t off_bytes, uint32_t v);
/* gpucmd_nv_usermode_read32 and _write32 access the usermode region; off_bytes 0 is its
 * start. Both functions fit gpucmd_mmio if its member user points to a gpucmd_nv_mmio. */
GPUCMD_PRIV_API uint32_t gpucmd_nv_usermode_read32(void *user, uint64_t off_bytes);
GPUCMD_PRIV_API void gpucmd_nv_usermode_write32(void *user, uint64_t off_bytes, uint32_t v);
/* gpucmd_nv_mmio_read32 and _write32 access MMIO. Both functions fit gpucmd_mmio if its member user
 * points to a gpucmd_nv_mmio. Areas of style OLD have no DMA_CGET. */
GPUCMD_PRIV_API uint32_t gpucmd_nv_mmio_read32(void *user, uint64_t off_bytes);
GPUCMD_PRIV_API void gpucmd_nv_mmio_write32(void *user, uint64_t off_bytes, uint32_t v);
/* Execute count channels in rounds, until no channel can continue or budget units are spent. In a
 * round each channel executes at most quantum units (0 counts as 1). A unit is as in
 * gpucmd_nv_channel_run. report may be NULL. A channel that waits polls once in each round without
 * budget, so that a round takes O(count) time besides its units.
 *   IDLE     all submitted words are executed
 *   BLOCKED  some channels wait for each other, or for a callback
 *   FAULT    at least one channel stopped with an error; all others continued
 *   LIMIT    the budget is spent
 * Call gpucmd_nv_run_all_why for the reason. */
GPUCMD_PRIV_API gpucmd_run gpucmd_nv_run_all(gpucmd_nv_channel *channels, size_t count,
                                             gpucmd_nv_card *card, uint64_t quantum,
                                             uint64_t budget, gpucmd_nv_report *report);
/* Write to *why the reason why gpucmd_nv_run_all stopped, the first in this list that exists:
 *   1. the first channel that stopped with an error
 *   2. DEADLOCK or LIVELOCK, if report->deadlock or report->livelock; report may be NULL
 *   3. the first channel that is READY
 *   4. the first channel that waits
 * For DEADLOCK, *why contains the wait of the first channel in a cycle or, if there is no
 * cycle, the wait of the first row. count may be 0. */
GPUCMD_PRIV_API void gpucmd_nv_run_all_why(const gpucmd_nv_channel *channels, size_t count,
                                           const gpucmd_nv_card *card,
                                           const gpucmd_nv_report *report, gpucmd_why *why);
/* Append the text of a report: two lines for each element of report->rows. */
GPUCMD_PRIV_API void gpucmd_nv_print_report(gpucmd_text *t, const gpucmd_nv_report *report);
#endif

/* ==== [NV.RECIPE] ========================================================================== */

/* A recipe is a function that appends methods in the form that the chip accepts, all
 * methods or none. Statuses of every recipe: GPUCMD_UNSUPPORTED: the chip lacks the
 * method. GPUCMD_FULL: the buffer is too small. An address (va) is below 2^40, on GH100
 * and later below 2^57; in a copy recipe of GP100 until GH100 below 2^49. Host methods use
 * subchannel 0, because the host engine ignores it. */

/* Flags of semaphore recipes (gpucmd_nv_emit_sem_*). */
enum {
    GPUCMD_NV_SEM_64BIT = 1,     /* payload and memory have 64 bits, not 32; GV100 and later */
    GPUCMD_NV_SEM_TIMESTAMP = 2, /* also write the time to va + 8; releases before GF100 need it */
    GPUCMD_NV_SEM_WFI = 4,       /* release, reduction: first wait for idle; GF100 and later */
    GPUCMD_NV_SEM_SWITCH = 8,  /* acquire: the GPU may switch channels meanwhile; GF100 and later */
    GPUCMD_NV_SEM_SIGNED = 16, /* reduction: memory and payload are signed */
    GPUCMD_NV_SEM_OLD = 32,    /* GV100 until GH100: use SEMAPHOREA to _D, not SEM_* */
    /* For a release or reduction: append NON_STALL_INTERRUPT. On GV100 and later, without OLD, the
     * interrupt can overtake the write; Linux puts a barrier between write and interrupt. */
    GPUCMD_NV_SEM_INTERRUPT = 64,
    GPUCMD_NV_SEM_FLAGS = 127, /* mask of all flags */
};

/* Number of words of each recipe. */
#define GPUCMD_NV_SET_OBJECT_DW 2u
#define GPUCMD_NV_SEM_DW(chip)  ((chip) >= GPUCMD_NV_CHIP_GV100 ? 6u : 5u)
#define GPUCMD_NV_SEM_FLAGS_DW(chip, flags)                                                        \
    ((chip) < GPUCMD_NV_CHIP_GV100 || ((flags)&GPUCMD_NV_SEM_OLD) != 0                             \
         ? 5u + (((flags)&GPUCMD_NV_SEM_INTERRUPT) != 0)                                           \
         : 6u + 2u * (((flags)&GPUCMD_NV_SEM_INTERRUPT) != 0))
#define GPUCMD_NV_DMA_SEM_ACQUIRE_DW 4u
#define GPUCMD_NV_DMA_SEM_RELEASE_DW 5u
#define GPUCMD_NV_METHOD_DW(chip, dw)                                                              \
    (GPUCMD_NV_IS_GF100(chip) && (dw) <= GPUCMD_FIELD_MAX(NV_HDR_IMMD_DATA) ? 1u : 2u)
#define GPUCMD_NV_HOST_METHOD_DW    2u /* one host method, for example REF_CNT, WFI or YIELD */
#define GPUCMD_NV_SYNCPOINT_DW      3u
#define GPUCMD_NV_MEM_OP_DW(chip)   ((chip) >= GPUCMD_NV_CHIP_GP100 ? 5u : 3u)
#define GPUCMD_NV_CE_COPY_LINEAR_DW 9u
#define GPUCMD_NV_CE_COPY_2D_DW     10u
#define GPUCMD_NV_CE_FILL_DW(bytes) ((bytes) == 8 ? 11u : 10u) /* bytes: size of an element */
#define GPUCMD_NV_CE_SEM_RELEASE_DW 6u
#define GPUCMD_NV_M2MF_COPY_DW(chip)                                                               \
    (GPUCMD_NV_IS_GF100(chip) ? 12u : (chip) >= GPUCMD_NV_CHIP_G80 ? 16u : 9u)
#define GPUCMD_NV_INLINE_UPLOAD_DW(chip, n) ((n) + ((chip) >= GPUCMD_NV_CHIP_GK104 ? 7u : 9u))

/* Return the header of a method run to n increasing methods in the form of the
 * chip. The caller has checked the values. */
GPUCMD_INLINE uint32_t gpucmd_priv_nv_head(gpucmd_nv_chip chip, uint32_t subc, uint32_t mthd,
                                           uint32_t n)
{
    if (GPUCMD_NV_IS_GF100(chip)) {
        return GPUCMD_FIELD_PUT(NV_HDR_SEC_OP, GPUCMD_NV_PRIV_SEC_INC) |
               GPUCMD_FIELD_PUT(NV_HDR_COUNT, n) | GPUCMD_FIELD_PUT(NV_HDR_SUBC, subc) |
               GPUCMD_FIELD_PUT(NV_HDR_MTHD, mthd / 4);
    }
    return GPUCMD_NV_PRIV_OLD_OP(INC) | GPUCMD_FIELD_PUT(NV_OLD_COUNT, n) |
           GPUCMD_FIELD_PUT(NV_OLD_SUBC, subc) | GPUCMD_FIELD_PUT(NV_OLD_MTHD, mthd / 4);
}

/* Append the word dw for one method: GPUCMD_NV_METHOD_DW(chip, dw) words. The form is IMMD on GF100
 * and later if dw fits 13 bits, otherwise INC. GPUCMD_RANGE: subc is above 7, or mthd is above
 * 0x1ffc (GF100 and later: 0x3ffc). GPUCMD_ALIGN: mthd is not a multiple of 4. [206E] [906F] */
GPUCMD_INLINE void gpucmd_nv_emit_method(gpucmd_writer *w, gpucmd_nv_chip chip, uint32_t subc,
                                         uint32_t mthd, uint32_t dw)
{
    if (!GPUCMD_NV_IS_GF100(chip)) {
        gpucmd_nv_emit_old_inc1(w, subc, mthd, dw);
    } else if (dw <= GPUCMD_FIELD_MAX(NV_HDR_IMMD_DATA)) {
        gpucmd_nv_emit_immd(w, subc, mthd, dw);
    } else {
        gpucmd_nv_emit_inc1(w, subc, mthd, dw);
    }
}

/* The last method run that gpucmd_nv_emit_append wrote, to which it can add words. The caller
 * sets all members to 0 before the first call. */
typedef struct gpucmd_nv_run {
    size_t end_dw; /* position after the method run in the stream, words */
    uint32_t subc;
    uint32_t mthd;     /* first method, bytes */
    uint32_t count_dw; /* number of data words; 0: there is no method run */
} gpucmd_nv_run;

/* Append the word dw for one method. Append 1 word to the method run *run if all are true:
 *   - *run has the subchannel subc, and mthd is the method after the last method of *run
 *   - *run is not full, and nothing was written after *run
 * Otherwise append a new method run of 2 words, which *run then describes. The stream always
 * consists of whole commands. Parameters and statuses as gpucmd_nv_emit_method. */
GPUCMD_INLINE void gpucmd_nv_emit_append(gpucmd_writer *w, gpucmd_nv_chip chip, gpucmd_nv_run *run,
                                         uint32_t subc, uint32_t mthd, uint32_t dw)
{
    const bool gf100 = GPUCMD_NV_IS_GF100(chip);
    const uint32_t most = gf100 ? GPUCMD_FIELD_MAX(NV_HDR_COUNT) : GPUCMD_FIELD_MAX(NV_OLD_COUNT);
    if (run->count_dw != 0 && run->count_dw < most && run->end_dw == gpucmd_writer_need_dw(w) &&
        run->subc == subc && run->mthd + 4 * run->count_dw == mthd &&
        mthd / 4 <= (gf100 ? GPUCMD_FIELD_MAX(NV_HDR_MTHD) : GPUCMD_FIELD_MAX(NV_OLD_MTHD))) {
        uint32_t *at = gpucmd_priv_writer_claim(w, 1);
        run->count_dw++;
        run->end_dw++;
        if (at != NULL) {
            at[0] = dw;
            *(at - run->count_dw) = gpucmd_priv_nv_head(chip, subc, run->mthd, run->count_dw);
        }
        return;
    }
    if (gf100) {
        gpucmd_nv_emit_inc1(w, subc, mthd, dw);
    } else {
        gpucmd_nv_emit_old_inc1(w, subc, mthd, dw);
    }
    run->end_dw = gpucmd_writer_need_dw(w);
    run->subc = subc;
    run->mthd = mthd;
    run->count_dw = 1;
}

/* Append one host method with the word dw. GPUCMD_UNSUPPORTED: the chip lacks the method. */
GPUCMD_INLINE void gpucmd_priv_nv_emit_host(gpucmd_writer *w, gpucmd_nv_chip chip,
                                            gpucmd_status status, uint32_t mthd, uint32_t dw)
{
    uint32_t *at =
        gpucmd_priv_nv_recipe(w, gpucmd_priv_nv_has_host(chip, mthd) ? status : GPUCMD_UNSUPPORTED,
                              GPUCMD_NV_HOST_METHOD_DW);
    GPUCMD_NV_PRIV_STORE_FEW(at, 2, gpucmd_priv_nv_head(chip, 0, mthd, 1), dw);
}

/* Check address va, and return its status. If parameter status is not GPUCMD_OK, return status.
 * GPUCMD_RANGE: va is 2^bits or above. GPUCMD_ALIGN: va is not a multiple of align_bytes, which is
 * a power of two. */
GPUCMD_INLINE gpucmd_status gpucmd_priv_nv_bits_status(gpucmd_status status, unsigned bits,
                                                       uint64_t va, uint32_t align_bytes)
{
    if (GPUCMD_PRIV_UNLIKELY(status != GPUCMD_OK)) {
        return status;
    }
    if (GPUCMD_PRIV_UNLIKELY(gpucmd_priv_shr(va, bits) != 0)) {
        return GPUCMD_RANGE;
    }
    return GPUCMD_PRIV_UNLIKELY((va & (align_bytes - 1)) != 0) ? GPUCMD_ALIGN : GPUCMD_OK;
}

/* As gpucmd_priv_nv_bits_status, but for the 40 or 57 address bits of the host engine. */
GPUCMD_INLINE gpucmd_status gpucmd_priv_nv_va_status(gpucmd_status status, gpucmd_nv_chip chip,
                                                     uint64_t va, uint32_t align_bytes)
{
    return gpucmd_priv_nv_bits_status(status,
                                      chip >= GPUCMD_NV_CHIP_GH100
                                          ? (unsigned)GPUCMD_NV_VA57_BITS
                                          : (unsigned)GPUCMD_NV_ENTRY_VA_BITS,
                                      va, align_bytes);
}

/* Bind an object to a subchannel: 2 words; NV4 and later.
 *   subc    0..7
 *   object  before GF100 a handle, any value. GF100 and later: bits 15:0 are the
 *           class, on Fermi bits 20:16 the engine
 * GPUCMD_RANGE: subc is above 7, or on GF100 and later object has other
 * bits. [ENVY] OBJECT, [906F] SET_OBJECT */
GPUCMD_INLINE void gpucmd_nv_emit_set_object(gpucmd_writer *w, gpucmd_nv_chip chip, uint32_t subc,
                                             uint32_t object)
{
    const uint32_t own = GPUCMD_FIELD_MASK(NV_OBJECT_CLASS) | GPUCMD_FIELD_MASK(NV_OBJECT_ENGINE);
    const bool bad =
        subc > GPUCMD_FIELD_MAX(NV_HDR_SUBC) || (GPUCMD_NV_IS_GF100(chip) && (object & ~own) != 0);
    uint32_t *at = gpucmd_priv_nv_recipe(w,
                                         chip < GPUCMD_NV_CHIP_NV4 ? GPUCMD_UNSUPPORTED
                                         : bad                     ? GPUCMD_RANGE
                                                                   : GPUCMD_OK,
                                         GPUCMD_NV_SET_OBJECT_DW);
    GPUCMD_NV_PRIV_STORE_FEW(at, 2, gpucmd_priv_nv_head(chip, subc, GPUCMD_NV_HOST_SET_OBJECT, 1),
                             object);
}

/* Return true if a recipe uses SEM_ADDR_LO to SEM_EXECUTE, not SEMAPHOREA to SEMAPHORED. */
GPUCMD_INLINE bool gpucmd_priv_nv_sem_is_new(gpucmd_nv_chip chip, uint32_t flags)
{
    return chip >= GPUCMD_NV_CHIP_GV100 && (flags & GPUCMD_NV_SEM_OLD) == 0;
}

/* Write the data word of SEM_EXECUTE or SEMAPHORED to *dw. GPUCMD_UNSUPPORTED: the chip lacks op,
 * reduction or a flag, or op does not permit a flag. */
GPUCMD_INLINE gpucmd_status gpucmd_priv_nv_sem_word(gpucmd_nv_chip chip, gpucmd_nv_sem_op op,
                                                    uint32_t reduction, uint32_t flags,
                                                    uint32_t *dw)
{
    const bool acquires = op < GPUCMD_NV_SEM_OP_RELEASE;
    const bool reduces = op == GPUCMD_NV_SEM_OP_REDUCTION;
    const bool wide = (flags & GPUCMD_NV_SEM_64BIT) != 0;
    const bool timed = (flags & GPUCMD_NV_SEM_TIMESTAMP) != 0;
    const bool waits_idle = (flags & GPUCMD_NV_SEM_WFI) != 0;
    const bool leaves = (flags & GPUCMD_NV_SEM_SWITCH) != 0;
    const bool is_unsigned = (flags & GPUCMD_NV_SEM_SIGNED) == 0;
    const uint32_t unfit =
        (acquires ? GPUCMD_NV_SEM_TIMESTAMP | GPUCMD_NV_SEM_WFI | GPUCMD_NV_SEM_INTERRUPT
                  : GPUCMD_NV_SEM_SWITCH) |
        (reduces ? 0u : (uint32_t)GPUCMD_NV_SEM_SIGNED) | ~(uint32_t)GPUCMD_NV_SEM_FLAGS;
    const bool is_new = gpucmd_priv_nv_sem_is_new(chip, flags);
    uint32_t number = 0;
    if (gpucmd_nv_sem_number(chip, is_new ? GPUCMD_NV_HOST_SEM_EXECUTE : GPUCMD_NV_HOST_SEMAPHORED,
                             op, &number) != GPUCMD_OK ||
        (flags & unfit) != 0 ||
        (reduces && !gpucmd_nv_knows_reduction(reduction, wide, is_unsigned)) ||
        (!is_new && (wide || (timed && reduces) || chip >= GPUCMD_NV_CHIP_GH100)) ||
        (!GPUCMD_NV_IS_GF100(chip) && (waits_idle || leaves || timed == acquires))) {
        return GPUCMD_UNSUPPORTED;
    }
    if (is_new) {
        *dw = GPUCMD_FIELD_PUT(NV_SEM_EXECUTE_OPERATION, number) |
              GPUCMD_FIELD_PUT(NV_SEM_EXECUTE_PAYLOAD_SIZE, wide) |
              GPUCMD_FIELD_PUT(NV_SEM_EXECUTE_RELEASE_TIMESTAMP, timed) |
              GPUCMD_FIELD_PUT(NV_SEM_EXECUTE_RELEASE_WFI, waits_idle) |
              GPUCMD_FIELD_PUT(NV_SEM_EXECUTE_ACQUIRE_SWITCH_TSG, leaves);
    } else {
        *dw = GPUCMD_FIELD_PUT(NV_SEMAPHORED_OPERATION, number);
        if (GPUCMD_NV_IS_GF100(chip)) {
            *dw |= GPUCMD_FIELD_PUT(NV_SEMAPHORED_ACQUIRE_SWITCH, leaves) |
                   GPUCMD_FIELD_PUT(NV_SEMAPHORED_RELEASE_WFI, !acquires && !waits_idle) |
                   GPUCMD_FIELD_PUT(NV_SEMAPHORED_RELEASE_SIZE, !acquires && !reduces && !timed);
        }
    }
    if (reduces) { /* SEMAPHORED has both fields at the same bits */
        *dw |= GPUCMD_FIELD_PUT(NV_SEM_EXECUTE_REDUCTION, reduction) |
               GPUCMD_FIELD_PUT(NV_SEM_EXECUTE_FORMAT, is_unsigned);
    }
    return GPUCMD_OK;
}

/* Append one method run with address, payload and the operation word dw. Also append
 * NON_STALL_INTERRUPT if flags contains GPUCMD_NV_SEM_INTERRUPT. */
GPUCMD_INLINE void gpucmd_priv_nv_emit_sem(gpucmd_writer *w, gpucmd_nv_chip chip, uint64_t va,
                                           uint64_t payload, uint32_t align_bytes, uint32_t flags,
                                           gpucmd_status status, uint32_t dw)
{
    const bool is_new = gpucmd_priv_nv_sem_is_new(chip, flags);
    const bool interrupts = (flags & GPUCMD_NV_SEM_INTERRUPT) != 0;
    const uint32_t lo = (uint32_t)va;
    const uint32_t hi = (uint32_t)(va >> 32);
    status = gpucmd_priv_nv_va_status(status, chip, va, align_bytes);
    if (status == GPUCMD_OK && payload >> 32 != 0 &&
        (!is_new || GPUCMD_FIELD_GET(NV_SEM_EXECUTE_PAYLOAD_SIZE, dw) == 0)) {
        status = GPUCMD_RANGE;
    }
    uint32_t *at = gpucmd_priv_nv_recipe(w, status, GPUCMD_NV_SEM_FLAGS_DW(chip, flags));
    if (is_new) {
        GPUCMD_NV_PRIV_STORE_FEW(
            at, interrupts ? 8 : 6, gpucmd_priv_nv_head(chip, 0, GPUCMD_NV_HOST_SEM_ADDR_LO, 5), lo,
            hi, (uint32_t)payload, (uint32_t)(payload >> 32), dw,
            gpucmd_priv_nv_head(chip, 0, GPUCMD_NV_HOST_NON_STALL_INTERRUPT, 1));
    } else {
        GPUCMD_NV_PRIV_STORE_FEW(
            at, 5u + interrupts,
            gpucmd_priv_nv_head(chip, 0, GPUCMD_NV_HOST_SEMAPHOREA, 4u + interrupts), hi, lo,
            (uint32_t)payload, dw);
    }
}

/* Return the alignment in bytes that a release or reduction with these flags needs. */
GPUCMD_INLINE uint32_t gpucmd_priv_nv_sem_align(gpucmd_nv_chip chip, uint32_t flags)
{
    return !gpucmd_priv_nv_sem_is_new(chip, flags)  ? 4
           : (flags & GPUCMD_NV_SEM_TIMESTAMP) != 0 ? 16
           : (flags & GPUCMD_NV_SEM_64BIT) != 0     ? 8
                                                    : 4;
}

/* Make the GPU write a payload to memory: GPUCMD_NV_SEM_FLAGS_DW(chip, flags) words; G84 and later.
 *   va       4-byte aligned. GV100 and later without OLD: 8-byte aligned with
 *            64BIT, 16-byte aligned with TIMESTAMP
 *   payload  32 bits; with 64BIT 64 bits
 *   flags    GPUCMD_NV_SEM_*
 * The GPU writes 4 bytes, or 8 with 64BIT. With TIMESTAMP the GPU writes 16 bytes: the payload,
 * extended to 64 bits, and the time in nanoseconds. GPUCMD_RANGE: va or payload is too large.
 * GPUCMD_ALIGN: va is not aligned. GPUCMD_UNSUPPORTED: the chip lacks releases or a flag, or the
 * flag is for another operation. [826F] [906F] [C36F] */
GPUCMD_INLINE void gpucmd_nv_emit_sem_release(gpucmd_writer *w, gpucmd_nv_chip chip, uint64_t va,
                                              uint64_t payload, uint32_t flags)
{
    uint32_t dw = 0;
    const gpucmd_status status =
        gpucmd_priv_nv_sem_word(chip, GPUCMD_NV_SEM_OP_RELEASE, 0, flags, &dw);
    gpucmd_priv_nv_emit_sem(w, chip, va, payload, gpucmd_priv_nv_sem_align(chip, flags), flags,
                            status, dw);
}

/* Make the channel wait until comparison op (GPUCMD_NV_SEM_OPS) is true for the value at va and
 * payload: GPUCMD_NV_SEM_FLAGS_DW(chip, flags) words; G84 and later.
 *   op       GPUCMD_NV_SEM_OP_ACQUIRE to _ACQ_NOR
 *   va       4-byte aligned; with 64BIT 8-byte aligned
 *   payload  32 bits; with 64BIT 64 bits
 *   flags    0, GPUCMD_NV_SEM_64BIT, _SWITCH, _OLD
 * GPUCMD_RANGE: op is no acquire, or va or payload is too large. GPUCMD_ALIGN: va is not aligned.
 * GPUCMD_UNSUPPORTED: the chip lacks op or a flag. [826F] [906F] [C36F] */
GPUCMD_INLINE void gpucmd_nv_emit_sem_acquire(gpucmd_writer *w, gpucmd_nv_chip chip,
                                              gpucmd_nv_sem_op op, uint64_t va, uint64_t payload,
                                              uint32_t flags)
{
    uint32_t dw = 0;
    gpucmd_status status = gpucmd_priv_nv_sem_word(chip, op, 0, flags, &dw);
    if (op >= GPUCMD_NV_SEM_OP_RELEASE || op == GPUCMD_NV_SEM_OP_NONE) {
        status = GPUCMD_RANGE;
    }
    gpucmd_priv_nv_emit_sem(w, chip, va, payload, (flags & GPUCMD_NV_SEM_64BIT) != 0 ? 8 : 4, flags,
                            status, dw);
}

/* Make the GPU replace the value at va by reduction(value, payload), for example by their sum:
 * GPUCMD_NV_SEM_FLAGS_DW(chip, flags) words; GK110 until GK20A, GM107 and later. Parameters as
 * gpucmd_nv_emit_sem_release. With SIGNED the values are signed. TIMESTAMP needs GV100 and no
 * OLD. GPUCMD_RANGE: va or payload is too large. GPUCMD_ALIGN: va is not aligned.
 * GPUCMD_UNSUPPORTED: the chip lacks reductions or a flag, or the reduction does not exist for
 * values of this size and sign. [A16F] [C36F] */
GPUCMD_INLINE void gpucmd_nv_emit_sem_reduction(gpucmd_writer *w, gpucmd_nv_chip chip,
                                                gpucmd_nv_reduction reduction, uint64_t va,
                                                uint64_t payload, uint32_t flags)
{
    uint32_t dw = 0;
    const gpucmd_status status =
        gpucmd_priv_nv_sem_word(chip, GPUCMD_NV_SEM_OP_REDUCTION, (uint32_t)reduction, flags, &dw);
    gpucmd_priv_nv_emit_sem(w, chip, va, payload, gpucmd_priv_nv_sem_align(chip, flags), flags,
                            status, dw);
}

/* Check chip and off_bytes for a semaphore in a DMA object, and return the status. */
GPUCMD_INLINE gpucmd_status gpucmd_priv_nv_dma_sem_status(gpucmd_nv_chip chip, uint32_t off_bytes)
{
    if (chip < GPUCMD_NV_CHIP_NV1A || GPUCMD_NV_IS_GF100(chip)) {
        return GPUCMD_UNSUPPORTED;
    }
    if (off_bytes / 4 > (chip >= GPUCMD_NV_CHIP_G80 ? GPUCMD_FIELD_MAX(NV_SEMAPHORE_OFFSET_G80)
                                                    : GPUCMD_FIELD_MAX(NV_SEMAPHORE_OFFSET))) {
        return GPUCMD_RANGE;
    }
    return off_bytes % 4 != 0 ? GPUCMD_ALIGN : GPUCMD_OK;
}

/* Make the channel wait until the word at off_bytes of a DMA object equals value: 4
 * words; NV1A until GF100.
 *   handle     handle of the DMA object
 *   off_bytes  4-byte aligned, at most 0xffc, on G80 and later 0xfffc
 * GPUCMD_RANGE: off_bytes is too large. GPUCMD_ALIGN: off_bytes is not aligned.
 * [ENVY] DMA_SEMAPHORE, SEMAPHORE_OFFSET, SEMAPHORE_ACQUIRE */
GPUCMD_INLINE void gpucmd_nv_emit_dma_sem_acquire(gpucmd_writer *w, gpucmd_nv_chip chip,
                                                  uint32_t handle, uint32_t off_bytes,
                                                  uint32_t value)
{
    uint32_t *at = gpucmd_priv_nv_recipe(w, gpucmd_priv_nv_dma_sem_status(chip, off_bytes),
                                         GPUCMD_NV_DMA_SEM_ACQUIRE_DW);
    GPUCMD_NV_PRIV_STORE_FEW(at, 4, gpucmd_priv_nv_head(chip, 0, GPUCMD_NV_HOST_DMA_SEMAPHORE, 3),
                             handle, off_bytes, value);
}

/* Make the GPU write value to the word at off_bytes of a DMA object: 5 words; parameters,
 * chips and statuses as gpucmd_nv_emit_dma_sem_acquire. [ENVY] SEMAPHORE_RELEASE */
GPUCMD_INLINE void gpucmd_nv_emit_dma_sem_release(gpucmd_writer *w, gpucmd_nv_chip chip,
                                                  uint32_t handle, uint32_t off_bytes,
                                                  uint32_t value)
{
    uint32_t *at = gpucmd_priv_nv_recipe(w, gpucmd_priv_nv_dma_sem_status(chip, off_bytes),
                                         GPUCMD_NV_DMA_SEM_RELEASE_DW);
    GPUCMD_NV_PRIV_STORE_FEW(
        at, 5, gpucmd_priv_nv_head(chip, 0, GPUCMD_NV_HOST_DMA_SEMAPHORE, 2), handle, off_bytes,
        gpucmd_priv_nv_head(chip, 0, GPUCMD_NV_HOST_SEMAPHORE_RELEASE, 1), value);
}

/* Make the GPU set its reference counter to value when idle: 2 words; NV10 and later. [ENVY] */
GPUCMD_INLINE void gpucmd_nv_emit_ref_cnt(gpucmd_writer *w, gpucmd_nv_chip chip, uint32_t value)
{
    gpucmd_priv_nv_emit_host(w, chip, GPUCMD_OK, GPUCMD_NV_HOST_REF_CNT, value);
}

/* Make the GPU interrupt the CPU; the channel continues: 2 words; G84 and later. [826F] [906F] */
GPUCMD_INLINE void gpucmd_nv_emit_non_stall_interrupt(gpucmd_writer *w, gpucmd_nv_chip chip)
{
    gpucmd_priv_nv_emit_host(w, chip, GPUCMD_OK, GPUCMD_NV_HOST_NON_STALL_INTERRUPT, 0);
}

/* Make the GPU flush its writes: 2 words; G84 and later, deprecated on GF100 and later. [826F] */
GPUCMD_INLINE void gpucmd_nv_emit_fb_flush(gpucmd_writer *w, gpucmd_nv_chip chip)
{
    gpucmd_priv_nv_emit_host(w, chip, GPUCMD_OK, GPUCMD_NV_HOST_FB_FLUSH, 0);
}

/* Make the channel wait until an engine is idle: 2 words; GK110 and later.
 *   all  true: wait for all engines (GM204 and later); false: for the last used engine
 * GPUCMD_UNSUPPORTED: the chip lacks the method, or all is true before GM204. [A16F] [B06F] */
GPUCMD_INLINE void gpucmd_nv_emit_wfi(gpucmd_writer *w, gpucmd_nv_chip chip, bool all)
{
    gpucmd_priv_nv_emit_host(w, chip,
                             all && chip < GPUCMD_NV_CHIP_GM204 ? GPUCMD_UNSUPPORTED : GPUCMD_OK,
                             GPUCMD_NV_HOST_WFI, GPUCMD_FIELD_PUT(NV_WFI_SCOPE, all));
}

/* Make the channel yield to other channels: 2 words; NV40 and later.
 *   op  GPUCMD_NV_YIELD_*; on GA100 and later not NOP1, because no class has it
 * GPUCMD_UNSUPPORTED: the chip lacks op. [ENVY] [B06F] */
GPUCMD_INLINE void gpucmd_nv_emit_yield(gpucmd_writer *w, gpucmd_nv_chip chip, gpucmd_nv_yield op)
{
    const bool known = gpucmd_nv_knows_yield(chip, (uint32_t)op) &&
                       (op != GPUCMD_NV_YIELD_NOP1 || chip < GPUCMD_NV_CHIP_GA100);
    gpucmd_priv_nv_emit_host(w, chip, known ? GPUCMD_OK : GPUCMD_UNSUPPORTED, GPUCMD_NV_HOST_YIELD,
                             (uint32_t)op);
}

/* Append the host method NOP, which does nothing: 2 words; GF100 and later. [906F] */
GPUCMD_INLINE void gpucmd_nv_emit_host_nop(gpucmd_writer *w, gpucmd_nv_chip chip)
{
    gpucmd_priv_nv_emit_host(w, chip, GPUCMD_OK, GPUCMD_NV_HOST_NOP, 0);
}

/* Append host method ILLEGAL, which raises interrupt METHOD: 2 words; GF100 and later. [906F] */
GPUCMD_INLINE void gpucmd_nv_emit_illegal(gpucmd_writer *w, gpucmd_nv_chip chip)
{
    gpucmd_priv_nv_emit_host(w, chip, GPUCMD_OK, GPUCMD_NV_HOST_ILLEGAL, 0);
}

/* Make the GPU compare METHOD_CRC (gpucmd_nv_method_crc) with crc, raise the interrupt METHODCRC if
 * they differ, and set METHOD_CRC to 0: 2 words; GF100 until GA100. [906F] */
GPUCMD_INLINE void gpucmd_nv_emit_crc_check(gpucmd_writer *w, gpucmd_nv_chip chip, uint32_t crc)
{
    gpucmd_priv_nv_emit_host(w, chip, GPUCMD_OK, GPUCMD_NV_HOST_CRC_CHECK, crc);
}

/* Make the GPU clear a bit of another channel: 2 words; GV100 and later. On GA100 and later the
 * method raises the interrupt METHOD, and the kernel clears the bit.
 *   engine   true: clear the bit ENG_FAULTED; false: PBDMA_FAULTED
 *   channel  before TU102 the channel id, CLEAR_FAULTED_CHID_C36F 0..4095; TU102 and later the
 *            handle of the channel from the kernel, 31 bits
 * GPUCMD_RANGE: channel is too large. [C36F] [C46F] [PBDMA] */
GPUCMD_INLINE void gpucmd_nv_emit_clear_faulted(gpucmd_writer *w, gpucmd_nv_chip chip,
                                                uint32_t channel, bool engine)
{
    const uint32_t most = chip < GPUCMD_NV_CHIP_TU102 ? GPUCMD_FIELD_MAX(NV_CLEAR_FAULTED_CHID_C36F)
                                                      : ~GPUCMD_FIELD_MASK(NV_CLEAR_FAULTED_TYPE);
    gpucmd_priv_nv_emit_host(w, chip, channel > most ? GPUCMD_RANGE : GPUCMD_OK,
                             GPUCMD_NV_HOST_CLEAR_FAULTED,
                             channel | GPUCMD_FIELD_PUT(NV_CLEAR_FAULTED_TYPE, engine));
}

/* Append SYNCPOINTA with payload, and SYNCPOINTB with dw and the index idx of the syncpoint. */
GPUCMD_INLINE void gpucmd_priv_nv_emit_syncpoint(gpucmd_writer *w, gpucmd_nv_chip chip,
                                                 uint32_t payload, uint32_t idx, uint32_t dw)
{
    const uint32_t most = chip < GPUCMD_NV_CHIP_GM107 ? GPUCMD_FIELD_MAX(NV_SYNCPOINT_INDEX_A26F)
                                                      : GPUCMD_FIELD_MAX(NV_SYNCPOINT_INDEX);
    uint32_t *at = gpucmd_priv_nv_recipe(w,
                                         !gpucmd_priv_nv_has_host(chip, GPUCMD_NV_HOST_SYNCPOINTB)
                                             ? GPUCMD_UNSUPPORTED
                                         : idx > most ? GPUCMD_RANGE
                                                      : GPUCMD_OK,
                                         GPUCMD_NV_SYNCPOINT_DW);
    GPUCMD_NV_PRIV_STORE_FEW(at, 3, gpucmd_priv_nv_head(chip, 0, GPUCMD_NV_HOST_SYNCPOINTA, 2),
                             payload, dw | GPUCMD_FIELD_PUT(NV_SYNCPOINT_INDEX, idx));
}

/* Make the channel wait until a syncpoint has reached value, compared modulo 2^32: 3
 * words; Tegra chips GK20A and GP10B.
 *   idx         SYNCPOINT_INDEX_A26F 0..255, GM107 and later SYNCPOINT_INDEX 0..4095
 *   switch_out  true: other channels may execute during the wait
 * GPUCMD_RANGE: idx is too large. [A26F] [C06F] */
GPUCMD_INLINE void gpucmd_nv_emit_syncpoint_wait(gpucmd_writer *w, gpucmd_nv_chip chip,
                                                 uint32_t idx, uint32_t value, bool switch_out)
{
    gpucmd_priv_nv_emit_syncpoint(w, chip, value, idx,
                                  GPUCMD_FIELD_PUT(NV_SYNCPOINT_WAIT_SWITCH, switch_out));
}

/* Make the GPU add 1 to a syncpoint: 3 words. Chips, idx and statuses as
 * gpucmd_nv_emit_syncpoint_wait. [A26F] [C06F] */
GPUCMD_INLINE void gpucmd_nv_emit_syncpoint_incr(gpucmd_writer *w, gpucmd_nv_chip chip,
                                                 uint32_t idx)
{
    gpucmd_priv_nv_emit_syncpoint(w, chip, 0, idx, GPUCMD_FIELD_PUT(NV_SYNCPOINT_OPERATION, 1));
}

/* Append MEM_OP with the words a to d. Before GP100 MEM_OP has only the words c and d. */
GPUCMD_INLINE void gpucmd_priv_nv_emit_mem_op(gpucmd_writer *w, gpucmd_nv_chip chip,
                                              gpucmd_status status, uint32_t a, uint32_t b,
                                              uint32_t c, uint32_t d)
{
    const bool wide = chip >= GPUCMD_NV_CHIP_GP100;
    const uint32_t mthd = chip >= GPUCMD_NV_CHIP_GM204 && !wide ? (uint32_t)GPUCMD_NV_HOST_MEM_OP_C
                                                                : (uint32_t)GPUCMD_NV_HOST_MEM_OP_A;
    const bool known = GPUCMD_NV_IS_GF100(chip) && (unsigned)chip < (unsigned)GPUCMD_NV_CHIP_LATER;
    uint32_t *at =
        gpucmd_priv_nv_recipe(w, known ? status : GPUCMD_UNSUPPORTED, GPUCMD_NV_MEM_OP_DW(chip));
    if (wide) {
        GPUCMD_NV_PRIV_STORE_FEW(at, 5, gpucmd_priv_nv_head(chip, 0, mthd, 4), a, b, c, d);
    } else {
        GPUCMD_NV_PRIV_STORE_FEW(at, 3, gpucmd_priv_nv_head(chip, 0, mthd, 2), c, d);
    }
}

/* Append a memory barrier: GPUCMD_NV_MEM_OP_DW(chip) words; GF100 and later. If
 * gpu_only is true (GP100 and later), the barrier need not cover system memory.
 * [906F] SYSMEMBAR_FLUSH, [C06F] MEMBAR */
GPUCMD_INLINE void gpucmd_nv_emit_membar(gpucmd_writer *w, gpucmd_nv_chip chip, bool gpu_only)
{
    gpucmd_priv_nv_emit_mem_op(
        w, chip, gpu_only && chip < GPUCMD_NV_CHIP_GP100 ? GPUCMD_UNSUPPORTED : GPUCMD_OK, 0, 0,
        GPUCMD_FIELD_PUT(NV_MEM_OP_MEMBAR_TYPE, gpu_only),
        GPUCMD_FIELD_PUT(NV_MEM_OP_OPERATION, GPUCMD_NV_MEM_OP_MEMBAR));
}

/* Append an operation of MEM_OP without operands: GPUCMD_NV_MEM_OP_DW(chip) words; GF100 and later.
 *   op  GPUCMD_NV_MEM_OP_SOFT_FLUSH, _L2_*, or _MMU_OPERATION (VIDMEM_ACCESS_BIT_DUMP)
 * GPUCMD_RANGE: op is another operation. GPUCMD_UNSUPPORTED: the chip lacks op. [906F] */
GPUCMD_INLINE void gpucmd_nv_emit_mem_op(gpucmd_writer *w, gpucmd_nv_chip chip, gpucmd_nv_mem_op op)
{
    const bool fits =
        op == GPUCMD_NV_MEM_OP_SOFT_FLUSH || (op >= GPUCMD_NV_MEM_OP_MMU_OPERATION &&
                                              op <= GPUCMD_NV_MEM_OP_L2_WAIT_FOR_SYS_PENDING_READS);
    gpucmd_priv_nv_emit_mem_op(
        w, chip,
        !fits                                        ? GPUCMD_RANGE
        : gpucmd_nv_knows_mem_op(chip, (uint32_t)op) ? GPUCMD_OK
                                                     : GPUCMD_UNSUPPORTED,
        0, 0, 0,
        GPUCMD_FIELD_PUT(NV_MEM_OP_OPERATION, op) |
            GPUCMD_FIELD_PUT(NV_MEM_OP_MMU_OPERATION_TYPE, op == GPUCMD_NV_MEM_OP_MMU_OPERATION));
}

/* Make the GPU clear access counters: GPUCMD_NV_MEM_OP_DW(chip) words; GV100 and later.
 *   type             GPUCMD_NV_ACCESS_COUNTER_*
 *   momc, bank, tag  the counter for type _TARGETED; must be 0 for other types. momc true: a
 *                    counter of MOMC, false: of MIMC. bank MEM_OP_COUNTER_BANK 0..15. tag
 *                    MEM_OP_NOTIFY_TAG 0..1048575, which the GPU reported in the notification
 * GPUCMD_RANGE: a value is too large, or must be 0. [C36F] ACCESS_COUNTER_CLR */
GPUCMD_INLINE void gpucmd_nv_emit_access_counter_clear(gpucmd_writer *w, gpucmd_nv_chip chip,
                                                       uint32_t type, bool momc, uint32_t bank,
                                                       uint32_t tag)
{
    const bool targeted = type == GPUCMD_NV_ACCESS_COUNTER_TARGETED;
    const bool fits = type <= GPUCMD_NV_ACCESS_COUNTER_TARGETED &&
                      bank <= GPUCMD_FIELD_MAX(NV_MEM_OP_COUNTER_BANK) &&
                      tag <= GPUCMD_FIELD_MAX(NV_MEM_OP_NOTIFY_TAG) &&
                      (targeted || (bank == 0 && tag == 0 && !momc));
    gpucmd_priv_nv_emit_mem_op(
        w, chip,
        chip < GPUCMD_NV_CHIP_GV100 ? GPUCMD_UNSUPPORTED
        : fits                      ? GPUCMD_OK
                                    : GPUCMD_RANGE,
        0, 0, tag,
        GPUCMD_FIELD_PUT(NV_MEM_OP_OPERATION, GPUCMD_NV_MEM_OP_ACCESS_COUNTER_CLR) |
            GPUCMD_FIELD_PUT(NV_MEM_OP_COUNTER_BANK, bank) |
            GPUCMD_FIELD_PUT(NV_MEM_OP_COUNTER_MOMC, momc) |
            GPUCMD_FIELD_PUT(NV_MEM_OP_COUNTER_TYPE, type));
}

/* Make the GPU write dirty L2 lines back: GPUCMD_NV_MEM_OP_DW words; GF100 and later. [906F] */
GPUCMD_INLINE void gpucmd_nv_emit_l2_flush_dirty(gpucmd_writer *w, gpucmd_nv_chip chip)
{
    gpucmd_nv_emit_mem_op(w, chip, GPUCMD_NV_MEM_OP_L2_FLUSH_DIRTY);
}

/* Make the GPU evict, clean or invalidate cache lines: 3 words; MCP89 only.
 *   op     0 evict, 1 clean, 2 invalidate
 *   base   word MEM_OP_A, which has the address of the first line
 *   lines  MEM_OP_LINES_866F 0..268435455; 0 means all lines
 * GPUCMD_RANGE: op or lines is too large. [866F] MEM_OP_A, MEM_OP_B */
GPUCMD_INLINE void gpucmd_nv_emit_cache_lines(gpucmd_writer *w, gpucmd_nv_chip chip, uint32_t op,
                                              uint32_t base, uint32_t lines)
{
    const gpucmd_status status = chip != GPUCMD_NV_CHIP_MCP89 ? GPUCMD_UNSUPPORTED
                                 : op > 2 || lines > GPUCMD_FIELD_MAX(NV_MEM_OP_LINES_866F)
                                     ? GPUCMD_RANGE
                                     : GPUCMD_OK;
    uint32_t *at = gpucmd_priv_nv_recipe(w, status, GPUCMD_NV_MEM_OP_DW(GPUCMD_NV_CHIP_MCP89));
    GPUCMD_NV_PRIV_STORE_FEW(at, 3, gpucmd_priv_nv_head(chip, 0, GPUCMD_NV_HOST_MEM_OP_A, 2), base,
                             GPUCMD_FIELD_PUT(NV_MEM_OP_OPERATION_866F, op) |
                                 GPUCMD_FIELD_PUT(NV_MEM_OP_FLUSH_ALL_866F, lines == 0) |
                                 GPUCMD_FIELD_PUT(NV_MEM_OP_LINES_866F, lines));
}

/* Flags of gpucmd_nv_tlb. */
enum {
    GPUCMD_NV_TLB_ALL = 1, /* invalidate for all page directories; pdb_va and target must be 0 */
    GPUCMD_NV_TLB_HUB_ONLY = 2,  /* do not invalidate TLBs of GPCs; no SYSMEMBAR, no replay */
    GPUCMD_NV_TLB_SYSMEMBAR = 4, /* end with a system barrier; member ack 0 then means GLOBALLY */
    GPUCMD_NV_TLB_TARGETED = 8,  /* invalidate only the region around va; not with ALL */
};

/* Parameters of gpucmd_nv_emit_tlb_invalidate. If all members are 0, all translations of the
 * page directory at address 0 of video memory are invalidated. Before GP100 only pdb_va, target
 * and the flags ALL and HUB_ONLY may be nonzero. */
typedef struct gpucmd_nv_tlb {
    uint64_t pdb_va;      /* physical address of the page directory, bytes */
    uint64_t va;          /* TARGETED: address of a page in the region, multiple of 4096 */
    uint32_t target;      /* GPUCMD_NV_TLB_TARGET_*: memory that contains the page directory */
    uint32_t flags;       /* GPUCMD_NV_TLB_ALL, _HUB_ONLY, _SYSMEMBAR, _TARGETED */
    uint32_t level;       /* GPUCMD_NV_TLB_LEVEL_*; 0 with CANCEL_VA_GLOBAL */
    uint32_t ack;         /* GPUCMD_NV_TLB_ACK_*: what the channel waits for */
    uint32_t scope;       /* GPUCMD_NV_TLB_SCOPE_*, selects TLBs; 0 before GA100 and with replay */
    uint32_t size_log2;   /* log2(4-KiB pages of the region); 0 before GV100 and with CANCEL_* */
    uint32_t replay;      /* GPUCMD_NV_TLB_REPLAY_*; CANCEL_VA_GLOBAL needs flag TARGETED, GV100 */
    uint32_t gpc;         /* with CANCEL_TARGETED: number of the GPC, MEM_OP_TLB_GPC_ID 0..31 */
    uint32_t client;      /* with CANCEL_TARGETED: client of the GPC, MEM_OP_TLB_CLIENT 0..63 */
    uint32_t engine;      /* with CANCEL_VA_GLOBAL: MMU engine 0..127, GH100 and later 0..511 */
    uint32_t access_mask; /* with CANCEL_VA_GLOBAL: accesses to cancel, GPUCMD_NV_TLB_ACCESS_* */
} gpucmd_nv_tlb;

/* Return size_log2 of the smallest aligned region that contains the pages of len_bytes (>= 1) bytes
 * at va. If the result is 52 or more, invalidate all addresses instead. */
GPUCMD_INLINE uint32_t gpucmd_nv_tlb_size_log2(uint64_t va, uint64_t len_bytes)
{
    uint64_t differs = (va ^ (va + len_bytes - 1)) >> 12;
    uint32_t n = 0;
    for (; differs != 0; differs >>= 1) {
        n++;
    }
    return n;
}

/* Check the members of t that describe a region or a replay. GPUCMD_RANGE: a member is too large,
 * or must be 0. */
GPUCMD_INLINE gpucmd_status gpucmd_priv_nv_tlb_replay_status(gpucmd_nv_chip chip,
                                                             const gpucmd_nv_tlb *t)
{
    const bool targeted = (t->flags & GPUCMD_NV_TLB_TARGETED) != 0;
    const bool by_unit = t->replay == GPUCMD_NV_TLB_REPLAY_CANCEL_TARGETED;
    const bool by_va = t->replay == GPUCMD_NV_TLB_REPLAY_CANCEL_VA_GLOBAL;
    const uint32_t engines = chip >= GPUCMD_NV_CHIP_GH100
                                 ? GPUCMD_FIELD_MAX(NV_MEM_OP_TLB_ENGINE)
                                 : GPUCMD_FIELD_MAX(NV_MEM_OP_TLB_ENGINE_C36F);
    const bool cancels = t->replay >= GPUCMD_NV_TLB_REPLAY_CANCEL_TARGETED;
    return (t->va != 0 && !targeted) || (t->size_log2 != 0 && (!targeted || cancels)) ||
                   t->size_log2 >= 52 || t->level > GPUCMD_NV_TLB_LEVEL_UP_TO_PDE5 ||
                   t->ack > GPUCMD_NV_TLB_ACK_INTRANODE ||
                   t->scope > GPUCMD_NV_TLB_SCOPE_NON_LINK_TLBS ||
                   t->replay > GPUCMD_NV_TLB_REPLAY_CANCEL_VA_GLOBAL ||
                   (t->replay != 0 && t->scope != 0) || (by_va && (!targeted || t->level != 0)) ||
                   t->gpc > (by_unit ? GPUCMD_FIELD_MAX(NV_MEM_OP_TLB_GPC_ID) : 0) ||
                   t->client > (by_unit ? GPUCMD_FIELD_MAX(NV_MEM_OP_TLB_CLIENT) : 0) ||
                   t->engine > (by_va ? engines : 0) ||
                   t->access_mask > (by_va ? (uint32_t)GPUCMD_NV_TLB_ACCESS_ALL : 0) ||
                   t->access_mask == 3
               ? GPUCMD_RANGE
               : GPUCMD_OK;
}

/* Check all members of t for this chip, and return the status of gpucmd_nv_emit_tlb_invalidate. */
GPUCMD_INLINE gpucmd_status gpucmd_priv_nv_tlb_status(gpucmd_nv_chip chip, const gpucmd_nv_tlb *t)
{
    const unsigned bits = chip >= GPUCMD_NV_CHIP_GP100 ? 59 : 40;
    const uint32_t gp100 = GPUCMD_NV_TLB_SYSMEMBAR | GPUCMD_NV_TLB_TARGETED;
    const bool all = (t->flags & GPUCMD_NV_TLB_ALL) != 0;
    const bool hub = (t->flags & GPUCMD_NV_TLB_HUB_ONLY) != 0;
    if ((chip < GPUCMD_NV_CHIP_GP100 &&
         ((t->flags & gp100) != 0 || (t->level | t->ack | t->replay) != 0)) ||
        (chip < GPUCMD_NV_CHIP_GV100 &&
         (t->size_log2 != 0 || t->replay == GPUCMD_NV_TLB_REPLAY_CANCEL_VA_GLOBAL)) ||
        (chip < GPUCMD_NV_CHIP_GA100 && t->scope != 0)) {
        return GPUCMD_UNSUPPORTED;
    }
    if (gpucmd_priv_shr(t->pdb_va, bits) != 0 || t->target > 3 || t->target == 1 || t->flags > 15 ||
        (all && ((t->pdb_va | t->target) != 0 || (t->flags & GPUCMD_NV_TLB_TARGETED) != 0)) ||
        (hub && ((t->flags & GPUCMD_NV_TLB_SYSMEMBAR) != 0 || t->replay != 0))) {
        return GPUCMD_RANGE;
    }
    if (t->pdb_va % 4096 != 0 || t->va % 4096 != 0) {
        return GPUCMD_ALIGN;
    }
    return gpucmd_priv_nv_tlb_replay_status(chip, t);
}

/* Make the GPU invalidate TLBs: GPUCMD_NV_MEM_OP_DW(chip) words; GF100 and later. The caller owns
 * tlb. pdb_va and va are multiples of 4096; pdb_va is below 2^40, on GP100 and later below 2^59.
 * GPUCMD_RANGE: a member is too large, must be 0, or needs a flag. GPUCMD_ALIGN: pdb_va or va is
 * not a multiple of 4096. GPUCMD_UNSUPPORTED: the chip does not support a member or flag. [906F]
 * [B06F] [C06F] [PBDMA] MMU_TLB_INVALIDATE, _TARGETED */
GPUCMD_INLINE void gpucmd_nv_emit_tlb_invalidate(gpucmd_writer *w, gpucmd_nv_chip chip,
                                                 const gpucmd_nv_tlb *tlb)
{
    const bool barrier_at = (tlb->flags & GPUCMD_NV_TLB_SYSMEMBAR) != 0;
    const uint32_t scope =
        GPUCMD_FIELD_PUT(NV_MEM_OP_TLB_PDB, tlb->flags & GPUCMD_NV_TLB_ALL) |
        GPUCMD_FIELD_PUT(NV_MEM_OP_TLB_GPC, (tlb->flags & GPUCMD_NV_TLB_HUB_ONLY) != 0);
    const uint32_t op =
        GPUCMD_FIELD_PUT(NV_MEM_OP_OPERATION, (tlb->flags & GPUCMD_NV_TLB_TARGETED) != 0
                                                  ? GPUCMD_NV_MEM_OP_MMU_TLB_INVALIDATE_TARGETED
                                                  : GPUCMD_NV_MEM_OP_MMU_TLB_INVALIDATE);
    const gpucmd_status status = gpucmd_priv_nv_tlb_status(chip, tlb);
    const uint32_t a = ((uint32_t)tlb->va & GPUCMD_FIELD_MASK(NV_MEM_OP_TLB_VA_LO)) |
                       tlb->size_log2 | tlb->client | tlb->engine |
                       GPUCMD_FIELD_PUT(NV_MEM_OP_TLB_GPC_ID, tlb->gpc) |
                       GPUCMD_FIELD_PUT(NV_MEM_OP_TLB_SCOPE, tlb->scope) |
                       GPUCMD_FIELD_PUT(NV_MEM_OP_TLB_SYSMEMBAR, barrier_at);
    uint32_t c = GPUCMD_FIELD_PUT(NV_MEM_OP_TLB_ADDR_906F, tlb->pdb_va >> 12) |
                 GPUCMD_FIELD_PUT(NV_MEM_OP_TLB_TARGET_906F, tlb->target);
    uint32_t d = op | scope;
    if (chip >= GPUCMD_NV_CHIP_GM204) {
        c = scope | GPUCMD_FIELD_PUT(NV_MEM_OP_TLB_TARGET, tlb->target) |
            GPUCMD_FIELD_PUT(NV_MEM_OP_TLB_REPLAY, tlb->replay) |
            GPUCMD_FIELD_PUT(NV_MEM_OP_TLB_LEVEL, tlb->level | tlb->access_mask) |
            GPUCMD_FIELD_PUT(NV_MEM_OP_TLB_ACK, barrier_at && tlb->ack == 0
                                                    ? (uint32_t)GPUCMD_NV_TLB_ACK_GLOBALLY
                                                    : tlb->ack) |
            ((uint32_t)tlb->pdb_va & GPUCMD_FIELD_MASK(NV_MEM_OP_TLB_ADDR_LO));
        d = op | GPUCMD_FIELD_PUT(NV_MEM_OP_TLB_ADDR_HI, tlb->pdb_va >> 32);
    }
    gpucmd_priv_nv_emit_mem_op(w, chip, status, a, (uint32_t)(tlb->va >> 32), c, d);
}

/* Block-linear layout of the source or destination of a copy. */
typedef struct gpucmd_nv_ce_blocks {
    uint32_t block_size; /* word SET_*_BLOCK_SIZE: fields BLOCK_*. GOB_HEIGHT 1 is FERMI_8 */
    uint32_t width;      /* width of the surface: bytes, or elements if components is not 0 */
    uint32_t height;     /* height of the surface in lines */
    uint32_t depth;      /* depth of the surface in slices */
    uint32_t layer;      /* slice to copy, 0 is the first */
    uint32_t x, y;       /* first column (byte or element) and line to copy: 0..65535 */
} gpucmd_nv_ce_blocks;

/* Source or destination of a copy. */
typedef struct gpucmd_nv_ce_side {
    uint64_t va; /* virtual address; physical address if physical is true */
    const gpucmd_nv_ce_blocks
        *blocks;        /* block-linear layout; NULL: lines at a distance of pitch bytes */
    uint32_t pitch;     /* bytes from one line to the next; used if gpucmd_nv_ce.lines is not 0 */
    uint32_t phys_mode; /* GPUCMD_NV_CE_PHYS_*, fields PHYS_*; used if physical is true */
    bool physical;      /* va is a physical address; class A0B5 and later */
} gpucmd_nv_ce_side;

/* An operation of the copy engine. The operation copies or fills if LAUNCH_TRANSFER of
 * launch is not 0, and then releases a semaphore if LAUNCH_SEMAPHORE is not 0. Members
 * that the operation does not use are ignored. */
typedef struct gpucmd_nv_ce {
    uint32_t subc;       /* HDR_SUBC 0..7; drivers use 4 */
    uint32_t class_id;   /* copy class bound to subc; 0: result of gpucmd_nv_copy_class */
    uint32_t launch;     /* GPUCMD_NV_CE_* of LAUNCH_DMA; bits 7..10, 12 and 13 must be 0 */
    bool immediate;      /* true: write LAUNCH_DMA as IMMD if its value fits 13 bits */
    bool decrypt;        /* with SECURE in launch: true decrypts, false encrypts */
    uint32_t length;     /* line length, at least 1: bytes, or elements if components is not 0 */
    uint32_t lines;      /* number of lines; 0: one line, and no pitch is written */
    uint32_t components; /* fields REMAP_*; a fill if none selects the source. 0: no remap */
    uint32_t const_a, const_b;
    uint32_t scrub; /* with SCRUB in launch: data word of SET_MEMORY_SCRUB_PARAMETERS */
    gpucmd_nv_ce_side dst, src;
    uint64_t sem_va;      /* semaphore: 4-byte aligned, with SEM_64BIT 8, with SEM_FOUR_WORD 16 */
    uint64_t sem_payload; /* payload of the semaphore: 32 bits, with SEM_64BIT 64 bits */
    uint64_t tag_va;      /* with SECURE: authentication tag, 16-byte aligned */
    uint64_t iv_va;       /* with SECURE, to encrypt: initialization vector, 16-byte aligned */
} gpucmd_nv_ce;

#define GPUCMD_NV_CE_MAX_DW 46u /* largest number of words that gpucmd_nv_emit_ce appends */

/* Return the bits of LAUNCH_DMA that a copy class has. */
GPUCMD_INLINE uint32_t gpucmd_nv_launch_mask(uint32_t class_id)
{
#define GPUCMD_NV_PRIV_ROW(hi, lo, since, until)                                                   \
    (class_id >= 0x##since && class_id < 0x##until ? (2u << (hi)) - (1u << (lo)) : 0u) |
    return GPUCMD_NV_LAUNCH_BITS(GPUCMD_NV_PRIV_ROW) 0u;
#undef GPUCMD_NV_PRIV_ROW
}

/* Return true if the copy class accepts the value of each field of launch. */
GPUCMD_SHARED bool gpucmd_priv_nv_launch_fits(uint32_t class_id, uint32_t launch)
{
    const uint32_t op = GPUCMD_FIELD_GET(NV_LAUNCH_REDUCTION, launch);
    return (launch & ~gpucmd_nv_launch_mask(class_id)) == 0 &&
           (GPUCMD_FIELD_GET(NV_LAUNCH_TRANSFER, launch) < 3 || class_id >= 0xcab5) &&
           (GPUCMD_FIELD_GET(NV_LAUNCH_SEMAPHORE, launch) < 3 || class_id >= 0xc5b5) &&
           GPUCMD_FIELD_GET(NV_LAUNCH_INTERRUPT, launch) < 3 &&
           (GPUCMD_FIELD_GET(NV_LAUNCH_COPY_TYPE, launch) < 3 || class_id < 0xc8b5) && op != 8 &&
           op != 9 && op != 15 && (op < 13 || class_id == 0xa0b5) &&
           (op < 11 || class_id == 0xa0b5 || class_id >= 0xc7b5);
}

/* Check a source or destination for a copy class, whose addresses have
 * va_bits bits. Return the status. */
GPUCMD_SHARED gpucmd_status gpucmd_priv_nv_ce_side_status(uint32_t class_id, unsigned va_bits,
                                                          const gpucmd_nv_ce_side *side)
{
    const gpucmd_nv_ce_blocks *b = side->blocks;
    const uint32_t target = GPUCMD_FIELD_GET(NV_PHYS_TARGET, side->phys_mode);
    const uint32_t known =
        GPUCMD_FIELD_MASK(NV_PHYS_TARGET) |
        (class_id >= 0xc3b5 ? GPUCMD_FIELD_MASK(NV_PHYS_BASIC_KIND) : 0) |
        (class_id >= 0xc6b5 ? GPUCMD_FIELD_MASK(NV_PHYS_PEER_ID) | GPUCMD_FIELD_MASK(NV_PHYS_FLA)
                            : 0);
    if (side->physical && (class_id < 0xa0b5 || (side->phys_mode & ~known) != 0 ||
                           (target == 3 && class_id < 0xc6b5))) {
        return GPUCMD_UNSUPPORTED;
    }
    if (b != NULL &&
        (b->block_size >> (class_id >= 0xcab5 ? 18 : 16) != 0 ||
         (class_id >= 0xc0b5 && (GPUCMD_FIELD_GET(NV_BLOCK_GOB_HEIGHT, b->block_size) != 1 ||
                                 GPUCMD_FIELD_GET(NV_BLOCK_WIDTH, b->block_size) != 0)))) {
        return GPUCMD_UNSUPPORTED;
    }
    return gpucmd_priv_shr(side->va, va_bits) != 0 ||
                   (b != NULL && (b->x | b->y) > GPUCMD_FIELD_MAX(NV_ORIGIN_X))
               ? GPUCMD_RANGE
               : GPUCMD_OK;
}

/* LAUNCH_DECIDED: bits of LAUNCH_DMA that gpucmd_nv_ce sets by members such as `src` and `lines`.
 * They must be 0 in its member `launch`. REMAP_BITS: all bits of the data word of
 * SET_REMAP_COMPONENTS. */
#define GPUCMD_NV_PRIV_LAUNCH_DECIDED                                                              \
    (GPUCMD_FIELD_MASK(NV_LAUNCH_SRC_PITCH) | GPUCMD_FIELD_MASK(NV_LAUNCH_DST_PITCH) |             \
     GPUCMD_FIELD_MASK(NV_LAUNCH_MULTI_LINE) | GPUCMD_FIELD_MASK(NV_LAUNCH_REMAP) |                \
     GPUCMD_FIELD_MASK(NV_LAUNCH_SRC_PHYSICAL) | GPUCMD_FIELD_MASK(NV_LAUNCH_DST_PHYSICAL))
#define GPUCMD_NV_PRIV_REMAP_BITS                                                                  \
    (GPUCMD_FIELD_MASK(NV_REMAP_DST_X) | GPUCMD_FIELD_MASK(NV_REMAP_DST_Y) |                       \
     GPUCMD_FIELD_MASK(NV_REMAP_DST_Z) | GPUCMD_FIELD_MASK(NV_REMAP_DST_W) |                       \
     GPUCMD_FIELD_MASK(NV_REMAP_SIZE) | GPUCMD_FIELD_MASK(NV_REMAP_NUM_SRC) |                      \
     GPUCMD_FIELD_MASK(NV_REMAP_NUM_DST))

/* Return a mask. Bit v is set if value v (GPUCMD_NV_REMAP_*) is
 * selected for a written component. */
GPUCMD_SHARED uint32_t gpucmd_priv_nv_ce_selected(uint32_t components)
{
    uint32_t i, bits = 0;
    for (i = 0; i <= GPUCMD_FIELD_GET(NV_REMAP_NUM_DST, components); i++) {
        bits |= 1u << GPUCMD_FIELD_GET(NV_REMAP_DST_X, components >> 4 * i);
    }
    return bits;
}

/* Store a method run with n (1..6) data words at CPU address `at`: the first n words of
 * v0 to v5. Return the CPU address after the method run. */
GPUCMD_SHARED uint32_t *gpucmd_priv_nv_ce_run(uint32_t *at, uint32_t subc, uint32_t mthd,
                                              uint32_t n, uint32_t v0, uint32_t v1, uint32_t v2,
                                              uint32_t v3, uint32_t v4, uint32_t v5)
{
    GPUCMD_NV_PRIV_STORE_FEW(at, n + 1, gpucmd_priv_nv_head(GPUCMD_NV_CHIP_GF100, subc, mthd, n),
                             v0, v1, v2, v3, v4, v5);
    return at + n + 1;
}

/* Call gpucmd_priv_nv_ce_run(at, subc, mthd, n, the given words), with zeros for other words. */
#define GPUCMD_NV_PRIV_CE_RUN(...) GPUCMD_NV_PRIV_CE_RUN_6(__VA_ARGS__, 0, 0, 0, 0, 0, 0)
#define GPUCMD_NV_PRIV_CE_RUN_6(at, subc, mthd, n, v0, v1, v2, v3, v4, v5, ...)                    \
    gpucmd_priv_nv_ce_run(at, subc, mthd, n, v0, v1, v2, v3, v4, v5)

/* Store the methods of a copy that come before its addresses. Return
 * the address after these methods. */
GPUCMD_SHARED uint32_t *gpucmd_priv_nv_ce_modes(uint32_t *at, const gpucmd_nv_ce *ce,
                                                uint32_t selected, bool secure, bool fills)
{
    const bool src_physical = ce->src.physical && !fills;
    if (secure) {
        at = GPUCMD_NV_PRIV_CE_RUN(at, ce->subc, GPUCMD_NV_COPY_SET_SECURE_COPY_MODE, 1,
                                   ce->decrypt);
        at = GPUCMD_NV_PRIV_CE_RUN(
            at, ce->subc,
            ce->decrypt ? GPUCMD_NV_COPY_SET_DECRYPT_AUTH_TAG_COMPARE_ADDR_UPPER
                        : GPUCMD_NV_COPY_SET_ENCRYPT_AUTH_TAG_ADDR_UPPER,
            ce->decrypt ? 2 : 4, (uint32_t)(ce->tag_va >> 32), (uint32_t)ce->tag_va,
            (uint32_t)(ce->iv_va >> 32), (uint32_t)ce->iv_va);
    }
    if (ce->components != 0 && (selected & 1u << GPUCMD_NV_REMAP_CONST_A) != 0) {
        at = GPUCMD_NV_PRIV_CE_RUN(at, ce->subc, GPUCMD_NV_COPY_SET_REMAP_CONST_A, 3, ce->const_a,
                                   ce->const_b, ce->components);
    } else if (ce->components != 0) {
        at = GPUCMD_NV_PRIV_CE_RUN(at, ce->subc, GPUCMD_NV_COPY_SET_REMAP_CONST_B, 2, ce->const_b,
                                   ce->components);
    }
    if (src_physical || ce->dst.physical) {
        at = GPUCMD_NV_PRIV_CE_RUN(
            at, ce->subc,
            src_physical ? GPUCMD_NV_COPY_SET_SRC_PHYS_MODE : GPUCMD_NV_COPY_SET_DST_PHYS_MODE,
            src_physical && ce->dst.physical ? 2 : 1,
            src_physical ? ce->src.phys_mode : ce->dst.phys_mode, ce->dst.phys_mode);
    }
    if ((ce->launch & GPUCMD_NV_CE_SCRUB) != 0) {
        at = GPUCMD_NV_PRIV_CE_RUN(at, ce->subc, GPUCMD_NV_COPY_SET_MEMORY_SCRUB_PARAMETERS, 1,
                                   ce->scrub);
    }
    return at;
}

/* Store layouts, addresses and sizes of a copy. Return the address after these methods. */
GPUCMD_SHARED uint32_t *gpucmd_priv_nv_ce_sides(uint32_t *at, const gpucmd_nv_ce *ce, bool fills)
{
    unsigned i;
    for (i = 0; i < (fills ? 1u : 2u); i++) {
        const gpucmd_nv_ce_blocks *b = i == 0 ? ce->dst.blocks : ce->src.blocks;
        if (b != NULL) {
            at = GPUCMD_NV_PRIV_CE_RUN(
                at, ce->subc,
                i == 0 ? GPUCMD_NV_COPY_SET_DST_BLOCK_SIZE : GPUCMD_NV_COPY_SET_SRC_BLOCK_SIZE, 6,
                b->block_size, b->width, b->height, b->depth, b->layer,
                GPUCMD_FIELD_PUT(NV_ORIGIN_X, b->x) | GPUCMD_FIELD_PUT(NV_ORIGIN_Y, b->y));
        }
    }
    if (!fills) { /* one method run contains both addresses */
        at[0] = gpucmd_priv_nv_head(GPUCMD_NV_CHIP_GF100, ce->subc, GPUCMD_NV_COPY_OFFSET_IN_UPPER,
                                    ce->lines != 0 ? 8 : 4);
        at[1] = (uint32_t)(ce->src.va >> 32);
        at[2] = (uint32_t)ce->src.va;
        at += 2;
    } else {
        at[0] = gpucmd_priv_nv_head(GPUCMD_NV_CHIP_GF100, ce->subc, GPUCMD_NV_COPY_OFFSET_OUT_UPPER,
                                    ce->lines != 0 ? 6 : 2);
    }
    GPUCMD_NV_PRIV_STORE_FEW(at + 1, ce->lines != 0 ? 6 : 2, (uint32_t)(ce->dst.va >> 32),
                             (uint32_t)ce->dst.va, ce->src.pitch, ce->dst.pitch, ce->length,
                             ce->lines);
    return ce->lines != 0 ? at + 7
                          : GPUCMD_NV_PRIV_CE_RUN(at + 3, ce->subc, GPUCMD_NV_COPY_LINE_LENGTH_IN,
                                                  1, ce->length);
}

/* Check the operation for a copy class, and return the status of gpucmd_nv_emit_ce. */
GPUCMD_SHARED gpucmd_status gpucmd_priv_nv_ce_op_status(uint32_t class_id, const gpucmd_nv_ce *ce,
                                                        uint32_t selected, bool secure, bool fills)
{
    const unsigned bits = class_id >= 0xc8b5 ? 57 : class_id >= 0xc0b5 ? 49 : 40;
    const uint32_t sem = GPUCMD_FIELD_GET(NV_LAUNCH_SEMAPHORE, ce->launch);
    const bool wide = (ce->launch & GPUCMD_NV_CE_SEM_64BIT) != 0;
    const uint32_t align = sem == 2 ? 16 : wide ? 8 : 4;
    const uint64_t tags = ce->tag_va | (ce->decrypt ? 0 : ce->iv_va);
    gpucmd_status status = GPUCMD_OK;
    if (GPUCMD_FIELD_GET(NV_LAUNCH_TRANSFER, ce->launch) != 0) {
        status = gpucmd_priv_nv_ce_side_status(class_id, bits, &ce->dst);
        if (status == GPUCMD_OK && !fills) {
            status = gpucmd_priv_nv_ce_side_status(class_id, bits, &ce->src);
        }
        if (status == GPUCMD_OK && (ce->length == 0 || (selected & 1u << 7) != 0 ||
                                    (ce->components & ~GPUCMD_NV_PRIV_REMAP_BITS) != 0 ||
                                    (secure && gpucmd_priv_shr(tags, bits) != 0))) {
            status = GPUCMD_RANGE;
        }
        if (status == GPUCMD_OK && secure && tags % 16 != 0) {
            status = GPUCMD_ALIGN;
        }
    }
    if (status == GPUCMD_OK && sem != 0) {
        status = gpucmd_priv_shr(ce->sem_va, bits) != 0 || (!wide && ce->sem_payload >> 32 != 0)
                     ? GPUCMD_RANGE
                 : (ce->sem_va & (align - 1)) != 0 ? GPUCMD_ALIGN
                                                   : GPUCMD_OK;
    }
    return status;
}

/* Append one operation of the copy engine: at most GPUCMD_NV_CE_MAX_DW words; GF100 and later. The
 * methods and their order are those of NVIDIA's UVM driver. [85B5] [C8B5]
 *   GPUCMD_RANGE        subc, an address, an origin, components or the payload is too large, length
 *                       is 0, or launch has a bit that other members determine
 *   GPUCMD_ALIGN        sem_va, tag_va or iv_va is not aligned
 *   GPUCMD_UNSUPPORTED  the chip lacks class_id, or the class lacks a field or value */
GPUCMD_SHARED void gpucmd_nv_emit_ce(gpucmd_writer *w, gpucmd_nv_chip chip, const gpucmd_nv_ce *ce)
{
    const uint32_t newest =
        (unsigned)chip < (unsigned)GPUCMD_NV_CHIP_LATER ? gpucmd_nv_copy_class(chip) : 0;
    const uint32_t class_id = ce->class_id != 0 ? ce->class_id : newest;
    const bool moves = GPUCMD_FIELD_GET(NV_LAUNCH_TRANSFER, ce->launch) != 0;
    const bool scrubs = (ce->launch & GPUCMD_NV_CE_SCRUB) != 0;
    const bool secure =
        class_id >= 0xc8b5 &&
        (ce->launch & GPUCMD_FIELD_MASK(NV_LAUNCH_COPY_TYPE)) == (uint32_t)GPUCMD_NV_CE_SECURE;
    const uint32_t selected = gpucmd_priv_nv_ce_selected(ce->components);
    const bool fills = ce->components != 0 && (selected & 15) == 0;
    const uint32_t decided =
        !moves ? 0
               : GPUCMD_FIELD_PUT(NV_LAUNCH_SRC_PITCH, fills || ce->src.blocks == NULL) |
                     GPUCMD_FIELD_PUT(NV_LAUNCH_DST_PITCH, ce->dst.blocks == NULL) |
                     GPUCMD_FIELD_PUT(NV_LAUNCH_MULTI_LINE, ce->lines != 0) |
                     GPUCMD_FIELD_PUT(NV_LAUNCH_REMAP, ce->components != 0 && !scrubs) |
                     GPUCMD_FIELD_PUT(NV_LAUNCH_SRC_PHYSICAL, ce->src.physical && !fills) |
                     GPUCMD_FIELD_PUT(NV_LAUNCH_DST_PHYSICAL, ce->dst.physical);
    const uint32_t launch = ce->launch | decided;
    const bool wide = (launch & GPUCMD_NV_CE_SEM_64BIT) != 0;
    uint32_t words[GPUCMD_NV_CE_MAX_DW];
    uint32_t *at = words;
    gpucmd_status status = class_id < 0x90b5 || class_id > newest ? GPUCMD_UNSUPPORTED
                           : ce->subc > GPUCMD_FIELD_MAX(NV_HDR_SUBC) ||
                                   (ce->launch & GPUCMD_NV_PRIV_LAUNCH_DECIDED) != 0
                               ? GPUCMD_RANGE
                           : !gpucmd_priv_nv_launch_fits(class_id, ce->launch) ? GPUCMD_UNSUPPORTED
                                                                               : GPUCMD_OK;
    if (status == GPUCMD_OK) {
        status = gpucmd_priv_nv_ce_op_status(class_id, ce, selected, secure, fills);
    }
    if (status != GPUCMD_OK) {
        gpucmd_priv_writer_fail(w, status);
        return;
    }
    if (moves) {
        at = gpucmd_priv_nv_ce_modes(at, ce, selected, secure, fills);
        at = gpucmd_priv_nv_ce_sides(at, ce, fills);
    }
    if (GPUCMD_FIELD_GET(NV_LAUNCH_SEMAPHORE, launch) != 0) {
        at = GPUCMD_NV_PRIV_CE_RUN(at, ce->subc, GPUCMD_NV_COPY_SET_SEMAPHORE_A, wide ? 4 : 3,
                                   (uint32_t)(ce->sem_va >> 32), (uint32_t)ce->sem_va,
                                   (uint32_t)ce->sem_payload, (uint32_t)(ce->sem_payload >> 32));
    }
    if (ce->immediate && launch <= GPUCMD_FIELD_MAX(NV_HDR_IMMD_DATA)) {
        *at++ = GPUCMD_FIELD_PUT(NV_HDR_SEC_OP, GPUCMD_NV_PRIV_SEC_IMMD) |
                GPUCMD_FIELD_PUT(NV_HDR_IMMD_DATA, launch) |
                GPUCMD_FIELD_PUT(NV_HDR_SUBC, ce->subc) |
                GPUCMD_FIELD_PUT(NV_HDR_MTHD, GPUCMD_NV_COPY_LAUNCH_DMA / 4);
    } else {
        at = GPUCMD_NV_PRIV_CE_RUN(at, ce->subc, GPUCMD_NV_COPY_LAUNCH_DMA, 1, launch);
    }
    gpucmd_writer_emit_words(w, words, (size_t)(at - words));
}

/* A rectangle to copy: `lines` lines of line_bytes bytes. A pitch is the number of bytes from the
 * start of a line to the start of the next line. */
typedef struct gpucmd_nv_copy {
    uint64_t dst_va;
    uint64_t src_va;
    uint32_t dst_pitch;
    uint32_t src_pitch;
    uint32_t line_bytes;
    uint32_t lines; /* number of lines, at least 1 */
} gpucmd_nv_copy;

/* Memory to fill: count elements of size_bytes (1, 2, 4 or 8) bytes each. */
typedef struct gpucmd_nv_fill {
    uint64_t dst_va; /* address, multiple of size_bytes */
    uint64_t value;
    uint32_t size_bytes;
    uint32_t count; /* number of elements, at least 1 */
} gpucmd_nv_fill;

/* Check chip and subchannel for a recipe of a copy engine. GPUCMD_UNSUPPORTED: chip is before
 * GF100, because class 85B5 (GT215) uses DMA objects. GPUCMD_RANGE: subc is too large. */
GPUCMD_INLINE gpucmd_status gpucmd_priv_nv_ce_status(gpucmd_nv_chip chip, uint32_t subc)
{
    if (!GPUCMD_NV_IS_GF100(chip) || (unsigned)chip >= (unsigned)GPUCMD_NV_CHIP_LATER) {
        return GPUCMD_UNSUPPORTED;
    }
    return subc > GPUCMD_FIELD_MAX(NV_HDR_SUBC) ? GPUCMD_RANGE : GPUCMD_OK;
}

/* As gpucmd_priv_nv_bits_status, but for the addresses of the copy class, which have 40 bits, on
 * GP100 and later 49 bits, on GH100 and later 57 bits. */
GPUCMD_INLINE gpucmd_status gpucmd_priv_nv_ce_va_status(gpucmd_status status, gpucmd_nv_chip chip,
                                                        uint64_t va, uint32_t align_bytes)
{
    return gpucmd_priv_nv_bits_status(status,
                                      chip >= GPUCMD_NV_CHIP_GH100   ? 57
                                      : chip >= GPUCMD_NV_CHIP_GP100 ? 49
                                                                     : 40,
                                      va, align_bytes);
}

/* Make the copy class bound to subc copy len_bytes (at least 1) bytes: 9 words; GF100 and later.
 * The copy waits for earlier copies, and does not flush its writes; gpucmd_nv_emit_ce_sem_release
 * flushes them. GPUCMD_RANGE: subc or an address is too large, or len_bytes is 0. [85B5] */
GPUCMD_INLINE void gpucmd_nv_emit_ce_copy_linear(gpucmd_writer *w, gpucmd_nv_chip chip,
                                                 uint32_t subc, uint64_t dst_va, uint64_t src_va,
                                                 uint32_t len_bytes)
{
    gpucmd_status status = gpucmd_priv_nv_ce_status(chip, subc);
    status = gpucmd_priv_nv_ce_va_status(status, chip, dst_va | src_va, 1);
    uint32_t *at =
        gpucmd_priv_nv_recipe(w, status == GPUCMD_OK && len_bytes == 0 ? GPUCMD_RANGE : status,
                              GPUCMD_NV_CE_COPY_LINEAR_DW);
    if (at != NULL) {
        GPUCMD_NV_PRIV_STORE_FEW(
            at, 8, gpucmd_priv_nv_head(chip, subc, GPUCMD_NV_COPY_OFFSET_IN_UPPER, 4),
            (uint32_t)(src_va >> 32), (uint32_t)src_va, (uint32_t)(dst_va >> 32), (uint32_t)dst_va,
            gpucmd_priv_nv_head(chip, subc, GPUCMD_NV_COPY_LINE_LENGTH_IN, 1), len_bytes,
            gpucmd_priv_nv_head(chip, subc, GPUCMD_NV_COPY_LAUNCH_DMA, 1));
        at[8] = GPUCMD_FIELD_PUT(NV_LAUNCH_TRANSFER, 2) | GPUCMD_FIELD_PUT(NV_LAUNCH_SRC_PITCH, 1) |
                GPUCMD_FIELD_PUT(NV_LAUNCH_DST_PITCH, 1);
    }
}

/* Make the copy class bound to subc copy a rectangle and flush its writes: 10 words; GF100 and
 * later. GPUCMD_RANGE: subc or an address is too large, or the rectangle is empty. [85B5] */
GPUCMD_INLINE void gpucmd_nv_emit_ce_copy_2d(gpucmd_writer *w, gpucmd_nv_chip chip, uint32_t subc,
                                             const gpucmd_nv_copy *copy)
{
    const bool empty = copy->line_bytes == 0 || copy->lines == 0;
    gpucmd_status status = gpucmd_priv_nv_ce_status(chip, subc);
    status = gpucmd_priv_nv_ce_va_status(status, chip, copy->dst_va | copy->src_va, 1);
    uint32_t *at = gpucmd_priv_nv_recipe(w, status == GPUCMD_OK && empty ? GPUCMD_RANGE : status,
                                         GPUCMD_NV_CE_COPY_2D_DW);
    if (at != NULL) {
        GPUCMD_NV_PRIV_STORE_FEW(
            at, 8, gpucmd_priv_nv_head(chip, subc, GPUCMD_NV_COPY_OFFSET_IN_UPPER, 8),
            (uint32_t)(copy->src_va >> 32), (uint32_t)copy->src_va, (uint32_t)(copy->dst_va >> 32),
            (uint32_t)copy->dst_va, copy->src_pitch, copy->dst_pitch, copy->line_bytes);
        GPUCMD_NV_PRIV_STORE_FEW(
            at + 8, 2, copy->lines,
            GPUCMD_FIELD_PUT(NV_HDR_SEC_OP, GPUCMD_NV_PRIV_SEC_IMMD) |
                GPUCMD_FIELD_PUT(NV_HDR_SUBC, subc) |
                GPUCMD_FIELD_PUT(NV_HDR_MTHD, GPUCMD_NV_COPY_LAUNCH_DMA / 4) |
                GPUCMD_FIELD_PUT(NV_HDR_IMMD_DATA, GPUCMD_NV_CE_NON_PIPELINED |
                                                       GPUCMD_NV_CE_FLUSH_SYS |
                                                       GPUCMD_FIELD_PUT(NV_LAUNCH_SRC_PITCH, 1) |
                                                       GPUCMD_FIELD_PUT(NV_LAUNCH_DST_PITCH, 1) |
                                                       GPUCMD_FIELD_PUT(NV_LAUNCH_MULTI_LINE, 1)));
    }
}

/* Make the copy class bound to subc fill memory: GPUCMD_NV_CE_FILL_DW(fill->size_bytes) words;
 * GF100 and later. GPUCMD_RANGE: subc or dst_va is too large, size_bytes is not 1, 2, 4 or 8, count
 * is 0, or value does not fit. GPUCMD_ALIGN: dst_va is not a multiple of size_bytes. [85B5] */
GPUCMD_INLINE void gpucmd_nv_emit_ce_fill(gpucmd_writer *w, gpucmd_nv_chip chip, uint32_t subc,
                                          const gpucmd_nv_fill *fill)
{
    const uint32_t size = fill->size_bytes;
    const bool wide = size == 8;
    gpucmd_status status = gpucmd_priv_nv_ce_status(chip, subc);
    if (status == GPUCMD_OK &&
        ((size != 1 && size != 2 && size != 4 && !wide) || fill->count == 0 ||
         (!wide && gpucmd_priv_shr(fill->value, 8 * size % 64) != 0))) {
        status = GPUCMD_RANGE;
    }
    status = gpucmd_priv_nv_ce_va_status(status, chip, fill->dst_va, size);
    uint32_t *at = gpucmd_priv_nv_recipe(w, status, GPUCMD_NV_CE_FILL_DW(size));
    if (at != NULL) {
        if (wide) {
            *at++ = gpucmd_priv_nv_head(chip, subc, GPUCMD_NV_COPY_SET_REMAP_CONST_A, 3);
            *at++ = (uint32_t)fill->value;
        } else {
            *at++ = gpucmd_priv_nv_head(chip, subc, GPUCMD_NV_COPY_SET_REMAP_CONST_B, 2);
        }
        GPUCMD_NV_PRIV_STORE_FEW(
            at, 8, (uint32_t)(wide ? fill->value >> 32 : fill->value),
            GPUCMD_FIELD_PUT(NV_REMAP_SIZE, (wide ? 4 : size) - 1) |
                GPUCMD_FIELD_PUT(NV_REMAP_NUM_DST, wide) |
                GPUCMD_FIELD_PUT(NV_REMAP_DST_X,
                                 wide ? GPUCMD_NV_REMAP_CONST_A : GPUCMD_NV_REMAP_CONST_B) |
                GPUCMD_FIELD_PUT(NV_REMAP_DST_Y, wide ? GPUCMD_NV_REMAP_CONST_B : 0),
            gpucmd_priv_nv_head(chip, subc, GPUCMD_NV_COPY_OFFSET_OUT_UPPER, 2),
            (uint32_t)(fill->dst_va >> 32), (uint32_t)fill->dst_va,
            gpucmd_priv_nv_head(chip, subc, GPUCMD_NV_COPY_LINE_LENGTH_IN, 1), fill->count,
            gpucmd_priv_nv_head(chip, subc, GPUCMD_NV_COPY_LAUNCH_DMA, 1));
        at[8] = GPUCMD_FIELD_PUT(NV_LAUNCH_TRANSFER, 2) | GPUCMD_FIELD_PUT(NV_LAUNCH_SRC_PITCH, 1) |
                GPUCMD_FIELD_PUT(NV_LAUNCH_DST_PITCH, 1) | GPUCMD_FIELD_PUT(NV_LAUNCH_REMAP, 1);
    }
}

/* Make the copy class bound to subc flush the writes of its earlier copies, and then write
 * payload to va: 6 words; GF100 and later.
 *   va     4-byte aligned; with TIMESTAMP 16-byte aligned
 *   flags  0 or GPUCMD_NV_SEM_TIMESTAMP: the time is also written, to va + 8
 * GPUCMD_RANGE: subc or va is too large. GPUCMD_ALIGN: va is not aligned. GPUCMD_UNSUPPORTED: chip
 * is before GF100, or flags has another bit. [85B5] */
GPUCMD_INLINE void gpucmd_nv_emit_ce_sem_release(gpucmd_writer *w, gpucmd_nv_chip chip,
                                                 uint32_t subc, uint64_t va, uint32_t payload,
                                                 uint32_t flags)
{
    const bool timed = (flags & GPUCMD_NV_SEM_TIMESTAMP) != 0;
    gpucmd_status status = gpucmd_priv_nv_ce_status(chip, subc);
    if (status == GPUCMD_OK && (flags & ~(uint32_t)GPUCMD_NV_SEM_TIMESTAMP) != 0) {
        status = GPUCMD_UNSUPPORTED;
    }
    status = gpucmd_priv_nv_ce_va_status(status, chip, va, timed ? 16 : 4);
    GPUCMD_NV_PRIV_STORE_FEW(gpucmd_priv_nv_recipe(w, status, GPUCMD_NV_CE_SEM_RELEASE_DW), 6,
                             gpucmd_priv_nv_head(chip, subc, GPUCMD_NV_COPY_SET_SEMAPHORE_A, 3),
                             (uint32_t)(va >> 32), (uint32_t)va, payload,
                             gpucmd_priv_nv_head(chip, subc, GPUCMD_NV_COPY_LAUNCH_DMA, 1),
                             GPUCMD_FIELD_PUT(NV_LAUNCH_FLUSH, 1) |
                                 GPUCMD_FIELD_PUT(NV_LAUNCH_SEMAPHORE, timed ? 2 : 1));
}

/* Make the M2MF class of the chip (0039, 5039, 9039), bound to subc, copy a rectangle:
 * GPUCMD_NV_M2MF_COPY_DW(chip) words; NV4 until GK104. Before GF100 addresses are offsets
 * in the DMA objects that M2MF_DMA_BUFFER_* set; before G80 addresses are below 2^32.
 * Pitches are below 2^31. GPUCMD_RANGE: subc, an address or a pitch is too large, or the
 * rectangle is empty. [0039] [5039] [9039] */
GPUCMD_INLINE void gpucmd_nv_emit_m2mf_copy(gpucmd_writer *w, gpucmd_nv_chip chip, uint32_t subc,
                                            const gpucmd_nv_copy *copy)
{
    const bool g80 = chip >= GPUCMD_NV_CHIP_G80;
    const bool gf100 = GPUCMD_NV_IS_GF100(chip);
    const uint32_t in = (uint32_t)copy->src_va;
    const uint32_t out = (uint32_t)copy->dst_va;
    const uint32_t in_hi = (uint32_t)(copy->src_va >> 32);
    const uint32_t out_hi = (uint32_t)(copy->dst_va >> 32);
    gpucmd_status status = GPUCMD_OK;
    if (chip < GPUCMD_NV_CHIP_NV4 || chip >= GPUCMD_NV_CHIP_GK104) {
        status = GPUCMD_UNSUPPORTED;
    } else if (subc > GPUCMD_FIELD_MAX(NV_HDR_SUBC) || copy->line_bytes == 0 || copy->lines == 0 ||
               (copy->src_pitch | copy->dst_pitch) >> 31 != 0 || (!g80 && (in_hi | out_hi) != 0)) {
        status = GPUCMD_RANGE;
    }
    status = gpucmd_priv_nv_va_status(status, chip, copy->dst_va | copy->src_va, 1);
    uint32_t *at = gpucmd_priv_nv_recipe(w, status, GPUCMD_NV_M2MF_COPY_DW(chip));
    if (at == NULL) {
        return;
    }
    if (g80 && !gf100) {
        GPUCMD_NV_PRIV_STORE_FEW(at, 4,
                                 gpucmd_priv_nv_head(chip, subc, GPUCMD_NV_M2MF_SRC_LAYOUT, 1), 1,
                                 gpucmd_priv_nv_head(chip, subc, GPUCMD_NV_M2MF_DST_LAYOUT, 1), 1);
        at += 4;
    }
    if (g80) {
        GPUCMD_NV_PRIV_STORE_FEW(
            at, 3, gpucmd_priv_nv_head(chip, subc, GPUCMD_NV_M2MF_OFFSET_OUT_UPPER, 2),
            gf100 ? out_hi : in_hi, gf100 ? out : out_hi);
        at += 3;
    }
    GPUCMD_NV_PRIV_STORE_FEW(
        at, 7, gpucmd_priv_nv_head(chip, subc, GPUCMD_NV_M2MF_OFFSET_IN_UPPER, gf100 ? 6 : 8),
        gf100 ? in_hi : in, gf100 ? in : out, copy->src_pitch, copy->dst_pitch, copy->line_bytes,
        copy->lines);
    at[7] = gf100
                ? gpucmd_priv_nv_head(chip, subc, GPUCMD_NV_M2MF_LAUNCH_DMA, 1)
                : GPUCMD_FIELD_PUT(NV_M2MF_FORMAT_IN, 1) | GPUCMD_FIELD_PUT(NV_M2MF_FORMAT_OUT, 1);
    at[8] = gf100
                ? GPUCMD_FIELD_PUT(NV_M2MF_SRC_PITCH, 1) | GPUCMD_FIELD_PUT(NV_M2MF_DST_PITCH, 1) |
                      GPUCMD_FIELD_PUT(NV_M2MF_STRUCT_SIZE, 1)
                : 0;
}

/* Make the GPU write len_dw words from the stream to dst_va:
 * GPUCMD_NV_INLINE_UPLOAD_DW(chip, len_dw) words; GF100 and later.
 *   subc    subchannel 0..7 with a bound object: before GK104 of class 9039, on GK104
 *           and later of an inline or compute class
 *   dst_va  4-byte aligned
 *   data    len_dw words, read before the call returns
 *   len_dw  1..8190
 * GPUCMD_RANGE: subc or dst_va is too large, or len_dw is outside 1..8190.
 * GPUCMD_ALIGN: dst_va is not a multiple of 4. [9039] [A140] */
GPUCMD_INLINE void gpucmd_nv_emit_inline_upload(gpucmd_writer *w, gpucmd_nv_chip chip,
                                                uint32_t subc, uint64_t dst_va,
                                                const uint32_t *data, uint32_t len_dw)
{
    const bool kepler = chip >= GPUCMD_NV_CHIP_GK104;
    const uint32_t lo = (uint32_t)dst_va;
    const uint32_t hi = (uint32_t)(dst_va >> 32);
    gpucmd_status status = gpucmd_priv_nv_ce_status(chip, subc);
    if (status == GPUCMD_OK && (len_dw == 0 || len_dw >= GPUCMD_FIELD_MAX(NV_HDR_COUNT))) {
        status = GPUCMD_RANGE;
    }
    status = gpucmd_priv_nv_va_status(status, chip, dst_va, 4);
    uint32_t *at = gpucmd_priv_nv_recipe(w, status, GPUCMD_NV_INLINE_UPLOAD_DW(chip, len_dw));
    if (at == NULL) {
        return;
    }
    if (kepler) {
        GPUCMD_NV_PRIV_STORE_FEW(
            at, 7, gpucmd_priv_nv_head(chip, subc, GPUCMD_NV_INLINE_LINE_LENGTH_IN, 4), 4 * len_dw,
            1, hi, lo,
            GPUCMD_FIELD_PUT(NV_HDR_SEC_OP, GPUCMD_NV_PRIV_SEC_ONE_INC) |
                GPUCMD_FIELD_PUT(NV_HDR_COUNT, len_dw + 1) | GPUCMD_FIELD_PUT(NV_HDR_SUBC, subc) |
                GPUCMD_FIELD_PUT(NV_HDR_MTHD, GPUCMD_NV_INLINE_LAUNCH_DMA / 4),
            GPUCMD_FIELD_PUT(NV_INLINE_DST_PITCH, 1) | GPUCMD_FIELD_PUT(NV_INLINE_STRUCT_SIZE, 1));
    } else {
        GPUCMD_NV_PRIV_STORE_FEW(
            at, 8, gpucmd_priv_nv_head(chip, subc, GPUCMD_NV_M2MF_OFFSET_OUT_UPPER, 2), hi, lo,
            gpucmd_priv_nv_head(chip, subc, GPUCMD_NV_M2MF_LINE_LENGTH_IN, 2), 4 * len_dw, 1,
            gpucmd_priv_nv_head(chip, subc, GPUCMD_NV_M2MF_LAUNCH_DMA, 1),
            GPUCMD_FIELD_PUT(NV_M2MF_SRC_INLINE, 1) | GPUCMD_FIELD_PUT(NV_M2MF_SRC_PITCH, 1) |
                GPUCMD_FIELD_PUT(NV_M2MF_DST_PITCH, 1) | GPUCMD_FIELD_PUT(NV_M2MF_STRUCT_SIZE, 1));
        at[8] = GPUCMD_FIELD_PUT(NV_HDR_SEC_OP, GPUCMD_NV_PRIV_SEC_NON_INC) |
                GPUCMD_FIELD_PUT(NV_HDR_COUNT, len_dw) | GPUCMD_FIELD_PUT(NV_HDR_SUBC, subc) |
                GPUCMD_FIELD_PUT(NV_HDR_MTHD, GPUCMD_NV_M2MF_LOAD_INLINE_DATA / 4);
    }
    gpucmd_priv_copy(at + (kepler ? 7 : 9), data, (size_t)len_dw * 4);
}
#undef GPUCMD_NV_PRIV_CE_RUN
#undef GPUCMD_NV_PRIV_CE_RUN_6
#undef GPUCMD_NV_PRIV_STORE_FEW
#undef GPUCMD_NV_PRIV_STORE_8

/* ==== [NV.KERNEL] ========================================================================== */

#define GPUCMD_NV_PRIV_BITS(name, hi, lo, unit, meaning, src)                                      \
    GPUCMD_##name##_HI = hi, GPUCMD_##name##_LO = lo,
enum { GPUCMD_NVGPU_TOKEN_FIELDS(GPUCMD_NV_PRIV_BITS) };
#undef GPUCMD_NV_PRIV_BITS

/* Bit numbers of nvgpu_gpu_characteristics.flags, as constants GPUCMD_NVGPU_FLAG_TSG, ... */
#define GPUCMD_NV_PRIV_FLAG(name, bit, ga10b, meaning) GPUCMD_NVGPU_FLAG_##name = bit,
enum { GPUCMD_NVGPU_FLAGS(GPUCMD_NV_PRIV_FLAG) };
#undef GPUCMD_NV_PRIV_FLAG

/* Flags of the features that gpucmd_nvgpu_open needs: time-slice groups, subcontexts, and a
 * doorbell in user space. If a flag is missing, gpucmd_nvgpu_open returns GPUCMD_UNSUPPORTED. */
#define GPUCMD_NVGPU_FLAGS_NEEDED                                                                  \
    ((uint64_t)1 << GPUCMD_NVGPU_FLAG_TSG | (uint64_t)1 << GPUCMD_NVGPU_FLAG_TSG_SUBCONTEXTS |     \
     (uint64_t)1 << GPUCMD_NVGPU_FLAG_USERMODE_SUBMIT)

typedef enum gpucmd_nvgpu_class_kind {
    GPUCMD_NVGPU_CLASS_INVALID,
    GPUCMD_NVGPU_CLASS_COMPUTE,
    GPUCMD_NVGPU_CLASS_COPY,
    GPUCMD_NVGPU_CLASS_CHANNEL,
    GPUCMD_NVGPU_CLASS_GRAPHICS,
    GPUCMD_NVGPU_CLASS_OTHER,
} gpucmd_nvgpu_class_kind;

#define GPUCMD_NV_PRIV_STEP(name, text) GPUCMD_NVGPU_STEP_##name,
typedef enum gpucmd_nvgpu_step { GPUCMD_NVGPU_STEPS(GPUCMD_NV_PRIV_STEP) } gpucmd_nvgpu_step;
#undef GPUCMD_NV_PRIV_STEP

/* Constants for gpucmd_nvgpu_rm: class numbers (GPUCMD_NVGPU_RM_NV01_DEVICE_0, ...), indices of
 * GR_GET_INFO (GPUCMD_NVGPU_GR_INFO_*), and byte offsets of parameters (GPUCMD_NVGPU_RM_OFF_*).
 * Control numbers have no constants, because an enum constant of C99 must fit an int. */
#define GPUCMD_NV_PRIV_RM(name, number, action) GPUCMD_NVGPU_RM_##name = number,
enum { GPUCMD_NVGPU_RM_CLASSES(GPUCMD_NV_PRIV_RM) };
#undef GPUCMD_NV_PRIV_RM
#define GPUCMD_NV_PRIV_INFO(name, idx, value) GPUCMD_NVGPU_GR_INFO_##name = idx,
enum { GPUCMD_NVGPU_GR_INFOS(GPUCMD_NV_PRIV_INFO) };
#undef GPUCMD_NV_PRIV_INFO
#define GPUCMD_NV_PRIV_PARAM(name, off) GPUCMD_NVGPU_RM_OFF_##name = off,
enum { GPUCMD_NVGPU_RM_PARAMS(GPUCMD_NV_PRIV_PARAM) };
#undef GPUCMD_NV_PRIV_PARAM

/* Values for the ioctl ALLOC of nvmap. HEAP_* are bits of member heap_mask. All other values are
 * for member flags: the cache mode in bits 1:0, the tag in bits 31:16. The kernel logs a warning if
 * the tag is 0; use TAG_DEFAULT. [NVGPUK] */
enum {
    GPUCMD_NVMAP_HEAP_GENERIC = 1,
    GPUCMD_NVMAP_HEAP_IVM = 1 << 1,
    GPUCMD_NVMAP_HEAP_FSI = 1 << 2,
    GPUCMD_NVMAP_HEAP_CARVEOUT_GPU = 1 << 3,
    GPUCMD_NVMAP_HEAP_VIDMEM = 1 << 26,
    GPUCMD_NVMAP_HEAP_TSEC = 1 << 27,
    GPUCMD_NVMAP_HEAP_VPR = 1 << 28,
    GPUCMD_NVMAP_HEAP_IOVMM = 1 << 30, /* system pages, the heap for most buffers */
    GPUCMD_NVMAP_UNCACHEABLE = 0,
    GPUCMD_NVMAP_WRITE_COMBINE = 1,   /* for ring and USERD: writes merge, reads are slow */
    GPUCMD_NVMAP_INNER_CACHEABLE = 2, /* for data buffers: cached, coherent with the GPU */
    GPUCMD_NVMAP_CACHEABLE = 3,
    GPUCMD_NVMAP_CACHE_MASK = 3,
    GPUCMD_NVMAP_TAG_LO = 16,
    GPUCMD_NVMAP_TAG_DEFAULT = 0x0900,
};

/* Flags and other values of ioctl arguments, and limits. [NVGPU] */
enum {
    GPUCMD_NVGPU_AS_UNIFIED_VA = 2, /* flag of ALLOC_AS */
    GPUCMD_NVGPU_AS_ALLOC_SPACE_FIXED_OFFSET = 1,
    GPUCMD_NVGPU_AS_ALLOC_SPACE_SPARSE = 2,
    GPUCMD_NVGPU_MAP_FIXED_OFFSET = 1, /* MAP_*: flags of MAP_BUFFER_EX */
    GPUCMD_NVGPU_MAP_CACHEABLE = 1 << 2,
    GPUCMD_NVGPU_MAP_UNMAPPED_PTE = 1 << 5,
    GPUCMD_NVGPU_MAP_OLD = 1 << 6, /* the kernel accepts and ignores this flag */
    GPUCMD_NVGPU_MAP_L3_ALLOC = 1 << 7,
    GPUCMD_NVGPU_MAP_SYSTEM_COHERENT = 1 << 9,
    GPUCMD_NVGPU_MAP_ACCESS_READ = 1 << 10,
    GPUCMD_NVGPU_MAP_ACCESS_WRITE = 2 << 10,
    GPUCMD_NVGPU_MAP_ACCESS_MASK = 3 << 10,
    GPUCMD_NVGPU_MAP_TEGRA_RAW = 1 << 12,
    GPUCMD_NVGPU_TSG_SHARE = 1, /* flag of OPEN_TSG */
    GPUCMD_NVGPU_SUBCONTEXT_SYNC = 0,
    GPUCMD_NVGPU_SUBCONTEXT_ASYNC = 1,
    GPUCMD_NVGPU_WDT_DISABLE = 1,
    GPUCMD_NVGPU_WDT_ENABLE = 2,
    GPUCMD_NVGPU_SETUP_VPR = 1, /* SETUP_*: flags of SETUP_BIND */
    GPUCMD_NVGPU_SETUP_DETERMINISTIC = 2,
    GPUCMD_NVGPU_SETUP_REPLAYABLE_FAULTS = 4,
    GPUCMD_NVGPU_SETUP_USERMODE = 8,
    GPUCMD_NVGPU_SETUP_GPU_MAP_RESOURCES = 16,
    GPUCMD_NVGPU_L2_FLUSH = 1, /* L2_*, FB_*: bits of member flush of FLUSH_L2 */
    GPUCMD_NVGPU_L2_INVALIDATE = 2,
    GPUCMD_NVGPU_FB_FLUSH = 4,
    GPUCMD_NVGPU_PAGE_BYTES = 4096, /* GPU page; CPU pages may be larger */
    GPUCMD_NVGPU_MAX_SUBCONTEXTS = 64,
    GPUCMD_NVGPU_MAX_CHANNELS = 512,
    GPUCMD_NVGPU_MAX_TSG_CHANNELS = 128,
    GPUCMD_NVGPU_USERMODE_BYTES = GPUCMD_NV_USERMODE_BYTES,
    GPUCMD_NVGPU_TIMESLICE_US = 1024, /* default time slice of a group, in microseconds */
    GPUCMD_NVGPU_TIMESLICE_MIN_US = 1000,
    GPUCMD_NVGPU_TIMESLICE_MAX_US = 50000,
};

/* Default layout of the address space. The addresses from VA_START to VA_END belong to the process,
 * the 4 GiB after VA_END to the kernel. All these addresses must be below 2^40, because addresses
 * in IB entries, semaphores and the ring base have 40 bits. VA_END is the highest valid end: with
 * 2^40 - 2 MiB and a ring of 3 MiB, ALLOC_OBJ_CTX crashes. Shaders access local and shared memory
 * through the windows LOCAL and SHARED, which must not contain a buffer. [NVGPUK] [TEGRAIF] */
#define GPUCMD_NVGPU_VA_START         ((uint64_t)0x200000)
#define GPUCMD_NVGPU_VA_END           ((uint64_t)0xff00000000)
#define GPUCMD_NVGPU_VA_ALIGN         ((uint64_t)0x200000)
#define GPUCMD_NVGPU_KERNEL_VA_BYTES  ((uint64_t)1 << 32)
#define GPUCMD_NVGPU_VA_LIMIT         ((uint64_t)1 << 40)
#define GPUCMD_NVGPU_LOCAL_WINDOW_VA  ((uint64_t)0xfd00000000)
#define GPUCMD_NVGPU_SHARED_WINDOW_VA ((uint64_t)0xfe00000000)
#define GPUCMD_NVGPU_WINDOW_BYTES     ((uint64_t)1 << 30)

GPUCMD_LAYOUT_STRUCTS(GPUCMD_NVGPU_CHARACTERISTICS)

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Return a text with static storage, or "?" if the argument has no row:
 *   _ioctl_name  name of an ioctl number: "NVGPU_AS_IOCTL_MAP_BUFFER_EX"
 *   _step_name   name of a request to the kernel: "ALLOC_AS"
 *   _step_text   description of a request to the kernel: "create the address space" */
GPUCMD_PRIV_API const char *gpucmd_nvgpu_ioctl_name(uint32_t number);
GPUCMD_PRIV_API const char *gpucmd_nvgpu_step_name(gpucmd_nvgpu_step step);
GPUCMD_PRIV_API const char *gpucmd_nvgpu_step_text(gpucmd_nvgpu_step step);
#endif

/* ---- calls, in the order of a start-up ---- */

/* A Tegra GPU, opened with the caller's system calls. The caller may write only the five members
 * whose comment allows it. A function that fails undoes its own effects. After GPUCMD_FAULT, member
 * step is the request that failed, and member error is the Linux errno of this request (positive).
 * After any other failure of a function with a parameter g, member error is 0. */
typedef struct gpucmd_nvgpu {
    const gpucmd_sys_ops *sys; /* sys_read and sys_write may be NULL if boost is not used */
    gpucmd_nvgpu_step step;    /* request that failed last */
    int error;                 /* errno of the last failure, or 0 */
    int nvmap_fd;              /* descriptor of /dev/nvmap; -1: not open */
    int ctrl_fd;               /* descriptor of the control node; -1: not open */
    int as_fd;                 /* descriptor of the address space; -1: not open */
    int tsg_fd;                /* descriptor of the time-slice group (TSG); -1: not open */
    bool has_subcontext;       /* the caller created a subcontext and did not delete it */
    bool subcontext_gone;      /* the kernel deleted the subcontext; channel_open creates another */
    uint32_t veid;             /* number of the subcontext */
    uint32_t channels;         /* number of channels in the group */
    void *usermode;            /* doorbell page; NULL: not mapped */
    /* The caller may write the next five members before gpucmd_nvgpu_alloc_as. */
    uint64_t first_va;     /* start of the process's part of the address space */
    uint64_t end_va;       /* end of the process's part of the address space */
    uint64_t local_va;     /* first address of the shader window for local memory */
    uint64_t shared_va;    /* first address of the shader window for shared memory */
    uint64_t window_bytes; /* size of each shader window */
    struct gpucmd_nvgpu_gpu_characteristics gpu;
} gpucmd_nvgpu;

/* Parameters of gpucmd_nvgpu_buffer_alloc. */
typedef struct gpucmd_nvgpu_buffer_req {
    uint64_t bytes;     /* size of the buffer, 1..2^40 */
    uint32_t cache;     /* GPUCMD_NVMAP_WRITE_COMBINE, _INNER_CACHEABLE, ... */
    uint32_t heap_mask; /* GPUCMD_NVMAP_HEAP_* */
    uint32_t tag;       /* 0..0xffff, which the kernel prints in its log */
    uint32_t align;     /* power of two >= 4096; the size is rounded up to a multiple of align */
    uint32_t map_flags; /* GPUCMD_NVGPU_MAP_* */
    uint64_t fixed_va;  /* if map_flags has MAP_FIXED_OFFSET: GPU address, inside a reservation */
    bool map_gpu;       /* map the buffer for the GPU */
    bool map_cpu;       /* map the buffer for the CPU */
} gpucmd_nvgpu_buffer_req;

typedef struct gpucmd_nvgpu_buffer {
    uint32_t handle;      /* nvmap handle; 0: no buffer */
    int fd;               /* descriptor of the dma-buf; -1: no descriptor */
    uint64_t va;          /* GPU address; 0: not mapped for the GPU */
    void *cpu;            /* CPU address, equal to va where possible; NULL: not mapped */
    uint64_t asked_bytes; /* size in the request, in bytes */
    uint64_t bytes;       /* size of the buffer: asked_bytes rounded up to a multiple of align */
    uint32_t flags;       /* value of member flags in the ioctl ALLOC */
} gpucmd_nvgpu_buffer;

/* Parameters of gpucmd_nvgpu_channel_open. If area is not NULL, the pages of ring and USERD replace
 * pages in the CPU mapping of area, where some programs expect ring and USERD. */
typedef struct gpucmd_nvgpu_channel_req {
    uint32_t entries;                /* IB entries of the ring: power of two, 2..2^28 */
    const gpucmd_nvgpu_buffer *area; /* buffer with a CPU address; may be NULL */
    uint64_t ring_off_bytes;         /* offset of the ring in area, multiple of 4096 */
    uint64_t userd_off_bytes;        /* offset of USERD in area, multiple of 4096 */
} gpucmd_nvgpu_channel_req;

typedef struct gpucmd_nvgpu_channel {
    int fd;           /* descriptor of the channel; -1: not open */
    bool bound;       /* the channel is in the group */
    uint32_t entries; /* number of IB entries of the ring */
    uint32_t token;   /* value for the doorbell */
    gpucmd_nvgpu_buffer ring;
    gpucmd_nvgpu_buffer userd;
    void *ring_cpu;                  /* CPU address of the ring, in buffer ring or area */
    void *userd_cpu;                 /* CPU address of USERD, in buffer userd or area */
    const gpucmd_nvgpu_buffer *area; /* buffer of the request; may be NULL */
} gpucmd_nvgpu_channel;

/* A row of gpucmd_nvgpu_rm.objects: an object that has a handle. */
typedef struct gpucmd_nvgpu_rm_object {
    uint32_t handle;                   /* handle of the object; 0: the row is free */
    uint32_t parent;                   /* handle of the parent; 0: no parent */
    uint32_t number;                   /* number of the class */
    uint32_t action;                   /* internal: action of the class (GPUCMD_NVGPU_RM_CLASSES) */
    const gpucmd_nvgpu_buffer *buffer; /* buffer that the handle names; NULL: no buffer */
    gpucmd_nvgpu_channel channel;      /* if the class is a channel: the channel */
} gpucmd_nvgpu_rm_object;

/* Callback: gpucmd_nvgpu_rm_alloc calls it with a class number without a row in
 * GPUCMD_NVGPU_RM_CLASSES (is_control is false), gpucmd_nvgpu_rm_control with a control number
 * without a row in GPUCMD_NVGPU_RM_CONTROLS (is_control is true). */
typedef void (*gpucmd_nvgpu_warn_fn)(void *user, bool is_control, uint32_t number);

/* Translates three calls of the desktop driver to calls of nvgpu: alloc(parent, class, parameters),
 * control(object, command, parameters) and free(handle). */
typedef struct gpucmd_nvgpu_rm {
    gpucmd_nvgpu *g;
    gpucmd_nvgpu_rm_object *objects; /* array owned by the caller */
    uint32_t cap;                    /* number of elements of objects */
    uint32_t next_handle;
    gpucmd_nvgpu_warn_fn warn; /* may be NULL */
    void *warn_user;
    char min_freq[24];       /* text of devfreq's min_freq before the boost */
    uint32_t min_freq_bytes; /* length of min_freq in bytes; 0: there is no boost to undo */
} gpucmd_nvgpu_rm;

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Open /dev/nvmap and the control node, and read the characteristics of the GPU. All later calls
 * with g use sys, which must stay valid until gpucmd_nvgpu_close.
 *   GPUCMD_UNSUPPORTED  L4T is older than 36, or the GPU lacks time-slice groups, subcontexts or a
 *                       doorbell in user space
 *   GPUCMD_FAULT        the kernel rejects a call */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_nvgpu_open(gpucmd_nvgpu *g, const gpucmd_sys_ops *sys);
/* Create the address space, and reserve both shader windows, so that no buffer is mapped there.
 *   GPUCMD_ORDER  g already has an address space
 *   GPUCMD_ALIGN  first_va or end_va is not a multiple of 2 MiB, or local_va, shared_va or
 *                 window_bytes is not a multiple of 4096
 *   GPUCMD_RANGE  first_va or window_bytes is 0, end_va + 4 GiB is above 2^40, or a window is
 *                 outside first_va..end_va or overlaps the other window
 *   GPUCMD_FAULT  the kernel rejects a call */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_nvgpu_alloc_as(gpucmd_nvgpu *g);
/* Map the doorbell page. The caller must not access the page before a channel is open.
 * GPUCMD_ORDER: the page is already mapped. GPUCMD_FAULT: the kernel rejects the call. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_nvgpu_map_usermode(gpucmd_nvgpu *g);
/* Create the time-slice group. GPUCMD_ORDER: g already has a group. GPUCMD_FAULT: the kernel
 * rejects the call. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_nvgpu_open_tsg(gpucmd_nvgpu *g);
/* Create the asynchronous subcontext of the group. The kernel deletes the subcontext with its last
 * channel; gpucmd_nvgpu_channel_open then creates another subcontext. GPUCMD_ORDER: g already has a
 * subcontext, or lacks address space or group. GPUCMD_FAULT: the kernel rejects the call. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_nvgpu_create_subcontext(gpucmd_nvgpu *g);
/* Call gpucmd_nvgpu_open, _alloc_as, _map_usermode, _open_tsg and _create_subcontext. If one of
 * these calls fails, close everything and return its status. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_nvgpu_start(gpucmd_nvgpu *g, const gpucmd_sys_ops *sys);
/* Close doorbell page, group, address space, /dev/nvmap and the control node. The caller must have
 * closed all channels and freed all buffers. */
GPUCMD_PRIV_API void gpucmd_nvgpu_close(gpucmd_nvgpu *g);

/* Fill req for a buffer in heap IOVMM, mapped for GPU and CPU, 4096-byte aligned.
 *   bytes   size of the buffer
 *   device  true: cache mode INNER_CACHEABLE, and a buffer of 8 MiB or more is 2 MiB aligned;
 *           false: cache mode WRITE_COMBINE */
GPUCMD_PRIV_API void gpucmd_nvgpu_buffer_req_init(gpucmd_nvgpu_buffer_req *req, uint64_t bytes,
                                                  bool device);
/* Allocate and map a buffer with the calls CREATE, ALLOC, GET_FD, MAP_BUFFER_EX and mmap. The CPU
 * address equals the GPU address if the CPU can map it there. On failure *buffer is unchanged.
 *   GPUCMD_RANGE  a value of req is out of range, the GPU address is outside first_va..end_va or in
 *                 a shader window, or the size exceeds a size_t of the CPU
 *   GPUCMD_ALIGN  req->align is below 4096 or not a power of two
 *   GPUCMD_ORDER  req->map_gpu is set, but g has no address space
 *   GPUCMD_FAULT  the kernel rejects a call */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_nvgpu_buffer_alloc(gpucmd_nvgpu *g,
                                                          const gpucmd_nvgpu_buffer_req *req,
                                                          gpucmd_nvgpu_buffer *buffer);
/* Unmap and free a buffer with the calls UNMAP_BUFFER, munmap, close and FREE, and ignore their
 * results. The GPU must no longer use the buffer. */
GPUCMD_PRIV_API void gpucmd_nvgpu_buffer_free(gpucmd_nvgpu *g, gpucmd_nvgpu_buffer *buffer);

/* Fill req for a ring of 1024 IB entries, with NULL as area. */
GPUCMD_PRIV_API void gpucmd_nvgpu_channel_req_init(gpucmd_nvgpu_channel_req *req);
/* Open a channel with the calls OPEN_CHANNEL, AS BIND_CHANNEL, TSG BIND_CHANNEL_EX, WDT and
 * SETUP_BIND. Ring and USERD are separate buffers, because the kernel maps whole buffers. On
 * failure *channel is unchanged. If g->step is then OVERLAY_RING or OVERLAY_USERD, free the
 * area, because it may lack pages.
 *   GPUCMD_ORDER  g lacks address space, group or subcontext
 *   GPUCMD_RANGE  entries is invalid, the area has no CPU address or no descriptor, or ring and
 *                 USERD overlap or pass the end of the area
 *   GPUCMD_ALIGN  an offset is not a multiple of 4096
 *   GPUCMD_FAULT  the kernel rejects a call */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_nvgpu_channel_open(gpucmd_nvgpu *g,
                                                          const gpucmd_nvgpu_channel_req *req,
                                                          gpucmd_nvgpu_channel *channel);
/* Create an object of class class_num on the channel (ALLOC_OBJ_CTX). class_num is for example
 * g->gpu.compute_class or g->gpu.dma_copy_class. GPUCMD_FAULT: the kernel rejects the call. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_nvgpu_channel_alloc_obj(gpucmd_nvgpu *g,
                                                               gpucmd_nvgpu_channel *channel,
                                                               uint32_t class_num);
/* Close the channel and free ring and USERD. If channel->area is not NULL, ring and USERD were
 * mapped over pages of this buffer: map the buffer's own pages there again. The caller must not
 * free the buffer before this call. */
GPUCMD_PRIV_API void gpucmd_nvgpu_channel_close(gpucmd_nvgpu *g, gpucmd_nvgpu_channel *channel);
/* Delete the subcontext. Do nothing if there is none or the group has channels. */
GPUCMD_PRIV_API void gpucmd_nvgpu_delete_subcontext(gpucmd_nvgpu *g);

/* gpucmd_nvgpu_boost raises the minimum clock of the GPU to the maximum clock, for all processes:
 * it writes the text of devfreq's max_freq to min_freq. It stores the old text of min_freq to saved
 * (24 bytes) and the length of this text to *saved_bytes; on failure both are unchanged.
 * gpucmd_nvgpu_unboost writes the text saved back to min_freq.
 *   GPUCMD_FAULT        the kernel rejects a call; EACCES: the process may not write min_freq
 *   GPUCMD_UNSUPPORTED  sys has no sys_write, or boost was called and sys has no sys_read
 *   GPUCMD_ORDER        unboost was called and saved_bytes is 0 or above 24 */
GPUCMD_PRIV_API gpucmd_status gpucmd_nvgpu_boost(gpucmd_nvgpu *g, char *saved,
                                                 uint32_t *saved_bytes);
GPUCMD_PRIV_API gpucmd_status gpucmd_nvgpu_unboost(gpucmd_nvgpu *g, const char *saved,
                                                   uint32_t saved_bytes);

/* Set up rm without objects. objects is an array of cap elements. g must be open
 * (gpucmd_nvgpu_open). g and objects must stay valid as long as rm is used. */
GPUCMD_PRIV_API void gpucmd_nvgpu_rm_init(gpucmd_nvgpu_rm *rm, gpucmd_nvgpu *g,
                                          gpucmd_nvgpu_rm_object *objects, uint32_t cap);
/* Create a handle for a buffer, which a channel can then use as its area. buffer must
 * stay valid as long as the handle exists. GPUCMD_FULL: objects is full. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_nvgpu_rm_add_buffer(gpucmd_nvgpu_rm *rm,
                                                           const gpucmd_nvgpu_buffer *buffer,
                                                           uint32_t *handle);
/* Create an object of the class `number` and write its handle to *handle. params is the desktop
 * driver's structure in CPU byte order; only channels read it. parent is a handle; 0: no parent. If
 * GPUCMD_NVGPU_RM_CLASSES has no row for the class, call rm->warn and create an object without
 * system calls. On failure *handle is unchanged.
 *   GPUCMD_ORDER        parent or the channel's buffer is unknown; a compute or copy object has no
 *                       channel as parent; or the function called for the class returns it
 *   GPUCMD_UNSUPPORTED  Tegra lacks the class or the engine type
 *   GPUCMD_RANGE        params of a channel is NULL, too short or has an invalid value
 *   GPUCMD_ALIGN        params of a channel has an offset that is not a multiple of 4096
 *   GPUCMD_FULL         objects is full
 *   GPUCMD_FAULT        the kernel rejects a call
 * For the class of an address space, also the statuses of gpucmd_nvgpu_alloc_as are returned. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_nvgpu_rm_alloc(gpucmd_nvgpu_rm *rm, uint32_t parent,
                                                      uint32_t number, const void *params,
                                                      size_t params_bytes, uint32_t *handle);
/* Perform the control command of an object and write its results to params. If
 * GPUCMD_NVGPU_RM_CONTROLS has no row for the command, only call rm->warn. GPUCMD_ORDER: object is
 * unknown, or the control needs a channel as object. GPUCMD_RANGE: params is NULL or too short. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_nvgpu_rm_control(gpucmd_nvgpu_rm *rm, uint32_t object,
                                                        uint32_t command, void *params,
                                                        size_t params_bytes);
/* Free an object. If the object is a channel, also free the channel's compute and copy objects.
 * GPUCMD_ORDER: handle is unknown; or the object is an address space, group, subcontext or buffer,
 * and rm still has a channel, which may use the object. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_nvgpu_rm_free(gpucmd_nvgpu_rm *rm, uint32_t handle);
/* Free all objects, channels first, and undo the boost. */
GPUCMD_PRIV_API void gpucmd_nvgpu_rm_close(gpucmd_nvgpu_rm *rm);

/* Return the kind of a class; GPUCMD_NVGPU_CLASS_INVALID if ALLOC_OBJ_CTX of ga10b rejects it. */
GPUCMD_PRIV_API gpucmd_nvgpu_class_kind gpucmd_nvgpu_class_kind_of(uint32_t class_num);
#endif

/* ---- submission ---- */

/* Set up fifo with ring and USERD of a channel that was just opened. Then use
 * gpucmd_nv_gpfifo_push, _kick, _poll, _room and _drain; one thread at a time.
 *   usermode  mapped doorbell page, to which a kick writes; may be NULL
 *   mmio      writes the doorbell if usermode is NULL. If usermode and mmio are
 *             NULL, the caller writes the doorbell after each kick
 * Ring, USERD and doorbell page must stay valid as long as fifo is used. */
GPUCMD_INLINE void gpucmd_nvgpu_gpfifo_init(gpucmd_nv_gpfifo *fifo,
                                            const gpucmd_nvgpu_channel *channel, void *usermode,
                                            const gpucmd_mmio *mmio)
{
    const gpucmd_status status =
        gpucmd_nv_gpfifo_init(fifo, GPUCMD_NV_CHIP_GA10B, NULL, 1, NULL, mmio, channel->token);
    (void)status; /* always OK, because order is 1; base and mask are set below */
    fifo->base = (uint8_t *)channel->ring_cpu;
    fifo->mask = channel->entries - 1;
    fifo->userd = (volatile uint32_t *)channel->userd_cpu;
    if (usermode != NULL) {
        fifo->doorbell =
            (volatile uint32_t *)usermode + GPUCMD_NV_USERMODE_NOTIFY_CHANNEL_PENDING / 4;
    }
}

/* Append the segment of len_dw words at va, and kick. Parameters and statuses: as for
 * gpucmd_nv_gpfifo_push. On failure nothing is submitted. */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_nvgpu_submit(gpucmd_nv_gpfifo *fifo,
                                                                  uint64_t va, uint32_t len_dw,
                                                                  uint32_t flags)
{
    uint32_t entry[2]; /* encoded in this inline function, because the chip is constant here */
    gpucmd_status status = gpucmd_nv_encode_entry(entry, GPUCMD_NV_CHIP_GA10B, va, len_dw, flags);
    if (GPUCMD_PRIV_UNLIKELY(status != GPUCMD_OK)) {
        return status;
    }
    status = gpucmd_priv_nv_gpfifo_put(fifo, (uint64_t)entry[1] << 32 | entry[0]);
    if (GPUCMD_PRIV_UNLIKELY(status != GPUCMD_OK)) {
        return status;
    }
    gpucmd_nv_gpfifo_kick(fifo);
    return GPUCMD_OK;
}

/* Wait until the 64-bit value at sem is at least want. A semaphore release writes the value when
 * the GPU has executed the commands. sem is an 8-byte aligned CPU address of a little-endian
 * value. fifo->wait determines how to poll. GPUCMD_LIMIT, or a status of wait: the value is still
 * less than want. */
GPUCMD_MUST_CHECK GPUCMD_SHARED gpucmd_status gpucmd_nvgpu_wait_sem(const gpucmd_nv_gpfifo *fifo,
                                                                    const volatile void *sem,
                                                                    uint64_t want)
{
    const volatile uint32_t *const half = (const volatile uint32_t *)sem;
    uint32_t tries = 0;
    for (;;) {
        const uint32_t hi = gpucmd_priv_nv_le32(half[1]);
        const uint32_t lo = gpucmd_priv_nv_le32(half[0]);
        if (((uint64_t)hi << 32 | lo) >= want && gpucmd_priv_nv_le32(half[1]) == hi) {
            GPUCMD_BARRIER_FULL();
            return GPUCMD_OK;
        }
        const gpucmd_status status = gpucmd_wait_again(&fifo->wait, &tries);
        if (status != GPUCMD_OK) {
            return status;
        }
    }
}

/* ---- model kernel ---- */

/* A model kernel answers the calls of nvgpu and nvmap with the checks and the errno of the drivers.
 * It uses tables and memory that the caller owns. The model kernel differs from the drivers:
 *   - It lacks dup, fork, carveouts, read-only dma-bufs, scheduling, and device nodes for address
 *     spaces, groups and channels.
 *   - Ioctls whose handler in GPUCMD_NVGPU_IOCTLS is `absent` return ENOSYS.
 *   - A channel without address space cannot join a group (EINVAL); the drivers could crash.
 *   - If member host is NULL, a buffer has one CPU address for all its mappings. MAP_FIXED over a
 *     mapping of another buffer moves the new buffer into the pages of the other buffer until the
 *     new mapping ends. Meanwhile the CPU sees the new buffer in all mappings of these pages; the
 *     GPU sees both buffers. */

typedef enum gpucmd_nvgpu_kernel_kind {
    GPUCMD_NVGPU_KERNEL_NONE,
    GPUCMD_NVGPU_KERNEL_NVMAP,
    GPUCMD_NVGPU_KERNEL_DMABUF,
    GPUCMD_NVGPU_KERNEL_CTRL,
    GPUCMD_NVGPU_KERNEL_AS,
    GPUCMD_NVGPU_KERNEL_TSG,
    GPUCMD_NVGPU_KERNEL_CHANNEL,
    GPUCMD_NVGPU_KERNEL_MAX_FREQ,
    GPUCMD_NVGPU_KERNEL_MIN_FREQ,
} gpucmd_nvgpu_kernel_kind;

/* Row types of the tables of gpucmd_nvgpu_kernel. Only the model kernel writes the rows. An index
 * counts the rows of a table from 0. A member "index + 1 of ..." is 0 if there is no row. */
typedef struct gpucmd_nvgpu_kernel_file {
    gpucmd_nvgpu_kernel_kind kind;
    uint32_t idx;   /* index of a row in the table that member kind selects */
    uint32_t flags; /* flags of open */
} gpucmd_nvgpu_kernel_file;

typedef struct gpucmd_nvgpu_kernel_buffer {
    uint32_t refs; /* references by handles, descriptors, mappings and channels */
    bool allocated;
    uint32_t heap_mask;
    uint32_t align;
    uint32_t cache;
    uint32_t moved_onto; /* index + 1 of the buffer whose pages this buffer occupies */
    uint64_t bytes;
    uint8_t *own; /* memory of the buffer in ram */
    uint8_t *cpu; /* CPU address at which the buffer is now */
} gpucmd_nvgpu_kernel_buffer;

typedef struct gpucmd_nvgpu_kernel_handle {
    uint32_t number; /* value of the handle; 0: the row is free */
    uint32_t buffer; /* index of the buffer */
} gpucmd_nvgpu_kernel_handle;

typedef struct gpucmd_nvgpu_kernel_ctrl {
    uint32_t refs;
    uint8_t *page; /* doorbell page in ram; NULL: not mapped */
    uint64_t device_instance_id;
} gpucmd_nvgpu_kernel_ctrl;

typedef struct gpucmd_nvgpu_kernel_as {
    uint32_t refs;
    uint64_t serial; /* unique number: no later address space has it */
    uint64_t start;
    uint64_t end;
} gpucmd_nvgpu_kernel_as;

/* Kinds of rows of the table ranges: a free row, a reservation of addresses, a mapping that the
 * process made (USER), and a mapping that the kernel made (KERNEL). */
typedef enum gpucmd_nvgpu_kernel_range_kind {
    GPUCMD_NVGPU_KERNEL_RANGE_FREE,
    GPUCMD_NVGPU_KERNEL_RANGE_RESERVED,
    GPUCMD_NVGPU_KERNEL_RANGE_USER,
    GPUCMD_NVGPU_KERNEL_RANGE_KERNEL,
} gpucmd_nvgpu_kernel_range_kind;

typedef struct gpucmd_nvgpu_kernel_range {
    gpucmd_nvgpu_kernel_range_kind kind;
    uint32_t as; /* index of the address space */
    uint64_t va;
    uint64_t bytes;
    uint32_t buffer; /* mapping: index of the buffer */
    uint64_t buffer_off_bytes;
    uint32_t flags; /* mapping: GPUCMD_NVGPU_MAP_* */
    int32_t mem_kind;
    uint32_t refs; /* mapping: number of requests that share the mapping */
} gpucmd_nvgpu_kernel_range;

typedef struct gpucmd_nvgpu_kernel_tsg {
    uint32_t refs;
    uint64_t reserved; /* bit i: subcontext i exists */
    uint32_t channels; /* number of channels in the group */
    uint32_t timeslice_us;
    /* as_serial[i]: serial of the address space of subcontext i; 0: none */
    uint64_t as_serial[GPUCMD_NVGPU_MAX_SUBCONTEXTS];
} gpucmd_nvgpu_kernel_tsg;

typedef struct gpucmd_nvgpu_kernel_channel {
    bool used;
    uint32_t number; /* number of the channel, which is also its token */
    uint32_t as;     /* index + 1 of the address space */
    uint32_t tsg;    /* index + 1 of the group */
    uint32_t veid;   /* number of the subcontext */
    bool watchdog;
    bool set_up;
    bool timed_out;
    bool doorbell_pending; /* the doorbell was written and the channel has work to execute */
    uint32_t ring;         /* index + 1 of the buffer that contains the ring */
    uint32_t userd;        /* index + 1 of the buffer that contains USERD */
    uint32_t notifier;     /* index + 1 of the buffer of the error notifier */
    uint32_t syncpoint;    /* number of the syncpoint; 0: none */
    uint32_t entries;      /* number of IB entries of the ring */
    uint32_t objects;      /* number of ALLOC_OBJ_CTX calls that succeeded */
    gpucmd_nv_pbdma pbdma;
} gpucmd_nvgpu_kernel_channel;

typedef struct gpucmd_nvgpu_kernel_vma {
    gpucmd_nvgpu_kernel_kind kind; /* NONE, DMABUF or CTRL */
    uint32_t idx;                  /* index of a row in buffers (DMABUF) or ctrls (CTRL) */
    uintptr_t at;                  /* CPU address of the mapping */
    uint64_t bytes;
} gpucmd_nvgpu_kernel_vma;

/* Callback: called after each system call except read and write.
 *   call  "ioctl", "close", "mmap", "munmap", or the path if the system call is open
 *   what  number of the ioctl, length of the mapping, or flags of open; 0 for close */
typedef void (*gpucmd_nvgpu_kernel_trace_fn)(void *user, const char *call, int fd, uint64_t what,
                                             int64_t result);

/* Callback: execute at most budget words and IB entries of channel number `channel`, whose doorbell
 * was written. Return what gpucmd_nv_pbdma_run would return. If exec is NULL, the model kernel
 * calls gpucmd_nv_pbdma_run, which passes all methods to member event and executes no method. */
typedef gpucmd_run (*gpucmd_nvgpu_kernel_exec_fn)(void *user, uint32_t channel, gpucmd_nv_pbdma *p,
                                                  const gpucmd_env *env, uint64_t budget);

/* Constants for the tables (GPUCMD_NVGPU_TABLE_FILES, ...) and memory that the caller supplies. */
#define GPUCMD_NV_PRIV_TABLE(name, member, count, type, used, store) GPUCMD_NVGPU_TABLE_##name,
typedef enum gpucmd_nvgpu_table {
    GPUCMD_NVGPU_TABLE_NONE,
    GPUCMD_NVGPU_KERNEL_TABLES(GPUCMD_NV_PRIV_TABLE) GPUCMD_NVGPU_TABLE_REGIONS,
    GPUCMD_NVGPU_TABLE_RAM,
} gpucmd_nvgpu_table;
#undef GPUCMD_NV_PRIV_TABLE

typedef struct gpucmd_nvgpu_kernel {
    /* The caller sets these members before init: tables, each with its number of rows, and memory.
     * Rows 0 to 2 of files are never used, because descriptors 0 to 2 are in use. Rows of channels
     * after the first GPUCMD_NVGPU_MAX_CHANNELS are never used. */
#define GPUCMD_NV_PRIV_TABLE(name, member, count, type, used, store)                               \
    type *member;                                                                                  \
    uint32_t count;
    GPUCMD_NVGPU_KERNEL_TABLES(GPUCMD_NV_PRIV_TABLE)
#undef GPUCMD_NV_PRIV_TABLE
    gpucmd_region *regions; /* scratch array of range_count elements */
    uint8_t *ram;           /* memory of buffers and doorbell pages, 4096-byte aligned */
    uint64_t ram_bytes;
    /* The caller may write the following members after init. */
    struct gpucmd_nvgpu_gpu_characteristics gpu;
    bool root;           /* the process may write min_freq */
    bool identity;       /* map a buffer at the GPU address equal to its CPU address, if free */
    uint64_t fail_at;    /* n: the n-th next call that can fail returns -fail_error; 0: off */
    int fail_error;      /* errno, positive */
    bool fail_copy_out;  /* the next copy of a result to the process fails */
    gpucmd_mem *process; /* memory of ioctl arguments; NULL: the address space of this program */
    /* System calls that map ram into the process: sys_mmap and sys_munmap, for example those of
     * gpucmd_sys_ops_init_linux. ram must be a shared mapping of file ram_fd from offset 0. The
     * process may then map a page several times, at any address. NULL: a page has one address. */
    const gpucmd_sys_ops *host;
    int ram_fd;
    gpucmd_nvgpu_kernel_trace_fn trace;
    void *trace_user;
    gpucmd_nvgpu_kernel_exec_fn exec;
    void *exec_user;
    gpucmd_event_fn event; /* receives methods; passed to exec as env->event */
    void *event_user;
    /* Only the model kernel writes the following members. */
    uint64_t min_freq;
    uint64_t max_freq;
    uint32_t next_handle;
    uint64_t next_serial;
    uint32_t next_syncpoint;
    gpucmd_nvgpu_table table; /* table that was full in the last call, or that init rejected */
} gpucmd_nvgpu_kernel;

typedef struct gpucmd_nvgpu_kernel_store {
#define GPUCMD_NV_PRIV_TABLE(name, member, count, type, used, store) type member[store];
    GPUCMD_NVGPU_KERNEL_TABLES(GPUCMD_NV_PRIV_TABLE)
#undef GPUCMD_NV_PRIV_TABLE
    gpucmd_region regions[64]; /* one element for each row of ranges */
} gpucmd_nvgpu_kernel_store;

/* Result of gpucmd_nvgpu_kernel_count: number of used rows of each table, number of ranges that are
 * reservations or mappings, and bytes of ram that buffers use. */
typedef struct gpucmd_nvgpu_kernel_counts {
#define GPUCMD_NV_PRIV_TABLE(name, member, count, type, used, store) uint32_t member;
    GPUCMD_NVGPU_KERNEL_TABLES(GPUCMD_NV_PRIV_TABLE)
#undef GPUCMD_NV_PRIV_TABLE
    uint32_t reservations;
    uint32_t mappings;
    uint64_t ram_bytes;
} gpucmd_nvgpu_kernel_counts;

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Start the model kernel without open files. The caller must have set the tables, regions and ram,
 * which must stay valid as long as k is used. The members that the caller may write after init get
 * defaults: a ga10b, no root, no failure. On failure k->table names the rejected table or memory.
 *   GPUCMD_RANGE  the pointer to the table or memory is NULL, or ram_bytes is below 4096
 *   GPUCMD_ALIGN  the table is not aligned for its type, or ram is not 4096-byte aligned */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_nvgpu_kernel_init(gpucmd_nvgpu_kernel *k);
/* As gpucmd_nvgpu_kernel_init, but with the tables of store. A mapped doorbell
 * page takes 64 KiB of ram; 1 MiB is enough for a few small buffers. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_nvgpu_kernel_init_store(gpucmd_nvgpu_kernel *k,
                                                               gpucmd_nvgpu_kernel_store *store,
                                                               void *ram, uint64_t ram_bytes);
/* Return the name of a table ("CHANNELS"), "NONE" for GPUCMD_NVGPU_TABLE_NONE, or
 * "?" for other numbers. The text has static storage. */
GPUCMD_PRIV_API const char *gpucmd_nvgpu_table_name(gpucmd_nvgpu_table table);
/* gpucmd_nvgpu_kernel_sys fills *sys with system calls that k answers. gpucmd_nvgpu_kernel_mmio
 * fills *mmio with accesses to a doorbell page of k. k must stay valid as long as *sys or *mmio is
 * used. The time of a call is O(rows of all tables), except:
 *   O(n * log(n))  ioctls that choose a GPU address; n rows of RANGES
 *   O(n * n)       ALLOC, and mmap of the doorbell page; n rows of BUFFERS and CTRLS
 *   O(n * n)       munmap, and mmap with a FIXED flag; n rows of VMAS */
GPUCMD_PRIV_API void gpucmd_nvgpu_kernel_sys(gpucmd_nvgpu_kernel *k, gpucmd_sys_ops *sys);
GPUCMD_PRIV_API void gpucmd_nvgpu_kernel_mmio(gpucmd_nvgpu_kernel *k, gpucmd_mmio *mmio);
/* Execute every channel whose doorbell was written: the IB entries from GP_GET to GP_PUT, for each
 * channel at most budget words and IB entries. Then write GP_GET to USERD. A doorbell page keeps
 * only the last store, so after any store to a page the model kernel executes all channels whose
 * GP_PUT differs from GP_GET (MODEL). Each channel adds O(n * log(n)) time for n rows of RANGES,
 * and the time to copy the buffers that are mapped over pages of other buffers. Return FAULT if any
 * channel faulted, otherwise the first result that is not IDLE:
 *   FAULT    a channel faulted and is timed out
 *   BLOCKED  a channel waits; call again
 *   LIMIT    a channel spent its budget; call again
 *   IDLE     no channel has words or IB entries to execute */
GPUCMD_PRIV_API gpucmd_run gpucmd_nvgpu_kernel_run(gpucmd_nvgpu_kernel *k, uint64_t budget);
/* Write the number of used rows to *counts. All counts are 0 if the process has closed all
 * descriptors and unmapped all CPU mappings. */
GPUCMD_PRIV_API void gpucmd_nvgpu_kernel_count(const gpucmd_nvgpu_kernel *k,
                                               gpucmd_nvgpu_kernel_counts *counts);
#endif

GPUCMD_PRIV_END

#endif /* GPUCMD_NV_H */

/* End of the interface. Implementation below. */

#if defined(GPUCMD_IMPLEMENTATION) && !defined(GPUCMD_NV_H_IMPL)
#define GPUCMD_NV_H_IMPL

GPUCMD_PRIV_BEGIN

/* ==== [NV.IMPL.CONST] ====================================================================== */

typedef struct gpucmd_priv_nv_chip_row {
    char name[8];
    char other[6]; /* second name, or an empty string */
    uint16_t id;   /* chipset id read from the chip; 0: the chip has none */
    uint8_t family;
    uint8_t bus;
} gpucmd_priv_nv_chip_row;

#define GPUCMD_NV_PRIV_CHIP(name, id, family, bus, other)                                          \
    {#name, other, id, GPUCMD_NV_FAMILY_##family, GPUCMD_NV_BUS_##bus},
static const gpucmd_priv_nv_chip_row gpucmd_priv_nv_chips[] = {
    GPUCMD_NV_CHIPS(GPUCMD_NV_PRIV_CHIP)};
#undef GPUCMD_NV_PRIV_CHIP
GPUCMD_PRIV_STATIC_ASSERT(sizeof gpucmd_priv_nv_chips / sizeof gpucmd_priv_nv_chips[0] ==
                              GPUCMD_NV_CHIP_COUNT,
                          nv_chip_count);

/* A row for a class, method or interrupt bit of the chips with since <= chip < until. */
typedef struct gpucmd_priv_nv_row {
    uint16_t number;
    uint8_t kind; /* GPUCMD_NV_CLASS_* or _MODEL_* of an engine class; otherwise 0 */
    uint8_t since;
    uint8_t until;
} gpucmd_priv_nv_row;

/* Expand to two arguments: the array of table t, and the number of its elements. */
#define GPUCMD_NV_PRIV_ROWS(t)                                                                     \
    gpucmd_priv_nv_##t, sizeof gpucmd_priv_nv_##t / sizeof gpucmd_priv_nv_##t[0]

/* Return the index of the first row with this number that the chip has, or count
 * if there is none. If chip is GPUCMD_NV_CHIP_LATER, search the rows of all chips. */
static size_t gpucmd_priv_nv_row_of(const gpucmd_priv_nv_row *rows, size_t count, uint32_t number,
                                    gpucmd_nv_chip chip)
{
    size_t i = 0;
    while (i < count &&
           (rows[i].number != number || (chip != (gpucmd_nv_chip)GPUCMD_NV_CHIP_LATER &&
                                         !gpucmd_priv_nv_in(chip, rows[i].since, rows[i].until)))) {
        i++;
    }
    return i;
}

/* Return member `number` of the last row of this kind that the chip has, or 0 if there is none. */
static uint32_t gpucmd_priv_nv_last_of(const gpucmd_priv_nv_row *rows, size_t count, uint32_t kind,
                                       gpucmd_nv_chip chip)
{
    uint32_t number = 0;
    for (; count-- != 0; rows++) {
        if (rows->kind == kind && gpucmd_priv_nv_in(chip, rows->since, rows->until)) {
            number = rows->number;
        }
    }
    return number;
}

#define GPUCMD_NV_PRIV_CLASS(number, since, src)                                                   \
    {0x##number, 0, GPUCMD_NV_CHIP_##since, GPUCMD_NV_CHIP_COUNT},
static const gpucmd_priv_nv_row gpucmd_priv_nv_classes[] = {
    GPUCMD_NV_CLASSES(GPUCMD_NV_PRIV_CLASS)};
#undef GPUCMD_NV_PRIV_CLASS

/* Return the row of chip; for an invalid chip, a row with the name "?" and zeros. */
static const gpucmd_priv_nv_chip_row *gpucmd_priv_nv_chip(gpucmd_nv_chip chip)
{
    static const gpucmd_priv_nv_chip_row none = {"?", "", 0, 0, 0};
    return (unsigned)chip < GPUCMD_NV_CHIP_COUNT ? &gpucmd_priv_nv_chips[chip] : &none;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_nv_chip_from_id(uint32_t id, gpucmd_nv_chip *chip)
{
    unsigned i;
    for (i = 0; i < GPUCMD_NV_CHIP_COUNT && id != 0; i++) {
        if (gpucmd_priv_nv_chips[i].id == id) {
            *chip = (gpucmd_nv_chip)i;
            return GPUCMD_OK;
        }
    }
    return GPUCMD_RANGE;
}

/* Return true if a equals b, which has no lower-case letters; the case of a is ignored. */
static bool gpucmd_priv_nv_same_name(const char *a, const char *b)
{
    while (*b != '\0' && (*a == *b || (*a >= 'a' && *a <= 'z' && *a - 'a' + 'A' == *b))) {
        a++;
        b++;
    }
    return *a == '\0' && *b == '\0';
}

/* Return the value of a string of 1 to 4 hex digits, or 0 for any other string.
 * Write the number of leading hex digits, at most 5, to *digits. */
static uint32_t gpucmd_priv_nv_hex(const char *s, unsigned *digits)
{
    uint32_t v = 0;
    *digits = 0;
    for (; *s != '\0' && *digits < 5; s++) {
        const char c = *s;
        const uint32_t d = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
                           : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a') + 10
                           : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A') + 10
                                                  : 16u;
        if (d == 16) {
            return 0;
        }
        v = v * 16 + d;
        *digits += 1;
    }
    return *digits <= 4 ? v : 0;
}

/* Write the first chip whose channels have class class_id to *chip and return
 * true. If no chip has the class, return false and leave *chip unchanged. */
static bool gpucmd_priv_nv_class_chip(uint32_t class_id, gpucmd_nv_chip *chip)
{
    const size_t i = gpucmd_priv_nv_row_of(GPUCMD_NV_PRIV_ROWS(classes), class_id,
                                           (gpucmd_nv_chip)GPUCMD_NV_CHIP_LATER);
    if (i == sizeof gpucmd_priv_nv_classes / sizeof gpucmd_priv_nv_classes[0]) {
        return false;
    }
    *chip = (gpucmd_nv_chip)gpucmd_priv_nv_classes[i].since;
    return true;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_nv_chip_from_name(const char *name, gpucmd_nv_chip *chip)
{
    unsigned i, digits;
    for (i = 0; i < GPUCMD_NV_CHIP_COUNT; i++) {
        const gpucmd_priv_nv_chip_row *row = &gpucmd_priv_nv_chips[i];
        if (gpucmd_priv_nv_same_name(name, row->name) ||
            (row->other[0] != '\0' && gpucmd_priv_nv_same_name(name, row->other))) {
            *chip = (gpucmd_nv_chip)i;
            return GPUCMD_OK;
        }
    }
    const uint32_t v = gpucmd_priv_nv_hex(name, &digits);
    if (digits == 4 && gpucmd_priv_nv_class_chip(v, chip)) {
        return GPUCMD_OK;
    }
    if ((name[0] == 'n' || name[0] == 'N') && (name[1] == 'v' || name[1] == 'V')) {
        return gpucmd_nv_chip_from_id(gpucmd_priv_nv_hex(name + 2, &digits), chip);
    }
    return GPUCMD_RANGE;
}

GPUCMD_PRIV_API const char *gpucmd_nv_chip_name(gpucmd_nv_chip chip)
{
    return gpucmd_priv_nv_chip(chip)->name;
}

GPUCMD_PRIV_API uint32_t gpucmd_nv_chip_id(gpucmd_nv_chip chip)
{
    return gpucmd_priv_nv_chip(chip)->id;
}

GPUCMD_PRIV_API gpucmd_nv_family gpucmd_nv_chip_family(gpucmd_nv_chip chip)
{
    return (gpucmd_nv_family)gpucmd_priv_nv_chip(chip)->family;
}

GPUCMD_PRIV_API gpucmd_nv_bus gpucmd_nv_chip_bus(gpucmd_nv_chip chip)
{
    return (gpucmd_nv_bus)gpucmd_priv_nv_chip(chip)->bus;
}

GPUCMD_PRIV_API uint32_t gpucmd_nv_chip_class(gpucmd_nv_chip chip)
{
    return gpucmd_priv_nv_last_of(GPUCMD_NV_PRIV_ROWS(classes), 0, chip);
}

#define GPUCMD_NV_PRIV_FORM(name) #name,
GPUCMD_PRIV_API const char *gpucmd_nv_form_name(gpucmd_nv_form form)
{
    static const char names[][13] = {GPUCMD_NV_FORMS(GPUCMD_NV_PRIV_FORM)};
    return (size_t)form < sizeof names / sizeof names[0] ? names[form] : "?";
}
#undef GPUCMD_NV_PRIV_FORM

GPUCMD_PRIV_API const char *gpucmd_nv_host_method_name(gpucmd_nv_chip chip, uint32_t mthd)
{
#define GPUCMD_NV_PRIV_NAME(name, at, since, until, src)                                           \
    if (mthd == (at) && gpucmd_priv_nv_in(chip, GPUCMD_NV_CHIP_##since, GPUCMD_NV_CHIP_##until)) { \
        return #name;                                                                              \
    }
    GPUCMD_NV_HOST_METHODS(GPUCMD_NV_PRIV_NAME, GPUCMD_NV_PRIV_NAME)
#undef GPUCMD_NV_PRIV_NAME
    return "?";
}

GPUCMD_PRIV_TEXT_FUNCTION(gpucmd_nv_pusher_error_name, gpucmd_nv_pusher_error,
                          GPUCMD_NV_PUSHER_ERRORS(GPUCMD_PRIV_ROW_NAME))
GPUCMD_PRIV_TEXT_FUNCTION(gpucmd_nv_pusher_error_text, gpucmd_nv_pusher_error,
                          GPUCMD_NV_PUSHER_ERRORS(GPUCMD_PRIV_ROW_TEXT_3))

#define GPUCMD_NV_PRIV_INTR(name, bit, text) {bit, 0, GPUCMD_NV_CHIP_GF100, GPUCMD_NV_CHIP_COUNT},
#define GPUCMD_NV_PRIV_OTHER(name, bit, since, until, text)                                        \
    {bit, 0, GPUCMD_NV_CHIP_##since, GPUCMD_NV_CHIP_##until},
static const gpucmd_priv_nv_row gpucmd_priv_nv_intrs[] = {
    GPUCMD_NV_PBDMA_INTRS(GPUCMD_NV_PRIV_INTR) GPUCMD_NV_PBDMA_OTHER_INTRS(GPUCMD_NV_PRIV_OTHER)};
#undef GPUCMD_NV_PRIV_OTHER
#undef GPUCMD_NV_PRIV_INTR

GPUCMD_PRIV_API const char *gpucmd_nv_pbdma_intr_name(gpucmd_nv_chip chip, unsigned bit)
{
    return gpucmd_priv_row_text(GPUCMD_NV_PBDMA_INTRS(GPUCMD_PRIV_ROW_NAME)
                                    GPUCMD_NV_PBDMA_OTHER_INTRS(GPUCMD_PRIV_ROW_NAME),
                                gpucmd_priv_nv_row_of(GPUCMD_NV_PRIV_ROWS(intrs), bit, chip));
}

GPUCMD_PRIV_API const char *gpucmd_nv_pbdma_intr_text(gpucmd_nv_chip chip, unsigned bit)
{
#define GPUCMD_NV_PRIV_TEXT(name, bit, since, until, text) text "\0"
    return gpucmd_priv_row_text(GPUCMD_NV_PBDMA_INTRS(GPUCMD_PRIV_ROW_TEXT_3)
                                    GPUCMD_NV_PBDMA_OTHER_INTRS(GPUCMD_NV_PRIV_TEXT),
                                gpucmd_priv_nv_row_of(GPUCMD_NV_PRIV_ROWS(intrs), bit, chip));
#undef GPUCMD_NV_PRIV_TEXT
}

GPUCMD_PRIV_API const char *gpucmd_nv_control_name(gpucmd_nv_chip chip, uint32_t op)
{
#define GPUCMD_NV_PRIV_CONTROL(name, number, since, src)                                           \
    if (op == (number) && gpucmd_priv_nv_in(chip, GPUCMD_NV_CHIP_##since, GPUCMD_NV_CHIP_COUNT)) { \
        return #name;                                                                              \
    }
    GPUCMD_NV_CONTROLS(GPUCMD_NV_PRIV_CONTROL)
#undef GPUCMD_NV_PRIV_CONTROL
    return "?";
}

#define GPUCMD_NV_PRIV_HOST(name, mthd, since, until, src)                                         \
    {mthd, 0, GPUCMD_NV_CHIP_##since, GPUCMD_NV_CHIP_##until},
static const gpucmd_priv_nv_row gpucmd_priv_nv_host_rows[] = {
    GPUCMD_NV_HOST_METHODS(GPUCMD_NV_PRIV_HOST, GPUCMD_NV_PRIV_HOST)};
#undef GPUCMD_NV_PRIV_HOST

GPUCMD_PRIV_API bool gpucmd_nv_knows_mthd(gpucmd_nv_chip chip, uint32_t mthd)
{
    return mthd >= GPUCMD_NV_HOST_END ||
           gpucmd_priv_nv_row_of(GPUCMD_NV_PRIV_ROWS(host_rows), mthd, chip) !=
               sizeof gpucmd_priv_nv_host_rows / sizeof gpucmd_priv_nv_host_rows[0];
}

/* ---- host methods ---- */

/* Return the mask of the valid bits in the upper word of a semaphore address. */
GPUCMD_INLINE uint32_t gpucmd_priv_nv_sem_upper(gpucmd_nv_chip chip)
{
    return chip >= GPUCMD_NV_CHIP_GH100 ? GPUCMD_FIELD_MASK(NV_SEM_UPPER_C86F)
                                        : GPUCMD_FIELD_MASK(NV_SEM_UPPER);
}

/* Return the operation field of dw, a data word of SEMAPHORED. The width of the
 * field depends on the chip. [826F] [866F] [906F] [A16F] */
static uint32_t gpucmd_priv_nv_semaphored_number(gpucmd_nv_chip chip, uint32_t dw)
{
    uint32_t number;
    if (gpucmd_nv_sem_number(chip, GPUCMD_NV_HOST_SEMAPHORED, GPUCMD_NV_SEM_OP_REDUCTION,
                             &number) == GPUCMD_OK) {
        return GPUCMD_FIELD_GET(NV_SEMAPHORED_OPERATION, dw);
    }
    return chip >= GPUCMD_NV_CHIP_MCP89 ? GPUCMD_FIELD_GET(NV_SEMAPHORED_OPERATION_906F, dw)
                                        : GPUCMD_FIELD_GET(NV_SEMAPHORED_OPERATION_826F, dw);
}

/* Return the method with the operation of a MEM_OP sequence: MEM_OP_D (GM204 and later) or _B. */
GPUCMD_INLINE uint32_t gpucmd_priv_nv_mem_op_last(gpucmd_nv_chip chip)
{
    return chip >= GPUCMD_NV_CHIP_GM204 ? (uint32_t)GPUCMD_NV_HOST_MEM_OP_D
                                        : (uint32_t)GPUCMD_NV_HOST_MEM_OP_B;
}

GPUCMD_PRIV_API gpucmd_nv_sem_op gpucmd_nv_sem_op_of(gpucmd_nv_chip chip, uint32_t mthd,
                                                     uint32_t number)
{
#define GPUCMD_NV_PRIV_ROW(method, op, value, since, until, src)                                   \
    if (number == (value) && mthd == GPUCMD_NV_HOST_##method &&                                    \
        gpucmd_priv_nv_in(chip, GPUCMD_NV_CHIP_##since, GPUCMD_NV_CHIP_##until)) {                 \
        return GPUCMD_NV_SEM_OP_##op;                                                              \
    }
    GPUCMD_NV_SEM_OPS(GPUCMD_NV_PRIV_ROW)
#undef GPUCMD_NV_PRIV_ROW
    return GPUCMD_NV_SEM_OP_NONE;
}

/* ---- engines and classes ---- */

/* Methods and fields that only the implementation uses, such as GPUCMD_NV_3D_CLEAR_BUFFERS. */
#define GPUCMD_NV_PRIV_ROW(name, mthd, src) GPUCMD_NV_##name = mthd,
#define GPUCMD_NV_PRIV_BITS(name, hi, lo, unit, meaning, src)                                      \
    GPUCMD_NV_##name##_HI = hi, GPUCMD_NV_##name##_LO = lo,
#define GPUCMD_NV_PRIV_METHOD(name, mthd, class_id, meaning)     GPUCMD_NV_##name = mthd,
#define GPUCMD_NV_PRIV_CACHE1(name, member, off, since, meaning) GPUCMD_NV_CACHE1_##name = off,
enum { GPUCMD_NV_IMAGE_METHODS(GPUCMD_NV_PRIV_ROW) };
enum { GPUCMD_NV_IMAGE_FIELDS(GPUCMD_NV_PRIV_BITS) };
/* The interface lacks these constants; a caller that needs them can expand the tables. */
enum {
    GPUCMD_NV_CACHE1_FIELDS(GPUCMD_NV_PRIV_BITS)    /* */
    GPUCMD_NV_CACHE1_REGS(GPUCMD_NV_PRIV_CACHE1)    /* */
    GPUCMD_NV_DRIVER_FIELDS(GPUCMD_NV_PRIV_BITS)    /* */
    GPUCMD_NV_DRIVER_METHODS(GPUCMD_NV_PRIV_METHOD) /* */
};
#undef GPUCMD_NV_PRIV_ROW
#undef GPUCMD_NV_PRIV_METHOD
#undef GPUCMD_NV_PRIV_CACHE1
#undef GPUCMD_NV_PRIV_BITS

#define GPUCMD_NV_PRIV_ROW(class_id, model, since, src)                                            \
    {0x##class_id, GPUCMD_NV_MODEL_##model, GPUCMD_NV_CHIP_##since, 255},
static const gpucmd_priv_nv_row gpucmd_priv_nv_objects[] = {
    GPUCMD_NV_OBJECTS(GPUCMD_NV_PRIV_ROW)  /* */
    {0, GPUCMD_NV_MODEL_OTHER, GPUCMD_NV_CHIP_NV1, 0}
};
#undef GPUCMD_NV_PRIV_ROW

GPUCMD_PRIV_API gpucmd_nv_model gpucmd_nv_class_model(uint32_t class_id, gpucmd_nv_chip *since)
{
    const size_t last = sizeof gpucmd_priv_nv_objects / sizeof gpucmd_priv_nv_objects[0] - 1;
    const gpucmd_priv_nv_row *const row = &gpucmd_priv_nv_objects[gpucmd_priv_nv_row_of(
        gpucmd_priv_nv_objects, last, class_id, (gpucmd_nv_chip)GPUCMD_NV_CHIP_LATER)];
    *since = (gpucmd_nv_chip)row->since;
    return (gpucmd_nv_model)row->kind;
}

#define GPUCMD_NV_PRIV_ROW(class_id, kind, since, until, src)                                      \
    {0x##class_id, GPUCMD_NV_CLASS_##kind, GPUCMD_NV_CHIP_##since, GPUCMD_NV_CHIP_##until},
static const gpucmd_priv_nv_row gpucmd_priv_nv_spans[] = {
    GPUCMD_NV_CHIP_CLASSES(GPUCMD_NV_PRIV_ROW)};
#undef GPUCMD_NV_PRIV_ROW

#define GPUCMD_NV_PRIV_ROW(class_id, since) {0x##class_id, 0, GPUCMD_NV_CHIP_##since, 255},
static const gpucmd_priv_nv_row gpucmd_priv_nv_usermode_classes[] = {
    GPUCMD_NV_USERMODE_CLASSES(GPUCMD_NV_PRIV_ROW)};
#undef GPUCMD_NV_PRIV_ROW

GPUCMD_PRIV_API uint32_t gpucmd_nv_object_class(gpucmd_nv_chip chip, uint32_t idx)
{
    unsigned i;
    const unsigned count = sizeof gpucmd_priv_nv_spans / sizeof gpucmd_priv_nv_spans[0];
    for (i = 0; i < count; i++) {
        const gpucmd_priv_nv_row *row = &gpucmd_priv_nv_spans[i];
        if (gpucmd_priv_nv_in(chip, row->since, row->until) && idx-- == 0) {
            return row->number;
        }
    }
    return idx == 0 ? gpucmd_nv_copy_class(chip) : 0;
}

GPUCMD_PRIV_API bool gpucmd_nv_has_class(gpucmd_nv_chip chip, uint32_t class_id)
{
    uint32_t i, has;
    for (i = 0; (has = gpucmd_nv_object_class(chip, i)) != 0; i++) {
        if (has == class_id) {
            return true;
        }
    }
    return false;
}

GPUCMD_PRIV_API uint32_t gpucmd_nv_class_of(gpucmd_nv_chip chip, gpucmd_nv_class_kind kind)
{
    if ((unsigned)chip >= GPUCMD_NV_CHIP_COUNT) {
        return 0;
    }
    return kind == GPUCMD_NV_CLASS_HOST   ? gpucmd_nv_chip_class(chip)
           : kind == GPUCMD_NV_CLASS_COPY ? gpucmd_nv_copy_class(chip)
           : kind == GPUCMD_NV_CLASS_USERMODE
               ? gpucmd_priv_nv_last_of(GPUCMD_NV_PRIV_ROWS(usermode_classes), 0, chip)
               : gpucmd_priv_nv_last_of(GPUCMD_NV_PRIV_ROWS(spans), (uint32_t)kind, chip);
}

GPUCMD_PRIV_API gpucmd_status gpucmd_nv_chip_from_class(uint32_t class_id, gpucmd_nv_chip *chip)
{
    unsigned i;
    if (class_id == 0xc076) { /* 0xc076 is a software class, which no table contains */
        *chip = GPUCMD_NV_CHIP_GP100;
        return GPUCMD_OK;
    }
    if (gpucmd_priv_nv_class_chip(class_id, chip)) {
        return GPUCMD_OK;
    }
    for (i = 0; i < GPUCMD_NV_CHIP_COUNT && class_id != 0; i++) {
        if (gpucmd_nv_class_of((gpucmd_nv_chip)i, GPUCMD_NV_CLASS_USERMODE) == class_id ||
            gpucmd_nv_has_class((gpucmd_nv_chip)i, class_id)) {
            *chip = (gpucmd_nv_chip)i;
            return GPUCMD_OK;
        }
    }
    return GPUCMD_RANGE;
}

/* ==== [NV.IMPL.DECODE] ===================================================================== */

/* Values of column "mode" of GPUCMD_NV_OLD_FORMS: modes in which a form is valid. */
enum { GPUCMD_NV_PRIV_MODE_ANY, GPUCMD_NV_PRIV_MODE_NV4, GPUCMD_NV_PRIV_MODE_IB };

GPUCMD_PRIV_API gpucmd_status gpucmd_nv_gate_init(gpucmd_nv_gate *gate, gpucmd_nv_chip chip,
                                                  bool ib_enable, bool sli_enable,
                                                  gpucmd_nv_fmt fmt)
{
    const bool is_new = fmt != GPUCMD_NV_FMT_OLD;
    const bool is_old = fmt != GPUCMD_NV_FMT_NEW;
    const bool gf100 = GPUCMD_NV_IS_GF100(chip);
    uint32_t forms = 0, forms_new = 0, forms_old = 0;
    if (chip < GPUCMD_NV_CHIP_NV4 || (unsigned)chip >= (unsigned)GPUCMD_NV_CHIP_COUNT ||
        (ib_enable && chip < GPUCMD_NV_CHIP_G80) || (sli_enable && chip < GPUCMD_NV_CHIP_NV40) ||
        (is_old && (!gf100 || chip >= GPUCMD_NV_CHIP_GV100))) {
        return GPUCMD_UNSUPPORTED;
    }
#define GPUCMD_NV_PRIV_FORM(name, picture, sec, tert, prim, mask, since, mode, sli, src)           \
    if (chip >= GPUCMD_NV_CHIP_##since && (sli_enable || (sli) == 0) &&                            \
        (GPUCMD_NV_PRIV_MODE_##mode == GPUCMD_NV_PRIV_MODE_ANY ||                                  \
         (GPUCMD_NV_PRIV_MODE_##mode == GPUCMD_NV_PRIV_MODE_IB) == ib_enable)) {                   \
        forms |= (uint32_t)1 << GPUCMD_NV_FORM_##name;                                             \
    }
    if (!gf100) {
        GPUCMD_NV_OLD_FORMS(GPUCMD_NV_PRIV_FORM)
    }
#undef GPUCMD_NV_PRIV_FORM
#define GPUCMD_NV_PRIV_FORM(name, picture, sec, tert, mask, fits_new, fits_old, src)               \
    forms_new |= (uint32_t)(fits_new) << GPUCMD_NV_FORM_##name;                                    \
    forms_old |= (uint32_t)(fits_old) << GPUCMD_NV_FORM_##name;
    if (gf100) {
        GPUCMD_NV_HDR_FORMS(GPUCMD_NV_PRIV_FORM)
        forms = (is_new ? forms_new : 0) | (is_old ? forms_old : 0);
    }
#undef GPUCMD_NV_PRIV_FORM
    gate->chip = chip;
    gate->fmt = fmt;
    gate->ib_enable = ib_enable || gf100;
    gate->sli_enable = sli_enable || gf100;
    gate->forms = forms;
    return GPUCMD_OK;
}

/* Return the form of dw, the first word of a command before GF100. gate->forms is not checked. */
GPUCMD_PRIV_INLINE gpucmd_nv_form gpucmd_priv_nv_match_old(uint32_t dw)
{
#define GPUCMD_NV_PRIV_FORM(name, picture, sec, tert, prim, mask, since, mode, sli, src)           \
    if ((dw & (mask)) == GPUCMD_NV_PRIV_OLD_OP(name)) {                                            \
        return GPUCMD_NV_FORM_##name;                                                              \
    }
    GPUCMD_NV_OLD_FORMS(GPUCMD_NV_PRIV_FORM)
#undef GPUCMD_NV_PRIV_FORM
    return GPUCMD_NV_FORM_INVALID;
}

/* Return the form of dw, a first word on GF100 and later, without a check of gate->forms. */
GPUCMD_INLINE gpucmd_nv_form gpucmd_priv_nv_match_new(uint32_t dw)
{
#define GPUCMD_NV_PRIV_FORM(name, picture, sec, tert, mask, is_new, is_old, src)                   \
    if ((dw & (mask)) == (GPUCMD_FIELD_PUT(NV_HDR_SEC_OP, GPUCMD_NV_PRIV_SEC_##name) |             \
                          GPUCMD_FIELD_PUT(NV_HDR_TERT_OP, GPUCMD_NV_PRIV_TERT_##name))) {         \
        return GPUCMD_NV_FORM_##name;                                                              \
    }
    GPUCMD_NV_HDR_FORMS(GPUCMD_NV_PRIV_FORM)
#undef GPUCMD_NV_PRIV_FORM
    return GPUCMD_NV_FORM_INVALID;
}

/* As gpucmd_nv_classify, but the chip must be before GF100. */
GPUCMD_INLINE gpucmd_nv_form gpucmd_priv_nv_classify_old(const gpucmd_nv_gate *gate, uint32_t dw)
{
    const gpucmd_nv_form form = gpucmd_priv_nv_match_old(dw);
    return (gate->forms >> form & 1) != 0 ? form : GPUCMD_NV_FORM_INVALID;
}

/* As gpucmd_nv_classify, but the chip must be GF100 or later. */
GPUCMD_INLINE gpucmd_nv_form gpucmd_priv_nv_classify_new(const gpucmd_nv_gate *gate, uint32_t dw)
{
    const gpucmd_nv_form form = gpucmd_priv_nv_match_new(dw);
    return (gate->forms >> form & 1) != 0 ? form : GPUCMD_NV_FORM_INVALID;
}

GPUCMD_PRIV_API gpucmd_nv_form gpucmd_nv_classify(const gpucmd_nv_gate *gate, uint32_t dw)
{
    return GPUCMD_NV_IS_GF100(gate->chip) ? gpucmd_priv_nv_classify_new(gate, dw)
                                          : gpucmd_priv_nv_classify_old(gate, dw);
}

/* Fill cmd from header dw (GF100 and later), except members resumed, head_dw, len_dw, data. */
GPUCMD_INLINE void gpucmd_priv_nv_header_new(gpucmd_nv_cmd *cmd, gpucmd_nv_form form, uint32_t dw)
{
    uint32_t own = GPUCMD_FIELD_MASK(NV_HDR_SEC_OP);
    cmd->form = form;
    cmd->kind = GPUCMD_NV_KIND_NON_INC;
    cmd->dw = dw;
    cmd->count_dw = 0;
    cmd->value = 0;
    cmd->subc = GPUCMD_FIELD_GET(NV_HDR_SUBC, dw);
    cmd->mthd = GPUCMD_FIELD_GET(NV_HDR_MTHD, dw) * 4;
    switch (form) {
    case GPUCMD_NV_FORM_NOP:
    case GPUCMD_NV_FORM_END_SEGMENT: break;
    case GPUCMD_NV_FORM_SLI_USE: own |= GPUCMD_FIELD_MASK(NV_HDR_TERT_OP); break;
    case GPUCMD_NV_FORM_INC:
    case GPUCMD_NV_FORM_NON_INC:
    case GPUCMD_NV_FORM_ONE_INC:
        cmd->kind = form == GPUCMD_NV_FORM_INC       ? GPUCMD_NV_KIND_INC
                    : form == GPUCMD_NV_FORM_NON_INC ? GPUCMD_NV_KIND_NON_INC
                                                     : GPUCMD_NV_KIND_ONE_INC;
        cmd->count_dw = GPUCMD_FIELD_GET(NV_HDR_COUNT, dw);
        own |= GPUCMD_FIELD_MASK(NV_HDR_COUNT) | GPUCMD_FIELD_MASK(NV_HDR_SUBC) |
               GPUCMD_FIELD_MASK(NV_HDR_MTHD);
        break;
    case GPUCMD_NV_FORM_IMMD:
        cmd->kind = GPUCMD_NV_KIND_IMMD;
        cmd->value = GPUCMD_FIELD_GET(NV_HDR_IMMD_DATA, dw);
        own |= GPUCMD_FIELD_MASK(NV_HDR_IMMD_DATA) | GPUCMD_FIELD_MASK(NV_HDR_SUBC) |
               GPUCMD_FIELD_MASK(NV_HDR_MTHD);
        break;
    case GPUCMD_NV_FORM_OLD_INC:
    case GPUCMD_NV_FORM_OLD_NON_INC:
        cmd->kind = form == GPUCMD_NV_FORM_OLD_INC ? GPUCMD_NV_KIND_INC : GPUCMD_NV_KIND_NON_INC;
        cmd->count_dw = GPUCMD_FIELD_GET(NV_OLD_COUNT, dw);
        cmd->mthd = GPUCMD_FIELD_GET(NV_OLD_MTHD, dw) * 4;
        own |= GPUCMD_FIELD_MASK(NV_OLD_COUNT) | GPUCMD_FIELD_MASK(NV_OLD_SUBC) |
               GPUCMD_FIELD_MASK(NV_OLD_MTHD) | GPUCMD_FIELD_MASK(NV_HDR_TERT_OP);
        break;
    case GPUCMD_NV_FORM_SLI_COND:
    case GPUCMD_NV_FORM_SLI_STORE:
        cmd->value = GPUCMD_FIELD_GET(NV_HDR_SUBDEVICE, dw);
        own |= GPUCMD_FIELD_MASK(NV_HDR_SUBDEVICE) | GPUCMD_FIELD_MASK(NV_HDR_TERT_OP);
        break;
    case GPUCMD_NV_FORM_INVALID:
    case GPUCMD_NV_FORM_LONG_NON_INC:
    case GPUCMD_NV_FORM_JUMP_OLD:
    case GPUCMD_NV_FORM_JUMP:
    case GPUCMD_NV_FORM_CALL:
    case GPUCMD_NV_FORM_RETURN: own = 0xffffffffu; break;
    }
    cmd->stray = dw & ~own;
}

/* Fill cmd from header dw (before GF100), except the members resumed, head_dw, len_dw and data. */
GPUCMD_INLINE void gpucmd_priv_nv_header_old(gpucmd_nv_cmd *cmd, gpucmd_nv_form form, uint32_t dw)
{
    cmd->form = form;
    cmd->dw = dw;
    cmd->kind = form == GPUCMD_NV_FORM_INC ? GPUCMD_NV_KIND_INC : GPUCMD_NV_KIND_NON_INC;
    cmd->subc = GPUCMD_FIELD_GET(NV_OLD_SUBC, dw);
    cmd->mthd = GPUCMD_FIELD_GET(NV_OLD_MTHD, dw) * 4;
    cmd->count_dw = form == GPUCMD_NV_FORM_INC || form == GPUCMD_NV_FORM_NON_INC
                        ? GPUCMD_FIELD_GET(NV_OLD_COUNT, dw)
                        : 0;
    cmd->value = 0;
    cmd->stray = 0;
    if (form == GPUCMD_NV_FORM_JUMP_OLD) {
        cmd->value = dw & GPUCMD_FIELD_MASK(NV_OLD_JUMP_OFFSET);
    } else if (form == GPUCMD_NV_FORM_JUMP || form == GPUCMD_NV_FORM_CALL) {
        cmd->value = dw & GPUCMD_FIELD_MASK(NV_OLD_LONG_OFFSET);
    } else if (form == GPUCMD_NV_FORM_SLI_COND) {
        cmd->value = GPUCMD_FIELD_GET(NV_HDR_SUBDEVICE, dw);
        cmd->stray =
            dw & ~(GPUCMD_FIELD_MASK(NV_HDR_SUBDEVICE) | GPUCMD_FIELD_MASK(NV_OLD_TERT_OP));
    }
}

/* Fill cmd with this segment's words of a method run that began in an earlier segment. */
GPUCMD_INLINE void gpucmd_priv_nv_walk_resume(gpucmd_nv_walk *walk, gpucmd_nv_cmd *cmd,
                                              size_t avail_dw)
{
    cmd->form = walk->form;
    cmd->kind = walk->kind;
    cmd->dw = *walk->cur;
    cmd->subc = walk->subc;
    cmd->mthd = walk->mthd;
    cmd->value = 0;
    cmd->stray = 0;
    cmd->resumed = true;
    cmd->head_dw = 0;
    if (walk->lenp) {
        walk->lenp = false;
        walk->left_dw = GPUCMD_FIELD_GET(NV_OLD_LONG_COUNT, *walk->cur);
        cmd->stray = *walk->cur & ~GPUCMD_FIELD_MASK(NV_OLD_LONG_COUNT);
        cmd->head_dw = 1;
    }
    cmd->count_dw = walk->left_dw;
    const uint32_t n_dw = avail_dw - cmd->head_dw < walk->left_dw
                              ? (uint32_t)(avail_dw - cmd->head_dw)
                              : walk->left_dw;
    cmd->data = walk->cur + cmd->head_dw;
    cmd->len_dw = cmd->head_dw + n_dw;
    walk->left_dw -= n_dw;
    walk->mthd = gpucmd_nv_mthd_at(walk->gate.chip, walk->kind, walk->mthd, n_dw);
    if (walk->kind == GPUCMD_NV_KIND_ONE_INC) {
        walk->kind = GPUCMD_NV_KIND_NON_INC;
    }
    walk->cur += cmd->len_dw;
}

/* Store in walk what the next segment needs to continue the method run of cmd.
 * The first here_dw data words of the run are in this segment. */
GPUCMD_INLINE void gpucmd_priv_nv_walk_keep(gpucmd_nv_walk *walk, const gpucmd_nv_cmd *cmd,
                                            uint32_t here_dw)
{
    walk->form = cmd->form;
    walk->subc = cmd->subc;
    walk->mthd = gpucmd_nv_mthd_at(walk->gate.chip, cmd->kind, cmd->mthd, here_dw);
    walk->kind =
        cmd->kind == GPUCMD_NV_KIND_ONE_INC && here_dw != 0 ? GPUCMD_NV_KIND_NON_INC : cmd->kind;
    walk->left_dw = cmd->count_dw - here_dw;
}

enum {
    GPUCMD_PRIV_NV_AHEAD_DW = 192,     /* prefetch distance of an executor, in words */
    GPUCMD_PRIV_NV_FAR_AHEAD_DW = 512, /* prefetch distance of a walk, which is faster, in words */
};

/* Prefetch the word that is ahead_dw words after `at`, if any. The CPU's own prefetcher does not
 * fetch this word, because headers are far apart. A prefetch of any address is harmless. */
GPUCMD_INLINE void gpucmd_priv_nv_ahead(const uint32_t *at, size_t ahead_dw)
{
#if defined(GPUCMD_PRIV_GNU) && !defined(__OPTIMIZE_SIZE__)
    __builtin_prefetch((const void *)((uintptr_t)at + 4 * ahead_dw));
#else
    (void)at;
    (void)ahead_dw;
#endif
}

/* Fill cmd from dw, the first word of a command, except len_dw and data. */
GPUCMD_PRIV_INLINE void gpucmd_priv_nv_header(gpucmd_nv_cmd *cmd, const gpucmd_nv_gate *gate,
                                              uint32_t dw)
{
    cmd->resumed = false;
    cmd->head_dw = 1;
    if (GPUCMD_NV_IS_GF100(gate->chip)) {
        gpucmd_priv_nv_header_new(cmd, gpucmd_priv_nv_classify_new(gate, dw), dw);
    } else {
        gpucmd_priv_nv_header_old(cmd, gpucmd_priv_nv_classify_old(gate, dw), dw);
    }
}

/* Fill cmd from the command at the CPU address `at`, where avail_dw (>= 1) words exist. Return true
 * if words of the command are missing; cmd->len_dw is then avail_dw. */
GPUCMD_INLINE bool gpucmd_priv_nv_command(gpucmd_nv_cmd *cmd, const gpucmd_nv_gate *gate,
                                          const uint32_t *at, size_t avail_dw)
{
    bool missing = false;
    gpucmd_priv_nv_header(cmd, gate, *at);
    if (GPUCMD_PRIV_UNLIKELY(cmd->form == GPUCMD_NV_FORM_LONG_NON_INC)) {
        missing = avail_dw == 1;
        if (!missing) {
            cmd->count_dw = GPUCMD_FIELD_GET(NV_OLD_LONG_COUNT, at[1]);
            cmd->stray = at[1] & ~GPUCMD_FIELD_MASK(NV_OLD_LONG_COUNT);
            cmd->head_dw = 2;
        }
    }
    cmd->data = at + cmd->head_dw;
    if (GPUCMD_PRIV_UNLIKELY(missing || cmd->count_dw > avail_dw - cmd->head_dw)) {
        cmd->len_dw = (uint32_t)avail_dw;
        return true;
    }
    cmd->len_dw = cmd->head_dw + cmd->count_dw;
    return false;
}

GPUCMD_PRIV_API bool gpucmd_nv_walk_next(gpucmd_nv_walk *walk, gpucmd_nv_cmd *cmd)
{
    const size_t avail_dw = (size_t)(((uintptr_t)walk->end - (uintptr_t)walk->cur) / 4);
    const uint32_t *at = walk->cur;
    if (GPUCMD_PRIV_UNLIKELY(avail_dw == 0)) {
        return false;
    }
    if (GPUCMD_PRIV_UNLIKELY(gpucmd_nv_walk_pending(walk))) {
        gpucmd_priv_nv_walk_resume(walk, cmd, avail_dw);
        return true;
    }
    if (GPUCMD_PRIV_UNLIKELY(gpucmd_priv_nv_command(cmd, &walk->gate, at, avail_dw))) {
        walk->lenp = cmd->form == GPUCMD_NV_FORM_LONG_NON_INC && avail_dw == 1;
        gpucmd_priv_nv_walk_keep(walk, cmd, (uint32_t)avail_dw - cmd->head_dw);
        walk->cur = walk->end;
        return true;
    }
    gpucmd_priv_nv_ahead(at, GPUCMD_PRIV_NV_FAR_AHEAD_DW);
    walk->cur = at + cmd->len_dw;
    return true;
}

/* Walk over commands of GF100 and later and return their number. Stop before a command
 * that continues in the next segment, or whose form is not INC, NON_INC, ONE_INC or IMMD.
 * The length is computed without a branch, because the CPU cannot predict forms: bit 29
 * is set in the forms with data words and clear in IMMD. */
static size_t gpucmd_priv_nv_walk_runs(gpucmd_nv_walk *walk)
{
    const uint32_t ops = 1u << GPUCMD_NV_PRIV_SEC_INC | 1u << GPUCMD_NV_PRIV_SEC_NON_INC |
                         1u << GPUCMD_NV_PRIV_SEC_ONE_INC | 1u << GPUCMD_NV_PRIV_SEC_IMMD;
    const uint32_t *const end = walk->end;
    const uint32_t *at = walk->cur;
    size_t commands = 0;
    while (at != end) {
        const uint32_t dw = *at;
        const uint32_t n_dw =
            GPUCMD_FIELD_GET(NV_HDR_COUNT, dw) & (0u - (dw >> GPUCMD_NV_HDR_SEC_OP_LO & 1));
        const size_t avail_dw = (size_t)(end - at);
        if (GPUCMD_PRIV_UNLIKELY((ops >> (dw >> GPUCMD_NV_HDR_SEC_OP_LO) & 1) == 0 ||
                                 n_dw >= avail_dw)) {
            break;
        }
        gpucmd_priv_nv_ahead(at, GPUCMD_PRIV_NV_FAR_AHEAD_DW);
        at += 1 + n_dw;
        commands++;
    }
    walk->cur = at;
    return commands;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_nv_walk_valid(gpucmd_nv_walk *walk, size_t *commands)
{
    const uint32_t runs = 1u << GPUCMD_NV_FORM_INC | 1u << GPUCMD_NV_FORM_NON_INC |
                          1u << GPUCMD_NV_FORM_ONE_INC | 1u << GPUCMD_NV_FORM_IMMD;
    const bool quick = GPUCMD_NV_IS_GF100(walk->gate.chip) && (walk->gate.forms & runs) == runs;
    while (walk->cur != walk->end) {
        gpucmd_nv_cmd cmd;
        if (quick && !gpucmd_nv_walk_pending(walk)) {
            *commands += gpucmd_priv_nv_walk_runs(walk);
        }
        if (gpucmd_nv_walk_next(walk, &cmd)) {
            if (cmd.form == GPUCMD_NV_FORM_INVALID) {
                walk->cur--; /* cur points to the invalid word again */
                return GPUCMD_INVALID;
            }
            *commands += 1;
        }
    }
    return GPUCMD_OK;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_nv_decode(const uint32_t *dw, size_t avail_dw,
                                               const gpucmd_nv_gate *gate, gpucmd_nv_cmd *cmd)
{
    if (avail_dw == 0) {
        gpucmd_priv_zero(cmd, sizeof *cmd);
        cmd->len_dw = 1;
        return GPUCMD_TRUNCATED;
    }
    if (gpucmd_priv_nv_command(cmd, gate, dw, avail_dw)) {
        return GPUCMD_TRUNCATED;
    }
    return cmd->form == GPUCMD_NV_FORM_INVALID ? GPUCMD_INVALID : GPUCMD_OK;
}

GPUCMD_PRIV_API size_t gpucmd_nv_command_dw(const void *gate, const uint32_t *words,
                                            size_t avail_dw)
{
    gpucmd_nv_cmd cmd;
    return gpucmd_nv_decode(words, avail_dw, (const gpucmd_nv_gate *)gate, &cmd) == GPUCMD_INVALID
               ? 0
               : cmd.len_dw;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_nv_decode_header(uint32_t dw, const gpucmd_nv_gate *gate,
                                                      gpucmd_nv_cmd *cmd)
{
    gpucmd_priv_nv_header(cmd, gate, dw);
    cmd->len_dw = 1;
    cmd->data = NULL;
    return cmd->form == GPUCMD_NV_FORM_INVALID ? GPUCMD_INVALID : GPUCMD_OK;
}

/* Append the first two columns of a line: the GPU address of a word, and the word. */
GPUCMD_INLINE void gpucmd_priv_nv_print_word(gpucmd_text *t, uint64_t at_va, uint32_t dw)
{
    char *const to = at_va >> 24 == 0 ? gpucmd_priv_text_claim(t, 20) : NULL;
    if (to == NULL) {
        gpucmd_text_str(t, "0x");
        gpucmd_text_hex(t, at_va, 6);
        gpucmd_text_str(t, "  ");
        gpucmd_text_hex(t, dw, 8);
        gpucmd_text_str(t, "  ");
        return;
    }
    gpucmd_priv_text_hex8(to, (uint32_t)at_va);
    gpucmd_priv_text_hex8(to + 10, dw);
    gpucmd_priv_copy(to, "0x", 2);
    gpucmd_priv_copy(to + 8, "  ", 2);
    gpucmd_priv_copy(to + 18, "  ", 2);
}

/* Append the subchannel and the method. For a host method, append the name too. */
static void gpucmd_priv_nv_print_mthd(gpucmd_text *t, const gpucmd_nv_gate *gate, uint32_t subc,
                                      uint32_t mthd)
{
    char *const to = gpucmd_priv_text_claim(t, 9);
    if (to != NULL) { /* hex8 writes 8 digits; "s0 0x" then overwrites the upper 4 */
        gpucmd_priv_text_hex8(to + 1, mthd);
        gpucmd_priv_copy(to, "s0 0x", 5);
        to[1] = (char)('0' + subc);
    } else {
        gpucmd_text_char(t, 's');
        gpucmd_text_dec(t, subc);
        gpucmd_text_str(t, " 0x");
        gpucmd_text_hex(t, mthd, 4);
    }
    if (mthd < 0x100) {
        gpucmd_text_char(t, ' ');
        gpucmd_text_str(t, gpucmd_nv_host_method_name(gate->chip, mthd));
    }
}

/* Append the line of a data word at GPU address at_va. If at_va is below 2^24 and mthd is an engine
 * method, the line has a constant length: for speed, copy a constant line and write the digits over
 * it. */
static void gpucmd_priv_nv_print_data(gpucmd_text *t, const gpucmd_nv_gate *gate,
                                      const gpucmd_nv_cmd *cmd, uint32_t mthd, uint64_t at_va,
                                      uint32_t dw)
{
    static const char usual[] = "0x000000  00000000               s0 0x0000\n";
    char *const to =
        at_va >> 24 == 0 && mthd >= 0x100 ? gpucmd_priv_text_claim(t, sizeof usual - 1) : NULL;
    if (to != NULL) { /* hex8 writes 8 digits; constant text then overwrites the extra digits */
        gpucmd_priv_text_hex8(to, (uint32_t)at_va);
        gpucmd_priv_text_hex8(to + 10, dw);
        gpucmd_priv_text_hex8(to + 34, mthd);
        gpucmd_priv_copy(to, usual, 2);
        gpucmd_priv_copy(to + 8, usual + 8, 2);
        gpucmd_priv_copy(to + 18, usual + 18, 20);
        to[34] = (char)('0' + cmd->subc);
        to[42] = '\n';
        return;
    }
    gpucmd_priv_nv_print_word(t, at_va, dw);
    gpucmd_priv_text_put(t, "             ", 13);
    gpucmd_priv_nv_print_mthd(t, gate, cmd->subc, mthd);
    gpucmd_text_char(t, '\n');
}

/* Append the line of a header word. */
static void gpucmd_priv_nv_print_header(gpucmd_text *t, const gpucmd_nv_gate *gate,
                                        const gpucmd_nv_cmd *cmd, uint64_t at_va)
{
    const char *const name = gpucmd_nv_form_name(cmd->form);
    const bool is_run = gpucmd_nv_form_is_run(cmd->form);
    const bool masks =
        cmd->form == GPUCMD_NV_FORM_SLI_COND || cmd->form == GPUCMD_NV_FORM_SLI_STORE;
    char padded[] = "             ";
    unsigned n = 0;
    gpucmd_priv_nv_print_word(t, at_va, cmd->dw);
    for (; name[n] != '\0'; n++) {
        padded[n] = name[n];
    }
    if (is_run) {
        gpucmd_priv_text_put(t, padded, 13);
        gpucmd_priv_nv_print_mthd(t, gate, cmd->subc, cmd->mthd);
        if (cmd->form == GPUCMD_NV_FORM_IMMD) {
            gpucmd_priv_text_put(t, " = 0x", 5);
            gpucmd_text_hex(t, cmd->value, 1);
        } else if (cmd->form != GPUCMD_NV_FORM_LONG_NON_INC) {
            gpucmd_priv_text_put(t, " n", 2);
            gpucmd_text_dec(t, cmd->count_dw);
        }
    } else if (masks || cmd->form == GPUCMD_NV_FORM_JUMP_OLD || cmd->form == GPUCMD_NV_FORM_JUMP ||
               cmd->form == GPUCMD_NV_FORM_CALL) {
        gpucmd_priv_text_put(t, padded, 13);
        gpucmd_text_str(t, masks ? "mask 0x" : "to 0x");
        gpucmd_text_hex(t, cmd->value, masks ? 3 : 6);
    } else {
        gpucmd_text_str(t, name);
    }
    gpucmd_text_char(t, '\n');
}

GPUCMD_PRIV_API void gpucmd_nv_print(gpucmd_text *t, const gpucmd_nv_gate *gate,
                                     const gpucmd_nv_cmd *cmd, uint64_t at_va)
{
    const uint32_t *dw = cmd->data - cmd->head_dw;
    uint32_t i = 0;
    if (!cmd->resumed) {
        gpucmd_priv_nv_print_header(t, gate, cmd, at_va);
        i++;
    }
    for (; i < cmd->head_dw; i++) {
        gpucmd_priv_nv_print_word(t, at_va + 4 * (uint64_t)i, dw[i]);
        gpucmd_text_str(t, "COUNT        n");
        gpucmd_text_dec(t, cmd->count_dw);
        gpucmd_text_char(t, '\n');
    }
    for (; i < cmd->len_dw; i++) {
        const uint32_t mthd = gpucmd_nv_mthd_at(gate->chip, cmd->kind, cmd->mthd, i - cmd->head_dw);
        gpucmd_priv_nv_print_data(t, gate, cmd, mthd, at_va + 4 * (uint64_t)i, dw[i]);
    }
}

/* Flag of IB entries: an entry has the flag `flag` if the bits `mask` of its word `word` are 1. */
typedef struct gpucmd_priv_nv_entry_row {
    uint32_t mask;
    uint8_t flag;
    uint8_t word;
    uint8_t since; /* first chip with the flag */
    uint8_t until; /* first later chip without the flag */
} gpucmd_priv_nv_entry_row;
#define GPUCMD_NV_PRIV_FLAG(name, flag, word, field, since, until, src)                            \
    {GPUCMD_FIELD_MASK(NV_##field), flag, word, GPUCMD_NV_CHIP_##since, GPUCMD_NV_CHIP_##until},
static const gpucmd_priv_nv_entry_row gpucmd_priv_nv_entry_rows[] = {
    GPUCMD_NV_ENTRY_FLAGS(GPUCMD_NV_PRIV_FLAG)};
#undef GPUCMD_NV_PRIV_FLAG

GPUCMD_PRIV_API gpucmd_status gpucmd_nv_decode_entry(const uint32_t dw[2], gpucmd_nv_chip chip,
                                                     gpucmd_nv_entry *entry)
{
    const bool new_layout = GPUCMD_NV_IS_GF100(chip);
    size_t i;
    if (chip < GPUCMD_NV_CHIP_G80) {
        return GPUCMD_UNSUPPORTED;
    }
    entry->len_dw = new_layout ? GPUCMD_FIELD_GET(NV_ENTRY1_LENGTH, dw[1])
                               : GPUCMD_FIELD_GET(NV_ENTRY1_LENGTH_OLD, dw[1]);
    entry->va = (uint64_t)GPUCMD_FIELD_GET(NV_ENTRY1_GET_HI, dw[1]) << 32 |
                (uint64_t)GPUCMD_FIELD_GET(NV_ENTRY0_GET, dw[0]) * 4;
    entry->is_control = new_layout && entry->len_dw == 0;
    entry->opcode = GPUCMD_FIELD_GET(NV_ENTRY1_OPCODE, dw[1]);
    entry->operand = GPUCMD_FIELD_GET(NV_ENTRY0_OPERAND, dw[0]);
    entry->flags = 0;
    entry->stray[0] = entry->is_control ? 0 : dw[0] & ~GPUCMD_FIELD_MASK(NV_ENTRY0_GET);
    entry->stray[1] = dw[1] & ~GPUCMD_FIELD_MASK(NV_ENTRY1_GET_HI) &
                      ~(new_layout ? GPUCMD_FIELD_MASK(NV_ENTRY1_LENGTH)
                                   : GPUCMD_FIELD_MASK(NV_ENTRY1_LENGTH_OLD));
    for (i = 0; i < sizeof gpucmd_priv_nv_entry_rows / sizeof gpucmd_priv_nv_entry_rows[0]; i++) {
        const gpucmd_priv_nv_entry_row *const row = &gpucmd_priv_nv_entry_rows[i];
        if (gpucmd_priv_nv_in(chip, row->since, row->until) &&
            (!entry->is_control || row->flag == GPUCMD_NV_ENTRY_SYNC_WAIT)) {
            entry->flags |= (dw[row->word] & row->mask) != 0 ? row->flag : 0u;
            entry->stray[row->word] &= ~row->mask;
        }
    }
    return GPUCMD_OK;
}

GPUCMD_PRIV_API void gpucmd_nv_print_entry(gpucmd_text *t, gpucmd_nv_chip chip,
                                           const uint32_t dw[2], uint64_t at_va)
{
    gpucmd_nv_entry entry;
    gpucmd_priv_nv_print_word(t, at_va, dw[0]);
    gpucmd_text_hex(t, dw[1], 8);
    gpucmd_text_str(t, "  ");
    if (gpucmd_nv_decode_entry(dw, chip, &entry) != GPUCMD_OK) {
        gpucmd_text_str(t, "INVALID\n");
        return;
    }
    if (entry.is_control) {
        const char *name = gpucmd_nv_control_name(chip, entry.opcode);
        gpucmd_text_str(t, *name != '?' ? name : "");
        gpucmd_text_str(t, *name != '?' ? " opcode " : "opcode ");
        gpucmd_text_dec(t, entry.opcode);
        gpucmd_text_str(t, " operand 0x");
        gpucmd_text_hex(t, entry.operand, 8);
    } else {
        gpucmd_text_str(t, "segment 0x");
        gpucmd_text_hex(t, entry.va, 10);
        gpucmd_text_str(t, " n");
        gpucmd_text_dec(t, entry.len_dw);
    }
#define GPUCMD_NV_PRIV_FLAG(name, flag, word, field, since, until, src)                            \
    if ((entry.flags & GPUCMD_NV_ENTRY_##name) != 0) {                                             \
        gpucmd_text_str(t, "\n                            " #name);                                \
    }
    GPUCMD_NV_ENTRY_FLAGS(GPUCMD_NV_PRIV_FLAG)
#undef GPUCMD_NV_PRIV_FLAG
    gpucmd_text_char(t, '\n');
}

/* ==== [NV.IMPL.CHECK] ====================================================================== */

GPUCMD_PRIV_TEXT_FUNCTION(gpucmd_nv_rule_name, gpucmd_nv_rule,
                          GPUCMD_NV_RULES(GPUCMD_PRIV_ROW_NAME))
GPUCMD_PRIV_TEXT_FUNCTION(gpucmd_nv_rule_text, gpucmd_nv_rule,
                          GPUCMD_NV_RULES(GPUCMD_PRIV_ROW_TEXT_3))

#define GPUCMD_NV_PRIV_SEVERITY(name, severity, text) GPUCMD_SEVERITY_##severity,

GPUCMD_PRIV_API gpucmd_severity gpucmd_nv_rule_severity(gpucmd_nv_rule rule)
{
    static const uint8_t severities[] = {GPUCMD_NV_RULES(GPUCMD_NV_PRIV_SEVERITY)};
    return (size_t)rule < sizeof severities ? (gpucmd_severity)severities[rule]
                                            : GPUCMD_SEVERITY_ERROR;
}

/* State of gpucmd_nv_check and gpucmd_nv_check_entries. */
typedef struct gpucmd_priv_nv_checker {
    const gpucmd_nv_gate *gate;
    gpucmd_nv_finding_fn found;
    void *user;
    size_t errors;
    gpucmd_status status; /* result of the last call of found; if not GPUCMD_OK, the check stops */
    uint64_t base_va;     /* the target of a jump must be in [base_va, base_va + base_bytes) */
    uint64_t base_bytes;
    bool run_wraps;       /* METHOD_WRAP or OLD_METHOD_WRAP was reported for this method run */
    uint32_t run_unknown; /* method of the last UNKNOWN_METHOD in this method run, or 0xffffffff */
} gpucmd_priv_nv_checker;

/* Report a finding: call c->found, and count the finding in c->errors if its severity is ERROR. If
 * c->found has returned a failure before, do nothing. */
static void gpucmd_priv_nv_find(gpucmd_priv_nv_checker *c, gpucmd_nv_rule rule, uint64_t at_va,
                                uint32_t dw, uint32_t mthd, uint32_t value)
{
    gpucmd_nv_finding finding;
    if (c->status != GPUCMD_OK) {
        return;
    }
    if (gpucmd_nv_rule_severity(rule) == GPUCMD_SEVERITY_ERROR) {
        c->errors++;
    }
    if (c->found != NULL) {
        finding.rule = rule;
        finding.at_va = at_va;
        finding.dw = dw;
        finding.mthd = mthd;
        finding.value = value;
        c->status = c->found(c->user, &finding);
    }
}

/* Check the method addresses of the data words of cmd. */
static void gpucmd_priv_nv_check_methods(gpucmd_priv_nv_checker *c, const gpucmd_nv_cmd *cmd,
                                         uint64_t at_va)
{
    uint32_t i;
    const gpucmd_nv_chip chip = c->gate->chip;
    const bool immd = cmd->form == GPUCMD_NV_FORM_IMMD;
    const uint32_t here_dw = immd ? 1 : cmd->len_dw - cmd->head_dw;
    const uint32_t last =
        (GPUCMD_NV_IS_GF100(chip) ? GPUCMD_FIELD_MAX(NV_HDR_MTHD) : GPUCMD_FIELD_MAX(NV_OLD_MTHD)) +
        1;
    if (!cmd->resumed) {
        c->run_unknown = 0xffffffffu;
        c->run_wraps =
            (cmd->kind == GPUCMD_NV_KIND_INC && cmd->mthd / 4 + cmd->count_dw > last) ||
            (cmd->kind == GPUCMD_NV_KIND_ONE_INC && cmd->count_dw > 1 && cmd->mthd / 4 + 2 > last);
        if (c->run_wraps) {
            gpucmd_priv_nv_find(c,
                                GPUCMD_NV_IS_GF100(chip) ? GPUCMD_NV_RULE_METHOD_WRAP
                                                         : GPUCMD_NV_RULE_OLD_METHOD_WRAP,
                                at_va, cmd->dw, cmd->mthd, 0);
        }
    }
    for (i = 0; i < here_dw && !(c->run_wraps && GPUCMD_NV_IS_GF100(chip)); i++) {
        const uint32_t mthd = gpucmd_nv_mthd_at(chip, cmd->kind, cmd->mthd, i);
        if (!gpucmd_nv_knows_mthd(chip, mthd) && mthd != c->run_unknown) {
            c->run_unknown = mthd;
            gpucmd_priv_nv_find(c, GPUCMD_NV_RULE_UNKNOWN_METHOD,
                                at_va + (immd ? 0 : 4 * (uint64_t)(cmd->head_dw + i)),
                                immd ? cmd->dw : cmd->data[i], mthd, 0);
        }
        if (cmd->kind == GPUCMD_NV_KIND_INC ? mthd >= 0x100 && !c->run_wraps
                                            : cmd->kind != GPUCMD_NV_KIND_ONE_INC || i != 0) {
            break; /* the remaining words are engine methods or repeat this method */
        }
    }
}

static void gpucmd_priv_nv_check_command(gpucmd_priv_nv_checker *c, const gpucmd_nv_cmd *cmd,
                                         uint64_t at_va)
{
    if (cmd->stray != 0) { /* the reserved bits of LONG_NON_INC are in its count word */
        const uint32_t i = cmd->head_dw == 2 ? 1 : 0;
        gpucmd_priv_nv_find(c, GPUCMD_NV_RULE_STRAY_BITS, at_va + 4 * (uint64_t)i,
                            i != 0 ? cmd->data[-1] : cmd->dw, 0, cmd->stray);
    }
    if (cmd->form == GPUCMD_NV_FORM_INVALID) {
        const gpucmd_nv_form form = GPUCMD_NV_IS_GF100(c->gate->chip)
                                        ? gpucmd_priv_nv_match_new(cmd->dw)
                                        : gpucmd_priv_nv_match_old(cmd->dw);
        gpucmd_priv_nv_find(c,
                            form == GPUCMD_NV_FORM_INVALID ? GPUCMD_NV_RULE_INVALID_COMMAND
                                                           : GPUCMD_NV_RULE_UNSUPPORTED_FORM,
                            at_va, cmd->dw, 0, (uint32_t)form);
    } else if (gpucmd_nv_form_is_run(cmd->form)) {
        if (!cmd->resumed && cmd->count_dw == 0 && cmd->dw != 0 &&
            cmd->form != GPUCMD_NV_FORM_IMMD && cmd->form != GPUCMD_NV_FORM_LONG_NON_INC) {
            gpucmd_priv_nv_find(c, GPUCMD_NV_RULE_EMPTY_RUN, at_va, cmd->dw, cmd->mthd, 0);
        }
        gpucmd_priv_nv_check_methods(c, cmd, at_va);
    } else if (cmd->form == GPUCMD_NV_FORM_RETURN) {
        gpucmd_priv_nv_find(c, GPUCMD_NV_RULE_RETURN_OUTSIDE, at_va, cmd->dw, 0, 0);
    } else if ((cmd->form == GPUCMD_NV_FORM_JUMP_OLD || cmd->form == GPUCMD_NV_FORM_JUMP ||
                cmd->form == GPUCMD_NV_FORM_CALL) &&
               cmd->value - c->base_va >= c->base_bytes) {
        gpucmd_priv_nv_find(c, GPUCMD_NV_RULE_JUMP_OUTSIDE, at_va, cmd->dw, 0, cmd->value);
    }
}

/* Check len_dw words of a segment, the first at GPU address at_va; the segment has more_dw words
 * after them. Return false if END_SEGMENT was found, otherwise true. */
static bool gpucmd_priv_nv_check_words(gpucmd_priv_nv_checker *c, gpucmd_nv_walk *walk,
                                       const uint32_t *dw, size_t len_dw, uint64_t at_va,
                                       uint32_t more_dw)
{
    gpucmd_nv_cmd cmd;
    gpucmd_nv_walk_segment(walk, dw, len_dw);
    while (c->status == GPUCMD_OK && gpucmd_nv_walk_next(walk, &cmd)) {
        gpucmd_priv_nv_check_command(c, &cmd, at_va);
        at_va += 4 * (uint64_t)cmd.len_dw;
        if (cmd.form == GPUCMD_NV_FORM_END_SEGMENT) {
            if (walk->cur != walk->end || more_dw != 0) {
                gpucmd_priv_nv_find(c, GPUCMD_NV_RULE_AFTER_END, at_va,
                                    walk->cur != walk->end ? *walk->cur : 0, 0, 0);
            }
            return false;
        }
    }
    return true;
}

static void gpucmd_priv_nv_check_begin(gpucmd_priv_nv_checker *c, const gpucmd_nv_gate *gate,
                                       gpucmd_nv_finding_fn found, void *user)
{
    gpucmd_priv_zero(c, sizeof *c);
    c->gate = gate;
    c->found = found;
    c->user = user;
}

/* If a method run continues after the last word that was checked, report TRUNCATED. */
static void gpucmd_priv_nv_check_end(gpucmd_priv_nv_checker *c, const gpucmd_nv_walk *walk,
                                     uint64_t at_va)
{
    if (gpucmd_nv_walk_pending(walk)) {
        gpucmd_priv_nv_find(c, GPUCMD_NV_RULE_TRUNCATED, at_va, 0, walk->mthd,
                            walk->lenp ? 1 : walk->left_dw);
    }
}

GPUCMD_PRIV_API gpucmd_status gpucmd_nv_check(const gpucmd_nv_gate *gate, const uint32_t *dw,
                                              size_t len_dw, uint64_t base_va,
                                              gpucmd_nv_finding_fn found, void *user,
                                              size_t *errors)
{
    gpucmd_priv_nv_checker c;
    gpucmd_nv_walk walk;
    gpucmd_priv_nv_check_begin(&c, gate, found, user);
    c.base_va = base_va;
    c.base_bytes = 4 * (uint64_t)len_dw;
    gpucmd_nv_walk_init(&walk, gate);
    (void)gpucmd_priv_nv_check_words(&c, &walk, dw, len_dw, base_va, 0);
    gpucmd_priv_nv_check_end(&c, &walk, base_va + 4 * (uint64_t)len_dw);
    *errors = c.errors;
    return c.status;
}

/* Check the words of a segment in GPU memory. The words are copied to a buffer, 32 at a time. */
static void gpucmd_priv_nv_check_segment(gpucmd_priv_nv_checker *c, gpucmd_nv_walk *walk,
                                         gpucmd_mem *mem, uint64_t va, uint32_t len_dw)
{
    uint32_t dw[32];
    uint8_t bytes[sizeof dw];
    if (gpucmd_mem_probe(mem, va, 4 * (uint64_t)len_dw, GPUCMD_ACCESS_READ) != GPUCMD_OK) {
        gpucmd_priv_nv_find(c, GPUCMD_NV_RULE_ENTRY_MEMORY, mem->fault_va, 0, 0, 0);
        return;
    }
    while (len_dw != 0) {
        const uint32_t n_dw = len_dw < 32 ? len_dw : 32;
        if (gpucmd_mem_read(mem, va, bytes, 4 * (uint64_t)n_dw) != GPUCMD_OK) {
            return;
        }
        gpucmd_load_words(dw, bytes, n_dw, GPUCMD_LITTLE_ENDIAN);
        if (!gpucmd_priv_nv_check_words(c, walk, dw, n_dw, va, len_dw - n_dw)) {
            return;
        }
        va += 4 * (uint64_t)n_dw;
        len_dw -= n_dw;
    }
}

/* Check an IB entry. Return true if its segment, which may be empty, must be checked. */
static bool gpucmd_priv_nv_check_entry(gpucmd_priv_nv_checker *c, const uint32_t dw[2],
                                       const gpucmd_nv_entry *entry, uint64_t at_va)
{
    const gpucmd_nv_chip chip = c->gate->chip;
    const uint64_t end_va = entry->va + 4 * (uint64_t)entry->len_dw;
    bool known = false;
    if ((entry->stray[0] | entry->stray[1]) != 0) {
        gpucmd_priv_nv_find(c, GPUCMD_NV_RULE_ENTRY_STRAY, at_va, dw[entry->stray[0] != 0 ? 0 : 1],
                            0, entry->stray[entry->stray[0] != 0 ? 0 : 1]);
    }
    if ((entry->flags & GPUCMD_NV_ENTRY_DISABLE) != 0) {
        return false;
    }
#define GPUCMD_NV_PRIV_CONTROL(name, op, since, src)                                               \
    known = known || (entry->opcode == (op) && chip >= GPUCMD_NV_CHIP_##since &&                   \
                      GPUCMD_NV_CONTROL_##name != GPUCMD_NV_CONTROL_ILLEGAL);
    GPUCMD_NV_CONTROLS(GPUCMD_NV_PRIV_CONTROL)
#undef GPUCMD_NV_PRIV_CONTROL
    if (entry->is_control && !known) {
        gpucmd_priv_nv_find(c, GPUCMD_NV_RULE_ENTRY_OPCODE, at_va, dw[1], 0, entry->opcode);
    } else if (!entry->is_control && entry->len_dw == 0) {
        gpucmd_priv_nv_find(c, GPUCMD_NV_RULE_EMPTY_ENTRY, at_va, dw[1], 0, 0);
    } else if (end_va >
               ((uint64_t)1 << GPUCMD_NV_ENTRY_VA_BITS) - (GPUCMD_NV_IS_GF100(chip) ? 1 : 0)) {
        gpucmd_priv_nv_find(c, GPUCMD_NV_RULE_ENTRY_RANGE, at_va, dw[1], 0, entry->len_dw);
        return false;
    }
    return true;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_nv_check_entries(const gpucmd_nv_gate *gate,
                                                      const uint32_t *entries, size_t count,
                                                      uint64_t ring_va, gpucmd_mem *mem,
                                                      gpucmd_nv_finding_fn found, void *user,
                                                      size_t *errors)
{
    size_t i;
    gpucmd_priv_nv_checker c;
    gpucmd_nv_walk walk;
    gpucmd_nv_entry entry;
    uint64_t base_va = 0;
    bool header_conditional = false; /* the segment of the last header has FETCH_CONDITIONAL */
    gpucmd_priv_nv_check_begin(&c, gate, found, user);
    gpucmd_nv_walk_init(&walk, gate);
    for (i = 0; i < count && c.status == GPUCMD_OK; i++) {
        const uint32_t *dw = entries + 2 * i;
        const uint64_t at_va = ring_va + 8 * (uint64_t)i;
        if (gpucmd_nv_decode_entry(dw, gate->chip, &entry) != GPUCMD_OK) {
            return GPUCMD_UNSUPPORTED;
        }
        if (entry.is_control && entry.opcode == GPUCMD_NV_CONTROL_SET_PB_SEGMENT_EXTENDED_BASE &&
            gate->chip >= GPUCMD_NV_CHIP_GH100) {
            base_va = (uint64_t)GPUCMD_FIELD_GET(NV_EXTENDED_BASE, entry.operand)
                      << GPUCMD_NV_ENTRY_VA_BITS;
        }
        if (gpucmd_priv_nv_check_entry(&c, dw, &entry, at_va)) {
            const bool conditional = (entry.flags & GPUCMD_NV_ENTRY_FETCH_CONDITIONAL) != 0;
            if (mem != NULL && gpucmd_nv_walk_pending(&walk) && conditional &&
                !header_conditional) {
                gpucmd_priv_nv_find(&c, GPUCMD_NV_RULE_RUN_CONDITIONAL, at_va, dw[0], 0, 0);
            }
            if (!gpucmd_nv_walk_pending(&walk) || entry.len_dw > walk.left_dw) {
                header_conditional = conditional;
            }
            if (mem != NULL) {
                gpucmd_priv_nv_check_segment(&c, &walk, mem, base_va + entry.va, entry.len_dw);
            }
        }
    }
    gpucmd_priv_nv_check_end(&c, &walk, ring_va + 8 * (uint64_t)count);
    *errors = c.errors;
    return c.status;
}

/* ---- host methods and copies ---- */

GPUCMD_PRIV_TEXT_FUNCTION(gpucmd_nv_host_rule_name, gpucmd_nv_host_rule,
                          GPUCMD_NV_HOST_RULES(GPUCMD_PRIV_ROW_NAME))
GPUCMD_PRIV_TEXT_FUNCTION(gpucmd_nv_host_rule_text, gpucmd_nv_host_rule,
                          GPUCMD_NV_HOST_RULES(GPUCMD_PRIV_ROW_TEXT_3))

GPUCMD_PRIV_API gpucmd_severity gpucmd_nv_host_rule_severity(gpucmd_nv_host_rule rule)
{
    static const uint8_t severities[] = {GPUCMD_NV_HOST_RULES(GPUCMD_NV_PRIV_SEVERITY)};
    return (size_t)rule < sizeof severities ? (gpucmd_severity)severities[rule]
                                            : GPUCMD_SEVERITY_ERROR;
}
#undef GPUCMD_NV_PRIV_SEVERITY

/* Values that the methods checked so far have set in the engine of a subchannel. */
typedef struct gpucmd_priv_nv_check_host_engine {
    gpucmd_nv_model model;
    uint32_t length; /* LINE_LENGTH_IN, in bytes or elements */
    uint32_t lines;
    uint64_t sem_va;
} gpucmd_priv_nv_check_host_engine;

/* State of gpucmd_nv_check_host: values from earlier methods, and the current method. */
typedef struct gpucmd_priv_nv_check_host {
    const gpucmd_nv_host_check *check;
    size_t stream;
    size_t *errors;
    size_t released;        /* used elements of check->released; cap + 1: the array is too small */
    bool collect;           /* true: first walk over all streams, which only collects releases */
    uint32_t bound;         /* bit i: subchannel i is bound, or UNBOUND_SUBCHANNEL was reported */
    uint64_t sem_va;        /* of SEMAPHOREA and SEMAPHOREB */
    uint64_t sem_new_va;    /* of SEM_ADDR_LO and SEM_ADDR_HI */
    uint64_t dma_semaphore; /* (data of DMA_SEMAPHORE << 16) + offset of the semaphore */
    bool dma_set;           /* DMA_SEMAPHORE was written, or SEM_NOT_SET was reported */
    bool off_set;           /* SEMAPHORE_OFFSET was written, or SEM_NOT_SET was reported */
    bool unflushed;         /* no flush followed the last copy */
    bool running;           /* an engine may be busy */
    uint32_t mem_op_a;
    uint32_t mem_op_c;
    gpucmd_priv_nv_check_host_engine engines[GPUCMD_NV_SUBCHANNELS];
    /* The current data word: its address, its subchannel, its method and the word itself. */
    uint64_t at_va;
    uint32_t subc;
    uint32_t mthd;
    uint32_t dw;
    gpucmd_status status;
} gpucmd_priv_nv_check_host;

/* Report a finding at the current method: call check->found, and count the finding in *l->errors if
 * its severity is ERROR. Do nothing if l->collect is true, or if check->found failed before. */
static void gpucmd_priv_nv_check_host_find(gpucmd_priv_nv_check_host *l, gpucmd_nv_host_rule rule,
                                           uint64_t value)
{
    gpucmd_nv_host_finding finding;
    if (l->collect || l->status != GPUCMD_OK) {
        return;
    }
    *l->errors += gpucmd_nv_host_rule_severity(rule) == GPUCMD_SEVERITY_ERROR;
    finding.rule = rule;
    finding.stream = l->stream;
    finding.at_va = l->at_va;
    finding.subc = l->subc;
    finding.mthd = l->mthd;
    finding.value = value;
    if (l->check->found != NULL) {
        l->status = l->check->found(l->check->user, &finding);
    }
}

/* If l->collect is true, add a released semaphore (4, 8 or 16 bytes at at_va) to check->released,
 * unless the array contains it. Bits 1:0 of an array element are log2 of the size in words. */
static void gpucmd_priv_nv_check_host_release(gpucmd_priv_nv_check_host *l, uint64_t at_va,
                                              uint32_t bytes)
{
    size_t i;
    const uint64_t va = (at_va & ~(uint64_t)3) | bytes / 8;
    if (!l->collect || l->check->released == NULL || l->released > l->check->cap) {
        return;
    }
    for (i = 0; i < l->released; i++) {
        if (l->check->released[i] == va) {
            return;
        }
    }
    if (l->released < l->check->cap) {
        l->check->released[l->released] = va;
    }
    l->released++;
}

/* Report SEM_NEVER_RELEASED if no release in check->released overlaps the bytes
 * at va. If the array is NULL or too small, report nothing. */
static void gpucmd_priv_nv_check_host_acquire(gpucmd_priv_nv_check_host *l, uint64_t va,
                                              uint32_t bytes)
{
    size_t i;
    if (l->check->released == NULL || l->released > l->check->cap) {
        return;
    }
    for (i = 0; i < l->released; i++) {
        const uint64_t at_va = l->check->released[i] & ~(uint64_t)3;
        if (va - at_va < gpucmd_priv_shl(4, l->check->released[i] & 3) || at_va - va < bytes) {
            return;
        }
    }
    gpucmd_priv_nv_check_host_find(l, GPUCMD_NV_HOST_RULE_SEM_NEVER_RELEASED, va);
}

/* Check the host method SEMAPHORED or SEM_EXECUTE. */
static void gpucmd_priv_nv_check_host_sem(gpucmd_priv_nv_check_host *l)
{
    const gpucmd_nv_chip chip = l->check->gate.chip;
    const bool is_new = l->mthd == GPUCMD_NV_HOST_SEM_EXECUTE;
    const gpucmd_nv_sem_op op =
        gpucmd_nv_sem_op_of(chip, l->mthd,
                            is_new ? GPUCMD_FIELD_GET(NV_SEM_EXECUTE_OPERATION, l->dw)
                                   : gpucmd_priv_nv_semaphored_number(chip, l->dw));
    const bool writes = op == GPUCMD_NV_SEM_OP_RELEASE || op == GPUCMD_NV_SEM_OP_REDUCTION;
    const bool is_long =
        op == GPUCMD_NV_SEM_OP_RELEASE && GPUCMD_FIELD_GET(NV_SEMAPHORED_RELEASE_SIZE, l->dw) == 0;
    const uint64_t va = is_new ? l->sem_new_va : l->sem_va;
    uint32_t bytes = is_long || (writes && !GPUCMD_NV_IS_GF100(chip)) ? 16 : 4;
    if (op == GPUCMD_NV_SEM_OP_NONE ||
        (op == GPUCMD_NV_SEM_OP_REDUCTION && /* SEMAPHORED has both fields, too */
         !gpucmd_nv_knows_reduction(GPUCMD_FIELD_GET(NV_SEM_EXECUTE_REDUCTION, l->dw),
                                    is_new &&
                                        GPUCMD_FIELD_GET(NV_SEM_EXECUTE_PAYLOAD_SIZE, l->dw) != 0,
                                    GPUCMD_FIELD_GET(NV_SEM_EXECUTE_FORMAT, l->dw) != 0))) {
        gpucmd_priv_nv_check_host_find(l, GPUCMD_NV_HOST_RULE_SEM_OPERATION, l->dw);
        return;
    }
    if (is_new) { /* the address of SEMAPHOREB is checked when it is written */
        bytes = writes && GPUCMD_FIELD_GET(NV_SEM_EXECUTE_RELEASE_TIMESTAMP, l->dw) != 0 ? 16
                : GPUCMD_FIELD_GET(NV_SEM_EXECUTE_PAYLOAD_SIZE, l->dw) != 0              ? 8
                                                                                         : 4;
        if (gpucmd_priv_rem((uint32_t)va, bytes) != 0) {
            gpucmd_priv_nv_check_host_find(l, GPUCMD_NV_HOST_RULE_SEM_MISALIGNED, va);
        }
    }
    if (writes) {
        const bool waits = is_new ? GPUCMD_FIELD_GET(NV_SEM_EXECUTE_RELEASE_WFI, l->dw) != 0
                                  : GPUCMD_FIELD_GET(NV_SEMAPHORED_RELEASE_WFI, l->dw) == 0;
        if (GPUCMD_NV_IS_GF100(chip) && l->running && !waits) {
            gpucmd_priv_nv_check_host_find(l, GPUCMD_NV_HOST_RULE_RELEASE_NO_WAIT, va);
        }
        l->running = l->running && !waits;
        gpucmd_priv_nv_check_host_release(l, va, bytes);
    } else {
        gpucmd_priv_nv_check_host_acquire(l, va, bytes);
    }
}

/* Check the host methods DMA_SEMAPHORE to SEMAPHORE_RELEASE (NV1A and later, before GF100). */
static void gpucmd_priv_nv_check_host_dma_sem(gpucmd_priv_nv_check_host *l)
{
    const bool g80 = l->check->gate.chip >= GPUCMD_NV_CHIP_G80;
    const uint32_t most =
        g80 ? GPUCMD_FIELD_MASK(NV_SEMAPHORE_OFFSET_G80) : GPUCMD_FIELD_MASK(NV_SEMAPHORE_OFFSET);
    const uint64_t low = 0xffff;
    uint64_t key = (uint64_t)1 << 63 | l->dma_semaphore;
    switch (l->mthd) {
    case GPUCMD_NV_HOST_DMA_SEMAPHORE:
        l->dma_semaphore = (uint64_t)l->dw << 16 | (l->dma_semaphore & low);
        l->dma_set = true;
        break;
    case GPUCMD_NV_HOST_SEMAPHORE_OFFSET:
        l->dma_semaphore = (l->dma_semaphore & ~low) | (l->dw & most);
        l->off_set = true;
        key = (uint64_t)1 << 63 | l->dma_semaphore;
        if (l->dw % 4 != 0) {
            gpucmd_priv_nv_check_host_find(l, GPUCMD_NV_HOST_RULE_SEM_MISALIGNED, key + l->dw % 4);
        } else if ((l->dw & ~most) != 0) {
            gpucmd_priv_nv_check_host_find(l, GPUCMD_NV_HOST_RULE_SEM_RANGE, l->dw);
        }
        break;
    case GPUCMD_NV_HOST_SEMAPHORE_ACQUIRE:
    case GPUCMD_NV_HOST_SEMAPHORE_RELEASE:
        if (g80 ? !l->off_set : !l->dma_set) {
            gpucmd_priv_nv_check_host_find(l, GPUCMD_NV_HOST_RULE_SEM_NOT_SET, key);
            l->off_set = l->dma_set = true;
        } else if (l->mthd == GPUCMD_NV_HOST_SEMAPHORE_ACQUIRE) {
            gpucmd_priv_nv_check_host_acquire(l, key, 4);
        } else {
            gpucmd_priv_nv_check_host_release(l, key, 4);
        }
        break;
    }
}

/* Check the host method SET_OBJECT, and store the model of the bound engine. */
static void gpucmd_priv_nv_check_host_bind(gpucmd_priv_nv_check_host *l)
{
    const gpucmd_nv_chip chip = l->check->gate.chip;
    gpucmd_priv_nv_check_host_engine *e = &l->engines[l->subc];
    gpucmd_nv_object object;
    gpucmd_nv_chip since;
    gpucmd_priv_zero(e, sizeof *e);
    gpucmd_priv_zero(&object, sizeof object);
    l->bound |= (uint32_t)1 << l->subc;
    if (GPUCMD_NV_IS_GF100(chip)) {
        e->model = gpucmd_nv_class_model(GPUCMD_FIELD_GET(NV_OBJECT_CLASS, l->dw), &since);
        if (chip < since) {
            e->model = GPUCMD_NV_MODEL_OTHER;
            gpucmd_priv_nv_check_host_find(l, GPUCMD_NV_HOST_RULE_UNKNOWN_OBJECT, l->dw);
        }
    } else if (l->check->object == NULL) {
        return; /* methods of an unknown class are not checked */
    } else if (l->check->object(l->check->object_user, (uint32_t)l->stream, l->dw, &object) ==
               GPUCMD_OK) {
        e->model = object.software ? GPUCMD_NV_MODEL_SOFTWARE
                                   : gpucmd_nv_class_model(object.class_id, &since);
    } else {
        gpucmd_priv_nv_check_host_find(l, GPUCMD_NV_HOST_RULE_UNKNOWN_OBJECT, l->dw);
    }
}

/* Check the data word of YIELD or the last MEM_OP method. Report TLB_NO_BARRIER if a
 * TLB invalidation has SYSMEMBAR, but ACK is 0 or GPC is not 0: hardware then
 * ignores SYSMEMBAR. [PBDMA] */
static void gpucmd_priv_nv_check_host_value(gpucmd_priv_nv_check_host *l)
{
    const gpucmd_nv_chip chip = l->check->gate.chip;
    const uint32_t op = GPUCMD_FIELD_GET(NV_MEM_OP_OPERATION, l->dw);
    const bool yields = l->mthd == GPUCMD_NV_HOST_YIELD;
    if (GPUCMD_NV_IS_GF100(chip) &&
        !(yields ? gpucmd_nv_knows_yield(chip, GPUCMD_FIELD_GET(NV_YIELD_OP, l->dw))
                 : gpucmd_nv_knows_mem_op(chip, op))) {
        gpucmd_priv_nv_check_host_find(l, GPUCMD_NV_HOST_RULE_HOST_VALUE, l->dw);
    } else if (chip >= GPUCMD_NV_CHIP_GP100 && !yields &&
               (op == GPUCMD_NV_MEM_OP_MMU_TLB_INVALIDATE ||
                op == GPUCMD_NV_MEM_OP_MMU_TLB_INVALIDATE_TARGETED) &&
               GPUCMD_FIELD_GET(NV_MEM_OP_TLB_SYSMEMBAR, l->mem_op_a) != 0 &&
               (GPUCMD_FIELD_GET(NV_MEM_OP_TLB_ACK, l->mem_op_c) == 0 ||
                GPUCMD_FIELD_GET(NV_MEM_OP_TLB_GPC, l->mem_op_c) != 0)) {
        gpucmd_priv_nv_check_host_find(l, GPUCMD_NV_HOST_RULE_TLB_NO_BARRIER, l->dw);
    }
}

/* Check a host method, and store the values that later methods need. */
static void gpucmd_priv_nv_check_host_host(gpucmd_priv_nv_check_host *l)
{
    const gpucmd_nv_chip chip = l->check->gate.chip;
    const uint32_t upper = gpucmd_priv_nv_sem_upper(chip);
    const uint64_t low = 0xffffffffu;
    if (!gpucmd_nv_knows_mthd(chip, l->mthd)) {
        gpucmd_priv_nv_check_host_find(l, GPUCMD_NV_HOST_RULE_HOST_METHOD, l->dw);
        return;
    }
    if (l->mthd == GPUCMD_NV_HOST_SET_OBJECT) {
        gpucmd_priv_nv_check_host_bind(l);
    } else if (l->mthd == GPUCMD_NV_HOST_SEMAPHOREA) {
        l->sem_va = (uint64_t)(l->dw & upper) << 32 | (l->sem_va & low);
        if (!GPUCMD_NV_IS_GF100(chip) && (l->dw & ~upper) != 0) {
            gpucmd_priv_nv_check_host_find(l, GPUCMD_NV_HOST_RULE_SEM_RANGE, l->dw);
        }
    } else if (l->mthd == GPUCMD_NV_HOST_SEMAPHOREB) {
        l->sem_va = (l->sem_va & ~low) | l->dw;
        if (l->dw % 4 != 0) {
            gpucmd_priv_nv_check_host_find(l, GPUCMD_NV_HOST_RULE_SEM_MISALIGNED, l->sem_va);
        }
    } else if (l->mthd == GPUCMD_NV_HOST_SEMAPHORED) {
        gpucmd_priv_nv_check_host_sem(l);
    } else if (l->mthd == GPUCMD_NV_HOST_REF_CNT || l->mthd == GPUCMD_NV_HOST_WFI) {
        l->running = false;
    } else if (l->mthd == GPUCMD_NV_HOST_YIELD || l->mthd == gpucmd_priv_nv_mem_op_last(chip)) {
        gpucmd_priv_nv_check_host_value(l);
    } else if (l->mthd == GPUCMD_NV_HOST_MEM_OP_A) {
        l->mem_op_a = l->dw;
    } else if (l->mthd == GPUCMD_NV_HOST_MEM_OP_C) {
        l->mem_op_c = l->dw;
    } else if (!GPUCMD_NV_IS_GF100(chip) && l->mthd >= GPUCMD_NV_HOST_DMA_SEMAPHORE) {
        gpucmd_priv_nv_check_host_dma_sem(l);
    } else if (chip >= GPUCMD_NV_CHIP_GV100 && l->mthd == GPUCMD_NV_HOST_SEM_ADDR_LO) {
        l->sem_new_va = (l->sem_new_va & ~low) | (l->dw & GPUCMD_FIELD_MASK(NV_SEM_LOWER));
        if (l->dw % 4 != 0) {
            gpucmd_priv_nv_check_host_find(l, GPUCMD_NV_HOST_RULE_SEM_MISALIGNED,
                                           l->sem_new_va + l->dw % 4);
        }
    } else if (chip >= GPUCMD_NV_CHIP_GV100 && l->mthd == GPUCMD_NV_HOST_SEM_ADDR_HI) {
        l->sem_new_va = (uint64_t)(l->dw & upper) << 32 | (l->sem_new_va & low);
    } else if (chip >= GPUCMD_NV_CHIP_GV100 && l->mthd == GPUCMD_NV_HOST_SEM_EXECUTE) {
        gpucmd_priv_nv_check_host_sem(l);
    }
}

/* Check the method LAUNCH_DMA of the copy engine. */
static void gpucmd_priv_nv_check_host_launch(gpucmd_priv_nv_check_host *l)
{
    const gpucmd_priv_nv_check_host_engine *e = &l->engines[l->subc];
    const uint32_t type = GPUCMD_FIELD_GET(NV_LAUNCH_SEMAPHORE, l->dw);
    const bool lined = GPUCMD_FIELD_GET(NV_LAUNCH_MULTI_LINE, l->dw) != 0;
    const bool copies = GPUCMD_FIELD_GET(NV_LAUNCH_TRANSFER, l->dw) != 0;
    if (copies && (e->length == 0 || (lined && e->lines == 0))) {
        gpucmd_priv_nv_check_host_find(l, GPUCMD_NV_HOST_RULE_COPY_EMPTY, l->dw);
    }
    l->unflushed = (l->unflushed || copies) && GPUCMD_FIELD_GET(NV_LAUNCH_FLUSH, l->dw) == 0;
    l->running = l->running || copies;
    if (type != 0) {
        if (l->unflushed) {
            gpucmd_priv_nv_check_host_find(l, GPUCMD_NV_HOST_RULE_RELEASE_NO_FLUSH, e->sem_va);
        }
        if ((e->sem_va & (type == 2 ? 15 : 3)) != 0) {
            gpucmd_priv_nv_check_host_find(l, GPUCMD_NV_HOST_RULE_SEM_MISALIGNED, e->sem_va);
        }
        /* If the field SEMAPHORE is 1, the GPU writes 4 or 8 bytes; here 8 is assumed. */
        gpucmd_priv_nv_check_host_release(l, e->sem_va, type == 2 ? 16 : 8);
    }
}

/* Check a method that starts a copy or upload, except LAUNCH_DMA of the copy
 * engine. releases is true if the engine releases a semaphore at the end. */
static void gpucmd_priv_nv_check_host_begin(gpucmd_priv_nv_check_host *l, bool releases)
{
    const gpucmd_priv_nv_check_host_engine *e = &l->engines[l->subc];
    l->running = true;
    if (e->length == 0 || e->lines == 0) {
        gpucmd_priv_nv_check_host_find(l, GPUCMD_NV_HOST_RULE_COPY_EMPTY, l->dw);
    }
    if (releases) {
        if (e->sem_va % 4 != 0) {
            gpucmd_priv_nv_check_host_find(l, GPUCMD_NV_HOST_RULE_SEM_MISALIGNED, e->sem_va);
        }
        gpucmd_priv_nv_check_host_release(l, e->sem_va, 16); /* engines write at most 16 bytes */
    }
}

/* Methods of an engine model that set the size (length, lines) and the semaphore address of an
 * operation, and the method that starts the operation (begin). 0: the model lacks this method. */
typedef struct gpucmd_priv_nv_check_host_methods {
    gpucmd_nv_model model;
    uint16_t length;
    uint16_t lines;
    uint16_t sem_upper; /* sets the upper word of the address; the next method sets the lower */
    uint16_t begin;
} gpucmd_priv_nv_check_host_methods;

/* Return the methods of a model, or zeros if array `rows` lacks the model. HOST_SET_OBJECT, which
 * is 0, means in this array that the model lacks a method. */
static gpucmd_priv_nv_check_host_methods gpucmd_priv_nv_check_host_methods_of(gpucmd_nv_model model)
{
#define GPUCMD_NV_PRIV_ROW(model, length, lines, sem_upper, begin)                                 \
    {                                                                                              \
        GPUCMD_NV_MODEL_##model, GPUCMD_NV_##length, GPUCMD_NV_##lines, GPUCMD_NV_##sem_upper,     \
            GPUCMD_NV_##begin                                                                      \
    }
#define GPUCMD_NV_PRIV_REPORT(model)                                                               \
    GPUCMD_NV_PRIV_ROW(model, HOST_SET_OBJECT, HOST_SET_OBJECT, 3D_REPORT_UPPER, 3D_REPORT_GET)
    static const gpucmd_priv_nv_check_host_methods rows[] = {
        GPUCMD_NV_PRIV_ROW(COPY, COPY_LINE_LENGTH_IN, COPY_LINE_COUNT, COPY_SET_SEMAPHORE_A,
                           COPY_LAUNCH_DMA),
        GPUCMD_NV_PRIV_ROW(M2MF_NV4, M2MF_LINE_LENGTH_IN, M2MF_LINE_COUNT, HOST_SET_OBJECT,
                           M2MF_NV4_BUFFER_NOTIFY),
        GPUCMD_NV_PRIV_ROW(M2MF_G80, M2MF_LINE_LENGTH_IN, M2MF_LINE_COUNT, HOST_SET_OBJECT,
                           M2MF_NV4_BUFFER_NOTIFY),
        GPUCMD_NV_PRIV_ROW(M2MF_GF100, M2MF_LINE_LENGTH_IN, M2MF_LINE_COUNT, M2MF_SET_SEMAPHORE_A,
                           M2MF_LAUNCH_DMA),
        GPUCMD_NV_PRIV_ROW(INLINE, INLINE_LINE_LENGTH_IN, INLINE_LINE_COUNT, INLINE_SET_SEMAPHORE_A,
                           INLINE_LAUNCH_DMA),
        GPUCMD_NV_PRIV_REPORT(3D_G80),
        GPUCMD_NV_PRIV_REPORT(3D_GF100),
        {GPUCMD_NV_MODEL_NONE, 0, 0, 0, 0},
    };
#undef GPUCMD_NV_PRIV_REPORT
#undef GPUCMD_NV_PRIV_ROW
    size_t i = 0;
    while (i + 1 < sizeof rows / sizeof rows[0] && rows[i].model != model) {
        i++;
    }
    return rows[i];
}

/* Check an engine method, and store the values that later methods need. */
static void gpucmd_priv_nv_check_host_engine_word(gpucmd_priv_nv_check_host *l)
{
    const uint64_t low = 0xffffffffu;
    gpucmd_priv_nv_check_host_engine *e = &l->engines[l->subc];
    const gpucmd_priv_nv_check_host_methods m = gpucmd_priv_nv_check_host_methods_of(e->model);
    if (l->mthd == m.length) {
        e->length = l->dw;
    } else if (l->mthd == m.lines) {
        e->lines = l->dw;
    } else if (l->mthd == m.sem_upper) {
        e->sem_va = /* the mask removes other fields, such as the DMA object of 85B5 */
            (uint64_t)(l->dw & GPUCMD_FIELD_MASK(NV_COPY_UPPER_C8B5)) << 32 | (e->sem_va & low);
    } else if (m.sem_upper != 0 && l->mthd == m.sem_upper + 4u) {
        e->sem_va = (e->sem_va & ~low) | l->dw;
    } else if (l->mthd != m.begin) {
        return;
    } else if (e->model == GPUCMD_NV_MODEL_COPY) {
        gpucmd_priv_nv_check_host_launch(l);
    } else if (e->model == GPUCMD_NV_MODEL_M2MF_GF100) {
        gpucmd_priv_nv_check_host_begin(l, GPUCMD_FIELD_GET(NV_M2MF_COMPLETION, l->dw) == 2);
    } else if (e->model == GPUCMD_NV_MODEL_INLINE) {
        gpucmd_priv_nv_check_host_begin(l, GPUCMD_FIELD_GET(NV_INLINE_COMPLETION, l->dw) == 2);
    } else if (m.length != 0) {
        gpucmd_priv_nv_check_host_begin(l, false);
    } else if (GPUCMD_FIELD_GET(NV_REPORT_OPERATION, l->dw) % 2 == 0) {
        if (e->sem_va % 4 != 0) {
            gpucmd_priv_nv_check_host_find(l, GPUCMD_NV_HOST_RULE_SEM_MISALIGNED, e->sem_va);
        }
        gpucmd_priv_nv_check_host_release(l, e->sem_va, 16); /* engines write at most 16 bytes */
    }
}

static void gpucmd_priv_nv_check_host_word(gpucmd_priv_nv_check_host *l)
{
    if (l->mthd < GPUCMD_NV_HOST_END) {
        gpucmd_priv_nv_check_host_host(l);
        return;
    }
    if ((l->bound >> l->subc & 1) == 0) {
        gpucmd_priv_nv_check_host_find(l, GPUCMD_NV_HOST_RULE_UNBOUND_SUBCHANNEL, l->dw);
        l->bound |= (uint32_t)1 << l->subc;
    }
    gpucmd_priv_nv_check_host_engine_word(l);
}

static void gpucmd_priv_nv_check_host_stream(gpucmd_priv_nv_check_host *l)
{
    uint32_t i;
    const gpucmd_nv_stream *s = &l->check->streams[l->stream];
    const gpucmd_nv_chip chip = l->check->gate.chip;
    gpucmd_nv_walk walk;
    gpucmd_nv_cmd cmd;
    gpucmd_priv_zero(l->engines, sizeof l->engines);
    l->bound = 0;
    if (chip >= GPUCMD_NV_CHIP_GK104) { /* subchannel 4 is initially bound to the copy engine */
        l->bound = 0x10;
        l->engines[4].model = GPUCMD_NV_MODEL_COPY;
    }
    l->sem_va = 0;
    l->sem_new_va = 0;
    l->dma_semaphore = 0;
    l->dma_set = false;
    l->off_set = false;
    l->unflushed = false;
    l->running = false;
    gpucmd_nv_walk_init(&walk, &l->check->gate);
    gpucmd_nv_walk_segment(&walk, s->dw, s->len_dw);
    while (l->status == GPUCMD_OK && gpucmd_nv_walk_next(&walk, &cmd)) {
        const uint32_t words = cmd.len_dw - cmd.head_dw;
        const bool immd = cmd.form == GPUCMD_NV_FORM_IMMD;
        for (i = 0; gpucmd_nv_form_is_run(cmd.form) && i < words + immd; i++) {
            l->at_va = s->base_va + 4 * (uint64_t)((size_t)(cmd.data - s->dw) + i - immd);
            l->subc = cmd.subc;
            l->mthd = gpucmd_nv_mthd_at(chip, cmd.kind, cmd.mthd, i);
            l->dw = immd ? cmd.value : cmd.data[i];
            gpucmd_priv_nv_check_host_word(l);
        }
    }
}

GPUCMD_PRIV_API gpucmd_status gpucmd_nv_check_host(const gpucmd_nv_host_check *check,
                                                   size_t *errors)
{
    int pass;
    gpucmd_priv_nv_check_host l;
    gpucmd_priv_zero(&l, sizeof l);
    *errors = 0;
    l.check = check;
    l.errors = errors;
    for (pass = 0; pass < 2; pass++) {
        l.collect = pass == 0;
        for (l.stream = 0; l.stream < check->count; l.stream++) {
            gpucmd_priv_nv_check_host_stream(&l);
        }
    }
    return l.status;
}

/* ==== [NV.IMPL.EXEC] ======================================================================= */

enum { GPUCMD_PRIV_NV_PIECE_DW = 64 }; /* largest event, in words, that is copied */

/* Set kind, code, va and value of event, and all other members to 0 or NULL. */
static void gpucmd_priv_nv_event_init(gpucmd_event *event, gpucmd_event_kind kind, uint32_t code,
                                      uint64_t va, uint64_t value)
{
    event->kind = kind;
    event->unit = 0;
    event->addr = 0;
    event->code = code;
    event->va = va;
    event->value = value;
    event->data = NULL;
    event->count_dw = 0;
    event->out_dw = NULL;
}

/* Pass the *n_dw words at CPU address `at`, in byte order `endian`, as data of event to the
 * callback. *n_dw is at most gpucmd_priv_nv_send_max_dw. Return the status of the callback, or
 * GPUCMD_OK if there is none. Write the number of executed words to *n_dw:
 *   GPUCMD_OK       all words
 *   GPUCMD_BLOCKED  as many as the callback reports
 *   other statuses  0 */
static gpucmd_status gpucmd_priv_nv_send_methods(const gpucmd_env *env, gpucmd_event *event,
                                                 const uint8_t *at, gpucmd_endian endian,
                                                 uint32_t *n_dw)
{
    uint32_t piece[GPUCMD_PRIV_NV_PIECE_DW];
    uint32_t taken_dw = 0;
    if (env->event == NULL) {
        return GPUCMD_OK;
    }
    if (endian == gpucmd_cpu_endian() && (uintptr_t)at % 4 == 0) {
        event->data = (const uint32_t *)(const void *)at;
    } else {
        gpucmd_load_words(piece, at, *n_dw, endian);
        event->data = piece;
    }
    event->count_dw = *n_dw;
    event->out_dw = &taken_dw;
    const gpucmd_status status = env->event(env->user, event);
    event->data = NULL;   /* piece ends with this function */
    event->out_dw = NULL; /* taken_dw ends with this function */
    if (status != GPUCMD_OK) {
        taken_dw = taken_dw < *n_dw ? taken_dw : *n_dw;
        *n_dw = status == GPUCMD_BLOCKED ? taken_dw : 0;
    }
    return status;
}

/* Return the largest number of words that one call of gpucmd_priv_nv_send_methods accepts. Words
 * that are aligned and in CPU byte order are not copied, so that their number has no limit. */
GPUCMD_INLINE uint32_t gpucmd_priv_nv_send_max_dw(const uint8_t *at, gpucmd_endian endian)
{
    return endian == gpucmd_cpu_endian() && (uintptr_t)at % 4 == 0
               ? 0xffffffffu
               : (uint32_t)GPUCMD_PRIV_NV_PIECE_DW;
}

/* Call env->trace, which must not be NULL, with a FETCH event for one word or IB entry. */
static void gpucmd_priv_nv_trace_fetch_always(const gpucmd_env *env, uint32_t code, uint64_t va,
                                              uint64_t value)
{
    gpucmd_event event;
    gpucmd_priv_nv_event_init(&event, GPUCMD_EVENT_FETCH, code, va, value);
    (void)env->trace(env->trace_user, &event);
}

/* As gpucmd_priv_nv_trace_fetch_always, but env->trace may be NULL. */
GPUCMD_INLINE void gpucmd_priv_nv_trace_fetch(const gpucmd_env *env, uint32_t code, uint64_t va,
                                              uint64_t value)
{
    if (GPUCMD_PRIV_UNLIKELY(env->trace != NULL)) {
        gpucmd_priv_nv_trace_fetch_always(env, code, va, value);
    }
}

/* Call env->trace, which must not be NULL, with a FETCH event for each of n_dw data words. */
static void gpucmd_priv_nv_trace_data_always(const gpucmd_env *env, uint64_t va, const uint8_t *at,
                                             gpucmd_endian endian, uint32_t n_dw)
{
    uint32_t i;
    for (i = 0; i < n_dw; i++) {
        gpucmd_priv_nv_trace_fetch_always(env, GPUCMD_NV_FETCH_DATA, va + 4 * (uint64_t)i,
                                          gpucmd_load32(at + 4 * (size_t)i, endian));
    }
}

/* As gpucmd_priv_nv_trace_data_always, but env->trace may be NULL. */
GPUCMD_PRIV_INLINE void gpucmd_priv_nv_trace_data(const gpucmd_env *env, uint64_t va,
                                                  const uint8_t *at, gpucmd_endian endian,
                                                  uint32_t n_dw)
{
    if (GPUCMD_PRIV_UNLIKELY(env->trace != NULL)) {
        gpucmd_priv_nv_trace_data_always(env, va, at, endian, n_dw);
    }
}

/* Return the gpucmd_run for a callback status that is not GPUCMD_OK. Write the
 * status to *fault, unless it is GPUCMD_BLOCKED. */
GPUCMD_INLINE gpucmd_run gpucmd_priv_nv_run_of_status(gpucmd_status status, gpucmd_status *fault)
{
    if (status == GPUCMD_BLOCKED) {
        return GPUCMD_RUN_BLOCKED;
    }
    *fault = status;
    return GPUCMD_RUN_FAULT;
}

/* Write status to *fault, unless status is GPUCMD_OK. */
GPUCMD_INLINE void gpucmd_priv_nv_keep_fault(gpucmd_status *fault, gpucmd_status status)
{
    *fault = status != GPUCMD_OK ? status : *fault;
}

/* Fill why for a status that is not GPUCMD_OK. Parameter kind says where the status is from:
 * MEMORY, CALLBACK or MODEL. */
static void gpucmd_priv_nv_why_status(gpucmd_why *why, gpucmd_why_kind kind, gpucmd_status status,
                                      uint64_t at_va, const gpucmd_mem *mem)
{
    gpucmd_priv_why_set(why, kind, 0, at_va);
    why->status = status;
    if (kind == GPUCMD_WHY_MEMORY) {
        why->va = mem != NULL ? mem->fault_va : 0;
    } else {
        why->name = gpucmd_status_name(status);
    }
}

/* Fill why for error bits of the register with the name reg. name and text describe the error. */
static void gpucmd_priv_nv_why_error(gpucmd_why *why, uint64_t at_va, const char *reg,
                                     uint32_t bits, const char *name, const char *text)
{
    gpucmd_priv_why_set(why, GPUCMD_WHY_ERROR, 0, at_va);
    why->reg = reg;
    why->bits = bits;
    why->name = name;
    why->text = text;
}

/* ---- pusher, NV4 until GF100 ---- */

/* Mask of a 40-bit GPU address. */
#define GPUCMD_PRIV_NV_B40 (((uint64_t)1 << GPUCMD_NV_ENTRY_VA_BITS) - 1)

GPUCMD_PRIV_API gpucmd_status gpucmd_nv_pusher_init(gpucmd_nv_pusher *p, gpucmd_nv_chip chip)
{
    if (chip < GPUCMD_NV_CHIP_NV4 || GPUCMD_NV_IS_GF100(chip)) {
        return GPUCMD_UNSUPPORTED;
    }
    gpucmd_priv_zero(p, sizeof *p);
    p->chip = chip;
    p->dma_limit = 0xffffffffu;
    p->dma_pushbuffer_bytes = ~(uint64_t)0;
    p->sli_active = chip >= GPUCMD_NV_CHIP_NV40;
    return GPUCMD_OK;
}

/* Return true if the pusher is in IB mode (G80 and later). */
GPUCMD_PRIV_INLINE bool gpucmd_priv_nv_pusher_is_ib(const gpucmd_nv_pusher *p)
{
    return p->ib_enable && p->chip >= GPUCMD_NV_CHIP_G80;
}

GPUCMD_INLINE bool gpucmd_priv_nv_pusher_has_sli(const gpucmd_nv_pusher *p)
{
    return p->sli_enable && p->chip >= GPUCMD_NV_CHIP_NV40;
}

/* Return the byte order of the pushbuffer; always little-endian before NV1A. [ENVY] */
GPUCMD_PRIV_INLINE gpucmd_endian gpucmd_priv_nv_pusher_endian(const gpucmd_nv_pusher *p)
{
    const bool big = p->chip >= GPUCMD_NV_CHIP_G80    ? p->pfifo_endian
                     : p->chip >= GPUCMD_NV_CHIP_NV1A ? p->big_endian
                                                      : false;
    return big ? GPUCMD_BIG_ENDIAN : GPUCMD_LITTLE_ENDIAN;
}

GPUCMD_INLINE uint64_t gpucmd_priv_nv_pusher_va_mask(const gpucmd_nv_pusher *p)
{
    return p->chip >= GPUCMD_NV_CHIP_G80 ? GPUCMD_PRIV_NV_B40 : 0xffffffffu;
}

/* Add n_dw words to dma_get. G80 and later: then copy dma_get to dma_mget, unless nonmain is
 * true. */
GPUCMD_PRIV_INLINE void gpucmd_priv_nv_pusher_advance(gpucmd_nv_pusher *p, uint32_t n_dw)
{
    p->dma_get = (p->dma_get + 4 * (uint64_t)n_dw) & gpucmd_priv_nv_pusher_va_mask(p);
    if (p->chip >= GPUCMD_NV_CHIP_G80 && !p->nonmain) {
        p->dma_mget = p->dma_get;
        p->dma_mget_val = true;
    }
}

/* Set p->error, which stops the pusher. */
static gpucmd_run gpucmd_priv_nv_pusher_stop(gpucmd_nv_pusher *p, gpucmd_nv_pusher_error error)
{
    p->error = error;
    return GPUCMD_RUN_FAULT;
}

/* Execute at most n_dw data words of the pending method run. `at` is the CPU
 * address of the words. *done_dw must be 1 before the call; it becomes the number of consumed
 * words. */
static gpucmd_run gpucmd_priv_nv_pusher_data(gpucmd_nv_pusher *p, const gpucmd_env *env,
                                             const uint8_t *at, uint32_t n_dw, uint32_t *done_dw)
{
    const gpucmd_endian endian = gpucmd_priv_nv_pusher_endian(p);
    const uint32_t most_dw = gpucmd_priv_nv_send_max_dw(at, endian);
    const uint32_t mthd = p->mthd & GPUCMD_FIELD_MAX(NV_OLD_MTHD);
    gpucmd_status status = GPUCMD_OK;
    uint32_t i, good_dw = p->mcnt < n_dw ? p->mcnt : n_dw;
    good_dw = good_dw < most_dw ? good_dw : most_dw;
    if (!p->ni && good_dw > GPUCMD_FIELD_MAX(NV_OLD_MTHD) + 1 - mthd) {
        good_dw = GPUCMD_FIELD_MAX(NV_OLD_MTHD) + 1 -
                  mthd; /* the method of the next word wraps to 0 and needs its own event */
    }
    for (i = 0; i < (p->ni ? 1 : good_dw) && (mthd + i) * 4 < GPUCMD_NV_HOST_END; i++) {
        good_dw = gpucmd_nv_knows_mthd(p->chip, (mthd + i) * 4) ? good_dw : i;
    }
    if (good_dw == 0) {
        gpucmd_priv_nv_trace_data(env, p->dma_pushbuffer_va + p->dma_get, at, endian, 1);
        p->data_shadow = p->chip >= GPUCMD_NV_CHIP_NV5 ? gpucmd_load32(at, endian) : 0;
        gpucmd_priv_nv_pusher_advance(p, 1);
        return gpucmd_priv_nv_pusher_stop(p, GPUCMD_NV_PUSHER_ERROR_INVALID_MTHD);
    }
    gpucmd_priv_nv_trace_data(env, p->dma_pushbuffer_va + p->dma_get, at, endian, good_dw);
    uint32_t taken_dw = good_dw;
    if (!gpucmd_priv_nv_pusher_has_sli(p) || p->sli_active) {
        gpucmd_event event;
        gpucmd_priv_nv_event_init(&event, GPUCMD_EVENT_METHODS,
                                  p->ni ? GPUCMD_NV_KIND_NON_INC : GPUCMD_NV_KIND_INC,
                                  p->dma_pushbuffer_va + p->dma_get, 0);
        event.unit = p->subc & GPUCMD_FIELD_MAX(NV_OLD_SUBC);
        event.addr = mthd * 4;
        status = gpucmd_priv_nv_send_methods(env, &event, at, endian, &taken_dw);
    }
    *done_dw = taken_dw;
    if (taken_dw != 0) {
        if (p->chip >= GPUCMD_NV_CHIP_NV5) {
            p->data_shadow = gpucmd_load32(at + 4 * (size_t)(taken_dw - 1), endian);
            p->dcount_shadow += taken_dw;
        }
        gpucmd_priv_nv_pusher_advance(p, taken_dw);
        p->mcnt -= taken_dw;
        p->mthd = p->ni ? p->mthd : (p->mthd + taken_dw) & GPUCMD_FIELD_MAX(NV_OLD_MTHD);
    }
    return status == GPUCMD_OK ? GPUCMD_RUN_DONE : gpucmd_priv_nv_run_of_status(status, &p->fault);
}

/* Set mthd and subc to the fields of header dw, set member ni to parameter ni, and set
 * dcount_shadow to 0. */
GPUCMD_INLINE void gpucmd_priv_nv_pusher_header(gpucmd_nv_pusher *p, uint32_t dw, bool ni)
{
    p->mthd = GPUCMD_FIELD_GET(NV_OLD_MTHD, dw);
    p->subc = GPUCMD_FIELD_GET(NV_OLD_SUBC, dw);
    p->ni = ni;
    p->dcount_shadow = 0;
}

/* Execute dw, the first word of a command. dma_get already points after dw. */
static gpucmd_run gpucmd_priv_nv_pusher_command(gpucmd_nv_pusher *p, gpucmd_nv_form form,
                                                uint32_t dw)
{
    const uint32_t get = (uint32_t)p->dma_get;
    if (p->chip >= GPUCMD_NV_CHIP_NV5) {
        p->rsvd_shadow = dw;
    }
    switch (form) {
    case GPUCMD_NV_FORM_INC:
    case GPUCMD_NV_FORM_NON_INC:
        gpucmd_priv_nv_pusher_header(p, dw, form == GPUCMD_NV_FORM_NON_INC);
        p->mcnt = GPUCMD_FIELD_GET(NV_OLD_COUNT, dw);
        return GPUCMD_RUN_DONE;
    case GPUCMD_NV_FORM_LONG_NON_INC:
        gpucmd_priv_nv_pusher_header(p, dw, true);
        p->lenp = true;
        return GPUCMD_RUN_DONE;
    case GPUCMD_NV_FORM_JUMP_OLD:
        p->dma_get_jmp_shadow = p->chip >= GPUCMD_NV_CHIP_NV5 ? get : 0;
        p->dma_get = dw & GPUCMD_FIELD_MASK(NV_OLD_JUMP_OFFSET);
        return GPUCMD_RUN_DONE;
    case GPUCMD_NV_FORM_JUMP:
        p->dma_get_jmp_shadow = get;
        p->dma_get = dw & GPUCMD_FIELD_MASK(NV_OLD_LONG_OFFSET);
        return GPUCMD_RUN_DONE;
    case GPUCMD_NV_FORM_CALL:
        if (p->subr_active) {
            p->dma_get -= p->call_keeps_get ? 4 : 0;
            return gpucmd_priv_nv_pusher_stop(p, GPUCMD_NV_PUSHER_ERROR_CALL_SUBR_ACTIVE);
        }
        p->subr_return = get;
        p->subr_active = true;
        p->dma_get = dw & GPUCMD_FIELD_MASK(NV_OLD_LONG_OFFSET);
        return GPUCMD_RUN_DONE;
    case GPUCMD_NV_FORM_RETURN:
        if (!p->subr_active) {
            return gpucmd_priv_nv_pusher_stop(p, GPUCMD_NV_PUSHER_ERROR_RET_SUBR_INACTIVE);
        }
        p->dma_get = p->subr_return;
        p->subr_active = false;
        return GPUCMD_RUN_DONE;
    case GPUCMD_NV_FORM_SLI_COND:
        p->sli_active = (p->sli_mask & GPUCMD_FIELD_GET(NV_HDR_SUBDEVICE, dw)) != 0;
        return GPUCMD_RUN_DONE;
    case GPUCMD_NV_FORM_INVALID:
    case GPUCMD_NV_FORM_NOP:
    case GPUCMD_NV_FORM_ONE_INC:
    case GPUCMD_NV_FORM_IMMD:
    case GPUCMD_NV_FORM_OLD_INC:
    case GPUCMD_NV_FORM_OLD_NON_INC:
    case GPUCMD_NV_FORM_SLI_STORE:
    case GPUCMD_NV_FORM_SLI_USE:
    case GPUCMD_NV_FORM_END_SEGMENT: break;
    }
    return gpucmd_priv_nv_pusher_stop(p, GPUCMD_NV_PUSHER_ERROR_INVALID_CMD);
}

/* Execute a word that is not data of a method run: the count word of
 * LONG_NON_INC, or the first word of a command. */
GPUCMD_INLINE gpucmd_run gpucmd_priv_nv_pusher_word(gpucmd_nv_pusher *p, const gpucmd_env *env,
                                                    const gpucmd_nv_gate *gate, uint32_t dw)
{
    const uint64_t va = p->dma_pushbuffer_va + p->dma_get;
    const gpucmd_nv_form form = gpucmd_priv_nv_classify_old(gate, dw);
    gpucmd_priv_nv_trace_fetch(env, p->lenp ? (uint32_t)GPUCMD_NV_FETCH_COUNT : (uint32_t)form, va,
                               dw);
    gpucmd_priv_nv_pusher_advance(p, 1);
    if (p->lenp) {
        p->lenp = false;
        p->mcnt = GPUCMD_FIELD_GET(NV_OLD_LONG_COUNT, dw);
        return GPUCMD_RUN_DONE;
    }
    return gpucmd_priv_nv_pusher_command(p, form, dw);
}

/* Execute the next IB entry. */
static gpucmd_run gpucmd_priv_nv_pusher_entry(gpucmd_nv_pusher *p, const gpucmd_env *env)
{
    const gpucmd_endian endian = p->pfifo_endian ? GPUCMD_BIG_ENDIAN : GPUCMD_LITTLE_ENDIAN;
    const uint64_t off = (p->ib_address + 8 * (uint64_t)p->ib_get) & GPUCMD_PRIV_NV_B40;
    const uint64_t at_va = p->dma_pushbuffer_va + off;
    uint8_t bytes[8];
    uint32_t dw[2];
    gpucmd_nv_entry entry;
    if (p->dma_pushbuffer_bytes < 8 || off > p->dma_pushbuffer_bytes - 8 ||
        gpucmd_mem_read(env->mem, at_va, bytes, sizeof bytes) != GPUCMD_OK) {
        return gpucmd_priv_nv_pusher_stop(p, GPUCMD_NV_PUSHER_ERROR_MEM_FAULT);
    }
    dw[0] = gpucmd_load32(bytes, endian);
    dw[1] = gpucmd_load32(bytes + 4, endian);
    gpucmd_priv_nv_trace_fetch(env, GPUCMD_NV_FETCH_ENTRY, at_va, (uint64_t)dw[1] << 32 | dw[0]);
    p->ib_get++;
    if (p->ib_order < 32 && p->ib_get == (uint32_t)1 << p->ib_order) {
        p->ib_get = 0;
    }
    if (gpucmd_nv_decode_entry(dw, p->chip, &entry) != GPUCMD_OK ||
        (entry.flags & GPUCMD_NV_ENTRY_DISABLE) != 0) {
        return GPUCMD_RUN_DONE;
    }
    if (entry.len_dw == 0) {
        return gpucmd_priv_nv_pusher_stop(p, GPUCMD_NV_PUSHER_ERROR_IB_EMPTY);
    }
    p->dma_get = entry.va;
    p->dma_put = (entry.va + 4 * (uint64_t)entry.len_dw) & GPUCMD_PRIV_NV_B40;
    p->nonmain = (entry.flags & GPUCMD_NV_ENTRY_SUBROUTINE) != 0;
    p->priv = (entry.flags & GPUCMD_NV_ENTRY_PRIV) != 0;
    if (!p->nonmain) {
        p->dma_mget = p->dma_get;
    }
    return GPUCMD_RUN_DONE;
}

/* Write the CPU address of the words at GPU address va to *at. Return how many words are
 * contiguous there, at most want_dw; 0: the read faults. If the first word is in two regions, copy
 * it to scratch. */
static uint32_t gpucmd_priv_nv_words_at(gpucmd_mem *mem, uint64_t va, uint64_t want_dw,
                                        uint8_t scratch[4], const uint8_t **at)
{
    uint64_t got_bytes = 0;
    uint8_t *host = NULL;
    if (gpucmd_mem_span(mem, va, 4 * want_dw, GPUCMD_ACCESS_READ, &host, &got_bytes) != GPUCMD_OK) {
        return 0;
    }
    if (got_bytes >= 4) {
        *at = host;
        return got_bytes >> 34 == 0 ? (uint32_t)(got_bytes / 4) : 0xffffffffu;
    }
    *at = scratch;
    return gpucmd_mem_read(mem, va, scratch, 4) == GPUCMD_OK ? 1 : 0;
}

/* As gpucmd_priv_nv_words_at, for the words from dma_get to the first of
 * dma_put, dma_limit (NV4-style) and the end of the DMA object. */
static uint32_t gpucmd_priv_nv_pusher_span(const gpucmd_nv_pusher *p, gpucmd_mem *mem,
                                           uint64_t want_dw, uint8_t scratch[4], const uint8_t **at)
{
    uint64_t end = p->dma_put > p->dma_get ? p->dma_put : gpucmd_priv_nv_pusher_va_mask(p) + 1;
    if (!gpucmd_priv_nv_pusher_is_ib(p)) {
        if (p->dma_get >= p->dma_limit) {
            return 0;
        }
        end = end < p->dma_limit ? end : p->dma_limit;
    }
    if (p->dma_pushbuffer_bytes < 4 || p->dma_get > p->dma_pushbuffer_bytes - 4) {
        return 0;
    }
    end = end < p->dma_pushbuffer_bytes ? end : p->dma_pushbuffer_bytes & ~(uint64_t)3;
    end = (end - p->dma_get + 3) / 4;
    return gpucmd_priv_nv_words_at(mem, p->dma_pushbuffer_va + p->dma_get,
                                   want_dw < end ? want_dw : end, scratch, at);
}

/* GPUCMD_PRIV_NV_OLD_NI is the bit that is 1 in a NON_INC header and 0 in an
 * INC header. GPUCMD_PRIV_NV_OLD_ZERO are the bits that are 0 in both headers. */
#define GPUCMD_PRIV_NV_OLD_NI GPUCMD_FIELD_PUT(NV_OLD_SEC_OP, GPUCMD_NV_PRIV_OLD_SEC_NON_INC)
#define GPUCMD_PRIV_NV_OLD_ZERO                                                                    \
    (~(GPUCMD_FIELD_MASK(NV_OLD_COUNT) | GPUCMD_FIELD_MASK(NV_OLD_SUBC) |                          \
       GPUCMD_FIELD_MASK(NV_OLD_MTHD) | GPUCMD_PRIV_NV_OLD_NI))

/* Set the state of the pusher after it consumed at_dw words. `run` is the last header in
 * these words, and run_dw the number of data words consumed after this header. */
static void gpucmd_priv_nv_pusher_set_after(gpucmd_nv_pusher *p, uint32_t run, uint32_t run_dw,
                                            uint32_t at_dw)
{
    gpucmd_priv_nv_pusher_advance(p, at_dw);
    gpucmd_priv_nv_pusher_header(p, run, (run & GPUCMD_FIELD_MASK(NV_OLD_SEC_OP)) != 0);
    p->mthd = p->ni ? p->mthd : (p->mthd + run_dw) & GPUCMD_FIELD_MAX(NV_OLD_MTHD);
    p->mcnt = GPUCMD_FIELD_GET(NV_OLD_COUNT, run) - run_dw;
    if (p->chip >= GPUCMD_NV_CHIP_NV5) {
        p->rsvd_shadow = run;
        p->dcount_shadow = run_dw;
    }
}

/* Execute method runs that are complete in the len_dw CPU words at dw. Stop at a method run with
 * host methods and at any command that is not a method run. Write the number of consumed words to
 * *done_dw. Each method run with data is one event. The state is set only at the end, so a callback
 * sees the state before the first method run. The caller must check that no method run is pending
 * and that gpucmd_priv_nv_pusher_allows_whole returns true. */
static gpucmd_run gpucmd_priv_nv_pusher_whole_runs(gpucmd_nv_pusher *p, const gpucmd_env *env,
                                                   const uint32_t *dw, uint32_t len_dw,
                                                   uint32_t *done_dw)
{
    const uint64_t to_va = p->dma_pushbuffer_va + p->dma_get - (uint64_t)(uintptr_t)dw;
    gpucmd_status status = GPUCMD_OK;
    const uint32_t *const end = dw + len_dw;
    const uint32_t *at = dw;
    const uint32_t *data = dw; /* end of the last consumed data word, or dw if there is none */
    uint32_t run_head = 0;     /* header of the last method run, which callbacks may overwrite */
    uint32_t run_dw = 0;       /* consumed data words of the last method run */
    uint32_t taken_dw;
    const uint32_t zero =
        GPUCMD_PRIV_NV_OLD_ZERO | (p->chip < GPUCMD_NV_CHIP_NV10 ? GPUCMD_PRIV_NV_OLD_NI : 0);
    gpucmd_event event;
    gpucmd_priv_nv_event_init(&event, GPUCMD_EVENT_METHODS, 0, 0, 0);
    event.out_dw = &taken_dw;
    while (at != end && status == GPUCMD_OK) {
        const uint32_t head = *at;
        const uint32_t ni = (head & GPUCMD_PRIV_NV_OLD_NI) != 0;
        const uint32_t mthd = GPUCMD_FIELD_GET(NV_OLD_MTHD, head);
        const uint32_t n_dw = GPUCMD_FIELD_GET(NV_OLD_COUNT, head);
        if (GPUCMD_PRIV_UNLIKELY((uint32_t)((head & zero) != 0) | (mthd < 0x100 / 4) |
                                 (n_dw >= (size_t)(end - at)) |
                                 (mthd + (n_dw & (ni - 1)) > GPUCMD_FIELD_MAX(NV_OLD_MTHD) + 1))) {
            break;
        }
        run_head = head;
        run_dw = n_dw;
        if (n_dw != 0) {
            event.unit = GPUCMD_FIELD_GET(NV_OLD_SUBC, head);
            event.addr = mthd * 4;
            event.code = (uint32_t)GPUCMD_NV_KIND_INC + ni;
            event.va = to_va + (uint64_t)(uintptr_t)(at + 1);
            event.data = at + 1;
            event.count_dw = n_dw;
            taken_dw = 0;
            gpucmd_priv_nv_ahead(at, GPUCMD_PRIV_NV_AHEAD_DW);
            status = env->event(env->user, &event);
            if (GPUCMD_PRIV_UNLIKELY(status != GPUCMD_OK)) {
                run_dw = status != GPUCMD_BLOCKED ? 0 : taken_dw < n_dw ? taken_dw : n_dw;
            }
            data = run_dw != 0 ? at + 1 + run_dw : data;
        }
        at += 1 + run_dw;
    }
    *done_dw = (uint32_t)(at - dw);
    if (at != dw) {
        if (data != dw && p->chip >= GPUCMD_NV_CHIP_NV5) {
            p->data_shadow = data[-1];
        }
        gpucmd_priv_nv_pusher_set_after(p, run_head, run_dw, *done_dw);
    }
    return status == GPUCMD_OK ? GPUCMD_RUN_DONE : gpucmd_priv_nv_run_of_status(status, &p->fault);
}

/* Return true if gpucmd_priv_nv_pusher_whole_runs may execute the words at CPU address `at`. That
 * function is an optimization: builds for small size reach the same final state without it. */
GPUCMD_INLINE bool gpucmd_priv_nv_pusher_allows_whole(const gpucmd_nv_pusher *p,
                                                      const gpucmd_env *env, const uint8_t *at)
{
    return GPUCMD_PRIV_QUICK && env->event != NULL && env->trace == NULL &&
           (!gpucmd_priv_nv_pusher_has_sli(p) || p->sli_active) &&
           gpucmd_priv_nv_send_max_dw(at, gpucmd_priv_nv_pusher_endian(p)) !=
               GPUCMD_PRIV_NV_PIECE_DW;
}

/* Execute contiguous words, at most *budget, and subtract their number from *budget. */
static gpucmd_run gpucmd_priv_nv_pusher_words(gpucmd_nv_pusher *p, const gpucmd_env *env,
                                              const gpucmd_nv_gate *gate, uint64_t *budget)
{
    const gpucmd_endian endian = gpucmd_priv_nv_pusher_endian(p);
    const uint8_t *at = NULL;
    uint8_t scratch[4];
    gpucmd_run run = GPUCMD_RUN_DONE;
    uint32_t left_dw = gpucmd_priv_nv_pusher_span(p, env->mem, *budget, scratch, &at);
    if (left_dw == 0) {
        return gpucmd_priv_nv_pusher_stop(p, GPUCMD_NV_PUSHER_ERROR_MEM_FAULT);
    }
    while (left_dw != 0 && run == GPUCMD_RUN_DONE) {
        uint32_t n_dw = 1;
        if (p->mcnt == 0 && !p->lenp && left_dw > 1 &&
            gpucmd_priv_nv_pusher_allows_whole(p, env, at)) {
            run = gpucmd_priv_nv_pusher_whole_runs(p, env, (const uint32_t *)(const void *)at,
                                                   left_dw, &n_dw);
            *budget -= n_dw;
            left_dw -= n_dw;
            at += 4 * (size_t)n_dw;
            if (left_dw == 0 || run != GPUCMD_RUN_DONE) {
                break;
            }
            n_dw = 1;
        }
        const uint64_t next = p->dma_get + 4;
        const uint32_t dw = gpucmd_load32(at, endian);
        if (!p->lenp && p->mcnt != 0) {
            run = gpucmd_priv_nv_pusher_data(p, env, at, left_dw, &n_dw);
        } else {
            run = gpucmd_priv_nv_pusher_word(p, env, gate, dw);
            if (p->dma_get != next) {
                left_dw = n_dw; /* after a jump the next word is not contiguous */
            }
        }
        *budget -= n_dw;
        left_dw -= n_dw;
        at += 4 * (size_t)n_dw;
    }
    return run;
}

/* Execute pending words, at most *budget. If no word is pending, execute one IB
 * entry. Subtract the number of words or entries from *budget. */
static gpucmd_run gpucmd_priv_nv_pusher_execute(gpucmd_nv_pusher *p, const gpucmd_env *env,
                                                const gpucmd_nv_gate *gate, uint64_t *budget)
{
    if (p->error != GPUCMD_NV_PUSHER_ERROR_NONE || p->fault != GPUCMD_OK) {
        return GPUCMD_RUN_FAULT;
    }
    if (p->dma_get == p->dma_put && !(gpucmd_priv_nv_pusher_is_ib(p) && p->ib_get != p->ib_put)) {
        return GPUCMD_RUN_IDLE;
    }
    if (*budget == 0) {
        return GPUCMD_RUN_LIMIT;
    }
    if (p->dma_get != p->dma_put) {
        return gpucmd_priv_nv_pusher_words(p, env, gate, budget);
    }
    --*budget;
    return gpucmd_priv_nv_pusher_entry(p, env);
}

/* Fill *gate for the chip and the mode of the pusher. If the chip lacks the mode, the gate
 * accepts no form, and the caller must store the returned status in fault. */
static gpucmd_status gpucmd_priv_nv_pusher_gate(const gpucmd_nv_pusher *p, gpucmd_nv_gate *gate)
{
    gate->forms = 0;
    return gpucmd_nv_gate_init(gate, p->chip, gpucmd_priv_nv_pusher_is_ib(p),
                               gpucmd_priv_nv_pusher_has_sli(p), GPUCMD_NV_FMT_NEW);
}

/* As gpucmd_nv_pusher_run, but subtract the executed words and IB entries from *budget. If `once`
 * is true, return after one call of gpucmd_priv_nv_pusher_execute. */
static gpucmd_run gpucmd_priv_nv_pusher_run_budget(gpucmd_nv_pusher *p, const gpucmd_env *env,
                                                   uint64_t *budget, bool once)
{
    gpucmd_nv_gate gate;
    gpucmd_run run;
    gpucmd_priv_nv_keep_fault(&p->fault, gpucmd_priv_nv_pusher_gate(p, &gate));
    do {
        run = gpucmd_priv_nv_pusher_execute(p, env, &gate, budget);
    } while (run == GPUCMD_RUN_DONE && !once);
    return run;
}

GPUCMD_PRIV_API gpucmd_run gpucmd_nv_pusher_run(gpucmd_nv_pusher *p, const gpucmd_env *env,
                                                uint64_t budget)
{
    return gpucmd_priv_nv_pusher_run_budget(p, env, &budget, false);
}

GPUCMD_PRIV_API gpucmd_run gpucmd_nv_pusher_step(gpucmd_nv_pusher *p, const gpucmd_env *env)
{
    uint64_t budget = 1;
    return gpucmd_priv_nv_pusher_run_budget(p, env, &budget, true);
}

GPUCMD_PRIV_API void gpucmd_nv_pusher_why(const gpucmd_nv_pusher *p, gpucmd_why *why)
{
    const bool fetches_entry = gpucmd_priv_nv_pusher_is_ib(p) && p->dma_get == p->dma_put;
    const uint64_t entry = (p->ib_address + 8 * (uint64_t)p->ib_get) & GPUCMD_PRIV_NV_B40;
    const uint64_t at_va = p->dma_pushbuffer_va + (fetches_entry ? entry : p->dma_get);
    gpucmd_nv_gate gate;
    if (p->error != GPUCMD_NV_PUSHER_ERROR_NONE) {
        gpucmd_priv_nv_why_error(why, at_va, "DMA_STATE", (uint32_t)p->error << 29,
                                 gpucmd_nv_pusher_error_name(p->error),
                                 gpucmd_nv_pusher_error_text(p->error));
    } else if (p->fault != GPUCMD_OK) {
        const bool valid = gpucmd_priv_nv_pusher_gate(p, &gate) == GPUCMD_OK;
        gpucmd_priv_nv_why_status(why, valid ? GPUCMD_WHY_CALLBACK : GPUCMD_WHY_MODEL, p->fault,
                                  at_va, NULL);
    } else {
        gpucmd_priv_why_set(why,
                            p->dma_get != p->dma_put || (fetches_entry && p->ib_get != p->ib_put)
                                ? GPUCMD_WHY_READY
                                : GPUCMD_WHY_IDLE,
                            0, at_va);
    }
}

GPUCMD_PRIV_API void gpucmd_nv_pusher_pack(const gpucmd_nv_pusher *p, gpucmd_nv_cache1 *regs)
{
    const bool g80 = p->chip >= GPUCMD_NV_CHIP_G80;
    const bool nv40 = p->chip >= GPUCMD_NV_CHIP_NV40;
    gpucmd_priv_zero(regs, sizeof *regs);
    regs->dma_state = GPUCMD_FIELD_PUT(NV_CACHE1_STATE_NI, p->ni) |
                      GPUCMD_FIELD_PUT(NV_CACHE1_STATE_MTHD, p->mthd) |
                      GPUCMD_FIELD_PUT(NV_CACHE1_STATE_SUBC, p->subc) |
                      GPUCMD_FIELD_PUT(NV_CACHE1_STATE_SUBR_ACTIVE, nv40 && p->subr_active) |
                      GPUCMD_FIELD_PUT(NV_CACHE1_STATE_ERROR, p->error);
    if (g80) {
        regs->dma_state |= GPUCMD_FIELD_PUT(NV_CACHE1_STATE_PRIV, p->priv) |
                           GPUCMD_FIELD_PUT(NV_CACHE1_STATE_LENP, p->lenp) |
                           GPUCMD_FIELD_PUT(NV_CACHE1_STATE_NONMAIN, p->nonmain);
        regs->method_count = p->mcnt;
    } else {
        regs->dma_state |= GPUCMD_FIELD_PUT(NV_CACHE1_STATE_COUNT, p->mcnt);
    }
    regs->dma_put = (uint32_t)p->dma_put & ~3u;
    regs->dma_get = (uint32_t)p->dma_get & ~3u;
    regs->ref = p->ref;
    regs->dma_subroutine = (p->subr_return & GPUCMD_FIELD_MASK(NV_CACHE1_SUBROUTINE_RETURN)) |
                           GPUCMD_FIELD_PUT(NV_CACHE1_SUBROUTINE_ACTIVE, !nv40 && p->subr_active);
    regs->dma_dcount = p->dcount_shadow;
    regs->dma_get_jmp = p->dma_get_jmp_shadow;
    regs->dma_rsvd = p->rsvd_shadow;
    regs->dma_data = p->data_shadow;
}

GPUCMD_PRIV_API void gpucmd_nv_pusher_unpack(gpucmd_nv_pusher *p, const gpucmd_nv_cache1 *regs)
{
    const uint32_t state = regs->dma_state;
    const uint64_t high = ~(uint64_t)0xffffffffu;
    p->ni = GPUCMD_FIELD_GET(NV_CACHE1_STATE_NI, state) != 0 && p->chip >= GPUCMD_NV_CHIP_NV10;
    p->mthd = GPUCMD_FIELD_GET(NV_CACHE1_STATE_MTHD, state);
    p->subc = GPUCMD_FIELD_GET(NV_CACHE1_STATE_SUBC, state);
    p->error = (gpucmd_nv_pusher_error)GPUCMD_FIELD_GET(NV_CACHE1_STATE_ERROR, state);
    if (p->chip >= GPUCMD_NV_CHIP_G80) {
        p->priv = GPUCMD_FIELD_GET(NV_CACHE1_STATE_PRIV, state) != 0;
        p->lenp = GPUCMD_FIELD_GET(NV_CACHE1_STATE_LENP, state) != 0;
        p->nonmain = GPUCMD_FIELD_GET(NV_CACHE1_STATE_NONMAIN, state) != 0;
        p->mcnt = regs->method_count & GPUCMD_FIELD_MAX(NV_OLD_LONG_COUNT);
    } else {
        p->mcnt = GPUCMD_FIELD_GET(NV_CACHE1_STATE_COUNT, state);
    }
    p->dma_put = (p->dma_put & high) | (regs->dma_put & ~3u);
    p->dma_get = (p->dma_get & high) | (regs->dma_get & ~3u);
    p->ref = regs->ref;
    if (p->chip >= GPUCMD_NV_CHIP_NV1A) {
        p->subr_return = regs->dma_subroutine & GPUCMD_FIELD_MASK(NV_CACHE1_SUBROUTINE_RETURN);
        p->subr_active =
            (p->chip >= GPUCMD_NV_CHIP_NV40
                 ? GPUCMD_FIELD_GET(NV_CACHE1_STATE_SUBR_ACTIVE, state)
                 : GPUCMD_FIELD_GET(NV_CACHE1_SUBROUTINE_ACTIVE, regs->dma_subroutine)) != 0;
    }
    p->dcount_shadow = regs->dma_dcount;
    p->dma_get_jmp_shadow = regs->dma_get_jmp;
    p->rsvd_shadow = regs->dma_rsvd;
    p->data_shadow = regs->dma_data;
}

GPUCMD_PRIV_API uint32_t gpucmd_nv_pusher_ahead(const gpucmd_nv_pusher *p, gpucmd_mem *mem,
                                                uint64_t va, const uint8_t **at)
{
    const uint64_t fault_va = mem->fault_va;
    const uint64_t off = va - p->dma_pushbuffer_va;
    uint64_t end = p->dma_put > off ? p->dma_put : 0;
    uint64_t got_bytes = 0;
    uint8_t *host = NULL;
    if (!gpucmd_priv_nv_pusher_is_ib(p)) {
        end = end < p->dma_limit ? end : p->dma_limit;
    }
    end = end < p->dma_pushbuffer_bytes ? end : p->dma_pushbuffer_bytes;
    if (off >= end ||
        gpucmd_mem_span(mem, va, end - off, GPUCMD_ACCESS_READ, &host, &got_bytes) != GPUCMD_OK) {
        mem->fault_va = fault_va;
        return 0;
    }
    if (got_bytes >= 4) {
        *at = host;
    }
    return got_bytes / 4 < 0xffffffffu ? (uint32_t)(got_bytes / 4) : 0xffffffffu;
}

GPUCMD_PRIV_API void gpucmd_nv_pusher_recover(gpucmd_nv_pusher *p)
{
    if (p->dma_get != p->dma_put) {
        p->dma_get = p->dma_put;
    } else if (p->chip >= GPUCMD_NV_CHIP_G80 && p->ib_get != p->ib_put) {
        p->ib_get = p->ib_put;
    }
    p->mthd = 0;
    p->subc = 0;
    p->mcnt = 0;
    p->ni = false;
    p->lenp = false;
    p->nonmain = false;
    p->priv = false;
    if (p->chip >= GPUCMD_NV_CHIP_NV40) {
        p->subr_active = false; /* a bit of DMA_STATE, which recovery clears */
    }
    p->error = GPUCMD_NV_PUSHER_ERROR_NONE;
    p->fault = GPUCMD_OK;
}

GPUCMD_PRIV_API const char *gpucmd_nv_area_name(gpucmd_nv_chip chip, uint64_t off_bytes)
{
#define GPUCMD_NV_PRIV_AREA(name, off, since, until, rd, wr, meaning)                              \
    if (off_bytes == (off) &&                                                                      \
        gpucmd_priv_nv_in(chip, GPUCMD_NV_CHIP_##since, GPUCMD_NV_CHIP_##until)) {                 \
        return #name;                                                                              \
    }
    GPUCMD_NV_AREA_REGS(GPUCMD_NV_PRIV_AREA)
#undef GPUCMD_NV_PRIV_AREA
    return "?";
}

/* Return true if a register may be accessed in IB mode (ib_enable is true) or NV4-style mode
 * (false). column is the value of rd or wr in GPUCMD_NV_AREA_REGS. */
GPUCMD_INLINE bool gpucmd_priv_nv_area_may(int column, bool ib_enable)
{
    return column == 1 || (column == 2 && !ib_enable) || (column == 3 && ib_enable);
}

GPUCMD_PRIV_API uint32_t gpucmd_nv_area_access(gpucmd_nv_chip chip, uint64_t off_bytes,
                                               bool ib_enable)
{
    const bool ib = GPUCMD_NV_IS_GF100(chip) || (ib_enable && chip >= GPUCMD_NV_CHIP_G80);
#define GPUCMD_NV_PRIV_AREA(name, off, since, until, rd, wr, meaning)                              \
    if (off_bytes == (off) &&                                                                      \
        gpucmd_priv_nv_in(chip, GPUCMD_NV_CHIP_##since, GPUCMD_NV_CHIP_##until)) {                 \
        return (gpucmd_priv_nv_area_may(rd, ib) ? (uint32_t)GPUCMD_ACCESS_READ : 0) |              \
               (gpucmd_priv_nv_area_may(wr, ib) ? (uint32_t)GPUCMD_ACCESS_WRITE : 0);              \
    }
    GPUCMD_NV_AREA_REGS(GPUCMD_NV_PRIV_AREA)
#undef GPUCMD_NV_PRIV_AREA
    return 0;
}

GPUCMD_PRIV_API uint32_t gpucmd_nv_pusher_read32(void *pusher, uint64_t off_bytes)
{
    gpucmd_nv_pusher *p = (gpucmd_nv_pusher *)pusher;
    const uint32_t access_mask =
        gpucmd_nv_area_access(p->chip, off_bytes, gpucmd_priv_nv_pusher_is_ib(p));
    if ((access_mask & GPUCMD_ACCESS_READ) == 0) {
        return 0;
    }
    switch ((uint32_t)off_bytes) {
    case GPUCMD_NV_AREA_DMA_PUT:
        p->dma_put_high_rs = (uint32_t)(p->dma_put >> 32);
        return (uint32_t)p->dma_put;
    case GPUCMD_NV_AREA_DMA_GET:
        p->dma_get_high_rs = (uint32_t)(p->dma_get >> 32);
        return (uint32_t)p->dma_get;
    case GPUCMD_NV_AREA_DMA_MGET:
        p->dma_mget_high_rs = (uint32_t)(p->dma_mget >> 32);
        p->dma_mget_val_rs = p->dma_mget_val;
        return (uint32_t)p->dma_mget;
    case GPUCMD_NV_AREA_REF: return p->ref;
    case GPUCMD_NV_AREA_DMA_CGET: return p->subr_active ? p->subr_return : (uint32_t)p->dma_get;
    case GPUCMD_NV_AREA_DMA_PUT_HIGH: return p->dma_put_high_rs;
    case GPUCMD_NV_AREA_DMA_GET_HIGH: return p->dma_get_high_rs;
    case GPUCMD_NV_AREA_DMA_MGET_HIGH:
        return GPUCMD_FIELD_PUT(NV_AREA_MGET_VAL, p->dma_mget_val_rs) | p->dma_mget_high_rs;
    case GPUCMD_NV_AREA_IB_GET: return p->ib_get;
    case GPUCMD_NV_AREA_IB_PUT: return p->ib_put;
    default: return 0;
    }
}

GPUCMD_PRIV_API void gpucmd_nv_pusher_write32(void *pusher, uint64_t off_bytes, uint32_t v)
{
    gpucmd_nv_pusher *p = (gpucmd_nv_pusher *)pusher;
    const uint32_t access_mask =
        gpucmd_nv_area_access(p->chip, off_bytes, gpucmd_priv_nv_pusher_is_ib(p));
    if ((access_mask & GPUCMD_ACCESS_WRITE) == 0) {
        return;
    }
    if (off_bytes == GPUCMD_NV_AREA_DMA_PUT) {
        p->dma_put = (uint64_t)p->dma_put_high_ws << 32 | (v & ~(uint32_t)3);
    } else if (off_bytes == GPUCMD_NV_AREA_DMA_PUT_HIGH) {
        p->dma_put_high_ws = v & GPUCMD_FIELD_MAX(NV_AREA_HIGH);
    } else if (off_bytes == GPUCMD_NV_AREA_SET_REFERENCE && p->chip >= GPUCMD_NV_CHIP_NV10) {
        p->ref = v;
    } else if (off_bytes == GPUCMD_NV_AREA_IB_PUT) {
        p->ib_put = p->ib_order < 32 ? v & (((uint32_t)1 << p->ib_order) - 1) : v;
    }
}

/* ---- PBDMA, GF100 and later ---- */

GPUCMD_PRIV_API gpucmd_status gpucmd_nv_pbdma_init(gpucmd_nv_pbdma *p, gpucmd_nv_chip chip)
{
    if (!GPUCMD_NV_IS_GF100(chip) || (unsigned)chip >= (unsigned)GPUCMD_NV_CHIP_COUNT) {
        return GPUCMD_UNSUPPORTED;
    }
    gpucmd_priv_zero(p, sizeof *p);
    p->chip = chip;
    p->subdevice = GPUCMD_FIELD_PUT(NV_SUBDEVICE_ID, 1) | GPUCMD_FIELD_PUT(NV_SUBDEVICE_STATUS, 1) |
                   GPUCMD_FIELD_PUT(NV_SUBDEVICE_CHANNEL_DMA, 1);
    return GPUCMD_OK;
}

/* CRC of each 4-bit value, most significant bit first; polynomial 0x04c11db7. */
static const uint32_t gpucmd_priv_nv_crc4[16] = {
    0x00000000, 0x04c11db7, 0x09823b6e, 0x0d4326d9, 0x130476dc, 0x17c56b6b, 0x1a864db2, 0x1e475005,
    0x2608edb8, 0x22c9f00f, 0x2f8ad6d6, 0x2b4bcb61, 0x350c9b64, 0x31cd86d3, 0x3c8ea00a, 0x384fbdbd};

GPUCMD_PRIV_API uint32_t gpucmd_nv_crc(uint32_t crc, const void *data, size_t len_bytes)
{
    const uint8_t *byte = (const uint8_t *)data;
    for (; len_bytes != 0; len_bytes--, byte++) {
        crc ^= (uint32_t)*byte << 24;
        crc = crc << 4 ^ gpucmd_priv_nv_crc4[crc >> 28];
        crc = crc << 4 ^ gpucmd_priv_nv_crc4[crc >> 28];
    }
    return crc;
}

/* Continue *crc, the CRC of the first *done bytes of the last segment, with at most 256
 * bytes, and add their number to *done. Return true if *crc is complete, or if a read faults
 * (*crc is then 0). */
static bool gpucmd_priv_nv_pb_crc_add(const gpucmd_nv_pbdma *p, gpucmd_mem *mem, uint32_t *crc,
                                      uint64_t *done)
{
    const uint64_t all = p->segment_va < p->segment_end_va ? p->segment_end_va - p->segment_va : 0;
    uint32_t left = 256;
    while (*done < all && left != 0) {
        uint8_t *host = NULL;
        uint64_t n = all - *done < left ? all - *done : left;
        if (gpucmd_mem_span(mem, p->segment_va + *done, n, GPUCMD_ACCESS_READ, &host, &n) !=
            GPUCMD_OK) {
            *crc = 0;
            return true;
        }
        *crc = gpucmd_nv_crc(*crc, host, (size_t)n);
        *done += n;
        n = n < 16 ? 16 : n; /* each look-up counts as at least 16 of the 256 bytes */
        left -= n < left ? (uint32_t)n : left;
    }
    return *done >= all;
}

GPUCMD_PRIV_API uint32_t gpucmd_nv_pbdma_pb_crc(const gpucmd_nv_pbdma *p, gpucmd_mem *mem)
{
    uint64_t done = 0;
    uint32_t crc = 0;
    while (!gpucmd_priv_nv_pb_crc_add(p, mem, &crc, &done)) {
    }
    return crc;
}

GPUCMD_PRIV_API void gpucmd_nv_pbdma_clear(gpucmd_nv_pbdma *p, uint32_t bits)
{
    p->intr &= ~bits;
}

/* Set an interrupt bit, which stops the PBDMA. */
static gpucmd_run gpucmd_priv_nv_pbdma_interrupt(gpucmd_nv_pbdma *p, uint32_t bit)
{
    p->intr |= bit;
    return GPUCMD_RUN_FAULT;
}

/* Return true if CHANNEL_DMA is 0 or STATUS is 1 in p->subdevice. Methods then go to engines. */
GPUCMD_INLINE bool gpucmd_priv_nv_pbdma_is_active(const gpucmd_nv_pbdma *p)
{
    return GPUCMD_FIELD_GET(NV_SUBDEVICE_CHANNEL_DMA, p->subdevice) == 0 ||
           GPUCMD_FIELD_GET(NV_SUBDEVICE_STATUS, p->subdevice) != 0;
}

/* Add n_dw words to pb_get. Copy pb_get to top_level_get except in a SUBROUTINE segment. */
GPUCMD_INLINE void gpucmd_priv_nv_pb_advance(gpucmd_nv_pbdma *p, uint32_t n_dw)
{
    p->pb_get += 4 * (uint64_t)n_dw;
    p->first = false;
    if (!p->level) {
        p->top_level_get = p->pb_get;
        p->top_level_get_valid = true;
    }
}

/* Skip the remaining words of the segment. */
static void gpucmd_priv_nv_pb_drop_segment(gpucmd_nv_pbdma *p)
{
    p->segment_end_va = p->pb_get;
    p->pb_get = p->pb_put;
    p->top_level_get = p->level ? p->top_level_get : p->pb_get;
}

/* As gpucmd_priv_nv_pusher_data, but for a PBDMA. If a method run began in an unconditional segment
 * and continues in a conditional segment, execute one data word and raise PBSEG. */
static gpucmd_run gpucmd_priv_nv_pb_data(gpucmd_nv_pbdma *p, const gpucmd_env *env,
                                         const uint8_t *at, uint32_t n_dw, uint32_t *done_dw)
{
    const uint32_t most_dw = gpucmd_priv_nv_send_max_dw(at, GPUCMD_LITTLE_ENDIAN);
    const gpucmd_nv_kind kind = p->type == GPUCMD_NV_PB_TYPE_INC        ? GPUCMD_NV_KIND_INC
                                : p->type == GPUCMD_NV_PB_TYPE_INC_ONCE ? GPUCMD_NV_KIND_ONE_INC
                                                                        : GPUCMD_NV_KIND_NON_INC;
    const bool seam = p->first && p->conditional && !p->run_conditional;
    const uint32_t mthd = p->mthd & GPUCMD_FIELD_MAX(NV_HDR_MTHD);
    const uint32_t room_dw = GPUCMD_FIELD_MAX(NV_HDR_MTHD) + 1 - mthd;
    gpucmd_status status = GPUCMD_OK;
    n_dw = p->count < n_dw ? p->count : n_dw;
    n_dw = n_dw < most_dw ? n_dw : most_dw;
    if (n_dw > room_dw &&
        (kind == GPUCMD_NV_KIND_INC || (kind == GPUCMD_NV_KIND_ONE_INC && room_dw == 1))) {
        n_dw = room_dw; /* needed only if the caller changed the state of the method run */
    }
    n_dw = seam ? 1 : n_dw;
    gpucmd_priv_nv_trace_data(env, p->pb_get, at, GPUCMD_LITTLE_ENDIAN, n_dw);
    if (gpucmd_priv_nv_pbdma_is_active(p)) {
        gpucmd_event event;
        gpucmd_priv_nv_event_init(&event, GPUCMD_EVENT_METHODS, (uint32_t)kind, p->pb_get, 0);
        event.unit = p->subc & GPUCMD_FIELD_MAX(NV_HDR_SUBC);
        event.addr = mthd * 4;
        status = gpucmd_priv_nv_send_methods(env, &event, at, GPUCMD_LITTLE_ENDIAN, &n_dw);
    }
    *done_dw = n_dw;
    if (n_dw != 0) {
        gpucmd_priv_nv_pb_advance(p, n_dw);
        p->count -= n_dw;
        if (kind == GPUCMD_NV_KIND_INC) {
            p->mthd = (p->mthd + n_dw) & GPUCMD_FIELD_MAX(NV_HDR_MTHD);
        } else if (kind == GPUCMD_NV_KIND_ONE_INC) {
            p->mthd = (p->mthd + 1) & GPUCMD_FIELD_MAX(NV_HDR_MTHD);
            p->type = GPUCMD_NV_PB_TYPE_NON_INC;
        }
    }
    if (seam && n_dw != 0) {
        return gpucmd_priv_nv_pbdma_interrupt(p, GPUCMD_NV_PBDMA_INTR_PBSEG);
    }
    return status == GPUCMD_OK ? GPUCMD_RUN_DONE : gpucmd_priv_nv_run_of_status(status, &p->fault);
}

/* If count is not 0, start a method run of count data words, for reach_dw methods from mthd on.
 * Raise PBENTRY if one of these methods is above 0x3ffc; if reach_dw is 0, there is no check. */
GPUCMD_INLINE gpucmd_run gpucmd_priv_nv_pb_header(gpucmd_nv_pbdma *p, uint32_t type, uint32_t subc,
                                                  uint32_t mthd, uint32_t count, uint32_t reach_dw)
{
    if (count == 0) {
        return GPUCMD_RUN_DONE;
    }
    p->type = type;
    p->subc = subc;
    p->mthd = mthd;
    p->run_conditional = p->conditional;
    if (mthd + reach_dw > GPUCMD_FIELD_MAX(NV_HDR_MTHD) + 1) {
        return gpucmd_priv_nv_pbdma_interrupt(p, GPUCMD_NV_PBDMA_INTR_PBENTRY);
    }
    p->count = count;
    return GPUCMD_RUN_DONE;
}

/* Execute an IMMD header, which contains its data. pb_get still points to the header. */
static gpucmd_run gpucmd_priv_nv_pb_immd(gpucmd_nv_pbdma *p, const gpucmd_env *env, uint32_t dw)
{
    const uint32_t data = GPUCMD_FIELD_GET(NV_HDR_IMMD_DATA, dw);
    const uint32_t mthd = GPUCMD_FIELD_GET(NV_HDR_MTHD, dw);
    const uint32_t subc = GPUCMD_FIELD_GET(NV_HDR_SUBC, dw);
    gpucmd_status status = GPUCMD_OK;
    uint32_t n_dw = 1;
    if (gpucmd_priv_nv_pbdma_is_active(p)) {
        gpucmd_event event;
        gpucmd_priv_nv_event_init(&event, GPUCMD_EVENT_METHODS, GPUCMD_NV_KIND_IMMD, p->pb_get, 0);
        event.unit = subc;
        event.addr = mthd * 4;
        status = gpucmd_priv_nv_send_methods(env, &event, (const uint8_t *)&data,
                                             gpucmd_cpu_endian(), &n_dw);
    }
    if (n_dw != 0) {
        gpucmd_priv_nv_pb_advance(p, 1);
        p->hdr_shadow = dw;
        p->type = GPUCMD_NV_PB_TYPE_IMMD;
        p->subc = subc;
        p->mthd = mthd;
        p->run_conditional = p->conditional;
    }
    return status == GPUCMD_OK ? GPUCMD_RUN_DONE : gpucmd_priv_nv_run_of_status(status, &p->fault);
}

/* Execute a word without methods: a *_SUBDEVICE_MASK, END_PB_SEGMENT, NOP or invalid word. */
static gpucmd_run gpucmd_priv_nv_pb_control(gpucmd_nv_pbdma *p, gpucmd_nv_form form, uint32_t dw)
{
    const uint32_t mask = form == GPUCMD_NV_FORM_SLI_USE
                              ? GPUCMD_FIELD_GET(NV_SUBDEVICE_STORED_MASK, p->subdevice)
                              : GPUCMD_FIELD_GET(NV_HDR_SUBDEVICE, dw);
    if (form == GPUCMD_NV_FORM_NOP) {
        return GPUCMD_RUN_DONE;
    }
    if (form == GPUCMD_NV_FORM_INVALID) {
        return gpucmd_priv_nv_pbdma_interrupt(p, GPUCMD_NV_PBDMA_INTR_PBENTRY);
    }
    p->run_conditional = p->conditional;
    p->type = form == GPUCMD_NV_FORM_SLI_COND    ? GPUCMD_NV_PB_TYPE_SSDM
              : form == GPUCMD_NV_FORM_SLI_STORE ? GPUCMD_NV_PB_TYPE_STORE_SDM
              : form == GPUCMD_NV_FORM_SLI_USE   ? GPUCMD_NV_PB_TYPE_USE_SDM
                                                 : GPUCMD_NV_PB_TYPE_END_SEG;
    if (form == GPUCMD_NV_FORM_END_SEGMENT) {
        gpucmd_priv_nv_pb_drop_segment(p);
        return GPUCMD_RUN_DONE;
    }
    p->sdmask = form == GPUCMD_NV_FORM_SLI_USE ? p->sdmask : mask;
    if (form == GPUCMD_NV_FORM_SLI_STORE) {
        p->subdevice = (p->subdevice & ~GPUCMD_FIELD_MASK(NV_SUBDEVICE_STORED_MASK)) |
                       GPUCMD_FIELD_PUT(NV_SUBDEVICE_STORED_MASK, mask);
        return GPUCMD_RUN_DONE;
    }
    if (GPUCMD_FIELD_GET(NV_SUBDEVICE_CHANNEL_DMA, p->subdevice) == 0) {
        return gpucmd_priv_nv_pbdma_interrupt(p, GPUCMD_NV_PBDMA_INTR_PBENTRY);
    }
    p->subdevice &= ~GPUCMD_FIELD_MASK(NV_SUBDEVICE_STATUS);
    if ((mask & GPUCMD_FIELD_GET(NV_SUBDEVICE_ID, p->subdevice)) != 0) {
        p->subdevice |= GPUCMD_FIELD_MASK(NV_SUBDEVICE_STATUS);
    } else if (p->conditional) {
        gpucmd_priv_nv_pb_drop_segment(p);
    }
    return GPUCMD_RUN_DONE;
}

/* Execute dw, the first word of a command. *done_dw must be 1 before the call. It becomes 0 if dw
 * is an IMMD word that a callback does not consume. */
GPUCMD_INLINE gpucmd_run gpucmd_priv_nv_pb_word(gpucmd_nv_pbdma *p, const gpucmd_env *env,
                                                const gpucmd_nv_gate *gate, uint32_t dw,
                                                uint32_t *done_dw)
{
    const gpucmd_nv_form form = gpucmd_priv_nv_classify_new(gate, dw);
    const uint32_t count = GPUCMD_FIELD_GET(NV_HDR_COUNT, dw);
    const uint32_t mthd = GPUCMD_FIELD_GET(NV_HDR_MTHD, dw);
    const uint32_t subc = GPUCMD_FIELD_GET(NV_HDR_SUBC, dw);
    gpucmd_priv_nv_trace_fetch(env, (uint32_t)form, p->pb_get, dw);
    if (form == GPUCMD_NV_FORM_IMMD) {
        const uint64_t get = p->pb_get;
        const gpucmd_run run = gpucmd_priv_nv_pb_immd(p, env, dw);
        *done_dw = p->pb_get != get;
        return run;
    }
    gpucmd_priv_nv_pb_advance(p, 1);
    p->hdr_shadow = dw;
    switch (form) {
    case GPUCMD_NV_FORM_INC:
        return gpucmd_priv_nv_pb_header(p, GPUCMD_NV_PB_TYPE_INC, subc, mthd, count, count);
    case GPUCMD_NV_FORM_NON_INC:
        return gpucmd_priv_nv_pb_header(p, GPUCMD_NV_PB_TYPE_NON_INC, subc, mthd, count, 0);
    case GPUCMD_NV_FORM_ONE_INC:
        return gpucmd_priv_nv_pb_header(p, GPUCMD_NV_PB_TYPE_INC_ONCE, subc, mthd, count,
                                        count > 1 ? 2 : 0);
    case GPUCMD_NV_FORM_OLD_INC:
    case GPUCMD_NV_FORM_OLD_NON_INC:
        return gpucmd_priv_nv_pb_header(
            p, form == GPUCMD_NV_FORM_OLD_INC ? GPUCMD_NV_PB_TYPE_INC : GPUCMD_NV_PB_TYPE_NON_INC,
            subc, GPUCMD_FIELD_GET(NV_OLD_MTHD, dw), GPUCMD_FIELD_GET(NV_OLD_COUNT, dw), 0);
    case GPUCMD_NV_FORM_NOP:
    case GPUCMD_NV_FORM_SLI_COND:
    case GPUCMD_NV_FORM_SLI_STORE:
    case GPUCMD_NV_FORM_SLI_USE:
    case GPUCMD_NV_FORM_END_SEGMENT:
    case GPUCMD_NV_FORM_INVALID:
    case GPUCMD_NV_FORM_IMMD:
    case GPUCMD_NV_FORM_LONG_NON_INC:
    case GPUCMD_NV_FORM_JUMP_OLD:
    case GPUCMD_NV_FORM_JUMP:
    case GPUCMD_NV_FORM_CALL:
    case GPUCMD_NV_FORM_RETURN: break;
    }
    return gpucmd_priv_nv_pb_control(p, form, dw);
}

/* As gpucmd_priv_nv_words_at, for the words from pb_get to pb_put. */
static uint32_t gpucmd_priv_nv_pb_span(const gpucmd_nv_pbdma *p, gpucmd_mem *mem, uint64_t want_dw,
                                       uint8_t scratch[4], const uint8_t **at)
{
    const uint64_t left_dw = (p->pb_put - p->pb_get) / 4;
    want_dw = want_dw < left_dw ? want_dw : left_dw;
    return gpucmd_priv_nv_words_at(mem, p->pb_get, want_dw != 0 ? want_dw : 1, scratch, at);
}

enum { GPUCMD_PRIV_NV_FEW_DW = 8 }; /* words of the longest run that is stored without event */

/* A row of a table that the field SEC_OP of a header indexes. The table replaces branches on
 * SEC_OP, which a CPU cannot predict. Below, data is the array that follows the header, n is the
 * number of its words, and last is n - 1, or 0 if the header contains the data. */
typedef struct gpucmd_priv_nv_sec_row {
    uint16_t count; /* n is (field COUNT of the header) & count */
    uint16_t reach; /* the run uses min(n, reach) methods from mthd on; 0: one method */
    uint8_t kind;   /* gpucmd_nv_kind */
    uint8_t immd;   /* 1: the header contains its only data word */
    /* Words that an engine stores if the run is short, at most 1 + more words:
     *   first word   data[last & first], or the field COUNT of an IMMD header
     *   second word  data[second + (last & second_mask)]
     *   other words  data[2], data[3], ... */
    uint8_t more;
    uint8_t first;
    uint8_t second;
    uint8_t second_mask;
    uint8_t pad[6];
} gpucmd_priv_nv_sec_row;

GPUCMD_PRIV_STATIC_ASSERT(GPUCMD_NV_PRIV_SEC_INC == 1 && GPUCMD_NV_PRIV_SEC_NON_INC == 3 &&
                              GPUCMD_NV_PRIV_SEC_IMMD == 4 && GPUCMD_NV_PRIV_SEC_ONE_INC == 5,
                          sec_rows);
GPUCMD_PRIV_STATIC_ASSERT(GPUCMD_PRIV_NV_FEW_DW == 8, few_words);
#define GPUCMD_NV_PRIV_N GPUCMD_FIELD_MAX(NV_HDR_COUNT)
static const gpucmd_priv_nv_sec_row gpucmd_priv_nv_sec_rows[8] = {
    {0,                0,                0,                      0, 0, 0,  0, 0,  {0}},
    {GPUCMD_NV_PRIV_N, GPUCMD_NV_PRIV_N, GPUCMD_NV_KIND_INC,     0, 7, 0,  1, 0,  {0}},
    {0,                0,                0,                      0, 0, 0,  0, 0,  {0}},
    {GPUCMD_NV_PRIV_N, 0,                GPUCMD_NV_KIND_NON_INC, 0, 0, 15, 0, 0,  {0}},
    {0,                0,                GPUCMD_NV_KIND_IMMD,    1, 0, 0,  0, 0,  {0}},
    {GPUCMD_NV_PRIV_N, 2,                GPUCMD_NV_KIND_ONE_INC, 0, 1, 0,  0, 15, {0}},
    {0,                0,                0,                      0, 0, 0,  0, 0,  {0}},
    {0,                0,                0,                      0, 0, 0,  0, 0,  {0}},
};
#undef GPUCMD_NV_PRIV_N

/* As gpucmd_priv_nv_pusher_set_after, but for a PBDMA. */
static void gpucmd_priv_nv_pb_set_after(gpucmd_nv_pbdma *p, uint32_t run, uint32_t run_dw,
                                        uint32_t at_dw)
{
    const uint32_t sec = GPUCMD_FIELD_GET(NV_HDR_SEC_OP, run);
    const uint32_t moved = sec == GPUCMD_NV_PRIV_SEC_INC                      ? run_dw
                           : sec == GPUCMD_NV_PRIV_SEC_ONE_INC && run_dw != 0 ? 1
                                                                              : 0;
    gpucmd_priv_nv_pb_advance(p, at_dw);
    p->hdr_shadow = run;
    p->subc = GPUCMD_FIELD_GET(NV_HDR_SUBC, run);
    p->mthd = (GPUCMD_FIELD_GET(NV_HDR_MTHD, run) + moved) & GPUCMD_FIELD_MAX(NV_HDR_MTHD);
    p->run_conditional = p->conditional;
    p->count = 0;
    if (sec == GPUCMD_NV_PRIV_SEC_IMMD) {
        p->type = GPUCMD_NV_PB_TYPE_IMMD;
        return;
    }
    p->count = GPUCMD_FIELD_GET(NV_HDR_COUNT, run) - run_dw;
    p->type = sec == GPUCMD_NV_PRIV_SEC_INC                      ? GPUCMD_NV_PB_TYPE_INC
              : sec == GPUCMD_NV_PRIV_SEC_ONE_INC && run_dw == 0 ? GPUCMD_NV_PB_TYPE_INC_ONCE
                                                                 : GPUCMD_NV_PB_TYPE_NON_INC;
}

/* Execute method runs that are complete before address `end` and need no event; the first header is
 * at `at`. Return the address of the first word that was not executed. Write the last executed
 * header to *head and its address to *run. If there is none, both are unchanged. */
typedef const uint32_t *(*gpucmd_priv_nv_short_fn)(void *user, const uint32_t *at,
                                                   const uint32_t *end, const uint32_t **run,
                                                   uint32_t *head);

/* Execute method runs that are complete in the len_dw CPU words at dw. Each method run is one
 * event, except the runs that short_way (may be NULL) executes. Stop at the first command that is
 * not a method run, at a method run without data, and before a method run that might go past the
 * last method address. Write the number of consumed words to *done_dw. The state is set only at the
 * end, so a callback sees the state before the first method run. The caller must check that no
 * method run is pending and that gpucmd_priv_nv_pb_allows_whole is true. */
static gpucmd_run gpucmd_priv_nv_pb_whole_runs(gpucmd_nv_pbdma *p, const gpucmd_env *env,
                                               gpucmd_priv_nv_short_fn short_way,
                                               const uint32_t *dw, uint32_t len_dw,
                                               uint32_t *done_dw)
{
    /* Add to_va to the CPU address of a word to get its GPU address. */
    const uint64_t to_va = p->pb_get - (uint64_t)(uintptr_t)dw;
    gpucmd_status status = GPUCMD_OK;
    const uint32_t *const end = dw + len_dw;
    const uint32_t *at = dw;
    const uint32_t *run = NULL; /* last executed method run */
    uint32_t run_head = 0;      /* header of the last executed run, which callbacks may overwrite */
    uint32_t taken_dw;
    gpucmd_event event;
    gpucmd_priv_nv_event_init(&event, GPUCMD_EVENT_METHODS, 0, 0, 0);
    event.out_dw = &taken_dw;
    while (status == GPUCMD_OK) {
        uint32_t run_dw; /* data words of the method run at `at` */
        if (short_way != NULL) {
            at = short_way(env->user, at, end, &run, &run_head);
        }
        if (at == end) {
            break;
        }
        const uint32_t head = *at;
        const gpucmd_priv_nv_sec_row *row =
            &gpucmd_priv_nv_sec_rows[GPUCMD_FIELD_GET(NV_HDR_SEC_OP, head)];
        const uint32_t mthd = GPUCMD_FIELD_GET(NV_HDR_MTHD, head);
        uint32_t value = GPUCMD_FIELD_GET(NV_HDR_COUNT, head);
        run_dw = value & row->count;
        event.count_dw = run_dw + row->immd;
        if (GPUCMD_PRIV_UNLIKELY(/* no data word, or more data words than are available */
                                 ((size_t)(event.count_dw - 1) >= (size_t)(end - at) - 1) |
                                 (mthd + (run_dw < row->reach ? run_dw : row->reach) >
                                  GPUCMD_FIELD_MAX(NV_HDR_MTHD) + 1))) {
            break;
        }
        event.data = row->immd != 0 ? &value : at + 1;
        event.unit = GPUCMD_FIELD_GET(NV_HDR_SUBC, head);
        event.addr = mthd * 4;
        event.code = row->kind;
        event.va = to_va + (uint64_t)(uintptr_t)(at + 1 - row->immd);
        taken_dw = 0;
        gpucmd_priv_nv_ahead(at, GPUCMD_PRIV_NV_AHEAD_DW);
        status = env->event(env->user, &event);
        if (GPUCMD_PRIV_UNLIKELY(status != GPUCMD_OK)) {
            taken_dw = status != GPUCMD_BLOCKED    ? 0
                       : taken_dw < event.count_dw ? taken_dw
                                                   : event.count_dw;
            if (row->immd != 0 && taken_dw == 0) {
                break;
            }
            run_dw = row->immd != 0 ? 0 : taken_dw;
        }
        run = at;
        run_head = head;
        at += 1 + run_dw;
    }
    *done_dw = (uint32_t)(at - dw);
    if (run != NULL) {
        gpucmd_priv_nv_pb_set_after(p, run_head, (uint32_t)(at - run) - 1, *done_dw);
    }
    return status == GPUCMD_OK ? GPUCMD_RUN_DONE : gpucmd_priv_nv_run_of_status(status, &p->fault);
}

/* Return true if the optimization gpucmd_priv_nv_pb_whole_runs may execute the words at `at`. */
GPUCMD_INLINE bool gpucmd_priv_nv_pb_allows_whole(const gpucmd_nv_pbdma *p, const gpucmd_env *env,
                                                  const gpucmd_nv_gate *gate, const uint8_t *at)
{
    return env->event != NULL && env->trace == NULL && gate->fmt != GPUCMD_NV_FMT_OLD &&
           gpucmd_priv_nv_pbdma_is_active(p) &&
           gpucmd_priv_nv_send_max_dw(at, GPUCMD_LITTLE_ENDIAN) != GPUCMD_PRIV_NV_PIECE_DW;
}

/* As gpucmd_priv_nv_pusher_words, but for a PBDMA. short_way may be NULL. */
static gpucmd_run gpucmd_priv_nv_pb_words(gpucmd_nv_pbdma *p, const gpucmd_env *env,
                                          gpucmd_priv_nv_short_fn short_way,
                                          const gpucmd_nv_gate *gate, uint64_t *budget)
{
    const uint8_t *at = NULL;
    uint8_t scratch[4];
    gpucmd_run run = GPUCMD_RUN_DONE;
    uint32_t left_dw = gpucmd_priv_nv_pb_span(p, env->mem, *budget, scratch, &at);
    if (left_dw == 0) {
        p->fault = GPUCMD_FAULT;
        return GPUCMD_RUN_FAULT;
    }
    while (left_dw != 0 && run == GPUCMD_RUN_DONE) {
        uint32_t n_dw = 1;
        if (p->count == 0 && left_dw > 1 && gpucmd_priv_nv_pb_allows_whole(p, env, gate, at)) {
            run = gpucmd_priv_nv_pb_whole_runs(p, env, short_way,
                                               (const uint32_t *)(const void *)at, left_dw, &n_dw);
            *budget -= n_dw;
            left_dw -= n_dw;
            at += 4 * (size_t)n_dw;
            if (left_dw == 0 || run != GPUCMD_RUN_DONE) {
                break;
            }
            n_dw = 1;
        }
        const uint64_t next = p->pb_get + 4;
        if (p->count != 0) {
            run = gpucmd_priv_nv_pb_data(p, env, at, left_dw, &n_dw);
        } else {
            run = gpucmd_priv_nv_pb_word(p, env, gate, gpucmd_load32(at, GPUCMD_LITTLE_ENDIAN),
                                         &n_dw);
            if (p->pb_get != next && run == GPUCMD_RUN_DONE) {
                left_dw = n_dw; /* the remaining words of the segment are skipped */
            }
        }
        *budget -= n_dw;
        left_dw -= n_dw;
        at += 4 * (size_t)n_dw;
    }
    return run;
}

/* Raise GPENTRY for the current IB entry, after which gp_get already points. On GA100 and later
 * also set gp_crc to 0. */
static gpucmd_run gpucmd_priv_nv_gp_discard(gpucmd_nv_pbdma *p)
{
    if (p->chip >= GPUCMD_NV_CHIP_GA100) {
        p->gp_crc = 0;
    }
    return gpucmd_priv_nv_pbdma_interrupt(p, GPUCMD_NV_PBDMA_INTR_GPENTRY);
}

/* Execute an IB entry that is a control entry. */
static gpucmd_run gpucmd_priv_nv_gp_control(gpucmd_nv_pbdma *p, const gpucmd_nv_entry *entry)
{
    uint32_t crc;
    switch ((gpucmd_nv_control)entry->opcode) {
    case GPUCMD_NV_CONTROL_NOP: return GPUCMD_RUN_DONE;
    case GPUCMD_NV_CONTROL_ILLEGAL: break;
    case GPUCMD_NV_CONTROL_GP_CRC:
        crc = p->gp_crc;
        p->gp_crc = 0;
        return crc == entry->operand
                   ? GPUCMD_RUN_DONE
                   : gpucmd_priv_nv_pbdma_interrupt(p, GPUCMD_NV_PBDMA_INTR_GPCRC);
    case GPUCMD_NV_CONTROL_PB_CRC:
        crc = p->crc;
        p->crc = 0;
        p->crc_bytes = 0;
        return crc == entry->operand
                   ? GPUCMD_RUN_DONE
                   : gpucmd_priv_nv_pbdma_interrupt(p, GPUCMD_NV_PBDMA_INTR_PBCRC);
    case GPUCMD_NV_CONTROL_SET_PB_SEGMENT_EXTENDED_BASE:
        if (p->chip >= GPUCMD_NV_CHIP_GH100) {
            p->extended_base = GPUCMD_FIELD_GET(NV_EXTENDED_BASE, entry->operand);
            return GPUCMD_RUN_DONE;
        }
        break;
    }
    return gpucmd_priv_nv_gp_discard(p);
}

/* Return true if data words for a software object are pending. All of these must be true:
 *   - the chip is GK104 or later, and the subchannel is 5, 6 or 7
 *   - the method is SET_OBJECT or an engine method, and methods are passed to engines
 * Before GK104 return false, so that the data words are fetched (MODEL). */
static bool gpucmd_priv_nv_pb_is_software(const gpucmd_nv_pbdma *p)
{
    return p->count != 0 && p->chip >= GPUCMD_NV_CHIP_GK104 && p->subc > 4 &&
           (p->mthd == GPUCMD_NV_HOST_SET_OBJECT || p->mthd >= GPUCMD_NV_HOST_END / 4) &&
           gpucmd_priv_nv_pbdma_is_active(p);
}

/* Execute the next IB entry. If the entry has SYNC_WAIT and data words for a software object are
 * pending, raise DEVICE and fetch nothing: a PBDMA waits until DEVICE is cleared. [PBDMA] */
static gpucmd_run gpucmd_priv_nv_gp_entry(gpucmd_nv_pbdma *p, const gpucmd_env *env)
{
    const uint64_t at_va = p->gp_base + 8 * (uint64_t)p->gp_get;
    uint8_t bytes[8];
    uint32_t dw[2];
    gpucmd_nv_entry entry;
    if (gpucmd_mem_read(env->mem, at_va, bytes, sizeof bytes) != GPUCMD_OK) {
        p->fault = GPUCMD_FAULT;
        return GPUCMD_RUN_FAULT;
    }
    dw[0] = gpucmd_load32(bytes, GPUCMD_LITTLE_ENDIAN);
    dw[1] = gpucmd_load32(bytes + 4, GPUCMD_LITTLE_ENDIAN);
    const gpucmd_status status = gpucmd_nv_decode_entry(dw, p->chip, &entry);
    if (status == GPUCMD_OK && entry.is_control && entry.opcode == GPUCMD_NV_CONTROL_PB_CRC &&
        !gpucmd_priv_nv_pb_crc_add(p, env->mem, &p->crc, &p->crc_bytes)) {
        return GPUCMD_RUN_DONE; /* the CRC continues with the next unit of budget */
    }
    gpucmd_priv_nv_trace_fetch(env, GPUCMD_NV_FETCH_ENTRY, at_va, (uint64_t)dw[1] << 32 | dw[0]);
    if (status != GPUCMD_OK) {
        p->fault = GPUCMD_UNSUPPORTED;
        return GPUCMD_RUN_FAULT;
    }
    if ((entry.flags & GPUCMD_NV_ENTRY_SYNC_WAIT) != 0 && gpucmd_priv_nv_pb_is_software(p)) {
        return gpucmd_priv_nv_pbdma_interrupt(p, GPUCMD_NV_PBDMA_INTR_DEVICE);
    }
    p->gp_shadow[0] = dw[0];
    p->gp_shadow[1] = dw[1];
    p->gp_get = (uint32_t)((p->gp_get + 1) & (gpucmd_priv_shl(1, p->limit2) - 1));
    p->sync_wait = (entry.flags & GPUCMD_NV_ENTRY_SYNC_WAIT) != 0;
    if (entry.is_control) {
        return gpucmd_priv_nv_gp_control(p, &entry);
    }
    if (entry.va + 4 * (uint64_t)entry.len_dw > GPUCMD_PRIV_NV_B40) {
        return gpucmd_priv_nv_gp_discard(p);
    }
    p->gp_crc = gpucmd_nv_crc(p->gp_crc, bytes, sizeof bytes);
    if ((entry.flags & GPUCMD_NV_ENTRY_FETCH_CONDITIONAL) != 0 &&
        !gpucmd_priv_nv_pbdma_is_active(p)) {
        return GPUCMD_RUN_DONE;
    }
    p->pb_get = ((uint64_t)p->extended_base << GPUCMD_NV_ENTRY_VA_BITS) + entry.va;
    p->pb_put = p->pb_get + 4 * (uint64_t)entry.len_dw;
    p->segment_va = p->pb_get;
    p->segment_end_va = p->pb_put;
    p->conditional = (entry.flags & GPUCMD_NV_ENTRY_FETCH_CONDITIONAL) != 0;
    p->no_context_switch = (entry.flags & GPUCMD_NV_ENTRY_NO_CONTEXT_SWITCH) != 0;
    p->priv = (entry.flags & GPUCMD_NV_ENTRY_PRIV) != 0;
    p->level = (entry.flags & GPUCMD_NV_ENTRY_SUBROUTINE) != 0;
    p->first = true;
    p->top_level_get = p->level ? p->top_level_get : p->pb_get;
    return GPUCMD_RUN_DONE;
}

/* As gpucmd_priv_nv_pusher_execute, but for a PBDMA. short_way may be NULL. */
static gpucmd_run gpucmd_priv_nv_pbdma_execute(gpucmd_nv_pbdma *p, const gpucmd_env *env,
                                               gpucmd_priv_nv_short_fn short_way,
                                               const gpucmd_nv_gate *gate, uint64_t *budget)
{
    const unsigned va_bits = p->chip >= GPUCMD_NV_CHIP_GH100 ? (unsigned)GPUCMD_NV_VA57_BITS
                                                             : (unsigned)GPUCMD_NV_ENTRY_VA_BITS;
    const uint64_t entries = gpucmd_priv_shl(1, p->limit2 & 31);
    const bool high = p->gp_base > gpucmd_priv_shl(1, va_bits) - 8 * entries;
    if (p->intr != 0 || p->fault != GPUCMD_OK) {
        return GPUCMD_RUN_FAULT;
    }
    if (p->pb_get == p->pb_put && !high && p->gp_get == p->gp_put && p->gp_get < entries) {
        return GPUCMD_RUN_IDLE;
    }
    if (*budget == 0) {
        return GPUCMD_RUN_LIMIT;
    }
    if (p->pb_get != p->pb_put) {
        return gpucmd_priv_nv_pb_words(p, env, short_way, gate, budget);
    }
    if (high) {
        return gpucmd_priv_nv_pbdma_interrupt(p, GPUCMD_NV_PBDMA_INTR_GPFIFO);
    }
    if (p->gp_get >= entries || p->gp_put >= entries) {
        return gpucmd_priv_nv_pbdma_interrupt(p, GPUCMD_NV_PBDMA_INTR_GPPTR);
    }
    --*budget;
    return gpucmd_priv_nv_gp_entry(p, env);
}

/* As gpucmd_priv_nv_pusher_gate, for a PBDMA. GPUCMD_RANGE: before GF100, or p->limit2 > 31. */
static gpucmd_status gpucmd_priv_nv_pbdma_gate(const gpucmd_nv_pbdma *p, gpucmd_nv_gate *gate)
{
    gpucmd_priv_zero(gate, sizeof *gate);
    const gpucmd_status status = gpucmd_nv_gate_init(gate, p->chip, false, false, p->fmt);
    return status == GPUCMD_OK && (!GPUCMD_NV_IS_GF100(p->chip) || p->limit2 > 31) ? GPUCMD_RANGE
                                                                                   : status;
}

/* As gpucmd_nv_pbdma_run, but subtract the used budget from *budget. short_way may be NULL. */
static gpucmd_run gpucmd_priv_nv_pbdma_run_budget(gpucmd_nv_pbdma *p, const gpucmd_env *env,
                                                  gpucmd_priv_nv_short_fn short_way,
                                                  uint64_t *budget)
{
    gpucmd_nv_gate gate;
    gpucmd_run run = GPUCMD_RUN_DONE;
    gpucmd_priv_nv_keep_fault(&p->fault, gpucmd_priv_nv_pbdma_gate(p, &gate));
    while (run == GPUCMD_RUN_DONE) {
        run = gpucmd_priv_nv_pbdma_execute(p, env, short_way, &gate, budget);
    }
    return run;
}

GPUCMD_PRIV_API gpucmd_run gpucmd_nv_pbdma_run(gpucmd_nv_pbdma *p, const gpucmd_env *env,
                                               uint64_t budget)
{
    return gpucmd_priv_nv_pbdma_run_budget(p, env, NULL, &budget);
}

GPUCMD_PRIV_API gpucmd_run gpucmd_nv_pbdma_step(gpucmd_nv_pbdma *p, const gpucmd_env *env)
{
    gpucmd_nv_gate gate;
    uint64_t budget = 1;
    gpucmd_priv_nv_keep_fault(&p->fault, gpucmd_priv_nv_pbdma_gate(p, &gate));
    return gpucmd_priv_nv_pbdma_execute(p, env, NULL, &gate, &budget);
}

GPUCMD_PRIV_API void gpucmd_nv_pbdma_why(const gpucmd_nv_pbdma *p, const gpucmd_mem *mem,
                                         gpucmd_why *why)
{
    const uint64_t at_va =
        p->pb_get != p->pb_put ? p->pb_get : p->gp_base + 8 * (uint64_t)p->gp_get;
    const bool ready = p->pb_get != p->pb_put || p->gp_get != p->gp_put;
    gpucmd_nv_gate gate;
    unsigned bit = 0;
    if (p->intr != 0) {
        while ((p->intr >> bit & 1) == 0) {
            bit++;
        }
        gpucmd_priv_nv_why_error(why, at_va, "INTR_0", p->intr,
                                 gpucmd_nv_pbdma_intr_name(p->chip, bit),
                                 gpucmd_nv_pbdma_intr_text(p->chip, bit));
    } else if (p->fault == GPUCMD_FAULT) {
        gpucmd_priv_nv_why_status(why, GPUCMD_WHY_MEMORY, p->fault, at_va, mem);
    } else if (p->fault != GPUCMD_OK) {
        const bool valid = gpucmd_priv_nv_pbdma_gate(p, &gate) == GPUCMD_OK;
        gpucmd_priv_nv_why_status(why, valid ? GPUCMD_WHY_CALLBACK : GPUCMD_WHY_MODEL, p->fault,
                                  at_va, mem);
    } else {
        gpucmd_priv_why_set(why, ready ? GPUCMD_WHY_READY : GPUCMD_WHY_IDLE, 0, at_va);
    }
}

GPUCMD_PRIV_API uint32_t gpucmd_nv_pbdma_read32(void *pbdma, uint64_t off_bytes)
{
    const gpucmd_nv_pbdma *p = (const gpucmd_nv_pbdma *)pbdma;
    if ((gpucmd_nv_area_access(p->chip, off_bytes, true) & GPUCMD_ACCESS_READ) == 0) {
        return 0;
    }
    switch ((uint32_t)off_bytes) {
    case GPUCMD_NV_AREA_DMA_PUT: return (uint32_t)p->pb_put;
    case GPUCMD_NV_AREA_DMA_GET: return (uint32_t)p->pb_get;
    case GPUCMD_NV_AREA_REF: return p->ref;
    case GPUCMD_NV_AREA_REF_THRESHOLD: return p->ref_threshold;
    case GPUCMD_NV_AREA_DMA_PUT_HIGH: return (uint32_t)(p->pb_put >> 32);
    case GPUCMD_NV_AREA_DMA_GET_HIGH: return (uint32_t)(p->pb_get >> 32);
    case GPUCMD_NV_AREA_DMA_MGET: return (uint32_t)p->top_level_get;
    case GPUCMD_NV_AREA_DMA_MGET_HIGH:
        return (uint32_t)(p->top_level_get >> 32) |
               GPUCMD_FIELD_PUT(NV_AREA_MGET_VAL, p->top_level_get_valid);
    case GPUCMD_NV_AREA_IB_GET: return p->gp_get;
    case GPUCMD_NV_AREA_IB_PUT: return p->gp_put;
    default: return 0;
    }
}

GPUCMD_PRIV_API void gpucmd_nv_pbdma_write32(void *pbdma, uint64_t off_bytes, uint32_t v)
{
    gpucmd_nv_pbdma *p = (gpucmd_nv_pbdma *)pbdma;
    if ((gpucmd_nv_area_access(p->chip, off_bytes, true) & GPUCMD_ACCESS_WRITE) == 0) {
        return;
    }
    if (off_bytes == GPUCMD_NV_AREA_IB_PUT) {
        p->gp_put = v;
    } else if (off_bytes == GPUCMD_NV_AREA_REF_THRESHOLD) {
        p->ref_threshold = v;
    }
}

/* ---- host methods ---- */

GPUCMD_PRIV_TEXT_FUNCTION(gpucmd_nv_sem_op_name, gpucmd_nv_sem_op,
                          "NONE\0ACQUIRE\0ACQ_STRICT_GEQ\0ACQ_CIRC_GEQ\0ACQ_AND\0ACQ_NOR\0"
                          "RELEASE\0REDUCTION\0")
GPUCMD_PRIV_TEXT_FUNCTION(gpucmd_nv_host_error_name, gpucmd_nv_host_error,
                          GPUCMD_NV_HOST_ERRORS(GPUCMD_PRIV_ROW_NAME))

GPUCMD_PRIV_API const char *gpucmd_nv_host_error_text(gpucmd_nv_host_error error)
{
#define GPUCMD_NV_PRIV_ROW(name, kind, code, text) text "\0"
    return gpucmd_priv_row_text(GPUCMD_NV_HOST_ERRORS(GPUCMD_NV_PRIV_ROW), (size_t)error);
#undef GPUCMD_NV_PRIV_ROW
}

GPUCMD_PRIV_API uint32_t gpucmd_nv_host_error_code(gpucmd_nv_host_error error)
{
#define GPUCMD_NV_PRIV_ROW(name, kind, code, text)                                                 \
    case GPUCMD_NV_HOST_ERROR_##name: return (code);
    switch (error) {
        GPUCMD_NV_HOST_ERRORS(GPUCMD_NV_PRIV_ROW)
    }
#undef GPUCMD_NV_PRIV_ROW
    return 0;
}

GPUCMD_PRIV_API bool gpucmd_nv_wait_ends(const gpucmd_nv_wait *wait, uint64_t v)
{
    const unsigned bits = wait->is_64bit ? 64 : 32;
    const uint64_t mask = gpucmd_priv_shr(~(uint64_t)0, 64 - bits);
    const uint64_t s = v & mask;
    const uint64_t p = wait->payload & mask;
    switch (wait->op) {
    case GPUCMD_NV_SEM_OP_ACQUIRE: return s == p;
    case GPUCMD_NV_SEM_OP_ACQ_STRICT_GEQ: return s >= p;
    case GPUCMD_NV_SEM_OP_ACQ_CIRC_GEQ: return (gpucmd_priv_shr(s - p, bits - 1) & 1) == 0;
    case GPUCMD_NV_SEM_OP_ACQ_AND: return (s & p) != 0;
    case GPUCMD_NV_SEM_OP_ACQ_NOR: return (~(s | p) & mask) != 0;
    case GPUCMD_NV_SEM_OP_NONE:
    case GPUCMD_NV_SEM_OP_RELEASE:
    case GPUCMD_NV_SEM_OP_REDUCTION: break;
    }
    return false;
}

GPUCMD_PRIV_API uint32_t gpucmd_nv_method_crc(uint32_t crc, uint32_t subc, uint32_t mthd,
                                              uint32_t dw)
{
    uint8_t bytes[6];
    gpucmd_store32(bytes, dw, GPUCMD_LITTLE_ENDIAN);
    bytes[4] = (uint8_t)(mthd / 4);
    bytes[5] = (uint8_t)((mthd / 4 >> 8 & 0x0f) | (subc & 7) << 4);
    return gpucmd_nv_crc(crc, bytes, sizeof bytes);
}

/* State of a search for the channel that ends the wait of another channel. The searched channel
 * "executes ahead": it changes no memory, its writes are only recorded here, and all its acquires
 * succeed. The search stops at the first write that certainly ends the wait. */
typedef struct gpucmd_priv_nv_seek {
    const gpucmd_nv_wait *wait;
    gpucmd_endian endian; /* byte order of the waiting channel */
    uint8_t bytes[8];     /* value at the waited-for address after the recorded writes */
    uint8_t known;        /* bit i: bytes[i] is known */
    bool found;           /* a write to the waited-for address was found */
    bool satisfies;       /* a write that certainly ends the wait was found */
} gpucmd_priv_nv_seek;

/* Context of a channel that executes. gpucmd_priv_nv_receive gets it as its parameter `user`. */
typedef struct gpucmd_priv_nv_host {
    gpucmd_nv_channel *ch;
    gpucmd_nv_card *card;
    gpucmd_priv_nv_seek *seek; /* NULL, or the search in which the channel executes ahead */
    uint32_t keeps_from;       /* methods from this address on may be stored without a callback */
    const uint64_t *budget;    /* remaining units of budget of the channel */
    uint64_t room;             /* units of budget that the current event may spend */
} gpucmd_priv_nv_host;

/* Return the byte order in which a channel reads and writes values. */
GPUCMD_INLINE gpucmd_endian gpucmd_priv_nv_channel_endian(const gpucmd_nv_channel *ch)
{
    return GPUCMD_NV_IS_GF100(ch->chip) ? GPUCMD_LITTLE_ENDIAN
                                        : gpucmd_priv_nv_pusher_endian(&ch->pusher);
}

GPUCMD_INLINE gpucmd_endian gpucmd_priv_nv_host_endian(const gpucmd_priv_nv_host *h)
{
    return gpucmd_priv_nv_channel_endian(h->ch);
}

/* Pass an event of this channel to the trace, unless the channel executes ahead (h->seek). If kind
 * is MEM_WRITE, parameter code is the number of words. */
static void gpucmd_priv_nv_trace_event(const gpucmd_priv_nv_host *h, gpucmd_event_kind kind,
                                       uint32_t code, uint64_t va, uint64_t value)
{
    if (h->card->trace != NULL && h->seek == NULL) {
        gpucmd_event event;
        gpucmd_priv_nv_event_init(&event, kind, kind == GPUCMD_EVENT_MEM_WRITE ? 0 : code, va,
                                  value);
        event.count_dw = kind == GPUCMD_EVENT_MEM_WRITE ? code : 0;
        event.unit = h->ch->id;
        (void)h->card->trace(h->card->trace_user, &event);
    }
}

/* Stop the channel with an error at the current word, and return GPUCMD_BLOCKED. GF100 and later:
 * set bits intr of INTR_0. Before: set puller.error. gpucmd_nv_channel_clear drops the word. */
static gpucmd_status gpucmd_priv_nv_stop_error(const gpucmd_priv_nv_host *h, uint32_t intr,
                                               gpucmd_nv_host_error error)
{
    if (GPUCMD_NV_IS_GF100(h->ch->chip)) {
        h->ch->pbdma.intr |= intr;
    } else {
        h->ch->puller.error = error;
    }
    h->ch->puller.skip = true;
    return GPUCMD_BLOCKED;
}

/* Return the address of the FAULTED word of channel number id. NULL: card->faulted has no such
 * element, the chip is before GV100, or the channel of h executes ahead (h->seek). */
GPUCMD_INLINE uint32_t *gpucmd_priv_nv_faulted_bits(const gpucmd_priv_nv_host *h, uint32_t id)
{
    return h->card->faulted != NULL && id < h->card->faulted_count && h->seek == NULL &&
                   h->ch->chip >= GPUCMD_NV_CHIP_GV100
               ? &h->card->faulted[id]
               : NULL;
}

/* Stop the channel before the current word and return GPUCMD_BLOCKED. The channel
 * executes the word again when it continues. status is the reason:
 *   GPUCMD_BLOCKED  set puller.callback, unless the channel waits
 *   GPUCMD_FAULT    set puller.fault, and parameter bit (GPUCMD_NV_*_FAULTED) in the FAULTED word
 *   any other       set puller.fault; GPUCMD_OK is not allowed */
static gpucmd_status gpucmd_priv_nv_stop_fault(const gpucmd_priv_nv_host *h, gpucmd_status status,
                                               uint32_t bit)
{
    uint32_t *faulted = gpucmd_priv_nv_faulted_bits(h, h->ch->id);
    if (status != GPUCMD_BLOCKED) {
        h->ch->puller.fault = status;
    }
    if (status == GPUCMD_FAULT && faulted != NULL) {
        *faulted |= bit;
    }
    h->ch->puller.callback = status == GPUCMD_BLOCKED && !h->ch->puller.wait.active;
    return GPUCMD_BLOCKED;
}

/* As gpucmd_priv_nv_stop_fault, but for a fault of an engine (GPUCMD_NV_ENG_FAULTED). */
static gpucmd_status gpucmd_priv_nv_engine_stop_fault(const gpucmd_priv_nv_host *h,
                                                      gpucmd_status status)
{
    return gpucmd_priv_nv_stop_fault(h, status, GPUCMD_NV_ENG_FAULTED);
}

/* Pause before the current word and return GPUCMD_BLOCKED, so that other channels can execute or a
 * long operation does not exceed the budget. cost is the number of spent units of budget. */
static gpucmd_status gpucmd_priv_nv_pause(const gpucmd_priv_nv_host *h, uint64_t cost)
{
    h->ch->puller.pause_cost += cost;
    return GPUCMD_BLOCKED;
}

/* Pass an interrupt, which does not stop the channel, to trace and callback. If the channel
 * executes ahead (h->seek), do nothing. */
static void gpucmd_priv_nv_interrupt(const gpucmd_priv_nv_host *h, uint32_t code, uint32_t value)
{
    gpucmd_event event;
    if (h->seek != NULL) {
        return;
    }
    h->card->effects++;
    gpucmd_priv_nv_trace_event(h, GPUCMD_EVENT_INTERRUPT, code, 0, value);
    if (h->card->event != NULL) {
        gpucmd_priv_nv_event_init(&event, GPUCMD_EVENT_INTERRUPT, code, 0, value);
        event.unit = h->ch->id;
        (void)h->card->event(h->card->user, &event);
    }
}

/* Return the time in nanoseconds:
 *   the channel executes ahead (h->seek)  clock_ns
 *   card->time_ns is not NULL             the result of card->time_ns
 *   otherwise                             clock_ns, which then advances by clock_step_ns */
static uint64_t gpucmd_priv_nv_time_ns(const gpucmd_priv_nv_host *h)
{
    uint64_t now = h->card->clock_ns;
    if (h->seek != NULL) {
        return now;
    }
    if (h->card->time_ns != NULL) {
        return h->card->time_ns(h->card->time_user);
    }
    h->card->clock_ns = now + h->card->clock_step_ns;
    return now;
}

/* Return the size in bytes of the value that a channel waits for. */
GPUCMD_INLINE unsigned gpucmd_priv_nv_wait_bytes(const gpucmd_nv_wait *wait)
{
    return wait->is_64bit ? 8 : 4;
}

/* Write the value at the waited-for address, after the recorded writes, to *v.
 * Return false if some bytes of the value are unknown. */
static bool gpucmd_priv_nv_seek_value(const gpucmd_priv_nv_seek *seek, uint64_t *v)
{
    const unsigned all = seek->wait->is_64bit ? 0xff : 0x0f;
    *v = seek->wait->is_64bit ? gpucmd_load64(seek->bytes, seek->endian)
                              : gpucmd_load32(seek->bytes, seek->endian);
    return (seek->known & all) == all;
}

/* Record that the waited-for address was written, and whether the new value ends the wait. */
static void gpucmd_priv_nv_seek_compare(gpucmd_priv_nv_seek *seek)
{
    uint64_t v;
    seek->found = true;
    if (gpucmd_priv_nv_seek_value(seek, &v) && gpucmd_nv_wait_ends(seek->wait, v)) {
        seek->satisfies = true;
    }
}

/* Record a write of len_bytes at va: words of dw in byte order `endian`; dw NULL: unknown words. */
static void gpucmd_priv_nv_seek_write(gpucmd_priv_nv_seek *seek, uint64_t va, uint64_t len_bytes,
                                      const uint32_t *dw, gpucmd_endian endian)
{
    unsigned i;
    const gpucmd_nv_wait *wait = seek->wait;
    bool touched = false;
    for (i = 0; i < gpucmd_priv_nv_wait_bytes(wait); i++) {
        const uint64_t at = wait->va + i - va;
        uint8_t bytes[4];
        if (wait->is_syncpoint || wait->op == GPUCMD_NV_SEM_OP_NONE || at >= len_bytes) {
            continue;
        }
        touched = true;
        seek->known = (uint8_t)(seek->known & ~(1u << i));
        if (dw != NULL) {
            gpucmd_store32(bytes, dw[(size_t)at / 4], endian);
            seek->bytes[i] = bytes[at % 4];
            seek->known = (uint8_t)(seek->known | 1u << i);
        }
    }
    if (touched) {
        gpucmd_priv_nv_seek_compare(seek);
    }
}

/* If the channel executes ahead (h->seek), record a write of len_bytes bytes at va and return true;
 * then the caller must write nothing. Otherwise increment card->effects and return false. dw is the
 * address of the words; NULL: unknown values. */
static bool gpucmd_priv_nv_skip_write(const gpucmd_priv_nv_host *h, uint64_t va, uint64_t len_bytes,
                                      const uint32_t *dw)
{
    if (GPUCMD_PRIV_UNLIKELY(h->seek != NULL)) {
        gpucmd_priv_nv_seek_write(h->seek, va, len_bytes, dw, gpucmd_priv_nv_host_endian(h));
        return true;
    }
    h->card->effects++;
    return false;
}

/* Write n_dw words (1 to 4) at va. GPUCMD_FAULT: a word is not accessible; none is written. */
static gpucmd_status gpucmd_priv_nv_store_words(const gpucmd_priv_nv_host *h, uint64_t va,
                                                const uint32_t *dw, uint32_t n_dw)
{
    const uint64_t value = n_dw > 1 ? (uint64_t)dw[1] << 32 | dw[0] : dw[0];
    uint8_t *at = NULL;
    uint64_t got_bytes = 0;
    uint8_t bytes[16];
    if (gpucmd_priv_nv_skip_write(h, va, 4 * (uint64_t)n_dw, dw)) {
        return GPUCMD_OK;
    }
    if (GPUCMD_PRIV_UNLIKELY(h->card->trace != NULL)) {
        gpucmd_priv_nv_trace_event(h, GPUCMD_EVENT_MEM_WRITE, n_dw, va, value);
    }
    if (gpucmd_mem_span(h->card->mem, va, 4 * (uint64_t)n_dw, GPUCMD_ACCESS_WRITE, &at,
                        &got_bytes) == GPUCMD_OK &&
        got_bytes == 4 * (uint64_t)n_dw) {
        gpucmd_store_words(at, dw, n_dw, gpucmd_priv_nv_host_endian(h));
        return GPUCMD_OK;
    }
    gpucmd_store_words(bytes, dw, n_dw, gpucmd_priv_nv_host_endian(h));
    return gpucmd_mem_write(h->card->mem, va, bytes, 4 * (uint64_t)n_dw);
}

/* Write the time, 2 words at dw, to va. If the channel executes ahead (h->seek), only record a
 * write of an unknown value. */
static gpucmd_status gpucmd_priv_nv_store_time(const gpucmd_priv_nv_host *h, uint64_t va,
                                               const uint32_t dw[2])
{
    if (h->seek != NULL) {
        (void)gpucmd_priv_nv_skip_write(h, va, 8, NULL);
        return GPUCMD_OK;
    }
    return gpucmd_priv_nv_store_words(h, va, dw, 2);
}

/* Write 16 bytes at va: payload, then time in ns (64 bits each). The time is stored first. */
static gpucmd_status gpucmd_priv_nv_store_report(const gpucmd_priv_nv_host *h, uint64_t va,
                                                 uint64_t payload)
{
    const gpucmd_endian endian = gpucmd_priv_nv_host_endian(h);
    uint32_t dw[2];
    gpucmd_status status = GPUCMD_OK;
    if (h->seek == NULL) {
        status = gpucmd_mem_probe(h->card->mem, va, 16, GPUCMD_ACCESS_WRITE);
    }
    if (status != GPUCMD_OK) {
        return status;
    }
    const uint64_t now = gpucmd_priv_nv_time_ns(h);
    dw[0] = (uint32_t)(endian == GPUCMD_BIG_ENDIAN ? now >> 32 : now);
    dw[1] = (uint32_t)(endian == GPUCMD_BIG_ENDIAN ? now : now >> 32);
    status = gpucmd_priv_nv_store_time(h, va + 8, dw);
    dw[0] = (uint32_t)payload;
    dw[1] = (uint32_t)(payload >> 32);
    return status == GPUCMD_OK ? gpucmd_priv_nv_store_words(h, va, dw, 2) : status;
}

static gpucmd_status gpucmd_priv_nv_load_value(const gpucmd_priv_nv_host *h, uint64_t va,
                                               bool is_64bit, uint64_t *v)
{
    uint32_t dw = 0;
    if (is_64bit) {
        return gpucmd_mem_read64(h->card->mem, va, gpucmd_priv_nv_host_endian(h), v);
    }
    const gpucmd_status status =
        gpucmd_mem_read32(h->card->mem, va, gpucmd_priv_nv_host_endian(h), &dw);
    *v = dw;
    return status;
}

/* Return true if a < b, where a and b are signed or unsigned numbers with `bits` bits. */
GPUCMD_INLINE bool gpucmd_priv_nv_is_less(uint64_t a, uint64_t b, unsigned bits, bool is_unsigned)
{
    const uint64_t flip = is_unsigned ? 0 : gpucmd_priv_shl(1, bits - 1);
    return (a ^ flip) < (b ^ flip);
}

/* Return the result of a reduction of memory value v with payload p, both with `bits` bits. */
static uint64_t gpucmd_priv_nv_reduce(uint32_t reduction, uint64_t v, uint64_t p, unsigned bits,
                                      bool is_unsigned)
{
    switch ((gpucmd_nv_reduction)reduction) {
    case GPUCMD_NV_REDUCTION_IMIN: return gpucmd_priv_nv_is_less(p, v, bits, is_unsigned) ? p : v;
    case GPUCMD_NV_REDUCTION_IMAX: return gpucmd_priv_nv_is_less(v, p, bits, is_unsigned) ? p : v;
    case GPUCMD_NV_REDUCTION_IXOR: return v ^ p;
    case GPUCMD_NV_REDUCTION_IAND: return v & p;
    case GPUCMD_NV_REDUCTION_IOR: return v | p;
    case GPUCMD_NV_REDUCTION_IADD: return v + p;
    case GPUCMD_NV_REDUCTION_INC: return v >= p ? 0 : v + 1;
    case GPUCMD_NV_REDUCTION_DEC: return v == 0 || v > p ? p : v - 1;
    }
    return v;
}

/* Replace the value at va by the result of its reduction with payload. If the channel executes
 * ahead (h->seek), only record the write. */
static gpucmd_status gpucmd_priv_nv_store_reduced(const gpucmd_priv_nv_host *h, uint64_t va,
                                                  uint32_t reduction, uint64_t payload,
                                                  bool is_64bit, bool is_unsigned)
{
    uint64_t v = 0;
    uint32_t dw[2];
    gpucmd_status status;
    if (h->seek == NULL) {
        status = gpucmd_priv_nv_load_value(h, va, is_64bit, &v);
    } else if (va != h->seek->wait->va || is_64bit != h->seek->wait->is_64bit ||
               !gpucmd_priv_nv_seek_value(h->seek, &v)) {
        (void)gpucmd_priv_nv_skip_write(h, va, is_64bit ? 8 : 4, NULL);
        return GPUCMD_OK;
    } else {
        status = GPUCMD_OK;
    }
    if (status != GPUCMD_OK) {
        return status;
    }
    v = gpucmd_priv_nv_reduce(reduction, v, payload, is_64bit ? 64 : 32, is_unsigned);
    dw[0] = (uint32_t)v;
    dw[1] = (uint32_t)(v >> 32);
    return gpucmd_priv_nv_store_words(h, va, dw, is_64bit ? 2 : 1);
}

/* Fields of a semaphore operation. */
typedef struct gpucmd_priv_nv_sem {
    gpucmd_nv_sem_op op;
    uint64_t va;
    uint64_t payload;
    uint32_t reduction;
    bool is_64bit;
    bool is_unsigned;
    bool timestamp; /* release, reduction: also write the time at va + 8 */
    bool ctxsw;
} gpucmd_priv_nv_sem;

/* Compare the value in memory as the acquire sem does. Return:
 *   GPUCMD_OK        the condition is true, or the channel executes ahead (h->seek)
 *   GPUCMD_BLOCKED   the channel waits
 *   other statuses   the read failed */
static gpucmd_status gpucmd_priv_nv_acquire(const gpucmd_priv_nv_host *h,
                                            const gpucmd_priv_nv_sem *sem)
{
    gpucmd_nv_wait *wait = &h->ch->puller.wait;
    const bool again = wait->active;
    uint64_t v = 0;
    if (h->seek != NULL) {
        return GPUCMD_OK;
    }
    wait->op = sem->op;
    wait->va = sem->va;
    wait->payload = sem->payload;
    wait->is_64bit = sem->is_64bit;
    wait->is_syncpoint = false;
    wait->is_fault = false;
    wait->ctxsw = sem->ctxsw;
    const gpucmd_status status = gpucmd_priv_nv_load_value(h, sem->va, sem->is_64bit, &v);
    wait->active = status == GPUCMD_OK && !gpucmd_nv_wait_ends(wait, v);
    if (again != wait->active) {
        gpucmd_priv_nv_trace_event(h, again ? GPUCMD_EVENT_WAKE : GPUCMD_EVENT_WAIT,
                                   (uint32_t)sem->op, sem->va, again ? v : sem->payload);
    }
    return wait->active ? GPUCMD_BLOCKED : status;
}

/* Execute a semaphore operation whose fields and alignment are valid.
 * GPUCMD_BLOCKED: the channel waits. GPUCMD_FAULT: memory is not accessible. */
static gpucmd_status gpucmd_priv_nv_semaphore(const gpucmd_priv_nv_host *h,
                                              const gpucmd_priv_nv_sem *sem)
{
    const uint32_t dw[2] = {(uint32_t)sem->payload, (uint32_t)(sem->payload >> 32)};
    if (sem->op != GPUCMD_NV_SEM_OP_RELEASE && sem->op != GPUCMD_NV_SEM_OP_REDUCTION) {
        return gpucmd_priv_nv_acquire(h, sem);
    }
    if (sem->op == GPUCMD_NV_SEM_OP_RELEASE) {
        return sem->timestamp
                   ? gpucmd_priv_nv_store_report(h, sem->va, sem->is_64bit ? sem->payload : dw[0])
                   : gpucmd_priv_nv_store_words(h, sem->va, dw, sem->is_64bit ? 2 : 1);
    }
    if (sem->timestamp) {
        gpucmd_status status =
            h->seek != NULL ? GPUCMD_OK
                            : gpucmd_mem_probe(h->card->mem, sem->va, 16, GPUCMD_ACCESS_WRITE);
        const uint64_t now = gpucmd_priv_nv_time_ns(h);
        const uint32_t at_time[2] = {(uint32_t)now, (uint32_t)(now >> 32)};
        status = status == GPUCMD_OK ? gpucmd_priv_nv_store_time(h, sem->va + 8, at_time) : status;
        if (status != GPUCMD_OK) {
            return status;
        }
    }
    return gpucmd_priv_nv_store_reduced(h, sem->va, sem->reduction, sem->payload, sem->is_64bit,
                                        sem->is_unsigned);
}

/* As gpucmd_priv_nv_semaphore, but for GF100 and later. Also stop the channel
 * after a fault, and at an acquire in a NO_CONTEXT_SWITCH segment. */
static gpucmd_status gpucmd_priv_nv_semaphore_gf100(const gpucmd_priv_nv_host *h,
                                                    const gpucmd_priv_nv_sem *sem)
{
    if (h->ch->pbdma.no_context_switch && sem->op != GPUCMD_NV_SEM_OP_RELEASE &&
        sem->op != GPUCMD_NV_SEM_OP_REDUCTION) {
        return gpucmd_priv_nv_stop_error(h, GPUCMD_NV_PBDMA_INTR_NO_CTXSW_SEG,
                                         GPUCMD_NV_HOST_ERROR_NONE);
    }
    const gpucmd_status status = gpucmd_priv_nv_semaphore(h, sem);
    return status == GPUCMD_OK ? status
                               : gpucmd_priv_nv_stop_fault(h, status, GPUCMD_NV_PBDMA_FAULTED);
}

/* Execute the host method SEM_EXECUTE with data dw. [C36F] */
static gpucmd_status gpucmd_priv_nv_sem_execute(const gpucmd_priv_nv_host *h, uint32_t dw)
{
    const gpucmd_nv_puller *p = &h->ch->puller;
    const uint32_t upper = p->sem_addr_hi & gpucmd_priv_nv_sem_upper(h->ch->chip);
    gpucmd_priv_nv_sem sem;
    sem.op = gpucmd_nv_sem_op_of(h->ch->chip, GPUCMD_NV_HOST_SEM_EXECUTE,
                                 GPUCMD_FIELD_GET(NV_SEM_EXECUTE_OPERATION, dw));
    sem.va = (uint64_t)upper << 32 | (p->sem_addr_lo & GPUCMD_FIELD_MASK(NV_SEM_LOWER));
    sem.payload = (uint64_t)p->sem_payload_hi << 32 | p->sem_payload_lo;
    sem.reduction = GPUCMD_FIELD_GET(NV_SEM_EXECUTE_REDUCTION, dw);
    sem.is_64bit = GPUCMD_FIELD_GET(NV_SEM_EXECUTE_PAYLOAD_SIZE, dw) != 0;
    sem.is_unsigned = GPUCMD_FIELD_GET(NV_SEM_EXECUTE_FORMAT, dw) != 0;
    sem.timestamp = GPUCMD_FIELD_GET(NV_SEM_EXECUTE_RELEASE_TIMESTAMP, dw) != 0 &&
                    (sem.op == GPUCMD_NV_SEM_OP_RELEASE || sem.op == GPUCMD_NV_SEM_OP_REDUCTION);
    sem.ctxsw = GPUCMD_FIELD_GET(NV_SEM_EXECUTE_ACQUIRE_SWITCH_TSG, dw) != 0;
    sem.payload = sem.is_64bit ? sem.payload : (uint32_t)sem.payload;
    const uint32_t align = sem.timestamp ? 16 : sem.is_64bit ? 8 : 4;
    if (sem.op == GPUCMD_NV_SEM_OP_NONE || (sem.va & (align - 1)) != 0 ||
        (sem.op == GPUCMD_NV_SEM_OP_REDUCTION &&
         !gpucmd_nv_knows_reduction(sem.reduction, sem.is_64bit, sem.is_unsigned))) {
        return gpucmd_priv_nv_stop_error(h, GPUCMD_NV_PBDMA_INTR_SEMAPHORE,
                                         GPUCMD_NV_HOST_ERROR_NONE);
    }
    return gpucmd_priv_nv_semaphore_gf100(h, &sem);
}

/* Return true if some of the len_bytes bytes at off_bytes are outside the DMA object of
 * DMA_SEMAPHORE (G80 and later, before GF100). Without the callback card->object, DMA objects have
 * no limits. The last byte of an object is its limit (MODEL). [ENVY] g80-vm.rst */
static bool gpucmd_priv_nv_sem_outside(const gpucmd_priv_nv_host *h, uint64_t off_bytes,
                                       uint32_t len_bytes)
{
    const uint64_t bytes = h->ch->puller.dma_semaphore_bytes;
    return h->card->object != NULL && (bytes < len_bytes || off_bytes > bytes - len_bytes);
}

/* Execute the host method SEMAPHORED with data dw. [826F] [906F] */
static gpucmd_status gpucmd_priv_nv_semaphored(const gpucmd_priv_nv_host *h, uint32_t dw)
{
    gpucmd_nv_puller *p = &h->ch->puller;
    gpucmd_priv_nv_sem sem;
    gpucmd_priv_zero(&sem, sizeof sem);
    sem.op = gpucmd_nv_sem_op_of(h->ch->chip, GPUCMD_NV_HOST_SEMAPHORED,
                                 gpucmd_priv_nv_semaphored_number(h->ch->chip, dw));
    sem.va = p->semaphore_address;
    sem.payload = p->semaphore_sequence;
    sem.timestamp = sem.op == GPUCMD_NV_SEM_OP_RELEASE;
    if (GPUCMD_NV_IS_GF100(h->ch->chip)) {
        sem.reduction = GPUCMD_FIELD_GET(NV_SEMAPHORED_REDUCTION, dw);
        sem.is_unsigned = GPUCMD_FIELD_GET(NV_SEMAPHORED_FORMAT, dw) != 0;
        sem.timestamp = sem.timestamp && GPUCMD_FIELD_GET(NV_SEMAPHORED_RELEASE_SIZE, dw) == 0;
        sem.ctxsw = GPUCMD_FIELD_GET(NV_SEMAPHORED_ACQUIRE_SWITCH, dw) != 0;
        if (sem.op == GPUCMD_NV_SEM_OP_NONE ||
            (sem.op == GPUCMD_NV_SEM_OP_REDUCTION &&
             !gpucmd_nv_knows_reduction(sem.reduction, false, sem.is_unsigned))) {
            return gpucmd_priv_nv_stop_error(h, GPUCMD_NV_PBDMA_INTR_SEMAPHORE,
                                             GPUCMD_NV_HOST_ERROR_NONE);
        }
        return gpucmd_priv_nv_semaphore_gf100(h, &sem);
    }
    if (gpucmd_priv_nv_sem_outside(h, sem.va, sem.timestamp ? 16 : 4)) {
        return gpucmd_priv_nv_stop_error(h, 0, GPUCMD_NV_HOST_ERROR_SEMAPHORE_MEM_FAULT);
    }
    sem.va = (p->dma_semaphore_va + sem.va) & GPUCMD_PRIV_NV_B40;
    if (sem.op == GPUCMD_NV_SEM_OP_NONE) { /* an invalid operation makes the channel wait forever */
        gpucmd_priv_zero(&p->wait, sizeof p->wait);
        p->wait.active = true;
        return GPUCMD_BLOCKED;
    }
    const gpucmd_status status = gpucmd_priv_nv_semaphore(h, &sem);
    return status == GPUCMD_FAULT
               ? gpucmd_priv_nv_stop_error(h, 0, GPUCMD_NV_HOST_ERROR_SEMAPHORE_MEM_FAULT)
               : status;
}

/* Write the object with this handle to *object. Return false if the handle is unknown.
 * Without the callback card->object, every object begins at address 0 and has no limit. */
static bool gpucmd_priv_nv_find_object(const gpucmd_priv_nv_host *h, uint32_t handle,
                                       gpucmd_nv_object *object)
{
    gpucmd_priv_zero(object, sizeof *object);
    if (h->card->object == NULL) {
        object->bytes = ~(uint64_t)0;
        object->class_id = 2;
        return true;
    }
    return h->card->object(h->card->object_user, h->ch->id, handle, object) == GPUCMD_OK;
}

/* Execute SEMAPHORE_ACQUIRE or SEMAPHORE_RELEASE (NV1A and later, before GF100). [ENVY] */
static gpucmd_status gpucmd_priv_nv_old_acquire(const gpucmd_priv_nv_host *h, uint32_t mthd,
                                                uint32_t dw)
{
    const gpucmd_nv_puller *p = &h->ch->puller;
    const bool g80 = h->ch->chip >= GPUCMD_NV_CHIP_G80;
    gpucmd_priv_nv_sem sem;
    gpucmd_priv_zero(&sem, sizeof sem);
    sem.op = mthd == GPUCMD_NV_HOST_SEMAPHORE_ACQUIRE ? GPUCMD_NV_SEM_OP_ACQUIRE
                                                      : GPUCMD_NV_SEM_OP_RELEASE;
    sem.va = p->dma_semaphore_va + p->semaphore_off;
    sem.payload = dw;
    if (g80 ? !p->semaphore_off_val : p->dma_semaphore_bytes == 0) {
        return gpucmd_priv_nv_stop_error(h, 0, GPUCMD_NV_HOST_ERROR_SEMAPHORE_INVALID_STATE);
    }
    if (g80 && gpucmd_priv_nv_sem_outside(h, p->semaphore_off, 4)) {
        return gpucmd_priv_nv_stop_error(h, 0, GPUCMD_NV_HOST_ERROR_SEMAPHORE_MEM_FAULT);
    }
    const gpucmd_status status = gpucmd_priv_nv_semaphore(h, &sem);
    if (status == GPUCMD_FAULT) {
        return g80 ? gpucmd_priv_nv_stop_error(h, 0, GPUCMD_NV_HOST_ERROR_SEMAPHORE_MEM_FAULT)
                   : gpucmd_priv_nv_engine_stop_fault(h, status);
    }
    return status;
}

/* Execute the host method DMA_SEMAPHORE (NV1A and later, before GF100). [ENVY] */
static gpucmd_status gpucmd_priv_nv_old_object(const gpucmd_priv_nv_host *h, uint32_t dw)
{
    gpucmd_nv_puller *p = &h->ch->puller;
    gpucmd_nv_object object;
    if (!gpucmd_priv_nv_find_object(h, dw, &object)) {
        return gpucmd_priv_nv_stop_error(h, 0, GPUCMD_NV_HOST_ERROR_CACHE_NO_HASH);
    }
    if (h->ch->chip < GPUCMD_NV_CHIP_G80 &&
        (object.class_id != 2 || object.unfit || object.bytes < 4)) {
        return gpucmd_priv_nv_stop_error(h, 0, GPUCMD_NV_HOST_ERROR_SEMAPHORE_INVALID_OPERAND);
    }
    p->dma_semaphore = dw;
    p->dma_semaphore_va = object.va;
    p->dma_semaphore_bytes = object.bytes;
    return GPUCMD_OK;
}

/* Execute the host method SEMAPHORE_OFFSET (NV1A and later, before GF100). [ENVY] */
static gpucmd_status gpucmd_priv_nv_old_offset(const gpucmd_priv_nv_host *h, uint32_t dw)
{
    gpucmd_nv_puller *p = &h->ch->puller;
    const bool g80 = h->ch->chip >= GPUCMD_NV_CHIP_G80;
    if (!g80 && (dw & ~GPUCMD_FIELD_MASK(NV_SEMAPHORE_OFFSET)) != 0) {
        return gpucmd_priv_nv_stop_error(h, 0, GPUCMD_NV_HOST_ERROR_SEMAPHORE_INVALID_OPERAND);
    }
    if (g80 && dw % 4 != 0) {
        return gpucmd_priv_nv_stop_error(h, 0, GPUCMD_NV_HOST_ERROR_SEMAPHORE_ADDRESS_UNALIGNED);
    }
    if (g80 && (dw & ~GPUCMD_FIELD_MASK(NV_SEMAPHORE_OFFSET_G80)) != 0) {
        return gpucmd_priv_nv_stop_error(h, 0, GPUCMD_NV_HOST_ERROR_SEMAPHORE_ADDRESS_TOO_LARGE);
    }
    p->semaphore_off = dw;
    p->semaphore_off_val = true;
    return GPUCMD_OK;
}

/* Execute the host method SEMAPHOREA or SEMAPHOREB. */
static gpucmd_status gpucmd_priv_nv_sem_address(const gpucmd_priv_nv_host *h, uint32_t mthd,
                                                uint32_t dw)
{
    gpucmd_nv_puller *p = &h->ch->puller;
    const bool strict = !GPUCMD_NV_IS_GF100(h->ch->chip);
    if (mthd == GPUCMD_NV_HOST_SEMAPHOREA) {
        const uint32_t upper = gpucmd_priv_nv_sem_upper(h->ch->chip);
        if (strict && (dw & ~upper) != 0) {
            return gpucmd_priv_nv_stop_error(h, 0,
                                             GPUCMD_NV_HOST_ERROR_SEMAPHORE_ADDRESS_TOO_LARGE);
        }
        p->semaphore_address = (uint64_t)(dw & upper) << 32 | (uint32_t)p->semaphore_address;
        return GPUCMD_OK;
    }
    if (strict && dw % 4 != 0) {
        return gpucmd_priv_nv_stop_error(h, 0, GPUCMD_NV_HOST_ERROR_SEMAPHORE_ADDRESS_UNALIGNED);
    }
    p->semaphore_address =
        (p->semaphore_address & ~(uint64_t)0xffffffffu) | (dw & GPUCMD_FIELD_MASK(NV_SEM_LOWER));
    return GPUCMD_OK;
}

/* Pass one method to the callback. If the channel only executes ahead (h->seek is not NULL, see
 * gpucmd_priv_nv_seek), do nothing. The channel stops if the callback is NULL (fault
 * GPUCMD_UNSUPPORTED) or does not return GPUCMD_OK. */
static gpucmd_status gpucmd_priv_nv_pass_method(const gpucmd_priv_nv_host *h, uint32_t subc,
                                                uint32_t mthd, uint32_t dw)
{
    gpucmd_event event;
    uint32_t taken = 0;
    if (h->seek != NULL) {
        return GPUCMD_OK;
    }
    if (h->card->event == NULL) {
        return gpucmd_priv_nv_engine_stop_fault(h, GPUCMD_UNSUPPORTED);
    }
    gpucmd_priv_nv_event_init(&event, GPUCMD_EVENT_METHODS, GPUCMD_NV_KIND_NON_INC, 0, 0);
    event.unit = subc;
    event.addr = mthd;
    event.data = &dw;
    event.count_dw = 1;
    event.out_dw = &taken;
    h->card->effects++;
    const gpucmd_status status = h->card->event(h->card->user, &event);
    return status == GPUCMD_OK ? status : gpucmd_priv_nv_engine_stop_fault(h, status);
}

/* If parameter increments is true, increment syncpoint idx. Otherwise wait until the
 * value of syncpoint idx reaches puller.syncpoint_payload. */
static gpucmd_status gpucmd_priv_nv_syncpoint_execute(const gpucmd_priv_nv_host *h, uint32_t idx,
                                                      bool increments, bool ctxsw)
{
    gpucmd_nv_wait *wait = &h->ch->puller.wait;
    const bool again = wait->active;
    if (h->seek != NULL) {
        if (increments && h->seek->wait->is_syncpoint && h->seek->wait->va == idx) {
            gpucmd_store32(h->seek->bytes, gpucmd_load32(h->seek->bytes, h->seek->endian) + 1,
                           h->seek->endian);
            gpucmd_priv_nv_seek_compare(h->seek);
        }
        return GPUCMD_OK;
    }
    if (increments) {
        h->card->syncpoints[idx]++;
        h->card->effects++;
        return GPUCMD_OK;
    }
    wait->op = GPUCMD_NV_SEM_OP_ACQ_CIRC_GEQ;
    wait->va = idx;
    wait->payload = h->ch->puller.syncpoint_payload;
    wait->is_syncpoint = true;
    wait->ctxsw = ctxsw;
    wait->active = !gpucmd_nv_wait_ends(wait, h->card->syncpoints[idx]);
    if (again != wait->active) {
        gpucmd_priv_nv_trace_event(h, again ? GPUCMD_EVENT_WAKE : GPUCMD_EVENT_WAIT,
                                   (uint32_t)wait->op, idx,
                                   again ? h->card->syncpoints[idx] : wait->payload);
    }
    return wait->active ? GPUCMD_BLOCKED : GPUCMD_OK;
}

/* Execute the host method SYNCPOINTB. [A26F] [C06F] */
static gpucmd_status gpucmd_priv_nv_syncpoint(const gpucmd_priv_nv_host *h, uint32_t dw)
{
    const bool old = h->ch->chip < GPUCMD_NV_CHIP_GM107;
    const uint32_t op = old ? GPUCMD_FIELD_GET(NV_SYNCPOINT_OPERATION_A26F, dw)
                            : GPUCMD_FIELD_GET(NV_SYNCPOINT_OPERATION, dw);
    const uint32_t idx = old ? GPUCMD_FIELD_GET(NV_SYNCPOINT_INDEX_A26F, dw)
                             : GPUCMD_FIELD_GET(NV_SYNCPOINT_INDEX, dw);
    const bool based = old && op == 0 && GPUCMD_FIELD_GET(NV_SYNCPOINT_BASE_A26F, dw) != 0;
    if (op > 1 || based) {
        return gpucmd_priv_nv_pass_method(h, 0, GPUCMD_NV_HOST_SYNCPOINTB, dw);
    }
    if (h->card->syncpoints == NULL || idx >= h->card->syncpoint_count) {
        return gpucmd_priv_nv_stop_error(h,
                                         old ? (uint32_t)GPUCMD_NV_PBDMA_INTR_METHOD
                                             : (uint32_t)GPUCMD_NV_PBDMA_INTR_SYNCPOINT_ILLEGAL,
                                         GPUCMD_NV_HOST_ERROR_NONE);
    }
    return gpucmd_priv_nv_syncpoint_execute(h, idx, op == 1,
                                            GPUCMD_FIELD_GET(NV_SYNCPOINT_WAIT_SWITCH, dw) != 0);
}

/* Execute a MEM_OP method: store dw in puller.mem_op. GF100 and later: if the method has the field
 * OPERATION, and the chip lacks the operation, raise the interrupt METHOD. */
static gpucmd_status gpucmd_priv_nv_mem_op(const gpucmd_priv_nv_host *h, uint32_t mthd, uint32_t dw)
{
    const gpucmd_nv_chip chip = h->ch->chip;
    h->ch->puller.mem_op[(mthd - GPUCMD_NV_HOST_MEM_OP_A) / 4] = dw;
    if (mthd == gpucmd_priv_nv_mem_op_last(chip) && GPUCMD_NV_IS_GF100(chip) &&
        !gpucmd_nv_knows_mem_op(chip, GPUCMD_FIELD_GET(NV_MEM_OP_OPERATION, dw))) {
        return gpucmd_priv_nv_stop_error(h, GPUCMD_NV_PBDMA_INTR_METHOD, GPUCMD_NV_HOST_ERROR_NONE);
    }
    return GPUCMD_OK;
}

/* Execute the host method YIELD with data dw: pause the channel before this method. When the
 * channel continues and executes YIELD again, YIELD has no effect. The operation NOP never has an
 * effect, and NOP1 has none on GA100 and later. */
static gpucmd_status gpucmd_priv_nv_yield(const gpucmd_priv_nv_host *h, uint32_t dw)
{
    const bool gf100 = GPUCMD_NV_IS_GF100(h->ch->chip);
    const uint32_t op = gf100 ? GPUCMD_FIELD_GET(NV_YIELD_OP, dw) : (uint32_t)GPUCMD_NV_YIELD_TSG;
    if (gf100 && !gpucmd_nv_knows_yield(h->ch->chip, op)) {
        return gpucmd_priv_nv_stop_error(h, GPUCMD_NV_PBDMA_INTR_METHOD, GPUCMD_NV_HOST_ERROR_NONE);
    }
    if (op == GPUCMD_NV_YIELD_NOP || h->seek != NULL ||
        (op == GPUCMD_NV_YIELD_NOP1 && h->ch->chip >= GPUCMD_NV_CHIP_GA100)) {
        return GPUCMD_OK;
    }
    if (h->ch->puller.yield) {
        h->ch->puller.yield = false;
        return GPUCMD_OK;
    }
    h->ch->puller.yield = true;
    return gpucmd_priv_nv_pause(h, 1);
}

/* Execute the host method CRC_CHECK: raise the interrupt METHODCRC if METHOD_CRC differs from dw,
 * then set METHOD_CRC to 0. If puller.keeps_crc is false, call the callback instead. [PBDMA] */
static gpucmd_status gpucmd_priv_nv_crc_check(const gpucmd_priv_nv_host *h, uint32_t subc,
                                              uint32_t dw)
{
    gpucmd_nv_puller *p = &h->ch->puller;
    const bool agrees = p->method_crc == dw;
    if (!p->keeps_crc || h->seek != NULL) {
        return gpucmd_priv_nv_pass_method(h, subc, GPUCMD_NV_HOST_CRC_CHECK, dw);
    }
    p->method_crc = 0;
    return agrees ? GPUCMD_OK
                  : gpucmd_priv_nv_stop_error(h, GPUCMD_NV_PBDMA_INTR_METHODCRC,
                                              GPUCMD_NV_HOST_ERROR_NONE);
}

/* Execute the host method CLEAR_FAULTED: wait until the FAULTED bit of the channel that
 * dw names is set, then clear the bit. If card->faulted is NULL, pass the method to the
 * callback. On GA100 and later only raise the interrupt METHOD. [PBDMA] gv100, tu104, ga100 */
static gpucmd_status gpucmd_priv_nv_clear_faulted(const gpucmd_priv_nv_host *h, uint32_t subc,
                                                  uint32_t dw)
{
    const uint32_t id = h->ch->chip < GPUCMD_NV_CHIP_TU102
                            ? GPUCMD_FIELD_GET(NV_CLEAR_FAULTED_CHID_C36F, dw)
                            : GPUCMD_FIELD_GET(NV_CLEAR_FAULTED_CHID, dw);
    const uint32_t bit = GPUCMD_FIELD_GET(NV_CLEAR_FAULTED_TYPE, dw) != 0
                             ? (uint32_t)GPUCMD_NV_ENG_FAULTED
                             : (uint32_t)GPUCMD_NV_PBDMA_FAULTED;
    uint32_t *faulted = gpucmd_priv_nv_faulted_bits(h, id);
    gpucmd_nv_wait *wait = &h->ch->puller.wait;
    if (h->ch->chip >= GPUCMD_NV_CHIP_GA100) {
        return gpucmd_priv_nv_stop_error(h, GPUCMD_NV_PBDMA_INTR_METHOD, GPUCMD_NV_HOST_ERROR_NONE);
    }
    if (h->card->faulted == NULL || h->seek != NULL) {
        return gpucmd_priv_nv_pass_method(h, subc, GPUCMD_NV_HOST_CLEAR_FAULTED, dw);
    }
    gpucmd_priv_zero(wait, sizeof *wait);
    wait->active = faulted == NULL || (*faulted & bit) == 0;
    wait->is_fault = true;
    wait->va = id;
    if (wait->active) {
        return GPUCMD_BLOCKED;
    }
    *faulted &= ~bit;
    h->card->effects++;
    return GPUCMD_OK;
}

static gpucmd_status gpucmd_priv_nv_set_object(const gpucmd_priv_nv_host *h, uint32_t subc,
                                               uint32_t dw);

/* Execute a host method that gpucmd_priv_nv_host_word does not handle. */
static gpucmd_status gpucmd_priv_nv_host_rare(const gpucmd_priv_nv_host *h, uint32_t subc,
                                              uint32_t mthd, uint32_t dw)
{
    gpucmd_nv_puller *p = &h->ch->puller;
    switch (mthd) {
    case GPUCMD_NV_HOST_SET_OBJECT: return gpucmd_priv_nv_set_object(h, subc, dw);
    case GPUCMD_NV_HOST_MEM_OP_A:
    case GPUCMD_NV_HOST_MEM_OP_B:
    case GPUCMD_NV_HOST_MEM_OP_C:
    case GPUCMD_NV_HOST_MEM_OP_D: return gpucmd_priv_nv_mem_op(h, mthd, dw);
    case GPUCMD_NV_HOST_REF_CNT:
        h->ch->pusher.ref = dw;
        h->ch->pbdma.ref = dw;
        return GPUCMD_OK;
    case GPUCMD_NV_HOST_SYNCPOINTA: p->syncpoint_payload = dw; return GPUCMD_OK;
    case GPUCMD_NV_HOST_SYNCPOINTB: return gpucmd_priv_nv_syncpoint(h, dw);
    case GPUCMD_NV_HOST_YIELD: return gpucmd_priv_nv_yield(h, dw);
    case GPUCMD_NV_HOST_CRC_CHECK: return gpucmd_priv_nv_crc_check(h, subc, dw);
    case GPUCMD_NV_HOST_CLEAR_FAULTED: return gpucmd_priv_nv_clear_faulted(h, subc, dw);
    case GPUCMD_NV_HOST_ILLEGAL:
        return gpucmd_priv_nv_stop_error(h, GPUCMD_NV_PBDMA_INTR_METHOD, GPUCMD_NV_HOST_ERROR_NONE);
    case GPUCMD_NV_HOST_NOP:
    case GPUCMD_NV_HOST_FB_FLUSH:
    case GPUCMD_NV_HOST_WFI: return GPUCMD_OK; /* no effect, as engines are never busy */
    }
    return gpucmd_priv_nv_pass_method(h, subc, mthd, dw); /* the callback executes all others */
}

/* Execute a host method with data dw. If the chip lacks the method, raise the interrupt METHOD. */
static gpucmd_status gpucmd_priv_nv_host_word(const gpucmd_priv_nv_host *h, uint32_t subc,
                                              uint32_t mthd, uint32_t dw)
{
    gpucmd_nv_puller *p = &h->ch->puller;
    if (GPUCMD_PRIV_UNLIKELY((gpucmd_priv_shr(p->known, mthd / 4) & 1) == 0)) {
        return gpucmd_priv_nv_stop_error(h, GPUCMD_NV_PBDMA_INTR_METHOD, GPUCMD_NV_HOST_ERROR_NONE);
    }
    if (mthd >= GPUCMD_NV_HOST_SEM_ADDR_LO && mthd <= GPUCMD_NV_HOST_SEM_EXECUTE) {
        if (!GPUCMD_NV_IS_GF100(h->ch->chip)) {
            switch (mthd) {
            case GPUCMD_NV_HOST_DMA_SEMAPHORE: return gpucmd_priv_nv_old_object(h, dw);
            case GPUCMD_NV_HOST_SEMAPHORE_OFFSET: return gpucmd_priv_nv_old_offset(h, dw);
            case GPUCMD_NV_HOST_SEMAPHORE_ACQUIRE:
            case GPUCMD_NV_HOST_SEMAPHORE_RELEASE: return gpucmd_priv_nv_old_acquire(h, mthd, dw);
            }
        }
        switch (mthd) {
        case GPUCMD_NV_HOST_SEM_ADDR_LO: p->sem_addr_lo = dw; return GPUCMD_OK;
        case GPUCMD_NV_HOST_SEM_ADDR_HI: p->sem_addr_hi = dw; return GPUCMD_OK;
        case GPUCMD_NV_HOST_SEM_PAYLOAD_LO: p->sem_payload_lo = dw; return GPUCMD_OK;
        case GPUCMD_NV_HOST_SEM_PAYLOAD_HI: p->sem_payload_hi = dw; return GPUCMD_OK;
        case GPUCMD_NV_HOST_SEM_EXECUTE: return gpucmd_priv_nv_sem_execute(h, dw);
        }
    }
    switch (mthd) {
    case GPUCMD_NV_HOST_SEMAPHOREA:
    case GPUCMD_NV_HOST_SEMAPHOREB: return gpucmd_priv_nv_sem_address(h, mthd, dw);
    case GPUCMD_NV_HOST_SEMAPHOREC: p->semaphore_sequence = dw; return GPUCMD_OK;
    case GPUCMD_NV_HOST_SEMAPHORED: return gpucmd_priv_nv_semaphored(h, dw);
    case GPUCMD_NV_HOST_NON_STALL_INTERRUPT:
        gpucmd_priv_nv_interrupt(h, GPUCMD_NV_INTERRUPT_NON_STALL, dw);
        return GPUCMD_OK;
    }
    return gpucmd_priv_nv_host_rare(h, subc, mthd, dw);
}

/* Execute the host methods at the start of a method run of *n_dw data words, until the first engine
 * method or the word that stops the channel. Write the number of executed words to *n_dw. */
static gpucmd_status gpucmd_priv_nv_host_run(const gpucmd_priv_nv_host *h, uint32_t subc,
                                             uint32_t mthd, bool inc, const uint32_t *data,
                                             uint32_t *n_dw)
{
    gpucmd_status status = GPUCMD_OK;
    uint32_t i = 0;
    if (mthd == GPUCMD_NV_HOST_NOP && !inc && (h->ch->puller.known >> 2 & 1) != 0) {
        return GPUCMD_OK;
    }
    if (mthd == GPUCMD_NV_HOST_SEM_ADDR_LO && inc && *n_dw > 4 &&
        h->ch->chip >= GPUCMD_NV_CHIP_GV100) { /* faster path for the most frequent method run */
        gpucmd_nv_puller *p = &h->ch->puller;
        p->sem_addr_lo = data[0];
        p->sem_addr_hi = data[1];
        p->sem_payload_lo = data[2];
        p->sem_payload_hi = data[3];
        i = 4;
        mthd = GPUCMD_NV_HOST_SEM_EXECUTE;
    }
    while (i < *n_dw && mthd < GPUCMD_NV_HOST_END && status == GPUCMD_OK) {
        status = gpucmd_priv_nv_host_word(h, subc, mthd, data[i]);
        if (status == GPUCMD_OK) {
            i++;
            mthd += inc ? 4 : 0;
        }
    }
    *n_dw = i;
    return status;
}

/* ==== [NV.IMPL.ENGINE] ===================================================================== */

/* Keep a function out of line, because inline code would slow down its caller or use more stack. */
#if defined(GPUCMD_PRIV_GNU)
#define GPUCMD_NV_PRIV_NOINLINE __attribute__((__noinline__))
#else
#define GPUCMD_NV_PRIV_NOINLINE
#endif

/* A row of GPUCMD_NV_ENGINE_WINDOWS: consecutive methods that an engine model stores. */
typedef struct gpucmd_priv_nv_window {
    uint8_t model;     /* a gpucmd_nv_model */
    uint8_t words;     /* number of methods; 0: one method, which takes words of inline data */
    uint16_t mthd;     /* first method, in bytes */
    uint32_t triggers; /* bit i: method mthd + 4 * i starts an operation */
} gpucmd_priv_nv_window;

#define GPUCMD_NV_PRIV_ROW(model, mthd, words, triggers)                                           \
    {GPUCMD_NV_MODEL_##model, words, mthd, triggers},
static const gpucmd_priv_nv_window gpucmd_priv_nv_windows[] = {
    GPUCMD_NV_ENGINE_WINDOWS(GPUCMD_NV_PRIV_ROW)};
#undef GPUCMD_NV_PRIV_ROW

enum {
    GPUCMD_PRIV_NV_WINDOWS = sizeof gpucmd_priv_nv_windows / sizeof gpucmd_priv_nv_windows[0],
};

/* Return the index in e->reg of the value of method mthd (bytes). e->reg consists of lines of 16
 * methods. If the model stores no method of a line, the index is in the unused line 0. */
GPUCMD_INLINE uint32_t gpucmd_priv_nv_reg_index(const gpucmd_nv_engine *e, uint32_t mthd)
{
    return e->place[mthd / 0x40 & 255] * (uint32_t)GPUCMD_NV_LINE_DW + mthd / 4 % GPUCMD_NV_LINE_DW;
}

GPUCMD_PRIV_API uint32_t gpucmd_nv_engine_reg(const gpucmd_nv_engine *e, uint32_t mthd)
{
    const uint32_t at = gpucmd_priv_nv_reg_index(e, mthd);
    const uint32_t keeps = e->keeps[at / GPUCMD_NV_LINE_DW] >> at % GPUCMD_NV_LINE_DW;
    return (keeps & 1) != 0 && mthd / 4 <= GPUCMD_FIELD_MAX(NV_HDR_MTHD) ? e->reg[at] : 0;
}

/* Assign a line of e->reg to each group of 16 consecutive methods that contains a method of the
 * engine model. Then fill e->keeps and e->fires.
 *   handles  true: also assign lines to methods 0x180 to 0x1ff, whose data are handles */
static void gpucmd_priv_nv_map_lines(gpucmd_nv_engine *e, bool handles)
{
    const gpucmd_priv_nv_window *at;
    uint32_t line, i;
    const gpucmd_priv_nv_window *const first = &gpucmd_priv_nv_windows[e->first_window];
    const gpucmd_priv_nv_window *const end = first + e->window_count;
    uint8_t count = 0;
    e->place[0x180 / 0x40] = handles;
    e->place[0x1c0 / 0x40] = handles;
    for (at = first; at != end; at++) {
        const uint32_t last = at->mthd + 4 * (at->words != 0 ? at->words - 1u : 0);
        for (line = at->mthd / 0x40u; line <= last / 0x40; line++) {
            e->place[line] = 1;
        }
    }
    for (line = 0; line < 256; line++) {
        count = (uint8_t)(count + e->place[line]);
        e->place[line] = e->place[line] != 0 ? count : 0;
    }
    for (at = first; at != end; at++) {
        for (i = 0; i < at->words || i == 0; i++) {
            const uint32_t slot = gpucmd_priv_nv_reg_index(e, at->mthd + 4 * i);
            const uint32_t bit = (uint32_t)1 << slot % GPUCMD_NV_LINE_DW;
            uint16_t *keeps = &e->keeps[slot / GPUCMD_NV_LINE_DW];
            uint16_t *fires = &e->fires[slot / GPUCMD_NV_LINE_DW];
            *keeps = (uint16_t)(*keeps | (at->words != 0 ? bit : 0));
            *fires = (uint16_t)(*fires | ((at->triggers >> i & 1) != 0 ? bit : 0));
        }
    }
}

/* Initialise e for an object of class class_id, whose engine model is model.
 *   handles  true: the data of methods 0x180 to 0x1ff are handles (before GF100) */
static void gpucmd_priv_nv_engine_init(gpucmd_nv_engine *e, uint32_t class_id,
                                       gpucmd_nv_model model, bool handles)
{
    uint32_t i;
    gpucmd_priv_zero(e, sizeof *e);
    e->class_id = class_id;
    e->model = model;
    for (i = 0; i < GPUCMD_PRIV_NV_WINDOWS; i++) {
        if (gpucmd_priv_nv_windows[i].model == (unsigned)model) {
            e->first_window = e->window_count == 0 ? i : e->first_window;
            e->window_count++;
        }
    }
    gpucmd_priv_nv_map_lines(e, handles);
    if (model == GPUCMD_NV_MODEL_COPY) { /* 1 is TRUE, so that copies are performed (MODEL) */
        e->reg[gpucmd_priv_nv_reg_index(e, GPUCMD_NV_COPY_SET_RENDER_ENABLE_C)] = 1;
    }
    if (model == GPUCMD_NV_MODEL_2D_G80 || model == GPUCMD_NV_MODEL_2D_GF100) {
        e->reg[gpucmd_priv_nv_reg_index(e, GPUCMD_NV_2D_OPERATION)] = 3; /* 3 is SRCCOPY (MODEL) */
    }
    if (model == GPUCMD_NV_MODEL_3D_G80 || model == GPUCMD_NV_MODEL_3D_GF100) {
        e->reg[gpucmd_priv_nv_reg_index(e, GPUCMD_NV_3D_COND_MODE)] = 1; /* 1 is ALWAYS (MODEL) */
    }
}

/* Add the words of a method run to METHOD_CRC. Do nothing if puller.keeps_crc is false, or if the
 * channel executes ahead (h->seek). */
static void gpucmd_priv_nv_method_crc_add(const gpucmd_priv_nv_host *h, uint32_t subc,
                                          uint32_t mthd, bool inc, const uint32_t *data,
                                          uint32_t n_dw)
{
    uint32_t i;
    gpucmd_nv_puller *p = &h->ch->puller;
    for (i = 0; i < n_dw && p->keeps_crc && h->seek == NULL; i++) {
        p->method_crc =
            gpucmd_nv_method_crc(p->method_crc, subc, mthd + (inc ? 4 * i : 0), data[i]);
    }
}

/* Execute SET_OBJECT: bind the object that dw names to subchannel subc. On GF100 and later dw
 * contains the class, before GF100 dw is a handle. Return GPUCMD_BLOCKED if the channel stops. */
static gpucmd_status gpucmd_priv_nv_set_object(const gpucmd_priv_nv_host *h, uint32_t subc,
                                               uint32_t dw)
{
    gpucmd_nv_engine *e = &h->ch->engines[subc];
    gpucmd_nv_chip since;
    gpucmd_nv_model model;
    gpucmd_nv_object object;
    if (GPUCMD_NV_IS_GF100(h->ch->chip)) {
        const bool soft =
            h->ch->chip < GPUCMD_NV_CHIP_GK104
                ? GPUCMD_FIELD_GET(NV_OBJECT_ENGINE, dw) == GPUCMD_FIELD_MAX(NV_OBJECT_ENGINE)
                : subc > 4;
        model = gpucmd_nv_class_model(GPUCMD_FIELD_GET(NV_OBJECT_CLASS, dw), &since);
        model = h->ch->chip < since ? GPUCMD_NV_MODEL_OTHER : model;
        gpucmd_priv_nv_engine_init(e, GPUCMD_FIELD_GET(NV_OBJECT_CLASS, dw),
                                   soft ? GPUCMD_NV_MODEL_SOFTWARE : model, false);
        /* METHOD_CRC excludes software objects and copy engines. [PBDMA] */
        if (!soft && model != GPUCMD_NV_MODEL_COPY) {
            gpucmd_priv_nv_method_crc_add(h, subc, 0, false, &dw, 1);
        }
        return soft && h->card->software == NULL && h->seek == NULL
                   ? gpucmd_priv_nv_stop_error(h, GPUCMD_NV_PBDMA_INTR_DEVICE,
                                               GPUCMD_NV_HOST_ERROR_NONE)
                   : GPUCMD_OK;
    }
    if (h->card->object == NULL || !gpucmd_priv_nv_find_object(h, dw, &object)) {
        return gpucmd_priv_nv_stop_error(h, 0, GPUCMD_NV_HOST_ERROR_CACHE_NO_HASH);
    }
    model =
        object.software ? GPUCMD_NV_MODEL_SOFTWARE : gpucmd_nv_class_model(object.class_id, &since);
    gpucmd_priv_nv_engine_init(e, object.class_id, model, true);
    e->handle = dw;
    if (object.software && h->card->software == NULL && h->seek == NULL) {
        return gpucmd_priv_nv_stop_error(h, 0, GPUCMD_NV_HOST_ERROR_CACHE_EMPTY_SUBCHANNEL);
    }
    return GPUCMD_OK;
}

/* ---- surfaces ---- */

/* Layout of a rectangle in memory. Surfaces are linear, tiled or swizzled.
 *   tiled     The surface consists of blocks, which are 2^height_log2 GOBs high. A GOB has
 *             2^rows_log2 lines of 64 bytes. The model stores the lines of a GOB one after the
 *             other. Hardware stores their bytes in another order.
 *   swizzled  In the index of a pixel, the bits of x and y alternate, starting with bit 0 of x. The
 *             remaining bits of the longer side follow. [MESA] */
typedef struct gpucmd_priv_nv_surface {
    uint64_t va;   /* start of the rectangle (linear), slice (tiled) or surface (swizzled) */
    int64_t pitch; /* linear: distance between lines in bytes */
    bool tiled;
    bool swizzled;
    uint32_t width_gobs;  /* tiled: width of the surface in GOBs */
    uint32_t height_log2; /* tiled: log2 of block height in GOBs; swizzled: log2 of lines */
    uint32_t depth_log2;  /* tiled: log2 of the slices in a block */
    uint32_t rows_log2;   /* tiled: log2 of the lines in a GOB */
    uint32_t width_log2;  /* swizzled: log2 of the width in pixels */
    uint32_t unit_log2;   /* swizzled: log2 of the pixel size in bytes */
    uint32_t x_bytes;     /* tiled, swizzled: first byte of the rectangle in a line */
    uint32_t y;           /* tiled, swizzled: first line of the rectangle */
    bool bounded;         /* true: accesses must be in a DMA object, from low_va to end_va - 1 */
    uint64_t low_va;
    uint64_t end_va;
} gpucmd_priv_nv_surface;

/* Return the index of pixel (x, y) in a swizzled surface. */
static uint64_t gpucmd_priv_nv_swizzled_index(uint64_t x, uint64_t y, uint32_t width_log2,
                                              uint32_t height_log2)
{
    uint64_t at = 0;
    uint32_t i, to = 0;
    for (i = 0; i < width_log2 || i < height_log2; i++) {
        if (i < width_log2) {
            at |= gpucmd_priv_shl(gpucmd_priv_shr(x, i) & 1, to++);
        }
        if (i < height_log2) {
            at |= gpucmd_priv_shl(gpucmd_priv_shr(y, i) & 1, to++);
        }
    }
    return at;
}

/* Return the address of byte x of line y of the rectangle; ignore the limits of the DMA
 * object. Write the number of contiguous bytes from that address to *run_bytes. */
static uint64_t gpucmd_priv_nv_surface_place(const gpucmd_priv_nv_surface *s, uint64_t x,
                                             uint64_t y, uint64_t *run_bytes)
{
    *run_bytes = ~(uint64_t)0;
    if (!s->tiled && !s->swizzled) {
        return s->va + gpucmd_priv_mul((uint64_t)s->pitch, y) + x;
    }
    x += s->x_bytes;
    y += s->y;
    if (s->swizzled) {
        const uint32_t unit = (uint32_t)1 << s->unit_log2;
        const uint32_t in_unit = (uint32_t)x & (unit - 1);
        *run_bytes = unit - in_unit;
        return s->va + in_unit +
               gpucmd_priv_shl(gpucmd_priv_nv_swizzled_index(gpucmd_priv_shr(x, s->unit_log2), y,
                                                             s->width_log2, s->height_log2),
                               s->unit_log2);
    }
    *run_bytes = 64 - x % 64;
    const uint64_t row = gpucmd_priv_shr(y, s->rows_log2);
    const uint64_t block =
        gpucmd_priv_mul(gpucmd_priv_shr(row, s->height_log2), s->width_gobs) + x / 64;
    const uint64_t gob = gpucmd_priv_shl(block, s->height_log2 + s->depth_log2) +
                         (row & (gpucmd_priv_shl(1, s->height_log2) - 1));
    return s->va + gpucmd_priv_shl(gob, s->rows_log2) * 64 +
           (y & (gpucmd_priv_shl(1, s->rows_log2) - 1)) * 64 + x % 64;
}

/* Return the address of byte x of line y of the rectangle. Write the number of contiguous bytes
 * from that address to *run_bytes; 0 if the address is outside the surface's DMA object. */
GPUCMD_INLINE uint64_t gpucmd_priv_nv_surface_va(const gpucmd_priv_nv_surface *s, uint64_t x,
                                                 uint64_t y, uint64_t *run_bytes)
{
    const uint64_t va = gpucmd_priv_nv_surface_place(s, x, y, run_bytes);
    if (s->bounded) {
        const uint64_t room = va >= s->low_va && va < s->end_va ? s->end_va - va : 0;
        *run_bytes = *run_bytes < room ? *run_bytes : room;
    }
    return va;
}

/* Set mem->fault_va to va, an address outside a DMA object, and return GPUCMD_FAULT. */
static gpucmd_status gpucmd_priv_nv_outside(const gpucmd_priv_nv_host *h, uint64_t va)
{
    h->card->mem->fault_va = va;
    return GPUCMD_FAULT;
}

/* Fill s as a linear surface: byte x of line y is at va + pitch * y + x. */
static void gpucmd_priv_nv_surface_linear(gpucmd_priv_nv_surface *s, uint64_t va, int64_t pitch)
{
    gpucmd_priv_zero(s, sizeof *s);
    s->va = va;
    s->pitch = pitch;
}

/* Fill s as slice z of the tiled surface that begins at s->va. The slices of a block are
 * contiguous. Blocks are stored left to right, then top to bottom, then front to back.
 *   lines  height of the surface in lines
 *   block  word that contains the fields NV_BLOCK_* [MESA] */
static void gpucmd_priv_nv_surface_tiled(gpucmd_priv_nv_surface *s, uint64_t width_bytes,
                                         uint32_t lines, uint32_t block, uint32_t rows_log2,
                                         uint32_t z)
{
    const uint64_t va = s->va;
    const uint32_t height_log2 = GPUCMD_FIELD_GET(NV_BLOCK_HEIGHT, block);
    const uint32_t depth_log2 = GPUCMD_FIELD_GET(NV_BLOCK_DEPTH, block);
    const uint32_t block_lines_log2 = rows_log2 + height_log2;
    const uint64_t blocks_y =
        gpucmd_priv_shr(lines + gpucmd_priv_shl(1, block_lines_log2) - 1, block_lines_log2);
    const uint32_t in_block = z & (((uint32_t)1 << depth_log2) - 1);
    gpucmd_priv_zero(s, sizeof *s);
    s->tiled = true;
    s->width_gobs = (uint32_t)((width_bytes + 63) / 64);
    s->height_log2 = height_log2;
    s->depth_log2 = depth_log2;
    s->rows_log2 = rows_log2;
    const uint64_t gobs =
        gpucmd_priv_mul(gpucmd_priv_mul(z - in_block, blocks_y), s->width_gobs) + in_block;
    s->va = va + gpucmd_priv_shl(gobs * 64, block_lines_log2);
}

/* Fill s, whose members must be 0, as a swizzled surface. width_log2, height_log2 are 0..16,
 * unit_bytes is 1, 2 or 4. */
static void gpucmd_priv_nv_surface_swizzled(gpucmd_priv_nv_surface *s, uint64_t va,
                                            uint32_t width_log2, uint32_t height_log2,
                                            uint32_t unit_bytes)
{
    s->va = va;
    s->swizzled = true;
    s->width_log2 = width_log2;
    s->height_log2 = height_log2;
    s->unit_log2 = unit_bytes >> 1;
}

/* Let the rectangle of s start at byte x_bytes of line y of the surface. */
static void gpucmd_priv_nv_surface_begin(gpucmd_priv_nv_surface *s, uint32_t x_bytes, uint32_t y)
{
    if (s->tiled || s->swizzled) {
        s->x_bytes = x_bytes;
        s->y = y;
    } else {
        s->va += gpucmd_priv_mul((uint64_t)s->pitch, y) + x_bytes;
    }
}

/* Return the address of byte x of line y of the rectangle. Write how many bytes from that address
 * are contiguous, at most len_bytes, to *n_bytes; 0 if the address is outside the DMA object. */
GPUCMD_INLINE uint64_t gpucmd_priv_nv_line_va(const gpucmd_priv_nv_surface *s, uint64_t x,
                                              uint64_t y, uint64_t len_bytes, uint64_t *n_bytes)
{
    const uint64_t va = gpucmd_priv_nv_surface_va(s, x, y, n_bytes);
    *n_bytes = *n_bytes < len_bytes ? *n_bytes : len_bytes;
    return va;
}

/* Pass an engine's write of len_bytes contiguous bytes at va to the trace callback. */
GPUCMD_INLINE void gpucmd_priv_nv_trace_write(const gpucmd_priv_nv_host *h, uint64_t va,
                                              uint64_t len_bytes)
{
    if (GPUCMD_PRIV_UNLIKELY(h->card->trace != NULL)) {
        gpucmd_priv_nv_trace_event(h, GPUCMD_EVENT_MEM_WRITE, (uint32_t)((len_bytes + 3) / 4), va,
                                   0);
    }
}

/* Read len_bytes bytes of the rectangle, from byte x of line y, to buf. Return GPUCMD_FAULT
 * at the first byte that memory lacks or that is outside the DMA object. */
static gpucmd_status gpucmd_priv_nv_line_read(const gpucmd_priv_nv_host *h,
                                              const gpucmd_priv_nv_surface *s, uint64_t x,
                                              uint64_t y, uint8_t *buf, uint64_t len_bytes)
{
    gpucmd_status status = GPUCMD_OK;
    while (len_bytes != 0 && status == GPUCMD_OK) {
        uint64_t n;
        const uint64_t va = gpucmd_priv_nv_line_va(s, x, y, len_bytes, &n);
        status = n != 0 ? gpucmd_mem_read(h->card->mem, va, buf, n) : gpucmd_priv_nv_outside(h, va);
        x += n;
        buf += n;
        len_bytes -= n;
    }
    return status;
}

/* Write len_bytes bytes of buf to the rectangle, from byte x of line y. Return GPUCMD_FAULT
 * at the first byte that memory lacks or that is outside the DMA object. */
static gpucmd_status gpucmd_priv_nv_line_write(const gpucmd_priv_nv_host *h,
                                               const gpucmd_priv_nv_surface *s, uint64_t x,
                                               uint64_t y, const uint8_t *buf, uint64_t len_bytes)
{
    gpucmd_status status = GPUCMD_OK;
    while (len_bytes != 0 && status == GPUCMD_OK) {
        uint64_t n;
        const uint64_t va = gpucmd_priv_nv_line_va(s, x, y, len_bytes, &n);
        if (n == 0) {
            return gpucmd_priv_nv_outside(h, va);
        }
        gpucmd_priv_nv_trace_write(h, va, n);
        status = gpucmd_mem_write(h->card->mem, va, buf, n);
        x += n;
        buf += n;
        len_bytes -= n;
    }
    return status;
}

/* Bytes of a fill pattern, a multiple of each element size (1 to 4 components of 1 to 4 bytes). */
enum { GPUCMD_PRIV_NV_PATTERN = 144 };

/* ---- pixels ---- */

/* A row of GPUCMD_NV_PIXEL_FORMATS. Member bytes is the size of a pixel. Member encoding is one of
 * GPUCMD_PRIV_NV_UNORM to _UINT. Member x is 1 if the GPU stores alpha but reads alpha as 1. */
typedef struct gpucmd_priv_nv_pixels {
    uint8_t format, bytes, encoding, x;
    uint8_t at[4];   /* lowest bit of red (index 0), green, blue and alpha (index 3) */
    uint8_t bits[4]; /* number of bits of red, green, blue and alpha; 0: no such component */
} gpucmd_priv_nv_pixels;

/* Encodings of the components of a pixel. */
enum {
    GPUCMD_PRIV_NV_UNORM,
    GPUCMD_PRIV_NV_SNORM,
    GPUCMD_PRIV_NV_SRGB,
    GPUCMD_PRIV_NV_FLOAT,
    GPUCMD_PRIV_NV_SINT, /* components of SINT and UINT are not converted */
    GPUCMD_PRIV_NV_UINT,
    GPUCMD_PRIV_NV_ONE_LOG2 = 44, /* log2 of the integer that represents the fraction 1 */
};

/* Return the row of format in GPUCMD_NV_PIXEL_FORMATS, or NULL if the table lacks format. */
static const gpucmd_priv_nv_pixels *gpucmd_priv_nv_find_pixels(uint32_t format)
{
#define GPUCMD_NV_PRIV_4(r, g, b, a)                                                               \
    {                                                                                              \
        r, g, b, a                                                                                 \
    }
#define GPUCMD_NV_PRIV_ROW(value, name, bytes, encoding, r, rn, g, gn, b, bn, a, an, x)            \
    {value,                                                                                        \
     bytes,                                                                                        \
     GPUCMD_PRIV_NV_##encoding,                                                                    \
     x,                                                                                            \
     GPUCMD_NV_PRIV_4(r, g, b, a),                                                                 \
     GPUCMD_NV_PRIV_4(rn, gn, bn, an)},
    static const gpucmd_priv_nv_pixels rows[] = {GPUCMD_NV_PIXEL_FORMATS(GPUCMD_NV_PRIV_ROW)};
#undef GPUCMD_NV_PRIV_ROW
#undef GPUCMD_NV_PRIV_4
    size_t i;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].format == format) {
            return &rows[i];
        }
    }
    return NULL;
}

/* Return the encoding of component i of RGBA. Alpha of an SRGB format is UNORM. */
static uint32_t gpucmd_priv_nv_encoding_of(const gpucmd_priv_nv_pixels *form, uint32_t i)
{
    const uint32_t unorm = GPUCMD_PRIV_NV_UNORM;
    return form->encoding == GPUCMD_PRIV_NV_SRGB && i == 3 ? unorm : form->encoding;
}

/* The value of a pixel component: mantissa * 2^exponent, with a sign. If the value was
 * read from a pixel, the mantissa is at most 2^44. */
typedef struct gpucmd_priv_nv_number {
    uint64_t mantissa;
    int32_t exponent;
    bool negative;
    bool infinite;
    bool nan;
} gpucmd_priv_nv_number;

/* Return v / (2^bits - 1) in units of 2^-44, rounded up. No division is needed, because the
 * binary digits of the quotient repeat the digits of v. */
static uint64_t gpucmd_priv_nv_fraction_of(uint32_t v, uint32_t bits)
{
    uint64_t sum = v != 0;
    uint32_t at = GPUCMD_PRIV_NV_ONE_LOG2;
    for (; at > bits; at -= bits) {
        sum += gpucmd_priv_shl(v, at - bits);
    }
    return sum + (v >> (bits - at));
}

/* Return the linear value of the sRGB value s = v / 510, in units of 2^-44. If s is at most
 * 0.04045, the linear value is s / 12.92. Otherwise the linear value is x^2.4, where x is
 * (s + 0.055) / 1.055, or (20 * v + 561) / 10761. The code computes x in units of 2^-31, and x^2.4
 * as x^2 times the fifth root of x^2. */
static uint64_t gpucmd_priv_nv_linear_of(uint32_t v)
{
    const uint64_t x = gpucmd_priv_mul(20 * v + 561, 3269619189u) >> 14;
    const uint64_t square = gpucmd_priv_mul(x, x) >> 31;
    uint64_t root = 0;
    uint32_t bit;
    for (bit = (uint32_t)1 << 30; bit != 0 && v > 20; bit >>= 1) {
        const uint64_t more = root | bit;
        const uint64_t second = gpucmd_priv_mul(more, more) >> 31;
        const uint64_t fourth = gpucmd_priv_mul(second, second) >> 31;
        root = gpucmd_priv_mul(fourth, more) >> 31 <= square ? more : root;
    }
    return v <= 20    ? gpucmd_priv_mul(v, 2669851582u) /* 2669851582 is 2^44 / (510 * 12.92) */
           : v >= 510 ? (uint64_t)1 << GPUCMD_PRIV_NV_ONE_LOG2
                      : gpucmd_priv_mul(square, root) >> 18;
}

/* Return the number of fraction bits of a float of 10, 11, 16 or 32 bits. Write the value
 * that the exponent field has in infinity and NaN to *top. */
static uint32_t gpucmd_priv_nv_float_form(uint32_t bits, uint32_t *top)
{
    *top = bits == 32 ? 255 : 31;
    return bits == 32 ? 23 : bits == 16 ? 10 : bits - 5;
}

/* Decode a component: write the value of v, a field of `bits` bits, to *n.
 * encoding must be UNORM, SNORM, SRGB (8 bits) or FLOAT. */
static void gpucmd_priv_nv_read_number(uint32_t v, uint32_t bits, uint32_t encoding,
                                       gpucmd_priv_nv_number *n)
{
    const uint32_t highest = 0xffffffffu >> (32 - bits);
    gpucmd_priv_zero(n, sizeof *n);
    n->exponent = -GPUCMD_PRIV_NV_ONE_LOG2;
    if (encoding == GPUCMD_PRIV_NV_FLOAT) {
        uint32_t top;
        const uint32_t digits = gpucmd_priv_nv_float_form(bits, &top);
        const uint32_t exponent = v >> digits & top;
        const uint32_t fraction = v & (((uint32_t)1 << digits) - 1);
        n->negative = bits >= 16 && v >> (bits - 1) != 0;
        n->infinite = exponent == top && fraction == 0;
        n->nan = exponent == top && fraction != 0;
        n->mantissa = gpucmd_priv_shl(fraction | (uint32_t)(exponent != 0) << digits, 43 - digits);
        n->exponent = (int32_t)(exponent != 0 ? exponent : 1) - (int32_t)(top / 2) - 43;
    } else if (encoding == GPUCMD_PRIV_NV_SNORM) {
        const uint32_t most = highest >> 1;
        const uint32_t size = v > most ? highest - v + 1 : v;
        n->negative = v > most;
        n->mantissa = gpucmd_priv_nv_fraction_of(size < most ? size : most, bits - 1);
    } else {
        n->mantissa = encoding == GPUCMD_PRIV_NV_SRGB ? gpucmd_priv_nv_linear_of(2 * v)
                                                      : gpucmd_priv_nv_fraction_of(v, bits);
    }
}

/* Return the absolute value of n in units of 2^-44, rounded up, at most 2^44; 0 if n is NaN. */
static uint64_t gpucmd_priv_nv_clamp_number(const gpucmd_priv_nv_number *n)
{
    const uint64_t one = (uint64_t)1 << GPUCMD_PRIV_NV_ONE_LOG2;
    const int32_t up = n->exponent + GPUCMD_PRIV_NV_ONE_LOG2;
    uint64_t v = n->mantissa;
    if (n->nan || n->infinite || up > GPUCMD_PRIV_NV_ONE_LOG2 ||
        (up > 0 && v > gpucmd_priv_shr(one, (uint32_t)up))) {
        return n->nan || (v == 0 && !n->infinite) ? 0 : one;
    }
    if (up >= 0) {
        v = gpucmd_priv_shl(v, (uint32_t)up);
    } else {
        const uint32_t down = up < -63 ? 63 : (uint32_t)-up;
        v = gpucmd_priv_shr(v, down);
        v += gpucmd_priv_shl(v, down) != n->mantissa;
    }
    return v < one ? v : one;
}

/* Return n as a float of 10, 11, 16 or 32 bits, rounded to nearest, ties to
 * even. Floats of 10 and 11 bits have no sign: a negative number becomes 0, and a
 * number above the largest finite float becomes the largest finite float. */
static uint32_t gpucmd_priv_nv_float_of(const gpucmd_priv_nv_number *n, uint32_t bits)
{
    uint32_t top;
    const uint32_t digits = gpucmd_priv_nv_float_form(bits, &top);
    const uint32_t sign = bits >= 16 ? (uint32_t)n->negative << (bits - 1) : 0;
    const uint32_t infinite = top << digits;
    uint64_t m = n->mantissa;
    int32_t exponent = n->exponent + 63 + (int32_t)(top / 2); /* biased exponent of bit 63 of m */
    uint32_t v, drop = 63 - digits;
    uint64_t rest;
    if (n->nan) {
        return sign | infinite | (uint32_t)1 << (digits - 1);
    }
    if (bits < 16 && n->negative) {
        return 0;
    }
    if (n->infinite || m == 0) {
        return sign | (n->infinite ? infinite : 0);
    }
    for (; m >> 63 == 0; m += m) {
        exponent--;
    }
    if (exponent < 1) { /* the result is denormal */
        drop += (uint32_t)(1 - exponent);
        exponent = 1;
    }
    if (drop > 63 || exponent > (int32_t)top) {
        v = drop > 63 ? drop == 64 && m > (uint64_t)1 << 63 : infinite;
    } else {
        rest = gpucmd_priv_shl(m, 64 - drop);
        v = (uint32_t)gpucmd_priv_shr(m, drop) + ((uint32_t)(exponent - 1) << digits);
        v += rest > (uint64_t)1 << 63 || (rest == (uint64_t)1 << 63 && (v & 1) != 0);
    }
    return sign | (v >= infinite ? infinite - (bits < 16) : v);
}

/* Encode n as a component. FLOAT rounds halves to even. Other encodings round them away from 0. */
static uint32_t gpucmd_priv_nv_component_of(const gpucmd_priv_nv_number *n, uint32_t bits,
                                            uint32_t encoding)
{
    const uint32_t highest = 0xffffffffu >> (32 - bits);
    const uint64_t half = (uint64_t)1 << (GPUCMD_PRIV_NV_ONE_LOG2 - 1);
    uint32_t v, bit;
    if (encoding == GPUCMD_PRIV_NV_FLOAT) {
        return gpucmd_priv_nv_float_of(n, bits);
    }
    const uint64_t fraction = gpucmd_priv_nv_clamp_number(n);
    if (encoding == GPUCMD_PRIV_NV_SNORM) {
        v = (uint32_t)gpucmd_priv_shr(gpucmd_priv_mul(fraction, highest >> 1) + half,
                                      GPUCMD_PRIV_NV_ONE_LOG2);
        return n->negative ? (0 - v) & highest : v;
    }
    if (n->negative) {
        return 0;
    }
    if (encoding == GPUCMD_PRIV_NV_UNORM) {
        return (uint32_t)gpucmd_priv_shr(gpucmd_priv_mul(fraction, highest) + half,
                                         GPUCMD_PRIV_NV_ONE_LOG2);
    }
    for (bit = 128, v = 0; bit != 0; bit >>= 1) {
        v |= gpucmd_priv_nv_linear_of(2 * (v | bit) - 1) <= fraction ? bit : 0;
    }
    return v;
}

/* Write the weighted sum of four numbers to *sum. They are of one format, in which 0 has the
 * lowest exponent. Weights are in units of 2^-16, and their sum is 2^16. A number of weight 0 is 0
 * or equal to n[0]. If weight[0] is 2^16, n[1] to n[3] are not read. */
static void gpucmd_priv_nv_blend(const gpucmd_priv_nv_number n[4], const uint32_t weight[4],
                                 gpucmd_priv_nv_number *sum)
{
    uint64_t size[2] = {0, 0};
    bool infinite[2] = {false, false};
    unsigned i;
    *sum = n[0];
    if (weight[0] == 0x10000) {
        return;
    }
    for (i = 0; i < 4; i++) {
        sum->exponent = n[i].exponent > sum->exponent ? n[i].exponent : sum->exponent;
        sum->nan = sum->nan || n[i].nan;
        infinite[n[i].negative] = infinite[n[i].negative] || n[i].infinite;
    }
    for (i = 0; i < 4; i++) {
        const int32_t down = sum->exponent - n[i].exponent;
        size[n[i].negative] += gpucmd_priv_mul(
            gpucmd_priv_shr(n[i].mantissa, down < 63 ? (uint32_t)down : 63), weight[i]);
    }
    sum->nan = sum->nan || (infinite[0] && infinite[1]);
    sum->infinite = infinite[0] || infinite[1];
    sum->negative = !sum->nan && (infinite[1] || (!infinite[0] && size[1] > size[0]));
    sum->mantissa = size[1] > size[0] ? size[1] - size[0] : size[0] - size[1];
    sum->exponent -= 16;
}

/* ---- copies ---- */

/* Conversion of pixels by a blit. If all members are 0, pixels are copied unchanged. */
typedef struct gpucmd_priv_nv_convert {
    const gpucmd_priv_nv_pixels *from; /* source format; NULL: pixels are copied unchanged */
    const gpucmd_priv_nv_pixels *to;   /* destination format */
    bool filter;      /* true: blend four source pixels by distance; false: read one pixel */
    bool corner;      /* if filter: the centre of pixel i is at i + 0.5 (true) or at i (false) */
    uint32_t size[2]; /* [0]: width, [1]: height of the source in pixels */
    uint32_t zero;    /* bit i: component i of RGBA is written as 0 */
    uint32_t mask;    /* if from == to and filter is false: bits of a pixel that are written */
} gpucmd_priv_nv_convert;

/* A job is an operation of an engine on a rectangle: copy, fill, remap, sample or convert. */
typedef struct gpucmd_priv_nv_job {
    gpucmd_priv_nv_surface src;
    gpucmd_priv_nv_surface dst;
    uint64_t len; /* line length: in elements if remap is true or unit_bytes != 0, else in bytes */
    uint32_t lines;
    bool remap;          /* true: members components, const_a, const_b define an element */
    uint32_t components; /* value of SET_REMAP_COMPONENTS */
    uint32_t const_a;
    uint32_t const_b;
    uint32_t unit_bytes;            /* fill or sampled: pixel size in bytes, 1 to 16; otherwise 0 */
    bool sampled;                   /* true: u, v, du and dv select the source of each pixel */
    uint32_t writes;                /* fill: if bit i is set, byte i of a pixel is written */
    uint8_t fill[16];               /* fill: value of a pixel */
    int64_t u;                      /* sampled: x of the first source pixel, 32.32 fixed point */
    int64_t v;                      /* sampled: y of the first source pixel, 32.32 */
    int64_t du;                     /* sampled: added to u for each pixel of a line, 32.32 */
    int64_t dv;                     /* sampled: added to v for each line, 32.32 */
    gpucmd_priv_nv_convert convert; /* sampled: conversion of pixels */
} gpucmd_priv_nv_job;

/* Return the field of SET_REMAP_COMPONENTS (components) that selects destination component i. */
GPUCMD_INLINE uint32_t gpucmd_priv_nv_component(uint32_t components, uint32_t i)
{
    return components >> (4 * i) & GPUCMD_FIELD_MAX(NV_REMAP_DST_X);
}

/* Compute one element of a job from the source element src, and write the element to dst.
 * Bytes that the job does not write are unchanged in dst. */
static void gpucmd_priv_nv_compose(const gpucmd_priv_nv_job *job, const uint8_t *src, uint8_t *dst)
{
    uint32_t i, b;
    const uint32_t size = GPUCMD_FIELD_GET(NV_REMAP_SIZE, job->components) + 1;
    const uint32_t count = GPUCMD_FIELD_GET(NV_REMAP_NUM_DST, job->components) + 1;
    for (i = 0; i < job->unit_bytes; i++) {
        dst[i] = (job->writes >> i & 1) != 0 ? job->fill[i] : dst[i];
    }
    for (i = 0; i < count && job->unit_bytes == 0; i++) {
        const uint32_t what = gpucmd_priv_nv_component(job->components, i);
        for (b = 0; b < size; b++) {
            if (what < GPUCMD_NV_REMAP_CONST_A) {
                dst[i * size + b] = src[what * size + b];
            } else if (what < GPUCMD_NV_REMAP_NO_WRITE) {
                const uint32_t v = what == GPUCMD_NV_REMAP_CONST_A ? job->const_a : job->const_b;
                dst[i * size + b] = (uint8_t)(v >> (8 * b));
            }
        }
    }
}

/* Element sizes and properties of a job, computed by gpucmd_priv_nv_job_form_of. */
typedef struct gpucmd_priv_nv_job_form {
    uint32_t src_bytes; /* source element size in bytes */
    uint32_t dst_bytes; /* destination element size in bytes */
    bool plain;         /* true: all elements are copied unchanged */
    bool constant;      /* true: only constants are written */
    bool keeps;         /* true: bytes of dst may stay unchanged, so dst must be read */
    bool undefined;     /* true: a component selects a source component that does not exist */
} gpucmd_priv_nv_job_form;

static void gpucmd_priv_nv_job_form_of(const gpucmd_priv_nv_job *job, gpucmd_priv_nv_job_form *mix)
{
    uint32_t i;
    const uint32_t size = GPUCMD_FIELD_GET(NV_REMAP_SIZE, job->components) + 1;
    const uint32_t from = GPUCMD_FIELD_GET(NV_REMAP_NUM_SRC, job->components) + 1;
    const uint32_t to = GPUCMD_FIELD_GET(NV_REMAP_NUM_DST, job->components) + 1;
    mix->src_bytes = job->remap ? size * from : 1;
    mix->dst_bytes = job->remap ? size * to : 1;
    mix->plain = !job->remap || from == to;
    mix->constant = job->remap;
    mix->keeps = false;
    mix->undefined = false;
    if (job->unit_bytes != 0) {
        mix->src_bytes = job->unit_bytes;
        mix->dst_bytes = job->unit_bytes;
        mix->constant = !job->sampled && job->writes == ((uint32_t)1 << job->unit_bytes) - 1;
        mix->plain = false;
        mix->keeps = true;
        return;
    }
    for (i = 0; i < to && job->remap; i++) {
        const uint32_t what = gpucmd_priv_nv_component(job->components, i);
        mix->plain = mix->plain && what == i;
        mix->constant =
            mix->constant && (what == GPUCMD_NV_REMAP_CONST_A || what == GPUCMD_NV_REMAP_CONST_B);
        mix->keeps = mix->keeps || what == GPUCMD_NV_REMAP_NO_WRITE;
        mix->undefined = mix->undefined || (what < GPUCMD_NV_REMAP_CONST_A && what >= from) ||
                         what > GPUCMD_NV_REMAP_NO_WRITE;
    }
}

/* Copy line e->line of a job from byte e->at on, until the line of len_bytes bytes ends or
 * e->used reaches `room`. Advance e->at, and add the work (gpucmd_priv_work) to e->used. */
static gpucmd_status gpucmd_priv_nv_line_copy(const gpucmd_priv_nv_host *h,
                                              const gpucmd_priv_nv_job *job, gpucmd_nv_engine *e,
                                              uint64_t len_bytes, uint64_t room)
{
    const gpucmd_priv_nv_surface *dst = &job->dst;
    const gpucmd_priv_nv_surface *src = &job->src;
    const bool linear = !dst->tiled && !dst->swizzled && !src->tiled && !src->swizzled;
    gpucmd_status status = GPUCMD_OK;
    while (e->at < len_bytes && e->used < room && status == GPUCMD_OK) {
        uint64_t run_to, run_from;
        uint64_t done = linear ? e->at : 0; /* bytes already copied of this contiguous range */
        uint64_t to_va = gpucmd_priv_nv_surface_va(dst, e->at - done, e->line, &run_to);
        uint64_t from_va = gpucmd_priv_nv_surface_va(src, e->at - done, e->line, &run_from);
        uint64_t n = len_bytes - (e->at - done);
        n = run_to < n ? run_to : n;
        n = run_from < n ? run_from : n;
        if (n <= done) {
            return gpucmd_priv_nv_outside(h, (run_from <= run_to ? from_va : to_va) + n);
        }
        if (done == 0) {
            gpucmd_priv_nv_trace_write(h, to_va, n);
        }
        uint64_t moved = room - e->used;
        status = gpucmd_priv_mem_part(h->card->mem, to_va, from_va, n, done, &moved);
        if (status == GPUCMD_OK) {
            e->used += gpucmd_priv_work(done, moved);
            e->at += moved;
        }
    }
    return status;
}

/* Read the four source pixels of destination pixel (x, y) to pixels, and write their weights in
 * units of 2^-16 to weight (8 bits from each axis: MODEL). A pixel of weight 0 is not read; its
 * bits are 0. */
static gpucmd_status gpucmd_priv_nv_read_pixels(const gpucmd_priv_nv_host *h,
                                                const gpucmd_priv_nv_job *job, uint64_t x,
                                                uint64_t y, uint32_t pixels[4][4],
                                                uint32_t weight[4])
{
    const gpucmd_priv_nv_convert *const c = &job->convert;
    const int64_t from[2] = {job->u + (int64_t)gpucmd_priv_mul(x, (uint64_t)job->du),
                             job->v + (int64_t)gpucmd_priv_mul(y, (uint64_t)job->dv)};
    uint64_t at[2];
    uint32_t part[2];
    uint32_t i;
    gpucmd_status status = GPUCMD_OK;
    for (i = 0; i < 2; i++) {
        const int64_t off = from[i] - (c->filter && c->corner ? (int64_t)1 << 31 : 0);
        at[i] = off < 0 ? 0 : (uint64_t)off >> 32;
        part[i] = off < 0 || !c->filter ? 0 : (uint32_t)off >> 24;
    }
    for (i = 0; i < 4 && status == GPUCMD_OK; i++) {
        const uint64_t last[2] = {c->size[0] - 1u, c->size[1] - 1u};
        const uint64_t px = at[0] + (i & 1);
        const uint64_t py = at[1] + (i >> 1);
        uint8_t bytes[16] = {0};
        weight[i] =
            ((i & 1) != 0 ? part[0] : 256 - part[0]) * ((i & 2) != 0 ? part[1] : 256 - part[1]);
        if (weight[i] != 0) {
            status = gpucmd_priv_nv_line_read(
                h, &job->src, gpucmd_priv_mul(px < last[0] ? px : last[0], c->from->bytes),
                py < last[1] ? py : last[1], bytes, c->from->bytes);
        }
        gpucmd_load_words(pixels[i], bytes, 4, GPUCMD_LITTLE_ENDIAN);
    }
    return status;
}

/* Compute component i of RGBA of a destination pixel, and set its bits in words. The component is
 * the weighted sum of component i of four source pixels. If the source has red but no green, its
 * red also counts as green and blue. Other absent components are 0, but absent alpha is 1. */
static void gpucmd_priv_nv_convert_part(const gpucmd_priv_nv_convert *c, uint32_t i,
                                        uint32_t pixels[4][4], const uint32_t weight[4],
                                        uint32_t words[4])
{
    const gpucmd_priv_nv_pixels *const from = c->from;
    const bool gray = from->bits[1] == 0 && from->bits[0] != 0 && i < 3;
    const uint32_t part = gray ? 0 : i;
    const uint32_t bits = from->bits[part];
    const uint32_t at = c->to->at[i];
    gpucmd_priv_nv_number n[4];
    gpucmd_priv_nv_number sum;
    uint32_t k, v;
    for (k = 0; k < 4 && (k == 0 || weight[0] != 0x10000); k++) {
        if (bits != 0 && (i != 3 || from->x == 0)) {
            v = pixels[k][from->at[part] / 32] >> from->at[part] % 32 & 0xffffffffu >> (32 - bits);
            gpucmd_priv_nv_read_number(v, bits, gpucmd_priv_nv_encoding_of(from, i), &n[k]);
        } else {
            gpucmd_priv_nv_read_number(i == 3, 1, GPUCMD_PRIV_NV_UNORM, &n[k]);
        }
    }
    gpucmd_priv_nv_blend(n, weight, &sum);
    v = (c->zero >> i & 1) != 0 ? 0
                                : gpucmd_priv_nv_component_of(&sum, c->to->bits[i],
                                                              gpucmd_priv_nv_encoding_of(c->to, i));
    words[at / 32] |= v << at % 32;
}

/* Compute and write destination pixel (x, y) of a job that converts pixels (job->convert). */
static gpucmd_status gpucmd_priv_nv_pixel_convert(const gpucmd_priv_nv_host *h,
                                                  const gpucmd_priv_nv_job *job, uint64_t x,
                                                  uint64_t y)
{
    const gpucmd_priv_nv_convert *const c = &job->convert;
    uint32_t pixels[4][4];
    uint32_t weight[4];
    uint32_t words[4] = {0, 0, 0, 0};
    uint8_t bytes[16] = {0};
    uint32_t i;
    gpucmd_status status = gpucmd_priv_nv_read_pixels(h, job, x, y, pixels, weight);
    if (status == GPUCMD_OK && c->from == c->to && !c->filter) {
        status = gpucmd_priv_nv_line_read(h, &job->dst, gpucmd_priv_mul(x, c->to->bytes), y, bytes,
                                          c->to->bytes);
        words[0] =
            (gpucmd_load32(bytes, GPUCMD_LITTLE_ENDIAN) & ~c->mask) | (pixels[0][0] & c->mask);
    } else {
        for (i = 0; i < 4 && status == GPUCMD_OK; i++) {
            if (c->to->bits[i] != 0) {
                gpucmd_priv_nv_convert_part(c, i, pixels, weight, words);
            }
        }
    }
    gpucmd_store_words(bytes, words, 4, GPUCMD_LITTLE_ENDIAN);
    return status == GPUCMD_OK
               ? gpucmd_priv_nv_line_write(h, &job->dst, gpucmd_priv_mul(x, c->to->bytes), y, bytes,
                                           c->to->bytes)
               : status;
}

/* Fill line e->line of a job with repeats of pattern, from byte e->at on, until the line of
 * len_bytes bytes ends or e->used reaches `room`. Advance e->at and e->used. */
static gpucmd_status gpucmd_priv_nv_line_fill(const gpucmd_priv_nv_host *h,
                                              const gpucmd_priv_nv_job *job, gpucmd_nv_engine *e,
                                              const uint8_t *pattern, uint64_t len_bytes,
                                              uint64_t room)
{
    while (e->at < len_bytes && e->used < room) {
        uint64_t n;
        const uint64_t va =
            gpucmd_priv_nv_line_va(&job->dst, e->at, e->line, len_bytes - e->at, &n);
        if (n == 0) {
            return gpucmd_priv_nv_outside(h, va);
        }
        n = gpucmd_priv_work_limit(e->at, n, room - e->used);
        if (gpucmd_priv_mem_fill(h->card->mem, va, pattern, GPUCMD_PRIV_NV_PATTERN, e->at, &n) !=
            GPUCMD_OK) {
            return GPUCMD_FAULT;
        }
        gpucmd_priv_nv_trace_write(h, va, n);
        e->used += gpucmd_priv_work(e->at, n);
        e->at += n;
    }
    return GPUCMD_OK;
}

/* Read, compose and write the elements of line e->line of a job, from element e->at on, until the
 * line ends or e->used reaches `room`. Advance e->at and e->used. */
static gpucmd_status gpucmd_priv_nv_line_compose(const gpucmd_priv_nv_host *h,
                                                 const gpucmd_priv_nv_job *job,
                                                 const gpucmd_priv_nv_job_form *mix,
                                                 gpucmd_nv_engine *e, uint64_t room)
{
    const uint64_t y = e->line;
    gpucmd_status status = GPUCMD_OK;
    while (e->at < job->len && e->used < room && status == GPUCMD_OK) {
        const uint64_t to_bytes = gpucmd_priv_mul(e->at, mix->dst_bytes);
        uint8_t from[16];
        uint8_t to[16];
        if (job->unit_bytes == 0) {
            status = gpucmd_priv_nv_line_read(h, &job->src, gpucmd_priv_mul(e->at, mix->src_bytes),
                                              y, from, mix->src_bytes);
        }
        if (status == GPUCMD_OK && mix->keeps) {
            status = gpucmd_priv_nv_line_read(h, &job->dst, to_bytes, y, to, mix->dst_bytes);
        }
        if (status == GPUCMD_OK) {
            gpucmd_priv_nv_compose(job, from, to);
            status = gpucmd_priv_nv_line_write(h, &job->dst, to_bytes, y, to, mix->dst_bytes);
        }
        e->at += status == GPUCMD_OK;
        e->used += GPUCMD_PRIV_PIECE_WORK;
    }
    return status;
}

/* Compute line e->line of a sampled job from pixel e->at on, until the line ends or e->used
 * reaches `room`. job->u, v, du and dv select the source of each pixel. */
static gpucmd_status gpucmd_priv_nv_line_sample(const gpucmd_priv_nv_host *h,
                                                const gpucmd_priv_nv_job *job, gpucmd_nv_engine *e,
                                                uint64_t room)
{
    const uint64_t from_y = ((uint64_t)job->v + gpucmd_priv_mul(e->line, (uint64_t)job->dv)) >> 32;
    const bool converts = job->convert.from != NULL;
    gpucmd_status status = GPUCMD_OK;
    while (e->at < job->len && e->used < room && status == GPUCMD_OK) {
        const uint64_t from_x =
            ((uint64_t)job->u + gpucmd_priv_mul(e->at, (uint64_t)job->du)) >> 32;
        uint8_t pixel[16];
        status = converts ? gpucmd_priv_nv_pixel_convert(h, job, e->at, e->line)
                          : gpucmd_priv_nv_line_read(h, &job->src,
                                                     gpucmd_priv_mul(from_x, job->unit_bytes),
                                                     from_y, pixel, job->unit_bytes);
        if (status == GPUCMD_OK && !converts) {
            status =
                gpucmd_priv_nv_line_write(h, &job->dst, gpucmd_priv_mul(e->at, job->unit_bytes),
                                          e->line, pixel, job->unit_bytes);
        }
        e->at += status == GPUCMD_OK;
        e->used += converts ? GPUCMD_PRIV_UNIT_WORK : GPUCMD_PRIV_PIECE_WORK;
    }
    return status;
}

/* Start a job, or continue the job if e->copying is true. The job may use one unit more than
 * h->room, because the method that starts the job already counts as one unit. Return:
 *   GPUCMD_OK       the job ended
 *   GPUCMD_BLOCKED  the budget is spent and the channel pauses, or a fault stopped the channel */
static gpucmd_status gpucmd_priv_nv_job_lines(const gpucmd_priv_nv_host *h, gpucmd_nv_engine *e,
                                              const gpucmd_priv_nv_job *job)
{
    gpucmd_priv_nv_job_form mix;
    uint8_t pattern[GPUCMD_PRIV_NV_PATTERN];
    const uint64_t spent = h->ch->puller.pause_cost;
    const uint64_t units = 1 + (h->room > spent ? (h->room - spent) & 0xffffffffu : 0);
    const uint64_t room = units * GPUCMD_PRIV_UNIT_WORK;
    gpucmd_status status = GPUCMD_OK;
    gpucmd_priv_nv_job_form_of(job, &mix);
    if (mix.constant) {
        gpucmd_priv_nv_compose(job, job->fill, pattern);
        gpucmd_priv_repeat(pattern, mix.dst_bytes, GPUCMD_PRIV_NV_PATTERN);
    }
    if (!e->copying) {
        e->copying = true;
        e->line = 0;
        e->at = 0;
        e->used = 0;
    }
    while (e->line < job->lines && job->len != 0 && status == GPUCMD_OK && e->used < room) {
        const uint64_t bytes = gpucmd_priv_mul(job->len, mix.dst_bytes);
        status = mix.constant   ? gpucmd_priv_nv_line_fill(h, job, e, pattern, bytes, room)
                 : mix.plain    ? gpucmd_priv_nv_line_copy(h, job, e, bytes, room)
                 : job->sampled ? gpucmd_priv_nv_line_sample(h, job, e, room)
                                : gpucmd_priv_nv_line_compose(h, job, &mix, e, room);
        if (status == GPUCMD_OK && e->at == (mix.constant || mix.plain ? bytes : job->len)) {
            e->at = 0;
            e->line++;
        }
    }
    if (status != GPUCMD_OK) {
        return gpucmd_priv_nv_engine_stop_fault(h, status);
    }
    status = gpucmd_priv_nv_pause(h, e->used / GPUCMD_PRIV_UNIT_WORK);
    e->used %= GPUCMD_PRIV_UNIT_WORK;
    if (e->line < job->lines && job->len != 0) {
        return status;
    }
    e->copying = false;
    return GPUCMD_OK;
}

/* While the channel executes ahead (h->seek), record that a job writes `bytes` bytes from the
 * start of each line of the linear surface s on. Lines that begin after the awaited value cannot
 * change the value. Of the other lines record only the last n + 1, where n is the size of the value
 * in bytes, because still earlier lines change no further byte of the value. */
static void gpucmd_priv_nv_foresee_lines(const gpucmd_priv_nv_host *h,
                                         const gpucmd_priv_nv_surface *s, uint32_t lines,
                                         uint64_t bytes)
{
    uint32_t i, bit, y = 0; /* y: last line that begins inside or before the value; 0: none */
    const gpucmd_nv_wait *wait = h->seek->wait;
    const bool down = s->pitch >= 0;
    const uint64_t pitch = (uint64_t)(down ? s->pitch : -s->pitch);
    const uint64_t low_va = s->va - (down ? 0 : gpucmd_priv_mul(pitch, lines - 1));
    const uint64_t end_off = wait->va - low_va + gpucmd_priv_nv_wait_bytes(wait) - 1;
    for (bit = (uint32_t)1 << 31; bit != 0; bit >>= 1) {
        y |= (y | bit) < lines && gpucmd_priv_mul(pitch, y | bit) <= end_off ? bit : 0;
    }
    for (i = 0; i <= y && i <= gpucmd_priv_nv_wait_bytes(wait); i++) {
        (void)gpucmd_priv_nv_skip_write(h, low_va + gpucmd_priv_mul(pitch, y - i), bytes, NULL);
    }
}

/* Record the writes of a job while the channel executes ahead (h->seek). A job to a
 * tiled or swizzled surface counts as one write from the start of the surface on. */
static void gpucmd_priv_nv_foresee_job(const gpucmd_priv_nv_host *h, const gpucmd_priv_nv_job *job)
{
    gpucmd_priv_nv_job_form mix;
    gpucmd_priv_nv_job_form_of(job, &mix);
    uint64_t bytes = gpucmd_priv_mul(job->len, mix.dst_bytes);
    if (bytes == 0 || job->lines == 0) {
        return;
    }
    if (job->dst.swizzled) {
        bytes = gpucmd_priv_shl(1, job->dst.unit_log2 + job->dst.width_log2 + job->dst.height_log2);
        (void)gpucmd_priv_nv_skip_write(h, job->dst.va, bytes, NULL);
        return;
    }
    if (job->dst.tiled) {
        const uint64_t last = (uint64_t)job->dst.y + job->lines - 1;
        const uint32_t lines_log2 = job->dst.rows_log2 + job->dst.height_log2;
        bytes = gpucmd_priv_mul(gpucmd_priv_shr(last, lines_log2) + 1, job->dst.width_gobs) * 64;
        bytes = gpucmd_priv_shl(bytes, lines_log2 + job->dst.depth_log2);
        (void)gpucmd_priv_nv_skip_write(h, job->dst.va, bytes, NULL);
        return;
    }
    gpucmd_priv_nv_foresee_lines(h, &job->dst, job->lines, bytes);
}

/* Execute a job as gpucmd_priv_nv_job_lines does. If the channel executes ahead without effects
 * (h->seek), record the writes of the job instead and return GPUCMD_OK. */
static gpucmd_status gpucmd_priv_nv_job_run(const gpucmd_priv_nv_host *h, gpucmd_nv_engine *e,
                                            const gpucmd_priv_nv_job *job)
{
    if (h->seek != NULL) {
        gpucmd_priv_nv_foresee_job(h, job);
        return GPUCMD_OK;
    }
    h->card->effects++;
    return gpucmd_priv_nv_job_lines(h, e, job);
}

/* Return the 64-bit address in registers `upper` (only the bits upper_mask) and `lower`. */
static uint64_t gpucmd_priv_nv_reg_pair(const gpucmd_nv_engine *e, uint32_t upper, uint32_t lower,
                                        uint32_t upper_mask)
{
    return (uint64_t)(gpucmd_nv_engine_reg(e, upper) & upper_mask) << 32 |
           gpucmd_nv_engine_reg(e, lower);
}

/* Release an engine's semaphore at va. If parameter one_word is true, write only the payload word,
 * otherwise write payload, a zero word and the 64-bit time. Return GPUCMD_BLOCKED after a fault. */
static gpucmd_status gpucmd_priv_nv_engine_release(const gpucmd_priv_nv_host *h, uint64_t va,
                                                   uint32_t payload, bool one_word)
{
    const gpucmd_status status = one_word ? gpucmd_priv_nv_store_words(h, va, &payload, 1)
                                          : gpucmd_priv_nv_store_report(h, va, payload);
    return status == GPUCMD_OK ? status : gpucmd_priv_nv_engine_stop_fault(h, status);
}

/* Write the DMA object of the handle in register mthd to *object. An unknown handle has 0 bytes. */
static void gpucmd_priv_nv_dma_object(const gpucmd_priv_nv_host *h, const gpucmd_nv_engine *e,
                                      uint32_t mthd, gpucmd_nv_object *object)
{
    if (!gpucmd_priv_nv_find_object(h, gpucmd_nv_engine_reg(e, mthd), object)) {
        object->va = 0;
        object->bytes = 0;
    }
}

/* Return the start address of the DMA object whose handle is in register mthd. */
static uint64_t gpucmd_priv_nv_dma_va(const gpucmd_priv_nv_host *h, const gpucmd_nv_engine *e,
                                      uint32_t mthd)
{
    gpucmd_nv_object object;
    gpucmd_priv_nv_dma_object(h, e, mthd, &object);
    return object.va;
}

/* Limit the accesses to a surface to the DMA object whose handle is in register mthd. */
static void gpucmd_priv_nv_dma_bound(const gpucmd_priv_nv_host *h, const gpucmd_nv_engine *e,
                                     uint32_t mthd, gpucmd_priv_nv_surface *s)
{
    gpucmd_nv_object object;
    gpucmd_priv_nv_dma_object(h, e, mthd, &object);
    s->bounded = true;
    s->low_va = object.va;
    s->end_va = object.bytes < ~object.va ? object.va + object.bytes : ~(uint64_t)0;
}

/* Write to *va the address of byte off_bytes of the DMA object whose handle is in register
 * mthd. If the object does not contain len_bytes bytes from that address on, stop the channel
 * with the fault GPUCMD_FAULT and return GPUCMD_BLOCKED. */
static gpucmd_status gpucmd_priv_nv_dma_place(const gpucmd_priv_nv_host *h,
                                              const gpucmd_nv_engine *e, uint32_t mthd,
                                              uint64_t off_bytes, uint32_t len_bytes, uint64_t *va)
{
    gpucmd_nv_object object;
    gpucmd_priv_nv_dma_object(h, e, mthd, &object);
    *va = object.va + off_bytes;
    if (object.bytes < len_bytes || off_bytes > object.bytes - len_bytes) {
        return gpucmd_priv_nv_engine_stop_fault(h, gpucmd_priv_nv_outside(h, *va));
    }
    return GPUCMD_OK;
}

/* ---- DMA copy, 85B5 and later ---- */

/* Fill s as the block-linear surface at va, the source (is_src) or destination of a copy with
 * elements of unit_bytes. Return false if the copy uses an origin method of C1B5. */
static bool gpucmd_priv_nv_copy_tiled(const gpucmd_nv_engine *e, bool is_src, uint64_t va,
                                      uint32_t unit_bytes, gpucmd_priv_nv_surface *s)
{
    const uint32_t base =
        is_src ? GPUCMD_NV_COPY_SET_SRC_BLOCK_SIZE - GPUCMD_NV_COPY_SET_DST_BLOCK_SIZE : 0;
    const uint32_t block = gpucmd_nv_engine_reg(e, GPUCMD_NV_COPY_SET_DST_BLOCK_SIZE + base);
    const uint32_t origin = gpucmd_nv_engine_reg(e, GPUCMD_NV_COPY_SET_DST_ORIGIN + base);
    const uint64_t width = gpucmd_nv_engine_reg(e, GPUCMD_NV_COPY_SET_DST_WIDTH + base);
    s->va = va;
    gpucmd_priv_nv_surface_tiled(s, gpucmd_priv_mul(width, unit_bytes),
                                 gpucmd_nv_engine_reg(e, GPUCMD_NV_COPY_SET_DST_WIDTH + 4 + base),
                                 block, e->class_id >= 0x90b5 ? 3 : 2,
                                 gpucmd_nv_engine_reg(e, GPUCMD_NV_COPY_SET_DST_LAYER + base));
    s->x_bytes = GPUCMD_FIELD_GET(NV_ORIGIN_X, origin) * unit_bytes;
    s->y = GPUCMD_FIELD_GET(NV_ORIGIN_Y, origin);
    return gpucmd_nv_engine_reg(e, is_src ? GPUCMD_NV_COPY_SRC_ORIGIN_X
                                          : GPUCMD_NV_COPY_DST_ORIGIN_X) == 0 &&
           gpucmd_nv_engine_reg(e, is_src ? GPUCMD_NV_COPY_SRC_ORIGIN_Y
                                          : GPUCMD_NV_COPY_DST_ORIGIN_Y) == 0;
}

/* An address of class 85B5 is an offset in a DMA object. Return the register with the handle of
 * this object; `upper` is the register with the upper half of the address. */
static uint32_t gpucmd_priv_nv_copy_dma(const gpucmd_nv_engine *e, uint32_t upper)
{
    return GPUCMD_NV_COPY_SET_CTX_DMA +
           4 * GPUCMD_FIELD_GET(NV_COPY_CTX_DMA, gpucmd_nv_engine_reg(e, upper));
}

/* Return the address that a copy engine has in the registers `upper` and `lower`. For class 85B5
 * add the start of the DMA object, because the registers contain an offset. */
GPUCMD_INLINE uint64_t gpucmd_priv_nv_copy_va(const gpucmd_priv_nv_host *h,
                                              const gpucmd_nv_engine *e, uint32_t upper,
                                              uint32_t lower)
{
    const uint32_t mask = e->class_id >= 0xc8b5   ? GPUCMD_FIELD_MASK(NV_COPY_UPPER_C8B5)
                          : e->class_id >= 0xc0b5 ? GPUCMD_FIELD_MASK(NV_COPY_UPPER_C0B5)
                                                  : GPUCMD_FIELD_MASK(NV_COPY_UPPER);
    const uint64_t va = gpucmd_priv_nv_reg_pair(e, upper, lower, mask);
    if (GPUCMD_PRIV_UNLIKELY(e->class_id < 0x90b5)) {
        return va + gpucmd_priv_nv_dma_va(h, e, gpucmd_priv_nv_copy_dma(e, upper));
    }
    return va;
}

/* Fill job for LAUNCH_DMA with data dw. Return false if the model cannot perform the copy. */
static bool gpucmd_priv_nv_copy_job(const gpucmd_priv_nv_host *h, const gpucmd_nv_engine *e,
                                    uint32_t dw, gpucmd_priv_nv_job *job)
{
    const uint64_t in_va = gpucmd_priv_nv_copy_va(h, e, GPUCMD_NV_COPY_OFFSET_IN_UPPER,
                                                  GPUCMD_NV_COPY_OFFSET_IN_LOWER);
    const uint64_t out_va = gpucmd_priv_nv_copy_va(h, e, GPUCMD_NV_COPY_OFFSET_OUT_UPPER,
                                                   GPUCMD_NV_COPY_OFFSET_OUT_LOWER);
    gpucmd_priv_nv_job_form mix;
    bool good = true;
    job->len = gpucmd_nv_engine_reg(e, GPUCMD_NV_COPY_LINE_LENGTH_IN);
    job->lines = GPUCMD_FIELD_GET(NV_LAUNCH_MULTI_LINE, dw) != 0
                     ? gpucmd_nv_engine_reg(e, GPUCMD_NV_COPY_LINE_COUNT)
                     : 1;
    job->remap = GPUCMD_FIELD_GET(NV_LAUNCH_REMAP, dw) != 0;
    job->components = gpucmd_nv_engine_reg(e, GPUCMD_NV_COPY_SET_REMAP_COMPONENTS);
    job->const_a = gpucmd_nv_engine_reg(e, GPUCMD_NV_COPY_SET_REMAP_CONST_A);
    job->const_b = gpucmd_nv_engine_reg(e, GPUCMD_NV_COPY_SET_REMAP_CONST_B);
    job->unit_bytes = 0;
    job->sampled = false;
    gpucmd_priv_nv_job_form_of(job, &mix);
    gpucmd_priv_nv_surface_linear(&job->src, in_va,
                                  gpucmd_nv_engine_reg(e, GPUCMD_NV_COPY_PITCH_IN));
    gpucmd_priv_nv_surface_linear(&job->dst, out_va,
                                  gpucmd_nv_engine_reg(e, GPUCMD_NV_COPY_PITCH_OUT));
    if (GPUCMD_FIELD_GET(NV_LAUNCH_SRC_PITCH, dw) == 0) {
        good = gpucmd_priv_nv_copy_tiled(e, true, in_va, mix.src_bytes, &job->src);
    }
    if (GPUCMD_FIELD_GET(NV_LAUNCH_DST_PITCH, dw) == 0) {
        good = gpucmd_priv_nv_copy_tiled(e, false, out_va, mix.dst_bytes, &job->dst) && good;
    }
    if (e->class_id >= 0xc8b5 &&
        ((dw & GPUCMD_FIELD_MASK(NV_LAUNCH_COPY_TYPE)) == (uint32_t)GPUCMD_NV_CE_SECURE ||
         GPUCMD_FIELD_GET(NV_LAUNCH_SCRUB, dw) != 0)) {
        return false;
    }
    if (e->class_id >= 0xa0b5) {
        good = good && GPUCMD_FIELD_GET(NV_LAUNCH_SRC_PHYSICAL, dw) == 0 &&
               GPUCMD_FIELD_GET(NV_LAUNCH_DST_PHYSICAL, dw) == 0;
    } else if (e->class_id >= 0x90b5) {
        const uint32_t mode = gpucmd_nv_engine_reg(e, GPUCMD_NV_COPY_ADDRESSING_MODE);
        good = good && GPUCMD_FIELD_GET(NV_ADDRESSING_SRC_PHYSICAL, mode) == 0 &&
               GPUCMD_FIELD_GET(NV_ADDRESSING_DST_PHYSICAL, mode) == 0;
    }
    if (e->class_id < 0x90b5) {
        gpucmd_priv_nv_dma_bound(h, e, gpucmd_priv_nv_copy_dma(e, GPUCMD_NV_COPY_OFFSET_IN_UPPER),
                                 &job->src);
        gpucmd_priv_nv_dma_bound(h, e, gpucmd_priv_nv_copy_dma(e, GPUCMD_NV_COPY_OFFSET_OUT_UPPER),
                                 &job->dst);
    }
    return good && !mix.undefined && /* class 85B5 has no render condition */
           (gpucmd_nv_engine_reg(e, GPUCMD_NV_COPY_SET_RENDER_ENABLE_C) == 1 ||
            e->class_id < 0x90b5);
}

/* Return true if LAUNCH_DMA with data dw has a semaphore payload of two words. */
GPUCMD_INLINE bool gpucmd_priv_nv_copy_wide(const gpucmd_nv_engine *e, uint32_t dw)
{
    return e->class_id >= 0xc7b5 && GPUCMD_FIELD_GET(NV_LAUNCH_PAYLOAD_SIZE, dw) != 0;
}

/* Return true if LAUNCH_DMA with data dw reduces the semaphore with the payload. */
GPUCMD_INLINE bool gpucmd_priv_nv_copy_reduces(const gpucmd_nv_engine *e, uint32_t dw)
{
    return e->class_id >= 0xa0b5 && GPUCMD_FIELD_GET(NV_LAUNCH_REDUCTION_ENABLE, dw) != 0;
}

/* Return true if the model can perform the semaphore operation of LAUNCH_DMA with data dw. */
static bool gpucmd_priv_nv_copy_releases(const gpucmd_nv_engine *e, uint32_t dw)
{
    const uint32_t type = GPUCMD_FIELD_GET(NV_LAUNCH_SEMAPHORE, dw);
    return type == 0 || (gpucmd_priv_nv_copy_reduces(e, dw)
                             ? type == 1 && gpucmd_nv_knows_reduction(
                                                GPUCMD_FIELD_GET(NV_LAUNCH_REDUCTION, dw),
                                                gpucmd_priv_nv_copy_wide(e, dw),
                                                GPUCMD_FIELD_GET(NV_LAUNCH_REDUCTION_SIGN, dw) != 0)
                             : type != 3);
}

/* Execute the semaphore operation of LAUNCH_DMA with data dw. */
static gpucmd_status gpucmd_priv_nv_copy_semaphore(const gpucmd_priv_nv_host *h,
                                                   const gpucmd_nv_engine *e, uint32_t dw)
{
    const uint32_t type = GPUCMD_FIELD_GET(NV_LAUNCH_SEMAPHORE, dw);
    const bool wide = gpucmd_priv_nv_copy_wide(e, dw);
    const bool is_unsigned = GPUCMD_FIELD_GET(NV_LAUNCH_REDUCTION_SIGN, dw) != 0;
    const uint32_t reduction = GPUCMD_FIELD_GET(NV_LAUNCH_REDUCTION, dw);
    const uint64_t va = gpucmd_priv_nv_copy_va(h, e, GPUCMD_NV_COPY_SET_SEMAPHORE_A,
                                               GPUCMD_NV_COPY_SET_SEMAPHORE_B);
    uint32_t payload[2];
    gpucmd_status status;
    payload[0] = gpucmd_nv_engine_reg(e, GPUCMD_NV_COPY_SET_SEMAPHORE_PAYLOAD);
    payload[1] = wide ? gpucmd_nv_engine_reg(e, GPUCMD_NV_COPY_SET_SEMAPHORE_PAYLOAD_UPPER) : 0;
    if (type == 0) {
        return GPUCMD_OK;
    }
    if (e->class_id < 0x90b5) {
        const uint32_t dma = gpucmd_priv_nv_copy_dma(e, GPUCMD_NV_COPY_SET_SEMAPHORE_A);
        uint64_t same_va;
        status = gpucmd_priv_nv_dma_place(h, e, dma, va - gpucmd_priv_nv_dma_va(h, e, dma),
                                          type == 1 ? 4 : 16, &same_va);
        if (status != GPUCMD_OK) {
            return status;
        }
    }
    if (gpucmd_priv_nv_copy_reduces(e, dw)) {
        status = gpucmd_priv_nv_store_reduced(
            h, va, reduction, (uint64_t)payload[1] << 32 | payload[0], wide, is_unsigned);
    } else if (type == 1) {
        status = gpucmd_priv_nv_store_words(h, va, payload, wide ? 2 : 1);
    } else {
        status = gpucmd_priv_nv_store_report(h, va, (uint64_t)payload[1] << 32 | payload[0]);
    }
    return status == GPUCMD_OK ? status : gpucmd_priv_nv_engine_stop_fault(h, status);
}

/* Execute LAUNCH_DMA of a copy engine: copy, then release the semaphore, then interrupt. If the
 * model cannot perform the copy or the release, pass the method to the callback instead. */
GPUCMD_NV_PRIV_NOINLINE static gpucmd_status gpucmd_priv_nv_copy_launch(
    const gpucmd_priv_nv_host *h, uint32_t subc, gpucmd_nv_engine *e, uint32_t dw)
{
    const uint32_t transfer = GPUCMD_FIELD_GET(NV_LAUNCH_TRANSFER, dw);
    gpucmd_priv_nv_job job;
    gpucmd_status status = GPUCMD_OK;
    if (transfer > 2 || (transfer != 0 && !gpucmd_priv_nv_copy_job(h, e, dw, &job)) ||
        !gpucmd_priv_nv_copy_releases(e, dw)) {
        return gpucmd_priv_nv_pass_method(h, subc, GPUCMD_NV_COPY_LAUNCH_DMA, dw);
    }
    if (transfer != 0) {
        status = gpucmd_priv_nv_job_run(h, e, &job);
    }
    status = status == GPUCMD_OK ? gpucmd_priv_nv_copy_semaphore(h, e, dw) : status;
    if (status == GPUCMD_OK && GPUCMD_FIELD_GET(NV_LAUNCH_INTERRUPT, dw) != 0) {
        gpucmd_priv_nv_interrupt(h, GPUCMD_NV_INTERRUPT_COPY,
                                 GPUCMD_FIELD_GET(NV_LAUNCH_INTERRUPT, dw));
    }
    return status;
}

/* ---- M2MF ---- */

/* Return register mthd as a signed 32-bit number. */
GPUCMD_INLINE int64_t gpucmd_priv_nv_reg_signed(const gpucmd_nv_engine *e, uint32_t mthd)
{
    const uint32_t v = gpucmd_nv_engine_reg(e, mthd);
    return (int64_t)v - (v >> 31 != 0 ? (int64_t)1 << 32 : 0);
}

/* Fill s as the tiled source (is_src) or destination of class 5039 or 9039 that begins at s->va. */
static void gpucmd_priv_nv_m2mf_tiled(const gpucmd_nv_engine *e, bool is_src,
                                      gpucmd_priv_nv_surface *s)
{
    const uint32_t base =
        is_src ? 0 : GPUCMD_NV_M2MF_DST_BLOCK_SIZE - GPUCMD_NV_M2MF_SRC_BLOCK_SIZE;
    const bool g80 = e->model == GPUCMD_NV_MODEL_M2MF_G80;
    const uint32_t block = gpucmd_nv_engine_reg(e, GPUCMD_NV_M2MF_SRC_BLOCK_SIZE + base);
    const uint32_t origin = gpucmd_nv_engine_reg(e, GPUCMD_NV_M2MF_SRC_ORIGIN + base);
    gpucmd_priv_nv_surface_tiled(s, gpucmd_nv_engine_reg(e, GPUCMD_NV_M2MF_SRC_WIDTH + base),
                                 gpucmd_nv_engine_reg(e, GPUCMD_NV_M2MF_SRC_WIDTH + 4 + base),
                                 block, g80 ? 2 : 3,
                                 gpucmd_nv_engine_reg(e, GPUCMD_NV_M2MF_SRC_LAYER + base));
    s->x_bytes = GPUCMD_FIELD_GET(NV_ORIGIN_X, origin);
    s->y = GPUCMD_FIELD_GET(NV_ORIGIN_Y, origin);
    if (!g80) {
        s->x_bytes = gpucmd_nv_engine_reg(e, is_src ? GPUCMD_NV_M2MF_SRC_ORIGIN_X
                                                    : GPUCMD_NV_M2MF_DST_ORIGIN_X);
        s->y = gpucmd_nv_engine_reg(e, is_src ? GPUCMD_NV_M2MF_SRC_ORIGIN_Y
                                              : GPUCMD_NV_M2MF_DST_ORIGIN_Y);
    }
}

/* Execute BUFFER_NOTIFY of class 0039 or 5039, which starts a copy. If dw is 1, raise an interrupt
 * after the copy. If FORMAT leaves gaps between bytes, pass the method to the callback. */
static gpucmd_status gpucmd_priv_nv_m2mf_old(const gpucmd_priv_nv_host *h, uint32_t subc,
                                             gpucmd_nv_engine *e, uint32_t dw)
{
    const bool g80 = e->model == GPUCMD_NV_MODEL_M2MF_G80;
    const uint32_t format = gpucmd_nv_engine_reg(e, GPUCMD_NV_M2MF_NV4_FORMAT);
    uint64_t in_va = gpucmd_priv_nv_dma_va(h, e, GPUCMD_NV_M2MF_DMA_BUFFER_IN);
    uint64_t out_va = gpucmd_priv_nv_dma_va(h, e, GPUCMD_NV_M2MF_DMA_BUFFER_OUT);
    gpucmd_priv_nv_job job;
    const bool good = GPUCMD_FIELD_GET(NV_M2MF_FORMAT_IN, format) == 1 &&
                      (g80 ? GPUCMD_FIELD_GET(NV_M2MF_FORMAT_OUT_5039, format)
                           : GPUCMD_FIELD_GET(NV_M2MF_FORMAT_OUT, format)) == 1;
    gpucmd_priv_zero(&job, sizeof job);
    in_va +=
        gpucmd_priv_nv_reg_pair(e, GPUCMD_NV_M2MF_G80_OFFSET_IN_UPPER, GPUCMD_NV_M2MF_NV4_OFFSET_IN,
                                GPUCMD_FIELD_MASK(NV_M2MF_UPPER));
    out_va +=
        gpucmd_priv_nv_reg_pair(e, GPUCMD_NV_M2MF_G80_OFFSET_OUT_UPPER,
                                GPUCMD_NV_M2MF_NV4_OFFSET_OUT, GPUCMD_FIELD_MASK(NV_M2MF_UPPER));
    gpucmd_priv_nv_surface_linear(&job.src, in_va,
                                  gpucmd_priv_nv_reg_signed(e, GPUCMD_NV_M2MF_PITCH_IN));
    gpucmd_priv_nv_surface_linear(&job.dst, out_va,
                                  gpucmd_priv_nv_reg_signed(e, GPUCMD_NV_M2MF_PITCH_OUT));
    if (g80 && (gpucmd_nv_engine_reg(e, GPUCMD_NV_M2MF_SRC_LAYOUT) & 1) == 0) {
        gpucmd_priv_nv_m2mf_tiled(e, true, &job.src);
    }
    if (g80 && (gpucmd_nv_engine_reg(e, GPUCMD_NV_M2MF_DST_LAYOUT) & 1) == 0) {
        gpucmd_priv_nv_m2mf_tiled(e, false, &job.dst);
    }
    gpucmd_priv_nv_dma_bound(h, e, GPUCMD_NV_M2MF_DMA_BUFFER_IN, &job.src);
    gpucmd_priv_nv_dma_bound(h, e, GPUCMD_NV_M2MF_DMA_BUFFER_OUT, &job.dst);
    job.len = gpucmd_nv_engine_reg(e, GPUCMD_NV_M2MF_LINE_LENGTH_IN);
    job.lines = gpucmd_nv_engine_reg(e, GPUCMD_NV_M2MF_LINE_COUNT);
    if (!good) {
        return gpucmd_priv_nv_pass_method(h, subc, GPUCMD_NV_M2MF_NV4_BUFFER_NOTIFY, dw);
    }
    const gpucmd_status status = gpucmd_priv_nv_job_run(h, e, &job);
    if (status == GPUCMD_OK && dw == 1) {
        gpucmd_priv_nv_interrupt(h, GPUCMD_NV_INTERRUPT_INLINE, 1);
    }
    return status;
}

/* ---- 2D: blits and inline images ---- */

GPUCMD_INLINE bool gpucmd_priv_nv_is_2d(const gpucmd_nv_engine *e)
{
    return e->model == GPUCMD_NV_MODEL_2D_G80 || e->model == GPUCMD_NV_MODEL_2D_GF100;
}

/* Return the pixel size of a format in bytes; 0: GPUCMD_NV_PIXEL_FORMATS lacks the format. */
static uint32_t gpucmd_priv_nv_pixel_bytes(uint32_t format)
{
    const gpucmd_priv_nv_pixels *const form = gpucmd_priv_nv_find_pixels(format);
    return form != NULL ? form->bytes : 0;
}

/* Write the source (is_src) or destination of a 2D engine: the surface to *s, width and height in
 * pixels to size, the pixel size to *unit_bytes. Return false if the pixel format has no row. */
static bool gpucmd_priv_nv_2d_side(const gpucmd_priv_nv_host *h, const gpucmd_nv_engine *e,
                                   bool is_src, gpucmd_priv_nv_surface *s, uint32_t size[2],
                                   uint32_t *unit_bytes)
{
    const uint32_t dma = is_src ? GPUCMD_NV_2D_DMA_SRC : GPUCMD_NV_2D_DMA_DST;
    const bool g80 = e->model == GPUCMD_NV_MODEL_2D_G80;
    const uint32_t base = is_src ? GPUCMD_NV_2D_SRC_FORMAT : GPUCMD_NV_2D_DST_FORMAT;
    const uint32_t mode = gpucmd_nv_engine_reg(e, base + 0x08);
    uint64_t va =
        gpucmd_priv_nv_reg_pair(e, base + 0x20, base + 0x24, GPUCMD_FIELD_MASK(NV_M2MF_UPPER));
    size[0] = gpucmd_nv_engine_reg(e, base + 0x18);
    size[1] = gpucmd_nv_engine_reg(e, base + 0x1c);
    *unit_bytes = gpucmd_priv_nv_pixel_bytes(gpucmd_nv_engine_reg(e, base));
    if (g80) {
        va += gpucmd_priv_nv_dma_va(h, e, dma);
    }
    if (GPUCMD_FIELD_GET(NV_2D_LINEAR, gpucmd_nv_engine_reg(e, base + 4)) != 0) {
        gpucmd_priv_nv_surface_linear(s, va, gpucmd_nv_engine_reg(e, base + 0x14));
    } else {
        s->va = va;
        gpucmd_priv_nv_surface_tiled(s, gpucmd_priv_mul(size[0], *unit_bytes), size[1], mode,
                                     g80 ? 2 : 3, gpucmd_nv_engine_reg(e, base + 0x10));
    }
    if (g80) {
        gpucmd_priv_nv_dma_bound(h, e, dma, s);
    }
    return *unit_bytes != 0;
}

/* Write the pixel conversion of a 2D blit to *c, whose members must be 0 before. Return false if
 * the model cannot perform the blit. Besides SRCCOPY, the model performs two operations:
 *   SRCCOPY_PREMULT  if each component of BETA4 is 0 or 255
 *   ROP              if all of these hold: the ROP is 0xca; both formats are equal and have
 *                    4 bytes; the pattern has one colour, A8R8G8B8. The bits of the colour
 *                    select source (1) or destination (0). */
static bool gpucmd_priv_nv_2d_convert(const gpucmd_nv_engine *e, gpucmd_priv_nv_convert *c)
{
    enum { OP_SRCCOPY = 3, OP_ROP, OP_SRCCOPY_PREMULT, A8R8G8B8 = 2, SELECT = 0xca, ALL_ONES = -1 };
    const uint32_t operation = gpucmd_nv_engine_reg(e, GPUCMD_NV_2D_OPERATION);
    const uint32_t beta = gpucmd_nv_engine_reg(e, GPUCMD_NV_2D_BETA4);
    const gpucmd_priv_nv_pixels *const from =
        gpucmd_priv_nv_find_pixels(gpucmd_nv_engine_reg(e, GPUCMD_NV_2D_SRC_FORMAT));
    uint32_t i;
    c->to = gpucmd_priv_nv_find_pixels(gpucmd_nv_engine_reg(e, GPUCMD_NV_2D_DST_FORMAT));
    if (from == NULL || c->to == NULL ||
        gpucmd_nv_engine_reg(e, GPUCMD_NV_2D_COLOR_KEY_ENABLE) != 0) {
        return false;
    }
    if (operation == OP_ROP) {
        c->from = from;
        c->mask = gpucmd_nv_engine_reg(e, GPUCMD_NV_2D_PATTERN_COLOR_1);
        return gpucmd_nv_engine_reg(e, GPUCMD_NV_2D_ROP) == SELECT && from == c->to &&
               from->bytes == 4 && gpucmd_nv_engine_reg(e, GPUCMD_NV_2D_PATTERN_SELECT) == 0 &&
               gpucmd_nv_engine_reg(e, GPUCMD_NV_2D_PATTERN_COLOR_FORMAT) == A8R8G8B8 &&
               gpucmd_nv_engine_reg(e, GPUCMD_NV_2D_PATTERN_BITMAP) == (uint32_t)ALL_ONES &&
               gpucmd_nv_engine_reg(e, GPUCMD_NV_2D_PATTERN_BITMAP + 4) == (uint32_t)ALL_ONES;
    }
    /* From bit 31 down, BETA4 has 8 bits for each of A, R, G and B. */
    for (i = 0; i < 4 && operation == OP_SRCCOPY_PREMULT; i++) {
        const uint32_t part = beta >> (i == 3 ? 24 : 16 - 8 * i) & 0xff;
        c->zero |= (uint32_t)(part == 0) << i;
        if (part != 0 && part != 0xff) {
            return false;
        }
    }
    c->from = from != c->to || c->zero != 0 ? from : NULL;
    return (operation == OP_SRCCOPY || operation == OP_SRCCOPY_PREMULT) &&
           (c->from == NULL ||
            (from->encoding < GPUCMD_PRIV_NV_SINT && c->to->encoding < GPUCMD_PRIV_NV_SINT));
}

/* Return true if [at, at + len) is inside [0, size), and size is at most 2^16. */
GPUCMD_INLINE bool gpucmd_priv_nv_is_inside(uint64_t at, uint64_t len, uint64_t size)
{
    return at + len <= size && size <= 0x10000;
}

/* Positions of a blit. Index 0 is x, index 1 is y. Members from, step are 32.32 fixed point. */
typedef struct gpucmd_priv_nv_blit {
    uint32_t at[2];  /* first destination pixel */
    uint32_t len[2]; /* width and height of the destination rectangle in pixels */
    int64_t from[2]; /* source position of the first destination pixel */
    int64_t step[2]; /* source distance of adjacent destination pixels */
} gpucmd_priv_nv_blit;

/* Reduce a blit to the destination pixels inside the clip rectangle of size len that starts at
 * (at[0], at[1]), in pixels. If no pixel is inside, set blit->len[0] or blit->len[1] to 0. */
static void gpucmd_priv_nv_blit_clip(gpucmd_priv_nv_blit *blit, const uint32_t at[2],
                                     const uint32_t len[2])
{
    unsigned i;
    for (i = 0; i < 2; i++) {
        const uint64_t end = (uint64_t)at[i] + len[i];
        const uint64_t last = (uint64_t)blit->at[i] + blit->len[i];
        const uint64_t first = at[i] > blit->at[i] ? at[i] : blit->at[i];
        const uint64_t stop = end < last ? end : last;
        if (stop <= first) {
            blit->len[i] = 0;
            continue;
        }
        blit->from[i] += (int64_t)gpucmd_priv_mul(first - blit->at[i], (uint64_t)blit->step[i]);
        blit->at[i] = (uint32_t)first;
        blit->len[i] = (uint32_t)(stop - first);
    }
}

/* Return true if the numbers of the blit are so small that no 32.32 position overflows. */
static bool gpucmd_priv_nv_blit_fits(const gpucmd_priv_nv_blit *blit)
{
    unsigned i;
    const int64_t most = (int64_t)0x4000 << 32;
    for (i = 0; i < 2; i++) {
        if (!gpucmd_priv_nv_is_inside(blit->at[i], blit->len[i], 0x10000) ||
            blit->step[i] < -most || blit->step[i] > most || blit->from[i] < -4 * most ||
            blit->from[i] > 4 * most) {
            return false;
        }
    }
    return true;
}

/* Fill *job from *blit. The caller must have set the surfaces and the conversion of *job.
 *   size        width and height of the source in pixels
 *   unit_bytes  destination pixel size in bytes
 *   filter      true: blend source pixels
 * If the blit has no pixels, return true without filling *job. Return false if the blit
 * reads outside the source, or if the model cannot filter the blit. */
static bool gpucmd_priv_nv_blit_job(const gpucmd_priv_nv_blit *blit, const uint32_t size[2],
                                    uint32_t unit_bytes, bool filter, gpucmd_priv_nv_job *job)
{
    unsigned i;
    const int64_t one = (int64_t)1 << 32;
    const int64_t centre = job->convert.corner && filter ? one / 2 : 0;
    const gpucmd_priv_nv_pixels *const to = job->convert.to;
    bool plain = job->convert.from == NULL;
    bool exact = true;
    if (blit->len[0] == 0 || blit->len[1] == 0) {
        return true;
    }
    for (i = 0; i < 2; i++) {
        const int64_t last =
            blit->from[i] + (int64_t)gpucmd_priv_mul(blit->len[i] - 1, (uint64_t)blit->step[i]);
        const bool whole = blit->step[i] == one;
        plain = plain && whole;
        exact = exact && whole && (uint32_t)(blit->from[i] - centre) == 0;
        job->convert.size[i] = size[i];
        if (blit->from[i] < 0 || last < 0 || (uint64_t)blit->from[i] >> 32 >= size[i] ||
            (uint64_t)last >> 32 >= size[i]) {
            return false;
        }
    }
    if (filter && !exact) {
        if (to == NULL || to->encoding >= GPUCMD_PRIV_NV_SINT || job->convert.mask != 0) {
            return false;
        }
        plain = false;
        job->convert.filter = true;
        job->convert.from = job->convert.from == NULL ? to : job->convert.from;
    }
    job->lines = blit->len[1];
    job->len = plain ? gpucmd_priv_mul(blit->len[0], unit_bytes) : blit->len[0];
    job->unit_bytes = plain ? 0 : unit_bytes;
    job->sampled = !plain;
    job->u = blit->from[0];
    job->v = blit->from[1];
    job->du = blit->step[0];
    job->dv = blit->step[1];
    gpucmd_priv_nv_surface_begin(&job->dst, blit->at[0] * unit_bytes, blit->at[1]);
    if (plain) {
        gpucmd_priv_nv_surface_begin(&job->src,
                                     (uint32_t)((uint64_t)blit->from[0] >> 32) * unit_bytes,
                                     (uint32_t)((uint64_t)blit->from[1] >> 32));
    }
    return true;
}

/* Return a signed 32.32 number. Register mthd is its fraction, register mthd + 4 its integer. */
static int64_t gpucmd_priv_nv_reg_fixed(const gpucmd_nv_engine *e, uint32_t mthd)
{
    return gpucmd_priv_nv_reg_signed(e, mthd + 4) * ((int64_t)1 << 32) +
           gpucmd_nv_engine_reg(e, mthd);
}

/* Execute BLIT_SRC_Y, which starts a blit. Without a filter, source positions are rounded down to
 * whole pixels (MODEL). If the model cannot perform the blit, pass the method to the callback. */
GPUCMD_NV_PRIV_NOINLINE static gpucmd_status gpucmd_priv_nv_2d_blit(const gpucmd_priv_nv_host *h,
                                                                    uint32_t subc,
                                                                    gpucmd_nv_engine *e,
                                                                    uint32_t dw)
{
    uint32_t i;
    const bool filter =
        GPUCMD_FIELD_GET(NV_2D_FILTER, gpucmd_nv_engine_reg(e, GPUCMD_NV_2D_BLIT_CONTROL)) != 0;
    gpucmd_priv_nv_blit blit;
    gpucmd_priv_nv_job job;
    uint32_t clip[4];
    uint32_t src_size[2];
    uint32_t dst_size[2];
    uint32_t src_bytes = 0, dst_bytes = 0;
    gpucmd_priv_zero(&job, sizeof job);
    for (i = 0; i < 2; i++) {
        blit.at[i] = gpucmd_nv_engine_reg(e, GPUCMD_NV_2D_BLIT_DST_X + 4 * i);
        blit.len[i] = gpucmd_nv_engine_reg(e, GPUCMD_NV_2D_BLIT_DST_X + 8 + 4 * i);
        blit.step[i] = gpucmd_priv_nv_reg_fixed(e, GPUCMD_NV_2D_BLIT_DU_DX + 8 * i);
        blit.from[i] = gpucmd_priv_nv_reg_fixed(e, GPUCMD_NV_2D_BLIT_SRC_X + 8 * i);
    }
    bool good = gpucmd_priv_nv_2d_side(h, e, true, &job.src, src_size, &src_bytes) &&
                gpucmd_priv_nv_2d_side(h, e, false, &job.dst, dst_size, &dst_bytes) &&
                gpucmd_priv_nv_2d_convert(e, &job.convert) && gpucmd_priv_nv_blit_fits(&blit);
    job.convert.corner =
        GPUCMD_FIELD_GET(NV_2D_ORIGIN, gpucmd_nv_engine_reg(e, GPUCMD_NV_2D_BLIT_CONTROL)) != 0;
    if (good && gpucmd_nv_engine_reg(e, GPUCMD_NV_2D_CLIP_ENABLE) != 0) {
        for (i = 0; i < 4; i++) {
            clip[i] = gpucmd_nv_engine_reg(e, GPUCMD_NV_2D_CLIP_X + 4 * i);
        }
        gpucmd_priv_nv_blit_clip(&blit, clip, clip + 2);
    }
    good = good && gpucmd_priv_nv_is_inside(blit.at[0], blit.len[0], dst_size[0]) &&
           gpucmd_priv_nv_is_inside(blit.at[1], blit.len[1], dst_size[1]) &&
           gpucmd_priv_nv_blit_job(&blit, src_size, dst_bytes, filter, &job);
    return good ? gpucmd_priv_nv_job_run(h, e, &job)
                : gpucmd_priv_nv_pass_method(h, subc, GPUCMD_NV_2D_BLIT_SRC_Y, dw);
}

/* Execute INLINE_DST_Y, which begins an inline image; INLINE_DATA then takes the pixels. If the
 * model cannot perform the operation, pass the method to the callback. */
static gpucmd_status gpucmd_priv_nv_2d_inline(const gpucmd_priv_nv_host *h, uint32_t subc,
                                              gpucmd_nv_engine *e, uint32_t dw)
{
    const int64_t one = (int64_t)1 << 32;
    const uint32_t x = gpucmd_nv_engine_reg(e, GPUCMD_NV_2D_INLINE_DST_X + 4);
    const uint32_t width = gpucmd_nv_engine_reg(e, GPUCMD_NV_2D_INLINE_WIDTH);
    const uint32_t height = gpucmd_nv_engine_reg(e, GPUCMD_NV_2D_INLINE_HEIGHT);
    gpucmd_priv_nv_surface s;
    uint32_t size[2];
    uint32_t unit_bytes = 0;
    const bool good = gpucmd_priv_nv_2d_side(h, e, false, &s, size, &unit_bytes) &&
                      gpucmd_nv_engine_reg(e, GPUCMD_NV_2D_OPERATION) == 3 && /* 3 is SRCCOPY */
                      gpucmd_nv_engine_reg(e, GPUCMD_NV_2D_COLOR_KEY_ENABLE) == 0 &&
                      gpucmd_nv_engine_reg(e, GPUCMD_NV_2D_CLIP_ENABLE) == 0 &&
                      gpucmd_nv_engine_reg(e, GPUCMD_NV_2D_INLINE_BITMAP) == 0 &&
                      gpucmd_nv_engine_reg(e, GPUCMD_NV_2D_INLINE_FORMAT) ==
                          gpucmd_nv_engine_reg(e, GPUCMD_NV_2D_DST_FORMAT) &&
                      gpucmd_priv_nv_reg_fixed(e, GPUCMD_NV_2D_INLINE_DU_DX) == one &&
                      gpucmd_priv_nv_reg_fixed(e, GPUCMD_NV_2D_INLINE_DU_DX + 8) == one &&
                      gpucmd_nv_engine_reg(e, GPUCMD_NV_2D_INLINE_DST_X) == 0 &&
                      gpucmd_nv_engine_reg(e, GPUCMD_NV_2D_INLINE_DST_Y - 4) == 0 &&
                      gpucmd_priv_nv_is_inside(x, width, size[0]) &&
                      gpucmd_priv_nv_is_inside(dw, height, size[1]);
    e->line = 0;
    e->at_bytes = 0;
    e->inlining = good && width != 0 && height != 0;
    return good ? GPUCMD_OK : gpucmd_priv_nv_pass_method(h, subc, GPUCMD_NV_2D_INLINE_DST_Y, dw);
}

/* ---- scaled images, NV30 and NV40 ---- */

/* Return the pixel size in bytes if a scaled image of image_format is copied unchanged to a
 * surface of surface_format, otherwise 0. */
static uint32_t gpucmd_priv_nv_image_bytes(uint32_t image_format, uint32_t surface_format)
{
#define GPUCMD_NV_PRIV_ROW(image, surface, bytes)                                                  \
    if (image_format == (image) && surface_format == (surface)) {                                  \
        return (bytes);                                                                            \
    }
    GPUCMD_NV_IMAGE_FORMATS(GPUCMD_NV_PRIV_ROW)
#undef GPUCMD_NV_PRIV_ROW
    return 0;
}

/* Search the subchannels for the destination of a scaled image: the object with the handle in
 * SCALED_SURFACE. Write the surface to *s, its width and height in pixels to size, and its pixel
 * size to *unit_bytes. Return false if the object is missing, or the model lacks its format. */
static bool gpucmd_priv_nv_scaled_dst(const gpucmd_priv_nv_host *h, const gpucmd_nv_engine *e,
                                      gpucmd_priv_nv_surface *s, uint32_t size[2],
                                      uint32_t *unit_bytes)
{
    uint32_t i;
    const uint32_t handle = gpucmd_nv_engine_reg(e, GPUCMD_NV_SCALED_SURFACE);
    const uint32_t image = gpucmd_nv_engine_reg(e, GPUCMD_NV_SCALED_FORMAT);
    for (i = 0; i < GPUCMD_NV_SUBCHANNELS; i++) {
        const gpucmd_nv_engine *at = &h->ch->engines[i];
        const uint32_t format = gpucmd_nv_engine_reg(at, GPUCMD_NV_SWIZZLED_FORMAT);
        if (at->handle != handle) {
            continue;
        }
        if (at->model == GPUCMD_NV_MODEL_SURFACE) {
            *unit_bytes = gpucmd_priv_nv_image_bytes(image, format);
            gpucmd_priv_nv_surface_linear(
                s,
                gpucmd_priv_nv_dma_va(h, at, GPUCMD_NV_SURFACE_DMA_DST) +
                    gpucmd_nv_engine_reg(at, GPUCMD_NV_SURFACE_OFFSET_DST),
                GPUCMD_FIELD_GET(NV_SURFACE_PITCH_DST,
                                 gpucmd_nv_engine_reg(at, GPUCMD_NV_SURFACE_PITCH)));
            gpucmd_priv_nv_dma_bound(h, at, GPUCMD_NV_SURFACE_DMA_DST, s);
            size[0] = 0x10000;
            size[1] = 0x10000;
            return *unit_bytes != 0;
        }
        if (at->model == GPUCMD_NV_MODEL_SWIZZLED) {
            const uint32_t width = GPUCMD_FIELD_GET(NV_SWIZZLED_WIDTH, format);
            const uint32_t height = GPUCMD_FIELD_GET(NV_SWIZZLED_HEIGHT, format);
            *unit_bytes =
                gpucmd_priv_nv_image_bytes(image, GPUCMD_FIELD_GET(NV_SWIZZLED_COLOR, format));
            if (width > 16 || height > 16 || *unit_bytes == 0) {
                return false;
            }
            gpucmd_priv_nv_surface_swizzled(s,
                                            gpucmd_priv_nv_dma_va(h, at, GPUCMD_NV_SWIZZLED_DMA) +
                                                gpucmd_nv_engine_reg(at, GPUCMD_NV_SWIZZLED_OFFSET),
                                            width, height, *unit_bytes);
            gpucmd_priv_nv_dma_bound(h, at, GPUCMD_NV_SWIZZLED_DMA, s);
            size[0] = (uint32_t)1 << width;
            size[1] = (uint32_t)1 << height;
            return true;
        }
    }
    return false;
}

/* Split register mthd: write x or width to pair[0], and y or height to pair[1] (16 bits each). */
static void gpucmd_priv_nv_scaled_pair(const gpucmd_nv_engine *e, uint32_t mthd, uint32_t pair[2])
{
    const uint32_t v = gpucmd_nv_engine_reg(e, mthd);
    pair[0] = GPUCMD_FIELD_GET(NV_SCALED_X, v);
    pair[1] = GPUCMD_FIELD_GET(NV_SCALED_Y, v);
}

/* Execute SCALED_POINT, which draws a scaled image. DU_DX and DV_DY are signed 12.20 fixed point,
 * the source point is 12.4. If the model cannot draw the image, pass the method to the callback. */
GPUCMD_NV_PRIV_NOINLINE static gpucmd_status gpucmd_priv_nv_scaled(const gpucmd_priv_nv_host *h,
                                                                   uint32_t subc,
                                                                   gpucmd_nv_engine *e, uint32_t dw)
{
    const uint32_t pitch = gpucmd_nv_engine_reg(e, GPUCMD_NV_SCALED_PITCH);
    gpucmd_priv_nv_blit blit;
    gpucmd_priv_nv_job job;
    uint32_t point[2];
    uint32_t clip[4];
    uint32_t src_size[2];
    uint32_t dst_size[2];
    uint32_t i, unit_bytes = 0;
    gpucmd_priv_zero(&job, sizeof job);
    gpucmd_priv_nv_scaled_pair(e, GPUCMD_NV_SCALED_OUT_POINT, blit.at);
    gpucmd_priv_nv_scaled_pair(e, GPUCMD_NV_SCALED_OUT_SIZE, blit.len);
    gpucmd_priv_nv_scaled_pair(e, GPUCMD_NV_SCALED_CLIP_POINT, clip);
    gpucmd_priv_nv_scaled_pair(e, GPUCMD_NV_SCALED_CLIP_SIZE, clip + 2);
    gpucmd_priv_nv_scaled_pair(e, GPUCMD_NV_SCALED_SIZE, src_size);
    gpucmd_priv_nv_scaled_pair(e, GPUCMD_NV_SCALED_POINT, point);
    for (i = 0; i < 2; i++) {
        blit.from[i] = (int64_t)point[i] << 28;
        blit.step[i] =
            gpucmd_priv_nv_reg_signed(e, GPUCMD_NV_SCALED_DU_DX + 4 * i) * ((int64_t)1 << 12);
    }
    gpucmd_priv_nv_surface_linear(&job.src,
                                  gpucmd_priv_nv_dma_va(h, e, GPUCMD_NV_SCALED_DMA) +
                                      gpucmd_nv_engine_reg(e, GPUCMD_NV_SCALED_OFFSET),
                                  GPUCMD_FIELD_GET(NV_SCALED_PITCH_IN, pitch));
    gpucmd_priv_nv_dma_bound(h, e, GPUCMD_NV_SCALED_DMA, &job.src);
    bool good = gpucmd_priv_nv_scaled_dst(h, e, &job.dst, dst_size, &unit_bytes) &&
                gpucmd_nv_engine_reg(e, GPUCMD_NV_SCALED_OPERATION) == 3 && /* 3 is SRCCOPY */
                gpucmd_priv_nv_blit_fits(&blit);
    if (good) {
        gpucmd_priv_nv_blit_clip(&blit, clip, clip + 2);
    }
    good = good && gpucmd_priv_nv_is_inside(blit.at[0], blit.len[0], dst_size[0]) &&
           gpucmd_priv_nv_is_inside(blit.at[1], blit.len[1], dst_size[1]) &&
           gpucmd_priv_nv_blit_job(&blit, src_size, unit_bytes,
                                   GPUCMD_FIELD_GET(NV_SCALED_FILTER, pitch) != 0, &job);
    return good ? gpucmd_priv_nv_job_run(h, e, &job)
                : gpucmd_priv_nv_pass_method(h, subc, GPUCMD_NV_SCALED_POINT, dw);
}

/* ---- inline data ---- */

/* Return the mask of valid bits in the upper word of an engine's semaphore or report address. */
GPUCMD_INLINE uint32_t gpucmd_priv_nv_report_upper(const gpucmd_priv_nv_host *h)
{
    return h->ch->chip >= GPUCMD_NV_CHIP_GH100 ? GPUCMD_FIELD_MASK(NV_REPORT_UPPER_CB97)
                                               : GPUCMD_FIELD_MASK(NV_REPORT_UPPER);
}

/* Return the mask of the valid bits in the upper word of an inline data address. */
GPUCMD_INLINE uint32_t gpucmd_priv_nv_inline_upper(const gpucmd_priv_nv_host *h)
{
    return h->ch->chip >= GPUCMD_NV_CHIP_GH100   ? GPUCMD_FIELD_MASK(NV_INLINE_UPPER_CBC0)
           : h->ch->chip >= GPUCMD_NV_CHIP_GP100 ? GPUCMD_FIELD_MASK(NV_INLINE_UPPER_C0C0)
                                                 : GPUCMD_FIELD_MASK(NV_INLINE_UPPER);
}

/* Write the destination of an upload to *s, for 2D classes, class 9039 and inline engines.
 * Return false if the pixel format of a 2D class has no row. */
static bool gpucmd_priv_nv_inline_dst(const gpucmd_priv_nv_host *h, const gpucmd_nv_engine *e,
                                      gpucmd_priv_nv_surface *s)
{
    uint64_t va;
    if (gpucmd_priv_nv_is_2d(e)) {
        uint32_t size[2];
        uint32_t unit_bytes = 0;
        const bool good = gpucmd_priv_nv_2d_side(h, e, false, s, size, &unit_bytes);
        gpucmd_priv_nv_surface_begin(
            s, gpucmd_nv_engine_reg(e, GPUCMD_NV_2D_INLINE_DST_X + 4) * unit_bytes,
            gpucmd_nv_engine_reg(e, GPUCMD_NV_2D_INLINE_DST_Y));
        return good;
    }
    if (e->model == GPUCMD_NV_MODEL_M2MF_GF100) {
        const uint32_t dw = gpucmd_nv_engine_reg(e, GPUCMD_NV_M2MF_LAUNCH_DMA);
        va = gpucmd_priv_nv_reg_pair(e, GPUCMD_NV_M2MF_OFFSET_OUT_UPPER, GPUCMD_NV_M2MF_OFFSET_OUT,
                                     GPUCMD_FIELD_MASK(NV_M2MF_UPPER));
        gpucmd_priv_nv_surface_linear(s, va,
                                      gpucmd_priv_nv_reg_signed(e, GPUCMD_NV_M2MF_PITCH_OUT));
        if (GPUCMD_FIELD_GET(NV_M2MF_DST_PITCH, dw) == 0) {
            gpucmd_priv_nv_m2mf_tiled(e, false, s);
        }
        return true;
    }
    va = gpucmd_priv_nv_reg_pair(e, GPUCMD_NV_INLINE_OFFSET_OUT_UPPER, GPUCMD_NV_INLINE_OFFSET_OUT,
                                 gpucmd_priv_nv_inline_upper(h));
    gpucmd_priv_nv_surface_linear(s, va, gpucmd_nv_engine_reg(e, GPUCMD_NV_INLINE_PITCH_OUT));
    if (GPUCMD_FIELD_GET(NV_INLINE_DST_PITCH,
                         gpucmd_nv_engine_reg(e, GPUCMD_NV_INLINE_LAUNCH_DMA)) != 0) {
        return true;
    }
    s->va = va;
    gpucmd_priv_nv_surface_tiled(s, gpucmd_nv_engine_reg(e, GPUCMD_NV_INLINE_SET_DST_WIDTH),
                                 gpucmd_nv_engine_reg(e, GPUCMD_NV_INLINE_SET_DST_WIDTH + 4),
                                 gpucmd_nv_engine_reg(e, GPUCMD_NV_INLINE_SET_DST_BLOCK_SIZE), 3,
                                 gpucmd_nv_engine_reg(e, GPUCMD_NV_INLINE_SET_DST_LAYER));
    s->x_bytes = gpucmd_nv_engine_reg(e, GPUCMD_NV_INLINE_SET_DST_ORIGIN_X);
    s->y = gpucmd_nv_engine_reg(e, GPUCMD_NV_INLINE_SET_DST_ORIGIN_Y);
    return true;
}

/* End an upload. Except for 2D, release the semaphore and raise the interrupt of LAUNCH_DMA. */
static gpucmd_status gpucmd_priv_nv_inline_end(const gpucmd_priv_nv_host *h, gpucmd_nv_engine *e)
{
    const bool m2mf = e->model == GPUCMD_NV_MODEL_M2MF_GF100;
    const uint32_t dw =
        gpucmd_nv_engine_reg(e, m2mf ? GPUCMD_NV_M2MF_LAUNCH_DMA : GPUCMD_NV_INLINE_LAUNCH_DMA);
    const uint32_t completion = m2mf ? GPUCMD_FIELD_GET(NV_M2MF_COMPLETION, dw)
                                     : GPUCMD_FIELD_GET(NV_INLINE_COMPLETION, dw);
    const uint32_t interrupt =
        m2mf ? GPUCMD_FIELD_GET(NV_M2MF_INTERRUPT, dw) : GPUCMD_FIELD_GET(NV_INLINE_INTERRUPT, dw);
    const bool one_word = (m2mf ? GPUCMD_FIELD_GET(NV_M2MF_STRUCT_SIZE, dw)
                                : GPUCMD_FIELD_GET(NV_INLINE_STRUCT_SIZE, dw)) != 0;
    const uint32_t at = m2mf ? GPUCMD_NV_M2MF_SET_SEMAPHORE_A : GPUCMD_NV_INLINE_SET_SEMAPHORE_A;
    gpucmd_status status = GPUCMD_OK;
    if (gpucmd_priv_nv_is_2d(e)) {
        e->inlining = false;
        return status;
    }
    if (completion == 2) {
        status = gpucmd_priv_nv_engine_release(
            h, gpucmd_priv_nv_reg_pair(e, at, at + 4, gpucmd_priv_nv_report_upper(h)),
            gpucmd_nv_engine_reg(e, at + 8), one_word);
    }
    if (status == GPUCMD_OK) {
        e->inlining = false;
        if (interrupt != 0) {
            gpucmd_priv_nv_interrupt(h, GPUCMD_NV_INTERRUPT_INLINE, interrupt);
        }
    }
    return status;
}

/* Return the number of lines of an upload. */
GPUCMD_INLINE uint32_t gpucmd_priv_nv_inline_lines(const gpucmd_nv_engine *e)
{
    return gpucmd_nv_engine_reg(e, gpucmd_priv_nv_is_2d(e) ? (uint32_t)GPUCMD_NV_2D_INLINE_HEIGHT
                                   : e->model == GPUCMD_NV_MODEL_M2MF_GF100
                                       ? (uint32_t)GPUCMD_NV_M2MF_LINE_COUNT
                                       : (uint32_t)GPUCMD_NV_INLINE_LINE_COUNT);
}

/* Return the length of a line of an upload in bytes. */
GPUCMD_INLINE uint32_t gpucmd_priv_nv_inline_length(const gpucmd_nv_engine *e)
{
    if (gpucmd_priv_nv_is_2d(e)) {
        return gpucmd_nv_engine_reg(e, GPUCMD_NV_2D_INLINE_WIDTH) *
               gpucmd_priv_nv_pixel_bytes(gpucmd_nv_engine_reg(e, GPUCMD_NV_2D_DST_FORMAT));
    }
    return gpucmd_nv_engine_reg(e, e->model == GPUCMD_NV_MODEL_M2MF_GF100
                                       ? GPUCMD_NV_M2MF_LINE_LENGTH_IN
                                       : GPUCMD_NV_INLINE_LINE_LENGTH_IN);
}

/* Execute LAUNCH_DMA of class 9039 or an inline engine, which begins an upload. For class 9039,
 * LAUNCH_DMA without SRC_INLINE performs a copy instead. Reductions are passed to the callback. */
static gpucmd_status gpucmd_priv_nv_inline_launch(const gpucmd_priv_nv_host *h, uint32_t subc,
                                                  gpucmd_nv_engine *e, uint32_t dw)
{
    const bool m2mf = e->model == GPUCMD_NV_MODEL_M2MF_GF100;
    const uint32_t mthd = m2mf ? GPUCMD_NV_M2MF_LAUNCH_DMA : GPUCMD_NV_INLINE_LAUNCH_DMA;
    gpucmd_priv_nv_job job;
    gpucmd_priv_zero(&job, sizeof job);
    const bool good = gpucmd_priv_nv_inline_dst(h, e, &job.dst);
    if (!good || (!m2mf && GPUCMD_FIELD_GET(NV_INLINE_REDUCTION, dw) != 0)) {
        return gpucmd_priv_nv_pass_method(h, subc, mthd, dw);
    }
    if (!m2mf || GPUCMD_FIELD_GET(NV_M2MF_SRC_INLINE, dw) != 0) {
        e->line = 0;
        e->at_bytes = 0;
        e->inlining = gpucmd_priv_nv_inline_lines(e) != 0 && gpucmd_priv_nv_inline_length(e) != 0;
        return e->inlining ? GPUCMD_OK : gpucmd_priv_nv_inline_end(h, e);
    }
    const uint64_t in_va =
        gpucmd_priv_nv_reg_pair(e, GPUCMD_NV_M2MF_OFFSET_IN_UPPER, GPUCMD_NV_M2MF_OFFSET_IN,
                                GPUCMD_FIELD_MASK(NV_M2MF_UPPER));
    gpucmd_priv_nv_surface_linear(&job.src, in_va,
                                  gpucmd_priv_nv_reg_signed(e, GPUCMD_NV_M2MF_PITCH_IN));
    if (GPUCMD_FIELD_GET(NV_M2MF_SRC_PITCH, dw) == 0) {
        gpucmd_priv_nv_m2mf_tiled(e, true, &job.src);
    }
    job.len = gpucmd_priv_nv_inline_length(e);
    job.lines = gpucmd_priv_nv_inline_lines(e);
    const gpucmd_status status = gpucmd_priv_nv_job_run(h, e, &job);
    return status == GPUCMD_OK ? gpucmd_priv_nv_inline_end(h, e) : status;
}

/* Write len_bytes bytes of data, as little-endian words, to byte e->at_bytes of line e->line of an
 * upload. If the channel executes ahead (h->seek), only record the write. */
static gpucmd_status gpucmd_priv_nv_inline_store(const gpucmd_priv_nv_host *h,
                                                 const gpucmd_priv_nv_surface *s,
                                                 const gpucmd_nv_engine *e, const uint32_t *data,
                                                 uint32_t len_bytes)
{
    uint8_t piece[4 * GPUCMD_PRIV_NV_PIECE_DW];
    uint32_t done = 0;
    uint64_t run;
    gpucmd_status status = GPUCMD_OK;
    while (h->seek != NULL && done < len_bytes) {
        const uint64_t va = gpucmd_priv_nv_line_va(s, (uint64_t)e->at_bytes + done, e->line,
                                                   len_bytes - done, &run);
        if (run == 0) {
            return GPUCMD_OK;
        }
        gpucmd_priv_nv_seek_write(h->seek, va, run, s->tiled ? NULL : data, GPUCMD_LITTLE_ENDIAN);
        done += (uint32_t)run;
    }
    if (h->seek != NULL) {
        return GPUCMD_OK;
    }
    h->card->effects++;
    if (!s->tiled && !s->bounded && gpucmd_cpu_endian() == GPUCMD_LITTLE_ENDIAN) {
        const uint64_t va = gpucmd_priv_nv_surface_va(s, e->at_bytes, e->line, &run);
        uint8_t *host = NULL;
        status = gpucmd_mem_probe(h->card->mem, va, len_bytes, GPUCMD_ACCESS_WRITE);
        if (status == GPUCMD_OK &&
            gpucmd_mem_span(h->card->mem, va, len_bytes, GPUCMD_ACCESS_WRITE, &host, &run) ==
                GPUCMD_OK &&
            run == len_bytes) { /* memmove, because the destination may overlap data */
            gpucmd_priv_nv_trace_write(h, va, len_bytes);
            gpucmd_priv_move(host, (const uint8_t *)data, len_bytes);
            return GPUCMD_OK;
        }
    }
    while (done < len_bytes && status == GPUCMD_OK) {
        const uint32_t left = len_bytes - done;
        const uint32_t n = left < sizeof piece ? left : (uint32_t)sizeof piece;
        gpucmd_store_words(piece, data + done / 4, (n + 3) / 4, GPUCMD_LITTLE_ENDIAN);
        status = gpucmd_priv_nv_line_write(h, s, (uint64_t)e->at_bytes + done, e->line, piece, n);
        done += n;
    }
    return status;
}

/* Execute *n_dw words of inline data. On failure write the number of executed words to *n_dw.
 * Each line begins with a new word (MODEL). Words after the last line are ignored. If the line
 * length falls to at_bytes or below, the next word ends the line and is not stored (MODEL). */
GPUCMD_NV_PRIV_NOINLINE static gpucmd_status gpucmd_priv_nv_inline_data(
    const gpucmd_priv_nv_host *h, gpucmd_nv_engine *e, const uint32_t *data, uint32_t *n_dw)
{
    const uint32_t length = gpucmd_priv_nv_inline_length(e);
    const uint32_t lines = gpucmd_priv_nv_inline_lines(e);
    gpucmd_priv_nv_surface s;
    uint32_t done = 0;
    gpucmd_status status = GPUCMD_OK;
    (void)gpucmd_priv_nv_inline_dst(h, e, &s);
    while (e->inlining && done < *n_dw) {
        const uint64_t room = 4 * (uint64_t)(*n_dw - done);
        const uint32_t left = length > e->at_bytes ? length - e->at_bytes : 0;
        const uint32_t n = left < room ? left : (uint32_t)room;
        const bool ends = n == left;
        status = gpucmd_priv_nv_inline_store(h, &s, e, data + done, n);
        if (status != GPUCMD_OK) {
            status = gpucmd_priv_nv_engine_stop_fault(h, status);
            break;
        }
        if (ends && e->line + 1 >= lines) { /* if inline_end fails, the last word is retried */
            status = gpucmd_priv_nv_inline_end(h, e);
            if (status != GPUCMD_OK) {
                const uint32_t whole = n == 0 ? 0 : (n - 1) / 4;
                e->at_bytes += 4 * whole;
                done += whole;
                break;
            }
        }
        done += n == 0 ? 1 : (n + 3) / 4;
        e->at_bytes = ends ? 0 : e->at_bytes + n;
        e->line += ends;
    }
    *n_dw = status == GPUCMD_OK ? *n_dw : done;
    return status;
}

/* ---- 3D classes: fences, reports, clears ---- */

/* Convert a 32-bit float, given by its bits, to an integer: clamp the value to 0..1, multiply it by
 * `highest` (at most 24 bits), and round halves up. NaN becomes 0. */
static uint32_t gpucmd_priv_nv_unorm_of_float(uint32_t bits, uint32_t highest)
{
    const uint32_t exponent = bits >> 23 & 0xff;
    const uint32_t mantissa = (bits & 0x7fffff) | 0x800000;
    const uint32_t shift = 127 + 23 - exponent; /* value = mantissa / 2^shift */
    if (bits >> 31 != 0 || exponent < 100) {
        return 0;
    }
    if (exponent >= 127) {
        return exponent == 0xff && (bits & 0x7fffff) != 0 ? 0 : highest; /* 0 for NaN */
    }
    return (uint32_t)gpucmd_priv_shr(
        gpucmd_priv_mul(mantissa, highest) + gpucmd_priv_shl(1, shift - 1), shift);
}

/* Convert the clear colour to a pixel of a render target format, and write the members fill,
 * writes and unit_bytes of job. If bit i of mask is set, component i of RGBA is written. Integers
 * and 32-bit floats are not converted. Return false if the format has no row, or if mask excludes
 * a component that does not fill whole bytes. */
static bool gpucmd_priv_nv_clear_pixel(const gpucmd_nv_engine *e, uint32_t format, uint32_t mask,
                                       gpucmd_priv_nv_job *job)
{
    const gpucmd_priv_nv_pixels *const form = gpucmd_priv_nv_find_pixels(format);
    uint32_t words[4] = {0, 0, 0, 0};
    uint32_t i, k;
    if (form == NULL) {
        return false;
    }
    for (i = 0; i < 4; i++) {
        const uint32_t at = form->at[i];
        const uint32_t bits = form->bits[i];
        uint32_t v = gpucmd_nv_engine_reg(e, GPUCMD_NV_3D_CLEAR_COLOR + 4 * i);
        gpucmd_priv_nv_number n;
        if (bits == 0) {
            continue;
        }
        if (bits != 32 && form->encoding < GPUCMD_PRIV_NV_SINT) {
            gpucmd_priv_nv_read_number(v, 32, GPUCMD_PRIV_NV_FLOAT, &n);
            v = gpucmd_priv_nv_component_of(&n, bits, gpucmd_priv_nv_encoding_of(form, i));
        }
        words[at / 32] |= (v & 0xffffffffu >> (32 - bits)) << at % 32;
        if (bits % 8 != 0 && (mask >> i & 1) == 0) {
            return false;
        }
        for (k = at / 8; k <= (at + bits - 1) / 8; k++) {
            job->writes |= (mask >> i & 1) << k;
        }
    }
    gpucmd_store_words(job->fill, words, 4, GPUCMD_LITTLE_ENDIAN);
    job->unit_bytes = form->bytes;
    return true;
}

/* Target of a clear on G80 and later: one of eight colour targets, or depth and stencil. */
typedef struct gpucmd_priv_nv_target {
    uint64_t va;
    uint32_t format;
    uint32_t mode;    /* register value with the block sizes of a tiled target */
    uint32_t size[2]; /* width and height in pixels; if linear, target_layer sets the width */
    uint32_t pitch;   /* bytes per line of a linear target; 0: tiled */
    uint32_t array;   /* register value with the fields RT_LAYERS and RT_VOLUME */
    uint32_t stride;  /* distance between layers in words */
    uint32_t first;   /* first layer, to which CLEAR_BUFFERS adds its layer number */
    uint32_t dma;     /* G80 until GF100: register with the handle of the target's DMA object */
} gpucmd_priv_nv_target;

/* Fill *t from the registers of colour target idx (0..7). */
static void gpucmd_priv_nv_target_color(const gpucmd_nv_engine *e, uint32_t idx,
                                        gpucmd_priv_nv_target *t)
{
    const bool g80 = e->model == GPUCMD_NV_MODEL_3D_G80;
    const uint32_t base =
        g80 ? GPUCMD_NV_3D_RT_G80 + 0x20 * idx : GPUCMD_NV_3D_RT_GF100 + 0x40 * idx;
    const uint32_t horiz =
        gpucmd_nv_engine_reg(e, g80 ? GPUCMD_NV_3D_RT_HORIZ_G80 + 8 * idx : base + 8);
    const uint32_t vert =
        gpucmd_nv_engine_reg(e, g80 ? GPUCMD_NV_3D_RT_VERT_G80 + 8 * idx : base + 12);
    t->va = gpucmd_priv_nv_reg_pair(e, base, base + 4, GPUCMD_FIELD_MASK(NV_M2MF_UPPER));
    t->format = gpucmd_nv_engine_reg(e, g80 ? base + 8 : base + 16);
    t->mode = gpucmd_nv_engine_reg(e, g80 ? base + 12 : base + 20);
    t->array = gpucmd_nv_engine_reg(e, g80 ? (uint32_t)GPUCMD_NV_3D_RT_ARRAY_MODE_G80 : base + 24);
    t->stride = gpucmd_nv_engine_reg(e, g80 ? base + 16 : base + 28);
    t->first = g80 ? 0 : gpucmd_nv_engine_reg(e, base + 32);
    t->dma = GPUCMD_NV_3D_DMA_COLOR + 4 * idx;
    const bool linear = g80 ? GPUCMD_FIELD_GET(NV_RT_G80_LINEAR, horiz) != 0
                            : GPUCMD_FIELD_GET(NV_RT_GF100_LINEAR, t->mode) != 0;
    t->pitch = linear ? horiz & GPUCMD_FIELD_MASK(NV_RT_LINEAR_PITCH) : 0;
    t->size[0] = horiz & GPUCMD_FIELD_MASK(NV_RT_START);
    t->size[1] = vert & GPUCMD_FIELD_MASK(NV_RT_START);
}

/* Fill *t from the registers of the depth and stencil target. */
static void gpucmd_priv_nv_target_zeta(const gpucmd_nv_engine *e, gpucmd_priv_nv_target *t)
{
    const uint32_t base = GPUCMD_NV_3D_ZETA;
    t->va = gpucmd_priv_nv_reg_pair(e, base, base + 4, GPUCMD_FIELD_MASK(NV_M2MF_UPPER));
    t->format = gpucmd_nv_engine_reg(e, base + 8);
    t->mode = gpucmd_nv_engine_reg(e, base + 12);
    t->stride = gpucmd_nv_engine_reg(e, base + 16);
    t->pitch = 0;
    t->size[0] = gpucmd_nv_engine_reg(e, GPUCMD_NV_3D_ZETA_HORIZ) & GPUCMD_FIELD_MASK(NV_RT_START);
    t->size[1] = gpucmd_nv_engine_reg(e, GPUCMD_NV_3D_ZETA_VERT) & GPUCMD_FIELD_MASK(NV_RT_START);
    t->array = gpucmd_nv_engine_reg(e, GPUCMD_NV_3D_ZETA_ARRAY_MODE);
    t->first = gpucmd_nv_engine_reg(e, GPUCMD_NV_3D_ZETA_BASE_LAYER);
    t->dma = GPUCMD_NV_3D_DMA_ZETA;
}

/* Write the surface of one layer of a target to *s. layer: number in CLEAR_BUFFERS. Return
 * false if the layer does not exist, or if the target is a linear volume. */
static bool gpucmd_priv_nv_target_layer(const gpucmd_nv_engine *e, gpucmd_priv_nv_target *t,
                                        uint32_t layer, uint32_t unit_bytes,
                                        gpucmd_priv_nv_surface *s)
{
    const bool volume = GPUCMD_FIELD_GET(NV_RT_VOLUME, t->array) != 0;
    const uint64_t at = (uint64_t)t->first + layer;
    const uint64_t off_bytes = gpucmd_priv_mul(at, t->stride) * 4;
    if (at != 0 && at >= GPUCMD_FIELD_GET(NV_RT_LAYERS, t->array)) {
        return false;
    }
    if (t->pitch != 0) {
        gpucmd_priv_nv_surface_linear(s, t->va + off_bytes, t->pitch);
        t->size[0] = gpucmd_priv_div(t->pitch, unit_bytes);
        return !volume;
    }
    s->va = t->va + (volume ? 0 : off_bytes);
    gpucmd_priv_nv_surface_tiled(s, gpucmd_priv_mul(t->size[0], unit_bytes), t->size[1], t->mode,
                                 e->model == GPUCMD_NV_MODEL_3D_G80 ? 2 : 3,
                                 volume ? (uint32_t)at : 0);
    return true;
}

/* Write the clear values of depth and stencil, as a pixel of format, to job->fill, writes and
 * unit_bytes. part is the data of CLEAR_BUFFERS. Return false if the depth format has no row. */
static bool gpucmd_priv_nv_zeta_pixel(const gpucmd_nv_engine *e, uint32_t format, uint32_t part,
                                      gpucmd_priv_nv_job *job)
{
    uint32_t z = gpucmd_nv_engine_reg(e, GPUCMD_NV_3D_CLEAR_DEPTH);
    uint32_t i, z_at = 0, z_bits = 0, s_at = 8;
    switch (format) {
#define GPUCMD_NV_PRIV_ROW(value, bytes, depth, bits, stencil, src)                                \
    case value:                                                                                    \
        job->unit_bytes = (bytes);                                                                 \
        z_at = (depth);                                                                            \
        z_bits = (bits);                                                                           \
        s_at = (stencil);                                                                          \
        break;
        GPUCMD_NV_ZETA_FORMATS(GPUCMD_NV_PRIV_ROW)
#undef GPUCMD_NV_PRIV_ROW
    default: return false;
    }
    z = z_bits == 32 ? z : gpucmd_priv_nv_unorm_of_float(z, ((uint32_t)1 << z_bits) - 1);
    for (i = 0; i < z_bits / 8 && GPUCMD_FIELD_GET(NV_CLEAR_DEPTH, part) != 0; i++) {
        job->fill[z_at + i] = (uint8_t)(z >> (8 * i));
        job->writes |= (uint32_t)1 << (z_at + i);
    }
    if (s_at != 8 && GPUCMD_FIELD_GET(NV_CLEAR_STENCIL, part) != 0) {
        job->fill[s_at] = (uint8_t)gpucmd_nv_engine_reg(e, GPUCMD_NV_3D_CLEAR_STENCIL);
        job->writes |= (uint32_t)1 << s_at;
    }
    return true;
}

/* Reduce `size`, the width or height of a target, to the part inside a scissor register's range.
 * Return the length of the part, and write its first position to *start; all in pixels. */
static uint32_t gpucmd_priv_nv_scissor_side(uint32_t scissor, uint32_t size, uint32_t *start)
{
    const uint32_t from = GPUCMD_FIELD_GET(NV_RT_START, scissor);
    const uint32_t want = GPUCMD_FIELD_GET(NV_RT_SIZE, scissor);
    *start = from < size ? from : size;
    return want < size - *start ? want : size - *start;
}

/* Fill the pixels of job->dst inside the scissor with job->fill; size: target size in pixels. */
static gpucmd_status gpucmd_priv_nv_clear_rect(const gpucmd_priv_nv_host *h, gpucmd_nv_engine *e,
                                               const uint32_t size[2], gpucmd_priv_nv_job *job)
{
    const uint32_t at = e->model == GPUCMD_NV_MODEL_3D_NV30 ? GPUCMD_NV_3D_NV30_SCISSOR_HORIZ
                                                            : GPUCMD_NV_3D_SCISSOR_HORIZ;
    uint32_t x, y;
    job->len = gpucmd_priv_nv_scissor_side(gpucmd_nv_engine_reg(e, at), size[0], &x);
    job->lines = gpucmd_priv_nv_scissor_side(gpucmd_nv_engine_reg(e, at + 4), size[1], &y);
    gpucmd_priv_nv_surface_begin(&job->dst, job->unit_bytes * x, y);
    return gpucmd_priv_nv_job_run(h, e, job);
}

/* On G80 and later, clear the layer of target *t that dw, the data of CLEAR_BUFFERS, selects. If
 * the model cannot write the layer, pass the method to the callback. */
static gpucmd_status gpucmd_priv_nv_clear_target(const gpucmd_priv_nv_host *h, uint32_t subc,
                                                 gpucmd_nv_engine *e, gpucmd_priv_nv_target *t,
                                                 uint32_t dw, gpucmd_priv_nv_job *job)
{
    const uint32_t layer = e->model == GPUCMD_NV_MODEL_3D_G80
                               ? GPUCMD_FIELD_GET(NV_CLEAR_LAYER_G80, dw)
                               : GPUCMD_FIELD_GET(NV_CLEAR_LAYER, dw);
    if (!gpucmd_priv_nv_target_layer(e, t, layer, job->unit_bytes, &job->dst)) {
        return gpucmd_priv_nv_pass_method(h, subc, GPUCMD_NV_3D_CLEAR_BUFFERS, dw);
    }
    if (e->model == GPUCMD_NV_MODEL_3D_G80) {
        job->dst.va += gpucmd_priv_nv_dma_va(h, e, t->dma);
        gpucmd_priv_nv_dma_bound(h, e, t->dma, &job->dst);
    }
    return gpucmd_priv_nv_clear_rect(h, e, t->size, job);
}

/* On G80 and later, if ZETA_ENABLE is 1, clear depth and stencil as dw (CLEAR_BUFFERS) requests. */
static gpucmd_status gpucmd_priv_nv_clear_zeta(const gpucmd_priv_nv_host *h, uint32_t subc,
                                               gpucmd_nv_engine *e, uint32_t dw)
{
    const uint32_t part = dw & GPUCMD_FIELD_MASK(NV_CLEAR_DEPTH_STENCIL);
    gpucmd_priv_nv_target t;
    gpucmd_priv_nv_job job;
    if (part == 0 || (gpucmd_nv_engine_reg(e, GPUCMD_NV_3D_ZETA_ENABLE) & 1) == 0) {
        return GPUCMD_OK;
    }
    gpucmd_priv_zero(&job, sizeof job);
    gpucmd_priv_nv_target_zeta(e, &t);
    if (!gpucmd_priv_nv_zeta_pixel(e, t.format, part, &job)) {
        return gpucmd_priv_nv_pass_method(h, subc, GPUCMD_NV_3D_CLEAR_BUFFERS, part);
    }
    return gpucmd_priv_nv_clear_target(h, subc, e, &t, dw, &job);
}

/* On G80 and later, clear a colour target as dw, the data of CLEAR_BUFFERS, requests. If the model
 * lacks the target or its format, pass the method to the callback. */
static gpucmd_status gpucmd_priv_nv_clear_color(const gpucmd_priv_nv_host *h, uint32_t subc,
                                                gpucmd_nv_engine *e, uint32_t dw)
{
    const uint32_t mask = GPUCMD_FIELD_GET(NV_CLEAR_COLOR_RGBA, dw);
    gpucmd_priv_nv_target t;
    gpucmd_priv_nv_job job;
    if (mask == 0) {
        return GPUCMD_OK;
    }
    gpucmd_priv_zero(&job, sizeof job);
    gpucmd_priv_nv_target_color(e, GPUCMD_FIELD_GET(NV_CLEAR_TARGET, dw) % 8, &t);
    if (GPUCMD_FIELD_GET(NV_CLEAR_TARGET, dw) > 7 ||
        !gpucmd_priv_nv_clear_pixel(e, t.format, mask, &job)) {
        return gpucmd_priv_nv_pass_method(h, subc, GPUCMD_NV_3D_CLEAR_BUFFERS, dw);
    }
    return gpucmd_priv_nv_clear_target(h, subc, e, &t, dw, &job);
}

/* For 3D classes of G80 until GF100, convert *va from an offset in the DMA object of reports to an
 * address. If the object lacks len_bytes bytes there, stop and return GPUCMD_BLOCKED. */
static gpucmd_status gpucmd_priv_nv_query_place(const gpucmd_priv_nv_host *h,
                                                const gpucmd_nv_engine *e, uint32_t len_bytes,
                                                uint64_t *va)
{
    return e->model == GPUCMD_NV_MODEL_3D_G80
               ? gpucmd_priv_nv_dma_place(h, e, GPUCMD_NV_3D_DMA_QUERY, *va, len_bytes, va)
               : GPUCMD_OK;
}

/* Test the draw condition of a 3D class of G80 and later, and write the result to *draws. The
 * condition tests the value of one report, or compares sequence and value of two reports that
 * are 16 bytes apart. If the mode is unknown, *draws is true. [RNNDB] g80_cond_mode */
static gpucmd_status gpucmd_priv_nv_condition(const gpucmd_priv_nv_host *h,
                                              const gpucmd_nv_engine *e, bool *draws)
{
    enum { IF_NEVER, IF_ALWAYS, IF_NON_ZERO, IF_SAME, IF_NOT_SAME };
    const uint32_t mode = gpucmd_nv_engine_reg(e, GPUCMD_NV_3D_COND_MODE);
    uint64_t va = gpucmd_priv_nv_reg_pair(e, GPUCMD_NV_3D_COND_UPPER, GPUCMD_NV_3D_COND_LOWER,
                                          GPUCMD_FIELD_MASK(NV_M2MF_UPPER));
    uint64_t a = 0, b = 0;
    gpucmd_status status = GPUCMD_OK;
    *draws = mode != IF_NEVER;
    if (mode >= IF_NON_ZERO && mode <= IF_NOT_SAME) {
        status = gpucmd_priv_nv_query_place(h, e, mode == IF_NON_ZERO ? 16 : 32, &va);
        if (status != GPUCMD_OK) {
            return status;
        }
    }
    if (mode == IF_NON_ZERO) {
        status = gpucmd_priv_nv_load_value(h, va + 4, false, &a);
        *draws = a != 0;
    } else if (mode == IF_SAME || mode == IF_NOT_SAME) {
        status = gpucmd_priv_nv_load_value(h, va, true, &a);
        if (status == GPUCMD_OK) {
            status = gpucmd_priv_nv_load_value(h, va + 16, true, &b);
        }
        *draws = (a == b) == (mode == IF_SAME);
    }
    return status == GPUCMD_OK ? status : gpucmd_priv_nv_engine_stop_fault(h, status);
}

/* Call card->counter, if not NULL, to set words to the value of a report. Parameter get is the data
 * of the report method. Do nothing if the channel executes ahead (h->seek). */
static void gpucmd_priv_nv_report_counter(const gpucmd_priv_nv_host *h, uint32_t get,
                                          uint32_t words[2])
{
    if (h->card->counter != NULL && h->seek == NULL) {
        h->card->counter(h->card->counter_user, h->ch->id, get, words);
    }
}

/* Execute REPORT_GET of G80 and later, which writes the payload (a fence) or a counter: one word,
 * or 16 bytes that also contain the time. Pass other operations to the callback. */
static gpucmd_status gpucmd_priv_nv_report(const gpucmd_priv_nv_host *h, uint32_t subc,
                                           const gpucmd_nv_engine *e, uint32_t dw)
{
    const uint32_t op = GPUCMD_FIELD_GET(NV_REPORT_OPERATION, dw);
    uint64_t va = gpucmd_priv_nv_reg_pair(e, GPUCMD_NV_3D_REPORT_UPPER, GPUCMD_NV_3D_REPORT_LOWER,
                                          gpucmd_priv_nv_report_upper(h));
    const bool is_short = GPUCMD_FIELD_GET(NV_REPORT_SHORT, dw) != 0;
    uint32_t words[2];
    words[0] = gpucmd_nv_engine_reg(e, GPUCMD_NV_3D_REPORT_PAYLOAD);
    words[1] = 0;
    if ((op != 0 && op != 2) || GPUCMD_FIELD_GET(NV_REPORT_REDUCTION, dw) != 0) {
        return gpucmd_priv_nv_pass_method(h, subc, GPUCMD_NV_3D_REPORT_GET, dw);
    }
    if (op == 2) {
        gpucmd_priv_nv_report_counter(h, dw, words);
    }
    gpucmd_status status = gpucmd_priv_nv_query_place(h, e, is_short ? 4 : 16, &va);
    if (status != GPUCMD_OK) {
        return status;
    }
    status = is_short ? gpucmd_priv_nv_store_words(h, va, words, 1)
                      : gpucmd_priv_nv_store_report(h, va, (uint64_t)words[1] << 32 | words[0]);
    return status == GPUCMD_OK ? status : gpucmd_priv_nv_engine_stop_fault(h, status);
}

/* On NV30 and NV40, execute FENCE_VALUE or QUERY_GET (mthd). FENCE_VALUE writes the word dw,
 * QUERY_GET the time and a counter. */
static gpucmd_status gpucmd_priv_nv_fence_nv30(const gpucmd_priv_nv_host *h,
                                               const gpucmd_nv_engine *e, uint32_t mthd,
                                               uint32_t dw)
{
    uint32_t report[4];
    uint32_t words[2] = {0, 0};
    uint64_t va;
    gpucmd_status status;
    if (mthd == GPUCMD_NV_3D_NV30_FENCE_VALUE) {
        status = gpucmd_priv_nv_dma_place(h, e, GPUCMD_NV_3D_NV30_DMA_FENCE,
                                          gpucmd_nv_engine_reg(e, GPUCMD_NV_3D_NV30_FENCE_OFFSET),
                                          4, &va);
        return status == GPUCMD_OK ? gpucmd_priv_nv_engine_release(h, va, dw, true) : status;
    }
    gpucmd_priv_nv_report_counter(h, dw, words);
    const uint64_t now = gpucmd_priv_nv_time_ns(h);
    report[0] = (uint32_t)now;
    report[1] = (uint32_t)(now >> 32);
    report[2] = words[1];
    report[3] = 0;
    status = gpucmd_priv_nv_dma_place(h, e, GPUCMD_NV_3D_NV30_DMA_QUERY,
                                      GPUCMD_FIELD_GET(NV_QUERY_OFFSET, dw), 16, &va);
    if (status != GPUCMD_OK) {
        return status;
    }
    status = gpucmd_priv_nv_store_words(h, va, report, 4);
    return status == GPUCMD_OK ? status : gpucmd_priv_nv_engine_stop_fault(h, status);
}

/* Write the surface of a target of NV30 or NV40 to *s, and its width and height
 * in pixels to size. Return false if the model cannot write the target. */
static bool gpucmd_priv_nv_target_nv30(const gpucmd_nv_engine *e, uint64_t va, uint32_t pitch,
                                       uint32_t unit_bytes, gpucmd_priv_nv_surface *s,
                                       uint32_t size[2])
{
    const uint32_t format = gpucmd_nv_engine_reg(e, GPUCMD_NV_3D_NV30_RT_FORMAT);
    const uint32_t width = GPUCMD_FIELD_GET(NV_RT_NV30_WIDTH, format);
    const uint32_t height = GPUCMD_FIELD_GET(NV_RT_NV30_HEIGHT, format);
    size[0] = GPUCMD_FIELD_GET(NV_RT_SIZE, gpucmd_nv_engine_reg(e, GPUCMD_NV_3D_NV30_RT_HORIZ));
    size[1] = GPUCMD_FIELD_GET(NV_RT_SIZE, gpucmd_nv_engine_reg(e, GPUCMD_NV_3D_NV30_RT_VERT));
    switch (GPUCMD_FIELD_GET(NV_RT_NV30_LAYOUT, format)) {
    case 1: gpucmd_priv_nv_surface_linear(s, va, pitch); return true;
    case 2:
        if (width > 16 || height > 16 || size[0] > (uint32_t)1 << width ||
            size[1] > (uint32_t)1 << height) {
            return false;
        }
        gpucmd_priv_nv_surface_swizzled(s, va, width, height, unit_bytes);
        return true;
    default: return false;
    }
}

/* On NV30 and NV40, clear depth and stencil as dw, the data of CLEAR_BUFFERS, requests. The
 * supported formats are Z16, and Z24S8 with stencil in the low byte. */
static gpucmd_status gpucmd_priv_nv_clear_zeta_nv30(const gpucmd_priv_nv_host *h, uint32_t subc,
                                                    gpucmd_nv_engine *e, uint32_t dw)
{
    uint32_t i;
    const uint32_t part = dw & GPUCMD_FIELD_MASK(NV_CLEAR_DEPTH_STENCIL);
    const uint32_t z = gpucmd_nv_engine_reg(e, GPUCMD_NV_3D_NV30_CLEAR_DEPTH);
    const uint32_t kind =
        GPUCMD_FIELD_GET(NV_RT_NV30_ZETA, gpucmd_nv_engine_reg(e, GPUCMD_NV_3D_NV30_RT_FORMAT));
    const uint64_t va = gpucmd_priv_nv_dma_va(h, e, GPUCMD_NV_3D_NV30_DMA_ZETA) +
                        gpucmd_nv_engine_reg(e, GPUCMD_NV_3D_NV30_ZETA_OFFSET);
    const uint32_t pitch =
        h->ch->chip < GPUCMD_NV_CHIP_NV40
            ? GPUCMD_FIELD_GET(NV_RT_NV30_ZETA_PITCH,
                               gpucmd_nv_engine_reg(e, GPUCMD_NV_3D_NV30_RT_PITCH))
            : gpucmd_nv_engine_reg(e, GPUCMD_NV_3D_NV40_ZETA_PITCH);
    gpucmd_priv_nv_job job;
    uint32_t size[2];
    gpucmd_priv_zero(&job, sizeof job);
    if (part == 0) {
        return GPUCMD_OK;
    }
    job.unit_bytes = kind == 1 ? 2 : 4;
    if ((kind != 1 && kind != 2) ||
        !gpucmd_priv_nv_target_nv30(e, va, pitch, job.unit_bytes, &job.dst, size)) {
        return gpucmd_priv_nv_pass_method(h, subc, GPUCMD_NV_3D_NV30_CLEAR_BUFFERS, part);
    }
    gpucmd_priv_nv_dma_bound(h, e, GPUCMD_NV_3D_NV30_DMA_ZETA, &job.dst);
    for (i = 0; i < job.unit_bytes; i++) {
        const bool is_stencil = kind == 2 && i == 0;
        job.fill[i] = (uint8_t)(z >> (8 * i));
        job.writes |= (is_stencil ? GPUCMD_FIELD_GET(NV_CLEAR_STENCIL, part)
                                  : GPUCMD_FIELD_GET(NV_CLEAR_DEPTH, part))
                      << i;
    }
    return gpucmd_priv_nv_clear_rect(h, e, size, &job);
}

/* On NV30 and NV40, clear the colour target as dw, the data of CLEAR_BUFFERS, requests. If the
 * format is not X8R8G8B8 or A8R8G8B8, pass the method to the callback. */
static gpucmd_status gpucmd_priv_nv_clear_color_nv30(const gpucmd_priv_nv_host *h, uint32_t subc,
                                                     gpucmd_nv_engine *e, uint32_t dw)
{
    uint32_t i;
    const uint32_t mask = GPUCMD_FIELD_GET(NV_CLEAR_NV30_COLOR, dw); /* bits 0 to 3: R, G, B, A */
    const uint32_t color =
        GPUCMD_FIELD_GET(NV_RT_NV30_COLOR, gpucmd_nv_engine_reg(e, GPUCMD_NV_3D_NV30_RT_FORMAT));
    const uint64_t va = gpucmd_priv_nv_dma_va(h, e, GPUCMD_NV_3D_NV30_DMA_COLOR) +
                        gpucmd_nv_engine_reg(e, GPUCMD_NV_3D_NV30_RT_OFFSET);
    const uint32_t pitch =
        gpucmd_nv_engine_reg(e, GPUCMD_NV_3D_NV30_RT_PITCH) & GPUCMD_FIELD_MASK(NV_RT_LINEAR_PITCH);
    gpucmd_priv_nv_job job;
    uint32_t size[2];
    gpucmd_priv_zero(&job, sizeof job);
    if (mask == 0) {
        return GPUCMD_OK;
    }
    if ((color != 5 && color != 8) ||
        !gpucmd_priv_nv_target_nv30(e, va, pitch, 4, &job.dst, size)) {
        return gpucmd_priv_nv_pass_method(h, subc, GPUCMD_NV_3D_NV30_CLEAR_BUFFERS, dw);
    }
    gpucmd_priv_nv_dma_bound(h, e, GPUCMD_NV_3D_NV30_DMA_COLOR, &job.dst);
    for (i = 0; i < 4; i++) { /* byte order in memory: B, G, R, A */
        job.fill[i] = (uint8_t)(gpucmd_nv_engine_reg(e, GPUCMD_NV_3D_NV30_CLEAR_COLOR) >> (8 * i));
        job.writes |= (mask >> (i == 3 ? 3 : 2 - i) & 1) << i;
    }
    job.unit_bytes = 4;
    return gpucmd_priv_nv_clear_rect(h, e, size, &job);
}

/* Test the draw condition of NV40, and write the result to *draws. In mode 2, *draws is true
 * if the count of a report is not 0. In other modes, *draws is true. [MESA] nv30 */
static gpucmd_status gpucmd_priv_nv_condition_nv40(const gpucmd_priv_nv_host *h,
                                                   const gpucmd_nv_engine *e, bool *draws)
{
    const uint32_t cond = gpucmd_nv_engine_reg(e, GPUCMD_NV_3D_NV40_COND);
    uint64_t count = 1, va;
    gpucmd_status status = GPUCMD_OK;
    *draws = true;
    if (GPUCMD_FIELD_GET(NV_COND_NV40_MODE, cond) == 2) {
        status = gpucmd_priv_nv_dma_place(h, e, GPUCMD_NV_3D_NV30_DMA_QUERY,
                                          GPUCMD_FIELD_GET(NV_QUERY_OFFSET, cond), 16, &va);
        if (status != GPUCMD_OK) {
            return status;
        }
        status = gpucmd_priv_nv_load_value(h, va + 8, false, &count);
    }
    *draws = count != 0;
    return status == GPUCMD_OK ? status : gpucmd_priv_nv_engine_stop_fault(h, status);
}

/* Execute CLEAR_BUFFERS: if the draw condition is true, clear depth and stencil, then a colour
 * target. A call that continues a clear does not test the condition again. */
static gpucmd_status gpucmd_priv_nv_clear(const gpucmd_priv_nv_host *h, uint32_t subc,
                                          gpucmd_nv_engine *e, uint32_t dw)
{
    const bool nv30 = e->model == GPUCMD_NV_MODEL_3D_NV30;
    bool draws = true;
    gpucmd_status status = GPUCMD_OK;
    if (!e->half && !e->copying) {
        status = nv30 ? gpucmd_priv_nv_condition_nv40(h, e, &draws)
                      : gpucmd_priv_nv_condition(h, e, &draws);
    }
    if (status != GPUCMD_OK || !draws) {
        return status;
    }
    if (!e->half) {
        status = nv30 ? gpucmd_priv_nv_clear_zeta_nv30(h, subc, e, dw)
                      : gpucmd_priv_nv_clear_zeta(h, subc, e, dw);
    }
    if (status == GPUCMD_OK) {
        status = nv30 ? gpucmd_priv_nv_clear_color_nv30(h, subc, e, dw)
                      : gpucmd_priv_nv_clear_color(h, subc, e, dw);
        e->half = status != GPUCMD_OK;
    }
    return status;
}

/* ---- methods of engines ---- */

/* Execute a method that starts an operation of the engine model. */
GPUCMD_NV_PRIV_NOINLINE static gpucmd_status gpucmd_priv_nv_start_method(
    const gpucmd_priv_nv_host *h, uint32_t subc, uint32_t mthd, uint32_t dw)
{
    gpucmd_nv_engine *e = &h->ch->engines[subc];
    switch (e->model) {
    case GPUCMD_NV_MODEL_M2MF_NV4:
    case GPUCMD_NV_MODEL_M2MF_G80: return gpucmd_priv_nv_m2mf_old(h, subc, e, dw);
    case GPUCMD_NV_MODEL_M2MF_GF100:
    case GPUCMD_NV_MODEL_INLINE: return gpucmd_priv_nv_inline_launch(h, subc, e, dw);
    case GPUCMD_NV_MODEL_COPY: return gpucmd_priv_nv_copy_launch(h, subc, e, dw);
    case GPUCMD_NV_MODEL_SCALED: return gpucmd_priv_nv_scaled(h, subc, e, dw);
    case GPUCMD_NV_MODEL_2D_G80:
    case GPUCMD_NV_MODEL_2D_GF100:
        if (mthd == GPUCMD_NV_2D_BLIT_SRC_Y) {
            return gpucmd_priv_nv_2d_blit(h, subc, e, dw);
        }
        if (mthd == GPUCMD_NV_2D_INLINE_DST_Y) {
            return gpucmd_priv_nv_2d_inline(h, subc, e, dw);
        }
        break;
    case GPUCMD_NV_MODEL_3D_NV30:
        if (mthd == GPUCMD_NV_3D_NV30_CLEAR_BUFFERS) {
            return gpucmd_priv_nv_clear(h, subc, e, dw);
        }
        if (mthd == GPUCMD_NV_3D_NV30_FENCE_VALUE || mthd == GPUCMD_NV_3D_NV30_QUERY_GET) {
            return gpucmd_priv_nv_fence_nv30(h, e, mthd, dw);
        }
        break;
    case GPUCMD_NV_MODEL_3D_G80:
    case GPUCMD_NV_MODEL_3D_GF100:
        if (mthd == GPUCMD_NV_3D_REPORT_GET) {
            return gpucmd_priv_nv_report(h, subc, e, dw);
        }
        if (mthd == GPUCMD_NV_3D_CLEAR_BUFFERS) {
            return gpucmd_priv_nv_clear(h, subc, e, dw);
        }
        break;
    case GPUCMD_NV_MODEL_SURFACE:
    case GPUCMD_NV_MODEL_SWIZZLED:
    case GPUCMD_NV_MODEL_NONE:
    case GPUCMD_NV_MODEL_SOFTWARE:
    case GPUCMD_NV_MODEL_OTHER: break;
    }
    return gpucmd_priv_nv_pass_method(h, subc, mthd, dw); /* the model lacks this method */
}

/* Consecutive words of a method run. If member inc is true, the words of data go to successive
 * methods from mthd on; otherwise all words go to mthd. Member va is the GPU address of data. */
typedef struct gpucmd_priv_nv_piece {
    uint32_t subc;
    uint32_t mthd;
    bool inc;
    uint64_t va;
    const uint32_t *data;
} gpucmd_priv_nv_piece;

/* Pass *n_dw words of piece to the callback fn, unless fn is NULL or the channel executes ahead
 * without effects (h->seek). If fn fails, stop the channel, return GPUCMD_BLOCKED, and write to
 * *n_dw the number of executed words. fn reports it with GPUCMD_BLOCKED, otherwise it is 0. */
static gpucmd_status gpucmd_priv_nv_forward(const gpucmd_priv_nv_host *h,
                                            const gpucmd_priv_nv_piece *piece, gpucmd_event_fn fn,
                                            void *user, uint32_t *n_dw)
{
    gpucmd_event event;
    uint32_t taken = 0;
    if (fn == NULL || h->seek != NULL) {
        return GPUCMD_OK;
    }
    gpucmd_priv_nv_event_init(&event, GPUCMD_EVENT_METHODS,
                              piece->inc ? GPUCMD_NV_KIND_INC : GPUCMD_NV_KIND_NON_INC, piece->va,
                              0);
    event.unit = piece->subc;
    event.addr = piece->mthd;
    event.data = piece->data;
    event.count_dw = *n_dw;
    event.out_dw = &taken;
    h->card->effects++;
    const gpucmd_status status = fn(user, &event);
    if (status != GPUCMD_OK) {
        *n_dw = status == GPUCMD_BLOCKED && taken < *n_dw ? taken : 0;
        return gpucmd_priv_nv_engine_stop_fault(h, status);
    }
    return status;
}

/* Copy n_dw words to registers. Most method runs are short, so two overlapping
 * copies of fixed length replace a call, a loop and most branches. */
GPUCMD_INLINE void gpucmd_priv_nv_keep_words(uint32_t *to, const uint32_t *data, uint32_t n_dw)
{
    if (GPUCMD_PRIV_UNLIKELY(n_dw > 8)) {
        gpucmd_priv_copy(to, data, (size_t)n_dw * 4);
    } else if (n_dw >= 4) {
        gpucmd_priv_copy(to, data, 16);
        gpucmd_priv_copy(to + n_dw - 4, data + n_dw - 4, 16);
    } else if (n_dw >= 2) {
        gpucmd_priv_copy(to, data, 8);
        gpucmd_priv_copy(to + n_dw - 2, data + n_dw - 2, 8);
    } else if (n_dw != 0) {
        *to = *data;
    }
}

/* Return the address of the word of ch->shadow for method mthd (bytes) of subchannel subc. */
GPUCMD_INLINE uint32_t *gpucmd_priv_nv_shadow_place(const gpucmd_nv_channel *ch, uint32_t subc,
                                                    uint32_t mthd)
{
    const uint32_t methods = GPUCMD_NV_SHADOW_DW / GPUCMD_NV_SUBCHANNELS;
    return ch->shadow + subc * methods + (mthd / 4 & (methods - 1));
}

/* Return false only if no method from `first` to `last` has a register. Return true
 * if the line (16 methods) of first or of last has registers, or if last - first is over 0x40. */
GPUCMD_INLINE bool gpucmd_priv_nv_keeps_any(const gpucmd_nv_engine *e, uint32_t first,
                                            uint32_t last)
{
    return (e->place[first / 0x40 & 255] | e->place[last / 0x40 & 255]) != 0 || last - first > 0x40;
}

/* Store n_dw words of piece in ch->shadow. If the channel executes ahead (h->seek), ch->shadow is
 * NULL. */
GPUCMD_INLINE void gpucmd_priv_nv_keep_shadow(const gpucmd_priv_nv_host *h,
                                              const gpucmd_priv_nv_piece *piece, uint32_t n_dw)
{
    if (h->ch->shadow != NULL && n_dw != 0) {
        uint32_t *to = gpucmd_priv_nv_shadow_place(h->ch, piece->subc, piece->mthd);
        if (piece->inc) {
            gpucmd_priv_nv_keep_words(to, piece->data, n_dw);
        } else {
            *to = piece->data[n_dw - 1];
        }
    }
}

/* Return the number of words of piece before the first unknown handle, at most n_dw. Before
 * GF100, the words of methods 0x180 to 0x1fc are handles; GF100 and later have no handles. */
static uint32_t gpucmd_priv_nv_valid_handles(const gpucmd_priv_nv_host *h,
                                             const gpucmd_priv_nv_piece *piece, uint32_t n_dw)
{
    const uint32_t first = piece->inc && piece->mthd < 0x180 ? (0x180 - piece->mthd) / 4 : 0;
    gpucmd_nv_object object;
    uint32_t i;
    if (GPUCMD_NV_IS_GF100(h->ch->chip) || h->card->object == NULL) {
        return n_dw;
    }
    for (i = first; i < n_dw; i++) {
        const uint32_t mthd = piece->mthd + (piece->inc ? 4 * i : 0);
        if (mthd < 0x180 || mthd >= 0x200) {
            break;
        }
        if (!gpucmd_priv_nv_find_object(h, piece->data[i], &object)) {
            return i;
        }
    }
    return n_dw;
}

/* Return true if the callback also receives the methods that the engine model stores. This is the
 * case for 3D classes, because a model executes only a few of their methods. */
GPUCMD_INLINE bool gpucmd_priv_nv_is_shared(const gpucmd_nv_engine *e)
{
    return e->model >= GPUCMD_NV_MODEL_3D_NV30;
}

/* Execute the words of piece whose methods are in the window *at (a row of
 * GPUCMD_NV_ENGINE_WINDOWS), and write the number of executed words to *n_dw. Stop after the
 * first trigger, which is a method that starts an operation. If the callback also receives the
 * words, stop before a trigger that is not the first word. */
static gpucmd_status gpucmd_priv_nv_window_run(const gpucmd_priv_nv_host *h,
                                               const gpucmd_priv_nv_window *at,
                                               const gpucmd_priv_nv_piece *piece, uint32_t *n_dw)
{
    uint32_t i;
    gpucmd_nv_engine *e = &h->ch->engines[piece->subc];
    const uint32_t off = (piece->mthd - at->mthd) / 4;
    const uint32_t slot = gpucmd_priv_nv_reg_index(e, piece->mthd);
    uint32_t triggers = at->triggers >> off;
    uint32_t n = piece->inc && *n_dw > at->words - off ? at->words - off : *n_dw;
    if (!piece->inc && (triggers & 1) == 0) {
        e->reg[slot] = piece->data[n - 1];
        gpucmd_priv_nv_keep_shadow(h, piece, n);
        return GPUCMD_OK;
    }
    for (i = 0; i < n && triggers != 0; i++, triggers >>= 1) {
        if ((triggers & 1) != 0) {
            n = gpucmd_priv_nv_is_shared(e) && i != 0 && h->card->event != NULL ? i : i + 1;
        }
    }
    gpucmd_priv_nv_keep_words(&e->reg[slot], piece->data, n);
    gpucmd_priv_nv_keep_shadow(h, piece, n);
    *n_dw = n;
    if ((at->triggers >> (off + n - 1) & 1) == 0) {
        return GPUCMD_OK;
    }
    const gpucmd_status status =
        gpucmd_priv_nv_start_method(h, piece->subc, piece->mthd + 4 * (n - 1), piece->data[n - 1]);
    *n_dw = status == GPUCMD_OK ? n : n - 1;
    return status;
}

/* If piece starts in a window (a row of GPUCMD_NV_ENGINE_WINDOWS), execute the words for this
 * window. Otherwise pass the words before the next window to the callback. Before the call *n_dw is
 * the number of words; after the call it is the number of executed words. */
static gpucmd_status gpucmd_priv_nv_engine_part(const gpucmd_priv_nv_host *h,
                                                const gpucmd_priv_nv_piece *piece, uint32_t *n_dw)
{
    gpucmd_nv_engine *e = &h->ch->engines[piece->subc];
    const gpucmd_priv_nv_window *at = &gpucmd_priv_nv_windows[e->first_window];
    const gpucmd_priv_nv_window *const end = at + e->window_count;
    const uint32_t last = piece->mthd + (piece->inc ? 4 * (*n_dw - 1) : 0);
    gpucmd_status status;
    while (at != end && at->mthd + 4u * at->words < piece->mthd) {
        at++; /* the rows of a model are sorted by mthd */
    }
    for (; at != end && at->mthd <= last; at++) {
        if (at->words == 0 && piece->mthd == at->mthd) {
            *n_dw = piece->inc ? 1 : *n_dw;
            return gpucmd_priv_nv_inline_data(h, e, piece->data, n_dw);
        }
        if (piece->mthd < at->mthd) {
            *n_dw = (at->mthd - piece->mthd) / 4;
            break;
        }
        if ((piece->mthd - at->mthd) / 4 < at->words) {
            status = gpucmd_priv_nv_window_run(h, at, piece, n_dw);
            if (*n_dw != 0 && status == GPUCMD_OK && gpucmd_priv_nv_is_shared(e)) {
                status = gpucmd_priv_nv_forward(h, piece, h->card->event, h->card->user, n_dw);
            }
            return status;
        }
    }
    gpucmd_priv_nv_keep_shadow(h, piece, *n_dw);
    return gpucmd_priv_nv_forward(h, piece, h->card->event, h->card->user, n_dw);
}

/* Execute *n_dw words of piece, all for engine methods, and write the executed number to *n_dw. */
static gpucmd_status gpucmd_priv_nv_engine_run(const gpucmd_priv_nv_host *h,
                                               const gpucmd_priv_nv_piece *piece, uint32_t *n_dw)
{
    const gpucmd_nv_engine *e = &h->ch->engines[piece->subc];
    const uint32_t last = piece->mthd + (piece->inc ? 4 * (*n_dw - 1) : 0);
    const uint32_t all = *n_dw;
    uint32_t done = 0;
    gpucmd_status status = GPUCMD_OK;
    h->ch->last_subc = piece->subc;
    if (GPUCMD_PRIV_UNLIKELY(e->model <= GPUCMD_NV_MODEL_SOFTWARE) &&
        (e->model == GPUCMD_NV_MODEL_SOFTWARE || !GPUCMD_NV_IS_GF100(h->ch->chip))) {
        if (h->card->software == NULL && h->seek == NULL) {
            *n_dw = 0;
            return gpucmd_priv_nv_stop_error(h, GPUCMD_NV_PBDMA_INTR_DEVICE,
                                             GPUCMD_NV_HOST_ERROR_CACHE_EMPTY_SUBCHANNEL);
        }
        return gpucmd_priv_nv_forward(h, piece, h->card->software, h->card->software_user, n_dw);
    }
    if (!gpucmd_priv_nv_keeps_any(e, piece->mthd, last)) {
        gpucmd_priv_nv_keep_shadow(h, piece, all);
        return gpucmd_priv_nv_forward(h, piece, h->card->event, h->card->user, n_dw);
    }
    gpucmd_priv_nv_piece rest = *piece;
    while (done < all && status == GPUCMD_OK) {
        uint32_t n = gpucmd_priv_nv_valid_handles(h, &rest, all - done);
        status = n != 0 ? gpucmd_priv_nv_engine_part(h, &rest, &n)
                        : gpucmd_priv_nv_stop_error(h, 0, GPUCMD_NV_HOST_ERROR_CACHE_NO_HASH);
        done += n;
        rest.data += n;
        rest.va += 4 * (uint64_t)n;
        rest.mthd += rest.inc ? 4 * n : 0;
        if (status == GPUCMD_OK && h->ch->puller.pause_cost != 0) {
            status = GPUCMD_BLOCKED; /* an operation used more than one unit of budget */
        }
    }
    *n_dw = done;
    return status;
}

/* ==== [NV.IMPL.CHANNEL] ==================================================================== */

/* ---- PCI windows, IO ports, offsets of control areas ---- */

GPUCMD_PRIV_API gpucmd_status gpucmd_nv_bar_info(gpucmd_nv_chip chip, gpucmd_nv_window window,
                                                 gpucmd_nv_bar *bar)
{
    const gpucmd_nv_bus bus = gpucmd_nv_chip_bus(chip);
    const bool is_agp = bus == GPUCMD_NV_BUS_AGP;
    const bool wide = window == GPUCMD_NV_WINDOW_VRAM || window == GPUCMD_NV_WINDOW_RAMIN;
    if (bus == GPUCMD_NV_BUS_FLEXIO || bus == GPUCMD_NV_BUS_TEGRA) {
        return GPUCMD_UNSUPPORTED;
    }
#define GPUCMD_NV_PRIV_BAR(name, since, until, number, io, from, to, prefetchable, swapped)        \
    if (window == GPUCMD_NV_WINDOW_##name &&                                                       \
        gpucmd_priv_nv_in(chip, GPUCMD_NV_CHIP_##since, GPUCMD_NV_CHIP_##until)) {                 \
        bar->slot = (number) - ((number) == 3 && is_agp ? 1u : 0u);                                \
        bar->config_off_bytes = (number) == 6 ? (unsigned)GPUCMD_NV_CONFIG_ROM                     \
                                              : GPUCMD_NV_CONFIG_BAR0 + 4 * bar->slot;             \
        bar->width_bits = wide && !is_agp ? 64 : 32;                                               \
        bar->is_io = (io) == 1;                                                                    \
        bar->is_prefetchable = (prefetchable) == 1;                                                \
        bar->is_swapped = (swapped) == 1 && chip >= GPUCMD_NV_CHIP_NV1A;                           \
        bar->min_bytes = (from) != 0 ? (uint64_t)1 << (from) : 0;                                  \
        bar->max_bytes = (to) != 0 ? (uint64_t)1 << (to) : 0;                                      \
        return GPUCMD_OK;                                                                          \
    }
    GPUCMD_NV_BARS(GPUCMD_NV_PRIV_BAR)
#undef GPUCMD_NV_PRIV_BAR
    return GPUCMD_UNSUPPORTED;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_nv_bar_window(gpucmd_nv_chip chip, unsigned slot,
                                                   gpucmd_nv_window *window)
{
    unsigned i;
    for (i = 0; i < GPUCMD_NV_WINDOW_MEMORY; i++) {
        gpucmd_nv_bar bar;
        if (gpucmd_nv_bar_info(chip, (gpucmd_nv_window)i, &bar) == GPUCMD_OK && bar.slot == slot) {
            *window = (gpucmd_nv_window)i;
            return GPUCMD_OK;
        }
    }
    return GPUCMD_UNSUPPORTED;
}

GPUCMD_PRIV_TEXT_FUNCTION(gpucmd_nv_window_name, gpucmd_nv_window,
                          "MMIO\0VRAM\0RAMIN\0PORTS\0RMA\0ROM\0MEMORY\0")

/* Return log2 of the factor by which the straps enlarge the minimum size of the window. */
static uint32_t gpucmd_priv_nv_strap_shift(gpucmd_nv_chip chip, gpucmd_nv_window window,
                                           uint32_t strap0, uint32_t strap1)
{
    const bool nv20 = chip >= GPUCMD_NV_CHIP_NV20 && chip < GPUCMD_NV_CHIP_NV25;
    const bool mmio = window == GPUCMD_NV_WINDOW_MMIO;
    if (chip < GPUCMD_NV_CHIP_NV17) {
        return 0;
    }
    if (chip >= GPUCMD_NV_CHIP_G80) {
        return mmio ? GPUCMD_FIELD_GET(NV_STRAP1_MMIO, strap1)
                    : GPUCMD_FIELD_GET(NV_STRAP0_VRAM, strap0) +
                          GPUCMD_FIELD_GET(NV_STRAP1_VRAM, strap1);
    }
    if (mmio) {
        return 3 * (nv20 ? GPUCMD_FIELD_GET(NV_STRAP_NV20_MMIO, strap0)
                         : GPUCMD_FIELD_GET(NV_STRAP_NV17_MMIO, strap0));
    }
    return nv20 ? GPUCMD_FIELD_GET(NV_STRAP_NV20_VRAM, strap0)
                : GPUCMD_FIELD_GET(NV_STRAP_NV17_VRAM, strap0);
}

GPUCMD_PRIV_API gpucmd_status gpucmd_nv_bar_bytes(gpucmd_nv_chip chip, gpucmd_nv_window window,
                                                  uint32_t strap0, uint32_t strap1, uint64_t *bytes)
{
    gpucmd_nv_bar bar;
    const gpucmd_status status = gpucmd_nv_bar_info(chip, window, &bar);
    if (status != GPUCMD_OK) {
        return status;
    }
    if (window == GPUCMD_NV_WINDOW_MMIO || window == GPUCMD_NV_WINDOW_VRAM) {
        *bytes = gpucmd_priv_shl(bar.min_bytes,
                                 gpucmd_priv_nv_strap_shift(chip, window, strap0, strap1));
        return GPUCMD_OK;
    }
    if (window == GPUCMD_NV_WINDOW_RAMIN && chip >= GPUCMD_NV_CHIP_G80) {
        const uint32_t shift =
            gpucmd_priv_nv_strap_shift(chip, GPUCMD_NV_WINDOW_MMIO, strap0, strap1);
        const bool same = GPUCMD_FIELD_GET(NV_STRAP1_RAMIN, strap1) != 0;
        *bytes = gpucmd_priv_shl(bar.min_bytes, shift + (same ? 0 : 1));
        return GPUCMD_OK;
    }
    if (bar.min_bytes != bar.max_bytes || bar.min_bytes == 0 ||
        (window == GPUCMD_NV_WINDOW_PORTS && GPUCMD_FIELD_GET(NV_STRAP1_PORTS, strap1) == 0)) {
        return GPUCMD_UNSUPPORTED;
    }
    *bytes = bar.min_bytes;
    return GPUCMD_OK;
}

enum { GPUCMD_PRIV_NV_STYLE_OLD, GPUCMD_PRIV_NV_STYLE_NEW };

GPUCMD_PRIV_API gpucmd_status gpucmd_nv_area_place(gpucmd_nv_chip chip, uint32_t channel,
                                                   bool new_style, gpucmd_nv_window *window,
                                                   uint64_t *off_bytes, uint32_t *area_bytes)
{
#define GPUCMD_NV_PRIV_PLACE(since, until, style, where, base, stride, first, last)                \
    if (gpucmd_priv_nv_in(chip, GPUCMD_NV_CHIP_##since, GPUCMD_NV_CHIP_##until) &&                 \
        new_style == (GPUCMD_PRIV_NV_STYLE_##style == GPUCMD_PRIV_NV_STYLE_NEW)) {                 \
        if (channel - (first) > (last) - (first)) {                                                \
            return GPUCMD_RANGE;                                                                   \
        }                                                                                          \
        *window = GPUCMD_NV_WINDOW_##where;                                                        \
        *off_bytes = *window == GPUCMD_NV_WINDOW_MEMORY                                            \
                         ? 0                                                                       \
                         : (uint64_t)(base) + (uint64_t)(stride)*channel;                          \
        *area_bytes = (stride);                                                                    \
        return GPUCMD_OK;                                                                          \
    }
    GPUCMD_NV_AREAS(GPUCMD_NV_PRIV_PLACE)
#undef GPUCMD_NV_PRIV_PLACE
    return GPUCMD_UNSUPPORTED;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_nv_area_find(gpucmd_nv_chip chip, gpucmd_nv_window window,
                                                  uint64_t off_bytes, uint32_t *channel,
                                                  bool *new_style, uint32_t *reg_off_bytes)
{
    if (window == GPUCMD_NV_WINDOW_MEMORY || off_bytes > 0xffffffffu) {
        return GPUCMD_RANGE;
    }
#define GPUCMD_NV_PRIV_PLACE(since, until, style, where, base, stride, first, last)                \
    if (gpucmd_priv_nv_in(chip, GPUCMD_NV_CHIP_##since, GPUCMD_NV_CHIP_##until) &&                 \
        window == GPUCMD_NV_WINDOW_##where) {                                                      \
        const uint32_t at = (uint32_t)off_bytes - (uint32_t)(base);                                \
        if (at / (stride) - (first) <= (last) - (first)) { /* if off_bytes < base, `at` wraps */   \
            *channel = at / (stride);                                                              \
            *new_style = GPUCMD_PRIV_NV_STYLE_##style == GPUCMD_PRIV_NV_STYLE_NEW;                 \
            *reg_off_bytes = at % (stride);                                                        \
            return GPUCMD_OK;                                                                      \
        }                                                                                          \
    }
    GPUCMD_NV_AREAS(GPUCMD_NV_PRIV_PLACE)
#undef GPUCMD_NV_PRIV_PLACE
    return GPUCMD_RANGE;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_nv_usermode_place(gpucmd_nv_chip chip, uint64_t *off_bytes)
{
#define GPUCMD_NV_PRIV_USERMODE(since, until, base)                                                \
    if (gpucmd_priv_nv_in(chip, GPUCMD_NV_CHIP_##since, GPUCMD_NV_CHIP_##until)) {                 \
        *off_bytes = (base);                                                                       \
        return GPUCMD_OK;                                                                          \
    }
    GPUCMD_NV_USERMODES(GPUCMD_NV_PRIV_USERMODE)
#undef GPUCMD_NV_PRIV_USERMODE
    return GPUCMD_UNSUPPORTED;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_nv_usermode_find(gpucmd_nv_chip chip, uint64_t off_bytes,
                                                      uint32_t *reg_off_bytes)
{
#define GPUCMD_NV_PRIV_USERMODE(since, until, base)                                                \
    if (gpucmd_priv_nv_in(chip, GPUCMD_NV_CHIP_##since, GPUCMD_NV_CHIP_##until) &&                 \
        off_bytes - (base) < GPUCMD_NV_USERMODE_BYTES) {                                           \
        *reg_off_bytes = (uint32_t)(off_bytes - (base));                                           \
        return GPUCMD_OK;                                                                          \
    }
    GPUCMD_NV_USERMODES(GPUCMD_NV_PRIV_USERMODE)
#undef GPUCMD_NV_PRIV_USERMODE
    return GPUCMD_RANGE;
}

/* Execute the GPUCMD_NV_PORT_STEPS port accesses of the array steps, and write the word of the
 * last read to *v. GPUCMD_UNSUPPORTED: the port MASTER does not return the signature. */
static gpucmd_status gpucmd_priv_nv_port_run(const gpucmd_mmio *ports,
                                             const gpucmd_nv_port_step *steps, uint32_t *v)
{
    unsigned i;
    if (ports->read32(ports->user, GPUCMD_NV_PORT_MASTER) != GPUCMD_NV_PORTS_SIGNATURE) {
        return GPUCMD_UNSUPPORTED;
    }
    for (i = 0; i < GPUCMD_NV_PORT_STEPS; i++) {
        if (steps[i].is_write) {
            ports->write32(ports->user, steps[i].off_bytes, steps[i].v);
        } else {
            *v = ports->read32(ports->user, steps[i].off_bytes);
        }
    }
    return GPUCMD_OK;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_nv_port_read32(const gpucmd_mmio *ports,
                                                    gpucmd_nv_window window, uint32_t addr,
                                                    uint32_t *v)
{
    gpucmd_nv_port_step steps[GPUCMD_NV_PORT_STEPS];
    const gpucmd_status status = gpucmd_nv_encode_port(steps, window, addr, false, 0);
    return status == GPUCMD_OK ? gpucmd_priv_nv_port_run(ports, steps, v) : status;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_nv_port_write32(const gpucmd_mmio *ports,
                                                     gpucmd_nv_window window, uint32_t addr,
                                                     uint32_t v)
{
    gpucmd_nv_port_step steps[GPUCMD_NV_PORT_STEPS];
    uint32_t none = 0;
    const gpucmd_status status = gpucmd_nv_encode_port(steps, window, addr, true, v);
    return status == GPUCMD_OK ? gpucmd_priv_nv_port_run(ports, steps, &none) : status;
}

GPUCMD_PRIV_API void gpucmd_nv_ports_init(gpucmd_nv_ports *ports, const gpucmd_mmio *mmio,
                                          const gpucmd_mmio *vram, const gpucmd_mmio *ramin)
{
    gpucmd_priv_zero(ports, sizeof *ports);
    ports->window[0] = mmio;
    ports->window[1] = vram;
    ports->window[2] = ramin;
}

/* Return the index (0..2) of the window of an address or data port, or 3 for other offsets. */
static unsigned gpucmd_priv_nv_port_window(uint64_t off_bytes)
{
    const uint64_t k = (off_bytes - GPUCMD_NV_PORT_MMIO_ADDR) / 8;
    return off_bytes >= GPUCMD_NV_PORT_MMIO_ADDR && off_bytes % 4 == 0 && k < 3 ? (unsigned)k : 3;
}

GPUCMD_PRIV_API uint32_t gpucmd_nv_ports_read32(void *ports, uint64_t off_bytes)
{
    const gpucmd_nv_ports *p = (const gpucmd_nv_ports *)ports;
    const unsigned k = gpucmd_priv_nv_port_window(off_bytes);
    if (off_bytes == GPUCMD_NV_PORT_MASTER) {
        return GPUCMD_NV_PORTS_SIGNATURE;
    }
    if (!p->master) {
        return 0xffffffffu;
    }
    if (off_bytes == GPUCMD_NV_PORT_ENABLE) {
        return p->enable ? 1 : 0;
    }
    if (k == 3) {
        return 0;
    }
    if (off_bytes % 8 == 0) {
        return p->addr[k];
    }
    if (!p->enable) {
        return p->latch[k];
    }
    return p->window[k] != NULL ? p->window[k]->read32(p->window[k]->user, p->addr[k]) : 0;
}

GPUCMD_PRIV_API void gpucmd_nv_ports_write32(void *ports, uint64_t off_bytes, uint32_t v)
{
    gpucmd_nv_ports *p = (gpucmd_nv_ports *)ports;
    const unsigned k = gpucmd_priv_nv_port_window(off_bytes);
    if (off_bytes == GPUCMD_NV_PORT_MASTER) {
        p->master = (v & 1) != 0;
    } else if (!p->master) {
        return;
    } else if (off_bytes == GPUCMD_NV_PORT_ENABLE) {
        p->enable = (v & 1) != 0;
    } else if (k != 3 && off_bytes % 8 == 0) {
        p->addr[k] = k == GPUCMD_NV_WINDOW_VRAM ? v & 0xfffffffcu : v & 0x00fffffcu;
    } else if (k != 3) {
        p->latch[k] = v;
        if (p->enable && p->window[k] != NULL) {
            p->window[k]->write32(p->window[k]->user, p->addr[k], v);
        }
    }
}

/* Return v, a word that is read from or written to MMIO, with its bytes swapped if the endian
 * switch is set. Words of VGA aliases are never swapped. */
static uint32_t gpucmd_priv_nv_pmc_swap(const gpucmd_nv_pmc *p, uint64_t off_bytes, uint32_t v)
{
#define GPUCMD_NV_PRIV_ALIAS(name, since, until, base, bytes)                                      \
    if (gpucmd_priv_nv_in(p->chip, GPUCMD_NV_CHIP_##since, GPUCMD_NV_CHIP_##until) &&              \
        off_bytes - (base) < (bytes)) {                                                            \
        return v;                                                                                  \
    }
    GPUCMD_NV_VGA_ALIASES(GPUCMD_NV_PRIV_ALIAS)
#undef GPUCMD_NV_PRIV_ALIAS
    return p->big_endian ? gpucmd_priv_swap32(v) : v;
}

GPUCMD_PRIV_API uint32_t gpucmd_nv_pmc_read32(void *pmc, uint64_t off_bytes)
{
    const gpucmd_nv_pmc *p = (const gpucmd_nv_pmc *)pmc;
    uint32_t v;
    if (off_bytes == GPUCMD_NV_PMC_ENDIAN && p->chip >= GPUCMD_NV_CHIP_NV1A) {
        v = p->big_endian ? GPUCMD_NV_PMC_ENDIAN_BIG : 0;
    } else {
        v = p->inner->read32(p->inner->user, off_bytes);
    }
    return gpucmd_priv_nv_pmc_swap(p, off_bytes, v);
}

GPUCMD_PRIV_API void gpucmd_nv_pmc_write32(void *pmc, uint64_t off_bytes, uint32_t v)
{
    gpucmd_nv_pmc *p = (gpucmd_nv_pmc *)pmc;
    const uint32_t seen = gpucmd_priv_nv_pmc_swap(p, off_bytes, v);
    if (off_bytes == GPUCMD_NV_PMC_ENDIAN && p->chip >= GPUCMD_NV_CHIP_NV1A) {
        p->big_endian = p->big_endian != ((seen & GPUCMD_NV_PMC_ENDIAN_TOGGLE) != 0);
    } else {
        p->inner->write32(p->inner->user, off_bytes, seen);
    }
}

GPUCMD_PRIV_API uint32_t gpucmd_nv_pmc_ramin_read32(void *pmc, uint64_t off_bytes)
{
    const gpucmd_nv_pmc *p = (const gpucmd_nv_pmc *)pmc;
    const uint32_t v = p->ramin != NULL ? p->ramin->read32(p->ramin->user, off_bytes) : 0;
    return p->big_endian ? gpucmd_priv_swap32(v) : v;
}

GPUCMD_PRIV_API void gpucmd_nv_pmc_ramin_write32(void *pmc, uint64_t off_bytes, uint32_t v)
{
    const gpucmd_nv_pmc *p = (const gpucmd_nv_pmc *)pmc;
    if (p->ramin != NULL) {
        p->ramin->write32(p->ramin->user, off_bytes, p->big_endian ? gpucmd_priv_swap32(v) : v);
    }
}

/* ---- channels ---- */
/* Execute the *n_dw words of piece, or only those for host methods if it begins with such a word.
 * Write the number of executed words to *n_dw. */
static gpucmd_status gpucmd_priv_nv_piece_run(const gpucmd_priv_nv_host *h,
                                              const gpucmd_priv_nv_piece *piece, uint32_t *n_dw)
{
    if (piece->mthd < GPUCMD_NV_HOST_END) {
        return gpucmd_priv_nv_host_run(h, piece->subc, piece->mthd, piece->inc, piece->data, n_dw);
    }
    const gpucmd_status status = gpucmd_priv_nv_engine_run(h, piece, n_dw);
    if (GPUCMD_PRIV_UNLIKELY(h->ch->puller.keeps_crc) &&
        h->ch->engines[piece->subc].model != GPUCMD_NV_MODEL_SOFTWARE) {
        gpucmd_priv_nv_method_crc_add(h, piece->subc, piece->mthd, piece->inc, piece->data, *n_dw);
    }
    return status;
}

/* Return the address of a channel's GET: the first word that is not yet counted as executed. While
 * an event is executed, words after GET can already have been executed. */
static uint64_t gpucmd_priv_nv_channel_at(const gpucmd_nv_channel *ch)
{
    return GPUCMD_NV_IS_GF100(ch->chip) ? ch->pbdma.pb_get
                                        : ch->pusher.dma_pushbuffer_va + ch->pusher.dma_get;
}

/* Execute the words of an event, and write the number of executed words to *event->out_dw. If
 * puller.skip is set, the first word is dropped and counts as executed. */
GPUCMD_NV_PRIV_NOINLINE static gpucmd_status gpucmd_priv_nv_receive_any(gpucmd_priv_nv_host *h,
                                                                        const gpucmd_event *event)
{
    gpucmd_nv_puller *p = &h->ch->puller;
    const uint64_t at_va = gpucmd_priv_nv_channel_at(h->ch);
    const uint64_t words = (event->va - at_va) / 4 + event->count_dw;
    uint32_t done = 0;
    gpucmd_status status = GPUCMD_OK;
    h->room = words < *h->budget ? *h->budget - words : 0;
    if (GPUCMD_PRIV_UNLIKELY(p->skip)) {
        p->skip = false;
        done = 1;
    }
    while (done < event->count_dw && status == GPUCMD_OK) {
        gpucmd_priv_nv_piece piece;
        uint32_t n_dw = event->count_dw - done;
        piece.subc = event->unit;
        piece.inc = event->code == GPUCMD_NV_KIND_INC;
        piece.mthd = event->addr + (piece.inc ? 4 * done : 0);
        piece.va = event->va + 4 * (uint64_t)done;
        piece.data = event->data + done;
        if (event->code == GPUCMD_NV_KIND_ONE_INC) {
            piece.mthd += done != 0 ? 4 : 0;
            n_dw = done == 0 ? 1 : n_dw;
        }
        status = gpucmd_priv_nv_piece_run(h, &piece, &n_dw);
        done += n_dw;
    }
    if (GPUCMD_PRIV_UNLIKELY(p->skip) && done < event->count_dw) {
        gpucmd_priv_nv_trace_event(h, GPUCMD_EVENT_ERROR,
                                   GPUCMD_NV_IS_GF100(h->ch->chip) ? h->ch->pbdma.intr
                                                                   : (uint32_t)p->error,
                                   event->va + 4 * (uint64_t)done, event->data[done]);
    }
    if (GPUCMD_PRIV_UNLIKELY(h->seek != NULL && h->seek->satisfies)) {
        status = GPUCMD_BLOCKED;
    }
    *event->out_dw = done;
    return status;
}

/* Store the words of a method run in the engine's registers, from method `first` (bytes) on.
 * Return false if a word starts an operation; some words may be stored already. The caller must
 * then execute the whole method run with gpucmd_priv_nv_receive_any. */
GPUCMD_NV_PRIV_NOINLINE static bool gpucmd_priv_nv_keep_run(gpucmd_nv_engine *e, uint32_t first,
                                                            const uint32_t *data, uint32_t n_dw)
{
    while (n_dw != 0) {
        const uint32_t slot = gpucmd_priv_nv_reg_index(e, first);
        const uint32_t line = slot / GPUCMD_NV_LINE_DW;
        const uint32_t off = slot % GPUCMD_NV_LINE_DW;
        const uint32_t room_dw = GPUCMD_NV_LINE_DW - off;
        const uint32_t here_dw = n_dw < room_dw ? n_dw : room_dw;
        if (((uint32_t)e->fires[line] >> off & (((uint32_t)1 << here_dw) - 1)) != 0) {
            return false;
        }
        if (line != 0) {
            gpucmd_priv_nv_keep_words(&e->reg[slot], data, here_dw);
        }
        first += 4 * here_dw;
        data += here_dw;
        n_dw -= here_dw;
    }
    return true; /* all words are stored */
}

/* Receive an event from the pusher or PBDMA. If all words are engine methods that start no
 * operation and go to no callback, store the words; otherwise call gpucmd_priv_nv_receive_any. */
static gpucmd_status gpucmd_priv_nv_receive(void *user, const gpucmd_event *event)
{
    gpucmd_priv_nv_host *h = (gpucmd_priv_nv_host *)user;
    gpucmd_nv_channel *ch = h->ch;
    gpucmd_nv_engine *e = &ch->engines[event->unit];
    const bool once = event->code == GPUCMD_NV_KIND_ONE_INC && event->count_dw != 1;
    const uint32_t ends[2] = {event->data[0], event->data[event->count_dw - 1]};
    const uint32_t *data = once ? ends : ends + 1; /* only the last word for a method is stored */
    uint32_t n_dw = once ? 2 : 1;
    data = event->code == GPUCMD_NV_KIND_INC ? event->data : data;
    n_dw = event->code == GPUCMD_NV_KIND_INC ? event->count_dw : n_dw;
    const uint32_t last = event->addr + 4 * (n_dw - 1);
    if (event->addr >= h->keeps_from && e->model > GPUCMD_NV_MODEL_SOFTWARE && !ch->puller.skip &&
        (!gpucmd_priv_nv_keeps_any(e, event->addr, last) ||
         gpucmd_priv_nv_keep_run(e, event->addr, data, n_dw))) {
        ch->last_subc = event->unit;
        if (ch->shadow != NULL) {
            gpucmd_priv_nv_keep_words(gpucmd_priv_nv_shadow_place(ch, event->unit, event->addr),
                                      data, n_dw);
        }
        return GPUCMD_OK;
    }
    return gpucmd_priv_nv_receive_any(h, event);
}

/* Copy GPUCMD_PRIV_NV_FEW_DW words by pairs, so that a compiler can keep them in registers. */
GPUCMD_INLINE void gpucmd_priv_nv_copy_few(void *to, const void *from)
{
    gpucmd_priv_copy(to, from, 8);
    gpucmd_priv_copy((uint8_t *)to + 8, (const uint8_t *)from + 8, 8);
    gpucmd_priv_copy((uint8_t *)to + 16, (const uint8_t *)from + 16, 8);
    gpucmd_priv_copy((uint8_t *)to + 24, (const uint8_t *)from + 24, 8);
}

/* Store the first keep_dw words of few at address `to`. To avoid a branch on length, store all
 * words, then restore those after keep_dw. */
GPUCMD_INLINE void gpucmd_priv_nv_keep_few(uint32_t *to, const uint64_t *few, size_t keep_dw)
{
    uint64_t after[GPUCMD_PRIV_NV_FEW_DW / 2];
    gpucmd_priv_nv_copy_few(after, to + keep_dw);
    gpucmd_priv_nv_copy_few(to, few);
    gpucmd_priv_nv_copy_few(to + keep_dw, after);
}

/* Store a method run of 1 + more_dw words, at most 8, in the engine's registers. Return false if a
 * word starts an operation; some words may be stored already. The method run can cross from one
 * line of 16 methods into the next line. If both lines have registers, one store is enough, because
 * the registers of the next line follow those of the first line. After a line with registers, the
 * first 7 methods of the next line start no operation. If neither line has registers, the store
 * goes to line 0 and keeps no word, because a CPU cannot predict a branch. */
GPUCMD_INLINE bool gpucmd_priv_nv_keep_short_run(gpucmd_nv_engine *e, uint32_t mthd_dw,
                                                 const uint64_t *few, uint32_t more_dw)
{
    const uint32_t line = e->place[mthd_dw / GPUCMD_NV_LINE_DW & 255];
    const uint32_t next = e->place[(mthd_dw + more_dw) / GPUCMD_NV_LINE_DW & 255];
    const uint32_t mask = 0u - (uint32_t)(line != 0); /* 0: the first line has no registers */
    const uint32_t off = mthd_dw % GPUCMD_NV_LINE_DW & mask;
    if (GPUCMD_PRIV_UNLIKELY((next & ~mask) != 0)) {
        uint32_t words[GPUCMD_PRIV_NV_FEW_DW];
        gpucmd_priv_nv_copy_few(words, few);
        return gpucmd_priv_nv_keep_run(e, 4 * mthd_dw, words, 1 + more_dw);
    }
    const uint32_t fires = e->fires[line];
    if (GPUCMD_PRIV_UNLIKELY((fires >> off & (((uint32_t)2 << more_dw) - 1)) != 0)) {
        return false;
    }
    gpucmd_priv_nv_keep_few(&e->reg[line * GPUCMD_NV_LINE_DW + off], few,
                            (next != 0 ? 1 + more_dw : GPUCMD_NV_LINE_DW - off) & mask);
    return true;
}

/* On GF100 and later, execute method runs of 1 to 8 words that start no operation; `at` is the
 * first header. Return the first header that is not executed. If a method run was executed, write
 * the address of the last executed header to *run and the header to *run_head. No branch depends on
 * length or kind of a method run, because a CPU cannot predict such branches. */
static const uint32_t *gpucmd_priv_nv_short_runs(void *user, const uint32_t *at,
                                                 const uint32_t *end, const uint32_t **run,
                                                 uint32_t *run_head)
{
    const gpucmd_priv_nv_host *h = (const gpucmd_priv_nv_host *)user;
    gpucmd_nv_channel *ch = h->ch;
    uint32_t *const shadow = ch->shadow;
    /* Largest mthd, in words after HOST_END, for which keep_few stores only in the shadow. */
    const uint32_t most_dw =
        GPUCMD_FIELD_MAX(NV_HDR_MTHD) + 1 - 2 * GPUCMD_PRIV_NV_FEW_DW - GPUCMD_NV_HOST_END / 4;
    const uint32_t *last = NULL;
    gpucmd_nv_engine *engines[GPUCMD_NV_SUBCHANNELS]; /* NULL: words go to a callback */
    uint32_t i;
    for (i = 0; i < GPUCMD_NV_SUBCHANNELS; i++) {
        engines[i] = ch->engines[i].model > GPUCMD_NV_MODEL_SOFTWARE ? &ch->engines[i] : NULL;
    }
    if (ch->puller.skip) {
        return at;
    }
    while ((size_t)(end - at) > GPUCMD_PRIV_NV_FEW_DW) {
        const uint32_t head = *at;
        const gpucmd_priv_nv_sec_row *row =
            &gpucmd_priv_nv_sec_rows[GPUCMD_FIELD_GET(NV_HDR_SEC_OP, head)];
        const uint32_t mthd = GPUCMD_FIELD_GET(NV_HDR_MTHD, head);
        const uint32_t subc = GPUCMD_FIELD_GET(NV_HDR_SUBC, head);
        const uint32_t value = GPUCMD_FIELD_GET(NV_HDR_COUNT, head);
        const uint32_t n_dw = value & row->count;
        const uint32_t last_dw = n_dw + row->immd - 1;
        const uint32_t more_dw = last_dw < row->more ? last_dw : row->more;
        gpucmd_nv_engine *const e = engines[subc];
        if (GPUCMD_PRIV_UNLIKELY(last_dw >= GPUCMD_PRIV_NV_FEW_DW) ||
            GPUCMD_PRIV_UNLIKELY(mthd - GPUCMD_NV_HOST_END / 4 > most_dw) ||
            GPUCMD_PRIV_UNLIKELY(e == NULL)) {
            break;
        }
        uint64_t few[GPUCMD_PRIV_NV_FEW_DW / 2]; /* data words in CPU byte order, by pairs */
        gpucmd_priv_nv_copy_few(few, at + 1);
        const uint32_t word = at[1 + (last_dw & row->first)];
        const uint64_t pair[2] = {word ^ ((word ^ value) & (0u - row->immd)),
                                  at[1 + row->second + (last_dw & row->second_mask)]};
        const bool little = gpucmd_cpu_endian() == GPUCMD_LITTLE_ENDIAN;
        few[0] = pair[little ? 0 : 1] | pair[little ? 1 : 0] << 32;
        gpucmd_priv_nv_ahead(at, GPUCMD_PRIV_NV_AHEAD_DW);
        if (!gpucmd_priv_nv_keep_short_run(e, mthd, few, more_dw)) {
            break;
        }
        if (shadow != NULL) {
            uint32_t *to = shadow + subc * (size_t)GPUCMD_NV_SHADOW_DW / GPUCMD_NV_SUBCHANNELS;
            gpucmd_priv_nv_keep_few(to + mthd, few, 1 + more_dw);
        }
        last = at;
        at += 1 + n_dw;
    }
    if (last != NULL) {
        ch->last_subc = GPUCMD_FIELD_GET(NV_HDR_SUBC, *last);
        *run = last;
        *run_head = *last;
    }
    return at;
}

GPUCMD_PRIV_API void gpucmd_nv_card_init(gpucmd_nv_card *card, gpucmd_mem *mem)
{
    gpucmd_priv_zero(card, sizeof *card);
    card->mem = mem;
    card->clock_step_ns = 32;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_nv_channel_init(gpucmd_nv_channel *ch, gpucmd_nv_chip chip,
                                                     uint32_t id)
{
    uint32_t i;
    gpucmd_priv_zero(ch, sizeof *ch);
    ch->chip = chip;
    ch->id = id;
    const gpucmd_status status = GPUCMD_NV_IS_GF100(chip)
                                     ? gpucmd_nv_pbdma_init(&ch->pbdma, chip)
                                     : gpucmd_nv_pusher_init(&ch->pusher, chip);
    for (i = 0; i < 64; i++) {
        ch->puller.known |= gpucmd_priv_shl(gpucmd_nv_knows_mthd(chip, 4 * i), i);
    }
    if (chip >= GPUCMD_NV_CHIP_GK104 && status == GPUCMD_OK) {
        gpucmd_priv_nv_engine_init(&ch->engines[4], gpucmd_nv_copy_class(chip),
                                   GPUCMD_NV_MODEL_COPY, false);
        for (i = 5; i < GPUCMD_NV_SUBCHANNELS; i++) {
            ch->engines[i].model = GPUCMD_NV_MODEL_SOFTWARE;
        }
    }
    return status;
}

/* Return true if an error has stopped the channel: puller.fault, puller.error or pbdma.intr. */
static bool gpucmd_priv_nv_channel_is_stopped(const gpucmd_nv_channel *ch)
{
    return ch->puller.fault != GPUCMD_OK || ch->puller.error != GPUCMD_NV_HOST_ERROR_NONE ||
           ch->pbdma.intr != 0;
}

/* Execute a channel until it stops or pauses, and subtract the used units from *budget. If the
 * channel paused and *budget is not 0, return DONE, otherwise a result of gpucmd_nv_channel_run. */
static gpucmd_run gpucmd_priv_nv_channel_turn(gpucmd_priv_nv_host *h, uint64_t *budget)
{
    gpucmd_nv_channel *ch = h->ch;
    uint32_t *faulted = gpucmd_priv_nv_faulted_bits(h, ch->id);
    gpucmd_env env;
    h->keeps_from = h->seek != NULL || h->card->event != NULL || ch->puller.keeps_crc ? 0xffffffffu
                    : GPUCMD_NV_IS_GF100(ch->chip)
                        ? (uint32_t)GPUCMD_NV_HOST_END
                        : 0x200;            /* methods before 0x200 can have handles as data */
    if (faulted != NULL && *faulted == 0) { /* no FAULTED bit is set, so retry the access */
        ch->puller.fault = ch->puller.fault == GPUCMD_FAULT ? GPUCMD_OK : ch->puller.fault;
        ch->pbdma.fault = ch->pbdma.fault == GPUCMD_FAULT ? GPUCMD_OK : ch->pbdma.fault;
    }
    gpucmd_env_init(&env, h->card->mem, gpucmd_priv_nv_receive, h);
    env.trace = h->seek == NULL ? h->card->trace : NULL;
    env.trace_user = h->card->trace_user;
    ch->puller.pause_cost = 0;
    ch->puller.callback = false;
    h->budget = budget;
    if (gpucmd_priv_nv_channel_is_stopped(ch)) {
        return GPUCMD_RUN_FAULT;
    }
    const gpucmd_run run =
        GPUCMD_NV_IS_GF100(ch->chip)
            ? gpucmd_priv_nv_pbdma_run_budget(
                  &ch->pbdma, &env,
                  h->keeps_from == GPUCMD_NV_HOST_END ? gpucmd_priv_nv_short_runs : NULL, budget)
            : gpucmd_priv_nv_pusher_run_budget(&ch->pusher, &env, budget, false);
    if (faulted != NULL && ch->pbdma.fault == GPUCMD_FAULT) {
        *faulted |= GPUCMD_NV_PBDMA_FAULTED;
    }
    if (run == GPUCMD_RUN_BLOCKED) {
        if (gpucmd_priv_nv_channel_is_stopped(ch)) {
            return GPUCMD_RUN_FAULT;
        }
        if (ch->puller.pause_cost != 0) {
            *budget -= ch->puller.pause_cost < *budget ? ch->puller.pause_cost : *budget;
            return *budget != 0 ? GPUCMD_RUN_DONE : GPUCMD_RUN_LIMIT;
        }
    }
    return run;
}

GPUCMD_PRIV_API gpucmd_run gpucmd_nv_channel_run(gpucmd_nv_channel *ch, gpucmd_nv_card *card,
                                                 uint64_t budget)
{
    gpucmd_priv_nv_host h = {ch, card, NULL, 0, NULL, 0};
    gpucmd_run run;
    do {
        run = gpucmd_priv_nv_channel_turn(&h, &budget);
    } while (run == GPUCMD_RUN_DONE);
    return run;
}

GPUCMD_PRIV_API gpucmd_run gpucmd_nv_channel_step(gpucmd_nv_channel *ch, gpucmd_nv_card *card)
{
    gpucmd_priv_nv_host h = {ch, card, NULL, 0, NULL, 0};
    uint64_t budget = 1;
    const gpucmd_run run = gpucmd_priv_nv_channel_turn(&h, &budget);
    return run == GPUCMD_RUN_LIMIT || (run == GPUCMD_RUN_IDLE && budget == 0) ? GPUCMD_RUN_DONE
                                                                              : run;
}

GPUCMD_PRIV_API void gpucmd_nv_channel_clear(gpucmd_nv_channel *ch)
{
    uint32_t i;
    ch->puller.skip = ch->puller.skip || ch->puller.fault != GPUCMD_OK;
    ch->puller.fault = GPUCMD_OK;
    ch->puller.error = GPUCMD_NV_HOST_ERROR_NONE;
    ch->puller.wait.active = false;
    ch->puller.yield = false;
    ch->pbdma.intr = 0;
    for (i = 0; i < GPUCMD_NV_SUBCHANNELS; i++) {
        ch->engines[i].copying = false;
        ch->engines[i].half = false;
    }
}

/* Describe the wait of a channel in *why. The caller must have set why->at_va. */
static void gpucmd_priv_nv_why_wait(const gpucmd_nv_wait *wait, gpucmd_why *why)
{
    gpucmd_priv_why_set(why, GPUCMD_WHY_WAIT, 0, why->at_va);
    why->name = gpucmd_nv_sem_op_name(wait->op);
    why->va = wait->va;
    why->value = wait->payload;
    why->text = wait->is_fault ? "waits for a fault of this channel"
                : wait->op == GPUCMD_NV_SEM_OP_NONE
                    ? "hangs, because the chip has no such semaphore operation"
                : wait->is_syncpoint ? "waits for this syncpoint"
                                     : "waits for memory";
}

GPUCMD_PRIV_API void gpucmd_nv_channel_why(const gpucmd_nv_channel *ch, const gpucmd_nv_card *card,
                                           gpucmd_why *why)
{
    const gpucmd_nv_puller *p = &ch->puller;
    if (GPUCMD_NV_IS_GF100(ch->chip)) {
        gpucmd_nv_pbdma_why(&ch->pbdma, card->mem, why);
    } else {
        gpucmd_nv_pusher_why(&ch->pusher, why);
    }
    if (p->fault != GPUCMD_OK) {
        const bool lacks = p->fault == GPUCMD_UNSUPPORTED && card->event == NULL;
        gpucmd_priv_nv_why_status(why,
                                  p->fault == GPUCMD_FAULT ? GPUCMD_WHY_MEMORY
                                  : lacks                  ? GPUCMD_WHY_MODEL
                                                           : GPUCMD_WHY_CALLBACK,
                                  p->fault, why->at_va, card->mem);
    } else if (p->error != GPUCMD_NV_HOST_ERROR_NONE) {
        gpucmd_priv_nv_why_error(
            why, why->at_va,
            p->error <= GPUCMD_NV_HOST_ERROR_CACHE_NO_HASH ? "CACHE_ERROR" : "SEMAPHORE",
            gpucmd_nv_host_error_code(p->error), gpucmd_nv_host_error_name(p->error),
            gpucmd_nv_host_error_text(p->error));
    } else if (why->kind == GPUCMD_WHY_READY && p->wait.active) {
        gpucmd_priv_nv_why_wait(&p->wait, why);
    } else if (why->kind == GPUCMD_WHY_READY && p->callback) {
        gpucmd_priv_nv_why_status(why, GPUCMD_WHY_CALLBACK, GPUCMD_BLOCKED, why->at_va, NULL);
    }
    why->unit = ch->id;
}

GPUCMD_PRIV_API uint32_t gpucmd_nv_channel_read32(void *channel, uint64_t off_bytes)
{
    gpucmd_nv_channel *ch = (gpucmd_nv_channel *)channel;
    return GPUCMD_NV_IS_GF100(ch->chip) ? gpucmd_nv_pbdma_read32(&ch->pbdma, off_bytes)
                                        : gpucmd_nv_pusher_read32(&ch->pusher, off_bytes);
}

GPUCMD_PRIV_API void gpucmd_nv_channel_write32(void *channel, uint64_t off_bytes, uint32_t v)
{
    gpucmd_nv_channel *ch = (gpucmd_nv_channel *)channel;
    if (GPUCMD_NV_IS_GF100(ch->chip)) {
        gpucmd_nv_pbdma_write32(&ch->pbdma, off_bytes, v);
    } else {
        gpucmd_nv_pusher_write32(&ch->pusher, off_bytes, v);
    }
}

/* ---- registers that a driver writes ---- */

/* Return the channel with this id, or NULL if there is none. */
static gpucmd_nv_channel *gpucmd_priv_nv_mmio_channel(const gpucmd_nv_mmio *u, uint32_t id)
{
    size_t i;
    for (i = 0; i < u->count; i++) {
        if (u->channels[i].id == id) {
            return &u->channels[i];
        }
    }
    return NULL;
}

GPUCMD_PRIV_API uint32_t gpucmd_nv_usermode_read32(void *user, uint64_t off_bytes)
{
    const gpucmd_nv_mmio *u = (const gpucmd_nv_mmio *)user;
    const gpucmd_nv_card *card = u->card;
    uint64_t now = 0;
    if (card != NULL) {
        now = card->time_ns != NULL ? card->time_ns(card->time_user) : card->clock_ns;
    }
    switch (off_bytes) {
    case GPUCMD_NV_USERMODE_CFG0:
        return u->chip < GPUCMD_NV_CHIP_TU102   ? (uint32_t)GPUCMD_NVGPU_RM_VOLTA_USERMODE_A
               : u->chip < GPUCMD_NV_CHIP_GA100 ? (uint32_t)GPUCMD_NVGPU_RM_TURING_USERMODE_A
                                                : (uint32_t)GPUCMD_NVGPU_RM_AMPERE_USERMODE_A;
    case GPUCMD_NV_USERMODE_TIME_0: return (uint32_t)now & GPUCMD_FIELD_MASK(NV_USERMODE_TIME_LO);
    case GPUCMD_NV_USERMODE_TIME_1:
        return (uint32_t)(now >> 32) & GPUCMD_FIELD_MASK(NV_USERMODE_TIME_HI);
    default: return 0;
    }
}

GPUCMD_PRIV_API void gpucmd_nv_usermode_write32(void *user, uint64_t off_bytes, uint32_t v)
{
    const gpucmd_nv_mmio *u = (const gpucmd_nv_mmio *)user;
    const bool volta = u->chip < GPUCMD_NV_CHIP_TU102;
    uint32_t runlist = 0, channel = 0;
    if (off_bytes != GPUCMD_NV_USERMODE_NOTIFY_CHANNEL_PENDING ||
        gpucmd_nv_decode_token(u->chip, v, &runlist, &channel) != GPUCMD_OK) {
        return;
    }
    const gpucmd_nv_channel *ch = gpucmd_priv_nv_mmio_channel(u, channel);
    if (ch != NULL && u->doorbell != NULL &&
        (volta || runlist == u->runlist ||
         (runlist == GPUCMD_NV_RUNLIST_ALL && u->chip < GPUCMD_NV_CHIP_GA100))) {
        u->doorbell(u->user, (size_t)(ch - u->channels));
    }
}

/* Return the channel whose control area contains the MMIO offset off_bytes, or NULL. Write the
 * offset inside the control area to *reg_off_bytes. */
static gpucmd_nv_channel *gpucmd_priv_nv_mmio_area(const gpucmd_nv_mmio *u, uint64_t off_bytes,
                                                   uint32_t *reg_off_bytes)
{
    uint32_t channel = 0;
    bool new_style = false;
    if (gpucmd_nv_area_find(u->chip, GPUCMD_NV_WINDOW_MMIO, off_bytes, &channel, &new_style,
                            reg_off_bytes) != GPUCMD_OK) {
        return NULL;
    }
    if (!new_style && *reg_off_bytes == GPUCMD_NV_AREA_DMA_CGET && u->chip >= GPUCMD_NV_CHIP_NV40) {
        *reg_off_bytes = 0; /* an area of style OLD lacks CGET; offset 0 has no register */
    }
    return gpucmd_priv_nv_mmio_channel(u, channel);
}

GPUCMD_PRIV_API uint32_t gpucmd_nv_mmio_read32(void *user, uint64_t off_bytes)
{
    const gpucmd_nv_mmio *u = (const gpucmd_nv_mmio *)user;
    uint32_t reg_off_bytes = 0;
    gpucmd_nv_channel *ch = gpucmd_priv_nv_mmio_area(u, off_bytes, &reg_off_bytes);
    if (ch != NULL) {
        return gpucmd_nv_channel_read32(ch, reg_off_bytes);
    }
    if (gpucmd_nv_usermode_find(u->chip, off_bytes, &reg_off_bytes) == GPUCMD_OK) {
        return gpucmd_nv_usermode_read32(user, reg_off_bytes);
    }
    return u->inner != NULL ? u->inner->read32(u->inner->user, off_bytes) : 0;
}

GPUCMD_PRIV_API void gpucmd_nv_mmio_write32(void *user, uint64_t off_bytes, uint32_t v)
{
    const gpucmd_nv_mmio *u = (const gpucmd_nv_mmio *)user;
    uint32_t reg_off_bytes = 0;
    gpucmd_nv_channel *ch = gpucmd_priv_nv_mmio_area(u, off_bytes, &reg_off_bytes);
    if (ch != NULL) {
        gpucmd_nv_channel_write32(ch, reg_off_bytes, v);
    } else if (gpucmd_nv_usermode_find(u->chip, off_bytes, &reg_off_bytes) == GPUCMD_OK) {
        gpucmd_nv_usermode_write32(user, reg_off_bytes, v);
    } else if (u->inner != NULL) {
        u->inner->write32(u->inner->user, off_bytes, v);
    }
}

/* ---- many channels ---- */

/* Initialise *seek for the channel ch, whose wait is *wait: store the present value of the memory
 * or syncpoint that ch polls. If the value is not readable, seek->known is 0. */
static void gpucmd_priv_nv_seek_init(gpucmd_priv_nv_seek *seek, const gpucmd_nv_channel *ch,
                                     const gpucmd_nv_card *card, const gpucmd_nv_wait *wait)
{
    gpucmd_priv_zero(seek, sizeof *seek);
    seek->wait = wait;
    seek->endian = gpucmd_priv_nv_channel_endian(ch);
    if (wait->is_syncpoint) {
        if (card->syncpoints != NULL && wait->va < card->syncpoint_count) {
            gpucmd_store32(seek->bytes, card->syncpoints[wait->va], seek->endian);
            seek->known = 0xff;
        }
    } else if (wait->op != GPUCMD_NV_SEM_OP_NONE &&
               gpucmd_mem_read(card->mem, wait->va, seek->bytes, gpucmd_priv_nv_wait_bytes(wait)) ==
                   GPUCMD_OK) {
        seek->known = 0xff;
    }
}

/* State of the functions that fill the report of gpucmd_nv_run_all. */
typedef struct gpucmd_priv_nv_analysis {
    const gpucmd_nv_channel *channels;
    size_t count;
    gpucmd_nv_card *card;
    gpucmd_nv_report *report;
    size_t rows; /* number of filled rows */
} gpucmd_priv_nv_analysis;

/* Copy channel k, clear the error of the copy, and execute the copy for at most report->look_ahead
 * units; acquires succeed. Record in *seek whether the copy writes the value that row waits for. */
static void gpucmd_priv_nv_look_ahead(const gpucmd_priv_nv_analysis *analysis,
                                      const gpucmd_nv_blocked *row, size_t k,
                                      gpucmd_priv_nv_seek *seek)
{
    gpucmd_nv_channel *scratch = analysis->report->scratch;
    gpucmd_priv_nv_host h = {scratch, analysis->card, seek, 0, NULL, 0};
    uint64_t budget = analysis->report->look_ahead;
    gpucmd_run run = GPUCMD_RUN_DONE;
    gpucmd_priv_nv_seek_init(seek, &analysis->channels[row->channel], analysis->card, &row->wait);
    *scratch = analysis->channels[k];
    scratch->shadow = NULL;
    if (gpucmd_priv_nv_channel_is_stopped(scratch)) {
        gpucmd_nv_channel_clear(scratch);
    }
    while (run == GPUCMD_RUN_DONE) {
        run = gpucmd_priv_nv_channel_turn(&h, &budget);
    }
}

/* Return the row of a channel, or NULL if the report has no row for it. */
static gpucmd_nv_blocked *gpucmd_priv_nv_row_of_channel(const gpucmd_priv_nv_analysis *analysis,
                                                        uint32_t channel)
{
    size_t i;
    for (i = 0; i < analysis->rows; i++) {
        if (analysis->report->rows[i].channel == channel) {
            return &analysis->report->rows[i];
        }
    }
    return NULL;
}

/* Search a releaser of *row, which is a blocked channel, and store the releaser in *row. Return
 * false if there is none; *row is unchanged.
 *   first      index of the first channel to try
 *   satisfies  true: the releaser must end the wait; false: it must write the polled address */
static bool gpucmd_priv_nv_choose_releaser(const gpucmd_priv_nv_analysis *analysis,
                                           gpucmd_nv_blocked *row, size_t first, bool satisfies)
{
    size_t k;
    for (k = first; k < analysis->count; k++) {
        gpucmd_priv_nv_seek seek = {NULL, GPUCMD_LITTLE_ENDIAN, {0}, 0, false, false};
        gpucmd_priv_nv_look_ahead(analysis, row, k, &seek);
        if (satisfies ? seek.satisfies : seek.found) {
            row->releaser = (uint32_t)k;
            row->releaser_id = analysis->channels[k].id;
            row->releaser_stopped = gpucmd_priv_nv_channel_is_stopped(&analysis->channels[k]);
            row->satisfies = satisfies;
            return true;
        }
    }
    return false;
}

/* If the releaser of a row of the report is in a dead end, choose the next releaser. If there is
 * none, mark the row as a dead end and choose the first releaser again. Mark a row without a
 * releaser as a dead end. Return true if the row changed. */
static bool gpucmd_priv_nv_revise_releaser(const gpucmd_priv_nv_analysis *analysis,
                                           gpucmd_nv_blocked *row)
{
    const gpucmd_nv_blocked *next = gpucmd_priv_nv_row_of_channel(analysis, row->releaser);
    if (row->dead_end || row->callback ||
        (row->releaser != GPUCMD_NV_NO_CHANNEL && (next == NULL || !next->dead_end))) {
        return false;
    }
    if (row->releaser == GPUCMD_NV_NO_CHANNEL ||
        !gpucmd_priv_nv_choose_releaser(analysis, row, (size_t)row->releaser + 1, row->satisfies)) {
        row->dead_end = true;
        if (row->releaser != GPUCMD_NV_NO_CHANNEL) {
            (void)gpucmd_priv_nv_choose_releaser(analysis, row, 0, row->satisfies);
        }
    }
    return true;
}

/* Set the releaser of each row of the report. Prefer releasers outside dead ends, so that a
 * row becomes a dead end only if all channels that could release it are in dead ends. */
static void gpucmd_priv_nv_find_releasers(const gpucmd_priv_nv_analysis *analysis)
{
    size_t i;
    bool changed = true;
    for (i = 0; i < analysis->rows; i++) {
        gpucmd_nv_blocked *row = &analysis->report->rows[i];
        if (!row->callback && !gpucmd_priv_nv_choose_releaser(analysis, row, 0, true)) {
            (void)gpucmd_priv_nv_choose_releaser(analysis, row, 0, false);
        }
    }
    while (changed) {
        changed = false;
        for (i = 0; i < analysis->rows; i++) {
            changed =
                gpucmd_priv_nv_revise_releaser(analysis, &analysis->report->rows[i]) || changed;
        }
    }
}

/* Set in_cycle of each row of the report whose chain of releasers leads back to the row. */
static void gpucmd_priv_nv_find_cycles(const gpucmd_priv_nv_analysis *analysis)
{
    size_t i, steps;
    for (i = 0; i < analysis->rows; i++) {
        gpucmd_nv_blocked *row = &analysis->report->rows[i];
        const gpucmd_nv_blocked *at = row;
        for (steps = 0; at != NULL && steps < analysis->rows && !row->in_cycle; steps++) {
            row->in_cycle = at->releaser == row->channel;
            at = gpucmd_priv_nv_row_of_channel(analysis, at->releaser);
        }
    }
}

/* Fill the next row of the report for channel k, but leave its releaser unknown. */
static void gpucmd_priv_nv_fill_row(gpucmd_priv_nv_analysis *analysis, size_t k)
{
    const gpucmd_nv_channel *ch = &analysis->channels[k];
    gpucmd_nv_blocked *row = &analysis->report->rows[analysis->rows++];
    gpucmd_priv_nv_seek seek;
    gpucmd_priv_zero(row, sizeof *row);
    row->channel = (uint32_t)k;
    row->id = ch->id;
    row->at_va = gpucmd_priv_nv_channel_at(ch);
    row->releaser = GPUCMD_NV_NO_CHANNEL;
    row->callback = !ch->puller.wait.active;
    if (!row->callback) {
        row->wait = ch->puller.wait;
        gpucmd_priv_nv_seek_init(&seek, ch, analysis->card, &row->wait);
        row->readable = gpucmd_priv_nv_seek_value(&seek, &row->memory);
    }
}

/* Count the blocked channels and fill their rows. Set report->deadlock if a channel is blocked
 * and no channel waits for a callback. */
static void gpucmd_priv_nv_fill_report(gpucmd_priv_nv_analysis *analysis)
{
    size_t k;
    gpucmd_nv_report *report = analysis->report;
    report->count = 0;
    report->deadlock = true;
    for (k = 0; k < analysis->count; k++) {
        const gpucmd_nv_channel *ch = &analysis->channels[k];
        if ((!ch->puller.wait.active && !ch->puller.callback) ||
            gpucmd_priv_nv_channel_is_stopped(ch)) {
            continue;
        }
        report->count++;
        report->deadlock = report->deadlock && ch->puller.wait.active;
        if (report->rows != NULL && analysis->rows < report->cap) {
            gpucmd_priv_nv_fill_row(analysis, k);
        }
    }
    report->deadlock = report->deadlock && report->count != 0;
}

/* State of gpucmd_nv_run_all. */
typedef struct gpucmd_priv_nv_many {
    gpucmd_nv_card *card;
    uint64_t quantum; /* largest number of budget units that a channel may use in a round */
    uint64_t budget;  /* remaining budget units */
    uint64_t half;    /* half of the initial budget units */
    bool late;        /* the second half of the budget has begun */
    uint64_t effects; /* card->effects when the second half of the budget began */
    bool faulted;     /* a channel stopped with an error in the last round */
    bool blocked;     /* a channel waited in the last round */
} gpucmd_priv_nv_many;

/* Execute each channel for at most all->quantum budget units. A channel also stops when half of the
 * whole budget is used, because the livelock test counts the effects of the second half. Return
 * true if a channel used budget, or if a channel had an effect before an error. */
static bool gpucmd_priv_nv_many_round(gpucmd_priv_nv_many *all, gpucmd_nv_channel *channels,
                                      size_t count)
{
    size_t i;
    bool moved = false;
    gpucmd_priv_nv_host h = {NULL, all->card, NULL, 0, NULL, 0};
    all->faulted = false;
    all->blocked = false;
    for (i = 0; i < count && all->budget != 0; i++) {
        const uint64_t effects = all->card->effects;
        if (!all->late && all->budget <= all->half) {
            all->late = true;
            all->effects = all->card->effects;
        }
        uint64_t given = all->budget - (all->late ? 0 : all->half);
        given = all->quantum < given ? all->quantum : given;
        uint64_t left = given;
        h.ch = &channels[i];
        const gpucmd_run run = gpucmd_priv_nv_channel_turn(&h, &left);
        all->budget -= given - left;
        moved =
            moved || left != given || (run == GPUCMD_RUN_FAULT && effects != all->card->effects);
        all->faulted = all->faulted || run == GPUCMD_RUN_FAULT;
        all->blocked = all->blocked || run == GPUCMD_RUN_BLOCKED;
    }
    return moved;
}

GPUCMD_PRIV_API gpucmd_run gpucmd_nv_run_all(gpucmd_nv_channel *channels, size_t count,
                                             gpucmd_nv_card *card, uint64_t quantum,
                                             uint64_t budget, gpucmd_nv_report *report)
{
    gpucmd_priv_nv_many all = {
        card, quantum != 0 ? quantum : 1, budget, budget / 2, false, 0, false, false};
    uint64_t rounds = 0;
    bool moved = true;
    for (; moved && all.budget != 0; rounds++) {
        moved = gpucmd_priv_nv_many_round(&all, channels, count);
    }
    if (report != NULL) {
        gpucmd_priv_nv_analysis analysis = {channels, count, card, report, 0};
        gpucmd_priv_nv_fill_report(&analysis);
        report->rounds = rounds;
        report->deadlock = report->deadlock && !moved;
        report->livelock = moved && all.late && all.effects == card->effects;
        if (report->scratch != NULL && (!moved || report->livelock)) {
            gpucmd_priv_nv_find_releasers(&analysis);
            gpucmd_priv_nv_find_cycles(&analysis);
        }
    }
    if (moved) {
        return GPUCMD_RUN_LIMIT;
    }
    return all.faulted ? GPUCMD_RUN_FAULT : all.blocked ? GPUCMD_RUN_BLOCKED : GPUCMD_RUN_IDLE;
}

/* Return the rank of a reason. gpucmd_nv_run_all_why reports the reason with the highest rank. */
static unsigned gpucmd_priv_nv_why_rank(const gpucmd_why *why)
{
    switch (why->kind) {
    case GPUCMD_WHY_IDLE: return 0;
    case GPUCMD_WHY_WAIT: return 1;
    case GPUCMD_WHY_READY: return 2;
    case GPUCMD_WHY_CALLBACK: return why->status == GPUCMD_BLOCKED ? 1 : 3;
    case GPUCMD_WHY_MEMORY:
    case GPUCMD_WHY_ERROR:
    case GPUCMD_WHY_MODEL:
    case GPUCMD_WHY_DEADLOCK:
    case GPUCMD_WHY_LIVELOCK: break;
    }
    return 3;
}

/* Replace *why by DEADLOCK or LIVELOCK. For DEADLOCK, describe the wait of a channel that is in
 * a cycle, or of the first blocked channel if no channel is in a cycle. For LIVELOCK, keep the
 * wait that *why already describes. */
static void gpucmd_priv_nv_why_lock(const gpucmd_nv_channel *channels, const gpucmd_nv_card *card,
                                    const gpucmd_nv_report *report, gpucmd_why *why)
{
    const size_t rows = report->rows == NULL          ? 0
                        : report->count < report->cap ? report->count
                                                      : report->cap;
    size_t at = 0;
    gpucmd_why one = *why;
    while (at + 1 < rows && !report->rows[at].in_cycle) {
        at++;
    }
    if (report->deadlock && rows != 0) {
        at = report->rows[at].in_cycle ? at : 0;
        gpucmd_nv_channel_why(&channels[report->rows[at].channel], card, &one);
    }
    gpucmd_priv_why_set(why, report->deadlock ? GPUCMD_WHY_DEADLOCK : GPUCMD_WHY_LIVELOCK, one.unit,
                        one.at_va);
    why->name = one.name;
    why->va = one.va;
    why->value = one.value;
}

GPUCMD_PRIV_API void gpucmd_nv_run_all_why(const gpucmd_nv_channel *channels, size_t count,
                                           const gpucmd_nv_card *card,
                                           const gpucmd_nv_report *report, gpucmd_why *why)
{
    size_t i;
    gpucmd_why one;
    gpucmd_priv_why_set(why, GPUCMD_WHY_IDLE, 0, 0);
    for (i = 0; i < count; i++) {
        gpucmd_nv_channel_why(&channels[i], card, &one);
        if (i == 0 || gpucmd_priv_nv_why_rank(&one) > gpucmd_priv_nv_why_rank(why)) {
            *why = one;
        }
    }
    if (report != NULL && (report->deadlock || report->livelock) &&
        gpucmd_priv_nv_why_rank(why) < 3) {
        gpucmd_priv_nv_why_lock(channels, card, report, why);
    }
}

/* ---- text ---- */

/* Print the wait of a row, for example "waits for 0x1000 ACQUIRE 0x5, memory holds 0x0". */
static void gpucmd_priv_nv_print_wait(gpucmd_text *t, const gpucmd_nv_blocked *row)
{
    const gpucmd_nv_wait *wait = &row->wait;
    if (row->callback) {
        gpucmd_text_str(t, "waits for a callback");
        return;
    }
    if (wait->is_fault) {
        gpucmd_text_str(t, "waits for a fault of channel ");
        gpucmd_text_dec(t, (uint32_t)wait->va);
        return;
    }
    if (wait->op == GPUCMD_NV_SEM_OP_NONE) {
        gpucmd_text_str(t, "hangs: the chip has no such operation");
        return;
    }
    gpucmd_text_str(t, wait->is_syncpoint ? "waits for syncpoint 0x" : "waits for 0x");
    gpucmd_text_hex(t, wait->va, 1);
    gpucmd_text_char(t, ' ');
    gpucmd_text_str(t, gpucmd_nv_sem_op_name(wait->op));
    gpucmd_text_str(t, " 0x");
    gpucmd_text_hex(t, wait->payload, 1);
    if (row->readable) {
        gpucmd_text_str(t, wait->is_syncpoint ? ", which holds 0x" : ", memory holds 0x");
        gpucmd_text_hex(t, row->memory, 1);
    }
}

/* Print the releaser of a row, for example "channel 2 would release it, in a cycle". */
static void gpucmd_priv_nv_print_releaser(gpucmd_text *t, const gpucmd_nv_blocked *row)
{
    const bool syncpoint = row->wait.is_syncpoint;
    if (row->callback) {
        gpucmd_text_str(t, "it continues when the callback is ready");
    } else if (row->wait.is_fault) {
        gpucmd_text_str(t, "no channel causes it");
    } else if (row->releaser == GPUCMD_NV_NO_CHANNEL) {
        gpucmd_text_str(t, syncpoint ? "no channel increments it" : "no channel writes there");
    } else {
        gpucmd_text_str(t, "channel ");
        gpucmd_text_dec(t, row->releaser_id);
        gpucmd_text_str(t, row->releaser_stopped ? ", stopped by an error," : "");
        gpucmd_text_str(t, row->satisfies ? " would release it"
                           : syncpoint    ? " increments it, but may not end the wait"
                                          : " writes there, but may not end the wait");
    }
    gpucmd_text_str(t, row->in_cycle ? ", in a cycle" : "");
}

GPUCMD_PRIV_API void gpucmd_nv_print_report(gpucmd_text *t, const gpucmd_nv_report *report)
{
    size_t i;
    const size_t rows = report->rows == NULL          ? 0
                        : report->count < report->cap ? report->count
                                                      : report->cap;
    for (i = 0; i < rows; i++) {
        const gpucmd_nv_blocked *row = &report->rows[i];
        gpucmd_text_str(t, "channel ");
        gpucmd_text_dec(t, row->id);
        gpucmd_text_str(t, " at 0x");
        gpucmd_text_hex(t, row->at_va, 1);
        gpucmd_text_char(t, ' ');
        gpucmd_priv_nv_print_wait(t, row);
        gpucmd_text_str(t, "\n  ");
        gpucmd_priv_nv_print_releaser(t, row);
        gpucmd_text_char(t, '\n');
    }
}

/* ==== [NV.IMPL.KERNEL] ===================================================================== */

/* Define the ioctl structures, for example struct gpucmd_nvgpu_alloc_as_args. Ioctl structures
 * and numbers exist only in the source file that defines GPUCMD_IMPLEMENTATION. */
GPUCMD_LAYOUT_STRUCTS(GPUCMD_NVGPU_STRUCTS)
GPUCMD_LAYOUT_ASSERTS(GPUCMD_NVGPU_STRUCTS)
GPUCMD_LAYOUT_ASSERTS(GPUCMD_NVGPU_CHARACTERISTICS)

/* ---- ioctl numbers ---- */

/* The letter in an ioctl number selects the kind of descriptor. G: control node, A: address
 * space, T: time-slice group (TSG), H: channel, N: /dev/nvmap. */
#define GPUCMD_NVGPU_GPU_IOCTL_ZCULL_GET_CTX_SIZE                                                  \
    GPUCMD_IOR('G', 0x01, struct gpucmd_nvgpu_gpu_zcull_get_ctx_size_args)
#define GPUCMD_NVGPU_GPU_IOCTL_GET_CHARACTERISTICS                                                 \
    GPUCMD_IOWR('G', 0x05, struct gpucmd_nvgpu_gpu_get_characteristics)
#define GPUCMD_NVGPU_GPU_IOCTL_ALLOC_AS GPUCMD_IOWR('G', 0x08, struct gpucmd_nvgpu_alloc_as_args)
#define GPUCMD_NVGPU_GPU_IOCTL_OPEN_TSG                                                            \
    GPUCMD_IOWR('G', 0x09, struct gpucmd_nvgpu_gpu_open_tsg_args)
#define GPUCMD_NVGPU_GPU_IOCTL_GET_TPC_MASKS                                                       \
    GPUCMD_IOWR('G', 0x0a, struct gpucmd_nvgpu_gpu_get_tpc_masks_args)
#define GPUCMD_NVGPU_GPU_IOCTL_OPEN_CHANNEL                                                        \
    GPUCMD_IOWR('G', 0x0b, struct gpucmd_nvgpu_gpu_open_channel_args)
#define GPUCMD_NVGPU_GPU_IOCTL_FLUSH_L2 GPUCMD_IOWR('G', 0x0c, struct gpucmd_nvgpu_gpu_l2_fb_args)
#define GPUCMD_NVGPU_GPU_IOCTL_NUM_VSMS GPUCMD_IOWR('G', 0x12, struct gpucmd_nvgpu_gpu_num_vsms)
#define GPUCMD_NVGPU_GPU_IOCTL_VSMS_MAPPING                                                        \
    GPUCMD_IOWR('G', 0x13, struct gpucmd_nvgpu_gpu_vsms_mapping)
#define GPUCMD_NVGPU_GPU_IOCTL_GET_CPU_TIME_CORRELATION_INFO                                       \
    GPUCMD_IOWR('G', 0x18, struct gpucmd_nvgpu_gpu_get_cpu_time_correlation_info_args)
#define GPUCMD_NVGPU_GPU_IOCTL_GET_GPU_TIME                                                        \
    GPUCMD_IOWR('G', 0x19, struct gpucmd_nvgpu_gpu_get_gpu_time_args)
#define GPUCMD_NVGPU_GPU_IOCTL_GET_ENGINE_INFO                                                     \
    GPUCMD_IOWR('G', 0x1a, struct gpucmd_nvgpu_gpu_get_engine_info_args)
#define GPUCMD_NVGPU_GPU_IOCTL_GET_MEMORY_STATE                                                    \
    GPUCMD_IOWR('G', 0x21, struct gpucmd_nvgpu_gpu_get_memory_state_args)
#define GPUCMD_NVGPU_GPU_IOCTL_SET_DETERMINISTIC_OPTS                                              \
    GPUCMD_IOWR('G', 0x28, struct gpucmd_nvgpu_gpu_set_deterministic_opts_args)
#define GPUCMD_NVGPU_GPU_IOCTL_REGISTER_BUFFER                                                     \
    GPUCMD_IOWR('G', 0x29, struct gpucmd_nvgpu_gpu_register_buffer_args)
#define GPUCMD_NVGPU_GPU_IOCTL_GET_BUFFER_INFO                                                     \
    GPUCMD_IOWR('G', 0x2a, struct gpucmd_nvgpu_gpu_get_buffer_info_args)
#define GPUCMD_NVGPU_AS_IOCTL_BIND_CHANNEL                                                         \
    GPUCMD_IOWR('A', 0x01, struct gpucmd_nvgpu_as_bind_channel_args)
#define GPUCMD_NVGPU32_AS_IOCTL_ALLOC_SPACE                                                        \
    GPUCMD_IOWR('A', 0x02, struct gpucmd_nvgpu32_as_alloc_space_args)
#define GPUCMD_NVGPU_AS_IOCTL_FREE_SPACE                                                           \
    GPUCMD_IOWR('A', 0x03, struct gpucmd_nvgpu_as_free_space_args)
#define GPUCMD_NVGPU_AS_IOCTL_UNMAP_BUFFER                                                         \
    GPUCMD_IOWR('A', 0x05, struct gpucmd_nvgpu_as_unmap_buffer_args)
#define GPUCMD_NVGPU_AS_IOCTL_ALLOC_SPACE                                                          \
    GPUCMD_IOWR('A', 0x06, struct gpucmd_nvgpu_as_alloc_space_args)
#define GPUCMD_NVGPU_AS_IOCTL_MAP_BUFFER_EX                                                        \
    GPUCMD_IOWR('A', 0x07, struct gpucmd_nvgpu_as_map_buffer_ex_args)
#define GPUCMD_NVGPU_AS_IOCTL_GET_VA_REGIONS                                                       \
    GPUCMD_IOWR('A', 0x08, struct gpucmd_nvgpu_as_get_va_regions_args)
#define GPUCMD_NVGPU_AS_IOCTL_GET_BUFFER_COMPBITS_INFO                                             \
    GPUCMD_IOWR('A', 0x09, struct gpucmd_nvgpu_as_get_buffer_compbits_info_args)
#define GPUCMD_NVGPU_AS_IOCTL_MAP_BUFFER_COMPBITS                                                  \
    GPUCMD_IOWR('A', 0x0a, struct gpucmd_nvgpu_as_map_buffer_compbits_args)
#define GPUCMD_NVGPU_AS_IOCTL_MAP_BUFFER_BATCH                                                     \
    GPUCMD_IOWR('A', 0x0b, struct gpucmd_nvgpu_as_map_buffer_batch_args)
#define GPUCMD_NVGPU_AS_IOCTL_GET_SYNC_RO_MAP                                                      \
    GPUCMD_IOR('A', 0x0c, struct gpucmd_nvgpu_as_get_sync_ro_map_args)
#define GPUCMD_NVGPU_AS_IOCTL_MAPPING_MODIFY                                                       \
    GPUCMD_IOWR('A', 0x0d, struct gpucmd_nvgpu_as_mapping_modify_args)
#define GPUCMD_NVGPU_AS_IOCTL_REMAP GPUCMD_IOWR('A', 0x0e, struct gpucmd_nvgpu_as_remap_args)

#define GPUCMD_NVGPU_TSG_IOCTL_BIND_CHANNEL   GPUCMD_IOW('T', 0x01, int32_t)
#define GPUCMD_NVGPU_TSG_IOCTL_UNBIND_CHANNEL GPUCMD_IOW('T', 0x02, int32_t)
#define GPUCMD_NVGPU_IOCTL_TSG_ENABLE         GPUCMD_IO('T', 0x03)
#define GPUCMD_NVGPU_IOCTL_TSG_DISABLE        GPUCMD_IO('T', 0x04)
#define GPUCMD_NVGPU_IOCTL_TSG_PREEMPT        GPUCMD_IO('T', 0x05)
#define GPUCMD_NVGPU_IOCTL_TSG_EVENT_ID_CTRL                                                       \
    GPUCMD_IOWR('T', 0x07, struct gpucmd_nvgpu_event_id_ctrl_args)
#define GPUCMD_NVGPU_IOCTL_TSG_SET_RUNLIST_INTERLEAVE                                              \
    GPUCMD_IOW('T', 0x08, struct gpucmd_nvgpu_runlist_interleave_args)
#define GPUCMD_NVGPU_IOCTL_TSG_SET_TIMESLICE                                                       \
    GPUCMD_IOW('T', 0x09, struct gpucmd_nvgpu_timeslice_args)
#define GPUCMD_NVGPU_IOCTL_TSG_GET_TIMESLICE                                                       \
    GPUCMD_IOR('T', 0x0a, struct gpucmd_nvgpu_timeslice_args)
#define GPUCMD_NVGPU_TSG_IOCTL_BIND_CHANNEL_EX                                                     \
    GPUCMD_IOWR('T', 0x0b, struct gpucmd_nvgpu_tsg_bind_channel_ex_args)
#define GPUCMD_NVGPU_TSG_IOCTL_READ_SINGLE_SM_ERROR_STATE                                          \
    GPUCMD_IOWR('T', 0x0c, struct gpucmd_nvgpu_tsg_read_single_sm_error_state_args)
#define GPUCMD_NVGPU_TSG_IOCTL_SET_L2_MAX_WAYS_EVICT_LAST                                          \
    GPUCMD_IOW('T', 0x0d, struct gpucmd_nvgpu_tsg_l2_max_ways_evict_last_args)
#define GPUCMD_NVGPU_TSG_IOCTL_GET_L2_MAX_WAYS_EVICT_LAST                                          \
    GPUCMD_IOR('T', 0x0e, struct gpucmd_nvgpu_tsg_l2_max_ways_evict_last_args)
#define GPUCMD_NVGPU_TSG_IOCTL_SET_L2_SECTOR_PROMOTION                                             \
    GPUCMD_IOW('T', 0x0f, struct gpucmd_nvgpu_tsg_set_l2_sector_promotion_args)
#define GPUCMD_NVGPU_TSG_IOCTL_BIND_SCHEDULING_DOMAIN                                              \
    GPUCMD_IOW('T', 0x10, struct gpucmd_nvgpu_tsg_bind_scheduling_domain_args)
#define GPUCMD_NVGPU_TSG_IOCTL_READ_ALL_SM_ERROR_STATES                                            \
    GPUCMD_IOWR('T', 0x11, struct gpucmd_nvgpu_tsg_read_all_sm_error_state_args)
#define GPUCMD_NVGPU_TSG_IOCTL_CREATE_SUBCONTEXT                                                   \
    GPUCMD_IOWR('T', 0x12, struct gpucmd_nvgpu_tsg_create_subcontext_args)
#define GPUCMD_NVGPU_TSG_IOCTL_DELETE_SUBCONTEXT                                                   \
    GPUCMD_IOW('T', 0x13, struct gpucmd_nvgpu_tsg_delete_subcontext_args)
#define GPUCMD_NVGPU_TSG_IOCTL_GET_SHARE_TOKEN                                                     \
    GPUCMD_IOWR('T', 0x14, struct gpucmd_nvgpu_tsg_get_share_token_args)
#define GPUCMD_NVGPU_TSG_IOCTL_REVOKE_SHARE_TOKEN                                                  \
    GPUCMD_IOW('T', 0x15, struct gpucmd_nvgpu_tsg_revoke_share_token_args)
#define GPUCMD_NVGPU_IOCTL_CHANNEL_SET_NVMAP_FD                                                    \
    GPUCMD_IOW('H', 0x05, struct gpucmd_nvgpu_set_nvmap_fd_args)
#define GPUCMD_NVGPU_IOCTL_CHANNEL_SET_TIMEOUT                                                     \
    GPUCMD_IOW('H', 0x0b, struct gpucmd_nvgpu_set_timeout_args)
#define GPUCMD_NVGPU_IOCTL_CHANNEL_GET_TIMEDOUT                                                    \
    GPUCMD_IOR('H', 0x0c, struct gpucmd_nvgpu_get_param_args)
#define GPUCMD_NVGPU_IOCTL_CHANNEL_SET_TIMEOUT_EX                                                  \
    GPUCMD_IOWR('H', 0x12, struct gpucmd_nvgpu_set_timeout_ex_args)
#define GPUCMD_NVGPU_IOCTL_CHANNEL_WAIT GPUCMD_IOWR('H', 0x66, struct gpucmd_nvgpu_wait_args)
#define GPUCMD_NVGPU_IOCTL_CHANNEL_SUBMIT_GPFIFO                                                   \
    GPUCMD_IOWR('H', 0x6b, struct gpucmd_nvgpu_submit_gpfifo_args)
#define GPUCMD_NVGPU_IOCTL_CHANNEL_ALLOC_OBJ_CTX                                                   \
    GPUCMD_IOWR('H', 0x6c, struct gpucmd_nvgpu_alloc_obj_ctx_args)
#define GPUCMD_NVGPU_IOCTL_CHANNEL_ZCULL_BIND                                                      \
    GPUCMD_IOWR('H', 0x6e, struct gpucmd_nvgpu_zcull_bind_args)
#define GPUCMD_NVGPU_IOCTL_CHANNEL_SET_ERROR_NOTIFIER                                              \
    GPUCMD_IOWR('H', 0x6f, struct gpucmd_nvgpu_set_error_notifier)
#define GPUCMD_NVGPU_IOCTL_CHANNEL_OPEN GPUCMD_IOR('H', 0x70, struct gpucmd_nvgpu_channel_open_args)

#define GPUCMD_NVGPU_IOCTL_CHANNEL_ENABLE      GPUCMD_IO('H', 0x71)
#define GPUCMD_NVGPU_IOCTL_CHANNEL_DISABLE     GPUCMD_IO('H', 0x72)
#define GPUCMD_NVGPU_IOCTL_CHANNEL_PREEMPT     GPUCMD_IO('H', 0x73)
#define GPUCMD_NVGPU_IOCTL_CHANNEL_FORCE_RESET GPUCMD_IO('H', 0x74)
#define GPUCMD_NVGPU_IOCTL_CHANNEL_EVENT_ID_CTRL                                                   \
    GPUCMD_IOWR('H', 0x75, struct gpucmd_nvgpu_event_id_ctrl_args)
#define GPUCMD_NVGPU_IOCTL_CHANNEL_WDT GPUCMD_IOW('H', 0x77, struct gpucmd_nvgpu_channel_wdt_args)
#define GPUCMD_NVGPU_IOCTL_CHANNEL_SET_RUNLIST_INTERLEAVE                                          \
    GPUCMD_IOW('H', 0x78, struct gpucmd_nvgpu_runlist_interleave_args)
#define GPUCMD_NVGPU_IOCTL_CHANNEL_SET_PREEMPTION_MODE                                             \
    GPUCMD_IOW('H', 0x7a, struct gpucmd_nvgpu_preemption_mode_args)
#define GPUCMD_NVGPU_IOCTL_CHANNEL_ALLOC_GPFIFO_EX                                                 \
    GPUCMD_IOW('H', 0x7b, struct gpucmd_nvgpu_alloc_gpfifo_ex_args)
#define GPUCMD_NVGPU_IOCTL_CHANNEL_SET_BOOSTED_CTX                                                 \
    GPUCMD_IOW('H', 0x7c, struct gpucmd_nvgpu_boosted_ctx_args)
#define GPUCMD_NVGPU_IOCTL_CHANNEL_GET_USER_SYNCPOINT                                              \
    GPUCMD_IOR('H', 0x7e, struct gpucmd_nvgpu_get_user_syncpoint_args)
#define GPUCMD_NVGPU_IOCTL_CHANNEL_RESCHEDULE_RUNLIST                                              \
    GPUCMD_IOW('H', 0x7f, struct gpucmd_nvgpu_reschedule_runlist_args)
#define GPUCMD_NVGPU_IOCTL_CHANNEL_SETUP_BIND                                                      \
    GPUCMD_IOWR('H', 0x80, struct gpucmd_nvgpu_channel_setup_bind_args)
#define GPUCMD_NVMAP_IOC_CREATE     GPUCMD_IOWR('N', 0x00, struct gpucmd_nvmap_create_handle)
#define GPUCMD_NVMAP_IOC_CREATE_64  GPUCMD_IOWR('N', 0x01, struct gpucmd_nvmap_create_handle)
#define GPUCMD_NVMAP_IOC_FROM_ID    GPUCMD_IOWR('N', 0x02, struct gpucmd_nvmap_create_handle)
#define GPUCMD_NVMAP_IOC_ALLOC      GPUCMD_IOW('N', 0x03, struct gpucmd_nvmap_alloc_handle)
#define GPUCMD_NVMAP_IOC_FREE       GPUCMD_IO('N', 0x04)
#define GPUCMD_NVMAP_IOC_WRITE      GPUCMD_IOW('N', 0x06, struct gpucmd_nvmap_rw_handle)
#define GPUCMD_NVMAP_IOC_READ       GPUCMD_IOW('N', 0x07, struct gpucmd_nvmap_rw_handle)
#define GPUCMD_NVMAP_IOC_PARAM      GPUCMD_IOWR('N', 0x08, struct gpucmd_nvmap_handle_param)
#define GPUCMD_NVMAP_IOC_CACHE      GPUCMD_IOW('N', 0x0c, struct gpucmd_nvmap_cache_op)
#define GPUCMD_NVMAP_IOC_CACHE_64   GPUCMD_IOW('N', 0x0c, struct gpucmd_nvmap_cache_op_64)
#define GPUCMD_NVMAP_IOC_GET_ID     GPUCMD_IOWR('N', 0x0d, struct gpucmd_nvmap_create_handle)
#define GPUCMD_NVMAP_IOC_GET_FD     GPUCMD_IOWR('N', 0x0f, struct gpucmd_nvmap_create_handle)
#define GPUCMD_NVMAP_IOC_FROM_FD    GPUCMD_IOWR('N', 0x10, struct gpucmd_nvmap_create_handle)
#define GPUCMD_NVMAP_IOC_CACHE_LIST GPUCMD_IOW('N', 0x11, struct gpucmd_nvmap_cache_op_list)

#define GPUCMD_NVMAP_IOC_FROM_VA GPUCMD_IOWR('N', 0x16, struct gpucmd_nvmap_create_handle_from_va)

#define GPUCMD_NVMAP_IOC_SET_TAG_LABEL GPUCMD_IOW('N', 0x18, struct gpucmd_nvmap_set_tag_label)
#define GPUCMD_NVMAP_IOC_GET_AVAILABLE_HEAPS                                                       \
    GPUCMD_IOR('N', 0x19, struct gpucmd_nvmap_available_heaps)
#define GPUCMD_NVMAP_IOC_GET_HEAP_SIZE GPUCMD_IOR('N', 0x1a, struct gpucmd_nvmap_heap_size)
#define GPUCMD_NVMAP_IOC_PARAMETERS    GPUCMD_IOR('N', 0x1b, struct gpucmd_nvmap_handle_parameters)
#define GPUCMD_NVMAP_IOC_QUERY_HEAP_PARAMS                                                         \
    GPUCMD_IOR('N', 0x69, struct gpucmd_nvmap_query_heap_params)
#define GPUCMD_NVMAP_IOC_DUP_HANDLE GPUCMD_IOWR('N', 0x6a, struct gpucmd_nvmap_duplicate_handle)
#define GPUCMD_NVMAP_IOC_GET_FD_FOR_RANGE_FROM_LIST                                                \
    GPUCMD_IOR('N', 0x6b, struct gpucmd_nvmap_fd_for_range_from_list)

/* Indexes of the rows of GPUCMD_NVGPU_IOCTLS; the last value is the number of rows. */
#define GPUCMD_NV_PRIV_IOCTL(name, handler, errors) GPUCMD_PRIV_NVGPU_ROW_##name,
typedef enum gpucmd_priv_nvgpu_row {
    GPUCMD_NVGPU_IOCTLS(GPUCMD_NV_PRIV_IOCTL) GPUCMD_PRIV_NVGPU_ROWS,
} gpucmd_priv_nvgpu_row;
#undef GPUCMD_NV_PRIV_IOCTL

/* Return the row of an ioctl number, or GPUCMD_PRIV_NVGPU_ROWS if no row has this number. */
static gpucmd_priv_nvgpu_row gpucmd_priv_nvgpu_find_row(uint32_t number)
{
#define GPUCMD_NV_PRIV_IOCTL(name, handler, errors) GPUCMD_##name,
    static const uint32_t numbers[] = {GPUCMD_NVGPU_IOCTLS(GPUCMD_NV_PRIV_IOCTL)};
#undef GPUCMD_NV_PRIV_IOCTL
    uint32_t i = 0;
    while (i < GPUCMD_PRIV_NVGPU_ROWS && numbers[i] != number) {
        i++;
    }
    return (gpucmd_priv_nvgpu_row)i;
}

GPUCMD_PRIV_API const char *gpucmd_nvgpu_ioctl_name(uint32_t number)
{
    return gpucmd_priv_row_text(GPUCMD_NVGPU_IOCTLS(GPUCMD_PRIV_ROW_NAME),
                                (size_t)gpucmd_priv_nvgpu_find_row(number));
}

GPUCMD_PRIV_TEXT_FUNCTION(gpucmd_nvgpu_step_name, gpucmd_nvgpu_step,
                          GPUCMD_NVGPU_STEPS(GPUCMD_PRIV_ROW_NAME))
GPUCMD_PRIV_TEXT_FUNCTION(gpucmd_nvgpu_step_text, gpucmd_nvgpu_step,
                          GPUCMD_NVGPU_STEPS(GPUCMD_PRIV_ROW_TEXT_2))

/* ---- calls ---- */

/* Record in g a step that failed without an errno, and return status. */
static gpucmd_status gpucmd_priv_nvgpu_fail(gpucmd_nvgpu *g, gpucmd_nvgpu_step step,
                                            gpucmd_status status)
{
    g->step = step;
    g->error = 0;
    return status;
}

/* Convert the result of a system call (parameter result) to a status: 0 to GPUCMD_OK, other values
 * to GPUCMD_FAULT. On GPUCMD_FAULT also record step and errno in g. A positive result counts as
 * EFAULT, because the driver could not copy its results to the process. */
static gpucmd_status gpucmd_priv_nvgpu_result(gpucmd_nvgpu *g, gpucmd_nvgpu_step step, int result)
{
    if (result == 0) {
        return GPUCMD_OK;
    }
    g->step = step;
    g->error = result > 0 ? (int)GPUCMD_SYS_EFAULT : -result;
    return GPUCMD_FAULT;
}

/* Make the ioctl of a step, and convert its result with gpucmd_priv_nvgpu_result. */
static gpucmd_status gpucmd_priv_nvgpu_ioctl(gpucmd_nvgpu *g, gpucmd_nvgpu_step step, int fd,
                                             uint32_t number, void *arg)
{
    return gpucmd_priv_nvgpu_result(g, step, g->sys->sys_ioctl(g->sys->user, fd, number, arg));
}

/* Close *fd if it is open. */
static void gpucmd_priv_nvgpu_close_fd(const gpucmd_nvgpu *g, int *fd)
{
    if (*fd >= 0) {
        (void)g->sys->sys_close(g->sys->user, *fd);
        *fd = -1;
    }
}

/* Open the device node with this path, and write the descriptor to *fd. */
static gpucmd_status gpucmd_priv_nvgpu_node(gpucmd_nvgpu *g, gpucmd_nvgpu_step step,
                                            const char *path, int *fd)
{
    const int result =
        g->sys->sys_open(g->sys->user, path, GPUCMD_SYS_O_RDWR | (uint32_t)GPUCMD_SYS_O_CLOEXEC);
    if (result < 0) {
        return gpucmd_priv_nvgpu_result(g, step, result);
    }
    *fd = result;
    return GPUCMD_OK;
}

/* Read the characteristics of the GPU to g->gpu. GPUCMD_UNSUPPORTED: the kernel has a shorter
 * structure, or the GPU lacks one of GPUCMD_NVGPU_FLAGS_NEEDED. */
static gpucmd_status gpucmd_priv_nvgpu_read_gpu(gpucmd_nvgpu *g)
{
    struct gpucmd_nvgpu_gpu_get_characteristics args;
    gpucmd_priv_zero(&g->gpu, sizeof g->gpu);
    args.gpu_characteristics_buf_size = sizeof g->gpu;
    args.gpu_characteristics_buf_addr = (uintptr_t)&g->gpu;
    const gpucmd_status status =
        gpucmd_priv_nvgpu_ioctl(g, GPUCMD_NVGPU_STEP_GET_CHARACTERISTICS, g->ctrl_fd,
                                GPUCMD_NVGPU_GPU_IOCTL_GET_CHARACTERISTICS, &args);
    if (status != GPUCMD_OK) {
        return status;
    }
    if (args.gpu_characteristics_buf_size < sizeof g->gpu ||
        (g->gpu.flags & GPUCMD_NVGPU_FLAGS_NEEDED) != GPUCMD_NVGPU_FLAGS_NEEDED) {
        return gpucmd_priv_nvgpu_fail(g, GPUCMD_NVGPU_STEP_GET_CHARACTERISTICS, GPUCMD_UNSUPPORTED);
    }
    return GPUCMD_OK;
}

GPUCMD_PRIV_API void gpucmd_nvgpu_close(gpucmd_nvgpu *g)
{
    if (g->usermode != NULL) {
        (void)g->sys->sys_munmap(g->sys->user, g->usermode, GPUCMD_NVGPU_USERMODE_BYTES);
        g->usermode = NULL;
    }
    g->has_subcontext = false;
    gpucmd_priv_nvgpu_close_fd(g, &g->tsg_fd);
    gpucmd_priv_nvgpu_close_fd(g, &g->as_fd);
    gpucmd_priv_nvgpu_close_fd(g, &g->nvmap_fd);
    gpucmd_priv_nvgpu_close_fd(g, &g->ctrl_fd);
}

GPUCMD_PRIV_API gpucmd_status gpucmd_nvgpu_open(gpucmd_nvgpu *g, const gpucmd_sys_ops *sys)
{
    gpucmd_priv_zero(g, sizeof *g);
    g->sys = sys;
    g->step = GPUCMD_NVGPU_STEP_NONE;
    g->nvmap_fd = -1;
    g->ctrl_fd = -1;
    g->as_fd = -1;
    g->tsg_fd = -1;
    g->first_va = GPUCMD_NVGPU_VA_START;
    g->end_va = GPUCMD_NVGPU_VA_END;
    g->local_va = GPUCMD_NVGPU_LOCAL_WINDOW_VA;
    g->shared_va = GPUCMD_NVGPU_SHARED_WINDOW_VA;
    g->window_bytes = GPUCMD_NVGPU_WINDOW_BYTES;
    gpucmd_status status =
        gpucmd_priv_nvgpu_node(g, GPUCMD_NVGPU_STEP_OPEN_NVMAP, "/dev/nvmap", &g->nvmap_fd);
    if (status == GPUCMD_OK) {
        status = gpucmd_priv_nvgpu_node(g, GPUCMD_NVGPU_STEP_OPEN_CTRL, "/dev/nvgpu/igpu0/ctrl",
                                        &g->ctrl_fd);
    }
    status = status == GPUCMD_OK ? gpucmd_priv_nvgpu_read_gpu(g) : status;
    if (status != GPUCMD_OK) {
        gpucmd_nvgpu_close(g);
    }
    return status;
}

/* Return true if the range [va, va + bytes) is inside [lo, hi). */
static bool gpucmd_priv_nvgpu_inside(uint64_t va, uint64_t bytes, uint64_t lo, uint64_t hi)
{
    return va >= lo && va < hi && bytes <= hi - va;
}

/* Return true if the ranges [a, a + a_bytes) and [b, b + b_bytes) share an address. No range may
 * extend above 2^64. */
static bool gpucmd_priv_nvgpu_overlap(uint64_t a, uint64_t a_bytes, uint64_t b, uint64_t b_bytes)
{
    return a < b ? b - a < a_bytes : a - b < b_bytes;
}

/* Reserve the shader window that begins at va, so that no buffer is mapped there. */
static gpucmd_status gpucmd_priv_nvgpu_reserve(gpucmd_nvgpu *g, uint64_t va)
{
    struct gpucmd_nvgpu_as_alloc_space_args args;
    gpucmd_priv_zero(&args, sizeof args);
    args.pages = g->window_bytes >> 12;
    args.page_size = GPUCMD_NVGPU_PAGE_BYTES;
    args.flags = GPUCMD_NVGPU_AS_ALLOC_SPACE_FIXED_OFFSET;
    args.o_a.offset = va;
    return gpucmd_priv_nvgpu_ioctl(g, GPUCMD_NVGPU_STEP_ALLOC_SPACE, g->as_fd,
                                   GPUCMD_NVGPU_AS_IOCTL_ALLOC_SPACE, &args);
}

/* Check the members of g that the caller may write before gpucmd_nvgpu_alloc_as: first_va, end_va,
 * local_va, shared_va and window_bytes. */
static gpucmd_status gpucmd_priv_nvgpu_check_as(const gpucmd_nvgpu *g)
{
    if ((g->first_va | g->end_va) % GPUCMD_NVGPU_VA_ALIGN != 0 ||
        (g->local_va | g->shared_va | g->window_bytes) % GPUCMD_NVGPU_PAGE_BYTES != 0) {
        return GPUCMD_ALIGN;
    }
    if (g->first_va == 0 || g->end_va > GPUCMD_NVGPU_VA_LIMIT - GPUCMD_NVGPU_KERNEL_VA_BYTES ||
        g->window_bytes == 0 ||
        !gpucmd_priv_nvgpu_inside(g->local_va, g->window_bytes, g->first_va, g->end_va) ||
        !gpucmd_priv_nvgpu_inside(g->shared_va, g->window_bytes, g->first_va, g->end_va) ||
        gpucmd_priv_nvgpu_overlap(g->local_va, g->window_bytes, g->shared_va, g->window_bytes)) {
        return GPUCMD_RANGE;
    }
    return GPUCMD_OK;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_nvgpu_alloc_as(gpucmd_nvgpu *g)
{
    struct gpucmd_nvgpu_alloc_as_args args;
    gpucmd_status status = g->as_fd >= 0 ? GPUCMD_ORDER : gpucmd_priv_nvgpu_check_as(g);
    if (status != GPUCMD_OK) {
        return gpucmd_priv_nvgpu_fail(g, GPUCMD_NVGPU_STEP_ALLOC_AS, status);
    }
    gpucmd_priv_zero(&args, sizeof args);
    args.flags = GPUCMD_NVGPU_AS_UNIFIED_VA;
    args.va_range_start = g->first_va;
    args.va_range_end = g->end_va;
    status = gpucmd_priv_nvgpu_ioctl(g, GPUCMD_NVGPU_STEP_ALLOC_AS, g->ctrl_fd,
                                     GPUCMD_NVGPU_GPU_IOCTL_ALLOC_AS, &args);
    if (status != GPUCMD_OK) {
        return status;
    }
    g->as_fd = args.as_fd;
    status = gpucmd_priv_nvgpu_reserve(g, g->local_va);
    status = status == GPUCMD_OK ? gpucmd_priv_nvgpu_reserve(g, g->shared_va) : status;
    if (status != GPUCMD_OK) {
        gpucmd_priv_nvgpu_close_fd(g, &g->as_fd);
    }
    return status;
}

/* Fill *map with a request to map the first `bytes` bytes of fd at addr, readable and writable. */
static void gpucmd_priv_nvgpu_fill_map(gpucmd_sys_map *map, void *addr, uint64_t bytes,
                                       uint32_t flags, int fd)
{
    map->addr = addr;
    map->len_bytes = (size_t)bytes;
    map->prot = GPUCMD_SYS_PROT_READ | (uint32_t)GPUCMD_SYS_PROT_WRITE;
    map->flags = flags;
    map->fd = fd;
    map->off_bytes = 0;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_nvgpu_map_usermode(gpucmd_nvgpu *g)
{
    gpucmd_sys_map map;
    if (g->usermode != NULL) {
        return gpucmd_priv_nvgpu_fail(g, GPUCMD_NVGPU_STEP_MAP_USERMODE, GPUCMD_ORDER);
    }
    gpucmd_priv_nvgpu_fill_map(&map, NULL, GPUCMD_NVGPU_USERMODE_BYTES, GPUCMD_SYS_MAP_SHARED,
                               g->ctrl_fd);
    const gpucmd_status status = gpucmd_priv_nvgpu_result(g, GPUCMD_NVGPU_STEP_MAP_USERMODE,
                                                          g->sys->sys_mmap(g->sys->user, &map));
    if (status == GPUCMD_OK) {
        g->usermode = map.addr;
    }
    return status;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_nvgpu_open_tsg(gpucmd_nvgpu *g)
{
    struct gpucmd_nvgpu_gpu_open_tsg_args args;
    if (g->tsg_fd >= 0) {
        return gpucmd_priv_nvgpu_fail(g, GPUCMD_NVGPU_STEP_OPEN_TSG, GPUCMD_ORDER);
    }
    gpucmd_priv_zero(&args, sizeof args);
    const gpucmd_status status = gpucmd_priv_nvgpu_ioctl(g, GPUCMD_NVGPU_STEP_OPEN_TSG, g->ctrl_fd,
                                                         GPUCMD_NVGPU_GPU_IOCTL_OPEN_TSG, &args);
    if (status == GPUCMD_OK) {
        g->tsg_fd = (int)args.tsg_fd;
    }
    return status;
}

/* Create the asynchronous subcontext of the group, and store its number to g->veid. */
static gpucmd_status gpucmd_priv_nvgpu_make_subcontext(gpucmd_nvgpu *g)
{
    struct gpucmd_nvgpu_tsg_create_subcontext_args args;
    gpucmd_priv_zero(&args, sizeof args);
    args.type = GPUCMD_NVGPU_SUBCONTEXT_ASYNC;
    args.as_fd = g->as_fd;
    const gpucmd_status status =
        gpucmd_priv_nvgpu_ioctl(g, GPUCMD_NVGPU_STEP_CREATE_SUBCONTEXT, g->tsg_fd,
                                GPUCMD_NVGPU_TSG_IOCTL_CREATE_SUBCONTEXT, &args);
    if (status == GPUCMD_OK) {
        g->veid = args.veid;
        g->has_subcontext = true;
        g->subcontext_gone = false;
    }
    return status;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_nvgpu_create_subcontext(gpucmd_nvgpu *g)
{
    if (g->has_subcontext || g->as_fd < 0 || g->tsg_fd < 0) {
        return gpucmd_priv_nvgpu_fail(g, GPUCMD_NVGPU_STEP_CREATE_SUBCONTEXT, GPUCMD_ORDER);
    }
    return gpucmd_priv_nvgpu_make_subcontext(g);
}

GPUCMD_PRIV_API void gpucmd_nvgpu_delete_subcontext(gpucmd_nvgpu *g)
{
    struct gpucmd_nvgpu_tsg_delete_subcontext_args args;
    if (!g->has_subcontext || g->channels != 0) {
        return;
    }
    if (!g->subcontext_gone) {
        args.veid = g->veid;
        args.reserved = 0;
        (void)g->sys->sys_ioctl(g->sys->user, g->tsg_fd, GPUCMD_NVGPU_TSG_IOCTL_DELETE_SUBCONTEXT,
                                &args);
    }
    g->has_subcontext = false;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_nvgpu_start(gpucmd_nvgpu *g, const gpucmd_sys_ops *sys)
{
    gpucmd_status status = gpucmd_nvgpu_open(g, sys);
    status = status == GPUCMD_OK ? gpucmd_nvgpu_alloc_as(g) : status;
    status = status == GPUCMD_OK ? gpucmd_nvgpu_map_usermode(g) : status;
    status = status == GPUCMD_OK ? gpucmd_nvgpu_open_tsg(g) : status;
    status = status == GPUCMD_OK ? gpucmd_nvgpu_create_subcontext(g) : status;
    if (status != GPUCMD_OK) {
        gpucmd_nvgpu_close(g);
    }
    return status;
}

/* ---- buffers ---- */

GPUCMD_PRIV_API void gpucmd_nvgpu_buffer_req_init(gpucmd_nvgpu_buffer_req *req, uint64_t bytes,
                                                  bool device)
{
    gpucmd_priv_zero(req, sizeof *req);
    req->bytes = bytes;
    req->cache = device ? GPUCMD_NVMAP_INNER_CACHEABLE : GPUCMD_NVMAP_WRITE_COMBINE;
    req->heap_mask = GPUCMD_NVMAP_HEAP_IOVMM;
    req->tag = GPUCMD_NVMAP_TAG_DEFAULT;
    req->align = device && bytes >= (uint64_t)8 << 20 ? (uint32_t)2 << 20
                                                      : (uint32_t)GPUCMD_NVGPU_PAGE_BYTES;
    req->map_gpu = true;
    req->map_cpu = true;
}

/* Check the values of a buffer request before the first system call. */
static gpucmd_status gpucmd_priv_nvgpu_check_req(const gpucmd_nvgpu *g,
                                                 const gpucmd_nvgpu_buffer_req *req)
{
    if (req->bytes == 0 || req->bytes > GPUCMD_NVGPU_VA_LIMIT || req->tag > 0xffff ||
        req->cache > GPUCMD_NVMAP_CACHE_MASK || req->heap_mask == 0) {
        return GPUCMD_RANGE;
    }
    if (req->align < GPUCMD_NVGPU_PAGE_BYTES || (req->align & (req->align - 1)) != 0) {
        return GPUCMD_ALIGN;
    }
    if (req->map_gpu && g->as_fd < 0) {
        return GPUCMD_ORDER;
    }
    return GPUCMD_OK;
}

GPUCMD_PRIV_API void gpucmd_nvgpu_buffer_free(gpucmd_nvgpu *g, gpucmd_nvgpu_buffer *buffer)
{
    if (buffer->va != 0) {
        struct gpucmd_nvgpu_as_unmap_buffer_args args;
        args.offset = buffer->va;
        (void)g->sys->sys_ioctl(g->sys->user, g->as_fd, GPUCMD_NVGPU_AS_IOCTL_UNMAP_BUFFER, &args);
        buffer->va = 0;
    }
    if (buffer->cpu != NULL) {
        (void)g->sys->sys_munmap(g->sys->user, buffer->cpu, (size_t)buffer->bytes);
        buffer->cpu = NULL;
    }
    gpucmd_priv_nvgpu_close_fd(g, &buffer->fd);
    if (buffer->handle != 0) { /* the argument of FREE is the handle, not a pointer */
        (void)g->sys->sys_ioctl(g->sys->user, g->nvmap_fd, GPUCMD_NVMAP_IOC_FREE,
                                (void *)(uintptr_t)buffer->handle);
        buffer->handle = 0;
    }
}

/* Create the nvmap handle of buffer b. Sizes of 4 GiB and more need CREATE_64. */
static gpucmd_status gpucmd_priv_nvgpu_create(gpucmd_nvgpu *g, gpucmd_nvgpu_buffer *b)
{
    struct gpucmd_nvmap_create_handle args;
    const bool wide = b->bytes >> 32 != 0;
    gpucmd_priv_zero(&args, sizeof args);
    if (wide) {
        args.size64 = b->bytes;
    } else {
        args.size = (uint32_t)b->bytes;
    }
    const gpucmd_status status =
        gpucmd_priv_nvgpu_ioctl(g, GPUCMD_NVGPU_STEP_CREATE, g->nvmap_fd,
                                wide ? GPUCMD_NVMAP_IOC_CREATE_64 : GPUCMD_NVMAP_IOC_CREATE, &args);
    if (status == GPUCMD_OK) {
        b->handle = wide ? args.handle64 : args.handle;
    }
    return status;
}

/* Allocate the memory of buffer b (ALLOC), and open a dma-buf descriptor for it (GET_FD). */
static gpucmd_status gpucmd_priv_nvgpu_alloc(gpucmd_nvgpu *g, const gpucmd_nvgpu_buffer_req *req,
                                             gpucmd_nvgpu_buffer *b)
{
    struct gpucmd_nvmap_alloc_handle alloc;
    struct gpucmd_nvmap_create_handle get_fd;
    b->flags = req->tag << GPUCMD_NVMAP_TAG_LO | req->cache;
    alloc.handle = b->handle;
    alloc.heap_mask = req->heap_mask;
    alloc.flags = b->flags;
    alloc.align = req->align;
    alloc.numa_nid = 0;
    gpucmd_status status = gpucmd_priv_nvgpu_ioctl(g, GPUCMD_NVGPU_STEP_ALLOC, g->nvmap_fd,
                                                   GPUCMD_NVMAP_IOC_ALLOC, &alloc);
    if (status != GPUCMD_OK) {
        return status;
    }
    gpucmd_priv_zero(&get_fd, sizeof get_fd);
    get_fd.handle = b->handle;
    status = gpucmd_priv_nvgpu_ioctl(g, GPUCMD_NVGPU_STEP_GET_FD, g->nvmap_fd,
                                     GPUCMD_NVMAP_IOC_GET_FD, &get_fd);
    if (status == GPUCMD_OK) {
        b->fd = get_fd.fd;
    }
    return status;
}

/* Map buffer b for the GPU. GPUCMD_RANGE: the address that the kernel returned is outside
 * first_va..end_va or in a shader window. */
static gpucmd_status gpucmd_priv_nvgpu_map(gpucmd_nvgpu *g, const gpucmd_nvgpu_buffer_req *req,
                                           gpucmd_nvgpu_buffer *b)
{
    const bool fixed = (req->map_flags & GPUCMD_NVGPU_MAP_FIXED_OFFSET) != 0;
    struct gpucmd_nvgpu_as_map_buffer_ex_args args;
    gpucmd_priv_zero(&args, sizeof args);
    args.flags = req->map_flags;
    args.compr_kind = -1;
    args.dmabuf_fd = (uint32_t)b->fd;
    args.page_size = GPUCMD_NVGPU_PAGE_BYTES;
    args.offset = fixed ? req->fixed_va : 0;
    const gpucmd_status status = gpucmd_priv_nvgpu_ioctl(
        g, GPUCMD_NVGPU_STEP_MAP_BUFFER_EX, g->as_fd, GPUCMD_NVGPU_AS_IOCTL_MAP_BUFFER_EX, &args);
    if (status != GPUCMD_OK) {
        return status;
    }
    b->va = args.offset;
    if (!gpucmd_priv_nvgpu_inside(b->va, b->bytes, g->first_va, g->end_va) ||
        gpucmd_priv_nvgpu_overlap(b->va, b->bytes, g->local_va, g->window_bytes) ||
        gpucmd_priv_nvgpu_overlap(b->va, b->bytes, g->shared_va, g->window_bytes)) {
        return gpucmd_priv_nvgpu_fail(g, GPUCMD_NVGPU_STEP_MAP_BUFFER_EX, GPUCMD_RANGE);
    }
    return GPUCMD_OK;
}

/* Map buffer b for the CPU: at its GPU address if this range is free for the CPU, otherwise at
 * any address. MAP_FIXED_NOREPLACE keeps other mappings, which MAP_FIXED would replace. A kernel
 * that does not know MAP_FIXED_NOREPLACE can return another address, which is also valid. */
static gpucmd_status gpucmd_priv_nvgpu_mmap(gpucmd_nvgpu *g, gpucmd_nvgpu_buffer *b)
{
    gpucmd_sys_map map;
    void *const at = (void *)(uintptr_t)b->va;
    int result = -1;
    if (b->bytes > (size_t)-1) {
        return gpucmd_priv_nvgpu_fail(g, GPUCMD_NVGPU_STEP_MMAP, GPUCMD_RANGE);
    }
    if (at != NULL && (uintptr_t)at == b->va) {
        gpucmd_priv_nvgpu_fill_map(&map, at, b->bytes,
                                   GPUCMD_SYS_MAP_SHARED | (uint32_t)GPUCMD_SYS_MAP_FIXED_NOREPLACE,
                                   b->fd);
        result = g->sys->sys_mmap(g->sys->user, &map);
    }
    if (result != 0) {
        gpucmd_priv_nvgpu_fill_map(&map, NULL, b->bytes, GPUCMD_SYS_MAP_SHARED, b->fd);
        result = g->sys->sys_mmap(g->sys->user, &map);
    }
    if (result == 0) {
        b->cpu = map.addr;
    }
    return gpucmd_priv_nvgpu_result(g, GPUCMD_NVGPU_STEP_MMAP, result);
}

GPUCMD_PRIV_API gpucmd_status gpucmd_nvgpu_buffer_alloc(gpucmd_nvgpu *g,
                                                        const gpucmd_nvgpu_buffer_req *req,
                                                        gpucmd_nvgpu_buffer *buffer)
{
    gpucmd_nvgpu_buffer b;
    gpucmd_status status = gpucmd_priv_nvgpu_check_req(g, req);
    if (status != GPUCMD_OK) {
        return gpucmd_priv_nvgpu_fail(g, GPUCMD_NVGPU_STEP_PARAMS, status);
    }
    gpucmd_priv_zero(&b, sizeof b);
    b.fd = -1;
    b.asked_bytes = req->bytes;
    b.bytes = (req->bytes + (req->align - 1)) & ~(uint64_t)(req->align - 1);
    status = gpucmd_priv_nvgpu_create(g, &b);
    status = status == GPUCMD_OK ? gpucmd_priv_nvgpu_alloc(g, req, &b) : status;
    status = status == GPUCMD_OK && req->map_gpu ? gpucmd_priv_nvgpu_map(g, req, &b) : status;
    status = status == GPUCMD_OK && req->map_cpu ? gpucmd_priv_nvgpu_mmap(g, &b) : status;
    if (status != GPUCMD_OK) {
        gpucmd_nvgpu_buffer_free(g, &b);
        return status;
    }
    *buffer = b;
    return GPUCMD_OK;
}

/* ---- channels ---- */

GPUCMD_PRIV_API void gpucmd_nvgpu_channel_req_init(gpucmd_nvgpu_channel_req *req)
{
    req->entries = 1024;
    req->area = NULL;
    req->ring_off_bytes = 0;
    req->userd_off_bytes = 0;
}

/* Return the size in bytes of a ring of `entries` IB entries, which is at least a page. */
static uint64_t gpucmd_priv_nvgpu_ring_bytes(uint32_t entries)
{
    const uint64_t bytes = (uint64_t)entries * 8;
    return bytes < GPUCMD_NVGPU_PAGE_BYTES ? (uint64_t)GPUCMD_NVGPU_PAGE_BYTES : bytes;
}

/* Check the values of a channel request before the first system call. */
static gpucmd_status gpucmd_priv_nvgpu_check_channel(const gpucmd_nvgpu *g,
                                                     const gpucmd_nvgpu_channel_req *req)
{
    const uint64_t ring_bytes = gpucmd_priv_nvgpu_ring_bytes(req->entries);
    if (g->as_fd < 0 || g->tsg_fd < 0 || !g->has_subcontext) {
        return GPUCMD_ORDER;
    }
    if (req->entries < 2 || req->entries > (uint32_t)1 << 28 ||
        (req->entries & (req->entries - 1)) != 0) {
        return GPUCMD_RANGE;
    }
    if (req->area == NULL) {
        return GPUCMD_OK;
    }
    if ((req->ring_off_bytes | req->userd_off_bytes) % GPUCMD_NVGPU_PAGE_BYTES != 0) {
        return GPUCMD_ALIGN;
    }
    if (req->area->cpu == NULL || req->area->fd < 0 ||
        !gpucmd_priv_nvgpu_inside(req->ring_off_bytes, ring_bytes, 0, req->area->bytes) ||
        !gpucmd_priv_nvgpu_inside(req->userd_off_bytes, GPUCMD_NVGPU_PAGE_BYTES, 0,
                                  req->area->bytes) ||
        gpucmd_priv_nvgpu_overlap(req->ring_off_bytes, ring_bytes, req->userd_off_bytes,
                                  GPUCMD_NVGPU_PAGE_BYTES)) {
        return GPUCMD_RANGE;
    }
    return GPUCMD_OK;
}

/* Allocate a buffer for the ring or the USERD of a channel, and clear the buffer.
 *   step      step to record in g if the allocation fails
 *   keep_cpu  false: remove the CPU mapping of the buffer after it is cleared */
static gpucmd_status gpucmd_priv_nvgpu_channel_buffer(gpucmd_nvgpu *g, gpucmd_nvgpu_step step,
                                                      uint64_t bytes, bool keep_cpu,
                                                      gpucmd_nvgpu_buffer *b)
{
    gpucmd_nvgpu_buffer_req req;
    gpucmd_nvgpu_buffer_req_init(&req, bytes, false);
    req.map_gpu = false;
    const gpucmd_status status = gpucmd_nvgpu_buffer_alloc(g, &req, b);
    if (status != GPUCMD_OK) {
        g->step = step;
        return status;
    }
    gpucmd_priv_zero(b->cpu, (size_t)b->bytes);
    if (!keep_cpu) {
        (void)g->sys->sys_munmap(g->sys->user, b->cpu, (size_t)b->bytes);
        b->cpu = NULL;
    }
    return GPUCMD_OK;
}

/* If the kernel deleted the subcontext of g, create it again. Then open channel c, bind it to the
 * address space, then to the group (which needs the address space), and disable its watchdog. */
static gpucmd_status gpucmd_priv_nvgpu_bind(gpucmd_nvgpu *g, gpucmd_nvgpu_channel *c)
{
    struct gpucmd_nvgpu_gpu_open_channel_args open_args;
    struct gpucmd_nvgpu_as_bind_channel_args as_args;
    struct gpucmd_nvgpu_tsg_bind_channel_ex_args tsg_args;
    struct gpucmd_nvgpu_channel_wdt_args wdt_args = {GPUCMD_NVGPU_WDT_DISABLE, 0};
    gpucmd_status status = g->subcontext_gone ? gpucmd_priv_nvgpu_make_subcontext(g) : GPUCMD_OK;
    if (status != GPUCMD_OK) {
        return status;
    }
    open_args.in.runlist_id = -1;
    status = gpucmd_priv_nvgpu_ioctl(g, GPUCMD_NVGPU_STEP_OPEN_CHANNEL, g->ctrl_fd,
                                     GPUCMD_NVGPU_GPU_IOCTL_OPEN_CHANNEL, &open_args);
    if (status != GPUCMD_OK) {
        return status;
    }
    c->fd = open_args.out.channel_fd;
    as_args.channel_fd = (uint32_t)c->fd;
    status = gpucmd_priv_nvgpu_ioctl(g, GPUCMD_NVGPU_STEP_AS_BIND_CHANNEL, g->as_fd,
                                     GPUCMD_NVGPU_AS_IOCTL_BIND_CHANNEL, &as_args);
    if (status != GPUCMD_OK) {
        return status;
    }
    gpucmd_priv_zero(&tsg_args, sizeof tsg_args);
    tsg_args.channel_fd = c->fd;
    tsg_args.subcontext_id = g->veid;
    status = gpucmd_priv_nvgpu_ioctl(g, GPUCMD_NVGPU_STEP_TSG_BIND_CHANNEL, g->tsg_fd,
                                     GPUCMD_NVGPU_TSG_IOCTL_BIND_CHANNEL_EX, &tsg_args);
    if (status != GPUCMD_OK) {
        return status;
    }
    c->bound = true;
    g->channels++;
    return gpucmd_priv_nvgpu_ioctl(g, GPUCMD_NVGPU_STEP_WDT, c->fd, GPUCMD_NVGPU_IOCTL_CHANNEL_WDT,
                                   &wdt_args);
}

/* Pass the ring and the USERD of channel c to the kernel (SETUP_BIND), and store the token to c. */
static gpucmd_status gpucmd_priv_nvgpu_channel_setup(gpucmd_nvgpu *g, gpucmd_nvgpu_channel *c)
{
    struct gpucmd_nvgpu_channel_setup_bind_args args;
    gpucmd_priv_zero(&args, sizeof args);
    args.num_gpfifo_entries = c->entries;
    args.flags = GPUCMD_NVGPU_SETUP_DETERMINISTIC | (uint32_t)GPUCMD_NVGPU_SETUP_USERMODE;
    args.userd_dmabuf_fd = c->userd.fd;
    args.gpfifo_dmabuf_fd = c->ring.fd;
    const gpucmd_status status = gpucmd_priv_nvgpu_ioctl(
        g, GPUCMD_NVGPU_STEP_SETUP_BIND, c->fd, GPUCMD_NVGPU_IOCTL_CHANNEL_SETUP_BIND, &args);
    if (status == GPUCMD_OK) {
        c->token = args.work_submit_token;
    }
    return status;
}

/* Map len_bytes of the dma-buf fd, from source_off_bytes on, over the CPU mapping of buffer area,
 * from off_bytes on. Return the result of mmap. MAP_FIXED replaces pages of that mapping only. */
static int gpucmd_priv_nvgpu_overlay(const gpucmd_nvgpu *g, const gpucmd_nvgpu_buffer *area,
                                     uint64_t off_bytes, uint64_t len_bytes, int fd,
                                     uint64_t source_off_bytes)
{
    gpucmd_sys_map map;
    gpucmd_priv_nvgpu_fill_map(&map, (uint8_t *)area->cpu + (size_t)off_bytes, len_bytes,
                               GPUCMD_SYS_MAP_SHARED | (uint32_t)GPUCMD_SYS_MAP_FIXED, fd);
    map.off_bytes = source_off_bytes;
    return g->sys->sys_mmap(g->sys->user, &map);
}

/* Map the ring and the USERD of channel c over the pages of req->area that *req names. */
static gpucmd_status gpucmd_priv_nvgpu_overlays(gpucmd_nvgpu *g,
                                                const gpucmd_nvgpu_channel_req *req,
                                                gpucmd_nvgpu_channel *c)
{
    uint8_t *const base = (uint8_t *)req->area->cpu;
    gpucmd_status status = gpucmd_priv_nvgpu_result(
        g, GPUCMD_NVGPU_STEP_OVERLAY_RING,
        gpucmd_priv_nvgpu_overlay(g, req->area, req->ring_off_bytes, c->ring.bytes, c->ring.fd, 0));
    if (status != GPUCMD_OK) {
        return status;
    }
    c->area = req->area;
    c->ring_cpu = base + (size_t)req->ring_off_bytes;
    status = gpucmd_priv_nvgpu_result(g, GPUCMD_NVGPU_STEP_OVERLAY_USERD,
                                      gpucmd_priv_nvgpu_overlay(g, req->area, req->userd_off_bytes,
                                                                c->userd.bytes, c->userd.fd, 0));
    if (status == GPUCMD_OK) {
        c->userd_cpu = base + (size_t)req->userd_off_bytes;
    }
    return status;
}

/* Replace the CPU mapping of ring or USERD (`at`, len_bytes bytes) by the own pages of buffer
 * c->area. Do nothing if `at` is NULL, or if c->area is NULL or not mapped. */
static void gpucmd_priv_nvgpu_remove_overlay(const gpucmd_nvgpu *g, const gpucmd_nvgpu_channel *c,
                                             const void *at, uint64_t len_bytes)
{
    if (c->area != NULL && at != NULL && c->area->cpu != NULL) {
        const uint64_t off_bytes = (uintptr_t)at - (uintptr_t)c->area->cpu;
        (void)gpucmd_priv_nvgpu_overlay(g, c->area, off_bytes, len_bytes, c->area->fd, off_bytes);
    }
}

GPUCMD_PRIV_API void gpucmd_nvgpu_channel_close(gpucmd_nvgpu *g, gpucmd_nvgpu_channel *channel)
{
    gpucmd_priv_nvgpu_close_fd(g, &channel->fd);
    if (channel->bound) {
        channel->bound = false;
        g->channels--;
        g->subcontext_gone = g->channels == 0;
    }
    gpucmd_priv_nvgpu_remove_overlay(g, channel, channel->ring_cpu, channel->ring.bytes);
    gpucmd_priv_nvgpu_remove_overlay(g, channel, channel->userd_cpu, channel->userd.bytes);
    channel->ring_cpu = NULL;
    channel->userd_cpu = NULL;
    channel->area = NULL;
    gpucmd_nvgpu_buffer_free(g, &channel->ring);
    gpucmd_nvgpu_buffer_free(g, &channel->userd);
}

GPUCMD_PRIV_API gpucmd_status gpucmd_nvgpu_channel_open(gpucmd_nvgpu *g,
                                                        const gpucmd_nvgpu_channel_req *req,
                                                        gpucmd_nvgpu_channel *channel)
{
    gpucmd_nvgpu_channel c;
    const bool alone = req->area == NULL;
    gpucmd_status status = gpucmd_priv_nvgpu_check_channel(g, req);
    if (status != GPUCMD_OK) {
        return gpucmd_priv_nvgpu_fail(g, GPUCMD_NVGPU_STEP_PARAMS, status);
    }
    gpucmd_priv_zero(&c, sizeof c);
    c.fd = -1;
    c.ring.fd = -1;
    c.userd.fd = -1;
    c.entries = req->entries;
    status = gpucmd_priv_nvgpu_bind(g, &c);
    if (status == GPUCMD_OK) {
        status = gpucmd_priv_nvgpu_channel_buffer(
            g, GPUCMD_NVGPU_STEP_RING, gpucmd_priv_nvgpu_ring_bytes(c.entries), alone, &c.ring);
    }
    if (status == GPUCMD_OK) {
        status = gpucmd_priv_nvgpu_channel_buffer(g, GPUCMD_NVGPU_STEP_USERD,
                                                  GPUCMD_NVGPU_PAGE_BYTES, alone, &c.userd);
    }
    status = status == GPUCMD_OK ? gpucmd_priv_nvgpu_channel_setup(g, &c) : status;
    if (status == GPUCMD_OK && alone) {
        c.ring_cpu = c.ring.cpu;
        c.userd_cpu = c.userd.cpu;
    } else if (status == GPUCMD_OK) {
        status = gpucmd_priv_nvgpu_overlays(g, req, &c);
    }
    if (status != GPUCMD_OK) {
        gpucmd_nvgpu_channel_close(g, &c);
        return status;
    }
    *channel = c;
    return GPUCMD_OK;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_nvgpu_channel_alloc_obj(gpucmd_nvgpu *g,
                                                             gpucmd_nvgpu_channel *channel,
                                                             uint32_t class_num)
{
    struct gpucmd_nvgpu_alloc_obj_ctx_args args;
    args.class_num = class_num;
    args.flags = 0;
    args.obj_id = 0;
    return gpucmd_priv_nvgpu_ioctl(g, GPUCMD_NVGPU_STEP_ALLOC_OBJ_CTX, channel->fd,
                                   GPUCMD_NVGPU_IOCTL_CHANNEL_ALLOC_OBJ_CTX, &args);
}

GPUCMD_PRIV_API gpucmd_nvgpu_class_kind gpucmd_nvgpu_class_kind_of(uint32_t class_num)
{
#define GPUCMD_NV_PRIV_CLASS(number, kind)                                                         \
    case 0x##number: return GPUCMD_NVGPU_CLASS_##kind;
    switch (class_num) {
        GPUCMD_NVGPU_CLASSES(GPUCMD_NV_PRIV_CLASS)
    }
#undef GPUCMD_NV_PRIV_CLASS
    return GPUCMD_NVGPU_CLASS_INVALID;
}

/* ---- clock ---- */

/* Return the path of the devfreq file of a step. If parameter older is true, return the path that
 * the file has in older L4T. */
static const char *gpucmd_priv_nvgpu_freq_path(gpucmd_nvgpu_step step, bool older)
{
    if (step == GPUCMD_NVGPU_STEP_READ_MAX_FREQ) {
        return older ? "/sys/class/devfreq/17000000.ga10b/max_freq"
                     : "/sys/class/devfreq/17000000.gpu/max_freq";
    }
    return older ? "/sys/class/devfreq/17000000.ga10b/min_freq"
                 : "/sys/class/devfreq/17000000.gpu/min_freq";
}

/* For step WRITE_MIN_FREQ, write *n_bytes of text to the devfreq file; for other steps, read the
 * file to text (24 bytes). On success write the number of transferred bytes (>= 1) to *n_bytes. */
static gpucmd_status gpucmd_priv_nvgpu_freq(gpucmd_nvgpu *g, gpucmd_nvgpu_step step, char *text,
                                            uint32_t *n_bytes)
{
    const bool out = step == GPUCMD_NVGPU_STEP_WRITE_MIN_FREQ;
    const uint32_t flags = out ? GPUCMD_SYS_O_WRONLY : GPUCMD_SYS_O_RDONLY;
    int fd = g->sys->sys_open(g->sys->user, gpucmd_priv_nvgpu_freq_path(step, false), flags);
    if (fd < 0) {
        fd = g->sys->sys_open(g->sys->user, gpucmd_priv_nvgpu_freq_path(step, true), flags);
    }
    if (fd < 0) {
        return gpucmd_priv_nvgpu_result(g, step, fd);
    }
    const int64_t moved = out ? g->sys->sys_write(g->sys->user, fd, text, *n_bytes)
                              : g->sys->sys_read(g->sys->user, fd, text, 24);
    (void)g->sys->sys_close(g->sys->user, fd);
    if (moved <= 0) {
        return gpucmd_priv_nvgpu_result(g, step, moved < 0 ? (int)moved : -GPUCMD_SYS_EIO);
    }
    *n_bytes = (uint32_t)moved;
    return GPUCMD_OK;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_nvgpu_unboost(gpucmd_nvgpu *g, const char *saved,
                                                   uint32_t saved_bytes)
{
    char text[24];
    if (saved_bytes == 0 || saved_bytes > sizeof text) {
        return gpucmd_priv_nvgpu_fail(g, GPUCMD_NVGPU_STEP_PARAMS, GPUCMD_ORDER);
    }
    if (g->sys->sys_write == NULL) {
        return gpucmd_priv_nvgpu_fail(g, GPUCMD_NVGPU_STEP_PARAMS, GPUCMD_UNSUPPORTED);
    }
    gpucmd_priv_copy(text, saved, saved_bytes);
    return gpucmd_priv_nvgpu_freq(g, GPUCMD_NVGPU_STEP_WRITE_MIN_FREQ, text, &saved_bytes);
}

GPUCMD_PRIV_API gpucmd_status gpucmd_nvgpu_boost(gpucmd_nvgpu *g, char *saved,
                                                 uint32_t *saved_bytes)
{
    char highest[24];
    char lowest[24];
    uint32_t max_bytes = 0, min_bytes = 0;
    if (g->sys->sys_read == NULL || g->sys->sys_write == NULL) {
        return gpucmd_priv_nvgpu_fail(g, GPUCMD_NVGPU_STEP_PARAMS, GPUCMD_UNSUPPORTED);
    }
    gpucmd_status status =
        gpucmd_priv_nvgpu_freq(g, GPUCMD_NVGPU_STEP_READ_MAX_FREQ, highest, &max_bytes);
    if (status == GPUCMD_OK) {
        status = gpucmd_priv_nvgpu_freq(g, GPUCMD_NVGPU_STEP_READ_MIN_FREQ, lowest, &min_bytes);
    }
    if (status == GPUCMD_OK) {
        status = gpucmd_priv_nvgpu_freq(g, GPUCMD_NVGPU_STEP_WRITE_MIN_FREQ, highest, &max_bytes);
    }
    if (status == GPUCMD_OK) {
        gpucmd_priv_copy(saved, lowest, min_bytes);
        *saved_bytes = min_bytes;
    }
    return status;
}

/* ---- translation ---- */

/* Actions of the rows of GPUCMD_NVGPU_RM_CLASSES. UNKNOWN: the class has no row. BUFFER: the
 * object was created by gpucmd_nvgpu_rm_add_buffer. */
typedef enum gpucmd_priv_nvgpu_rm_action {
    GPUCMD_PRIV_NVGPU_RM_NONE,
    GPUCMD_PRIV_NVGPU_RM_STUB,
    GPUCMD_PRIV_NVGPU_RM_AS,
    GPUCMD_PRIV_NVGPU_RM_TSG,
    GPUCMD_PRIV_NVGPU_RM_SUBCONTEXT,
    GPUCMD_PRIV_NVGPU_RM_CHANNEL,
    GPUCMD_PRIV_NVGPU_RM_COMPUTE,
    GPUCMD_PRIV_NVGPU_RM_COPY,
    GPUCMD_PRIV_NVGPU_RM_REFUSE,
    GPUCMD_PRIV_NVGPU_RM_BUFFER,
    GPUCMD_PRIV_NVGPU_RM_UNKNOWN,
} gpucmd_priv_nvgpu_rm_action;

/* Actions of the rows of GPUCMD_NVGPU_RM_CONTROLS. UNKNOWN: the control has no row. */
typedef enum gpucmd_priv_nvgpu_control {
    GPUCMD_PRIV_NVGPU_CONTROL_NONE,
    GPUCMD_PRIV_NVGPU_CONTROL_PERF_BOOST,
    GPUCMD_PRIV_NVGPU_CONTROL_TOKEN,
    GPUCMD_PRIV_NVGPU_CONTROL_GR_INFO,
    GPUCMD_PRIV_NVGPU_CONTROL_CLASSLIST,
    GPUCMD_PRIV_NVGPU_CONTROL_GID_INFO,
    GPUCMD_PRIV_NVGPU_CONTROL_UNKNOWN,
} gpucmd_priv_nvgpu_control;

GPUCMD_PRIV_API void gpucmd_nvgpu_rm_init(gpucmd_nvgpu_rm *rm, gpucmd_nvgpu *g,
                                          gpucmd_nvgpu_rm_object *objects, uint32_t cap)
{
    uint32_t i;
    gpucmd_priv_zero(rm, sizeof *rm);
    rm->g = g;
    rm->objects = objects;
    rm->cap = cap;
    rm->next_handle = 0x10001;
    for (i = 0; i < cap; i++) {
        objects[i].handle = 0;
    }
}

/* Return the object with this handle, or NULL. Handle 0: return a free row of objects. */
static gpucmd_nvgpu_rm_object *gpucmd_priv_nvgpu_rm_find(const gpucmd_nvgpu_rm *rm, uint32_t handle)
{
    uint32_t i;
    for (i = 0; i < rm->cap; i++) {
        if (rm->objects[i].handle == handle) {
            return &rm->objects[i];
        }
    }
    return NULL;
}

/* Fill and return a free row of rm->objects, or return NULL if no row is free. The row stays free
 * until the caller sets its handle. */
static gpucmd_nvgpu_rm_object *gpucmd_priv_nvgpu_rm_new_object(gpucmd_nvgpu_rm *rm, uint32_t parent,
                                                               uint32_t number, uint32_t action)
{
    gpucmd_nvgpu_rm_object *const o = gpucmd_priv_nvgpu_rm_find(rm, 0);
    if (o != NULL) {
        gpucmd_priv_zero(o, sizeof *o);
        o->parent = parent;
        o->number = number;
        o->action = action;
    }
    return o;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_nvgpu_rm_add_buffer(gpucmd_nvgpu_rm *rm,
                                                         const gpucmd_nvgpu_buffer *buffer,
                                                         uint32_t *handle)
{
    gpucmd_nvgpu_rm_object *const o =
        gpucmd_priv_nvgpu_rm_new_object(rm, 0, 0, GPUCMD_PRIV_NVGPU_RM_BUFFER);
    if (o == NULL) {
        return GPUCMD_FULL;
    }
    o->buffer = buffer;
    o->handle = rm->next_handle++;
    *handle = o->handle;
    return GPUCMD_OK;
}

/* Return the 32-bit parameter at off_bytes of a structure of the desktop driver. */
static uint32_t gpucmd_priv_nvgpu_param32(const void *params, uint32_t off_bytes)
{
    return gpucmd_load32((const uint8_t *)params + off_bytes, gpucmd_cpu_endian());
}

/* Return the 64-bit parameter at off_bytes of a structure of the desktop driver. */
static uint64_t gpucmd_priv_nvgpu_param64(const void *params, uint32_t off_bytes)
{
    return gpucmd_load64((const uint8_t *)params + off_bytes, gpucmd_cpu_endian());
}

/* Open a channel from the desktop driver's structure params, and write the channel to *out. */
static gpucmd_status gpucmd_priv_nvgpu_rm_channel(gpucmd_nvgpu_rm *rm, const void *params,
                                                  size_t params_bytes, gpucmd_nvgpu_channel *out)
{
    gpucmd_nvgpu_channel_req req;
    if (params == NULL || params_bytes < GPUCMD_NVGPU_RM_OFF_CHANNEL_BYTES) {
        return GPUCMD_RANGE;
    }
    if (gpucmd_priv_nvgpu_param32(params, GPUCMD_NVGPU_RM_OFF_CHANNEL_ENGINE_TYPE) != 0) {
        return GPUCMD_UNSUPPORTED;
    }
    req.entries = gpucmd_priv_nvgpu_param32(params, GPUCMD_NVGPU_RM_OFF_CHANNEL_ENTRIES);
    const gpucmd_nvgpu_rm_object *area = gpucmd_priv_nvgpu_rm_find(
        rm, gpucmd_priv_nvgpu_param32(params, GPUCMD_NVGPU_RM_OFF_CHANNEL_H_BUFFER));
    if (area == NULL || area->handle == 0 || area->buffer == NULL) {
        return GPUCMD_ORDER;
    }
    const uint64_t at_va =
        gpucmd_priv_nvgpu_param64(params, GPUCMD_NVGPU_RM_OFF_CHANNEL_GPFIFO_OFFSET);
    if (at_va < area->buffer->va) {
        return GPUCMD_RANGE;
    }
    req.area = area->buffer;
    req.ring_off_bytes = at_va - area->buffer->va;
    req.userd_off_bytes =
        gpucmd_priv_nvgpu_param64(params, GPUCMD_NVGPU_RM_OFF_CHANNEL_USERD_OFFSET);
    return gpucmd_nvgpu_channel_open(rm->g, &req, out);
}

/* Return the action of a class in GPUCMD_NVGPU_RM_CLASSES, or UNKNOWN if the class has no row. */
static gpucmd_priv_nvgpu_rm_action gpucmd_priv_nvgpu_rm_find_class(uint32_t number)
{
#define GPUCMD_NV_PRIV_RM(name, value, action)                                                     \
    case (value): return GPUCMD_PRIV_NVGPU_RM_##action;
    switch (number) {
        GPUCMD_NVGPU_RM_CLASSES(GPUCMD_NV_PRIV_RM)
    }
#undef GPUCMD_NV_PRIV_RM
    return GPUCMD_PRIV_NVGPU_RM_UNKNOWN;
}

/* Perform the action of the class of object o. Return the statuses of gpucmd_nvgpu_rm_alloc. */
static gpucmd_status gpucmd_priv_nvgpu_rm_perform(gpucmd_nvgpu_rm *rm, gpucmd_nvgpu_rm_object *o,
                                                  const void *params, size_t params_bytes)
{
    gpucmd_nvgpu_rm_object *const up = gpucmd_priv_nvgpu_rm_find(rm, o->parent);
    switch ((gpucmd_priv_nvgpu_rm_action)o->action) {
    case GPUCMD_PRIV_NVGPU_RM_AS: return gpucmd_nvgpu_alloc_as(rm->g);
    case GPUCMD_PRIV_NVGPU_RM_TSG: return gpucmd_nvgpu_open_tsg(rm->g);
    case GPUCMD_PRIV_NVGPU_RM_SUBCONTEXT: return gpucmd_nvgpu_create_subcontext(rm->g);
    case GPUCMD_PRIV_NVGPU_RM_CHANNEL:
        return gpucmd_priv_nvgpu_rm_channel(rm, params, params_bytes, &o->channel);
    case GPUCMD_PRIV_NVGPU_RM_COMPUTE:
    case GPUCMD_PRIV_NVGPU_RM_COPY:
        if (o->parent == 0 || up == NULL || up->action != GPUCMD_PRIV_NVGPU_RM_CHANNEL) {
            return GPUCMD_ORDER;
        }
        return gpucmd_nvgpu_channel_alloc_obj(rm->g, &up->channel,
                                              o->action == GPUCMD_PRIV_NVGPU_RM_COMPUTE
                                                  ? rm->g->gpu.compute_class
                                                  : rm->g->gpu.dma_copy_class);
    case GPUCMD_PRIV_NVGPU_RM_REFUSE: return GPUCMD_UNSUPPORTED;
    case GPUCMD_PRIV_NVGPU_RM_UNKNOWN:
        if (rm->warn != NULL) {
            rm->warn(rm->warn_user, false, o->number);
        }
        return GPUCMD_OK;
    case GPUCMD_PRIV_NVGPU_RM_NONE:
    case GPUCMD_PRIV_NVGPU_RM_STUB:
    case GPUCMD_PRIV_NVGPU_RM_BUFFER: break;
    }
    return GPUCMD_OK;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_nvgpu_rm_alloc(gpucmd_nvgpu_rm *rm, uint32_t parent,
                                                    uint32_t number, const void *params,
                                                    size_t params_bytes, uint32_t *handle)
{
    gpucmd_nvgpu_rm_object *const o = gpucmd_priv_nvgpu_rm_new_object(
        rm, parent, number, (uint32_t)gpucmd_priv_nvgpu_rm_find_class(number));
    if (o == NULL) {
        return GPUCMD_FULL;
    }
    if (parent != 0 && gpucmd_priv_nvgpu_rm_find(rm, parent) == NULL) {
        return GPUCMD_ORDER;
    }
    const gpucmd_status status = gpucmd_priv_nvgpu_rm_perform(rm, o, params, params_bytes);
    if (status == GPUCMD_OK) {
        o->handle = rm->next_handle++;
        *handle = o->handle;
    }
    return status;
}

/* Perform the control GR_GET_INFO: fill the caller's list. A list element has 8 bytes: an index,
 * then the value that this function writes (0 for an unknown index). */
static void gpucmd_priv_nvgpu_rm_gr_info(const struct gpucmd_nvgpu_gpu_characteristics *gr,
                                         const void *params)
{
    uint32_t i;
    const uint32_t count = gpucmd_priv_nvgpu_param32(params, GPUCMD_NVGPU_RM_OFF_GR_INFO_COUNT);
    uint8_t *item =
        (uint8_t *)(uintptr_t)gpucmd_priv_nvgpu_param64(params, GPUCMD_NVGPU_RM_OFF_GR_INFO_LIST);
    for (i = 0; i < count && item != NULL; i++, item += 8) {
        uint32_t v = 0;
#define GPUCMD_NV_PRIV_INFO(name, idx, value)                                                      \
    case (idx): v = (value); break;
        switch (gpucmd_load32(item, gpucmd_cpu_endian())) {
            GPUCMD_NVGPU_GR_INFOS(GPUCMD_NV_PRIV_INFO)
        }
#undef GPUCMD_NV_PRIV_INFO
        gpucmd_store32(item + 4, v, gpucmd_cpu_endian());
    }
}

/* Perform the control GET_CLASSLIST. At entry, the count in params is the size of the caller's
 * list. If the list is NULL or the count is 0, write the number of all classes to the count.
 * Otherwise write as many classes as fit to the list, and their number to the count. */
static void gpucmd_priv_nvgpu_rm_classlist(const struct gpucmd_nvgpu_gpu_characteristics *gr,
                                           void *params)
{
    uint32_t i;
    const uint32_t classes[4] = {gr->compute_class, gr->gpfifo_class, gr->dma_copy_class,
                                 GPUCMD_NVGPU_RM_TURING_USERMODE_A};
    uint8_t *const count = (uint8_t *)params + GPUCMD_NVGPU_RM_OFF_CLASSLIST_COUNT;
    uint8_t *const list =
        (uint8_t *)(uintptr_t)gpucmd_priv_nvgpu_param64(params, GPUCMD_NVGPU_RM_OFF_CLASSLIST_LIST);
    const uint32_t room = gpucmd_load32(count, gpucmd_cpu_endian());
    const uint32_t n = room == 0 || list == NULL || room > 4 ? 4 : room;
    for (i = 0; i < n && room != 0 && list != NULL; i++) {
        gpucmd_store32(list + 4 * (size_t)i, classes[i], gpucmd_cpu_endian());
    }
    gpucmd_store32(count, n, gpucmd_cpu_endian());
}

/* Perform the control GET_GID_INFO: write the length 16 and 16 bytes of a GPU identity to params.
 * The bytes are constant (0x4a, 0x4b, ...), because nvgpu does not report an identity. */
static void gpucmd_priv_nvgpu_rm_gid(void *params)
{
    uint32_t i;
    uint8_t *const p = (uint8_t *)params;
    gpucmd_store32(p + GPUCMD_NVGPU_RM_OFF_GID_LENGTH, 16, gpucmd_cpu_endian());
    for (i = 0; i < 16; i++) {
        p[GPUCMD_NVGPU_RM_OFF_GID_DATA + i] = (uint8_t)(0x4a + i);
    }
}

/* If parameter level is 0, restore the minimum clock, otherwise raise it to the maximum clock.
 * Ignore failures, because the boost is only a hint in the desktop driver. */
static void gpucmd_priv_nvgpu_rm_boost(gpucmd_nvgpu_rm *rm, uint32_t level)
{
    if (level == 0) {
        (void)gpucmd_nvgpu_unboost(rm->g, rm->min_freq, rm->min_freq_bytes);
        rm->min_freq_bytes = 0;
    } else if (rm->min_freq_bytes == 0) {
        (void)gpucmd_nvgpu_boost(rm->g, rm->min_freq, &rm->min_freq_bytes);
    }
}

/* Return the action of a control. Write the smallest size of its parameters to *need_bytes. */
static gpucmd_priv_nvgpu_control gpucmd_priv_nvgpu_rm_find_control(uint32_t command,
                                                                   uint32_t *need_bytes)
{
#define GPUCMD_NV_PRIV_RM(name, value, bytes, action)                                              \
    case (value): *need_bytes = (bytes); return GPUCMD_PRIV_NVGPU_CONTROL_##action;
    switch (command) {
        GPUCMD_NVGPU_RM_CONTROLS(GPUCMD_NV_PRIV_RM)
    }
#undef GPUCMD_NV_PRIV_RM
    *need_bytes = 0;
    return GPUCMD_PRIV_NVGPU_CONTROL_UNKNOWN;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_nvgpu_rm_control(gpucmd_nvgpu_rm *rm, uint32_t object,
                                                      uint32_t command, void *params,
                                                      size_t params_bytes)
{
    const gpucmd_nvgpu_rm_object *const o = gpucmd_priv_nvgpu_rm_find(rm, object);
    uint32_t need_bytes;
    const gpucmd_priv_nvgpu_control action =
        gpucmd_priv_nvgpu_rm_find_control(command, &need_bytes);
    if (object == 0 || o == NULL) {
        return GPUCMD_ORDER;
    }
    if (need_bytes != 0 && (params == NULL || params_bytes < need_bytes)) {
        return GPUCMD_RANGE;
    }
    switch (action) {
    case GPUCMD_PRIV_NVGPU_CONTROL_PERF_BOOST:
        gpucmd_priv_nvgpu_rm_boost(
            rm, gpucmd_priv_nvgpu_param32(params, GPUCMD_NVGPU_RM_OFF_BOOST_FLAGS) & 3);
        break;
    case GPUCMD_PRIV_NVGPU_CONTROL_TOKEN:
        if (o->action != GPUCMD_PRIV_NVGPU_RM_CHANNEL) {
            return GPUCMD_ORDER;
        }
        gpucmd_store32(params, o->channel.token, gpucmd_cpu_endian());
        break;
    case GPUCMD_PRIV_NVGPU_CONTROL_GR_INFO:
        gpucmd_priv_nvgpu_rm_gr_info(&rm->g->gpu, params);
        break;
    case GPUCMD_PRIV_NVGPU_CONTROL_CLASSLIST:
        gpucmd_priv_nvgpu_rm_classlist(&rm->g->gpu, params);
        break;
    case GPUCMD_PRIV_NVGPU_CONTROL_GID_INFO: gpucmd_priv_nvgpu_rm_gid(params); break;
    case GPUCMD_PRIV_NVGPU_CONTROL_UNKNOWN:
        if (rm->warn != NULL) {
            rm->warn(rm->warn_user, true, command);
        }
        break;
    case GPUCMD_PRIV_NVGPU_CONTROL_NONE: break;
    }
    return GPUCMD_OK;
}

/* Return true if rm has an object that is a channel. */
static bool gpucmd_priv_nvgpu_rm_busy(const gpucmd_nvgpu_rm *rm)
{
    uint32_t i;
    for (i = 0; i < rm->cap; i++) {
        if (rm->objects[i].handle != 0 && rm->objects[i].action == GPUCMD_PRIV_NVGPU_RM_CHANNEL) {
            return true;
        }
    }
    return false;
}

/* Free an object and the resources that it owns. */
static void gpucmd_priv_nvgpu_rm_drop(gpucmd_nvgpu *g, gpucmd_nvgpu_rm_object *o)
{
    switch ((gpucmd_priv_nvgpu_rm_action)o->action) {
    case GPUCMD_PRIV_NVGPU_RM_CHANNEL: gpucmd_nvgpu_channel_close(g, &o->channel); break;
    case GPUCMD_PRIV_NVGPU_RM_SUBCONTEXT: gpucmd_nvgpu_delete_subcontext(g); break;
    case GPUCMD_PRIV_NVGPU_RM_TSG:
        g->has_subcontext = false;
        gpucmd_priv_nvgpu_close_fd(g, &g->tsg_fd);
        break;
    case GPUCMD_PRIV_NVGPU_RM_AS: gpucmd_priv_nvgpu_close_fd(g, &g->as_fd); break;
    case GPUCMD_PRIV_NVGPU_RM_NONE:
    case GPUCMD_PRIV_NVGPU_RM_STUB:
    case GPUCMD_PRIV_NVGPU_RM_COMPUTE:
    case GPUCMD_PRIV_NVGPU_RM_COPY:
    case GPUCMD_PRIV_NVGPU_RM_REFUSE:
    case GPUCMD_PRIV_NVGPU_RM_BUFFER:
    case GPUCMD_PRIV_NVGPU_RM_UNKNOWN: break;
    }
    o->handle = 0;
}

/* Return true if objects with this action must not be freed before all channels are freed. */
static bool gpucmd_priv_nvgpu_rm_used(uint32_t action)
{
    return action == GPUCMD_PRIV_NVGPU_RM_AS || action == GPUCMD_PRIV_NVGPU_RM_TSG ||
           action == GPUCMD_PRIV_NVGPU_RM_SUBCONTEXT || action == GPUCMD_PRIV_NVGPU_RM_BUFFER;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_nvgpu_rm_free(gpucmd_nvgpu_rm *rm, uint32_t handle)
{
    uint32_t i;
    gpucmd_nvgpu_rm_object *const o = gpucmd_priv_nvgpu_rm_find(rm, handle);
    if (handle == 0 || o == NULL ||
        (gpucmd_priv_nvgpu_rm_busy(rm) && gpucmd_priv_nvgpu_rm_used(o->action))) {
        return GPUCMD_ORDER;
    }
    for (i = 0; i < rm->cap && o->action == GPUCMD_PRIV_NVGPU_RM_CHANNEL; i++) {
        gpucmd_nvgpu_rm_object *const child = &rm->objects[i];
        if (child->handle != 0 && child->parent == handle &&
            child->action != GPUCMD_PRIV_NVGPU_RM_CHANNEL &&
            !gpucmd_priv_nvgpu_rm_used(child->action)) {
            child->handle = 0; /* frees the child, which owns no resource */
        }
    }
    gpucmd_priv_nvgpu_rm_drop(rm->g, o);
    return GPUCMD_OK;
}

GPUCMD_PRIV_API void gpucmd_nvgpu_rm_close(gpucmd_nvgpu_rm *rm)
{
    unsigned pass;
    uint32_t i;
    static const uint32_t first[3] = {GPUCMD_PRIV_NVGPU_RM_CHANNEL, GPUCMD_PRIV_NVGPU_RM_SUBCONTEXT,
                                      GPUCMD_PRIV_NVGPU_RM_TSG};
    /* Free the objects with action first[0], then first[1], then first[2], then all others. */
    for (pass = 0; pass < 4; pass++) {
        for (i = 0; i < rm->cap; i++) {
            gpucmd_nvgpu_rm_object *const o = &rm->objects[i];
            if (o->handle != 0 && (pass == 3 || o->action == first[pass])) {
                gpucmd_priv_nvgpu_rm_drop(rm->g, o);
            }
        }
    }
    gpucmd_priv_nvgpu_rm_boost(rm, 0);
}

/* ---- model kernel: objects ---- */

enum { GPUCMD_PRIV_NVGPU_NO_ROW = 0x7fffffff }; /* index that no row of a table has */

/* Value of the doorbell register until the process writes a token. */
#define GPUCMD_PRIV_NVGPU_NO_TOKEN 0xffffffffu

/* Write the characteristics of a ga10b to *gpu. Jetson modules differ in the numbers of GPCs and
 * TPCs; the model kernel reports small numbers. [NVGPUK] */
static void gpucmd_priv_nvgpu_ga10b(struct gpucmd_nvgpu_gpu_characteristics *gpu)
{
    gpucmd_priv_copy(gpu->chipname, "ga10b", 5);
    gpu->arch = 0x170;
    gpu->impl = 0xb;
    gpu->num_gpc = 1;
    gpu->num_tpc_per_gpc = 4;
    gpu->L2_cache_size = (uint64_t)4 << 20;
    gpu->bus_type = 32;
    gpu->pde_coverage_bit_count = 47;
    gpu->twod_class = 0x902d;
    gpu->threed_class = 0xc797;
    gpu->compute_class = GPUCMD_NVGPU_RM_AMPERE_COMPUTE_B;
    gpu->gpfifo_class = GPUCMD_NVGPU_RM_AMPERE_CHANNEL_GPFIFO_B;
    gpu->inline_to_memory_class = 0xa140;
    gpu->dma_copy_class = GPUCMD_NVGPU_RM_AMPERE_DMA_COPY_B;
    gpu->gpc_mask = 1;
    gpu->sm_arch_sm_version = 0x807;
    gpu->sm_arch_spa_version = 0x807;
    gpu->sm_arch_warp_count = 48;
    gpu->gpu_ioctl_nr_last = 44;
    gpu->tsg_ioctl_nr_last = 21;
    gpu->dbg_gpu_ioctl_nr_last = 33;
    gpu->ioctl_channel_nr_last = 128;
    gpu->as_ioctl_nr_last = 14;
    gpu->gpu_va_bit_count = 40;
    gpu->max_gpc_count = 1;
    gpu->map_buffer_batch_limit = 256;
    gpu->max_freq = 1300500000;
    gpu->graphics_preemption_mode_flags = 3;
    gpu->compute_preemption_mode_flags = 7;
    gpu->reg_ops_limit = 1024;
    gpu->event_ioctl_nr_last = 1;
    gpu->ctxsw_ioctl_nr_last = 6;
    gpu->prof_ioctl_nr_last = 13;
    gpu->nvs_ioctl_nr_last = 3;
    gpu->max_veid_count_per_tsg = GPUCMD_NVGPU_MAX_SUBCONTEXTS;
    gpu->max_gpfifo_entries = (uint32_t)1 << 28;
    gpu->max_dbg_tsg_timeslice = 4000000;
}

GPUCMD_PRIV_API const char *gpucmd_nvgpu_table_name(gpucmd_nvgpu_table table)
{
#define GPUCMD_NV_PRIV_TABLE(name, member, count, type, used, store) #name "\0"
    return gpucmd_priv_row_text(
        "NONE\0" GPUCMD_NVGPU_KERNEL_TABLES(GPUCMD_NV_PRIV_TABLE) "REGIONS\0RAM\0", (size_t)table);
#undef GPUCMD_NV_PRIV_TABLE
}

/* If *status is GPUCMD_OK, check address `at` of table number `table` or of k->ram. If it is NULL
 * or not aligned, set k->table to the number, and *status to GPUCMD_RANGE or GPUCMD_ALIGN. */
static void gpucmd_priv_nvgpu_check_table(gpucmd_nvgpu_kernel *k, gpucmd_status *status,
                                          gpucmd_nvgpu_table table, const void *at, size_t align)
{
    if (*status == GPUCMD_OK) {
        *status = at == NULL                           ? GPUCMD_RANGE
                  : ((uintptr_t)at & (align - 1)) != 0 ? GPUCMD_ALIGN
                                                       : GPUCMD_OK;
        k->table = *status == GPUCMD_OK ? GPUCMD_NVGPU_TABLE_NONE : table;
    }
}

/* Check the addresses of all tables, k->regions and k->ram, then clear the tables. */
static gpucmd_status gpucmd_priv_nvgpu_clear_tables(gpucmd_nvgpu_kernel *k)
{
    gpucmd_status status = GPUCMD_OK;
#define GPUCMD_NV_PRIV_TABLE(name, member, count, type, used, store)                               \
    if (k->count != 0) {                                                                           \
        struct with_##name {                                                                       \
            char c;                                                                                \
            type row;                                                                              \
        };                                                                                         \
        gpucmd_priv_nvgpu_check_table(k, &status, GPUCMD_NVGPU_TABLE_##name, k->member,            \
                                      GPUCMD_PRIV_OFFSETOF(struct with_##name, row));              \
    }
    GPUCMD_NVGPU_KERNEL_TABLES(GPUCMD_NV_PRIV_TABLE)
#undef GPUCMD_NV_PRIV_TABLE
    gpucmd_priv_nvgpu_check_table(k, &status, GPUCMD_NVGPU_TABLE_REGIONS, k->regions,
                                  sizeof(void *));
    gpucmd_priv_nvgpu_check_table(k, &status, GPUCMD_NVGPU_TABLE_RAM,
                                  k->ram_bytes < GPUCMD_NVGPU_PAGE_BYTES ? NULL : k->ram,
                                  GPUCMD_NVGPU_PAGE_BYTES);
    if (status != GPUCMD_OK) {
        return status;
    }
#define GPUCMD_NV_PRIV_TABLE(name, member, count, type, used, store)                               \
    if (k->count != 0) {                                                                           \
        gpucmd_priv_zero(k->member, k->count * sizeof(type));                                      \
    }
    GPUCMD_NVGPU_KERNEL_TABLES(GPUCMD_NV_PRIV_TABLE)
#undef GPUCMD_NV_PRIV_TABLE
    return GPUCMD_OK;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_nvgpu_kernel_init(gpucmd_nvgpu_kernel *k)
{
    struct gpucmd_nvgpu_gpu_characteristics *const gpu = &k->gpu;
    const gpucmd_status status = gpucmd_priv_nvgpu_clear_tables(k);
    if (status != GPUCMD_OK) {
        return status;
    }
    k->root = false;
    k->identity = false;
    k->fail_at = 0;
    k->fail_error = GPUCMD_SYS_ENOMEM;
    k->fail_copy_out = false;
    k->process = NULL;
    k->host = NULL;
    k->ram_fd = -1;
    k->trace = NULL;
    k->exec = NULL;
    k->event = NULL;
    k->min_freq = 306000000;
    k->max_freq = 1300500000;
    k->next_handle = 0x7fffffff;
    k->next_serial = 1;
    k->next_syncpoint = 1;
    gpucmd_priv_zero(gpu, sizeof *gpu);
#define GPUCMD_NV_PRIV_FLAG(name, bit, ga10b, meaning) gpu->flags |= (uint64_t)(ga10b) << (bit);
    GPUCMD_NVGPU_FLAGS(GPUCMD_NV_PRIV_FLAG)
#undef GPUCMD_NV_PRIV_FLAG
    gpucmd_priv_nvgpu_ga10b(gpu);
    return GPUCMD_OK;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_nvgpu_kernel_init_store(gpucmd_nvgpu_kernel *k,
                                                             gpucmd_nvgpu_kernel_store *s,
                                                             void *ram, uint64_t ram_bytes)
{
#define GPUCMD_NV_PRIV_TABLE(name, member, count, type, used, store)                               \
    k->member = s->member;                                                                         \
    k->count = (store);
    GPUCMD_NVGPU_KERNEL_TABLES(GPUCMD_NV_PRIV_TABLE)
#undef GPUCMD_NV_PRIV_TABLE
    k->regions = s->regions;
    k->ram = (uint8_t *)ram;
    k->ram_bytes = ram_bytes;
    return gpucmd_nvgpu_kernel_init(k);
}

/* Define gpucmd_priv_nvgpu_new_buffers and a function for each other table. Each function returns a
 * free row with all members 0. If no row is free, the function sets k->table and returns NULL. */
#define GPUCMD_NV_PRIV_TABLE(name, member, count, type, used, store)                               \
    static GPUCMD_PRIV_UNUSED type *gpucmd_priv_nvgpu_new_##member(gpucmd_nvgpu_kernel *k)         \
    {                                                                                              \
        uint32_t i = 0;                                                                            \
        while (i < k->count && k->member[i].used != 0) {                                           \
            i++;                                                                                   \
        }                                                                                          \
        k->table = i == k->count ? GPUCMD_NVGPU_TABLE_##name : GPUCMD_NVGPU_TABLE_NONE;            \
        if (i == k->count) {                                                                       \
            return NULL;                                                                           \
        }                                                                                          \
        gpucmd_priv_zero(&k->member[i], sizeof k->member[i]);                                      \
        return &k->member[i];                                                                      \
    }
GPUCMD_NVGPU_KERNEL_TABLES(GPUCMD_NV_PRIV_TABLE)
#undef GPUCMD_NV_PRIV_TABLE

/* Exchange the contents of two memory blocks of equal size. */
static void gpucmd_priv_nvgpu_swap(uint8_t *a, uint8_t *b, uint64_t bytes)
{
    uint64_t i;
    for (i = 0; i < bytes; i++) {
        const uint8_t x = a[i];
        a[i] = b[i];
        b[i] = x;
    }
}

/* Return the address of the memory in k->ram that owner i has, or NULL if it has none. The owners
 * are the rows of k->buffers, followed by the rows of k->ctrls (doorbell pages). Write the offset
 * of the memory in k->ram to *at and its size to *bytes, or 0 to both if the result is NULL. */
static uint8_t *gpucmd_priv_nvgpu_used_ram(const gpucmd_nvgpu_kernel *k, uint32_t i, uint64_t *at,
                                           uint64_t *bytes)
{
    const bool buffer = i < k->buffer_count;
    const gpucmd_nvgpu_kernel_buffer *const b = &k->buffers[buffer ? i : 0];
    uint8_t *const own = !buffer                        ? k->ctrls[i - k->buffer_count].page
                         : b->refs != 0 && b->allocated ? b->own
                                                        : NULL;
    *at = own != NULL ? (uint64_t)(own - k->ram) : 0;
    *bytes = own == NULL ? 0 : buffer ? b->bytes : (uint64_t)GPUCMD_NVGPU_USERMODE_BYTES;
    return own;
}

/* Return the address of `bytes` free bytes in k->ram: at the start of k->ram, or directly after
 * used memory. Return NULL if k->ram has no gap of this size. */
static uint8_t *gpucmd_priv_nvgpu_find_ram(const gpucmd_nvgpu_kernel *k, uint64_t bytes)
{
    const uint32_t count = k->buffer_count + k->ctrl_count;
    uint32_t after, i;
    for (after = 0; after <= count; after++) {
        uint64_t at = 0, used, used_bytes = 0;
        if (after < count) {
            if (gpucmd_priv_nvgpu_used_ram(k, after, &at, &used_bytes) == NULL) {
                continue;
            }
            at += used_bytes;
        }
        bool good = at <= k->ram_bytes && bytes <= k->ram_bytes - at;
        for (i = 0; i < count && good; i++) {
            good = gpucmd_priv_nvgpu_used_ram(k, i, &used, &used_bytes) == NULL ||
                   !gpucmd_priv_nvgpu_overlap(at, bytes, used, used_bytes);
        }
        if (good) {
            return k->ram + (size_t)at;
        }
    }
    return NULL;
}

/* Return the row of k->files for descriptor fd, or NULL if fd is not open. */
static const gpucmd_nvgpu_kernel_file *gpucmd_priv_nvgpu_file(const gpucmd_nvgpu_kernel *k,
                                                              int64_t fd)
{
    if (fd < 3 || fd >= k->fd_count || k->files[fd].kind == GPUCMD_NVGPU_KERNEL_NONE) {
        return NULL;
    }
    return &k->files[fd];
}

/* Return true if descriptor fd is open and refers to an object of this kind. */
static bool gpucmd_priv_nvgpu_is_kind(const gpucmd_nvgpu_kernel *k, int64_t fd,
                                      gpucmd_nvgpu_kernel_kind kind)
{
    const gpucmd_nvgpu_kernel_file *const f = gpucmd_priv_nvgpu_file(k, fd);
    return f != NULL && f->kind == kind;
}

/* Return the lowest free descriptor. If none is free, set k->table and return -EMFILE. */
static int gpucmd_priv_nvgpu_free_fd(gpucmd_nvgpu_kernel *k)
{
    uint32_t fd;
    for (fd = 3; fd < k->fd_count; fd++) {
        if (k->files[fd].kind == GPUCMD_NVGPU_KERNEL_NONE) {
            return (int)fd;
        }
    }
    k->table = GPUCMD_NVGPU_TABLE_FILES;
    return -GPUCMD_SYS_EMFILE;
}

/* Let descriptor fd refer to row number idx of the table that kind selects. */
static void gpucmd_priv_nvgpu_install(gpucmd_nvgpu_kernel *k, int fd, gpucmd_nvgpu_kernel_kind kind,
                                      uint32_t idx)
{
    k->files[fd].kind = kind;
    k->files[fd].idx = idx;
    k->files[fd].flags = 0;
}

/* Free a row of k->ranges. If the range is a mapping, release its reference to the buffer. */
static void gpucmd_priv_nvgpu_drop_range(gpucmd_nvgpu_kernel *k, gpucmd_nvgpu_kernel_range *r)
{
    if (r->kind != GPUCMD_NVGPU_KERNEL_RANGE_RESERVED) {
        k->buffers[r->buffer].refs--;
    }
    r->kind = GPUCMD_NVGPU_KERNEL_RANGE_FREE;
}

/* Release a reference to an address space. If no reference remains, free the ranges in it. */
static void gpucmd_priv_nvgpu_unref_as(gpucmd_nvgpu_kernel *k, uint32_t as)
{
    uint32_t i;
    k->spaces[as].refs--;
    for (i = 0; i < k->range_count && k->spaces[as].refs == 0; i++) {
        if (k->ranges[i].kind != GPUCMD_NVGPU_KERNEL_RANGE_FREE && k->ranges[i].as == as) {
            gpucmd_priv_nvgpu_drop_range(k, &k->ranges[i]);
        }
    }
}

/* Remove a channel from its group, and mark the channel as timed out. Delete its subcontext if
 * `forget` is true and no other channel of the group uses the subcontext. */
static void gpucmd_priv_nvgpu_leave(gpucmd_nvgpu_kernel *k, gpucmd_nvgpu_kernel_channel *c,
                                    bool forget)
{
    uint32_t i;
    gpucmd_nvgpu_kernel_tsg *const t = &k->tsgs[c->tsg - 1];
    const uint32_t tsg = c->tsg;
    bool last = true;
    c->tsg = 0;
    c->timed_out = true;
    for (i = 0; i < k->channel_count; i++) {
        last = last && !(k->channels[i].used && k->channels[i].tsg == tsg &&
                         k->channels[i].veid == c->veid);
    }
    if (last && forget) {
        t->reserved &= ~(gpucmd_priv_shl(1, c->veid));
        t->as_serial[c->veid] = 0;
    }
    t->channels--;
    t->refs--;
}

/* Free a channel: leave its group, unmap its ring, and release its buffers and address space. */
static void gpucmd_priv_nvgpu_close_channel(gpucmd_nvgpu_kernel *k, gpucmd_nvgpu_kernel_channel *c)
{
    uint32_t i;
    const uint32_t held[3] = {c->ring, c->userd, c->notifier};
    if (c->tsg != 0) {
        gpucmd_priv_nvgpu_leave(k, c, true);
    }
    for (i = 0; i < k->range_count && c->ring != 0; i++) {
        gpucmd_nvgpu_kernel_range *const r = &k->ranges[i];
        if (r->kind == GPUCMD_NVGPU_KERNEL_RANGE_KERNEL && r->as == c->as - 1 &&
            r->va == c->pbdma.gp_base) {
            gpucmd_priv_nvgpu_drop_range(k, r);
        }
    }
    for (i = 0; i < 3; i++) {
        if (held[i] != 0) {
            k->buffers[held[i] - 1].refs--;
        }
    }
    if (c->as != 0) {
        gpucmd_priv_nvgpu_unref_as(k, c->as - 1);
    }
    c->used = false;
}

/* If no descriptor of /dev/nvmap is open, free all nvmap handles. */
static void gpucmd_priv_nvgpu_close_nvmap(gpucmd_nvgpu_kernel *k)
{
    uint32_t fd, i;
    for (fd = 3; fd < k->fd_count; fd++) {
        if (k->files[fd].kind == GPUCMD_NVGPU_KERNEL_NVMAP) {
            return;
        }
    }
    for (i = 0; i < k->handle_count; i++) {
        if (k->handles[i].number != 0) {
            k->handles[i].number = 0;
            k->buffers[k->handles[i].buffer].refs--;
        }
    }
}

/* Close descriptor fd, which must be open, and release the object that fd refers to. */
static void gpucmd_priv_nvgpu_kernel_close(gpucmd_nvgpu_kernel *k, int fd)
{
    const gpucmd_nvgpu_kernel_file f = k->files[fd];
    k->files[fd].kind = GPUCMD_NVGPU_KERNEL_NONE;
    switch (f.kind) {
    case GPUCMD_NVGPU_KERNEL_NVMAP: gpucmd_priv_nvgpu_close_nvmap(k); break;
    case GPUCMD_NVGPU_KERNEL_DMABUF: k->buffers[f.idx].refs--; break;
    case GPUCMD_NVGPU_KERNEL_CTRL: k->ctrls[f.idx].refs--; break;
    case GPUCMD_NVGPU_KERNEL_AS: gpucmd_priv_nvgpu_unref_as(k, f.idx); break;
    case GPUCMD_NVGPU_KERNEL_TSG: k->tsgs[f.idx].refs--; break;
    case GPUCMD_NVGPU_KERNEL_CHANNEL:
        gpucmd_priv_nvgpu_close_channel(k, &k->channels[f.idx]);
        break;
    case GPUCMD_NVGPU_KERNEL_NONE:
    case GPUCMD_NVGPU_KERNEL_MAX_FREQ:
    case GPUCMD_NVGPU_KERNEL_MIN_FREQ: break;
    }
}

/* ---- model kernel: nvmap ---- */

/* Object and argument of an ioctl. The ioctl number selects the union member that is the argument.
 * A handler (column handler of GPUCMD_NVGPU_IOCTLS) reads and changes the argument. It returns:
 *   0                 success
 *   a negative value  minus an errno
 *   a positive value  number of bytes of a result that it could not copy to the process */
GPUCMD_PRIV_UNNAMED
typedef struct gpucmd_priv_nvgpu_args {
    uint32_t idx; /* table row of the object to which the descriptor of the ioctl refers */
    union {
        uint8_t bytes[264];
        int32_t fd;
        uint32_t value; /* NVMAP_IOC_FREE: the argument itself, which is not a pointer */
        struct gpucmd_nvmap_create_handle create;
        struct gpucmd_nvmap_alloc_handle alloc;
        struct gpucmd_nvmap_handle_parameters parameters;
        struct gpucmd_nvgpu_gpu_get_characteristics characteristics;
        struct gpucmd_nvgpu_alloc_as_args alloc_as;
        struct gpucmd_nvgpu_gpu_open_tsg_args open_tsg;
        struct gpucmd_nvgpu_gpu_open_channel_args open_channel;
        struct gpucmd_nvgpu_gpu_l2_fb_args l2_fb;
        struct gpucmd_nvgpu_as_bind_channel_args as_bind;
        struct gpucmd_nvgpu32_as_alloc_space_args alloc_space32;
        struct gpucmd_nvgpu_as_alloc_space_args alloc_space;
        struct gpucmd_nvgpu_as_free_space_args free_space;
        struct gpucmd_nvgpu_as_map_buffer_ex_args map;
        struct gpucmd_nvgpu_as_unmap_buffer_args unmap;
        struct gpucmd_nvgpu_as_get_va_regions_args va_regions;
        struct gpucmd_nvgpu_tsg_bind_channel_ex_args tsg_bind;
        struct gpucmd_nvgpu_tsg_create_subcontext_args create_subcontext;
        struct gpucmd_nvgpu_tsg_delete_subcontext_args delete_subcontext;
        struct gpucmd_nvgpu_timeslice_args timeslice;
        struct gpucmd_nvgpu_channel_wdt_args wdt;
        struct gpucmd_nvgpu_channel_setup_bind_args setup;
        struct gpucmd_nvgpu_alloc_obj_ctx_args obj;
        struct gpucmd_nvgpu_get_param_args param;
        struct gpucmd_nvgpu_get_user_syncpoint_args syncpoint;
        struct gpucmd_nvgpu_set_error_notifier notifier;
    };
} gpucmd_priv_nvgpu_args;

/* Return the row in k->handles that has the nvmap handle `number`, or NO_ROW. */
static uint32_t gpucmd_priv_nvgpu_find_handle(const gpucmd_nvgpu_kernel *k, uint32_t number)
{
    uint32_t i;
    for (i = 0; i < k->handle_count && number != 0; i++) {
        if (k->handles[i].number == number) {
            return i;
        }
    }
    return GPUCMD_PRIV_NVGPU_NO_ROW;
}

/* Create and return an nvmap handle for a buffer (row `buffer`). Return 0 if no handle is free. */
static uint32_t gpucmd_priv_nvgpu_new_handle(gpucmd_nvgpu_kernel *k, uint32_t buffer)
{
    gpucmd_nvgpu_kernel_handle *const h = gpucmd_priv_nvgpu_new_handles(k);
    if (h == NULL || k->next_handle == 0) {
        return 0;
    }
    h->number = k->next_handle++;
    h->buffer = buffer;
    k->buffers[buffer].refs++;
    return h->number;
}

/* Create a buffer without memory, and write its handle to *handle. Return 0 or minus an errno. */
static int gpucmd_priv_nvgpu_create_buffer(gpucmd_nvgpu_kernel *k, uint64_t bytes, uint32_t *handle)
{
    if (bytes == 0) {
        return -GPUCMD_SYS_EINVAL;
    }
    gpucmd_nvgpu_kernel_buffer *b = gpucmd_priv_nvgpu_new_buffers(k);
    if (b == NULL || bytes >> 63 != 0) {
        return -GPUCMD_SYS_ENOMEM;
    }
    b->bytes = (bytes + 4095) & ~(uint64_t)4095;
    *handle = gpucmd_priv_nvgpu_new_handle(k, (uint32_t)(b - k->buffers));
    return *handle != 0 ? 0 : -GPUCMD_SYS_ENOMEM;
}

static int gpucmd_priv_nvgpu_nvmap_create(gpucmd_nvgpu_kernel *k, gpucmd_priv_nvgpu_args *a)
{
    uint32_t handle = 0;
    const int result = gpucmd_priv_nvgpu_create_buffer(k, a->create.size, &handle);
    a->create.handle = handle;
    return result;
}

static int gpucmd_priv_nvgpu_nvmap_create_64(gpucmd_nvgpu_kernel *k, gpucmd_priv_nvgpu_args *a)
{
    uint32_t handle = 0;
    const int result = gpucmd_priv_nvgpu_create_buffer(k, a->create.size64, &handle);
    a->create.handle64 = handle;
    return result;
}

static int gpucmd_priv_nvgpu_nvmap_alloc(gpucmd_nvgpu_kernel *k, gpucmd_priv_nvgpu_args *args)
{
    const struct gpucmd_nvmap_alloc_handle *const a = &args->alloc;
    const uint32_t single = GPUCMD_NVMAP_HEAP_IVM | (uint32_t)GPUCMD_NVMAP_HEAP_VIDMEM;
    const uint32_t h = gpucmd_priv_nvgpu_find_handle(k, a->handle);
    if ((a->align & (a->align - 1)) != 0 || a->handle == 0 || a->numa_nid < -1 ||
        a->numa_nid > 16 || gpucmd_priv_nvgpu_is_kind(k, a->handle, GPUCMD_NVGPU_KERNEL_DMABUF) ||
        h == GPUCMD_PRIV_NVGPU_NO_ROW) {
        return -GPUCMD_SYS_EINVAL;
    }
    gpucmd_nvgpu_kernel_buffer *b = &k->buffers[k->handles[h].buffer];
    if ((a->heap_mask & GPUCMD_NVMAP_HEAP_IOVMM) == 0 || b->bytes > k->ram_bytes) {
        k->table = b->bytes > k->ram_bytes ? GPUCMD_NVGPU_TABLE_RAM : k->table;
        return -GPUCMD_SYS_ENOMEM;
    }
    if (b->allocated) {
        return -GPUCMD_SYS_EEXIST;
    }
    if ((a->heap_mask & single) != 0) {
        return -GPUCMD_SYS_EINVAL;
    }
    b->own = gpucmd_priv_nvgpu_find_ram(k, b->bytes);
    if (b->own == NULL) {
        k->table = GPUCMD_NVGPU_TABLE_RAM;
        return -GPUCMD_SYS_ENOMEM;
    }
    gpucmd_priv_zero(b->own, (size_t)b->bytes);
    b->cpu = b->own;
    b->allocated = true;
    b->heap_mask = GPUCMD_NVMAP_HEAP_IOVMM;
    b->align = a->align < GPUCMD_NVGPU_PAGE_BYTES ? (uint32_t)GPUCMD_NVGPU_PAGE_BYTES : a->align;
    b->cache = a->flags & GPUCMD_NVMAP_CACHE_MASK;
    return 0;
}

static int gpucmd_priv_nvgpu_nvmap_get_fd(gpucmd_nvgpu_kernel *k, gpucmd_priv_nvgpu_args *args)
{
    struct gpucmd_nvmap_create_handle *const a = &args->create;
    const uint32_t h = gpucmd_priv_nvgpu_find_handle(k, a->handle);
    if (gpucmd_priv_nvgpu_is_kind(k, a->handle, GPUCMD_NVGPU_KERNEL_DMABUF)) {
        return -GPUCMD_SYS_EINVAL;
    }
    if (h == GPUCMD_PRIV_NVGPU_NO_ROW) {
        return gpucmd_priv_nvgpu_file(k, a->handle) != NULL ? -GPUCMD_SYS_EINVAL
                                                            : -GPUCMD_SYS_EBADF;
    }
    int fd = gpucmd_priv_nvgpu_free_fd(k);
    if (fd < 0) {
        return -GPUCMD_SYS_EFAULT; /* the driver returns EFAULT, not EMFILE, if no fd is free */
    }
    gpucmd_priv_nvgpu_install(k, fd, GPUCMD_NVGPU_KERNEL_DMABUF, k->handles[h].buffer);
    k->buffers[k->handles[h].buffer].refs++;
    a->fd = fd;
    return 0;
}

static int gpucmd_priv_nvgpu_nvmap_from_fd(gpucmd_nvgpu_kernel *k, gpucmd_priv_nvgpu_args *args)
{
    struct gpucmd_nvmap_create_handle *const a = &args->create;
    const gpucmd_nvgpu_kernel_file *const f = gpucmd_priv_nvgpu_file(k, a->fd);
    if (f == NULL) {
        return -GPUCMD_SYS_EBADF;
    }
    if (f->kind != GPUCMD_NVGPU_KERNEL_DMABUF) {
        return -GPUCMD_SYS_EINVAL;
    }
    a->handle = gpucmd_priv_nvgpu_new_handle(k, f->idx);
    return a->handle != 0 ? 0 : -GPUCMD_SYS_ENOMEM;
}

static int gpucmd_priv_nvgpu_nvmap_parameters(gpucmd_nvgpu_kernel *k, gpucmd_priv_nvgpu_args *args)
{
    struct gpucmd_nvmap_handle_parameters *const a = &args->parameters;
    const uint32_t h = gpucmd_priv_nvgpu_find_handle(k, a->handle);
    if (h == GPUCMD_PRIV_NVGPU_NO_ROW) {
        return -GPUCMD_SYS_ENODEV;
    }
    const gpucmd_nvgpu_kernel_buffer *b = &k->buffers[k->handles[h].buffer];
    a->heap = b->heap_mask;
    a->size = b->bytes;
    a->align = b->align;
    a->coherency = b->cache;
    return 0;
}

/* Execute NVMAP_IOC_FREE: close or free a->value, if it is a dma-buf descriptor or a handle. */
static int gpucmd_priv_nvgpu_nvmap_free(gpucmd_nvgpu_kernel *k, gpucmd_priv_nvgpu_args *a)
{
    const uint32_t value = a->value;
    const uint32_t h = gpucmd_priv_nvgpu_find_handle(k, value);
    if (gpucmd_priv_nvgpu_is_kind(k, value, GPUCMD_NVGPU_KERNEL_DMABUF)) {
        gpucmd_priv_nvgpu_kernel_close(k, (int)value);
    } else if (h != GPUCMD_PRIV_NVGPU_NO_ROW) {
        k->handles[h].number = 0;
        k->buffers[k->handles[h].buffer].refs--;
    }
    return 0;
}

/* ---- model kernel: control node ---- */

/* Execute GET_CHARACTERISTICS: copy the characteristics of the GPU to the process. If the copy
 * fails, return the number of bytes (positive), as the driver does. */
static int gpucmd_priv_nvgpu_characteristics(gpucmd_nvgpu_kernel *k, gpucmd_priv_nvgpu_args *args)
{
    struct gpucmd_nvgpu_gpu_get_characteristics *const a = &args->characteristics;
    const uint64_t bytes = a->gpu_characteristics_buf_size < sizeof k->gpu
                               ? a->gpu_characteristics_buf_size
                               : sizeof k->gpu;
    const uint64_t old_id = k->gpu.device_instance_id;
    k->gpu.device_instance_id = k->ctrls[args->idx].device_instance_id;
    if (gpucmd_process_write(k->process, a->gpu_characteristics_buf_addr, &k->gpu, bytes) != 0) {
        k->gpu.device_instance_id = old_id;
        return (int)bytes;
    }
    a->gpu_characteristics_buf_size = sizeof k->gpu;
    return 0;
}

static int gpucmd_priv_nvgpu_alloc_as(gpucmd_nvgpu_kernel *k, gpucmd_priv_nvgpu_args *args)
{
    struct gpucmd_nvgpu_alloc_as_args *const a = &args->alloc_as;
    const int fd = gpucmd_priv_nvgpu_free_fd(k);
    if (fd < 0) {
        return fd;
    }
    if (a->big_page_size != 0 || a->va_range_start == 0 || a->va_range_end == 0 ||
        (a->va_range_start | a->va_range_end) % GPUCMD_NVGPU_VA_ALIGN != 0 ||
        a->va_range_start >= a->va_range_end || a->va_range_split != 0) {
        return -GPUCMD_SYS_EINVAL;
    }
    gpucmd_nvgpu_kernel_as *s = gpucmd_priv_nvgpu_new_spaces(k);
    if (a->va_range_end > ((uint64_t)1 << 49) - GPUCMD_NVGPU_KERNEL_VA_BYTES || s == NULL) {
        return -GPUCMD_SYS_ENOMEM;
    }
    s->refs = 1;
    s->serial = k->next_serial++;
    s->start = a->va_range_start;
    s->end = a->va_range_end;
    gpucmd_priv_nvgpu_install(k, fd, GPUCMD_NVGPU_KERNEL_AS, (uint32_t)(s - k->spaces));
    a->as_fd = fd;
    return 0;
}

static int gpucmd_priv_nvgpu_open_tsg(gpucmd_nvgpu_kernel *k, gpucmd_priv_nvgpu_args *args)
{
    struct gpucmd_nvgpu_gpu_open_tsg_args *const a = &args->open_tsg;
    if ((a->flags & GPUCMD_NVGPU_TSG_SHARE) != 0 || a->source_device_instance_id != 0 ||
        a->share_token != 0) { /* the model kernel has no share tokens */
        return -GPUCMD_SYS_EINVAL;
    }
    const int fd = gpucmd_priv_nvgpu_free_fd(k);
    if (fd < 0) {
        return fd;
    }
    gpucmd_nvgpu_kernel_tsg *t = gpucmd_priv_nvgpu_new_tsgs(k);
    if (t == NULL) {
        return -GPUCMD_SYS_ENOMEM;
    }
    t->refs = 1;
    t->timeslice_us = GPUCMD_NVGPU_TIMESLICE_US;
    gpucmd_priv_nvgpu_install(k, fd, GPUCMD_NVGPU_KERNEL_TSG, (uint32_t)(t - k->tsgs));
    a->tsg_fd = (uint32_t)fd;
    return 0;
}

static int gpucmd_priv_nvgpu_open_channel(gpucmd_nvgpu_kernel *k, gpucmd_priv_nvgpu_args *args)
{
    struct gpucmd_nvgpu_gpu_open_channel_args *const a = &args->open_channel;
    const int fd = gpucmd_priv_nvgpu_free_fd(k);
    if (fd < 0) {
        return fd;
    }
    if (a->in.runlist_id != -1 && a->in.runlist_id != 0) {
        return -GPUCMD_SYS_EINVAL;
    }
    gpucmd_nvgpu_kernel_channel *c = gpucmd_priv_nvgpu_new_channels(k);
    const uint32_t i =
        c != NULL ? (uint32_t)(c - k->channels) : (uint32_t)GPUCMD_NVGPU_MAX_CHANNELS;
    if (i >= GPUCMD_NVGPU_MAX_CHANNELS) {
        return -GPUCMD_SYS_ENOMEM;
    }
    c->number = GPUCMD_NVGPU_MAX_CHANNELS - 1 - i; /* the first row has number 511 */
    c->used = true;
    c->watchdog = true;
    c->timed_out = true;
    gpucmd_priv_nvgpu_install(k, fd, GPUCMD_NVGPU_KERNEL_CHANNEL, i);
    a->out.channel_fd = fd;
    return 0;
}

static int gpucmd_priv_nvgpu_flush_l2(gpucmd_nvgpu_kernel *k, gpucmd_priv_nvgpu_args *a)
{
    const uint32_t l2 = a->l2_fb.flush;
    (void)k;
    return (l2 & (GPUCMD_NVGPU_L2_FLUSH | (uint32_t)GPUCMD_NVGPU_FB_FLUSH)) == 0 ||
                   ((l2 & GPUCMD_NVGPU_L2_INVALIDATE) != 0 && (l2 & GPUCMD_NVGPU_L2_FLUSH) == 0)
               ? -GPUCMD_SYS_EINVAL
               : 0;
}

/* ---- model kernel: address space ---- */

/* Return a range of an address space (row `as`) that overlaps [va, va + bytes), or NULL. If
 * parameter mappings_only is true, ignore reservations. */
static const gpucmd_nvgpu_kernel_range *gpucmd_priv_nvgpu_find_range(const gpucmd_nvgpu_kernel *k,
                                                                     uint32_t as, uint64_t va,
                                                                     uint64_t bytes,
                                                                     bool mappings_only)
{
    uint32_t i;
    for (i = 0; i < k->range_count; i++) {
        const gpucmd_nvgpu_kernel_range *const r = &k->ranges[i];
        if (r->kind != GPUCMD_NVGPU_KERNEL_RANGE_FREE && r->as == as &&
            !(mappings_only && r->kind == GPUCMD_NVGPU_KERNEL_RANGE_RESERVED) &&
            gpucmd_priv_nvgpu_overlap(va, bytes, r->va, r->bytes)) {
            return r;
        }
    }
    return NULL;
}

/* Return the lowest address in [lo, hi) at which `bytes` bytes are free, or 0 if there is none. The
 * function overwrites k->regions. */
static uint64_t gpucmd_priv_nvgpu_find_gap(const gpucmd_nvgpu_kernel *k, uint32_t as,
                                           uint64_t bytes, uint64_t lo, uint64_t hi)
{
    uint32_t i;
    size_t at, n = 0;
    uint64_t va = lo;
    for (i = 0; i < k->range_count; i++) {
        const gpucmd_nvgpu_kernel_range *const r = &k->ranges[i];
        if (r->kind != GPUCMD_NVGPU_KERNEL_RANGE_FREE && r->as == as) {
            k->regions[n].va = r->va;
            k->regions[n].bytes = r->bytes;
            n++;
        }
    }
    gpucmd_mem_sort(k->regions, n);
    for (at = 0; at < n && k->regions[at].va < va + bytes; at++) {
        const uint64_t end_va = k->regions[at].va + k->regions[at].bytes;
        va = end_va > va ? end_va : va; /* a mapping can end before the reservation around it */
    }
    return gpucmd_priv_nvgpu_inside(va, bytes, lo, hi) ? va : 0;
}

/* Return the reservation of an address space (row `as`) that contains va, or NULL. */
static gpucmd_nvgpu_kernel_range *gpucmd_priv_nvgpu_reservation(const gpucmd_nvgpu_kernel *k,
                                                                uint32_t as, uint64_t va)
{
    uint32_t i;
    for (i = 0; i < k->range_count; i++) {
        gpucmd_nvgpu_kernel_range *const r = &k->ranges[i];
        if (r->kind == GPUCMD_NVGPU_KERNEL_RANGE_RESERVED && r->as == as && va >= r->va &&
            va - r->va < r->bytes) {
            return r;
        }
    }
    return NULL;
}

/* Reserve a range of 4096-byte pages: at *va if flags has FIXED_OFFSET, otherwise at the lowest
 * free address. Write the address to *va. Return 0 or minus an errno. */
static int gpucmd_priv_nvgpu_add_reservation(gpucmd_nvgpu_kernel *k, uint32_t as, uint64_t pages,
                                             uint32_t page_size, uint32_t flags, uint64_t *va)
{
    const gpucmd_nvgpu_kernel_as *const s = &k->spaces[as];
    gpucmd_nvgpu_kernel_range *const r = gpucmd_priv_nvgpu_new_ranges(k);
    const uint64_t bytes = pages << 12;
    uint64_t at = *va;
    if (page_size != GPUCMD_NVGPU_PAGE_BYTES) {
        return -GPUCMD_SYS_EINVAL;
    }
    if (r == NULL || pages == 0 || pages >> 37 != 0) {
        return -GPUCMD_SYS_ENOMEM;
    }
    if ((flags & GPUCMD_NVGPU_AS_ALLOC_SPACE_FIXED_OFFSET) == 0) {
        at = gpucmd_priv_nvgpu_find_gap(k, as, bytes, s->start, s->end);
    }
    if (at % GPUCMD_NVGPU_PAGE_BYTES != 0 ||
        !gpucmd_priv_nvgpu_inside(at, bytes, s->start, s->end) ||
        gpucmd_priv_nvgpu_find_range(k, as, at, bytes, false) != NULL) {
        return -GPUCMD_SYS_ENOMEM;
    }
    r->kind = GPUCMD_NVGPU_KERNEL_RANGE_RESERVED;
    r->as = as;
    r->va = at;
    r->bytes = bytes;
    *va = at;
    return 0;
}

static int gpucmd_priv_nvgpu_alloc_space(gpucmd_nvgpu_kernel *k, gpucmd_priv_nvgpu_args *args)
{
    struct gpucmd_nvgpu_as_alloc_space_args *const a = &args->alloc_space;
    return gpucmd_priv_nvgpu_add_reservation(k, args->idx, a->pages, a->page_size, a->flags,
                                             &a->o_a.offset);
}

static int gpucmd_priv_nvgpu_alloc_space32(gpucmd_nvgpu_kernel *k, gpucmd_priv_nvgpu_args *args)
{
    struct gpucmd_nvgpu32_as_alloc_space_args *const a = &args->alloc_space32;
    return gpucmd_priv_nvgpu_add_reservation(k, args->idx, a->pages, a->page_size, a->flags,
                                             &a->o_a.offset);
}

/* Release a reference to a mapping. If no reference remains, free the mapping. */
static void gpucmd_priv_nvgpu_unref_range(gpucmd_nvgpu_kernel *k, gpucmd_nvgpu_kernel_range *r)
{
    r->refs--;
    if (r->refs == 0) {
        gpucmd_priv_nvgpu_drop_range(k, r);
    }
}

/* Execute FREE_SPACE: free the reservation that contains the address, and release a reference to
 * each mapping inside the reservation. If there is no reservation, do nothing and return 0. */
static int gpucmd_priv_nvgpu_free_space(gpucmd_nvgpu_kernel *k, gpucmd_priv_nvgpu_args *a)
{
    uint32_t i;
    gpucmd_nvgpu_kernel_range *const res =
        gpucmd_priv_nvgpu_reservation(k, a->idx, a->free_space.offset);
    for (i = 0; i < k->range_count && res != NULL; i++) {
        gpucmd_nvgpu_kernel_range *const r = &k->ranges[i];
        if (r->kind == GPUCMD_NVGPU_KERNEL_RANGE_USER && r->as == a->idx &&
            gpucmd_priv_nvgpu_inside(r->va, r->bytes, res->va, res->va + res->bytes)) {
            gpucmd_priv_nvgpu_unref_range(k, r);
        }
    }
    if (res != NULL) {
        gpucmd_priv_nvgpu_drop_range(k, res);
    }
    return 0;
}

/* Check the argument of MAP_BUFFER_EX, except its GPU addresses. Return 0 or minus an errno. */
static int gpucmd_priv_nvgpu_check_map(const gpucmd_nvgpu_kernel *k,
                                       const struct gpucmd_nvgpu_as_map_buffer_ex_args *a)
{
    const uint32_t known = GPUCMD_NVGPU_MAP_FIXED_OFFSET | GPUCMD_NVGPU_MAP_CACHEABLE |
                           GPUCMD_NVGPU_MAP_UNMAPPED_PTE | GPUCMD_NVGPU_MAP_OLD |
                           GPUCMD_NVGPU_MAP_L3_ALLOC | GPUCMD_NVGPU_MAP_SYSTEM_COHERENT |
                           (uint32_t)GPUCMD_NVGPU_MAP_ACCESS_MASK;
    const bool fixed = (a->flags & GPUCMD_NVGPU_MAP_FIXED_OFFSET) != 0;
    const gpucmd_nvgpu_kernel_file *const f = gpucmd_priv_nvgpu_file(k, (int32_t)a->dmabuf_fd);
    if (f == NULL) {
        return -GPUCMD_SYS_EBADF;
    }
    if (f->kind != GPUCMD_NVGPU_KERNEL_DMABUF) {
        return -GPUCMD_SYS_EINVAL;
    }
    const uint64_t bytes = k->buffers[f->idx].bytes;
    if ((!fixed && (a->buffer_offset | a->offset | a->mapping_size) != 0) ||
        a->mapping_size > bytes || a->buffer_offset > bytes - a->mapping_size ||
        (a->flags & GPUCMD_NVGPU_MAP_ACCESS_MASK) == GPUCMD_NVGPU_MAP_ACCESS_MASK ||
        (a->flags & ~known) != 0 || !k->buffers[f->idx].allocated) {
        return -GPUCMD_SYS_EINVAL;
    }
    return 0;
}

/* Check the addresses of MAP_BUFFER_EX with the flag FIXED_OFFSET. Before the call *bytes is the
 * size of the buffer, after success *bytes is the size of the mapping. Return 0 or minus errno. */
static int gpucmd_priv_nvgpu_check_fixed(const gpucmd_nvgpu_kernel *k, uint32_t as,
                                         const struct gpucmd_nvgpu_as_map_buffer_ex_args *a,
                                         uint64_t *bytes)
{
    const gpucmd_nvgpu_kernel_range *const res = gpucmd_priv_nvgpu_reservation(k, as, a->offset);
    const uint64_t whole = *bytes;
    const uint64_t want = a->mapping_size != 0 ? (a->mapping_size + 4095) & ~(uint64_t)4095 : whole;
    if (want > whole || a->buffer_offset > whole - want ||
        a->offset % GPUCMD_NVGPU_PAGE_BYTES != 0 || res == NULL ||
        want > res->bytes - (a->offset - res->va) ||
        gpucmd_priv_nvgpu_find_range(k, as, a->offset, want, true) != NULL) {
        return -GPUCMD_SYS_EINVAL;
    }
    *bytes = want;
    return 0;
}

/* Return a free GPU address for a mapping of buffer b without the flag FIXED_OFFSET, or 0. If
 * k->identity is true and the CPU address of b is free as GPU address, return the CPU address. */
static uint64_t gpucmd_priv_nvgpu_choose_va(const gpucmd_nvgpu_kernel *k, uint32_t as,
                                            const gpucmd_nvgpu_kernel_buffer *b)
{
    const gpucmd_nvgpu_kernel_as *const s = &k->spaces[as];
    const uint64_t host = (uintptr_t)b->cpu;
    if (k->identity && host % GPUCMD_NVGPU_PAGE_BYTES == 0 &&
        gpucmd_priv_nvgpu_inside(host, b->bytes, s->start, s->end) &&
        gpucmd_priv_nvgpu_find_range(k, as, host, b->bytes, false) == NULL) {
        return host;
    }
    return gpucmd_priv_nvgpu_find_gap(k, as, b->bytes, s->start, s->end);
}

/* Execute MAP_BUFFER_EX. If the process maps a buffer again with equal flags and kind (and with
 * FIXED_OFFSET the same address), share the mapping that exists, as the driver does. */
static int gpucmd_priv_nvgpu_map_buffer(gpucmd_nvgpu_kernel *k, gpucmd_priv_nvgpu_args *args)
{
    uint32_t i;
    struct gpucmd_nvgpu_as_map_buffer_ex_args *const a = &args->map;
    const int32_t kind = a->compr_kind != -1 ? a->compr_kind : a->incompr_kind;
    const uint32_t flags = a->flags & ~(uint32_t)GPUCMD_NVGPU_MAP_OLD;
    const bool fixed = (flags & GPUCMD_NVGPU_MAP_FIXED_OFFSET) != 0;
    gpucmd_nvgpu_kernel_range *r;
    int result = gpucmd_priv_nvgpu_check_map(k, a);
    if (result != 0) {
        return result;
    }
    uint32_t buffer = k->files[a->dmabuf_fd].idx;
    uint64_t bytes = k->buffers[buffer].bytes;
    for (i = 0; i < k->range_count; i++) {
        r = &k->ranges[i];
        if (r->kind == GPUCMD_NVGPU_KERNEL_RANGE_USER && r->as == args->idx &&
            r->buffer == buffer && r->flags == flags && r->mem_kind == kind &&
            (!fixed || r->va == a->offset)) {
            r->refs++;
            a->offset = r->va;
            return 0;
        }
    }
    result = fixed ? gpucmd_priv_nvgpu_check_fixed(k, args->idx, a, &bytes) : 0;
    if (result != 0) {
        return result;
    }
    r = gpucmd_priv_nvgpu_new_ranges(k);
    a->offset = fixed ? a->offset : gpucmd_priv_nvgpu_choose_va(k, args->idx, &k->buffers[buffer]);
    if (a->incompr_kind < 0 || a->incompr_kind > 255 || r == NULL || a->offset == 0) {
        return -GPUCMD_SYS_ENOMEM;
    }
    r->kind = GPUCMD_NVGPU_KERNEL_RANGE_USER;
    r->as = args->idx;
    r->va = a->offset;
    r->bytes = bytes;
    r->buffer = buffer;
    r->buffer_off_bytes = a->buffer_offset;
    r->flags = flags;
    r->mem_kind = kind;
    r->refs = 1;
    k->buffers[buffer].refs++;
    return 0;
}

static int gpucmd_priv_nvgpu_unmap_buffer(gpucmd_nvgpu_kernel *k, gpucmd_priv_nvgpu_args *a)
{
    uint32_t i;
    for (i = 0; i < k->range_count; i++) {
        gpucmd_nvgpu_kernel_range *const r = &k->ranges[i];
        if (r->kind == GPUCMD_NVGPU_KERNEL_RANGE_USER && r->as == a->idx &&
            r->va == a->unmap.offset) {
            gpucmd_priv_nvgpu_unref_range(k, r);
            return 0;
        }
    }
    return 0;
}

static int gpucmd_priv_nvgpu_va_regions(gpucmd_nvgpu_kernel *k, gpucmd_priv_nvgpu_args *args)
{
    struct gpucmd_nvgpu_as_get_va_regions_args *const a = &args->va_regions;
    const gpucmd_nvgpu_kernel_as *const s = &k->spaces[args->idx];
    struct gpucmd_nvgpu_as_va_region region;
    if (a->buf_size >= sizeof region) {
        gpucmd_priv_zero(&region, sizeof region);
        region.offset = s->start;
        region.page_size = GPUCMD_NVGPU_PAGE_BYTES;
        region.pages = (s->end - s->start) >> 12;
        if (gpucmd_process_write(k->process, a->buf_addr, &region, sizeof region) != 0) {
            return -GPUCMD_SYS_EFAULT;
        }
    }
    a->buf_size = sizeof region;
    return 0;
}

static int gpucmd_priv_nvgpu_as_bind(gpucmd_nvgpu_kernel *k, gpucmd_priv_nvgpu_args *a)
{
    const int32_t fd = (int32_t)a->as_bind.channel_fd;
    if (!gpucmd_priv_nvgpu_is_kind(k, fd, GPUCMD_NVGPU_KERNEL_CHANNEL)) {
        return -GPUCMD_SYS_EINVAL;
    }
    gpucmd_nvgpu_kernel_channel *c = &k->channels[k->files[fd].idx];
    if (c->as != 0) {
        return -GPUCMD_SYS_EINVAL;
    }
    c->as = a->idx + 1;
    k->spaces[a->idx].refs++;
    return 0;
}

/* ---- model kernel: group ---- */

static int gpucmd_priv_nvgpu_create_subcontext(gpucmd_nvgpu_kernel *k, gpucmd_priv_nvgpu_args *args)
{
    struct gpucmd_nvgpu_tsg_create_subcontext_args *const a = &args->create_subcontext;
    gpucmd_nvgpu_kernel_tsg *const t = &k->tsgs[args->idx];
    uint32_t id = 0;
    if (a->type > GPUCMD_NVGPU_SUBCONTEXT_ASYNC ||
        !gpucmd_priv_nvgpu_is_kind(k, a->as_fd, GPUCMD_NVGPU_KERNEL_AS)) {
        return -GPUCMD_SYS_EINVAL;
    }
    if (a->type == GPUCMD_NVGPU_SUBCONTEXT_ASYNC) {
        id = 1;
        while (id < GPUCMD_NVGPU_MAX_SUBCONTEXTS && (gpucmd_priv_shr(t->reserved, id) & 1) != 0) {
            id++;
        }
        id %= GPUCMD_NVGPU_MAX_SUBCONTEXTS; /* id is 0 if all other ids are in use */
    }
    if ((gpucmd_priv_shr(t->reserved, id) & 1) != 0) {
        return -GPUCMD_SYS_ENOSPC;
    }
    t->reserved |= gpucmd_priv_shl(1, id);
    if (t->as_serial[id] == 0) {
        t->as_serial[id] = k->spaces[k->files[a->as_fd].idx].serial;
    }
    a->veid = id;
    return 0;
}

static int gpucmd_priv_nvgpu_delete_subcontext(gpucmd_nvgpu_kernel *k, gpucmd_priv_nvgpu_args *a)
{
    uint32_t i;
    const uint32_t veid = a->delete_subcontext.veid;
    gpucmd_nvgpu_kernel_tsg *const t = &k->tsgs[a->idx];
    if (veid >= GPUCMD_NVGPU_MAX_SUBCONTEXTS) {
        return -GPUCMD_SYS_EINVAL;
    }
    for (i = 0; i < k->channel_count; i++) {
        if (k->channels[i].used && k->channels[i].tsg == a->idx + 1 &&
            k->channels[i].veid == veid) {
            return -GPUCMD_SYS_EINVAL;
        }
    }
    t->reserved &= ~(gpucmd_priv_shl(1, veid));
    t->as_serial[veid] = 0;
    return 0;
}

/* Add the channel of descriptor fd to the group in row tsg. If parameter own_veid is true, the
 * channel keeps its subcontext, otherwise it gets subcontext veid. Return 0 or minus an errno. */
static int gpucmd_priv_nvgpu_join_tsg(gpucmd_nvgpu_kernel *k, uint32_t tsg, int32_t fd,
                                      uint32_t veid, bool own_veid)
{
    gpucmd_nvgpu_kernel_tsg *const t = &k->tsgs[tsg];
    if (!gpucmd_priv_nvgpu_is_kind(k, fd, GPUCMD_NVGPU_KERNEL_CHANNEL)) {
        return -GPUCMD_SYS_EINVAL;
    }
    gpucmd_nvgpu_kernel_channel *c = &k->channels[k->files[fd].idx];
    veid = own_veid ? c->veid : veid;
    if (veid >= GPUCMD_NVGPU_MAX_SUBCONTEXTS) {
        return -GPUCMD_SYS_EINVAL;
    }
    const uint64_t serial = c->as != 0 ? k->spaces[c->as - 1].serial : 0;
    if (veid == 0 && t->as_serial[0] == 0) {
        if ((t->reserved & 1) != 0) {
            return -GPUCMD_SYS_ENOSPC;
        }
        t->reserved |= 1; /* bit 0 is not cleared if a later check fails */
        t->as_serial[0] = serial;
    }
    if (serial == 0 || serial != t->as_serial[veid] || c->tsg != 0 ||
        t->channels >= GPUCMD_NVGPU_MAX_TSG_CHANNELS) {
        return -GPUCMD_SYS_EINVAL;
    }
    c->tsg = tsg + 1;
    c->veid = veid;
    c->timed_out = false;
    t->channels++;
    t->refs++;
    return 0;
}

static int gpucmd_priv_nvgpu_tsg_bind(gpucmd_nvgpu_kernel *k, gpucmd_priv_nvgpu_args *a)
{
    return gpucmd_priv_nvgpu_join_tsg(k, a->idx, a->fd, 0, true);
}

static int gpucmd_priv_nvgpu_tsg_bind_ex(gpucmd_nvgpu_kernel *k, gpucmd_priv_nvgpu_args *a)
{
    return gpucmd_priv_nvgpu_join_tsg(k, a->idx, a->tsg_bind.channel_fd, a->tsg_bind.subcontext_id,
                                      false);
}

static int gpucmd_priv_nvgpu_tsg_unbind(gpucmd_nvgpu_kernel *k, gpucmd_priv_nvgpu_args *a)
{
    const int32_t fd = a->fd;
    if (!gpucmd_priv_nvgpu_is_kind(k, fd, GPUCMD_NVGPU_KERNEL_CHANNEL)) {
        return -GPUCMD_SYS_EINVAL;
    }
    gpucmd_nvgpu_kernel_channel *c = &k->channels[k->files[fd].idx];
    if (c->tsg != a->idx + 1) {
        return -GPUCMD_SYS_EINVAL;
    }
    gpucmd_priv_nvgpu_leave(k, c, false);
    return 0;
}

static int gpucmd_priv_nvgpu_set_timeslice(gpucmd_nvgpu_kernel *k, gpucmd_priv_nvgpu_args *a)
{
    if (a->timeslice.timeslice_us < GPUCMD_NVGPU_TIMESLICE_MIN_US ||
        a->timeslice.timeslice_us > GPUCMD_NVGPU_TIMESLICE_MAX_US) {
        return -GPUCMD_SYS_EINVAL;
    }
    k->tsgs[a->idx].timeslice_us = a->timeslice.timeslice_us;
    return 0;
}

static int gpucmd_priv_nvgpu_get_timeslice(gpucmd_nvgpu_kernel *k, gpucmd_priv_nvgpu_args *a)
{
    a->timeslice.timeslice_us = k->tsgs[a->idx].timeslice_us;
    return 0;
}

/* ---- model kernel: channel ---- */

static int gpucmd_priv_nvgpu_wdt(gpucmd_nvgpu_kernel *k, gpucmd_priv_nvgpu_args *a)
{
    gpucmd_nvgpu_kernel_channel *const c = &k->channels[a->idx];
    const uint32_t low = a->wdt.wdt_status & 3;
    if ((c->set_up && low != GPUCMD_NVGPU_WDT_DISABLE) ||
        (low != GPUCMD_NVGPU_WDT_DISABLE && low != GPUCMD_NVGPU_WDT_ENABLE)) {
        return -GPUCMD_SYS_EINVAL;
    }
    c->watchdog = low == GPUCMD_NVGPU_WDT_ENABLE;
    return 0;
}

/* Check the argument of SETUP_BIND in the same order as the driver. Return 0 or minus an errno. */
static int gpucmd_priv_nvgpu_check_setup(const gpucmd_nvgpu_kernel_channel *c,
                                         const struct gpucmd_nvgpu_channel_setup_bind_args *a)
{
    const bool user = (a->flags & GPUCMD_NVGPU_SETUP_USERMODE) != 0;
    const bool deterministic = (a->flags & GPUCMD_NVGPU_SETUP_DETERMINISTIC) != 0;
    const uint32_t n = a->num_gpfifo_entries;
    if (n < (user ? 2u : 4u) || (n & (n - 1)) != 0 || n > 0xffffffffu / 8 || c->as == 0 ||
        c->tsg == 0) {
        return -GPUCMD_SYS_EINVAL;
    }
    if (c->set_up) {
        return -GPUCMD_SYS_EEXIST;
    }
    if ((deterministic && c->watchdog) || !user || !deterministic ||
        (a->flags & GPUCMD_NVGPU_SETUP_VPR) != 0 || a->userd_dmabuf_fd == 0 ||
        a->gpfifo_dmabuf_fd == 0 || (a->userd_dmabuf_offset | a->gpfifo_dmabuf_offset) != 0) {
        return -GPUCMD_SYS_EINVAL;
    }
    return 0;
}

/* Write to *buffer the row in k->buffers of the dma-buf fd. Return -EBADF if fd is not open,
 * -EINVAL if fd is not a dma-buf or its buffer has no memory. */
static int gpucmd_priv_nvgpu_find_buffer(const gpucmd_nvgpu_kernel *k, int32_t fd, uint32_t *buffer)
{
    const gpucmd_nvgpu_kernel_file *const f = gpucmd_priv_nvgpu_file(k, fd);
    if (f == NULL) {
        return -GPUCMD_SYS_EBADF;
    }
    if (f->kind != GPUCMD_NVGPU_KERNEL_DMABUF || !k->buffers[f->idx].allocated) {
        return -GPUCMD_SYS_EINVAL;
    }
    *buffer = f->idx;
    return 0;
}

/* Map a ring read-only for the GPU. The ring is the buffer in row `ring` of k->buffers. The mapping
 * is in the kernel's part of the address space in row `as` of k->spaces. Return the mapping, or
 * NULL if the kernel's part or the table of ranges is full. */
static gpucmd_nvgpu_kernel_range *gpucmd_priv_nvgpu_map_ring(gpucmd_nvgpu_kernel *k, uint32_t as,
                                                             uint32_t ring)
{
    gpucmd_nvgpu_kernel_range *const r = gpucmd_priv_nvgpu_new_ranges(k);
    const uint64_t lo = k->spaces[as].end;
    const uint64_t va = gpucmd_priv_nvgpu_find_gap(k, as, k->buffers[ring].bytes, lo,
                                                   lo + GPUCMD_NVGPU_KERNEL_VA_BYTES);
    if (r == NULL || va == 0) {
        return NULL;
    }
    r->kind = GPUCMD_NVGPU_KERNEL_RANGE_KERNEL;
    r->as = as;
    r->va = va;
    r->bytes = k->buffers[ring].bytes;
    r->buffer = ring;
    r->flags = GPUCMD_NVGPU_MAP_ACCESS_READ;
    r->refs = 1;
    k->buffers[ring].refs++;
    return r;
}

/* Initialise a PBDMA for a ring at ring_va; entries: number of IB entries, a power of two. */
static void gpucmd_priv_nvgpu_start_pbdma(gpucmd_nv_pbdma *p, uint64_t ring_va, uint32_t entries)
{
    if (gpucmd_nv_pbdma_init(p, GPUCMD_NV_CHIP_GA10B) == GPUCMD_OK) {
        p->gp_base = ring_va;
        while ((uint32_t)1 << p->limit2 < entries) {
            p->limit2++;
        }
    }
}

static int gpucmd_priv_nvgpu_setup_bind(gpucmd_nvgpu_kernel *k, gpucmd_priv_nvgpu_args *args)
{
    struct gpucmd_nvgpu_channel_setup_bind_args *const a = &args->setup;
    gpucmd_nvgpu_kernel_channel *const c = &k->channels[args->idx];
    const uint64_t need_bytes = gpucmd_priv_nvgpu_ring_bytes(a->num_gpfifo_entries);
    uint32_t ring = 0, userd;
    int result = gpucmd_priv_nvgpu_check_setup(c, a);
    result = result == 0 ? gpucmd_priv_nvgpu_find_buffer(k, a->gpfifo_dmabuf_fd, &ring) : result;
    if (result == 0 && k->buffers[ring].bytes < need_bytes) {
        result = -GPUCMD_SYS_EINVAL;
    }
    if (result != 0) {
        return result;
    }
    gpucmd_nvgpu_kernel_range *r = gpucmd_priv_nvgpu_map_ring(k, c->as - 1, ring);
    if (r == NULL) {
        return -GPUCMD_SYS_ENOMEM;
    }
    result = gpucmd_priv_nvgpu_find_buffer(k, a->userd_dmabuf_fd, &userd);
    if (result != 0) {
        gpucmd_priv_nvgpu_drop_range(k, r);
        return result;
    }
    c->ring = ring + 1;
    c->userd = userd + 1;
    k->buffers[ring].refs++;
    k->buffers[userd].refs++;
    c->entries = a->num_gpfifo_entries;
    c->set_up = true;
    gpucmd_priv_nvgpu_start_pbdma(&c->pbdma, r->va, c->entries);
    a->work_submit_token = c->number;
    a->gpfifo_gpu_va = 0;
    a->userd_gpu_va = 0;
    a->usermode_mmio_gpu_va = 0;
    return 0;
}

static int gpucmd_priv_nvgpu_alloc_obj_ctx(gpucmd_nvgpu_kernel *k, gpucmd_priv_nvgpu_args *a)
{
    gpucmd_nvgpu_kernel_channel *const c = &k->channels[a->idx];
    const gpucmd_nvgpu_class_kind kind = gpucmd_nvgpu_class_kind_of(a->obj.class_num);
    if (c->as == 0 || kind == GPUCMD_NVGPU_CLASS_INVALID || c->tsg == 0 ||
        (kind == GPUCMD_NVGPU_CLASS_GRAPHICS && c->veid != 0)) {
        return -GPUCMD_SYS_EINVAL;
    }
    c->objects++;
    return 0;
}

/* Execute SET_ERROR_NOTIFIER. As in the driver, a failed call also removes the old notifier. */
static int gpucmd_priv_nvgpu_set_notifier(gpucmd_nvgpu_kernel *k, gpucmd_priv_nvgpu_args *args)
{
    const struct gpucmd_nvgpu_set_error_notifier *const a = &args->notifier;
    gpucmd_nvgpu_kernel_channel *const c = &k->channels[args->idx];
    const uint64_t record_bytes = sizeof(struct gpucmd_nvgpu_notification);
    if (c->notifier != 0) {
        k->buffers[c->notifier - 1].refs--;
        c->notifier = 0;
    }
    if (!gpucmd_priv_nvgpu_is_kind(k, (int32_t)a->mem, GPUCMD_NVGPU_KERNEL_DMABUF)) {
        return -GPUCMD_SYS_EINVAL;
    }
    const uint64_t bytes = k->buffers[k->files[a->mem].idx].bytes;
    if (a->offset > bytes || record_bytes > bytes - a->offset) {
        return -GPUCMD_SYS_EINVAL;
    }
    c->notifier = k->files[a->mem].idx + 1;
    k->buffers[c->notifier - 1].refs++;
    return 0;
}

static int gpucmd_priv_nvgpu_get_timedout(gpucmd_nvgpu_kernel *k, gpucmd_priv_nvgpu_args *a)
{
    a->param.value = k->channels[a->idx].timed_out ? 1 : 0;
    return 0;
}

static int gpucmd_priv_nvgpu_get_syncpoint(gpucmd_nvgpu_kernel *k, gpucmd_priv_nvgpu_args *a)
{
    gpucmd_nvgpu_kernel_channel *const c = &k->channels[a->idx];
    if (c->syncpoint == 0) {
        c->syncpoint = k->next_syncpoint++;
    }
    a->syncpoint.syncpoint_id = c->syncpoint;
    return 0;
}

/* Reject SUBMIT_GPFIFO, because every channel that is set up submits with its doorbell. */
static int gpucmd_priv_nvgpu_submit_gpfifo(gpucmd_nvgpu_kernel *k, gpucmd_priv_nvgpu_args *a)
{
    const gpucmd_nvgpu_kernel_channel *const c = &k->channels[a->idx];
    (void)a;
    return c->timed_out ? -GPUCMD_SYS_ETIMEDOUT
           : c->set_up  ? -GPUCMD_SYS_EINVAL
                        : -GPUCMD_SYS_ENOMEM;
}

/* ---- model kernel: system calls ---- */

/* Begin a system call that can fail: clear k->table, and decrement k->fail_at unless it is 0. If
 * k->fail_at changes from 1 to 0, return true: the caller must let the system call fail. */
static bool gpucmd_priv_nvgpu_fail_now(gpucmd_nvgpu_kernel *k)
{
    k->table = GPUCMD_NVGPU_TABLE_NONE;
    if (k->fail_at != 0) {
        k->fail_at--;
        return k->fail_at == 0;
    }
    return false;
}

/* End a system call: clear k->table unless result is an errno that can mean a full table. Then
 * call the trace callback, and return result. */
static int gpucmd_priv_nvgpu_kernel_trace(gpucmd_nvgpu_kernel *k, const char *call, int fd,
                                          uint64_t what, int result)
{
    if (result != -GPUCMD_SYS_ENOMEM && result != -GPUCMD_SYS_EMFILE &&
        result != -GPUCMD_SYS_EFAULT) { /* GET_FD returns EFAULT if no descriptor is free */
        k->table = GPUCMD_NVGPU_TABLE_NONE;
    }
    if (k->trace != NULL) {
        k->trace(k->trace_user, call, fd, what, result);
    }
    return result;
}

/* Check letter, number and size in an ioctl number for a descriptor of this kind. The driver
 * makes the same checks before it reads the argument. Return 0 or minus an errno. */
static int gpucmd_priv_nvgpu_check_number(gpucmd_nvgpu_kernel_kind kind, uint32_t number)
{
    const uint32_t letter = GPUCMD_FIELD_GET(IOC_LETTER, number);
    const uint32_t nr = GPUCMD_FIELD_GET(IOC_NR, number);
    const uint32_t bytes = GPUCMD_FIELD_GET(IOC_BYTES, number);
#define GPUCMD_NV_PRIV_LETTER(object, its_letter, last_nr, most_bytes)                             \
    case GPUCMD_NVGPU_KERNEL_##object:                                                             \
        return letter != (its_letter) || nr == 0 || nr > (last_nr) || bytes > (most_bytes)         \
                   ? -GPUCMD_SYS_EINVAL                                                            \
                   : 0;
    switch (kind) {
        GPUCMD_NVGPU_LETTERS(GPUCMD_NV_PRIV_LETTER)
    case GPUCMD_NVGPU_KERNEL_NVMAP:
        return letter != 'N' || gpucmd_priv_nvgpu_find_row(number) == GPUCMD_PRIV_NVGPU_ROWS
                   ? -GPUCMD_SYS_ENOTTY
                   : 0;
    case GPUCMD_NVGPU_KERNEL_NONE:
    case GPUCMD_NVGPU_KERNEL_DMABUF:
    case GPUCMD_NVGPU_KERNEL_MAX_FREQ:
    case GPUCMD_NVGPU_KERNEL_MIN_FREQ: break;
    }
#undef GPUCMD_NV_PRIV_LETTER
    return -GPUCMD_SYS_ENOTTY;
}

/* Reject with ENOTTY an ioctl that the kernel's headers define but no driver handles. */
static int gpucmd_priv_nvgpu_unknown(gpucmd_nvgpu_kernel *k, gpucmd_priv_nvgpu_args *a)
{
    (void)k, (void)a;
    return -GPUCMD_SYS_ENOTTY;
}

/* Reject with ENOSYS an ioctl that the driver handles but the model kernel does not. */
static int gpucmd_priv_nvgpu_absent(gpucmd_nvgpu_kernel *k, gpucmd_priv_nvgpu_args *a)
{
    (void)k, (void)a;
    return -GPUCMD_SYS_ENOSYS;
}

/* Call the handler of an ioctl number for the object in table row a->idx; return its result. */
static int gpucmd_priv_nvgpu_handle_ioctl(gpucmd_nvgpu_kernel *k, uint32_t number,
                                          gpucmd_priv_nvgpu_args *a)
{
#define GPUCMD_NV_PRIV_IOCTL(name, handler, errors)                                                \
    case GPUCMD_PRIV_NVGPU_ROW_##name: return gpucmd_priv_nvgpu_##handler(k, a);
    switch (gpucmd_priv_nvgpu_find_row(number)) {
        GPUCMD_NVGPU_IOCTLS(GPUCMD_NV_PRIV_IOCTL)
    case GPUCMD_PRIV_NVGPU_ROWS: break;
    }
#undef GPUCMD_NV_PRIV_IOCTL
    return -GPUCMD_SYS_ENOTTY;
}

/* Execute an ioctl: read the argument, call the handler, and on success write the argument back.
 * If the write fails, return -EFAULT for nvmap and address spaces, and the number of bytes
 * (positive) for other objects, as their drivers do. */
static int gpucmd_priv_nvgpu_dispatch(gpucmd_nvgpu_kernel *k, int fd, uint32_t number, void *arg)
{
    const gpucmd_nvgpu_kernel_file *const f = gpucmd_priv_nvgpu_file(k, fd);
    const uint32_t dir = GPUCMD_FIELD_GET(IOC_DIR, number);
    const uint32_t bytes = GPUCMD_FIELD_GET(IOC_BYTES, number);
    gpucmd_priv_nvgpu_args a;
    int result = f == NULL ? -GPUCMD_SYS_EBADF : gpucmd_priv_nvgpu_check_number(f->kind, number);
    if (result != 0) {
        return result;
    }
    gpucmd_priv_zero(&a, sizeof a);
    a.idx = f->idx;
    if (number == GPUCMD_NVMAP_IOC_FREE) {
        a.value = (uint32_t)(uintptr_t)arg;
    }
    /* The ioctl number of PARAMETERS lacks the write bit, but the driver reads the argument. */
    if ((dir & GPUCMD_IOC_WRITE) != 0 || number == GPUCMD_NVMAP_IOC_PARAMETERS) {
        result = gpucmd_process_read(k->process, (uintptr_t)arg, a.bytes, bytes);
    }
    result = result == 0 ? gpucmd_priv_nvgpu_handle_ioctl(k, number, &a) : result;
    if (result != 0 || (dir & GPUCMD_IOC_READ) == 0) {
        return result;
    }
    if (k->fail_copy_out || gpucmd_process_write(k->process, (uintptr_t)arg, a.bytes, bytes) != 0) {
        k->fail_copy_out = false;
        return f->kind == GPUCMD_NVGPU_KERNEL_AS || f->kind == GPUCMD_NVGPU_KERNEL_NVMAP
                   ? -GPUCMD_SYS_EFAULT
                   : (int)bytes;
    }
    return 0;
}

static int gpucmd_priv_nvgpu_sys_ioctl(void *user, int fd, uint32_t number, void *arg)
{
    gpucmd_nvgpu_kernel *const k = (gpucmd_nvgpu_kernel *)user;
    /* Ioctls that free something do not count in k->fail_at. */
    const bool sure = number == GPUCMD_NVMAP_IOC_FREE ||
                      number == GPUCMD_NVGPU_AS_IOCTL_UNMAP_BUFFER ||
                      number == GPUCMD_NVGPU_AS_IOCTL_FREE_SPACE ||
                      number == GPUCMD_NVGPU_TSG_IOCTL_DELETE_SUBCONTEXT;
    const int result = !sure && gpucmd_priv_nvgpu_fail_now(k)
                           ? -k->fail_error
                           : gpucmd_priv_nvgpu_dispatch(k, fd, number, arg);
    return gpucmd_priv_nvgpu_kernel_trace(k, "ioctl", fd, number, result);
}

/* Open the control node as descriptor fd. Return fd or minus an errno. */
static int gpucmd_priv_nvgpu_open_ctrl(gpucmd_nvgpu_kernel *k, int fd)
{
    gpucmd_nvgpu_kernel_ctrl *const c = gpucmd_priv_nvgpu_new_ctrls(k);
    if (c == NULL) {
        return -GPUCMD_SYS_ENOMEM;
    }
    c->refs = 1;
    c->device_instance_id = k->next_serial++;
    gpucmd_priv_nvgpu_install(k, fd, GPUCMD_NVGPU_KERNEL_CTRL, (uint32_t)(c - k->ctrls));
    return fd;
}

/* Open a node or a devfreq file by path. Return the descriptor or minus an errno. */
static int gpucmd_priv_nvgpu_kernel_open(gpucmd_nvgpu_kernel *k, const char *path, uint32_t flags)
{
    const int fd = gpucmd_priv_nvgpu_free_fd(k);
    gpucmd_nvgpu_kernel_kind kind;
    if (gpucmd_priv_text_same(path, "/dev/nvmap")) {
        kind = GPUCMD_NVGPU_KERNEL_NVMAP;
    } else if (gpucmd_priv_text_same(path, "/dev/nvgpu/igpu0/ctrl")) {
        return fd < 0 ? fd : gpucmd_priv_nvgpu_open_ctrl(k, fd);
    } else if (gpucmd_priv_text_same(path, "/sys/class/devfreq/17000000.gpu/max_freq")) {
        kind = GPUCMD_NVGPU_KERNEL_MAX_FREQ;
    } else if (gpucmd_priv_text_same(path, "/sys/class/devfreq/17000000.gpu/min_freq")) {
        kind = GPUCMD_NVGPU_KERNEL_MIN_FREQ;
    } else {
        return -GPUCMD_SYS_ENOENT;
    }
    if (kind != GPUCMD_NVGPU_KERNEL_NVMAP && (flags & 3) != GPUCMD_SYS_O_RDONLY && !k->root) {
        return -GPUCMD_SYS_EACCES;
    }
    if (fd >= 0) {
        gpucmd_priv_nvgpu_install(k, fd, kind, 0);
        k->files[fd].flags = flags;
    }
    return fd;
}

static int gpucmd_priv_nvgpu_sys_open(void *user, const char *path, uint32_t flags)
{
    gpucmd_nvgpu_kernel *const k = (gpucmd_nvgpu_kernel *)user;
    const int result = gpucmd_priv_nvgpu_fail_now(k)
                           ? -k->fail_error
                           : gpucmd_priv_nvgpu_kernel_open(k, path, flags);
    return gpucmd_priv_nvgpu_kernel_trace(k, path, result, flags, result);
}

static int gpucmd_priv_nvgpu_sys_close(void *user, int fd)
{
    gpucmd_nvgpu_kernel *const k = (gpucmd_nvgpu_kernel *)user;
    if (gpucmd_priv_nvgpu_file(k, fd) == NULL) {
        return gpucmd_priv_nvgpu_kernel_trace(k, "close", fd, 0, -GPUCMD_SYS_EBADF);
    }
    gpucmd_priv_nvgpu_kernel_close(k, fd);
    return gpucmd_priv_nvgpu_kernel_trace(k, "close", fd, 0, 0);
}

/* Read a devfreq file: the clock in Hz and a newline. Each call reads from the start of the
 * text. Return the number of bytes read or minus an errno. */
static int64_t gpucmd_priv_nvgpu_sys_read(void *user, int fd, void *dst, size_t len_bytes)
{
    gpucmd_nvgpu_kernel *const k = (gpucmd_nvgpu_kernel *)user;
    const gpucmd_nvgpu_kernel_file *const f = gpucmd_priv_nvgpu_file(k, fd);
    char text[24];
    gpucmd_text t;
    if (f == NULL || (f->flags & 3) == GPUCMD_SYS_O_WRONLY) {
        return -GPUCMD_SYS_EBADF;
    }
    if (f->kind != GPUCMD_NVGPU_KERNEL_MAX_FREQ && f->kind != GPUCMD_NVGPU_KERNEL_MIN_FREQ) {
        return -GPUCMD_SYS_EINVAL;
    }
    gpucmd_text_init(&t, text, sizeof text);
    gpucmd_text_dec(&t, f->kind == GPUCMD_NVGPU_KERNEL_MAX_FREQ ? k->max_freq : k->min_freq);
    gpucmd_text_char(&t, '\n');
    len_bytes = t.len_bytes < len_bytes ? t.len_bytes : len_bytes;
    gpucmd_priv_copy(dst, text, len_bytes);
    return (int64_t)len_bytes;
}

/* Write a decimal clock in Hz to the devfreq file min_freq. Return len_bytes or minus an errno. */
static int64_t gpucmd_priv_nvgpu_sys_write(void *user, int fd, const void *src, size_t len_bytes)
{
    gpucmd_nvgpu_kernel *const k = (gpucmd_nvgpu_kernel *)user;
    const gpucmd_nvgpu_kernel_file *const f = gpucmd_priv_nvgpu_file(k, fd);
    const char *const text = (const char *)src;
    uint64_t v = 0;
    size_t i = 0;
    if (f == NULL || (f->flags & 3) == GPUCMD_SYS_O_RDONLY) {
        return -GPUCMD_SYS_EBADF;
    }
    while (i < len_bytes && i < 18 && text[i] >= '0' && text[i] <= '9') {
        v = gpucmd_priv_mul(v, 10) + (uint64_t)(text[i] - '0');
        i++;
    }
    if (f->kind != GPUCMD_NVGPU_KERNEL_MIN_FREQ || i == 0 || v > k->max_freq) {
        return -GPUCMD_SYS_EINVAL;
    }
    k->min_freq = v;
    return (int64_t)len_bytes;
}

/* ---- model kernel: CPU addresses ---- */

/* If a buffer occupies pages of another buffer and no longer has a CPU mapping, move the buffer
 * back to its own memory: exchange the contents of the occupied pages and of the own memory. */
static void gpucmd_priv_nvgpu_move_home(gpucmd_nvgpu_kernel *k, uint32_t buffer)
{
    uint32_t i;
    gpucmd_nvgpu_kernel_buffer *const b = &k->buffers[buffer];
    if (b->moved_onto == 0) {
        return;
    }
    for (i = 0; i < k->vma_count; i++) {
        if (k->vmas[i].kind == GPUCMD_NVGPU_KERNEL_DMABUF && k->vmas[i].idx == buffer) {
            return;
        }
    }
    gpucmd_priv_nvgpu_swap(b->cpu, b->own, b->bytes);
    b->cpu = b->own;
    k->buffers[b->moved_onto - 1].refs--;
    b->moved_onto = 0;
}

/* Release the reference that a removed CPU mapping had. Row idx has the object of the mapping: a
 * buffer, or a control node, whose doorbell page is then no longer mapped. */
static void gpucmd_priv_nvgpu_drop_vma(gpucmd_nvgpu_kernel *k, gpucmd_nvgpu_kernel_kind kind,
                                       uint32_t idx)
{
    if (kind == GPUCMD_NVGPU_KERNEL_DMABUF) {
        gpucmd_priv_nvgpu_move_home(k, idx);
        k->buffers[idx].refs--;
    } else {
        k->ctrls[idx].page = NULL;
        k->ctrls[idx].refs--;
    }
}

/* Remove [at, at + bytes) from the CPU mapping v. If parts of v before and after the range remain,
 * write the part after the range to *spare. If v maps a control node, remove v completely. */
static void gpucmd_priv_nvgpu_cut_vma(gpucmd_nvgpu_kernel *k, gpucmd_nvgpu_kernel_vma *v,
                                      uint64_t at, uint64_t bytes, gpucmd_nvgpu_kernel_vma *spare)
{
    const uint64_t v_end = v->at + v->bytes;
    const uint64_t end = at + bytes;
    const gpucmd_nvgpu_kernel_kind kind = v->kind;
    const bool head = v->at < at;
    const bool tail = v_end > end;
    if (kind == GPUCMD_NVGPU_KERNEL_CTRL || (!head && !tail)) {
        v->kind = GPUCMD_NVGPU_KERNEL_NONE;
        gpucmd_priv_nvgpu_drop_vma(k, kind, v->idx);
        return;
    }
    if (head && tail) {
        *spare = *v;
        spare->at = (uintptr_t)end;
        spare->bytes = v_end - end;
        k->buffers[v->idx].refs++;
    }
    if (head) {
        v->bytes = at - v->at;
    } else {
        v->at = (uintptr_t)end;
        v->bytes = v_end - end;
    }
}

/* If k->host is not NULL, call k->host->sys_munmap for the addresses of mapping v inside
 * [at, end). A mapping of the control node is always unmapped completely. */
static void gpucmd_priv_nvgpu_host_unmap(const gpucmd_nvgpu_kernel *k,
                                         const gpucmd_nvgpu_kernel_vma *v, uint64_t at,
                                         uint64_t end)
{
    const bool whole = v->kind == GPUCMD_NVGPU_KERNEL_CTRL;
    const uint64_t first = whole || at < v->at ? v->at : at;
    const uint64_t last = whole || end > v->at + v->bytes ? v->at + v->bytes : end;
    if (k->host != NULL) {
        (void)k->host->sys_munmap(k->host->user, (void *)(uintptr_t)first, (size_t)(last - first));
    }
}

/* Remove the range [at, at + bytes) from all CPU mappings. Return 0, or -ENOMEM if a mapping must
 * be split and no row of k->vmas is free. */
static int gpucmd_priv_nvgpu_unmap_cpu(gpucmd_nvgpu_kernel *k, uint64_t at, uint64_t bytes)
{
    uint32_t i;
    for (i = 0; i < k->vma_count; i++) {
        gpucmd_nvgpu_kernel_vma *const v = &k->vmas[i];
        if (v->kind != GPUCMD_NVGPU_KERNEL_NONE &&
            gpucmd_priv_nvgpu_overlap(at, bytes, v->at, v->bytes)) {
            gpucmd_nvgpu_kernel_vma *const spare = gpucmd_priv_nvgpu_new_vmas(k);
            if (spare == NULL && v->at < at && v->at + v->bytes > at + bytes) {
                return -GPUCMD_SYS_ENOMEM;
            }
            gpucmd_priv_nvgpu_host_unmap(k, v, at, at + bytes);
            gpucmd_priv_nvgpu_cut_vma(k, v, at, bytes, spare);
        }
    }
    return 0;
}

/* Search a CPU mapping, and return it, or NULL if there is none. Parameter any:
 *   false  the mapping must contain the range [at, at + bytes)
 *   true   the mapping must overlap the range [at, at + bytes) */
static const gpucmd_nvgpu_kernel_vma *gpucmd_priv_nvgpu_find_vma(const gpucmd_nvgpu_kernel *k,
                                                                 uint64_t at, uint64_t bytes,
                                                                 bool any)
{
    uint32_t i;
    for (i = 0; i < k->vma_count; i++) {
        const gpucmd_nvgpu_kernel_vma *const v = &k->vmas[i];
        if (v->kind != GPUCMD_NVGPU_KERNEL_NONE &&
            (any ? gpucmd_priv_nvgpu_overlap(at, bytes, v->at, v->bytes)
                 : gpucmd_priv_nvgpu_inside(at, bytes, v->at, v->at + v->bytes))) {
            return v;
        }
    }
    return NULL;
}

/* Execute MAP_FIXED of buffer B over a mapping of buffer H: exchange the contents of B and of the
 * pages of H at CPU address at. Parameter buffer is the row of B, host is the row of H. Return 0,
 * or -ENOMEM if one of these is true:
 *   - B is H, or the parameter bytes is not the size of B
 *   - B has a CPU mapping, or B or H occupies pages of another buffer
 *   - another buffer occupies pages of B */
static int gpucmd_priv_nvgpu_move_onto(gpucmd_nvgpu_kernel *k, uint32_t buffer, uint32_t host,
                                       uint8_t *at, uint64_t bytes)
{
    uint32_t i;
    gpucmd_nvgpu_kernel_buffer *const b = &k->buffers[buffer];
    gpucmd_nvgpu_kernel_buffer *const h = &k->buffers[host];
    if (host == buffer || bytes != b->bytes || b->moved_onto != 0 || h->moved_onto != 0) {
        return -GPUCMD_SYS_ENOMEM;
    }
    for (i = 0; i < k->vma_count; i++) {
        if (k->vmas[i].kind == GPUCMD_NVGPU_KERNEL_DMABUF && k->vmas[i].idx == buffer) {
            return -GPUCMD_SYS_ENOMEM;
        }
    }
    for (i = 0; i < k->buffer_count; i++) { /* fail if buffer i occupies pages of buffer B */
        if (k->buffers[i].moved_onto == buffer + 1) {
            return -GPUCMD_SYS_ENOMEM;
        }
    }
    gpucmd_priv_nvgpu_swap(b->own, at, bytes);
    b->cpu = at;
    b->moved_onto = host + 1;
    h->refs++;
    return 0;
}

/* Check the arguments of mmap in the order of Linux (mmap, do_mmap, get_unmapped_area); TASK_SIZE
 * is 2^48, as on arm64. Return 0 or minus an errno. */
static int gpucmd_priv_nvgpu_check_mmap(const gpucmd_nvgpu_kernel *k, const gpucmd_sys_map *map)
{
    const bool keep = (map->flags & GPUCMD_SYS_MAP_FIXED_NOREPLACE) != 0;
    const bool fixed = keep || (map->flags & GPUCMD_SYS_MAP_FIXED) != 0;
    const uint64_t at = (uintptr_t)map->addr, end = (uint64_t)1 << 48;
    const uint64_t bytes = map->len_bytes;
    if (map->off_bytes % 4096 != 0) {
        return -GPUCMD_SYS_EINVAL;
    }
    if (gpucmd_priv_nvgpu_file(k, map->fd) == NULL) {
        return -GPUCMD_SYS_EBADF;
    }
    if (bytes == 0) {
        return -GPUCMD_SYS_EINVAL;
    }
    if (bytes > end || (fixed && at > end - bytes)) {
        return -GPUCMD_SYS_ENOMEM;
    }
    if (fixed && at % 4096 != 0) {
        return -GPUCMD_SYS_EINVAL;
    }
    if (keep && gpucmd_priv_nvgpu_find_vma(k, at, bytes, true) != NULL) {
        return -GPUCMD_SYS_EEXIST;
    }
    return 0;
}

/* Make the checks that the driver of descriptor f makes in mmap. Return 0 or minus an errno. */
static int gpucmd_priv_nvgpu_check_object(const gpucmd_nvgpu_kernel *k,
                                          const gpucmd_nvgpu_kernel_file *f, uint64_t bytes,
                                          uint64_t off_bytes)
{
    const gpucmd_nvgpu_kernel_buffer *b;
    switch (f->kind) {
    case GPUCMD_NVGPU_KERNEL_DMABUF:
        b = &k->buffers[f->idx];
        return off_bytes > b->bytes || bytes > b->bytes - off_bytes ? -GPUCMD_SYS_EINVAL
               : !b->allocated                                      ? -GPUCMD_SYS_EPERM
                                                                    : 0;
    case GPUCMD_NVGPU_KERNEL_CTRL:
        return k->ctrls[f->idx].page != NULL                           ? -GPUCMD_SYS_EBUSY
               : bytes > GPUCMD_NVGPU_USERMODE_BYTES || off_bytes != 0 ? -GPUCMD_SYS_EINVAL
                                                                       : 0;
    case GPUCMD_NVGPU_KERNEL_NVMAP: return -GPUCMD_SYS_EPERM;
    case GPUCMD_NVGPU_KERNEL_NONE:
    case GPUCMD_NVGPU_KERNEL_AS:
    case GPUCMD_NVGPU_KERNEL_TSG:
    case GPUCMD_NVGPU_KERNEL_CHANNEL:
    case GPUCMD_NVGPU_KERNEL_MAX_FREQ:
    case GPUCMD_NVGPU_KERNEL_MIN_FREQ: break;
    }
    return -GPUCMD_SYS_ENODEV;
}

/* Add a CPU mapping of descriptor f. The caller must have checked that a row of k->vmas is free. */
static void gpucmd_priv_nvgpu_add_vma(gpucmd_nvgpu_kernel *k, const gpucmd_nvgpu_kernel_file *f,
                                      uint8_t *at, uint64_t bytes)
{
    gpucmd_nvgpu_kernel_vma *const v = gpucmd_priv_nvgpu_new_vmas(k);
    v->kind = f->kind;
    v->idx = f->idx;
    v->at = (uintptr_t)at;
    v->bytes = bytes;
    if (f->kind == GPUCMD_NVGPU_KERNEL_CTRL) {
        k->ctrls[f->idx].refs++;
    } else {
        k->buffers[f->idx].refs++;
    }
}

/* Map the memory of descriptor f into the process, and write its CPU address to map->addr. If
 * k->host is NULL, map has a FIXED flag and `memory` is not at map->addr, move a buffer there with
 * gpucmd_priv_nvgpu_move_onto.
 *   memory  address of the memory in k->ram
 *   base    row of the buffer whose mapping contained map->addr; NO_ROW: none
 * Return 0, minus the errno of k->host, or -ENOMEM if the memory cannot be moved to map->addr. */
static int gpucmd_priv_nvgpu_place(gpucmd_nvgpu_kernel *k, const gpucmd_nvgpu_kernel_file *f,
                                   uint32_t base, uint8_t *memory, gpucmd_sys_map *map)
{
    const uint32_t fixed =
        map->flags & (GPUCMD_SYS_MAP_FIXED | (uint32_t)GPUCMD_SYS_MAP_FIXED_NOREPLACE);
    uint8_t *const want = (uint8_t *)map->addr;
    gpucmd_sys_map host = *map;
    int result = 0;
    if (k->host != NULL) {
        host.flags = GPUCMD_SYS_MAP_SHARED | fixed;
        host.fd = k->ram_fd;
        host.off_bytes = (uint64_t)(memory - k->ram);
        result = k->host->sys_mmap(k->host->user, &host);
        memory = (uint8_t *)host.addr;
    } else if (fixed != 0 && memory != want) {
        result = base == GPUCMD_PRIV_NVGPU_NO_ROW || f->kind != GPUCMD_NVGPU_KERNEL_DMABUF
                     ? -GPUCMD_SYS_ENOMEM
                     : gpucmd_priv_nvgpu_move_onto(k, f->idx, base, want, map->len_bytes);
        memory = want;
    }
    map->addr = result == 0 ? memory : map->addr;
    return result;
}

/* Execute mmap: check map, remove old mappings if a FIXED flag is set, map the memory, and write
 * its CPU address to map->addr. Return 0 or minus an errno. */
static int gpucmd_priv_nvgpu_kernel_mmap(gpucmd_nvgpu_kernel *k, gpucmd_sys_map *map)
{
    const bool fixed =
        (map->flags & (GPUCMD_SYS_MAP_FIXED | (uint32_t)GPUCMD_SYS_MAP_FIXED_NOREPLACE)) != 0;
    uint8_t *const want = (uint8_t *)map->addr;
    gpucmd_sys_map whole = *map;
    uint32_t base = GPUCMD_PRIV_NVGPU_NO_ROW;
    uint8_t *memory = NULL;
    int result = gpucmd_priv_nvgpu_check_mmap(k, map);
    if (result != 0) {
        return result;
    }
    const gpucmd_nvgpu_kernel_file *f = &k->files[map->fd];
    const bool control = f->kind == GPUCMD_NVGPU_KERNEL_CTRL;
    whole.len_bytes = (map->len_bytes + 4095) & ~(size_t)4095;
    const gpucmd_nvgpu_kernel_vma *under =
        fixed ? gpucmd_priv_nvgpu_find_vma(k, (uintptr_t)want, whole.len_bytes, false) : NULL;
    if (under != NULL && under->kind == GPUCMD_NVGPU_KERNEL_DMABUF) {
        base = under->idx;
        k->buffers[base].refs++; /* the buffer must exist until this function ends */
    }
    result = fixed ? gpucmd_priv_nvgpu_unmap_cpu(k, (uintptr_t)want, whole.len_bytes) : 0;
    if (result == 0) {
        result = gpucmd_priv_nvgpu_check_object(k, f, whole.len_bytes, map->off_bytes);
    }
    if (result == 0) {
        memory = control ? gpucmd_priv_nvgpu_find_ram(k, GPUCMD_NVGPU_USERMODE_BYTES)
                         : k->buffers[f->idx].cpu + (size_t)map->off_bytes;
        result = memory == NULL || gpucmd_priv_nvgpu_new_vmas(k) == NULL
                     ? -GPUCMD_SYS_ENOMEM
                     : gpucmd_priv_nvgpu_place(k, f, base, memory, &whole);
    }
    if (result == 0) {
        gpucmd_priv_nvgpu_add_vma(k, f, (uint8_t *)whole.addr, whole.len_bytes);
        map->addr = whole.addr;
        if (control) {
            k->ctrls[f->idx].page = memory;
            gpucmd_priv_zero(memory, GPUCMD_NVGPU_USERMODE_BYTES);
            gpucmd_store32(memory + GPUCMD_NV_USERMODE_NOTIFY_CHANNEL_PENDING,
                           GPUCMD_PRIV_NVGPU_NO_TOKEN, GPUCMD_LITTLE_ENDIAN);
        }
    }
    if (base != GPUCMD_PRIV_NVGPU_NO_ROW) {
        k->buffers[base].refs--;
    }
    return result;
}

static int gpucmd_priv_nvgpu_sys_mmap(void *user, gpucmd_sys_map *map)
{
    gpucmd_nvgpu_kernel *const k = (gpucmd_nvgpu_kernel *)user;
    const int result =
        gpucmd_priv_nvgpu_fail_now(k) ? -k->fail_error : gpucmd_priv_nvgpu_kernel_mmap(k, map);
    return gpucmd_priv_nvgpu_kernel_trace(k, "mmap", map->fd, map->len_bytes, result);
}

/* Remove the range [at, at + bytes) from the CPU mappings, as munmap does. If k->host is NULL,
 * several mappings can have exactly this range; then remove only one of them. Return 0, or -ENOMEM
 * if a mapping must be split and no row of k->vmas is free. */
static int gpucmd_priv_nvgpu_kernel_munmap(gpucmd_nvgpu_kernel *k, uint64_t at, uint64_t bytes)
{
    uint32_t i;
    for (i = 0; i < k->vma_count && k->host == NULL; i++) {
        gpucmd_nvgpu_kernel_vma *const v = &k->vmas[i];
        if (v->kind != GPUCMD_NVGPU_KERNEL_NONE && v->at == at && v->bytes == bytes) {
            gpucmd_priv_nvgpu_cut_vma(k, v, at, bytes, NULL);
            return 0;
        }
    }
    return gpucmd_priv_nvgpu_unmap_cpu(k, at, bytes);
}

static int gpucmd_priv_nvgpu_sys_munmap(void *user, void *addr, size_t len_bytes)
{
    gpucmd_nvgpu_kernel *const k = (gpucmd_nvgpu_kernel *)user;
    const uint64_t at = (uintptr_t)addr;
    const uint64_t bytes = ((uint64_t)len_bytes + 4095) & ~(uint64_t)4095;
    const int result = at % 4096 != 0 || bytes == 0 || at + bytes < at
                           ? -GPUCMD_SYS_EINVAL
                           : gpucmd_priv_nvgpu_kernel_munmap(k, at, bytes);
    return gpucmd_priv_nvgpu_kernel_trace(k, "munmap", -1, len_bytes, result);
}

GPUCMD_PRIV_API void gpucmd_nvgpu_kernel_sys(gpucmd_nvgpu_kernel *k, gpucmd_sys_ops *sys)
{
    sys->sys_open = gpucmd_priv_nvgpu_sys_open;
    sys->sys_close = gpucmd_priv_nvgpu_sys_close;
    sys->sys_ioctl = gpucmd_priv_nvgpu_sys_ioctl;
    sys->sys_mmap = gpucmd_priv_nvgpu_sys_mmap;
    sys->sys_munmap = gpucmd_priv_nvgpu_sys_munmap;
    sys->sys_read = gpucmd_priv_nvgpu_sys_read;
    sys->sys_write = gpucmd_priv_nvgpu_sys_write;
    sys->user = k;
}

/* ---- model kernel: the GPU ---- */

/* Set doorbell_pending of the channel with this token. Ignore tokens of no channel. */
static void gpucmd_priv_nvgpu_doorbell(gpucmd_nvgpu_kernel *k, uint32_t token)
{
    uint32_t i;
    for (i = 0; i < k->channel_count; i++) {
        gpucmd_nvgpu_kernel_channel *const c = &k->channels[i];
        c->doorbell_pending = c->doorbell_pending || (c->used && c->set_up && c->number == token);
    }
}

static void gpucmd_priv_nvgpu_mmio_write32(void *user, uint64_t off_bytes, uint32_t v)
{
    if (off_bytes == GPUCMD_NV_USERMODE_NOTIFY_CHANNEL_PENDING) {
        gpucmd_priv_nvgpu_doorbell((gpucmd_nvgpu_kernel *)user, v);
    }
}

static uint32_t gpucmd_priv_nvgpu_mmio_read32(void *user, uint64_t off_bytes)
{
    (void)user, (void)off_bytes;
    return 0;
}

GPUCMD_PRIV_API void gpucmd_nvgpu_kernel_mmio(gpucmd_nvgpu_kernel *k, gpucmd_mmio *mmio)
{
    mmio->read32 = gpucmd_priv_nvgpu_mmio_read32;
    mmio->write32 = gpucmd_priv_nvgpu_mmio_write32;
    mmio->user = k;
}

/* Write the mappings of an address space (row `as`) to k->regions, in ascending order of address,
 * and return the number of mappings. Mappings never overlap. */
static size_t gpucmd_priv_nvgpu_regions(const gpucmd_nvgpu_kernel *k, uint32_t as)
{
    uint32_t i;
    size_t n = 0;
    bool sorted = true;
    for (i = 0; i < k->range_count; i++) {
        const gpucmd_nvgpu_kernel_range *const r = &k->ranges[i];
        if (r->kind < GPUCMD_NVGPU_KERNEL_RANGE_USER || r->as != as) {
            continue;
        }
        sorted = sorted && (n == 0 || k->regions[n - 1].va < r->va);
        k->regions[n].va = r->va;
        k->regions[n].bytes = r->bytes;
        k->regions[n].host = k->buffers[r->buffer].own + (size_t)r->buffer_off_bytes;
        k->regions[n].access_mask =
            (r->flags & GPUCMD_NVGPU_MAP_ACCESS_MASK) == GPUCMD_NVGPU_MAP_ACCESS_READ
                ? (uint32_t)GPUCMD_ACCESS_READ
                : GPUCMD_ACCESS_READ | (uint32_t)GPUCMD_ACCESS_WRITE;
        n++;
    }
    gpucmd_mem_sort(k->regions, sorted ? 0 : n);
    return n;
}

/* If MAP_FIXED moved a buffer onto pages of another buffer (member moved_onto), its contents are in
 * those pages. For each moved buffer, exchange the contents of those pages and of its own memory
 * (member own). Call this before and after a channel runs: the GPU accesses only the own memory. */
static void gpucmd_priv_nvgpu_exchange(const gpucmd_nvgpu_kernel *k)
{
    uint32_t i;
    for (i = 0; i < k->buffer_count; i++) {
        const gpucmd_nvgpu_kernel_buffer *const b = &k->buffers[i];
        if (b->moved_onto != 0) {
            gpucmd_priv_nvgpu_swap(b->cpu, b->own, b->bytes);
        }
    }
}

/* Execute a channel from GP_GET to the GP_PUT in USERD, and write GP_GET to USERD. If the channel
 * faults, mark it as timed out. If the result is BLOCKED or LIMIT, doorbell_pending stays true. */
static gpucmd_run gpucmd_priv_nvgpu_run_channel(gpucmd_nvgpu_kernel *k,
                                                gpucmd_nvgpu_kernel_channel *c, uint64_t budget)
{
    uint8_t *const userd = k->buffers[c->userd - 1].own;
    gpucmd_mem mem;
    gpucmd_env env;
    gpucmd_run run = GPUCMD_RUN_FAULT;
    gpucmd_priv_nvgpu_exchange(k);
    if (gpucmd_mem_init(&mem, k->regions, gpucmd_priv_nvgpu_regions(k, c->as - 1)) == GPUCMD_OK) {
        gpucmd_env_init(&env, &mem, k->event, k->event_user);
        c->pbdma.gp_put = gpucmd_load32(userd + GPUCMD_NV_AREA_IB_PUT, GPUCMD_LITTLE_ENDIAN);
        run = k->exec != NULL ? k->exec(k->exec_user, c->number, &c->pbdma, &env, budget)
                              : gpucmd_nv_pbdma_run(&c->pbdma, &env, budget);
    }
    gpucmd_store32(userd + GPUCMD_NV_AREA_IB_GET, c->pbdma.gp_get, GPUCMD_LITTLE_ENDIAN);
    gpucmd_priv_nvgpu_exchange(k);
    c->timed_out = c->timed_out || run == GPUCMD_RUN_FAULT;
    c->doorbell_pending = run == GPUCMD_RUN_BLOCKED || run == GPUCMD_RUN_LIMIT;
    return run;
}

/* Set doorbell_pending of the channels whose tokens are in doorbell pages. A doorbell page holds
 * only the last token that was written. So if a page has a token, also set doorbell_pending of the
 * channels whose GP_PUT differs from GP_GET. */
static void gpucmd_priv_nvgpu_look_at_doorbells(gpucmd_nvgpu_kernel *k)
{
    uint32_t i;
    bool rung = false;
    for (i = 0; i < k->ctrl_count; i++) {
        if (k->ctrls[i].page != NULL) {
            uint8_t *const bell = k->ctrls[i].page + GPUCMD_NV_USERMODE_NOTIFY_CHANNEL_PENDING;
            const uint32_t token = gpucmd_load32(bell, GPUCMD_LITTLE_ENDIAN);
            rung = rung || token != GPUCMD_PRIV_NVGPU_NO_TOKEN;
            gpucmd_store32(bell, GPUCMD_PRIV_NVGPU_NO_TOKEN, GPUCMD_LITTLE_ENDIAN);
            gpucmd_priv_nvgpu_doorbell(k, token);
        }
    }
    for (i = 0; rung && i < k->channel_count; i++) {
        gpucmd_nvgpu_kernel_channel *const c = &k->channels[i];
        if (c->used && c->set_up) {
            const uint8_t *const userd = k->buffers[c->userd - 1].cpu;
            const uint32_t put = gpucmd_load32(userd + GPUCMD_NV_AREA_IB_PUT, GPUCMD_LITTLE_ENDIAN);
            c->doorbell_pending = c->doorbell_pending || put != c->pbdma.gp_get;
        }
    }
}

GPUCMD_PRIV_API gpucmd_run gpucmd_nvgpu_kernel_run(gpucmd_nvgpu_kernel *k, uint64_t budget)
{
    uint32_t i;
    gpucmd_run worst = GPUCMD_RUN_IDLE;
    gpucmd_priv_nvgpu_look_at_doorbells(k);
    for (i = 0; i < k->channel_count; i++) {
        gpucmd_nvgpu_kernel_channel *const c = &k->channels[i];
        if (c->used && c->doorbell_pending && !c->timed_out) {
            const gpucmd_run run = gpucmd_priv_nvgpu_run_channel(k, c, budget);
            if (run == GPUCMD_RUN_FAULT || worst == GPUCMD_RUN_IDLE) {
                worst = run;
            }
        }
    }
    return worst;
}

GPUCMD_PRIV_API void gpucmd_nvgpu_kernel_count(const gpucmd_nvgpu_kernel *k,
                                               gpucmd_nvgpu_kernel_counts *counts)
{
    uint32_t i;
    gpucmd_priv_zero(counts, sizeof *counts);
#define GPUCMD_NV_PRIV_TABLE(name, member, count, type, used, store)                               \
    for (i = 0; i < k->count; i++) {                                                               \
        counts->member += k->member[i].used != 0;                                                  \
    }
    GPUCMD_NVGPU_KERNEL_TABLES(GPUCMD_NV_PRIV_TABLE)
#undef GPUCMD_NV_PRIV_TABLE
    for (i = 0; i < k->range_count; i++) {
        counts->reservations += k->ranges[i].kind == GPUCMD_NVGPU_KERNEL_RANGE_RESERVED;
        counts->mappings += k->ranges[i].kind >= GPUCMD_NVGPU_KERNEL_RANGE_USER;
    }
    for (i = 0; i < k->buffer_count; i++) {
        counts->ram_bytes +=
            k->buffers[i].refs != 0 && k->buffers[i].allocated ? k->buffers[i].bytes : 0;
    }
}

GPUCMD_PRIV_END

#endif /* GPUCMD_IMPLEMENTATION */

/* MIT License
 *
 * Copyright (c) 2026 The gpucmd authors
 *
 * Permission is hereby granted, free of charge, to any person obtaining a copy
 * of this software and associated documentation files (the "Software"), to deal
 * in the Software without restriction, including without limitation the rights
 * to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
 * copies of the Software, and to permit persons to whom the Software is
 * furnished to do so, subject to the following conditions:
 *
 * The above copyright notice and this permission notice shall be included in all
 * copies or substantial portions of the Software.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
 * IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
 * FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
 * AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
 * LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
 * OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
 * SOFTWARE.
 */

/* gpucmd_nv.h - v0.1.0 - NVIDIA pushbuffers, NV4 to Blackwell - SPDX-License-Identifier: MIT
 *
 * [NV.MANUAL]
 *
 * WHAT IT IS
 *   Writes, reads, checks and executes the command words that NVIDIA's host
 *   engine (PFIFO, PBDMA) fetches: both word formats, NV4-style rings, IB rings
 *   (GPFIFO), and models of the pusher and of the PBDMA that behave like the
 *   documented hardware.
 *
 * WHAT IT DOES NOT DO
 *   It makes no system call, allocates nothing, maps nothing, flushes no cache,
 *   and reaches registers only through the caller's gpucmd_mmio. The executors
 *   deliver methods to the caller: object and semaphore methods have no effect
 *   of their own. METHOD_CRC, the four-entry method FIFO and the acquire timer
 *   of the PBDMA are not modelled. NV1 and NV3 have no pusher and are
 *   UNSUPPORTED.
 *
 * SMALLEST COMPLETE PROGRAM: examples/01_first_words.c
 *
 * DEFINITIONS
 *   method      an address, in bytes, that takes one word: 0x0000..0x1ffc
 *               before GF100, ..0x3ffc since
 *   subchannel  0..7, which bound object takes the method
 *   run         one header with its data words
 *   pushbuffer  words that the GPU fetches; a segment is one piece of it named
 *               by an IB entry
 *   NV4-style   the pushbuffer is a ring with jumps (NV4 until GF100)
 *   IB, GPFIFO  a ring of 8-byte entries names the segments (G80 and later)
 *   "A until B" includes chip A and excludes chip B, in the order of the chip
 *   table, never by id
 *
 * STEPS
 *   1. Choose the chip: GPUCMD_NV_CHIP_*, or gpucmd_nv_chip_from_id,
 *      gpucmd_nv_chip_from_name.
 *   2. Write runs: before GF100 gpucmd_nv_emit_old_inc and its family, since
 *      GF100 gpucmd_nv_emit_inc, _non_inc, _one_inc, _immd.
 *   3. Submit through gpucmd_nv_ring (NV4-style) or gpucmd_nv_gpfifo (IB):
 *      begin or push, then kick. Kick orders the words before the new PUT and
 *      PUT before the doorbell.
 *   4. Look at a stream without running it: gpucmd_nv_walk_next,
 *      gpucmd_nv_print, gpucmd_nv_check.
 *   5. Run it: gpucmd_nv_pusher (before GF100), gpucmd_nv_pbdma (GF100 and
 *      later).
 *
 * ERRORS
 *   Emitters: sticky status of the writer. Executors: the hardware's own
 *   errors, with the state that the hardware leaves, and the recovery that a
 *   kernel performs.
 *
 * CONTENTS (search for the mark)
 *   [NV.MANUAL]       this text
 *   [NV.SOURCES]      where facts come from
 *   [NV.FACTS]        chips, classes, fields, forms, entries, methods, errors,
 *                     registers
 *   [NV.CONST]        enums, chip gates, sizes and constant words
 *   [NV.ENCODE]       checked values to words
 *   [NV.EMIT]         whole commands into a gpucmd_writer
 *   [NV.ENTRY]        IB entries
 *   [NV.RING]         NV4-style ring
 *   [NV.GPFIFO]       IB ring
 *   [NV.DECODE]       words to commands: classify, decode, walk, print
 *   [NV.CHECK]        findings in a stream that is not run
 *   [NV.EXEC]         pusher (NV4 until GF100) and PBDMA (GF100 and later)
 *   [NV.HOST]         semaphores and other methods of the host, the puller
 *   [NV.ENGINE]       engines that move memory
 *   [NV.CHANNEL]      a channel that runs, many channels, deadlock
 *   [NV.RECIPE]       method sequences by chip: bind, semaphores, copies
 *   [NV.IMPL.TABLES]  names and numbers
 *   [NV.IMPL.DECODE]  printer
 *   [NV.IMPL.CHECK]   rules
 *   [NV.IMPL.EXEC]    executors
 *   [NV.IMPL.HOST]    host methods
 *   [NV.IMPL.ENGINE]  engines
 *   [NV.IMPL.CHANNEL] channels
 */

#include "gpucmd.h"
#if GPUCMD_VERSION != 0x000100 /* 0xMMmmpp */
#error "gpucmd_nv.h and gpucmd.h come from different releases"
#endif
#ifndef GPUCMD_NV_H
#define GPUCMD_NV_H

#ifdef __cplusplus
extern "C" {
#endif

/* ==== [NV.SOURCES] ========================================================================= */

/* clang-format off */
#define GPUCMD_NV_SOURCES(S)                                                                       \
    /*  key     kind  title */                                                                     \
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
    S( USER,    doc,  "NVIDIA open-gpu-doc manuals gv100, tu104: dev_usermode.ref.txt" )           \
    S( LNX,     src,  "Linux drivers/gpu/drm/nouveau/nvkm/engine: fifo, device/base.c" )           \
    S( 0039,    src,  "NVIDIA open-gpu-doc classes/memory-to-memory-format/cl0039.h" )             \
    S( 5039,    src,  "NVIDIA open-gpu-doc classes/memory-to-memory-format/cl5039.h" )             \
    S( 9039,    src,  "NVIDIA open-gpu-doc classes/memory-to-memory-format/cl9039.h" )             \
    S( A140,    src,  "NVIDIA open-gpu-doc classes/inline-to-memory/cla140.h" )                    \
    S( 85B5,    src,  "NVIDIA open-gpu-doc classes/dma-copy/cl85b5.h to clc7b5.h" )                \
    S( C8B5,    src,  "NVIDIA open-gpu-kernel-modules class/clc8b5.h to clcab5.h" )                \
    S( MESA,    src,  "Mesa src/gallium/drivers/nouveau: nv30, nv50, nvc0" )                       \
    S( OUR,     our,  "our reading where the sources above are silent; the row says MODEL" )

#define GPUCMD_NV_PRIV_SOURCE(key, kind, title) GPUCMD_NV_SRC_##key,
enum { GPUCMD_NV_SOURCES(GPUCMD_NV_PRIV_SOURCE) };
#undef GPUCMD_NV_PRIV_SOURCE

/* ==== [NV.FACTS] =========================================================================== */

/* Chips in true order: compare positions, never ids. id 0 means that no id
 * register value is known. [ENVY] ssot/gpu.py for NV1 to TU117; [LNX]
 * device/base.c for the rest, in release order. */
#define GPUCMD_NV_CHIPS(C)                                                                         \
    /*  name     id     family     bus    other name */                                            \
    C( NV1,     0x000,  NV1,       AGP,   "" )                                                     \
    C( NV3,     0x000,  NV3,       AGP,   "" )                                                     \
    C( NV3T,    0x000,  NV3,       AGP,   "" )                                                     \
    C( NV4,     0x000,  NV4,       AGP,   "" )                                                     \
    C( NV5,     0x000,  NV4,       AGP,   "" )                                                     \
    C( NV6,     0x000,  NV4,       AGP,   "" )                                                     \
    C( NVA,     0x000,  NV4,       AGP,   "" )                                                     \
    C( NV10,    0x010,  CELSIUS,   AGP,   "" )                                                     \
    C( NV15,    0x015,  CELSIUS,   AGP,   "" )                                                     \
    C( NV1A,    0x01a,  CELSIUS,   AGP,   "" )                                                     \
    C( NV11,    0x011,  CELSIUS,   AGP,   "" )                                                     \
    C( NV17,    0x017,  CELSIUS,   AGP,   "" )                                                     \
    C( NV1F,    0x01f,  CELSIUS,   AGP,   "" )                                                     \
    C( NV18,    0x018,  CELSIUS,   AGP,   "" )                                                     \
    C( NV20,    0x020,  KELVIN,    AGP,   "" )                                                     \
    C( NV2A,    0x02a,  KELVIN,    AGP,   "" )                                                     \
    C( NV25,    0x025,  KELVIN,    AGP,   "" )                                                     \
    C( NV28,    0x028,  KELVIN,    AGP,   "" )                                                     \
    C( NV30,    0x030,  RANKINE,   AGP,   "" )                                                     \
    C( NV35,    0x035,  RANKINE,   AGP,   "" )                                                     \
    C( NV31,    0x031,  RANKINE,   AGP,   "" )                                                     \
    C( NV36,    0x036,  RANKINE,   AGP,   "" )                                                     \
    C( NV34,    0x034,  RANKINE,   AGP,   "" )                                                     \
    C( NV40,    0x040,  CURIE,     AGP,   "" )                                                     \
    C( NV45,    0x045,  CURIE,     AGP,   "" )                                                     \
    C( NV41,    0x041,  CURIE,     PCIE,  "" )                                                     \
    C( NV42,    0x042,  CURIE,     PCIE,  "" )                                                     \
    C( NV43,    0x043,  CURIE,     PCIE,  "" )                                                     \
    C( NV44,    0x044,  CURIE,     PCIE,  "" )                                                     \
    C( NV44A,   0x04a,  CURIE,     AGP,   "" )                                                     \
    C( G70,     0x047,  CURIE,     PCIE,  "" )                                                     \
    C( G72,     0x046,  CURIE,     PCIE,  "" )                                                     \
    C( G71,     0x049,  CURIE,     PCIE,  "" )                                                     \
    C( G73,     0x04b,  CURIE,     PCIE,  "" )                                                     \
    C( C51,     0x04e,  CURIE,     IGP,   "" )                                                     \
    C( MCP61,   0x04c,  CURIE,     IGP,   "" )                                                     \
    C( MCP67,   0x067,  CURIE,     IGP,   "" )                                                     \
    C( MCP68,   0x068,  CURIE,     IGP,   "" )                                                     \
    C( MCP73,   0x063,  CURIE,     IGP,   "" )                                                     \
    C( RSX,     0x04d,  CURIE,     FLEXIO, "" )                                                    \
    C( G80,     0x050,  TESLA,     PCIE,  "" )                                                     \
    C( G84,     0x084,  TESLA,     PCIE,  "" )                                                     \
    C( G86,     0x086,  TESLA,     PCIE,  "" )                                                     \
    C( G92,     0x092,  TESLA,     PCIE,  "" )                                                     \
    C( G94,     0x094,  TESLA,     PCIE,  "" )                                                     \
    C( G96,     0x096,  TESLA,     PCIE,  "" )                                                     \
    C( G98,     0x098,  TESLA,     PCIE,  "" )                                                     \
    C( G200,    0x0a0,  TESLA,     PCIE,  "GT200" )                                                \
    C( MCP77,   0x0aa,  TESLA,     IGP,   "" )                                                     \
    C( MCP79,   0x0ac,  TESLA,     IGP,   "" )                                                     \
    C( GT215,   0x0a3,  TESLA,     PCIE,  "" )                                                     \
    C( GT216,   0x0a5,  TESLA,     PCIE,  "" )                                                     \
    C( GT218,   0x0a8,  TESLA,     PCIE,  "" )                                                     \
    C( MCP89,   0x0af,  TESLA,     IGP,   "" )                                                     \
    C( GF100,   0x0c0,  FERMI,     PCIE,  "" )                                                     \
    C( GF104,   0x0c4,  FERMI,     PCIE,  "" )                                                     \
    C( GF114,   0x0ce,  FERMI,     PCIE,  "" )                                                     \
    C( GF106,   0x0c3,  FERMI,     PCIE,  "" )                                                     \
    C( GF116,   0x0cf,  FERMI,     PCIE,  "" )                                                     \
    C( GF108,   0x0c1,  FERMI,     PCIE,  "" )                                                     \
    C( GF110,   0x0c8,  FERMI,     PCIE,  "" )                                                     \
    C( GF119,   0x0d9,  FERMI,     PCIE,  "" )                                                     \
    C( GF117,   0x0d7,  FERMI,     PCIE,  "" )                                                     \
    C( GK104,   0x0e4,  KEPLER,    PCIE,  "" )                                                     \
    C( GK107,   0x0e7,  KEPLER,    PCIE,  "" )                                                     \
    C( GK106,   0x0e6,  KEPLER,    PCIE,  "" )                                                     \
    C( GK110,   0x0f0,  KEPLER,    PCIE,  "" )                                                     \
    C( GK110B,  0x0f1,  KEPLER,    PCIE,  "" )                                                     \
    C( GK210,   0x000,  KEPLER,    PCIE,  "" )                                                     \
    C( GK208,   0x108,  KEPLER,    PCIE,  "" )                                                     \
    C( GK208B,  0x106,  KEPLER,    PCIE,  "" )                                                     \
    C( GK20A,   0x0ea,  KEPLER,    TEGRA, "" )                                                     \
    C( GM107,   0x117,  MAXWELL,   PCIE,  "" )                                                     \
    C( GM108,   0x118,  MAXWELL,   PCIE,  "" )                                                     \
    C( GM204,   0x124,  MAXWELL,   PCIE,  "" )                                                     \
    C( GM200,   0x120,  MAXWELL,   PCIE,  "" )                                                     \
    C( GM206,   0x126,  MAXWELL,   PCIE,  "" )                                                     \
    C( GM20B,   0x12b,  MAXWELL,   TEGRA, "" )                                                     \
    C( GP100,   0x130,  PASCAL,    PCIE,  "" )                                                     \
    C( GP102,   0x132,  PASCAL,    PCIE,  "" )                                                     \
    C( GP104,   0x134,  PASCAL,    PCIE,  "" )                                                     \
    C( GP106,   0x136,  PASCAL,    PCIE,  "" )                                                     \
    C( GP107,   0x137,  PASCAL,    PCIE,  "" )                                                     \
    C( GP108,   0x138,  PASCAL,    PCIE,  "" )                                                     \
    C( GP10B,   0x13b,  PASCAL,    TEGRA, "" )                                                     \
    C( GV100,   0x140,  VOLTA,     PCIE,  "" )                                                     \
    C( GV11B,   0x15b,  VOLTA,     TEGRA, "" )                                                     \
    C( TU102,   0x162,  TURING,    PCIE,  "" )                                                     \
    C( TU104,   0x164,  TURING,    PCIE,  "" )                                                     \
    C( TU106,   0x166,  TURING,    PCIE,  "" )                                                     \
    C( TU116,   0x168,  TURING,    PCIE,  "" )                                                     \
    C( TU117,   0x167,  TURING,    PCIE,  "" )                                                     \
    C( GA100,   0x170,  AMPERE,    PCIE,  "" )                                                     \
    C( GA102,   0x172,  AMPERE,    PCIE,  "" )                                                     \
    C( GA103,   0x173,  AMPERE,    PCIE,  "" )                                                     \
    C( GA104,   0x174,  AMPERE,    PCIE,  "" )                                                     \
    C( GA106,   0x176,  AMPERE,    PCIE,  "" )                                                     \
    C( GA107,   0x177,  AMPERE,    PCIE,  "" )                                                     \
    C( AD102,   0x192,  ADA,       PCIE,  "" )                                                     \
    C( AD103,   0x193,  ADA,       PCIE,  "" )                                                     \
    C( AD104,   0x194,  ADA,       PCIE,  "" )                                                     \
    C( AD106,   0x196,  ADA,       PCIE,  "" )                                                     \
    C( AD107,   0x197,  ADA,       PCIE,  "" )                                                     \
    C( GH100,   0x180,  HOPPER,    PCIE,  "" )                                                     \
    C( GB100,   0x1a0,  BLACKWELL, PCIE,  "" )                                                     \
    C( GB102,   0x1a2,  BLACKWELL, PCIE,  "" )                                                     \
    C( GB202,   0x1b2,  BLACKWELL, PCIE,  "" )                                                     \
    C( GB203,   0x1b3,  BLACKWELL, PCIE,  "" )                                                     \
    C( GB205,   0x1b5,  BLACKWELL, PCIE,  "" )                                                     \
    C( GB206,   0x1b6,  BLACKWELL, PCIE,  "" )                                                     \
    C( GB207,   0x1b7,  BLACKWELL, PCIE,  "" )

/* Class of the channel object, by the first chip that has it; in chip order. */
#define GPUCMD_NV_CLASSES(K)                                                                       \
    /*  class   since   source */                                                                  \
    K( 006B,    NV3,    RNNDB )                                                                    \
    K( 006C,    NV4,    006C )                                                                     \
    K( 006E,    NV10,   206E )                                                                     \
    K( 206E,    NV20,   206E )                                                                     \
    K( 366E,    NV36,   366E )                                                                     \
    K( 406E,    NV40,   446E )                                                                     \
    K( 446E,    NV44,   446E )                                                                     \
    K( 506F,    G80,    506F )                                                                     \
    K( 826F,    G84,    826F )                                                                     \
    K( 866F,    MCP89,  866F )                                                                     \
    K( 906F,    GF100,  906F )                                                                     \
    K( A06F,    GK104,  A06F )                                                                     \
    K( A16F,    GK110,  A16F )                                                                     \
    K( A26F,    GK20A,  A26F )                                                                     \
    K( B06F,    GM107,  B06F )                                                                     \
    K( C06F,    GP100,  C06F )                                                                     \
    K( C36F,    GV100,  C36F )                                                                     \
    K( C46F,    TU102,  C46F )                                                                     \
    K( C56F,    GA100,  C56F )                                                                     \
    K( C76F,    GA102,  C56F )                                                                     \
    K( C86F,    GH100,  C86F )                                                                     \
    K( C96F,    GB100,  C86F )                                                                     \
    K( CA6F,    GB202,  C86F )

/* Fields of a command word before GF100, and of the old forms that Fermi to
 * Pascal can accept. */
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

/* Fields of a command word, GF100 and later. Bit 12 of a run is reserved:
 * written 0, ignored when read (MODEL). */
#define GPUCMD_NV_HDR_FIELDS(F)                                                                    \
    /*  name             hi  lo  unit  meaning                               source */             \
    F( HDR_SEC_OP,       31, 29, "",   "form of the command",                906F )                \
    F( HDR_COUNT,        28, 16, "dw", "data words that follow",             906F )                \
    F( HDR_IMMD_DATA,    28, 16, "",   "the data itself, zero-extended",     906F )                \
    F( HDR_TERT_OP,      17, 16, "",   "subdevice command",                  906F )                \
    F( HDR_SUBC,         15, 13, "",   "subchannel",                         906F )                \
    F( HDR_MTHD,         11,  0, "dw", "method address / 4",                 906F )                \
    F( HDR_SUBDEVICE,    15,  4, "",   "mask of a subdevice command",        906F )

/* Fields of the two words of an IB entry. */
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

/* Fields of the PBDMA's SUBDEVICE register, and its FORMATS. */
#define GPUCMD_NV_PBDMA_FIELDS(F)                                                                  \
    /*  name             hi  lo  unit  meaning                               source */             \
    F( SUBDEVICE_ID,     11,  0, "",   "which subdevices this is",           PBDMA )               \
    F( SUBDEVICE_STORED_MASK, 27, 16, "", "last STORE_SUBDEVICE_MASK",       PBDMA )               \
    F( SUBDEVICE_STATUS, 28, 28, "",   "1: ACTIVE, methods are sent",        PBDMA )               \
    F( SUBDEVICE_CHANNEL_DMA, 29, 29, "", "1: subdevice commands allowed",   PBDMA )

/* Fields of the channel control area. */
#define GPUCMD_NV_AREA_FIELDS(F)                                                                   \
    /*  name             hi  lo  unit  meaning                               source */             \
    F( AREA_HIGH,         7,  0, "",   "address 39:32",                      ENVY )                \
    F( AREA_MGET_VAL,    31, 31, "",   "DMA_MGET is valid",                  506F )

/* Forms before GF100. Picture: j target / 4, c count, s subchannel, m method /
 * 4, v mask, - ignored. sec, tert and prim are the values of the op fields;
 * mask has the bits of a word that must be as these say. since: first chip;
 * mode: NV4-style, IB or any; sli: only while sli_enable is set. Patterns are
 * disjoint, so that the order of tests never matters. */
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

/* Forms of GF100 and later. Picture letters as above, d data. new, old:
 * accepted where FORMATS says NEW or OLD (both columns under BOTH); Volta and
 * later know NEW only. [906F]; acceptance under OLD: [RNNDB] (MODEL). NOP comes
 * before OLD_INC, whose pattern has it too. */
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

/* Flags of an entry: the field that is 1, and the chips that have it. */
#define GPUCMD_NV_ENTRY_FLAGS(G)                                                                   \
    /*  name               flag  word  field                    since   until  source */           \
    G( DISABLE,            1,    0,    ENTRY0_DISABLE,           G80,    GF100, 506F )             \
    G( NO_CONTEXT_SWITCH,  2,    0,    ENTRY0_NO_CONTEXT_SWITCH, G80,    GK104, 506F )             \
    G( FETCH_CONDITIONAL,  4,    0,    ENTRY0_FETCH,             GF100,  LATER, 906F )             \
    G( PRIV,               8,    1,    ENTRY1_PRIV,              G80,    TU102, 506F )             \
    G( SUBROUTINE,         16,   1,    ENTRY1_LEVEL,             G80,    LATER, 506F )             \
    G( SYNC_WAIT,          32,   1,    ENTRY1_SYNC,              GF100,  LATER, 906F )

/* Operations of control entries (GF100 and later, LENGTH 0). */
#define GPUCMD_NV_CONTROLS(O)                                                                      \
    /*  name                            op  since   source */                                      \
    O( NOP,                             0,  GF100,  906F )                                         \
    O( ILLEGAL,                         1,  GF100,  906F )                                         \
    O( GP_CRC,                          2,  GF100,  906F )                                         \
    O( PB_CRC,                          3,  GF100,  906F )                                         \
    O( SET_PB_SEGMENT_EXTENDED_BASE,    4,  GH100,  C86F )

/* Methods below 0x100 that the host itself executes, per range of chips (until
 * excluded; LATER is an open end). Before GF100 the pusher refuses every other
 * address below 0x100. */
#define GPUCMD_NV_HOST_METHODS(M)                                                                  \
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
    M( MEM_OP_A,              0x28,  MCP89,  GM107, 866F )                                         \
    M( MEM_OP_A,              0x28,  GP100,  LATER, C06F )                                         \
    M( MEM_OP_B,              0x2c,  MCP89,  GM107, 866F )                                         \
    M( MEM_OP_B,              0x2c,  GP100,  LATER, C06F )                                         \
    M( MEM_OP_C,              0x30,  GM107,  LATER, B06F )                                         \
    M( MEM_OP_D,              0x34,  GM107,  LATER, B06F )                                         \
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
    M( SYNCPOINTA,            0x70,  GP10B,  GV100, C06F )                                         \
    M( SYNCPOINTB,            0x74,  GK20A,  GM107, A26F )                                         \
    M( SYNCPOINTB,            0x74,  GP10B,  GV100, C06F )                                         \
    M( WFI,                   0x78,  GK110,  LATER, A16F )                                         \
    M( CRC_CHECK,             0x7c,  GF100,  GA100, 906F )                                         \
    M( YIELD,                 0x80,  NV40,   LATER, ENVY )                                         \
    M( CLEAR_FAULTED,         0x84,  GV100,  LATER, C36F )

/* Errors of the pusher before GF100, as in DMA_STATE 31:29. [ENVY] */
#define GPUCMD_NV_PUSHER_ERRORS(X)                                                                 \
    /*  name               id  text */                                                             \
    X( NONE,               0,  "no error" )                                                        \
    X( CALL_SUBR_ACTIVE,   1,  "call inside a subroutine" )                                        \
    X( INVALID_MTHD,       2,  "method below 0x100 that the host does not know" )                  \
    X( RET_SUBR_INACTIVE,  3,  "return outside a subroutine" )                                     \
    X( INVALID_CMD,        4,  "no such command in this mode" )                                    \
    X( IB_EMPTY,           5,  "IB entry of length zero" )                                         \
    X( MEM_FAULT,          6,  "pushbuffer or IB not readable, or past dma_limit" )

/* Interrupts of the PBDMA, bits of INTR_0, that the models of the PBDMA and of
 * the host raise. A page fault is the MMU's and has no bit here. [PBDMA] */
#define GPUCMD_NV_PBDMA_INTRS(I)                                                                   \
    /*  name          bit  text */                                                                 \
    I( MEMOP,          6,  "no such MEM_OP" )                                                      \
    I( GPFIFO,        13,  "ring passes the end of the address space" )                            \
    I( GPPTR,         14,  "GP_PUT or GP_GET not inside the ring" )                                \
    I( GPENTRY,       15,  "illegal entry, or segment passes the end of the address space" )       \
    I( GPCRC,         16,  "GP_CRC differs" )                                                      \
    I( PBENTRY,       18,  "no such command, or address wraps" )                                   \
    I( PBCRC,         19,  "PB_CRC differs" )                                                      \
    I( METHOD,        21,  "method, or value of YIELD, that the host lacks; ILLEGAL" )             \
    I( METHODCRC,     22,  "METHOD_CRC differs" )                                                  \
    I( DEVICE,        23,  "method of a software object" )                                         \
    I( SEMAPHORE,     25,  "unaligned or unknown semaphore operation" )                            \
    I( SYNCPOINT_ILLEGAL, 28, "no such syncpoint" )                                                \
    I( NO_CTXSW_SEG,  29,  "acquire where the entry forbids channel switches" )                    \
    I( PBSEG,         30,  "run crosses into a conditional segment" )

/* Registers of the channel control area, offsets in bytes. [ENVY], names of
 * [506F] in the text */
#define GPUCMD_NV_AREA_REGS(A)                                                                     \
    /*  name            off    meaning */                                                          \
    A( DMA_PUT,         0x40,  "Put: dma_put 31:0; the write takes DMA_PUT_HIGH along" )           \
    A( DMA_GET,         0x44,  "Get: dma_get 31:0; the read latches DMA_GET_HIGH" )                \
    A( REF,             0x48,  "Reference: reference counter" )                                    \
    A( DMA_PUT_HIGH,    0x4c,  "PutHi: dma_put 39:32" )                                            \
    A( DMA_CGET,        0x54,  "subr_return in a subroutine, else dma_get (NV40 until GF100)" )    \
    A( DMA_MGET,        0x58,  "TopLevelGet: dma_mget 31:0; the read latches DMA_MGET_HIGH" )      \
    A( DMA_MGET_HIGH,   0x5c,  "TopLevelGetHi: dma_mget 39:32, valid flag in bit 31" )             \
    A( DMA_GET_HIGH,    0x60,  "GetHi: dma_get 39:32" )                                            \
    A( IB_GET,          0x88,  "GPGet: next entry the GPU reads" )                                 \
    A( IB_PUT,          0x8c,  "GPPut: first entry not submitted" )

/* Rules of the checker. */
#define GPUCMD_NV_RULES(U)                                                                         \
    /*  name              severity  text */                                                        \
    U( INVALID_COMMAND,   ERROR,    "no such command" )                                            \
    U( UNSUPPORTED_FORM,  ERROR,    "this chip or mode lacks the command" )                        \
    U( TRUNCATED,         ERROR,    "the stream ends inside a run" )                               \
    U( UNKNOWN_METHOD,    ERROR,    "method below 0x100 that the host of this chip lacks" )        \
    U( METHOD_WRAP,       ERROR,    "run passes the last method address" )                         \
    U( JUMP_OUTSIDE,      ERROR,    "target lies outside the buffer" )                             \
    U( RETURN_OUTSIDE,    NOTE,     "return: legal only in a subroutine" )                         \
    U( STRAY_BITS,        WARNING,  "bits set that the command ignores" )                          \
    U( EMPTY_RUN,         NOTE,     "run of zero words" )                                          \
    U( AFTER_END,         WARNING,  "words after END_SEGMENT are dropped" )                        \
    U( EMPTY_ENTRY,       ERROR,    "IB entry of length zero" )                                    \
    U( ENTRY_RANGE,       ERROR,    "segment passes the end of the address space" )                \
    U( ENTRY_STRAY,       WARNING,  "bits set in an entry that this chip reserves" )               \
    U( ENTRY_OPCODE,      ERROR,    "control entry with an unknown or illegal operation" )         \
    U( ENTRY_MEMORY,      ERROR,    "segment lies outside memory" )                                \
    U( RUN_CONDITIONAL,   ERROR,    "run crosses into a conditional segment" )

/* Fields of host methods. A name that ends in a class has the width of that
 * class, the plain one the largest width. */
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
    F( MEM_OP_TLB_PDB,    0,  0, "",   "1: all page directories",            906F )                \
    F( MEM_OP_TLB_GPC,    1,  1, "",   "1: not the TLBs of GPCs",            906F )                \
    F( MEM_OP_TLB_ADDR_906F,   29,  2, "", "A: directory address 39:12",     906F )                \
    F( MEM_OP_TLB_TARGET_906F, 31, 30, "", "A: where the directory lies",    906F )                \
    F( MEM_OP_TLB_TARGET, 11, 10, "",  "C: where the directory lies",        B06F )                \
    F( MEM_OP_TLB_ADDR_LO, 31, 12, "", "C: directory address 31:12",         B06F )                \
    F( MEM_OP_TLB_ADDR_HI_B06F, 7, 0, "", "D: directory address 39:32",      B06F )                \
    F( MEM_OP_TLB_ADDR_HI, 26, 0, "",  "D: directory address 58:32",         C06F )                \
    F( MEM_OP_TLB_SYSMEMBAR, 11, 11, "", "A: 1: then a system barrier",      C06F )                \
    F( MEM_OP_MEMBAR_TYPE, 2,  0, "",  "C: 0 system, 1 GPU",                 C06F )                \
    F( WFI_SCOPE,         0,  0, "",   "1: all engines",                     B06F )                \
    F( YIELD_OP,          1,  0, "",   "GPUCMD_NV_YIELDS",                   B06F )                \
    F( SYNCPOINT_OPERATION_A26F, 1, 0, "", "0 WAIT, 1 INCR",                 A26F )                \
    F( SYNCPOINT_OPERATION,  0,  0, "", "0 WAIT, 1 INCR",                    C06F )                \
    F( SYNCPOINT_INDEX_A26F, 15, 8, "", "which one",                         A26F )                \
    F( SYNCPOINT_INDEX,     19,  8, "", "which one",                         C06F )

/* Operations of the semaphore methods. GEQ is circular: the difference to the
 * payload has a clear sign bit; STRICT compares unsigned. AND: a bit of the
 * payload is set; NOR: a bit is clear in both. */
#define GPUCMD_NV_SEM_OPS(O)                                                                       \
    /*  method        operation       value  since   until  source */                              \
    O( SEMAPHORED,    ACQUIRE,        1,     G84,    LATER, 826F )                                 \
    O( SEMAPHORED,    RELEASE,        2,     G84,    LATER, 826F )                                 \
    O( SEMAPHORED,    ACQ_CIRC_GEQ,   4,     G84,    LATER, 826F )                                 \
    O( SEMAPHORED,    ACQ_AND,        8,     GF100,  LATER, 906F )                                 \
    O( SEMAPHORED,    REDUCTION,     16,     GK110,  GK20A, A16F )                                 \
    O( SEMAPHORED,    REDUCTION,     16,     GM107,  LATER, B06F )                                 \
    O( SEM_EXECUTE,   ACQUIRE,        0,     GV100,  LATER, C36F )                                 \
    O( SEM_EXECUTE,   RELEASE,        1,     GV100,  LATER, C36F )                                 \
    O( SEM_EXECUTE,   ACQ_STRICT_GEQ, 2,     GV100,  LATER, C36F )                                 \
    O( SEM_EXECUTE,   ACQ_CIRC_GEQ,   3,     GV100,  LATER, C36F )                                 \
    O( SEM_EXECUTE,   ACQ_AND,        4,     GV100,  LATER, C36F )                                 \
    O( SEM_EXECUTE,   ACQ_NOR,        5,     GV100,  LATER, C36F )                                 \
    O( SEM_EXECUTE,   REDUCTION,      6,     GV100,  LATER, C36F )

/* Reductions, and the formats that each has. [PBDMA] */
#define GPUCMD_NV_REDUCTIONS(R)                                                                    \
    /*  name  value  s32 u32 s64 u64 */                                                            \
    R( IMIN,  0,     1,  1,  1,  1 )                                                               \
    R( IMAX,  1,     1,  1,  1,  1 )                                                               \
    R( IXOR,  2,     1,  1,  1,  1 )                                                               \
    R( IAND,  3,     1,  1,  1,  1 )                                                               \
    R( IOR,   4,     1,  1,  1,  1 )                                                               \
    R( IADD,  5,     1,  1,  0,  1 )                                                               \
    R( INC,   6,     0,  1,  0,  0 )                                                               \
    R( DEC,   7,     0,  1,  0,  0 )

/* Operations of MEM_OP. The model has no TLB and no cache: each is a barrier. */
#define GPUCMD_NV_MEM_OPS(P)                                                                       \
    /*  name                           value  since   until  source */                             \
    P( MEMBAR,                         0x05,  GF100,  LATER, 906F )                                \
    P( SOFT_FLUSH,                     0x06,  GF100,  GK20A, 906F )                                \
    P( MMU_TLB_INVALIDATE,             0x09,  GF100,  LATER, 906F )                                \
    P( MMU_TLB_INVALIDATE_TARGETED,    0x0a,  GP100,  LATER, C06F )                                \
    P( MMU_OPERATION,                  0x0b,  GA102,  LATER, C56F )                                \
    P( L2_PEERMEM_INVALIDATE,          0x0d,  GF100,  GK20A, 906F )                                \
    P( L2_PEERMEM_INVALIDATE,          0x0d,  GM107,  LATER, B06F )                                \
    P( L2_SYSMEM_INVALIDATE,           0x0e,  GF100,  LATER, 906F )                                \
    P( L2_CLEAN_COMPTAGS,              0x0f,  GF100,  LATER, 906F )                                \
    P( L2_FLUSH_DIRTY,                 0x10,  GF100,  LATER, 906F )                                \
    P( L2_SYSMEM_NCOH_INVALIDATE,      0x11,  GB100,  LATER, C86F )                                \
    P( L2_WAIT_FOR_SYS_PENDING_READS,  0x15,  GP100,  LATER, C06F )                                \
    P( ACCESS_COUNTER_CLR,             0x16,  GV100,  LATER, C36F )

/* Values of YIELD that a chip knows. Before GF100 every value yields. */
#define GPUCMD_NV_YIELDS(Y)                                                                        \
    /*  name                value  since   until  source */                                        \
    Y( NOP,                 0,     NV40,   LATER, 906F )                                           \
    Y( PBDMA_TIMESLICE,     1,     GM107,  GV100, B06F )                                           \
    Y( RUNLIST_TIMESLICE,   2,     GM107,  GA100, B06F )                                           \
    Y( TSG,                 3,     GM107,  LATER, B06F )

/* Errors of the host before GF100, which stop the channel: CACHE_ERROR and
 * SEMAPHORE, with the number that the hardware gives. [ENVY] */
#define GPUCMD_NV_HOST_ERRORS(E)                                                                   \
    /*  name                         kind       code  text */                                      \
    E( NONE,                         NONE,      0,    "no error" )                                 \
    E( CACHE_EMPTY_SUBCHANNEL,       CACHE,     0,    "no object, or a software object, bound" )   \
    E( CACHE_NO_HASH,                CACHE,     0,    "no object of this handle" )                 \
    E( SEMAPHORE_INVALID_OPERAND,    SEMAPHORE, 1,    "unfit object or offset (until G80)" )       \
    E( SEMAPHORE_ADDRESS_UNALIGNED,  SEMAPHORE, 1,    "address not a multiple of 4 (G80)" )        \
    E( SEMAPHORE_INVALID_STATE,      SEMAPHORE, 2,    "object or offset not set" )                 \
    E( SEMAPHORE_ADDRESS_TOO_LARGE,  SEMAPHORE, 3,    "address has too many bits (G80)" )          \
    E( SEMAPHORE_MEM_FAULT,          SEMAPHORE, 4,    "semaphore not accessible (G80)" )

/* Classes of objects, the model that runs each, and the first chip that has it.
 * Other classes are the caller's. */
#define GPUCMD_NV_OBJECTS(K)                                                                       \
    /*  class  model      since   source */                                                        \
    K( 0039,   M2MF_NV4,  NV4,    0039 )                                                           \
    K( 5039,   M2MF_G80,  G80,    5039 )                                                           \
    K( 9039,   M2MF_GF100, GF100, 9039 )                                                           \
    K( A040,   INLINE,    GK104,  A140 )                                                           \
    K( A140,   INLINE,    GK110,  A140 )                                                           \
    K( 85B5,   COPY,      GT215,  85B5 )                                                           \
    K( 90B5,   COPY,      GF100,  85B5 )                                                           \
    K( A0B5,   COPY,      GK104,  85B5 )                                                           \
    K( B0B5,   COPY,      GM107,  85B5 )                                                           \
    K( C0B5,   COPY,      GP100,  85B5 )                                                           \
    K( C1B5,   COPY,      GP102,  85B5 )                                                           \
    K( C3B5,   COPY,      GV100,  85B5 )                                                           \
    K( C5B5,   COPY,      TU102,  85B5 )                                                           \
    K( C6B5,   COPY,      GA100,  85B5 )                                                           \
    K( C7B5,   COPY,      GA102,  85B5 )                                                           \
    K( C8B5,   COPY,      GH100,  C8B5 )                                                           \
    K( C9B5,   COPY,      GB100,  C8B5 )                                                           \
    K( CAB5,   COPY,      GB202,  C8B5 )                                                           \
    K( 0397,   3D_NV30,   NV30,   MESA )                                                           \
    K( 0497,   3D_NV30,   NV35,   MESA )                                                           \
    K( 0697,   3D_NV30,   NV34,   MESA )                                                           \
    K( 4097,   3D_NV30,   NV40,   MESA )                                                           \
    K( 4497,   3D_NV30,   NV44,   MESA )                                                           \
    K( 5097,   3D_G80,    G80,    MESA )                                                           \
    K( 8297,   3D_G80,    G84,    MESA )                                                           \
    K( 8397,   3D_G80,    G200,   MESA )                                                           \
    K( 8597,   3D_G80,    GT215,  MESA )                                                           \
    K( 8697,   3D_G80,    MCP89,  MESA )                                                           \
    K( 9097,   3D_GF100,  GF100,  MESA )                                                           \
    K( 9197,   3D_GF100,  GF108,  MESA )                                                           \
    K( 9297,   3D_GF100,  GF110,  MESA )                                                           \
    K( A097,   3D_GF100,  GK104,  MESA )                                                           \
    K( A197,   3D_GF100,  GK110,  MESA )                                                           \
    K( A297,   3D_GF100,  GK20A,  MESA )                                                           \
    K( B097,   3D_GF100,  GM107,  MESA )                                                           \
    K( B197,   3D_GF100,  GM204,  MESA )                                                           \
    K( C097,   3D_GF100,  GP100,  MESA )                                                           \
    K( C197,   3D_GF100,  GP102,  MESA )                                                           \
    K( C397,   3D_GF100,  GV100,  MESA )                                                           \
    K( C597,   3D_GF100,  TU102,  MESA )                                                           \
    K( C697,   3D_GF100,  GA100,  MESA )                                                           \
    K( C797,   3D_GF100,  GA102,  MESA )                                                           \
    K( A0C0,   INLINE,    GK104,  A140 )                                                           \
    K( A1C0,   INLINE,    GK110,  A140 )                                                           \
    K( B0C0,   INLINE,    GM107,  A140 )                                                           \
    K( B1C0,   INLINE,    GM204,  A140 )                                                           \
    K( C0C0,   INLINE,    GP100,  A140 )                                                           \
    K( C1C0,   INLINE,    GP102,  A140 )                                                           \
    K( C3C0,   INLINE,    GV100,  A140 )                                                           \
    K( C5C0,   INLINE,    TU102,  A140 )                                                           \
    K( C6C0,   INLINE,    GA100,  A140 )                                                           \
    K( C7C0,   INLINE,    GA102,  A140 )

/* Methods of engines that the models and recipes know. */
#define GPUCMD_NV_ENGINE_METHODS(M)                                                                \
    /*  name                        mthd    source */                                              \
    M( COPY_SET_SEMAPHORE_A,        0x240,  85B5 )                                                 \
    M( COPY_SET_SEMAPHORE_B,        0x244,  85B5 )                                                 \
    M( COPY_SET_SEMAPHORE_PAYLOAD,  0x248,  85B5 )                                                 \
    M( COPY_SET_SEMAPHORE_PAYLOAD_UPPER, 0x24c, 85B5 )                                             \
    M( COPY_SET_RENDER_ENABLE_C,    0x25c,  85B5 )                                                 \
    M( COPY_LAUNCH_DMA,             0x300,  85B5 )                                                 \
    M( COPY_OFFSET_IN_UPPER,        0x400,  85B5 )                                                 \
    M( COPY_OFFSET_IN_LOWER,        0x404,  85B5 )                                                 \
    M( COPY_OFFSET_OUT_UPPER,       0x408,  85B5 )                                                 \
    M( COPY_OFFSET_OUT_LOWER,       0x40c,  85B5 )                                                 \
    M( COPY_PITCH_IN,               0x410,  85B5 )                                                 \
    M( COPY_PITCH_OUT,              0x414,  85B5 )                                                 \
    M( COPY_LINE_LENGTH_IN,         0x418,  85B5 )                                                 \
    M( COPY_LINE_COUNT,             0x41c,  85B5 )                                                 \
    M( COPY_SET_REMAP_CONST_A,      0x700,  85B5 )                                                 \
    M( COPY_SET_REMAP_CONST_B,      0x704,  85B5 )                                                 \
    M( COPY_SET_REMAP_COMPONENTS,   0x708,  85B5 )                                                 \
    M( COPY_SET_DST_BLOCK_SIZE,     0x70c,  85B5 )                                                 \
    M( COPY_SET_DST_WIDTH,          0x710,  85B5 )                                                 \
    M( COPY_SET_DST_LAYER,          0x71c,  85B5 )                                                 \
    M( COPY_SET_DST_ORIGIN,         0x720,  85B5 )                                                 \
    M( COPY_SET_SRC_BLOCK_SIZE,     0x728,  85B5 )                                                 \
    M( COPY_SET_SRC_WIDTH,          0x72c,  85B5 )                                                 \
    M( COPY_SET_SRC_LAYER,          0x738,  85B5 )                                                 \
    M( COPY_SET_SRC_ORIGIN,         0x73c,  85B5 )                                                 \
    M( COPY_SRC_ORIGIN_X,           0x744,  85B5 )                                                 \
    M( COPY_SRC_ORIGIN_Y,           0x748,  85B5 )                                                 \
    M( COPY_DST_ORIGIN_X,           0x74c,  85B5 )                                                 \
    M( COPY_DST_ORIGIN_Y,           0x750,  85B5 )                                                 \
    M( M2MF_DMA_BUFFER_IN,          0x184,  0039 )                                                 \
    M( M2MF_DMA_BUFFER_OUT,         0x188,  0039 )                                                 \
    M( M2MF_SRC_LAYOUT,             0x200,  5039 )                                                 \
    M( M2MF_SRC_BLOCK_SIZE,         0x204,  5039 )                                                 \
    M( M2MF_SRC_WIDTH,              0x208,  5039 )                                                 \
    M( M2MF_SRC_LAYER,              0x214,  5039 )                                                 \
    M( M2MF_SRC_ORIGIN,             0x218,  5039 )                                                 \
    M( M2MF_DST_LAYOUT,             0x21c,  5039 )                                                 \
    M( M2MF_DST_BLOCK_SIZE,         0x220,  5039 )                                                 \
    M( M2MF_DST_WIDTH,              0x224,  5039 )                                                 \
    M( M2MF_DST_LAYER,              0x230,  5039 )                                                 \
    M( M2MF_DST_ORIGIN,             0x234,  5039 )                                                 \
    M( M2MF_G80_OFFSET_IN_UPPER,    0x238,  5039 )                                                 \
    M( M2MF_G80_OFFSET_OUT_UPPER,   0x23c,  5039 )                                                 \
    M( M2MF_OFFSET_OUT_UPPER,       0x238,  9039 )                                                 \
    M( M2MF_OFFSET_OUT,             0x23c,  9039 )                                                 \
    M( M2MF_LAUNCH_DMA,             0x300,  9039 )                                                 \
    M( M2MF_LOAD_INLINE_DATA,       0x304,  9039 )                                                 \
    M( M2MF_OFFSET_IN_UPPER,        0x30c,  9039 )                                                 \
    M( M2MF_OFFSET_IN,              0x310,  9039 )                                                 \
    M( M2MF_NV4_OFFSET_IN,          0x30c,  0039 )                                                 \
    M( M2MF_NV4_OFFSET_OUT,         0x310,  0039 )                                                 \
    M( M2MF_PITCH_IN,               0x314,  0039 )                                                 \
    M( M2MF_PITCH_OUT,              0x318,  0039 )                                                 \
    M( M2MF_LINE_LENGTH_IN,         0x31c,  0039 )                                                 \
    M( M2MF_LINE_COUNT,             0x320,  0039 )                                                 \
    M( M2MF_NV4_FORMAT,             0x324,  0039 )                                                 \
    M( M2MF_NV4_BUFFER_NOTIFY,      0x328,  0039 )                                                 \
    M( M2MF_SET_SEMAPHORE_A,        0x32c,  9039 )                                                 \
    M( M2MF_SET_SEMAPHORE_B,        0x330,  9039 )                                                 \
    M( M2MF_SET_SEMAPHORE_C,        0x334,  9039 )                                                 \
    M( M2MF_SRC_ORIGIN_X,           0x344,  MESA )                                                 \
    M( M2MF_SRC_ORIGIN_Y,           0x348,  MESA )                                                 \
    M( M2MF_DST_ORIGIN_X,           0x34c,  MESA )                                                 \
    M( M2MF_DST_ORIGIN_Y,           0x350,  MESA )                                                 \
    M( INLINE_LINE_LENGTH_IN,       0x180,  A140 )                                                 \
    M( INLINE_LINE_COUNT,           0x184,  A140 )                                                 \
    M( INLINE_OFFSET_OUT_UPPER,     0x188,  A140 )                                                 \
    M( INLINE_OFFSET_OUT,           0x18c,  A140 )                                                 \
    M( INLINE_PITCH_OUT,            0x190,  A140 )                                                 \
    M( INLINE_SET_DST_BLOCK_SIZE,   0x194,  A140 )                                                 \
    M( INLINE_SET_DST_WIDTH,        0x198,  A140 )                                                 \
    M( INLINE_SET_DST_LAYER,        0x1a4,  A140 )                                                 \
    M( INLINE_SET_DST_ORIGIN_X,     0x1a8,  A140 )                                                 \
    M( INLINE_SET_DST_ORIGIN_Y,     0x1ac,  A140 )                                                 \
    M( INLINE_LAUNCH_DMA,           0x1b0,  A140 )                                                 \
    M( INLINE_LOAD_INLINE_DATA,     0x1b4,  A140 )                                                 \
    M( INLINE_SET_SEMAPHORE_A,      0x1dc,  A140 )                                                 \
    M( INLINE_SET_SEMAPHORE_B,      0x1e0,  A140 )                                                 \
    M( INLINE_SET_SEMAPHORE_C,      0x1e4,  A140 )                                                 \
    M( 3D_NV30_DMA_FENCE,           0x1a4,  MESA )                                                 \
    M( 3D_NV30_DMA_QUERY,           0x1a8,  MESA )                                                 \
    M( 3D_NV30_RT_HORIZ,            0x200,  MESA )                                                 \
    M( 3D_NV30_RT_VERT,             0x204,  MESA )                                                 \
    M( 3D_NV30_RT_FORMAT,           0x208,  MESA )                                                 \
    M( 3D_NV30_RT_PITCH,            0x20c,  MESA )                                                 \
    M( 3D_NV30_RT_OFFSET,           0x210,  MESA )                                                 \
    M( 3D_NV30_SCISSOR_HORIZ,       0x8c0,  MESA )                                                 \
    M( 3D_NV30_SCISSOR_VERT,        0x8c4,  MESA )                                                 \
    M( 3D_NV30_QUERY_GET,           0x1800, MESA )                                                 \
    M( 3D_NV30_FENCE_OFFSET,        0x1d6c, MESA )                                                 \
    M( 3D_NV30_FENCE_VALUE,         0x1d70, MESA )                                                 \
    M( 3D_NV30_CLEAR_COLOR,         0x1d90, MESA )                                                 \
    M( 3D_NV30_CLEAR_BUFFERS,       0x1d94, MESA )                                                 \
    M( 3D_RT_G80,                   0x200,  MESA )                                                 \
    M( 3D_RT_GF100,                 0x800,  MESA )                                                 \
    M( 3D_CLEAR_COLOR,              0xd80,  MESA )                                                 \
    M( 3D_SCISSOR_HORIZ,            0xff4,  MESA )                                                 \
    M( 3D_SCISSOR_VERT,             0xff8,  MESA )                                                 \
    M( 3D_RT_HORIZ_G80,             0x1240, MESA )                                                 \
    M( 3D_RT_VERT_G80,              0x1244, MESA )                                                 \
    M( 3D_CLEAR_BUFFERS,            0x19d0, MESA )                                                 \
    M( 3D_REPORT_UPPER,             0x1b00, MESA )                                                 \
    M( 3D_REPORT_LOWER,             0x1b04, MESA )                                                 \
    M( 3D_REPORT_PAYLOAD,           0x1b08, MESA )                                                 \
    M( 3D_REPORT_GET,               0x1b0c, MESA )

/* What a model keeps: runs of registers, with the place of the first among the
 * engine's registers; bit i of triggers: the i-th one starts something. STREAM
 * takes a block of data. */
#define GPUCMD_NV_ENGINE_WINDOWS(W)                                                                \
    /*  model       mthd    words slot triggers */                                                 \
    W( COPY,        0x240,  8,    0,   0x00000000 )                                                \
    W( COPY,        0x300,  1,    8,   0x00000001 )                                                \
    W( COPY,        0x400,  8,    9,   0x00000000 )                                                \
    W( COPY,        0x700, 21,    17,  0x00000000 )                                                \
    W( M2MF_NV4,    0x180,  3,    0,   0x00000000 )                                                \
    W( M2MF_NV4,    0x30c,  8,    3,   0x00000080 )                                                \
    W( M2MF_G80,    0x180,  3,    0,   0x00000000 )                                                \
    W( M2MF_G80,    0x200, 16,    3,   0x00000000 )                                                \
    W( M2MF_G80,    0x30c,  8,    19,  0x00000080 )                                                \
    W( M2MF_GF100,  0x204, 15,    0,   0x00000000 )                                                \
    W( M2MF_GF100,  0x300,  1,    15,  0x00000001 )                                                \
    W( M2MF_GF100,  0x304,  0,    0,   0x00000001 )                                                \
    W( M2MF_GF100,  0x30c, 18,    16,  0x00000000 )                                                \
    W( INLINE,      0x180, 13,    0,   0x00001000 )                                                \
    W( INLINE,      0x1b4,  0,    0,   0x00000001 )                                                \
    W( INLINE,      0x1dc,  3,    13,  0x00000000 )                                                \
    W( 3D_NV30,     0x1a4,  2,    0,   0x00000000 )                                                \
    W( 3D_NV30,     0x200,  5,    2,   0x00000000 )                                                \
    W( 3D_NV30,     0x8c0,  2,    7,   0x00000000 )                                                \
    W( 3D_NV30,     0x1800, 1,    9,   0x00000001 )                                                \
    W( 3D_NV30,     0x1d6c, 2,    10,  0x00000002 )                                                \
    W( 3D_NV30,     0x1d90, 2,    12,  0x00000002 )                                                \
    W( 3D_G80,      0x200,  4,    0,   0x00000000 )                                                \
    W( 3D_G80,      0xd80,  4,    4,   0x00000000 )                                                \
    W( 3D_G80,      0xff4,  2,    8,   0x00000000 )                                                \
    W( 3D_G80,      0x1240, 2,    10,  0x00000000 )                                                \
    W( 3D_G80,      0x19d0, 1,    12,  0x00000001 )                                                \
    W( 3D_G80,      0x1b00, 4,    13,  0x00000008 )                                                \
    W( 3D_GF100,    0x800,  6,    0,   0x00000000 )                                                \
    W( 3D_GF100,    0xd80,  4,    6,   0x00000000 )                                                \
    W( 3D_GF100,    0xff4,  2,    10,  0x00000000 )                                                \
    W( 3D_GF100,    0x19d0, 1,    12,  0x00000001 )                                                \
    W( 3D_GF100,    0x1b00, 4,    13,  0x00000008 )

/* Fields of engine methods. */
#define GPUCMD_NV_ENGINE_FIELDS(F)                                                                 \
    /*  name                     hi  lo  unit  meaning                       source */             \
    F( COPY_UPPER,                7,  0, "",   "address 39:32",              85B5 )                \
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
    F( LAUNCH_SRC_PHYSICAL,      12, 12, "",   "not virtual (A0B5+)",        85B5 )                \
    F( LAUNCH_DST_PHYSICAL,      13, 13, "",   "not virtual (A0B5+)",        85B5 )                \
    F( LAUNCH_REDUCTION,         17, 14, "",   "GPUCMD_NV_REDUCTIONS",       85B5 )                \
    F( LAUNCH_REDUCTION_SIGN,    18, 18, "",   "1: unsigned",                85B5 )                \
    F( LAUNCH_REDUCTION_ENABLE,  19, 19, "",   "reduce, do not write",       85B5 )                \
    F( LAUNCH_PAYLOAD_SIZE,      27, 27, "",   "1: two words (C7B5+)",       85B5 )                \
    F( REMAP_DST_X,               2,  0, "",   "GPUCMD_NV_REMAP_*",          85B5 )                \
    F( REMAP_DST_Y,               6,  4, "",   "GPUCMD_NV_REMAP_*",          85B5 )                \
    F( REMAP_DST_Z,              10,  8, "",   "GPUCMD_NV_REMAP_*",          85B5 )                \
    F( REMAP_DST_W,              14, 12, "",   "GPUCMD_NV_REMAP_*",          85B5 )                \
    F( REMAP_SIZE,               17, 16, "",   "bytes of a component - 1",   85B5 )                \
    F( REMAP_NUM_SRC,            21, 20, "",   "components - 1",             85B5 )                \
    F( REMAP_NUM_DST,            25, 24, "",   "components - 1",             85B5 )                \
    F( BLOCK_HEIGHT,              7,  4, "",   "GOBs, log2",                 85B5 )                \
    F( BLOCK_DEPTH,              11,  8, "",   "slices, log2",               85B5 )                \
    F( ORIGIN_X,                 15,  0, "",   "first column",               85B5 )                \
    F( ORIGIN_Y,                 31, 16, "",   "first line",                 85B5 )                \
    F( M2MF_UPPER,                7,  0, "",   "address 39:32",              9039 )                \
    F( M2MF_FORMAT_IN,            7,  0, "",   "bytes from one to the next", 0039 )                \
    F( M2MF_FORMAT_OUT,          15,  8, "",   "bytes from one to the next", 0039 )                \
    F( M2MF_SRC_INLINE,           0,  0, "",   "data come as methods",       9039 )                \
    F( M2MF_SRC_PITCH,            4,  4, "",   "1: lines at a pitch",        9039 )                \
    F( M2MF_DST_PITCH,            8,  8, "",   "1: lines at a pitch",        9039 )                \
    F( M2MF_COMPLETION,          13, 12, "",   "2: release the semaphore",   9039 )                \
    F( M2MF_INTERRUPT,           17, 16, "",   "1: interrupt",               9039 )                \
    F( M2MF_STRUCT_SIZE,         20, 20, "",   "1: one word, 0: four",       9039 )                \
    F( INLINE_UPPER,              7,  0, "",   "address 39:32",              A140 )                \
    F( INLINE_UPPER_GH100,       24,  0, "",   "address 56:32",              A140 )                \
    F( INLINE_DST_PITCH,          0,  0, "",   "1: lines at a pitch",        A140 )                \
    F( INLINE_REDUCTION,          1,  1, "",   "reduce (A140)",              A140 )                \
    F( INLINE_COMPLETION,         5,  4, "",   "2: release the semaphore",   A140 )                \
    F( INLINE_INTERRUPT,          9,  8, "",   "1: interrupt",               A140 )                \
    F( INLINE_STRUCT_SIZE,       12, 12, "",   "1: one word, 0: four",       A140 )                \
    F( REPORT_OPERATION,          1,  0, "",   "0 release, 2 counter",       MESA )                \
    F( REPORT_REDUCTION,          3,  3, "",   "reduce",                     MESA )                \
    F( REPORT_SHORT,             28, 28, "",   "one word, no time",          MESA )                \
    F( QUERY_OFFSET,             23,  0, "",   "in the query's object",      MESA )                \
    F( CLEAR_COLOR_RGBA,          5,  2, "",   "channels of the clear",      MESA )                \
    F( CLEAR_DEPTH_STENCIL,       1,  0, "",   "Z and S",                    MESA )                \
    F( CLEAR_TARGET,              9,  6, "",   "which render target",        MESA )                \
    F( CLEAR_NV30_COLOR,          7,  4, "",   "channels of the clear",      MESA )                \
    F( RT_G80_LINEAR,            31, 31, "",   "in RT_HORIZ: a pitch",       MESA )                \
    F( RT_GF100_LINEAR,          12, 12, "",   "in the tile mode",           MESA )                \
    F( RT_LINEAR_PITCH,          15,  0, "",   "bytes",                      MESA )                \
    F( RT_TILE_HEIGHT,            7,  4, "",   "GOBs, log2",                 MESA )                \
    F( RT_SIZE,                  31, 16, "",   "of a rectangle's side",      MESA )                \
    F( RT_START,                 15,  0, "",   "of a rectangle's side",      MESA )                \
    F( RT_NV30_LAYOUT,           11,  8, "",   "1 linear, 2 swizzled",       MESA )                \
    F( RT_NV30_COLOR,             4,  0, "",   "5: 16 bits, 8: 32 bits",     MESA )
/* clang-format on */

/* ==== [NV.CONST] =========================================================================== */

#define GPUCMD_NV_PRIV_CHIP(name, id, family, bus, other) GPUCMD_NV_CHIP_##name,
typedef enum gpucmd_nv_chip { GPUCMD_NV_CHIPS(GPUCMD_NV_PRIV_CHIP) } gpucmd_nv_chip;
#undef GPUCMD_NV_PRIV_CHIP

#define GPUCMD_NV_PRIV_CHIP(name, id, family, bus, other) +1
enum {
    GPUCMD_NV_CHIP_COUNT = 0 GPUCMD_NV_CHIPS(GPUCMD_NV_PRIV_CHIP),
    GPUCMD_NV_CHIP_LATER = GPUCMD_NV_CHIP_COUNT, /* open end of a range of chips */
};
#undef GPUCMD_NV_PRIV_CHIP

typedef enum gpucmd_nv_family {
    GPUCMD_NV_FAMILY_NV1,
    GPUCMD_NV_FAMILY_NV3,
    GPUCMD_NV_FAMILY_NV4,
    GPUCMD_NV_FAMILY_CELSIUS,
    GPUCMD_NV_FAMILY_KELVIN,
    GPUCMD_NV_FAMILY_RANKINE,
    GPUCMD_NV_FAMILY_CURIE,
    GPUCMD_NV_FAMILY_TESLA,
    GPUCMD_NV_FAMILY_FERMI,
    GPUCMD_NV_FAMILY_KEPLER,
    GPUCMD_NV_FAMILY_MAXWELL,
    GPUCMD_NV_FAMILY_PASCAL,
    GPUCMD_NV_FAMILY_VOLTA,
    GPUCMD_NV_FAMILY_TURING,
    GPUCMD_NV_FAMILY_AMPERE,
    GPUCMD_NV_FAMILY_ADA,
    GPUCMD_NV_FAMILY_HOPPER,
    GPUCMD_NV_FAMILY_BLACKWELL,
} gpucmd_nv_family;

/* AGP stands for PCI and AGP, which the host tells apart by itself. */
typedef enum gpucmd_nv_bus {
    GPUCMD_NV_BUS_AGP,
    GPUCMD_NV_BUS_PCIE,
    GPUCMD_NV_BUS_IGP,
    GPUCMD_NV_BUS_FLEXIO,
    GPUCMD_NV_BUS_TEGRA,
} gpucmd_nv_bus;

/* Bits of every field: GPUCMD_NV_<field>_HI and _LO, for
 * GPUCMD_FIELD_PUT(NV_<field>, v) and the like. */
#define GPUCMD_NV_PRIV_BITS(name, hi, lo, unit, meaning, src)                                      \
    GPUCMD_NV_##name##_HI = (hi), GPUCMD_NV_##name##_LO = (lo),
enum {
    GPUCMD_NV_OLD_FIELDS(GPUCMD_NV_PRIV_BITS)   /* */
    GPUCMD_NV_HDR_FIELDS(GPUCMD_NV_PRIV_BITS)   /* */
    GPUCMD_NV_ENTRY_FIELDS(GPUCMD_NV_PRIV_BITS) /* */
    GPUCMD_NV_PBDMA_FIELDS(GPUCMD_NV_PRIV_BITS) /* */
    GPUCMD_NV_AREA_FIELDS(GPUCMD_NV_PRIV_BITS)  /* */
};
#undef GPUCMD_NV_PRIV_BITS

/* Forms of command words, both formats. */
typedef enum gpucmd_nv_form {
    GPUCMD_NV_FORM_INVALID,
    GPUCMD_NV_FORM_NOP,
    GPUCMD_NV_FORM_INC,
    GPUCMD_NV_FORM_NON_INC,
    GPUCMD_NV_FORM_ONE_INC,
    GPUCMD_NV_FORM_IMMD,
    GPUCMD_NV_FORM_LONG_NON_INC,
    GPUCMD_NV_FORM_OLD_INC,
    GPUCMD_NV_FORM_OLD_NON_INC,
    GPUCMD_NV_FORM_JUMP_OLD,
    GPUCMD_NV_FORM_JUMP,
    GPUCMD_NV_FORM_CALL,
    GPUCMD_NV_FORM_RETURN,
    GPUCMD_NV_FORM_SLI_COND,
    GPUCMD_NV_FORM_SLI_STORE,
    GPUCMD_NV_FORM_SLI_USE,
    GPUCMD_NV_FORM_END_SEGMENT,
} gpucmd_nv_form;

/* Values of the op fields, from the rows of forms. */
#define GPUCMD_NV_PRIV_OLD(name, picture, sec, tert, prim, mask, since, mode, sli, src)            \
    GPUCMD_NV_PRIV_OLD_SEC_##name = (sec), GPUCMD_NV_PRIV_OLD_TERT_##name = (tert),                \
    GPUCMD_NV_PRIV_OLD_PRIM_##name = (prim),
#define GPUCMD_NV_PRIV_HDR(name, picture, sec, tert, mask, is_new, is_old, src)                    \
    GPUCMD_NV_PRIV_SEC_##name = (sec), GPUCMD_NV_PRIV_TERT_##name = (tert),
enum {
    GPUCMD_NV_OLD_FORMS(GPUCMD_NV_PRIV_OLD) /* */
    GPUCMD_NV_HDR_FORMS(GPUCMD_NV_PRIV_HDR) /* */
};
#undef GPUCMD_NV_PRIV_OLD
#undef GPUCMD_NV_PRIV_HDR

/* How the words of a run spread over methods. */
typedef enum gpucmd_nv_kind {
    GPUCMD_NV_KIND_INC,     /* each word to the next method */
    GPUCMD_NV_KIND_NON_INC, /* all words to one method */
    GPUCMD_NV_KIND_ONE_INC, /* first word to the method, all others to the next one */
    GPUCMD_NV_KIND_IMMD,    /* one word, taken from the header */
} gpucmd_nv_kind;

/* Operations of control entries: GPUCMD_NV_CONTROL_NOP, ... */
#define GPUCMD_NV_PRIV_CONTROL(name, op, since, src) GPUCMD_NV_CONTROL_##name = (op),
typedef enum gpucmd_nv_control { GPUCMD_NV_CONTROLS(GPUCMD_NV_PRIV_CONTROL) } gpucmd_nv_control;
#undef GPUCMD_NV_PRIV_CONTROL

/* Errors of the pusher: GPUCMD_NV_PUSHER_ERROR_NONE, ... */
#define GPUCMD_NV_PRIV_ERROR(name, id, text) GPUCMD_NV_PUSHER_ERROR_##name = (id),
typedef enum gpucmd_nv_pusher_error {
    GPUCMD_NV_PUSHER_ERRORS(GPUCMD_NV_PRIV_ERROR)
} gpucmd_nv_pusher_error;
#undef GPUCMD_NV_PRIV_ERROR

/* Bits of INTR_0: GPUCMD_NV_PBDMA_INTR_GPENTRY, ... */
#define GPUCMD_NV_PRIV_INTR(name, bit, text) GPUCMD_NV_PBDMA_INTR_##name = 1 << (bit),
enum { GPUCMD_NV_PBDMA_INTRS(GPUCMD_NV_PRIV_INTR) };
#undef GPUCMD_NV_PRIV_INTR

/* Offsets in the channel control area: GPUCMD_NV_AREA_DMA_PUT, ... */
#define GPUCMD_NV_PRIV_AREA(name, off, meaning) GPUCMD_NV_AREA_##name = (off),
enum { GPUCMD_NV_AREA_REGS(GPUCMD_NV_PRIV_AREA) };
#undef GPUCMD_NV_PRIV_AREA

/* Doorbell of Volta and later, in the usermode region. [USER]
 * NOTIFY_CHANNEL_PENDING */
enum { GPUCMD_NV_USERMODE_NOTIFY_CHANNEL_PENDING = 0x90 };

/* Chips that the models and gates tell apart. */
#define GPUCMD_NV_IS_GF100(chip) ((chip) >= GPUCMD_NV_CHIP_GF100)

/* Words that each command takes. */
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

/* Words that a run of n data words takes when it is split: n plus one header
 * for each full or partial count (two for LONG_NON_INC). n >= 1. */
#define GPUCMD_NV_NON_INC_LONG_DW(n)                                                               \
    ((n) + ((n) + GPUCMD_FIELD_MAX(NV_HDR_COUNT) - 1) / GPUCMD_FIELD_MAX(NV_HDR_COUNT))
#define GPUCMD_NV_ONE_INC_LONG_DW(n) GPUCMD_NV_NON_INC_LONG_DW(n)
#define GPUCMD_NV_OLD_INC_LONG_DW(n)                                                               \
    ((n) + ((n) + GPUCMD_FIELD_MAX(NV_OLD_COUNT) - 1) / GPUCMD_FIELD_MAX(NV_OLD_COUNT))
#define GPUCMD_NV_OLD_NON_INC_LONG_DW(n) GPUCMD_NV_OLD_INC_LONG_DW(n)

/* Header words as integer constant expressions; what is out of range does not
 * compile. mthd is in bytes. [906F] DMA_SEC_OP, [206E] DMA_OPCODE */
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
#define GPUCMD_NV_OLD_INC(subc, mthd, n)                                                           \
    (GPUCMD_NV_PRIV_OLD_RUN(INC, subc, mthd, n) +                                                  \
     GPUCMD_PRIV_REQUIRE((n) == 0 || (mthd) / 4 + (n) <= GPUCMD_FIELD_MAX(NV_OLD_MTHD) + 1))
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
/* Chip by its id register value (0x10 and up): the first chip with this id. By
 * name, in any case of letters: a name of the table ("gf100"), the same with
 * the id ("nvc0"), or four hex digits of a channel class ("c76f"), which give
 * the first chip that has it. GPUCMD_RANGE: unknown; *chip is then untouched. */
GPUCMD_MUST_CHECK GPUCMD_PRIV_API gpucmd_status gpucmd_nv_chip_from_id(uint32_t id,
                                                                       gpucmd_nv_chip *chip);
GPUCMD_MUST_CHECK GPUCMD_PRIV_API gpucmd_status gpucmd_nv_chip_from_name(const char *name,
                                                                         gpucmd_nv_chip *chip);
/* Name ("GF100"), id (0 where none is known), family, bus, channel class (0
 * before NV3). The name of a number that is no chip is "?", the rest 0. */
GPUCMD_PRIV_API const char *gpucmd_nv_chip_name(gpucmd_nv_chip chip);
GPUCMD_PRIV_API uint32_t gpucmd_nv_chip_id(gpucmd_nv_chip chip);
GPUCMD_PRIV_API gpucmd_nv_family gpucmd_nv_chip_family(gpucmd_nv_chip chip);
GPUCMD_PRIV_API gpucmd_nv_bus gpucmd_nv_chip_bus(gpucmd_nv_chip chip);
GPUCMD_PRIV_API uint32_t gpucmd_nv_chip_class(gpucmd_nv_chip chip);
/* Names of rows; "?" where there is none. host_method: of an address below
 * 0x100 on this chip. */
GPUCMD_PRIV_API const char *gpucmd_nv_form_name(gpucmd_nv_form form);
GPUCMD_PRIV_API const char *gpucmd_nv_host_method_name(gpucmd_nv_chip chip, uint32_t mthd);
GPUCMD_PRIV_API const char *gpucmd_nv_pusher_error_name(gpucmd_nv_pusher_error error);
GPUCMD_PRIV_API const char *gpucmd_nv_pusher_error_text(gpucmd_nv_pusher_error error);
#endif

/* True if the host of this chip executes the method (bytes). Addresses from
 * 0x100 on belong to engines: always true. */
GPUCMD_INLINE bool gpucmd_nv_knows_mthd(gpucmd_nv_chip chip, uint32_t mthd)
{
#define GPUCMD_NV_PRIV_KNOWS(name, at, since, until, src)                                          \
    if (mthd == (at) && chip >= GPUCMD_NV_CHIP_##since &&                                          \
        (unsigned)chip < (unsigned)GPUCMD_NV_CHIP_##until) {                                       \
        return true;                                                                               \
    }
    if (GPUCMD_PRIV_UNLIKELY(mthd < 0x100)) {
        GPUCMD_NV_HOST_METHODS(GPUCMD_NV_PRIV_KNOWS)
        return false;
    }
#undef GPUCMD_NV_PRIV_KNOWS
    return true;
}

/* ==== [NV.ENCODE] ========================================================================== */

/* Status of the values of a run. count_max, mthd_max: largest values of their
 * fields. */
GPUCMD_INLINE gpucmd_status gpucmd_priv_nv_check_run(uint32_t subc, uint32_t mthd, uint32_t count,
                                                     uint32_t count_max, uint32_t mthd_max)
{
    if (GPUCMD_PRIV_UNLIKELY(subc > GPUCMD_FIELD_MAX(NV_HDR_SUBC) || mthd / 4 > mthd_max ||
                             count > count_max)) {
        return GPUCMD_RANGE;
    }
    return GPUCMD_PRIV_UNLIKELY(mthd % 4 != 0) ? GPUCMD_ALIGN : GPUCMD_OK;
}

/* A run of GF100 and later. reach_dw: method addresses that it uses. */
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

/* A run before GF100, header word only. */
GPUCMD_INLINE gpucmd_status gpucmd_priv_nv_old_run(uint32_t *dw, uint32_t op_dw, uint32_t subc,
                                                   uint32_t mthd, uint32_t count, uint32_t reach_dw)
{
    const gpucmd_status status = gpucmd_priv_nv_check_run(
        subc, mthd, count, GPUCMD_FIELD_MAX(NV_OLD_COUNT), GPUCMD_FIELD_MAX(NV_OLD_MTHD));
    if (GPUCMD_PRIV_UNLIKELY(status != GPUCMD_OK)) {
        return status;
    }
    if (GPUCMD_PRIV_UNLIKELY(mthd / 4 + reach_dw > GPUCMD_FIELD_MAX(NV_OLD_MTHD) + 1)) {
        return GPUCMD_RANGE;
    }
    *dw = op_dw | GPUCMD_FIELD_PUT(NV_OLD_COUNT, count) | GPUCMD_FIELD_PUT(NV_OLD_SUBC, subc) |
          GPUCMD_FIELD_PUT(NV_OLD_MTHD, mthd / 4);
    return GPUCMD_OK;
}

/* Header of a run of increasing methods, GF100 and later.
 *   subc      SUBC 0..7
 *   mthd      bytes, multiple of 4, address of the first method; mthd / 4 is
 *             MTHD 0..4095
 *   count_dw  COUNT 0..8191; the last method, mthd / 4 + count_dw - 1, is at
 *             most 4095
 * GPUCMD_RANGE, GPUCMD_ALIGN: a value outside the above; *dw is untouched.
 * [906F] INC_METHOD */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_nv_encode_inc(uint32_t *dw, uint32_t subc,
                                                                   uint32_t mthd, uint32_t count_dw)
{
    return gpucmd_priv_nv_run(dw, GPUCMD_NV_PRIV_SEC_INC, subc, mthd, count_dw, count_dw);
}

/* Header of a run into one method; values as above, any count 0..8191. [906F]
 * NON_INC_METHOD */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_nv_encode_non_inc(uint32_t *dw, uint32_t subc,
                                                                       uint32_t mthd,
                                                                       uint32_t count_dw)
{
    return gpucmd_priv_nv_run(dw, GPUCMD_NV_PRIV_SEC_NON_INC, subc, mthd, count_dw, 0);
}

/* Header of a run whose first word goes to mthd and all others to mthd + 4;
 * mthd is at most 0x3ff8 where there is a second word. [906F] ONE_INC */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_nv_encode_one_inc(uint32_t *dw, uint32_t subc,
                                                                       uint32_t mthd,
                                                                       uint32_t count_dw)
{
    return gpucmd_priv_nv_run(dw, GPUCMD_NV_PRIV_SEC_ONE_INC, subc, mthd, count_dw,
                              count_dw < 2 ? 0 : 2);
}

/* One method with its data in the header: IMMD_DATA 0..0x1fff, zero-extended.
 * [906F] IMMD_DATA_METHOD */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_nv_encode_immd(uint32_t *dw, uint32_t subc,
                                                                    uint32_t mthd, uint32_t data)
{
    return gpucmd_priv_nv_run(dw, GPUCMD_NV_PRIV_SEC_IMMD, subc, mthd, data, 0);
}

/* Word that does nothing, on every chip. */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_nv_encode_nop(uint32_t *dw)
{
    *dw = GPUCMD_NV_NOP;
    return GPUCMD_OK;
}

/* Subdevice command, mask 0..0xfff. */
GPUCMD_INLINE gpucmd_status gpucmd_priv_nv_sli(uint32_t *dw, uint32_t tert, uint32_t mask)
{
    if (GPUCMD_PRIV_UNLIKELY(mask > GPUCMD_FIELD_MAX(NV_HDR_SUBDEVICE))) {
        return GPUCMD_RANGE;
    }
    *dw = GPUCMD_FIELD_PUT(NV_HDR_TERT_OP, tert) | GPUCMD_FIELD_PUT(NV_HDR_SUBDEVICE, mask);
    return GPUCMD_OK;
}

/* From here on methods reach only the subdevices in mask (SUBDEVICE 0..0xfff).
 * The same word before GF100 (NV40 and later, while sli_enable is set) and
 * since. [366E] [906F] SET_SUBDEVICE_MASK */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_nv_encode_sli_cond(uint32_t *dw, uint32_t mask)
{
    return gpucmd_priv_nv_sli(dw, GPUCMD_NV_PRIV_TERT_SLI_COND, mask);
}

/* Keep a mask for SLI_USE. GF100 and later. [906F] STORE_SUBDEVICE_MASK */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_nv_encode_sli_store(uint32_t *dw,
                                                                         uint32_t mask)
{
    return gpucmd_priv_nv_sli(dw, GPUCMD_NV_PRIV_TERT_SLI_STORE, mask);
}

/* Like SLI_COND with the kept mask. GF100 and later. [906F] USE_SUBDEVICE_MASK */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_nv_encode_sli_use(uint32_t *dw)
{
    return gpucmd_priv_nv_sli(dw, GPUCMD_NV_PRIV_TERT_SLI_USE, 0);
}

/* The rest of this segment is dropped. GF100 and later. [906F] END_PB_SEGMENT */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_nv_encode_end_segment(uint32_t *dw)
{
    *dw = GPUCMD_NV_END_SEGMENT;
    return GPUCMD_OK;
}

/* Header of a run of increasing methods before GF100 (and on Fermi to Pascal
 * where FORMATS accepts old words).
 *   subc      OLD_SUBC 0..7
 *   mthd      bytes, multiple of 4; mthd / 4 is OLD_MTHD 0..2047
 *   count_dw  OLD_COUNT 0..2047; the last method is at most 0x1ffc
 * GPUCMD_RANGE, GPUCMD_ALIGN: a value outside the above; *dw is untouched.
 * [206E] OPCODE_METHOD */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_nv_encode_old_inc(uint32_t *dw, uint32_t subc,
                                                                       uint32_t mthd,
                                                                       uint32_t count_dw)
{
    return gpucmd_priv_nv_old_run(dw, GPUCMD_NV_PRIV_OLD_OP(INC), subc, mthd, count_dw, count_dw);
}

/* Header of a run into one method; values as above. NV10 and later. [206E]
 * OPCODE_NONINC_METHOD */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_nv_encode_old_non_inc(uint32_t *dw,
                                                                           uint32_t subc,
                                                                           uint32_t mthd,
                                                                           uint32_t count_dw)
{
    return gpucmd_priv_nv_old_run(dw, GPUCMD_NV_PRIV_OLD_OP(NON_INC), subc, mthd, count_dw, 0);
}

/* The two header words of a long run into one method: OLD_LONG_COUNT
 * 0..0xffffff. IB mode, G80 until GF100. [506F] DOUBLE_HEADER */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_nv_encode_long_non_inc(uint32_t dw[2],
                                                                            uint32_t subc,
                                                                            uint32_t mthd,
                                                                            uint32_t count_dw)
{
    gpucmd_status status;
    if (GPUCMD_PRIV_UNLIKELY(count_dw > GPUCMD_FIELD_MAX(NV_OLD_LONG_COUNT))) {
        return GPUCMD_RANGE;
    }
    status = gpucmd_priv_nv_old_run(dw, GPUCMD_NV_PRIV_OLD_OP(LONG_NON_INC), subc, mthd, 0, 0);
    if (GPUCMD_PRIV_UNLIKELY(status != GPUCMD_OK)) {
        return status;
    }
    dw[1] = GPUCMD_FIELD_PUT(NV_OLD_LONG_COUNT, count_dw);
    return GPUCMD_OK;
}

/* Go on at target_va: multiple of 4, at most 0x1ffffffc. NV4-style, NV4 until
 * GF100. [006C] OPCODE_JUMP */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_nv_encode_jump_old(uint32_t *dw,
                                                                        uint64_t target_va)
{
    if (GPUCMD_PRIV_UNLIKELY(target_va / 4 > GPUCMD_FIELD_MAX(NV_OLD_JUMP_OFFSET))) {
        return GPUCMD_RANGE;
    }
    if (GPUCMD_PRIV_UNLIKELY(target_va % 4 != 0)) {
        return GPUCMD_ALIGN;
    }
    *dw = GPUCMD_NV_PRIV_OLD_OP(JUMP_OLD) | GPUCMD_FIELD_PUT(NV_OLD_JUMP_OFFSET, target_va / 4);
    return GPUCMD_OK;
}

GPUCMD_INLINE gpucmd_status gpucmd_priv_nv_long(uint32_t *dw, uint32_t op_dw, uint64_t target_va)
{
    if (GPUCMD_PRIV_UNLIKELY(target_va / 4 > GPUCMD_FIELD_MAX(NV_OLD_LONG_OFFSET))) {
        return GPUCMD_RANGE;
    }
    if (GPUCMD_PRIV_UNLIKELY(target_va % 4 != 0)) {
        return GPUCMD_ALIGN;
    }
    *dw = op_dw | GPUCMD_FIELD_PUT(NV_OLD_LONG_OFFSET, target_va / 4);
    return GPUCMD_OK;
}

/* Go on at target_va: multiple of 4, at most 0xfffffffc. NV4-style, NV1A until
 * GF100. [206E] OPCODE2_JUMP_LONG */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_nv_encode_jump(uint32_t *dw,
                                                                    uint64_t target_va)
{
    return gpucmd_priv_nv_long(dw, GPUCMD_NV_PRIV_OLD_OP(JUMP), target_va);
}

/* Subroutine call, one level deep; target and chips as for JUMP. [206E]
 * OPCODE2_CALL */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_nv_encode_call(uint32_t *dw,
                                                                    uint64_t target_va)
{
    return gpucmd_priv_nv_long(dw, GPUCMD_NV_PRIV_OLD_OP(CALL), target_va);
}

/* Back to the word after the call. [206E] OPCODE3_RETURN */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_nv_encode_return(uint32_t *dw)
{
    *dw = GPUCMD_NV_RETURN;
    return GPUCMD_OK;
}

/* ==== [NV.EMIT] ============================================================================ */

/* Store the header of a run and return where its data goes; NULL: store
 * nothing. */
GPUCMD_INLINE uint32_t *gpucmd_priv_nv_open(gpucmd_writer *w, gpucmd_status status, uint32_t dw,
                                            uint32_t count_dw)
{
    uint32_t *at;
    if (GPUCMD_PRIV_UNLIKELY(status != GPUCMD_OK)) {
        gpucmd_priv_writer_fail(w, status);
        return NULL;
    }
    at = gpucmd_priv_writer_claim(w, (size_t)count_dw + 1);
    if (at == NULL) {
        return NULL;
    }
    *at = dw;
    return at + 1;
}

/* The same for a run whose data comes as one block. */
GPUCMD_INLINE void gpucmd_priv_nv_emit_run(gpucmd_writer *w, gpucmd_status status, uint32_t dw,
                                           const uint32_t *data, uint32_t count_dw)
{
    uint32_t *at = gpucmd_priv_nv_open(w, status, dw, count_dw);
    if (at != NULL && count_dw != 0) {
        gpucmd_priv_copy(at, data, (size_t)count_dw * 4);
    }
}

/* A command of one word. */
GPUCMD_INLINE void gpucmd_priv_nv_emit_one(gpucmd_writer *w, gpucmd_status status, uint32_t dw)
{
    (void)gpucmd_priv_nv_open(w, status, dw, 0);
}

/* Append one run of methods at increasing addresses: GPUCMD_NV_INC_DW(count_dw)
 * words.
 *   subc      SUBC 0..7
 *   mthd      bytes, multiple of 4, address of the first method; mthd / 4 is
 *             MTHD 0..4095
 *   data      count_dw words, read before the call returns; may be NULL when
 *             count_dw is 0
 *   count_dw  COUNT 0..8191; the last method, mthd / 4 + count_dw - 1, is at
 *             most 4095
 * GPUCMD_RANGE, GPUCMD_ALIGN: a value outside the above. GPUCMD_FULL: no room,
 * nothing written. GF100 and later. [906F] INC_METHOD */
GPUCMD_INLINE void gpucmd_nv_emit_inc(gpucmd_writer *w, uint32_t subc, uint32_t mthd,
                                      const uint32_t *data, uint32_t count_dw)
{
    uint32_t dw = 0;
    const gpucmd_status status = gpucmd_nv_encode_inc(&dw, subc, mthd, count_dw);
    gpucmd_priv_nv_emit_run(w, status, dw, data, count_dw);
}

/* The same with 1 to 8 data words as arguments: faster where the words are at
 * hand one by one. */
GPUCMD_INLINE void gpucmd_nv_emit_inc1(gpucmd_writer *w, uint32_t subc, uint32_t mthd, uint32_t v0)
{
    uint32_t dw = 0;
    const gpucmd_status status = gpucmd_nv_encode_inc(&dw, subc, mthd, 1);
    uint32_t *at = gpucmd_priv_nv_open(w, status, dw, 1);
    if (at != NULL) {
        at[0] = v0;
    }
}

GPUCMD_INLINE void gpucmd_nv_emit_inc2(gpucmd_writer *w, uint32_t subc, uint32_t mthd, uint32_t v0,
                                       uint32_t v1)
{
    uint32_t dw = 0;
    const gpucmd_status status = gpucmd_nv_encode_inc(&dw, subc, mthd, 2);
    uint32_t *at = gpucmd_priv_nv_open(w, status, dw, 2);
    if (at != NULL) {
        at[0] = v0;
        at[1] = v1;
    }
}

GPUCMD_INLINE void gpucmd_nv_emit_inc3(gpucmd_writer *w, uint32_t subc, uint32_t mthd, uint32_t v0,
                                       uint32_t v1, uint32_t v2)
{
    uint32_t dw = 0;
    const gpucmd_status status = gpucmd_nv_encode_inc(&dw, subc, mthd, 3);
    uint32_t *at = gpucmd_priv_nv_open(w, status, dw, 3);
    if (at != NULL) {
        at[0] = v0;
        at[1] = v1;
        at[2] = v2;
    }
}

GPUCMD_INLINE void gpucmd_nv_emit_inc4(gpucmd_writer *w, uint32_t subc, uint32_t mthd, uint32_t v0,
                                       uint32_t v1, uint32_t v2, uint32_t v3)
{
    uint32_t dw = 0;
    const gpucmd_status status = gpucmd_nv_encode_inc(&dw, subc, mthd, 4);
    uint32_t *at = gpucmd_priv_nv_open(w, status, dw, 4);
    if (at != NULL) {
        at[0] = v0;
        at[1] = v1;
        at[2] = v2;
        at[3] = v3;
    }
}

GPUCMD_INLINE void gpucmd_nv_emit_inc5(gpucmd_writer *w, uint32_t subc, uint32_t mthd, uint32_t v0,
                                       uint32_t v1, uint32_t v2, uint32_t v3, uint32_t v4)
{
    uint32_t dw = 0;
    const gpucmd_status status = gpucmd_nv_encode_inc(&dw, subc, mthd, 5);
    uint32_t *at = gpucmd_priv_nv_open(w, status, dw, 5);
    if (at != NULL) {
        at[0] = v0;
        at[1] = v1;
        at[2] = v2;
        at[3] = v3;
        at[4] = v4;
    }
}

GPUCMD_INLINE void gpucmd_nv_emit_inc6(gpucmd_writer *w, uint32_t subc, uint32_t mthd, uint32_t v0,
                                       uint32_t v1, uint32_t v2, uint32_t v3, uint32_t v4,
                                       uint32_t v5)
{
    uint32_t dw = 0;
    const gpucmd_status status = gpucmd_nv_encode_inc(&dw, subc, mthd, 6);
    uint32_t *at = gpucmd_priv_nv_open(w, status, dw, 6);
    if (at != NULL) {
        at[0] = v0;
        at[1] = v1;
        at[2] = v2;
        at[3] = v3;
        at[4] = v4;
        at[5] = v5;
    }
}

GPUCMD_INLINE void gpucmd_nv_emit_inc7(gpucmd_writer *w, uint32_t subc, uint32_t mthd, uint32_t v0,
                                       uint32_t v1, uint32_t v2, uint32_t v3, uint32_t v4,
                                       uint32_t v5, uint32_t v6)
{
    uint32_t dw = 0;
    const gpucmd_status status = gpucmd_nv_encode_inc(&dw, subc, mthd, 7);
    uint32_t *at = gpucmd_priv_nv_open(w, status, dw, 7);
    if (at != NULL) {
        at[0] = v0;
        at[1] = v1;
        at[2] = v2;
        at[3] = v3;
        at[4] = v4;
        at[5] = v5;
        at[6] = v6;
    }
}

GPUCMD_INLINE void gpucmd_nv_emit_inc8(gpucmd_writer *w, uint32_t subc, uint32_t mthd, uint32_t v0,
                                       uint32_t v1, uint32_t v2, uint32_t v3, uint32_t v4,
                                       uint32_t v5, uint32_t v6, uint32_t v7)
{
    uint32_t dw = 0;
    const gpucmd_status status = gpucmd_nv_encode_inc(&dw, subc, mthd, 8);
    uint32_t *at = gpucmd_priv_nv_open(w, status, dw, 8);
    if (at != NULL) {
        at[0] = v0;
        at[1] = v1;
        at[2] = v2;
        at[3] = v3;
        at[4] = v4;
        at[5] = v5;
        at[6] = v6;
        at[7] = v7;
    }
}

/* Append a run into one method: GPUCMD_NV_NON_INC_DW(count_dw) words. Values
 * and statuses as for INC, any count 0..8191. [906F] NON_INC_METHOD */
GPUCMD_INLINE void gpucmd_nv_emit_non_inc(gpucmd_writer *w, uint32_t subc, uint32_t mthd,
                                          const uint32_t *data, uint32_t count_dw)
{
    uint32_t dw = 0;
    const gpucmd_status status = gpucmd_nv_encode_non_inc(&dw, subc, mthd, count_dw);
    gpucmd_priv_nv_emit_run(w, status, dw, data, count_dw);
}

/* Append a run whose first word goes to mthd and all others to mthd + 4:
 * GPUCMD_NV_ONE_INC_DW words. mthd is at most 0x3ff8 where there is a second
 * word. [906F] ONE_INC */
GPUCMD_INLINE void gpucmd_nv_emit_one_inc(gpucmd_writer *w, uint32_t subc, uint32_t mthd,
                                          const uint32_t *data, uint32_t count_dw)
{
    uint32_t dw = 0;
    const gpucmd_status status = gpucmd_nv_encode_one_inc(&dw, subc, mthd, count_dw);
    gpucmd_priv_nv_emit_run(w, status, dw, data, count_dw);
}

/* Append one method with its data 0..0x1fff in the header: one word. [906F]
 * IMMD_DATA_METHOD */
GPUCMD_INLINE void gpucmd_nv_emit_immd(gpucmd_writer *w, uint32_t subc, uint32_t mthd,
                                       uint32_t data)
{
    uint32_t dw = 0;
    const gpucmd_status status = gpucmd_nv_encode_immd(&dw, subc, mthd, data);
    gpucmd_priv_nv_emit_one(w, status, dw);
}

/* Append one word that does nothing, on every chip. */
GPUCMD_INLINE void gpucmd_nv_emit_nop(gpucmd_writer *w)
{
    gpucmd_priv_nv_emit_one(w, GPUCMD_OK, GPUCMD_NV_NOP);
}

/* From here on methods reach only the subdevices in mask (0..0xfff); NV40 and
 * later. [366E] [906F] */
GPUCMD_INLINE void gpucmd_nv_emit_sli_cond(gpucmd_writer *w, uint32_t mask)
{
    uint32_t dw = 0;
    const gpucmd_status status = gpucmd_nv_encode_sli_cond(&dw, mask);
    gpucmd_priv_nv_emit_one(w, status, dw);
}

/* Keep a mask (0..0xfff) for SLI_USE; GF100 and later. [906F] */
GPUCMD_INLINE void gpucmd_nv_emit_sli_store(gpucmd_writer *w, uint32_t mask)
{
    uint32_t dw = 0;
    const gpucmd_status status = gpucmd_nv_encode_sli_store(&dw, mask);
    gpucmd_priv_nv_emit_one(w, status, dw);
}

/* Like SLI_COND with the kept mask; GF100 and later. [906F] */
GPUCMD_INLINE void gpucmd_nv_emit_sli_use(gpucmd_writer *w)
{
    uint32_t dw = 0;
    const gpucmd_status status = gpucmd_nv_encode_sli_use(&dw);
    gpucmd_priv_nv_emit_one(w, status, dw);
}

/* Drop the rest of this segment; GF100 and later. [906F] END_PB_SEGMENT */
GPUCMD_INLINE void gpucmd_nv_emit_end_segment(gpucmd_writer *w)
{
    gpucmd_priv_nv_emit_one(w, GPUCMD_OK, GPUCMD_NV_END_SEGMENT);
}

/* Append one run of increasing methods before GF100:
 * GPUCMD_NV_OLD_INC_DW(count_dw) words.
 *   subc      OLD_SUBC 0..7
 *   mthd      bytes, multiple of 4; mthd / 4 is OLD_MTHD 0..2047
 *   data      count_dw words, read before the call returns; may be NULL when
 *             count_dw is 0
 *   count_dw  OLD_COUNT 0..2047; the last method is at most 0x1ffc
 * GPUCMD_RANGE, GPUCMD_ALIGN: a value outside the above. GPUCMD_FULL: no room,
 * nothing written. [206E] OPCODE_METHOD */
GPUCMD_INLINE void gpucmd_nv_emit_old_inc(gpucmd_writer *w, uint32_t subc, uint32_t mthd,
                                          const uint32_t *data, uint32_t count_dw)
{
    uint32_t dw = 0;
    const gpucmd_status status = gpucmd_nv_encode_old_inc(&dw, subc, mthd, count_dw);
    gpucmd_priv_nv_emit_run(w, status, dw, data, count_dw);
}

/* The same with 1 to 8 data words as arguments. */
GPUCMD_INLINE void gpucmd_nv_emit_old_inc1(gpucmd_writer *w, uint32_t subc, uint32_t mthd,
                                           uint32_t v0)
{
    uint32_t dw = 0;
    const gpucmd_status status = gpucmd_nv_encode_old_inc(&dw, subc, mthd, 1);
    uint32_t *at = gpucmd_priv_nv_open(w, status, dw, 1);
    if (at != NULL) {
        at[0] = v0;
    }
}

GPUCMD_INLINE void gpucmd_nv_emit_old_inc2(gpucmd_writer *w, uint32_t subc, uint32_t mthd,
                                           uint32_t v0, uint32_t v1)
{
    uint32_t dw = 0;
    const gpucmd_status status = gpucmd_nv_encode_old_inc(&dw, subc, mthd, 2);
    uint32_t *at = gpucmd_priv_nv_open(w, status, dw, 2);
    if (at != NULL) {
        at[0] = v0;
        at[1] = v1;
    }
}

GPUCMD_INLINE void gpucmd_nv_emit_old_inc3(gpucmd_writer *w, uint32_t subc, uint32_t mthd,
                                           uint32_t v0, uint32_t v1, uint32_t v2)
{
    uint32_t dw = 0;
    const gpucmd_status status = gpucmd_nv_encode_old_inc(&dw, subc, mthd, 3);
    uint32_t *at = gpucmd_priv_nv_open(w, status, dw, 3);
    if (at != NULL) {
        at[0] = v0;
        at[1] = v1;
        at[2] = v2;
    }
}

GPUCMD_INLINE void gpucmd_nv_emit_old_inc4(gpucmd_writer *w, uint32_t subc, uint32_t mthd,
                                           uint32_t v0, uint32_t v1, uint32_t v2, uint32_t v3)
{
    uint32_t dw = 0;
    const gpucmd_status status = gpucmd_nv_encode_old_inc(&dw, subc, mthd, 4);
    uint32_t *at = gpucmd_priv_nv_open(w, status, dw, 4);
    if (at != NULL) {
        at[0] = v0;
        at[1] = v1;
        at[2] = v2;
        at[3] = v3;
    }
}

GPUCMD_INLINE void gpucmd_nv_emit_old_inc5(gpucmd_writer *w, uint32_t subc, uint32_t mthd,
                                           uint32_t v0, uint32_t v1, uint32_t v2, uint32_t v3,
                                           uint32_t v4)
{
    uint32_t dw = 0;
    const gpucmd_status status = gpucmd_nv_encode_old_inc(&dw, subc, mthd, 5);
    uint32_t *at = gpucmd_priv_nv_open(w, status, dw, 5);
    if (at != NULL) {
        at[0] = v0;
        at[1] = v1;
        at[2] = v2;
        at[3] = v3;
        at[4] = v4;
    }
}

GPUCMD_INLINE void gpucmd_nv_emit_old_inc6(gpucmd_writer *w, uint32_t subc, uint32_t mthd,
                                           uint32_t v0, uint32_t v1, uint32_t v2, uint32_t v3,
                                           uint32_t v4, uint32_t v5)
{
    uint32_t dw = 0;
    const gpucmd_status status = gpucmd_nv_encode_old_inc(&dw, subc, mthd, 6);
    uint32_t *at = gpucmd_priv_nv_open(w, status, dw, 6);
    if (at != NULL) {
        at[0] = v0;
        at[1] = v1;
        at[2] = v2;
        at[3] = v3;
        at[4] = v4;
        at[5] = v5;
    }
}

GPUCMD_INLINE void gpucmd_nv_emit_old_inc7(gpucmd_writer *w, uint32_t subc, uint32_t mthd,
                                           uint32_t v0, uint32_t v1, uint32_t v2, uint32_t v3,
                                           uint32_t v4, uint32_t v5, uint32_t v6)
{
    uint32_t dw = 0;
    const gpucmd_status status = gpucmd_nv_encode_old_inc(&dw, subc, mthd, 7);
    uint32_t *at = gpucmd_priv_nv_open(w, status, dw, 7);
    if (at != NULL) {
        at[0] = v0;
        at[1] = v1;
        at[2] = v2;
        at[3] = v3;
        at[4] = v4;
        at[5] = v5;
        at[6] = v6;
    }
}

GPUCMD_INLINE void gpucmd_nv_emit_old_inc8(gpucmd_writer *w, uint32_t subc, uint32_t mthd,
                                           uint32_t v0, uint32_t v1, uint32_t v2, uint32_t v3,
                                           uint32_t v4, uint32_t v5, uint32_t v6, uint32_t v7)
{
    uint32_t dw = 0;
    const gpucmd_status status = gpucmd_nv_encode_old_inc(&dw, subc, mthd, 8);
    uint32_t *at = gpucmd_priv_nv_open(w, status, dw, 8);
    if (at != NULL) {
        at[0] = v0;
        at[1] = v1;
        at[2] = v2;
        at[3] = v3;
        at[4] = v4;
        at[5] = v5;
        at[6] = v6;
        at[7] = v7;
    }
}

/* Append a run into one method before GF100: GPUCMD_NV_OLD_NON_INC_DW(count_dw)
 * words; any count 0..2047; NV10 and later. [206E] OPCODE_NONINC_METHOD */
GPUCMD_INLINE void gpucmd_nv_emit_old_non_inc(gpucmd_writer *w, uint32_t subc, uint32_t mthd,
                                              const uint32_t *data, uint32_t count_dw)
{
    uint32_t dw = 0;
    const gpucmd_status status = gpucmd_nv_encode_old_non_inc(&dw, subc, mthd, count_dw);
    gpucmd_priv_nv_emit_run(w, status, dw, data, count_dw);
}

/* Append a run of up to 0xffffff words into one method:
 * GPUCMD_NV_LONG_NON_INC_DW(count_dw) words. IB mode, G80 until GF100. [506F]
 * DOUBLE_HEADER */
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

/* Go on at target_va: multiple of 4, at most 0x1ffffffc. One word. NV4-style.
 * [006C] */
GPUCMD_INLINE void gpucmd_nv_emit_jump_old(gpucmd_writer *w, uint64_t target_va)
{
    uint32_t dw = 0;
    const gpucmd_status status = gpucmd_nv_encode_jump_old(&dw, target_va);
    gpucmd_priv_nv_emit_one(w, status, dw);
}

/* Go on at target_va: multiple of 4, at most 0xfffffffc. One word. NV4-style,
 * NV1A and later. [206E] */
GPUCMD_INLINE void gpucmd_nv_emit_jump(gpucmd_writer *w, uint64_t target_va)
{
    uint32_t dw = 0;
    const gpucmd_status status = gpucmd_nv_encode_jump(&dw, target_va);
    gpucmd_priv_nv_emit_one(w, status, dw);
}

/* Call a subroutine at target_va, one level deep; range and chips as for JUMP.
 * One word. [206E] */
GPUCMD_INLINE void gpucmd_nv_emit_call(gpucmd_writer *w, uint64_t target_va)
{
    uint32_t dw = 0;
    const gpucmd_status status = gpucmd_nv_encode_call(&dw, target_va);
    gpucmd_priv_nv_emit_one(w, status, dw);
}

/* Back to the word after the call. One word. [206E] */
GPUCMD_INLINE void gpucmd_nv_emit_return(gpucmd_writer *w)
{
    gpucmd_priv_nv_emit_one(w, GPUCMD_OK, GPUCMD_NV_RETURN);
}

/* ---- runs longer than one count field, split into as few runs as possible, all or nothing ---- */

/* Append the pieces of a run that was checked whole. first: header of the first
 * piece with count 0. rest: header of all others likewise, its method moving on
 * by step for every word before it. */
GPUCMD_INLINE void gpucmd_priv_nv_emit_split(gpucmd_writer *w, uint32_t first, uint32_t rest,
                                             uint32_t step, const uint32_t *data, size_t count_dw,
                                             uint32_t max_dw, uint32_t count_lo)
{
    const size_t pieces = count_dw == 0 ? 1 : (count_dw - 1) / max_dw + 1;
    uint32_t head = first;
    uint32_t *at;
    if (count_dw > (size_t)-1 / 8) {
        gpucmd_priv_writer_fail(w, GPUCMD_RANGE);
        return;
    }
    at = gpucmd_priv_writer_claim(w, count_dw + pieces);
    if (at == NULL) {
        return;
    }
    for (size_t done_dw = 0; at != NULL;) {
        const size_t n_dw = count_dw - done_dw < max_dw ? count_dw - done_dw : max_dw;
        *at++ = head + ((uint32_t)n_dw << count_lo);
        if (n_dw != 0) {
            gpucmd_priv_copy(at, data + done_dw, n_dw * 4);
        }
        done_dw += n_dw;
        at = done_dw < count_dw ? at + n_dw : NULL;
        head = rest + (uint32_t)done_dw * step;
    }
}

/* Append a run of any length into one method:
 * GPUCMD_NV_NON_INC_LONG_DW(count_dw) words, in pieces of at most 8191.
 * Statuses as for NON_INC, but a length is never out of range. */
GPUCMD_INLINE void gpucmd_nv_emit_non_inc_long(gpucmd_writer *w, uint32_t subc, uint32_t mthd,
                                               const uint32_t *data, size_t count_dw)
{
    uint32_t dw = 0;
    const gpucmd_status status = gpucmd_nv_encode_non_inc(&dw, subc, mthd, 0);
    if (status != GPUCMD_OK) {
        gpucmd_priv_writer_fail(w, status);
        return;
    }
    gpucmd_priv_nv_emit_split(w, dw, dw, 0, data, count_dw, GPUCMD_FIELD_MAX(NV_HDR_COUNT),
                              GPUCMD_NV_HDR_COUNT_LO);
}

/* Append an increase-once run of any length: one ONE_INC, then NON_INC runs
 * into mthd + 4; GPUCMD_NV_ONE_INC_LONG_DW(count_dw) words. Statuses as for
 * ONE_INC. */
GPUCMD_INLINE void gpucmd_nv_emit_one_inc_long(gpucmd_writer *w, uint32_t subc, uint32_t mthd,
                                               const uint32_t *data, size_t count_dw)
{
    uint32_t first = 0;
    uint32_t rest = 0;
    gpucmd_status status = gpucmd_nv_encode_one_inc(&first, subc, mthd, count_dw < 2 ? 0 : 2);
    if (status == GPUCMD_OK) {
        status = gpucmd_nv_encode_one_inc(&first, subc, mthd, 0);
    }
    if (status == GPUCMD_OK && count_dw > GPUCMD_FIELD_MAX(NV_HDR_COUNT)) {
        status = gpucmd_nv_encode_non_inc(&rest, subc, mthd + 4, 0);
    }
    if (status != GPUCMD_OK) {
        gpucmd_priv_writer_fail(w, status);
        return;
    }
    gpucmd_priv_nv_emit_split(w, first, rest, 0, data, count_dw, GPUCMD_FIELD_MAX(NV_HDR_COUNT),
                              GPUCMD_NV_HDR_COUNT_LO);
}

/* Append an increasing run before GF100 that needs two pieces:
 * GPUCMD_NV_OLD_INC_LONG_DW(count_dw) words, in pieces of at most 2047.
 * Statuses as for OLD_INC, with count_dw 0..2048. (Since GF100 the count field
 * holds every run that the method space holds.) */
GPUCMD_INLINE void gpucmd_nv_emit_old_inc_long(gpucmd_writer *w, uint32_t subc, uint32_t mthd,
                                               const uint32_t *data, size_t count_dw)
{
    uint32_t dw = 0;
    gpucmd_status status = gpucmd_nv_encode_old_inc(&dw, subc, mthd, 0);
    if (status == GPUCMD_OK && count_dw > GPUCMD_FIELD_MAX(NV_OLD_MTHD) + 1 - mthd / 4) {
        status = GPUCMD_RANGE;
    }
    if (status != GPUCMD_OK) {
        gpucmd_priv_writer_fail(w, status);
        return;
    }
    gpucmd_priv_nv_emit_split(w, dw, dw, GPUCMD_FIELD_PUT(NV_OLD_MTHD, 1), data, count_dw,
                              GPUCMD_FIELD_MAX(NV_OLD_COUNT), GPUCMD_NV_OLD_COUNT_LO);
}

/* Append a run of any length into one method before GF100:
 * GPUCMD_NV_OLD_NON_INC_LONG_DW(count_dw) words, in pieces of at most 2047.
 * Statuses as for OLD_NON_INC. */
GPUCMD_INLINE void gpucmd_nv_emit_old_non_inc_long(gpucmd_writer *w, uint32_t subc, uint32_t mthd,
                                                   const uint32_t *data, size_t count_dw)
{
    uint32_t dw = 0;
    const gpucmd_status status = gpucmd_nv_encode_old_non_inc(&dw, subc, mthd, 0);
    if (status != GPUCMD_OK) {
        gpucmd_priv_writer_fail(w, status);
        return;
    }
    gpucmd_priv_nv_emit_split(w, dw, dw, 0, data, count_dw, GPUCMD_FIELD_MAX(NV_OLD_COUNT),
                              GPUCMD_NV_OLD_COUNT_LO);
}

/* ==== [NV.ENTRY] =========================================================================== */

/* Flags of an IB entry: GPUCMD_NV_ENTRY_SYNC_WAIT and so on; see the rows for
 * the chips. DISABLE: skip. NO_CONTEXT_SWITCH: no channel switch inside.
 * FETCH_CONDITIONAL: only if the subdevice is active. PRIV: the kernel's
 * methods. SUBROUTINE: does not count as the main pushbuffer. SYNC_WAIT: fetch
 * only after the previous segment is done, for words that the GPU itself
 * writes. */
#define GPUCMD_NV_PRIV_FLAG(name, flag, word, field, since, until, src)                            \
    GPUCMD_NV_ENTRY_##name = (flag),
enum { GPUCMD_NV_ENTRY_FLAGS(GPUCMD_NV_PRIV_FLAG) };
#undef GPUCMD_NV_PRIV_FLAG

/* Words of an entry for a segment as integer constant expressions; no flags, va
 * below 2^40. */
#define GPUCMD_NV_ENTRY0(va)                                                                       \
    (GPUCMD_FIELD_CONST(NV_ENTRY0_GET, ((uint64_t)(va)&0xffffffffu) / 4) +                         \
     GPUCMD_PRIV_REQUIRE((va) % 4 == 0))
#define GPUCMD_NV_ENTRY1(va, len_dw)                                                               \
    (GPUCMD_FIELD_CONST(NV_ENTRY1_GET_HI, (uint64_t)(va) >> 32) +                                  \
     GPUCMD_FIELD_CONST(NV_ENTRY1_LENGTH, len_dw))
#define GPUCMD_NV_ENTRY_DW 2u

/* Bits of an address that an entry can name (40), and of an address altogether:
 * 57 from Hopper on. */
enum {
    GPUCMD_NV_ENTRY_VA_BITS = 40,
    GPUCMD_NV_VA57_BITS = 57,
};

/* Largest LENGTH of an entry of this chip, words: 22 bits before GF100, 21
 * since. */
GPUCMD_INLINE uint32_t gpucmd_nv_entry_max_dw(gpucmd_nv_chip chip)
{
    return GPUCMD_NV_IS_GF100(chip) ? GPUCMD_FIELD_MAX(NV_ENTRY1_LENGTH)
                                    : GPUCMD_FIELD_MAX(NV_ENTRY1_LENGTH_OLD);
}

/* Set the bits of the flags; GPUCMD_UNSUPPORTED: the chip lacks one of them. */
GPUCMD_INLINE gpucmd_status gpucmd_priv_nv_entry_flags(uint32_t entry[2], gpucmd_nv_chip chip,
                                                       uint32_t flags)
{
    uint32_t left = flags;
#define GPUCMD_NV_PRIV_FLAG(name, flag, word, field, since, until, src)                            \
    if ((flags & GPUCMD_NV_ENTRY_##name) != 0 && chip >= GPUCMD_NV_CHIP_##since &&                 \
        (unsigned)chip < (unsigned)GPUCMD_NV_CHIP_##until) {                                       \
        entry[word] |= GPUCMD_FIELD_PUT(NV_##field, 1);                                            \
        left &= ~(uint32_t)GPUCMD_NV_ENTRY_##name;                                                 \
    }
    GPUCMD_NV_ENTRY_FLAGS(GPUCMD_NV_PRIV_FLAG)
#undef GPUCMD_NV_PRIV_FLAG
    return left == 0 ? GPUCMD_OK : GPUCMD_UNSUPPORTED;
}

/* Entry that names the segment of len_dw words at va.
 *   chip    G80 or later
 *   va      bytes, multiple of 4, below 2^40; below 2^57 from GH100 on, whose
 *           bits 56:40 the operation SET_PB_SEGMENT_EXTENDED_BASE must have set
 *           before
 *   len_dw  LENGTH 1..0x3fffff before GF100, 1..0x1fffff since
 *   flags   GPUCMD_NV_ENTRY_*
 * GPUCMD_RANGE: a value outside the above, or the segment passes the end of the
 * 40-bit space (since GF100 its last word lies outside too). GPUCMD_ALIGN: va.
 * GPUCMD_UNSUPPORTED: the chip has no entries, or lacks a flag. entry is
 * untouched then. [506F] [906F] GP_ENTRY, [PBDMA] */
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
    gpucmd_status status;
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
    status = gpucmd_priv_nv_entry_flags(out, chip, flags);
    if (GPUCMD_PRIV_UNLIKELY(status != GPUCMD_OK)) {
        return status;
    }
    entry[0] = out[0];
    entry[1] = out[1];
    return GPUCMD_OK;
}

/* Control entry of GF100 and later.
 *   op       GPUCMD_NV_CONTROL_*
 *   operand  any; for SET_PB_SEGMENT_EXTENDED_BASE bits 24:8 are the address
 *            bits 56:40
 *   flags    0 or GPUCMD_NV_ENTRY_SYNC_WAIT
 * GPUCMD_UNSUPPORTED: chip, operation or flag. [906F] GP_ENTRY1_OPCODE */
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

/* An entry taken apart. */
typedef struct gpucmd_nv_entry {
    uint64_t va;     /* of the segment, bits 39:2 */
    uint32_t len_dw; /* 0: control entry (GF100 and later), error (before) */
    uint32_t flags;  /* GPUCMD_NV_ENTRY_* that the chip has */
    bool is_control; /* opcode and operand count, va does not */
    uint32_t opcode; /* maybe none of gpucmd_nv_control */
    uint32_t operand;
    uint32_t stray[2]; /* bits set that nothing owns on this chip */
} gpucmd_nv_entry;

/* Take two host words of an entry apart. GPUCMD_UNSUPPORTED: the chip has no
 * entries. */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_nv_decode_entry(const uint32_t dw[2],
                                                                     gpucmd_nv_chip chip,
                                                                     gpucmd_nv_entry *entry)
{
    const bool new_layout = GPUCMD_NV_IS_GF100(chip);
    uint32_t own0 = GPUCMD_FIELD_MASK(NV_ENTRY0_GET);
    uint32_t own1 = GPUCMD_FIELD_MASK(NV_ENTRY1_GET_HI);
    if (chip < GPUCMD_NV_CHIP_G80) {
        return GPUCMD_UNSUPPORTED;
    }
    own1 |=
        new_layout ? GPUCMD_FIELD_MASK(NV_ENTRY1_LENGTH) : GPUCMD_FIELD_MASK(NV_ENTRY1_LENGTH_OLD);
    entry->len_dw = new_layout ? GPUCMD_FIELD_GET(NV_ENTRY1_LENGTH, dw[1])
                               : GPUCMD_FIELD_GET(NV_ENTRY1_LENGTH_OLD, dw[1]);
    entry->va = (uint64_t)GPUCMD_FIELD_GET(NV_ENTRY1_GET_HI, dw[1]) << 32 |
                (uint64_t)GPUCMD_FIELD_GET(NV_ENTRY0_GET, dw[0]) * 4;
    entry->is_control = new_layout && entry->len_dw == 0;
    entry->opcode = GPUCMD_FIELD_GET(NV_ENTRY1_OPCODE, dw[1]);
    entry->operand = GPUCMD_FIELD_GET(NV_ENTRY0_OPERAND, dw[0]);
    entry->flags = 0;
#define GPUCMD_NV_PRIV_FLAG(name, flag, word, field, since, until, src)                            \
    if (chip >= GPUCMD_NV_CHIP_##since && (unsigned)chip < (unsigned)GPUCMD_NV_CHIP_##until &&     \
        (!entry->is_control || GPUCMD_NV_ENTRY_##name == GPUCMD_NV_ENTRY_SYNC_WAIT)) {             \
        entry->flags |=                                                                            \
            GPUCMD_FIELD_GET(NV_##field, dw[word]) != 0 ? (uint32_t)GPUCMD_NV_ENTRY_##name : 0;    \
        own0 |= (word) == 0 ? GPUCMD_FIELD_MASK(NV_##field) : 0;                                   \
        own1 |= (word) == 1 ? GPUCMD_FIELD_MASK(NV_##field) : 0;                                   \
    }
    GPUCMD_NV_ENTRY_FLAGS(GPUCMD_NV_PRIV_FLAG)
#undef GPUCMD_NV_PRIV_FLAG
    entry->stray[0] = entry->is_control ? 0 : dw[0] & ~own0;
    entry->stray[1] = dw[1] & ~own1;
    return GPUCMD_OK;
}

/* ==== [NV.RING] ============================================================================ */

/* NV4-style pushbuffer, NV4 until GF100: a circular buffer that the GPU reads
 * through DMA_GET up to DMA_PUT and that ends with a jump to its beginning. The
 * ring never writes what GET has not passed, and never lets PUT reach GET from
 * behind, because equal means empty. [ENVY] */
typedef struct gpucmd_nv_ring {
    uint32_t *base;     /* ring memory */
    uint32_t base_va;   /* its address as the pushbuffer object sees it */
    uint32_t cap_dw;    /* its size */
    uint32_t first_dw;  /* where commands begin; words before it are NOPs that jumps land on */
    uint32_t put_dw;    /* where the next command goes */
    uint32_t kicked_dw; /* last position written to DMA_PUT */
    gpucmd_nv_chip chip;
    const gpucmd_mmio *area; /* channel control area */
    uint32_t get_off_bytes;  /* register polled: DMA_CGET where there is one, else DMA_GET */
    gpucmd_wait_fn wait;     /* called between two looks at GET; may be NULL */
    void *wait_user;
    uint32_t max_tries; /* looks at GET before giving up with GPUCMD_LIMIT */
} gpucmd_nv_ring;

/* Take over an idle ring: DMA_GET and DMA_PUT at its beginning.
 *   base      cap_dw words of ring memory, as the GPU sees them at base_va
 *   base_va   multiple of 4; base_va + 4 * cap_dw is at most 2^32, before NV1A
 *             at most 2^29
 *   skip_dw   NOPs kept at the beginning, so that a jump never lands on PUT
 *             itself: 0 follows the text, Linux keeps 32 because hardware may
 *             misbehave [LNX]
 *   area      reads and writes the channel control area; used until the ring is
 *             no more
 * max_tries becomes 2^20, get_off_bytes DMA_CGET from NV40 on (set DMA_GET
 * yourself for an old-style area of NV40), wait NULL. Subroutines, written
 * before and outside, need nothing: reads of GET that lie outside the ring are
 * discarded. GPUCMD_UNSUPPORTED: chip. GPUCMD_RANGE, GPUCMD_ALIGN. */
GPUCMD_MUST_CHECK static inline gpucmd_status gpucmd_nv_ring_init(gpucmd_nv_ring *ring,
                                                                  gpucmd_nv_chip chip,
                                                                  uint32_t *base, uint32_t base_va,
                                                                  uint32_t cap_dw, uint32_t skip_dw,
                                                                  const gpucmd_mmio *area)
{
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
    ring->wait = NULL;
    ring->wait_user = NULL;
    ring->max_tries = (uint32_t)1 << 20;
    for (uint32_t i = 0; i < skip_dw; i++) {
        base[i] = GPUCMD_NV_NOP;
    }
    return GPUCMD_OK;
}

/* Tell the GPU: all words before, then DMA_PUT (its high half first where there
 * is one). */
static inline void gpucmd_nv_ring_kick(gpucmd_nv_ring *ring)
{
    GPUCMD_BARRIER_WRITE();
    if (ring->chip >= GPUCMD_NV_CHIP_G80) {
        ring->area->write32(ring->area->user, GPUCMD_NV_AREA_DMA_PUT_HIGH, 0);
    }
    ring->area->write32(ring->area->user, GPUCMD_NV_AREA_DMA_PUT, ring->base_va + ring->put_dw * 4);
    ring->kicked_dw = ring->put_dw;
}

/* Look at GET until it is in lo_dw..hi_dw (want true), or until it is not (want
 * false). */
static inline gpucmd_status gpucmd_priv_nv_ring_wait(gpucmd_nv_ring *ring, uint32_t lo_dw,
                                                     uint32_t hi_dw, bool want)
{
    for (uint32_t tries = 0; tries < ring->max_tries; tries++) {
        const uint32_t get_va = ring->area->read32(ring->area->user, ring->get_off_bytes);
        const uint32_t get_dw = (get_va - ring->base_va) / 4;
        if (get_va >= ring->base_va && get_dw < ring->cap_dw &&
            (get_dw >= lo_dw && get_dw <= hi_dw) == want) {
            return GPUCMD_OK;
        }
        if (ring->wait != NULL) {
            const gpucmd_status status = ring->wait(ring->wait_user, tries);
            if (status != GPUCMD_OK) {
                return status;
            }
        }
    }
    return GPUCMD_LIMIT;
}

/* Jump to the beginning: publish what is there, wait until the GPU works inside
 * it, or is done with it, so that PUT at the beginning cannot mean "empty",
 * then write the jump into the word that is always kept for it. */
static inline gpucmd_status gpucmd_priv_nv_ring_wrap(gpucmd_nv_ring *ring)
{
    const uint64_t target_va = ring->base_va;
    uint32_t dw = 0;
    gpucmd_status status;
    if (ring->kicked_dw != ring->put_dw) {
        gpucmd_nv_ring_kick(ring);
    }
    status = gpucmd_priv_nv_ring_wait(ring, ring->first_dw + 1, ring->put_dw, true);
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

/* Open room for n_dw words of commands: w becomes a writer over ring memory.
 * Where they and a jump do not fit before the end, a jump to the beginning is
 * submitted first. Then waits until GET has left the words to be written.
 * Follow with emits and gpucmd_nv_ring_end. GPUCMD_RANGE: more than the ring
 * can ever hold. GPUCMD_LIMIT, or what wait returned: GET did not move on; the
 * ring is as it was and the call can be repeated. */
GPUCMD_MUST_CHECK static inline gpucmd_status gpucmd_nv_ring_begin(gpucmd_nv_ring *ring,
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

/* Accept what the writer of gpucmd_nv_ring_begin holds; the GPU sees it at the
 * next kick. Returns the writer's status; nothing is accepted unless it is
 * GPUCMD_OK. GPUCMD_ORDER: not that writer. */
GPUCMD_MUST_CHECK static inline gpucmd_status gpucmd_nv_ring_end(gpucmd_nv_ring *ring,
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

/* ==== [NV.GPFIFO] ========================================================================== */

/* IB ring of G80 and later: a power of two of entries; empty when PUT == GET,
 * full when PUT is one behind GET. */
typedef struct gpucmd_nv_gpfifo {
    uint8_t *base; /* ring memory, 8 bytes an entry */
    uint32_t mask; /* entries - 1 */
    uint32_t put;  /* next entry to be written */
    uint32_t get;  /* GP_GET when last looked at */
    gpucmd_nv_chip chip;
    gpucmd_endian endian;        /* of the entries */
    uint32_t base_hi;            /* address bits 56:40 that the ring has set so far */
    const gpucmd_mmio *area;     /* channel control area, USERD */
    const gpucmd_mmio *usermode; /* usermode region of Volta and later; NULL before */
    uint32_t token;              /* what the doorbell is rung with */
    gpucmd_wait_fn wait;         /* called between two looks at GP_GET; may be NULL */
    void *wait_user;
    uint32_t max_tries; /* looks at GP_GET before giving up with GPUCMD_LIMIT */
} gpucmd_nv_gpfifo;

/* Take over an idle ring with GP_GET and GP_PUT 0.
 *   base      8 << order bytes, aligned to 8
 *   order     1..24 (the hardware's field is larger than any ring in use)
 *   area      GP_GET and GP_PUT at their offsets in the channel control area
 *   usermode  doorbell, rung with token at each kick; NULL where the write of
 *             GP_PUT is enough
 * Entries are little-endian; for G80 until GF100 with a big-endian PFIFO set
 * endian. max_tries becomes 2^20, wait NULL. GPUCMD_UNSUPPORTED: chip before
 * G80. GPUCMD_RANGE, GPUCMD_ALIGN. */
GPUCMD_MUST_CHECK static inline gpucmd_status gpucmd_nv_gpfifo_init(
    gpucmd_nv_gpfifo *fifo, gpucmd_nv_chip chip, void *base, uint32_t order,
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
    fifo->get = 0;
    fifo->chip = chip;
    fifo->endian = GPUCMD_LITTLE_ENDIAN;
    fifo->base_hi = 0;
    fifo->area = area;
    fifo->usermode = usermode;
    fifo->token = token;
    fifo->wait = NULL;
    fifo->wait_user = NULL;
    fifo->max_tries = (uint32_t)1 << 20;
    return GPUCMD_OK;
}

/* Look at GP_GET until there is room for one entry. */
static inline gpucmd_status gpucmd_priv_nv_gpfifo_wait(gpucmd_nv_gpfifo *fifo)
{
    for (uint32_t tries = 0; tries < fifo->max_tries; tries++) {
        fifo->get = fifo->area->read32(fifo->area->user, GPUCMD_NV_AREA_IB_GET) & fifo->mask;
        if (((fifo->put + 1) & fifo->mask) != fifo->get) {
            return GPUCMD_OK;
        }
        if (fifo->wait != NULL) {
            const gpucmd_status status = fifo->wait(fifo->wait_user, tries);
            if (status != GPUCMD_OK) {
                return status;
            }
        }
    }
    return GPUCMD_LIMIT;
}

/* Write an entry into the ring. */
GPUCMD_INLINE gpucmd_status gpucmd_priv_nv_gpfifo_put(gpucmd_nv_gpfifo *fifo,
                                                      const uint32_t entry[2])
{
    const uint32_t put = fifo->put;
    const uint32_t next = (put + 1) & fifo->mask;
    uint8_t *at;
    if (GPUCMD_PRIV_UNLIKELY(next == fifo->get)) {
        const gpucmd_status status = gpucmd_priv_nv_gpfifo_wait(fifo);
        if (status != GPUCMD_OK) {
            return status;
        }
    }
    at = fifo->base + (size_t)put * 8;
    gpucmd_store32(at, entry[0], fifo->endian);
    gpucmd_store32(at + 4, entry[1], fifo->endian);
    fifo->put = next;
    return GPUCMD_OK;
}

/* Append the segment of len_dw words at va; values and statuses as for
 * gpucmd_nv_encode_entry. The GPU sees it at the next kick. GPUCMD_ORDER: from
 * GH100 on, bits 56:40 of va differ from those that
 * gpucmd_nv_gpfifo_push_control set last. GPUCMD_LIMIT, or what wait returned:
 * the ring stays full; nothing is written. */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_nv_gpfifo_push(gpucmd_nv_gpfifo *fifo,
                                                                    uint64_t va, uint32_t len_dw,
                                                                    uint32_t flags)
{
    uint32_t entry[2];
    const gpucmd_status status = gpucmd_nv_encode_entry(entry, fifo->chip, va, len_dw, flags);
    if (GPUCMD_PRIV_UNLIKELY(status != GPUCMD_OK)) {
        return status;
    }
    if (GPUCMD_PRIV_UNLIKELY(va >> GPUCMD_NV_ENTRY_VA_BITS != fifo->base_hi)) {
        return GPUCMD_ORDER;
    }
    return gpucmd_priv_nv_gpfifo_put(fifo, entry);
}

/* Append a control entry; values and statuses as for gpucmd_nv_encode_control. */
GPUCMD_MUST_CHECK static inline gpucmd_status gpucmd_nv_gpfifo_push_control(gpucmd_nv_gpfifo *fifo,
                                                                            gpucmd_nv_control op,
                                                                            uint32_t operand,
                                                                            uint32_t flags)
{
    uint32_t entry[2];
    gpucmd_status status = gpucmd_nv_encode_control(entry, fifo->chip, op, operand, flags);
    if (status == GPUCMD_OK) {
        status = gpucmd_priv_nv_gpfifo_put(fifo, entry);
    }
    if (status == GPUCMD_OK && op == GPUCMD_NV_CONTROL_SET_PB_SEGMENT_EXTENDED_BASE) {
        fifo->base_hi = GPUCMD_FIELD_GET(NV_EXTENDED_BASE, operand);
    }
    return status;
}

/* Tell the GPU: words and entries, barrier, GP_PUT; then, where there is a
 * doorbell, barrier, token. [USER] NOTIFY_CHANNEL_PENDING */
GPUCMD_INLINE void gpucmd_nv_gpfifo_kick(gpucmd_nv_gpfifo *fifo)
{
    GPUCMD_BARRIER_WRITE();
    fifo->area->write32(fifo->area->user, GPUCMD_NV_AREA_IB_PUT, fifo->put);
    if (fifo->usermode != NULL) {
        GPUCMD_BARRIER_MMIO();
        fifo->usermode->write32(fifo->usermode->user, GPUCMD_NV_USERMODE_NOTIFY_CHANNEL_PENDING,
                                fifo->token);
    }
}

/* ==== [NV.DECODE] ========================================================================== */

/* Word format that Fermi to Pascal accept, PBDMA register FORMATS. Drivers set
 * NEW. */
typedef enum gpucmd_nv_fmt {
    GPUCMD_NV_FMT_NEW,
    GPUCMD_NV_FMT_OLD,
    GPUCMD_NV_FMT_BOTH,
} gpucmd_nv_fmt;

/* What decides the meaning of a command word. */
typedef struct gpucmd_nv_gate {
    gpucmd_nv_chip chip;
    gpucmd_nv_fmt fmt;
    bool ib_enable;  /* IB mode; always since GF100 */
    bool sli_enable; /* the SLI conditional exists; since GF100 it always does */
    uint32_t forms;  /* bit f set: form f is accepted */
} gpucmd_nv_gate;

enum { GPUCMD_NV_PRIV_MODE_ANY, GPUCMD_NV_PRIV_MODE_NV4, GPUCMD_NV_PRIV_MODE_IB };

/* Fill gate.
 *   ib_enable   G80 and later; ignored since GF100
 *   sli_enable  NV40 until GF100; ignored since
 *   fmt         NEW; OLD and BOTH for GF100 until GV100 only, ignored before
 * GPUCMD_UNSUPPORTED: the chip has no pusher, or lacks what is asked for; gate
 * is then untouched. */
GPUCMD_MUST_CHECK static inline gpucmd_status gpucmd_nv_gate_init(gpucmd_nv_gate *gate,
                                                                  gpucmd_nv_chip chip,
                                                                  bool ib_enable, bool sli_enable,
                                                                  gpucmd_nv_fmt fmt)
{
    const bool is_new = fmt != GPUCMD_NV_FMT_OLD;
    const bool is_old = fmt != GPUCMD_NV_FMT_NEW;
    const bool gf100 = GPUCMD_NV_IS_GF100(chip);
    uint32_t forms = 0;
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
    if ((is_new && (fits_new) != 0) || (is_old && (fits_old) != 0)) {                              \
        forms |= (uint32_t)1 << GPUCMD_NV_FORM_##name;                                             \
    }
    if (gf100) {
        GPUCMD_NV_HDR_FORMS(GPUCMD_NV_PRIV_FORM)
    }
#undef GPUCMD_NV_PRIV_FORM
    gate->chip = chip;
    gate->fmt = fmt;
    gate->ib_enable = ib_enable || gf100;
    gate->sli_enable = sli_enable || gf100;
    gate->forms = forms;
    return GPUCMD_OK;
}

/* Form whose pattern the first word of a command has, whether or not a gate
 * admits it. */
GPUCMD_INLINE gpucmd_nv_form gpucmd_priv_nv_match_old(uint32_t dw)
{
#define GPUCMD_NV_PRIV_FORM(name, picture, sec, tert, prim, mask, since, mode, sli, src)           \
    if ((dw & (mask)) == GPUCMD_NV_PRIV_OLD_OP(name)) {                                            \
        return GPUCMD_NV_FORM_##name;                                                              \
    }
    GPUCMD_NV_OLD_FORMS(GPUCMD_NV_PRIV_FORM)
#undef GPUCMD_NV_PRIV_FORM
    return GPUCMD_NV_FORM_INVALID;
}

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

/* Form of the first word of a command; GPUCMD_NV_FORM_INVALID where the
 * hardware refuses it. */
GPUCMD_INLINE gpucmd_nv_form gpucmd_nv_classify(const gpucmd_nv_gate *gate, uint32_t dw)
{
    const gpucmd_nv_form form = GPUCMD_NV_IS_GF100(gate->chip) ? gpucmd_priv_nv_match_new(dw)
                                                               : gpucmd_priv_nv_match_old(dw);
    return (gate->forms >> form & 1) != 0 ? form : GPUCMD_NV_FORM_INVALID;
}

/* A command, or the part of a run that lies in one segment. */
typedef struct gpucmd_nv_cmd {
    gpucmd_nv_form form;
    gpucmd_nv_kind kind; /* of a run: how methods advance; counted from mthd */
    uint32_t dw;         /* first word */
    uint32_t subc;       /* of a run */
    uint32_t mthd;       /* of a run: first method, bytes */
    uint32_t count_dw;   /* of a run: data words that the header announces and that are still due */
    uint32_t value;      /* IMMD: data; SLI_*: mask; JUMP*, CALL: target, bytes */
    uint32_t stray;      /* bits set in dw that nothing owns */
    bool resumed;        /* part of a run whose header lies in an earlier segment */
    uint32_t head_dw;    /* header words here: 1, 2 for LONG_NON_INC; resumed: 0, or 1 for the count
                             word of LONG_NON_INC */
    uint32_t len_dw;     /* words here, at least 1 */
    const uint32_t *data; /* len_dw - head_dw words */
} gpucmd_nv_cmd;

/* Walks the commands of a stream that comes in one or more segments. A run may
 * cross from one to the next. */
typedef struct gpucmd_nv_walk {
    const uint32_t *cur;
    const uint32_t *end;
    gpucmd_nv_gate gate;
    bool lenp;           /* the count word of LONG_NON_INC is due */
    gpucmd_nv_form form; /* of the run that goes on in the next segment */
    gpucmd_nv_kind kind;
    uint32_t subc;
    uint32_t mthd;
    uint32_t left_dw; /* its data words still to come */
} gpucmd_nv_walk;

/* True if the form is a run: a header with data words, or IMMD. */
GPUCMD_INLINE bool gpucmd_nv_form_is_run(gpucmd_nv_form form)
{
    return form >= GPUCMD_NV_FORM_INC && form <= GPUCMD_NV_FORM_OLD_NON_INC;
}

/* Method, in bytes, that takes word i of a run. Before GF100 addresses wrap at
 * 0x2000 (MODEL); since, a run that wraps is an error. */
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

/* Start a walk without a segment. */
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

/* Go on with len_dw host words; dw may be NULL when len_dw is 0. */
GPUCMD_INLINE void gpucmd_nv_walk_segment(gpucmd_nv_walk *walk, const uint32_t *dw, size_t len_dw)
{
    walk->cur = dw;
    walk->end = len_dw != 0 ? dw + len_dw : dw;
}

/* True while a command has announced words that no segment has brought yet: at
 * the end of a stream, the stream is truncated. */
GPUCMD_INLINE bool gpucmd_nv_walk_pending(const gpucmd_nv_walk *walk)
{
    return walk->lenp || walk->left_dw != 0;
}

/* Fill cmd from the header word, all but head_dw, len_dw and data. */
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
    case GPUCMD_NV_FORM_SLI_USE: own |= GPUCMD_FIELD_MASK(NV_HDR_TERT_OP); break;
    case GPUCMD_NV_FORM_NOP:
    case GPUCMD_NV_FORM_END_SEGMENT: break;
    case GPUCMD_NV_FORM_INVALID:
    case GPUCMD_NV_FORM_LONG_NON_INC:
    case GPUCMD_NV_FORM_JUMP_OLD:
    case GPUCMD_NV_FORM_JUMP:
    case GPUCMD_NV_FORM_CALL:
    case GPUCMD_NV_FORM_RETURN: own = 0xffffffffu; break;
    }
    cmd->stray = dw & ~own;
}

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

/* The part of a run that a segment brings after the run's header came in an
 * earlier one. */
GPUCMD_INLINE void gpucmd_priv_nv_walk_resume(gpucmd_nv_walk *walk, gpucmd_nv_cmd *cmd,
                                              size_t avail_dw)
{
    uint32_t n_dw;
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
    n_dw = avail_dw - cmd->head_dw < walk->left_dw ? (uint32_t)(avail_dw - cmd->head_dw)
                                                   : walk->left_dw;
    cmd->data = walk->cur + cmd->head_dw;
    cmd->len_dw = cmd->head_dw + n_dw;
    walk->left_dw -= n_dw;
    walk->mthd = gpucmd_nv_mthd_at(walk->gate.chip, walk->kind, walk->mthd, n_dw);
    if (walk->kind == GPUCMD_NV_KIND_ONE_INC && n_dw != 0) {
        walk->kind = GPUCMD_NV_KIND_NON_INC;
    }
    walk->cur += cmd->len_dw;
}

/* Keep what the next segment needs to go on with this run. */
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

/* Next command of the segment: true with cmd filled, false at the segment's
 * end. An INVALID word is a command of its own. A run whose words do not all
 * lie in the segment is given as far as they do, and goes on, as resumed, in
 * the next segment. Never reads outside the segment. */
GPUCMD_INLINE bool gpucmd_nv_walk_next(gpucmd_nv_walk *walk, gpucmd_nv_cmd *cmd)
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
    cmd->resumed = false;
    cmd->head_dw = 1;
    if (GPUCMD_NV_IS_GF100(walk->gate.chip)) {
        gpucmd_priv_nv_header_new(cmd, gpucmd_nv_classify(&walk->gate, *at), *at);
    } else {
        gpucmd_priv_nv_header_old(cmd, gpucmd_nv_classify(&walk->gate, *at), *at);
        if (GPUCMD_PRIV_UNLIKELY(cmd->form == GPUCMD_NV_FORM_LONG_NON_INC)) {
            walk->lenp = avail_dw == 1;
            if (avail_dw > 1) {
                cmd->count_dw = GPUCMD_FIELD_GET(NV_OLD_LONG_COUNT, at[1]);
                cmd->stray = at[1] & ~GPUCMD_FIELD_MASK(NV_OLD_LONG_COUNT);
                cmd->head_dw = 2;
            }
        }
    }
    cmd->data = at + cmd->head_dw;
    if (GPUCMD_PRIV_UNLIKELY(cmd->count_dw > avail_dw - cmd->head_dw || walk->lenp)) {
        cmd->len_dw = (uint32_t)avail_dw;
        gpucmd_priv_nv_walk_keep(walk, cmd, (uint32_t)avail_dw - cmd->head_dw);
        walk->cur = walk->end;
        return true;
    }
    cmd->len_dw = cmd->head_dw + cmd->count_dw;
    walk->cur = at + cmd->len_dw;
    return true;
}

/* Take apart the command that begins at dw[0]; avail_dw (at least 1) words can
 * be read. Returns GPUCMD_OK; GPUCMD_INVALID: no such command here;
 * GPUCMD_TRUNCATED: words are missing, and len_dw tells how many of the command
 * there are. cmd is filled in every case, and len_dw at least 1. */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_nv_decode(const uint32_t *dw, size_t avail_dw,
                                                               const gpucmd_nv_gate *gate,
                                                               gpucmd_nv_cmd *cmd)
{
    gpucmd_nv_walk walk;
    gpucmd_nv_walk_init(&walk, gate);
    gpucmd_nv_walk_segment(&walk, dw, avail_dw);
    (void)gpucmd_nv_walk_next(&walk, cmd);
    if (cmd->form == GPUCMD_NV_FORM_INVALID) {
        return GPUCMD_INVALID;
    }
    return gpucmd_nv_walk_pending(&walk) ? GPUCMD_TRUNCATED : GPUCMD_OK;
}

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Append the text of a command: a line for each header word and a line for each
 * data word.
 *   at_va  address or offset of its first word, bytes */
GPUCMD_PRIV_API void gpucmd_nv_print(gpucmd_text *t, const gpucmd_nv_gate *gate,
                                     const gpucmd_nv_cmd *cmd, uint64_t at_va);
/* The same for an IB entry: one line. */
GPUCMD_PRIV_API void gpucmd_nv_print_entry(gpucmd_text *t, gpucmd_nv_chip chip,
                                           const uint32_t dw[2], uint64_t at_va);
#endif

/* ==== [NV.CHECK] =========================================================================== */

typedef enum gpucmd_nv_severity {
    GPUCMD_NV_SEVERITY_NOTE,    /* legal, and probably not meant */
    GPUCMD_NV_SEVERITY_WARNING, /* legal here, dangerous elsewhere or useless */
    GPUCMD_NV_SEVERITY_ERROR,   /* the hardware refuses it */
} gpucmd_nv_severity;

#define GPUCMD_NV_PRIV_RULE(name, severity, text) GPUCMD_NV_RULE_##name,
typedef enum gpucmd_nv_rule { GPUCMD_NV_RULES(GPUCMD_NV_PRIV_RULE) } gpucmd_nv_rule;
#undef GPUCMD_NV_PRIV_RULE

typedef struct gpucmd_nv_finding {
    gpucmd_nv_rule rule;
    uint64_t at_va; /* the word, or the entry, bytes */
    uint32_t dw;    /* the word */
    uint32_t mthd;  /* UNKNOWN_METHOD, METHOD_WRAP: the method, bytes */
    uint32_t value; /* JUMP_OUTSIDE: target; STRAY_BITS: the bits; TRUNCATED: words missing */
} gpucmd_nv_finding;

/* Receives a finding; anything but GPUCMD_OK ends the check with that status. */
typedef gpucmd_status (*gpucmd_nv_finding_fn)(void *user, const gpucmd_nv_finding *finding);

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Look at len_dw host words that lie at base_va, from first to last, without
 * following jumps. *errors becomes the number of findings of severity ERROR.
 * Returns GPUCMD_OK, or what found returned; found may be NULL. */
GPUCMD_MUST_CHECK GPUCMD_PRIV_API gpucmd_status gpucmd_nv_check(const gpucmd_nv_gate *gate,
                                                                const uint32_t *dw, size_t len_dw,
                                                                uint64_t base_va,
                                                                gpucmd_nv_finding_fn found,
                                                                void *user, size_t *errors);
/* Look at count IB entries (host words, two each) that lie at ring_va, and,
 * where mem is not NULL, at the segments they name (little-endian words), as
 * one stream. GPUCMD_UNSUPPORTED: the chip has no entries. */
GPUCMD_MUST_CHECK GPUCMD_PRIV_API gpucmd_status gpucmd_nv_check_entries(
    const gpucmd_nv_gate *gate, const uint32_t *entries, size_t count, uint64_t ring_va,
    gpucmd_mem *mem, gpucmd_nv_finding_fn found, void *user, size_t *errors);
GPUCMD_PRIV_API const char *gpucmd_nv_rule_name(gpucmd_nv_rule rule);
GPUCMD_PRIV_API const char *gpucmd_nv_rule_text(gpucmd_nv_rule rule);
GPUCMD_PRIV_API gpucmd_nv_severity gpucmd_nv_rule_severity(gpucmd_nv_rule rule);
GPUCMD_PRIV_API const char *gpucmd_nv_severity_name(gpucmd_nv_severity severity);
#endif

/* ==== [NV.EXEC] ============================================================================ */

/* Methods reach the caller as events of kind GPUCMD_EVENT_METHODS: unit is the
 * subchannel, addr the first method in bytes, code the gpucmd_nv_kind, va the
 * address of the words, data and count_dw the words. A run is one event as far
 * as it lies in one piece of memory; use gpucmd_nv_mthd_at for the method of
 * each word. A callback that returns GPUCMD_BLOCKED has taken *out_dw words;
 * the rest comes again. Where words must change byte order they come in pieces
 * of at most 64. */

/* Code of a trace event FETCH: the form of a command word, or one of these. The
 * value of an entry is its first word in the low half, its second in the high
 * half. */
enum {
    GPUCMD_NV_FETCH_DATA = 0x100,
    GPUCMD_NV_FETCH_COUNT = 0x101,
    GPUCMD_NV_FETCH_ENTRY = 0x102,
};

/* State of the pusher, NV4 until GF100; names and widths of [ENVY] pusher
 * state, registers of [RNNDB]. Plain data: copy it, look at it, set it as a
 * kernel would. Members after "our" are not the hardware's. */
typedef struct gpucmd_nv_pusher {
    uint64_t dma_put;            /* b40 end of what was submitted, bytes */
    uint64_t dma_get;            /* b40 next word, bytes */
    uint32_t dma_limit;          /* first byte that must not be read; NV4-style (MODEL) */
    uint32_t mthd;               /* b11 dma_state.mthd, address / 4 */
    uint32_t subc;               /* b3 dma_state.subc */
    uint32_t mcnt;               /* b24 dma_state.mcnt, b11 before G80: data words still to come */
    bool ni;                     /* dma_state.ni, NV10 and later */
    bool lenp;                   /* dma_state.lenp: a long count is due, G80 and later */
    uint32_t dcount_shadow;      /* words of this run already sent, NV5 and later */
    uint32_t dma_get_jmp_shadow; /* dma_get before the last jump, NV5 and later */
    uint32_t rsvd_shadow;        /* first word of the last command, NV5 and later */
    uint32_t data_shadow;        /* last data word, NV5 and later */
    uint32_t ref;                /* reference counter, shared with the puller */
    bool subr_active;            /* NV1A and later */
    uint32_t subr_return;        /* NV1A and later */
    bool big_endian;             /* words are big-endian, NV1A until G80 */
    bool pfifo_endian;           /* words and entries are big-endian, G80 and later */
    bool sli_enable;             /* NV40 and later */
    uint32_t sli_mask;           /* b12 */
    bool sli_active;             /* methods pass */
    bool ib_enable;              /* G80 and later */
    bool nonmain;                /* the segment is not of the main pushbuffer */
    bool priv;                   /* the segment's methods are the kernel's */
    uint32_t dma_put_high_rs;    /* b8 read shadow */
    uint32_t dma_put_high_ws;    /* b8 write shadow */
    uint32_t dma_get_high_rs;    /* b8 read shadow */
    uint32_t ib_put;
    uint32_t ib_get;
    uint64_t ib_address; /* b40 bytes */
    uint32_t ib_order;   /* entries of the ring, log2: 0..31 */
    uint64_t dma_mget;   /* b40 last position in the main pushbuffer */
    bool dma_mget_val;
    uint32_t dma_mget_high_rs;    /* b8 read shadow */
    bool dma_mget_val_rs;         /* read shadow */
    gpucmd_nv_pusher_error error; /* DMA_STATE 31:29; the pusher stops until it is recovered */
    /* our: */
    gpucmd_nv_chip chip;
    uint64_t dma_pushbuffer_va; /* where offset 0 of the DMA object dma_pushbuffer lies */
    gpucmd_status fault;        /* what a callback refused with; clear it to go on */
} gpucmd_nv_pusher;

/* PB_HEADER TYPE. [PBDMA] */
enum {
    GPUCMD_NV_PB_TYPE_SSDM = 0,
    GPUCMD_NV_PB_TYPE_INC = 1,
    GPUCMD_NV_PB_TYPE_STORE_SDM = 2,
    GPUCMD_NV_PB_TYPE_NON_INC = 3,
    GPUCMD_NV_PB_TYPE_IMMD = 4,
    GPUCMD_NV_PB_TYPE_INC_ONCE = 5, /* becomes NON_INC after its first word */
    GPUCMD_NV_PB_TYPE_USE_SDM = 6,
    GPUCMD_NV_PB_TYPE_END_SEG = 7,
};

/* State of one PBDMA, GF100 and later; names of the registers in [PBDMA]. MODEL
 * rules where the manuals are silent: the order in a step is pending interrupt,
 * word, GPFIFO, GPPTR, empty, entry; GP_CRC is over the entries of segments,
 * skipped ones included, and an entry that raises GPENTRY clears it from GA100
 * on; USE like SET ends a conditional segment that it makes inactive; PBSEG
 * comes with the first word of a conditional segment if that is data of an
 * unconditional header, and the word is sent all the same; after PBENTRY count
 * is 0. */
typedef struct gpucmd_nv_pbdma {
    uint64_t gp_base;       /* ring, bytes, multiple of 8 */
    uint32_t limit2;        /* entries of the ring, log2: 0..31 */
    uint32_t gp_get;        /* next entry */
    uint32_t gp_put;        /* first entry not submitted */
    uint64_t pb_get;        /* next word of the segment, bytes */
    uint64_t pb_put;        /* end of the segment, bytes */
    uint64_t top_level_get; /* pb_get of the last MAIN segment */
    bool top_level_get_valid;
    uint32_t mthd;          /* PB_HEADER METHOD, address / 4 */
    uint32_t subc;          /* PB_HEADER SUBCH */
    uint32_t type;          /* PB_HEADER TYPE: GPUCMD_NV_PB_TYPE_* */
    uint32_t sdmask;        /* PB_HEADER mask of a subdevice command */
    uint32_t count;         /* PB_COUNT: data words still to come */
    bool run_conditional;   /* PB_HEADER CONDITIONAL: the header lay in a conditional segment */
    bool level;             /* segment is a SUBROUTINE */
    bool conditional;       /* segment is FETCH_CONDITIONAL */
    bool first;             /* PB_HEADER FIRST: no word of the segment was fetched */
    bool sync;              /* last entry said SYNC_WAIT; segments end in order anyway */
    bool no_context_switch; /* segment forbids channel switches */
    bool priv;              /* segment's methods are the kernel's */
    uint32_t subdevice;     /* SUBDEVICE: fields SUBDEVICE_* */
    uint32_t ref;           /* REF */
    uint32_t gp_crc;        /* GP_CRC */
    uint32_t hdr_shadow;    /* HDR_SHADOW: last command word */
    uint32_t gp_shadow[2];  /* GP_SHADOW: last entry */
    uint32_t extended_base; /* address bits 56:40, GH100 and later */
    uint32_t intr;          /* INTR_0: the PBDMA stops until it is cleared */
    /* our: */
    gpucmd_nv_chip chip;
    gpucmd_nv_fmt fmt;       /* FORMATS, Fermi to Pascal */
    uint64_t segment_va;     /* last segment, for PB_CRC */
    uint64_t segment_end_va; /* its end, or the end of its END_SEGMENT */
    gpucmd_status fault;     /* page fault, or what a callback refused with; clear it to go on */
} gpucmd_nv_pbdma;

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Reset state: everything zero, dma_limit the largest, sli_active set.
 * GPUCMD_UNSUPPORTED: chip is not NV4 until GF100. Then set what a kernel sets
 * at channel creation: dma_pushbuffer_va, dma_limit, dma_get and dma_put (or
 * ib_enable, ib_address, ib_order), endianness, SLI. */
GPUCMD_MUST_CHECK GPUCMD_PRIV_API gpucmd_status gpucmd_nv_pusher_init(gpucmd_nv_pusher *p,
                                                                      gpucmd_nv_chip chip);
/* One word, or one IB entry. DONE; IDLE: nothing submitted is left; BLOCKED:
 * the callback is not ready, the word comes again; FAULT: error or fault says
 * why, with the state that the hardware leaves. */
GPUCMD_PRIV_API gpucmd_run gpucmd_nv_pusher_step(gpucmd_nv_pusher *p, const gpucmd_env *env);
/* Steps until IDLE, BLOCKED or FAULT, but at most budget words and entries:
 * then LIMIT. Same final state as that many calls of step. */
GPUCMD_PRIV_API gpucmd_run gpucmd_nv_pusher_run(gpucmd_nv_pusher *p, const gpucmd_env *env,
                                                uint64_t budget);
/* What Linux does after a DMA_PUSHER interrupt: drop the run; before G80
 * everything submitted, since G80 the rest of the segment or else the ring.
 * [LNX] fifo/nv04.c */
GPUCMD_PRIV_API void gpucmd_nv_pusher_recover(gpucmd_nv_pusher *p);
/* The channel control area, with its shadows of high halves: fits gpucmd_mmio,
 * user is the pusher. Offsets that the chip lacks read 0 and ignore writes. */
GPUCMD_PRIV_API uint32_t gpucmd_nv_pusher_read32(void *pusher, uint64_t off_bytes);
GPUCMD_PRIV_API void gpucmd_nv_pusher_write32(void *pusher, uint64_t off_bytes, uint32_t v);

/* Reset state: everything zero but SUBDEVICE, which is as Linux sets it (ID 1,
 * ACTIVE, CHANNEL_DMA). GPUCMD_UNSUPPORTED: chip before GF100. Then set gp_base
 * and limit2. */
GPUCMD_MUST_CHECK GPUCMD_PRIV_API gpucmd_status gpucmd_nv_pbdma_init(gpucmd_nv_pbdma *p,
                                                                     gpucmd_nv_chip chip);
/* One word, or one GP entry; one run; as for the pusher. FAULT: intr or fault
 * says why. */
GPUCMD_PRIV_API gpucmd_run gpucmd_nv_pbdma_step(gpucmd_nv_pbdma *p, const gpucmd_env *env);
GPUCMD_PRIV_API gpucmd_run gpucmd_nv_pbdma_run(gpucmd_nv_pbdma *p, const gpucmd_env *env,
                                               uint64_t budget);
/* Clear interrupt bits: after GPENTRY, GPCRC and PBCRC the next entry follows,
 * after PBENTRY the next word, or count data words if software sets type, subc,
 * mthd and count before. [PBDMA] */
GPUCMD_PRIV_API void gpucmd_nv_pbdma_clear(gpucmd_nv_pbdma *p, uint32_t bits);
/* CRC of the words of the last segment, as the entry PB_CRC compares it; reads
 * the words again. 0 when they are not readable or there was none. Polynomial
 * 0x04c11db7, most significant bit first. */
GPUCMD_PRIV_API uint32_t gpucmd_nv_pbdma_pb_crc(const gpucmd_nv_pbdma *p, gpucmd_mem *mem);
/* The same algorithm over bytes. */
GPUCMD_PRIV_API uint32_t gpucmd_nv_crc(uint32_t crc, const void *data, size_t len_bytes);
/* The channel control area (USERD): fits gpucmd_mmio, user is the PBDMA. */
GPUCMD_PRIV_API uint32_t gpucmd_nv_pbdma_read32(void *pbdma, uint64_t off_bytes);
GPUCMD_PRIV_API void gpucmd_nv_pbdma_write32(void *pbdma, uint64_t off_bytes, uint32_t v);
#endif

/* ==== [NV.HOST] ============================================================================ */

#define GPUCMD_NV_PRIV_BITS(name, hi, lo, unit, meaning, src)                                      \
    GPUCMD_NV_##name##_HI = (hi), GPUCMD_NV_##name##_LO = (lo),
enum {
    GPUCMD_NV_HOST_FIELDS(GPUCMD_NV_PRIV_BITS)   /* */
    GPUCMD_NV_ENGINE_FIELDS(GPUCMD_NV_PRIV_BITS) /* */
};
#undef GPUCMD_NV_PRIV_BITS

/* Host methods, addresses in bytes: GPUCMD_NV_HOST_SEM_EXECUTE and so on. Where
 * chips move a method the row is named once here. */
enum {
    GPUCMD_NV_HOST_SET_OBJECT = 0x00,
    GPUCMD_NV_HOST_ILLEGAL = 0x04,
    GPUCMD_NV_HOST_NOP = 0x08,
    GPUCMD_NV_HOST_SEMAPHOREA = 0x10,
    GPUCMD_NV_HOST_SEMAPHOREB = 0x14,
    GPUCMD_NV_HOST_SEMAPHOREC = 0x18,
    GPUCMD_NV_HOST_SEMAPHORED = 0x1c,
    GPUCMD_NV_HOST_NON_STALL_INTERRUPT = 0x20,
    GPUCMD_NV_HOST_FB_FLUSH = 0x24,
    GPUCMD_NV_HOST_MEM_OP_A = 0x28,
    GPUCMD_NV_HOST_MEM_OP_B = 0x2c,
    GPUCMD_NV_HOST_MEM_OP_C = 0x30,
    GPUCMD_NV_HOST_MEM_OP_D = 0x34,
    GPUCMD_NV_HOST_REF_CNT = 0x50,
    GPUCMD_NV_HOST_SEM_ADDR_LO = 0x5c,
    GPUCMD_NV_HOST_SEM_ADDR_HI = 0x60,
    GPUCMD_NV_HOST_SEM_PAYLOAD_LO = 0x64,
    GPUCMD_NV_HOST_SEM_PAYLOAD_HI = 0x68,
    GPUCMD_NV_HOST_SEM_EXECUTE = 0x6c,
    GPUCMD_NV_HOST_DMA_SEMAPHORE = 0x60,
    GPUCMD_NV_HOST_SEMAPHORE_OFFSET = 0x64,
    GPUCMD_NV_HOST_SEMAPHORE_ACQUIRE = 0x68,
    GPUCMD_NV_HOST_SEMAPHORE_RELEASE = 0x6c,
    GPUCMD_NV_HOST_SYNCPOINTA = 0x70,
    GPUCMD_NV_HOST_SYNCPOINTB = 0x74,
    GPUCMD_NV_HOST_WFI = 0x78,
    GPUCMD_NV_HOST_CRC_CHECK = 0x7c,
    GPUCMD_NV_HOST_YIELD = 0x80,
    GPUCMD_NV_HOST_CLEAR_FAULTED = 0x84,
    GPUCMD_NV_HOST_END = 0x100, /* from here on: engines */
};

/* What a semaphore method does; each chip and method has its own numbers, see
 * the rows. */
typedef enum gpucmd_nv_sem_op {
    GPUCMD_NV_SEM_OP_NONE, /* the chip has no such operation */
    GPUCMD_NV_SEM_OP_ACQUIRE,
    GPUCMD_NV_SEM_OP_ACQ_STRICT_GEQ,
    GPUCMD_NV_SEM_OP_ACQ_CIRC_GEQ,
    GPUCMD_NV_SEM_OP_ACQ_AND,
    GPUCMD_NV_SEM_OP_ACQ_NOR,
    GPUCMD_NV_SEM_OP_RELEASE,
    GPUCMD_NV_SEM_OP_REDUCTION,
} gpucmd_nv_sem_op;

/* GPUCMD_NV_REDUCTION_IMIN, GPUCMD_NV_MEM_OP_MEMBAR, GPUCMD_NV_YIELD_TSG, ... */
#define GPUCMD_NV_PRIV_ROW(name, value, s32, u32, s64, u64) GPUCMD_NV_REDUCTION_##name = (value),
typedef enum gpucmd_nv_reduction { GPUCMD_NV_REDUCTIONS(GPUCMD_NV_PRIV_ROW) } gpucmd_nv_reduction;
#undef GPUCMD_NV_PRIV_ROW
typedef enum gpucmd_nv_mem_op {
    GPUCMD_NV_MEM_OP_MEMBAR = 5,
    GPUCMD_NV_MEM_OP_SOFT_FLUSH = 6,
    GPUCMD_NV_MEM_OP_MMU_TLB_INVALIDATE = 9,
    GPUCMD_NV_MEM_OP_MMU_TLB_INVALIDATE_TARGETED = 0x0a,
    GPUCMD_NV_MEM_OP_MMU_OPERATION = 0x0b,
    GPUCMD_NV_MEM_OP_L2_PEERMEM_INVALIDATE = 0x0d,
    GPUCMD_NV_MEM_OP_L2_SYSMEM_INVALIDATE = 0x0e,
    GPUCMD_NV_MEM_OP_L2_CLEAN_COMPTAGS = 0x0f,
    GPUCMD_NV_MEM_OP_L2_FLUSH_DIRTY = 0x10,
    GPUCMD_NV_MEM_OP_L2_SYSMEM_NCOH_INVALIDATE = 0x11,
    GPUCMD_NV_MEM_OP_L2_WAIT_FOR_SYS_PENDING_READS = 0x15,
    GPUCMD_NV_MEM_OP_ACCESS_COUNTER_CLR = 0x16,
} gpucmd_nv_mem_op;
#define GPUCMD_NV_PRIV_ROW(name, value, since, until, src) GPUCMD_NV_YIELD_##name = (value),
typedef enum gpucmd_nv_yield { GPUCMD_NV_YIELDS(GPUCMD_NV_PRIV_ROW) } gpucmd_nv_yield;
#undef GPUCMD_NV_PRIV_ROW
#define GPUCMD_NV_PRIV_ROW(name, kind, code, text) GPUCMD_NV_HOST_ERROR_##name,
typedef enum gpucmd_nv_host_error {
    GPUCMD_NV_HOST_ERRORS(GPUCMD_NV_PRIV_ROW)
} gpucmd_nv_host_error;
#undef GPUCMD_NV_PRIV_ROW

/* Codes of events INTERRUPT. */
enum {
    GPUCMD_NV_INTERRUPT_NON_STALL, /* host method NON_STALL_INTERRUPT */
    GPUCMD_NV_INTERRUPT_COPY,      /* end of a copy; value is its INTERRUPT field */
    GPUCMD_NV_INTERRUPT_INLINE,    /* end of an upload, or of an M2MF copy */
};

/* True if the host of this chip has this value of the operation of MEM_OP, of
 * YIELD. */
GPUCMD_INLINE bool gpucmd_nv_knows_mem_op(gpucmd_nv_chip chip, uint32_t op)
{
#define GPUCMD_NV_PRIV_ROW(name, value, since, until, src)                                         \
    if (op == (value) && chip >= GPUCMD_NV_CHIP_##since &&                                         \
        (unsigned)chip < (unsigned)GPUCMD_NV_CHIP_##until) {                                       \
        return true;                                                                               \
    }
    GPUCMD_NV_MEM_OPS(GPUCMD_NV_PRIV_ROW)
    return false;
}

GPUCMD_INLINE bool gpucmd_nv_knows_yield(gpucmd_nv_chip chip, uint32_t op)
{
    if (!GPUCMD_NV_IS_GF100(chip)) {
        return chip >= GPUCMD_NV_CHIP_NV40;
    }
    GPUCMD_NV_YIELDS(GPUCMD_NV_PRIV_ROW)
    return false;
}
#undef GPUCMD_NV_PRIV_ROW

/* The operation that a value of SEMAPHORED or SEM_EXECUTE (mthd) asks for on
 * this chip. */
GPUCMD_INLINE gpucmd_nv_sem_op gpucmd_nv_sem_op_of(gpucmd_nv_chip chip, uint32_t mthd,
                                                   uint32_t number)
{
#define GPUCMD_NV_PRIV_ROW(method, op, value, since, until, src)                                   \
    if (number == (value) && mthd == GPUCMD_NV_HOST_##method && chip >= GPUCMD_NV_CHIP_##since &&  \
        (unsigned)chip < (unsigned)GPUCMD_NV_CHIP_##until) {                                       \
        return GPUCMD_NV_SEM_OP_##op;                                                              \
    }
    GPUCMD_NV_SEM_OPS(GPUCMD_NV_PRIV_ROW)
#undef GPUCMD_NV_PRIV_ROW
    return GPUCMD_NV_SEM_OP_NONE;
}

/* The other way round. GPUCMD_UNSUPPORTED: the method has no such operation. */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_nv_sem_number(gpucmd_nv_chip chip,
                                                                   uint32_t mthd,
                                                                   gpucmd_nv_sem_op sem_op,
                                                                   uint32_t *number)
{
#define GPUCMD_NV_PRIV_ROW(method, op, value, since, until, src)                                   \
    if (sem_op == GPUCMD_NV_SEM_OP_##op && mthd == GPUCMD_NV_HOST_##method &&                      \
        chip >= GPUCMD_NV_CHIP_##since && (unsigned)chip < (unsigned)GPUCMD_NV_CHIP_##until) {     \
        *number = (value);                                                                         \
        return GPUCMD_OK;                                                                          \
    }
    GPUCMD_NV_SEM_OPS(GPUCMD_NV_PRIV_ROW)
#undef GPUCMD_NV_PRIV_ROW
    return GPUCMD_UNSUPPORTED;
}

/* True if a reduction exists for this size and sign. */
GPUCMD_INLINE bool gpucmd_nv_knows_reduction(uint32_t reduction, bool is_64bit, bool is_unsigned)
{
    const unsigned at = (is_64bit ? 2u : 0u) + (is_unsigned ? 1u : 0u);
#define GPUCMD_NV_PRIV_ROW(name, value, s32, u32, s64, u64)                                        \
    if (reduction == (value)) {                                                                    \
        return (((s32) | (u32) << 1 | (s64) << 2 | (u64) << 3) >> at & 1) != 0;                    \
    }
    GPUCMD_NV_REDUCTIONS(GPUCMD_NV_PRIV_ROW)
#undef GPUCMD_NV_PRIV_ROW
    return false;
}

/* What a blocked channel waits for: memory at va, the payload and the
 * comparison. op GPUCMD_NV_SEM_OP_NONE: nothing ends the wait. */
typedef struct gpucmd_nv_wait {
    bool active;
    gpucmd_nv_sem_op op;
    uint64_t va;
    uint64_t payload;
    bool is_64bit;
    bool ctxsw; /* the channel asked to be left while it waits */
} gpucmd_nv_wait;

/* State of the puller, which executes host methods; names of [ENVY] puller.rst
 * and of the methods. Plain data, like the pusher. */
typedef struct gpucmd_nv_puller {
    uint32_t dma_semaphore;       /* handle, NV1A until GF100 */
    uint64_t dma_semaphore_va;    /* where its object lies */
    uint64_t dma_semaphore_bytes; /* 0: none was set */
    uint32_t semaphore_off;       /* offset in it */
    bool semaphore_off_val;
    uint64_t semaphore_address;  /* SEMAPHOREA, B: G84 and later */
    uint32_t semaphore_sequence; /* SEMAPHOREC */
    uint32_t sem_addr_lo;        /* SEM_*: GV100 and later */
    uint32_t sem_addr_hi;
    uint32_t sem_payload_lo;
    uint32_t sem_payload_hi;
    uint32_t syncpoint_payload;
    uint32_t mem_op[4];
    gpucmd_nv_host_error error; /* stops the channel, before GF100 */
    /* our: */
    gpucmd_status fault; /* page fault, or what a callback refused with; clear it to retry */
    gpucmd_nv_wait wait;
    uint64_t known; /* bit i: the chip has host method 4 * i */
    bool skip;      /* the word that comes next is dropped, as recovery does */
    bool yield;     /* stopped before a YIELD, which is passed next time */
    uint32_t pause; /* came back so that others get their turn: what it costs of the budget */
} gpucmd_nv_puller;

#ifdef GPUCMD_PRIV_PROTOTYPES
GPUCMD_PRIV_API const char *gpucmd_nv_sem_op_name(gpucmd_nv_sem_op op);
GPUCMD_PRIV_API const char *gpucmd_nv_host_error_name(gpucmd_nv_host_error error);
GPUCMD_PRIV_API const char *gpucmd_nv_host_error_text(gpucmd_nv_host_error error);
/* Code that the hardware's error register has for this error. */
GPUCMD_PRIV_API uint32_t gpucmd_nv_host_error_code(gpucmd_nv_host_error error);
/* True if memory that holds v ends the wait. */
GPUCMD_PRIV_API bool gpucmd_nv_wait_ends(const gpucmd_nv_wait *wait, uint64_t v);
#endif

/* ==== [NV.ENGINE] ========================================================================== */

/* Methods of engines, addresses in bytes: GPUCMD_NV_COPY_LAUNCH_DMA, ... */
#define GPUCMD_NV_PRIV_ROW(name, mthd, src) GPUCMD_NV_##name = (mthd),
enum { GPUCMD_NV_ENGINE_METHODS(GPUCMD_NV_PRIV_ROW) };
#undef GPUCMD_NV_PRIV_ROW

/* Values of REMAP_DST_*: a component of the source, a constant, or nothing. */
enum {
    GPUCMD_NV_REMAP_SRC_X = 0,
    GPUCMD_NV_REMAP_CONST_A = 4,
    GPUCMD_NV_REMAP_CONST_B = 5,
    GPUCMD_NV_REMAP_NO_WRITE = 6,
};

/* Models of engines. */
typedef enum gpucmd_nv_model {
    GPUCMD_NV_MODEL_NONE,     /* nothing bound */
    GPUCMD_NV_MODEL_SOFTWARE, /* the kernel executes its methods */
    GPUCMD_NV_MODEL_OTHER,    /* the caller's */
    GPUCMD_NV_MODEL_M2MF_NV4,
    GPUCMD_NV_MODEL_M2MF_G80,
    GPUCMD_NV_MODEL_M2MF_GF100,
    GPUCMD_NV_MODEL_INLINE, /* inline to memory, alone or in a compute class */
    GPUCMD_NV_MODEL_COPY,
    GPUCMD_NV_MODEL_3D_NV30,
    GPUCMD_NV_MODEL_3D_G80,
    GPUCMD_NV_MODEL_3D_GF100,
} gpucmd_nv_model;

enum {
    GPUCMD_NV_SUBCHANNELS = 8,
    GPUCMD_NV_ENGINE_REGS = 38,
    GPUCMD_NV_SHADOW_DW = 8 * 0x1000, /* subchannels x methods */
};

/* What is bound to a subchannel. */
typedef struct gpucmd_nv_engine {
    uint32_t class_id;
    gpucmd_nv_model model;
    uint32_t reg[GPUCMD_NV_ENGINE_REGS]; /* what the model keeps; gpucmd_nv_engine_reg */
    /* our: */
    uint32_t first_window; /* its rows of GPUCMD_NV_ENGINE_WINDOWS */
    uint32_t window_count;
    uint64_t pages;    /* bit p: the model looks at methods 0x100 * p .. 0x100 * p + 0xff */
    bool copying;      /* in the middle of a copy of many lines */
    bool inlining;     /* inline data are to come */
    uint32_t line;     /* of the copy, or of inline data */
    uint32_t at_bytes; /* of inline data: position in the line */
} gpucmd_nv_engine;

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Last value of a method that the model keeps; 0 for others. */
GPUCMD_PRIV_API uint32_t gpucmd_nv_engine_reg(const gpucmd_nv_engine *e, uint32_t mthd);
/* Model and first chip of a class; OTHER and NV1 for a class without row. */
GPUCMD_PRIV_API gpucmd_nv_model gpucmd_nv_class_model(uint32_t class_id, gpucmd_nv_chip *since);
/* The copy class of a chip; 0 before GT215. */
GPUCMD_PRIV_API uint32_t gpucmd_nv_copy_class(gpucmd_nv_chip chip);
#endif

/* ==== [NV.CHANNEL] ========================================================================= */

/* What a handle names: an object of an engine, or a DMA object. */
typedef struct gpucmd_nv_object {
    uint32_t class_id; /* of the object; of a DMA object e.g. 0x0002 */
    bool software;     /* the kernel executes its methods */
    uint64_t va;       /* of a DMA object: where offset 0 lies */
    uint64_t bytes;    /* of a DMA object: its length */
} gpucmd_nv_object;

/* Looks a handle up, as the hardware does in RAMHT. object is zero when called.
 * Anything but GPUCMD_OK: there is none. */
typedef gpucmd_status (*gpucmd_nv_object_fn)(void *user, uint32_t channel, uint32_t handle,
                                             gpucmd_nv_object *object);

/* What channels share; the caller's. All pointers but mem may be NULL. */
typedef struct gpucmd_nv_card {
    gpucmd_mem *mem;
    /* Receives METHODS of what the model does not do (unit: subchannel), and
     * INTERRUPT (unit: channel). */
    gpucmd_event_fn event;
    void *user;
    /* Sees FETCH, WAIT, WAKE, MEM_WRITE, INTERRUPT and ERROR before their effect. */
    gpucmd_event_fn trace;
    void *trace_user;
    /* Takes METHODS of software objects, as the kernel's interrupt handler
     * does. NULL: they raise DEVICE, before GF100 CACHE_EMPTY_SUBCHANNEL. */
    gpucmd_event_fn software;
    void *software_user;
    gpucmd_nv_object_fn object; /* NULL: SET_OBJECT finds nothing, DMA objects begin at 0 */
    void *object_user;
    uint64_t (*time_ns)(void *user); /* NULL: clock_ns, which then advances by clock_step_ns */
    void *time_user;
    uint64_t clock_ns;
    uint64_t clock_step_ns;
    uint32_t *syncpoints; /* Tegra */
    uint32_t syncpoint_count;
    uint64_t effects; /* how often something visible happened: stores, interrupts, events */
} gpucmd_nv_card;

/* A channel: its pusher (before GF100) or PBDMA (since), puller and bound
 * objects. */
typedef struct gpucmd_nv_channel {
    gpucmd_nv_chip chip;
    uint32_t id;
    gpucmd_nv_pusher pusher;
    gpucmd_nv_pbdma pbdma;
    gpucmd_nv_puller puller;
    gpucmd_nv_engine engines[GPUCMD_NV_SUBCHANNELS];
    uint32_t last_subc; /* the engine that methods went to last */
    /* GPUCMD_NV_SHADOW_DW words of the caller's that receive each engine
     * method: word subc * 0x1000 + mthd / 4. NULL: none. */
    uint32_t *shadow;
} gpucmd_nv_channel;

/* Nobody, where a report names a channel by its place in the array. */
#define GPUCMD_NV_NOBODY 0xffffffffu

/* One blocked channel of a report. */
typedef struct gpucmd_nv_blocked {
    uint32_t channel; /* place in the array */
    uint32_t id;      /* gpucmd_nv_channel id */
    uint64_t at_va;   /* next word of its pushbuffer */
    gpucmd_nv_wait wait;
    bool readable;     /* memory at wait.va can be read */
    uint64_t memory;   /* what it holds */
    uint32_t releaser; /* a channel that would write there if it went on, or NOBODY */
    uint32_t releaser_id;
    bool satisfies; /* and what it would write ends the wait */
    bool in_cycle;  /* waits, through releasers, for itself */
} gpucmd_nv_blocked;

/* What gpucmd_nv_run_all found. Set rows, cap, scratch and look_ahead before. */
typedef struct gpucmd_nv_report {
    gpucmd_nv_blocked *rows;    /* of the caller; NULL: none */
    size_t cap;                 /* room in rows */
    gpucmd_nv_channel *scratch; /* of the caller, to look ahead with; NULL: no releasers */
    uint64_t look_ahead;        /* words to look ahead in each channel */
    size_t count;               /* blocked channels; at most cap rows are filled */
    bool deadlock;              /* blocked channels remain and nothing runs */
    bool livelock;              /* the last half of the budget had no effect */
    uint64_t rounds;            /* times that each channel had its turn */
} gpucmd_nv_report;

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Only mem set; clock_step_ns 32. */
GPUCMD_PRIV_API void gpucmd_nv_card_init(gpucmd_nv_card *card, gpucmd_mem *mem);
/* Reset state of all parts. From GK104 on subchannel 4 starts with the chip's
 * copy class, which drivers do not bind. GPUCMD_UNSUPPORTED: chip before NV4. */
GPUCMD_MUST_CHECK GPUCMD_PRIV_API gpucmd_status gpucmd_nv_channel_init(gpucmd_nv_channel *ch,
                                                                       gpucmd_nv_chip chip,
                                                                       uint32_t id);
/* Runs until IDLE, BLOCKED (puller.wait says for what) or FAULT, but at most
 * budget words and entries: then LIMIT. FAULT: pusher.error or pbdma.intr,
 * puller.error, or a fault (pusher, pbdma, puller) says why, and the offending
 * word is the next one. A copy of more than 4096 lines or 1 MiB costs one
 * word of budget for each line and KiB. */
GPUCMD_PRIV_API gpucmd_run gpucmd_nv_channel_run(gpucmd_nv_channel *ch, gpucmd_nv_card *card,
                                                 uint64_t budget);
/* One word or entry. */
GPUCMD_PRIV_API gpucmd_run gpucmd_nv_channel_step(gpucmd_nv_channel *ch, gpucmd_nv_card *card);
/* What a kernel does after an error of the host: drop the offending word and go
 * on. Clears INTR_0, errors and faults of the puller; an error of the pusher
 * needs gpucmd_nv_pusher_recover. */
GPUCMD_PRIV_API void gpucmd_nv_channel_clear(gpucmd_nv_channel *ch);
/* The channel control area: fits gpucmd_mmio, user is the channel. */
GPUCMD_PRIV_API uint32_t gpucmd_nv_channel_read32(void *channel, uint64_t off_bytes);
GPUCMD_PRIV_API void gpucmd_nv_channel_write32(void *channel, uint64_t off_bytes, uint32_t v);
/* All channels in turn, quantum words each (at least 1), until no one can go on
 * or budget is spent. IDLE: all done. BLOCKED: deadlock. FAULT: at least one
 * channel stopped with an error; the others went on. LIMIT: budget spent.
 * report may be NULL. */
GPUCMD_PRIV_API gpucmd_run gpucmd_nv_run_all(gpucmd_nv_channel *channels, size_t count,
                                             gpucmd_nv_card *card, uint64_t quantum,
                                             uint64_t budget, gpucmd_nv_report *report);
/* Text of a report, two lines for each blocked channel. */
GPUCMD_PRIV_API void gpucmd_nv_print_report(gpucmd_text *t, const gpucmd_nv_report *report);
#endif

/* ==== [NV.RECIPE] ========================================================================== */

/* Method sequences in the form that the chip has. Each is one command for the
 * writer: whole or not at all. GPUCMD_UNSUPPORTED: the chip lacks it.
 * GPUCMD_RANGE, GPUCMD_ALIGN: a value that the methods cannot hold. Semaphore
 * addresses are below 2^40, from GH100 on below 2^57. Host methods go to
 * subchannel 0, which they ignore. */

/* Flags of semaphore recipes. */
enum {
    GPUCMD_NV_SEM_64BIT = 1,     /* GV100 and later */
    GPUCMD_NV_SEM_TIMESTAMP = 2, /* release, reduction: time at va + 8; G84 until GF100: must be */
    GPUCMD_NV_SEM_WFI = 4,       /* release, reduction: engines are idle first; GF100 and later */
    GPUCMD_NV_SEM_SWITCH = 8,    /* acquire: others run meanwhile; GF100 and later */
    GPUCMD_NV_SEM_SIGNED = 16,   /* reduction */
};

/* Words of each recipe. */
#define GPUCMD_NV_SET_OBJECT_DW      2u
#define GPUCMD_NV_SEM_DW(chip)       ((chip) >= GPUCMD_NV_CHIP_GV100 ? 6u : 5u)
#define GPUCMD_NV_DMA_SEM_ACQUIRE_DW 4u
#define GPUCMD_NV_DMA_SEM_RELEASE_DW 5u
#define GPUCMD_NV_HOST_METHOD_DW     2u /* REF_CNT, WFI, YIELD, ... */
#define GPUCMD_NV_MEM_OP_DW(chip)    ((chip) >= GPUCMD_NV_CHIP_GP100 ? 5u : 3u)
#define GPUCMD_NV_CE_COPY_LINEAR_DW  9u
#define GPUCMD_NV_CE_COPY_2D_DW      11u
#define GPUCMD_NV_CE_FILL_DW         11u
#define GPUCMD_NV_CE_SEM_RELEASE_DW  6u
#define GPUCMD_NV_M2MF_COPY_DW(chip)                                                               \
    (GPUCMD_NV_IS_GF100(chip) ? 12u : (chip) >= GPUCMD_NV_CHIP_G80 ? 16u : 9u)
#define GPUCMD_NV_INLINE_UPLOAD_DW(chip, n) ((n) + ((chip) >= GPUCMD_NV_CHIP_GK104 ? 7u : 9u))

/* Header of a run of increasing methods in the form of the chip; the values are
 * known to fit. */
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

/* Room for a recipe of n_dw words with this status; NULL: store nothing. */
GPUCMD_INLINE uint32_t *gpucmd_priv_nv_recipe(gpucmd_writer *w, gpucmd_status status, uint32_t n_dw)
{
    if (GPUCMD_PRIV_UNLIKELY(status != GPUCMD_OK)) {
        gpucmd_priv_writer_fail(w, status);
        return NULL;
    }
    return gpucmd_priv_writer_claim(w, n_dw);
}

/* One host method with one word. */
GPUCMD_INLINE void gpucmd_priv_nv_emit_host(gpucmd_writer *w, gpucmd_nv_chip chip,
                                            gpucmd_status status, uint32_t mthd, uint32_t dw)
{
    const bool known =
        gpucmd_nv_knows_mthd(chip, mthd) && (unsigned)chip < (unsigned)GPUCMD_NV_CHIP_LATER;
    uint32_t *at =
        gpucmd_priv_nv_recipe(w, known ? status : GPUCMD_UNSUPPORTED, GPUCMD_NV_HOST_METHOD_DW);
    if (at != NULL) {
        at[0] = gpucmd_priv_nv_head(chip, 0, mthd, 1);
        at[1] = dw;
    }
}

/* GPUCMD_OK if va is a multiple of align_bytes and fits the chip. */
GPUCMD_INLINE gpucmd_status gpucmd_priv_nv_check_va(gpucmd_nv_chip chip, uint64_t va,
                                                    uint32_t align_bytes)
{
    const unsigned bits = chip >= GPUCMD_NV_CHIP_GH100 ? (unsigned)GPUCMD_NV_VA57_BITS
                                                       : (unsigned)GPUCMD_NV_ENTRY_VA_BITS;
    if (GPUCMD_PRIV_UNLIKELY(va >> bits != 0)) {
        return GPUCMD_RANGE;
    }
    return GPUCMD_PRIV_UNLIKELY(va % align_bytes != 0) ? GPUCMD_ALIGN : GPUCMD_OK;
}

/* Bind an object to a subchannel (0..7).
 *   object  before GF100 a handle, any value; since, the class in 15:0 and on
 *           Fermi the engine in 20:16
 * [ENVY] OBJECT, [906F] SET_OBJECT */
GPUCMD_INLINE void gpucmd_nv_emit_set_object(gpucmd_writer *w, gpucmd_nv_chip chip, uint32_t subc,
                                             uint32_t object)
{
    const uint32_t own = GPUCMD_FIELD_MASK(NV_OBJECT_CLASS) | GPUCMD_FIELD_MASK(NV_OBJECT_ENGINE);
    gpucmd_status status = GPUCMD_OK;
    uint32_t *at;
    if (chip < GPUCMD_NV_CHIP_NV4) {
        status = GPUCMD_UNSUPPORTED;
    } else if (subc > GPUCMD_FIELD_MAX(NV_HDR_SUBC) ||
               (GPUCMD_NV_IS_GF100(chip) && (object & ~own) != 0)) {
        status = GPUCMD_RANGE;
    }
    at = gpucmd_priv_nv_recipe(w, status, GPUCMD_NV_SET_OBJECT_DW);
    if (at != NULL) {
        at[0] = gpucmd_priv_nv_head(chip, subc, GPUCMD_NV_HOST_SET_OBJECT, 1);
        at[1] = object;
    }
}

/* What SEM_EXECUTE or SEMAPHORED of this chip must hold. */
GPUCMD_INLINE gpucmd_status gpucmd_priv_nv_sem_word(gpucmd_nv_chip chip, gpucmd_nv_sem_op op,
                                                    uint32_t reduction, uint32_t flags,
                                                    uint32_t *dw)
{
    const bool acquires = op < GPUCMD_NV_SEM_OP_RELEASE;
    const bool wide = (flags & GPUCMD_NV_SEM_64BIT) != 0;
    const bool timed = (flags & GPUCMD_NV_SEM_TIMESTAMP) != 0;
    const uint32_t unfit =
        acquires ? GPUCMD_NV_SEM_TIMESTAMP | GPUCMD_NV_SEM_WFI : GPUCMD_NV_SEM_SWITCH;
    const bool is_new = chip >= GPUCMD_NV_CHIP_GV100;
    uint32_t number = 0;
    if (gpucmd_nv_sem_number(chip, is_new ? GPUCMD_NV_HOST_SEM_EXECUTE : GPUCMD_NV_HOST_SEMAPHORED,
                             op, &number) != GPUCMD_OK ||
        (unsigned)chip >= (unsigned)GPUCMD_NV_CHIP_LATER || (flags & unfit) != 0 ||
        (op == GPUCMD_NV_SEM_OP_REDUCTION &&
         !gpucmd_nv_knows_reduction(reduction, wide, (flags & GPUCMD_NV_SEM_SIGNED) == 0))) {
        return GPUCMD_UNSUPPORTED;
    }
    if (is_new) {
        *dw = GPUCMD_FIELD_PUT(NV_SEM_EXECUTE_OPERATION, number) |
              GPUCMD_FIELD_PUT(NV_SEM_EXECUTE_PAYLOAD_SIZE, wide) |
              GPUCMD_FIELD_PUT(NV_SEM_EXECUTE_RELEASE_TIMESTAMP, timed) |
              GPUCMD_FIELD_PUT(NV_SEM_EXECUTE_RELEASE_WFI, (flags & GPUCMD_NV_SEM_WFI) != 0) |
              GPUCMD_FIELD_PUT(NV_SEM_EXECUTE_ACQUIRE_SWITCH_TSG,
                               (flags & GPUCMD_NV_SEM_SWITCH) != 0);
        if (op == GPUCMD_NV_SEM_OP_REDUCTION) {
            *dw |= GPUCMD_FIELD_PUT(NV_SEM_EXECUTE_REDUCTION, reduction) |
                   GPUCMD_FIELD_PUT(NV_SEM_EXECUTE_FORMAT, (flags & GPUCMD_NV_SEM_SIGNED) == 0);
        }
        return GPUCMD_OK;
    }
    *dw = GPUCMD_FIELD_PUT(NV_SEMAPHORED_OPERATION, number);
    if (wide || (timed && op == GPUCMD_NV_SEM_OP_REDUCTION)) {
        return GPUCMD_UNSUPPORTED;
    }
    if (!GPUCMD_NV_IS_GF100(chip)) {
        return (flags & (GPUCMD_NV_SEM_WFI | GPUCMD_NV_SEM_SWITCH)) != 0 || timed == acquires
                   ? GPUCMD_UNSUPPORTED
                   : GPUCMD_OK;
    }
    *dw |= GPUCMD_FIELD_PUT(NV_SEMAPHORED_ACQUIRE_SWITCH, (flags & GPUCMD_NV_SEM_SWITCH) != 0);
    if (!acquires) {
        *dw |= GPUCMD_FIELD_PUT(NV_SEMAPHORED_RELEASE_WFI, (flags & GPUCMD_NV_SEM_WFI) == 0);
    }
    if (op == GPUCMD_NV_SEM_OP_RELEASE) {
        *dw |= GPUCMD_FIELD_PUT(NV_SEMAPHORED_RELEASE_SIZE, !timed);
    }
    if (op == GPUCMD_NV_SEM_OP_REDUCTION) {
        *dw |= GPUCMD_FIELD_PUT(NV_SEMAPHORED_REDUCTION, reduction) |
               GPUCMD_FIELD_PUT(NV_SEMAPHORED_FORMAT, (flags & GPUCMD_NV_SEM_SIGNED) == 0);
    }
    return GPUCMD_OK;
}

/* Address, payload and operation in one run. */
GPUCMD_INLINE void gpucmd_priv_nv_emit_sem(gpucmd_writer *w, gpucmd_nv_chip chip, uint64_t va,
                                           uint64_t payload, uint32_t align_bytes,
                                           gpucmd_status status, uint32_t dw)
{
    uint32_t *at;
    status = status == GPUCMD_OK ? gpucmd_priv_nv_check_va(chip, va, align_bytes) : status;
    if (status == GPUCMD_OK && payload >> 32 != 0 &&
        (chip < GPUCMD_NV_CHIP_GV100 || GPUCMD_FIELD_GET(NV_SEM_EXECUTE_PAYLOAD_SIZE, dw) == 0)) {
        status = GPUCMD_RANGE;
    }
    at = gpucmd_priv_nv_recipe(w, status, GPUCMD_NV_SEM_DW(chip));
    if (at == NULL) {
        return;
    }
    if (chip >= GPUCMD_NV_CHIP_GV100) {
        at[0] = gpucmd_priv_nv_head(chip, 0, GPUCMD_NV_HOST_SEM_ADDR_LO, 5);
        at[1] = (uint32_t)va;
        at[2] = (uint32_t)(va >> 32);
        at[3] = (uint32_t)payload;
        at[4] = (uint32_t)(payload >> 32);
        at[5] = dw;
    } else {
        at[0] = gpucmd_priv_nv_head(chip, 0, GPUCMD_NV_HOST_SEMAPHOREA, 4);
        at[1] = (uint32_t)(va >> 32);
        at[2] = (uint32_t)va;
        at[3] = (uint32_t)payload;
        at[4] = dw;
    }
}

/* Write a payload to memory: GPUCMD_NV_SEM_DW(chip) words; G84 and later.
 *   va       multiple of 4; of 8 with 64BIT, of 16 with TIMESTAMP (GV100 and
 *            later)
 *   payload  32 bits, 64 with 64BIT
 *   flags    GPUCMD_NV_SEM_*
 * Without TIMESTAMP 4 bytes are written, or 8; with it 16: payload, zero or the
 * payload's upper half, nanoseconds. [826F] [906F] [C36F] */
GPUCMD_INLINE void gpucmd_nv_emit_sem_release(gpucmd_writer *w, gpucmd_nv_chip chip, uint64_t va,
                                              uint64_t payload, uint32_t flags)
{
    const uint32_t align_bytes = chip < GPUCMD_NV_CHIP_GV100              ? 4
                                 : (flags & GPUCMD_NV_SEM_TIMESTAMP) != 0 ? 16
                                 : (flags & GPUCMD_NV_SEM_64BIT) != 0     ? 8
                                                                          : 4;
    uint32_t dw = 0;
    const gpucmd_status status =
        gpucmd_priv_nv_sem_word(chip, GPUCMD_NV_SEM_OP_RELEASE, 0, flags, &dw);
    gpucmd_priv_nv_emit_sem(w, chip, va, payload, align_bytes, status, dw);
}

/* Wait until memory compares with the payload: GPUCMD_NV_SEM_DW(chip) words; G84
 * and later.
 *   op       GPUCMD_NV_SEM_OP_ACQUIRE to _ACQ_NOR
 *   va       multiple of 4, of 8 with 64BIT
 * [826F] [906F] [C36F] */
GPUCMD_INLINE void gpucmd_nv_emit_sem_acquire(gpucmd_writer *w, gpucmd_nv_chip chip,
                                              gpucmd_nv_sem_op op, uint64_t va, uint64_t payload,
                                              uint32_t flags)
{
    uint32_t dw = 0;
    gpucmd_status status = gpucmd_priv_nv_sem_word(chip, op, 0, flags, &dw);
    if (op >= GPUCMD_NV_SEM_OP_RELEASE || op == GPUCMD_NV_SEM_OP_NONE) {
        status = GPUCMD_RANGE;
    }
    gpucmd_priv_nv_emit_sem(w, chip, va, payload, (flags & GPUCMD_NV_SEM_64BIT) != 0 ? 8 : 4,
                            status, dw);
}

/* Memory becomes f(memory, payload): GPUCMD_NV_SEM_DW(chip) words; GK110 until
 * GK20A, GM107 and later. va as for a release; SIGNED compares with sign.
 * GPUCMD_UNSUPPORTED also for a reduction that this size and sign lack. [A16F]
 * [C36F] */
GPUCMD_INLINE void gpucmd_nv_emit_sem_reduction(gpucmd_writer *w, gpucmd_nv_chip chip,
                                                gpucmd_nv_reduction reduction, uint64_t va,
                                                uint64_t payload, uint32_t flags)
{
    const uint32_t align_bytes = (flags & GPUCMD_NV_SEM_TIMESTAMP) != 0 ? 16
                                 : (flags & GPUCMD_NV_SEM_64BIT) != 0   ? 8
                                                                        : 4;
    uint32_t dw = 0;
    const gpucmd_status status =
        gpucmd_priv_nv_sem_word(chip, GPUCMD_NV_SEM_OP_REDUCTION, (uint32_t)reduction, flags, &dw);
    gpucmd_priv_nv_emit_sem(w, chip, va, payload, align_bytes, status, dw);
}

/* Status of the values of a semaphore in a DMA object. */
GPUCMD_INLINE gpucmd_status gpucmd_priv_nv_check_dma_sem(gpucmd_nv_chip chip, uint32_t off_bytes)
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

/* Wait until the word at off_bytes of a DMA object equals value: 4 words; NV1A
 * until GF100.
 *   handle     of the object
 *   off_bytes  multiple of 4, at most 0xffc, from G80 on 0xfffc
 * [ENVY] DMA_SEMAPHORE, SEMAPHORE_OFFSET, SEMAPHORE_ACQUIRE */
GPUCMD_INLINE void gpucmd_nv_emit_dma_sem_acquire(gpucmd_writer *w, gpucmd_nv_chip chip,
                                                  uint32_t handle, uint32_t off_bytes,
                                                  uint32_t value)
{
    uint32_t *at = gpucmd_priv_nv_recipe(w, gpucmd_priv_nv_check_dma_sem(chip, off_bytes),
                                         GPUCMD_NV_DMA_SEM_ACQUIRE_DW);
    if (at != NULL) {
        at[0] = gpucmd_priv_nv_head(chip, 0, GPUCMD_NV_HOST_DMA_SEMAPHORE, 3);
        at[1] = handle;
        at[2] = off_bytes;
        at[3] = value;
    }
}

/* Write value there: 5 words. [ENVY] SEMAPHORE_RELEASE */
GPUCMD_INLINE void gpucmd_nv_emit_dma_sem_release(gpucmd_writer *w, gpucmd_nv_chip chip,
                                                  uint32_t handle, uint32_t off_bytes,
                                                  uint32_t value)
{
    uint32_t *at = gpucmd_priv_nv_recipe(w, gpucmd_priv_nv_check_dma_sem(chip, off_bytes),
                                         GPUCMD_NV_DMA_SEM_RELEASE_DW);
    if (at != NULL) {
        at[0] = gpucmd_priv_nv_head(chip, 0, GPUCMD_NV_HOST_DMA_SEMAPHORE, 2);
        at[1] = handle;
        at[2] = off_bytes;
        at[3] = gpucmd_priv_nv_head(chip, 0, GPUCMD_NV_HOST_SEMAPHORE_RELEASE, 1);
        at[4] = value;
    }
}

/* Set the reference counter once engines are idle; NV10 and later. [ENVY] */
GPUCMD_INLINE void gpucmd_nv_emit_ref_cnt(gpucmd_writer *w, gpucmd_nv_chip chip, uint32_t value)
{
    gpucmd_priv_nv_emit_host(w, chip, GPUCMD_OK, GPUCMD_NV_HOST_REF_CNT, value);
}

/* Interrupt the CPU, without a stop; G84 and later. [826F] [906F] */
GPUCMD_INLINE void gpucmd_nv_emit_non_stall_interrupt(gpucmd_writer *w, gpucmd_nv_chip chip)
{
    gpucmd_priv_nv_emit_host(w, chip, GPUCMD_OK, GPUCMD_NV_HOST_NON_STALL_INTERRUPT, 0);
}

/* Flush what was written; G84 and later, deprecated since GF100. [826F] */
GPUCMD_INLINE void gpucmd_nv_emit_fb_flush(gpucmd_writer *w, gpucmd_nv_chip chip)
{
    gpucmd_priv_nv_emit_host(w, chip, GPUCMD_OK, GPUCMD_NV_HOST_FB_FLUSH, 0);
}

/* Wait until the engine used last is idle; GK110 and later. all: every engine;
 * GM107 and later. [A16F] [B06F] */
GPUCMD_INLINE void gpucmd_nv_emit_wfi(gpucmd_writer *w, gpucmd_nv_chip chip, bool all)
{
    gpucmd_priv_nv_emit_host(w, chip,
                             all && chip < GPUCMD_NV_CHIP_GM107 ? GPUCMD_UNSUPPORTED : GPUCMD_OK,
                             GPUCMD_NV_HOST_WFI, GPUCMD_FIELD_PUT(NV_WFI_SCOPE, all));
}

/* Let other channels run; NV40 and later. op: GPUCMD_NV_YIELD_* that the chip
 * has. [ENVY] [B06F] */
GPUCMD_INLINE void gpucmd_nv_emit_yield(gpucmd_writer *w, gpucmd_nv_chip chip, gpucmd_nv_yield op)
{
    gpucmd_priv_nv_emit_host(
        w, chip, gpucmd_nv_knows_yield(chip, (uint32_t)op) ? GPUCMD_OK : GPUCMD_UNSUPPORTED,
        GPUCMD_NV_HOST_YIELD, (uint32_t)op);
}

/* MEM_OP words a to d; a and b are those of GP100 and later. */
GPUCMD_INLINE void gpucmd_priv_nv_emit_mem_op(gpucmd_writer *w, gpucmd_nv_chip chip,
                                              gpucmd_status status, const uint32_t dw[4])
{
    const uint32_t mthd = chip >= GPUCMD_NV_CHIP_GP100   ? (uint32_t)GPUCMD_NV_HOST_MEM_OP_A
                          : chip >= GPUCMD_NV_CHIP_GM107 ? (uint32_t)GPUCMD_NV_HOST_MEM_OP_C
                                                         : (uint32_t)GPUCMD_NV_HOST_MEM_OP_A;
    const uint32_t n = chip >= GPUCMD_NV_CHIP_GP100 ? 4 : 2;
    uint32_t *at;
    if (!GPUCMD_NV_IS_GF100(chip) || (unsigned)chip >= (unsigned)GPUCMD_NV_CHIP_LATER) {
        status = GPUCMD_UNSUPPORTED;
    }
    at = gpucmd_priv_nv_recipe(w, status, 1 + n);
    if (at != NULL) {
        at[0] = gpucmd_priv_nv_head(chip, 0, mthd, n);
        for (uint32_t i = 0; i < n; i++) {
            at[1 + i] = dw[4 - n + i];
        }
    }
}

/* Memory barrier: GPUCMD_NV_MEM_OP_DW(chip) words; GF100 and later. gpu_only: it
 * need not reach the system's memory; GP100 and later. [906F] SYSMEMBAR_FLUSH,
 * [C06F] MEMBAR */
GPUCMD_INLINE void gpucmd_nv_emit_membar(gpucmd_writer *w, gpucmd_nv_chip chip, bool gpu_only)
{
    uint32_t dw[4] = {0, 0, 0, 0};
    dw[2] = GPUCMD_FIELD_PUT(NV_MEM_OP_MEMBAR_TYPE, gpu_only);
    dw[3] = GPUCMD_FIELD_PUT(NV_MEM_OP_OPERATION, GPUCMD_NV_MEM_OP_MEMBAR);
    gpucmd_priv_nv_emit_mem_op(
        w, chip, gpu_only && chip < GPUCMD_NV_CHIP_GP100 ? GPUCMD_UNSUPPORTED : GPUCMD_OK, dw);
}

/* Write dirty lines of L2 back: GPUCMD_NV_MEM_OP_DW(chip) words; GF100 and
 * later. [906F] */
GPUCMD_INLINE void gpucmd_nv_emit_l2_flush_dirty(gpucmd_writer *w, gpucmd_nv_chip chip)
{
    uint32_t dw[4] = {0, 0, 0, 0};
    dw[3] = GPUCMD_FIELD_PUT(NV_MEM_OP_OPERATION, GPUCMD_NV_MEM_OP_L2_FLUSH_DIRTY);
    gpucmd_priv_nv_emit_mem_op(w, chip, GPUCMD_OK, dw);
}

/* Flags of gpucmd_nv_emit_tlb_invalidate. */
enum {
    GPUCMD_NV_TLB_ALL = 1,       /* every page directory; pdb_va and target are 0 */
    GPUCMD_NV_TLB_HUB_ONLY = 2,  /* not the TLBs of GPCs */
    GPUCMD_NV_TLB_SYSMEMBAR = 4, /* and a system barrier; GP100 and later */
};

/* Forget translations: GPUCMD_NV_MEM_OP_DW(chip) words; GF100 and later.
 *   pdb_va  physical address of the page directory: multiple of 4096, below
 *           2^40, from GP100 on below 2^59
 *   target  where it lies: 0 video memory, 2 coherent, 3 other system memory
 *   flags   GPUCMD_NV_TLB_*
 * [906F] [B06F] [C06F] MMU_TLB_INVALIDATE */
GPUCMD_INLINE void gpucmd_nv_emit_tlb_invalidate(gpucmd_writer *w, gpucmd_nv_chip chip,
                                                 uint64_t pdb_va, uint32_t target, uint32_t flags)
{
    const unsigned bits = chip >= GPUCMD_NV_CHIP_GP100 ? 59 : 40;
    const bool all = (flags & GPUCMD_NV_TLB_ALL) != 0;
    const bool barrier = (flags & GPUCMD_NV_TLB_SYSMEMBAR) != 0;
    const uint32_t scope =
        GPUCMD_FIELD_PUT(NV_MEM_OP_TLB_PDB, all) |
        GPUCMD_FIELD_PUT(NV_MEM_OP_TLB_GPC, (flags & GPUCMD_NV_TLB_HUB_ONLY) != 0);
    uint32_t dw[4] = {0, 0, 0, 0};
    gpucmd_status status = GPUCMD_OK;
    if (barrier && chip < GPUCMD_NV_CHIP_GP100) {
        status = GPUCMD_UNSUPPORTED;
    } else if (pdb_va >> bits != 0 || target > 3 || target == 1 ||
               (all && (pdb_va | target) != 0)) {
        status = GPUCMD_RANGE;
    } else if (pdb_va % 4096 != 0) {
        status = GPUCMD_ALIGN;
    }
    dw[3] = GPUCMD_FIELD_PUT(NV_MEM_OP_OPERATION, GPUCMD_NV_MEM_OP_MMU_TLB_INVALIDATE);
    if (chip < GPUCMD_NV_CHIP_GM107) {
        dw[2] = GPUCMD_FIELD_PUT(NV_MEM_OP_TLB_ADDR_906F, pdb_va >> 12) |
                GPUCMD_FIELD_PUT(NV_MEM_OP_TLB_TARGET_906F, target);
        dw[3] |= scope;
    } else {
        dw[0] = GPUCMD_FIELD_PUT(NV_MEM_OP_TLB_SYSMEMBAR, barrier);
        dw[2] = scope | GPUCMD_FIELD_PUT(NV_MEM_OP_TLB_TARGET, target) |
                ((uint32_t)pdb_va & GPUCMD_FIELD_MASK(NV_MEM_OP_TLB_ADDR_LO));
        dw[3] |= GPUCMD_FIELD_PUT(NV_MEM_OP_TLB_ADDR_HI, pdb_va >> 32);
    }
    gpucmd_priv_nv_emit_mem_op(w, chip, status, dw);
}

/* A rectangle to copy: lines of line_bytes bytes, at a distance of pitch bytes. */
typedef struct gpucmd_nv_copy {
    uint64_t dst_va;
    uint64_t src_va;
    uint32_t dst_pitch;
    uint32_t src_pitch;
    uint32_t line_bytes;
    uint32_t lines; /* at least 1 */
} gpucmd_nv_copy;

/* Memory to fill: count elements of size_bytes bytes, 1, 2, 4 or 8. */
typedef struct gpucmd_nv_fill {
    uint64_t dst_va; /* multiple of size_bytes */
    uint64_t value;
    uint32_t size_bytes;
    uint32_t count; /* at least 1 */
} gpucmd_nv_fill;

/* Status of what copy recipes share: copy classes exist from GF100 on in this
 * form (85B5 of GT215 works on DMA objects). */
GPUCMD_INLINE gpucmd_status gpucmd_priv_nv_check_ce(gpucmd_nv_chip chip, uint32_t subc)
{
    if (!GPUCMD_NV_IS_GF100(chip) || (unsigned)chip >= (unsigned)GPUCMD_NV_CHIP_LATER) {
        return GPUCMD_UNSUPPORTED;
    }
    return subc > GPUCMD_FIELD_MAX(NV_HDR_SUBC) ? GPUCMD_RANGE : GPUCMD_OK;
}

GPUCMD_INLINE gpucmd_status gpucmd_priv_nv_check_both(gpucmd_nv_chip chip, gpucmd_status status,
                                                      uint64_t dst_va, uint64_t src_va)
{
    status = status == GPUCMD_OK ? gpucmd_priv_nv_check_va(chip, dst_va, 1) : status;
    return status == GPUCMD_OK ? gpucmd_priv_nv_check_va(chip, src_va, 1) : status;
}

/* Copy len_bytes (at least 1) bytes with the copy class bound to subc: 9 words;
 * GF100 and later. The launch waits for earlier copies and flushes nothing. A
 * release of the copy engine flushes. [85B5] */
GPUCMD_INLINE void gpucmd_nv_emit_ce_copy_linear(gpucmd_writer *w, gpucmd_nv_chip chip,
                                                 uint32_t subc, uint64_t dst_va, uint64_t src_va,
                                                 uint32_t len_bytes)
{
    const gpucmd_status status =
        gpucmd_priv_nv_check_both(chip, gpucmd_priv_nv_check_ce(chip, subc), dst_va, src_va);
    uint32_t *at =
        gpucmd_priv_nv_recipe(w, status == GPUCMD_OK && len_bytes == 0 ? GPUCMD_RANGE : status,
                              GPUCMD_NV_CE_COPY_LINEAR_DW);
    if (at != NULL) {
        at[0] = gpucmd_priv_nv_head(chip, subc, GPUCMD_NV_COPY_OFFSET_IN_UPPER, 4);
        at[1] = (uint32_t)(src_va >> 32);
        at[2] = (uint32_t)src_va;
        at[3] = (uint32_t)(dst_va >> 32);
        at[4] = (uint32_t)dst_va;
        at[5] = gpucmd_priv_nv_head(chip, subc, GPUCMD_NV_COPY_LINE_LENGTH_IN, 1);
        at[6] = len_bytes;
        at[7] = gpucmd_priv_nv_head(chip, subc, GPUCMD_NV_COPY_LAUNCH_DMA, 1);
        at[8] = GPUCMD_FIELD_PUT(NV_LAUNCH_TRANSFER, 2) | GPUCMD_FIELD_PUT(NV_LAUNCH_SRC_PITCH, 1) |
                GPUCMD_FIELD_PUT(NV_LAUNCH_DST_PITCH, 1);
    }
}

/* Copy a rectangle: 11 words; GF100 and later. The launch flushes. [85B5] */
GPUCMD_INLINE void gpucmd_nv_emit_ce_copy_2d(gpucmd_writer *w, gpucmd_nv_chip chip, uint32_t subc,
                                             const gpucmd_nv_copy *copy)
{
    const gpucmd_status status = gpucmd_priv_nv_check_both(
        chip, gpucmd_priv_nv_check_ce(chip, subc), copy->dst_va, copy->src_va);
    const bool empty = copy->line_bytes == 0 || copy->lines == 0;
    uint32_t *at = gpucmd_priv_nv_recipe(w, status == GPUCMD_OK && empty ? GPUCMD_RANGE : status,
                                         GPUCMD_NV_CE_COPY_2D_DW);
    if (at != NULL) {
        at[0] = gpucmd_priv_nv_head(chip, subc, GPUCMD_NV_COPY_OFFSET_IN_UPPER, 8);
        at[1] = (uint32_t)(copy->src_va >> 32);
        at[2] = (uint32_t)copy->src_va;
        at[3] = (uint32_t)(copy->dst_va >> 32);
        at[4] = (uint32_t)copy->dst_va;
        at[5] = copy->src_pitch;
        at[6] = copy->dst_pitch;
        at[7] = copy->line_bytes;
        at[8] = copy->lines;
        at[9] = gpucmd_priv_nv_head(chip, subc, GPUCMD_NV_COPY_LAUNCH_DMA, 1);
        at[10] = GPUCMD_FIELD_PUT(NV_LAUNCH_TRANSFER, 2) | GPUCMD_FIELD_PUT(NV_LAUNCH_FLUSH, 1) |
                 GPUCMD_FIELD_PUT(NV_LAUNCH_SRC_PITCH, 1) |
                 GPUCMD_FIELD_PUT(NV_LAUNCH_DST_PITCH, 1) |
                 GPUCMD_FIELD_PUT(NV_LAUNCH_MULTI_LINE, 1);
    }
}

/* Fill memory: 11 words; GF100 and later. GPUCMD_RANGE also for a value that
 * does not fit the element. [85B5] */
GPUCMD_INLINE void gpucmd_nv_emit_ce_fill(gpucmd_writer *w, gpucmd_nv_chip chip, uint32_t subc,
                                          const gpucmd_nv_fill *fill)
{
    const uint32_t size = fill->size_bytes;
    const bool wide = size == 8;
    gpucmd_status status = gpucmd_priv_nv_check_ce(chip, subc);
    uint32_t *at;
    if (status == GPUCMD_OK &&
        ((size != 1 && size != 2 && size != 4 && !wide) || fill->count == 0 ||
         (!wide && fill->value >> (8 * size % 64) != 0))) {
        status = GPUCMD_RANGE;
    }
    status = status == GPUCMD_OK ? gpucmd_priv_nv_check_va(chip, fill->dst_va, size) : status;
    at = gpucmd_priv_nv_recipe(w, status, GPUCMD_NV_CE_FILL_DW);
    if (at != NULL) {
        at[0] = gpucmd_priv_nv_head(chip, subc, GPUCMD_NV_COPY_SET_REMAP_CONST_A, 3);
        at[1] = wide ? (uint32_t)fill->value : 0;
        at[2] = (uint32_t)(wide ? fill->value >> 32 : fill->value);
        at[3] = GPUCMD_FIELD_PUT(NV_REMAP_SIZE, (wide ? 4 : size) - 1) |
                GPUCMD_FIELD_PUT(NV_REMAP_NUM_DST, wide) |
                GPUCMD_FIELD_PUT(NV_REMAP_DST_X,
                                 wide ? GPUCMD_NV_REMAP_CONST_A : GPUCMD_NV_REMAP_CONST_B) |
                GPUCMD_FIELD_PUT(NV_REMAP_DST_Y, wide ? GPUCMD_NV_REMAP_CONST_B : 0);
        at[4] = gpucmd_priv_nv_head(chip, subc, GPUCMD_NV_COPY_OFFSET_OUT_UPPER, 2);
        at[5] = (uint32_t)(fill->dst_va >> 32);
        at[6] = (uint32_t)fill->dst_va;
        at[7] = gpucmd_priv_nv_head(chip, subc, GPUCMD_NV_COPY_LINE_LENGTH_IN, 1);
        at[8] = fill->count;
        at[9] = gpucmd_priv_nv_head(chip, subc, GPUCMD_NV_COPY_LAUNCH_DMA, 1);
        at[10] = GPUCMD_FIELD_PUT(NV_LAUNCH_TRANSFER, 2) |
                 GPUCMD_FIELD_PUT(NV_LAUNCH_SRC_PITCH, 1) |
                 GPUCMD_FIELD_PUT(NV_LAUNCH_DST_PITCH, 1) | GPUCMD_FIELD_PUT(NV_LAUNCH_REMAP, 1);
    }
}

/* Release of the copy engine, after its earlier copies and with a flush: 6
 * words; GF100 and later. va: multiple of 4, with TIMESTAMP (the only flag) of
 * 16. [85B5] */
GPUCMD_INLINE void gpucmd_nv_emit_ce_sem_release(gpucmd_writer *w, gpucmd_nv_chip chip,
                                                 uint32_t subc, uint64_t va, uint32_t payload,
                                                 uint32_t flags)
{
    const bool timed = (flags & GPUCMD_NV_SEM_TIMESTAMP) != 0;
    gpucmd_status status = gpucmd_priv_nv_check_ce(chip, subc);
    uint32_t *at;
    if (status == GPUCMD_OK && (flags & ~(uint32_t)GPUCMD_NV_SEM_TIMESTAMP) != 0) {
        status = GPUCMD_UNSUPPORTED;
    }
    status = status == GPUCMD_OK ? gpucmd_priv_nv_check_va(chip, va, timed ? 16 : 4) : status;
    at = gpucmd_priv_nv_recipe(w, status, GPUCMD_NV_CE_SEM_RELEASE_DW);
    if (at != NULL) {
        at[0] = gpucmd_priv_nv_head(chip, subc, GPUCMD_NV_COPY_SET_SEMAPHORE_A, 3);
        at[1] = (uint32_t)(va >> 32);
        at[2] = (uint32_t)va;
        at[3] = payload;
        at[4] = gpucmd_priv_nv_head(chip, subc, GPUCMD_NV_COPY_LAUNCH_DMA, 1);
        at[5] = GPUCMD_FIELD_PUT(NV_LAUNCH_FLUSH, 1) |
                GPUCMD_FIELD_PUT(NV_LAUNCH_SEMAPHORE, timed ? 2 : 1);
    }
}

/* Copy a rectangle with the M2MF class of the chip (0039, 5039, 9039) bound to
 * subc: GPUCMD_NV_M2MF_COPY_DW(chip) words; NV4 until GK104. Before GF100
 * addresses are offsets in the DMA objects bound before, below 2^32 until G80.
 * Pitches are below 2^31. [0039] [5039] [9039] */
GPUCMD_INLINE void gpucmd_nv_emit_m2mf_copy(gpucmd_writer *w, gpucmd_nv_chip chip, uint32_t subc,
                                            const gpucmd_nv_copy *copy)
{
    const bool g80 = chip >= GPUCMD_NV_CHIP_G80;
    const bool gf100 = GPUCMD_NV_IS_GF100(chip);
    const uint32_t in_hi = (uint32_t)(copy->src_va >> 32);
    const uint32_t out_hi = (uint32_t)(copy->dst_va >> 32);
    gpucmd_status status = GPUCMD_OK;
    uint32_t *at;
    if (chip < GPUCMD_NV_CHIP_NV4 || chip >= GPUCMD_NV_CHIP_GK104) {
        status = GPUCMD_UNSUPPORTED;
    } else if (subc > GPUCMD_FIELD_MAX(NV_HDR_SUBC) || copy->line_bytes == 0 || copy->lines == 0 ||
               (copy->src_pitch | copy->dst_pitch) >> 31 != 0 || (!g80 && (in_hi | out_hi) != 0)) {
        status = GPUCMD_RANGE;
    }
    status = gpucmd_priv_nv_check_both(chip, status, copy->dst_va, copy->src_va);
    at = gpucmd_priv_nv_recipe(w, status, GPUCMD_NV_M2MF_COPY_DW(chip));
    if (at == NULL) {
        return;
    }
    if (g80 && !gf100) {
        *at++ = gpucmd_priv_nv_head(chip, subc, GPUCMD_NV_M2MF_SRC_LAYOUT, 1);
        *at++ = 1;
        *at++ = gpucmd_priv_nv_head(chip, subc, GPUCMD_NV_M2MF_DST_LAYOUT, 1);
        *at++ = 1;
    }
    if (g80) {
        *at++ = gpucmd_priv_nv_head(chip, subc, GPUCMD_NV_M2MF_OFFSET_OUT_UPPER, 2);
        *at++ = gf100 ? out_hi : in_hi;
        *at++ = gf100 ? (uint32_t)copy->dst_va : out_hi;
    }
    *at++ = gpucmd_priv_nv_head(chip, subc, GPUCMD_NV_M2MF_OFFSET_IN_UPPER, gf100 ? 6 : 8);
    *at++ = gf100 ? in_hi : (uint32_t)copy->src_va;
    *at++ = gf100 ? (uint32_t)copy->src_va : (uint32_t)copy->dst_va;
    *at++ = copy->src_pitch;
    *at++ = copy->dst_pitch;
    *at++ = copy->line_bytes;
    *at++ = copy->lines;
    if (gf100) {
        *at++ = gpucmd_priv_nv_head(chip, subc, GPUCMD_NV_M2MF_LAUNCH_DMA, 1);
        *at = GPUCMD_FIELD_PUT(NV_M2MF_SRC_PITCH, 1) | GPUCMD_FIELD_PUT(NV_M2MF_DST_PITCH, 1) |
              GPUCMD_FIELD_PUT(NV_M2MF_STRUCT_SIZE, 1);
    } else {
        *at++ = GPUCMD_FIELD_PUT(NV_M2MF_FORMAT_IN, 1) | GPUCMD_FIELD_PUT(NV_M2MF_FORMAT_OUT, 1);
        *at = 0;
    }
}

/* Write len_dw words at dst_va (multiple of 4) through the command stream:
 * GPUCMD_NV_INLINE_UPLOAD_DW(chip, len_dw) words; GF100 and later. subc has
 * 9039 before GK104, an inline or compute class since. len_dw is 1..8190. [9039]
 * [A140] */
GPUCMD_INLINE void gpucmd_nv_emit_inline_upload(gpucmd_writer *w, gpucmd_nv_chip chip,
                                                uint32_t subc, uint64_t dst_va,
                                                const uint32_t *data, uint32_t len_dw)
{
    const bool kepler = chip >= GPUCMD_NV_CHIP_GK104;
    gpucmd_status status = gpucmd_priv_nv_check_ce(chip, subc);
    uint32_t *at;
    if (status == GPUCMD_OK && (len_dw == 0 || len_dw >= GPUCMD_FIELD_MAX(NV_HDR_COUNT))) {
        status = GPUCMD_RANGE;
    }
    status = status == GPUCMD_OK ? gpucmd_priv_nv_check_va(chip, dst_va, 4) : status;
    at = gpucmd_priv_nv_recipe(w, status, GPUCMD_NV_INLINE_UPLOAD_DW(chip, len_dw));
    if (at == NULL) {
        return;
    }
    if (kepler) {
        at[0] = gpucmd_priv_nv_head(chip, subc, GPUCMD_NV_INLINE_LINE_LENGTH_IN, 4);
        at[1] = 4 * len_dw;
        at[2] = 1;
        at[3] = (uint32_t)(dst_va >> 32);
        at[4] = (uint32_t)dst_va;
        at[5] = GPUCMD_FIELD_PUT(NV_HDR_SEC_OP, GPUCMD_NV_PRIV_SEC_ONE_INC) |
                GPUCMD_FIELD_PUT(NV_HDR_COUNT, len_dw + 1) | GPUCMD_FIELD_PUT(NV_HDR_SUBC, subc) |
                GPUCMD_FIELD_PUT(NV_HDR_MTHD, GPUCMD_NV_INLINE_LAUNCH_DMA / 4);
        at[6] =
            GPUCMD_FIELD_PUT(NV_INLINE_DST_PITCH, 1) | GPUCMD_FIELD_PUT(NV_INLINE_STRUCT_SIZE, 1);
        gpucmd_priv_copy(at + 7, data, (size_t)len_dw * 4);
        return;
    }
    at[0] = gpucmd_priv_nv_head(chip, subc, GPUCMD_NV_M2MF_OFFSET_OUT_UPPER, 2);
    at[1] = (uint32_t)(dst_va >> 32);
    at[2] = (uint32_t)dst_va;
    at[3] = gpucmd_priv_nv_head(chip, subc, GPUCMD_NV_M2MF_LINE_LENGTH_IN, 2);
    at[4] = 4 * len_dw;
    at[5] = 1;
    at[6] = gpucmd_priv_nv_head(chip, subc, GPUCMD_NV_M2MF_LAUNCH_DMA, 1);
    at[7] = GPUCMD_FIELD_PUT(NV_M2MF_SRC_INLINE, 1) | GPUCMD_FIELD_PUT(NV_M2MF_SRC_PITCH, 1) |
            GPUCMD_FIELD_PUT(NV_M2MF_DST_PITCH, 1) | GPUCMD_FIELD_PUT(NV_M2MF_STRUCT_SIZE, 1);
    at[8] = GPUCMD_FIELD_PUT(NV_HDR_SEC_OP, GPUCMD_NV_PRIV_SEC_NON_INC) |
            GPUCMD_FIELD_PUT(NV_HDR_COUNT, len_dw) | GPUCMD_FIELD_PUT(NV_HDR_SUBC, subc) |
            GPUCMD_FIELD_PUT(NV_HDR_MTHD, GPUCMD_NV_M2MF_LOAD_INLINE_DATA / 4);
    gpucmd_priv_copy(at + 9, data, (size_t)len_dw * 4);
}

#ifdef __cplusplus
}
#endif

#endif /* GPUCMD_NV_H */

/* End of the interface. Implementation below. */

#if defined(GPUCMD_IMPLEMENTATION) && !defined(GPUCMD_NV_H_IMPL)
#define GPUCMD_NV_H_IMPL

#ifdef __cplusplus
extern "C" {
#endif

/* ==== [NV.IMPL.TABLES] ===================================================================== */

typedef struct gpucmd_priv_nv_chip_row {
    char name[8];
    char other[6];
    uint16_t id;
    uint8_t family;
    uint8_t bus;
} gpucmd_priv_nv_chip_row;

#define GPUCMD_NV_PRIV_CHIP(name, id, family, bus, other)                                          \
    {#name, other, id, GPUCMD_NV_FAMILY_##family, GPUCMD_NV_BUS_##bus},
static const gpucmd_priv_nv_chip_row gpucmd_priv_nv_chips[] = {
    GPUCMD_NV_CHIPS(GPUCMD_NV_PRIV_CHIP)};
#undef GPUCMD_NV_PRIV_CHIP

typedef struct gpucmd_priv_nv_class_row {
    uint16_t number;
    uint16_t since;
} gpucmd_priv_nv_class_row;

#define GPUCMD_NV_PRIV_CLASS(number, since, src) {0x##number, GPUCMD_NV_CHIP_##since},
static const gpucmd_priv_nv_class_row gpucmd_priv_nv_classes[] = {
    GPUCMD_NV_CLASSES(GPUCMD_NV_PRIV_CLASS)};
#undef GPUCMD_NV_PRIV_CLASS

enum {
    GPUCMD_PRIV_NV_CLASS_COUNT = sizeof gpucmd_priv_nv_classes / sizeof gpucmd_priv_nv_classes[0],
};

GPUCMD_PRIV_API gpucmd_status gpucmd_nv_chip_from_id(uint32_t id, gpucmd_nv_chip *chip)
{
    for (unsigned i = 0; i < GPUCMD_NV_CHIP_COUNT && id != 0; i++) {
        if (gpucmd_priv_nv_chips[i].id == id) {
            *chip = (gpucmd_nv_chip)i;
            return GPUCMD_OK;
        }
    }
    return GPUCMD_RANGE;
}

/* True if a is b, whatever the case of a's letters; b has capitals. */
static bool gpucmd_priv_nv_same_name(const char *a, const char *b)
{
    while (*b != '\0' && (*a == *b || (*a >= 'a' && *a <= 'z' && *a - 'a' + 'A' == *b))) {
        a++;
        b++;
    }
    return *a == '\0' && *b == '\0';
}

/* Value of 1 to 4 hex digits up to the end of the string; 0 if there is
 * anything else. */
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

GPUCMD_PRIV_API gpucmd_status gpucmd_nv_chip_from_name(const char *name, gpucmd_nv_chip *chip)
{
    unsigned digits;
    uint32_t v;
    for (unsigned i = 0; i < GPUCMD_NV_CHIP_COUNT; i++) {
        const gpucmd_priv_nv_chip_row *row = &gpucmd_priv_nv_chips[i];
        if (gpucmd_priv_nv_same_name(name, row->name) ||
            (row->other[0] != '\0' && gpucmd_priv_nv_same_name(name, row->other))) {
            *chip = (gpucmd_nv_chip)i;
            return GPUCMD_OK;
        }
    }
    v = gpucmd_priv_nv_hex(name, &digits);
    for (unsigned i = 0; i < GPUCMD_PRIV_NV_CLASS_COUNT && digits == 4; i++) {
        if (gpucmd_priv_nv_classes[i].number == v) {
            *chip = (gpucmd_nv_chip)gpucmd_priv_nv_classes[i].since;
            return GPUCMD_OK;
        }
    }
    if ((name[0] == 'n' || name[0] == 'N') && (name[1] == 'v' || name[1] == 'V')) {
        return gpucmd_nv_chip_from_id(gpucmd_priv_nv_hex(name + 2, &digits), chip);
    }
    return GPUCMD_RANGE;
}

GPUCMD_PRIV_API const char *gpucmd_nv_chip_name(gpucmd_nv_chip chip)
{
    return (unsigned)chip < GPUCMD_NV_CHIP_COUNT ? gpucmd_priv_nv_chips[chip].name : "?";
}

GPUCMD_PRIV_API uint32_t gpucmd_nv_chip_id(gpucmd_nv_chip chip)
{
    return (unsigned)chip < GPUCMD_NV_CHIP_COUNT ? gpucmd_priv_nv_chips[chip].id : 0;
}

GPUCMD_PRIV_API gpucmd_nv_family gpucmd_nv_chip_family(gpucmd_nv_chip chip)
{
    return (gpucmd_nv_family)((unsigned)chip < GPUCMD_NV_CHIP_COUNT
                                  ? gpucmd_priv_nv_chips[chip].family
                                  : 0);
}

GPUCMD_PRIV_API gpucmd_nv_bus gpucmd_nv_chip_bus(gpucmd_nv_chip chip)
{
    return (gpucmd_nv_bus)((unsigned)chip < GPUCMD_NV_CHIP_COUNT ? gpucmd_priv_nv_chips[chip].bus
                                                                 : 0);
}

GPUCMD_PRIV_API uint32_t gpucmd_nv_chip_class(gpucmd_nv_chip chip)
{
    uint32_t number = 0;
    for (unsigned i = 0; i < GPUCMD_PRIV_NV_CLASS_COUNT; i++) {
        if ((unsigned)chip < GPUCMD_NV_CHIP_COUNT &&
            gpucmd_priv_nv_classes[i].since <= (unsigned)chip) {
            number = gpucmd_priv_nv_classes[i].number;
        }
    }
    return number;
}

GPUCMD_PRIV_API const char *gpucmd_nv_form_name(gpucmd_nv_form form)
{
    switch (form) {
    case GPUCMD_NV_FORM_INVALID: return "INVALID";
    case GPUCMD_NV_FORM_NOP: return "NOP";
    case GPUCMD_NV_FORM_INC: return "INC";
    case GPUCMD_NV_FORM_NON_INC: return "NON_INC";
    case GPUCMD_NV_FORM_ONE_INC: return "ONE_INC";
    case GPUCMD_NV_FORM_IMMD: return "IMMD";
    case GPUCMD_NV_FORM_LONG_NON_INC: return "LONG_NON_INC";
    case GPUCMD_NV_FORM_OLD_INC: return "OLD_INC";
    case GPUCMD_NV_FORM_OLD_NON_INC: return "OLD_NON_INC";
    case GPUCMD_NV_FORM_JUMP_OLD: return "JUMP_OLD";
    case GPUCMD_NV_FORM_JUMP: return "JUMP";
    case GPUCMD_NV_FORM_CALL: return "CALL";
    case GPUCMD_NV_FORM_RETURN: return "RETURN";
    case GPUCMD_NV_FORM_SLI_COND: return "SLI_COND";
    case GPUCMD_NV_FORM_SLI_STORE: return "SLI_STORE";
    case GPUCMD_NV_FORM_SLI_USE: return "SLI_USE";
    case GPUCMD_NV_FORM_END_SEGMENT: return "END_SEGMENT";
    }
    return "?";
}

GPUCMD_PRIV_API const char *gpucmd_nv_host_method_name(gpucmd_nv_chip chip, uint32_t mthd)
{
#define GPUCMD_NV_PRIV_NAME(name, at, since, until, src)                                           \
    if (mthd == (at) && chip >= GPUCMD_NV_CHIP_##since &&                                          \
        (unsigned)chip < (unsigned)GPUCMD_NV_CHIP_##until) {                                       \
        return #name;                                                                              \
    }
    GPUCMD_NV_HOST_METHODS(GPUCMD_NV_PRIV_NAME)
#undef GPUCMD_NV_PRIV_NAME
    return "?";
}

GPUCMD_PRIV_API const char *gpucmd_nv_pusher_error_name(gpucmd_nv_pusher_error error)
{
#define GPUCMD_NV_PRIV_ERROR(name, id, text)                                                       \
    case GPUCMD_NV_PUSHER_ERROR_##name: return #name;
    switch (error) {
        GPUCMD_NV_PUSHER_ERRORS(GPUCMD_NV_PRIV_ERROR)
    }
#undef GPUCMD_NV_PRIV_ERROR
    return "?";
}

GPUCMD_PRIV_API const char *gpucmd_nv_pusher_error_text(gpucmd_nv_pusher_error error)
{
#define GPUCMD_NV_PRIV_ERROR(name, id, text)                                                       \
    case GPUCMD_NV_PUSHER_ERROR_##name: return text;
    switch (error) {
        GPUCMD_NV_PUSHER_ERRORS(GPUCMD_NV_PRIV_ERROR)
    }
#undef GPUCMD_NV_PRIV_ERROR
    return "?";
}

/* ==== [NV.IMPL.DECODE] ===================================================================== */

/* Build a line in a small buffer, then append it at once. */
typedef struct gpucmd_priv_nv_line {
    char text[96];
    unsigned len;
} gpucmd_priv_nv_line;

static void gpucmd_priv_nv_line_str(gpucmd_priv_nv_line *line, const char *s)
{
    while (*s != '\0' && line->len < sizeof line->text - 1) {
        line->text[line->len++] = *s++;
    }
}

/* At least digits digits, as many as v needs. */
GPUCMD_INLINE void gpucmd_priv_nv_line_hex(gpucmd_priv_nv_line *line, uint64_t v, unsigned digits)
{
    unsigned n = digits;
    while (n < 16 && v >> (4 * n) != 0) {
        n++;
    }
    while (n-- != 0 && line->len < sizeof line->text - 1) {
        line->text[line->len++] = "0123456789abcdef"[v >> (4 * n) & 15];
    }
}

static void gpucmd_priv_nv_line_dec(gpucmd_priv_nv_line *line, uint32_t v)
{
    uint32_t unit = 1;
    while (v / unit >= 10) {
        unit *= 10;
    }
    for (; unit != 0 && line->len < sizeof line->text - 1; unit /= 10) {
        line->text[line->len++] = (char)('0' + v / unit % 10);
    }
}

static void gpucmd_priv_nv_line_pad(gpucmd_priv_nv_line *line, unsigned column)
{
    while (line->len < column) {
        line->text[line->len++] = ' ';
    }
}

static void gpucmd_priv_nv_line_end(gpucmd_priv_nv_line *line, gpucmd_text *t)
{
    while (line->len > 0 && line->text[line->len - 1] == ' ') {
        line->len--;
    }
    line->text[line->len++] = '\n';
    gpucmd_priv_text_put(t, line->text, line->len);
}

/* Address and word: the beginning of every line. */
static void gpucmd_priv_nv_line_begin(gpucmd_priv_nv_line *line, uint64_t at_va, uint32_t dw)
{
    line->len = 2;
    line->text[0] = '0';
    line->text[1] = 'x';
    gpucmd_priv_nv_line_hex(line, at_va, 6);
    gpucmd_priv_nv_line_str(line, "  ");
    gpucmd_priv_nv_line_hex(line, dw, 8);
    gpucmd_priv_nv_line_str(line, "  ");
}

/* Subchannel, method and, for the host's methods, its name. */
static void gpucmd_priv_nv_line_mthd(gpucmd_priv_nv_line *line, const gpucmd_nv_gate *gate,
                                     uint32_t subc, uint32_t mthd)
{
    line->text[line->len++] = 's';
    line->text[line->len++] = (char)('0' + subc);
    gpucmd_priv_nv_line_str(line, " 0x");
    gpucmd_priv_nv_line_hex(line, mthd, 4);
    line->text[line->len++] = ' ';
    if (mthd < 0x100) {
        gpucmd_priv_nv_line_str(line, gpucmd_nv_host_method_name(gate->chip, mthd));
        line->text[line->len++] = ' ';
    }
}

static void gpucmd_priv_nv_print_header(gpucmd_text *t, const gpucmd_nv_gate *gate,
                                        const gpucmd_nv_cmd *cmd, uint64_t at_va)
{
    gpucmd_priv_nv_line line;
    gpucmd_priv_nv_line_begin(&line, at_va, cmd->dw);
    const unsigned column = line.len + 13;
    gpucmd_priv_nv_line_str(&line, gpucmd_nv_form_name(cmd->form));
    gpucmd_priv_nv_line_pad(&line, column);
    if (gpucmd_nv_form_is_run(cmd->form)) {
        gpucmd_priv_nv_line_mthd(&line, gate, cmd->subc, cmd->mthd);
    }
    if (cmd->form == GPUCMD_NV_FORM_IMMD) {
        gpucmd_priv_nv_line_str(&line, "= 0x");
        gpucmd_priv_nv_line_hex(&line, cmd->value, 1);
    } else if (gpucmd_nv_form_is_run(cmd->form) && cmd->form != GPUCMD_NV_FORM_LONG_NON_INC) {
        gpucmd_priv_nv_line_str(&line, "n");
        gpucmd_priv_nv_line_dec(&line, cmd->count_dw);
    } else if (cmd->form == GPUCMD_NV_FORM_SLI_COND || cmd->form == GPUCMD_NV_FORM_SLI_STORE) {
        gpucmd_priv_nv_line_str(&line, "mask 0x");
        gpucmd_priv_nv_line_hex(&line, cmd->value, 3);
    } else if (cmd->form == GPUCMD_NV_FORM_JUMP_OLD || cmd->form == GPUCMD_NV_FORM_JUMP ||
               cmd->form == GPUCMD_NV_FORM_CALL) {
        gpucmd_priv_nv_line_str(&line, "to 0x");
        gpucmd_priv_nv_line_hex(&line, cmd->value, 6);
    }
    gpucmd_priv_nv_line_end(&line, t);
}

GPUCMD_PRIV_API void gpucmd_nv_print(gpucmd_text *t, const gpucmd_nv_gate *gate,
                                     const gpucmd_nv_cmd *cmd, uint64_t at_va)
{
    const uint32_t *dw = cmd->data - cmd->head_dw;
    gpucmd_priv_nv_line line;
    uint32_t i = 0;
    if (!cmd->resumed) {
        gpucmd_priv_nv_print_header(t, gate, cmd, at_va);
        i++;
    }
    for (; i < cmd->head_dw; i++) {
        gpucmd_priv_nv_line_begin(&line, at_va + 4 * (uint64_t)i, dw[i]);
        gpucmd_priv_nv_line_str(&line, "COUNT        n");
        gpucmd_priv_nv_line_dec(&line, cmd->count_dw);
        gpucmd_priv_nv_line_end(&line, t);
    }
    for (; i < cmd->len_dw; i++) {
        gpucmd_priv_nv_line_begin(&line, at_va + 4 * (uint64_t)i, dw[i]);
        gpucmd_priv_nv_line_str(&line, "             ");
        gpucmd_priv_nv_line_mthd(
            &line, gate, cmd->subc,
            gpucmd_nv_mthd_at(gate->chip, cmd->kind, cmd->mthd, i - cmd->head_dw));
        gpucmd_priv_nv_line_end(&line, t);
    }
}

GPUCMD_PRIV_API void gpucmd_nv_print_entry(gpucmd_text *t, gpucmd_nv_chip chip,
                                           const uint32_t dw[2], uint64_t at_va)
{
    gpucmd_priv_nv_line line;
    gpucmd_nv_entry entry;
    gpucmd_priv_nv_line_begin(&line, at_va, dw[0]);
    gpucmd_priv_nv_line_hex(&line, dw[1], 8);
    gpucmd_priv_nv_line_str(&line, "  ");
    if (gpucmd_nv_decode_entry(dw, chip, &entry) != GPUCMD_OK) {
        gpucmd_priv_nv_line_str(&line, "INVALID");
    } else if (entry.is_control) {
#define GPUCMD_NV_PRIV_CONTROL(name, op, since, src)                                               \
    if (entry.opcode == (op) && chip >= GPUCMD_NV_CHIP_##since) {                                  \
        gpucmd_priv_nv_line_str(&line, #name " ");                                                 \
    }
        GPUCMD_NV_CONTROLS(GPUCMD_NV_PRIV_CONTROL)
#undef GPUCMD_NV_PRIV_CONTROL
        gpucmd_priv_nv_line_str(&line, "opcode ");
        gpucmd_priv_nv_line_dec(&line, entry.opcode);
        gpucmd_priv_nv_line_str(&line, " operand 0x");
        gpucmd_priv_nv_line_hex(&line, entry.operand, 8);
    } else {
        gpucmd_priv_nv_line_str(&line, "segment 0x");
        gpucmd_priv_nv_line_hex(&line, entry.va, 10);
        gpucmd_priv_nv_line_str(&line, " n");
        gpucmd_priv_nv_line_dec(&line, entry.len_dw);
    }
#define GPUCMD_NV_PRIV_FLAG(name, flag, word, field, since, until, src)                            \
    if ((entry.flags & GPUCMD_NV_ENTRY_##name) != 0) {                                             \
        gpucmd_priv_nv_line_end(&line, t);                                                         \
        line.len = 0;                                                                              \
        gpucmd_priv_nv_line_pad(&line, 28);                                                        \
        gpucmd_priv_nv_line_str(&line, #name);                                                     \
    }
    if (chip >= GPUCMD_NV_CHIP_G80) {
        GPUCMD_NV_ENTRY_FLAGS(GPUCMD_NV_PRIV_FLAG)
    }
#undef GPUCMD_NV_PRIV_FLAG
    gpucmd_priv_nv_line_end(&line, t);
}

/* ==== [NV.IMPL.CHECK] ====================================================================== */

GPUCMD_PRIV_API const char *gpucmd_nv_rule_name(gpucmd_nv_rule rule)
{
#define GPUCMD_NV_PRIV_RULE(name, severity, text)                                                  \
    case GPUCMD_NV_RULE_##name: return #name;
    switch (rule) {
        GPUCMD_NV_RULES(GPUCMD_NV_PRIV_RULE)
    }
#undef GPUCMD_NV_PRIV_RULE
    return "?";
}

GPUCMD_PRIV_API const char *gpucmd_nv_rule_text(gpucmd_nv_rule rule)
{
#define GPUCMD_NV_PRIV_RULE(name, severity, text)                                                  \
    case GPUCMD_NV_RULE_##name: return text;
    switch (rule) {
        GPUCMD_NV_RULES(GPUCMD_NV_PRIV_RULE)
    }
#undef GPUCMD_NV_PRIV_RULE
    return "?";
}

GPUCMD_PRIV_API gpucmd_nv_severity gpucmd_nv_rule_severity(gpucmd_nv_rule rule)
{
#define GPUCMD_NV_PRIV_RULE(name, severity, text)                                                  \
    case GPUCMD_NV_RULE_##name: return GPUCMD_NV_SEVERITY_##severity;
    switch (rule) {
        GPUCMD_NV_RULES(GPUCMD_NV_PRIV_RULE)
    }
#undef GPUCMD_NV_PRIV_RULE
    return GPUCMD_NV_SEVERITY_ERROR;
}

GPUCMD_PRIV_API const char *gpucmd_nv_severity_name(gpucmd_nv_severity severity)
{
    switch (severity) {
    case GPUCMD_NV_SEVERITY_NOTE: return "note";
    case GPUCMD_NV_SEVERITY_WARNING: return "warning";
    case GPUCMD_NV_SEVERITY_ERROR: return "error";
    }
    return "?";
}

/* One check under way. */
typedef struct gpucmd_priv_nv_checker {
    const gpucmd_nv_gate *gate;
    gpucmd_nv_finding_fn found;
    void *user;
    size_t errors;
    gpucmd_status status; /* what found returned */
    uint64_t base_va;     /* of the buffer that jumps may not leave */
    uint64_t base_bytes;
} gpucmd_priv_nv_checker;

static void gpucmd_priv_nv_find(gpucmd_priv_nv_checker *c, gpucmd_nv_rule rule, uint64_t at_va,
                                uint32_t dw, uint32_t mthd, uint32_t value)
{
    gpucmd_nv_finding finding;
    if (c->status != GPUCMD_OK) {
        return;
    }
    if (gpucmd_nv_rule_severity(rule) == GPUCMD_NV_SEVERITY_ERROR) {
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

/* Methods of the words of a run that lie here. */
static void gpucmd_priv_nv_check_methods(gpucmd_priv_nv_checker *c, const gpucmd_nv_cmd *cmd,
                                         uint64_t at_va)
{
    const gpucmd_nv_chip chip = c->gate->chip;
    const bool immd = cmd->form == GPUCMD_NV_FORM_IMMD;
    const uint32_t here_dw = immd ? 1 : cmd->len_dw - cmd->head_dw;
    uint32_t last = GPUCMD_FIELD_MAX(NV_HDR_MTHD) + 1;
    if (cmd->form == GPUCMD_NV_FORM_OLD_INC || !GPUCMD_NV_IS_GF100(chip)) {
        last = GPUCMD_FIELD_MAX(NV_OLD_MTHD) + 1;
    }
    if (!cmd->resumed &&
        ((cmd->kind == GPUCMD_NV_KIND_INC && cmd->mthd / 4 + cmd->count_dw > last) ||
         (cmd->kind == GPUCMD_NV_KIND_ONE_INC && cmd->count_dw > 1 && cmd->mthd / 4 + 2 > last))) {
        gpucmd_priv_nv_find(c, GPUCMD_NV_RULE_METHOD_WRAP, at_va, cmd->dw, cmd->mthd, 0);
        return;
    }
    for (uint32_t i = 0; i < here_dw; i++) {
        const uint32_t mthd = gpucmd_nv_mthd_at(chip, cmd->kind, cmd->mthd, i);
        if (!gpucmd_nv_knows_mthd(chip, mthd)) {
            gpucmd_priv_nv_find(c, GPUCMD_NV_RULE_UNKNOWN_METHOD,
                                at_va + (immd ? 0 : 4 * (uint64_t)(cmd->head_dw + i)),
                                immd ? cmd->dw : cmd->data[i], mthd, 0);
        }
        if (cmd->kind == GPUCMD_NV_KIND_INC ? mthd >= 0x100
                                            : cmd->kind != GPUCMD_NV_KIND_ONE_INC || i != 0) {
            break; /* the methods that follow are engines', or the same again */
        }
    }
}

static void gpucmd_priv_nv_check_command(gpucmd_priv_nv_checker *c, const gpucmd_nv_cmd *cmd,
                                         uint64_t at_va)
{
    if (cmd->stray != 0) {
        gpucmd_priv_nv_find(c, GPUCMD_NV_RULE_STRAY_BITS, at_va, cmd->dw, 0, cmd->stray);
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

/* Walk the words of one piece of a segment. Returns false at END_SEGMENT. */
static bool gpucmd_priv_nv_check_words(gpucmd_priv_nv_checker *c, gpucmd_nv_walk *walk,
                                       const uint32_t *dw, size_t len_dw, uint64_t at_va)
{
    gpucmd_nv_cmd cmd;
    gpucmd_nv_walk_segment(walk, dw, len_dw);
    while (c->status == GPUCMD_OK && gpucmd_nv_walk_next(walk, &cmd)) {
        gpucmd_priv_nv_check_command(c, &cmd, at_va);
        at_va += 4 * (uint64_t)cmd.len_dw;
        if (cmd.form == GPUCMD_NV_FORM_END_SEGMENT) {
            if (walk->cur != walk->end) {
                gpucmd_priv_nv_find(c, GPUCMD_NV_RULE_AFTER_END, at_va, *walk->cur, 0, 0);
            }
            return false;
        }
    }
    return true;
}

static void gpucmd_priv_nv_check_begin(gpucmd_priv_nv_checker *c, const gpucmd_nv_gate *gate,
                                       gpucmd_nv_finding_fn found, void *user)
{
    c->gate = gate;
    c->found = found;
    c->user = user;
    c->errors = 0;
    c->status = GPUCMD_OK;
    c->base_va = 0;
    c->base_bytes = 0;
}

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
    (void)gpucmd_priv_nv_check_words(&c, &walk, dw, len_dw, base_va);
    gpucmd_priv_nv_check_end(&c, &walk, base_va + 4 * (uint64_t)len_dw);
    *errors = c.errors;
    return c.status;
}

/* Walk a segment in memory, a piece at a time. */
static void gpucmd_priv_nv_check_segment(gpucmd_priv_nv_checker *c, gpucmd_nv_walk *walk,
                                         gpucmd_mem *mem, uint64_t va, uint32_t len_dw)
{
    uint32_t dw[64];
    if (gpucmd_mem_probe(mem, va, 4 * (uint64_t)len_dw, GPUCMD_ACCESS_READ) != GPUCMD_OK) {
        gpucmd_priv_nv_find(c, GPUCMD_NV_RULE_ENTRY_MEMORY, mem->fault_va, 0, 0, 0);
        return;
    }
    while (len_dw != 0) {
        const uint32_t n_dw = len_dw < 64 ? len_dw : 64;
        if (gpucmd_mem_read(mem, va, dw, 4 * (uint64_t)n_dw) != GPUCMD_OK) {
            return;
        }
        for (uint32_t i = 0; i < n_dw; i++) {
            dw[i] = gpucmd_load32(&dw[i], GPUCMD_LITTLE_ENDIAN);
        }
        if (!gpucmd_priv_nv_check_words(c, walk, dw, n_dw, va)) {
            return;
        }
        va += 4 * (uint64_t)n_dw;
        len_dw -= n_dw;
    }
}

/* The entry itself; true if it names a segment to be walked. */
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
    if (entry->is_control) {
        if (!known) {
            gpucmd_priv_nv_find(c, GPUCMD_NV_RULE_ENTRY_OPCODE, at_va, dw[1], 0, entry->opcode);
        }
        return false;
    }
    if (entry->len_dw == 0) {
        gpucmd_priv_nv_find(c, GPUCMD_NV_RULE_EMPTY_ENTRY, at_va, dw[1], 0, 0);
        return false;
    }
    if (end_va > ((uint64_t)1 << GPUCMD_NV_ENTRY_VA_BITS) - (GPUCMD_NV_IS_GF100(chip) ? 1 : 0)) {
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
    gpucmd_priv_nv_checker c;
    gpucmd_nv_walk walk;
    gpucmd_nv_entry entry;
    uint64_t base_va = 0;
    bool header_conditional = false;
    gpucmd_priv_nv_check_begin(&c, gate, found, user);
    gpucmd_nv_walk_init(&walk, gate);
    for (size_t i = 0; i < count && c.status == GPUCMD_OK; i++) {
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
            if (!gpucmd_nv_walk_pending(&walk)) {
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

/* ==== [NV.IMPL.EXEC] ======================================================================= */

enum { GPUCMD_PRIV_NV_PIECE_DW = 64 }; /* words that change byte order at a time */

/* An event without data. */
static void gpucmd_priv_nv_event(gpucmd_event *event, gpucmd_event_kind kind, uint32_t code,
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

/* Hand the words at at, in the given byte order, to the caller as the event's
 * data. Returns what the callback returned; *n_dw, how many there are, becomes
 * how many it has taken. */
static gpucmd_status gpucmd_priv_nv_send(const gpucmd_env *env, gpucmd_event *event,
                                         const uint8_t *at, gpucmd_endian endian, uint32_t *n_dw)
{
    uint32_t piece[GPUCMD_PRIV_NV_PIECE_DW];
    uint32_t taken_dw = 0;
    gpucmd_status status;
    if (env->event == NULL) {
        return GPUCMD_OK;
    }
    if (endian == gpucmd_host_endian() && (uintptr_t)at % 4 == 0) {
        event->data = (const uint32_t *)(const void *)at;
    } else {
        gpucmd_load_words(piece, at, *n_dw, endian);
        event->data = piece;
    }
    event->count_dw = *n_dw;
    event->out_dw = &taken_dw;
    status = env->event(env->user, event);
    event->data = NULL;
    event->out_dw = NULL;
    if (status != GPUCMD_OK) {
        *n_dw = status == GPUCMD_BLOCKED && taken_dw < *n_dw ? taken_dw : 0;
    }
    return status;
}

/* Largest number of words that one call of gpucmd_priv_nv_send may have. */
GPUCMD_INLINE uint32_t gpucmd_priv_nv_send_max(const uint8_t *at, gpucmd_endian endian)
{
    return endian == gpucmd_host_endian() && (uintptr_t)at % 4 == 0
               ? 0xffffffffu
               : (uint32_t)GPUCMD_PRIV_NV_PIECE_DW;
}

/* Show the trace one step: a word or an entry about to be consumed. */
static void gpucmd_priv_nv_trace(const gpucmd_env *env, uint32_t code, uint64_t va, uint64_t value)
{
    gpucmd_event event;
    if (env->trace != NULL) {
        gpucmd_priv_nv_event(&event, GPUCMD_EVENT_FETCH, code, va, value);
        (void)env->trace(env->trace_user, &event);
    }
}

/* The same for data words of a run. */
static void gpucmd_priv_nv_trace_data(const gpucmd_env *env, uint64_t va, const uint8_t *at,
                                      gpucmd_endian endian, uint32_t n_dw)
{
    for (uint32_t i = 0; i < n_dw && env->trace != NULL; i++) {
        gpucmd_priv_nv_trace(env, GPUCMD_NV_FETCH_DATA, va + 4 * (uint64_t)i,
                             gpucmd_load32(at + 4 * (size_t)i, endian));
    }
}

/* Run result of a status that a callback returned. */
GPUCMD_INLINE gpucmd_run gpucmd_priv_nv_stop(gpucmd_status status, gpucmd_status *fault)
{
    if (status == GPUCMD_BLOCKED) {
        return GPUCMD_RUN_BLOCKED;
    }
    *fault = status;
    return GPUCMD_RUN_FAULT;
}

/* ---- pusher, NV4 until GF100 ---- */

#define GPUCMD_PRIV_NV_B40 (((uint64_t)1 << GPUCMD_NV_ENTRY_VA_BITS) - 1)

GPUCMD_PRIV_API gpucmd_status gpucmd_nv_pusher_init(gpucmd_nv_pusher *p, gpucmd_nv_chip chip)
{
    if (chip < GPUCMD_NV_CHIP_NV4 || GPUCMD_NV_IS_GF100(chip)) {
        return GPUCMD_UNSUPPORTED;
    }
    gpucmd_priv_zero(p, sizeof *p);
    p->chip = chip;
    p->dma_limit = 0xffffffffu;
    p->sli_active = chip >= GPUCMD_NV_CHIP_NV40;
    return GPUCMD_OK;
}

/* Switches count only where the chip has them. */
GPUCMD_INLINE bool gpucmd_priv_nv_ib(const gpucmd_nv_pusher *p)
{
    return p->ib_enable && p->chip >= GPUCMD_NV_CHIP_G80;
}

GPUCMD_INLINE bool gpucmd_priv_nv_sli_on(const gpucmd_nv_pusher *p)
{
    return p->sli_enable && p->chip >= GPUCMD_NV_CHIP_NV40;
}

/* Byte order of pushbuffer words. [ENVY] */
GPUCMD_INLINE gpucmd_endian gpucmd_priv_nv_endian(const gpucmd_nv_pusher *p)
{
    const bool big = p->chip >= GPUCMD_NV_CHIP_G80    ? p->pfifo_endian
                     : p->chip >= GPUCMD_NV_CHIP_NV1A ? p->big_endian
                                                      : false;
    return big ? GPUCMD_BIG_ENDIAN : GPUCMD_LITTLE_ENDIAN;
}

GPUCMD_INLINE uint64_t gpucmd_priv_nv_va_mask(const gpucmd_nv_pusher *p)
{
    return p->chip >= GPUCMD_NV_CHIP_G80 ? GPUCMD_PRIV_NV_B40 : 0xffffffffu;
}

/* dma_get moves past n_dw words, and dma_mget with it. */
GPUCMD_INLINE void gpucmd_priv_nv_advance(gpucmd_nv_pusher *p, uint32_t n_dw)
{
    p->dma_get = (p->dma_get + 4 * (uint64_t)n_dw) & gpucmd_priv_nv_va_mask(p);
    if (p->chip >= GPUCMD_NV_CHIP_G80 && !p->nonmain) {
        p->dma_mget = p->dma_get;
        p->dma_mget_val = true;
    }
}

static gpucmd_run gpucmd_priv_nv_throw(gpucmd_nv_pusher *p, gpucmd_nv_pusher_error error)
{
    p->error = error;
    return GPUCMD_RUN_FAULT;
}

/* Up to n_dw data words of the run, which lie at at. *done_dw becomes how many
 * were consumed. */
static gpucmd_run gpucmd_priv_nv_pusher_data(gpucmd_nv_pusher *p, const gpucmd_env *env,
                                             const uint8_t *at, uint32_t n_dw, uint32_t *done_dw)
{
    const gpucmd_endian endian = gpucmd_priv_nv_endian(p);
    const uint32_t most_dw = gpucmd_priv_nv_send_max(at, endian);
    gpucmd_status status = GPUCMD_OK;
    uint32_t good_dw = p->mcnt < n_dw ? p->mcnt : n_dw;
    uint32_t taken_dw;
    good_dw = good_dw < most_dw ? good_dw : most_dw;
    if (!p->ni && good_dw > GPUCMD_FIELD_MAX(NV_OLD_MTHD) + 1 - p->mthd) {
        good_dw = GPUCMD_FIELD_MAX(NV_OLD_MTHD) + 1 - p->mthd; /* addresses wrap */
    }
    for (uint32_t i = 0; i < good_dw && (p->mthd + i) * 4 < 0x100; i++) {
        if (!gpucmd_nv_knows_mthd(p->chip, (p->mthd + (p->ni ? 0 : i)) * 4)) {
            good_dw = i;
        } else if (p->ni) {
            break;
        }
    }
    *done_dw = 1;
    if (good_dw == 0) {
        gpucmd_priv_nv_trace_data(env, p->dma_pushbuffer_va + p->dma_get, at, endian, 1);
        p->data_shadow = p->chip >= GPUCMD_NV_CHIP_NV5 ? gpucmd_load32(at, endian) : 0;
        gpucmd_priv_nv_advance(p, 1);
        return gpucmd_priv_nv_throw(p, GPUCMD_NV_PUSHER_ERROR_INVALID_MTHD);
    }
    gpucmd_priv_nv_trace_data(env, p->dma_pushbuffer_va + p->dma_get, at, endian, good_dw);
    taken_dw = good_dw;
    if (!gpucmd_priv_nv_sli_on(p) || p->sli_active) {
        gpucmd_event event;
        gpucmd_priv_nv_event(&event, GPUCMD_EVENT_METHODS,
                             p->ni ? GPUCMD_NV_KIND_NON_INC : GPUCMD_NV_KIND_INC,
                             p->dma_pushbuffer_va + p->dma_get, 0);
        event.unit = p->subc;
        event.addr = p->mthd * 4;
        status = gpucmd_priv_nv_send(env, &event, at, endian, &taken_dw);
    }
    *done_dw = taken_dw;
    if (taken_dw != 0) {
        if (p->chip >= GPUCMD_NV_CHIP_NV5) {
            p->data_shadow = gpucmd_load32(at + 4 * (size_t)(taken_dw - 1), endian);
            p->dcount_shadow += taken_dw;
        }
        gpucmd_priv_nv_advance(p, taken_dw);
        p->mcnt -= taken_dw;
        p->mthd = p->ni ? p->mthd : (p->mthd + taken_dw) & GPUCMD_FIELD_MAX(NV_OLD_MTHD);
    }
    return status == GPUCMD_OK ? GPUCMD_RUN_DONE : gpucmd_priv_nv_stop(status, &p->fault);
}

/* A run begins. */
GPUCMD_INLINE void gpucmd_priv_nv_pusher_header(gpucmd_nv_pusher *p, uint32_t dw, bool ni)
{
    p->mthd = GPUCMD_FIELD_GET(NV_OLD_MTHD, dw);
    p->subc = GPUCMD_FIELD_GET(NV_OLD_SUBC, dw);
    p->ni = ni;
    p->dcount_shadow = 0;
}

/* First word of a command; dma_get is past it. */
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
            return gpucmd_priv_nv_throw(p, GPUCMD_NV_PUSHER_ERROR_CALL_SUBR_ACTIVE);
        }
        p->subr_return = get;
        p->subr_active = true;
        p->dma_get = dw & GPUCMD_FIELD_MASK(NV_OLD_LONG_OFFSET);
        return GPUCMD_RUN_DONE;
    case GPUCMD_NV_FORM_RETURN:
        if (!p->subr_active) {
            return gpucmd_priv_nv_throw(p, GPUCMD_NV_PUSHER_ERROR_RET_SUBR_INACTIVE);
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
    return gpucmd_priv_nv_throw(p, GPUCMD_NV_PUSHER_ERROR_INVALID_CMD);
}

/* A word that is not data of a run: the long count, or the first word of a
 * command. */
GPUCMD_INLINE gpucmd_run gpucmd_priv_nv_pusher_word(gpucmd_nv_pusher *p, const gpucmd_nv_gate *gate,
                                                    uint32_t dw)
{
    gpucmd_priv_nv_advance(p, 1);
    if (p->lenp) {
        p->lenp = false;
        p->mcnt = GPUCMD_FIELD_GET(NV_OLD_LONG_COUNT, dw);
        return GPUCMD_RUN_DONE;
    }
    return gpucmd_priv_nv_pusher_command(p, gpucmd_nv_classify(gate, dw), dw);
}

/* The next IB entry. */
static gpucmd_run gpucmd_priv_nv_pusher_entry(gpucmd_nv_pusher *p, const gpucmd_env *env)
{
    const gpucmd_endian endian = p->pfifo_endian ? GPUCMD_BIG_ENDIAN : GPUCMD_LITTLE_ENDIAN;
    const uint64_t at_va =
        p->dma_pushbuffer_va + ((p->ib_address + 8 * (uint64_t)p->ib_get) & GPUCMD_PRIV_NV_B40);
    uint8_t bytes[8];
    uint32_t dw[2];
    gpucmd_nv_entry entry;
    if (gpucmd_mem_read(env->mem, at_va, bytes, sizeof bytes) != GPUCMD_OK) {
        return gpucmd_priv_nv_throw(p, GPUCMD_NV_PUSHER_ERROR_MEM_FAULT);
    }
    dw[0] = gpucmd_load32(bytes, endian);
    dw[1] = gpucmd_load32(bytes + 4, endian);
    gpucmd_priv_nv_trace(env, GPUCMD_NV_FETCH_ENTRY, at_va, (uint64_t)dw[1] << 32 | dw[0]);
    p->ib_get++;
    if (p->ib_order < 32 && p->ib_get == (uint64_t)1 << p->ib_order) {
        p->ib_get = 0;
    }
    if (gpucmd_nv_decode_entry(dw, p->chip, &entry) != GPUCMD_OK ||
        (entry.flags & GPUCMD_NV_ENTRY_DISABLE) != 0) {
        return GPUCMD_RUN_DONE;
    }
    if (entry.len_dw == 0) {
        return gpucmd_priv_nv_throw(p, GPUCMD_NV_PUSHER_ERROR_IB_EMPTY);
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

/* Words that can be fetched at dma_get in one piece, at most want_dw; 0: the
 * fetch faults. A word that crosses from one region to another is a piece of
 * its own, gathered in scratch. */
static uint32_t gpucmd_priv_nv_pusher_span(const gpucmd_nv_pusher *p, gpucmd_mem *mem,
                                           uint64_t want_dw, uint8_t scratch[4], const uint8_t **at)
{
    const uint64_t va = p->dma_pushbuffer_va + p->dma_get;
    uint64_t end = p->dma_put > p->dma_get ? p->dma_put : gpucmd_priv_nv_va_mask(p) + 1;
    uint64_t got_bytes = 0;
    uint8_t *host = NULL;
    if (!gpucmd_priv_nv_ib(p)) {
        if (p->dma_get >= p->dma_limit) {
            return 0;
        }
        end = end < p->dma_limit ? end : p->dma_limit;
    }
    end = (end - p->dma_get + 3) / 4;
    want_dw = want_dw < end ? want_dw : end;
    if (gpucmd_mem_span(mem, va, 4 * want_dw, GPUCMD_ACCESS_READ, &host, &got_bytes) != GPUCMD_OK) {
        return 0;
    }
    if (got_bytes >= 4) {
        *at = host;
        return got_bytes / 4 < 0xffffffffu ? (uint32_t)(got_bytes / 4) : 0xffffffffu;
    }
    *at = scratch;
    return gpucmd_mem_read(mem, va, scratch, 4) == GPUCMD_OK ? 1 : 0;
}

/* Words of one piece, at most budget. *done_dw becomes how many were consumed. */
static gpucmd_run gpucmd_priv_nv_pusher_words(gpucmd_nv_pusher *p, const gpucmd_env *env,
                                              const gpucmd_nv_gate *gate, uint64_t budget,
                                              uint64_t *done_dw)
{
    const gpucmd_endian endian = gpucmd_priv_nv_endian(p);
    const uint8_t *at = NULL;
    uint8_t scratch[4];
    gpucmd_run run = GPUCMD_RUN_DONE;
    uint32_t left_dw = gpucmd_priv_nv_pusher_span(p, env->mem, budget, scratch, &at);
    *done_dw = 0;
    if (left_dw == 0) {
        return gpucmd_priv_nv_throw(p, GPUCMD_NV_PUSHER_ERROR_MEM_FAULT);
    }
    while (left_dw != 0 && run == GPUCMD_RUN_DONE) {
        uint32_t n_dw = 1;
        const uint64_t next = p->dma_get + 4;
        const uint32_t dw = gpucmd_load32(at, endian);
        if (!p->lenp && p->mcnt != 0) {
            run = gpucmd_priv_nv_pusher_data(p, env, at, left_dw, &n_dw);
        } else {
            gpucmd_priv_nv_trace(env,
                                 p->lenp ? (uint32_t)GPUCMD_NV_FETCH_COUNT
                                         : (uint32_t)gpucmd_nv_classify(gate, dw),
                                 p->dma_pushbuffer_va + p->dma_get, dw);
            run = gpucmd_priv_nv_pusher_word(p, gate, dw);
            if (p->dma_get != next) {
                left_dw = n_dw; /* jumped: fetch elsewhere */
            }
        }
        *done_dw += n_dw;
        left_dw -= n_dw;
        at += 4 * (size_t)n_dw;
    }
    return run;
}

/* What lies at hand, at most budget words or entries. */
static gpucmd_run gpucmd_priv_nv_pusher_some(gpucmd_nv_pusher *p, const gpucmd_env *env,
                                             const gpucmd_nv_gate *gate, uint64_t budget,
                                             uint64_t *done)
{
    if (p->error != GPUCMD_NV_PUSHER_ERROR_NONE || p->fault != GPUCMD_OK) {
        return GPUCMD_RUN_FAULT;
    }
    if (p->dma_get == p->dma_put && !(gpucmd_priv_nv_ib(p) && p->ib_get != p->ib_put)) {
        return GPUCMD_RUN_IDLE;
    }
    if (budget == 0) {
        return GPUCMD_RUN_LIMIT;
    }
    if (p->dma_get != p->dma_put) {
        return gpucmd_priv_nv_pusher_words(p, env, gate, budget, done);
    }
    *done = 1;
    return gpucmd_priv_nv_pusher_entry(p, env);
}

/* Gate of the state as it is. */
static void gpucmd_priv_nv_pusher_gate(gpucmd_nv_pusher *p, gpucmd_nv_gate *gate)
{
    const gpucmd_status status = gpucmd_nv_gate_init(gate, p->chip, gpucmd_priv_nv_ib(p),
                                                     gpucmd_priv_nv_sli_on(p), GPUCMD_NV_FMT_NEW);
    if (status != GPUCMD_OK) {
        p->fault = status;
    }
}

/* Runs with *budget, which becomes what is left of it. */
static gpucmd_run gpucmd_priv_nv_pusher_spend(gpucmd_nv_pusher *p, const gpucmd_env *env,
                                              uint64_t *budget)
{
    gpucmd_nv_gate gate;
    gpucmd_run run = GPUCMD_RUN_DONE;
    gpucmd_priv_nv_pusher_gate(p, &gate);
    while (run == GPUCMD_RUN_DONE) {
        uint64_t done = 0;
        run = gpucmd_priv_nv_pusher_some(p, env, &gate, *budget, &done);
        *budget -= done;
    }
    return run;
}

GPUCMD_PRIV_API gpucmd_run gpucmd_nv_pusher_run(gpucmd_nv_pusher *p, const gpucmd_env *env,
                                                uint64_t budget)
{
    return gpucmd_priv_nv_pusher_spend(p, env, &budget);
}

GPUCMD_PRIV_API gpucmd_run gpucmd_nv_pusher_step(gpucmd_nv_pusher *p, const gpucmd_env *env)
{
    gpucmd_nv_gate gate;
    uint64_t done = 0;
    gpucmd_priv_nv_pusher_gate(p, &gate);
    return gpucmd_priv_nv_pusher_some(p, env, &gate, 1, &done);
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
        p->subr_active = false; /* a bit of DMA_STATE since NV40 */
    }
    p->error = GPUCMD_NV_PUSHER_ERROR_NONE;
    p->fault = GPUCMD_OK;
}

/* Registers of G80 and later. */
static uint32_t gpucmd_priv_nv_pusher_read_g80(gpucmd_nv_pusher *p, uint64_t off_bytes)
{
    switch (off_bytes) {
    case GPUCMD_NV_AREA_DMA_PUT_HIGH: return p->dma_put_high_rs;
    case GPUCMD_NV_AREA_DMA_MGET:
        p->dma_mget_high_rs = (uint32_t)(p->dma_mget >> 32);
        p->dma_mget_val_rs = p->dma_mget_val;
        return (uint32_t)p->dma_mget;
    case GPUCMD_NV_AREA_DMA_MGET_HIGH:
        return GPUCMD_FIELD_PUT(NV_AREA_MGET_VAL, p->dma_mget_val_rs) | p->dma_mget_high_rs;
    case GPUCMD_NV_AREA_DMA_GET_HIGH: return p->dma_get_high_rs;
    case GPUCMD_NV_AREA_IB_GET: return p->ib_get;
    case GPUCMD_NV_AREA_IB_PUT: return p->ib_put;
    default: return 0;
    }
}

GPUCMD_PRIV_API uint32_t gpucmd_nv_pusher_read32(void *pusher, uint64_t off_bytes)
{
    gpucmd_nv_pusher *p = (gpucmd_nv_pusher *)pusher;
    switch (off_bytes) {
    case GPUCMD_NV_AREA_DMA_PUT:
        p->dma_put_high_rs = (uint32_t)(p->dma_put >> 32);
        return (uint32_t)p->dma_put;
    case GPUCMD_NV_AREA_DMA_GET:
        p->dma_get_high_rs = (uint32_t)(p->dma_get >> 32);
        return (uint32_t)p->dma_get;
    case GPUCMD_NV_AREA_REF: return p->chip >= GPUCMD_NV_CHIP_NV10 ? p->ref : 0;
    case GPUCMD_NV_AREA_DMA_CGET:
        if (p->chip < GPUCMD_NV_CHIP_NV40 || gpucmd_priv_nv_ib(p)) {
            return 0;
        }
        return p->subr_active ? p->subr_return : (uint32_t)p->dma_get;
    default:
        return p->chip >= GPUCMD_NV_CHIP_G80 ? gpucmd_priv_nv_pusher_read_g80(p, off_bytes) : 0;
    }
}

GPUCMD_PRIV_API void gpucmd_nv_pusher_write32(void *pusher, uint64_t off_bytes, uint32_t v)
{
    gpucmd_nv_pusher *p = (gpucmd_nv_pusher *)pusher;
    const bool ib = gpucmd_priv_nv_ib(p);
    if (off_bytes == GPUCMD_NV_AREA_DMA_PUT && !ib) {
        p->dma_put = (uint64_t)p->dma_put_high_ws << 32 | (v & ~(uint32_t)3);
    } else if (off_bytes == GPUCMD_NV_AREA_DMA_PUT_HIGH && !ib && p->chip >= GPUCMD_NV_CHIP_G80) {
        p->dma_put_high_ws = v & GPUCMD_FIELD_MAX(NV_AREA_HIGH);
    } else if (off_bytes == GPUCMD_NV_AREA_IB_PUT && ib) {
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

/* CRC of 4 bits at a time. */
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

GPUCMD_PRIV_API uint32_t gpucmd_nv_pbdma_pb_crc(const gpucmd_nv_pbdma *p, gpucmd_mem *mem)
{
    uint64_t va = p->segment_va;
    uint32_t crc = 0;
    while (va < p->segment_end_va) {
        uint8_t *host = NULL;
        uint64_t got_bytes = 0;
        if (gpucmd_mem_span(mem, va, p->segment_end_va - va, GPUCMD_ACCESS_READ, &host,
                            &got_bytes) != GPUCMD_OK) {
            return 0;
        }
        crc = gpucmd_nv_crc(crc, host, (size_t)got_bytes);
        va += got_bytes;
    }
    return crc;
}

GPUCMD_PRIV_API void gpucmd_nv_pbdma_clear(gpucmd_nv_pbdma *p, uint32_t bits)
{
    p->intr &= ~bits;
}

static gpucmd_run gpucmd_priv_nv_raise(gpucmd_nv_pbdma *p, uint32_t bit)
{
    p->intr |= bit;
    return GPUCMD_RUN_FAULT;
}

/* SUBDEVICE STATUS as it acts. */
GPUCMD_INLINE bool gpucmd_priv_nv_active(const gpucmd_nv_pbdma *p)
{
    return GPUCMD_FIELD_GET(NV_SUBDEVICE_CHANNEL_DMA, p->subdevice) == 0 ||
           GPUCMD_FIELD_GET(NV_SUBDEVICE_STATUS, p->subdevice) != 0;
}

/* pb_get moves past n_dw words, and top_level_get with it. */
GPUCMD_INLINE void gpucmd_priv_nv_pb_advance(gpucmd_nv_pbdma *p, uint32_t n_dw)
{
    p->pb_get += 4 * (uint64_t)n_dw;
    p->first = false;
    if (!p->level) {
        p->top_level_get = p->pb_get;
        p->top_level_get_valid = true;
    }
}

/* The rest of the segment is not fetched. */
static void gpucmd_priv_nv_drop(gpucmd_nv_pbdma *p)
{
    p->segment_end_va = p->pb_get;
    p->pb_get = p->pb_put;
    p->top_level_get = p->level ? p->top_level_get : p->pb_get;
}

/* Up to n_dw data words of the run, which lie at at. *done_dw becomes how many
 * were consumed. */
static gpucmd_run gpucmd_priv_nv_pb_data(gpucmd_nv_pbdma *p, const gpucmd_env *env,
                                         const uint8_t *at, uint32_t n_dw, uint32_t *done_dw)
{
    const uint32_t most_dw = gpucmd_priv_nv_send_max(at, GPUCMD_LITTLE_ENDIAN);
    const gpucmd_nv_kind kind = p->type == GPUCMD_NV_PB_TYPE_INC        ? GPUCMD_NV_KIND_INC
                                : p->type == GPUCMD_NV_PB_TYPE_INC_ONCE ? GPUCMD_NV_KIND_ONE_INC
                                                                        : GPUCMD_NV_KIND_NON_INC;
    const bool seam = p->first && p->conditional && !p->run_conditional;
    gpucmd_status status = GPUCMD_OK;
    n_dw = p->count < n_dw ? p->count : n_dw;
    n_dw = n_dw < most_dw ? n_dw : most_dw;
    n_dw = seam ? 1 : n_dw;
    gpucmd_priv_nv_trace_data(env, p->pb_get, at, GPUCMD_LITTLE_ENDIAN, n_dw);
    if (gpucmd_priv_nv_active(p)) {
        gpucmd_event event;
        gpucmd_priv_nv_event(&event, GPUCMD_EVENT_METHODS, kind, p->pb_get, 0);
        event.unit = p->subc;
        event.addr = p->mthd * 4;
        status = gpucmd_priv_nv_send(env, &event, at, GPUCMD_LITTLE_ENDIAN, &n_dw);
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
    if (status != GPUCMD_OK) {
        return gpucmd_priv_nv_stop(status, &p->fault);
    }
    return seam ? gpucmd_priv_nv_raise(p, GPUCMD_NV_PBDMA_INTR_PBSEG) : GPUCMD_RUN_DONE;
}

/* A run begins. reach_dw: method addresses that it uses. */
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
        return gpucmd_priv_nv_raise(p, GPUCMD_NV_PBDMA_INTR_PBENTRY);
    }
    p->count = count;
    return GPUCMD_RUN_DONE;
}

/* One method with its data in the header; pb_get is still at it. */
static gpucmd_run gpucmd_priv_nv_pb_immd(gpucmd_nv_pbdma *p, const gpucmd_env *env, uint32_t dw)
{
    const uint32_t data = GPUCMD_FIELD_GET(NV_HDR_IMMD_DATA, dw);
    const uint32_t mthd = GPUCMD_FIELD_GET(NV_HDR_MTHD, dw);
    const uint32_t subc = GPUCMD_FIELD_GET(NV_HDR_SUBC, dw);
    gpucmd_status status = GPUCMD_OK;
    uint32_t n_dw = 1;
    if (gpucmd_priv_nv_active(p)) {
        gpucmd_event event;
        gpucmd_priv_nv_event(&event, GPUCMD_EVENT_METHODS, GPUCMD_NV_KIND_IMMD, p->pb_get, 0);
        event.unit = subc;
        event.addr = mthd * 4;
        status =
            gpucmd_priv_nv_send(env, &event, (const uint8_t *)&data, gpucmd_host_endian(), &n_dw);
    }
    if (n_dw != 0) {
        gpucmd_priv_nv_pb_advance(p, 1);
        p->hdr_shadow = dw;
        p->type = GPUCMD_NV_PB_TYPE_IMMD;
        p->subc = subc;
        p->mthd = mthd;
        p->run_conditional = p->conditional;
    }
    return status == GPUCMD_OK ? GPUCMD_RUN_DONE : gpucmd_priv_nv_stop(status, &p->fault);
}

/* SET_, STORE_ and USE_SUBDEVICE_MASK, END_PB_SEGMENT, and what is none of
 * them. */
static gpucmd_run gpucmd_priv_nv_pb_control(gpucmd_nv_pbdma *p, gpucmd_nv_form form, uint32_t dw)
{
    const uint32_t mask = form == GPUCMD_NV_FORM_SLI_USE
                              ? GPUCMD_FIELD_GET(NV_SUBDEVICE_STORED_MASK, p->subdevice)
                              : GPUCMD_FIELD_GET(NV_HDR_SUBDEVICE, dw);
    if (form == GPUCMD_NV_FORM_NOP) {
        return GPUCMD_RUN_DONE;
    }
    if (form == GPUCMD_NV_FORM_INVALID) {
        return gpucmd_priv_nv_raise(p, GPUCMD_NV_PBDMA_INTR_PBENTRY);
    }
    p->run_conditional = p->conditional;
    p->type = form == GPUCMD_NV_FORM_SLI_COND    ? GPUCMD_NV_PB_TYPE_SSDM
              : form == GPUCMD_NV_FORM_SLI_STORE ? GPUCMD_NV_PB_TYPE_STORE_SDM
              : form == GPUCMD_NV_FORM_SLI_USE   ? GPUCMD_NV_PB_TYPE_USE_SDM
                                                 : GPUCMD_NV_PB_TYPE_END_SEG;
    if (form == GPUCMD_NV_FORM_END_SEGMENT) {
        gpucmd_priv_nv_drop(p);
        return GPUCMD_RUN_DONE;
    }
    p->sdmask = form == GPUCMD_NV_FORM_SLI_USE ? p->sdmask : mask;
    if (form == GPUCMD_NV_FORM_SLI_STORE) {
        p->subdevice = (p->subdevice & ~GPUCMD_FIELD_MASK(NV_SUBDEVICE_STORED_MASK)) |
                       GPUCMD_FIELD_PUT(NV_SUBDEVICE_STORED_MASK, mask);
        return GPUCMD_RUN_DONE;
    }
    if (GPUCMD_FIELD_GET(NV_SUBDEVICE_CHANNEL_DMA, p->subdevice) == 0) {
        return gpucmd_priv_nv_raise(p, GPUCMD_NV_PBDMA_INTR_PBENTRY);
    }
    p->subdevice &= ~GPUCMD_FIELD_MASK(NV_SUBDEVICE_STATUS);
    if ((mask & GPUCMD_FIELD_GET(NV_SUBDEVICE_ID, p->subdevice)) != 0) {
        p->subdevice |= GPUCMD_FIELD_MASK(NV_SUBDEVICE_STATUS);
    } else if (p->conditional) {
        gpucmd_priv_nv_drop(p);
    }
    return GPUCMD_RUN_DONE;
}

/* First word of a command. *done_dw becomes 0 if it was not consumed. */
GPUCMD_INLINE gpucmd_run gpucmd_priv_nv_pb_word(gpucmd_nv_pbdma *p, const gpucmd_env *env,
                                                const gpucmd_nv_gate *gate, uint32_t dw,
                                                uint32_t *done_dw)
{
    const gpucmd_nv_form form = gpucmd_nv_classify(gate, dw);
    const uint32_t count = GPUCMD_FIELD_GET(NV_HDR_COUNT, dw);
    const uint32_t mthd = GPUCMD_FIELD_GET(NV_HDR_MTHD, dw);
    const uint32_t subc = GPUCMD_FIELD_GET(NV_HDR_SUBC, dw);
    gpucmd_priv_nv_trace(env, (uint32_t)form, p->pb_get, dw);
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

/* Words that can be fetched at pb_get in one piece, as for the pusher. */
static uint32_t gpucmd_priv_nv_pb_span(const gpucmd_nv_pbdma *p, gpucmd_mem *mem, uint64_t want_dw,
                                       uint8_t scratch[4], const uint8_t **at)
{
    const uint64_t left_dw = (p->pb_put - p->pb_get) / 4;
    uint64_t got_bytes = 0;
    uint8_t *host = NULL;
    want_dw = want_dw < left_dw ? want_dw : left_dw;
    want_dw = want_dw != 0 ? want_dw : 1;
    if (gpucmd_mem_span(mem, p->pb_get, 4 * want_dw, GPUCMD_ACCESS_READ, &host, &got_bytes) !=
        GPUCMD_OK) {
        return 0;
    }
    if (got_bytes >= 4) {
        *at = host;
        return got_bytes / 4 < 0xffffffffu ? (uint32_t)(got_bytes / 4) : 0xffffffffu;
    }
    *at = scratch;
    return gpucmd_mem_read(mem, p->pb_get, scratch, 4) == GPUCMD_OK ? 1 : 0;
}

/* Words of one piece, at most budget. *done_dw becomes how many were consumed. */
static gpucmd_run gpucmd_priv_nv_pb_words(gpucmd_nv_pbdma *p, const gpucmd_env *env,
                                          const gpucmd_nv_gate *gate, uint64_t budget,
                                          uint64_t *done_dw)
{
    const uint8_t *at = NULL;
    uint8_t scratch[4];
    gpucmd_run run = GPUCMD_RUN_DONE;
    uint32_t left_dw = gpucmd_priv_nv_pb_span(p, env->mem, budget, scratch, &at);
    *done_dw = 0;
    if (left_dw == 0) {
        p->fault = GPUCMD_FAULT;
        return GPUCMD_RUN_FAULT;
    }
    while (left_dw != 0 && run == GPUCMD_RUN_DONE) {
        uint32_t n_dw = 1;
        const uint64_t next = p->pb_get + 4;
        if (p->count != 0) {
            run = gpucmd_priv_nv_pb_data(p, env, at, left_dw, &n_dw);
        } else {
            run = gpucmd_priv_nv_pb_word(p, env, gate, gpucmd_load32(at, GPUCMD_LITTLE_ENDIAN),
                                         &n_dw);
            if (p->pb_get != next && run == GPUCMD_RUN_DONE) {
                left_dw = n_dw; /* the rest was dropped */
            }
        }
        *done_dw += n_dw;
        left_dw -= n_dw;
        at += 4 * (size_t)n_dw;
    }
    return run;
}

/* A bad entry is discarded. */
static gpucmd_run gpucmd_priv_nv_gp_bad(gpucmd_nv_pbdma *p)
{
    if (p->chip >= GPUCMD_NV_CHIP_GA100) {
        p->gp_crc = 0;
    }
    return gpucmd_priv_nv_raise(p, GPUCMD_NV_PBDMA_INTR_GPENTRY);
}

static gpucmd_run gpucmd_priv_nv_gp_control(gpucmd_nv_pbdma *p, gpucmd_mem *mem,
                                            const gpucmd_nv_entry *entry)
{
    uint32_t crc;
    switch (entry->opcode) {
    case GPUCMD_NV_CONTROL_NOP: return GPUCMD_RUN_DONE;
    case GPUCMD_NV_CONTROL_GP_CRC:
        crc = p->gp_crc;
        p->gp_crc = 0;
        return crc == entry->operand ? GPUCMD_RUN_DONE
                                     : gpucmd_priv_nv_raise(p, GPUCMD_NV_PBDMA_INTR_GPCRC);
    case GPUCMD_NV_CONTROL_PB_CRC:
        crc = gpucmd_nv_pbdma_pb_crc(p, mem);
        return crc == entry->operand ? GPUCMD_RUN_DONE
                                     : gpucmd_priv_nv_raise(p, GPUCMD_NV_PBDMA_INTR_PBCRC);
    case GPUCMD_NV_CONTROL_SET_PB_SEGMENT_EXTENDED_BASE:
        if (p->chip >= GPUCMD_NV_CHIP_GH100) {
            p->extended_base = GPUCMD_FIELD_GET(NV_EXTENDED_BASE, entry->operand);
            return GPUCMD_RUN_DONE;
        }
        return gpucmd_priv_nv_gp_bad(p);
    default: return gpucmd_priv_nv_gp_bad(p); /* ILLEGAL, and what has no row */
    }
}

/* The next GP entry. */
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
    gpucmd_priv_nv_trace(env, GPUCMD_NV_FETCH_ENTRY, at_va, (uint64_t)dw[1] << 32 | dw[0]);
    if (gpucmd_nv_decode_entry(dw, p->chip, &entry) != GPUCMD_OK) {
        p->fault = GPUCMD_UNSUPPORTED;
        return GPUCMD_RUN_FAULT;
    }
    p->gp_shadow[0] = dw[0];
    p->gp_shadow[1] = dw[1];
    p->gp_get = (uint32_t)((p->gp_get + 1) & (((uint64_t)1 << p->limit2) - 1));
    p->sync = (entry.flags & GPUCMD_NV_ENTRY_SYNC_WAIT) != 0;
    if (entry.is_control) {
        return gpucmd_priv_nv_gp_control(p, env->mem, &entry);
    }
    if (entry.va + 4 * (uint64_t)entry.len_dw > GPUCMD_PRIV_NV_B40) {
        return gpucmd_priv_nv_gp_bad(p);
    }
    p->gp_crc = gpucmd_nv_crc(p->gp_crc, bytes, sizeof bytes);
    if ((entry.flags & GPUCMD_NV_ENTRY_FETCH_CONDITIONAL) != 0 && !gpucmd_priv_nv_active(p)) {
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

/* What lies at hand, at most budget words or entries. */
static gpucmd_run gpucmd_priv_nv_pbdma_some(gpucmd_nv_pbdma *p, const gpucmd_env *env,
                                            const gpucmd_nv_gate *gate, uint64_t budget,
                                            uint64_t *done)
{
    const unsigned va_bits = p->chip >= GPUCMD_NV_CHIP_GH100 ? (unsigned)GPUCMD_NV_VA57_BITS
                                                             : (unsigned)GPUCMD_NV_ENTRY_VA_BITS;
    const uint64_t entries = (uint64_t)1 << (p->limit2 & 31);
    if (p->intr != 0 || p->fault != GPUCMD_OK) {
        return GPUCMD_RUN_FAULT;
    }
    if (p->pb_get != p->pb_put) {
        return budget == 0 ? GPUCMD_RUN_LIMIT : gpucmd_priv_nv_pb_words(p, env, gate, budget, done);
    }
    if (p->gp_base > ((uint64_t)1 << va_bits) - 8 * entries) {
        return gpucmd_priv_nv_raise(p, GPUCMD_NV_PBDMA_INTR_GPFIFO);
    }
    if (p->gp_get >= entries || p->gp_put >= entries) {
        return gpucmd_priv_nv_raise(p, GPUCMD_NV_PBDMA_INTR_GPPTR);
    }
    if (p->gp_get == p->gp_put) {
        return GPUCMD_RUN_IDLE;
    }
    *done = 1;
    return budget == 0 ? GPUCMD_RUN_LIMIT : gpucmd_priv_nv_gp_entry(p, env);
}

/* Gate of the state as it is. */
static void gpucmd_priv_nv_pbdma_gate(gpucmd_nv_pbdma *p, gpucmd_nv_gate *gate)
{
    gpucmd_status status = gpucmd_nv_gate_init(gate, p->chip, true, true, p->fmt);
    if (status == GPUCMD_OK && (!GPUCMD_NV_IS_GF100(p->chip) || p->limit2 > 31)) {
        status = GPUCMD_RANGE;
    }
    if (status != GPUCMD_OK) {
        p->fault = status;
    }
}

/* Runs with *budget, which becomes what is left of it. */
static gpucmd_run gpucmd_priv_nv_pbdma_spend(gpucmd_nv_pbdma *p, const gpucmd_env *env,
                                             uint64_t *budget)
{
    gpucmd_nv_gate gate;
    gpucmd_run run = GPUCMD_RUN_DONE;
    gpucmd_priv_nv_pbdma_gate(p, &gate);
    while (run == GPUCMD_RUN_DONE) {
        uint64_t done = 0;
        run = gpucmd_priv_nv_pbdma_some(p, env, &gate, *budget, &done);
        *budget -= run == GPUCMD_RUN_LIMIT ? 0 : done;
    }
    return run;
}

GPUCMD_PRIV_API gpucmd_run gpucmd_nv_pbdma_run(gpucmd_nv_pbdma *p, const gpucmd_env *env,
                                               uint64_t budget)
{
    return gpucmd_priv_nv_pbdma_spend(p, env, &budget);
}

GPUCMD_PRIV_API gpucmd_run gpucmd_nv_pbdma_step(gpucmd_nv_pbdma *p, const gpucmd_env *env)
{
    gpucmd_nv_gate gate;
    uint64_t done = 0;
    gpucmd_priv_nv_pbdma_gate(p, &gate);
    return gpucmd_priv_nv_pbdma_some(p, env, &gate, 1, &done);
}

GPUCMD_PRIV_API uint32_t gpucmd_nv_pbdma_read32(void *pbdma, uint64_t off_bytes)
{
    const gpucmd_nv_pbdma *p = (const gpucmd_nv_pbdma *)pbdma;
    switch (off_bytes) {
    case GPUCMD_NV_AREA_DMA_PUT: return (uint32_t)p->pb_put;
    case GPUCMD_NV_AREA_DMA_GET: return (uint32_t)p->pb_get;
    case GPUCMD_NV_AREA_REF: return p->ref;
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
    if (off_bytes == GPUCMD_NV_AREA_IB_PUT) {
        p->gp_put = v;
    }
}

/* ==== [NV.IMPL.HOST] ======================================================================= */

GPUCMD_PRIV_API const char *gpucmd_nv_sem_op_name(gpucmd_nv_sem_op op)
{
    switch (op) {
    case GPUCMD_NV_SEM_OP_NONE: return "NONE";
    case GPUCMD_NV_SEM_OP_ACQUIRE: return "ACQUIRE";
    case GPUCMD_NV_SEM_OP_ACQ_STRICT_GEQ: return "ACQ_STRICT_GEQ";
    case GPUCMD_NV_SEM_OP_ACQ_CIRC_GEQ: return "ACQ_CIRC_GEQ";
    case GPUCMD_NV_SEM_OP_ACQ_AND: return "ACQ_AND";
    case GPUCMD_NV_SEM_OP_ACQ_NOR: return "ACQ_NOR";
    case GPUCMD_NV_SEM_OP_RELEASE: return "RELEASE";
    case GPUCMD_NV_SEM_OP_REDUCTION: return "REDUCTION";
    }
    return "?";
}

GPUCMD_PRIV_API const char *gpucmd_nv_host_error_name(gpucmd_nv_host_error error)
{
#define GPUCMD_NV_PRIV_ROW(name, kind, code, text)                                                 \
    case GPUCMD_NV_HOST_ERROR_##name: return #name;
    switch (error) {
        GPUCMD_NV_HOST_ERRORS(GPUCMD_NV_PRIV_ROW)
    }
#undef GPUCMD_NV_PRIV_ROW
    return "?";
}

GPUCMD_PRIV_API const char *gpucmd_nv_host_error_text(gpucmd_nv_host_error error)
{
#define GPUCMD_NV_PRIV_ROW(name, kind, code, text)                                                 \
    case GPUCMD_NV_HOST_ERROR_##name: return text;
    switch (error) {
        GPUCMD_NV_HOST_ERRORS(GPUCMD_NV_PRIV_ROW)
    }
#undef GPUCMD_NV_PRIV_ROW
    return "?";
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
    const uint64_t mask = ~(uint64_t)0 >> (64 - bits);
    const uint64_t s = v & mask;
    const uint64_t p = wait->payload & mask;
    switch (wait->op) {
    case GPUCMD_NV_SEM_OP_ACQUIRE: return s == p;
    case GPUCMD_NV_SEM_OP_ACQ_STRICT_GEQ: return s >= p;
    case GPUCMD_NV_SEM_OP_ACQ_CIRC_GEQ: return ((s - p) >> (bits - 1) & 1) == 0;
    case GPUCMD_NV_SEM_OP_ACQ_AND: return (s & p) != 0;
    case GPUCMD_NV_SEM_OP_ACQ_NOR: return (~(s | p) & mask) != 0;
    case GPUCMD_NV_SEM_OP_NONE:
    case GPUCMD_NV_SEM_OP_RELEASE:
    case GPUCMD_NV_SEM_OP_REDUCTION: break;
    }
    return false;
}

/* Looking ahead: nothing has an effect, acquires pass, and the first write that
 * touches the memory a channel waits for ends the run. */
typedef struct gpucmd_priv_nv_seek {
    const gpucmd_nv_wait *wait;
    bool found;     /* something writes there */
    bool satisfies; /* and ends the wait */
} gpucmd_priv_nv_seek;

/* What the callback of a running channel works on. */
typedef struct gpucmd_priv_nv_host {
    gpucmd_nv_channel *ch;
    gpucmd_nv_card *card;
    gpucmd_priv_nv_seek *seek; /* NULL: not looking ahead */
} gpucmd_priv_nv_host;

/* Byte order of what the channel reads and writes by itself. */
GPUCMD_INLINE gpucmd_endian gpucmd_priv_nv_host_order(const gpucmd_priv_nv_host *h)
{
    return GPUCMD_NV_IS_GF100(h->ch->chip) ? GPUCMD_LITTLE_ENDIAN
                                           : gpucmd_priv_nv_endian(&h->ch->pusher);
}

/* Show the trace an event of this channel. */
static void gpucmd_priv_nv_show(const gpucmd_priv_nv_host *h, gpucmd_event_kind kind, uint32_t code,
                                uint64_t va, uint64_t value)
{
    if (h->card->trace != NULL && h->seek == NULL) {
        gpucmd_event event;
        gpucmd_priv_nv_event(&event, kind, code, va, value);
        event.unit = h->ch->id;
        (void)h->card->trace(h->card->trace_user, &event);
    }
}

/* Stop at this word with an error of the chip: since GF100 a bit of INTR_0,
 * before an error of the host. After recovery the word is dropped. */
static gpucmd_status gpucmd_priv_nv_halt(const gpucmd_priv_nv_host *h, uint32_t intr,
                                         gpucmd_nv_host_error error)
{
    if (GPUCMD_NV_IS_GF100(h->ch->chip)) {
        h->ch->pbdma.intr |= intr;
    } else {
        h->ch->puller.error = error;
    }
    h->ch->puller.skip = true;
    gpucmd_priv_nv_show(h, GPUCMD_EVENT_ERROR,
                        GPUCMD_NV_IS_GF100(h->ch->chip) ? intr : (uint32_t)error, 0, 0);
    return GPUCMD_BLOCKED;
}

/* Stop at this word with a fault; once it is cleared the word comes again. */
static gpucmd_status gpucmd_priv_nv_fail(const gpucmd_priv_nv_host *h, gpucmd_status status)
{
    if (status != GPUCMD_BLOCKED) {
        h->ch->puller.fault = status;
    }
    return GPUCMD_BLOCKED;
}

/* Stop before this word, so that others, or the rest of a long copy, get their
 * share of the budget, of which cost is spent. */
static gpucmd_status gpucmd_priv_nv_pause(const gpucmd_priv_nv_host *h, uint64_t cost)
{
    h->ch->puller.pause = cost == 0 ? 1 : cost < 0xffffffffu ? (uint32_t)cost : 0xffffffffu;
    return GPUCMD_BLOCKED;
}

/* Raise an interrupt that does not stop the channel. */
static void gpucmd_priv_nv_interrupt(const gpucmd_priv_nv_host *h, uint32_t code, uint32_t value)
{
    gpucmd_event event;
    if (h->seek != NULL) {
        return;
    }
    h->card->effects++;
    gpucmd_priv_nv_show(h, GPUCMD_EVENT_INTERRUPT, code, 0, value);
    if (h->card->event != NULL) {
        gpucmd_priv_nv_event(&event, GPUCMD_EVENT_INTERRUPT, code, 0, value);
        event.unit = h->ch->id;
        (void)h->card->event(h->card->user, &event);
    }
}

/* Nanoseconds. */
static uint64_t gpucmd_priv_nv_now(const gpucmd_priv_nv_host *h)
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

/* Something writes len_bytes bytes at va: of value, as far as it is known (sure).
 * True if a run that looks ahead must not go on to write it. */
static bool gpucmd_priv_nv_seen(const gpucmd_priv_nv_host *h, uint64_t va, uint64_t len_bytes,
                                uint64_t value, bool sure)
{
    gpucmd_priv_nv_seek *seek = h->seek;
    if (GPUCMD_PRIV_UNLIKELY(seek != NULL)) {
        const uint64_t end = seek->wait->va + (seek->wait->is_64bit ? 8 : 4);
        if (va < end && seek->wait->va - va < len_bytes) {
            const bool ends =
                sure && va == seek->wait->va && gpucmd_nv_wait_ends(seek->wait, value);
            seek->found = true;
            seek->satisfies = seek->satisfies || ends;
        }
        return true;
    }
    h->card->effects++;
    return false;
}

/* Store n_dw words at va, whole or not at all. */
static gpucmd_status gpucmd_priv_nv_put(const gpucmd_priv_nv_host *h, uint64_t va,
                                        const uint32_t *dw, uint32_t n_dw)
{
    const uint64_t value = n_dw > 1 ? (uint64_t)dw[1] << 32 | dw[0] : dw[0];
    uint8_t *at = NULL;
    uint64_t got_bytes = 0;
    uint8_t bytes[16];
    if (gpucmd_priv_nv_seen(h, va, 4 * (uint64_t)n_dw, value, true)) {
        return GPUCMD_OK;
    }
    if (GPUCMD_PRIV_UNLIKELY(h->card->trace != NULL)) {
        gpucmd_priv_nv_show(h, GPUCMD_EVENT_MEM_WRITE, n_dw, va, value);
    }
    if (gpucmd_mem_span(h->card->mem, va, 4 * (uint64_t)n_dw, GPUCMD_ACCESS_WRITE, &at,
                        &got_bytes) == GPUCMD_OK &&
        got_bytes == 4 * (uint64_t)n_dw) {
        gpucmd_store_words(at, dw, n_dw, gpucmd_priv_nv_host_order(h));
        return GPUCMD_OK;
    }
    gpucmd_store_words(bytes, dw, n_dw, gpucmd_priv_nv_host_order(h));
    return gpucmd_mem_write(h->card->mem, va, bytes, 4 * (uint64_t)n_dw);
}

/* Store a payload, then zero, then the time: 16 bytes. The time is stored
 * first. */
static gpucmd_status gpucmd_priv_nv_put_timed(const gpucmd_priv_nv_host *h, uint64_t va,
                                              uint64_t payload)
{
    const gpucmd_endian endian = gpucmd_priv_nv_host_order(h);
    uint32_t dw[2];
    uint64_t now;
    gpucmd_status status = GPUCMD_OK;
    if (h->seek == NULL) {
        status = gpucmd_mem_probe(h->card->mem, va, 16, GPUCMD_ACCESS_WRITE);
    }
    if (status != GPUCMD_OK) {
        return status;
    }
    now = gpucmd_priv_nv_now(h);
    dw[0] = (uint32_t)(endian == GPUCMD_BIG_ENDIAN ? now >> 32 : now);
    dw[1] = (uint32_t)(endian == GPUCMD_BIG_ENDIAN ? now : now >> 32);
    status = gpucmd_priv_nv_put(h, va + 8, dw, 2);
    dw[0] = (uint32_t)payload;
    dw[1] = (uint32_t)(payload >> 32);
    return status == GPUCMD_OK ? gpucmd_priv_nv_put(h, va, dw, 2) : status;
}

/* Read 32 or 64 bits. */
static gpucmd_status gpucmd_priv_nv_fetch(const gpucmd_priv_nv_host *h, uint64_t va, bool is_64bit,
                                          uint64_t *v)
{
    uint32_t dw = 0;
    gpucmd_status status;
    if (is_64bit) {
        return gpucmd_mem_read64(h->card->mem, va, gpucmd_priv_nv_host_order(h), v);
    }
    status = gpucmd_mem_read32(h->card->mem, va, gpucmd_priv_nv_host_order(h), &dw);
    *v = dw;
    return status;
}

/* True if a < b as numbers of 32 or 64 bits, with sign or without. */
GPUCMD_INLINE bool gpucmd_priv_nv_less(uint64_t a, uint64_t b, unsigned bits, bool is_unsigned)
{
    const uint64_t flip = is_unsigned ? 0 : (uint64_t)1 << (bits - 1);
    return (a ^ flip) < (b ^ flip);
}

/* f(memory, payload). */
static uint64_t gpucmd_priv_nv_reduce(uint32_t reduction, uint64_t v, uint64_t p, unsigned bits,
                                      bool is_unsigned)
{
    switch (reduction) {
    case GPUCMD_NV_REDUCTION_IMIN: return gpucmd_priv_nv_less(p, v, bits, is_unsigned) ? p : v;
    case GPUCMD_NV_REDUCTION_IMAX: return gpucmd_priv_nv_less(v, p, bits, is_unsigned) ? p : v;
    case GPUCMD_NV_REDUCTION_IXOR: return v ^ p;
    case GPUCMD_NV_REDUCTION_IAND: return v & p;
    case GPUCMD_NV_REDUCTION_IOR: return v | p;
    case GPUCMD_NV_REDUCTION_IADD: return v + p;
    case GPUCMD_NV_REDUCTION_INC: return v >= p ? 0 : v + 1;
    default: return v == 0 || v > p ? p : v - 1; /* DEC */
    }
}

/* Memory := f(memory, payload). */
static gpucmd_status gpucmd_priv_nv_put_reduced(const gpucmd_priv_nv_host *h, uint64_t va,
                                                uint32_t reduction, uint64_t payload, bool is_64bit,
                                                bool is_unsigned)
{
    uint64_t v = 0;
    uint32_t dw[2];
    gpucmd_status status;
    if (h->seek != NULL) {
        (void)gpucmd_priv_nv_seen(h, va, is_64bit ? 8 : 4, 0, false);
        return GPUCMD_OK;
    }
    status = gpucmd_priv_nv_fetch(h, va, is_64bit, &v);
    if (status != GPUCMD_OK) {
        return status;
    }
    v = gpucmd_priv_nv_reduce(reduction, v, payload, is_64bit ? 64 : 32, is_unsigned);
    dw[0] = (uint32_t)v;
    dw[1] = (uint32_t)(v >> 32);
    return gpucmd_priv_nv_put(h, va, dw, is_64bit ? 2 : 1);
}

/* A semaphore method taken apart. */
typedef struct gpucmd_priv_nv_sem {
    gpucmd_nv_sem_op op;
    uint64_t va;
    uint64_t payload;
    uint32_t reduction;
    bool is_64bit;
    bool is_unsigned;
    bool timestamp;
    bool ctxsw;
} gpucmd_priv_nv_sem;

/* Look at memory: OK when the wait is over, BLOCKED while it is not. */
static gpucmd_status gpucmd_priv_nv_acquire(const gpucmd_priv_nv_host *h,
                                            const gpucmd_priv_nv_sem *sem)
{
    gpucmd_nv_wait *wait = &h->ch->puller.wait;
    const bool again = wait->active;
    uint64_t v = 0;
    gpucmd_status status;
    if (h->seek != NULL) {
        return GPUCMD_OK;
    }
    wait->op = sem->op;
    wait->va = sem->va;
    wait->payload = sem->payload;
    wait->is_64bit = sem->is_64bit;
    wait->ctxsw = sem->ctxsw;
    status = gpucmd_priv_nv_fetch(h, sem->va, sem->is_64bit, &v);
    wait->active = status == GPUCMD_OK && !gpucmd_nv_wait_ends(wait, v);
    if (again != wait->active) {
        gpucmd_priv_nv_show(h, again ? GPUCMD_EVENT_WAKE : GPUCMD_EVENT_WAIT, (uint32_t)sem->op,
                            sem->va, again ? v : sem->payload);
    }
    return wait->active ? GPUCMD_BLOCKED : status;
}

/* A semaphore operation whose form and alignment are good. Returns OK, BLOCKED,
 * or FAULT for memory that cannot be accessed. */
static gpucmd_status gpucmd_priv_nv_semaphore(const gpucmd_priv_nv_host *h,
                                              const gpucmd_priv_nv_sem *sem)
{
    const uint32_t dw[2] = {(uint32_t)sem->payload, (uint32_t)(sem->payload >> 32)};
    gpucmd_status status;
    uint64_t now;
    uint32_t time[2];
    if (sem->op != GPUCMD_NV_SEM_OP_RELEASE && sem->op != GPUCMD_NV_SEM_OP_REDUCTION) {
        return gpucmd_priv_nv_acquire(h, sem);
    }
    if (sem->op == GPUCMD_NV_SEM_OP_RELEASE) {
        return sem->timestamp
                   ? gpucmd_priv_nv_put_timed(h, sem->va, sem->is_64bit ? sem->payload : dw[0])
                   : gpucmd_priv_nv_put(h, sem->va, dw, sem->is_64bit ? 2 : 1);
    }
    if (sem->timestamp) {
        status = h->seek != NULL ? GPUCMD_OK
                                 : gpucmd_mem_probe(h->card->mem, sem->va, 16, GPUCMD_ACCESS_WRITE);
        now = gpucmd_priv_nv_now(h);
        time[0] = (uint32_t)now;
        time[1] = (uint32_t)(now >> 32);
        status = status == GPUCMD_OK ? gpucmd_priv_nv_put(h, sem->va + 8, time, 2) : status;
        if (status != GPUCMD_OK) {
            return status;
        }
    }
    return gpucmd_priv_nv_put_reduced(h, sem->va, sem->reduction, sem->payload, sem->is_64bit,
                                      sem->is_unsigned);
}

/* The same for GF100 and later: page faults, and the interrupt of an acquire
 * inside a NO_CONTEXT_SWITCH segment. */
static gpucmd_status gpucmd_priv_nv_semaphore_gf100(const gpucmd_priv_nv_host *h,
                                                    const gpucmd_priv_nv_sem *sem)
{
    gpucmd_status status;
    if (h->ch->pbdma.no_context_switch && sem->op != GPUCMD_NV_SEM_OP_RELEASE &&
        sem->op != GPUCMD_NV_SEM_OP_REDUCTION) {
        return gpucmd_priv_nv_halt(h, GPUCMD_NV_PBDMA_INTR_NO_CTXSW_SEG, GPUCMD_NV_HOST_ERROR_NONE);
    }
    status = gpucmd_priv_nv_semaphore(h, sem);
    return status == GPUCMD_OK ? status : gpucmd_priv_nv_fail(h, status);
}

/* SEM_EXECUTE. [C36F] */
static gpucmd_status gpucmd_priv_nv_sem_execute(const gpucmd_priv_nv_host *h, uint32_t dw)
{
    const gpucmd_nv_puller *p = &h->ch->puller;
    const uint32_t upper = h->ch->chip >= GPUCMD_NV_CHIP_GH100
                               ? p->sem_addr_hi & GPUCMD_FIELD_MASK(NV_SEM_UPPER_C86F)
                               : p->sem_addr_hi & GPUCMD_FIELD_MASK(NV_SEM_UPPER);
    gpucmd_priv_nv_sem sem;
    uint32_t align;
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
    align = sem.timestamp ? 16 : sem.is_64bit ? 8 : 4;
    if (sem.op == GPUCMD_NV_SEM_OP_NONE || sem.va % align != 0 ||
        (sem.op == GPUCMD_NV_SEM_OP_REDUCTION &&
         !gpucmd_nv_knows_reduction(sem.reduction, sem.is_64bit, sem.is_unsigned))) {
        return gpucmd_priv_nv_halt(h, GPUCMD_NV_PBDMA_INTR_SEMAPHORE, GPUCMD_NV_HOST_ERROR_NONE);
    }
    return gpucmd_priv_nv_semaphore_gf100(h, &sem);
}

/* Width of the operation of SEMAPHORED on this chip. [826F] [866F] [906F] [A16F] */
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

/* SEMAPHORED. [826F] [906F] */
static gpucmd_status gpucmd_priv_nv_semaphored(const gpucmd_priv_nv_host *h, uint32_t dw)
{
    gpucmd_nv_puller *p = &h->ch->puller;
    gpucmd_priv_nv_sem sem;
    gpucmd_status status;
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
            return gpucmd_priv_nv_halt(h, GPUCMD_NV_PBDMA_INTR_SEMAPHORE,
                                       GPUCMD_NV_HOST_ERROR_NONE);
        }
        return gpucmd_priv_nv_semaphore_gf100(h, &sem);
    }
    sem.va = (p->dma_semaphore_va + sem.va) & GPUCMD_PRIV_NV_B40;
    if (sem.op == GPUCMD_NV_SEM_OP_NONE) { /* hangs the channel */
        gpucmd_priv_zero(&p->wait, sizeof p->wait);
        p->wait.active = true;
        return GPUCMD_BLOCKED;
    }
    status = gpucmd_priv_nv_semaphore(h, &sem);
    return status == GPUCMD_FAULT
               ? gpucmd_priv_nv_halt(h, 0, GPUCMD_NV_HOST_ERROR_SEMAPHORE_MEM_FAULT)
               : status;
}

/* Where the object of a handle lies; an unknown one is an error. Without a
 * callback objects begin at 0. */
static bool gpucmd_priv_nv_lookup(const gpucmd_priv_nv_host *h, uint32_t handle,
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

/* DMA_SEMAPHORE to SEMAPHORE_RELEASE, NV1A until GF100. [ENVY] */
static gpucmd_status gpucmd_priv_nv_old_acquire(const gpucmd_priv_nv_host *h, uint32_t mthd,
                                                uint32_t dw)
{
    const gpucmd_nv_puller *p = &h->ch->puller;
    const bool g80 = h->ch->chip >= GPUCMD_NV_CHIP_G80;
    gpucmd_priv_nv_sem sem;
    gpucmd_status status;
    gpucmd_priv_zero(&sem, sizeof sem);
    sem.op = mthd == GPUCMD_NV_HOST_SEMAPHORE_ACQUIRE ? GPUCMD_NV_SEM_OP_ACQUIRE
                                                      : GPUCMD_NV_SEM_OP_RELEASE;
    sem.va = p->dma_semaphore_va + p->semaphore_off;
    sem.payload = dw;
    if (g80 ? !p->semaphore_off_val : p->dma_semaphore_bytes == 0) {
        return gpucmd_priv_nv_halt(h, 0, GPUCMD_NV_HOST_ERROR_SEMAPHORE_INVALID_STATE);
    }
    if (!g80 && p->dma_semaphore_bytes - 4 < p->semaphore_off) {
        return gpucmd_priv_nv_halt(h, 0, GPUCMD_NV_HOST_ERROR_SEMAPHORE_INVALID_OPERAND);
    }
    status = gpucmd_priv_nv_semaphore(h, &sem);
    if (status == GPUCMD_FAULT) {
        return g80 ? gpucmd_priv_nv_halt(h, 0, GPUCMD_NV_HOST_ERROR_SEMAPHORE_MEM_FAULT)
                   : gpucmd_priv_nv_fail(h, status);
    }
    return status;
}

static gpucmd_status gpucmd_priv_nv_old_semaphore(const gpucmd_priv_nv_host *h, uint32_t mthd,
                                                  uint32_t dw)
{
    gpucmd_nv_puller *p = &h->ch->puller;
    const bool g80 = h->ch->chip >= GPUCMD_NV_CHIP_G80;
    gpucmd_nv_object object;
    if (mthd == GPUCMD_NV_HOST_DMA_SEMAPHORE) {
        if (!gpucmd_priv_nv_lookup(h, dw, &object)) {
            return gpucmd_priv_nv_halt(h, 0, GPUCMD_NV_HOST_ERROR_CACHE_NO_HASH);
        }
        if (!g80 && (object.class_id != 2 || object.bytes < 4)) {
            return gpucmd_priv_nv_halt(h, 0, GPUCMD_NV_HOST_ERROR_SEMAPHORE_INVALID_OPERAND);
        }
        p->dma_semaphore = dw;
        p->dma_semaphore_va = object.va;
        p->dma_semaphore_bytes = object.bytes;
        return GPUCMD_OK;
    }
    if (mthd != GPUCMD_NV_HOST_SEMAPHORE_OFFSET) {
        return gpucmd_priv_nv_old_acquire(h, mthd, dw);
    }
    if (!g80 && (dw & ~GPUCMD_FIELD_MASK(NV_SEMAPHORE_OFFSET)) != 0) {
        return gpucmd_priv_nv_halt(h, 0, GPUCMD_NV_HOST_ERROR_SEMAPHORE_INVALID_OPERAND);
    }
    if (g80 && dw % 4 != 0) {
        return gpucmd_priv_nv_halt(h, 0, GPUCMD_NV_HOST_ERROR_SEMAPHORE_ADDRESS_UNALIGNED);
    }
    if (g80 && (dw & ~GPUCMD_FIELD_MASK(NV_SEMAPHORE_OFFSET_G80)) != 0) {
        return gpucmd_priv_nv_halt(h, 0, GPUCMD_NV_HOST_ERROR_SEMAPHORE_ADDRESS_TOO_LARGE);
    }
    p->semaphore_off = dw;
    p->semaphore_off_val = true;
    return GPUCMD_OK;
}

/* SEMAPHOREA and SEMAPHOREB. */
static gpucmd_status gpucmd_priv_nv_sem_address(const gpucmd_priv_nv_host *h, uint32_t mthd,
                                                uint32_t dw)
{
    gpucmd_nv_puller *p = &h->ch->puller;
    const bool strict = !GPUCMD_NV_IS_GF100(h->ch->chip);
    if (mthd == GPUCMD_NV_HOST_SEMAPHOREA) {
        if (strict && (dw & ~GPUCMD_FIELD_MASK(NV_SEM_UPPER)) != 0) {
            return gpucmd_priv_nv_halt(h, 0, GPUCMD_NV_HOST_ERROR_SEMAPHORE_ADDRESS_TOO_LARGE);
        }
        p->semaphore_address =
            (uint64_t)(dw & GPUCMD_FIELD_MASK(NV_SEM_UPPER)) << 32 | (uint32_t)p->semaphore_address;
        return GPUCMD_OK;
    }
    if (strict && dw % 4 != 0) {
        return gpucmd_priv_nv_halt(h, 0, GPUCMD_NV_HOST_ERROR_SEMAPHORE_ADDRESS_UNALIGNED);
    }
    p->semaphore_address =
        (p->semaphore_address & ~(uint64_t)0xffffffffu) | (dw & GPUCMD_FIELD_MASK(NV_SEM_LOWER));
    return GPUCMD_OK;
}

/* SYNCPOINTB. [A26F] [C06F] */
static gpucmd_status gpucmd_priv_nv_syncpoint(const gpucmd_priv_nv_host *h, uint32_t dw)
{
    const bool old = h->ch->chip < GPUCMD_NV_CHIP_GM107;
    const uint32_t op = old ? GPUCMD_FIELD_GET(NV_SYNCPOINT_OPERATION_A26F, dw)
                            : GPUCMD_FIELD_GET(NV_SYNCPOINT_OPERATION, dw);
    const uint32_t index = old ? GPUCMD_FIELD_GET(NV_SYNCPOINT_INDEX_A26F, dw)
                               : GPUCMD_FIELD_GET(NV_SYNCPOINT_INDEX, dw);
    gpucmd_nv_wait *wait = &h->ch->puller.wait;
    if (h->seek != NULL) {
        return GPUCMD_OK;
    }
    if (op > 1) {
        return gpucmd_priv_nv_fail(h, GPUCMD_UNSUPPORTED);
    }
    if (h->card->syncpoints == NULL || index >= h->card->syncpoint_count) {
        return gpucmd_priv_nv_halt(h,
                                   old ? (uint32_t)GPUCMD_NV_PBDMA_INTR_METHOD
                                       : (uint32_t)GPUCMD_NV_PBDMA_INTR_SYNCPOINT_ILLEGAL,
                                   GPUCMD_NV_HOST_ERROR_NONE);
    }
    if (op == 1) {
        h->card->syncpoints[index]++;
        h->card->effects++;
        return GPUCMD_OK;
    }
    wait->op = GPUCMD_NV_SEM_OP_ACQ_CIRC_GEQ;
    wait->va = 0;
    wait->payload = h->ch->puller.syncpoint_payload;
    wait->is_64bit = false;
    wait->active = !gpucmd_nv_wait_ends(wait, h->card->syncpoints[index]);
    return wait->active ? GPUCMD_BLOCKED : GPUCMD_OK;
}

/* The word of MEM_OP that carries the operation. */
static gpucmd_status gpucmd_priv_nv_mem_op(const gpucmd_priv_nv_host *h, uint32_t mthd, uint32_t dw)
{
    const gpucmd_nv_chip chip = h->ch->chip;
    const uint32_t last = chip >= GPUCMD_NV_CHIP_GM107 ? (uint32_t)GPUCMD_NV_HOST_MEM_OP_D
                                                       : (uint32_t)GPUCMD_NV_HOST_MEM_OP_B;
    h->ch->puller.mem_op[(mthd - GPUCMD_NV_HOST_MEM_OP_A) / 4] = dw;
    if (mthd == last && GPUCMD_NV_IS_GF100(chip) &&
        !gpucmd_nv_knows_mem_op(chip, GPUCMD_FIELD_GET(NV_MEM_OP_OPERATION, dw))) {
        return gpucmd_priv_nv_halt(h,
                                   chip >= GPUCMD_NV_CHIP_GA100
                                       ? (uint32_t)GPUCMD_NV_PBDMA_INTR_METHOD
                                       : (uint32_t)GPUCMD_NV_PBDMA_INTR_MEMOP,
                                   GPUCMD_NV_HOST_ERROR_NONE);
    }
    return GPUCMD_OK;
}

/* YIELD: the first time the channel stops before it, the second time it goes
 * on. */
static gpucmd_status gpucmd_priv_nv_do_yield(const gpucmd_priv_nv_host *h, uint32_t dw)
{
    const bool gf100 = GPUCMD_NV_IS_GF100(h->ch->chip);
    const uint32_t op = gf100 ? GPUCMD_FIELD_GET(NV_YIELD_OP, dw) : (uint32_t)GPUCMD_NV_YIELD_TSG;
    if (gf100 && !gpucmd_nv_knows_yield(h->ch->chip, op)) {
        return gpucmd_priv_nv_halt(h, GPUCMD_NV_PBDMA_INTR_METHOD, GPUCMD_NV_HOST_ERROR_NONE);
    }
    if (op == GPUCMD_NV_YIELD_NOP || h->seek != NULL) {
        return GPUCMD_OK;
    }
    if (h->ch->puller.yield) {
        h->ch->puller.yield = false;
        return GPUCMD_OK;
    }
    h->ch->puller.yield = true;
    return gpucmd_priv_nv_pause(h, 1);
}

/* Tell the caller one method; returns what the callback returned, UNSUPPORTED
 * where there is none. */
static gpucmd_status gpucmd_priv_nv_ask(const gpucmd_priv_nv_host *h, uint32_t subc, uint32_t mthd,
                                        uint32_t dw)
{
    gpucmd_event event;
    gpucmd_status status;
    uint32_t taken = 0;
    if (h->seek != NULL) {
        return GPUCMD_OK;
    }
    if (h->card->event == NULL) {
        return gpucmd_priv_nv_fail(h, GPUCMD_UNSUPPORTED);
    }
    gpucmd_priv_nv_event(&event, GPUCMD_EVENT_METHODS, GPUCMD_NV_KIND_NON_INC, 0, 0);
    event.unit = subc;
    event.addr = mthd;
    event.data = &dw;
    event.count_dw = 1;
    event.out_dw = &taken;
    h->card->effects++;
    status = h->card->event(h->card->user, &event);
    return status == GPUCMD_OK ? status : gpucmd_priv_nv_fail(h, status);
}

static gpucmd_status gpucmd_priv_nv_bind(const gpucmd_priv_nv_host *h, uint32_t subc, uint32_t dw);

/* Methods without a case of their own in gpucmd_priv_nv_host_word. */
static gpucmd_status gpucmd_priv_nv_host_rare(const gpucmd_priv_nv_host *h, uint32_t subc,
                                              uint32_t mthd, uint32_t dw)
{
    gpucmd_nv_puller *p = &h->ch->puller;
    switch (mthd) {
    case GPUCMD_NV_HOST_SET_OBJECT: return gpucmd_priv_nv_bind(h, subc, dw);
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
    case GPUCMD_NV_HOST_YIELD: return gpucmd_priv_nv_do_yield(h, dw);
    case GPUCMD_NV_HOST_CRC_CHECK:
    case GPUCMD_NV_HOST_CLEAR_FAULTED: return gpucmd_priv_nv_ask(h, subc, mthd, dw);
    case GPUCMD_NV_HOST_ILLEGAL:
        return gpucmd_priv_nv_halt(h, GPUCMD_NV_PBDMA_INTR_METHOD, GPUCMD_NV_HOST_ERROR_NONE);
    default: return GPUCMD_OK; /* NOP, FB_FLUSH, WFI: engines are never behind */
    }
}

/* One host method. */
static gpucmd_status gpucmd_priv_nv_host_word(const gpucmd_priv_nv_host *h, uint32_t subc,
                                              uint32_t mthd, uint32_t dw)
{
    gpucmd_nv_puller *p = &h->ch->puller;
    if (GPUCMD_PRIV_UNLIKELY((p->known >> (mthd / 4) & 1) == 0)) {
        return gpucmd_priv_nv_halt(h, GPUCMD_NV_PBDMA_INTR_METHOD, GPUCMD_NV_HOST_ERROR_NONE);
    }
    if (mthd >= GPUCMD_NV_HOST_SEM_ADDR_LO && mthd <= GPUCMD_NV_HOST_SEM_EXECUTE) {
        if (!GPUCMD_NV_IS_GF100(h->ch->chip)) {
            return gpucmd_priv_nv_old_semaphore(h, mthd, dw);
        }
        switch (mthd) {
        case GPUCMD_NV_HOST_SEM_ADDR_LO: p->sem_addr_lo = dw; return GPUCMD_OK;
        case GPUCMD_NV_HOST_SEM_ADDR_HI: p->sem_addr_hi = dw; return GPUCMD_OK;
        case GPUCMD_NV_HOST_SEM_PAYLOAD_LO: p->sem_payload_lo = dw; return GPUCMD_OK;
        case GPUCMD_NV_HOST_SEM_PAYLOAD_HI: p->sem_payload_hi = dw; return GPUCMD_OK;
        default: return gpucmd_priv_nv_sem_execute(h, dw);
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
    default: return gpucmd_priv_nv_host_rare(h, subc, mthd, dw);
    }
}

/* Host methods of a run. *n_dw becomes how many words were executed: all,
 * those below 0x100, or those before the one that stopped. */
static gpucmd_status gpucmd_priv_nv_host_run(const gpucmd_priv_nv_host *h, uint32_t subc,
                                             uint32_t mthd, bool inc, const uint32_t *data,
                                             uint32_t *n_dw)
{
    gpucmd_status status = GPUCMD_OK;
    uint32_t i = 0;
    if (mthd == GPUCMD_NV_HOST_NOP && !inc && (h->ch->puller.known >> 2 & 1) != 0) {
        return GPUCMD_OK;
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

typedef struct gpucmd_priv_nv_window {
    uint8_t model;
    uint8_t words; /* 0: a stream, one method */
    uint8_t slot;
    uint16_t mthd;
    uint32_t triggers;
} gpucmd_priv_nv_window;

#define GPUCMD_NV_PRIV_ROW(model, mthd, words, slot, triggers)                                     \
    {GPUCMD_NV_MODEL_##model, words, slot, mthd, triggers},
static const gpucmd_priv_nv_window gpucmd_priv_nv_windows[] = {
    GPUCMD_NV_ENGINE_WINDOWS(GPUCMD_NV_PRIV_ROW)};
#undef GPUCMD_NV_PRIV_ROW

typedef struct gpucmd_priv_nv_object_row {
    uint16_t class_id;
    uint8_t model;
    uint8_t since;
} gpucmd_priv_nv_object_row;

#define GPUCMD_NV_PRIV_ROW(class_id, model, since, src)                                            \
    {0x##class_id, GPUCMD_NV_MODEL_##model, GPUCMD_NV_CHIP_##since},
static const gpucmd_priv_nv_object_row gpucmd_priv_nv_objects[] = {
    GPUCMD_NV_OBJECTS(GPUCMD_NV_PRIV_ROW)};
#undef GPUCMD_NV_PRIV_ROW

enum {
    GPUCMD_PRIV_NV_WINDOWS = sizeof gpucmd_priv_nv_windows / sizeof gpucmd_priv_nv_windows[0],
    GPUCMD_PRIV_NV_OBJECTS = sizeof gpucmd_priv_nv_objects / sizeof gpucmd_priv_nv_objects[0],
    GPUCMD_PRIV_NV_TURN_LINES = 4096,        /* of a copy before the channel pauses */
    GPUCMD_PRIV_NV_TURN_BYTES = 1024 * 1024, /* likewise, at the end of a line */
    GPUCMD_PRIV_NV_WORD_BYTES = 1024,        /* that cost as much of the budget as a word */
};

GPUCMD_PRIV_API gpucmd_nv_model gpucmd_nv_class_model(uint32_t class_id, gpucmd_nv_chip *since)
{
    for (unsigned i = 0; i < GPUCMD_PRIV_NV_OBJECTS; i++) {
        if (gpucmd_priv_nv_objects[i].class_id == class_id) {
            *since = (gpucmd_nv_chip)gpucmd_priv_nv_objects[i].since;
            return (gpucmd_nv_model)gpucmd_priv_nv_objects[i].model;
        }
    }
    *since = GPUCMD_NV_CHIP_NV1;
    return GPUCMD_NV_MODEL_OTHER;
}

GPUCMD_PRIV_API uint32_t gpucmd_nv_copy_class(gpucmd_nv_chip chip)
{
    uint32_t class_id = 0;
    for (unsigned i = 0; i < GPUCMD_PRIV_NV_OBJECTS; i++) {
        if (gpucmd_priv_nv_objects[i].model == GPUCMD_NV_MODEL_COPY &&
            gpucmd_priv_nv_objects[i].since <= (unsigned)chip) {
            class_id = gpucmd_priv_nv_objects[i].class_id;
        }
    }
    return class_id;
}

GPUCMD_PRIV_API uint32_t gpucmd_nv_engine_reg(const gpucmd_nv_engine *e, uint32_t mthd)
{
    for (uint32_t i = 0; i < e->window_count; i++) {
        const gpucmd_priv_nv_window *at = &gpucmd_priv_nv_windows[e->first_window + i];
        if (mthd >= at->mthd && (mthd - at->mthd) / 4 < at->words) {
            return e->reg[at->slot + (mthd - at->mthd) / 4];
        }
    }
    return 0;
}

/* An object of the class, in its reset state. */
static void gpucmd_priv_nv_engine_init(gpucmd_nv_engine *e, uint32_t class_id,
                                       gpucmd_nv_model model)
{
    gpucmd_priv_zero(e, sizeof *e);
    e->class_id = class_id;
    e->model = model;
    for (uint32_t i = 0; i < GPUCMD_PRIV_NV_WINDOWS; i++) {
        const gpucmd_priv_nv_window *at = &gpucmd_priv_nv_windows[i];
        if (at->model == (unsigned)model) {
            const uint32_t last = at->mthd + 4 * (at->words != 0 ? at->words - 1u : 0);
            e->first_window = e->window_count == 0 ? i : e->first_window;
            e->window_count++;
            for (uint32_t page = at->mthd / 0x100u; page <= last / 0x100; page++) {
                e->pages |= (uint64_t)1 << page;
            }
        }
    }
    if (model == GPUCMD_NV_MODEL_COPY) { /* SET_RENDER_ENABLE_C: TRUE (MODEL) */
        e->reg[(GPUCMD_NV_COPY_SET_RENDER_ENABLE_C - GPUCMD_NV_COPY_SET_SEMAPHORE_A) / 4] = 1;
    }
}

/* SET_OBJECT. */
static gpucmd_status gpucmd_priv_nv_bind(const gpucmd_priv_nv_host *h, uint32_t subc, uint32_t dw)
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
                                   soft ? GPUCMD_NV_MODEL_SOFTWARE : model);
        return soft && h->card->software == NULL && h->seek == NULL
                   ? gpucmd_priv_nv_halt(h, GPUCMD_NV_PBDMA_INTR_DEVICE, GPUCMD_NV_HOST_ERROR_NONE)
                   : GPUCMD_OK;
    }
    if (h->card->object == NULL || !gpucmd_priv_nv_lookup(h, dw, &object)) {
        return gpucmd_priv_nv_halt(h, 0, GPUCMD_NV_HOST_ERROR_CACHE_NO_HASH);
    }
    model =
        object.software ? GPUCMD_NV_MODEL_SOFTWARE : gpucmd_nv_class_model(object.class_id, &since);
    gpucmd_priv_nv_engine_init(e, object.class_id, model);
    e->pages |= 2; /* methods that take handles */
    if (object.software && h->card->software == NULL && h->seek == NULL) {
        return gpucmd_priv_nv_halt(h, 0, GPUCMD_NV_HOST_ERROR_CACHE_EMPTY_SUBCHANNEL);
    }
    return GPUCMD_OK;
}

/* ---- surfaces ---- */

/* Where the bytes of a rectangle lie. Tiled: blocks of 64 bytes x rows lines
 * (GOBs), 2^height_log2 GOBs high; the order inside a GOB is the line's, as the
 * engines show it, not the memory's own. [MESA] */
typedef struct gpucmd_priv_nv_surface {
    uint64_t va;
    int64_t pitch; /* linear: from line to line, bytes */
    bool tiled;
    uint32_t width_gobs;  /* tiled: GOBs side by side */
    uint32_t height_log2; /* tiled: GOBs in a block */
    uint32_t rows;        /* tiled: lines in a GOB */
    uint32_t x_bytes;     /* tiled: where the rectangle begins */
    uint32_t y;
} gpucmd_priv_nv_surface;

/* Address of byte x of line y of the rectangle. *run_bytes becomes how many
 * bytes follow in one piece. */
static uint64_t gpucmd_priv_nv_at(const gpucmd_priv_nv_surface *s, uint64_t x, uint64_t y,
                                  uint64_t *run_bytes)
{
    uint64_t block;
    *run_bytes = ~(uint64_t)0;
    if (!s->tiled) {
        return s->va + (uint64_t)s->pitch * y + x;
    }
    x += s->x_bytes;
    y += s->y;
    *run_bytes = 64 - x % 64;
    block = (y / ((uint64_t)s->rows << s->height_log2)) * s->width_gobs + x / 64;
    return s->va + (((block << s->height_log2) + (y / s->rows % ((uint64_t)1 << s->height_log2))) *
                        64 * s->rows +
                    (y % s->rows) * 64 + x % 64);
}

static void gpucmd_priv_nv_linear(gpucmd_priv_nv_surface *s, uint64_t va, int64_t pitch)
{
    gpucmd_priv_zero(s, sizeof *s);
    s->va = va;
    s->pitch = pitch;
}

/* Tiled surface of blocks of one slice. */
static void gpucmd_priv_nv_tiled(gpucmd_priv_nv_surface *s, uint64_t va, uint64_t width_bytes,
                                 uint32_t block, uint32_t rows)
{
    gpucmd_priv_zero(s, sizeof *s);
    s->va = va;
    s->tiled = true;
    s->width_gobs = (uint32_t)((width_bytes + 63) / 64);
    s->height_log2 = GPUCMD_FIELD_GET(NV_BLOCK_HEIGHT, block);
    s->rows = rows;
}

/* Bytes of a line: where they lie and how many, at most len_bytes, can be moved
 * at once. */
GPUCMD_INLINE uint64_t gpucmd_priv_nv_line_at(const gpucmd_priv_nv_surface *s, uint64_t x,
                                              uint64_t y, uint64_t len_bytes, uint64_t *n_bytes)
{
    const uint64_t va = gpucmd_priv_nv_at(s, x, y, n_bytes);
    *n_bytes = *n_bytes < len_bytes ? *n_bytes : len_bytes;
    return va;
}

/* Move bytes between a line of a surface and the host. */
static gpucmd_status gpucmd_priv_nv_line_read(gpucmd_mem *mem, const gpucmd_priv_nv_surface *s,
                                              uint64_t x, uint64_t y, uint8_t *buf,
                                              uint64_t len_bytes)
{
    gpucmd_status status = GPUCMD_OK;
    while (len_bytes != 0 && status == GPUCMD_OK) {
        uint64_t n;
        const uint64_t va = gpucmd_priv_nv_line_at(s, x, y, len_bytes, &n);
        status = gpucmd_mem_read(mem, va, buf, n);
        x += n;
        buf += n;
        len_bytes -= n;
    }
    return status;
}

static gpucmd_status gpucmd_priv_nv_line_write(gpucmd_mem *mem, const gpucmd_priv_nv_surface *s,
                                               uint64_t x, uint64_t y, const uint8_t *buf,
                                               uint64_t len_bytes)
{
    gpucmd_status status = GPUCMD_OK;
    while (len_bytes != 0 && status == GPUCMD_OK) {
        uint64_t n;
        const uint64_t va = gpucmd_priv_nv_line_at(s, x, y, len_bytes, &n);
        status = gpucmd_mem_write(mem, va, buf, n);
        x += n;
        buf += n;
        len_bytes -= n;
    }
    return status;
}

/* Copy a line from one surface to another. */
static gpucmd_status gpucmd_priv_nv_line_copy(const gpucmd_priv_nv_host *h,
                                              const gpucmd_priv_nv_surface *dst,
                                              const gpucmd_priv_nv_surface *src, uint64_t y,
                                              uint64_t len_bytes)
{
    gpucmd_status status = GPUCMD_OK;
    uint64_t x = 0;
    while (x < len_bytes && status == GPUCMD_OK) {
        uint64_t run_to;
        uint64_t run_from;
        uint64_t n = len_bytes - x;
        const uint64_t to_va = gpucmd_priv_nv_at(dst, x, y, &run_to);
        const uint64_t from_va = gpucmd_priv_nv_at(src, x, y, &run_from);
        n = run_to < n ? run_to : n;
        n = run_from < n ? run_from : n;
        status = gpucmd_mem_copy(h->card->mem, to_va, from_va, n);
        x += n;
    }
    return status;
}

enum { GPUCMD_PRIV_NV_PATTERN = 144 }; /* a multiple of every element size, 1..16 */

/* Fill len_bytes bytes of a line with the pattern, which begins at its first
 * byte. */
static gpucmd_status gpucmd_priv_nv_line_fill(const gpucmd_priv_nv_host *h,
                                              const gpucmd_priv_nv_surface *dst, uint64_t y,
                                              const uint8_t *pattern, uint64_t len_bytes)
{
    uint64_t x = 0;
    while (x < len_bytes) {
        uint64_t run;
        uint64_t got = 0;
        uint64_t done = 0;
        uint8_t *at = NULL;
        const uint64_t va = gpucmd_priv_nv_at(dst, x, y, &run);
        run = run < len_bytes - x ? run : len_bytes - x;
        if (gpucmd_mem_span(h->card->mem, va, run, GPUCMD_ACCESS_WRITE, &at, &got) != GPUCMD_OK) {
            return GPUCMD_FAULT;
        }
        for (; done < got && done < GPUCMD_PRIV_NV_PATTERN; done++) {
            at[done] = pattern[(x + done) % GPUCMD_PRIV_NV_PATTERN];
        }
        while (done < got) { /* double what is there */
            const uint64_t n = done < got - done ? done : got - done;
            gpucmd_priv_copy(at + done, at, (size_t)n);
            done += n;
        }
        x += got;
    }
    return GPUCMD_OK;
}

/* ---- copies ---- */

/* A rectangle to be moved, filled or composed. */
typedef struct gpucmd_priv_nv_job {
    gpucmd_priv_nv_surface src;
    gpucmd_priv_nv_surface dst;
    uint64_t len; /* bytes of a line, elements where remap is set */
    uint32_t lines;
    bool remap;
    uint32_t components; /* REMAP_COMPONENTS */
    uint32_t const_a;
    uint32_t const_b;
} gpucmd_priv_nv_job;

/* What component i of the destination is. */
GPUCMD_INLINE uint32_t gpucmd_priv_nv_component(uint32_t components, uint32_t i)
{
    return components >> (4 * i) & GPUCMD_FIELD_MAX(NV_REMAP_DST_X);
}

/* One element: from src, or memory as it was, to dst. */
static void gpucmd_priv_nv_compose(const gpucmd_priv_nv_job *job, const uint8_t *src, uint8_t *dst)
{
    const uint32_t size = GPUCMD_FIELD_GET(NV_REMAP_SIZE, job->components) + 1;
    const uint32_t count = GPUCMD_FIELD_GET(NV_REMAP_NUM_DST, job->components) + 1;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t what = gpucmd_priv_nv_component(job->components, i);
        for (uint32_t b = 0; b < size; b++) {
            if (what < GPUCMD_NV_REMAP_CONST_A) {
                dst[i * size + b] = src[what * size + b];
            } else if (what < GPUCMD_NV_REMAP_NO_WRITE) {
                const uint32_t v = what == GPUCMD_NV_REMAP_CONST_A ? job->const_a : job->const_b;
                dst[i * size + b] = (uint8_t)(v >> (8 * b));
            }
        }
    }
}

/* How the components of a job are used. */
typedef struct gpucmd_priv_nv_mix {
    uint32_t src_bytes; /* of an element */
    uint32_t dst_bytes;
    bool plain;     /* elements move unchanged */
    bool constant;  /* only constants are written */
    bool keeps;     /* some components stay as they are */
    bool undefined; /* a component that is in no source */
} gpucmd_priv_nv_mix;

static void gpucmd_priv_nv_mix_of(const gpucmd_priv_nv_job *job, gpucmd_priv_nv_mix *mix)
{
    const uint32_t size = GPUCMD_FIELD_GET(NV_REMAP_SIZE, job->components) + 1;
    const uint32_t from = GPUCMD_FIELD_GET(NV_REMAP_NUM_SRC, job->components) + 1;
    const uint32_t to = GPUCMD_FIELD_GET(NV_REMAP_NUM_DST, job->components) + 1;
    mix->src_bytes = job->remap ? size * from : 1;
    mix->dst_bytes = job->remap ? size * to : 1;
    mix->plain = !job->remap || from == to;
    mix->constant = job->remap;
    mix->keeps = false;
    mix->undefined = false;
    for (uint32_t i = 0; i < to && job->remap; i++) {
        const uint32_t what = gpucmd_priv_nv_component(job->components, i);
        mix->plain = mix->plain && what == i;
        mix->constant =
            mix->constant && (what == GPUCMD_NV_REMAP_CONST_A || what == GPUCMD_NV_REMAP_CONST_B);
        mix->keeps = mix->keeps || what == GPUCMD_NV_REMAP_NO_WRITE;
        mix->undefined = mix->undefined || (what < GPUCMD_NV_REMAP_CONST_A && what >= from) ||
                         what > GPUCMD_NV_REMAP_NO_WRITE;
    }
}

/* A line of elements, one by one. */
static gpucmd_status gpucmd_priv_nv_line_compose(gpucmd_mem *mem, const gpucmd_priv_nv_job *job,
                                                 const gpucmd_priv_nv_mix *mix, uint64_t y)
{
    gpucmd_status status = GPUCMD_OK;
    for (uint64_t i = 0; i < job->len && status == GPUCMD_OK; i++) {
        uint8_t from[16];
        uint8_t to[16];
        status =
            gpucmd_priv_nv_line_read(mem, &job->src, i * mix->src_bytes, y, from, mix->src_bytes);
        if (status == GPUCMD_OK && mix->keeps) {
            status =
                gpucmd_priv_nv_line_read(mem, &job->dst, i * mix->dst_bytes, y, to, mix->dst_bytes);
        }
        if (status == GPUCMD_OK) {
            gpucmd_priv_nv_compose(job, from, to);
            status = gpucmd_priv_nv_line_write(mem, &job->dst, i * mix->dst_bytes, y, to,
                                               mix->dst_bytes);
        }
    }
    return status;
}

/* The whole job, or as much of it as one turn allows: then BLOCKED with pause
 * set, and the engine keeps the line. */
static gpucmd_status gpucmd_priv_nv_do(const gpucmd_priv_nv_host *h, gpucmd_nv_engine *e,
                                       const gpucmd_priv_nv_job *job)
{
    gpucmd_priv_nv_mix mix;
    uint8_t pattern[GPUCMD_PRIV_NV_PATTERN];
    uint64_t bytes = 0;
    uint32_t lines = 0;
    gpucmd_status status = GPUCMD_OK;
    gpucmd_priv_nv_mix_of(job, &mix);
    for (uint32_t i = 0; mix.constant && i + mix.dst_bytes <= GPUCMD_PRIV_NV_PATTERN;
         i += mix.dst_bytes) {
        gpucmd_priv_nv_compose(job, pattern, pattern + i);
    }
    if (!e->copying) {
        e->copying = true;
        e->line = 0;
    }
    for (; e->line < job->lines && status == GPUCMD_OK; e->line += status == GPUCMD_OK) {
        if (bytes >= GPUCMD_PRIV_NV_TURN_BYTES || lines == GPUCMD_PRIV_NV_TURN_LINES) {
            return gpucmd_priv_nv_pause(h, lines + bytes / GPUCMD_PRIV_NV_WORD_BYTES);
        }
        lines++;
        status = mix.constant ? gpucmd_priv_nv_line_fill(h, &job->dst, e->line, pattern,
                                                         job->len * mix.dst_bytes)
                 : mix.plain  ? gpucmd_priv_nv_line_copy(h, &job->dst, &job->src, e->line,
                                                         job->len * mix.dst_bytes)
                              : gpucmd_priv_nv_line_compose(h->card->mem, job, &mix, e->line);
        bytes += job->len * mix.dst_bytes;
    }
    if (status != GPUCMD_OK) {
        return gpucmd_priv_nv_fail(h, status);
    }
    e->copying = false;
    return GPUCMD_OK;
}

/* A job while looking ahead: does one of its lines touch what is waited for?
 * Tiled destinations are taken as one piece. */
static void gpucmd_priv_nv_job_seen(const gpucmd_priv_nv_host *h, const gpucmd_priv_nv_job *job)
{
    gpucmd_priv_nv_mix mix;
    uint64_t run;
    uint64_t bytes;
    gpucmd_priv_nv_mix_of(job, &mix);
    bytes = job->len * mix.dst_bytes;
    if (job->dst.tiled) {
        (void)gpucmd_priv_nv_seen(h, job->dst.va, bytes * job->lines, 0, false);
        return;
    }
    for (uint32_t y = 0; y < job->lines && y < GPUCMD_PRIV_NV_TURN_LINES; y++) {
        (void)gpucmd_priv_nv_seen(h, gpucmd_priv_nv_at(&job->dst, 0, y, &run), bytes, 0, false);
    }
}

/* Run a job, or look at it. */
static gpucmd_status gpucmd_priv_nv_job_run(const gpucmd_priv_nv_host *h, gpucmd_nv_engine *e,
                                            const gpucmd_priv_nv_job *job)
{
    if (h->seek != NULL) {
        gpucmd_priv_nv_job_seen(h, job);
        return GPUCMD_OK;
    }
    h->card->effects++;
    return gpucmd_priv_nv_do(h, e, job);
}

/* 64-bit address from a pair of methods. */
static uint64_t gpucmd_priv_nv_pair(const gpucmd_nv_engine *e, uint32_t upper, uint32_t lower,
                                    uint32_t upper_mask)
{
    return (uint64_t)(gpucmd_nv_engine_reg(e, upper) & upper_mask) << 32 |
           gpucmd_nv_engine_reg(e, lower);
}

/* Semaphore of an engine at its end: one word, or payload, zero and time. */
static gpucmd_status gpucmd_priv_nv_engine_release(const gpucmd_priv_nv_host *h, uint64_t va,
                                                   uint32_t payload, bool one_word)
{
    const gpucmd_status status = one_word ? gpucmd_priv_nv_put(h, va, &payload, 1)
                                          : gpucmd_priv_nv_put_timed(h, va, payload);
    return status == GPUCMD_OK ? status : gpucmd_priv_nv_fail(h, status);
}

/* ---- DMA copy, 85B5 and later ---- */

static uint32_t gpucmd_priv_nv_copy_upper(const gpucmd_nv_engine *e)
{
    return e->class_id >= 0xc8b5   ? GPUCMD_FIELD_MASK(NV_COPY_UPPER_C8B5)
           : e->class_id >= 0xc0b5 ? GPUCMD_FIELD_MASK(NV_COPY_UPPER_C0B5)
                                   : GPUCMD_FIELD_MASK(NV_COPY_UPPER);
}

/* A side of a copy that is block-linear. offset: 0 the destination, else what
 * lies between its methods and those of the source. False: a form that the
 * model lacks. */
static bool gpucmd_priv_nv_copy_tiled(const gpucmd_nv_engine *e, bool is_src, uint64_t va,
                                      uint32_t unit_bytes, gpucmd_priv_nv_surface *s)
{
    const uint32_t base =
        is_src ? GPUCMD_NV_COPY_SET_SRC_BLOCK_SIZE - GPUCMD_NV_COPY_SET_DST_BLOCK_SIZE : 0;
    const uint32_t block = gpucmd_nv_engine_reg(e, GPUCMD_NV_COPY_SET_DST_BLOCK_SIZE + base);
    const uint32_t origin = gpucmd_nv_engine_reg(e, GPUCMD_NV_COPY_SET_DST_ORIGIN + base);
    const uint64_t width = gpucmd_nv_engine_reg(e, GPUCMD_NV_COPY_SET_DST_WIDTH + base);
    gpucmd_priv_nv_tiled(s, va, width * unit_bytes, block, e->class_id >= 0x90b5 ? 8 : 4);
    s->x_bytes = GPUCMD_FIELD_GET(NV_ORIGIN_X, origin) * unit_bytes;
    s->y = GPUCMD_FIELD_GET(NV_ORIGIN_Y, origin);
    return GPUCMD_FIELD_GET(NV_BLOCK_DEPTH, block) == 0 &&
           gpucmd_nv_engine_reg(e, GPUCMD_NV_COPY_SET_DST_LAYER + base) == 0 &&
           gpucmd_nv_engine_reg(e, is_src ? GPUCMD_NV_COPY_SRC_ORIGIN_X
                                          : GPUCMD_NV_COPY_DST_ORIGIN_X) == 0 &&
           gpucmd_nv_engine_reg(e, is_src ? GPUCMD_NV_COPY_SRC_ORIGIN_Y
                                          : GPUCMD_NV_COPY_DST_ORIGIN_Y) == 0;
}

/* Fill job from the registers. False: a form that the model lacks. */
static bool gpucmd_priv_nv_copy_job(const gpucmd_nv_engine *e, uint32_t dw, gpucmd_priv_nv_job *job)
{
    const uint32_t upper = gpucmd_priv_nv_copy_upper(e);
    const uint64_t in_va = gpucmd_priv_nv_pair(e, GPUCMD_NV_COPY_OFFSET_IN_UPPER,
                                               GPUCMD_NV_COPY_OFFSET_IN_LOWER, upper);
    const uint64_t out_va = gpucmd_priv_nv_pair(e, GPUCMD_NV_COPY_OFFSET_OUT_UPPER,
                                                GPUCMD_NV_COPY_OFFSET_OUT_LOWER, upper);
    gpucmd_priv_nv_mix mix;
    bool good = true;
    job->len = gpucmd_nv_engine_reg(e, GPUCMD_NV_COPY_LINE_LENGTH_IN);
    job->lines = GPUCMD_FIELD_GET(NV_LAUNCH_MULTI_LINE, dw) != 0
                     ? gpucmd_nv_engine_reg(e, GPUCMD_NV_COPY_LINE_COUNT)
                     : 1;
    job->remap = GPUCMD_FIELD_GET(NV_LAUNCH_REMAP, dw) != 0;
    job->components = gpucmd_nv_engine_reg(e, GPUCMD_NV_COPY_SET_REMAP_COMPONENTS);
    job->const_a = gpucmd_nv_engine_reg(e, GPUCMD_NV_COPY_SET_REMAP_CONST_A);
    job->const_b = gpucmd_nv_engine_reg(e, GPUCMD_NV_COPY_SET_REMAP_CONST_B);
    gpucmd_priv_nv_mix_of(job, &mix);
    gpucmd_priv_nv_linear(&job->src, in_va, gpucmd_nv_engine_reg(e, GPUCMD_NV_COPY_PITCH_IN));
    gpucmd_priv_nv_linear(&job->dst, out_va, gpucmd_nv_engine_reg(e, GPUCMD_NV_COPY_PITCH_OUT));
    if (GPUCMD_FIELD_GET(NV_LAUNCH_SRC_PITCH, dw) == 0) {
        good = gpucmd_priv_nv_copy_tiled(e, true, in_va, mix.src_bytes, &job->src);
    }
    if (GPUCMD_FIELD_GET(NV_LAUNCH_DST_PITCH, dw) == 0) {
        good = gpucmd_priv_nv_copy_tiled(e, false, out_va, mix.dst_bytes, &job->dst) && good;
    }
    if (e->class_id >= 0xa0b5) {
        good = good && GPUCMD_FIELD_GET(NV_LAUNCH_SRC_PHYSICAL, dw) == 0 &&
               GPUCMD_FIELD_GET(NV_LAUNCH_DST_PHYSICAL, dw) == 0;
    }
    return good && !mix.undefined &&
           gpucmd_nv_engine_reg(e, GPUCMD_NV_COPY_SET_RENDER_ENABLE_C) == 1;
}

/* Semaphore part of LAUNCH_DMA. *good false: a form that the model lacks. */
static gpucmd_status gpucmd_priv_nv_copy_semaphore(const gpucmd_priv_nv_host *h,
                                                   const gpucmd_nv_engine *e, uint32_t dw,
                                                   bool *good)
{
    const uint32_t type = GPUCMD_FIELD_GET(NV_LAUNCH_SEMAPHORE, dw);
    const bool wide = e->class_id >= 0xc7b5 && GPUCMD_FIELD_GET(NV_LAUNCH_PAYLOAD_SIZE, dw) != 0;
    const bool reduce =
        e->class_id >= 0xa0b5 && GPUCMD_FIELD_GET(NV_LAUNCH_REDUCTION_ENABLE, dw) != 0;
    const bool is_unsigned = GPUCMD_FIELD_GET(NV_LAUNCH_REDUCTION_SIGN, dw) != 0;
    const uint32_t reduction = GPUCMD_FIELD_GET(NV_LAUNCH_REDUCTION, dw);
    const uint64_t va =
        gpucmd_priv_nv_pair(e, GPUCMD_NV_COPY_SET_SEMAPHORE_A, GPUCMD_NV_COPY_SET_SEMAPHORE_B,
                            gpucmd_priv_nv_copy_upper(e));
    uint32_t payload[2];
    gpucmd_status status;
    payload[0] = gpucmd_nv_engine_reg(e, GPUCMD_NV_COPY_SET_SEMAPHORE_PAYLOAD);
    payload[1] = wide ? gpucmd_nv_engine_reg(e, GPUCMD_NV_COPY_SET_SEMAPHORE_PAYLOAD_UPPER) : 0;
    if (type == 0) {
        return GPUCMD_OK;
    }
    *good = type != 3 &&
            (!reduce || (type == 1 && gpucmd_nv_knows_reduction(reduction, wide, is_unsigned)));
    if (!*good) {
        return GPUCMD_OK;
    }
    if (reduce) {
        status = gpucmd_priv_nv_put_reduced(
            h, va, reduction, (uint64_t)payload[1] << 32 | payload[0], wide, is_unsigned);
    } else if (type == 1) {
        status = gpucmd_priv_nv_put(h, va, payload, wide ? 2 : 1);
    } else {
        status = gpucmd_priv_nv_put_timed(h, va, (uint64_t)payload[1] << 32 | payload[0]);
    }
    return status == GPUCMD_OK ? status : gpucmd_priv_nv_fail(h, status);
}

/* LAUNCH_DMA: copy, then semaphore, then interrupt. */
static gpucmd_status gpucmd_priv_nv_copy_launch(const gpucmd_priv_nv_host *h, uint32_t subc,
                                                gpucmd_nv_engine *e, uint32_t dw)
{
    const uint32_t transfer = GPUCMD_FIELD_GET(NV_LAUNCH_TRANSFER, dw);
    gpucmd_priv_nv_job job;
    gpucmd_status status = GPUCMD_OK;
    bool good = true;
    if (transfer != 0) {
        if (transfer > 2 || !gpucmd_priv_nv_copy_job(e, dw, &job)) {
            return gpucmd_priv_nv_ask(h, subc, GPUCMD_NV_COPY_LAUNCH_DMA, dw);
        }
        status = gpucmd_priv_nv_job_run(h, e, &job);
    }
    if (status == GPUCMD_OK) {
        status = gpucmd_priv_nv_copy_semaphore(h, e, dw, &good);
    }
    if (!good) {
        return gpucmd_priv_nv_ask(h, subc, GPUCMD_NV_COPY_LAUNCH_DMA, dw);
    }
    if (status == GPUCMD_OK && GPUCMD_FIELD_GET(NV_LAUNCH_INTERRUPT, dw) != 0) {
        gpucmd_priv_nv_interrupt(h, GPUCMD_NV_INTERRUPT_COPY,
                                 GPUCMD_FIELD_GET(NV_LAUNCH_INTERRUPT, dw));
    }
    return status;
}

/* ---- M2MF ---- */

/* Where the DMA object of a method's handle begins; 0 for an unknown handle,
 * which was refused when it came. */
static uint64_t gpucmd_priv_nv_dma_va(const gpucmd_priv_nv_host *h, const gpucmd_nv_engine *e,
                                      uint32_t mthd)
{
    gpucmd_nv_object object;
    return gpucmd_priv_nv_lookup(h, gpucmd_nv_engine_reg(e, mthd), &object) ? object.va : 0;
}

/* Sign-extended register. */
GPUCMD_INLINE int64_t gpucmd_priv_nv_signed(const gpucmd_nv_engine *e, uint32_t mthd)
{
    const uint32_t v = gpucmd_nv_engine_reg(e, mthd);
    return (int64_t)v - (v >> 31 != 0 ? (int64_t)1 << 32 : 0);
}

/* A tiled side of 5039 and 9039. False: a form that the model lacks. */
static bool gpucmd_priv_nv_m2mf_tiled(const gpucmd_nv_engine *e, bool is_src, uint64_t va,
                                      gpucmd_priv_nv_surface *s)
{
    const uint32_t base =
        is_src ? 0 : GPUCMD_NV_M2MF_DST_BLOCK_SIZE - GPUCMD_NV_M2MF_SRC_BLOCK_SIZE;
    const bool g80 = e->model == GPUCMD_NV_MODEL_M2MF_G80;
    const uint32_t block = gpucmd_nv_engine_reg(e, GPUCMD_NV_M2MF_SRC_BLOCK_SIZE + base);
    const uint32_t origin = gpucmd_nv_engine_reg(e, GPUCMD_NV_M2MF_SRC_ORIGIN + base);
    gpucmd_priv_nv_tiled(s, va, gpucmd_nv_engine_reg(e, GPUCMD_NV_M2MF_SRC_WIDTH + base), block,
                         g80 ? 4 : 8);
    s->x_bytes = GPUCMD_FIELD_GET(NV_ORIGIN_X, origin);
    s->y = GPUCMD_FIELD_GET(NV_ORIGIN_Y, origin);
    if (!g80) {
        s->x_bytes = gpucmd_nv_engine_reg(e, is_src ? GPUCMD_NV_M2MF_SRC_ORIGIN_X
                                                    : GPUCMD_NV_M2MF_DST_ORIGIN_X);
        s->y = gpucmd_nv_engine_reg(e, is_src ? GPUCMD_NV_M2MF_SRC_ORIGIN_Y
                                              : GPUCMD_NV_M2MF_DST_ORIGIN_Y);
    }
    return GPUCMD_FIELD_GET(NV_BLOCK_DEPTH, block) == 0 &&
           gpucmd_nv_engine_reg(e, GPUCMD_NV_M2MF_SRC_LAYER + base) == 0;
}

/* BUFFER_NOTIFY of 0039 and 5039. */
static gpucmd_status gpucmd_priv_nv_m2mf_old(const gpucmd_priv_nv_host *h, uint32_t subc,
                                             gpucmd_nv_engine *e, uint32_t dw)
{
    const bool g80 = e->model == GPUCMD_NV_MODEL_M2MF_G80;
    const uint32_t format = gpucmd_nv_engine_reg(e, GPUCMD_NV_M2MF_NV4_FORMAT);
    uint64_t in_va = gpucmd_priv_nv_dma_va(h, e, GPUCMD_NV_M2MF_DMA_BUFFER_IN);
    uint64_t out_va = gpucmd_priv_nv_dma_va(h, e, GPUCMD_NV_M2MF_DMA_BUFFER_OUT);
    gpucmd_priv_nv_job job;
    gpucmd_status status;
    bool good = GPUCMD_FIELD_GET(NV_M2MF_FORMAT_IN, format) == 1 &&
                GPUCMD_FIELD_GET(NV_M2MF_FORMAT_OUT, format) == 1;
    gpucmd_priv_zero(&job, sizeof job);
    in_va += gpucmd_priv_nv_pair(e, GPUCMD_NV_M2MF_G80_OFFSET_IN_UPPER,
                                 GPUCMD_NV_M2MF_NV4_OFFSET_IN, GPUCMD_FIELD_MASK(NV_M2MF_UPPER));
    out_va += gpucmd_priv_nv_pair(e, GPUCMD_NV_M2MF_G80_OFFSET_OUT_UPPER,
                                  GPUCMD_NV_M2MF_NV4_OFFSET_OUT, GPUCMD_FIELD_MASK(NV_M2MF_UPPER));
    gpucmd_priv_nv_linear(&job.src, in_va, gpucmd_priv_nv_signed(e, GPUCMD_NV_M2MF_PITCH_IN));
    gpucmd_priv_nv_linear(&job.dst, out_va, gpucmd_priv_nv_signed(e, GPUCMD_NV_M2MF_PITCH_OUT));
    if (g80 && (gpucmd_nv_engine_reg(e, GPUCMD_NV_M2MF_SRC_LAYOUT) & 1) == 0) {
        good = gpucmd_priv_nv_m2mf_tiled(e, true, in_va, &job.src) && good;
    }
    if (g80 && (gpucmd_nv_engine_reg(e, GPUCMD_NV_M2MF_DST_LAYOUT) & 1) == 0) {
        good = gpucmd_priv_nv_m2mf_tiled(e, false, out_va, &job.dst) && good;
    }
    job.len = gpucmd_nv_engine_reg(e, GPUCMD_NV_M2MF_LINE_LENGTH_IN);
    job.lines = gpucmd_nv_engine_reg(e, GPUCMD_NV_M2MF_LINE_COUNT);
    if (!good) {
        return gpucmd_priv_nv_ask(h, subc, GPUCMD_NV_M2MF_NV4_BUFFER_NOTIFY, dw);
    }
    status = gpucmd_priv_nv_job_run(h, e, &job);
    if (status == GPUCMD_OK && dw == 1) {
        gpucmd_priv_nv_interrupt(h, GPUCMD_NV_INTERRUPT_INLINE, 1);
    }
    return status;
}

/* The rectangle that 9039 or an inline engine writes. False: a form that the
 * model lacks. */
static bool gpucmd_priv_nv_inline_dst(const gpucmd_priv_nv_host *h, const gpucmd_nv_engine *e,
                                      gpucmd_priv_nv_surface *s)
{
    uint64_t va;
    uint32_t block;
    if (e->model == GPUCMD_NV_MODEL_M2MF_GF100) {
        const uint32_t dw = gpucmd_nv_engine_reg(e, GPUCMD_NV_M2MF_LAUNCH_DMA);
        va = gpucmd_priv_nv_pair(e, GPUCMD_NV_M2MF_OFFSET_OUT_UPPER, GPUCMD_NV_M2MF_OFFSET_OUT,
                                 GPUCMD_FIELD_MASK(NV_M2MF_UPPER));
        gpucmd_priv_nv_linear(s, va, gpucmd_priv_nv_signed(e, GPUCMD_NV_M2MF_PITCH_OUT));
        return GPUCMD_FIELD_GET(NV_M2MF_DST_PITCH, dw) != 0 ||
               gpucmd_priv_nv_m2mf_tiled(e, false, va, s);
    }
    va = gpucmd_priv_nv_pair(e, GPUCMD_NV_INLINE_OFFSET_OUT_UPPER, GPUCMD_NV_INLINE_OFFSET_OUT,
                             h->ch->chip >= GPUCMD_NV_CHIP_GH100
                                 ? GPUCMD_FIELD_MASK(NV_INLINE_UPPER_GH100)
                                 : GPUCMD_FIELD_MASK(NV_INLINE_UPPER));
    gpucmd_priv_nv_linear(s, va, gpucmd_nv_engine_reg(e, GPUCMD_NV_INLINE_PITCH_OUT));
    if (GPUCMD_FIELD_GET(NV_INLINE_DST_PITCH,
                         gpucmd_nv_engine_reg(e, GPUCMD_NV_INLINE_LAUNCH_DMA)) != 0) {
        return true;
    }
    block = gpucmd_nv_engine_reg(e, GPUCMD_NV_INLINE_SET_DST_BLOCK_SIZE);
    gpucmd_priv_nv_tiled(s, va, gpucmd_nv_engine_reg(e, GPUCMD_NV_INLINE_SET_DST_WIDTH), block, 8);
    s->x_bytes = gpucmd_nv_engine_reg(e, GPUCMD_NV_INLINE_SET_DST_ORIGIN_X);
    s->y = gpucmd_nv_engine_reg(e, GPUCMD_NV_INLINE_SET_DST_ORIGIN_Y);
    return GPUCMD_FIELD_GET(NV_BLOCK_DEPTH, block) == 0 &&
           gpucmd_nv_engine_reg(e, GPUCMD_NV_INLINE_SET_DST_LAYER) == 0;
}

/* What 9039 and inline engines do when the data are in place. */
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
    if (completion == 2) {
        status = gpucmd_priv_nv_engine_release(
            h, gpucmd_priv_nv_pair(e, at, at + 4, GPUCMD_FIELD_MASK(NV_M2MF_UPPER)),
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

/* Lines and bytes of a line that are to come inline. */
GPUCMD_INLINE uint32_t gpucmd_priv_nv_inline_lines(const gpucmd_nv_engine *e)
{
    return gpucmd_nv_engine_reg(e, e->model == GPUCMD_NV_MODEL_M2MF_GF100
                                       ? GPUCMD_NV_M2MF_LINE_COUNT
                                       : GPUCMD_NV_INLINE_LINE_COUNT);
}

GPUCMD_INLINE uint32_t gpucmd_priv_nv_inline_length(const gpucmd_nv_engine *e)
{
    return gpucmd_nv_engine_reg(e, e->model == GPUCMD_NV_MODEL_M2MF_GF100
                                       ? GPUCMD_NV_M2MF_LINE_LENGTH_IN
                                       : GPUCMD_NV_INLINE_LINE_LENGTH_IN);
}

/* LAUNCH_DMA of 9039 and inline engines. */
static gpucmd_status gpucmd_priv_nv_inline_launch(const gpucmd_priv_nv_host *h, uint32_t subc,
                                                  gpucmd_nv_engine *e, uint32_t dw)
{
    const bool m2mf = e->model == GPUCMD_NV_MODEL_M2MF_GF100;
    const uint32_t mthd = m2mf ? GPUCMD_NV_M2MF_LAUNCH_DMA : GPUCMD_NV_INLINE_LAUNCH_DMA;
    gpucmd_priv_nv_job job;
    gpucmd_status status;
    uint64_t in_va;
    bool good;
    gpucmd_priv_zero(&job, sizeof job);
    good = gpucmd_priv_nv_inline_dst(h, e, &job.dst);
    if (!good || (!m2mf && GPUCMD_FIELD_GET(NV_INLINE_REDUCTION, dw) != 0)) {
        return gpucmd_priv_nv_ask(h, subc, mthd, dw);
    }
    if (!m2mf || GPUCMD_FIELD_GET(NV_M2MF_SRC_INLINE, dw) != 0) {
        e->line = 0;
        e->at_bytes = 0;
        e->inlining = gpucmd_priv_nv_inline_lines(e) != 0 && gpucmd_priv_nv_inline_length(e) != 0;
        return e->inlining ? GPUCMD_OK : gpucmd_priv_nv_inline_end(h, e);
    }
    in_va = gpucmd_priv_nv_pair(e, GPUCMD_NV_M2MF_OFFSET_IN_UPPER, GPUCMD_NV_M2MF_OFFSET_IN,
                                GPUCMD_FIELD_MASK(NV_M2MF_UPPER));
    gpucmd_priv_nv_linear(&job.src, in_va, gpucmd_priv_nv_signed(e, GPUCMD_NV_M2MF_PITCH_IN));
    if (GPUCMD_FIELD_GET(NV_M2MF_SRC_PITCH, dw) == 0 &&
        !gpucmd_priv_nv_m2mf_tiled(e, true, in_va, &job.src)) {
        return gpucmd_priv_nv_ask(h, subc, mthd, dw);
    }
    job.len = gpucmd_priv_nv_inline_length(e);
    job.lines = gpucmd_priv_nv_inline_lines(e);
    status = gpucmd_priv_nv_job_run(h, e, &job);
    return status == GPUCMD_OK ? gpucmd_priv_nv_inline_end(h, e) : status;
}

/* Store len_bytes bytes of words, little-endian, on a line. */
static gpucmd_status gpucmd_priv_nv_inline_store(const gpucmd_priv_nv_host *h,
                                                 const gpucmd_priv_nv_surface *s,
                                                 const gpucmd_nv_engine *e, const uint32_t *data,
                                                 uint32_t len_bytes)
{
    uint8_t piece[4 * GPUCMD_PRIV_NV_PIECE_DW];
    uint32_t done = 0;
    uint64_t run;
    gpucmd_status status = GPUCMD_OK;
    if (h->seek != NULL) {
        (void)gpucmd_priv_nv_seen(h, gpucmd_priv_nv_at(s, e->at_bytes, e->line, &run), len_bytes,
                                  data[0], true);
        return GPUCMD_OK;
    }
    h->card->effects++;
    if (!s->tiled && gpucmd_host_endian() == GPUCMD_LITTLE_ENDIAN) {
        return gpucmd_mem_write(h->card->mem, gpucmd_priv_nv_at(s, e->at_bytes, e->line, &run),
                                data, len_bytes);
    }
    while (done < len_bytes && status == GPUCMD_OK) {
        const uint32_t left = len_bytes - done;
        const uint32_t n = left < sizeof piece ? left : (uint32_t)sizeof piece;
        gpucmd_store_words(piece, data + done / 4, (n + 3) / 4, GPUCMD_LITTLE_ENDIAN);
        status = gpucmd_priv_nv_line_write(h->card->mem, s, (uint64_t)e->at_bytes + done, e->line,
                                           piece, n);
        done += n;
    }
    return status;
}

/* Inline data: *n_dw words, becomes how many were taken. Each line begins with
 * a word of its own (MODEL); what comes after the last line is dropped. */
static gpucmd_status gpucmd_priv_nv_inline_data(const gpucmd_priv_nv_host *h, gpucmd_nv_engine *e,
                                                const uint32_t *data, uint32_t *n_dw)
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
            status = gpucmd_priv_nv_fail(h, status);
            break;
        }
        if (ends && e->line + 1 >= lines) { /* the last word comes again if the end fails */
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

/* Byte 0..255 of a float's bits: clamped to 0..1, times 255, rounded half up,
 * without floating point. */
static uint32_t gpucmd_priv_nv_unorm8(uint32_t bits)
{
    const uint32_t exponent = bits >> 23 & 0xff;
    const uint32_t mantissa = (bits & 0x7fffff) | 0x800000;
    const uint32_t shift = 127 + 23 - exponent; /* value = mantissa / 2^shift */
    if (bits >> 31 != 0 || exponent < 100) {
        return 0;
    }
    if (exponent >= 127) {
        return exponent == 0xff && (bits & 0x7fffff) != 0 ? 0 : 255; /* not a number: 0 */
    }
    return (uint32_t)(((uint64_t)mantissa * 255 + ((uint64_t)1 << (shift - 1))) >> shift);
}

/* Colour word of a render target's format; false: a format that the model
 * lacks. */
static bool gpucmd_priv_nv_clear_word(const gpucmd_nv_engine *e, uint32_t format, uint32_t *dw)
{
    uint32_t c[4];
    for (uint32_t i = 0; i < 4; i++) {
        c[i] = gpucmd_nv_engine_reg(e, GPUCMD_NV_3D_CLEAR_COLOR + 4 * i);
    }
    if (format == 0xe4) { /* R32_UINT */
        *dw = c[0];
        return true;
    }
    for (uint32_t i = 0; i < 4; i++) {
        c[i] = gpucmd_priv_nv_unorm8(c[i]);
    }
    if (format == 0xd5) { /* RGBA8 */
        *dw = c[0] | c[1] << 8 | c[2] << 16 | c[3] << 24;
        return true;
    }
    *dw = c[2] | c[1] << 8 | c[0] << 16 | c[3] << 24;
    return format == 0xcf || format == 0xe6; /* BGRA8, BGRX8 */
}

/* Target 0 of G80 and later: surface and size in lines and pixels of 4 bytes.
 * False: a form that the model lacks. */
static bool gpucmd_priv_nv_target(const gpucmd_nv_engine *e, gpucmd_priv_nv_surface *s,
                                  uint32_t size[2], uint32_t *format)
{
    const bool g80 = e->model == GPUCMD_NV_MODEL_3D_G80;
    const uint32_t base = g80 ? GPUCMD_NV_3D_RT_G80 : GPUCMD_NV_3D_RT_GF100;
    const uint64_t va = gpucmd_priv_nv_pair(e, base, base + 4, GPUCMD_FIELD_MASK(NV_M2MF_UPPER));
    const uint32_t horiz =
        gpucmd_nv_engine_reg(e, g80 ? (uint32_t)GPUCMD_NV_3D_RT_HORIZ_G80 : base + 8);
    const uint32_t vert =
        gpucmd_nv_engine_reg(e, g80 ? (uint32_t)GPUCMD_NV_3D_RT_VERT_G80 : base + 12);
    const uint32_t mode = gpucmd_nv_engine_reg(e, g80 ? base + 12 : base + 20);
    const bool linear = g80 ? GPUCMD_FIELD_GET(NV_RT_G80_LINEAR, horiz) != 0
                            : GPUCMD_FIELD_GET(NV_RT_GF100_LINEAR, mode) != 0;
    *format = gpucmd_nv_engine_reg(e, g80 ? base + 8 : base + 16);
    size[1] = vert & GPUCMD_FIELD_MASK(NV_RT_START);
    if (linear) {
        const uint32_t pitch = horiz & GPUCMD_FIELD_MASK(NV_RT_LINEAR_PITCH);
        gpucmd_priv_nv_linear(s, va, pitch);
        size[0] = pitch / 4;
        return true;
    }
    size[0] = horiz & GPUCMD_FIELD_MASK(NV_RT_START);
    gpucmd_priv_nv_tiled(s, va, (uint64_t)size[0] * 4, mode, g80 ? 4 : 8);
    return GPUCMD_FIELD_GET(NV_BLOCK_DEPTH, mode) == 0;
}

/* The part of a side that the scissor leaves: *start, and the length as the
 * result. */
static uint32_t gpucmd_priv_nv_clip(uint32_t scissor, uint32_t size, uint32_t *start)
{
    const uint32_t from = GPUCMD_FIELD_GET(NV_RT_START, scissor);
    const uint32_t want = GPUCMD_FIELD_GET(NV_RT_SIZE, scissor);
    *start = from < size ? from : size;
    return want < size - *start ? want : size - *start;
}

/* Fill the rectangle of a target that the scissor leaves. */
static gpucmd_status gpucmd_priv_nv_clear_rect(const gpucmd_priv_nv_host *h, gpucmd_nv_engine *e,
                                               const gpucmd_priv_nv_surface *s,
                                               const uint32_t size[2], const uint32_t scissor[2],
                                               uint32_t color)
{
    gpucmd_priv_nv_job job;
    uint32_t x;
    uint32_t y;
    gpucmd_priv_zero(&job, sizeof job);
    job.dst = *s;
    job.len = gpucmd_priv_nv_clip(scissor[0], size[0], &x);
    job.lines = gpucmd_priv_nv_clip(scissor[1], size[1], &y);
    job.remap = true;
    job.const_a = color;
    job.components = GPUCMD_FIELD_PUT(NV_REMAP_SIZE, 3) |
                     GPUCMD_FIELD_PUT(NV_REMAP_DST_X, GPUCMD_NV_REMAP_CONST_A);
    if (s->tiled) {
        job.dst.x_bytes = 4 * x;
        job.dst.y = y;
    } else {
        job.dst.va += (uint64_t)s->pitch * y + 4 * (uint64_t)x;
    }
    return gpucmd_priv_nv_job_run(h, e, &job);
}

/* CLEAR_BUFFERS of G80 and later: all four channels of target 0. */
static gpucmd_status gpucmd_priv_nv_clear(const gpucmd_priv_nv_host *h, uint32_t subc,
                                          gpucmd_nv_engine *e, uint32_t dw)
{
    gpucmd_priv_nv_surface s;
    uint32_t size[2];
    uint32_t scissor[2];
    uint32_t format = 0;
    uint32_t color = 0;
    if (GPUCMD_FIELD_GET(NV_CLEAR_COLOR_RGBA, dw) == 0) {
        return GPUCMD_OK; /* depth and stencil are nobody's to see */
    }
    if (GPUCMD_FIELD_GET(NV_CLEAR_COLOR_RGBA, dw) != GPUCMD_FIELD_MAX(NV_CLEAR_COLOR_RGBA) ||
        GPUCMD_FIELD_GET(NV_CLEAR_TARGET, dw) != 0 ||
        !gpucmd_priv_nv_target(e, &s, size, &format) ||
        !gpucmd_priv_nv_clear_word(e, format, &color)) {
        return gpucmd_priv_nv_ask(h, subc, GPUCMD_NV_3D_CLEAR_BUFFERS, dw);
    }
    scissor[0] = gpucmd_nv_engine_reg(e, GPUCMD_NV_3D_SCISSOR_HORIZ);
    scissor[1] = gpucmd_nv_engine_reg(e, GPUCMD_NV_3D_SCISSOR_VERT);
    return gpucmd_priv_nv_clear_rect(h, e, &s, size, scissor, color);
}

/* Report of G80 and later: a fence, a counter (0: the model counts nothing), or
 * a time. */
static gpucmd_status gpucmd_priv_nv_report(const gpucmd_priv_nv_host *h, uint32_t subc,
                                           const gpucmd_nv_engine *e, uint32_t dw)
{
    const uint32_t op = GPUCMD_FIELD_GET(NV_REPORT_OPERATION, dw);
    const uint64_t va = gpucmd_priv_nv_pair(e, GPUCMD_NV_3D_REPORT_UPPER, GPUCMD_NV_3D_REPORT_LOWER,
                                            GPUCMD_FIELD_MASK(NV_M2MF_UPPER));
    const bool is_short = GPUCMD_FIELD_GET(NV_REPORT_SHORT, dw) != 0;
    if ((op != 0 && op != 2) || GPUCMD_FIELD_GET(NV_REPORT_REDUCTION, dw) != 0) {
        return gpucmd_priv_nv_ask(h, subc, GPUCMD_NV_3D_REPORT_GET, dw);
    }
    return gpucmd_priv_nv_engine_release(
        h, va, gpucmd_nv_engine_reg(e, GPUCMD_NV_3D_REPORT_PAYLOAD), is_short);
}

/* FENCE_VALUE and QUERY_GET of NV30 and NV40. */
static gpucmd_status gpucmd_priv_nv_fence_nv30(const gpucmd_priv_nv_host *h,
                                               const gpucmd_nv_engine *e, uint32_t mthd,
                                               uint32_t dw)
{
    uint32_t report[4];
    uint64_t now;
    gpucmd_status status;
    if (mthd == GPUCMD_NV_3D_NV30_FENCE_VALUE) {
        return gpucmd_priv_nv_engine_release(
            h,
            gpucmd_priv_nv_dma_va(h, e, GPUCMD_NV_3D_NV30_DMA_FENCE) +
                gpucmd_nv_engine_reg(e, GPUCMD_NV_3D_NV30_FENCE_OFFSET),
            dw, true);
    }
    now = gpucmd_priv_nv_now(h);
    report[0] = (uint32_t)now;
    report[1] = (uint32_t)(now >> 32);
    report[2] = 0;
    report[3] = 0;
    status = gpucmd_priv_nv_put(h,
                                gpucmd_priv_nv_dma_va(h, e, GPUCMD_NV_3D_NV30_DMA_QUERY) +
                                    GPUCMD_FIELD_GET(NV_QUERY_OFFSET, dw),
                                report, 4);
    return status == GPUCMD_OK ? status : gpucmd_priv_nv_fail(h, status);
}

/* CLEAR_BUFFERS of NV30 and NV40: linear targets of 32 bits. */
static gpucmd_status gpucmd_priv_nv_clear_nv30(const gpucmd_priv_nv_host *h, uint32_t subc,
                                               gpucmd_nv_engine *e, uint32_t dw)
{
    const uint32_t format = gpucmd_nv_engine_reg(e, GPUCMD_NV_3D_NV30_RT_FORMAT);
    gpucmd_priv_nv_surface s;
    uint32_t size[2];
    uint32_t scissor[2];
    if (GPUCMD_FIELD_GET(NV_CLEAR_NV30_COLOR, dw) == 0) {
        return GPUCMD_OK;
    }
    if (GPUCMD_FIELD_GET(NV_RT_NV30_LAYOUT, format) != 1 ||
        (GPUCMD_FIELD_GET(NV_RT_NV30_COLOR, format) != 5 &&
         GPUCMD_FIELD_GET(NV_RT_NV30_COLOR, format) != 8) ||
        GPUCMD_FIELD_GET(NV_CLEAR_NV30_COLOR, dw) != GPUCMD_FIELD_MAX(NV_CLEAR_NV30_COLOR)) {
        return gpucmd_priv_nv_ask(h, subc, GPUCMD_NV_3D_NV30_CLEAR_BUFFERS, dw);
    }
    gpucmd_priv_nv_linear(&s, gpucmd_nv_engine_reg(e, GPUCMD_NV_3D_NV30_RT_OFFSET),
                          gpucmd_nv_engine_reg(e, GPUCMD_NV_3D_NV30_RT_PITCH) &
                              GPUCMD_FIELD_MASK(NV_RT_LINEAR_PITCH));
    size[0] = GPUCMD_FIELD_GET(NV_RT_SIZE, gpucmd_nv_engine_reg(e, GPUCMD_NV_3D_NV30_RT_HORIZ));
    size[1] = GPUCMD_FIELD_GET(NV_RT_SIZE, gpucmd_nv_engine_reg(e, GPUCMD_NV_3D_NV30_RT_VERT));
    scissor[0] = gpucmd_nv_engine_reg(e, GPUCMD_NV_3D_NV30_SCISSOR_HORIZ);
    scissor[1] = gpucmd_nv_engine_reg(e, GPUCMD_NV_3D_NV30_SCISSOR_VERT);
    return gpucmd_priv_nv_clear_rect(h, e, &s, size, scissor,
                                     gpucmd_nv_engine_reg(e, GPUCMD_NV_3D_NV30_CLEAR_COLOR));
}

/* ---- methods of engines ---- */

/* A method that starts something. */
static gpucmd_status gpucmd_priv_nv_fire(const gpucmd_priv_nv_host *h, uint32_t subc, uint32_t mthd,
                                         uint32_t dw)
{
    gpucmd_nv_engine *e = &h->ch->engines[subc];
    switch (e->model) {
    case GPUCMD_NV_MODEL_M2MF_NV4:
    case GPUCMD_NV_MODEL_M2MF_G80: return gpucmd_priv_nv_m2mf_old(h, subc, e, dw);
    case GPUCMD_NV_MODEL_M2MF_GF100:
    case GPUCMD_NV_MODEL_INLINE: return gpucmd_priv_nv_inline_launch(h, subc, e, dw);
    case GPUCMD_NV_MODEL_COPY: return gpucmd_priv_nv_copy_launch(h, subc, e, dw);
    case GPUCMD_NV_MODEL_3D_NV30:
        return mthd == GPUCMD_NV_3D_NV30_CLEAR_BUFFERS ? gpucmd_priv_nv_clear_nv30(h, subc, e, dw)
                                                       : gpucmd_priv_nv_fence_nv30(h, e, mthd, dw);
    case GPUCMD_NV_MODEL_3D_G80:
    case GPUCMD_NV_MODEL_3D_GF100:
        return mthd == GPUCMD_NV_3D_REPORT_GET ? gpucmd_priv_nv_report(h, subc, e, dw)
                                               : gpucmd_priv_nv_clear(h, subc, e, dw);
    case GPUCMD_NV_MODEL_NONE:
    case GPUCMD_NV_MODEL_SOFTWARE:
    case GPUCMD_NV_MODEL_OTHER: break;
    }
    return GPUCMD_OK;
}

/* A piece of a run: words of one subchannel, to increasing methods or to one. */
typedef struct gpucmd_priv_nv_piece {
    uint32_t subc;
    uint32_t mthd;
    bool inc;
    uint64_t va;
    const uint32_t *data;
} gpucmd_priv_nv_piece;

/* Give words to a callback of the caller. *n_dw becomes how many it took. */
static gpucmd_status gpucmd_priv_nv_forward(const gpucmd_priv_nv_host *h,
                                            const gpucmd_priv_nv_piece *piece, gpucmd_event_fn fn,
                                            void *user, uint32_t *n_dw)
{
    gpucmd_event event;
    gpucmd_status status;
    uint32_t taken = 0;
    if (fn == NULL || h->seek != NULL) {
        return GPUCMD_OK;
    }
    gpucmd_priv_nv_event(&event, GPUCMD_EVENT_METHODS,
                         piece->inc ? GPUCMD_NV_KIND_INC : GPUCMD_NV_KIND_NON_INC, piece->va, 0);
    event.unit = piece->subc;
    event.addr = piece->mthd;
    event.data = piece->data;
    event.count_dw = *n_dw;
    event.out_dw = &taken;
    h->card->effects++;
    status = fn(user, &event);
    if (status != GPUCMD_OK) {
        *n_dw = status == GPUCMD_BLOCKED && taken < *n_dw ? taken : 0;
        return gpucmd_priv_nv_fail(h, status);
    }
    return status;
}

/* Keep words in the shadow registers. */
GPUCMD_INLINE void gpucmd_priv_nv_shade(const gpucmd_priv_nv_host *h,
                                        const gpucmd_priv_nv_piece *piece, uint32_t n_dw)
{
    uint32_t *shadow = h->ch->shadow;
    if (shadow != NULL && h->seek == NULL && n_dw != 0) {
        const uint32_t at = piece->mthd / 4 & (GPUCMD_NV_SHADOW_DW / GPUCMD_NV_SUBCHANNELS - 1);
        shadow += piece->subc * (GPUCMD_NV_SHADOW_DW / GPUCMD_NV_SUBCHANNELS) + at;
        if (piece->inc) {
            gpucmd_priv_copy(shadow, piece->data, (size_t)n_dw * 4);
        } else {
            *shadow = piece->data[n_dw - 1];
        }
    }
}

/* Methods before GF100 that take handles: how many of n_dw words come before the
 * first one that names nothing. */
static uint32_t gpucmd_priv_nv_handles(const gpucmd_priv_nv_host *h,
                                       const gpucmd_priv_nv_piece *piece, uint32_t n_dw)
{
    gpucmd_nv_object object;
    if (GPUCMD_NV_IS_GF100(h->ch->chip) || h->card->object == NULL) {
        return n_dw;
    }
    for (uint32_t i = 0; i < n_dw; i++) {
        const uint32_t mthd = piece->mthd + (piece->inc ? 4 * i : 0);
        if (mthd >= 0x180 && mthd < 0x200 && !gpucmd_priv_nv_lookup(h, piece->data[i], &object)) {
            return i;
        }
    }
    return n_dw;
}

/* Words inside a window. *n_dw becomes how many were taken: at most up to and
 * with the first trigger. */
static gpucmd_status gpucmd_priv_nv_window_run(const gpucmd_priv_nv_host *h,
                                               const gpucmd_priv_nv_window *at,
                                               const gpucmd_priv_nv_piece *piece, uint32_t *n_dw)
{
    gpucmd_nv_engine *e = &h->ch->engines[piece->subc];
    const uint32_t off = (piece->mthd - at->mthd) / 4;
    uint32_t triggers = at->triggers >> off;
    uint32_t n = piece->inc && *n_dw > at->words - off ? at->words - off : *n_dw;
    gpucmd_status status;
    if (!piece->inc && (triggers & 1) == 0) {
        e->reg[at->slot + off] = piece->data[n - 1];
        gpucmd_priv_nv_shade(h, piece, n);
        return GPUCMD_OK;
    }
    for (uint32_t i = 0; i < n; i++, triggers >>= 1) {
        if ((triggers & 1) != 0) {
            n = i + 1;
        }
    }
    gpucmd_priv_copy(&e->reg[at->slot + off], piece->data, (size_t)n * 4);
    gpucmd_priv_nv_shade(h, piece, n);
    *n_dw = n;
    if ((at->triggers >> (off + n - 1) & 1) == 0) {
        return GPUCMD_OK;
    }
    status = gpucmd_priv_nv_fire(h, piece->subc, piece->mthd + 4 * (n - 1), piece->data[n - 1]);
    *n_dw = status == GPUCMD_OK ? n : n - 1;
    return status;
}

/* True if the caller sees also what the model looks at. */
GPUCMD_INLINE bool gpucmd_priv_nv_shared(const gpucmd_nv_engine *e)
{
    return e->model >= GPUCMD_NV_MODEL_3D_NV30;
}

/* The next words of a piece of which the model looks at some. *n_dw becomes how
 * many were taken. */
static gpucmd_status gpucmd_priv_nv_engine_some(const gpucmd_priv_nv_host *h,
                                                const gpucmd_priv_nv_piece *piece, uint32_t *n_dw)
{
    gpucmd_nv_engine *e = &h->ch->engines[piece->subc];
    gpucmd_status status;
    for (uint32_t i = 0; i < e->window_count; i++) {
        const gpucmd_priv_nv_window *at = &gpucmd_priv_nv_windows[e->first_window + i];
        if (at->words == 0 && piece->mthd == at->mthd) {
            *n_dw = piece->inc ? 1 : *n_dw;
            return gpucmd_priv_nv_inline_data(h, e, piece->data, n_dw);
        }
        if (piece->mthd >= at->mthd && (piece->mthd - at->mthd) / 4 < at->words) {
            status = gpucmd_priv_nv_window_run(h, at, piece, n_dw);
            if (*n_dw != 0 && status == GPUCMD_OK && gpucmd_priv_nv_shared(e)) {
                status = gpucmd_priv_nv_forward(h, piece, h->card->event, h->card->user, n_dw);
            }
            return status;
        }
        if (piece->inc && at->mthd > piece->mthd && (at->mthd - piece->mthd) / 4 < *n_dw) {
            *n_dw = (at->mthd - piece->mthd) / 4;
        }
    }
    gpucmd_priv_nv_shade(h, piece, *n_dw);
    return gpucmd_priv_nv_forward(h, piece, h->card->event, h->card->user, n_dw);
}

/* Methods of a software object, or of none. */
static gpucmd_status gpucmd_priv_nv_engine_soft(const gpucmd_priv_nv_host *h,
                                                const gpucmd_priv_nv_piece *piece, uint32_t *n_dw)
{
    if (h->card->software == NULL && h->seek == NULL) {
        *n_dw = 0;
        return gpucmd_priv_nv_halt(h, GPUCMD_NV_PBDMA_INTR_DEVICE,
                                   GPUCMD_NV_HOST_ERROR_CACHE_EMPTY_SUBCHANNEL);
    }
    return gpucmd_priv_nv_forward(h, piece, h->card->software, h->card->software_user, n_dw);
}

/* Engine methods: all words of the piece, of which *n_dw becomes how many were
 * taken. */
static gpucmd_status gpucmd_priv_nv_engine_run(const gpucmd_priv_nv_host *h,
                                               gpucmd_priv_nv_piece *piece, uint32_t *n_dw)
{
    const gpucmd_nv_engine *e = &h->ch->engines[piece->subc];
    const uint32_t last = piece->mthd + (piece->inc ? 4 * (*n_dw - 1) : 0);
    const uint64_t touched =
        ~(uint64_t)0 << (piece->mthd / 0x100 & 63) & ~(uint64_t)0 >> (63 - (last / 0x100 & 63));
    const uint32_t all = *n_dw;
    uint32_t done = 0;
    gpucmd_status status = GPUCMD_OK;
    h->ch->last_subc = piece->subc;
    if (GPUCMD_PRIV_UNLIKELY(e->model <= GPUCMD_NV_MODEL_SOFTWARE) &&
        (e->model == GPUCMD_NV_MODEL_SOFTWARE || !GPUCMD_NV_IS_GF100(h->ch->chip))) {
        return gpucmd_priv_nv_engine_soft(h, piece, n_dw);
    }
    if ((e->pages & touched) == 0) {
        gpucmd_priv_nv_shade(h, piece, all);
        return gpucmd_priv_nv_forward(h, piece, h->card->event, h->card->user, n_dw);
    }
    while (done < all && status == GPUCMD_OK) {
        uint32_t n = gpucmd_priv_nv_handles(h, piece, all - done);
        status = n != 0 ? gpucmd_priv_nv_engine_some(h, piece, &n)
                        : gpucmd_priv_nv_halt(h, 0, GPUCMD_NV_HOST_ERROR_CACHE_NO_HASH);
        done += n;
        piece->data += n;
        piece->va += 4 * (uint64_t)n;
        piece->mthd += piece->inc ? 4 * n : 0;
    }
    *n_dw = done;
    return status;
}

/* ==== [NV.IMPL.CHANNEL] ==================================================================== */

/* A piece of a run: host methods as far as it has some, then the engine's. */
static gpucmd_status gpucmd_priv_nv_piece_run(const gpucmd_priv_nv_host *h,
                                              gpucmd_priv_nv_piece *piece, uint32_t *n_dw)
{
    uint32_t host_dw = 0;
    gpucmd_status status = GPUCMD_OK;
    if (piece->mthd < GPUCMD_NV_HOST_END) {
        host_dw = *n_dw;
        status =
            gpucmd_priv_nv_host_run(h, piece->subc, piece->mthd, piece->inc, piece->data, &host_dw);
        if (host_dw == *n_dw || status != GPUCMD_OK) {
            *n_dw = host_dw;
            return status;
        }
        piece->mthd += 4 * host_dw;
        piece->data += host_dw;
        piece->va += 4 * (uint64_t)host_dw;
    }
    *n_dw -= host_dw;
    status = gpucmd_priv_nv_engine_run(h, piece, n_dw);
    *n_dw += host_dw;
    return status;
}

/* Receives the methods that the pusher or the PBDMA of the channel sends. */
static gpucmd_status gpucmd_priv_nv_receive(void *user, const gpucmd_event *event)
{
    const gpucmd_priv_nv_host *h = (const gpucmd_priv_nv_host *)user;
    gpucmd_nv_puller *p = &h->ch->puller;
    uint32_t done = 0;
    gpucmd_status status = GPUCMD_OK;
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
    if (GPUCMD_PRIV_UNLIKELY(h->seek != NULL && h->seek->satisfies)) {
        status = GPUCMD_BLOCKED;
    }
    *event->out_dw = done;
    return status;
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
    gpucmd_status status;
    gpucmd_priv_zero(ch, sizeof *ch);
    ch->chip = chip;
    ch->id = id;
    status = GPUCMD_NV_IS_GF100(chip) ? gpucmd_nv_pbdma_init(&ch->pbdma, chip)
                                      : gpucmd_nv_pusher_init(&ch->pusher, chip);
    for (uint32_t i = 0; i < 64; i++) {
        ch->puller.known |= (uint64_t)gpucmd_nv_knows_mthd(chip, 4 * i) << i;
    }
    if (chip >= GPUCMD_NV_CHIP_GK104 && status == GPUCMD_OK) {
        gpucmd_priv_nv_engine_init(&ch->engines[4], gpucmd_nv_copy_class(chip),
                                   GPUCMD_NV_MODEL_COPY);
    }
    return status;
}

/* True if something stops the channel until the kernel clears it. */
static bool gpucmd_priv_nv_stopped(const gpucmd_nv_channel *ch)
{
    return ch->puller.fault != GPUCMD_OK || ch->puller.error != GPUCMD_NV_HOST_ERROR_NONE ||
           ch->pbdma.intr != 0;
}

/* Runs with *budget, until the channel stops or pauses. */
static gpucmd_run gpucmd_priv_nv_turn(gpucmd_priv_nv_host *h, uint64_t *budget)
{
    gpucmd_nv_channel *ch = h->ch;
    gpucmd_env env;
    gpucmd_run run;
    gpucmd_env_init(&env, h->card->mem, gpucmd_priv_nv_receive, h);
    env.trace = h->seek == NULL ? h->card->trace : NULL;
    env.trace_user = h->card->trace_user;
    ch->puller.pause = 0;
    if (gpucmd_priv_nv_stopped(ch)) {
        return GPUCMD_RUN_FAULT;
    }
    run = GPUCMD_NV_IS_GF100(ch->chip) ? gpucmd_priv_nv_pbdma_spend(&ch->pbdma, &env, budget)
                                       : gpucmd_priv_nv_pusher_spend(&ch->pusher, &env, budget);
    if (run == GPUCMD_RUN_BLOCKED) {
        if (gpucmd_priv_nv_stopped(ch)) {
            return GPUCMD_RUN_FAULT;
        }
        if (ch->puller.pause != 0) {
            *budget -= ch->puller.pause < *budget ? ch->puller.pause : *budget;
            return *budget != 0 ? GPUCMD_RUN_DONE : GPUCMD_RUN_LIMIT;
        }
    }
    return run;
}

GPUCMD_PRIV_API gpucmd_run gpucmd_nv_channel_run(gpucmd_nv_channel *ch, gpucmd_nv_card *card,
                                                 uint64_t budget)
{
    gpucmd_priv_nv_host h;
    gpucmd_run run;
    h.ch = ch;
    h.card = card;
    h.seek = NULL;
    do {
        run = gpucmd_priv_nv_turn(&h, &budget);
    } while (run == GPUCMD_RUN_DONE);
    return run;
}

GPUCMD_PRIV_API gpucmd_run gpucmd_nv_channel_step(gpucmd_nv_channel *ch, gpucmd_nv_card *card)
{
    gpucmd_priv_nv_host h;
    uint64_t budget = 1;
    gpucmd_run run;
    h.ch = ch;
    h.card = card;
    h.seek = NULL;
    run = gpucmd_priv_nv_turn(&h, &budget);
    return run == GPUCMD_RUN_LIMIT || (run == GPUCMD_RUN_IDLE && budget == 0) ? GPUCMD_RUN_DONE
                                                                              : run;
}

GPUCMD_PRIV_API void gpucmd_nv_channel_clear(gpucmd_nv_channel *ch)
{
    ch->puller.skip = ch->puller.skip || ch->puller.fault != GPUCMD_OK;
    ch->puller.fault = GPUCMD_OK;
    ch->puller.error = GPUCMD_NV_HOST_ERROR_NONE;
    ch->puller.wait.active = false;
    ch->puller.yield = false;
    ch->pbdma.intr = 0;
    for (uint32_t i = 0; i < GPUCMD_NV_SUBCHANNELS; i++) {
        ch->engines[i].copying = false;
    }
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

/* ---- many channels ---- */

/* Would this channel, if its acquires passed, write to what is waited for? */
static void gpucmd_priv_nv_look(const gpucmd_nv_channel *ch, gpucmd_nv_card *card,
                                const gpucmd_nv_report *report, gpucmd_priv_nv_seek *seek)
{
    gpucmd_priv_nv_host h;
    uint64_t budget = report->look_ahead;
    gpucmd_run run = GPUCMD_RUN_DONE;
    *report->scratch = *ch;
    report->scratch->shadow = NULL;
    h.ch = report->scratch;
    h.card = card;
    h.seek = seek;
    while (run == GPUCMD_RUN_DONE) {
        run = gpucmd_priv_nv_turn(&h, &budget);
    }
}

/* Fill in who could release each blocked channel. */
static void gpucmd_priv_nv_find_releasers(const gpucmd_nv_channel *channels, size_t count,
                                          gpucmd_nv_card *card, gpucmd_nv_report *report,
                                          size_t rows)
{
    for (size_t i = 0; i < rows && report->scratch != NULL; i++) {
        gpucmd_nv_blocked *row = &report->rows[i];
        for (size_t k = 0; k < count && !row->satisfies; k++) {
            gpucmd_priv_nv_seek seek;
            seek.wait = &row->wait;
            seek.found = false;
            seek.satisfies = false;
            gpucmd_priv_nv_look(&channels[k], card, report, &seek);
            if (seek.satisfies || (seek.found && row->releaser == GPUCMD_NV_NOBODY)) {
                row->releaser = (uint32_t)k;
                row->releaser_id = channels[k].id;
                row->satisfies = seek.satisfies;
            }
        }
    }
}

/* Mark the rows that wait, through their releasers, for themselves. */
static void gpucmd_priv_nv_find_cycles(gpucmd_nv_report *report, size_t rows)
{
    for (size_t i = 0; i < rows; i++) {
        uint32_t who = report->rows[i].releaser;
        for (size_t steps = 0; steps < rows && who != GPUCMD_NV_NOBODY; steps++) {
            uint32_t next = GPUCMD_NV_NOBODY;
            if (who == report->rows[i].channel) {
                report->rows[i].in_cycle = true;
                break;
            }
            for (size_t k = 0; k < rows; k++) {
                next = report->rows[k].channel == who ? report->rows[k].releaser : next;
            }
            who = next;
        }
    }
}

/* One row for each blocked channel. Returns the rows filled. */
static size_t gpucmd_priv_nv_fill(const gpucmd_nv_channel *channels, size_t count,
                                  gpucmd_nv_card *card, gpucmd_nv_report *report)
{
    size_t rows = 0;
    report->count = 0;
    for (size_t i = 0; i < count; i++) {
        const gpucmd_nv_channel *ch = &channels[i];
        if (!ch->puller.wait.active || gpucmd_priv_nv_stopped(ch)) {
            continue;
        }
        report->count++;
        if (report->rows != NULL && rows < report->cap) {
            gpucmd_nv_blocked *row = &report->rows[rows++];
            gpucmd_priv_nv_host h;
            gpucmd_priv_zero(row, sizeof *row);
            h.ch = report->scratch != NULL ? report->scratch : NULL;
            row->channel = (uint32_t)i;
            row->id = ch->id;
            row->at_va = GPUCMD_NV_IS_GF100(ch->chip)
                             ? ch->pbdma.pb_get
                             : ch->pusher.dma_pushbuffer_va + ch->pusher.dma_get;
            row->wait = ch->puller.wait;
            row->releaser = GPUCMD_NV_NOBODY;
            if (h.ch != NULL) {
                *h.ch = *ch;
                h.card = card;
                h.seek = NULL;
                row->readable = row->wait.op != GPUCMD_NV_SEM_OP_NONE &&
                                gpucmd_priv_nv_fetch(&h, row->wait.va, row->wait.is_64bit,
                                                     &row->memory) == GPUCMD_OK;
            }
        }
    }
    return rows;
}

/* One turn for each channel. Returns true if somebody went on. */
static bool gpucmd_priv_nv_round(gpucmd_nv_channel *channels, size_t count, gpucmd_nv_card *card,
                                 uint64_t quantum, uint64_t *budget, bool seen[4])
{
    bool moved = false;
    gpucmd_priv_nv_host h;
    h.card = card;
    h.seek = NULL;
    for (size_t i = 0; i < count && *budget != 0; i++) {
        uint64_t left = quantum < *budget ? quantum : *budget;
        const uint64_t given = left;
        gpucmd_run run;
        h.ch = &channels[i];
        run = gpucmd_priv_nv_turn(&h, &left);
        *budget -= given - left;
        moved = moved || left != given;
        seen[0] = seen[0] || run == GPUCMD_RUN_FAULT;
        seen[1] = seen[1] || run == GPUCMD_RUN_BLOCKED;
        seen[2] = seen[2] || run == GPUCMD_RUN_LIMIT || run == GPUCMD_RUN_DONE;
    }
    return moved || seen[2];
}

GPUCMD_PRIV_API gpucmd_run gpucmd_nv_run_all(gpucmd_nv_channel *channels, size_t count,
                                             gpucmd_nv_card *card, uint64_t quantum,
                                             uint64_t budget, gpucmd_nv_report *report)
{
    const uint64_t half = budget / 2;
    uint64_t effects = card->effects;
    uint64_t rounds = 0;
    bool seen[4] = {false, false, false, false};
    bool late = false;
    bool moved = true;
    size_t rows;
    quantum = quantum != 0 ? quantum : 1;
    while (moved && budget != 0) {
        seen[0] = seen[1] = seen[2] = false;
        if (!late && budget <= half) {
            late = true;
            effects = card->effects;
        }
        moved = gpucmd_priv_nv_round(channels, count, card, quantum, &budget, seen);
        rounds++;
    }
    if (report != NULL) {
        rows = gpucmd_priv_nv_fill(channels, count, card, report);
        report->rounds = rounds;
        report->deadlock = !moved && seen[1];
        report->livelock = moved && late && effects == card->effects;
        if (report->deadlock) {
            gpucmd_priv_nv_find_releasers(channels, count, card, report, rows);
            gpucmd_priv_nv_find_cycles(report, rows);
        }
    }
    if (moved) {
        return GPUCMD_RUN_LIMIT;
    }
    return seen[0] ? GPUCMD_RUN_FAULT : seen[1] ? GPUCMD_RUN_BLOCKED : GPUCMD_RUN_IDLE;
}

/* "memory at 0x1000 == 5" */
static void gpucmd_priv_nv_print_wait(gpucmd_text *t, const gpucmd_nv_wait *wait)
{
    gpucmd_text_str(t, "waits for 0x");
    gpucmd_text_hex(t, wait->va, 1);
    gpucmd_text_char(t, ' ');
    gpucmd_text_str(t, gpucmd_nv_sem_op_name(wait->op));
    gpucmd_text_str(t, " 0x");
    gpucmd_text_hex(t, wait->payload, 1);
}

GPUCMD_PRIV_API void gpucmd_nv_print_report(gpucmd_text *t, const gpucmd_nv_report *report)
{
    const size_t rows = report->rows == NULL          ? 0
                        : report->count < report->cap ? report->count
                                                      : report->cap;
    for (size_t i = 0; i < rows; i++) {
        const gpucmd_nv_blocked *row = &report->rows[i];
        gpucmd_text_str(t, "channel ");
        gpucmd_text_dec(t, row->id);
        gpucmd_text_str(t, " at 0x");
        gpucmd_text_hex(t, row->at_va, 1);
        gpucmd_text_char(t, ' ');
        gpucmd_priv_nv_print_wait(t, &row->wait);
        if (row->readable) {
            gpucmd_text_str(t, ", memory holds 0x");
            gpucmd_text_hex(t, row->memory, 1);
        }
        if (row->releaser == GPUCMD_NV_NOBODY) {
            gpucmd_text_str(t, "\n  nobody writes there");
        } else {
            gpucmd_text_str(t, "\n  channel ");
            gpucmd_text_dec(t, row->releaser_id);
            gpucmd_text_str(t, row->satisfies ? " would release it"
                                              : " writes there, maybe not such a value");
        }
        gpucmd_text_str(t, row->in_cycle ? ", in a cycle\n" : "\n");
    }
}

#ifdef __cplusplus
}
#endif

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

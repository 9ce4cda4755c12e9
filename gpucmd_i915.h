/* gpucmd_i915.h - v0.1.0 - Intel command streams, gen2 to Xe3 - SPDX-License-Identifier: MIT
 *
 * [I915.MANUAL]
 *
 * WHAT IT IS
 *   Encodes, decodes, checks and executes the MI, PIPE_CONTROL and 2D commands
 *   of Intel GPUs. Writes rings and batches. Has the execbuffer2 interface of
 *   Linux, and a model kernel that answers it.
 *
 * WHAT IT DOES NOT DO
 *   The library does not:
 *     - make system calls or access registers, except through the caller's
 *       gpucmd_sys_ops and gpucmd_mmio; allocate memory; flush caches
 *     - name all 3D, media and video commands; it knows their lengths
 *   The executor passes these to the callback and does nothing else:
 *     - 3D, media and video commands; of COMPUTE_WALKER it executes the post-sync
 *       operation
 *     - the commands of GPUCMD_I915_NOT_EXECUTED
 *     - XY_FAST_COPY_BLT with tiling 3 or Yf; XY_BLOCK_COPY_BLT and
 *       XY_FAST_COLOR_BLT with compression, samples, modes, offsets, levels,
 *       array indices or tile 64; MEM_COPY and MEM_SET with compression, matrices
 *       of pages, fast clears
 *   The executor does not have:
 *     - separate global and per-process addresses: they are one space. Set
 *       gpucmd_mem.scratch if unmapped addresses have a scratch page
 *     - swizzled surfaces; context images; UHPTR; partitions: WPARID is 0
 *     - privilege before gen6: every batch has all rights
 *     - BBADDR and BBSTATE; the automatic head report that CTL can request
 *     - second-level batches before gen8, except on the render engine
 *   The model kernel does not have:
 *     - the errnos of a kernel of 2014: it returns those of today's kernel
 *     - a shadow copy of a parsed batch; execlists; preemption; GETPARAM; mappings
 *     - ioctls of contexts, address spaces, imports and sync objects: the caller
 *       fills the tables
 *     - the mappable part of the global table; differences inside gen12: in Linux
 *       only Tiger Lake accepts relocations
 *     - a separate FENCE_SUBMIT: it waits as FENCE_IN does
 *
 * SMALLEST PROGRAM
 *       #include "gpucmd_i915.h"
 *
 *       int main(void)
 *       {
 *           uint32_t batch[16];
 *           size_t len_dw = 0;
 *           gpucmd_writer w;
 *           gpucmd_writer_init(&w, batch, 16);
 *           gpucmd_i915_emit_mi_store_data_imm(&w, GPUCMD_I915_GEN9, 0, 0x10000, 7);
 *           gpucmd_i915_emit_mi_batch_buffer_end(&w, GPUCMD_I915_GEN9, 0);
 *           return gpucmd_writer_finish(&w, &len_dw) != GPUCMD_OK;
 *       }
 *
 * DEFINITIONS
 *   dword       word of 32 bits. DWn is word n of a command. DW0 has the opcode
 *               and, in its low bits, the number of words minus 2.
 *   client      bits 31:29 of DW0: 0 MI, 2 2D or GSC, 3 3D, media and video, 4
 *               and 5 state and barriers of render and compute.
 *   field       <command>_<field>; BLT_<field> for 2D commands that exist
 *               before gen9. For MI_ATOMIC_OPCODE,
 *               GPUCMD_I915_BITS(MI_ATOMIC_OPCODE) is the mask,
 *               GPUCMD_I915_PUT(MI_ATOMIC_OPCODE, 7) places a value, and
 *               GPUCMD_I915_GET(MI_ATOMIC_OPCODE, dw) extracts it.
 *   engine      command streamer: RCS render, VCS video, BCS copy, VECS video
 *               enhancement, CCS compute, GSC firmware. Its registers start at
 *               a base.
 *   ring        circular buffer of words from HEAD (read) to TAIL (written).
 *   batch       commands outside the ring, up to MI_BATCH_BUFFER_END. Batches
 *               can be chained, or called by another batch.
 *   privilege   rights that a non-secure batch lacks. gen6: register writes and
 *               MI_STORE_DATA_INDEX; gen7 and later: whole commands.
 *   GGTT, PPGTT global address table; address table of a process.
 *
 * STEPS
 *   1. Write a batch: gpucmd_i915_emit_<command> into a writer. To use several
 *      chunks, emit into the member w of a gpucmd_i915_batch, after
 *      gpucmd_i915_batch_init, _set_next and _reserve. Relocations:
 *      gpucmd_i915_batch_set_relocs, and _reloc after each address; inline.
 *   2. Check it: gpucmd_i915_cmdset_init, then gpucmd_i915_check. Zero the
 *      options, then set va and found.
 *   3. Submit it to a kernel: gpucmd_i915_exec_init, _add, _finish, then the
 *      ioctl. Or write it into a ring: gpucmd_i915_ring_init, _set_wait and
 *      _start; then _begin, gpucmd_i915_emit_dispatch, _end, _publish.
 *   4. Execute it: gpucmd_mem_init, gpucmd_env_init, gpucmd_i915_cs_init,
 *      _cs_batch, gpucmd_i915_run. With a ring: gpucmd_i915_cs_mmio instead of
 *      _cs_batch. Several engines: gpucmd_i915_run_all. After BLOCKED or FAULT
 *      gpucmd_i915_cs_why says why.
 *   5. Model kernel: gpucmd_i915_kernel_init_store with page aligned RAM, then
 *      gpucmd_i915_kernel_sys. A store has rows for 64 objects, a list of 64,
 *      16 sync objects, 16 sync files, and a render engine. Use 1 MiB of RAM.
 *      Without a store: gpucmd_i915_kernel_init; then set objects,
 *      object_count, list, list_cap, rings and sync_ring; gpucmd_i915_kernel_check.
 *
 * ERRORS
 *   Writers and encoders: see gpucmd.h; each section lists its statuses. After
 *   an error the executor is in state RS5, until gpucmd_i915_cs_reset. Ioctls
 *   return 0 or a negative errno; if a table is too small, the member table of
 *   gpucmd_i915_kernel names that table.
 *
 * GENERATIONS
 *   2, 3, 4, 4.5 (G4x), 5, 6, 7, 7.5 (Haswell), 8, 9, 11, 12, 12.5 (DG2), 12.7
 *   (Meteor Lake), 20 (Xe2), 30 (Xe3).
 *
 * MODEL CHOICES
 *   [OUR] marks a choice where no source settles a point. HEAD moves past
 *   MI_BATCH_BUFFER_START only when the batch has ended, as in the article
 *   [NOP]. ACTHD is the offset in the ring, or the address in the batch. A
 *   submission to the model kernel has at most 131072 fences.
 *
 * CONFIGURATION, THREADING
 *   Size in KiB with gpucmd.h, Cortex-M4, -Os: read 78, read and run 102, all 119.
 *   Options and threads are as in gpucmd.h. Only one thread at a time may use a ring,
 *   a batch, a kernel, or the engines of a run_all.
 *
 * CONTENTS (search for the mark)
 *   [I915.MANUAL]       this text
 *   [I915.SOURCES]      where the facts come from
 *   [I915.FACTS]        generations, commands, fields, registers, rules
 *   [I915.CONST]        enums, sizes, constant first words
 *   [I915.ENCODE]       checked, values to words
 *   [I915.EMIT]         writer verbs
 *   [I915.RING]         rings and batches
 *   [I915.DECODE]       length, walk, classify, decode, name, print
 *   [I915.CHECK]        findings
 *   [I915.EXEC]         command streamers
 *   [I915.RECIPE]       flushes, breadcrumbs, batch starts, copies of a kernel
 *   [I915.KERNEL]       structures, builder, model kernel
 *   [I915.IMPL.FACTS]   names of registers
 *   [I915.IMPL.DECODE]  tables, names, lengths, fields, text
 *   [I915.IMPL.CHECK]   the checker
 *   [I915.IMPL.EXEC]    commands, the state machine, several engines
 *   [I915.IMPL.ENGINE]  2D commands
 *   [I915.IMPL.KERNEL]  the kernel's parser, execbuffer2, buffer objects
 */

#include "gpucmd.h"
#if GPUCMD_VERSION != 0x000100
#error "gpucmd_i915.h and gpucmd.h come from different releases"
#endif

#ifndef GPUCMD_I915_H
#define GPUCMD_I915_H

GPUCMD_PRIV_BEGIN

/* ==== [I915.SOURCES] ======================================================================= */

/* Sources of the facts. [K] in a comment names the row with key K. Column kind:
 *   doc  document of the vendor       src  published source code
 *   obs  captured command streams     our  a choice of this library */
/* clang-format off */
#define GPUCMD_I915_SOURCES(S)                                                                     \
    /*  key    kind  title                                                   revision */           \
    S( K,      src,  "drm-kmod drivers/gpu/drm/i915",                         "129bf0f2" )         \
    S( K2,     src,  "i915-sriov-dkms drivers/gpu/drm/i915",                  "2421d3ff" )         \
    S( XE,     src,  "i915-sriov-dkms drivers/gpu/drm/xe",                    "2421d3ff" )         \
    S( K4,     src,  "Linux 4.1 drivers/gpu/drm/i915, ring semaphores",       "4.1" )              \
    S( GVT,    src,  "Linux drivers/gpu/drm/i915/gvt/cmd_parser.c",           "00a33be4" )         \
    S( IGT,    src,  "igt-gpu-tools lib and tests",                           "b3d809d5" )         \
    S( LD,     src,  "libdrm intel/intel_decode.c",                           "856c97cd" )         \
    S( GX,     src,  "Mesa src/intel/genxml",                                 "08642a8a" )         \
    S( MB,     src,  "Mesa src/intel/common/mi_builder.h",                    "08642a8a" )         \
    S( MD,     src,  "media-driver agnostic/gen*/hw/mhw_mi_hwcmd_*.h",        "950ba8f8" )         \
    S( CR,     src,  "compute-runtime shared/source/generated/*/*.inl",       "e37c60bf" )         \
    S( BLTT,   src,  "Linux i915 selftests/i915_gem_client_blt.c, tiles",     "6.x" )              \
    S( IBLT,   src,  "igt-gpu-tools lib/i915/i915_blt.c",                     "2022" )             \
    S( SNA,    src,  "xf86-video-intel src/sna, 2D commands",                 "31486f40" )         \
    S( I815,   doc,  "Intel 815 Graphics Controller PRM 298237-001, 6 and 12", "2000-07" )         \
    S( PRM4_5, doc,  "Intel PRM of G45, vol 1a, 321391-001",                   "2009-01" )         \
    S( PRM5,   doc,  "Intel PRM of ILK, vol 1 parts 3 and 5, IHD_OS_V1",       "2010-03" )         \
    S( PRM6,   doc,  "Intel PRM of SNB, vol 1 parts 4 and 5, IHD-OS-V1",       "2011-05" )         \
    S( PRM7,   doc,  "Intel PRM of IVB, vol 1 parts 3 to 5, IHD-OS-V1",        "2012-05" )         \
    S( PRM7_5, doc,  "Intel PRM of HSW, vol 6",                                "2014-01" )         \
    S( PRM9,   doc,  "Intel PRM of SKL, vol 11, IHD-OS-SKL",                   "2016-05" )         \
    S( UAPI,   src,  "igt-gpu-tools include/drm-uapi/i915_drm.h",             "b3d809d5" )         \
    S( NOP,    doc,  "i915 command submission via gem_exec_nop",              "2014-07-12" )       \
    S( CAP,    obs,  "batches of Mesa 22.3.6 and igt 1.27.1, gen3 to gen12",  "2024" )             \
    S( OUR,    our,  "a choice of ours where no source settles a point",      "" )
/* clang-format on */

#define GPUCMD_I915_PRIV_SOURCE(key, kind, title, revision) GPUCMD_I915_SRC_##key,
typedef enum gpucmd_i915_source { GPUCMD_I915_SOURCES(GPUCMD_I915_PRIV_SOURCE) } gpucmd_i915_source;
#undef GPUCMD_I915_PRIV_SOURCE

/* ==== [I915.FACTS] ========================================================================= */

/* Generations in ascending order. In other tables "generations (2)" are the first and the last of a
 * row. Column number: GPUCMD_I915_GEN<name>, 10 times the name. [K] i915_pci.c [XE] xe_pci.c */
/* clang-format off */
#define GPUCMD_I915_GENS(G)                                                                        \
    /*  name   number  text     parts */                                                           \
    G( 2,      20,     "2",     "830, 845, 855, 865" )                                             \
    G( 3,      30,     "3",     "915, 945, G33, Pineview" )                                        \
    G( 4,      40,     "4",     "965" )                                                            \
    G( 4_5,    45,     "4.5",   "G45, GM45" )                                                      \
    G( 5,      50,     "5",     "Ironlake" )                                                       \
    G( 6,      60,     "6",     "Sandybridge" )                                                    \
    G( 7,      70,     "7",     "Ivybridge, Baytrail" )                                            \
    G( 7_5,    75,     "7.5",   "Haswell" )                                                        \
    G( 8,      80,     "8",     "Broadwell, Cherryview" )                                          \
    G( 9,      90,     "9",     "Skylake family" )                                                 \
    G( 11,     110,    "11",    "Icelake" )                                                        \
    G( 12,     120,    "12",    "Tigerlake" )                                                      \
    G( 12_5,   125,    "12.5",  "DG2" )                                                            \
    G( 12_7,   127,    "12.7",  "Meteor Lake, Arrow Lake" )                                        \
    G( 20,     200,    "20",    "Lunar Lake, Battlemage" )                                         \
    G( 30,     300,    "30",    "Panther Lake" )

/* Kinds of command streamers. Column bit: the bit of the kind in masks of engines. Column since:
 * the first generation that has the kind. [K] intel_engine_cs.c */
#define GPUCMD_I915_ENGINES(E)                                                                     \
    /*  name   text     bit  since */                                                              \
    E( RCS,    "rcs",   1,   2 )                                                                   \
    E( VCS,    "vcs",   2,   4_5 )                                                                 \
    E( BCS,    "bcs",   4,   6 )                                                                   \
    E( VECS,   "vecs",  8,   7_5 )                                                                 \
    E( CCS,    "ccs",   16,  12_5 )                                                                \
    E( GSC,    "gsc",   32,  12_7 )

#define GPUCMD_I915_BASES(B)                                                                       \
    /*  engine  instance  generations (2)  base */                                                 \
    B( RCS,    0,        2, 30,       0x002000 )    B( VCS,    0,        4_5, 5,      0x004000 )   \
    B( VCS,    0,        6, 9,        0x012000 )    B( VCS,    0,        11, 30,      0x1c0000 )   \
    B( VCS,    1,        8, 9,        0x01c000 )    B( VCS,    1,        11, 30,      0x1c4000 )   \
    B( VCS,    2,        11, 30,      0x1d0000 )    B( VCS,    3,        11, 30,      0x1d4000 )   \
    B( VCS,    4,        12_5, 30,    0x1e0000 )    B( VCS,    5,        12_5, 30,    0x1e4000 )   \
    B( VCS,    6,        12_5, 30,    0x1f0000 )    B( VCS,    7,        12_5, 30,    0x1f4000 )   \
    B( BCS,    0,        6, 30,       0x022000 )    B( BCS,    8,        20, 30,      0x3ee000 )   \
    B( VECS,   0,        7_5, 9,      0x01a000 )    B( VECS,   0,        11, 30,      0x1c8000 )   \
    B( VECS,   1,        11, 30,      0x1d8000 )    B( VECS,   2,        12_5, 30,    0x1e8000 )   \
    B( VECS,   3,        12_5, 30,    0x1f8000 )    B( CCS,    0,        12_5, 30,    0x01a000 )   \
    B( CCS,    1,        12_5, 12_5,  0x01c000 )    B( CCS,    1,        20, 30,      0x01c000 )   \
    B( CCS,    2,        12_5, 12_5,  0x01e000 )    B( CCS,    2,        20, 30,      0x01e000 )   \
    B( CCS,    3,        12_5, 12_5,  0x026000 )    B( CCS,    3,        20, 30,      0x026000 )   \
    B( GSC,    0,        12_7, 30,    0x11a000 )

/* Classes of MI and 2D commands by the width of their length field, in bits. The field contains
 * the number of dwords minus 2. Commands of class ONE have one dword and no length field.
 * [K] intel_gpu_commands.h, i915_cmd_parser.c [GX] */
#define GPUCMD_I915_LENGTHS(L)                                                                     \
    /*  class  generations (2)  bits */                                                            \
    L( ONE,    2, 30,       0 )                     L( DEF,    2, 5,        6 )                    \
    L( DEF,    6, 30,       8 )                     L( BYTE,   2, 30,       8 )                    \
    L( SIX,    2, 30,       6 )                     L( SDI,    2, 7_5,      6 )                    \
    L( SDI,    8, 30,       10 )                    L( UGTT,   2, 7_5,      8 )                    \
    L( UGTT,   8, 30,       10 )                    L( CLF,    2, 6,        6 )                    \
    L( CLF,    7, 30,       10 )                    L( MATH,   2, 8,        6 )                    \
    L( MATH,   9, 30,       8 )

/* Classes of commands by the engines that can execute them. [K] i915_cmd_parser.c [GX] */
#define GPUCMD_I915_OWNERS(O)                                                                      \
    /*  class  generations (2)  engine bits: 1 RCS, 2 VCS, 4 BCS, 8 VECS, 16 CCS, 32 GSC */        \
    O( ANY,    2, 12_5,    31 )                     O( ANY,    12_7, 30,   63 )                    \
    O( RCS,    2, 30,      17 )                     O( FLSH,   2, 5,       31 )                    \
    O( FLSH,   6, 30,      17 )                     O( MATH,   2, 8,       1 )                     \
    O( MATH,   9, 12_5,    31 )                     O( MATH,   12_7, 30,   63 )                    \
    O( FDW,    2, 12,      14 )                     O( FDW,    12_5, 12_5, 30 )                    \
    O( FDW,    12_7, 30,   62 )                     O( DISP,   2, 30,      5 )                     \
    O( EVENT,  2, 9,       31 )                     O( EVENT,  11, 30,     5 )                     \
    O( PRED,   7, 9,       17 )                     O( PRED,   11, 12_5,   31 )                    \
    O( PRED,   12_7, 30,   63 )                     O( BLT,    2, 5,       1 )                     \
    O( BLT,    6, 30,      4 )                      O( GSC,    12_7, 30,   32 )

/* Command classes by effect in a non-secure batch, gen7 and later. [K] i915_cmd_parser.c [MD] */
#define GPUCMD_I915_PRIVILEGES(V)                                                                  \
    /*  class  effect */                                                                           \
    V( NONE,   "executed" )                                                                        \
    V( NOOP,   "skipped" )                                                                         \
    V( ALWAYS, "skipped, also on gen6 [OUR]" )                                                     \
    V( IRQ,    "skipped before gen8" )                                                             \
    V( GGTT,   "skipped if it accesses the global table" )                                        \
    V( SPACE,  "its global table bit is ignored" )                                                 \
    V( DROP,   "register read, store to the global table dropped" )                                \
    V( REG,    "registers outside the list are not written" )                                     \
    V( SYNC,   "flushes; store to the global table or the status page dropped" )

/* All MI and 2D commands, and PIPE_CONTROL. A row calls C(x, columns); x is the second argument of
 * the table. Columns:
 *   engines, length, privilege   classes: GPUCMD_I915_OWNERS, _LENGTHS, _PRIVILEGES
 *   dwords  words of the shortest and of the longest form before gen8, then of
 *           gen8 and later; 0: these generations do not have the command
 *   words   number of words with rows in the field tables: DW0 to DW(words - 1)
 *   size    what GPUCMD_I915_<command>_DW depends on. FIX: nothing. GEN: the
 *           generation. N: the number of data words. GEN_N: both. LEN: nothing,
 *           and the name ends in _LEN_DW. BLT: see GPUCMD_I915_BLTS
 * [K] [GX] [LD] [IGT] [PRM4_5]; MI_CONDITIONAL_BATCH_BUFFER_END [PRM6]; MI_UPDATE_GTT [PRM5] */
#define GPUCMD_I915_MI_COMMANDS(C, x)                                                              \
    /* name, first word, generations (2), engines, length, dwords (4), privilege, words, size */  \
    C(x, MI_NOOP,                      0x00000000, 2, 30, ANY, ONE, 1, 1, 1, 1, NONE, 1, FIX)      \
    C(x, MI_SET_PREDICATE,             0x00800000, 7_5, 30, ANY, ONE, 1, 1, 1, 1, NONE, 1, FIX)    \
    C(x, MI_USER_INTERRUPT,            0x01000000, 2, 30, ANY, ONE, 1, 1, 1, 1, IRQ, 1, FIX)       \
    C(x, MI_WAIT_FOR_EVENT,            0x01800000, 2, 30, EVENT, ONE, 1, 1, 1, 1, NOOP, 1, FIX)    \
    C(x, MI_FLUSH,                     0x02000000, 2, 9, FLSH, ONE, 1, 1, 1, 1, NONE, 1, LEN)      \
    C(x, MI_WAIT_FOR_EVENT_2,          0x02000000, 11, 30, EVENT, ONE, 0, 0, 1, 1, NOOP, 1, FIX)   \
    C(x, MI_ARB_CHECK,                 0x02800000, 4, 30, ANY, ONE, 1, 1, 1, 1, NONE, 1, FIX)      \
    C(x, MI_RS_CONTROL,                0x03000000, 7_5, 30, RCS, ONE, 1, 1, 1, 1, NONE, 1, FIX)    \
    C(x, MI_REPORT_HEAD,               0x03800000, 2, 30, ANY, ONE, 1, 1, 1, 1, NONE, 1, FIX)      \
    C(x, MI_ARB_ON_OFF,                0x04000000, 3, 30, ANY, ONE, 1, 1, 1, 1, NOOP, 1, FIX)      \
    C(x, MI_URB_ATOMIC_ALLOC,          0x04800000, 7_5, 9, RCS, ONE, 1, 1, 1, 1, NONE, 1, FIX)     \
    C(x, MI_MEM_FENCE,                 0x04800000, 20, 30, ANY, ONE, 0, 0, 1, 1, NONE, 1, FIX)     \
    C(x, MI_BATCH_BUFFER_END,          0x05000000, 2, 30, ANY, ONE, 1, 1, 1, 1, NONE, 1, FIX)      \
    C(x, MI_SUSPEND_FLUSH,             0x05800000, 5, 30, ANY, ONE, 1, 1, 1, 1, NOOP, 1, FIX)      \
    C(x, MI_PREDICATE,                 0x06000000, 7, 30, PRED, ONE, 1, 1, 1, 1, NONE, 1, FIX)     \
    C(x, MI_TOPOLOGY_FILTER,           0x06800000, 7, 30, RCS, ONE, 1, 1, 1, 1, NONE, 1, FIX)      \
    C(x, MI_SET_APPID,                 0x07000000, 7, 30, ANY, ONE, 1, 1, 1, 1, NONE, 1, FIX)      \
    C(x, MI_RS_CONTEXT,                0x07800000, 7_5, 30, RCS, ONE, 1, 1, 1, 1, NONE, 1, FIX)    \
    C(x, MI_OVERLAY_FLIP,              0x08800000, 2, 3, ANY, DEF, 2, 2, 0, 0, NOOP, 2, FIX)       \
    C(x, MI_LOAD_SCAN_LINES_INCL,      0x09000000, 2, 30, DISP, SIX, 2, 2, 2, 2, NOOP, 2, FIX)     \
    C(x, MI_LOAD_SCAN_LINES_EXCL,      0x09800000, 2, 30, DISP, SIX, 2, 2, 2, 2, NOOP, 2, FIX)     \
    C(x, MI_DISPLAY_FLIP,              0x0a000000, 2, 30, DISP, DEF, 3, 4, 3, 4, NOOP, 4, GEN)     \
    C(x, MI_SEMAPHORE_MBOX,            0x0b000000, 6, 7_5, ANY, DEF, 3, 3, 0, 0, NOOP, 3, FIX)     \
    C(x, MI_VERTEX_BUFFER,             0x0b800000, 2, 2, ANY, DEF, 2, 2, 0, 0, NONE, 2, FIX)       \
    C(x, MI_SET_CONTEXT,               0x0c000000, 4, 30, RCS, DEF, 2, 2, 2, 2, NOOP, 2, FIX)      \
    C(x, MI_URB_CLEAR,                 0x0c800000, 6, 8, RCS, DEF, 2, 2, 2, 2, NONE, 2, FIX)       \
    C(x, MI_MATH, 0x0d000000, 7_5, 30, MATH, MATH, 2, 65, 2, 257, NONE, 1, N)                      \
    C(x, MI_SEMAPHORE_SIGNAL,          0x0d800000, 8, 30, ANY, DEF, 0, 0, 2, 2, NONE, 2, FIX)      \
    C(x, MI_SEMAPHORE_WAIT,            0x0e000000, 8, 30, ANY, DEF, 0, 0, 4, 5, SPACE, 5, FIX)     \
    C(x, MI_FORCE_WAKEUP,              0x0e800000, 9, 30, ANY, DEF, 0, 0, 2, 2, NONE, 2, FIX)      \
    C(x, MI_STORE_DATA_IMM,            0x10000000, 2, 30, ANY, SDI, 3, 5, 4, 1025, GGTT, 5, GEN)   \
    C(x, MI_STORE_DATA_INDEX,          0x10800000, 2, 30, ANY, DEF, 3, 4, 3, 4, ALWAYS, 4, FIX)    \
    C(x, MI_LOAD_REGISTER_IMM,         0x11000000, 3, 30, ANY, DEF, 3, 257, 3, 257, REG, 1, N)     \
    C(x, MI_UPDATE_GTT,                0x11800000, 4_5, 9, ANY, UGTT, 3, 257, 3, 1025, NOOP, 2, N) \
    C(x, MI_STORE_REGISTER_MEM,        0x12000000, 3, 30, ANY, BYTE, 3, 3, 4, 4, DROP, 4, GEN)     \
    C(x, MI_FLUSH_DW,                  0x13000000, 6, 30, FDW, SIX, 3, 4, 3, 5, SYNC, 5, GEN)      \
    C(x, MI_CLFLUSH, 0x13800000, 6, 30, RCS, CLF, 3, 1025, 3, 1025, GGTT, 3, GEN_N)                \
    C(x, MI_REPORT_PERF_COUNT,         0x14000000, 5, 30, RCS, SIX, 3, 3, 4, 4, GGTT, 4, GEN)      \
    C(x, MI_LOAD_REGISTER_MEM,         0x14800000, 7, 30, ANY, DEF, 3, 3, 4, 4, REG, 4, GEN)       \
    C(x, MI_LOAD_REGISTER_REG,         0x15000000, 7_5, 30, ANY, DEF, 3, 3, 3, 3, REG, 3, FIX)     \
    C(x, MI_RS_STORE_DATA_IMM,         0x15800000, 7_5, 30, RCS, DEF, 4, 4, 4, 4, NONE, 4, FIX)    \
    C(x, MI_LOAD_URB_MEM,              0x16000000, 7_5, 9, RCS, DEF, 3, 3, 4, 4, NONE, 4, GEN)     \
    C(x, MI_STORE_URB_MEM,             0x16800000, 7_5, 9, RCS, DEF, 3, 3, 4, 4, NONE, 4, GEN)     \
    C(x, MI_COPY_MEM_MEM,              0x17000000, 8, 30, ANY, DEF, 0, 0, 5, 5, GGTT, 5, FIX)      \
    C(x, MI_ATOMIC,                    0x17800000, 8, 30, ANY, DEF, 0, 0, 3, 11, SPACE, 11, FIX)   \
    C(x, MI_BATCH_BUFFER,              0x18000000, 2, 3, ANY, DEF, 3, 3, 0, 0, NONE, 3, FIX)       \
    C(x, MI_BATCH_BUFFER_START,        0x18800000, 2, 30, ANY, DEF, 2, 2, 3, 3, NONE, 3, GEN)      \
    C(x, MI_CONDITIONAL_BATCH_BUFFER_END, 0x1b000000, 6, 30, ANY, DEF, 3, 3, 4, 4, GGTT, 4, GEN)   \
    C(x, GSC_HECI_CMD_PKT, 0x40000000, 12_7, 30, GSC, BYTE, 0, 0, 8, 8, NONE, 8, FIX)              \
    C(x, GSC_FW_LOAD,                  0x40400000, 12_7, 30, GSC, BYTE, 0, 0, 4, 4, NONE, 4, FIX)
#define GPUCMD_I915_2D_COMMANDS(C, x)                                                              \
    C(x, XY_SETUP_BLT, 0x40400000, 2, 12_5, BLT, BYTE, 8, 8, 10, 10, NONE, 10, BLT)                \
    C(x, XY_SETUP_CLIP_BLT,            0x40c00000, 2, 12_5, BLT, BYTE, 3, 3, 3, 3, NONE, 3, BLT)   \
    C(x, XY_SETUP_MONO_PATTERN_SL_BLT,                                                             \
      0x44400000, 2, 12_5, BLT, BYTE, 9, 9, 10, 10, NONE, 10, BLT)                                 \
    C(x, XY_PIXEL_BLT,                 0x49000000, 2, 12_5, BLT, BYTE, 2, 2, 2, 2, NONE, 2, BLT)   \
    C(x, XY_SCANLINES_BLT,             0x49400000, 2, 12_5, BLT, BYTE, 3, 3, 3, 3, NONE, 3, BLT)   \
    C(x, XY_TEXT_BLT,                  0x49800000, 2, 12_5, BLT, BYTE, 4, 4, 5, 5, NONE, 5, BLT)   \
    C(x, XY_TEXT_IMMEDIATE_BLT, 0x4c400000, 2, 12_5, BLT, BYTE, 5, 134, 5, 257, NONE, 3, BLT)      \
    C(x, COLOR_BLT,                    0x50000000, 2, 12_5, BLT, BYTE, 5, 5, 6, 6, NONE, 6, BLT)   \
    C(x, XY_BLOCK_COPY_BLT, 0x50400000, 12, 30, BLT, BYTE, 0, 0, 12, 22, NONE, 22, BLT)            \
    C(x, XY_FAST_COPY_BLT, 0x50800000, 9, 30, BLT, BYTE, 0, 0, 10, 10, NONE, 10, BLT)              \
    C(x, SRC_COPY_BLT,                 0x50c00000, 2, 12_5, BLT, BYTE, 6, 6, 8, 8, NONE, 8, BLT)   \
    C(x, XY_FAST_COLOR_BLT, 0x51000000, 12, 30, BLT, BYTE, 0, 0, 11, 16, NONE, 16, BLT)            \
    C(x, XY_CTRL_SURF_COPY_BLT, 0x52000000, 12_5, 30, BLT, BYTE, 0, 0, 5, 5, NONE, 5, BLT)         \
    C(x, XY_COLOR_BLT,                 0x54000000, 2, 12_5, BLT, BYTE, 6, 6, 7, 7, NONE, 7, BLT)   \
    C(x, XY_PAT_BLT,                   0x54400000, 2, 12_5, BLT, BYTE, 6, 6, 8, 8, NONE, 8, BLT)   \
    C(x, XY_MONO_PAT_BLT, 0x54800000, 2, 12_5, BLT, BYTE, 9, 9, 10, 10, NONE, 10, BLT)             \
    C(x, XY_SRC_COPY_BLT, 0x54c00000, 2, 12_5, BLT, BYTE, 8, 8, 10, 10, NONE, 10, BLT)             \
    C(x, XY_MONO_SRC_COPY_BLT, 0x55000000, 2, 12_5, BLT, BYTE, 8, 8, 10, 10, NONE, 10, BLT)        \
    C(x, XY_FULL_BLT, 0x55400000, 2, 12_5, BLT, BYTE, 9, 9, 12, 12, NONE, 12, BLT)                 \
    C(x, XY_FULL_MONO_SRC_BLT, 0x55800000, 2, 12_5, BLT, BYTE, 9, 9, 12, 12, NONE, 12, BLT)        \
    C(x, XY_FULL_MONO_PATTERN_BLT, 0x55c00000, 2, 12_5, BLT, BYTE, 12, 12, 14, 14, NONE, 14, BLT)  \
    C(x, XY_FULL_MONO_PATTERN_MONO_SRC_BLT,                                                        \
      0x56000000, 2, 12_5, BLT, BYTE, 12, 12, 14, 14, NONE, 14, BLT)                               \
    C(x, XY_MONO_PAT_FIXED_BLT,        0x56400000, 2, 12_5, BLT, BYTE, 7, 7, 8, 8, NONE, 8, BLT)   \
    C(x, MEM_COPY,                     0x56800000, 20, 30, BLT, BYTE, 0, 0, 10, 10, NONE, 10, BLT) \
    C(x, MEM_SET,                      0x56c00000, 20, 30, BLT, BYTE, 0, 0, 7, 7, NONE, 7, BLT)    \
    C(x, XY_MONO_SRC_COPY_IMMEDIATE_BLT,                                                           \
      0x5c400000, 2, 12_5, BLT, BYTE, 9, 137, 10, 257, NONE, 8, BLT)                               \
    C(x, XY_PAT_BLT_IMMEDIATE, 0x5c800000, 2, 12_5, BLT, BYTE, 7, 135, 8, 257, NONE, 6, BLT)       \
    C(x, XY_SRC_COPY_CHROMA_BLT, 0x5cc00000, 2, 12_5, BLT, BYTE, 10, 10, 12, 12, NONE, 12, BLT)    \
    C(x, XY_FULL_IMMEDIATE_PATTERN_BLT,                                                            \
      0x5d000000, 2, 12_5, BLT, BYTE, 10, 137, 12, 257, NONE, 10, BLT)                             \
    C(x, XY_FULL_MONO_SRC_IMMEDIATE_PATTERN_BLT,                                                   \
      0x5d400000, 2, 12_5, BLT, BYTE, 10, 138, 12, 257, NONE, 10, BLT)                             \
    C(x, XY_PAT_CHROMA_BLT, 0x5d800000, 2, 12_5, BLT, BYTE, 8, 8, 10, 10, NONE, 10, BLT)           \
    C(x, XY_PAT_CHROMA_BLT_IMMEDIATE,                                                              \
      0x5dc00000, 2, 12_5, BLT, BYTE, 9, 137, 10, 257, NONE, 8, BLT)
#define GPUCMD_I915_3D_COMMANDS(C, x)                                                              \
    C(x, PIPE_CONTROL,                 0x7a000000, 4, 30, RCS, BYTE, 4, 5, 4, 6, SYNC, 6, GEN)
#define GPUCMD_I915_COMMANDS(C, x)                                                                 \
    GPUCMD_I915_MI_COMMANDS(C, x) GPUCMD_I915_2D_COMMANDS(C, x) GPUCMD_I915_3D_COMMANDS(C, x)
/* Further forms of commands, each with its own encoder and size, GPUCMD_I915_<name>_DW. */
#define GPUCMD_I915_FORMS(R)                                                                       \
    /*  name                        command                 size    dwords */                      \
    R( MI_SEMAPHORE_WAIT_TOKEN,     MI_SEMAPHORE_WAIT,      FIX,    5 )                            \
    R( MI_STORE_DATA_INDEX_QW,      MI_STORE_DATA_INDEX,    FIX,    4 )                            \
    R( MI_FLUSH_DW_QW,              MI_FLUSH_DW,            GEN,    5 )                            \
    R( MI_FLUSH_DW_SHORT,           MI_FLUSH_DW,            FIX,    3 )                            \
    R( MI_STORE_DATA_IMM_QW,        MI_STORE_DATA_IMM,      GEN,    5 )                            \
    R( MI_STORE_DATA_IMM_WORDS,     MI_STORE_DATA_IMM,      N,      3 )                            \
    R( MI_LOAD_REGISTER_IMM1,       MI_LOAD_REGISTER_IMM,   FIX,    3 )                            \
    R( MI_ATOMIC_INLINE,            MI_ATOMIC,              FIX,    11 )                           \
    R( PIPE_CONTROL_SHORT,          PIPE_CONTROL,           GEN,    4 )

/* Parts of 2D commands: groups of words that several commands have. Column bits: the part's bits in
 * the mask of a command's parts; 0: the encoder needs no bit. Columns new and old: words of the
 * part on gen8 and later, and before gen8, where it is 0 if no command has the part. */
#define GPUCMD_I915_PRIV_PARTS(P)                                                                  \
    /*  name            bits        new, old */                                                    \
    P( NONE,           0,           0, 0 )  P( BR13,           1,           1, 1 )                 \
    P( RECT,           2,           2, 2 )  P( CLIP,           2,           2, 2 )                 \
    P( DST,            4,           2, 1 )  P( XY,             7,           5, 4 )                 \
    P( SETUP,          7,           5, 4 )  P( BLOCK,          7,           5, 0 )                 \
    P( FAST,           7,           5, 0 )  P( FAST_COLOR,     7,           5, 0 )                 \
    P( COPY_SRC,       8,           4, 3 )  P( FAST_SRC,       8 | 1 << 24, 4, 0 )                 \
    P( FULL_SRC,       16,          4, 3 )  P( MONO,           32,          2, 1 )                 \
    P( TEXT,           64,          2, 1 )  P( COLORS,         128,         2, 2 )                 \
    P( PATTERN,        256,         2, 1 )  P( PATTERN_COLORS, 512,         2, 2 )                 \
    P( PATTERN_WORDS,  1024,        2, 2 )  P( MONO_PATTERN,   1536,        4, 4 )                 \
    P( KEY,            2048,        2, 2 )  P( DATA,           4096,        0, 0 )                 \
    P( PIXEL,          8192,        1, 1 )  P( ROWS,           16384,       1, 1 )                 \
    P( BYTES,          16389,       4, 3 )  P( COPY_BYTES,     16389,       4, 3 )                 \
    P( OFFSETS,        1 << 15,     1, 0 )  P( BLOCK_OFFSETS,  1 << 15,     1, 0 )                 \
    P( BYTE_SRC,       1 << 16,     3, 2 )  P( BLOCK_SRC,      1 << 17,    15, 0 )                 \
    P( COLOR,          1 << 18,     1, 1 )  P( COLOR_4,        1 << 19,     4, 0 )                 \
    P( SETUP_PATTERN,  1 << 20,     2, 1 )  P( CONTROL,        1 << 21,     4, 0 )                 \
    P( MEM,            1 << 22,     2, 0 )  P( MEM_SRC,        1 << 23,     7, 0 )                 \
    P( MEM_DST,        0,           4, 0 )

/* The 2D commands. After its name a row lists the parts that follow DW0, in the order of the words.
 * [PRM5] [SNA]
 *   XY, SETUP      DW1, rectangle (SETUP: clip), address of the destination
 *   BYTES          DW1, rows and bytes, address of the destination
 *   COPY_BYTES     as BYTES, with X_DIRECTION in DW1
 *   BLOCK, FAST, FAST_COLOR   as XY, but DW1 has other fields
 *   PIXEL, RECT, CLIP         PIXEL: first corner; RECT, CLIP: rectangle
 *   OFFSETS, BLOCK_OFFSETS    offsets in the destination
 *   COPY_SRC, FAST_SRC        corner, pitch and address of the source
 *   FULL_SRC       pitch, corner and address of the source
 *   BYTE_SRC       pitch and address of the source
 *   BLOCK_SRC      corner, layout, address and offsets of the source; on gen12.5 and later, unless
 *                  short_form, also member surface
 *   MONO, TEXT     address of the source bits
 *   COLOR, COLORS  COLOR: color[0]; COLORS: color[0] and color[1]
 *   COLOR_4        color[0] to color[3]; on gen12.5 and later also surface[0] to surface[4]
 *   PATTERN        address of the pattern, 64-byte aligned
 *   SETUP_PATTERN  address of the pattern, 4-byte aligned
 *   PATTERN_COLORS color[2] and color[3]
 *   PATTERN_WORDS  pattern[0] and pattern[1]
 *   MONO_PATTERN   PATTERN_COLORS and PATTERN_WORDS
 *   KEY, DATA      KEY: key[0] and key[1]; DATA: the words of member data
 *   CONTROL        addresses of the source and of the destination
 *   MEM, MEM_SRC   surface[0] to surface[3], addresses of source and destination, surface[4]
 *   MEM, MEM_DST   surface[0] to surface[2], address of the destination, surface[3] */
#define GPUCMD_I915_BLTS(B, x)                                                                     \
    B(x, XY_SETUP_BLT,                           SETUP,      COLORS,       SETUP_PATTERN, NONE)    \
    B(x, XY_SETUP_CLIP_BLT,                      CLIP,       NONE,         NONE,         NONE)     \
    B(x, XY_SETUP_MONO_PATTERN_SL_BLT,           SETUP,      COLORS,       PATTERN_WORDS, NONE)    \
    B(x, XY_PIXEL_BLT,                           PIXEL,      NONE,         NONE,         NONE)     \
    B(x, XY_SCANLINES_BLT,                       RECT,       NONE,         NONE,         NONE)     \
    B(x, XY_TEXT_BLT,                            RECT,       TEXT,         NONE,         NONE)     \
    B(x, XY_TEXT_IMMEDIATE_BLT,                  RECT,       DATA,         NONE,         NONE)     \
    B(x, COLOR_BLT,                              BYTES,      COLOR,        NONE,         NONE)     \
    B(x, XY_BLOCK_COPY_BLT,                      BLOCK,      BLOCK_OFFSETS, BLOCK_SRC,    NONE)    \
    B(x, XY_FAST_COPY_BLT,                       FAST,       FAST_SRC,     NONE,         NONE)     \
    B(x, SRC_COPY_BLT,                           COPY_BYTES, BYTE_SRC,     NONE,         NONE)     \
    B(x, XY_FAST_COLOR_BLT,                      FAST_COLOR, OFFSETS,      COLOR_4,      NONE)     \
    B(x, XY_CTRL_SURF_COPY_BLT,                  CONTROL,    NONE,         NONE,         NONE)     \
    B(x, XY_COLOR_BLT,                           XY,         COLOR,        NONE,         NONE)     \
    B(x, XY_PAT_BLT,                             XY,         PATTERN,      NONE,         NONE)     \
    B(x, XY_MONO_PAT_BLT,                        XY,         MONO_PATTERN, NONE,         NONE)     \
    B(x, XY_SRC_COPY_BLT,                        XY,         COPY_SRC,     NONE,         NONE)     \
    B(x, XY_MONO_SRC_COPY_BLT,                   XY,         MONO,         COLORS,       NONE)     \
    B(x, XY_FULL_BLT,                            XY,         FULL_SRC,     PATTERN,      NONE)     \
    B(x, XY_FULL_MONO_SRC_BLT,                   XY,         MONO,         COLORS,       PATTERN)  \
    B(x, XY_FULL_MONO_PATTERN_BLT,               XY,         FULL_SRC,     MONO_PATTERN, NONE)     \
    B(x, XY_FULL_MONO_PATTERN_MONO_SRC_BLT,      XY,         MONO,         COLORS, MONO_PATTERN)   \
    B(x, XY_MONO_PAT_FIXED_BLT,                  XY,         PATTERN_COLORS, NONE,         NONE)   \
    B(x, MEM_COPY,                               MEM,        MEM_SRC,      NONE,         NONE)     \
    B(x, MEM_SET,                                MEM,        MEM_DST,      NONE,         NONE)     \
    B(x, XY_MONO_SRC_COPY_IMMEDIATE_BLT,         XY,         COLORS,       DATA,         NONE)     \
    B(x, XY_PAT_BLT_IMMEDIATE,                   XY,         DATA,         NONE,         NONE)     \
    B(x, XY_SRC_COPY_CHROMA_BLT,                 XY,         COPY_SRC,     KEY,          NONE)     \
    B(x, XY_FULL_IMMEDIATE_PATTERN_BLT,          XY,         FULL_SRC,     DATA,         NONE)     \
    B(x, XY_FULL_MONO_SRC_IMMEDIATE_PATTERN_BLT, XY,         MONO,         COLORS,       DATA)     \
    B(x, XY_PAT_CHROMA_BLT,                      XY,         PATTERN,      KEY,          NONE)     \
    B(x, XY_PAT_CHROMA_BLT_IMMEDIATE,            XY,         KEY,          DATA,         NONE)

/* Patterns of XY_MONO_PAT_FIXED_BLT by the field NUMBER. Column low: rows 0 to 3, high: rows 4 to
 * 7. A row is one byte; bit 7 is its first pixel. Other numbers are reserved. [PRM5] [PRM7] */
#define GPUCMD_I915_FIXED_PATTERNS(P)                                                              \
    /*  number  name            low         high */                                                \
    P(  0,      HORIZONTAL,     0xff000000, 0x00000000 )                                           \
    P(  1,      VERTICAL,       0x08080808, 0x08080808 )                                           \
    P(  2,      FDIAGONAL,      0x10204080, 0x01020408 )                                           \
    P(  3,      BDIAGONAL,      0x08040201, 0x80402010 )                                           \
    P(  4,      CROSS,          0xff080808, 0x08080808 )                                           \
    P(  5,      DIAGCROSS,      0x18244281, 0x81422418 )                                           \
    P(  8,      SCREEN_DOOR,    0xaa55aa55, 0xaa55aa55 )                                           \
    P(  9,      SD_WIDE,        0x33cc33cc, 0x33cc33cc )                                           \
    P( 10,      WALKING_BIT,    0x11224488, 0x11224488 )                                           \
    P( 11,      WALKING_ZERO,   0xeeddbb77, 0xeeddbb77 )

/* Fields of each command. Columns: name, dword, bits hi and lo, first and last generation.
 *   names      _G<n> marks an older form of a field. n is the generation that introduced the form,
 *              except FORMAT_G12 (gen12.5), and TEXTURE_FLUSH_G4 and ISP_DISABLE_G4 (gen4.5)
 *   no rows    words of variable number: data, pairs of register and value, further addresses
 *   sources    [K] [GX] [LD] [MD] [IGT]; 2D: [PRM5] [PRM6] [PRM7] [SNA], but [PRM7] lacks PATTERN_Y
 *              of the two XY_FULL_*IMMEDIATE_PATTERN_BLT
 *   addresses  two words on gen8 and later [SNA] [K]. [OUR] for commands without a source:
 *              COLOR_BLT, XY_TEXT_BLT, XY_PAT_BLT_IMMEDIATE, XY_FULL_BLT, XY_FULL_MONO_SRC_BLT,
 *              XY_FULL_*IMMEDIATE_PATTERN_BLT, XY_MONO_PAT_FIXED_BLT, XY_*_CHROMA_* */
#define GPUCMD_I915_MI_NOOP_BITS0(F, x)                                                            \
    F( x, WRITE_ID,         0, 22, 22,    2,   30 ) F( x, ID,               0, 21,  0,    2,   30 )
#define GPUCMD_I915_MI_SET_PREDICATE_BITS0(F, x)                                                   \
    F( x, ENABLE_G7_5,      0,  1,  0,  7_5,  7_5 ) F( x, ENABLE,           0,  3,  0,    8,   30 )\
    F( x, PARTITION,        0,  5,  4, 12_5,   30 )
#define GPUCMD_I915_MI_USER_INTERRUPT_BITS0(F, x)
#define GPUCMD_I915_MI_WAIT_FOR_EVENT_BITS0(F, x)                                                  \
    F( x, PIPE_A_SCAN_LINE_G2,         0,  1,  1,   2,    5 )                                      \
    F( x, PLANE_A_FLIP_G2,             0,  2,  2,   2,    5 )                                      \
    F( x, PIPE_A_VBLANK_G2,            0,  3,  3,   2,    5 )                                      \
    F( x, FBC_IDLE_G2,                 0,  4,  4,   2,    5 )                                      \
    F( x, PIPE_B_SCAN_LINE_G2,         0,  5,  5,   2,    5 )                                      \
    F( x, PLANE_B_FLIP_G2,             0,  6,  6,   2,    5 )                                      \
    F( x, PIPE_B_VBLANK_G2,            0,  7,  7,   2,    5 )                                      \
    F( x, PLANE_C_FLIP_G2,             0,  8,  8,   2,    5 )                                      \
    F( x, CONDITION_G2,                0, 12,  9,   2,    5 )                                      \
    F( x, PIPE_A_HBLANK_G2,            0, 13, 13,   2,    5 )                                      \
    F( x, PIPE_B_HBLANK_G2,            0, 14, 14,   2,    5 )                                      \
    F( x, OVERLAY_FLIP_G2,             0, 16, 16,   2,    5 )                                      \
    F( x, PIPE_A_START_OF_VBLANK_G2,   0, 17, 17,   2,    5 )                                      \
    F( x, PIPE_B_START_OF_VBLANK_G2,   0, 18, 18,   2,    5 )                                      \
    F( x, PIPE_A_SCAN_LINE_G6,         0,  0,  0,   6,    8 )                                      \
    F( x, PLANE_A_FLIP_G6,             0,  1,  1,   6,    8 )                                      \
    F( x, SPRITE_A_FLIP_G6,            0,  2,  2,   6,    8 )                                      \
    F( x, PIPE_A_VBLANK_G6,            0,  3,  3,   6,    8 )                                      \
    F( x, PIPE_A_HBLANK_G6,            0,  5,  5,   6,  7_5 )                                      \
    F( x, PIPE_B_SCAN_LINE_G6,         0,  8,  8,   6,    8 )                                      \
    F( x, PLANE_B_FLIP_G6,             0,  9,  9,   6,    8 )                                      \
    F( x, SPRITE_B_FLIP_G6,            0, 10, 10,   6,    8 )                                      \
    F( x, PIPE_B_VBLANK_G6,            0, 11, 11,   6,    8 )                                      \
    F( x, PIPE_B_HBLANK_G6,            0, 13, 13,   6,  7_5 )                                      \
    F( x, PIPE_C_SCAN_LINE_G7,         0, 14, 14,   7,    8 )                                      \
    F( x, PLANE_C_FLIP_G7,             0, 15, 15,   7,    8 )                                      \
    F( x, SPRITE_C_FLIP_G7,            0, 20, 20,   7,    8 )                                      \
    F( x, PIPE_C_VBLANK_G7,            0, 21, 21,   7,    8 )                                      \
    F( x, PIPE_C_HBLANK_G7,            0, 22, 22,   7,  7_5 )                                      \
    F( x, CONDITION_G6,                0, 19, 16,   6,  7_5 )                                      \
    F( x, PLANE_1A_SCAN_LINE,          0,  0,  0,   9,   30 )                                      \
    F( x, PLANE_1_FLIP,                0,  1,  1,   9,   30 )                                      \
    F( x, PLANE_4_FLIP,                0,  2,  2,   9,   30 )                                      \
    F( x, PLANE_1A_VBLANK,             0,  3,  3,   9,   30 )                                      \
    F( x, PLANE_7_FLIP,                0,  6,  6,   9,   30 )                                      \
    F( x, PLANE_8_FLIP,                0,  7,  7,   9,   30 )                                      \
    F( x, PLANE_1B_SCAN_LINE,          0,  8,  8,   9,   30 )                                      \
    F( x, PLANE_2_FLIP,                0,  9,  9,   9,   30 )                                      \
    F( x, PLANE_5_FLIP,                0, 10, 10,   9,   30 )                                      \
    F( x, PLANE_1B_VBLANK,             0, 11, 11,   9,   30 )                                      \
    F( x, PLANE_1C_SCAN_LINE,          0, 14, 14,   9,   30 )                                      \
    F( x, PLANE_3_FLIP,                0, 15, 15,   9,   30 )                                      \
    F( x, PLANE_9_FLIP,                0, 16, 16,   9,   30 )                                      \
    F( x, PLANE_10_FLIP,               0, 17, 17,   9,   30 )                                      \
    F( x, PLANE_11_FLIP,               0, 18, 18,   9,   30 )                                      \
    F( x, PLANE_12_FLIP,               0, 19, 19,   9,   30 )                                      \
    F( x, PLANE_6_FLIP,                0, 20, 20,   9,   30 )                                      \
    F( x, PLANE_1C_VBLANK,             0, 21, 21,   9,   30 )
#define GPUCMD_I915_MI_FLUSH_BITS0(F, x)                                                           \
    F( x, INVALIDATE_MAP,      0, 0, 0,   2, 3 )  F( x, INVALIDATE_STATE,    0, 1, 1,   2, 9 )     \
    F( x, KEEP_RENDER_CACHE,   0, 2, 2,   2, 9 )  F( x, RESET_COUNTS,        0, 3, 3,   2, 9 )     \
    F( x, END_SCENE,           0, 4, 4,   2, 3 )  F( x, MEDIA_STATE_CLEAR,   0, 4, 4,   5, 9 )     \
    F( x, INVALIDATE_POINTERS, 0, 5, 5, 4_5, 9 )  F( x, PROTECTED,           0, 6, 6,   5, 5 )
#define GPUCMD_I915_MI_WAIT_FOR_EVENT_2_BITS0(F, x)                                                \
    F( x, PLANE_FLIP,       0,  5,  0,   11,   30 ) F( x, PIPE_VBLANK,      0, 10,  8,   11,   30 )\
    F( x, PIPE_SCAN_LINE,   0, 14, 12,   11,   30 )
#define GPUCMD_I915_MI_ARB_CHECK_BITS0(F, x)                                                       \
    F( x, MASK,             0, 15,  8,   12,   30 ) F( x, PRE_PARSER_OFF,   0,  0,  0,   12,   30 )
#define GPUCMD_I915_MI_RS_CONTROL_BITS0(F, x)      F( x, START,        0, 0, 0, 7_5,   30 )
#define GPUCMD_I915_MI_REPORT_HEAD_BITS0(F, x)
#define GPUCMD_I915_MI_ARB_ON_OFF_BITS0(F, x)                                                      \
    F( x, ENABLE,           0,  0,  0,    3,   30 ) F( x, LITE_RESTORE,     0,  1,  1,   11,   30 )
#define GPUCMD_I915_MI_URB_ATOMIC_ALLOC_BITS0(F, x)                                                \
    F( x, OFFSET,           0, 19, 12,  7_5,    9 ) F( x, SIZE,             0,  8,  0,  7_5,    9 )
#define GPUCMD_I915_MI_MEM_FENCE_BITS0(F, x)       F( x, TYPE,         0, 1, 0, 20, 30 )
#define GPUCMD_I915_MI_BATCH_BUFFER_END_BITS0(F, x)                                                \
    F( x, PREDICATE,        0, 15, 15, 12_5,   30 ) F( x, END_CONTEXT,      0,  0,  0,   11,   30 )
#define GPUCMD_I915_MI_SUSPEND_FLUSH_BITS0(F, x)   F( x, SUSPEND,      0, 0, 0, 5,   30 )
#define GPUCMD_I915_MI_PREDICATE_BITS0(F, x)                                                       \
    F( x, LOAD,             0,  7,  6,    7,   30 ) F( x, COMBINE,          0,  4,  3,    7,   30 )\
    F( x, COMPARE,          0,  1,  0,    7,   30 )
#define GPUCMD_I915_MI_TOPOLOGY_FILTER_BITS0(F, x) F( x, TOPOLOGY,     0, 5, 0, 7,   30 )
#define GPUCMD_I915_MI_SET_APPID_BITS0(F, x)                                                       \
    F( x, TYPE,             0,  7,  7,    7,   30 ) F( x, ID,               0,  6,  0,    7,   30 )
#define GPUCMD_I915_MI_RS_CONTEXT_BITS0(F, x)      F( x, SAVE,         0, 0, 0, 7_5,   30 )
#define GPUCMD_I915_MI_OVERLAY_FLIP_BITS0(F, x)    F( x, MODE,         0, 22, 21, 2, 3 )
#define GPUCMD_I915_MI_OVERLAY_FLIP_BITS1(F, x)    F( x, ADDRESS,      1, 31, 2, 2, 3 )
#define GPUCMD_I915_MI_LOAD_SCAN_LINES_INCL_BITS0(F, x)                                            \
    F( x, PIPE_G2,          0, 20, 20,    2,    5 ) F( x, PIPE,             0, 21, 19,    6,   30 )\
    F( x, EVENT_FORWARD,    0, 18, 17,    8,   30 )
#define GPUCMD_I915_MI_LOAD_SCAN_LINES_INCL_BITS1(F, x)                                            \
    F( x, START_LINE,       1, 28, 16,    2,   30 ) F( x, END_LINE,         1, 12,  0,    2,   30 )
#define GPUCMD_I915_MI_LOAD_SCAN_LINES_EXCL_BITS0(F, x)                                            \
    F( x, PIPE_G2,          0, 20, 20,    2,    5 ) F( x, PIPE,             0, 21, 19,    6,   30 )
#define GPUCMD_I915_MI_LOAD_SCAN_LINES_EXCL_BITS1(F, x)                                            \
    GPUCMD_I915_MI_LOAD_SCAN_LINES_INCL_BITS1(F, x)
#define GPUCMD_I915_MI_DISPLAY_FLIP_BITS0(F, x)                                                    \
    F( x, ASYNC_G2,         0, 22, 22,    2,    3 ) F( x, PLANE_G2,         0, 21, 20,    2,    6 )\
    F( x, PLANE_G7,         0, 21, 19,    7,    8 ) F( x, ASYNC,            0, 22, 22,    9,   30 )\
    F( x, PLANE_G9,         0, 12,  8,    9,    9 ) F( x, PLANE,            0, 13,  8,   11,   30 )
#define GPUCMD_I915_MI_DISPLAY_FLIP_BITS1(F, x)                                                    \
    F( x, PITCH_G2,         1, 31,  0,    2,    6 ) F( x, PITCH_G7,         1, 15,  6,    7,    8 )\
    F( x, TILED_G7,         1,  0,  0,    7,    8 ) F( x, STEREO,           1, 31, 31,    9,   30 )\
    F( x, PITCH,            1, 15,  6,    9,   30 ) F( x, TILING,           1,  2,  0,    9,   30 )
#define GPUCMD_I915_MI_DISPLAY_FLIP_BITS2(F, x)                                                    \
    F( x, BASE_G2,          2, 31,  0,    2,    6 ) F( x, BASE,             2, 31, 12,    7,   30 )\
    F( x, VRR_MASTER_FLIP,  2, 11, 11,   11,   30 ) F( x, TYPE,             2,  1,  0,    7,   30 )
#define GPUCMD_I915_MI_DISPLAY_FLIP_BITS3(F, x)                                                    \
    F( x, PIPE_SIZE,        3, 31,  0,    4,    6 ) F( x, LEFT_BASE,        3, 31, 12,    9,   30 )
#define GPUCMD_I915_MI_SEMAPHORE_MBOX_BITS0(F, x)                                                  \
    F( x, GGTT,             0, 22, 22,    6,  7_5 ) F( x, UPDATE,           0, 21, 21,    6,  7_5 )\
    F( x, COMPARE,          0, 20, 20,    6,  7_5 ) F( x, REGISTER,         0, 18, 18,    6,  7_5 )\
    F( x, SELECT,           0, 17, 16,    6,  7_5 ) F( x, GENERAL,          0, 13,  8,  7_5,  7_5 )
#define GPUCMD_I915_MI_SEMAPHORE_MBOX_BITS1(F, x)  F( x, DATA,         1, 31, 0, 6, 7_5 )
#define GPUCMD_I915_MI_SEMAPHORE_MBOX_BITS2(F, x)  F( x, ADDRESS,      2, 31, 2, 6, 7_5 )
#define GPUCMD_I915_MI_VERTEX_BUFFER_BITS0(F, x)
#define GPUCMD_I915_MI_VERTEX_BUFFER_BITS1(F, x)   F( x, DATA,         1, 31, 0, 2, 2 )
#define GPUCMD_I915_MI_SET_CONTEXT_BITS0(F, x)
#define GPUCMD_I915_MI_SET_CONTEXT_BITS1(F, x)                                                     \
    F( x, ADDRESS,          1, 31, 12,    4,   30 ) F( x, HD_DVD,           1,  9,  9,    6,    6 )\
    F( x, GTT,              1,  8,  8,    4,   30 ) F( x, CORE_MODE,        1,  4,  4,    4,   30 )\
    F( x, SAVE_EXTENDED,    1,  3,  3,    4,   30 ) F( x, RESTORE_EXTENDED, 1,  2,  2,    4,   30 )\
    F( x, FORCE_RESTORE,    1,  1,  1,    4,   30 ) F( x, RESTORE_INHIBIT,  1,  0,  0,    4,   30 )
#define GPUCMD_I915_MI_URB_CLEAR_BITS0(F, x)
#define GPUCMD_I915_MI_URB_CLEAR_BITS1(F, x)                                                       \
    F( x, LENGTH_G6,        1, 28, 16,    6,    7 ) F( x, ADDRESS_G6,       1, 13,  0,    6,    7 )\
    F( x, LENGTH,           1, 29, 16,  7_5,    8 ) F( x, ADDRESS,          1, 14,  0,  7_5,    8 )
#define GPUCMD_I915_MI_MATH_BITS0(F, x)                                                            \
    F( x, PREDICATE,        0, 15, 15, 12_5,   30 ) F( x, MOCS,             0, 14,  8, 12_5,   30 )
#define GPUCMD_I915_MI_SEMAPHORE_SIGNAL_BITS0(F, x)                                                \
    F( x, POST_SYNC,        0, 21, 21,    8,   30 ) F( x, ENGINE_G8,        0, 17, 15,    8,    9 )\
    F( x, ENGINE,           0, 18, 15,   11,   30 )
#define GPUCMD_I915_MI_SEMAPHORE_SIGNAL_BITS1(F, x) F( x, CONTEXT,      1, 31, 0, 8,   30 )
#define GPUCMD_I915_MI_SEMAPHORE_WAIT_BITS0(F, x)                                                  \
    F( x, GGTT,             0, 22, 22,    8,   30 ) F( x, PARTITION_OFFSET, 0, 18, 18, 12_5,   30 )\
    F( x, COMPARE_GPR0,     0, 17, 17, 12_5,   30 ) F( x, REGISTER,         0, 16, 16,    9,   30 )\
    F( x, POLL,             0, 15, 15,    8,   30 ) F( x, COMPARE,          0, 14, 12,    8,   30 )
#define GPUCMD_I915_MI_SEMAPHORE_WAIT_BITS1(F, x)  F( x, DATA,         1, 31, 0, 8,   30 )
#define GPUCMD_I915_MI_SEMAPHORE_WAIT_BITS2(F, x)  F( x, ADDRESS,      2, 31, 2, 8,   30 )
#define GPUCMD_I915_MI_SEMAPHORE_WAIT_BITS3(F, x)  F( x, ADDRESS_HIGH, 3, 31, 0, 8,   30 )
#define GPUCMD_I915_MI_SEMAPHORE_WAIT_BITS4(F, x)                                                  \
    F( x, TOKEN_G12,        4,  9,  5,   12, 12_5 ) F( x, TOKEN,            4,  9,  2, 12_7,   30 )
#define GPUCMD_I915_MI_FORCE_WAKEUP_BITS0(F, x)
#define GPUCMD_I915_MI_FORCE_WAKEUP_BITS1(F, x)                                                    \
    F( x, MASK,             1, 31, 16,    9,   30 ) F( x, MFX,              1,  9,  9,   12,   30 )\
    F( x, HEVC,             1,  8,  8,   12,   30 ) F( x, MEDIA_SLICE_3,    1,  4,  4,   11,   30 )\
    F( x, MEDIA_SLICE_2,    1,  3,  3,   11,   30 ) F( x, MEDIA_SLICE_1,    1,  2,  2,   11,   30 )\
    F( x, RCS,              1,  1,  1,    9,   30 ) F( x, MEDIA,            1,  0,  0,    9,   30 )
#define GPUCMD_I915_MI_STORE_DATA_IMM_BITS0(F, x)                                                  \
    F( x, GGTT,             0, 22, 22,    2,   30 ) F( x, RESERVED_G4,      0, 21, 21,    4,  4_5 )\
    F( x, QWORD,            0, 21, 21,    8,   30 ) F( x, MOCS_ENABLE,      0, 20, 20,   12, 12_5 )\
    F( x, MOCS,             0, 19, 13,   12, 12_5 ) F( x, PARTITION_OFFSET, 0, 11, 11, 12_5,   30 )\
    F( x, FORCE_CHECK,      0, 10, 10,   12,   30 )
#define GPUCMD_I915_MI_STORE_DATA_IMM_BITS1(F, x)                                                  \
    F( x, ADDRESS_G2,       1, 31,  2,    2,    3 ) F( x, ADDRESS_EXT_G4,   1,  3,  0,    4,    5 )\
    F( x, ADDRESS,          1, 31,  2,    8,   30 ) F( x, CORE_MODE,        1,  0,  0,    8,   30 )
#define GPUCMD_I915_MI_STORE_DATA_IMM_BITS2(F, x)                                                  \
    F( x, DATA_G2,          2, 31,  0,    2,    3 ) F( x, ADDRESS_G4,       2, 31,  2,    4,  7_5 )\
    F( x, CORE_MODE_G6,     2,  0,  0,    6,  7_5 ) F( x, ADDRESS_HIGH,     2, 31,  0,    8,   30 )
#define GPUCMD_I915_MI_STORE_DATA_IMM_BITS3(F, x)                                                  \
    F( x, DATA_G4,          3, 31,  0,    4,  7_5 ) F( x, DATA,             3, 31,  0,    8,   30 )
#define GPUCMD_I915_MI_STORE_DATA_IMM_BITS4(F, x)  F( x, DATA_HIGH_G4, 4, 31, 0, 4, 7_5 )
#define GPUCMD_I915_MI_STORE_DATA_INDEX_BITS0(F, x) F( x, PER_PROCESS,  0, 21, 21, 8,   30 )
#define GPUCMD_I915_MI_STORE_DATA_INDEX_BITS1(F, x) F( x, OFFSET,       1, 11, 2, 2,   30 )
#define GPUCMD_I915_MI_STORE_DATA_INDEX_BITS2(F, x) F( x, DATA,         2, 31, 0, 2,   30 )
#define GPUCMD_I915_MI_STORE_DATA_INDEX_BITS3(F, x) F( x, DATA_HIGH,    3, 31, 0, 2,   30 )
#define GPUCMD_I915_MI_LOAD_REGISTER_IMM_BITS0(F, x)                                               \
    F( x, ADD_CS_BASE,      0, 19, 19,   11,   30 ) F( x, REMAP,            0, 17, 17,   12,   30 )\
    F( x, FORCE_POSTED,     0, 12, 12,    8,   30 ) F( x, BYTE_DISABLE,     0, 11,  8,    3,   30 )
#define GPUCMD_I915_MI_UPDATE_GTT_BITS0(F, x)      F( x, GGTT,         0, 22, 22, 4_5, 7_5 )
#define GPUCMD_I915_MI_UPDATE_GTT_BITS1(F, x)      F( x, ENTRY,        1, 31, 12, 4_5, 9 )
#define GPUCMD_I915_MI_STORE_REGISTER_MEM_BITS0(F, x)                                              \
    F( x, GGTT,             0, 22, 22,    3,   30 ) F( x, PREDICATE,        0, 21, 21,  7_5,   30 )\
    F( x, ADD_CS_BASE,      0, 19, 19,   11,   30 ) F( x, REMAP,            0, 17, 17,   12,   30 )\
    F( x, PARTITION_OFFSET, 0, 16, 16, 12_5,   30 ) F( x, MOCS_ENABLE,      0, 15, 15, 12_5, 12_5 )\
    F( x, MOCS,             0, 14,  8, 12_5, 12_5 )
#define GPUCMD_I915_MI_STORE_REGISTER_MEM_BITS1(F, x)                                              \
    F( x, ADDRESS_EXT_G4,   1, 31, 28,    4,  4_5 ) F( x, REGISTER,         1, 22,  2,    3,   30 )
#define GPUCMD_I915_MI_STORE_REGISTER_MEM_BITS2(F, x) F( x, ADDRESS,      2, 31, 2, 3,   30 )
#define GPUCMD_I915_MI_STORE_REGISTER_MEM_BITS3(F, x) F( x, ADDRESS_HIGH, 3, 31, 0, 8,   30 )
#define GPUCMD_I915_MI_FLUSH_DW_BITS0(F, x)                                                        \
    F( x, PROTECTED,        0, 22, 22,    6,   30 ) F( x, STORE_INDEX,      0, 21, 21,    6,   30 )\
    F( x, FLUSH_PPC,        0, 19, 19,   20,   30 ) F( x, TLB_INVALIDATE,   0, 18, 18,    6,   30 )\
    F( x, SYNC_GFDT,        0, 17, 17,    6,  7_5 ) F( x, FLUSH_CCS,        0, 16, 16,   12,   30 )\
    F( x, POST_SYNC,        0, 15, 14,    6,   30 ) F( x, FLUSH_LLC,        0,  9,  9,    9,   30 )\
    F( x, NOTIFY,           0,  8,  8,    6,   30 ) F( x, VIDEO_INVALIDATE, 0,  7,  7,    6,   30 )
#define GPUCMD_I915_MI_FLUSH_DW_BITS1(F, x)                                                        \
    F( x, ADDRESS,          1, 31,  3,    6,   30 ) F( x, GGTT,             1,  2,  2,    6,   30 )
#define GPUCMD_I915_MI_FLUSH_DW_BITS2(F, x)                                                        \
    F( x, DATA_G6,          2, 31,  0,    6,  7_5 ) F( x, ADDRESS_HIGH,     2, 31,  0,    8,   30 )
#define GPUCMD_I915_MI_FLUSH_DW_BITS3(F, x)                                                        \
    F( x, DATA_HIGH_G6,     3, 31,  0,    6,  7_5 ) F( x, DATA,             3, 31,  0,    8,   30 )
#define GPUCMD_I915_MI_FLUSH_DW_BITS4(F, x)        F( x, DATA_HIGH,    4, 31, 0, 8,   30 )
#define GPUCMD_I915_MI_CLFLUSH_BITS0(F, x)         F( x, GGTT,         0, 22, 22, 6,   30 )
#define GPUCMD_I915_MI_CLFLUSH_BITS1(F, x)                                                         \
    F( x, PAGE,             1, 31, 12,    6,   30 ) F( x, LINE,             1, 11,  6,    6,   30 )
#define GPUCMD_I915_MI_CLFLUSH_BITS2(F, x)                                                         \
    F( x, PAGE_HIGH_G7,     2, 15,  0,    7,  7_5 ) F( x, PAGE_HIGH,        2, 31,  0,    8,   30 )
#define GPUCMD_I915_MI_REPORT_PERF_COUNT_BITS0(F, x)
#define GPUCMD_I915_MI_REPORT_PERF_COUNT_BITS1(F, x)                                               \
    F( x, ADDRESS,          1, 31,  6,    5,   30 ) F( x, CORE_MODE,        1,  4,  4,    5,   30 )\
    F( x, GGTT,             1,  0,  0,    5,   30 )
#define GPUCMD_I915_MI_REPORT_PERF_COUNT_BITS2(F, x)                                               \
    F( x, ID_G5,            2, 31,  0,    5,  7_5 ) F( x, ADDRESS_HIGH,     2, 31,  0,    8,   30 )
#define GPUCMD_I915_MI_REPORT_PERF_COUNT_BITS3(F, x) F( x, ID,           3, 31, 0, 8,   30 )
#define GPUCMD_I915_MI_LOAD_REGISTER_MEM_BITS0(F, x)                                               \
    F( x, GGTT,             0, 22, 22,    7,   30 ) F( x, ASYNC,            0, 21, 21,    7,   30 )\
    F( x, ADD_LOOP,         0, 20, 20,   11,   30 ) F( x, ADD_CS_BASE,      0, 19, 19,   11,   30 )\
    F( x, REMAP,            0, 17, 17,   12,   30 ) F( x, PARTITION_OFFSET, 0, 16, 16, 12_5,   30 )\
    F( x, MOCS_ENABLE,      0, 15, 15,   12, 12_5 ) F( x, MOCS,             0, 14,  8,   12, 12_5 )
#define GPUCMD_I915_MI_LOAD_REGISTER_MEM_BITS1(F, x) F( x, REGISTER,     1, 22, 2, 7,   30 )
#define GPUCMD_I915_MI_LOAD_REGISTER_MEM_BITS2(F, x) F( x, ADDRESS,      2, 31, 2, 7,   30 )
#define GPUCMD_I915_MI_LOAD_REGISTER_MEM_BITS3(F, x) F( x, ADDRESS_HIGH, 3, 31, 0, 8,   30 )
#define GPUCMD_I915_MI_LOAD_REGISTER_REG_BITS0(F, x)                                               \
    F( x, ADD_CS_BASE_DST,  0, 19, 19,   11,   30 ) F( x, ADD_CS_BASE_SRC,  0, 18, 18,   11,   30 )\
    F( x, REMAP_DST,        0, 17, 17,   12,   30 ) F( x, REMAP_SRC,        0, 16, 16,   12,   30 )
#define GPUCMD_I915_MI_LOAD_REGISTER_REG_BITS1(F, x) F( x, SRC_REGISTER, 1, 22, 2, 7_5,   30 )
#define GPUCMD_I915_MI_LOAD_REGISTER_REG_BITS2(F, x) F( x, DST_REGISTER, 2, 22, 2, 7_5,   30 )
#define GPUCMD_I915_MI_RS_STORE_DATA_IMM_BITS0(F, x)
#define GPUCMD_I915_MI_RS_STORE_DATA_IMM_BITS1(F, x)                                               \
    F( x, ADDRESS,          1, 31,  2,    8,   30 ) F( x, CORE_MODE,        1,  0,  0,    8,   30 )
#define GPUCMD_I915_MI_RS_STORE_DATA_IMM_BITS2(F, x)                                               \
    F( x, ADDRESS_G7_5,     2, 31,  2,  7_5,  7_5 ) F( x, CORE_MODE_G7_5,   2,  0,  0,  7_5,  7_5 )\
    F( x, ADDRESS_HIGH,     2, 31,  0,    8,   30 )
#define GPUCMD_I915_MI_RS_STORE_DATA_IMM_BITS3(F, x) F( x, DATA,         3, 31, 0, 7_5,   30 )
#define GPUCMD_I915_MI_LOAD_URB_MEM_BITS0(F, x)
#define GPUCMD_I915_MI_LOAD_URB_MEM_BITS1(F, x)    F( x, URB_ADDRESS,  1, 14, 2, 7_5, 9 )
#define GPUCMD_I915_MI_LOAD_URB_MEM_BITS2(F, x)    F( x, ADDRESS,      2, 31, 6, 7_5, 9 )
#define GPUCMD_I915_MI_LOAD_URB_MEM_BITS3(F, x)    F( x, ADDRESS_HIGH, 3, 31, 0, 8, 9 )
#define GPUCMD_I915_MI_STORE_URB_MEM_BITS0(F, x)
#define GPUCMD_I915_MI_STORE_URB_MEM_BITS1(F, x)   F( x, URB_ADDRESS,  1, 14, 2, 7_5, 9 )
#define GPUCMD_I915_MI_STORE_URB_MEM_BITS2(F, x)   F( x, ADDRESS,      2, 31, 6, 7_5, 9 )
#define GPUCMD_I915_MI_STORE_URB_MEM_BITS3(F, x)   F( x, ADDRESS_HIGH, 3, 31, 0, 8, 9 )
#define GPUCMD_I915_MI_COPY_MEM_MEM_BITS0(F, x)                                                    \
    F( x, SRC_GGTT,         0, 22, 22,    8,   30 ) F( x, DST_GGTT,         0, 21, 21,    8,   30 )\
    F( x, DST_MOCS,         0, 20, 15,   12, 12_5 ) F( x, MOCS_ENABLE,      0, 14, 14,   12, 12_5 )\
    F( x, SRC_MOCS,         0, 13,  8,   12, 12_5 )
#define GPUCMD_I915_MI_COPY_MEM_MEM_BITS1(F, x)    F( x, DST_ADDRESS,  1, 31, 2, 8,   30 )
#define GPUCMD_I915_MI_COPY_MEM_MEM_BITS2(F, x)    F( x, DST_ADDRESS_HIGH, 2, 31, 0, 8,   30 )
#define GPUCMD_I915_MI_COPY_MEM_MEM_BITS3(F, x)    F( x, SRC_ADDRESS,  3, 31, 2, 8,   30 )
#define GPUCMD_I915_MI_COPY_MEM_MEM_BITS4(F, x)    F( x, SRC_ADDRESS_HIGH, 4, 31, 0, 8,   30 )
#define GPUCMD_I915_MI_ATOMIC_BITS0(F, x)                                                          \
    F( x, GGTT,             0, 22, 22,    8,   30 ) F( x, POST_SYNC,        0, 21, 21,    8,   30 )\
    F( x, WIDTH,            0, 20, 19,    8,   30 ) F( x, INLINE,           0, 18, 18,    8,   30 )\
    F( x, CS_STALL,         0, 17, 17,    8,   30 ) F( x, RETURN,           0, 16, 16,    8,   30 )\
    F( x, OPCODE,           0, 15,  8,    8,   30 )
#define GPUCMD_I915_MI_ATOMIC_BITS1(F, x)                                                          \
    F( x, ADDRESS,          1, 31,  2,    8,   30 ) F( x, PARTITION_OFFSET, 1,  0,  0, 12_5,   30 )
#define GPUCMD_I915_MI_ATOMIC_BITS2(F, x)          F( x, ADDRESS_HIGH, 2, 31, 0, 8,   30 )
#define GPUCMD_I915_MI_ATOMIC_BITS3(F, x)          F( x, OP1_0,        3, 31, 0, 8,   30 )
#define GPUCMD_I915_MI_ATOMIC_BITS4(F, x)          F( x, OP2_0,        4, 31, 0, 8,   30 )
#define GPUCMD_I915_MI_ATOMIC_BITS5(F, x)          F( x, OP1_1,        5, 31, 0, 8,   30 )
#define GPUCMD_I915_MI_ATOMIC_BITS6(F, x)          F( x, OP2_1,        6, 31, 0, 8,   30 )
#define GPUCMD_I915_MI_ATOMIC_BITS7(F, x)          F( x, OP1_2,        7, 31, 0, 8,   30 )
#define GPUCMD_I915_MI_ATOMIC_BITS8(F, x)          F( x, OP2_2,        8, 31, 0, 8,   30 )
#define GPUCMD_I915_MI_ATOMIC_BITS9(F, x)          F( x, OP1_3,        9, 31, 0, 8,   30 )
#define GPUCMD_I915_MI_ATOMIC_BITS10(F, x)         F( x, OP2_3,        10, 31, 0, 8,   30 )
#define GPUCMD_I915_MI_BATCH_BUFFER_BITS0(F, x)
#define GPUCMD_I915_MI_BATCH_BUFFER_BITS1(F, x)                                                    \
    F( x, ADDRESS,          1, 31,  3,    2,    3 ) F( x, NON_SECURE,       1,  0,  0,    2,    3 )
#define GPUCMD_I915_MI_BATCH_BUFFER_BITS2(F, x)    F( x, END,          2, 31, 3, 2, 3 )
#define GPUCMD_I915_MI_BATCH_BUFFER_START_BITS0(F, x)                                              \
    F( x, SPACE_G2,                    0,  7,  6,   2,    3 )                                      \
    F( x, GTT_G4,                      0,  7,  7,   4,    5 )                                      \
    F( x, NON_SECURE_G4,               0,  8,  8,   4,    5 )                                      \
    F( x, PPGTT,                       0,  8,  8,   6,   30 )                                      \
    F( x, CLEAR_CMD_BUFFER,            0, 11, 11,   6,  7_5 )                                      \
    F( x, NON_PRIVILEGED,              0, 13, 13, 7_5,  7_5 )                                      \
    F( x, POSH_START,                  0, 21, 21,  12,   30 )                                      \
    F( x, POSH_ENABLE,                 0, 20, 20,  12,   30 )                                      \
    F( x, CMD_CACHE,                   0, 19, 19,  12,   30 )                                      \
    F( x, INDIRECT,                    0, 18, 18,  20,   30 )                                      \
    F( x, SECOND_LEVEL,                0, 22, 22, 7_5,   30 )                                      \
    F( x, ADD_OFFSET_G7_5,             0, 16, 16, 7_5,    9 )                                      \
    F( x, ADD_OFFSET,                  0, 16, 16, 12_5, 12_7 )                                     \
    F( x, PREDICATE,                   0, 15, 15, 7_5,   30 )                                      \
    F( x, RESOURCE_STREAMER,           0, 10, 10, 7_5,   30 )
#define GPUCMD_I915_MI_BATCH_BUFFER_START_BITS1(F, x)                                              \
    F( x, ADDRESS,          1, 31,  2,    2,   30 ) F( x, NON_SECURE,       1,  0,  0,    2,    3 )
#define GPUCMD_I915_MI_BATCH_BUFFER_START_BITS2(F, x) F( x, ADDRESS_HIGH, 2, 31, 0, 8,   30 )
#define GPUCMD_I915_MI_CONDITIONAL_BATCH_BUFFER_END_BITS0(F, x)                                    \
    F( x, GGTT,             0, 22, 22,    6,   30 ) F( x, COMPARE_ENABLE,   0, 21, 21,    6,   30 )\
    F( x, ENCRYPTED_READ,   0, 20, 20,   20,   30 ) F( x, MASK_MODE,        0, 19, 19,    9,   30 )\
    F( x, LEVEL_ONLY,       0, 18, 18,   12,   30 ) F( x, PREDICATE,        0, 15, 15, 12_5,   30 )\
    F( x, COMPARE,          0, 14, 12,   12,   30 )
#define GPUCMD_I915_MI_CONDITIONAL_BATCH_BUFFER_END_BITS1(F, x) F( x, DATA, 1, 31, 0, 6,   30 )
#define GPUCMD_I915_MI_CONDITIONAL_BATCH_BUFFER_END_BITS2(F, x) F( x, ADDRESS, 2, 31, 3, 6,   30 )
#define GPUCMD_I915_MI_CONDITIONAL_BATCH_BUFFER_END_BITS3(F, x)                                    \
    F( x, ADDRESS_HIGH,                3, 31,  0,   8,   30 )
#define GPUCMD_I915_GSC_HECI_CMD_PKT_BITS0(F, x)
#define GPUCMD_I915_GSC_HECI_CMD_PKT_BITS1(F, x)   F( x, SRC,          1, 31, 0, 12_7, 30 )
#define GPUCMD_I915_GSC_HECI_CMD_PKT_BITS2(F, x)   F( x, SRC_HIGH,     2, 31, 0, 12_7, 30 )
#define GPUCMD_I915_GSC_HECI_CMD_PKT_BITS3(F, x)   F( x, SRC_BYTES,    3, 31, 0, 12_7, 30 )
#define GPUCMD_I915_GSC_HECI_CMD_PKT_BITS4(F, x)   F( x, DST,          4, 31, 0, 12_7, 30 )
#define GPUCMD_I915_GSC_HECI_CMD_PKT_BITS5(F, x)   F( x, DST_HIGH,     5, 31, 0, 12_7, 30 )
#define GPUCMD_I915_GSC_HECI_CMD_PKT_BITS6(F, x)   F( x, DST_BYTES,    6, 31, 0, 12_7, 30 )
#define GPUCMD_I915_GSC_HECI_CMD_PKT_BITS7(F, x)
#define GPUCMD_I915_GSC_FW_LOAD_BITS0(F, x)
#define GPUCMD_I915_GSC_FW_LOAD_BITS1(F, x)        F( x, SRC,          1, 31, 0, 12_7, 30 )
#define GPUCMD_I915_GSC_FW_LOAD_BITS2(F, x)        F( x, SRC_HIGH,     2, 31, 0, 12_7, 30 )
#define GPUCMD_I915_GSC_FW_LOAD_BITS3(F, x)                                                        \
    F( x, LIMIT_VALID,      3, 31, 31, 12_7,   30 ) F( x, PAGES,            3, 30,  0, 12_7,   30 )
#define GPUCMD_I915_BLT_RGBA(F, x)                                                                 \
    F( x, WRITE_ALPHA,      0, 21, 21,    2, 12_5 ) F( x, WRITE_RGB,        0, 20, 20,    2, 12_5 )
#define GPUCMD_I915_BLT_FIRST_BIT(F, x)    F( x, FIRST_BIT,    0, 19, 17, 2, 12_5 )
#define GPUCMD_I915_BLT_RANGE_MODE(F, x)   F( x, RANGE_MODE,   0, 19, 17, 2, 12_5 )
#define GPUCMD_I915_BLT_NUMBER(F, x)       F( x, NUMBER,       0, 18, 15, 2, 12_5 )
#define GPUCMD_I915_BLT_BYTE_PACKED(F, x)  F( x, BYTE_PACKED,  0, 16, 16, 2, 12_5 )
#define GPUCMD_I915_BLT_SRC_TILED(F, x)    F( x, SRC_TILED,    0, 15, 15, 4, 12_5 )
#define GPUCMD_I915_BLT_DST_TILED(F, x)    F( x, DST_TILED,    0, 11, 11, 4, 12_5 )
#define GPUCMD_I915_BLT_PATTERN(F, x)                                                              \
    F( x, PATTERN_X,                   0, 14, 12,   2, 12_5 )                                      \
    GPUCMD_I915_BLT_DST_TILED(F, x)                                                                \
    F( x, PATTERN_Y,                   0, 10,  8,   2, 12_5 )
#define GPUCMD_I915_XY_SETUP_BLT_BITS0(F, x)                                                       \
    GPUCMD_I915_BLT_RGBA(F, x) GPUCMD_I915_BLT_DST_TILED(F, x)
#define GPUCMD_I915_XY_SETUP_CLIP_BLT_BITS0(F, x) GPUCMD_I915_BLT_DST_TILED(F, x)
#define GPUCMD_I915_XY_SETUP_MONO_PATTERN_SL_BLT_BITS0(F, x) GPUCMD_I915_XY_SETUP_BLT_BITS0(F, x)
#define GPUCMD_I915_XY_PIXEL_BLT_BITS0(F, x) GPUCMD_I915_XY_SETUP_CLIP_BLT_BITS0(F, x)
#define GPUCMD_I915_XY_SCANLINES_BLT_BITS0(F, x) GPUCMD_I915_BLT_PATTERN(F, x)
#define GPUCMD_I915_XY_TEXT_BLT_BITS0(F, x)                                                        \
    GPUCMD_I915_BLT_BYTE_PACKED(F, x) GPUCMD_I915_BLT_DST_TILED(F, x)
#define GPUCMD_I915_XY_TEXT_IMMEDIATE_BLT_BITS0(F, x)                                              \
    F( x, WRITE_ALPHA,                 0, 21, 21,   4,    5 )                                      \
    F( x, WRITE_RGB,                   0, 20, 20,   4,    5 ) GPUCMD_I915_BLT_BYTE_PACKED(F, x)    \
    GPUCMD_I915_BLT_DST_TILED(F, x)
#define GPUCMD_I915_COLOR_BLT_BITS0(F, x) GPUCMD_I915_BLT_RGBA(F, x)
#define GPUCMD_I915_XY_BLOCK_COPY_BLT_BITS0(F, x)                                                  \
    F( x, DEPTH,            0, 21, 19,   12,   30 ) F( x, SPECIAL_MODE,     0, 13, 12, 12_5,   30 )\
    F( x, SAMPLES,          0, 11,  9, 12_5,   30 )
#define GPUCMD_I915_XY_FAST_COPY_BLT_BITS0(F, x)                                                   \
    F( x, SRC_TILING,           0, 21, 20, 9, 30 )  F( x, SRC_HORIZONTAL_ALIGN, 0, 19, 17, 9, 12 ) \
    F( x, SRC_VERTICAL_ALIGN,   0, 16, 15, 9, 12 )  F( x, DST_TILING,           0, 14, 13, 9, 30 ) \
    F( x, DST_HORIZONTAL_ALIGN, 0, 12, 10, 9, 12 )  F( x, DST_VERTICAL_ALIGN,   0,  9,  8, 9, 12 )
#define GPUCMD_I915_SRC_COPY_BLT_BITS0(F, x) GPUCMD_I915_COLOR_BLT_BITS0(F, x)
#define GPUCMD_I915_XY_FAST_COLOR_BLT_BITS0(F, x)                                                  \
    F( x, DEPTH,            0, 21, 19,   12,   30 ) F( x, SPECIAL_MODE,     0, 13, 12, 12_5,   30 )\
    F( x, SAMPLES,          0, 11,  9,   20,   30 )
#define GPUCMD_I915_XY_CTRL_SURF_COPY_BLT_BITS0(F, x)                                              \
    F( x, SRC_DIRECT,       0, 21, 21, 12_5,   30 ) F( x, DST_DIRECT,       0, 20, 20, 12_5,   30 )\
    F( x, BLOCKS,           0, 17,  8, 12_5, 12_7 ) F( x, PAGES,            0, 18,  9,   20,   30 )
#define GPUCMD_I915_XY_COLOR_BLT_BITS0(F, x) GPUCMD_I915_XY_SETUP_BLT_BITS0(F, x)
#define GPUCMD_I915_XY_PAT_BLT_BITS0(F, x) GPUCMD_I915_BLT_RGBA(F, x) GPUCMD_I915_BLT_PATTERN(F, x)
#define GPUCMD_I915_XY_MONO_PAT_BLT_BITS0(F, x) GPUCMD_I915_XY_PAT_BLT_BITS0(F, x)
#define GPUCMD_I915_XY_SRC_COPY_BLT_BITS0(F, x)                                                    \
    GPUCMD_I915_BLT_RGBA(F, x) GPUCMD_I915_BLT_SRC_TILED(F, x) GPUCMD_I915_BLT_DST_TILED(F, x)
#define GPUCMD_I915_XY_MONO_SRC_COPY_BLT_BITS0(F, x)                                               \
    GPUCMD_I915_BLT_RGBA(F, x) GPUCMD_I915_BLT_FIRST_BIT(F, x) GPUCMD_I915_BLT_DST_TILED(F, x)
#define GPUCMD_I915_XY_FULL_BLT_BITS0(F, x)                                                        \
    GPUCMD_I915_BLT_RGBA(F, x) GPUCMD_I915_BLT_SRC_TILED(F, x) GPUCMD_I915_BLT_PATTERN(F, x)
#define GPUCMD_I915_XY_FULL_MONO_SRC_BLT_BITS0(F, x)                                               \
    GPUCMD_I915_BLT_RGBA(F, x) GPUCMD_I915_BLT_FIRST_BIT(F, x) GPUCMD_I915_BLT_PATTERN(F, x)
#define GPUCMD_I915_XY_FULL_MONO_PATTERN_BLT_BITS0(F, x) GPUCMD_I915_XY_FULL_BLT_BITS0(F, x)
#define GPUCMD_I915_XY_FULL_MONO_PATTERN_MONO_SRC_BLT_BITS0(F, x)                                  \
    GPUCMD_I915_XY_FULL_MONO_SRC_BLT_BITS0(F, x)
#define GPUCMD_I915_XY_MONO_PAT_FIXED_BLT_BITS0(F, x)                                              \
    GPUCMD_I915_BLT_RGBA(F, x) GPUCMD_I915_BLT_NUMBER(F, x) GPUCMD_I915_BLT_PATTERN(F, x)
#define GPUCMD_I915_XY_MONO_SRC_COPY_IMMEDIATE_BLT_BITS0(F, x)                                     \
    GPUCMD_I915_XY_MONO_SRC_COPY_BLT_BITS0(F, x)
#define GPUCMD_I915_XY_PAT_BLT_IMMEDIATE_BITS0(F, x) GPUCMD_I915_XY_PAT_BLT_BITS0(F, x)
#define GPUCMD_I915_XY_SRC_COPY_CHROMA_BLT_BITS0(F, x)                                             \
    GPUCMD_I915_BLT_RGBA(F, x) GPUCMD_I915_BLT_RANGE_MODE(F, x) GPUCMD_I915_BLT_SRC_TILED(F, x)    \
    GPUCMD_I915_BLT_DST_TILED(F, x)
#define GPUCMD_I915_XY_FULL_IMMEDIATE_PATTERN_BLT_BITS0(F, x) GPUCMD_I915_XY_FULL_BLT_BITS0(F, x)
#define GPUCMD_I915_XY_FULL_MONO_SRC_IMMEDIATE_PATTERN_BLT_BITS0(F, x)                             \
    GPUCMD_I915_XY_FULL_MONO_SRC_BLT_BITS0(F, x)
#define GPUCMD_I915_XY_PAT_CHROMA_BLT_BITS0(F, x)                                                  \
    GPUCMD_I915_BLT_RGBA(F, x) GPUCMD_I915_BLT_RANGE_MODE(F, x) GPUCMD_I915_BLT_PATTERN(F, x)
#define GPUCMD_I915_XY_PAT_CHROMA_BLT_IMMEDIATE_BITS0(F, x)                                        \
    GPUCMD_I915_XY_PAT_CHROMA_BLT_BITS0(F, x)
#define GPUCMD_I915_BR13_BITS1(F, x)                                                               \
    F( x, SOLID,            1, 31, 31,    2, 12_5 ) F( x, CLIP,             1, 30, 30,    2, 12_5 )\
    F( x, TRANSPARENT,      1, 29, 28,    2, 12_5 ) F( x, DEPTH,            1, 25, 24,    2, 12_5 )\
    F( x, ROP,              1, 23, 16,    2, 12_5 ) F( x, PITCH,            1, 15,  0,    2, 12_5 )
#define GPUCMD_I915_COLOR_BLT_BITS1(F, x)                                                          \
    F( x, DEPTH,            1, 25, 24,    2, 12_5 ) F( x, ROP,              1, 23, 16,    2, 12_5 )\
    F( x, PITCH,            1, 15,  0,    2, 12_5 )
#define GPUCMD_I915_BLT_X_DIRECTION(F, x)  F( x, X_DIRECTION,  1, 30, 30, 2, 12_5 )
#define GPUCMD_I915_SRC_COPY_BLT_BITS1(F, x)                                                       \
    GPUCMD_I915_BLT_X_DIRECTION(F, x) GPUCMD_I915_COLOR_BLT_BITS1(F, x)
#define GPUCMD_I915_XY_BLOCK_COPY_BLT_BITS1(F, x)                                                  \
    F( x, TILING,           1, 31, 30,   12,   30 ) F( x, COMPRESSED,       1, 29, 29, 12_5, 12_7 )\
    F( x, CONTROL_SURFACE,  1, 28, 28, 12_5, 12_7 ) F( x, MOCS,             1, 27, 21,   12, 12_7 )\
    F( x, MOCS_INDEX,       1, 27, 24,   20,   30 ) F( x, ENCRYPT,          1, 21, 21,   20,   30 )\
    F( x, AUX_MODE,         1, 20, 18, 12_5, 12_7 ) F( x, PITCH,            1, 17,  0,   12,   30 )
#define GPUCMD_I915_XY_BLOCK_COPY_BLT_BITS6(F, x)                                                  \
    F( x, DST_SYSTEM_MEMORY, 6, 31, 31, 12, 30 )  F( x, DST_Y_OFFSET,      6, 29, 16, 12, 30 )     \
    F( x, DST_X_OFFSET,      6, 13,  0, 12, 30 )
#define GPUCMD_I915_XY_BLOCK_COPY_BLT_BITS8(F, x)                                                  \
    F( x, SRC_TILING,                  8, 31, 30,  12,   30 )                                      \
    F( x, SRC_COMPRESSED,              8, 29, 29, 12_5, 12_7 )                                     \
    F( x, SRC_CONTROL_SURFACE,         8, 28, 28, 12_5, 12_7 )                                     \
    F( x, SRC_MOCS,                    8, 27, 21,  12, 12_7 )                                      \
    F( x, SRC_MOCS_INDEX,              8, 27, 24,  20,   30 )                                      \
    F( x, SRC_ENCRYPT,                 8, 21, 21,  20,   30 )                                      \
    F( x, SRC_AUX_MODE,                8, 20, 18, 12_5, 12_7 )                                     \
    F( x, SRC_PITCH,                   8, 17,  0,  12,   30 )
#define GPUCMD_I915_XY_BLOCK_COPY_BLT_BITS11(F, x)                                                 \
    F( x, SRC_SYSTEM_MEMORY, 11, 31, 31, 12, 30 )  F( x, SRC_Y_OFFSET,      11, 29, 16, 12, 30 )   \
    F( x, SRC_X_OFFSET,      11, 13,  0, 12, 30 )
#define GPUCMD_I915_XY_BLOCK_COPY_BLT_BITS12(F, x)                                                 \
    F( x, SRC_CLEAR_ADDRESS, 12, 31, 6, 12_5, 30 )  F( x, SRC_CLEAR,         12,  5, 5, 12_5, 30 ) \
    F( x, SRC_FORMAT,        12,  4, 0, 12_5, 30 )
#define GPUCMD_I915_XY_BLOCK_COPY_BLT_BITS16(F, x)                                                 \
    F( x, DST_TYPE,        16, 31, 29, 12_5,   30 ) F( x, DST_WIDTH,       16, 27, 14, 12_5,   30 )\
    F( x, DST_ROWS,        16, 13,  0, 12_5,   30 )
#define GPUCMD_I915_XY_BLOCK_COPY_BLT_BITS17(F, x)                                                 \
    F( x, DST_DEPTH,       17, 31, 21, 12_5,   30 ) F( x, DST_QPITCH,      17, 18,  4, 12_5,   30 )\
    F( x, DST_LOD,         17,  3,  0, 12_5,   30 )
#define GPUCMD_I915_XY_BLOCK_COPY_BLT_BITS18(F, x)                                                 \
    F( x, DST_INDEX,                  18, 31, 21, 12_5,   30 )                                     \
    F( x, DST_DEPTH_STENCIL,          18, 18, 18, 12_5, 12_7 )                                     \
    F( x, DST_MIP_TAIL,               18, 11,  8, 12_5,   30 )                                     \
    F( x, DST_VERTICAL_ALIGN,         18,  4,  3, 12_5,   30 )                                     \
    F( x, DST_HORIZONTAL_ALIGN,       18,  1,  0, 12_5,   30 )
#define GPUCMD_I915_XY_FAST_COPY_BLT_BITS1(F, x)                                                   \
    F( x, SRC_TILE4,                   1, 31, 31, 12_5,   30 )                                     \
    F( x, DST_TILE4,                   1, 30, 30, 12_5,   30 )                                     \
    F( x, SRC_SYSTEM_MEMORY,           1, 29, 29,   9, 12_7 )                                      \
    F( x, DST_SYSTEM_MEMORY,           1, 28, 28,   9, 12_7 )                                      \
    F( x, DEPTH,                       1, 26, 24,   9,   30 )                                      \
    F( x, MOCS_INDEX,                  1, 23, 20,  20,   30 )                                      \
    F( x, ENCRYPT,                     1, 17, 17,  20,   30 )                                      \
    F( x, PITCH,                       1, 15,  0,   9,   30 )
#define GPUCMD_I915_XY_FAST_COPY_BLT_BITS7(F, x)                                                   \
    F( x, SRC_MOCS_INDEX,   7, 23, 20,   20,   30 ) F( x, SRC_ENCRYPT,      7, 17, 17,   20,   30 )\
    F( x, SRC_PITCH,        7, 15,  0,    9,   30 )
#define GPUCMD_I915_XY_FAST_COLOR_BLT_BITS1(F, x)                                                  \
    F( x, TILING,           1, 31, 30,   12,   30 ) F( x, COMPRESSED,       1, 29, 29, 12_5, 12_7 )\
    F( x, CONTROL_SURFACE,  1, 28, 28, 12_5, 12_7 ) F( x, MOCS,             1, 27, 21, 12_5, 12_7 )\
    F( x, MOCS_INDEX,       1, 27, 24,   20,   30 ) F( x, ENCRYPT,          1, 21, 21,   20,   30 )\
    F( x, AUX_MODE,         1, 20, 18, 12_5, 12_7 ) F( x, PITCH,            1, 17,  0,   12,   30 )
#define GPUCMD_I915_XY_FAST_COLOR_BLT_BITS6(F, x)                                                  \
    F( x, SYSTEM_MEMORY,    6, 31, 31, 12_5,   30 ) F( x, Y_OFFSET,         6, 29, 16,   12,   30 )\
    F( x, X_OFFSET,         6, 13,  0,   12,   30 )
#define GPUCMD_I915_XY_FAST_COLOR_BLT_BITS11(F, x)                                                 \
    F( x, CLEAR_ADDRESS,   11, 31,  6, 12_5, 12_7 ) F( x, CLEAR,           11,  5,  5, 12_5, 12_7 )\
    F( x, FORMAT_G12,      11,  4,  0, 12_5, 12_7 ) F( x, FORMAT,          11,  3,  0,   20,   30 )
#define GPUCMD_I915_XY_FAST_COLOR_BLT_BITS12(F, x)                                                 \
    F( x, CLEAR_ADDRESS_HIGH,         12, 31,  0, 12_5, 12_7 )                                     \
    F( x, AUX_SPECIAL,                12, 31, 29,  20,   30 )                                      \
    F( x, SURFACE_FORMAT,             12,  8,  0,  20,   30 )
#define GPUCMD_I915_XY_FAST_COLOR_BLT_BITS13(F, x)                                                 \
    F( x, TYPE,            13, 31, 29, 12_5,   30 ) F( x, WIDTH,           13, 27, 14, 12_5,   30 )\
    F( x, ROWS,            13, 13,  0, 12_5,   30 )
#define GPUCMD_I915_XY_FAST_COLOR_BLT_BITS14(F, x)                                                 \
    F( x, SURFACE_DEPTH,   14, 31, 21, 12_5,   30 ) F( x, QPITCH,          14, 18,  4, 12_5,   30 )\
    F( x, LOD,             14,  3,  0, 12_5,   30 )
#define GPUCMD_I915_XY_FAST_COLOR_BLT_BITS15(F, x)                                                 \
    F( x, INDEX,           15, 31, 21, 12_5,   30 ) F( x, DEPTH_STENCIL,   15, 18, 18, 12_5,   30 )\
    F( x, MIP_TAIL,        15, 11,  8, 12_5,   30 ) F( x, VERTICAL_ALIGN,  15,  4,  3, 12_5,   30 )\
    F( x, HORIZONTAL_ALIGN,15,  1,  0, 12_5,   30 )
#define GPUCMD_I915_MEM_COPY_BITS0(F, x)                                                           \
    F( x, PAGE_MODE,        0, 19, 19,   20,   30 ) F( x, TYPE,             0, 18, 17,   20,   30 )\
    F( x, FORMAT,           0, 12,  9,   20,   30 )
#define GPUCMD_I915_MEM_COPY_BITS9(F, x)                                                           \
    F( x, SRC_MOCS_INDEX,   9, 31, 28,   20,   30 ) F( x, SRC_ENCRYPT,      9, 25, 25,   20,   30 )\
    F( x, MOCS_INDEX,       9,  6,  3,   20,   30 ) F( x, ENCRYPT,          9,  0,  0,   20,   30 )
#define GPUCMD_I915_MEM_SET_BITS0(F, x)                                                            \
    F( x, MODE,             0, 20, 19,   20,   30 ) F( x, TYPE,             0, 18, 17,   20,   30 )\
    F( x, FORMAT,           0, 12,  9,   20,   30 )
#define GPUCMD_I915_MEM_SET_BITS6(F, x)                                                            \
    F( x, FILL,             6, 31, 24,   20,   30 ) F( x, MOCS_INDEX,       6,  6,  3,   20,   30 )\
    F( x, ENCRYPT,          6,  0,  0,   20,   30 )

/* Fields of the parts of GPUCMD_I915_BLTS. Parameter at is the number of the part's first word on
 * gen8 and later. Parameter old is this number before gen8, where an address has one word. */
#define GPUCMD_I915_PART_NONE(F, x, at, old)
#define GPUCMD_I915_PART_DATA(F, x, at, old)
#define GPUCMD_I915_PART_PIXEL(F, x, at, old)                                                      \
    F( x, Y, at, 31, 16, 2, 12_5 )  F( x, X, at, 15,  0, 2, 12_5 )
#define GPUCMD_I915_PART_RECT(F, x, at, old)                                                       \
    F( x, Y1, at,     31, 16, 2, 12_5 )  F( x, X1, at,     15,  0, 2, 12_5 )                       \
    F( x, Y2, at + 1, 31, 16, 2, 12_5 )  F( x, X2, at + 1, 15,  0, 2, 12_5 )
#define GPUCMD_I915_PART_CLIP(F, x, at, old)                                                       \
    F( x, CLIP_Y1, at,     31, 16, 2, 12_5 )  F( x, CLIP_X1, at,     15,  0, 2, 12_5 )             \
    F( x, CLIP_Y2, at + 1, 31, 16, 2, 12_5 )  F( x, CLIP_X2, at + 1, 15,  0, 2, 12_5 )
#define GPUCMD_I915_PART_DST(F, x, at, old)                                                        \
    F( x, DST,      at,     31, 0, 2, 12_5 )  F( x, DST_HIGH, at + 1, 31, 0, 8, 12_5 )
#define GPUCMD_I915_PART_XY(F, x, at, old)                                                         \
    GPUCMD_I915_BR13_BITS1(F, x)                                                                   \
    GPUCMD_I915_PART_RECT(F, x, 2, 2)                                                              \
    GPUCMD_I915_PART_DST(F, x, 4, 4)
#define GPUCMD_I915_PART_SETUP(F, x, at, old)                                                      \
    GPUCMD_I915_BR13_BITS1(F, x)                                                                   \
    GPUCMD_I915_PART_CLIP(F, x, 2, 2)                                                              \
    GPUCMD_I915_PART_DST(F, x, 4, 4)
#define GPUCMD_I915_PART_SIZE(F, x, at, old)                                                       \
    F( x, ROWS,        at, 31, 16, 2, 12_5 )  F( x, WIDTH_BYTES, at, 15,  0, 2, 12_5 )
#define GPUCMD_I915_PART_BYTES(F, x, at, old)                                                      \
    GPUCMD_I915_COLOR_BLT_BITS1(F, x)                                                              \
    GPUCMD_I915_PART_SIZE(F, x, 2, 2)                                                              \
    GPUCMD_I915_PART_DST(F, x, 3, 3)
#define GPUCMD_I915_PART_COPY_BYTES(F, x, at, old)                                                 \
    GPUCMD_I915_SRC_COPY_BLT_BITS1(F, x)                                                           \
    GPUCMD_I915_PART_SIZE(F, x, 2, 2)                                                              \
    GPUCMD_I915_PART_DST(F, x, 3, 3)
#define GPUCMD_I915_PART_SRC_CORNER(F, x, at, old)                                                 \
    F( x, SRC_Y1_G2, old, 31, 16, 2,  7_5 )  F( x, SRC_X1_G2, old, 15,  0, 2,  7_5 )               \
    F( x, SRC_Y1,     at, 31, 16, 8, 12_5 )  F( x, SRC_X1,     at, 15,  0, 8, 12_5 )
#define GPUCMD_I915_PART_SRC_PITCH(F, x, at, old)                                                  \
    F( x, SRC_PITCH_G2, old, 15, 0, 2,  7_5 )  F( x, SRC_PITCH,     at, 15, 0, 8, 12_5 )
#define GPUCMD_I915_PART_MONO(F, x, at, old)                                                       \
    F( x, SRC_G2,   old,    31, 0, 2,  7_5 )  F( x, SRC,      at,     31, 0, 8, 12_5 )             \
    F( x, SRC_HIGH, at + 1, 31, 0, 8, 12_5 )
#define GPUCMD_I915_PART_TEXT(F, x, at, old)                                                       \
    F( x, SRC,      at,     31, 0, 2, 12_5 )  F( x, SRC_HIGH, at + 1, 31, 0, 8, 12_5 )
#define GPUCMD_I915_PART_COPY_SRC(F, x, at, old)                                                   \
    GPUCMD_I915_PART_SRC_CORNER(F, x, at, old)                                                     \
    GPUCMD_I915_PART_SRC_PITCH(F, x, at + 1, old + 1)                                              \
    GPUCMD_I915_PART_MONO(F, x, at + 2, old + 2)
#define GPUCMD_I915_PART_FULL_SRC(F, x, at, old)                                                   \
    GPUCMD_I915_PART_SRC_PITCH(F, x, at, old)                                                      \
    GPUCMD_I915_PART_SRC_CORNER(F, x, at + 1, old + 1)                                             \
    GPUCMD_I915_PART_MONO(F, x, at + 2, old + 2)
#define GPUCMD_I915_PART_BYTE_SRC(F, x, at, old)                                                   \
    GPUCMD_I915_PART_SRC_PITCH(F, x, at, old)                                                      \
    GPUCMD_I915_PART_MONO(F, x, at + 1, old + 1)
#define GPUCMD_I915_PART_COLOR(F, x, at, old)                                                      \
    F( x, COLOR_G2, old, 31, 0, 2,  7_5 )  F( x, COLOR,     at, 31, 0, 8, 12_5 )
#define GPUCMD_I915_PART_COLORS(F, x, at, old)                                                     \
    F( x, BACKGROUND_G2, old,     31, 0, 2,  7_5 )  F( x, BACKGROUND,    at,      31, 0, 8, 12_5 ) \
    F( x, FOREGROUND_G2, old + 1, 31, 0, 2,  7_5 )  F( x, FOREGROUND,    at + 1,  31, 0, 8, 12_5 )
#define GPUCMD_I915_PART_PATTERN(F, x, at, old)                                                    \
    F( x, PATTERN_G2,   old,    31, 0, 2,  7_5 )  F( x, PATTERN,      at,     31, 0, 8, 12_5 )     \
    F( x, PATTERN_HIGH, at + 1, 31, 0, 8, 12_5 )
#define GPUCMD_I915_PART_SETUP_PATTERN(F, x, at, old) GPUCMD_I915_PART_PATTERN(F, x, at, old)
#define GPUCMD_I915_PART_PATTERN_COLORS(F, x, at, old)                                             \
    F( x, PATTERN_BACKGROUND_G2,       old, 31,  0,   2,  7_5 )                                    \
    F( x, PATTERN_BACKGROUND,          at, 31,  0,   8, 12_5 )                                     \
    F( x, PATTERN_FOREGROUND_G2,       old + 1, 31,  0,   2,  7_5 )                                \
    F( x, PATTERN_FOREGROUND,          at + 1, 31,  0,   8, 12_5 )
#define GPUCMD_I915_PART_PATTERN_WORDS(F, x, at, old)                                              \
    F( x, PATTERN_0_G2, old,     31, 0, 2,  7_5 )  F( x, PATTERN_0,    at,      31, 0, 8, 12_5 )   \
    F( x, PATTERN_1_G2, old + 1, 31, 0, 2,  7_5 )  F( x, PATTERN_1,    at + 1,  31, 0, 8, 12_5 )
#define GPUCMD_I915_PART_MONO_PATTERN(F, x, at, old)                                               \
    GPUCMD_I915_PART_PATTERN_COLORS(F, x, at, old)                                                 \
    GPUCMD_I915_PART_PATTERN_WORDS(F, x, at + 2, old + 2)
#define GPUCMD_I915_PART_KEY(F, x, at, old)                                                        \
    F( x, KEY_LOW_G2,  old,     31, 0, 2,  7_5 )  F( x, KEY_LOW,     at,      31, 0, 8, 12_5 )     \
    F( x, KEY_HIGH_G2, old + 1, 31, 0, 2,  7_5 )  F( x, KEY_HIGH,    at + 1,  31, 0, 8, 12_5 )
#define GPUCMD_I915_PART_BLOCK(F, x, at, old)                                                      \
    GPUCMD_I915_XY_BLOCK_COPY_BLT_BITS1(F, x)                                                      \
    F( x, Y1,               2, 31, 16,   12,   30 ) F( x, X1,               2, 15,  0,   12,   30 )\
    F( x, Y2,               3, 31, 16,   12,   30 ) F( x, X2,               3, 15,  0,   12,   30 )\
    F( x, DST,              4, 31,  0,   12,   30 ) F( x, DST_HIGH,         5, 31,  0,   12,   30 )\
    GPUCMD_I915_XY_BLOCK_COPY_BLT_BITS6(F, x)                                                      \
    F( x, SRC_Y1,           7, 31, 16,   12,   30 ) F( x, SRC_X1,           7, 15,  0,   12,   30 )\
    GPUCMD_I915_XY_BLOCK_COPY_BLT_BITS8(F, x)                                                      \
    F( x, SRC,              9, 31,  0,   12,   30 ) F( x, SRC_HIGH,        10, 31,  0,   12,   30 )\
    GPUCMD_I915_XY_BLOCK_COPY_BLT_BITS11(F, x)                                                     \
    GPUCMD_I915_XY_BLOCK_COPY_BLT_BITS12(F, x)                                                     \
    F( x, SRC_CLEAR_ADDRESS_HIGH,     13, 31,  0, 12_5,   30 )                                     \
    F( x, DST_CLEAR_ADDRESS,          14, 31,  6, 12_5,   30 )                                     \
    F( x, DST_CLEAR,                  14,  5,  5, 12_5,   30 )                                     \
    F( x, DST_FORMAT,                 14,  4,  0, 12_5,   30 )                                     \
    F( x, DST_CLEAR_ADDRESS_HIGH,     15, 31,  0, 12_5,   30 )                                     \
    GPUCMD_I915_XY_BLOCK_COPY_BLT_BITS16(F, x)                                                     \
    GPUCMD_I915_XY_BLOCK_COPY_BLT_BITS17(F, x)                                                     \
    GPUCMD_I915_XY_BLOCK_COPY_BLT_BITS18(F, x)                                                     \
    F( x, SRC_TYPE,                   19, 31, 29, 12_5,   30 )                                     \
    F( x, SRC_WIDTH,                  19, 27, 14, 12_5,   30 )                                     \
    F( x, SRC_ROWS,                   19, 13,  0, 12_5,   30 )                                     \
    F( x, SRC_DEPTH,                  20, 31, 21, 12_5,   30 )                                     \
    F( x, SRC_QPITCH,                 20, 18,  4, 12_5,   30 )                                     \
    F( x, SRC_LOD,                    20,  3,  0, 12_5,   30 )                                     \
    F( x, SRC_INDEX,                  21, 31, 21, 12_5,   30 )                                     \
    F( x, SRC_DEPTH_STENCIL,          21, 18, 18, 12_5, 12_7 )                                     \
    F( x, SRC_MIP_TAIL,               21, 11,  8, 12_5,   30 )                                     \
    F( x, SRC_VERTICAL_ALIGN,         21,  4,  3, 12_5,   30 )                                     \
    F( x, SRC_HORIZONTAL_ALIGN,       21,  1,  0, 12_5,   30 )
#define GPUCMD_I915_PART_FAST(F, x, at, old)                                                       \
    GPUCMD_I915_XY_FAST_COPY_BLT_BITS1(F, x)                                                       \
    F( x, Y1,               2, 31, 16,    9,   30 ) F( x, X1,               2, 15,  0,    9,   30 )\
    F( x, Y2,               3, 31, 16,    9,   30 ) F( x, X2,               3, 15,  0,    9,   30 )\
    F( x, DST,              4, 31,  0,    9,   30 ) F( x, DST_HIGH,         5, 31,  0,    9,   30 )\
    F( x, SRC_Y1,           6, 31, 16,    9,   30 ) F( x, SRC_X1,           6, 15,  0,    9,   30 )\
    GPUCMD_I915_XY_FAST_COPY_BLT_BITS7(F, x)                                                       \
    F( x, SRC,              8, 31,  0,    9,   30 ) F( x, SRC_HIGH,         9, 31,  0,    9,   30 )
#define GPUCMD_I915_PART_FAST_COLOR(F, x, at, old)                                                 \
    GPUCMD_I915_XY_FAST_COLOR_BLT_BITS1(F, x)                                                      \
    F( x, Y1,               2, 31, 16,   12,   30 ) F( x, X1,               2, 15,  0,   12,   30 )\
    F( x, Y2,               3, 31, 16,   12,   30 ) F( x, X2,               3, 15,  0,   12,   30 )\
    F( x, DST,              4, 31,  0,   12,   30 ) F( x, DST_HIGH,         5, 31,  0,   12,   30 )\
    GPUCMD_I915_XY_FAST_COLOR_BLT_BITS6(F, x)                                                      \
    F( x, COLOR,            7, 31,  0,   12,   30 ) F( x, COLOR_1,          8, 31,  0,   12,   30 )\
    F( x, COLOR_2,          9, 31,  0,   12,   30 ) F( x, COLOR_3,         10, 31,  0,   12,   30 )\
    GPUCMD_I915_XY_FAST_COLOR_BLT_BITS11(F, x)                                                     \
    GPUCMD_I915_XY_FAST_COLOR_BLT_BITS12(F, x)                                                     \
    GPUCMD_I915_XY_FAST_COLOR_BLT_BITS13(F, x)                                                     \
    GPUCMD_I915_XY_FAST_COLOR_BLT_BITS14(F, x)                                                     \
    GPUCMD_I915_XY_FAST_COLOR_BLT_BITS15(F, x)
#define GPUCMD_I915_PART_CONTROL(F, x, at, old)                                                    \
    F( x, SRC,              1, 31,  0, 12_5,   30 ) F( x, SRC_MOCS,         2, 31, 25, 12_5, 12_7 )\
    F( x, SRC_MOCS_INDEX,   2, 31, 28,   20,   30 ) F( x, SRC_ENCRYPT,      2, 27, 25,   20,   30 )\
    F( x, SRC_HIGH,         2, 24,  0, 12_5,   30 ) F( x, DST,              3, 31,  0, 12_5,   30 )\
    F( x, DST_MOCS,         4, 31, 25, 12_5, 12_7 ) F( x, DST_MOCS_INDEX,   4, 31, 28,   20,   30 )\
    F( x, DST_ENCRYPT,      4, 27, 25,   20,   30 ) F( x, DST_HIGH,         4, 24,  0, 12_5,   30 )
#define GPUCMD_I915_PART_MEM(F, x, at, old)                                                        \
    F( x, WIDTH,            1, 23,  0,   20,   30 ) F( x, ROWS,             2, 17,  0,   20,   30 )
#define GPUCMD_I915_PART_MEM_SRC(F, x, at, old)                                                    \
    F( x, SRC_PITCH,        3, 17,  0,   20,   30 ) F( x, PITCH,            4, 17,  0,   20,   30 )\
    F( x, SRC,              5, 31,  0,   20,   30 ) F( x, SRC_HIGH,         6, 31,  0,   20,   30 )\
    F( x, DST,              7, 31,  0,   20,   30 ) F( x, DST_HIGH,         8, 31,  0,   20,   30 )\
    GPUCMD_I915_MEM_COPY_BITS9(F, x)
#define GPUCMD_I915_PART_MEM_DST(F, x, at, old)                                                    \
    F( x, PITCH,            3, 17,  0,   20,   30 ) F( x, DST,              4, 31,  0,   20,   30 )\
    F( x, DST_HIGH,         5, 31,  0,   20,   30 )                                                \
    GPUCMD_I915_MEM_SET_BITS6(F, x)
#define GPUCMD_I915_PART_BLOCK_OFFSETS(F, x, at, old)
#define GPUCMD_I915_PART_BLOCK_SRC(F, x, at, old)
#define GPUCMD_I915_PART_FAST_SRC(F, x, at, old)
#define GPUCMD_I915_PART_OFFSETS(F, x, at, old)
#define GPUCMD_I915_PART_COLOR_4(F, x, at, old)

/* Call F once for every field name of the 2D commands that exist before gen9. */
#define GPUCMD_I915_BLT_FIELDS(F, x)                                                               \
    GPUCMD_I915_BLT_RGBA(F, x) GPUCMD_I915_BLT_FIRST_BIT(F, x) GPUCMD_I915_BLT_RANGE_MODE(F, x)    \
    GPUCMD_I915_BLT_NUMBER(F, x) GPUCMD_I915_BLT_BYTE_PACKED(F, x)                                 \
    GPUCMD_I915_BLT_SRC_TILED(F, x) GPUCMD_I915_BLT_PATTERN(F, x)                                  \
    GPUCMD_I915_BLT_X_DIRECTION(F, x) GPUCMD_I915_PART_PIXEL(F, x, 0, 0)                           \
    GPUCMD_I915_PART_XY(F, x, 0, 0) GPUCMD_I915_PART_CLIP(F, x, 0, 0)                              \
    GPUCMD_I915_PART_SIZE(F, x, 0, 0) GPUCMD_I915_PART_COPY_SRC(F, x, 0, 0)                        \
    GPUCMD_I915_PART_COLOR(F, x, 0, 0) GPUCMD_I915_PART_COLORS(F, x, 0, 0)                         \
    GPUCMD_I915_PART_PATTERN(F, x, 0, 0) GPUCMD_I915_PART_MONO_PATTERN(F, x, 0, 0)                 \
    GPUCMD_I915_PART_KEY(F, x, 0, 0)

#define GPUCMD_I915_PIPE_CONTROL_BITS0(F, x)                                                       \
    F( x, POST_SYNC_G4,                0, 15, 14,   4,    5 )                                      \
    F( x, DEPTH_STALL_G4,              0, 13, 13,   4,    5 )                                      \
    F( x, WRITE_FLUSH_G4,              0, 12, 12,   4,    5 )                                      \
    F( x, INSTRUCTION_INVALIDATE_G4,   0, 11, 11,   4,    5 )                                      \
    F( x, TEXTURE_FLUSH_G4,            0, 10, 10, 4_5,    5 )                                      \
    F( x, ISP_DISABLE_G4,              0,  9,  9, 4_5,    5 )                                      \
    F( x, NOTIFY_G4,                   0,  8,  8,   4,    5 )                                      \
    F( x, PREDICATE,                   0,  8,  8, 12_5,   30 )                                     \
    F( x, HDC_FLUSH,                   0,  9,  9,  12,   30 )                                      \
    F( x, L3_READ_ONLY_INVALIDATE,     0, 10, 10,  12,   30 )                                      \
    F( x, UDP_FLUSH,                   0, 11, 11, 12_5,   30 )                                     \
    F( x, POST_SYNC_L3,                0, 12, 12,  12, 12_5 )                                      \
    F( x, CCS_FLUSH,                   0, 13, 13, 12_5,   30 )                                     \
    F( x, PARTITION_OFFSET,            0, 14, 14, 12_5,   30 )
#define GPUCMD_I915_PIPE_CONTROL_BITS1(F, x)                                                       \
    F( x, ADDRESS_G4,                  1, 31,  3,   4,    5 )                                      \
    F( x, GGTT_G4,                     1,  2,  2,   4,    5 )                                      \
    F( x, STALL_AT_SCOREBOARD_G5,      1,  1,  1,   5,    5 )                                      \
    F( x, DEPTH_FLUSH_INHIBIT_G5,      1,  0,  0,   5,    5 )                                      \
    F( x, DEPTH_CACHE_FLUSH,           1,  0,  0,   6,   30 )                                      \
    F( x, STALL_AT_SCOREBOARD,         1,  1,  1,   6,   30 )                                      \
    F( x, STATE_INVALIDATE,            1,  2,  2,   6,   30 )                                      \
    F( x, CONSTANT_INVALIDATE,         1,  3,  3,   6,   30 )                                      \
    F( x, VF_INVALIDATE,               1,  4,  4,   6,   30 )                                      \
    F( x, DC_FLUSH,                    1,  5,  5,   6,   30 )                                      \
    F( x, PROTECTED_APP,               1,  6,  6, 12_5,   30 )                                     \
    F( x, FLUSH_ENABLE,                1,  7,  7,   7,   30 )                                      \
    F( x, NOTIFY,                      1,  8,  8,   6,   30 )                                      \
    F( x, ISP_DISABLE,                 1,  9,  9,   6,   30 )                                      \
    F( x, TEXTURE_INVALIDATE,          1, 10, 10,   6,   30 )                                      \
    F( x, INSTRUCTION_INVALIDATE,      1, 11, 11,   6,   30 )                                      \
    F( x, RENDER_TARGET_FLUSH,         1, 12, 12,   6,   30 )                                      \
    F( x, DEPTH_STALL,                 1, 13, 13,   6,   30 )                                      \
    F( x, POST_SYNC,                   1, 15, 14,   6,   30 )                                      \
    F( x, MEDIA_STATE_CLEAR,           1, 16, 16,   6,   30 )                                      \
    F( x, GFDT_SYNC,                   1, 17, 17,   6,    6 )                                      \
    F( x, PSD_SYNC,                    1, 17, 17,  11,   30 )                                      \
    F( x, TLB_INVALIDATE,              1, 18, 18,   6,   30 )                                      \
    F( x, SNAPSHOT_RESET,              1, 19, 19,   6,   30 )                                      \
    F( x, CS_STALL,                    1, 20, 20,   6,   30 )                                      \
    F( x, STORE_INDEX,                 1, 21, 21,   6,   30 )                                      \
    F( x, PROTECTED,                   1, 22, 22,  12,   30 )                                      \
    F( x, LRI_POST_SYNC,               1, 23, 23,   7,   30 )                                      \
    F( x, GGTT,                        1, 24, 24,   7,   30 )                                      \
    F( x, AMFS_FLUSH,                  1, 25, 25,  12,   30 )                                      \
    F( x, LLC_FLUSH,                   1, 26, 26,   9,   30 )                                      \
    F( x, L3_FLUSH,                    1, 27, 27,   8,   30 )                                      \
    F( x, TILE_FLUSH,                  1, 28, 28,  11,   30 )                                      \
    F( x, COMMAND_INVALIDATE,          1, 29, 29,  11,   30 )                                      \
    F( x, L3_FABRIC_FLUSH,             1, 30, 30,  12, 12_7 )                                      \
    F( x, EU_STALL_FLUSH,              1, 30, 30,  20,   30 )                                      \
    F( x, TBIMR,                       1, 31, 31, 12_5,   30 )
#define GPUCMD_I915_PIPE_CONTROL_BITS2(F, x)                                                       \
    F( x, DATA_G4,          2, 31,  0,    4,    5 ) F( x, ADDRESS_G6,       2, 31,  3,    6,    6 )\
    F( x, GGTT_G6,          2,  2,  2,    6,    6 ) F( x, ADDRESS,          2, 31,  2,    7,   30 )
#define GPUCMD_I915_PIPE_CONTROL_BITS3(F, x)                                                       \
    F( x, DATA_HIGH_G4,     3, 31,  0,    4,    5 ) F( x, DATA_G6,          3, 31,  0,    6,  7_5 )\
    F( x, ADDRESS_HIGH,     3, 31,  0,    8,   30 )
#define GPUCMD_I915_PIPE_CONTROL_BITS4(F, x)                                                       \
    F( x, DATA_HIGH_G6,     4, 31,  0,    6,  7_5 ) F( x, DATA,             4, 31,  0,    8,   30 )
#define GPUCMD_I915_PIPE_CONTROL_BITS5(F, x)       F( x, DATA_HIGH,    5, 31, 0, 8,   30 )

/* GPUCMD_I915_PRIV_DW_<n>: fields of the first n words of a command. x is the command's name with a
 * leading underscore, because a macro with the plain name would be expanded. */
#define GPUCMD_I915_PRIV_DW_1(F, x) GPUCMD_I915##x##_BITS0(F, x)
#define GPUCMD_I915_PRIV_DW_2(F, x) GPUCMD_I915_PRIV_DW_1(F, x) GPUCMD_I915##x##_BITS1(F, x)
#define GPUCMD_I915_PRIV_DW_3(F, x) GPUCMD_I915_PRIV_DW_2(F, x) GPUCMD_I915##x##_BITS2(F, x)
#define GPUCMD_I915_PRIV_DW_4(F, x) GPUCMD_I915_PRIV_DW_3(F, x) GPUCMD_I915##x##_BITS3(F, x)
#define GPUCMD_I915_PRIV_DW_5(F, x) GPUCMD_I915_PRIV_DW_4(F, x) GPUCMD_I915##x##_BITS4(F, x)
#define GPUCMD_I915_PRIV_DW_6(F, x) GPUCMD_I915_PRIV_DW_5(F, x) GPUCMD_I915##x##_BITS5(F, x)
#define GPUCMD_I915_PRIV_DW_7(F, x) GPUCMD_I915_PRIV_DW_6(F, x) GPUCMD_I915##x##_BITS6(F, x)
#define GPUCMD_I915_PRIV_DW_8(F, x) GPUCMD_I915_PRIV_DW_7(F, x) GPUCMD_I915##x##_BITS7(F, x)
#define GPUCMD_I915_PRIV_DW_9(F, x) GPUCMD_I915_PRIV_DW_8(F, x) GPUCMD_I915##x##_BITS8(F, x)
#define GPUCMD_I915_PRIV_DW_10(F, x) GPUCMD_I915_PRIV_DW_9(F, x) GPUCMD_I915##x##_BITS9(F, x)
#define GPUCMD_I915_PRIV_DW_11(F, x) GPUCMD_I915_PRIV_DW_10(F, x) GPUCMD_I915##x##_BITS10(F, x)

/* GPUCMD_I915_PRIV_FIELDS expands a row of GPUCMD_I915_COMMANDS to the fields of the command.
 * GPUCMD_I915_PRIV_BLT_FIELDS does so for a row of GPUCMD_I915_BLTS. */
#define GPUCMD_I915_PRIV_FIELDS(F, name, hdr, since, until, who, len, a, b, c, d, priv, words, ...)\
    GPUCMD_I915_PRIV_DW_##words(F, _##name)
#define GPUCMD_I915_PRIV_BLT_FIELDS(F, name, p, q, r, s)                                           \
    GPUCMD_I915_PRIV_BLT_ROWS(F, _##name, _##p, _##q, _##r, _##s)
#define GPUCMD_I915_PRIV_BLT_ROWS(F, x, p, q, r, s)                                                \
    GPUCMD_I915##x##_BITS0(F, x)                                                                   \
    GPUCMD_I915_PART##p(F, x, 1, 1)                                                                \
    GPUCMD_I915_PART##q(F, x, 1 + GPUCMD_I915_PRIV##p##_DW, 1 + GPUCMD_I915_PRIV##p##_OLD)         \
    GPUCMD_I915_PART##r(F, x, 1 + GPUCMD_I915_PRIV##p##_DW + GPUCMD_I915_PRIV##q##_DW,             \
                        1 + GPUCMD_I915_PRIV##p##_OLD + GPUCMD_I915_PRIV##q##_OLD)                 \
    GPUCMD_I915_PART##s(F, x, 1 + GPUCMD_I915_PRIV##p##_DW + GPUCMD_I915_PRIV##q##_DW +            \
                        GPUCMD_I915_PRIV##r##_DW, 1 + GPUCMD_I915_PRIV##p##_OLD +                  \
                        GPUCMD_I915_PRIV##q##_OLD + GPUCMD_I915_PRIV##r##_OLD)

/* Call F(x, name, dw, hi, lo, since, until) for every field, in the order of commands. x is the
 * command's name with a leading underscore. The fields of a command in one generation ascend by dw.
 * A field of gen8 can precede a field of gen7 with a lower dw. */
#define GPUCMD_I915_FIELDS(F)                                                                      \
    GPUCMD_I915_MI_COMMANDS(GPUCMD_I915_PRIV_FIELDS, F)                                            \
    GPUCMD_I915_BLTS(GPUCMD_I915_PRIV_BLT_FIELDS, F)                                               \
    GPUCMD_I915_3D_COMMANDS(GPUCMD_I915_PRIV_FIELDS, F)

/* Call F for every field with a constant GPUCMD_I915<x>_<name>_BITS. x is the command's name with a
 * leading underscore, or _BLT for the fields of GPUCMD_I915_BLT_FIELDS. */
#define GPUCMD_I915_FIELD_NAMES(F)                                                                 \
    GPUCMD_I915_MI_COMMANDS(GPUCMD_I915_PRIV_FIELDS, F) GPUCMD_I915_BLT_FIELDS(F, _BLT)            \
    GPUCMD_I915_PRIV_BLT_FIELDS(F, XY_BLOCK_COPY_BLT, BLOCK, NONE, NONE, NONE)                     \
    GPUCMD_I915_PRIV_BLT_FIELDS(F, XY_FAST_COPY_BLT, FAST, NONE, NONE, NONE)                       \
    GPUCMD_I915_PRIV_BLT_FIELDS(F, XY_FAST_COLOR_BLT, FAST_COLOR, NONE, NONE, NONE)                \
    GPUCMD_I915_PRIV_BLT_FIELDS(F, XY_CTRL_SURF_COPY_BLT, CONTROL, NONE, NONE, NONE)               \
    GPUCMD_I915_PRIV_BLT_FIELDS(F, MEM_COPY, MEM, MEM_SRC, NONE, NONE)                             \
    GPUCMD_I915_PRIV_BLT_FIELDS(F, MEM_SET, MEM, MEM_DST, NONE, NONE)                              \
    GPUCMD_I915_3D_COMMANDS(GPUCMD_I915_PRIV_FIELDS, F)

/* Names of 3D and media commands of the render and compute engines, for gpucmd_i915_name and
 * gpucmd_i915_print. Column bits 31:16: the high half of the first word. [GX] [CAP] [XE] */
#define GPUCMD_I915_GFX_NAMES(N)                                                                   \
    /*  name                                     bits 31:16  generations (2) */                    \
    N( "URB_FENCE", 0x6000, 4, 5 ) N( "CS_URB_STATE", 0x6001, 4, 5 )                               \
    N( "CONSTANT_BUFFER", 0x6002, 4, 5 ) N( "STATE_PREFETCH", 0x6003, 6, 9 )                       \
    N( "STATE_PREFETCH", 0x6003, 20, 30 ) N( "STATE_BYTE_STRIDE", 0x6005, 20, 30 )                 \
    N( "STATE_BASE_ADDRESS", 0x6101, 4, 30 ) N( "STATE_SIP", 0x6102, 4, 30 )                       \
    N( "SWTESS_BASE_ADDRESS", 0x6103, 7, 8 ) N( "GPGPU_CSR_BASE_ADDRESS", 0x6104, 7_5, 11 )        \
    N( "PIPELINE_SELECT", 0x6104, 4, 4 ) N( "STATE_COMPUTE_MODE", 0x6105, 12, 30 )                 \
    N( "3DSTATE_BTD", 0x6106, 12_5, 30 ) N( "STATE_SYSTEM_MEM_FENCE_ADDRESS", 0x6109, 20, 30 )     \
    N( "STATE_CONTEXT_DATA_BASE_ADDRESS", 0x610b, 20, 30 )                                         \
    N( "3DSTATE_VF_STATISTICS", 0x680b, 4_5, 30 ) N( "PIPELINE_SELECT", 0x6904, 4_5, 30 )          \
    N( "MEDIA_VFE_STATE", 0x7000, 6, 12 ) N( "MEDIA_CURBE_LOAD", 0x7001, 6, 12 )                   \
    N( "MEDIA_INTERFACE_DESCRIPTOR_LOAD", 0x7002, 6, 12 ) N( "MEDIA_GATEWAY_STATE", 0x7003, 6, 6 ) \
    N( "MEDIA_STATE_FLUSH", 0x7004, 6, 30 ) N( "MEDIA_OBJECT", 0x7100, 6, 12 )                     \
    N( "MEDIA_OBJECT_PRT", 0x7102, 6, 12 ) N( "MEDIA_OBJECT_WALKER", 0x7103, 6, 12 )               \
    N( "GPGPU_OBJECT", 0x7104, 7, 7_5 ) N( "GPGPU_WALKER", 0x7105, 7, 12 )                         \
    N( "MEDIA_OBJECT_GRPID", 0x7106, 8, 12 ) N( "CFE_STATE", 0x7200, 12_5, 30 )                    \
    N( "COMPUTE_WALKER", 0x7208, 12_5, 30 ) N( "3DSTATE_DRAWING_RECTANGLE_FAST", 0x7800, 20, 30 )  \
    N( "3DSTATE_PIPELINED_POINTERS", 0x7800, 4, 5 )                                                \
    N( "3DSTATE_BINDING_TABLE_POINTERS", 0x7801, 4, 6 )                                            \
    N( "3DSTATE_SAMPLER_STATE_POINTERS", 0x7802, 6, 6 )                                            \
    N( "3DSTATE_CLEAR_PARAMS", 0x7804, 7, 12_7 ) N( "3DSTATE_DEPTH_BUFFER", 0x7805, 7, 30 )        \
    N( "3DSTATE_URB", 0x7805, 6, 6 ) N( "3DSTATE_STENCIL_BUFFER", 0x7806, 7, 30 )                  \
    N( "3DSTATE_HIER_DEPTH_BUFFER", 0x7807, 7, 30 ) N( "3DSTATE_VERTEX_BUFFERS", 0x7808, 4, 30 )   \
    N( "3DSTATE_VERTEX_ELEMENTS", 0x7809, 4, 30 ) N( "3DSTATE_INDEX_BUFFER", 0x780a, 4, 30 )       \
    N( "3DSTATE_VF_STATISTICS", 0x780b, 4, 4 ) N( "3DSTATE_VF", 0x780c, 7_5, 30 )                  \
    N( "3DSTATE_MULTISAMPLE", 0x780d, 8, 30 ) N( "3DSTATE_VIEWPORT_STATE_POINTERS", 0x780d, 6, 6 ) \
    N( "3DSTATE_CC_STATE_POINTERS", 0x780e, 6, 30 )                                                \
    N( "3DSTATE_SCISSOR_STATE_POINTERS", 0x780f, 6, 30 ) N( "3DSTATE_VS", 0x7810, 6, 30 )          \
    N( "3DSTATE_GS", 0x7811, 6, 30 ) N( "3DSTATE_CLIP", 0x7812, 6, 30 )                            \
    N( "3DSTATE_SF", 0x7813, 6, 30 ) N( "3DSTATE_WM", 0x7814, 6, 30 )                              \
    N( "3DSTATE_CONSTANT_VS", 0x7815, 6, 30 ) N( "3DSTATE_CONSTANT_GS", 0x7816, 6, 30 )            \
    N( "3DSTATE_CONSTANT_PS", 0x7817, 6, 30 ) N( "3DSTATE_SAMPLE_MASK", 0x7818, 6, 30 )            \
    N( "3DSTATE_CONSTANT_HS", 0x7819, 7, 30 ) N( "3DSTATE_CONSTANT_DS", 0x781a, 7, 30 )            \
    N( "3DSTATE_HS", 0x781b, 7, 30 ) N( "3DSTATE_TE", 0x781c, 7, 30 )                              \
    N( "3DSTATE_DS", 0x781d, 7, 30 ) N( "3DSTATE_STREAMOUT", 0x781e, 7, 30 )                       \
    N( "3DSTATE_SBE", 0x781f, 7, 30 ) N( "3DSTATE_PS", 0x7820, 7, 30 )                             \
    N( "3DSTATE_VIEWPORT_STATE_POINTERS_SF_CLIP", 0x7821, 7, 30 )                                  \
    N( "3DSTATE_CPS", 0x7822, 11, 11 ) N( "3DSTATE_CPS_POINTERS", 0x7822, 12, 30 )                 \
    N( "3DSTATE_VIEWPORT_STATE_POINTERS_CC", 0x7823, 7, 30 )                                       \
    N( "3DSTATE_BLEND_STATE_POINTERS", 0x7824, 7, 30 )                                             \
    N( "3DSTATE_DEPTH_STENCIL_STATE_POINTERS", 0x7825, 7, 7_5 )                                    \
    N( "3DSTATE_BINDING_TABLE_POINTERS_VS", 0x7826, 7, 30 )                                        \
    N( "3DSTATE_BINDING_TABLE_POINTERS_HS", 0x7827, 7, 30 )                                        \
    N( "3DSTATE_BINDING_TABLE_POINTERS_DS", 0x7828, 7, 30 )                                        \
    N( "3DSTATE_BINDING_TABLE_POINTERS_GS", 0x7829, 7, 30 )                                        \
    N( "3DSTATE_BINDING_TABLE_POINTERS_PS", 0x782a, 7, 30 )                                        \
    N( "3DSTATE_SAMPLER_STATE_POINTERS_VS", 0x782b, 7, 30 )                                        \
    N( "3DSTATE_SAMPLER_STATE_POINTERS_HS", 0x782c, 7, 30 )                                        \
    N( "3DSTATE_SAMPLER_STATE_POINTERS_DS", 0x782d, 7, 30 )                                        \
    N( "3DSTATE_SAMPLER_STATE_POINTERS_GS", 0x782e, 7, 30 )                                        \
    N( "3DSTATE_SAMPLER_STATE_POINTERS_PS", 0x782f, 7, 30 ) N( "3DSTATE_URB_VS", 0x7830, 7, 30 )   \
    N( "3DSTATE_URB_HS", 0x7831, 7, 30 ) N( "3DSTATE_URB_DS", 0x7832, 7, 30 )                      \
    N( "3DSTATE_URB_GS", 0x7833, 7, 30 ) N( "3DSTATE_GATHER_CONSTANT_VS", 0x7834, 7_5, 30 )        \
    N( "3DSTATE_GATHER_CONSTANT_GS", 0x7835, 7_5, 30 )                                             \
    N( "3DSTATE_GATHER_CONSTANT_HS", 0x7836, 7_5, 30 )                                             \
    N( "3DSTATE_GATHER_CONSTANT_DS", 0x7837, 7_5, 30 )                                             \
    N( "3DSTATE_GATHER_CONSTANT_PS", 0x7838, 7_5, 30 )                                             \
    N( "3DSTATE_DX9_CONSTANTF_VS", 0x7839, 7_5, 9 )                                                \
    N( "3DSTATE_DX9_CONSTANTF_PS", 0x783a, 7_5, 9 )                                                \
    N( "3DSTATE_BINDING_TABLE_EDIT_VS", 0x7843, 7_5, 30 )                                          \
    N( "3DSTATE_BINDING_TABLE_EDIT_GS", 0x7844, 7_5, 30 )                                          \
    N( "3DSTATE_BINDING_TABLE_EDIT_HS", 0x7845, 7_5, 30 )                                          \
    N( "3DSTATE_BINDING_TABLE_EDIT_DS", 0x7846, 7_5, 30 )                                          \
    N( "3DSTATE_BINDING_TABLE_EDIT_PS", 0x7847, 7_5, 30 )                                          \
    N( "3DSTATE_VF_INSTANCING", 0x7849, 8, 30 ) N( "3DSTATE_VF_SGVS", 0x784a, 8, 30 )              \
    N( "3DSTATE_VF_TOPOLOGY", 0x784b, 8, 30 ) N( "3DSTATE_WM_CHROMAKEY", 0x784c, 8, 30 )           \
    N( "3DSTATE_PS_BLEND", 0x784d, 8, 30 ) N( "3DSTATE_WM_DEPTH_STENCIL", 0x784e, 8, 30 )          \
    N( "3DSTATE_PS_EXTRA", 0x784f, 8, 30 ) N( "3DSTATE_RASTER", 0x7850, 8, 30 )                    \
    N( "3DSTATE_SBE_SWIZ", 0x7851, 8, 30 ) N( "3DSTATE_WM_HZ_OP", 0x7852, 8, 30 )                  \
    N( "3DSTATE_RS_CONSTANT_POINTER", 0x7854, 9, 30 )                                              \
    N( "3DSTATE_VF_COMPONENT_PACKING", 0x7855, 9, 30 ) N( "3DSTATE_VF_SGVS_2", 0x7856, 11, 30 )    \
    N( "3DSTATE_VFG", 0x7857, 12_5, 30 ) N( "3DSTATE_URB_ALLOC_VS", 0x7858, 12_5, 30 )             \
    N( "3DSTATE_URB_ALLOC_HS", 0x7859, 12_5, 30 ) N( "3DSTATE_URB_ALLOC_DS", 0x785a, 12_5, 30 )    \
    N( "3DSTATE_URB_ALLOC_GS", 0x785b, 12_5, 30 ) N( "3DSTATE_SO_BUFFER_INDEX_0", 0x7860, 12, 30 ) \
    N( "3DSTATE_SO_BUFFER_INDEX_1", 0x7861, 12, 30 )                                               \
    N( "3DSTATE_SO_BUFFER_INDEX_2", 0x7862, 12, 30 )                                               \
    N( "3DSTATE_SO_BUFFER_INDEX_3", 0x7863, 12, 30 )                                               \
    N( "3DSTATE_PRIMITIVE_REPLICATION", 0x786c, 12, 30 )                                           \
    N( "3DSTATE_CONSTANT_ALL", 0x786d, 12, 30 )                                                    \
    N( "3DSTATE_TBIMR_TILE_PASS_INFO", 0x786e, 12_5, 30 ) N( "3DSTATE_AMFS", 0x786f, 12_5, 30 )    \
    N( "3DSTATE_DEPTH_BOUNDS", 0x7871, 12, 30 )                                                    \
    N( "3DSTATE_AMFS_TEXTURE_POINTERS", 0x7872, 12_5, 30 )                                         \
    N( "3DSTATE_CONSTANT_TS_POINTER", 0x7873, 12_5, 30 )                                           \
    N( "3DSTATE_MESH_CONTROL", 0x7877, 12_5, 30 ) N( "3DSTATE_MESH_DISTRIB", 0x7878, 12_5, 30 )    \
    N( "3DSTATE_TASK_REDISTRIB", 0x7879, 12_5, 30 ) N( "3DSTATE_MESH_SHADER", 0x787a, 12_5, 30 )   \
    N( "3DSTATE_MESH_SHADER_DATA", 0x787b, 12_5, 30 )                                              \
    N( "3DSTATE_TASK_CONTROL", 0x787c, 12_5, 30 ) N( "3DSTATE_TASK_SHADER", 0x787d, 12_5, 30 )     \
    N( "3DSTATE_TASK_SHADER_DATA", 0x787e, 12_5, 30 )                                              \
    N( "3DSTATE_URB_ALLOC_MESH", 0x787f, 12_5, 30 )                                                \
    N( "3DSTATE_URB_ALLOC_TASK", 0x7880, 12_5, 30 ) N( "3DSTATE_CLIP_MESH", 0x7881, 12_5, 30 )     \
    N( "3DSTATE_SBE_MESH", 0x7882, 12_5, 30 )                                                      \
    N( "3DSTATE_CPSIZE_CONTROL_BUFFER", 0x7883, 12_5, 30 )                                         \
    N( "3DSTATE_COARSE_PIXEL", 0x7889, 12_5, 30 ) N( "3DSTATE_DRAWING_RECTANGLE", 0x7900, 4, 30 )  \
    N( "3DSTATE_CONSTANT_COLOR", 0x7901, 4, 5 )                                                    \
    N( "3DSTATE_SAMPLER_PALETTE_LOAD0", 0x7902, 6, 30 ) N( "3DSTATE_CHROMA_KEY", 0x7904, 6, 30 )   \
    N( "3DSTATE_DEPTH_BUFFER", 0x7905, 4, 6 ) N( "3DSTATE_POLY_STIPPLE_OFFSET", 0x7906, 4, 30 )    \
    N( "3DSTATE_POLY_STIPPLE_PATTERN", 0x7907, 4, 30 ) N( "3DSTATE_LINE_STIPPLE", 0x7908, 4, 30 )  \
    N( "3DSTATE_GLOBAL_DEPTH_OFFSET_CLAMP", 0x7909, 4, 5 )                                         \
    N( "3DSTATE_AA_LINE_PARAMETERS", 0x790a, 4, 30 ) N( "3DSTATE_GS_SVB_INDEX", 0x790b, 6, 6 )     \
    N( "3DSTATE_SAMPLER_PALETTE_LOAD1", 0x790c, 6, 30 ) N( "3DSTATE_MULTISAMPLE", 0x790d, 6, 7_5 ) \
    N( "3DSTATE_RAST_MULTISAMPLE", 0x790e, 7_5, 7_5 ) N( "3DSTATE_STENCIL_BUFFER", 0x790e, 5, 6 )  \
    N( "3DSTATE_HIER_DEPTH_BUFFER", 0x790f, 5, 6 ) N( "3DSTATE_CLEAR_PARAMS", 0x7910, 5, 6 )       \
    N( "3DSTATE_MONOFILTER_SIZE", 0x7911, 6, 30 )                                                  \
    N( "3DSTATE_PUSH_CONSTANT_ALLOC_VS", 0x7912, 7, 30 )                                           \
    N( "3DSTATE_PUSH_CONSTANT_ALLOC_HS", 0x7913, 7, 30 )                                           \
    N( "3DSTATE_PUSH_CONSTANT_ALLOC_DS", 0x7914, 7, 30 )                                           \
    N( "3DSTATE_PUSH_CONSTANT_ALLOC_GS", 0x7915, 7, 30 )                                           \
    N( "3DSTATE_PUSH_CONSTANT_ALLOC_PS", 0x7916, 7, 30 )                                           \
    N( "3DSTATE_SO_DECL_LIST", 0x7917, 7, 30 ) N( "3DSTATE_SO_BUFFER", 0x7918, 7, 30 )             \
    N( "3DSTATE_BINDING_TABLE_POOL_ALLOC", 0x7919, 7_5, 30 )                                       \
    N( "3DSTATE_GATHER_POOL_ALLOC", 0x791a, 7_5, 30 ) N( "3DSTATE_SAMPLE_PATTERN", 0x791c, 8, 30 ) \
    N( "3DSTATE_URB_CLEAR", 0x791d, 9, 30 ) N( "3DSTATE_3D_MODE", 0x791e, 11, 30 )                 \
    N( "3DSTATE_SUBSLICE_HASH_TABLE", 0x791f, 12, 30 )                                             \
    N( "3DSTATE_SLICE_TABLE_STATE_POINTERS", 0x7920, 11, 30 )                                      \
    N( "3DSTATE_PTBR_TILE_PASS_INFO", 0x7922, 12_5, 30 ) N( "3DPRIMITIVE", 0x7b00, 4, 30 )         \
    N( "3DMESH_1D", 0x7b01, 12_5, 30 ) N( "3DMESH_3D", 0x7b02, 12_5, 30 )                          \
    N( "EXECUTE_INDIRECT_DRAW", 0x7c00, 12_5, 30 )                                                 \
    N( "EXECUTE_INDIRECT_DISPATCH", 0x7c01, 12_5, 30 ) N( "STATE_WRITE_INLINE", 0x8000, 12_7, 30 ) \
    N( "RESOURCE_BARRIER", 0xac00, 20, 30 )

/* Forms of COMPUTE_WALKER. Column dwords: length in words. Column post-sync: number of the first of
 * 5 words with the operation (bits 1:0, a GPUCMD_I915_POST_SYNC_*), the address and the immediate.
 * Column timestamp: bytes of one timestamp. [GX] [CR] */
#define GPUCMD_I915_WALKERS(W)                                                                     \
    /*  generations (2)  dwords  post-sync  timestamp */                                           \
    W( 12_5, 12_7,   39,     26,        4 )                                                        \
    W( 20,   30,     40,     27,        8 )

/* Registers that a non-secure batch may write. Columns:
 *   first, last  byte offsets of the first and of the last register of the row
 *   engines      mask of the engines of the row, see GPUCMD_I915_ENGINES
 *   care, want   the value may be written if (value & care) == want
 * [K] i915_cmd_parser.c (gen7, gen7.5, BCS of gen9); [IGT] gem_ctx_isolation (gen8 and later) */
#define GPUCMD_I915_USER_REGS(U)                                                                   \
    /*  first    last     generations (2)  engines  care  want */                                  \
    U( 0x02290, 0x02294,   7, 7_5,  1, 0, 0 )  U( 0x02300, 0x0235c,   7, 7_5,  1, 0, 0 )           \
    U( 0x02400, 0x0240c,   7, 7_5,  1, 0, 0 )  U( 0x02420, 0x02420,   7, 7_5,  1, 0, 0 )           \
    U( 0x02430, 0x02440,   7, 7_5,  1, 0, 0 )  U( 0x02500, 0x02508,   7, 7_5,  1, 0, 0 )           \
    U( 0x02600, 0x0267c, 7_5,   8,  1, 0, 0 )  U( 0x04358, 0x0435c,   7, 7_5,  5, 0, 0 )           \
    U( 0x05200, 0x0521c,   7, 7_5,  1, 0, 0 )  U( 0x05240, 0x0525c,   7, 7_5,  1, 0, 0 )           \
    U( 0x05280, 0x0528c,   7, 7_5,  1, 0, 0 )  U( 0x0b010, 0x0b010,   7, 7_5,  1, 0, 0 )           \
    U( 0x0b020, 0x0b024,   7, 7_5,  1, 0, 0 )                                                      \
    U( 0x0b038, 0x0b038, 7_5, 7_5,  1, 0xf7ffffff, 0 )                                             \
    U( 0x0e49c, 0x0e49c, 7_5, 7_5,  1, 0xffbfffbf, 0 )                                             \
    U( 0x22358, 0x2235c,   7, 7_5,  5, 0, 0 )  U( 0x02358, 0x0235c,   7,   9,  4, 0, 0 )           \
    U( 0x22200, 0x22200,   7,  30,  4, 0, 0 )  U( 0x04358, 0x0435c,   9,   9,  4, 0, 0 )           \
    U( 0x22358, 0x2235c,   9,   9,  4, 0, 0 )  U( 0x223a8, 0x223a8,   9,   9,  4, 0, 0 )           \
    U( 0x020c0, 0x020c0,   8,  30, 17, 0, 0 )  U( 0x02158, 0x02158,   8,  30, 17, 0, 0 )           \
    U( 0x02290, 0x02294,   8,  30, 17, 0, 0 )  U( 0x022c8, 0x022cc,   8,  30, 17, 0, 0 )           \
    U( 0x022d8, 0x022dc,   8,  30, 17, 0, 0 )  U( 0x022f0, 0x022f4,   8,  30, 17, 0, 0 )           \
    U( 0x022f8, 0x022fc,   8,  30, 17, 0, 0 )  U( 0x02300, 0x02344,   8,  30, 17, 0, 0 )           \
    U( 0x02360, 0x02364,   8,  30, 17, 0, 0 )  U( 0x02094, 0x02094,   8,  30, 17, 0, 0 )           \
    U( 0x023bc, 0x023bc,   8,  30, 17, 0, 0 )  U( 0x02400, 0x0241c,   8,  30, 17, 0, 0 )           \
    U( 0x02420, 0x02420,   8,  30, 17, 0, 0 )  U( 0x02430, 0x02440,   8,  30, 17, 0, 0 )           \
    U( 0x02448, 0x0244c,   8,  30, 17, 0, 0 )  U( 0x02450, 0x02454,   8,  30, 17, 0, 0 )           \
    U( 0x02500, 0x02508,   8,  30, 17, 0, 0 )  U( 0x05200, 0x0528c,   8,  30, 17, 0, 0 )           \
    U( 0x07000, 0x07008,   8,  30, 17, 0, 0 )  U( 0x07034, 0x07034,   8,  11, 17, 0, 0 )           \
    U( 0x0e400, 0x0e404,   8,  11, 17, 0, 0 )  U( 0x02580, 0x02580,  11,  30, 17, 0, 0 )

/* Rules by which the command parser of the kernel checks commands:
 *   REJECT    the command is rejected
 *   GGTT      bit 22 of DW0 must be 0
 *   REG       GPUCMD_I915_USER_REGS must allow every register that the command names
 *   REG_GGTT  both GGTT and REG
 *   PERF      the GGTT bit of DW1 must be 0
 *   SYNC      the command must not raise an interrupt, or store to a register, to the global table
 *             or to the status page
 *   START     bits 22:0 of DW0 must be 0x101; the target must be this command or an earlier command
 *             of the batch
 * A command without a row is accepted if the engine has the command, except MEDIA_VFE_STATE with
 * bit 3 or 4 of DW2 set. [K] i915_cmd_parser.c */
#define GPUCMD_I915_PARSED(P)                                                                      \
    /*  command                          generations (2)  engines  rule */                         \
    P( MI_USER_INTERRUPT,                7, 7_5,      31,      REJECT )                            \
    P( MI_WAIT_FOR_EVENT,                7, 7_5,      31,      REJECT )                            \
    P( MI_SEMAPHORE_MBOX,                7, 7_5,      31,      REJECT )                            \
    P( MI_STORE_DATA_INDEX,              7, 7_5,      31,      REJECT )                            \
    P( MI_ARB_ON_OFF,                    7, 7_5,      11,      REJECT )                            \
    P( MI_DISPLAY_FLIP,                  7, 7_5,      5,       REJECT )                            \
    P( MI_SET_CONTEXT,                   7, 7_5,      1,       REJECT )                            \
    P( MI_UPDATE_GTT,                    7, 7_5,      15,      REJECT )                            \
    P( MI_LOAD_SCAN_LINES_INCL,          7_5, 7_5,    5,       REJECT )                            \
    P( MI_LOAD_SCAN_LINES_EXCL,          7_5, 7_5,    5,       REJECT )                            \
    P( MI_LOAD_REGISTER_IMM,             7, 9,        31,      REG )                               \
    P( MI_STORE_REGISTER_MEM,            7, 7_5,      31,      REG_GGTT )                          \
    P( MI_LOAD_REGISTER_MEM,             7, 7_5,      31,      REG_GGTT )                          \
    P( MI_STORE_REGISTER_MEM,            9, 9,        31,      REG )                               \
    P( MI_LOAD_REGISTER_MEM,             9, 9,        31,      REG )                               \
    P( MI_LOAD_REGISTER_REG,             7_5, 9,      5,       REG )                               \
    P( MI_STORE_DATA_IMM,                7, 7_5,      31,      GGTT )                              \
    P( MI_CLFLUSH,                       7, 7_5,      1,       GGTT )                              \
    P( MI_CONDITIONAL_BATCH_BUFFER_END,  7, 7_5,      11,      GGTT )                              \
    P( MI_REPORT_PERF_COUNT,             7, 7_5,      1,       PERF )                              \
    P( PIPE_CONTROL,                     7, 7_5,      1,       SYNC )                              \
    P( MI_FLUSH_DW,                      7, 7_5,      14,      SYNC )                              \
    P( MI_BATCH_BUFFER_START,            7, 7_5,      31,      REJECT )                            \
    P( MI_BATCH_BUFFER_START,            9, 9,        4,       START )

/* Registers of every engine: byte offsets from the engine's base. [K] intel_engine_regs.h */
#define GPUCMD_I915_RING_REGS(R)                                                                   \
    /*  name                  offset  meaning */                                                   \
    R( TAIL,                  0x030,  "bits 20:3 of the byte offset of the next word to write" )   \
    R( HEAD,                  0x034,  "bits 20:2 of the byte offset read; 31:21 wraps" )           \
    R( START,                 0x038,  "address of the ring, page aligned" )                        \
    R( CTL,                   0x03c,  "bytes - 4096 in 20:12; 11 waiting, 10 semaphore; 0 valid" ) \
    R( SYNC_0,                0x040,  "semaphore mailbox" )                                        \
    R( SYNC_1,                0x044,  "semaphore mailbox" )                                        \
    R( SYNC_2,                0x048,  "semaphore mailbox" )                                        \
    R( ACTHD_HIGH,            0x05c,  "high half of ACTHD, gen8 and later" )                       \
    R( IPEIR,                 0x064,  "error code of the command in IPEHR" )                       \
    R( IPEHR,                 0x068,  "first word of the command being executed" )                 \
    R( ACTHD,                 0x074,  "position in the ring or in the batch" )                     \
    R( HWS_PGA,               0x080,  "address of the status page" )                               \
    R( IPEHR_G2,              0x08c,  "IPEHR of gen2 and gen3" )                                   \
    R( NOPID,                 0x094,  "number that the last MI_NOOP wrote" )                       \
    R( MI_MODE,               0x09c,  "masked; 12 nested batches on gen12" )                       \
    R( INSTPM,                0x0c0,  "masked" )                                                   \
    R( ACTHD_G2,              0x0c8,  "ACTHD of gen2 and gen3" )                                   \
    R( BB_OFFSET,             0x158,  "added to a batch address on request" )                      \
    R( CCID,                  0x180,  "context image in use" )                                     \
    R( SWCTRL,                0x200,  "copy engine, masked: Y tiles, bit 0 source, 1 destination" )\
    R( SEMA_WAIT_POLL,        0x24c,  "interval between polls of a semaphore" )                    \
    R( PS_DEPTH_COUNT,        0x350,  "64 bits; render" )                                          \
    R( TIMESTAMP,             0x358,  "64 bits, free-running" )                                    \
    R( PREDICATE_RESULT_SET,  0x3b8,  "MI_SET_PREDICATE_RESULT of gen12" )                         \
    R( PREDICATE_RESULT_2_G7_5, 0x214, "MI_PREDICATE_RESULT_2 of gen7.5" )                         \
    R( PREDICATE_RESULT_2,    0x3bc,  "MI_PREDICATE_RESULT_2 of gen8 and later" )                  \
    R( PREDICATE_SRC0,        0x400,  "64 bits" )                                                  \
    R( PREDICATE_SRC1,        0x408,  "64 bits" )                                                  \
    R( PREDICATE_DATA,        0x410,  "64 bits" )                                                  \
    R( PREDICATE_RESULT,      0x418,  "bit 0: the predicate" )                                     \
    R( PREDICATE_RESULT_1,    0x41c,  "bit 0: predicate of MI_BATCH_BUFFER_START" )                \
    R( FORCE_TO_NONPRIV,      0x4d0,  "12 grants: 25:2 register, 29:28 access, 1:0 range" )        \
    R( CS_GPR,                0x600,  "16 general registers of 64 bits" )

/* Operations of MI_MATH, which computes with 64 bits. An instruction word has the operation in bits
 * 31:20, and the two operands in bits 19:10 and 9:0. Column since: first generation. [MB] [GX] */
#define GPUCMD_I915_ALU_OPS(O)                                                                     \
    /*  name      code   since */                                                                  \
    O( NOOP,      0x000, 7_5 )                      O( FENCE_RD,  0x001, 12_5 )                    \
    O( FENCE_WR,  0x002, 12_5 )                     O( LOAD,      0x080, 7_5 )                     \
    O( LOAD0,     0x081, 7_5 )                      O( LOADIND,   0x082, 12_5 )                    \
    O( ADD,       0x100, 7_5 )                      O( SUB,       0x101, 7_5 )                     \
    O( AND,       0x102, 7_5 )                      O( OR,        0x103, 7_5 )                     \
    O( XOR,       0x104, 7_5 )                      O( SHL,       0x105, 12_5 )                    \
    O( SHR,       0x106, 12_5 )                     O( SAR,       0x107, 12_5 )                    \
    O( STORE,     0x180, 7_5 )                      O( STOREIND,  0x181, 12_5 )                    \
    O( LOADINV,   0x480, 7_5 )                      O( LOAD1,     0x481, 7_5 )                     \
    O( STOREINV,  0x580, 7_5 )

/* Rules of gpucmd_i915_check: name, severity and text of a finding. */
#define GPUCMD_I915_RULES(R)                                                                       \
    /*  rule            severity  text */                                                          \
    R( TRUNCATED,       ERROR,   "command passes the end of the batch" )                           \
    R( UNKNOWN,         ERROR,   "no such command" )                                               \
    R( GENERATION,      ERROR,   "generation does not have the command" )                          \
    R( ENGINE,          ERROR,   "engine does not have the command" )                              \
    R( LENGTH,          ERROR,   "wrong number of words" )                                         \
    R( NO_END,          ERROR,   "no MI_BATCH_BUFFER_END" )                                        \
    R( BATCH_ALIGN,     ERROR,   "batch address or length is not a multiple of 8" )                \
    R( PRIVILEGED,      WARNING, "a non-secure batch cannot execute all of the command" )          \
    R( REGISTER,        WARNING, "a non-secure batch cannot write the register" )                  \
    R( REGISTER_ALIGN,  ERROR,   "register offset is not 4-byte aligned, or too large" )           \
    R( ADDRESS_ALIGN,   ERROR,   "address is not aligned" )                                        \
    R( SELF_JUMP,       ERROR,   "jump to the start of its own batch" )                            \
    R( SECOND_LEVEL,    ERROR,   "second-level call in a ring or a second-level batch" )           \
    R( RESERVED,        WARNING, "reserved bits are set" )                                         \
    R( AFTER_END,       NOTE,    "words after MI_BATCH_BUFFER_END are not zero" )

/* States of a command streamer. [NOP] */
#define GPUCMD_I915_STATES(S)                                                                      \
    /*  name  meaning */                                                                           \
    S( RS0,   "idle, or before the next command of the ring" ) S( RS1,   "ring words fetched" )    \
    S( RS2,   "command of the ring parsed" ) S( RS3,   "command of the ring in execution" )        \
    S( RS4,   "data for the command of the ring fetched" ) S( RS5,   "error; needs a reset" )      \
    S( BS0,   "ACTHD set to the batch" )            S( BS1,   "batch words fetched" )              \
    S( BS2,   "command of the batch parsed" ) S( BS3,   "command of the batch in execution" )      \
    S( BS4,   "data for the command of the batch fetched" )

/* Errors that lead to state RS5. The article [NOP] defines no errors. [OUR] */
#define GPUCMD_I915_ERRORS(E)                                                                      \
    /*  name          text */                                                                      \
    E( NONE,          "none" )                                                                     \
    E( UNKNOWN,       "no such command on this engine" )                                           \
    E( TAIL,          "command passes TAIL or the end of the ring" )                               \
    E( FETCH,         "command in unmapped memory" )                                               \
    E( MEMORY,        "data in unmapped memory" )                                                  \
    E( LENGTH,        "too few words for the command" )                                            \
    E( OPERAND,       "operand without a defined meaning" )                                        \
    E( NESTING,       "batch started at a level that does not allow it" )                          \
    E( END_IN_RING,   "MI_BATCH_BUFFER_END in the ring" )                                          \
    E( CALLBACK,      "a callback failed" )

/* Commands, except 2D commands, that the executor executes. The second column is the end of the
 * name of the function that does it, after gpucmd_priv_i915_. */
#define GPUCMD_I915_EXECUTED(E)                                                                    \
    /*  command                          gpucmd_priv_i915_ */                                      \
    E( MI_NOOP,                          noop )                                                    \
    E( MI_SET_PREDICATE,                 set_predicate )                                           \
    E( MI_USER_INTERRUPT,                user_interrupt )                                          \
    E( MI_WAIT_FOR_EVENT,                wait_event )                                              \
    E( MI_FLUSH,                         no_effect )                                               \
    E( MI_WAIT_FOR_EVENT_2,              wait_event )                                              \
    E( MI_ARB_CHECK,                     no_effect )                                               \
    E( MI_RS_CONTROL,                    no_effect )                                               \
    E( MI_REPORT_HEAD,                   report_head )                                             \
    E( MI_ARB_ON_OFF,                    no_effect )                                               \
    E( MI_URB_ATOMIC_ALLOC,              no_effect )                                               \
    E( MI_MEM_FENCE,                     no_effect )                                               \
    E( MI_BATCH_BUFFER_END,              batch_buffer_end )                                        \
    E( MI_SUSPEND_FLUSH,                 no_effect )                                               \
    E( MI_PREDICATE,                     predicate )                                               \
    E( MI_RS_CONTEXT,                    no_effect )                                               \
    E( MI_SEMAPHORE_MBOX,                semaphore_mbox )                                          \
    E( MI_SET_CONTEXT,                   set_context )                                             \
    E( MI_URB_CLEAR,                     no_effect )                                               \
    E( MI_MATH,                          math )                                                    \
    E( MI_SEMAPHORE_SIGNAL,              semaphore_signal )                                        \
    E( MI_SEMAPHORE_WAIT,                semaphore_wait )                                          \
    E( MI_FORCE_WAKEUP,                  force_wakeup )                                            \
    E( MI_STORE_DATA_IMM,                store_data_imm )                                          \
    E( MI_STORE_DATA_INDEX,              store_data_index )                                        \
    E( MI_LOAD_REGISTER_IMM,             load_register_imm )                                       \
    E( MI_STORE_REGISTER_MEM,            store_register_mem )                                      \
    E( MI_FLUSH_DW,                      flush_dw )                                                \
    E( MI_CLFLUSH,                       no_effect )                                               \
    E( MI_REPORT_PERF_COUNT,             report_perf_count )                                       \
    E( MI_LOAD_REGISTER_MEM,             load_register_mem )                                       \
    E( MI_LOAD_REGISTER_REG,             load_register_reg )                                       \
    E( MI_RS_STORE_DATA_IMM,             rs_store_data_imm )                                       \
    E( MI_COPY_MEM_MEM,                  copy_mem_mem )                                            \
    E( MI_ATOMIC,                        atomic )                                                  \
    E( MI_BATCH_BUFFER,                  batch_buffer )                                            \
    E( MI_BATCH_BUFFER_START,            batch_buffer_start )                                      \
    E( MI_CONDITIONAL_BATCH_BUFFER_END,  conditional_end )                                         \
    E( PIPE_CONTROL,                     pipe_control )

/* The 2D commands that the executor executes. The second column is the end of the name of the
 * function that does it, after gpucmd_priv_i915_; the third column is its arguments. */
#define GPUCMD_I915_EXECUTED_2D(E)                                                                 \
    /*  command                          gpucmd_priv_i915_  arguments */                           \
    E( XY_SETUP_BLT,                     setup_blt,         (x, false) )                           \
    E( XY_SETUP_CLIP_BLT,                setup_clip_blt,    (x) )                                  \
    E( XY_SETUP_MONO_PATTERN_SL_BLT,     setup_blt,         (x, true) )                            \
    E( XY_PIXEL_BLT,                     pixel_blt,         (x) )                                  \
    E( XY_SCANLINES_BLT,                 scanlines_blt,     (x) )                                  \
    E( XY_TEXT_BLT,                      text_blt,          (x, 0) )                               \
    E( XY_TEXT_IMMEDIATE_BLT,            text_blt,          (x, 3) )                               \
    E( COLOR_BLT,                        byte_blt,          (x, false) )                           \
    E( XY_BLOCK_COPY_BLT,                block_copy,        (x) )                                  \
    E( XY_FAST_COPY_BLT,                 fast_copy,         (x) )                                  \
    E( SRC_COPY_BLT,                     byte_blt,          (x, true) )                            \
    E( XY_FAST_COLOR_BLT,                fast_color,        (x) )                                  \
    E( XY_COLOR_BLT,                     xy_blt,            (x, false) )                           \
    E( XY_SRC_COPY_BLT,                  xy_blt,            (x, true) )                            \
    E( MEM_COPY,                         mem_copy,          (x) )                                  \
    E( MEM_SET,                          mem_set,           (x) )

/* 2D commands that gpucmd_priv_i915_parts_blt executes. Their rows in GPUCMD_I915_BLTS list the
 * parts (operands) of each command; one function for all of them reads these parts. */
#define GPUCMD_I915_EXECUTED_PARTS(E)                                                              \
    E( XY_PAT_BLT )                                 E( XY_MONO_PAT_BLT )                           \
    E( XY_MONO_SRC_COPY_BLT )                       E( XY_FULL_BLT )                               \
    E( XY_FULL_MONO_SRC_BLT )                       E( XY_FULL_MONO_PATTERN_BLT )                  \
    E( XY_FULL_MONO_PATTERN_MONO_SRC_BLT )          E( XY_MONO_SRC_COPY_IMMEDIATE_BLT )            \
    E( XY_PAT_BLT_IMMEDIATE )                       E( XY_FULL_IMMEDIATE_PATTERN_BLT )             \
    E( XY_FULL_MONO_SRC_IMMEDIATE_PATTERN_BLT )     E( XY_MONO_PAT_FIXED_BLT )                     \
    E( XY_SRC_COPY_CHROMA_BLT )                     E( XY_PAT_CHROMA_BLT )                         \
    E( XY_PAT_CHROMA_BLT_IMMEDIATE )

/* Commands that the executor does not execute, but passes to the callback. */
#define GPUCMD_I915_NOT_EXECUTED(E)                                                                \
    E( MI_TOPOLOGY_FILTER )                         E( MI_SET_APPID )                              \
    E( MI_OVERLAY_FLIP )                            E( MI_LOAD_SCAN_LINES_INCL )                   \
    E( MI_LOAD_SCAN_LINES_EXCL )                    E( MI_DISPLAY_FLIP )                           \
    E( MI_VERTEX_BUFFER )                           E( MI_UPDATE_GTT )                             \
    E( MI_LOAD_URB_MEM )                            E( MI_STORE_URB_MEM )                          \
    E( GSC_HECI_CMD_PKT )                           E( GSC_FW_LOAD )                               \
    E( XY_CTRL_SURF_COPY_BLT )

/* Structures as the kernel has them. S begins struct gpucmd_<name>. F, A (array) and U (union) are
 * members with their byte offset. E ends the structure with its size in bytes. [UAPI] */
#define GPUCMD_I915_STRUCTS(S, F, A, U, E)                                                         \
    S(drm_gem_close) F(u32, handle, 0) F(u32, pad, 4) E(drm_gem_close, 8)                          \
    S(drm_i915_gem_create)                                                                         \
        F(u64, size, 0) /* in and out: size in bytes */ F(u32, handle, 8) F(u32, pad, 12)          \
        E(drm_i915_gem_create, 16)                                                                 \
    S(drm_i915_gem_pread)                                                                          \
        F(u32, handle, 0) F(u32, pad, 4) F(u64, offset, 8) F(u64, size, 16) F(u64, data_ptr, 24)   \
        E(drm_i915_gem_pread, 32)                                                                  \
    S(drm_i915_gem_pwrite)                                                                         \
        F(u32, handle, 0) F(u32, pad, 4) F(u64, offset, 8) F(u64, size, 16) F(u64, data_ptr, 24)   \
        E(drm_i915_gem_pwrite, 32)                                                                 \
    S(drm_i915_gem_busy) F(u32, handle, 0) F(u32, busy, 4) E(drm_i915_gem_busy, 8)                 \
    S(drm_i915_gem_wait)                                                                           \
        F(u32, bo_handle, 0) F(u32, flags, 4) F(s64, timeout_ns, 8) E(drm_i915_gem_wait, 16)       \
    S(drm_i915_gem_set_domain)                                                                     \
        F(u32, handle, 0) F(u32, read_domains, 4) F(u32, write_domain, 8)                          \
        E(drm_i915_gem_set_domain, 12)                                                             \
    S(drm_i915_getparam)                                                                           \
        F(s32, param, 0) F(u32, pad, 4) F(u64, value, 8) /* address */ E(drm_i915_getparam, 16)    \
    S(drm_i915_gem_exec_object2)                                                                   \
        F(u32, handle, 0) F(u32, relocation_count, 4)                                              \
        F(u64, relocs_ptr, 8)      /* address of gem_relocation_entry[relocation_count] */         \
        F(u64, alignment, 16)      /* power of two that divides the address; 0: 4096 */            \
        F(u64, offset, 24)         /* in: presumed or pinned address; out: address */              \
        F(u64, flags, 32)          /* GPUCMD_EXEC_OBJECT_* */                                      \
        F(u64, rsvd1, 40)          /* with PAD_TO_SIZE: size in bytes to reserve */                \
        F(u64, rsvd2, 48) E(drm_i915_gem_exec_object2, 56)                                         \
    S(drm_i915_gem_relocation_entry)                                                               \
        F(u32, target_handle, 0)   /* handle; with HANDLE_LUT: index in the list */                \
        F(u32, delta, 4)           /* signed number of bytes to add to the address */              \
        F(u64, offset, 8)          /* byte offset, in the object, of the address to patch */       \
        F(u64, presumed_offset, 16) F(u32, read_domains, 24) F(u32, write_domain, 28)              \
        E(drm_i915_gem_relocation_entry, 32)                                                       \
    S(drm_i915_gem_execbuffer2)                                                                    \
        F(u64, buffers_ptr, 0)     /* address of gem_exec_object2[buffer_count] */                 \
        F(u32, buffer_count, 8) F(u32, batch_start_offset, 12)                                     \
        F(u32, batch_len, 16)      /* size in bytes; 0: up to the end of the object */             \
        F(u32, DR1, 20) F(u32, DR4, 24) F(u32, num_cliprects, 28)                                  \
        F(u64, cliprects_ptr, 32)  /* FENCE_ARRAY: address of gem_exec_fence[num_cliprects] */     \
        F(u64, flags, 40)          /* GPUCMD_I915_EXEC_* */                                        \
        F(u64, rsvd1, 48)          /* context id */                                                \
        F(u64, rsvd2, 56)          /* sync file fds. FENCE_IN: bits 31:0, FENCE_OUT: 63:32 */      \
        E(drm_i915_gem_execbuffer2, 64)                                                            \
    S(drm_i915_gem_exec_fence)                                                                     \
        F(u32, handle, 0) F(u32, flags, 4) /* flags: GPUCMD_I915_EXEC_FENCE_WAIT, _SIGNAL */       \
        E(drm_i915_gem_exec_fence, 8)                                                              \
    S(i915_user_extension)                                                                         \
        F(u64, next_extension, 0)  /* address of the next extension; 0: none */                    \
        F(u32, name, 8) F(u32, flags, 12) A(u32, rsvd, 4, 16) E(i915_user_extension, 32)           \
    /* Extension number 0. With USE_EXTENSIONS cliprects_ptr points to the first extension. */     \
    S(drm_i915_gem_execbuffer_ext_timeline_fences)                                                 \
        F(i915_user_extension, base, 0) F(u64, fence_count, 32)                                    \
        F(u64, handles_ptr, 40)    /* address of gem_exec_fence[fence_count] */                    \
        F(u64, values_ptr, 48)     /* address of uint64_t[fence_count], the points; 0: none */     \
        E(drm_i915_gem_execbuffer_ext_timeline_fences, 56)

/* ioctls that the model kernel answers with gpucmd_priv_i915_ioctl_<third column>. [UAPI] */
#define GPUCMD_I915_IOCTLS(I)                                                                      \
    /*  name                      argument      gpucmd_priv_i915_ioctl_ */                         \
    I( GEM_CLOSE,                 gem_close,    gem_close )                                        \
    I( I915_GEM_BUSY,             gem_busy,     gem_busy )                                         \
    I( I915_GEM_CREATE,           gem_create,   gem_create )                                       \
    I( I915_GEM_PREAD,            gem_pread,    gem_pread )                                        \
    I( I915_GEM_PWRITE,           gem_pwrite,   gem_pwrite )                                       \
    I( I915_GEM_SET_DOMAIN,       gem_domain,   gem_set_domain )                                   \
    I( I915_GEM_EXECBUFFER2,      execbuffer2,  execbuffer2 )                                      \
    I( I915_GEM_EXECBUFFER2_WR,   execbuffer2,  execbuffer2 )                                      \
    I( I915_GEM_WAIT,             gem_wait,     gem_wait )

/* ioctls that the model kernel does not answer, but whose number and structure this header has. */
#define GPUCMD_I915_IOCTLS_NOT_ANSWERED(I)                                                         \
    I( I915_GETPARAM )

/* Tables of the model kernel: members of gpucmd_i915_kernel. Column count: the member with the
 * number of rows. Column store: the number of rows in a gpucmd_i915_kernel_store. */
#define GPUCMD_I915_KERNEL_TABLES(T)                                                               \
    /*  name         member       count             type                         store */          \
    T( OBJECTS,      objects,     object_count,     gpucmd_i915_object,          64 )              \
    T( VMAS,         vmas,        vma_count,        gpucmd_i915_vma,             64 )              \
    T( VMS,          vms,         vm_count,         gpucmd_i915_vm,              8 )               \
    T( CONTEXTS,     contexts,    context_count,    gpucmd_i915_context,         16 )              \
    T( LIST,         list,        list_cap,         gpucmd_layout_drm_i915_gem_exec_object2, 64 )  \
    T( SYNCOBJS,     syncobjs,    syncobj_count,    gpucmd_i915_syncobj,         16 )              \
    T( SYNC_FILES,   sync_files,  sync_file_count,  gpucmd_i915_sync_file,       16 )
/* clang-format on */

enum {
    GPUCMD_I915_ALU_OP_HI = 31,
    GPUCMD_I915_ALU_OP_LO = 20,
    GPUCMD_I915_ALU_OPERAND1_HI = 19,
    GPUCMD_I915_ALU_OPERAND1_LO = 10,
    GPUCMD_I915_ALU_OPERAND2_HI = 9,
    GPUCMD_I915_ALU_OPERAND2_LO = 0,
    GPUCMD_I915_ALU_SRCA = 0x20,
    GPUCMD_I915_ALU_SRCB = 0x21,
    GPUCMD_I915_ALU_ACCU = 0x31,
    GPUCMD_I915_ALU_ZF = 0x32,
    GPUCMD_I915_ALU_CF = 0x33,
};

/* Comparisons of MI_SEMAPHORE_WAIT, and on gen12 and later of MI_CONDITIONAL_BATCH_BUFFER_END. The
 * left operand is memory, the right operand is the value in the command. [GX] */
enum {
    GPUCMD_I915_COMPARE_GT = 0,
    GPUCMD_I915_COMPARE_GE = 1,
    GPUCMD_I915_COMPARE_LT = 2,
    GPUCMD_I915_COMPARE_LE = 3,
    GPUCMD_I915_COMPARE_EQ = 4,
    GPUCMD_I915_COMPARE_NE = 5,
};

/* Operations that PIPE_CONTROL and MI_FLUSH_DW perform after their flushes. [GX] */
enum {
    GPUCMD_I915_POST_SYNC_NONE = 0,
    GPUCMD_I915_POST_SYNC_IMMEDIATE = 1,
    GPUCMD_I915_POST_SYNC_DEPTH_COUNT = 2,
    GPUCMD_I915_POST_SYNC_TIMESTAMP = 3,
};

/* Values of the field TYPE of MI_MEM_FENCE. [GX] [CR] */
enum {
    GPUCMD_I915_MEM_FENCE_RELEASE = 0,
    GPUCMD_I915_MEM_FENCE_ACQUIRE = 1,
    GPUCMD_I915_MEM_FENCE_MI_WRITE = 3,
};

/* ==== [I915.CONST] ========================================================================= */

#define GPUCMD_I915_PRIV_GEN(name, number, text, parts) GPUCMD_I915_GEN##name = number,
typedef enum gpucmd_i915_gen { GPUCMD_I915_GENS(GPUCMD_I915_PRIV_GEN) } gpucmd_i915_gen;
#undef GPUCMD_I915_PRIV_GEN

#define GPUCMD_I915_PRIV_ENGINE(name, text, bit, since) GPUCMD_I915_##name = bit,
typedef enum gpucmd_i915_engine { GPUCMD_I915_ENGINES(GPUCMD_I915_PRIV_ENGINE) } gpucmd_i915_engine;
#undef GPUCMD_I915_PRIV_ENGINE

#define GPUCMD_I915_PRIV_REG(name, off, meaning) GPUCMD_I915_REG_##name = off,
enum { GPUCMD_I915_RING_REGS(GPUCMD_I915_PRIV_REG) };
#undef GPUCMD_I915_PRIV_REG

#define GPUCMD_I915_PRIV_ALU(name, code, since) GPUCMD_I915_ALU_##name = code,
enum { GPUCMD_I915_ALU_OPS(GPUCMD_I915_PRIV_ALU) };
#undef GPUCMD_I915_PRIV_ALU

/* Numbers of commands. GFX is any 3D, media or video command; only its length is known. */
#define GPUCMD_I915_PRIV_OP(x, name, ...) GPUCMD_I915_OP_##name,
typedef enum gpucmd_i915_op {
    GPUCMD_I915_OP_UNKNOWN,
    GPUCMD_I915_OP_GFX,
    GPUCMD_I915_COMMANDS(GPUCMD_I915_PRIV_OP, )
} gpucmd_i915_op;
#undef GPUCMD_I915_PRIV_OP

/* Constants of each command. GPUCMD_I915_HDR_<command> is its first word. GPUCMD_I915_<command>_DW
 * is its size in words, if the size is constant. GPUCMD_I915_PRIV_LIMITS_<command>:
 *   bits 8:0 and 17:9   first and last generation
 *   bits 21:18          words of the shortest form before gen8
 *   bits 25:22, 30:26   words of the shortest and of the longest form of gen8 and
 *                       later (31: 31 or more) */
#define GPUCMD_I915_PRIV_SIZE_FIX(x, n) x##_DW = n,
#define GPUCMD_I915_PRIV_SIZE_LEN(x, n) x##_LEN_DW = n,
#define GPUCMD_I915_PRIV_SIZE_GEN(x, n)
#define GPUCMD_I915_PRIV_SIZE_N(x, n)
#define GPUCMD_I915_PRIV_SIZE_GEN_N(x, n)
#define GPUCMD_I915_PRIV_SIZE_BLT(x, n)
#define GPUCMD_I915_PRIV_HEAD(x, name, hdr, since, until, who, len, a, b, c, d, priv, words, size) \
    GPUCMD_I915_HDR_##name = hdr,                                                                  \
    GPUCMD_I915_PRIV_LIMITS_##name = GPUCMD_I915_GEN##since | GPUCMD_I915_GEN##until << 9 |        \
                                     a << 18 | c << 22 | (d < 31 ? d : 31) << 26,                  \
    GPUCMD_I915_PRIV_SIZE_##size(GPUCMD_I915_##name, a | (a == 0) * c)
#define GPUCMD_I915_PRIV_FORM(name, command, size, n)                                              \
    GPUCMD_I915_PRIV_SIZE_##size(GPUCMD_I915_##name, n)
enum { GPUCMD_I915_COMMANDS(GPUCMD_I915_PRIV_HEAD, ) GPUCMD_I915_FORMS(GPUCMD_I915_PRIV_FORM) };
#undef GPUCMD_I915_PRIV_FORM
#undef GPUCMD_I915_PRIV_HEAD
#undef GPUCMD_I915_PRIV_SIZE_BLT
#undef GPUCMD_I915_PRIV_SIZE_GEN_N
#undef GPUCMD_I915_PRIV_SIZE_N
#undef GPUCMD_I915_PRIV_SIZE_GEN
#undef GPUCMD_I915_PRIV_SIZE_LEN
#undef GPUCMD_I915_PRIV_SIZE_FIX

#define GPUCMD_I915_PRIV_FIELD(x, name, dw, hi, lo, since, until)                                  \
    GPUCMD_I915##x##_##name##_BITS = hi * 32 + lo,
enum { GPUCMD_I915_FIELD_NAMES(GPUCMD_I915_PRIV_FIELD) };
#undef GPUCMD_I915_PRIV_FIELD

/* GPUCMD_I915_BITS(MI_ATOMIC_OPCODE) is the mask of a field. GPUCMD_I915_PUT(MI_ATOMIC_OPCODE, 7)
 * is a value shifted into a field. GPUCMD_I915_GET(MI_ATOMIC_OPCODE, dw) is the value of a field in
 * the word dw. Each field has only one constant, <field>_BITS = 32 * hi + lo, because more
 * constants would make the header slow to include. */
#define GPUCMD_I915_PRIV_MASK(hi, lo) ((2u << (hi)) - (1u << (lo)))
#define GPUCMD_I915_BITS(f)                                                                        \
    GPUCMD_I915_PRIV_MASK(GPUCMD_I915_##f##_BITS / 32, GPUCMD_I915_##f##_BITS & 31)
#define GPUCMD_I915_PUT(f, v) ((uint32_t)(v) << (GPUCMD_I915_##f##_BITS & 31))
#define GPUCMD_I915_GET(f, dw)                                                                     \
    (((uint32_t)(dw) >> (GPUCMD_I915_##f##_BITS & 31)) &                                           \
     GPUCMD_I915_PRIV_MASK(GPUCMD_I915_##f##_BITS / 32 - (GPUCMD_I915_##f##_BITS & 31), 0))

/* One instruction word of MI_MATH, as a constant expression. op is a GPUCMD_I915_ALU_*. */
#define GPUCMD_I915_ALU(op, operand1, operand2)                                                    \
    (GPUCMD_FIELD_CONST(I915_ALU_OP, op) + GPUCMD_FIELD_CONST(I915_ALU_OPERAND1, operand1) +       \
     GPUCMD_FIELD_CONST(I915_ALU_OPERAND2, operand2))

/* GPUCMD_I915_PRIV_LEGAL: mask of the fields that command `name` has in generation gen, in the word
 * with number `at` (a literal). GPUCMD_I915_PRIV_ANY_ROW: mask of one field. */
#define GPUCMD_I915_PRIV_LEGAL_ROW(gen, name, dw, hi, lo, since, until)                            \
    | gpucmd_priv_i915_own(gen, GPUCMD_I915_GEN##since, GPUCMD_I915_GEN##until, hi, lo)
#define GPUCMD_I915_PRIV_LEGAL(name, gen, at)                                                      \
    (0u GPUCMD_I915_##name##_BITS##at(GPUCMD_I915_PRIV_LEGAL_ROW, gen))
#define GPUCMD_I915_PRIV_ANY_ROW(x, name, dw, hi, lo, since, until) | GPUCMD_I915_PRIV_MASK(hi, lo)

/* DW0 of command `name`, with flags and a length field. GPUCMD_I915_PRIV_...
 *   HDR, CONST, SIZED   the length is len_dw
 *   DW0, FIX            the length is <command>_DW
 *   DW0_BY, BY          the length is <command>_DW(by)
 * CONST, SIZED, FIX and BY are constant expressions. They do not compile if flags sets bits that
 * belong to no field. */
#define GPUCMD_I915_PRIV_LEN_FIELD(len_dw) ((uint32_t)((len_dw) > 1 ? (len_dw)-2 : 0))
#define GPUCMD_I915_PRIV_HDR(name, flags, len_dw)                                                  \
    ((uint32_t)GPUCMD_I915_HDR_##name + GPUCMD_I915_PRIV_LEN_FIELD(len_dw) + (flags))
#define GPUCMD_I915_PRIV_DW0(name, flags)                                                          \
    ((uint32_t)GPUCMD_I915_HDR_##name + GPUCMD_I915_PRIV_LEN_FIELD(GPUCMD_I915_##name##_DW) +      \
     (flags))
#define GPUCMD_I915_PRIV_DW0_BY(name, flags, by)                                                   \
    ((uint32_t)GPUCMD_I915_HDR_##name + GPUCMD_I915_PRIV_LEN_FIELD(GPUCMD_I915_##name##_DW(by)) +  \
     (flags))
#define GPUCMD_I915_PRIV_CONST(hdr, any, flags, len_dw)                                            \
    ((uint32_t)(hdr) + GPUCMD_I915_PRIV_LEN_FIELD(len_dw) + (uint32_t)(flags) +                    \
     GPUCMD_PRIV_REQUIRE(((uint32_t)(flags) & ~(any)) == 0))
#define GPUCMD_I915_PRIV_SIZED(name, flags, len_dw)                                                \
    GPUCMD_I915_PRIV_CONST(GPUCMD_I915_HDR_##name,                                                 \
                           (0u GPUCMD_I915_##name##_BITS0(GPUCMD_I915_PRIV_ANY_ROW, 0)), flags,    \
                           len_dw)
#define GPUCMD_I915_PRIV_FIX(name, flags)                                                          \
    GPUCMD_I915_PRIV_CONST(GPUCMD_I915_HDR_##name,                                                 \
                           (0u GPUCMD_I915_##name##_BITS0(GPUCMD_I915_PRIV_ANY_ROW, 0)), flags,    \
                           GPUCMD_I915_##name##_DW)
#define GPUCMD_I915_PRIV_BY(name, by, flags)                                                       \
    GPUCMD_I915_PRIV_CONST(GPUCMD_I915_HDR_##name,                                                 \
                           (0u GPUCMD_I915_##name##_BITS0(GPUCMD_I915_PRIV_ANY_ROW, 0)), flags,    \
                           GPUCMD_I915_##name##_DW(by))

/* Length in words of the shortest form of command `name` in generation gen. */
#define GPUCMD_I915_PRIV_SHORTEST(name, gen)                                                       \
    (GPUCMD_I915_PRIV_LIMITS_##name >> ((gen) < GPUCMD_I915_GEN8 ? 18 : 22) & 15)

/* GPUCMD_I915_<command>_DW is the size of a command in words, and GPUCMD_I915_<command>(flags) is
 * its DW0 as a constant. If the size depends on the generation or on a number of data words, both
 * macros take gen, n or both first. The size of MI_FLUSH is called MI_FLUSH_LEN_DW, because
 * MI_FLUSH_DW is a command. For 2D commands use GPUCMD_I915_BLT_DW and GPUCMD_I915_BLT. */
#define GPUCMD_I915_MI_NOOP(flags)           GPUCMD_I915_PRIV_FIX(MI_NOOP, flags)
#define GPUCMD_I915_MI_SET_PREDICATE(flags)  GPUCMD_I915_PRIV_FIX(MI_SET_PREDICATE, flags)
#define GPUCMD_I915_MI_USER_INTERRUPT(flags) GPUCMD_I915_PRIV_FIX(MI_USER_INTERRUPT, flags)
#define GPUCMD_I915_MI_WAIT_FOR_EVENT(flags) GPUCMD_I915_PRIV_FIX(MI_WAIT_FOR_EVENT, flags)
#define GPUCMD_I915_MI_FLUSH(flags)                                                                \
    GPUCMD_I915_PRIV_SIZED(MI_FLUSH, flags, GPUCMD_I915_MI_FLUSH_LEN_DW)
#define GPUCMD_I915_MI_WAIT_FOR_EVENT_2(flags) GPUCMD_I915_PRIV_FIX(MI_WAIT_FOR_EVENT_2, flags)
#define GPUCMD_I915_MI_ARB_CHECK(flags)        GPUCMD_I915_PRIV_FIX(MI_ARB_CHECK, flags)
#define GPUCMD_I915_MI_RS_CONTROL(flags)       GPUCMD_I915_PRIV_FIX(MI_RS_CONTROL, flags)
#define GPUCMD_I915_MI_REPORT_HEAD(flags)      GPUCMD_I915_PRIV_FIX(MI_REPORT_HEAD, flags)
#define GPUCMD_I915_MI_ARB_ON_OFF(flags)       GPUCMD_I915_PRIV_FIX(MI_ARB_ON_OFF, flags)
#define GPUCMD_I915_MI_URB_ATOMIC_ALLOC(flags) GPUCMD_I915_PRIV_FIX(MI_URB_ATOMIC_ALLOC, flags)
#define GPUCMD_I915_MI_MEM_FENCE(flags)        GPUCMD_I915_PRIV_FIX(MI_MEM_FENCE, flags)
#define GPUCMD_I915_MI_BATCH_BUFFER_END(flags) GPUCMD_I915_PRIV_FIX(MI_BATCH_BUFFER_END, flags)
#define GPUCMD_I915_MI_SUSPEND_FLUSH(flags)    GPUCMD_I915_PRIV_FIX(MI_SUSPEND_FLUSH, flags)
#define GPUCMD_I915_MI_PREDICATE(flags)        GPUCMD_I915_PRIV_FIX(MI_PREDICATE, flags)
#define GPUCMD_I915_MI_TOPOLOGY_FILTER(flags)  GPUCMD_I915_PRIV_FIX(MI_TOPOLOGY_FILTER, flags)
#define GPUCMD_I915_MI_SET_APPID(flags)        GPUCMD_I915_PRIV_FIX(MI_SET_APPID, flags)
#define GPUCMD_I915_MI_RS_CONTEXT(flags)       GPUCMD_I915_PRIV_FIX(MI_RS_CONTEXT, flags)
#define GPUCMD_I915_MI_OVERLAY_FLIP(flags)     GPUCMD_I915_PRIV_FIX(MI_OVERLAY_FLIP, flags)
#define GPUCMD_I915_MI_LOAD_SCAN_LINES_INCL(flags)                                                 \
    GPUCMD_I915_PRIV_FIX(MI_LOAD_SCAN_LINES_INCL, flags)
#define GPUCMD_I915_MI_LOAD_SCAN_LINES_EXCL(flags)                                                 \
    GPUCMD_I915_PRIV_FIX(MI_LOAD_SCAN_LINES_EXCL, flags)
#define GPUCMD_I915_MI_DISPLAY_FLIP_DW(gen)                                                        \
    ((gen) >= GPUCMD_I915_GEN4 && (gen) <= GPUCMD_I915_GEN6 ? 4 : 3)
#define GPUCMD_I915_MI_DISPLAY_FLIP_STEREO_DW   4
#define GPUCMD_I915_MI_DISPLAY_FLIP(gen, flags) GPUCMD_I915_PRIV_BY(MI_DISPLAY_FLIP, gen, flags)
#define GPUCMD_I915_MI_SEMAPHORE_MBOX(flags)    GPUCMD_I915_PRIV_FIX(MI_SEMAPHORE_MBOX, flags)
#define GPUCMD_I915_MI_VERTEX_BUFFER(flags)     GPUCMD_I915_PRIV_FIX(MI_VERTEX_BUFFER, flags)
#define GPUCMD_I915_MI_SET_CONTEXT(flags)       GPUCMD_I915_PRIV_FIX(MI_SET_CONTEXT, flags)
#define GPUCMD_I915_MI_URB_CLEAR(flags)         GPUCMD_I915_PRIV_FIX(MI_URB_CLEAR, flags)
#define GPUCMD_I915_MI_MATH_DW(n)               (1 + (n))
#define GPUCMD_I915_MI_MATH(n, flags)           GPUCMD_I915_PRIV_BY(MI_MATH, n, flags)
#define GPUCMD_I915_MI_SEMAPHORE_SIGNAL(flags)  GPUCMD_I915_PRIV_FIX(MI_SEMAPHORE_SIGNAL, flags)
#define GPUCMD_I915_MI_SEMAPHORE_WAIT(flags)    GPUCMD_I915_PRIV_FIX(MI_SEMAPHORE_WAIT, flags)
#define GPUCMD_I915_MI_SEMAPHORE_WAIT_TOKEN(flags)                                                 \
    GPUCMD_I915_PRIV_SIZED(MI_SEMAPHORE_WAIT, flags, GPUCMD_I915_MI_SEMAPHORE_WAIT_TOKEN_DW)
#define GPUCMD_I915_MI_FORCE_WAKEUP(flags)        GPUCMD_I915_PRIV_FIX(MI_FORCE_WAKEUP, flags)
#define GPUCMD_I915_MI_STORE_DATA_IMM_DW(gen)     ((gen) >= GPUCMD_I915_GEN4 ? 4 : 3)
#define GPUCMD_I915_MI_STORE_DATA_IMM(gen, flags) GPUCMD_I915_PRIV_BY(MI_STORE_DATA_IMM, gen, flags)
#define GPUCMD_I915_MI_STORE_DATA_IMM_QW_DW(gen)  ((gen) >= GPUCMD_I915_GEN4 ? 5 : 0)
#define GPUCMD_I915_MI_STORE_DATA_IMM_QW(gen, flags)                                               \
    GPUCMD_I915_PRIV_SIZED(                                                                        \
        MI_STORE_DATA_IMM,                                                                         \
        (flags) | ((gen) >= GPUCMD_I915_GEN8 ? GPUCMD_I915_BITS(MI_STORE_DATA_IMM_QWORD) : 0), 5)
#define GPUCMD_I915_MI_STORE_DATA_IMM_WORDS_DW(n) (3 + (n))
#define GPUCMD_I915_MI_STORE_DATA_IMM_WORDS(n, flags)                                              \
    GPUCMD_I915_PRIV_SIZED(MI_STORE_DATA_IMM, flags, 3 + (n))
#define GPUCMD_I915_MI_STORE_DATA_INDEX(flags) GPUCMD_I915_PRIV_FIX(MI_STORE_DATA_INDEX, flags)
#define GPUCMD_I915_MI_STORE_DATA_INDEX_QW(flags)                                                  \
    GPUCMD_I915_PRIV_SIZED(MI_STORE_DATA_INDEX, flags, GPUCMD_I915_MI_STORE_DATA_INDEX_QW_DW)
#define GPUCMD_I915_MI_LOAD_REGISTER_IMM_DW(n) (1 + 2 * (n))
#define GPUCMD_I915_MI_LOAD_REGISTER_IMM(n, flags)                                                 \
    GPUCMD_I915_PRIV_BY(MI_LOAD_REGISTER_IMM, n, flags)
#define GPUCMD_I915_MI_LOAD_REGISTER_IMM1(flags)                                                   \
    GPUCMD_I915_PRIV_SIZED(MI_LOAD_REGISTER_IMM, flags, GPUCMD_I915_MI_LOAD_REGISTER_IMM1_DW)
#define GPUCMD_I915_MI_UPDATE_GTT_DW(n)     (2 + (n))
#define GPUCMD_I915_MI_UPDATE_GTT(n, flags) GPUCMD_I915_PRIV_BY(MI_UPDATE_GTT, n, flags)
#define GPUCMD_I915_MI_STORE_REGISTER_MEM_DW(gen)                                                  \
    GPUCMD_I915_PRIV_SHORTEST(MI_STORE_REGISTER_MEM, gen)
#define GPUCMD_I915_MI_STORE_REGISTER_MEM(gen, flags)                                              \
    GPUCMD_I915_PRIV_BY(MI_STORE_REGISTER_MEM, gen, flags)
#define GPUCMD_I915_MI_FLUSH_DW_DW(gen)     ((gen) >= GPUCMD_I915_GEN8 ? 4 : 3)
#define GPUCMD_I915_MI_FLUSH_DW(gen, flags) GPUCMD_I915_PRIV_BY(MI_FLUSH_DW, gen, flags)
#define GPUCMD_I915_MI_FLUSH_DW_QW_DW(gen)  (GPUCMD_I915_MI_FLUSH_DW_DW(gen) + 1)
#define GPUCMD_I915_MI_FLUSH_DW_QW(gen, flags)                                                     \
    GPUCMD_I915_PRIV_SIZED(MI_FLUSH_DW, flags, GPUCMD_I915_MI_FLUSH_DW_QW_DW(gen))
#define GPUCMD_I915_MI_FLUSH_DW_SHORT(flags) GPUCMD_I915_PRIV_SIZED(MI_FLUSH_DW, flags, 3)
#define GPUCMD_I915_MI_CLFLUSH_DW(gen, n)    (((gen) >= GPUCMD_I915_GEN7 ? 3 : 2) + (n))
#define GPUCMD_I915_MI_CLFLUSH(gen, n, flags)                                                      \
    GPUCMD_I915_PRIV_SIZED(MI_CLFLUSH, flags, GPUCMD_I915_MI_CLFLUSH_DW(gen, n))
#define GPUCMD_I915_MI_REPORT_PERF_COUNT_DW(gen)                                                   \
    GPUCMD_I915_PRIV_SHORTEST(MI_REPORT_PERF_COUNT, gen)
#define GPUCMD_I915_MI_REPORT_PERF_COUNT(gen, flags)                                               \
    GPUCMD_I915_PRIV_BY(MI_REPORT_PERF_COUNT, gen, flags)
#define GPUCMD_I915_MI_LOAD_REGISTER_MEM_DW(gen)                                                   \
    GPUCMD_I915_PRIV_SHORTEST(MI_LOAD_REGISTER_MEM, gen)
#define GPUCMD_I915_MI_LOAD_REGISTER_MEM(gen, flags)                                               \
    GPUCMD_I915_PRIV_BY(MI_LOAD_REGISTER_MEM, gen, flags)
#define GPUCMD_I915_MI_LOAD_REGISTER_REG(flags)  GPUCMD_I915_PRIV_FIX(MI_LOAD_REGISTER_REG, flags)
#define GPUCMD_I915_MI_RS_STORE_DATA_IMM(flags)  GPUCMD_I915_PRIV_FIX(MI_RS_STORE_DATA_IMM, flags)
#define GPUCMD_I915_MI_LOAD_URB_MEM_DW(gen)      GPUCMD_I915_PRIV_SHORTEST(MI_LOAD_URB_MEM, gen)
#define GPUCMD_I915_MI_LOAD_URB_MEM(gen, flags)  GPUCMD_I915_PRIV_BY(MI_LOAD_URB_MEM, gen, flags)
#define GPUCMD_I915_MI_STORE_URB_MEM_DW(gen)     GPUCMD_I915_PRIV_SHORTEST(MI_STORE_URB_MEM, gen)
#define GPUCMD_I915_MI_STORE_URB_MEM(gen, flags) GPUCMD_I915_PRIV_BY(MI_STORE_URB_MEM, gen, flags)
#define GPUCMD_I915_MI_COPY_MEM_MEM(flags)       GPUCMD_I915_PRIV_FIX(MI_COPY_MEM_MEM, flags)
#define GPUCMD_I915_MI_ATOMIC(flags)             GPUCMD_I915_PRIV_FIX(MI_ATOMIC, flags)
#define GPUCMD_I915_MI_ATOMIC_INLINE(flags)                                                        \
    GPUCMD_I915_PRIV_SIZED(MI_ATOMIC, (flags) | GPUCMD_I915_BITS(MI_ATOMIC_INLINE), 11)
#define GPUCMD_I915_MI_BATCH_BUFFER(flags) GPUCMD_I915_PRIV_FIX(MI_BATCH_BUFFER, flags)
#define GPUCMD_I915_MI_BATCH_BUFFER_START_DW(gen)                                                  \
    GPUCMD_I915_PRIV_SHORTEST(MI_BATCH_BUFFER_START, gen)
#define GPUCMD_I915_MI_BATCH_BUFFER_START(gen, flags)                                              \
    GPUCMD_I915_PRIV_BY(MI_BATCH_BUFFER_START, gen, flags)
#define GPUCMD_I915_MI_CONDITIONAL_BATCH_BUFFER_END_DW(gen)                                        \
    GPUCMD_I915_PRIV_SHORTEST(MI_CONDITIONAL_BATCH_BUFFER_END, gen)
#define GPUCMD_I915_MI_CONDITIONAL_BATCH_BUFFER_END(gen, flags)                                    \
    GPUCMD_I915_PRIV_BY(MI_CONDITIONAL_BATCH_BUFFER_END, gen, flags)
#define GPUCMD_I915_GSC_HECI_CMD_PKT(flags) GPUCMD_I915_PRIV_FIX(GSC_HECI_CMD_PKT, flags)
#define GPUCMD_I915_GSC_FW_LOAD(flags)      GPUCMD_I915_PRIV_FIX(GSC_FW_LOAD, flags)
#define GPUCMD_I915_PIPE_CONTROL_DW(gen)                                                           \
    ((gen) >= GPUCMD_I915_GEN8 ? 6 : (gen) >= GPUCMD_I915_GEN6 ? 5 : 4)
#define GPUCMD_I915_PIPE_CONTROL(gen, flags)   GPUCMD_I915_PRIV_BY(PIPE_CONTROL, gen, flags)
#define GPUCMD_I915_PIPE_CONTROL_SHORT_DW(gen) (GPUCMD_I915_PIPE_CONTROL_DW(gen) - 1)
#define GPUCMD_I915_PIPE_CONTROL_SHORT(gen, flags)                                                 \
    GPUCMD_I915_PRIV_SIZED(PIPE_CONTROL, flags, GPUCMD_I915_PIPE_CONTROL_SHORT_DW(gen))

/* GPUCMD_I915_BLT_DW is the size in words of the 2D command `name`. GPUCMD_I915_BLT is its DW0.
 * Both are constant expressions. n: number of data words, 0 if the command has no data. */
#define GPUCMD_I915_PRIV_BLT_DW(limits, gen, n)                                                    \
    (((gen) < GPUCMD_I915_GEN8                              ? (limits) >> 18 & 15u                 \
      : (gen) < GPUCMD_I915_GEN12_5 || (limits) >> 26 == 31 ? (limits) >> 22 & 15u                 \
                                                            : (limits) >> 26 & 31u) +              \
     ((n) != 0 ? (n)-2u : 0u))
#define GPUCMD_I915_BLT_DW(name, gen, n)                                                           \
    GPUCMD_I915_PRIV_BLT_DW(GPUCMD_I915_PRIV_LIMITS_##name, gen, n)
#define GPUCMD_I915_BLT(name, gen, n, flags)                                                       \
    GPUCMD_I915_PRIV_CONST(GPUCMD_I915_HDR_##name,                                                 \
                           (0u GPUCMD_I915_##name##_BITS0(GPUCMD_I915_PRIV_ANY_ROW, 0)), flags,    \
                           GPUCMD_I915_PRIV_BLT_DW(GPUCMD_I915_PRIV_LIMITS_##name, gen, n))

#define GPUCMD_I915_PRIV_PART(name, bits, dw, old)                                                 \
    GPUCMD_I915_PRIV_BLT_##name = bits, GPUCMD_I915_PRIV_##name##_DW = dw,                         \
    GPUCMD_I915_PRIV_##name##_OLD = old,
enum { GPUCMD_I915_PRIV_PARTS(GPUCMD_I915_PRIV_PART) };
#undef GPUCMD_I915_PRIV_PART

/* GPUCMD_I915_PRIV_PARTS_<name>: bits of the parts of a 2D command, see GPUCMD_I915_PRIV_PARTS. */
#define GPUCMD_I915_PRIV_MASK_OF(x, name, p, q, r, s)                                              \
    GPUCMD_I915_PRIV_PARTS_##name = GPUCMD_I915_PRIV_BLT_##p | GPUCMD_I915_PRIV_BLT_##q |          \
                                    GPUCMD_I915_PRIV_BLT_##r | GPUCMD_I915_PRIV_BLT_##s,
enum { GPUCMD_I915_BLTS(GPUCMD_I915_PRIV_MASK_OF, ) };
#undef GPUCMD_I915_PRIV_MASK_OF

/* Bits that may be set in a word that contains a register offset. */
#define GPUCMD_I915_PRIV_REG_BITS 0x007ffffcu

/* GPUCMD_I915_PRIV_KNOWN(v) is true if v is a constant for the compiler. GPUCMD_I915_PRIV_SHARED
 * declares a function that is not inlined, and called if the generation is not a constant. */
#if defined(GPUCMD_PRIV_GNU)
#define GPUCMD_I915_PRIV_KNOWN(v) __builtin_constant_p(v)
#define GPUCMD_I915_PRIV_SHARED   static __attribute__((__noinline__, __unused__))
#else
#define GPUCMD_I915_PRIV_KNOWN(v) 1
#define GPUCMD_I915_PRIV_SHARED   static inline
#endif
/* Return the mask of the field hi:lo if gen is in since..until, otherwise 0. This is a function,
 * because a macro would make an unoptimised build expand up to 50 fields for one command. The
 * parameters are int, because compilers need more time to convert each constant to another type. */
GPUCMD_INLINE uint32_t gpucmd_priv_i915_own(gpucmd_i915_gen gen, int since, int until, int hi,
                                            int lo)
{
    return (int)gen >= since && (int)gen <= until ? GPUCMD_I915_PRIV_MASK(hi, lo) : 0;
}

/* ==== [I915.ENCODE] ======================================================================== */

/* gpucmd_i915_encode_<command>(dw, gen, flags, ...) stores one command of GPUCMD_I915_<command>_DW
 * words at dw. On failure it stores nothing and returns:
 *   GPUCMD_UNSUPPORTED  the generation does not have the command or the form
 *   GPUCMD_RANGE        flags or another word sets bits that belong to no field of
 *                       the generation; a count is outside its range; an address
 *                       has more than 32 bits (gen8 and later: 48)
 *   GPUCMD_ALIGN        an address or a register offset sets reserved low bits
 * flags holds the fields of DW0, without the length. The comments name fields without the command:
 * GGTT of MI_ATOMIC is GPUCMD_I915_BITS(MI_ATOMIC_GGTT). If the word of an address has flags in its
 * low bits, the caller adds them to the address. On gen8 and later addresses are stored in
 * canonical form: bits 63:48 repeat bit 47. In an argument bits 63:48 may also be 0. */

/* The words of one command, before they are copied into the writer. */
typedef struct gpucmd_priv_i915_words {
    uint32_t dw[11];
} gpucmd_priv_i915_words;

/* Return a status. GPUCMD_UNSUPPORTED: gen is not one of the generations in `limits` (bits 8:0
 * first, 17:9 last). GPUCMD_RANGE: flags sets a bit that is 0 in `legal`. */
GPUCMD_INLINE gpucmd_status gpucmd_priv_i915_flags(gpucmd_i915_gen gen, uint32_t limits,
                                                   uint32_t flags, uint32_t legal)
{
    const uint32_t g = (uint32_t)gen;
    return g < (limits & 511) || g > (limits >> 9 & 511) ? GPUCMD_UNSUPPORTED
           : (flags & ~legal) != 0                       ? GPUCMD_RANGE
                                                         : GPUCMD_OK;
}

/* Check that gen has the command and the fields that flags sets. Return a gpucmd_status. */
#define GPUCMD_I915_PRIV_FLAGS(name, gen, flags)                                                   \
    gpucmd_priv_i915_flags(gen, GPUCMD_I915_PRIV_LIMITS_##name, flags,                             \
                           0u GPUCMD_I915_##name##_BITS0(GPUCMD_I915_PRIV_LEGAL_ROW, gen))

/* Return GPUCMD_UNSUPPORTED if gen is before generation `since`, otherwise `status`. */
GPUCMD_INLINE gpucmd_status gpucmd_priv_i915_since(gpucmd_i915_gen gen, gpucmd_i915_gen since,
                                                   gpucmd_status status)
{
    return gen < since ? GPUCMD_UNSUPPORTED : status;
}

/* Return status if it is a failure, otherwise GPUCMD_RANGE if dw sets a bit not set in `legal`. */
GPUCMD_INLINE gpucmd_status gpucmd_priv_i915_word(gpucmd_status status, uint32_t dw, uint32_t legal)
{
    return status != GPUCMD_OK ? status : (dw & ~legal) != 0 ? GPUCMD_RANGE : GPUCMD_OK;
}

/* Return status if it is a failure, otherwise GPUCMD_RANGE if n is outside 1..`most`. */
GPUCMD_INLINE gpucmd_status gpucmd_priv_i915_check_n(gpucmd_status status, uint32_t n,
                                                     uint32_t most)
{
    return status != GPUCMD_OK ? status : n < 1 || n > most ? GPUCMD_RANGE : GPUCMD_OK;
}

/* As gpucmd_priv_i915_word, but return GPUCMD_ALIGN if reg is not a multiple of 4. */
GPUCMD_INLINE gpucmd_status gpucmd_priv_i915_reg(gpucmd_status status, uint32_t reg, uint32_t legal)
{
    return status != GPUCMD_OK   ? status
           : (reg & 3) != 0      ? GPUCMD_ALIGN
           : (reg & ~legal) != 0 ? GPUCMD_RANGE
                                 : GPUCMD_OK;
}

/* Return status if it is a failure. Otherwise return GPUCMD_ALIGN if the low word of va sets a bit
 * that is 0 in `legal`, or GPUCMD_RANGE if va has too many bits for gen (canonical is valid). */
GPUCMD_INLINE gpucmd_status gpucmd_priv_i915_va(gpucmd_status status, gpucmd_i915_gen gen,
                                                uint64_t va, uint32_t legal)
{
    const uint32_t high = (uint32_t)(va >> 32);
    const uint32_t top = high >> 15; /* bits 63:47 of va */
    const bool fits = gen < GPUCMD_I915_GEN8 ? high == 0 : high <= 0xffff || top == 0x1ffff;
    return status != GPUCMD_OK            ? status
           : ((uint32_t)va & ~legal) != 0 ? GPUCMD_ALIGN
           : !fits                        ? GPUCMD_RANGE
                                          : GPUCMD_OK;
}

/* Return the second word of a 64-bit address, in canonical form. */
GPUCMD_INLINE uint32_t gpucmd_priv_i915_va_high(uint64_t va)
{
    const uint32_t high = (uint32_t)(va >> 32) & 0xffff;
    return high | (0 - (high >> 15)) << 16;
}

/* Store an address: one word before gen8, else two. Return the position of the next word. */
GPUCMD_INLINE uint32_t *gpucmd_priv_i915_put_va(uint32_t *dw, gpucmd_i915_gen gen, uint64_t va)
{
    *dw++ = (uint32_t)va;
    if (gen >= GPUCMD_I915_GEN8) {
        *dw++ = gpucmd_priv_i915_va_high(va);
    }
    return dw;
}

/* Store a command of one word (_1) or two words (_2) if status is GPUCMD_OK. Return status. */
GPUCMD_INLINE gpucmd_status gpucmd_priv_i915_encode_1(uint32_t *dw, gpucmd_status status,
                                                      uint32_t head)
{
    if (status == GPUCMD_OK) {
        dw[0] = head;
    }
    return status;
}

GPUCMD_INLINE gpucmd_status gpucmd_priv_i915_encode_2(uint32_t *dw, gpucmd_status status,
                                                      uint32_t head, uint32_t second)
{
    if (status == GPUCMD_OK) {
        dw[0] = head;
        dw[1] = second;
    }
    return status;
}

/* If status is GPUCMD_OK, store a command at dw. Return status. The command has these words:
 *   head    the first word, to which the function adds the length field
 *   before  the second word, only if before_dw is 1
 *   va      one word before gen8, two words on gen8 and later
 *   after   the last words: none, the low word or both words, as after_dw (0..2) says */
GPUCMD_INLINE gpucmd_status gpucmd_priv_i915_encode_va(uint32_t *dw, gpucmd_i915_gen gen,
                                                       gpucmd_status status, uint32_t head,
                                                       uint32_t before_dw, uint32_t before,
                                                       uint64_t va, uint32_t after_dw,
                                                       uint64_t after)
{
    if (status == GPUCMD_OK) {
        *dw++ = head + before_dw + (gen >= GPUCMD_I915_GEN8) + after_dw;
        if (before_dw != 0) {
            *dw++ = before;
        }
        dw = gpucmd_priv_i915_put_va(dw, gen, va);
        if (after_dw != 0) {
            *dw++ = (uint32_t)after;
        }
        if (after_dw > 1) {
            *dw++ = (uint32_t)(after >> 32);
        }
    }
    return status;
}

/* Define gpucmd_i915_encode_<fn> for command `name`. Arguments after gen:
 *   ENCODE_1        flags
 *   ENCODE_2        flags, DW1
 *   ENCODE_WORD_VA  flags, DW1, address. Macro parameter check: reg or word, the check of DW1
 *   ENCODE_VA_DATA  flags, address, data of type uint32_t or uint64_t */
#define GPUCMD_I915_PRIV_ENCODE_1(fn, name)                                                        \
    GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_i915_encode_##fn(                         \
        uint32_t *dw, gpucmd_i915_gen gen, uint32_t flags)                                         \
    {                                                                                              \
        return gpucmd_priv_i915_encode_1(                                                          \
            dw,                                                                                    \
            gpucmd_priv_i915_flags(                                                                \
                gen, GPUCMD_I915_PRIV_LIMITS_##name, flags,                                        \
                0u GPUCMD_I915_##name##_BITS0(GPUCMD_I915_PRIV_LEGAL_ROW, gen)),                   \
            GPUCMD_I915_HDR_##name + flags);                                                       \
    }
#define GPUCMD_I915_PRIV_ENCODE_2(fn, name, second)                                                \
    GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_i915_encode_##fn(                         \
        uint32_t *dw, gpucmd_i915_gen gen, uint32_t flags, uint32_t second)                        \
    {                                                                                              \
        const gpucmd_status status = gpucmd_priv_i915_flags(                                       \
            gen, GPUCMD_I915_PRIV_LIMITS_##name, flags,                                            \
            0u GPUCMD_I915_##name##_BITS0(GPUCMD_I915_PRIV_LEGAL_ROW, gen));                       \
        return gpucmd_priv_i915_encode_2(                                                          \
            dw,                                                                                    \
            gpucmd_priv_i915_word(status, second,                                                  \
                                  0u GPUCMD_I915_##name##_BITS1(GPUCMD_I915_PRIV_LEGAL_ROW, gen)), \
            GPUCMD_I915_HDR_##name + flags, second);                                               \
    }
#define GPUCMD_I915_PRIV_ENCODE_WORD_VA(fn, name, second, check)                                   \
    GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_i915_encode_##fn(                         \
        uint32_t *dw, gpucmd_i915_gen gen, uint32_t flags, uint32_t second, uint64_t va)           \
    {                                                                                              \
        gpucmd_status status = gpucmd_priv_i915_flags(                                             \
            gen, GPUCMD_I915_PRIV_LIMITS_##name, flags,                                            \
            0u GPUCMD_I915_##name##_BITS0(GPUCMD_I915_PRIV_LEGAL_ROW, gen));                       \
        status = gpucmd_priv_i915_##check(                                                         \
            status, second, 0u GPUCMD_I915_##name##_BITS1(GPUCMD_I915_PRIV_LEGAL_ROW, gen));       \
        status = gpucmd_priv_i915_va(                                                              \
            status, gen, va, 0u GPUCMD_I915_##name##_BITS2(GPUCMD_I915_PRIV_LEGAL_ROW, gen));      \
        return gpucmd_priv_i915_encode_va(dw, gen, status, GPUCMD_I915_HDR_##name + flags, 1,      \
                                          second, va, 0, 0);                                       \
    }
#define GPUCMD_I915_PRIV_ENCODE_VA_DATA(fn, name, type, data)                                      \
    GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_i915_encode_##fn(                         \
        uint32_t *dw, gpucmd_i915_gen gen, uint32_t flags, uint64_t va, type data)                 \
    {                                                                                              \
        gpucmd_status status = gpucmd_priv_i915_flags(                                             \
            gen, GPUCMD_I915_PRIV_LIMITS_##name, flags,                                            \
            0u GPUCMD_I915_##name##_BITS0(GPUCMD_I915_PRIV_LEGAL_ROW, gen));                       \
        status = gpucmd_priv_i915_va(                                                              \
            status, gen, va, 0u GPUCMD_I915_##name##_BITS1(GPUCMD_I915_PRIV_LEGAL_ROW, gen));      \
        return gpucmd_priv_i915_encode_va(dw, gen, status, GPUCMD_I915_HDR_##name + flags, 0, 0,   \
                                          va, sizeof data / 4, data);                              \
    }

/* Do nothing. flags: WRITE_ID, ID. With WRITE_ID the engine stores ID in the register NOPID. */
GPUCMD_I915_PRIV_ENCODE_1(mi_noop, MI_NOOP)

/* Set whether the engine skips the next commands. flags: ENABLE (the condition), PARTITION. */
GPUCMD_I915_PRIV_ENCODE_1(mi_set_predicate, MI_SET_PREDICATE)

/* Raise the user interrupt of the engine. flags: 0. */
GPUCMD_I915_PRIV_ENCODE_1(mi_user_interrupt, MI_USER_INTERRUPT)

/* Wait for events of the display. flags: the events, MI_WAIT_FOR_EVENT_*. */
GPUCMD_I915_PRIV_ENCODE_1(mi_wait_for_event, MI_WAIT_FOR_EVENT)

/* Flush the render pipeline. flags: caches to invalidate or keep, MI_FLUSH_*. */
GPUCMD_I915_PRIV_ENCODE_1(mi_flush, MI_FLUSH)

/* Wait for display events, gen11 and later. flags: PLANE_FLIP, PIPE_VBLANK, PIPE_SCAN_LINE. */
GPUCMD_I915_PRIV_ENCODE_1(mi_wait_for_event_2, MI_WAIT_FOR_EVENT_2)

/* Allow preemption at this command. flags: MASK, PRE_PARSER_OFF. */
GPUCMD_I915_PRIV_ENCODE_1(mi_arb_check, MI_ARB_CHECK)

/* Start (flag START) or stop the resource streamer. flags: START or 0. */
GPUCMD_I915_PRIV_ENCODE_1(mi_rs_control, MI_RS_CONTROL)

/* Store the HEAD register in the status page. flags: 0. */
GPUCMD_I915_PRIV_ENCODE_1(mi_report_head, MI_REPORT_HEAD)

/* Allow (flag ENABLE) or forbid preemption. flags: ENABLE, LITE_RESTORE. */
GPUCMD_I915_PRIV_ENCODE_1(mi_arb_on_off, MI_ARB_ON_OFF)

/* Reserve URB space for atomics. flags: OFFSET, SIZE. */
GPUCMD_I915_PRIV_ENCODE_1(mi_urb_atomic_alloc, MI_URB_ATOMIC_ALLOC)

/* Order memory accesses of the engine; Xe2 and later. flags: TYPE, a GPUCMD_I915_MEM_FENCE_*. */
GPUCMD_I915_PRIV_ENCODE_1(mi_mem_fence, MI_MEM_FENCE)

/* End a batch. flags: PREDICATE, END_CONTEXT. */
GPUCMD_I915_PRIV_ENCODE_1(mi_batch_buffer_end, MI_BATCH_BUFFER_END)

/* Suspend (flag SUSPEND) or resume the flushes that new page tables cause. flags: SUSPEND or 0. */
GPUCMD_I915_PRIV_ENCODE_1(mi_suspend_flush, MI_SUSPEND_FLUSH)

/* Set the predicate from PREDICATE_SRC0 and PREDICATE_SRC1. flags: LOAD, COMBINE, COMPARE. */
GPUCMD_I915_PRIV_ENCODE_1(mi_predicate, MI_PREDICATE)

/* Choose the slices that draw. flags: TOPOLOGY. */
GPUCMD_I915_PRIV_ENCODE_1(mi_topology_filter, MI_TOPOLOGY_FILTER)

/* Set the id of the application. flags: TYPE, ID. */
GPUCMD_I915_PRIV_ENCODE_1(mi_set_appid, MI_SET_APPID)

/* Save (flag SAVE) or restore the state of the resource streamer. flags: SAVE or 0. */
GPUCMD_I915_PRIV_ENCODE_1(mi_rs_context, MI_RS_CONTEXT)

/* Show an overlay. flags: MODE. address: DW1, the address of the register block. */
GPUCMD_I915_PRIV_ENCODE_2(mi_overlay_flip, MI_OVERLAY_FLIP, address)

/* Set the scan line window of a pipe, which MI_WAIT_FOR_EVENT uses: lines START_LINE to END_LINE.
 * flags: PIPE, EVENT_FORWARD. lines: START_LINE, END_LINE. */
GPUCMD_I915_PRIV_ENCODE_2(mi_load_scan_lines_incl, MI_LOAD_SCAN_LINES_INCL, lines)

/* Set the scan line window of a pipe, which MI_WAIT_FOR_EVENT uses: all lines outside START_LINE to
 * END_LINE. flags: PIPE. lines: START_LINE, END_LINE. */
GPUCMD_I915_PRIV_ENCODE_2(mi_load_scan_lines_excl, MI_LOAD_SCAN_LINES_EXCL, lines)

/* Set the vertex buffer; gen2 only. flags: 0. data: all of DW1. */
GPUCMD_I915_PRIV_ENCODE_2(mi_vertex_buffer, MI_VERTEX_BUFFER, data)

/* Switch the context image. flags: 0. context: DW1. On gen6 and gen7 MI_NOOP must be next. */
GPUCMD_I915_PRIV_ENCODE_2(mi_set_context, MI_SET_CONTEXT, context)

/* Clear URB space. flags: 0. range: DW1, LENGTH and ADDRESS. */
GPUCMD_I915_PRIV_ENCODE_2(mi_urb_clear, MI_URB_CLEAR, range)

/* Signal a context that waits for a semaphore. flags: POST_SYNC, ENGINE. context: DW1, its id. */
GPUCMD_I915_PRIV_ENCODE_2(mi_semaphore_signal, MI_SEMAPHORE_SIGNAL, context)

/* Keep power wells awake, or let them sleep. flags: 0. wells: DW1, the wells and their MASK. */
GPUCMD_I915_PRIV_ENCODE_2(mi_force_wakeup, MI_FORCE_WAKEUP, wells)

/* With COMPARE wait until a mailbox is greater than data. With UPDATE store data in a mailbox. The
 * mailbox is the word at va, or with REGISTER a register of the engine. flags: GGTT, UPDATE,
 * COMPARE, REGISTER, SELECT, GENERAL. va: 4-byte aligned; with REGISTER: 0. */
GPUCMD_I915_PRIV_ENCODE_WORD_VA(mi_semaphore_mbox, MI_SEMAPHORE_MBOX, data, word)

/* Wait until a comparison is true; its left operand is the word at va, its right operand is data.
 * flags: fields of DW0; COMPARE is a GPUCMD_I915_COMPARE_*. va: 4-byte aligned, or with REGISTER
 * the offset of a register. */
GPUCMD_I915_PRIV_ENCODE_WORD_VA(mi_semaphore_wait, MI_SEMAPHORE_WAIT, data, word)

/* As gpucmd_i915_encode_mi_semaphore_wait, but 5 words. token: DW4, TOKEN; gen12 and later. */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_i915_encode_mi_semaphore_wait_token(
    uint32_t *dw, gpucmd_i915_gen gen, uint32_t flags, uint32_t data, uint64_t va, uint32_t token)
{
    gpucmd_status status = gpucmd_priv_i915_since(
        gen, GPUCMD_I915_GEN12, GPUCMD_I915_PRIV_FLAGS(MI_SEMAPHORE_WAIT, gen, flags));
    status =
        gpucmd_priv_i915_va(status, gen, va, GPUCMD_I915_PRIV_LEGAL(MI_SEMAPHORE_WAIT, gen, 2));
    status =
        gpucmd_priv_i915_word(status, token, GPUCMD_I915_PRIV_LEGAL(MI_SEMAPHORE_WAIT, gen, 4));
    return gpucmd_priv_i915_encode_va(dw, gen, status, GPUCMD_I915_HDR_MI_SEMAPHORE_WAIT + flags, 1,
                                      data, va, 1, token);
}

/* Store 32 bits in the status page. flags: PER_PROCESS. offset_bytes: 0..4092, 4-byte aligned. */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_i915_encode_mi_store_data_index(
    uint32_t *dw, gpucmd_i915_gen gen, uint32_t flags, uint32_t offset_bytes, uint32_t data)
{
    gpucmd_status status = GPUCMD_I915_PRIV_FLAGS(MI_STORE_DATA_INDEX, gen, flags);
    status = gpucmd_priv_i915_word(status, offset_bytes,
                                   GPUCMD_I915_PRIV_LEGAL(MI_STORE_DATA_INDEX, gen, 1));
    if (status == GPUCMD_OK) {
        dw[0] = GPUCMD_I915_PRIV_DW0(MI_STORE_DATA_INDEX, flags);
        dw[1] = offset_bytes;
        dw[2] = data;
    }
    return status;
}

/* Store 64 bits in the status page. flags: PER_PROCESS. offset_bytes: 4-byte aligned, 0..4088;
 * the encoder does not reject 4092. */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_i915_encode_mi_store_data_index_qw(
    uint32_t *dw, gpucmd_i915_gen gen, uint32_t flags, uint32_t offset_bytes, uint64_t data)
{
    gpucmd_status status = GPUCMD_I915_PRIV_FLAGS(MI_STORE_DATA_INDEX, gen, flags);
    status = gpucmd_priv_i915_word(status, offset_bytes,
                                   GPUCMD_I915_PRIV_LEGAL(MI_STORE_DATA_INDEX, gen, 1));
    if (status == GPUCMD_OK) {
        dw[0] =
            GPUCMD_I915_PRIV_HDR(MI_STORE_DATA_INDEX, flags, GPUCMD_I915_MI_STORE_DATA_INDEX_QW_DW);
        dw[1] = offset_bytes;
        dw[2] = (uint32_t)data;
        dw[3] = (uint32_t)(data >> 32);
    }
    return status;
}

/* Store a register in memory. flags: the fields of DW0. reg: DW1, the byte offset of the register,
 * on gen4 and gen4.5 also ADDRESS_EXT_G4. va: 4-byte aligned. */
GPUCMD_I915_PRIV_ENCODE_WORD_VA(mi_store_register_mem, MI_STORE_REGISTER_MEM, reg, reg)

/* Load a register from memory. flags: fields of DW0. reg: byte offset. va: 4-byte aligned. */
GPUCMD_I915_PRIV_ENCODE_WORD_VA(mi_load_register_mem, MI_LOAD_REGISTER_MEM, reg, reg)

/* Copy src_reg to dst_reg, which are byte offsets of registers. flags: the fields of DW0. */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_i915_encode_mi_load_register_reg(
    uint32_t *dw, gpucmd_i915_gen gen, uint32_t flags, uint32_t src_reg, uint32_t dst_reg)
{
    gpucmd_status status = GPUCMD_I915_PRIV_FLAGS(MI_LOAD_REGISTER_REG, gen, flags);
    status =
        gpucmd_priv_i915_reg(status, src_reg, GPUCMD_I915_PRIV_LEGAL(MI_LOAD_REGISTER_REG, gen, 1));
    status =
        gpucmd_priv_i915_reg(status, dst_reg, GPUCMD_I915_PRIV_LEGAL(MI_LOAD_REGISTER_REG, gen, 2));
    if (status == GPUCMD_OK) {
        dw[0] = GPUCMD_I915_PRIV_DW0(MI_LOAD_REGISTER_REG, flags);
        dw[1] = src_reg;
        dw[2] = dst_reg;
    }
    return status;
}

/* Flush, then perform POST_SYNC, a GPUCMD_I915_POST_SYNC_*.
 *   flags  the fields of DW0
 *   va     address that POST_SYNC writes, 8-byte aligned. With STORE_INDEX: byte
 *          offset in the status page. Bit 2 is the flag GGTT
 *   data   immediate of 32 bits */
GPUCMD_I915_PRIV_ENCODE_VA_DATA(mi_flush_dw, MI_FLUSH_DW, uint32_t, data)

/* As gpucmd_i915_encode_mi_flush_dw, but with an immediate of 64 bits. */
GPUCMD_I915_PRIV_ENCODE_VA_DATA(mi_flush_dw_qw, MI_FLUSH_DW, uint64_t, data)

/* As gpucmd_i915_encode_mi_flush_dw, but without POST_SYNC, in 3 words; gen8 and later. */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status
gpucmd_i915_encode_mi_flush_dw_short(uint32_t *dw, gpucmd_i915_gen gen, uint32_t flags, uint64_t va)
{
    gpucmd_status status = gpucmd_priv_i915_since(gen, GPUCMD_I915_GEN8,
                                                  GPUCMD_I915_PRIV_FLAGS(MI_FLUSH_DW, gen, flags));
    status = gpucmd_priv_i915_word(status, flags, ~GPUCMD_I915_BITS(MI_FLUSH_DW_POST_SYNC));
    status = gpucmd_priv_i915_va(status, gen, va, GPUCMD_I915_PRIV_LEGAL(MI_FLUSH_DW, gen, 1));
    return gpucmd_priv_i915_encode_va(dw, gen, status, GPUCMD_I915_HDR_MI_FLUSH_DW + flags, 0, 0,
                                      va, 0, 0);
}

/* Store a report of the performance counters. flags: 0. va: 64-byte aligned address; the low bits
 * may contain the flags GGTT and CORE_MODE. id: number that the report contains. */
GPUCMD_I915_PRIV_ENCODE_VA_DATA(mi_report_perf_count, MI_REPORT_PERF_COUNT, uint32_t, id)

/* Load URB space from memory. flags: 0. urb: DW1, field URB_ADDRESS. va: 64-byte aligned. */
GPUCMD_I915_PRIV_ENCODE_WORD_VA(mi_load_urb_mem, MI_LOAD_URB_MEM, urb, word)

/* Store URB space in memory. flags: 0. urb: DW1, field URB_ADDRESS. va: 64-byte aligned. */
GPUCMD_I915_PRIV_ENCODE_WORD_VA(mi_store_urb_mem, MI_STORE_URB_MEM, urb, word)

/* Copy 32 bits in memory. flags: the fields of DW0. dst_va, src_va: 4-byte aligned. */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_i915_encode_mi_copy_mem_mem(
    uint32_t *dw, gpucmd_i915_gen gen, uint32_t flags, uint64_t dst_va, uint64_t src_va)
{
    gpucmd_status status = GPUCMD_I915_PRIV_FLAGS(MI_COPY_MEM_MEM, gen, flags);
    status =
        gpucmd_priv_i915_va(status, gen, dst_va, GPUCMD_I915_PRIV_LEGAL(MI_COPY_MEM_MEM, gen, 1));
    status =
        gpucmd_priv_i915_va(status, gen, src_va, GPUCMD_I915_PRIV_LEGAL(MI_COPY_MEM_MEM, gen, 3));
    if (status == GPUCMD_OK) {
        dw[0] = GPUCMD_I915_PRIV_DW0(MI_COPY_MEM_MEM, flags);
        dw = gpucmd_priv_i915_put_va(dw + 1, gen, dst_va);
        (void)gpucmd_priv_i915_put_va(dw, gen, src_va);
    }
    return status;
}

/* Perform an atomic operation on memory. The operands are general registers 0 to 3.
 *   flags  the fields of DW0 without INLINE (otherwise GPUCMD_RANGE); for operands in the command
 *          use gpucmd_i915_encode_mi_atomic_inline
 *   va     aligned to the size that WIDTH selects; the encoder checks only 4-byte alignment. On
 *          gen12.5 and later bit 0 is the flag PARTITION_OFFSET */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_i915_encode_mi_atomic(uint32_t *dw,
                                                                           gpucmd_i915_gen gen,
                                                                           uint32_t flags,
                                                                           uint64_t va)
{
    gpucmd_status status = gpucmd_priv_i915_flags(gen, GPUCMD_I915_PRIV_LIMITS_MI_ATOMIC, flags,
                                                  GPUCMD_I915_PRIV_LEGAL(MI_ATOMIC, gen, 0) &
                                                      ~GPUCMD_I915_BITS(MI_ATOMIC_INLINE));
    status = gpucmd_priv_i915_va(status, gen, va, GPUCMD_I915_PRIV_LEGAL(MI_ATOMIC, gen, 1));
    return gpucmd_priv_i915_encode_va(dw, gen, status, GPUCMD_I915_HDR_MI_ATOMIC + flags, 0, 0, va,
                                      0, 0);
}

/* Execute the batch from va to end_va. flags: 0. va: 8-byte aligned address; bit 0 is the flag
 * NON_SECURE. end_va: address of the last 8 bytes of the batch, 8-byte aligned. */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_i915_encode_mi_batch_buffer(
    uint32_t *dw, gpucmd_i915_gen gen, uint32_t flags, uint64_t va, uint64_t end_va)
{
    gpucmd_status status = GPUCMD_I915_PRIV_FLAGS(MI_BATCH_BUFFER, gen, flags);
    status = gpucmd_priv_i915_va(status, gen, va, GPUCMD_I915_PRIV_LEGAL(MI_BATCH_BUFFER, gen, 1));
    status =
        gpucmd_priv_i915_va(status, gen, end_va, GPUCMD_I915_PRIV_LEGAL(MI_BATCH_BUFFER, gen, 2));
    if (status == GPUCMD_OK) {
        dw[0] = GPUCMD_I915_PRIV_DW0(MI_BATCH_BUFFER, flags);
        dw[1] = (uint32_t)va;
        dw[2] = (uint32_t)end_va;
    }
    return status;
}

/* Start, chain or call a batch. flags: the fields of DW0, see gpucmd_i915_batch_start_flags. va:
 * 4-byte aligned address; on gen2 and gen3 bit 0 is the flag NON_SECURE. */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_i915_encode_mi_batch_buffer_start(
    uint32_t *dw, gpucmd_i915_gen gen, uint32_t flags, uint64_t va)
{
    gpucmd_status status = GPUCMD_I915_PRIV_FLAGS(MI_BATCH_BUFFER_START, gen, flags);
    status =
        gpucmd_priv_i915_va(status, gen, va, GPUCMD_I915_PRIV_LEGAL(MI_BATCH_BUFFER_START, gen, 1));
    return gpucmd_priv_i915_encode_va(
        dw, gen, status, GPUCMD_I915_HDR_MI_BATCH_BUFFER_START + flags, 0, 0, va, 0, 0);
}

/* End the batch if a comparison is false; its left operand is the word at va, its right operand is
 * data. flags: the fields of DW0. COMPARE is a GPUCMD_I915_COMPARE_*; before gen12 the comparison
 * is GT. Without COMPARE_ENABLE the command does nothing. va: 8-byte aligned. */
GPUCMD_I915_PRIV_ENCODE_WORD_VA(mi_conditional_batch_buffer_end, MI_CONDITIONAL_BATCH_BUFFER_END,
                                data, word)

/* Return the size of MI_DISPLAY_FLIP in words. base is its DW2. */
GPUCMD_INLINE uint32_t gpucmd_priv_i915_flip_dw(gpucmd_i915_gen gen, uint32_t base)
{
    return gen >= GPUCMD_I915_GEN9 && GPUCMD_I915_GET(MI_DISPLAY_FLIP_TYPE, base) == 2
               ? GPUCMD_I915_MI_DISPLAY_FLIP_STEREO_DW
               : GPUCMD_I915_MI_DISPLAY_FLIP_DW(gen);
}

/* Show another frame. flags: PLANE, ASYNC. pitch: DW1, PITCH, TILING, STEREO. base: DW2, BASE,
 * TYPE. further: DW3.
 *   gen4 to gen6                  DW3 is PIPE_SIZE
 *   gen9 and later, TYPE is 2     DW3 is LEFT_BASE. The command has
 *                                 GPUCMD_I915_MI_DISPLAY_FLIP_STEREO_DW words
 *   otherwise                     the command has no DW3; further must be 0 */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status
gpucmd_i915_encode_mi_display_flip(uint32_t *dw, gpucmd_i915_gen gen, uint32_t flags,
                                   uint32_t pitch, uint32_t base, uint32_t further)
{
    const uint32_t len_dw = gpucmd_priv_i915_flip_dw(gen, base);
    const uint32_t legal = len_dw == 4 ? GPUCMD_I915_PRIV_LEGAL(MI_DISPLAY_FLIP, gen, 3) : 0;
    gpucmd_status status = GPUCMD_I915_PRIV_FLAGS(MI_DISPLAY_FLIP, gen, flags);
    status = gpucmd_priv_i915_word(status, pitch, GPUCMD_I915_PRIV_LEGAL(MI_DISPLAY_FLIP, gen, 1));
    status = gpucmd_priv_i915_word(status, base, GPUCMD_I915_PRIV_LEGAL(MI_DISPLAY_FLIP, gen, 2));
    status = gpucmd_priv_i915_word(status, further, legal);
    if (status == GPUCMD_OK) {
        dw[0] = GPUCMD_I915_PRIV_HDR(MI_DISPLAY_FLIP, flags, len_dw);
        dw[1] = pitch;
        dw[2] = base;
        if (len_dw == 4) {
            dw[3] = further;
        }
    }
    return status;
}

/* Check the flags (without QWORD) and va of MI_STORE_DATA_IMM. low: bits that va must not set. */
GPUCMD_INLINE gpucmd_status gpucmd_priv_i915_check_store(gpucmd_i915_gen gen, uint32_t flags,
                                                         uint64_t va, uint32_t low)
{
    const uint32_t qword = gen >= GPUCMD_I915_GEN8 ? GPUCMD_I915_BITS(MI_STORE_DATA_IMM_QWORD) : 0;
    gpucmd_status status =
        gpucmd_priv_i915_flags(gen, GPUCMD_I915_PRIV_LIMITS_MI_STORE_DATA_IMM, flags,
                               GPUCMD_I915_PRIV_LEGAL(MI_STORE_DATA_IMM, gen, 0) & ~qword);
    return gpucmd_priv_i915_va(status, gen, va,
                               ~low & (gen < GPUCMD_I915_GEN4 || gen >= GPUCMD_I915_GEN8
                                           ? GPUCMD_I915_PRIV_LEGAL(MI_STORE_DATA_IMM, gen, 1)
                                           : GPUCMD_I915_PRIV_LEGAL(MI_STORE_DATA_IMM, gen, 2)));
}

/* Store DW1 and DW2 of MI_STORE_DATA_IMM on gen4 and later. Before gen8 DW1 is 0 and DW2 the
 * address. On gen8 and later both words are the address. Return the position of DW3. */
GPUCMD_INLINE uint32_t *gpucmd_priv_i915_put_store(uint32_t *dw, gpucmd_i915_gen gen, uint64_t va)
{
    dw[1] = gen >= GPUCMD_I915_GEN8 ? (uint32_t)va : 0;
    dw[2] = gen >= GPUCMD_I915_GEN8 ? gpucmd_priv_i915_va_high(va) : (uint32_t)va;
    return dw + 3;
}

/* Store 32 bits. va: 4-byte aligned address; the low bits may contain the flag CORE_MODE. flags:
 * GGTT, MOCS_ENABLE, MOCS, PARTITION_OFFSET, FORCE_CHECK. Use
 * gpucmd_i915_encode_mi_store_data_imm_qw for QWORD. */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_i915_encode_mi_store_data_imm(
    uint32_t *dw, gpucmd_i915_gen gen, uint32_t flags, uint64_t va, uint32_t data)
{
    const gpucmd_status status = gpucmd_priv_i915_check_store(gen, flags, va, 0);
    if (status == GPUCMD_OK) {
        dw[0] = GPUCMD_I915_PRIV_DW0_BY(MI_STORE_DATA_IMM, flags, gen);
        if (gen < GPUCMD_I915_GEN4) {
            dw[1] = (uint32_t)va;
            dw[2] = data;
        } else {
            gpucmd_priv_i915_put_store(dw, gen, va)[0] = data;
        }
    }
    return status;
}

/* Store 64 bits; gen4 and later. va: 8-byte aligned address; the low bits may contain CORE_MODE.
 * flags: as gpucmd_i915_encode_mi_store_data_imm. The encoder sets QWORD. */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_i915_encode_mi_store_data_imm_qw(
    uint32_t *dw, gpucmd_i915_gen gen, uint32_t flags, uint64_t va, uint64_t data)
{
    const uint32_t qword = gen >= GPUCMD_I915_GEN8 ? GPUCMD_I915_BITS(MI_STORE_DATA_IMM_QWORD) : 0;
    const gpucmd_status status = gpucmd_priv_i915_since(
        gen, GPUCMD_I915_GEN4, gpucmd_priv_i915_check_store(gen, flags & ~qword, va, 4));
    if (status == GPUCMD_OK) {
        dw[0] = GPUCMD_I915_PRIV_HDR(MI_STORE_DATA_IMM, flags | qword, 5u);
        dw = gpucmd_priv_i915_put_store(dw, gen, va);
        dw[0] = (uint32_t)data;
        dw[1] = (uint32_t)(data >> 32);
    }
    return status;
}

/* Load one register. flags: ADD_CS_BASE, REMAP, FORCE_POSTED, BYTE_DISABLE. reg: 4-byte aligned. */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_i915_encode_mi_load_register_imm1(
    uint32_t *dw, gpucmd_i915_gen gen, uint32_t flags, uint32_t reg, uint32_t value)
{
    gpucmd_status status = GPUCMD_I915_PRIV_FLAGS(MI_LOAD_REGISTER_IMM, gen, flags);
    status = gpucmd_priv_i915_reg(status, reg, GPUCMD_I915_PRIV_REG_BITS);
    if (status == GPUCMD_OK) {
        dw[0] = GPUCMD_I915_PRIV_HDR(MI_LOAD_REGISTER_IMM, flags, 3u);
        dw[1] = reg;
        dw[2] = value;
    }
    return status;
}

/* A command that ends with data words:
 *   head    DW0 without the length
 *   before  the words after DW0; before_dw (0..2) is their number
 *   data    the last data_dw words; NULL: these words are 0 */
typedef struct gpucmd_priv_i915_many {
    gpucmd_status status;
    uint32_t head, before_dw, data_dw;
    uint64_t before;
    const uint32_t *data;
} gpucmd_priv_i915_many;

GPUCMD_INLINE void gpucmd_priv_i915_put_many(uint32_t *dw, const gpucmd_priv_i915_many *m)
{
    *dw++ = m->head + m->before_dw + m->data_dw - 1;
    if (m->before_dw > 0) {
        *dw++ = (uint32_t)m->before;
    }
    if (m->before_dw > 1) {
        *dw++ = (uint32_t)(m->before >> 32);
    }
    if (m->data != NULL) {
        gpucmd_priv_copy(dw, m->data, (size_t)m->data_dw * 4);
    } else {
        gpucmd_priv_zero(dw, (size_t)m->data_dw * 4);
    }
}

/* Define gpucmd_i915_encode_<fn>, which stores the command that gpucmd_priv_i915_<fn> returns. _2
 * and _3: the function has 2 or 3 arguments after flags. */
#define GPUCMD_I915_PRIV_ENCODE_MANY(fn, params, args)                                             \
    GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_i915_encode_##fn params                   \
    {                                                                                              \
        const gpucmd_priv_i915_many m = gpucmd_priv_i915_##fn args;                                \
        if (m.status == GPUCMD_OK) {                                                               \
            gpucmd_priv_i915_put_many(dw, &m);                                                     \
        }                                                                                          \
        return m.status;                                                                           \
    }
#define GPUCMD_I915_PRIV_ENCODE_MANY_2(fn, A, a, B, b)                                             \
    GPUCMD_I915_PRIV_ENCODE_MANY(                                                                  \
        fn, (uint32_t * dw, gpucmd_i915_gen gen, uint32_t flags, A a, B b), (gen, flags, a, b))
#define GPUCMD_I915_PRIV_ENCODE_MANY_3(fn, A, a, B, b, C, c)                                       \
    GPUCMD_I915_PRIV_ENCODE_MANY(                                                                  \
        fn, (uint32_t * dw, gpucmd_i915_gen gen, uint32_t flags, A a, B b, C c),                   \
        (gen, flags, a, b, c))

GPUCMD_INLINE gpucmd_priv_i915_many gpucmd_priv_i915_mi_load_register_imm(gpucmd_i915_gen gen,
                                                                          uint32_t flags,
                                                                          const uint32_t *pairs,
                                                                          uint32_t n)
{
    gpucmd_priv_i915_many m = {GPUCMD_OK, GPUCMD_I915_HDR_MI_LOAD_REGISTER_IMM + flags, 0, 2 * n, 0,
                               pairs};
    uint32_t i;
    m.status = gpucmd_priv_i915_check_n(GPUCMD_I915_PRIV_FLAGS(MI_LOAD_REGISTER_IMM, gen, flags), n,
                                        gen < GPUCMD_I915_GEN6 ? 32 : 126);
    for (i = 0; m.status == GPUCMD_OK && i < n; i++) {
        m.status = gpucmd_priv_i915_reg(m.status, pairs[2 * i], GPUCMD_I915_PRIV_REG_BITS);
    }
    return m;
}

/* Load n registers; n: 1..126 (before gen6: 1..32). pairs: n pairs, the byte offset of a register
 * and its value. flags: as gpucmd_i915_encode_mi_load_register_imm1. */
GPUCMD_I915_PRIV_ENCODE_MANY_2(mi_load_register_imm, const uint32_t *, pairs, uint32_t, n)

GPUCMD_INLINE gpucmd_priv_i915_many gpucmd_priv_i915_mi_math(gpucmd_i915_gen gen, uint32_t flags,
                                                             const uint32_t *alu, uint32_t n)
{
    gpucmd_priv_i915_many m = {GPUCMD_OK, GPUCMD_I915_HDR_MI_MATH + flags, 0, n, 0, alu};
    m.status = gpucmd_priv_i915_check_n(GPUCMD_I915_PRIV_FLAGS(MI_MATH, gen, flags), n,
                                        gen < GPUCMD_I915_GEN9 ? 64 : 256);
    return m;
}

/* Execute n MI_MATH instructions; n: 1..64 (gen9 and later: 1..256). alu: n
 * words, see GPUCMD_I915_ALU. flags: PREDICATE, MOCS. */
GPUCMD_I915_PRIV_ENCODE_MANY_2(mi_math, const uint32_t *, alu, uint32_t, n)

GPUCMD_INLINE gpucmd_priv_i915_many gpucmd_priv_i915_mi_store_data_imm_words(
    gpucmd_i915_gen gen, uint32_t flags, uint64_t va, const uint32_t *data, uint32_t n)
{
    const uint32_t qword = flags & GPUCMD_I915_BITS(MI_STORE_DATA_IMM_QWORD);
    gpucmd_priv_i915_many m = {GPUCMD_OK, GPUCMD_I915_HDR_MI_STORE_DATA_IMM + flags, 2, n, 0, data};
    m.status = gpucmd_priv_i915_check_store(gen, flags & ~qword, va, qword != 0 ? 5 : 1);
    m.status = gpucmd_priv_i915_check_n(m.status, qword != 0 && n % 2 != 0 ? 0 : n,
                                        gen < GPUCMD_I915_GEN12_7 ? 1022 : 1021);
    m.status = gpucmd_priv_i915_since(gen, GPUCMD_I915_GEN8, m.status);
    m.before = (uint32_t)va | (uint64_t)gpucmd_priv_i915_va_high(va) << 32;
    return m;
}

/* Store n words at consecutive addresses; gen8 and later. n: 1..1022 (gen12.7 and later: 1..1021),
 * with QWORD even. va: 4-byte aligned, with QWORD 8-byte. flags: as
 * gpucmd_i915_encode_mi_store_data_imm; with QWORD the engine stores 64 bits at a time. */
GPUCMD_I915_PRIV_ENCODE_MANY_3(mi_store_data_imm_words, uint64_t, va, const uint32_t *, data,
                               uint32_t, n)

/* Store 32 bits from the resource streamer. flags: 0. va: 4-byte aligned. */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_i915_encode_mi_rs_store_data_imm(
    uint32_t *dw, gpucmd_i915_gen gen, uint32_t flags, uint64_t va, uint32_t data)
{
    gpucmd_status status = GPUCMD_I915_PRIV_FLAGS(MI_RS_STORE_DATA_IMM, gen, flags);
    status = gpucmd_priv_i915_va(status, gen, va, ~3u);
    if (status == GPUCMD_OK) {
        dw[0] = GPUCMD_I915_PRIV_DW0(MI_RS_STORE_DATA_IMM, flags);
        gpucmd_priv_i915_put_store(dw, gen, va)[0] = data;
    }
    return status;
}

/* As gpucmd_i915_encode_mi_atomic, but the command has 11 words with the operands op1 and op2 of 4
 * words each. The encoder sets INLINE. va: 4-byte aligned; if WIDTH is not 0, 8-byte aligned. */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status
gpucmd_i915_encode_mi_atomic_inline(uint32_t *dw, gpucmd_i915_gen gen, uint32_t flags, uint64_t va,
                                    const uint32_t *op1, const uint32_t *op2)
{
    uint32_t i;
    gpucmd_status status = GPUCMD_I915_PRIV_FLAGS(MI_ATOMIC, gen, flags);
    status = gpucmd_priv_i915_va(status, gen, va,
                                 GPUCMD_I915_GET(MI_ATOMIC_WIDTH, flags) != 0 ? ~7u : ~3u);
    if (status == GPUCMD_OK) {
        dw[0] = GPUCMD_I915_PRIV_HDR(MI_ATOMIC, flags | GPUCMD_I915_BITS(MI_ATOMIC_INLINE), 11u);
        (void)gpucmd_priv_i915_put_va(dw + 1, gen, va);
        for (i = 0; i < 4; i++) {
            dw[3 + 2 * i] = op1[i];
            dw[4 + 2 * i] = op2[i];
        }
    }
    return status;
}

GPUCMD_INLINE gpucmd_priv_i915_many gpucmd_priv_i915_mi_update_gtt(gpucmd_i915_gen gen,
                                                                   uint32_t flags,
                                                                   uint32_t entry_va,
                                                                   const uint32_t *ptes, uint32_t n)
{
    gpucmd_priv_i915_many m = {GPUCMD_OK, GPUCMD_I915_HDR_MI_UPDATE_GTT + flags, 1, n, entry_va,
                               ptes};
    m.status = gpucmd_priv_i915_word(GPUCMD_I915_PRIV_FLAGS(MI_UPDATE_GTT, gen, flags), entry_va,
                                     GPUCMD_I915_PRIV_LEGAL(MI_UPDATE_GTT, gen, 1));
    m.status = gpucmd_priv_i915_check_n(m.status, n,
                                        gen < GPUCMD_I915_GEN7   ? 62
                                        : gen < GPUCMD_I915_GEN8 ? 254
                                                                 : 1022);
    return m;
}

/* Store n page-table entries ptes in the global table. n: 1..62; gen7 and gen7.5: 1..254; gen8 and
 * later: 1..1022. flags: GGTT. entry_va: page-aligned address that ptes[0] maps. */
GPUCMD_I915_PRIV_ENCODE_MANY_3(mi_update_gtt, uint32_t, entry_va, const uint32_t *, ptes, uint32_t,
                               n)

GPUCMD_INLINE gpucmd_priv_i915_many gpucmd_priv_i915_mi_clflush(gpucmd_i915_gen gen, uint32_t flags,
                                                                uint64_t va, uint32_t n)
{
    gpucmd_priv_i915_many m = {GPUCMD_OK, GPUCMD_I915_HDR_MI_CLFLUSH + flags, 1, n, va, NULL};
    m.status = gpucmd_priv_i915_va(GPUCMD_I915_PRIV_FLAGS(MI_CLFLUSH, gen, flags), gen, va, ~63u);
    m.status = gpucmd_priv_i915_check_n(m.status, n, gen < GPUCMD_I915_GEN7 ? 61 : 1022);
    if (gen >= GPUCMD_I915_GEN7) {
        m.before_dw = 2;
        m.before = (uint32_t)va |
                   (uint64_t)(gen >= GPUCMD_I915_GEN8 ? gpucmd_priv_i915_va_high(va) : 0) << 32;
    }
    return m;
}

/* Flush n blocks of 64 bytes (half cache lines), the first at va. va: 64-byte aligned. n: 1..61 on
 * gen6, 1..1022 on gen7 and later. flags: GGTT. */
GPUCMD_I915_PRIV_ENCODE_MANY_2(mi_clflush, uint64_t, va, uint32_t, n)

/* Send a packet of src_bytes at src_va to the GSC firmware, which writes its
 * answer of at most dst_bytes to dst_va; gen12.7 and later. flags: 0. */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_i915_encode_gsc_heci_cmd_pkt(
    uint32_t *dw, gpucmd_i915_gen gen, uint32_t flags, uint64_t src_va, uint32_t src_bytes,
    uint64_t dst_va, uint32_t dst_bytes)
{
    gpucmd_status status = GPUCMD_I915_PRIV_FLAGS(GSC_HECI_CMD_PKT, gen, flags);
    status = gpucmd_priv_i915_va(status, gen, src_va, ~0u);
    status = gpucmd_priv_i915_va(status, gen, dst_va, ~0u);
    if (status == GPUCMD_OK) {
        dw[0] = GPUCMD_I915_PRIV_DW0(GSC_HECI_CMD_PKT, flags);
        dw = gpucmd_priv_i915_put_va(dw + 1, gen, src_va);
        dw[0] = src_bytes;
        dw = gpucmd_priv_i915_put_va(dw + 1, gen, dst_va);
        dw[0] = dst_bytes;
        dw[1] = 0;
    }
    return status;
}

/* Load the GSC firmware at va; gen12.7 and later. flags: 0. limit: DW3, with the fields LIMIT_VALID
 * and PAGES. PAGES is the size of the firmware in pages of 4096 bytes. */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_i915_encode_gsc_fw_load(
    uint32_t *dw, gpucmd_i915_gen gen, uint32_t flags, uint64_t va, uint32_t limit)
{
    gpucmd_status status = GPUCMD_I915_PRIV_FLAGS(GSC_FW_LOAD, gen, flags);
    status = gpucmd_priv_i915_va(status, gen, va, ~0u);
    return gpucmd_priv_i915_encode_va(dw, gen, status, GPUCMD_I915_HDR_GSC_FW_LOAD + flags, 0, 0,
                                      va, 1, limit);
}

/* Bits that belong to fields of PIPE_CONTROL in DW0, DW1 and DW2. */
typedef struct gpucmd_priv_i915_sync {
    uint32_t dw[3];
} gpucmd_priv_i915_sync;

GPUCMD_INLINE gpucmd_priv_i915_sync gpucmd_priv_i915_sync_bits(gpucmd_i915_gen gen)
{
    gpucmd_priv_i915_sync legal;
    legal.dw[0] = GPUCMD_I915_PRIV_LEGAL(PIPE_CONTROL, gen, 0);
    legal.dw[1] = GPUCMD_I915_PRIV_LEGAL(PIPE_CONTROL, gen, 1);
    legal.dw[2] = GPUCMD_I915_PRIV_LEGAL(PIPE_CONTROL, gen, 2);
    return legal;
}

/* As gpucmd_priv_i915_sync_bits (inline, for a constant gen), for a gen that is not a constant. */
#define GPUCMD_I915_PRIV_SYNC(name, number, text, parts)                                           \
    case GPUCMD_I915_GEN##name: return gpucmd_priv_i915_sync_bits(GPUCMD_I915_GEN##name);
GPUCMD_I915_PRIV_SHARED gpucmd_priv_i915_sync gpucmd_priv_i915_sync_shared(gpucmd_i915_gen gen)
{
    switch (gen) {
        GPUCMD_I915_GENS(GPUCMD_I915_PRIV_SYNC)
    }
    return gpucmd_priv_i915_sync_bits(GPUCMD_I915_GEN2);
}
#undef GPUCMD_I915_PRIV_SYNC

/* Check flags0, flags1 and va of PIPE_CONTROL. Return a status. */
GPUCMD_INLINE gpucmd_status gpucmd_priv_i915_check_pipe_control(gpucmd_i915_gen gen,
                                                                uint32_t flags0, uint32_t flags1,
                                                                uint64_t va)
{
    const gpucmd_priv_i915_sync legal = GPUCMD_I915_PRIV_KNOWN(gen)
                                            ? gpucmd_priv_i915_sync_bits(gen)
                                            : gpucmd_priv_i915_sync_shared(gen);
    const bool old = gen < GPUCMD_I915_GEN6;
    const bool store =
        gen >= GPUCMD_I915_GEN7 && (flags1 & GPUCMD_I915_BITS(PIPE_CONTROL_LRI_POST_SYNC)) == 0;
    gpucmd_status status =
        gpucmd_priv_i915_flags(gen, GPUCMD_I915_PRIV_LIMITS_PIPE_CONTROL, flags0, legal.dw[0]);
    status = gpucmd_priv_i915_word(status, flags1, old ? 0 : legal.dw[1]);
    return gpucmd_priv_i915_va(status, gen, va, legal.dw[old ? 1 : 2] & ~(store ? 4u : 0u));
}

/* Flush and stall, then perform POST_SYNC, a GPUCMD_I915_POST_SYNC_*.
 *   flags0  fields of DW0. Before gen6 with POST_SYNC_G4; gen6 to gen11: 0
 *   flags1  fields of DW1, with POST_SYNC. Before gen6: 0
 *   va      address that POST_SYNC writes, 8-byte aligned. With STORE_INDEX: byte offset in the
 *           status page, 8-byte aligned. With LRI_POST_SYNC: byte offset of a register, 4-byte
 *           aligned. Flags in the low bits before gen7: gen4 GGTT_G4; gen5 GGTT_G4,
 *           STALL_AT_SCOREBOARD_G5, DEPTH_FLUSH_INHIBIT_G5; gen6 GGTT_G6
 *   data    immediate of 64 bits */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_i915_encode_pipe_control(
    uint32_t *dw, gpucmd_i915_gen gen, uint32_t flags0, uint32_t flags1, uint64_t va, uint64_t data)
{
    return gpucmd_priv_i915_encode_va(
        dw, gen, gpucmd_priv_i915_check_pipe_control(gen, flags0, flags1, va),
        GPUCMD_I915_HDR_PIPE_CONTROL + flags0, gen >= GPUCMD_I915_GEN6, flags1, va, 2, data);
}

/* As gpucmd_i915_encode_pipe_control, on gen6 and later, but data has 32 bits (one word less). */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_i915_encode_pipe_control_short(
    uint32_t *dw, gpucmd_i915_gen gen, uint32_t flags0, uint32_t flags1, uint64_t va, uint32_t data)
{
    const gpucmd_status status = gpucmd_priv_i915_since(
        gen, GPUCMD_I915_GEN6, gpucmd_priv_i915_check_pipe_control(gen, flags0, flags1, va));
    return gpucmd_priv_i915_encode_va(dw, gen, status, GPUCMD_I915_HDR_PIPE_CONTROL + flags0, 1,
                                      flags1, va, 1, data);
}

/* ---- 2D ---- */

/* Operands of a 2D command. A command ignores the members that it does not use. The rectangle has
 * columns x1 to x2 - 1 and rows y1 to y2 - 1. It is empty if x2 <= x1 or y2 <= y1. */
typedef struct gpucmd_i915_blt {
    uint32_t flags;       /* fields of DW0, without the length */
    uint32_t br13;        /* fields of DW1, see gpucmd_i915_br13: depth, raster operation, pitch */
    int32_t x1, y1;       /* first column and row, -32768..32767 */
    int32_t x2, y2;       /* first column and row after the rectangle, -32768..32767 */
    uint64_t dst_va;      /* 4-byte aligned; MEM_COPY, MEM_SET: any alignment */
    uint64_t src_va;      /* 4-byte aligned; monochrome: 2-byte; XY_TEXT_BLT, MEM_COPY: any */
    int32_t src_x, src_y; /* first column and row of the source, -32768..32767 */
    int32_t src_pitch;    /* -32768..32767, in the unit of the field PITCH of DW1 */
    uint32_t rows;        /* COLOR_BLT, SRC_COPY_BLT: height in rows, 0..65535 */
    uint32_t width_bytes; /* COLOR_BLT, SRC_COPY_BLT: width in bytes, 0..65535 */
    uint32_t color[4];    /* fill: [0]; source bit 0: [0], 1: [1]; pattern bit 0: [2], 1: [3] */
    uint64_t pattern_va;  /* color pattern of 64 pixels, 64-byte aligned; XY_SETUP_BLT: 4-byte */
    uint32_t offsets;     /* DW6: offsets in the destination; CTRL_SURF_COPY: DST_MOCS of DW4 */
    uint32_t src_layout;  /* XY_BLOCK_COPY_BLT: DW8, pitch minus 1 and tiling; XY_FAST_COPY_BLT of
                             Xe2 and later: SRC_MOCS_INDEX, SRC_ENCRYPT of DW7 */
    uint32_t src_offsets; /* XY_BLOCK_COPY_BLT: DW11; XY_CTRL_SURF_COPY_BLT: SRC_MOCS of DW2 */
    uint32_t surface[10]; /* gen12.5 and later: DW12 to DW21 of BLOCK_COPY, DW11 to DW15 of
                             FAST_COLOR. MEM_COPY: DW1 to DW4, DW9; MEM_SET: DW1 to DW3, DW6 */
    uint32_t pattern[2];  /* monochrome pattern: one byte for each row, bit 7 is the first pixel */
    uint32_t key[2];      /* lowest and highest color of the CHROMA commands */
    const uint32_t *data; /* IMMEDIATE commands: bits or pixels */
    uint32_t data_dw;     /* IMMEDIATE commands: words of data, even, 2..128 */
    bool short_form;      /* XY_BLOCK_COPY_BLT: 12 words, without surface */
} gpucmd_i915_blt;

/* Return DW1 of a 2D command that exists before gen9. Bits outside a field are dropped. [GX] [IGT]
 *   depth  0: 8 bits, 1: 565, 2: 1555, 3: 32 bits
 *   rop    bit 4P + 2S + D is the result for pattern P, source S, destination D
 *   pitch  in bytes; if the surface is tiled, in words */
GPUCMD_INLINE uint32_t gpucmd_i915_br13(uint32_t depth, uint32_t rop, int32_t pitch)
{
    return GPUCMD_I915_PUT(BLT_DEPTH, depth & 3) | GPUCMD_I915_PUT(BLT_ROP, rop & 0xff) |
           ((uint32_t)pitch & 0xffff);
}

/* Facts of a 2D command for the encoder. head: first word. limits:
 * GPUCMD_I915_PRIV_LIMITS_<command>, 0 if the command is not a 2D command. legal: bits of the
 * fields of DW0. parts: mask of the parts. */
typedef struct gpucmd_priv_i915_blt_row {
    uint32_t head, limits, legal, parts;
} gpucmd_priv_i915_blt_row;

#define GPUCMD_I915_PRIV_BLT_CASE(x, name, p, q, r, s)                                             \
    case GPUCMD_I915_OP_##name:                                                                    \
        row.head = GPUCMD_I915_HDR_##name;                                                         \
        row.legal = 0u GPUCMD_I915_##name##_BITS0(GPUCMD_I915_PRIV_LEGAL_ROW, gen);                \
        row.limits = GPUCMD_I915_PRIV_LIMITS_##name;                                               \
        row.parts = GPUCMD_I915_PRIV_PARTS_##name;                                                 \
        break;
GPUCMD_INLINE gpucmd_priv_i915_blt_row gpucmd_priv_i915_blt_find(gpucmd_i915_gen gen,
                                                                 gpucmd_i915_op op)
{
    gpucmd_priv_i915_blt_row row = {0, 0, 0, 0};
    switch ((int)op) {
        GPUCMD_I915_BLTS(GPUCMD_I915_PRIV_BLT_CASE, )
    }
    return row;
}
#undef GPUCMD_I915_PRIV_BLT_CASE

/* Return the bits that belong to fields of DW1 of the 2D command op. */
GPUCMD_INLINE uint32_t gpucmd_priv_i915_blt_legal1(gpucmd_i915_gen gen, gpucmd_i915_op op)
{
    return op == GPUCMD_I915_OP_COLOR_BLT      ? GPUCMD_I915_PRIV_LEGAL(COLOR_BLT, gen, 1)
           : op == GPUCMD_I915_OP_SRC_COPY_BLT ? GPUCMD_I915_PRIV_LEGAL(SRC_COPY_BLT, gen, 1)
           : op == GPUCMD_I915_OP_XY_FAST_COPY_BLT
               ? GPUCMD_I915_PRIV_LEGAL(XY_FAST_COPY_BLT, gen, 1)
           : op == GPUCMD_I915_OP_XY_FAST_COLOR_BLT
               ? GPUCMD_I915_PRIV_LEGAL(XY_FAST_COLOR_BLT, gen, 1)
           : op == GPUCMD_I915_OP_XY_BLOCK_COPY_BLT
               ? GPUCMD_I915_PRIV_LEGAL(XY_BLOCK_COPY_BLT, gen, 1)
               : GPUCMD_I915_PRIV_LEGAL(BR13, gen, 1);
}

GPUCMD_INLINE bool gpucmd_priv_i915_coord(int32_t v)
{
    return v >= -32768 && v <= 32767;
}

GPUCMD_INLINE uint32_t gpucmd_priv_i915_yx(int32_t y, int32_t x)
{
    return (uint32_t)y << 16 | ((uint32_t)x & 0xffff);
}

/* Return status if it is a failure. Otherwise return GPUCMD_RANGE if parameter fits is false. */
GPUCMD_INLINE gpucmd_status gpucmd_priv_i915_range(gpucmd_status status, bool fits)
{
    return status != GPUCMD_OK ? status : fits ? GPUCMD_OK : GPUCMD_RANGE;
}

/* Check the members of b that describe the source. parts: mask of the parts of the command. */
GPUCMD_INLINE gpucmd_status gpucmd_priv_i915_check_src(gpucmd_status status, gpucmd_i915_gen gen,
                                                       const gpucmd_i915_blt *b, uint32_t parts)
{
    if ((parts & GPUCMD_I915_PRIV_BLT_BYTE_SRC) == 0) {
        status = gpucmd_priv_i915_range(status, gpucmd_priv_i915_coord(b->src_x) &&
                                                    gpucmd_priv_i915_coord(b->src_y));
    }
    if ((parts & GPUCMD_I915_PRIV_BLT_BLOCK_SRC) == 0) {
        status = gpucmd_priv_i915_range(status, gpucmd_priv_i915_coord(b->src_pitch));
    }
    return gpucmd_priv_i915_va(status, gen, b->src_va, ~3u);
}

/* Return the reserved bits set in s, the member surface of MEM_COPY (copy is true) or MEM_SET. */
GPUCMD_INLINE uint32_t gpucmd_priv_i915_mem_stray(const uint32_t *s, bool copy)
{
    const uint32_t low = GPUCMD_I915_BITS(MEM_COPY_ROWS);
    const uint32_t size = (s[0] & ~GPUCMD_I915_BITS(MEM_COPY_WIDTH)) | ((s[1] | s[2]) & ~low);
    return copy ? size | (s[3] & ~low) |
                      (s[4] & ~GPUCMD_I915_PRIV_LEGAL(MEM_COPY, GPUCMD_I915_GEN20, 9))
                : size | (s[3] & ~GPUCMD_I915_PRIV_LEGAL(MEM_SET, GPUCMD_I915_GEN20, 6));
}

/* Check the words s of member surface of XY_BLOCK_COPY_BLT (block is true) or XY_FAST_COLOR_BLT.
 * The source and the destination of XY_BLOCK_COPY_BLT have the same fields. */
GPUCMD_INLINE gpucmd_status gpucmd_priv_i915_check_surface_words(gpucmd_status status,
                                                                 gpucmd_i915_gen gen,
                                                                 const uint32_t *s, bool block)
{
    uint32_t stray;
    if (gen < GPUCMD_I915_GEN12_5) {
        return status;
    }
    if (block) {
        stray = ((s[4] | s[7]) & ~GPUCMD_I915_PRIV_LEGAL(XY_BLOCK_COPY_BLT, gen, 16)) |
                ((s[5] | s[8]) & ~GPUCMD_I915_PRIV_LEGAL(XY_BLOCK_COPY_BLT, gen, 17)) |
                ((s[6] | s[9]) & ~GPUCMD_I915_PRIV_LEGAL(XY_BLOCK_COPY_BLT, gen, 18));
    } else {
        stray = (s[0] & ~GPUCMD_I915_PRIV_LEGAL(XY_FAST_COLOR_BLT, gen, 11)) |
                (s[1] & ~GPUCMD_I915_PRIV_LEGAL(XY_FAST_COLOR_BLT, gen, 12)) |
                (s[2] & ~GPUCMD_I915_PRIV_LEGAL(XY_FAST_COLOR_BLT, gen, 13)) |
                (s[3] & ~GPUCMD_I915_PRIV_LEGAL(XY_FAST_COLOR_BLT, gen, 14)) |
                (s[4] & ~GPUCMD_I915_PRIV_LEGAL(XY_FAST_COLOR_BLT, gen, 15));
    }
    return gpucmd_priv_i915_word(status, stray, 0);
}

/* Check the operands of the parts CONTROL, OFFSETS, BLOCK_SRC, COLOR_4, FAST_SRC and MEM. */
GPUCMD_INLINE gpucmd_status gpucmd_priv_i915_check_surfaces(gpucmd_status status,
                                                            gpucmd_i915_gen gen, gpucmd_i915_op op,
                                                            const gpucmd_i915_blt *b,
                                                            uint32_t parts)
{
    if ((parts & GPUCMD_I915_PRIV_BLT_CONTROL) != 0) {
        status = gpucmd_priv_i915_va(status, gen, b->src_va, ~3u);
        status = gpucmd_priv_i915_word(status, b->src_offsets,
                                       GPUCMD_I915_BITS(XY_CTRL_SURF_COPY_BLT_SRC_MOCS));
        status = gpucmd_priv_i915_va(status, gen, b->dst_va, ~3u);
        status = gpucmd_priv_i915_word(status, b->offsets,
                                       GPUCMD_I915_BITS(XY_CTRL_SURF_COPY_BLT_DST_MOCS));
    }
    if ((parts & GPUCMD_I915_PRIV_BLT_OFFSETS) != 0) {
        uint32_t legal = GPUCMD_I915_PRIV_LEGAL(XY_BLOCK_COPY_BLT, gen, 6);
        if (op == GPUCMD_I915_OP_XY_FAST_COLOR_BLT) {
            legal = GPUCMD_I915_PRIV_LEGAL(XY_FAST_COLOR_BLT, gen, 6);
        }
        status = gpucmd_priv_i915_word(status, b->offsets, legal);
    }
    if ((parts & GPUCMD_I915_PRIV_BLT_BLOCK_SRC) != 0) {
        status = gpucmd_priv_i915_word(status, b->src_layout,
                                       GPUCMD_I915_PRIV_LEGAL(XY_BLOCK_COPY_BLT, gen, 8));
        status = gpucmd_priv_i915_word(status, b->src_offsets,
                                       GPUCMD_I915_PRIV_LEGAL(XY_BLOCK_COPY_BLT, gen, 11));
    }
    if ((parts & (GPUCMD_I915_PRIV_BLT_BLOCK_SRC | GPUCMD_I915_PRIV_BLT_COLOR_4)) != 0) {
        const bool block = (parts & GPUCMD_I915_PRIV_BLT_BLOCK_SRC) != 0;
        status = block && b->short_form
                     ? status
                     : gpucmd_priv_i915_check_surface_words(status, gen, b->surface, block);
    }
    if (parts >> 24 != 0 && gen >= GPUCMD_I915_GEN20) { /* parts has FAST_SRC */
        status = gpucmd_priv_i915_word(status, b->src_layout,
                                       GPUCMD_I915_PRIV_LEGAL(XY_FAST_COPY_BLT, gen, 7) & ~0xffffu);
    }
    if ((parts & GPUCMD_I915_PRIV_BLT_MEM) != 0) {
        const bool copy = (parts & GPUCMD_I915_PRIV_BLT_MEM_SRC) != 0;
        status = gpucmd_priv_i915_va(status, gen, b->dst_va, ~0u);
        status = copy ? gpucmd_priv_i915_va(status, gen, b->src_va, ~0u) : status;
        status = gpucmd_priv_i915_word(status, gpucmd_priv_i915_mem_stray(b->surface, copy), 0);
    }
    return status;
}

GPUCMD_INLINE gpucmd_status gpucmd_priv_i915_check_blt(gpucmd_i915_gen gen, gpucmd_i915_op op,
                                                       const gpucmd_i915_blt *b,
                                                       const gpucmd_priv_i915_blt_row *row)
{
    const uint32_t parts = row->parts;
    gpucmd_status status = row->limits == 0
                               ? GPUCMD_INVALID
                               : gpucmd_priv_i915_flags(gen, row->limits, b->flags, row->legal);
    if ((parts & GPUCMD_I915_PRIV_BLT_BR13) != 0) {
        status = gpucmd_priv_i915_word(status, b->br13, gpucmd_priv_i915_blt_legal1(gen, op));
    }
    if ((parts & GPUCMD_I915_PRIV_BLT_ROWS) != 0) {
        status = gpucmd_priv_i915_word(status, b->rows | b->width_bytes, 0xffff);
    }
    if ((parts & (GPUCMD_I915_PRIV_BLT_RECT | GPUCMD_I915_PRIV_BLT_PIXEL)) != 0) {
        status = gpucmd_priv_i915_range(status, gpucmd_priv_i915_coord(b->x1) &&
                                                    gpucmd_priv_i915_coord(b->y1));
    }
    if ((parts & GPUCMD_I915_PRIV_BLT_RECT) != 0) {
        status = gpucmd_priv_i915_range(status, gpucmd_priv_i915_coord(b->x2) &&
                                                    gpucmd_priv_i915_coord(b->y2));
    }
    if ((parts & GPUCMD_I915_PRIV_BLT_DST) != 0) {
        status = gpucmd_priv_i915_va(status, gen, b->dst_va, ~3u);
    }
    if ((parts & (GPUCMD_I915_PRIV_BLT_COPY_SRC | GPUCMD_I915_PRIV_BLT_FULL_SRC |
                  GPUCMD_I915_PRIV_BLT_BYTE_SRC | GPUCMD_I915_PRIV_BLT_BLOCK_SRC)) != 0) {
        status = gpucmd_priv_i915_check_src(status, gen, b, parts);
    }
    status = gpucmd_priv_i915_check_surfaces(status, gen, op, b, parts);
    if ((parts & (GPUCMD_I915_PRIV_BLT_MONO | GPUCMD_I915_PRIV_BLT_TEXT)) != 0) {
        status = gpucmd_priv_i915_va(status, gen, b->src_va,
                                     (parts & GPUCMD_I915_PRIV_BLT_TEXT) != 0 ? ~0u : ~1u);
    }
    if ((parts & (GPUCMD_I915_PRIV_BLT_PATTERN | GPUCMD_I915_PRIV_BLT_SETUP_PATTERN)) != 0) {
        status = gpucmd_priv_i915_va(status, gen, b->pattern_va,
                                     (parts & GPUCMD_I915_PRIV_BLT_PATTERN) != 0 ? ~63u : ~3u);
    }
    if ((parts & GPUCMD_I915_PRIV_BLT_DATA) != 0 && status == GPUCMD_OK &&
        (b->data_dw < 2 || b->data_dw > 128 || (b->data_dw & 1) != 0)) {
        status = GPUCMD_RANGE;
    }
    return status;
}

/* Store the words of the parts with a source, of MEM and of CONTROL. Return the next position. */
GPUCMD_INLINE uint32_t *gpucmd_priv_i915_put_src(uint32_t *dw, gpucmd_i915_gen gen,
                                                 const gpucmd_i915_blt *b, uint32_t parts)
{
    if ((parts & GPUCMD_I915_PRIV_BLT_MEM) != 0) {
        const uint32_t n = (parts & GPUCMD_I915_PRIV_BLT_MEM_SRC) != 0 ? 4 : 3;
        gpucmd_priv_copy(dw, b->surface, n * 4);
        dw = n == 4 ? gpucmd_priv_i915_put_va(dw + n, gen, b->src_va) : dw + n;
        dw = gpucmd_priv_i915_put_va(dw, gen, b->dst_va);
        *dw++ = b->surface[n];
    }
    if ((parts & GPUCMD_I915_PRIV_BLT_CONTROL) != 0) {
        *dw++ = (uint32_t)b->src_va;
        *dw++ = (gpucmd_priv_i915_va_high(b->src_va) & 0xffff) | b->src_offsets;
        *dw++ = (uint32_t)b->dst_va;
        *dw++ = (gpucmd_priv_i915_va_high(b->dst_va) & 0xffff) | b->offsets;
    }
    if ((parts & (GPUCMD_I915_PRIV_BLT_FULL_SRC | GPUCMD_I915_PRIV_BLT_BYTE_SRC)) != 0) {
        *dw++ = (uint32_t)b->src_pitch & 0xffff;
    }
    if ((parts & (GPUCMD_I915_PRIV_BLT_COPY_SRC | GPUCMD_I915_PRIV_BLT_FULL_SRC |
                  GPUCMD_I915_PRIV_BLT_BLOCK_SRC)) != 0) {
        *dw++ = gpucmd_priv_i915_yx(b->src_y, b->src_x);
    }
    if ((parts & (GPUCMD_I915_PRIV_BLT_COPY_SRC | GPUCMD_I915_PRIV_BLT_BLOCK_SRC)) != 0) {
        const bool layout = (parts & GPUCMD_I915_PRIV_BLT_BLOCK_SRC) != 0 ||
                            (parts >> 24 != 0 && gen >= GPUCMD_I915_GEN20);
        *dw++ =
            ((parts & GPUCMD_I915_PRIV_BLT_COPY_SRC) != 0 ? (uint32_t)b->src_pitch & 0xffff : 0) |
            (layout ? b->src_layout : 0);
    }
    if ((parts & (GPUCMD_I915_PRIV_BLT_COPY_SRC | GPUCMD_I915_PRIV_BLT_FULL_SRC |
                  GPUCMD_I915_PRIV_BLT_BYTE_SRC | GPUCMD_I915_PRIV_BLT_BLOCK_SRC |
                  GPUCMD_I915_PRIV_BLT_MONO | GPUCMD_I915_PRIV_BLT_TEXT)) != 0) {
        dw = gpucmd_priv_i915_put_va(dw, gen, b->src_va);
    }
    if ((parts & GPUCMD_I915_PRIV_BLT_BLOCK_SRC) != 0) {
        *dw++ = b->src_offsets;
        if (gen >= GPUCMD_I915_GEN12_5 && !b->short_form) {
            gpucmd_priv_copy(dw, b->surface, sizeof b->surface);
        }
    }
    return dw;
}

/* Store the words of the parts with colors, pattern, key and data. */
GPUCMD_INLINE void gpucmd_priv_i915_put_colors(uint32_t *dw, gpucmd_i915_gen gen,
                                               const gpucmd_i915_blt *b, uint32_t parts)
{
    uint32_t i;
    const uint32_t colors = (parts & GPUCMD_I915_PRIV_BLT_COLOR_4) != 0  ? 4
                            : (parts & GPUCMD_I915_PRIV_BLT_COLORS) != 0 ? 2
                            : (parts & GPUCMD_I915_PRIV_BLT_COLOR) != 0  ? 1
                                                                         : 0;
    for (i = 0; i < colors; i++) {
        *dw++ = b->color[i];
    }
    if ((parts & GPUCMD_I915_PRIV_BLT_COLOR_4) != 0) {
        gpucmd_priv_copy(dw, b->surface, gen >= GPUCMD_I915_GEN12_5 ? 20 : 0); /* DW11..DW15 */
    }
    if ((parts & (GPUCMD_I915_PRIV_BLT_PATTERN | GPUCMD_I915_PRIV_BLT_SETUP_PATTERN)) != 0) {
        dw = gpucmd_priv_i915_put_va(dw, gen, b->pattern_va);
    }
    if ((parts & GPUCMD_I915_PRIV_BLT_PATTERN_COLORS) != 0) {
        *dw++ = b->color[2];
        *dw++ = b->color[3];
    }
    if ((parts & GPUCMD_I915_PRIV_BLT_PATTERN_WORDS) != 0) {
        *dw++ = b->pattern[0];
        *dw++ = b->pattern[1];
    }
    if ((parts & GPUCMD_I915_PRIV_BLT_KEY) != 0) {
        *dw++ = b->key[0];
        *dw++ = b->key[1];
    }
    if ((parts & GPUCMD_I915_PRIV_BLT_DATA) != 0) {
        gpucmd_priv_copy(dw, b->data, (size_t)b->data_dw * 4);
    }
}

/* Return the size of a 2D command in words. */
GPUCMD_INLINE uint32_t gpucmd_priv_i915_blt_dw(gpucmd_i915_gen gen, const gpucmd_i915_blt *b,
                                               const gpucmd_priv_i915_blt_row *row)
{
    const uint32_t n = (row->parts & GPUCMD_I915_PRIV_BLT_DATA) != 0 ? b->data_dw : 0;
    const bool brief = (row->parts & GPUCMD_I915_PRIV_BLT_BLOCK_SRC) != 0 && b->short_form;
    return GPUCMD_I915_PRIV_BLT_DW(row->limits, brief ? GPUCMD_I915_GEN12 : gen, n);
}

/* Store a 2D command whose operands were checked. */
GPUCMD_INLINE void gpucmd_priv_i915_put_blt(uint32_t *dw, gpucmd_i915_gen gen,
                                            const gpucmd_i915_blt *b,
                                            const gpucmd_priv_i915_blt_row *row)
{
    const uint32_t parts = row->parts;
    *dw++ = row->head + b->flags + gpucmd_priv_i915_blt_dw(gen, b, row) - 2;
    if ((parts & GPUCMD_I915_PRIV_BLT_BR13) != 0) {
        *dw++ = b->br13;
    }
    if ((parts & GPUCMD_I915_PRIV_BLT_ROWS) != 0) {
        *dw++ = b->rows << 16 | b->width_bytes;
    }
    if ((parts & (GPUCMD_I915_PRIV_BLT_RECT | GPUCMD_I915_PRIV_BLT_PIXEL)) != 0) {
        *dw++ = gpucmd_priv_i915_yx(b->y1, b->x1);
    }
    if ((parts & GPUCMD_I915_PRIV_BLT_RECT) != 0) {
        *dw++ = gpucmd_priv_i915_yx(b->y2, b->x2);
    }
    if ((parts & GPUCMD_I915_PRIV_BLT_DST) != 0) {
        dw = gpucmd_priv_i915_put_va(dw, gen, b->dst_va);
    }
    if ((parts & GPUCMD_I915_PRIV_BLT_OFFSETS) != 0) {
        *dw++ = b->offsets;
    }
    dw = gpucmd_priv_i915_put_src(dw, gen, b, parts);
    gpucmd_priv_i915_put_colors(dw, gen, b, parts);
}

/* Store the 2D command op, a GPUCMD_I915_OP_* of GPUCMD_I915_BLTS, with the operands b.
 *   XY_SETUP_BLT           set the state for XY_PIXEL, XY_SCANLINES and XY_TEXT: clip rectangle,
 *                          destination, colors, pattern
 *   XY_SETUP_MONO_PATTERN_SL_BLT   as XY_SETUP_BLT, with a monochrome pattern
 *   XY_SETUP_CLIP_BLT      set the clip rectangle of the state
 *   XY_PIXEL_BLT           draw one pixel at x1, y1 with the state
 *   XY_SCANLINES_BLT       draw a rectangle with the state
 *   XY_TEXT_*              expand bits to the two colors of the state. With BYTE_PACKED each row of
 *                          bits starts in a new byte; otherwise rows have no padding
 *   *COLOR_BLT             fill with color[0]; XY_FAST_COLOR_BLT fills with one pixel of up to 4
 *                          words, color[0] to color[3]
 *   *COPY_BLT              copy. SRC_COPY_BLT with X_DIRECTION in br13 copies from the right; the
 *                          addresses are those of the last byte of the first row [PRM5].
 *                          XY_FAST_COPY_BLT has no raster operation. Its DEPTH in br13 is 0 for 8
 *                          bits, 1 for 16, 3 for 32, 4 for 64, 5 for 128
 *   XY_PAT_*, XY_MONO_PAT_*   fill with a pattern of 8 by 8 pixels. PATTERN_X and
 *                          PATTERN_Y select the pattern pixel that is drawn at the
 *                          column 0 and row 0 of the destination
 *   XY_MONO_SRC_COPY_*     expand bits to color[0] and color[1]. Each row of bits starts at an even
 *                          byte. FIRST_BIT is the number of bits to skip in each row
 *   XY_FULL_*              combine source, pattern and destination
 *   *CHROMA*               draw the pixels that RANGE_MODE selects. Even values: all pixels. 1 and
 *                          3: pixels whose source is outside key. 5 and 7: pixels whose
 *                          destination is inside key. 3 and 5 also compare alpha. A color is inside
 *                          key if each component is at least that of key[0] and at most that of
 *                          key[1]. With a pattern 1 and 3 are invalid. [PRM5] [PRM7] BR00
 *   XY_MONO_PAT_FIXED_BLT  as XY_MONO_PAT_BLT, with pattern NUMBER of GPUCMD_I915_FIXED_PATTERNS
 *   XY_CTRL_SURF_COPY_BLT  copy the compression state of surfaces
 *   MEM_COPY, MEM_SET      copy memory; fill memory with one byte
 * A command with IMMEDIATE in its name has the bits or pixels of its source or pattern in member
 * data. Statuses are those of gpucmd_i915_encode_<command>. GPUCMD_RANGE also if a coordinate, a
 * pitch, rows, width_bytes or data_dw is outside its range. GPUCMD_INVALID: op is no 2D command. */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_i915_encode_blt(uint32_t *dw,
                                                                     gpucmd_i915_gen gen,
                                                                     gpucmd_i915_op op,
                                                                     const gpucmd_i915_blt *b)
{
    const gpucmd_priv_i915_blt_row row = gpucmd_priv_i915_blt_find(gen, op);
    const gpucmd_status status = gpucmd_priv_i915_check_blt(gen, op, b, &row);
    if (status == GPUCMD_OK) {
        gpucmd_priv_i915_put_blt(dw, gen, b, &row);
    }
    return status;
}

/* ==== [I915.EMIT] ========================================================================== */

/* gpucmd_i915_emit_<command>(w, gen, flags, ...) appends the command that
 * gpucmd_i915_encode_<command> stores, whole or not at all. A failure is recorded in w: the status
 * of the encoder, or GPUCMD_FULL if w is full. */

/* Append len_dw words, or record a failed status. Called if gen or len_dw is not a constant. */
GPUCMD_I915_PRIV_SHARED void gpucmd_priv_i915_append(gpucmd_writer *w, gpucmd_status status,
                                                     const uint32_t *dw, size_t len_dw)
{
    size_t i;
    if (status != GPUCMD_OK) {
        gpucmd_priv_writer_fail(w, status);
        return;
    }
    uint32_t *at = gpucmd_priv_writer_claim(w, len_dw);
    for (i = 0; at != NULL && i < len_dw; i++) {
        at[i] = dw[i];
    }
}

GPUCMD_INLINE void gpucmd_priv_i915_emit(gpucmd_writer *w, gpucmd_i915_gen gen,
                                         gpucmd_status status, const gpucmd_priv_i915_words *out,
                                         size_t len_dw)
{
    size_t i;
    if (!GPUCMD_I915_PRIV_KNOWN(gen) || !GPUCMD_I915_PRIV_KNOWN(len_dw)) {
        gpucmd_priv_i915_append(w, status, out->dw, len_dw);
        return;
    }
    if (GPUCMD_PRIV_UNLIKELY(status != GPUCMD_OK)) {
        gpucmd_priv_writer_fail(w, status);
        return;
    }
    if (GPUCMD_PRIV_UNLIKELY(!gpucmd_priv_writer_fits(w, len_dw))) {
        (void)gpucmd_priv_writer_claim(w, len_dw); /* record FULL, or only count the words */
        return;
    }
    uint32_t *at = w->cur;
    w->cur = at + len_dw;
    at[0] = out->dw[0];
    if (len_dw > 1) {
        at[1] = out->dw[1];
    }
    if (len_dw > 2) {
        at[2] = out->dw[2];
    }
    if (len_dw > 3) {
        at[3] = out->dw[3];
    }
    if (len_dw > 4) {
        at[4] = out->dw[4];
    }
    if (len_dw > 5) {
        at[5] = out->dw[5];
    }
    for (i = 6; i < len_dw; i++) {
        at[i] = out->dw[i];
    }
}

/* Reserve len_dw words of w, or record a failed status. Result NULL: do not store the words. */
GPUCMD_INLINE uint32_t *gpucmd_priv_i915_claim(gpucmd_writer *w, gpucmd_status status,
                                               size_t len_dw)
{
    if (GPUCMD_PRIV_UNLIKELY(status != GPUCMD_OK)) {
        gpucmd_priv_writer_fail(w, status);
        return NULL;
    }
    return gpucmd_priv_writer_claim(w, len_dw);
}

/* Define gpucmd_i915_emit_<fn> of a command of len_dw or GPUCMD_I915_<size> words. _<n>: the
 * function has n arguments after flags. _SHARED: it is inline only if gen is a constant. */
#define GPUCMD_I915_PRIV_EMIT(fn, len_dw, params, args)                                            \
    GPUCMD_INLINE void gpucmd_i915_emit_##fn params                                                \
    {                                                                                              \
        gpucmd_priv_i915_words out = {{0}};                                                        \
        gpucmd_priv_i915_emit(w, gen, gpucmd_i915_encode_##fn args, &out, len_dw);                 \
    }
#define GPUCMD_I915_PRIV_EMIT_SHARED(fn, len_dw, params, args, own)                                \
    GPUCMD_I915_PRIV_SHARED void gpucmd_priv_i915_shared_##fn params                               \
    {                                                                                              \
        gpucmd_priv_i915_words out = {{0}};                                                        \
        gpucmd_priv_i915_append(w, gpucmd_i915_encode_##fn args, out.dw, len_dw);                  \
    }                                                                                              \
    GPUCMD_INLINE void gpucmd_i915_emit_##fn params                                                \
    {                                                                                              \
        if (GPUCMD_I915_PRIV_KNOWN(gen)) {                                                         \
            gpucmd_priv_i915_words out = {{0}};                                                    \
            gpucmd_priv_i915_emit(w, gen, gpucmd_i915_encode_##fn args, &out, len_dw);             \
        } else {                                                                                   \
            gpucmd_priv_i915_shared_##fn own;                                                      \
        }                                                                                          \
    }
#define GPUCMD_I915_PRIV_EMIT_0(fn)                                                                \
    GPUCMD_I915_PRIV_EMIT(fn, 1, (gpucmd_writer * w, gpucmd_i915_gen gen, uint32_t flags),         \
                          (out.dw, gen, flags))
#define GPUCMD_I915_PRIV_EMIT_1(fn, size, A, a)                                                    \
    GPUCMD_I915_PRIV_EMIT(fn, GPUCMD_I915_##size,                                                  \
                          (gpucmd_writer * w, gpucmd_i915_gen gen, uint32_t flags, A a),           \
                          (out.dw, gen, flags, a))
#define GPUCMD_I915_PRIV_EMIT_2(fn, size, A, a, B, b)                                              \
    GPUCMD_I915_PRIV_EMIT(fn, GPUCMD_I915_##size,                                                  \
                          (gpucmd_writer * w, gpucmd_i915_gen gen, uint32_t flags, A a, B b),      \
                          (out.dw, gen, flags, a, b))
#define GPUCMD_I915_PRIV_EMIT_3(fn, size, A, a, B, b, C, c)                                        \
    GPUCMD_I915_PRIV_EMIT(fn, GPUCMD_I915_##size,                                                  \
                          (gpucmd_writer * w, gpucmd_i915_gen gen, uint32_t flags, A a, B b, C c), \
                          (out.dw, gen, flags, a, b, c))
#define GPUCMD_I915_PRIV_EMIT_SHARED_1(fn, size, A, a)                                             \
    GPUCMD_I915_PRIV_EMIT_SHARED(fn, GPUCMD_I915_##size,                                           \
                                 (gpucmd_writer * w, gpucmd_i915_gen gen, uint32_t flags, A a),    \
                                 (out.dw, gen, flags, a), (w, gen, flags, a))
#define GPUCMD_I915_PRIV_EMIT_SHARED_2(fn, size, A, a, B, b)                                       \
    GPUCMD_I915_PRIV_EMIT_SHARED(                                                                  \
        fn, GPUCMD_I915_##size,                                                                    \
        (gpucmd_writer * w, gpucmd_i915_gen gen, uint32_t flags, A a, B b),                        \
        (out.dw, gen, flags, a, b), (w, gen, flags, a, b))

/* Define gpucmd_i915_emit_<fn>, which appends the command that gpucmd_priv_i915_<fn> returns. */
#define GPUCMD_I915_PRIV_EMIT_MANY(fn, params, args)                                               \
    GPUCMD_INLINE void gpucmd_i915_emit_##fn params                                                \
    {                                                                                              \
        const gpucmd_priv_i915_many m = gpucmd_priv_i915_##fn args;                                \
        uint32_t *dw = gpucmd_priv_i915_claim(w, m.status, (size_t)1 + m.before_dw + m.data_dw);   \
        if (dw != NULL) {                                                                          \
            gpucmd_priv_i915_put_many(dw, &m);                                                     \
        }                                                                                          \
    }
#define GPUCMD_I915_PRIV_EMIT_MANY_2(fn, A, a, B, b)                                               \
    GPUCMD_I915_PRIV_EMIT_MANY(fn,                                                                 \
                               (gpucmd_writer * w, gpucmd_i915_gen gen, uint32_t flags, A a, B b), \
                               (gen, flags, a, b))
#define GPUCMD_I915_PRIV_EMIT_MANY_3(fn, A, a, B, b, C, c)                                         \
    GPUCMD_I915_PRIV_EMIT_MANY(                                                                    \
        fn, (gpucmd_writer * w, gpucmd_i915_gen gen, uint32_t flags, A a, B b, C c),               \
        (gen, flags, a, b, c))

GPUCMD_I915_PRIV_EMIT_0(mi_noop)
GPUCMD_I915_PRIV_EMIT_0(mi_set_predicate)
GPUCMD_I915_PRIV_EMIT_0(mi_user_interrupt)
GPUCMD_I915_PRIV_EMIT_0(mi_wait_for_event)
GPUCMD_I915_PRIV_EMIT_0(mi_flush)
GPUCMD_I915_PRIV_EMIT_0(mi_wait_for_event_2)
GPUCMD_I915_PRIV_EMIT_0(mi_arb_check)
GPUCMD_I915_PRIV_EMIT_0(mi_rs_control)
GPUCMD_I915_PRIV_EMIT_0(mi_report_head)
GPUCMD_I915_PRIV_EMIT_0(mi_arb_on_off)
GPUCMD_I915_PRIV_EMIT_0(mi_urb_atomic_alloc)
GPUCMD_I915_PRIV_EMIT_0(mi_mem_fence)
GPUCMD_I915_PRIV_EMIT_0(mi_batch_buffer_end)
GPUCMD_I915_PRIV_EMIT_0(mi_suspend_flush)
GPUCMD_I915_PRIV_EMIT_0(mi_predicate)
GPUCMD_I915_PRIV_EMIT_0(mi_topology_filter)
GPUCMD_I915_PRIV_EMIT_0(mi_set_appid)
GPUCMD_I915_PRIV_EMIT_0(mi_rs_context)
GPUCMD_I915_PRIV_EMIT_1(mi_overlay_flip, MI_OVERLAY_FLIP_DW, uint32_t, address)
GPUCMD_I915_PRIV_EMIT_1(mi_load_scan_lines_incl, MI_LOAD_SCAN_LINES_INCL_DW, uint32_t, lines)
GPUCMD_I915_PRIV_EMIT_1(mi_load_scan_lines_excl, MI_LOAD_SCAN_LINES_EXCL_DW, uint32_t, lines)
GPUCMD_I915_PRIV_EMIT_1(mi_vertex_buffer, MI_VERTEX_BUFFER_DW, uint32_t, data)
GPUCMD_I915_PRIV_EMIT_1(mi_set_context, MI_SET_CONTEXT_DW, uint32_t, context)
GPUCMD_I915_PRIV_EMIT_1(mi_urb_clear, MI_URB_CLEAR_DW, uint32_t, range)
GPUCMD_I915_PRIV_EMIT_1(mi_semaphore_signal, MI_SEMAPHORE_SIGNAL_DW, uint32_t, context)
GPUCMD_I915_PRIV_EMIT_1(mi_force_wakeup, MI_FORCE_WAKEUP_DW, uint32_t, wells)
GPUCMD_I915_PRIV_EMIT_2(mi_semaphore_mbox, MI_SEMAPHORE_MBOX_DW, uint32_t, data, uint64_t, va)
GPUCMD_I915_PRIV_EMIT_2(mi_semaphore_wait, MI_SEMAPHORE_WAIT_DW, uint32_t, data, uint64_t, va)
GPUCMD_I915_PRIV_EMIT_3(mi_semaphore_wait_token, MI_SEMAPHORE_WAIT_TOKEN_DW, uint32_t, data,
                        uint64_t, va, uint32_t, token)
GPUCMD_I915_PRIV_EMIT_2(mi_store_data_index, MI_STORE_DATA_INDEX_DW, uint32_t, offset_bytes,
                        uint32_t, data)
GPUCMD_I915_PRIV_EMIT_2(mi_store_data_index_qw, MI_STORE_DATA_INDEX_QW_DW, uint32_t, offset_bytes,
                        uint64_t, data)
GPUCMD_I915_PRIV_EMIT_2(mi_store_register_mem, MI_STORE_REGISTER_MEM_DW(gen), uint32_t, reg,
                        uint64_t, va)
GPUCMD_I915_PRIV_EMIT_2(mi_load_register_mem, MI_LOAD_REGISTER_MEM_DW(gen), uint32_t, reg, uint64_t,
                        va)
GPUCMD_I915_PRIV_EMIT_2(mi_load_register_reg, MI_LOAD_REGISTER_REG_DW, uint32_t, src_reg, uint32_t,
                        dst_reg)
GPUCMD_I915_PRIV_EMIT_2(gsc_fw_load, GSC_FW_LOAD_DW, uint64_t, va, uint32_t, limit)
GPUCMD_I915_PRIV_EMIT_SHARED_2(mi_flush_dw, MI_FLUSH_DW_DW(gen), uint64_t, va, uint32_t, data)
GPUCMD_I915_PRIV_EMIT_1(mi_flush_dw_short, MI_FLUSH_DW_SHORT_DW, uint64_t, va)
GPUCMD_I915_PRIV_EMIT_2(mi_flush_dw_qw, MI_FLUSH_DW_QW_DW(gen), uint64_t, va, uint64_t, data)
GPUCMD_I915_PRIV_EMIT_2(mi_report_perf_count, MI_REPORT_PERF_COUNT_DW(gen), uint64_t, va, uint32_t,
                        id)
GPUCMD_I915_PRIV_EMIT_2(mi_load_urb_mem, MI_LOAD_URB_MEM_DW(gen), uint32_t, urb, uint64_t, va)
GPUCMD_I915_PRIV_EMIT_2(mi_store_urb_mem, MI_STORE_URB_MEM_DW(gen), uint32_t, urb, uint64_t, va)
GPUCMD_I915_PRIV_EMIT_2(mi_copy_mem_mem, MI_COPY_MEM_MEM_DW, uint64_t, dst_va, uint64_t, src_va)
GPUCMD_I915_PRIV_EMIT_1(mi_atomic, MI_ATOMIC_DW, uint64_t, va)
GPUCMD_I915_PRIV_EMIT_2(mi_batch_buffer, MI_BATCH_BUFFER_DW, uint64_t, va, uint64_t, end_va)
GPUCMD_I915_PRIV_EMIT_SHARED_1(mi_batch_buffer_start, MI_BATCH_BUFFER_START_DW(gen), uint64_t, va)
GPUCMD_I915_PRIV_EMIT_2(mi_conditional_batch_buffer_end, MI_CONDITIONAL_BATCH_BUFFER_END_DW(gen),
                        uint32_t, data, uint64_t, va)
GPUCMD_I915_PRIV_EMIT(mi_display_flip, gpucmd_priv_i915_flip_dw(gen, base),
                      (gpucmd_writer * w, gpucmd_i915_gen gen, uint32_t flags, uint32_t pitch,
                       uint32_t base, uint32_t further),
                      (out.dw, gen, flags, pitch, base, further))
GPUCMD_I915_PRIV_EMIT_SHARED_2(mi_store_data_imm, MI_STORE_DATA_IMM_DW(gen), uint64_t, va, uint32_t,
                               data)
GPUCMD_I915_PRIV_EMIT_2(mi_store_data_imm_qw, MI_STORE_DATA_IMM_QW_DW(gen), uint64_t, va, uint64_t,
                        data)
GPUCMD_I915_PRIV_EMIT_2(mi_load_register_imm1, MI_LOAD_REGISTER_IMM1_DW, uint32_t, reg, uint32_t,
                        value)

GPUCMD_I915_PRIV_EMIT_MANY_2(mi_load_register_imm, const uint32_t *, pairs, uint32_t, n)
GPUCMD_I915_PRIV_EMIT_MANY_2(mi_math, const uint32_t *, alu, uint32_t, n)
GPUCMD_I915_PRIV_EMIT_MANY_3(mi_store_data_imm_words, uint64_t, va, const uint32_t *, data,
                             uint32_t, n)
GPUCMD_I915_PRIV_EMIT_2(mi_rs_store_data_imm, MI_RS_STORE_DATA_IMM_DW, uint64_t, va, uint32_t, data)
GPUCMD_I915_PRIV_EMIT_3(mi_atomic_inline, MI_ATOMIC_INLINE_DW, uint64_t, va, const uint32_t *, op1,
                        const uint32_t *, op2)

GPUCMD_I915_PRIV_EMIT_MANY_3(mi_update_gtt, uint32_t, entry_va, const uint32_t *, ptes, uint32_t, n)
GPUCMD_I915_PRIV_EMIT_MANY_2(mi_clflush, uint64_t, va, uint32_t, n)
GPUCMD_I915_PRIV_SHARED void gpucmd_priv_i915_shared_pipe_control(gpucmd_writer *w,
                                                                  gpucmd_i915_gen gen,
                                                                  uint32_t flags0, uint32_t flags1,
                                                                  uint64_t va, uint64_t data)
{
    gpucmd_priv_i915_words out = {{0}};
    const gpucmd_status status =
        gpucmd_i915_encode_pipe_control(out.dw, gen, flags0, flags1, va, data);
    gpucmd_priv_i915_append(w, status, out.dw, GPUCMD_I915_PIPE_CONTROL_DW(gen));
}

GPUCMD_I915_PRIV_EMIT(gsc_heci_cmd_pkt, GPUCMD_I915_GSC_HECI_CMD_PKT_DW,
                      (gpucmd_writer * w, gpucmd_i915_gen gen, uint32_t flags, uint64_t src_va,
                       uint32_t src_bytes, uint64_t dst_va, uint32_t dst_bytes),
                      (out.dw, gen, flags, src_va, src_bytes, dst_va, dst_bytes))

GPUCMD_INLINE void gpucmd_i915_emit_pipe_control(gpucmd_writer *w, gpucmd_i915_gen gen,
                                                 uint32_t flags0, uint32_t flags1, uint64_t va,
                                                 uint64_t data)
{
    if (GPUCMD_I915_PRIV_KNOWN(gen)) {
        gpucmd_priv_i915_words out = {{0}};
        const gpucmd_status status =
            gpucmd_i915_encode_pipe_control(out.dw, gen, flags0, flags1, va, data);
        gpucmd_priv_i915_emit(w, gen, status, &out, GPUCMD_I915_PIPE_CONTROL_DW(gen));
    } else {
        gpucmd_priv_i915_shared_pipe_control(w, gen, flags0, flags1, va, data);
    }
}

GPUCMD_INLINE void gpucmd_i915_emit_pipe_control_short(gpucmd_writer *w, gpucmd_i915_gen gen,
                                                       uint32_t flags0, uint32_t flags1,
                                                       uint64_t va, uint32_t data)
{
    gpucmd_priv_i915_words out = {{0}};
    const gpucmd_status status =
        gpucmd_i915_encode_pipe_control_short(out.dw, gen, flags0, flags1, va, data);
    gpucmd_priv_i915_emit(w, gen, status, &out, GPUCMD_I915_PIPE_CONTROL_SHORT_DW(gen));
}

GPUCMD_INLINE void gpucmd_i915_emit_blt(gpucmd_writer *w, gpucmd_i915_gen gen, gpucmd_i915_op op,
                                        const gpucmd_i915_blt *b)
{
    const gpucmd_priv_i915_blt_row row = gpucmd_priv_i915_blt_find(gen, op);
    const gpucmd_status status = gpucmd_priv_i915_check_blt(gen, op, b, &row);
    uint32_t *dw = gpucmd_priv_i915_claim(w, status, gpucmd_priv_i915_blt_dw(gen, b, &row));
    if (dw != NULL) {
        gpucmd_priv_i915_put_blt(dw, gen, b, &row);
    }
}

/* Return the flags that the kernel sets in MI_BATCH_BUFFER_START. secure: the batch keeps all
 * rights. Write to *va_bits the bits to set in the address: NON_SECURE for a non-secure batch of
 * gen2 and gen3, otherwise 0. [K] gen*_emit_bb_start */
GPUCMD_INLINE uint32_t gpucmd_i915_batch_start_flags(gpucmd_i915_gen gen, gpucmd_i915_engine engine,
                                                     bool secure, uint32_t *va_bits)
{
    *va_bits = 0;
    if (gen < GPUCMD_I915_GEN4) {
        *va_bits = secure ? 0 : GPUCMD_I915_BITS(MI_BATCH_BUFFER_START_NON_SECURE);
        return GPUCMD_I915_PUT(MI_BATCH_BUFFER_START_SPACE_G2, 2);
    }
    if (gen < GPUCMD_I915_GEN6) {
        return GPUCMD_I915_BITS(MI_BATCH_BUFFER_START_GTT_G4) |
               (secure ? 0 : GPUCMD_I915_BITS(MI_BATCH_BUFFER_START_NON_SECURE_G4));
    }
    if (secure) {
        return 0;
    }
    return GPUCMD_I915_BITS(MI_BATCH_BUFFER_START_PPGTT) |
           (gen == GPUCMD_I915_GEN7_5 && engine == GPUCMD_I915_RCS
                ? GPUCMD_I915_BITS(MI_BATCH_BUFFER_START_NON_PRIVILEGED)
                : 0);
}

/* Offset of general register n of the engine at base, in bytes. high: 0 low half, 1 high half. */
#define GPUCMD_I915_GPR(base, n, high) ((base) + GPUCMD_I915_REG_CS_GPR + 8 * (n) + 4 * (high))

/* ==== [I915.RING] ========================================================================== */

/* Values of the ring registers. [K] intel_ring_submission.c */
#define GPUCMD_I915_RING_MIN_BYTES     4096u
#define GPUCMD_I915_RING_MAX_BYTES     0x200000u
#define GPUCMD_I915_RING_CTL_VALID     1u
#define GPUCMD_I915_RING_CTL_SEMAPHORE 0x400u /* bit: the streamer waits for a semaphore */
#define GPUCMD_I915_RING_CTL_WAIT      0x800u /* bit: the streamer waits for an event */
#define GPUCMD_I915_RING_TAIL_MASK     0x001ffff8u
#define GPUCMD_I915_RING_HEAD_MASK     0x001ffffcu
#define GPUCMD_I915_RING_HEAD_WRAP     0x00200000u /* the engine adds it to HEAD at each wrap */
#define GPUCMD_I915_RING_GAP_BYTES     64u         /* one cache line always stays free */

/* Return the value of CTL that enables a ring of the given size. */
GPUCMD_INLINE uint32_t gpucmd_i915_ring_ctl(uint32_t bytes)
{
    return (bytes - GPUCMD_I915_RING_MIN_BYTES) | GPUCMD_I915_RING_CTL_VALID;
}

/* Return the size in bytes of the ring that a value of CTL describes. */
GPUCMD_INLINE uint32_t gpucmd_i915_ring_ctl_bytes(uint32_t ctl)
{
    return (ctl & 0x001ff000u) + GPUCMD_I915_RING_MIN_BYTES;
}

/* A ring in memory owned by the caller, who may only read the members. A group is the words that
 * the caller writes between gpucmd_i915_ring_begin and gpucmd_i915_ring_end. After
 * gpucmd_i915_ring_publish the streamer executes them. */
typedef struct gpucmd_i915_ring {
    uint32_t *base;
    uint32_t bytes;        /* power of two, 4096..2 MiB */
    uint32_t usable_bytes; /* no group ends after this offset; 830, 845: 136 less than bytes */
    uint32_t tail_bytes;   /* byte offset of the next group, a multiple of 8 */
    uint32_t open_bytes;   /* bytes that ring_begin reserved for the open group; 0: none is open */
    gpucmd_mmio mmio;      /* access to registers; address: reg_base + offset of the register */
    uint32_t reg_base;     /* register base of the engine: gpucmd_i915_engine_base */
    gpucmd_wait wait;      /* how ring_begin waits while the ring is full; max_tries 0: no wait */
} gpucmd_i915_ring;

/* Return the number of free bytes if the HEAD register has the value head. One cache line always
 * stays free, so that HEAD = TAIL means that the ring is empty. [K] intel_ring.h */
GPUCMD_INLINE uint32_t gpucmd_i915_ring_space(const gpucmd_i915_ring *r, uint32_t head)
{
    const uint32_t at = head & GPUCMD_I915_RING_HEAD_MASK & (r->bytes - 1);
    return (at - r->tail_bytes - GPUCMD_I915_RING_GAP_BYTES) & (r->bytes - 1);
}

/* Read the HEAD register. */
GPUCMD_INLINE uint32_t gpucmd_i915_ring_head(const gpucmd_i915_ring *r)
{
    return r->mmio.read32(r->mmio.user, (uint64_t)r->reg_base + GPUCMD_I915_REG_HEAD);
}

GPUCMD_INLINE void gpucmd_priv_i915_ring_write(const gpucmd_i915_ring *r, uint32_t reg, uint32_t v)
{
    r->mmio.write32(r->mmio.user, (uint64_t)r->reg_base + reg, v);
}

/* Initialise *r as an empty ring. Access no register.
 *   base        memory of the ring, valid as long as the ring is used
 *   bytes       size of the ring: a power of two, 4096..2 MiB
 *   tail_bytes  first value of TAIL: a multiple of 8 below bytes
 *   mmio        access to the registers, copied
 *   reg_base    register base of the engine: gpucmd_i915_engine_base
 * GPUCMD_RANGE: bytes or tail_bytes is outside its range. GPUCMD_ALIGN: tail_bytes is not a
 * multiple of 8. On failure *r is unchanged. */
GPUCMD_MUST_CHECK GPUCMD_SHARED gpucmd_status gpucmd_i915_ring_init(gpucmd_i915_ring *r,
                                                                    uint32_t *base, uint32_t bytes,
                                                                    uint32_t tail_bytes,
                                                                    const gpucmd_mmio *mmio,
                                                                    uint32_t reg_base)
{
    if (bytes < GPUCMD_I915_RING_MIN_BYTES || bytes > GPUCMD_I915_RING_MAX_BYTES ||
        (bytes & (bytes - 1)) != 0 || tail_bytes >= bytes) {
        return GPUCMD_RANGE;
    }
    if ((tail_bytes & 7) != 0) {
        return GPUCMD_ALIGN;
    }
    r->base = base;
    r->bytes = bytes;
    r->usable_bytes = bytes;
    r->tail_bytes = tail_bytes;
    r->open_bytes = 0;
    r->mmio = *mmio;
    r->reg_base = reg_base;
    r->wait.fn = NULL;
    r->wait.user = NULL;
    r->wait.max_tries = 0;
    return GPUCMD_OK;
}

/* 830, 845: keep TAIL out of the last two cache lines. Call right after gpucmd_i915_ring_init. */
GPUCMD_INLINE void gpucmd_i915_ring_shorten(gpucmd_i915_ring *r)
{
    r->usable_bytes = r->bytes - 2 * GPUCMD_I915_RING_GAP_BYTES - 8;
}

/* Set how gpucmd_i915_ring_begin waits while the ring is full. tries: polls of HEAD; 0: no wait.
 * wait(user, number of the try) is called between two polls; wait may be NULL. */
GPUCMD_INLINE void gpucmd_i915_ring_set_wait(gpucmd_i915_ring *r, gpucmd_wait_fn wait, void *user,
                                             uint32_t tries)
{
    r->wait.fn = wait;
    r->wait.user = user;
    r->wait.max_tries = tries;
}

/* Program the registers in the order that the hardware requires: make the ring
 * empty, disable it, set START, HEAD and TAIL, enable it. GPUCMD_ALIGN: start_va,
 * the global address of the ring, is not page aligned; nothing is written. */
GPUCMD_MUST_CHECK GPUCMD_SHARED gpucmd_status gpucmd_i915_ring_start(gpucmd_i915_ring *r,
                                                                     uint32_t start_va)
{
    if ((start_va & 4095) != 0) {
        return GPUCMD_ALIGN;
    }
    gpucmd_priv_i915_ring_write(r, GPUCMD_I915_REG_HEAD, r->tail_bytes);
    gpucmd_priv_i915_ring_write(r, GPUCMD_I915_REG_TAIL, r->tail_bytes);
    gpucmd_priv_i915_ring_write(r, GPUCMD_I915_REG_CTL, 0);
    gpucmd_priv_i915_ring_write(r, GPUCMD_I915_REG_HEAD, 0);
    gpucmd_priv_i915_ring_write(r, GPUCMD_I915_REG_TAIL, 0);
    gpucmd_priv_i915_ring_write(r, GPUCMD_I915_REG_START, start_va);
    gpucmd_priv_i915_ring_write(r, GPUCMD_I915_REG_HEAD, r->tail_bytes);
    gpucmd_priv_i915_ring_write(r, GPUCMD_I915_REG_TAIL, r->tail_bytes);
    GPUCMD_BARRIER_MMIO();
    gpucmd_priv_i915_ring_write(r, GPUCMD_I915_REG_CTL, gpucmd_i915_ring_ctl(r->bytes));
    return GPUCMD_OK;
}

/* Make n words little endian in place, because the streamer reads little endian. dw may be NULL. */
GPUCMD_INLINE void gpucmd_priv_i915_little_endian(uint32_t *dw, size_t n)
{
    size_t i;
    if (gpucmd_cpu_endian() != GPUCMD_LITTLE_ENDIAN && dw != NULL) {
        for (i = 0; i < n; i++) {
            dw[i] = gpucmd_priv_swap32(dw[i]);
        }
    }
}

/* Poll HEAD until need_bytes are free. Return GPUCMD_OK, or the status that ended the wait. */
static inline gpucmd_status gpucmd_priv_i915_ring_wait(const gpucmd_i915_ring *r,
                                                       uint32_t need_bytes)
{
    gpucmd_status status = GPUCMD_OK;
    uint32_t tries = 0;
    while (status == GPUCMD_OK &&
           gpucmd_i915_ring_space(r, gpucmd_i915_ring_head(r)) < need_bytes) {
        status = gpucmd_wait_again(&r->wait, &tries);
    }
    return status;
}

/* Wait until `need` bytes after TAIL are free. If fewer bytes remain before the end of the ring,
 * first wait for these and fill them with MI_NOOP. This padding and the `need` bytes may together
 * exceed the ring, because the padding is written before the second wait. */
static inline gpucmd_status gpucmd_priv_i915_ring_room(gpucmd_i915_ring *r, uint32_t need)
{
    uint32_t at;
    if (r->tail_bytes + need > r->usable_bytes) {
        const gpucmd_status status = gpucmd_priv_i915_ring_wait(r, r->bytes - r->tail_bytes);
        if (status != GPUCMD_OK) {
            return status;
        }
        for (at = r->tail_bytes / 4; at < r->bytes / 4; at++) {
            r->base[at] = GPUCMD_I915_HDR_MI_NOOP;
        }
        r->tail_bytes = 0;
    }
    return gpucmd_priv_i915_ring_wait(r, need);
}

/* Open a group of at most n_dw words (>= 1), contiguous in the ring, and initialise w for it. If
 * the group does not fit before the end of the ring, fill the ring up to the end with MI_NOOP. Wait
 * while the ring is full.
 *   GPUCMD_RANGE    n_dw is 0 or more than an empty ring can hold
 *   GPUCMD_ORDER    a group is open, or the callback wait called gpucmd_i915_ring_begin
 *   GPUCMD_BLOCKED  the ring is full, and gpucmd_i915_ring_set_wait has set no tries
 *   GPUCMD_LIMIT    the ring is still full after all tries
 * Other statuses come from the callback wait. On failure only padding has been written. If that
 * padding blocks the ring, publish it in the callback or before the next group. */
GPUCMD_MUST_CHECK GPUCMD_SHARED gpucmd_status gpucmd_i915_ring_begin(gpucmd_i915_ring *r,
                                                                     uint32_t n_dw,
                                                                     gpucmd_writer *w)
{
    const uint32_t most = r->usable_bytes - GPUCMD_I915_RING_GAP_BYTES;
    const uint32_t need = n_dw > most / 4 ? most + 1 : (n_dw * 4 + 7) & ~7u;
    if (r->open_bytes != 0) {
        return GPUCMD_ORDER;
    }
    if (n_dw == 0 || need > most) {
        return GPUCMD_RANGE;
    }
    r->open_bytes = need; /* if callback wait calls ring_begin, that call must fail */
    const gpucmd_status status = gpucmd_priv_i915_ring_room(r, need);
    if (status != GPUCMD_OK) {
        r->open_bytes = 0;
        return status;
    }
    gpucmd_writer_init(w, r->base + r->tail_bytes / 4, need / 4);
    return GPUCMD_OK;
}

/* Close the group: pad it to a multiple of 8 bytes with MI_NOOP and advance r->tail_bytes. On a
 * big-endian CPU swap the words in place. GPUCMD_ORDER: no group is open. If w failed, return the
 * status of w; the group is closed and r->tail_bytes is unchanged. */
GPUCMD_MUST_CHECK GPUCMD_SHARED gpucmd_status gpucmd_i915_ring_end(gpucmd_i915_ring *r,
                                                                   gpucmd_writer *w)
{
    size_t len_dw = 0;
    if (r->open_bytes == 0) {
        return GPUCMD_ORDER;
    }
    r->open_bytes = 0;
    if ((((uintptr_t)w->end - (uintptr_t)w->cur) & 4) != 0) { /* pad to an even number of words */
        *w->cur++ = GPUCMD_I915_HDR_MI_NOOP;
    }
    const gpucmd_status status = gpucmd_writer_finish(w, &len_dw);
    if (status == GPUCMD_OK) {
        gpucmd_priv_i915_little_endian(r->base + r->tail_bytes / 4, len_dw);
        r->tail_bytes = (r->tail_bytes + (uint32_t)len_dw * 4) & (r->bytes - 1);
    }
    return status;
}

/* Submit all closed groups: a write barrier after the words, then the store to TAIL. */
GPUCMD_INLINE void gpucmd_i915_ring_publish(const gpucmd_i915_ring *r)
{
    GPUCMD_BARRIER_WRITE();
    gpucmd_priv_i915_ring_write(r, GPUCMD_I915_REG_TAIL, r->tail_bytes);
}

/* ---- batch ---- */

/* Memory for one chunk of a batch. */
typedef struct gpucmd_i915_chunk {
    uint32_t *base;
    uint32_t cap_dw;
    uint64_t va; /* GPU address of the chunk, 8-byte aligned */
} gpucmd_i915_chunk;

/* Callback that supplies the next chunk when a chunk is full: write it to *chunk and return
 * GPUCMD_OK. Any other status ends the batch and becomes the status of the batch's writer. */
typedef gpucmd_status (*gpucmd_i915_chunk_fn)(void *user, gpucmd_i915_chunk *chunk);

/* A place in a batch where the kernel must write an address; see drm_i915_gem_relocation_entry. */
typedef struct gpucmd_i915_reloc {
    uint32_t chunk;        /* number of the chunk that contains the address, from 0 */
    uint32_t target;       /* handle or list index of the object, as the caller chooses */
    uint64_t offset_bytes; /* byte offset of the address in its chunk */
    uint32_t delta;
    uint32_t read_domains;
    uint32_t write_domain;
} gpucmd_i915_reloc;

/* A batch in one or more chunks. Call gpucmd_i915_batch_reserve, then emit into w. The last words
 * of each chunk stay free for the jump to the next chunk. The caller may write only member w. */
typedef struct gpucmd_i915_batch {
    gpucmd_writer w;
    gpucmd_i915_gen gen;
    uint32_t start_flags; /* flags of MI_BATCH_BUFFER_START, which jumps to the next chunk */
    uint32_t start_bits;  /* bits to set in the address of that command */
    gpucmd_i915_chunk chunk;
    uint32_t chunk_count; /* number of chunks so far, including member chunk */
    uint32_t tail_dw;     /* words kept free at the end of a chunk */
    gpucmd_i915_chunk_fn next;
    void *user;
    gpucmd_i915_reloc *relocs; /* array of reloc_cap entries, owned by the caller; may be NULL */
    uint32_t reloc_cap;
    uint32_t reloc_count;
} gpucmd_i915_batch;

/* Begin a batch in *chunk, which is copied. engine and secure select the flags of the jumps between
 * chunks, see gpucmd_i915_batch_start_flags. GPUCMD_RANGE: the chunk has fewer than 8 words.
 * GPUCMD_ALIGN: chunk->va is not 8-byte aligned. On failure *b is unchanged. */
GPUCMD_MUST_CHECK GPUCMD_SHARED gpucmd_status gpucmd_i915_batch_init(gpucmd_i915_batch *b,
                                                                     gpucmd_i915_gen gen,
                                                                     gpucmd_i915_engine engine,
                                                                     bool secure,
                                                                     const gpucmd_i915_chunk *chunk)
{
    if (chunk->cap_dw < 8) {
        return GPUCMD_RANGE;
    }
    if ((chunk->va & 7) != 0) {
        return GPUCMD_ALIGN;
    }
    b->gen = gen;
    b->start_flags = gpucmd_i915_batch_start_flags(gen, engine, secure, &b->start_bits);
    b->chunk = *chunk;
    b->chunk_count = 1;
    b->tail_dw = 4; /* MI_BATCH_BUFFER_START (3 words) or _END, and padding */
    b->next = NULL;
    b->relocs = NULL;
    b->reloc_cap = 0;
    b->reloc_count = 0;
    gpucmd_writer_init(&b->w, chunk->base, chunk->cap_dw - b->tail_dw);
    return GPUCMD_OK;
}

/* Set the callback that supplies the next chunk; user is its first argument. Without a callback
 * (next is NULL) the batch fails with GPUCMD_FULL when the chunk is full. */
GPUCMD_INLINE void gpucmd_i915_batch_set_next(gpucmd_i915_batch *b, gpucmd_i915_chunk_fn next,
                                              void *user)
{
    b->next = next;
    b->user = user;
}

/* Set the array of cap entries for relocations and empty it. It must stay valid while b is used. */
GPUCMD_INLINE void gpucmd_i915_batch_set_relocs(gpucmd_i915_batch *b, gpucmd_i915_reloc *relocs,
                                                uint32_t cap)
{
    b->relocs = relocs;
    b->reloc_cap = cap;
    b->reloc_count = 0;
}

/* Let the writer use the words kept free at the end of the chunk. */
GPUCMD_INLINE void gpucmd_priv_i915_batch_open_tail(gpucmd_i915_batch *b)
{
    if (b->w.status == GPUCMD_OK && b->w.base != NULL) {
        b->w.end = b->chunk.base + b->chunk.cap_dw;
    }
}

/* Make room for n_dw contiguous words (>= 1). If the chunk is full, get a chunk from the callback
 * and jump to it. A failure becomes the status of b->w. GPUCMD_FULL: there is no callback, or the
 * new chunk is too small. GPUCMD_ALIGN: the va of the new chunk is not 8-byte aligned.
 * GPUCMD_RANGE: this va has too many bits. Other statuses come from the callback. */
GPUCMD_SHARED void gpucmd_i915_batch_reserve(gpucmd_i915_batch *b, uint32_t n_dw)
{
    gpucmd_i915_chunk chunk = b->chunk;
    if (b->w.status != GPUCMD_OK || b->w.base == NULL || (size_t)(b->w.end - b->w.cur) >= n_dw) {
        return;
    }
    gpucmd_status status = b->next == NULL ? GPUCMD_FULL : b->next(b->user, &chunk);
    if (status == GPUCMD_OK && (chunk.va & 7) != 0) {
        status = GPUCMD_ALIGN;
    }
    if (status == GPUCMD_OK && (chunk.cap_dw < b->tail_dw || chunk.cap_dw - b->tail_dw < n_dw)) {
        status = GPUCMD_FULL;
    }
    if (status != GPUCMD_OK) {
        gpucmd_priv_writer_fail(&b->w, status);
        return;
    }
    gpucmd_priv_i915_batch_open_tail(b);
    gpucmd_i915_emit_mi_batch_buffer_start(&b->w, b->gen, b->start_flags, chunk.va | b->start_bits);
    if (b->w.status == GPUCMD_OK) {
        if (((size_t)(b->w.cur - b->w.base) & 1) != 0) {
            gpucmd_i915_emit_mi_noop(&b->w, b->gen, 0);
        }
        gpucmd_priv_i915_little_endian(b->chunk.base, gpucmd_writer_at_dw(&b->w));
        b->chunk = chunk;
        b->chunk_count++;
        gpucmd_writer_init(&b->w, chunk.base, chunk.cap_dw - b->tail_dw);
    }
}

/* Record a relocation: the kernel must write the address of target plus delta (bytes) into the
 * chunk, back_dw words before the position of w. A failure becomes the status of b->w. GPUCMD_FULL:
 * the array of relocations is full or NULL. GPUCMD_RANGE: the chunk has less than back_dw words. */
GPUCMD_SHARED void gpucmd_i915_batch_reloc(gpucmd_i915_batch *b, uint32_t back_dw, uint32_t target,
                                           uint32_t delta, uint32_t read_domains,
                                           uint32_t write_domain)
{
    const size_t at_dw = gpucmd_writer_at_dw(&b->w);
    if (b->w.status != GPUCMD_OK) {
        return;
    }
    if (back_dw > at_dw) {
        gpucmd_priv_writer_fail(&b->w, GPUCMD_RANGE);
        return;
    }
    if (b->reloc_count >= b->reloc_cap) {
        gpucmd_priv_writer_fail(&b->w, GPUCMD_FULL);
        return;
    }
    gpucmd_i915_reloc *r = &b->relocs[b->reloc_count++];
    r->chunk = b->chunk_count - 1;
    r->target = target;
    r->offset_bytes = (uint64_t)(at_dw - back_dw) * 4;
    r->delta = delta;
    r->read_domains = read_domains;
    r->write_domain = write_domain;
}

/* Call a second-level batch at va (gen7.5: only on the render engine). MI_BATCH_BUFFER_END of that
 * batch returns to the command after the call. A failure becomes the status of b->w.
 * GPUCMD_UNSUPPORTED: before gen7.5. GPUCMD_ALIGN: va is not 4-byte aligned. GPUCMD_RANGE: va has
 * too many bits. Other statuses are those of gpucmd_i915_batch_reserve. */
GPUCMD_SHARED void gpucmd_i915_batch_call(gpucmd_i915_batch *b, uint64_t va)
{
    gpucmd_i915_batch_reserve(b, (uint32_t)GPUCMD_I915_MI_BATCH_BUFFER_START_DW(b->gen));
    if (b->gen < GPUCMD_I915_GEN7_5) {
        gpucmd_priv_writer_fail(&b->w, GPUCMD_UNSUPPORTED);
        return;
    }
    gpucmd_i915_emit_mi_batch_buffer_start(
        &b->w, b->gen, b->start_flags | GPUCMD_I915_BITS(MI_BATCH_BUFFER_START_SECOND_LEVEL), va);
}

/* Append MI_BATCH_BUFFER_END and pad the chunk to a multiple of 8 bytes. Return the status of b->w.
 * Write the length of the last chunk to *len_bytes, unchanged on failure. On a big-endian CPU swap
 * the words of the chunk, as gpucmd_i915_batch_reserve does with each chunk before it. */
GPUCMD_MUST_CHECK GPUCMD_SHARED gpucmd_status gpucmd_i915_batch_finish(gpucmd_i915_batch *b,
                                                                       uint32_t *len_bytes)
{
    size_t len_dw = 0;
    gpucmd_priv_i915_batch_open_tail(b);
    gpucmd_i915_emit_mi_batch_buffer_end(&b->w, b->gen, 0);
    if ((gpucmd_writer_at_dw(&b->w) & 1) != 0) {
        gpucmd_i915_emit_mi_noop(&b->w, b->gen, 0);
    }
    const gpucmd_status status = gpucmd_writer_finish(&b->w, &len_dw);
    if (status == GPUCMD_OK) {
        gpucmd_priv_i915_little_endian(b->chunk.base, len_dw);
        *len_bytes = (uint32_t)len_dw * 4;
    }
    return status;
}

/* ==== [I915.DECODE] ======================================================================== */

/* The commands that one engine of one generation has, and their lengths. The members are private to
 * the library. The structure has no pointers and can be copied. */
typedef struct gpucmd_i915_cmdset {
    gpucmd_i915_gen gen;
    gpucmd_i915_engine engine;
    uint32_t mi_mask;         /* mask of the length field of most MI commands: 0x3f or 0xff */
    uint32_t mi_user_noop[2]; /* bit n: a non-secure batch cannot execute the MI opcode n */
    uint8_t mi_bits;          /* width of mi_mask in bits: 6 or 8 */
    uint8_t nth;              /* position of gen among all generations, from 0 */
    bool gfx;                 /* the engine has 3D, media or video commands */
    uint8_t clients;          /* bit 4: the engine has commands of client 4; bit 5: of client 5 */
    bool video;               /* a video engine: commands of client 3 have other lengths */
    uint8_t mi_form[64];      /* [n]: width of the length field of MI opcode n, in bits */
    uint8_t mi_min[64];       /* [n]: words of the shortest form of MI opcode n */
    uint8_t op[193];          /* OP_*: [n] MI opcode n, [64 + n] 2D opcode n, [192] PIPE_CONTROL */
} gpucmd_i915_cmdset;

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Fill *cmdset for an engine. GPUCMD_UNSUPPORTED: gen has no such engine; *cmdset is unchanged. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_i915_cmdset_init(gpucmd_i915_cmdset *cmdset,
                                                        gpucmd_i915_gen gen,
                                                        gpucmd_i915_engine engine);
#endif

/* Return the length in words of a primitive of gen2 or gen3 whose index list has no count. A word
 * with 0xffff in either half ends the list. Return avail_dw + 1 if there is no such word. */
static inline uint32_t gpucmd_priv_i915_length_indices(const uint32_t *dw, size_t avail_dw)
{
    size_t i;
    for (i = 1; i < avail_dw; i++) {
        if ((dw[i] & 0xffff) == 0xffff || dw[i] >> 16 == 0xffff) {
            return (uint32_t)i + 1;
        }
    }
    return avail_dw < 0xffffffffu ? (uint32_t)avail_dw + 1 : 0;
}

/* Return the length in words of a client 3 command of gen2 or gen3, or 0 if it is unknown. Read at
 * most avail_dw words. [LD] decode_3d, decode_3d_1c, decode_3d_1d, decode_3d_primitive */
static inline uint32_t gpucmd_priv_i915_length_gen2(const uint32_t *dw, size_t avail_dw)
{
    const uint32_t head = dw[0];
    const uint32_t op = head >> 24 & 0x1f;
    const uint32_t sub = head >> 16 & 0xff;
    if (op <= 0x1c) {
        return 1;
    }
    if (op == 0x1f) {
        if ((head >> 23 & 1) == 0) {
            return (head & 0x3ffff) + 2;
        }
        if ((head >> 17 & 1) == 0) {
            return 2;
        }
        return (head & 0xffff) != 0 ? ((head & 0xffff) + 3) / 2
                                    : gpucmd_priv_i915_length_indices(dw, avail_dw);
    }
    if (op != 0x1d) {
        return 0;
    }
    switch (sub) {
    case 0x00: /* MAP_STATE */
    case 0x01: /* SAMPLER_STATE */ return (head & 0x3f) + 2;
    case 0x03: /* LOAD_STATE_IMMEDIATE_2 */
    case 0x04: /* LOAD_STATE_IMMEDIATE_1 */
    case 0x80: /* DRAWING_RECTANGLE */
    case 0x81: /* SCISSOR_RECTANGLE */
    case 0x85: /* DEST_BUFFER_VARIABLES */
    case 0x8e: /* BUFFER_INFO */
    case 0x9c: /* CLEAR_PARAMETERS */ return (head & 0xf) + 2;
    case 0x05: /* PIXEL_SHADER_PROGRAM */
    case 0x06: /* PIXEL_SHADER_CONSTANTS */ return (head & 0xff) + 2;
    case 0x07: /* LOAD_INDIRECT */ return (head & 0xff) + 1;
    }
    return (head & 0xffff) + 2;
}

/* Return the length in words of a 3D or media command of gen4 and later whose length field may have
 * a width other than 8 bits. [K] i915_cmd_parser.c [GX] */
static inline uint32_t gpucmd_priv_i915_length_odd(gpucmd_i915_gen gen, uint32_t dw)
{
    const uint32_t key = dw >> 16;
    const uint32_t op = dw >> 24 & 7;
    uint32_t mask = 0xff;
    if (gen == GPUCMD_I915_GEN4 && (key == 0x6104 || key == 0x780b)) {
        return 1;
    }
    if (key == 0x7917 || (key >= 0x7843 && key <= 0x7847)) {
        mask = 0x1ff;
    } else if ((key == 0x7839 || key == 0x783a) && gen >= GPUCMD_I915_GEN7_5 &&
               gen <= GPUCMD_I915_GEN9) {
        mask = 0x7ff;
    } else if ((dw >> 27 & 3) == 2 && op != 2 && key != 0x7104 && key != 0x7105) {
        mask = op == 1 && gen >= GPUCMD_I915_GEN11 ? 0x7fff : 0xffff;
    }
    return (dw & mask) + 2;
}

/* Return the length in words of a command of client 3, or 0 if the command is unknown. [K] [GX] */
GPUCMD_PRIV_INLINE uint32_t gpucmd_priv_i915_length_gfx(const gpucmd_i915_cmdset *cmdset,
                                                        const uint32_t *dw, size_t avail_dw)
{
    const uint32_t head = dw[0];
    const uint32_t kind = head >> 27 & 3;
    if (GPUCMD_PRIV_UNLIKELY(cmdset->gen < GPUCMD_I915_GEN4)) {
        return gpucmd_priv_i915_length_gen2(dw, avail_dw);
    }
    if (kind == 1) {
        return 1;
    }
    if (cmdset->video) {
        return (head & (kind != 2 ? 0xffu : (head >> 24 & 7) == 6 ? 0xffffu : 0xfffu)) + 2;
    }
    if (kind == 3 && (head >> 24 & 7) >= 2) { /* such as PIPE_CONTROL, 3DPRIMITIVE */
        return (head & 0xff) + 2;
    }
    return gpucmd_priv_i915_length_odd(cmdset->gen, head);
}

/* Return true if head is the first word of RESOURCE_BARRIER or of a command of client 4, and member
 * `clients` of gpucmd_i915_cmdset has the bit of the client of head. [XE] [GX] */
GPUCMD_PRIV_INLINE bool gpucmd_priv_i915_is_further(uint32_t clients, uint32_t head)
{
    return (clients >> (head >> 29) & 1) != 0 && (head >> 29 == 4 || (head >> 26 & 7) == 3);
}

/* Return the length in words of the command at dw, also if it exceeds avail_dw (>= 1). Return 0 if
 * the engine has no such command. Read only dw[0], except in index lists of gen2 and gen3. */
GPUCMD_PRIV_INLINE uint32_t gpucmd_i915_length_dw(const gpucmd_i915_cmdset *cmdset,
                                                  const uint32_t *dw, size_t avail_dw)
{
    const uint32_t head = dw[0];
    if (head >> 29 == 0) {
        const uint32_t op = head >> 23;
        if (GPUCMD_PRIV_QUICK && cmdset->mi_form[op] == cmdset->mi_bits) {
            return (head & cmdset->mi_mask) + 2;
        }
        if (cmdset->mi_form[op] == 0) {
            return cmdset->op[op] != 0;
        }
        return (head & ((1u << cmdset->mi_form[op]) - 1)) + 2;
    }
    if (head >> 29 == 3 && cmdset->gfx) {
        return gpucmd_priv_i915_length_gfx(cmdset, dw, avail_dw);
    }
    if ((head >> 29 == 2 && cmdset->op[64 + (head >> 22 & 127)] != 0) ||
        gpucmd_priv_i915_is_further(cmdset->clients, head)) {
        return (head & 0xff) + 2;
    }
    return 0;
}

/* Position of a walk over the commands of a batch. */
typedef struct gpucmd_i915_walk {
    const uint32_t *cur;
    const uint32_t *end;
    gpucmd_status status; /* why walk_next returned NULL; GPUCMD_OK: it read all words */
} gpucmd_i915_walk;

/* Start a walk over the len_dw words at base, which must stay valid during the walk. */
GPUCMD_INLINE void gpucmd_i915_walk_init(gpucmd_i915_walk *k, const uint32_t *base, size_t len_dw)
{
    k->cur = base;
    k->end = len_dw != 0 ? base + len_dw : base;
    k->status = GPUCMD_OK;
}

/* Return the next command and write its length in words to *len_dw. If there is none, return NULL
 * and leave *len_dw unchanged; k->status says why:
 *   GPUCMD_OK         no words remain
 *   GPUCMD_TRUNCATED  the command at k->cur ends after the last word
 *   GPUCMD_INVALID    the command at k->cur is unknown */
GPUCMD_INLINE const uint32_t *gpucmd_i915_walk_next(gpucmd_i915_walk *k,
                                                    const gpucmd_i915_cmdset *cmdset,
                                                    uint32_t *len_dw)
{
    const uint32_t *at = k->cur;
    const size_t left_dw = (size_t)(k->end - at);
    if (GPUCMD_PRIV_UNLIKELY(left_dw == 0)) {
        return NULL;
    }
    const uint32_t n = gpucmd_i915_length_dw(cmdset, at, left_dw);
    if (GPUCMD_PRIV_UNLIKELY(n - 1 >= left_dw)) {
        k->status = n == 0 ? GPUCMD_INVALID : GPUCMD_TRUNCATED;
        return NULL;
    }
    k->cur = at + n;
    *len_dw = n;
    return at;
}

/* Return true if a batch ends after the command whose first word is dw: MI_BATCH_BUFFER_END, or an
 * MI_BATCH_BUFFER_START that does not return. Predicates are ignored. [GVT] */
GPUCMD_INLINE bool gpucmd_i915_ends_batch(gpucmd_i915_gen gen, uint32_t dw)
{
    return dw >> 23 == GPUCMD_I915_HDR_MI_BATCH_BUFFER_END >> 23 ||
           (dw >> 23 == GPUCMD_I915_HDR_MI_BATCH_BUFFER_START >> 23 &&
            (gen < GPUCMD_I915_GEN7_5 ||
             (dw & GPUCMD_I915_BITS(MI_BATCH_BUFFER_START_SECOND_LEVEL)) == 0) &&
            (gen != GPUCMD_I915_GEN12 ||
             (dw & GPUCMD_I915_BITS(MI_BATCH_BUFFER_START_POSH_START)) == 0));
}

/* One decoded command. */
typedef struct gpucmd_i915_cmd {
    gpucmd_i915_op op;    /* UNKNOWN: the generation or the engine has no such command */
    uint32_t len_dw;      /* number of words present, 1..avail_dw of gpucmd_i915_decode */
    uint32_t want_dw;     /* words according to the length field; 0: unknown command */
    uint32_t stray;       /* reserved bits that are set in the first word */
    gpucmd_status status; /* OK, INVALID (unknown command) or TRUNCATED (words are missing) */
} gpucmd_i915_cmd;

/* A register that has a name. */
typedef struct gpucmd_i915_register {
    const char *name;          /* static string, such as "CS_GPR" */
    gpucmd_i915_engine engine; /* engine that has the register; 0: register of no engine */
    uint32_t instance;         /* instance of the engine, from 0 */
    uint32_t nth;              /* number of the register among those of this name, from 0 */
    uint32_t count;            /* number of registers of this name */
    bool masked;               /* bits 31:16 of a written value select which of bits 15:0 change */
    bool high;                 /* the offset is the upper half of a 64-bit register */
    bool media;                /* the offset is that of the copy that the media GT has */
} gpucmd_i915_register;

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Convert the name of a generation ("4.5") or engine ("rcs"). GPUCMD_RANGE: unknown name. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_i915_gen_from_name(const char *name, gpucmd_i915_gen *gen);
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_i915_engine_from_name(const char *name,
                                                             gpucmd_i915_engine *engine);
/* Return the name of a generation or engine; "?" for an unknown number. Static storage. */
GPUCMD_PRIV_API const char *gpucmd_i915_gen_name(gpucmd_i915_gen gen);
GPUCMD_PRIV_API const char *gpucmd_i915_engine_name(gpucmd_i915_engine engine);
/* Write to *base the absolute offset of the first register of an engine. GPUCMD_UNSUPPORTED: the
 * generation has no such engine or instance; *base is unchanged. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_i915_engine_base(gpucmd_i915_gen gen,
                                                        gpucmd_i915_engine engine,
                                                        uint32_t instance, uint32_t *base);
/* Return the GPUCMD_I915_OP_* of the command with first word dw; UNKNOWN: not of this engine. */
GPUCMD_PRIV_API gpucmd_i915_op gpucmd_i915_classify(const gpucmd_i915_cmdset *cmdset, uint32_t dw);
/* Return the length in words of the command at words, 0 if the command is invalid. Callback for
 * gpucmd_print_writer; cmdset is a gpucmd_i915_cmdset. */
GPUCMD_PRIV_API size_t gpucmd_i915_command_dw(const void *cmdset, const uint32_t *words,
                                              size_t avail_dw);
/* Decode the command at dw into *cmd. Read at most avail_dw (>= 1) words. */
GPUCMD_PRIV_API void gpucmd_i915_decode(const gpucmd_i915_cmdset *cmdset, const uint32_t *dw,
                                        size_t avail_dw, gpucmd_i915_cmd *cmd);
/* Return the name of a command: "MI_NOOP", "UNKNOWN", "GFX"; other numbers "?". Static storage. */
GPUCMD_PRIV_API const char *gpucmd_i915_op_name(gpucmd_i915_op op);
/* Return the name of the command with first word dw. A 3D or media command without a row for the
 * generation in GPUCMD_I915_GFX_NAMES is called "GFX". The string is static. */
GPUCMD_PRIV_API const char *gpucmd_i915_name(const gpucmd_i915_cmdset *cmdset, uint32_t dw);
/* Find the register at absolute offset reg. Return false if it has no name; *out is unchanged. */
GPUCMD_PRIV_API bool gpucmd_i915_register_find(const gpucmd_i915_cmdset *cmdset, uint32_t reg,
                                               gpucmd_i915_register *out);
/* Append the name of the register at absolute offset reg, such as "rcs0.CS_GPR3_UDW". If the
 * register has no name, append the offset, such as "0x7fc". */
GPUCMD_PRIV_API void gpucmd_i915_print_register(gpucmd_text *t, const gpucmd_i915_cmdset *cmdset,
                                                uint32_t reg);
/* Append the command at dw as text: a line with address, first word, name and fields of that word,
 * then a line for each further word. Return the number of words printed, at least 1. */
GPUCMD_PRIV_API uint32_t gpucmd_i915_print(gpucmd_text *t, const gpucmd_i915_cmdset *cmdset,
                                           const uint32_t *dw, size_t avail_dw, uint64_t va);
#endif

/* ==== [I915.CHECK] ========================================================================= */

#define GPUCMD_I915_PRIV_RULE(rule, severity, text) GPUCMD_I915_RULE_##rule,
typedef enum gpucmd_i915_rule { GPUCMD_I915_RULES(GPUCMD_I915_PRIV_RULE) } gpucmd_i915_rule;
#undef GPUCMD_I915_PRIV_RULE

/* A finding of gpucmd_i915_check. */
typedef struct gpucmd_i915_finding {
    gpucmd_i915_rule rule;
    gpucmd_severity severity;
    size_t at_dw;     /* index of the word in the checked words */
    uint32_t value;   /* depends on rule: word, register offset, reserved bits, bytes, or 0 */
    const char *name; /* name of the rule, such as "NO_END" */
    const char *text; /* text of the rule in GPUCMD_I915_RULES */
    const char *reg;  /* rule REGISTER: name of the register, such as "CS_GPR"; otherwise NULL */
} gpucmd_i915_finding;

/* Callback for a finding. A status other than GPUCMD_OK ends the check and becomes its result. */
typedef gpucmd_status (*gpucmd_i915_finding_fn)(void *user, const gpucmd_i915_finding *finding);

/* Options of gpucmd_i915_check. Zero the structure first. */
typedef struct gpucmd_i915_check_options {
    bool secure;                  /* the batch has all rights */
    bool second_level;            /* the batch is a second-level batch */
    bool ring;                    /* the words are in a ring: all rights, no end of a batch */
    uint64_t va;                  /* address of the first word */
    gpucmd_i915_finding_fn found; /* called for each finding; may be NULL */
    void *user;                   /* first argument of found */
} gpucmd_i915_check_options;

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Check a batch up to its end and report findings. The check ends early at a truncated command, or
 * at a command of unknown length. Return GPUCMD_OK, also if there are findings; if found ended the
 * check, return its status. *errors (may be NULL): number of findings with severity ERROR. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_i915_check(const gpucmd_i915_cmdset *cmdset,
                                                  const uint32_t *dw, size_t len_dw,
                                                  const gpucmd_i915_check_options *options,
                                                  uint32_t *errors);
/* Return true if the kernel lets a non-secure batch write value to the register at offset reg. Some
 * registers accept only some values. See GPUCMD_I915_USER_REGS. [K] i915_cmd_parser.c [IGT] */
GPUCMD_PRIV_API bool gpucmd_i915_register_allowed(const gpucmd_i915_cmdset *cmdset, uint32_t reg,
                                                  uint32_t value);
#endif

/* ==== [I915.EXEC] ========================================================================== */

#define GPUCMD_I915_PRIV_STATE(name, meaning) GPUCMD_I915_##name,
typedef enum gpucmd_i915_state { GPUCMD_I915_STATES(GPUCMD_I915_PRIV_STATE) } gpucmd_i915_state;
#undef GPUCMD_I915_PRIV_STATE

#define GPUCMD_I915_PRIV_ERROR(name, text) GPUCMD_I915_ERROR_##name,
typedef enum gpucmd_i915_error { GPUCMD_I915_ERRORS(GPUCMD_I915_PRIV_ERROR) } gpucmd_i915_error;
#undef GPUCMD_I915_PRIV_ERROR

/* Each engine of the executor has registers at the offsets 0..0x7ff from its base. */
#define GPUCMD_I915_WINDOW_BYTES 0x800u

/* Wait condition of a blocked streamer, if member active is true. The streamer waits for a value in
 * a register (is_register), for an event of MI_WAIT_FOR_EVENT (is_event), otherwise in memory. */
typedef struct gpucmd_i915_wait {
    bool active;
    bool is_register; /* va is the byte offset of a register */
    bool on_signal;   /* the streamer polls only after an MI_SEMAPHORE_SIGNAL for this engine */
    bool is_event;    /* value is the event mask of MI_WAIT_FOR_EVENT */
    uint64_t va;
    uint32_t value;
    uint32_t compare; /* a GPUCMD_I915_COMPARE_*; left operand: memory or register; right: value */
} gpucmd_i915_wait;

/* State of one level of execution: 0 is the ring, 1 a batch, 2 and 3 batches that were called. */
typedef struct gpucmd_i915_level {
    uint64_t va;     /* return address of this level while a batch that it called is executed */
    uint64_t end_va; /* address of the last 8 bytes of a batch of MI_BATCH_BUFFER; otherwise ~0 */
    bool secure;     /* the batch has all rights */
} gpucmd_i915_level;

/* A command streamer; it has no pointers and can be copied. The caller may write only options. */
typedef struct gpucmd_i915_cs {
    uint32_t head;  /* HEAD register: byte offset in bits 20:2, number of wraps in 31:21 */
    uint32_t tail;  /* TAIL register: byte offset in bits 20:3 */
    uint32_t start; /* START register: address of the ring */
    uint32_t ctl;   /* CTL register: size of the ring, enable bit, wait bits */
    uint64_t acthd; /* ACTHD register: offset in the ring, or address in the batch */
    gpucmd_i915_cmdset cmdset;
    uint64_t timestamp; /* TIMESTAMP register: each command adds 1 */
    gpucmd_i915_state state;
    gpucmd_i915_error error; /* reason for state RS5 */
    gpucmd_status fault;     /* status of the memory access or callback that failed */
    uint64_t fault_va;       /* address that was rejected, if error is FETCH or MEMORY */
    uint32_t base;           /* absolute offset of the engine's first register */
    uint32_t instance;
    uint32_t reg[GPUCMD_I915_WINDOW_BYTES / 4]; /* [offset / 4]: registers without a member above */
    /* The members below have no hardware register. */
    uint32_t slices;     /* option: slices of the GPU, which MI_SET_PREDICATE tests; default 1 */
    uint32_t depth_step; /* option: number that a 3DPRIMITIVE adds to PS_DEPTH_COUNT; default 0 */
    uint32_t wells;      /* power wells that MI_FORCE_WAKEUP keeps awake, by the bits of its DW1 */
    uint64_t interrupts; /* number of user interrupts that the engine raised */
    uint64_t commands;   /* number of commands that the engine executed or skipped */
    uint64_t units;      /* budget units used: 1 for a command, 1 for each further part of it */
    gpucmd_i915_wait wait;
    uint64_t next_va; /* address of the batch that the last start command named */
    uint64_t next_end_va;
    gpucmd_i915_level levels[4];
    uint32_t next_level;
    uint32_t level;      /* level of execution, index in levels; 0: the ring */
    uint32_t cmd_head;   /* first word of the current command, as it was when it was parsed */
    uint32_t cmd_dw;     /* length of the current command in words */
    uint32_t ring_dw;    /* words of the ring's current command, also while its batch is executed */
    uint32_t pending;    /* action of the next step: a GPUCMD_I915_PRIV_*, such as EXEC */
    uint32_t blt_row;    /* number of rows that the current 2D command has drawn completely */
    uint32_t scan_dw;    /* words of an index list searched so far, or words executed so far */
    uint64_t blt_at;     /* bytes drawn so far of the row after the blt_row complete rows */
    uint64_t blt_used;   /* work of the current 2D command that member units does not count yet */
    uint32_t blt_dw[24]; /* words of the current 2D command in little-endian byte order */
    uint32_t setup[9];   /* XY_SETUP_*: DW0, DW1, clip (2), destination, colors (2), pattern (2) */
    uint32_t setup_dst_high;
    bool seed_literal; /* option: at the end of a batch ACTHD is an offset in the batch */
    bool next_secure;
    bool is_signalled; /* an engine executed MI_SEMAPHORE_SIGNAL for this engine */
    bool skip;         /* MI_SET_PREDICATE makes the engine skip commands */
} gpucmd_i915_cs;

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Return the name or text of a state or error; "?" for an unknown number. Static storage. */
GPUCMD_PRIV_API const char *gpucmd_i915_state_name(gpucmd_i915_state state);
GPUCMD_PRIV_API const char *gpucmd_i915_error_name(gpucmd_i915_error error);
GPUCMD_PRIV_API const char *gpucmd_i915_error_text(gpucmd_i915_error error);
/* Initialise *cs as an engine after power-up: registers are 0 and the ring is disabled.
 * GPUCMD_UNSUPPORTED: the generation has no such engine or instance; *cs is unchanged. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_i915_cs_init(gpucmd_i915_cs *cs, gpucmd_i915_gen gen,
                                                    gpucmd_i915_engine engine, uint32_t instance);
/* Reset the engine from RS5 or any other state. The engine continues in the ring with HEAD at
 * head_bytes, usually the end of the request that failed. Other registers keep their values. */
GPUCMD_PRIV_API void gpucmd_i915_cs_reset(gpucmd_i915_cs *cs, uint32_t head_bytes);
/* Start the batch at va without a ring, as if the ring had started it. When the batch ends, the
 * engine is idle again. secure: the batch has all rights. GPUCMD_ORDER: the state is not RS0. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_i915_cs_batch(gpucmd_i915_cs *cs, uint64_t va, bool secure);
/* Read or write a register of this engine as the CPU does. reg is its absolute offset. Registers
 * outside the engine's window (GPUCMD_I915_WINDOW_BYTES) read 0 and ignore writes. */
GPUCMD_PRIV_API uint32_t gpucmd_i915_cs_read(const gpucmd_i915_cs *cs, uint32_t reg);
GPUCMD_PRIV_API void gpucmd_i915_cs_write(gpucmd_i915_cs *cs, uint32_t reg, uint32_t value);
/* Fill *mmio with access to the registers of cs, for a ring. *cs must outlive the use of *mmio. */
GPUCMD_PRIV_API void gpucmd_i915_cs_mmio(gpucmd_i915_cs *cs, gpucmd_mmio *mmio);
/* Execute one transition of the state machine. Return DONE, IDLE, BLOCKED or FAULT (state RS5).
 * Words in memory are little endian. GGTT and PPGTT are one address space. */
GPUCMD_PRIV_CHECK gpucmd_run gpucmd_i915_step(gpucmd_i915_cs *cs, const gpucmd_env *env);
/* Execute steps until IDLE, BLOCKED or FAULT. Return LIMIT after budget units. A step uses at most
 * one unit. A unit is a command or a further part of a command. A part has at most
 *   - 4 KiB of copied bytes, in 8 contiguous ranges (rows, parts of tiled rows or of regions), or
 *   - 64 computed bytes; 256 if the raster operation is 0xf0 or 0xcc, or
 *   - 8 words of MI_LOAD_REGISTER_IMM or MI_STORE_DATA_IMM, 32 of an index list
 * After a whole command the state does not depend on the budgets of the calls. If an access of a
 * blit faults, the bytes before that access are drawn. */
GPUCMD_PRIV_CHECK gpucmd_run gpucmd_i915_run(gpucmd_i915_cs *cs, const gpucmd_env *env,
                                             uint64_t budget);
/* Write the reason why the streamer stopped to *why. unit is the engine, at_va the address of the
 * command. If kind is ERROR, reg is "IPEHR" and bits the first word of the command. */
GPUCMD_PRIV_API void gpucmd_i915_cs_why(const gpucmd_i915_cs *cs, gpucmd_why *why);
#endif

/* Result of gpucmd_i915_run_all. */
typedef struct gpucmd_i915_report {
    uint32_t idle;    /* bit i: cs[i] is idle */
    uint32_t blocked; /* bit i: cs[i] is blocked; cs[i].wait is its wait condition */
    uint32_t faulted; /* bit i: cs[i] is in state RS5 */
    bool deadlock;    /* there are blocked engines, and all others are idle */
    uint64_t commands;
} gpucmd_i915_report;

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Execute count (1..32) engines in turn, at most 16 budget units each. Each engine can access the
 * registers of all engines and signal all engines. A blocked engine is polled once in each round,
 * which uses no budget. If report is not NULL, *report is always written. Return:
 *   IDLE     all engines are idle
 *   BLOCKED  at least one engine is blocked, the others are idle
 *   FAULT    at least one engine is in RS5, the others are idle or blocked
 *   LIMIT    the budget is used */
GPUCMD_PRIV_CHECK gpucmd_run gpucmd_i915_run_all(gpucmd_i915_cs *cs, size_t count,
                                                 const gpucmd_env *env, uint64_t budget,
                                                 gpucmd_i915_report *report);
/* Write the reason why gpucmd_i915_run_all stopped to *why, as gpucmd_i915_cs_why does for one
 * engine. The engine is the first in RS5; if there is none, the first that is blocked; otherwise
 * engine 0. If kind is DEADLOCK, name and text describe the wait condition of that engine. */
GPUCMD_PRIV_API void gpucmd_i915_run_all_why(const gpucmd_i915_cs *cs, size_t count,
                                             const gpucmd_i915_report *report, gpucmd_why *why);
/* Append one line for each blocked engine: its wait condition and the current value in memory. */
GPUCMD_PRIV_API void gpucmd_i915_print_waits(gpucmd_text *t, const gpucmd_i915_cs *cs, size_t count,
                                             gpucmd_mem *mem);
#endif

/* ==== [I915.RECIPE] ======================================================================== */

/* Sequences of commands that kernels write, appended whole or not at all. The functions are also
 * fast if the generation is not a constant. The words are those of the kernel, without delays and
 * without the invalidation of aux tables. [K] gen2_engine_cs.c, gen6_engine_cs.c, gen8_engine_cs.c,
 * intel_migrate.c; gen12.7 [K2]; Xe2 and later [XE] xe_ring_ops.c, xe_migrate.c */

/* Store PIPE_CONTROL, gen6 and later. If flags1 has POST_SYNC, the command writes data to va, an
 * address in the GGTT; otherwise va is ignored, and data must be 0. Return the next position. */
GPUCMD_INLINE uint32_t *gpucmd_priv_i915_put_sync(uint32_t *dw, gpucmd_i915_gen gen,
                                                  uint32_t flags0, uint32_t flags1, uint64_t va,
                                                  uint32_t data)
{
    const bool store = (flags1 & GPUCMD_I915_BITS(PIPE_CONTROL_POST_SYNC)) != 0;
    const uint32_t lo = !store ? 0
                        : gen < GPUCMD_I915_GEN7
                            ? (uint32_t)va | GPUCMD_I915_BITS(PIPE_CONTROL_GGTT_G6)
                            : (uint32_t)va;
    *dw++ = GPUCMD_I915_PRIV_HDR(PIPE_CONTROL, flags0, gen < GPUCMD_I915_GEN8 ? 5u : 6u);
    *dw++ =
        store && gen >= GPUCMD_I915_GEN7 ? flags1 | GPUCMD_I915_BITS(PIPE_CONTROL_GGTT) : flags1;
    *dw++ = lo;
    if (gen >= GPUCMD_I915_GEN8) {
        *dw++ = store ? gpucmd_priv_i915_va_high(va) : 0;
    }
    *dw++ = data;
    *dw++ = 0;
    return dw;
}

/* Store an MI_FLUSH_DW that writes data to va in the GGTT. Return the position of the next word. */
GPUCMD_INLINE uint32_t *gpucmd_priv_i915_put_flush_dw(uint32_t *dw, gpucmd_i915_gen gen,
                                                      uint32_t flags, uint64_t va, uint32_t data)
{
    *dw++ = GPUCMD_I915_PRIV_HDR(MI_FLUSH_DW, flags | GPUCMD_I915_PUT(MI_FLUSH_DW_POST_SYNC, 1),
                                 GPUCMD_I915_MI_FLUSH_DW_DW(gen));
    dw = gpucmd_priv_i915_put_va(dw, gen, va | GPUCMD_I915_BITS(MI_FLUSH_DW_GGTT));
    *dw++ = data;
    return dw;
}

/* Return true if the engine flushes with PIPE_CONTROL (RCS; on gen12 and later also CCS). */
GPUCMD_INLINE bool gpucmd_priv_i915_renders(gpucmd_i915_gen gen, gpucmd_i915_engine engine)
{
    return engine == GPUCMD_I915_RCS || (gen >= GPUCMD_I915_GEN12 && engine == GPUCMD_I915_CCS);
}

/* Return DW1 of a PIPE_CONTROL that writes caches back if write_back is not 0, and invalidates
 * caches if invalidate is not 0. The compute engine gets no flags of 3D caches, which it lacks. */
GPUCMD_INLINE uint32_t gpucmd_priv_i915_sync_flags(gpucmd_i915_gen gen, gpucmd_i915_engine engine,
                                                   uint32_t write_back, uint32_t invalidate)
{
    uint32_t flags = GPUCMD_I915_BITS(PIPE_CONTROL_CS_STALL);
    if (write_back != 0) {
        flags |= GPUCMD_I915_BITS(PIPE_CONTROL_RENDER_TARGET_FLUSH) |
                 GPUCMD_I915_BITS(PIPE_CONTROL_DEPTH_CACHE_FLUSH);
        if (gen >= GPUCMD_I915_GEN7) {
            flags |= GPUCMD_I915_BITS(PIPE_CONTROL_DC_FLUSH) |
                     GPUCMD_I915_BITS(PIPE_CONTROL_FLUSH_ENABLE);
        }
        if (gen >= GPUCMD_I915_GEN11) {
            flags |= GPUCMD_I915_BITS(PIPE_CONTROL_TILE_FLUSH);
        }
        if (gen >= GPUCMD_I915_GEN11 && gen < GPUCMD_I915_GEN20) {
            flags |= GPUCMD_I915_PUT(PIPE_CONTROL_POST_SYNC, 1);
        }
        if (gen >= GPUCMD_I915_GEN12 && gen < GPUCMD_I915_GEN12_7) {
            flags |= GPUCMD_I915_BITS(PIPE_CONTROL_L3_FLUSH);
        }
        if (gen >= GPUCMD_I915_GEN12 && gen < GPUCMD_I915_GEN20) {
            flags |= GPUCMD_I915_BITS(PIPE_CONTROL_DEPTH_STALL);
        }
    }
    if (invalidate != 0) {
        flags |= GPUCMD_I915_BITS(PIPE_CONTROL_TLB_INVALIDATE) |
                 GPUCMD_I915_BITS(PIPE_CONTROL_INSTRUCTION_INVALIDATE) |
                 GPUCMD_I915_BITS(PIPE_CONTROL_TEXTURE_INVALIDATE) |
                 GPUCMD_I915_BITS(PIPE_CONTROL_VF_INVALIDATE) |
                 GPUCMD_I915_BITS(PIPE_CONTROL_CONSTANT_INVALIDATE) |
                 GPUCMD_I915_BITS(PIPE_CONTROL_STATE_INVALIDATE) |
                 GPUCMD_I915_PUT(PIPE_CONTROL_POST_SYNC, 1);
        flags |= gen == GPUCMD_I915_GEN7 || gen == GPUCMD_I915_GEN7_5
                     ? GPUCMD_I915_BITS(PIPE_CONTROL_MEDIA_STATE_CLEAR) |
                           GPUCMD_I915_BITS(PIPE_CONTROL_STALL_AT_SCOREBOARD)
                 : gen >= GPUCMD_I915_GEN11 ? GPUCMD_I915_BITS(PIPE_CONTROL_COMMAND_INVALIDATE)
                                            : 0;
    }
    return gen < GPUCMD_I915_GEN12 || engine != GPUCMD_I915_CCS
               ? flags
               : flags & ~(GPUCMD_I915_BITS(PIPE_CONTROL_RENDER_TARGET_FLUSH) |
                           GPUCMD_I915_BITS(PIPE_CONTROL_DEPTH_CACHE_FLUSH) |
                           GPUCMD_I915_BITS(PIPE_CONTROL_TILE_FLUSH) |
                           GPUCMD_I915_BITS(PIPE_CONTROL_DEPTH_STALL) |
                           GPUCMD_I915_BITS(PIPE_CONTROL_VF_INVALIDATE));
}

/* Store the PIPE_CONTROLs that the hardware requires before a PIPE_CONTROL that flushes or writes
 * (gen6) or invalidates (gen7). Return the position of the next word. */
GPUCMD_INLINE uint32_t *gpucmd_priv_i915_put_stall(uint32_t *dw, gpucmd_i915_gen gen,
                                                   uint64_t scratch_va)
{
    const uint32_t flags = GPUCMD_I915_BITS(PIPE_CONTROL_CS_STALL) |
                           GPUCMD_I915_BITS(PIPE_CONTROL_STALL_AT_SCOREBOARD);
    dw = gpucmd_priv_i915_put_sync(dw, gen, 0, flags, 0, 0);
    return gen >= GPUCMD_I915_GEN7
               ? dw
               : gpucmd_priv_i915_put_sync(dw, gen, 0, GPUCMD_I915_PUT(PIPE_CONTROL_POST_SYNC, 1),
                                           scratch_va, 0);
}

/* Length of the longest recipe, in words. */
enum { GPUCMD_I915_PRIV_RECIPE_DW = 16 };

/* Return GPUCMD_UNSUPPORTED if gen is below gen2 or above gen30. */
GPUCMD_INLINE gpucmd_status gpucmd_priv_i915_exists(gpucmd_i915_gen gen)
{
    return gen < GPUCMD_I915_GEN2 || gen > GPUCMD_I915_GEN30 ? GPUCMD_UNSUPPORTED : GPUCMD_OK;
}

/* If status is GPUCMD_OK, append the words that gpucmd_priv_i915_store_<name> stores. If w has less
 * room than the longest recipe needs, these words are first stored in a local array. */
#define GPUCMD_I915_PRIV_RECIPE(name, w, gen, status, ...)                                         \
    if (GPUCMD_PRIV_UNLIKELY((status) != GPUCMD_OK ||                                              \
                             !gpucmd_priv_writer_fits(w, GPUCMD_I915_PRIV_RECIPE_DW))) {           \
        uint32_t words[GPUCMD_I915_PRIV_RECIPE_DW];                                                \
        if ((status) != GPUCMD_OK) {                                                               \
            gpucmd_priv_writer_fail(w, status);                                                    \
        } else {                                                                                   \
            const uint32_t *end = gpucmd_priv_i915_store_##name(words, gen, __VA_ARGS__);          \
            gpucmd_writer_emit_words(w, words, (size_t)(end - words));                             \
        }                                                                                          \
    } else {                                                                                       \
        (w)->cur = gpucmd_priv_i915_store_##name((w)->cur, gen, __VA_ARGS__);                      \
    }

/* If gen is GPUCMD_I915_GEN<since> or later, return f(dw, that constant, ...). f must store the
 * same words for all generations from that one until the one of the preceding use. */
#define GPUCMD_I915_PRIV_FROM(since, f, dw, gen, ...)                                              \
    if ((gen) >= GPUCMD_I915_GEN##since) {                                                         \
        return f(dw, GPUCMD_I915_GEN##since, __VA_ARGS__);                                         \
    }
/* Return f(dw, g, ...) from the enclosing function. g is a constant: the latest generation listed
 * below that is not later than gen. f must store the same words for g as for gen. */
#define GPUCMD_I915_PRIV_FROM_ALL(f, dw, gen, ...)                                                 \
    if ((gen) >= GPUCMD_I915_GEN11) {                                                              \
        GPUCMD_I915_PRIV_FROM(20, f, dw, gen, __VA_ARGS__)                                         \
        GPUCMD_I915_PRIV_FROM(12_7, f, dw, gen, __VA_ARGS__)                                       \
        GPUCMD_I915_PRIV_FROM(12, f, dw, gen, __VA_ARGS__)                                         \
        return f(dw, GPUCMD_I915_GEN11, __VA_ARGS__);                                              \
    }                                                                                              \
    if ((gen) >= GPUCMD_I915_GEN7) {                                                               \
        GPUCMD_I915_PRIV_FROM(9, f, dw, gen, __VA_ARGS__)                                          \
        GPUCMD_I915_PRIV_FROM(8, f, dw, gen, __VA_ARGS__)                                          \
        return f(dw, GPUCMD_I915_GEN7, __VA_ARGS__);                                               \
    }                                                                                              \
    GPUCMD_I915_PRIV_FROM(6, f, dw, gen, __VA_ARGS__)                                              \
    GPUCMD_I915_PRIV_FROM(4_5, f, dw, gen, __VA_ARGS__)                                            \
    GPUCMD_I915_PRIV_FROM(4, f, dw, gen, __VA_ARGS__)                                              \
    return f(dw, GPUCMD_I915_GEN2, __VA_ARGS__);

/* Modes of gpucmd_i915_emit_flush. */
enum { GPUCMD_I915_WRITE_BACK = 1, GPUCMD_I915_INVALIDATE = 2 };

/* The MI_ARB_CHECK that forbids (off is 1) or allows (0) the engine to parse commands ahead. */
#define GPUCMD_I915_PRIV_PARSER(off)                                                               \
    (GPUCMD_I915_HDR_MI_ARB_CHECK | GPUCMD_I915_PUT(MI_ARB_CHECK_MASK, 1) |                        \
     GPUCMD_I915_PUT(MI_ARB_CHECK_PRE_PARSER_OFF, off))

/* Store the flush of a render or compute engine, gen6 and later. Return the next position. */
GPUCMD_INLINE uint32_t *gpucmd_priv_i915_flush_render(uint32_t *dw, gpucmd_i915_gen gen,
                                                      gpucmd_i915_engine engine, uint32_t mode,
                                                      uint64_t scratch_va)
{
    const uint32_t back = /* flags of DW0 for a PIPE_CONTROL that writes caches back */
        (gen >= GPUCMD_I915_GEN12 ? GPUCMD_I915_BITS(PIPE_CONTROL_HDC_FLUSH) : 0) |
        (gen == GPUCMD_I915_GEN12_7 ? GPUCMD_I915_BITS(PIPE_CONTROL_CCS_FLUSH) : 0);
    const uint32_t read_only = gen >= GPUCMD_I915_GEN20 && engine == GPUCMD_I915_RCS
                                   ? GPUCMD_I915_BITS(PIPE_CONTROL_L3_READ_ONLY_INVALIDATE)
                                   : 0;
    const uint32_t invalidate = mode & GPUCMD_I915_INVALIDATE;
    uint32_t write_back = mode & GPUCMD_I915_WRITE_BACK;
    const bool more = gen <= GPUCMD_I915_GEN9 && gen != GPUCMD_I915_GEN8 && invalidate != 0;
    const bool parser = gen >= GPUCMD_I915_GEN12 && invalidate != 0;
    if (gen < GPUCMD_I915_GEN7 || (gen < GPUCMD_I915_GEN8 && more)) {
        dw = gpucmd_priv_i915_put_stall(dw, gen, scratch_va);
    } else if (more) { /* gen9: an empty PIPE_CONTROL must precede an invalidation */
        dw = gpucmd_priv_i915_put_sync(dw, gen, 0, 0, 0, 0);
    } else if (gen >= GPUCMD_I915_GEN11 && write_back != 0 && invalidate != 0) {
        dw = gpucmd_priv_i915_put_sync(
            dw, gen, back, gpucmd_priv_i915_sync_flags(gen, engine, 1, 0), scratch_va, 0);
        write_back = 0;
    }
    if (parser) {
        *dw++ = GPUCMD_I915_PRIV_PARSER(1);
    }
    dw = gpucmd_priv_i915_put_sync(dw, gen, invalidate == 0 ? back : read_only,
                                   gpucmd_priv_i915_sync_flags(gen, engine, write_back, invalidate),
                                   scratch_va, 0);
    if (parser) {
        *dw++ = GPUCMD_I915_PRIV_PARSER(0);
    }
    return dw;
}

GPUCMD_INLINE uint32_t *gpucmd_priv_i915_flush(uint32_t *dw, gpucmd_i915_gen gen,
                                               gpucmd_i915_engine engine, uint32_t mode,
                                               uint64_t scratch_va)
{
    const bool invalidate = (mode & GPUCMD_I915_INVALIDATE) != 0;
    const bool parser = gen >= GPUCMD_I915_GEN12 && invalidate;
    if (gen < GPUCMD_I915_GEN6) {
        *dw++ = GPUCMD_I915_HDR_MI_FLUSH |
                (!invalidate                ? 0
                 : gen < GPUCMD_I915_GEN4   ? GPUCMD_I915_BITS(MI_FLUSH_INVALIDATE_MAP)
                 : gen < GPUCMD_I915_GEN4_5 ? GPUCMD_I915_BITS(MI_FLUSH_INVALIDATE_STATE)
                                            : GPUCMD_I915_BITS(MI_FLUSH_INVALIDATE_STATE) |
                                                  GPUCMD_I915_BITS(MI_FLUSH_INVALIDATE_POINTERS));
        return dw;
    }
    if (gpucmd_priv_i915_renders(gen, engine)) {
        return gpucmd_priv_i915_flush_render(dw, gen, engine, mode, scratch_va);
    }
    const uint32_t flags = !invalidate
                               ? 0
                               : GPUCMD_I915_BITS(MI_FLUSH_DW_TLB_INVALIDATE) |
                                     (engine == GPUCMD_I915_VCS && gen < GPUCMD_I915_GEN20
                                          ? GPUCMD_I915_BITS(MI_FLUSH_DW_VIDEO_INVALIDATE)
                                      : engine == GPUCMD_I915_BCS && gen == GPUCMD_I915_GEN12_7
                                          ? GPUCMD_I915_BITS(MI_FLUSH_DW_FLUSH_CCS)
                                          : 0);
    if (parser) {
        *dw++ = GPUCMD_I915_PRIV_PARSER(1);
    }
    dw = gpucmd_priv_i915_put_flush_dw(dw, gen, flags, scratch_va, 0);
    if (parser) {
        *dw++ = GPUCMD_I915_PRIV_PARSER(0);
    }
    return dw;
}

/* Define the function `name`, which stores a flush. A constant `mode` makes its tests constant. */
#define GPUCMD_I915_PRIV_FLUSH(name, mode, ...)                                                    \
    GPUCMD_I915_PRIV_SHARED uint32_t *name(uint32_t *dw, gpucmd_i915_gen gen,                      \
                                           gpucmd_i915_engine engine, __VA_ARGS__)                 \
    {                                                                                              \
        GPUCMD_I915_PRIV_FROM_ALL(gpucmd_priv_i915_flush, dw, gen, engine, mode, va)               \
    }
GPUCMD_I915_PRIV_FLUSH(gpucmd_priv_i915_store_write_back, GPUCMD_I915_WRITE_BACK, uint64_t va)
GPUCMD_I915_PRIV_FLUSH(gpucmd_priv_i915_store_invalidate, GPUCMD_I915_INVALIDATE, uint64_t va)
GPUCMD_I915_PRIV_FLUSH(gpucmd_priv_i915_store_any_flush, mode, uint32_t mode, uint64_t va)
#undef GPUCMD_I915_PRIV_FLUSH

GPUCMD_INLINE uint32_t *gpucmd_priv_i915_store_flush(uint32_t *dw, gpucmd_i915_gen gen,
                                                     gpucmd_i915_engine engine, uint32_t mode,
                                                     uint64_t scratch_va)
{
    return mode == GPUCMD_I915_WRITE_BACK
               ? gpucmd_priv_i915_store_write_back(dw, gen, engine, scratch_va)
           : mode == GPUCMD_I915_INVALIDATE
               ? gpucmd_priv_i915_store_invalidate(dw, gen, engine, scratch_va)
               : gpucmd_priv_i915_store_any_flush(dw, gen, engine, mode, scratch_va);
}

/* Append a flush: write caches back to memory, invalidate them, or both.
 *   mode        GPUCMD_I915_WRITE_BACK, GPUCMD_I915_INVALIDATE, or both
 *   scratch_va  global address of 8 bytes that the GPU may overwrite, 8-byte
 *               aligned; ignored before gen6
 * A failure becomes the status of w. GPUCMD_UNSUPPORTED: no such generation. GPUCMD_ALIGN:
 * scratch_va is not aligned. GPUCMD_RANGE: scratch_va has too many bits. GPUCMD_FULL: w is full. */
GPUCMD_SHARED void gpucmd_i915_emit_flush(gpucmd_writer *w, gpucmd_i915_gen gen,
                                          gpucmd_i915_engine engine, uint32_t mode,
                                          uint64_t scratch_va)
{
    gpucmd_status status = gpucmd_priv_i915_exists(gen);
    status = gen < GPUCMD_I915_GEN6 ? status : gpucmd_priv_i915_va(status, gen, scratch_va, ~7u);
    GPUCMD_I915_PRIV_RECIPE(flush, w, gen, status, engine, mode, scratch_va)
}

/* Store the PIPE_CONTROLs that write caches back and seqno at va. Return the next position. */
GPUCMD_INLINE uint32_t *gpucmd_priv_i915_put_crumb(uint32_t *dw, gpucmd_i915_gen gen,
                                                   gpucmd_i915_engine engine, uint64_t va,
                                                   uint32_t seqno)
{
    const uint32_t hdc = gen >= GPUCMD_I915_GEN12 ? GPUCMD_I915_BITS(PIPE_CONTROL_HDC_FLUSH) : 0;
    uint32_t flags =
        gpucmd_priv_i915_sync_flags(gen, engine, 1, 0) & ~GPUCMD_I915_BITS(PIPE_CONTROL_POST_SYNC);
    if (gen == GPUCMD_I915_GEN12_7) {
        flags &= ~GPUCMD_I915_BITS(PIPE_CONTROL_DEPTH_STALL);
        flags |= GPUCMD_I915_BITS(PIPE_CONTROL_TLB_INVALIDATE);
    }
    if (gen < GPUCMD_I915_GEN7) {
        dw = gpucmd_priv_i915_put_stall(dw, gen, va + 8);
        flags |= GPUCMD_I915_BITS(PIPE_CONTROL_DC_FLUSH);
    } else if (gen >= GPUCMD_I915_GEN8) {
        dw = gpucmd_priv_i915_put_sync(dw, gen, hdc, flags, 0, 0);
        flags =
            GPUCMD_I915_BITS(PIPE_CONTROL_CS_STALL) | GPUCMD_I915_BITS(PIPE_CONTROL_FLUSH_ENABLE);
    }
    return gpucmd_priv_i915_put_sync(dw, gen, 0, flags | GPUCMD_I915_PUT(PIPE_CONTROL_POST_SYNC, 1),
                                     va, seqno);
}

GPUCMD_INLINE uint32_t *gpucmd_priv_i915_crumb(uint32_t *dw, gpucmd_i915_gen gen,
                                               gpucmd_i915_engine engine, uint64_t va,
                                               uint32_t seqno)
{
    if (gen < GPUCMD_I915_GEN6) {
        *dw++ = GPUCMD_I915_HDR_MI_FLUSH;
        *dw++ = GPUCMD_I915_PRIV_HDR(MI_STORE_DATA_IMM, GPUCMD_I915_BITS(MI_STORE_DATA_IMM_GGTT),
                                     gen < GPUCMD_I915_GEN4 ? 3u : 4u);
        if (gen >= GPUCMD_I915_GEN4) {
            *dw++ = 0;
        }
        *dw++ = (uint32_t)va;
        *dw++ = seqno;
    } else if (gpucmd_priv_i915_renders(gen, engine)) {
        dw = gpucmd_priv_i915_put_crumb(dw, gen, engine, va, seqno);
    } else {
        dw = gpucmd_priv_i915_put_flush_dw(dw, gen, 0, va, seqno);
    }
    *dw++ = GPUCMD_I915_HDR_MI_USER_INTERRUPT;
    if (gen >= GPUCMD_I915_GEN8) {
        *dw++ = GPUCMD_I915_HDR_MI_ARB_ON_OFF | GPUCMD_I915_BITS(MI_ARB_ON_OFF_ENABLE);
    }
    if (gen >= GPUCMD_I915_GEN20) {
        *dw++ = GPUCMD_I915_HDR_MI_ARB_CHECK;
    }
    return dw;
}

GPUCMD_I915_PRIV_SHARED uint32_t *gpucmd_priv_i915_store_breadcrumb(
    uint32_t *dw, gpucmd_i915_gen gen, gpucmd_i915_engine engine, uint64_t va,
    uint32_t seqno){GPUCMD_I915_PRIV_FROM_ALL(gpucmd_priv_i915_crumb, dw, gen, engine, va, seqno)}

/* Append the end of a request: write caches back, store seqno at va, raise the user interrupt, and
 * on gen8 and later allow preemption. On Xe2 and later the number of words is odd.
 *   va  global address, 8-byte aligned. PIPE_CONTROL stores 8 bytes, other commands 4. On gen6 the
 *       render engine also overwrites the 8 bytes at va + 8.
 * A failure becomes the status of w. GPUCMD_UNSUPPORTED: no such generation. GPUCMD_ALIGN: va is
 * not aligned. GPUCMD_RANGE: va has too many bits. GPUCMD_FULL: w is full. */
GPUCMD_SHARED
    void gpucmd_i915_emit_breadcrumb(gpucmd_writer *w, gpucmd_i915_gen gen,
                                     gpucmd_i915_engine engine, uint64_t va, uint32_t seqno)
{
    const gpucmd_status status = gpucmd_priv_i915_va(gpucmd_priv_i915_exists(gen), gen, va, ~7u);
    GPUCMD_I915_PRIV_RECIPE(breadcrumb, w, gen, status, engine, va, seqno)
}

/* The number of words that gpucmd_i915_emit_dispatch appends. */
#define GPUCMD_I915_DISPATCH_DW(gen)                                                               \
    ((gen) < GPUCMD_I915_GEN8 ? 2 : (gen) < GPUCMD_I915_GEN20 ? 6 : 4)
GPUCMD_INLINE uint32_t *gpucmd_priv_i915_dispatch(uint32_t *dw, gpucmd_i915_gen gen,
                                                  gpucmd_i915_engine engine, bool secure,
                                                  uint64_t va)
{
    uint32_t va_bits;
    const uint32_t flags = gpucmd_i915_batch_start_flags(gen, engine, secure, &va_bits);
    if (gen >= GPUCMD_I915_GEN8 && gen < GPUCMD_I915_GEN20) {
        *dw++ = GPUCMD_I915_HDR_MI_ARB_ON_OFF | GPUCMD_I915_BITS(MI_ARB_ON_OFF_ENABLE);
    }
    *dw++ = GPUCMD_I915_PRIV_HDR(MI_BATCH_BUFFER_START, flags, gen < GPUCMD_I915_GEN8 ? 2u : 3u);
    dw = gpucmd_priv_i915_put_va(dw, gen, va | va_bits);
    if (gen >= GPUCMD_I915_GEN8) {
        *dw++ = GPUCMD_I915_HDR_MI_ARB_ON_OFF;
    }
    if (gen >= GPUCMD_I915_GEN8 && gen < GPUCMD_I915_GEN20) {
        *dw++ = GPUCMD_I915_HDR_MI_NOOP;
    }
    return dw;
}

GPUCMD_I915_PRIV_SHARED uint32_t *gpucmd_priv_i915_store_dispatch(uint32_t *dw, gpucmd_i915_gen gen,
                                                                  gpucmd_i915_engine engine,
                                                                  bool secure, uint64_t va)
{
    GPUCMD_I915_PRIV_FROM(20, gpucmd_priv_i915_dispatch, dw, gen, engine, secure, va)
    GPUCMD_I915_PRIV_FROM(8, gpucmd_priv_i915_dispatch, dw, gen, engine, secure, va)
    GPUCMD_I915_PRIV_FROM(7_5, gpucmd_priv_i915_dispatch, dw, gen, engine, secure, va)
    GPUCMD_I915_PRIV_FROM(6, gpucmd_priv_i915_dispatch, dw, gen, engine, secure, va)
    GPUCMD_I915_PRIV_FROM(4, gpucmd_priv_i915_dispatch, dw, gen, engine, secure, va)
    return gpucmd_priv_i915_dispatch(dw, GPUCMD_I915_GEN2, engine, secure, va);
}

/* As gpucmd_i915_emit_dispatch, for a generation that is not a constant. */
GPUCMD_SHARED void gpucmd_priv_i915_emit_dispatch(gpucmd_writer *w, gpucmd_status status,
                                                  gpucmd_i915_gen gen, gpucmd_i915_engine engine,
                                                  bool secure, uint64_t va){
    GPUCMD_I915_PRIV_RECIPE(dispatch, w, gen, status, engine, secure, va)}

/* Append the start of a batch in a ring, GPUCMD_I915_DISPATCH_DW(gen) words. On gen8 and later they
 * forbid preemption after the batch. On gen8 to gen12.7 they allow preemption before the batch; on
 * Xe2 and later the caller must allow it.
 *   secure  true: the batch keeps all rights
 *   va      address of the batch, 4-byte aligned
 * A failure becomes the status of w. GPUCMD_UNSUPPORTED: no such generation. GPUCMD_ALIGN: va is
 * not aligned. GPUCMD_RANGE: va has too many bits. GPUCMD_FULL: w is full. */
GPUCMD_INLINE void gpucmd_i915_emit_dispatch(gpucmd_writer *w, gpucmd_i915_gen gen,
                                             gpucmd_i915_engine engine, bool secure, uint64_t va)
{
    const gpucmd_status status = gpucmd_priv_i915_va(gpucmd_priv_i915_exists(gen), gen, va, ~3u);
    if (GPUCMD_I915_PRIV_KNOWN(gen)) {
        uint32_t *dw = gpucmd_priv_i915_claim(w, status, GPUCMD_I915_DISPATCH_DW(gen));
        if (dw != NULL) {
            (void)gpucmd_priv_i915_dispatch(dw, gen, engine, secure, va);
        }
    } else {
        gpucmd_priv_i915_emit_dispatch(w, status, gen, engine, secure, va);
    }
}

/* The number of words that gpucmd_i915_emit_copy_pages appends. */
#define GPUCMD_I915_COPY_PAGES_DW(gen) ((gen) >= GPUCMD_I915_GEN8 ? 10 : 6)
/* Store a MEM_COPY of pages, uncached (MOCS index 3). If both addresses are multiples of 256, the
 * command copies units of 256 bytes, otherwise a matrix with a row for each page. */
GPUCMD_INLINE uint32_t *gpucmd_priv_i915_put_mem_copy(uint32_t *dw, gpucmd_i915_gen gen,
                                                      uint64_t dst_va, uint64_t src_va,
                                                      uint32_t pages)
{
    const bool units = ((dst_va | src_va) & 255) == 0;
    *dw++ = GPUCMD_I915_PRIV_HDR(
        MEM_COPY, units ? GPUCMD_I915_BITS(MEM_COPY_PAGE_MODE) : GPUCMD_I915_PUT(MEM_COPY_TYPE, 1),
        10);
    *dw++ = units ? pages * 16 - 1 : 4095;
    *dw++ = pages - 1;
    *dw++ = 4095;
    *dw++ = 4095;
    dw = gpucmd_priv_i915_put_va(dw, gen, src_va);
    dw = gpucmd_priv_i915_put_va(dw, gen, dst_va);
    *dw++ = GPUCMD_I915_PUT(MEM_COPY_SRC_MOCS_INDEX, 3) | GPUCMD_I915_PUT(MEM_COPY_MOCS_INDEX, 3);
    return dw;
}

GPUCMD_INLINE uint32_t *gpucmd_priv_i915_copy_pages(uint32_t *dw, gpucmd_i915_gen gen,
                                                    uint64_t dst_va, uint64_t src_va,
                                                    uint32_t pages)
{
    const uint32_t rgba = GPUCMD_I915_BITS(BLT_WRITE_ALPHA) | GPUCMD_I915_BITS(BLT_WRITE_RGB);
    if (gen >= GPUCMD_I915_GEN20) {
        return gpucmd_priv_i915_put_mem_copy(dw, gen, dst_va, src_va, pages);
    }
    *dw++ = gen >= GPUCMD_I915_GEN9   ? GPUCMD_I915_PRIV_HDR(XY_FAST_COPY_BLT, 0u, 10)
            : gen >= GPUCMD_I915_GEN8 ? GPUCMD_I915_PRIV_HDR(XY_SRC_COPY_BLT, rgba, 10)
                                      : GPUCMD_I915_PRIV_HDR(SRC_COPY_BLT, rgba, 6);
    *dw++ = gen >= GPUCMD_I915_GEN9 ? GPUCMD_I915_PUT(XY_FAST_COPY_BLT_DEPTH, 3) | 4096
                                    : gpucmd_i915_br13(3, 0xcc, 4096);
    if (gen >= GPUCMD_I915_GEN8) {
        *dw++ = 0;
    }
    *dw++ = pages << 16 | (gen >= GPUCMD_I915_GEN8 ? 1024u : 4096u);
    dw = gpucmd_priv_i915_put_va(dw, gen, dst_va);
    if (gen >= GPUCMD_I915_GEN8) {
        *dw++ = 0;
    }
    *dw++ = 4096;
    return gpucmd_priv_i915_put_va(dw, gen, src_va);
}

GPUCMD_I915_PRIV_SHARED uint32_t *gpucmd_priv_i915_store_copy_pages(uint32_t *dw,
                                                                    gpucmd_i915_gen gen,
                                                                    uint64_t dst_va,
                                                                    uint64_t src_va, uint32_t pages)
{
    GPUCMD_I915_PRIV_FROM(20, gpucmd_priv_i915_copy_pages, dw, gen, dst_va, src_va, pages)
    GPUCMD_I915_PRIV_FROM(9, gpucmd_priv_i915_copy_pages, dw, gen, dst_va, src_va, pages)
    GPUCMD_I915_PRIV_FROM(8, gpucmd_priv_i915_copy_pages, dw, gen, dst_va, src_va, pages)
    return gpucmd_priv_i915_copy_pages(dw, GPUCMD_I915_GEN2, dst_va, src_va, pages);
}

/* Append a copy of pages of 4096 bytes, GPUCMD_I915_COPY_PAGES_DW(gen) words, for an engine with 2D
 * commands: SRC_COPY_BLT before gen8, XY_SRC_COPY_BLT on gen8, XY_FAST_COPY_BLT on gen9 to gen12.7,
 * MEM_COPY on Xe2 and later.
 *   dst_va, src_va  4-byte aligned
 *   pages           1..32767
 * A failure becomes the status of w. GPUCMD_UNSUPPORTED: no such generation. GPUCMD_ALIGN: an
 * address is not aligned. GPUCMD_RANGE: an address or pages is invalid. GPUCMD_FULL: w is full. */
GPUCMD_SHARED void gpucmd_i915_emit_copy_pages(gpucmd_writer *w, gpucmd_i915_gen gen,
                                               uint64_t dst_va, uint64_t src_va, uint32_t pages)
{
    gpucmd_status status = gpucmd_priv_i915_va(gpucmd_priv_i915_exists(gen), gen, dst_va, ~3u);
    status = gpucmd_priv_i915_va(status, gen, src_va, ~3u);
    status = gpucmd_priv_i915_check_n(status, pages, 32767);
    GPUCMD_I915_PRIV_RECIPE(copy_pages, w, gen, status, dst_va, src_va, pages)
}
#undef GPUCMD_I915_PRIV_FROM_ALL
#undef GPUCMD_I915_PRIV_FROM

/* ==== [I915.KERNEL] ======================================================================== */

GPUCMD_LAYOUT_STRUCTS(GPUCMD_I915_STRUCTS)
enum { GPUCMD_LAYOUT_IDS(GPUCMD_I915_STRUCTS) };

/* Numbers of ioctls. The model kernel answers these ioctls except GETPARAM. */
#define GPUCMD_DRM_IOCTL_GEM_CLOSE       GPUCMD_IOW('d', 0x09, struct gpucmd_drm_gem_close)
#define GPUCMD_DRM_IOCTL_I915_GETPARAM   GPUCMD_IOWR('d', 0x46, struct gpucmd_drm_i915_getparam)
#define GPUCMD_DRM_IOCTL_I915_GEM_BUSY   GPUCMD_IOWR('d', 0x57, struct gpucmd_drm_i915_gem_busy)
#define GPUCMD_DRM_IOCTL_I915_GEM_CREATE GPUCMD_IOWR('d', 0x5b, struct gpucmd_drm_i915_gem_create)
#define GPUCMD_DRM_IOCTL_I915_GEM_PREAD  GPUCMD_IOW('d', 0x5c, struct gpucmd_drm_i915_gem_pread)
#define GPUCMD_DRM_IOCTL_I915_GEM_PWRITE GPUCMD_IOW('d', 0x5d, struct gpucmd_drm_i915_gem_pwrite)
#define GPUCMD_DRM_IOCTL_I915_GEM_SET_DOMAIN                                                       \
    GPUCMD_IOW('d', 0x5f, struct gpucmd_drm_i915_gem_set_domain)
#define GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2                                                      \
    GPUCMD_IOW('d', 0x69, struct gpucmd_drm_i915_gem_execbuffer2)
#define GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2_WR                                                   \
    GPUCMD_IOWR('d', 0x69, struct gpucmd_drm_i915_gem_execbuffer2)
#define GPUCMD_DRM_IOCTL_I915_GEM_WAIT GPUCMD_IOWR('d', 0x6c, struct gpucmd_drm_i915_gem_wait)

/* Flags of gpucmd_drm_i915_gem_execbuffer2. */
enum {
    GPUCMD_I915_EXEC_RING_MASK = 0x3f,
    GPUCMD_I915_EXEC_DEFAULT = 0,
    GPUCMD_I915_EXEC_RENDER = 1,
    GPUCMD_I915_EXEC_BSD = 2,
    GPUCMD_I915_EXEC_BLT = 3,
    GPUCMD_I915_EXEC_VEBOX = 4,
    GPUCMD_I915_EXEC_CONSTANTS_MASK = 3 << 6,
    GPUCMD_I915_EXEC_GEN7_SOL_RESET = 1 << 8,
    GPUCMD_I915_EXEC_SECURE = 1 << 9,
    GPUCMD_I915_EXEC_IS_PINNED = 1 << 10,
    GPUCMD_I915_EXEC_NO_RELOC = 1 << 11,
    GPUCMD_I915_EXEC_HANDLE_LUT = 1 << 12,
    GPUCMD_I915_EXEC_BSD_MASK = 3 << 13,
    GPUCMD_I915_EXEC_RESOURCE_STREAMER = 1 << 15,
    GPUCMD_I915_EXEC_FENCE_IN = 1 << 16,
    GPUCMD_I915_EXEC_FENCE_OUT = 1 << 17,
    GPUCMD_I915_EXEC_BATCH_FIRST = 1 << 18,
    GPUCMD_I915_EXEC_FENCE_ARRAY = 1 << 19,
    GPUCMD_I915_EXEC_FENCE_SUBMIT = 1 << 20,
    GPUCMD_I915_EXEC_USE_EXTENSIONS = 1 << 21,
};

/* Flags of gpucmd_drm_i915_gem_exec_fence. */
enum {
    GPUCMD_I915_EXEC_FENCE_WAIT = 1,
    GPUCMD_I915_EXEC_FENCE_SIGNAL = 2,
};

/* Flags of gpucmd_drm_i915_gem_exec_object2. */
enum {
    GPUCMD_EXEC_OBJECT_NEEDS_FENCE = 1,
    GPUCMD_EXEC_OBJECT_NEEDS_GTT = 2,
    GPUCMD_EXEC_OBJECT_WRITE = 4,
    GPUCMD_EXEC_OBJECT_SUPPORTS_48B_ADDRESS = 8,
    GPUCMD_EXEC_OBJECT_PINNED = 16,
    GPUCMD_EXEC_OBJECT_PAD_TO_SIZE = 32,
    GPUCMD_EXEC_OBJECT_ASYNC = 64,
    GPUCMD_EXEC_OBJECT_CAPTURE = 128,
};

/* Domains of gpucmd_drm_i915_gem_relocation_entry. */
enum {
    GPUCMD_I915_GEM_DOMAIN_CPU = 1,
    GPUCMD_I915_GEM_DOMAIN_RENDER = 2,
    GPUCMD_I915_GEM_DOMAIN_SAMPLER = 4,
    GPUCMD_I915_GEM_DOMAIN_COMMAND = 8,
    GPUCMD_I915_GEM_DOMAIN_INSTRUCTION = 16,
    GPUCMD_I915_GEM_DOMAIN_VERTEX = 32,
    GPUCMD_I915_GEM_DOMAIN_GTT = 64,
};

/* ---- builder ---- */

/* Builder of a submission. objects: the list of its objects, an array owned by the caller. */
typedef struct gpucmd_i915_exec {
    struct gpucmd_drm_i915_gem_exec_object2 *objects;
    uint32_t cap;
    uint32_t count;
    gpucmd_status status; /* GPUCMD_OK; GPUCMD_FULL: more than cap objects were added */
} gpucmd_i915_exec;

/* Start an empty list of objects. objects is an array of cap elements owned by the caller. */
GPUCMD_INLINE void gpucmd_i915_exec_init(gpucmd_i915_exec *e,
                                         struct gpucmd_drm_i915_gem_exec_object2 *objects,
                                         uint32_t cap)
{
    e->objects = objects;
    e->cap = cap;
    e->count = 0;
    e->status = GPUCMD_OK;
}

/* Append an object and return its index in the list. offset: presumed address of the object; 0:
 * unknown. relocs: reloc_count entries, valid until the ioctl returns; NULL if reloc_count is 0. If
 * the list is full, return 0; then gpucmd_i915_exec_finish returns GPUCMD_FULL. */
GPUCMD_INLINE uint32_t gpucmd_i915_exec_add(gpucmd_i915_exec *e, uint32_t handle, uint64_t flags,
                                            uint64_t offset,
                                            struct gpucmd_drm_i915_gem_relocation_entry *relocs,
                                            uint32_t reloc_count)
{
    if (e->count >= e->cap) {
        e->status = GPUCMD_FULL;
        return 0;
    }
    struct gpucmd_drm_i915_gem_exec_object2 *o = &e->objects[e->count];
    gpucmd_priv_zero(o, sizeof *o);
    o->handle = handle;
    o->relocation_count = reloc_count;
    o->relocs_ptr = (uint64_t)(uintptr_t)relocs;
    o->offset = offset;
    o->flags = flags;
    return e->count++;
}

/* Fill the argument of EXECBUFFER2. The batch is at byte offset start_bytes in the last object, or
 * with flag BATCH_FIRST in the first object. len_bytes: size of the batch; 0: up to the end of the
 * object. GPUCMD_ALIGN: start_bytes or len_bytes is not a multiple of 8. GPUCMD_FULL: the list was
 * too small. GPUCMD_ORDER: no object was added. On failure *arg is unchanged. */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status
gpucmd_i915_exec_finish(const gpucmd_i915_exec *e, uint64_t flags, uint32_t start_bytes,
                        uint32_t len_bytes, struct gpucmd_drm_i915_gem_execbuffer2 *arg)
{
    if (e->status != GPUCMD_OK || e->count == 0) {
        return e->status != GPUCMD_OK ? e->status : GPUCMD_ORDER;
    }
    if (((start_bytes | len_bytes) & 7) != 0) {
        return GPUCMD_ALIGN;
    }
    gpucmd_priv_zero(arg, sizeof *arg);
    arg->buffers_ptr = (uint64_t)(uintptr_t)e->objects;
    arg->buffer_count = e->count;
    arg->batch_start_offset = start_bytes;
    arg->batch_len = len_bytes;
    arg->flags = flags;
    return GPUCMD_OK;
}

/* ---- model kernel ---- */

/* An address space. The caller must zero a row before its first use. */
typedef struct gpucmd_i915_vm {
    uint32_t root;    /* internal: id of the root of the tree of vmas; 0: the space is empty */
    uint64_t next_va; /* internal: address that a search tries before the holes */
} gpucmd_i915_vm;

/* Internal: the addresses of an object in one address space; a node of the tree of that space.
 * Members up, child, next and next_change are ids of nodes: row + 1 of an object for its member
 * vma, 0x80000000 | row of the table vmas, or 0 for none. A row of zeros is free. */
typedef struct gpucmd_i915_vma {
    uint64_t va, end;           /* address range; end 0: not bound */
    uint64_t old_va, old_end;   /* address range before the submission, if changed is set */
    uint64_t low, high, hole;   /* lowest va, highest end and largest gap of the subtree */
    uint32_t up, child[2];      /* parent; left and right child in the tree */
    uint32_t vm;                /* address space: row + 1 in vms; 0: kernel.vm */
    uint32_t object;            /* object: row + 1 in objects; 0: this row is free */
    uint32_t next, next_change; /* next node of the same object; next node with changed set */
    uint32_t height;
    bool changed;
} gpucmd_i915_vma;

/* A buffer object. The caller must zero a row before its first use. */
typedef struct gpucmd_i915_object {
    uint32_t handle; /* handle of the object; 0: this row is free */
    uint32_t pins;   /* set by the caller; if not 0, the kernel does not move the object */
    uint64_t bytes;
    void *host;                   /* CPU memory of the object, little-endian words */
    uint64_t va;                  /* output: address in the last space that used it, below 2^48 */
    bool bound;                   /* output: va is valid */
    uint8_t writer;               /* ring whose submission wrote the object last; 0: none */
    uint32_t readers;             /* bit n: ring n used the object in or after the last write */
    uint64_t used_by, written_by; /* internal: bit i: request i uses the object, or writes it */
    uint32_t row;                 /* index of the object's first entry in the last list it was in */
    uint32_t node;                /* internal: id of the vma in the space of the submission */
    gpucmd_i915_vma vma;          /* internal: vma in the first space that used the object */
    uint32_t first;               /* internal: hash bucket: row + 1 of its first object; 0: empty */
    uint32_t next;
} gpucmd_i915_object;

/* A context. The default context 0 needs no row. */
typedef struct gpucmd_i915_context {
    uint32_t id;
    uint32_t vm;        /* gen8 and later: address space: row + 1 in vms; 0: kernel.vm */
    int32_t priority;   /* gen8 and later: requests of the highest priority start first */
    bool banned;        /* submissions of the context fail with -EIO */
    bool unrecoverable; /* the context is banned at its first hang, otherwise at its third [K] */
    uint32_t active;    /* output: batches of the context that hung */
    uint32_t pending;   /* output, before gen7: batches that a reset for another batch stopped */
} gpucmd_i915_context;

/* Internal: a submission that waits or runs, or a fence that the caller signals (ring is 0). */
typedef struct gpucmd_i915_request {
    uint32_t seqno;
    uint32_t context; /* id of the context */
    uint32_t space;
    uint32_t runs; /* number of calls of sync_ring after which the batch was not finished */
    uint64_t va;   /* address of the batch */
    uint64_t wait; /* bit i: request i must end before this request starts */
    int32_t priority;
    uint8_t ring;
    bool secure, refused, running;
    bool hung; /* output: the batch hung or its context is banned, so the kernel dropped it */
} gpucmd_i915_request;

/* A synchronisation object. Arrays of fences name it by its handle. If request_count of the kernel
 * is 0, a submission waits for the object only if the callback sync_ring is set. */
typedef struct gpucmd_i915_syncobj {
    uint32_t handle;
    bool has_fence;
    uint8_t ring;        /* number of the ring that signals; 0: the caller signals */
    uint32_t seqno;      /* seqno of the request that signals; 0: none */
    bool is_next;        /* internal: the submission that the kernel is checking will signal it */
    uint64_t point;      /* highest point of a timeline object; 0: not a timeline */
    uint64_t next_point; /* internal: value of point after that submission */
    uint32_t first;      /* internal: hash bucket: row + 1 of its first sync object; 0: empty */
    uint32_t next;
} gpucmd_i915_syncobj;

/* A sync file. The caller sets fd, its descriptor. FENCE_OUT uses a row with used false. */
typedef struct gpucmd_i915_sync_file {
    int fd;
    bool used;
    uint8_t ring;   /* number of the ring that signals; 0: the caller signals */
    uint32_t seqno; /* seqno of the request that signals */
} gpucmd_i915_sync_file;

/* Ring numbers that the flags of EXECBUFFER2 cannot name. Engine maps can use them. */
enum {
    GPUCMD_I915_RING_BSD2 = 5,
    GPUCMD_I915_RING_COMPUTE = 6,
};
#define GPUCMD_I915_KERNEL_RINGS  7
#define GPUCMD_I915_KERNEL_FENCES 131072u /* a submission with more fences fails with ENOMEM */

/* Engine map of a context: rings[i] is the ring number of engine index i in the
 * flags. An index without a ring is rejected. */
typedef struct gpucmd_i915_engine_map {
    uint32_t context;
    uint32_t count;
    const uint8_t *rings;
} gpucmd_i915_engine_map;

/* Values of gpucmd_i915_kernel.table. RAM is the memory for GEM_CREATE, not a table. */
#define GPUCMD_I915_PRIV_TABLE(id, member, count, type, store) GPUCMD_I915_TABLE_##id,
typedef enum gpucmd_i915_table {
    GPUCMD_I915_TABLE_NONE,
    GPUCMD_I915_KERNEL_TABLES(GPUCMD_I915_PRIV_TABLE) GPUCMD_I915_TABLE_RAM,
} gpucmd_i915_table;
#undef GPUCMD_I915_PRIV_TABLE

/* The model kernel of one open file. The caller owns all tables and lists, and must set their
 * members after init. A gpucmd_i915_kernel_store has tables of recommended sizes. */
#define GPUCMD_I915_PRIV_TABLE(id, member, count, type, store)                                     \
    type *member;                                                                                  \
    uint32_t count;
typedef struct gpucmd_i915_kernel {
    gpucmd_i915_gen gen;
    gpucmd_mem *process; /* memory of the process, with the ioctl arguments; NULL: CPU pointers */
    GPUCMD_I915_KERNEL_TABLES(GPUCMD_I915_PRIV_TABLE)
    uint32_t list_count; /* number of objects in the list of the last submission */
    uint8_t *ram;        /* memory for GEM_CREATE, ram_bytes, page aligned; may be NULL */
    uint64_t ram_bytes;
    /* [1] render, [2] BSD, [3] BLT, [4] VEBOX, [5] second BSD, [6] compute; NULL: no such ring. */
    gpucmd_i915_ring *rings[GPUCMD_I915_KERNEL_RINGS];
    const gpucmd_i915_engine_map *maps; /* if a context has no map, the flags name a ring number */
    uint32_t map_count;
    /* Callback that executes the work of a ring; return 0, or a negative errno that ends the ioctl.
     * It must not call an ioctl of this kernel. NULL: submissions do not wait for other rings, and
     * a wait for a busy object fails with -ETIME. Calls:
     *   - by a submission: each other ring whose work it must wait for; its own ring if that has
     *     work in another address space
     *   - by an ioctl that waits for an object: each ring that uses the object */
    int (*sync_ring)(void *user, uint32_t ring);
    void *sync_user;
    /* Option: rows (at most 64 are used) in which submissions wait until gpucmd_i915_kernel_run or
     * a waiting ioctl executes them. request_count 0: submissions are executed at once. */
    gpucmd_i915_request *requests;
    uint32_t request_count;
    uint32_t hang_runs; /* number of calls of sync_ring after which a batch hangs; 0: never */
    /* Callback that drops the work of a ring after a hang. */
    void (*reset_ring)(void *user, uint32_t ring);
    uint64_t pending;    /* output: bit i: the request in row i has not ended */
    uint64_t ended;      /* internal: bit i: request i has ended, used_by may still have bit i */
    uint64_t first_va;   /* start of the addresses that the kernel chooses */
    uint64_t end_va;     /* end of the addresses of an address space */
    gpucmd_i915_vm vm;   /* default address space; before gen8 the only space */
    uint32_t wait_rings; /* output: bit n: the last submission must wait for work of ring n */
    uint32_t space;      /* address space of the last submission: row + 1 in vms; 0: vm */
    uint32_t ring_spaces[GPUCMD_I915_KERNEL_RINGS]; /* internal: [n]: address space of ring n */
    uint32_t changes;            /* internal: id of the vma that the submission changed last */
    uint32_t vma_free, vma_used; /* internal: id of the first free vma; number of vmas ever used */
    bool second_bsd;             /* two BSD rings; rings[2] serves both if rings[5] is NULL */
    bool master;                 /* the process may use EXEC_SECURE before gen6 */
    bool wedged;
    bool breadcrumb; /* option: after a batch the ring stores the seqno and raises an interrupt */
    bool parser;     /* option: parse batches of gen7, of gen7.5 with a batch_len, of BCS on gen9 */
    uint32_t seqno;  /* seqno of the last submission */
    gpucmd_why why;  /* why the parser rejected a batch, or why the engine of a store stopped */
    gpucmd_i915_table table;                /* table that was too small or invalid, or NONE */
    struct gpucmd_i915_kernel_store *store; /* NULL unless init_store has set it */
    bool objects_indexed, syncobjs_indexed; /* internal: the hash table of handles is valid */
    gpucmd_sys_node node;
} gpucmd_i915_kernel;
#undef GPUCMD_I915_PRIV_TABLE

/* Memory for a model kernel: tables, a render engine and its ring. */
#define GPUCMD_I915_PRIV_TABLE(id, member, count, type, store) type member[store];
typedef struct gpucmd_i915_kernel_store {
    GPUCMD_I915_KERNEL_TABLES(GPUCMD_I915_PRIV_TABLE)
    gpucmd_region regions[65]; /* one for the ring, one for each object */
    gpucmd_i915_cs cs;
    gpucmd_i915_ring ring;
    uint32_t ring_words[1024];
} gpucmd_i915_kernel_store;
#undef GPUCMD_I915_PRIV_TABLE

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Return the layout of structure idx (GPUCMD_STRUCT_<name>) for gpucmd_layout_print, _convert. */
GPUCMD_PRIV_API const char *gpucmd_i915_layout(uint32_t idx);
/* Return the name of a table, such as "OBJECTS"; "?" for an unknown number. Static storage. */
GPUCMD_PRIV_API const char *gpucmd_i915_table_name(gpucmd_i915_table table);
/* Initialise *k with empty tables. An address space has 512 MiB before gen6, 2 GiB on gen6 to
 * gen7.5, 256 TiB on gen8 and later; objects start at 1 MiB. process: memory of the ioctl
 * arguments, valid as long as k is used; NULL: ioctl addresses are CPU pointers. */
GPUCMD_PRIV_API void gpucmd_i915_kernel_init(gpucmd_i915_kernel *k, gpucmd_i915_gen gen,
                                             gpucmd_mem *process);
/* As gpucmd_i915_kernel_init, but k also gets the tables of *store, an engine, and memory. The
 * render engine of *store becomes ring 1, which sync_ring executes. GEM_CREATE takes memory from
 * the ram_bytes bytes at ram. If a batch fails, it is dropped, and k->why is the reason. store and
 * ram must outlive *k, and *k must not move.
 *   GPUCMD_UNSUPPORTED          gen is invalid
 *   GPUCMD_RANGE                store is NULL
 *   GPUCMD_RANGE, GPUCMD_ALIGN  as in gpucmd_i915_kernel_check */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_i915_kernel_init_store(gpucmd_i915_kernel *k,
                                                              gpucmd_i915_gen gen,
                                                              gpucmd_mem *process,
                                                              gpucmd_i915_kernel_store *store,
                                                              void *ram, uint64_t ram_bytes);
/* Check the tables of k. On failure k->table is the invalid table.
 *   GPUCMD_RANGE  a table with rows is NULL; LIST has no rows; RAM has 1..4095 bytes
 *   GPUCMD_ALIGN  a table is not aligned for its type, or RAM is not page aligned */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_i915_kernel_check(gpucmd_i915_kernel *k);
/* Call an ioctl. arg is the address of its argument in the process. Return 0 or a negative errno.
 * k->table is the table that is too small, or NONE.
 *   -ENOTTY  request is not a number of GPUCMD_I915_IOCTLS
 *   -EAGAIN  the ring of a submission is full, or no row of requests is free
 *   -EINTR   the wait callback of the ring returned GPUCMD_FAULT, which means a signal
 *   -ETIME   the object for which the ioctl waits is still busy after sync_ring
 *   -EFAULT  an argument cannot be read, or a result cannot be written back
 * EXECBUFFER2 copies and checks the list, searches for objects, reserves addresses, relocates,
 * submits to the ring and writes the addresses back, in the order and with the errnos of today's
 * kernel [K] i915_gem_execbuffer.c. GEM_WAIT ignores the timeout. A submission that fails changes
 * nothing before its first relocation; later its relocations and the new addresses of objects
 * remain, as in the kernel. If a result cannot be written back, the effect of the ioctl remains. A
 * submission that cannot write addresses back does not return -EFAULT. Time:
 *   EXECBUFFER2  O(objects and sync objects of the tables + relocations + fences + list * log(n)),
 *                where n objects have addresses
 *   GEM_CREATE   O(objects) for each object that overlaps a tried range
 *   others       O(objects); GEM_PREAD and GEM_PWRITE also O(bytes) */
GPUCMD_PRIV_CHECK int gpucmd_i915_kernel_ioctl(gpucmd_i915_kernel *k, uint32_t request,
                                               uint64_t arg);
/* Start one ready request on each idle ring and execute each busy ring once. A request is ready if
 * its fences are signalled and these earlier requests have ended:
 *   - requests of its context on its ring
 *   - requests that write an object that it uses, or use an object that it writes, except objects
 *     with EXEC_OBJECT_ASYNC
 * The request of the highest priority starts first, then that of the lowest seqno. A batch that
 * hangs is dropped. Return true if a request has ended. Time: O(rings * rows). [K] */
GPUCMD_PRIV_API bool gpucmd_i915_kernel_run(gpucmd_i915_kernel *k);
/* Return the bit of the request seqno (submission or fence) in k->pending; 0 if it has ended. */
GPUCMD_PRIV_API uint64_t gpucmd_i915_kernel_find(const gpucmd_i915_kernel *k, uint32_t seqno);
/* Create a fence for a sync object or sync file. Return the seqno of the fence, or 0 if no row of
 * requests is free. The caller signals the fence with gpucmd_i915_kernel_signal. */
GPUCMD_PRIV_API uint32_t gpucmd_i915_kernel_fence(gpucmd_i915_kernel *k);
/* Signal the fence with this seqno, from gpucmd_i915_kernel_fence. Do nothing if it has ended. */
GPUCMD_PRIV_API void gpucmd_i915_kernel_signal(gpucmd_i915_kernel *k, uint32_t seqno);
/* Fill *ops with system calls of k, which must not move while *ops is used. open takes any path. */
GPUCMD_PRIV_API void gpucmd_i915_kernel_sys(gpucmd_i915_kernel *k, gpucmd_sys_ops *ops);
/* Remove object o from all address spaces and zero its row. Unlike GEM_CLOSE, do not wait. */
GPUCMD_PRIV_API void gpucmd_i915_kernel_free(gpucmd_i915_kernel *k, gpucmd_i915_object *o);
/* Remove all objects from address space vm (row + 1 in vms; 0: k->vm), which then is empty. */
GPUCMD_PRIV_API void gpucmd_i915_kernel_vm_free(gpucmd_i915_kernel *k, uint32_t vm);
/* Write to *va the address of object o in address space vm (row + 1 in vms; 0: k->vm). Return false
 * if o has no address there; *va is unchanged. */
GPUCMD_PRIV_CHECK bool gpucmd_i915_kernel_address(const gpucmd_i915_kernel *k,
                                                  const gpucmd_i915_object *o, uint32_t vm,
                                                  uint64_t *va);
/* Write the objects of address space k->space to regions, at most cap, in ascending order of
 * address. Return their number, even if it exceeds cap. Time: O(n * log(n)) for n objects. */
GPUCMD_PRIV_API size_t gpucmd_i915_kernel_regions(const gpucmd_i915_kernel *k,
                                                  gpucmd_region *regions, size_t cap);
/* As gpucmd_i915_kernel_regions, but only the objects of the last submission. Time for a list of n
 * rows: O(n * log(n)). If the list has more than cap objects: O(n * cap). */
GPUCMD_PRIV_API size_t gpucmd_i915_kernel_list_regions(const gpucmd_i915_kernel *k,
                                                       gpucmd_region *regions, size_t cap);
/* Check a batch as the kernel's command parser does before the kernel lets the batch run with all
 * rights. words: the batch, little endian. va: address of the first word.
 *   0        the batch is allowed, or the engine has no parser
 *   -EACCES  a command or a register is not allowed
 *   -EINVAL  the batch is malformed
 * If the batch is rejected and why is not NULL, write to *why: kind ERROR; address, first word and
 * name of the command; the rule. [K] i915_cmd_parser.c */
GPUCMD_PRIV_CHECK int gpucmd_i915_parse(const gpucmd_i915_cmdset *cmdset, const void *words,
                                        uint64_t len_bytes, uint64_t va, gpucmd_why *why);
#endif

GPUCMD_PRIV_END

#endif /* GPUCMD_I915_H */

/* End of the interface. Implementation below. */

#if defined(GPUCMD_IMPLEMENTATION) && !defined(GPUCMD_I915_H_IMPL)
#define GPUCMD_I915_H_IMPL

GPUCMD_PRIV_BEGIN

/* ==== [I915.IMPL.FACTS] ==================================================================== */

/* Names of registers. Columns: byte offset (ascending), name, first and last generation, kind.
 * Offsets of GPUCMD_I915_RING_NAMES are relative to the base of an engine. Offsets of
 * GPUCMD_I915_GLOBAL_NAMES are absolute; on gen12.7 and later the media GT has a copy of the
 * registers below 0x40000, at offsets higher by 0x380000. Bits of kind: [GX] [K2] [XE] [IGT]
 *   1     the register has 64 bits
 *   2     bits 31:16 of a written value select which of the bits 15:0 change
 *   4     the hardware has several copies of the register, all with this name
 *   0x10  only the render engine has the register
 *   0x40  only the copy engine has the register
 *   15:8  number of consecutive registers with this name; 0 means one register */
/* clang-format off */
#define GPUCMD_I915_RING_NAMES(R)                                                                  \
    R( 0x028, "EXCC", 7, 30, 0 ) R( 0x030, "TAIL", 2, 30, 0 ) R( 0x034, "HEAD", 2, 30, 0 )         \
    R( 0x038, "START", 2, 30, 0 ) R( 0x03c, "CTL", 2, 30, 0 ) R( 0x040, "SYNC_0", 6, 7_5, 0 )      \
    R( 0x044, "SYNC_1", 6, 7_5, 0 ) R( 0x048, "SYNC_2", 6, 7_5, 0 )                                \
    R( 0x048, "START_UDW", 20, 30, 0 ) R( 0x050, "PSMI_CTL", 6, 30, 0x2 )                          \
    R( 0x054, "MAX_IDLE", 6, 12_5, 0 ) R( 0x054, "PWRCTX_MAXCNT", 12_5, 30, 0 )                    \
    R( 0x05c, "ACTHD_UDW", 8, 30, 0 ) R( 0x060, "DMA_FADD_UDW", 8, 30, 0 )                         \
    R( 0x064, "IPEIR", 4, 30, 0 ) R( 0x068, "IPEHR", 4, 30, 0 ) R( 0x06c, "INSTDONE", 4, 30, 0 )   \
    R( 0x070, "INSTPS", 4, 30, 0 ) R( 0x074, "ACTHD", 4, 30, 0 )                                   \
    R( 0x078, "DMA_FADD", 4, 30, 0 ) R( 0x080, "HWS_PGA", 4, 30, 0 )                               \
    R( 0x084, "CMD_BUF_CCTL", 12, 30, 0 ) R( 0x08c, "ENGINE_ID", 11, 30, 0 )                       \
    R( 0x094, "NOPID", 2, 30, 0 ) R( 0x098, "HWSTAM", 2, 30, 0 )                                   \
    R( 0x09c, "MI_MODE", 4, 30, 0x2 ) R( 0x0a0, "FF_THREAD_MODE", 7, 30, 0 )                       \
    R( 0x0a4, "INT_SRC_RPT_PTR", 12, 30, 0 ) R( 0x0a8, "IMR", 4, 30, 0 )                           \
    R( 0x0ac, "INT_STATUS_RPT_PTR", 12, 30, 0 ) R( 0x0b0, "EIR", 4, 30, 0 )                        \
    R( 0x0b4, "EMR", 4, 30, 0 ) R( 0x0b8, "ESR", 4, 30, 0 )                                        \
    R( 0x0bc, "STATE_ACK_DEBUG", 12, 30, 0 ) R( 0x0c0, "INSTPM", 4, 30, 0x2 )                      \
    R( 0x0c4, "CMD_CCTL", 12, 30, 0x2 ) R( 0x0c8, "R_PWR_CLK_STATE", 8, 30, 0 )                    \
    R( 0x0cc, "CS_MMIO_GROUP_INSTANCE_SELECT", 12, 30, 0 ) R( 0x0d0, "RESET_CTL", 8, 30, 0x2 )     \
    R( 0x0d4, "CSFE_CHICKEN1", 9, 30, 0x2 ) R( 0x0d8, "CS_DEBUG_MODE2", 9, 30, 0x2 )               \
    R( 0x0e0, "FF_SLICE_CS_CHICKEN1", 7, 30, 0x2 )                                                 \
    R( 0x0e4, "FF_SLICE_CS_CHICKEN2", 9, 30, 0x2 ) R( 0x0ec, "CS_DEBUG_MODE1", 9, 30, 0x2 )        \
    R( 0x108, "INDIRECT_RING_STATE", 20, 30, 0 ) R( 0x110, "BBSTATE", 4, 30, 0 )                   \
    R( 0x114, "SBBADDR", 7_5, 30, 0 ) R( 0x118, "SBBSTATE", 7_5, 30, 0 )                           \
    R( 0x11c, "SBBADDR_UDW", 8, 30, 0 ) R( 0x120, "PRT_BB_STATE", 12_5, 30, 0 )                    \
    R( 0x124, "PRT_BB_STATE_UDW", 12_5, 30, 0 ) R( 0x140, "BBADDR", 4, 30, 0 )                     \
    R( 0x158, "BB_OFFSET", 8, 30, 0 ) R( 0x168, "BBADDR_UDW", 8, 30, 0 )                           \
    R( 0x180, "CCID", 4, 30, 0 ) R( 0x1b8, "CS_INT_VEC", 20, 30, 0 )                               \
    R( 0x1c0, "BB_PER_CTX_PTR", 8, 30, 0 ) R( 0x1c4, "INDIRECT_CTX", 8, 30, 0 )                    \
    R( 0x1c8, "INDIRECT_CTX_OFFSET", 8, 30, 0 ) R( 0x1d0, "ECOSKPD", 6, 30, 0x2 )                  \
    R( 0x200, "BCS_SWCTRL", 8, 30, 0x42 ) R( 0x204, "BLIT_CCTL", 12, 30, 0x40 )                    \
    R( 0x20c, "CSCMDOP", 12, 30, 0 ) R( 0x220, "PP_DIR_DCLV", 6, 8, 0 )                            \
    R( 0x228, "PP_DIR_BASE", 6, 8, 0 ) R( 0x230, "ELSP", 8, 9, 0 )                                 \
    R( 0x234, "EXECLIST_STATUS_LO", 8, 30, 0 ) R( 0x238, "EXECLIST_STATUS_HI", 8, 30, 0 )          \
    R( 0x23c, "IDLEDLY", 12, 30, 0 ) R( 0x240, "CURRENT_LRCA", 12, 30, 0 )                         \
    R( 0x244, "CONTEXT_CONTROL", 8, 30, 0x2 ) R( 0x24c, "SEMA_WAIT_POLL", 8, 30, 0 )               \
    R( 0x270, "PDP0_LDW", 8, 30, 0 ) R( 0x274, "PDP0_UDW", 8, 30, 0 )                              \
    R( 0x278, "PDP1_LDW", 8, 30, 0 ) R( 0x27c, "PDP1_UDW", 8, 30, 0 )                              \
    R( 0x280, "PDP2_LDW", 8, 30, 0 ) R( 0x284, "PDP2_UDW", 8, 30, 0 )                              \
    R( 0x288, "PDP3_LDW", 8, 30, 0 ) R( 0x28c, "PDP3_UDW", 8, 30, 0 )                              \
    R( 0x29c, "MODE", 7, 30, 0x2 ) R( 0x2b0, "CSMQDEBUG", 20, 30, 0 )                              \
    R( 0x2b4, "SEMAPHORE_TOKEN", 12, 30, 0 ) R( 0x350, "PS_DEPTH_COUNT", 4, 30, 0x11 )             \
    R( 0x358, "TIMESTAMP", 4, 30, 0x1 ) R( 0x3a0, "CONTEXT_STATUS_PTR", 8, 30, 0 )                 \
    R( 0x3a8, "CTX_TIMESTAMP", 8, 12_7, 0 ) R( 0x3a8, "CTX_TIMESTAMP", 20, 30, 0x1 )               \
    R( 0x3b8, "PREDICATE_RESULT", 12, 30, 0 ) R( 0x3bc, "MI_PREDICATE_RESULT_2", 8, 30, 0 )        \
    R( 0x3fc, "CSBE_DEBUG_STATUS", 20, 30, 0 ) R( 0x400, "MI_PREDICATE_SRC0", 7, 30, 0x1 )         \
    R( 0x408, "MI_PREDICATE_SRC1", 7, 30, 0x1 ) R( 0x410, "MI_PREDICATE_DATA", 7, 30, 0x1 )        \
    R( 0x418, "MI_PREDICATE_RESULT", 7, 30, 0 ) R( 0x41c, "MI_PREDICATE_RESULT_1", 7_5, 30, 0 )    \
    R( 0x4d0, "FORCE_TO_NONPRIV", 8, 30, 0xc00 ) R( 0x510, "EXECLIST_SQ_CONTENTS", 11, 30, 0 )     \
    R( 0x550, "EXECLIST_CONTROL", 11, 30, 0 ) R( 0x580, "CS_CHICKEN1", 9, 30, 0x2 )                \
    R( 0x588, "BB_STACK_WRITE_PORT", 12, 30, 0 )                                                   \
    R( 0x5a8, "CONTEXT_SCHEDULING_ATTRIBUTES", 12, 30, 0 )                                         \
    R( 0x5ac, "PREEMPTION_STATUS", 12, 30, 0 ) R( 0x600, "CS_GPR", 7_5, 30, 0x1001 )
#define GPUCMD_I915_GLOBAL_NAMES(R)                                                                \
    R( 0x02084, "_3D_CHICKEN", 4, 5, 0x2 ) R( 0x0208c, "_3D_CHICKEN2", 4, 6, 0x2 )                 \
    R( 0x02090, "_3D_CHICKEN3", 6, 12, 0x2 ) R( 0x020cc, "WAIT_FOR_RC6_EXIT", 7_5, 7_5, 0x2 )      \
    R( 0x020d0, "GT_MODE", 6, 6, 0x2 ) R( 0x020d4, "CSFE_CHICKEN1_RCS", 9, 30, 0x2 )               \
    R( 0x020e4, "MI_ARB_STATE", 2, 5, 0x2 ) R( 0x020f0, "STATE_ACK", 8, 30, 0 )                    \
    R( 0x02120, "CACHE_MODE_0", 4, 6, 0x2 ) R( 0x02170, "GFX_FLSH_CNTL", 2, 6, 0 )                 \
    R( 0x021a0, "CXT_SIZE", 6, 6, 0 ) R( 0x021a8, "CXT_SIZE", 7, 7_5, 0 )                          \
    R( 0x02214, "MI_PREDICATE_RESULT_2", 7_5, 7_5, 0 ) R( 0x02248, "CTX_PREEMPT", 9, 9, 0 )        \
    R( 0x02290, "CS_INVOCATION_COUNT", 7, 30, 0x1 ) R( 0x022a4, "RCS_FE_FSM2", 9, 30, 0 )          \
    R( 0x022ac, "RCS_PWR_FSM", 6, 30, 0 ) R( 0x022c8, "PS_INVOCATION_COUNT_0", 8, 30, 0x1 )        \
    R( 0x022d8, "PS_DEPTH_COUNT_0", 8, 30, 0x1 )                                                   \
    R( 0x022f0, "PS_INVOCATION_COUNT_1", 8, 30, 0x1 )                                              \
    R( 0x022f8, "PS_DEPTH_COUNT_1", 8, 30, 0x1 ) R( 0x02300, "HS_INVOCATION_COUNT", 7, 30, 0x1 )   \
    R( 0x02308, "DS_INVOCATION_COUNT", 7, 30, 0x1 )                                                \
    R( 0x02310, "IA_VERTICES_COUNT", 4, 30, 0x1 )                                                  \
    R( 0x02318, "IA_PRIMITIVES_COUNT", 4, 30, 0x1 )                                                \
    R( 0x02320, "VS_INVOCATION_COUNT", 4, 30, 0x1 )                                                \
    R( 0x02328, "GS_INVOCATION_COUNT", 4, 30, 0x1 )                                                \
    R( 0x02330, "GS_PRIMITIVES_COUNT", 4, 30, 0x1 )                                                \
    R( 0x02338, "CL_INVOCATION_COUNT", 4, 30, 0x1 )                                                \
    R( 0x02340, "CL_PRIMITIVES_COUNT", 4, 30, 0x1 )                                                \
    R( 0x02348, "PS_INVOCATION_COUNT", 4, 30, 0x1 ) R( 0x02360, "OACONTROL", 7, 7_5, 0 )           \
    R( 0x02360, "OACTXCONTROL", 8, 11, 0 ) R( 0x02364, "OASTATUS1", 7, 7_5, 0 )                    \
    R( 0x02364, "OACTXID", 8, 30, 0 ) R( 0x02368, "OASTATUS2", 7, 7_5, 0 )                         \
    R( 0x023b0, "OABUFFER", 7, 7_5, 0 ) R( 0x02420, "3DPRIM_END_OFFSET", 7, 30, 0 )                \
    R( 0x02430, "3DPRIM_START_VERTEX", 7, 30, 0 ) R( 0x02434, "3DPRIM_VERTEX_COUNT", 7, 30, 0 )    \
    R( 0x02438, "3DPRIM_INSTANCE_COUNT", 7, 30, 0 )                                                \
    R( 0x0243c, "3DPRIM_START_INSTANCE", 7, 30, 0 ) R( 0x02440, "3DPRIM_BASE_VERTEX", 7, 30, 0 )   \
    R( 0x02448, "PS_INVOCATION_COUNT_2", 8, 30, 0x1 )                                              \
    R( 0x02450, "PS_DEPTH_COUNT_2", 8, 30, 0x1 ) R( 0x02500, "GPGPU_DISPATCHDIMX", 7, 30, 0 )      \
    R( 0x02504, "GPGPU_DISPATCHDIMY", 7, 30, 0 ) R( 0x02508, "GPGPU_DISPATCHDIMZ", 7, 30, 0 )      \
    R( 0x02520, "GFX_MODE", 6, 6, 0x2 ) R( 0x026c0, "DRAW_WATERMARK", 12, 30, 0 )                  \
    R( 0x026d8, "MESH_PRIMITIVE_COUNT", 12_5, 30, 0x1 )                                            \
    R( 0x026e0, "MESH_INVOCATION_COUNT", 12_5, 30, 0x1 )                                           \
    R( 0x026e8, "TASK_INVOCATION_COUNT", 12_5, 30, 0x1 )                                           \
    R( 0x02960, "OAR_OACONTROL", 12, 30, 0 ) R( 0x02968, "OAR_OASTATUS", 12, 30, 0 )               \
    R( 0x02b00, "OACONTROL", 8, 11, 0 ) R( 0x02b04, "OA_DEBUG", 8, 11, 0x2 )                       \
    R( 0x02b08, "OASTATUS", 8, 11, 0 ) R( 0x02b0c, "OAHEADPTR", 8, 11, 0 )                         \
    R( 0x02b10, "OATAILPTR", 8, 11, 0 ) R( 0x02b14, "OABUFFER", 8, 11, 0 )                         \
    R( 0x02b28, "OAG_OAGLBCTXCTRL", 12, 30, 0 ) R( 0x04000, "GLOBAL_MOCS", 12, 30, 0x4004 )        \
    R( 0x04080, "RENDER_HWS_PGA", 7, 7_5, 0 ) R( 0x04090, "GAM_ECOCHK", 6, 30, 0 )                 \
    R( 0x04094, "FAULT_REG", 6, 9, 0 ) R( 0x04148, "STATELESS_COMPRESSION_CTRL", 20, 30, 0x4 )     \
    R( 0x04180, "BSD_HWS_PGA", 7, 7_5, 0 ) R( 0x04194, "XE2_GAMREQSTRM_CTRL", 20, 30, 0x4 )        \
    R( 0x04200, "GFX_AUX_TABLE_BASE_ADDR", 12, 30, 0x1 )                                           \
    R( 0x04208, "GFX_CCS_AUX_INV", 12, 30, 0 )                                                     \
    R( 0x04210, "VD0_AUX_TABLE_BASE_ADDR", 12, 30, 0x1 )                                           \
    R( 0x04218, "VD0_CCS_AUX_INV", 12, 30, 0 ) R( 0x04238, "VE0_AUX_INV", 12, 30, 0 )              \
    R( 0x04240, "BCS_AUX_TABLE_BASE_ADDR", 12, 30, 0x1 )                                           \
    R( 0x04248, "BCS_CCS_AUX_INV", 12, 30, 0 ) R( 0x04280, "BLT_HWS_PGA", 7, 7_5, 0 )              \
    R( 0x04298, "VD2_AUX_INV", 12, 30, 0 ) R( 0x042b8, "VE1_AUX_INV", 12, 30, 0 )                  \
    R( 0x042c0, "COMPCS0_AUX_TABLE_BASE_ADDR", 12, 30, 0x1 )                                       \
    R( 0x042c8, "COMPCS0_CCS_AUX_INV", 12, 30, 0 ) R( 0x04380, "VEBOX_HWS_PGA", 7_5, 7_5, 0 )      \
    R( 0x043f4, "AUX_ERR_DBG", 12, 30, 0 ) R( 0x04400, "GFX_TRTT_CR", 12, 30, 0 )                  \
    R( 0x04404, "GFX_TRTT_VA_RANGE", 12, 30, 0 ) R( 0x04408, "GFX_TRTT_L3_BASE_LOW", 12, 30, 0 )   \
    R( 0x0440c, "GFX_TRTT_L3_BASE_HIGH", 12, 30, 0 ) R( 0x04410, "GFX_TRTT_NULL", 12, 30, 0 )      \
    R( 0x04414, "GFX_TRTT_INVAL", 12, 30, 0 ) R( 0x04480, "BLT_TRTT_CR", 12, 30, 0 )               \
    R( 0x04580, "COMP_CTX0_TRTT_CR", 12, 30, 0 )                                                   \
    R( 0x04910, "FLAT_CCS_BASE_ADDR", 12_5, 12_7, 0x4 )                                            \
    R( 0x05200, "SO_NUM_PRIMS_WRITTEN0", 7, 30, 0x1 )                                              \
    R( 0x05208, "SO_NUM_PRIMS_WRITTEN1", 7, 30, 0x1 )                                              \
    R( 0x05210, "SO_NUM_PRIMS_WRITTEN2", 7, 30, 0x1 )                                              \
    R( 0x05218, "SO_NUM_PRIMS_WRITTEN3", 7, 30, 0x1 )                                              \
    R( 0x05240, "SO_PRIM_STORAGE_NEEDED0", 7, 30, 0x1 )                                            \
    R( 0x05248, "SO_PRIM_STORAGE_NEEDED1", 7, 30, 0x1 )                                            \
    R( 0x05250, "SO_PRIM_STORAGE_NEEDED2", 7, 30, 0x1 )                                            \
    R( 0x05258, "SO_PRIM_STORAGE_NEEDED3", 7, 30, 0x1 )                                            \
    R( 0x05280, "SO_WRITE_OFFSET0", 7, 30, 0 ) R( 0x05284, "SO_WRITE_OFFSET1", 7, 30, 0 )          \
    R( 0x05288, "SO_WRITE_OFFSET2", 7, 30, 0 ) R( 0x0528c, "SO_WRITE_OFFSET3", 7, 30, 0 )          \
    R( 0x05588, "WM_CHICKEN3", 9, 30, 0x6 ) R( 0x06204, "CHICKEN_RASTER_1", 12_5, 30, 0x6 )        \
    R( 0x06208, "CHICKEN_RASTER_2", 12_5, 30, 0x6 ) R( 0x06210, "FF_MODE", 12_7, 30, 0x4 )         \
    R( 0x062a8, "VFLSKPD", 12_5, 30, 0x6 ) R( 0x06604, "FF_MODE2", 12, 30, 0x4 )                   \
    R( 0x0666c, "INSTDONE_GEOM", 12_5, 30, 0x4 ) R( 0x07000, "CACHE_MODE_0", 7, 30, 0x2 )          \
    R( 0x07004, "CACHE_MODE_1", 7, 30, 0x2 ) R( 0x07008, "GT_MODE", 7, 12, 0x2 )                   \
    R( 0x07010, "COMMON_SLICE_CHICKEN1", 7, 30, 0x2 )                                              \
    R( 0x07014, "COMMON_SLICE_CHICKEN2", 8, 11, 0x2 ) R( 0x07018, "HIZ_CHICKEN", 7, 30, 0x2 )      \
    R( 0x07034, "L3CNTLREG", 8, 11, 0 ) R( 0x0703c, "PSS_MODE2", 12_5, 30, 0x6 )                   \
    R( 0x07044, "PSS_CHICKEN", 12_5, 30, 0x6 ) R( 0x07100, "SC_INSTDONE", 7, 30, 0 )               \
    R( 0x07104, "SC_INSTDONE_EXTRA", 12, 30, 0 ) R( 0x07108, "SC_INSTDONE_EXTRA2", 12, 30, 0 )     \
    R( 0x07300, "COMMON_SLICE_CHICKEN4", 11, 30, 0x2 ) R( 0x07300, "HDC_CHICKEN0", 8, 9, 0x2 )     \
    R( 0x07304, "COMMON_SLICE_CHICKEN3", 11, 30, 0x2 ) R( 0x07304, "HDC_CHICKEN1", 8, 9, 0x2 )     \
    R( 0x0731c, "SLICE_COMMON_ECO_CHICKEN1", 9, 30, 0x2 )                                          \
    R( 0x083a4, "VF_PREEMPTION", 12, 30, 0x2 ) R( 0x083a8, "VF_SCRATCHPAD", 12_7, 30, 0x2 )        \
    R( 0x083b4, "VFG_PREEMPTION_CHICKEN", 12, 30, 0x2 )                                            \
    R( 0x08800, "FLAT_CCS_BASE_RANGE_LOWER", 20, 30, 0x4 )                                         \
    R( 0x08804, "FLAT_CCS_BASE_RANGE_UPPER", 20, 30, 0x4 )                                         \
    R( 0x091b8, "PERFCNT1", 7_5, 11, 0x1 ) R( 0x091c0, "PERFCNT2", 7_5, 11, 0x1 )                  \
    R( 0x0b010, "L3SQCREG1", 7, 7_5, 0 ) R( 0x0b01c, "L3CNTLREG1", 7, 7_5, 0 )                     \
    R( 0x0b020, "L3CNTLREG2", 7, 7_5, 0 ) R( 0x0b020, "LNCFCMOCS", 9, 30, 0x2004 )                 \
    R( 0x0b024, "L3CNTLREG3", 7, 7_5, 0 ) R( 0x0b034, "L3SQCREG4", 7, 7_5, 0 )                     \
    R( 0x0b038, "SCRATCH1", 7_5, 7_5, 0 ) R( 0x0b0a4, "TCCNTLREG", 11, 11, 0 )                     \
    R( 0x0b100, "L3SQCREG1", 8, 12, 0x4 ) R( 0x0b104, "L3SQCREG2", 12_7, 30, 0x4 )                 \
    R( 0x0b108, "L3SQCREG3", 12_7, 30, 0x4 ) R( 0x0b118, "L3SQCREG4", 8, 11, 0x4 )                 \
    R( 0x0b134, "L3ALLOC", 12, 12_7, 0 ) R( 0x0b158, "L3SQCREG5", 12_5, 30, 0x4 )                  \
    R( 0x0b188, "L3SCQREG7", 12_5, 30, 0x4 ) R( 0x0cf68, "GAM_DONE", 12, 30, 0 )                   \
    R( 0x0daf4, "OAG_OACONTROL", 12, 30, 0 ) R( 0x0daf8, "OAG_OA_DEBUG", 12, 30, 0x2 )             \
    R( 0x0dafc, "OAG_OASTATUS", 12, 30, 0 ) R( 0x0db00, "OAG_OAHEADPTR", 12, 30, 0 )               \
    R( 0x0db04, "OAG_OATAILPTR", 12, 30, 0 ) R( 0x0db08, "OAG_OABUFFER", 12, 30, 0 )               \
    R( 0x0db1c, "OAG_MMIOTRIGGER", 12, 30, 0 ) R( 0x0e160, "SAMPLER_INSTDONE", 7, 30, 0x4 )        \
    R( 0x0e164, "ROW_INSTDONE", 7, 30, 0x4 ) R( 0x0e188, "HALF_SLICE_CHICKEN5", 9, 30, 0x6 )       \
    R( 0x0e18c, "SAMPLER_MODE", 11, 30, 0x6 ) R( 0x0e194, "HALF_SLICE_CHICKEN7", 9, 30, 0x6 )      \
    R( 0x0e400, "TD_CTL", 8, 11, 0 ) R( 0x0e404, "TD_CTL2", 8, 11, 0 )                             \
    R( 0x0e420, "CACHE_MODE_SS", 12_5, 30, 0x6 ) R( 0x0e458, "EU_PERF_CNTL0", 8, 30, 0 )           \
    R( 0x0e48c, "ROW_CHICKEN4", 12, 30, 0x6 ) R( 0x0e49c, "ROW_CHICKEN3", 7_5, 30, 0x6 )           \
    R( 0x0e4f0, "ROW_CHICKEN", 8, 30, 0x6 ) R( 0x0e4f4, "ROW_CHICKEN2", 7, 30, 0x6 )               \
    R( 0x0e5f0, "HDC_CHICKEN0", 12_5, 30, 0x6 ) R( 0x0e5f4, "TDL_CHICKEN", 12_7, 30, 0x6 )         \
    R( 0x0e7c8, "LSC_CHICKEN_BIT_0", 12_5, 30, 0x5 )                                               \
    R( 0x128a0, "MFC_BITSTREAM_BYTECOUNT_FRAME", 6, 30, 0 )                                        \
    R( 0x14800, "RCU_MODE", 12_5, 30, 0x2 ) R( 0x14804, "CCS_MODE", 12_5, 30, 0x2 )                \
    R( 0x1e9a0, "HCP_BITSTREAM_BYTECOUNT_FRAME", 9, 30, 0 )
/* clang-format on */

/* ==== [I915.IMPL.DECODE] =================================================================== */

/* Numbers of classes. GPUCMD_I915_LEN_*: commands with the same length field. GPUCMD_I915_WHO_*:
 * commands that the same engines can execute. GPUCMD_I915_PRIV_ENGINE_CLASS + a gpucmd_i915_engine:
 * generations that have this engine. */
enum {
    GPUCMD_I915_LEN_ONE,
    GPUCMD_I915_LEN_DEF,
    GPUCMD_I915_LEN_BYTE,
    GPUCMD_I915_LEN_SIX,
    GPUCMD_I915_LEN_SDI,
    GPUCMD_I915_LEN_UGTT,
    GPUCMD_I915_LEN_CLF,
    GPUCMD_I915_LEN_MATH,
    GPUCMD_I915_WHO_ANY,
    GPUCMD_I915_WHO_RCS,
    GPUCMD_I915_WHO_FLSH,
    GPUCMD_I915_WHO_MATH,
    GPUCMD_I915_WHO_FDW,
    GPUCMD_I915_WHO_DISP,
    GPUCMD_I915_WHO_EVENT,
    GPUCMD_I915_WHO_PRED,
    GPUCMD_I915_WHO_BLT,
    GPUCMD_I915_WHO_GSC,
    GPUCMD_I915_PRIV_ENGINE_CLASS = 32,
};
#define GPUCMD_I915_PRIV_PRIVILEGE(name, effect) GPUCMD_I915_PRIVILEGE_##name,
typedef enum gpucmd_i915_privilege {
    GPUCMD_I915_PRIVILEGES(GPUCMD_I915_PRIV_PRIVILEGE)
} gpucmd_i915_privilege;
#undef GPUCMD_I915_PRIV_PRIVILEGE

/* GPUCMD_I915_NTH_<name>: index of a generation in GPUCMD_I915_GENS, from 0 (gen2). The array
 * gpucmd_priv_i915_gens converts the index to a gpucmd_i915_gen. */
#define GPUCMD_I915_PRIV_NTH(name, number, text, parts) GPUCMD_I915_NTH_##name,
enum { GPUCMD_I915_GENS(GPUCMD_I915_PRIV_NTH) };
#undef GPUCMD_I915_PRIV_NTH
#define GPUCMD_I915_PRIV_GEN(name, number, text, parts) number,
static const uint16_t gpucmd_priv_i915_gens[] = {GPUCMD_I915_GENS(GPUCMD_I915_PRIV_GEN)};
#undef GPUCMD_I915_PRIV_GEN

/* A range of generations in 8 bits: 16 * index of the first generation + index of the last
 * (GPUCMD_I915_NTH_*). gpucmd_priv_i915_in_range returns true if the range contains index nth. */
#define GPUCMD_I915_PRIV_RANGE(since, until) ((since) << 4 | (until))
GPUCMD_INLINE bool gpucmd_priv_i915_in_range(uint32_t range, uint32_t nth)
{
    return nth >= range >> 4 && nth <= (range & 15);
}

/* Index in array gpucmd_i915_cmdset.op of the command with first word head. The command must be an
 * MI command, a 2D command or PIPE_CONTROL. PIPE_CONTROL has index GPUCMD_I915_PRIV_CODE_GFX. */
#define GPUCMD_I915_PRIV_CODE_GFX 192
#define GPUCMD_I915_PRIV_CODE(head)                                                                \
    ((head) >> 29 == 0   ? (head) >> 23                                                            \
     : (head) >> 29 == 2 ? 64 + ((head) >> 22 & 127)                                               \
                         : GPUCMD_I915_PRIV_CODE_GFX)

/* Properties of one command. The table gpucmd_priv_i915_rows is in the order of gpucmd_i915_op. All
 * members have 8 bits, so that the table is small in firmware. */
typedef struct gpucmd_priv_i915_row {
    uint8_t code, range; /* code: index in gpucmd_i915_cmdset.op; range: generations */
    uint8_t kind;        /* 8 * GPUCMD_I915_WHO_* + GPUCMD_I915_LEN_* */
    uint8_t least;       /* minimum length in words: bits 7:4 before gen8, bits 3:0 later */
    uint8_t privilege;
} gpucmd_priv_i915_row;

#define GPUCMD_I915_PRIV_ROW(x, name, hdr, since, until, who, len, a, b, c, d, priv, ...)          \
    {GPUCMD_I915_PRIV_CODE(hdr),                                                                   \
     GPUCMD_I915_PRIV_RANGE(GPUCMD_I915_NTH_##since, GPUCMD_I915_NTH_##until),                     \
     GPUCMD_I915_WHO_##who << 3 | GPUCMD_I915_LEN_##len,                                           \
     ((a) << 4 | (c)) + GPUCMD_PRIV_REQUIRE((a) < 16 && (c) < 16), GPUCMD_I915_PRIVILEGE_##priv},
static const gpucmd_priv_i915_row gpucmd_priv_i915_rows[] = {
    GPUCMD_I915_COMMANDS(GPUCMD_I915_PRIV_ROW, )};
#undef GPUCMD_I915_PRIV_ROW
#define GPUCMD_I915_PRIV_ROWS (sizeof gpucmd_priv_i915_rows / sizeof gpucmd_priv_i915_rows[0])

/* Maximum length of each command in words: [0] before gen8, [1] on gen8 and later. */
#define GPUCMD_I915_PRIV_ROW_MOST(x, name, hdr, since, until, who, len, a, b, c, d, ...) {b, d},
static const uint16_t gpucmd_priv_i915_most[][2] = {
    GPUCMD_I915_COMMANDS(GPUCMD_I915_PRIV_ROW_MOST, )};
#undef GPUCMD_I915_PRIV_ROW_MOST

/* Names of commands in the order of gpucmd_i915_op; only programs that print commands link them. */
typedef struct gpucmd_priv_i915_row_name {
    uint8_t bytes;
    char text[40];
} gpucmd_priv_i915_row_name;

#define GPUCMD_I915_PRIV_ROW_NAME(x, name, ...) {sizeof #name - 1, #name},
static const gpucmd_priv_i915_row_name gpucmd_priv_i915_row_names[] = {
    GPUCMD_I915_COMMANDS(GPUCMD_I915_PRIV_ROW_NAME, )};
#undef GPUCMD_I915_PRIV_ROW_NAME

/* Value of one class in a range of generations. Member name is the number of the class:
 *   GPUCMD_I915_LEN_*   value: width of the length field in bits
 *   GPUCMD_I915_WHO_*   value: mask of engines
 *   GPUCMD_I915_PRIV_ENGINE_CLASS + a gpucmd_i915_engine   value 1: the engine exists */
typedef struct gpucmd_priv_i915_class {
    uint8_t name, range, value;
} gpucmd_priv_i915_class;

#define GPUCMD_I915_PRIV_CLASS(name, since, until, value)                                          \
    {name, GPUCMD_I915_PRIV_RANGE(GPUCMD_I915_NTH_##since, GPUCMD_I915_NTH_##until), value},
#define GPUCMD_I915_PRIV_LENGTH(name, since, until, bits)                                          \
    GPUCMD_I915_PRIV_CLASS(GPUCMD_I915_LEN_##name, since, until, bits)
#define GPUCMD_I915_PRIV_OWNER(name, since, until, mask)                                           \
    GPUCMD_I915_PRIV_CLASS(GPUCMD_I915_WHO_##name, since, until, mask)
#define GPUCMD_I915_PRIV_ENGINE(name, text, bit, since)                                            \
    GPUCMD_I915_PRIV_CLASS(GPUCMD_I915_PRIV_ENGINE_CLASS + bit, since, 30, 1)
static const gpucmd_priv_i915_class gpucmd_priv_i915_classes[] = {
    GPUCMD_I915_LENGTHS(GPUCMD_I915_PRIV_LENGTH) GPUCMD_I915_OWNERS(GPUCMD_I915_PRIV_OWNER)
        GPUCMD_I915_ENGINES(GPUCMD_I915_PRIV_ENGINE)};
#undef GPUCMD_I915_PRIV_ENGINE
#undef GPUCMD_I915_PRIV_OWNER
#undef GPUCMD_I915_PRIV_LENGTH
#undef GPUCMD_I915_PRIV_CLASS

/* A field of a command. Table order: GPUCMD_I915_FIELDS. */
typedef struct gpucmd_priv_i915_field {
    uint16_t gens;     /* bit n: the generation with index n has the field */
    uint8_t lo, spare; /* lowest bit; number of bits of the word that are not in the field */
} gpucmd_priv_i915_field;

#define GPUCMD_I915_PRIV_FIELD_ROW(x, name, dw, hi, lo, since, until)                              \
    {(2u << GPUCMD_I915_NTH_##until) - (1u << GPUCMD_I915_NTH_##since), lo, 31 - (hi) + (lo)},
static const gpucmd_priv_i915_field gpucmd_priv_i915_fields[] = {
    GPUCMD_I915_FIELDS(GPUCMD_I915_PRIV_FIELD_ROW)};
#undef GPUCMD_I915_PRIV_FIELD_ROW
#define GPUCMD_I915_PRIV_FIELDS_COUNT                                                              \
    (sizeof gpucmd_priv_i915_fields / sizeof gpucmd_priv_i915_fields[0])

typedef struct gpucmd_priv_i915_field_name {
    uint8_t bytes;
    char text[30];
} gpucmd_priv_i915_field_name;

#define GPUCMD_I915_PRIV_FIELD_NAME(x, name, dw, hi, lo, since, until) {sizeof #name - 1, #name},
static const gpucmd_priv_i915_field_name gpucmd_priv_i915_field_names[] = {
    GPUCMD_I915_FIELDS(GPUCMD_I915_PRIV_FIELD_NAME)};
#undef GPUCMD_I915_PRIV_FIELD_NAME

/* Key of each field, in the order of GPUCMD_I915_FIELDS: 32 * gpucmd_i915_op + number of the word
 * that contains the field. A last key, which belongs to no field, ends searches. */
#define GPUCMD_I915_PRIV_KEY(op, dw) ((op) << 5 | (dw))
#define GPUCMD_I915_PRIV_FIELD_KEY(x, name, dw, hi, lo, since, until)                              \
    GPUCMD_I915_PRIV_KEY(GPUCMD_I915_OP##x, dw),
static const uint16_t gpucmd_priv_i915_keys[] = {
    GPUCMD_I915_FIELDS(GPUCMD_I915_PRIV_FIELD_KEY) 0xffff /* the last key */
};
#undef GPUCMD_I915_PRIV_FIELD_KEY

/* gpucmd_priv_i915_firsts: index in gpucmd_priv_i915_fields of the first field of each command, in
 * the order of gpucmd_i915_op, then the number of all fields. The enum counts the fields: it has
 * one constant for each. FIRST_* and BEFORE_* are extra constants. BEFORE_* is FIRST_* - 1, so that
 * the next field has the value of FIRST_*. */
#define GPUCMD_I915_PRIV_AT(x, name, dw, hi, lo, since, until) GPUCMD_I915_PRIV_AT##x##_##name,
#define GPUCMD_I915_PRIV_FIELDS_AT(F, name, hdr, since, until, who, len, a, b, c, d, priv, words,  \
                                   size)                                                           \
    GPUCMD_I915_PRIV_FIRST_##name,                                                                 \
        GPUCMD_I915_PRIV_BEFORE_##name = GPUCMD_I915_PRIV_FIRST_##name - 1,                        \
        GPUCMD_I915_PRIV_DW_##words(F, _##name)
#define GPUCMD_I915_PRIV_BLT_AT(F, name, p, q, r, s)                                               \
    GPUCMD_I915_PRIV_FIRST_##name,                                                                 \
        GPUCMD_I915_PRIV_BEFORE_##name = GPUCMD_I915_PRIV_FIRST_##name - 1,                        \
        GPUCMD_I915_PRIV_BLT_ROWS(F, _##name, _##p, _##q, _##r, _##s)
enum {
    GPUCMD_I915_MI_COMMANDS(GPUCMD_I915_PRIV_FIELDS_AT, GPUCMD_I915_PRIV_AT)
        GPUCMD_I915_BLTS(GPUCMD_I915_PRIV_BLT_AT, GPUCMD_I915_PRIV_AT)
            GPUCMD_I915_3D_COMMANDS(GPUCMD_I915_PRIV_FIELDS_AT, GPUCMD_I915_PRIV_AT)
};
#undef GPUCMD_I915_PRIV_BLT_AT
#undef GPUCMD_I915_PRIV_FIELDS_AT
#undef GPUCMD_I915_PRIV_AT
#define GPUCMD_I915_PRIV_ROW_FIRST(x, name, ...) GPUCMD_I915_PRIV_FIRST_##name,
static const uint16_t gpucmd_priv_i915_firsts[] = {
    GPUCMD_I915_COMMANDS(GPUCMD_I915_PRIV_ROW_FIRST, ) GPUCMD_I915_PRIV_FIELDS_COUNT};
#undef GPUCMD_I915_PRIV_ROW_FIRST

/* Fields in the first word of each command: [0] highest bit, [1] lowest bit, [2] generations.
 * Programs that decode but do not print link this table instead of gpucmd_priv_i915_fields. */
#define GPUCMD_I915_PRIV_HEAD_FIELD(x, name, dw, hi, lo, since, until)                             \
    {hi, lo, GPUCMD_I915_PRIV_RANGE(GPUCMD_I915_NTH_##since, GPUCMD_I915_NTH_##until)},
#define GPUCMD_I915_PRIV_HEAD_FIELDS(x, name, ...)                                                 \
    GPUCMD_I915_##name##_BITS0(GPUCMD_I915_PRIV_HEAD_FIELD, name)
static const uint8_t gpucmd_priv_i915_head_fields[][3] = {
    GPUCMD_I915_COMMANDS(GPUCMD_I915_PRIV_HEAD_FIELDS, )};
#undef GPUCMD_I915_PRIV_HEAD_FIELDS
#undef GPUCMD_I915_PRIV_HEAD_FIELD

/* Number of rows of each command in gpucmd_priv_i915_head_fields. */
#define GPUCMD_I915_PRIV_HEAD_FIELD(x, name, dw, hi, lo, since, until) +1
#define GPUCMD_I915_PRIV_HEAD_COUNT(x, name, ...)                                                  \
    0 GPUCMD_I915_##name##_BITS0(GPUCMD_I915_PRIV_HEAD_FIELD, name),
static const uint8_t gpucmd_priv_i915_head_counts[] = {
    GPUCMD_I915_COMMANDS(GPUCMD_I915_PRIV_HEAD_COUNT, )};
#undef GPUCMD_I915_PRIV_HEAD_COUNT
#undef GPUCMD_I915_PRIV_HEAD_FIELD

/* Name of a 3D, state or compute command. Member key: bits 31:16 of DW0; for clients 4 and 5 only
 * bits 31:26, the other bits are 0. */
typedef struct gpucmd_priv_i915_gfx {
    char name[42];
    uint16_t key;
    uint8_t range;
} gpucmd_priv_i915_gfx;

#define GPUCMD_I915_PRIV_GFX(name, key, since, until)                                              \
    {name, key, GPUCMD_I915_PRIV_RANGE(GPUCMD_I915_NTH_##since, GPUCMD_I915_NTH_##until)},
static const gpucmd_priv_i915_gfx gpucmd_priv_i915_gfxs[] = {
    GPUCMD_I915_GFX_NAMES(GPUCMD_I915_PRIV_GFX)};
#undef GPUCMD_I915_PRIV_GFX

/* One row of GPUCMD_I915_USER_REGS. It lets a non-secure batch on an engine of the mask engines
 * write value v to the registers at byte offsets first to last, if (v & care) == want. */
typedef struct gpucmd_priv_i915_grant {
    uint32_t first, last, care, want;
    uint8_t range, engines;
} gpucmd_priv_i915_grant;

#define GPUCMD_I915_PRIV_GRANT(first, last, since, until, engines, care, want)                     \
    {first,                                                                                        \
     last,                                                                                         \
     care,                                                                                         \
     want,                                                                                         \
     GPUCMD_I915_PRIV_RANGE(GPUCMD_I915_NTH_##since, GPUCMD_I915_NTH_##until),                     \
     engines},
static const gpucmd_priv_i915_grant gpucmd_priv_i915_grants[] = {
    GPUCMD_I915_USER_REGS(GPUCMD_I915_PRIV_GRANT)};
#undef GPUCMD_I915_PRIV_GRANT

/* Return the value of class `name` in the generation with index nth, 0 if no row contains it. */
static uint32_t gpucmd_priv_i915_class_value(uint32_t name, uint32_t nth)
{
    size_t i;
    for (i = 0; i < sizeof gpucmd_priv_i915_classes / sizeof gpucmd_priv_i915_classes[0]; i++) {
        const gpucmd_priv_i915_class *c = &gpucmd_priv_i915_classes[i];
        if (c->name == name && gpucmd_priv_i915_in_range(c->range, nth)) {
            return c->value;
        }
    }
    return 0;
}

/* Return the number of words of the shortest form of a command in generation gen. */
GPUCMD_INLINE uint32_t gpucmd_priv_i915_least(const gpucmd_priv_i915_row *row, gpucmd_i915_gen gen)
{
    return gen < GPUCMD_I915_GEN8 ? row->least >> 4 : row->least & 15;
}

/* Return the mask of the bits of head, a first word, that identify its command. */
static uint32_t gpucmd_priv_i915_head_mask(uint32_t head)
{
    return head >> 29 == 0 ? 0xff800000u : head >> 29 == 2 ? 0xffc00000u : 0xffff0000u;
}

/* Return the index in member op of gpucmd_i915_cmdset of the command with first word dw. Return ~0
 * if it is not an MI command, a 2D command or PIPE_CONTROL. */
GPUCMD_INLINE uint32_t gpucmd_priv_i915_code(uint32_t dw)
{
    const bool rows = (dw >> 29 & 5) == 0 || dw >> 16 == GPUCMD_I915_HDR_PIPE_CONTROL >> 16;
    return rows ? GPUCMD_I915_PRIV_CODE(dw) : ~0u;
}

/* Return the command with first word dw. Return UNKNOWN for a GFX command, and for a word that is
 * not a command of this engine. */
static gpucmd_i915_op gpucmd_priv_i915_find(const gpucmd_i915_cmdset *cmdset, uint32_t dw)
{
    const uint32_t code = gpucmd_priv_i915_code(dw);
    return code < sizeof cmdset->op ? (gpucmd_i915_op)cmdset->op[code] : GPUCMD_I915_OP_UNKNOWN;
}

/* Return the row of op in gpucmd_priv_i915_rows; op must not be UNKNOWN or GFX. */
GPUCMD_INLINE const gpucmd_priv_i915_row *gpucmd_priv_i915_row_of(gpucmd_i915_op op)
{
    return &gpucmd_priv_i915_rows[(size_t)op - 2];
}

/* Return the first row of gpucmd_priv_i915_rows for the command with first word dw, whatever its
 * generations and engines. Return NULL if the command has no row. */
static const gpucmd_priv_i915_row *gpucmd_priv_i915_find_any(uint32_t dw)
{
    size_t i;
    const uint32_t code = gpucmd_priv_i915_code(dw);
    for (i = 0; i < GPUCMD_I915_PRIV_ROWS; i++) {
        if (gpucmd_priv_i915_rows[i].code == code) {
            return &gpucmd_priv_i915_rows[i];
        }
    }
    return NULL;
}

/* ---- names, lengths ---- */

GPUCMD_PRIV_API gpucmd_status gpucmd_i915_gen_from_name(const char *name, gpucmd_i915_gen *gen)
{
#define GPUCMD_I915_PRIV_GEN(id, number, text, parts)                                              \
    if (gpucmd_priv_text_same(name, text)) {                                                       \
        *gen = GPUCMD_I915_GEN##id;                                                                \
        return GPUCMD_OK;                                                                          \
    }
    GPUCMD_I915_GENS(GPUCMD_I915_PRIV_GEN)
#undef GPUCMD_I915_PRIV_GEN
    return GPUCMD_RANGE;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_i915_engine_from_name(const char *name,
                                                           gpucmd_i915_engine *engine)
{
#define GPUCMD_I915_PRIV_ENGINE(id, text, bit, since)                                              \
    if (gpucmd_priv_text_same(name, text)) {                                                       \
        *engine = GPUCMD_I915_##id;                                                                \
        return GPUCMD_OK;                                                                          \
    }
    GPUCMD_I915_ENGINES(GPUCMD_I915_PRIV_ENGINE)
#undef GPUCMD_I915_PRIV_ENGINE
    return GPUCMD_RANGE;
}

GPUCMD_PRIV_API const char *gpucmd_i915_gen_name(gpucmd_i915_gen gen)
{
    static const uint32_t numbers[] = {GPUCMD_I915_GENS(GPUCMD_PRIV_ROW_NUMBER)};
    return gpucmd_priv_row_text(GPUCMD_I915_GENS(GPUCMD_PRIV_ROW_TEXT_3_4),
                                gpucmd_priv_row_find(numbers, sizeof numbers / 4, (uint32_t)gen));
}

GPUCMD_PRIV_API const char *gpucmd_i915_engine_name(gpucmd_i915_engine engine)
{
#define GPUCMD_I915_PRIV_ENGINE(id, text, bit, since)                                              \
    case GPUCMD_I915_##id: return text;
    switch (engine) {
        GPUCMD_I915_ENGINES(GPUCMD_I915_PRIV_ENGINE)
    }
#undef GPUCMD_I915_PRIV_ENGINE
    return "?";
}

/* One row of GPUCMD_I915_BASES: the first register of an engine. */
typedef struct gpucmd_priv_i915_base {
    uint32_t base;
    uint16_t since, until; /* first and last generation */
    uint8_t engine, instance;
} gpucmd_priv_i915_base;
#define GPUCMD_I915_PRIV_BASE(id, number, since, until, off)                                       \
    {off, GPUCMD_I915_GEN##since, GPUCMD_I915_GEN##until, GPUCMD_I915_##id, number},
static const gpucmd_priv_i915_base gpucmd_priv_i915_bases[] = {
    GPUCMD_I915_BASES(GPUCMD_I915_PRIV_BASE)};
#undef GPUCMD_I915_PRIV_BASE
#define GPUCMD_I915_PRIV_BASE_COUNT                                                                \
    (sizeof gpucmd_priv_i915_bases / sizeof gpucmd_priv_i915_bases[0])

GPUCMD_PRIV_API gpucmd_status gpucmd_i915_engine_base(gpucmd_i915_gen gen,
                                                      gpucmd_i915_engine engine, uint32_t instance,
                                                      uint32_t *base)
{
    size_t i;
    for (i = 0; i < GPUCMD_I915_PRIV_BASE_COUNT; i++) {
        const gpucmd_priv_i915_base *row = &gpucmd_priv_i915_bases[i];
        if ((uint32_t)engine == row->engine && instance == row->instance &&
            (uint32_t)gen >= row->since && (uint32_t)gen <= row->until) {
            *base = row->base;
            return GPUCMD_OK;
        }
    }
    return GPUCMD_UNSUPPORTED;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_i915_cmdset_init(gpucmd_i915_cmdset *cmdset,
                                                      gpucmd_i915_gen gen,
                                                      gpucmd_i915_engine engine)
{
    uint32_t i, nth = 0;
    while (nth < sizeof gpucmd_priv_i915_gens / 2 && gpucmd_priv_i915_gens[nth] != (uint32_t)gen) {
        nth++;
    }
    if (gpucmd_priv_i915_class_value(GPUCMD_I915_PRIV_ENGINE_CLASS + (uint32_t)engine, nth) == 0) {
        return GPUCMD_UNSUPPORTED;
    }
    gpucmd_priv_zero(cmdset, sizeof *cmdset);
    cmdset->gen = gen;
    cmdset->engine = engine;
    cmdset->nth = (uint8_t)nth;
    cmdset->mi_mask = gen < GPUCMD_I915_GEN6 ? 0x3f : 0xff;
    cmdset->mi_bits = gen < GPUCMD_I915_GEN6 ? 6 : 8;
    cmdset->gfx = ((uint32_t)engine & (GPUCMD_I915_BCS | GPUCMD_I915_GSC)) == 0;
    if (((uint32_t)engine & (GPUCMD_I915_RCS | GPUCMD_I915_CCS)) != 0) {
        cmdset->clients = gen >= GPUCMD_I915_GEN20 ? 48 : gen >= GPUCMD_I915_GEN12_7 ? 16 : 0;
    }
    cmdset->video = ((uint32_t)engine & (GPUCMD_I915_VCS | GPUCMD_I915_VECS)) != 0;
    for (i = 0; i < GPUCMD_I915_PRIV_ROWS; i++) {
        const gpucmd_priv_i915_row *row = &gpucmd_priv_i915_rows[i];
        if (gpucmd_priv_i915_in_range(row->range, nth) &&
            (gpucmd_priv_i915_class_value(row->kind >> 3, nth) & (uint32_t)engine) != 0) {
            cmdset->op[row->code] = (uint8_t)(i + 2);
            if (row->code < 64) {
                cmdset->mi_form[row->code] =
                    (uint8_t)gpucmd_priv_i915_class_value(row->kind & 7, nth);
                cmdset->mi_min[row->code] = (uint8_t)gpucmd_priv_i915_least(row, gen);
                if (row->privilege == GPUCMD_I915_PRIVILEGE_ALWAYS ||
                    (row->privilege == GPUCMD_I915_PRIVILEGE_NOOP && gen >= GPUCMD_I915_GEN7)) {
                    cmdset->mi_user_noop[row->code >> 5] |= 1u << (row->code & 31);
                }
            }
        }
    }
    return GPUCMD_OK;
}

GPUCMD_PRIV_API size_t gpucmd_i915_command_dw(const void *cmdset, const uint32_t *words,
                                              size_t avail_dw)
{
    const size_t n_dw = gpucmd_i915_length_dw((const gpucmd_i915_cmdset *)cmdset, words, avail_dw);
    return n_dw < avail_dw ? n_dw : avail_dw;
}

GPUCMD_PRIV_API gpucmd_i915_op gpucmd_i915_classify(const gpucmd_i915_cmdset *cmdset, uint32_t dw)
{
    const gpucmd_i915_op op = gpucmd_priv_i915_find(cmdset, dw);
    if (op != GPUCMD_I915_OP_UNKNOWN) {
        return op;
    }
    if (dw >> 29 == 3 && cmdset->gfx &&
        (cmdset->gen >= GPUCMD_I915_GEN4 || gpucmd_priv_i915_length_gen2(&dw, 1) != 0)) {
        return GPUCMD_I915_OP_GFX; /* on gen4 and later all commands of client 3 have a length */
    }
    return gpucmd_priv_i915_is_further(cmdset->clients, dw) ? GPUCMD_I915_OP_GFX
                                                            : GPUCMD_I915_OP_UNKNOWN;
}

/* Return the bits that belong to fields in word number `at` of command op, in the generation with
 * index nth. Write to *any whether the word has fields. op: not UNKNOWN or GFX; `at` <= 30. */
static uint32_t gpucmd_priv_i915_owned(gpucmd_i915_op op, uint32_t nth, uint32_t at, bool *any)
{
    const uint32_t key = GPUCMD_I915_PRIV_KEY((uint32_t)op, at);
    uint32_t owned = 0;
    size_t i = gpucmd_priv_i915_firsts[(size_t)op - 2];
    *any = false;
    for (; gpucmd_priv_i915_keys[i] <= key + 1; i++) {
        const gpucmd_priv_i915_field *f = &gpucmd_priv_i915_fields[i];
        if (gpucmd_priv_i915_keys[i] == key && (f->gens >> nth & 1) != 0) {
            owned |= (0xffffffffu >> f->spare) << f->lo;
            *any = true;
        }
    }
    return owned;
}

/* As gpucmd_priv_i915_owned, but for the first word, from gpucmd_priv_i915_head_fields. */
static uint32_t gpucmd_priv_i915_owned_first(gpucmd_i915_op op, uint32_t nth)
{
    uint32_t k, owned = 0, i = 0;
    for (k = 0; k < (uint32_t)op - 2; k++) {
        i += gpucmd_priv_i915_head_counts[k];
    }
    const uint32_t end = i + gpucmd_priv_i915_head_counts[(size_t)op - 2];
    for (; i < end; i++) {
        const uint8_t *f = gpucmd_priv_i915_head_fields[i];
        if (gpucmd_priv_i915_in_range(f[2], nth)) {
            owned |= GPUCMD_I915_PRIV_MASK(f[0], f[1]);
        }
    }
    return owned;
}

/* Decode one command as gpucmd_i915_decode, except that cmd->stray is set to 0. */
static void gpucmd_priv_i915_decode(const gpucmd_i915_cmdset *cmdset, const uint32_t *dw,
                                    size_t avail_dw, gpucmd_i915_cmd *cmd)
{
    const uint32_t want = gpucmd_i915_length_dw(cmdset, dw, avail_dw);
    const gpucmd_i915_op op = gpucmd_priv_i915_find(cmdset, dw[0]);
    cmd->op = op == GPUCMD_I915_OP_UNKNOWN && want != 0 ? GPUCMD_I915_OP_GFX : op;
    cmd->want_dw = want;
    cmd->len_dw = want == 0 ? 1 : want > avail_dw ? (uint32_t)avail_dw : want;
    cmd->stray = 0;
    cmd->status = want == 0 ? GPUCMD_INVALID : want > avail_dw ? GPUCMD_TRUNCATED : GPUCMD_OK;
}

/* Return the reserved bits that are set in head, the first word of a command that is not UNKNOWN or
 * GFX. owned: bits of the word that belong to fields. */
static uint32_t gpucmd_priv_i915_stray(const gpucmd_i915_cmdset *cmdset, uint32_t head,
                                       uint32_t owned)
{
    const uint32_t bits = head >> 29 == 0 ? cmdset->mi_form[head >> 23] : 8;
    return head & ~(gpucmd_priv_i915_head_mask(head) | owned | ((1u << bits) - 1));
}

GPUCMD_PRIV_API void gpucmd_i915_decode(const gpucmd_i915_cmdset *cmdset, const uint32_t *dw,
                                        size_t avail_dw, gpucmd_i915_cmd *cmd)
{
    gpucmd_priv_i915_decode(cmdset, dw, avail_dw, cmd);
    if (cmd->op > GPUCMD_I915_OP_GFX) {
        cmd->stray = gpucmd_priv_i915_stray(cmdset, dw[0], 0);
        if (cmd->stray != 0) {
            cmd->stray &= ~gpucmd_priv_i915_owned_first(cmd->op, cmdset->nth);
        }
    }
}

GPUCMD_PRIV_API const char *gpucmd_i915_op_name(gpucmd_i915_op op)
{
    if (op == GPUCMD_I915_OP_UNKNOWN) {
        return "UNKNOWN";
    }
    if (op == GPUCMD_I915_OP_GFX) {
        return "GFX";
    }
    if ((size_t)op - 2 < GPUCMD_I915_PRIV_ROWS) {
        return gpucmd_priv_i915_row_names[(size_t)op - 2].text; /* rows are in enum order */
    }
    return "?";
}

GPUCMD_PRIV_API const char *gpucmd_i915_name(const gpucmd_i915_cmdset *cmdset, uint32_t dw)
{
    size_t i;
    const gpucmd_i915_op op = gpucmd_i915_classify(cmdset, dw);
    if (op == GPUCMD_I915_OP_GFX) {
        if (cmdset->video) {
            return dw >> 16 == 0x6800                ? "MFX_WAIT"
                   : cmdset->gen < GPUCMD_I915_GEN12 ? "GFX"
                   : dw >> 16 == 0x738a              ? "VD_CONTROL_STATE"
                   : dw >> 16 == 0x7609              ? "CRYPTO_KEY_EXCHANGE"
                                                     : "GFX";
        }
        /* The key of clients 4 and 5 has only bits 31:26. */
        const uint32_t key = dw >> 31 != 0 ? dw >> 16 & 0xfc00 : dw >> 16;
        for (i = 0; i < sizeof gpucmd_priv_i915_gfxs / sizeof gpucmd_priv_i915_gfxs[0]; i++) {
            const gpucmd_priv_i915_gfx *g = &gpucmd_priv_i915_gfxs[i];
            if (g->key == key && gpucmd_priv_i915_in_range(g->range, cmdset->nth)) {
                return g->name;
            }
        }
    }
    return gpucmd_i915_op_name(op);
}

/* One row of GPUCMD_I915_RING_NAMES or GPUCMD_I915_GLOBAL_NAMES. */
typedef struct gpucmd_priv_i915_reg_row {
    char name[30];
    uint16_t kind;
    uint32_t reg;
    uint8_t range, name_bytes;
} gpucmd_priv_i915_reg_row;

#define GPUCMD_I915_PRIV_REG_ROW(reg, name, since, until, kind)                                    \
    {name, kind, reg, GPUCMD_I915_PRIV_RANGE(GPUCMD_I915_NTH_##since, GPUCMD_I915_NTH_##until),    \
     sizeof name - 1},
static const gpucmd_priv_i915_reg_row gpucmd_priv_i915_ring_names[] = {
    GPUCMD_I915_RING_NAMES(GPUCMD_I915_PRIV_REG_ROW)};
static const gpucmd_priv_i915_reg_row gpucmd_priv_i915_global_names[] = {
    GPUCMD_I915_GLOBAL_NAMES(GPUCMD_I915_PRIV_REG_ROW)};
#undef GPUCMD_I915_PRIV_REG_ROW

/* Return true if the row names the register at byte offset reg on this generation. engine: kind of
 * the engine, because a row can be limited to one kind; 0 for GPUCMD_I915_GLOBAL_NAMES. */
static bool gpucmd_priv_i915_register_is(const gpucmd_priv_i915_reg_row *row,
                                         const gpucmd_i915_cmdset *cmdset, uint32_t engine,
                                         uint32_t reg)
{
    const uint32_t count = row->kind >> 8 != 0 ? row->kind >> 8 : 1;
    const uint32_t only = row->kind >> 4 & 15;
    return reg - row->reg < (4u << (row->kind & 1)) * count &&
           gpucmd_priv_i915_in_range(row->range, cmdset->nth) && (only == 0 || only == engine);
}

/* Find the register at byte offset reg in n rows, sorted by offset. Write its name, number and
 * flags to *out. Return the row; NULL: no row matches. Of several matching rows use the one with
 * the highest offset; if the offsets are equal, the first one. A row covers less than 2048 bytes,
 * so rows further below reg are not searched. */
static const gpucmd_priv_i915_reg_row *gpucmd_priv_i915_register_row(
    const gpucmd_priv_i915_reg_row *rows, size_t n, const gpucmd_i915_cmdset *cmdset,
    uint32_t engine, uint32_t reg, gpucmd_i915_register *out)
{
    const gpucmd_priv_i915_reg_row *found = NULL;
    size_t first = 0, end = n; /* the first row after reg is in first..end */
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        if (rows[middle].reg <= reg) {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    while (first-- > 0 && reg - rows[first].reg < 2048 &&
           (found == NULL || found->reg == rows[first].reg)) {
        found =
            gpucmd_priv_i915_register_is(&rows[first], cmdset, engine, reg) ? &rows[first] : found;
    }
    if (found != NULL) {
        const uint32_t shift = 2 + (found->kind & 1);
        out->name = found->name;
        out->nth = (reg - found->reg) >> shift;
        out->count = found->kind >> 8 != 0 ? found->kind >> 8 : 1;
        out->masked = (found->kind & 2) != 0;
        out->high = ((reg - found->reg) & ((1u << shift) - 1)) != 0;
    }
    return found;
}

/* As gpucmd_i915_register_find, but return the row, or NULL. */
static const gpucmd_priv_i915_reg_row *gpucmd_priv_i915_register_find(
    const gpucmd_i915_cmdset *cmdset, uint32_t reg, gpucmd_i915_register *out)
{
    const gpucmd_priv_i915_reg_row *found;
    const gpucmd_i915_gen gen = cmdset->gen;
    const bool media = gen >= GPUCMD_I915_GEN12_7 && reg - 0x380000 < 0x40000;
    size_t i;
    for (i = 0; i < GPUCMD_I915_PRIV_BASE_COUNT; i++) {
        const gpucmd_priv_i915_base *row = &gpucmd_priv_i915_bases[i];
        if (reg - row->base < 0x700 && (uint32_t)gen >= row->since && (uint32_t)gen <= row->until &&
            (found = gpucmd_priv_i915_register_row(
                 gpucmd_priv_i915_ring_names,
                 sizeof gpucmd_priv_i915_ring_names / sizeof gpucmd_priv_i915_ring_names[0], cmdset,
                 row->engine, reg - row->base, out)) != NULL) {
            out->engine = (gpucmd_i915_engine)row->engine;
            out->instance = row->instance;
            out->media = false;
            return found;
        }
    }
    found = gpucmd_priv_i915_register_row(gpucmd_priv_i915_global_names,
                                          sizeof gpucmd_priv_i915_global_names /
                                              sizeof gpucmd_priv_i915_global_names[0],
                                          cmdset, 0, media ? reg - 0x380000 : reg, out);
    if (found != NULL) {
        out->engine = (gpucmd_i915_engine)0;
        out->instance = 0;
        out->media = media;
    }
    return found;
}

GPUCMD_PRIV_API bool gpucmd_i915_register_find(const gpucmd_i915_cmdset *cmdset, uint32_t reg,
                                               gpucmd_i915_register *out)
{
    return gpucmd_priv_i915_register_find(cmdset, reg, out) != NULL;
}

/* Largest number of bytes written between two calls of gpucmd_priv_i915_line_room. */
enum { GPUCMD_I915_PRIV_PIECE = 104 };
/* Output to text t. If t has at least sizeof room free bytes, characters are written to t directly.
 * Otherwise they are written to room, and gpucmd_priv_i915_line_finish copies them to t. */
typedef struct gpucmd_priv_i915_line {
    gpucmd_text *t;
    char *from;
    const char *limit; /* last position at which GPUCMD_I915_PRIV_PIECE bytes are free */
    char room[256 + GPUCMD_I915_PRIV_PIECE];
} gpucmd_priv_i915_line;

/* Prepare *line for output to t. Return the position of the first character. */
static char *gpucmd_priv_i915_line_start(gpucmd_priv_i915_line *line, gpucmd_text *t)
{
    const size_t left = t->need_bytes == t->len_bytes ? t->cap_bytes - t->len_bytes : 0;
    const bool is_direct = left >= sizeof line->room;
    line->t = t;
    line->from = is_direct ? t->base + t->len_bytes : line->room;
    line->limit = line->from + (is_direct ? left : sizeof line->room) - GPUCMD_I915_PRIV_PIECE;
    return line->from;
}

/* Add the characters from line->from up to position at to the text. If they were written to the
 * text directly, only its length changes. */
static void gpucmd_priv_i915_line_finish(gpucmd_priv_i915_line *line, char *at)
{
    const size_t len_bytes = (size_t)(at - line->from);
    if (line->from == line->room) {
        gpucmd_priv_text_put(line->t, line->room, len_bytes);
    } else {
        line->t->len_bytes += len_bytes;
        line->t->need_bytes += len_bytes;
        *at = '\0';
    }
}

static char *gpucmd_priv_i915_line_flush(gpucmd_priv_i915_line *line, char *at)
{
    gpucmd_priv_i915_line_finish(line, at);
    return gpucmd_priv_i915_line_start(line, line->t);
}

/* Make GPUCMD_I915_PRIV_PIECE bytes free at position at. Return the next position. */
GPUCMD_INLINE char *gpucmd_priv_i915_line_room(gpucmd_priv_i915_line *line, char *at)
{
    return GPUCMD_PRIV_UNLIKELY(at > line->limit) ? gpucmd_priv_i915_line_flush(line, at) : at;
}

/* Write string s of at most GPUCMD_I915_PRIV_PIECE characters. Return the next position. */
static char *gpucmd_priv_i915_line_str(char *at, const char *s)
{
    while (*s != '\0') {
        *at++ = *s++;
    }
    return at;
}

GPUCMD_INLINE char *gpucmd_priv_i915_line_hex8(char *at, uint32_t v)
{
    gpucmd_priv_text_hex8(at, v);
    return at + 8;
}

/* Write v in hexadecimal without leading zeros; overwrite 8 bytes. Return the next position. */
GPUCMD_INLINE char *gpucmd_priv_i915_line_hex(char *at, uint32_t v)
{
    const uint32_t more = (uint32_t)(v >= 1u << 4) + (uint32_t)(v >= 1u << 8) +
                          (uint32_t)(v >= 1u << 12) + (uint32_t)(v >= 1u << 16) +
                          (uint32_t)(v >= 1u << 20) + (uint32_t)(v >= 1u << 24) +
                          (uint32_t)(v >= 1u << 28);
    gpucmd_store64(at, gpucmd_priv_shl(gpucmd_priv_text_digits(v), 56 - 8 * more),
                   GPUCMD_BIG_ENDIAN);
    return at + 1 + more;
}

/* Write v (0 to 255) in decimal. Return the next position. */
GPUCMD_INLINE char *gpucmd_priv_i915_line_dec(char *at, uint32_t v)
{
    if (v >= 10) {
        if (v >= 100) {
            *at++ = (char)('0' + gpucmd_priv_div(v, 100));
        }
        *at++ = (char)('0' + gpucmd_priv_rem(gpucmd_priv_div(v, 10), 10));
        v = gpucmd_priv_rem(v, 10);
    }
    *at++ = (char)('0' + v);
    return at;
}

/* Write the name of register reg ("rcs0.CS_GPR3_UDW"), if it has one. Return the next position. */
static char *gpucmd_priv_i915_line_register(char *at, const gpucmd_i915_cmdset *cmdset,
                                            uint32_t reg)
{
    gpucmd_i915_register r;
    const gpucmd_priv_i915_reg_row *row = gpucmd_priv_i915_register_find(cmdset, reg, &r);
    if (row == NULL) {
        return at;
    }
    if ((uint32_t)r.engine != 0) {
        at = gpucmd_priv_i915_line_str(at, gpucmd_i915_engine_name(r.engine));
        at = gpucmd_priv_i915_line_dec(at, r.instance);
        *at++ = '.';
    }
    at = gpucmd_priv_i915_line_str(at, r.media ? "media." : "");
    gpucmd_priv_copy(at, row->name, sizeof row->name);
    at += row->name_bytes;
    at = r.count != 1 ? gpucmd_priv_i915_line_dec(at, r.nth) : at;
    return gpucmd_priv_i915_line_str(at, r.high ? "_UDW" : "");
}

GPUCMD_PRIV_API void gpucmd_i915_print_register(gpucmd_text *t, const gpucmd_i915_cmdset *cmdset,
                                                uint32_t reg)
{
    char name[64];
    const char *end = gpucmd_priv_i915_line_register(name, cmdset, reg);
    if (end != name) {
        gpucmd_priv_text_put(t, name, (size_t)(end - name));
    } else {
        gpucmd_text_str(t, "0x");
        gpucmd_text_hex(t, reg, 1);
    }
}

/* If word number i of the command at dw is a register offset, return true and write the absolute
 * offset of the register to *reg. Otherwise return false; *reg may be 0. */
static bool gpucmd_priv_i915_register_word(const gpucmd_i915_cmdset *cmdset, gpucmd_i915_op op,
                                           const uint32_t *dw, uint32_t i, uint32_t *reg)
{
    uint32_t base = 0;
    uint32_t bit = 19; /* gen11 and later: this bit of DW0 adds the base; PIPE_CONTROL: always 0 */
    bool good = i == 1;
    if (op == GPUCMD_I915_OP_MI_LOAD_REGISTER_IMM) {
        good = (i & 1) != 0;
    } else if (op == GPUCMD_I915_OP_MI_LOAD_REGISTER_REG) {
        good = i == 1 || i == 2;
        bit = 17 + i;
    } else if (op == GPUCMD_I915_OP_MI_SEMAPHORE_WAIT) {
        bit = 31;
        good = i == 2 && cmdset->gen >= GPUCMD_I915_GEN9 &&
               (dw[0] & GPUCMD_I915_BITS(MI_SEMAPHORE_WAIT_REGISTER)) != 0;
    } else if (op == GPUCMD_I915_OP_PIPE_CONTROL) {
        good = i == 2 && cmdset->gen >= GPUCMD_I915_GEN7 &&
               GPUCMD_I915_GET(PIPE_CONTROL_POST_SYNC, dw[1]) == 0 &&
               (dw[1] & GPUCMD_I915_BITS(PIPE_CONTROL_LRI_POST_SYNC)) != 0;
    } else if (op != GPUCMD_I915_OP_MI_STORE_REGISTER_MEM &&
               op != GPUCMD_I915_OP_MI_LOAD_REGISTER_MEM) {
        return false;
    }
    if (good && cmdset->gen >= GPUCMD_I915_GEN11 && (dw[0] >> bit & 1) != 0) {
        /* cannot fail, because each engine has an instance 0 */
        (void)!gpucmd_i915_engine_base(cmdset->gen, cmdset->engine, 0, &base);
    }
    *reg = good ? (dw[i] & GPUCMD_I915_PRIV_REG_BITS) + base : 0;
    return good;
}

/* Return the length of a field name without its suffix for a generation (_G4, _G12, _G7_5). */
GPUCMD_INLINE size_t gpucmd_priv_i915_name_bytes(const gpucmd_priv_i915_field_name *name)
{
    size_t i;
    const size_t n = name->bytes;
    if (GPUCMD_PRIV_UNLIKELY(name->text[n - 1] <= '9')) {
        for (i = 3; i <= 5 && i < n; i++) {
            if (name->text[n - i] == '_' && name->text[n - i + 1] == 'G') {
                return n - i;
            }
        }
    }
    return n;
}

/* Write `blanks` (1 to 3) spaces, then NAME=value of a field. nth: index of field f in
 * gpucmd_priv_i915_fields. value: value of the field, not 0 unless f has 32 bits. Return the next
 * position. */
static char *gpucmd_priv_i915_print_field(char *at, size_t nth, gpucmd_priv_i915_field f,
                                          uint32_t value, size_t blanks)
{
    const gpucmd_priv_i915_field_name *name = &gpucmd_priv_i915_field_names[nth];
    gpucmd_priv_copy(at, "   ", 3);
    at += blanks;
    gpucmd_priv_copy(at, name->text, sizeof name->text);
    at += gpucmd_priv_i915_name_bytes(name);
    gpucmd_priv_copy(at, "=0x", 3);
    if (f.spare >= 24) {
        return gpucmd_priv_i915_line_dec(at + 1, value);
    }
    return gpucmd_priv_i915_line_hex(at + 3, f.spare == f.lo && f.lo <= 12
                                                 ? value << f.lo /* addresses are not shifted */
                                                 : value);
}

/* Position in the fields of a command. field: index of the next field to print. word: number of the
 * word with this field; 0xffffffff: no field remains. end: index after the last field of the
 * command. gen: bit of the generation in member gens of a field. */
typedef struct gpucmd_priv_i915_cursor {
    size_t field, end;
    uint32_t word, gen;
} gpucmd_priv_i915_cursor;

/* From field c->field on, find a field that the generation has. Set c->field and c->word to it. */
GPUCMD_INLINE void gpucmd_priv_i915_seek(gpucmd_priv_i915_cursor *c)
{
    size_t field = c->field;
    while (field != c->end && (gpucmd_priv_i915_fields[field].gens & c->gen) == 0) {
        field++;
    }
    c->field = field;
    c->word = field != c->end ? gpucmd_priv_i915_keys[field] & 31 : 0xffffffff;
}

/* Write the fields of word number i, whose value is dw, at *place. Omit a field whose value is 0,
 * unless it has 32 bits. Write 3 spaces before the first field, but only 1 in word 0. Move *place
 * to the end of the text, and *cursor to the next word with fields. Return a mask of the bits of
 * word i that belong to fields. */
static uint32_t gpucmd_priv_i915_print_fields(gpucmd_priv_i915_line *line, char **place, uint32_t i,
                                              uint32_t dw, gpucmd_priv_i915_cursor *cursor)
{
    gpucmd_priv_i915_cursor c = *cursor;
    char *at = *place;
    uint32_t owned = 0;
    size_t blanks = i != 0 ? 3 : 1;
    do {
        const gpucmd_priv_i915_field f = gpucmd_priv_i915_fields[c.field];
        const uint32_t mask = 0xffffffffu >> f.spare;
        const uint32_t value = dw >> f.lo & mask;
        owned |= mask << f.lo;
        if (value != 0 || f.spare == 0) {
            at = gpucmd_priv_i915_line_room(line, at);
            at = gpucmd_priv_i915_print_field(at, c.field, f, value, blanks);
            blanks = 1;
        }
        c.field++;
        gpucmd_priv_i915_seek(&c);
    } while (c.word == i);
    *cursor = c;
    *place = at;
    return owned;
}

/* Write a space and the name of the command with first word dw. Return the next position. */
static char *gpucmd_priv_i915_print_name(char *at, const gpucmd_i915_cmd *cmd,
                                         const gpucmd_i915_cmdset *cmdset, uint32_t dw)
{
    *at++ = ' ';
    if ((size_t)cmd->op - 2 < GPUCMD_I915_PRIV_ROWS) {
        const gpucmd_priv_i915_row_name *name = &gpucmd_priv_i915_row_names[(size_t)cmd->op - 2];
        gpucmd_priv_copy(at, name->text, sizeof name->text);
        return at + name->bytes;
    }
    return gpucmd_priv_i915_line_str(at, gpucmd_i915_name(cmdset, dw));
}

/* Write stray unless it is 0. Write TRUNCATED if this is the status. Return the next position. */
static char *gpucmd_priv_i915_print_flaws(char *at, uint32_t stray, gpucmd_status status)
{
    if (stray != 0) {
        at = gpucmd_priv_i915_line_str(at, " stray=0x");
        at = gpucmd_priv_i915_line_hex(at, stray);
    }
    return status == GPUCMD_TRUNCATED ? gpucmd_priv_i915_line_str(at, " TRUNCATED") : at;
}

/* Write the address va, a colon, a space and the word dw. nibbles: gpucmd_priv_text_nibbles of the
 * low half of va. Return the next position. */
static char *gpucmd_priv_i915_print_word(char *at, uint64_t va, uint64_t nibbles, uint32_t dw)
{
    if (GPUCMD_PRIV_UNLIKELY(va >> 32 != 0)) {
        at = gpucmd_priv_i915_line_hex(at, (uint32_t)(va >> 32));
    }
    gpucmd_store64(at, gpucmd_priv_text_ascii(nibbles), GPUCMD_BIG_ENDIAN);
    at += 8;
    gpucmd_priv_copy(at, ": ", 2);
    return gpucmd_priv_i915_line_hex8(at + 2, dw);
}

GPUCMD_PRIV_API uint32_t gpucmd_i915_print(gpucmd_text *t, const gpucmd_i915_cmdset *cmdset,
                                           const uint32_t *dw, size_t avail_dw, uint64_t va)
{
    gpucmd_i915_cmd cmd;
    gpucmd_priv_i915_line line;
    gpucmd_priv_i915_cursor c = {0, 0, 0, 1u << cmdset->nth};
    uint64_t nibbles = gpucmd_priv_text_nibbles((uint32_t)va);
    uint32_t i, reg;
    char *at = gpucmd_priv_i915_line_start(&line, t);
    gpucmd_priv_i915_decode(cmdset, dw, avail_dw, &cmd);
    if (cmd.op > GPUCMD_I915_OP_GFX) {
        c.field = gpucmd_priv_i915_firsts[(size_t)cmd.op - 2];
        c.end = gpucmd_priv_i915_firsts[(size_t)cmd.op - 1];
    }
    gpucmd_priv_i915_seek(&c);
    for (i = 0; i < cmd.len_dw; i++, va += 4, nibbles = gpucmd_priv_text_nibbles_add4(nibbles)) {
        uint32_t owned = 0;
        at = gpucmd_priv_i915_line_room(&line, at);
        at = gpucmd_priv_i915_print_word(at, va, nibbles, dw[i]);
        if (i == 0) {
            at = gpucmd_priv_i915_print_name(at, &cmd, cmdset, dw[0]);
        }
        if (i == c.word) {
            owned = gpucmd_priv_i915_print_fields(&line, &at, i, dw[i], &c);
            at = gpucmd_priv_i915_line_room(&line, at);
        }
        if (i != 0 && gpucmd_priv_i915_register_word(cmdset, cmd.op, dw, i, &reg)) {
            char *const name = at + (owned != 0 ? 1 : 3);
            char *const end = gpucmd_priv_i915_line_register(name, cmdset, reg);
            gpucmd_priv_copy(at, "   ", (size_t)(name - at));
            at = end != name ? end : at;
        }
        if (i == 0) {
            const uint32_t stray =
                cmd.op > GPUCMD_I915_OP_GFX ? gpucmd_priv_i915_stray(cmdset, dw[0], owned) : 0;
            at = gpucmd_priv_i915_print_flaws(at, stray, cmd.status);
        }
        *at++ = '\n';
    }
    gpucmd_priv_i915_line_finish(&line, at);
    return cmd.len_dw;
}

/* ==== [I915.IMPL.CHECK] ==================================================================== */

/* Return the row of gpucmd_priv_i915_grants that lets a non-secure batch write reg, or NULL. */
static const gpucmd_priv_i915_grant *gpucmd_priv_i915_find_grant(const gpucmd_i915_cmdset *cmdset,
                                                                 uint32_t reg)
{
    size_t i;
    for (i = 0; i < sizeof gpucmd_priv_i915_grants / sizeof gpucmd_priv_i915_grants[0]; i++) {
        const gpucmd_priv_i915_grant *g = &gpucmd_priv_i915_grants[i];
        if (reg >= g->first && reg <= g->last && gpucmd_priv_i915_in_range(g->range, cmdset->nth) &&
            ((uint32_t)cmdset->engine & g->engines) != 0) {
            return g;
        }
    }
    return NULL;
}

GPUCMD_PRIV_API bool gpucmd_i915_register_allowed(const gpucmd_i915_cmdset *cmdset, uint32_t reg,
                                                  uint32_t value)
{
    const gpucmd_priv_i915_grant *g = gpucmd_priv_i915_find_grant(cmdset, reg);
    uint32_t base;
    if (g != NULL) {
        return (value & g->care) == g->want;
    }
    if (cmdset->gen >= GPUCMD_I915_GEN9) { /* the GPRs of each instance are allowed */
        uint32_t n;
        for (n = 0; n < 9; n++) {
            if (gpucmd_i915_engine_base(cmdset->gen, cmdset->engine, n, &base) == GPUCMD_OK &&
                reg - (base + GPUCMD_I915_REG_CS_GPR) < 0x80) {
                return true;
            }
        }
    }
    return false;
}

/* Progress of one call of gpucmd_i915_check. */
typedef struct gpucmd_priv_i915_check {
    const gpucmd_i915_cmdset *cmdset;
    const gpucmd_i915_check_options *options;
    uint32_t errors;
    gpucmd_status status; /* GPUCMD_OK, or the status with which found ended the check */
    const uint32_t *dw;   /* len_dw words of the current command; dw[0] has index at_dw */
    size_t at_dw;
    uint32_t len_dw;
} gpucmd_priv_i915_check;

/* Report that word number back_dw of the command breaks a rule. value: value of the finding. */
static void gpucmd_priv_i915_report(gpucmd_priv_i915_check *c, gpucmd_i915_rule rule,
                                    uint32_t back_dw, uint32_t value)
{
#define GPUCMD_I915_PRIV_SEVERITY(id, severity, text) GPUCMD_SEVERITY_##severity,
    static const uint8_t severities[] = {GPUCMD_I915_RULES(GPUCMD_I915_PRIV_SEVERITY)};
#undef GPUCMD_I915_PRIV_SEVERITY
    gpucmd_i915_register r;
    gpucmd_i915_finding f;
    f.rule = rule;
    f.severity = (gpucmd_severity)severities[rule];
    f.at_dw = c->at_dw + back_dw;
    f.value = value;
    f.name = gpucmd_priv_row_text(GPUCMD_I915_RULES(GPUCMD_PRIV_ROW_NAME), (size_t)rule);
    f.text = gpucmd_priv_row_text(GPUCMD_I915_RULES(GPUCMD_PRIV_ROW_TEXT_3), (size_t)rule);
    f.reg = rule == GPUCMD_I915_RULE_REGISTER && gpucmd_i915_register_find(c->cmdset, value, &r)
                ? r.name
                : NULL;
    c->errors += f.severity == GPUCMD_SEVERITY_ERROR;
    if (c->options->found != NULL && c->status == GPUCMD_OK) {
        c->status = c->options->found(c->options->user, &f);
    }
}

/* Return true if the command accesses the global table or writes to the status page. len_dw must be
 * at least 2 if the command has a length field. */
static bool gpucmd_priv_i915_uses_ggtt(gpucmd_i915_op op, const uint32_t *dw, uint32_t len_dw)
{
    const uint32_t bit22 = dw[0] >> 22 & 1;
    if (op == GPUCMD_I915_OP_MI_COPY_MEM_MEM) {
        return (dw[0] & (GPUCMD_I915_BITS(MI_COPY_MEM_MEM_SRC_GGTT) |
                         GPUCMD_I915_BITS(MI_COPY_MEM_MEM_DST_GGTT))) != 0;
    }
    if (op == GPUCMD_I915_OP_MI_REPORT_PERF_COUNT) {
        return (dw[1] & 1) != 0;
    }
    if (op == GPUCMD_I915_OP_MI_FLUSH_DW) {
        return GPUCMD_I915_GET(MI_FLUSH_DW_POST_SYNC, dw[0]) != 0 &&
               ((dw[0] & GPUCMD_I915_BITS(MI_FLUSH_DW_STORE_INDEX)) != 0 ||
                (dw[1] & GPUCMD_I915_BITS(MI_FLUSH_DW_GGTT)) != 0);
    }
    if (op == GPUCMD_I915_OP_PIPE_CONTROL) {
        return len_dw > 2 && GPUCMD_I915_GET(PIPE_CONTROL_POST_SYNC, dw[1]) != 0 &&
               (dw[1] & (GPUCMD_I915_BITS(PIPE_CONTROL_STORE_INDEX) |
                         GPUCMD_I915_BITS(PIPE_CONTROL_GGTT))) != 0;
    }
    return bit22 != 0;
}

/* Return true if a non-secure batch executes the command only in part or not at all. The result
 * ignores whether the batch may write the registers that the command names. */
static bool gpucmd_priv_i915_loses(gpucmd_i915_gen gen, gpucmd_i915_op op, const uint32_t *dw,
                                   uint32_t len_dw)
{
    const gpucmd_i915_privilege privilege =
        (gpucmd_i915_privilege)gpucmd_priv_i915_row_of(op)->privilege;
    if (gen < GPUCMD_I915_GEN7) {
        return gen == GPUCMD_I915_GEN6 && privilege == GPUCMD_I915_PRIVILEGE_ALWAYS;
    }
    switch (privilege) {
    case GPUCMD_I915_PRIVILEGE_NONE: return false;
    case GPUCMD_I915_PRIVILEGE_ALWAYS:
    case GPUCMD_I915_PRIVILEGE_NOOP: return true;
    case GPUCMD_I915_PRIVILEGE_IRQ: return gen < GPUCMD_I915_GEN8;
    case GPUCMD_I915_PRIVILEGE_GGTT:
    case GPUCMD_I915_PRIVILEGE_SPACE:
    case GPUCMD_I915_PRIVILEGE_DROP:
    case GPUCMD_I915_PRIVILEGE_SYNC: return gpucmd_priv_i915_uses_ggtt(op, dw, len_dw);
    case GPUCMD_I915_PRIVILEGE_REG: break;
    }
    return op == GPUCMD_I915_OP_MI_LOAD_REGISTER_MEM && (dw[0] >> 22 & 1) != 0;
}

/* Return a mask of the words of op that contain a register offset: bit i is word i. Return 0 for
 * MI_LOAD_REGISTER_IMM, which gpucmd_priv_i915_check_registers handles itself. */
static uint32_t gpucmd_priv_i915_register_words(gpucmd_i915_op op)
{
    return op == GPUCMD_I915_OP_MI_STORE_REGISTER_MEM || op == GPUCMD_I915_OP_MI_LOAD_REGISTER_MEM
               ? 2
           : op == GPUCMD_I915_OP_MI_LOAD_REGISTER_REG ? 6
                                                       : 0;
}

/* Check the offset, in word number `at`, of a register to which the current command writes `value`.
 * relative: the offset is relative to the base of the engine. If the value is in memory or in a
 * register, `value` is ~0, which no register accepts that accepts only some values. */
static void gpucmd_priv_i915_check_reg(gpucmd_priv_i915_check *c, uint32_t at, bool relative,
                                       uint32_t value)
{
    const uint32_t reg = c->dw[at];
    uint32_t base = 0;
    if ((reg & ~GPUCMD_I915_PRIV_REG_BITS) != 0) {
        gpucmd_priv_i915_report(c, GPUCMD_I915_RULE_REGISTER_ALIGN, at, reg);
        return;
    }
    if (relative) { /* the call cannot fail: each engine has an instance 0 */
        (void)!gpucmd_i915_engine_base(c->cmdset->gen, c->cmdset->engine, 0, &base);
    }
    if (!c->options->secure && !c->options->ring && c->cmdset->gen >= GPUCMD_I915_GEN6 &&
        !gpucmd_i915_register_allowed(c->cmdset, reg + base, value)) {
        gpucmd_priv_i915_report(c, GPUCMD_I915_RULE_REGISTER, at, reg + base);
    }
}

static void gpucmd_priv_i915_check_registers(gpucmd_priv_i915_check *c, gpucmd_i915_op op)
{
    uint32_t i;
    const uint32_t *dw = c->dw;
    const bool rel = c->cmdset->gen >= GPUCMD_I915_GEN11 && (dw[0] >> 19 & 1) != 0;
    if (op == GPUCMD_I915_OP_MI_LOAD_REGISTER_IMM) {
        for (i = 1; i + 1 < c->len_dw; i += 2) {
            gpucmd_priv_i915_check_reg(c, i, rel, dw[i + 1]);
        }
    } else if (op == GPUCMD_I915_OP_MI_LOAD_REGISTER_MEM) {
        gpucmd_priv_i915_check_reg(c, 1, rel, ~0u);
    } else if (op == GPUCMD_I915_OP_MI_LOAD_REGISTER_REG && c->len_dw > 2) {
        if ((dw[1] & ~GPUCMD_I915_PRIV_REG_BITS) != 0) {
            gpucmd_priv_i915_report(c, GPUCMD_I915_RULE_REGISTER_ALIGN, 1, dw[1]);
        }
        gpucmd_priv_i915_check_reg(c, 2, rel, ~0u);
    } else if (op == GPUCMD_I915_OP_MI_STORE_REGISTER_MEM &&
               (dw[1] & ~GPUCMD_I915_PRIV_LEGAL(MI_STORE_REGISTER_MEM, c->cmdset->gen, 1)) != 0) {
        gpucmd_priv_i915_report(c, GPUCMD_I915_RULE_REGISTER_ALIGN, 1, dw[1]);
    }
}

/* Return true if the command is a PIPE_CONTROL that stores 64 bits. Its address in word 2 must be a
 * multiple of 8, although bit 2 belongs to the address field. */
static bool gpucmd_priv_i915_is_qword(const gpucmd_priv_i915_check *c, gpucmd_i915_op op)
{
    const gpucmd_i915_gen gen = c->cmdset->gen;
    return op == GPUCMD_I915_OP_PIPE_CONTROL && gen >= GPUCMD_I915_GEN7 &&
           c->len_dw == (uint32_t)GPUCMD_I915_PIPE_CONTROL_DW(gen) &&
           GPUCMD_I915_GET(PIPE_CONTROL_POST_SYNC, c->dw[1]) != GPUCMD_I915_POST_SYNC_NONE;
}

/* Report reserved bits that are set in words 1 to 30, except in register offsets. Report bits 2:0
 * of an address as ADDRESS_ALIGN. A word is an address if all its bits 31:12 belong to fields. */
static void gpucmd_priv_i915_check_words(gpucmd_priv_i915_check *c, gpucmd_i915_op op)
{
    uint32_t i;
    for (i = 1; i < c->len_dw && i < 31; i++) {
        bool any;
        const uint32_t owned = gpucmd_priv_i915_owned(op, c->cmdset->nth, i, &any) &
                               ~(i == 2 && gpucmd_priv_i915_is_qword(c, op) ? 7u : 0u);
        const bool reg = i < 3 && (gpucmd_priv_i915_register_words(op) >> i & 1) != 0;
        uint32_t stray = any && !reg ? c->dw[i] & ~owned : 0;
        if (op == GPUCMD_I915_OP_XY_BLOCK_COPY_BLT && i == 1) {
            stray &= ~(3u << 22); /* igt sets these bits of gen20 for the MOCS index [IGT] */
        }
        if ((stray & 7) != 0 && owned >> 12 == 0xfffffu) {
            gpucmd_priv_i915_report(c, GPUCMD_I915_RULE_ADDRESS_ALIGN, i, c->dw[i]);
        } else if (stray != 0) {
            gpucmd_priv_i915_report(c, GPUCMD_I915_RULE_RESERVED, i, c->dw[i]);
        }
    }
}

/* Report an MI_BATCH_BUFFER_START that jumps to the start of its own batch. Report a second-level
 * call in a ring, or in a second-level batch before gen12.5. */
static void gpucmd_priv_i915_check_start(gpucmd_priv_i915_check *c)
{
    const uint32_t *dw = c->dw;
    const gpucmd_i915_gen gen = c->cmdset->gen;
    if (c->len_dw < (gen >= GPUCMD_I915_GEN8 ? 3u : 2u)) {
        return;
    }
    uint64_t target = dw[1] & ~3u;
    if (gen >= GPUCMD_I915_GEN8) {
        target |= (uint64_t)(dw[2] & 0xffff) << 32;
    }
    if (target == (c->options->va & 0xffffffffffffu) && !c->options->ring) {
        gpucmd_priv_i915_report(c, GPUCMD_I915_RULE_SELF_JUMP, 0, dw[0]);
    }
    if (gen >= GPUCMD_I915_GEN7_5 &&
        (c->options->ring || (c->options->second_level && gen < GPUCMD_I915_GEN12_5)) &&
        (dw[0] & GPUCMD_I915_BITS(MI_BATCH_BUFFER_START_SECOND_LEVEL)) != 0) {
        gpucmd_priv_i915_report(c, GPUCMD_I915_RULE_SECOND_LEVEL, 0, dw[0]);
    }
}

/* Return true on gen8 and later if an MI_FLUSH_DW of 3 words or a PIPE_CONTROL of 4 words requests
 * a post-sync operation, because these forms have no data for the operation. */
static bool gpucmd_priv_i915_lacks_data(const gpucmd_priv_i915_check *c, gpucmd_i915_op op)
{
    return c->cmdset->gen >= GPUCMD_I915_GEN8 &&
           ((op == GPUCMD_I915_OP_MI_FLUSH_DW && c->len_dw == 3 &&
             GPUCMD_I915_GET(MI_FLUSH_DW_POST_SYNC, c->dw[0]) != 0) ||
            (op == GPUCMD_I915_OP_PIPE_CONTROL && c->len_dw == 4 &&
             (c->dw[1] & (GPUCMD_I915_BITS(PIPE_CONTROL_POST_SYNC) |
                          GPUCMD_I915_BITS(PIPE_CONTROL_LRI_POST_SYNC))) != 0));
}

static void gpucmd_priv_i915_check_command(gpucmd_priv_i915_check *c, gpucmd_i915_op op)
{
    const gpucmd_i915_gen gen = c->cmdset->gen;
    const uint32_t min_dw = gpucmd_priv_i915_least(gpucmd_priv_i915_row_of(op), gen);
    /* gen12.7 and later: the longest MI_STORE_DATA_IMM has one word less than its row says. [XE] */
    const bool less = op == GPUCMD_I915_OP_MI_STORE_DATA_IMM && gen >= GPUCMD_I915_GEN12_7;
    const uint32_t max_dw = gpucmd_priv_i915_most[(size_t)op - 2][gen >= GPUCMD_I915_GEN8] - less;
    gpucmd_i915_cmd cmd;
    gpucmd_i915_decode(c->cmdset, c->dw, c->len_dw, &cmd);
    if (op == GPUCMD_I915_OP_MI_FORCE_WAKEUP &&
        (c->cmdset->engine == GPUCMD_I915_RCS || c->cmdset->engine == GPUCMD_I915_CCS)) {
        gpucmd_priv_i915_report(c, GPUCMD_I915_RULE_ENGINE, 0, c->dw[0]); /* not on RCS, CCS [MD] */
    }
    if (c->len_dw < min_dw || c->len_dw > max_dw || gpucmd_priv_i915_lacks_data(c, op) ||
        (op == GPUCMD_I915_OP_MI_LOAD_REGISTER_IMM && (c->len_dw & 1) == 0)) {
        gpucmd_priv_i915_report(c, GPUCMD_I915_RULE_LENGTH, 0, c->dw[0]);
    }
    if (cmd.stray != 0) {
        gpucmd_priv_i915_report(c, GPUCMD_I915_RULE_RESERVED, 0, cmd.stray);
    }
    if (!c->options->secure && !c->options->ring &&
        gpucmd_priv_i915_loses(gen, op, c->dw, c->len_dw)) {
        gpucmd_priv_i915_report(c, GPUCMD_I915_RULE_PRIVILEGED, 0, c->dw[0]);
    }
    gpucmd_priv_i915_check_words(c, op);
    gpucmd_priv_i915_check_registers(c, op);
    if (op == GPUCMD_I915_OP_MI_BATCH_BUFFER_START) {
        gpucmd_priv_i915_check_start(c);
    }
}

/* Report a command that this engine does not have. Return its length in words, computed from the
 * row of another engine or generation. Return 0 if the length is unknown. */
static uint32_t gpucmd_priv_i915_check_stranger(gpucmd_priv_i915_check *c)
{
    const uint32_t head = c->dw[0];
    const gpucmd_priv_i915_row *row = gpucmd_priv_i915_find_any(head);
    if (row == NULL) {
        gpucmd_priv_i915_report(
            c, head >> 29 == 3 ? GPUCMD_I915_RULE_ENGINE : GPUCMD_I915_RULE_UNKNOWN, 0, head);
        return head >> 29 == 3 ? (head & 0xff) + 2 : 0;
    }
    gpucmd_priv_i915_report(c,
                            gpucmd_priv_i915_in_range(row->range, c->cmdset->nth)
                                ? GPUCMD_I915_RULE_ENGINE
                                : GPUCMD_I915_RULE_GENERATION,
                            0, head);
    const uint32_t bits = gpucmd_priv_i915_class_value(row->kind & 7, c->cmdset->nth);
    return bits == 0 ? 1 : (head & ((1u << bits) - 1)) + 2;
}

/* Report that the batch has no end, or report the first word after the end that is not 0. */
static void gpucmd_priv_i915_check_end(gpucmd_priv_i915_check *c, const uint32_t *dw, size_t len_dw,
                                       bool ended)
{
    size_t i;
    if (!ended) {
        if (!c->options->ring) {
            c->at_dw = len_dw;
            gpucmd_priv_i915_report(c, GPUCMD_I915_RULE_NO_END, 0, 0);
        }
        return;
    }
    for (i = c->at_dw + c->len_dw; i < len_dw; i++) {
        if (dw[i] != 0) {
            c->at_dw = i;
            gpucmd_priv_i915_report(c, GPUCMD_I915_RULE_AFTER_END, 0, dw[i]);
            return;
        }
    }
}

GPUCMD_PRIV_API gpucmd_status gpucmd_i915_check(const gpucmd_i915_cmdset *cmdset,
                                                const uint32_t *dw, size_t len_dw,
                                                const gpucmd_i915_check_options *options,
                                                uint32_t *errors)
{
    gpucmd_priv_i915_check c = {cmdset, options, 0, GPUCMD_OK, dw, 0, 0};
    size_t at = 0;
    bool ended = false, known = true;
    if ((options->va & 7) != 0 || (len_dw & 1) != 0) {
        gpucmd_priv_i915_report(&c, GPUCMD_I915_RULE_BATCH_ALIGN, 0, (uint32_t)len_dw * 4);
    }
    while (at < len_dw && !ended && known && c.status == GPUCMD_OK) {
        const gpucmd_i915_op op = gpucmd_priv_i915_find(cmdset, dw[at]);
        uint32_t n = gpucmd_i915_length_dw(cmdset, dw + at, len_dw - at);
        c.dw = dw + at;
        c.at_dw = at;
        if (n == 0) {
            n = gpucmd_priv_i915_check_stranger(&c);
            known = n != 0;
        }
        if (n > len_dw - at) {
            gpucmd_priv_i915_report(&c, GPUCMD_I915_RULE_TRUNCATED, 0, dw[at]);
            known = false;
        }
        c.len_dw = known ? n : 1;
        if (known && op != GPUCMD_I915_OP_UNKNOWN) {
            gpucmd_priv_i915_check_command(&c, op);
            ended = gpucmd_i915_ends_batch(cmdset->gen, dw[at]);
        }
        at += n;
    }
    if (known && c.status == GPUCMD_OK) {
        gpucmd_priv_i915_check_end(&c, dw, len_dw, ended);
    }
    if (errors != NULL) {
        *errors = c.errors;
    }
    return c.status;
}

/* ==== [I915.IMPL.EXEC] ===================================================================== */

/* Results of executing a command, and values of cs->pending (what the next step does). The first
 * word of each comment says whether the constant is a result, a pending value, or either. */
enum {
    GPUCMD_I915_PRIV_EXEC,  /* pending: execute the command (after BLOCK or AGAIN: continue it) */
    GPUCMD_I915_PRIV_DATA,  /* pending: fetch the data of the command, then execute it */
    GPUCMD_I915_PRIV_DONE,  /* result, pending: continue with the next command */
    GPUCMD_I915_PRIV_START, /* result, pending: enter the batch at next_va */
    GPUCMD_I915_PRIV_END,   /* result, pending: leave the batch, on level 2 and 3 to its caller */
    GPUCMD_I915_PRIV_LEAVE, /* result, pending: leave the batches of all levels */
    GPUCMD_I915_PRIV_BLOCK, /* result: the command waits */
    GPUCMD_I915_PRIV_AGAIN, /* result: the command is not finished, because fuel is spent */
    GPUCMD_I915_PRIV_ERROR, /* result: enter state RS5; cs->error is set */
};

/* Contiguous memory that a run has found, so that the run need not search for it again. */
typedef struct gpucmd_priv_i915_seen {
    uint8_t *host;
    uint64_t va;
    uint64_t bytes; /* size of the memory; 0: none was found */
} gpucmd_priv_i915_seen;

/* The command that is being executed, its engine (cs) and the engines it can access (peers). */
typedef struct gpucmd_priv_i915_x {
    gpucmd_i915_cs *cs;
    gpucmd_i915_cs *peers;
    size_t peer_count;
    const gpucmd_env *env;
    const uint8_t *host; /* CPU address of the command's words; NULL: they are not contiguous */
    uint64_t va;         /* address of the command */
    uint32_t head;       /* first word of the command */
    uint32_t n;          /* length of the command in words */
    uint64_t fuel;       /* budget units that remain */
    gpucmd_priv_i915_seen batch; /* words of the batch at cs->next_va */
    gpucmd_priv_i915_seen ring;  /* words of the ring that were executed last */
    bool secure;
    bool ring_changed; /* the command has written TAIL, HEAD, START or CTL of a ring */
} gpucmd_priv_i915_x;

#define GPUCMD_I915_PRIV_VA_MASK 0xffffffffffffu

/* Largest part of a batch, in bytes, that gpucmd_priv_i915_run_quick executes in one pass. */
#define GPUCMD_I915_PRIV_QUICK_BYTES (1u << 20)

/* Storage class and attributes of a function that executes a command. It is not inlined, so that
 * gpucmd_priv_i915_exec needs no stack frame and can jump to it. */
#define GPUCMD_I915_PRIV_COMMAND GPUCMD_PRIV_NOINLINE

GPUCMD_PRIV_API const char *gpucmd_i915_state_name(gpucmd_i915_state state)
{
    return gpucmd_priv_row_text(GPUCMD_I915_STATES(GPUCMD_PRIV_ROW_NAME), (size_t)state);
}

GPUCMD_PRIV_API const char *gpucmd_i915_error_name(gpucmd_i915_error error)
{
    return gpucmd_priv_row_text(GPUCMD_I915_ERRORS(GPUCMD_PRIV_ROW_NAME), (size_t)error);
}

GPUCMD_PRIV_API const char *gpucmd_i915_error_text(gpucmd_i915_error error)
{
    return gpucmd_priv_row_text(GPUCMD_I915_ERRORS(GPUCMD_PRIV_ROW_TEXT_2), (size_t)error);
}

static void gpucmd_priv_i915_not_waiting(gpucmd_i915_cs *cs)
{
    cs->wait.active = false;
    cs->ctl &= ~(GPUCMD_I915_RING_CTL_SEMAPHORE | GPUCMD_I915_RING_CTL_WAIT);
}

/* Return true if the current 2D command was interrupted after a part of its drawing. */
static bool gpucmd_priv_i915_blit_began(const gpucmd_i915_cs *cs)
{
    return (cs->blt_row | cs->blt_at | cs->blt_used) != 0;
}

/* Set the progress of drawing to 0, so that the next 2D command begins with its first row. */
static void gpucmd_priv_i915_blit_end(gpucmd_i915_cs *cs)
{
    cs->blt_row = 0;
    cs->blt_at = 0;
    cs->blt_used = 0;
}

GPUCMD_PRIV_API void gpucmd_i915_cs_reset(gpucmd_i915_cs *cs, uint32_t head_bytes)
{
    cs->head =
        (cs->head & ~(GPUCMD_I915_RING_HEAD_WRAP - 1)) | (head_bytes & GPUCMD_I915_RING_HEAD_MASK);
    cs->acthd = head_bytes & GPUCMD_I915_RING_HEAD_MASK;
    cs->state = GPUCMD_I915_RS0;
    cs->error = GPUCMD_I915_ERROR_NONE;
    cs->fault = GPUCMD_OK;
    cs->fault_va = 0;
    gpucmd_priv_i915_not_waiting(cs);
    cs->is_signalled = false;
    cs->skip = false;
    cs->level = 0;
    cs->cmd_dw = 0;
    cs->ring_dw = 0;
    cs->pending = GPUCMD_I915_PRIV_DONE;
    cs->scan_dw = 0;
    gpucmd_priv_i915_blit_end(cs);
}

GPUCMD_PRIV_API gpucmd_status gpucmd_i915_cs_init(gpucmd_i915_cs *cs, gpucmd_i915_gen gen,
                                                  gpucmd_i915_engine engine, uint32_t instance)
{
    size_t i;
    gpucmd_i915_cmdset cmdset;
    uint32_t base;
    gpucmd_status status = gpucmd_i915_cmdset_init(&cmdset, gen, engine);
    if (status == GPUCMD_OK) {
        status = gpucmd_i915_engine_base(gen, engine, instance, &base);
    }
    if (status != GPUCMD_OK) {
        return status;
    }
    gpucmd_priv_zero(cs, sizeof *cs);
    cs->cmdset = cmdset;
    cs->base = base;
    cs->instance = instance;
    cs->slices = 1;
    for (i = 0; i < sizeof cs->levels / sizeof cs->levels[0]; i++) {
        cs->levels[i].end_va = ~(uint64_t)0;
        cs->levels[i].secure = true;
    }
    gpucmd_i915_cs_reset(cs, 0);
    return GPUCMD_OK;
}

/* ---- registers ---- */

/* Return the value of the register at byte offset off from cs->base. */
static uint32_t gpucmd_priv_i915_reg_read(const gpucmd_i915_cs *cs, uint32_t off)
{
    switch (off) {
    case GPUCMD_I915_REG_TAIL: return cs->tail;
    case GPUCMD_I915_REG_HEAD: return cs->head;
    case GPUCMD_I915_REG_START: return cs->start;
    case GPUCMD_I915_REG_CTL: return cs->ctl;
    case GPUCMD_I915_REG_ACTHD_HIGH: return (uint32_t)(cs->acthd >> 32);
    case GPUCMD_I915_REG_ACTHD: return (uint32_t)cs->acthd;
    case GPUCMD_I915_REG_ACTHD_G2:
        return cs->cmdset.gen < GPUCMD_I915_GEN4 ? (uint32_t)cs->acthd : cs->reg[off / 4];
    case GPUCMD_I915_REG_IPEHR_G2:
        return cs->reg[cs->cmdset.gen < GPUCMD_I915_GEN4 ? GPUCMD_I915_REG_IPEHR / 4 : off / 4];
    case GPUCMD_I915_REG_TIMESTAMP: return (uint32_t)cs->timestamp;
    case GPUCMD_I915_REG_TIMESTAMP + 4: return (uint32_t)(cs->timestamp >> 32);
    }
    return cs->reg[off / 4];
}

/* Return true if in a write to the register at off bits 31:16 select which of bits 15:0 change. */
static bool gpucmd_priv_i915_reg_masked(const gpucmd_i915_cs *cs, uint32_t off)
{
    return off == GPUCMD_I915_REG_MI_MODE || off == GPUCMD_I915_REG_INSTPM || off == 0x50 ||
           off == 0x54 || (off == GPUCMD_I915_REG_SWCTRL && cs->cmdset.engine == GPUCMD_I915_BCS);
}

static void gpucmd_priv_i915_reg_write(gpucmd_i915_cs *cs, uint32_t off, uint32_t v)
{
    if (gpucmd_priv_i915_reg_masked(cs, off)) {
        const uint32_t mask = v >> 16;
        cs->reg[off / 4] = (cs->reg[off / 4] & ~mask & 0xffff) | (v & mask);
        return;
    }
    switch (off) {
    case GPUCMD_I915_REG_TAIL: cs->tail = v & GPUCMD_I915_RING_TAIL_MASK; return;
    case GPUCMD_I915_REG_HEAD:
        cs->head = v & (GPUCMD_I915_RING_HEAD_MASK | ~(GPUCMD_I915_RING_HEAD_WRAP - 1));
        if (cs->level == 0 && cs->state == GPUCMD_I915_RS0) {
            cs->acthd = v & GPUCMD_I915_RING_HEAD_MASK;
        }
        return;
    case GPUCMD_I915_REG_START: cs->start = v & ~4095u; return;
    case GPUCMD_I915_REG_CTL: cs->ctl = v & 0x001ff007u; return;
    case GPUCMD_I915_REG_ACTHD:
    case GPUCMD_I915_REG_ACTHD_HIGH: return;
    case GPUCMD_I915_REG_TIMESTAMP:
        cs->timestamp = (cs->timestamp & ~(uint64_t)0xffffffffu) | v;
        return;
    case GPUCMD_I915_REG_TIMESTAMP + 4:
        cs->timestamp = (cs->timestamp & 0xffffffffu) | (uint64_t)v << 32;
        return;
    }
    cs->reg[off / 4] = v;
}

/* Return the offset from cs->base of the register at absolute offset reg. If the engine does not
 * have the register, return GPUCMD_I915_WINDOW_BYTES. On gen6 to gen7.5 HWS_PGA (address of the
 * status page) also has an offset outside the engine's window. [K] intel_engine_regs.h */
static uint32_t gpucmd_priv_i915_window(const gpucmd_i915_cs *cs, uint32_t reg)
{
    const uint32_t off = reg - cs->base;
    if (off < GPUCMD_I915_WINDOW_BYTES) {
        return off;
    }
    if (cs->cmdset.gen == GPUCMD_I915_GEN6 && off == 0x2080) {
        return GPUCMD_I915_REG_HWS_PGA;
    }
    if (cs->cmdset.gen == GPUCMD_I915_GEN7 || cs->cmdset.gen == GPUCMD_I915_GEN7_5) {
        const uint32_t page = cs->cmdset.engine == GPUCMD_I915_RCS   ? 0x4080
                              : cs->cmdset.engine == GPUCMD_I915_VCS ? 0x4180
                              : cs->cmdset.engine == GPUCMD_I915_BCS ? 0x4280
                                                                     : 0x4380;
        if (reg == page) {
            return GPUCMD_I915_REG_HWS_PGA;
        }
    }
    return GPUCMD_I915_WINDOW_BYTES;
}

GPUCMD_PRIV_API uint32_t gpucmd_i915_cs_read(const gpucmd_i915_cs *cs, uint32_t reg)
{
    const uint32_t off = gpucmd_priv_i915_window(cs, reg & ~3u);
    return off < GPUCMD_I915_WINDOW_BYTES ? gpucmd_priv_i915_reg_read(cs, off) : 0;
}

GPUCMD_PRIV_API void gpucmd_i915_cs_write(gpucmd_i915_cs *cs, uint32_t reg, uint32_t value)
{
    const uint32_t off = gpucmd_priv_i915_window(cs, reg & ~3u);
    if (off < GPUCMD_I915_WINDOW_BYTES) {
        gpucmd_priv_i915_reg_write(cs, off, value);
    }
}

static uint32_t gpucmd_priv_i915_mmio_read(void *user, uint64_t off_bytes)
{
    return gpucmd_i915_cs_read((const gpucmd_i915_cs *)user, (uint32_t)off_bytes);
}

static void gpucmd_priv_i915_mmio_write(void *user, uint64_t off_bytes, uint32_t v)
{
    gpucmd_i915_cs_write((gpucmd_i915_cs *)user, (uint32_t)off_bytes, v);
}

GPUCMD_PRIV_API void gpucmd_i915_cs_mmio(gpucmd_i915_cs *cs, gpucmd_mmio *mmio)
{
    mmio->read32 = gpucmd_priv_i915_mmio_read;
    mmio->write32 = gpucmd_priv_i915_mmio_write;
    mmio->user = cs;
}

/* ---- events, memory, registers of other engines ---- */

static void gpucmd_priv_i915_event_init(const gpucmd_priv_i915_x *x, gpucmd_event *e,
                                        gpucmd_event_kind kind, uint32_t addr, uint64_t va,
                                        uint64_t value)
{
    const gpucmd_event event = {kind, (uint32_t)x->cs->cmdset.engine, addr, 0, va, value, NULL, 0,
                                NULL};
    *e = event;
}

/* Trace an event, if a trace is set. code: its member code; for a memory access member count_dw. */
static void gpucmd_priv_i915_trace(const gpucmd_priv_i915_x *x, gpucmd_event_kind kind,
                                   uint32_t addr, uint32_t code, uint64_t va, uint64_t value)
{
    const bool memory = kind == GPUCMD_EVENT_MEM_READ || kind == GPUCMD_EVENT_MEM_WRITE;
    if (x->env->trace != NULL) {
        gpucmd_event e;
        gpucmd_priv_i915_event_init(x, &e, kind, addr, va, value);
        e.code = memory ? 0 : code;
        e.count_dw = memory ? code : 0;
        (void)x->env->trace(x->env->trace_user, &e);
    }
}

/* Record an error in cs and trace it. Return ERROR; cs->state is unchanged. */
static uint32_t gpucmd_priv_i915_error(const gpucmd_priv_i915_x *x, gpucmd_i915_error error,
                                       gpucmd_status fault)
{
    x->cs->error = error;
    x->cs->fault = fault;
    x->cs->fault_va = x->env->mem->fault_va;
    gpucmd_priv_i915_trace(x, GPUCMD_EVENT_ERROR, 0, (uint32_t)error, x->va, x->head);
    return GPUCMD_I915_PRIV_ERROR;
}

/* Trace *e, then pass it to the callback event. Return its status; without a callback GPUCMD_OK. */
static gpucmd_status gpucmd_priv_i915_call_back(const gpucmd_priv_i915_x *x, const gpucmd_event *e)
{
    if (x->env->trace != NULL) {
        (void)x->env->trace(x->env->trace_user, e);
    }
    return x->env->event != NULL ? x->env->event(x->env->user, e) : GPUCMD_OK;
}

/* Convert status to a result: DONE if it is OK, BLOCK if it is BLOCKED and error is CALLBACK.
 * Otherwise record error and status, and return ERROR. */
static uint32_t gpucmd_priv_i915_result(const gpucmd_priv_i915_x *x, gpucmd_i915_error error,
                                        gpucmd_status status)
{
    if (status == GPUCMD_OK) {
        return GPUCMD_I915_PRIV_DONE;
    }
    if (status == GPUCMD_BLOCKED && error == GPUCMD_I915_ERROR_CALLBACK) {
        return GPUCMD_I915_PRIV_BLOCK;
    }
    return gpucmd_priv_i915_error(x, error, status);
}

/* Read word number i of a command that is not contiguous in CPU memory. All words are readable. */
static uint32_t gpucmd_priv_i915_word_slow(const gpucmd_priv_i915_x *x, uint32_t i)
{
    uint32_t v = 0;
    (void)!gpucmd_mem_read32(x->env->mem, x->va + 4 * (uint64_t)i, GPUCMD_LITTLE_ENDIAN, &v);
    return v;
}

GPUCMD_INLINE uint32_t gpucmd_priv_i915_w(const gpucmd_priv_i915_x *x, uint32_t i)
{
    return x->host != NULL ? gpucmd_load32(x->host + 4 * (size_t)i, GPUCMD_LITTLE_ENDIAN)
                           : gpucmd_priv_i915_word_slow(x, i);
}

/* Return the address in word number i; on gen8 and later in words i and i + 1. */
GPUCMD_INLINE uint64_t gpucmd_priv_i915_address(const gpucmd_priv_i915_x *x, uint32_t i)
{
    uint64_t va = gpucmd_priv_i915_w(x, i);
    if (x->cs->cmdset.gen >= GPUCMD_I915_GEN8) {
        va |= (uint64_t)(gpucmd_priv_i915_w(x, i + 1) & 0xffff) << 32;
    }
    return va;
}

/* Return the CPU address of len_bytes at va, if the region of the last access (mem->hint) contains
 * them all and permits the access access_mask. Otherwise return NULL. */
GPUCMD_INLINE uint8_t *gpucmd_priv_i915_direct(const gpucmd_mem *mem, uint64_t va,
                                               uint32_t len_bytes, uint32_t access_mask)
{
    const gpucmd_region *r = &mem->regions[mem->hint];
    if (mem->hint < mem->count && va - r->va < r->bytes && r->bytes - (va - r->va) >= len_bytes &&
        (r->access_mask & access_mask) != 0) {
        return (uint8_t *)r->host + (size_t)(va - r->va);
    }
    return NULL;
}

static uint32_t gpucmd_priv_i915_store(const gpucmd_priv_i915_x *x, uint64_t va, uint64_t v,
                                       uint32_t bytes)
{
    uint8_t *host = gpucmd_priv_i915_direct(x->env->mem, va, bytes, GPUCMD_ACCESS_WRITE);
    gpucmd_priv_i915_trace(x, GPUCMD_EVENT_MEM_WRITE, 0, bytes / 4, va, v);
    if (host != NULL) {
        gpucmd_store32(host, (uint32_t)v, GPUCMD_LITTLE_ENDIAN);
        if (bytes == 8) {
            gpucmd_store32(host + 4, (uint32_t)(v >> 32), GPUCMD_LITTLE_ENDIAN);
        }
        return GPUCMD_I915_PRIV_DONE;
    }
    const gpucmd_status status =
        bytes == 4 ? gpucmd_mem_write32(x->env->mem, va, GPUCMD_LITTLE_ENDIAN, (uint32_t)v)
                   : gpucmd_mem_write64(x->env->mem, va, GPUCMD_LITTLE_ENDIAN, v);
    return gpucmd_priv_i915_result(x, GPUCMD_I915_ERROR_MEMORY, status);
}

/* Read 32 bits at va to *v. Return DONE, or ERROR after recording it. */
static uint32_t gpucmd_priv_i915_load(const gpucmd_priv_i915_x *x, uint64_t va, uint32_t *v)
{
    const uint8_t *host = gpucmd_priv_i915_direct(x->env->mem, va, 4, GPUCMD_ACCESS_READ);
    gpucmd_status status = GPUCMD_OK;
    if (host != NULL) {
        *v = gpucmd_load32(host, GPUCMD_LITTLE_ENDIAN);
    } else {
        status = gpucmd_mem_read32(x->env->mem, va, GPUCMD_LITTLE_ENDIAN, v);
    }
    if (status == GPUCMD_OK) {
        gpucmd_priv_i915_trace(x, GPUCMD_EVENT_MEM_READ, 0, 1, va, *v);
    }
    return gpucmd_priv_i915_result(x, GPUCMD_I915_ERROR_MEMORY, status);
}

/* Return the engine whose window contains the register reg: x->cs or one of x->peers. Write the
 * offset of reg in the window to *off. Return NULL if no window contains reg. */
static gpucmd_i915_cs *gpucmd_priv_i915_reg_owner(const gpucmd_priv_i915_x *x, uint32_t reg,
                                                  uint32_t *off)
{
    size_t i;
    *off = gpucmd_priv_i915_window(x->cs, reg);
    if (*off < GPUCMD_I915_WINDOW_BYTES) {
        return x->cs;
    }
    for (i = 0; i < x->peer_count; i++) {
        *off = gpucmd_priv_i915_window(&x->peers[i], reg);
        if (*off < GPUCMD_I915_WINDOW_BYTES) {
            return &x->peers[i];
        }
    }
    return NULL;
}

static uint32_t gpucmd_priv_i915_get_reg(const gpucmd_priv_i915_x *x, uint32_t reg, uint32_t *v)
{
    uint32_t off;
    const gpucmd_i915_cs *cs = gpucmd_priv_i915_reg_owner(x, reg, &off);
    gpucmd_event e;
    *v = 0;
    if (cs != NULL) {
        *v = gpucmd_priv_i915_reg_read(cs, off);
        gpucmd_priv_i915_trace(x, GPUCMD_EVENT_REG_READ, reg, 0, x->va, *v);
        return GPUCMD_I915_PRIV_DONE;
    }
    gpucmd_priv_i915_event_init(x, &e, GPUCMD_EVENT_REG_READ, reg, x->va, 0);
    e.out_dw = v;
    return gpucmd_priv_i915_result(x, GPUCMD_I915_ERROR_CALLBACK,
                                   gpucmd_priv_i915_call_back(x, &e));
}

static uint32_t gpucmd_priv_i915_set_reg(gpucmd_priv_i915_x *x, uint32_t reg, uint32_t v)
{
    uint32_t off = reg - x->cs->base;
    gpucmd_i915_cs *cs =
        off < GPUCMD_I915_WINDOW_BYTES ? x->cs : gpucmd_priv_i915_reg_owner(x, reg, &off);
    gpucmd_event e;
    if (cs != NULL) {
        gpucmd_priv_i915_trace(x, GPUCMD_EVENT_REG_WRITE, reg, 0, x->va, v);
        gpucmd_priv_i915_reg_write(cs, off, v);
        x->ring_changed = x->ring_changed || (off & ~15u) == GPUCMD_I915_REG_TAIL;
        return GPUCMD_I915_PRIV_DONE;
    }
    gpucmd_priv_i915_event_init(x, &e, GPUCMD_EVENT_REG_WRITE, reg, x->va, v);
    return gpucmd_priv_i915_result(x, GPUCMD_I915_ERROR_CALLBACK,
                                   gpucmd_priv_i915_call_back(x, &e));
}

/* Return true if the batch may write the value v to the register reg. On gen8 and later the
 * engine's 12 FORCE_TO_NONPRIV registers can allow further registers. */
static bool gpucmd_priv_i915_may_write(const gpucmd_priv_i915_x *x, uint32_t reg, uint32_t v)
{
    uint32_t i;
    const gpucmd_i915_cs *cs = x->cs;
    if (x->secure ||
        (cs->cmdset.gen >= GPUCMD_I915_GEN9 && reg - (cs->base + GPUCMD_I915_REG_CS_GPR) < 0x80) ||
        gpucmd_i915_register_allowed(&cs->cmdset, reg, v)) {
        return true;
    }
    for (i = 0; i < 12 && cs->cmdset.gen >= GPUCMD_I915_GEN8; i++) {
        const uint32_t slot = cs->reg[GPUCMD_I915_REG_FORCE_TO_NONPRIV / 4 + i];
        const uint32_t bytes = 4u << 2 * (slot & 3);
        const uint32_t first = slot & 0x03fffffcu & ~(bytes - 1);
        if (first != 0 && (slot >> 28 & 3) != 1 && (slot >> 30 & 1) == 0 && reg - first < bytes) {
            return true;
        }
    }
    return false;
}

/* Return true if the command is in a non-secure batch of gen7 or later, where all rules of
 * privilege apply. On gen6 other functions skip register writes and MI_STORE_DATA_INDEX. */
static bool gpucmd_priv_i915_restricted(const gpucmd_priv_i915_x *x)
{
    return !x->secure && x->cs->cmdset.gen >= GPUCMD_I915_GEN7;
}

/* ---- single words ---- */

/* Return the result of the last MI_PREDICATE: bit 0 of the register PREDICATE_RESULT. */
static bool gpucmd_priv_i915_predicate_holds(const gpucmd_i915_cs *cs)
{
    return (cs->reg[GPUCMD_I915_REG_PREDICATE_RESULT / 4] & 1) != 0;
}

/* Execute MI_SET_PREDICATE. Up to gen9 modes 5..7 skip unless cs->slices is mode - 4. [GX] [MD] */
GPUCMD_I915_PRIV_COMMAND uint32_t gpucmd_priv_i915_set_predicate(gpucmd_priv_i915_x *x)
{
    gpucmd_i915_cs *cs = x->cs;
    const gpucmd_i915_gen gen = cs->cmdset.gen;
    const uint32_t result_2 = gen == GPUCMD_I915_GEN7_5 ? GPUCMD_I915_REG_PREDICATE_RESULT_2_G7_5
                                                        : GPUCMD_I915_REG_PREDICATE_RESULT_2;
    const bool r2 = (cs->reg[result_2 / 4] & 1) != 0;
    const bool r = gpucmd_priv_i915_predicate_holds(cs);
    const uint32_t mode = gen == GPUCMD_I915_GEN7_5
                              ? GPUCMD_I915_GET(MI_SET_PREDICATE_ENABLE_G7_5, x->head)
                              : GPUCMD_I915_GET(MI_SET_PREDICATE_ENABLE, x->head);
    const uint32_t partition =
        gen >= GPUCMD_I915_GEN12_5 ? GPUCMD_I915_GET(MI_SET_PREDICATE_PARTITION, x->head) : 0;
    if (partition == 3) {
        return gpucmd_priv_i915_error(x, GPUCMD_I915_ERROR_OPERAND, GPUCMD_INVALID);
    }
    if (mode == 0) {
        cs->skip = false;
    } else if (mode == 1) {
        cs->skip = !r2;
    } else if (mode == 2) {
        cs->skip = r2;
    } else if (mode == 3 && gen >= GPUCMD_I915_GEN8) {
        cs->skip = !r;
    } else if (mode == 4) {
        cs->skip = r;
    } else if (mode >= 5 && mode <= 7 && gen <= GPUCMD_I915_GEN9) {
        cs->skip = cs->slices != mode - 4;
    } else if (mode == 15) {
        cs->skip = true;
    } else {
        return gpucmd_priv_i915_error(x, GPUCMD_I915_ERROR_OPERAND, GPUCMD_INVALID);
    }
    cs->skip = cs->skip || partition == 1; /* WPARID is 0, so that PARTITION 1 skips */
    if (gen >= GPUCMD_I915_GEN12) {
        cs->reg[GPUCMD_I915_REG_PREDICATE_RESULT_SET / 4] = cs->skip;
    }
    return GPUCMD_I915_PRIV_DONE;
}

static uint64_t gpucmd_priv_i915_reg64(const gpucmd_i915_cs *cs, uint32_t off)
{
    return cs->reg[off / 4] | (uint64_t)cs->reg[off / 4 + 1] << 32;
}

static void gpucmd_priv_i915_set_reg64(gpucmd_i915_cs *cs, uint32_t off, uint64_t v)
{
    cs->reg[off / 4] = (uint32_t)v;
    cs->reg[off / 4 + 1] = (uint32_t)(v >> 32);
}

/* Execute MI_PREDICATE. COMPARE 2 compares SRC0 with SRC1, and stores SRC0 - SRC1 in DATA unless
 * LOAD is 1, which is invalid. COMPARE 3 compares SRC0 - SRC1 with DATA. [PRM7] */
GPUCMD_I915_PRIV_COMMAND uint32_t gpucmd_priv_i915_predicate(gpucmd_priv_i915_x *x)
{
    gpucmd_i915_cs *cs = x->cs;
    uint32_t *result = &cs->reg[GPUCMD_I915_REG_PREDICATE_RESULT / 4];
    const uint64_t src0 = gpucmd_priv_i915_reg64(cs, GPUCMD_I915_REG_PREDICATE_SRC0);
    const uint64_t src1 = gpucmd_priv_i915_reg64(cs, GPUCMD_I915_REG_PREDICATE_SRC1);
    const uint64_t data = gpucmd_priv_i915_reg64(cs, GPUCMD_I915_REG_PREDICATE_DATA);
    const uint32_t compare = GPUCMD_I915_GET(MI_PREDICATE_COMPARE, x->head);
    const uint32_t old = *result & 1;
    uint32_t v = compare == 0   ? 1u
                 : compare == 1 ? 0u
                 : compare == 2 ? (uint32_t)(src0 == src1)
                                : (uint32_t)(src0 - src1 == data);
    if (compare == 2 && GPUCMD_I915_GET(MI_PREDICATE_LOAD, x->head) != 1) {
        gpucmd_priv_i915_set_reg64(cs, GPUCMD_I915_REG_PREDICATE_DATA, src0 - src1);
    }
    switch (GPUCMD_I915_GET(MI_PREDICATE_COMBINE, x->head)) {
    case 0: break;
    case 1: v &= old; break;
    case 2: v |= old; break;
    case 3: v ^= old; break;
    }
    switch (GPUCMD_I915_GET(MI_PREDICATE_LOAD, x->head)) {
    case 0: return GPUCMD_I915_PRIV_DONE;
    case 2: *result = v; return GPUCMD_I915_PRIV_DONE;
    case 3: *result = v ^ 1; return GPUCMD_I915_PRIV_DONE;
    }
    return gpucmd_priv_i915_error(x, GPUCMD_I915_ERROR_OPERAND, GPUCMD_INVALID);
}

static uint32_t gpucmd_priv_i915_raise_interrupt(gpucmd_priv_i915_x *x, uint32_t code)
{
    gpucmd_event e;
    gpucmd_priv_i915_event_init(x, &e, GPUCMD_EVENT_INTERRUPT, 0, x->va, x->cs->interrupts + 1);
    e.code = code;
    const gpucmd_status status = gpucmd_priv_i915_call_back(x, &e);
    if (status == GPUCMD_OK) {
        x->cs->interrupts++;
    }
    return gpucmd_priv_i915_result(x, GPUCMD_I915_ERROR_CALLBACK, status);
}

/* Execute MI_WAIT_FOR_EVENT. The callback event returns GPUCMD_BLOCKED until the display event has
 * happened. Without a callback the command does not wait. */
GPUCMD_I915_PRIV_COMMAND uint32_t gpucmd_priv_i915_wait_event(gpucmd_priv_i915_x *x)
{
    gpucmd_i915_wait *wait = &x->cs->wait;
    gpucmd_event e;
    gpucmd_priv_i915_event_init(x, &e, GPUCMD_EVENT_WAIT, 0, x->va, x->head & 0x7fffff);
    const gpucmd_status status = gpucmd_priv_i915_call_back(x, &e);
    gpucmd_priv_i915_not_waiting(x->cs);
    if (status == GPUCMD_BLOCKED) {
        wait->active = true;
        x->cs->ctl |= GPUCMD_I915_RING_CTL_WAIT;
    }
    wait->is_event = true;
    wait->is_register = false;
    wait->on_signal = false;
    wait->value = x->head & 0x7fffff;
    return gpucmd_priv_i915_result(x, GPUCMD_I915_ERROR_CALLBACK, status);
}

/* Trace the command and pass it to the callback, with its words if they are at most 32. */
static uint32_t gpucmd_priv_i915_pass_on(gpucmd_priv_i915_x *x)
{
    uint32_t i;
    uint32_t words[32];
    gpucmd_event e;
    if (x->env->event == NULL && x->env->trace == NULL) {
        return GPUCMD_I915_PRIV_DONE;
    }
    gpucmd_priv_i915_event_init(x, &e, GPUCMD_EVENT_COMMAND,
                                (uint32_t)gpucmd_i915_classify(&x->cs->cmdset, x->head), x->va,
                                x->head);
    e.count_dw = x->n;
    if (x->n <= 32) {
        for (i = 0; i < x->n; i++) {
            words[i] = gpucmd_priv_i915_w(x, i);
        }
        e.data = words;
    }
    return gpucmd_priv_i915_result(x, GPUCMD_I915_ERROR_CALLBACK,
                                   gpucmd_priv_i915_call_back(x, &e));
}

/* Return the address of the byte at offset off_bytes (0 to 4092) in the status page. */
static uint64_t gpucmd_priv_i915_hws(const gpucmd_priv_i915_x *x, uint32_t off_bytes)
{
    return (uint64_t)(x->cs->reg[GPUCMD_I915_REG_HWS_PGA / 4] & ~4095u) + (off_bytes & 4092u);
}

/* ---- registers and memory ---- */

/* In a long MI_LOAD_REGISTER_IMM or MI_STORE_DATA_IMM: number of words per unit of budget. */
enum { GPUCMD_I915_PRIV_UNIT_DW = 8 };

/* End a unit of budget, which executed words number `from` to i - 1 of a command. cs->scan_dw:
 *   i      if result is DONE and i is less than n: the next unit begins there; return AGAIN
 *   from   if result is BLOCK: the next unit executes these words again
 *   0      otherwise */
static uint32_t gpucmd_priv_i915_end_unit(gpucmd_i915_cs *cs, uint32_t from, uint32_t i, uint32_t n,
                                          uint32_t result)
{
    const bool more = result == GPUCMD_I915_PRIV_DONE && i < n;
    cs->scan_dw = more ? i : result == GPUCMD_I915_PRIV_BLOCK ? from : 0;
    cs->units += more;
    return more ? (uint32_t)GPUCMD_I915_PRIV_AGAIN : result;
}

GPUCMD_I915_PRIV_COMMAND uint32_t gpucmd_priv_i915_load_register_imm(gpucmd_priv_i915_x *x)
{
    uint32_t b, i;
    const gpucmd_i915_gen gen = x->cs->cmdset.gen;
    const uint32_t base =
        gen >= GPUCMD_I915_GEN11 &&
                (x->head & GPUCMD_I915_BITS(MI_LOAD_REGISTER_IMM_ADD_CS_BASE)) != 0
            ? x->cs->base
            : 0;
    const uint32_t off_bytes = GPUCMD_I915_GET(MI_LOAD_REGISTER_IMM_BYTE_DISABLE, x->head);
    const bool plain = x->secure && off_bytes == 0 && x->env->trace == NULL;
    const uint32_t n = x->n - 1; /* drops a last register offset without a value */
    const uint32_t from = x->cs->scan_dw != 0 ? x->cs->scan_dw : 1;
    const uint32_t most = from + GPUCMD_I915_PRIV_UNIT_DW;
    uint32_t keep = 0, result = GPUCMD_I915_PRIV_DONE;
    if (GPUCMD_PRIV_UNLIKELY(off_bytes != 0)) {
        for (b = 0; b < 4; b++) {
            keep |= (off_bytes >> b & 1) != 0 ? 0xffu << 8 * b : 0;
        }
    }
    for (i = from; i < n && i < most && result == GPUCMD_I915_PRIV_DONE; i += 2) {
        const uint32_t reg = (gpucmd_priv_i915_w(x, i) & GPUCMD_I915_PRIV_REG_BITS) + base;
        uint32_t v = gpucmd_priv_i915_w(x, i + 1);
        if (reg - x->cs->base - 0x400 < 0x400 && plain) { /* a predicate register or a GPR */
            x->cs->reg[(reg - x->cs->base) / 4] = v;
        } else if (x->secure || gpucmd_priv_i915_may_write(x, reg, v)) {
            if (keep != 0) {
                uint32_t old;
                result = gpucmd_priv_i915_get_reg(x, reg, &old);
                v = (v & ~keep) | (old & keep);
            }
            if (result == GPUCMD_I915_PRIV_DONE) {
                result = gpucmd_priv_i915_set_reg(x, reg, v);
            }
        }
    }
    return gpucmd_priv_i915_end_unit(x->cs, from, i, n, result);
}

/* Return the absolute offset of the register that word number i names. On gen11 and later, if bit
 * number `bit` of the first word is 1, the word is relative to the base of the engine. */
static uint32_t gpucmd_priv_i915_reg_operand(const gpucmd_priv_i915_x *x, uint32_t i, uint32_t bit)
{
    const bool relative = x->cs->cmdset.gen >= GPUCMD_I915_GEN11 && (x->head >> bit & 1) != 0;
    return (gpucmd_priv_i915_w(x, i) & GPUCMD_I915_PRIV_REG_BITS) + (relative ? x->cs->base : 0);
}

GPUCMD_I915_PRIV_COMMAND uint32_t gpucmd_priv_i915_store_register_mem(gpucmd_priv_i915_x *x)
{
    const gpucmd_i915_cs *cs = x->cs;
    const uint32_t reg = gpucmd_priv_i915_reg_operand(x, 1, 19);
    uint32_t v, result;
    if (cs->cmdset.gen >= GPUCMD_I915_GEN7_5 &&
        (x->head & GPUCMD_I915_BITS(MI_STORE_REGISTER_MEM_PREDICATE)) != 0 &&
        (cs->reg[GPUCMD_I915_REG_PREDICATE_RESULT / 4] & 1) == 0) {
        return GPUCMD_I915_PRIV_DONE;
    }
    result = gpucmd_priv_i915_get_reg(x, reg, &v);
    if (result != GPUCMD_I915_PRIV_DONE ||
        (gpucmd_priv_i915_restricted(x) &&
         (x->head & GPUCMD_I915_BITS(MI_STORE_REGISTER_MEM_GGTT)) != 0)) {
        return result;
    }
    return gpucmd_priv_i915_store(x, gpucmd_priv_i915_address(x, 2) & ~(uint64_t)3, v, 4);
}

GPUCMD_I915_PRIV_COMMAND uint32_t gpucmd_priv_i915_load_register_mem(gpucmd_priv_i915_x *x)
{
    const uint32_t reg = gpucmd_priv_i915_reg_operand(x, 1, 19);
    uint32_t v, result;
    if ((gpucmd_priv_i915_restricted(x) &&
         (x->head & GPUCMD_I915_BITS(MI_LOAD_REGISTER_MEM_GGTT)) != 0) ||
        !gpucmd_priv_i915_may_write(x, reg, 0xffffffffu)) {
        return GPUCMD_I915_PRIV_DONE; /* without permission the load has no effect */
    }
    result = gpucmd_priv_i915_load(x, gpucmd_priv_i915_address(x, 2) & ~(uint64_t)3, &v);
    return result != GPUCMD_I915_PRIV_DONE ? result : gpucmd_priv_i915_set_reg(x, reg, v);
}

GPUCMD_I915_PRIV_COMMAND uint32_t gpucmd_priv_i915_load_register_reg(gpucmd_priv_i915_x *x)
{
    const uint32_t dst = gpucmd_priv_i915_reg_operand(x, 2, 19);
    uint32_t v;
    const uint32_t result = gpucmd_priv_i915_get_reg(x, gpucmd_priv_i915_reg_operand(x, 1, 18), &v);
    if (result != GPUCMD_I915_PRIV_DONE || !gpucmd_priv_i915_may_write(x, dst, 0xffffffffu)) {
        return result;
    }
    return gpucmd_priv_i915_set_reg(x, dst, v);
}

GPUCMD_I915_PRIV_COMMAND uint32_t gpucmd_priv_i915_store_data_imm(gpucmd_priv_i915_x *x)
{
    uint32_t i;
    const gpucmd_i915_gen gen = x->cs->cmdset.gen;
    const uint32_t at = gen < GPUCMD_I915_GEN4 ? 2 : 3; /* number of the first data word */
    const uint32_t from = x->cs->scan_dw != 0 ? x->cs->scan_dw : at;
    const uint32_t most = from + GPUCMD_I915_PRIV_UNIT_DW;
    uint32_t result = GPUCMD_I915_PRIV_DONE;
    if (gpucmd_priv_i915_restricted(x) &&
        (x->head & GPUCMD_I915_BITS(MI_STORE_DATA_IMM_GGTT)) != 0) {
        return GPUCMD_I915_PRIV_DONE;
    }
    uint64_t va = gen >= GPUCMD_I915_GEN8  ? gpucmd_priv_i915_address(x, 1)
                  : gen < GPUCMD_I915_GEN4 ? gpucmd_priv_i915_w(x, 1)
                                           : gpucmd_priv_i915_w(x, 2);
    va &= ~(uint64_t)3;
    if (x->n == at + 2 &&
        (gen < GPUCMD_I915_GEN8 || (x->head & GPUCMD_I915_BITS(MI_STORE_DATA_IMM_QWORD)) != 0)) {
        return gpucmd_priv_i915_store(
            x, va, gpucmd_priv_i915_w(x, at) | (uint64_t)gpucmd_priv_i915_w(x, at + 1) << 32, 8);
    }
    for (i = from; i < x->n && i < most && result == GPUCMD_I915_PRIV_DONE; i++) {
        result =
            gpucmd_priv_i915_store(x, va + 4 * (uint64_t)(i - at), gpucmd_priv_i915_w(x, i), 4);
    }
    return gpucmd_priv_i915_end_unit(x->cs, from, i, x->n, result);
}

GPUCMD_I915_PRIV_COMMAND uint32_t gpucmd_priv_i915_store_data_index(gpucmd_priv_i915_x *x)
{
    const uint64_t va = gpucmd_priv_i915_hws(x, gpucmd_priv_i915_w(x, 1));
    const uint64_t low = gpucmd_priv_i915_w(x, 2);
    return x->n > 3
               ? gpucmd_priv_i915_store(x, va, low | (uint64_t)gpucmd_priv_i915_w(x, 3) << 32, 8)
               : gpucmd_priv_i915_store(x, va, low, 4);
}

GPUCMD_I915_PRIV_COMMAND uint32_t gpucmd_priv_i915_copy_mem_mem(gpucmd_priv_i915_x *x)
{
    uint32_t v, result;
    if (gpucmd_priv_i915_restricted(x) &&
        (x->head & (GPUCMD_I915_BITS(MI_COPY_MEM_MEM_SRC_GGTT) |
                    GPUCMD_I915_BITS(MI_COPY_MEM_MEM_DST_GGTT))) != 0) {
        return GPUCMD_I915_PRIV_DONE;
    }
    result = gpucmd_priv_i915_load(x, gpucmd_priv_i915_address(x, 3) & ~(uint64_t)3, &v);
    return result != GPUCMD_I915_PRIV_DONE
               ? result
               : gpucmd_priv_i915_store(x, gpucmd_priv_i915_address(x, 1) & ~(uint64_t)3, v, 4);
}

/* ---- MI_ATOMIC ---- */

static uint64_t gpucmd_priv_i915_atomic_op(uint32_t op, uint64_t mem, uint64_t op1, uint64_t op2,
                                           uint32_t bits, bool *known)
{
    const uint64_t sign = gpucmd_priv_shl(1, bits - 1);
    const bool less = (mem ^ sign) < (op1 ^ sign); /* signed comparison */
    *known = true;
    switch (op) {
    case 0x01: return mem & op1;
    case 0x02: return mem | op1;
    case 0x03: return mem ^ op1;
    case 0x04: return op1;
    case 0x05: return mem + 1;
    case 0x06:
    case 0x0f: return mem - 1;
    case 0x07: return mem + op1;
    case 0x08: return mem - op1;
    case 0x09: return op1 - mem;
    case 0x0a: return less ? op1 : mem;
    case 0x0b: return less ? mem : op1;
    case 0x0c: return mem < op1 ? op1 : mem;
    case 0x0d: return mem < op1 ? mem : op1;
    case 0x0e: return mem == op1 ? op2 : mem;
    }
    *known = false;
    return mem;
}

/* Return word i (0 to 3) of an operand of MI_ATOMIC; parameter which: 0 or 1. If the operands are
 * not inline, operand 0 is in GPR 0 and 1, operand 1 in GPR 2 and 3. */
static uint32_t gpucmd_priv_i915_atomic_word(const gpucmd_priv_i915_x *x, uint32_t which,
                                             uint32_t i)
{
    if ((x->head & GPUCMD_I915_BITS(MI_ATOMIC_INLINE)) == 0) {
        return x->cs->reg[GPUCMD_I915_REG_CS_GPR / 4 + 4 * which + i];
    }
    return gpucmd_priv_i915_w(x, 3 + 2 * i + which);
}

static uint64_t gpucmd_priv_i915_atomic_qword(const gpucmd_priv_i915_x *x, uint32_t which,
                                              uint32_t i)
{
    return gpucmd_priv_i915_atomic_word(x, which, 2 * i) |
           (uint64_t)gpucmd_priv_i915_atomic_word(x, which, 2 * i + 1) << 32;
}

/* Execute an MI_ATOMIC of 16 bytes at va. The only valid operation is compare and write. */
static uint32_t gpucmd_priv_i915_atomic16(gpucmd_priv_i915_x *x, uint64_t va)
{
    uint32_t i;
    uint64_t old[2];
    gpucmd_status status = gpucmd_mem_read64(x->env->mem, va, GPUCMD_LITTLE_ENDIAN, &old[0]);
    if (status == GPUCMD_OK) {
        status = gpucmd_mem_read64(x->env->mem, va + 8, GPUCMD_LITTLE_ENDIAN, &old[1]);
    }
    if (status != GPUCMD_OK) {
        return gpucmd_priv_i915_error(x, GPUCMD_I915_ERROR_MEMORY, status);
    }
    if (old[0] == gpucmd_priv_i915_atomic_qword(x, 0, 0) &&
        old[1] == gpucmd_priv_i915_atomic_qword(x, 0, 1)) {
        for (i = 0; i < 2; i++) {
            const uint32_t result =
                gpucmd_priv_i915_store(x, va + 8 * i, gpucmd_priv_i915_atomic_qword(x, 1, i), 8);
            if (result != GPUCMD_I915_PRIV_DONE) {
                return result;
            }
        }
    }
    if ((x->head & GPUCMD_I915_BITS(MI_ATOMIC_RETURN)) != 0) {
        gpucmd_priv_i915_set_reg64(x->cs, GPUCMD_I915_REG_CS_GPR + 4 * 8, old[0]);
        gpucmd_priv_i915_set_reg64(x->cs, GPUCMD_I915_REG_CS_GPR + 5 * 8, old[1]);
    }
    return GPUCMD_I915_PRIV_DONE;
}

GPUCMD_I915_PRIV_COMMAND uint32_t gpucmd_priv_i915_atomic(gpucmd_priv_i915_x *x)
{
    const uint32_t op = GPUCMD_I915_GET(MI_ATOMIC_OPCODE, x->head);
    const uint32_t width = GPUCMD_I915_GET(MI_ATOMIC_WIDTH, x->head);
    const uint32_t bytes = 4u << width;
    const bool immediate = (x->head & GPUCMD_I915_BITS(MI_ATOMIC_INLINE)) != 0;
    const uint64_t va = gpucmd_priv_i915_address(x, 1) & ~(uint64_t)3;
    const uint64_t gpr4 = gpucmd_priv_i915_reg64(x->cs, GPUCMD_I915_REG_CS_GPR + 4 * 8);
    uint64_t old = 0, op1, op2, v;
    uint32_t low = 0, result;
    bool known;
    if (width == 3 || (va & (bytes - 1)) != 0 || op >> 5 != width || (width == 2 && op != 0x4e)) {
        return gpucmd_priv_i915_error(x, GPUCMD_I915_ERROR_OPERAND, GPUCMD_INVALID);
    }
    if (immediate && x->n < (width == 0 ? 5u : width == 1 ? 7u : 11u)) {
        return gpucmd_priv_i915_error(x, GPUCMD_I915_ERROR_LENGTH, GPUCMD_TRUNCATED);
    }
    if (width == 2) {
        return gpucmd_priv_i915_atomic16(x, va);
    }
    const gpucmd_status status =
        width == 0 ? gpucmd_mem_read32(x->env->mem, va, GPUCMD_LITTLE_ENDIAN, &low)
                   : gpucmd_mem_read64(x->env->mem, va, GPUCMD_LITTLE_ENDIAN, &old);
    if (status != GPUCMD_OK) {
        return gpucmd_priv_i915_error(x, GPUCMD_I915_ERROR_MEMORY, status);
    }
    op1 =
        width == 0 ? gpucmd_priv_i915_atomic_word(x, 0, 0) : gpucmd_priv_i915_atomic_qword(x, 0, 0);
    op2 =
        width == 0 ? gpucmd_priv_i915_atomic_word(x, 1, 0) : gpucmd_priv_i915_atomic_qword(x, 1, 0);
    old = width == 0 ? low : old;
    v = gpucmd_priv_i915_atomic_op(op & 0x1f, old, op1, op2, 8 * bytes, &known);
    if (!known) {
        return gpucmd_priv_i915_error(x, GPUCMD_I915_ERROR_OPERAND, GPUCMD_INVALID);
    }
    result = gpucmd_priv_i915_store(x, va, width == 0 ? (uint32_t)v : v, bytes);
    if (result == GPUCMD_I915_PRIV_DONE && (x->head & GPUCMD_I915_BITS(MI_ATOMIC_RETURN)) != 0) {
        old = (op & 0x1f) == 0x0f ? v : old; /* PREDEC returns the new value */
        gpucmd_priv_i915_set_reg64(x->cs, GPUCMD_I915_REG_CS_GPR + 4 * 8,
                                   width == 0 ? (gpr4 & ~(uint64_t)0xffffffffu) | (uint32_t)old
                                              : old);
    }
    return result;
}

/* ---- MI_MATH ---- */

/* Sources, result and flags of the ALU. They are 0 when MI_MATH begins. [OUR] */
typedef struct gpucmd_priv_i915_alu {
    uint64_t srca, srcb, accu;
    bool zf, cf;
} gpucmd_priv_i915_alu;

/* Write the value of operand (number of a GPR, or ACCU, ZF, CF) to *v. Return false for others. */
static bool gpucmd_priv_i915_alu_get(const gpucmd_i915_cs *cs, const gpucmd_priv_i915_alu *a,
                                     uint32_t operand, uint64_t *v)
{
    if (operand < 16) {
        *v = gpucmd_priv_i915_reg64(cs, GPUCMD_I915_REG_CS_GPR + 8 * operand);
    } else if (operand == GPUCMD_I915_ALU_ACCU) {
        *v = a->accu;
    } else if (operand == GPUCMD_I915_ALU_ZF) {
        *v = a->zf ? ~(uint64_t)0 : 0;
    } else if (operand == GPUCMD_I915_ALU_CF) {
        *v = a->cf ? ~(uint64_t)0 : 0;
    } else {
        return false;
    }
    return true;
}

/* Shift a->srca by a->srcb bits to a->accu. Return false unless srcb is 0, 1, 2, 4, 8, 16 or 32. */
static bool gpucmd_priv_i915_alu_shift(gpucmd_priv_i915_alu *a, uint32_t op)
{
    const uint64_t n = a->srcb;
    const uint64_t fill = op == GPUCMD_I915_ALU_SAR && a->srca >> 63 != 0 && n != 0
                              ? ~gpucmd_priv_shr(~(uint64_t)0, (uint32_t)n & 63)
                              : 0;
    if (n > 32 || (n & (n - 1)) != 0) {
        return false;
    }
    a->accu = op == GPUCMD_I915_ALU_SHL ? gpucmd_priv_shl(a->srca, (uint32_t)n)
                                        : gpucmd_priv_shr(a->srca, (uint32_t)n) | fill;
    return true;
}

/* Set a->accu to the result of op on a->srca and a->srcb. Return false if a shift is invalid. */
static bool gpucmd_priv_i915_alu_op(gpucmd_priv_i915_alu *a, uint32_t op)
{
    a->cf = false;
    switch (op) {
    case GPUCMD_I915_ALU_ADD:
        a->accu = a->srca + a->srcb;
        a->cf = a->accu < a->srca;
        break;
    case GPUCMD_I915_ALU_SUB:
        a->accu = a->srca - a->srcb;
        a->cf = a->srca < a->srcb;
        break;
    case GPUCMD_I915_ALU_AND: a->accu = a->srca & a->srcb; break;
    case GPUCMD_I915_ALU_OR: a->accu = a->srca | a->srcb; break;
    case GPUCMD_I915_ALU_XOR: a->accu = a->srca ^ a->srcb; break;
    case GPUCMD_I915_ALU_SHL:
    case GPUCMD_I915_ALU_SHR:
    case GPUCMD_I915_ALU_SAR:
        if (!gpucmd_priv_i915_alu_shift(a, op)) {
            return false;
        }
        break;
    }
    a->zf = a->accu == 0;
    return true;
}

/* Execute LOADIND or STOREIND (gen12.5 and later). a->accu contains the memory address. */
static uint32_t gpucmd_priv_i915_alu_indirect(gpucmd_priv_i915_x *x, const gpucmd_priv_i915_alu *a,
                                              uint32_t op, uint32_t operand1, uint32_t operand2)
{
    const uint64_t va = a->accu & GPUCMD_I915_PRIV_VA_MASK & ~(uint64_t)7;
    const bool load = op == GPUCMD_I915_ALU_LOADIND;
    const uint32_t gpr = load ? operand1 : operand2;
    uint64_t v;
    if (gpr >= 16 || (load ? operand2 : operand1) != GPUCMD_I915_ALU_ACCU) {
        return gpucmd_priv_i915_error(x, GPUCMD_I915_ERROR_OPERAND, GPUCMD_INVALID);
    }
    if (!load) {
        return gpucmd_priv_i915_store(
            x, va, gpucmd_priv_i915_reg64(x->cs, GPUCMD_I915_REG_CS_GPR + 8 * gpr), 8);
    }
    const gpucmd_status status = gpucmd_mem_read64(x->env->mem, va, GPUCMD_LITTLE_ENDIAN, &v);
    if (status == GPUCMD_OK) {
        gpucmd_priv_i915_set_reg64(x->cs, GPUCMD_I915_REG_CS_GPR + 8 * gpr, v);
    }
    return gpucmd_priv_i915_result(x, GPUCMD_I915_ERROR_MEMORY, status);
}

/* Execute a load of SRCA or SRCB, or a store to a GPR. Return false if an operand is invalid. */
static bool gpucmd_priv_i915_alu_move(gpucmd_i915_cs *cs, gpucmd_priv_i915_alu *a, uint32_t op,
                                      uint32_t operand1, uint32_t operand2)
{
    const bool store = op == GPUCMD_I915_ALU_STORE || op == GPUCMD_I915_ALU_STOREINV;
    uint64_t v = op == GPUCMD_I915_ALU_LOAD1 ? ~(uint64_t)0 : 0;
    if (op != GPUCMD_I915_ALU_LOAD0 && op != GPUCMD_I915_ALU_LOAD1 &&
        !gpucmd_priv_i915_alu_get(cs, a, operand2, &v)) {
        return false;
    }
    if (op == GPUCMD_I915_ALU_LOADINV || op == GPUCMD_I915_ALU_STOREINV) {
        v = ~v;
    }
    if (store) {
        if (operand1 >= 16) {
            return false;
        }
        gpucmd_priv_i915_set_reg64(cs, GPUCMD_I915_REG_CS_GPR + 8 * operand1, v);
        return true;
    }
    if (operand1 == GPUCMD_I915_ALU_SRCA) {
        a->srca = v;
    } else if (operand1 == GPUCMD_I915_ALU_SRCB) {
        a->srcb = v;
    } else {
        return false;
    }
    return true;
}

/* Return true if generation gen has operation op. */
static bool gpucmd_priv_i915_alu_has(gpucmd_i915_gen gen, uint32_t op)
{
    switch (op) {
#define GPUCMD_I915_PRIV_ALU(name, code, since)                                                    \
    case code: return gen >= GPUCMD_I915_GEN##since;
        GPUCMD_I915_ALU_OPS(GPUCMD_I915_PRIV_ALU)
#undef GPUCMD_I915_PRIV_ALU
    }
    return false;
}

GPUCMD_I915_PRIV_COMMAND uint32_t gpucmd_priv_i915_math(gpucmd_priv_i915_x *x)
{
    uint32_t i;
    gpucmd_i915_cs *cs = x->cs;
    gpucmd_priv_i915_alu a = {0, 0, 0, false, false};
    for (i = 1; i < x->n; i++) {
        const uint32_t dw = gpucmd_priv_i915_w(x, i);
        const uint32_t op = GPUCMD_FIELD_GET(I915_ALU_OP, dw);
        const uint32_t operand1 = GPUCMD_FIELD_GET(I915_ALU_OPERAND1, dw);
        const uint32_t operand2 = GPUCMD_FIELD_GET(I915_ALU_OPERAND2, dw);
        bool good = gpucmd_priv_i915_alu_has(cs->cmdset.gen, op);
        uint32_t result;
        switch (good ? op : (uint32_t)GPUCMD_I915_ALU_NOOP) {
        case GPUCMD_I915_ALU_LOAD:
        case GPUCMD_I915_ALU_LOADINV:
        case GPUCMD_I915_ALU_LOAD0:
        case GPUCMD_I915_ALU_LOAD1:
        case GPUCMD_I915_ALU_STORE:
        case GPUCMD_I915_ALU_STOREINV:
            good = gpucmd_priv_i915_alu_move(cs, &a, op, operand1, operand2);
            break;
        case GPUCMD_I915_ALU_LOADIND:
        case GPUCMD_I915_ALU_STOREIND:
            result = gpucmd_priv_i915_alu_indirect(x, &a, op, operand1, operand2);
            if (result != GPUCMD_I915_PRIV_DONE) {
                return result;
            }
            break;
        case GPUCMD_I915_ALU_ADD:
        case GPUCMD_I915_ALU_SUB:
        case GPUCMD_I915_ALU_AND:
        case GPUCMD_I915_ALU_OR:
        case GPUCMD_I915_ALU_XOR:
        case GPUCMD_I915_ALU_SHL:
        case GPUCMD_I915_ALU_SHR:
        case GPUCMD_I915_ALU_SAR: good = gpucmd_priv_i915_alu_op(&a, op); break;
        }
        if (!good) {
            return gpucmd_priv_i915_error(x, GPUCMD_I915_ERROR_OPERAND, GPUCMD_INVALID);
        }
    }
    return GPUCMD_I915_PRIV_DONE;
}

/* ---- flushes with a store, semaphores ---- */

/* Execute post-sync operation op, which stores at va. bytes: size of an immediate, otherwise 8. */
static uint32_t gpucmd_priv_i915_post_sync(gpucmd_priv_i915_x *x, uint32_t op, uint64_t va,
                                           uint64_t immediate, uint32_t bytes)
{
    gpucmd_i915_cs *cs = x->cs;
    switch (op) {
    case GPUCMD_I915_POST_SYNC_NONE: return GPUCMD_I915_PRIV_DONE;
    case GPUCMD_I915_POST_SYNC_IMMEDIATE: return gpucmd_priv_i915_store(x, va, immediate, bytes);
    case GPUCMD_I915_POST_SYNC_DEPTH_COUNT:
        return gpucmd_priv_i915_store(
            x, va, gpucmd_priv_i915_reg64(cs, GPUCMD_I915_REG_PS_DEPTH_COUNT), 8);
    }
    return gpucmd_priv_i915_store(x, va, cs->timestamp, 8);
}

/* Execute the post-sync operation of COMPUTE_WALKER. at: number of its first word. bytes: size of a
 * timestamp, 4 or 8. A timestamp report has four timestamps: context and global, at the start and
 * at the end. All are equal, because there is one counter, and a walker takes no time. [OUR] */
static uint32_t gpucmd_priv_i915_walker_post_sync(gpucmd_priv_i915_x *x, uint32_t at,
                                                  uint32_t bytes)
{
    uint32_t i;
    const uint32_t op = gpucmd_priv_i915_w(x, at) & 3;
    const uint64_t va = gpucmd_priv_i915_address(x, at + 1);
    const uint64_t v = gpucmd_priv_i915_w(x, at + 3) | (uint64_t)gpucmd_priv_i915_w(x, at + 4)
                                                           << 32;
    const uint32_t size = op == GPUCMD_I915_POST_SYNC_TIMESTAMP ? 4 * bytes : 8;
    uint32_t result = GPUCMD_I915_PRIV_DONE;
    if (op == GPUCMD_I915_POST_SYNC_NONE) {
        return result;
    }
    if (op == GPUCMD_I915_POST_SYNC_DEPTH_COUNT || (va & (size - 1)) != 0) {
        return gpucmd_priv_i915_error(x, GPUCMD_I915_ERROR_OPERAND, GPUCMD_INVALID);
    }
    if (op == GPUCMD_I915_POST_SYNC_IMMEDIATE) {
        return gpucmd_priv_i915_store(x, va, v, 8);
    }
    for (i = 0; i < 4 && result == GPUCMD_I915_PRIV_DONE; i++) {
        result = gpucmd_priv_i915_store(
            x, va + i * bytes, bytes == 4 ? (uint32_t)x->cs->timestamp : x->cs->timestamp, bytes);
    }
    return result;
}

/* Pass COMPUTE_WALKER to the callback, then execute its post-sync operation. Do nothing if the
 * command is predicated (bit 8) and the predicate is false. */
static uint32_t gpucmd_priv_i915_walker(gpucmd_priv_i915_x *x)
{
    size_t i;
#define GPUCMD_I915_PRIV_WALKER(since, until, n, post_sync, bytes)                                 \
    {GPUCMD_I915_GEN##since, GPUCMD_I915_GEN##until, n, post_sync, bytes},
    static const uint16_t rows[][5] = {GPUCMD_I915_WALKERS(GPUCMD_I915_PRIV_WALKER)};
#undef GPUCMD_I915_PRIV_WALKER
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (x->cs->cmdset.gen < rows[i][0] || x->cs->cmdset.gen > rows[i][1]) {
            continue;
        }
        if (x->n < rows[i][2]) {
            return gpucmd_priv_i915_error(x, GPUCMD_I915_ERROR_LENGTH, GPUCMD_TRUNCATED);
        }
        if ((x->head >> 8 & 1) != 0 && !gpucmd_priv_i915_predicate_holds(x->cs)) {
            return GPUCMD_I915_PRIV_DONE;
        }
        const uint32_t result = gpucmd_priv_i915_pass_on(x);
        return result == GPUCMD_I915_PRIV_DONE
                   ? gpucmd_priv_i915_walker_post_sync(x, rows[i][3], rows[i][4])
                   : result;
    }
    return gpucmd_priv_i915_pass_on(x);
}

/* Pass a command that the executor does not execute to the callback. After a 3DPRIMITIVE of gen4
 * and later, add cs->depth_step to PS_DEPTH_COUNT. */
GPUCMD_I915_PRIV_COMMAND uint32_t gpucmd_priv_i915_to_caller(gpucmd_priv_i915_x *x)
{
    gpucmd_i915_cs *cs = x->cs;
    const bool video = cs->cmdset.video || cs->cmdset.engine == GPUCMD_I915_BCS;
    const uint32_t result = x->head >> 16 == 0x7208 && !video ? gpucmd_priv_i915_walker(x)
                                                              : gpucmd_priv_i915_pass_on(x);
    if (x->head >> 16 == 0x7b00 && cs->cmdset.engine == GPUCMD_I915_RCS &&
        cs->cmdset.gen >= GPUCMD_I915_GEN4 && result == GPUCMD_I915_PRIV_DONE) {
        uint32_t *count = &cs->reg[GPUCMD_I915_REG_PS_DEPTH_COUNT / 4];
        count[0] += cs->depth_step;
        count[1] += count[0] < cs->depth_step;
    }
    return result;
}

/* Raise the interrupt of a flush and return the result of the interrupt, if all are true:
 *   - parameter result (the result of the flush) is DONE
 *   - parameter wanted is true
 *   - the batch is secure, or the generation is not gen7 or gen7.5
 * Otherwise return parameter result. */
static uint32_t gpucmd_priv_i915_notify(gpucmd_priv_i915_x *x, uint32_t result, bool wanted)
{
    const bool dropped = !x->secure && (x->cs->cmdset.gen == GPUCMD_I915_GEN7 ||
                                        x->cs->cmdset.gen == GPUCMD_I915_GEN7_5);
    return result != GPUCMD_I915_PRIV_DONE || !wanted || dropped
               ? result
               : gpucmd_priv_i915_raise_interrupt(x, 1);
}

GPUCMD_I915_PRIV_COMMAND uint32_t gpucmd_priv_i915_flush_dw(gpucmd_priv_i915_x *x)
{
    const bool wide = x->cs->cmdset.gen >= GPUCMD_I915_GEN8;
    const uint32_t at = wide ? 3 : 2;
    const uint32_t op = GPUCMD_I915_GET(MI_FLUSH_DW_POST_SYNC, x->head);
    const uint32_t low = gpucmd_priv_i915_w(x, 1);
    const bool idx = (x->head & GPUCMD_I915_BITS(MI_FLUSH_DW_STORE_INDEX)) != 0;
    uint64_t va = gpucmd_priv_i915_address(x, 1) & ~(uint64_t)7;
    uint64_t v = x->n > at ? gpucmd_priv_i915_w(x, at) : 0;
    uint32_t result = GPUCMD_I915_PRIV_DONE;
    if (op == GPUCMD_I915_POST_SYNC_DEPTH_COUNT) {
        return gpucmd_priv_i915_error(x, GPUCMD_I915_ERROR_OPERAND, GPUCMD_INVALID);
    }
    if (wide && x->n <= at && op != GPUCMD_I915_POST_SYNC_NONE) {
        return gpucmd_priv_i915_error(x, GPUCMD_I915_ERROR_LENGTH, GPUCMD_TRUNCATED);
    }
    if (x->n > at + 1) {
        v |= (uint64_t)gpucmd_priv_i915_w(x, at + 1) << 32;
    }
    if (idx) {
        va = gpucmd_priv_i915_hws(x, low & ~7u);
    }
    if (!gpucmd_priv_i915_restricted(x) ||
        (!idx && (low & GPUCMD_I915_BITS(MI_FLUSH_DW_GGTT)) == 0)) {
        result = gpucmd_priv_i915_post_sync(x, op, va, v, x->n > at + 1 ? 8 : 4);
    }
    return gpucmd_priv_i915_notify(x, result,
                                   (x->head & GPUCMD_I915_BITS(MI_FLUSH_DW_NOTIFY)) != 0);
}

/* Execute PIPE_CONTROL of gen4 to gen5: word 0 has the flags, word 1 the address. */
static uint32_t gpucmd_priv_i915_pipe_control_g4(gpucmd_priv_i915_x *x)
{
    const uint32_t op = GPUCMD_I915_GET(PIPE_CONTROL_POST_SYNC_G4, x->head);
    const uint64_t v = gpucmd_priv_i915_w(x, 2) | (uint64_t)gpucmd_priv_i915_w(x, 3) << 32;
    const uint32_t result = gpucmd_priv_i915_post_sync(x, op, gpucmd_priv_i915_w(x, 1) & ~7u, v, 8);
    return gpucmd_priv_i915_notify(x, result,
                                   x->cs->cmdset.gen >= GPUCMD_I915_GEN4_5 &&
                                       (x->head & GPUCMD_I915_BITS(PIPE_CONTROL_NOTIFY_G4)) != 0);
}

static uint32_t gpucmd_priv_i915_pipe_control_g6(gpucmd_priv_i915_x *x)
{
    const gpucmd_i915_gen gen = x->cs->cmdset.gen;
    const uint32_t flags = gpucmd_priv_i915_w(x, 1);
    const uint32_t at = gen >= GPUCMD_I915_GEN8 ? 4 : 3;
    const uint32_t op = GPUCMD_I915_GET(PIPE_CONTROL_POST_SYNC, flags);
    const bool two = x->n > at + 1;
    const uint32_t address = gpucmd_priv_i915_w(x, 2);
    const bool idx = (flags & GPUCMD_I915_BITS(PIPE_CONTROL_STORE_INDEX)) != 0;
    const bool ggtt = (flags & GPUCMD_I915_BITS(PIPE_CONTROL_GGTT)) != 0; /* gen7 and later */
    const bool lri = gen >= GPUCMD_I915_GEN7 && op == GPUCMD_I915_POST_SYNC_NONE &&
                     (flags & GPUCMD_I915_BITS(PIPE_CONTROL_LRI_POST_SYNC)) != 0;
    uint64_t v = x->n > at ? gpucmd_priv_i915_w(x, at) : 0;
    uint32_t result = GPUCMD_I915_PRIV_DONE;
    if (x->n <= at && (lri || op != GPUCMD_I915_POST_SYNC_NONE)) {
        return gpucmd_priv_i915_error(x, GPUCMD_I915_ERROR_LENGTH, GPUCMD_TRUNCATED);
    }
    if (two) {
        v |= (uint64_t)gpucmd_priv_i915_w(x, at + 1) << 32;
    }
    if (lri) {
        const uint32_t reg = address & GPUCMD_I915_PRIV_REG_BITS;
        if (gpucmd_priv_i915_may_write(x, reg, (uint32_t)v)) {
            result = gpucmd_priv_i915_set_reg(x, reg, (uint32_t)v);
        }
    } else if (op != GPUCMD_I915_POST_SYNC_NONE &&
               (!gpucmd_priv_i915_restricted(x) || (!ggtt && !idx))) {
        /* Bit 2 of the address is used only if 32 bits are stored on gen7 or gen7.5. [IGT] */
        const uint32_t low = two || (gen != GPUCMD_I915_GEN7 && gen != GPUCMD_I915_GEN7_5) ? 7 : 3;
        const uint64_t va = idx ? gpucmd_priv_i915_hws(x, address & ~low)
                                : gpucmd_priv_i915_address(x, 2) & ~(uint64_t)low;
        result = gpucmd_priv_i915_post_sync(x, op, va, v, two ? 8 : 4);
    }
    return gpucmd_priv_i915_notify(x, result, (flags & GPUCMD_I915_BITS(PIPE_CONTROL_NOTIFY)) != 0);
}

GPUCMD_I915_PRIV_COMMAND uint32_t gpucmd_priv_i915_pipe_control(gpucmd_priv_i915_x *x)
{
    const gpucmd_i915_gen gen = x->cs->cmdset.gen;
    if (x->n < 4) {
        return gpucmd_priv_i915_error(x, GPUCMD_I915_ERROR_LENGTH, GPUCMD_TRUNCATED);
    }
    if (gen >= GPUCMD_I915_GEN12_5 && (x->head & GPUCMD_I915_BITS(PIPE_CONTROL_PREDICATE)) != 0 &&
        !gpucmd_priv_i915_predicate_holds(x->cs)) {
        return GPUCMD_I915_PRIV_DONE;
    }
    return gen < GPUCMD_I915_GEN6 ? gpucmd_priv_i915_pipe_control_g4(x)
                                  : gpucmd_priv_i915_pipe_control_g6(x);
}

static bool gpucmd_priv_i915_compare(uint32_t op, uint32_t memory, uint32_t value)
{
    switch (op) {
    case GPUCMD_I915_COMPARE_GT: return memory > value;
    case GPUCMD_I915_COMPARE_GE: return memory >= value;
    case GPUCMD_I915_COMPARE_LT: return memory < value;
    case GPUCMD_I915_COMPARE_LE: return memory <= value;
    case GPUCMD_I915_COMPARE_EQ: return memory == value;
    }
    return memory != value; /* GPUCMD_I915_COMPARE_NE */
}

/* Read the memory or register of *wanted and compare it. Return:
 *   DONE   the comparison is true
 *   BLOCK  the comparison is false, or member on_signal is true and no signal has come yet
 *   ERROR  the memory or register could not be read */
static uint32_t gpucmd_priv_i915_poll(gpucmd_priv_i915_x *x, const gpucmd_i915_wait *wanted)
{
    gpucmd_i915_wait *wait = &x->cs->wait;
    const bool waiting = wait->active;
    uint32_t v, result;
    if (waiting && wait->on_signal && !x->cs->is_signalled) {
        return GPUCMD_I915_PRIV_BLOCK;
    }
    x->cs->is_signalled = false;
    result = wanted->is_register ? gpucmd_priv_i915_get_reg(x, (uint32_t)wanted->va, &v)
                                 : gpucmd_priv_i915_load(x, wanted->va, &v);
    if (result != GPUCMD_I915_PRIV_DONE) {
        return result;
    }
    *wait = *wanted;
    wait->active = !gpucmd_priv_i915_compare(wanted->compare, v, wanted->value);
    if (wait->active) {
        x->cs->ctl |= GPUCMD_I915_RING_CTL_SEMAPHORE;
        if (!waiting) {
            gpucmd_priv_i915_trace(x, GPUCMD_EVENT_WAIT, 0, wanted->compare, wanted->va,
                                   wanted->value);
        }
        return GPUCMD_I915_PRIV_BLOCK;
    }
    gpucmd_priv_i915_not_waiting(x->cs);
    if (waiting) {
        gpucmd_priv_i915_trace(x, GPUCMD_EVENT_WAKE, 0, wanted->compare, wanted->va, v);
    }
    return GPUCMD_I915_PRIV_DONE;
}

GPUCMD_I915_PRIV_COMMAND uint32_t gpucmd_priv_i915_semaphore_wait(gpucmd_priv_i915_x *x)
{
    gpucmd_i915_wait wanted = {true, false, false, false, 0, gpucmd_priv_i915_w(x, 1), 0};
    wanted.is_register = x->cs->cmdset.gen >= GPUCMD_I915_GEN9 &&
                         (x->head & GPUCMD_I915_BITS(MI_SEMAPHORE_WAIT_REGISTER)) != 0;
    wanted.on_signal = (x->head & GPUCMD_I915_BITS(MI_SEMAPHORE_WAIT_POLL)) == 0;
    wanted.va = wanted.is_register ? gpucmd_priv_i915_w(x, 2) & GPUCMD_I915_PRIV_REG_BITS
                                   : gpucmd_priv_i915_address(x, 2) & ~(uint64_t)3;
    wanted.compare = GPUCMD_I915_GET(MI_SEMAPHORE_WAIT_COMPARE, x->head);
    if (wanted.is_register && x->cs->cmdset.gen >= GPUCMD_I915_GEN12_5) {
        wanted.on_signal = false;
        wanted.value = (x->head & GPUCMD_I915_BITS(MI_SEMAPHORE_WAIT_COMPARE_GPR0)) != 0
                           ? x->cs->reg[GPUCMD_I915_REG_CS_GPR / 4]
                           : wanted.value;
    }
    if (wanted.compare > GPUCMD_I915_COMPARE_NE) {
        return gpucmd_priv_i915_error(x, GPUCMD_I915_ERROR_OPERAND, GPUCMD_INVALID);
    }
    return gpucmd_priv_i915_poll(x, &wanted);
}

/* Execute MI_SEMAPHORE_MBOX of gen6 to gen7.5. With UPDATE write the value to memory. With COMPARE
 * wait until the mailbox, a register or memory, is greater than the value. [K4] */
GPUCMD_I915_PRIV_COMMAND uint32_t gpucmd_priv_i915_semaphore_mbox(gpucmd_priv_i915_x *x)
{
    static const uint8_t mailbox[3] = {GPUCMD_I915_REG_SYNC_0, GPUCMD_I915_REG_SYNC_2,
                                       GPUCMD_I915_REG_SYNC_1};
    const bool in_register = (x->head & GPUCMD_I915_BITS(MI_SEMAPHORE_MBOX_REGISTER)) != 0;
    const bool update = (x->head & GPUCMD_I915_BITS(MI_SEMAPHORE_MBOX_UPDATE)) != 0;
    const uint32_t mailbox_no = GPUCMD_I915_GET(MI_SEMAPHORE_MBOX_SELECT, x->head);
    const uint64_t va = gpucmd_priv_i915_w(x, 2) & ~3u;
    gpucmd_i915_wait wanted = {
        true, in_register, false, false, va, gpucmd_priv_i915_w(x, 1), GPUCMD_I915_COMPARE_GT};
    if (update && !in_register) {
        return gpucmd_priv_i915_store(x, va, gpucmd_priv_i915_w(x, 1), 4);
    }
    if (update || (in_register && mailbox_no == 3)) {
        return gpucmd_priv_i915_error(x, GPUCMD_I915_ERROR_OPERAND, GPUCMD_UNSUPPORTED);
    }
    if ((x->head & GPUCMD_I915_BITS(MI_SEMAPHORE_MBOX_COMPARE)) == 0) {
        return GPUCMD_I915_PRIV_DONE;
    }
    wanted.va = in_register ? x->cs->base + mailbox[mailbox_no] : va;
    return gpucmd_priv_i915_poll(x, &wanted);
}

/* Execute MI_SEMAPHORE_SIGNAL: the engine that it names polls its semaphore once more. [GX] */
GPUCMD_I915_PRIV_COMMAND uint32_t gpucmd_priv_i915_semaphore_signal(gpucmd_priv_i915_x *x)
{
    size_t i;
    static const uint8_t engines[15][2] = {
        {GPUCMD_I915_RCS,  0},
        {GPUCMD_I915_VCS,  0},
        {GPUCMD_I915_BCS,  0},
        {GPUCMD_I915_VECS, 0},
        {GPUCMD_I915_VCS,  1},
        {0,                0},
        {GPUCMD_I915_VCS,  2},
        {GPUCMD_I915_VCS,  3},
        {GPUCMD_I915_VCS,  4},
        {GPUCMD_I915_VCS,  5},
        {GPUCMD_I915_VCS,  6},
        {GPUCMD_I915_VCS,  7},
        {GPUCMD_I915_VECS, 1},
        {GPUCMD_I915_VECS, 2},
        {GPUCMD_I915_VECS, 3}
    };
    const uint32_t id = x->cs->cmdset.gen < GPUCMD_I915_GEN11
                            ? GPUCMD_I915_GET(MI_SEMAPHORE_SIGNAL_ENGINE_G8, x->head)
                            : GPUCMD_I915_GET(MI_SEMAPHORE_SIGNAL_ENGINE, x->head);
    for (i = 0; i < x->peer_count && id < 15; i++) {
        gpucmd_i915_cs *cs = &x->peers[i];
        if ((uint32_t)cs->cmdset.engine == engines[id][0] && cs->instance == engines[id][1]) {
            cs->is_signalled = true;
        }
    }
    return GPUCMD_I915_PRIV_DONE;
}

/* ---- batches ---- */

/* Return START if the word at cs->next_va is readable, otherwise ERROR after recording it. */
static uint32_t gpucmd_priv_i915_start_batch(gpucmd_priv_i915_x *x)
{
    gpucmd_priv_i915_seen *batch = &x->batch;
    batch->va = x->cs->next_va;
    gpucmd_status status = gpucmd_mem_span(x->env->mem, batch->va, GPUCMD_I915_PRIV_QUICK_BYTES,
                                           GPUCMD_ACCESS_READ, &batch->host, &batch->bytes);
    if (GPUCMD_PRIV_UNLIKELY(status != GPUCMD_OK || batch->bytes < 4)) {
        batch->bytes = 0; /* the word may continue in the next region */
        status = gpucmd_mem_probe(x->env->mem, x->cs->next_va, 4, GPUCMD_ACCESS_READ);
    }
    return status == GPUCMD_OK ? (uint32_t)GPUCMD_I915_PRIV_START
                               : gpucmd_priv_i915_error(x, GPUCMD_I915_ERROR_FETCH, status);
}

/* Return true if MI_BATCH_BUFFER_START asks for a batch with all rights. Before gen6 each batch has
 * all rights, because no source lists the privileged commands. */
static bool gpucmd_priv_i915_start_secure(const gpucmd_priv_i915_x *x)
{
    const gpucmd_i915_gen gen = x->cs->cmdset.gen;
    if (gen < GPUCMD_I915_GEN6) {
        return true;
    }
    if (gen == GPUCMD_I915_GEN7_5 &&
        (x->head & GPUCMD_I915_BITS(MI_BATCH_BUFFER_START_NON_PRIVILEGED)) != 0) {
        return false;
    }
    if (gen == GPUCMD_I915_GEN7_5 && x->cs->cmdset.engine == GPUCMD_I915_RCS) {
        return true;
    }
    return (x->head & GPUCMD_I915_BITS(MI_BATCH_BUFFER_START_PPGTT)) == 0;
}

/* Return true if a batch start or a batch end has no effect, because its predicate is false. Batch
 * ends have a predicate only on gen12.5 and later. [MB] */
static bool gpucmd_priv_i915_predicated_off(const gpucmd_priv_i915_x *x)
{
    const gpucmd_i915_cs *cs = x->cs;
    if (cs->cmdset.gen < GPUCMD_I915_GEN7_5 ||
        (x->head & GPUCMD_I915_BITS(MI_BATCH_BUFFER_START_PREDICATE)) == 0) {
        return false;
    }
    return cs->cmdset.gen >= GPUCMD_I915_GEN12_5
               ? (cs->reg[GPUCMD_I915_REG_PREDICATE_RESULT_SET / 4] & 1) != 0
               : (cs->reg[GPUCMD_I915_REG_PREDICATE_RESULT_1 / 4] & 1) == 0;
}

/* Execute MI_BATCH_BUFFER_START. In a second-level batch a start without SECOND_LEVEL replaces that
 * batch [OUR]. [GVT] [MD] */
GPUCMD_I915_PRIV_COMMAND uint32_t gpucmd_priv_i915_batch_buffer_start(gpucmd_priv_i915_x *x)
{
    gpucmd_i915_cs *cs = x->cs;
    const gpucmd_i915_gen gen = cs->cmdset.gen;
    const bool levels = gen >= GPUCMD_I915_GEN8 ||
                        (gen == GPUCMD_I915_GEN7_5 && cs->cmdset.engine == GPUCMD_I915_RCS);
    const bool call =
        levels && (x->head & GPUCMD_I915_BITS(MI_BATCH_BUFFER_START_SECOND_LEVEL)) != 0;
    const bool nested =
        gen >= GPUCMD_I915_GEN12_5 ||
        (gen == GPUCMD_I915_GEN12 && (cs->reg[GPUCMD_I915_REG_MI_MODE / 4] >> 12 & 1) != 0);
    if (gpucmd_priv_i915_predicated_off(x) ||
        (gen == GPUCMD_I915_GEN12 &&
         (x->head & GPUCMD_I915_BITS(MI_BATCH_BUFFER_START_POSH_START)) != 0)) {
        return GPUCMD_I915_PRIV_DONE; /* predicated off, or it starts the position-only streamer */
    }
    if (call && (cs->level == 0 || (nested && cs->level == 3))) {
        return gpucmd_priv_i915_error(x, GPUCMD_I915_ERROR_NESTING, GPUCMD_INVALID);
    }
    cs->next_level = cs->level == 0 ? 1 : !call ? cs->level : nested ? cs->level + 1 : 2;
    cs->next_va = gpucmd_priv_i915_address(x, 1) & ~(uint64_t)3;
    if (gen >= GPUCMD_I915_GEN7_5 && gen <= GPUCMD_I915_GEN9 &&
        (x->head & GPUCMD_I915_BITS(MI_BATCH_BUFFER_START_ADD_OFFSET_G7_5)) != 0) {
        cs->next_va = (cs->next_va + cs->reg[GPUCMD_I915_REG_BB_OFFSET / 4]) & ~(uint64_t)3;
    }
    cs->next_end_va = ~(uint64_t)0;
    cs->next_secure = x->secure && gpucmd_priv_i915_start_secure(x);
    return gpucmd_priv_i915_start_batch(x);
}

GPUCMD_I915_PRIV_COMMAND uint32_t gpucmd_priv_i915_batch_buffer(gpucmd_priv_i915_x *x)
{
    gpucmd_i915_cs *cs = x->cs;
    if (cs->level != 0) {
        return gpucmd_priv_i915_error(x, GPUCMD_I915_ERROR_NESTING, GPUCMD_INVALID);
    }
    cs->next_level = 1;
    cs->next_va = gpucmd_priv_i915_w(x, 1) & ~7u;
    cs->next_end_va = gpucmd_priv_i915_w(x, 2) & ~7u;
    cs->next_secure = true;
    return gpucmd_priv_i915_start_batch(x);
}

/* Return the result of the command that ends a batch: ERROR if the command is in a ring, LEAVE if
 * all_levels is true, otherwise END. */
static uint32_t gpucmd_priv_i915_batch_end(gpucmd_priv_i915_x *x, bool all_levels)
{
    if (x->cs->level == 0) {
        return gpucmd_priv_i915_error(x, GPUCMD_I915_ERROR_END_IN_RING, GPUCMD_INVALID);
    }
    return all_levels ? GPUCMD_I915_PRIV_LEAVE : GPUCMD_I915_PRIV_END;
}

GPUCMD_I915_PRIV_COMMAND uint32_t gpucmd_priv_i915_batch_buffer_end(gpucmd_priv_i915_x *x)
{
    if (x->cs->cmdset.gen >= GPUCMD_I915_GEN12_5 && gpucmd_priv_i915_predicated_off(x)) {
        return GPUCMD_I915_PRIV_DONE;
    }
    return gpucmd_priv_i915_batch_end(x, false);
}

GPUCMD_I915_PRIV_COMMAND uint32_t gpucmd_priv_i915_conditional_end(gpucmd_priv_i915_x *x)
{
    const gpucmd_i915_gen gen = x->cs->cmdset.gen;
    const uint64_t va = gpucmd_priv_i915_address(x, 2) & ~(uint64_t)7;
    const bool by_mask =
        gen >= GPUCMD_I915_GEN9 &&
        (x->head & GPUCMD_I915_BITS(MI_CONDITIONAL_BATCH_BUFFER_END_MASK_MODE)) != 0;
    const uint32_t compare = gen >= GPUCMD_I915_GEN12
                                 ? GPUCMD_I915_GET(MI_CONDITIONAL_BATCH_BUFFER_END_COMPARE, x->head)
                                 : (uint32_t)GPUCMD_I915_COMPARE_GT;
    uint32_t v, mask = 0xffffffffu, result;
    if ((gen >= GPUCMD_I915_GEN12_5 && gpucmd_priv_i915_predicated_off(x)) ||
        (x->head & GPUCMD_I915_BITS(MI_CONDITIONAL_BATCH_BUFFER_END_COMPARE_ENABLE)) == 0 ||
        (gpucmd_priv_i915_restricted(x) &&
         (x->head & GPUCMD_I915_BITS(MI_CONDITIONAL_BATCH_BUFFER_END_GGTT)) != 0)) {
        return GPUCMD_I915_PRIV_DONE;
    }
    if (compare > GPUCMD_I915_COMPARE_NE) {
        return gpucmd_priv_i915_error(x, GPUCMD_I915_ERROR_OPERAND, GPUCMD_INVALID);
    }
    result = gpucmd_priv_i915_load(x, by_mask ? va + 4 : va, &v);
    if (result == GPUCMD_I915_PRIV_DONE && by_mask) {
        result = gpucmd_priv_i915_load(x, va, &mask);
    }
    if (result != GPUCMD_I915_PRIV_DONE ||
        gpucmd_priv_i915_compare(compare, v & mask, gpucmd_priv_i915_w(x, 1))) {
        return result;
    }
    return gpucmd_priv_i915_batch_end(
        x, gen < GPUCMD_I915_GEN12 ||
               (x->head & GPUCMD_I915_BITS(MI_CONDITIONAL_BATCH_BUFFER_END_LEVEL_ONLY)) == 0);
}

/* ---- one command ---- */

/* Mask of the MI opcodes whose data is fetched before execution, in state RS4 or BS4. */
#define GPUCMD_I915_PRIV_OPCODE(name) ((uint64_t)1 << (GPUCMD_I915_HDR_##name >> 23))
#define GPUCMD_I915_PRIV_OP_BIT(name) ((uint64_t)1 << GPUCMD_I915_OP_##name)
#define GPUCMD_I915_PRIV_FETCHES                                                                   \
    (GPUCMD_I915_PRIV_OPCODE(MI_SEMAPHORE_WAIT) | GPUCMD_I915_PRIV_OPCODE(MI_LOAD_REGISTER_MEM) |  \
     GPUCMD_I915_PRIV_OPCODE(MI_COPY_MEM_MEM) | GPUCMD_I915_PRIV_OPCODE(MI_ATOMIC) |               \
     GPUCMD_I915_PRIV_OPCODE(MI_BATCH_BUFFER) | GPUCMD_I915_PRIV_OPCODE(MI_BATCH_BUFFER_START) |   \
     GPUCMD_I915_PRIV_OPCODE(MI_CONDITIONAL_BATCH_BUFFER_END))

static bool gpucmd_priv_i915_fetches(uint32_t head)
{
    return head >> 29 == 0 ? (gpucmd_priv_shr(GPUCMD_I915_PRIV_FETCHES, head >> 23) & 1) != 0
                           : head >> 29 == 2;
}

/* Return true if the engine executes the command even while MI_SET_PREDICATE says to skip. */
static bool gpucmd_priv_i915_unskipped(gpucmd_i915_op op, uint32_t head)
{
    return op == GPUCMD_I915_OP_MI_SET_PREDICATE || op == GPUCMD_I915_OP_MI_NOOP ||
           op == GPUCMD_I915_OP_MI_BATCH_BUFFER_END ||
           (op == GPUCMD_I915_OP_MI_BATCH_BUFFER_START &&
            (head & GPUCMD_I915_BITS(MI_BATCH_BUFFER_START_PREDICATE)) == 0);
}

GPUCMD_INLINE uint32_t gpucmd_priv_i915_noop(gpucmd_priv_i915_x *x)
{
    if ((x->head & GPUCMD_I915_BITS(MI_NOOP_WRITE_ID)) != 0) {
        x->cs->reg[GPUCMD_I915_REG_NOPID / 4] = GPUCMD_I915_GET(MI_NOOP_ID, x->head);
    }
    return GPUCMD_I915_PRIV_DONE;
}

/* Do nothing: the command affects neither memory nor registers. */
GPUCMD_INLINE uint32_t gpucmd_priv_i915_no_effect(gpucmd_priv_i915_x *x)
{
    (void)x;
    return GPUCMD_I915_PRIV_DONE;
}

GPUCMD_I915_PRIV_COMMAND uint32_t gpucmd_priv_i915_user_interrupt(gpucmd_priv_i915_x *x)
{
    if (gpucmd_priv_i915_restricted(x) && x->cs->cmdset.gen < GPUCMD_I915_GEN8) {
        return GPUCMD_I915_PRIV_DONE;
    }
    return gpucmd_priv_i915_raise_interrupt(x, 0);
}

GPUCMD_I915_PRIV_COMMAND uint32_t gpucmd_priv_i915_report_head(gpucmd_priv_i915_x *x)
{
    return gpucmd_priv_i915_store(x, gpucmd_priv_i915_hws(x, 0x10), x->cs->head, 4);
}

/* Execute MI_FORCE_WAKEUP: change the bits of cs->wells that MASK selects. On gen12 and later, if
 * MASK selects HEVC or MFX, ignore all other bits of MASK. [MD] */
GPUCMD_I915_PRIV_COMMAND uint32_t gpucmd_priv_i915_force_wakeup(gpucmd_priv_i915_x *x)
{
    const uint32_t video =
        GPUCMD_I915_BITS(MI_FORCE_WAKEUP_MFX) | GPUCMD_I915_BITS(MI_FORCE_WAKEUP_HEVC);
    const uint32_t wells = gpucmd_priv_i915_w(x, 1);
    uint32_t mask = GPUCMD_I915_GET(MI_FORCE_WAKEUP_MASK, wells);
    if (x->cs->cmdset.gen >= GPUCMD_I915_GEN12 && (mask & video) != 0) {
        mask &= video;
    }
    x->cs->wells = (x->cs->wells & ~mask) | (wells & mask);
    return GPUCMD_I915_PRIV_DONE;
}

GPUCMD_I915_PRIV_COMMAND uint32_t gpucmd_priv_i915_set_context(gpucmd_priv_i915_x *x)
{
    x->cs->reg[GPUCMD_I915_REG_CCID / 4] = gpucmd_priv_i915_w(x, 1);
    return gpucmd_priv_i915_to_caller(x);
}

GPUCMD_I915_PRIV_COMMAND uint32_t gpucmd_priv_i915_rs_store_data_imm(gpucmd_priv_i915_x *x)
{
    const uint64_t va = x->cs->cmdset.gen >= GPUCMD_I915_GEN8 ? gpucmd_priv_i915_address(x, 1)
                                                              : gpucmd_priv_i915_w(x, 2);
    return gpucmd_priv_i915_store(x, va & ~(uint64_t)3, gpucmd_priv_i915_w(x, 3), 4);
}

GPUCMD_I915_PRIV_COMMAND uint32_t gpucmd_priv_i915_report_perf_count(gpucmd_priv_i915_x *x)
{
    return gpucmd_priv_i915_restricted(x) &&
                   GPUCMD_I915_GET(MI_REPORT_PERF_COUNT_GGTT, gpucmd_priv_i915_w(x, 1)) != 0
               ? (uint32_t)GPUCMD_I915_PRIV_DONE
               : gpucmd_priv_i915_to_caller(x);
}

/* Execute the 2D command op. Defined in section I915.IMPL.ENGINE, with the functions that draw. */
GPUCMD_I915_PRIV_COMMAND uint32_t gpucmd_priv_i915_exec_2d(gpucmd_priv_i915_x *x,
                                                           gpucmd_i915_op op);

/* Execute the command x, whose words are all readable. Return a result GPUCMD_I915_PRIV_*. */
static uint32_t gpucmd_priv_i915_exec(gpucmd_priv_i915_x *x)
{
    gpucmd_i915_cs *cs = x->cs;
    const uint32_t code = x->head >> 23;
    const gpucmd_i915_op op = code < 64 ? (gpucmd_i915_op)cs->cmdset.op[code]
                                        : gpucmd_priv_i915_find(&cs->cmdset, x->head);
    if (GPUCMD_PRIV_UNLIKELY(cs->skip) && !gpucmd_priv_i915_unskipped(op, x->head)) {
        return GPUCMD_I915_PRIV_DONE;
    }
    if (code < 64) {
        if (GPUCMD_PRIV_UNLIKELY(x->n < cs->cmdset.mi_min[code])) {
            return gpucmd_priv_i915_error(x, GPUCMD_I915_ERROR_LENGTH, GPUCMD_TRUNCATED);
        }
        if (GPUCMD_PRIV_UNLIKELY(!x->secure) &&
            (cs->cmdset.mi_user_noop[code >> 5] >> (code & 31) & 1) != 0) {
            return GPUCMD_I915_PRIV_DONE;
        }
    } else if (x->head >> 29 == 2 &&
               (op == GPUCMD_I915_OP_UNKNOWN ||
                x->n < gpucmd_priv_i915_least(gpucmd_priv_i915_row_of(op), cs->cmdset.gen))) {
        return gpucmd_priv_i915_error(x, GPUCMD_I915_ERROR_LENGTH, GPUCMD_TRUNCATED);
    }
#define GPUCMD_I915_PRIV_EXECUTED(name, function)                                                  \
    case GPUCMD_I915_OP_##name:                                                                    \
        return gpucmd_priv_i915_##function(x);
#define GPUCMD_I915_PRIV_EXECUTED_2D(name, function, arguments) case GPUCMD_I915_OP_##name:
#define GPUCMD_I915_PRIV_CASE(name)                             case GPUCMD_I915_OP_##name:
    switch (op) {
        GPUCMD_I915_EXECUTED(GPUCMD_I915_PRIV_EXECUTED)
        GPUCMD_I915_EXECUTED_2D(GPUCMD_I915_PRIV_EXECUTED_2D)
        GPUCMD_I915_EXECUTED_PARTS(GPUCMD_I915_PRIV_CASE)
        return gpucmd_priv_i915_exec_2d(x, op);
        GPUCMD_I915_NOT_EXECUTED(GPUCMD_I915_PRIV_CASE)
    case GPUCMD_I915_OP_GFX:
    case GPUCMD_I915_OP_UNKNOWN: break;
    }
#undef GPUCMD_I915_PRIV_EXECUTED
#undef GPUCMD_I915_PRIV_EXECUTED_2D
#undef GPUCMD_I915_PRIV_CASE
    return gpucmd_priv_i915_to_caller(x);
}

/* ---- the state machine ---- */

static uint32_t gpucmd_priv_i915_head_off(const gpucmd_i915_cs *cs)
{
    return cs->head & GPUCMD_I915_RING_HEAD_MASK;
}

/* Return the number of bytes from HEAD up to TAIL or the end of the ring. */
static uint32_t gpucmd_priv_i915_ring_left(const gpucmd_i915_cs *cs)
{
    const uint32_t size = gpucmd_i915_ring_ctl_bytes(cs->ctl);
    const uint32_t off = gpucmd_priv_i915_head_off(cs);
    const uint32_t end = off <= cs->tail && cs->tail < size ? cs->tail : size;
    return off < end ? end - off : 0;
}

/* Set cs->state and trace the change. */
GPUCMD_INLINE void gpucmd_priv_i915_enter_state(const gpucmd_priv_i915_x *x,
                                                gpucmd_i915_state state)
{
    const gpucmd_i915_state old = x->cs->state;
    x->cs->state = state;
    if (GPUCMD_PRIV_UNLIKELY(x->env->trace != NULL)) {
        gpucmd_priv_i915_trace(x, GPUCMD_EVENT_STATE, 0, (uint32_t)state, x->cs->acthd,
                               (uint64_t)old);
    }
}

static gpucmd_run gpucmd_priv_i915_enter_rs5(const gpucmd_priv_i915_x *x)
{
    gpucmd_priv_i915_not_waiting(x->cs);
    gpucmd_priv_i915_enter_state(x, GPUCMD_I915_RS5);
    return GPUCMD_RUN_FAULT;
}

/* Return true for a 3DPRIMITIVE of gen2 or gen3 without a count: its index list ends at 0xffff. */
static bool gpucmd_priv_i915_is_list(const gpucmd_i915_cs *cs, uint32_t head)
{
    return cs->cmdset.gen < GPUCMD_I915_GEN4 && (head & 0xff82ffffu) == 0x7f820000u;
}

/* Return the length in words of the command at x->va, or 0 if it is unknown. An index list of gen2
 * or gen3 has at most 65536 words. One call searches at most 32 of them for the end. If the search
 * must continue, return 0 and set cs->scan_dw to the number of the last word searched. */
static uint32_t gpucmd_priv_i915_measure(gpucmd_priv_i915_x *x)
{
    const uint32_t at = x->cs->scan_dw;
    uint32_t i;
    x->cs->scan_dw = 0;
    if (!gpucmd_priv_i915_is_list(x->cs, x->head)) {
        return gpucmd_i915_length_dw(&x->cs->cmdset, &x->head, 1);
    }
    for (i = at + 1; i < 65536 && i <= at + 32; i++) {
        uint32_t v;
        if (gpucmd_mem_read32(x->env->mem, x->va + 4 * (uint64_t)i, GPUCMD_LITTLE_ENDIAN, &v) !=
            GPUCMD_OK) {
            return i + 1; /* then gpucmd_priv_i915_locate reports that word i is unreadable */
        }
        if ((v & 0xffff) == 0xffff || v >> 16 == 0xffff) {
            return i + 1;
        }
    }
    if (i < 65536) {
        x->cs->scan_dw = i - 1;
        x->cs->units++;
    }
    return 0;
}

/* Read the command's first word at va to x->head. Return false after recording an error. */
static bool gpucmd_priv_i915_peek(gpucmd_priv_i915_x *x, uint64_t va)
{
    x->va = va;
    x->head = 0;
    const gpucmd_status status = gpucmd_mem_read32(x->env->mem, va, GPUCMD_LITTLE_ENDIAN, &x->head);
    if (status != GPUCMD_OK) {
        (void)gpucmd_priv_i915_error(x, GPUCMD_I915_ERROR_FETCH, status);
        return false;
    }
    return true;
}

/* Set the members of x to the current command of cs: address, words, length and rights. x->head is
 * the first word as parsed, even if memory has changed. Return false after recording an error. */
static bool gpucmd_priv_i915_locate(gpucmd_priv_i915_x *x)
{
    const gpucmd_i915_cs *cs = x->cs;
    uint8_t *words;
    uint64_t got;
    gpucmd_status status;
    x->va = cs->level != 0 ? cs->acthd : cs->start + (uint64_t)gpucmd_priv_i915_head_off(cs);
    x->host = NULL;
    x->head = cs->cmd_head;
    x->n = cs->cmd_dw;
    x->secure = cs->levels[cs->level].secure;
    if (gpucmd_priv_i915_blit_began(cs)) {
        x->host = (const uint8_t *)cs->blt_dw;
        return true;
    }
    status =
        gpucmd_mem_span(x->env->mem, x->va, 4 * (uint64_t)x->n, GPUCMD_ACCESS_READ, &words, &got);
    if (status == GPUCMD_OK && got == 4 * (uint64_t)x->n) {
        x->host = words;
        return true;
    }
    status = gpucmd_mem_probe(x->env->mem, x->va, 4 * (uint64_t)x->n, GPUCMD_ACCESS_READ);
    if (status != GPUCMD_OK) {
        (void)gpucmd_priv_i915_error(x, GPUCMD_I915_ERROR_FETCH, status);
        return false;
    }
    return true;
}

/* Parse the command at va. ring_left_bytes: bytes up to TAIL or the end of the ring; ~0 in a batch.
 * On failure record the error and return false. Also return false if the search for the end of the
 * command must continue (cs->scan_dw is not 0). */
static bool gpucmd_priv_i915_parse(gpucmd_priv_i915_x *x, uint64_t va, uint64_t ring_left_bytes)
{
    gpucmd_i915_cs *cs = x->cs;
    if (!gpucmd_priv_i915_peek(x, va)) {
        return false;
    }
    cs->reg[GPUCMD_I915_REG_IPEHR / 4] = x->head;
    const uint32_t n = gpucmd_priv_i915_measure(x);
    if (cs->scan_dw != 0) {
        return false;
    }
    if (n == 0) {
        (void)gpucmd_priv_i915_error(x, GPUCMD_I915_ERROR_UNKNOWN, GPUCMD_INVALID);
        return false;
    }
    if (4 * (uint64_t)n > ring_left_bytes) {
        (void)gpucmd_priv_i915_error(x, GPUCMD_I915_ERROR_TAIL, GPUCMD_TRUNCATED);
        return false;
    }
    cs->cmd_head = x->head;
    cs->cmd_dw = n;
    if (!gpucmd_priv_i915_locate(x)) {
        return false;
    }
    if (x->env->trace != NULL) {
        gpucmd_priv_i915_trace(x, GPUCMD_EVENT_FETCH, 0,
                               (uint32_t)gpucmd_i915_classify(&cs->cmdset, x->head), va, x->head);
    }
    return true;
}

/* Add count to the counters of executed commands in cs and to its timestamp. */
GPUCMD_INLINE void gpucmd_priv_i915_count(gpucmd_i915_cs *cs, uint64_t count)
{
    cs->commands += count;
    cs->units += count;
    cs->timestamp += count;
}

/* Update cs after its current command was executed with result (GPUCMD_I915_PRIV_*). */
GPUCMD_INLINE gpucmd_run gpucmd_priv_i915_settle(gpucmd_priv_i915_x *x, uint32_t result)
{
    gpucmd_i915_cs *cs = x->cs;
    if (result == GPUCMD_I915_PRIV_ERROR) {
        return gpucmd_priv_i915_enter_rs5(x);
    }
    if (result == GPUCMD_I915_PRIV_BLOCK || result == GPUCMD_I915_PRIV_AGAIN) {
        cs->pending = GPUCMD_I915_PRIV_EXEC;
        return result == GPUCMD_I915_PRIV_BLOCK ? GPUCMD_RUN_BLOCKED : GPUCMD_RUN_DONE;
    }
    cs->pending = result;
    gpucmd_priv_i915_count(cs, 1);
    if (cs->level != 0 && result != GPUCMD_I915_PRIV_START) {
        cs->acthd += 4 * (uint64_t)cs->cmd_dw;
        if (cs->seed_literal && result != GPUCMD_I915_PRIV_DONE) {
            cs->acthd -= cs->next_va;
        }
    }
    return GPUCMD_RUN_DONE;
}

static gpucmd_run gpucmd_priv_i915_execute(gpucmd_priv_i915_x *x)
{
    if (!gpucmd_priv_i915_locate(x)) {
        return gpucmd_priv_i915_enter_rs5(x);
    }
    return gpucmd_priv_i915_settle(x, gpucmd_priv_i915_exec(x));
}

/* Return to the ring: move HEAD past the ring's current command. At the ring's end HEAD wraps. */
GPUCMD_INLINE gpucmd_run gpucmd_priv_i915_to_ring(gpucmd_priv_i915_x *x)
{
    gpucmd_i915_cs *cs = x->cs;
    const uint32_t size = gpucmd_i915_ring_ctl_bytes(cs->ctl);
    uint32_t off = gpucmd_priv_i915_head_off(cs) + 4 * cs->ring_dw;
    uint32_t wraps = cs->head & ~(GPUCMD_I915_RING_HEAD_WRAP - 1);
    if (off >= size && cs->ring_dw != 0) {
        off -= size;
        wraps += GPUCMD_I915_RING_HEAD_WRAP;
    }
    if (cs->level != 0) {
        cs->skip = false;
    }
    cs->head = wraps | off;
    cs->acthd = off;
    cs->level = 0;
    gpucmd_priv_i915_enter_state(x, GPUCMD_I915_RS0);
    return GPUCMD_RUN_DONE;
}

/* Parse the next command of the batch. Return to the ring if ACTHD is after the batch: 8 bytes or
 * more after end_va. */
static gpucmd_run gpucmd_priv_i915_next_in_batch(gpucmd_priv_i915_x *x)
{
    gpucmd_i915_cs *cs = x->cs;
    const uint64_t end_va = cs->levels[cs->level].end_va;
    if (cs->acthd > end_va && cs->acthd - end_va >= 8) {
        return gpucmd_priv_i915_to_ring(x);
    }
    if (!gpucmd_priv_i915_parse(x, cs->acthd, ~(uint64_t)0)) {
        cs->state = cs->scan_dw != 0 ? GPUCMD_I915_BS1 : cs->state;
        return cs->scan_dw != 0 ? GPUCMD_RUN_DONE : gpucmd_priv_i915_enter_rs5(x);
    }
    gpucmd_priv_i915_enter_state(x, GPUCMD_I915_BS2);
    return GPUCMD_RUN_DONE;
}

/* Leave state RS3, RS4, BS3 or BS4: perform the action in cs->pending. */
GPUCMD_INLINE gpucmd_run gpucmd_priv_i915_finish(gpucmd_priv_i915_x *x)
{
    gpucmd_i915_cs *cs = x->cs;
    switch (cs->pending) {
    case GPUCMD_I915_PRIV_DATA:
        gpucmd_priv_i915_enter_state(x, cs->level != 0 ? GPUCMD_I915_BS4 : GPUCMD_I915_RS4);
        return gpucmd_priv_i915_execute(x);
    case GPUCMD_I915_PRIV_EXEC: return gpucmd_priv_i915_execute(x);
    case GPUCMD_I915_PRIV_START: /* enter the batch at cs->next_va */
        cs->levels[cs->level].va = cs->acthd + 4 * (uint64_t)cs->cmd_dw;
        cs->level = cs->next_level;
        cs->levels[cs->level].secure = cs->next_secure;
        cs->levels[cs->level].end_va = cs->next_end_va;
        cs->acthd = cs->next_va;
        gpucmd_priv_i915_enter_state(x, GPUCMD_I915_BS0);
        return GPUCMD_RUN_DONE;
    case GPUCMD_I915_PRIV_END:
        if (cs->level > 1) {
            cs->level--;
            cs->acthd = cs->levels[cs->level].va;
            return gpucmd_priv_i915_next_in_batch(x);
        }
        return gpucmd_priv_i915_to_ring(x);
    case GPUCMD_I915_PRIV_LEAVE: return gpucmd_priv_i915_to_ring(x);
    }
    return cs->level != 0 ? gpucmd_priv_i915_next_in_batch(x) : gpucmd_priv_i915_to_ring(x);
}

static gpucmd_run gpucmd_priv_i915_step(gpucmd_priv_i915_x *x)
{
    gpucmd_i915_cs *cs = x->cs;
    const uint32_t off = gpucmd_priv_i915_head_off(cs);
    switch (cs->state) {
    case GPUCMD_I915_RS0:
        if ((cs->ctl & GPUCMD_I915_RING_CTL_VALID) == 0 || off == cs->tail) {
            return GPUCMD_RUN_IDLE;
        }
        if (!gpucmd_priv_i915_peek(x, cs->start + (uint64_t)off)) {
            return gpucmd_priv_i915_enter_rs5(x);
        }
        gpucmd_priv_i915_enter_state(x, GPUCMD_I915_RS1);
        return GPUCMD_RUN_DONE;
    case GPUCMD_I915_RS1:
        if (!gpucmd_priv_i915_parse(x, cs->start + (uint64_t)off, gpucmd_priv_i915_ring_left(cs))) {
            return cs->scan_dw != 0 ? GPUCMD_RUN_DONE : gpucmd_priv_i915_enter_rs5(x);
        }
        cs->ring_dw = cs->cmd_dw;
        gpucmd_priv_i915_enter_state(x, GPUCMD_I915_RS2);
        return GPUCMD_RUN_DONE;
    case GPUCMD_I915_BS0:
        if (!gpucmd_priv_i915_peek(x, cs->acthd)) {
            return gpucmd_priv_i915_enter_rs5(x);
        }
        gpucmd_priv_i915_enter_state(x, GPUCMD_I915_BS1);
        return GPUCMD_RUN_DONE;
    case GPUCMD_I915_BS1: return gpucmd_priv_i915_next_in_batch(x);
    case GPUCMD_I915_RS2:
    case GPUCMD_I915_BS2: /* the command is parsed: execute it, or fetch its data first */
        if (!gpucmd_priv_i915_locate(x)) {
            return gpucmd_priv_i915_enter_rs5(x);
        }
        gpucmd_priv_i915_enter_state(x, cs->level != 0 ? GPUCMD_I915_BS3 : GPUCMD_I915_RS3);
        if (!gpucmd_priv_i915_fetches(x->head)) {
            return gpucmd_priv_i915_settle(x, gpucmd_priv_i915_exec(x));
        }
        cs->pending = GPUCMD_I915_PRIV_DATA;
        return GPUCMD_RUN_DONE;
    case GPUCMD_I915_RS3:
    case GPUCMD_I915_RS4:
    case GPUCMD_I915_BS3:
    case GPUCMD_I915_BS4: return gpucmd_priv_i915_finish(x);
    case GPUCMD_I915_RS5: break;
    }
    return GPUCMD_RUN_FAULT;
}

/* Return true if the command has one word and affects neither memory nor registers. */
GPUCMD_INLINE bool gpucmd_priv_i915_is_inert(const gpucmd_i915_cmdset *cmdset, uint32_t head)
{
    const uint64_t ops = GPUCMD_I915_PRIV_OP_BIT(MI_FLUSH) | GPUCMD_I915_PRIV_OP_BIT(MI_ARB_CHECK) |
                         GPUCMD_I915_PRIV_OP_BIT(MI_ARB_ON_OFF) |
                         GPUCMD_I915_PRIV_OP_BIT(MI_SUSPEND_FLUSH);
    return head == GPUCMD_I915_HDR_MI_NOOP ||
           (head >> 29 == 0 && (gpucmd_priv_shr(ops, cmdset->op[head >> 23]) & 1) != 0);
}

/* Set registers and state of cs as single steps do after a command of n words. head: first word. */
GPUCMD_INLINE void gpucmd_priv_i915_after_command(gpucmd_i915_cs *cs, uint32_t head, uint32_t n)
{
    const uint32_t fetches = gpucmd_priv_i915_fetches(head);
    cs->reg[GPUCMD_I915_REG_IPEHR / 4] = head;
    cs->cmd_head = head;
    cs->cmd_dw = n;
    if (cs->level == 0) {
        cs->ring_dw = n;
        cs->state = fetches ? GPUCMD_I915_RS4 : GPUCMD_I915_RS3;
    } else {
        cs->state = fetches ? GPUCMD_I915_BS4 : GPUCMD_I915_BS3;
    }
}

/* Set ACTHD to the position of the command at va. In a ring also set HEAD. */
GPUCMD_INLINE void gpucmd_priv_i915_move_to(gpucmd_i915_cs *cs, uint64_t va)
{
    if (cs->level == 0) {
        va -= cs->start;
        cs->head = (cs->head & ~(GPUCMD_I915_RING_HEAD_WRAP - 1)) | (uint32_t)va;
    }
    cs->acthd = va;
}

/* Execute the command of x->n words at x->host. Before that, set registers and counters of cs as
 * single steps do. count: executed commands that cs has not counted yet. */
GPUCMD_INLINE uint32_t gpucmd_priv_i915_exec_quick(gpucmd_priv_i915_x *x, uint64_t count)
{
    gpucmd_priv_i915_move_to(x->cs, x->va);
    x->cs->reg[GPUCMD_I915_REG_IPEHR / 4] = x->head;
    gpucmd_priv_i915_count(x->cs, count);
    return gpucmd_priv_i915_exec(x);
}

/* Return true if MI_LOAD_REGISTER_IMM may write the register at byte offset off_bytes from cs->base
 * without a check. With all rights these are the predicate registers and the GPRs, in a non-secure
 * batch of gen9 and later the GPRs. */
GPUCMD_INLINE bool gpucmd_priv_i915_is_plain(const gpucmd_priv_i915_x *x, uint32_t off_bytes)
{
    const gpucmd_i915_cmdset *cmdset = &x->cs->cmdset;
    return cmdset->op[GPUCMD_I915_HDR_MI_LOAD_REGISTER_IMM >> 23] != 0 &&
           (x->secure
                ? off_bytes - 0x400u < 0x400u
                : off_bytes - GPUCMD_I915_REG_CS_GPR < 0x80u && cmdset->gen >= GPUCMD_I915_GEN9);
}

/* Update cs after a command of n words with first word head. Return BLOCKED if it waits, DONE if it
 * has ended, LIMIT if single steps must continue. */
GPUCMD_INLINE gpucmd_run gpucmd_priv_i915_end_quick(gpucmd_priv_i915_x *x, uint32_t result,
                                                    uint32_t head, uint32_t n)
{
    gpucmd_priv_i915_after_command(x->cs, head, n);
    const gpucmd_run run = gpucmd_priv_i915_settle(x, result);
    return result <= GPUCMD_I915_PRIV_BLOCK ? run : GPUCMD_RUN_LIMIT;
}

/* Execute the commands in left_bytes at x->host, until one has a result other than DONE or writes a
 * register of a ring, or x->fuel is 0. Return DONE if the last command has ended, BLOCKED if it
 * waits, LIMIT if single steps must continue. The function itself executes inert commands, the end
 * of a batch, and MI_LOAD_REGISTER_IMM of one register that needs no check. */
GPUCMD_INLINE gpucmd_run gpucmd_priv_i915_run_piece(gpucmd_priv_i915_x *x, uint64_t left_bytes)
{
    gpucmd_i915_cs *cs = x->cs;
    const uint8_t *host = x->host;
    uint64_t fuel = x->fuel;
    uint64_t count = 0; /* executed commands that cs has not counted yet */
    uint32_t head = 0, n = 0;
    const uint64_t to_va = x->va - (uintptr_t)host;
    x->ring_changed = false;
    while (left_bytes >= 4 && fuel != 0) {
        const uint32_t next = gpucmd_load32(host, GPUCMD_LITTLE_ENDIAN);
        uint32_t next_n = 1, off = 0;
        if (next == GPUCMD_I915_PRIV_HDR(MI_LOAD_REGISTER_IMM, 0, 3) && left_bytes >= 12 &&
            !cs->skip) {
            off = (gpucmd_load32(host + 4, GPUCMD_LITTLE_ENDIAN) & GPUCMD_I915_PRIV_REG_BITS) -
                  cs->base;
        }
        if (off != 0 && gpucmd_priv_i915_is_plain(x, off)) {
            cs->reg[off / 4] = gpucmd_load32(host + 8, GPUCMD_LITTLE_ENDIAN);
            next_n = 3;
        } else if (next == GPUCMD_I915_HDR_MI_BATCH_BUFFER_END && cs->level != 0) {
            gpucmd_priv_i915_count(cs, count);
            x->fuel = fuel - 1;
            return gpucmd_priv_i915_end_quick(x, GPUCMD_I915_PRIV_END, next, 1);
        } else if (!gpucmd_priv_i915_is_inert(&cs->cmdset, next)) {
            const uint32_t words[1] = {next}; /* a copy, so that next stays in a CPU register */
            uint32_t result;
            next_n = gpucmd_i915_length_dw(&cs->cmdset, words, 1);
            if (next_n == 0 || 4 * (uint64_t)next_n > left_bytes ||
                gpucmd_priv_i915_is_list(cs, next)) {
                break;
            }
            x->host = host;
            x->va = to_va + (uintptr_t)host;
            x->head = next;
            x->n = next_n;
            x->fuel = fuel - 1;
            result = gpucmd_priv_i915_exec_quick(x, count);
            count = 0;
            fuel = x->fuel + 1;
            if (GPUCMD_PRIV_UNLIKELY(result != GPUCMD_I915_PRIV_DONE || x->ring_changed)) {
                return gpucmd_priv_i915_end_quick(x, result, next, next_n);
            }
        }
        fuel--;
        count++;
        head = next;
        n = next_n;
        host += 4 * (size_t)n;
        left_bytes -= 4 * (uint64_t)n;
    }
    x->fuel = fuel;
    if (n == 0) {
        return GPUCMD_RUN_LIMIT;
    }
    gpucmd_priv_i915_count(cs, count);
    gpucmd_priv_i915_move_to(cs, to_va + (uintptr_t)host - (cs->level == 0 ? 4 * (uint64_t)n : 0));
    cs->pending = GPUCMD_I915_PRIV_DONE;
    gpucmd_priv_i915_after_command(cs, head, n);
    return GPUCMD_RUN_DONE;
}

/* Write the address of the next command to x->va. Return the number of bytes from there that may be
 * executed without single steps:
 *   up to TAIL or the end of the ring   the next command is in the ring
 *   1 MiB                               the next command is in a batch of gen4 or later
 *   0                                   otherwise, or the current command has not ended */
GPUCMD_INLINE uint64_t gpucmd_priv_i915_quick_bytes(gpucmd_priv_i915_x *x)
{
    const gpucmd_i915_cs *cs = x->cs;
    if (cs->state == GPUCMD_I915_RS0) {
        x->va = cs->start + (uint64_t)gpucmd_priv_i915_head_off(cs);
        return GPUCMD_PRIV_QUICK && (cs->ctl & GPUCMD_I915_RING_CTL_VALID) != 0
                   ? gpucmd_priv_i915_ring_left(cs)
                   : 0;
    }
    x->va = cs->acthd;
    return cs->cmdset.gen >= GPUCMD_I915_GEN4 &&
                   (cs->state == GPUCMD_I915_BS0 || cs->state == GPUCMD_I915_BS1 ||
                    ((cs->state == GPUCMD_I915_BS3 || cs->state == GPUCMD_I915_BS4) &&
                     cs->pending == GPUCMD_I915_PRIV_DONE))
               ? GPUCMD_I915_PRIV_QUICK_BYTES
               : 0;
}

/* Write to *host the CPU address of the words at x->va. Reduce *left_bytes to the bytes that are
 * contiguous there. Search only if x->ring or x->batch does not contain x->va. Return a status. */
GPUCMD_INLINE gpucmd_status gpucmd_priv_i915_quick_span(gpucmd_priv_i915_x *x, uint8_t **host,
                                                        uint64_t *left_bytes)
{
    gpucmd_priv_i915_seen *seen = x->cs->level == 0 ? &x->ring : &x->batch;
    const uint64_t off_bytes = x->va - seen->va;
    if (off_bytes < seen->bytes) {
        const uint64_t most = seen->bytes - off_bytes;
        *left_bytes = *left_bytes < most ? *left_bytes : most;
        *host = seen->host + (size_t)off_bytes;
        return GPUCMD_OK;
    }
    seen->va = x->va;
    const gpucmd_status status = gpucmd_mem_span(x->env->mem, x->va, *left_bytes,
                                                 GPUCMD_ACCESS_READ, &seen->host, left_bytes);
    seen->bytes = status == GPUCMD_OK ? *left_bytes : 0;
    *host = seen->host;
    return status;
}

/* Execute commands of the ring and of batches. Inside contiguous CPU memory cs->state is not set
 * after each command. Return BLOCKED, or another value if single steps must continue. */
static gpucmd_run gpucmd_priv_i915_run_quick(gpucmd_priv_i915_x *x)
{
    for (;;) {
        uint8_t *host;
        uint64_t left = gpucmd_priv_i915_quick_bytes(x);
        if (left == 0 || gpucmd_priv_i915_quick_span(x, &host, &left) != GPUCMD_OK) {
            return GPUCMD_RUN_LIMIT;
        }
        x->secure = x->cs->levels[x->cs->level].secure;
        x->host = host;
        const gpucmd_run run = gpucmd_priv_i915_run_piece(x, left);
        if (run != GPUCMD_RUN_DONE) {
            return run;
        }
        (void)gpucmd_priv_i915_finish(x); /* after a failure the next single step returns FAULT */
    }
}

/* Execute steps until a result is not DONE, or x->fuel is 0. */
static gpucmd_run gpucmd_priv_i915_run(gpucmd_priv_i915_x *x)
{
    gpucmd_i915_cs *cs = x->cs;
    for (;;) {
        gpucmd_run run;
        if (x->env->trace == NULL && gpucmd_priv_i915_run_quick(x) == GPUCMD_RUN_BLOCKED) {
            return GPUCMD_RUN_BLOCKED;
        }
        if (cs->state == GPUCMD_I915_RS2 || cs->state == GPUCMD_I915_BS2 ||
            cs->pending == GPUCMD_I915_PRIV_EXEC || cs->scan_dw != 0) {
            if (x->fuel == 0) {
                return GPUCMD_RUN_LIMIT;
            }
            x->fuel--;
        }
        run = gpucmd_priv_i915_step(x);
        if (run != GPUCMD_RUN_DONE) {
            return run;
        }
    }
}

static void gpucmd_priv_i915_exec_init(gpucmd_priv_i915_x *x, gpucmd_i915_cs *cs,
                                       gpucmd_i915_cs *peers, size_t count, const gpucmd_env *env,
                                       uint64_t fuel)
{
    gpucmd_priv_zero(x, sizeof *x);
    x->cs = cs;
    x->peers = peers;
    x->peer_count = count;
    x->env = env;
    x->fuel = fuel;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_i915_cs_batch(gpucmd_i915_cs *cs, uint64_t va, bool secure)
{
    if (cs->state != GPUCMD_I915_RS0) {
        return GPUCMD_ORDER;
    }
    cs->ring_dw = 0;
    cs->next_va = va & GPUCMD_I915_PRIV_VA_MASK & ~(uint64_t)3;
    cs->next_end_va = ~(uint64_t)0;
    cs->next_level = 1;
    cs->next_secure = secure;
    cs->pending = GPUCMD_I915_PRIV_START;
    cs->state = GPUCMD_I915_RS4;
    return GPUCMD_OK;
}

GPUCMD_PRIV_API gpucmd_run gpucmd_i915_step(gpucmd_i915_cs *cs, const gpucmd_env *env)
{
    gpucmd_priv_i915_x x;
    gpucmd_priv_i915_exec_init(&x, cs, cs, 1, env, 0);
    return gpucmd_priv_i915_step(&x);
}

GPUCMD_PRIV_API gpucmd_run gpucmd_i915_run(gpucmd_i915_cs *cs, const gpucmd_env *env,
                                           uint64_t budget)
{
    gpucmd_priv_i915_x x;
    gpucmd_priv_i915_exec_init(&x, cs, cs, 1, env, budget);
    return gpucmd_priv_i915_run(&x);
}

/* Execute cs[i] for at most 16 units of *budget. Subtract the used units. Add its result to *r. */
static void gpucmd_priv_i915_run_slice(gpucmd_i915_cs *cs, size_t count, size_t i,
                                       const gpucmd_env *env, uint64_t *budget,
                                       gpucmd_i915_report *r)
{
    const uint32_t bit = 1u << i;
    const uint64_t before = cs[i].units;
    const uint64_t commands = cs[i].commands;
    const uint64_t given = *budget < 16 ? *budget : 16;
    gpucmd_priv_i915_x x;
    if (given == 0 && (r->blocked & bit) != 0) {
        return;
    }
    gpucmd_priv_i915_exec_init(&x, &cs[i], cs, count, env, given);
    const gpucmd_run run = gpucmd_priv_i915_run(&x);
    /* A poll whose comparison is false uses no budget. */
    *budget -= run == GPUCMD_RUN_BLOCKED
                   ? cs[i].units - before < given ? cs[i].units - before : given
                   : given - x.fuel;
    r->commands += cs[i].commands - commands;
    r->idle = run == GPUCMD_RUN_IDLE ? r->idle | bit : r->idle & ~bit;
    r->blocked = run == GPUCMD_RUN_BLOCKED ? r->blocked | bit : r->blocked & ~bit;
    r->faulted = run == GPUCMD_RUN_FAULT ? r->faulted | bit : r->faulted & ~bit;
}

GPUCMD_PRIV_API gpucmd_run gpucmd_i915_run_all(gpucmd_i915_cs *cs, size_t count,
                                               const gpucmd_env *env, uint64_t budget,
                                               gpucmd_i915_report *report)
{
    bool more;
    size_t i;
    gpucmd_i915_report r = {0, 0, 0, false, 0};
    const uint32_t all = count >= 32 ? 0xffffffffu : (1u << count) - 1;
    gpucmd_run run = GPUCMD_RUN_LIMIT;
    for (more = true; more;) {
        const uint64_t before = r.commands;
        const bool spent = budget == 0; /* in the last round engines without work become idle */
        for (i = 0; i < count && i < 32; i++) {
            gpucmd_priv_i915_run_slice(cs, count, i, env, &budget, &r);
        }
        if (r.commands == before && (r.idle | r.blocked | r.faulted) == all &&
            (!spent || r.blocked == 0)) {
            r.deadlock = r.blocked != 0 && r.faulted == 0;
            run = r.faulted != 0   ? GPUCMD_RUN_FAULT
                  : r.blocked != 0 ? GPUCMD_RUN_BLOCKED
                                   : GPUCMD_RUN_IDLE;
            more = false;
        } else {
            more = !spent;
        }
    }
    if (report != NULL) {
        *report = r;
    }
    return run;
}

/* Return the text of a GPUCMD_I915_COMPARE_*, such as ">=" in "memory >= value". */
static const char *gpucmd_priv_i915_compare_name(uint32_t compare)
{
    static const char names[6][3] = {">", ">=", "<", "<=", "==", "!="};
    return names[compare];
}

/* Write the error that stopped the engine (state RS5) to *why. */
static void gpucmd_priv_i915_error_why(const gpucmd_i915_cs *cs, gpucmd_why *why)
{
    const bool memory = cs->fault == GPUCMD_FAULT;
    if (cs->error == GPUCMD_I915_ERROR_CALLBACK) {
        gpucmd_priv_why_set(why, GPUCMD_WHY_CALLBACK, why->unit, why->at_va);
        why->status = cs->fault;
        why->name = gpucmd_status_name(cs->fault);
        return;
    }
    gpucmd_priv_why_set(why,
                        memory                            ? GPUCMD_WHY_MEMORY
                        : cs->fault == GPUCMD_UNSUPPORTED ? GPUCMD_WHY_MODEL
                                                          : GPUCMD_WHY_ERROR,
                        why->unit, why->at_va);
    why->reg = why->kind == GPUCMD_WHY_ERROR ? "IPEHR" : "";
    why->bits = cs->reg[GPUCMD_I915_REG_IPEHR / 4];
    why->va = memory ? cs->fault_va : 0;
    why->name = memory ? "" : gpucmd_i915_error_name(cs->error);
    why->text = gpucmd_i915_error_text(cs->error);
}

/* Write the condition that the engine waits for to *why. */
static void gpucmd_priv_i915_wait_why(const gpucmd_i915_cs *cs, gpucmd_why *why)
{
    const gpucmd_i915_wait *w = &cs->wait;
    gpucmd_priv_why_set(why, GPUCMD_WHY_WAIT, why->unit, why->at_va);
    why->value = w->value;
    why->va = w->is_event ? 0 : w->va;
    why->name = w->is_event ? "event" : gpucmd_priv_i915_compare_name(w->compare);
    why->text = w->is_event      ? "MI_WAIT_FOR_EVENT waits for the callback"
                : w->on_signal   ? "waits for MI_SEMAPHORE_SIGNAL"
                : w->is_register ? "polls a register"
                                 : "polls memory";
}

GPUCMD_PRIV_API void gpucmd_i915_cs_why(const gpucmd_i915_cs *cs, gpucmd_why *why)
{
    const uint32_t off = gpucmd_priv_i915_head_off(cs);
    const bool ring = (cs->ctl & GPUCMD_I915_RING_CTL_VALID) != 0 && off != cs->tail;
    gpucmd_priv_why_set(
        why, cs->state == GPUCMD_I915_RS0 && !ring ? GPUCMD_WHY_IDLE : GPUCMD_WHY_READY,
        (uint32_t)cs->cmdset.engine, cs->level != 0 ? cs->acthd : cs->start + (uint64_t)off);
    if (cs->state == GPUCMD_I915_RS5) {
        gpucmd_priv_i915_error_why(cs, why);
    } else if (cs->wait.active) {
        gpucmd_priv_i915_wait_why(cs, why);
    } else if (cs->pending == GPUCMD_I915_PRIV_EXEC && !gpucmd_priv_i915_blit_began(cs)) {
        gpucmd_priv_why_set(why, GPUCMD_WHY_CALLBACK, why->unit, why->at_va);
        why->status = GPUCMD_BLOCKED;
        why->name = gpucmd_status_name(GPUCMD_BLOCKED);
    }
}

GPUCMD_PRIV_API void gpucmd_i915_run_all_why(const gpucmd_i915_cs *cs, size_t count,
                                             const gpucmd_i915_report *report, gpucmd_why *why)
{
    const uint32_t wanted = report->faulted != 0 ? report->faulted : report->blocked;
    size_t i = 0;
    while (i + 1 < count && wanted != 0 && (wanted >> i & 1) == 0) {
        i++;
    }
    gpucmd_i915_cs_why(&cs[i], why);
    why->kind = report->deadlock ? GPUCMD_WHY_DEADLOCK : why->kind;
}

GPUCMD_PRIV_API void gpucmd_i915_print_waits(gpucmd_text *t, const gpucmd_i915_cs *cs, size_t count,
                                             gpucmd_mem *mem)
{
    size_t i;
    for (i = 0; i < count; i++) {
        const gpucmd_i915_wait *w = &cs[i].wait;
        uint32_t v = 0;
        bool readable = !w->is_event;
        if (!w->active) {
            continue;
        }
        gpucmd_text_str(t, gpucmd_i915_engine_name(cs[i].cmdset.engine));
        gpucmd_text_dec(t, cs[i].instance);
        gpucmd_text_str(t, " at 0x");
        gpucmd_text_hex(t, cs[i].acthd, 1);
        gpucmd_text_str(t, w->is_event      ? " waits for event 0x"
                           : w->is_register ? " waits for register 0x"
                                            : " waits for memory 0x");
        gpucmd_text_hex(t, w->is_event ? w->value : w->va, 1);
        if (readable) {
            gpucmd_text_char(t, ' ');
            gpucmd_text_str(t, gpucmd_priv_i915_compare_name(w->compare));
            gpucmd_text_str(t, " 0x");
            gpucmd_text_hex(t, w->value, 1);
            if (w->is_register) {
                v = gpucmd_i915_cs_read(&cs[i], (uint32_t)w->va);
            } else {
                readable = gpucmd_mem_read32(mem, w->va, GPUCMD_LITTLE_ENDIAN, &v) == GPUCMD_OK;
            }
        }
        if (readable) {
            gpucmd_text_str(t, ", which is 0x");
            gpucmd_text_hex(t, v, 1);
        }
        gpucmd_text_str(t, w->on_signal ? ", after a signal\n" : "\n");
    }
}

/* ==== [I915.IMPL.ENGINE] =================================================================== */

/* Tilings: in which order memory contains the bytes of a surface. LINEAR: row after row. */
enum {
    GPUCMD_I915_PRIV_LINEAR = 0,
    GPUCMD_I915_PRIV_TILE_X, /* tile of 8 rows of 512 bytes */
    GPUCMD_I915_PRIV_TILE_Y, /* tile of 32 rows of 128 bytes, in columns of 16 bytes */
    GPUCMD_I915_PRIV_TILE_4, /* tile of 32 rows of 128 bytes, in blocks of 4 rows of 16 bytes */
};

/* A blit: it fills rows of pixels with a color or a pattern, or copies them from a source. */
typedef struct gpucmd_priv_i915_blit {
    uint64_t dst_va, src_va;
    int64_t dst_pitch, src_pitch; /* bytes from the start of a row to the start of the next */
    int64_t dst_x, src_x;         /* byte offset of the first pixel in a row */
    int64_t dst_y, src_y;
    int64_t row_bytes, rows;
    uint32_t pixel_bytes; /* 1, 2, 4, 8, 12 or 16 */
    uint32_t mask;        /* bits of a pixel that are written, if the pixel has 32 bits */
    uint32_t rop;         /* raster operation, see gpucmd_priv_i915_rop */
    uint32_t color[4];
    uint32_t dst_tile, src_tile;
    bool copy; /* the blit has a source of pixels */
    /* Members for monochrome sources and for patterns. Without a pattern member color is used. */
    bool bits;                /* the blit has a source of bits; the first bit is at mono_va */
    bool tile, pixels;        /* the pattern has 8 by 8 bits (tile) or 8 by 8 pixels (pixels) */
    bool keep_src, keep_tile; /* do not draw a pixel whose source bit, or pattern bit, is 0 */
    uint64_t mono_va;
    uint64_t pattern_va;           /* address of the pattern of pixels */
    int64_t bit, row_bits;         /* source of bits: number of its first bit; bits per row */
    uint32_t pattern_x, pattern_y; /* pattern pixel that is drawn at column 0, row 0 */
    uint32_t src_color[2];         /* color of source bits: [0] of those that are 0, [1] of ones */
    uint32_t tile_color[2];        /* color of pattern bits: [0] of those that are 0, [1] of ones */
    uint32_t tile_bits[2];         /* pattern of bits, one byte per row: [0] rows 0-3, [1] 4-7 */
    uint32_t depth;                /* field DEPTH of BR13 */
    uint32_t range;                /* field RANGE_MODE; even values draw all pixels */
    uint32_t key[2];               /* [0] lowest and [1] highest color of the range */
} gpucmd_priv_i915_blit;

/* Bytes of a row that are drawn at once. If the bytes must be computed, n is at most 64. */
typedef struct gpucmd_priv_i915_piece {
    uint64_t dst, src; /* addresses of the first byte */
    int64_t at, row;   /* byte offset of the piece in its row; number of the row */
    uint32_t n;
} gpucmd_priv_i915_piece;

/* Return the offset of byte xb of row y from the start of its tile. A TILE_4 has blocks of 64
 * bytes, 8 in a row of blocks. Of two rows of blocks, the upper is stored as blocks 0-3 and 8-11,
 * the lower as blocks 4-7 and 12-15. [BLTT] */
static uint32_t gpucmd_priv_i915_in_tile(uint32_t tile, uint32_t xb, uint32_t y)
{
    if (tile == GPUCMD_I915_PRIV_TILE_X) {
        return y % 8 * 512 + xb % 512;
    }
    xb %= 128;
    y %= 32;
    if (tile == GPUCMD_I915_PRIV_TILE_Y) {
        return xb / 16 * 512 + y * 16 + xb % 16;
    }
    uint32_t block = y / 4 * 8 + xb / 16;
    block = block / 16 * 16 + block / 4 % 2 * 8 + block / 8 % 2 * 4 + block % 4;
    return block * 64 + y % 4 * 16 + xb % 16;
}

/* Return log2 of the width of a tile in bytes. Every tile has 4096 bytes. */
static uint32_t gpucmd_priv_i915_wide_log2(uint32_t tile)
{
    return tile == GPUCMD_I915_PRIV_TILE_X ? 9 : 7;
}

/* Return the address of byte xb of row y. In a tiled surface xb and y must not be negative. */
static uint64_t gpucmd_priv_i915_texel(uint64_t base, int64_t pitch, uint32_t tile, int64_t xb,
                                       int64_t y)
{
    const uint32_t wide_log2 = gpucmd_priv_i915_wide_log2(tile);
    const uint64_t at = tile == GPUCMD_I915_PRIV_LINEAR
                            ? gpucmd_priv_mul((uint64_t)y, (uint64_t)pitch) + (uint64_t)xb
                            : (gpucmd_priv_mul(gpucmd_priv_shr((uint64_t)y, 12 - wide_log2),
                                               gpucmd_priv_shr((uint64_t)pitch, wide_log2)) +
                               gpucmd_priv_shr((uint64_t)xb, wide_log2)) *
                                      4096 +
                                  gpucmd_priv_i915_in_tile(tile, (uint32_t)xb, (uint32_t)y);
    return (base + at) & GPUCMD_I915_PRIV_VA_MASK;
}

/* Return the number of contiguous bytes from byte xb of a row to the right, or left if backward. */
static int64_t gpucmd_priv_i915_texel_run(uint32_t tile, int64_t xb, bool backward)
{
    const uint32_t piece = tile == GPUCMD_I915_PRIV_TILE_X ? 512 : 16;
    const uint32_t at = (uint32_t)xb % piece;
    return tile == GPUCMD_I915_PRIV_LINEAR ? 0x7fffffff : backward ? at + 1 : piece - at;
}

/* Return true if the surface is linear, or if its pitch and position are valid for the tiling. */
static bool gpucmd_priv_i915_tileable(uint32_t tile, int64_t pitch, int64_t xb, int64_t y)
{
    const uint32_t wide = (uint32_t)1 << gpucmd_priv_i915_wide_log2(tile);
    return tile == GPUCMD_I915_PRIV_LINEAR ||
           (pitch > 0 && (uint32_t)pitch % wide == 0 && xb >= 0 && y >= 0);
}

/* Apply rop to 8 bits each: the result for bits P, S, D of p, s, d is bit 4P + 2S + D of rop. */
static uint8_t gpucmd_priv_i915_rop(uint32_t rop, uint32_t p, uint32_t s, uint32_t d)
{
    uint32_t i, v = 0;
    if (rop == 0xf0 || rop == 0xcc) { /* 0xf0 is the pattern, 0xcc is the source */
        return (uint8_t)(rop == 0xf0 ? p : s);
    }
    for (i = 0; i < 8; i++) {
        if ((rop >> i & 1) != 0) {
            v |= ((i & 4) != 0 ? p : ~p) & ((i & 2) != 0 ? s : ~s) & ((i & 1) != 0 ? d : ~d);
        }
    }
    return (uint8_t)v;
}

/* Return true if the result of a raster operation depends on the destination. */
static bool gpucmd_priv_i915_rop_reads_dst(uint32_t rop)
{
    return ((rop >> 1 ^ rop) & 0x55) != 0;
}

static bool gpucmd_priv_i915_rop_reads_src(uint32_t rop)
{
    return ((rop >> 2 ^ rop) & 0x33) != 0;
}

/* Return true if the blit has a pattern, a source of bits or a color range. */
static bool gpucmd_priv_i915_blit_odd(const gpucmd_priv_i915_blit *b)
{
    return b->bits || b->tile || b->pixels || (b->range & 1) != 0;
}

/* Draw piece q of a blit for which gpucmd_priv_i915_blit_odd is false. */
static gpucmd_status gpucmd_priv_i915_blit_piece(gpucmd_mem *mem, const gpucmd_priv_i915_blit *b,
                                                 const gpucmd_priv_i915_piece *q)
{
    uint32_t i;
    uint8_t d[64], s[64];
    const bool masked = b->pixel_bytes == 4 && b->mask != 0xffffffffu;
    gpucmd_status status = GPUCMD_OK;
    for (i = 0; i < 64; i++) {
        d[i] = 0;
        s[i] = 0;
    }
    if (masked || gpucmd_priv_i915_rop_reads_dst(b->rop)) {
        status = gpucmd_mem_read(mem, q->dst, d, q->n);
    }
    if (status == GPUCMD_OK && b->copy && gpucmd_priv_i915_rop_reads_src(b->rop)) {
        status = gpucmd_mem_read(mem, q->src, s, q->n);
    }
    for (i = 0; status == GPUCMD_OK && i < q->n; i++) {
        const uint32_t byte = gpucmd_priv_rem((uint32_t)q->at + i, b->pixel_bytes);
        const uint32_t p = b->color[byte / 4] >> 8 * (byte % 4) & 0xff;
        if (!masked || (b->mask >> 8 * byte & 1) != 0) {
            d[i] = gpucmd_priv_i915_rop(b->rop, p, s[i], d[i]);
        }
    }
    return status != GPUCMD_OK ? status : gpucmd_mem_write(mem, q->dst, d, q->n);
}

/* Data for a piece of at most 64 bytes: destination (d), source (s), source bits, pattern row. */
typedef struct gpucmd_priv_i915_inks {
    uint8_t d[64], s[64], bits[16], pixels[32];
} gpucmd_priv_i915_inks;

/* Return log2 of b->pixel_bytes, which is 1, 2 or 4 if gpucmd_priv_i915_blit_odd is true. */
GPUCMD_INLINE uint32_t gpucmd_priv_i915_odd_log2(const gpucmd_priv_i915_blit *b)
{
    return b->pixel_bytes >> 1;
}

/* Read the data for piece q to *ink. bit: number of its first source bit, counted from
 * b->mono_va. */
static gpucmd_status gpucmd_priv_i915_blit_inks(gpucmd_mem *mem, const gpucmd_priv_i915_blit *b,
                                                const gpucmd_priv_i915_piece *q, uint64_t bit,
                                                gpucmd_priv_i915_inks *ink)
{
    uint32_t i;
    const uint32_t size = b->pixel_bytes;
    const uint32_t count = /* number of pixels in the piece */
        (((uint32_t)q->at & (size - 1)) + q->n + size - 1) >> gpucmd_priv_i915_odd_log2(b);
    const bool keyed = (b->range & 1) != 0;
    const bool reads_src = gpucmd_priv_i915_rop_reads_src(b->rop) || (keyed && b->range < 4);
    gpucmd_status status = GPUCMD_OK;
    for (i = 0; i < 64; i++) {
        ink->d[i] = 0;
        ink->s[i] = 0;
        ink->bits[i & 15] = 0;
    }
    if ((size == 4 && b->mask != 0xffffffffu) || b->keep_src || b->keep_tile || keyed ||
        gpucmd_priv_i915_rop_reads_dst(b->rop)) {
        status = gpucmd_mem_read(mem, q->dst, ink->d, q->n);
    }
    if (status == GPUCMD_OK && b->copy && reads_src) {
        status = gpucmd_mem_read(mem, q->src, ink->s, q->n);
    }
    if (status == GPUCMD_OK && b->bits && (reads_src || b->keep_src)) {
        status = gpucmd_mem_read(mem, (b->mono_va + bit / 8) & GPUCMD_I915_PRIV_VA_MASK, ink->bits,
                                 (bit % 8 + count + 7) / 8);
    }
    if (status == GPUCMD_OK && b->pixels) {
        const uint32_t row = (uint32_t)(b->dst_y + q->row + b->pattern_y) & 7;
        status =
            gpucmd_mem_read(mem, b->pattern_va + row * 8 * size, ink->pixels, 8 * (uint64_t)size);
    }
    return status;
}

/* Return true if the RANGE_MODE of the blit selects the pixel with source s and destination d:
 *   1, 3   the source is outside the range; mode 3 also compares alpha
 *   5, 7   the destination is inside the range; mode 5 also compares alpha
 * A color is inside if all components are. [PRM5] [PRM7] BR00. [OUR]: 8 bits are one component. */
static bool gpucmd_priv_i915_range_selects(const gpucmd_priv_i915_blit *b, const uint8_t *s,
                                           const uint8_t *d)
{
    static const uint32_t components[4][4] = {
  /* [depth][component]: mask of the component; component 0 is alpha */
        {0,           0xff,       0,          0         },
        {0,           0xf800,     0x07e0,     0x001f    },
        {0x8000,      0x7c00,     0x03e0,     0x001f    },
        {0xff000000u, 0x00ff0000, 0x0000ff00, 0x000000ff},
    };
    const bool dst = (b->range & 4) != 0;
    uint32_t i, v = 0;
    bool inside = true;
    for (i = 0; i < b->pixel_bytes; i++) {
        v |= (uint32_t)(dst ? d[i] : s[i]) << 8 * i;
    }
    for (i = b->range == 3 || b->range == 5 ? 0 : 1; i < 4; i++) {
        const uint32_t bits = components[b->depth][i];
        inside = inside && (v & bits) >= (b->key[0] & bits) && (v & bits) <= (b->key[1] & bits);
    }
    return inside == dst;
}

/* Draw piece q of a blit for which gpucmd_priv_i915_blit_odd is true. With a color range the piece
 * has whole pixels. Bit 7 of a byte of source bits belongs to the leftmost pixel. [SNA] */
static gpucmd_status gpucmd_priv_i915_blit_odd_piece(gpucmd_mem *mem,
                                                     const gpucmd_priv_i915_blit *b,
                                                     const gpucmd_priv_i915_piece *q)
{
    uint32_t i;
    const uint32_t size = b->pixel_bytes;
    const uint32_t size_log2 = gpucmd_priv_i915_odd_log2(b);
    const uint32_t first = (uint32_t)q->at >> size_log2;
    const uint64_t bit = gpucmd_priv_mul((uint64_t)(b->src_y + q->row), (uint64_t)b->row_bits) +
                         (uint64_t)b->bit + first;
    const uint32_t row = (uint32_t)(b->dst_y + q->row + b->pattern_y) & 7;
    const uint32_t tile = b->tile_bits[row / 4] >> row % 4 * 8;
    const uint32_t left = (uint32_t)gpucmd_priv_shr((uint64_t)b->dst_x, size_log2) + b->pattern_x;
    bool selected = true;
    gpucmd_priv_i915_inks ink;
    const gpucmd_status status = gpucmd_priv_i915_blit_inks(mem, b, q, bit, &ink);
    for (i = 0; status == GPUCMD_OK && i < q->n; i++) {
        const uint32_t pixel = ((uint32_t)q->at + i) >> size_log2;
        const uint32_t byte = ((uint32_t)q->at + i) & (size - 1);
        const uint32_t column = (left + pixel) & 7;
        const uint32_t k = (uint32_t)(bit % 8) + pixel - first;
        const uint32_t one = (uint32_t)ink.bits[k / 8] >> (7 - k % 8) & 1;
        const uint32_t ones = tile >> (7 - column) & 1;
        const uint32_t p = b->tile     ? b->tile_color[ones] >> 8 * byte
                           : b->pixels ? ink.pixels[column * size + byte]
                                       : b->color[0] >> 8 * byte;
        const uint32_t v = b->bits ? b->src_color[one] >> 8 * byte : ink.s[i];
        if ((b->range & 1) != 0 && byte == 0) {
            selected = gpucmd_priv_i915_range_selects(b, ink.s + i, ink.d + i);
        }
        if (selected && (size != 4 || (b->mask >> 8 * byte & 1) != 0) &&
            (!b->keep_src || one != 0) && (!b->keep_tile || ones != 0)) {
            ink.d[i] = gpucmd_priv_i915_rop(b->rop, p, v, ink.d[i]);
        }
    }
    return status != GPUCMD_OK ? status : gpucmd_mem_write(mem, q->dst, ink.d, q->n);
}

/* How the bytes of a row are drawn. */
typedef enum gpucmd_priv_i915_way {
    GPUCMD_I915_PRIV_COPY,  /* copy the bytes from the source */
    GPUCMD_I915_PRIV_FILL,  /* fill the bytes with color */
    GPUCMD_I915_PRIV_STEPS, /* compute the bytes, at most 64 at once */
} gpucmd_priv_i915_way;

static gpucmd_priv_i915_way gpucmd_priv_i915_blit_way(const gpucmd_priv_i915_blit *b)
{
    if (gpucmd_priv_i915_blit_odd(b) || (b->pixel_bytes == 4 && b->mask != 0xffffffffu)) {
        return GPUCMD_I915_PRIV_STEPS;
    }
    return b->copy && b->rop == 0xcc ? GPUCMD_I915_PRIV_COPY
           : b->rop == 0xf0          ? GPUCMD_I915_PRIV_FILL
                                     : GPUCMD_I915_PRIV_STEPS;
}

/* Draw at most *n bytes of piece q. If the bytes are filled, stop when the work reaches *work. On
 * success write the drawn bytes to *n and the work done to *work. Work is measured in fractions of
 * a budget unit: GPUCMD_PRIV_UNIT_WORK is one unit. */
static gpucmd_status gpucmd_priv_i915_blit_part(gpucmd_mem *mem, const gpucmd_priv_i915_blit *b,
                                                const gpucmd_priv_i915_piece *q, int64_t *n,
                                                uint64_t *work)
{
    const gpucmd_priv_i915_way way = gpucmd_priv_i915_blit_way(b);
    uint64_t bytes = (uint64_t)*n;
    gpucmd_status status;
    if (way == GPUCMD_I915_PRIV_FILL) {
        uint8_t pattern[48]; /* 48 is a multiple of each valid pixel size */
        uint32_t i;
        for (i = 0; i < b->pixel_bytes; i++) {
            pattern[i] = (uint8_t)(b->color[i / 4] >> 8 * (i % 4));
        }
        gpucmd_priv_repeat(pattern, b->pixel_bytes, sizeof pattern);
        bytes = gpucmd_priv_work_limit((uint64_t)q->at, bytes, *work);
        status =
            gpucmd_priv_mem_fill(mem, q->dst, pattern, sizeof pattern, (uint64_t)q->at, &bytes);
        *work = gpucmd_priv_work((uint64_t)q->at, bytes);
        *n = (int64_t)bytes;
        return status;
    }
    if (way == GPUCMD_I915_PRIV_COPY) {
        *work = GPUCMD_PRIV_PIECE_WORK + bytes;
        return gpucmd_mem_copy(mem, q->dst, q->src, bytes);
    }
    *work = b->rop == 0xf0 || b->rop == 0xcc ? GPUCMD_PRIV_UNIT_WORK / 4 : GPUCMD_PRIV_UNIT_WORK;
    return gpucmd_priv_i915_blit_odd(b) ? gpucmd_priv_i915_blit_odd_piece(mem, b, q)
                                        : gpucmd_priv_i915_blit_piece(mem, b, q);
}

/* Draw the rest of a row. Stop earlier if the work done (cs->blt_used) is at least max_work. */
static gpucmd_status gpucmd_priv_i915_blit_row(const gpucmd_priv_i915_x *x,
                                               const gpucmd_priv_i915_blit *b, int64_t row,
                                               bool backward, uint64_t max_work)
{
    gpucmd_i915_cs *cs = x->cs;
    const gpucmd_priv_i915_way way = gpucmd_priv_i915_blit_way(b);
    const uint32_t src_tile = b->copy ? b->src_tile : (uint32_t)GPUCMD_I915_PRIV_LINEAR;
    const bool whole = way == GPUCMD_I915_PRIV_COPY && b->dst_tile == GPUCMD_I915_PRIV_LINEAR &&
                       src_tile == GPUCMD_I915_PRIV_LINEAR;
    gpucmd_status status = GPUCMD_OK;
    while ((int64_t)cs->blt_at < b->row_bytes && cs->blt_used < max_work && status == GPUCMD_OK) {
        const int64_t done = (int64_t)cs->blt_at;
        const int64_t rest = b->row_bytes - done;
        const int64_t edge = whole ? 0 : backward ? rest - 1 : done; /* the next byte to draw */
        const int64_t dst_left = gpucmd_priv_i915_texel_run(b->dst_tile, b->dst_x + edge, backward);
        const int64_t src_left = gpucmd_priv_i915_texel_run(src_tile, b->src_x + edge, backward);
        const int64_t most = way == GPUCMD_I915_PRIV_STEPS ? 64 : rest;
        int64_t n = most < rest ? most : rest;
        uint64_t work = max_work - cs->blt_used;
        gpucmd_priv_i915_piece q;
        q.src = gpucmd_priv_i915_texel(b->src_va, b->src_pitch, src_tile, b->src_x + edge,
                                       b->src_y + row);
        q.dst = gpucmd_priv_i915_texel(b->dst_va, b->dst_pitch, b->dst_tile, b->dst_x + edge,
                                       b->dst_y + row);
        if (whole) {
            uint64_t moved = work;
            status = gpucmd_priv_mem_part(x->env->mem, q.dst, q.src, (uint64_t)b->row_bytes,
                                          (uint64_t)done, &moved);
            n = status == GPUCMD_OK ? (int64_t)moved : 0;
            work = status == GPUCMD_OK ? gpucmd_priv_work((uint64_t)done, moved) : 0;
        } else {
            n = n < dst_left ? n : dst_left;
            n = n < src_left ? n : src_left;
            q.dst -= backward ? (uint64_t)(n - 1) : 0;
            q.src -= backward ? (uint64_t)(n - 1) : 0;
            q.at = backward ? rest - n : done;
            q.row = row;
            q.n = (uint32_t)n;
            status = gpucmd_priv_i915_blit_part(x->env->mem, b, &q, &n, &work);
        }
        cs->blt_at += (uint64_t)n;
        cs->blt_used += work;
    }
    return status;
}

/* Copy the words of a 2D command to cs->blt_dw, because the blit can overwrite them in memory. */
static void gpucmd_priv_i915_blit_begin(gpucmd_priv_i915_x *x)
{
    uint32_t i;
    for (i = 0; i < x->n && i < sizeof x->cs->blt_dw / 4; i++) {
        gpucmd_store32((uint8_t *)&x->cs->blt_dw[i], gpucmd_priv_i915_w(x, i),
                       GPUCMD_LITTLE_ENDIAN);
    }
}

/* Convert the work in cs->blt_used to budget units, and keep the remainder there. Add the units to
 * cs->units and subtract them from x->fuel. paid: x->fuel already lacks one of the units, of which
 * there is at least one. */
static void gpucmd_priv_i915_blit_pay(gpucmd_priv_i915_x *x, bool paid)
{
    const uint64_t units = x->cs->blt_used / GPUCMD_PRIV_UNIT_WORK;
    const uint64_t more = units - paid;
    x->cs->blt_used %= GPUCMD_PRIV_UNIT_WORK;
    x->cs->units += units;
    x->fuel -= more < x->fuel ? more : x->fuel;
}

/* Draw a blit as far as x->fuel allows. Return AGAIN if bytes remain. */
static uint32_t gpucmd_priv_i915_blit_run(gpucmd_priv_i915_x *x, const gpucmd_priv_i915_blit *b)
{
    gpucmd_i915_cs *cs = x->cs;
    const uint64_t dst = gpucmd_priv_mul((uint64_t)b->dst_y, (uint64_t)b->dst_pitch);
    const uint64_t src = gpucmd_priv_mul((uint64_t)b->src_y, (uint64_t)b->src_pitch);
    const bool backward =
        b->copy && b->dst_va + dst + (uint64_t)b->dst_x > b->src_va + src + (uint64_t)b->src_x;
    const bool upward = b->copy && backward == (b->dst_pitch >= 0); /* draw the last row first */
    const uint64_t max_work = (1 + (uint64_t)(uint32_t)x->fuel) * GPUCMD_PRIV_UNIT_WORK;
    if (b->rows <= 0 || b->row_bytes <= 0 || (b->pixel_bytes == 4 && b->mask == 0)) {
        return GPUCMD_I915_PRIV_DONE;
    }
    if (!gpucmd_priv_i915_tileable(b->dst_tile, b->dst_pitch, b->dst_x, b->dst_y) ||
        (b->copy && !gpucmd_priv_i915_tileable(b->src_tile, b->src_pitch, b->src_x, b->src_y))) {
        return gpucmd_priv_i915_error(x, GPUCMD_I915_ERROR_OPERAND, GPUCMD_INVALID);
    }
    if (!gpucmd_priv_i915_blit_began(cs)) {
        gpucmd_priv_i915_blit_begin(x);
        gpucmd_priv_i915_trace(x, GPUCMD_EVENT_MEM_WRITE, 0, (uint32_t)(b->row_bytes / 4),
                               b->dst_va, b->color[0]);
    }
    while ((int64_t)cs->blt_row < b->rows && cs->blt_used < max_work) {
        const int64_t row = upward ? b->rows - 1 - cs->blt_row : (int64_t)cs->blt_row;
        const gpucmd_status status = gpucmd_priv_i915_blit_row(x, b, row, backward, max_work);
        if (status != GPUCMD_OK) {
            return gpucmd_priv_i915_error(x, GPUCMD_I915_ERROR_MEMORY, status);
        }
        if ((int64_t)cs->blt_at == b->row_bytes) {
            cs->blt_at = 0;
            cs->blt_row++;
        }
    }
    gpucmd_priv_i915_blit_pay(x, (int64_t)cs->blt_row < b->rows);
    if ((int64_t)cs->blt_row < b->rows) {
        return GPUCMD_I915_PRIV_AGAIN;
    }
    gpucmd_priv_i915_blit_end(cs);
    return GPUCMD_I915_PRIV_DONE;
}

GPUCMD_INLINE int32_t gpucmd_priv_i915_s16(uint32_t v)
{
    return (int32_t)((v & 0xffff) ^ 0x8000) - 0x8000;
}

/* Initialise *b from DW0 (flags) and DW1 (br13) of a 2D command. */
static void gpucmd_priv_i915_blit_init(const gpucmd_priv_i915_x *x, gpucmd_priv_i915_blit *b,
                                       uint32_t flags, uint32_t br13)
{
    static const uint8_t bytes[4] = {1, 2, 2, 4};
    const bool tiles = x->cs->cmdset.gen >= GPUCMD_I915_GEN4;
    const uint32_t y_tiles =
        x->cs->cmdset.engine == GPUCMD_I915_BCS ? x->cs->reg[GPUCMD_I915_REG_SWCTRL / 4] : 0;
    const bool dst_tiled = tiles && (flags & GPUCMD_I915_BITS(BLT_DST_TILED)) != 0;
    const bool src_tiled = tiles && (flags & GPUCMD_I915_BITS(BLT_SRC_TILED)) != 0;
    gpucmd_priv_zero(b, sizeof *b);
    b->depth = GPUCMD_I915_GET(BLT_DEPTH, br13);
    b->pixel_bytes = bytes[b->depth];
    b->mask = ((flags & GPUCMD_I915_BITS(BLT_WRITE_ALPHA)) != 0 ? 0xff000000u : 0) |
              ((flags & GPUCMD_I915_BITS(BLT_WRITE_RGB)) != 0 ? 0x00ffffffu : 0);
    b->rop = GPUCMD_I915_GET(BLT_ROP, br13);
    b->dst_tile = dst_tiled ? GPUCMD_I915_PRIV_TILE_X + (y_tiles >> 1 & 1) : 0u;
    b->src_tile = src_tiled ? GPUCMD_I915_PRIV_TILE_X + (y_tiles & 1) : 0u;
    b->dst_pitch = gpucmd_priv_i915_s16(br13) * (dst_tiled ? 4 : 1);
}

/* Set the destination of a blit. Words `top`, `bottom`: upper left and lower right corner (Y in
 * 31:16, X in 15:0). clip: reduce the rectangle to the clip rectangle of XY_SETUP_*. */
static void gpucmd_priv_i915_blit_rect(const gpucmd_priv_i915_x *x, gpucmd_priv_i915_blit *b,
                                       uint32_t top, uint32_t bottom, bool clip)
{
    const uint32_t *setup = x->cs->setup;
    const int32_t bytes = (int32_t)b->pixel_bytes;
    int32_t x1 = gpucmd_priv_i915_s16(top), y1 = gpucmd_priv_i915_s16(top >> 16);
    int32_t x2 = gpucmd_priv_i915_s16(bottom), y2 = gpucmd_priv_i915_s16(bottom >> 16);
    b->dst_x = x1;
    b->dst_y = y1;
    if (clip) {
        const int32_t cx1 = gpucmd_priv_i915_s16(setup[2]);
        const int32_t cy1 = gpucmd_priv_i915_s16(setup[2] >> 16);
        const int32_t cx2 = gpucmd_priv_i915_s16(setup[3]);
        const int32_t cy2 = gpucmd_priv_i915_s16(setup[3] >> 16);
        x1 = x1 < cx1 ? cx1 : x1;
        y1 = y1 < cy1 ? cy1 : y1;
        x2 = x2 > cx2 ? cx2 : x2;
        y2 = y2 > cy2 ? cy2 : y2;
    }
    b->src_x = (x1 - (int32_t)b->dst_x) * bytes; /* number of bytes clipped on the left */
    b->src_y = y1 - b->dst_y;
    b->dst_x = x1 * bytes;
    b->dst_y = y1;
    b->row_bytes = (x2 - x1) * bytes;
    b->rows = y2 - y1;
}

/* Set the source of a blit. Parameters corner, pitch and address: numbers of the words with the
 * upper left corner (Y in 31:16, X in 15:0), the pitch and the address. Pixels whose source X or Y
 * is negative are not drawn. [PRM5] [PRM7] [PRM9] */
static void gpucmd_priv_i915_blit_src(const gpucmd_priv_i915_x *x, gpucmd_priv_i915_blit *b,
                                      uint32_t corner, uint32_t pitch, uint32_t address)
{
    const uint32_t yx = gpucmd_priv_i915_w(x, corner);
    b->src_x += gpucmd_priv_i915_s16(yx) * (int32_t)b->pixel_bytes;
    b->src_y += gpucmd_priv_i915_s16(yx >> 16);
    b->src_pitch = gpucmd_priv_i915_s16(gpucmd_priv_i915_w(x, pitch)) *
                   (b->src_tile != GPUCMD_I915_PRIV_LINEAR ? 4 : 1);
    b->src_va = gpucmd_priv_i915_address(x, address);
    b->copy = true;
    if (b->src_x < 0) {
        b->dst_x -= b->src_x;
        b->row_bytes += b->src_x;
        b->src_x = 0;
    }
    if (b->src_y < 0) {
        b->dst_y -= b->src_y;
        b->rows += b->src_y;
        b->src_y = 0;
    }
}

static uint32_t gpucmd_priv_i915_xy_blt(gpucmd_priv_i915_x *x, bool copy)
{
    const uint32_t br13 = gpucmd_priv_i915_w(x, 1);
    const uint32_t at = x->cs->cmdset.gen >= GPUCMD_I915_GEN8 ? 6 : 5;
    gpucmd_priv_i915_blit b;
    gpucmd_priv_i915_blit_init(x, &b, x->head, br13);
    b.dst_va = gpucmd_priv_i915_address(x, 4);
    gpucmd_priv_i915_blit_rect(x, &b, gpucmd_priv_i915_w(x, 2), gpucmd_priv_i915_w(x, 3),
                               (br13 & GPUCMD_I915_BITS(BLT_CLIP)) != 0);
    if (copy) {
        gpucmd_priv_i915_blit_src(x, &b, at, at + 1, at + 2);
    } else {
        b.color[0] = gpucmd_priv_i915_w(x, at);
    }
    return gpucmd_priv_i915_blit_run(x, &b);
}

/* Execute COLOR_BLT or SRC_COPY_BLT (copy is true), whose width is in bytes. If X_DIRECTION of
 * SRC_COPY_BLT is set, the addresses are those of the first row's last byte. [PRM5] [I815] */
static uint32_t gpucmd_priv_i915_byte_blt(gpucmd_priv_i915_x *x, bool copy)
{
    const uint32_t wide = x->cs->cmdset.gen >= GPUCMD_I915_GEN8;
    const uint32_t br13 = gpucmd_priv_i915_w(x, 1);
    gpucmd_priv_i915_blit b;
    gpucmd_priv_i915_blit_init(x, &b, x->head, br13);
    b.dst_tile = GPUCMD_I915_PRIV_LINEAR;
    b.src_tile = GPUCMD_I915_PRIV_LINEAR;
    b.dst_pitch = gpucmd_priv_i915_s16(br13);
    b.rows = gpucmd_priv_i915_w(x, 2) >> 16;
    b.row_bytes = gpucmd_priv_i915_w(x, 2) & 0xffff;
    b.dst_va = gpucmd_priv_i915_address(x, 3);
    if (copy) {
        b.copy = true;
        b.src_pitch = gpucmd_priv_i915_s16(gpucmd_priv_i915_w(x, 4 + wide));
        b.src_va = gpucmd_priv_i915_address(x, 5 + wide);
        if ((br13 & GPUCMD_I915_BITS(BLT_X_DIRECTION)) != 0) {
            b.dst_x = 1 - b.row_bytes;
            b.src_x = 1 - b.row_bytes;
        }
    } else {
        b.color[0] = gpucmd_priv_i915_w(x, 4 + wide);
    }
    return gpucmd_priv_i915_blit_run(x, &b);
}

/* Set a source of bits at va, for rows of width pixels before clipping. A row starts at a multiple
 * of align bits. Its first skip bits and the bits of clipped pixels are not used. [SNA] [I815] */
static void gpucmd_priv_i915_blit_bits(gpucmd_priv_i915_blit *b, uint64_t va, uint32_t skip,
                                       int64_t width, int64_t align)
{
    b->bits = true;
    b->mono_va = va;
    b->row_bits = (skip + width + align - 1) & -align;
    b->bit =
        (int64_t)skip + (int64_t)gpucmd_priv_shr((uint64_t)b->src_x, gpucmd_priv_i915_odd_log2(b));
}

/* Return the width in pixels, before clipping, of the rectangle with corners `top` and `bottom`. */
static int64_t gpucmd_priv_i915_blit_width(uint32_t top, uint32_t bottom)
{
    return gpucmd_priv_i915_s16(bottom) - gpucmd_priv_i915_s16(top);
}

/* Set a pattern of 8 by 8 bits. `low` has rows 0 to 3, `high` rows 4 to 7. If br13 has SOLID, draw
 * only the background color, or nothing if the pattern is transparent. [I815] [PRM5] [PRM7] */
static void gpucmd_priv_i915_blit_tile(gpucmd_priv_i915_blit *b, uint32_t br13, uint32_t low,
                                       uint32_t high)
{
    b->keep_tile = (GPUCMD_I915_GET(BLT_TRANSPARENT, br13) & 1) != 0;
    if ((br13 & GPUCMD_I915_BITS(BLT_SOLID)) != 0) {
        b->color[0] = b->tile_color[0];
        b->rows = b->keep_tile ? 0 : b->rows;
        return;
    }
    b->tile = true;
    b->tile_bits[0] = low;
    b->tile_bits[1] = high;
}

/* Set the pattern of XY_MONO_PAT_FIXED_BLT that has this number. GPUCMD_INVALID: none has it. */
static gpucmd_status gpucmd_priv_i915_blit_fixed(gpucmd_priv_i915_blit *b, uint32_t br13,
                                                 uint32_t number)
{
    br13 &= ~GPUCMD_I915_BITS(BLT_SOLID); /* this command has no SOLID */
#define GPUCMD_I915_PRIV_FIXED(n, name, low, high)                                                 \
    case n: gpucmd_priv_i915_blit_tile(b, br13, low, high); return GPUCMD_OK;
    switch (number) {
        GPUCMD_I915_FIXED_PATTERNS(GPUCMD_I915_PRIV_FIXED)
    }
#undef GPUCMD_I915_PRIV_FIXED
    return GPUCMD_INVALID;
}

/* Set a pattern of 8 by 8 pixels at va, if the raster operation depends on the pattern. */
static void gpucmd_priv_i915_blit_pixels(gpucmd_priv_i915_blit *b, uint64_t va)
{
    b->pixels = ((b->rop >> 4 ^ b->rop) & 0x0f) != 0;
    b->pattern_va = va;
}

/* Return word number i of the command. As gpucmd_priv_i915_w, but not inline, to save code. */
static uint32_t gpucmd_priv_i915_arg(const gpucmd_priv_i915_x *x, uint32_t i)
{
    return gpucmd_priv_i915_w(x, i);
}

static uint64_t gpucmd_priv_i915_arg_va(const gpucmd_priv_i915_x *x, uint32_t i)
{
    return gpucmd_priv_i915_address(x, i);
}

/* Return true if the command has at least `need` bits from word number `first` to its end. */
static bool gpucmd_priv_i915_blit_has(const gpucmd_priv_i915_x *x, uint32_t first, int64_t need)
{
    return first < x->n && need <= 32 * (int64_t)(x->n - first);
}

/* Return true if the words from number `first` on contain all source bits of the rectangle with the
 * corners `top` and `bottom`. An empty rectangle needs no bits. */
static bool gpucmd_priv_i915_blit_has_bits(const gpucmd_priv_i915_x *x,
                                           const gpucmd_priv_i915_blit *b, uint32_t first,
                                           uint32_t top, uint32_t bottom)
{
    const int64_t height = gpucmd_priv_i915_s16(bottom >> 16) - gpucmd_priv_i915_s16(top >> 16);
    return height <= 0 || gpucmd_priv_i915_blit_width(top, bottom) <= 0 ||
           gpucmd_priv_i915_blit_has(
               x, first, (int64_t)gpucmd_priv_mul((uint64_t)b->row_bits, (uint64_t)height));
}

/* Execute XY_SETUP_*: copy to cs->setup the flags, BR13, clip rectangle, destination, background,
 * foreground, and the pattern (mono is true) or its address. */
static uint32_t gpucmd_priv_i915_setup_blt(gpucmd_priv_i915_x *x, bool mono)
{
    uint32_t i;
    gpucmd_i915_cs *cs = x->cs;
    const uint32_t wide = cs->cmdset.gen >= GPUCMD_I915_GEN8;
    cs->setup[0] = x->head;
    for (i = 1; i <= 4; i++) {
        cs->setup[i] = gpucmd_priv_i915_w(x, i);
    }
    cs->setup_dst_high = wide != 0 ? gpucmd_priv_i915_w(x, 5) & 0xffff : 0;
    for (i = 5; i <= 7; i++) {
        cs->setup[i] = gpucmd_priv_i915_w(x, i + wide);
    }
    cs->setup[8] = mono        ? gpucmd_priv_i915_w(x, 8 + wide)
                   : wide != 0 ? gpucmd_priv_i915_w(x, 9) & 0xffff
                               : 0;
    return GPUCMD_I915_PRIV_DONE;
}

/* Initialise *b from the last XY_SETUP_*. top, bottom: words with the corners of the rectangle. */
static void gpucmd_priv_i915_setup_init(const gpucmd_priv_i915_x *x, gpucmd_priv_i915_blit *b,
                                        uint32_t top, uint32_t bottom)
{
    const uint32_t *setup = x->cs->setup;
    const uint32_t tiled = x->head & GPUCMD_I915_BITS(BLT_DST_TILED);
    gpucmd_priv_i915_blit_init(x, b, setup[0] | tiled, setup[1]);
    b->dst_va = setup[4] | (uint64_t)x->cs->setup_dst_high << 32;
    gpucmd_priv_i915_blit_rect(x, b, top, bottom, (setup[1] & GPUCMD_I915_BITS(BLT_CLIP)) != 0);
}

/* Execute XY_PIXEL_BLT: draw one pixel in the background color. [I815] */
static uint32_t gpucmd_priv_i915_pixel_blt(gpucmd_priv_i915_x *x)
{
    const uint32_t yx = gpucmd_priv_i915_w(x, 1);
    gpucmd_priv_i915_blit b;
    gpucmd_priv_i915_setup_init(x, &b, yx, ((yx + 0x10000u) & 0xffff0000u) | ((yx + 1) & 0xffffu));
    b.color[0] = x->cs->setup[5];
    return gpucmd_priv_i915_blit_run(x, &b);
}

/* Execute XY_SCANLINES_BLT: draw a rectangle with the pattern of the last XY_SETUP_*. */
static uint32_t gpucmd_priv_i915_scanlines_blt(gpucmd_priv_i915_x *x)
{
    const uint32_t *setup = x->cs->setup;
    gpucmd_priv_i915_blit b;
    gpucmd_priv_i915_setup_init(x, &b, gpucmd_priv_i915_arg(x, 1), gpucmd_priv_i915_arg(x, 2));
    b.pattern_x = GPUCMD_I915_GET(BLT_PATTERN_X, x->head);
    b.pattern_y = GPUCMD_I915_GET(BLT_PATTERN_Y, x->head);
    b.tile_color[0] = setup[5];
    b.tile_color[1] = setup[6];
    if (setup[0] >> 22 == (uint32_t)GPUCMD_I915_HDR_XY_SETUP_MONO_PATTERN_SL_BLT >> 22 ||
        (setup[1] & GPUCMD_I915_BITS(BLT_SOLID)) != 0) {
        gpucmd_priv_i915_blit_tile(&b, setup[1], setup[7], setup[8]);
    } else {
        gpucmd_priv_i915_blit_pixels(&b, setup[7] | (uint64_t)setup[8] << 32);
    }
    return gpucmd_priv_i915_blit_run(x, &b);
}

/* Execute XY_TEXT_*: draw source bits in the colors of the last XY_SETUP_*. data: number of the
 * word with the first bits; 0: word 3 contains the address of the bits. [SNA] */
static uint32_t gpucmd_priv_i915_text_blt(gpucmd_priv_i915_x *x, uint32_t data)
{
    const uint32_t *setup = x->cs->setup;
    const uint32_t top = gpucmd_priv_i915_arg(x, 1), bottom = gpucmd_priv_i915_arg(x, 2);
    const bool bytes = (x->head & GPUCMD_I915_BITS(BLT_BYTE_PACKED)) != 0;
    gpucmd_priv_i915_blit b;
    gpucmd_priv_i915_setup_init(x, &b, top, bottom);
    b.src_color[0] = setup[5];
    b.src_color[1] = setup[6];
    b.keep_src = GPUCMD_I915_GET(BLT_TRANSPARENT, setup[1]) >> 1 != 0;
    gpucmd_priv_i915_blit_bits(
        &b, data != 0 ? x->va + 4 * (uint64_t)data : gpucmd_priv_i915_arg_va(x, 3), 0,
        gpucmd_priv_i915_blit_width(top, bottom), bytes ? 8 : 1);
    if (data != 0 && !gpucmd_priv_i915_blit_has_bits(x, &b, data, top, bottom)) {
        return gpucmd_priv_i915_error(x, GPUCMD_I915_ERROR_LENGTH, GPUCMD_TRUNCATED);
    }
    return gpucmd_priv_i915_blit_run(x, &b);
}

/* Set the source of *b from the command's words, from word number *at on, and move *at after the
 * source and its colors. parts: mask of the command's parts. Return false if words are missing. */
static bool gpucmd_priv_i915_parts_src(gpucmd_priv_i915_x *x, gpucmd_priv_i915_blit *b,
                                       uint32_t parts, uint32_t *at)
{
    const uint32_t wide = x->cs->cmdset.gen >= GPUCMD_I915_GEN8 ? 2 : 1;
    const uint32_t top = gpucmd_priv_i915_arg(x, 2), bottom = gpucmd_priv_i915_arg(x, 3);
    const bool immediate = (parts & GPUCMD_I915_PRIV_BLT_MONO) == 0;
    const bool pitch_first = (parts & GPUCMD_I915_PRIV_BLT_FULL_SRC) != 0;
    uint64_t bits_va = 0;
    if (pitch_first || (parts & GPUCMD_I915_PRIV_BLT_COPY_SRC) != 0) {
        gpucmd_priv_i915_blit_src(x, b, *at + pitch_first, *at + !pitch_first, *at + 2);
        *at += 2 + wide;
    }
    if (!immediate) {
        bits_va = gpucmd_priv_i915_arg_va(x, *at);
        *at += wide;
    }
    if ((parts & GPUCMD_I915_PRIV_BLT_COLORS) != 0) {
        b->src_color[0] = gpucmd_priv_i915_arg(x, *at);
        b->src_color[1] = gpucmd_priv_i915_arg(x, *at + 1);
        *at += 2;
        b->keep_src = GPUCMD_I915_GET(BLT_TRANSPARENT, gpucmd_priv_i915_arg(x, 1)) >> 1 != 0;
        gpucmd_priv_i915_blit_bits(b, immediate ? x->va + 4 * (uint64_t)*at : bits_va,
                                   GPUCMD_I915_GET(BLT_FIRST_BIT, x->head),
                                   gpucmd_priv_i915_blit_width(top, bottom), 16);
        return !immediate || gpucmd_priv_i915_blit_has_bits(x, b, *at, top, bottom);
    }
    return true;
}

/* Set the pattern and the color range of *b from the command's words, from word number `at` on.
 * GPUCMD_TRUNCATED: words are missing. GPUCMD_INVALID: a field has an invalid value. */
static gpucmd_status gpucmd_priv_i915_parts_pattern(gpucmd_priv_i915_x *x, gpucmd_priv_i915_blit *b,
                                                    uint32_t parts, uint32_t at)
{
    const uint32_t br13 = gpucmd_priv_i915_arg(x, 1);
    if ((parts & GPUCMD_I915_PRIV_BLT_PATTERN_COLORS) != 0) {
        b->tile_color[0] = gpucmd_priv_i915_arg(x, at);
        b->tile_color[1] = gpucmd_priv_i915_arg(x, at + 1);
        if ((parts & GPUCMD_I915_PRIV_BLT_PATTERN_WORDS) == 0) {
            return gpucmd_priv_i915_blit_fixed(b, br13, GPUCMD_I915_GET(BLT_NUMBER, x->head));
        }
        gpucmd_priv_i915_blit_tile(b, br13, gpucmd_priv_i915_arg(x, at + 2),
                                   gpucmd_priv_i915_arg(x, at + 3));
        return GPUCMD_OK;
    }
    if ((parts & GPUCMD_I915_PRIV_BLT_PATTERN) != 0) {
        gpucmd_priv_i915_blit_pixels(b, gpucmd_priv_i915_arg_va(x, at));
        at += x->cs->cmdset.gen >= GPUCMD_I915_GEN8 ? 2 : 1;
    }
    if ((parts & GPUCMD_I915_PRIV_BLT_KEY) != 0) {
        b->range = GPUCMD_I915_GET(BLT_RANGE_MODE, x->head);
        b->key[0] = gpucmd_priv_i915_arg(x, at);
        b->key[1] = gpucmd_priv_i915_arg(x, at + 1);
        at += 2;
        if (!b->copy && (b->range == 1 || b->range == 3)) {
            return GPUCMD_INVALID;
        }
    }
    if ((parts & GPUCMD_I915_PRIV_BLT_DATA) != 0 &&
        parts != GPUCMD_I915_PRIV_PARTS_XY_MONO_SRC_COPY_IMMEDIATE_BLT) {
        gpucmd_priv_i915_blit_pixels(b, x->va + 4 * (uint64_t)at);
        return gpucmd_priv_i915_blit_has(x, at, 512 * (int64_t)b->pixel_bytes) ? GPUCMD_OK
                                                                               : GPUCMD_TRUNCATED;
    }
    return GPUCMD_OK;
}

/* Execute a 2D command of GPUCMD_I915_EXECUTED_PARTS. parts: its GPUCMD_I915_PRIV_PARTS_*. */
static uint32_t gpucmd_priv_i915_parts_blt(gpucmd_priv_i915_x *x, uint32_t parts)
{
    const uint32_t br13 = gpucmd_priv_i915_arg(x, 1);
    uint32_t at = x->cs->cmdset.gen >= GPUCMD_I915_GEN8 ? 6 : 5;
    gpucmd_priv_i915_blit b;
    gpucmd_priv_i915_blit_init(x, &b, x->head, br13);
    b.pattern_x = GPUCMD_I915_GET(BLT_PATTERN_X, x->head);
    b.pattern_y = GPUCMD_I915_GET(BLT_PATTERN_Y, x->head);
    b.dst_va = gpucmd_priv_i915_arg_va(x, 4);
    gpucmd_priv_i915_blit_rect(x, &b, gpucmd_priv_i915_arg(x, 2), gpucmd_priv_i915_arg(x, 3),
                               (br13 & GPUCMD_I915_BITS(BLT_CLIP)) != 0);
    if (!gpucmd_priv_i915_parts_src(x, &b, parts, &at)) {
        return gpucmd_priv_i915_error(x, GPUCMD_I915_ERROR_LENGTH, GPUCMD_TRUNCATED);
    }
    const gpucmd_status status = gpucmd_priv_i915_parts_pattern(x, &b, parts, at);
    if (status != GPUCMD_OK) {
        return gpucmd_priv_i915_error(
            x, status == GPUCMD_INVALID ? GPUCMD_I915_ERROR_OPERAND : GPUCMD_I915_ERROR_LENGTH,
            status);
    }
    return gpucmd_priv_i915_blit_run(x, &b);
}

/* Convert a tiling field of XY_FAST_COPY_BLT (0, 1 or 2) to GPUCMD_I915_PRIV_LINEAR, TILE_X or
 * TILE_Y. If `four` is true, value 2 is TILE_4. [BLTT] */
static uint32_t gpucmd_priv_i915_fast_tile(uint32_t tiling, bool four)
{
    return tiling == 2 && four ? (uint32_t)GPUCMD_I915_PRIV_TILE_4 : tiling;
}

static uint32_t gpucmd_priv_i915_fast_copy(gpucmd_priv_i915_x *x)
{
    static const uint8_t bytes[8] = {1, 2, 0, 4, 8, 16, 0, 0};
    const uint32_t dw1 = gpucmd_priv_i915_w(x, 1);
    const uint32_t src = GPUCMD_I915_GET(XY_FAST_COPY_BLT_SRC_TILING, x->head);
    const uint32_t dst = GPUCMD_I915_GET(XY_FAST_COPY_BLT_DST_TILING, x->head);
    const bool fours = x->cs->cmdset.gen >= GPUCMD_I915_GEN12_5;
    gpucmd_priv_i915_blit b;
    if (src == 3 || dst == 3 || (!fours && dw1 >> 30 != 0)) {
        return gpucmd_priv_i915_to_caller(x);
    }
    gpucmd_priv_i915_blit_init(x, &b, 0, dw1);
    b.pixel_bytes = bytes[GPUCMD_I915_GET(XY_FAST_COPY_BLT_DEPTH, dw1)];
    if (b.pixel_bytes == 0) {
        return gpucmd_priv_i915_error(x, GPUCMD_I915_ERROR_OPERAND, GPUCMD_INVALID);
    }
    b.mask = 0xffffffffu;
    b.rop = 0xcc;
    b.dst_tile = gpucmd_priv_i915_fast_tile(dst, dw1 >> 30 & 1);
    b.src_tile = gpucmd_priv_i915_fast_tile(src, dw1 >> 31);
    b.dst_pitch = dst != 0 ? 4 * b.dst_pitch : b.dst_pitch;
    b.dst_va = gpucmd_priv_i915_address(x, 4);
    gpucmd_priv_i915_blit_rect(x, &b, gpucmd_priv_i915_w(x, 2), gpucmd_priv_i915_w(x, 3), false);
    gpucmd_priv_i915_blit_src(x, &b, 6, 7, 8);
    return gpucmd_priv_i915_blit_run(x, &b);
}

/* Bytes of a pixel by field DEPTH of XY_FAST_COLOR_BLT and XY_BLOCK_COPY_BLT; 0: invalid DEPTH. */
static const uint8_t gpucmd_priv_i915_fast_bytes[8] = {1, 2, 4, 8, 12, 16, 0, 0};

/* Bits of DW0 for which XY_BLOCK_COPY_BLT and XY_FAST_COLOR_BLT are only passed to the callback. */
#define GPUCMD_I915_PRIV_MODES                                                                     \
    (GPUCMD_I915_BITS(XY_BLOCK_COPY_BLT_SPECIAL_MODE) | GPUCMD_I915_BITS(XY_BLOCK_COPY_BLT_SAMPLES))

/* Write tiling and pitch of a surface of XY_BLOCK_COPY_BLT or XY_FAST_COLOR_BLT to *tile and
 * *pitch. Return false if the executor cannot draw it: it has another tiling, compression, a clear
 * color, offsets, a level or an array index. [IBLT]
 *   at        numbers of the words with [0] layout, [1] offsets, [2] clear color, [3] level
 *   pitch     the field is the pitch minus 1, in bytes, or in words if the surface is tiled
 *   tiling 1  TILE_Y on gen12, TILE_X on gen12.5 and later
 *   tiling 2  TILE_4 on gen12.5 and later */
static bool gpucmd_priv_i915_surface(const gpucmd_priv_i915_x *x, const uint8_t at[4],
                                     uint32_t *tile, int64_t *pitch)
{
    const uint32_t layout = at[0], offsets = at[1], clear = at[2], lod = at[3];
    static const uint8_t tiles[2][4] = {
        {GPUCMD_I915_PRIV_LINEAR, GPUCMD_I915_PRIV_TILE_Y, 0xff,                    0xff},
        {GPUCMD_I915_PRIV_LINEAR, GPUCMD_I915_PRIV_TILE_X, GPUCMD_I915_PRIV_TILE_4, 0xff}
    };
    const uint32_t dw = gpucmd_priv_i915_w(x, layout);
    const uint32_t extra = GPUCMD_I915_BITS(XY_BLOCK_COPY_BLT_COMPRESSED) |
                           GPUCMD_I915_BITS(XY_BLOCK_COPY_BLT_CONTROL_SURFACE) |
                           GPUCMD_I915_BITS(XY_BLOCK_COPY_BLT_AUX_MODE);
    *tile = tiles[x->cs->cmdset.gen >= GPUCMD_I915_GEN12_5 ? 1 : 0]
                 [GPUCMD_I915_GET(XY_BLOCK_COPY_BLT_TILING, dw)];
    *pitch = ((int64_t)GPUCMD_I915_GET(XY_BLOCK_COPY_BLT_PITCH, dw) + 1) *
             (*tile != GPUCMD_I915_PRIV_LINEAR ? 4 : 1);
    return *tile != 0xff && (dw & extra) == 0 &&
           (gpucmd_priv_i915_w(x, offsets) &
            ~GPUCMD_I915_BITS(XY_BLOCK_COPY_BLT_DST_SYSTEM_MEMORY)) == 0 &&
           (x->n <= lod + 1 ||
            ((gpucmd_priv_i915_w(x, clear) & (GPUCMD_I915_BITS(XY_BLOCK_COPY_BLT_SRC_CLEAR) |
                                              GPUCMD_I915_BITS(XY_BLOCK_COPY_BLT_SRC_FORMAT))) |
             GPUCMD_I915_GET(XY_BLOCK_COPY_BLT_DST_LOD, gpucmd_priv_i915_w(x, lod)) |
             GPUCMD_I915_GET(XY_BLOCK_COPY_BLT_DST_INDEX, gpucmd_priv_i915_w(x, lod + 1))) == 0);
}

/* Execute XY_BLOCK_COPY_BLT. If it has samples, a special mode, or a surface that
 * gpucmd_priv_i915_surface rejects, only pass it to the callback. */
static uint32_t gpucmd_priv_i915_block_copy(gpucmd_priv_i915_x *x)
{
    gpucmd_priv_i915_blit b;
    uint32_t dst_tile, src_tile;
    int64_t dst_pitch, src_pitch;
    static const uint8_t dst_at[4] = {1, 6, 14, 17}, src_at[4] = {8, 11, 12, 20};
    const bool dst = gpucmd_priv_i915_surface(x, dst_at, &dst_tile, &dst_pitch);
    const bool src = gpucmd_priv_i915_surface(x, src_at, &src_tile, &src_pitch);
    if (!dst || !src || (x->head & GPUCMD_I915_PRIV_MODES) != 0) {
        return gpucmd_priv_i915_to_caller(x);
    }
    gpucmd_priv_zero(&b, sizeof b);
    b.pixel_bytes = gpucmd_priv_i915_fast_bytes[GPUCMD_I915_GET(XY_BLOCK_COPY_BLT_DEPTH, x->head)];
    if (b.pixel_bytes == 0) {
        return gpucmd_priv_i915_error(x, GPUCMD_I915_ERROR_OPERAND, GPUCMD_INVALID);
    }
    b.mask = 0xffffffffu;
    b.rop = 0xcc;
    b.dst_tile = dst_tile;
    b.src_tile = src_tile;
    b.dst_va = gpucmd_priv_i915_address(x, 4);
    gpucmd_priv_i915_blit_rect(x, &b, gpucmd_priv_i915_w(x, 2), gpucmd_priv_i915_w(x, 3), false);
    gpucmd_priv_i915_blit_src(x, &b, 7, 8, 9);
    b.dst_pitch = dst_pitch;
    b.src_pitch = src_pitch;
    return gpucmd_priv_i915_blit_run(x, &b);
}

/* Initialise *b for MEM_COPY or MEM_SET, as a blit of bytes: one row, or a matrix of rows. */
static void gpucmd_priv_i915_mem_init(const gpucmd_priv_i915_x *x, gpucmd_priv_i915_blit *b,
                                      bool matrix)
{
    gpucmd_priv_zero(b, sizeof *b);
    b->pixel_bytes = 1;
    b->row_bytes = (int64_t)GPUCMD_I915_GET(MEM_COPY_WIDTH, gpucmd_priv_i915_w(x, 1)) + 1;
    b->rows = matrix ? (int64_t)GPUCMD_I915_GET(MEM_COPY_ROWS, gpucmd_priv_i915_w(x, 2)) + 1 : 1;
}

/* Execute MEM_COPY. If it has compression, a matrix of pages, or two matrices of different pitches
 * that can overlap, only pass it to the callback. */
static uint32_t gpucmd_priv_i915_mem_copy(gpucmd_priv_i915_x *x)
{
    const uint32_t type = GPUCMD_I915_GET(MEM_COPY_TYPE, x->head);
    const bool pages = (x->head & GPUCMD_I915_BITS(MEM_COPY_PAGE_MODE)) != 0;
    gpucmd_priv_i915_blit b;
    if (type > 1) {
        return gpucmd_priv_i915_error(x, GPUCMD_I915_ERROR_OPERAND, GPUCMD_INVALID);
    }
    gpucmd_priv_i915_mem_init(x, &b, type == 1);
    b.copy = true;
    b.rop = 0xcc;
    b.src_pitch = (int64_t)GPUCMD_I915_GET(MEM_COPY_SRC_PITCH, gpucmd_priv_i915_w(x, 3)) + 1;
    b.dst_pitch = (int64_t)GPUCMD_I915_GET(MEM_COPY_PITCH, gpucmd_priv_i915_w(x, 4)) + 1;
    b.src_va = gpucmd_priv_i915_address(x, 5);
    b.dst_va = gpucmd_priv_i915_address(x, 7);
    const uint64_t apart = b.dst_va > b.src_va ? b.dst_va - b.src_va : b.src_va - b.dst_va;
    if (GPUCMD_I915_GET(MEM_COPY_FORMAT, x->head) != 0 || (pages && type == 1) ||
        (type == 1 && b.src_pitch != b.dst_pitch &&
         apart < gpucmd_priv_mul((uint64_t)(b.src_pitch > b.dst_pitch ? b.src_pitch : b.dst_pitch),
                                 (uint64_t)b.rows) +
                     (uint64_t)b.row_bytes)) {
        return gpucmd_priv_i915_to_caller(x);
    }
    b.row_bytes = pages ? 256 * b.row_bytes : b.row_bytes;
    return gpucmd_priv_i915_blit_run(x, &b);
}

/* Execute MEM_SET. If it is a fast clear or has compression, only pass it to the callback. Mode 1,
 * which evicts cache lines, has no effect. */
static uint32_t gpucmd_priv_i915_mem_set(gpucmd_priv_i915_x *x)
{
    const uint32_t mode = GPUCMD_I915_GET(MEM_SET_MODE, x->head);
    const uint32_t type = GPUCMD_I915_GET(MEM_SET_TYPE, x->head);
    gpucmd_priv_i915_blit b;
    if (mode > 1) {
        return gpucmd_priv_i915_error(x, GPUCMD_I915_ERROR_OPERAND, GPUCMD_INVALID);
    }
    if (mode == 1) {
        return GPUCMD_I915_PRIV_DONE;
    }
    if (type > 1 || GPUCMD_I915_GET(MEM_SET_FORMAT, x->head) != 0) {
        return gpucmd_priv_i915_to_caller(x);
    }
    gpucmd_priv_i915_mem_init(x, &b, type == 1);
    b.rop = 0xf0;
    b.dst_pitch = (int64_t)GPUCMD_I915_GET(MEM_SET_PITCH, gpucmd_priv_i915_w(x, 3)) + 1;
    b.dst_va = gpucmd_priv_i915_address(x, 4);
    b.color[0] = GPUCMD_I915_GET(MEM_SET_FILL, gpucmd_priv_i915_w(x, 6));
    return gpucmd_priv_i915_blit_run(x, &b);
}

/* Execute XY_FAST_COLOR_BLT. If it has samples, a special mode, or a surface that
 * gpucmd_priv_i915_surface rejects, only pass it to the callback. */
static uint32_t gpucmd_priv_i915_fast_color(gpucmd_priv_i915_x *x)
{
    gpucmd_priv_i915_blit b;
    static const uint8_t at[4] = {1, 6, 11, 14};
    uint32_t i, tile;
    int64_t pitch;
    if (!gpucmd_priv_i915_surface(x, at, &tile, &pitch) ||
        (x->head & GPUCMD_I915_PRIV_MODES) != 0) {
        return gpucmd_priv_i915_to_caller(x);
    }
    gpucmd_priv_zero(&b, sizeof b);
    b.pixel_bytes = gpucmd_priv_i915_fast_bytes[GPUCMD_I915_GET(XY_FAST_COLOR_BLT_DEPTH, x->head)];
    if (b.pixel_bytes == 0) {
        return gpucmd_priv_i915_error(x, GPUCMD_I915_ERROR_OPERAND, GPUCMD_INVALID);
    }
    b.mask = 0xffffffffu;
    b.rop = 0xf0;
    b.dst_tile = tile;
    b.dst_pitch = pitch;
    b.dst_va = gpucmd_priv_i915_address(x, 4);
    gpucmd_priv_i915_blit_rect(x, &b, gpucmd_priv_i915_w(x, 2), gpucmd_priv_i915_w(x, 3), false);
    for (i = 0; i < 4; i++) {
        b.color[i] = gpucmd_priv_i915_w(x, 7 + i);
    }
    return gpucmd_priv_i915_blit_run(x, &b);
}

static uint32_t gpucmd_priv_i915_setup_clip_blt(gpucmd_priv_i915_x *x)
{
    x->cs->setup[2] = gpucmd_priv_i915_w(x, 1);
    x->cs->setup[3] = gpucmd_priv_i915_w(x, 2);
    return GPUCMD_I915_PRIV_DONE;
}

GPUCMD_I915_PRIV_COMMAND uint32_t gpucmd_priv_i915_exec_2d(gpucmd_priv_i915_x *x, gpucmd_i915_op op)
{
#define GPUCMD_I915_PRIV_EXECUTED(name, function, arguments)                                       \
    case GPUCMD_I915_OP_##name:                                                                    \
        return gpucmd_priv_i915_##function arguments;
#define GPUCMD_I915_PRIV_PARTS_CASE(name)                                                          \
    case GPUCMD_I915_OP_##name: return gpucmd_priv_i915_parts_blt(x, GPUCMD_I915_PRIV_PARTS_##name);
    switch ((uint32_t)op) {
        GPUCMD_I915_EXECUTED_2D(GPUCMD_I915_PRIV_EXECUTED)
        GPUCMD_I915_EXECUTED_PARTS(GPUCMD_I915_PRIV_PARTS_CASE)
    }
#undef GPUCMD_I915_PRIV_EXECUTED
#undef GPUCMD_I915_PRIV_PARTS_CASE
    return gpucmd_priv_i915_to_caller(x);
}

/* ==== [I915.IMPL.KERNEL] =================================================================== */

GPUCMD_LAYOUT_ASSERTS(GPUCMD_I915_STRUCTS)

GPUCMD_PRIV_API const char *gpucmd_i915_layout(uint32_t idx)
{
    switch (idx) {
        GPUCMD_LAYOUT_TEXTS(GPUCMD_I915_STRUCTS)
    }
    return NULL;
}

/* ---- the kernel's command parser ---- */

typedef enum gpucmd_priv_i915_parse_rule {
    GPUCMD_I915_PARSE_REJECT,
    GPUCMD_I915_PARSE_GGTT,
    GPUCMD_I915_PARSE_REG,
    GPUCMD_I915_PARSE_REG_GGTT,
    GPUCMD_I915_PARSE_PERF,
    GPUCMD_I915_PARSE_SYNC,
    GPUCMD_I915_PARSE_START,
    GPUCMD_I915_PARSE_PASS,
} gpucmd_priv_i915_parse_rule;

/* One row of GPUCMD_I915_PARSED: the rule by which the parser checks command op. */
typedef struct gpucmd_priv_i915_parsed {
    uint8_t op, since, until, engines, rule;
} gpucmd_priv_i915_parsed;

#define GPUCMD_I915_PRIV_PARSED(name, since, until, engines, rule)                                 \
    {GPUCMD_I915_OP_##name, GPUCMD_I915_GEN##since, GPUCMD_I915_GEN##until, engines,               \
     GPUCMD_I915_PARSE_##rule},
static const gpucmd_priv_i915_parsed gpucmd_priv_i915_parseds[] = {
    GPUCMD_I915_PARSED(GPUCMD_I915_PRIV_PARSED)};
#undef GPUCMD_I915_PRIV_PARSED

/* A batch that the command parser checks, and its current command. */
typedef struct gpucmd_priv_i915_scan {
    const gpucmd_i915_cmdset *cmdset;
    const uint8_t *words;
    uint64_t len_dw;
    uint64_t va;
    uint64_t at; /* number of words before the current command */
    uint32_t n;  /* length of the current command in words */
    gpucmd_i915_op op;
    const char *text; /* why the batch was rejected */
} gpucmd_priv_i915_scan;

static uint32_t gpucmd_priv_i915_scan_dw(const gpucmd_priv_i915_scan *p, uint64_t i)
{
    return gpucmd_load32(p->words + 4 * (p->at + i), GPUCMD_LITTLE_ENDIAN);
}

/* Return the length in words of the command with first word head, 0 if the engine does not have it.
 * The length field of an MI opcode without a row has 6 bits (gen9: 8). [K] i915_cmd_parser.c */
static uint32_t gpucmd_priv_i915_scan_length(const gpucmd_i915_cmdset *cmdset, uint32_t head)
{
    const uint32_t n = gpucmd_i915_length_dw(cmdset, &head, 1);
    const uint32_t mask = cmdset->gen == GPUCMD_I915_GEN9 ? 0xff : 0x3f;
    return n == 0 && head >> 29 == 0 ? (head & mask) + 2 : n;
}

/* Return true if the command may access the register that word number i names. If its row of
 * GPUCMD_I915_USER_REGS has a value mask, only two commands may access it: MI_STORE_REGISTER_MEM,
 * and MI_LOAD_REGISTER_IMM with an allowed value. */
static bool gpucmd_priv_i915_scan_reg(const gpucmd_priv_i915_scan *p, uint32_t i)
{
    const uint32_t reg = gpucmd_priv_i915_scan_dw(p, i) & GPUCMD_I915_PRIV_REG_BITS;
    const gpucmd_priv_i915_grant *g = gpucmd_priv_i915_find_grant(p->cmdset, reg);
    if (p->op == GPUCMD_I915_OP_MI_LOAD_REGISTER_IMM) {
        return i + 1 < p->n &&
               gpucmd_i915_register_allowed(p->cmdset, reg, gpucmd_priv_i915_scan_dw(p, i + 1));
    }
    if (g != NULL && g->care != 0) {
        return p->op == GPUCMD_I915_OP_MI_STORE_REGISTER_MEM;
    }
    return gpucmd_i915_register_allowed(p->cmdset, reg, 0);
}

/* Return true if the command may access all registers that it names: in words 1, 3, 5 ... of
 * MI_LOAD_REGISTER_IMM, in words 1 and 2 of MI_LOAD_REGISTER_REG, in word 1 of other commands. */
static bool gpucmd_priv_i915_scan_regs(const gpucmd_priv_i915_scan *p)
{
    uint32_t i;
    const uint32_t step = p->op == GPUCMD_I915_OP_MI_LOAD_REGISTER_IMM   ? 2
                          : p->op == GPUCMD_I915_OP_MI_LOAD_REGISTER_REG ? 1
                                                                         : p->n;
    for (i = 1; i < p->n; i += step) {
        if (!gpucmd_priv_i915_scan_reg(p, i)) {
            return false;
        }
    }
    return true;
}

/* Return true if the current command, MI_FLUSH_DW or PIPE_CONTROL, obeys rule SYNC: it raises no
 * interrupt, and does not store to a register, to the global table or to the status page. */
static bool gpucmd_priv_i915_scan_sync(const gpucmd_priv_i915_scan *p, uint32_t head)
{
    const uint32_t dw1 = gpucmd_priv_i915_scan_dw(p, 1); /* commands of rule SYNC have 2 words */
    if (p->op == GPUCMD_I915_OP_MI_FLUSH_DW) {
        return GPUCMD_I915_GET(MI_FLUSH_DW_NOTIFY, head) == 0 &&
               (GPUCMD_I915_GET(MI_FLUSH_DW_POST_SYNC, head) == 0 ||
                (GPUCMD_I915_GET(MI_FLUSH_DW_STORE_INDEX, head) == 0 &&
                 GPUCMD_I915_GET(MI_FLUSH_DW_GGTT, dw1) == 0));
    }
    return GPUCMD_I915_GET(PIPE_CONTROL_LRI_POST_SYNC, dw1) == 0 &&
           GPUCMD_I915_GET(PIPE_CONTROL_NOTIFY, dw1) == 0 &&
           (GPUCMD_I915_GET(PIPE_CONTROL_POST_SYNC, dw1) == 0 ||
            (GPUCMD_I915_GET(PIPE_CONTROL_GGTT, dw1) == 0 &&
             GPUCMD_I915_GET(PIPE_CONTROL_STORE_INDEX, dw1) == 0));
}

/* Reject the current command: set p->text to the reason text, and return -err. */
static int gpucmd_priv_i915_scan_fail(gpucmd_priv_i915_scan *p, int err, const char *text)
{
    p->text = text;
    return -err;
}

/* Check an MI_BATCH_BUFFER_START of gen9. Its target must be its own start, or the start of an
 * earlier command of the batch. Return 0 or a negative errno. */
static int gpucmd_priv_i915_scan_start(gpucmd_priv_i915_scan *p, uint32_t head)
{
    gpucmd_priv_i915_scan walk = *p;
    if ((head & 0x7fffff) != 0x101) {
        return gpucmd_priv_i915_scan_fail(p, GPUCMD_SYS_EACCES, "flags of a jump are not allowed");
    }
    uint64_t to = gpucmd_priv_i915_scan_dw(p, 1) | (uint64_t)gpucmd_priv_i915_scan_dw(p, 2) << 32;
    to -= p->va; /* a large number if the target is before the batch */
    if (to >= 4 * p->len_dw || (to & 3) != 0) {
        return gpucmd_priv_i915_scan_fail(p, GPUCMD_SYS_EINVAL, "jump leaves the batch");
    }
    for (walk.at = 0; walk.at < to / 4 && walk.at < p->at;) {
        walk.at += gpucmd_priv_i915_scan_length(p->cmdset, gpucmd_priv_i915_scan_dw(&walk, 0));
    }
    return walk.at == to / 4
               ? 0
               : gpucmd_priv_i915_scan_fail(p, GPUCMD_SYS_EINVAL, "jump to no earlier command");
}

/* Return the rule of GPUCMD_I915_PARSED for the current command, or PASS if no row has it. */
static gpucmd_priv_i915_parse_rule gpucmd_priv_i915_scan_rule(const gpucmd_priv_i915_scan *p)
{
    size_t i;
    for (i = 0; i < sizeof gpucmd_priv_i915_parseds / sizeof gpucmd_priv_i915_parseds[0]; i++) {
        const gpucmd_priv_i915_parsed *r = &gpucmd_priv_i915_parseds[i];
        if ((uint32_t)p->op == r->op && (uint32_t)p->cmdset->gen >= r->since &&
            (uint32_t)p->cmdset->gen <= r->until &&
            ((uint32_t)p->cmdset->engine & r->engines) != 0) {
            return (gpucmd_priv_i915_parse_rule)r->rule;
        }
    }
    return GPUCMD_I915_PARSE_PASS;
}

/* Check the current command, whose first word is head. Return 0 or a negative errno. */
static int gpucmd_priv_i915_scan_cmd(gpucmd_priv_i915_scan *p, uint32_t head)
{
    const bool ggtt =
        p->op != GPUCMD_I915_OP_PIPE_CONTROL && GPUCMD_I915_GET(MI_STORE_DATA_IMM_GGTT, head) != 0;
    const gpucmd_priv_i915_parse_rule rule = gpucmd_priv_i915_scan_rule(p);
    const char *text = NULL;
    switch (rule) {
    case GPUCMD_I915_PARSE_REJECT: text = "command is not allowed"; break;
    case GPUCMD_I915_PARSE_REG_GGTT:
    case GPUCMD_I915_PARSE_GGTT: text = ggtt ? "address in the global table" : NULL; break;
    case GPUCMD_I915_PARSE_REG: break;
    case GPUCMD_I915_PARSE_PERF:
        if (GPUCMD_I915_GET(MI_REPORT_PERF_COUNT_GGTT, gpucmd_priv_i915_scan_dw(p, 1)) != 0) {
            text = "address in the global table";
        }
        break;
    case GPUCMD_I915_PARSE_SYNC:
        if (!gpucmd_priv_i915_scan_sync(p, head)) {
            text = "interrupt, or store to a register, the global table or the status page";
        }
        break;
    case GPUCMD_I915_PARSE_START: return gpucmd_priv_i915_scan_start(p, head);
    case GPUCMD_I915_PARSE_PASS: /* bits 4:3 of DW2 of MEDIA_VFE_STATE must be 0 */
        if (head >> 16 == 0x7000 && p->cmdset->engine == GPUCMD_I915_RCS && p->n >= 3 &&
            (gpucmd_priv_i915_scan_dw(p, 2) & 0x18) != 0) {
            text = "field of MEDIA_VFE_STATE is not allowed";
        }
        break;
    }
    if (text == NULL && (rule == GPUCMD_I915_PARSE_REG || rule == GPUCMD_I915_PARSE_REG_GGTT) &&
        !gpucmd_priv_i915_scan_regs(p)) {
        text = "register is not allowed";
    }
    return text == NULL ? 0 : gpucmd_priv_i915_scan_fail(p, GPUCMD_SYS_EACCES, text);
}

/* Check the commands up to MI_BATCH_BUFFER_END, on gen9 only up to the first MI_BATCH_BUFFER_START.
 * Return 0, or a negative errno; then p->at is the position of the rejected command. */
static int gpucmd_priv_i915_scan_batch(gpucmd_priv_i915_scan *p, bool gen9)
{
    for (; p->at < p->len_dw; p->at += p->n) {
        const uint32_t head = gpucmd_priv_i915_scan_dw(p, 0);
        if (head == GPUCMD_I915_HDR_MI_BATCH_BUFFER_END) {
            return 0;
        }
        p->op = gpucmd_i915_classify(p->cmdset, head);
        p->n = gpucmd_priv_i915_scan_length(p->cmdset, head);
        if (p->n == 0) {
            return gpucmd_priv_i915_scan_fail(p, GPUCMD_SYS_EINVAL, "no command of this engine");
        }
        if (p->n > p->len_dw - p->at) {
            return gpucmd_priv_i915_scan_fail(p, GPUCMD_SYS_EINVAL, "command passes the batch");
        }
        const int err = gpucmd_priv_i915_scan_cmd(p, head);
        if (err != 0 || (gen9 && p->op == GPUCMD_I915_OP_MI_BATCH_BUFFER_START)) {
            return err;
        }
    }
    return gpucmd_priv_i915_scan_fail(p, GPUCMD_SYS_EINVAL, "no MI_BATCH_BUFFER_END");
}

GPUCMD_PRIV_API int gpucmd_i915_parse(const gpucmd_i915_cmdset *cmdset, const void *words,
                                      uint64_t len_bytes, uint64_t va, gpucmd_why *why)
{
    const bool gen9 = cmdset->gen == GPUCMD_I915_GEN9 && cmdset->engine == GPUCMD_I915_BCS;
    gpucmd_priv_i915_scan p = {
        cmdset, (const uint8_t *)words, len_bytes / 4, va, 0, 0, GPUCMD_I915_OP_UNKNOWN, ""};
    if (cmdset->gen != GPUCMD_I915_GEN7 && cmdset->gen != GPUCMD_I915_GEN7_5 && !gen9) {
        return 0;
    }
    const int err = gpucmd_priv_i915_scan_batch(&p, gen9);
    if (err != 0 && why != NULL) {
        gpucmd_priv_why_set(why, GPUCMD_WHY_ERROR, (uint32_t)cmdset->engine, va + 4 * p.at);
        why->reg = "DW0";
        why->bits = p.at < p.len_dw ? gpucmd_priv_i915_scan_dw(&p, 0) : 0;
        why->name = p.at < p.len_dw ? gpucmd_i915_name(cmdset, why->bits) : "";
        why->text = p.text;
    }
    return err;
}

/* ---- execbuffer2 ---- */

GPUCMD_PRIV_API void gpucmd_i915_kernel_init(gpucmd_i915_kernel *k, gpucmd_i915_gen gen,
                                             gpucmd_mem *process)
{
    gpucmd_priv_zero(k, sizeof *k);
    k->gen = gen;
    k->process = process;
    k->first_va = 0x100000;
    k->end_va = gen >= GPUCMD_I915_GEN8   ? (uint64_t)1 << 48
                : gen >= GPUCMD_I915_GEN6 ? 0x80000000u
                                          : 0x20000000u;
    gpucmd_priv_why_set(&k->why, GPUCMD_WHY_IDLE, 0, 0);
}

static gpucmd_region gpucmd_priv_i915_region(uint64_t va, uint64_t bytes, void *host)
{
    const gpucmd_region region = {va, bytes, host, GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE};
    return region;
}

/* ---- address spaces ---- */

/* Return the node with number id: if id is below 2^31, the member vma of row id - 1 of objects,
 * otherwise row id - 2^31 of vmas. Each address space has an AVL tree (a balanced binary tree),
 * sorted by address. A node is one used address range. It also has the size of the largest hole in
 * its subtree, so that the search for free addresses takes O(log n) in a tree of n nodes. */
static gpucmd_i915_vma *gpucmd_priv_i915_vma(const gpucmd_i915_kernel *k, uint32_t id)
{
    return id >> 31 != 0 ? &k->vmas[id & ~(1u << 31)] : &k->objects[id - 1].vma;
}

static gpucmd_i915_vm *gpucmd_priv_i915_vm(gpucmd_i915_kernel *k, uint32_t vm)
{
    return vm == 0 ? &k->vm : &k->vms[vm - 1];
}

static uint32_t gpucmd_priv_i915_vma_height(const gpucmd_i915_kernel *k, uint32_t id)
{
    return id != 0 ? gpucmd_priv_i915_vma(k, id)->height : 0;
}

/* Recompute height, lowest and highest address and largest hole of the subtree of node v. */
static void gpucmd_priv_i915_vma_update(const gpucmd_i915_kernel *k, gpucmd_i915_vma *v)
{
    const uint32_t h0 = gpucmd_priv_i915_vma_height(k, v->child[0]);
    const uint32_t h1 = gpucmd_priv_i915_vma_height(k, v->child[1]);
    v->height = 1 + (h0 > h1 ? h0 : h1);
    v->low = v->va;
    v->high = v->end;
    v->hole = 0;
    if (v->child[0] != 0) {
        const gpucmd_i915_vma *c = gpucmd_priv_i915_vma(k, v->child[0]);
        v->low = c->low;
        v->hole = c->hole > v->va - c->high ? c->hole : v->va - c->high;
    }
    if (v->child[1] != 0) {
        const gpucmd_i915_vma *c = gpucmd_priv_i915_vma(k, v->child[1]);
        v->high = c->high;
        v->hole = v->hole > c->hole ? v->hole : c->hole;
        v->hole = v->hole > c->low - v->end ? v->hole : c->low - v->end;
    }
}

/* Replace the child `before` of node `up` by node `now`. If `up` is 0, make `now` the root of
 * address space vm instead. If `now` is 0, the place becomes empty. */
static void gpucmd_priv_i915_vma_link(gpucmd_i915_kernel *k, uint32_t vm, uint32_t up,
                                      uint32_t before, uint32_t now)
{
    if (up == 0) {
        gpucmd_priv_i915_vm(k, vm)->root = now;
    } else {
        gpucmd_i915_vma *v = gpucmd_priv_i915_vma(k, up);
        v->child[v->child[1] == before] = now;
    }
    if (now != 0) {
        gpucmd_priv_i915_vma(k, now)->up = up;
    }
}

/* Rotate the subtree of node id to the left (d is 0) or right (d is 1). Return its new top. */
static uint32_t gpucmd_priv_i915_vma_rotate(gpucmd_i915_kernel *k, uint32_t id, uint32_t d)
{
    gpucmd_i915_vma *v = gpucmd_priv_i915_vma(k, id);
    const uint32_t top = v->child[1 - d];
    gpucmd_i915_vma *c = gpucmd_priv_i915_vma(k, top);
    gpucmd_priv_i915_vma_link(k, v->vm, v->up, id, top);
    v->child[1 - d] = c->child[d];
    if (c->child[d] != 0) {
        gpucmd_priv_i915_vma(k, c->child[d])->up = id;
    }
    c->child[d] = id;
    v->up = top;
    gpucmd_priv_i915_vma_update(k, v);
    gpucmd_priv_i915_vma_update(k, c);
    return top;
}

/* Update and balance the subtree of node id, then those of all nodes above it. id 0: do nothing. */
static void gpucmd_priv_i915_vma_balance(gpucmd_i915_kernel *k, uint32_t id)
{
    while (id != 0) {
        gpucmd_i915_vma *v = gpucmd_priv_i915_vma(k, id);
        const uint32_t h0 = gpucmd_priv_i915_vma_height(k, v->child[0]);
        const uint32_t h1 = gpucmd_priv_i915_vma_height(k, v->child[1]);
        gpucmd_priv_i915_vma_update(k, v);
        const uint32_t d = h0 > h1 + 1; /* rotate to the right */
        if (d != 0 || h1 > h0 + 1) {
            const uint32_t high = v->child[1 - d];
            const gpucmd_i915_vma *c = gpucmd_priv_i915_vma(k, high);
            if (gpucmd_priv_i915_vma_height(k, c->child[d]) >
                gpucmd_priv_i915_vma_height(k, c->child[1 - d])) {
                (void)gpucmd_priv_i915_vma_rotate(k, high, 1 - d);
            }
            id = gpucmd_priv_i915_vma_rotate(k, id, d);
        }
        id = gpucmd_priv_i915_vma(k, id)->up;
    }
}

/* Prepare a change of the addresses of node id by a submission. Before the first change, save the
 * old addresses and add id to the list k->changes. */
static void gpucmd_priv_i915_vma_change(gpucmd_i915_kernel *k, uint32_t id)
{
    gpucmd_i915_vma *v = gpucmd_priv_i915_vma(k, id);
    if (!v->changed) {
        v->changed = true;
        v->old_va = v->va;
        v->old_end = v->end;
        v->next_change = k->changes;
        k->changes = id;
    }
}

/* Add node id to the tree of its address space, at the free addresses `va` to `end`. */
static void gpucmd_priv_i915_vma_bind(gpucmd_i915_kernel *k, uint32_t id, uint64_t va, uint64_t end)
{
    gpucmd_i915_vma *v = gpucmd_priv_i915_vma(k, id);
    uint32_t at = gpucmd_priv_i915_vm(k, v->vm)->root, up = 0, d = 0;
    while (at != 0) {
        const gpucmd_i915_vma *n = gpucmd_priv_i915_vma(k, at);
        up = at;
        d = n->va < va;
        at = n->child[d];
    }
    v->va = va;
    v->end = end;
    v->up = up;
    v->child[0] = v->child[1] = 0;
    if (up != 0) {
        gpucmd_priv_i915_vma(k, up)->child[d] = id;
    } else {
        gpucmd_priv_i915_vm(k, v->vm)->root = id;
    }
    gpucmd_priv_i915_vma_balance(k, id);
}

/* Remove node id from the tree of its address space. Then the node has no addresses: end is 0. */
static void gpucmd_priv_i915_vma_unbind(gpucmd_i915_kernel *k, uint32_t id)
{
    gpucmd_i915_vma *v = gpucmd_priv_i915_vma(k, id);
    uint32_t from = v->up, now = v->child[0] != 0 ? v->child[0] : v->child[1];
    if (v->child[0] != 0 && v->child[1] != 0) { /* the node after v takes the place of v */
        gpucmd_i915_vma *n;
        now = v->child[1];
        while ((n = gpucmd_priv_i915_vma(k, now))->child[0] != 0) {
            now = n->child[0];
        }
        from = n->up == id ? now : n->up;
        gpucmd_priv_i915_vma_link(k, v->vm, n->up, now, n->child[1]);
        n->child[0] = v->child[0];
        n->child[1] = v->child[1];
        gpucmd_priv_i915_vma(k, n->child[0])->up = now;
        if (n->child[1] != 0) {
            gpucmd_priv_i915_vma(k, n->child[1])->up = now;
        }
    }
    gpucmd_priv_i915_vma_link(k, v->vm, v->up, id, now);
    gpucmd_priv_i915_vma_balance(k, from);
    v->end = 0;
    if (gpucmd_priv_i915_vm(k, v->vm)->root == 0) {
        gpucmd_priv_i915_vm(k, v->vm)->next_va = 0;
    }
}

/* Return the lowest node of address space vm that ends after address va, or 0 if there is none. */
static uint32_t gpucmd_priv_i915_vma_after(const gpucmd_i915_kernel *k, uint32_t vm, uint64_t va)
{
    uint32_t found = 0, id = vm == 0 ? k->vm.root : k->vms[vm - 1].root;
    while (id != 0) {
        const gpucmd_i915_vma *v = gpucmd_priv_i915_vma(k, id);
        found = v->end > va ? id : found;
        id = v->child[v->end <= va];
    }
    return found;
}

/* Find the first hole of at least `bytes` bytes after node id. Write its start to *va and return
 * its end. There always is one, because the hole after the last node ends at ~0. */
static uint64_t gpucmd_priv_i915_vma_hole(const gpucmd_i915_kernel *k, uint32_t id, uint64_t bytes,
                                          uint64_t *va)
{
    const gpucmd_i915_vma *v = gpucmd_priv_i915_vma(k, id), *c;
    for (;;) {
        if (v->child[1] != 0) {
            c = gpucmd_priv_i915_vma(k, v->child[1]);
            if (c->low - v->end >= bytes) {
                *va = v->end;
                return c->low;
            }
            if (c->hole >= bytes) { /* the right subtree has such a hole: search there */
                v = c;
                while (v->child[0] != 0) {
                    c = gpucmd_priv_i915_vma(k, v->child[0]);
                    if (c->hole < bytes && v->va - c->high >= bytes) {
                        *va = c->high;
                        return v->va;
                    }
                    if (c->hole < bytes) {
                        break;
                    }
                    v = c;
                }
                continue;
            }
        }
        do { /* go up to the first node whose left subtree contains v */
            c = v;
            v = v->up != 0 ? gpucmd_priv_i915_vma(k, v->up) : NULL;
        } while (v != NULL && (v->child[0] == 0 || gpucmd_priv_i915_vma(k, v->child[0]) != c));
        if (v == NULL || v->va - c->high >= bytes) {
            *va = c->high;
            return v == NULL ? ~(uint64_t)0 : v->va;
        }
    }
}

GPUCMD_PRIV_API size_t gpucmd_i915_kernel_regions(const gpucmd_i915_kernel *k,
                                                  gpucmd_region *regions, size_t cap)
{
    uint32_t id;
    size_t n = 0;
    uint64_t va = 0;
    while ((id = gpucmd_priv_i915_vma_after(k, k->space, va)) != 0) {
        const gpucmd_i915_vma *v = gpucmd_priv_i915_vma(k, id);
        const gpucmd_i915_object *o = &k->objects[v->object - 1];
        va = v->end;
        if (n < cap) {
            regions[n] = gpucmd_priv_i915_region(v->va, o->bytes, o->host);
        }
        n++;
    }
    return n;
}

/* Return the row of k->contexts with this id, or NULL. */
static gpucmd_i915_context *gpucmd_priv_i915_context(const gpucmd_i915_kernel *k, uint32_t id)
{
    uint32_t i = 0;
    while (i < k->context_count && k->contexts[i].id != id) {
        i++;
    }
    return i < k->context_count ? &k->contexts[i] : NULL;
}

/* Define two functions for a table. gpucmd_priv_i915_index_* builds a hash table of the handles.
 * gpucmd_priv_i915_find_* searches for a handle. rows[h].first: first row whose handle has hash h.
 * rows[i].next: next row with the hash of row i. Both members are a row number + 1; 0: none. */
#define GPUCMD_I915_PRIV_INDEX(type, one, rows, count)                                             \
    static void gpucmd_priv_i915_index_##rows(gpucmd_i915_kernel *k)                               \
    {                                                                                              \
        uint32_t i;                                                                                \
        for (i = 0; i < k->count; i++) {                                                           \
            k->rows[i].first = 0;                                                                  \
        }                                                                                          \
        for (i = k->count; i-- > 0;) {                                                             \
            type *head =                                                                           \
                &k->rows[gpucmd_priv_rem(gpucmd_priv_i915_hash(k->rows[i].handle), k->count)];     \
            k->rows[i].next = head->first;                                                         \
            head->first = i + 1;                                                                   \
        }                                                                                          \
        k->rows##_indexed = true;                                                                  \
    }                                                                                              \
    /* Return the first row with this handle, or NULL. */                                          \
    static type *gpucmd_priv_i915_find_##one(const gpucmd_i915_kernel *k, uint32_t handle)         \
    {                                                                                              \
        uint32_t i = k->count == 0 ? 0                                                             \
                     : k->rows##_indexed                                                           \
                         ? k->rows[gpucmd_priv_rem(gpucmd_priv_i915_hash(handle), k->count)].first \
                         : 1;                                                                      \
        while (i != 0 && k->rows[i - 1].handle != handle) {                                        \
            i = k->rows##_indexed ? k->rows[i - 1].next : i < k->count ? i + 1 : 0;                \
        }                                                                                          \
        return i != 0 ? &k->rows[i - 1] : NULL;                                                    \
    }
GPUCMD_INLINE uint32_t gpucmd_priv_i915_hash(uint32_t handle)
{
    const uint32_t mixed = handle * 0x9e3779b1u;
    return mixed ^ mixed >> 15;
}
GPUCMD_I915_PRIV_INDEX(gpucmd_i915_object, object, objects, object_count)
GPUCMD_I915_PRIV_INDEX(gpucmd_i915_syncobj, syncobj, syncobjs, syncobj_count)
#undef GPUCMD_I915_PRIV_INDEX

static gpucmd_i915_object *gpucmd_priv_i915_object(const gpucmd_i915_kernel *k, uint32_t handle)
{
    const uint32_t guess = handle - 1; /* often the row is the handle minus 1 */
    if (guess < k->object_count && k->objects[guess].handle == handle) {
        return &k->objects[guess];
    }
    return guess < 0x7fffffffu ? gpucmd_priv_i915_find_object(k, handle) : NULL;
}

/* Return true if object o is in the first n rows of k->list, the list of the submission. */
static bool gpucmd_priv_i915_listed(const gpucmd_i915_kernel *k, const gpucmd_i915_object *o,
                                    uint32_t n)
{
    return o->row < n && k->list[o->row].handle == o->handle;
}

GPUCMD_PRIV_API size_t gpucmd_i915_kernel_list_regions(const gpucmd_i915_kernel *k,
                                                       gpucmd_region *regions, size_t cap)
{
    uint32_t i;
    size_t n = 0;
    for (i = 0; i < k->list_count; i++) {
        const gpucmd_i915_object *o = gpucmd_priv_i915_object(k, k->list[i].handle);
        size_t at = n < cap ? n : cap;
        if (o == NULL || !o->bound || gpucmd_priv_i915_listed(k, o, i)) {
            continue;
        }
        if (n == cap) { /* the array is full: keep the lowest addresses */
            gpucmd_mem_sort(regions, cap);
        }
        for (; n >= cap && at > 0 && regions[at - 1].va > o->va; at--) {
            if (at < cap) {
                regions[at] = regions[at - 1];
            }
        }
        if (at < cap) {
            regions[at] = gpucmd_priv_i915_region(o->va, o->bytes, o->host);
        }
        n++;
    }
    gpucmd_mem_sort(regions, n <= cap ? n : 0);
    return n;
}

/* Return the canonical form of an address: bits 63:48 repeat bit 47. */
static uint64_t gpucmd_priv_i915_canonical(uint64_t va)
{
    return (va & GPUCMD_I915_PRIV_VA_MASK) | ((va >> 47 & 1) != 0 ? (uint64_t)0xffff << 48 : 0);
}

/* Check flags and members of an EXECBUFFER2 argument. Return 0 or a negative errno. */
static int gpucmd_priv_i915_ioctl_fields(gpucmd_i915_kernel *k,
                                         struct gpucmd_drm_i915_gem_execbuffer2 *a)
{
    const uint64_t lists = GPUCMD_I915_EXEC_FENCE_ARRAY | GPUCMD_I915_EXEC_USE_EXTENSIONS;
    if (a->DR4 == 0xffffffffu) {
        a->DR4 = 0;
    }
    if (a->buffer_count < 1 || a->buffer_count > 0x7fffffffu / 56 || a->flags >> 22 != 0 ||
        (a->flags & (GPUCMD_I915_EXEC_CONSTANTS_MASK | GPUCMD_I915_EXEC_RESOURCE_STREAMER)) != 0 ||
        ((a->flags & lists) == 0 && (a->num_cliprects != 0 || a->cliprects_ptr != 0)) ||
        a->DR1 != 0 || a->DR4 != 0 || ((a->batch_start_offset | a->batch_len) & 7) != 0) {
        return -GPUCMD_SYS_EINVAL;
    }
    if (a->buffer_count > k->list_cap) {
        k->table = GPUCMD_I915_TABLE_LIST;
        return -GPUCMD_SYS_ENOMEM;
    }
    return 0;
}

/* Results of the checks of a submission: what it waits for, its context, ring and fences. */
typedef struct gpucmd_priv_i915_order {
    uint32_t wait;                      /* bit n: the submission waits for ring number n */
    uint64_t requests;                  /* bit i: the submission waits for row i of requests */
    const gpucmd_i915_context *context; /* NULL: context 0 without a row */
    gpucmd_i915_sync_file *out_file;    /* free row for FENCE_OUT; NULL: the flag is not set */
    uint32_t ring;                      /* number of the submission's ring */
    uint32_t fences;                    /* number of fences checked so far */
    bool relocated;                     /* at least one relocation was written to an object */
} gpucmd_priv_i915_order;

/* Check one fence f of an array. If the submission waits for f, the sync object of f must have a
 * fence of at least the point `point`, unless it is a timeline that the submission also signals. If
 * the submission signals f, record `point` in the sync object. Return 0 or a negative errno. */
static int gpucmd_priv_i915_ioctl_fence(const gpucmd_i915_kernel *k,
                                        const struct gpucmd_drm_i915_gem_exec_fence *f,
                                        bool timeline, uint64_t point,
                                        gpucmd_priv_i915_order *order)
{
    if ((f->flags & ~3u) != 0) {
        return -GPUCMD_SYS_EINVAL;
    }
    gpucmd_i915_syncobj *s = gpucmd_priv_i915_find_syncobj(k, f->handle);
    if (s == NULL) {
        return -GPUCMD_SYS_ENOENT;
    }
    if (point != 0 && f->flags == 3) {
        return -GPUCMD_SYS_EINVAL; /* the submission would wait for itself */
    }
    if ((f->flags & GPUCMD_I915_EXEC_FENCE_WAIT) != 0) {
        if (s->has_fence && point <= s->point) {
            order->wait |= 1u << (s->ring & 31);
            order->requests |= gpucmd_i915_kernel_find(k, s->seqno);
        } else if (!timeline || (f->flags & GPUCMD_I915_EXEC_FENCE_SIGNAL) == 0) {
            return -GPUCMD_SYS_EINVAL;
        }
    }
    if ((f->flags & GPUCMD_I915_EXEC_FENCE_SIGNAL) != 0) {
        const uint64_t before = s->is_next ? s->next_point : s->point;
        s->next_point = point == 0 || point > before ? point : before;
        s->is_next = true;
    }
    return 0;
}

/* Check an array of `count` fences at process address `fences`. `values` is the process address of
 * the points of the fences; 0: they have no points. Return 0 or a negative errno. */
static int gpucmd_priv_i915_ioctl_fences(const gpucmd_i915_kernel *k, uint64_t fences,
                                         uint64_t values, uint64_t count,
                                         gpucmd_priv_i915_order *order)
{
    uint64_t i;
    int err = count > 0xffffffffu / 8 ? -GPUCMD_SYS_EINVAL : 0;
    for (i = 0; i < count && err == 0; i++) {
        struct gpucmd_drm_i915_gem_exec_fence f;
        if (order->fences++ == GPUCMD_I915_KERNEL_FENCES) {
            return -GPUCMD_SYS_ENOMEM;
        }
        uint64_t point = 0;
        if (gpucmd_process_read(k->process, fences + 8 * i, &f, sizeof f) != 0 ||
            (values != 0 &&
             gpucmd_process_read(k->process, values + 8 * i, &point, sizeof point) != 0)) {
            return -GPUCMD_SYS_EFAULT;
        }
        err = gpucmd_priv_i915_ioctl_fence(k, &f, values != 0, point, order);
    }
    return err;
}

/* Check the fences in the chain of extensions. Only extension number 0 is valid: timeline fences. A
 * chain has at most 512 extensions. Return 0 or a negative errno. [K] i915_user_extensions.c */
static int gpucmd_priv_i915_ioctl_extensions(const gpucmd_i915_kernel *k,
                                             const struct gpucmd_drm_i915_gem_execbuffer2 *a,
                                             gpucmd_priv_i915_order *order)
{
    uint32_t n;
    uint64_t at = a->cliprects_ptr;
    int err = (a->flags & GPUCMD_I915_EXEC_FENCE_ARRAY) != 0 || a->num_cliprects != 0
                  ? -GPUCMD_SYS_EINVAL
                  : 0;
    for (n = 0; at != 0 && err == 0; n++) {
        struct gpucmd_drm_i915_gem_execbuffer_ext_timeline_fences e;
        if (n == 512) {
            return -GPUCMD_SYS_E2BIG;
        }
        if (gpucmd_process_read(k->process, at, &e.base, sizeof e.base) != 0) {
            return -GPUCMD_SYS_EFAULT;
        }
        if ((e.base.flags | e.base.rsvd[0] | e.base.rsvd[1] | e.base.rsvd[2] | e.base.rsvd[3] |
             e.base.name) != 0) {
            return -GPUCMD_SYS_EINVAL;
        }
        if (gpucmd_process_read(k->process, at + sizeof e.base, (uint8_t *)&e + sizeof e.base,
                                sizeof e - sizeof e.base) != 0) {
            return -GPUCMD_SYS_EFAULT;
        }
        if (e.fence_count != 0) {
            err = e.values_ptr == 0 ? -GPUCMD_SYS_EFAULT
                                    : gpucmd_priv_i915_ioctl_fences(k, e.handles_ptr, e.values_ptr,
                                                                    e.fence_count, order);
        }
        at = e.base.next_extension;
    }
    return err;
}

/* Check the fences of a submission, which are in its extensions or in its array of fences. */
static int gpucmd_priv_i915_ioctl_lists(gpucmd_i915_kernel *k,
                                        const struct gpucmd_drm_i915_gem_execbuffer2 *a,
                                        gpucmd_priv_i915_order *order)
{
    if ((a->flags & (GPUCMD_I915_EXEC_USE_EXTENSIONS | GPUCMD_I915_EXEC_FENCE_ARRAY)) != 0) {
        gpucmd_priv_i915_index_syncobjs(k);
    }
    if ((a->flags & GPUCMD_I915_EXEC_USE_EXTENSIONS) != 0) {
        return gpucmd_priv_i915_ioctl_extensions(k, a, order);
    }
    return (a->flags & GPUCMD_I915_EXEC_FENCE_ARRAY) != 0
               ? gpucmd_priv_i915_ioctl_fences(k, a->cliprects_ptr, 0, a->num_cliprects, order)
               : 0;
}

/* Find the sync file that the submission waits for, and for FENCE_OUT a free row of sync_files. */
static int gpucmd_priv_i915_ioctl_files(gpucmd_i915_kernel *k,
                                        const struct gpucmd_drm_i915_gem_execbuffer2 *a,
                                        gpucmd_priv_i915_order *order)
{
    uint32_t i;
    const uint64_t in = a->flags & (GPUCMD_I915_EXEC_FENCE_IN | GPUCMD_I915_EXEC_FENCE_SUBMIT);
    const gpucmd_i915_sync_file *from = NULL;
    for (i = 0; i < k->sync_file_count; i++) {
        gpucmd_i915_sync_file *f = &k->sync_files[i];
        from = f->used && (uint32_t)f->fd == (uint32_t)a->rsvd2 ? f : from;
        order->out_file = !f->used && order->out_file == NULL ? f : order->out_file;
    }
    if (in != 0) {
        if (from == NULL || (in & (in - 1)) != 0) {
            return -GPUCMD_SYS_EINVAL;
        }
        order->wait |= 1u << (from->ring & 31);
        order->requests |= gpucmd_i915_kernel_find(k, from->seqno);
    }
    if ((a->flags & GPUCMD_I915_EXEC_FENCE_OUT) == 0) {
        order->out_file = NULL;
        return 0;
    }
    if (order->out_file == NULL) {
        k->table = GPUCMD_I915_TABLE_SYNC_FILES;
        return -GPUCMD_SYS_EMFILE;
    }
    return 0;
}

/* Return the number of the ring that the flags select, or 0 if the kernel has no such ring. */
static uint32_t gpucmd_priv_i915_ioctl_ring(const gpucmd_i915_kernel *k,
                                            const struct gpucmd_drm_i915_gem_execbuffer2 *a)
{
    const uint32_t asked = (uint32_t)(a->flags & GPUCMD_I915_EXEC_RING_MASK);
    const uint32_t bsd = (uint32_t)(a->flags & GPUCMD_I915_EXEC_BSD_MASK) >> 13;
    uint32_t i, number = asked == 0 ? (uint32_t)GPUCMD_I915_EXEC_RENDER : asked;
    for (i = 0; i < k->map_count; i++) {
        const gpucmd_i915_engine_map *m = &k->maps[i];
        if (m->context == (uint32_t)a->rsvd1) {
            number = asked < m->count ? m->rings[asked] : 0;
            return number < GPUCMD_I915_KERNEL_RINGS && k->rings[number] != NULL ? number : 0;
        }
    }
    if (number > GPUCMD_I915_EXEC_VEBOX || (bsd != 0 && number != GPUCMD_I915_EXEC_BSD) ||
        (bsd == 3 && k->second_bsd)) {
        return 0;
    }
    if (bsd == 2 && k->second_bsd && k->rings[GPUCMD_I915_RING_BSD2] != NULL) {
        number = GPUCMD_I915_RING_BSD2;
    }
    return k->rings[number] != NULL ? number : 0;
}

/* Check privilege, fences, context and ring of a submission. Write the result to *order, and the
 * address space of the context to k->space. Return 0 or a negative errno. */
static int gpucmd_priv_i915_ioctl_rights(gpucmd_i915_kernel *k,
                                         const struct gpucmd_drm_i915_gem_execbuffer2 *a,
                                         gpucmd_priv_i915_order *order)
{
    if ((a->flags & GPUCMD_I915_EXEC_SECURE) != 0) {
        if (k->gen >= GPUCMD_I915_GEN11) {
            return -GPUCMD_SYS_ENODEV;
        }
        if (k->gen >= GPUCMD_I915_GEN6 || !k->master) {
            return -GPUCMD_SYS_EPERM;
        }
    }
    int err = gpucmd_priv_i915_ioctl_lists(k, a, order);
    if (err == 0) {
        err = gpucmd_priv_i915_ioctl_files(k, a, order);
    }
    if (err != 0) {
        return err;
    }
    order->context = gpucmd_priv_i915_context(k, (uint32_t)a->rsvd1);
    if (order->context == NULL && (uint32_t)a->rsvd1 != 0) {
        return -GPUCMD_SYS_ENOENT;
    }
    k->space = order->context != NULL && k->gen >= GPUCMD_I915_GEN8 ? order->context->vm : 0;
    order->ring = gpucmd_priv_i915_ioctl_ring(k, a);
    if (order->ring == 0 || k->space > k->vm_count) {
        return -GPUCMD_SYS_EINVAL;
    }
    return k->wedged || (order->context != NULL && order->context->banned) ? -GPUCMD_SYS_EIO : 0;
}

/* Check row `row` of the list, and record it in its object if it is the object's first row. */
static int gpucmd_priv_i915_ioctl_object(gpucmd_i915_kernel *k, uint32_t row)
{
    const struct gpucmd_drm_i915_gem_exec_object2 *o = &k->list[row];
    const uint32_t guess = o->handle - 1;
    if (!k->objects_indexed &&
        (guess >= k->object_count || k->objects[guess].handle != o->handle)) {
        gpucmd_priv_i915_index_objects(k);
    }
    gpucmd_i915_object *found = gpucmd_priv_i915_object(k, o->handle);
    if (o->flags >> 8 != 0 || (o->alignment & (o->alignment - 1)) != 0 ||
        ((o->flags & GPUCMD_EXEC_OBJECT_NEEDS_GTT) != 0 && k->gen >= GPUCMD_I915_GEN8) ||
        ((o->flags & GPUCMD_EXEC_OBJECT_PINNED) != 0 &&
         ((o->offset & 4095) != 0 || o->offset != gpucmd_priv_i915_canonical(o->offset))) ||
        ((o->flags & GPUCMD_EXEC_OBJECT_PAD_TO_SIZE) != 0 && (o->rsvd1 & 4095) != 0) ||
        (o->relocation_count != 0 && k->gen > GPUCMD_I915_GEN12)) {
        return -GPUCMD_SYS_EINVAL;
    }
    if (found != NULL && !gpucmd_priv_i915_listed(k, found, row)) {
        found->row = row;
    }
    return found != NULL ? 0 : -GPUCMD_SYS_ENOENT;
}

/* Check the object and the range of the batch. Write the row of the object in the list to *idx. */
static int gpucmd_priv_i915_ioctl_batch(const gpucmd_i915_kernel *k,
                                        const struct gpucmd_drm_i915_gem_execbuffer2 *a,
                                        uint32_t *idx)
{
    const uint32_t at = (a->flags & GPUCMD_I915_EXEC_BATCH_FIRST) != 0 ? 0 : a->buffer_count - 1;
    const gpucmd_i915_object *o = gpucmd_priv_i915_object(k, k->list[at].handle);
    if ((k->list[at].flags & GPUCMD_EXEC_OBJECT_WRITE) != 0 || a->batch_start_offset > o->bytes ||
        a->batch_len > o->bytes - a->batch_start_offset ||
        (a->batch_len == 0 && o->bytes == a->batch_start_offset)) {
        return -GPUCMD_SYS_EINVAL;
    }
    *idx = at;
    return 0;
}

/* Return true if ring number n exists and has work that is not executed yet. */
static bool gpucmd_priv_i915_ring_busy(const gpucmd_i915_kernel *k, uint32_t n)
{
    const gpucmd_i915_ring *ring = k->rings[n];
    return ring != NULL &&
           (gpucmd_i915_ring_head(ring) & GPUCMD_I915_RING_HEAD_MASK) != ring->tail_bytes;
}

/* Call k->sync_ring for a ring. Meanwhile k->space is the address space of the ring's work. */
static int gpucmd_priv_i915_run_ring(gpucmd_i915_kernel *k, uint32_t ring)
{
    const uint32_t space = k->space;
    k->space = k->ring_spaces[ring];
    const int err = k->sync_ring(k->sync_user, ring);
    k->space = space;
    return err;
}

/* Return a mask of rings: bit n is 1 if ring number n has work that uses object o and is not
 * executed yet. Write to *writer the number of such a ring that writes the object, or 0. */
static uint32_t gpucmd_priv_i915_object_rings(const gpucmd_i915_kernel *k,
                                              const gpucmd_i915_object *o, uint32_t *writer)
{
    uint32_t n, rings = 0;
    const uint64_t used = o->used_by & k->pending;
    *writer = 0;
    for (n = 0; n < 64 && gpucmd_priv_shr(used, n) != 0; n++) {
        const uint32_t ring = k->requests[n].ring;
        rings |= (uint32_t)(gpucmd_priv_shr(used, n) & 1) << ring;
        *writer = (gpucmd_priv_shr(o->written_by & used, n) & 1) != 0 ? ring : *writer;
    }
    for (n = 1; n < GPUCMD_I915_KERNEL_RINGS && k->request_count == 0; n++) {
        if (((o->readers >> n & 1) != 0 || o->writer == n) && gpucmd_priv_i915_ring_busy(k, n)) {
            rings |= 1u << n;
            *writer = o->writer == n ? n : *writer;
        }
    }
    return rings;
}

/* Execute the work that uses object o. Return 0 or a negative errno of k->sync_ring. -ENOENT: o is
 * NULL. -ETIME: some of the work is still not executed. */
static int gpucmd_priv_i915_object_wait(gpucmd_i915_kernel *k, const gpucmd_i915_object *o)
{
    uint32_t n, writer;
    const uint32_t rings = o != NULL ? gpucmd_priv_i915_object_rings(k, o, &writer) : 0;
    int err = o != NULL ? 0 : -GPUCMD_SYS_ENOENT;
    while (err == 0 && (o->used_by & k->pending) != 0 && gpucmd_i915_kernel_run(k)) {
    }
    for (n = 1; n < GPUCMD_I915_KERNEL_RINGS && k->sync_ring != NULL && err == 0; n++) {
        err = k->request_count == 0 && (rings >> n & 1) != 0 ? gpucmd_priv_i915_run_ring(k, n) : 0;
    }
    return err == 0 && gpucmd_priv_i915_object_rings(k, o, &writer) != 0 ? -GPUCMD_SYS_ETIME : err;
}

/* Return the id of the node of object o in address space k->space. If o has none there, use a free
 * node of o or a free row of vmas. Return 0 if the table vmas is full. */
static uint32_t gpucmd_priv_i915_object_node(gpucmd_i915_kernel *k, gpucmd_i915_object *o)
{
    const uint32_t row = (uint32_t)(o - k->objects) + 1;
    uint32_t id = row, last = row, unused = 0;
    gpucmd_i915_vma *v;
    for (; id != 0; id = v->next) {
        v = gpucmd_priv_i915_vma(k, id);
        if (v->object != 0 && v->vm == k->space) {
            return id;
        }
        unused = v->end == 0 && !v->changed ? id : unused;
        last = id;
    }
    if (unused == 0) {
        unused = k->vma_free;
        if (unused != 0) {
            k->vma_free = gpucmd_priv_i915_vma(k, unused)->next;
        } else if (k->vma_used < k->vma_count) {
            unused = 0x80000000u | k->vma_used++;
        } else {
            k->table = GPUCMD_I915_TABLE_VMAS;
            return 0;
        }
        gpucmd_priv_i915_vma(k, last)->next = unused;
        gpucmd_priv_i915_vma(k, unused)->next = 0;
    }
    v = gpucmd_priv_i915_vma(k, unused);
    v->object = row;
    v->vm = k->space;
    gpucmd_priv_i915_vma_change(k, unused); /* ioctl_settle frees the row if it has no addresses */
    return unused;
}

/* Requirements on the address of an object of the list: size, alignment, upper limit, in bytes. */
typedef struct gpucmd_priv_i915_fit {
    uint64_t bytes, align, end;
} gpucmd_priv_i915_fit;

static gpucmd_priv_i915_fit gpucmd_priv_i915_fit_of(const gpucmd_i915_kernel *k, uint32_t n)
{
    const struct gpucmd_drm_i915_gem_exec_object2 *e = &k->list[n];
    gpucmd_priv_i915_fit f;
    f.bytes = gpucmd_priv_i915_object(k, e->handle)->bytes;
    f.bytes = (e->flags & GPUCMD_EXEC_OBJECT_PAD_TO_SIZE) != 0 && e->rsvd1 > f.bytes ? e->rsvd1
              : f.bytes != 0                                                         ? f.bytes
                                                                                     : 1;
    f.align = e->alignment > 4096 ? e->alignment : 4096;
    f.end = (e->flags & GPUCMD_EXEC_OBJECT_SUPPORTS_48B_ADDRESS) != 0 || k->end_va < 0xfffff000u
                ? k->end_va
                : 0xfffff000u;
    return f;
}

static bool gpucmd_priv_i915_fits(const gpucmd_priv_i915_fit *f, uint64_t va)
{
    return (va & (f->align - 1)) == 0 && va <= f->end && f->bytes <= f->end - va;
}

/* Unbind node id, so that its addresses are free. First execute the work that uses its object, if
 * k has sync_ring or requests. Return false, with the node still bound, if one of these is true:
 *   - member `pins` of the object is not 0; then no work is executed
 *   - work that uses the object remains, or sync_ring failed */
static bool gpucmd_priv_i915_evict(gpucmd_i915_kernel *k, uint32_t id)
{
    const gpucmd_i915_object *o = &k->objects[gpucmd_priv_i915_vma(k, id)->object - 1];
    if (o->pins != 0 || ((k->sync_ring != NULL || k->request_count != 0) &&
                         gpucmd_priv_i915_object_wait(k, o) != 0)) {
        return false;
    }
    gpucmd_priv_i915_vma_change(k, id);
    gpucmd_priv_i915_vma_unbind(k, id);
    return true;
}

/* Return the row of the submission's list that has the object of node number id. The list has count
 * rows. Return count if the object is not in the list. */
static uint32_t gpucmd_priv_i915_vma_row(const gpucmd_i915_kernel *k, uint32_t id, uint32_t count)
{
    const gpucmd_i915_object *o = &k->objects[gpucmd_priv_i915_vma(k, id)->object - 1];
    return o->handle != 0 && gpucmd_priv_i915_listed(k, o, count) ? o->row : count;
}

/* Place the pinned object of row number n of the list, which has count rows. Evict other objects
 * from its addresses. -EINVAL: the addresses are invalid. -ENOSPC: the object is larger than the
 * address space, or an object at its addresses is pinned in the list or cannot move. */
static int gpucmd_priv_i915_reserve_pinned(gpucmd_i915_kernel *k, uint32_t n, uint32_t count)
{
    const gpucmd_priv_i915_fit f = gpucmd_priv_i915_fit_of(k, n);
    const uint64_t va = k->list[n].offset & GPUCMD_I915_PRIV_VA_MASK;
    const uint32_t id = gpucmd_priv_i915_object(k, k->list[n].handle)->node;
    uint32_t other;
    if (!gpucmd_priv_i915_fits(&f, va)) {
        return f.bytes > f.end ? -GPUCMD_SYS_ENOSPC : -GPUCMD_SYS_EINVAL;
    }
    while ((other = gpucmd_priv_i915_vma_after(k, k->space, va)) != 0 &&
           gpucmd_priv_i915_vma(k, other)->va < va + f.bytes) {
        const uint32_t row = gpucmd_priv_i915_vma_row(k, other, count);
        if ((row < count && (k->list[row].flags & GPUCMD_EXEC_OBJECT_PINNED) != 0) ||
            !gpucmd_priv_i915_evict(k, other)) {
            return -GPUCMD_SYS_ENOSPC;
        }
    }
    gpucmd_priv_i915_vma_change(k, id);
    gpucmd_priv_i915_vma_bind(k, id, va, va + f.bytes);
    return 0;
}

/* Find free addresses that satisfy f, and write their start to *found. Try the address `presumed`,
 * then vm->next_va, then each hole in ascending order. After 64 holes try only holes that are large
 * enough for any alignment. Return false if no addresses were found. */
static bool gpucmd_priv_i915_reserve_find(gpucmd_i915_kernel *k, const gpucmd_priv_i915_fit *f,
                                          uint64_t presumed, uint64_t *found)
{
    gpucmd_i915_vm *vm = gpucmd_priv_i915_vm(k, k->space);
    const uint64_t mask = f->align - 1;
    uint64_t va = presumed, end, need = f->bytes;
    uint32_t n, id = gpucmd_priv_i915_vma_after(k, k->space, va);
    if (va >= k->first_va && gpucmd_priv_i915_fits(f, va) &&
        (id == 0 || gpucmd_priv_i915_vma(k, id)->va >= va + f->bytes)) {
        *found = va;
        return true;
    }
    va = vm->next_va > k->first_va ? vm->next_va : k->first_va;
    va = (va + mask) & ~mask;
    if (va >= vm->next_va && gpucmd_priv_i915_fits(f, va) &&
        ((id = gpucmd_priv_i915_vma_after(k, k->space, va)) == 0 ||
         gpucmd_priv_i915_vma(k, id)->va >= va + f->bytes)) {
        vm->next_va = va + ((f->bytes + 8191) & ~(uint64_t)4095); /* one page stays free */
        *found = va;
        return true;
    }
    va = k->first_va;
    id = gpucmd_priv_i915_vma_after(k, k->space, va);
    end = id != 0 ? gpucmd_priv_i915_vma(k, id)->va : ~(uint64_t)0;
    for (n = 0;; n++) {
        const uint64_t start = (va + mask) & ~mask;
        if (start < va || !gpucmd_priv_i915_fits(f, start)) {
            return false;
        }
        if (start <= end && f->bytes <= end - start) {
            *found = start;
            return true;
        }
        need = n < 64 ? need : f->bytes + mask;
        id = gpucmd_priv_i915_vma_after(k, k->space, va);
        end = gpucmd_priv_i915_vma_hole(k, id, need, &va);
    }
}

/* Place the objects of the list that have no addresses: first those that need addresses below 4
 * GiB, then the others. Unless `again`, first try the address in the list. -ENOSPC: no space. */
static int gpucmd_priv_i915_reserve_free(gpucmd_i915_kernel *k, uint32_t count, bool again)
{
    uint32_t i, part;
    for (part = 0; part < 2; part++) {
        for (i = 0; i < count; i++) {
            const gpucmd_priv_i915_fit f = gpucmd_priv_i915_fit_of(k, i);
            const uint32_t id = gpucmd_priv_i915_object(k, k->list[i].handle)->node;
            uint64_t va;
            if (gpucmd_priv_i915_vma(k, id)->end != 0 || (f.end > 0xfffff000u) != (part != 0)) {
                continue;
            }
            if (!gpucmd_priv_i915_reserve_find(
                    k, &f, again ? f.end : k->list[i].offset & GPUCMD_I915_PRIV_VA_MASK, &va)) {
                return -GPUCMD_SYS_ENOSPC;
            }
            gpucmd_priv_i915_vma_change(k, id);
            gpucmd_priv_i915_vma_bind(k, id, va, va + f.bytes);
        }
    }
    return 0;
}

/* Evict the objects of k->space, except objects that are pinned in the list or cannot move. */
static void gpucmd_priv_i915_evict_vm(gpucmd_i915_kernel *k, uint32_t count)
{
    uint32_t id;
    uint64_t va = 0;
    while ((id = gpucmd_priv_i915_vma_after(k, k->space, va)) != 0) {
        const uint32_t row = gpucmd_priv_i915_vma_row(k, id, count);
        va = gpucmd_priv_i915_vma(k, id)->end;
        if (row == count || (k->list[row].flags & GPUCMD_EXEC_OBJECT_PINNED) == 0) {
            (void)gpucmd_priv_i915_evict(k, id);
        }
    }
    gpucmd_priv_i915_vm(k, k->space)->next_va = k->end_va; /* later searches use only holes */
}

/* Place all objects of the list. Objects with suitable addresses keep them. Then the pinned objects
 * are placed, then the others. If the address space is full, evict its objects and place the others
 * again. Return 0 or a negative errno. Time: O(list * log(bound)), where bound objects have
 * addresses; after an eviction also O(bound * log(bound)). [K] eb_reserve */
static int gpucmd_priv_i915_ioctl_reserve(gpucmd_i915_kernel *k, uint32_t count)
{
    uint32_t i;
    int err = 0;
    for (i = 0; i < count; i++) {
        const struct gpucmd_drm_i915_gem_exec_object2 *e = &k->list[i];
        gpucmd_i915_object *o = gpucmd_priv_i915_object(k, e->handle);
        const gpucmd_priv_i915_fit f = gpucmd_priv_i915_fit_of(k, i);
        o->node = gpucmd_priv_i915_object_node(k, o);
        if (o->node == 0) {
            return -GPUCMD_SYS_ENOMEM;
        }
        const gpucmd_i915_vma *v = gpucmd_priv_i915_vma(k, o->node);
        if (v->end != 0 &&
            (!gpucmd_priv_i915_fits(&f, v->va) || v->end - v->va < f.bytes ||
             ((e->flags & GPUCMD_EXEC_OBJECT_PINNED) != 0 &&
              v->va != (e->offset & GPUCMD_I915_PRIV_VA_MASK))) &&
            !gpucmd_priv_i915_evict(k, o->node)) {
            return -GPUCMD_SYS_ENOSPC;
        }
    }
    for (i = 0; i < count && err == 0; i++) {
        const uint32_t id = gpucmd_priv_i915_object(k, k->list[i].handle)->node;
        if ((k->list[i].flags & GPUCMD_EXEC_OBJECT_PINNED) != 0 &&
            gpucmd_priv_i915_vma(k, id)->end == 0) {
            err = gpucmd_priv_i915_reserve_pinned(k, i, count);
        }
    }
    if (err == 0 && gpucmd_priv_i915_reserve_free(k, count, false) != 0) {
        gpucmd_priv_i915_evict_vm(k, count);
        err = gpucmd_priv_i915_reserve_free(k, count, true);
    }
    return err;
}

/* Apply relocation *r to object o, unless r->presumed_offset is the address of the target. Write
 * this address to r->presumed_offset. count: rows of the list. Return 0 or a negative errno. */
static int gpucmd_priv_i915_ioctl_reloc(gpucmd_i915_kernel *k, const gpucmd_i915_object *o,
                                        uint32_t count, uint64_t flags,
                                        struct gpucmd_drm_i915_gem_relocation_entry *r)
{
    const uint32_t bytes = k->gen >= GPUCMD_I915_GEN8 ? 8 : 4;
    const gpucmd_i915_object *target = NULL;
    if ((flags & GPUCMD_I915_EXEC_HANDLE_LUT) != 0) {
        if (r->target_handle < count) {
            target = gpucmd_priv_i915_object(k, k->list[r->target_handle].handle);
        }
    } else {
        target = gpucmd_priv_i915_object(k, r->target_handle);
        if (target != NULL && !gpucmd_priv_i915_listed(k, target, count)) {
            target = NULL;
        }
    }
    if (target == NULL) {
        return -GPUCMD_SYS_ENOENT;
    }
    if ((r->write_domain & (r->write_domain - 1)) != 0 ||
        ((r->write_domain | r->read_domains) & ~0x3eu) != 0) {
        return -GPUCMD_SYS_EINVAL;
    }
    if (r->write_domain != 0) { /* the batch writes the target, whatever the list says */
        k->list[target->row].flags |= (uint64_t)GPUCMD_EXEC_OBJECT_WRITE;
    }
    uint64_t va = gpucmd_priv_i915_canonical(gpucmd_priv_i915_vma(k, target->node)->va);
    if (va == r->presumed_offset) {
        return 0;
    }
    if (o->bytes < bytes || r->offset > o->bytes - bytes || (r->offset & 3) != 0) {
        return -GPUCMD_SYS_EINVAL;
    }
    uint8_t *at = (uint8_t *)o->host + r->offset;
    r->presumed_offset = va;
    va += (uint64_t)(int64_t)(int32_t)r->delta;
    if (bytes == 8) {
        gpucmd_store64(at, gpucmd_priv_i915_canonical(va), GPUCMD_LITTLE_ENDIAN);
    } else {
        gpucmd_store32(at, (uint32_t)va, GPUCMD_LITTLE_ENDIAN);
    }
    return 0;
}

static int gpucmd_priv_i915_ioctl_relocs(gpucmd_i915_kernel *k,
                                         const struct gpucmd_drm_i915_gem_execbuffer2 *a,
                                         gpucmd_priv_i915_order *order)
{
    uint32_t i, n;
    for (i = 0; i < a->buffer_count; i++) {
        const struct gpucmd_drm_i915_gem_exec_object2 *e = &k->list[i];
        const gpucmd_i915_object *o = gpucmd_priv_i915_object(k, e->handle);
        for (n = 0; n < e->relocation_count; n++) {
            const uint64_t at =
                e->relocs_ptr + sizeof(struct gpucmd_drm_i915_gem_relocation_entry) * (uint64_t)n;
            struct gpucmd_drm_i915_gem_relocation_entry r;
            if (gpucmd_process_read(k->process, at, &r, sizeof r) != 0) {
                return -GPUCMD_SYS_EFAULT;
            }
            const uint64_t presumed = r.presumed_offset;
            const int err = gpucmd_priv_i915_ioctl_reloc(k, o, a->buffer_count, a->flags, &r);
            if (err != 0) {
                return err;
            }
            if (presumed != r.presumed_offset) { /* too late for -EFAULT: o was changed */
                const int lost = gpucmd_process_write(k->process, at + 16, &r.presumed_offset, 8);
                (void)lost;
                order->relocated = true;
            }
        }
    }
    return 0;
}

/* Return the kind of engine of a ring number. */
static gpucmd_i915_engine gpucmd_priv_i915_ring_engine(uint32_t number)
{
    static const gpucmd_i915_engine engines[GPUCMD_I915_KERNEL_RINGS] = {
        GPUCMD_I915_RCS,  GPUCMD_I915_RCS, GPUCMD_I915_VCS, GPUCMD_I915_BCS,
        GPUCMD_I915_VECS, GPUCMD_I915_VCS, GPUCMD_I915_CCS};
    return engines[number];
}

/* Append the commands that follow a batch: they store seqno in the status page (on gen6 and later
 * after a flush) and raise an interrupt. [K] gen*_emit_breadcrumb */
static void gpucmd_priv_i915_end_request(gpucmd_i915_gen gen, gpucmd_writer *w,
                                         gpucmd_i915_engine engine, uint32_t seqno)
{
    if (gen < GPUCMD_I915_GEN6) {
        gpucmd_i915_emit_mi_store_data_index(w, gen, 0, 0xc0, seqno);
    } else if (engine == GPUCMD_I915_RCS) {
        const uint32_t flags = GPUCMD_I915_BITS(PIPE_CONTROL_CS_STALL) |
                               GPUCMD_I915_BITS(PIPE_CONTROL_STORE_INDEX) |
                               GPUCMD_I915_PUT(PIPE_CONTROL_POST_SYNC, 1);
        gpucmd_i915_emit_pipe_control(w, gen, 0, flags, 0xc0, seqno);
    } else {
        const uint32_t flags =
            GPUCMD_I915_BITS(MI_FLUSH_DW_STORE_INDEX) | GPUCMD_I915_PUT(MI_FLUSH_DW_POST_SYNC, 1);
        gpucmd_i915_emit_mi_flush_dw(w, gen, flags, 0xc0, seqno);
    }
    gpucmd_i915_emit_mi_user_interrupt(w, gen, 0);
}

/* Execute, with k->sync_ring, the work of other rings that the submission waits for. If the work of
 * the submission's ring is in another address space, execute that work, too. Return 0 or a negative
 * errno. */
static int gpucmd_priv_i915_ioctl_sync(gpucmd_i915_kernel *k, uint32_t count,
                                       gpucmd_priv_i915_order *order)
{
    uint32_t i, n, wait = order->wait;
    int err = 0;
    for (i = 0; i < count; i++) {
        const gpucmd_i915_object *o = gpucmd_priv_i915_object(k, k->list[i].handle);
        if ((k->list[i].flags & GPUCMD_EXEC_OBJECT_ASYNC) == 0) {
            wait |= 1u << (o->writer & 31);
            wait |= (k->list[i].flags & GPUCMD_EXEC_OBJECT_WRITE) != 0 ? o->readers : 0;
        }
    }
    order->wait = wait;
    for (n = 1; n < GPUCMD_I915_KERNEL_RINGS && err == 0 && k->sync_ring != NULL; n++) {
        const bool waits = n != order->ring ? (wait >> n & 1) != 0 : k->ring_spaces[n] != k->space;
        if (waits && gpucmd_priv_i915_ring_busy(k, n)) {
            err = gpucmd_priv_i915_run_ring(k, n);
        }
    }
    return err;
}

/* Record a submission in its objects, in its sync file and in the sync objects that it signals. The
 * fences are not read again, because relocations or other rings can have overwritten them. */
static void gpucmd_priv_i915_ioctl_note(gpucmd_i915_kernel *k,
                                        struct gpucmd_drm_i915_gem_execbuffer2 *a,
                                        gpucmd_priv_i915_order *order)
{
    uint32_t i;
    k->wait_rings = order->wait & ~1u; /* bit 0: an object without a writer */
    for (i = 0; i < a->buffer_count; i++) {
        gpucmd_i915_object *o = gpucmd_priv_i915_object(k, k->list[i].handle);
        if ((k->list[i].flags & GPUCMD_EXEC_OBJECT_WRITE) != 0) {
            o->writer = (uint8_t)order->ring;
            o->readers = 0;
        }
        o->readers |= 1u << order->ring;
    }
    if (order->out_file != NULL) {
        order->out_file->used = true;
        order->out_file->ring = (uint8_t)order->ring;
        order->out_file->seqno = k->seqno;
        a->rsvd2 = (a->rsvd2 & 0xffffffffu) | (uint64_t)(uint32_t)order->out_file->fd << 32;
    }
    for (i = 0; i < k->syncobj_count; i++) {
        gpucmd_i915_syncobj *s = &k->syncobjs[i];
        if (s->is_next) {
            s->has_fence = true;
            s->ring = (uint8_t)order->ring;
            s->seqno = k->seqno;
            s->point = s->next_point;
        }
    }
}

/* Append the start of the batch of request r to its ring and submit it. r->refused: the parser of
 * gen7 rejected the batch, so it is started as non-secure. Return 0 or a negative errno. */
static int gpucmd_priv_i915_ioctl_dispatch(gpucmd_i915_kernel *k, const gpucmd_i915_request *r)
{
    const gpucmd_i915_engine engine = gpucmd_priv_i915_ring_engine(r->ring);
    gpucmd_i915_ring *ring = k->rings[r->ring];
    gpucmd_writer w;
    const gpucmd_status status = gpucmd_i915_ring_begin(ring, 16, &w);
    if (status != GPUCMD_OK) { /* the wait for space in the ring failed */
        return status == GPUCMD_FAULT ? -GPUCMD_SYS_EINTR : -GPUCMD_SYS_EAGAIN;
    }
    if (r->refused && k->gen == GPUCMD_I915_GEN7_5) { /* as the kernel does on all engines [K] */
        gpucmd_i915_emit_mi_batch_buffer_start(
            &w, k->gen, GPUCMD_I915_BITS(MI_BATCH_BUFFER_START_NON_PRIVILEGED), r->va);
    } else {
        gpucmd_i915_emit_dispatch(&w, k->gen, engine, r->secure, r->va);
    }
    if (k->breadcrumb) {
        gpucmd_priv_i915_end_request(k->gen, &w, engine, r->seqno);
    }
    if (gpucmd_i915_ring_end(ring, &w) != GPUCMD_OK) {
        return -GPUCMD_SYS_EINVAL;
    }
    gpucmd_i915_ring_publish(ring);
    k->ring_spaces[r->ring] = r->space;
    return 0;
}

/* Clear the bits of ended requests. Free objects that were closed while a request used them. */
static void gpucmd_priv_i915_retire(gpucmd_i915_kernel *k)
{
    uint32_t i;
    for (i = 0; i < k->object_count && k->ended != 0; i++) {
        k->objects[i].used_by &= k->pending;
        k->objects[i].written_by &= k->pending;
        if (k->objects[i].handle >> 31 != 0 && k->objects[i].used_by == 0) {
            gpucmd_i915_kernel_free(k, &k->objects[i]);
        }
    }
    for (i = 0; i < 64 && gpucmd_priv_shr(k->pending, i) != 0; i++) {
        k->requests[i].wait &= k->pending;
    }
    k->ended = 0;
}

/* Return the number of a free row of requests, or request_count if all rows are in use. */
static uint32_t gpucmd_priv_i915_request_row(gpucmd_i915_kernel *k)
{
    const uint32_t count = k->request_count < 64 ? k->request_count : 64;
    uint32_t i, n;
    for (n = 0; n < 2 * count; n++) {
        i = n < count ? n : n - count;
        if ((gpucmd_priv_shr(k->pending | k->ended, i) & 1) == 0) {
            return i;
        }
        if (n + 1 == count) {
            gpucmd_priv_i915_retire(k);
        }
    }
    return k->request_count;
}

/* Copy request r to a free row of requests. -EAGAIN: no row is free. Request r uses the objects in
 * the first `count` rows of k->list. These requests must end before r:
 *   - row i of requests if bit i of `wait` is set; these requests signal fences that r waits for
 *   - earlier requests of the ring and context of r
 *   - requests that write an object that r uses, or use an object that r writes, except objects
 *     with EXEC_OBJECT_ASYNC */
static int gpucmd_priv_i915_queue(gpucmd_i915_kernel *k, gpucmd_i915_request *r, uint32_t count,
                                  uint64_t wait)
{
    const uint32_t row = gpucmd_priv_i915_request_row(k);
    uint32_t i;
    if (row == k->request_count) {
        return -GPUCMD_SYS_EAGAIN;
    }
    for (i = 0; i < 64 && gpucmd_priv_shr(k->pending, i) != 0; i++) {
        const gpucmd_i915_request *q = &k->requests[i];
        if ((gpucmd_priv_shr(k->pending, i) & 1) != 0 && q->ring == r->ring &&
            q->context == r->context) {
            wait |= gpucmd_priv_shl(1, i);
        }
    }
    for (i = 0; i < count; i++) {
        gpucmd_i915_object *o = gpucmd_priv_i915_object(k, k->list[i].handle);
        const bool writes = (k->list[i].flags & GPUCMD_EXEC_OBJECT_WRITE) != 0;
        if ((k->list[i].flags & GPUCMD_EXEC_OBJECT_ASYNC) == 0) {
            wait |= writes ? o->used_by : o->written_by;
        }
    }
    for (i = 0; i < count; i++) { /* a second loop, because the list can have an object twice */
        gpucmd_i915_object *o = gpucmd_priv_i915_object(k, k->list[i].handle);
        const bool writes = (k->list[i].flags & GPUCMD_EXEC_OBJECT_WRITE) != 0;
        o->used_by |= gpucmd_priv_shl(1, row);
        o->written_by |= gpucmd_priv_shl(writes, row);
    }
    r->wait = wait & k->pending;
    k->pending |= gpucmd_priv_shl(1, row);
    k->requests[row] = *r;
    return 0;
}

GPUCMD_PRIV_API uint64_t gpucmd_i915_kernel_find(const gpucmd_i915_kernel *k, uint32_t seqno)
{
    uint32_t i;
    for (i = 0; i < 64 && gpucmd_priv_shr(k->pending, i) != 0; i++) {
        if ((gpucmd_priv_shr(k->pending, i) & 1) != 0 && k->requests[i].seqno == seqno) {
            return gpucmd_priv_shl(1, i);
        }
    }
    return 0;
}

GPUCMD_PRIV_API uint32_t gpucmd_i915_kernel_fence(gpucmd_i915_kernel *k)
{
    const gpucmd_i915_request r = {k->seqno + 1, 0, 0, 0, 0, 0, 0, 0, false, false, false, false};
    const uint32_t row = gpucmd_priv_i915_request_row(k);
    if (row == k->request_count) {
        return 0;
    }
    k->requests[row] = r;
    k->pending |= gpucmd_priv_shl(1, row);
    return ++k->seqno;
}

GPUCMD_PRIV_API void gpucmd_i915_kernel_signal(gpucmd_i915_kernel *k, uint32_t seqno)
{
    const uint64_t bit = gpucmd_i915_kernel_find(k, seqno);
    k->pending &= ~bit;
    k->ended |= bit;
}

/* Drop request r, which hangs, and count this in its context. A context is banned at its third
 * hang, or at its first if unrecoverable is set. The waiting requests of a banned context are
 * dropped, too. Before gen7 the reset stops the batches of all rings; their contexts count them as
 * pending. [K] intel_reset.c */
static void gpucmd_priv_i915_hang(gpucmd_i915_kernel *k, gpucmd_i915_request *r)
{
    gpucmd_i915_context *c = gpucmd_priv_i915_context(k, r->context);
    uint32_t i;
    r->hung = true;
    if (k->reset_ring != NULL) {
        k->reset_ring(k->sync_user, r->ring);
    }
    gpucmd_i915_kernel_signal(k, r->seqno);
    if (c != NULL) {
        c->active++;
        c->banned = c->banned || c->unrecoverable || c->active >= 3;
    }
    for (i = 0; i < 64 && gpucmd_priv_shr(k->pending, i) != 0; i++) {
        gpucmd_i915_request *q = &k->requests[i];
        gpucmd_i915_context *d = gpucmd_priv_i915_context(k, q->context);
        if ((gpucmd_priv_shr(k->pending, i) & 1) == 0 || q->ring == 0 || d == NULL) {
            continue;
        }
        d->pending += k->gen < GPUCMD_I915_GEN7 && q->running;
        if (d->banned && !q->running) {
            q->hung = true;
            gpucmd_i915_kernel_signal(k, q->seqno);
        }
    }
}

/* Return the request that runs on a ring. If none runs, return the one to run next, or NULL. */
static gpucmd_i915_request *gpucmd_priv_i915_next(const gpucmd_i915_kernel *k, uint32_t ring)
{
    gpucmd_i915_request *found = NULL;
    uint32_t i;
    for (i = 0; i < 64 && gpucmd_priv_shr(k->pending, i) != 0; i++) {
        gpucmd_i915_request *r = &k->requests[i];
        if ((gpucmd_priv_shr(k->pending, i) & 1) == 0 || r->ring != ring ||
            (r->wait & k->pending) != 0) {
            continue;
        }
        if (r->running) {
            return r;
        }
        if (found == NULL || r->priority > found->priority ||
            (r->priority == found->priority && (int32_t)(r->seqno - found->seqno) < 0)) {
            found = r;
        }
    }
    return found;
}

GPUCMD_PRIV_API bool gpucmd_i915_kernel_run(gpucmd_i915_kernel *k)
{
    const uint64_t before = k->pending;
    uint32_t n;
    for (n = 1; n < GPUCMD_I915_KERNEL_RINGS; n++) {
        gpucmd_i915_request *r = k->pending != 0 ? gpucmd_priv_i915_next(k, n) : NULL;
        if (r == NULL || (!r->running && gpucmd_priv_i915_ioctl_dispatch(k, r) != 0)) {
            continue;
        }
        r->running = true;
        if (k->sync_ring != NULL) {
            (void)gpucmd_priv_i915_run_ring(k, n);
        }
        if (!gpucmd_priv_i915_ring_busy(k, n)) {
            gpucmd_i915_kernel_signal(k, r->seqno);
        } else if (++r->runs == k->hang_runs) {
            gpucmd_priv_i915_hang(k, r);
        }
    }
    return k->pending != before;
}

/* Parse the batch, then queue it, or wait for other rings and dispatch it. It has all rights with
 * flag EXEC_SECURE, or if the command parser of gen7 accepts it. Return 0 or a negative errno. */
static int gpucmd_priv_i915_ioctl_run(gpucmd_i915_kernel *k,
                                      struct gpucmd_drm_i915_gem_execbuffer2 *a, uint32_t batch,
                                      gpucmd_priv_i915_order *order)
{
    const gpucmd_i915_object *o = gpucmd_priv_i915_object(k, k->list[batch].handle);
    const uint64_t va = gpucmd_priv_i915_vma(k, o->node)->va + a->batch_start_offset;
    const uint64_t bytes = a->batch_len != 0 ? a->batch_len : o->bytes - a->batch_start_offset;
    const gpucmd_i915_engine engine = gpucmd_priv_i915_ring_engine(order->ring);
    const bool gen7 = k->gen == GPUCMD_I915_GEN7 || k->gen == GPUCMD_I915_GEN7_5;
    gpucmd_i915_request r = {
        k->seqno + 1,
        (uint32_t)a->rsvd1,
        k->space,
        0,
        va,
        0,
        order->context != NULL && k->gen >= GPUCMD_I915_GEN8 ? order->context->priority : 0,
        (uint8_t)order->ring,
        (a->flags & GPUCMD_I915_EXEC_SECURE) != 0,
        false,
        false,
        false};
    int err = 0;
    if ((a->flags & GPUCMD_I915_EXEC_GEN7_SOL_RESET) != 0 &&
        (order->ring != GPUCMD_I915_EXEC_RENDER || !gen7)) {
        return -GPUCMD_SYS_EINVAL;
    }
    if (k->parser && ((gen7 && a->batch_len != 0) ||
                      (k->gen == GPUCMD_I915_GEN9 && engine == GPUCMD_I915_BCS))) {
        gpucmd_i915_cmdset cmdset;
        if (gpucmd_i915_cmdset_init(&cmdset, k->gen, engine) != GPUCMD_OK) {
            return -GPUCMD_SYS_EINVAL;
        }
        err = gpucmd_i915_parse(&cmdset, (const uint8_t *)o->host + a->batch_start_offset, bytes,
                                va, &k->why);
        r.refused = gen7 && err == -GPUCMD_SYS_EACCES;
        r.secure = r.secure || (gen7 && err == 0);
        err = r.refused ? 0 : err;
    }
    if (err == 0 && k->request_count != 0) {
        err = gpucmd_priv_i915_queue(k, &r, a->buffer_count, order->requests);
    } else if (err == 0) {
        err = gpucmd_priv_i915_ioctl_sync(k, a->buffer_count, order);
        err = err == 0 ? gpucmd_priv_i915_ioctl_dispatch(k, &r) : err;
    }
    if (err == 0) {
        k->seqno++;
        gpucmd_priv_i915_ioctl_note(k, a, order);
    }
    return err;
}

/* Add node id to the free rows of vmas. Do nothing if the node is the member vma of an object. */
static void gpucmd_priv_i915_vma_put(gpucmd_i915_kernel *k, uint32_t id)
{
    gpucmd_i915_vma *v = gpucmd_priv_i915_vma(k, id);
    uint32_t at = v->object;
    if (id >> 31 == 0) {
        return;
    }
    while (gpucmd_priv_i915_vma(k, at)->next != id) {
        at = gpucmd_priv_i915_vma(k, at)->next;
    }
    gpucmd_priv_i915_vma(k, at)->next = v->next;
    v->next = k->vma_free;
    k->vma_free = id;
}

/* End a submission. back: the submission failed before its first relocation, so all objects return
 * to their old addresses. Otherwise they keep the new addresses, because after a relocation memory
 * contains these. */
static void gpucmd_priv_i915_ioctl_settle(gpucmd_i915_kernel *k, bool back)
{
    uint32_t id, next;
    gpucmd_i915_vma *v;
    for (id = k->changes; back && id != 0; id = v->next_change) {
        v = gpucmd_priv_i915_vma(k, id);
        if (v->end != 0) {
            gpucmd_priv_i915_vma_unbind(k, id);
        }
    }
    for (id = k->changes; id != 0; id = next) {
        v = gpucmd_priv_i915_vma(k, id);
        gpucmd_i915_object *o = &k->objects[v->object - 1];
        next = v->next_change;
        if (back && v->old_end != 0) {
            gpucmd_priv_i915_vma_bind(k, id, v->old_va, v->old_end);
        }
        v->changed = false;
        v->next_change = 0;
        v->old_va = v->old_end = 0;
        if (!back && o->node == id) {
            o->va = v->va;
            o->bound = v->end != 0;
        }
        if (v->end == 0) {
            gpucmd_priv_i915_vma_put(k, id);
        }
    }
    k->changes = 0;
}

GPUCMD_PRIV_API void gpucmd_i915_kernel_free(gpucmd_i915_kernel *k, gpucmd_i915_object *o)
{
    uint32_t id = (uint32_t)(o - k->objects) + 1;
    while (id != 0) {
        gpucmd_i915_vma *v = gpucmd_priv_i915_vma(k, id);
        const uint32_t next = v->next;
        if (v->end != 0) {
            gpucmd_priv_i915_vma_unbind(k, id);
        }
        gpucmd_priv_i915_vma_put(k, id);
        id = next;
    }
    gpucmd_priv_zero(o, sizeof *o);
}

GPUCMD_PRIV_API bool gpucmd_i915_kernel_address(const gpucmd_i915_kernel *k,
                                                const gpucmd_i915_object *o, uint32_t vm,
                                                uint64_t *va)
{
    const gpucmd_i915_vma *v = &o->vma; /* member object is 0: the node is unused */
    while (v->object == 0 || v->vm != vm || v->end == 0) {
        if (v->next == 0) {
            return false;
        }
        v = &k->vmas[v->next & ~(1u << 31)];
    }
    *va = v->va;
    return true;
}

GPUCMD_PRIV_API void gpucmd_i915_kernel_vm_free(gpucmd_i915_kernel *k, uint32_t vm)
{
    uint32_t id;
    while ((id = gpucmd_priv_i915_vm(k, vm)->root) != 0) {
        gpucmd_i915_object *o = &k->objects[gpucmd_priv_i915_vma(k, id)->object - 1];
        gpucmd_priv_i915_vma_unbind(k, id);
        o->bound = o->bound && o->node != id;
        gpucmd_priv_i915_vma_put(k, id);
    }
}

/* Find all objects of the list, check the batch and place the objects. *batch: row of the batch.
 * *moved: an object is not at its address in the list. Return 0 or a negative errno. */
static int gpucmd_priv_i915_ioctl_objects(gpucmd_i915_kernel *k,
                                          const struct gpucmd_drm_i915_gem_execbuffer2 *a,
                                          uint32_t *batch, bool *moved)
{
    uint32_t i;
    int err = 0;
    *moved = false;
    for (i = 0; i < a->buffer_count && err == 0; i++) {
        err = gpucmd_priv_i915_ioctl_object(k, i);
    }
    if (err == 0) {
        err = gpucmd_priv_i915_ioctl_batch(k, a, batch);
    }
    if (err == 0) {
        err = gpucmd_priv_i915_ioctl_reserve(k, a->buffer_count);
    }
    for (i = 0; i < a->buffer_count && err == 0; i++) {
        const gpucmd_i915_object *o = gpucmd_priv_i915_object(k, k->list[i].handle);
        *moved = *moved || gpucmd_priv_i915_canonical(gpucmd_priv_i915_vma(k, o->node)->va) !=
                               k->list[i].offset;
    }
    return err;
}

static int gpucmd_priv_i915_ioctl_execbuffer2(gpucmd_i915_kernel *k,
                                              struct gpucmd_drm_i915_gem_execbuffer2 *a)
{
    gpucmd_priv_i915_order order = {0, 0, NULL, NULL, 0, 0, false};
    const uint32_t space = k->space;
    gpucmd_i915_vm *vm = NULL;
    uint64_t next_va = 0;
    uint32_t i, batch = 0;
    bool moved;
    int err = gpucmd_priv_i915_ioctl_fields(k, a);
    if (err == 0) {
        err = gpucmd_process_read(k->process, a->buffers_ptr, k->list,
                                  (uint32_t)sizeof k->list[0] * a->buffer_count);
    }
    if (err == 0) {
        err = gpucmd_priv_i915_ioctl_rights(k, a, &order);
    }
    if (err == 0) {
        vm = gpucmd_priv_i915_vm(k, k->space);
        next_va = vm->next_va;
        err = gpucmd_priv_i915_ioctl_objects(k, a, &batch, &moved);
    }
    if (err == 0 && ((a->flags & GPUCMD_I915_EXEC_NO_RELOC) == 0 || moved)) {
        err = gpucmd_priv_i915_ioctl_relocs(k, a, &order);
    }
    if (err == 0) {
        err = gpucmd_priv_i915_ioctl_run(k, a, batch, &order);
    }
    gpucmd_priv_i915_ioctl_settle(k, err != 0 && !order.relocated);
    if (vm != NULL && err != 0 && !order.relocated) {
        vm->next_va = next_va; /* a search for addresses can change it without a change of a node */
    }
    k->space = err != 0 ? space : k->space;
    for (i = 0; i < k->syncobj_count; i++) {
        k->syncobjs[i].is_next = false;
    }
    k->list_count = err == 0 ? a->buffer_count : 0;
    for (i = 0; i < k->list_count; i++) {
        gpucmd_i915_object *o = gpucmd_priv_i915_object(k, k->list[i].handle);
        const uint64_t va = gpucmd_priv_i915_canonical(gpucmd_priv_i915_vma(k, o->node)->va);
        o->va = va & GPUCMD_I915_PRIV_VA_MASK;
        o->bound = true;
        if (va != k->list[i].offset) { /* too late for -EFAULT: the batch was submitted */
            const int lost =
                gpucmd_process_write(k->process, a->buffers_ptr + 56 * i + 24, &va, sizeof va);
            (void)lost;
        }
    }
    k->objects_indexed = k->syncobjs_indexed = false;
    return err;
}

/* ---- buffer objects ---- */

/* Return the CPU address of a free range of the given number of bytes in k->ram, or NULL if there
 * is none. If an object overlaps a range, try the range that starts at the end of this object. */
static uint8_t *gpucmd_priv_i915_ram_place(const gpucmd_i915_kernel *k, uint64_t bytes)
{
    uint32_t n, i;
    uint64_t at = 0;
    for (n = 0; n <= k->object_count && at <= k->ram_bytes && bytes <= k->ram_bytes - at; n++) {
        const uint64_t start = at;
        for (i = 0; i < k->object_count; i++) {
            const gpucmd_i915_object *o = &k->objects[i];
            const uint64_t off = (uint64_t)((uintptr_t)o->host - (uintptr_t)k->ram);
            if (o->handle != 0 && off < k->ram_bytes && off < at + bytes && off + o->bytes > at) {
                at = off + o->bytes;
            }
        }
        if (at == start) {
            return k->ram + at;
        }
    }
    return NULL;
}

/* Execute GEM_CREATE: create an object of zeros, in whole pages of 4096 bytes. */
static int gpucmd_priv_i915_ioctl_gem_create(gpucmd_i915_kernel *k,
                                             struct gpucmd_drm_i915_gem_create *a)
{
    const uint64_t bytes = (a->size + 4095) & ~(uint64_t)4095;
    uint32_t row = 0, handle;
    if (bytes == 0) {
        return -GPUCMD_SYS_EINVAL;
    }
    gpucmd_priv_i915_retire(k);
    uint8_t *host = gpucmd_priv_i915_ram_place(k, bytes);
    while (row < k->object_count && k->objects[row].handle != 0) {
        row++;
    }
    handle = row + 1;
    while (gpucmd_priv_i915_object(k, handle) != NULL) { /* a caller's row may have this handle */
        handle++;
    }
    if (row == k->object_count || host == NULL) {
        k->table = host != NULL ? GPUCMD_I915_TABLE_OBJECTS : GPUCMD_I915_TABLE_RAM;
        return -GPUCMD_SYS_ENOMEM;
    }
    gpucmd_priv_zero(host, (size_t)bytes);
    gpucmd_i915_object *o = &k->objects[row];
    gpucmd_i915_kernel_free(k, o); /* free old nodes, zero the row */
    o->host = host;
    o->bytes = bytes;
    o->handle = handle;
    a->size = bytes;
    a->handle = handle;
    return 0;
}

static int gpucmd_priv_i915_ioctl_gem_close(gpucmd_i915_kernel *k, struct gpucmd_drm_gem_close *a)
{
    gpucmd_i915_object *o = gpucmd_priv_i915_object(k, a->handle);
    if (o == NULL) {
        return -GPUCMD_SYS_EINVAL;
    }
    if (k->request_count == 0) {
        (void)gpucmd_priv_i915_object_wait(k, o); /* GEM_CLOSE does not fail if work is left */
    }
    if ((o->used_by & k->pending) != 0) {
        o->handle = 0x80000000u; /* gpucmd_priv_i915_retire frees the object */
    } else {
        gpucmd_i915_kernel_free(k, o);
    }
    return 0;
}

/* Wait for the work that uses the object. Write to *host the CPU address of its byte at `offset`.
 * Return 0 or a negative errno. -ENOENT: no such handle. -EINVAL: the range leaves the object. */
static int gpucmd_priv_i915_gem_bytes(gpucmd_i915_kernel *k, uint32_t handle, uint64_t offset,
                                      uint64_t bytes, uint8_t **host)
{
    const gpucmd_i915_object *o = gpucmd_priv_i915_object(k, handle);
    if (o != NULL && (offset > o->bytes || bytes > o->bytes - offset)) {
        return -GPUCMD_SYS_EINVAL;
    }
    *host = o != NULL ? (uint8_t *)o->host + offset : NULL;
    return gpucmd_priv_i915_object_wait(k, o);
}

static int gpucmd_priv_i915_ioctl_gem_pread(gpucmd_i915_kernel *k,
                                            struct gpucmd_drm_i915_gem_pread *a)
{
    uint8_t *host = NULL;
    const int err =
        a->size != 0 ? gpucmd_priv_i915_gem_bytes(k, a->handle, a->offset, a->size, &host) : 0;
    return host != NULL && err == 0 ? gpucmd_process_write(k->process, a->data_ptr, host, a->size)
                                    : err;
}

static int gpucmd_priv_i915_ioctl_gem_pwrite(gpucmd_i915_kernel *k,
                                             struct gpucmd_drm_i915_gem_pwrite *a)
{
    uint8_t *host = NULL;
    const int err =
        a->size != 0 ? gpucmd_priv_i915_gem_bytes(k, a->handle, a->offset, a->size, &host) : 0;
    return host != NULL && err == 0 ? gpucmd_process_read(k->process, a->data_ptr, host, a->size)
                                    : err;
}

/* Execute GEM_BUSY: write to a->busy which engine classes use the object. Bit 16 + n: class n uses
 * it. Bits 15:0: 1 + the class that writes it, or 0. [K] i915_gem_busy.c */
static int gpucmd_priv_i915_ioctl_gem_busy(gpucmd_i915_kernel *k,
                                           struct gpucmd_drm_i915_gem_busy *a)
{
    uint32_t n;
    static const uint8_t classes[GPUCMD_I915_KERNEL_RINGS] = {0, 0, 2, 1, 3, 2, 4};
    const gpucmd_i915_object *o = gpucmd_priv_i915_object(k, a->handle);
    uint32_t rings, writer;
    if (o == NULL) {
        return -GPUCMD_SYS_ENOENT;
    }
    rings = gpucmd_priv_i915_object_rings(k, o, &writer);
    a->busy = writer != 0 ? classes[writer] + 1u : 0;
    for (n = 1; n < GPUCMD_I915_KERNEL_RINGS; n++) {
        a->busy |= (rings >> n & 1) << (16 + classes[n]);
    }
    return 0;
}

/* If read_domains is not 0, wait for the work that uses the object. [K] i915_gem_domain.c */
static int gpucmd_priv_i915_ioctl_gem_set_domain(gpucmd_i915_kernel *k,
                                                 struct gpucmd_drm_i915_gem_set_domain *a)
{
    /* 0x80 is the domain of write-combining (WC) mappings. */
    const uint32_t cpu = GPUCMD_I915_GEM_DOMAIN_CPU | GPUCMD_I915_GEM_DOMAIN_GTT | 0x80u;
    if (((a->read_domains | a->write_domain) & ~cpu) != 0 ||
        (a->write_domain != 0 && a->read_domains != a->write_domain)) {
        return -GPUCMD_SYS_EINVAL;
    }
    return a->read_domains != 0
               ? gpucmd_priv_i915_object_wait(k, gpucmd_priv_i915_object(k, a->handle))
               : 0;
}

static int gpucmd_priv_i915_ioctl_gem_wait(gpucmd_i915_kernel *k,
                                           struct gpucmd_drm_i915_gem_wait *a)
{
    return a->flags != 0
               ? -GPUCMD_SYS_EINVAL
               : gpucmd_priv_i915_object_wait(k, gpucmd_priv_i915_object(k, a->bo_handle));
}

/* ---- the kernel as a whole ---- */

/* Argument of any ioctl of GPUCMD_I915_IOCTLS. */
typedef union gpucmd_priv_i915_ioctl_arg {
    struct gpucmd_drm_gem_close gem_close;
    struct gpucmd_drm_i915_gem_busy gem_busy;
    struct gpucmd_drm_i915_gem_create gem_create;
    struct gpucmd_drm_i915_gem_pread gem_pread;
    struct gpucmd_drm_i915_gem_pwrite gem_pwrite;
    struct gpucmd_drm_i915_gem_set_domain gem_domain;
    struct gpucmd_drm_i915_gem_execbuffer2 execbuffer2;
    struct gpucmd_drm_i915_gem_wait gem_wait;
} gpucmd_priv_i915_ioctl_arg;

static int gpucmd_priv_i915_ioctl_answer(gpucmd_i915_kernel *k, uint32_t request,
                                         gpucmd_priv_i915_ioctl_arg *a)
{
#define GPUCMD_I915_PRIV_IOCTL(name, argument, function)                                           \
    case GPUCMD_DRM_IOCTL_##name: return gpucmd_priv_i915_ioctl_##function(k, &a->argument);
    switch (request) {
        GPUCMD_I915_IOCTLS(GPUCMD_I915_PRIV_IOCTL)
    }
#undef GPUCMD_I915_PRIV_IOCTL
    return -GPUCMD_SYS_ENOTTY;
}

GPUCMD_PRIV_API int gpucmd_i915_kernel_ioctl(gpucmd_i915_kernel *k, uint32_t request, uint64_t arg)
{
#define GPUCMD_I915_PRIV_IOCTL(name, argument, function) || request == GPUCMD_DRM_IOCTL_##name
    const bool known = false GPUCMD_I915_IOCTLS(GPUCMD_I915_PRIV_IOCTL);
#undef GPUCMD_I915_PRIV_IOCTL
    const uint64_t bytes = GPUCMD_FIELD_GET(IOC_BYTES, request);
    gpucmd_priv_i915_ioctl_arg a;
    int err = known ? gpucmd_process_read(k->process, arg, &a, bytes) : -GPUCMD_SYS_ENOTTY;
    k->table = GPUCMD_I915_TABLE_NONE;
    if (err != 0) {
        return err;
    }
    err = gpucmd_priv_i915_ioctl_answer(k, request, &a);
    if ((GPUCMD_FIELD_GET(IOC_DIR, request) & GPUCMD_IOC_READ) != 0 &&
        gpucmd_process_write(k->process, arg, &a, bytes) != 0) {
        err = -GPUCMD_SYS_EFAULT; /* EFAULT replaces the result [K] drm_ioctl.c */
    }
    return err;
}

static int gpucmd_priv_i915_node_ioctl(void *kernel, uint32_t number, void *arg)
{
    return gpucmd_i915_kernel_ioctl((gpucmd_i915_kernel *)kernel, number, (uint64_t)(uintptr_t)arg);
}

GPUCMD_PRIV_API void gpucmd_i915_kernel_sys(gpucmd_i915_kernel *k, gpucmd_sys_ops *ops)
{
    gpucmd_sys_ops_init_node(ops, &k->node, gpucmd_priv_i915_node_ioctl, k);
}

GPUCMD_PRIV_API const char *gpucmd_i915_table_name(gpucmd_i915_table table)
{
    return gpucmd_priv_row_text("NONE\0" GPUCMD_I915_KERNEL_TABLES(GPUCMD_PRIV_ROW_NAME) "RAM\0",
                                (size_t)table);
}

/* Check the memory of one table and set k->table to it. Parameter `any`: the table has rows.
 *   GPUCMD_RANGE   `any` is true, but rows is NULL
 *   GPUCMD_ALIGN   rows is not aligned to `align` bytes */
static gpucmd_status gpucmd_priv_i915_check_table(gpucmd_i915_kernel *k, gpucmd_i915_table table,
                                                  const void *rows, bool any, size_t align)
{
    k->table = table;
    return any && rows == NULL                    ? GPUCMD_RANGE
           : ((uintptr_t)rows & (align - 1)) != 0 ? GPUCMD_ALIGN
                                                  : GPUCMD_OK;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_i915_kernel_check(gpucmd_i915_kernel *k)
{
    gpucmd_status status = k->list_cap != 0 ? GPUCMD_OK : GPUCMD_RANGE;
    k->table = GPUCMD_I915_TABLE_LIST;
#define GPUCMD_I915_PRIV_TABLE(id, member, count, type, store)                                     \
    if (status == GPUCMD_OK) {                                                                     \
        struct aligned {                                                                           \
            char c;                                                                                \
            type v;                                                                                \
        };                                                                                         \
        status = gpucmd_priv_i915_check_table(k, GPUCMD_I915_TABLE_##id, k->member, k->count != 0, \
                                              GPUCMD_PRIV_OFFSETOF(struct aligned, v));            \
    }
    GPUCMD_I915_KERNEL_TABLES(GPUCMD_I915_PRIV_TABLE)
#undef GPUCMD_I915_PRIV_TABLE
    if (status == GPUCMD_OK) {
        status =
            gpucmd_priv_i915_check_table(k, GPUCMD_I915_TABLE_RAM, k->ram, k->ram_bytes != 0, 4096);
    }
    if (status == GPUCMD_OK && k->ram_bytes != 0 && k->ram_bytes < 4096) {
        status = GPUCMD_RANGE;
    }
    k->table = status == GPUCMD_OK ? GPUCMD_I915_TABLE_NONE : k->table;
    return status;
}

/* GPU address of the ring in a gpucmd_i915_kernel_store, unless an object overlaps it. */
#define GPUCMD_I915_PRIV_STORE_RING_VA 0xffffe000u

/* Return a GPU address for the ring of the store that no object of k->space overlaps. */
static uint32_t gpucmd_priv_i915_store_ring_va(const gpucmd_i915_kernel *k)
{
    uint32_t id;
    uint64_t va = GPUCMD_I915_PRIV_STORE_RING_VA;
    while ((id = gpucmd_priv_i915_vma_after(k, k->space, va)) != 0 &&
           gpucmd_priv_i915_vma(k, id)->va < va + sizeof k->store->ring_words) {
        va = gpucmd_priv_i915_vma(k, id)->va - sizeof k->store->ring_words;
    }
    return (uint32_t)va;
}

/* Callback sync_ring of a kernel with a store: execute the work of its engine. After a fault reset
 * the engine and drop the rest of its work. -EIO: there are too many regions, or one is invalid. */
static int gpucmd_priv_i915_store_sync(void *user, uint32_t ring)
{
    gpucmd_i915_kernel *k = (gpucmd_i915_kernel *)user;
    gpucmd_i915_kernel_store *s = k->store;
    const size_t cap = sizeof s->regions / sizeof s->regions[0] - 1;
    const size_t n = gpucmd_i915_kernel_regions(k, s->regions + 1, cap);
    gpucmd_mem mem;
    gpucmd_env env;
    (void)ring;
    s->cs.start = gpucmd_priv_i915_store_ring_va(k);
    s->regions[0] = gpucmd_priv_i915_region(s->cs.start, sizeof s->ring_words, s->ring_words);
    s->regions[0].access_mask = GPUCMD_ACCESS_READ;
    gpucmd_mem_sort(s->regions, n <= cap ? n + 1 : 0);
    if (n > cap || gpucmd_mem_init(&mem, s->regions, n + 1) != GPUCMD_OK) {
        return -GPUCMD_SYS_EIO;
    }
    gpucmd_env_init(&env, &mem, NULL, NULL);
    const gpucmd_run run = gpucmd_i915_run(&s->cs, &env, (uint64_t)1 << 20);
    gpucmd_i915_cs_why(&s->cs, &k->why);
    if (run == GPUCMD_RUN_FAULT) {
        gpucmd_i915_cs_reset(&s->cs, s->cs.tail);
    }
    return 0;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_i915_kernel_init_store(gpucmd_i915_kernel *k,
                                                            gpucmd_i915_gen gen,
                                                            gpucmd_mem *process,
                                                            gpucmd_i915_kernel_store *store,
                                                            void *ram, uint64_t ram_bytes)
{
    uint32_t i;
    gpucmd_mmio mmio;
    gpucmd_i915_kernel_init(k, gen, process);
    if (store == NULL) {
        k->table = GPUCMD_I915_TABLE_OBJECTS;
        return GPUCMD_RANGE;
    }
#define GPUCMD_I915_PRIV_TABLE(id, member, count, type, rows)                                      \
    gpucmd_priv_zero(store->member, sizeof store->member);                                         \
    k->member = store->member;                                                                     \
    k->count = (rows);
    GPUCMD_I915_KERNEL_TABLES(GPUCMD_I915_PRIV_TABLE)
#undef GPUCMD_I915_PRIV_TABLE
    for (i = 0; i < k->sync_file_count; i++) {
        k->sync_files[i].fd = 1000 + (int)i;
    }
    k->ram = (uint8_t *)ram;
    k->ram_bytes = ram_bytes;
    k->store = store;
    k->sync_ring = gpucmd_priv_i915_store_sync;
    k->sync_user = k;
    k->rings[GPUCMD_I915_EXEC_RENDER] = &store->ring;
    gpucmd_status status = gpucmd_i915_kernel_check(k);
    if (status == GPUCMD_OK) {
        status = gpucmd_i915_cs_init(&store->cs, gen, GPUCMD_I915_RCS, 0);
    }
    if (status == GPUCMD_OK) {
        gpucmd_i915_cs_mmio(&store->cs, &mmio);
        status = gpucmd_i915_ring_init(&store->ring, store->ring_words, sizeof store->ring_words, 0,
                                       &mmio, store->cs.base);
    }
    return status != GPUCMD_OK
               ? status
               : gpucmd_i915_ring_start(&store->ring, GPUCMD_I915_PRIV_STORE_RING_VA);
}

GPUCMD_PRIV_END

#endif /* GPUCMD_IMPLEMENTATION */

/*
MIT License

Copyright (c) 2026 The gpucmd authors

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
 */

/* gpucmd_agx.h - v0.1.0 - Apple AGX submissions, Asahi UAPI - SPDX-License-Identifier: MIT
 *
 * [AGX.MANUAL]
 *
 * WHAT IT IS
 *   Writes, reads, checks and executes the submissions of the Asahi DRM driver for
 *   Apple GPUs: command streams with barriers, firmware queues, address spaces. Has
 *   a client for the ioctls of the driver, and a model kernel that answers them.
 *
 * WHAT IT DOES NOT DO
 *   The library does not:
 *     - make system calls, except through the caller's gpucmd_sys_ops
 *     - allocate memory: the caller owns all tables
 *     - read shaders and texture state, or check most render registers. A run
 *       compares addresses of commands with the VM (GPUCMD_AGX_ADDRESSES); only the
 *       checker and gpucmd_agx_ctrl_next read control streams
 *     - draw or compute: operations only take time; a callback can do their work
 *   The executor has no preemption, performance counters or firmware timeouts.
 *   The caller supplies durations, failures and numbers of partial renders.
 *   A model kernel is one open file. It does not map objects for the CPU, answer
 *   ioctls of the DRM core by number, or share sync objects between files.
 *   A model kernel of the drafts lacks GET_TIME, timestamp objects and extensions.
 *
 * SMALLEST PROGRAM
 *       uint32_t words[64];
 *       size_t len_bytes = 0;
 *       gpucmd_agx_stream s;
 *       struct gpucmd_drm_asahi_cmd_compute c;
 *       gpucmd_agx_compute_init(&c, 0x1500010000u, 0x1500010080u);
 *       gpucmd_agx_stream_init(&s, words, 64);
 *       gpucmd_agx_emit_compute(&s, GPUCMD_DRM_ASAHI_BARRIER_NONE,
 *                               GPUCMD_DRM_ASAHI_BARRIER_NONE, &c);
 *       if (gpucmd_agx_stream_finish(&s, &len_bytes) != GPUCMD_OK) {
 *           return 1;
 *       }
 *
 * DEFINITIONS
 *   job               1 to 64 hardware commands of one SUBMIT
 *   render, compute   the kinds of hardware commands; a blit counts as a render
 *   software command  a SET command of a stream; not a hardware command
 *   boundary index    n is the point after the n-th command of a kind in a job;
 *                     0 is the start of the job
 *   barrier           the boundary index of a kind that a command waits for, or
 *                     NONE; a command has a barrier for each of the two kinds
 *   Rk, Ck            the k-th render, the k-th compute of a job; k counts from 1
 *   Rkv, Rkf          vertex half and fragment half of Rk; Rk ends with Rkf
 *   operation         a compute, a vertex half or a fragment half
 *   firmware queue    compute, vertex or fragment queue; executes its entries in
 *                     order. An entry runs an operation or waits for one. Names in
 *                     the code say ring
 *   prior work        unfinished commands of earlier jobs of the same user queue
 *   fence             signals at the end of a job; a sync object holds it
 *
 * STEPS
 *   1. Fill structures: gpucmd_agx_render_init, gpucmd_agx_compute_init, then
 *      set other members. Append the structures: gpucmd_agx_stream_init,
 *      gpucmd_agx_emit_render, gpucmd_agx_emit_compute.
 *   2. Submit: gpucmd_agx_syncs_init, gpucmd_agx_emit_in_sync, _out_sync, then
 *      gpucmd_agx_client_submit; or gpucmd_agx_encode_submit, if your code
 *      calls the ioctl. CORE.KERNEL in gpucmd.h has the ioctls of sync objects.
 *   3. Check: gpucmd_agx_parse_stream does the checks of the kernel;
 *      gpucmd_agx_check reports useless and missing barriers of a valid job.
 *   4. Compute order and times of a job: gpucmd_agx_lower, gpucmd_agx_schedule.
 *   5. Execute many jobs: gpucmd_agx_exec_tables_init, gpucmd_agx_exec_init,
 *      then set x.durations.ring (or .each, or x.fate), which are 0 by default.
 *      Call gpucmd_agx_exec_queue_open, _submit, _run; after BLOCKED _why, or
 *      gpucmd_agx_print_waits: who waits for what.
 *   6. Execute jobs of ioctls: gpucmd_agx_kernel_tables_init,
 *      gpucmd_agx_kernel_init, then set k.user if arguments point into a
 *      gpucmd_mem, and k.exec.durations. Pass system calls to
 *      gpucmd_agx_client_open: those of gpucmd_agx_kernel_sys open the model
 *      kernel, those of gpucmd_sys_ops_init_linux open the driver.
 *      Sync objects without client: gpucmd_syncobj_create(&k.syncobjs, 0,
 *      &handle), _signal. Execute with gpucmd_agx_exec_run(&k.exec, env, budget);
 *      k.progress can call it in a wait of the client.
 *   A store has tables of recommended sizes: 8 queues, 16 jobs, 64 objects, 256
 *   mappings. Tables that you supply need these numbers of rows:
 *     jobs, stamps    one for each job that has not ended
 *     links           one for each sync of these jobs
 *     addresses       those that these jobs access; 0 rows: not compared with the VM
 *     fences, points  one for each out-sync that has not signalled, and two for
 *                     each sync object
 *     maps            two more than the largest number of mappings
 *
 * ERRORS
 *   Writers: gpucmd_status; a stream and a sync array keep the first failure.
 *   Checks of the kernel: gpucmd_agx_finding, which names the rule, its errno,
 *   the command and the byte. ioctls of the model kernel: 0 or a negative errno;
 *   k.finding has the rule, the member, its value and the limit, k.finding.command the
 *   index; gpucmd_agx_print_finding prints them. ENOMEM: k.table names the full table.
 *
 * GENERATIONS
 *   The upstream UAPI (Linux 6.16): names gpucmd_drm_asahi_*. The drafts 10006 and
 *   10011 (model kernel, translation): names gpucmd_drm_asahi_draft_* (both),
 *   _draft06_*, _draft11_*. Blits exist in the drafts only, whose drivers reject them.
 *
 * TEXT AND DRIVER
 *   Where the text of the UAPI header and the driver differ, member behavior of the
 *   model kernel, and of gpucmd_agx_objects, decides: DRIVER (default) or TEXT.
 *                        driver                       text
 *     bind, checks       alignment, flags, object,    flags, alignment, emptiness,
 *                        overflow, size, addresses,   addresses, kernel window,
 *                        rights, VM, kernel window,   object, size, rights, VM,
 *                        owner                        owner
 *     unbind, checks     unused, flags, alignment,    flags, unused, alignment,
 *                        overflow, addresses, VM,     emptiness, addresses, kernel
 *                        kernel window                window, VM
 *     range 0            no effect; addr is checked   EINVAL
 *     stride above 32    binds are read 32 apart      at stride; the tail must be 0
 *     stride * binds     EINVAL above 32 bits         64 bits
 *     kernel window      shrunk to 32 KiB             as given
 *     pad of VM_CREATE,  not checked                  EINVAL
 *     VM_DESTROY, GEM_CREATE, QUEUE_DESTROY
 *     GEM size 0         ENOSPC, checked last         EINVAL, checked first
 *     timestamp objects  64 MiB for all files of the  no limit
 *                        GPU, best fit; ENOSPC
 *     payload longer     its tail is the next         valid if the tail is 0
 *     than known         command
 *     attachment bytes   the rest is the next         EINVAL
 *     not * 24           command
 *
 * MODEL CHOICES
 *   The sources do not specify this. Streams: commands follow without gaps. A SET
 *   command has no barriers.
 *   Binds of 10006: offset, alignment, flags, object, size, addresses, rights, VM,
 *   owner, range. A private object binds into its own VM only.
 *   Others: look-ups come after must-be-zero members, a draft payload is checked
 *   before the capability. Drafts follow the text. Jobs of a destroyed queue run to
 *   their end. A timeline point whose value is not above the last value is merged with
 *   the last point. A failed operation kills the operations of the same VM that execute
 *   when it ends. A dma-buf must be a multiple of 16 KiB. Index 0 is printed as R0f, C0.
 *
 * CONFIGURATION, THREADING
 *   Size in KiB with gpucmd.h, Cortex-M4, -Os: read 37, read and run 51, all 76.
 *   All else is as in gpucmd.h. Streams, sync arrays and what ioctl arguments point at are
 *   little endian in memory; the arguments are in CPU byte order.
 *
 * CONTENTS (search for the mark)
 *   [AGX.MANUAL]   this text
 *   [AGX.SOURCES]  where facts come from
 *   [AGX.FACTS]    structures, values, rules: the only place a number is written
 *   [AGX.CONST]    C declarations of the UAPI, ioctl numbers
 *   [AGX.ENCODE]   bytes of payloads, members, command headers
 *   [AGX.EMIT]     append whole commands to a stream
 *   [AGX.RING]     sync arrays, the argument of SUBMIT
 *   [AGX.DECODE]   read and print streams; the notation of the driver notes
 *   [AGX.CHECK]    the driver's checks; firmware queues, order; the checker
 *   [AGX.EXEC]     one job over time, pictures; address space; many jobs
 *   [AGX.KERNEL]   model kernel, client, draft UAPI
 *   [AGX.IMPL.CONST]
 *   [AGX.IMPL.DECODE]
 *   [AGX.IMPL.CHECK]
 *   [AGX.IMPL.EXEC]
 *   [AGX.IMPL.KERNEL]
 */

#include "gpucmd.h"

#if GPUCMD_VERSION != 0x000100
#error "gpucmd_agx.h and gpucmd.h come from different releases"
#elif (GPUCMD_PARTS & 15) != 15
#error "gpucmd.h is a slim copy that lacks parts of gpucmd_agx.h: make both with equal PARTS"
#elif defined(GPUCMD_IMPLEMENTATION) && !defined(GPUCMD_AGX_H) &&                                  \
    ((defined(GPUCMD_NV_H) && !defined(GPUCMD_NV_H_IMPL)) ||                                       \
     (defined(GPUCMD_I915_H) && !defined(GPUCMD_I915_H_IMPL)))
#error "define GPUCMD_IMPLEMENTATION before the first gpucmd header of this unit"
#endif

#ifndef GPUCMD_AGX_H
#define GPUCMD_AGX_H

GPUCMD_PRIV_BEGIN

/* ==== [AGX.SOURCES] ======================================================================== */

/* clang-format off */
#define GPUCMD_AGX_SOURCES(S)                                                                      \
    /*  key    kind   title, revision, address */                                                  \
    S( NOTES, "doc", "AGX driver notes, AsahiLinux/docs docs/sw/agx-driver-notes.md" )             \
    S( HWDOC, "re",  "AGX hardware notes, AsahiLinux/docs docs/hw/soc/agx.md" )                    \
    S( UAPI,  "src", "Linux 6.16 include/uapi/drm/asahi_drm.h, torvalds/linux" )                   \
    S( DRV,   "src", "drivers/gpu/drm/asahi at 9e999f80, kkpan11/AsahiLinux-linux" )               \
    S( DRVD,  "src", "draft driver, file.rs at 00574e9c, herrnst/linux-asahi" )                    \
    S( D06,   "src", "draft UAPI 10006, tobhe/mesa include/drm-uapi/asahi_drm.h" )                 \
    S( D11,   "src", "draft UAPI 10011, Mesa 24.3.0 src/asahi/lib/unstable_asahi_drm.h" )          \
    S( MESA,  "src", "Mesa src/asahi, hk_queue.c at 130c1b0b, agx_batch.c at 17355f71" )           \
    S( GENXML,"src", "Mesa src/asahi/genxml/cmdbuf.xml at 0098941c, bminor/mesa-mesa" )            \
    S( REGS,  "src", "drivers/gpu/drm/asahi/regs.rs at 50fad6ae, jannau/linux" )                   \
    S( CHAIN, "src", "Linux drivers/dma-buf/dma-fence-chain.c, torvalds/linux" )                   \
    S( OUR,   "our", "choices of this header where the sources leave a gap" )
/* clang-format on */

#define GPUCMD_AGX_PRIV_SOURCE(key, kind, title) GPUCMD_AGX_SRC_##key,
typedef enum gpucmd_agx_source { GPUCMD_AGX_SOURCES(GPUCMD_AGX_PRIV_SOURCE) } gpucmd_agx_source;
#undef GPUCMD_AGX_PRIV_SOURCE

/* ==== [AGX.FACTS] ========================================================================== */

/* These rows describe the structures of the UAPI, for GPUCMD_LAYOUT_STRUCTS of gpucmd.h. [UAPI]
 * STREAM_STRUCTS has those in streams and sync arrays, UAPI_STRUCTS all other structures. */
/* clang-format off */
#define GPUCMD_AGX_STREAM_STRUCTS(S, F, A, U, E)                                                   \
    S( drm_asahi_timestamp ) F( u32, handle, 0 ) F( u32, offset, 4 )                               \
        E( drm_asahi_timestamp, 8 )                                                                \
    S( drm_asahi_timestamps ) F( drm_asahi_timestamp, start, 0 )                                   \
        F( drm_asahi_timestamp, end, 8 ) E( drm_asahi_timestamps, 16 )                             \
    S( drm_asahi_helper_program ) F( u32, binary, 0 ) F( u32, cfg, 4 ) F( u64, data, 8 )           \
        E( drm_asahi_helper_program, 16 )                                                          \
    S( drm_asahi_bg_eot ) F( u32, usc, 0 ) F( u32, rsrc_spec, 4 ) E( drm_asahi_bg_eot, 8 )         \
    S( drm_asahi_zls_buffer ) F( u64, base, 0 ) F( u64, comp_base, 8 ) F( u32, stride, 16 )        \
        F( u32, comp_stride, 20 ) E( drm_asahi_zls_buffer, 24 )                                    \
    S( drm_asahi_cmd_header ) F( u16, cmd_type, 0 ) F( u16, size, 2 ) F( u16, vdm_barrier, 4 )     \
        F( u16, cdm_barrier, 6 ) E( drm_asahi_cmd_header, 8 )                                      \
    S( drm_asahi_attachment ) F( u64, pointer, 0 ) F( u64, size, 8 ) F( u32, pad, 16 )             \
        F( u32, flags, 20 ) E( drm_asahi_attachment, 24 )                                          \
    S( drm_asahi_sync ) F( u32, sync_type, 0 ) F( u32, handle, 4 ) F( u64, timeline_value, 8 )     \
        E( drm_asahi_sync, 16 )                                                                    \
    S( drm_asahi_cmd_render ) F( u32, flags, 0 ) F( u32, isp_zls_pixels, 4 )                       \
        F( u64, vdm_ctrl_stream_base, 8 ) F( drm_asahi_helper_program, vertex_helper, 16 )         \
        F( drm_asahi_helper_program, fragment_helper, 32 ) F( u64, isp_scissor_base, 48 )          \
        F( u64, isp_dbias_base, 56 ) F( u64, isp_oclqry_base, 64 )                                 \
        F( drm_asahi_zls_buffer, depth, 72 ) F( drm_asahi_zls_buffer, stencil, 96 )                \
        F( u64, zls_ctrl, 120 ) F( u64, ppp_multisamplectl, 128 ) F( u64, sampler_heap, 136 )      \
        F( u32, ppp_ctrl, 144 ) F( u16, width_px, 148 ) F( u16, height_px, 150 )                   \
        F( u16, layers, 152 ) F( u16, sampler_count, 154 ) F( u8, utile_width_px, 156 )            \
        F( u8, utile_height_px, 157 ) F( u8, samples, 158 ) F( u8, sample_size_B, 159 )            \
        F( u32, isp_merge_upper_x, 160 ) F( u32, isp_merge_upper_y, 164 )                          \
        F( drm_asahi_bg_eot, bg, 168 ) F( drm_asahi_bg_eot, eot, 176 )                             \
        F( drm_asahi_bg_eot, partial_bg, 184 ) F( drm_asahi_bg_eot, partial_eot, 192 )             \
        F( u32, isp_bgobjdepth, 200 ) F( u32, isp_bgobjvals, 204 )                                 \
        F( drm_asahi_timestamps, ts_vtx, 208 ) F( drm_asahi_timestamps, ts_frag, 224 )             \
        E( drm_asahi_cmd_render, 240 )                                                             \
    S( drm_asahi_cmd_compute ) F( u32, flags, 0 ) F( u32, sampler_count, 4 )                       \
        F( u64, cdm_ctrl_stream_base, 8 ) F( u64, cdm_ctrl_stream_end, 16 )                        \
        F( u64, sampler_heap, 24 ) F( drm_asahi_helper_program, helper, 32 )                       \
        F( drm_asahi_timestamps, ts, 48 ) E( drm_asahi_cmd_compute, 64 )

#define GPUCMD_AGX_UAPI_STRUCTS(S, F, A, U, E)                                                     \
    S( drm_asahi_params_global ) F( u64, features, 0 ) F( u32, gpu_generation, 8 )                 \
        F( u32, gpu_variant, 12 ) F( u32, gpu_revision, 16 ) F( u32, chip_id, 20 )                 \
        F( u32, num_dies, 24 ) F( u32, num_clusters_total, 28 )                                    \
        F( u32, num_cores_per_cluster, 32 ) F( u32, max_frequency_khz, 36 )                        \
        A( u64, core_masks, 64, 40 ) F( u64, vm_start, 552 ) F( u64, vm_end, 560 )                 \
        F( u64, vm_kernel_min_size, 568 ) F( u32, max_commands_per_submission, 576 )               \
        F( u32, max_attachments, 580 ) F( u64, command_timestamp_frequency_hz, 584 )               \
        E( drm_asahi_params_global, 592 )                                                          \
    S( drm_asahi_get_params ) F( u32, param_group, 0 ) F( u32, pad, 4 ) F( u64, pointer, 8 )       \
        F( u64, size, 16 ) E( drm_asahi_get_params, 24 )                                           \
    S( drm_asahi_vm_create ) F( u64, kernel_start, 0 ) F( u64, kernel_end, 8 )                     \
        F( u32, vm_id, 16 ) F( u32, pad, 20 ) E( drm_asahi_vm_create, 24 )                         \
    S( drm_asahi_vm_destroy ) F( u32, vm_id, 0 ) F( u32, pad, 4 ) E( drm_asahi_vm_destroy, 8 )     \
    S( drm_asahi_gem_create ) F( u64, size, 0 ) F( u32, flags, 8 ) F( u32, vm_id, 12 )             \
        F( u32, handle, 16 ) F( u32, pad, 20 ) E( drm_asahi_gem_create, 24 )                       \
    S( drm_asahi_gem_mmap_offset ) F( u32, handle, 0 ) F( u32, flags, 4 ) F( u64, offset, 8 )      \
        E( drm_asahi_gem_mmap_offset, 16 )                                                         \
    S( drm_asahi_gem_bind_op ) F( u32, flags, 0 ) F( u32, handle, 4 ) F( u64, offset, 8 )          \
        F( u64, range, 16 ) F( u64, addr, 24 ) E( drm_asahi_gem_bind_op, 32 )                      \
    S( drm_asahi_vm_bind ) F( u32, vm_id, 0 ) F( u32, num_binds, 4 ) F( u32, stride, 8 )           \
        F( u32, pad, 12 ) F( u64, userptr, 16 ) E( drm_asahi_vm_bind, 24 )                         \
    S( drm_asahi_gem_bind_object ) F( u32, op, 0 ) F( u32, flags, 4 ) F( u32, handle, 8 )          \
        F( u32, vm_id, 12 ) F( u64, offset, 16 ) F( u64, range, 24 )                               \
        F( u32, object_handle, 32 ) F( u32, pad, 36 ) E( drm_asahi_gem_bind_object, 40 )           \
    S( drm_asahi_queue_create ) F( u32, flags, 0 ) F( u32, vm_id, 4 ) F( u32, priority, 8 )        \
        F( u32, queue_id, 12 ) F( u64, usc_exec_base, 16 ) E( drm_asahi_queue_create, 24 )         \
    S( drm_asahi_queue_destroy ) F( u32, queue_id, 0 ) F( u32, pad, 4 )                            \
        E( drm_asahi_queue_destroy, 8 )                                                            \
    S( drm_asahi_submit ) F( u64, syncs, 0 ) F( u64, cmdbuf, 8 ) F( u32, flags, 16 )               \
        F( u32, queue_id, 20 ) F( u32, in_sync_count, 24 ) F( u32, out_sync_count, 28 )            \
        F( u32, cmdbuf_size, 32 ) F( u32, pad, 36 ) E( drm_asahi_submit, 40 )                      \
    S( drm_asahi_get_time ) F( u64, flags, 0 ) F( u64, gpu_timestamp, 8 )                          \
        E( drm_asahi_get_time, 16 )
/* clang-format on */

/* GPUs with all their cores; a sold GPU can have fewer. Columns:
 *   chip_id       0x and the digits of the name
 *   letter        member gpu_variant
 *   rev           member gpu_revision, an example: 0x11 is B1, 0 is A0 [OUR]
 *   khz           maximum frequency, an example [OUR] */
/* clang-format off */
#define GPUCMD_AGX_CHIPS(C)                                                                        \
    /*  name   chip_id  product     gen  letter  rev   dies  clusters  cores  khz      source */   \
    C( T8103,  0x8103,  "m1",       13,  'G',    0x11, 1,    1,        8,     1278000, DRV )       \
    C( T6000,  0x6000,  "m1_pro",   13,  'S',    0x11, 1,    2,        8,     1296000, DRV )       \
    C( T6001,  0x6001,  "m1_max",   13,  'C',    0x11, 1,    4,        8,     1296000, DRV )       \
    C( T6002,  0x6002,  "m1_ultra", 13,  'D',    0x11, 2,    8,        8,     1296000, DRV )       \
    C( T8112,  0x8112,  "m2",       14,  'G',    0x00, 1,    1,        10,    1398000, DRV )       \
    C( T6020,  0x6020,  "m2_pro",   14,  'S',    0x00, 1,    2,        10,    1398000, DRV )       \
    C( T6021,  0x6021,  "m2_max",   14,  'C',    0x00, 1,    4,        10,    1398000, DRV )       \
    C( T6022,  0x6022,  "m2_ultra", 14,  'D',    0x00, 2,    8,        10,    1398000, DRV )
/* clang-format on */

/* Values of the upstream UAPI. Each row defines an enum constant GPUCMD_DRM_ASAHI_<name>. */
/* clang-format off */
#define GPUCMD_AGX_IOCTLS(I)                                                                       \
    /*  name            id   argument          parameter of gpucmd_agx_kernel_<argument> */        \
    I( GET_PARAMS,       0,  get_params,       const struct gpucmd_drm_asahi_get_params * )        \
    I( GET_TIME,         1,  get_time,         struct gpucmd_drm_asahi_get_time * )                \
    I( VM_CREATE,        2,  vm_create,        struct gpucmd_drm_asahi_vm_create * )               \
    I( VM_DESTROY,       3,  vm_destroy,       const struct gpucmd_drm_asahi_vm_destroy * )        \
    I( VM_BIND,          4,  vm_bind,          const struct gpucmd_drm_asahi_vm_bind * )           \
    I( GEM_CREATE,       5,  gem_create,       struct gpucmd_drm_asahi_gem_create * )              \
    I( GEM_MMAP_OFFSET,  6,  gem_mmap_offset,  struct gpucmd_drm_asahi_gem_mmap_offset * )         \
    I( GEM_BIND_OBJECT,  7,  gem_bind_object,  struct gpucmd_drm_asahi_gem_bind_object * )         \
    I( QUEUE_CREATE,     8,  queue_create,     struct gpucmd_drm_asahi_queue_create * )            \
    I( QUEUE_DESTROY,    9,  queue_destroy,    const struct gpucmd_drm_asahi_queue_destroy * )     \
    I( SUBMIT,          10,  submit,           const struct gpucmd_drm_asahi_submit * )

#define GPUCMD_AGX_FEATURES(V)                                                                     \
    V( FEATURE_SOFT_FAULTS, 1 ) /* shaders load 0 from unmapped memory; their stores do nothing */
#define GPUCMD_AGX_GEM_FLAGS(V)                                                                    \
    V( GEM_WRITEBACK,  1 ) /* CPU mappings are cached, not write-combined */                       \
    V( GEM_VM_PRIVATE, 2 ) /* the object cannot be exported; it binds into one VM only */
#define GPUCMD_AGX_BIND_FLAGS(V)                                                                   \
    V( BIND_UNBIND,      1 )                                                                       \
    V( BIND_READ,        2 )                                                                       \
    V( BIND_WRITE,       4 )                                                                       \
    V( BIND_SINGLE_PAGE, 8 ) /* map the page at member offset repeatedly, until the range is full */
#define GPUCMD_AGX_BIND_OBJECT_OPS(V)                                                              \
    V( BIND_OBJECT_OP_BIND,   0 )                                                                  \
    V( BIND_OBJECT_OP_UNBIND, 1 )
#define GPUCMD_AGX_BIND_OBJECT_FLAGS(V)                                                            \
    V( BIND_OBJECT_USAGE_TIMESTAMPS, 1 )
#define GPUCMD_AGX_CMD_TYPES(V)                                                                    \
    V( CMD_RENDER,               0 )                                                               \
    V( CMD_COMPUTE,              1 )                                                               \
    V( SET_VERTEX_ATTACHMENTS,   2 )                                                               \
    V( SET_FRAGMENT_ATTACHMENTS, 3 )                                                               \
    V( SET_COMPUTE_ATTACHMENTS,  4 )
#define GPUCMD_AGX_PRIORITIES(V)                                                                   \
    V( PRIORITY_LOW,      0 )                                                                      \
    V( PRIORITY_MEDIUM,   1 )                                                                      \
    V( PRIORITY_HIGH,     2 ) /* reserved; the driver rejects it */                                \
    V( PRIORITY_REALTIME, 3 ) /* reserved; the driver rejects it */
#define GPUCMD_AGX_SYNC_TYPES(V)                                                                   \
    V( SYNC_SYNCOBJ,          0 )                                                                  \
    V( SYNC_TIMELINE_SYNCOBJ, 1 )
#define GPUCMD_AGX_RENDER_FLAGS(V)                                                                 \
    V( RENDER_VERTEX_SCRATCH,       0x00001 )                                                      \
    V( RENDER_PROCESS_EMPTY_TILES,  0x00002 ) /* process also empty tiles; clears need this */     \
    V( RENDER_NO_VERTEX_CLUSTERING, 0x00004 )                                                      \
    V( RENDER_DBIAS_IS_INT,         0x40000 ) /* bit 18, because the GPU's register uses bit 18 */
/* clang-format on */

#define GPUCMD_DRM_ASAHI_MAX_CLUSTERS 64
#define GPUCMD_DRM_ASAHI_BARRIER_NONE 0xffffu

/* Units of the GPU that access memory, as fault records name them. Columns:
 *   code  number in the fault record. Below 0xa0, bits 7:4 are the number of the core and bits 3:0
 *         the unit; the row has core 0
 *   text  what the unit does */
/* clang-format off */
#define GPUCMD_AGX_UNITS(U)                                                                        \
    /*  name       code  text                                                       source */      \
    U( DCMP,       0x00, "decompression: loads pixels",                             REGS )         \
    U( UL1C,       0x01, "L1 cache: loads and stores of shaders",                   REGS )         \
    U( CMP,        0x02, "compression: stores pixels",                              REGS )         \
    U( GSL1,       0x03, "L1 cache",                                                REGS )         \
    U( IAP,        0x04, "part of a core",                                          REGS )         \
    U( VCE,        0x05, "part of a core",                                          REGS )         \
    U( TE,         0x06, "tiler",                                                   REGS )         \
    U( RAS,        0x07, "rasterizer",                                              REGS )         \
    U( VDM,        0x08, "vertex data master: reads control streams of renders",    REGS )         \
    U( PPP,        0x09, "primitive processor",                                     REGS )         \
    U( IPF,        0x0a, "ISP parameter fetch: scissors, depth bias",               REGS )         \
    U( IPF_CPF,    0x0b, "ISP parameter fetch",                                     REGS )         \
    U( VF,         0x0c, "vertex fetch",                                            REGS )         \
    U( VF_CPF,     0x0d, "vertex fetch",                                            REGS )         \
    U( ZLS,        0x0e, "loads and stores depth and stencil",                      REGS )         \
    U( dPM,        0xa1, "parameter management",                                    REGS )         \
    U( dCDM_KS,    0xa2, "compute data master: reads control streams of computes",  REGS )         \
    U( dIPP,       0xa5, "part of the compute data master",                         REGS )         \
    U( dIPP_CS,    0xa6, "part of the compute data master",                         REGS )         \
    U( dVDM_CSD,   0xa7, "vertex data master: control streams",                     REGS )         \
    U( dVDM_SSD,   0xa8, "vertex data master: state",                               REGS )         \
    U( dVDM_ILF,   0xa9, "vertex data master: index lists",                         REGS )         \
    U( dVDM_ILD,   0xaa, "vertex data master: index lists",                         REGS )         \
    U( dRDE,       0xab, "render data engine",                                      REGS )         \
    U( FC,         0xad, "part of the GPU",                                         REGS )         \
    U( GSL2,       0xae, "L2 cache",                                                REGS )         \
    U( GL2CC_META, 0xb0, "L2 cache: metadata",                                      REGS )         \
    U( GL2CC_MB,   0xb8, "L2 cache",                                                REGS )

/* Bits of member zls_ctrl of a render. */
#define GPUCMD_AGX_ZLS_BITS(V)                                                                     \
    V( ZLS_S_LOAD,  0x04000 ) V( ZLS_Z_LOAD,  0x08000 ) /* [GENXML] */                             \
    V( ZLS_S_STORE, 0x40000 ) V( ZLS_Z_STORE, 0x80000 )

/* Members of commands with addresses of a VM. The rows of a structure follow each other: renders,
 * computes, attachments. Columns:
 *   command, member, name  the structure drm_asahi_<command>, its member, and that as text
 *   part    operation that accesses the address
 *   form    STREAM: an address, also if it is 0. VA: an address; 0: none. USC: an offset from
 *           usc_exec_base, without bits 5:0, which are tags; 0: none. HEAP: as VA, but none if
 *           member sampler_count is 0. Z, S: as VA, but none if zls_ctrl has no bit of Z or S
 *   access  READ, WRITE; ZLS: as the bits of zls_ctrl say
 *   unit    that accesses the address; where the sources name none: [OUR] */
#define GPUCMD_AGX_ADDRESSES(A)                                                                    \
    /*  id           command      member                part      form    access unit    source */ \
    A( VDM_STREAM,   cmd_render,  vdm_ctrl_stream_base, VERTEX,   STREAM, READ,  VDM,    REGS )    \
    A( VTX_HELPER,   cmd_render,  vertex_helper.binary, VERTEX,   USC,    READ,  UL1C,   OUR )     \
    A( FRAG_HELPER,  cmd_render,  fragment_helper.binary, FRAGMENT, USC,  READ,  UL1C,   OUR )     \
    A( SCISSOR,      cmd_render,  isp_scissor_base,     FRAGMENT, VA,     READ,  IPF,    OUR )     \
    A( DBIAS,        cmd_render,  isp_dbias_base,       FRAGMENT, VA,     READ,  IPF,    OUR )     \
    A( OCLQRY,       cmd_render,  isp_oclqry_base,      FRAGMENT, VA,     WRITE, IPF,    OUR )     \
    A( DEPTH,        cmd_render,  depth.base,           FRAGMENT, Z,      ZLS,   ZLS,    REGS )    \
    A( DEPTH_COMP,   cmd_render,  depth.comp_base,      FRAGMENT, Z,      ZLS,   ZLS,    REGS )    \
    A( STENCIL,      cmd_render,  stencil.base,         FRAGMENT, S,      ZLS,   ZLS,    REGS )    \
    A( STENCIL_COMP, cmd_render,  stencil.comp_base,    FRAGMENT, S,      ZLS,   ZLS,    REGS )    \
    A( VTX_HEAP,     cmd_render,  sampler_heap,         VERTEX,   HEAP,   READ,  UL1C,   OUR )     \
    A( BG,           cmd_render,  bg.usc,               FRAGMENT, USC,    READ,  UL1C,   OUR )     \
    A( EOT,          cmd_render,  eot.usc,              FRAGMENT, USC,    READ,  UL1C,   OUR )     \
    A( PARTIAL_BG,   cmd_render,  partial_bg.usc,       FRAGMENT, USC,    READ,  UL1C,   OUR )     \
    A( PARTIAL_EOT,  cmd_render,  partial_eot.usc,      FRAGMENT, USC,    READ,  UL1C,   OUR )     \
    A( CDM_STREAM,   cmd_compute, cdm_ctrl_stream_base, COMPUTE,  STREAM, READ,  dCDM_KS, REGS )   \
    A( CDM_HEAP,     cmd_compute, sampler_heap,         COMPUTE,  HEAP,   READ,  UL1C,   OUR )     \
    A( CDM_HELPER,   cmd_compute, helper.binary,        COMPUTE,  USC,    READ,  UL1C,   OUR )     \
    A( VTX_ATTACH,   attachment,  pointer,              VERTEX,   VA,     WRITE, UL1C,   OUR )     \
    A( FRAG_ATTACH,  attachment,  pointer,              FRAGMENT, VA,     WRITE, CMP,    REGS )    \
    A( CDM_ATTACH,   attachment,  pointer,              COMPUTE,  VA,     WRITE, UL1C,   OUR )
/* clang-format on */

/* Blocks of the control streams that renders (VDM) and computes (CDM) name. Columns:
 *   stream  VDM or CDM
 *   type    bits 31:29 of the first word
 *   words   number of words, without optional parts; CDM_LAUNCH: see GPUCMD_AGX_CDM_MODES
 *   pads    1: an odd number of words is followed by one word of padding */
/* clang-format off */
#define GPUCMD_AGX_CTRL_BLOCKS(B)                                                                  \
    /*  name            stream type words pads  source */                                          \
    B( VDM_PPP_STATE,   VDM,   0,   2,    0,    GENXML )                                           \
    B( VDM_BARRIER,     VDM,   1,   1,    0,    GENXML )                                           \
    B( VDM_STATE,       VDM,   2,   1,    1,    GENXML )                                           \
    B( VDM_INDEX_LIST,  VDM,   3,   1,    0,    GENXML )                                           \
    B( VDM_LINK,        VDM,   4,   2,    0,    GENXML )                                           \
    B( VDM_TESSELLATE,  VDM,   5,   1,    0,    GENXML )                                           \
    B( VDM_TERMINATE,   VDM,   6,   2,    0,    GENXML )                                           \
    B( CDM_LAUNCH,      CDM,   0,   2,    0,    GENXML )                                           \
    B( CDM_LINK,        CDM,   1,   2,    0,    GENXML )                                           \
    B( CDM_TERMINATE,   CDM,   2,   2,    0,    GENXML )                                           \
    B( CDM_BARRIER,     CDM,   3,   1,    0,    GENXML )

/* Optional parts of blocks, in the order of the words. A part is there if its bit of the first word
 * is set. The parts of VDM_TESSELLATE are guesses of the source. */
#define GPUCMD_AGX_CTRL_PARTS(P)                                                                   \
    /*  block           part                bit  words  source */                                  \
    P( VDM_STATE,       RESTART_INDEX,      0,   1,     GENXML )                                   \
    P( VDM_STATE,       VERTEX_SHADER_0,    1,   1,     GENXML )                                   \
    P( VDM_STATE,       VERTEX_SHADER_1,    2,   1,     GENXML )                                   \
    P( VDM_STATE,       VERTEX_OUTPUTS,     3,   1,     GENXML )                                   \
    P( VDM_STATE,       TESSELLATION,       4,   1,     GENXML )                                   \
    P( VDM_STATE,       VERTEX_UNKNOWN,     5,   1,     GENXML )                                   \
    P( VDM_STATE,       TESSELLATION_SCALE, 7,   1,     GENXML )                                   \
    P( VDM_INDEX_LIST,  INDEX_BUFFER,       21,  1,     GENXML )                                   \
    P( VDM_INDEX_LIST,  INDEX_COUNT,        22,  1,     GENXML )                                   \
    P( VDM_INDEX_LIST,  INSTANCE_COUNT,     23,  1,     GENXML )                                   \
    P( VDM_INDEX_LIST,  START,              24,  1,     GENXML )                                   \
    P( VDM_INDEX_LIST,  UNKNOWN_25,         25,  2,     GENXML )                                   \
    P( VDM_INDEX_LIST,  INDIRECT,           26,  2,     GENXML )                                   \
    P( VDM_INDEX_LIST,  UNKNOWN_27,         27,  1,     GENXML )                                   \
    P( VDM_INDEX_LIST,  INDEX_BUFFER_SIZE,  20,  1,     GENXML )                                   \
    P( VDM_TESSELLATE,  FACTOR_BUFFER,      21,  1,     GENXML )                                   \
    P( VDM_TESSELLATE,  PATCH_COUNT,        22,  1,     GENXML )                                   \
    P( VDM_TESSELLATE,  TESS_INSTANCES,     22,  1,     GENXML )                                   \
    P( VDM_TESSELLATE,  BASE_PATCH,         23,  1,     GENXML )                                   \
    P( VDM_TESSELLATE,  BASE_INSTANCE,      25,  1,     GENXML )                                   \
    P( VDM_TESSELLATE,  INSTANCE_STRIDE,    25,  1,     GENXML )                                   \
    P( VDM_TESSELLATE,  TESS_INDIRECT,      26,  3,     GENXML )                                   \
    P( VDM_TESSELLATE,  FACTOR_BUFFER_SIZE, 28,  1,     GENXML )

/* Modes of CDM_LAUNCH, bits 28:27 of its first word. Columns: words after the first two; words of
 * them that are an address; bytes that the address names. GPUs of generation 14 with more than one
 * cluster have two more words before these. */
#define GPUCMD_AGX_CDM_MODES(M)                                                                    \
    M( DIRECT, 0, 6, 0, 0 ) M( INDIRECT_GLOBAL, 1, 5, 2, 12 ) /* [GENXML] */                       \
    M( INDIRECT_LOCAL, 2, 2, 2, 24 )
/* clang-format on */

/* Limits and constants. The source is [DRV] unless a comment names another source. */
enum {
    GPUCMD_AGX_FIRST_IOCTL = 0x40,   /* number of the ioctl with id 0 in GPUCMD_AGX_IOCTLS [UAPI] */
    GPUCMD_AGX_MAX_COMMANDS = 64,    /* most hardware commands of one submission [NOTES] */
    GPUCMD_AGX_MAX_ATTACHMENTS = 16, /* most attachments in one list */
    GPUCMD_AGX_PAGE_BYTES = 0x4000,
    GPUCMD_AGX_MAX_PIXELS = 16384, /* largest width or height of a render */
    GPUCMD_AGX_MAX_LAYERS = 2048,
    GPUCMD_AGX_CACHE_LINE_BYTES = 128,
    GPUCMD_AGX_TIMESTAMP_BYTES = 8,
    GPUCMD_AGX_RENDER_MIN_BYTES = 160, /* smallest render payload; ends after sample_size_B */
    GPUCMD_AGX_COMPUTE_MIN_BYTES = 24, /* smallest compute payload: until cdm_ctrl_stream_end */
    GPUCMD_AGX_RING_ENTRIES = 1280,    /* most entries of a firmware queue [DRVD] */
    GPUCMD_AGX_RING_EVENTS = 127,      /* most unfinished operations of a firmware queue [DRVD] */
    GPUCMD_AGX_STAMP_STEP = 0x100,     /* added to a stamp for each operation that ends [HWDOC] */
    GPUCMD_AGX_TVB_PAGE_BYTES = 32768, /* size of a page of the tiled vertex buffer (TVB) [DRVD] */
    GPUCMD_AGX_FAULT_LINE_BYTES = 64,  /* addresses in fault records are multiples of 64 [DRVD] */
    GPUCMD_AGX_WINDOW_BYTES = 0x8000,  /* a kernel window is shrunk to multiples of this */
    GPUCMD_AGX_STAMP_SPACE_BYTES = 0x4000000, /* addresses of the timestamp objects of all files */
    GPUCMD_AGX_DRAFT_MAX_SYNCS = 64,   /* draft 10006: most in-syncs or out-syncs of a job [DRVD] */
    GPUCMD_AGX_DRAFT_IN_FLIGHT = 1024, /* drafts: value of max_commands_in_flight [DRVD] */
    GPUCMD_AGX_DRAFT_MAX_ORDER = 6,    /* draft 10011: member order of attachments is 1..6 [DRVD] */
};
#define GPUCMD_AGX_VM_START         0x4000u
#define GPUCMD_AGX_VM_END           0x7fffff8000u
#define GPUCMD_AGX_KERNEL_BYTES     0x20000000u /* smallest kernel window of a VM */
#define GPUCMD_AGX_TIMESTAMP_HZ     1000000000u
#define GPUCMD_AGX_MAX_ATTACH_BYTES ((uint64_t)0xffffffffu * 128)

/* User and shader address range of a VM of draft 10006; END is the last valid address. [DRVD] */
#define GPUCMD_AGX_DRAFT_USER_START   0x2000000000u
#define GPUCMD_AGX_DRAFT_USER_END     0x5fffffffffu
#define GPUCMD_AGX_DRAFT_SHADER_START 0x1100000000u
#define GPUCMD_AGX_DRAFT_SHADER_END   0x11ffffffffu

/* clang-format off */
/* Rules of submissions and ioctls. If one is broken, the kernel returns the errno of its row. Rows
 * with errno 0 are not errors of the kernel; only gpucmd_agx_check* report them. The column after
 * errno is the severity: E error (the kernel rejects it, or two accesses race), W warning, N
 * note. */
#define GPUCMD_AGX_RULES(R)                                                                        \
    /*  name                errno     -  text                                        source */     \
    R( NONE,               0,        N, "all checks passed",                             OUR   )   \
    R( ARGUMENT_FAULT,     EFAULT,   E, "memory of the argument cannot be accessed",     DRV   )   \
    R( FLAGS,              EINVAL,   E, "flags are not zero, or unknown",                DRV   )   \
    R( PAD,                EINVAL,   E, "padding is not zero",                           UAPI  )   \
    R( CRASHED,            ENODEV,   E, "the GPU has crashed",                           DRV   )   \
    R( NO_MEMORY,          ENOMEM,   E, "a table of the caller is full",                 OUR   )   \
    R( QUEUE_UNKNOWN,      ENOENT,   E, "queue_id is unknown",                           DRV   )   \
    R( VM_UNKNOWN,         ENOENT,   E, "vm_id is unknown",                              DRV   )   \
    R( GEM_UNKNOWN,        ENOENT,   E, "GEM handle is unknown",                         DRV   )   \
    R( OBJECT_UNKNOWN,     ENOENT,   E, "object_handle is unknown",                      DRV   )   \
    R( SYNCS_FAULT,        EFAULT,   E, "the sync array cannot be read",                 DRV   )   \
    R( SYNC_COUNT,         EINVAL,   E, "too many syncs",                                OUR   )   \
    R( SYNC_TYPE,          EINVAL,   E, "sync_type is neither binary nor timeline",      DRV   )   \
    R( SYNC_VALUE,         EINVAL,   E, "timeline_value of a binary sync is not 0",      DRV   )   \
    R( SYNC_UNKNOWN,       ENOENT,   E, "sync object is unknown",                        DRV   )   \
    R( SYNC_NO_FENCE,      EINVAL,   E, "the in-sync has no fence",                      DRV   )   \
    R( SYNC_POINT,         EINVAL,   E, "the timeline point was not submitted",          DRV   )   \
    R( CMDBUF_FAULT,       EFAULT,   E, "the command stream cannot be read",             DRV   )   \
    R( HEADER_TRUNCATED,   EINVAL,   E, "fewer than 8 bytes remain for a command header", DRV )    \
    R( COMMAND_COUNT,      EINVAL,   E, "number of hardware commands is not 1 to 64",    DRV   )   \
    R( VDM_BARRIER,        EINVAL,   E, "vdm_barrier names a later render",              DRV   )   \
    R( CDM_BARRIER,        EINVAL,   E, "cdm_barrier names a later compute",             DRV   )   \
    R( SOFTWARE_BARRIER,   EINVAL,   E, "software command has a barrier",                UAPI  )   \
    R( PAYLOAD_TRUNCATED,  EINVAL,   E, "payload exceeds the stream",                    DRV   )   \
    R( PAYLOAD_TAIL,       EINVAL,   E, "bytes after the known payload are not zero",    UAPI  )   \
    R( RENDER_FLAGS,       EINVAL,   E, "render flags are unknown",                      DRV   )   \
    R( RENDER_SIZE,        EINVAL,   E, "width or height is not 1 to 16384",             DRV   )   \
    R( RENDER_LAYERS,      EINVAL,   E, "layers is not 1 to 2048",                       DRV   )   \
    R( RENDER_UTILE,       EINVAL,   E, "utile is not 32x32, 32x16 or 16x16",            DRV   )   \
    R( RENDER_SAMPLES,     EINVAL,   E, "samples is not 1, 2 or 4",                      DRV   )   \
    R( COMPUTE_FLAGS,      EINVAL,   E, "compute flags are not zero",                    DRV   )   \
    R( TIMESTAMP_UNKNOWN,  ENOENT,   E, "timestamp object is unknown",                   DRV   )   \
    R( TIMESTAMP_OVERFLOW, EINVAL,   E, "timestamp offset + 8 exceeds 32 bits",          DRV   )   \
    R( TIMESTAMP_RANGE,    ERANGE,   E, "timestamp exceeds its object",                  DRV   )   \
    R( ATTACHMENT_COUNT,   EINVAL,   E, "list has more than 16 attachments",             DRV   )   \
    R( ATTACHMENT_LENGTH,  EINVAL,   E, "attachment payload is not a multiple of 24",    OUR   )   \
    R( ATTACHMENT_PAD,     EINVAL,   E, "attachment pad or flags are not zero",          DRV   )   \
    R( ATTACHMENT_BYTES,   EINVAL,   E, "attachment size in cache lines exceeds 32 bits", DRV )    \
    R( COMMAND_UNKNOWN,    EINVAL,   E, "cmd_type is unknown",                           DRV   )   \
    R( PARAM_GROUP,        EINVAL,   E, "param_group is not zero",                       DRV   )   \
    R( VM_WINDOW,          EINVAL,   E, "kernel window is unaligned, short or out of range", DRV ) \
    R( GEM_SIZE,           EINVAL,   E, "size of an object is zero or invalid",          OUR   )   \
    R( GEM_EMPTY,          ENOSPC,   E, "size of an object is zero",                     DRV   )   \
    R( GEM_VM_ID,          EINVAL,   E, "vm_id without VM_PRIVATE",                      DRV   )   \
    R( BIND_STRIDE,        EINVAL,   E, "stride is zero",                                DRV   )   \
    R( BIND_BYTES,         EINVAL,   E, "stride * num_binds exceeds 32 bits",            OUR   )   \
    R( BIND_OPS_FAULT,     EFAULT,   E, "the array of binds cannot be read",             DRV   )   \
    R( BIND_TAIL,          EINVAL,   E, "bytes after the known bind are not zero",       UAPI  )   \
    R( BIND_FLAGS,         EINVAL,   E, "bind flags are unknown",                        DRV   )   \
    R( BIND_UNUSED,        EINVAL,   E, "handle or offset of an unbind is not zero",     DRV   )   \
    R( BIND_ALIGN,         EINVAL,   E, "addr, range or offset is not a multiple of 16 KiB", DRV ) \
    R( BIND_EMPTY,         EINVAL,   E, "range is zero",                                 OUR   )   \
    R( BIND_OBJECT_RANGE,  EINVAL,   E, "offset + length exceeds the object",            DRV   )   \
    R( BIND_WINDOW,        EINVAL,   E, "range exceeds the addresses of the VM",         DRV   )   \
    R( BIND_RIGHTS,        EINVAL,   E, "neither READ nor WRITE is set",                 DRV   )   \
    R( BIND_KERNEL_WINDOW, EINVAL,   E, "range overlaps the kernel window",              DRV   )   \
    R( BIND_PRIVATE,       EINVAL,   E, "object is private to another VM",               UAPI  )   \
    R( GEM_EXPORT,         EINVAL,   E, "object is private and cannot be exported",      NOTES )   \
    R( OBJECT_VM_ID,       EINVAL,   E, "vm_id is not zero",                             DRV   )   \
    R( OBJECT_OP,          EINVAL,   E, "op is neither BIND nor UNBIND",                 DRV   )   \
    R( OBJECT_ALIGN,       EINVAL,   E, "offset or range is not a multiple of 16 KiB",   DRV   )   \
    R( OBJECT_FLAGS,       EINVAL,   E, "flags are not USAGE_TIMESTAMPS",                DRV   )   \
    R( OBJECT_RANGE,       EINVAL,   E, "offset + range exceeds the object",             DRV   )   \
    R( OBJECT_PRIVATE,     EINVAL,   E, "object is private",                             DRV   )   \
    R( OBJECT_SPACE,       ENOSPC,   E, "timestamp addresses have no room for range",    DRV   )   \
    R( OBJECT_UNUSED,      EINVAL,   E, "members unused by UNBIND are not zero",         DRV   )   \
    R( QUEUE_PRIORITY,     EINVAL,   E, "priority is unknown or reserved",               DRV   )   \
    R( IOCTL_UNKNOWN,      EINVAL,   E, "ioctl is unknown",                              OUR   )   \
    R( DRAFT_EXTENSIONS,   EINVAL,   E, "extensions is not zero",                        DRVD  )   \
    R( DRAFT_TYPE,         EINVAL,   E, "command is neither render nor compute",         DRVD  )   \
    R( DRAFT_RESULT,       EINVAL,   E, "result range exceeds its object or has none",   DRVD  )   \
    R( DRAFT_PAYLOAD_FAULT,EFAULT,   E, "payload of a command cannot be read",           DRVD  )   \
    R( DRAFT_CAPS,         EINVAL,   E, "queue lacks the capability",                    DRVD  )   \
    R( DRAFT_FLAGS,        EINVAL,   E, "draft flag is unknown or rejected",             DRVD  )   \
    R( DRAFT_ATTACHMENT,   EINVAL,   E, "attachment flags or order are invalid",         DRVD  )   \
    R( DRAFT_QUEUE_CAPS,   EINVAL,   E, "queue_caps are zero or unknown",                OUR   )   \
    R( DRAFT_BIND_OP,      EINVAL,   E, "op is not BIND, UNBIND or UNBIND_ALL",          DRVD  )   \
    R( DRAFT_BIND_WHOLE,   EINVAL,   E, "offset and range are not the whole object",     DRVD  )   \
    R( DRAFT_BIND_BUSY,    ENOSPC,   E, "range, or the page after it, is in use",        DRVD  )   \
    R( DRAFT_UNBIND,       ENOTSUPP, E, "UNBIND is not supported",                       DRVD  )   \
    R( DRAFT_UNBIND_UNUSED,EINVAL,   E, "members unused by UNBIND_ALL are not zero",     DRVD  )   \
    R( NOTATION,           EINVAL,   E, "line does not follow the notation",             OUR   )   \
    R( NOTATION_NUMBER,    EINVAL,   E, "command number is out of sequence",             OUR   )   \
    R( CHECK_IMPLIED,      0,        N, "barrier waits for what is ordered anyway",      OUR   )   \
    R( CHECK_OWN_COMPUTE,  0,        N, "compute waits for the compute before it",       NOTES )   \
    R( CHECK_NO_PRIOR,     0,        N, "index 0 without prior work is ignored",         NOTES )   \
    R( CHECK_MISSING,      0,        E, "accesses overlap without an order",             OUR   )   \
    R( CHECK_ACCIDENT,     0,        N, "barrier orders commands that share no access",  OUR   )   \
    R( CHECK_ALONE,        0,        N, "the only command waits for everything [R0, C0]", NOTES )  \
    R( CHECK_STAMP_ALIGN,  0,        W, "timestamp offset is not a multiple of 8",       OUR   )   \
    R( CHECK_BLIT,         0,        E, "blit, which no driver accepts",                 NOTES )   \
    R( CHECK_UNMAPPED,     0,        E, "address is not mapped",                         REGS  )   \
    R( CHECK_READ_ONLY,    0,        E, "address is written and mapped for reads only",  REGS  )   \
    R( CHECK_WRITE_ONLY,   0,        E, "address is read and mapped for writes only",    REGS  )   \
    R( CHECK_BLOCK,        0,        W, "control stream has an unknown block",           GENXML )  \
    R( CHECK_NO_END,       0,        W, "control stream has no end",                     GENXML )
/* clang-format on */

/* clang-format off */
/* Texts of findings of a model kernel, in which member `member` of a finding is not NULL. Rules
 * without a row have the text of GPUCMD_AGX_RULES. In a text, % and a letter stand for a member of
 * the finding: m member, v value, d value in decimal, x bytes, o object, w least, l limit, L limit
 * in decimal. [OUR] */
#define GPUCMD_AGX_DETAILS(D)                                                                      \
    D( FLAGS,              "%m %v has bits outside %l" )                                           \
    D( PAD,                "%m %v is not 0" )                                                      \
    D( QUEUE_UNKNOWN,      "%m %d names no queue" )                                                \
    D( VM_UNKNOWN,         "%m %d names no VM" )                                                   \
    D( GEM_UNKNOWN,        "%m %d names no object" )                                               \
    D( OBJECT_UNKNOWN,     "%m %d names no timestamp object" )                                     \
    D( SYNC_COUNT,         "%m %d + %x syncs exceed 32 bits" )                                     \
    D( SYNC_TYPE,          "%m %d is neither binary (0) nor timeline (1)" )                        \
    D( SYNC_VALUE,         "%m %v of binary sync object %o is not 0" )                             \
    D( SYNC_UNKNOWN,       "%m %d names no sync object" )                                          \
    D( SYNC_NO_FENCE,      "sync object %o has no fence" )                                         \
    D( SYNC_POINT,         "%m %v exceeds the newest point %l of sync object %o" )                 \
    D( VDM_BARRIER,        "%m %d exceeds the %L renders before it" )                              \
    D( CDM_BARRIER,        "%m %d exceeds the %L computes before it" )                             \
    D( COMMAND_COUNT,      "%d hardware commands; 1 to %L are valid" )                             \
    D( TIMESTAMP_UNKNOWN,  "%m %d names no timestamp object" )                                     \
    D( TIMESTAMP_OVERFLOW, "%m %v + %x exceeds 32 bits" )                                          \
    D( TIMESTAMP_RANGE,    "%m %v + %x exceeds timestamp object %o (%l)" )                         \
    D( VM_WINDOW,          "kernel window %v + %x is not %l or more bytes in whole pages of the "  \
                           "addresses from %w on" )                                                \
    D( GEM_SIZE,           "%m %v is not 1 to 2^64 - 16 KiB" )                                     \
    D( GEM_EMPTY,          "%m %v is zero" )                                                       \
    D( GEM_VM_ID,          "%m %d without flag VM_PRIVATE" )                                       \
    D( BIND_BYTES,         "%m %v times %o binds exceeds 32 bits" )                                \
    D( BIND_FLAGS,         "%m %v has bits outside %l" )                                           \
    D( BIND_UNUSED,        "%m %v of an unbind is not 0" )                                         \
    D( BIND_ALIGN,         "%m %v is not a multiple of %l" )                                       \
    D( BIND_OBJECT_RANGE,  "%m %v + %x exceeds object %o (%l)" )                                   \
    D( BIND_WINDOW,        "%m %v + %x is outside the addresses %w to %l of a VM" )                \
    D( BIND_RIGHTS,        "%m %v has neither READ nor WRITE" )                                    \
    D( BIND_KERNEL_WINDOW, "%m %v + %x overlaps the kernel window %w to %l" )                      \
    D( BIND_PRIVATE,       "object %o is private to another VM than %d" )                          \
    D( GEM_EXPORT,         "object %o is private and cannot be exported" )                         \
    D( OBJECT_VM_ID,       "%m %d is not 0" )                                                      \
    D( OBJECT_OP,          "%m %d is neither BIND (0) nor UNBIND (1)" )                            \
    D( OBJECT_ALIGN,       "%m %v is not a multiple of %l" )                                       \
    D( OBJECT_FLAGS,       "%m %v is not USAGE_TIMESTAMPS (%l)" )                                  \
    D( OBJECT_RANGE,       "%m %v + %x exceeds object %o (%l)" )                                   \
    D( OBJECT_PRIVATE,     "object %o is private" )                                                \
    D( OBJECT_SPACE,       "%m %v has no room in the %l bytes for timestamps of all files" )       \
    D( OBJECT_UNUSED,      "%m %v of an unbind is not 0" )                                         \
    D( QUEUE_PRIORITY,     "%m %d is above MEDIUM (%L)" )                                          \
    D( CHECK_UNMAPPED,     "%m %v is not mapped at %w" )                                           \
    D( CHECK_READ_ONLY,    "%m %v is written, and is mapped for reads only at %w" )                \
    D( CHECK_WRITE_ONLY,   "%m %v is read, and is mapped for writes only at %w" )                  \
    D( CHECK_BLOCK,        "%m at %w has the unknown first word %v" )                              \
    D( CHECK_NO_END,       "%m has no end within %d blocks" )                                      \
    D( CHECK_MISSING,      "accesses overlap without an order; %m %d would order them" )           \
    D( CHECK_IMPLIED,      "%d barriers wait for what is ordered anyway, first here" )             \
    D( CHECK_OWN_COMPUTE,  "%d computes wait for the compute before them, first here" )            \
    D( CHECK_NO_PRIOR,     "%d barriers of index 0 without prior work are ignored, first here" )   \
    D( CHECK_ACCIDENT,     "%d barriers order commands that share no access, first here" )
/* clang-format on */

/* Tables of the executor and the model kernel. Columns:
 *   member  member that points to the rows
 *   count   member with the number of rows; EXEC_SLOTS: with the entries of one firmware queue
 *   type    type of a row
 *   store   value of member count for a store (gpucmd_agx_kernel_store, gpucmd_agx_exec_store)
 *   each    rows for each 1 of member count: a store has store * each rows
 *   least   smallest valid value of member count */
/* clang-format off */
#define GPUCMD_AGX_EXEC_TABLES(T)                                                                  \
    /*  name         member     count           type                   store  each  least */       \
    T( EXEC_QUEUES,  queues,    queue_count,    gpucmd_agx_exec_queue, 8,     1,    1 )            \
    T( EXEC_JOBS,    jobs,      job_count,      gpucmd_agx_exec_job,   16,    1,    1 )            \
    T( EXEC_SLOTS,   slots,     ring_entries,   gpucmd_agx_slot,       1280,  24,   194 )          \
    T( EXEC_FENCES,  fences,    fence_count,    gpucmd_fence,          256,   1,    0 )            \
    T( EXEC_LINKS,   links,     link_count,     gpucmd_agx_link,       256,   1,    0 )
#define GPUCMD_AGX_KERNEL_TABLES(T)                                                                \
    T( VMS,          vms,       vm_count,       gpucmd_agx_vm,         8,     1,    0 )            \
    T( GEMS,         gems,      gem_count,      gpucmd_agx_gem,        64,    1,    0 )            \
    T( OBJECTS,      objects,   object_count,   gpucmd_agx_object,     16,    1,    0 )            \
    T( QUEUES,       queues,    queue_count,    gpucmd_agx_queue,      8,     1,    0 )            \
    T( SYNCOBJS,     syncobjs,  syncobj_count,  gpucmd_syncobj,        64,    1,    0 )            \
    T( POINTS,       points,    point_count,    gpucmd_sync_point,     128,   1,    0 )            \
    T( STAMPS,       stamps,    stamp_count,    gpucmd_agx_stamps,     16,    1,    0 )            \
    T( FENCE_IDS,    fence_ids, fence_id_count, uint32_t,              128,   1,    0 )            \
    T( SYNCS,        syncs,     sync_count,     struct gpucmd_drm_asahi_sync, 128, 1, 0 )          \
    T( MAPS,         maps,      map_count,      gpucmd_map,            256,   1,    0 )            \
    T( PLACES,       places,    place_count,    gpucmd_agx_place,      32,    1,    0 )            \
    T( ADDRESSES,    addresses, address_count,  gpucmd_agx_address,    2048,  1,    0 )
/* clang-format on */

/* Structures of the draft UAPI. The prefix is draft_ if both drafts have the structure,
 * draft06_ if only 10006 has it, draft11_ if only 10011 has it. [D06] [D11] */
/* clang-format off */
#define GPUCMD_AGX_DRAFT_STRUCTS(S, F, A, U, E)                                                    \
    S( drm_asahi_draft_result_info ) F( u32, status, 0 ) F( u32, fault_type, 4 )                   \
        F( u32, unit, 8 ) F( u32, sideband, 12 ) F( u8, level, 16 ) F( u8, is_read, 17 )           \
        F( u16, pad, 18 ) F( u32, extra, 20 ) F( u64, address, 24 )                                \
        E( drm_asahi_draft_result_info, 32 )                                                       \
    S( drm_asahi_draft06_params_global ) F( u32, unstable_uabi_version, 0 ) F( u32, pad0, 4 )      \
        F( u64, feat_compat, 8 ) F( u64, feat_incompat, 16 ) F( u32, gpu_generation, 24 )          \
        F( u32, gpu_variant, 28 ) F( u32, gpu_revision, 32 ) F( u32, chip_id, 36 )                 \
        F( u32, num_dies, 40 ) F( u32, num_clusters_total, 44 )                                    \
        F( u32, num_cores_per_cluster, 48 ) F( u32, num_frags_per_cluster, 52 )                    \
        F( u32, num_gps_per_cluster, 56 ) F( u32, num_cores_total_active, 60 )                     \
        A( u64, core_masks, 32, 64 ) F( u32, vm_page_size, 320 ) F( u32, pad1, 324 )               \
        F( u64, vm_user_start, 328 ) F( u64, vm_user_end, 336 ) F( u64, vm_shader_start, 344 )     \
        F( u64, vm_shader_end, 352 ) F( u32, max_syncs_per_submission, 360 )                       \
        F( u32, max_commands_per_submission, 364 ) F( u32, max_commands_in_flight, 368 )           \
        F( u32, max_attachments, 372 ) F( u32, timer_frequency_hz, 376 )                           \
        F( u32, min_frequency_khz, 380 ) F( u32, max_frequency_khz, 384 )                          \
        F( u32, max_power_mw, 388 ) F( u32, result_render_size, 392 )                              \
        F( u32, result_compute_size, 396 ) E( drm_asahi_draft06_params_global, 400 )               \
    S( drm_asahi_draft11_params_global ) F( u32, unstable_uabi_version, 0 ) F( u32, pad0, 4 )      \
        F( u64, feat_compat, 8 ) F( u64, feat_incompat, 16 ) F( u32, gpu_generation, 24 )          \
        F( u32, gpu_variant, 28 ) F( u32, gpu_revision, 32 ) F( u32, chip_id, 36 )                 \
        F( u32, num_dies, 40 ) F( u32, num_clusters_total, 44 )                                    \
        F( u32, num_cores_per_cluster, 48 ) F( u32, num_frags_per_cluster, 52 )                    \
        F( u32, num_gps_per_cluster, 56 ) F( u32, num_cores_total_active, 60 )                     \
        A( u64, core_masks, 32, 64 ) F( u32, vm_page_size, 320 ) F( u32, pad1, 324 )               \
        F( u64, vm_user_start, 328 ) F( u64, vm_user_end, 336 ) F( u64, vm_usc_start, 344 )        \
        F( u64, vm_usc_end, 352 ) F( u64, vm_kernel_min_size, 360 )                                \
        F( u32, max_syncs_per_submission, 368 ) F( u32, max_commands_per_submission, 372 )         \
        F( u32, max_commands_in_flight, 376 ) F( u32, max_attachments, 380 )                       \
        F( u32, timer_frequency_hz, 384 ) F( u32, min_frequency_khz, 388 )                         \
        F( u32, max_frequency_khz, 392 ) F( u32, max_power_mw, 396 )                               \
        F( u32, result_render_size, 400 ) F( u32, result_compute_size, 404 )                       \
        A( u32, firmware_version, 4, 408 ) E( drm_asahi_draft11_params_global, 424 )               \
    S( drm_asahi_draft_get_params ) F( u64, extensions, 0 ) F( u32, param_group, 8 )               \
        F( u32, pad, 12 ) F( u64, pointer, 16 ) F( u64, size, 24 )                                 \
        E( drm_asahi_draft_get_params, 32 )                                                        \
    S( drm_asahi_draft06_vm_create ) F( u64, extensions, 0 ) F( u32, vm_id, 8 )                    \
        F( u32, pad, 12 ) E( drm_asahi_draft06_vm_create, 16 )                                     \
    S( drm_asahi_draft11_vm_create ) F( u64, extensions, 0 ) F( u64, kernel_start, 8 )             \
        F( u64, kernel_end, 16 ) F( u32, vm_id, 24 ) F( u32, pad, 28 )                             \
        E( drm_asahi_draft11_vm_create, 32 )                                                       \
    S( drm_asahi_draft_vm_destroy ) F( u64, extensions, 0 ) F( u32, vm_id, 8 )                     \
        F( u32, pad, 12 ) E( drm_asahi_draft_vm_destroy, 16 )                                      \
    S( drm_asahi_draft_gem_create ) F( u64, extensions, 0 ) F( u64, size, 8 )                      \
        F( u32, flags, 16 ) F( u32, vm_id, 20 ) F( u32, handle, 24 ) F( u32, pad, 28 )             \
        E( drm_asahi_draft_gem_create, 32 )                                                        \
    S( drm_asahi_draft_gem_mmap_offset ) F( u64, extensions, 0 ) F( u32, handle, 8 )               \
        F( u32, flags, 12 ) F( u64, offset, 16 ) E( drm_asahi_draft_gem_mmap_offset, 24 )          \
    S( drm_asahi_draft_gem_bind ) F( u64, extensions, 0 ) F( u32, op, 8 ) F( u32, flags, 12 )      \
        F( u32, handle, 16 ) F( u32, vm_id, 20 ) F( u64, offset, 24 ) F( u64, range, 32 )          \
        F( u64, addr, 40 ) E( drm_asahi_draft_gem_bind, 48 )                                       \
    S( drm_asahi_draft_queue_create ) F( u64, extensions, 0 ) F( u32, flags, 8 )                   \
        F( u32, vm_id, 12 ) F( u32, queue_caps, 16 ) F( u32, priority, 20 )                        \
        F( u32, queue_id, 24 ) F( u32, pad, 28 ) E( drm_asahi_draft_queue_create, 32 )             \
    S( drm_asahi_draft_queue_destroy ) F( u64, extensions, 0 ) F( u32, queue_id, 8 )               \
        F( u32, pad, 12 ) E( drm_asahi_draft_queue_destroy, 16 )                                   \
    S( drm_asahi_draft_sync ) F( u64, extensions, 0 ) F( u32, sync_type, 8 )                       \
        F( u32, handle, 12 ) F( u64, timeline_value, 16 ) E( drm_asahi_draft_sync, 24 )            \
    S( drm_asahi_draft_command ) F( u64, extensions, 0 ) F( u32, cmd_type, 8 )                     \
        F( u32, flags, 12 ) F( u64, cmd_buffer, 16 ) F( u64, cmd_buffer_size, 24 )                 \
        F( u64, result_offset, 32 ) F( u64, result_size, 40 ) A( u32, barriers, 2, 48 )            \
        E( drm_asahi_draft_command, 56 )                                                           \
    S( drm_asahi_draft_submit ) F( u64, extensions, 0 ) F( u64, in_syncs, 8 )                      \
        F( u64, out_syncs, 16 ) F( u64, commands, 24 ) F( u32, flags, 32 )                         \
        F( u32, queue_id, 36 ) F( u32, result_handle, 40 ) F( u32, in_sync_count, 44 )             \
        F( u32, out_sync_count, 48 ) F( u32, command_count, 52 )                                   \
        E( drm_asahi_draft_submit, 56 )                                                            \
    S( drm_asahi_draft06_attachment ) F( u32, type, 0 ) F( u32, size, 4 ) F( u64, pointer, 8 )     \
        E( drm_asahi_draft06_attachment, 16 )                                                      \
    S( drm_asahi_draft11_attachment ) F( u64, pointer, 0 ) F( u64, size, 8 )                       \
        F( u32, order, 16 ) F( u32, flags, 20 ) E( drm_asahi_draft11_attachment, 24 )              \
    S( drm_asahi_draft06_cmd_render ) F( u64, extensions, 0 ) F( u64, flags, 8 )                   \
        F( u64, encoder_ptr, 16 ) F( u64, attachments, 24 ) F( u32, attachment_count, 32 )         \
        F( u32, pad, 36 ) F( u64, depth_buffer_1, 40 ) F( u64, depth_buffer_2, 48 )                \
        F( u64, depth_buffer_3, 56 ) F( u64, depth_meta_buffer_1, 64 )                             \
        F( u64, depth_meta_buffer_2, 72 ) F( u64, depth_meta_buffer_3, 80 )                        \
        F( u64, stencil_buffer_1, 88 ) F( u64, stencil_buffer_2, 96 )                              \
        F( u64, stencil_buffer_3, 104 ) F( u64, stencil_meta_buffer_1, 112 )                       \
        F( u64, stencil_meta_buffer_2, 120 ) F( u64, stencil_meta_buffer_3, 128 )                  \
        F( u64, scissor_array, 136 ) F( u64, depth_bias_array, 144 )                               \
        F( u64, visibility_result_buffer, 152 ) F( u64, zls_ctrl, 160 )                            \
        F( u64, ppp_multisamplectl, 168 ) F( u32, ppp_ctrl, 176 ) F( u32, fb_width, 180 )          \
        F( u32, fb_height, 184 ) F( u32, utile_width, 188 ) F( u32, utile_height, 192 )            \
        F( u32, samples, 196 ) F( u32, layers, 200 ) F( u32, encoder_id, 204 )                     \
        F( u32, cmd_ta_id, 208 ) F( u32, cmd_3d_id, 212 ) F( u32, iogpu_unk_49, 216 )              \
        F( u32, iogpu_unk_212, 220 ) F( u32, iogpu_unk_214, 224 ) F( u32, merge_upper_x, 228 )     \
        F( u32, merge_upper_y, 232 ) F( u32, load_pipeline, 236 )                                  \
        F( u32, load_pipeline_bind, 240 ) F( u32, store_pipeline, 244 )                            \
        F( u32, store_pipeline_bind, 248 ) F( u32, partial_reload_pipeline, 252 )                  \
        F( u32, partial_reload_pipeline_bind, 256 ) F( u32, partial_store_pipeline, 260 )          \
        F( u32, partial_store_pipeline_bind, 264 ) F( u32, depth_dimensions, 268 )                 \
        F( u32, isp_bgobjdepth, 272 ) F( u32, isp_bgobjvals, 276 )                                 \
        E( drm_asahi_draft06_cmd_render, 280 )                                                     \
    S( drm_asahi_draft11_cmd_render ) F( u64, extensions, 0 ) F( u64, flags, 8 )                   \
        F( u64, encoder_ptr, 16 ) F( u64, vertex_usc_base, 24 ) F( u64, fragment_usc_base, 32 )    \
        F( u64, vertex_attachments, 40 ) F( u64, fragment_attachments, 48 )                        \
        F( u32, vertex_attachment_count, 56 ) F( u32, fragment_attachment_count, 60 )              \
        F( u32, vertex_helper_program, 64 ) F( u32, fragment_helper_program, 68 )                  \
        F( u32, vertex_helper_cfg, 72 ) F( u32, fragment_helper_cfg, 76 )                          \
        F( u64, vertex_helper_arg, 80 ) F( u64, fragment_helper_arg, 88 )                          \
        F( u64, depth_buffer_load, 96 ) F( u64, depth_buffer_load_stride, 104 )                    \
        F( u64, depth_buffer_store, 112 ) F( u64, depth_buffer_store_stride, 120 )                 \
        F( u64, depth_buffer_partial, 128 ) F( u64, depth_buffer_partial_stride, 136 )             \
        F( u64, depth_meta_buffer_load, 144 ) F( u64, depth_meta_buffer_load_stride, 152 )         \
        F( u64, depth_meta_buffer_store, 160 ) F( u64, depth_meta_buffer_store_stride, 168 )       \
        F( u64, depth_meta_buffer_partial, 176 )                                                   \
        F( u64, depth_meta_buffer_partial_stride, 184 ) F( u64, stencil_buffer_load, 192 )         \
        F( u64, stencil_buffer_load_stride, 200 ) F( u64, stencil_buffer_store, 208 )              \
        F( u64, stencil_buffer_store_stride, 216 ) F( u64, stencil_buffer_partial, 224 )           \
        F( u64, stencil_buffer_partial_stride, 232 ) F( u64, stencil_meta_buffer_load, 240 )       \
        F( u64, stencil_meta_buffer_load_stride, 248 ) F( u64, stencil_meta_buffer_store, 256 )    \
        F( u64, stencil_meta_buffer_store_stride, 264 )                                            \
        F( u64, stencil_meta_buffer_partial, 272 )                                                 \
        F( u64, stencil_meta_buffer_partial_stride, 280 ) F( u64, scissor_array, 288 )             \
        F( u64, depth_bias_array, 296 ) F( u64, visibility_result_buffer, 304 )                    \
        F( u64, vertex_sampler_array, 312 ) F( u32, vertex_sampler_count, 320 )                    \
        F( u32, vertex_sampler_max, 324 ) F( u64, fragment_sampler_array, 328 )                    \
        F( u32, fragment_sampler_count, 336 ) F( u32, fragment_sampler_max, 340 )                  \
        F( u64, zls_ctrl, 344 ) F( u64, ppp_multisamplectl, 352 ) F( u32, ppp_ctrl, 360 )          \
        F( u32, fb_width, 364 ) F( u32, fb_height, 368 ) F( u32, utile_width, 372 )                \
        F( u32, utile_height, 376 ) F( u32, samples, 380 ) F( u32, layers, 384 )                   \
        F( u32, encoder_id, 388 ) F( u32, cmd_ta_id, 392 ) F( u32, cmd_3d_id, 396 )                \
        F( u32, sample_size, 400 ) F( u32, tib_blocks, 404 ) F( u32, iogpu_unk_214, 408 )          \
        F( u32, merge_upper_x, 412 ) F( u32, merge_upper_y, 416 ) F( u32, load_pipeline, 420 )     \
        F( u32, load_pipeline_bind, 424 ) F( u32, store_pipeline, 428 )                            \
        F( u32, store_pipeline_bind, 432 ) F( u32, partial_reload_pipeline, 436 )                  \
        F( u32, partial_reload_pipeline_bind, 440 ) F( u32, partial_store_pipeline, 444 )          \
        F( u32, partial_store_pipeline_bind, 448 ) F( u32, depth_dimensions, 452 )                 \
        F( u32, isp_bgobjdepth, 456 ) F( u32, isp_bgobjvals, 460 )                                 \
        E( drm_asahi_draft11_cmd_render, 464 )                                                     \
    S( drm_asahi_draft06_cmd_compute ) F( u64, flags, 0 ) F( u64, encoder_ptr, 8 )                 \
        F( u64, encoder_end, 16 ) F( u64, attachments, 24 ) F( u32, attachment_count, 32 )         \
        F( u32, pad, 36 ) F( u64, buffer_descriptor, 40 ) F( u32, buffer_descriptor_size, 48 )     \
        F( u32, ctx_switch_prog, 52 ) F( u32, encoder_id, 56 ) F( u32, cmd_id, 60 )                \
        F( u32, iogpu_unk_40, 64 ) F( u32, iogpu_unk_44, 68 )                                      \
        E( drm_asahi_draft06_cmd_compute, 72 )                                                     \
    S( drm_asahi_draft11_cmd_compute ) F( u64, flags, 0 ) F( u64, encoder_ptr, 8 )                 \
        F( u64, encoder_end, 16 ) F( u64, usc_base, 24 ) F( u64, attachments, 32 )                 \
        F( u32, attachment_count, 40 ) F( u32, pad, 44 ) F( u32, helper_program, 48 )              \
        F( u32, helper_cfg, 52 ) F( u64, helper_arg, 56 ) F( u32, encoder_id, 64 )                 \
        F( u32, cmd_id, 68 ) F( u64, sampler_array, 72 ) F( u32, sampler_count, 80 )               \
        F( u32, sampler_max, 84 ) F( u32, iogpu_unk_40, 88 ) F( u32, unk_mask, 92 )                \
        E( drm_asahi_draft11_cmd_compute, 96 )                                                     \
    S( drm_asahi_draft_result_render ) F( drm_asahi_draft_result_info, info, 0 )                   \
        F( u64, flags, 32 ) F( u64, vertex_ts_start, 40 ) F( u64, vertex_ts_end, 48 )              \
        F( u64, fragment_ts_start, 56 ) F( u64, fragment_ts_end, 64 )                              \
        F( u64, tvb_size_bytes, 72 ) F( u64, tvb_usage_bytes, 80 )                                 \
        F( u32, num_tvb_overflows, 88 ) F( u32, pad, 92 )                                          \
        E( drm_asahi_draft_result_render, 96 )                                                     \
    S( drm_asahi_draft_result_compute ) F( drm_asahi_draft_result_info, info, 0 )                  \
        F( u64, flags, 32 ) F( u64, ts_start, 40 ) F( u64, ts_end, 48 )                            \
        E( drm_asahi_draft_result_compute, 56 )                                                    \
    S( drm_asahi_draft11_cmd_render_unknowns ) F( u32, type, 0 ) F( u32, pad, 4 )                  \
        F( u64, next, 8 ) F( u64, flags, 16 ) F( u64, tile_config, 24 )                            \
        F( u64, utile_config, 32 ) F( u64, aux_fb_unk, 40 ) F( u64, g14_unk, 48 )                  \
        F( u64, frg_unk_140, 56 ) F( u64, frg_unk_158, 64 ) F( u64, frg_tilecfg, 72 )              \
        F( u64, load_bgobjvals, 80 ) F( u64, frg_unk_38, 88 ) F( u64, frg_unk_3c, 96 )             \
        F( u64, reload_zlsctrl, 104 ) F( u64, unk_buf_10, 112 ) F( u64, frg_unk_mask, 120 )        \
        F( u64, iogpu_unk54, 128 ) F( u64, iogpu_unk56, 136 ) F( u64, tiling_control, 144 )        \
        F( u64, tiling_control_2, 152 ) F( u64, vtx_unk_f0, 160 ) F( u64, vtx_unk_f8, 168 )        \
        F( u64, vtx_unk_118, 176 ) F( u64, vtx_unk_mask, 184 )                                     \
        E( drm_asahi_draft11_cmd_render_unknowns, 192 )

/* The ioctls of the drafts. The second column names the structure of the argument. */
#define GPUCMD_AGX_DRAFT_IOCTLS(I)                                                                 \
    I( DRAFT_GET_PARAMS,      draft_get_params )                                                   \
    I( DRAFT06_VM_CREATE,     draft06_vm_create )                                                  \
    I( DRAFT11_VM_CREATE,     draft11_vm_create )                                                  \
    I( DRAFT_VM_DESTROY,      draft_vm_destroy )                                                   \
    I( DRAFT_GEM_CREATE,      draft_gem_create )                                                   \
    I( DRAFT_GEM_MMAP_OFFSET, draft_gem_mmap_offset )                                              \
    I( DRAFT_GEM_BIND,        draft_gem_bind )                                                     \
    I( DRAFT_QUEUE_CREATE,    draft_queue_create )                                                 \
    I( DRAFT_QUEUE_DESTROY,   draft_queue_destroy )                                                \
    I( DRAFT_SUBMIT,          draft_submit )

/* Values of both drafts, unless a comment names one draft. Each row defines an enum constant
 * GPUCMD_DRM_ASAHI_DRAFT_<name>. [D06] [D11] */
#define GPUCMD_AGX_DRAFT_VALUES(V)                                                                 \
    V( UABI_10006, 10006 ) V( UABI_10011, 10011 )                                                  \
    V( CMD_RENDER,   0 ) V( CMD_BLIT,   1 ) V( CMD_COMPUTE,   2 )                                  \
    V( CAP_RENDER,   1 ) V( CAP_BLIT,   2 ) V( CAP_COMPUTE,   4 )                                  \
    V( SYNC_SYNCOBJ, 0 ) V( SYNC_TIMELINE_SYNCOBJ, 1 )                                             \
    V( FEAT_SOFT_FAULTS, 1 ) /* draft 10011 only */                                                \
    V( FEAT_INCOMPAT_MANDATORY_ZS_COMPRESSION, 1 )                                                 \
    V( ATTACHMENT_C, 0 ) V( ATTACHMENT_Z, 1 ) V( ATTACHMENT_S, 2 ) /* draft 10006 only */          \
    V( SUBQUEUE_RENDER, 0 ) V( SUBQUEUE_COMPUTE, 1 )                                               \
    V( BIND_OP_BIND, 0 ) V( BIND_OP_UNBIND, 1 ) V( BIND_OP_UNBIND_ALL, 2 )                         \
    V( BIND_READ,    1 ) V( BIND_WRITE, 2 )                                                        \
    V( GEM_WRITEBACK, 1 ) V( GEM_VM_PRIVATE, 2 )                                                   \
    V( RENDER_NO_CLEAR_PIPELINE_TEXTURES, 1 )                                                      \
    V( RENDER_SET_WHEN_RELOADING_Z_OR_S,  2 )                                                      \
    V( RENDER_MEMORYLESS_RTS_USED,        4 ) /* draft 10006 only; its driver rejects it */        \
    V( RENDER_VERTEX_SPILLS,              4 ) /* draft 10011 only */                               \
    V( RENDER_PROCESS_EMPTY_TILES,        8 )                                                      \
    V( RENDER_NO_VERTEX_CLUSTERING,      16 )                                                      \
    V( RENDER_MSAA_ZS,                   32 ) /* draft 10011 only */                               \
    V( RENDER_NO_PREEMPTION,             64 ) /* draft 10011 only */                               \
    V( COMPUTE_NO_PREEMPTION,             1 ) /* draft 10011 only */                               \
    V( TVB_GROW_OVF,   1 ) /* the tiled vertex buffer (TVB) grew after earlier overflows */        \
    V( TVB_GROW_MIN,   2 ) /* the TVB grew because of the dimensions of the render */              \
    V( TVB_OVERFLOWED, 4 ) /* this render overflowed the TVB */

/* Outcomes of a command. A command with an outcome whose errno is not 0 fails: the fence
 * of its job gets this errno. GPUCMD_AGX_FAULTS are the reasons of outcome FAULT. [D11] [DRVD] */
#define GPUCMD_AGX_OUTCOMES(V)                                                                     \
    /*  name          number  errno */                                                             \
    V( PENDING,       0,      0 )                                                                  \
    V( COMPLETE,      1,      0 )                                                                  \
    V( UNKNOWN_ERROR, 2,      ENODATA )                                                            \
    V( TIMEOUT,       3,      ETIMEDOUT )                                                          \
    V( FAULT,         4,      EIO )                                                                \
    V( KILLED,        5,      ECANCELED )                                                          \
    V( NO_DEVICE,     6,      ENODEV )                                                             \
    V( CHANNEL_ERROR, 7,      EIO )
#define GPUCMD_AGX_FAULTS(V)                                                                       \
    V( NONE, 0 ) V( UNKNOWN, 1 ) V( UNMAPPED, 2 ) V( AF_FAULT, 3 ) V( WRITE_ONLY, 4 )              \
    V( READ_ONLY, 5 ) V( NO_ACCESS, 6 )
/* clang-format on */

/* ==== [AGX.CONST] ========================================================================== */

/* Define each row of the value tables of AGX.FACTS as an enum constant. GPUCMD_DRM_ASAHI_X has
 * the value of DRM_ASAHI_X in Linux, GPUCMD_DRM_ASAHI_DRAFT_X that of DRM_ASAHI_X in a draft. */
#define GPUCMD_AGX_PRIV_IOCTL(name, id, arg, pointer) GPUCMD_DRM_ASAHI_##name = id,
enum gpucmd_drm_asahi_ioctl_id { GPUCMD_AGX_IOCTLS(GPUCMD_AGX_PRIV_IOCTL) };
#undef GPUCMD_AGX_PRIV_IOCTL
#define GPUCMD_AGX_PRIV_IOCTL(name, arg) GPUCMD_AGX_DRAFT_IOCTL_##name,
enum gpucmd_agx_draft_ioctl { GPUCMD_AGX_DRAFT_IOCTLS(GPUCMD_AGX_PRIV_IOCTL) };
#undef GPUCMD_AGX_PRIV_IOCTL
#define GPUCMD_AGX_PRIV_VALUE(name, value) GPUCMD_DRM_ASAHI_##name = value,
enum gpucmd_drm_asahi_feature { GPUCMD_AGX_FEATURES(GPUCMD_AGX_PRIV_VALUE) };
enum gpucmd_drm_asahi_gem_flags { GPUCMD_AGX_GEM_FLAGS(GPUCMD_AGX_PRIV_VALUE) };
enum gpucmd_drm_asahi_bind_flags { GPUCMD_AGX_BIND_FLAGS(GPUCMD_AGX_PRIV_VALUE) };
enum gpucmd_drm_asahi_bind_object_op { GPUCMD_AGX_BIND_OBJECT_OPS(GPUCMD_AGX_PRIV_VALUE) };
enum gpucmd_drm_asahi_bind_object_flags { GPUCMD_AGX_BIND_OBJECT_FLAGS(GPUCMD_AGX_PRIV_VALUE) };
enum gpucmd_drm_asahi_cmd_type { GPUCMD_AGX_CMD_TYPES(GPUCMD_AGX_PRIV_VALUE) };
enum gpucmd_drm_asahi_priority { GPUCMD_AGX_PRIORITIES(GPUCMD_AGX_PRIV_VALUE) };
enum gpucmd_drm_asahi_sync_type { GPUCMD_AGX_SYNC_TYPES(GPUCMD_AGX_PRIV_VALUE) };
enum gpucmd_drm_asahi_render_flags { GPUCMD_AGX_RENDER_FLAGS(GPUCMD_AGX_PRIV_VALUE) };
#undef GPUCMD_AGX_PRIV_VALUE

#define GPUCMD_AGX_PRIV_OR(name, value) | (value)
#define GPUCMD_AGX_RENDER_FLAGS_MASK    (0 GPUCMD_AGX_RENDER_FLAGS(GPUCMD_AGX_PRIV_OR))

#define GPUCMD_AGX_PRIV_VALUE(name, value) GPUCMD_DRM_ASAHI_DRAFT_##name = value,
enum gpucmd_drm_asahi_draft_value { GPUCMD_AGX_DRAFT_VALUES(GPUCMD_AGX_PRIV_VALUE) };
#undef GPUCMD_AGX_PRIV_VALUE
#define GPUCMD_DRM_ASAHI_DRAFT_BARRIER_NONE 0xffffffffu

#define GPUCMD_AGX_PRIV_RULE(name, err, severity, text, src) GPUCMD_AGX_RULE_##name,
typedef enum gpucmd_agx_rule { GPUCMD_AGX_RULES(GPUCMD_AGX_PRIV_RULE) } gpucmd_agx_rule;
#undef GPUCMD_AGX_PRIV_RULE

#define GPUCMD_AGX_PRIV_CHIP(name, id, product, gen, letter, rev, dies, clusters, cores, khz, src) \
    GPUCMD_AGX_CHIP_##name,
typedef enum gpucmd_agx_chip { GPUCMD_AGX_CHIPS(GPUCMD_AGX_PRIV_CHIP) } gpucmd_agx_chip;
#undef GPUCMD_AGX_PRIV_CHIP

#define GPUCMD_AGX_PRIV_UNIT(name, code, text, src) GPUCMD_AGX_UNIT_##name = code,
typedef enum gpucmd_agx_unit { GPUCMD_AGX_UNITS(GPUCMD_AGX_PRIV_UNIT) } gpucmd_agx_unit;
#undef GPUCMD_AGX_PRIV_UNIT

#define GPUCMD_AGX_PRIV_BLOCK(name, stream, type, words, pads, src) GPUCMD_AGX_BLOCK_##name,
typedef enum gpucmd_agx_block_id {
    GPUCMD_AGX_CTRL_BLOCKS(GPUCMD_AGX_PRIV_BLOCK)
} gpucmd_agx_block_id;
#undef GPUCMD_AGX_PRIV_BLOCK

#define GPUCMD_AGX_PRIV_PART(block, name, bit, words, src) GPUCMD_AGX_PART_##name,
typedef enum gpucmd_agx_part_id { GPUCMD_AGX_CTRL_PARTS(GPUCMD_AGX_PRIV_PART) } gpucmd_agx_part_id;
#undef GPUCMD_AGX_PRIV_PART

#define GPUCMD_AGX_PRIV_ZLS(name, value) GPUCMD_AGX_##name = value,
enum { GPUCMD_AGX_ZLS_BITS(GPUCMD_AGX_PRIV_ZLS) };
#undef GPUCMD_AGX_PRIV_ZLS

#define GPUCMD_AGX_PRIV_ADDRESS(id, command, member, part, form, rights, unit, src)                \
    GPUCMD_AGX_ADDRESS_##id,
typedef enum gpucmd_agx_address_id {
    GPUCMD_AGX_ADDRESSES(GPUCMD_AGX_PRIV_ADDRESS)
} gpucmd_agx_address_id;
#undef GPUCMD_AGX_PRIV_ADDRESS

#define GPUCMD_AGX_PRIV_OUTCOME(name, number, err) GPUCMD_AGX_OUTCOME_##name = number,
typedef enum gpucmd_agx_outcome { GPUCMD_AGX_OUTCOMES(GPUCMD_AGX_PRIV_OUTCOME) } gpucmd_agx_outcome;
#undef GPUCMD_AGX_PRIV_OUTCOME

#define GPUCMD_AGX_PRIV_FAULT(name, number) GPUCMD_AGX_FAULT_##name = number,
typedef enum gpucmd_agx_fault { GPUCMD_AGX_FAULTS(GPUCMD_AGX_PRIV_FAULT) } gpucmd_agx_fault;
#undef GPUCMD_AGX_PRIV_FAULT

/* Declare struct gpucmd_drm_asahi_<name>; structures and members are named as in the kernel.
 * GPUCMD_STRUCT_drm_asahi_<name> is the number of the structure for gpucmd_agx_layout. */
GPUCMD_LAYOUT_STRUCTS(GPUCMD_AGX_STREAM_STRUCTS)
GPUCMD_LAYOUT_STRUCTS(GPUCMD_AGX_UAPI_STRUCTS)
GPUCMD_LAYOUT_STRUCTS(GPUCMD_AGX_DRAFT_STRUCTS)
enum gpucmd_agx_struct {
    GPUCMD_LAYOUT_IDS(GPUCMD_AGX_STREAM_STRUCTS) GPUCMD_LAYOUT_IDS(GPUCMD_AGX_UAPI_STRUCTS)
        GPUCMD_LAYOUT_IDS(GPUCMD_AGX_DRAFT_STRUCTS)
};

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Find a chip by its name ("t8103") or its product ("m1", "m2_ultra"), in upper or lower case, and
 * write it to *chip. GPUCMD_RANGE: no chip matches; *chip is unchanged. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_agx_chip_from_name(const char *name, gpucmd_agx_chip *chip);
/* Find a chip by member chip_id of the parameters and write it to *chip. GPUCMD_RANGE: no chip
 * matches; *chip is unchanged. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_agx_chip_from_id(uint32_t chip_id, gpucmd_agx_chip *chip);
/* Return the name of a chip ("T8103"); "?" for a number without a row. Static storage. */
GPUCMD_PRIV_API const char *gpucmd_agx_chip_name(gpucmd_agx_chip chip);
/* Fill *p with the parameters of a chip with all its cores, and with those that do not depend on
 * the chip; features is 0. GPUCMD_RANGE: chip has no row; *p is unchanged. [DRV] */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_agx_params_init(struct gpucmd_drm_asahi_params_global *p,
                                                       gpucmd_agx_chip chip);
#endif

/* Define the ioctl numbers: letter 'd', number GPUCMD_AGX_FIRST_IOCTL + id. In dir, bit 0 means
 * that the kernel reads the argument, bit 1 that the kernel writes it. */
#define GPUCMD_AGX_PRIV_IOC(dir, type, id)                                                         \
    GPUCMD_IOC(dir, 'd', GPUCMD_AGX_FIRST_IOCTL + (uint32_t)(id),                                  \
               sizeof(struct gpucmd_drm_asahi_##type))
#define GPUCMD_AGX_PRIV_IOW(type, id)  GPUCMD_AGX_PRIV_IOC(1, type, GPUCMD_DRM_ASAHI_##id)
#define GPUCMD_AGX_PRIV_IOWR(type, id) GPUCMD_AGX_PRIV_IOC(3, type, GPUCMD_DRM_ASAHI_##id)

#define GPUCMD_DRM_IOCTL_ASAHI_GET_PARAMS GPUCMD_AGX_PRIV_IOW(get_params, GET_PARAMS)
#define GPUCMD_DRM_IOCTL_ASAHI_GET_TIME   GPUCMD_AGX_PRIV_IOWR(get_time, GET_TIME)
#define GPUCMD_DRM_IOCTL_ASAHI_VM_CREATE  GPUCMD_AGX_PRIV_IOWR(vm_create, VM_CREATE)
#define GPUCMD_DRM_IOCTL_ASAHI_VM_DESTROY GPUCMD_AGX_PRIV_IOW(vm_destroy, VM_DESTROY)
#define GPUCMD_DRM_IOCTL_ASAHI_VM_BIND    GPUCMD_AGX_PRIV_IOW(vm_bind, VM_BIND)
#define GPUCMD_DRM_IOCTL_ASAHI_GEM_CREATE GPUCMD_AGX_PRIV_IOWR(gem_create, GEM_CREATE)
#define GPUCMD_DRM_IOCTL_ASAHI_GEM_MMAP_OFFSET                                                     \
    GPUCMD_AGX_PRIV_IOWR(gem_mmap_offset, GEM_MMAP_OFFSET)
#define GPUCMD_DRM_IOCTL_ASAHI_GEM_BIND_OBJECT                                                     \
    GPUCMD_AGX_PRIV_IOWR(gem_bind_object, GEM_BIND_OBJECT)
#define GPUCMD_DRM_IOCTL_ASAHI_QUEUE_CREATE  GPUCMD_AGX_PRIV_IOWR(queue_create, QUEUE_CREATE)
#define GPUCMD_DRM_IOCTL_ASAHI_QUEUE_DESTROY GPUCMD_AGX_PRIV_IOW(queue_destroy, QUEUE_DESTROY)
#define GPUCMD_DRM_IOCTL_ASAHI_SUBMIT        GPUCMD_AGX_PRIV_IOW(submit, SUBMIT)

/* Define the ioctl numbers of the drafts. They differ from the upstream numbers. GET_TIME is
 * missing, because the size of its argument differs between the drafts. [D06] */
#define GPUCMD_DRM_IOCTL_ASAHI_DRAFT_GET_PARAMS  GPUCMD_AGX_PRIV_IOC(3, draft_get_params, 0)
#define GPUCMD_DRM_IOCTL_ASAHI_DRAFT06_VM_CREATE GPUCMD_AGX_PRIV_IOC(3, draft06_vm_create, 1)
#define GPUCMD_DRM_IOCTL_ASAHI_DRAFT11_VM_CREATE GPUCMD_AGX_PRIV_IOC(3, draft11_vm_create, 1)
#define GPUCMD_DRM_IOCTL_ASAHI_DRAFT_VM_DESTROY  GPUCMD_AGX_PRIV_IOC(1, draft_vm_destroy, 2)
#define GPUCMD_DRM_IOCTL_ASAHI_DRAFT_GEM_CREATE  GPUCMD_AGX_PRIV_IOC(3, draft_gem_create, 3)
#define GPUCMD_DRM_IOCTL_ASAHI_DRAFT_GEM_MMAP_OFFSET                                               \
    GPUCMD_AGX_PRIV_IOC(3, draft_gem_mmap_offset, 4)
#define GPUCMD_DRM_IOCTL_ASAHI_DRAFT_GEM_BIND      GPUCMD_AGX_PRIV_IOC(1, draft_gem_bind, 5)
#define GPUCMD_DRM_IOCTL_ASAHI_DRAFT_QUEUE_CREATE  GPUCMD_AGX_PRIV_IOC(3, draft_queue_create, 6)
#define GPUCMD_DRM_IOCTL_ASAHI_DRAFT_QUEUE_DESTROY GPUCMD_AGX_PRIV_IOC(1, draft_queue_destroy, 7)
#define GPUCMD_DRM_IOCTL_ASAHI_DRAFT_SUBMIT        GPUCMD_AGX_PRIV_IOC(1, draft_submit, 8)

/* ==== [AGX.ENCODE] ========================================================================= */

/* Define what GPUCMD_LAYOUT_STORE needs to write these structures. */
GPUCMD_LAYOUT_STORES(GPUCMD_AGX_STREAM_STRUCTS)

/* ---- members of a command ---- */

/* Fill *c with a compute command that executes the control stream from base_va to end_va. All
 * members except the two addresses become zero. */
GPUCMD_INLINE void gpucmd_agx_compute_init(struct gpucmd_drm_asahi_cmd_compute *c, uint64_t base_va,
                                           uint64_t end_va)
{
    gpucmd_priv_zero(c, sizeof *c);
    c->cdm_ctrl_stream_base = base_va;
    c->cdm_ctrl_stream_end = end_va;
}

/* Fill *c with a render command: control stream at base_va, width_px x height_px pixels (each
 * 1..16384), one layer, one sample of 4 bytes, tiles of 32x32 pixels. ppp_ctrl becomes 0x202, the
 * value that Mesa uses. All other members become zero. [MESA] */
GPUCMD_INLINE void gpucmd_agx_render_init(struct gpucmd_drm_asahi_cmd_render *c, uint64_t base_va,
                                          uint32_t width_px, uint32_t height_px)
{
    gpucmd_priv_zero(c, sizeof *c);
    c->vdm_ctrl_stream_base = base_va;
    c->ppp_ctrl = 0x202;
    c->width_px = (uint16_t)width_px;
    c->height_px = (uint16_t)height_px;
    c->layers = 1;
    c->utile_width_px = 32;
    c->utile_height_px = 32;
    c->samples = 1;
    c->sample_size_B = 4;
}

/* Return isp_merge_upper_x if pixels is the framebuffer width, isp_merge_upper_y if pixels is
 * the height: the bits of the float tan(60 degrees) / pixels; infinity for 0 pixels. [MESA] */
GPUCMD_INLINE uint32_t gpucmd_agx_merge_upper(uint32_t pixels)
{
    const uint32_t dividend = 0xddb3d9; /* mantissa of tan(60 degrees) = 1.732051f, 24 bits */
    uint32_t divisor = pixels, exponent = 127, rest = dividend, quotient = 0, i;
    if (pixels == 0) {
        return 0x7f800000; /* the float infinity */
    }
    for (i = 31; divisor >> 31 == 0; i--, divisor <<= 1) {
    }
    exponent -= i;
    /* Round divisor to the 24 bits of a mantissa. */
    divisor = (divisor >> 8) + (((divisor & 0xff) + (divisor >> 8 & 1)) > 0x80);
    if (rest < divisor) {
        rest <<= 1;
        exponent--;
    }
    for (i = 0; i < 25; i++, rest <<= 1) { /* compute 24 bits of mantissa and a bit for rounding */
        const bool one = rest >= divisor;
        quotient = quotient << 1 | one;
        rest -= one ? divisor : 0;
    }
    quotient = (quotient >> 1) + (quotient & 1 & ((rest != 0) | quotient >> 1));
    return (exponent << 23) + quotient - 0x800000;
}

/* Return isp_zls_pixels for depth and stencil buffers of width_px x height_px pixels (1..32768). */
GPUCMD_INLINE uint32_t gpucmd_agx_zls_pixels(uint32_t width_px, uint32_t height_px)
{
    return (width_px - 1) | (height_px - 1) << 15;
}

/* Return 0 if all members of a render except timestamps are valid. `size` has layers, height and
 * width as 16-bit parts, in the byte order of the CPU; 1 is subtracted in each part. Each limit is
 * a power of two, so value - 1 of a valid value has no bit at or above the bit of the limit.
 * `tile` has width, height and samples of a tile as bytes. Each must be one of the powers of two
 * in `good`: x & (x - 1) is 0, and x - 1 has bit 7 only if x is 0. The last term is not 0 for a
 * tile of 16x32 pixels, which is not valid. [DRV] */
GPUCMD_INLINE uint64_t gpucmd_priv_agx_render_faults(const struct gpucmd_drm_asahi_cmd_render *c)
{
    typedef struct gpucmd_drm_asahi_cmd_render render;
    const uint8_t *const bytes = (const uint8_t *)c;
    const gpucmd_endian cpu = gpucmd_cpu_endian();
    const uint32_t px_at = cpu == GPUCMD_LITTLE_ENDIAN ? 0 : 32;
    const uint32_t layers_at = cpu == GPUCMD_LITTLE_ENDIAN ? 32 : 16;
    const uint64_t ones = (uint64_t)0x10001 << px_at | (uint64_t)1 << layers_at;
    const uint64_t above = (uint64_t)(0x10000 - GPUCMD_AGX_MAX_PIXELS) * 0x10001 << px_at |
                           (uint64_t)(0x10000 - GPUCMD_AGX_MAX_LAYERS) << layers_at;
    const uint64_t size = gpucmd_load64(bytes + GPUCMD_PRIV_OFFSETOF(render, width_px), cpu);
    const uint32_t good = 16 | 32 | (16 | 32) << 8 | (uint32_t)(1 | 2 | 4) << 16;
    const uint32_t tile =
        gpucmd_load32(bytes + GPUCMD_PRIV_OFFSETOF(render, utile_width_px), GPUCMD_LITTLE_ENDIAN) &
        0xffffff;
    return ((size - ones) & above) | (c->flags & ~(uint32_t)GPUCMD_AGX_RENDER_FLAGS_MASK) |
           (tile & ~good) | ((tile - 0x10101) & (tile | 0x808080)) | (tile >> 9 & tile & 16);
}

/* Return the first rule that the members of a render break, in the driver's
 * order; NONE if no rule is broken. Timestamps are not checked. [DRV] */
GPUCMD_INLINE gpucmd_agx_rule gpucmd_agx_check_render(const struct gpucmd_drm_asahi_cmd_render *c)
{
    const bool size = (uint32_t)c->width_px - 1 < GPUCMD_AGX_MAX_PIXELS &&
                      (uint32_t)c->height_px - 1 < GPUCMD_AGX_MAX_PIXELS;
    const uint32_t width_px = c->utile_width_px, height_px = c->utile_height_px;
    const bool tile = (width_px == 32 && (height_px == 32 || height_px == 16)) ||
                      (width_px == 16 && height_px == 16);
    if ((c->flags & ~(uint32_t)GPUCMD_AGX_RENDER_FLAGS_MASK) != 0) {
        return GPUCMD_AGX_RULE_RENDER_FLAGS;
    }
    if (!size) {
        return GPUCMD_AGX_RULE_RENDER_SIZE;
    }
    if ((uint32_t)c->layers - 1 >= GPUCMD_AGX_MAX_LAYERS) {
        return GPUCMD_AGX_RULE_RENDER_LAYERS;
    }
    if (!tile) {
        return GPUCMD_AGX_RULE_RENDER_UTILE;
    }
    if (gpucmd_priv_agx_render_faults(c) != 0) {
        return GPUCMD_AGX_RULE_RENDER_SAMPLES;
    }
    return GPUCMD_AGX_RULE_NONE;
}

/* Return 0 if a timestamp offset is valid. Bits 2:0 of the result are not 0 if the offset is not a
 * multiple of 8. Bit 32 of the result is set if offset + 8 exceeds 32 bits. An offset is also
 * checked if its timestamp has no handle; it should then be zero. */
GPUCMD_INLINE uint64_t gpucmd_priv_agx_stamp_faults(uint32_t offset)
{
    return ((uint64_t)offset + GPUCMD_AGX_TIMESTAMP_BYTES) &
           ((uint64_t)1 << 32 | (GPUCMD_AGX_TIMESTAMP_BYTES - 1));
}

/* Return the status of a command whose members have the faults `members` and whose offsets have
 * the faults `stamps`. */
GPUCMD_INLINE gpucmd_status gpucmd_priv_agx_status(uint64_t members, uint64_t stamps)
{
    if (members != 0) {
        return GPUCMD_RANGE;
    }
    if ((stamps & (GPUCMD_AGX_TIMESTAMP_BYTES - 1)) != 0) {
        return GPUCMD_ALIGN;
    }
    if (stamps != 0) {
        return GPUCMD_RANGE;
    }
    return GPUCMD_OK;
}

GPUCMD_PRIV_COLD gpucmd_status
gpucmd_priv_agx_render_status(const struct gpucmd_drm_asahi_cmd_render *c)
{
    return gpucmd_priv_agx_status(gpucmd_priv_agx_render_faults(c),
                                  gpucmd_priv_agx_stamp_faults(c->ts_vtx.start.offset) |
                                      gpucmd_priv_agx_stamp_faults(c->ts_vtx.end.offset) |
                                      gpucmd_priv_agx_stamp_faults(c->ts_frag.start.offset) |
                                      gpucmd_priv_agx_stamp_faults(c->ts_frag.end.offset));
}

GPUCMD_PRIV_COLD gpucmd_status
gpucmd_priv_agx_compute_status(const struct gpucmd_drm_asahi_cmd_compute *c)
{
    return gpucmd_priv_agx_status(c->flags, gpucmd_priv_agx_stamp_faults(c->ts.start.offset) |
                                                gpucmd_priv_agx_stamp_faults(c->ts.end.offset));
}

/* Check members and timestamp offsets of a command before it is written. For a valid command one
 * check of the OR of all offsets is enough: the OR is not smaller than any offset, and it has
 * the low bits of each. Only if this check fails, the offsets are checked one by one. */
GPUCMD_INLINE gpucmd_status
gpucmd_priv_agx_legal_render(const struct gpucmd_drm_asahi_cmd_render *c)
{
    const uint32_t joined = c->ts_vtx.start.offset | c->ts_vtx.end.offset |
                            c->ts_frag.start.offset | c->ts_frag.end.offset;
    return GPUCMD_PRIV_UNLIKELY(gpucmd_priv_agx_stamp_faults(joined) != 0) ||
                   GPUCMD_PRIV_UNLIKELY(gpucmd_priv_agx_render_faults(c) != 0)
               ? gpucmd_priv_agx_render_status(c)
               : GPUCMD_OK;
}

GPUCMD_INLINE gpucmd_status
gpucmd_priv_agx_legal_compute(const struct gpucmd_drm_asahi_cmd_compute *c)
{
    const uint32_t joined = c->ts.start.offset | c->ts.end.offset;
    const uint64_t faults = c->flags | gpucmd_priv_agx_stamp_faults(joined);
    return GPUCMD_PRIV_UNLIKELY(faults != 0) ? gpucmd_priv_agx_compute_status(c) : GPUCMD_OK;
}

/* ---- command header ---- */

/* Size of a command in words; payload_bytes is a multiple of 4. */
#define GPUCMD_AGX_COMMAND_DW(payload_bytes) (2u + (payload_bytes) / 4u)
#define GPUCMD_AGX_RENDER_DW                                                                       \
    GPUCMD_AGX_COMMAND_DW((uint32_t)sizeof(struct gpucmd_drm_asahi_cmd_render))
#define GPUCMD_AGX_COMPUTE_DW                                                                      \
    GPUCMD_AGX_COMMAND_DW((uint32_t)sizeof(struct gpucmd_drm_asahi_cmd_compute))
#define GPUCMD_AGX_ATTACHMENTS_DW(count)                                                           \
    GPUCMD_AGX_COMMAND_DW((count) * (uint32_t)sizeof(struct gpucmd_drm_asahi_attachment))

/* The two words of a command header as constant expressions: word LO has type and size, word HI
 * the barriers. A value above 0xffff does not compile. */
#define GPUCMD_AGX_HEADER_LO(cmd_type, payload_bytes)                                              \
    (((uint32_t)(cmd_type) + GPUCMD_PRIV_REQUIRE((uint64_t)(cmd_type) <= 0xffffu)) |               \
     ((uint32_t)(payload_bytes) + GPUCMD_PRIV_REQUIRE((uint64_t)(payload_bytes) <= 0xffffu))       \
         << 16)
#define GPUCMD_AGX_HEADER_HI(vdm_barrier, cdm_barrier)                                             \
    (((uint32_t)(vdm_barrier) + GPUCMD_PRIV_REQUIRE((uint64_t)(vdm_barrier) <= 0xffffu)) |         \
     ((uint32_t)(cdm_barrier) + GPUCMD_PRIV_REQUIRE((uint64_t)(cdm_barrier) <= 0xffffu)) << 16)

/* Return true if a barrier is NONE or <= so_far, the number of earlier commands of its kind. */
GPUCMD_INLINE bool gpucmd_priv_agx_barrier_fits(uint32_t barrier_at, size_t so_far)
{
    return barrier_at == GPUCMD_DRM_ASAHI_BARRIER_NONE || barrier_at <= so_far;
}

/* Store a command header at `at`, little endian. */
GPUCMD_INLINE void gpucmd_priv_agx_header(uint32_t *at, uint32_t cmd_type, uint32_t payload_bytes,
                                          uint32_t vdm_barrier, uint32_t cdm_barrier)
{
    gpucmd_store32(&at[0], cmd_type | payload_bytes << 16, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store32(&at[1], vdm_barrier | cdm_barrier << 16, GPUCMD_LITTLE_ENDIAN);
}

/* Write the two words of a command header to dw. GPUCMD_RANGE: a value exceeds 0xffff. */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_agx_encode_header(uint32_t dw[2],
                                                                       uint32_t cmd_type,
                                                                       uint32_t payload_bytes,
                                                                       uint32_t vdm_barrier,
                                                                       uint32_t cdm_barrier)
{
    if ((cmd_type | payload_bytes | vdm_barrier | cdm_barrier) > 0xffffu) {
        return GPUCMD_RANGE;
    }
    gpucmd_priv_agx_header(dw, cmd_type, payload_bytes, vdm_barrier, cdm_barrier);
    return GPUCMD_OK;
}

/* ---- whole commands ---- */

/* Define gpucmd_priv_agx_pack_<kind>, which stores header and payload of a checked command. */
#define GPUCMD_AGX_PRIV_PUT(kind, KIND)                                                            \
    GPUCMD_INLINE void gpucmd_priv_agx_pack_##kind(uint32_t *at, uint32_t vdm_barrier,             \
                                                   uint32_t cdm_barrier,                           \
                                                   const struct gpucmd_drm_asahi_cmd_##kind *c)    \
    {                                                                                              \
        gpucmd_priv_agx_header(at, GPUCMD_DRM_ASAHI_CMD_##KIND, (uint32_t)sizeof *c, vdm_barrier,  \
                               cdm_barrier);                                                       \
        GPUCMD_LAYOUT_STORE(drm_asahi_cmd_##kind, at + 2, c);                                      \
    }
GPUCMD_AGX_PRIV_PUT(render, RENDER)
GPUCMD_AGX_PRIV_PUT(compute, COMPUTE)
#undef GPUCMD_AGX_PRIV_PUT

GPUCMD_INLINE void gpucmd_priv_agx_put_attachments(uint32_t *at, uint32_t cmd_type,
                                                   const struct gpucmd_drm_asahi_attachment *list,
                                                   uint32_t count)
{
    uint32_t i;
    const uint32_t each_bytes = (uint32_t)sizeof *list;
    gpucmd_priv_agx_header(at, cmd_type, count * each_bytes, GPUCMD_DRM_ASAHI_BARRIER_NONE,
                           GPUCMD_DRM_ASAHI_BARRIER_NONE);
    for (i = 0; i < count; i++) {
        GPUCMD_LAYOUT_STORE(drm_asahi_attachment, (uint8_t *)(at + 2) + i * each_bytes, &list[i]);
    }
}

/* Return true if cmd_type, count and attachments of a SET command are valid. */
GPUCMD_INLINE bool gpucmd_priv_agx_attachments_fit(uint32_t cmd_type,
                                                   const struct gpucmd_drm_asahi_attachment *list,
                                                   uint32_t count)
{
    uint32_t i;
    bool good = cmd_type >= GPUCMD_DRM_ASAHI_SET_VERTEX_ATTACHMENTS &&
                cmd_type <= GPUCMD_DRM_ASAHI_SET_COMPUTE_ATTACHMENTS &&
                count <= GPUCMD_AGX_MAX_ATTACHMENTS;
    for (i = 0; good && i < count; i++) {
        good = (list[i].pad | list[i].flags) == 0 && list[i].size <= GPUCMD_AGX_MAX_ATTACH_BYTES;
    }
    return good;
}

/* Write a render command with its full payload to dw, which needs room for GPUCMD_AGX_RENDER_DW
 * words. The parameters are those of gpucmd_agx_emit_render, but a barrier is 0..0xffff; the
 * function does not compare it with the number of earlier commands. On failure dw is unchanged.
 *   GPUCMD_RANGE  a barrier is above 0xffff, or the kernel rejects the value of a member
 *   GPUCMD_ALIGN  a timestamp offset is not a multiple of 8
 * [UAPI] drm_asahi_cmd_render */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status
gpucmd_agx_encode_render(uint32_t *dw, uint32_t vdm_barrier, uint32_t cdm_barrier,
                         const struct gpucmd_drm_asahi_cmd_render *c)
{
    if ((vdm_barrier | cdm_barrier) > 0xffffu) {
        return GPUCMD_RANGE;
    }
    const gpucmd_status status = gpucmd_priv_agx_legal_render(c);
    if (status == GPUCMD_OK) {
        gpucmd_priv_agx_pack_render(dw, vdm_barrier, cdm_barrier, c);
    }
    return status;
}

/* As gpucmd_agx_encode_render, but write a compute command, GPUCMD_AGX_COMPUTE_DW words. The
 * parameters are those of gpucmd_agx_emit_compute. [UAPI] drm_asahi_cmd_compute */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status
gpucmd_agx_encode_compute(uint32_t *dw, uint32_t vdm_barrier, uint32_t cdm_barrier,
                          const struct gpucmd_drm_asahi_cmd_compute *c)
{
    if ((vdm_barrier | cdm_barrier) > 0xffffu) {
        return GPUCMD_RANGE;
    }
    const gpucmd_status status = gpucmd_priv_agx_legal_compute(c);
    if (status == GPUCMD_OK) {
        gpucmd_priv_agx_pack_compute(dw, vdm_barrier, cdm_barrier, c);
    }
    return status;
}

/* Write a SET command to dw, which needs room for GPUCMD_AGX_ATTACHMENTS_DW(count) words. The
 * parameters are those of gpucmd_agx_emit_attachments. GPUCMD_RANGE: an argument breaks the limits
 * of that function; dw is unchanged. [UAPI] drm_asahi_attachment */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_agx_encode_attachments(
    uint32_t *dw, uint32_t cmd_type, const struct gpucmd_drm_asahi_attachment *list, uint32_t count)
{
    if (!gpucmd_priv_agx_attachments_fit(cmd_type, list, count)) {
        return GPUCMD_RANGE;
    }
    gpucmd_priv_agx_put_attachments(dw, cmd_type, list, count);
    return GPUCMD_OK;
}

/* ==== [AGX.EMIT] =========================================================================== */

/* A stream appends whole commands of one job to a buffer owned by the caller. The commands in the
 * buffer are little endian on every CPU. The caller must not write the members. If the stream is
 * a local variable, the compiler can keep it in registers. */
typedef struct gpucmd_agx_stream {
    gpucmd_writer w;
    size_t renders;  /* number of render commands emitted */
    size_t computes; /* number of compute commands emitted */
} gpucmd_agx_stream;

/* Start the stream of a job at base[0] with room for cap_dw words. base must stay valid while s
 * is used. If base is NULL, emits count their words but store nothing. */
GPUCMD_INLINE void gpucmd_agx_stream_init(gpucmd_agx_stream *s, uint32_t *base, size_t cap_dw)
    GPUCMD_PRIV_ROOM(__write_only__, 2, 3, base, cap_dw, 4);
GPUCMD_INLINE void gpucmd_agx_stream_init(gpucmd_agx_stream *s, uint32_t *base, size_t cap_dw)
{
    gpucmd_writer_init(&s->w, base, cap_dw);
    s->renders = 0;
    s->computes = 0;
}

GPUCMD_INLINE uint32_t gpucmd_priv_agx_boundary_after(gpucmd_agx_stream *s, uint32_t n,
                                                      size_t so_far)
{
    if (n == 0 || n > so_far) {
        gpucmd_priv_writer_fail(&s->w, GPUCMD_ORDER);
        return GPUCMD_DRM_ASAHI_BARRIER_NONE;
    }
    return n;
}

/* Return n, the boundary index after the n-th render of this job. n must be 1..number of renders
 * emitted so far. Otherwise return NONE, and the stream fails with GPUCMD_ORDER. */
GPUCMD_INLINE uint32_t gpucmd_agx_after_render(gpucmd_agx_stream *s, uint32_t n)
{
    return gpucmd_priv_agx_boundary_after(s, n, s->renders);
}

/* Return n, the boundary index after the n-th compute of this job. n must be 1..number of computes
 * emitted so far. Otherwise return NONE, and the stream fails with GPUCMD_ORDER. */
GPUCMD_INLINE uint32_t gpucmd_agx_after_compute(gpucmd_agx_stream *s, uint32_t n)
{
    return gpucmd_priv_agx_boundary_after(s, n, s->computes);
}

/* Return the boundary index after all renders emitted so far; 0 if there are none. */
GPUCMD_INLINE uint32_t gpucmd_agx_after_renders(const gpucmd_agx_stream *s)
{
    return (uint32_t)s->renders;
}

/* Return the boundary index after all computes emitted so far; 0 if there are none. */
GPUCMD_INLINE uint32_t gpucmd_agx_after_computes(const gpucmd_agx_stream *s)
{
    return (uint32_t)s->computes;
}

/* Convert a barrier of a command in a long list of commands, which the caller splits into jobs, to
 * the barrier of this command in its job. earlier is the number of commands of the barrier's kind
 * in earlier jobs. NONE stays NONE. A barrier that names a command of an earlier job becomes 0,
 * which can wait for more commands than needed. [MESA] */
GPUCMD_INLINE uint32_t gpucmd_agx_rebase_barrier(uint32_t barrier_at, uint32_t earlier)
{
    if (barrier_at == GPUCMD_DRM_ASAHI_BARRIER_NONE) {
        return barrier_at;
    }
    if (barrier_at > earlier) {
        return barrier_at - earlier;
    }
    return 0;
}

/* Return GPUCMD_OK if a hardware command may follow. GPUCMD_ORDER: a barrier names this command or
 * a later command. GPUCMD_LIMIT: the stream already has 64 hardware commands. */
GPUCMD_INLINE gpucmd_status gpucmd_priv_agx_place_status(const gpucmd_agx_stream *s,
                                                         uint32_t vdm_barrier, uint32_t cdm_barrier)
{
    if (GPUCMD_PRIV_UNLIKELY(!gpucmd_priv_agx_barrier_fits(vdm_barrier, s->renders) ||
                             !gpucmd_priv_agx_barrier_fits(cdm_barrier, s->computes))) {
        return GPUCMD_ORDER;
    }
    if (s->renders + s->computes < GPUCMD_AGX_MAX_COMMANDS) {
        return GPUCMD_OK;
    }
    return GPUCMD_LIMIT;
}

/* Do not append a command of n_dw words. `legal` is the result of the checks of its payload,
 * `place` that of gpucmd_priv_agx_place_status. The stream fails with the first of them that is not
 * GPUCMD_OK. If both are GPUCMD_OK, the words do not fit, or the stream measures. */
GPUCMD_INLINE void gpucmd_priv_agx_refuse(gpucmd_agx_stream *s, gpucmd_status legal,
                                          gpucmd_status place, size_t n_dw)
{
    if (legal != GPUCMD_OK) {
        gpucmd_priv_writer_fail(&s->w, legal);
    } else if (place != GPUCMD_OK) {
        gpucmd_priv_writer_fail(&s->w, place);
    } else {
        if (s->w.base != NULL) {
            gpucmd_priv_writer_fail(&s->w, GPUCMD_FULL);
        }
        s->w.need_dw += n_dw;
    }
}

/* Append a render command with its full payload: GPUCMD_AGX_RENDER_DW words.
 *   vdm_barrier  boundary index 0..number of renders emitted so far, or
 *                GPUCMD_DRM_ASAHI_BARRIER_NONE
 *   cdm_barrier  boundary index 0..number of computes emitted so far, or
 *                GPUCMD_DRM_ASAHI_BARRIER_NONE
 *   c            payload; c->flags has bits GPUCMD_DRM_ASAHI_RENDER_*
 * On failure nothing is written, and the stream keeps the status:
 *   GPUCMD_ORDER  a barrier names this command or a later command
 *   GPUCMD_LIMIT  the stream already has 64 hardware commands
 *   GPUCMD_RANGE  the kernel rejects the value of a member
 *   GPUCMD_ALIGN  a timestamp offset is not a multiple of 8
 *   GPUCMD_FULL   the buffer has no room [UAPI] drm_asahi_cmd_render */
GPUCMD_INLINE void gpucmd_agx_emit_render(gpucmd_agx_stream *s, uint32_t vdm_barrier,
                                          uint32_t cdm_barrier,
                                          const struct gpucmd_drm_asahi_cmd_render *c)
{
    const gpucmd_status legal = gpucmd_priv_agx_legal_render(c);
    const gpucmd_status place = gpucmd_priv_agx_place_status(s, vdm_barrier, cdm_barrier);
    if (GPUCMD_PRIV_UNLIKELY(legal != GPUCMD_OK || place != GPUCMD_OK ||
                             !gpucmd_priv_writer_fits(&s->w, GPUCMD_AGX_RENDER_DW))) {
        gpucmd_priv_agx_refuse(s, legal, place, GPUCMD_AGX_RENDER_DW);
        s->renders += legal == GPUCMD_OK;
        return;
    }
    gpucmd_priv_agx_pack_render(s->w.cur, vdm_barrier, cdm_barrier, c);
    s->w.cur += GPUCMD_AGX_RENDER_DW;
    s->renders++;
}

/* As gpucmd_agx_emit_render, but append a compute command, GPUCMD_AGX_COMPUTE_DW words.
 * c->flags must be 0. [UAPI] drm_asahi_cmd_compute */
GPUCMD_INLINE void gpucmd_agx_emit_compute(gpucmd_agx_stream *s, uint32_t vdm_barrier,
                                           uint32_t cdm_barrier,
                                           const struct gpucmd_drm_asahi_cmd_compute *c)
{
    const gpucmd_status legal = gpucmd_priv_agx_legal_compute(c);
    const gpucmd_status place = gpucmd_priv_agx_place_status(s, vdm_barrier, cdm_barrier);
    if (GPUCMD_PRIV_UNLIKELY(legal != GPUCMD_OK || place != GPUCMD_OK ||
                             !gpucmd_priv_writer_fits(&s->w, GPUCMD_AGX_COMPUTE_DW))) {
        gpucmd_priv_agx_refuse(s, legal, place, GPUCMD_AGX_COMPUTE_DW);
        s->computes += legal == GPUCMD_OK;
        return;
    }
    gpucmd_priv_agx_pack_compute(s->w.cur, vdm_barrier, cdm_barrier, c);
    s->w.cur += GPUCMD_AGX_COMPUTE_DW;
    s->computes++;
}

/* Check that a payload of full_bytes bytes can end after cut_bytes bytes. GPUCMD_ALIGN: cut_bytes
 * is not a multiple of 8. GPUCMD_RANGE: it is not in min_bytes..full_bytes, or a byte is dropped
 * that is not zero. */
GPUCMD_INLINE gpucmd_status gpucmd_priv_agx_check_cut(const void *payload, uint32_t cut_bytes,
                                                      uint32_t min_bytes, uint32_t full_bytes)
{
    uint32_t i;
    const uint8_t *p = (const uint8_t *)payload;
    bool good = cut_bytes >= min_bytes && cut_bytes <= full_bytes;
    for (i = cut_bytes; good && i < full_bytes; i++) {
        good = p[i] == 0;
    }
    if (cut_bytes % 8 != 0) {
        return GPUCMD_ALIGN;
    }
    if (good) {
        return GPUCMD_OK;
    }
    return GPUCMD_RANGE;
}

/* Append a command with a payload of payload_bytes bytes, which are at `bytes`, little endian.
 * status is the result of the checks of the payload. If it is a failure, the stream fails. */
GPUCMD_INLINE void gpucmd_priv_agx_emit_cut(gpucmd_agx_stream *s, uint32_t cmd_type,
                                            uint32_t vdm_barrier, uint32_t cdm_barrier,
                                            const uint8_t *bytes, uint32_t payload_bytes,
                                            gpucmd_status status)
{
    if (status != GPUCMD_OK) {
        gpucmd_priv_writer_fail(&s->w, status);
        return;
    }
    status = gpucmd_priv_agx_place_status(s, vdm_barrier, cdm_barrier);
    *(cmd_type == GPUCMD_DRM_ASAHI_CMD_RENDER ? &s->renders : &s->computes) += 1;
    if (status != GPUCMD_OK) {
        gpucmd_priv_writer_fail(&s->w, status);
        return;
    }
    uint32_t *at = gpucmd_priv_writer_claim(&s->w, GPUCMD_AGX_COMMAND_DW(payload_bytes));
    if (at != NULL) {
        gpucmd_priv_agx_header(at, cmd_type, payload_bytes, vdm_barrier, cdm_barrier);
        gpucmd_priv_copy(at + 2, bytes, payload_bytes);
    }
}

/* As gpucmd_agx_emit_render, but the payload has only payload_bytes bytes (160..240). The command
 * has GPUCMD_AGX_COMMAND_DW(payload_bytes) words. The kernel reads the missing members as zero.
 * GPUCMD_ALIGN: also if payload_bytes is not a multiple of 8. GPUCMD_RANGE: also if payload_bytes
 * is not in 160..240, or a byte of *c after payload_bytes is not zero. */
GPUCMD_INLINE void gpucmd_agx_emit_render_cut(gpucmd_agx_stream *s, uint32_t vdm_barrier,
                                              uint32_t cdm_barrier,
                                              const struct gpucmd_drm_asahi_cmd_render *c,
                                              uint32_t payload_bytes)
{
    uint8_t bytes[sizeof(struct gpucmd_drm_asahi_cmd_render)];
    gpucmd_status status = gpucmd_priv_agx_check_cut(c, payload_bytes, GPUCMD_AGX_RENDER_MIN_BYTES,
                                                     (uint32_t)sizeof *c);
    if (status == GPUCMD_OK) {
        status = gpucmd_priv_agx_legal_render(c);
    }
    GPUCMD_LAYOUT_STORE(drm_asahi_cmd_render, bytes, c);
    gpucmd_priv_agx_emit_cut(s, GPUCMD_DRM_ASAHI_CMD_RENDER, vdm_barrier, cdm_barrier, bytes,
                             payload_bytes, status);
}

/* As gpucmd_agx_emit_render_cut, but append a compute command; payload_bytes is 24..64. */
GPUCMD_INLINE void gpucmd_agx_emit_compute_cut(gpucmd_agx_stream *s, uint32_t vdm_barrier,
                                               uint32_t cdm_barrier,
                                               const struct gpucmd_drm_asahi_cmd_compute *c,
                                               uint32_t payload_bytes)
{
    uint8_t bytes[sizeof(struct gpucmd_drm_asahi_cmd_compute)];
    gpucmd_status status = gpucmd_priv_agx_check_cut(c, payload_bytes, GPUCMD_AGX_COMPUTE_MIN_BYTES,
                                                     (uint32_t)sizeof *c);
    if (status == GPUCMD_OK) {
        status = gpucmd_priv_agx_legal_compute(c);
    }
    GPUCMD_LAYOUT_STORE(drm_asahi_cmd_compute, bytes, c);
    gpucmd_priv_agx_emit_cut(s, GPUCMD_DRM_ASAHI_CMD_COMPUTE, vdm_barrier, cdm_barrier, bytes,
                             payload_bytes, status);
}

/* Append a SET command: GPUCMD_AGX_ATTACHMENTS_DW(count) words. The command sets the list of
 * attachments that later hardware commands of the job use.
 *   cmd_type  GPUCMD_DRM_ASAHI_SET_VERTEX_ATTACHMENTS, _SET_FRAGMENT_ATTACHMENTS or
 *             _SET_COMPUTE_ATTACHMENTS
 *   list      array of count attachments, may be NULL if count is 0. Members pad and
 *             flags must be zero, member size at most GPUCMD_AGX_MAX_ATTACH_BYTES
 *   count     0..16; 0 sets an empty list
 * GPUCMD_RANGE: an argument breaks these limits. GPUCMD_FULL: the buffer has no room. [UAPI]
 * drm_asahi_attachment */
GPUCMD_INLINE void gpucmd_agx_emit_attachments(gpucmd_agx_stream *s, uint32_t cmd_type,
                                               const struct gpucmd_drm_asahi_attachment *list,
                                               uint32_t count)
{
    if (!gpucmd_priv_agx_attachments_fit(cmd_type, list, count)) {
        gpucmd_priv_writer_fail(&s->w, GPUCMD_RANGE);
        return;
    }
    uint32_t *at = gpucmd_priv_writer_claim(&s->w, GPUCMD_AGX_ATTACHMENTS_DW(count));
    if (at != NULL) {
        gpucmd_priv_agx_put_attachments(at, cmd_type, list, count);
    }
}

/* Write the size of the stream in bytes to *len_bytes; SUBMIT needs it as cmdbuf_size. On failure
 * *len_bytes is unchanged. GPUCMD_ORDER: the stream has no hardware command. Any other status is
 * the first failure of an emit. */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_agx_stream_finish(const gpucmd_agx_stream *s,
                                                                       size_t *len_bytes)
{
    size_t len_dw = 0;
    const gpucmd_status status = gpucmd_writer_finish(&s->w, &len_dw);
    if (status != GPUCMD_OK) {
        return status;
    }
    if (s->renders + s->computes == 0) {
        return GPUCMD_ORDER;
    }
    *len_bytes = len_dw * 4;
    return GPUCMD_OK;
}

/* ==== [AGX.RING] =========================================================================== */

/* A sync array, owned by the caller. It has first the in-syncs, then the out-syncs of a job. The
 * syncs in the array are little endian on every CPU. */
typedef struct gpucmd_agx_syncs {
    struct gpucmd_drm_asahi_sync *base;
    size_t cap;
    uint32_t in_count;
    uint32_t out_count;
    gpucmd_status status; /* first failure of an emit; GPUCMD_OK: no emit failed */
} gpucmd_agx_syncs;

/* Start an empty sync array at base with room for cap syncs. base must stay valid with *l. */
GPUCMD_INLINE void gpucmd_agx_syncs_init(gpucmd_agx_syncs *l, struct gpucmd_drm_asahi_sync *base,
                                         size_t cap)
{
    const gpucmd_agx_syncs empty = {base, cap, 0, 0, GPUCMD_OK};
    *l = empty;
}

/* Append an out-sync if out is true, otherwise an in-sync. Do nothing if an earlier call failed. */
GPUCMD_INLINE void gpucmd_priv_agx_sync(gpucmd_agx_syncs *l, uint32_t sync_type, uint32_t handle,
                                        uint64_t value, bool out)
{
    const size_t at = (size_t)l->in_count + l->out_count;
    if (l->status != GPUCMD_OK) {
        return;
    }
    if (handle == 0) {
        l->status = GPUCMD_RANGE;
    } else if (!out && l->out_count != 0) {
        l->status = GPUCMD_ORDER;
    } else if (at >= l->cap) {
        l->status = GPUCMD_FULL;
    } else {
        const struct gpucmd_drm_asahi_sync sync_arg = {sync_type, handle, value};
        GPUCMD_LAYOUT_STORE(drm_asahi_sync, (uint8_t *)&l->base[at], &sync_arg);
        l->in_count += !out;
        l->out_count += out;
    }
}

/* Append an in-sync: the job waits for the binary sync object `handle`. l->status keeps the first
 * failure. GPUCMD_RANGE: handle is 0. GPUCMD_ORDER: the array already has an out-sync. GPUCMD_FULL:
 * the array is full. [UAPI] drm_asahi_sync */
GPUCMD_INLINE void gpucmd_agx_emit_in_sync(gpucmd_agx_syncs *l, uint32_t handle)
{
    gpucmd_priv_agx_sync(l, GPUCMD_DRM_ASAHI_SYNC_SYNCOBJ, handle, 0, false);
}

/* As gpucmd_agx_emit_in_sync, but the job waits for point `value` of the timeline `handle`; if
 * value is 0, for all points of the timeline. */
GPUCMD_INLINE void gpucmd_agx_emit_in_timeline(gpucmd_agx_syncs *l, uint32_t handle, uint64_t value)
{
    gpucmd_priv_agx_sync(l, GPUCMD_DRM_ASAHI_SYNC_TIMELINE_SYNCOBJ, handle, value, false);
}

/* Append an out-sync: the job signals the binary sync object `handle`. l->status keeps the first
 * failure. GPUCMD_RANGE: handle is 0. GPUCMD_FULL: the array is full. [UAPI] drm_asahi_sync */
GPUCMD_INLINE void gpucmd_agx_emit_out_sync(gpucmd_agx_syncs *l, uint32_t handle)
{
    gpucmd_priv_agx_sync(l, GPUCMD_DRM_ASAHI_SYNC_SYNCOBJ, handle, 0, true);
}

/* As gpucmd_agx_emit_out_sync, but the job signals point `value` of the timeline `handle`. */
GPUCMD_INLINE void gpucmd_agx_emit_out_timeline(gpucmd_agx_syncs *l, uint32_t handle,
                                                uint64_t value)
{
    gpucmd_priv_agx_sync(l, GPUCMD_DRM_ASAHI_SYNC_TIMELINE_SYNCOBJ, handle, value, true);
}

/* Fill *out with the argument of SUBMIT.
 *   cmdbuf    address at which the kernel reads the stream s
 *   l         sync array; NULL: the job has no syncs
 *   syncs     address at which the kernel reads the sync array; ignored if l has no syncs
 *   queue_id  queue that QUEUE_CREATE returned
 * GPUCMD_RANGE: the stream has more than 2^32 - 1 bytes. GPUCMD_ORDER: the stream has no hardware
 * command. Any other status is the first failure of s or l. On failure *out is unchanged. */
GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status gpucmd_agx_encode_submit(
    struct gpucmd_drm_asahi_submit *out, const gpucmd_agx_stream *s, uint64_t cmdbuf,
    const gpucmd_agx_syncs *l, uint64_t syncs, uint32_t queue_id)
{
    size_t len_bytes = 0;
    gpucmd_status status = gpucmd_agx_stream_finish(s, &len_bytes);
    if (status == GPUCMD_OK && l != NULL) {
        status = l->status;
    }
    if (status == GPUCMD_OK && len_bytes > 0xffffffffu) {
        status = GPUCMD_RANGE;
    }
    if (status == GPUCMD_OK) {
        gpucmd_priv_zero(out, sizeof *out);
        if (l != NULL && l->in_count + l->out_count != 0) {
            out->in_sync_count = l->in_count;
            out->out_sync_count = l->out_count;
            out->syncs = syncs;
        }
        out->cmdbuf = cmdbuf;
        out->cmdbuf_size = (uint32_t)len_bytes;
        out->queue_id = queue_id;
    }
    return status;
}

/* ==== [AGX.DECODE] ========================================================================= */

/* The items that member command of a finding counts: its value is the index of an item, from 0. */
typedef enum gpucmd_agx_item {
    GPUCMD_AGX_ITEM_COMMAND,  /* commands of a stream, SET commands included */
    GPUCMD_AGX_ITEM_BIND,     /* operations of VM_BIND */
    GPUCMD_AGX_ITEM_IN_SYNC,  /* in-syncs of SUBMIT */
    GPUCMD_AGX_ITEM_OUT_SYNC, /* out-syncs of SUBMIT */
} gpucmd_agx_item;

/* One result of a check: a broken rule or a report of the checker, with its position. */
typedef struct gpucmd_agx_finding {
    gpucmd_agx_rule rule; /* GPUCMD_AGX_RULE_NONE: all checks passed */
    gpucmd_severity severity;
    const char *name; /* name and text of the rule, static storage */
    const char *text;
    size_t at_bytes; /* offset of the item in its array, or of the mistake in the notation text */
    uint64_t value;  /* the rejected value, if the rule is about one value; otherwise 0 */
    gpucmd_agx_item item;
    int32_t command; /* index of the command, bind or sync, as member item says; -1: none */
    int32_t other;   /* index of a second command that is part of the finding; -1: none */
    char barrier_at; /* barrier with the finding: 'R' render, 'C' compute, '\0' none */
    /* What the rule compares, for GPUCMD_AGX_DETAILS. Members that a rule does not need are 0. */
    const char *member; /* name of the member with the rejected value; NULL: see text alone */
    uint32_t object;    /* handle or id of the object that the value was compared with */
    uint64_t bytes;     /* number of bytes from the value on */
    uint64_t least;     /* lowest valid value, or start of a window */
    uint64_t limit;     /* size of the object, end of a window, or another limit */
} gpucmd_agx_finding;

/* One unchecked command of a stream, written by gpucmd_agx_decode. */
typedef struct gpucmd_agx_raw {
    uint16_t cmd_type;
    uint16_t vdm_barrier;
    uint16_t cdm_barrier;
    uint32_t payload_bytes; /* size of the payload according to the header */
    const uint8_t *payload; /* first byte after the header; NULL: the header is truncated */
    uint32_t avail_bytes;   /* number of payload bytes that the input has; <= payload_bytes */
    size_t len_bytes;       /* number of bytes of header and payload that the input has; >= 1 */
} gpucmd_agx_raw;

/* Position in a stream while gpucmd_agx_walk_next reads it. The caller may read the members. */
typedef struct gpucmd_agx_walk {
    const uint8_t *bytes; /* the stream, owned by the caller */
    size_t len_bytes;
    size_t at_bytes;      /* offset of the next command */
    size_t cmd_at_bytes;  /* offset of the command that gpucmd_agx_walk_next wrote last */
    gpucmd_status status; /* set when gpucmd_agx_walk_next returns false */
} gpucmd_agx_walk;

/* The two kinds of control streams. */
typedef enum gpucmd_agx_ctrl {
    GPUCMD_AGX_CTRL_VDM, /* of a render: member vdm_ctrl_stream_base */
    GPUCMD_AGX_CTRL_CDM, /* of a compute: member cdm_ctrl_stream_base */
} gpucmd_agx_ctrl;

#define GPUCMD_AGX_BLOCK_DW 16u /* most words of a block */

/* An address that a block of a control stream names; the GPU reads the memory there. */
typedef struct gpucmd_agx_ctrl_address {
    const char *name; /* "record", "pipeline", "index buffer", "indirect", "factors", "target" */
    uint64_t va;
    uint64_t bytes; /* 0: not known */
    bool usc;       /* va is an offset from usc_exec_base */
} gpucmd_agx_ctrl_address;

/* A block of a control stream. */
typedef struct gpucmd_agx_block {
    gpucmd_agx_block_id id;
    uint64_t va;
    uint32_t len_dw; /* with the padding */
    uint32_t words[GPUCMD_AGX_BLOCK_DW];
    uint32_t address_count;
    gpucmd_agx_ctrl_address addresses[2];
} gpucmd_agx_block;

#define GPUCMD_AGX_CTRL_CALLS 16u /* most calls that have not returned */

/* Position in a control stream while gpucmd_agx_ctrl_next reads it. The caller may read members. */
typedef struct gpucmd_agx_ctrl_walk {
    gpucmd_mem *mem;
    gpucmd_agx_ctrl stream;
    bool wide_launch;     /* CDM_LAUNCH has two more words */
    uint64_t va;          /* of the next block, or of the block that cannot be read */
    uint32_t dw;          /* its first word, if the status is INVALID */
    gpucmd_status status; /* set when gpucmd_agx_ctrl_next returns false */
    uint32_t calls;       /* number of returns */
    uint64_t returns[GPUCMD_AGX_CTRL_CALLS];
} gpucmd_agx_ctrl_walk;

/* Kinds of hardware commands. Blits exist in the drafts only. */
typedef enum gpucmd_agx_kind {
    GPUCMD_AGX_KIND_RENDER,
    GPUCMD_AGX_KIND_COMPUTE,
    GPUCMD_AGX_KIND_BLIT,
} gpucmd_agx_kind;

/* One hardware command of a job. */
typedef struct gpucmd_agx_command {
    uint16_t kind;           /* gpucmd_agx_kind */
    uint16_t render_barrier; /* boundary index or GPUCMD_DRM_ASAHI_BARRIER_NONE */
    uint16_t compute_barrier;
    uint16_t number;    /* number among the commands of its kind, from 1; a blit is a render */
    uint32_t position;  /* index of the command in the stream, SET commands included */
    uint32_t off_bytes; /* offset of the command header in the stream */
} gpucmd_agx_command;

/* The hardware commands of one job. */
typedef struct gpucmd_agx_job {
    uint32_t count;   /* number of commands */
    uint32_t renders; /* number of renders and blits */
    uint32_t computes;
    gpucmd_agx_command commands[GPUCMD_AGX_MAX_COMMANDS];
} gpucmd_agx_job;

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Return the rows of structure idx (GPUCMD_STRUCT_drm_asahi_*) as text; NULL if there is no such
 * structure. The function is a gpucmd_layout_fn for gpucmd_layout_convert and _print. */
GPUCMD_PRIV_API const char *gpucmd_agx_layout(uint32_t idx);
/* Return the name of a rule ("VDM_BARRIER"); "?" for another number. Static storage. */
GPUCMD_PRIV_API const char *gpucmd_agx_rule_name(gpucmd_agx_rule rule);
/* Return the text of a rule, a clause about the stream; "?" for another number. Static storage. */
GPUCMD_PRIV_API const char *gpucmd_agx_rule_text(gpucmd_agx_rule rule);
/* Return the severity of a rule. A rule without a row has the severity ERROR. */
GPUCMD_PRIV_API gpucmd_severity gpucmd_agx_rule_severity(gpucmd_agx_rule rule);
/* Return the positive errno of a rule; 0 for NONE and for the rules CHECK_*. */
GPUCMD_PRIV_API int gpucmd_agx_rule_errno(gpucmd_agx_rule rule);
/* Return the name of a cmd_type ("CMD_RENDER"); "?" for an unknown number. Static storage. */
GPUCMD_PRIV_API const char *gpucmd_agx_cmd_type_name(uint32_t cmd_type);

/* Initialize *job as an empty job. */
GPUCMD_PRIV_API void gpucmd_agx_job_init(gpucmd_agx_job *job);
/* Append one hardware command to a job. Each barrier is a boundary index or
 * GPUCMD_DRM_ASAHI_BARRIER_NONE. GPUCMD_LIMIT: the job already has 64 commands. GPUCMD_ORDER: a
 * barrier names this command or a later command. On failure the job is unchanged. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_agx_job_add(gpucmd_agx_job *job, gpucmd_agx_kind kind,
                                                   uint32_t render_barrier,
                                                   uint32_t compute_barrier);

/* Read the command at bytes[0] and write it to *raw, also on failure. avail_bytes (>= 1) bytes may
 * be read. GPUCMD_TRUNCATED: header and payload exceed avail_bytes; if the header alone exceeds
 * avail_bytes, raw->payload is NULL. GPUCMD_INVALID: the cmd_type is unknown. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_agx_decode(const uint8_t *bytes, size_t avail_bytes,
                                                  gpucmd_agx_raw *raw);
/* Start a walk over the commands of a stream of len_bytes bytes. bytes must stay valid during the
 * walk; it may be NULL if len_bytes is 0. */
GPUCMD_PRIV_API void gpucmd_agx_walk_init(gpucmd_agx_walk *walk, const uint8_t *bytes,
                                          size_t len_bytes);
/* Read the next command without checks of its payload and write it to *cmd. Return false at the
 * end of the stream, where *cmd is unchanged, or after an incomplete or unknown command, which
 * *cmd then has. walk->status says why:
 *   GPUCMD_OK         the stream ended with a complete command
 *   GPUCMD_TRUNCATED  header or payload exceeds the stream; if the header does, cmd->payload
 *                     is NULL
 *   GPUCMD_INVALID    cmd_type is unknown. The next call continues after the command */
GPUCMD_PRIV_API bool gpucmd_agx_walk_next(gpucmd_agx_walk *walk, gpucmd_agx_raw *cmd);
/* Copy the payload of a render command to *c, in CPU byte order. Members that the payload lacks
 * become zero. Payload bytes beyond the structure are ignored. */
GPUCMD_PRIV_API void gpucmd_agx_load_render(const gpucmd_agx_raw *raw,
                                            struct gpucmd_drm_asahi_cmd_render *c);
/* As gpucmd_agx_load_render, but for a compute command. */
GPUCMD_PRIV_API void gpucmd_agx_load_compute(const gpucmd_agx_raw *raw,
                                             struct gpucmd_drm_asahi_cmd_compute *c);

/* Start a walk over the blocks of a control stream at va. mem is the memory of the VM. params names
 * the GPU: generation and clusters decide the size of CDM_LAUNCH; NULL: that of generation 13.
 * [GENXML] */
GPUCMD_PRIV_API void gpucmd_agx_ctrl_init(gpucmd_agx_ctrl_walk *walk, gpucmd_mem *mem,
                                          gpucmd_agx_ctrl stream, uint64_t va,
                                          const struct gpucmd_drm_asahi_params_global *params);
/* Read the next block, and follow links, calls and returns. Write the block to *block, also the
 * block that ends the stream. Return false after the end; then *block is unchanged. walk->status:
 *   GPUCMD_OK       the stream has ended with a block TERMINATE
 *   GPUCMD_FAULT    the words at walk->va cannot be read
 *   GPUCMD_INVALID  the block at walk->va, with the first word walk->dw, has an unknown type or
 *                   mode, or returns without a call
 *   GPUCMD_LIMIT    more than GPUCMD_AGX_CTRL_CALLS calls
 * A stream can link to itself: the caller must limit the number of blocks. Time: O(1). [GENXML] */
GPUCMD_PRIV_API bool gpucmd_agx_ctrl_next(gpucmd_agx_ctrl_walk *walk, gpucmd_agx_block *block);
/* Return the name of a block ("VDM_PPP_STATE"); "?" for another number. Static storage. */
GPUCMD_PRIV_API const char *gpucmd_agx_block_name(gpucmd_agx_block_id id);
/* Print a block as one line: address, words, name, addresses. */
GPUCMD_PRIV_API void gpucmd_agx_print_block(gpucmd_text *t, const gpucmd_agx_block *block);

/* Return the size in words, at most avail_dw, of the command at words[0]. The
 * function is a gpucmd_command_fn for gpucmd_print_writer; rules is not used. */
GPUCMD_PRIV_API size_t gpucmd_agx_command_dw(const void *rules, const uint32_t *words,
                                             size_t avail_dw);
/* Print a stream without checks: one line for each command, and one line for each member of its
 * payload that is not zero. The output ends at an incomplete header. */
GPUCMD_PRIV_API void gpucmd_agx_print_stream(gpucmd_text *t, const uint8_t *bytes,
                                             size_t len_bytes);

/* Read a job in the notation of the driver notes. Each line has one command, for example
 * "#3 R2 barrier=[R1, C2]": the command's index in the job, its name, its render barrier and its
 * compute barrier. "__" or "-" instead of a barrier is NONE.
 *   optional    "#3", "barrier=", and the brackets with their contents
 *   ignored     a line of blanks; a line that starts with # and has no digit after the #;
 *               after a command: # and the text after it, or "[R1, C2] implied"
 *   allow_blit  true: also accept the command "B2", a blit, which counts as a render
 *   finding     receives the broken rule (NOTATION, NOTATION_NUMBER, VDM_BARRIER,
 *               CDM_BARRIER, COMMAND_COUNT) and its offset in the text; or NONE
 * GPUCMD_INVALID: the text breaks the rule in *finding; *job is undefined. [NOTES] */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_agx_parse_notation(const char *text, size_t len_bytes,
                                                          bool allow_blit, gpucmd_agx_job *job,
                                                          gpucmd_agx_finding *finding);
/* Print a job in the notation of gpucmd_agx_parse_notation. */
GPUCMD_PRIV_API void gpucmd_agx_print_notation(gpucmd_text *t, const gpucmd_agx_job *job);
#endif

/* ==== [AGX.CHECK] ========================================================================== */

/* What is followed where the driver and the text of the UAPI differ; the manual lists the
 * differences under TEXT AND DRIVER. */
typedef enum gpucmd_agx_behavior {
    GPUCMD_AGX_BEHAVIOR_DRIVER, /* the driver as it is shipped */
    GPUCMD_AGX_BEHAVIOR_TEXT,   /* the comments of the UAPI header */
} gpucmd_agx_behavior;

/* What a check of a stream needs from outside: a callback for the sizes of the caller's timestamp
 * objects. timestamp_bytes writes the size of an object to *bytes and returns true, or returns
 * false if object_handle is unknown. If timestamp_bytes is NULL, timestamps are not checked. */
typedef struct gpucmd_agx_objects {
    bool (*timestamp_bytes)(void *user, uint32_t object_handle, uint64_t *bytes);
    void *user;
    gpucmd_agx_behavior behavior;
} gpucmd_agx_objects;

/* Members of a hardware command that say where the model kernel writes timestamps and results. */
typedef struct gpucmd_agx_taken {
    /* stamps[0]: timestamps of a compute or a vertex half; stamps[1]: of a fragment half */
    struct gpucmd_drm_asahi_timestamps stamps[2];
    uint32_t addresses;     /* row + 1 of the last of its addresses; 0: none */
    uint64_t result_offset; /* drafts only: offset of the command's result in the result object */
    uint64_t result_size;   /* drafts only: bytes for the result; 0: no result */
} gpucmd_agx_taken;

/* An address that an operation accesses. */
typedef struct gpucmd_agx_address {
    uint64_t va;
    uint64_t bytes;      /* 0: the size is not known; then one byte is checked */
    uint8_t id;          /* gpucmd_agx_address_id */
    uint8_t access_mask; /* GPUCMD_ACCESS_* */
    uint32_t next;       /* row + 1 of the next address of the command, or of the next free row */
} gpucmd_agx_address;

/* The attachments that a SET command has set for the next commands of a stage. */
typedef struct gpucmd_agx_list {
    uint32_t count;
    struct {
        uint64_t va, bytes;
    } rows[GPUCMD_AGX_MAX_ATTACHMENTS];
} gpucmd_agx_list;

/* Attachments of the stages vertex, fragment, compute: the order of the SET commands. */
typedef struct gpucmd_agx_lists {
    gpucmd_agx_list of[3];
} gpucmd_agx_lists;

/* Callback: a checker calls it once for each finding. *finding is valid during the call only. Any
 * status except GPUCMD_OK ends the check and becomes its result. */
typedef gpucmd_status (*gpucmd_agx_finding_fn)(void *user, const gpucmd_agx_finding *finding);

/* A firmware queue, or the part of a command that this firmware queue executes. A render has the
 * parts VERTEX and FRAGMENT, a compute has COMPUTE, a blit has FRAGMENT. */
typedef enum gpucmd_agx_ring {
    GPUCMD_AGX_RING_COMPUTE,
    GPUCMD_AGX_RING_VERTEX,
    GPUCMD_AGX_RING_FRAGMENT,
} gpucmd_agx_ring;
#define GPUCMD_AGX_RINGS 3

/* A memory access of a command. The caller declares it for gpucmd_agx_check. */
typedef struct gpucmd_agx_access {
    uint32_t command;     /* index of the command in the job */
    gpucmd_agx_ring part; /* part of the command that makes the access */
    bool writes;
    uint64_t va;
    uint64_t bytes;
} gpucmd_agx_access;

/* What gpucmd_agx_check reports about barriers that order more than the job needs: the rules
 * CHECK_IMPLIED, CHECK_OWN_COMPUTE, CHECK_NO_PRIOR, CHECK_ACCIDENT and CHECK_ALONE. Drivers order
 * more on purpose: Mesa gives each command the barriers [R_k, C_k] of all commands before it. */
typedef enum gpucmd_agx_over_order {
    GPUCMD_AGX_OVER_ORDER_OFF,
    GPUCMD_AGX_OVER_ORDER_SUMMARY, /* one finding for each rule: the first command, and in member
                                      value the number of barriers, if it is above 1 */
    GPUCMD_AGX_OVER_ORDER_EACH,    /* one finding for each barrier */
} gpucmd_agx_over_order;

/* Options of gpucmd_agx_check and gpucmd_agx_check_stream. All zero is the default. */
typedef struct gpucmd_agx_check_options {
    gpucmd_agx_finding_fn found; /* called for each finding; NULL: errors are only counted */
    void *user;                  /* first argument of found */
    uint32_t prior;              /* gpucmd_agx_check: kinds of prior work, GPUCMD_AGX_PRIOR_* */
    uint32_t access_count;       /* gpucmd_agx_check: 0: rules about accesses are not checked */
    const gpucmd_agx_access *accesses; /* array of access_count accesses, owned by the caller */
    gpucmd_agx_over_order over_order;  /* gpucmd_agx_check */
    /* gpucmd_agx_check_stream: the VM of the queue. maps NULL: addresses are not checked */
    const gpucmd_maps *maps;
    const gpucmd_space *space;
    uint64_t usc_exec_base; /* of the queue */
    /* gpucmd_agx_check_stream: memory of the VM, in which the control streams of the commands are
     * walked, at most GPUCMD_AGX_CHECK_BLOCKS blocks of each; NULL: they are not read */
    gpucmd_mem *mem;
    const struct gpucmd_drm_asahi_params_global *params; /* of the GPU; NULL: generation 13 */
} gpucmd_agx_check_options;

#define GPUCMD_AGX_CHECK_BLOCKS 65536u

/* Kinds of prior work on a user queue: unfinished renders, unfinished computes. */
enum {
    GPUCMD_AGX_PRIOR_NONE = 0,
    GPUCMD_AGX_PRIOR_RENDER = 1,
    GPUCMD_AGX_PRIOR_COMPUTE = 2,
    GPUCMD_AGX_PRIOR_BOTH = 3,
};

/* ---- order of the operations of a job ---- */

/* An entry of a firmware queue executes an operation (RUN) or waits until one has ended (WAIT). */
typedef enum gpucmd_agx_op {
    GPUCMD_AGX_OP_RUN,
    GPUCMD_AGX_OP_WAIT,
} gpucmd_agx_op;

/* One entry of a firmware queue. */
typedef struct gpucmd_agx_entry {
    uint8_t ring;    /* gpucmd_agx_ring: firmware queue of the entry */
    uint8_t op;      /* gpucmd_agx_op */
    uint8_t target;  /* gpucmd_agx_ring: firmware queue of the operation to run or to wait for */
    uint8_t number;  /* number of the operation's command among its kind; 0: wait for prior work */
    uint8_t command; /* index in the job of the command that the entry belongs to */
    bool blit;       /* the operation to run or to wait for is a blit */
    bool implicit;   /* WAIT of a fragment half for its own vertex half, made without a barrier */
    bool redundant;  /* WAIT without effect, because other waits or the queue's order suffice */
} gpucmd_agx_entry;

#define GPUCMD_AGX_COMMAND_ENTRIES 5u   /* most entries of one command */
#define GPUCMD_AGX_MAX_ENTRIES     320u /* most entries of one job: 64 renders with 5 each */

/* A clock says which work has certainly ended at one moment of a job. ended[q] is the work of
 * firmware queue q that has ended:
 *   0      nothing
 *   1      prior work
 *   k + 1  prior work and the operations of the first k computes (queue COMPUTE) or of the
 *          first k renders (queues VERTEX and FRAGMENT) */
typedef struct gpucmd_agx_clock {
    uint8_t ended[GPUCMD_AGX_RINGS];
} gpucmd_agx_clock;

/* State while gpucmd_agx_lower_command makes the entries of a job. */
typedef struct gpucmd_agx_lowering {
    uint32_t prior;    /* kinds of prior work: GPUCMD_AGX_PRIOR_* */
    uint32_t renders;  /* number of renders so far */
    uint32_t computes; /* number of computes so far */
    uint64_t blits;    /* bit k - 1 is set if the k-th render is a blit */
    /* The clocks say which work has ended at these moments
     *   tail[q]                        when the next entry of firmware queue q executes
     *   last[h]                        when the last operation of half h starts; h = 1: fragment
     *                                  half, h = 0: vertex half or compute
     *   render_end[k], compute_end[k]  when render k or compute k ends; k = 0: prior work */
    gpucmd_agx_clock tail[GPUCMD_AGX_RINGS];
    gpucmd_agx_clock last[2];
    gpucmd_agx_clock render_end[GPUCMD_AGX_MAX_COMMANDS + 1];
    gpucmd_agx_clock compute_end[GPUCMD_AGX_MAX_COMMANDS + 1];
} gpucmd_agx_lowering;

/* Order of a job: for each operation, the work that always ends before the operation starts. */
typedef struct gpucmd_agx_order {
    /* before[i][h]: work that has ended when an operation of command i of the job starts; h = 1:
     * the fragment half, h = 0: the vertex half or the compute */
    gpucmd_agx_clock before[GPUCMD_AGX_MAX_COMMANDS][2];
    gpucmd_agx_lowering lowering;
} gpucmd_agx_order;

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Return "compute", "vertex" or "fragment"; "?" for another number. Static storage. */
GPUCMD_PRIV_API const char *gpucmd_agx_ring_name(gpucmd_agx_ring ring);

/* Do all checks of a stream that SUBMIT does, in the kernel's order.
 *   objects  finds the sizes of timestamp objects; NULL: timestamps are not checked, and the
 *            behavior is that of the driver
 *   job      receives the hardware commands; may be NULL
 *   finding  receives the first broken rule and its position; NONE: no rule is broken
 * GPUCMD_INVALID: the kernel rejects the stream; *job is undefined. [DRV] */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_agx_parse_stream(const uint8_t *bytes, size_t len_bytes,
                                                        const gpucmd_agx_objects *objects,
                                                        gpucmd_agx_job *job,
                                                        gpucmd_agx_finding *finding);
/* Append a finding as one line without a newline: offset and item, severity, name of the rule,
 * gpucmd_agx_print_detail, errno if the rule has one. Examples:
 *     0x20, command 3: error: VDM_BARRIER: vdm_barrier 5 exceeds the 2 renders before it (EINVAL)
 *     0x20, bind 1: error: BIND_ALIGN: range 0x4001 is not a multiple of 0x4000 (EINVAL)
 *     0x0, sync 0 of the ins: error: SYNC_UNKNOWN: handle 99 names no sync object (ENOENT) */
GPUCMD_PRIV_API void gpucmd_agx_print_finding(gpucmd_text *t, const gpucmd_agx_finding *finding);
/* Append what is wrong, as one clause: the row of GPUCMD_AGX_DETAILS with the members of the
 * finding, for example "offset 0x4000 + 0x8000 exceeds object 1 (0x8000)". Without a row, or if
 * member `member` is NULL: the text of the rule, and the value if it is not 0. */
GPUCMD_PRIV_API void gpucmd_agx_print_detail(gpucmd_text *t, const gpucmd_agx_finding *finding);

/* Initialize *l for the first command of a job. prior: kinds of prior work, GPUCMD_AGX_PRIOR_*. */
GPUCMD_PRIV_API void gpucmd_agx_lowering_init(gpucmd_agx_lowering *l, uint32_t prior);
/* As gpucmd_agx_lower, but for one command at a time. Call this function for each command of a job
 * in order; idx is the index of the command in the job. It writes at most 5 entries to out and
 * returns their number. The caller must not pass a command with a barrier that names the command
 * itself or a later command. [DRV] */
GPUCMD_PRIV_API uint32_t gpucmd_agx_lower_command(gpucmd_agx_lowering *l,
                                                  const gpucmd_agx_command *command, uint32_t idx,
                                                  gpucmd_agx_entry out[GPUCMD_AGX_COMMAND_ENTRIES]);
/* Write the firmware queue entries that the driver makes for a job, in the driver's order.
 * Redundant waits are included; their member redundant is true.
 *   prior    kinds of prior work: GPUCMD_AGX_PRIOR_*. A barrier with index 0 makes a WAIT
 *            entry only if there is prior work of the barrier's kind
 *   entries  array with room for cap entries; GPUCMD_AGX_MAX_ENTRIES are always enough
 *   count    receives the number of entries
 * GPUCMD_FULL: cap is too small. GPUCMD_ORDER: a barrier names its own command or a later
 * command. On failure *count is unchanged. [DRV] */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_agx_lower(const gpucmd_agx_job *job, uint32_t prior,
                                                 gpucmd_agx_entry *entries, uint32_t cap,
                                                 uint32_t *count);
/* Remove the redundant waits from entries and return the number of remaining
 * entries. Order and times of the operations do not change. */
GPUCMD_PRIV_API uint32_t gpucmd_agx_drop_redundant(gpucmd_agx_entry *entries, uint32_t count);

/* Compute the order of a valid job.
 *   prior         kinds of prior work: GPUCMD_AGX_PRIOR_*
 *   without       index of a command with a barrier to ignore; -1: ignore no barrier
 *   without_part  GPUCMD_AGX_RING_COMPUTE: ignore the compute barrier of command `without`;
 *                 other values: ignore its render barrier */
GPUCMD_PRIV_API void gpucmd_agx_order_init(gpucmd_agx_order *order, const gpucmd_agx_job *job,
                                           uint32_t prior, int32_t without,
                                           gpucmd_agx_ring without_part);
/* first and second are indices of commands in the job. Return true if part first_part of command
 * `first` always ends before part second_part of command `second` starts. If the result is false
 * for both orders of two operations, the operations can execute at the same time. */
GPUCMD_PRIV_API bool gpucmd_agx_ordered(const gpucmd_agx_order *order, const gpucmd_agx_job *job,
                                        uint32_t first, gpucmd_agx_ring first_part, uint32_t second,
                                        gpucmd_agx_ring second_part);

/* Check a valid job for declared accesses that overlap without an order, for blits and, if the
 * options say so, for useless barriers. A finding CHECK_MISSING names the barrier that would order
 * the accesses: member barrier_at is 'R' or 'C', value the boundary index.
 *   options  callback, prior work and accesses; NULL: all defaults
 *   errors   receives the number of findings with severity ERROR; may be NULL
 * Return GPUCMD_OK, also with findings, or the first other status of options->found; then *errors
 * is unchanged. Time: O((1 + barriers) * (commands + accesses * accesses)). */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_agx_check(const gpucmd_agx_job *job,
                                                 const gpucmd_agx_check_options *options,
                                                 size_t *errors);
/* Check a stream: report the first rule of SUBMIT that it breaks, without look-ups of timestamp
 * objects, and each timestamp offset that is not a multiple of 8. The kernel accepts such offsets,
 * but gpucmd_agx_emit_* reject them. If options->maps is set and SUBMIT accepts the stream, report
 * each address of GPUCMD_AGX_ADDRESSES that the VM does not map with the rights that it needs:
 * rules CHECK_UNMAPPED, _READ_ONLY, _WRITE_ONLY, with the member and the first such address in
 * member `least`. Addresses of attachments are reported at the SET command. Parameters and result
 * are those of gpucmd_agx_check; found, user, and the members from maps on are used. If
 * options->mem is set, too, the control streams are walked: their unknown blocks (CHECK_BLOCK), a
 * missing end (CHECK_NO_END) and addresses that are not mapped are reported with the offset and
 * index of the command. bytes may be NULL if len_bytes is 0. [DRV] [GENXML] [OUR] */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_agx_check_stream(const uint8_t *bytes, size_t len_bytes,
                                                        const gpucmd_agx_check_options *options,
                                                        size_t *errors);
#endif

/* ==== [AGX.EXEC] =========================================================================== */

/* ---- one job over time, pictures ---- */

/* Durations of operations. The caller chooses the unit of time. */
typedef struct gpucmd_agx_durations {
    uint64_t ring[GPUCMD_AGX_RINGS]; /* ring[q]: duration of operations of firmware queue q */
    /* If not NULL, each returns the duration of an operation, and ring is ignored. command is the
     * index of the command in its job. */
    uint64_t (*each)(void *user, uint32_t command, gpucmd_agx_ring part);
    void *user;
} gpucmd_agx_durations;

/* An operation and its time. The operation executes at the times t with start <= t < end. */
typedef struct gpucmd_agx_span {
    uint64_t start;
    uint64_t end;
    uint32_t queue;  /* number of the user queue */
    uint32_t job;    /* number of the job in its user queue, from 0 */
    uint8_t ring;    /* gpucmd_agx_ring: firmware queue of the operation */
    uint8_t number;  /* number of the command among those of its kind, from 1 */
    uint8_t command; /* index of the command in the job */
    bool blit;
} gpucmd_agx_span;

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Compute start and end of the operations of one job. The GPU executes no other job; its firmware
 * queues execute in parallel.
 *   prior_end  prior_end[q] is the time at which prior work of firmware queue q ends; NULL:
 *              there is no prior work, and the job starts at time 0
 *   spans      receives the operations in command order, a vertex half before its fragment
 *              half; needs room for two spans for each command
 * Return the number of spans. [OUR] */
GPUCMD_PRIV_API uint32_t gpucmd_agx_schedule(const gpucmd_agx_job *job,
                                             const uint64_t prior_end[GPUCMD_AGX_RINGS],
                                             const gpucmd_agx_durations *durations,
                                             gpucmd_agx_span *spans);

/* Print an entry of a firmware queue: "RUN R1v", "WAIT R0f". */
GPUCMD_PRIV_API void gpucmd_agx_print_entry(gpucmd_text *t, const gpucmd_agx_entry *entry);
/* Print the operation that an entry runs or waits for: "R1v". */
GPUCMD_PRIV_API void gpucmd_agx_print_target(gpucmd_text *t, const gpucmd_agx_entry *entry);
/* Print the entries of the three firmware queues in three columns, as in the driver notes. Entries
 * in one line need not execute at the same time. */
GPUCMD_PRIV_API void gpucmd_agx_print_queues(gpucmd_text *t, const gpucmd_agx_entry *entries,
                                             uint32_t count);
/* As gpucmd_agx_print_queues, but print a header line, then one line for each entry, queue after
 * queue. Tabs separate the columns queue, op and target. */
GPUCMD_PRIV_API void gpucmd_agx_print_queues_tsv(gpucmd_text *t, const gpucmd_agx_entry *entries,
                                                 uint32_t count);
/* Print the commands and barriers of a job as a graph for Graphviz. prior: GPUCMD_AGX_PRIOR_*. An
 * arrow from command A to command B means that B waits for A:
 *   solid   B has a barrier for A
 *   dashed  an earlier command in the firmware queue of B has a barrier for A
 *   dotted  A is the previous command of the same kind, and B has no barrier for A */
GPUCMD_PRIV_API void gpucmd_agx_print_dot(gpucmd_text *t, const gpucmd_agx_job *job,
                                          uint32_t prior);
/* Print operations over time as text. Each firmware queue that has operations is a row. The spans
 * may be in any order.
 *   columns  maximum width of the text, at least 1. A unit of time has 1 to 4 columns;
 *            more than 1 if the names of short operations need the room and the text fits.
 *            If the text does not fit, one column represents 2, 4, 8, ... units
 * Time: O(rows * count * columns). */
GPUCMD_PRIV_API void gpucmd_agx_print_timeline(gpucmd_text *t, const gpucmd_agx_span *spans,
                                               uint32_t count, uint32_t columns);
/* As gpucmd_agx_print_timeline, but print an SVG picture. Time: O(rows * count). */
GPUCMD_PRIV_API void gpucmd_agx_print_svg(gpucmd_text *t, const gpucmd_agx_span *spans,
                                          uint32_t count);
#endif

/* ---- address space of a VM ---- */

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Return the text of a unit of GPUCMD_AGX_UNITS by its name ("UL1C"); NULL: no such unit. Static
 * storage. */
GPUCMD_PRIV_API const char *gpucmd_agx_unit_text(const char *name);
/* Return the name of the member with an address ("isp_scissor_base"); "?" for another number.
 * Static storage. */
GPUCMD_PRIV_API const char *gpucmd_agx_address_name(gpucmd_agx_address_id id);
/* Translate an address of a VM: gpucmd_agx_kernel.maps and gpucmd_agx_vm.space, or a space of the
 * caller in which gpucmd_map.object is a handle and access_mask has GPUCMD_ACCESS_READ, _WRITE.
 * Write the handle of the GEM object that is mapped at va to *handle, and the offset of va in this
 * object to *offset. access_mask is GPUCMD_ACCESS_READ, _WRITE or both. Return
 * GPUCMD_AGX_FAULT_NONE on success. Otherwise *handle and *offset are unchanged; return
 *   GPUCMD_AGX_FAULT_UNMAPPED    no mapping contains va
 *   GPUCMD_AGX_FAULT_WRITE_ONLY  access_mask has READ, but the mapping has not
 *   GPUCMD_AGX_FAULT_READ_ONLY   access_mask has WRITE, but the mapping has not */
GPUCMD_PRIV_API gpucmd_agx_fault gpucmd_agx_space_translate(const gpucmd_maps *maps,
                                                            const gpucmd_space *space, uint64_t va,
                                                            uint32_t access_mask, uint32_t *handle,
                                                            uint64_t *offset);
#endif

/* ---- many jobs, queues ---- */

#define GPUCMD_AGX_NONE        0xffffffffu /* no queue, no job, no link */
#define GPUCMD_AGX_UNIT_PIECES 64          /* pieces of work that use up one unit of budget */

/* What happens to an operation. gpucmd_agx_fate_fn may change the members. Before it is called,
 * duration is that of gpucmd_agx_exec.durations, outcome is COMPLETE, all other members are 0. */
typedef struct gpucmd_agx_fate {
    uint64_t duration;
    gpucmd_agx_outcome outcome; /* a failure also kills executing operations of the same VM */
    struct gpucmd_drm_asahi_draft_result_info fault; /* outcome FAULT: address and reason */
    uint32_t partial_renders;                        /* fragment half: number of partial renders */
    uint32_t tvb_flags;                              /* vertex half: GPUCMD_DRM_ASAHI_DRAFT_TVB_* */
    uint64_t tvb_size_bytes;
    uint64_t tvb_used_pages; /* number of used pages of GPUCMD_AGX_TVB_PAGE_BYTES bytes */
} gpucmd_agx_fate;

/* Result of one command. Indices: [0] is the vertex half or the compute, [1] the fragment half. */
typedef struct gpucmd_agx_result {
    uint64_t start[2];
    uint64_t end[2];
    gpucmd_agx_outcome outcome[2];
    struct gpucmd_drm_asahi_draft_result_info info; /* outcome and fault of the whole command */
    uint64_t tvb_size_bytes;
    uint64_t tvb_usage_bytes;
    uint32_t tvb_flags;
    uint32_t partial_renders;
    uint32_t halves; /* number of operations of the command that have ended */
} gpucmd_agx_result;

/* Element of a list of fences. next is the table row of the next element. */
typedef struct gpucmd_agx_link {
    uint32_t fence;
    uint32_t next;
} gpucmd_agx_link;

/* A job in the executor. */
typedef struct gpucmd_agx_exec_job {
    uint32_t queue;
    uint32_t number; /* number of the job in its queue, from 0 */
    uint32_t next;   /* row of the next waiting job of the queue; in a free row: next free row */
    uint32_t in;     /* first link of the list of fences that the job waits for */
    uint32_t out;    /* first link of the list of fences that the job signals */
    uint32_t left;   /* number of operations of the job that have not ended */
    uint64_t pushed; /* time at which the job's entries entered the firmware queues */
    uint64_t done;   /* time at which the last operation of the job ended */
    int32_t error;   /* errno (positive) of the last operation that failed; 0: none failed */
    bool active;     /* the job's entries are in the firmware queues */
    uint64_t tag;    /* copy of gpucmd_agx_submission.tag */
    gpucmd_agx_job job;
    gpucmd_agx_result results[GPUCMD_AGX_MAX_COMMANDS];
} gpucmd_agx_exec_job;

/* Entry of a firmware queue in the executor. */
typedef struct gpucmd_agx_slot {
    uint32_t stamp;  /* WAIT: the entry waits until rings[target].ended reaches this value */
    uint32_t job;    /* table row of the job that the entry belongs to */
    uint8_t op;      /* gpucmd_agx_op */
    uint8_t target;  /* gpucmd_agx_ring: firmware queue of the operation to run or to wait for */
    uint8_t command; /* index in the job of the command that the entry belongs to */
    uint8_t number;  /* number of the operation's command among its kind; 0: wait for prior work */
} gpucmd_agx_slot;

/* A firmware queue in the executor. Its entries are rows of the table of slots. If running is true,
 * an operation executes; now_running to killed describe this operation. */
typedef struct gpucmd_agx_ring_state {
    uint32_t head;   /* index of the oldest entry among the slots of this firmware queue */
    uint32_t count;  /* number of entries, without the entry of the executing operation */
    uint32_t queued; /* number of operations that ever were in the queue, modulo 2^32 */
    uint32_t ended;  /* number of operations of the queue that have ended, modulo 2^32 */
    bool running;
    gpucmd_agx_slot now_running; /* entry of the operation */
    uint64_t start;
    uint64_t end; /* time at which the operation ends */
    gpucmd_agx_fate fate;
    bool killed; /* a failure of another operation of the VM has killed the operation */
} gpucmd_agx_ring_state;

/* A user queue in the executor. */
typedef struct gpucmd_agx_exec_queue {
    bool used;
    bool dirty;       /* a job or an operation of this queue may be able to start now */
    bool retired;     /* the queue accepts no jobs, and becomes free when its last job ends */
    uint32_t vm;      /* number of the VM; a failure kills operations of this VM only */
    uint32_t first;   /* table row of the first waiting job; GPUCMD_AGX_NONE: no job waits */
    uint32_t last;    /* table row of the last waiting job */
    uint32_t jobs;    /* number of jobs submitted to this queue so far */
    bool mark;        /* internal: gpucmd_agx_exec_deadlock sets it if no cycle can be reached */
    uint64_t signals; /* value of gpucmd_agx_exec.signals at the last check of this queue */
    gpucmd_agx_ring_state rings[GPUCMD_AGX_RINGS];
} gpucmd_agx_exec_queue;

/* Callback: the executor calls it when part `part` of command number `command` (index in the job)
 * starts. The callback may set members of *fate. */
typedef void (*gpucmd_agx_fate_fn)(void *user, const gpucmd_agx_exec_job *job, uint32_t command,
                                   gpucmd_agx_ring part, gpucmd_agx_fate *fate);

/* Names of the tables of GPUCMD_AGX_EXEC_TABLES and GPUCMD_AGX_KERNEL_TABLES. gpucmd_agx_exec.table
 * and gpucmd_agx_kernel.table name a table that is full or invalid. */
#define GPUCMD_AGX_PRIV_TABLE(id, member, count, type, store, each, least) GPUCMD_AGX_TABLE_##id,
typedef enum gpucmd_agx_table {
    GPUCMD_AGX_TABLE_NONE,
    GPUCMD_AGX_EXEC_TABLES(GPUCMD_AGX_PRIV_TABLE) GPUCMD_AGX_KERNEL_TABLES(GPUCMD_AGX_PRIV_TABLE)
} gpucmd_agx_table;
#undef GPUCMD_AGX_PRIV_TABLE

/* gpucmd_agx_exec_tables has the addresses and the numbers of rows of the executor's tables. The
 * caller owns the tables. ring_entries is the number of entries of each firmware queue; table slots
 * needs queue_count * GPUCMD_AGX_RINGS * ring_entries rows. gpucmd_agx_exec_store contains tables
 * of recommended sizes. */
#define GPUCMD_AGX_PRIV_ROWS(id, member, count, type, store, each, least)                          \
    type *member;                                                                                  \
    uint32_t count;
#define GPUCMD_AGX_PRIV_STORE(id, member, count, type, store, each, least)                         \
    type member[(store) * (each)];
typedef struct gpucmd_agx_exec_tables {
    GPUCMD_AGX_EXEC_TABLES(GPUCMD_AGX_PRIV_ROWS)
} gpucmd_agx_exec_tables;
typedef struct gpucmd_agx_exec_store {
    GPUCMD_AGX_EXEC_TABLES(GPUCMD_AGX_PRIV_STORE)
} gpucmd_agx_exec_store;

/* ---- executor ---- */

/* The executor. After gpucmd_agx_exec_init the caller may set durations, fate, ended, completed,
 * accepted, their user pointers and span_count. The caller may read all members. */
typedef struct gpucmd_agx_exec {
    gpucmd_agx_exec_tables t;
    uint64_t now; /* current time */
    uint32_t free_job;
    uint32_t free_link;
    uint32_t running; /* number of executing operations */
    uint32_t waiting; /* number of jobs that are not in the firmware queues */
    bool settled;     /* every operation and job that can start now has started */
    /* The members from at to lowering are the position in a step that is not complete. A row or
     * queue that does not apply is GPUCMD_AGX_NONE. */
    uint32_t at;       /* number of the next queue to process in the current loop over queues */
    uint32_t part;     /* gpucmd_priv_agx_part: next part of the check of queues[at] */
    bool moved;        /* an entry was removed, so a waiting job of queues[at] may have room */
    bool finishing;    /* the FINISH event of the operation that ends first was accepted */
    uint32_t first;    /* user queue of the operation that ends first */
    uint32_t first_in; /* firmware queue of the operation that ends first */
    uint32_t ending;   /* table row of the job that has ended and whose out-fences signal now */
    int32_t pieces;    /* pieces that remain of GPUCMD_AGX_UNIT_PIECES; may be < 0 */
    uint32_t pushing;  /* table row of the job whose entries are written to the firmware queues */
    uint32_t command;  /* index of the next command of jobs[pushing] */
    uint32_t base[GPUCMD_AGX_RINGS]; /* rings[q].queued before the job was pushed */
    gpucmd_agx_lowering lowering;
    gpucmd_fences fences; /* their member owner is the row + 1 of the job that signals the fence */
    uint64_t signals;     /* internal: value of fences.signals when the queues were last checked */
    gpucmd_agx_durations durations;
    gpucmd_agx_fate_fn fate; /* may be NULL; then all operations complete */
    void *fate_user;
    gpucmd_status fault;    /* first failure of env->event in the last step */
    gpucmd_agx_table table; /* full or invalid table that made the last call fail */
    /* Called before the row of an ended job is freed; may be NULL. */
    void (*ended)(void *user, gpucmd_agx_exec_job *job);
    void *ended_user;
    /* Called when all operations of a command have ended; may be NULL. slot is the table row of the
     * job, command the index of the command in it. The model kernel sets this callback. */
    void (*completed)(void *user, uint32_t slot, uint32_t command);
    void *completed_user;
    /* Called when an operation starts, before fate; may be NULL. slot and command are as above.
     * The callback may make *fate a fault. It returns the number of pieces of work that it has
     * done. The model kernel sets this callback. */
    uint32_t (*starts)(void *user, uint32_t slot, uint32_t command, gpucmd_agx_ring part,
                       gpucmd_agx_fate *fate);
    void *starts_user;
    /* Called for each event START and FINISH after env->event has accepted it; may be NULL. The
     * model kernel sets this callback. */
    void (*accepted)(void *user, const gpucmd_event *event);
    void *accepted_user;
    uint64_t unexecuted;    /* number of operations that started without a callback env->event */
    gpucmd_agx_span *spans; /* receives the operations that end; see gpucmd_agx_exec_spans */
    uint32_t span_cap;      /* number of rows of spans */
    uint32_t span_count;    /* number of operations that have ended; can exceed span_cap */
    bool lost;              /* gpucmd_agx_exec_lose was called */
} gpucmd_agx_exec;

/* A job with its fences. gpucmd_agx_exec_submit reads the arrays during the call only. */
typedef struct gpucmd_agx_submission {
    const gpucmd_agx_job *job;
    const uint32_t *in; /* fences that the job waits for */
    uint32_t in_count;
    uint32_t out_count;
    const uint32_t *out; /* fences that the job signals; no other job may signal them */
    uint64_t tag;        /* any value; it is copied to gpucmd_agx_exec_job.tag */
} gpucmd_agx_submission;

/* Kinds of reasons for which a job waits. */
typedef enum gpucmd_agx_wait_kind {
    GPUCMD_AGX_WAIT_FENCE,   /* a fence that the job waits for has not signalled */
    GPUCMD_AGX_WAIT_JOB,     /* the previous job of the queue is still waiting */
    GPUCMD_AGX_WAIT_ROOM,    /* a firmware queue has no room for the job's entries or operations */
    GPUCMD_AGX_WAIT_ORDER,   /* the previous operation of a firmware queue has not ended */
    GPUCMD_AGX_WAIT_BARRIER, /* the operation that a barrier names has not ended */
} gpucmd_agx_wait_kind;

/* One reason for which a job waits. The comments call the job that it waits for "the other job". */
typedef struct gpucmd_agx_wait {
    gpucmd_agx_wait_kind kind;
    uint32_t fence;         /* FENCE: the fence; otherwise 0 */
    uint32_t queue;         /* queue of the other job; GPUCMD_AGX_NONE: the caller must signal */
    uint32_t job;           /* number of the other job in its queue */
    uint32_t command;       /* ORDER, BARRIER: index of a command in the other job */
    gpucmd_agx_ring part;   /* ORDER, BARRIER: part of member command; ROOM: the firmware queue */
    gpucmd_agx_ring waiter; /* ORDER, BARRIER: the firmware queue in which the job waits */
} gpucmd_agx_wait;

/* One arc of a deadlock: the first waiting job of a queue waits for a fence of a waiting job. */
typedef struct gpucmd_agx_deadlock {
    uint32_t queue;
    uint32_t job;       /* number in `queue` of the job that waits */
    uint32_t fence;     /* fence that the job waits for, or a fence that must signal before it */
    uint32_t for_queue; /* queue of the job that must signal the fence */
    uint32_t for_job;   /* number in for_queue of the job that must signal the fence */
} gpucmd_agx_deadlock;

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Return the name of a table ("EXEC_JOBS"); "?" for a number without a row. Static storage. */
GPUCMD_PRIV_API const char *gpucmd_agx_table_name(gpucmd_agx_table table);
/* Set *t to the tables of a store. The store must outlive the executor. */
GPUCMD_PRIV_API void gpucmd_agx_exec_tables_init(gpucmd_agx_exec_tables *t,
                                                 gpucmd_agx_exec_store *store);
/* Return the name of an outcome ("COMPLETE"); "?" for a number without a row. Static storage. */
GPUCMD_PRIV_API const char *gpucmd_agx_outcome_name(gpucmd_agx_outcome outcome);
/* Return the name of the reason of a fault ("UNMAPPED"); "?" for a number without a row. Static
 * storage. */
GPUCMD_PRIV_API const char *gpucmd_agx_fault_name(gpucmd_agx_fault fault);
/* Return the positive errno that a job gets if one of its operations has this outcome; 0: the
 * operation has not failed. */
GPUCMD_PRIV_API int gpucmd_agx_outcome_errno(gpucmd_agx_outcome outcome);
/* Initialize *x with empty tables at time 0. The tables must stay valid while x is used.
 * GPUCMD_RANGE: a table is NULL or has fewer rows than it must have. GPUCMD_ALIGN: a table is not
 * aligned for its type. On failure x->table names the table. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_agx_exec_init(gpucmd_agx_exec *x,
                                                     const gpucmd_agx_exec_tables *tables);
/* Open a queue and return its number; GPUCMD_AGX_NONE: no queue is free. vm is any number; queues
 * with equal vm belong to one VM. */
GPUCMD_PRIV_API uint32_t gpucmd_agx_exec_queue_open(gpucmd_agx_exec *x, uint32_t vm);
/* Free a queue. GPUCMD_ORDER: a job of the queue has not ended. GPUCMD_RANGE: the queue is not
 * open. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_agx_exec_queue_close(gpucmd_agx_exec *x, uint32_t queue);
/* Make an open queue reject new jobs, and free the queue when its last job has ended. */
GPUCMD_PRIV_API void gpucmd_agx_exec_queue_retire(gpucmd_agx_exec *x, uint32_t queue);
/* Fences are those of gpucmd.h, in x->fences: gpucmd_fence_new, _hold, _release. A fence signals
 * when a job ends that has the fence in gpucmd_agx_submission.out, or when the caller calls
 * gpucmd_fence_signal. Jobs hold the fences that they need. */

/* Append a job to a queue at the current time. Write to *slot the job's row in the table of jobs;
 * the row becomes free when the job has ended. On failure nothing but x->table has changed.
 *   GPUCMD_ORDER  a barrier names its own or a later command; or another job, an inner fence or
 *                 the caller signals a fence of sub->out
 *   GPUCMD_RANGE  the queue is not open or is retired; a fence does not exist; the job has
 *                 not 1 to 64 commands
 *   GPUCMD_FULL   table x->table is full
 * Time: O(commands + fences). */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_agx_exec_submit(gpucmd_agx_exec *x, uint32_t queue,
                                                       const gpucmd_agx_submission *sub,
                                                       uint32_t *slot);
/* Start every operation that can start, then advance the time to the first end of an operation.
 *   DONE     the operation ended
 *   IDLE     no job remains
 *   BLOCKED  jobs wait, but no operation executes
 *   FAULT    env->event returned x->fault
 * env is used during the call only; it may be NULL. env->mem is not used. The executor passes
 * events to env->event (may be NULL) in the order of time. In each event, member unit is the
 * queue, addr the number of the job in the queue, and va the time:
 *   START, FINISH  an operation starts or ends. code is its gpucmd_agx_ring, value the index
 *                  of its command in the job. The callback may do the work of the command
 *   STATE, code 0  the job enters the firmware queues. value is 0
 *   STATE, code 1  the job has ended. value is the positive errno of the job; 0: no error
 * If the callback returns any status except GPUCMD_OK, the result is FAULT. The next step passes
 * the event again, except STATE with code 1. Time: O(rows of queues + fences that signal + jobs
 * that wait for them + commands that start). */
GPUCMD_PRIV_API gpucmd_run gpucmd_agx_exec_step(gpucmd_agx_exec *x, const gpucmd_env *env);
/* Do steps as gpucmd_agx_exec_step. Return the first result of a step that is not DONE; LIMIT: the
 * budget is used up. One unit of budget is one step. A long step needs one unit for each
 * GPUCMD_AGX_UNIT_PIECES pieces of work; a piece is about the work for one queue, fence, command or
 * entry of a firmware queue. If the budget ends inside a step, the next call continues this step.
 * The budget does not change what is executed. Between two calls the caller may call any other
 * function of the executor. Time: O(budget). */
GPUCMD_PRIV_API gpucmd_run gpucmd_agx_exec_run(gpucmd_agx_exec *x, const gpucmd_env *env,
                                               uint64_t budget);
/* Record operations from now on: when an operation ends, the executor writes it to the next row of
 * spans, in the order of time, and increments x->span_count. Operations after the first cap are
 * counted only. spans is owned by the caller and must stay valid while x is used; NULL with cap 0
 * ends the recording. The caller may set x->span_count to 0 to use the rows again, for example
 * before each step. The rows are valid for gpucmd_agx_print_timeline and gpucmd_agx_print_svg. */
GPUCMD_PRIV_API void gpucmd_agx_exec_spans(gpucmd_agx_exec *x, gpucmd_agx_span *spans,
                                           uint32_t cap);
/* Simulate the loss of the GPU. Running operations end now, others end when they start; outcomes
 * are NO_DEVICE, and no events START and FINISH follow. Jobs still wait for their fences. [DRVD] */
GPUCMD_PRIV_API void gpucmd_agx_exec_lose(gpucmd_agx_exec *x);
/* Call this function after BLOCKED. Find a cycle of queues that wait for each other, write at most
 * cap of its arcs to arcs and return how many were written. If there is no cycle, return 0; the
 * caller must then signal a fence. Time: O(queues * (queues + f)), where f counts the fences that
 * the first waiting jobs of all queues wait for, and all fences before these fences. */
GPUCMD_PRIV_API uint32_t gpucmd_agx_exec_deadlock(const gpucmd_agx_exec *x,
                                                  gpucmd_agx_deadlock *arcs, uint32_t cap);
/* Write the reason for which the executor stopped to *why. env is not used; it may be NULL.
 * why->kind is:
 *   IDLE      no job remains
 *   READY     gpucmd_agx_exec_step can continue
 *   CALLBACK  env->event returned why->status
 *   DEADLOCK  queues wait for each other
 *   WAIT      the caller must signal a fence
 * why->va is the time. For DEADLOCK and WAIT, unit is the number of a queue, at_va the number of
 * the job that waits in this queue, value the number of the fence. Time: at most twice that of
 * gpucmd_agx_exec_deadlock. */
GPUCMD_PRIV_API void gpucmd_agx_exec_why(const gpucmd_agx_exec *x, const gpucmd_env *env,
                                         gpucmd_why *why);
/* Print one line for each reason for which a job waits, queue by queue. env is not used; it may be
 * NULL. The parentheses name the firmware queue that the job's next entry is in, or will be in:
 *     queue 0 (vertex), job 1 waits for the out-fence of job 0 of queue 2, in a cycle
 *     queue 2 (compute), job 0 waits for fence 5, which the caller must signal
 *     queue 2 (compute), job 1 waits for job 0 of its queue
 *     queue 3 (vertex), job 4 waits for room in the fragment queue
 *     queue 4 (compute), job 1 waits for the end of R1f of job 0
 * "in a cycle" marks the waits of a deadlock. Time: O(queues * jobs + queues * queues * f), with f
 * as for gpucmd_agx_exec_deadlock. */
GPUCMD_PRIV_API void gpucmd_agx_print_waits(gpucmd_text *t, const gpucmd_agx_exec *x,
                                            const gpucmd_env *env);
/* Return the table row of job `number` of a queue; GPUCMD_AGX_NONE: the job is not in the table. */
GPUCMD_PRIV_API uint32_t gpucmd_agx_exec_find(const gpucmd_agx_exec *x, uint32_t queue,
                                              uint32_t number);
/* Write at most cap reasons for which the job in table row slot waits. Return the number of all its
 * reasons, which can be above cap; 0 for a free row. Reasons of a job that is not yet in the
 * firmware queues:
 *   FENCE  one for each of its in-fences that has not signalled
 *   JOB    if it is not the first waiting job of its queue
 *   ROOM   if it is the first, has no FENCE, and a firmware queue has no room
 * A job in the firmware queues has at most one reason ORDER or BARRIER for each firmware queue: the
 * reason for which the job's next entry in this firmware queue waits. */
GPUCMD_PRIV_API uint32_t gpucmd_agx_exec_waits(const gpucmd_agx_exec *x, uint32_t slot,
                                               gpucmd_agx_wait *waits, uint32_t cap);
/* Convert the result of a render to the structure of the drafts. Its status is the outcome
 * of the fragment half, if the outcome of the vertex half is COMPLETE, or if it is KILLED and the
 * fragment half failed. Otherwise it is the outcome of the vertex half. [DRVD] */
GPUCMD_PRIV_API void gpucmd_agx_encode_result_render(
    const gpucmd_agx_result *r, struct gpucmd_drm_asahi_draft_result_render *out);
/* Convert the result of a compute to the structure of the drafts. [DRVD] */
GPUCMD_PRIV_API void gpucmd_agx_encode_result_compute(
    const gpucmd_agx_result *r, struct gpucmd_drm_asahi_draft_result_compute *out);
/* Convert *r to the result structure of the drafts for a command of this kind [DRVD]. Write at most
 * its first result_bytes bytes to va. GPUCMD_FAULT: va cannot be written; memory is unchanged. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_agx_write_result(gpucmd_mem *mem, uint64_t va,
                                                        uint64_t result_bytes, gpucmd_agx_kind kind,
                                                        const gpucmd_agx_result *r);
#endif

/* ==== [AGX.KERNEL] ========================================================================= */

/* Versions of the draft UAPI. */
typedef enum gpucmd_agx_draft {
    GPUCMD_AGX_DRAFT_10006,
    GPUCMD_AGX_DRAFT_10011,
} gpucmd_agx_draft;

/* A VM of the model kernel. The id of the VM in row i of the table is i + 1. */
typedef struct gpucmd_agx_vm {
    bool used;
    uint32_t serial; /* number of the VM for the executor; unique, because ids are reused */
    /* The kernel window is kernel_start..kernel_end - 1. 10006: empty. Behavior DRIVER: the window
     * that the process asked for, shrunk to multiples of GPUCMD_AGX_WINDOW_BYTES. */
    uint64_t kernel_start;
    uint64_t kernel_end;
    gpucmd_space space; /* its id is the id of the VM; gpucmd_map.object is a handle */
} gpucmd_agx_vm;

/* A GEM object of the model kernel. The handle of the object in row i of the table is i + 1. */
typedef struct gpucmd_agx_gem {
    bool used;
    uint32_t flags; /* GPUCMD_DRM_ASAHI_GEM_* */
    uint32_t vm_id; /* VM of a private object; 0: not private; GPUCMD_AGX_NONE: its VM is gone */
    uint64_t bytes; /* multiple of 16 KiB */
    void *host;     /* memory of the object, owned by the caller; may be NULL */
    struct gpucmd_agx_dmabuf *dmabuf; /* replaces host; NULL: was never exported or imported */
    uint32_t maps; /* internal: list of the mappings of the object, gpucmd_maps.heads */
} gpucmd_agx_gem;

/* An object that several files share. The caller owns this structure and must keep it until
 * all handles of the object are closed. The address of the structure identifies the object. */
typedef struct gpucmd_agx_dmabuf {
    uint64_t bytes;
    void *host; /* memory of the object; may be NULL */
} gpucmd_agx_dmabuf;

/* A place in the timestamp addresses of the GPU, which all files share. Places are in the order of
 * their addresses. A place is in use as long as its object exists or an unfinished job uses it. */
typedef struct gpucmd_agx_place {
    uint32_t at_pages; /* in pages of 16 KiB */
    uint32_t pages;
    uint32_t refs;       /* number of holds; 0: the row is free */
    uint32_t prev, next; /* row + 1 of the neighbours; 0: none */
} gpucmd_agx_place;

/* A timestamp object of the model kernel: the range of `bytes` bytes at offset of a GEM object. */
typedef struct gpucmd_agx_object {
    bool used;
    uint32_t place;  /* row + 1 of its place; 0: none (behavior TEXT) */
    uint32_t handle; /* handle of the GEM object; 0: the handle was closed [DRV] */
    uint64_t offset;
    uint64_t bytes;
    uint8_t *host; /* if handle is 0: memory of the GEM object when its handle was closed */
} gpucmd_agx_object;

/* A user queue of the model kernel. */
typedef struct gpucmd_agx_queue {
    bool used;
    uint32_t vm_id;
    uint32_t priority;  /* GPUCMD_DRM_ASAHI_PRIORITY_* */
    uint32_t caps;      /* bits GPUCMD_DRM_ASAHI_DRAFT_CAP_*; upstream: all bits */
    uint32_t exec;      /* number of the queue in the executor */
    uint32_t vm_serial; /* internal: member serial of the VM */
    uint64_t usc_exec_base;
} gpucmd_agx_queue;

/* Where the model kernel writes timestamps and draft results of one job. Row i of the table is for
 * the job in row i of the executor's table of jobs. c is the index of a command in the job. */
typedef struct gpucmd_agx_stamps {
    /* at[c][h][e]: h = 0 is a vertex half or compute, h = 1 a fragment half; e = 0 is the start of
     * the operation, e = 1 its end. NULL: no timestamp is written */
    uint8_t *at[GPUCMD_AGX_MAX_COMMANDS][2][2];
    uint32_t place[GPUCMD_AGX_MAX_COMMANDS][2][2];  /* the place of at[c][h][e]; 0: none */
    uint8_t *result[GPUCMD_AGX_MAX_COMMANDS];       /* result[c]: address; NULL: none is written */
    uint32_t result_bytes[GPUCMD_AGX_MAX_COMMANDS]; /* result_bytes[c]: bytes at result[c] */
    uint32_t addresses[GPUCMD_AGX_MAX_COMMANDS];    /* row + 1 of the last address; 0: none */
    uint32_t vm;     /* row of the VM in the table of VMs, and its member serial: the VM can be */
    uint32_t serial; /* destroyed before the job ends */
} gpucmd_agx_stamps;

/* The model kernel's tables, owned by the caller. If a table is full, an ioctl fails with ENOMEM.
 * stamps needs as many rows as exec.jobs. fence_ids needs as many rows as the largest submission
 * has syncs; syncs needs as many rows as the largest submission has out-syncs. places needs a row
 * for each timestamp object, and for each destroyed object that an unfinished job uses, of all
 * files that share the table. addresses needs a row for each address of the unfinished jobs, see
 * GPUCMD_AGX_ADDRESSES: about four for each command, and one for each attachment that the command
 * uses. If it has no rows, addresses are not compared with the VM. */
typedef struct gpucmd_agx_kernel_tables {
    GPUCMD_AGX_KERNEL_TABLES(GPUCMD_AGX_PRIV_ROWS)
    gpucmd_agx_exec_tables exec;
} gpucmd_agx_kernel_tables;
typedef struct gpucmd_agx_kernel_store {
    GPUCMD_AGX_KERNEL_TABLES(GPUCMD_AGX_PRIV_STORE)
    gpucmd_agx_exec_store exec;
} gpucmd_agx_kernel_store;
#undef GPUCMD_AGX_PRIV_ROWS
#undef GPUCMD_AGX_PRIV_STORE

/* ---- model kernel, client ---- */

/* The model kernel of one open file. The caller may write user, behavior, places_of, progress,
 * progress_user, params, timer_hz and the members of exec that gpucmd_agx_exec lists, except
 * completed and accepted. Only the library writes other
 * members. k must not move. */
typedef struct gpucmd_agx_kernel {
    gpucmd_agx_kernel_tables t;
    gpucmd_agx_behavior behavior; /* gpucmd_agx_kernel_init sets DRIVER */
    /* Another file of the same GPU, whose table of places this file uses, because all files share
     * the timestamp addresses. NULL: this file uses its own table. The caller sets the member
     * before the first GEM_BIND_OBJECT. */
    struct gpucmd_agx_kernel *places_of;
    uint32_t place_first;   /* internal: row + 1 of the place with the lowest address */
    uint32_t address_free;  /* internal: row + 1 of the first free address */
    gpucmd_agx_lists lists; /* internal: attachments of the stream of the last SUBMIT */
    /* The last operation that accessed an address which its VM does not map with the needed rights.
     * rule is NONE, or CHECK_UNMAPPED, _READ_ONLY, _WRITE_ONLY; command is the index in the stream;
     * member, value and least say which address. The fence of the job gets EIO. */
    gpucmd_agx_finding fault;
    uint32_t fault_queue;  /* number of the executor's queue of that job */
    uint32_t fault_number; /* number of that job in its queue */
    char why_text[128];    /* internal: text of gpucmd_agx_kernel_why */
    gpucmd_maps maps;
    /* Sync objects; the number of an object is its handle. The caller may call the functions
     * gpucmd_syncobj_* of gpucmd.h, in place of the ioctls of the DRM core. */
    gpucmd_syncobjs syncobjs;
    /* Called while a wait of the client is not over, for example to execute jobs. NULL: such a
     * wait returns -ETIME. */
    gpucmd_progress_fn progress;
    void *progress_user;  /* argument of progress */
    gpucmd_agx_exec exec; /* the caller executes jobs: gpucmd_agx_exec_run(&k->exec, env, budget) */
    gpucmd_mem *user;     /* memory that ioctl arguments point at; NULL: memory of this program */
    struct gpucmd_drm_asahi_params_global params; /* GET_PARAMS returns these values */
    uint64_t timer_hz; /* ticks of exec.now per second; gpucmd_agx_kernel_init sets 10^9 */
    bool crashed;      /* gpucmd_agx_kernel_crash was called */
    uint32_t vm_serial;
    gpucmd_agx_finding finding; /* result of the checks of the last ioctl */
    gpucmd_agx_table table;     /* full table (rule NO_MEMORY), or table that init rejected */
    uint32_t queue;             /* number of the executor's queue of the last submitted job */
    uint32_t number;            /* number of the last submitted job in that queue */
    gpucmd_agx_job job;         /* internal: job of the last SUBMIT */
    /* internal: taken[i] says where results of job.commands[i] are written */
    gpucmd_agx_taken taken[GPUCMD_AGX_MAX_COMMANDS];
    gpucmd_agx_draft draft; /* internal: version of the last ioctl of a draft */
    bool in_draft;          /* internal: an ioctl of a draft executes */
    gpucmd_sys_node node;   /* internal: device node of gpucmd_agx_kernel_sys */
} gpucmd_agx_kernel;

/* A device node that gpucmd_agx_client_open has opened. params is the result of GET_PARAMS. */
typedef struct gpucmd_agx_client {
    gpucmd_sys_ops sys;
    int fd;
    struct gpucmd_drm_asahi_params_global params;
} gpucmd_agx_client;

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Set *t to the tables of a store. The store must outlive the kernel. */
GPUCMD_PRIV_API void gpucmd_agx_kernel_tables_init(gpucmd_agx_kernel_tables *t,
                                                   gpucmd_agx_kernel_store *store);
/* Initialize *k with empty tables, which must stay valid while k is used. GPUCMD_RANGE: a table is
 * NULL or has fewer rows than it must have. GPUCMD_ALIGN: a table is not aligned for its type. On
 * failure k->table names the table. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_agx_kernel_init(gpucmd_agx_kernel *k,
                                                       const gpucmd_agx_kernel_tables *tables);
/* Set the memory of a GEM object. host must have the size of the object. It must stay valid until
 * all jobs that write timestamps or results to the object have ended. All files that share the
 * object use this memory. GPUCMD_RANGE: no such handle. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_agx_kernel_back(gpucmd_agx_kernel *k, uint32_t handle,
                                                       void *host);
/* Close a handle and unmap the object from all VMs, in place of an ioctl of the DRM core. Return 0,
 * or -ENOENT if there is no such handle. Time: O(mappings of the object * log(mappings) + timestamp
 * objects). */
GPUCMD_PRIV_API int gpucmd_agx_kernel_gem_close(gpucmd_agx_kernel *k, uint32_t handle);
/* Export an object as a dma-buf, as PRIME of Linux does, and write the dma-buf to *dmabuf. place is
 * memory for a new dma-buf; it is used only if the object has no dma-buf yet. Return 0; -ENOENT: no
 * such handle; -EINVAL: the object is private. [NOTES] */
GPUCMD_PRIV_API int gpucmd_agx_kernel_gem_export(gpucmd_agx_kernel *k, uint32_t handle,
                                                 gpucmd_agx_dmabuf *place,
                                                 gpucmd_agx_dmabuf **dmabuf);
/* Import a dma-buf that gpucmd_agx_kernel_gem_export made. *handle receives the handle that this
 * file already has for the object, or a new one. Return 0; -EINVAL: the size of the dma-buf is 0 or
 * not a multiple of 16 KiB; -ENOMEM: the table is full. [NOTES] */
GPUCMD_PRIV_API int gpucmd_agx_kernel_gem_import(gpucmd_agx_kernel *k, gpucmd_agx_dmabuf *dmabuf,
                                                 uint32_t *handle);
/* Simulate the loss of the GPU. Unfinished jobs, SUBMIT and GET_PARAMS fail with ENODEV. [DRVD] */
GPUCMD_PRIV_API void gpucmd_agx_kernel_crash(gpucmd_agx_kernel *k);

/* The functions gpucmd_agx_kernel_<argument> for the rows of GPUCMD_AGX_IOCTLS do an ioctl with
 * the checks of the driver, in the driver's order. *a is in CPU byte order. They return 0 or a
 * negative errno, and write the broken rule, or NONE, to k->finding. An ioctl that fails changes
 * nothing that a process can see, except that VM_BIND keeps the binds before the failed bind.
 * Time: O(rows of a table), unless a function has another time. [DRV] */

/* Ioctl GET_PARAMS: copy k->params to the memory that *a names, at most a->size bytes.
 * Return 0 or a negative errno. */
GPUCMD_PRIV_API int gpucmd_agx_kernel_get_params(gpucmd_agx_kernel *k,
                                                 const struct gpucmd_drm_asahi_get_params *a);
/* Ioctl GET_TIME: write the time of the executor in nanoseconds to a->gpu_timestamp.
 * Return 0 or a negative errno. */
GPUCMD_PRIV_API int gpucmd_agx_kernel_get_time(gpucmd_agx_kernel *k,
                                               struct gpucmd_drm_asahi_get_time *a);
/* Ioctl VM_CREATE: make a VM with the kernel window of *a and write its id to a->vm_id.
 * Return 0 or a negative errno. */
GPUCMD_PRIV_API int gpucmd_agx_kernel_vm_create(gpucmd_agx_kernel *k,
                                                struct gpucmd_drm_asahi_vm_create *a);
/* Ioctl VM_DESTROY: destroy a VM. Its mappings become free. Queues of the VM stay.
 * Return 0 or a negative errno. */
GPUCMD_PRIV_API int gpucmd_agx_kernel_vm_destroy(gpucmd_agx_kernel *k,
                                                 const struct gpucmd_drm_asahi_vm_destroy *a);
/* Ioctl VM_BIND: do an array of binds. If a bind fails, the binds before it stay, and k->finding
 * has the index and the offset of the failed bind. Time: O((binds + mappings that they replace) *
 * log(mappings of the VM)). Return 0 or a negative errno. */
GPUCMD_PRIV_API int gpucmd_agx_kernel_vm_bind(gpucmd_agx_kernel *k,
                                              const struct gpucmd_drm_asahi_vm_bind *a);
/* Ioctl GEM_CREATE: make a GEM object and write its handle to a->handle. The size is rounded up to
 * 16 KiB. Return 0 or a negative errno. */
GPUCMD_PRIV_API int gpucmd_agx_kernel_gem_create(gpucmd_agx_kernel *k,
                                                 struct gpucmd_drm_asahi_gem_create *a);
/* Ioctl GEM_MMAP_OFFSET: write the offset for mmap of an object to a->offset. The model kernel
 * does not map objects. Return 0 or a negative errno. */
GPUCMD_PRIV_API int gpucmd_agx_kernel_gem_mmap_offset(gpucmd_agx_kernel *k,
                                                      struct gpucmd_drm_asahi_gem_mmap_offset *a);
/* Ioctl GEM_BIND_OBJECT: make a timestamp object and write its handle to a->object_handle, or
 * destroy it. Return 0 or a negative errno. */
GPUCMD_PRIV_API int gpucmd_agx_kernel_gem_bind_object(gpucmd_agx_kernel *k,
                                                      struct gpucmd_drm_asahi_gem_bind_object *a);
/* Ioctl QUEUE_CREATE: make a user queue and write its id to a->queue_id.
 * Return 0 or a negative errno. */
GPUCMD_PRIV_API int gpucmd_agx_kernel_queue_create(gpucmd_agx_kernel *k,
                                                   struct gpucmd_drm_asahi_queue_create *a);
/* Ioctl QUEUE_DESTROY: destroy a user queue. Its jobs run to their end.
 * Return 0 or a negative errno. */
GPUCMD_PRIV_API int gpucmd_agx_kernel_queue_destroy(gpucmd_agx_kernel *k,
                                                    const struct gpucmd_drm_asahi_queue_destroy *a);
/* Ioctl SUBMIT: submit a job to a user queue. k->finding has index and offset of a rejected command
 * or sync. Time: O(bytes of the stream + syncs * log(points of a timeline)). Return 0 or a
 * negative errno. */
GPUCMD_PRIV_API int gpucmd_agx_kernel_submit(gpucmd_agx_kernel *k,
                                             const struct gpucmd_drm_asahi_submit *a);
/* Write the reason for which the model kernel has stopped to *why. If the last ioctl failed, kind
 * is REFUSED: unit_name and unit_number name the bind, command or sync ("bind ", 1), reg and value
 * are the member and its value, name is that of the errno, text is that of gpucmd_agx_print_detail
 * and is valid until the next call for k. Otherwise *why is that of gpucmd_agx_exec_why. env is not
 * used; it may be NULL. Time: as gpucmd_agx_exec_why. */
GPUCMD_PRIV_API void gpucmd_agx_kernel_why(gpucmd_agx_kernel *k, const gpucmd_env *env,
                                           gpucmd_why *why);
/* Return the name of an ioctl ("VM_BIND"); "?" if unknown. The size in request is ignored. */
GPUCMD_PRIV_API const char *gpucmd_agx_ioctl_name(uint32_t request);
/* Call an ioctl of GPUCMD_AGX_IOCTLS or GPUCMD_DRM_SYNCOBJ_IOCTLS by its number, request, as
 * gpucmd_drm_ioctl does for a file of a render node. *arg is memory of this program, in CPU byte
 * order; memory that *arg points at is little endian, but for sync objects in CPU byte order.
 * Return 0 or a negative errno. k->finding has the broken rule: IOCTL_UNKNOWN also for -ENOTTY, if
 * the letter of request is not 'd'; NONE for ioctls of sync objects, except ARGUMENT_FAULT. */
GPUCMD_PRIV_API int gpucmd_agx_kernel_ioctl(gpucmd_agx_kernel *k, uint32_t request, void *arg);
/* Do one operation of VM_BIND. Return the broken rule, which k->finding then has, too; NONE:
 * success. */
GPUCMD_PRIV_API gpucmd_agx_rule gpucmd_agx_kernel_bind_op(
    gpucmd_agx_kernel *k, uint32_t vm_id, const struct gpucmd_drm_asahi_gem_bind_op *op);
/* Fill *sys with system calls that access the model kernel *k. k must be initialized, and stay
 * valid as long as *sys is used. k is one device node. Every path except "" opens it; only one
 * descriptor can be open at a time. */
GPUCMD_PRIV_API void gpucmd_agx_kernel_sys(gpucmd_agx_kernel *k, gpucmd_sys_ops *sys);

/* Open a node and read its parameters to c->params. The caller fills *sys with
 * gpucmd_sys_ops_init_linux (driver) or gpucmd_agx_kernel_sys (model kernel); the function copies
 * it. path must be valid during the call. Return 0 or a negative errno. */
GPUCMD_PRIV_API int gpucmd_agx_client_open(gpucmd_agx_client *c, const gpucmd_sys_ops *sys,
                                           const char *path);
/* Close the node of a client. Return 0 or a negative errno. */
GPUCMD_PRIV_API int gpucmd_agx_client_close(gpucmd_agx_client *c);

/* The following functions of a client make one ioctl. An ioctl that fails with EINTR or EAGAIN has
 * changed nothing; the client does not restart it. */

/* Make a VM and write its id to *vm_id. Its kernel window has the smallest size and is at the
 * highest addresses of the VM. Return 0 or a negative errno; on failure *vm_id is unchanged. */
GPUCMD_PRIV_API int gpucmd_agx_client_vm_create(gpucmd_agx_client *c, uint32_t *vm_id);
/* Make a GEM object of `bytes` bytes and write its handle to *handle.
 *   vm_id  VM of a private object (the function adds the flag VM_PRIVATE); 0: not private
 *   flags  GPUCMD_DRM_ASAHI_GEM_*
 * Return 0 or a negative errno; on failure *handle is unchanged. */
GPUCMD_PRIV_API int gpucmd_agx_client_gem_create(gpucmd_agx_client *c, uint32_t vm_id,
                                                 uint64_t bytes, uint32_t flags, uint32_t *handle);
/* Write to *offset the offset at which mmap of the node maps GEM object `handle`. Return 0 or a
 * negative errno; on failure *offset is unchanged. The model kernel has no mmap. */
GPUCMD_PRIV_API int gpucmd_agx_client_gem_mmap_offset(gpucmd_agx_client *c, uint32_t handle,
                                                      uint64_t *offset);
/* Do one bind or unbind in VM vm_id. op->flags: GPUCMD_DRM_ASAHI_BIND_*. Return 0 or a negative
 * errno. */
GPUCMD_PRIV_API int gpucmd_agx_client_vm_bind(gpucmd_agx_client *c, uint32_t vm_id,
                                              const struct gpucmd_drm_asahi_gem_bind_op *op);
/* Make a queue of medium priority in VM vm_id and write its id to *queue_id. usc_exec_base: base
 * address of the shaders. Return 0 or a negative errno; on failure *queue_id is unchanged. */
GPUCMD_PRIV_API int gpucmd_agx_client_queue_create(gpucmd_agx_client *c, uint32_t vm_id,
                                                   uint64_t usc_exec_base, uint32_t *queue_id);
/* Make a timestamp object from the first `bytes` bytes of GEM object `handle`, which must not be
 * private, and write its handle to *object_handle. Return 0 or a negative errno; on failure
 * *object_handle is unchanged. */
GPUCMD_PRIV_API int gpucmd_agx_client_bind_timestamps(gpucmd_agx_client *c, uint32_t handle,
                                                      uint64_t bytes, uint32_t *object_handle);
/* Destroy a timestamp object. Return 0 or a negative errno. */
GPUCMD_PRIV_API int gpucmd_agx_client_unbind_timestamps(gpucmd_agx_client *c,
                                                        uint32_t object_handle);
/* Destroy a queue. Its jobs run to their end. Return 0 or a negative errno. */
GPUCMD_PRIV_API int gpucmd_agx_client_queue_destroy(gpucmd_agx_client *c, uint32_t queue_id);
/* Destroy a VM. Return 0 or a negative errno. To close GEM objects, use GEM_CLOSE of the DRM
 * core. */
GPUCMD_PRIV_API int gpucmd_agx_client_vm_destroy(gpucmd_agx_client *c, uint32_t vm_id);
/* Submit stream s, which must not measure, with the syncs of l; l NULL: no syncs. Return 0 or a
 * negative errno. If s or l has failed, the function returns -EINVAL without an ioctl. */
GPUCMD_PRIV_API int gpucmd_agx_client_submit(gpucmd_agx_client *c, uint32_t queue_id,
                                             const gpucmd_agx_stream *s, const gpucmd_agx_syncs *l);
#endif

/* ---- draft UAPI ---- */

/* State of a draft kernel that gpucmd_agx_draft_check needs for one submission, whose member
 * result_handle names the result object. */
typedef struct gpucmd_agx_draft_queue {
    uint32_t caps;         /* capabilities of the queue: bits GPUCMD_DRM_ASAHI_DRAFT_CAP_* */
    bool has_result;       /* an object with handle result_handle exists */
    uint64_t result_bytes; /* size of the object with handle result_handle */
    bool crashed;
    gpucmd_agx_draft draft; /* version of the submission */
} gpucmd_agx_draft_queue;

#ifdef GPUCMD_PRIV_PROTOTYPES
/* Convert a barrier of the drafts, a boundary index or GPUCMD_DRM_ASAHI_DRAFT_BARRIER_NONE, to
 * upstream. GPUCMD_RANGE: the index is 0xffff or more and not NONE; *upstream is unchanged. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_agx_draft_barrier(uint32_t draft, uint32_t *upstream);
/* Convert a cmd_type of the drafts to upstream. GPUCMD_UNSUPPORTED: type BLIT. GPUCMD_INVALID: no
 * such type. On failure *upstream is unchanged. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_agx_draft_cmd_type(uint32_t draft, uint32_t *upstream);
/* Convert a priority of the drafts to upstream. The highest priority is 0 in the drafts, 3
 * upstream. GPUCMD_RANGE: draft is above 3; *upstream is unchanged. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_agx_draft_priority(uint32_t draft, uint32_t *upstream);
/* Convert a sync of the drafts to upstream. GPUCMD_UNSUPPORTED: extensions is not 0; *upstream is
 * unchanged. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_agx_draft_sync(
    const struct gpucmd_drm_asahi_draft_sync *draft, struct gpucmd_drm_asahi_sync *upstream);
/* Convert one operation of GEM_BIND to upstream, without its vm_id. On failure *upstream is
 * unchanged.
 *   GPUCMD_INVALID      no such op
 *   GPUCMD_UNSUPPORTED  extensions is not 0; op is UNBIND_ALL; op is BIND and a flag is
 *                       unknown; or op is UNBIND and flags is not 0 */
GPUCMD_PRIV_CHECK gpucmd_status
gpucmd_agx_draft_bind(const struct gpucmd_drm_asahi_draft_gem_bind *draft,
                      struct gpucmd_drm_asahi_gem_bind_op *upstream);
/* Convert the argument of QUEUE_CREATE to upstream, without queue_caps. usc_exec_base: member of
 * the upstream queue. GPUCMD_UNSUPPORTED: extensions or flags is not 0. GPUCMD_RANGE: priority is
 * above 3. On failure *upstream is unchanged. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_agx_draft_queue_create(
    const struct gpucmd_drm_asahi_draft_queue_create *draft, uint64_t usc_exec_base,
    struct gpucmd_drm_asahi_queue_create *upstream);
/* Read both sync arrays of a submission from mem and append the syncs to *upstream. GPUCMD_FAULT:
 * an array cannot be read. GPUCMD_UNSUPPORTED: extensions of a sync is not 0. Any other status is
 * that of *upstream. On failure *upstream keeps the syncs that were appended before. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_agx_draft_syncs(
    gpucmd_mem *mem, const struct gpucmd_drm_asahi_draft_submit *draft, gpucmd_agx_syncs *upstream);
/* Convert a render of draft 10006 to an upstream payload, without its attachments. The source of
 * sample_size_B is iogpu_unk_49. Members that the upstream driver computes are not converted. On
 * failure *upstream is unchanged.
 *   GPUCMD_RANGE        a value does not fit in its upstream member
 *   GPUCMD_UNSUPPORTED  extensions, pad or a flag that upstream lacks is not 0; or two of the
 *                       buffers _1, _2, _3 of a kind are not 0 and differ */
GPUCMD_PRIV_CHECK gpucmd_status
gpucmd_agx_draft06_render(const struct gpucmd_drm_asahi_draft06_cmd_render *draft,
                          struct gpucmd_drm_asahi_cmd_render *upstream);
/* Convert a render of draft 10011 to an upstream payload, without its attachments. usc_exec_base is
 * the member of the upstream queue. Members that the upstream driver computes are not converted. On
 * failure *upstream is unchanged. GPUCMD_RANGE: a value does not fit in its upstream member.
 * GPUCMD_UNSUPPORTED:
 *   - extensions, or a flag that upstream lacks, is not 0
 *   - the load, store and partial members of one buffer have different values that are not 0
 *   - the samplers of vertex and fragment differ, or a USC base is not usc_exec_base */
GPUCMD_PRIV_CHECK gpucmd_status
gpucmd_agx_draft11_render(const struct gpucmd_drm_asahi_draft11_cmd_render *draft,
                          uint64_t usc_exec_base, struct gpucmd_drm_asahi_cmd_render *upstream);
/* Convert a compute of draft 10006 to an upstream payload, without its attachments.
 * GPUCMD_UNSUPPORTED: pad, a flag, the buffer descriptor or the context switch program is not 0;
 * *upstream is unchanged. */
GPUCMD_PRIV_CHECK gpucmd_status
gpucmd_agx_draft06_compute(const struct gpucmd_drm_asahi_draft06_cmd_compute *draft,
                           struct gpucmd_drm_asahi_cmd_compute *upstream);
/* Convert a compute of draft 10011 to an upstream payload, without its attachments. usc_exec_base:
 * member of the upstream queue. GPUCMD_UNSUPPORTED: pad or a flag is not 0, or the USC base is not
 * usc_exec_base; *upstream is unchanged. */
GPUCMD_PRIV_CHECK gpucmd_status
gpucmd_agx_draft11_compute(const struct gpucmd_drm_asahi_draft11_cmd_compute *draft,
                           uint64_t usc_exec_base, struct gpucmd_drm_asahi_cmd_compute *upstream);

/* Do the checks of the draft driver's SUBMIT, in the driver's order, except those of queue_id and
 * syncs. Commands and payloads are read from mem. *job receives the hardware commands. *finding
 * receives the broken rule, or NONE. GPUCMD_INVALID: a rule is broken; *job is undefined. [DRVD] */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_agx_draft_check(
    gpucmd_mem *mem, const struct gpucmd_drm_asahi_draft_submit *submit,
    const gpucmd_agx_draft_queue *queue, gpucmd_agx_job *job, gpucmd_agx_finding *finding);

/* As gpucmd_agx_kernel_ioctl, but for the ioctls of a draft, except GET_TIME and GEM_BIND_OBJECT.
 * All calls with one kernel must have the same draft. arg must point to the whole structure.
 * k->user must not be NULL. Differences from upstream: [DRVD]
 *   10006    a VM has no kernel window, but two address ranges, user and shader. A bind maps
 *            a whole object to unmapped addresses; the pages before and after them must also
 *            be unmapped. UNBIND_ALL unmaps an object from one VM, or from all if vm_id is 0
 *   10011    GEM_BIND does one bind or unbind as upstream VM_BIND does, or UNBIND_ALL
 *   results  when all operations of a command have ended, its result structure is written to
 *            the object with handle result_handle, if this object has memory */
GPUCMD_PRIV_API int gpucmd_agx_kernel_draft_ioctl(gpucmd_agx_kernel *k, gpucmd_agx_draft draft,
                                                  uint32_t request, void *arg);

/* Convert a draft submission and append its commands to an upstream stream. [DRVD]
 *   mem            has the memory that the submission points at
 *   usc_exec_base  member of the upstream queue
 *   drop_results   true: ignore result_handle, because upstream has no results. false: if
 *                  result_handle is not 0, return GPUCMD_UNSUPPORTED
 * Attachment lists of a command become SET commands before it. If the previous list of the same SET
 * type is empty, too, an empty list is omitted. The list of a render of 10006 becomes the list of
 * its fragment half. Type and order of attachments are ignored.
 * GPUCMD_FAULT: memory of the submission cannot be read. Any other status is that of the stream or
 * of a gpucmd_agx_draft_* function. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_agx_draft_translate(
    gpucmd_mem *mem, const struct gpucmd_drm_asahi_draft_submit *submit, gpucmd_agx_draft draft,
    uint64_t usc_exec_base, bool drop_results, gpucmd_agx_stream *stream);
#endif

GPUCMD_PRIV_END

#endif /* GPUCMD_AGX_H */

/* End of the interface. Implementation below. */

#if defined(GPUCMD_IMPLEMENTATION) && !defined(GPUCMD_AGX_H_IMPL)
#define GPUCMD_AGX_H_IMPL

GPUCMD_PRIV_BEGIN

/* ==== [AGX.IMPL.CONST] ===================================================================== */

GPUCMD_LAYOUT_ASSERTS(GPUCMD_AGX_STREAM_STRUCTS)
GPUCMD_LAYOUT_ASSERTS(GPUCMD_AGX_UAPI_STRUCTS)
GPUCMD_LAYOUT_ASSERTS(GPUCMD_AGX_DRAFT_STRUCTS)

/* A row of GPUCMD_AGX_CHIPS. */
typedef struct gpucmd_priv_agx_chip_row {
    char name[16];
    char product[16];
    uint32_t chip_id, generation, variant, revision, dies, clusters, cores, khz;
} gpucmd_priv_agx_chip_row;

#define GPUCMD_AGX_PRIV_CHIP(name, id, product, gen, letter, rev, dies, clusters, cores, khz, src) \
    {#name, product, id, gen, letter, rev, dies, clusters, cores, khz},
static const gpucmd_priv_agx_chip_row gpucmd_priv_agx_chips[] = {
    GPUCMD_AGX_CHIPS(GPUCMD_AGX_PRIV_CHIP)};
#undef GPUCMD_AGX_PRIV_CHIP
enum {
    GPUCMD_AGX_PRIV_CHIP_COUNT = sizeof gpucmd_priv_agx_chips / sizeof gpucmd_priv_agx_chips[0]
};

/* Return true if two names are equal, except for upper and lower case. */
static bool gpucmd_priv_agx_same_name(const char *a, const char *b)
{
    while (*a != '\0') {
        uint32_t x = (uint8_t)*a++, y = (uint8_t)*b++;
        x += x - 'A' < 26 ? 32 : 0;
        y += y - 'A' < 26 ? 32 : 0;
        if (x != y) {
            return false;
        }
    }
    return *b == '\0';
}

GPUCMD_PRIV_API gpucmd_status gpucmd_agx_chip_from_name(const char *name, gpucmd_agx_chip *chip)
{
    size_t i;
    for (i = 0; i < GPUCMD_AGX_PRIV_CHIP_COUNT; i++) {
        if (gpucmd_priv_agx_same_name(gpucmd_priv_agx_chips[i].name, name) ||
            gpucmd_priv_agx_same_name(gpucmd_priv_agx_chips[i].product, name)) {
            *chip = (gpucmd_agx_chip)i;
            return GPUCMD_OK;
        }
    }
    return GPUCMD_RANGE;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_agx_chip_from_id(uint32_t chip_id, gpucmd_agx_chip *chip)
{
    size_t i;
    for (i = 0; i < GPUCMD_AGX_PRIV_CHIP_COUNT; i++) {
        if (gpucmd_priv_agx_chips[i].chip_id == chip_id) {
            *chip = (gpucmd_agx_chip)i;
            return GPUCMD_OK;
        }
    }
    return GPUCMD_RANGE;
}

GPUCMD_PRIV_API const char *gpucmd_agx_chip_name(gpucmd_agx_chip chip)
{
    if ((size_t)chip < GPUCMD_AGX_PRIV_CHIP_COUNT) {
        return gpucmd_priv_agx_chips[chip].name;
    }
    return "?";
}

GPUCMD_PRIV_API gpucmd_status gpucmd_agx_params_init(struct gpucmd_drm_asahi_params_global *p,
                                                     gpucmd_agx_chip chip)
{
    uint32_t i;
    if ((size_t)chip >= GPUCMD_AGX_PRIV_CHIP_COUNT) {
        return GPUCMD_RANGE;
    }
    const gpucmd_priv_agx_chip_row *row = &gpucmd_priv_agx_chips[chip];
    gpucmd_priv_zero(p, sizeof *p);
    p->gpu_generation = row->generation;
    p->gpu_variant = row->variant;
    p->gpu_revision = row->revision;
    p->chip_id = row->chip_id;
    p->num_dies = row->dies;
    p->num_clusters_total = row->clusters;
    p->num_cores_per_cluster = row->cores;
    p->max_frequency_khz = row->khz;
    for (i = 0; i < row->clusters; i++) {
        p->core_masks[i] = (1u << row->cores) - 1;
    }
    p->vm_start = GPUCMD_AGX_VM_START;
    p->vm_end = GPUCMD_AGX_VM_END;
    p->vm_kernel_min_size = GPUCMD_AGX_KERNEL_BYTES;
    p->max_commands_per_submission = GPUCMD_AGX_MAX_COMMANDS;
    p->max_attachments = GPUCMD_AGX_MAX_ATTACHMENTS;
    p->command_timestamp_frequency_hz = GPUCMD_AGX_TIMESTAMP_HZ;
    return GPUCMD_OK;
}

/* ==== [AGX.IMPL.DECODE] ==================================================================== */

/* ---- rules ---- */

GPUCMD_PRIV_TEXT_FUNCTION(gpucmd_agx_rule_name, gpucmd_agx_rule,
                          GPUCMD_AGX_RULES(GPUCMD_PRIV_ROW_NAME))
#define GPUCMD_AGX_PRIV_RULE(name, err, severity, text, src) text "\0"
GPUCMD_PRIV_TEXT_FUNCTION(gpucmd_agx_rule_text, gpucmd_agx_rule,
                          GPUCMD_AGX_RULES(GPUCMD_AGX_PRIV_RULE))
#undef GPUCMD_AGX_PRIV_RULE

GPUCMD_PRIV_API gpucmd_severity gpucmd_agx_rule_severity(gpucmd_agx_rule rule)
{
#define GPUCMD_AGX_PRIV_RULE(name, err, severity, text, src) #severity
    static const char letters[] = GPUCMD_AGX_RULES(GPUCMD_AGX_PRIV_RULE);
#undef GPUCMD_AGX_PRIV_RULE
    if ((size_t)rule < sizeof letters - 1 && letters[rule] == 'N') {
        return GPUCMD_SEVERITY_NOTE;
    }
    if ((size_t)rule < sizeof letters - 1 && letters[rule] == 'W') {
        return GPUCMD_SEVERITY_WARNING;
    }
    return GPUCMD_SEVERITY_ERROR;
}

GPUCMD_PRIV_API int gpucmd_agx_rule_errno(gpucmd_agx_rule rule)
{
#define GPUCMD_AGX_PRIV_RULE(name, err, severity, text, src) GPUCMD_SYS_##err,
    static const uint16_t errnos[] = {GPUCMD_AGX_RULES(GPUCMD_AGX_PRIV_RULE)};
#undef GPUCMD_AGX_PRIV_RULE
    if ((size_t)rule < sizeof errnos / sizeof errnos[0]) {
        return errnos[rule];
    }
    return 0;
}

/* ---- structures ---- */

GPUCMD_PRIV_API const char *gpucmd_agx_layout(uint32_t idx)
{
    switch (idx) {
        GPUCMD_LAYOUT_TEXTS(GPUCMD_AGX_STREAM_STRUCTS)
        GPUCMD_LAYOUT_TEXTS(GPUCMD_AGX_UAPI_STRUCTS)
        GPUCMD_LAYOUT_TEXTS(GPUCMD_AGX_DRAFT_STRUCTS)
    }
    return NULL;
}

/* Copy structure idx of len_bytes bytes from src to dst and convert it from CPU byte order to
 * little endian, or from little endian to CPU byte order. dst may equal src. */
static void gpucmd_priv_agx_convert(uint32_t idx, void *dst, const void *src, size_t len_bytes)
{
    if (dst != src) {
        gpucmd_priv_copy(dst, src, len_bytes);
    }
    if (gpucmd_cpu_endian() != GPUCMD_LITTLE_ENDIAN) {
        gpucmd_layout_convert(gpucmd_agx_layout, idx, dst, dst, GPUCMD_LITTLE_ENDIAN);
    }
}
#define GPUCMD_AGX_PRIV_CONVERT(tag, dst, src)                                                     \
    gpucmd_priv_agx_convert(GPUCMD_STRUCT_drm_asahi_##tag, (dst), (src),                           \
                            sizeof(struct gpucmd_drm_asahi_##tag))

GPUCMD_PRIV_API const char *gpucmd_agx_cmd_type_name(uint32_t cmd_type)
{
    return gpucmd_priv_row_text(GPUCMD_AGX_CMD_TYPES(GPUCMD_PRIV_ROW_NAME), cmd_type);
}

/* ---- commands ---- */

GPUCMD_PRIV_API void gpucmd_agx_job_init(gpucmd_agx_job *job)
{
    job->count = 0;
    job->renders = 0;
    job->computes = 0;
}

/* Append a command to a job that has room. The barriers must be valid. Return the command. */
static gpucmd_agx_command *gpucmd_priv_agx_job_append(gpucmd_agx_job *job, gpucmd_agx_kind kind,
                                                      uint32_t render_barrier,
                                                      uint32_t compute_barrier)
{
    uint32_t *const count = kind == GPUCMD_AGX_KIND_COMPUTE ? &job->computes : &job->renders;
    const gpucmd_agx_command c = {(uint16_t)kind,
                                  (uint16_t)render_barrier,
                                  (uint16_t)compute_barrier,
                                  (uint16_t)++ * count,
                                  job->count,
                                  0};
    job->commands[job->count] = c;
    return &job->commands[job->count++];
}

GPUCMD_PRIV_API gpucmd_status gpucmd_agx_job_add(gpucmd_agx_job *job, gpucmd_agx_kind kind,
                                                 uint32_t render_barrier, uint32_t compute_barrier)
{
    if (!gpucmd_priv_agx_barrier_fits(render_barrier, job->renders) ||
        !gpucmd_priv_agx_barrier_fits(compute_barrier, job->computes)) {
        return GPUCMD_ORDER;
    }
    if (job->count >= GPUCMD_AGX_MAX_COMMANDS) {
        return GPUCMD_LIMIT;
    }
    (void)gpucmd_priv_agx_job_append(job, kind, render_barrier, compute_barrier);
    return GPUCMD_OK;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_agx_decode(const uint8_t *bytes, size_t avail_bytes,
                                                gpucmd_agx_raw *raw)
{
    const size_t header_bytes = sizeof(struct gpucmd_drm_asahi_cmd_header);
    struct gpucmd_drm_asahi_cmd_header h;
    gpucmd_priv_zero(raw, sizeof *raw);
    if (avail_bytes < header_bytes) {
        raw->len_bytes = avail_bytes;
        return GPUCMD_TRUNCATED;
    }
    GPUCMD_AGX_PRIV_CONVERT(cmd_header, &h, bytes);
    raw->cmd_type = h.cmd_type;
    raw->vdm_barrier = h.vdm_barrier;
    raw->cdm_barrier = h.cdm_barrier;
    raw->payload_bytes = h.size;
    raw->payload = bytes + header_bytes;
    raw->avail_bytes = h.size;
    if (h.size > avail_bytes - header_bytes) {
        raw->avail_bytes = (uint32_t)(avail_bytes - header_bytes);
    }
    raw->len_bytes = header_bytes + raw->avail_bytes;
    if (raw->avail_bytes < raw->payload_bytes) {
        return GPUCMD_TRUNCATED;
    }
    if (h.cmd_type > GPUCMD_DRM_ASAHI_SET_COMPUTE_ATTACHMENTS) {
        return GPUCMD_INVALID;
    }
    return GPUCMD_OK;
}

/* Copy a payload to structure idx at dst, of full_bytes bytes, and convert it to CPU byte order.
 * Bytes that the payload lacks become zero. */
static void gpucmd_priv_agx_load_payload(const gpucmd_agx_raw *raw, uint32_t idx, void *dst,
                                         size_t full_bytes)
{
    const size_t have_bytes = gpucmd_priv_min_size(raw->avail_bytes, full_bytes);
    gpucmd_priv_zero(dst, full_bytes);
    if (have_bytes != 0) {
        gpucmd_priv_copy(dst, raw->payload, have_bytes);
    }
    gpucmd_priv_agx_convert(idx, dst, dst, full_bytes);
}

GPUCMD_PRIV_API void gpucmd_agx_load_render(const gpucmd_agx_raw *raw,
                                            struct gpucmd_drm_asahi_cmd_render *c)
{
    gpucmd_priv_agx_load_payload(raw, GPUCMD_STRUCT_drm_asahi_cmd_render, c, sizeof *c);
}

GPUCMD_PRIV_API void gpucmd_agx_load_compute(const gpucmd_agx_raw *raw,
                                             struct gpucmd_drm_asahi_cmd_compute *c)
{
    gpucmd_priv_agx_load_payload(raw, GPUCMD_STRUCT_drm_asahi_cmd_compute, c, sizeof *c);
}

GPUCMD_PRIV_API void gpucmd_agx_walk_init(gpucmd_agx_walk *walk, const uint8_t *bytes,
                                          size_t len_bytes)
{
    walk->bytes = bytes;
    walk->len_bytes = len_bytes;
    walk->at_bytes = 0;
    walk->cmd_at_bytes = 0;
    walk->status = GPUCMD_OK;
}

GPUCMD_PRIV_API bool gpucmd_agx_walk_next(gpucmd_agx_walk *walk, gpucmd_agx_raw *cmd)
{
    if (walk->at_bytes >= walk->len_bytes) {
        return false;
    }
    walk->cmd_at_bytes = walk->at_bytes;
    walk->status =
        gpucmd_agx_decode(walk->bytes + walk->at_bytes, walk->len_bytes - walk->at_bytes, cmd);
    walk->at_bytes += cmd->len_bytes;
    return walk->status == GPUCMD_OK;
}

/* Fill *f: rule, position, other = -1, all other members zero. Return GPUCMD_OK for NONE, otherwise
 * GPUCMD_INVALID. */
static gpucmd_status gpucmd_priv_agx_set_finding(gpucmd_agx_finding *f, gpucmd_agx_rule rule,
                                                 int32_t command, size_t at_bytes)
{
    gpucmd_priv_zero(f, sizeof *f);
    f->rule = rule;
    f->severity = gpucmd_agx_rule_severity(rule);
    f->name = gpucmd_agx_rule_name(rule);
    f->text = gpucmd_agx_rule_text(rule);
    f->at_bytes = at_bytes;
    f->command = command;
    f->other = -1;
    if (rule != GPUCMD_AGX_RULE_NONE) {
        return GPUCMD_INVALID;
    }
    return GPUCMD_OK;
}

/* Print a boundary index of the notation: letter and number, or "__" for NONE. */
static void gpucmd_priv_agx_print_boundary(gpucmd_text *t, char letter, uint32_t barrier_at)
{
    if (barrier_at == GPUCMD_DRM_ASAHI_BARRIER_NONE) {
        gpucmd_text_str(t, "__");
        return;
    }
    gpucmd_text_char(t, letter);
    gpucmd_text_dec(t, barrier_at);
}

static void gpucmd_priv_agx_print_barriers(gpucmd_text *t, uint32_t render, uint32_t compute)
{
    gpucmd_text_str(t, "barrier=[");
    gpucmd_priv_agx_print_boundary(t, 'R', render);
    gpucmd_text_str(t, ", ");
    gpucmd_priv_agx_print_boundary(t, 'C', compute);
    gpucmd_text_char(t, ']');
}

/* Print all nonzero members of a payload, one member a line. */
static void gpucmd_priv_agx_print_payload(gpucmd_text *t, const gpucmd_agx_raw *raw)
{
    uint32_t i;
    const uint32_t each_bytes = (uint32_t)sizeof(struct gpucmd_drm_asahi_attachment);
    if (raw->cmd_type <= GPUCMD_DRM_ASAHI_CMD_COMPUTE) {
        const uint32_t idx = raw->cmd_type == GPUCMD_DRM_ASAHI_CMD_RENDER
                                 ? GPUCMD_STRUCT_drm_asahi_cmd_render
                                 : GPUCMD_STRUCT_drm_asahi_cmd_compute;
        struct gpucmd_drm_asahi_cmd_render c; /* large enough for both commands */
        gpucmd_priv_agx_load_payload(raw, idx, &c, gpucmd_layout_bytes(gpucmd_agx_layout, idx));
        gpucmd_layout_print(t, gpucmd_agx_layout, idx, &c, gpucmd_cpu_endian(), 8);
    } else if (raw->cmd_type <= GPUCMD_DRM_ASAHI_SET_COMPUTE_ATTACHMENTS) {
        for (i = 0; raw->avail_bytes - i >= each_bytes; i += each_bytes) {
            gpucmd_layout_print(t, gpucmd_agx_layout, GPUCMD_STRUCT_drm_asahi_attachment,
                                raw->payload + i, GPUCMD_LITTLE_ENDIAN, 8);
        }
    }
}

GPUCMD_PRIV_API size_t gpucmd_agx_command_dw(const void *rules, const uint32_t *words,
                                             size_t avail_dw)
{
    const size_t payload_bytes = gpucmd_load32(words, GPUCMD_LITTLE_ENDIAN) >> 16;
    const size_t n_dw = (sizeof(struct gpucmd_drm_asahi_cmd_header) + payload_bytes) / 4;
    (void)rules;
    return gpucmd_priv_min_size(n_dw, avail_dw);
}

GPUCMD_PRIV_API void gpucmd_agx_print_stream(gpucmd_text *t, const uint8_t *bytes, size_t len_bytes)
{
    gpucmd_agx_walk walk;
    gpucmd_agx_raw raw;
    uint32_t position = 0;
    uint32_t numbers[2] = {0, 0};
    gpucmd_agx_walk_init(&walk, bytes, len_bytes);
    for (; walk.at_bytes < len_bytes; position++) {
        (void)gpucmd_agx_walk_next(&walk, &raw);
        gpucmd_text_str(t, "0x");
        gpucmd_text_hex(t, walk.cmd_at_bytes, 4);
        gpucmd_text_str(t, "  #");
        gpucmd_text_dec(t, position);
        gpucmd_text_char(t, ' ');
        if (raw.payload == NULL) {
            gpucmd_text_str(t, "TRUNCATED header\n");
            return;
        }
        if (raw.cmd_type <= GPUCMD_DRM_ASAHI_CMD_COMPUTE) {
            gpucmd_text_char(t, raw.cmd_type == GPUCMD_DRM_ASAHI_CMD_RENDER ? 'R' : 'C');
            gpucmd_text_dec(t, ++numbers[raw.cmd_type]);
            gpucmd_text_char(t, ' ');
        }
        gpucmd_text_str(t, gpucmd_agx_cmd_type_name(raw.cmd_type));
        if (walk.status == GPUCMD_INVALID) {
            gpucmd_text_str(t, " type ");
            gpucmd_text_dec(t, raw.cmd_type);
        }
        gpucmd_text_str(t, " size ");
        gpucmd_text_dec(t, raw.payload_bytes);
        gpucmd_text_char(t, ' ');
        gpucmd_priv_agx_print_barriers(t, raw.vdm_barrier, raw.cdm_barrier);
        gpucmd_text_str(t, raw.avail_bytes < raw.payload_bytes ? " TRUNCATED payload\n" : "\n");
        gpucmd_priv_agx_print_payload(t, &raw);
    }
}

/* ---- control streams ---- */

GPUCMD_PRIV_TEXT_FUNCTION(gpucmd_agx_block_name, gpucmd_agx_block_id,
                          GPUCMD_AGX_CTRL_BLOCKS(GPUCMD_PRIV_ROW_NAME))

/* Rows of GPUCMD_AGX_CTRL_BLOCKS, _PARTS and GPUCMD_AGX_CDM_MODES. */
typedef struct gpucmd_priv_agx_block_row {
    uint8_t stream, type, words, pads;
} gpucmd_priv_agx_block_row;
#define GPUCMD_AGX_PRIV_BLOCK(name, stream, type, words, pads, src)                                \
    {GPUCMD_AGX_CTRL_##stream, type, words, pads},
static const gpucmd_priv_agx_block_row gpucmd_priv_agx_blocks[] = {
    GPUCMD_AGX_CTRL_BLOCKS(GPUCMD_AGX_PRIV_BLOCK)};
#undef GPUCMD_AGX_PRIV_BLOCK

typedef struct gpucmd_priv_agx_part_row {
    uint8_t block, bit, words;
} gpucmd_priv_agx_part_row;
#define GPUCMD_AGX_PRIV_PART(block, name, bit, words, src) {GPUCMD_AGX_BLOCK_##block, bit, words},
static const gpucmd_priv_agx_part_row gpucmd_priv_agx_parts[] = {
    GPUCMD_AGX_CTRL_PARTS(GPUCMD_AGX_PRIV_PART)};
#undef GPUCMD_AGX_PRIV_PART

#define GPUCMD_AGX_PRIV_MODE(name, number, words, address_dw, bytes) {words, address_dw, bytes},
static const uint8_t gpucmd_priv_agx_cdm_modes[][3] = {GPUCMD_AGX_CDM_MODES(GPUCMD_AGX_PRIV_MODE)};
#undef GPUCMD_AGX_PRIV_MODE

GPUCMD_PRIV_API void gpucmd_agx_ctrl_init(gpucmd_agx_ctrl_walk *walk, gpucmd_mem *mem,
                                          gpucmd_agx_ctrl stream, uint64_t va,
                                          const struct gpucmd_drm_asahi_params_global *params)
{
    gpucmd_priv_zero(walk, sizeof *walk);
    walk->mem = mem;
    walk->stream = stream;
    walk->va = va;
    walk->wide_launch =
        params != NULL && params->gpu_generation >= 14 && params->num_clusters_total > 1;
}

/* Append an address to a block. */
static void gpucmd_priv_agx_block_address(gpucmd_agx_block *b, const char *name, uint64_t va,
                                          uint64_t bytes, bool usc)
{
    gpucmd_agx_ctrl_address *const a = &b->addresses[b->address_count++];
    a->name = name;
    a->va = va;
    a->bytes = bytes;
    a->usc = usc;
}

/* Return the address with bits 39:32 in bits 7:0 of hi. */
static uint64_t gpucmd_priv_agx_ctrl_va(uint32_t hi, uint32_t lo)
{
    return (uint64_t)(hi & 255) << 32 | lo;
}

/* Find the index in block->words of a part that the block has; 0: it does not have the part. */
static uint32_t gpucmd_priv_agx_find_part(const gpucmd_agx_block *b, gpucmd_agx_part_id part)
{
    uint32_t i, at = 1;
    for (i = 0; i < (uint32_t)part; i++) {
        const gpucmd_priv_agx_part_row *const row = &gpucmd_priv_agx_parts[i];
        if (row->block == (uint8_t)b->id && (b->words[0] >> row->bit & 1) != 0) {
            at += row->words;
        }
    }
    if ((b->words[0] >> gpucmd_priv_agx_parts[part].bit & 1) == 0) {
        return 0;
    }
    return at;
}

/* Append the addresses of a block with optional parts. */
static void gpucmd_priv_agx_part_addresses(gpucmd_agx_block *b)
{
    const uint32_t *const w = b->words;
    uint32_t at = 0, size_at = 0;
    uint64_t bytes = 0;
    if (b->id == GPUCMD_AGX_BLOCK_VDM_STATE) {
        at = gpucmd_priv_agx_find_part(b, GPUCMD_AGX_PART_VERTEX_SHADER_1);
        if (at != 0) {
            gpucmd_priv_agx_block_address(b, "pipeline", w[at] & ~(uint32_t)63, 0, true);
        }
    } else if (b->id == GPUCMD_AGX_BLOCK_VDM_INDEX_LIST) {
        at = gpucmd_priv_agx_find_part(b, GPUCMD_AGX_PART_INDEX_BUFFER);
        size_at = gpucmd_priv_agx_find_part(b, GPUCMD_AGX_PART_INDEX_BUFFER_SIZE);
        if (size_at != 0) {
            bytes = (uint64_t)w[size_at] << 2;
        }
        if (at != 0) {
            gpucmd_priv_agx_block_address(b, "index buffer", gpucmd_priv_agx_ctrl_va(w[0], w[at]),
                                          bytes, false);
        }
        at = gpucmd_priv_agx_find_part(b, GPUCMD_AGX_PART_INDIRECT);
        if (at != 0) {
            gpucmd_priv_agx_block_address(b, "indirect", gpucmd_priv_agx_ctrl_va(w[at], w[at + 1]),
                                          0, false);
        }
    } else if (b->id == GPUCMD_AGX_BLOCK_VDM_TESSELLATE) {
        at = gpucmd_priv_agx_find_part(b, GPUCMD_AGX_PART_FACTOR_BUFFER);
        if (at != 0) {
            gpucmd_priv_agx_block_address(b, "factors", gpucmd_priv_agx_ctrl_va(w[0], w[at]), 0,
                                          false);
        }
        at = gpucmd_priv_agx_find_part(b, GPUCMD_AGX_PART_TESS_INDIRECT);
        if (at != 0) {
            gpucmd_priv_agx_block_address(b, "indirect", gpucmd_priv_agx_ctrl_va(w[at], w[at + 1]),
                                          w[at + 2], false);
        }
    }
}

/* Append the addresses of a block whose words are complete. */
static void gpucmd_priv_agx_block_addresses(gpucmd_agx_block *b, uint32_t launch_dw)
{
    const uint32_t *const w = b->words;
    const uint32_t mode = w[0] >> 27 & 3;
    if (b->id == GPUCMD_AGX_BLOCK_VDM_PPP_STATE) {
        gpucmd_priv_agx_block_address(b, "record", gpucmd_priv_agx_ctrl_va(w[0], w[1]),
                                      (w[0] >> 8 & 255) << 2, false);
    } else if (b->id == GPUCMD_AGX_BLOCK_VDM_LINK || b->id == GPUCMD_AGX_BLOCK_CDM_LINK) {
        gpucmd_priv_agx_block_address(b, "target", gpucmd_priv_agx_ctrl_va(w[0], w[1]), 4, false);
    } else if (b->id == GPUCMD_AGX_BLOCK_CDM_LAUNCH) {
        gpucmd_priv_agx_block_address(b, "pipeline", w[1] & ~(uint32_t)63, 0, true);
        if (gpucmd_priv_agx_cdm_modes[mode][1] != 0) {
            gpucmd_priv_agx_block_address(
                b, "indirect",
                gpucmd_priv_agx_ctrl_va(w[launch_dw], w[launch_dw + 1] & ~(uint32_t)3),
                gpucmd_priv_agx_cdm_modes[mode][2], false);
        }
    } else {
        gpucmd_priv_agx_part_addresses(b);
    }
}

/* Return the number of words of the block with first word dw; 0: the mode is unknown. */
static uint32_t gpucmd_priv_agx_block_dw(const gpucmd_agx_ctrl_walk *walk, gpucmd_agx_block_id id,
                                         uint32_t dw)
{
    const gpucmd_priv_agx_block_row *const row = &gpucmd_priv_agx_blocks[id];
    uint32_t i, len_dw = row->words;
    const uint32_t mode = dw >> 27 & 3;
    for (i = 0; i < sizeof gpucmd_priv_agx_parts / sizeof gpucmd_priv_agx_parts[0]; i++) {
        const gpucmd_priv_agx_part_row *const part = &gpucmd_priv_agx_parts[i];
        if (part->block == (uint8_t)id && (dw >> part->bit & 1) != 0) {
            len_dw += part->words;
        }
    }
    if (id == GPUCMD_AGX_BLOCK_CDM_LAUNCH) {
        if (mode >= sizeof gpucmd_priv_agx_cdm_modes / sizeof gpucmd_priv_agx_cdm_modes[0]) {
            return 0;
        }
        len_dw += gpucmd_priv_agx_cdm_modes[mode][0] + (walk->wide_launch ? 2u : 0u);
    }
    return len_dw + (row->pads != 0 ? len_dw & 1 : 0);
}

/* Move the walk behind a block, or to where the block continues. Return false at the end. */
static bool gpucmd_priv_agx_ctrl_advance(gpucmd_agx_ctrl_walk *walk, const gpucmd_agx_block *b)
{
    const uint32_t dw = b->words[0];
    walk->va += (uint64_t)b->len_dw << 2;
    if (b->id == GPUCMD_AGX_BLOCK_VDM_BARRIER && (dw >> 27 & 1) != 0) {
        if (walk->calls == 0) {
            walk->va = b->va;
            walk->status = GPUCMD_INVALID;
            return false;
        }
        walk->va = walk->returns[--walk->calls];
    } else if (b->id == GPUCMD_AGX_BLOCK_VDM_LINK || b->id == GPUCMD_AGX_BLOCK_CDM_LINK) {
        if (b->id == GPUCMD_AGX_BLOCK_VDM_LINK && (dw >> 28 & 1) != 0) {
            if (walk->calls == GPUCMD_AGX_CTRL_CALLS) {
                walk->status = GPUCMD_LIMIT;
                return false;
            }
            walk->returns[walk->calls++] = walk->va;
        }
        walk->va = b->addresses[0].va;
    }
    return true;
}

GPUCMD_PRIV_API bool gpucmd_agx_ctrl_next(gpucmd_agx_ctrl_walk *walk, gpucmd_agx_block *block)
{
    gpucmd_agx_block b;
    uint8_t bytes[4 * GPUCMD_AGX_BLOCK_DW];
    uint32_t i, id = 0;
    const uint32_t count = sizeof gpucmd_priv_agx_blocks / sizeof gpucmd_priv_agx_blocks[0];
    if (walk->status != GPUCMD_OK || walk->mem == NULL) {
        return false;
    }
    gpucmd_priv_zero(&b, sizeof b);
    if (gpucmd_mem_read(walk->mem, walk->va, bytes, 4) != GPUCMD_OK) {
        walk->status = GPUCMD_FAULT;
        return false;
    }
    walk->dw = gpucmd_load32(bytes, GPUCMD_LITTLE_ENDIAN);
    while (id < count && (gpucmd_priv_agx_blocks[id].stream != (uint8_t)walk->stream ||
                          gpucmd_priv_agx_blocks[id].type != walk->dw >> 29)) {
        id++;
    }
    if (id < count) {
        b.len_dw = gpucmd_priv_agx_block_dw(walk, (gpucmd_agx_block_id)id, walk->dw);
    }
    if (b.len_dw == 0) {
        walk->status = GPUCMD_INVALID;
        return false;
    }
    /* the first word is not read again, because the process can change it */
    if (b.len_dw > 1 && gpucmd_mem_read(walk->mem, walk->va + 4, bytes + 4,
                                        (uint64_t)(b.len_dw - 1) << 2) != GPUCMD_OK) {
        walk->status = GPUCMD_FAULT;
        return false;
    }
    for (i = 0; i < b.len_dw; i++) {
        b.words[i] = gpucmd_load32(bytes + (size_t)i * 4, GPUCMD_LITTLE_ENDIAN);
    }
    b.id = (gpucmd_agx_block_id)id;
    b.va = walk->va;
    gpucmd_priv_agx_block_addresses(&b, walk->wide_launch ? 4 : 2);
    if (b.id == GPUCMD_AGX_BLOCK_VDM_TERMINATE || b.id == GPUCMD_AGX_BLOCK_CDM_TERMINATE) {
        walk->mem = NULL; /* the end */
    } else if (!gpucmd_priv_agx_ctrl_advance(walk, &b)) {
        return false;
    }
    *block = b;
    return true;
}

GPUCMD_PRIV_API void gpucmd_agx_print_block(gpucmd_text *t, const gpucmd_agx_block *block)
{
    uint32_t i;
    gpucmd_text_str(t, "0x");
    gpucmd_text_hex(t, block->va, 10);
    for (i = 0; i < block->len_dw && i < GPUCMD_AGX_BLOCK_DW; i++) {
        gpucmd_text_char(t, ' ');
        gpucmd_text_hex(t, block->words[i], 8);
    }
    gpucmd_text_char(t, ' ');
    gpucmd_text_str(t, gpucmd_agx_block_name(block->id));
    for (i = 0; i < block->address_count && i < 2; i++) {
        const gpucmd_agx_ctrl_address *const a = &block->addresses[i];
        gpucmd_text_char(t, ' ');
        gpucmd_text_str(t, a->name);
        gpucmd_text_str(t, a->usc ? " usc+0x" : " 0x");
        gpucmd_text_hex(t, a->va, 1);
        if (a->bytes != 0) {
            gpucmd_text_str(t, "+0x");
            gpucmd_text_hex(t, a->bytes, 1);
        }
    }
}

/* ---- notation ---- */

/* Reader of one line of text: text[at] is the next character, text[end - 1] the last. */
typedef struct gpucmd_priv_agx_reader {
    const char *text;
    size_t at;
    size_t end;
} gpucmd_priv_agx_reader;

/* Return the next character, or a newline at the end of the line. */
static char gpucmd_priv_agx_peek(const gpucmd_priv_agx_reader *r)
{
    if (r->at < r->end) {
        return r->text[r->at];
    }
    return '\n';
}

static void gpucmd_priv_agx_blanks(gpucmd_priv_agx_reader *r)
{
    while (r->at < r->end &&
           (r->text[r->at] == ' ' || r->text[r->at] == '\t' || r->text[r->at] == '\r')) {
        r->at++;
    }
}

/* Skip blanks. If the next character is c, skip it and return true. */
static bool gpucmd_priv_agx_accept(gpucmd_priv_agx_reader *r, char c)
{
    gpucmd_priv_agx_blanks(r);
    if (gpucmd_priv_agx_peek(r) != c) {
        return false;
    }
    r->at++;
    return true;
}

static bool gpucmd_priv_agx_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Read a decimal number. Return false if there is no digit or the number exceeds 65534. */
static bool gpucmd_priv_agx_take_number(gpucmd_priv_agx_reader *r, uint32_t *v)
{
    const size_t from = r->at;
    *v = 0;
    while (gpucmd_priv_agx_is_digit(gpucmd_priv_agx_peek(r))) {
        *v = *v * 10 + (uint32_t)(gpucmd_priv_agx_peek(r) - '0');
        if (*v > 65534) {
            return false;
        }
        r->at++;
    }
    return r->at != from;
}

/* Read one barrier: letter and number, "__" or "-". "__" and "-" leave *barrier_at
 * unchanged, because the caller has set it to NONE. Return false on a syntax error. */
static bool gpucmd_priv_agx_take_barrier(gpucmd_priv_agx_reader *r, char letter,
                                         uint32_t *barrier_at)
{
    gpucmd_priv_agx_blanks(r);
    if (gpucmd_priv_agx_peek(r) == letter) {
        r->at++;
        return gpucmd_priv_agx_take_number(r, barrier_at);
    }
    if (gpucmd_priv_agx_accept(r, '-')) {
        return true;
    }
    if (!gpucmd_priv_agx_accept(r, '_') || gpucmd_priv_agx_peek(r) != '_') {
        return false;
    }
    r->at++;
    return true;
}

/* Read the optional barriers of a command: the render barrier to barriers[0], the compute barrier
 * to barriers[1]. A barrier that the text omits is NONE. Return false on a syntax error. */
static bool gpucmd_priv_agx_take_barriers(gpucmd_priv_agx_reader *r, uint32_t barriers[2])
{
    size_t i;
    static const char word[] = "barrier=";
    barriers[0] = GPUCMD_DRM_ASAHI_BARRIER_NONE;
    barriers[1] = GPUCMD_DRM_ASAHI_BARRIER_NONE;
    gpucmd_priv_agx_blanks(r);
    if (gpucmd_priv_agx_peek(r) == 'b') {
        for (i = 0; word[i] != '\0'; i++, r->at++) {
            if (gpucmd_priv_agx_peek(r) != word[i]) {
                return false;
            }
        }
    } else if (gpucmd_priv_agx_peek(r) != '[') {
        return true;
    }
    return gpucmd_priv_agx_accept(r, '[') && gpucmd_priv_agx_take_barrier(r, 'R', &barriers[0]) &&
           gpucmd_priv_agx_accept(r, ',') && gpucmd_priv_agx_take_barrier(r, 'C', &barriers[1]) &&
           gpucmd_priv_agx_accept(r, ']');
}

/* Return true if the rest of the line is empty, starts with #, or has the form "[...] implied". */
static bool gpucmd_priv_agx_at_remark(gpucmd_priv_agx_reader *r)
{
    static const char word[] = "implied";
    size_t i, end = r->end;
    gpucmd_priv_agx_blanks(r);
    if (r->at == r->end || gpucmd_priv_agx_peek(r) == '#') {
        return true;
    }
    while (r->text[end - 1] == ' ' || r->text[end - 1] == '\r') { /* stops before text[at] */
        end--;
    }
    bool same = gpucmd_priv_agx_peek(r) == '[' && end - r->at >= sizeof word - 1;
    for (i = 0; same && i < sizeof word - 1; i++) {
        same = r->text[end - (sizeof word - 1) + i] == word[i];
    }
    return same;
}

/* Read one line without its newline: a command, a comment or only blanks. Append a command
 * to the job, even if one of its barriers breaks a rule. Return the broken rule or NONE. */
static gpucmd_agx_rule gpucmd_priv_agx_take_line(gpucmd_priv_agx_reader *r, bool allow_blit,
                                                 gpucmd_agx_job *job)
{
    uint32_t number;
    uint32_t barriers[2];
    if (gpucmd_priv_agx_accept(r, '#')) {
        if (!gpucmd_priv_agx_is_digit(gpucmd_priv_agx_peek(r))) {
            return GPUCMD_AGX_RULE_NONE;
        }
        if (!gpucmd_priv_agx_take_number(r, &number) || number != job->count) {
            return GPUCMD_AGX_RULE_NOTATION_NUMBER;
        }
        gpucmd_priv_agx_blanks(r);
    } else if (r->at == r->end) {
        return GPUCMD_AGX_RULE_NONE;
    }
    const char letter = gpucmd_priv_agx_peek(r);
    const bool known = letter == 'R' || letter == 'C' || (letter == 'B' && allow_blit);
    if (known) {
        r->at++;
    }
    if (!known || !gpucmd_priv_agx_take_number(r, &number)) {
        return GPUCMD_AGX_RULE_NOTATION;
    }
    if (number != 1 + (letter == 'C' ? job->computes : job->renders)) {
        return GPUCMD_AGX_RULE_NOTATION_NUMBER;
    }
    if (!gpucmd_priv_agx_take_barriers(r, barriers) || !gpucmd_priv_agx_at_remark(r)) {
        return GPUCMD_AGX_RULE_NOTATION;
    }
    if (job->count >= GPUCMD_AGX_MAX_COMMANDS) {
        return GPUCMD_AGX_RULE_COMMAND_COUNT;
    }
    gpucmd_agx_kind kind = GPUCMD_AGX_KIND_BLIT;
    if (letter == 'R') {
        kind = GPUCMD_AGX_KIND_RENDER;
    } else if (letter == 'C') {
        kind = GPUCMD_AGX_KIND_COMPUTE;
    }
    gpucmd_agx_rule rule = GPUCMD_AGX_RULE_NONE;
    if (!gpucmd_priv_agx_barrier_fits(barriers[0], job->renders)) {
        rule = GPUCMD_AGX_RULE_VDM_BARRIER;
    } else if (!gpucmd_priv_agx_barrier_fits(barriers[1], job->computes)) {
        rule = GPUCMD_AGX_RULE_CDM_BARRIER;
    }
    (void)gpucmd_priv_agx_job_append(job, kind, barriers[0], barriers[1]);
    return rule;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_agx_parse_notation(const char *text, size_t len_bytes,
                                                        bool allow_blit, gpucmd_agx_job *job,
                                                        gpucmd_agx_finding *finding)
{
    gpucmd_priv_agx_reader r;
    size_t next = 0;
    r.text = text;
    gpucmd_agx_job_init(job);
    (void)gpucmd_priv_agx_set_finding(finding, GPUCMD_AGX_RULE_NONE, -1, 0);
    while (next < len_bytes) {
        r.at = next;
        r.end = next;
        while (r.end < len_bytes && text[r.end] != '\n') {
            r.end++;
        }
        next = r.end + 1;
        const size_t from = r.at;
        const uint32_t before = job->count;
        const gpucmd_agx_rule rule = gpucmd_priv_agx_take_line(&r, allow_blit, job);
        if (job->count != before) { /* if only a barrier is wrong, reading continues */
            job->commands[before].off_bytes = (uint32_t)from;
            if (rule != GPUCMD_AGX_RULE_NONE && finding->rule == GPUCMD_AGX_RULE_NONE) {
                (void)gpucmd_priv_agx_set_finding(finding, rule, (int32_t)before, from);
            }
        } else if (rule == GPUCMD_AGX_RULE_COMMAND_COUNT) {
            return gpucmd_priv_agx_set_finding(finding, rule, -1, from);
        } else if (rule != GPUCMD_AGX_RULE_NONE) {
            return gpucmd_priv_agx_set_finding(finding, rule, (int32_t)before, r.at);
        }
    }
    if (job->count == 0) {
        return gpucmd_priv_agx_set_finding(finding, GPUCMD_AGX_RULE_COMMAND_COUNT, -1, 0);
    }
    if (finding->rule != GPUCMD_AGX_RULE_NONE) {
        return GPUCMD_INVALID;
    }
    return GPUCMD_OK;
}

/* Print the name of a command: "R1", "C2", "B3". */
static void gpucmd_priv_agx_print_command(gpucmd_text *t, const gpucmd_agx_command *c)
{
    gpucmd_text_char(t, "RCB"[c->kind]);
    gpucmd_text_dec(t, c->number);
}

GPUCMD_PRIV_API void gpucmd_agx_print_notation(gpucmd_text *t, const gpucmd_agx_job *job)
{
    uint32_t i;
    for (i = 0; i < job->count; i++) {
        const gpucmd_agx_command *c = &job->commands[i];
        gpucmd_text_char(t, '#');
        gpucmd_text_dec(t, i);
        gpucmd_text_char(t, ' ');
        gpucmd_priv_agx_print_command(t, c);
        gpucmd_text_char(t, ' ');
        gpucmd_priv_agx_print_barriers(t, c->render_barrier, c->compute_barrier);
        gpucmd_text_char(t, '\n');
    }
}

/* ==== [AGX.IMPL.CHECK] ===================================================================== */

/* ---- names, findings ---- */

GPUCMD_PRIV_TEXT_FUNCTION(gpucmd_agx_ring_name, gpucmd_agx_ring, "compute\0vertex\0fragment\0")

/* Print the place of a finding: "0x20, command 3, with command 1, render barrier: ". Print nothing
 * if member command is -1. */
static void gpucmd_priv_agx_print_place(gpucmd_text *t, const gpucmd_agx_finding *f)
{
    if (f->command < 0) {
        return;
    }
    gpucmd_text_str(t, "0x");
    gpucmd_text_hex(t, f->at_bytes, 1);
    gpucmd_text_str(
        t, gpucmd_priv_row_text(", command \0, bind \0, sync \0, sync \0", (size_t)f->item));
    gpucmd_text_dec(t, (uint64_t)f->command);
    if (f->item == GPUCMD_AGX_ITEM_IN_SYNC) {
        gpucmd_text_str(t, " of the ins");
    } else if (f->item == GPUCMD_AGX_ITEM_OUT_SYNC) {
        gpucmd_text_str(t, " of the outs");
    }
    if (f->other >= 0) {
        gpucmd_text_str(t, ", with command ");
        gpucmd_text_dec(t, (uint64_t)f->other);
    }
    if (f->barrier_at == 'R') {
        gpucmd_text_str(t, ", render barrier");
    } else if (f->barrier_at == 'C') {
        gpucmd_text_str(t, ", compute barrier");
    }
    gpucmd_text_str(t, ": ");
}

/* Return the text of GPUCMD_AGX_DETAILS for a rule; NULL: there is none. */
static const char *gpucmd_priv_agx_detail(gpucmd_agx_rule rule)
{
#define GPUCMD_AGX_PRIV_DETAIL(name, text)                                                         \
    case GPUCMD_AGX_RULE_##name: return text;
    switch ((uint32_t)rule) {
        GPUCMD_AGX_DETAILS(GPUCMD_AGX_PRIV_DETAIL)
    }
#undef GPUCMD_AGX_PRIV_DETAIL
    return NULL;
}

GPUCMD_PRIV_API void gpucmd_agx_print_detail(gpucmd_text *t, const gpucmd_agx_finding *finding)
{
    const char *detail = NULL;
    if (finding->member != NULL) {
        detail = gpucmd_priv_agx_detail(finding->rule);
    }
    if (detail == NULL) {
        gpucmd_text_str(t, finding->text);
        if (finding->value != 0) {
            gpucmd_text_str(t, ": 0x");
            gpucmd_text_hex(t, finding->value, 1);
        }
        return;
    }
    const gpucmd_priv_parts parts = {finding->member, finding->value, finding->bytes,
                                     finding->least,  finding->limit, finding->object};
    gpucmd_priv_text_parts(t, detail, &parts);
}

GPUCMD_PRIV_API void gpucmd_agx_print_finding(gpucmd_text *t, const gpucmd_agx_finding *finding)
{
    const int error = gpucmd_agx_rule_errno(finding->rule);
    gpucmd_priv_agx_print_place(t, finding);
    gpucmd_text_str(t, gpucmd_severity_name(finding->severity));
    gpucmd_text_str(t, ": ");
    gpucmd_text_str(t, finding->name);
    gpucmd_text_str(t, ": ");
    gpucmd_agx_print_detail(t, finding);
    if (error != 0) {
        gpucmd_text_str(t, " (");
        gpucmd_text_str(t, gpucmd_sys_error_name(error));
        gpucmd_text_char(t, ')');
    }
}

/* ---- streams: addresses ---- */

/* Forms of GPUCMD_AGX_ADDRESSES. */
enum {
    GPUCMD_AGX_PRIV_FORM_STREAM,
    GPUCMD_AGX_PRIV_FORM_VA,
    GPUCMD_AGX_PRIV_FORM_USC,
    GPUCMD_AGX_PRIV_FORM_HEAP,
    GPUCMD_AGX_PRIV_FORM_Z,
    GPUCMD_AGX_PRIV_FORM_S,
};
enum { GPUCMD_AGX_PRIV_ACCESS_READ = 1, GPUCMD_AGX_PRIV_ACCESS_WRITE, GPUCMD_AGX_PRIV_ACCESS_ZLS };

/* A row of GPUCMD_AGX_ADDRESSES. */
typedef struct gpucmd_priv_agx_address_row {
    uint8_t command; /* cmd_type; 255: an attachment */
    uint8_t at_bytes;
    uint8_t part, form, rights, unit;
} gpucmd_priv_agx_address_row;

enum {
    GPUCMD_AGX_PRIV_OF_cmd_render = GPUCMD_DRM_ASAHI_CMD_RENDER,
    GPUCMD_AGX_PRIV_OF_cmd_compute = GPUCMD_DRM_ASAHI_CMD_COMPUTE,
    GPUCMD_AGX_PRIV_OF_attachment = 255,
};
#define GPUCMD_AGX_PRIV_ADDRESS(id, command, member, part, form, rights, unit, src)                \
    {GPUCMD_AGX_PRIV_OF_##command,                                                                 \
     (uint8_t)GPUCMD_PRIV_OFFSETOF(struct gpucmd_drm_asahi_##command, member),                     \
     GPUCMD_AGX_RING_##part,                                                                       \
     GPUCMD_AGX_PRIV_FORM_##form,                                                                  \
     GPUCMD_AGX_PRIV_ACCESS_##rights,                                                              \
     GPUCMD_AGX_UNIT_##unit},
static const gpucmd_priv_agx_address_row gpucmd_priv_agx_addresses[] = {
    GPUCMD_AGX_ADDRESSES(GPUCMD_AGX_PRIV_ADDRESS)};
#undef GPUCMD_AGX_PRIV_ADDRESS

#define GPUCMD_AGX_PRIV_ADDRESS(id, command, member, part, form, rights, unit, src) #member "\0"
GPUCMD_PRIV_TEXT_FUNCTION(gpucmd_agx_address_name, gpucmd_agx_address_id,
                          GPUCMD_AGX_ADDRESSES(GPUCMD_AGX_PRIV_ADDRESS))
#undef GPUCMD_AGX_PRIV_ADDRESS

GPUCMD_PRIV_API const char *gpucmd_agx_unit_text(const char *name)
{
#define GPUCMD_AGX_PRIV_UNIT(name, code, text, src) {#name, text},
    static const struct {
        char name[12];
        char text[60];
    } rows[] = {GPUCMD_AGX_UNITS(GPUCMD_AGX_PRIV_UNIT)};
#undef GPUCMD_AGX_PRIV_UNIT
    uint32_t i, k;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (k = 0; rows[i].name[k] != '\0' && rows[i].name[k] == name[k]; k++) {
        }
        if (rows[i].name[k] == name[k]) {
            return rows[i].text;
        }
    }
    return NULL;
}

/* Receives the addresses of a stream while it is checked. */
typedef struct gpucmd_priv_agx_collector {
    /* Called for each address; returns false if there is no room for it. */
    bool (*add)(struct gpucmd_priv_agx_collector *c, gpucmd_agx_taken *taken,
                const gpucmd_agx_address *address);
    void *user;
    uint64_t usc_exec_base;
    gpucmd_agx_lists *lists; /* NULL: attachments are passed at their SET command */
    int32_t position;        /* of the command */
    size_t at_bytes;
    /* Members of the command whose addresses are collected; end_va: the end of a compute's control
     * stream. */
    uint64_t zls_ctrl, end_va;
    uint32_t samplers;
} gpucmd_priv_agx_collector;

/* Return the address of a shader; ~0 if base + offset exceeds 64 bits. */
static uint64_t gpucmd_priv_agx_usc_va(uint64_t base, uint64_t offset)
{
    if (offset > ~base) {
        return ~(uint64_t)0;
    }
    return base + offset;
}

/* Return the rights that a render needs for a depth or stencil buffer; 0: it does not access it. */
static uint32_t gpucmd_priv_agx_zls_access(uint64_t zls_ctrl, uint32_t load, uint32_t store)
{
    uint32_t access_mask = 0;
    if ((zls_ctrl & load) != 0) {
        access_mask |= (uint32_t)GPUCMD_ACCESS_READ;
    }
    if ((zls_ctrl & store) != 0) {
        access_mask |= (uint32_t)GPUCMD_ACCESS_WRITE;
    }
    return access_mask;
}

/* Write the address of row id to *a. bytes are those of the structure, in CPU byte order. Return
 * false if the command has no such address. */
static bool gpucmd_priv_agx_find_address(const gpucmd_priv_agx_collector *c, uint32_t id,
                                         const uint8_t *bytes, gpucmd_agx_address *a)
{
    const gpucmd_priv_agx_address_row *row = &gpucmd_priv_agx_addresses[id];
    uint32_t usc = 0;
    gpucmd_priv_zero(a, sizeof *a);
    a->id = (uint8_t)id;
    a->access_mask = (uint8_t)GPUCMD_ACCESS_READ;
    if (row->rights == GPUCMD_AGX_PRIV_ACCESS_WRITE) {
        a->access_mask = (uint8_t)GPUCMD_ACCESS_WRITE;
    }
    if (row->form == GPUCMD_AGX_PRIV_FORM_USC) {
        gpucmd_priv_copy(&usc, bytes + row->at_bytes, sizeof usc);
        a->va = gpucmd_priv_agx_usc_va(c->usc_exec_base, usc & ~(uint32_t)63);
        return usc != 0;
    }
    gpucmd_priv_copy(&a->va, bytes + row->at_bytes, sizeof a->va);
    if (row->form == GPUCMD_AGX_PRIV_FORM_Z) {
        a->access_mask = (uint8_t)gpucmd_priv_agx_zls_access(c->zls_ctrl, GPUCMD_AGX_ZLS_Z_LOAD,
                                                             GPUCMD_AGX_ZLS_Z_STORE);
    } else if (row->form == GPUCMD_AGX_PRIV_FORM_S) {
        a->access_mask = (uint8_t)gpucmd_priv_agx_zls_access(c->zls_ctrl, GPUCMD_AGX_ZLS_S_LOAD,
                                                             GPUCMD_AGX_ZLS_S_STORE);
    } else if (row->form == GPUCMD_AGX_PRIV_FORM_HEAP && c->samplers == 0) {
        return false;
    }
    return row->form == GPUCMD_AGX_PRIV_FORM_STREAM || (a->va != 0 && a->access_mask != 0);
}

/* Pass the addresses of a payload to the collector. cmd_type is that of the command. Return false
 * if the collector has no room. */
static bool gpucmd_priv_agx_collect(gpucmd_priv_agx_collector *c, uint32_t cmd_type,
                                    const void *payload, gpucmd_agx_taken *taken)
{
    uint32_t id = GPUCMD_AGX_ADDRESS_VDM_STREAM;
    if (cmd_type == GPUCMD_DRM_ASAHI_CMD_COMPUTE) {
        id = GPUCMD_AGX_ADDRESS_CDM_STREAM;
    }
    for (; gpucmd_priv_agx_addresses[id].command == cmd_type; id++) {
        gpucmd_agx_address a;
        if (!gpucmd_priv_agx_find_address(c, id, (const uint8_t *)payload, &a)) {
            continue;
        }
        if (id == GPUCMD_AGX_ADDRESS_CDM_STREAM && c->end_va > a.va) {
            a.bytes = c->end_va - a.va;
        }
        if (!c->add(c, taken, &a)) {
            return false;
        }
    }
    return true;
}

/* Pass an attachment of list `list` (0 vertex, 1 fragment, 2 compute) to the collector. */
static bool gpucmd_priv_agx_collect_attachment(gpucmd_priv_agx_collector *c, uint32_t list,
                                               uint64_t va, uint64_t bytes, gpucmd_agx_taken *taken)
{
    gpucmd_agx_address a;
    gpucmd_priv_zero(&a, sizeof a);
    a.id = (uint8_t)(GPUCMD_AGX_ADDRESS_VTX_ATTACH + list);
    a.access_mask = (uint8_t)GPUCMD_ACCESS_WRITE;
    a.va = va;
    a.bytes = bytes;
    return bytes == 0 || c->add(c, taken, &a);
}

/* Pass the attachments of lists first to last to the collector. */
static bool gpucmd_priv_agx_collect_lists(gpucmd_priv_agx_collector *c, uint32_t first,
                                          uint32_t last, gpucmd_agx_taken *taken)
{
    uint32_t list, i;
    for (list = first; c->lists != NULL && list <= last; list++) {
        const gpucmd_agx_list *l = &c->lists->of[list];
        for (i = 0; i < l->count; i++) {
            if (!gpucmd_priv_agx_collect_attachment(c, list, l->rows[i].va, l->rows[i].bytes,
                                                    taken)) {
                return false;
            }
        }
    }
    return true;
}

/* Pass the addresses of a render, and the attachments of its lists, to the collector. Return false
 * if the collector has no room. */
static bool gpucmd_priv_agx_collect_render(gpucmd_priv_agx_collector *c,
                                           const struct gpucmd_drm_asahi_cmd_render *render,
                                           gpucmd_agx_taken *taken)
{
    c->zls_ctrl = render->zls_ctrl;
    c->samplers = render->sampler_count;
    return gpucmd_priv_agx_collect(c, GPUCMD_DRM_ASAHI_CMD_RENDER, render, taken) &&
           gpucmd_priv_agx_collect_lists(c, 0, 1, taken);
}

/* As gpucmd_priv_agx_collect_render, for a compute. */
static bool gpucmd_priv_agx_collect_compute(gpucmd_priv_agx_collector *c,
                                            const struct gpucmd_drm_asahi_cmd_compute *compute,
                                            gpucmd_agx_taken *taken)
{
    c->samplers = compute->sampler_count;
    c->end_va = compute->cdm_ctrl_stream_end;
    return gpucmd_priv_agx_collect(c, GPUCMD_DRM_ASAHI_CMD_COMPUTE, compute, taken) &&
           gpucmd_priv_agx_collect_lists(c, 2, 2, taken);
}

/* Return the first address of *a that a VM does not map with the needed rights in *bad_va, and the
 * reason; NONE: all are mapped. *pieces is increased by the number of mappings. */
static gpucmd_agx_fault gpucmd_priv_agx_check_mapped(const gpucmd_maps *maps,
                                                     const gpucmd_space *space,
                                                     const gpucmd_agx_address *a, uint64_t *bad_va,
                                                     uint32_t *pieces)
{
    uint64_t va = a->va;
    uint64_t last = ~(uint64_t)0;
    const uint64_t more = gpucmd_priv_max(a->bytes, 1) - 1;
    if (more <= ~va) {
        last = va + more;
    }
    for (;;) {
        const gpucmd_map *const map = gpucmd_space_find(maps, space, va);
        *bad_va = va;
        *pieces += 1;
        if (map == NULL || va < map->va) {
            return GPUCMD_AGX_FAULT_UNMAPPED;
        }
        if ((a->access_mask & ~map->access_mask & GPUCMD_ACCESS_READ) != 0) {
            return GPUCMD_AGX_FAULT_WRITE_ONLY;
        }
        if ((a->access_mask & ~map->access_mask & GPUCMD_ACCESS_WRITE) != 0) {
            return GPUCMD_AGX_FAULT_READ_ONLY;
        }
        if (map->va + (map->bytes - 1) >= last) {
            return GPUCMD_AGX_FAULT_NONE;
        }
        va = map->va + map->bytes;
    }
}

/* Fill *f with the finding that address *a cannot be accessed at bad_va. */
static void gpucmd_priv_agx_fault_finding(gpucmd_agx_finding *f, const gpucmd_agx_address *a,
                                          gpucmd_agx_fault fault, uint64_t bad_va, int32_t command,
                                          size_t at_bytes)
{
    gpucmd_agx_rule rule = GPUCMD_AGX_RULE_CHECK_UNMAPPED;
    if (fault == GPUCMD_AGX_FAULT_READ_ONLY) {
        rule = GPUCMD_AGX_RULE_CHECK_READ_ONLY;
    } else if (fault == GPUCMD_AGX_FAULT_WRITE_ONLY) {
        rule = GPUCMD_AGX_RULE_CHECK_WRITE_ONLY;
    }
    (void)gpucmd_priv_agx_set_finding(f, rule, command, at_bytes);
    f->member = gpucmd_agx_address_name((gpucmd_agx_address_id)a->id);
    f->value = a->va;
    f->bytes = a->bytes;
    f->least = bad_va;
}

/* ---- streams ---- */

/* Return true if the text of the UAPI decides; objects may be NULL. */
static bool gpucmd_priv_agx_by_text(const gpucmd_agx_objects *objects)
{
    return objects != NULL && objects->behavior == GPUCMD_AGX_BEHAVIOR_TEXT;
}

/* Check that the payload is complete. By the text of the UAPI, its bytes after the first
 * known_bytes must be 0; the driver takes these bytes as the next command. */
static gpucmd_agx_rule gpucmd_priv_agx_check_payload(const gpucmd_agx_raw *raw, size_t known_bytes,
                                                     bool by_text)
{
    size_t i;
    uint32_t any = 0;
    if (raw->avail_bytes < raw->payload_bytes) {
        return GPUCMD_AGX_RULE_PAYLOAD_TRUNCATED;
    }
    if (!by_text) {
        return GPUCMD_AGX_RULE_NONE;
    }
    for (i = known_bytes; i < raw->payload_bytes; i++) {
        any |= raw->payload[i];
    }
    if (any != 0) {
        return GPUCMD_AGX_RULE_PAYLOAD_TAIL;
    }
    return GPUCMD_AGX_RULE_NONE;
}

/* Check the handle and the offset of one timestamp. Handle 0: there is no timestamp. If a rule is
 * broken, write to *why what the rule compares. */
static gpucmd_agx_rule gpucmd_priv_agx_check_stamp(const gpucmd_agx_objects *objects,
                                                   const struct gpucmd_drm_asahi_timestamp *stamp,
                                                   gpucmd_agx_finding *why)
{
    uint64_t bytes = 0;
    if (stamp->handle == 0 || objects == NULL || objects->timestamp_bytes == NULL) {
        return GPUCMD_AGX_RULE_NONE;
    }
    why->member = "timestamp handle";
    why->value = stamp->handle;
    if (!objects->timestamp_bytes(objects->user, stamp->handle, &bytes)) {
        return GPUCMD_AGX_RULE_TIMESTAMP_UNKNOWN;
    }
    why->member = "timestamp offset";
    why->value = stamp->offset;
    why->bytes = GPUCMD_AGX_TIMESTAMP_BYTES;
    why->object = stamp->handle;
    why->limit = bytes;
    if (stamp->offset > 0xffffffffu - GPUCMD_AGX_TIMESTAMP_BYTES) {
        return GPUCMD_AGX_RULE_TIMESTAMP_OVERFLOW;
    }
    if (stamp->offset + GPUCMD_AGX_TIMESTAMP_BYTES > bytes) {
        return GPUCMD_AGX_RULE_TIMESTAMP_RANGE;
    }
    why->member = NULL;
    why->value = 0;
    return GPUCMD_AGX_RULE_NONE;
}

static gpucmd_agx_rule gpucmd_priv_agx_check_stamp_pair(
    const gpucmd_agx_objects *objects, const struct gpucmd_drm_asahi_timestamps *stamps,
    gpucmd_agx_finding *why)
{
    const gpucmd_agx_rule rule = gpucmd_priv_agx_check_stamp(objects, &stamps->start, why);
    if (rule != GPUCMD_AGX_RULE_NONE) {
        return rule;
    }
    return gpucmd_priv_agx_check_stamp(objects, &stamps->end, why);
}

/* Return the member of a render that breaks a rule of gpucmd_agx_check_render; 0 for rules about
 * more than one member. */
static uint64_t gpucmd_priv_agx_render_value(const struct gpucmd_drm_asahi_cmd_render *c,
                                             gpucmd_agx_rule rule)
{
    if (rule == GPUCMD_AGX_RULE_RENDER_FLAGS) {
        return c->flags;
    }
    if (rule == GPUCMD_AGX_RULE_RENDER_LAYERS) {
        return c->layers;
    }
    if (rule == GPUCMD_AGX_RULE_RENDER_SAMPLES) {
        return c->samples;
    }
    return 0;
}

/* Check a render's payload in this order: it is complete, bytes beyond the structure are zero,
 * flags, width and height, timestamps, other members. Write the timestamps to *taken before they
 * are checked. If a rule about one value is broken, write the value to *why. */
static gpucmd_agx_rule gpucmd_priv_agx_parse_render(const gpucmd_agx_raw *raw,
                                                    const gpucmd_agx_objects *objects,
                                                    gpucmd_priv_agx_collector *collector,
                                                    gpucmd_agx_taken *taken,
                                                    gpucmd_agx_finding *why)
{
    struct gpucmd_drm_asahi_cmd_render c;
    gpucmd_agx_rule rule =
        gpucmd_priv_agx_check_payload(raw, sizeof c, gpucmd_priv_agx_by_text(objects));
    if (rule != GPUCMD_AGX_RULE_NONE) {
        return rule;
    }
    gpucmd_agx_load_render(raw, &c);
    const gpucmd_agx_rule fixed = gpucmd_agx_check_render(&c);
    if (fixed != GPUCMD_AGX_RULE_RENDER_FLAGS && fixed != GPUCMD_AGX_RULE_RENDER_SIZE) {
        taken->stamps[0] = c.ts_vtx;
        taken->stamps[1] = c.ts_frag;
        rule = gpucmd_priv_agx_check_stamp_pair(objects, &c.ts_vtx, why);
        if (rule == GPUCMD_AGX_RULE_NONE) {
            rule = gpucmd_priv_agx_check_stamp_pair(objects, &c.ts_frag, why);
        }
        if (rule != GPUCMD_AGX_RULE_NONE) {
            return rule;
        }
    }
    why->value = gpucmd_priv_agx_render_value(&c, fixed);
    if (fixed == GPUCMD_AGX_RULE_NONE && collector != NULL &&
        !gpucmd_priv_agx_collect_render(collector, &c, taken)) {
        return GPUCMD_AGX_RULE_NO_MEMORY;
    }
    return fixed;
}

/* As gpucmd_priv_agx_parse_render, but for a compute, in this order: the payload is complete, bytes
 * beyond the structure are zero, flags, timestamps. */
static gpucmd_agx_rule gpucmd_priv_agx_parse_compute(const gpucmd_agx_raw *raw,
                                                     const gpucmd_agx_objects *objects,
                                                     gpucmd_priv_agx_collector *collector,
                                                     gpucmd_agx_taken *taken,
                                                     gpucmd_agx_finding *why)
{
    struct gpucmd_drm_asahi_cmd_compute c;
    const gpucmd_agx_rule rule =
        gpucmd_priv_agx_check_payload(raw, sizeof c, gpucmd_priv_agx_by_text(objects));
    if (rule != GPUCMD_AGX_RULE_NONE) {
        return rule;
    }
    gpucmd_agx_load_compute(raw, &c);
    taken->stamps[0] = c.ts;
    if (c.flags != 0) {
        why->value = c.flags;
        return GPUCMD_AGX_RULE_COMPUTE_FLAGS;
    }
    const gpucmd_agx_rule stamps = gpucmd_priv_agx_check_stamp_pair(objects, &c.ts, why);
    if (stamps == GPUCMD_AGX_RULE_NONE && collector != NULL &&
        !gpucmd_priv_agx_collect_compute(collector, &c, taken)) {
        return GPUCMD_AGX_RULE_NO_MEMORY;
    }
    return stamps;
}

/* Check a SET command, and pass its attachments to the collector, or to the list of the stage. */
static gpucmd_agx_rule gpucmd_priv_agx_parse_attachments(const gpucmd_agx_raw *raw, bool by_text,
                                                         gpucmd_priv_agx_collector *collector)
{
    uint32_t i;
    const uint32_t stage = (uint32_t)raw->cmd_type - GPUCMD_DRM_ASAHI_SET_VERTEX_ATTACHMENTS;
    gpucmd_agx_list *list = NULL;
    const uint32_t each_bytes = (uint32_t)sizeof(struct gpucmd_drm_asahi_attachment);
    if (raw->payload_bytes >= (GPUCMD_AGX_MAX_ATTACHMENTS + 1) * each_bytes) {
        return GPUCMD_AGX_RULE_ATTACHMENT_COUNT;
    }
    const uint32_t rest_bytes = gpucmd_priv_rem((uint32_t)raw->payload_bytes, each_bytes);
    if (by_text && rest_bytes != 0) {
        return GPUCMD_AGX_RULE_ATTACHMENT_LENGTH;
    }
    if (raw->avail_bytes < raw->payload_bytes) {
        return GPUCMD_AGX_RULE_PAYLOAD_TRUNCATED;
    }
    if (collector != NULL && collector->lists != NULL) {
        list = &collector->lists->of[stage];
        list->count = 0;
    }
    for (i = 0; i < raw->payload_bytes - rest_bytes; i += each_bytes) {
        struct gpucmd_drm_asahi_attachment a;
        GPUCMD_AGX_PRIV_CONVERT(attachment, &a, raw->payload + i);
        if ((a.pad | a.flags) != 0) {
            return GPUCMD_AGX_RULE_ATTACHMENT_PAD;
        }
        if (a.size > GPUCMD_AGX_MAX_ATTACH_BYTES) {
            return GPUCMD_AGX_RULE_ATTACHMENT_BYTES;
        }
        if (list != NULL) {
            list->rows[list->count].va = a.pointer;
            list->rows[list->count++].bytes = a.size;
        } else if (collector != NULL) {
            (void)gpucmd_priv_agx_collect_attachment(collector, stage, a.pointer, a.size, NULL);
        }
    }
    return GPUCMD_AGX_RULE_NONE;
}

/* Return the value of a command header that breaks a rule, if the rule is about one value of the
 * header; otherwise 0. */
static uint64_t gpucmd_priv_agx_header_value(const gpucmd_agx_raw *raw, gpucmd_agx_rule rule)
{
    const bool none = raw->vdm_barrier == GPUCMD_DRM_ASAHI_BARRIER_NONE;
    if (rule == GPUCMD_AGX_RULE_VDM_BARRIER ||
        (rule == GPUCMD_AGX_RULE_SOFTWARE_BARRIER && !none)) {
        return raw->vdm_barrier;
    }
    if (rule == GPUCMD_AGX_RULE_CDM_BARRIER || rule == GPUCMD_AGX_RULE_SOFTWARE_BARRIER) {
        return raw->cdm_barrier;
    }
    if (rule == GPUCMD_AGX_RULE_COMMAND_UNKNOWN) {
        return raw->cmd_type;
    }
    if (rule == GPUCMD_AGX_RULE_PAYLOAD_TRUNCATED || rule == GPUCMD_AGX_RULE_PAYLOAD_TAIL ||
        rule == GPUCMD_AGX_RULE_ATTACHMENT_COUNT || rule == GPUCMD_AGX_RULE_ATTACHMENT_LENGTH) {
        return raw->payload_bytes;
    }
    return 0;
}

/* ---- streams: commands ---- */

/* State while a stream is checked: the numbers of earlier commands, and the outputs. */
typedef struct gpucmd_priv_agx_parser {
    const gpucmd_agx_objects *objects;
    gpucmd_agx_job *job;     /* may be NULL */
    gpucmd_agx_taken *taken; /* may be NULL; else taken[i] receives the timestamps of hardware
                                command i */
    gpucmd_agx_finding *finding;
    uint32_t renders;
    uint32_t computes;
    gpucmd_priv_agx_collector *collector; /* may be NULL */
} gpucmd_priv_agx_parser;

/* Return the number of payload bytes that the driver reads of a command. */
static uint32_t gpucmd_priv_agx_read_bytes(const gpucmd_agx_raw *raw)
{
    uint32_t known = raw->payload_bytes;
    if (raw->cmd_type == GPUCMD_DRM_ASAHI_CMD_RENDER) {
        known = (uint32_t)sizeof(struct gpucmd_drm_asahi_cmd_render);
    } else if (raw->cmd_type == GPUCMD_DRM_ASAHI_CMD_COMPUTE) {
        known = (uint32_t)sizeof(struct gpucmd_drm_asahi_cmd_compute);
    } else if (raw->cmd_type <= GPUCMD_DRM_ASAHI_SET_COMPUTE_ATTACHMENTS) {
        known -= gpucmd_priv_rem(known, (uint32_t)sizeof(struct gpucmd_drm_asahi_attachment));
    }
    return known < raw->payload_bytes ? known : raw->payload_bytes;
}

/* Return the number of bytes from a command to the next one, as the driver reads them. */
static size_t gpucmd_priv_agx_step_bytes(const gpucmd_agx_raw *raw)
{
    return sizeof(struct gpucmd_drm_asahi_cmd_header) + gpucmd_priv_agx_read_bytes(raw);
}

/* Write to *why which barrier of a command is rejected, and the number of commands before it. */
static void gpucmd_priv_agx_barrier_why(const gpucmd_priv_agx_parser *p, gpucmd_agx_rule rule,
                                        gpucmd_agx_finding *why)
{
    if (rule == GPUCMD_AGX_RULE_VDM_BARRIER) {
        why->member = "vdm_barrier";
        why->limit = p->renders;
    } else if (rule == GPUCMD_AGX_RULE_CDM_BARRIER) {
        why->member = "cdm_barrier";
        why->limit = p->computes;
    }
}

/* Check a command in the driver's order: barriers, type, payload. Write its timestamps to *taken.
 * If a rule is broken, write to *why what the rule compares. */
static gpucmd_agx_rule gpucmd_priv_agx_parse_command(const gpucmd_priv_agx_parser *p,
                                                     const gpucmd_agx_raw *raw,
                                                     gpucmd_agx_taken *taken,
                                                     gpucmd_agx_finding *why)
{
    const bool software = raw->cmd_type >= GPUCMD_DRM_ASAHI_SET_VERTEX_ATTACHMENTS &&
                          raw->cmd_type <= GPUCMD_DRM_ASAHI_SET_COMPUTE_ATTACHMENTS;
    gpucmd_agx_rule rule = GPUCMD_AGX_RULE_COMMAND_UNKNOWN;
    if (software && (raw->vdm_barrier & raw->cdm_barrier) != GPUCMD_DRM_ASAHI_BARRIER_NONE) {
        rule = GPUCMD_AGX_RULE_SOFTWARE_BARRIER;
    } else if (!gpucmd_priv_agx_barrier_fits(raw->vdm_barrier, p->renders)) {
        rule = GPUCMD_AGX_RULE_VDM_BARRIER;
    } else if (!gpucmd_priv_agx_barrier_fits(raw->cdm_barrier, p->computes)) {
        rule = GPUCMD_AGX_RULE_CDM_BARRIER;
    } else if (software) {
        rule = gpucmd_priv_agx_parse_attachments(raw, gpucmd_priv_agx_by_text(p->objects),
                                                 p->collector);
    } else if (raw->cmd_type == GPUCMD_DRM_ASAHI_CMD_RENDER) {
        rule = gpucmd_priv_agx_parse_render(raw, p->objects, p->collector, taken, why);
    } else if (raw->cmd_type == GPUCMD_DRM_ASAHI_CMD_COMPUTE) {
        rule = gpucmd_priv_agx_parse_compute(raw, p->objects, p->collector, taken, why);
    }
    gpucmd_priv_agx_barrier_why(p, rule, why);
    if (why->value == 0) {
        why->value = gpucmd_priv_agx_header_value(raw, rule);
    }
    return rule;
}

/* Check command number `position` of a stream, at offset at_bytes. Write the broken rule to
 * *p->finding, or append a hardware command to the outputs. */
static void gpucmd_priv_agx_parse_one(gpucmd_priv_agx_parser *p, const gpucmd_agx_raw *raw,
                                      uint32_t position, size_t at_bytes)
{
    const uint32_t hardware = p->renders + p->computes;
    gpucmd_agx_taken taken;
    gpucmd_agx_kind kind = GPUCMD_AGX_KIND_RENDER;
    gpucmd_agx_finding why;
    gpucmd_priv_zero(&taken, sizeof taken);
    gpucmd_priv_zero(&why, sizeof why);
    if (p->collector != NULL) {
        p->collector->position = (int32_t)position;
        p->collector->at_bytes = at_bytes;
    }
    const gpucmd_agx_rule rule = gpucmd_priv_agx_parse_command(p, raw, &taken, &why);
    if (rule != GPUCMD_AGX_RULE_NONE) {
        gpucmd_agx_finding *const f = p->finding;
        if (p->taken != NULL && hardware < GPUCMD_AGX_MAX_COMMANDS) {
            p->taken[hardware].addresses = taken.addresses; /* for the caller to release */
        }
        (void)gpucmd_priv_agx_set_finding(f, rule, (int32_t)position, at_bytes);
        f->member = why.member;
        f->value = why.value;
        f->object = why.object;
        f->bytes = why.bytes;
        f->limit = why.limit;
        return;
    }
    if (raw->cmd_type == GPUCMD_DRM_ASAHI_CMD_RENDER) {
        p->renders++;
    } else if (raw->cmd_type == GPUCMD_DRM_ASAHI_CMD_COMPUTE) {
        p->computes++;
        kind = GPUCMD_AGX_KIND_COMPUTE;
    } else {
        return;
    }
    if (p->taken != NULL) {
        p->taken[hardware] = taken;
    }
    if (p->job != NULL) {
        gpucmd_agx_command *c =
            gpucmd_priv_agx_job_append(p->job, kind, raw->vdm_barrier, raw->cdm_barrier);
        c->position = position;
        c->off_bytes = (uint32_t)at_bytes;
    }
}

/* Store the finding that a stream has `count` hardware commands. */
static void gpucmd_priv_agx_reject_count(gpucmd_agx_finding *finding, uint32_t count)
{
    (void)gpucmd_priv_agx_set_finding(finding, GPUCMD_AGX_RULE_COMMAND_COUNT, -1, 0);
    finding->member = "count";
    finding->value = count;
    finding->limit = GPUCMD_AGX_MAX_COMMANDS;
}

/* Check the commands from offset at_bytes on as the second pass of the driver does: the next
 * command starts where the driver has stopped to read a payload. position is the index of the first
 * command. More than 64 hardware commands are rejected [OUR]. */
static void gpucmd_priv_agx_parse_rest(gpucmd_priv_agx_parser *p, const uint8_t *bytes,
                                       size_t len_bytes, size_t at_bytes, uint32_t position)
{
    gpucmd_agx_raw raw;
    while (at_bytes < len_bytes && p->finding->rule == GPUCMD_AGX_RULE_NONE) {
        (void)!gpucmd_agx_decode(bytes + at_bytes, len_bytes - at_bytes, &raw);
        if (raw.payload == NULL) {
            (void)gpucmd_priv_agx_set_finding(p->finding, GPUCMD_AGX_RULE_HEADER_TRUNCATED,
                                              (int32_t)position, at_bytes);
            p->finding->value = raw.len_bytes;
        } else if (raw.cmd_type <= GPUCMD_DRM_ASAHI_CMD_COMPUTE &&
                   p->renders + p->computes == GPUCMD_AGX_MAX_COMMANDS) {
            gpucmd_priv_agx_reject_count(p->finding, GPUCMD_AGX_MAX_COMMANDS + 1);
        } else {
            gpucmd_priv_agx_parse_one(p, &raw, position, at_bytes);
        }
        at_bytes += gpucmd_priv_agx_step_bytes(&raw);
        position++;
    }
}

/* As gpucmd_agx_parse_stream, but also write the timestamps of hardware command i (from 0) to
 * p->taken[i], and pass addresses to the collector; both may be NULL. The driver reads a copy of
 * the stream twice, first to check headers and the number of commands. This function reads each
 * byte once, because the process can change it. If a header or the number of commands is wrong,
 * this finding replaces an earlier finding. After a payload of which the driver leaves a tail,
 * headers and commands are those of the driver's second pass only [OUR]. */
static gpucmd_status gpucmd_priv_agx_parse(gpucmd_priv_agx_parser *p, const uint8_t *bytes,
                                           size_t len_bytes)
{
    gpucmd_agx_finding *const finding = p->finding;
    gpucmd_agx_walk walk;
    gpucmd_agx_raw raw;
    uint32_t position, hardware = 0;
    bool has_rest = false;
    (void)gpucmd_priv_agx_set_finding(finding, GPUCMD_AGX_RULE_NONE, -1, 0);
    if (p->job != NULL) {
        gpucmd_agx_job_init(p->job);
    }
    gpucmd_agx_walk_init(&walk, bytes, len_bytes);
    for (position = 0; walk.at_bytes < len_bytes; position++) {
        (void)gpucmd_agx_walk_next(&walk, &raw);
        if (raw.payload == NULL) {
            (void)gpucmd_priv_agx_set_finding(finding, GPUCMD_AGX_RULE_HEADER_TRUNCATED,
                                              (int32_t)position, walk.cmd_at_bytes);
            finding->value = raw.len_bytes;
            return GPUCMD_INVALID;
        }
        if (raw.cmd_type <= GPUCMD_DRM_ASAHI_CMD_COMPUTE) {
            hardware++;
        }
        if (finding->rule == GPUCMD_AGX_RULE_NONE && hardware <= GPUCMD_AGX_MAX_COMMANDS) {
            const uint32_t read_bytes = gpucmd_priv_agx_read_bytes(&raw);
            gpucmd_priv_agx_parse_one(p, &raw, position, walk.cmd_at_bytes);
            if (read_bytes < raw.avail_bytes && finding->rule == GPUCMD_AGX_RULE_NONE &&
                !gpucmd_priv_agx_by_text(p->objects)) {
                gpucmd_priv_agx_parse_rest(p, bytes, len_bytes,
                                           walk.at_bytes - (raw.avail_bytes - read_bytes),
                                           position + 1);
                hardware = p->renders + p->computes;
                has_rest = true;
                break;
            }
        }
    }
    if (hardware - 1 >= GPUCMD_AGX_MAX_COMMANDS &&
        (!has_rest || finding->rule == GPUCMD_AGX_RULE_NONE)) {
        gpucmd_priv_agx_reject_count(finding, hardware);
    }
    if (finding->rule != GPUCMD_AGX_RULE_NONE) {
        return GPUCMD_INVALID;
    }
    return GPUCMD_OK;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_agx_parse_stream(const uint8_t *bytes, size_t len_bytes,
                                                      const gpucmd_agx_objects *objects,
                                                      gpucmd_agx_job *job,
                                                      gpucmd_agx_finding *finding)
{
    gpucmd_priv_agx_parser p = {objects, job, NULL, finding, 0, 0, NULL};
    return gpucmd_priv_agx_parse(&p, bytes, len_bytes);
}

/* ---- order of the operations of a job ---- */

/* Merge clock b into clock a: for each firmware queue keep the higher value. */
static void gpucmd_priv_agx_join(gpucmd_agx_clock *a, const gpucmd_agx_clock *b)
{
    uint32_t i;
    for (i = 0; i < GPUCMD_AGX_RINGS; i++) {
        a->ended[i] = a->ended[i] > b->ended[i] ? a->ended[i] : b->ended[i];
    }
}

GPUCMD_PRIV_API void gpucmd_agx_lowering_init(gpucmd_agx_lowering *l, uint32_t prior)
{
    uint32_t i;
    gpucmd_priv_zero(l, sizeof *l);
    l->prior = prior;
    for (i = 0; i < GPUCMD_AGX_RINGS; i++) {
        l->tail[i].ended[i] = 1; /* a firmware queue executes prior work first */
    }
    l->compute_end[0].ended[GPUCMD_AGX_RING_COMPUTE] = 1;
    l->render_end[0].ended[GPUCMD_AGX_RING_VERTEX] = 1;
    l->render_end[0].ended[GPUCMD_AGX_RING_FRAGMENT] = 1;
    l->tail[GPUCMD_AGX_RING_FRAGMENT] = l->render_end[0];
}

static gpucmd_agx_entry gpucmd_priv_agx_entry(gpucmd_agx_ring ring, gpucmd_agx_op op,
                                              gpucmd_agx_ring target, uint32_t number,
                                              uint32_t command, bool blit)
{
    const gpucmd_agx_entry e = {(uint8_t)ring,    (uint8_t)op, (uint8_t)target, (uint8_t)number,
                                (uint8_t)command, blit,        false,           false};
    return e;
}

/* Return true if the render with this number in the job is a blit. */
static bool gpucmd_priv_agx_is_blit(const gpucmd_agx_lowering *l, uint32_t number)
{
    return number != 0 && (gpucmd_priv_shr(l->blits, number - 1) & 1) != 0;
}

/* Write a WAIT entry for each barrier of a command to out, the render barrier first. A barrier of
 * index 0 gets an entry only if there is prior work. Merge the clocks of the operations that the
 * entries wait for into the clock of the queue, unless redundant. Return the number of entries. */
static uint32_t gpucmd_priv_agx_lower_waits(gpucmd_agx_lowering *l, const gpucmd_agx_command *c,
                                            uint32_t idx, gpucmd_agx_ring ring,
                                            gpucmd_agx_entry *out)
{
    gpucmd_agx_clock *know = &l->tail[ring];
    const uint32_t r = c->render_barrier;
    const uint32_t b = c->compute_barrier;
    const bool wait_r =
        r != GPUCMD_DRM_ASAHI_BARRIER_NONE && (r != 0 || (l->prior & GPUCMD_AGX_PRIOR_RENDER) != 0);
    const bool wait_b = b != GPUCMD_DRM_ASAHI_BARRIER_NONE &&
                        (b != 0 || (l->prior & GPUCMD_AGX_PRIOR_COMPUTE) != 0);
    uint32_t n = 0;
    if (wait_r) {
        out[n] = gpucmd_priv_agx_entry(ring, GPUCMD_AGX_OP_WAIT, GPUCMD_AGX_RING_FRAGMENT, r, idx,
                                       gpucmd_priv_agx_is_blit(l, r));
        out[n].redundant = know->ended[GPUCMD_AGX_RING_FRAGMENT] > r ||
                           (wait_b && l->compute_end[b].ended[GPUCMD_AGX_RING_FRAGMENT] > r);
        if (!out[n++].redundant) {
            gpucmd_priv_agx_join(know, &l->render_end[r]);
        }
    }
    if (wait_b) {
        out[n] =
            gpucmd_priv_agx_entry(ring, GPUCMD_AGX_OP_WAIT, GPUCMD_AGX_RING_COMPUTE, b, idx, false);
        out[n].redundant = know->ended[GPUCMD_AGX_RING_COMPUTE] > b;
        if (!out[n++].redundant) {
            gpucmd_priv_agx_join(know, &l->compute_end[b]);
        }
    }
    return n;
}

/* Return a RUN entry. Copy the clock of the firmware queue to l->last. Then record the operation as
 * ended in the clock, because later entries of the queue start after it has ended. */
static gpucmd_agx_entry gpucmd_priv_agx_lower_run(gpucmd_agx_lowering *l, gpucmd_agx_ring ring,
                                                  uint32_t number, uint32_t idx, bool blit)
{
    gpucmd_agx_clock *know = &l->tail[ring];
    l->last[ring == GPUCMD_AGX_RING_FRAGMENT ? 1 : 0] = *know;
    know->ended[ring] = (uint8_t)(number + 1);
    return gpucmd_priv_agx_entry(ring, GPUCMD_AGX_OP_RUN, ring, number, idx, blit);
}

/* Return true if each barrier is NONE or at most the number of earlier commands of its kind. */
static bool gpucmd_priv_agx_barriers_fit(const gpucmd_agx_command *c, size_t renders,
                                         size_t computes)
{
    return gpucmd_priv_agx_barrier_fits(c->render_barrier, renders) &&
           gpucmd_priv_agx_barrier_fits(c->compute_barrier, computes);
}

/* Return the firmware queue that executes the waits and the first operation of a command. */
static gpucmd_agx_ring gpucmd_priv_agx_first_ring(const gpucmd_agx_command *c)
{
    if (c->kind == GPUCMD_AGX_KIND_COMPUTE) {
        return GPUCMD_AGX_RING_COMPUTE;
    }
    if (c->kind == GPUCMD_AGX_KIND_RENDER) {
        return GPUCMD_AGX_RING_VERTEX;
    }
    return GPUCMD_AGX_RING_FRAGMENT;
}

GPUCMD_PRIV_API uint32_t gpucmd_agx_lower_command(gpucmd_agx_lowering *l,
                                                  const gpucmd_agx_command *command, uint32_t idx,
                                                  gpucmd_agx_entry out[GPUCMD_AGX_COMMAND_ENTRIES])
{
    const gpucmd_agx_ring ring = gpucmd_priv_agx_first_ring(command);
    uint32_t n = gpucmd_priv_agx_lower_waits(l, command, idx, ring, out);
    if (ring == GPUCMD_AGX_RING_COMPUTE) {
        l->computes++;
        out[n++] = gpucmd_priv_agx_lower_run(l, ring, l->computes, idx, false);
        l->compute_end[l->computes] = l->tail[ring];
        return n;
    }
    l->renders++;
    const bool blit = ring == GPUCMD_AGX_RING_FRAGMENT;
    if (blit) {
        l->blits |= gpucmd_priv_shl(1, l->renders - 1);
    } else {
        out[n++] = gpucmd_priv_agx_lower_run(l, ring, l->renders, idx, false);
        out[n] = gpucmd_priv_agx_entry(GPUCMD_AGX_RING_FRAGMENT, GPUCMD_AGX_OP_WAIT, ring,
                                       l->renders, idx, false);
        out[n++].implicit = true;
        gpucmd_priv_agx_join(&l->tail[GPUCMD_AGX_RING_FRAGMENT], &l->tail[ring]);
    }
    out[n++] = gpucmd_priv_agx_lower_run(l, GPUCMD_AGX_RING_FRAGMENT, l->renders, idx, blit);
    l->render_end[l->renders] = l->tail[GPUCMD_AGX_RING_FRAGMENT];
    return n;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_agx_lower(const gpucmd_agx_job *job, uint32_t prior,
                                               gpucmd_agx_entry *entries, uint32_t cap,
                                               uint32_t *count)
{
    gpucmd_agx_lowering l;
    uint32_t i, k, n = 0;
    gpucmd_agx_lowering_init(&l, prior);
    for (i = 0; i < job->count; i++) {
        const gpucmd_agx_command *c = &job->commands[i];
        gpucmd_agx_entry few[GPUCMD_AGX_COMMAND_ENTRIES];
        gpucmd_agx_entry *out = cap - n < GPUCMD_AGX_COMMAND_ENTRIES ? few : entries + n;
        if (!gpucmd_priv_agx_barriers_fit(c, l.renders, l.computes)) {
            return GPUCMD_ORDER;
        }
        const uint32_t got = gpucmd_agx_lower_command(&l, c, i, out);
        if (got > cap - n) {
            return GPUCMD_FULL;
        }
        for (k = 0; out == few && k < got; k++) {
            entries[n + k] = few[k];
        }
        n += got;
    }
    *count = n;
    return GPUCMD_OK;
}

GPUCMD_PRIV_API uint32_t gpucmd_agx_drop_redundant(gpucmd_agx_entry *entries, uint32_t count)
{
    uint32_t i, n = 0;
    for (i = 0; i < count; i++) {
        if (!entries[i].redundant) {
            entries[n++] = entries[i];
        }
    }
    return n;
}

/* As gpucmd_agx_order_init. It is not inlined: a caller has an order of 850 bytes in its frame. */
GPUCMD_PRIV_NOINLINE void gpucmd_priv_agx_order_fill(gpucmd_agx_order *order,
                                                     const gpucmd_agx_job *job, uint32_t prior,
                                                     int32_t without, gpucmd_agx_ring without_part)
{
    uint32_t i;
    gpucmd_agx_lowering_init(&order->lowering, prior);
    for (i = 0; i < job->count; i++) {
        gpucmd_agx_command c = job->commands[i];
        gpucmd_agx_entry out[GPUCMD_AGX_COMMAND_ENTRIES];
        if (without >= 0 && i == (uint32_t)without) {
            if (without_part == GPUCMD_AGX_RING_COMPUTE) {
                c.compute_barrier = GPUCMD_DRM_ASAHI_BARRIER_NONE;
            } else {
                c.render_barrier = GPUCMD_DRM_ASAHI_BARRIER_NONE;
            }
        }
        (void)gpucmd_agx_lower_command(&order->lowering, &c, i, out);
        order->before[i][0] = order->lowering.last[0];
        order->before[i][1] = order->lowering.last[1];
    }
}

GPUCMD_PRIV_API void gpucmd_agx_order_init(gpucmd_agx_order *order, const gpucmd_agx_job *job,
                                           uint32_t prior, int32_t without,
                                           gpucmd_agx_ring without_part)
{
    gpucmd_priv_agx_order_fill(order, job, prior, without, without_part);
}

GPUCMD_PRIV_API bool gpucmd_agx_ordered(const gpucmd_agx_order *order, const gpucmd_agx_job *job,
                                        uint32_t first, gpucmd_agx_ring first_part, uint32_t second,
                                        gpucmd_agx_ring second_part)
{
    const gpucmd_agx_clock *before =
        &order->before[second][second_part == GPUCMD_AGX_RING_FRAGMENT ? 1 : 0];
    return before->ended[first_part] > job->commands[first].number;
}

/* ---- jobs ---- */

/* Number of rules from CHECK_IMPLIED to CHECK_ALONE; CHECK_MISSING is one of them. */
enum {
    GPUCMD_AGX_PRIV_OVER_RULES =
        (int)GPUCMD_AGX_RULE_CHECK_ALONE - (int)GPUCMD_AGX_RULE_CHECK_IMPLIED + 1
};

/* State of a check: its input, the number of errors so far, and the first status of the callback
 * that is not GPUCMD_OK, which ends the check. */
typedef struct gpucmd_priv_agx_checker {
    const gpucmd_agx_job *job; /* NULL: a stream is checked */
    gpucmd_agx_check_options options;
    size_t errors;
    gpucmd_status status;
    /* Rules of gpucmd_agx_over_order, from CHECK_IMPLIED on: the number of their findings, and
     * the first. */
    uint32_t over_count[GPUCMD_AGX_PRIV_OVER_RULES];
    uint32_t over_first[GPUCMD_AGX_PRIV_OVER_RULES];
    char over_letter[GPUCMD_AGX_PRIV_OVER_RULES];
} gpucmd_priv_agx_checker;

/* Initialize *c. options may be NULL. */
static void gpucmd_priv_agx_checker_init(gpucmd_priv_agx_checker *c, const gpucmd_agx_job *job,
                                         const gpucmd_agx_check_options *options)
{
    gpucmd_priv_zero(c, sizeof *c);
    c->job = job;
    if (options != NULL) {
        c->options = *options;
    }
}

/* Count a finding and pass it to the callback, unless the callback has ended the check. */
static void gpucmd_priv_agx_report(gpucmd_priv_agx_checker *c, const gpucmd_agx_finding *finding)
{
    if (c->status != GPUCMD_OK) {
        return;
    }
    c->errors += finding->severity == GPUCMD_SEVERITY_ERROR;
    if (c->options.found != NULL) {
        c->status = c->options.found(c->options.user, finding);
    }
}

/* Return the status of a check. If it is GPUCMD_OK, write the number of errors to *errors, unless
 * errors is NULL. */
static gpucmd_status gpucmd_priv_agx_checked(const gpucmd_priv_agx_checker *c, size_t *errors)
{
    if (c->status == GPUCMD_OK && errors != NULL) {
        *errors = c->errors;
    }
    return c->status;
}

/* Report a finding about command idx of the job. */
static void gpucmd_priv_agx_report_command(gpucmd_priv_agx_checker *c, gpucmd_agx_rule rule,
                                           uint32_t idx, char barrier_at)
{
    const gpucmd_agx_command *command = &c->job->commands[idx];
    gpucmd_agx_finding f;
    (void)gpucmd_priv_agx_set_finding(&f, rule, (int32_t)command->position, command->off_bytes);
    f.barrier_at = barrier_at;
    if (barrier_at == 'R') {
        f.value = command->render_barrier;
    } else if (barrier_at == 'C') {
        f.value = command->compute_barrier;
    }
    gpucmd_priv_agx_report(c, &f);
}

/* Report that command idx orders more than needed, as the options say. */
static void gpucmd_priv_agx_report_over(gpucmd_priv_agx_checker *c, gpucmd_agx_rule rule,
                                        uint32_t idx, char barrier_at)
{
    const uint32_t i = (uint32_t)rule - GPUCMD_AGX_RULE_CHECK_IMPLIED;
    if (c->options.over_order == GPUCMD_AGX_OVER_ORDER_EACH) {
        gpucmd_priv_agx_report_command(c, rule, idx, barrier_at);
    } else if (c->over_count[i]++ == 0) {
        c->over_first[i] = idx;
        c->over_letter[i] = barrier_at;
    }
}

/* Report the rules of gpucmd_priv_agx_report_over once each, if the options say so. */
GPUCMD_PRIV_NOINLINE void gpucmd_priv_agx_report_overs(gpucmd_priv_agx_checker *c)
{
    uint32_t i;
    for (i = 0; i < GPUCMD_AGX_PRIV_OVER_RULES; i++) {
        const gpucmd_agx_rule rule = (gpucmd_agx_rule)(GPUCMD_AGX_RULE_CHECK_IMPLIED + i);
        gpucmd_agx_finding f;
        if (c->over_count[i] == 1) {
            gpucmd_priv_agx_report_command(c, rule, c->over_first[i], c->over_letter[i]);
        } else if (c->over_count[i] != 0) {
            const gpucmd_agx_command *command = &c->job->commands[c->over_first[i]];
            (void)gpucmd_priv_agx_set_finding(&f, rule, (int32_t)command->position,
                                              command->off_bytes);
            f.barrier_at = c->over_letter[i];
            f.member = "count";
            f.value = c->over_count[i];
            gpucmd_priv_agx_report(c, &f);
        }
    }
}

/* Report that command idx accesses memory of the earlier command `other` without an order, and the
 * barrier that would order them: the end of the other command. */
static void gpucmd_priv_agx_report_missing(gpucmd_priv_agx_checker *c, uint32_t idx, uint32_t other)
{
    const gpucmd_agx_command *command = &c->job->commands[idx];
    const gpucmd_agx_command *before = &c->job->commands[other];
    gpucmd_agx_finding f;
    (void)gpucmd_priv_agx_set_finding(&f, GPUCMD_AGX_RULE_CHECK_MISSING, (int32_t)command->position,
                                      command->off_bytes);
    f.other = (int32_t)before->position;
    f.value = before->number;
    f.member = "vdm_barrier";
    f.barrier_at = 'R';
    if (before->kind == GPUCMD_AGX_KIND_COMPUTE) {
        f.member = "cdm_barrier";
        f.barrier_at = 'C';
    }
    gpucmd_priv_agx_report(c, &f);
}

/* ---- jobs: accesses ---- */

/* Return true if two ranges share a byte. */
static bool gpucmd_priv_agx_overlap(const gpucmd_agx_access *a, const gpucmd_agx_access *b)
{
    if (a->va < b->va) {
        return b->va - a->va < a->bytes && b->bytes != 0;
    }
    return a->va - b->va < b->bytes && a->bytes != 0;
}

/* Return true if two accesses need an order and have none: a is in an earlier command than b,
 * both ranges overlap, a or b writes, and no barrier and no firmware queue orders a before b. */
static bool gpucmd_priv_agx_hazard(const gpucmd_agx_job *job, const gpucmd_agx_order *order,
                                   const gpucmd_agx_access *a, const gpucmd_agx_access *b)
{
    return a->command < b->command && b->command < job->count && (a->writes || b->writes) &&
           gpucmd_priv_agx_overlap(a, b) &&
           !gpucmd_agx_ordered(order, job, a->command, a->part, b->command, b->part);
}

/* Return the number of pairs of accesses that need an order and have none. Report each if report is
 * true. */
GPUCMD_PRIV_NOINLINE size_t gpucmd_priv_agx_hazards(gpucmd_priv_agx_checker *c,
                                                    const gpucmd_agx_order *order, bool report)
{
    uint32_t i, k;
    size_t found = 0;
    for (i = 0; i < c->options.access_count; i++) {
        for (k = 0; k < c->options.access_count; k++) {
            const gpucmd_agx_access *a = &c->options.accesses[i];
            const gpucmd_agx_access *b = &c->options.accesses[k];
            if (!gpucmd_priv_agx_hazard(c->job, order, a, b)) {
                continue;
            }
            found++;
            if (report) {
                gpucmd_priv_agx_report_missing(c, b->command, a->command);
            }
        }
    }
    return found;
}

/* As gpucmd_priv_agx_hazards, for the job without one barrier of command `without`; -1: with all
 * barriers. */
GPUCMD_PRIV_NOINLINE size_t gpucmd_priv_agx_hazards_without(gpucmd_priv_agx_checker *c,
                                                            int32_t without, gpucmd_agx_ring part,
                                                            bool report)
{
    gpucmd_agx_order order;
    gpucmd_agx_order_init(&order, c->job, c->options.prior, without, part);
    return gpucmd_priv_agx_hazards(c, &order, report);
}

/* Return 'C' for a wait for a compute, 'R' for a wait for a render. */
static char gpucmd_priv_agx_wait_letter(const gpucmd_agx_entry *e)
{
    if (e->target == GPUCMD_AGX_RING_COMPUTE) {
        return 'C';
    }
    return 'R';
}

/* Report barriers of command idx that have no effect. out holds the n entries of the
 * command; computes is the number of earlier computes. */
static void gpucmd_priv_agx_check_waits(gpucmd_priv_agx_checker *c, uint32_t idx,
                                        const gpucmd_agx_entry *out, uint32_t n, uint32_t computes)
{
    const gpucmd_agx_command *command = &c->job->commands[idx];
    uint32_t k;
    if (command->render_barrier == 0 && (c->options.prior & GPUCMD_AGX_PRIOR_RENDER) == 0) {
        gpucmd_priv_agx_report_over(c, GPUCMD_AGX_RULE_CHECK_NO_PRIOR, idx, 'R');
    }
    if (command->compute_barrier == 0 && (c->options.prior & GPUCMD_AGX_PRIOR_COMPUTE) == 0) {
        gpucmd_priv_agx_report_over(c, GPUCMD_AGX_RULE_CHECK_NO_PRIOR, idx, 'C');
    }
    for (k = 0; k < n; k++) {
        gpucmd_agx_rule rule = GPUCMD_AGX_RULE_CHECK_IMPLIED;
        if (!out[k].redundant) {
            continue;
        }
        if (out[k].ring == GPUCMD_AGX_RING_COMPUTE && out[k].target == GPUCMD_AGX_RING_COMPUTE &&
            out[k].number == computes) {
            rule = GPUCMD_AGX_RULE_CHECK_OWN_COMPUTE;
        }
        gpucmd_priv_agx_report_over(c, rule, idx, gpucmd_priv_agx_wait_letter(&out[k]));
    }
}

/* Report each barrier of command idx that can be removed without leaving a declared access
 * unordered. Skip barriers of index 0 and redundant barriers. out holds the n entries of the
 * command. */
static void gpucmd_priv_agx_check_accidents(gpucmd_priv_agx_checker *c, uint32_t idx,
                                            const gpucmd_agx_entry *out, uint32_t n)
{
    uint32_t k;
    for (k = 0; k < n; k++) {
        if (out[k].op != GPUCMD_AGX_OP_WAIT || out[k].implicit || out[k].redundant ||
            out[k].number == 0) {
            continue;
        }
        if (gpucmd_priv_agx_hazards_without(c, (int32_t)idx, (gpucmd_agx_ring)out[k].target,
                                            false) == 0) {
            gpucmd_priv_agx_report_over(c, GPUCMD_AGX_RULE_CHECK_ACCIDENT, idx,
                                        gpucmd_priv_agx_wait_letter(&out[k]));
        }
    }
}

GPUCMD_PRIV_API gpucmd_status gpucmd_agx_check(const gpucmd_agx_job *job,
                                               const gpucmd_agx_check_options *options,
                                               size_t *errors)
{
    gpucmd_priv_agx_checker c;
    gpucmd_agx_lowering l;
    uint32_t i;
    gpucmd_priv_agx_checker_init(&c, job, options);
    const bool over = c.options.over_order != GPUCMD_AGX_OVER_ORDER_OFF;
    if (over && job->count == 1 && job->commands[0].render_barrier == 0 &&
        job->commands[0].compute_barrier == 0) {
        gpucmd_priv_agx_report_over(&c, GPUCMD_AGX_RULE_CHECK_ALONE, 0, '\0');
    }
    if (c.options.access_count != 0) {
        (void)gpucmd_priv_agx_hazards_without(&c, -1, GPUCMD_AGX_RING_COMPUTE, true);
    }
    gpucmd_agx_lowering_init(&l, c.options.prior);
    for (i = 0; i < job->count && c.status == GPUCMD_OK; i++) {
        gpucmd_agx_entry out[GPUCMD_AGX_COMMAND_ENTRIES];
        const uint32_t computes = l.computes;
        if (job->commands[i].kind == GPUCMD_AGX_KIND_BLIT) {
            gpucmd_priv_agx_report_command(&c, GPUCMD_AGX_RULE_CHECK_BLIT, i, '\0');
        }
        const uint32_t n = gpucmd_agx_lower_command(&l, &job->commands[i], i, out);
        if (over) {
            gpucmd_priv_agx_check_waits(&c, i, out, n, computes);
        }
        if (over && c.options.access_count != 0) {
            gpucmd_priv_agx_check_accidents(&c, i, out, n);
        }
    }
    gpucmd_priv_agx_report_overs(&c);
    return gpucmd_priv_agx_checked(&c, errors);
}

/* Report timestamp offsets that are not multiples of 8, of command number `position` of a stream at
 * offset at_bytes. The finding is made only then, because it needs the texts of the rule. */
static void gpucmd_priv_agx_check_stamp_aligns(gpucmd_priv_agx_checker *c, int32_t position,
                                               size_t at_bytes,
                                               const struct gpucmd_drm_asahi_timestamps *stamps)
{
    const struct gpucmd_drm_asahi_timestamp both[2] = {stamps->start, stamps->end};
    uint32_t i;
    for (i = 0; i < 2; i++) {
        if (both[i].handle != 0 && both[i].offset % GPUCMD_AGX_TIMESTAMP_BYTES != 0) {
            gpucmd_agx_finding f;
            (void)gpucmd_priv_agx_set_finding(&f, GPUCMD_AGX_RULE_CHECK_STAMP_ALIGN, position,
                                              at_bytes);
            f.value = both[i].offset;
            gpucmd_priv_agx_report(c, &f);
        }
    }
}

/* Check the timestamp offsets of command number `position` of a stream, at offset at_bytes. */
GPUCMD_PRIV_NOINLINE void gpucmd_priv_agx_check_stamps_of(gpucmd_priv_agx_checker *c,
                                                          const gpucmd_agx_raw *raw,
                                                          int32_t position, size_t at_bytes)
{
    struct gpucmd_drm_asahi_cmd_render render;
    struct gpucmd_drm_asahi_cmd_compute compute;
    if (raw->cmd_type == GPUCMD_DRM_ASAHI_CMD_RENDER) {
        gpucmd_agx_load_render(raw, &render);
        gpucmd_priv_agx_check_stamp_aligns(c, position, at_bytes, &render.ts_vtx);
        gpucmd_priv_agx_check_stamp_aligns(c, position, at_bytes, &render.ts_frag);
    } else if (raw->cmd_type == GPUCMD_DRM_ASAHI_CMD_COMPUTE) {
        gpucmd_agx_load_compute(raw, &compute);
        gpucmd_priv_agx_check_stamp_aligns(c, position, at_bytes, &compute.ts);
    }
}

/* ---- streams: addresses, control streams ---- */

/* Report an address of a block that the VM does not map. */
static void gpucmd_priv_agx_check_block(gpucmd_priv_agx_checker *c,
                                        const gpucmd_priv_agx_collector *collector,
                                        const gpucmd_agx_block *b)
{
    uint32_t i, pieces = 0;
    for (i = 0; i < b->address_count; i++) {
        gpucmd_agx_address a;
        gpucmd_agx_finding f;
        uint64_t bad_va = 0;
        gpucmd_priv_zero(&a, sizeof a);
        a.va = b->addresses[i].va;
        if (b->addresses[i].usc) {
            a.va = gpucmd_priv_agx_usc_va(c->options.usc_exec_base, a.va);
        }
        a.bytes = b->addresses[i].bytes;
        a.access_mask = (uint8_t)GPUCMD_ACCESS_READ;
        const gpucmd_agx_fault fault =
            gpucmd_priv_agx_check_mapped(c->options.maps, c->options.space, &a, &bad_va, &pieces);
        if (fault != GPUCMD_AGX_FAULT_NONE) {
            gpucmd_priv_agx_fault_finding(&f, &a, fault, bad_va, collector->position,
                                          collector->at_bytes);
            f.member = b->addresses[i].name;
            gpucmd_priv_agx_report(c, &f);
        }
    }
}

/* Walk the control stream of a command and report what is wrong in it. */
GPUCMD_PRIV_NOINLINE void gpucmd_priv_agx_check_ctrl(gpucmd_priv_agx_checker *c,
                                                     const gpucmd_priv_agx_collector *collector,
                                                     const gpucmd_agx_address *address)
{
    gpucmd_agx_ctrl_walk walk;
    gpucmd_agx_block b;
    gpucmd_agx_finding f;
    uint32_t count = 0;
    gpucmd_agx_ctrl_init(&walk, c->options.mem,
                         address->id == GPUCMD_AGX_ADDRESS_VDM_STREAM ? GPUCMD_AGX_CTRL_VDM
                                                                      : GPUCMD_AGX_CTRL_CDM,
                         address->va, c->options.params);
    while (count < GPUCMD_AGX_CHECK_BLOCKS && c->status == GPUCMD_OK &&
           gpucmd_agx_ctrl_next(&walk, &b)) {
        count++;
        gpucmd_priv_agx_check_block(c, collector, &b);
    }
    gpucmd_agx_rule rule = GPUCMD_AGX_RULE_NONE;
    if (walk.status == GPUCMD_INVALID) {
        rule = GPUCMD_AGX_RULE_CHECK_BLOCK;
    } else if ((count == GPUCMD_AGX_CHECK_BLOCKS && walk.mem != NULL) ||
               walk.status == GPUCMD_LIMIT) {
        rule = GPUCMD_AGX_RULE_CHECK_NO_END;
    } else if (walk.status == GPUCMD_FAULT) {
        rule = GPUCMD_AGX_RULE_CHECK_UNMAPPED;
    }
    if (rule != GPUCMD_AGX_RULE_NONE) {
        (void)gpucmd_priv_agx_set_finding(&f, rule, collector->position, collector->at_bytes);
        f.member = "control stream";
        f.value = address->va;
        f.least = walk.va;
        if (rule == GPUCMD_AGX_RULE_CHECK_BLOCK) {
            f.value = walk.dw;
        } else if (rule == GPUCMD_AGX_RULE_CHECK_NO_END) {
            f.value = count;
        }
        gpucmd_priv_agx_report(c, &f);
    }
}

/* The member `add` of a collector of the checker: report an address that the VM does not map. If it
 * is that of a control stream, walk the stream. */
static bool gpucmd_priv_agx_report_address(gpucmd_priv_agx_collector *collector,
                                           gpucmd_agx_taken *taken,
                                           const gpucmd_agx_address *address)
{
    gpucmd_priv_agx_checker *const c = (gpucmd_priv_agx_checker *)collector->user;
    gpucmd_agx_finding f;
    uint64_t bad_va = 0;
    uint32_t pieces = 0;
    const gpucmd_agx_fault fault =
        gpucmd_priv_agx_check_mapped(c->options.maps, c->options.space, address, &bad_va, &pieces);
    (void)taken;
    if (fault != GPUCMD_AGX_FAULT_NONE) {
        gpucmd_priv_agx_fault_finding(&f, address, fault, bad_va, collector->position,
                                      collector->at_bytes);
        gpucmd_priv_agx_report(c, &f);
    } else if (c->options.mem != NULL && (address->id == GPUCMD_AGX_ADDRESS_VDM_STREAM ||
                                          address->id == GPUCMD_AGX_ADDRESS_CDM_STREAM)) {
        gpucmd_priv_agx_check_ctrl(c, collector, address);
    }
    return true;
}

/* Pass the addresses of a valid command to the collector of the checker, which has room for all. */
GPUCMD_PRIV_NOINLINE void gpucmd_priv_agx_check_addresses_of(gpucmd_priv_agx_collector *collector,
                                                             const gpucmd_agx_raw *raw)
{
    struct gpucmd_drm_asahi_cmd_render render;
    struct gpucmd_drm_asahi_cmd_compute compute;
    if (raw->cmd_type == GPUCMD_DRM_ASAHI_CMD_RENDER) {
        gpucmd_agx_load_render(raw, &render);
        (void)gpucmd_priv_agx_collect_render(collector, &render, NULL);
    } else if (raw->cmd_type == GPUCMD_DRM_ASAHI_CMD_COMPUTE) {
        gpucmd_agx_load_compute(raw, &compute);
        (void)gpucmd_priv_agx_collect_compute(collector, &compute, NULL);
    } else {
        (void)gpucmd_priv_agx_parse_attachments(raw, false, collector);
    }
}

/* Report the addresses of a valid stream that the VM of the options does not map. As in the driver,
 * a command begins where the reading of the payload before it has stopped. */
GPUCMD_PRIV_NOINLINE void gpucmd_priv_agx_check_addresses(gpucmd_priv_agx_checker *c,
                                                          const uint8_t *bytes, size_t len_bytes)
{
    gpucmd_priv_agx_collector collector;
    gpucmd_agx_raw raw;
    size_t at_bytes = 0;
    gpucmd_priv_zero(&collector, sizeof collector);
    collector.add = gpucmd_priv_agx_report_address;
    collector.user = c;
    collector.usc_exec_base = c->options.usc_exec_base;
    for (; at_bytes < len_bytes; collector.position++) {
        (void)!gpucmd_agx_decode(bytes + at_bytes, len_bytes - at_bytes, &raw);
        collector.at_bytes = at_bytes;
        gpucmd_priv_agx_check_addresses_of(&collector, &raw);
        at_bytes += gpucmd_priv_agx_step_bytes(&raw);
    }
}

GPUCMD_PRIV_API gpucmd_status gpucmd_agx_check_stream(const uint8_t *bytes, size_t len_bytes,
                                                      const gpucmd_agx_check_options *options,
                                                      size_t *errors)
{
    gpucmd_priv_agx_checker c;
    gpucmd_agx_finding broken;
    gpucmd_agx_raw raw;
    size_t at_bytes = 0;
    int32_t position;
    gpucmd_priv_agx_checker_init(&c, NULL, options);
    gpucmd_priv_zero(&broken, sizeof broken);
    if (gpucmd_agx_parse_stream(bytes, len_bytes, NULL, NULL, &broken) != GPUCMD_OK) {
        gpucmd_priv_agx_report(&c, &broken);
    } else if (c.options.maps != NULL) {
        gpucmd_priv_agx_check_addresses(&c, bytes, len_bytes);
    }
    for (position = 0; at_bytes < len_bytes && c.status == GPUCMD_OK; position++) {
        if (gpucmd_agx_decode(bytes + at_bytes, len_bytes - at_bytes, &raw) == GPUCMD_OK) {
            gpucmd_priv_agx_check_stamps_of(&c, &raw, position, at_bytes);
        }
        at_bytes += gpucmd_priv_agx_step_bytes(&raw);
    }
    return gpucmd_priv_agx_checked(&c, errors);
}

/* ==== [AGX.IMPL.EXEC] ====================================================================== */

/* ---- one job over time ---- */

/* Return the time that part `part` of a command needs. */
static uint64_t gpucmd_priv_agx_duration(const gpucmd_agx_durations *durations, uint32_t command,
                                         gpucmd_agx_ring part)
{
    if (durations->each != NULL) {
        return durations->each(durations->user, command, part);
    }
    return durations->ring[part];
}

/* Return start + duration, or 2^64 - 1 if the sum is larger. */
static uint64_t gpucmd_priv_agx_end(uint64_t start, uint64_t duration)
{
    if (start + duration < start) {
        return ~(uint64_t)0;
    }
    return start + duration;
}

/* Write the operation of RUN entry e to *s and return s. An end above 2^64 - 1 becomes 2^64 - 1. */
GPUCMD_PRIV_NOINLINE gpucmd_agx_span *gpucmd_priv_agx_span(gpucmd_agx_span *s,
                                                           const gpucmd_agx_entry *e,
                                                           uint64_t start,
                                                           const gpucmd_agx_durations *durations)
{
    const gpucmd_agx_ring part = (gpucmd_agx_ring)e->ring;
    const uint64_t end =
        gpucmd_priv_agx_end(start, gpucmd_priv_agx_duration(durations, e->command, part));
    const gpucmd_agx_span span = {start, end, 0, 0, e->ring, e->number, e->command, e->blit};
    *s = span;
    return s;
}

GPUCMD_PRIV_API uint32_t gpucmd_agx_schedule(const gpucmd_agx_job *job,
                                             const uint64_t prior_end[GPUCMD_AGX_RINGS],
                                             const gpucmd_agx_durations *durations,
                                             gpucmd_agx_span *spans)
{
    static const uint64_t none[GPUCMD_AGX_RINGS] = {0, 0, 0};
    const uint64_t *prior = none;
    struct {
        uint64_t clock[GPUCMD_AGX_RINGS];
        uint8_t span_of[GPUCMD_AGX_RINGS][GPUCMD_AGX_MAX_COMMANDS + 1];
    } at;
    gpucmd_agx_lowering l;
    uint32_t i, k, n = 0;
    gpucmd_agx_lowering_init(&l, GPUCMD_AGX_PRIOR_NONE);
    if (prior_end != NULL) {
        gpucmd_agx_lowering_init(&l, GPUCMD_AGX_PRIOR_BOTH);
        prior = prior_end;
    }
    for (i = 0; i < GPUCMD_AGX_RINGS; i++) {
        at.clock[i] = prior[i];
    }
    for (i = 0; i < job->count; i++) {
        gpucmd_agx_entry out[GPUCMD_AGX_COMMAND_ENTRIES];
        const uint32_t got = gpucmd_agx_lower_command(&l, &job->commands[i], i, out);
        for (k = 0; k < got; k++) {
            const gpucmd_agx_entry *e = &out[k];
            if (e->op == GPUCMD_AGX_OP_WAIT) {
                const uint64_t end =
                    e->number == 0 ? prior[e->target] : spans[at.span_of[e->target][e->number]].end;
                at.clock[e->ring] = gpucmd_priv_max(at.clock[e->ring], end);
            } else {
                at.span_of[e->ring][e->number] = (uint8_t)n;
                at.clock[e->ring] =
                    gpucmd_priv_agx_span(&spans[n++], e, at.clock[e->ring], durations)->end;
            }
        }
    }
    return n;
}

/* ---- pictures ---- */

/* Return the letter of a command: C compute, B blit, R render. */
static char gpucmd_priv_agx_letter(bool compute, bool blit)
{
    if (compute) {
        return 'C';
    }
    if (blit) {
        return 'B';
    }
    return 'R';
}

/* Print the name of an operation: "C1", "R2v", "B3f". */
static void gpucmd_priv_agx_print_operation(gpucmd_text *t, uint32_t ring, bool blit,
                                            uint32_t number)
{
    gpucmd_text_char(t, gpucmd_priv_agx_letter(ring == GPUCMD_AGX_RING_COMPUTE, blit));
    gpucmd_text_dec(t, number);
    if (ring == GPUCMD_AGX_RING_VERTEX) {
        gpucmd_text_char(t, 'v');
    } else if (ring != GPUCMD_AGX_RING_COMPUTE) {
        gpucmd_text_char(t, 'f');
    }
}

GPUCMD_PRIV_API void gpucmd_agx_print_target(gpucmd_text *t, const gpucmd_agx_entry *entry)
{
    gpucmd_priv_agx_print_operation(t, entry->target, entry->blit, entry->number);
}

GPUCMD_PRIV_API void gpucmd_agx_print_entry(gpucmd_text *t, const gpucmd_agx_entry *entry)
{
    gpucmd_text_str(t, entry->op == GPUCMD_AGX_OP_RUN ? "RUN " : "WAIT ");
    gpucmd_agx_print_target(t, entry);
}

GPUCMD_PRIV_API void gpucmd_agx_print_queues(gpucmd_text *t, const gpucmd_agx_entry *entries,
                                             uint32_t count)
{
    uint32_t ring;
    uint32_t at[GPUCMD_AGX_RINGS] = {0, 0, 0};
    gpucmd_text_str(t, "Compute     Vertex      Fragment\n");
    for (;;) {
        bool any = false;
        for (ring = 0; ring < GPUCMD_AGX_RINGS; ring++) {
            while (at[ring] < count && entries[at[ring]].ring != ring) {
                at[ring]++;
            }
            if (at[ring] < count) {
                gpucmd_text_pad(t, 12 * (size_t)ring);
                gpucmd_agx_print_entry(t, &entries[at[ring]++]);
                any = true;
            }
        }
        if (!any) {
            return;
        }
        gpucmd_text_char(t, '\n');
    }
}

GPUCMD_PRIV_API void gpucmd_agx_print_queues_tsv(gpucmd_text *t, const gpucmd_agx_entry *entries,
                                                 uint32_t count)
{
    uint32_t ring, i;
    gpucmd_text_str(t, "queue\top\ttarget\n");
    for (ring = 0; ring < GPUCMD_AGX_RINGS; ring++) {
        for (i = 0; i < count; i++) {
            if (entries[i].ring == ring) {
                gpucmd_text_str(t, gpucmd_agx_ring_name((gpucmd_agx_ring)ring));
                gpucmd_text_str(t, entries[i].op == GPUCMD_AGX_OP_RUN ? "\tRUN\t" : "\tWAIT\t");
                gpucmd_agx_print_target(t, &entries[i]);
                gpucmd_text_char(t, '\n');
            }
        }
    }
}

/* Print the Graphviz node of render or compute `number`; 0 is prior work, "R*" or "C*". */
static void gpucmd_priv_agx_dot_node(gpucmd_text *t, const gpucmd_agx_lowering *l, bool compute,
                                     uint32_t number)
{
    gpucmd_text_char(t, '"');
    gpucmd_text_char(t, gpucmd_priv_agx_letter(compute, gpucmd_priv_agx_is_blit(l, number)));
    if (number == 0) {
        gpucmd_text_char(t, '*');
    } else {
        gpucmd_text_dec(t, number);
    }
    gpucmd_text_char(t, '"');
}

/* Print a Graphviz arrow from the node of render or compute `number` to command *to. */
static void gpucmd_priv_agx_dot_arrow(gpucmd_text *t, const gpucmd_agx_lowering *l, bool compute,
                                      uint32_t number, const gpucmd_agx_command *to,
                                      const char *attributes)
{
    gpucmd_text_str(t, "    ");
    gpucmd_priv_agx_dot_node(t, l, compute, number);
    gpucmd_text_str(t, " -> \"");
    gpucmd_priv_agx_print_command(t, to);
    gpucmd_text_str(t, "\"");
    gpucmd_text_str(t, attributes);
    gpucmd_text_str(t, ";\n");
}

/* Print the arrows of a command that waits for renders and computes, with the n entries *out.
 * strongest[s] is 1 + the highest boundary index that its firmware queue has waited for; s = 0: of
 * renders, s = 1: of computes. 0: no command has waited. */
static void gpucmd_priv_agx_dot_waits(gpucmd_text *t, const gpucmd_agx_lowering *l,
                                      const gpucmd_agx_command *c, const gpucmd_agx_entry *out,
                                      uint32_t n, uint32_t strongest[2])
{
    uint32_t k, side;
    bool named[2] = {false, false};
    for (k = 0; k < n; k++) {
        const uint32_t target = out[k].target == GPUCMD_AGX_RING_COMPUTE;
        if (out[k].op != GPUCMD_AGX_OP_WAIT || out[k].implicit) {
            continue;
        }
        gpucmd_priv_agx_dot_arrow(t, l, target != 0, out[k].number, c, "");
        named[target] = true;
        strongest[target] = gpucmd_priv_max32(strongest[target], out[k].number + 1u);
    }
    for (side = 0; side < 2; side++) {
        if (!named[side] && strongest[side] != 0) {
            gpucmd_priv_agx_dot_arrow(t, l, side != 0, strongest[side] - 1, c, " [style=dashed]");
        }
    }
}

GPUCMD_PRIV_API void gpucmd_agx_print_dot(gpucmd_text *t, const gpucmd_agx_job *job, uint32_t prior)
{
    uint32_t i;
    /* For each firmware queue: see gpucmd_priv_agx_dot_waits. */
    uint32_t strongest[GPUCMD_AGX_RINGS][2] = {
        {0, 0},
        {0, 0},
        {0, 0}
    };
    gpucmd_agx_lowering l;
    gpucmd_agx_lowering_init(&l, prior);
    gpucmd_text_str(t, "digraph job {\n    rankdir=LR;\n    node [shape=box];\n");
    for (i = 0; i < job->count; i++) {
        const gpucmd_agx_command *c = &job->commands[i];
        const bool compute = c->kind == GPUCMD_AGX_KIND_COMPUTE;
        gpucmd_agx_entry out[GPUCMD_AGX_COMMAND_ENTRIES];
        const uint32_t n = gpucmd_agx_lower_command(&l, c, i, out);
        gpucmd_priv_agx_dot_waits(t, &l, c, out, n, strongest[out[0].ring]);
        const uint32_t barrier_at = compute ? c->compute_barrier : c->render_barrier;
        if (c->number <= 1) {
            gpucmd_text_str(t, "    \"");
            gpucmd_priv_agx_print_command(t, c);
            gpucmd_text_str(t, "\";\n");
        } else if (barrier_at != c->number - 1u) {
            gpucmd_priv_agx_dot_arrow(t, &l, compute, c->number - 1u, c,
                                      " [style=dotted, arrowhead=open]");
        }
    }
    gpucmd_text_str(t, "}\n");
}

/* ---- pictures: timeline ---- */

/* Advance *row to the next row that has a span; set *row to 0 before the first call.
 * A row is (user queue << 2 | firmware queue) + 1. Return false if no row remains. */
static bool gpucmd_priv_agx_next_row(const gpucmd_agx_span *spans, uint32_t count, uint64_t *row)
{
    uint32_t i;
    uint64_t best = ~(uint64_t)0;
    for (i = 0; i < count; i++) {
        const uint64_t key = ((uint64_t)spans[i].queue << 2 | spans[i].ring) + 1;
        if (key > *row && key < best) {
            best = key;
        }
    }
    *row = best;
    return best != ~(uint64_t)0;
}

/* Print the name of a timeline row: "q0 vertex". */
static void gpucmd_priv_agx_print_row(gpucmd_text *t, uint64_t row)
{
    gpucmd_text_char(t, 'q');
    gpucmd_text_dec(t, (row - 1) >> 2);
    gpucmd_text_char(t, ' ');
    gpucmd_text_str(t, gpucmd_agx_ring_name((gpucmd_agx_ring)((row - 1) & 3)));
}

/* Write the earliest start to *from. Return the time from *from to the latest end. */
static uint64_t gpucmd_priv_agx_extent(const gpucmd_agx_span *spans, uint32_t count, uint64_t *from)
{
    uint32_t i;
    uint64_t to = 0;
    *from = 0;
    if (count != 0) {
        *from = ~(uint64_t)0;
    }
    for (i = 0; i < count; i++) {
        *from = gpucmd_priv_min(*from, spans[i].start);
        to = gpucmd_priv_max(to, spans[i].end);
    }
    if (to > *from) {
        return to - *from;
    }
    return 0;
}

static bool gpucmd_priv_agx_in_row(const gpucmd_agx_span *s, uint64_t row)
{
    return ((uint64_t)s->queue << 2 | s->ring) + 1 == row;
}

/* Return the number of characters in the name of a span. */
static uint32_t gpucmd_priv_agx_name_bytes(const gpucmd_agx_span *s)
{
    const uint32_t digits = 1u + (s->number > 9) + (s->number > 99);
    if (s->ring == GPUCMD_AGX_RING_COMPUTE) {
        return 1 + digits; /* "C1" */
    }
    return 2 + digits; /* "R1v" */
}

/* Scale of a text timeline. Time `from` is in column 0. If step_log2 is 0, one unit of time has
 * `wide` columns. Otherwise one column has 2^step_log2 units of time. */
typedef struct gpucmd_priv_agx_scale {
    uint64_t from;
    uint32_t wide;
    uint32_t step_log2;
} gpucmd_priv_agx_scale;

/* Return the column of a time in a text timeline. */
static uint64_t gpucmd_priv_agx_column(const gpucmd_priv_agx_scale *p, uint64_t at_time)
{
    return gpucmd_priv_shr(gpucmd_priv_mul(at_time - p->from, p->wide), p->step_log2);
}

/* Choose p->wide and p->step_log2 so that `length` units of time have at most `columns` columns. If
 * there is room, a unit has up to 4 columns, so that the names of short spans fit. */
static void gpucmd_priv_agx_scale_init(gpucmd_priv_agx_scale *p, const gpucmd_agx_span *spans,
                                       uint32_t count, uint64_t length, uint32_t columns)
{
    uint32_t i;
    p->wide = 1;
    p->step_log2 = 0;
    for (i = 0; i < count; i++) {
        const uint64_t duration = spans[i].end - spans[i].start;
        const uint32_t name_bytes = gpucmd_priv_agx_name_bytes(&spans[i]);
        while (duration != 0 && duration < name_bytes &&
               (uint32_t)duration * p->wide < name_bytes && p->wide < 4) {
            p->wide++;
        }
    }
    while (p->wide > 1 && length > gpucmd_priv_div(columns, p->wide)) {
        p->wide--;
    }
    while (p->step_log2 < 63 && gpucmd_priv_shr(length, p->step_log2) > columns) {
        p->step_log2++;
    }
}

/* Return the character at a row and column of a timeline: a character of the
 * name of a span, "=" after the name, or "." if no span covers the column. */
static char gpucmd_priv_agx_cell(const gpucmd_agx_span *spans, uint32_t count, uint64_t row,
                                 const gpucmd_priv_agx_scale *p, uint64_t column)
{
    uint32_t i;
    for (i = 0; i < count; i++) {
        const uint64_t first = gpucmd_priv_agx_column(p, spans[i].start);
        if (gpucmd_priv_agx_in_row(&spans[i], row) && first <= column &&
            column < gpucmd_priv_agx_column(p, spans[i].end)) {
            char name[sizeof "R255v"];
            gpucmd_text text;
            gpucmd_text_init(&text, name, sizeof name);
            gpucmd_priv_agx_print_operation(&text, spans[i].ring, spans[i].blit, spans[i].number);
            if (column - first < text.len_bytes) {
                return name[column - first];
            }
            return '=';
        }
    }
    return '.';
}

GPUCMD_PRIV_API void gpucmd_agx_print_timeline(gpucmd_text *t, const gpucmd_agx_span *spans,
                                               uint32_t count, uint32_t columns)
{
    gpucmd_priv_agx_scale p;
    const uint64_t length = gpucmd_priv_agx_extent(spans, count, &p.from);
    uint64_t column, row = 0;
    gpucmd_priv_agx_scale_init(&p, spans, count, length, columns);
    while (gpucmd_priv_agx_next_row(spans, count, &row)) {
        gpucmd_priv_agx_print_row(t, row);
        gpucmd_text_pad(t, 16);
        for (column = 0;
             length != 0 &&
             column <= gpucmd_priv_shr(gpucmd_priv_mul(length, p.wide) - 1, p.step_log2);
             column++) {
            gpucmd_text_char(t, gpucmd_priv_agx_cell(spans, count, row, &p, column));
        }
        gpucmd_text_char(t, '\n');
    }
}

/* ---- pictures: SVG ---- */

/* Print an attribute: name="value". */
static void gpucmd_priv_agx_attribute(gpucmd_text *t, const char *name, uint64_t value)
{
    gpucmd_text_char(t, ' ');
    gpucmd_text_str(t, name);
    gpucmd_text_str(t, "=\"");
    gpucmd_text_dec(t, value);
    gpucmd_text_char(t, '"');
}

/* Return n / d and write the remainder to *rest; d must not be 0. Divide bit by
 * bit, because n / d calls a library function on 32-bit CPUs. */
static uint64_t gpucmd_priv_agx_divide(uint64_t n, uint64_t d, uint64_t *rest)
{
    uint32_t bit;
    uint64_t quotient = 0, left = 0;
    for (bit = 64; bit-- != 0;) {
        left = left << 1 | (gpucmd_priv_shr(n, bit) & 1); /* left <= n, so no bit is lost */
        if (left >= d) {
            left -= d;
            quotient |= gpucmd_priv_shl(1, bit);
        }
    }
    *rest = left;
    return quotient;
}

/* Scale of an SVG: the earliest time has x = 110, the latest time x = 110 + width. */
typedef struct gpucmd_priv_agx_svg {
    uint64_t from;
    uint64_t length; /* time from the earliest start to the latest end; at least 1 */
    uint64_t width;
    uint64_t rows;
    uint32_t label; /* width of the longest number on the axis, in pixels */
} gpucmd_priv_agx_svg;

/* Return the x coordinate of a time. Long times lose low bits, so that the product fits 64 bits. */
static uint64_t gpucmd_priv_agx_svg_x(const gpucmd_priv_agx_svg *p, uint64_t at_time)
{
    uint64_t t = at_time - p->from;
    uint64_t length = p->length;
    uint64_t rest;
    while (length >> 40 != 0) {
        t >>= 1;
        length >>= 1;
    }
    return 110 + gpucmd_priv_agx_divide(gpucmd_priv_mul(t, p->width), length, &rest);
}

/* Initialize the scale. The shortest span gets 40 pixels for its name, but the
 * width of the drawing is at least 900 and at most 9000 pixels. */
static void gpucmd_priv_agx_svg_init(gpucmd_priv_agx_svg *p, const gpucmd_agx_span *spans,
                                     uint32_t count)
{
    uint32_t i;
    const uint32_t name = 40;
    const uint32_t least = 900;
    const uint64_t extent = gpucmd_priv_agx_extent(spans, count, &p->from);
    uint64_t last, shortest = ~(uint64_t)0, row = 0, rest;
    p->length = gpucmd_priv_max(extent, 1);
    p->rows = 0;
    while (gpucmd_priv_agx_next_row(spans, count, &row)) {
        p->rows++;
    }
    for (i = 0; i < count; i++) {
        const uint64_t duration = spans[i].end - spans[i].start;
        if (duration != 0 && duration < shortest) {
            shortest = duration;
        }
    }
    const uint64_t boxes = gpucmd_priv_agx_divide(p->length, shortest, &rest) + (rest != 0);
    p->width = (uint64_t)10 * least;
    if (boxes <= 10 * least / name) {
        p->width = gpucmd_priv_max((uint32_t)boxes * name, least);
    }
    p->label = 0;
    for (last = p->from + p->length; last != 0 || p->label < 40;) {
        last = gpucmd_priv_agx_divide(last, 10, &rest);
        p->label += 8;
    }
}

/* Return the colour of the boxes of a firmware queue. */
static const char *gpucmd_priv_agx_colour(uint32_t ring)
{
    if (ring == GPUCMD_AGX_RING_COMPUTE) {
        return "#9ecae1";
    }
    if (ring == GPUCMD_AGX_RING_VERTEX) {
        return "#a1d99b";
    }
    return "#fdae6b";
}

/* Print one operation: a box, and its name if the box has room. */
static void gpucmd_priv_agx_svg_span(gpucmd_text *t, const gpucmd_priv_agx_svg *p,
                                     const gpucmd_agx_span *s, uint64_t y)
{
    const uint64_t x = gpucmd_priv_agx_svg_x(p, s->start);
    const uint64_t to = gpucmd_priv_agx_svg_x(p, s->end);
    gpucmd_text_str(t, "<rect");
    gpucmd_priv_agx_attribute(t, "x", x);
    gpucmd_priv_agx_attribute(t, "y", y);
    gpucmd_priv_agx_attribute(t, "width", to > x ? to - x : 1);
    gpucmd_text_str(t, " height=\"24\" fill=\"");
    gpucmd_text_str(t, gpucmd_priv_agx_colour(s->ring));
    gpucmd_text_str(t, "\" stroke=\"#333\"><title>");
    gpucmd_priv_agx_print_operation(t, s->ring, s->blit, s->number);
    gpucmd_text_char(t, ' ');
    gpucmd_text_dec(t, s->start);
    gpucmd_text_char(t, '-');
    gpucmd_text_dec(t, s->end);
    gpucmd_text_str(t, "</title></rect>\n");
    if (to - x >= 4 + 8 * (uint64_t)gpucmd_priv_agx_name_bytes(s)) {
        gpucmd_text_str(t, "<text");
        gpucmd_priv_agx_attribute(t, "x", x + 4);
        gpucmd_priv_agx_attribute(t, "y", y + 16);
        gpucmd_text_char(t, '>');
        gpucmd_priv_agx_print_operation(t, s->ring, s->blit, s->number);
        gpucmd_text_str(t, "</text>\n");
    }
}

/* Print the axis: at each step a vertical line through all rows, and the time below it. The step is
 * 1, 2 or 5 times a power of ten, and large enough that the printed times do not touch. */
static void gpucmd_priv_agx_svg_axis(gpucmd_text *t, const gpucmd_priv_agx_svg *p)
{
    uint32_t i = 0;
    const uint64_t bottom = gpucmd_priv_mul(30, p->rows) + 5;
    uint64_t at, step = 1, rest;
    while (gpucmd_priv_agx_divide(p->length, step, &rest) >
           gpucmd_priv_div((uint32_t)p->width, p->label + 5)) {
        step += step;
        if (i == 1) {
            step += step / 4; /* from 2 to 5 */
        }
        i++;
        if (i == 3) {
            i = 0;
        }
    }
    for (at = 0;; at += step) {
        const uint64_t x = gpucmd_priv_agx_svg_x(p, p->from + at);
        gpucmd_text_str(t, "<path d=\"M");
        gpucmd_text_dec(t, x);
        gpucmd_text_str(t, " 5V");
        gpucmd_text_dec(t, bottom);
        gpucmd_text_str(t, "\" stroke=\"#ccc\"/>\n<text text-anchor=\"middle\" fill=\"#555\"");
        gpucmd_priv_agx_attribute(t, "x", x);
        gpucmd_priv_agx_attribute(t, "y", bottom + 15);
        gpucmd_text_char(t, '>');
        gpucmd_text_dec(t, p->from + at);
        gpucmd_text_str(t, "</text>\n");
        if (p->length - at < step) {
            return;
        }
    }
}

GPUCMD_PRIV_API void gpucmd_agx_print_svg(gpucmd_text *t, const gpucmd_agx_span *spans,
                                          uint32_t count)
{
    uint32_t i;
    gpucmd_priv_agx_svg p;
    uint64_t y, row = 0;
    gpucmd_priv_agx_svg_init(&p, spans, count);
    gpucmd_text_str(t, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
    gpucmd_priv_agx_attribute(t, "width", p.width + 110 + p.label / 2);
    gpucmd_priv_agx_attribute(t, "height", gpucmd_priv_mul(30, p.rows) + 30);
    gpucmd_text_str(t, " font-family=\"monospace\" font-size=\"12\">\n"
                       "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
    gpucmd_priv_agx_svg_axis(t, &p);
    for (y = 5; gpucmd_priv_agx_next_row(spans, count, &row); y += 30) {
        gpucmd_text_str(t, "<text x=\"5\"");
        gpucmd_priv_agx_attribute(t, "y", y + 16);
        gpucmd_text_char(t, '>');
        gpucmd_priv_agx_print_row(t, row);
        gpucmd_text_str(t, "</text>\n");
        for (i = 0; i < count; i++) {
            if (gpucmd_priv_agx_in_row(&spans[i], row)) {
                gpucmd_priv_agx_svg_span(t, &p, &spans[i], y);
            }
        }
    }
    gpucmd_text_str(t, "</svg>\n");
}

/* ---- address space of a VM ---- */

GPUCMD_PRIV_API gpucmd_agx_fault gpucmd_agx_space_translate(const gpucmd_maps *maps,
                                                            const gpucmd_space *space, uint64_t va,
                                                            uint32_t access_mask, uint32_t *handle,
                                                            uint64_t *offset)
{
    gpucmd_place place;
    if (gpucmd_space_translate(maps, space, va, &place) != GPUCMD_OK) {
        return GPUCMD_AGX_FAULT_UNMAPPED;
    }
    if ((access_mask & ~place.access_mask & GPUCMD_ACCESS_READ) != 0) {
        return GPUCMD_AGX_FAULT_WRITE_ONLY;
    }
    if ((access_mask & ~place.access_mask & GPUCMD_ACCESS_WRITE) != 0) {
        return GPUCMD_AGX_FAULT_READ_ONLY;
    }
    *handle = place.object;
    *offset = place.offset;
    return GPUCMD_AGX_FAULT_NONE;
}

/* ---- executor ---- */

GPUCMD_PRIV_API int gpucmd_agx_outcome_errno(gpucmd_agx_outcome outcome)
{
#define GPUCMD_AGX_PRIV_OUTCOME(name, number, err) GPUCMD_SYS_##err,
    static const uint16_t errnos[] = {GPUCMD_AGX_OUTCOMES(GPUCMD_AGX_PRIV_OUTCOME)};
#undef GPUCMD_AGX_PRIV_OUTCOME
    if ((size_t)outcome < sizeof errnos / sizeof errnos[0]) {
        return errnos[outcome];
    }
    return 0;
}

GPUCMD_PRIV_TEXT_FUNCTION(gpucmd_agx_outcome_name, gpucmd_agx_outcome,
                          GPUCMD_AGX_OUTCOMES(GPUCMD_PRIV_ROW_NAME))
GPUCMD_PRIV_TEXT_FUNCTION(gpucmd_agx_fault_name, gpucmd_agx_fault,
                          GPUCMD_AGX_FAULTS(GPUCMD_PRIV_ROW_NAME))
GPUCMD_PRIV_TEXT_FUNCTION(gpucmd_agx_table_name, gpucmd_agx_table,
                          "NONE\0" GPUCMD_AGX_EXEC_TABLES(GPUCMD_PRIV_ROW_NAME)
                              GPUCMD_AGX_KERNEL_TABLES(GPUCMD_PRIV_ROW_NAME))

GPUCMD_PRIV_API void gpucmd_agx_exec_tables_init(gpucmd_agx_exec_tables *t,
                                                 gpucmd_agx_exec_store *s)
{
#define GPUCMD_AGX_PRIV_SET(id, member, count, type, store, each, least)                           \
    t->member = s->member;                                                                         \
    t->count = (store);
    GPUCMD_AGX_EXEC_TABLES(GPUCMD_AGX_PRIV_SET)
}

/* For each table, define a structure in which the offset of v is the alignment of the rows. */
#define GPUCMD_AGX_PRIV_TABLE(id, member, count, type, store, each, least)                         \
    struct gpucmd_priv_agx_align_##id {                                                            \
        char c;                                                                                    \
        type v;                                                                                    \
    };
GPUCMD_AGX_EXEC_TABLES(GPUCMD_AGX_PRIV_TABLE)
GPUCMD_AGX_KERNEL_TABLES(GPUCMD_AGX_PRIV_TABLE)
#undef GPUCMD_AGX_PRIV_TABLE

/* Check one table and clear its rows. GPUCMD_RANGE: count is below least, or
 * rows is NULL although count is not 0. GPUCMD_ALIGN: rows is not aligned to
 * align_bytes. each_bytes is the size of a row. */
static gpucmd_status gpucmd_priv_agx_clear_table(void *rows, uint32_t count, size_t each_bytes,
                                                 size_t align_bytes, uint32_t least)
{
    if (count < least || (count != 0 && rows == NULL)) {
        return GPUCMD_RANGE;
    }
    if (((uintptr_t)rows & (align_bytes - 1)) != 0) {
        return GPUCMD_ALIGN;
    }
    if (count != 0) {
        gpucmd_priv_zero(rows, count * each_bytes);
    }
    return GPUCMD_OK;
}

/* If status is GPUCMD_OK, check and clear one table of *tables. If the table is
 * invalid, set status to the failure and owner->table to the name of the table. */
#define GPUCMD_AGX_PRIV_CLEAR(id, member, count, type, store, each, least)                         \
    if (status == GPUCMD_OK) {                                                                     \
        status = gpucmd_priv_agx_clear_table(                                                      \
            tables->member, tables->count, sizeof(type),                                           \
            GPUCMD_PRIV_OFFSETOF(struct gpucmd_priv_agx_align_##id, v), least);                    \
        owner->table = GPUCMD_AGX_TABLE_NONE;                                                      \
        if (status != GPUCMD_OK) {                                                                 \
            owner->table = GPUCMD_AGX_TABLE_##id;                                                  \
        }                                                                                          \
    }

/* Link all rows of a table into a list of free rows; set first to the first row. */
#define GPUCMD_AGX_PRIV_CHAIN(rows, count, first)                                                  \
    do {                                                                                           \
        uint32_t i;                                                                                \
        (first) = GPUCMD_AGX_NONE;                                                                 \
        for (i = (count); i != 0; i--) {                                                           \
            (rows)[i - 1].next = (first);                                                          \
            (first) = i - 1;                                                                       \
        }                                                                                          \
    } while (0)

GPUCMD_PRIV_API gpucmd_status gpucmd_agx_exec_init(gpucmd_agx_exec *x,
                                                   const gpucmd_agx_exec_tables *tables)
{
    gpucmd_agx_exec *const owner = x;
    gpucmd_status status = GPUCMD_OK;
    gpucmd_priv_zero(x, sizeof *x);
    x->t = *tables;
    GPUCMD_AGX_EXEC_TABLES(GPUCMD_AGX_PRIV_CLEAR)
    if (status == GPUCMD_OK) {
        GPUCMD_AGX_PRIV_CHAIN(tables->jobs, tables->job_count, x->free_job);
        gpucmd_fences_init(&x->fences, tables->fences, tables->fence_count);
        GPUCMD_AGX_PRIV_CHAIN(tables->links, tables->link_count, x->free_link);
    }
    x->first = x->ending = x->pushing = GPUCMD_AGX_NONE;
    return status;
}

GPUCMD_PRIV_API uint32_t gpucmd_agx_exec_queue_open(gpucmd_agx_exec *x, uint32_t vm)
{
    uint32_t i;
    x->table = GPUCMD_AGX_TABLE_NONE;
    for (i = 0; i < x->t.queue_count; i++) {
        gpucmd_agx_exec_queue *q = &x->t.queues[i];
        if (!q->used) {
            gpucmd_priv_zero(q, sizeof *q);
            q->used = true;
            q->vm = vm;
            q->first = GPUCMD_AGX_NONE;
            q->last = GPUCMD_AGX_NONE;
            return i;
        }
    }
    x->table = GPUCMD_AGX_TABLE_EXEC_QUEUES;
    return GPUCMD_AGX_NONE;
}

/* Return true if all jobs of a queue have ended and their fences have signalled. */
static bool gpucmd_priv_agx_queue_idle(const gpucmd_agx_exec *x, uint32_t queue)
{
    uint32_t r;
    const gpucmd_agx_exec_queue *q = &x->t.queues[queue];
    bool idle = q->first == GPUCMD_AGX_NONE &&
                (x->ending == GPUCMD_AGX_NONE || x->t.jobs[x->ending].queue != queue) &&
                (x->pushing == GPUCMD_AGX_NONE || x->t.jobs[x->pushing].queue != queue);
    for (r = 0; r < GPUCMD_AGX_RINGS; r++) {
        idle = idle && q->rings[r].count == 0 && !q->rings[r].running;
    }
    return idle;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_agx_exec_queue_close(gpucmd_agx_exec *x, uint32_t queue)
{
    if (queue >= x->t.queue_count || !x->t.queues[queue].used) {
        return GPUCMD_RANGE;
    }
    if (!gpucmd_priv_agx_queue_idle(x, queue)) {
        return GPUCMD_ORDER;
    }
    x->t.queues[queue].used = false;
    return GPUCMD_OK;
}

GPUCMD_PRIV_API void gpucmd_agx_exec_queue_retire(gpucmd_agx_exec *x, uint32_t queue)
{
    if (queue < x->t.queue_count && x->t.queues[queue].used) {
        x->t.queues[queue].retired = true;
        x->t.queues[queue].used = !gpucmd_priv_agx_queue_idle(x, queue);
    }
}

/* ---- fences ---- */

/* Make the executor check all queues before the next operation ends. */
static void gpucmd_priv_agx_recheck_queues(gpucmd_agx_exec *x)
{
    x->settled = false;
    x->at = 0;
    x->part = 0;
}

/* Add a fence to the front of a list and hold it. The table of links must have a free row. */
static void gpucmd_priv_agx_link(gpucmd_agx_exec *x, uint32_t *list, uint32_t fence)
{
    const uint32_t at = x->free_link;
    x->free_link = x->t.links[at].next;
    x->t.links[at].fence = fence;
    x->t.links[at].next = *list;
    *list = at;
    gpucmd_fence_hold(&x->fences, fence);
}

/* Remove and return the first fence of a list that is not empty; the fence stays held. */
static uint32_t gpucmd_priv_agx_unlink(gpucmd_agx_exec *x, uint32_t *list)
{
    const uint32_t at = *list;
    const uint32_t fence = x->t.links[at].fence;
    *list = x->t.links[at].next;
    x->t.links[at].next = x->free_link;
    x->free_link = at;
    return fence;
}

/* ---- submission ---- */

/* Check the number of commands, barriers, fences and free table rows of a submission. On success
 * write the row + 1 of the new job to member owner of each out-fence. On failure change no
 * fence. */
static gpucmd_status gpucmd_priv_agx_check_submit(gpucmd_agx_exec *x,
                                                  const gpucmd_agx_submission *sub)
{
    const gpucmd_agx_job *job = sub->job;
    uint32_t counts[2] = {0, 0};
    uint32_t i, at, room = 0;
    if (job->count - 1 >= GPUCMD_AGX_MAX_COMMANDS) {
        return GPUCMD_RANGE;
    }
    for (i = 0; i < job->count; i++) {
        const gpucmd_agx_command *c = &job->commands[i];
        if (!gpucmd_priv_agx_barriers_fit(c, counts[0], counts[1])) {
            return GPUCMD_ORDER;
        }
        counts[c->kind == GPUCMD_AGX_KIND_COMPUTE]++;
    }
    for (i = 0; i < sub->in_count; i++) {
        if (gpucmd_priv_fence(&x->fences, sub->in[i]) == NULL) {
            return GPUCMD_RANGE;
        }
    }
    const uint64_t want = (uint64_t)sub->in_count + sub->out_count;
    for (at = x->free_link; at != GPUCMD_AGX_NONE && room < want; room++) {
        at = x->t.links[at].next;
    }
    if (x->free_job == GPUCMD_AGX_NONE) {
        x->table = GPUCMD_AGX_TABLE_EXEC_JOBS;
        return GPUCMD_FULL;
    }
    if (room < want) {
        x->table = GPUCMD_AGX_TABLE_EXEC_LINKS;
        return GPUCMD_FULL;
    }
    x->table = GPUCMD_AGX_TABLE_NONE;
    for (i = 0; i < sub->out_count; i++) {
        gpucmd_fence *const f = gpucmd_priv_fence(&x->fences, sub->out[i]);
        if (f == NULL || f->owner != 0 || f->inner != 0 || f->ended) {
            while (i-- != 0) {
                x->fences.rows[sub->out[i] - 1].owner = 0;
            }
            if (f == NULL) {
                return GPUCMD_RANGE;
            }
            return GPUCMD_ORDER;
        }
        f->owner = x->free_job + 1;
    }
    return GPUCMD_OK;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_agx_exec_submit(gpucmd_agx_exec *x, uint32_t queue,
                                                     const gpucmd_agx_submission *sub,
                                                     uint32_t *slot)
{
    uint32_t i;
    if (queue >= x->t.queue_count || !x->t.queues[queue].used || x->t.queues[queue].retired) {
        return GPUCMD_RANGE;
    }
    const gpucmd_agx_job *job = sub->job;
    const gpucmd_status status = gpucmd_priv_agx_check_submit(x, sub);
    if (status != GPUCMD_OK) {
        return status;
    }
    const uint32_t at = x->free_job;
    gpucmd_agx_exec_job *j = &x->t.jobs[at];
    gpucmd_agx_exec_queue *q = &x->t.queues[queue];
    x->free_job = j->next;
    gpucmd_priv_zero(j, GPUCMD_PRIV_OFFSETOF(gpucmd_agx_exec_job, job));
    j->queue = queue;
    j->number = q->jobs++;
    j->next = GPUCMD_AGX_NONE;
    j->in = GPUCMD_AGX_NONE;
    j->out = GPUCMD_AGX_NONE;
    j->tag = sub->tag;
    j->job.count = job->count;
    j->job.renders = job->renders;
    j->job.computes = job->computes;
    for (i = 0; i < job->count; i++) {
        j->job.commands[i] = job->commands[i];
        j->left += 1u + (job->commands[i].kind == GPUCMD_AGX_KIND_RENDER);
    }
    for (i = 0; i < sub->in_count; i++) {
        gpucmd_priv_agx_link(x, &j->in, sub->in[i]);
    }
    for (i = 0; i < sub->out_count; i++) {
        gpucmd_priv_agx_link(x, &j->out, sub->out[i]);
    }
    if (q->last != GPUCMD_AGX_NONE) {
        x->t.jobs[q->last].next = at;
    } else {
        q->first = at;
    }
    q->last = at;
    q->dirty = true;
    gpucmd_priv_agx_recheck_queues(x);
    x->waiting++;
    *slot = at;
    return GPUCMD_OK;
}

/* ---- events ---- */

/* Pass an event of job j to env->trace, env->event and x->accepted. Return the status of
 * env->event, and store a failure in x->fault. After the loss of the GPU pass STATE events
 * only. */
static gpucmd_status gpucmd_priv_agx_event(gpucmd_agx_exec *x, const gpucmd_env *env,
                                           gpucmd_event_kind kind, const gpucmd_agx_exec_job *j,
                                           uint32_t code, uint64_t value)
{
    gpucmd_event e;
    gpucmd_status status = GPUCMD_OK;
    if ((env->event == NULL && env->trace == NULL && x->accepted == NULL) ||
        (x->lost && kind != GPUCMD_EVENT_STATE)) {
        return GPUCMD_OK;
    }
    gpucmd_priv_zero(&e, sizeof e);
    e.kind = kind;
    e.unit = j->queue;
    e.addr = j->number;
    e.code = code;
    e.va = x->now;
    e.value = value;
    if (env->trace != NULL) {
        (void)env->trace(env->trace_user, &e);
    }
    if (env->event != NULL) {
        status = env->event(env->user, &e);
    }
    if (status != GPUCMD_OK) {
        x->fault = status; /* the run ends, so this is its first failure */
        return status;
    }
    if (x->accepted != NULL && kind != GPUCMD_EVENT_STATE) {
        x->accepted(x->accepted_user, &e);
    }
    return GPUCMD_OK;
}

/* ---- starting ---- */

/* Return true if a firmware queue has room for the entries and operations of its part of a job,
 * counted as the driver counts them. [DRVD] */
static bool gpucmd_priv_agx_ring_has_room(const gpucmd_agx_exec *x,
                                          const gpucmd_agx_ring_state *ring,
                                          const gpucmd_agx_job *job, gpucmd_agx_ring which)
{
    uint32_t i, entries = 0, events = 0;
    for (i = 0; i < job->count; i++) {
        const gpucmd_agx_command *c = &job->commands[i];
        if (gpucmd_priv_agx_first_ring(c) == which) {
            entries += 1u + (c->render_barrier != GPUCMD_DRM_ASAHI_BARRIER_NONE) +
                       (c->compute_barrier != GPUCMD_DRM_ASAHI_BARRIER_NONE);
            events++;
        } else if (c->kind == GPUCMD_AGX_KIND_RENDER && which == GPUCMD_AGX_RING_FRAGMENT) {
            entries += 2;
            events++;
        }
    }
    return x->t.ring_entries - (ring->count + ring->running) > entries + 1 &&
           GPUCMD_AGX_RING_EVENTS - (ring->queued - ring->ended) > events;
}

/* Return entry i of a firmware queue; entry 0 is the oldest, entry `count` the first free one. */
static gpucmd_agx_slot *gpucmd_priv_agx_slot_at(const gpucmd_agx_exec *x, uint32_t queue,
                                                uint32_t ring, uint32_t i)
{
    uint32_t at = x->t.queues[queue].rings[ring].head + i;
    at -= at >= x->t.ring_entries ? x->t.ring_entries : 0;
    return x->t.slots + ((size_t)queue * GPUCMD_AGX_RINGS + ring) * x->t.ring_entries + at;
}

/* Write the entries of the next command of job x->pushing to the firmware queues.
 * Each WAIT entry stores how many operations of its target queue must have ended. */
static void gpucmd_priv_agx_push(gpucmd_agx_exec *x)
{
    uint32_t k;
    gpucmd_agx_exec_job *j = &x->t.jobs[x->pushing];
    gpucmd_agx_exec_queue *q = &x->t.queues[j->queue];
    gpucmd_agx_entry out[GPUCMD_AGX_COMMAND_ENTRIES];
    const uint32_t each = x->t.ring_entries;
    gpucmd_agx_slot *slots = x->t.slots + (size_t)j->queue * GPUCMD_AGX_RINGS * each;
    const uint32_t n =
        gpucmd_agx_lower_command(&x->lowering, &j->job.commands[x->command], x->command, out);
    gpucmd_priv_zero(&j->results[x->command], sizeof j->results[0]);
    x->pieces -= 3;
    for (k = 0; k < n; k++) {
        const gpucmd_agx_entry *e = &out[k];
        gpucmd_agx_ring_state *ring = &q->rings[e->ring];
        const uint32_t at = ring->head + ring->count++;
        gpucmd_agx_slot *s = slots + (size_t)e->ring * each + (at < each ? at : at - each);
        if (e->op == GPUCMD_AGX_OP_RUN) {
            ring->queued++;
        }
        s->stamp =
            e->implicit ? q->rings[GPUCMD_AGX_RING_VERTEX].queued : x->base[e->target] + e->number;
        s->job = x->pushing;
        s->op = e->op;
        s->target = e->target;
        s->command = e->command;
        s->number = e->number;
    }
    if (++x->command == j->job.count) {
        x->pushing = GPUCMD_AGX_NONE;
    }
}

/* Do one step for the first waiting job of a queue:
 *   - if the job has in-fences, release the first of them, if it has signalled
 *   - otherwise begin to move the job to the firmware queues, if they have room and the
 *     callback accepts the event
 * Return false if nothing was done. */
static bool gpucmd_priv_agx_push_first(gpucmd_agx_exec *x, const gpucmd_env *env, uint32_t queue)
{
    gpucmd_agx_exec_queue *q = &x->t.queues[queue];
    uint32_t r;
    if (q->first == GPUCMD_AGX_NONE) {
        return false;
    }
    gpucmd_agx_exec_job *j = &x->t.jobs[q->first];
    if (j->in != GPUCMD_AGX_NONE) {
        const bool is_signalled = gpucmd_fence_signalled(&x->fences, x->t.links[j->in].fence);
        if (is_signalled) {
            gpucmd_fence_release(&x->fences, gpucmd_priv_agx_unlink(x, &j->in));
        }
        x->pieces -= 1;
        return is_signalled;
    }
    x->pieces -= (int32_t)(1 + j->job.count / 8);
    for (r = 0; r < GPUCMD_AGX_RINGS; r++) {
        if (!gpucmd_priv_agx_ring_has_room(x, &q->rings[r], &j->job, (gpucmd_agx_ring)r)) {
            return false;
        }
    }
    if (gpucmd_priv_agx_event(x, env, GPUCMD_EVENT_STATE, j, 0, 0) != GPUCMD_OK) {
        return false;
    }
    x->pushing = q->first;
    x->command = 0;
    const gpucmd_agx_ring_state *f = &q->rings[GPUCMD_AGX_RING_FRAGMENT];
    const gpucmd_agx_ring_state *c = &q->rings[GPUCMD_AGX_RING_COMPUTE];
    uint32_t prior = GPUCMD_AGX_PRIOR_NONE;
    if (f->queued != f->ended) {
        prior |= GPUCMD_AGX_PRIOR_RENDER;
    }
    if (c->queued != c->ended) {
        prior |= GPUCMD_AGX_PRIOR_COMPUTE;
    }
    gpucmd_agx_lowering_init(&x->lowering, prior);
    for (r = 0; r < GPUCMD_AGX_RINGS; r++) {
        x->base[r] = q->rings[r].queued;
    }
    q->first = j->next;
    if (q->first == GPUCMD_AGX_NONE) {
        q->last = GPUCMD_AGX_NONE;
    }
    j->active = true;
    j->pushed = x->now;
    x->waiting--;
    return true;
}

/* Start operation s, the oldest entry of a firmware queue. Return false if env->event fails. */
static bool gpucmd_priv_agx_start(gpucmd_agx_exec *x, const gpucmd_env *env,
                                  gpucmd_agx_ring_state *ring, const gpucmd_agx_slot *s)
{
    gpucmd_agx_exec_job *j = &x->t.jobs[s->job];
    const gpucmd_agx_ring part = (gpucmd_agx_ring)s->target;
    gpucmd_priv_zero(&ring->fate, sizeof ring->fate);
    ring->fate.outcome = GPUCMD_AGX_OUTCOME_COMPLETE;
    ring->fate.duration = gpucmd_priv_agx_duration(&x->durations, s->command, part);
    if (x->lost) {
        ring->fate.duration = 0;
        ring->fate.outcome = GPUCMD_AGX_OUTCOME_NO_DEVICE;
    } else if (x->starts != NULL) {
        x->pieces -= (int32_t)x->starts(x->starts_user, s->job, s->command, part, &ring->fate);
    }
    if (!x->lost && x->fate != NULL) {
        x->fate(x->fate_user, j, s->command, part, &ring->fate);
    }
    if (gpucmd_priv_agx_event(x, env, GPUCMD_EVENT_START, j, (uint32_t)part, s->command) !=
        GPUCMD_OK) {
        return false;
    }
    x->unexecuted += env->event == NULL && !x->lost;
    ring->now_running = *s;
    ring->running = true;
    ring->killed = false;
    ring->start = x->now;
    ring->end = gpucmd_priv_agx_end(x->now, ring->fate.duration);
    j->results[s->command].start[part == GPUCMD_AGX_RING_FRAGMENT] = x->now;
    x->running++;
    return true;
}

/* Remove the satisfied WAIT entries at the head of firmware queue r of q, then start the next
 * operation. A WAIT entry is satisfied if rings[target].ended has reached its stamp, modulo 2^32.
 * slots is the array of the firmware queue. Return false if x->pieces is used up first. */
static bool gpucmd_priv_agx_advance(gpucmd_agx_exec *x, const gpucmd_env *env,
                                    gpucmd_agx_exec_queue *q, uint32_t r,
                                    const gpucmd_agx_slot *slots)
{
    gpucmd_agx_ring_state *ring = &q->rings[r];
    while (!ring->running && ring->count != 0) {
        const gpucmd_agx_slot *s = slots + ring->head;
        const bool is_wait = s->op == GPUCMD_AGX_OP_WAIT;
        const uint32_t behind = q->rings[s->target].ended - s->stamp;
        if (x->pieces <= 0) {
            return false;
        }
        x->pieces -= is_wait ? 1 : 5;
        if (is_wait ? behind >> 31 != 0 : !gpucmd_priv_agx_start(x, env, ring, s)) {
            return true;
        }
        ring->head = ring->head + 1 == x->t.ring_entries ? 0 : ring->head + 1;
        ring->count--;
        x->moved = true;
    }
    return true;
}

/* Parts of the check of a user queue, in this order. BEGIN ends the check if nothing has changed
 * since the last check. PUSH moves waiting jobs to the firmware queues. RINGS + i processes the
 * entries of firmware queue i. END: the check is complete. */
typedef enum gpucmd_priv_agx_part {
    GPUCMD_AGX_PRIV_PART_BEGIN,
    GPUCMD_AGX_PRIV_PART_PUSH,
    GPUCMD_AGX_PRIV_PART_RINGS,
    GPUCMD_AGX_PRIV_PART_END = GPUCMD_AGX_PRIV_PART_RINGS + GPUCMD_AGX_RINGS
} gpucmd_priv_agx_part;

/* Continue the check of queue x->at: move its waiting jobs to its firmware queues, then start
 * operations. If the check is complete, advance x->at. If a callback fails, x->fault is set. */
static void gpucmd_priv_agx_start_in_queue(gpucmd_agx_exec *x, const gpucmd_env *env)
{
    gpucmd_agx_exec_queue *q = &x->t.queues[x->at];
    if (x->part == GPUCMD_AGX_PRIV_PART_BEGIN) {
        x->pieces -= 1;
        if (!q->used || (!q->dirty && q->signals == x->signals)) {
            x->at++;
            return;
        }
        q->signals = x->signals;
        q->dirty = true; /* if a callback fails, the check starts again */
        x->moved = false;
        x->part = GPUCMD_AGX_PRIV_PART_PUSH;
    }
    if (x->part == GPUCMD_AGX_PRIV_PART_PUSH) {
        if (gpucmd_priv_agx_push_first(x, env, x->at)) {
            return;
        }
        x->part = GPUCMD_AGX_PRIV_PART_RINGS;
    }
    const uint32_t each = x->t.ring_entries;
    uint32_t r = x->part - GPUCMD_AGX_PRIV_PART_RINGS;
    gpucmd_agx_slot *slots = x->t.slots + ((size_t)x->at * GPUCMD_AGX_RINGS + r) * each;
    while (r < GPUCMD_AGX_RINGS && x->fault == GPUCMD_OK &&
           gpucmd_priv_agx_advance(x, env, q, r, slots)) {
        slots += each;
        r++;
    }
    x->part = r + GPUCMD_AGX_PRIV_PART_RINGS;
    if (x->fault != GPUCMD_OK) {
        x->part = GPUCMD_AGX_PRIV_PART_BEGIN;
    } else if (x->part == GPUCMD_AGX_PRIV_PART_END) {
        /* The queue is checked again if a waiting job may have room. */
        q->dirty = x->moved && q->first != GPUCMD_AGX_NONE;
        x->part = GPUCMD_AGX_PRIV_PART_BEGIN;
        x->at += q->dirty ? 0 : 1;
    }
}

/* Continue to start every operation that can start now. Stop if a job must be pushed, a callback
 * has failed or x->pieces is used up. When all queues have been checked, set x->settled. */
static void gpucmd_priv_agx_start_ready(gpucmd_agx_exec *x, const gpucmd_env *env)
{
    while (x->at < x->t.queue_count && x->pushing == GPUCMD_AGX_NONE && x->pieces > 0 &&
           x->fault == GPUCMD_OK) {
        gpucmd_priv_agx_start_in_queue(x, env);
    }
    if (x->at >= x->t.queue_count) {
        x->settled = x->signals == x->fences.signals; /* a callback can signal a fence */
        x->at = 0;
        x->first = GPUCMD_AGX_NONE;
    }
}

/* ---- ending ---- */

/* A failed operation of the VM ends now. If queue q belongs to the VM, mark its
 * operations as killed that started before now and would end later. */
static void gpucmd_priv_agx_kill(gpucmd_agx_exec *x, uint32_t vm, gpucmd_agx_exec_queue *q)
{
    uint32_t r;
    for (r = 0; q->used && q->vm == vm && r < GPUCMD_AGX_RINGS; r++) {
        gpucmd_agx_ring_state *s = &q->rings[r];
        if (s->running && s->start < x->now && s->end > x->now) {
            s->killed = true;
        }
    }
}

static bool gpucmd_priv_agx_failed(gpucmd_agx_outcome outcome)
{
    return outcome > GPUCMD_AGX_OUTCOME_COMPLETE; /* all outcomes above COMPLETE are failures */
}

/* If the caller records operations, write the operation that ends in *ring to the next row. */
static void gpucmd_priv_agx_record_span(gpucmd_agx_exec *x, const gpucmd_agx_exec_job *j,
                                        const gpucmd_agx_ring_state *ring)
{
    const gpucmd_agx_command *c = &j->job.commands[ring->now_running.command];
    if (x->span_count < x->span_cap) {
        gpucmd_agx_span *s = &x->spans[x->span_count];
        gpucmd_priv_zero(s, sizeof *s);
        s->start = ring->start;
        s->end = x->now;
        s->queue = j->queue;
        s->job = j->number;
        s->ring = ring->now_running.target;
        s->number = (uint8_t)c->number;
        s->command = ring->now_running.command;
        s->blit = c->kind == GPUCMD_AGX_KIND_BLIT;
    }
    x->span_count++;
}

/* Record the result of an operation that ends. If the command has no other
 * unfinished operation, call x->completed. */
static void gpucmd_priv_agx_record_result(gpucmd_agx_exec *x, gpucmd_agx_exec_job *j,
                                          const gpucmd_agx_ring_state *ring)
{
    gpucmd_agx_result *r = &j->results[ring->now_running.command];
    const uint32_t half = ring->now_running.target == GPUCMD_AGX_RING_FRAGMENT ? 1 : 0;
    const gpucmd_agx_outcome outcome = ring->killed && !gpucmd_priv_agx_failed(ring->fate.outcome)
                                           ? GPUCMD_AGX_OUTCOME_KILLED
                                           : ring->fate.outcome;
    const int error = gpucmd_agx_outcome_errno(outcome);
    r->end[half] = x->now;
    r->outcome[half] = outcome;
    r->halves++;
    if (r->halves == 1 || r->info.status == GPUCMD_AGX_OUTCOME_COMPLETE ||
        (r->info.status == GPUCMD_AGX_OUTCOME_KILLED && gpucmd_priv_agx_failed(outcome))) {
        if (outcome == GPUCMD_AGX_OUTCOME_FAULT) {
            r->info = ring->fate.fault;
            r->info.address &= ~(uint64_t)(GPUCMD_AGX_FAULT_LINE_BYTES - 1);
        }
        r->info.status = (uint32_t)outcome;
    }
    if (half == 0) {
        r->tvb_flags = ring->fate.tvb_flags;
        r->tvb_size_bytes = ring->fate.tvb_size_bytes;
        r->tvb_usage_bytes = ring->fate.tvb_used_pages * GPUCMD_AGX_TVB_PAGE_BYTES;
    } else {
        r->partial_renders = ring->fate.partial_renders;
    }
    if (error != 0) {
        j->error = error;
    }
    if (x->completed != NULL &&
        r->halves ==
            (j->job.commands[ring->now_running.command].kind == GPUCMD_AGX_KIND_RENDER ? 2u : 1u)) {
        x->completed(x->completed_user, ring->now_running.job, ring->now_running.command);
    }
}

/* Do one piece of the work at the end of job x->ending: a step of fences that signal or become
 * free, or remove the next out-fence of the job. Return LIMIT. If no such work remains, pass the
 * event that the job has ended, and free its row. Return DONE; FAULT: env->event failed. */
static gpucmd_run gpucmd_priv_agx_job_end(gpucmd_agx_exec *x, const gpucmd_env *env)
{
    const uint32_t at = x->ending;
    gpucmd_agx_exec_job *j = &x->t.jobs[at];
    x->pieces -= 1;
    if (gpucmd_priv_fences_step(&x->fences)) {
        return GPUCMD_RUN_LIMIT;
    }
    if (j->out != GPUCMD_AGX_NONE) {
        const uint32_t fence = gpucmd_priv_agx_unlink(x, &j->out);
        gpucmd_priv_fence_end(&x->fences, fence, j->error);
        gpucmd_priv_fence_drop(&x->fences, fence);
        return GPUCMD_RUN_LIMIT;
    }
    x->ending = GPUCMD_AGX_NONE;
    if (x->ended != NULL) {
        x->ended(x->ended_user, j);
    }
    (void)gpucmd_priv_agx_event(x, env, GPUCMD_EVENT_STATE, j, 1, (uint64_t)(uint32_t)j->error);
    j->next = x->free_job;
    x->free_job = at;
    if (x->t.queues[j->queue].retired) {
        x->t.queues[j->queue].used = !gpucmd_priv_agx_queue_idle(x, j->queue);
    }
    if (x->fault == GPUCMD_OK) {
        return GPUCMD_RUN_DONE;
    }
    return GPUCMD_RUN_FAULT;
}

/* Continue the search for the operation that ends first, and advance x->at. If two operations
 * end together, choose the lower user queue, then the lower gpucmd_agx_ring. */
static void gpucmd_priv_agx_find_first_end(gpucmd_agx_exec *x)
{
    const gpucmd_agx_ring_state *best =
        x->first == GPUCMD_AGX_NONE ? NULL : &x->t.queues[x->first].rings[x->first_in];
    for (; x->at < x->t.queue_count && x->pieces > 0; x->at++) {
        uint32_t r;
        const gpucmd_agx_exec_queue *q = &x->t.queues[x->at];
        x->pieces -= 1;
        for (r = 0; q->used && r < GPUCMD_AGX_RINGS; r++) {
            if (q->rings[r].running && (best == NULL || q->rings[r].end < best->end)) {
                best = &q->rings[r];
                x->first = x->at;
                x->first_in = r;
            }
        }
    }
}

/* Do one piece of the work at the end of an operation: the one that user queue x->first executes in
 * firmware queue x->first_in. First pass the FINISH event of the operation. If the operation
 * failed, kill operations of the same VM, one user queue in each piece. Then record the result.
 *   DONE   the operation has ended, and its job has other operations
 *   LIMIT  work remains: another user queue, or the end of the job (x->ending)
 *   FAULT  env->event failed */
static gpucmd_run gpucmd_priv_agx_end_operation(gpucmd_agx_exec *x, const gpucmd_env *env)
{
    gpucmd_agx_exec_queue *q = &x->t.queues[x->first];
    gpucmd_agx_ring_state *ring = &q->rings[x->first_in];
    gpucmd_agx_exec_job *j = &x->t.jobs[ring->now_running.job];
    if (!x->finishing) {
        x->pieces -= 5;
        x->now = x->fences.clock = ring->end;
        if (gpucmd_priv_agx_event(x, env, GPUCMD_EVENT_FINISH, j, ring->now_running.target,
                                  ring->now_running.command) != GPUCMD_OK) {
            return GPUCMD_RUN_FAULT;
        }
        x->finishing = true;
        x->at = 0;
    }
    if (gpucmd_priv_agx_failed(ring->fate.outcome) && x->at < x->t.queue_count) {
        x->pieces -= 1;
        gpucmd_priv_agx_kill(x, q->vm, &x->t.queues[x->at++]);
        return GPUCMD_RUN_LIMIT;
    }
    x->finishing = false;
    ring->running = false;
    ring->ended++;
    x->running--;
    q->dirty = true;
    gpucmd_priv_agx_recheck_queues(x);
    gpucmd_priv_agx_record_span(x, j, ring);
    gpucmd_priv_agx_record_result(x, j, ring);
    if (--j->left != 0) {
        return GPUCMD_RUN_DONE;
    }
    j->done = x->now;
    j->active = false;
    x->ending = ring->now_running.job;
    return GPUCMD_RUN_LIMIT;
}

/* Continue to start operations. When no more operation can start, end the operation that ends
 * first. Return GPUCMD_RUN_LIMIT if the step has not ended. */
static gpucmd_run gpucmd_priv_agx_execute_piece(gpucmd_agx_exec *x, const gpucmd_env *env)
{
    if (x->signals != x->fences.signals) {
        x->signals = x->fences.signals;
        gpucmd_priv_agx_recheck_queues(x);
    }
    if (!x->settled) {
        gpucmd_priv_agx_start_ready(x, env);
    }
    if (x->fault != GPUCMD_OK) {
        return GPUCMD_RUN_FAULT;
    }
    if (!x->settled || x->pieces <= 0) {
        return GPUCMD_RUN_LIMIT;
    }
    if (x->running == 0) {
        if (x->waiting != 0) {
            return GPUCMD_RUN_BLOCKED;
        }
        return GPUCMD_RUN_IDLE;
    }
    gpucmd_priv_agx_find_first_end(x);
    if (x->at < x->t.queue_count) {
        return GPUCMD_RUN_LIMIT;
    }
    return gpucmd_priv_agx_end_operation(x, env);
}

/* Continue the step until it ends or has used `pieces` pieces of work (see GPUCMD_AGX_UNIT_PIECES)
 * or a few more. Return GPUCMD_RUN_LIMIT if the step has not ended. env may be NULL. */
static gpucmd_run gpucmd_priv_agx_execute_pieces(gpucmd_agx_exec *x, const gpucmd_env *env,
                                                 int32_t pieces)
{
    static const gpucmd_env none = {NULL, NULL, NULL, NULL, NULL};
    gpucmd_run run = GPUCMD_RUN_LIMIT;
    if (env == NULL) {
        env = &none;
    }
    x->fault = GPUCMD_OK;
    x->pieces = pieces;
    while (x->pieces > 0 && run == GPUCMD_RUN_LIMIT) {
        if (x->ending != GPUCMD_AGX_NONE) {
            run = gpucmd_priv_agx_job_end(x, env);
        } else if (x->finishing) {
            run = gpucmd_priv_agx_end_operation(x, env);
        } else if (x->pushing != GPUCMD_AGX_NONE) {
            gpucmd_priv_agx_push(x);
        } else {
            run = gpucmd_priv_agx_execute_piece(x, env);
        }
    }
    return run;
}

GPUCMD_PRIV_API gpucmd_run gpucmd_agx_exec_step(gpucmd_agx_exec *x, const gpucmd_env *env)
{
    gpucmd_run run = GPUCMD_RUN_LIMIT;
    while (run == GPUCMD_RUN_LIMIT) {
        run = gpucmd_priv_agx_execute_pieces(x, env, GPUCMD_AGX_UNIT_PIECES);
    }
    return run;
}

GPUCMD_PRIV_API gpucmd_run gpucmd_agx_exec_run(gpucmd_agx_exec *x, const gpucmd_env *env,
                                               uint64_t budget)
{
    gpucmd_run run = GPUCMD_RUN_LIMIT;
    for (; budget != 0 && (run == GPUCMD_RUN_DONE || run == GPUCMD_RUN_LIMIT); budget--) {
        run = gpucmd_priv_agx_execute_pieces(x, env, GPUCMD_AGX_UNIT_PIECES);
    }
    if (run == GPUCMD_RUN_DONE) {
        return GPUCMD_RUN_LIMIT;
    }
    return run;
}

GPUCMD_PRIV_API void gpucmd_agx_exec_spans(gpucmd_agx_exec *x, gpucmd_agx_span *spans, uint32_t cap)
{
    x->spans = spans;
    x->span_cap = cap;
    x->span_count = 0;
}

GPUCMD_PRIV_API void gpucmd_agx_exec_lose(gpucmd_agx_exec *x)
{
    uint32_t i, r;
    x->lost = true;
    gpucmd_priv_agx_recheck_queues(x);
    for (i = 0; i < x->t.queue_count; i++) {
        gpucmd_agx_exec_queue *q = &x->t.queues[i];
        for (r = 0; q->used && r < GPUCMD_AGX_RINGS; r++) {
            q->rings[r].end = x->now;
            q->rings[r].fate.outcome = GPUCMD_AGX_OUTCOME_NO_DEVICE;
        }
    }
}

/* ---- deadlock ---- */

/* A search for an arc of a deadlock. If `caller` is true, the search is for fences that the caller
 * must signal, otherwise for fences that a waiting job of an unmarked queue must signal. */
typedef struct gpucmd_priv_agx_arc_search {
    const gpucmd_agx_exec *x;
    bool caller;
} gpucmd_priv_agx_arc_search;

/* A gpucmd_fence_fn: return true if the fence is one that the search is for. */
static bool gpucmd_priv_agx_is_arc(void *user, uint32_t fence)
{
    const gpucmd_priv_agx_arc_search *const search = (const gpucmd_priv_agx_arc_search *)user;
    const gpucmd_agx_exec *const x = search->x;
    const gpucmd_fence *const f = &x->fences.rows[fence - 1];
    if (f->ended || f->inner != 0 || (f->owner == 0) != search->caller) {
        return false;
    }
    if (search->caller) {
        return true;
    }
    const gpucmd_agx_exec_job *const o = &x->t.jobs[f->owner - 1];
    return !o->active && !x->t.queues[o->queue].mark;
}

/* Find a fence that the first waiting job of a queue waits for (gpucmd_priv_agx_arc_search), and
 * write the wait to *arc. Return false if there is no such fence. */
static bool gpucmd_priv_agx_find_arc(const gpucmd_agx_exec *x, uint32_t queue, bool caller,
                                     gpucmd_agx_deadlock *arc)
{
    uint32_t l, f = 0;
    const gpucmd_agx_exec_queue *q = &x->t.queues[queue];
    gpucmd_priv_agx_arc_search search = {x, caller};
    if (!q->used || q->first == GPUCMD_AGX_NONE) {
        return false;
    }
    const gpucmd_agx_exec_job *j = &x->t.jobs[q->first];
    for (l = j->in; l != GPUCMD_AGX_NONE && f == 0; l = x->t.links[l].next) {
        f = gpucmd_fence_search(&x->fences, x->t.links[l].fence, gpucmd_priv_agx_is_arc, &search);
    }
    if (f == 0) {
        return false;
    }
    const gpucmd_agx_exec_job *o = caller ? j : &x->t.jobs[x->fences.rows[f - 1].owner - 1];
    arc->queue = queue;
    arc->job = j->number;
    arc->fence = f;
    arc->for_queue = o->queue;
    arc->for_job = o->number;
    return true;
}

GPUCMD_PRIV_API uint32_t gpucmd_agx_exec_deadlock(const gpucmd_agx_exec *x,
                                                  gpucmd_agx_deadlock *arcs, uint32_t cap)
{
    bool again;
    gpucmd_agx_deadlock arc;
    uint32_t i, left = x->t.queue_count, at = GPUCMD_AGX_NONE, n = 0;
    for (i = 0; i < x->t.queue_count; i++) {
        x->t.queues[i].mark = false;
    }
    for (again = true; again;) { /* mark each queue that waits for no unmarked queue */
        again = false;
        for (i = 0; i < x->t.queue_count; i++) {
            if (!x->t.queues[i].mark && !gpucmd_priv_agx_find_arc(x, i, false, &arc)) {
                x->t.queues[i].mark = true;
                left--;
                again = true;
            }
        }
    }
    for (i = 0; i < x->t.queue_count && at == GPUCMD_AGX_NONE; i++) {
        at = x->t.queues[i].mark ? GPUCMD_AGX_NONE : i;
    }
    if (at == GPUCMD_AGX_NONE) {
        return 0;
    }
    for (i = 0; i < left; i++) { /* after `left` arcs, queue number `at` is in a cycle */
        (void)gpucmd_priv_agx_find_arc(x, at, false, &arc);
        at = arc.for_queue;
    }
    const uint32_t first = at;
    do {
        (void)gpucmd_priv_agx_find_arc(x, at, false, &arc);
        if (n < cap) {
            arcs[n++] = arc;
        }
        at = arc.for_queue;
    } while (at != first);
    return n;
}

GPUCMD_PRIV_API void gpucmd_agx_exec_why(const gpucmd_agx_exec *x, const gpucmd_env *env,
                                         gpucmd_why *why)
{
    uint32_t i;
    gpucmd_agx_deadlock arc;
    bool work = x->ending != GPUCMD_AGX_NONE;
    (void)env;
    gpucmd_priv_zero(&arc, sizeof arc);
    for (i = 0; i < x->t.job_count; i++) {
        work = work || x->t.jobs[i].left != 0;
    }
    if (x->fault != GPUCMD_OK) {
        gpucmd_priv_why_set(why, GPUCMD_WHY_CALLBACK, 0, 0);
        why->status = x->fault;
        why->name = gpucmd_status_name(x->fault);
    } else if (!work) {
        gpucmd_priv_why_set(why, GPUCMD_WHY_IDLE, 0, 0);
    } else if (x->running != 0 || !x->settled || x->signals != x->fences.signals) {
        gpucmd_priv_why_set(why, GPUCMD_WHY_READY, 0, 0);
    } else if (gpucmd_agx_exec_deadlock(x, &arc, 1) != 0) {
        gpucmd_priv_why_set(why, GPUCMD_WHY_DEADLOCK, arc.queue, arc.job);
        why->text = "queues wait for each other's jobs";
    } else {
        for (i = 0; i < x->t.queue_count && !gpucmd_priv_agx_find_arc(x, i, true, &arc); i++) {
        }
        gpucmd_priv_why_set(why, GPUCMD_WHY_WAIT, arc.queue, arc.job);
        why->name = "fence";
        why->text = "the caller must signal the fence";
    }
    why->unit_name = "queue ";
    why->value = arc.fence;
    why->va = x->now;
}

GPUCMD_PRIV_API uint32_t gpucmd_agx_exec_find(const gpucmd_agx_exec *x, uint32_t queue,
                                              uint32_t number)
{
    uint32_t i;
    for (i = 0; i < x->t.job_count; i++) {
        const gpucmd_agx_exec_job *j = &x->t.jobs[i];
        if (j->left != 0 && j->queue == queue && j->number == number) {
            return i;
        }
    }
    return GPUCMD_AGX_NONE;
}

/* Output array of waits. count is the number of all waits and can exceed cap. */
typedef struct gpucmd_priv_agx_wait_list {
    gpucmd_agx_wait *waits;
    uint32_t cap;
    uint32_t count;
} gpucmd_priv_agx_wait_list;

/* Append *wait. slot is the row of the job that is waited for; NONE: the caller must signal. */
static void gpucmd_priv_agx_add_wait(const gpucmd_agx_exec *x, gpucmd_priv_agx_wait_list *list,
                                     gpucmd_agx_wait *wait, uint32_t slot)
{
    wait->queue = slot != GPUCMD_AGX_NONE ? x->t.jobs[slot].queue : GPUCMD_AGX_NONE;
    wait->job = slot != GPUCMD_AGX_NONE ? x->t.jobs[slot].number : 0;
    if (list->count < list->cap) {
        list->waits[list->count] = *wait;
    }
    list->count++;
}

/* Return operation n, counted from 0, among the operations of a firmware queue that have not
 * ended: the executing operation, then the RUN entries. NULL: there are at most n operations. */
static const gpucmd_agx_slot *gpucmd_priv_agx_operation(const gpucmd_agx_exec *x, uint32_t queue,
                                                        uint32_t r, uint32_t n)
{
    uint32_t i;
    const gpucmd_agx_ring_state *ring = &x->t.queues[queue].rings[r];
    if (ring->running && n-- == 0) {
        return &ring->now_running;
    }
    for (i = 0; i < ring->count; i++) {
        const gpucmd_agx_slot *s = gpucmd_priv_agx_slot_at(x, queue, r, i);
        if (s->op == GPUCMD_AGX_OP_RUN && n-- == 0) {
            return s;
        }
    }
    return NULL;
}

/* A gpucmd_fence_fn: return true if a job or the caller must signal the fence. user is the table of
 * fences. */
static bool gpucmd_priv_agx_is_left(void *user, uint32_t fence)
{
    const gpucmd_fence *const f = &((const gpucmd_fence *)user)[fence - 1];
    return !f->ended && f->inner == 0;
}

/* Append the waits of a job that is not yet in the firmware queues. */
static void gpucmd_priv_agx_waits_ahead(const gpucmd_agx_exec *x, uint32_t slot,
                                        gpucmd_priv_agx_wait_list *list, gpucmd_agx_wait *wait)
{
    uint32_t l, r;
    const gpucmd_agx_exec_job *j = &x->t.jobs[slot];
    const gpucmd_agx_exec_queue *q = &x->t.queues[j->queue];
    wait->kind = GPUCMD_AGX_WAIT_FENCE;
    for (l = j->in; l != GPUCMD_AGX_NONE; l = x->t.links[l].next) {
        wait->fence = x->t.links[l].fence;
        const uint32_t f =
            gpucmd_fence_search(&x->fences, wait->fence, gpucmd_priv_agx_is_left, x->fences.rows);
        if (f != 0) {
            gpucmd_priv_agx_add_wait(x, list, wait, x->fences.rows[f - 1].owner - 1);
        }
    }
    wait->fence = 0;
    if (q->first != slot) {
        uint32_t before = q->first;
        while (x->t.jobs[before].next != slot) {
            before = x->t.jobs[before].next;
        }
        wait->kind = GPUCMD_AGX_WAIT_JOB;
        gpucmd_priv_agx_add_wait(x, list, wait, before);
        return;
    }
    wait->kind = GPUCMD_AGX_WAIT_ROOM;
    for (r = 0; list->count == 0 && r < GPUCMD_AGX_RINGS; r++) {
        const gpucmd_agx_ring_state *ring = &q->rings[r];
        if (!gpucmd_priv_agx_ring_has_room(x, ring, &j->job, (gpucmd_agx_ring)r)) {
            const gpucmd_agx_slot *oldest = gpucmd_priv_agx_operation(x, j->queue, r, 0);
            wait->part = (gpucmd_agx_ring)r;
            gpucmd_priv_agx_add_wait(x, list, wait, oldest != NULL ? oldest->job : GPUCMD_AGX_NONE);
        }
    }
}

/* Find what the next entry of job number slot in firmware queue r waits for: an earlier entry of
 * the queue, or a barrier. Complete *wait and append it to *list. If there is no such entry, or it
 * does not wait, append nothing. */
static void gpucmd_priv_agx_waits_in_ring(const gpucmd_agx_exec *x, uint32_t slot, uint32_t r,
                                          gpucmd_priv_agx_wait_list *list, gpucmd_agx_wait *wait)
{
    const uint32_t queue = x->t.jobs[slot].queue;
    const gpucmd_agx_ring_state *ring = &x->t.queues[queue].rings[r];
    const gpucmd_agx_slot *s = ring->running ? &ring->now_running : NULL;
    uint32_t i = 0;
    for (; i < ring->count && gpucmd_priv_agx_slot_at(x, queue, r, i)->job != slot; i++) {
        s = gpucmd_priv_agx_slot_at(x, queue, r, i);
    }
    if (i == ring->count || (s != NULL && s->job == slot)) {
        return; /* the job has no entry in queue r, or its operation executes */
    }
    wait->kind = GPUCMD_AGX_WAIT_ORDER;
    if (s == NULL) {
        const gpucmd_agx_slot *head = gpucmd_priv_agx_slot_at(x, queue, r, 0);
        wait->kind = GPUCMD_AGX_WAIT_BARRIER;
        const uint32_t missing = head->stamp - x->t.queues[queue].rings[head->target].ended;
        if (head->op == GPUCMD_AGX_OP_WAIT && missing - 1 < 0xffffffffu / 2) {
            s = gpucmd_priv_agx_operation(x, queue, head->target, missing - 1);
        }
    }
    if (s != NULL) {
        wait->command = s->command;
        wait->part = (gpucmd_agx_ring)s->target;
        wait->waiter = (gpucmd_agx_ring)r;
        gpucmd_priv_agx_add_wait(x, list, wait, s->job);
    }
}

GPUCMD_PRIV_API uint32_t gpucmd_agx_exec_waits(const gpucmd_agx_exec *x, uint32_t slot,
                                               gpucmd_agx_wait *waits, uint32_t cap)
{
    uint32_t r;
    gpucmd_priv_agx_wait_list list = {waits, cap, 0};
    gpucmd_agx_wait wait;
    gpucmd_priv_zero(&wait, sizeof wait);
    if (slot >= x->t.job_count || x->t.jobs[slot].left == 0) {
        return 0;
    }
    if (!x->t.jobs[slot].active) {
        gpucmd_priv_agx_waits_ahead(x, slot, &list, &wait);
        return list.count;
    }
    for (r = 0; r < GPUCMD_AGX_RINGS; r++) {
        gpucmd_priv_agx_waits_in_ring(x, slot, r, &list, &wait);
    }
    return list.count;
}

/* ---- waits as text, results ---- */

/* Return true if the waits that begin with the first waiting job of queue `from` lead to queue
 * `to`. The caller must have called gpucmd_agx_exec_deadlock, which marks the queues that reach no
 * cycle. */
static bool gpucmd_priv_agx_leads_to(const gpucmd_agx_exec *x, uint32_t from, uint32_t to)
{
    uint32_t i;
    gpucmd_agx_deadlock arc;
    for (i = 0; i < x->t.queue_count && from != to; i++) {
        if (x->t.queues[from].mark) {
            return false;
        }
        (void)gpucmd_priv_agx_find_arc(x, from, false, &arc); /* an unmarked queue has one */
        from = arc.for_queue;
    }
    return from == to;
}

/* Print what a wait of the job in table row slot is for. */
static void gpucmd_priv_agx_print_wait(gpucmd_text *t, const gpucmd_agx_exec *x,
                                       const gpucmd_agx_wait *w, uint32_t slot)
{
    if (w->kind == GPUCMD_AGX_WAIT_ROOM) {
        gpucmd_text_str(t, "room in the ");
        gpucmd_text_str(t, gpucmd_agx_ring_name(w->part));
        gpucmd_text_str(t, " queue");
        return;
    }
    if (w->kind == GPUCMD_AGX_WAIT_FENCE && w->queue == GPUCMD_AGX_NONE) {
        gpucmd_text_str(t, "fence ");
        gpucmd_text_dec(t, w->fence);
        gpucmd_text_str(t, ", which the caller must signal");
        return;
    }
    if (w->kind == GPUCMD_AGX_WAIT_FENCE) {
        gpucmd_text_str(t, "the out-fence of ");
    } else if (w->kind != GPUCMD_AGX_WAIT_JOB) {
        const gpucmd_agx_exec_job *other = &x->t.jobs[gpucmd_agx_exec_find(x, w->queue, w->job)];
        const gpucmd_agx_command *c = &other->job.commands[w->command];
        gpucmd_text_str(t, "the end of ");
        gpucmd_priv_agx_print_operation(t, (uint32_t)w->part, c->kind == GPUCMD_AGX_KIND_BLIT,
                                        c->number);
        gpucmd_text_str(t, " of ");
    }
    gpucmd_text_str(t, "job ");
    gpucmd_text_dec(t, w->job);
    if (w->kind == GPUCMD_AGX_WAIT_FENCE) {
        gpucmd_text_str(t, " of queue ");
        gpucmd_text_dec(t, w->queue);
        const uint32_t queue = x->t.jobs[slot].queue;
        if (x->t.queues[queue].first == slot && gpucmd_priv_agx_leads_to(x, w->queue, queue)) {
            gpucmd_text_str(t, ", in a cycle");
        }
    } else if (w->kind == GPUCMD_AGX_WAIT_JOB) {
        gpucmd_text_str(t, " of its queue");
    }
}

/* Print a line for each reason for which the job in table row slot waits. */
static void gpucmd_priv_agx_print_job_waits(gpucmd_text *t, const gpucmd_agx_exec *x, uint32_t slot)
{
    const gpucmd_agx_exec_job *j = &x->t.jobs[slot];
    uint32_t i, count;
    gpucmd_agx_wait waits[8];
    count = gpucmd_priv_min32(gpucmd_agx_exec_waits(x, slot, waits, 8), 8);
    for (i = 0; i < count; i++) {
        gpucmd_agx_ring ring = gpucmd_priv_agx_first_ring(&j->job.commands[0]);
        if (waits[i].kind == GPUCMD_AGX_WAIT_ORDER || waits[i].kind == GPUCMD_AGX_WAIT_BARRIER) {
            ring = waits[i].waiter;
        }
        gpucmd_text_str(t, "queue ");
        gpucmd_text_dec(t, j->queue);
        gpucmd_text_str(t, " (");
        gpucmd_text_str(t, gpucmd_agx_ring_name(ring));
        gpucmd_text_str(t, "), job ");
        gpucmd_text_dec(t, j->number);
        gpucmd_text_str(t, " waits for ");
        gpucmd_priv_agx_print_wait(t, x, &waits[i], slot);
        gpucmd_text_char(t, '\n');
    }
}

GPUCMD_PRIV_API void gpucmd_agx_print_waits(gpucmd_text *t, const gpucmd_agx_exec *x,
                                            const gpucmd_env *env)
{
    uint32_t queue, slot;
    gpucmd_agx_deadlock arc;
    (void)env;
    (void)gpucmd_agx_exec_deadlock(x, &arc, 1);
    for (queue = 0; queue < x->t.queue_count; queue++) {
        for (slot = 0; slot < x->t.job_count; slot++) {
            const gpucmd_agx_exec_job *j = &x->t.jobs[slot];
            if (j->left != 0 && j->queue == queue && j->active) {
                gpucmd_priv_agx_print_job_waits(t, x, slot);
            }
        }
        if (!x->t.queues[queue].used) {
            continue;
        }
        for (slot = x->t.queues[queue].first; slot != GPUCMD_AGX_NONE;
             slot = x->t.jobs[slot].next) {
            gpucmd_priv_agx_print_job_waits(t, x, slot);
        }
    }
}

GPUCMD_PRIV_API void gpucmd_agx_encode_result_render(
    const gpucmd_agx_result *r, struct gpucmd_drm_asahi_draft_result_render *out)
{
    const uint64_t overflowed = r->partial_renders != 0 ? GPUCMD_DRM_ASAHI_DRAFT_TVB_OVERFLOWED : 0;
    const struct gpucmd_drm_asahi_draft_result_render result = {
        r->info,   r->tvb_flags | overflowed, r->start[0],        r->end[0],          r->start[1],
        r->end[1], r->tvb_size_bytes,         r->tvb_usage_bytes, r->partial_renders, 0};
    *out = result;
}

GPUCMD_PRIV_API void gpucmd_agx_encode_result_compute(
    const gpucmd_agx_result *r, struct gpucmd_drm_asahi_draft_result_compute *out)
{
    const struct gpucmd_drm_asahi_draft_result_compute result = {r->info, 0, r->start[0],
                                                                 r->end[0]};
    *out = result;
}

/* Write the draft result structure of a command to bytes, little endian. Return its size. */
static uint32_t gpucmd_priv_agx_store_result(
    gpucmd_agx_kind kind, const gpucmd_agx_result *r,
    uint8_t bytes[sizeof(struct gpucmd_drm_asahi_draft_result_render)])
{
    if (kind == GPUCMD_AGX_KIND_COMPUTE) {
        struct gpucmd_drm_asahi_draft_result_compute compute;
        gpucmd_agx_encode_result_compute(r, &compute);
        GPUCMD_AGX_PRIV_CONVERT(draft_result_compute, bytes, &compute);
        return (uint32_t)sizeof compute;
    }
    struct gpucmd_drm_asahi_draft_result_render render;
    gpucmd_agx_encode_result_render(r, &render);
    GPUCMD_AGX_PRIV_CONVERT(draft_result_render, bytes, &render);
    return (uint32_t)sizeof render;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_agx_write_result(gpucmd_mem *mem, uint64_t va,
                                                      uint64_t result_bytes, gpucmd_agx_kind kind,
                                                      const gpucmd_agx_result *r)
{
    uint8_t bytes[sizeof(struct gpucmd_drm_asahi_draft_result_render)];
    const uint32_t len_bytes = gpucmd_priv_agx_store_result(kind, r, bytes);
    return gpucmd_mem_write(mem, va, bytes, gpucmd_priv_min(result_bytes, len_bytes));
}

/* ==== [AGX.IMPL.KERNEL] ==================================================================== */

/* Return the negative errno of a rule, or 0 for NONE. Store the rule in
 * k->finding; if a check has stored this rule already, k->finding keeps its
 * command and byte. Clear k->table unless the rule is NO_MEMORY. */
static int gpucmd_priv_agx_result(gpucmd_agx_kernel *k, gpucmd_agx_rule rule)
{
    if (rule == GPUCMD_AGX_RULE_NONE || k->finding.rule != rule) {
        (void)gpucmd_priv_agx_set_finding(&k->finding, rule, -1, 0);
    }
    k->table = rule == GPUCMD_AGX_RULE_NO_MEMORY ? k->table : GPUCMD_AGX_TABLE_NONE;
    return -gpucmd_agx_rule_errno(rule);
}

/* Store a broken rule in k->finding: member `member` has the value `value`. Return the rule. */
static gpucmd_agx_rule gpucmd_priv_agx_deny(gpucmd_agx_kernel *k, gpucmd_agx_rule rule,
                                            const char *member, uint64_t value)
{
    (void)gpucmd_priv_agx_set_finding(&k->finding, rule, -1, 0);
    k->finding.member = member;
    k->finding.value = value;
    return rule;
}

/* As gpucmd_priv_agx_deny, but also store the object and the limit that value was compared
 * with. */
static gpucmd_agx_rule gpucmd_priv_agx_deny_limit(gpucmd_agx_kernel *k, gpucmd_agx_rule rule,
                                                  const char *member, uint64_t value,
                                                  uint32_t object, uint64_t limit)
{
    (void)gpucmd_priv_agx_deny(k, rule, member, value);
    k->finding.object = object;
    k->finding.limit = limit;
    return rule;
}

/* Return true if the text of the UAPI decides where the driver differs. Ioctls of the drafts follow
 * the text. */
static bool gpucmd_priv_agx_text(const gpucmd_agx_kernel *k)
{
    return k->behavior == GPUCMD_AGX_BEHAVIOR_TEXT || k->in_draft;
}

/* As gpucmd_priv_agx_result, for a check that did not set k->finding. */
static int gpucmd_priv_agx_reject(gpucmd_agx_kernel *k, gpucmd_agx_rule rule)
{
    k->finding.rule = GPUCMD_AGX_RULE_NONE;
    return gpucmd_priv_agx_result(k, rule);
}

/* Record the full table in k->table. Return GPUCMD_AGX_RULE_NO_MEMORY. */
static gpucmd_agx_rule gpucmd_priv_agx_full(gpucmd_agx_kernel *k, gpucmd_agx_table table)
{
    k->table = table;
    return GPUCMD_AGX_RULE_NO_MEMORY;
}

/* Return the CPU address of len_bytes bytes at addr of the process; NULL: they are not contiguous
 * or cannot be read. If len_bytes is 0, return a pointer that must not be read. */
static uint8_t *gpucmd_priv_agx_user_host(gpucmd_agx_kernel *k, uint64_t addr, uint64_t len_bytes)
{
    if (len_bytes == 0) {
        return (uint8_t *)k;
    }
    return gpucmd_process_span(k->user, addr, len_bytes, GPUCMD_ACCESS_READ);
}

/* Define two functions for each table. gpucmd_priv_agx_<name> returns the row of an id; NULL: no
 * row has this id. gpucmd_priv_agx_new_<name> takes a free row, fills it with zeros, writes its id
 * to *id and returns it; NULL: no row is free, and k->table names the table. */
#define GPUCMD_AGX_PRIV_ROWS(name, rows, count, id_of_table)                                       \
    static gpucmd_agx_##name *gpucmd_priv_agx_##name(const gpucmd_agx_kernel *k, uint32_t id)      \
    {                                                                                              \
        return id - 1 < k->t.count && k->t.rows[id - 1].used ? &k->t.rows[id - 1] : NULL;          \
    }                                                                                              \
    static gpucmd_agx_##name *gpucmd_priv_agx_new_##name(gpucmd_agx_kernel *k, uint32_t *id)       \
    {                                                                                              \
        uint32_t i;                                                                                \
        for (i = 0; i < k->t.count; i++) {                                                         \
            if (!k->t.rows[i].used) {                                                              \
                gpucmd_priv_zero(&k->t.rows[i], sizeof k->t.rows[i]);                              \
                k->t.rows[i].used = true;                                                          \
                *id = i + 1;                                                                       \
                return &k->t.rows[i];                                                              \
            }                                                                                      \
        }                                                                                          \
        k->table = GPUCMD_AGX_TABLE_##id_of_table;                                                 \
        return NULL;                                                                               \
    }
GPUCMD_AGX_PRIV_ROWS(vm, vms, vm_count, VMS)
GPUCMD_AGX_PRIV_ROWS(gem, gems, gem_count, GEMS)
GPUCMD_AGX_PRIV_ROWS(object, objects, object_count, OBJECTS)
GPUCMD_AGX_PRIV_ROWS(queue, queues, queue_count, QUEUES)
#undef GPUCMD_AGX_PRIV_ROWS

/* Return the CPU memory of a GEM object, or NULL if it has none. */
static uint8_t *gpucmd_priv_agx_gem_host(const gpucmd_agx_gem *gem)
{
    return (uint8_t *)(gem->dmabuf != NULL ? gem->dmabuf->host : gem->host);
}

/* Return value * 10^9 / hz. No intermediate value overflows if the result fits. */
static uint64_t gpucmd_priv_agx_nanoseconds(uint64_t value, uint64_t hz)
{
    uint32_t digit;
    uint64_t rest;
    uint64_t out = gpucmd_priv_agx_divide(value, hz, &rest);
    for (digit = 0; digit < 9; digit++) { /* append one decimal digit of the fraction */
        out =
            gpucmd_priv_mul(out, 10) + gpucmd_priv_agx_divide(gpucmd_priv_mul(rest, 10), hz, &rest);
    }
    return out;
}

/* ---- calls of the executor ---- */

/* The executor calls this function for each operation that starts or ends. Write the timestamp of
 * the start or the end, if the command has one. */
static void gpucmd_priv_agx_kernel_accepted(void *user, const gpucmd_event *e)
{
    const gpucmd_agx_kernel *k = (const gpucmd_agx_kernel *)user;
    const uint32_t end = e->kind == GPUCMD_EVENT_FINISH;
    const uint32_t half = e->code == GPUCMD_AGX_RING_FRAGMENT;
    const gpucmd_agx_slot *s = &k->exec.t.queues[e->unit].rings[e->code].now_running;
    if (end == 0) {
        s = gpucmd_priv_agx_slot_at(&k->exec, e->unit, e->code, 0);
    }
    if (s->job < k->t.stamp_count && k->t.stamps[s->job].at[e->value][half][end] != NULL) {
        gpucmd_store64(k->t.stamps[s->job].at[e->value][half][end],
                       gpucmd_priv_agx_nanoseconds(k->exec.now, k->timer_hz), GPUCMD_LITTLE_ENDIAN);
    }
}

/* Return the kernel whose table of places k uses. */
static gpucmd_agx_kernel *gpucmd_priv_agx_places(gpucmd_agx_kernel *k)
{
    if (k->places_of != NULL) {
        return k->places_of;
    }
    return k;
}

/* Release one hold of a place (row + 1; 0: none). A place without holds becomes free. */
static void gpucmd_priv_agx_release_place(gpucmd_agx_kernel *k, uint32_t place)
{
    gpucmd_agx_kernel *const owner = gpucmd_priv_agx_places(k);
    gpucmd_agx_place *const rows = owner->t.places;
    if (place == 0 || --rows[place - 1].refs != 0) {
        return;
    }
    const gpucmd_agx_place *const p = &rows[place - 1];
    if (p->prev != 0) {
        rows[p->prev - 1].next = p->next;
    } else {
        owner->place_first = p->next;
    }
    if (p->next != 0) {
        rows[p->next - 1].prev = p->prev;
    }
}

/* The member `add` of a collector of the model kernel: take a row for the address. */
static bool gpucmd_priv_agx_keep_address(gpucmd_priv_agx_collector *collector,
                                         gpucmd_agx_taken *taken, const gpucmd_agx_address *address)
{
    gpucmd_agx_kernel *const k = (gpucmd_agx_kernel *)collector->user;
    const uint32_t row = k->address_free;
    if (row == 0) {
        k->table = GPUCMD_AGX_TABLE_ADDRESSES;
        return false;
    }
    gpucmd_agx_address *const a = &k->t.addresses[row - 1];
    k->address_free = a->next;
    *a = *address;
    a->next = taken->addresses;
    taken->addresses = row;
    return true;
}

/* Free a list of addresses, from its last one on. */
static void gpucmd_priv_agx_free_addresses(gpucmd_agx_kernel *k, uint32_t *list)
{
    while (*list != 0) {
        gpucmd_agx_address *const a = &k->t.addresses[*list - 1];
        const uint32_t next = a->next;
        a->next = k->address_free;
        k->address_free = *list;
        *list = next;
    }
}

/* The executor calls this function when an operation starts. If its VM does not map one of its
 * addresses, the operation faults. With SOFT_FAULTS, loads and stores of shaders do not. */
static uint32_t gpucmd_priv_agx_kernel_starts(void *user, uint32_t slot, uint32_t command,
                                              gpucmd_agx_ring part, gpucmd_agx_fate *fate)
{
    gpucmd_agx_kernel *const k = (gpucmd_agx_kernel *)user;
    const gpucmd_agx_exec_job *const j = &k->exec.t.jobs[slot];
    uint32_t at = 0, pieces = 0;
    const bool soft = (k->params.features & GPUCMD_DRM_ASAHI_FEATURE_SOFT_FAULTS) != 0;
    if (slot >= k->t.stamp_count) {
        return 0;
    }
    const gpucmd_agx_stamps *const stamps = &k->t.stamps[slot];
    const gpucmd_agx_vm *const vm = &k->t.vms[stamps->vm];
    static const gpucmd_space nothing = {0, 0};
    const gpucmd_space *space = &nothing;
    if (stamps->addresses[command] != 0 && vm->used && vm->serial == stamps->serial) {
        space = &vm->space;
    }
    for (at = stamps->addresses[command]; at != 0; at = k->t.addresses[at - 1].next) {
        const gpucmd_agx_address *const a = &k->t.addresses[at - 1];
        const gpucmd_priv_agx_address_row *const row = &gpucmd_priv_agx_addresses[a->id];
        uint64_t bad_va = 0;
        pieces++;
        if (row->part != part ||
            (soft && row->unit == GPUCMD_AGX_UNIT_UL1C && row->command == 255)) {
            continue;
        }
        const gpucmd_agx_fault fault =
            gpucmd_priv_agx_check_mapped(&k->maps, space, a, &bad_va, &pieces);
        if (fault != GPUCMD_AGX_FAULT_NONE) {
            gpucmd_priv_agx_fault_finding(&k->fault, a, fault, bad_va,
                                          (int32_t)j->job.commands[command].position,
                                          j->job.commands[command].off_bytes);
            k->fault_queue = j->queue;
            k->fault_number = j->number;
            fate->outcome = GPUCMD_AGX_OUTCOME_FAULT;
            fate->fault.fault_type = (uint32_t)fault;
            fate->fault.unit = row->unit;
            fate->fault.is_read =
                fault != GPUCMD_AGX_FAULT_READ_ONLY && (a->access_mask & GPUCMD_ACCESS_READ) != 0;
            fate->fault.address = bad_va;
        }
    }
    return pieces;
}

/* The executor calls this function when a command is complete. Free its addresses and the places of
 * its timestamps. If the job came from a draft, write the result of the command to the memory that
 * the submission names. */
static void gpucmd_priv_agx_kernel_completed(void *user, uint32_t slot, uint32_t command)
{
    gpucmd_agx_kernel *const k = (gpucmd_agx_kernel *)user;
    const gpucmd_agx_exec_job *j = &k->exec.t.jobs[slot];
    uint8_t bytes[sizeof(struct gpucmd_drm_asahi_draft_result_render)];
    uint32_t i;
    if (slot < k->t.stamp_count) {
        gpucmd_priv_agx_free_addresses(k, &k->t.stamps[slot].addresses[command]);
    }
    for (i = 0; slot < k->t.stamp_count && i < 4; i++) {
        uint32_t *const place = &k->t.stamps[slot].place[command][i / 2][i % 2];
        gpucmd_priv_agx_release_place(k, *place);
        *place = 0;
    }
    if (slot < k->t.stamp_count && k->t.stamps[slot].result[command] != NULL) {
        const uint32_t room_bytes = k->t.stamps[slot].result_bytes[command];
        const uint32_t len_bytes = gpucmd_priv_agx_store_result(
            (gpucmd_agx_kind)j->job.commands[command].kind, &j->results[command], bytes);
        gpucmd_priv_copy(k->t.stamps[slot].result[command], bytes,
                         (size_t)gpucmd_priv_min(room_bytes, len_bytes));
    }
}

GPUCMD_PRIV_API void gpucmd_agx_kernel_tables_init(gpucmd_agx_kernel_tables *t,
                                                   gpucmd_agx_kernel_store *s)
{
    GPUCMD_AGX_KERNEL_TABLES(GPUCMD_AGX_PRIV_SET)
    gpucmd_agx_exec_tables_init(&t->exec, &s->exec);
}

GPUCMD_PRIV_API gpucmd_status gpucmd_agx_kernel_init(gpucmd_agx_kernel *k,
                                                     const gpucmd_agx_kernel_tables *tables)
{
    gpucmd_agx_kernel *const owner = k;
    gpucmd_status status = GPUCMD_OK;
    uint32_t i;
    gpucmd_priv_zero(k, sizeof *k);
    k->t = *tables;
    k->params.vm_start = GPUCMD_AGX_VM_START; /* values that do not depend on the chip [DRV] */
    k->params.vm_end = GPUCMD_AGX_VM_END;
    k->params.vm_kernel_min_size = GPUCMD_AGX_KERNEL_BYTES;
    k->params.max_commands_per_submission = GPUCMD_AGX_MAX_COMMANDS;
    k->params.max_attachments = GPUCMD_AGX_MAX_ATTACHMENTS;
    k->params.command_timestamp_frequency_hz = GPUCMD_AGX_TIMESTAMP_HZ;
    k->timer_hz = GPUCMD_AGX_TIMESTAMP_HZ;
    GPUCMD_AGX_KERNEL_TABLES(GPUCMD_AGX_PRIV_CLEAR)
    if (status != GPUCMD_OK) {
        return status;
    }
    gpucmd_maps_init(&k->maps, tables->maps, tables->map_count);
    k->maps.page_bytes = GPUCMD_AGX_PAGE_BYTES;
    if (tables->gem_count != 0) {
        k->maps.heads = &tables->gems[0].maps;
    }
    k->maps.head_stride = sizeof tables->gems[0];
    k->maps.head_count = tables->gem_count;
    status = gpucmd_agx_exec_init(&k->exec, &tables->exec);
    gpucmd_syncobjs_init(&k->syncobjs, &k->exec.fences, tables->syncobjs, tables->syncobj_count,
                         tables->points, tables->point_count);
    k->table = k->exec.table;
    k->exec.accepted = gpucmd_priv_agx_kernel_accepted;
    k->exec.accepted_user = k;
    k->exec.completed = gpucmd_priv_agx_kernel_completed;
    k->exec.completed_user = k;
    k->exec.starts = gpucmd_priv_agx_kernel_starts;
    k->exec.starts_user = k;
    for (i = tables->address_count; i != 0; i--) {
        k->t.addresses[i - 1].next = k->address_free;
        k->address_free = i;
    }
    (void)gpucmd_priv_agx_set_finding(&k->fault, GPUCMD_AGX_RULE_NONE, -1, 0);
    return status;
}

GPUCMD_PRIV_API void gpucmd_agx_kernel_crash(gpucmd_agx_kernel *k)
{
    k->crashed = true;
    gpucmd_agx_exec_lose(&k->exec);
}

GPUCMD_PRIV_API gpucmd_status gpucmd_agx_kernel_back(gpucmd_agx_kernel *k, uint32_t handle,
                                                     void *host)
{
    gpucmd_agx_gem *gem = gpucmd_priv_agx_gem(k, handle);
    if (gem == NULL) {
        return GPUCMD_RANGE;
    }
    gem->host = host;
    if (gem->dmabuf != NULL) {
        gem->dmabuf->host = host;
    }
    return GPUCMD_OK;
}

/* ---- sync objects ---- */

/* Write to *fence the fence that an in-sync waits for, or 0 if the in-sync names a timeline point
 * that has signalled and has no row. Return the broken rule or NONE. */
static gpucmd_agx_rule gpucmd_priv_agx_find_fence(gpucmd_agx_kernel *k,
                                                  const struct gpucmd_drm_asahi_sync *sync_arg,
                                                  uint32_t *fence)
{
    const int result =
        gpucmd_syncobj_find(&k->syncobjs, sync_arg->handle, sync_arg->timeline_value, fence);
    if (result == 0) {
        return GPUCMD_AGX_RULE_NONE;
    }
    if (result == -GPUCMD_SYS_ENOENT) {
        return GPUCMD_AGX_RULE_SYNC_UNKNOWN;
    }
    if (k->syncobjs.rows[sync_arg->handle - 1].fence == 0) {
        return GPUCMD_AGX_RULE_SYNC_NO_FENCE;
    }
    return GPUCMD_AGX_RULE_SYNC_POINT;
}

/* CPU addresses of the in-syncs and out-syncs of a submission. NULL: they cannot be read. */
typedef struct gpucmd_priv_agx_sync_arrays {
    const uint8_t *in;
    const uint8_t *out;
    uint32_t in_count;
    uint32_t out_count;
    bool draft;
} gpucmd_priv_agx_sync_arrays;

/* Read sync number i; the in-syncs come first, from number 0. Return the broken rule or NONE. */
static gpucmd_agx_rule gpucmd_priv_agx_load_sync(const gpucmd_priv_agx_sync_arrays *a, uint64_t i,
                                                 struct gpucmd_drm_asahi_sync *sync_arg)
{
    const uint8_t *base = a->in;
    if (i >= a->in_count) {
        base = a->out;
        i -= a->in_count;
    }
    const size_t at = (size_t)i;
    if (base == NULL) {
        return GPUCMD_AGX_RULE_SYNCS_FAULT;
    }
    if (!a->draft) {
        GPUCMD_AGX_PRIV_CONVERT(sync, sync_arg, base + at * sizeof *sync_arg);
        return GPUCMD_AGX_RULE_NONE;
    }
    struct gpucmd_drm_asahi_draft_sync d;
    GPUCMD_AGX_PRIV_CONVERT(draft_sync, &d, base + at * sizeof d);
    if (gpucmd_agx_draft_sync(&d, sync_arg) == GPUCMD_OK) {
        return GPUCMD_AGX_RULE_NONE;
    }
    return GPUCMD_AGX_RULE_DRAFT_EXTENSIONS;
}

/* Read and check sync number i. Write it to *sync_arg, and the fence of an in-sync to *fence, as
 * gpucmd_priv_agx_find_fence does. */
static gpucmd_agx_rule gpucmd_priv_agx_check_sync(gpucmd_agx_kernel *k,
                                                  const gpucmd_priv_agx_sync_arrays *a, uint64_t i,
                                                  struct gpucmd_drm_asahi_sync *sync_arg,
                                                  uint32_t *fence)
{
    const gpucmd_agx_rule rule = gpucmd_priv_agx_load_sync(a, i, sync_arg);
    if (rule != GPUCMD_AGX_RULE_NONE) {
        return rule;
    }
    if (sync_arg->sync_type > GPUCMD_DRM_ASAHI_SYNC_TIMELINE_SYNCOBJ) {
        return GPUCMD_AGX_RULE_SYNC_TYPE;
    }
    if (sync_arg->sync_type == GPUCMD_DRM_ASAHI_SYNC_SYNCOBJ && sync_arg->timeline_value != 0) {
        return GPUCMD_AGX_RULE_SYNC_VALUE;
    }
    if (i < a->in_count) {
        return gpucmd_priv_agx_find_fence(k, sync_arg, fence);
    }
    if (gpucmd_priv_syncobj(&k->syncobjs, sync_arg->handle) == NULL) {
        return GPUCMD_AGX_RULE_SYNC_UNKNOWN;
    }
    return GPUCMD_AGX_RULE_NONE;
}

/* Store the rule that sync number i breaks in k->finding, with its place and value. Return rule. */
static gpucmd_agx_rule gpucmd_priv_agx_reject_sync(gpucmd_agx_kernel *k,
                                                   const gpucmd_priv_agx_sync_arrays *a, uint64_t i,
                                                   const struct gpucmd_drm_asahi_sync *sync_arg,
                                                   gpucmd_agx_rule rule)
{
    const uint64_t nth = i < a->in_count ? i : i - a->in_count;
    size_t at_bytes = (size_t)i * sizeof *sync_arg; /* out-syncs are in the array of the in-syncs */
    if (a->draft) {
        at_bytes = (size_t)nth * sizeof(struct gpucmd_drm_asahi_draft_sync);
    }
    (void)gpucmd_priv_agx_set_finding(&k->finding, rule, (int32_t)nth, at_bytes);
    k->finding.item = i < a->in_count ? GPUCMD_AGX_ITEM_IN_SYNC : GPUCMD_AGX_ITEM_OUT_SYNC;
    k->finding.member = "handle";
    k->finding.value = sync_arg->handle;
    k->finding.object = sync_arg->handle;
    if (rule == GPUCMD_AGX_RULE_SYNC_TYPE) {
        k->finding.member = "sync_type";
        k->finding.value = sync_arg->sync_type;
    } else if (rule == GPUCMD_AGX_RULE_SYNC_VALUE || rule == GPUCMD_AGX_RULE_SYNC_POINT) {
        k->finding.member = "timeline_value";
        k->finding.value = sync_arg->timeline_value;
    }
    if (rule == GPUCMD_AGX_RULE_SYNC_POINT) {
        k->finding.limit = k->syncobjs.rows[sync_arg->handle - 1].last;
    } else if (rule == GPUCMD_AGX_RULE_SYNCS_FAULT || rule == GPUCMD_AGX_RULE_DRAFT_EXTENSIONS) {
        k->finding.member = NULL;
    }
    return rule;
}

/* Check all syncs in order. Write the fences that the job must wait for to ids,
 * and the out-syncs to k->t.syncs. The caller must set *id_count to 0. */
static gpucmd_agx_rule gpucmd_priv_agx_check_syncs(gpucmd_agx_kernel *k,
                                                   const gpucmd_priv_agx_sync_arrays *a,
                                                   uint32_t *ids, uint32_t *id_count)
{
    uint64_t i;
    const uint64_t count = (uint64_t)a->in_count + a->out_count;
    if (count > k->t.fence_id_count) {
        return gpucmd_priv_agx_full(k, GPUCMD_AGX_TABLE_FENCE_IDS);
    }
    if (a->out_count > k->t.sync_count) {
        return gpucmd_priv_agx_full(k, GPUCMD_AGX_TABLE_SYNCS);
    }
    for (i = 0; i < count; i++) {
        struct gpucmd_drm_asahi_sync sync_arg;
        uint32_t fence = 0;
        gpucmd_priv_zero(&sync_arg, sizeof sync_arg);
        const gpucmd_agx_rule rule = gpucmd_priv_agx_check_sync(k, a, i, &sync_arg, &fence);
        if (rule != GPUCMD_AGX_RULE_NONE) {
            return gpucmd_priv_agx_reject_sync(k, a, i, &sync_arg, rule);
        }
        if (i >= a->in_count) {
            k->t.syncs[i - a->in_count] = sync_arg;
            /* points that have signalled leave their rows */
            gpucmd_priv_sync_prune(&k->syncobjs, &k->syncobjs.rows[sync_arg.handle - 1]);
        } else if (fence != 0) {
            ids[(*id_count)++] = fence;
        }
    }
    return GPUCMD_AGX_RULE_NONE;
}

/* ---- submit ---- */

static bool gpucmd_priv_agx_timestamp_bytes(void *user, uint32_t object_handle, uint64_t *bytes)
{
    const gpucmd_agx_object *o =
        gpucmd_priv_agx_object((const gpucmd_agx_kernel *)user, object_handle);
    if (o != NULL) {
        *bytes = o->bytes;
    }
    return o != NULL;
}

/* Return the CPU address of a checked timestamp; NULL: the command has no
 * timestamp, or the timestamp object has no memory. */
static uint8_t *gpucmd_priv_agx_stamp_host(gpucmd_agx_kernel *k,
                                           const struct gpucmd_drm_asahi_timestamp *stamp)
{
    const gpucmd_agx_object *o = gpucmd_priv_agx_object(k, stamp->handle);
    if (o == NULL) {
        return NULL;
    }
    const gpucmd_agx_gem *gem = gpucmd_priv_agx_gem(k, o->handle);
    uint8_t *host = o->host;
    if (gem != NULL) {
        host = gpucmd_priv_agx_gem_host(gem);
    }
    if (host == NULL) {
        return NULL;
    }
    return host + (size_t)(o->offset + stamp->offset);
}

/* Hold the place of a timestamp and return it; 0: none. */
static uint32_t gpucmd_priv_agx_hold_place(gpucmd_agx_kernel *k,
                                           const struct gpucmd_drm_asahi_timestamp *stamp)
{
    const gpucmd_agx_object *o = gpucmd_priv_agx_object(k, stamp->handle);
    if (o == NULL || o->place == 0) {
        return 0;
    }
    gpucmd_priv_agx_places(k)->t.places[o->place - 1].refs++;
    return o->place;
}

/* Write the CPU addresses and the places of the timestamps of k->job to *stamps. */
static void gpucmd_priv_agx_keep_stamps(gpucmd_agx_kernel *k, gpucmd_agx_stamps *stamps)
{
    uint32_t i, half;
    for (i = 0; i < k->job.count; i++) {
        for (half = 0; half < 2; half++) {
            const struct gpucmd_drm_asahi_timestamps *s = &k->taken[i].stamps[half];
            stamps->at[i][half][0] = gpucmd_priv_agx_stamp_host(k, &s->start);
            stamps->at[i][half][1] = gpucmd_priv_agx_stamp_host(k, &s->end);
            stamps->place[i][half][0] = gpucmd_priv_agx_hold_place(k, &s->start);
            stamps->place[i][half][1] = gpucmd_priv_agx_hold_place(k, &s->end);
        }
    }
}

/* Return the first table without room for a submission, or NONE if all have room. */
static gpucmd_agx_table gpucmd_priv_agx_submit_room(const gpucmd_agx_kernel *k, uint32_t in_count,
                                                    uint32_t out_count)
{
    const uint64_t want = (uint64_t)in_count + out_count;
    uint64_t links = 0;
    uint32_t at;
    for (at = k->exec.free_link; at != GPUCMD_AGX_NONE && links < want; links++) {
        at = k->exec.t.links[at].next;
    }
    if (k->syncobjs.point_cap - k->syncobjs.point_count < out_count) {
        return GPUCMD_AGX_TABLE_POINTS;
    }
    if (k->exec.fences.cap - k->exec.fences.count < out_count) {
        return GPUCMD_AGX_TABLE_EXEC_FENCES;
    }
    if (links < want) {
        return GPUCMD_AGX_TABLE_EXEC_LINKS;
    }
    if (k->exec.free_job == GPUCMD_AGX_NONE) {
        return GPUCMD_AGX_TABLE_EXEC_JOBS;
    }
    if (k->exec.free_job >= k->t.stamp_count) {
        return GPUCMD_AGX_TABLE_STAMPS;
    }
    return GPUCMD_AGX_TABLE_NONE;
}

/* For each out-sync in turn, make a fence, write it to ids and attach it to the sync
 * object. A fence is attached before the next fence is made, because two out-syncs may
 * name one object, and the later point must follow the earlier point. The caller must have
 * checked the objects, and that the tables have room. */
static void gpucmd_priv_agx_make_fences(gpucmd_agx_kernel *k, uint32_t out_count, uint32_t *ids)
{
    uint32_t i;
    for (i = 0; i < out_count; i++) {
        const struct gpucmd_drm_asahi_sync *a = &k->t.syncs[i];
        if (a->sync_type == GPUCMD_DRM_ASAHI_SYNC_SYNCOBJ) {
            ids[i] = gpucmd_fence_new(&k->exec.fences, 0, 0);
            (void)!gpucmd_syncobj_replace(&k->syncobjs, a->handle, ids[i]);
        } else {
            ids[i] = gpucmd_fence_new(&k->exec.fences, k->syncobjs.rows[a->handle - 1].fence, 0);
            (void)!gpucmd_syncobj_add_point(&k->syncobjs, a->handle, a->timeline_value, ids[i]);
        }
    }
}

/* Submit the checked job k->job to the executor. The job waits for the first in_count fences
 * of k->t.fence_ids. Clear the job's row of k->t.stamps and write its address to *stamps. */
static gpucmd_agx_rule gpucmd_priv_agx_queue_job(gpucmd_agx_kernel *k, const gpucmd_agx_queue *q,
                                                 uint32_t in_count, uint32_t out_count,
                                                 gpucmd_agx_stamps **stamps)
{
    uint32_t i, slot = 0;
    uint32_t *ids = k->t.fence_ids;
    const gpucmd_agx_submission sub = {&k->job, ids, in_count, out_count, ids + in_count, 0};
    const gpucmd_agx_table full = gpucmd_priv_agx_submit_room(k, in_count, out_count);
    if (full != GPUCMD_AGX_TABLE_NONE) {
        return gpucmd_priv_agx_full(k, full);
    }
    /* Hold the in-fences, because gpucmd_priv_agx_make_fences can release their other holds. */
    for (i = 0; i < in_count; i++) {
        gpucmd_fence_hold(&k->exec.fences, ids[i]);
    }
    gpucmd_priv_agx_make_fences(k, out_count, ids + in_count);
    const gpucmd_status status = gpucmd_agx_exec_submit(&k->exec, q->exec, &sub, &slot);
    for (i = 0; i < in_count + out_count; i++) {
        gpucmd_fence_release(&k->exec.fences, ids[i]);
    }
    if (status != GPUCMD_OK) { /* cannot happen, because room and barriers were checked */
        return gpucmd_priv_agx_full(k, k->exec.table);
    }
    k->queue = q->exec;
    k->number = k->exec.t.jobs[slot].number;
    *stamps = &k->t.stamps[slot];
    gpucmd_priv_zero(*stamps, sizeof **stamps);
    return GPUCMD_AGX_RULE_NONE;
}

/* Parse the stream of a SUBMIT to k->job and k->taken. If the table of addresses has rows, take
 * rows for its addresses. */
static gpucmd_status gpucmd_priv_agx_parse_submit(gpucmd_agx_kernel *k, const gpucmd_agx_queue *q,
                                                  const uint8_t *stream, uint32_t len_bytes)
{
    const gpucmd_agx_objects objects = {gpucmd_priv_agx_timestamp_bytes, k, k->behavior};
    gpucmd_priv_agx_collector collector;
    uint32_t i;
    gpucmd_priv_zero(&collector, sizeof collector);
    collector.add = gpucmd_priv_agx_keep_address;
    collector.user = k;
    collector.usc_exec_base = q->usc_exec_base;
    collector.lists = &k->lists;
    for (i = 0; i < 3; i++) {
        k->lists.of[i].count = 0;
    }
    for (i = 0; i < GPUCMD_AGX_MAX_COMMANDS; i++) {
        k->taken[i].addresses = 0;
    }
    gpucmd_priv_agx_parser p = {&objects, &k->job, k->taken, &k->finding, 0, 0, NULL};
    if (k->t.address_count != 0) {
        p.collector = &collector;
    }
    return gpucmd_priv_agx_parse(&p, stream, len_bytes);
}

/* Free the addresses of a refused SUBMIT, in the reverse order, so that the table is as before. */
static void gpucmd_priv_agx_drop_taken(gpucmd_agx_kernel *k)
{
    uint32_t i;
    for (i = GPUCMD_AGX_MAX_COMMANDS; i != 0; i--) {
        gpucmd_priv_agx_free_addresses(k, &k->taken[i - 1].addresses);
    }
}

/* Give the addresses of k->job to its row of stamps. */
static void gpucmd_priv_agx_move_addresses(gpucmd_agx_kernel *k, const gpucmd_agx_queue *q,
                                           gpucmd_agx_stamps *stamps)
{
    uint32_t i;
    stamps->vm = q->vm_id - 1;
    stamps->serial = q->vm_serial;
    for (i = 0; i < k->job.count; i++) {
        stamps->addresses[i] = k->taken[i].addresses;
        k->taken[i].addresses = 0;
    }
}

static gpucmd_agx_rule gpucmd_priv_agx_submit(gpucmd_agx_kernel *k,
                                              const struct gpucmd_drm_asahi_submit *arg)
{
    const uint64_t each_bytes = sizeof(struct gpucmd_drm_asahi_sync);
    const gpucmd_agx_queue *q = gpucmd_priv_agx_queue(k, arg->queue_id);
    const uint64_t count = (uint64_t)arg->in_sync_count + arg->out_sync_count;
    gpucmd_agx_stamps *stamps = NULL;
    uint32_t in_count = 0;
    if (arg->flags != 0) {
        return gpucmd_priv_agx_deny(k, GPUCMD_AGX_RULE_FLAGS, "flags", arg->flags);
    }
    if (arg->pad != 0) {
        return gpucmd_priv_agx_deny(k, GPUCMD_AGX_RULE_PAD, "pad", arg->pad);
    }
    if (q == NULL) {
        return gpucmd_priv_agx_deny(k, GPUCMD_AGX_RULE_QUEUE_UNKNOWN, "queue_id", arg->queue_id);
    }
    if (count > 0xffffffffu) {
        (void)gpucmd_priv_agx_deny(k, GPUCMD_AGX_RULE_SYNC_COUNT, "in_sync_count",
                                   arg->in_sync_count);
        k->finding.bytes = arg->out_sync_count;
        return GPUCMD_AGX_RULE_SYNC_COUNT;
    }
    const uint8_t *syncs = gpucmd_priv_agx_user_host(k, arg->syncs, count * each_bytes);
    if (syncs == NULL) {
        return GPUCMD_AGX_RULE_SYNCS_FAULT;
    }
    const gpucmd_priv_agx_sync_arrays arrays = {syncs,
                                                syncs + (size_t)(arg->in_sync_count * each_bytes),
                                                arg->in_sync_count, arg->out_sync_count, false};
    gpucmd_agx_rule rule = gpucmd_priv_agx_check_syncs(k, &arrays, k->t.fence_ids, &in_count);
    if (rule != GPUCMD_AGX_RULE_NONE) {
        return rule;
    }
    const uint8_t *stream = gpucmd_priv_agx_user_host(k, arg->cmdbuf, arg->cmdbuf_size);
    if (stream == NULL) {
        return GPUCMD_AGX_RULE_CMDBUF_FAULT;
    }
    if (k->crashed) {
        return GPUCMD_AGX_RULE_CRASHED;
    }
    if (gpucmd_priv_agx_parse_submit(k, q, stream, arg->cmdbuf_size) != GPUCMD_OK) {
        gpucmd_priv_agx_drop_taken(k);
        return k->finding.rule;
    }
    rule = gpucmd_priv_agx_queue_job(k, q, in_count, arg->out_sync_count, &stamps);
    if (rule == GPUCMD_AGX_RULE_NONE) {
        gpucmd_priv_agx_keep_stamps(k, stamps);
        gpucmd_priv_agx_move_addresses(k, q, stamps);
    } else {
        gpucmd_priv_agx_drop_taken(k);
    }
    return rule;
}

/* ---- address spaces, objects, queues ---- */

static gpucmd_agx_rule gpucmd_priv_agx_get_params(gpucmd_agx_kernel *k,
                                                  const struct gpucmd_drm_asahi_get_params *arg)
{
    struct gpucmd_drm_asahi_params_global p;
    if (arg->param_group != 0) {
        return gpucmd_priv_agx_deny(k, GPUCMD_AGX_RULE_PARAM_GROUP, "param_group",
                                    arg->param_group);
    }
    if (arg->pad != 0) {
        return gpucmd_priv_agx_deny(k, GPUCMD_AGX_RULE_PAD, "pad", arg->pad);
    }
    if (k->crashed) {
        return GPUCMD_AGX_RULE_CRASHED;
    }
    GPUCMD_AGX_PRIV_CONVERT(params_global, &p, &k->params);
    if (gpucmd_process_write(k->user, arg->pointer, &p, gpucmd_priv_min(arg->size, sizeof p)) ==
        0) {
        return GPUCMD_AGX_RULE_NONE;
    }
    return gpucmd_priv_agx_deny(k, GPUCMD_AGX_RULE_ARGUMENT_FAULT, "pointer", arg->pointer);
}

static gpucmd_agx_rule gpucmd_priv_agx_get_time(gpucmd_agx_kernel *k,
                                                struct gpucmd_drm_asahi_get_time *arg)
{
    if (arg->flags != 0) {
        return gpucmd_priv_agx_deny(k, GPUCMD_AGX_RULE_FLAGS, "flags", arg->flags);
    }
    arg->gpu_timestamp = gpucmd_priv_agx_nanoseconds(k->exec.now, k->timer_hz);
    return GPUCMD_AGX_RULE_NONE;
}

/* Make a VM with this kernel window and write its id to *vm_id. */
static gpucmd_agx_rule gpucmd_priv_agx_make_vm(gpucmd_agx_kernel *k, uint64_t kernel_start,
                                               uint64_t kernel_end, uint32_t *vm_id)
{
    gpucmd_agx_vm *vm = gpucmd_priv_agx_new_vm(k, vm_id);
    if (vm == NULL) {
        return GPUCMD_AGX_RULE_NO_MEMORY;
    }
    vm->serial = ++k->vm_serial;
    vm->kernel_start = kernel_start;
    vm->kernel_end = kernel_end;
    gpucmd_space_init(&vm->space, *vm_id);
    return GPUCMD_AGX_RULE_NONE;
}

static gpucmd_agx_rule gpucmd_priv_agx_vm_create(gpucmd_agx_kernel *k,
                                                 struct gpucmd_drm_asahi_vm_create *arg)
{
    uint64_t start = arg->kernel_start;
    uint64_t end = arg->kernel_end;
    const uint64_t mask = GPUCMD_AGX_WINDOW_BYTES - 1;
    if (arg->pad != 0 && gpucmd_priv_agx_text(k)) {
        return gpucmd_priv_agx_deny(k, GPUCMD_AGX_RULE_PAD, "pad", arg->pad);
    }
    if (start < k->params.vm_start || end > k->params.vm_end || end < start ||
        end - start < k->params.vm_kernel_min_size ||
        ((start | end) & (GPUCMD_AGX_PAGE_BYTES - 1)) != 0) {
        (void)gpucmd_priv_agx_deny_limit(k, GPUCMD_AGX_RULE_VM_WINDOW, "kernel_start", start, 0,
                                         k->params.vm_kernel_min_size);
        if (end > start) {
            k->finding.bytes = end - start;
        }
        k->finding.least = k->params.vm_start;
        return GPUCMD_AGX_RULE_VM_WINDOW;
    }
    if (!gpucmd_priv_agx_text(k)) {
        start = (start + mask) & ~mask;
        end &= ~mask;
    }
    return gpucmd_priv_agx_make_vm(k, start, end, &arg->vm_id);
}

static gpucmd_agx_rule gpucmd_priv_agx_vm_destroy(gpucmd_agx_kernel *k,
                                                  const struct gpucmd_drm_asahi_vm_destroy *arg)
{
    uint32_t i;
    gpucmd_agx_vm *vm = gpucmd_priv_agx_vm(k, arg->vm_id);
    if (arg->pad != 0 && gpucmd_priv_agx_text(k)) {
        return gpucmd_priv_agx_deny(k, GPUCMD_AGX_RULE_PAD, "pad", arg->pad);
    }
    if (vm == NULL) {
        return gpucmd_priv_agx_deny(k, GPUCMD_AGX_RULE_VM_UNKNOWN, "vm_id", arg->vm_id);
    }
    gpucmd_space_clear(&k->maps, &vm->space);
    vm->used = false;
    for (i = 0; i < k->t.gem_count; i++) { /* forget the id, which a later VM may get */
        if (k->t.gems[i].used && k->t.gems[i].vm_id == arg->vm_id) {
            k->t.gems[i].vm_id = GPUCMD_AGX_NONE;
        }
    }
    return GPUCMD_AGX_RULE_NONE;
}

/* ---- binds ---- */

/* The checks of a bind operation. The order is in gpucmd_priv_agx_bind_order. */
typedef enum gpucmd_priv_agx_bind_check {
    GPUCMD_AGX_PRIV_BIND_END,
    GPUCMD_AGX_PRIV_BIND_ALIGN,
    GPUCMD_AGX_PRIV_BIND_FLAGS,
    GPUCMD_AGX_PRIV_BIND_UNUSED,
    GPUCMD_AGX_PRIV_BIND_EMPTY,
    GPUCMD_AGX_PRIV_BIND_OBJECT,
    GPUCMD_AGX_PRIV_BIND_OBJECT_RANGE,
    GPUCMD_AGX_PRIV_BIND_OVERFLOW,
    GPUCMD_AGX_PRIV_BIND_WINDOW,
    GPUCMD_AGX_PRIV_BIND_RIGHTS,
    GPUCMD_AGX_PRIV_BIND_VM,
    GPUCMD_AGX_PRIV_BIND_KERNEL_WINDOW,
    GPUCMD_AGX_PRIV_BIND_OWNER,
} gpucmd_priv_agx_bind_check;

/* Orders of the checks: a bind and an unbind of the driver [DRV], and of the text. In the text, the
 * kernel window is checked before the VM; a VM that does not exist has none. [OUR] */
static const uint8_t gpucmd_priv_agx_bind_order[2][2][11] = {
    {{GPUCMD_AGX_PRIV_BIND_ALIGN, GPUCMD_AGX_PRIV_BIND_FLAGS, GPUCMD_AGX_PRIV_BIND_OBJECT,
      GPUCMD_AGX_PRIV_BIND_OVERFLOW, GPUCMD_AGX_PRIV_BIND_OBJECT_RANGE, GPUCMD_AGX_PRIV_BIND_WINDOW,
      GPUCMD_AGX_PRIV_BIND_RIGHTS, GPUCMD_AGX_PRIV_BIND_VM, GPUCMD_AGX_PRIV_BIND_KERNEL_WINDOW,
      GPUCMD_AGX_PRIV_BIND_OWNER, GPUCMD_AGX_PRIV_BIND_END},
     {GPUCMD_AGX_PRIV_BIND_UNUSED, GPUCMD_AGX_PRIV_BIND_FLAGS, GPUCMD_AGX_PRIV_BIND_ALIGN,
      GPUCMD_AGX_PRIV_BIND_OVERFLOW, GPUCMD_AGX_PRIV_BIND_WINDOW, GPUCMD_AGX_PRIV_BIND_VM,
      GPUCMD_AGX_PRIV_BIND_KERNEL_WINDOW, GPUCMD_AGX_PRIV_BIND_END, 0, 0, 0}},
    {{GPUCMD_AGX_PRIV_BIND_FLAGS, GPUCMD_AGX_PRIV_BIND_ALIGN, GPUCMD_AGX_PRIV_BIND_EMPTY,
      GPUCMD_AGX_PRIV_BIND_WINDOW, GPUCMD_AGX_PRIV_BIND_KERNEL_WINDOW, GPUCMD_AGX_PRIV_BIND_OBJECT,
      GPUCMD_AGX_PRIV_BIND_OBJECT_RANGE, GPUCMD_AGX_PRIV_BIND_RIGHTS, GPUCMD_AGX_PRIV_BIND_VM,
      GPUCMD_AGX_PRIV_BIND_OWNER, GPUCMD_AGX_PRIV_BIND_END},
     {GPUCMD_AGX_PRIV_BIND_FLAGS, GPUCMD_AGX_PRIV_BIND_UNUSED, GPUCMD_AGX_PRIV_BIND_ALIGN,
      GPUCMD_AGX_PRIV_BIND_EMPTY, GPUCMD_AGX_PRIV_BIND_WINDOW, GPUCMD_AGX_PRIV_BIND_KERNEL_WINDOW,
      GPUCMD_AGX_PRIV_BIND_VM, GPUCMD_AGX_PRIV_BIND_END, 0, 0, 0}           },
};

/* Store in k->finding that the range of an operation breaks a rule about the addresses
 * least..limit - 1. Return the rule. */
static gpucmd_agx_rule gpucmd_priv_agx_deny_range(gpucmd_agx_kernel *k, gpucmd_agx_rule rule,
                                                  const struct gpucmd_drm_asahi_gem_bind_op *op,
                                                  uint64_t least, uint64_t limit)
{
    (void)gpucmd_priv_agx_deny_limit(k, rule, "addr", op->addr, 0, limit);
    k->finding.bytes = op->range;
    k->finding.least = least;
    return rule;
}

/* Check members of an operation that must be multiples of a page. */
static gpucmd_agx_rule gpucmd_priv_agx_check_align(gpucmd_agx_kernel *k,
                                                   const struct gpucmd_drm_asahi_gem_bind_op *op)
{
    const uint64_t mask = GPUCMD_AGX_PAGE_BYTES - 1;
    const char *member = "addr";
    uint64_t value = op->addr;
    if ((value & mask) == 0) {
        member = "range";
        value = op->range;
    }
    if ((value & mask) == 0) {
        member = "offset";
        value = op->offset;
    }
    if ((value & mask) == 0) {
        return GPUCMD_AGX_RULE_NONE;
    }
    return gpucmd_priv_agx_deny_limit(k, GPUCMD_AGX_RULE_BIND_ALIGN, member, value, 0,
                                      GPUCMD_AGX_PAGE_BYTES);
}

/* Check the members that an unbind does not use. */
static gpucmd_agx_rule gpucmd_priv_agx_check_unused(gpucmd_agx_kernel *k,
                                                    const struct gpucmd_drm_asahi_gem_bind_op *op)
{
    if (op->offset != 0) {
        return gpucmd_priv_agx_deny(k, GPUCMD_AGX_RULE_BIND_UNUSED, "offset", op->offset);
    }
    if (op->handle != 0) {
        return gpucmd_priv_agx_deny(k, GPUCMD_AGX_RULE_BIND_UNUSED, "handle", op->handle);
    }
    return GPUCMD_AGX_RULE_NONE;
}

/* Check that the object of an operation, which exists, contains the range. */
static gpucmd_agx_rule gpucmd_priv_agx_check_object_range(
    gpucmd_agx_kernel *k, const struct gpucmd_drm_asahi_gem_bind_op *op)
{
    const gpucmd_agx_gem *gem = gpucmd_priv_agx_gem(k, op->handle);
    uint64_t length = op->range;
    if ((op->flags & GPUCMD_DRM_ASAHI_BIND_SINGLE_PAGE) != 0) {
        length = GPUCMD_AGX_PAGE_BYTES;
    }
    if (op->offset <= gem->bytes && length <= gem->bytes - op->offset) {
        return GPUCMD_AGX_RULE_NONE;
    }
    (void)gpucmd_priv_agx_deny_limit(k, GPUCMD_AGX_RULE_BIND_OBJECT_RANGE, "offset", op->offset,
                                     op->handle, gem->bytes);
    k->finding.bytes = length;
    return GPUCMD_AGX_RULE_BIND_OBJECT_RANGE;
}

/* Check an operation against the addresses of VMs. The driver lets each empty range pass here. */
static gpucmd_agx_rule gpucmd_priv_agx_check_window(gpucmd_agx_kernel *k,
                                                    const struct gpucmd_drm_asahi_gem_bind_op *op)
{
    const uint64_t end = k->params.vm_end;
    if (op->range == 0 ||
        (op->addr >= k->params.vm_start && op->addr <= end && op->range <= end - op->addr)) {
        return GPUCMD_AGX_RULE_NONE;
    }
    return gpucmd_priv_agx_deny_range(k, GPUCMD_AGX_RULE_BIND_WINDOW, op, k->params.vm_start, end);
}

/* Check an operation against the kernel window of a VM; vm may be NULL. An empty range is checked
 * as GPUVM of the driver does: its address must be in vm_start..vm_end, and not inside the kernel
 * window, whose first byte is valid. */
static gpucmd_agx_rule gpucmd_priv_agx_check_kernel_window(
    gpucmd_agx_kernel *k, const gpucmd_agx_vm *vm, const struct gpucmd_drm_asahi_gem_bind_op *op)
{
    if (op->range == 0 && (op->addr < k->params.vm_start || op->addr > k->params.vm_end)) {
        return gpucmd_priv_agx_deny_range(k, GPUCMD_AGX_RULE_BIND_WINDOW, op, k->params.vm_start,
                                          k->params.vm_end);
    }
    if (vm == NULL || op->addr >= vm->kernel_end || op->addr + op->range <= vm->kernel_start) {
        return GPUCMD_AGX_RULE_NONE;
    }
    return gpucmd_priv_agx_deny_range(k, GPUCMD_AGX_RULE_BIND_KERNEL_WINDOW, op, vm->kernel_start,
                                      vm->kernel_end);
}

/* Do one check of an operation for VM vm_id. Store a broken rule in k->finding and return it. */
static gpucmd_agx_rule gpucmd_priv_agx_check_bind_one(gpucmd_agx_kernel *k, uint32_t vm_id,
                                                      const struct gpucmd_drm_asahi_gem_bind_op *op,
                                                      gpucmd_priv_agx_bind_check check)
{
    const uint32_t rights = GPUCMD_DRM_ASAHI_BIND_READ | GPUCMD_DRM_ASAHI_BIND_WRITE;
    const gpucmd_agx_gem *gem = gpucmd_priv_agx_gem(k, op->handle);
    const gpucmd_agx_vm *vm = gpucmd_priv_agx_vm(k, vm_id);
    uint32_t known = rights | GPUCMD_DRM_ASAHI_BIND_SINGLE_PAGE;
    if ((op->flags & GPUCMD_DRM_ASAHI_BIND_UNBIND) != 0) {
        known = GPUCMD_DRM_ASAHI_BIND_UNBIND;
    }
    switch (check) {
    case GPUCMD_AGX_PRIV_BIND_ALIGN: return gpucmd_priv_agx_check_align(k, op);
    case GPUCMD_AGX_PRIV_BIND_FLAGS:
        if ((op->flags & ~known) != 0) {
            return gpucmd_priv_agx_deny_limit(k, GPUCMD_AGX_RULE_BIND_FLAGS, "flags", op->flags, 0,
                                              known);
        }
        break;
    case GPUCMD_AGX_PRIV_BIND_UNUSED: return gpucmd_priv_agx_check_unused(k, op);
    case GPUCMD_AGX_PRIV_BIND_EMPTY:
        if (op->range == 0) {
            return gpucmd_priv_agx_deny(k, GPUCMD_AGX_RULE_BIND_EMPTY, "range", 0);
        }
        break;
    case GPUCMD_AGX_PRIV_BIND_OBJECT:
        if (gem == NULL) {
            return gpucmd_priv_agx_deny(k, GPUCMD_AGX_RULE_GEM_UNKNOWN, "handle", op->handle);
        }
        break;
    case GPUCMD_AGX_PRIV_BIND_OBJECT_RANGE: return gpucmd_priv_agx_check_object_range(k, op);
    case GPUCMD_AGX_PRIV_BIND_OVERFLOW:
        if (op->range > ~op->addr) {
            return gpucmd_priv_agx_deny_range(k, GPUCMD_AGX_RULE_BIND_WINDOW, op,
                                              k->params.vm_start, k->params.vm_end);
        }
        break;
    case GPUCMD_AGX_PRIV_BIND_WINDOW: return gpucmd_priv_agx_check_window(k, op);
    case GPUCMD_AGX_PRIV_BIND_RIGHTS:
        if ((op->flags & rights) == 0) {
            return gpucmd_priv_agx_deny(k, GPUCMD_AGX_RULE_BIND_RIGHTS, "flags", op->flags);
        }
        break;
    case GPUCMD_AGX_PRIV_BIND_VM:
        if (vm == NULL) {
            return gpucmd_priv_agx_deny(k, GPUCMD_AGX_RULE_VM_UNKNOWN, "vm_id", vm_id);
        }
        break;
    case GPUCMD_AGX_PRIV_BIND_KERNEL_WINDOW: return gpucmd_priv_agx_check_kernel_window(k, vm, op);
    case GPUCMD_AGX_PRIV_BIND_OWNER:
        if (gem->vm_id != 0 && gem->vm_id != vm_id) {
            return gpucmd_priv_agx_deny_limit(k, GPUCMD_AGX_RULE_BIND_PRIVATE, "vm_id", vm_id,
                                              op->handle, gem->vm_id);
        }
        break;
    case GPUCMD_AGX_PRIV_BIND_END: break;
    }
    return GPUCMD_AGX_RULE_NONE;
}

/* Check a bind operation in the order of the driver or of the text. */
static gpucmd_agx_rule gpucmd_priv_agx_check_bind(gpucmd_agx_kernel *k, uint32_t vm_id,
                                                  const struct gpucmd_drm_asahi_gem_bind_op *op,
                                                  bool by_text)
{
    const bool unbind = (op->flags & GPUCMD_DRM_ASAHI_BIND_UNBIND) != 0;
    const uint8_t *check = gpucmd_priv_agx_bind_order[by_text][unbind];
    gpucmd_agx_rule rule = GPUCMD_AGX_RULE_NONE;
    for (; rule == GPUCMD_AGX_RULE_NONE && *check != GPUCMD_AGX_PRIV_BIND_END; check++) {
        rule = gpucmd_priv_agx_check_bind_one(k, vm_id, op, (gpucmd_priv_agx_bind_check)*check);
    }
    return rule;
}

/* ---- binds: arrays ---- */

/* Map a range of a VM as a checked bind operation requests. */
static gpucmd_agx_rule gpucmd_priv_agx_map(gpucmd_agx_kernel *k, uint32_t vm_id,
                                           const struct gpucmd_drm_asahi_gem_bind_op *op)
{
    gpucmd_map map;
    gpucmd_priv_zero(&map, sizeof map);
    map.va = op->addr;
    map.bytes = op->range;
    map.offset = op->offset;
    map.object = op->handle;
    if ((op->flags & GPUCMD_DRM_ASAHI_BIND_READ) != 0) {
        map.access_mask |= (uint32_t)GPUCMD_ACCESS_READ;
    }
    if ((op->flags & GPUCMD_DRM_ASAHI_BIND_WRITE) != 0) {
        map.access_mask |= (uint32_t)GPUCMD_ACCESS_WRITE;
    }
    if ((op->flags & GPUCMD_DRM_ASAHI_BIND_SINGLE_PAGE) != 0) {
        map.flags = GPUCMD_MAP_SINGLE_PAGE;
    }
    if (gpucmd_space_bind(&k->maps, &k->t.vms[vm_id - 1].space, &map) == GPUCMD_OK) {
        return GPUCMD_AGX_RULE_NONE;
    }
    return gpucmd_priv_agx_full(k, GPUCMD_AGX_TABLE_MAPS);
}

/* Body of gpucmd_agx_kernel_bind_op; by_text: see gpucmd_agx_behavior. An empty range changes
 * nothing. */
static gpucmd_agx_rule gpucmd_priv_agx_bind_op(gpucmd_agx_kernel *k, uint32_t vm_id,
                                               const struct gpucmd_drm_asahi_gem_bind_op *op,
                                               bool by_text)
{
    const gpucmd_agx_rule rule = gpucmd_priv_agx_check_bind(k, vm_id, op, by_text);
    if (rule != GPUCMD_AGX_RULE_NONE || op->range == 0) {
        return rule;
    }
    if ((op->flags & GPUCMD_DRM_ASAHI_BIND_UNBIND) == 0) {
        return gpucmd_priv_agx_map(k, vm_id, op);
    }
    if (gpucmd_space_unbind(&k->maps, &k->t.vms[vm_id - 1].space, op->addr, op->range) ==
        GPUCMD_OK) {
        return GPUCMD_AGX_RULE_NONE;
    }
    return gpucmd_priv_agx_full(k, GPUCMD_AGX_TABLE_MAPS);
}

GPUCMD_PRIV_API gpucmd_agx_rule gpucmd_agx_kernel_bind_op(
    gpucmd_agx_kernel *k, uint32_t vm_id, const struct gpucmd_drm_asahi_gem_bind_op *op)
{
    const gpucmd_agx_rule rule = gpucmd_priv_agx_bind_op(k, vm_id, op, gpucmd_priv_agx_text(k));
    (void)gpucmd_priv_agx_result(k, rule);
    return rule;
}

/* Check the members of VM_BIND. If they are valid, write the address of the array of binds to *ops
 * and the distance of two binds to *step. The driver reads the binds at most 32 bytes apart. */
static gpucmd_agx_rule gpucmd_priv_agx_find_ops(gpucmd_agx_kernel *k,
                                                const struct gpucmd_drm_asahi_vm_bind *arg,
                                                const uint8_t **ops, uint32_t *step)
{
    const uint64_t len_bytes = gpucmd_priv_mul(arg->num_binds, arg->stride);
    const uint32_t known_bytes = (uint32_t)sizeof(struct gpucmd_drm_asahi_gem_bind_op);
    if (arg->stride == 0) {
        return gpucmd_priv_agx_deny(k, GPUCMD_AGX_RULE_BIND_STRIDE, "stride", 0);
    }
    if (arg->pad != 0) {
        return gpucmd_priv_agx_deny(k, GPUCMD_AGX_RULE_PAD, "pad", arg->pad);
    }
    if (!gpucmd_priv_agx_text(k) && len_bytes > 0xffffffffu) {
        return gpucmd_priv_agx_deny_limit(k, GPUCMD_AGX_RULE_BIND_BYTES, "stride", arg->stride,
                                          arg->num_binds, 0xffffffffu);
    }
    *ops = gpucmd_priv_agx_user_host(k, arg->userptr, len_bytes);
    if (*ops == NULL || len_bytes > (size_t)-1) {
        return gpucmd_priv_agx_deny(k, GPUCMD_AGX_RULE_BIND_OPS_FAULT, "userptr", arg->userptr);
    }
    *step = arg->stride;
    if (!gpucmd_priv_agx_text(k) && *step > known_bytes) {
        *step = known_bytes;
    }
    return GPUCMD_AGX_RULE_NONE;
}

static gpucmd_agx_rule gpucmd_priv_agx_vm_bind(gpucmd_agx_kernel *k,
                                               const struct gpucmd_drm_asahi_vm_bind *arg)
{
    uint32_t i, step = 0;
    const uint8_t *ops = NULL;
    gpucmd_agx_rule rule = gpucmd_priv_agx_find_ops(k, arg, &ops, &step);
    for (i = 0; rule == GPUCMD_AGX_RULE_NONE && i < arg->num_binds; i++) {
        const size_t at = (size_t)i * step;
        struct gpucmd_drm_asahi_gem_bind_op op;
        rule = GPUCMD_AGX_RULE_BIND_TAIL;
        if (gpucmd_process_copy_in(NULL, (uintptr_t)(ops + at), step, &op, sizeof op) == 0) {
            GPUCMD_AGX_PRIV_CONVERT(gem_bind_op, &op, &op);
            rule = gpucmd_priv_agx_bind_op(k, arg->vm_id, &op, gpucmd_priv_agx_text(k));
        }
        if (rule != GPUCMD_AGX_RULE_NONE) {
            if (k->finding.rule != rule) {
                (void)gpucmd_priv_agx_deny(k, rule, NULL, 0);
            }
            k->finding.command = (int32_t)i;
            k->finding.at_bytes = at;
            k->finding.item = GPUCMD_AGX_ITEM_BIND;
        }
    }
    return rule;
}

/* ---- objects, queues ---- */

/* Check the size of a new GEM object, which is rounded up to pages. */
static gpucmd_agx_rule gpucmd_priv_agx_check_gem_size(gpucmd_agx_kernel *k, uint64_t bytes,
                                                      bool by_text)
{
    if (bytes == 0 && !by_text) {
        return gpucmd_priv_agx_deny(k, GPUCMD_AGX_RULE_GEM_EMPTY, "size", 0);
    }
    if (bytes == 0 || bytes > ~(uint64_t)(GPUCMD_AGX_PAGE_BYTES - 1)) {
        return gpucmd_priv_agx_deny(k, GPUCMD_AGX_RULE_GEM_SIZE, "size", bytes);
    }
    return GPUCMD_AGX_RULE_NONE;
}

/* Check flags and VM of a new GEM object. */
static gpucmd_agx_rule gpucmd_priv_agx_check_gem_owner(
    gpucmd_agx_kernel *k, const struct gpucmd_drm_asahi_gem_create *arg)
{
    const uint32_t known = GPUCMD_DRM_ASAHI_GEM_WRITEBACK | GPUCMD_DRM_ASAHI_GEM_VM_PRIVATE;
    const bool is_private = (arg->flags & GPUCMD_DRM_ASAHI_GEM_VM_PRIVATE) != 0;
    if ((arg->flags & ~known) != 0) {
        return gpucmd_priv_agx_deny_limit(k, GPUCMD_AGX_RULE_FLAGS, "flags", arg->flags, 0, known);
    }
    if (is_private && gpucmd_priv_agx_vm(k, arg->vm_id) == NULL) {
        return gpucmd_priv_agx_deny(k, GPUCMD_AGX_RULE_VM_UNKNOWN, "vm_id", arg->vm_id);
    }
    if (!is_private && arg->vm_id != 0) {
        return gpucmd_priv_agx_deny(k, GPUCMD_AGX_RULE_GEM_VM_ID, "vm_id", arg->vm_id);
    }
    return GPUCMD_AGX_RULE_NONE;
}

/* Check and create a GEM object. By the text, pad and size are checked first; the driver does not
 * look at pad, and finds out about the size last. */
static gpucmd_agx_rule gpucmd_priv_agx_make_gem(gpucmd_agx_kernel *k,
                                                struct gpucmd_drm_asahi_gem_create *arg,
                                                bool by_text)
{
    const uint64_t mask = GPUCMD_AGX_PAGE_BYTES - 1;
    gpucmd_agx_rule rule = GPUCMD_AGX_RULE_NONE;
    if (by_text && arg->pad != 0) {
        return gpucmd_priv_agx_deny(k, GPUCMD_AGX_RULE_PAD, "pad", arg->pad);
    }
    if (by_text) {
        rule = gpucmd_priv_agx_check_gem_size(k, arg->size, true);
    }
    if (rule == GPUCMD_AGX_RULE_NONE) {
        rule = gpucmd_priv_agx_check_gem_owner(k, arg);
    }
    if (rule == GPUCMD_AGX_RULE_NONE && !by_text) {
        rule = gpucmd_priv_agx_check_gem_size(k, arg->size, false);
    }
    if (rule != GPUCMD_AGX_RULE_NONE) {
        return rule;
    }
    gpucmd_agx_gem *gem = gpucmd_priv_agx_new_gem(k, &arg->handle);
    if (gem == NULL) {
        return GPUCMD_AGX_RULE_NO_MEMORY;
    }
    gem->bytes = (arg->size + mask) & ~mask;
    gem->flags = arg->flags;
    gem->vm_id = arg->vm_id;
    return GPUCMD_AGX_RULE_NONE;
}

static gpucmd_agx_rule gpucmd_priv_agx_gem_create(gpucmd_agx_kernel *k,
                                                  struct gpucmd_drm_asahi_gem_create *arg)
{
    return gpucmd_priv_agx_make_gem(k, arg, gpucmd_priv_agx_text(k));
}

GPUCMD_PRIV_API int gpucmd_agx_kernel_gem_export(gpucmd_agx_kernel *k, uint32_t handle,
                                                 gpucmd_agx_dmabuf *place,
                                                 gpucmd_agx_dmabuf **dmabuf)
{
    gpucmd_agx_gem *gem = gpucmd_priv_agx_gem(k, handle);
    if (gem == NULL) {
        return gpucmd_priv_agx_reject(k, GPUCMD_AGX_RULE_GEM_UNKNOWN);
    }
    if ((gem->flags & GPUCMD_DRM_ASAHI_GEM_VM_PRIVATE) != 0) {
        (void)gpucmd_priv_agx_deny_limit(k, GPUCMD_AGX_RULE_GEM_EXPORT, "handle", handle, handle,
                                         0);
        return gpucmd_priv_agx_result(k, GPUCMD_AGX_RULE_GEM_EXPORT);
    }
    if (gem->dmabuf == NULL) {
        place->bytes = gem->bytes;
        place->host = gem->host;
        gem->dmabuf = place;
    }
    *dmabuf = gem->dmabuf;
    return gpucmd_priv_agx_reject(k, GPUCMD_AGX_RULE_NONE);
}

GPUCMD_PRIV_API int gpucmd_agx_kernel_gem_import(gpucmd_agx_kernel *k, gpucmd_agx_dmabuf *dmabuf,
                                                 uint32_t *handle)
{
    uint32_t i;
    if (dmabuf->bytes == 0 || (dmabuf->bytes & (GPUCMD_AGX_PAGE_BYTES - 1)) != 0) {
        return gpucmd_priv_agx_reject(k, GPUCMD_AGX_RULE_GEM_SIZE);
    }
    for (i = 0; i < k->t.gem_count; i++) {
        if (k->t.gems[i].used && k->t.gems[i].dmabuf == dmabuf) {
            *handle = i + 1;
            return gpucmd_priv_agx_reject(k, GPUCMD_AGX_RULE_NONE);
        }
    }
    gpucmd_agx_gem *gem = gpucmd_priv_agx_new_gem(k, handle);
    if (gem == NULL) {
        return gpucmd_priv_agx_reject(k, GPUCMD_AGX_RULE_NO_MEMORY);
    }
    gem->bytes = dmabuf->bytes;
    gem->dmabuf = dmabuf;
    return gpucmd_priv_agx_reject(k, GPUCMD_AGX_RULE_NONE);
}

/* Remove all mappings of an object from all VMs. */
static void gpucmd_priv_agx_unmap_object(gpucmd_agx_kernel *k, uint32_t handle)
{
    const gpucmd_map *map;
    while ((map = gpucmd_maps_first(&k->maps, handle)) != NULL) {
        gpucmd_space *const space = &k->t.vms[map->space - 1].space;
        (void)!gpucmd_space_unbind(&k->maps, space, map->va, map->bytes); /* needs no free row */
    }
}

GPUCMD_PRIV_API int gpucmd_agx_kernel_gem_close(gpucmd_agx_kernel *k, uint32_t handle)
{
    uint32_t i;
    gpucmd_agx_gem *gem = gpucmd_priv_agx_gem(k, handle);
    if (gem == NULL) {
        return gpucmd_priv_agx_reject(k, GPUCMD_AGX_RULE_GEM_UNKNOWN);
    }
    gpucmd_priv_agx_unmap_object(k, handle);
    for (i = 0; i < k->t.object_count; i++) { /* forget the handle, which a later object may get */
        if (k->t.objects[i].used && k->t.objects[i].handle == handle) {
            k->t.objects[i].handle = 0;
            k->t.objects[i].host = gpucmd_priv_agx_gem_host(gem);
        }
    }
    gem->used = false;
    return gpucmd_priv_agx_reject(k, GPUCMD_AGX_RULE_NONE);
}

static gpucmd_agx_rule gpucmd_priv_agx_gem_mmap_offset(gpucmd_agx_kernel *k,
                                                       struct gpucmd_drm_asahi_gem_mmap_offset *arg)
{
    if (arg->flags != 0) {
        return gpucmd_priv_agx_deny(k, GPUCMD_AGX_RULE_FLAGS, "flags", arg->flags);
    }
    if (gpucmd_priv_agx_gem(k, arg->handle) == NULL) {
        return gpucmd_priv_agx_deny(k, GPUCMD_AGX_RULE_GEM_UNKNOWN, "handle", arg->handle);
    }
    arg->offset = (uint64_t)arg->handle << 32; /* opaque value, unique for each object */
    return GPUCMD_AGX_RULE_NONE;
}

/* ---- timestamp objects ---- */

/* Return the number of the best place for `pages` pages: after row + 1 *after (0: at the lowest
 * address), in the smallest gap with room. GPUCMD_AGX_NONE: no gap has room. */
static uint32_t gpucmd_priv_agx_find_place(const gpucmd_agx_kernel *owner, uint32_t pages,
                                           uint32_t *after)
{
    const uint32_t space_pages = GPUCMD_AGX_STAMP_SPACE_BYTES / GPUCMD_AGX_PAGE_BYTES;
    uint32_t row = 0, next = owner->place_first, start = 0;
    uint32_t best = GPUCMD_AGX_NONE, best_pages = GPUCMD_AGX_NONE;
    for (;;) {
        uint32_t end = space_pages;
        if (next != 0) {
            end = owner->t.places[next - 1].at_pages;
        }
        if (end - start >= pages && end - start < best_pages) {
            best = start;
            best_pages = end - start;
            *after = row;
        }
        if (next == 0) {
            return best;
        }
        row = next;
        start = owner->t.places[row - 1].at_pages + owner->t.places[row - 1].pages;
        next = owner->t.places[row - 1].next;
    }
}

/* Take a place for `bytes` bytes (> 0, whole pages), hold it once and write its row + 1 to *place.
 * OBJECT_SPACE: no gap has room. NO_MEMORY: no row is free. */
static gpucmd_agx_rule gpucmd_priv_agx_take_place(gpucmd_agx_kernel *k, uint64_t bytes,
                                                  uint32_t *place)
{
    gpucmd_agx_kernel *const owner = gpucmd_priv_agx_places(k);
    gpucmd_agx_place *const rows = owner->t.places;
    uint32_t row = 0, after = 0, at = GPUCMD_AGX_NONE;
    const uint32_t pages =
        (uint32_t)gpucmd_priv_min(bytes, GPUCMD_AGX_STAMP_SPACE_BYTES + 1u) / GPUCMD_AGX_PAGE_BYTES;
    if (bytes != 0 && bytes <= GPUCMD_AGX_STAMP_SPACE_BYTES) {
        at = gpucmd_priv_agx_find_place(owner, pages, &after);
    }
    if (at == GPUCMD_AGX_NONE) {
        return gpucmd_priv_agx_deny_limit(k, GPUCMD_AGX_RULE_OBJECT_SPACE, "range", bytes, 0,
                                          GPUCMD_AGX_STAMP_SPACE_BYTES);
    }
    while (row < owner->t.place_count && rows[row].refs != 0) {
        row++;
    }
    if (row == owner->t.place_count) {
        return gpucmd_priv_agx_full(k, GPUCMD_AGX_TABLE_PLACES);
    }
    gpucmd_agx_place *const p = &rows[row];
    p->at_pages = at;
    p->pages = pages;
    p->refs = 1;
    p->prev = after;
    p->next = owner->place_first;
    if (after != 0) {
        p->next = rows[after - 1].next;
        rows[after - 1].next = row + 1;
    } else {
        owner->place_first = row + 1;
    }
    if (p->next != 0) {
        rows[p->next - 1].prev = row + 1;
    }
    *place = row + 1;
    return GPUCMD_AGX_RULE_NONE;
}

/* Check a range of a GEM object that is to become a timestamp object. */
static gpucmd_agx_rule gpucmd_priv_agx_check_object(
    gpucmd_agx_kernel *k, const struct gpucmd_drm_asahi_gem_bind_object *arg)
{
    const gpucmd_agx_gem *gem = gpucmd_priv_agx_gem(k, arg->handle);
    const uint64_t end = arg->offset + arg->range;
    const uint64_t mask = GPUCMD_AGX_PAGE_BYTES - 1;
    if ((arg->range & mask) != 0) {
        return gpucmd_priv_agx_deny_limit(k, GPUCMD_AGX_RULE_OBJECT_ALIGN, "range", arg->range, 0,
                                          GPUCMD_AGX_PAGE_BYTES);
    }
    if ((arg->offset & mask) != 0) {
        return gpucmd_priv_agx_deny_limit(k, GPUCMD_AGX_RULE_OBJECT_ALIGN, "offset", arg->offset, 0,
                                          GPUCMD_AGX_PAGE_BYTES);
    }
    if (arg->flags != GPUCMD_DRM_ASAHI_BIND_OBJECT_USAGE_TIMESTAMPS) {
        return gpucmd_priv_agx_deny_limit(k, GPUCMD_AGX_RULE_OBJECT_FLAGS, "flags", arg->flags, 0,
                                          GPUCMD_DRM_ASAHI_BIND_OBJECT_USAGE_TIMESTAMPS);
    }
    if (end >= arg->offset && gem == NULL) {
        return gpucmd_priv_agx_deny(k, GPUCMD_AGX_RULE_GEM_UNKNOWN, "handle", arg->handle);
    }
    if (end < arg->offset || end > gem->bytes) {
        uint64_t limit = 0;
        if (gem != NULL) {
            limit = gem->bytes;
        }
        (void)gpucmd_priv_agx_deny_limit(k, GPUCMD_AGX_RULE_OBJECT_RANGE, "offset", arg->offset,
                                         arg->handle, limit);
        k->finding.bytes = arg->range;
        return GPUCMD_AGX_RULE_OBJECT_RANGE;
    }
    if (gem->vm_id != 0) {
        return gpucmd_priv_agx_deny_limit(k, GPUCMD_AGX_RULE_OBJECT_PRIVATE, "handle", arg->handle,
                                          arg->handle, 0);
    }
    return GPUCMD_AGX_RULE_NONE;
}

/* Check a range of a GEM object, then make a timestamp object from the range. */
static gpucmd_agx_rule gpucmd_priv_agx_bind_object(gpucmd_agx_kernel *k,
                                                   struct gpucmd_drm_asahi_gem_bind_object *arg)
{
    uint32_t place = 0;
    gpucmd_agx_rule rule = gpucmd_priv_agx_check_object(k, arg);
    if (rule == GPUCMD_AGX_RULE_NONE && !gpucmd_priv_agx_text(k)) {
        rule = gpucmd_priv_agx_take_place(k, arg->range, &place);
    }
    if (rule != GPUCMD_AGX_RULE_NONE) {
        return rule;
    }
    gpucmd_agx_object *o = gpucmd_priv_agx_new_object(k, &arg->object_handle);
    if (o == NULL) {
        gpucmd_priv_agx_release_place(k, place);
        return GPUCMD_AGX_RULE_NO_MEMORY;
    }
    o->place = place;
    o->handle = arg->handle;
    o->offset = arg->offset;
    o->bytes = arg->range;
    return GPUCMD_AGX_RULE_NONE;
}

static gpucmd_agx_rule gpucmd_priv_agx_unbind_object(
    gpucmd_agx_kernel *k, const struct gpucmd_drm_asahi_gem_bind_object *arg)
{
    gpucmd_agx_object *o = gpucmd_priv_agx_object(k, arg->object_handle);
    if (arg->range != 0) {
        return gpucmd_priv_agx_deny(k, GPUCMD_AGX_RULE_OBJECT_UNUSED, "range", arg->range);
    }
    if (arg->offset != 0) {
        return gpucmd_priv_agx_deny(k, GPUCMD_AGX_RULE_OBJECT_UNUSED, "offset", arg->offset);
    }
    if (arg->flags != 0) {
        return gpucmd_priv_agx_deny(k, GPUCMD_AGX_RULE_OBJECT_UNUSED, "flags", arg->flags);
    }
    if (arg->handle != 0) {
        return gpucmd_priv_agx_deny(k, GPUCMD_AGX_RULE_OBJECT_UNUSED, "handle", arg->handle);
    }
    if (o == NULL) {
        return gpucmd_priv_agx_deny(k, GPUCMD_AGX_RULE_OBJECT_UNKNOWN, "object_handle",
                                    arg->object_handle);
    }
    gpucmd_priv_agx_release_place(k, o->place);
    o->used = false;
    return GPUCMD_AGX_RULE_NONE;
}

static gpucmd_agx_rule gpucmd_priv_agx_gem_bind_object(gpucmd_agx_kernel *k,
                                                       struct gpucmd_drm_asahi_gem_bind_object *arg)
{
    if (arg->pad != 0) {
        return gpucmd_priv_agx_deny(k, GPUCMD_AGX_RULE_PAD, "pad", arg->pad);
    }
    if (arg->vm_id != 0) {
        return gpucmd_priv_agx_deny(k, GPUCMD_AGX_RULE_OBJECT_VM_ID, "vm_id", arg->vm_id);
    }
    if (arg->op == GPUCMD_DRM_ASAHI_BIND_OBJECT_OP_BIND) {
        return gpucmd_priv_agx_bind_object(k, arg);
    }
    if (arg->op == GPUCMD_DRM_ASAHI_BIND_OBJECT_OP_UNBIND) {
        return gpucmd_priv_agx_unbind_object(k, arg);
    }
    return gpucmd_priv_agx_deny(k, GPUCMD_AGX_RULE_OBJECT_OP, "op", arg->op);
}

/* Make a queue with capabilities caps. The caller must have checked flags and priority. */
static gpucmd_agx_rule gpucmd_priv_agx_make_queue(gpucmd_agx_kernel *k,
                                                  struct gpucmd_drm_asahi_queue_create *arg,
                                                  uint32_t caps)
{
    const gpucmd_agx_vm *vm = gpucmd_priv_agx_vm(k, arg->vm_id);
    uint32_t id = 0;
    if (vm == NULL) {
        return gpucmd_priv_agx_deny(k, GPUCMD_AGX_RULE_VM_UNKNOWN, "vm_id", arg->vm_id);
    }
    gpucmd_agx_queue *q = gpucmd_priv_agx_new_queue(k, &id);
    if (q == NULL) {
        return GPUCMD_AGX_RULE_NO_MEMORY;
    }
    q->exec = gpucmd_agx_exec_queue_open(&k->exec, vm->serial);
    if (q->exec == GPUCMD_AGX_NONE) {
        q->used = false;
        return gpucmd_priv_agx_full(k, GPUCMD_AGX_TABLE_EXEC_QUEUES);
    }
    q->vm_id = arg->vm_id;
    q->vm_serial = vm->serial;
    q->priority = arg->priority;
    q->caps = caps;
    q->usc_exec_base = arg->usc_exec_base;
    arg->queue_id = id;
    return GPUCMD_AGX_RULE_NONE;
}

static gpucmd_agx_rule gpucmd_priv_agx_queue_create(gpucmd_agx_kernel *k,
                                                    struct gpucmd_drm_asahi_queue_create *arg)
{
    const uint32_t all = (uint32_t)GPUCMD_DRM_ASAHI_DRAFT_CAP_RENDER |
                         GPUCMD_DRM_ASAHI_DRAFT_CAP_BLIT | GPUCMD_DRM_ASAHI_DRAFT_CAP_COMPUTE;
    if (arg->flags != 0) {
        return gpucmd_priv_agx_deny(k, GPUCMD_AGX_RULE_FLAGS, "flags", arg->flags);
    }
    if (arg->priority > GPUCMD_DRM_ASAHI_PRIORITY_MEDIUM) {
        return gpucmd_priv_agx_deny_limit(k, GPUCMD_AGX_RULE_QUEUE_PRIORITY, "priority",
                                          arg->priority, 0, GPUCMD_DRM_ASAHI_PRIORITY_MEDIUM);
    }
    return gpucmd_priv_agx_make_queue(k, arg, all);
}

static gpucmd_agx_rule gpucmd_priv_agx_queue_destroy(
    gpucmd_agx_kernel *k, const struct gpucmd_drm_asahi_queue_destroy *arg)
{
    gpucmd_agx_queue *q = gpucmd_priv_agx_queue(k, arg->queue_id);
    if (arg->pad != 0 && gpucmd_priv_agx_text(k)) {
        return gpucmd_priv_agx_deny(k, GPUCMD_AGX_RULE_PAD, "pad", arg->pad);
    }
    if (q == NULL) {
        return gpucmd_priv_agx_deny(k, GPUCMD_AGX_RULE_QUEUE_UNKNOWN, "queue_id", arg->queue_id);
    }
    gpucmd_agx_exec_queue_retire(&k->exec, q->exec);
    q->used = false;
    return GPUCMD_AGX_RULE_NONE;
}

/* ---- ioctls by number ---- */

/* Body of gpucmd_agx_kernel_<arg>: call the handler of the ioctl, keep the broken rule in
 * k->finding and return its errno. */
#define GPUCMD_AGX_PRIV_DO(arg)                                                                    \
    k->finding.rule = GPUCMD_AGX_RULE_NONE;                                                        \
    return gpucmd_priv_agx_result(k, gpucmd_priv_agx_##arg(k, a))

GPUCMD_PRIV_API int gpucmd_agx_kernel_get_params(gpucmd_agx_kernel *k,
                                                 const struct gpucmd_drm_asahi_get_params *a)
{
    GPUCMD_AGX_PRIV_DO(get_params);
}

GPUCMD_PRIV_API int gpucmd_agx_kernel_get_time(gpucmd_agx_kernel *k,
                                               struct gpucmd_drm_asahi_get_time *a)
{
    GPUCMD_AGX_PRIV_DO(get_time);
}

GPUCMD_PRIV_API int gpucmd_agx_kernel_vm_create(gpucmd_agx_kernel *k,
                                                struct gpucmd_drm_asahi_vm_create *a)
{
    GPUCMD_AGX_PRIV_DO(vm_create);
}

GPUCMD_PRIV_API int gpucmd_agx_kernel_vm_destroy(gpucmd_agx_kernel *k,
                                                 const struct gpucmd_drm_asahi_vm_destroy *a)
{
    GPUCMD_AGX_PRIV_DO(vm_destroy);
}

GPUCMD_PRIV_API int gpucmd_agx_kernel_vm_bind(gpucmd_agx_kernel *k,
                                              const struct gpucmd_drm_asahi_vm_bind *a)
{
    GPUCMD_AGX_PRIV_DO(vm_bind);
}

GPUCMD_PRIV_API int gpucmd_agx_kernel_gem_create(gpucmd_agx_kernel *k,
                                                 struct gpucmd_drm_asahi_gem_create *a)
{
    GPUCMD_AGX_PRIV_DO(gem_create);
}

GPUCMD_PRIV_API int gpucmd_agx_kernel_gem_mmap_offset(gpucmd_agx_kernel *k,
                                                      struct gpucmd_drm_asahi_gem_mmap_offset *a)
{
    GPUCMD_AGX_PRIV_DO(gem_mmap_offset);
}

GPUCMD_PRIV_API int gpucmd_agx_kernel_gem_bind_object(gpucmd_agx_kernel *k,
                                                      struct gpucmd_drm_asahi_gem_bind_object *a)
{
    GPUCMD_AGX_PRIV_DO(gem_bind_object);
}

GPUCMD_PRIV_API int gpucmd_agx_kernel_queue_create(gpucmd_agx_kernel *k,
                                                   struct gpucmd_drm_asahi_queue_create *a)
{
    GPUCMD_AGX_PRIV_DO(queue_create);
}

GPUCMD_PRIV_API int gpucmd_agx_kernel_queue_destroy(gpucmd_agx_kernel *k,
                                                    const struct gpucmd_drm_asahi_queue_destroy *a)
{
    GPUCMD_AGX_PRIV_DO(queue_destroy);
}

GPUCMD_PRIV_API int gpucmd_agx_kernel_submit(gpucmd_agx_kernel *k,
                                             const struct gpucmd_drm_asahi_submit *a)
{
    GPUCMD_AGX_PRIV_DO(submit);
}

#undef GPUCMD_AGX_PRIV_DO

/* Execute the ioctl of a row, as the member `call` of gpucmd_drm. */
static int gpucmd_priv_agx_kernel_call(void *kernel, uint32_t number, void *a)
{
#define GPUCMD_AGX_PRIV_IOCTL(name, id, arg, pointer)                                              \
    case GPUCMD_DRM_IOCTL_ASAHI_##name:                                                            \
        return gpucmd_agx_kernel_##arg((gpucmd_agx_kernel *)kernel, (pointer)a);
    switch (number) {
        GPUCMD_AGX_IOCTLS(GPUCMD_AGX_PRIV_IOCTL)
    }
#undef GPUCMD_AGX_PRIV_IOCTL
    gpucmd_agx_kernel *const k = (gpucmd_agx_kernel *)kernel;
    return gpucmd_syncobjs_ioctl(&k->syncobjs, k->user, k->progress, k->progress_user, number, a);
}

GPUCMD_PRIV_API void gpucmd_agx_kernel_why(gpucmd_agx_kernel *k, const gpucmd_env *env,
                                           gpucmd_why *why)
{
    const gpucmd_agx_finding *const f = &k->finding;
    const int error = gpucmd_agx_rule_errno(f->rule);
    gpucmd_text t;
    if (error == 0) {
        gpucmd_agx_exec_why(&k->exec, env, why);
        return;
    }
    gpucmd_priv_why_set(why, GPUCMD_WHY_REFUSED, 0, 0);
    why->unit_name = "ioctl ";
    if (f->command >= 0) {
        why->unit_name =
            gpucmd_priv_row_text("command \0bind \0in-sync \0out-sync \0", (size_t)f->item);
        why->unit_number = (uint32_t)f->command;
    }
    if (f->member != NULL) {
        why->reg = f->member;
    }
    why->value = f->value;
    why->name = gpucmd_sys_error_name(error);
    gpucmd_text_init(&t, k->why_text, sizeof k->why_text);
    gpucmd_agx_print_detail(&t, f);
    why->text = k->why_text;
}

GPUCMD_PRIV_API const char *gpucmd_agx_ioctl_name(uint32_t request)
{
    const bool asahi = GPUCMD_FIELD_GET(IOC_LETTER, request) == 'd';
    return gpucmd_priv_row_text(
        GPUCMD_AGX_IOCTLS(GPUCMD_PRIV_ROW_NAME),
        asahi ? (size_t)GPUCMD_FIELD_GET(IOC_NR, request) - GPUCMD_AGX_FIRST_IOCTL : (size_t)-1);
}

GPUCMD_PRIV_API int gpucmd_agx_kernel_ioctl(gpucmd_agx_kernel *k, uint32_t request, void *arg)
{
#define GPUCMD_AGX_PRIV_IOCTL(name, id, arg, pointer)                                              \
    {GPUCMD_DRM_IOCTL_ASAHI_##name, GPUCMD_DRM_RENDER_ALLOW},
#define GPUCMD_AGX_PRIV_SYNCOBJ(name, flag) {GPUCMD_DRM_IOCTL_SYNCOBJ_##name, GPUCMD_DRM_##flag},
    static const gpucmd_drm_row rows[] = {GPUCMD_AGX_IOCTLS(GPUCMD_AGX_PRIV_IOCTL)
                                              GPUCMD_DRM_SYNCOBJ_IOCTLS(GPUCMD_AGX_PRIV_SYNCOBJ)};
#undef GPUCMD_AGX_PRIV_SYNCOBJ
#undef GPUCMD_AGX_PRIV_IOCTL
    const gpucmd_drm drm = {rows, sizeof rows / sizeof rows[0], GPUCMD_DRM_FILE_RENDER,
                            NULL, gpucmd_priv_agx_kernel_call,  k,
                            false};
    if (gpucmd_drm_find(&drm, request) == NULL) {
        (void)gpucmd_priv_agx_reject(k, GPUCMD_AGX_RULE_IOCTL_UNKNOWN);
        return gpucmd_drm_ioctl(&drm, request, (uintptr_t)arg);
    }
    k->finding.rule = GPUCMD_AGX_RULE_NONE;
    const int result = gpucmd_drm_ioctl(&drm, request, (uintptr_t)arg);
    if (result == -GPUCMD_SYS_EFAULT && k->finding.rule == GPUCMD_AGX_RULE_NONE) {
        return gpucmd_priv_agx_reject(k, GPUCMD_AGX_RULE_ARGUMENT_FAULT);
    }
    return result;
}

/* ---- node and client ---- */

static int gpucmd_priv_agx_node_ioctl(void *kernel, uint32_t number, void *arg)
{
    return gpucmd_agx_kernel_ioctl((gpucmd_agx_kernel *)kernel, number, arg);
}

GPUCMD_PRIV_API void gpucmd_agx_kernel_sys(gpucmd_agx_kernel *k, gpucmd_sys_ops *sys)
{
    gpucmd_sys_ops_init_node(sys, &k->node, gpucmd_priv_agx_node_ioctl, k);
}

/* Make an ioctl of a client. Return 0 or a negative errno. */
static int gpucmd_priv_agx_call(const gpucmd_agx_client *c, uint32_t request, void *arg)
{
    const int result = c->sys.sys_ioctl(c->sys.user, c->fd, request, arg);
    return result < 0 ? result : 0; /* a driver may return a positive value */
}

GPUCMD_PRIV_API int gpucmd_agx_client_open(gpucmd_agx_client *c, const gpucmd_sys_ops *sys,
                                           const char *path)
{
    struct gpucmd_drm_asahi_params_global p;
    struct gpucmd_drm_asahi_get_params arg = {0, 0, (uint64_t)(uintptr_t)&p, sizeof p};
    gpucmd_priv_zero(&p, sizeof p); /* an older kernel writes fewer bytes */
    gpucmd_priv_zero(c, sizeof *c);
    c->sys = *sys;
    c->fd = -1;
    int result = sys->sys_open(sys->user, path, GPUCMD_SYS_O_RDWR | GPUCMD_SYS_O_CLOEXEC);
    if (result < 0) {
        return result;
    }
    c->fd = result;
    result = gpucmd_priv_agx_call(c, GPUCMD_DRM_IOCTL_ASAHI_GET_PARAMS, &arg);
    if (result < 0) {
        (void)gpucmd_agx_client_close(c);
        return result;
    }
    GPUCMD_AGX_PRIV_CONVERT(params_global, &c->params, &p);
    return 0;
}

GPUCMD_PRIV_API int gpucmd_agx_client_close(gpucmd_agx_client *c)
{
    const int fd = c->fd;
    c->fd = -1;
    return c->sys.sys_close(c->sys.user, fd);
}

GPUCMD_PRIV_API int gpucmd_agx_client_vm_create(gpucmd_agx_client *c, uint32_t *vm_id)
{
    struct gpucmd_drm_asahi_vm_create arg = {c->params.vm_end - c->params.vm_kernel_min_size,
                                             c->params.vm_end, 0, 0};
    const int result = gpucmd_priv_agx_call(c, GPUCMD_DRM_IOCTL_ASAHI_VM_CREATE, &arg);
    if (result == 0) {
        *vm_id = arg.vm_id;
    }
    return result;
}

GPUCMD_PRIV_API int gpucmd_agx_client_gem_create(gpucmd_agx_client *c, uint32_t vm_id,
                                                 uint64_t bytes, uint32_t flags, uint32_t *handle)
{
    const uint32_t owner = vm_id != 0 ? (uint32_t)GPUCMD_DRM_ASAHI_GEM_VM_PRIVATE : 0u;
    struct gpucmd_drm_asahi_gem_create arg = {bytes, flags | owner, vm_id, 0, 0};
    const int result = gpucmd_priv_agx_call(c, GPUCMD_DRM_IOCTL_ASAHI_GEM_CREATE, &arg);
    if (result == 0) {
        *handle = arg.handle;
    }
    return result;
}

GPUCMD_PRIV_API int gpucmd_agx_client_gem_mmap_offset(gpucmd_agx_client *c, uint32_t handle,
                                                      uint64_t *offset)
{
    struct gpucmd_drm_asahi_gem_mmap_offset arg = {handle, 0, 0};
    const int result = gpucmd_priv_agx_call(c, GPUCMD_DRM_IOCTL_ASAHI_GEM_MMAP_OFFSET, &arg);
    if (result == 0) {
        *offset = arg.offset;
    }
    return result;
}

GPUCMD_PRIV_API int gpucmd_agx_client_vm_bind(gpucmd_agx_client *c, uint32_t vm_id,
                                              const struct gpucmd_drm_asahi_gem_bind_op *op)
{
    struct gpucmd_drm_asahi_gem_bind_op bytes;
    struct gpucmd_drm_asahi_vm_bind arg = {vm_id, 1, (uint32_t)sizeof bytes, 0,
                                           (uint64_t)(uintptr_t)&bytes};
    GPUCMD_AGX_PRIV_CONVERT(gem_bind_op, &bytes, op);
    return gpucmd_priv_agx_call(c, GPUCMD_DRM_IOCTL_ASAHI_VM_BIND, &arg);
}

GPUCMD_PRIV_API int gpucmd_agx_client_queue_create(gpucmd_agx_client *c, uint32_t vm_id,
                                                   uint64_t usc_exec_base, uint32_t *queue_id)
{
    struct gpucmd_drm_asahi_queue_create arg = {0, vm_id, GPUCMD_DRM_ASAHI_PRIORITY_MEDIUM, 0,
                                                usc_exec_base};
    const int result = gpucmd_priv_agx_call(c, GPUCMD_DRM_IOCTL_ASAHI_QUEUE_CREATE, &arg);
    if (result == 0) {
        *queue_id = arg.queue_id;
    }
    return result;
}

GPUCMD_PRIV_API int gpucmd_agx_client_bind_timestamps(gpucmd_agx_client *c, uint32_t handle,
                                                      uint64_t bytes, uint32_t *object_handle)
{
    const uint32_t op = GPUCMD_DRM_ASAHI_BIND_OBJECT_OP_BIND;
    const uint32_t flags = GPUCMD_DRM_ASAHI_BIND_OBJECT_USAGE_TIMESTAMPS;
    struct gpucmd_drm_asahi_gem_bind_object arg = {op, flags, handle, 0, 0, bytes, 0, 0};
    const int result = gpucmd_priv_agx_call(c, GPUCMD_DRM_IOCTL_ASAHI_GEM_BIND_OBJECT, &arg);
    if (result == 0) {
        *object_handle = arg.object_handle;
    }
    return result;
}

GPUCMD_PRIV_API int gpucmd_agx_client_unbind_timestamps(gpucmd_agx_client *c,
                                                        uint32_t object_handle)
{
    struct gpucmd_drm_asahi_gem_bind_object arg = {
        GPUCMD_DRM_ASAHI_BIND_OBJECT_OP_UNBIND, 0, 0, 0, 0, 0, object_handle, 0};
    return gpucmd_priv_agx_call(c, GPUCMD_DRM_IOCTL_ASAHI_GEM_BIND_OBJECT, &arg);
}

GPUCMD_PRIV_API int gpucmd_agx_client_queue_destroy(gpucmd_agx_client *c, uint32_t queue_id)
{
    struct gpucmd_drm_asahi_queue_destroy arg = {queue_id, 0};
    return gpucmd_priv_agx_call(c, GPUCMD_DRM_IOCTL_ASAHI_QUEUE_DESTROY, &arg);
}

GPUCMD_PRIV_API int gpucmd_agx_client_vm_destroy(gpucmd_agx_client *c, uint32_t vm_id)
{
    struct gpucmd_drm_asahi_vm_destroy arg = {vm_id, 0};
    return gpucmd_priv_agx_call(c, GPUCMD_DRM_IOCTL_ASAHI_VM_DESTROY, &arg);
}

GPUCMD_PRIV_API int gpucmd_agx_client_submit(gpucmd_agx_client *c, uint32_t queue_id,
                                             const gpucmd_agx_stream *s, const gpucmd_agx_syncs *l)
{
    struct gpucmd_drm_asahi_submit arg;
    if (gpucmd_agx_encode_submit(&arg, s, (uint64_t)(uintptr_t)s->w.base, l,
                                 l != NULL ? (uint64_t)(uintptr_t)l->base : 0,
                                 queue_id) != GPUCMD_OK) {
        return -GPUCMD_SYS_EINVAL;
    }
    return gpucmd_priv_agx_call(c, GPUCMD_DRM_IOCTL_ASAHI_SUBMIT, &arg);
}

/* ---- draft UAPI: values ---- */

GPUCMD_PRIV_API gpucmd_status gpucmd_agx_draft_barrier(uint32_t draft, uint32_t *upstream)
{
    const bool none = draft == GPUCMD_DRM_ASAHI_DRAFT_BARRIER_NONE;
    if (!none && draft >= GPUCMD_DRM_ASAHI_BARRIER_NONE) {
        return GPUCMD_RANGE;
    }
    *upstream = draft;
    if (none) {
        *upstream = GPUCMD_DRM_ASAHI_BARRIER_NONE;
    }
    return GPUCMD_OK;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_agx_draft_cmd_type(uint32_t draft, uint32_t *upstream)
{
    if (draft == GPUCMD_DRM_ASAHI_DRAFT_CMD_BLIT) {
        return GPUCMD_UNSUPPORTED;
    }
    if (draft > GPUCMD_DRM_ASAHI_DRAFT_CMD_COMPUTE) {
        return GPUCMD_INVALID;
    }
    *upstream = GPUCMD_DRM_ASAHI_CMD_COMPUTE;
    if (draft == GPUCMD_DRM_ASAHI_DRAFT_CMD_RENDER) {
        *upstream = GPUCMD_DRM_ASAHI_CMD_RENDER;
    }
    return GPUCMD_OK;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_agx_draft_priority(uint32_t draft, uint32_t *upstream)
{
    if (draft > GPUCMD_DRM_ASAHI_PRIORITY_REALTIME) {
        return GPUCMD_RANGE;
    }
    *upstream = GPUCMD_DRM_ASAHI_PRIORITY_REALTIME - draft;
    return GPUCMD_OK;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_agx_draft_sync(const struct gpucmd_drm_asahi_draft_sync *draft,
                                                    struct gpucmd_drm_asahi_sync *upstream)
{
    if (draft->extensions != 0) {
        return GPUCMD_UNSUPPORTED;
    }
    const struct gpucmd_drm_asahi_sync sync_arg = {draft->sync_type, draft->handle,
                                                   draft->timeline_value};
    *upstream = sync_arg; /* both UAPIs use the same numbers for sync types */
    return GPUCMD_OK;
}

GPUCMD_PRIV_API gpucmd_status
gpucmd_agx_draft_bind(const struct gpucmd_drm_asahi_draft_gem_bind *draft,
                      struct gpucmd_drm_asahi_gem_bind_op *upstream)
{
    const bool unbind = draft->op == GPUCMD_DRM_ASAHI_DRAFT_BIND_OP_UNBIND;
    const uint32_t known =
        unbind ? 0 : (uint32_t)GPUCMD_DRM_ASAHI_DRAFT_BIND_READ | GPUCMD_DRM_ASAHI_DRAFT_BIND_WRITE;
    if (draft->op > GPUCMD_DRM_ASAHI_DRAFT_BIND_OP_UNBIND_ALL) {
        return GPUCMD_INVALID;
    }
    if (draft->extensions != 0 || draft->op == GPUCMD_DRM_ASAHI_DRAFT_BIND_OP_UNBIND_ALL ||
        (draft->flags & ~known) != 0) {
        return GPUCMD_UNSUPPORTED;
    }
    const struct gpucmd_drm_asahi_gem_bind_op op = {
        unbind ? (uint32_t)GPUCMD_DRM_ASAHI_BIND_UNBIND : draft->flags << 1, draft->handle,
        draft->offset, draft->range, draft->addr};
    *upstream = op;
    return GPUCMD_OK;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_agx_draft_queue_create(
    const struct gpucmd_drm_asahi_draft_queue_create *draft, uint64_t usc_exec_base,
    struct gpucmd_drm_asahi_queue_create *upstream)
{
    uint32_t priority = 0;
    if (draft->extensions != 0 || draft->flags != 0) {
        return GPUCMD_UNSUPPORTED;
    }
    const gpucmd_status status = gpucmd_agx_draft_priority(draft->priority, &priority);
    if (status == GPUCMD_OK) {
        const struct gpucmd_drm_asahi_queue_create up = {0, draft->vm_id, priority, 0,
                                                         usc_exec_base};
        *upstream = up;
    }
    return status;
}

/* ---- draft UAPI: payloads ---- */

/* Return v. If v exceeds highest, return 0 and set *status to GPUCMD_RANGE, if it is OK. */
static uint64_t gpucmd_priv_agx_at_most(gpucmd_status *status, uint64_t v, uint64_t highest)
{
    if (v > highest && *status == GPUCMD_OK) {
        *status = GPUCMD_RANGE;
    }
    if (v <= highest) {
        return v;
    }
    return 0;
}

/* If good is false, set *status to GPUCMD_UNSUPPORTED, unless *status already is a failure. */
static void gpucmd_priv_agx_require(gpucmd_status *status, bool good)
{
    if (!good && *status == GPUCMD_OK) {
        *status = GPUCMD_UNSUPPORTED;
    }
}

/* Return the value that the nonzero arguments have, or 0 if all are zero. If nonzero arguments
 * differ, set *status to GPUCMD_UNSUPPORTED, unless *status already is a failure. */
static uint64_t gpucmd_priv_agx_one_value(gpucmd_status *status, uint64_t a, uint64_t b, uint64_t c)
{
    const uint64_t v = gpucmd_priv_max(gpucmd_priv_max(a, b), c);
    gpucmd_priv_agx_require(status, (a == 0 || a == v) && (b == 0 || b == v) && (c == 0 || c == v));
    return v;
}

/* Translate the render flags of a draft that upstream also has; other flags set *status to
 * GPUCMD_UNSUPPORTED. spills is true if the draft has the flag VERTEX_SPILLS. */
static uint32_t gpucmd_priv_agx_draft_flags(gpucmd_status *status, uint64_t flags, bool spills)
{
    uint64_t known = (uint64_t)GPUCMD_DRM_ASAHI_DRAFT_RENDER_PROCESS_EMPTY_TILES |
                     GPUCMD_DRM_ASAHI_DRAFT_RENDER_NO_VERTEX_CLUSTERING;
    uint32_t out = 0;
    if (spills) {
        known |= GPUCMD_DRM_ASAHI_DRAFT_RENDER_VERTEX_SPILLS;
    }
    gpucmd_priv_agx_require(status, (flags & ~known) == 0);
    if ((flags & GPUCMD_DRM_ASAHI_DRAFT_RENDER_PROCESS_EMPTY_TILES) != 0) {
        out |= GPUCMD_DRM_ASAHI_RENDER_PROCESS_EMPTY_TILES;
    }
    if ((flags & GPUCMD_DRM_ASAHI_DRAFT_RENDER_NO_VERTEX_CLUSTERING) != 0) {
        out |= GPUCMD_DRM_ASAHI_RENDER_NO_VERTEX_CLUSTERING;
    }
    if (spills && (flags & GPUCMD_DRM_ASAHI_DRAFT_RENDER_VERTEX_SPILLS) != 0) {
        out |= GPUCMD_DRM_ASAHI_RENDER_VERTEX_SCRATCH;
    }
    return out;
}

/* Copy members that have the same name in both drafts from draft payload d to upstream payload c.
 * GPUCMD_AGX_PRIV_DRAFT_SIZES copies sizes only, _RENDER_COMMON all. s is the address of the
 * status, as in gpucmd_priv_agx_at_most. */
#define GPUCMD_AGX_PRIV_DRAFT_SIZES(d, c, s)                                                       \
    do {                                                                                           \
        (c)->width_px = (uint16_t)gpucmd_priv_agx_at_most((s), (d)->fb_width, 0xffff);             \
        (c)->height_px = (uint16_t)gpucmd_priv_agx_at_most((s), (d)->fb_height, 0xffff);           \
        (c)->layers = (uint16_t)gpucmd_priv_agx_at_most((s), (d)->layers, 0xffff);                 \
        (c)->utile_width_px = (uint8_t)gpucmd_priv_agx_at_most((s), (d)->utile_width, 0xff);       \
        (c)->utile_height_px = (uint8_t)gpucmd_priv_agx_at_most((s), (d)->utile_height, 0xff);     \
        (c)->samples = (uint8_t)gpucmd_priv_agx_at_most((s), (d)->samples, 0xff);                  \
    } while (0)
#define GPUCMD_AGX_PRIV_RENDER_COMMON(d, c, s)                                                     \
    do {                                                                                           \
        (c)->vdm_ctrl_stream_base = (d)->encoder_ptr;                                              \
        (c)->isp_scissor_base = (d)->scissor_array;                                                \
        (c)->isp_dbias_base = (d)->depth_bias_array;                                               \
        (c)->isp_oclqry_base = (d)->visibility_result_buffer;                                      \
        (c)->zls_ctrl = (d)->zls_ctrl;                                                             \
        (c)->ppp_multisamplectl = (d)->ppp_multisamplectl;                                         \
        (c)->ppp_ctrl = (d)->ppp_ctrl;                                                             \
        (c)->isp_merge_upper_x = (d)->merge_upper_x;                                               \
        (c)->isp_merge_upper_y = (d)->merge_upper_y;                                               \
        (c)->bg.usc = (d)->load_pipeline;                                                          \
        (c)->bg.rsrc_spec = (d)->load_pipeline_bind;                                               \
        (c)->eot.usc = (d)->store_pipeline;                                                        \
        (c)->eot.rsrc_spec = (d)->store_pipeline_bind;                                             \
        (c)->partial_bg.usc = (d)->partial_reload_pipeline;                                        \
        (c)->partial_bg.rsrc_spec = (d)->partial_reload_pipeline_bind;                             \
        (c)->partial_eot.usc = (d)->partial_store_pipeline;                                        \
        (c)->partial_eot.rsrc_spec = (d)->partial_store_pipeline_bind;                             \
        (c)->isp_zls_pixels = (d)->depth_dimensions;                                               \
        (c)->isp_bgobjdepth = (d)->isp_bgobjdepth;                                                 \
        (c)->isp_bgobjvals = (d)->isp_bgobjvals;                                                   \
        GPUCMD_AGX_PRIV_DRAFT_SIZES((d), (c), (s));                                                \
    } while (0)

GPUCMD_PRIV_API gpucmd_status
gpucmd_agx_draft06_render(const struct gpucmd_drm_asahi_draft06_cmd_render *draft,
                          struct gpucmd_drm_asahi_cmd_render *upstream)
{
#define GPUCMD_AGX_PRIV_BUFFER(out, member)                                                        \
    (out) = gpucmd_priv_agx_one_value(&status, draft->member##_1, draft->member##_2,               \
                                      draft->member##_3)
    struct gpucmd_drm_asahi_cmd_render c;
    gpucmd_status status = GPUCMD_OK;
    gpucmd_priv_zero(&c, sizeof c);
    gpucmd_priv_agx_require(&status, draft->extensions == 0 && draft->pad == 0);
    c.flags = gpucmd_priv_agx_draft_flags(&status, draft->flags, false);
    GPUCMD_AGX_PRIV_RENDER_COMMON(draft, &c, &status);
    c.sample_size_B = (uint8_t)gpucmd_priv_agx_at_most(&status, draft->iogpu_unk_49, 0xff);
    GPUCMD_AGX_PRIV_BUFFER(c.depth.base, depth_buffer);
    GPUCMD_AGX_PRIV_BUFFER(c.depth.comp_base, depth_meta_buffer);
    GPUCMD_AGX_PRIV_BUFFER(c.stencil.base, stencil_buffer);
    GPUCMD_AGX_PRIV_BUFFER(c.stencil.comp_base, stencil_meta_buffer);
    if (status == GPUCMD_OK) {
        *upstream = c;
    }
    return status;
#undef GPUCMD_AGX_PRIV_BUFFER
}

GPUCMD_PRIV_API gpucmd_status
gpucmd_agx_draft11_render(const struct gpucmd_drm_asahi_draft11_cmd_render *draft,
                          uint64_t usc_exec_base, struct gpucmd_drm_asahi_cmd_render *upstream)
{
#define GPUCMD_AGX_PRIV_BUFFER(out, out_stride, member)                                            \
    (out) = gpucmd_priv_agx_one_value(&status, draft->member##_load, draft->member##_store,        \
                                      draft->member##_partial);                                    \
    (out_stride) = (uint32_t)gpucmd_priv_agx_at_most(                                              \
        &status,                                                                                   \
        gpucmd_priv_agx_one_value(&status, draft->member##_load_stride,                            \
                                  draft->member##_store_stride, draft->member##_partial_stride),   \
        0xffffffffu)
    struct gpucmd_drm_asahi_cmd_render c;
    gpucmd_status status = GPUCMD_OK;
    gpucmd_priv_zero(&c, sizeof c);
    gpucmd_priv_agx_require(&status,
                            draft->extensions == 0 && draft->vertex_usc_base == usc_exec_base &&
                                draft->fragment_usc_base == usc_exec_base &&
                                draft->vertex_sampler_array == draft->fragment_sampler_array &&
                                draft->vertex_sampler_count == draft->fragment_sampler_count);
    c.flags = gpucmd_priv_agx_draft_flags(&status, draft->flags, true);
    GPUCMD_AGX_PRIV_RENDER_COMMON(draft, &c, &status);
    c.sample_size_B = (uint8_t)gpucmd_priv_agx_at_most(&status, draft->sample_size, 0xff);
    GPUCMD_AGX_PRIV_BUFFER(c.depth.base, c.depth.stride, depth_buffer);
    GPUCMD_AGX_PRIV_BUFFER(c.depth.comp_base, c.depth.comp_stride, depth_meta_buffer);
    GPUCMD_AGX_PRIV_BUFFER(c.stencil.base, c.stencil.stride, stencil_buffer);
    GPUCMD_AGX_PRIV_BUFFER(c.stencil.comp_base, c.stencil.comp_stride, stencil_meta_buffer);
    c.vertex_helper.binary = draft->vertex_helper_program;
    c.vertex_helper.cfg = draft->vertex_helper_cfg;
    c.vertex_helper.data = draft->vertex_helper_arg;
    c.fragment_helper.binary = draft->fragment_helper_program;
    c.fragment_helper.cfg = draft->fragment_helper_cfg;
    c.fragment_helper.data = draft->fragment_helper_arg;
    c.sampler_heap = draft->vertex_sampler_array;
    c.sampler_count =
        (uint16_t)gpucmd_priv_agx_at_most(&status, draft->vertex_sampler_count, 0xffff);
    if (status == GPUCMD_OK) {
        *upstream = c;
    }
    return status;
#undef GPUCMD_AGX_PRIV_BUFFER
}

GPUCMD_PRIV_API gpucmd_status
gpucmd_agx_draft06_compute(const struct gpucmd_drm_asahi_draft06_cmd_compute *draft,
                           struct gpucmd_drm_asahi_cmd_compute *upstream)
{
    if (draft->flags != 0 || draft->pad != 0 || draft->buffer_descriptor != 0 ||
        draft->buffer_descriptor_size != 0 || draft->ctx_switch_prog != 0) {
        return GPUCMD_UNSUPPORTED;
    }
    gpucmd_agx_compute_init(upstream, draft->encoder_ptr, draft->encoder_end);
    return GPUCMD_OK;
}

GPUCMD_PRIV_API gpucmd_status
gpucmd_agx_draft11_compute(const struct gpucmd_drm_asahi_draft11_cmd_compute *draft,
                           uint64_t usc_exec_base, struct gpucmd_drm_asahi_cmd_compute *upstream)
{
    if (draft->flags != 0 || draft->pad != 0 || draft->usc_base != usc_exec_base) {
        return GPUCMD_UNSUPPORTED;
    }
    gpucmd_agx_compute_init(upstream, draft->encoder_ptr, draft->encoder_end);
    upstream->helper.binary = draft->helper_program;
    upstream->helper.cfg = draft->helper_cfg;
    upstream->helper.data = draft->helper_arg;
    upstream->sampler_heap = draft->sampler_array;
    upstream->sampler_count = draft->sampler_count;
    return GPUCMD_OK;
}

/* ---- draft UAPI: submissions ---- */

/* Read a structure at va and convert it to CPU byte order. */
static gpucmd_status gpucmd_priv_agx_fetch(gpucmd_mem *mem, uint64_t va, uint32_t idx, void *out,
                                           size_t len_bytes)
{
    const gpucmd_status status = gpucmd_mem_read(mem, va, out, len_bytes);
    if (status == GPUCMD_OK) { /* the bytes are little endian */
        gpucmd_priv_agx_convert(idx, out, out, len_bytes);
    }
    return status;
}
#define GPUCMD_AGX_PRIV_FETCH(mem, va, tag, out)                                                   \
    gpucmd_priv_agx_fetch((mem), (va), GPUCMD_STRUCT_drm_asahi_##tag, (out),                       \
                          sizeof(struct gpucmd_drm_asahi_##tag))

GPUCMD_PRIV_API gpucmd_status gpucmd_agx_draft_syncs(
    gpucmd_mem *mem, const struct gpucmd_drm_asahi_draft_submit *draft, gpucmd_agx_syncs *upstream)
{
    uint64_t i;
    const uint64_t count = (uint64_t)draft->in_sync_count + draft->out_sync_count;
    for (i = 0; i < count && upstream->status == GPUCMD_OK; i++) {
        const bool out = i >= draft->in_sync_count;
        struct gpucmd_drm_asahi_draft_sync d;
        struct gpucmd_drm_asahi_sync up;
        uint64_t va = draft->in_syncs + gpucmd_priv_mul(i, sizeof d);
        if (out) {
            va = draft->out_syncs + gpucmd_priv_mul(i - draft->in_sync_count, sizeof d);
        }
        gpucmd_status status = GPUCMD_AGX_PRIV_FETCH(mem, va, draft_sync, &d);
        if (status == GPUCMD_OK) {
            status = gpucmd_agx_draft_sync(&d, &up);
        }
        if (status != GPUCMD_OK) {
            return status;
        }
        gpucmd_priv_agx_sync(upstream, up.sync_type, up.handle, up.timeline_value, out);
    }
    return upstream->status;
}

static gpucmd_status gpucmd_priv_agx_fetch_command(gpucmd_mem *mem,
                                                   const struct gpucmd_drm_asahi_draft_submit *s,
                                                   uint32_t idx,
                                                   struct gpucmd_drm_asahi_draft_command *c)
{
    return GPUCMD_AGX_PRIV_FETCH(mem, s->commands + gpucmd_priv_mul(idx, sizeof *c), draft_command,
                                 c);
}

/* Attachment list of a draft command. cmd_type is the type of the upstream SET command that
 * replaces the list; 0: the command has no such list. */
typedef struct gpucmd_priv_agx_draft_list {
    uint64_t va;
    uint32_t count;
    uint32_t cmd_type;
} gpucmd_priv_agx_draft_list;

/* Payload of one draft command, with flags and attachment lists for its checks. */
typedef struct gpucmd_priv_agx_draft_payload {
    union {
        struct gpucmd_drm_asahi_draft06_cmd_render r06;
        struct gpucmd_drm_asahi_draft11_cmd_render r11;
        struct gpucmd_drm_asahi_draft06_cmd_compute c06;
        struct gpucmd_drm_asahi_draft11_cmd_compute c11;
    } u;
    uint64_t bad_flags; /* flags that are unknown or rejected */
    gpucmd_priv_agx_draft_list lists[2];
} gpucmd_priv_agx_draft_payload;

static gpucmd_priv_agx_draft_list gpucmd_priv_agx_make_list(uint64_t va, uint32_t count,
                                                            uint32_t cmd_type)
{
    const gpucmd_priv_agx_draft_list list = {va, count, cmd_type};
    return list;
}

/* Read a compute payload. The driver reads the whole structure and ignores cmd_buffer_size. */
static gpucmd_status gpucmd_priv_agx_fetch_compute(gpucmd_mem *mem, uint64_t va,
                                                   gpucmd_agx_draft draft,
                                                   gpucmd_priv_agx_draft_payload *p)
{
    const uint32_t set = GPUCMD_DRM_ASAHI_SET_COMPUTE_ATTACHMENTS;
    gpucmd_status status;
    gpucmd_priv_zero(p, sizeof *p);
    if (draft == GPUCMD_AGX_DRAFT_10006) {
        status = GPUCMD_AGX_PRIV_FETCH(mem, va, draft06_cmd_compute, &p->u.c06);
        p->bad_flags = p->u.c06.flags;
        p->lists[0] =
            gpucmd_priv_agx_make_list(p->u.c06.attachments, p->u.c06.attachment_count, set);
    } else {
        status = GPUCMD_AGX_PRIV_FETCH(mem, va, draft11_cmd_compute, &p->u.c11);
        p->bad_flags = p->u.c11.flags & ~(uint64_t)GPUCMD_DRM_ASAHI_DRAFT_COMPUTE_NO_PREEMPTION;
        p->lists[0] =
            gpucmd_priv_agx_make_list(p->u.c11.attachments, p->u.c11.attachment_count, set);
    }
    return status;
}

/* Read a render payload. 10006 has one attachment list, for the fragment half. */
static gpucmd_status gpucmd_priv_agx_fetch_render(gpucmd_mem *mem, uint64_t va,
                                                  gpucmd_agx_draft draft,
                                                  gpucmd_priv_agx_draft_payload *p)
{
    const uint64_t both = (uint64_t)GPUCMD_DRM_ASAHI_DRAFT_RENDER_NO_CLEAR_PIPELINE_TEXTURES |
                          GPUCMD_DRM_ASAHI_DRAFT_RENDER_SET_WHEN_RELOADING_Z_OR_S |
                          GPUCMD_DRM_ASAHI_DRAFT_RENDER_PROCESS_EMPTY_TILES |
                          GPUCMD_DRM_ASAHI_DRAFT_RENDER_NO_VERTEX_CLUSTERING;
    const uint64_t only11 = (uint64_t)GPUCMD_DRM_ASAHI_DRAFT_RENDER_VERTEX_SPILLS |
                            GPUCMD_DRM_ASAHI_DRAFT_RENDER_MSAA_ZS |
                            GPUCMD_DRM_ASAHI_DRAFT_RENDER_NO_PREEMPTION;
    const uint32_t vertex = GPUCMD_DRM_ASAHI_SET_VERTEX_ATTACHMENTS;
    const uint32_t fragment = GPUCMD_DRM_ASAHI_SET_FRAGMENT_ATTACHMENTS;
    gpucmd_status status;
    gpucmd_priv_zero(p, sizeof *p);
    if (draft == GPUCMD_AGX_DRAFT_10006) {
        const struct gpucmd_drm_asahi_draft06_cmd_render *r = &p->u.r06;
        status = GPUCMD_AGX_PRIV_FETCH(mem, va, draft06_cmd_render, &p->u.r06);
        p->bad_flags = r->flags & ~both;
        p->lists[0] = gpucmd_priv_agx_make_list(r->attachments, r->attachment_count, fragment);
    } else {
        const struct gpucmd_drm_asahi_draft11_cmd_render *r = &p->u.r11;
        status = GPUCMD_AGX_PRIV_FETCH(mem, va, draft11_cmd_render, &p->u.r11);
        p->bad_flags = r->flags & ~(both | only11);
        p->lists[0] =
            gpucmd_priv_agx_make_list(r->vertex_attachments, r->vertex_attachment_count, vertex);
        p->lists[1] = gpucmd_priv_agx_make_list(r->fragment_attachments,
                                                r->fragment_attachment_count, fragment);
    }
    return status;
}

/* Read attachment i of a list into the upstream structure. Write its order to *order, except for
 * draft 10006, which has no order. On failure *out and *order are unchanged. */
static gpucmd_status gpucmd_priv_agx_fetch_attachment(gpucmd_mem *mem, gpucmd_agx_draft draft,
                                                      const gpucmd_priv_agx_draft_list *list,
                                                      uint32_t i,
                                                      struct gpucmd_drm_asahi_attachment *out,
                                                      uint32_t *order)
{
    struct gpucmd_drm_asahi_draft06_attachment a;
    struct gpucmd_drm_asahi_draft11_attachment b;
    struct gpucmd_drm_asahi_attachment found;
    gpucmd_status status;
    gpucmd_priv_zero(&found, sizeof found);
    if (draft == GPUCMD_AGX_DRAFT_10006) {
        status =
            GPUCMD_AGX_PRIV_FETCH(mem, list->va + (uint64_t)i * sizeof a, draft06_attachment, &a);
        if (status == GPUCMD_OK) {
            found.pointer = a.pointer;
            found.size = a.size;
        }
    } else {
        status = GPUCMD_AGX_PRIV_FETCH(mem, list->va + gpucmd_priv_mul(i, sizeof b),
                                       draft11_attachment, &b);
        if (status == GPUCMD_OK) {
            found.pointer = b.pointer;
            found.size = b.size;
            found.flags = b.flags;
            *order = b.order;
        }
    }
    if (status == GPUCMD_OK) {
        *out = found;
    }
    return status;
}

/* ---- checks of a draft submission ---- */

/* Check an attachment list in the driver's order. [DRVD] */
GPUCMD_PRIV_NOINLINE gpucmd_agx_rule gpucmd_priv_agx_check_draft_list(
    gpucmd_mem *mem, gpucmd_agx_draft draft, const gpucmd_priv_agx_draft_list *list)
{
    struct gpucmd_drm_asahi_attachment a;
    uint32_t i, order = 1;
    if (list->count > GPUCMD_AGX_MAX_ATTACHMENTS) {
        return GPUCMD_AGX_RULE_ATTACHMENT_COUNT;
    }
    for (i = 0; i < list->count; i++) {
        if (gpucmd_priv_agx_fetch_attachment(mem, draft, list, i, &a, &order) != GPUCMD_OK) {
            return GPUCMD_AGX_RULE_DRAFT_PAYLOAD_FAULT;
        }
        if (a.flags != 0 || order - 1 >= GPUCMD_AGX_DRAFT_MAX_ORDER) {
            return GPUCMD_AGX_RULE_DRAFT_ATTACHMENT;
        }
        if (a.size > GPUCMD_AGX_MAX_ATTACH_BYTES) {
            return GPUCMD_AGX_RULE_ATTACHMENT_BYTES;
        }
    }
    return GPUCMD_AGX_RULE_NONE;
}

/* Check the payload of one draft command in this order: flags, render sizes, attachments. */
static gpucmd_agx_rule gpucmd_priv_agx_check_draft_payload(
    gpucmd_mem *mem, const struct gpucmd_drm_asahi_draft_command *c, gpucmd_agx_draft draft)
{
    uint32_t i;
    const bool compute = c->cmd_type == GPUCMD_DRM_ASAHI_DRAFT_CMD_COMPUTE;
    struct gpucmd_drm_asahi_cmd_render sizes;
    gpucmd_priv_agx_draft_payload p;
    gpucmd_status fits = GPUCMD_OK; /* not used: an invalid value becomes 0, which is rejected */
    gpucmd_agx_rule rule = GPUCMD_AGX_RULE_NONE;
    gpucmd_status status;
    if (compute) {
        status = gpucmd_priv_agx_fetch_compute(mem, c->cmd_buffer, draft, &p);
    } else {
        status = gpucmd_priv_agx_fetch_render(mem, c->cmd_buffer, draft, &p);
    }
    if (status != GPUCMD_OK) {
        return GPUCMD_AGX_RULE_DRAFT_PAYLOAD_FAULT;
    }
    if (p.bad_flags != 0) {
        return GPUCMD_AGX_RULE_DRAFT_FLAGS;
    }
    if (!compute) {
        gpucmd_priv_zero(&sizes, sizeof sizes);
        if (draft == GPUCMD_AGX_DRAFT_10006) {
            GPUCMD_AGX_PRIV_DRAFT_SIZES(&p.u.r06, &sizes, &fits);
        } else {
            GPUCMD_AGX_PRIV_DRAFT_SIZES(&p.u.r11, &sizes, &fits);
        }
        rule = gpucmd_agx_check_render(&sizes);
    }
    for (i = 0; i < 2 && rule == GPUCMD_AGX_RULE_NONE; i++) {
        rule = gpucmd_priv_agx_check_draft_list(mem, draft, &p.lists[i]);
    }
    return rule;
}
#undef GPUCMD_AGX_PRIV_DRAFT_SIZES
#undef GPUCMD_AGX_PRIV_RENDER_COMMON

/* Return true if the result range of a draft command is inside the result object, or is empty if
 * there is no such object. */
static bool gpucmd_priv_agx_result_fits(const struct gpucmd_drm_asahi_draft_command *c,
                                        const struct gpucmd_drm_asahi_draft_submit *s,
                                        const gpucmd_agx_draft_queue *q)
{
    if (s->result_handle == 0) {
        return c->result_offset == 0 && c->result_size == 0;
    }
    if (c->result_size == 0) {
        return true;
    }
    return c->result_offset <= q->result_bytes &&
           c->result_size <= q->result_bytes - c->result_offset;
}

/* Check a draft command in the driver's order: barriers, the result range, the
 * payload, the capability of the queue. job holds the commands before c. */
static gpucmd_agx_rule gpucmd_priv_agx_check_draft(gpucmd_mem *mem,
                                                   const struct gpucmd_drm_asahi_draft_command *c,
                                                   const struct gpucmd_drm_asahi_draft_submit *s,
                                                   const gpucmd_agx_draft_queue *q,
                                                   const gpucmd_agx_job *job)
{
    uint32_t cap = GPUCMD_DRM_ASAHI_DRAFT_CAP_RENDER;
    if (c->cmd_type == GPUCMD_DRM_ASAHI_DRAFT_CMD_COMPUTE) {
        cap = GPUCMD_DRM_ASAHI_DRAFT_CAP_COMPUTE;
    }
    if (c->barriers[0] != GPUCMD_DRM_ASAHI_DRAFT_BARRIER_NONE && c->barriers[0] > job->renders) {
        return GPUCMD_AGX_RULE_VDM_BARRIER;
    }
    if (c->barriers[1] != GPUCMD_DRM_ASAHI_DRAFT_BARRIER_NONE && c->barriers[1] > job->computes) {
        return GPUCMD_AGX_RULE_CDM_BARRIER;
    }
    if (!gpucmd_priv_agx_result_fits(c, s, q)) {
        return GPUCMD_AGX_RULE_DRAFT_RESULT;
    }
    const gpucmd_agx_rule rule = gpucmd_priv_agx_check_draft_payload(mem, c, q->draft);
    if (rule != GPUCMD_AGX_RULE_NONE) {
        return rule;
    }
    if ((q->caps & cap) == 0) {
        return GPUCMD_AGX_RULE_DRAFT_CAPS;
    }
    return GPUCMD_AGX_RULE_NONE;
}

/* Check the members of a draft submission that need no look-up. */
static gpucmd_agx_rule gpucmd_priv_agx_check_draft_head(
    const struct gpucmd_drm_asahi_draft_submit *s, gpucmd_agx_draft draft)
{
    const bool many_syncs =
        draft == GPUCMD_AGX_DRAFT_10006 && (s->in_sync_count > GPUCMD_AGX_DRAFT_MAX_SYNCS ||
                                            s->out_sync_count > GPUCMD_AGX_DRAFT_MAX_SYNCS);
    if (s->extensions != 0) {
        return GPUCMD_AGX_RULE_DRAFT_EXTENSIONS;
    }
    if (s->flags != 0) {
        return GPUCMD_AGX_RULE_FLAGS;
    }
    if (s->command_count > GPUCMD_AGX_MAX_COMMANDS) {
        return GPUCMD_AGX_RULE_COMMAND_COUNT;
    }
    if (many_syncs) {
        return GPUCMD_AGX_RULE_SYNC_COUNT;
    }
    return GPUCMD_AGX_RULE_NONE;
}

/* Do the checks between those of the syncs and those of the commands, in this order: the result
 * object exists, the command array can be read, the GPU is not lost, there is a command. */
static gpucmd_agx_rule gpucmd_priv_agx_check_draft_lookups(
    gpucmd_mem *mem, const struct gpucmd_drm_asahi_draft_submit *s,
    const gpucmd_agx_draft_queue *queue)
{
    const uint64_t len_bytes =
        gpucmd_priv_mul(s->command_count, sizeof(struct gpucmd_drm_asahi_draft_command));
    if (s->result_handle != 0 && !queue->has_result) {
        return GPUCMD_AGX_RULE_GEM_UNKNOWN;
    }
    if (gpucmd_mem_probe(mem, s->commands, len_bytes, GPUCMD_ACCESS_READ) != GPUCMD_OK) {
        return GPUCMD_AGX_RULE_CMDBUF_FAULT;
    }
    if (queue->crashed) {
        return GPUCMD_AGX_RULE_CRASHED;
    }
    if (s->command_count == 0) {
        return GPUCMD_AGX_RULE_COMMAND_COUNT;
    }
    return GPUCMD_AGX_RULE_NONE;
}

/* Check all commands and append them to *job. The driver reads the commands twice, first to check
 * types. This function reads them once: a finding about a type replaces an earlier finding. */
static gpucmd_status gpucmd_priv_agx_check_draft_commands(
    gpucmd_mem *mem, const struct gpucmd_drm_asahi_draft_submit *s,
    const gpucmd_agx_draft_queue *queue, gpucmd_agx_job *job, gpucmd_agx_taken *taken,
    gpucmd_agx_finding *finding)
{
    uint32_t i;
    struct gpucmd_drm_asahi_draft_command c;
    finding->rule = GPUCMD_AGX_RULE_NONE;
    gpucmd_agx_job_init(job);
    for (i = 0; i < s->command_count; i++) {
        const size_t at = (size_t)i * sizeof c;
        if (gpucmd_priv_agx_fetch_command(mem, s, i, &c) != GPUCMD_OK) {
            return gpucmd_priv_agx_set_finding(finding, GPUCMD_AGX_RULE_CMDBUF_FAULT, -1, 0);
        }
        const bool compute = c.cmd_type == GPUCMD_DRM_ASAHI_DRAFT_CMD_COMPUTE;
        if (!compute && c.cmd_type != GPUCMD_DRM_ASAHI_DRAFT_CMD_RENDER) {
            return gpucmd_priv_agx_set_finding(finding, GPUCMD_AGX_RULE_DRAFT_TYPE, (int32_t)i, at);
        }
        if (finding->rule == GPUCMD_AGX_RULE_NONE) {
            const gpucmd_agx_rule rule = gpucmd_priv_agx_check_draft(mem, &c, s, queue, job);
            (void)gpucmd_priv_agx_set_finding(finding, rule,
                                              rule != GPUCMD_AGX_RULE_NONE ? (int32_t)i : -1,
                                              rule != GPUCMD_AGX_RULE_NONE ? at : 0);
            (void)gpucmd_priv_agx_job_append(
                job, compute ? GPUCMD_AGX_KIND_COMPUTE : GPUCMD_AGX_KIND_RENDER,
                c.barriers[0] & 0xffffu, c.barriers[1] & 0xffffu);
        }
        if (taken != NULL) {
            taken[i].result_offset = c.result_offset;
            taken[i].result_size = c.result_size;
        }
    }
    if (finding->rule == GPUCMD_AGX_RULE_NONE) {
        return GPUCMD_OK;
    }
    return GPUCMD_INVALID;
}

/* As gpucmd_agx_draft_check, but also write members result_offset and result_size of command i to
 * taken[i]. taken may be NULL. On failure taken is undefined. */
static gpucmd_status gpucmd_priv_agx_draft_check(gpucmd_mem *mem,
                                                 const struct gpucmd_drm_asahi_draft_submit *submit,
                                                 const gpucmd_agx_draft_queue *queue,
                                                 gpucmd_agx_job *job, gpucmd_agx_taken *taken,
                                                 gpucmd_agx_finding *finding)
{
    gpucmd_agx_rule rule = gpucmd_priv_agx_check_draft_head(submit, queue->draft);
    rule = rule != GPUCMD_AGX_RULE_NONE ? rule
                                        : gpucmd_priv_agx_check_draft_lookups(mem, submit, queue);
    if (rule != GPUCMD_AGX_RULE_NONE) {
        return gpucmd_priv_agx_set_finding(finding, rule, -1, 0);
    }
    return gpucmd_priv_agx_check_draft_commands(mem, submit, queue, job, taken, finding);
}

GPUCMD_PRIV_API gpucmd_status gpucmd_agx_draft_check(
    gpucmd_mem *mem, const struct gpucmd_drm_asahi_draft_submit *submit,
    const gpucmd_agx_draft_queue *queue, gpucmd_agx_job *job, gpucmd_agx_finding *finding)
{
    return gpucmd_priv_agx_draft_check(mem, submit, queue, job, NULL, finding);
}

/* ---- draft UAPI: translation ---- */

/* State of the translation of one submission. */
typedef struct gpucmd_priv_agx_translation {
    gpucmd_mem *mem;
    gpucmd_agx_draft draft;
    uint64_t usc_exec_base;
    uint32_t vdm;    /* render barrier of the current command */
    uint32_t cdm;    /* compute barrier of the current command */
    uint32_t filled; /* bit n is set if the list of SET command type n may have attachments now */
    gpucmd_agx_stream *stream;
} gpucmd_priv_agx_translation;

/* Append the SET command of a list, unless it and the previous list of its type are both empty. */
static gpucmd_status gpucmd_priv_agx_translate_list(gpucmd_priv_agx_translation *m,
                                                    const gpucmd_priv_agx_draft_list *from)
{
    struct gpucmd_drm_asahi_attachment list[GPUCMD_AGX_MAX_ATTACHMENTS];
    const uint32_t bit = 1u << from->cmd_type;
    uint32_t i, order = 0;
    if (from->count > GPUCMD_AGX_MAX_ATTACHMENTS) {
        return GPUCMD_RANGE;
    }
    for (i = 0; i < from->count; i++) {
        const gpucmd_status status =
            gpucmd_priv_agx_fetch_attachment(m->mem, m->draft, from, i, &list[i], &order);
        if (status != GPUCMD_OK) {
            return status;
        }
        if (list[i].flags != 0) {
            return GPUCMD_UNSUPPORTED;
        }
    }
    if (from->count != 0 || (m->filled & bit) != 0) {
        gpucmd_agx_emit_attachments(m->stream, from->cmd_type, list, from->count);
    }
    m->filled &= ~bit;
    if (from->count != 0) {
        m->filled |= bit;
    }
    return GPUCMD_OK;
}

GPUCMD_PRIV_NOINLINE gpucmd_status gpucmd_priv_agx_translate_compute(gpucmd_priv_agx_translation *m,
                                                                     uint64_t va)
{
    gpucmd_priv_agx_draft_payload p;
    struct gpucmd_drm_asahi_cmd_compute c;
    gpucmd_status status = gpucmd_priv_agx_fetch_compute(m->mem, va, m->draft, &p);
    if (status == GPUCMD_OK && m->draft == GPUCMD_AGX_DRAFT_10006) {
        status = gpucmd_agx_draft06_compute(&p.u.c06, &c);
    } else if (status == GPUCMD_OK) {
        status = gpucmd_agx_draft11_compute(&p.u.c11, m->usc_exec_base, &c);
    }
    if (status == GPUCMD_OK) {
        status = gpucmd_priv_agx_translate_list(m, &p.lists[0]);
    }
    if (status == GPUCMD_OK) {
        gpucmd_agx_emit_compute(m->stream, m->vdm, m->cdm, &c);
    }
    return status;
}

GPUCMD_PRIV_NOINLINE gpucmd_status gpucmd_priv_agx_translate_render(gpucmd_priv_agx_translation *m,
                                                                    uint64_t va)
{
    uint32_t i;
    gpucmd_priv_agx_draft_payload p;
    struct gpucmd_drm_asahi_cmd_render c;
    gpucmd_status status = gpucmd_priv_agx_fetch_render(m->mem, va, m->draft, &p);
    if (status == GPUCMD_OK && m->draft == GPUCMD_AGX_DRAFT_10006) {
        status = gpucmd_agx_draft06_render(&p.u.r06, &c);
    } else if (status == GPUCMD_OK) {
        status = gpucmd_agx_draft11_render(&p.u.r11, m->usc_exec_base, &c);
    }
    for (i = 0; status == GPUCMD_OK && i < 2 && p.lists[i].cmd_type != 0; i++) {
        status = gpucmd_priv_agx_translate_list(m, &p.lists[i]);
    }
    if (status == GPUCMD_OK) {
        gpucmd_agx_emit_render(m->stream, m->vdm, m->cdm, &c);
    }
    return status;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_agx_draft_translate(
    gpucmd_mem *mem, const struct gpucmd_drm_asahi_draft_submit *submit, gpucmd_agx_draft draft,
    uint64_t usc_exec_base, bool drop_results, gpucmd_agx_stream *stream)
{
    uint32_t i;
    if (submit->extensions != 0 || submit->flags != 0 ||
        (submit->result_handle != 0 && !drop_results)) {
        return GPUCMD_UNSUPPORTED;
    }
    gpucmd_priv_agx_translation m = {mem, draft, usc_exec_base, 0, 0, 0, stream};
    if (gpucmd_writer_at_dw(&stream->w) != 0) {
        m.filled = ~(uint32_t)0;
    }
    for (i = 0; i < submit->command_count; i++) {
        struct gpucmd_drm_asahi_draft_command c;
        uint32_t type = 0;
        gpucmd_status status = gpucmd_priv_agx_fetch_command(mem, submit, i, &c);
        if (status == GPUCMD_OK && c.extensions != 0) {
            status = GPUCMD_UNSUPPORTED;
        }
        if (status == GPUCMD_OK) {
            status = gpucmd_agx_draft_cmd_type(c.cmd_type, &type);
        }
        if (status == GPUCMD_OK) {
            status = gpucmd_agx_draft_barrier(c.barriers[0], &m.vdm);
        }
        if (status == GPUCMD_OK) {
            status = gpucmd_agx_draft_barrier(c.barriers[1], &m.cdm);
        }
        if (status == GPUCMD_OK) {
            status = type == GPUCMD_DRM_ASAHI_CMD_COMPUTE
                         ? gpucmd_priv_agx_translate_compute(&m, c.cmd_buffer)
                         : gpucmd_priv_agx_translate_render(&m, c.cmd_buffer);
        }
        if (status != GPUCMD_OK) {
            return status;
        }
        if (stream->w.status != GPUCMD_OK) {
            return stream->w.status;
        }
    }
    return GPUCMD_OK;
}

/* ---- draft UAPI: ioctls ---- */

/* Fill *p with the parameters that both drafts have, from k->params, k->timer_hz, constants. */
#define GPUCMD_AGX_PRIV_DRAFT_PARAMS(p, k, version)                                                \
    do {                                                                                           \
        gpucmd_priv_zero((p), sizeof *(p));                                                        \
        (p)->unstable_uabi_version = (version);                                                    \
        (p)->gpu_generation = (k)->params.gpu_generation;                                          \
        (p)->gpu_variant = (k)->params.gpu_variant;                                                \
        (p)->gpu_revision = (k)->params.gpu_revision;                                              \
        (p)->chip_id = (k)->params.chip_id;                                                        \
        (p)->num_dies = (k)->params.num_dies;                                                      \
        (p)->num_clusters_total = (k)->params.num_clusters_total;                                  \
        (p)->num_cores_per_cluster = (k)->params.num_cores_per_cluster;                            \
        (p)->vm_page_size = GPUCMD_AGX_PAGE_BYTES;                                                 \
        (p)->vm_user_start = GPUCMD_AGX_DRAFT_USER_START;                                          \
        (p)->vm_user_end = GPUCMD_AGX_DRAFT_USER_END;                                              \
        (p)->max_commands_per_submission = GPUCMD_AGX_MAX_COMMANDS;                                \
        (p)->max_commands_in_flight = GPUCMD_AGX_DRAFT_IN_FLIGHT;                                  \
        (p)->max_attachments = GPUCMD_AGX_MAX_ATTACHMENTS;                                         \
        (p)->timer_frequency_hz = (uint32_t)(k)->timer_hz;                                         \
        (p)->max_frequency_khz = (k)->params.max_frequency_khz;                                    \
        (p)->result_render_size = (uint32_t)sizeof(struct gpucmd_drm_asahi_draft_result_render);   \
        (p)->result_compute_size = (uint32_t)sizeof(struct gpucmd_drm_asahi_draft_result_compute); \
    } while (0)

static gpucmd_agx_rule gpucmd_priv_agx_draft_get_params(
    gpucmd_agx_kernel *k, const struct gpucmd_drm_asahi_draft_get_params *arg)
{
    union {
        struct gpucmd_drm_asahi_draft06_params_global p06;
        struct gpucmd_drm_asahi_draft11_params_global p11;
    } u;
    uint64_t len_bytes = sizeof u.p11;
    if (arg->param_group != 0) {
        return GPUCMD_AGX_RULE_PARAM_GROUP;
    }
    if (arg->pad != 0) {
        return GPUCMD_AGX_RULE_PAD;
    }
    if (k->crashed) {
        return GPUCMD_AGX_RULE_CRASHED;
    }
    if (k->draft == GPUCMD_AGX_DRAFT_10006) {
        GPUCMD_AGX_PRIV_DRAFT_PARAMS(&u.p06, k, GPUCMD_DRM_ASAHI_DRAFT_UABI_10006);
        u.p06.vm_shader_start = GPUCMD_AGX_DRAFT_SHADER_START;
        u.p06.vm_shader_end = GPUCMD_AGX_DRAFT_SHADER_END;
        u.p06.max_syncs_per_submission = GPUCMD_AGX_DRAFT_MAX_SYNCS;
        GPUCMD_AGX_PRIV_CONVERT(draft06_params_global, &u.p06, &u.p06);
        len_bytes = sizeof u.p06;
    } else {
        GPUCMD_AGX_PRIV_DRAFT_PARAMS(&u.p11, k, GPUCMD_DRM_ASAHI_DRAFT_UABI_10011);
        u.p11.vm_user_start = k->params.vm_start;
        u.p11.vm_user_end = k->params.vm_end - 1;
        u.p11.vm_kernel_min_size = k->params.vm_kernel_min_size;
        GPUCMD_AGX_PRIV_CONVERT(draft11_params_global, &u.p11, &u.p11);
    }
    if (gpucmd_process_write(k->user, arg->pointer, &u, gpucmd_priv_min(arg->size, len_bytes)) ==
        0) {
        return GPUCMD_AGX_RULE_NONE;
    }
    return GPUCMD_AGX_RULE_ARGUMENT_FAULT;
}
#undef GPUCMD_AGX_PRIV_DRAFT_PARAMS

/* Return true if `range` bytes at addr are inside the user or the shader range of draft 10006. */
static bool gpucmd_priv_agx_draft_window(uint64_t addr, uint64_t range)
{
    const bool user = addr >= GPUCMD_AGX_DRAFT_USER_START && addr <= GPUCMD_AGX_DRAFT_USER_END &&
                      range - 1 <= GPUCMD_AGX_DRAFT_USER_END - addr;
    const bool shader = addr >= GPUCMD_AGX_DRAFT_SHADER_START &&
                        addr <= GPUCMD_AGX_DRAFT_SHADER_END &&
                        range - 1 <= GPUCMD_AGX_DRAFT_SHADER_END - addr;
    return user || shader;
}

/* Check a bind of draft 10006: it must map a whole object to the user or shader
 * range of a VM, and the object must not be private to another VM. */
static gpucmd_agx_rule gpucmd_priv_agx_check_draft06_bind(
    const gpucmd_agx_kernel *k, const struct gpucmd_drm_asahi_draft_gem_bind *a)
{
    const uint32_t known =
        (uint32_t)GPUCMD_DRM_ASAHI_DRAFT_BIND_READ | GPUCMD_DRM_ASAHI_DRAFT_BIND_WRITE;
    const gpucmd_agx_gem *gem = gpucmd_priv_agx_gem(k, a->handle);
    if (a->offset != 0) {
        return GPUCMD_AGX_RULE_DRAFT_BIND_WHOLE;
    }
    if (((a->addr | a->range) & (GPUCMD_AGX_PAGE_BYTES - 1)) != 0) {
        return GPUCMD_AGX_RULE_BIND_ALIGN;
    }
    if ((a->flags & ~known) != 0) {
        return GPUCMD_AGX_RULE_BIND_FLAGS;
    }
    if (gem == NULL) {
        return GPUCMD_AGX_RULE_GEM_UNKNOWN;
    }
    if (a->range != gem->bytes) {
        return GPUCMD_AGX_RULE_DRAFT_BIND_WHOLE;
    }
    if (!gpucmd_priv_agx_draft_window(a->addr, a->range)) {
        return GPUCMD_AGX_RULE_BIND_WINDOW;
    }
    if (a->flags == 0) {
        return GPUCMD_AGX_RULE_BIND_RIGHTS;
    }
    if (gpucmd_priv_agx_vm(k, a->vm_id) == NULL) {
        return GPUCMD_AGX_RULE_VM_UNKNOWN;
    }
    if (gem->vm_id != 0 && gem->vm_id != a->vm_id) {
        return GPUCMD_AGX_RULE_BIND_PRIVATE;
    }
    return GPUCMD_AGX_RULE_NONE;
}

/* Do a bind of draft 10006. The range, the page before and the page after must be free. */
static gpucmd_agx_rule gpucmd_priv_agx_draft06_bind(gpucmd_agx_kernel *k,
                                                    const struct gpucmd_drm_asahi_draft_gem_bind *a)
{
    const gpucmd_agx_rule rule = gpucmd_priv_agx_check_draft06_bind(k, a);
    if (rule != GPUCMD_AGX_RULE_NONE) {
        return rule;
    }
    const gpucmd_map *next =
        gpucmd_space_find(&k->maps, &k->t.vms[a->vm_id - 1].space, a->addr - GPUCMD_AGX_PAGE_BYTES);
    if (next != NULL && next->va < a->addr + a->range + GPUCMD_AGX_PAGE_BYTES) {
        return GPUCMD_AGX_RULE_DRAFT_BIND_BUSY;
    }
    struct gpucmd_drm_asahi_gem_bind_op op;
    (void)!gpucmd_agx_draft_bind(a, &op); /* cannot fail: op and flags are valid, extensions is 0 */
    return gpucmd_priv_agx_map(k, a->vm_id, &op);
}

/* Do a bind or unbind of draft 10011 with the checks of the upstream kernel. */
static gpucmd_agx_rule gpucmd_priv_agx_draft11_bind(gpucmd_agx_kernel *k,
                                                    const struct gpucmd_drm_asahi_draft_gem_bind *a)
{
    struct gpucmd_drm_asahi_gem_bind_op op;
    if (gpucmd_agx_draft_bind(a, &op) == GPUCMD_OK) {
        return gpucmd_priv_agx_bind_op(k, a->vm_id, &op, true);
    }
    return GPUCMD_AGX_RULE_BIND_FLAGS;
}

/* Remove all mappings of an object from one VM, or from all VMs if vm_id is 0. */
static gpucmd_agx_rule gpucmd_priv_agx_draft_unbind_all(
    gpucmd_agx_kernel *k, const struct gpucmd_drm_asahi_draft_gem_bind *a)
{
    gpucmd_agx_vm *vm = gpucmd_priv_agx_vm(k, a->vm_id);
    if (a->flags != 0 || a->offset != 0 || a->range != 0 || a->addr != 0) {
        return GPUCMD_AGX_RULE_DRAFT_UNBIND_UNUSED;
    }
    if (gpucmd_priv_agx_gem(k, a->handle) == NULL) {
        return GPUCMD_AGX_RULE_GEM_UNKNOWN;
    }
    if (a->vm_id != 0 && vm == NULL) {
        return GPUCMD_AGX_RULE_VM_UNKNOWN;
    }
    if (vm != NULL) {
        gpucmd_space_unbind_object(&k->maps, &vm->space, a->handle);
    } else {
        gpucmd_priv_agx_unmap_object(k, a->handle);
    }
    return GPUCMD_AGX_RULE_NONE;
}

static gpucmd_agx_rule gpucmd_priv_agx_draft_gem_bind(
    gpucmd_agx_kernel *k, const struct gpucmd_drm_asahi_draft_gem_bind *a)
{
    const bool bind = a->op == GPUCMD_DRM_ASAHI_DRAFT_BIND_OP_BIND;
    const bool unbind = a->op == GPUCMD_DRM_ASAHI_DRAFT_BIND_OP_UNBIND;
    if (a->op == GPUCMD_DRM_ASAHI_DRAFT_BIND_OP_UNBIND_ALL) {
        return gpucmd_priv_agx_draft_unbind_all(k, a);
    }
    if ((bind || unbind) && k->draft == GPUCMD_AGX_DRAFT_10011) {
        return gpucmd_priv_agx_draft11_bind(k, a);
    }
    if (bind) {
        return gpucmd_priv_agx_draft06_bind(k, a);
    }
    if (unbind) {
        return GPUCMD_AGX_RULE_DRAFT_UNBIND;
    }
    return GPUCMD_AGX_RULE_DRAFT_BIND_OP;
}

static gpucmd_agx_rule gpucmd_priv_agx_draft_queue_create(
    gpucmd_agx_kernel *k, struct gpucmd_drm_asahi_draft_queue_create *a)
{
    const uint32_t known = (uint32_t)GPUCMD_DRM_ASAHI_DRAFT_CAP_RENDER |
                           GPUCMD_DRM_ASAHI_DRAFT_CAP_BLIT | GPUCMD_DRM_ASAHI_DRAFT_CAP_COMPUTE;
    struct gpucmd_drm_asahi_queue_create up;
    if (a->flags != 0) {
        return GPUCMD_AGX_RULE_FLAGS;
    }
    if (a->queue_caps == 0 || (a->queue_caps & ~known) != 0) {
        return GPUCMD_AGX_RULE_DRAFT_QUEUE_CAPS;
    }
    if (gpucmd_agx_draft_queue_create(a, 0, &up) != GPUCMD_OK) {
        return GPUCMD_AGX_RULE_QUEUE_PRIORITY;
    }
    const gpucmd_agx_rule rule = gpucmd_priv_agx_make_queue(k, &up, a->queue_caps);
    if (rule == GPUCMD_AGX_RULE_NONE) {
        a->queue_id = up.queue_id;
    }
    return rule;
}

static gpucmd_agx_rule gpucmd_priv_agx_draft_gem_create(gpucmd_agx_kernel *k,
                                                        struct gpucmd_drm_asahi_draft_gem_create *a)
{
    struct gpucmd_drm_asahi_gem_create up = {a->size, a->flags, a->vm_id, a->handle, a->pad};
    const gpucmd_agx_rule rule = gpucmd_priv_agx_make_gem(k, &up, true);
    a->handle = up.handle;
    return rule;
}

static gpucmd_agx_rule gpucmd_priv_agx_draft_gem_mmap_offset(
    gpucmd_agx_kernel *k, struct gpucmd_drm_asahi_draft_gem_mmap_offset *a)
{
    struct gpucmd_drm_asahi_gem_mmap_offset up = {a->handle, a->flags, a->offset};
    const gpucmd_agx_rule rule = gpucmd_priv_agx_gem_mmap_offset(k, &up);
    a->offset = up.offset;
    return rule;
}

/* ---- results of a draft submission ---- */

/* Write the CPU address and size of the result of each command of k->job to *stamps. gem is the
 * result object; NULL: there are no results. */
static void gpucmd_priv_agx_keep_results(const gpucmd_agx_kernel *k, const gpucmd_agx_gem *gem,
                                         gpucmd_agx_stamps *stamps)
{
    uint32_t i;
    const uint64_t most = sizeof(struct gpucmd_drm_asahi_draft_result_render);
    if (gem == NULL || gpucmd_priv_agx_gem_host(gem) == NULL) {
        return;
    }
    for (i = 0; i < k->job.count; i++) {
        const gpucmd_agx_taken *t = &k->taken[i];
        if (t->result_size != 0) {
            stamps->result[i] = gpucmd_priv_agx_gem_host(gem) + (size_t)t->result_offset;
            stamps->result_bytes[i] = (uint32_t)gpucmd_priv_min(t->result_size, most);
        }
    }
}

static gpucmd_agx_rule gpucmd_priv_agx_draft_submit(gpucmd_agx_kernel *k,
                                                    const struct gpucmd_drm_asahi_draft_submit *s)
{
    const uint64_t each_bytes = sizeof(struct gpucmd_drm_asahi_draft_sync);
    const gpucmd_agx_queue *q = gpucmd_priv_agx_queue(k, s->queue_id);
    const gpucmd_agx_gem *gem = gpucmd_priv_agx_gem(k, s->result_handle);
    gpucmd_agx_stamps *stamps = NULL;
    uint32_t in_count = 0;
    gpucmd_agx_rule rule = gpucmd_priv_agx_check_draft_head(s, k->draft);
    if (rule != GPUCMD_AGX_RULE_NONE) {
        return rule;
    }
    if (q == NULL) {
        return GPUCMD_AGX_RULE_QUEUE_UNKNOWN;
    }
    const gpucmd_priv_agx_sync_arrays arrays = {
        gpucmd_priv_agx_user_host(k, s->in_syncs, gpucmd_priv_mul(s->in_sync_count, each_bytes)),
        gpucmd_priv_agx_user_host(k, s->out_syncs, gpucmd_priv_mul(s->out_sync_count, each_bytes)),
        s->in_sync_count, s->out_sync_count, true};
    rule = gpucmd_priv_agx_check_syncs(k, &arrays, k->t.fence_ids, &in_count);
    if (rule != GPUCMD_AGX_RULE_NONE) {
        return rule;
    }
    const gpucmd_agx_draft_queue known = {q->caps, gem != NULL, gem != NULL ? gem->bytes : 0,
                                          k->crashed, k->draft};
    if (gpucmd_priv_agx_draft_check(k->user, s, &known, &k->job, k->taken, &k->finding) !=
        GPUCMD_OK) {
        return k->finding.rule;
    }
    rule = gpucmd_priv_agx_queue_job(k, q, in_count, s->out_sync_count, &stamps);
    if (rule == GPUCMD_AGX_RULE_NONE) {
        gpucmd_priv_agx_keep_results(k, gem, stamps);
    }
    return rule;
}

static gpucmd_agx_rule gpucmd_priv_agx_draft_vm_destroy(
    gpucmd_agx_kernel *k, const struct gpucmd_drm_asahi_draft_vm_destroy *a)
{
    const struct gpucmd_drm_asahi_vm_destroy up = {a->vm_id, a->pad};
    return gpucmd_priv_agx_vm_destroy(k, &up);
}

static gpucmd_agx_rule gpucmd_priv_agx_draft_queue_destroy(
    gpucmd_agx_kernel *k, const struct gpucmd_drm_asahi_draft_queue_destroy *a)
{
    const struct gpucmd_drm_asahi_queue_destroy up = {a->queue_id, a->pad};
    return gpucmd_priv_agx_queue_destroy(k, &up);
}

static gpucmd_agx_rule gpucmd_priv_agx_draft06_vm_create(
    gpucmd_agx_kernel *k, struct gpucmd_drm_asahi_draft06_vm_create *a)
{
    if (a->pad != 0) {
        return GPUCMD_AGX_RULE_PAD;
    }
    return gpucmd_priv_agx_make_vm(k, 0, 0, &a->vm_id);
}

static gpucmd_agx_rule gpucmd_priv_agx_draft11_vm_create(
    gpucmd_agx_kernel *k, struct gpucmd_drm_asahi_draft11_vm_create *a)
{
    struct gpucmd_drm_asahi_vm_create up = {a->kernel_start, a->kernel_end, a->vm_id, a->pad};
    const gpucmd_agx_rule rule = gpucmd_priv_agx_vm_create(k, &up);
    a->vm_id = up.vm_id;
    return rule;
}

/* Check that draft k->draft has the ioctl and that extensions is zero. Then call the handler. */
#define GPUCMD_AGX_PRIV_IOCTL(name, arg)                                                           \
    case GPUCMD_AGX_DRAFT_IOCTL_##name:                                                            \
        if (((struct gpucmd_drm_asahi_##arg *)a)->extensions != 0) {                               \
            return GPUCMD_AGX_RULE_DRAFT_EXTENSIONS;                                               \
        }                                                                                          \
        return gpucmd_priv_agx_##arg(k, (struct gpucmd_drm_asahi_##arg *)a);
static gpucmd_agx_rule gpucmd_priv_agx_draft_dispatch(gpucmd_agx_kernel *k,
                                                      enum gpucmd_agx_draft_ioctl which, void *a)
{
    if (which == (k->draft == GPUCMD_AGX_DRAFT_10006 ? GPUCMD_AGX_DRAFT_IOCTL_DRAFT11_VM_CREATE
                                                     : GPUCMD_AGX_DRAFT_IOCTL_DRAFT06_VM_CREATE)) {
        return GPUCMD_AGX_RULE_IOCTL_UNKNOWN;
    }
    switch (which) {
        GPUCMD_AGX_DRAFT_IOCTLS(GPUCMD_AGX_PRIV_IOCTL)
    }
    return GPUCMD_AGX_RULE_IOCTL_UNKNOWN;
}
#undef GPUCMD_AGX_PRIV_IOCTL

GPUCMD_PRIV_API int gpucmd_agx_kernel_draft_ioctl(gpucmd_agx_kernel *k, gpucmd_agx_draft draft,
                                                  uint32_t request, void *arg)
{
#define GPUCMD_AGX_PRIV_IOCTL(name, arg) GPUCMD_DRM_IOCTL_ASAHI_##name,
    static const uint32_t known[] = {GPUCMD_AGX_DRAFT_IOCTLS(GPUCMD_AGX_PRIV_IOCTL)};
#undef GPUCMD_AGX_PRIV_IOCTL
    const size_t which = gpucmd_priv_row_find(known, sizeof known / sizeof known[0], request);
    k->draft = draft;
    k->finding.rule = GPUCMD_AGX_RULE_NONE;
    gpucmd_agx_rule rule = GPUCMD_AGX_RULE_ARGUMENT_FAULT;
    if (k->user != NULL) {
        k->in_draft = true;
        rule = gpucmd_priv_agx_draft_dispatch(k, (enum gpucmd_agx_draft_ioctl)which, arg);
        k->in_draft = false;
    }
    return gpucmd_priv_agx_result(k, rule);
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

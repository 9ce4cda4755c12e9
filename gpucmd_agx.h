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
 *     - read the control streams, shaders and texture state that a command points
 *       at, or check most render registers
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
 *      calls the ioctl.
 *   3. Check: gpucmd_agx_parse_stream does the checks of the kernel;
 *      gpucmd_agx_check reports useless and missing barriers of a valid job.
 *   4. Compute order and times of a job: gpucmd_agx_lower, gpucmd_agx_schedule.
 *   5. Execute many jobs: gpucmd_agx_exec_tables_init, gpucmd_agx_exec_init,
 *      then set x.durations.ring (or .each, or x.fate), which are 0 by default.
 *      Call gpucmd_agx_exec_queue_open, _submit, _run; _why after BLOCKED.
 *   6. Execute jobs of ioctls: gpucmd_agx_kernel_tables_init,
 *      gpucmd_agx_kernel_init, then set k.user if arguments point into a
 *      gpucmd_mem, and k.exec.durations. Pass system calls to
 *      gpucmd_agx_client_open: those of gpucmd_agx_kernel_sys open the model
 *      kernel, those of gpucmd_sys_ops_init_linux open the driver.
 *      Execute with gpucmd_agx_exec_run(&k.exec, budget).
 *   A store has tables of recommended sizes: 8 queues, 16 jobs, 64 objects, 256
 *   mappings. Tables that you supply need these numbers of rows:
 *     jobs, stamps    one for each job that has not ended
 *     links           one for each sync of these jobs
 *     fences, points  one for each out-sync that has not signalled, and two for
 *                     each sync object
 *     maps            two more than the largest number of mappings
 *
 * ERRORS
 *   Writers: gpucmd_status; a stream and a sync array keep the first failure.
 *   Checks of the kernel: gpucmd_agx_finding, which names the rule, its errno,
 *   the command and the byte. ioctls of the model kernel: 0 or a negative errno;
 *   k.finding has the rule. ENOMEM: k.table names the full table.
 *
 * GENERATIONS
 *   The upstream UAPI (Linux 6.16): names gpucmd_drm_asahi_*. The drafts 10006 and
 *   10011 (model kernel, translation): names gpucmd_drm_asahi_draft_* (both),
 *   _draft06_*, _draft11_*. Blits exist in the drafts only, whose drivers reject them.
 *
 * MODEL CHOICES
 *   The sources do not specify this. Streams: commands follow without gaps. A
 *   payload may exceed its structure if the extra bytes are zero. A SET command
 *   has no barriers; its payload is a multiple of 24 bytes.
 *   Binds: an empty range is rejected. The order of checks is: flags, unused
 *   members, alignment, emptiness, addresses, kernel window, look-ups. 10006:
 *   offset, alignment, flags, object, size, addresses, rights, VM, owner, range.
 *   A private object binds into its own VM only.
 *   Others: must-be-zero members and tails are checked before look-ups, a draft
 *   payload before the capability. Jobs of a destroyed queue run to their end. A
 *   timeline point whose value is not above the last value is merged with the last
 *   point. A failed operation kills the operations of the same VM that execute when
 *   it ends. A dma-buf must be a multiple of 16 KiB. Index 0 is printed as R0f, C0.
 *
 * CONFIGURATION, THREADING
 *   Size in KiB with gpucmd.h, Cortex-M4, -Os: read 25, read and run 39, all 54.
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
 * with errno 0 are not errors of the kernel; only gpucmd_agx_check* report them. */
#define GPUCMD_AGX_RULES(R)                                                                        \
    /*  name                  errno     text                                         source */     \
    R( NONE,                 0,        "all checks passed",                             OUR   )    \
    R( ARGUMENT_TAIL,        EINVAL,   "bytes after the known argument are not zero",   UAPI  )    \
    R( ARGUMENT_FAULT,       EFAULT,   "memory of the argument cannot be accessed",     DRV   )    \
    R( FLAGS,                EINVAL,   "flags are not zero, or unknown",                DRV   )    \
    R( PAD,                  EINVAL,   "padding is not zero",                           UAPI  )    \
    R( CRASHED,              ENODEV,   "the GPU has crashed",                           DRV   )    \
    R( NO_MEMORY,            ENOMEM,   "a table of the caller is full",                 OUR   )    \
    R( QUEUE_UNKNOWN,        ENOENT,   "queue_id is unknown",                           DRV   )    \
    R( VM_UNKNOWN,           ENOENT,   "vm_id is unknown",                              DRV   )    \
    R( GEM_UNKNOWN,          ENOENT,   "GEM handle is unknown",                         DRV   )    \
    R( OBJECT_UNKNOWN,       ENOENT,   "object_handle is unknown",                      DRV   )    \
    R( SYNCS_FAULT,          EFAULT,   "the sync array cannot be read",                 DRV   )    \
    R( SYNC_COUNT,           EINVAL,   "too many syncs",                                OUR   )    \
    R( SYNC_TYPE,            EINVAL,   "sync_type is neither binary nor timeline",      DRV   )    \
    R( SYNC_VALUE,           EINVAL,   "timeline_value of a binary sync is not 0",      DRV   )    \
    R( SYNC_UNKNOWN,         ENOENT,   "sync object is unknown",                        DRV   )    \
    R( SYNC_NO_FENCE,        EINVAL,   "the in-sync has no fence",                      DRV   )    \
    R( SYNC_POINT,           EINVAL,   "the timeline point was not submitted",          DRV   )    \
    R( CMDBUF_FAULT,         EFAULT,   "the command stream cannot be read",             DRV   )    \
    R( HEADER_TRUNCATED,     EINVAL,   "fewer than 8 bytes remain for a command header", DRV )     \
    R( COMMAND_COUNT,        EINVAL,   "number of hardware commands is not 1 to 64",    DRV   )    \
    R( VDM_BARRIER,          EINVAL,   "vdm_barrier names a later render",              DRV   )    \
    R( CDM_BARRIER,          EINVAL,   "cdm_barrier names a later compute",             DRV   )    \
    R( SOFTWARE_BARRIER,     EINVAL,   "software command has a barrier",                UAPI  )    \
    R( PAYLOAD_TRUNCATED,    EINVAL,   "payload exceeds the stream",                    DRV   )    \
    R( PAYLOAD_TAIL,         EINVAL,   "bytes after the known payload are not zero",    UAPI  )    \
    R( RENDER_FLAGS,         EINVAL,   "render flags are unknown",                      DRV   )    \
    R( RENDER_SIZE,          EINVAL,   "width or height is not 1 to 16384",             DRV   )    \
    R( RENDER_LAYERS,        EINVAL,   "layers is not 1 to 2048",                       DRV   )    \
    R( RENDER_UTILE,         EINVAL,   "utile is not 32x32, 32x16 or 16x16",            DRV   )    \
    R( RENDER_SAMPLES,       EINVAL,   "samples is not 1, 2 or 4",                      DRV   )    \
    R( COMPUTE_FLAGS,        EINVAL,   "compute flags are not zero",                    DRV   )    \
    R( TIMESTAMP_UNKNOWN,    ENOENT,   "timestamp object is unknown",                   DRV   )    \
    R( TIMESTAMP_OVERFLOW,   EINVAL,   "timestamp offset + 8 exceeds 32 bits",          DRV   )    \
    R( TIMESTAMP_RANGE,      ERANGE,   "timestamp exceeds its object",                  DRV   )    \
    R( ATTACHMENT_COUNT,     EINVAL,   "list has more than 16 attachments",             DRV   )    \
    R( ATTACHMENT_LENGTH,    EINVAL,   "attachment payload is not a multiple of 24",    OUR   )    \
    R( ATTACHMENT_PAD,       EINVAL,   "attachment pad or flags are not zero",          DRV   )    \
    R( ATTACHMENT_BYTES,     EINVAL,   "attachment size in cache lines exceeds 32 bits", DRV )     \
    R( COMMAND_UNKNOWN,      EINVAL,   "cmd_type is unknown",                           DRV   )    \
    R( PARAM_GROUP,          EINVAL,   "param_group is not zero",                       DRV   )    \
    R( VM_WINDOW,            EINVAL,   "kernel window is unaligned, short or out of range", DRV )  \
    R( GEM_SIZE,             EINVAL,   "size of an object is zero or invalid",          OUR   )    \
    R( GEM_VM_ID,            EINVAL,   "vm_id without VM_PRIVATE",                      DRV   )    \
    R( BIND_STRIDE,          EINVAL,   "stride is zero",                                DRV   )    \
    R( BIND_OPS_FAULT,       EFAULT,   "the array of binds cannot be read",             DRV   )    \
    R( BIND_TAIL,            EINVAL,   "bytes after the known bind are not zero",       UAPI  )    \
    R( BIND_FLAGS,           EINVAL,   "bind flags are unknown",                        DRV   )    \
    R( BIND_UNUSED,          EINVAL,   "handle or offset of an unbind is not zero",     DRV   )    \
    R( BIND_ALIGN,           EINVAL,   "addr, range or offset is not a multiple of 16 KiB", DRV )  \
    R( BIND_EMPTY,           EINVAL,   "range is zero",                                 OUR   )    \
    R( BIND_OBJECT_RANGE,    EINVAL,   "offset + length exceeds the object",            DRV   )    \
    R( BIND_WINDOW,          EINVAL,   "range exceeds the addresses of the VM",         DRV   )    \
    R( BIND_RIGHTS,          EINVAL,   "neither READ nor WRITE is set",                 DRV   )    \
    R( BIND_KERNEL_WINDOW,   EINVAL,   "range overlaps the kernel window",              DRV   )    \
    R( BIND_PRIVATE,         EINVAL,   "object is private to another VM",               UAPI  )    \
    R( GEM_EXPORT,           EINVAL,   "object is private and cannot be exported",      NOTES )    \
    R( OBJECT_VM_ID,         EINVAL,   "vm_id is not zero",                             DRV   )    \
    R( OBJECT_OP,            EINVAL,   "op is neither BIND nor UNBIND",                 DRV   )    \
    R( OBJECT_ALIGN,         EINVAL,   "offset or range is not a multiple of 16 KiB",   DRV   )    \
    R( OBJECT_FLAGS,         EINVAL,   "flags are not USAGE_TIMESTAMPS",                DRV   )    \
    R( OBJECT_RANGE,         EINVAL,   "offset + range exceeds the object",             DRV   )    \
    R( OBJECT_PRIVATE,       EINVAL,   "object is private",                             DRV   )    \
    R( OBJECT_UNUSED,        EINVAL,   "members unused by UNBIND are not zero",         DRV   )    \
    R( QUEUE_PRIORITY,       EINVAL,   "priority is unknown or reserved",               DRV   )    \
    R( IOCTL_UNKNOWN,        EINVAL,   "ioctl is unknown",                              OUR   )    \
    R( DRAFT_EXTENSIONS,     EINVAL,   "extensions is not zero",                        DRVD  )    \
    R( DRAFT_TYPE,           EINVAL,   "command is neither render nor compute",         DRVD  )    \
    R( DRAFT_RESULT,         EINVAL,   "result range exceeds its object or has none",   DRVD  )    \
    R( DRAFT_PAYLOAD_FAULT,  EFAULT,   "payload of a command cannot be read",           DRVD  )    \
    R( DRAFT_CAPS,           EINVAL,   "queue lacks the capability",                    DRVD  )    \
    R( DRAFT_FLAGS,          EINVAL,   "draft flag is unknown or rejected",             DRVD  )    \
    R( DRAFT_ATTACHMENT,     EINVAL,   "attachment flags or order are invalid",         DRVD  )    \
    R( DRAFT_QUEUE_CAPS,     EINVAL,   "queue_caps are zero or unknown",                OUR   )    \
    R( DRAFT_BIND_OP,        EINVAL,   "op is not BIND, UNBIND or UNBIND_ALL",          DRVD  )    \
    R( DRAFT_BIND_WHOLE,     EINVAL,   "offset and range are not the whole object",     DRVD  )    \
    R( DRAFT_BIND_BUSY,      ENOSPC,   "range, or the page after it, is in use",        DRVD  )    \
    R( DRAFT_UNBIND,         ENOTSUPP, "UNBIND is not supported",                       DRVD  )    \
    R( DRAFT_UNBIND_UNUSED,  EINVAL,   "members unused by UNBIND_ALL are not zero",     DRVD  )    \
    R( NOTATION,             EINVAL,   "line does not follow the notation",             OUR   )    \
    R( NOTATION_NUMBER,      EINVAL,   "command number is out of sequence",             OUR   )    \
    R( CHECK_IMPLIED,        0,        "barrier waits for what is ordered anyway",      OUR   )    \
    R( CHECK_OWN_COMPUTE,    0,        "compute waits for the compute before it",       NOTES )    \
    R( CHECK_NO_PRIOR,       0,        "index 0 without prior work is ignored",         NOTES )    \
    R( CHECK_MISSING,        0,        "accesses overlap without an order",             OUR   )    \
    R( CHECK_ACCIDENT,       0,        "barrier orders commands that share no access",  OUR   )    \
    R( CHECK_ALONE,          0,        "the only command waits for everything [R0, C0]", NOTES )   \
    R( CHECK_STAMP_ALIGN,    0,        "timestamp offset is not a multiple of 8",       OUR   )    \
    R( CHECK_BLIT,           0,        "blit, which no driver accepts",                 NOTES )
/* clang-format on */

/* Tables of the executor and the model kernel. Columns member, count and type: the member that
 * points to the rows, the member with their number (EXEC_SLOTS: the number of entries of one
 * firmware queue), the type of a row. least is the smallest valid value of the member in column
 * count. In a store this member is `store`, and the table has store * each rows. */
/* clang-format off */
#define GPUCMD_AGX_EXEC_TABLES(T)                                                                  \
    /*  name         member     count           type                   store  each  least */       \
    T( EXEC_QUEUES,  queues,    queue_count,    gpucmd_agx_exec_queue, 8,     1,    1 )            \
    T( EXEC_JOBS,    jobs,      job_count,      gpucmd_agx_exec_job,   16,    1,    1 )            \
    T( EXEC_SLOTS,   slots,     ring_entries,   gpucmd_agx_slot,       1280,  24,   194 )          \
    T( EXEC_FENCES,  fences,    fence_count,    gpucmd_agx_fence,      256,   1,    0 )            \
    T( EXEC_LINKS,   links,     link_count,     gpucmd_agx_link,       256,   1,    0 )
#define GPUCMD_AGX_KERNEL_TABLES(T)                                                                \
    T( VMS,          vms,       vm_count,       gpucmd_agx_vm,         8,     1,    0 )            \
    T( GEMS,         gems,      gem_count,      gpucmd_agx_gem,        64,    1,    0 )            \
    T( OBJECTS,      objects,   object_count,   gpucmd_agx_object,     16,    1,    0 )            \
    T( QUEUES,       queues,    queue_count,    gpucmd_agx_queue,      8,     1,    0 )            \
    T( SYNCOBJS,     syncobjs,  syncobj_count,  gpucmd_agx_syncobj,    64,    1,    0 )            \
    T( POINTS,       points,    point_count,    gpucmd_agx_point,      128,   1,    0 )            \
    T( STAMPS,       stamps,    stamp_count,    gpucmd_agx_stamps,     16,    1,    0 )            \
    T( FENCE_IDS,    fence_ids, fence_id_count, uint32_t,              128,   1,    0 )            \
    T( SYNCS,        syncs,     sync_count,     struct gpucmd_drm_asahi_sync, 128, 1, 0 )          \
    T( MAPS,         maps,      map_count,      gpucmd_agx_map,        256,   1,    0 )
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

#define GPUCMD_AGX_PRIV_RULE(name, err, text, src) GPUCMD_AGX_RULE_##name,
typedef enum gpucmd_agx_rule { GPUCMD_AGX_RULES(GPUCMD_AGX_PRIV_RULE) } gpucmd_agx_rule;
#undef GPUCMD_AGX_PRIV_RULE

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

/* Define gpucmd_layout_store_drm_asahi_<name>(dst, src): write *src to dst, little endian. */
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
    return (c->flags & ~(uint32_t)GPUCMD_AGX_RENDER_FLAGS_MASK) != 0 ? GPUCMD_AGX_RULE_RENDER_FLAGS
           : !size                                                   ? GPUCMD_AGX_RULE_RENDER_SIZE
           : (uint32_t)c->layers - 1 >= GPUCMD_AGX_MAX_LAYERS        ? GPUCMD_AGX_RULE_RENDER_LAYERS
           : !tile                                                   ? GPUCMD_AGX_RULE_RENDER_UTILE
           : gpucmd_priv_agx_render_faults(c) != 0 ? GPUCMD_AGX_RULE_RENDER_SAMPLES
                                                   : GPUCMD_AGX_RULE_NONE;
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
    return members != 0                                       ? GPUCMD_RANGE
           : (stamps & (GPUCMD_AGX_TIMESTAMP_BYTES - 1)) != 0 ? GPUCMD_ALIGN
           : stamps != 0                                      ? GPUCMD_RANGE
                                                              : GPUCMD_OK;
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
        gpucmd_layout_store_drm_asahi_cmd_##kind(at + 2, c);                                       \
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
        gpucmd_layout_store_drm_asahi_attachment((uint8_t *)(at + 2) + i * each_bytes, &list[i]);
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

/* gpucmd_agx_encode_render, _compute and _attachments write a command to dw. dw needs room for
 * GPUCMD_AGX_RENDER_DW, GPUCMD_AGX_COMPUTE_DW or GPUCMD_AGX_ATTACHMENTS_DW(count) words. The
 * parameters are those of gpucmd_agx_emit_render, _compute and _attachments. A barrier is
 * 0..0xffff; the functions do not compare it with the number of earlier commands.
 * GPUCMD_RANGE: a barrier is above 0xffff, or the kernel rejects a value. GPUCMD_ALIGN: a
 * timestamp offset is not a multiple of 8. On failure dw is unchanged. [UAPI]
 * drm_asahi_cmd_render, _cmd_compute, _attachment */
#define GPUCMD_AGX_PRIV_ENCODE(name, kind)                                                         \
    GPUCMD_MUST_CHECK GPUCMD_INLINE gpucmd_status name(                                            \
        uint32_t *dw, uint32_t vdm_barrier, uint32_t cdm_barrier,                                  \
        const struct gpucmd_drm_asahi_cmd_##kind *c)                                               \
    {                                                                                              \
        const gpucmd_status status = (vdm_barrier | cdm_barrier) > 0xffffu                         \
                                         ? GPUCMD_RANGE                                            \
                                         : gpucmd_priv_agx_legal_##kind(c);                        \
        if (status == GPUCMD_OK) {                                                                 \
            gpucmd_priv_agx_pack_##kind(dw, vdm_barrier, cdm_barrier, c);                          \
        }                                                                                          \
        return status;                                                                             \
    }
GPUCMD_AGX_PRIV_ENCODE(gpucmd_agx_encode_render, render)
GPUCMD_AGX_PRIV_ENCODE(gpucmd_agx_encode_compute, compute)
#undef GPUCMD_AGX_PRIV_ENCODE

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
{
    gpucmd_writer_init(&s->w, base, cap_dw);
    s->renders = 0;
    s->computes = 0;
}

GPUCMD_INLINE uint32_t gpucmd_priv_agx_after(gpucmd_agx_stream *s, uint32_t n, size_t so_far)
{
    if (n == 0 || n > so_far) {
        gpucmd_priv_writer_fail(&s->w, GPUCMD_ORDER);
        return GPUCMD_DRM_ASAHI_BARRIER_NONE;
    }
    return n;
}

/* gpucmd_agx_after_render and gpucmd_agx_after_compute return n, the boundary index after the n-th
 * render or compute of this job. n must be 1..number of renders or computes emitted so far.
 * Otherwise the functions return NONE, and the stream fails with GPUCMD_ORDER. */
GPUCMD_INLINE uint32_t gpucmd_agx_after_render(gpucmd_agx_stream *s, uint32_t n)
{
    return gpucmd_priv_agx_after(s, n, s->renders);
}

GPUCMD_INLINE uint32_t gpucmd_agx_after_compute(gpucmd_agx_stream *s, uint32_t n)
{
    return gpucmd_priv_agx_after(s, n, s->computes);
}

/* gpucmd_agx_after_renders and gpucmd_agx_after_computes return the boundary index after all
 * renders or computes emitted so far; 0 if there are none. */
GPUCMD_INLINE uint32_t gpucmd_agx_after_renders(const gpucmd_agx_stream *s)
{
    return (uint32_t)s->renders;
}

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
    return barrier_at > earlier ? barrier_at - earlier : 0;
}

/* Return GPUCMD_OK if a hardware command may follow. GPUCMD_ORDER: a barrier names this command or
 * a later command. GPUCMD_LIMIT: the stream already has 64 hardware commands. */
GPUCMD_INLINE gpucmd_status gpucmd_priv_agx_place(const gpucmd_agx_stream *s, uint32_t vdm_barrier,
                                                  uint32_t cdm_barrier)
{
    if (GPUCMD_PRIV_UNLIKELY(!gpucmd_priv_agx_barrier_fits(vdm_barrier, s->renders) ||
                             !gpucmd_priv_agx_barrier_fits(cdm_barrier, s->computes))) {
        return GPUCMD_ORDER;
    }
    return s->renders + s->computes < GPUCMD_AGX_MAX_COMMANDS ? GPUCMD_OK : GPUCMD_LIMIT;
}

/* Do not append a command of n_dw words. The stream fails with status; if that is GPUCMD_OK, the
 * words do not fit, or the stream measures. */
GPUCMD_INLINE void gpucmd_priv_agx_refuse(gpucmd_agx_stream *s, gpucmd_status status, size_t n_dw)
{
    if (status != GPUCMD_OK || s->w.base != NULL) {
        gpucmd_priv_writer_fail(&s->w, status != GPUCMD_OK ? status : GPUCMD_FULL);
    }
    s->w.need_dw += status == GPUCMD_OK ? n_dw : 0;
}

/* Define the function `name`, which appends a command of type `kind` and increments s->count. */
#define GPUCMD_AGX_PRIV_EMIT(name, kind, count)                                                    \
    GPUCMD_INLINE void name(gpucmd_agx_stream *s, uint32_t vdm_barrier, uint32_t cdm_barrier,      \
                            const struct gpucmd_drm_asahi_cmd_##kind *c)                           \
    {                                                                                              \
        const size_t n_dw = GPUCMD_AGX_COMMAND_DW((uint32_t)sizeof *c);                            \
        const gpucmd_status legal = gpucmd_priv_agx_legal_##kind(c);                               \
        const gpucmd_status place = gpucmd_priv_agx_place(s, vdm_barrier, cdm_barrier);            \
        if (GPUCMD_PRIV_UNLIKELY(legal != GPUCMD_OK || place != GPUCMD_OK ||                       \
                                 !gpucmd_priv_writer_fits(&s->w, n_dw))) {                         \
            gpucmd_priv_agx_refuse(s, legal != GPUCMD_OK ? legal : place, n_dw);                   \
            s->count += legal == GPUCMD_OK;                                                        \
            return;                                                                                \
        }                                                                                          \
        gpucmd_priv_agx_pack_##kind(s->w.cur, vdm_barrier, cdm_barrier, c);                        \
        s->w.cur += n_dw;                                                                          \
        s->count++;                                                                                \
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
GPUCMD_AGX_PRIV_EMIT(gpucmd_agx_emit_render, render, renders)

/* As gpucmd_agx_emit_render, but append a compute command, GPUCMD_AGX_COMPUTE_DW words.
 * c->flags must be 0. [UAPI] drm_asahi_cmd_compute */
GPUCMD_AGX_PRIV_EMIT(gpucmd_agx_emit_compute, compute, computes)
#undef GPUCMD_AGX_PRIV_EMIT

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
    return cut_bytes % 8 != 0 ? GPUCMD_ALIGN : good ? GPUCMD_OK : GPUCMD_RANGE;
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
    status = gpucmd_priv_agx_place(s, vdm_barrier, cdm_barrier);
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

/* Define the function `name`, which appends a command of type `kind` with a shortened payload. */
#define GPUCMD_AGX_PRIV_EMIT_CUT(name, kind, KIND)                                                 \
    GPUCMD_INLINE void name(gpucmd_agx_stream *s, uint32_t vdm_barrier, uint32_t cdm_barrier,      \
                            const struct gpucmd_drm_asahi_cmd_##kind *c, uint32_t payload_bytes)   \
    {                                                                                              \
        uint8_t bytes[sizeof(struct gpucmd_drm_asahi_cmd_##kind)];                                 \
        gpucmd_status status = gpucmd_priv_agx_check_cut(                                          \
            c, payload_bytes, GPUCMD_AGX_##KIND##_MIN_BYTES, (uint32_t)sizeof *c);                 \
        status = status != GPUCMD_OK ? status : gpucmd_priv_agx_legal_##kind(c);                   \
        gpucmd_layout_store_drm_asahi_cmd_##kind(bytes, c);                                        \
        gpucmd_priv_agx_emit_cut(s, GPUCMD_DRM_ASAHI_CMD_##KIND, vdm_barrier, cdm_barrier, bytes,  \
                                 payload_bytes, status);                                           \
    }

/* As gpucmd_agx_emit_render, but the payload has only payload_bytes bytes (160..240). The command
 * has GPUCMD_AGX_COMMAND_DW(payload_bytes) words. The kernel reads the missing members as zero.
 * GPUCMD_ALIGN: also if payload_bytes is not a multiple of 8. GPUCMD_RANGE: also if payload_bytes
 * is not in 160..240, or a byte of *c after payload_bytes is not zero. */
GPUCMD_AGX_PRIV_EMIT_CUT(gpucmd_agx_emit_render_cut, render, RENDER)

/* As gpucmd_agx_emit_render_cut, but append a compute command; payload_bytes is 24..64. */
GPUCMD_AGX_PRIV_EMIT_CUT(gpucmd_agx_emit_compute_cut, compute, COMPUTE)
#undef GPUCMD_AGX_PRIV_EMIT_CUT

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
    if (l->status == GPUCMD_OK) {
        l->status = handle == 0                 ? GPUCMD_RANGE
                    : !out && l->out_count != 0 ? GPUCMD_ORDER
                    : at >= l->cap              ? GPUCMD_FULL
                                                : GPUCMD_OK;
    }
    if (l->status == GPUCMD_OK) {
        const struct gpucmd_drm_asahi_sync sync_arg = {sync_type, handle, value};
        gpucmd_layout_store_drm_asahi_sync((uint8_t *)&l->base[at], &sync_arg);
        l->in_count += out ? 0 : 1;
        l->out_count += out ? 1 : 0;
    }
}

/* Append a sync to the array.
 *   gpucmd_agx_emit_in_sync       the job waits for a binary sync object
 *   gpucmd_agx_emit_in_timeline   the job waits for point `value` of a timeline; if value is
 *                                 0, for all its points
 *   gpucmd_agx_emit_out_sync      the job signals a binary sync object
 *   gpucmd_agx_emit_out_timeline  the job signals point `value` of a timeline
 * handle is the handle of the sync object. l->status keeps the first failure. GPUCMD_RANGE: handle
 * is 0. GPUCMD_ORDER: an in-sync follows an out-sync. GPUCMD_FULL: the array is full. [UAPI]
 * drm_asahi_sync */
GPUCMD_INLINE void gpucmd_agx_emit_in_sync(gpucmd_agx_syncs *l, uint32_t handle)
{
    gpucmd_priv_agx_sync(l, GPUCMD_DRM_ASAHI_SYNC_SYNCOBJ, handle, 0, false);
}

GPUCMD_INLINE void gpucmd_agx_emit_in_timeline(gpucmd_agx_syncs *l, uint32_t handle, uint64_t value)
{
    gpucmd_priv_agx_sync(l, GPUCMD_DRM_ASAHI_SYNC_TIMELINE_SYNCOBJ, handle, value, false);
}

GPUCMD_INLINE void gpucmd_agx_emit_out_sync(gpucmd_agx_syncs *l, uint32_t handle)
{
    gpucmd_priv_agx_sync(l, GPUCMD_DRM_ASAHI_SYNC_SYNCOBJ, handle, 0, true);
}

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
        out->in_sync_count = l != NULL ? l->in_count : 0;
        out->out_sync_count = l != NULL ? l->out_count : 0;
        out->syncs = out->in_sync_count + out->out_sync_count != 0 ? syncs : 0;
        out->cmdbuf = cmdbuf;
        out->cmdbuf_size = (uint32_t)len_bytes;
        out->queue_id = queue_id;
    }
    return status;
}

/* ==== [AGX.DECODE] ========================================================================= */

/* One result of a check: a broken rule or a report of the checker, with its position. */
typedef struct gpucmd_agx_finding {
    gpucmd_agx_rule rule; /* GPUCMD_AGX_RULE_NONE: all checks passed */
    int32_t command;      /* index of the command in the stream, SET commands included; -1: none */
    uint32_t off_bytes;   /* offset of the command in the stream, or in the notation text */
    int32_t other;        /* index of a second command that is part of the finding; -1: none */
    char barrier_at;      /* barrier with the finding: 'R' render, 'C' compute, '\0' none */
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
/* Copy the payload of a render or compute command to *c, in CPU byte order. Members that the
 * payload lacks become zero. Payload bytes beyond the structure are ignored. */
GPUCMD_PRIV_API void gpucmd_agx_load_render(const gpucmd_agx_raw *raw,
                                            struct gpucmd_drm_asahi_cmd_render *c);
GPUCMD_PRIV_API void gpucmd_agx_load_compute(const gpucmd_agx_raw *raw,
                                             struct gpucmd_drm_asahi_cmd_compute *c);

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

/* A callback for the sizes of the caller's timestamp objects. timestamp_bytes writes the size of
 * an object to *bytes and returns true, or returns false if object_handle is unknown. If
 * timestamp_bytes is NULL, timestamps are not checked. */
typedef struct gpucmd_agx_objects {
    bool (*timestamp_bytes)(void *user, uint32_t object_handle, uint64_t *bytes);
    void *user;
} gpucmd_agx_objects;

/* Members of a hardware command that say where the model kernel writes timestamps and results. */
typedef struct gpucmd_agx_taken {
    /* stamps[0]: timestamps of a compute or a vertex half; stamps[1]: of a fragment half */
    struct gpucmd_drm_asahi_timestamps stamps[2];
    uint64_t result_offset; /* drafts only: offset of the command's result in the result object */
    uint64_t result_size;   /* drafts only: bytes for the result; 0: no result */
} gpucmd_agx_taken;

/* Callback: the checker calls it once for each finding. *finding is valid during the call only. */
typedef void (*gpucmd_agx_finding_fn)(void *user, const gpucmd_agx_finding *finding);

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

/* Input of gpucmd_agx_check. */
typedef struct gpucmd_agx_check_input {
    const gpucmd_agx_job *job;
    uint32_t prior; /* kinds of prior work: GPUCMD_AGX_PRIOR_* */
    const gpucmd_agx_access *accesses;
    uint32_t access_count;    /* 0: rules about accesses are not checked */
    gpucmd_agx_finding_fn fn; /* called for each finding; NULL: findings are only counted */
    void *user;
} gpucmd_agx_check_input;

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
/* Return the name or the text of a rule; "?" for another number. Static storage. */
GPUCMD_PRIV_API const char *gpucmd_agx_rule_name(gpucmd_agx_rule rule);
GPUCMD_PRIV_API const char *gpucmd_agx_rule_text(gpucmd_agx_rule rule);
/* Return the positive errno of a rule; 0 for NONE and for the rules CHECK_*. */
GPUCMD_PRIV_API int gpucmd_agx_rule_errno(gpucmd_agx_rule rule);
/* Return "compute", "vertex" or "fragment"; "?" for another number. Static storage. */
GPUCMD_PRIV_API const char *gpucmd_agx_ring_name(gpucmd_agx_ring ring);

/* Do all checks of a stream that SUBMIT does, in the kernel's order.
 *   objects  finds the sizes of timestamp objects; NULL: timestamps are not checked
 *   job      receives the hardware commands; may be NULL
 *   finding  receives the first broken rule and its position; NONE: no rule is broken
 * GPUCMD_INVALID: the kernel rejects the stream; *job is undefined. [DRV] */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_agx_parse_stream(const uint8_t *bytes, size_t len_bytes,
                                                        const gpucmd_agx_objects *objects,
                                                        gpucmd_agx_job *job,
                                                        gpucmd_agx_finding *finding);
/* Print rule, position, text and errno of a finding, without a newline. */
GPUCMD_PRIV_API void gpucmd_agx_print_finding(gpucmd_text *t, const gpucmd_agx_finding *finding);

/* As gpucmd_agx_lower, but for one command at a time. Call gpucmd_agx_lowering_init once, then
 * gpucmd_agx_lower_command for each command in order; idx is its index in the job. Each call
 * writes at most 5 entries to out and returns their number. A barrier that names its own command
 * or a later command is not allowed. [DRV] */
GPUCMD_PRIV_API void gpucmd_agx_lowering_init(gpucmd_agx_lowering *l, uint32_t prior);
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

/* Check a valid job for useless barriers, for declared accesses that overlap without an order, and
 * for blits. Return the number of findings. *order is scratch memory; its value before and after
 * the call has no meaning. Time: O((1 + barriers) * (commands + accesses * accesses)). */
GPUCMD_PRIV_API uint32_t gpucmd_agx_check(const gpucmd_agx_check_input *in,
                                          gpucmd_agx_order *order);
/* Check a stream for timestamp offsets that are not multiples of 8. The kernel accepts them, but
 * gpucmd_agx_emit_* reject them. Call fn (may be NULL) for each, and return their number. [OUR] */
GPUCMD_PRIV_API uint32_t gpucmd_agx_check_stream(const uint8_t *bytes, size_t len_bytes,
                                                 gpucmd_agx_finding_fn fn, void *user);
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

/* gpucmd_agx_print_entry prints an entry ("RUN R1v", "WAIT R0f"), gpucmd_agx_print_target only the
 * operation that the entry runs or waits for ("R1v"). */
GPUCMD_PRIV_API void gpucmd_agx_print_entry(gpucmd_text *t, const gpucmd_agx_entry *entry);
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
/* Print operations over time: gpucmd_agx_print_timeline as text, gpucmd_agx_print_svg as SVG. Each
 * firmware queue that has operations is a row. The spans may be in any order.
 *   columns  maximum width of the text, at least 1. A unit of time has 1 to 4 columns;
 *            more than 1 if the names of short operations need the room and the text fits.
 *            If the text does not fit, one column represents 2, 4, 8, ... units
 * Time: gpucmd_agx_print_svg O(rows * count); as text O(rows * count * columns). */
GPUCMD_PRIV_API void gpucmd_agx_print_timeline(gpucmd_text *t, const gpucmd_agx_span *spans,
                                               uint32_t count, uint32_t columns);
GPUCMD_PRIV_API void gpucmd_agx_print_svg(gpucmd_text *t, const gpucmd_agx_span *spans,
                                          uint32_t count);
#endif

/* ---- address space of a VM ---- */

/* One mapping of a VM: a row of the caller's table. va, bytes, offset are multiples of 16 KiB. */
typedef struct gpucmd_agx_map {
    uint64_t va;
    uint64_t bytes;
    uint64_t offset;   /* offset of the mapped memory in the object; SINGLE_PAGE: of the page */
    uint32_t handle;   /* handle of the GEM object */
    uint32_t flags;    /* GPUCMD_DRM_ASAHI_BIND_READ, _WRITE, _SINGLE_PAGE */
    uint32_t child[2]; /* internal: rows of the two children; [0]: lower addresses, [1]: higher */
    uint32_t height;   /* internal: height of the tree whose root is this row */
    uint32_t reserved; /* 0 */
} gpucmd_agx_map;

/* A table of mappings, owned by the caller, for any number of address spaces. */
typedef struct gpucmd_agx_maps {
    gpucmd_agx_map *nodes;
    uint32_t cap;
    uint32_t used;  /* rows nodes[used] and above have never been used */
    uint32_t free;  /* first row of the list of freed rows; GPUCMD_AGX_NO_NODE: the list is empty */
    uint32_t count; /* number of mappings in the table */
} gpucmd_agx_maps;

/* An address space: a tree of mappings. root is a row of the table; GPUCMD_AGX_NO_NODE: empty. */
typedef struct gpucmd_agx_space {
    uint32_t root;
} gpucmd_agx_space;

#define GPUCMD_AGX_NO_NODE 0xffffffffu

#ifdef GPUCMD_PRIV_PROTOTYPES
/* gpucmd_agx_maps_init initializes *maps as an empty table. nodes is the caller's array of cap
 * (< 2^32 - 1) rows. gpucmd_agx_space_init initializes *space without mappings. */
GPUCMD_PRIV_API void gpucmd_agx_maps_init(gpucmd_agx_maps *maps, gpucmd_agx_map *nodes,
                                          uint32_t cap);
GPUCMD_PRIV_API void gpucmd_agx_space_init(gpucmd_agx_space *space);
/* Add mapping *map, of which the internal members are ignored. It replaces old mappings in its
 * range; parts of old mappings outside the range stay. Adjacent mappings of contiguous memory are
 * merged. map->va, bytes and offset must be multiples of 16 KiB, bytes > 0, va + bytes < 2^64.
 * GPUCMD_FULL: the table has fewer than two free rows; nothing has changed.
 * Time: O((2 + mappings removed) * log(mappings)). */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_agx_space_bind(gpucmd_agx_maps *maps,
                                                      gpucmd_agx_space *space,
                                                      const gpucmd_agx_map *map);
/* Remove all mappings from the range of `bytes` bytes at va; parts of mappings outside the range
 * stay. va and bytes must be multiples of 16 KiB, bytes > 0, va + bytes < 2^64. GPUCMD_FULL: one
 * mapping exceeds the range on both sides, and no row is free; nothing has changed. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_agx_space_unbind(gpucmd_agx_maps *maps,
                                                        gpucmd_agx_space *space, uint64_t va,
                                                        uint64_t bytes);
/* Return the mapping that contains va. If there is none, return the first mapping after va; NULL:
 * there is none after va. The pointer is valid until the next bind or unbind. */
GPUCMD_PRIV_API const gpucmd_agx_map *gpucmd_agx_space_find(const gpucmd_agx_maps *maps,
                                                            const gpucmd_agx_space *space,
                                                            uint64_t va);
/* Write the handle of the GEM object that is mapped at va to *handle, and the offset of va in this
 * object to *offset. access_mask is GPUCMD_ACCESS_READ, _WRITE or both. Return
 * GPUCMD_AGX_FAULT_NONE on success. Otherwise *handle and *offset are unchanged; return
 *   GPUCMD_AGX_FAULT_UNMAPPED    no mapping contains va
 *   GPUCMD_AGX_FAULT_WRITE_ONLY  access_mask has READ, but the mapping has not
 *   GPUCMD_AGX_FAULT_READ_ONLY   access_mask has WRITE, but the mapping has not */
GPUCMD_PRIV_API gpucmd_agx_fault gpucmd_agx_space_translate(const gpucmd_agx_maps *maps,
                                                            const gpucmd_agx_space *space,
                                                            uint64_t va, uint32_t access_mask,
                                                            uint32_t *handle, uint64_t *offset);
#endif

/* ---- many jobs, queues ---- */

#define GPUCMD_AGX_NONE        0xffffffffu /* no queue, no job, no fence, no link */
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

/* A fence signals when a job ends, or when the caller signals it. Fences can form a chain, as the
 * points of a timeline do: if member prev names a fence, this fence must signal first. */
typedef struct gpucmd_agx_fence {
    uint64_t at_time; /* time at which the fence signalled */
    int32_t error;    /* errno (positive) of the job or from the caller; 0: no error */
    uint32_t job;     /* table row of the job that will signal the fence; GPUCMD_AGX_NONE: no job */
    uint32_t prev;    /* fence that must signal before this fence, or GPUCMD_AGX_NONE */
    uint32_t next;    /* fence whose member prev is this fence; in a free row: the next free row */
    uint32_t refs;    /* number of holds of the fence; 0: the row is free */
    bool ended;       /* the job has ended or the caller has signalled; may still wait for prev */
    bool is_signalled;
} gpucmd_agx_fence;

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

/* The executor. After gpucmd_agx_exec_init the caller may set durations, fate, ended, completed and
 * their user pointers. The caller may read all members. */
typedef struct gpucmd_agx_exec {
    gpucmd_agx_exec_tables t;
    uint64_t now; /* current time */
    uint32_t free_job;
    uint32_t free_fence;
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
    uint32_t chain;    /* next fence to signal */
    uint32_t drop;     /* next fence to release, when member chain is GPUCMD_AGX_NONE */
    int32_t pieces;    /* pieces that remain of GPUCMD_AGX_UNIT_PIECES; may be < 0 */
    uint32_t pushing;  /* table row of the job whose entries are written to the firmware queues */
    uint32_t command;  /* index of the next command of jobs[pushing] */
    uint32_t base[GPUCMD_AGX_RINGS]; /* rings[q].queued before the job was pushed */
    gpucmd_agx_lowering lowering;
    uint64_t signals; /* number of fences that have signalled since gpucmd_agx_exec_init */
    gpucmd_agx_durations durations;
    gpucmd_agx_fate_fn fate; /* may be NULL; then all operations complete */
    void *fate_user;
    gpucmd_env env;         /* callbacks; see gpucmd_agx_exec_init */
    gpucmd_status fault;    /* first failure of env.event in the last step */
    gpucmd_agx_table table; /* full or invalid table that made the last call fail */
    /* Called before the row of an ended job is freed; may be NULL. */
    void (*ended)(void *user, gpucmd_agx_exec_job *job);
    void *ended_user;
    /* Called when all operations of a command have ended; may be NULL. slot is the table row of the
     * job, command the index of the command in it. The model kernel sets this callback. */
    void (*completed)(void *user, uint32_t slot, uint32_t command);
    void *completed_user;
    bool lost; /* gpucmd_agx_exec_lose was called */
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
    uint32_t fence;         /* FENCE: the fence; otherwise GPUCMD_AGX_NONE */
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
/* gpucmd_agx_outcome_name returns the name of an outcome ("COMPLETE"); "?" for a number without a
 * row. Static storage. gpucmd_agx_outcome_errno returns the positive errno that a job gets if one
 * of its operations has this outcome; 0: the operation has not failed. */
GPUCMD_PRIV_API const char *gpucmd_agx_outcome_name(gpucmd_agx_outcome outcome);
GPUCMD_PRIV_API int gpucmd_agx_outcome_errno(gpucmd_agx_outcome outcome);
/* Initialize *x with empty tables at time 0. The tables must stay valid while x is used. env may
 * be NULL; env->mem is not used. The executor passes events to env->event (may be NULL) in the
 * order of time. In each event, member unit is the queue, addr the number of the job in the queue,
 * and va the time:
 *   START, FINISH  an operation starts or ends. code is its gpucmd_agx_ring, value the index
 *                  of its command in the job. The callback may do the work of the command
 *   STATE, code 0  the job enters the firmware queues. value is 0
 *   STATE, code 1  the job has ended. value is the positive errno of the job; 0: no error
 * If the callback returns any status except GPUCMD_OK, gpucmd_agx_exec_step returns FAULT. The
 * next step passes the event again, except STATE with code 1.
 * GPUCMD_RANGE: a table is NULL or has fewer rows than it must have. GPUCMD_ALIGN: a table is not
 * aligned for its type. On failure x->table names the table. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_agx_exec_init(gpucmd_agx_exec *x,
                                                     const gpucmd_agx_exec_tables *tables,
                                                     const gpucmd_env *env);
/* gpucmd_agx_exec_queue_open opens a queue and returns its number; GPUCMD_AGX_NONE: no queue is
 * free. vm is any number; queues with equal vm belong to one VM. gpucmd_agx_exec_queue_close frees
 * a queue. GPUCMD_ORDER: a job of the queue has not ended. GPUCMD_RANGE: the queue is not open. */
GPUCMD_PRIV_API uint32_t gpucmd_agx_exec_queue_open(gpucmd_agx_exec *x, uint32_t vm);
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_agx_exec_queue_close(gpucmd_agx_exec *x, uint32_t queue);
/* Make an open queue reject new jobs, and free the queue when its last job has ended. */
GPUCMD_PRIV_API void gpucmd_agx_exec_queue_retire(gpucmd_agx_exec *x, uint32_t queue);
/* gpucmd_agx_exec_fence makes a fence, holds it once for the caller and returns its number;
 * GPUCMD_AGX_NONE: the table is full or prev does not exist. The fence signals when a job ends that
 * has the fence in gpucmd_agx_submission.out, or when the caller calls gpucmd_agx_exec_signal.
 *   prev  fence that must signal before the new fence, or GPUCMD_AGX_NONE. If another fence
 *         already follows prev, the new fence follows the last one of them
 *   time  O(fences that follow prev)
 * gpucmd_agx_exec_hold adds a hold, _release removes a hold. A fence without holds becomes free.
 * Jobs and later fences hold the fences that they need. Time of _release: O(fences it frees). */
GPUCMD_PRIV_API uint32_t gpucmd_agx_exec_fence(gpucmd_agx_exec *x, uint32_t prev);
GPUCMD_PRIV_API void gpucmd_agx_exec_hold(gpucmd_agx_exec *x, uint32_t fence);
GPUCMD_PRIV_API void gpucmd_agx_exec_release(gpucmd_agx_exec *x, uint32_t fence);
/* Signal a fence that no job signals: no submitted job has it in its out-fences. error is a
 * positive errno for the fence; 0: no error. If the fence has a prev that has not signalled, the
 * fence signals when prev does. Time: O(fences that signal). GPUCMD_RANGE: no such fence.
 * GPUCMD_ORDER: a job signals the fence; the fence has signalled; or the fence still waits for prev
 * after an earlier call of this function. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_agx_exec_signal(gpucmd_agx_exec *x, uint32_t fence,
                                                       int32_t error);
/* Append a job to a queue at the current time. Write to *slot the job's row in the table of jobs;
 * the row becomes free when the job has ended. On failure nothing but x->table has changed.
 *   GPUCMD_ORDER  a barrier names its own or a later command; or another job or the caller
 *                 signals a fence of sub->out
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
 *   FAULT    env.event returned x->fault
 * Time: O(rows of queues + fences that signal + jobs that wait for them + commands that start). */
GPUCMD_PRIV_API gpucmd_run gpucmd_agx_exec_step(gpucmd_agx_exec *x);
/* Do steps as gpucmd_agx_exec_step. Return the first result of a step that is not DONE; LIMIT: the
 * budget is used up. One unit of budget is one step. A long step needs one unit for each
 * GPUCMD_AGX_UNIT_PIECES pieces of work; a piece is about the work for one queue, fence, command or
 * entry of a firmware queue. If the budget ends inside a step, the next call continues this step.
 * The budget does not change what is executed. Between two calls the caller may call any other
 * function of the executor. Time: O(budget). */
GPUCMD_PRIV_API gpucmd_run gpucmd_agx_exec_run(gpucmd_agx_exec *x, uint64_t budget);
/* Simulate the loss of the GPU. Running operations end now, others end when they start; outcomes
 * are NO_DEVICE, and no events START and FINISH follow. Jobs still wait for their fences. [DRVD] */
GPUCMD_PRIV_API void gpucmd_agx_exec_lose(gpucmd_agx_exec *x);
/* Call this function after BLOCKED. Find a cycle of queues that wait for each other, write at most
 * cap of its arcs to arcs and return how many were written. If there is no cycle, return 0; the
 * caller must then signal a fence. Time: O(queues * (queues + f)), where f counts the fences that
 * the first waiting jobs of all queues wait for, and all fences before these fences. */
GPUCMD_PRIV_API uint32_t gpucmd_agx_exec_deadlock(const gpucmd_agx_exec *x,
                                                  gpucmd_agx_deadlock *arcs, uint32_t cap);
/* Write the reason for which the executor stopped to *why. why->kind is:
 *   IDLE      no job remains
 *   READY     gpucmd_agx_exec_step can continue
 *   CALLBACK  env.event returned why->status
 *   DEADLOCK  queues wait for each other
 *   WAIT      the caller must signal a fence
 * why->va is the time. For DEADLOCK and WAIT, unit is the number of a queue, at_va the number of
 * the job that waits in this queue, value the number of the fence. Time: at most twice that of
 * gpucmd_agx_exec_deadlock. */
GPUCMD_PRIV_API void gpucmd_agx_exec_why(const gpucmd_agx_exec *x, gpucmd_why *why);
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
/* Convert a result to the structure that the drafts define. The status of a render is the outcome
 * of its fragment half, if the outcome of its vertex half is COMPLETE, or if it is KILLED and the
 * fragment half failed. Otherwise it is the outcome of the vertex half. [DRVD] */
GPUCMD_PRIV_API void gpucmd_agx_encode_result_render(
    const gpucmd_agx_result *r, struct gpucmd_drm_asahi_draft_result_render *out);
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
    uint32_t serial;       /* number of the VM for the executor; unique, because ids are reused */
    uint64_t kernel_start; /* the kernel window is kernel_start..kernel_end - 1; 10006: empty */
    uint64_t kernel_end;
    gpucmd_agx_space space;
} gpucmd_agx_vm;

/* A GEM object of the model kernel. The handle of the object in row i of the table is i + 1. */
typedef struct gpucmd_agx_gem {
    bool used;
    uint32_t flags; /* GPUCMD_DRM_ASAHI_GEM_* */
    uint32_t vm_id; /* VM of a private object; 0: not private; GPUCMD_AGX_NONE: its VM is gone */
    uint64_t bytes; /* multiple of 16 KiB */
    void *host;     /* memory of the object, owned by the caller; may be NULL */
    struct gpucmd_agx_dmabuf *dmabuf; /* replaces host; NULL: was never exported or imported */
} gpucmd_agx_gem;

/* An object that several files share. The caller owns this structure and must keep it until
 * all handles of the object are closed. The address of the structure identifies the object. */
typedef struct gpucmd_agx_dmabuf {
    uint64_t bytes;
    void *host; /* memory of the object; may be NULL */
} gpucmd_agx_dmabuf;

/* A timestamp object of the model kernel: the range of `bytes` bytes at offset of a GEM object. */
typedef struct gpucmd_agx_object {
    bool used;
    uint32_t handle; /* handle of the GEM object; 0: the handle was closed [DRV] */
    uint64_t offset;
    uint64_t bytes;
    uint8_t *host; /* if handle is 0: memory of the GEM object when its handle was closed */
} gpucmd_agx_object;

/* A user queue of the model kernel. */
typedef struct gpucmd_agx_queue {
    bool used;
    uint32_t vm_id;
    uint32_t priority; /* GPUCMD_DRM_ASAHI_PRIORITY_* */
    uint32_t caps;     /* bits GPUCMD_DRM_ASAHI_DRAFT_CAP_*; upstream: all bits */
    uint32_t exec;     /* number of the queue in the executor */
    uint64_t usc_exec_base;
} gpucmd_agx_queue;

/* A sync object with its newest fence and, if it is a timeline, its points. */
typedef struct gpucmd_agx_syncobj {
    bool used;
    bool timeline;   /* the newest fence belongs to a timeline point */
    uint32_t fence;  /* newest fence; GPUCMD_AGX_NONE: the object has no fence */
    uint32_t points; /* table row of the newest point; GPUCMD_AGX_NONE: there are no points */
    uint64_t last;   /* value of the newest point */
    uint64_t passed; /* internal: points up to this value have signalled and have no row; the
                        caller uses gpucmd_agx_kernel_syncobj_query */
} gpucmd_agx_syncobj;

/* A point of a timeline. Its row stays until no wait needs the point. A search for an older point
 * follows next, or jump, which skips points. gpucmd_agx_syncobj has the member `passed`. */
typedef struct gpucmd_agx_point {
    uint64_t value;
    uint64_t jump_value; /* internal: value of the point in row jump; 0: this point has no jump */
    uint32_t fence;
    uint32_t next;  /* row of the next older point; in a free row: next free row */
    uint32_t jump;  /* internal: row of an older point, which is free if jump_value <= passed */
    uint32_t depth; /* internal: 0 for the first and for a merged point, else 1 more than before */
    bool merged;    /* the process gave a value that was not above the previous point's value; a
                       wait for any older point then waits for this point */
} gpucmd_agx_point;

/* Where the model kernel writes timestamps and draft results of one job. Row i of the table is for
 * the job in row i of the executor's table of jobs. c is the index of a command in the job. */
typedef struct gpucmd_agx_stamps {
    /* at[c][h][e]: h = 0 is a vertex half or compute, h = 1 a fragment half; e = 0 is the start of
     * the operation, e = 1 its end. NULL: no timestamp is written */
    uint8_t *at[GPUCMD_AGX_MAX_COMMANDS][2][2];
    uint8_t *result[GPUCMD_AGX_MAX_COMMANDS];       /* result[c]: address; NULL: none is written */
    uint32_t result_bytes[GPUCMD_AGX_MAX_COMMANDS]; /* result_bytes[c]: bytes at result[c] */
} gpucmd_agx_stamps;

/* The model kernel's tables, owned by the caller. If a table is full, an ioctl fails with ENOMEM.
 * stamps needs as many rows as exec.jobs. fence_ids needs as many rows as the largest submission
 * has syncs; syncs needs as many rows as the largest submission has out-syncs. */
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

/* The model kernel of one open file. The caller may write user, params, timer_hz and the members of
 * exec that gpucmd_agx_exec lists, except completed. Only the library writes other members. */
typedef struct gpucmd_agx_kernel {
    gpucmd_agx_kernel_tables t;
    gpucmd_agx_maps maps;
    gpucmd_agx_exec exec; /* the caller executes jobs with gpucmd_agx_exec_run(&k->exec, budget) */
    gpucmd_mem *user;     /* memory that ioctl arguments point at; NULL: memory of this program */
    struct gpucmd_drm_asahi_params_global params; /* GET_PARAMS returns these values */
    uint64_t timer_hz; /* ticks of exec.now per second; gpucmd_agx_kernel_init sets 10^9 */
    bool crashed;      /* gpucmd_agx_kernel_crash was called */
    uint32_t vm_serial;
    uint32_t free_point;
    uint32_t merged_points;     /* number of merged points; usually mistakes of the process */
    gpucmd_agx_finding finding; /* result of the checks of the last ioctl */
    gpucmd_agx_table table;     /* full table (rule NO_MEMORY), or table that init rejected */
    uint32_t queue;             /* number of the executor's queue of the last submitted job */
    uint32_t number;            /* number of the last submitted job in that queue */
    gpucmd_agx_job job;         /* internal: job of the last SUBMIT */
    /* internal: taken[i] says where results of job.commands[i] are written */
    gpucmd_agx_taken taken[GPUCMD_AGX_MAX_COMMANDS];
    gpucmd_env env;         /* callbacks of the caller; the kernel writes timestamps after them */
    gpucmd_agx_draft draft; /* internal: version of the last ioctl of a draft */
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
/* Initialize *k with empty tables, which must stay valid while k is used. env (may be NULL)
 * receives the events of the executor, as gpucmd_agx_exec_init says. GPUCMD_RANGE: a table is NULL
 * or has fewer rows than it must have. GPUCMD_ALIGN: a table is not aligned for its type. On
 * failure k->table names the table. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_agx_kernel_init(gpucmd_agx_kernel *k,
                                                       const gpucmd_agx_kernel_tables *tables,
                                                       const gpucmd_env *env);
/* Set the memory of a GEM object. host must have the size of the object. It must stay valid until
 * all jobs that write timestamps or results to the object have ended. All files that share the
 * object use this memory. GPUCMD_RANGE: no such handle. */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_agx_kernel_back(gpucmd_agx_kernel *k, uint32_t handle,
                                                       void *host);
/* These functions replace ioctls of the DRM core. gpucmd_agx_kernel_<name>:
 *   syncobj_create     make a sync object and return its handle; 0: the table is full
 *   syncobj_destroy    free a sync object. -ENOENT: no such handle
 *   syncobj_signalled  return true if the newest fence of the object has signalled, and write
 *                      the positive errno of its job to *error, 0: no error
 *   gem_close          close a handle and unmap the object from all VMs. -ENOENT: no such
 *                      handle. Time: O(mappings * log(mappings))
 * syncobj_destroy and gem_close return 0 on success. */
GPUCMD_PRIV_API uint32_t gpucmd_agx_kernel_syncobj_create(gpucmd_agx_kernel *k);
GPUCMD_PRIV_API int gpucmd_agx_kernel_syncobj_destroy(gpucmd_agx_kernel *k, uint32_t handle);
GPUCMD_PRIV_API bool gpucmd_agx_kernel_syncobj_signalled(const gpucmd_agx_kernel *k,
                                                         uint32_t handle, int32_t *error);
GPUCMD_PRIV_API int gpucmd_agx_kernel_gem_close(gpucmd_agx_kernel *k, uint32_t handle);
/* Check whether the point `value` of a timeline has signalled; value 0: whether the newest fence of
 * the object has signalled. [CHAIN]
 *   GPUCMD_OK       signalled. *error receives the positive errno of the job; 0: no error, or
 *                   the point is old and no longer has a row
 *   GPUCMD_BLOCKED  not signalled
 *   GPUCMD_ORDER    no point with at least this value was submitted, or the object has no fence
 *   GPUCMD_RANGE    no such handle */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_agx_kernel_syncobj_point(const gpucmd_agx_kernel *k,
                                                                uint32_t handle, uint64_t value,
                                                                int32_t *error);
/* Write the value of the newest point that has signalled to *value; 0: no point has signalled, or
 * the object is binary. GPUCMD_RANGE: no such handle. [CHAIN] */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_agx_kernel_syncobj_query(const gpucmd_agx_kernel *k,
                                                                uint32_t handle, uint64_t *value);
/* gpucmd_agx_kernel_gem_export and _import share an object between files, as PRIME of Linux does.
 *   place   export: memory for a new dma-buf; used only if the object has no dma-buf yet
 *   dmabuf  export: *dmabuf receives the dma-buf of the object. import: a dma-buf from an export
 *   handle  import: *handle receives the handle that this file already has for the object, or
 *           a new handle
 * The functions return 0 on success. -ENOENT: no such handle. -EINVAL: the object is private, or
 * the size of the dma-buf is 0 or not a multiple of 16 KiB. -ENOMEM: the table is full. [NOTES] */
GPUCMD_PRIV_API int gpucmd_agx_kernel_gem_export(gpucmd_agx_kernel *k, uint32_t handle,
                                                 gpucmd_agx_dmabuf *place,
                                                 gpucmd_agx_dmabuf **dmabuf);
GPUCMD_PRIV_API int gpucmd_agx_kernel_gem_import(gpucmd_agx_kernel *k, gpucmd_agx_dmabuf *dmabuf,
                                                 uint32_t *handle);
/* Simulate the loss of the GPU. Unfinished jobs, SUBMIT and GET_PARAMS fail with ENODEV. [DRVD] */
GPUCMD_PRIV_API void gpucmd_agx_kernel_crash(gpucmd_agx_kernel *k);

/* Declare gpucmd_agx_kernel_<argument>(k, a) for each row of GPUCMD_AGX_IOCTLS. The functions do an
 * ioctl with the checks of the driver, in the driver's order. They return 0 or a negative errno.
 * k->finding has the broken rule; for streams and arrays of binds also command and byte. An ioctl
 * that fails changes nothing that a process can see, except that VM_BIND keeps the binds before the
 * failed bind. Time:
 *   VM_BIND    O((binds + mappings that they replace) * log(mappings of the VM))
 *   SUBMIT     O(bytes of the stream + syncs * log(points of a timeline))
 *   others     O(rows of a table) [DRV] */
#define GPUCMD_AGX_PRIV_IOCTL(name, id, arg, pointer)                                              \
    GPUCMD_PRIV_API int gpucmd_agx_kernel_##arg(gpucmd_agx_kernel *k, pointer a);
GPUCMD_AGX_IOCTLS(GPUCMD_AGX_PRIV_IOCTL)
#undef GPUCMD_AGX_PRIV_IOCTL
/* Return the name of an ioctl ("VM_BIND"); "?" if unknown. The size in request is ignored. */
GPUCMD_PRIV_API const char *gpucmd_agx_ioctl_name(uint32_t request);
/* Call an ioctl of GPUCMD_AGX_IOCTLS by its number, request. Return 0 or a negative errno. request
 * contains the size of *arg. If *arg is smaller than the structure, missing bytes are read as zero.
 * If it is larger, extra bytes must be zero. *arg is in CPU byte order; memory that *arg points at
 * is little endian. */
GPUCMD_PRIV_API int gpucmd_agx_kernel_ioctl(gpucmd_agx_kernel *k, uint32_t request, void *arg);
/* Do one operation of VM_BIND. Return the broken rule; NONE: success. */
GPUCMD_PRIV_API gpucmd_agx_rule gpucmd_agx_kernel_bind_op(
    gpucmd_agx_kernel *k, uint32_t vm_id, const struct gpucmd_drm_asahi_gem_bind_op *op);
/* Fill *sys with system calls that access the model kernel *k. k must be initialized, and stay
 * valid as long as *sys is used. k is one device node. Every path except "" opens it; only one
 * descriptor can be open at a time. */
GPUCMD_PRIV_API void gpucmd_agx_kernel_sys(gpucmd_agx_kernel *k, gpucmd_sys_ops *sys);

/* gpucmd_agx_client_open opens a node and reads its parameters; gpucmd_agx_client_close closes the
 * node. The caller fills *sys with gpucmd_sys_ops_init_linux (driver) or gpucmd_agx_kernel_sys
 * (model kernel); it is copied. Return 0 or a negative errno. An ioctl that fails with EINTR or
 * EAGAIN has changed nothing; the client does not restart it. */
GPUCMD_PRIV_API int gpucmd_agx_client_open(gpucmd_agx_client *c, const gpucmd_sys_ops *sys,
                                           const char *path);
GPUCMD_PRIV_API int gpucmd_agx_client_close(gpucmd_agx_client *c);
/* gpucmd_agx_client_<name> makes one ioctl and returns 0 or a negative errno. On failure outputs
 * are unchanged.
 *   vm_create        make a VM; its kernel window has the smallest size and is at the highest
 *                    addresses of the VM
 *   gem_create       make a GEM object. flags: GPUCMD_DRM_ASAHI_GEM_*. vm_id: VM of a private
 *                    object (the flag VM_PRIVATE is added); 0: the object is not private
 *   vm_bind          do one operation of VM_BIND. op->flags: GPUCMD_DRM_ASAHI_BIND_*
 *   queue_create     make a queue of medium priority
 *   bind_timestamps  make a timestamp object from the first `bytes` bytes of a GEM object, which
 *                    must not be private */
GPUCMD_PRIV_API int gpucmd_agx_client_vm_create(gpucmd_agx_client *c, uint32_t *vm_id);
GPUCMD_PRIV_API int gpucmd_agx_client_gem_create(gpucmd_agx_client *c, uint64_t bytes,
                                                 uint32_t flags, uint32_t vm_id, uint32_t *handle);
GPUCMD_PRIV_API int gpucmd_agx_client_vm_bind(gpucmd_agx_client *c, uint32_t vm_id,
                                              const struct gpucmd_drm_asahi_gem_bind_op *op);
GPUCMD_PRIV_API int gpucmd_agx_client_queue_create(gpucmd_agx_client *c, uint32_t vm_id,
                                                   uint64_t usc_exec_base, uint32_t *queue_id);
GPUCMD_PRIV_API int gpucmd_agx_client_bind_timestamps(gpucmd_agx_client *c, uint32_t handle,
                                                      uint64_t bytes, uint32_t *object_handle);
/* gpucmd_agx_client_unbind_timestamps, _queue_destroy and _vm_destroy destroy a
 * timestamp object, a queue, or a VM. Jobs of a destroyed queue run to their end.
 * Return 0 or a negative errno. To close GEM objects, use GEM_CLOSE of the DRM core. */
GPUCMD_PRIV_API int gpucmd_agx_client_unbind_timestamps(gpucmd_agx_client *c,
                                                        uint32_t object_handle);
GPUCMD_PRIV_API int gpucmd_agx_client_queue_destroy(gpucmd_agx_client *c, uint32_t queue_id);
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
/* gpucmd_agx_draft_<name> converts a value or structure of the drafts to upstream. On failure
 * outputs are unchanged, except that syncs can have appended some syncs.
 *   barrier   boundary index. GPUCMD_RANGE: the index is 0xffff or more and not NONE
 *   cmd_type  GPUCMD_UNSUPPORTED: type BLIT. GPUCMD_INVALID: no such type
 *   priority  the highest priority is 0 in the drafts, 3 upstream. GPUCMD_RANGE: above 3
 *   sync      GPUCMD_UNSUPPORTED: extensions is not 0
 *   bind      one operation of GEM_BIND; its vm_id is not converted. GPUCMD_INVALID: no such
 *             op. GPUCMD_UNSUPPORTED: extensions is not 0; op is UNBIND_ALL; op is BIND and
 *             a flag is unknown; op is UNBIND and flags is not 0
 *   queue_create  queue_caps is not converted. GPUCMD_UNSUPPORTED: extensions or flags is not
 *             0. GPUCMD_RANGE: priority is above 3
 *   syncs     read both sync arrays of a submission from mem, append the syncs to *upstream.
 *             GPUCMD_FAULT: an array cannot be read. GPUCMD_UNSUPPORTED: extensions of a
 *             sync is not 0. Any other status is that of *upstream */
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_agx_draft_barrier(uint32_t draft, uint32_t *upstream);
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_agx_draft_cmd_type(uint32_t draft, uint32_t *upstream);
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_agx_draft_priority(uint32_t draft, uint32_t *upstream);
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_agx_draft_sync(
    const struct gpucmd_drm_asahi_draft_sync *draft, struct gpucmd_drm_asahi_sync *upstream);
GPUCMD_PRIV_CHECK gpucmd_status
gpucmd_agx_draft_bind(const struct gpucmd_drm_asahi_draft_gem_bind *draft,
                      struct gpucmd_drm_asahi_gem_bind_op *upstream);
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_agx_draft_queue_create(
    const struct gpucmd_drm_asahi_draft_queue_create *draft, uint64_t usc_exec_base,
    struct gpucmd_drm_asahi_queue_create *upstream);
GPUCMD_PRIV_CHECK gpucmd_status gpucmd_agx_draft_syncs(
    gpucmd_mem *mem, const struct gpucmd_drm_asahi_draft_submit *draft, gpucmd_agx_syncs *upstream);
/* gpucmd_agx_draft06_* and _draft11_* convert a payload of draft 10006 or 10011 to an upstream
 * payload, without its attachments. Members that the upstream driver computes are not converted.
 * The source of sample_size_B in 10006 is iogpu_unk_49.
 *   usc_exec_base  member of the upstream queue
 * On failure *upstream is unchanged. GPUCMD_RANGE: a value does not fit in its upstream member.
 * GPUCMD_UNSUPPORTED: upstream cannot express the payload, because
 *   both    extensions, pad or a flag that upstream lacks is not 0; or two of the load, store
 *           and partial buffers (10006: buffers _1, _2, _3) are not 0 and differ
 *   10006   compute: the buffer descriptor or the context switch program is not 0
 *   10011   the vertex and fragment samplers differ; a USC base is not usc_exec_base */
GPUCMD_PRIV_CHECK gpucmd_status
gpucmd_agx_draft06_render(const struct gpucmd_drm_asahi_draft06_cmd_render *draft,
                          struct gpucmd_drm_asahi_cmd_render *upstream);
GPUCMD_PRIV_CHECK gpucmd_status
gpucmd_agx_draft11_render(const struct gpucmd_drm_asahi_draft11_cmd_render *draft,
                          uint64_t usc_exec_base, struct gpucmd_drm_asahi_cmd_render *upstream);
GPUCMD_PRIV_CHECK gpucmd_status
gpucmd_agx_draft06_compute(const struct gpucmd_drm_asahi_draft06_cmd_compute *draft,
                           struct gpucmd_drm_asahi_cmd_compute *upstream);
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

/* ==== [AGX.IMPL.DECODE] ==================================================================== */

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
    return h.cmd_type <= GPUCMD_DRM_ASAHI_SET_COMPUTE_ATTACHMENTS ? GPUCMD_OK : GPUCMD_INVALID;
}

/* Copy a payload to structure idx at dst, of full_bytes bytes, and convert it to CPU byte order.
 * Bytes that the payload lacks become zero. */
static void gpucmd_priv_agx_load_payload(const gpucmd_agx_raw *raw, uint32_t idx, void *dst,
                                         size_t full_bytes)
{
    const size_t have_bytes = raw->avail_bytes < full_bytes ? raw->avail_bytes : full_bytes;
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

/* Fill *f with other = -1 and barrier_at = 0. Return GPUCMD_OK for NONE, else GPUCMD_INVALID. */
static gpucmd_status gpucmd_priv_agx_set_finding(gpucmd_agx_finding *f, gpucmd_agx_rule rule,
                                                 int32_t command, size_t off_bytes)
{
    const gpucmd_agx_finding finding = {rule, command, (uint32_t)off_bytes, -1, '\0'};
    *f = finding;
    return rule == GPUCMD_AGX_RULE_NONE ? GPUCMD_OK : GPUCMD_INVALID;
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
    return n_dw < avail_dw ? n_dw : avail_dw;
}

GPUCMD_PRIV_API void gpucmd_agx_print_stream(gpucmd_text *t, const uint8_t *bytes, size_t len_bytes)
{
    size_t at;
    uint32_t position = 0;
    uint32_t numbers[2] = {0, 0};
    for (at = 0; at < len_bytes; position++) {
        gpucmd_agx_raw raw;
        const gpucmd_status status = gpucmd_agx_decode(bytes + at, len_bytes - at, &raw);
        gpucmd_text_str(t, "0x");
        gpucmd_text_hex(t, at, 4);
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
        if (status == GPUCMD_INVALID) {
            gpucmd_text_str(t, " type ");
            gpucmd_text_dec(t, raw.cmd_type);
        }
        gpucmd_text_str(t, " size ");
        gpucmd_text_dec(t, raw.payload_bytes);
        gpucmd_text_char(t, ' ');
        gpucmd_priv_agx_print_barriers(t, raw.vdm_barrier, raw.cdm_barrier);
        gpucmd_text_str(t, raw.avail_bytes < raw.payload_bytes ? " TRUNCATED payload\n" : "\n");
        gpucmd_priv_agx_print_payload(t, &raw);
        at += raw.len_bytes;
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
    return r->at < r->end ? r->text[r->at] : '\n';
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
    r->at += known ? 1 : 0;
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
    const gpucmd_agx_rule rule =
        !gpucmd_priv_agx_barrier_fits(barriers[0], job->renders)    ? GPUCMD_AGX_RULE_VDM_BARRIER
        : !gpucmd_priv_agx_barrier_fits(barriers[1], job->computes) ? GPUCMD_AGX_RULE_CDM_BARRIER
                                                                    : GPUCMD_AGX_RULE_NONE;
    (void)gpucmd_priv_agx_job_append(job,
                                     letter == 'R'   ? GPUCMD_AGX_KIND_RENDER
                                     : letter == 'C' ? GPUCMD_AGX_KIND_COMPUTE
                                                     : GPUCMD_AGX_KIND_BLIT,
                                     barriers[0], barriers[1]);
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
    finding->rule = GPUCMD_AGX_RULE_NONE;
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
            if (finding->rule == GPUCMD_AGX_RULE_NONE) {
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
    return finding->rule == GPUCMD_AGX_RULE_NONE
               ? gpucmd_priv_agx_set_finding(finding, GPUCMD_AGX_RULE_NONE, -1, 0)
               : GPUCMD_INVALID;
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

/* ---- rules ---- */

GPUCMD_PRIV_TEXT_FUNCTION(gpucmd_agx_rule_name, gpucmd_agx_rule,
                          GPUCMD_AGX_RULES(GPUCMD_PRIV_ROW_NAME))
GPUCMD_PRIV_TEXT_FUNCTION(gpucmd_agx_rule_text, gpucmd_agx_rule,
                          GPUCMD_AGX_RULES(GPUCMD_PRIV_ROW_TEXT_3_4))

GPUCMD_PRIV_API int gpucmd_agx_rule_errno(gpucmd_agx_rule rule)
{
#define GPUCMD_AGX_PRIV_RULE(name, err, text, src) GPUCMD_SYS_##err,
    static const uint16_t errnos[] = {GPUCMD_AGX_RULES(GPUCMD_AGX_PRIV_RULE)};
#undef GPUCMD_AGX_PRIV_RULE
    return (size_t)rule < sizeof errnos / sizeof errnos[0] ? errnos[rule] : 0;
}

GPUCMD_PRIV_TEXT_FUNCTION(gpucmd_agx_ring_name, gpucmd_agx_ring, "compute\0vertex\0fragment\0")

GPUCMD_PRIV_API void gpucmd_agx_print_finding(gpucmd_text *t, const gpucmd_agx_finding *finding)
{
    gpucmd_text_str(t, gpucmd_agx_rule_name(finding->rule));
    if (finding->command >= 0) {
        gpucmd_text_str(t, " at command ");
        gpucmd_text_dec(t, (uint64_t)finding->command);
        gpucmd_text_str(t, ", byte 0x");
        gpucmd_text_hex(t, finding->off_bytes, 1);
    }
    if (finding->other >= 0) {
        gpucmd_text_str(t, ", with command ");
        gpucmd_text_dec(t, (uint64_t)finding->other);
    }
    if (finding->barrier_at != '\0') {
        gpucmd_text_str(t, finding->barrier_at == 'R' ? ", render barrier" : ", compute barrier");
    }
    gpucmd_text_str(t, ": ");
    gpucmd_text_str(t, gpucmd_agx_rule_text(finding->rule));
    if (gpucmd_agx_rule_errno(finding->rule) != 0) {
        gpucmd_text_str(t, " (");
        gpucmd_text_str(t, gpucmd_sys_error_name(gpucmd_agx_rule_errno(finding->rule)));
        gpucmd_text_char(t, ')');
    }
}

/* ---- streams ---- */

/* Check that the payload is complete and that its bytes after the first known_bytes are 0. */
static gpucmd_agx_rule gpucmd_priv_agx_check_payload(const gpucmd_agx_raw *raw, size_t known_bytes)
{
    size_t i;
    uint32_t any = 0;
    if (raw->avail_bytes < raw->payload_bytes) {
        return GPUCMD_AGX_RULE_PAYLOAD_TRUNCATED;
    }
    for (i = known_bytes; i < raw->payload_bytes; i++) {
        any |= raw->payload[i];
    }
    return any != 0 ? GPUCMD_AGX_RULE_PAYLOAD_TAIL : GPUCMD_AGX_RULE_NONE;
}

/* Check the handle and the offset of one timestamp. Handle 0: there is no timestamp. */
static gpucmd_agx_rule gpucmd_priv_agx_check_stamp(const gpucmd_agx_objects *objects,
                                                   const struct gpucmd_drm_asahi_timestamp *stamp)
{
    uint64_t bytes = 0;
    if (stamp->handle == 0 || objects == NULL || objects->timestamp_bytes == NULL) {
        return GPUCMD_AGX_RULE_NONE;
    }
    if (!objects->timestamp_bytes(objects->user, stamp->handle, &bytes)) {
        return GPUCMD_AGX_RULE_TIMESTAMP_UNKNOWN;
    }
    return stamp->offset > 0xffffffffu - GPUCMD_AGX_TIMESTAMP_BYTES
               ? GPUCMD_AGX_RULE_TIMESTAMP_OVERFLOW
           : stamp->offset + GPUCMD_AGX_TIMESTAMP_BYTES > bytes ? GPUCMD_AGX_RULE_TIMESTAMP_RANGE
                                                                : GPUCMD_AGX_RULE_NONE;
}

static gpucmd_agx_rule gpucmd_priv_agx_check_stamp_pair(
    const gpucmd_agx_objects *objects, const struct gpucmd_drm_asahi_timestamps *stamps)
{
    const gpucmd_agx_rule rule = gpucmd_priv_agx_check_stamp(objects, &stamps->start);
    return rule != GPUCMD_AGX_RULE_NONE ? rule : gpucmd_priv_agx_check_stamp(objects, &stamps->end);
}

/* Check a render's payload in this order: it is complete, bytes beyond the structure are zero,
 * flags, width and height, timestamps, other members. Write the timestamps to *taken before they
 * are checked. */
static gpucmd_agx_rule gpucmd_priv_agx_parse_render(const gpucmd_agx_raw *raw,
                                                    const gpucmd_agx_objects *objects,
                                                    gpucmd_agx_taken *taken)
{
    struct gpucmd_drm_asahi_cmd_render c;
    gpucmd_agx_rule rule = gpucmd_priv_agx_check_payload(raw, sizeof c);
    if (rule != GPUCMD_AGX_RULE_NONE) {
        return rule;
    }
    gpucmd_agx_load_render(raw, &c);
    const gpucmd_agx_rule fixed = gpucmd_agx_check_render(&c);
    if (fixed == GPUCMD_AGX_RULE_RENDER_FLAGS || fixed == GPUCMD_AGX_RULE_RENDER_SIZE) {
        return fixed;
    }
    taken->stamps[0] = c.ts_vtx;
    taken->stamps[1] = c.ts_frag;
    rule = gpucmd_priv_agx_check_stamp_pair(objects, &c.ts_vtx);
    rule =
        rule != GPUCMD_AGX_RULE_NONE ? rule : gpucmd_priv_agx_check_stamp_pair(objects, &c.ts_frag);
    return rule != GPUCMD_AGX_RULE_NONE ? rule : fixed;
}

static gpucmd_agx_rule gpucmd_priv_agx_parse_compute(const gpucmd_agx_raw *raw,
                                                     const gpucmd_agx_objects *objects,
                                                     gpucmd_agx_taken *taken)
{
    struct gpucmd_drm_asahi_cmd_compute c;
    const gpucmd_agx_rule rule = gpucmd_priv_agx_check_payload(raw, sizeof c);
    if (rule != GPUCMD_AGX_RULE_NONE) {
        return rule;
    }
    gpucmd_agx_load_compute(raw, &c);
    taken->stamps[0] = c.ts;
    return c.flags != 0 ? GPUCMD_AGX_RULE_COMPUTE_FLAGS
                        : gpucmd_priv_agx_check_stamp_pair(objects, &c.ts);
}

static gpucmd_agx_rule gpucmd_priv_agx_parse_attachments(const gpucmd_agx_raw *raw)
{
    uint32_t i;
    const uint32_t each_bytes = (uint32_t)sizeof(struct gpucmd_drm_asahi_attachment);
    const gpucmd_agx_rule rule = raw->payload_bytes >= (GPUCMD_AGX_MAX_ATTACHMENTS + 1) * each_bytes
                                     ? GPUCMD_AGX_RULE_ATTACHMENT_COUNT
                                 : gpucmd_priv_rem((uint32_t)raw->payload_bytes, each_bytes) != 0
                                     ? GPUCMD_AGX_RULE_ATTACHMENT_LENGTH
                                 : raw->avail_bytes < raw->payload_bytes
                                     ? GPUCMD_AGX_RULE_PAYLOAD_TRUNCATED
                                     : GPUCMD_AGX_RULE_NONE;
    if (rule != GPUCMD_AGX_RULE_NONE) {
        return rule;
    }
    for (i = 0; i < raw->payload_bytes; i += each_bytes) {
        struct gpucmd_drm_asahi_attachment a;
        GPUCMD_AGX_PRIV_CONVERT(attachment, &a, raw->payload + i);
        if ((a.pad | a.flags) != 0 || a.size > GPUCMD_AGX_MAX_ATTACH_BYTES) {
            return (a.pad | a.flags) != 0 ? GPUCMD_AGX_RULE_ATTACHMENT_PAD
                                          : GPUCMD_AGX_RULE_ATTACHMENT_BYTES;
        }
    }
    return GPUCMD_AGX_RULE_NONE;
}

/* Check a command in the driver's order: barriers, type, payload. renders and
 * computes are the numbers of earlier commands of each kind. */
static gpucmd_agx_rule gpucmd_priv_agx_parse_command(const gpucmd_agx_raw *raw, uint32_t renders,
                                                     uint32_t computes,
                                                     const gpucmd_agx_objects *objects,
                                                     gpucmd_agx_taken *taken)
{
    const bool software = raw->cmd_type >= GPUCMD_DRM_ASAHI_SET_VERTEX_ATTACHMENTS &&
                          raw->cmd_type <= GPUCMD_DRM_ASAHI_SET_COMPUTE_ATTACHMENTS;
    if (software && (raw->vdm_barrier & raw->cdm_barrier) != GPUCMD_DRM_ASAHI_BARRIER_NONE) {
        return GPUCMD_AGX_RULE_SOFTWARE_BARRIER;
    }
    return !gpucmd_priv_agx_barrier_fits(raw->vdm_barrier, renders)    ? GPUCMD_AGX_RULE_VDM_BARRIER
           : !gpucmd_priv_agx_barrier_fits(raw->cdm_barrier, computes) ? GPUCMD_AGX_RULE_CDM_BARRIER
           : software ? gpucmd_priv_agx_parse_attachments(raw)
           : raw->cmd_type == GPUCMD_DRM_ASAHI_CMD_RENDER
               ? gpucmd_priv_agx_parse_render(raw, objects, taken)
           : raw->cmd_type == GPUCMD_DRM_ASAHI_CMD_COMPUTE
               ? gpucmd_priv_agx_parse_compute(raw, objects, taken)
               : GPUCMD_AGX_RULE_COMMAND_UNKNOWN;
}

/* As gpucmd_agx_parse_stream, but also write the timestamps of hardware command i (from 0) to
 * taken[i]; taken may be NULL. The driver reads the stream twice, first to check headers and the
 * number of commands. This function reads it once. If a header or the number of commands is wrong,
 * this finding replaces an earlier finding. */
static gpucmd_status gpucmd_priv_agx_parse(const uint8_t *bytes, size_t len_bytes,
                                           const gpucmd_agx_objects *objects, gpucmd_agx_job *job,
                                           gpucmd_agx_taken *taken, gpucmd_agx_finding *finding)
{
    size_t at = 0;
    uint32_t renders = 0, computes = 0, hardware = 0;
    int32_t position;
    (void)gpucmd_priv_agx_set_finding(finding, GPUCMD_AGX_RULE_NONE, -1, 0);
    if (job != NULL) {
        gpucmd_agx_job_init(job);
    }
    for (position = 0; at < len_bytes; position++) {
        gpucmd_agx_raw raw;
        gpucmd_agx_taken t;
        const gpucmd_status status = gpucmd_agx_decode(bytes + at, len_bytes - at, &raw);
        if (status == GPUCMD_TRUNCATED && raw.payload == NULL) {
            return gpucmd_priv_agx_set_finding(finding, GPUCMD_AGX_RULE_HEADER_TRUNCATED, position,
                                               at);
        }
        hardware += raw.cmd_type <= GPUCMD_DRM_ASAHI_CMD_COMPUTE ? 1 : 0;
        if (finding->rule == GPUCMD_AGX_RULE_NONE && hardware <= GPUCMD_AGX_MAX_COMMANDS) {
            gpucmd_priv_zero(&t, sizeof t);
            const gpucmd_agx_rule rule =
                gpucmd_priv_agx_parse_command(&raw, renders, computes, objects, &t);
            if (rule != GPUCMD_AGX_RULE_NONE) {
                (void)gpucmd_priv_agx_set_finding(finding, rule, position, at);
            } else if (raw.cmd_type <= GPUCMD_DRM_ASAHI_CMD_COMPUTE) {
                const bool compute = raw.cmd_type == GPUCMD_DRM_ASAHI_CMD_COMPUTE;
                renders += compute ? 0 : 1;
                computes += compute ? 1 : 0;
                if (taken != NULL) {
                    taken[hardware - 1] = t;
                }
                if (job != NULL) {
                    gpucmd_agx_command *c = gpucmd_priv_agx_job_append(
                        job, compute ? GPUCMD_AGX_KIND_COMPUTE : GPUCMD_AGX_KIND_RENDER,
                        raw.vdm_barrier, raw.cdm_barrier);
                    c->position = (uint32_t)position;
                    c->off_bytes = (uint32_t)at;
                }
            }
        }
        at += raw.len_bytes;
    }
    return hardware - 1 < GPUCMD_AGX_MAX_COMMANDS
               ? finding->rule == GPUCMD_AGX_RULE_NONE ? GPUCMD_OK : GPUCMD_INVALID
               : gpucmd_priv_agx_set_finding(finding, GPUCMD_AGX_RULE_COMMAND_COUNT, -1, 0);
}

GPUCMD_PRIV_API gpucmd_status gpucmd_agx_parse_stream(const uint8_t *bytes, size_t len_bytes,
                                                      const gpucmd_agx_objects *objects,
                                                      gpucmd_agx_job *job,
                                                      gpucmd_agx_finding *finding)
{
    return gpucmd_priv_agx_parse(bytes, len_bytes, objects, job, NULL, finding);
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
    return c->kind == GPUCMD_AGX_KIND_COMPUTE  ? GPUCMD_AGX_RING_COMPUTE
           : c->kind == GPUCMD_AGX_KIND_RENDER ? GPUCMD_AGX_RING_VERTEX
                                               : GPUCMD_AGX_RING_FRAGMENT;
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

GPUCMD_PRIV_API void gpucmd_agx_order_init(gpucmd_agx_order *order, const gpucmd_agx_job *job,
                                           uint32_t prior, int32_t without,
                                           gpucmd_agx_ring without_part)
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

GPUCMD_PRIV_API bool gpucmd_agx_ordered(const gpucmd_agx_order *order, const gpucmd_agx_job *job,
                                        uint32_t first, gpucmd_agx_ring first_part, uint32_t second,
                                        gpucmd_agx_ring second_part)
{
    const gpucmd_agx_clock *before =
        &order->before[second][second_part == GPUCMD_AGX_RING_FRAGMENT ? 1 : 0];
    return before->ended[first_part] > job->commands[first].number;
}

/* ---- jobs ---- */

/* Pass a finding about command idx to in->fn. other is the index of a second command, or -1. */
static void gpucmd_priv_agx_report(const gpucmd_agx_check_input *in, gpucmd_agx_rule rule,
                                   uint32_t idx, int32_t other, char barrier_at)
{
    const gpucmd_agx_command *c = &in->job->commands[idx];
    const gpucmd_agx_finding f = {rule, (int32_t)c->position, c->off_bytes,
                                  other < 0 ? -1 : (int32_t)in->job->commands[other].position,
                                  barrier_at};
    if (in->fn != NULL) {
        in->fn(in->user, &f);
    }
}

/* Return true if two accesses need an order and have none: a is in an earlier command than b,
 * both ranges overlap, a or b writes, and no barrier and no firmware queue orders a before b. */
static bool gpucmd_priv_agx_hazard(const gpucmd_agx_job *job, const gpucmd_agx_order *order,
                                   const gpucmd_agx_access *a, const gpucmd_agx_access *b)
{
    return a->command < b->command && b->command < job->count && (a->writes || b->writes) &&
           a->bytes != 0 && b->bytes != 0 &&
           (a->va < b->va ? b->va - a->va < a->bytes : a->va - b->va < b->bytes) &&
           !gpucmd_agx_ordered(order, job, a->command, a->part, b->command, b->part);
}

/* Count the pairs of accesses that need an order and have none; report each if report is true. */
static uint32_t gpucmd_priv_agx_hazards(const gpucmd_agx_check_input *in,
                                        const gpucmd_agx_order *order, bool report)
{
    uint32_t i, k, found = 0;
    for (i = 0; i < in->access_count; i++) {
        for (k = 0; k < in->access_count; k++) {
            const gpucmd_agx_access *a = &in->accesses[i];
            const gpucmd_agx_access *b = &in->accesses[k];
            if (gpucmd_priv_agx_hazard(in->job, order, a, b)) {
                found++;
                if (report) {
                    gpucmd_priv_agx_report(in, GPUCMD_AGX_RULE_CHECK_MISSING, b->command,
                                           (int32_t)a->command, '\0');
                }
            }
        }
    }
    return found;
}

/* Report barriers of command idx that have no effect. out holds the n entries of the
 * command; computes is the number of earlier computes. Return the number of findings. */
static uint32_t gpucmd_priv_agx_check_waits(const gpucmd_agx_check_input *in, uint32_t idx,
                                            const gpucmd_agx_entry *out, uint32_t n,
                                            uint32_t computes)
{
    const gpucmd_agx_command *c = &in->job->commands[idx];
    uint32_t k, found = 0;
    if (c->render_barrier == 0 && (in->prior & GPUCMD_AGX_PRIOR_RENDER) == 0) {
        gpucmd_priv_agx_report(in, GPUCMD_AGX_RULE_CHECK_NO_PRIOR, idx, -1, 'R');
        found++;
    }
    if (c->compute_barrier == 0 && (in->prior & GPUCMD_AGX_PRIOR_COMPUTE) == 0) {
        gpucmd_priv_agx_report(in, GPUCMD_AGX_RULE_CHECK_NO_PRIOR, idx, -1, 'C');
        found++;
    }
    for (k = 0; k < n; k++) {
        if (out[k].redundant) {
            const bool own = out[k].ring == GPUCMD_AGX_RING_COMPUTE &&
                             out[k].target == GPUCMD_AGX_RING_COMPUTE && out[k].number == computes;
            gpucmd_priv_agx_report(
                in, own ? GPUCMD_AGX_RULE_CHECK_OWN_COMPUTE : GPUCMD_AGX_RULE_CHECK_IMPLIED, idx,
                -1, out[k].target == GPUCMD_AGX_RING_COMPUTE ? 'C' : 'R');
            found++;
        }
    }
    return found;
}

/* Report each barrier of command idx that can be removed without leaving a
 * declared access unordered. Skip barriers of index 0 and redundant barriers.
 * order is scratch memory. Return the number of findings. */
static uint32_t gpucmd_priv_agx_check_accidents(const gpucmd_agx_check_input *in, uint32_t idx,
                                                const gpucmd_agx_entry *out, uint32_t n,
                                                gpucmd_agx_order *order)
{
    uint32_t k, found = 0;
    for (k = 0; k < n; k++) {
        if (out[k].op != GPUCMD_AGX_OP_WAIT || out[k].implicit || out[k].redundant ||
            out[k].number == 0) {
            continue;
        }
        gpucmd_agx_order_init(order, in->job, in->prior, (int32_t)idx,
                              out[k].target == GPUCMD_AGX_RING_COMPUTE ? GPUCMD_AGX_RING_COMPUTE
                                                                       : GPUCMD_AGX_RING_VERTEX);
        if (gpucmd_priv_agx_hazards(in, order, false) == 0) {
            gpucmd_priv_agx_report(in, GPUCMD_AGX_RULE_CHECK_ACCIDENT, idx, -1,
                                   out[k].target == GPUCMD_AGX_RING_COMPUTE ? 'C' : 'R');
            found++;
        }
    }
    return found;
}

GPUCMD_PRIV_API uint32_t gpucmd_agx_check(const gpucmd_agx_check_input *in, gpucmd_agx_order *order)
{
    const gpucmd_agx_job *job = in->job;
    gpucmd_agx_lowering l;
    uint32_t i, found = 0;
    if (job->count == 1 && job->commands[0].render_barrier == 0 &&
        job->commands[0].compute_barrier == 0) {
        gpucmd_priv_agx_report(in, GPUCMD_AGX_RULE_CHECK_ALONE, 0, -1, '\0');
        found++;
    }
    if (in->access_count != 0) {
        gpucmd_agx_order_init(order, job, in->prior, -1, GPUCMD_AGX_RING_COMPUTE);
        found += gpucmd_priv_agx_hazards(in, order, true);
    }
    gpucmd_agx_lowering_init(&l, in->prior);
    for (i = 0; i < job->count; i++) {
        gpucmd_agx_entry out[GPUCMD_AGX_COMMAND_ENTRIES];
        const uint32_t computes = l.computes;
        if (job->commands[i].kind == GPUCMD_AGX_KIND_BLIT) {
            gpucmd_priv_agx_report(in, GPUCMD_AGX_RULE_CHECK_BLIT, i, -1, '\0');
            found++;
        }
        const uint32_t n = gpucmd_agx_lower_command(&l, &job->commands[i], i, out);
        found += gpucmd_priv_agx_check_waits(in, i, out, n, computes);
        if (in->access_count != 0) {
            found += gpucmd_priv_agx_check_accidents(in, i, out, n, order);
        }
    }
    return found;
}

/* Report timestamp offsets that are not multiples of 8. Return the number of findings. */
static uint32_t gpucmd_priv_agx_check_stamp_aligns(const struct gpucmd_drm_asahi_timestamps *stamps,
                                                   gpucmd_agx_finding *f, gpucmd_agx_finding_fn fn,
                                                   void *user)
{
    const struct gpucmd_drm_asahi_timestamp both[2] = {stamps->start, stamps->end};
    uint32_t i, found = 0;
    f->rule = GPUCMD_AGX_RULE_CHECK_STAMP_ALIGN;
    for (i = 0; i < 2; i++) {
        if (both[i].handle != 0 && both[i].offset % GPUCMD_AGX_TIMESTAMP_BYTES != 0) {
            if (fn != NULL) {
                fn(user, f);
            }
            found++;
        }
    }
    return found;
}

GPUCMD_PRIV_API uint32_t gpucmd_agx_check_stream(const uint8_t *bytes, size_t len_bytes,
                                                 gpucmd_agx_finding_fn fn, void *user)
{
    size_t at;
    gpucmd_agx_finding f;
    gpucmd_agx_raw raw;
    uint32_t found = 0;
    f.command = 0;
    f.other = -1;
    f.barrier_at = '\0';
    for (at = 0; at < len_bytes; at += raw.len_bytes, f.command++) {
        if (gpucmd_agx_decode(bytes + at, len_bytes - at, &raw) != GPUCMD_OK) {
            continue;
        }
        f.off_bytes = (uint32_t)at;
        if (raw.cmd_type == GPUCMD_DRM_ASAHI_CMD_RENDER) {
            struct gpucmd_drm_asahi_cmd_render c;
            gpucmd_agx_load_render(&raw, &c);
            found += gpucmd_priv_agx_check_stamp_aligns(&c.ts_vtx, &f, fn, user);
            found += gpucmd_priv_agx_check_stamp_aligns(&c.ts_frag, &f, fn, user);
        } else if (raw.cmd_type == GPUCMD_DRM_ASAHI_CMD_COMPUTE) {
            struct gpucmd_drm_asahi_cmd_compute c;
            gpucmd_agx_load_compute(&raw, &c);
            found += gpucmd_priv_agx_check_stamp_aligns(&c.ts, &f, fn, user);
        }
    }
    return found;
}

/* ==== [AGX.IMPL.EXEC] ====================================================================== */

/* ---- one job over time ---- */

/* Write the operation of RUN entry e to *s and return s. An end above 2^64 - 1 becomes 2^64 - 1. */
static gpucmd_agx_span *gpucmd_priv_agx_span(gpucmd_agx_span *s, const gpucmd_agx_entry *e,
                                             uint64_t start, const gpucmd_agx_durations *durations)
{
    const gpucmd_agx_ring part = (gpucmd_agx_ring)e->ring;
    const uint64_t duration = durations->each != NULL
                                  ? durations->each(durations->user, e->command, part)
                                  : durations->ring[part];
    const gpucmd_agx_span span = {
        start,      start + duration < start ? ~(uint64_t)0 : start + duration,
        0,          0,
        e->ring,    e->number,
        e->command, e->blit};
    *s = span;
    return s;
}

GPUCMD_PRIV_API uint32_t gpucmd_agx_schedule(const gpucmd_agx_job *job,
                                             const uint64_t prior_end[GPUCMD_AGX_RINGS],
                                             const gpucmd_agx_durations *durations,
                                             gpucmd_agx_span *spans)
{
    static const uint64_t none[GPUCMD_AGX_RINGS] = {0, 0, 0};
    const uint64_t *prior = prior_end != NULL ? prior_end : none;
    uint64_t clock[GPUCMD_AGX_RINGS];
    uint8_t span_of[GPUCMD_AGX_RINGS][GPUCMD_AGX_MAX_COMMANDS + 1];
    gpucmd_agx_lowering l;
    uint32_t i, k, n = 0;
    gpucmd_agx_lowering_init(&l, prior_end != NULL ? GPUCMD_AGX_PRIOR_BOTH : GPUCMD_AGX_PRIOR_NONE);
    for (i = 0; i < GPUCMD_AGX_RINGS; i++) {
        clock[i] = prior[i];
    }
    for (i = 0; i < job->count; i++) {
        gpucmd_agx_entry out[GPUCMD_AGX_COMMAND_ENTRIES];
        const uint32_t got = gpucmd_agx_lower_command(&l, &job->commands[i], i, out);
        for (k = 0; k < got; k++) {
            const gpucmd_agx_entry *e = &out[k];
            if (e->op == GPUCMD_AGX_OP_WAIT) {
                const uint64_t end =
                    e->number == 0 ? prior[e->target] : spans[span_of[e->target][e->number]].end;
                clock[e->ring] = clock[e->ring] > end ? clock[e->ring] : end;
            } else {
                span_of[e->ring][e->number] = (uint8_t)n;
                clock[e->ring] =
                    gpucmd_priv_agx_span(&spans[n++], e, clock[e->ring], durations)->end;
            }
        }
    }
    return n;
}

/* ---- pictures ---- */

/* Print the name of an operation: "C1", "R2v", "B3f". */
static void gpucmd_priv_agx_print_operation(gpucmd_text *t, uint32_t ring, bool blit,
                                            uint32_t number)
{
    gpucmd_text_char(t, ring == GPUCMD_AGX_RING_COMPUTE ? 'C' : blit ? 'B' : 'R');
    gpucmd_text_dec(t, number);
    if (ring != GPUCMD_AGX_RING_COMPUTE) {
        gpucmd_text_char(t, ring == GPUCMD_AGX_RING_VERTEX ? 'v' : 'f');
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
    gpucmd_text_char(t, compute ? 'C' : gpucmd_priv_agx_is_blit(l, number) ? 'B' : 'R');
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

GPUCMD_PRIV_API void gpucmd_agx_print_dot(gpucmd_text *t, const gpucmd_agx_job *job, uint32_t prior)
{
    uint32_t i, k, side;
    /* strongest[q][s]: 1 + highest boundary index that a command in firmware queue q has waited
     * for; s = 0: of renders, s = 1: of computes. 0: no command has waited */
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
        const uint32_t ring = out[0].ring;
        bool named[2] = {false, false};
        for (k = 0; k < n; k++) {
            if (out[k].op == GPUCMD_AGX_OP_WAIT && !out[k].implicit) {
                const uint32_t target = out[k].target == GPUCMD_AGX_RING_COMPUTE ? 1 : 0;
                gpucmd_priv_agx_dot_arrow(t, &l, target != 0, out[k].number, c, "");
                named[target] = true;
                if (strongest[ring][target] <= out[k].number) {
                    strongest[ring][target] = out[k].number + 1u;
                }
            }
        }
        for (side = 0; side < 2; side++) {
            if (!named[side] && strongest[ring][side] != 0) {
                gpucmd_priv_agx_dot_arrow(t, &l, side != 0, strongest[ring][side] - 1, c,
                                          " [style=dashed]");
            }
        }
        if (c->number > 1) {
            const uint32_t barrier_at = compute ? c->compute_barrier : c->render_barrier;
            if (barrier_at != c->number - 1u) {
                gpucmd_priv_agx_dot_arrow(t, &l, compute, c->number - 1u, c,
                                          " [style=dotted, arrowhead=open]");
            }
        } else {
            gpucmd_text_str(t, "    \"");
            gpucmd_priv_agx_print_command(t, c);
            gpucmd_text_str(t, "\";\n");
        }
    }
    gpucmd_text_str(t, "}\n");
}

/* Advance *row to the next row that has a span; set *row to 0 before the first call.
 * A row is (user queue << 2 | firmware queue) + 1. Return false if no row remains. */
static bool gpucmd_priv_agx_next_row(const gpucmd_agx_span *spans, uint32_t count, uint64_t *row)
{
    uint32_t i;
    uint64_t best = ~(uint64_t)0;
    for (i = 0; i < count; i++) {
        const uint64_t key = ((uint64_t)spans[i].queue << 2 | spans[i].ring) + 1;
        best = key > *row && key < best ? key : best;
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
    *from = count != 0 ? ~(uint64_t)0 : 0;
    for (i = 0; i < count; i++) {
        *from = spans[i].start < *from ? spans[i].start : *from;
        to = spans[i].end > to ? spans[i].end : to;
    }
    return to > *from ? to - *from : 0;
}

static bool gpucmd_priv_agx_in_row(const gpucmd_agx_span *s, uint64_t row)
{
    return ((uint64_t)s->queue << 2 | s->ring) + 1 == row;
}

/* Return the number of characters in the name of a span. */
static uint32_t gpucmd_priv_agx_name_bytes(const gpucmd_agx_span *s)
{
    return (s->ring == GPUCMD_AGX_RING_COMPUTE ? 1u : 2u) + (s->number > 99  ? 3u
                                                             : s->number > 9 ? 2u
                                                                             : 1u);
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
            return column - first < text.len_bytes ? name[column - first] : '=';
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
    p->length = extent != 0 ? extent : 1;
    p->rows = 0;
    while (gpucmd_priv_agx_next_row(spans, count, &row)) {
        p->rows++;
    }
    for (i = 0; i < count; i++) {
        const uint64_t duration = spans[i].end - spans[i].start;
        shortest = duration != 0 && duration < shortest ? duration : shortest;
    }
    const uint64_t boxes = gpucmd_priv_agx_divide(p->length, shortest, &rest) + (rest != 0 ? 1 : 0);
    p->width = boxes > 10 * least / name ? (uint64_t)10 * least : (uint32_t)boxes * name;
    p->width = p->width < least ? least : p->width;
    p->label = 0;
    for (last = p->from + p->length; last != 0 || p->label < 40;) {
        last = gpucmd_priv_agx_divide(last, 10, &rest);
        p->label += 8;
    }
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
    gpucmd_text_str(t, s->ring == GPUCMD_AGX_RING_COMPUTE  ? "#9ecae1"
                       : s->ring == GPUCMD_AGX_RING_VERTEX ? "#a1d99b"
                                                           : "#fdae6b");
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
        step += i == 1 ? step + step / 2 : step;
        i = i == 2 ? 0 : i + 1;
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

GPUCMD_PRIV_API void gpucmd_agx_maps_init(gpucmd_agx_maps *maps, gpucmd_agx_map *nodes,
                                          uint32_t cap)
{
    const gpucmd_agx_maps empty = {nodes, cap, 0, GPUCMD_AGX_NO_NODE, 0};
    *maps = empty;
}

GPUCMD_PRIV_API void gpucmd_agx_space_init(gpucmd_agx_space *space)
{
    space->root = GPUCMD_AGX_NO_NODE;
}

/* Copy *values to a free row and return the row. The table must have a free row. */
static uint32_t gpucmd_priv_agx_map_new(gpucmd_agx_maps *maps, const gpucmd_agx_map *values)
{
    uint32_t node = maps->free;
    if (node != GPUCMD_AGX_NO_NODE) {
        maps->free = maps->nodes[node].child[0];
    } else {
        node = maps->used++;
    }
    maps->count++;
    maps->nodes[node] = *values;
    maps->nodes[node].child[0] = GPUCMD_AGX_NO_NODE;
    maps->nodes[node].child[1] = GPUCMD_AGX_NO_NODE;
    maps->nodes[node].height = 1;
    return node;
}

/* The mappings of a space form a binary search tree by address. The heights of two siblings differ
 * by at most 1, so that a tree of 2^32 rows has a height below GPUCMD_PRIV_AGX_HEIGHT. */
enum { GPUCMD_PRIV_AGX_HEIGHT = 48 };

static uint32_t gpucmd_priv_agx_height(const gpucmd_agx_maps *maps, uint32_t tree)
{
    return tree == GPUCMD_AGX_NO_NODE ? 0 : maps->nodes[tree].height;
}

/* Compute the height of row `tree` from the heights of its children. */
static void gpucmd_priv_agx_measure(gpucmd_agx_maps *maps, uint32_t tree)
{
    gpucmd_agx_map *n = &maps->nodes[tree];
    const uint32_t low = gpucmd_priv_agx_height(maps, n->child[0]);
    const uint32_t high = gpucmd_priv_agx_height(maps, n->child[1]);
    n->height = (low > high ? low : high) + 1;
}

/* Rotate *tree, so that its child[side] becomes the root. */
static void gpucmd_priv_agx_rotate(gpucmd_agx_maps *maps, uint32_t *tree, uint32_t side)
{
    const uint32_t old = *tree;
    const uint32_t top = maps->nodes[old].child[side];
    maps->nodes[old].child[side] = maps->nodes[top].child[1 - side];
    maps->nodes[top].child[1 - side] = old;
    gpucmd_priv_agx_measure(maps, old);
    gpucmd_priv_agx_measure(maps, top);
    *tree = top;
}

/* Balance the trees that path[0] to path[depth] point to, the deepest first. */
static void gpucmd_priv_agx_balance(gpucmd_agx_maps *maps, uint32_t *const *path, uint32_t depth)
{
    uint32_t i;
    for (i = depth + 1; i-- > 0;) {
        if (*path[i] != GPUCMD_AGX_NO_NODE) {
            gpucmd_agx_map *n = &maps->nodes[*path[i]];
            const uint32_t low = gpucmd_priv_agx_height(maps, n->child[0]);
            const uint32_t high = gpucmd_priv_agx_height(maps, n->child[1]);
            gpucmd_priv_agx_measure(maps, *path[i]);
            if (low > high + 1 || high > low + 1) {
                const uint32_t side = high > low ? 1 : 0;
                const gpucmd_agx_map *c = &maps->nodes[n->child[side]];
                if (gpucmd_priv_agx_height(maps, c->child[1 - side]) >
                    gpucmd_priv_agx_height(maps, c->child[side])) {
                    gpucmd_priv_agx_rotate(maps, &n->child[side], 1 - side);
                }
                gpucmd_priv_agx_rotate(maps, path[i], side);
            }
        }
    }
}

/* Find the mapping that starts at va. Write to path the addresses of the links (members
 * root and child) from the root to the mapping. If no mapping starts at va, the last
 * link is the empty link for such a mapping. Return the index of the last address. */
static uint32_t gpucmd_priv_agx_path(gpucmd_agx_maps *maps, gpucmd_agx_space *space, uint64_t va,
                                     uint32_t **path)
{
    uint32_t depth = 0;
    path[0] = &space->root;
    while (*path[depth] != GPUCMD_AGX_NO_NODE && maps->nodes[*path[depth]].va != va) {
        gpucmd_agx_map *n = &maps->nodes[*path[depth]];
        path[++depth] = &n->child[va > n->va ? 1 : 0];
    }
    return depth;
}

/* Add a mapping to a space. The table must have a free row. Return the mapping. */
static gpucmd_agx_map *gpucmd_priv_agx_insert(gpucmd_agx_maps *maps, gpucmd_agx_space *space,
                                              const gpucmd_agx_map *values)
{
    uint32_t *path[GPUCMD_PRIV_AGX_HEIGHT];
    const uint32_t depth = gpucmd_priv_agx_path(maps, space, values->va, path);
    const uint32_t node = gpucmd_priv_agx_map_new(maps, values);
    *path[depth] = node;
    gpucmd_priv_agx_balance(maps, path, depth);
    return &maps->nodes[node];
}

/* Remove the mapping that starts at va, which must exist. If the mapping has two children,
 * copy the next mapping to its row, and free the old row of the next mapping. */
static void gpucmd_priv_agx_remove(gpucmd_agx_maps *maps, gpucmd_agx_space *space, uint64_t va)
{
    uint32_t *path[GPUCMD_PRIV_AGX_HEIGHT];
    uint32_t depth = gpucmd_priv_agx_path(maps, space, va, path);
    gpucmd_agx_map *n = &maps->nodes[*path[depth]];
    if (n->child[0] != GPUCMD_AGX_NO_NODE && n->child[1] != GPUCMD_AGX_NO_NODE) {
        const gpucmd_agx_map old = *n;
        path[++depth] = &n->child[1];
        while (maps->nodes[*path[depth]].child[0] != GPUCMD_AGX_NO_NODE) {
            path[depth + 1] = &maps->nodes[*path[depth]].child[0];
            depth++;
        }
        *n = maps->nodes[*path[depth]];
        n->child[0] = old.child[0];
        n->child[1] = old.child[1];
        n = &maps->nodes[*path[depth]];
    }
    const uint32_t node = *path[depth];
    *path[depth] = n->child[n->child[0] == GPUCMD_AGX_NO_NODE ? 1 : 0];
    n->child[0] = maps->free;
    maps->free = node;
    maps->count--;
    gpucmd_priv_agx_balance(maps, path, depth);
}

/* Free all rows of a tree, lowest address first. Rotations bring the lowest row to the root. */
static void gpucmd_priv_agx_map_free(gpucmd_agx_maps *maps, uint32_t tree)
{
    while (tree != GPUCMD_AGX_NO_NODE) {
        gpucmd_agx_map *n = &maps->nodes[tree];
        const uint32_t low = n->child[0];
        if (low != GPUCMD_AGX_NO_NODE) {
            n->child[0] = maps->nodes[low].child[1];
            maps->nodes[low].child[1] = tree;
            tree = low;
        } else {
            const uint32_t next = n->child[1];
            n->child[0] = maps->free;
            maps->free = tree;
            maps->count--;
            tree = next;
        }
    }
}

/* Remove the part of a mapping below va. */
static void gpucmd_priv_agx_raise(gpucmd_agx_map *n, uint64_t va)
{
    if ((n->flags & GPUCMD_DRM_ASAHI_BIND_SINGLE_PAGE) == 0) {
        n->offset += va - n->va;
    }
    n->bytes -= va - n->va;
    n->va = va;
}

GPUCMD_PRIV_API const gpucmd_agx_map *gpucmd_agx_space_find(const gpucmd_agx_maps *maps,
                                                            const gpucmd_agx_space *space,
                                                            uint64_t va)
{
    const gpucmd_agx_map *best = NULL;
    uint32_t tree = space->root;
    while (tree != GPUCMD_AGX_NO_NODE) { /* find the lowest mapping that ends after va */
        const gpucmd_agx_map *n = &maps->nodes[tree];
        if (n->va + (n->bytes - 1) >= va) {
            best = n;
            tree = n->child[0];
        } else {
            tree = n->child[1];
        }
    }
    return best;
}

/* Return the mapping that contains va. If there is none, return the first one after va, or NULL. */
static gpucmd_agx_map *gpucmd_priv_agx_at(gpucmd_agx_maps *maps, const gpucmd_agx_space *space,
                                          uint64_t va)
{
    const gpucmd_agx_map *n = gpucmd_agx_space_find(maps, space, va);
    return n != NULL ? &maps->nodes[n - maps->nodes] : NULL;
}

/* Unmap a range. If one mapping exceeds the range on both sides, the table must have a free row. */
static void gpucmd_priv_agx_cut(gpucmd_agx_maps *maps, gpucmd_agx_space *space, uint64_t va,
                                uint64_t bytes)
{
    const uint64_t end = va + bytes;
    gpucmd_agx_map *n = gpucmd_priv_agx_at(maps, space, va);
    if (n != NULL && n->va < va) {
        gpucmd_agx_map rest = *n;
        n->bytes = va - n->va;
        if (rest.va + rest.bytes > end) {
            gpucmd_priv_agx_raise(&rest, end);
            (void)gpucmd_priv_agx_insert(maps, space, &rest);
        }
        n = gpucmd_priv_agx_at(maps, space, va);
    }
    while (n != NULL && n->va < end) {
        if (n->va + n->bytes > end) {
            gpucmd_priv_agx_raise(n, end);
        } else {
            gpucmd_priv_agx_remove(maps, space, n->va);
        }
        n = gpucmd_priv_agx_at(maps, space, va);
    }
}

/* Return true if mapping b continues mapping a: b starts where a ends, has the
 * same object and rights, and contiguous memory or the same single page. */
static bool gpucmd_priv_agx_continues(const gpucmd_agx_map *a, const gpucmd_agx_map *b)
{
    const bool single = (a->flags & GPUCMD_DRM_ASAHI_BIND_SINGLE_PAGE) != 0;
    return a->va + a->bytes == b->va && a->handle == b->handle && a->flags == b->flags &&
           b->offset == (single ? a->offset : a->offset + a->bytes);
}

GPUCMD_PRIV_API gpucmd_status gpucmd_agx_space_bind(gpucmd_agx_maps *maps, gpucmd_agx_space *space,
                                                    const gpucmd_agx_map *map)
{
    if (maps->cap - maps->count < 2) {
        return GPUCMD_FULL;
    }
    gpucmd_priv_agx_cut(maps, space, map->va, map->bytes);
    gpucmd_agx_map *node = gpucmd_priv_agx_at(maps, space, map->va - 1);
    if (node != NULL && gpucmd_priv_agx_continues(node, map)) {
        node->bytes += map->bytes;
    } else {
        node = gpucmd_priv_agx_insert(maps, space, map);
    }
    const gpucmd_agx_map *next = gpucmd_priv_agx_at(maps, space, map->va + map->bytes);
    if (next != NULL && gpucmd_priv_agx_continues(node, next)) {
        node->bytes += next->bytes;
        gpucmd_priv_agx_remove(maps, space, next->va);
    }
    return GPUCMD_OK;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_agx_space_unbind(gpucmd_agx_maps *maps,
                                                      gpucmd_agx_space *space, uint64_t va,
                                                      uint64_t bytes)
{
    const gpucmd_agx_map *n = gpucmd_agx_space_find(maps, space, va);
    if (maps->count == maps->cap && n != NULL && n->va < va && n->va + n->bytes > va + bytes) {
        return GPUCMD_FULL; /* the part of mapping n after the range needs a row */
    }
    gpucmd_priv_agx_cut(maps, space, va, bytes);
    return GPUCMD_OK;
}

GPUCMD_PRIV_API gpucmd_agx_fault gpucmd_agx_space_translate(const gpucmd_agx_maps *maps,
                                                            const gpucmd_agx_space *space,
                                                            uint64_t va, uint32_t access_mask,
                                                            uint32_t *handle, uint64_t *offset)
{
    const gpucmd_agx_map *n = gpucmd_agx_space_find(maps, space, va);
    if (n == NULL || va < n->va) {
        return GPUCMD_AGX_FAULT_UNMAPPED;
    }
    if ((access_mask & GPUCMD_ACCESS_READ) != 0 && (n->flags & GPUCMD_DRM_ASAHI_BIND_READ) == 0) {
        return GPUCMD_AGX_FAULT_WRITE_ONLY;
    }
    if ((access_mask & GPUCMD_ACCESS_WRITE) != 0 && (n->flags & GPUCMD_DRM_ASAHI_BIND_WRITE) == 0) {
        return GPUCMD_AGX_FAULT_READ_ONLY;
    }
    *handle = n->handle;
    *offset = (n->flags & GPUCMD_DRM_ASAHI_BIND_SINGLE_PAGE) != 0
                  ? n->offset + va % GPUCMD_AGX_PAGE_BYTES
                  : n->offset + (va - n->va);
    return GPUCMD_AGX_FAULT_NONE;
}

/* ---- executor ---- */

GPUCMD_PRIV_API int gpucmd_agx_outcome_errno(gpucmd_agx_outcome outcome)
{
#define GPUCMD_AGX_PRIV_OUTCOME(name, number, err) GPUCMD_SYS_##err,
    static const uint16_t errnos[] = {GPUCMD_AGX_OUTCOMES(GPUCMD_AGX_PRIV_OUTCOME)};
#undef GPUCMD_AGX_PRIV_OUTCOME
    return (size_t)outcome < sizeof errnos / sizeof errnos[0] ? errnos[outcome] : 0;
}

GPUCMD_PRIV_TEXT_FUNCTION(gpucmd_agx_outcome_name, gpucmd_agx_outcome,
                          GPUCMD_AGX_OUTCOMES(GPUCMD_PRIV_ROW_NAME))
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
        owner->table = status == GPUCMD_OK ? GPUCMD_AGX_TABLE_NONE : GPUCMD_AGX_TABLE_##id;        \
    }

/* Link all rows of a table into a list of free rows; set first to the first row. */
#define GPUCMD_AGX_PRIV_CHAIN(rows, count, first)                                                  \
    do {                                                                                           \
        uint32_t i;                                                                                \
        (first) = (count) != 0 ? 0 : GPUCMD_AGX_NONE;                                              \
        for (i = 0; i < (count); i++) {                                                            \
            (rows)[i].next = i + 1 < (count) ? i + 1 : GPUCMD_AGX_NONE;                            \
        }                                                                                          \
    } while (0)

GPUCMD_PRIV_API gpucmd_status gpucmd_agx_exec_init(gpucmd_agx_exec *x,
                                                   const gpucmd_agx_exec_tables *tables,
                                                   const gpucmd_env *env)
{
    gpucmd_agx_exec *const owner = x;
    gpucmd_status status = GPUCMD_OK;
    gpucmd_priv_zero(x, sizeof *x);
    x->t = *tables;
    if (env != NULL) {
        x->env = *env;
    }
    GPUCMD_AGX_EXEC_TABLES(GPUCMD_AGX_PRIV_CLEAR)
    if (status == GPUCMD_OK) {
        GPUCMD_AGX_PRIV_CHAIN(tables->jobs, tables->job_count, x->free_job);
        GPUCMD_AGX_PRIV_CHAIN(tables->fences, tables->fence_count, x->free_fence);
        GPUCMD_AGX_PRIV_CHAIN(tables->links, tables->link_count, x->free_link);
    }
    x->first = x->ending = x->pushing = x->chain = x->drop = GPUCMD_AGX_NONE;
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

static bool gpucmd_priv_agx_fence_alive(const gpucmd_agx_exec *x, uint32_t fence)
{
    return fence < x->t.fence_count && x->t.fences[fence].refs != 0;
}

GPUCMD_PRIV_API uint32_t gpucmd_agx_exec_fence(gpucmd_agx_exec *x, uint32_t prev)
{
    const uint32_t at = x->free_fence;
    x->table = at == GPUCMD_AGX_NONE ? GPUCMD_AGX_TABLE_EXEC_FENCES : GPUCMD_AGX_TABLE_NONE;
    if (at == GPUCMD_AGX_NONE ||
        (prev != GPUCMD_AGX_NONE && !gpucmd_priv_agx_fence_alive(x, prev))) {
        return GPUCMD_AGX_NONE;
    }
    gpucmd_agx_fence *f = &x->t.fences[at];
    x->free_fence = f->next;
    gpucmd_priv_zero(f, sizeof *f);
    f->job = GPUCMD_AGX_NONE;
    f->prev = GPUCMD_AGX_NONE;
    f->next = GPUCMD_AGX_NONE;
    f->refs = 1;
    if (prev != GPUCMD_AGX_NONE && !x->t.fences[prev].is_signalled) {
        gpucmd_agx_fence *p = &x->t.fences[prev];
        f->prev = prev;
        p->refs++;
        if (p->next != GPUCMD_AGX_NONE) { /* wait for the last successor of prev instead */
            uint32_t last = p->next;
            while (x->t.fences[last].next != GPUCMD_AGX_NONE) {
                last = x->t.fences[last].next;
            }
            p->refs--;
            f->prev = last;
            x->t.fences[last].refs++;
            p = &x->t.fences[last];
        }
        p->next = at;
    }
    return at;
}

GPUCMD_PRIV_API void gpucmd_agx_exec_hold(gpucmd_agx_exec *x, uint32_t fence)
{
    if (gpucmd_priv_agx_fence_alive(x, fence)) {
        x->t.fences[fence].refs++;
    }
}

/* Remove one hold of a fence, and free the fence if no hold remains. Return the prev of
 * the freed fence, whose hold the caller must remove; GPUCMD_AGX_NONE: there is none. */
static uint32_t gpucmd_priv_agx_release_one(gpucmd_agx_exec *x, uint32_t fence)
{
    if (!gpucmd_priv_agx_fence_alive(x, fence) || --x->t.fences[fence].refs != 0) {
        return GPUCMD_AGX_NONE;
    }
    gpucmd_agx_fence *f = &x->t.fences[fence];
    if (f->prev != GPUCMD_AGX_NONE) {
        x->t.fences[f->prev].next = GPUCMD_AGX_NONE;
    }
    x->chain = x->chain == fence ? GPUCMD_AGX_NONE : x->chain;
    f->next = x->free_fence;
    x->free_fence = fence;
    return f->prev;
}

GPUCMD_PRIV_API void gpucmd_agx_exec_release(gpucmd_agx_exec *x, uint32_t fence)
{
    while (fence != GPUCMD_AGX_NONE) {
        fence = gpucmd_priv_agx_release_one(x, fence);
    }
}

/* Make the executor check all queues before the next operation ends. */
static void gpucmd_priv_agx_unsettle(gpucmd_agx_exec *x)
{
    x->settled = false;
    x->at = 0;
    x->part = 0;
}

/* Signal a fence if its member ended is true and its prev has signalled. Return the next fence of
 * the chain, which may signal now. NONE: the fence did not signal, or no fence follows it. */
static uint32_t gpucmd_priv_agx_signal_one(gpucmd_agx_exec *x, uint32_t fence)
{
    gpucmd_agx_fence *f = &x->t.fences[fence];
    if (!f->ended || f->prev != GPUCMD_AGX_NONE) {
        return GPUCMD_AGX_NONE;
    }
    f->is_signalled = true;
    f->at_time = x->now;
    x->signals++;
    gpucmd_priv_agx_unsettle(x);
    const uint32_t next = f->next;
    if (next != GPUCMD_AGX_NONE) {
        f->next = GPUCMD_AGX_NONE;
        x->t.fences[next].prev = GPUCMD_AGX_NONE;
        (void)gpucmd_priv_agx_release_one(x, fence);
    }
    return next;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_agx_exec_signal(gpucmd_agx_exec *x, uint32_t fence,
                                                     int32_t error)
{
    if (!gpucmd_priv_agx_fence_alive(x, fence)) {
        return GPUCMD_RANGE;
    }
    if (x->t.fences[fence].job != GPUCMD_AGX_NONE || x->t.fences[fence].ended) {
        return GPUCMD_ORDER;
    }
    x->t.fences[fence].ended = true;
    x->t.fences[fence].error = error;
    while (fence != GPUCMD_AGX_NONE) {
        fence = gpucmd_priv_agx_signal_one(x, fence);
    }
    return GPUCMD_OK;
}

/* Add a fence to the front of a list and hold it. The table of links must have a free row. */
static void gpucmd_priv_agx_link(gpucmd_agx_exec *x, uint32_t *list, uint32_t fence)
{
    const uint32_t at = x->free_link;
    x->free_link = x->t.links[at].next;
    x->t.links[at].fence = fence;
    x->t.links[at].next = *list;
    *list = at;
    x->t.fences[fence].refs++;
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
 * write the row of the new job to member job of each out-fence. On failure change no fence. */
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
        counts[c->kind == GPUCMD_AGX_KIND_COMPUTE ? 1 : 0]++;
    }
    for (i = 0; i < sub->in_count; i++) {
        if (!gpucmd_priv_agx_fence_alive(x, sub->in[i])) {
            return GPUCMD_RANGE;
        }
    }
    const uint64_t want = (uint64_t)sub->in_count + sub->out_count;
    for (at = x->free_link; at != GPUCMD_AGX_NONE && room < want; room++) {
        at = x->t.links[at].next;
    }
    x->table = x->free_job == GPUCMD_AGX_NONE ? GPUCMD_AGX_TABLE_EXEC_JOBS
               : room < want                  ? GPUCMD_AGX_TABLE_EXEC_LINKS
                                              : GPUCMD_AGX_TABLE_NONE;
    if (x->table != GPUCMD_AGX_TABLE_NONE) {
        return GPUCMD_FULL;
    }
    for (i = 0; i < sub->out_count; i++) {
        const bool alive = gpucmd_priv_agx_fence_alive(x, sub->out[i]);
        if (!alive || x->t.fences[sub->out[i]].job != GPUCMD_AGX_NONE ||
            x->t.fences[sub->out[i]].ended) {
            while (i-- != 0) {
                x->t.fences[sub->out[i]].job = GPUCMD_AGX_NONE;
            }
            return alive ? GPUCMD_ORDER : GPUCMD_RANGE;
        }
        x->t.fences[sub->out[i]].job = x->free_job;
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
        j->left += job->commands[i].kind == GPUCMD_AGX_KIND_RENDER ? 2 : 1;
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
    gpucmd_priv_agx_unsettle(x);
    x->waiting++;
    *slot = at;
    return GPUCMD_OK;
}

/* ---- events ---- */

/* Pass an event of job j to env.trace and env.event. Return the status of env.event, and
 * keep the first failure in x->fault. After the loss of the GPU pass STATE events only. */
static gpucmd_status gpucmd_priv_agx_event(gpucmd_agx_exec *x, gpucmd_event_kind kind,
                                           const gpucmd_agx_exec_job *j, uint32_t code,
                                           uint64_t value)
{
    gpucmd_event e;
    if ((x->env.event == NULL && x->env.trace == NULL) || (x->lost && kind != GPUCMD_EVENT_STATE)) {
        return GPUCMD_OK;
    }
    gpucmd_priv_zero(&e, sizeof e);
    e.kind = kind;
    e.unit = j->queue;
    e.addr = j->number;
    e.code = code;
    e.va = x->now;
    e.value = value;
    if (x->env.trace != NULL) {
        (void)x->env.trace(x->env.trace_user, &e);
    }
    if (x->env.event != NULL) {
        const gpucmd_status status = x->env.event(x->env.user, &e);
        x->fault = x->fault != GPUCMD_OK ? x->fault : status;
        return status;
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
            entries += 1u + (c->render_barrier != GPUCMD_DRM_ASAHI_BARRIER_NONE ? 1u : 0u) +
                       (c->compute_barrier != GPUCMD_DRM_ASAHI_BARRIER_NONE ? 1u : 0u);
            events++;
        } else if (c->kind == GPUCMD_AGX_KIND_RENDER && which == GPUCMD_AGX_RING_FRAGMENT) {
            entries += 2;
            events++;
        }
    }
    return x->t.ring_entries - (ring->count + (ring->running ? 1u : 0u)) > entries + 1 &&
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
        ring->queued += e->op == GPUCMD_AGX_OP_RUN ? 1 : 0;
        s->stamp =
            e->implicit ? q->rings[GPUCMD_AGX_RING_VERTEX].queued : x->base[e->target] + e->number;
        s->job = x->pushing;
        s->op = e->op;
        s->target = e->target;
        s->command = e->command;
        s->number = e->number;
    }
    x->pushing = ++x->command == j->job.count ? GPUCMD_AGX_NONE : x->pushing;
}

/* Do one step for the first waiting job of a queue:
 *   - if the job has in-fences, release the first of them, if it has signalled
 *   - otherwise begin to move the job to the firmware queues, if they have room and the
 *     callback accepts the event
 * Return false if nothing was done. */
static bool gpucmd_priv_agx_push_first(gpucmd_agx_exec *x, uint32_t queue)
{
    gpucmd_agx_exec_queue *q = &x->t.queues[queue];
    uint32_t r;
    if (q->first == GPUCMD_AGX_NONE) {
        return false;
    }
    gpucmd_agx_exec_job *j = &x->t.jobs[q->first];
    if (j->in != GPUCMD_AGX_NONE) {
        const bool is_signalled = x->t.fences[x->t.links[j->in].fence].is_signalled;
        if (is_signalled) {
            (void)gpucmd_priv_agx_release_one(x, gpucmd_priv_agx_unlink(x, &j->in));
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
    if (gpucmd_priv_agx_event(x, GPUCMD_EVENT_STATE, j, 0, 0) != GPUCMD_OK) {
        return false;
    }
    x->pushing = q->first;
    x->command = 0;
    const gpucmd_agx_ring_state *f = &q->rings[GPUCMD_AGX_RING_FRAGMENT];
    const gpucmd_agx_ring_state *c = &q->rings[GPUCMD_AGX_RING_COMPUTE];
    gpucmd_agx_lowering_init(&x->lowering,
                             (f->queued != f->ended ? (uint32_t)GPUCMD_AGX_PRIOR_RENDER : 0u) |
                                 (c->queued != c->ended ? (uint32_t)GPUCMD_AGX_PRIOR_COMPUTE : 0u));
    for (r = 0; r < GPUCMD_AGX_RINGS; r++) {
        x->base[r] = q->rings[r].queued;
    }
    q->first = j->next;
    q->last = q->first == GPUCMD_AGX_NONE ? GPUCMD_AGX_NONE : q->last;
    j->active = true;
    j->pushed = x->now;
    x->waiting--;
    return true;
}

/* Start operation s, the oldest entry of a firmware queue. Return false if env.event fails. */
static bool gpucmd_priv_agx_start(gpucmd_agx_exec *x, gpucmd_agx_ring_state *ring,
                                  const gpucmd_agx_slot *s)
{
    gpucmd_agx_exec_job *j = &x->t.jobs[s->job];
    const gpucmd_agx_ring part = (gpucmd_agx_ring)s->target;
    gpucmd_priv_zero(&ring->fate, sizeof ring->fate);
    ring->fate.outcome = GPUCMD_AGX_OUTCOME_COMPLETE;
    ring->fate.duration = x->durations.each != NULL
                              ? x->durations.each(x->durations.user, s->command, part)
                              : x->durations.ring[part];
    if (x->lost) {
        ring->fate.duration = 0;
        ring->fate.outcome = GPUCMD_AGX_OUTCOME_NO_DEVICE;
    } else if (x->fate != NULL) {
        x->fate(x->fate_user, j, s->command, part, &ring->fate);
    }
    if (gpucmd_priv_agx_event(x, GPUCMD_EVENT_START, j, (uint32_t)part, s->command) != GPUCMD_OK) {
        return false;
    }
    ring->now_running = *s;
    ring->running = true;
    ring->killed = false;
    ring->start = x->now;
    ring->end = x->now + ring->fate.duration < x->now ? ~(uint64_t)0 : x->now + ring->fate.duration;
    j->results[s->command].start[part == GPUCMD_AGX_RING_FRAGMENT ? 1 : 0] = x->now;
    x->running++;
    return true;
}

/* Remove the satisfied WAIT entries at the head of firmware queue r of q, then start the next
 * operation. A WAIT entry is satisfied if rings[target].ended has reached its stamp, modulo 2^32.
 * slots is the array of the firmware queue. Return false if x->pieces is used up first. */
static bool gpucmd_priv_agx_advance(gpucmd_agx_exec *x, gpucmd_agx_exec_queue *q, uint32_t r,
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
        if (is_wait ? behind >> 31 != 0 : !gpucmd_priv_agx_start(x, ring, s)) {
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
    GPUCMD_PRIV_AGX_PART_BEGIN,
    GPUCMD_PRIV_AGX_PART_PUSH,
    GPUCMD_PRIV_AGX_PART_RINGS,
    GPUCMD_PRIV_AGX_PART_END = GPUCMD_PRIV_AGX_PART_RINGS + GPUCMD_AGX_RINGS
} gpucmd_priv_agx_part;

/* Continue the check of queue x->at: move its waiting jobs to its firmware queues, then start
 * operations. If the check is complete, advance x->at. If a callback fails, x->fault is set. */
static void gpucmd_priv_agx_settle_queue(gpucmd_agx_exec *x)
{
    gpucmd_agx_exec_queue *q = &x->t.queues[x->at];
    if (x->part == GPUCMD_PRIV_AGX_PART_BEGIN) {
        x->pieces -= 1;
        if (!q->used || (!q->dirty && q->signals == x->signals)) {
            x->at++;
            return;
        }
        q->signals = x->signals;
        q->dirty = true; /* if a callback fails, the check starts again */
        x->moved = false;
        x->part = GPUCMD_PRIV_AGX_PART_PUSH;
    }
    if (x->part == GPUCMD_PRIV_AGX_PART_PUSH) {
        if (gpucmd_priv_agx_push_first(x, x->at)) {
            return;
        }
        x->part = GPUCMD_PRIV_AGX_PART_RINGS;
    }
    const uint32_t each = x->t.ring_entries;
    uint32_t r = x->part - GPUCMD_PRIV_AGX_PART_RINGS;
    gpucmd_agx_slot *slots = x->t.slots + ((size_t)x->at * GPUCMD_AGX_RINGS + r) * each;
    while (r < GPUCMD_AGX_RINGS && x->fault == GPUCMD_OK &&
           gpucmd_priv_agx_advance(x, q, r, slots)) {
        slots += each;
        r++;
    }
    x->part = r + GPUCMD_PRIV_AGX_PART_RINGS;
    if (x->fault != GPUCMD_OK) {
        x->part = GPUCMD_PRIV_AGX_PART_BEGIN;
    } else if (x->part == GPUCMD_PRIV_AGX_PART_END) {
        /* The queue is checked again if a waiting job may have room. */
        q->dirty = x->moved && q->first != GPUCMD_AGX_NONE;
        x->part = GPUCMD_PRIV_AGX_PART_BEGIN;
        x->at += q->dirty ? 0 : 1;
    }
}

/* Continue to start every operation that can start now. Stop if a job must be pushed, a callback
 * has failed or x->pieces is used up. When all queues have been checked, set x->settled. */
static void gpucmd_priv_agx_settle(gpucmd_agx_exec *x)
{
    while (x->at < x->t.queue_count && x->pushing == GPUCMD_AGX_NONE && x->pieces > 0 &&
           x->fault == GPUCMD_OK) {
        gpucmd_priv_agx_settle_queue(x);
    }
    if (x->at >= x->t.queue_count) {
        x->settled = true;
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

/* Record the result of an operation that ends. If the command has no other
 * unfinished operation, call x->completed. */
static void gpucmd_priv_agx_record(gpucmd_agx_exec *x, gpucmd_agx_exec_job *j,
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
    j->error = error != 0 ? error : j->error;
    if (x->completed != NULL &&
        r->halves ==
            (j->job.commands[ring->now_running.command].kind == GPUCMD_AGX_KIND_RENDER ? 2u : 1u)) {
        x->completed(x->completed_user, ring->now_running.job, ring->now_running.command);
    }
}

/* Do one piece of the work at the end of job x->ending: signal a fence, release a fence, or remove
 * the next out-fence of the job. Return LIMIT. If no such work remains, pass the event that the job
 * has ended, and free its row. Return DONE; FAULT: env.event failed. */
static gpucmd_run gpucmd_priv_agx_job_end(gpucmd_agx_exec *x)
{
    const uint32_t at = x->ending;
    gpucmd_agx_exec_job *j = &x->t.jobs[at];
    x->pieces -= 1;
    if (x->chain != GPUCMD_AGX_NONE) {
        x->chain = gpucmd_priv_agx_signal_one(x, x->chain);
        return GPUCMD_RUN_LIMIT;
    }
    if (x->drop != GPUCMD_AGX_NONE) {
        x->drop = gpucmd_priv_agx_release_one(x, x->drop);
        return GPUCMD_RUN_LIMIT;
    }
    if (j->out != GPUCMD_AGX_NONE) {
        x->drop = x->chain = gpucmd_priv_agx_unlink(x, &j->out);
        x->t.fences[x->chain].job = GPUCMD_AGX_NONE;
        x->t.fences[x->chain].ended = true;
        x->t.fences[x->chain].error = j->error;
        return GPUCMD_RUN_LIMIT;
    }
    x->ending = GPUCMD_AGX_NONE;
    if (x->ended != NULL) {
        x->ended(x->ended_user, j);
    }
    (void)gpucmd_priv_agx_event(x, GPUCMD_EVENT_STATE, j, 1, (uint64_t)(uint32_t)j->error);
    j->next = x->free_job;
    x->free_job = at;
    if (x->t.queues[j->queue].retired) {
        x->t.queues[j->queue].used = !gpucmd_priv_agx_queue_idle(x, j->queue);
    }
    return x->fault == GPUCMD_OK ? GPUCMD_RUN_DONE : GPUCMD_RUN_FAULT;
}

/* Continue the search for the operation that ends first, and advance x->at. If two operations
 * end together, choose the lower user queue, then the lower gpucmd_agx_ring. */
static void gpucmd_priv_agx_search(gpucmd_agx_exec *x)
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
 *   FAULT  env.event failed */
static gpucmd_run gpucmd_priv_agx_finish(gpucmd_agx_exec *x)
{
    gpucmd_agx_exec_queue *q = &x->t.queues[x->first];
    gpucmd_agx_ring_state *ring = &q->rings[x->first_in];
    gpucmd_agx_exec_job *j = &x->t.jobs[ring->now_running.job];
    if (!x->finishing) {
        x->pieces -= 5;
        x->now = ring->end;
        if (gpucmd_priv_agx_event(x, GPUCMD_EVENT_FINISH, j, ring->now_running.target,
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
    gpucmd_priv_agx_unsettle(x);
    gpucmd_priv_agx_record(x, j, ring);
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
static gpucmd_run gpucmd_priv_agx_next(gpucmd_agx_exec *x)
{
    if (!x->settled) {
        gpucmd_priv_agx_settle(x);
    }
    if (x->fault != GPUCMD_OK) {
        return GPUCMD_RUN_FAULT;
    }
    if (!x->settled || x->pieces <= 0) {
        return GPUCMD_RUN_LIMIT;
    }
    if (x->running == 0) {
        return x->waiting != 0 ? GPUCMD_RUN_BLOCKED : GPUCMD_RUN_IDLE;
    }
    gpucmd_priv_agx_search(x);
    return x->at < x->t.queue_count ? GPUCMD_RUN_LIMIT : gpucmd_priv_agx_finish(x);
}

/* Continue the step until it ends or has used `pieces` pieces of work (see GPUCMD_AGX_UNIT_PIECES)
 * or a few more. Return GPUCMD_RUN_LIMIT if the step has not ended. */
static gpucmd_run gpucmd_priv_agx_work(gpucmd_agx_exec *x, int32_t pieces)
{
    gpucmd_run run = GPUCMD_RUN_LIMIT;
    x->fault = GPUCMD_OK;
    x->pieces = pieces;
    while (x->pieces > 0 && run == GPUCMD_RUN_LIMIT) {
        if (x->ending != GPUCMD_AGX_NONE) {
            run = gpucmd_priv_agx_job_end(x);
        } else if (x->finishing) {
            run = gpucmd_priv_agx_finish(x);
        } else if (x->pushing != GPUCMD_AGX_NONE) {
            gpucmd_priv_agx_push(x);
        } else {
            run = gpucmd_priv_agx_next(x);
        }
    }
    return run;
}

GPUCMD_PRIV_API gpucmd_run gpucmd_agx_exec_step(gpucmd_agx_exec *x)
{
    gpucmd_run run = GPUCMD_RUN_LIMIT;
    while (run == GPUCMD_RUN_LIMIT) {
        run = gpucmd_priv_agx_work(x, GPUCMD_AGX_UNIT_PIECES);
    }
    return run;
}

GPUCMD_PRIV_API gpucmd_run gpucmd_agx_exec_run(gpucmd_agx_exec *x, uint64_t budget)
{
    gpucmd_run run = GPUCMD_RUN_LIMIT;
    for (; budget != 0 && (run == GPUCMD_RUN_DONE || run == GPUCMD_RUN_LIMIT); budget--) {
        run = gpucmd_priv_agx_work(x, GPUCMD_AGX_UNIT_PIECES);
    }
    return run == GPUCMD_RUN_DONE ? GPUCMD_RUN_LIMIT : run;
}

GPUCMD_PRIV_API void gpucmd_agx_exec_lose(gpucmd_agx_exec *x)
{
    uint32_t i, r;
    x->lost = true;
    gpucmd_priv_agx_unsettle(x);
    for (i = 0; i < x->t.queue_count; i++) {
        gpucmd_agx_exec_queue *q = &x->t.queues[i];
        for (r = 0; q->used && r < GPUCMD_AGX_RINGS; r++) {
            q->rings[r].end = x->now;
            q->rings[r].fate.outcome = GPUCMD_AGX_OUTCOME_NO_DEVICE;
        }
    }
}

/* ---- deadlock ---- */

/* Find a fence that the first waiting job of a queue waits for, and write the wait to *arc. If
 * `caller` is true, find only fences that the caller must signal, otherwise only fences that a
 * waiting job of an unmarked queue must signal. Return false if there is no such fence. */
static bool gpucmd_priv_agx_arc(const gpucmd_agx_exec *x, uint32_t queue, bool caller,
                                gpucmd_agx_deadlock *arc)
{
    uint32_t l, f;
    const gpucmd_agx_exec_queue *q = &x->t.queues[queue];
    if (!q->used || q->first == GPUCMD_AGX_NONE) {
        return false;
    }
    const gpucmd_agx_exec_job *j = &x->t.jobs[q->first];
    for (l = j->in; l != GPUCMD_AGX_NONE; l = x->t.links[l].next) {
        for (f = x->t.links[l].fence; f != GPUCMD_AGX_NONE; f = x->t.fences[f].prev) {
            const uint32_t owner = x->t.fences[f].job;
            if (x->t.fences[f].ended || (owner == GPUCMD_AGX_NONE) != caller) {
                continue;
            }
            const gpucmd_agx_exec_job *o = caller ? j : &x->t.jobs[owner];
            if (caller || (!o->active && !x->t.queues[o->queue].mark)) {
                arc->queue = queue;
                arc->job = j->number;
                arc->fence = f;
                arc->for_queue = o->queue;
                arc->for_job = o->number;
                return true;
            }
        }
    }
    return false;
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
            if (!x->t.queues[i].mark && !gpucmd_priv_agx_arc(x, i, false, &arc)) {
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
        (void)gpucmd_priv_agx_arc(x, at, false, &arc);
        at = arc.for_queue;
    }
    const uint32_t first = at;
    do {
        (void)gpucmd_priv_agx_arc(x, at, false, &arc);
        if (n < cap) {
            arcs[n++] = arc;
        }
        at = arc.for_queue;
    } while (at != first);
    return n;
}

GPUCMD_PRIV_API void gpucmd_agx_exec_why(const gpucmd_agx_exec *x, gpucmd_why *why)
{
    uint32_t i;
    gpucmd_agx_deadlock arc;
    bool work = x->ending != GPUCMD_AGX_NONE;
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
    } else if (x->running != 0 || !x->settled) {
        gpucmd_priv_why_set(why, GPUCMD_WHY_READY, 0, 0);
    } else if (gpucmd_agx_exec_deadlock(x, &arc, 1) != 0) {
        gpucmd_priv_why_set(why, GPUCMD_WHY_DEADLOCK, arc.queue, arc.job);
        why->text = "queues wait for each other's jobs";
    } else {
        for (i = 0; i < x->t.queue_count && !gpucmd_priv_agx_arc(x, i, true, &arc); i++) {
        }
        gpucmd_priv_why_set(why, GPUCMD_WHY_WAIT, arc.queue, arc.job);
        why->name = "fence";
        why->text = "the caller must signal the fence";
    }
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

/* Append the waits of a job that is not yet in the firmware queues. */
static void gpucmd_priv_agx_waits_ahead(const gpucmd_agx_exec *x, uint32_t slot,
                                        gpucmd_priv_agx_wait_list *list, gpucmd_agx_wait *wait)
{
    uint32_t l, r;
    const gpucmd_agx_exec_job *j = &x->t.jobs[slot];
    const gpucmd_agx_exec_queue *q = &x->t.queues[j->queue];
    wait->kind = GPUCMD_AGX_WAIT_FENCE;
    for (l = j->in; l != GPUCMD_AGX_NONE; l = x->t.links[l].next) {
        uint32_t f = x->t.links[l].fence;
        wait->fence = f;
        while (x->t.fences[f].ended && x->t.fences[f].prev != GPUCMD_AGX_NONE) {
            f = x->t.fences[f].prev; /* an ended fence waits only for its prev */
        }
        if (!x->t.fences[f].is_signalled) {
            gpucmd_priv_agx_add_wait(x, list, wait, x->t.fences[f].job);
        }
    }
    wait->fence = GPUCMD_AGX_NONE;
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
    wait.fence = GPUCMD_AGX_NONE;
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
    return gpucmd_mem_write(mem, va, bytes, result_bytes < len_bytes ? result_bytes : len_bytes);
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
static uint8_t *gpucmd_priv_agx_user(gpucmd_agx_kernel *k, uint64_t addr, uint64_t len_bytes)
{
    return len_bytes == 0 ? (uint8_t *)k
                          : gpucmd_process_span(k->user, addr, len_bytes, GPUCMD_ACCESS_READ);
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
GPUCMD_AGX_PRIV_ROWS(syncobj, syncobjs, syncobj_count, SYNCOBJS)
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

/* Pass an event of the executor to the caller's callback. If the callback returns GPUCMD_OK, write
 * the start or end timestamp of the operation, if it has one. */
static gpucmd_status gpucmd_priv_agx_kernel_event(void *user, const gpucmd_event *e)
{
    gpucmd_agx_kernel *k = (gpucmd_agx_kernel *)user;
    const gpucmd_status status = k->env.event != NULL ? k->env.event(k->env.user, e) : GPUCMD_OK;
    const bool ends = e->kind == GPUCMD_EVENT_FINISH;
    if (status == GPUCMD_OK && (ends || e->kind == GPUCMD_EVENT_START)) {
        const uint32_t fragment = e->code == GPUCMD_AGX_RING_FRAGMENT ? 1 : 0;
        const uint32_t job = ends ? k->exec.t.queues[e->unit].rings[e->code].now_running.job
                                  : gpucmd_priv_agx_slot_at(&k->exec, e->unit, e->code, 0)->job;
        uint8_t *at =
            job < k->t.stamp_count ? k->t.stamps[job].at[e->value][fragment][ends ? 1 : 0] : NULL;
        if (at != NULL) {
            gpucmd_store64(at, gpucmd_priv_agx_nanoseconds(k->exec.now, k->timer_hz),
                           GPUCMD_LITTLE_ENDIAN);
        }
    }
    return status;
}

/* The executor calls this function when a command is complete. If the job came from a draft, write
 * the result of the command to the memory that the submission names. */
static void gpucmd_priv_agx_kernel_completed(void *user, uint32_t slot, uint32_t command)
{
    const gpucmd_agx_kernel *k = (const gpucmd_agx_kernel *)user;
    const gpucmd_agx_exec_job *j = &k->exec.t.jobs[slot];
    uint8_t bytes[sizeof(struct gpucmd_drm_asahi_draft_result_render)];
    if (slot < k->t.stamp_count && k->t.stamps[slot].result[command] != NULL) {
        const uint32_t room_bytes = k->t.stamps[slot].result_bytes[command];
        const uint32_t len_bytes = gpucmd_priv_agx_store_result(
            (gpucmd_agx_kind)j->job.commands[command].kind, &j->results[command], bytes);
        gpucmd_priv_copy(k->t.stamps[slot].result[command], bytes,
                         room_bytes < len_bytes ? room_bytes : len_bytes);
    }
}

GPUCMD_PRIV_API void gpucmd_agx_kernel_tables_init(gpucmd_agx_kernel_tables *t,
                                                   gpucmd_agx_kernel_store *s)
{
    GPUCMD_AGX_KERNEL_TABLES(GPUCMD_AGX_PRIV_SET)
    gpucmd_agx_exec_tables_init(&t->exec, &s->exec);
}

GPUCMD_PRIV_API gpucmd_status gpucmd_agx_kernel_init(gpucmd_agx_kernel *k,
                                                     const gpucmd_agx_kernel_tables *tables,
                                                     const gpucmd_env *env)
{
    gpucmd_agx_kernel *const owner = k;
    gpucmd_status status = GPUCMD_OK;
    gpucmd_env own;
    gpucmd_priv_zero(k, sizeof *k);
    k->t = *tables;
    if (env != NULL) {
        k->env = *env;
    }
    gpucmd_env_init(&own, NULL, gpucmd_priv_agx_kernel_event, k);
    own.trace = k->env.trace;
    own.trace_user = k->env.trace_user;
    gpucmd_agx_maps_init(&k->maps, tables->maps, tables->map_count);
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
    GPUCMD_AGX_PRIV_CHAIN(tables->points, tables->point_count, k->free_point);
    status = gpucmd_agx_exec_init(&k->exec, &tables->exec, &own);
    k->table = k->exec.table;
    k->exec.completed = gpucmd_priv_agx_kernel_completed;
    k->exec.completed_user = k;
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

GPUCMD_PRIV_API uint32_t gpucmd_agx_kernel_syncobj_create(gpucmd_agx_kernel *k)
{
    uint32_t handle = 0;
    gpucmd_agx_syncobj *s = gpucmd_priv_agx_new_syncobj(k, &handle);
    if (s != NULL) {
        s->fence = GPUCMD_AGX_NONE;
        s->points = GPUCMD_AGX_NONE;
    }
    return handle;
}

/* Free the row of point `at` and the rows of all older points, which follow in the list. */
static void gpucmd_priv_agx_drop_points(gpucmd_agx_kernel *k, uint32_t at)
{
    while (at != GPUCMD_AGX_NONE) {
        gpucmd_agx_point *p = &k->t.points[at];
        const uint32_t next = p->next;
        gpucmd_agx_exec_release(&k->exec, p->fence);
        p->next = k->free_point;
        k->free_point = at;
        at = next;
    }
}

/* Reset a sync object: free its points, release its fence, clear its values. s->fence stays. */
static void gpucmd_priv_agx_syncobj_clear(gpucmd_agx_kernel *k, gpucmd_agx_syncobj *s)
{
    gpucmd_priv_agx_drop_points(k, s->points);
    if (s->fence != GPUCMD_AGX_NONE) {
        gpucmd_agx_exec_release(&k->exec, s->fence);
    }
    s->points = GPUCMD_AGX_NONE;
    s->timeline = false;
    s->last = 0;
    s->passed = 0;
}

GPUCMD_PRIV_API int gpucmd_agx_kernel_syncobj_destroy(gpucmd_agx_kernel *k, uint32_t handle)
{
    gpucmd_agx_syncobj *s = gpucmd_priv_agx_syncobj(k, handle);
    if (s == NULL) {
        return gpucmd_priv_agx_reject(k, GPUCMD_AGX_RULE_SYNC_UNKNOWN);
    }
    gpucmd_priv_agx_syncobj_clear(k, s);
    s->used = false;
    return gpucmd_priv_agx_reject(k, GPUCMD_AGX_RULE_NONE);
}

/* Find a point among the last merged point (gpucmd_agx_point.merged) and the points after it, or
 * among all points if none is merged. Return the row of
 *   - value > 0: the oldest point with at least this value
 *   - value 0: the oldest point that has not signalled; if all have, the newest point
 * A point with at least this value must exist. Time: O(log(points)). */
static uint32_t gpucmd_priv_agx_oldest_point(const gpucmd_agx_kernel *k,
                                             const gpucmd_agx_syncobj *s, uint64_t value)
{
    uint32_t at = s->points, way = 0;
    while (way < 2) { /* way 0: try the jump; way 1: try the next point */
        const gpucmd_agx_point *p = &k->t.points[at];
        const uint32_t to = way == 0     ? p->jump_value > s->passed ? p->jump : GPUCMD_AGX_NONE
                            : !p->merged ? p->next
                                         : GPUCMD_AGX_NONE;
        const bool good = to != GPUCMD_AGX_NONE &&
                          (value != 0 ? k->t.points[to].value >= value
                                      : !k->exec.t.fences[k->t.points[to].fence].is_signalled);
        at = good ? to : at;
        way = good ? 0 : way + 1;
    }
    return at;
}

/* Set jump, jump_value and depth of the new point *p. points[at] is the previous point o. If the
 * jump of o, and the jump of the point that it leads to, have equal length, p jumps over both.
 * Otherwise p jumps to o. The row of a point with a value <= `passed` is free; never jump to it. */
static void gpucmd_priv_agx_set_jump(const gpucmd_agx_point *points, gpucmd_agx_point *p,
                                     uint32_t at, uint64_t passed)
{
    const gpucmd_agx_point *o = &points[at];
    const gpucmd_agx_point *j = o->jump_value > passed ? &points[o->jump] : o;
    const bool twice =
        j->jump_value > passed && o->depth - j->depth == j->depth - points[j->jump].depth;
    p->depth = o->depth + 1;
    p->jump = twice ? j->jump : at;
    p->jump_value = twice ? j->jump_value : o->value;
}

/* Return the fence that a wait for value needs: the fence of the first submitted point with at
 * least this value, which signals after all earlier points. If value is 0, return the newest
 * fence of the object. GPUCMD_AGX_NONE: the point has signalled and has no row. [CHAIN] */
static uint32_t gpucmd_priv_agx_point_fence(const gpucmd_agx_kernel *k, const gpucmd_agx_syncobj *s,
                                            uint64_t value)
{
    return value == 0           ? s->fence
           : value <= s->passed ? GPUCMD_AGX_NONE
                                : k->t.points[gpucmd_priv_agx_oldest_point(k, s, value)].fence;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_agx_kernel_syncobj_point(const gpucmd_agx_kernel *k,
                                                              uint32_t handle, uint64_t value,
                                                              int32_t *error)
{
    const gpucmd_agx_syncobj *s = gpucmd_priv_agx_syncobj(k, handle);
    if (s == NULL) {
        return GPUCMD_RANGE;
    }
    if (s->fence == GPUCMD_AGX_NONE || (value != 0 && (!s->timeline || value > s->last))) {
        return GPUCMD_ORDER;
    }
    const uint32_t fence = gpucmd_priv_agx_point_fence(k, s, value);
    if (fence != GPUCMD_AGX_NONE && !k->exec.t.fences[fence].is_signalled) {
        return GPUCMD_BLOCKED;
    }
    *error = fence != GPUCMD_AGX_NONE ? k->exec.t.fences[fence].error : 0;
    return GPUCMD_OK;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_agx_kernel_syncobj_query(const gpucmd_agx_kernel *k,
                                                              uint32_t handle, uint64_t *value)
{
    uint32_t at;
    const gpucmd_agx_syncobj *s = gpucmd_priv_agx_syncobj(k, handle);
    if (s == NULL) {
        return GPUCMD_RANGE;
    }
    *value = s->passed;
    for (at = s->points; at != GPUCMD_AGX_NONE; at = k->t.points[at].next) {
        if (k->exec.t.fences[k->t.points[at].fence].is_signalled) {
            *value = k->t.points[at].value;
            break;
        }
        if (k->t.points[at].merged) {
            break;
        }
    }
    return GPUCMD_OK;
}

GPUCMD_PRIV_API bool gpucmd_agx_kernel_syncobj_signalled(const gpucmd_agx_kernel *k,
                                                         uint32_t handle, int32_t *error)
{
    return gpucmd_agx_kernel_syncobj_point(k, handle, 0, error) == GPUCMD_OK;
}

/* Free the rows of points that no wait needs: points that have signalled, except the newest point,
 * and points that are older than a merged point. If points that have signalled become free,
 * s->passed becomes the value of the newest of them. */
static void gpucmd_priv_agx_prune_points(gpucmd_agx_kernel *k, gpucmd_agx_syncobj *s)
{
    gpucmd_agx_point *const p = &k->t.points[gpucmd_priv_agx_oldest_point(k, s, 0)];
    if (p->next != GPUCMD_AGX_NONE) {
        s->passed = p->merged ? s->passed : k->t.points[p->next].value;
        gpucmd_priv_agx_drop_points(k, p->next);
        p->next = GPUCMD_AGX_NONE;
    }
}

/* Write to *fence the fence that an in-sync waits for, or GPUCMD_AGX_NONE if the in-sync names
 * a timeline point that has signalled and has no row. Return the broken rule or NONE. */
static gpucmd_agx_rule gpucmd_priv_agx_find_fence(gpucmd_agx_kernel *k,
                                                  const struct gpucmd_drm_asahi_sync *sync_arg,
                                                  uint32_t *fence)
{
    gpucmd_agx_syncobj *s = gpucmd_priv_agx_syncobj(k, sync_arg->handle);
    if (s == NULL || s->fence == GPUCMD_AGX_NONE) {
        return s == NULL ? GPUCMD_AGX_RULE_SYNC_UNKNOWN : GPUCMD_AGX_RULE_SYNC_NO_FENCE;
    }
    if (sync_arg->timeline_value != 0) {
        if (!s->timeline || sync_arg->timeline_value > s->last) {
            return GPUCMD_AGX_RULE_SYNC_POINT;
        }
        gpucmd_priv_agx_prune_points(k, s);
    }
    *fence = gpucmd_priv_agx_point_fence(k, s, sync_arg->timeline_value);
    return GPUCMD_AGX_RULE_NONE;
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
    const size_t at = (size_t)(i < a->in_count ? i : i - a->in_count);
    const uint8_t *base = i < a->in_count ? a->in : a->out;
    if (base == NULL) {
        return GPUCMD_AGX_RULE_SYNCS_FAULT;
    }
    if (!a->draft) {
        GPUCMD_AGX_PRIV_CONVERT(sync, sync_arg, base + at * sizeof *sync_arg);
        return GPUCMD_AGX_RULE_NONE;
    }
    struct gpucmd_drm_asahi_draft_sync d;
    GPUCMD_AGX_PRIV_CONVERT(draft_sync, &d, base + at * sizeof d);
    return gpucmd_agx_draft_sync(&d, sync_arg) == GPUCMD_OK ? GPUCMD_AGX_RULE_NONE
                                                            : GPUCMD_AGX_RULE_DRAFT_EXTENSIONS;
}

/* Check all syncs in order. Write the fences that the job must wait for to ids,
 * and the out-syncs to k->t.syncs. The caller must set *id_count to 0. */
static gpucmd_agx_rule gpucmd_priv_agx_check_syncs(gpucmd_agx_kernel *k,
                                                   const gpucmd_priv_agx_sync_arrays *a,
                                                   uint32_t *ids, uint32_t *id_count)
{
    uint64_t i;
    const uint64_t count = (uint64_t)a->in_count + a->out_count;
    gpucmd_agx_rule rule = GPUCMD_AGX_RULE_NONE;
    if (count > k->t.fence_id_count || a->out_count > k->t.sync_count) {
        return gpucmd_priv_agx_full(k, count > k->t.fence_id_count ? GPUCMD_AGX_TABLE_FENCE_IDS
                                                                   : GPUCMD_AGX_TABLE_SYNCS);
    }
    for (i = 0; i < count && rule == GPUCMD_AGX_RULE_NONE; i++) {
        struct gpucmd_drm_asahi_sync sync_arg;
        uint32_t fence = GPUCMD_AGX_NONE;
        rule = gpucmd_priv_agx_load_sync(a, i, &sync_arg);
        if (rule != GPUCMD_AGX_RULE_NONE) {
            return rule;
        }
        if (sync_arg.sync_type > GPUCMD_DRM_ASAHI_SYNC_TIMELINE_SYNCOBJ) {
            rule = GPUCMD_AGX_RULE_SYNC_TYPE;
        } else if (sync_arg.sync_type == GPUCMD_DRM_ASAHI_SYNC_SYNCOBJ &&
                   sync_arg.timeline_value != 0) {
            rule = GPUCMD_AGX_RULE_SYNC_VALUE;
        } else if (i < a->in_count) {
            rule = gpucmd_priv_agx_find_fence(k, &sync_arg, &fence);
        } else if (gpucmd_priv_agx_syncobj(k, sync_arg.handle) == NULL) {
            rule = GPUCMD_AGX_RULE_SYNC_UNKNOWN;
        }
        if (i >= a->in_count) {
            k->t.syncs[i - a->in_count] = sync_arg;
        } else if (rule == GPUCMD_AGX_RULE_NONE && fence != GPUCMD_AGX_NONE) {
            ids[(*id_count)++] = fence;
        }
    }
    return rule;
}

/* Attach a job's new fence to sync object s. The table of points must have a free row. */
static void gpucmd_priv_agx_attach(gpucmd_agx_kernel *k, gpucmd_agx_syncobj *s,
                                   const struct gpucmd_drm_asahi_sync *sync_arg, uint32_t fence)
{
    gpucmd_agx_exec_hold(&k->exec, fence); /* the sync object holds the fence */
    if (sync_arg->sync_type == GPUCMD_DRM_ASAHI_SYNC_SYNCOBJ) {
        gpucmd_priv_agx_syncobj_clear(k, s);
        s->fence = fence;
        return;
    }
    const uint32_t at = k->free_point;
    gpucmd_agx_point *p = &k->t.points[at];
    k->free_point = p->next;
    p->fence = fence;
    p->next = s->points;
    p->merged = s->timeline && sync_arg->timeline_value <= s->last;
    p->value = p->merged ? s->last : sync_arg->timeline_value;
    p->jump_value = p->depth = 0;
    if (!p->merged && s->points != GPUCMD_AGX_NONE) {
        gpucmd_priv_agx_set_jump(k->t.points, p, s->points, s->passed);
    }
    k->merged_points += p->merged ? 1 : 0;
    if (p->merged) {
        s->passed = 0;
    }
    if (s->fence != GPUCMD_AGX_NONE) {
        gpucmd_agx_exec_release(&k->exec, s->fence);
    }
    gpucmd_agx_exec_hold(&k->exec, fence); /* the timeline point holds the fence */
    s->fence = fence;
    s->points = at;
    s->last = p->value;
    s->timeline = true;
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
    const gpucmd_agx_gem *gem = o != NULL ? gpucmd_priv_agx_gem(k, o->handle) : NULL;
    uint8_t *host = gem != NULL ? gpucmd_priv_agx_gem_host(gem) : o != NULL ? o->host : NULL;
    return host != NULL ? host + (size_t)(o->offset + stamp->offset) : NULL;
}

/* Write the CPU addresses of the timestamps of k->job to *stamps. */
static void gpucmd_priv_agx_note_stamps(gpucmd_agx_kernel *k, gpucmd_agx_stamps *stamps)
{
    uint32_t i, half;
    for (i = 0; i < k->job.count; i++) {
        for (half = 0; half < 2; half++) {
            const struct gpucmd_drm_asahi_timestamps *s = &k->taken[i].stamps[half];
            stamps->at[i][half][0] = gpucmd_priv_agx_stamp_host(k, &s->start);
            stamps->at[i][half][1] = gpucmd_priv_agx_stamp_host(k, &s->end);
        }
    }
}

/* Set `result` to true if the list of free rows that begins at `first` has at least `want` rows. */
#define GPUCMD_AGX_PRIV_HAS_FREE(rows, first, want, result)                                        \
    do {                                                                                           \
        uint64_t n = 0;                                                                            \
        uint32_t at;                                                                               \
        for (at = (first); at != GPUCMD_AGX_NONE && n < (want); n++) {                             \
            at = (rows)[at].next;                                                                  \
        }                                                                                          \
        (result) = n >= (want);                                                                    \
    } while (0)

/* Return the first table without room for a submission, or NONE if all have room. */
static gpucmd_agx_table gpucmd_priv_agx_submit_room(const gpucmd_agx_kernel *k, uint32_t in_count,
                                                    uint32_t out_count)
{
    const uint64_t want = (uint64_t)in_count + out_count;
    bool points, fences, links;
    GPUCMD_AGX_PRIV_HAS_FREE(k->t.points, k->free_point, out_count, points);
    GPUCMD_AGX_PRIV_HAS_FREE(k->exec.t.fences, k->exec.free_fence, out_count, fences);
    GPUCMD_AGX_PRIV_HAS_FREE(k->exec.t.links, k->exec.free_link, want, links);
    return !points                                ? GPUCMD_AGX_TABLE_POINTS
           : !fences                              ? GPUCMD_AGX_TABLE_EXEC_FENCES
           : !links                               ? GPUCMD_AGX_TABLE_EXEC_LINKS
           : k->exec.free_job == GPUCMD_AGX_NONE  ? GPUCMD_AGX_TABLE_EXEC_JOBS
           : k->exec.free_job >= k->t.stamp_count ? GPUCMD_AGX_TABLE_STAMPS
                                                  : GPUCMD_AGX_TABLE_NONE;
}
#undef GPUCMD_AGX_PRIV_HAS_FREE

/* For each out-sync in turn, make a fence, write it to ids and attach it to the sync
 * object. A fence is attached before the next fence is made, because two out-syncs may
 * name one object, and the later point must follow the earlier point. */
static void gpucmd_priv_agx_make_fences(gpucmd_agx_kernel *k, uint32_t out_count, uint32_t *ids)
{
    uint32_t i;
    for (i = 0; i < out_count; i++) {
        const struct gpucmd_drm_asahi_sync *a = &k->t.syncs[i];
        gpucmd_agx_syncobj *s = gpucmd_priv_agx_syncobj(k, a->handle);
        ids[i] = gpucmd_agx_exec_fence(
            &k->exec, a->sync_type == GPUCMD_DRM_ASAHI_SYNC_SYNCOBJ ? GPUCMD_AGX_NONE : s->fence);
        gpucmd_priv_agx_attach(k, s, a, ids[i]);
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
        gpucmd_agx_exec_hold(&k->exec, ids[i]);
    }
    gpucmd_priv_agx_make_fences(k, out_count, ids + in_count);
    const gpucmd_status status = gpucmd_agx_exec_submit(&k->exec, q->exec, &sub, &slot);
    for (i = 0; i < in_count + out_count; i++) {
        gpucmd_agx_exec_release(&k->exec, ids[i]);
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

static gpucmd_agx_rule gpucmd_priv_agx_submit(gpucmd_agx_kernel *k,
                                              const struct gpucmd_drm_asahi_submit *arg)
{
    const uint64_t each_bytes = sizeof(struct gpucmd_drm_asahi_sync);
    const gpucmd_agx_queue *q = gpucmd_priv_agx_queue(k, arg->queue_id);
    const uint64_t count = (uint64_t)arg->in_sync_count + arg->out_sync_count;
    const gpucmd_agx_objects objects = {gpucmd_priv_agx_timestamp_bytes, k};
    gpucmd_agx_stamps *stamps = NULL;
    uint32_t in_count = 0;
    if (arg->flags != 0 || arg->pad != 0 || q == NULL || count > 0xffffffffu) {
        return arg->flags != 0 ? GPUCMD_AGX_RULE_FLAGS
               : arg->pad != 0 ? GPUCMD_AGX_RULE_PAD
               : q == NULL     ? GPUCMD_AGX_RULE_QUEUE_UNKNOWN
                               : GPUCMD_AGX_RULE_SYNC_COUNT;
    }
    const uint8_t *syncs = gpucmd_priv_agx_user(k, arg->syncs, count * each_bytes);
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
    const uint8_t *stream = gpucmd_priv_agx_user(k, arg->cmdbuf, arg->cmdbuf_size);
    if (stream == NULL || k->crashed) {
        return stream == NULL ? GPUCMD_AGX_RULE_CMDBUF_FAULT : GPUCMD_AGX_RULE_CRASHED;
    }
    if (gpucmd_priv_agx_parse(stream, arg->cmdbuf_size, &objects, &k->job, k->taken, &k->finding) !=
        GPUCMD_OK) {
        return k->finding.rule;
    }
    rule = gpucmd_priv_agx_queue_job(k, q, in_count, arg->out_sync_count, &stamps);
    if (rule == GPUCMD_AGX_RULE_NONE) {
        gpucmd_priv_agx_note_stamps(k, stamps);
    }
    return rule;
}

/* ---- address spaces, objects, queues ---- */

static gpucmd_agx_rule gpucmd_priv_agx_get_params(gpucmd_agx_kernel *k,
                                                  const struct gpucmd_drm_asahi_get_params *arg)
{
    struct gpucmd_drm_asahi_params_global p;
    if (arg->param_group != 0 || arg->pad != 0 || k->crashed) {
        return arg->param_group != 0 ? GPUCMD_AGX_RULE_PARAM_GROUP
               : arg->pad != 0       ? GPUCMD_AGX_RULE_PAD
                                     : GPUCMD_AGX_RULE_CRASHED;
    }
    GPUCMD_AGX_PRIV_CONVERT(params_global, &p, &k->params);
    return gpucmd_process_write(k->user, arg->pointer, &p,
                                arg->size < sizeof p ? arg->size : sizeof p) == 0
               ? GPUCMD_AGX_RULE_NONE
               : GPUCMD_AGX_RULE_ARGUMENT_FAULT;
}

static gpucmd_agx_rule gpucmd_priv_agx_get_time(gpucmd_agx_kernel *k,
                                                struct gpucmd_drm_asahi_get_time *arg)
{
    if (arg->flags != 0) {
        return GPUCMD_AGX_RULE_FLAGS;
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
    gpucmd_agx_space_init(&vm->space);
    return GPUCMD_AGX_RULE_NONE;
}

static gpucmd_agx_rule gpucmd_priv_agx_vm_create(gpucmd_agx_kernel *k,
                                                 struct gpucmd_drm_asahi_vm_create *arg)
{
    if (arg->pad != 0) {
        return GPUCMD_AGX_RULE_PAD;
    }
    if (arg->kernel_start < k->params.vm_start || arg->kernel_end > k->params.vm_end ||
        arg->kernel_end < arg->kernel_start ||
        arg->kernel_end - arg->kernel_start < k->params.vm_kernel_min_size ||
        ((arg->kernel_start | arg->kernel_end) & (GPUCMD_AGX_PAGE_BYTES - 1)) != 0) {
        return GPUCMD_AGX_RULE_VM_WINDOW;
    }
    return gpucmd_priv_agx_make_vm(k, arg->kernel_start, arg->kernel_end, &arg->vm_id);
}

static gpucmd_agx_rule gpucmd_priv_agx_vm_destroy(gpucmd_agx_kernel *k,
                                                  const struct gpucmd_drm_asahi_vm_destroy *arg)
{
    uint32_t i;
    gpucmd_agx_vm *vm = gpucmd_priv_agx_vm(k, arg->vm_id);
    if (arg->pad != 0 || vm == NULL) {
        return arg->pad != 0 ? GPUCMD_AGX_RULE_PAD : GPUCMD_AGX_RULE_VM_UNKNOWN;
    }
    gpucmd_priv_agx_map_free(&k->maps, vm->space.root);
    vm->used = false;
    for (i = 0; i < k->t.gem_count; i++) { /* forget the id, which a later VM may get */
        if (k->t.gems[i].used && k->t.gems[i].vm_id == arg->vm_id) {
            k->t.gems[i].vm_id = GPUCMD_AGX_NONE;
        }
    }
    return GPUCMD_AGX_RULE_NONE;
}

/* Check the range of a bind operation: aligned, not empty, inside the addresses of VMs. */
static gpucmd_agx_rule gpucmd_priv_agx_check_range(const gpucmd_agx_kernel *k,
                                                   const struct gpucmd_drm_asahi_gem_bind_op *op)
{
    const bool inside = op->addr >= k->params.vm_start && op->addr <= k->params.vm_end &&
                        op->range <= k->params.vm_end - op->addr;
    return ((op->addr | op->offset | op->range) & (GPUCMD_AGX_PAGE_BYTES - 1)) != 0
               ? GPUCMD_AGX_RULE_BIND_ALIGN
           : op->range == 0 ? GPUCMD_AGX_RULE_BIND_EMPTY
           : !inside        ? GPUCMD_AGX_RULE_BIND_WINDOW
                            : GPUCMD_AGX_RULE_NONE;
}

/* Check that the VM of a bind exists and that the object may be mapped in this VM. */
static gpucmd_agx_rule gpucmd_priv_agx_check_owner(const gpucmd_agx_kernel *k, uint32_t vm_id,
                                                   const gpucmd_agx_gem *gem)
{
    return gpucmd_priv_agx_vm(k, vm_id) == NULL     ? GPUCMD_AGX_RULE_VM_UNKNOWN
           : gem->vm_id != 0 && gem->vm_id != vm_id ? GPUCMD_AGX_RULE_BIND_PRIVATE
                                                    : GPUCMD_AGX_RULE_NONE;
}

/* Check a bind operation with an object, in this order: the object exists and contains the
 * range; READ or WRITE is set; the VM exists; the object is not private to another VM. */
static gpucmd_agx_rule gpucmd_priv_agx_check_gem(const gpucmd_agx_kernel *k, uint32_t vm_id,
                                                 const struct gpucmd_drm_asahi_gem_bind_op *op)
{
    const gpucmd_agx_gem *gem = gpucmd_priv_agx_gem(k, op->handle);
    const uint64_t length = (op->flags & GPUCMD_DRM_ASAHI_BIND_SINGLE_PAGE) != 0
                                ? (uint64_t)GPUCMD_AGX_PAGE_BYTES
                                : op->range;
    const uint32_t rights = GPUCMD_DRM_ASAHI_BIND_READ | GPUCMD_DRM_ASAHI_BIND_WRITE;
    return gem == NULL ? GPUCMD_AGX_RULE_GEM_UNKNOWN
           : op->offset > gem->bytes || length > gem->bytes - op->offset
               ? GPUCMD_AGX_RULE_BIND_OBJECT_RANGE
           : (op->flags & rights) == 0 ? GPUCMD_AGX_RULE_BIND_RIGHTS
                                       : gpucmd_priv_agx_check_owner(k, vm_id, gem);
}

/* Check a bind operation in the driver's order: flags and unused members, the
 * range, the kernel window if the VM exists, then the object and the VM. */
static gpucmd_agx_rule gpucmd_priv_agx_check_bind(const gpucmd_agx_kernel *k, uint32_t vm_id,
                                                  const struct gpucmd_drm_asahi_gem_bind_op *op)
{
    const uint32_t known = GPUCMD_DRM_ASAHI_BIND_READ | GPUCMD_DRM_ASAHI_BIND_WRITE |
                           GPUCMD_DRM_ASAHI_BIND_SINGLE_PAGE;
    const bool unbind = (op->flags & GPUCMD_DRM_ASAHI_BIND_UNBIND) != 0;
    const gpucmd_agx_vm *vm = gpucmd_priv_agx_vm(k, vm_id);
    if ((op->flags & ~(unbind ? (uint32_t)GPUCMD_DRM_ASAHI_BIND_UNBIND : known)) != 0) {
        return GPUCMD_AGX_RULE_BIND_FLAGS;
    }
    if (unbind && (op->handle != 0 || op->offset != 0)) {
        return GPUCMD_AGX_RULE_BIND_UNUSED;
    }
    const gpucmd_agx_rule rule = gpucmd_priv_agx_check_range(k, op);
    if (rule != GPUCMD_AGX_RULE_NONE) {
        return rule;
    }
    if (vm != NULL && op->addr < vm->kernel_end && op->addr + op->range > vm->kernel_start) {
        return GPUCMD_AGX_RULE_BIND_KERNEL_WINDOW;
    }
    return !unbind      ? gpucmd_priv_agx_check_gem(k, vm_id, op)
           : vm == NULL ? GPUCMD_AGX_RULE_VM_UNKNOWN
                        : GPUCMD_AGX_RULE_NONE;
}

/* Map a range of a VM as a checked bind operation requests. */
static gpucmd_agx_rule gpucmd_priv_agx_map(gpucmd_agx_kernel *k, uint32_t vm_id,
                                           const struct gpucmd_drm_asahi_gem_bind_op *op)
{
    const gpucmd_agx_map map = {
        op->addr, op->range, op->offset, op->handle, op->flags, {0, 0},
             0, 0
    };
    return gpucmd_agx_space_bind(&k->maps, &k->t.vms[vm_id - 1].space, &map) == GPUCMD_OK
               ? GPUCMD_AGX_RULE_NONE
               : gpucmd_priv_agx_full(k, GPUCMD_AGX_TABLE_MAPS);
}

GPUCMD_PRIV_API gpucmd_agx_rule gpucmd_agx_kernel_bind_op(
    gpucmd_agx_kernel *k, uint32_t vm_id, const struct gpucmd_drm_asahi_gem_bind_op *op)
{
    const gpucmd_agx_rule rule = gpucmd_priv_agx_check_bind(k, vm_id, op);
    if (rule != GPUCMD_AGX_RULE_NONE) {
        return rule;
    }
    if ((op->flags & GPUCMD_DRM_ASAHI_BIND_UNBIND) == 0) {
        return gpucmd_priv_agx_map(k, vm_id, op);
    }
    return gpucmd_agx_space_unbind(&k->maps, &k->t.vms[vm_id - 1].space, op->addr, op->range) ==
                   GPUCMD_OK
               ? GPUCMD_AGX_RULE_NONE
               : gpucmd_priv_agx_full(k, GPUCMD_AGX_TABLE_MAPS);
}

static gpucmd_agx_rule gpucmd_priv_agx_vm_bind(gpucmd_agx_kernel *k,
                                               const struct gpucmd_drm_asahi_vm_bind *arg)
{
    uint32_t i;
    const uint64_t len_bytes = gpucmd_priv_mul(arg->num_binds, arg->stride);
    if (arg->stride == 0 || arg->pad != 0) {
        return arg->stride == 0 ? GPUCMD_AGX_RULE_BIND_STRIDE : GPUCMD_AGX_RULE_PAD;
    }
    const uint8_t *ops = gpucmd_priv_agx_user(k, arg->userptr, len_bytes);
    if (ops == NULL || len_bytes > (size_t)-1) {
        return GPUCMD_AGX_RULE_BIND_OPS_FAULT;
    }
    for (i = 0; i < arg->num_binds; i++) {
        const size_t at = (size_t)i * arg->stride;
        struct gpucmd_drm_asahi_gem_bind_op op;
        gpucmd_agx_rule rule = GPUCMD_AGX_RULE_BIND_TAIL;
        if (gpucmd_process_copy_in(NULL, (uintptr_t)(ops + at), arg->stride, &op, sizeof op) == 0) {
            GPUCMD_AGX_PRIV_CONVERT(gem_bind_op, &op, &op);
            rule = gpucmd_agx_kernel_bind_op(k, arg->vm_id, &op);
        }
        if (rule != GPUCMD_AGX_RULE_NONE) {
            (void)gpucmd_priv_agx_set_finding(&k->finding, rule, (int32_t)i, at);
            return rule;
        }
    }
    return GPUCMD_AGX_RULE_NONE;
}

/* Check size, flags and VM of a new GEM object, then create it. */
static gpucmd_agx_rule gpucmd_priv_agx_gem_create(gpucmd_agx_kernel *k,
                                                  struct gpucmd_drm_asahi_gem_create *arg)
{
    const uint32_t known = GPUCMD_DRM_ASAHI_GEM_WRITEBACK | GPUCMD_DRM_ASAHI_GEM_VM_PRIVATE;
    const bool is_private = (arg->flags & GPUCMD_DRM_ASAHI_GEM_VM_PRIVATE) != 0;
    const uint64_t mask = GPUCMD_AGX_PAGE_BYTES - 1;
    const bool owner = is_private ? gpucmd_priv_agx_vm(k, arg->vm_id) != NULL : arg->vm_id == 0;
    const gpucmd_agx_rule rule = arg->pad != 0 ? GPUCMD_AGX_RULE_PAD
                                 : arg->size == 0 || arg->size + mask < arg->size
                                     ? GPUCMD_AGX_RULE_GEM_SIZE
                                 : (arg->flags & ~known) != 0 ? GPUCMD_AGX_RULE_FLAGS
                                 : owner                      ? GPUCMD_AGX_RULE_NONE
                                 : is_private                 ? GPUCMD_AGX_RULE_VM_UNKNOWN
                                                              : GPUCMD_AGX_RULE_GEM_VM_ID;
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

GPUCMD_PRIV_API int gpucmd_agx_kernel_gem_export(gpucmd_agx_kernel *k, uint32_t handle,
                                                 gpucmd_agx_dmabuf *place,
                                                 gpucmd_agx_dmabuf **dmabuf)
{
    gpucmd_agx_gem *gem = gpucmd_priv_agx_gem(k, handle);
    if (gem == NULL || (gem->flags & GPUCMD_DRM_ASAHI_GEM_VM_PRIVATE) != 0) {
        return gpucmd_priv_agx_reject(k, gem == NULL ? GPUCMD_AGX_RULE_GEM_UNKNOWN
                                                     : GPUCMD_AGX_RULE_GEM_EXPORT);
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

/* Remove all mappings of an object from a VM. Do nothing if the VM is unused. */
static void gpucmd_priv_agx_unmap_object(gpucmd_agx_kernel *k, gpucmd_agx_vm *vm, uint32_t handle)
{
    const gpucmd_agx_map *map = vm->used ? gpucmd_agx_space_find(&k->maps, &vm->space, 0) : NULL;
    while (map != NULL) {
        const uint64_t va = map->va;
        const uint64_t bytes = map->bytes;
        if (map->handle == handle) { /* removing a whole mapping needs no free row */
            (void)!gpucmd_agx_space_unbind(&k->maps, &vm->space, va, bytes);
        }
        map = gpucmd_agx_space_find(&k->maps, &vm->space, va + bytes);
    }
}

GPUCMD_PRIV_API int gpucmd_agx_kernel_gem_close(gpucmd_agx_kernel *k, uint32_t handle)
{
    uint32_t i;
    gpucmd_agx_gem *gem = gpucmd_priv_agx_gem(k, handle);
    if (gem == NULL) {
        return gpucmd_priv_agx_reject(k, GPUCMD_AGX_RULE_GEM_UNKNOWN);
    }
    for (i = 0; i < k->t.vm_count; i++) {
        gpucmd_priv_agx_unmap_object(k, &k->t.vms[i], handle);
    }
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
    if (arg->flags != 0 || gpucmd_priv_agx_gem(k, arg->handle) == NULL) {
        return arg->flags != 0 ? GPUCMD_AGX_RULE_FLAGS : GPUCMD_AGX_RULE_GEM_UNKNOWN;
    }
    arg->offset = (uint64_t)arg->handle << 32; /* opaque value, unique for each object */
    return GPUCMD_AGX_RULE_NONE;
}

/* Check a range of a GEM object, then make a timestamp object from the range. */
static gpucmd_agx_rule gpucmd_priv_agx_bind_object(gpucmd_agx_kernel *k,
                                                   struct gpucmd_drm_asahi_gem_bind_object *arg)
{
    const gpucmd_agx_gem *gem = gpucmd_priv_agx_gem(k, arg->handle);
    const uint64_t end = arg->offset + arg->range;
    const gpucmd_agx_rule rule = ((arg->offset | arg->range) & (GPUCMD_AGX_PAGE_BYTES - 1)) != 0
                                     ? GPUCMD_AGX_RULE_OBJECT_ALIGN
                                 : arg->flags != GPUCMD_DRM_ASAHI_BIND_OBJECT_USAGE_TIMESTAMPS
                                     ? GPUCMD_AGX_RULE_OBJECT_FLAGS
                                 : end < arg->offset ? GPUCMD_AGX_RULE_OBJECT_RANGE
                                 : gem == NULL       ? GPUCMD_AGX_RULE_GEM_UNKNOWN
                                 : end > gem->bytes  ? GPUCMD_AGX_RULE_OBJECT_RANGE
                                 : gem->vm_id != 0   ? GPUCMD_AGX_RULE_OBJECT_PRIVATE
                                                     : GPUCMD_AGX_RULE_NONE;
    if (rule != GPUCMD_AGX_RULE_NONE) {
        return rule;
    }
    gpucmd_agx_object *o = gpucmd_priv_agx_new_object(k, &arg->object_handle);
    if (o == NULL) {
        return GPUCMD_AGX_RULE_NO_MEMORY;
    }
    o->handle = arg->handle;
    o->offset = arg->offset;
    o->bytes = arg->range;
    return GPUCMD_AGX_RULE_NONE;
}

static gpucmd_agx_rule gpucmd_priv_agx_unbind_object(
    gpucmd_agx_kernel *k, const struct gpucmd_drm_asahi_gem_bind_object *arg)
{
    gpucmd_agx_object *o = gpucmd_priv_agx_object(k, arg->object_handle);
    if (arg->range != 0 || arg->offset != 0 || arg->flags != 0 || arg->handle != 0) {
        return GPUCMD_AGX_RULE_OBJECT_UNUSED;
    }
    if (o == NULL) {
        return GPUCMD_AGX_RULE_OBJECT_UNKNOWN;
    }
    o->used = false;
    return GPUCMD_AGX_RULE_NONE;
}

static gpucmd_agx_rule gpucmd_priv_agx_gem_bind_object(gpucmd_agx_kernel *k,
                                                       struct gpucmd_drm_asahi_gem_bind_object *arg)
{
    if (arg->pad != 0 || arg->vm_id != 0) {
        return arg->pad != 0 ? GPUCMD_AGX_RULE_PAD : GPUCMD_AGX_RULE_OBJECT_VM_ID;
    }
    return arg->op == GPUCMD_DRM_ASAHI_BIND_OBJECT_OP_BIND ? gpucmd_priv_agx_bind_object(k, arg)
           : arg->op == GPUCMD_DRM_ASAHI_BIND_OBJECT_OP_UNBIND
               ? gpucmd_priv_agx_unbind_object(k, arg)
               : GPUCMD_AGX_RULE_OBJECT_OP;
}

/* Make a queue with capabilities caps. The caller must have checked flags and priority. */
static gpucmd_agx_rule gpucmd_priv_agx_make_queue(gpucmd_agx_kernel *k,
                                                  struct gpucmd_drm_asahi_queue_create *arg,
                                                  uint32_t caps)
{
    const gpucmd_agx_vm *vm = gpucmd_priv_agx_vm(k, arg->vm_id);
    uint32_t id = 0;
    if (vm == NULL) {
        return GPUCMD_AGX_RULE_VM_UNKNOWN;
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
    return arg->flags != 0 ? GPUCMD_AGX_RULE_FLAGS
           : arg->priority > GPUCMD_DRM_ASAHI_PRIORITY_MEDIUM
               ? GPUCMD_AGX_RULE_QUEUE_PRIORITY
               : gpucmd_priv_agx_make_queue(k, arg, all);
}

static gpucmd_agx_rule gpucmd_priv_agx_queue_destroy(
    gpucmd_agx_kernel *k, const struct gpucmd_drm_asahi_queue_destroy *arg)
{
    gpucmd_agx_queue *q = gpucmd_priv_agx_queue(k, arg->queue_id);
    if (arg->pad != 0 || q == NULL) {
        return arg->pad != 0 ? GPUCMD_AGX_RULE_PAD : GPUCMD_AGX_RULE_QUEUE_UNKNOWN;
    }
    gpucmd_agx_exec_queue_retire(&k->exec, q->exec);
    q->used = false;
    return GPUCMD_AGX_RULE_NONE;
}

/* ---- ioctls by number ---- */

/* Define gpucmd_agx_kernel_<argument> for each ioctl. */
#define GPUCMD_AGX_PRIV_IOCTL(name, id, arg, pointer)                                              \
    GPUCMD_PRIV_API int gpucmd_agx_kernel_##arg(gpucmd_agx_kernel *k, pointer a)                   \
    {                                                                                              \
        k->finding.rule = GPUCMD_AGX_RULE_NONE;                                                    \
        return gpucmd_priv_agx_result(k, gpucmd_priv_agx_##arg(k, a));                             \
    }
GPUCMD_AGX_IOCTLS(GPUCMD_AGX_PRIV_IOCTL)
#undef GPUCMD_AGX_PRIV_IOCTL

/* Argument of any ioctl, in CPU byte order. */
#define GPUCMD_AGX_PRIV_IOCTL(name, id, arg, pointer) struct gpucmd_drm_asahi_##arg arg;
typedef union gpucmd_priv_agx_arg {
    GPUCMD_AGX_IOCTLS(GPUCMD_AGX_PRIV_IOCTL)
} gpucmd_priv_agx_arg;
#undef GPUCMD_AGX_PRIV_IOCTL

#define GPUCMD_AGX_PRIV_IOCTL(name, id, arg, pointer)                                              \
    case GPUCMD_DRM_ASAHI_##name: return gpucmd_agx_kernel_##arg(k, &a->arg);
static int gpucmd_priv_agx_dispatch(gpucmd_agx_kernel *k, uint32_t id, gpucmd_priv_agx_arg *a)
{
    switch ((enum gpucmd_drm_asahi_ioctl_id)id) {
        GPUCMD_AGX_IOCTLS(GPUCMD_AGX_PRIV_IOCTL)
    }
    return gpucmd_priv_agx_reject(k, GPUCMD_AGX_RULE_IOCTL_UNKNOWN);
}
#undef GPUCMD_AGX_PRIV_IOCTL

GPUCMD_PRIV_API const char *gpucmd_agx_ioctl_name(uint32_t request)
{
    const bool asahi = GPUCMD_FIELD_GET(IOC_LETTER, request) == 'd';
    return gpucmd_priv_row_text(
        GPUCMD_AGX_IOCTLS(GPUCMD_PRIV_ROW_NAME),
        asahi ? (size_t)GPUCMD_FIELD_GET(IOC_NR, request) - GPUCMD_AGX_FIRST_IOCTL : (size_t)-1);
}

GPUCMD_PRIV_API int gpucmd_agx_kernel_ioctl(gpucmd_agx_kernel *k, uint32_t request, void *arg)
{
#define GPUCMD_AGX_PRIV_IOCTL(name, id, arg, pointer) GPUCMD_DRM_IOCTL_ASAHI_##name,
    static const uint32_t known[] = {GPUCMD_AGX_IOCTLS(GPUCMD_AGX_PRIV_IOCTL)};
#undef GPUCMD_AGX_PRIV_IOCTL
    const uint32_t id = GPUCMD_FIELD_GET(IOC_NR, request) - GPUCMD_AGX_FIRST_IOCTL;
    const uint32_t have_bytes = GPUCMD_FIELD_GET(IOC_BYTES, request);
    gpucmd_priv_agx_arg a;
    if (id >= sizeof known / sizeof known[0] ||
        ((request ^ known[id]) & ~GPUCMD_FIELD_MASK(IOC_BYTES)) != 0) {
        return gpucmd_priv_agx_reject(k, GPUCMD_AGX_RULE_IOCTL_UNKNOWN);
    }
    const uint32_t want_bytes = GPUCMD_FIELD_GET(IOC_BYTES, known[id]);
    int result = gpucmd_process_copy_in(NULL, (uintptr_t)arg, have_bytes, &a, want_bytes);
    if (result != 0) {
        return gpucmd_priv_agx_reject(k, result == -GPUCMD_SYS_EFAULT
                                             ? GPUCMD_AGX_RULE_ARGUMENT_FAULT
                                             : GPUCMD_AGX_RULE_ARGUMENT_TAIL);
    }
    result = gpucmd_priv_agx_dispatch(k, id, &a);
    if (result == 0 && (GPUCMD_FIELD_GET(IOC_DIR, request) & GPUCMD_IOC_READ) != 0) {
        result = gpucmd_process_copy_out(NULL, (uintptr_t)arg, have_bytes, &a, want_bytes);
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
    int result = sys->sys_open(sys->user, path, GPUCMD_SYS_O_RDWR | GPUCMD_SYS_O_CLOEXEC);
    c->fd = result < 0 ? -1 : result;
    if (result < 0) {
        return result;
    }
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
    *vm_id = result == 0 ? arg.vm_id : *vm_id;
    return result;
}

GPUCMD_PRIV_API int gpucmd_agx_client_gem_create(gpucmd_agx_client *c, uint64_t bytes,
                                                 uint32_t flags, uint32_t vm_id, uint32_t *handle)
{
    const uint32_t owner = vm_id != 0 ? (uint32_t)GPUCMD_DRM_ASAHI_GEM_VM_PRIVATE : 0u;
    struct gpucmd_drm_asahi_gem_create arg = {bytes, flags | owner, vm_id, 0, 0};
    const int result = gpucmd_priv_agx_call(c, GPUCMD_DRM_IOCTL_ASAHI_GEM_CREATE, &arg);
    *handle = result == 0 ? arg.handle : *handle;
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
    *queue_id = result == 0 ? arg.queue_id : *queue_id;
    return result;
}

GPUCMD_PRIV_API int gpucmd_agx_client_bind_timestamps(gpucmd_agx_client *c, uint32_t handle,
                                                      uint64_t bytes, uint32_t *object_handle)
{
    const uint32_t op = GPUCMD_DRM_ASAHI_BIND_OBJECT_OP_BIND;
    const uint32_t flags = GPUCMD_DRM_ASAHI_BIND_OBJECT_USAGE_TIMESTAMPS;
    struct gpucmd_drm_asahi_gem_bind_object arg = {op, flags, handle, 0, 0, bytes, 0, 0};
    const int result = gpucmd_priv_agx_call(c, GPUCMD_DRM_IOCTL_ASAHI_GEM_BIND_OBJECT, &arg);
    *object_handle = result == 0 ? arg.object_handle : *object_handle;
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
    *upstream = none ? GPUCMD_DRM_ASAHI_BARRIER_NONE : draft;
    return GPUCMD_OK;
}

GPUCMD_PRIV_API gpucmd_status gpucmd_agx_draft_cmd_type(uint32_t draft, uint32_t *upstream)
{
    if (draft == GPUCMD_DRM_ASAHI_DRAFT_CMD_BLIT || draft > GPUCMD_DRM_ASAHI_DRAFT_CMD_COMPUTE) {
        return draft == GPUCMD_DRM_ASAHI_DRAFT_CMD_BLIT ? GPUCMD_UNSUPPORTED : GPUCMD_INVALID;
    }
    *upstream = draft == GPUCMD_DRM_ASAHI_DRAFT_CMD_RENDER ? GPUCMD_DRM_ASAHI_CMD_RENDER
                                                           : GPUCMD_DRM_ASAHI_CMD_COMPUTE;
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
static uint64_t gpucmd_priv_agx_fit(gpucmd_status *status, uint64_t v, uint64_t highest)
{
    if (v > highest && *status == GPUCMD_OK) {
        *status = GPUCMD_RANGE;
    }
    return v <= highest ? v : 0;
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
    const uint64_t v = a != 0 ? a : b != 0 ? b : c;
    gpucmd_priv_agx_require(status, (a == 0 || a == v) && (b == 0 || b == v) && (c == 0 || c == v));
    return v;
}

/* Translate the render flags of a draft that upstream also has; other flags set *status to
 * GPUCMD_UNSUPPORTED. spills is true if the draft has the flag VERTEX_SPILLS. */
static uint32_t gpucmd_priv_agx_draft_flags(gpucmd_status *status, uint64_t flags, bool spills)
{
    const uint64_t known = (uint64_t)GPUCMD_DRM_ASAHI_DRAFT_RENDER_PROCESS_EMPTY_TILES |
                           GPUCMD_DRM_ASAHI_DRAFT_RENDER_NO_VERTEX_CLUSTERING |
                           (spills ? (uint64_t)GPUCMD_DRM_ASAHI_DRAFT_RENDER_VERTEX_SPILLS : 0u);
    uint32_t out = 0;
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
 * status, as in gpucmd_priv_agx_fit. */
#define GPUCMD_AGX_PRIV_DRAFT_SIZES(d, c, s)                                                       \
    do {                                                                                           \
        (c)->width_px = (uint16_t)gpucmd_priv_agx_fit((s), (d)->fb_width, 0xffff);                 \
        (c)->height_px = (uint16_t)gpucmd_priv_agx_fit((s), (d)->fb_height, 0xffff);               \
        (c)->layers = (uint16_t)gpucmd_priv_agx_fit((s), (d)->layers, 0xffff);                     \
        (c)->utile_width_px = (uint8_t)gpucmd_priv_agx_fit((s), (d)->utile_width, 0xff);           \
        (c)->utile_height_px = (uint8_t)gpucmd_priv_agx_fit((s), (d)->utile_height, 0xff);         \
        (c)->samples = (uint8_t)gpucmd_priv_agx_fit((s), (d)->samples, 0xff);                      \
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
    c.sample_size_B = (uint8_t)gpucmd_priv_agx_fit(&status, draft->iogpu_unk_49, 0xff);
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
    (out_stride) = (uint32_t)gpucmd_priv_agx_fit(                                                  \
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
    c.sample_size_B = (uint8_t)gpucmd_priv_agx_fit(&status, draft->sample_size, 0xff);
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
    c.sampler_count = (uint16_t)gpucmd_priv_agx_fit(&status, draft->vertex_sampler_count, 0xffff);
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
        const uint64_t at = out ? i - draft->in_sync_count : i;
        struct gpucmd_drm_asahi_draft_sync d;
        struct gpucmd_drm_asahi_sync up;
        const uint64_t va =
            (out ? draft->out_syncs : draft->in_syncs) + gpucmd_priv_mul(at, sizeof d);
        gpucmd_status status = GPUCMD_AGX_PRIV_FETCH(mem, va, draft_sync, &d);
        status = status != GPUCMD_OK ? status : gpucmd_agx_draft_sync(&d, &up);
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

static gpucmd_priv_agx_draft_list gpucmd_priv_agx_list(uint64_t va, uint32_t count,
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
        p->lists[0] = gpucmd_priv_agx_list(p->u.c06.attachments, p->u.c06.attachment_count, set);
    } else {
        status = GPUCMD_AGX_PRIV_FETCH(mem, va, draft11_cmd_compute, &p->u.c11);
        p->bad_flags = p->u.c11.flags & ~(uint64_t)GPUCMD_DRM_ASAHI_DRAFT_COMPUTE_NO_PREEMPTION;
        p->lists[0] = gpucmd_priv_agx_list(p->u.c11.attachments, p->u.c11.attachment_count, set);
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
        p->lists[0] = gpucmd_priv_agx_list(r->attachments, r->attachment_count, fragment);
    } else {
        const struct gpucmd_drm_asahi_draft11_cmd_render *r = &p->u.r11;
        status = GPUCMD_AGX_PRIV_FETCH(mem, va, draft11_cmd_render, &p->u.r11);
        p->bad_flags = r->flags & ~(both | only11);
        p->lists[0] =
            gpucmd_priv_agx_list(r->vertex_attachments, r->vertex_attachment_count, vertex);
        p->lists[1] =
            gpucmd_priv_agx_list(r->fragment_attachments, r->fragment_attachment_count, fragment);
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

/* Check an attachment list in the driver's order. [DRVD] */
static gpucmd_agx_rule gpucmd_priv_agx_check_draft_list(gpucmd_mem *mem, gpucmd_agx_draft draft,
                                                        const gpucmd_priv_agx_draft_list *list)
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
    if ((compute ? gpucmd_priv_agx_fetch_compute(mem, c->cmd_buffer, draft, &p)
                 : gpucmd_priv_agx_fetch_render(mem, c->cmd_buffer, draft, &p)) != GPUCMD_OK) {
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

/* Check a draft command in the driver's order: barriers, the result range, the
 * payload, the capability of the queue. job holds the commands before c. */
static gpucmd_agx_rule gpucmd_priv_agx_check_draft(gpucmd_mem *mem,
                                                   const struct gpucmd_drm_asahi_draft_command *c,
                                                   const struct gpucmd_drm_asahi_draft_submit *s,
                                                   const gpucmd_agx_draft_queue *q,
                                                   const gpucmd_agx_job *job)
{
    const uint32_t cap = c->cmd_type == GPUCMD_DRM_ASAHI_DRAFT_CMD_COMPUTE
                             ? GPUCMD_DRM_ASAHI_DRAFT_CAP_COMPUTE
                             : GPUCMD_DRM_ASAHI_DRAFT_CAP_RENDER;
    if (c->barriers[0] != GPUCMD_DRM_ASAHI_DRAFT_BARRIER_NONE && c->barriers[0] > job->renders) {
        return GPUCMD_AGX_RULE_VDM_BARRIER;
    }
    if (c->barriers[1] != GPUCMD_DRM_ASAHI_DRAFT_BARRIER_NONE && c->barriers[1] > job->computes) {
        return GPUCMD_AGX_RULE_CDM_BARRIER;
    }
    if (s->result_handle == 0
            ? (c->result_offset | c->result_size) != 0
            : c->result_size != 0 && (c->result_offset > q->result_bytes ||
                                      c->result_size > q->result_bytes - c->result_offset)) {
        return GPUCMD_AGX_RULE_DRAFT_RESULT;
    }
    const gpucmd_agx_rule rule = gpucmd_priv_agx_check_draft_payload(mem, c, q->draft);
    return rule != GPUCMD_AGX_RULE_NONE ? rule
           : (q->caps & cap) == 0       ? GPUCMD_AGX_RULE_DRAFT_CAPS
                                        : GPUCMD_AGX_RULE_NONE;
}

/* Check the members of a draft submission that need no look-up. */
static gpucmd_agx_rule gpucmd_priv_agx_check_draft_head(
    const struct gpucmd_drm_asahi_draft_submit *s, gpucmd_agx_draft draft)
{
    const bool many_syncs =
        draft == GPUCMD_AGX_DRAFT_10006 && (s->in_sync_count > GPUCMD_AGX_DRAFT_MAX_SYNCS ||
                                            s->out_sync_count > GPUCMD_AGX_DRAFT_MAX_SYNCS);
    return s->extensions != 0                           ? GPUCMD_AGX_RULE_DRAFT_EXTENSIONS
           : s->flags != 0                              ? GPUCMD_AGX_RULE_FLAGS
           : s->command_count > GPUCMD_AGX_MAX_COMMANDS ? GPUCMD_AGX_RULE_COMMAND_COUNT
           : many_syncs                                 ? GPUCMD_AGX_RULE_SYNC_COUNT
                                                        : GPUCMD_AGX_RULE_NONE;
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
    return gpucmd_mem_probe(mem, s->commands, len_bytes, GPUCMD_ACCESS_READ) != GPUCMD_OK
               ? GPUCMD_AGX_RULE_CMDBUF_FAULT
           : queue->crashed        ? GPUCMD_AGX_RULE_CRASHED
           : s->command_count == 0 ? GPUCMD_AGX_RULE_COMMAND_COUNT
                                   : GPUCMD_AGX_RULE_NONE;
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
    return finding->rule == GPUCMD_AGX_RULE_NONE ? GPUCMD_OK : GPUCMD_INVALID;
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
    return rule != GPUCMD_AGX_RULE_NONE
               ? gpucmd_priv_agx_set_finding(finding, rule, -1, 0)
               : gpucmd_priv_agx_check_draft_commands(mem, submit, queue, job, taken, finding);
}

GPUCMD_PRIV_API gpucmd_status gpucmd_agx_draft_check(
    gpucmd_mem *mem, const struct gpucmd_drm_asahi_draft_submit *submit,
    const gpucmd_agx_draft_queue *queue, gpucmd_agx_job *job, gpucmd_agx_finding *finding)
{
    return gpucmd_priv_agx_draft_check(mem, submit, queue, job, NULL, finding);
}

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
        if (status != GPUCMD_OK || list[i].flags != 0) {
            return status != GPUCMD_OK ? status : GPUCMD_UNSUPPORTED;
        }
    }
    if (from->count != 0 || (m->filled & bit) != 0) {
        gpucmd_agx_emit_attachments(m->stream, from->cmd_type, list, from->count);
    }
    m->filled = from->count != 0 ? m->filled | bit : m->filled & ~bit;
    return GPUCMD_OK;
}

static gpucmd_status gpucmd_priv_agx_translate_compute(gpucmd_priv_agx_translation *m, uint64_t va)
{
    gpucmd_priv_agx_draft_payload p;
    struct gpucmd_drm_asahi_cmd_compute c;
    gpucmd_status status = gpucmd_priv_agx_fetch_compute(m->mem, va, m->draft, &p);
    status = status != GPUCMD_OK ? status
             : m->draft == GPUCMD_AGX_DRAFT_10006
                 ? gpucmd_agx_draft06_compute(&p.u.c06, &c)
                 : gpucmd_agx_draft11_compute(&p.u.c11, m->usc_exec_base, &c);
    status = status != GPUCMD_OK ? status : gpucmd_priv_agx_translate_list(m, &p.lists[0]);
    if (status == GPUCMD_OK) {
        gpucmd_agx_emit_compute(m->stream, m->vdm, m->cdm, &c);
    }
    return status;
}

static gpucmd_status gpucmd_priv_agx_translate_render(gpucmd_priv_agx_translation *m, uint64_t va)
{
    uint32_t i;
    gpucmd_priv_agx_draft_payload p;
    struct gpucmd_drm_asahi_cmd_render c;
    gpucmd_status status = gpucmd_priv_agx_fetch_render(m->mem, va, m->draft, &p);
    status = status != GPUCMD_OK ? status
             : m->draft == GPUCMD_AGX_DRAFT_10006
                 ? gpucmd_agx_draft06_render(&p.u.r06, &c)
                 : gpucmd_agx_draft11_render(&p.u.r11, m->usc_exec_base, &c);
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
    m.filled = gpucmd_writer_at_dw(&stream->w) != 0 ? ~(uint32_t)0 : 0;
    for (i = 0; i < submit->command_count; i++) {
        struct gpucmd_drm_asahi_draft_command c;
        uint32_t type = 0;
        gpucmd_status status = gpucmd_priv_agx_fetch_command(mem, submit, i, &c);
        status = status == GPUCMD_OK && c.extensions != 0 ? GPUCMD_UNSUPPORTED : status;
        status = status != GPUCMD_OK ? status : gpucmd_agx_draft_cmd_type(c.cmd_type, &type);
        status = status != GPUCMD_OK ? status : gpucmd_agx_draft_barrier(c.barriers[0], &m.vdm);
        status = status != GPUCMD_OK ? status : gpucmd_agx_draft_barrier(c.barriers[1], &m.cdm);
        if (status == GPUCMD_OK) {
            status = type == GPUCMD_DRM_ASAHI_CMD_COMPUTE
                         ? gpucmd_priv_agx_translate_compute(&m, c.cmd_buffer)
                         : gpucmd_priv_agx_translate_render(&m, c.cmd_buffer);
        }
        if (status != GPUCMD_OK || stream->w.status != GPUCMD_OK) {
            return status != GPUCMD_OK ? status : stream->w.status;
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
    if (arg->param_group != 0 || arg->pad != 0 || k->crashed) {
        return arg->param_group != 0 ? GPUCMD_AGX_RULE_PARAM_GROUP
               : arg->pad != 0       ? GPUCMD_AGX_RULE_PAD
                                     : GPUCMD_AGX_RULE_CRASHED;
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
    return gpucmd_process_write(k->user, arg->pointer, &u,
                                arg->size < len_bytes ? arg->size : len_bytes) == 0
               ? GPUCMD_AGX_RULE_NONE
               : GPUCMD_AGX_RULE_ARGUMENT_FAULT;
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
    const gpucmd_agx_rule rule =
        a->offset != 0 ? GPUCMD_AGX_RULE_DRAFT_BIND_WHOLE
        : ((a->addr | a->range) & (GPUCMD_AGX_PAGE_BYTES - 1)) != 0 ? GPUCMD_AGX_RULE_BIND_ALIGN
        : (a->flags & ~known) != 0                                  ? GPUCMD_AGX_RULE_BIND_FLAGS
        : gem == NULL                                               ? GPUCMD_AGX_RULE_GEM_UNKNOWN
        : a->range != gem->bytes                           ? GPUCMD_AGX_RULE_DRAFT_BIND_WHOLE
        : !gpucmd_priv_agx_draft_window(a->addr, a->range) ? GPUCMD_AGX_RULE_BIND_WINDOW
        : a->flags == 0                                    ? GPUCMD_AGX_RULE_BIND_RIGHTS
                                                           : GPUCMD_AGX_RULE_NONE;
    return rule != GPUCMD_AGX_RULE_NONE ? rule : gpucmd_priv_agx_check_owner(k, a->vm_id, gem);
}

/* Do a bind of draft 10006. The range, the page before and the page after must be free. */
static gpucmd_agx_rule gpucmd_priv_agx_draft06_bind(gpucmd_agx_kernel *k,
                                                    const struct gpucmd_drm_asahi_draft_gem_bind *a)
{
    const gpucmd_agx_rule rule = gpucmd_priv_agx_check_draft06_bind(k, a);
    if (rule != GPUCMD_AGX_RULE_NONE) {
        return rule;
    }
    const gpucmd_agx_map *next = gpucmd_agx_space_find(&k->maps, &k->t.vms[a->vm_id - 1].space,
                                                       a->addr - GPUCMD_AGX_PAGE_BYTES);
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
    return gpucmd_agx_draft_bind(a, &op) == GPUCMD_OK ? gpucmd_agx_kernel_bind_op(k, a->vm_id, &op)
                                                      : GPUCMD_AGX_RULE_BIND_FLAGS;
}

/* Remove all mappings of an object from one VM, or from all VMs if vm_id is 0. */
static gpucmd_agx_rule gpucmd_priv_agx_draft_unbind_all(
    gpucmd_agx_kernel *k, const struct gpucmd_drm_asahi_draft_gem_bind *a)
{
    uint32_t i;
    const gpucmd_agx_vm *vm = gpucmd_priv_agx_vm(k, a->vm_id);
    const gpucmd_agx_rule rule = a->flags != 0 || a->offset != 0 || a->range != 0 || a->addr != 0
                                     ? GPUCMD_AGX_RULE_DRAFT_UNBIND_UNUSED
                                 : gpucmd_priv_agx_gem(k, a->handle) == NULL
                                     ? GPUCMD_AGX_RULE_GEM_UNKNOWN
                                 : a->vm_id != 0 && vm == NULL ? GPUCMD_AGX_RULE_VM_UNKNOWN
                                                               : GPUCMD_AGX_RULE_NONE;
    if (rule != GPUCMD_AGX_RULE_NONE) {
        return rule;
    }
    for (i = 0; i < k->t.vm_count; i++) {
        if (a->vm_id == 0 || vm == &k->t.vms[i]) {
            gpucmd_priv_agx_unmap_object(k, &k->t.vms[i], a->handle);
        }
    }
    return GPUCMD_AGX_RULE_NONE;
}

static gpucmd_agx_rule gpucmd_priv_agx_draft_gem_bind(
    gpucmd_agx_kernel *k, const struct gpucmd_drm_asahi_draft_gem_bind *a)
{
    const bool bind = a->op == GPUCMD_DRM_ASAHI_DRAFT_BIND_OP_BIND;
    const bool unbind = a->op == GPUCMD_DRM_ASAHI_DRAFT_BIND_OP_UNBIND;
    return a->op == GPUCMD_DRM_ASAHI_DRAFT_BIND_OP_UNBIND_ALL
               ? gpucmd_priv_agx_draft_unbind_all(k, a)
           : (bind || unbind) && k->draft == GPUCMD_AGX_DRAFT_10011
               ? gpucmd_priv_agx_draft11_bind(k, a)
           : bind   ? gpucmd_priv_agx_draft06_bind(k, a)
           : unbind ? GPUCMD_AGX_RULE_DRAFT_UNBIND
                    : GPUCMD_AGX_RULE_DRAFT_BIND_OP;
}

static gpucmd_agx_rule gpucmd_priv_agx_draft_queue_create(
    gpucmd_agx_kernel *k, struct gpucmd_drm_asahi_draft_queue_create *a)
{
    const uint32_t known = (uint32_t)GPUCMD_DRM_ASAHI_DRAFT_CAP_RENDER |
                           GPUCMD_DRM_ASAHI_DRAFT_CAP_BLIT | GPUCMD_DRM_ASAHI_DRAFT_CAP_COMPUTE;
    struct gpucmd_drm_asahi_queue_create up;
    if (a->flags != 0 || a->queue_caps == 0 || (a->queue_caps & ~known) != 0) {
        return a->flags != 0 ? GPUCMD_AGX_RULE_FLAGS : GPUCMD_AGX_RULE_DRAFT_QUEUE_CAPS;
    }
    if (gpucmd_agx_draft_queue_create(a, 0, &up) != GPUCMD_OK) {
        return GPUCMD_AGX_RULE_QUEUE_PRIORITY;
    }
    const gpucmd_agx_rule rule = gpucmd_priv_agx_make_queue(k, &up, a->queue_caps);
    a->queue_id = rule == GPUCMD_AGX_RULE_NONE ? up.queue_id : a->queue_id;
    return rule;
}

static gpucmd_agx_rule gpucmd_priv_agx_draft_gem_create(gpucmd_agx_kernel *k,
                                                        struct gpucmd_drm_asahi_draft_gem_create *a)
{
    struct gpucmd_drm_asahi_gem_create up = {a->size, a->flags, a->vm_id, a->handle, a->pad};
    const gpucmd_agx_rule rule = gpucmd_priv_agx_gem_create(k, &up);
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

/* Write the CPU address and size of the result of each command of k->job to *stamps. gem is the
 * result object; NULL: there are no results. */
static void gpucmd_priv_agx_note_results(const gpucmd_agx_kernel *k, const gpucmd_agx_gem *gem,
                                         gpucmd_agx_stamps *stamps)
{
    uint32_t i;
    const uint64_t most = sizeof(struct gpucmd_drm_asahi_draft_result_render);
    uint8_t *host = gem != NULL ? gpucmd_priv_agx_gem_host(gem) : NULL;
    for (i = 0; host != NULL && i < k->job.count; i++) {
        const gpucmd_agx_taken *t = &k->taken[i];
        if (t->result_size != 0) {
            stamps->result[i] = host + (size_t)t->result_offset;
            stamps->result_bytes[i] = (uint32_t)(t->result_size < most ? t->result_size : most);
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
    if (rule != GPUCMD_AGX_RULE_NONE || q == NULL) {
        return rule != GPUCMD_AGX_RULE_NONE ? rule : GPUCMD_AGX_RULE_QUEUE_UNKNOWN;
    }
    const gpucmd_priv_agx_sync_arrays arrays = {
        gpucmd_priv_agx_user(k, s->in_syncs, gpucmd_priv_mul(s->in_sync_count, each_bytes)),
        gpucmd_priv_agx_user(k, s->out_syncs, gpucmd_priv_mul(s->out_sync_count, each_bytes)),
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
        gpucmd_priv_agx_note_results(k, gem, stamps);
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
    return a->pad != 0 ? GPUCMD_AGX_RULE_PAD : gpucmd_priv_agx_make_vm(k, 0, 0, &a->vm_id);
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
        return ((struct gpucmd_drm_asahi_##arg *)a)->extensions != 0                               \
                   ? GPUCMD_AGX_RULE_DRAFT_EXTENSIONS                                              \
                   : gpucmd_priv_agx_##arg(k, (struct gpucmd_drm_asahi_##arg *)a);
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
    return gpucmd_priv_agx_result(
        k, k->user == NULL
               ? GPUCMD_AGX_RULE_ARGUMENT_FAULT
               : gpucmd_priv_agx_draft_dispatch(k, (enum gpucmd_agx_draft_ioctl)which, arg));
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

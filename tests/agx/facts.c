/* agx/facts.c - every structure, offset, number and text of gpucmd_agx.h against the fact sheet's
 * tables, typed here once more. */
#include "gpucmd_agx.h"
#include "agx/agx.h"

typedef struct member_row {
    const char *structure, *member;
    size_t got_off, want_off, got_bytes, want_bytes;
} member_row;

#define MEMBER(s, m, off, bytes)                                                                   \
    {                                                                                              \
#s, #m, offsetof(struct gpucmd_drm_asahi_##s, m), off,                                     \
            sizeof(((struct gpucmd_drm_asahi_##s *)0)->m), bytes                                   \
    }

/* clang-format off */
static const member_row members[] = {
    MEMBER(timestamp, handle, 0, 4),
    MEMBER(timestamp, offset, 4, 4),
    MEMBER(timestamps, start, 0, 8),
    MEMBER(timestamps, end, 8, 8),
    MEMBER(helper_program, binary, 0, 4),
    MEMBER(helper_program, cfg, 4, 4),
    MEMBER(helper_program, data, 8, 8),
    MEMBER(bg_eot, usc, 0, 4),
    MEMBER(bg_eot, rsrc_spec, 4, 4),
    MEMBER(zls_buffer, base, 0, 8),
    MEMBER(zls_buffer, comp_base, 8, 8),
    MEMBER(zls_buffer, stride, 16, 4),
    MEMBER(zls_buffer, comp_stride, 20, 4),
    MEMBER(params_global, features, 0, 8),
    MEMBER(params_global, gpu_generation, 8, 4),
    MEMBER(params_global, gpu_variant, 12, 4),
    MEMBER(params_global, gpu_revision, 16, 4),
    MEMBER(params_global, chip_id, 20, 4),
    MEMBER(params_global, num_dies, 24, 4),
    MEMBER(params_global, num_clusters_total, 28, 4),
    MEMBER(params_global, num_cores_per_cluster, 32, 4),
    MEMBER(params_global, max_frequency_khz, 36, 4),
    MEMBER(params_global, core_masks, 40, 512),
    MEMBER(params_global, vm_start, 552, 8),
    MEMBER(params_global, vm_end, 560, 8),
    MEMBER(params_global, vm_kernel_min_size, 568, 8),
    MEMBER(params_global, max_commands_per_submission, 576, 4),
    MEMBER(params_global, max_attachments, 580, 4),
    MEMBER(params_global, command_timestamp_frequency_hz, 584, 8),
    MEMBER(get_params, param_group, 0, 4),
    MEMBER(get_params, pad, 4, 4),
    MEMBER(get_params, pointer, 8, 8),
    MEMBER(get_params, size, 16, 8),
    MEMBER(vm_create, kernel_start, 0, 8),
    MEMBER(vm_create, kernel_end, 8, 8),
    MEMBER(vm_create, vm_id, 16, 4),
    MEMBER(vm_create, pad, 20, 4),
    MEMBER(vm_destroy, vm_id, 0, 4),
    MEMBER(vm_destroy, pad, 4, 4),
    MEMBER(gem_create, size, 0, 8),
    MEMBER(gem_create, flags, 8, 4),
    MEMBER(gem_create, vm_id, 12, 4),
    MEMBER(gem_create, handle, 16, 4),
    MEMBER(gem_create, pad, 20, 4),
    MEMBER(gem_mmap_offset, handle, 0, 4),
    MEMBER(gem_mmap_offset, flags, 4, 4),
    MEMBER(gem_mmap_offset, offset, 8, 8),
    MEMBER(gem_bind_op, flags, 0, 4),
    MEMBER(gem_bind_op, handle, 4, 4),
    MEMBER(gem_bind_op, offset, 8, 8),
    MEMBER(gem_bind_op, range, 16, 8),
    MEMBER(gem_bind_op, addr, 24, 8),
    MEMBER(vm_bind, vm_id, 0, 4),
    MEMBER(vm_bind, num_binds, 4, 4),
    MEMBER(vm_bind, stride, 8, 4),
    MEMBER(vm_bind, pad, 12, 4),
    MEMBER(vm_bind, userptr, 16, 8),
    MEMBER(gem_bind_object, op, 0, 4),
    MEMBER(gem_bind_object, flags, 4, 4),
    MEMBER(gem_bind_object, handle, 8, 4),
    MEMBER(gem_bind_object, vm_id, 12, 4),
    MEMBER(gem_bind_object, offset, 16, 8),
    MEMBER(gem_bind_object, range, 24, 8),
    MEMBER(gem_bind_object, object_handle, 32, 4),
    MEMBER(gem_bind_object, pad, 36, 4),
    MEMBER(queue_create, flags, 0, 4),
    MEMBER(queue_create, vm_id, 4, 4),
    MEMBER(queue_create, priority, 8, 4),
    MEMBER(queue_create, queue_id, 12, 4),
    MEMBER(queue_create, usc_exec_base, 16, 8),
    MEMBER(queue_destroy, queue_id, 0, 4),
    MEMBER(queue_destroy, pad, 4, 4),
    MEMBER(sync, sync_type, 0, 4),
    MEMBER(sync, handle, 4, 4),
    MEMBER(sync, timeline_value, 8, 8),
    MEMBER(cmd_header, cmd_type, 0, 2),
    MEMBER(cmd_header, size, 2, 2),
    MEMBER(cmd_header, vdm_barrier, 4, 2),
    MEMBER(cmd_header, cdm_barrier, 6, 2),
    MEMBER(submit, syncs, 0, 8),
    MEMBER(submit, cmdbuf, 8, 8),
    MEMBER(submit, flags, 16, 4),
    MEMBER(submit, queue_id, 20, 4),
    MEMBER(submit, in_sync_count, 24, 4),
    MEMBER(submit, out_sync_count, 28, 4),
    MEMBER(submit, cmdbuf_size, 32, 4),
    MEMBER(submit, pad, 36, 4),
    MEMBER(attachment, pointer, 0, 8),
    MEMBER(attachment, size, 8, 8),
    MEMBER(attachment, pad, 16, 4),
    MEMBER(attachment, flags, 20, 4),
    MEMBER(cmd_render, flags, 0, 4),
    MEMBER(cmd_render, isp_zls_pixels, 4, 4),
    MEMBER(cmd_render, vdm_ctrl_stream_base, 8, 8),
    MEMBER(cmd_render, vertex_helper, 16, 16),
    MEMBER(cmd_render, fragment_helper, 32, 16),
    MEMBER(cmd_render, isp_scissor_base, 48, 8),
    MEMBER(cmd_render, isp_dbias_base, 56, 8),
    MEMBER(cmd_render, isp_oclqry_base, 64, 8),
    MEMBER(cmd_render, depth, 72, 24),
    MEMBER(cmd_render, stencil, 96, 24),
    MEMBER(cmd_render, zls_ctrl, 120, 8),
    MEMBER(cmd_render, ppp_multisamplectl, 128, 8),
    MEMBER(cmd_render, sampler_heap, 136, 8),
    MEMBER(cmd_render, ppp_ctrl, 144, 4),
    MEMBER(cmd_render, width_px, 148, 2),
    MEMBER(cmd_render, height_px, 150, 2),
    MEMBER(cmd_render, layers, 152, 2),
    MEMBER(cmd_render, sampler_count, 154, 2),
    MEMBER(cmd_render, utile_width_px, 156, 1),
    MEMBER(cmd_render, utile_height_px, 157, 1),
    MEMBER(cmd_render, samples, 158, 1),
    MEMBER(cmd_render, sample_size_B, 159, 1),
    MEMBER(cmd_render, isp_merge_upper_x, 160, 4),
    MEMBER(cmd_render, isp_merge_upper_y, 164, 4),
    MEMBER(cmd_render, bg, 168, 8),
    MEMBER(cmd_render, eot, 176, 8),
    MEMBER(cmd_render, partial_bg, 184, 8),
    MEMBER(cmd_render, partial_eot, 192, 8),
    MEMBER(cmd_render, isp_bgobjdepth, 200, 4),
    MEMBER(cmd_render, isp_bgobjvals, 204, 4),
    MEMBER(cmd_render, ts_vtx, 208, 16),
    MEMBER(cmd_render, ts_frag, 224, 16),
    MEMBER(cmd_compute, flags, 0, 4),
    MEMBER(cmd_compute, sampler_count, 4, 4),
    MEMBER(cmd_compute, cdm_ctrl_stream_base, 8, 8),
    MEMBER(cmd_compute, cdm_ctrl_stream_end, 16, 8),
    MEMBER(cmd_compute, sampler_heap, 24, 8),
    MEMBER(cmd_compute, helper, 32, 16),
    MEMBER(cmd_compute, ts, 48, 16),
    MEMBER(get_time, flags, 0, 8),
    MEMBER(get_time, gpu_timestamp, 8, 8),
    MEMBER(draft_result_info, status, 0, 4),
    MEMBER(draft_result_info, fault_type, 4, 4),
    MEMBER(draft_result_info, unit, 8, 4),
    MEMBER(draft_result_info, sideband, 12, 4),
    MEMBER(draft_result_info, level, 16, 1),
    MEMBER(draft_result_info, is_read, 17, 1),
    MEMBER(draft_result_info, pad, 18, 2),
    MEMBER(draft_result_info, extra, 20, 4),
    MEMBER(draft_result_info, address, 24, 8),
    MEMBER(draft06_params_global, unstable_uabi_version, 0, 4),
    MEMBER(draft06_params_global, pad0, 4, 4),
    MEMBER(draft06_params_global, feat_compat, 8, 8),
    MEMBER(draft06_params_global, feat_incompat, 16, 8),
    MEMBER(draft06_params_global, gpu_generation, 24, 4),
    MEMBER(draft06_params_global, gpu_variant, 28, 4),
    MEMBER(draft06_params_global, gpu_revision, 32, 4),
    MEMBER(draft06_params_global, chip_id, 36, 4),
    MEMBER(draft06_params_global, num_dies, 40, 4),
    MEMBER(draft06_params_global, num_clusters_total, 44, 4),
    MEMBER(draft06_params_global, num_cores_per_cluster, 48, 4),
    MEMBER(draft06_params_global, num_frags_per_cluster, 52, 4),
    MEMBER(draft06_params_global, num_gps_per_cluster, 56, 4),
    MEMBER(draft06_params_global, num_cores_total_active, 60, 4),
    MEMBER(draft06_params_global, core_masks, 64, 256),
    MEMBER(draft06_params_global, vm_page_size, 320, 4),
    MEMBER(draft06_params_global, pad1, 324, 4),
    MEMBER(draft06_params_global, vm_user_start, 328, 8),
    MEMBER(draft06_params_global, vm_user_end, 336, 8),
    MEMBER(draft06_params_global, vm_shader_start, 344, 8),
    MEMBER(draft06_params_global, vm_shader_end, 352, 8),
    MEMBER(draft06_params_global, max_syncs_per_submission, 360, 4),
    MEMBER(draft06_params_global, max_commands_per_submission, 364, 4),
    MEMBER(draft06_params_global, max_commands_in_flight, 368, 4),
    MEMBER(draft06_params_global, max_attachments, 372, 4),
    MEMBER(draft06_params_global, timer_frequency_hz, 376, 4),
    MEMBER(draft06_params_global, min_frequency_khz, 380, 4),
    MEMBER(draft06_params_global, max_frequency_khz, 384, 4),
    MEMBER(draft06_params_global, max_power_mw, 388, 4),
    MEMBER(draft06_params_global, result_render_size, 392, 4),
    MEMBER(draft06_params_global, result_compute_size, 396, 4),
    MEMBER(draft11_params_global, unstable_uabi_version, 0, 4),
    MEMBER(draft11_params_global, pad0, 4, 4),
    MEMBER(draft11_params_global, feat_compat, 8, 8),
    MEMBER(draft11_params_global, feat_incompat, 16, 8),
    MEMBER(draft11_params_global, gpu_generation, 24, 4),
    MEMBER(draft11_params_global, gpu_variant, 28, 4),
    MEMBER(draft11_params_global, gpu_revision, 32, 4),
    MEMBER(draft11_params_global, chip_id, 36, 4),
    MEMBER(draft11_params_global, num_dies, 40, 4),
    MEMBER(draft11_params_global, num_clusters_total, 44, 4),
    MEMBER(draft11_params_global, num_cores_per_cluster, 48, 4),
    MEMBER(draft11_params_global, num_frags_per_cluster, 52, 4),
    MEMBER(draft11_params_global, num_gps_per_cluster, 56, 4),
    MEMBER(draft11_params_global, num_cores_total_active, 60, 4),
    MEMBER(draft11_params_global, core_masks, 64, 256),
    MEMBER(draft11_params_global, vm_page_size, 320, 4),
    MEMBER(draft11_params_global, pad1, 324, 4),
    MEMBER(draft11_params_global, vm_user_start, 328, 8),
    MEMBER(draft11_params_global, vm_user_end, 336, 8),
    MEMBER(draft11_params_global, vm_usc_start, 344, 8),
    MEMBER(draft11_params_global, vm_usc_end, 352, 8),
    MEMBER(draft11_params_global, vm_kernel_min_size, 360, 8),
    MEMBER(draft11_params_global, max_syncs_per_submission, 368, 4),
    MEMBER(draft11_params_global, max_commands_per_submission, 372, 4),
    MEMBER(draft11_params_global, max_commands_in_flight, 376, 4),
    MEMBER(draft11_params_global, max_attachments, 380, 4),
    MEMBER(draft11_params_global, timer_frequency_hz, 384, 4),
    MEMBER(draft11_params_global, min_frequency_khz, 388, 4),
    MEMBER(draft11_params_global, max_frequency_khz, 392, 4),
    MEMBER(draft11_params_global, max_power_mw, 396, 4),
    MEMBER(draft11_params_global, result_render_size, 400, 4),
    MEMBER(draft11_params_global, result_compute_size, 404, 4),
    MEMBER(draft11_params_global, firmware_version, 408, 16),
    MEMBER(draft_get_params, extensions, 0, 8),
    MEMBER(draft_get_params, param_group, 8, 4),
    MEMBER(draft_get_params, pad, 12, 4),
    MEMBER(draft_get_params, pointer, 16, 8),
    MEMBER(draft_get_params, size, 24, 8),
    MEMBER(draft06_vm_create, extensions, 0, 8),
    MEMBER(draft06_vm_create, vm_id, 8, 4),
    MEMBER(draft06_vm_create, pad, 12, 4),
    MEMBER(draft11_vm_create, extensions, 0, 8),
    MEMBER(draft11_vm_create, kernel_start, 8, 8),
    MEMBER(draft11_vm_create, kernel_end, 16, 8),
    MEMBER(draft11_vm_create, vm_id, 24, 4),
    MEMBER(draft11_vm_create, pad, 28, 4),
    MEMBER(draft_vm_destroy, extensions, 0, 8),
    MEMBER(draft_vm_destroy, vm_id, 8, 4),
    MEMBER(draft_vm_destroy, pad, 12, 4),
    MEMBER(draft_gem_create, extensions, 0, 8),
    MEMBER(draft_gem_create, size, 8, 8),
    MEMBER(draft_gem_create, flags, 16, 4),
    MEMBER(draft_gem_create, vm_id, 20, 4),
    MEMBER(draft_gem_create, handle, 24, 4),
    MEMBER(draft_gem_mmap_offset, extensions, 0, 8),
    MEMBER(draft_gem_mmap_offset, handle, 8, 4),
    MEMBER(draft_gem_mmap_offset, flags, 12, 4),
    MEMBER(draft_gem_mmap_offset, offset, 16, 8),
    MEMBER(draft_gem_bind, extensions, 0, 8),
    MEMBER(draft_gem_bind, op, 8, 4),
    MEMBER(draft_gem_bind, flags, 12, 4),
    MEMBER(draft_gem_bind, handle, 16, 4),
    MEMBER(draft_gem_bind, vm_id, 20, 4),
    MEMBER(draft_gem_bind, offset, 24, 8),
    MEMBER(draft_gem_bind, range, 32, 8),
    MEMBER(draft_gem_bind, addr, 40, 8),
    MEMBER(draft_queue_create, extensions, 0, 8),
    MEMBER(draft_queue_create, flags, 8, 4),
    MEMBER(draft_queue_create, vm_id, 12, 4),
    MEMBER(draft_queue_create, queue_caps, 16, 4),
    MEMBER(draft_queue_create, priority, 20, 4),
    MEMBER(draft_queue_create, queue_id, 24, 4),
    MEMBER(draft_queue_destroy, extensions, 0, 8),
    MEMBER(draft_queue_destroy, queue_id, 8, 4),
    MEMBER(draft_sync, extensions, 0, 8),
    MEMBER(draft_sync, sync_type, 8, 4),
    MEMBER(draft_sync, handle, 12, 4),
    MEMBER(draft_sync, timeline_value, 16, 8),
    MEMBER(draft_command, extensions, 0, 8),
    MEMBER(draft_command, cmd_type, 8, 4),
    MEMBER(draft_command, flags, 12, 4),
    MEMBER(draft_command, cmd_buffer, 16, 8),
    MEMBER(draft_command, cmd_buffer_size, 24, 8),
    MEMBER(draft_command, result_offset, 32, 8),
    MEMBER(draft_command, result_size, 40, 8),
    MEMBER(draft_command, barriers, 48, 8),
    MEMBER(draft_submit, extensions, 0, 8),
    MEMBER(draft_submit, in_syncs, 8, 8),
    MEMBER(draft_submit, out_syncs, 16, 8),
    MEMBER(draft_submit, commands, 24, 8),
    MEMBER(draft_submit, flags, 32, 4),
    MEMBER(draft_submit, queue_id, 36, 4),
    MEMBER(draft_submit, result_handle, 40, 4),
    MEMBER(draft_submit, in_sync_count, 44, 4),
    MEMBER(draft_submit, out_sync_count, 48, 4),
    MEMBER(draft_submit, command_count, 52, 4),
    MEMBER(draft06_attachment, type, 0, 4),
    MEMBER(draft06_attachment, size, 4, 4),
    MEMBER(draft06_attachment, pointer, 8, 8),
    MEMBER(draft11_attachment, pointer, 0, 8),
    MEMBER(draft11_attachment, size, 8, 8),
    MEMBER(draft11_attachment, order, 16, 4),
    MEMBER(draft11_attachment, flags, 20, 4),
    MEMBER(draft06_cmd_render, extensions, 0, 8),
    MEMBER(draft06_cmd_render, flags, 8, 8),
    MEMBER(draft06_cmd_render, encoder_ptr, 16, 8),
    MEMBER(draft06_cmd_render, attachments, 24, 8),
    MEMBER(draft06_cmd_render, attachment_count, 32, 4),
    MEMBER(draft06_cmd_render, pad, 36, 4),
    MEMBER(draft06_cmd_render, depth_buffer_1, 40, 8),
    MEMBER(draft06_cmd_render, depth_buffer_2, 48, 8),
    MEMBER(draft06_cmd_render, depth_buffer_3, 56, 8),
    MEMBER(draft06_cmd_render, depth_meta_buffer_1, 64, 8),
    MEMBER(draft06_cmd_render, depth_meta_buffer_2, 72, 8),
    MEMBER(draft06_cmd_render, depth_meta_buffer_3, 80, 8),
    MEMBER(draft06_cmd_render, stencil_buffer_1, 88, 8),
    MEMBER(draft06_cmd_render, stencil_buffer_2, 96, 8),
    MEMBER(draft06_cmd_render, stencil_buffer_3, 104, 8),
    MEMBER(draft06_cmd_render, stencil_meta_buffer_1, 112, 8),
    MEMBER(draft06_cmd_render, stencil_meta_buffer_2, 120, 8),
    MEMBER(draft06_cmd_render, stencil_meta_buffer_3, 128, 8),
    MEMBER(draft06_cmd_render, scissor_array, 136, 8),
    MEMBER(draft06_cmd_render, depth_bias_array, 144, 8),
    MEMBER(draft06_cmd_render, visibility_result_buffer, 152, 8),
    MEMBER(draft06_cmd_render, zls_ctrl, 160, 8),
    MEMBER(draft06_cmd_render, ppp_multisamplectl, 168, 8),
    MEMBER(draft06_cmd_render, ppp_ctrl, 176, 4),
    MEMBER(draft06_cmd_render, fb_width, 180, 4),
    MEMBER(draft06_cmd_render, fb_height, 184, 4),
    MEMBER(draft06_cmd_render, utile_width, 188, 4),
    MEMBER(draft06_cmd_render, utile_height, 192, 4),
    MEMBER(draft06_cmd_render, samples, 196, 4),
    MEMBER(draft06_cmd_render, layers, 200, 4),
    MEMBER(draft06_cmd_render, encoder_id, 204, 4),
    MEMBER(draft06_cmd_render, cmd_ta_id, 208, 4),
    MEMBER(draft06_cmd_render, cmd_3d_id, 212, 4),
    MEMBER(draft06_cmd_render, iogpu_unk_49, 216, 4),
    MEMBER(draft06_cmd_render, iogpu_unk_212, 220, 4),
    MEMBER(draft06_cmd_render, iogpu_unk_214, 224, 4),
    MEMBER(draft06_cmd_render, merge_upper_x, 228, 4),
    MEMBER(draft06_cmd_render, merge_upper_y, 232, 4),
    MEMBER(draft06_cmd_render, load_pipeline, 236, 4),
    MEMBER(draft06_cmd_render, load_pipeline_bind, 240, 4),
    MEMBER(draft06_cmd_render, store_pipeline, 244, 4),
    MEMBER(draft06_cmd_render, store_pipeline_bind, 248, 4),
    MEMBER(draft06_cmd_render, partial_reload_pipeline, 252, 4),
    MEMBER(draft06_cmd_render, partial_reload_pipeline_bind, 256, 4),
    MEMBER(draft06_cmd_render, partial_store_pipeline, 260, 4),
    MEMBER(draft06_cmd_render, partial_store_pipeline_bind, 264, 4),
    MEMBER(draft06_cmd_render, depth_dimensions, 268, 4),
    MEMBER(draft06_cmd_render, isp_bgobjdepth, 272, 4),
    MEMBER(draft06_cmd_render, isp_bgobjvals, 276, 4),
    MEMBER(draft11_cmd_render, extensions, 0, 8),
    MEMBER(draft11_cmd_render, flags, 8, 8),
    MEMBER(draft11_cmd_render, encoder_ptr, 16, 8),
    MEMBER(draft11_cmd_render, vertex_usc_base, 24, 8),
    MEMBER(draft11_cmd_render, fragment_usc_base, 32, 8),
    MEMBER(draft11_cmd_render, vertex_attachments, 40, 8),
    MEMBER(draft11_cmd_render, fragment_attachments, 48, 8),
    MEMBER(draft11_cmd_render, vertex_attachment_count, 56, 4),
    MEMBER(draft11_cmd_render, fragment_attachment_count, 60, 4),
    MEMBER(draft11_cmd_render, vertex_helper_program, 64, 4),
    MEMBER(draft11_cmd_render, fragment_helper_program, 68, 4),
    MEMBER(draft11_cmd_render, vertex_helper_cfg, 72, 4),
    MEMBER(draft11_cmd_render, fragment_helper_cfg, 76, 4),
    MEMBER(draft11_cmd_render, vertex_helper_arg, 80, 8),
    MEMBER(draft11_cmd_render, fragment_helper_arg, 88, 8),
    MEMBER(draft11_cmd_render, depth_buffer_load, 96, 8),
    MEMBER(draft11_cmd_render, depth_buffer_load_stride, 104, 8),
    MEMBER(draft11_cmd_render, depth_buffer_store, 112, 8),
    MEMBER(draft11_cmd_render, depth_buffer_store_stride, 120, 8),
    MEMBER(draft11_cmd_render, depth_buffer_partial, 128, 8),
    MEMBER(draft11_cmd_render, depth_buffer_partial_stride, 136, 8),
    MEMBER(draft11_cmd_render, depth_meta_buffer_load, 144, 8),
    MEMBER(draft11_cmd_render, depth_meta_buffer_load_stride, 152, 8),
    MEMBER(draft11_cmd_render, depth_meta_buffer_store, 160, 8),
    MEMBER(draft11_cmd_render, depth_meta_buffer_store_stride, 168, 8),
    MEMBER(draft11_cmd_render, depth_meta_buffer_partial, 176, 8),
    MEMBER(draft11_cmd_render, depth_meta_buffer_partial_stride, 184, 8),
    MEMBER(draft11_cmd_render, stencil_buffer_load, 192, 8),
    MEMBER(draft11_cmd_render, stencil_buffer_load_stride, 200, 8),
    MEMBER(draft11_cmd_render, stencil_buffer_store, 208, 8),
    MEMBER(draft11_cmd_render, stencil_buffer_store_stride, 216, 8),
    MEMBER(draft11_cmd_render, stencil_buffer_partial, 224, 8),
    MEMBER(draft11_cmd_render, stencil_buffer_partial_stride, 232, 8),
    MEMBER(draft11_cmd_render, stencil_meta_buffer_load, 240, 8),
    MEMBER(draft11_cmd_render, stencil_meta_buffer_load_stride, 248, 8),
    MEMBER(draft11_cmd_render, stencil_meta_buffer_store, 256, 8),
    MEMBER(draft11_cmd_render, stencil_meta_buffer_store_stride, 264, 8),
    MEMBER(draft11_cmd_render, stencil_meta_buffer_partial, 272, 8),
    MEMBER(draft11_cmd_render, stencil_meta_buffer_partial_stride, 280, 8),
    MEMBER(draft11_cmd_render, scissor_array, 288, 8),
    MEMBER(draft11_cmd_render, depth_bias_array, 296, 8),
    MEMBER(draft11_cmd_render, visibility_result_buffer, 304, 8),
    MEMBER(draft11_cmd_render, vertex_sampler_array, 312, 8),
    MEMBER(draft11_cmd_render, vertex_sampler_count, 320, 4),
    MEMBER(draft11_cmd_render, vertex_sampler_max, 324, 4),
    MEMBER(draft11_cmd_render, fragment_sampler_array, 328, 8),
    MEMBER(draft11_cmd_render, fragment_sampler_count, 336, 4),
    MEMBER(draft11_cmd_render, fragment_sampler_max, 340, 4),
    MEMBER(draft11_cmd_render, zls_ctrl, 344, 8),
    MEMBER(draft11_cmd_render, ppp_multisamplectl, 352, 8),
    MEMBER(draft11_cmd_render, ppp_ctrl, 360, 4),
    MEMBER(draft11_cmd_render, fb_width, 364, 4),
    MEMBER(draft11_cmd_render, fb_height, 368, 4),
    MEMBER(draft11_cmd_render, utile_width, 372, 4),
    MEMBER(draft11_cmd_render, utile_height, 376, 4),
    MEMBER(draft11_cmd_render, samples, 380, 4),
    MEMBER(draft11_cmd_render, layers, 384, 4),
    MEMBER(draft11_cmd_render, encoder_id, 388, 4),
    MEMBER(draft11_cmd_render, cmd_ta_id, 392, 4),
    MEMBER(draft11_cmd_render, cmd_3d_id, 396, 4),
    MEMBER(draft11_cmd_render, sample_size, 400, 4),
    MEMBER(draft11_cmd_render, tib_blocks, 404, 4),
    MEMBER(draft11_cmd_render, iogpu_unk_214, 408, 4),
    MEMBER(draft11_cmd_render, merge_upper_x, 412, 4),
    MEMBER(draft11_cmd_render, merge_upper_y, 416, 4),
    MEMBER(draft11_cmd_render, load_pipeline, 420, 4),
    MEMBER(draft11_cmd_render, load_pipeline_bind, 424, 4),
    MEMBER(draft11_cmd_render, store_pipeline, 428, 4),
    MEMBER(draft11_cmd_render, store_pipeline_bind, 432, 4),
    MEMBER(draft11_cmd_render, partial_reload_pipeline, 436, 4),
    MEMBER(draft11_cmd_render, partial_reload_pipeline_bind, 440, 4),
    MEMBER(draft11_cmd_render, partial_store_pipeline, 444, 4),
    MEMBER(draft11_cmd_render, partial_store_pipeline_bind, 448, 4),
    MEMBER(draft11_cmd_render, depth_dimensions, 452, 4),
    MEMBER(draft11_cmd_render, isp_bgobjdepth, 456, 4),
    MEMBER(draft11_cmd_render, isp_bgobjvals, 460, 4),
    MEMBER(draft06_cmd_compute, flags, 0, 8),
    MEMBER(draft06_cmd_compute, encoder_ptr, 8, 8),
    MEMBER(draft06_cmd_compute, encoder_end, 16, 8),
    MEMBER(draft06_cmd_compute, attachments, 24, 8),
    MEMBER(draft06_cmd_compute, attachment_count, 32, 4),
    MEMBER(draft06_cmd_compute, pad, 36, 4),
    MEMBER(draft06_cmd_compute, buffer_descriptor, 40, 8),
    MEMBER(draft06_cmd_compute, buffer_descriptor_size, 48, 4),
    MEMBER(draft06_cmd_compute, ctx_switch_prog, 52, 4),
    MEMBER(draft06_cmd_compute, encoder_id, 56, 4),
    MEMBER(draft06_cmd_compute, cmd_id, 60, 4),
    MEMBER(draft06_cmd_compute, iogpu_unk_40, 64, 4),
    MEMBER(draft06_cmd_compute, iogpu_unk_44, 68, 4),
    MEMBER(draft11_cmd_compute, flags, 0, 8),
    MEMBER(draft11_cmd_compute, encoder_ptr, 8, 8),
    MEMBER(draft11_cmd_compute, encoder_end, 16, 8),
    MEMBER(draft11_cmd_compute, usc_base, 24, 8),
    MEMBER(draft11_cmd_compute, attachments, 32, 8),
    MEMBER(draft11_cmd_compute, attachment_count, 40, 4),
    MEMBER(draft11_cmd_compute, pad, 44, 4),
    MEMBER(draft11_cmd_compute, helper_program, 48, 4),
    MEMBER(draft11_cmd_compute, helper_cfg, 52, 4),
    MEMBER(draft11_cmd_compute, helper_arg, 56, 8),
    MEMBER(draft11_cmd_compute, encoder_id, 64, 4),
    MEMBER(draft11_cmd_compute, cmd_id, 68, 4),
    MEMBER(draft11_cmd_compute, sampler_array, 72, 8),
    MEMBER(draft11_cmd_compute, sampler_count, 80, 4),
    MEMBER(draft11_cmd_compute, sampler_max, 84, 4),
    MEMBER(draft11_cmd_compute, iogpu_unk_40, 88, 4),
    MEMBER(draft11_cmd_compute, unk_mask, 92, 4),
    MEMBER(draft_result_render, info, 0, 32),
    MEMBER(draft_result_render, flags, 32, 8),
    MEMBER(draft_result_render, vertex_ts_start, 40, 8),
    MEMBER(draft_result_render, vertex_ts_end, 48, 8),
    MEMBER(draft_result_render, fragment_ts_start, 56, 8),
    MEMBER(draft_result_render, fragment_ts_end, 64, 8),
    MEMBER(draft_result_render, tvb_size_bytes, 72, 8),
    MEMBER(draft_result_render, tvb_usage_bytes, 80, 8),
    MEMBER(draft_result_render, num_tvb_overflows, 88, 4),
    MEMBER(draft_result_compute, info, 0, 32),
    MEMBER(draft_result_compute, flags, 32, 8),
    MEMBER(draft_result_compute, ts_start, 40, 8),
    MEMBER(draft_result_compute, ts_end, 48, 8),
    MEMBER(draft11_cmd_render_unknowns, type, 0, 4),
    MEMBER(draft11_cmd_render_unknowns, pad, 4, 4),
    MEMBER(draft11_cmd_render_unknowns, next, 8, 8),
    MEMBER(draft11_cmd_render_unknowns, flags, 16, 8),
    MEMBER(draft11_cmd_render_unknowns, tile_config, 24, 8),
    MEMBER(draft11_cmd_render_unknowns, utile_config, 32, 8),
    MEMBER(draft11_cmd_render_unknowns, aux_fb_unk, 40, 8),
    MEMBER(draft11_cmd_render_unknowns, g14_unk, 48, 8),
    MEMBER(draft11_cmd_render_unknowns, frg_unk_140, 56, 8),
    MEMBER(draft11_cmd_render_unknowns, frg_unk_158, 64, 8),
    MEMBER(draft11_cmd_render_unknowns, frg_tilecfg, 72, 8),
    MEMBER(draft11_cmd_render_unknowns, load_bgobjvals, 80, 8),
    MEMBER(draft11_cmd_render_unknowns, frg_unk_38, 88, 8),
    MEMBER(draft11_cmd_render_unknowns, frg_unk_3c, 96, 8),
    MEMBER(draft11_cmd_render_unknowns, reload_zlsctrl, 104, 8),
    MEMBER(draft11_cmd_render_unknowns, unk_buf_10, 112, 8),
    MEMBER(draft11_cmd_render_unknowns, frg_unk_mask, 120, 8),
    MEMBER(draft11_cmd_render_unknowns, iogpu_unk54, 128, 8),
    MEMBER(draft11_cmd_render_unknowns, iogpu_unk56, 136, 8),
    MEMBER(draft11_cmd_render_unknowns, tiling_control, 144, 8),
    MEMBER(draft11_cmd_render_unknowns, tiling_control_2, 152, 8),
    MEMBER(draft11_cmd_render_unknowns, vtx_unk_f0, 160, 8),
    MEMBER(draft11_cmd_render_unknowns, vtx_unk_f8, 168, 8),
    MEMBER(draft11_cmd_render_unknowns, vtx_unk_118, 176, 8),
    MEMBER(draft11_cmd_render_unknowns, vtx_unk_mask, 184, 8),
};

#define STRUCT(s, bytes)                                                                           \
    { "drm_asahi_" #s, GPUCMD_STRUCT_drm_asahi_##s, sizeof(struct gpucmd_drm_asahi_##s), bytes }

static const struct {
    const char *name;
    uint32_t index;
    size_t got_bytes, want_bytes;
} structs[] = {
    STRUCT(timestamp, 8),
    STRUCT(timestamps, 16),
    STRUCT(helper_program, 16),
    STRUCT(bg_eot, 8),
    STRUCT(zls_buffer, 24),
    STRUCT(params_global, 592),
    STRUCT(get_params, 24),
    STRUCT(vm_create, 24),
    STRUCT(vm_destroy, 8),
    STRUCT(gem_create, 24),
    STRUCT(gem_mmap_offset, 16),
    STRUCT(gem_bind_op, 32),
    STRUCT(vm_bind, 24),
    STRUCT(gem_bind_object, 40),
    STRUCT(queue_create, 24),
    STRUCT(queue_destroy, 8),
    STRUCT(sync, 16),
    STRUCT(cmd_header, 8),
    STRUCT(submit, 40),
    STRUCT(attachment, 24),
    STRUCT(cmd_render, 240),
    STRUCT(cmd_compute, 64),
    STRUCT(get_time, 16),
    STRUCT(draft_result_info, 32),
    STRUCT(draft06_params_global, 400),
    STRUCT(draft11_params_global, 424),
    STRUCT(draft_get_params, 32),
    STRUCT(draft06_vm_create, 16),
    STRUCT(draft11_vm_create, 32),
    STRUCT(draft_vm_destroy, 16),
    STRUCT(draft_gem_create, 32),
    STRUCT(draft_gem_mmap_offset, 24),
    STRUCT(draft_gem_bind, 48),
    STRUCT(draft_queue_create, 32),
    STRUCT(draft_queue_destroy, 16),
    STRUCT(draft_sync, 24),
    STRUCT(draft_command, 56),
    STRUCT(draft_submit, 56),
    STRUCT(draft06_attachment, 16),
    STRUCT(draft11_attachment, 24),
    STRUCT(draft06_cmd_render, 280),
    STRUCT(draft11_cmd_render, 464),
    STRUCT(draft06_cmd_compute, 72),
    STRUCT(draft11_cmd_compute, 96),
    STRUCT(draft_result_render, 96),
    STRUCT(draft_result_compute, 56),
    STRUCT(draft11_cmd_render_unknowns, 192),
};
/* clang-format on */

static void layouts(void)
{
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        const member_row *r = &members[i];
        const bool place = EQUAL(r->got_off, r->want_off);
        if (!EQUAL(r->got_bytes, r->want_bytes) || !place) {
            printf("    %s.%s\n", r->structure, r->member);
        }
    }
    for (size_t i = 0; i < sizeof structs / sizeof structs[0]; i++) {
        const uint32_t index = structs[i].index;
        if (!EQUAL(structs[i].got_bytes, structs[i].want_bytes)) {
            printf("    %s\n", structs[i].name);
        }
        EQUAL(gpucmd_layout_bytes(gpucmd_agx_layout, index), structs[i].want_bytes);
        CHECK(strcmp(gpucmd_layout_name(gpucmd_agx_layout, index), structs[i].name) == 0);
    }
    const uint32_t count = (uint32_t)(sizeof structs / sizeof structs[0]);
    CHECK(gpucmd_agx_layout(count - 1) != NULL); /* all of them are above */
    CHECK(gpucmd_agx_layout(count) == NULL);
    CHECK(strcmp(gpucmd_layout_name(gpucmd_agx_layout, 1000), "?") == 0);
}

/* The members of embedded structures. Each number of a structure is set alone and must be printed
 * with its name. */
static void leaves(void)
{
    static const struct {
        uint32_t kind;
        unsigned off_bytes;
        const char *text;
    } rows[] = {
        {GPUCMD_STRUCT_drm_asahi_cmd_render,    16,  "vertex_helper.binary     0x1\n"},
        {GPUCMD_STRUCT_drm_asahi_cmd_render,    20,  "vertex_helper.cfg        0x1\n"},
        {GPUCMD_STRUCT_drm_asahi_cmd_render,    24,  "vertex_helper.data       0x1\n"},
        {GPUCMD_STRUCT_drm_asahi_cmd_render,    32,  "fragment_helper.binary   0x1\n"},
        {GPUCMD_STRUCT_drm_asahi_cmd_render,    36,  "fragment_helper.cfg      0x1\n"},
        {GPUCMD_STRUCT_drm_asahi_cmd_render,    40,  "fragment_helper.data     0x1\n"},
        {GPUCMD_STRUCT_drm_asahi_cmd_render,    72,  "depth.base               0x1\n"},
        {GPUCMD_STRUCT_drm_asahi_cmd_render,    80,  "depth.comp_base          0x1\n"},
        {GPUCMD_STRUCT_drm_asahi_cmd_render,    88,  "depth.stride             0x1\n"},
        {GPUCMD_STRUCT_drm_asahi_cmd_render,    92,  "depth.comp_stride        0x1\n"},
        {GPUCMD_STRUCT_drm_asahi_cmd_render,    96,  "stencil.base             0x1\n"},
        {GPUCMD_STRUCT_drm_asahi_cmd_render,    104, "stencil.comp_base        0x1\n"},
        {GPUCMD_STRUCT_drm_asahi_cmd_render,    112, "stencil.stride           0x1\n"},
        {GPUCMD_STRUCT_drm_asahi_cmd_render,    116, "stencil.comp_stride      0x1\n"},
        {GPUCMD_STRUCT_drm_asahi_cmd_render,    168, "bg.usc                   0x1\n"},
        {GPUCMD_STRUCT_drm_asahi_cmd_render,    172, "bg.rsrc_spec             0x1\n"},
        {GPUCMD_STRUCT_drm_asahi_cmd_render,    176, "eot.usc                  0x1\n"},
        {GPUCMD_STRUCT_drm_asahi_cmd_render,    180, "eot.rsrc_spec            0x1\n"},
        {GPUCMD_STRUCT_drm_asahi_cmd_render,    184, "partial_bg.usc           0x1\n"},
        {GPUCMD_STRUCT_drm_asahi_cmd_render,    188, "partial_bg.rsrc_spec     0x1\n"},
        {GPUCMD_STRUCT_drm_asahi_cmd_render,    192, "partial_eot.usc          0x1\n"},
        {GPUCMD_STRUCT_drm_asahi_cmd_render,    196, "partial_eot.rsrc_spec    0x1\n"},
        {GPUCMD_STRUCT_drm_asahi_cmd_render,    208, "ts_vtx.start.handle      0x1\n"},
        {GPUCMD_STRUCT_drm_asahi_cmd_render,    212, "ts_vtx.start.offset      0x1\n"},
        {GPUCMD_STRUCT_drm_asahi_cmd_render,    216, "ts_vtx.end.handle        0x1\n"},
        {GPUCMD_STRUCT_drm_asahi_cmd_render,    220, "ts_vtx.end.offset        0x1\n"},
        {GPUCMD_STRUCT_drm_asahi_cmd_render,    224, "ts_frag.start.handle     0x1\n"},
        {GPUCMD_STRUCT_drm_asahi_cmd_render,    228, "ts_frag.start.offset     0x1\n"},
        {GPUCMD_STRUCT_drm_asahi_cmd_render,    232, "ts_frag.end.handle       0x1\n"},
        {GPUCMD_STRUCT_drm_asahi_cmd_render,    236, "ts_frag.end.offset       0x1\n"},
        {GPUCMD_STRUCT_drm_asahi_cmd_compute,   32,  "helper.binary            0x1\n"},
        {GPUCMD_STRUCT_drm_asahi_cmd_compute,   36,  "helper.cfg               0x1\n"},
        {GPUCMD_STRUCT_drm_asahi_cmd_compute,   40,  "helper.data              0x1\n"},
        {GPUCMD_STRUCT_drm_asahi_cmd_compute,   48,  "ts.start.handle          0x1\n"},
        {GPUCMD_STRUCT_drm_asahi_cmd_compute,   52,  "ts.start.offset          0x1\n"},
        {GPUCMD_STRUCT_drm_asahi_cmd_compute,   56,  "ts.end.handle            0x1\n"},
        {GPUCMD_STRUCT_drm_asahi_cmd_compute,   60,  "ts.end.offset            0x1\n"},
        {GPUCMD_STRUCT_drm_asahi_params_global, 56,  "core_masks[2]            0x1\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t bytes[592];
        char buf[256];
        gpucmd_text t;
        memset(bytes, 0, sizeof bytes);
        bytes[rows[i].off_bytes] = 1;
        gpucmd_text_init(&t, buf, sizeof buf);
        gpucmd_layout_print(&t, gpucmd_agx_layout, rows[i].kind, bytes, GPUCMD_LITTLE_ENDIAN, 0);
        if (!CHECK(strcmp(buf, rows[i].text) == 0)) {
            printf("    got %s    expected %s", buf, rows[i].text);
        }
    }
}

static void numbers(void)
{
    /* ioctl numbers of the upstream header */
    EQUAL(GPUCMD_DRM_IOCTL_ASAHI_GET_PARAMS, 0x40186440u);
    EQUAL(GPUCMD_DRM_IOCTL_ASAHI_GET_TIME, 0xC0106441u);
    EQUAL(GPUCMD_DRM_IOCTL_ASAHI_VM_CREATE, 0xC0186442u);
    EQUAL(GPUCMD_DRM_IOCTL_ASAHI_VM_DESTROY, 0x40086443u);
    EQUAL(GPUCMD_DRM_IOCTL_ASAHI_VM_BIND, 0x40186444u);
    EQUAL(GPUCMD_DRM_IOCTL_ASAHI_GEM_CREATE, 0xC0186445u);
    EQUAL(GPUCMD_DRM_IOCTL_ASAHI_GEM_MMAP_OFFSET, 0xC0106446u);
    EQUAL(GPUCMD_DRM_IOCTL_ASAHI_GEM_BIND_OBJECT, 0xC0286447u);
    EQUAL(GPUCMD_DRM_IOCTL_ASAHI_QUEUE_CREATE, 0xC0186448u);
    EQUAL(GPUCMD_DRM_IOCTL_ASAHI_QUEUE_DESTROY, 0x40086449u);
    EQUAL(GPUCMD_DRM_IOCTL_ASAHI_SUBMIT, 0x4028644Au);
    CHECK(strcmp(gpucmd_agx_ioctl_name(0x40186440u), "GET_PARAMS") == 0);
    CHECK(strcmp(gpucmd_agx_ioctl_name(0x4028644Au), "SUBMIT") == 0);
    CHECK(strcmp(gpucmd_agx_ioctl_name(0x40306444u), "VM_BIND") == 0); /* a longer argument */
    CHECK(strcmp(gpucmd_agx_ioctl_name(0x4018644Bu), "?") == 0);
    CHECK(strcmp(gpucmd_agx_ioctl_name(0x40186440u + 0x100), "?") == 0);
    CHECK(strcmp(gpucmd_agx_ioctl_name(0x4018643Fu), "?") == 0);
    /* draft */
    EQUAL(GPUCMD_DRM_IOCTL_ASAHI_DRAFT_GET_PARAMS, 0xC0206440u);
    EQUAL(GPUCMD_DRM_IOCTL_ASAHI_DRAFT06_VM_CREATE, 0xC0106441u);
    EQUAL(GPUCMD_DRM_IOCTL_ASAHI_DRAFT11_VM_CREATE, 0xC0206441u);
    EQUAL(GPUCMD_DRM_IOCTL_ASAHI_DRAFT_VM_DESTROY, 0x40106442u);
    EQUAL(GPUCMD_DRM_IOCTL_ASAHI_DRAFT_GEM_CREATE, 0xC0206443u);
    EQUAL(GPUCMD_DRM_IOCTL_ASAHI_DRAFT_GEM_MMAP_OFFSET, 0xC0186444u);
    EQUAL(GPUCMD_DRM_IOCTL_ASAHI_DRAFT_GEM_BIND, 0x40306445u);
    EQUAL(GPUCMD_DRM_IOCTL_ASAHI_DRAFT_QUEUE_CREATE, 0xC0206446u);
    EQUAL(GPUCMD_DRM_IOCTL_ASAHI_DRAFT_QUEUE_DESTROY, 0x40106447u);
    EQUAL(GPUCMD_DRM_IOCTL_ASAHI_DRAFT_SUBMIT, 0x40386448u);
    /* enumerations and flags */
    EQUAL(GPUCMD_DRM_ASAHI_MAX_CLUSTERS, 64);
    EQUAL(GPUCMD_DRM_ASAHI_FEATURE_SOFT_FAULTS, 1u << 0);
    EQUAL(GPUCMD_DRM_ASAHI_GEM_WRITEBACK, 1u << 0);
    EQUAL(GPUCMD_DRM_ASAHI_GEM_VM_PRIVATE, 1u << 1);
    EQUAL(GPUCMD_DRM_ASAHI_BIND_UNBIND, 1u << 0);
    EQUAL(GPUCMD_DRM_ASAHI_BIND_READ, 1u << 1);
    EQUAL(GPUCMD_DRM_ASAHI_BIND_WRITE, 1u << 2);
    EQUAL(GPUCMD_DRM_ASAHI_BIND_SINGLE_PAGE, 1u << 3);
    EQUAL(GPUCMD_DRM_ASAHI_BIND_OBJECT_OP_BIND, 0);
    EQUAL(GPUCMD_DRM_ASAHI_BIND_OBJECT_OP_UNBIND, 1);
    EQUAL(GPUCMD_DRM_ASAHI_BIND_OBJECT_USAGE_TIMESTAMPS, 1);
    EQUAL(GPUCMD_DRM_ASAHI_CMD_RENDER, 0);
    EQUAL(GPUCMD_DRM_ASAHI_CMD_COMPUTE, 1);
    EQUAL(GPUCMD_DRM_ASAHI_SET_VERTEX_ATTACHMENTS, 2);
    EQUAL(GPUCMD_DRM_ASAHI_SET_FRAGMENT_ATTACHMENTS, 3);
    EQUAL(GPUCMD_DRM_ASAHI_SET_COMPUTE_ATTACHMENTS, 4);
    EQUAL(GPUCMD_DRM_ASAHI_PRIORITY_LOW, 0);
    EQUAL(GPUCMD_DRM_ASAHI_PRIORITY_MEDIUM, 1);
    EQUAL(GPUCMD_DRM_ASAHI_PRIORITY_HIGH, 2);
    EQUAL(GPUCMD_DRM_ASAHI_PRIORITY_REALTIME, 3);
    EQUAL(GPUCMD_DRM_ASAHI_SYNC_SYNCOBJ, 0);
    EQUAL(GPUCMD_DRM_ASAHI_SYNC_TIMELINE_SYNCOBJ, 1);
    EQUAL(GPUCMD_DRM_ASAHI_BARRIER_NONE, 0xFFFF);
    EQUAL(GPUCMD_DRM_ASAHI_RENDER_VERTEX_SCRATCH, 1u << 0);
    EQUAL(GPUCMD_DRM_ASAHI_RENDER_PROCESS_EMPTY_TILES, 1u << 1);
    EQUAL(GPUCMD_DRM_ASAHI_RENDER_NO_VERTEX_CLUSTERING, 1u << 2);
    EQUAL(GPUCMD_DRM_ASAHI_RENDER_DBIAS_IS_INT, 1u << 18);
    EQUAL(GPUCMD_AGX_RENDER_FLAGS_MASK, 0x40007);
    EQUAL(GPUCMD_DRM_ASAHI_DRAFT_CMD_BLIT, 1);
    EQUAL(GPUCMD_DRM_ASAHI_DRAFT_CMD_COMPUTE, 2);
    EQUAL(GPUCMD_DRM_ASAHI_DRAFT_CAP_COMPUTE, 4);
    EQUAL(GPUCMD_DRM_ASAHI_DRAFT_BARRIER_NONE, 0xFFFFFFFFu);
    EQUAL(GPUCMD_DRM_ASAHI_DRAFT_BIND_OP_UNBIND_ALL, 2);
    EQUAL(GPUCMD_AGX_OUTCOME_KILLED, 5);
    EQUAL(GPUCMD_AGX_OUTCOME_CHANNEL_ERROR, 7);
    EQUAL(GPUCMD_AGX_FAULT_NO_ACCESS, 6);
    /* limits */
    EQUAL(GPUCMD_AGX_MAX_COMMANDS, 64);
    EQUAL(GPUCMD_AGX_MAX_ATTACHMENTS, 16);
    EQUAL(GPUCMD_AGX_PAGE_BYTES, 0x4000);
    EQUAL(GPUCMD_AGX_VM_START, 0x4000);
    EQUAL(GPUCMD_AGX_VM_END, 0x7FFFFF8000u);
    EQUAL(GPUCMD_AGX_KERNEL_BYTES, 0x20000000);
    EQUAL(GPUCMD_AGX_RING_ENTRIES, 0x500);
    EQUAL(GPUCMD_AGX_RING_EVENTS, 127);
    EQUAL(GPUCMD_AGX_STAMP_STEP, 0x100);
    EQUAL(GPUCMD_AGX_MAX_PIXELS, 16384);
    EQUAL(GPUCMD_AGX_MAX_LAYERS, 2048);
    EQUAL(GPUCMD_AGX_CACHE_LINE_BYTES, 128);
    EQUAL(GPUCMD_AGX_TIMESTAMP_BYTES, 8);
    EQUAL(GPUCMD_AGX_RENDER_MIN_BYTES, 160);
    EQUAL(GPUCMD_AGX_COMPUTE_MIN_BYTES, 24);
    EQUAL(GPUCMD_AGX_TIMESTAMP_HZ, 1000000000);
    EQUAL(GPUCMD_AGX_TVB_PAGE_BYTES, 32768);
}

/* Values of the drafts, and limits of the seed era. */
static void draft_numbers(void)
{
    EQUAL(GPUCMD_DRM_ASAHI_DRAFT_CMD_RENDER, 0);
    EQUAL(GPUCMD_DRM_ASAHI_DRAFT_CAP_RENDER, 1);
    EQUAL(GPUCMD_DRM_ASAHI_DRAFT_CAP_BLIT, 2);
    EQUAL(GPUCMD_DRM_ASAHI_DRAFT_SYNC_SYNCOBJ, 0);
    EQUAL(GPUCMD_DRM_ASAHI_DRAFT_SYNC_TIMELINE_SYNCOBJ, 1);
    EQUAL(GPUCMD_DRM_ASAHI_DRAFT_FEAT_SOFT_FAULTS, 1);
    EQUAL(GPUCMD_DRM_ASAHI_DRAFT_FEAT_INCOMPAT_MANDATORY_ZS_COMPRESSION, 1);
    EQUAL(GPUCMD_DRM_ASAHI_DRAFT_ATTACHMENT_C, 0);
    EQUAL(GPUCMD_DRM_ASAHI_DRAFT_ATTACHMENT_Z, 1);
    EQUAL(GPUCMD_DRM_ASAHI_DRAFT_ATTACHMENT_S, 2);
    EQUAL(GPUCMD_DRM_ASAHI_DRAFT_SUBQUEUE_RENDER, 0);
    EQUAL(GPUCMD_DRM_ASAHI_DRAFT_SUBQUEUE_COMPUTE, 1);
    EQUAL(GPUCMD_DRM_ASAHI_DRAFT_BIND_OP_BIND, 0);
    EQUAL(GPUCMD_DRM_ASAHI_DRAFT_BIND_OP_UNBIND, 1);
    EQUAL(GPUCMD_DRM_ASAHI_DRAFT_BIND_READ, 1);
    EQUAL(GPUCMD_DRM_ASAHI_DRAFT_BIND_WRITE, 2);
    EQUAL(GPUCMD_DRM_ASAHI_DRAFT_GEM_WRITEBACK, 1);
    EQUAL(GPUCMD_DRM_ASAHI_DRAFT_GEM_VM_PRIVATE, 2);
    EQUAL(GPUCMD_DRM_ASAHI_DRAFT_RENDER_NO_CLEAR_PIPELINE_TEXTURES, 1);
    EQUAL(GPUCMD_DRM_ASAHI_DRAFT_RENDER_SET_WHEN_RELOADING_Z_OR_S, 2);
    EQUAL(GPUCMD_DRM_ASAHI_DRAFT_RENDER_MEMORYLESS_RTS_USED, 4);
    EQUAL(GPUCMD_DRM_ASAHI_DRAFT_RENDER_VERTEX_SPILLS, 4);
    EQUAL(GPUCMD_DRM_ASAHI_DRAFT_RENDER_PROCESS_EMPTY_TILES, 8);
    EQUAL(GPUCMD_DRM_ASAHI_DRAFT_RENDER_NO_VERTEX_CLUSTERING, 16);
    EQUAL(GPUCMD_DRM_ASAHI_DRAFT_RENDER_MSAA_ZS, 32);
    EQUAL(GPUCMD_DRM_ASAHI_DRAFT_RENDER_NO_PREEMPTION, 64);
    EQUAL(GPUCMD_DRM_ASAHI_DRAFT_COMPUTE_NO_PREEMPTION, 1);
    EQUAL(GPUCMD_DRM_ASAHI_DRAFT_TVB_GROW_OVF, 1);
    EQUAL(GPUCMD_DRM_ASAHI_DRAFT_TVB_GROW_MIN, 2);
    EQUAL(GPUCMD_DRM_ASAHI_DRAFT_TVB_OVERFLOWED, 4);
    EQUAL(GPUCMD_AGX_OUTCOME_PENDING, 0);
    EQUAL(GPUCMD_AGX_OUTCOME_COMPLETE, 1);
    EQUAL(GPUCMD_AGX_OUTCOME_UNKNOWN_ERROR, 2);
    EQUAL(GPUCMD_AGX_OUTCOME_TIMEOUT, 3);
    EQUAL(GPUCMD_AGX_OUTCOME_FAULT, 4);
    EQUAL(GPUCMD_AGX_OUTCOME_NO_DEVICE, 6);
    EQUAL(GPUCMD_AGX_FAULT_NONE, 0);
    EQUAL(GPUCMD_AGX_FAULT_UNKNOWN, 1);
    EQUAL(GPUCMD_AGX_FAULT_UNMAPPED, 2);
    EQUAL(GPUCMD_AGX_FAULT_AF_FAULT, 3);
    EQUAL(GPUCMD_AGX_FAULT_WRITE_ONLY, 4);
    EQUAL(GPUCMD_AGX_FAULT_READ_ONLY, 5);
    EQUAL(GPUCMD_AGX_DRAFT_USER_START, 0x2000000000u);
    EQUAL(GPUCMD_AGX_DRAFT_USER_END, 0x5FFFFFFFFFu);
    EQUAL(GPUCMD_AGX_DRAFT_SHADER_START, 0x1100000000u);
    EQUAL(GPUCMD_AGX_DRAFT_SHADER_END, 0x11FFFFFFFFu);
    EQUAL(GPUCMD_AGX_DRAFT_MAX_SYNCS, 64);
    EQUAL(GPUCMD_AGX_DRAFT_IN_FLIGHT, 1024);
    EQUAL(gpucmd_agx_rule_errno(GPUCMD_AGX_RULE_DRAFT_UNBIND), 524);
    EQUAL(gpucmd_agx_rule_errno(GPUCMD_AGX_RULE_DRAFT_BIND_BUSY), 28);
}

/* Fence errors: fault and channel error EIO, timeout ETIMEDOUT, killed ECANCELED, GPU lost ENODEV,
 * unknown ENODATA. */
static void errnos(void)
{
    EQUAL(gpucmd_agx_outcome_errno(GPUCMD_AGX_OUTCOME_COMPLETE), 0);
    EQUAL(gpucmd_agx_outcome_errno(GPUCMD_AGX_OUTCOME_FAULT), 5);
    EQUAL(gpucmd_agx_outcome_errno(GPUCMD_AGX_OUTCOME_CHANNEL_ERROR), 5);
    EQUAL(gpucmd_agx_outcome_errno(GPUCMD_AGX_OUTCOME_TIMEOUT), 110);
    EQUAL(gpucmd_agx_outcome_errno(GPUCMD_AGX_OUTCOME_KILLED), 125);
    EQUAL(gpucmd_agx_outcome_errno(GPUCMD_AGX_OUTCOME_NO_DEVICE), 19);
    EQUAL(gpucmd_agx_outcome_errno(GPUCMD_AGX_OUTCOME_UNKNOWN_ERROR), 61);
    EQUAL(gpucmd_agx_outcome_errno(GPUCMD_AGX_OUTCOME_PENDING), 0);
    EQUAL(gpucmd_agx_outcome_errno((gpucmd_agx_outcome)8), 0);
    TEXT(gpucmd_agx_outcome_name((gpucmd_agx_outcome)8), "?");
    EQUAL(gpucmd_agx_rule_errno(GPUCMD_AGX_RULE_VDM_BARRIER), 22);
    EQUAL(gpucmd_agx_rule_errno(GPUCMD_AGX_RULE_TIMESTAMP_UNKNOWN), 2);
    EQUAL(gpucmd_agx_rule_errno(GPUCMD_AGX_RULE_TIMESTAMP_RANGE), 34);
    EQUAL(gpucmd_agx_rule_errno(GPUCMD_AGX_RULE_CMDBUF_FAULT), 14);
    EQUAL(gpucmd_agx_rule_errno(GPUCMD_AGX_RULE_CRASHED), 19);
    EQUAL(gpucmd_agx_rule_errno(GPUCMD_AGX_RULE_CHECK_ALONE), 0);
    EQUAL(gpucmd_agx_rule_errno((gpucmd_agx_rule)1000), 0);
    CHECK(strcmp(gpucmd_sys_error_name(524), "ENOTSUPP") == 0);
    CHECK(strcmp(gpucmd_sys_error_name(4095), "?") == 0);
    CHECK(strcmp(gpucmd_agx_rule_name(GPUCMD_AGX_RULE_COMMAND_COUNT), "COMMAND_COUNT") == 0);
    CHECK(strcmp(gpucmd_agx_ring_name(GPUCMD_AGX_RING_COMPUTE), "compute") == 0);
    CHECK(strcmp(gpucmd_agx_ring_name(GPUCMD_AGX_RING_VERTEX), "vertex") == 0);
    CHECK(strcmp(gpucmd_agx_ring_name(GPUCMD_AGX_RING_FRAGMENT), "fragment") == 0);
    CHECK(strcmp(gpucmd_agx_ring_name((gpucmd_agx_ring)3), "?") == 0);
    CHECK(strcmp(gpucmd_agx_rule_text((gpucmd_agx_rule)1000), "?") == 0);
    CHECK(strcmp(gpucmd_agx_outcome_name(GPUCMD_AGX_OUTCOME_KILLED), "KILLED") == 0);
    CHECK(strcmp(gpucmd_agx_cmd_type_name(4), "SET_COMPUTE_ATTACHMENTS") == 0);
    CHECK(strcmp(gpucmd_agx_cmd_type_name(5), "?") == 0);
}

/* The names of fault_type 0 to 6 of the drafts. */
static void faults(void)
{
    TEXT(gpucmd_agx_fault_name((gpucmd_agx_fault)0), "NONE");
    TEXT(gpucmd_agx_fault_name((gpucmd_agx_fault)1), "UNKNOWN");
    TEXT(gpucmd_agx_fault_name((gpucmd_agx_fault)2), "UNMAPPED");
    TEXT(gpucmd_agx_fault_name((gpucmd_agx_fault)3), "AF_FAULT");
    TEXT(gpucmd_agx_fault_name((gpucmd_agx_fault)4), "WRITE_ONLY");
    TEXT(gpucmd_agx_fault_name((gpucmd_agx_fault)5), "READ_ONLY");
    TEXT(gpucmd_agx_fault_name((gpucmd_agx_fault)6), "NO_ACCESS");
    TEXT(gpucmd_agx_fault_name((gpucmd_agx_fault)7), "?");
}

/* The errno of each rule, in the order of the rows. ENOENT 2, ENOMEM 12, EFAULT 14, ENODEV 19,
 * EINVAL 22, ENOSPC 28, ERANGE 34, ENOTSUPP 524; 0: a finding of the checker. */
static void rules(void)
{
    static const struct {
        const char *name;
        int err;
    } rows[] = {
        {"NONE",                0  },
        {"ARGUMENT_FAULT",      14 },
        {"FLAGS",               22 },
        {"PAD",                 22 },
        {"CRASHED",             19 },
        {"NO_MEMORY",           12 },
        {"QUEUE_UNKNOWN",       2  },
        {"VM_UNKNOWN",          2  },
        {"GEM_UNKNOWN",         2  },
        {"OBJECT_UNKNOWN",      2  },
        {"SYNCS_FAULT",         14 },
        {"SYNC_COUNT",          22 },
        {"SYNC_TYPE",           22 },
        {"SYNC_VALUE",          22 },
        {"SYNC_UNKNOWN",        2  },
        {"SYNC_NO_FENCE",       22 },
        {"SYNC_POINT",          22 },
        {"CMDBUF_FAULT",        14 },
        {"HEADER_TRUNCATED",    22 },
        {"COMMAND_COUNT",       22 },
        {"VDM_BARRIER",         22 },
        {"CDM_BARRIER",         22 },
        {"SOFTWARE_BARRIER",    22 },
        {"PAYLOAD_TRUNCATED",   22 },
        {"PAYLOAD_TAIL",        22 },
        {"RENDER_FLAGS",        22 },
        {"RENDER_SIZE",         22 },
        {"RENDER_LAYERS",       22 },
        {"RENDER_UTILE",        22 },
        {"RENDER_SAMPLES",      22 },
        {"COMPUTE_FLAGS",       22 },
        {"TIMESTAMP_UNKNOWN",   2  },
        {"TIMESTAMP_OVERFLOW",  22 },
        {"TIMESTAMP_RANGE",     34 },
        {"ATTACHMENT_COUNT",    22 },
        {"ATTACHMENT_LENGTH",   22 },
        {"ATTACHMENT_PAD",      22 },
        {"ATTACHMENT_BYTES",    22 },
        {"COMMAND_UNKNOWN",     22 },
        {"PARAM_GROUP",         22 },
        {"VM_WINDOW",           22 },
        {"GEM_SIZE",            22 },
        {"GEM_EMPTY",           28 },
        {"GEM_VM_ID",           22 },
        {"BIND_STRIDE",         22 },
        {"BIND_BYTES",          22 },
        {"BIND_OPS_FAULT",      14 },
        {"BIND_TAIL",           22 },
        {"BIND_FLAGS",          22 },
        {"BIND_UNUSED",         22 },
        {"BIND_ALIGN",          22 },
        {"BIND_EMPTY",          22 },
        {"BIND_OBJECT_RANGE",   22 },
        {"BIND_WINDOW",         22 },
        {"BIND_RIGHTS",         22 },
        {"BIND_KERNEL_WINDOW",  22 },
        {"BIND_PRIVATE",        22 },
        {"GEM_EXPORT",          22 },
        {"OBJECT_VM_ID",        22 },
        {"OBJECT_OP",           22 },
        {"OBJECT_ALIGN",        22 },
        {"OBJECT_FLAGS",        22 },
        {"OBJECT_RANGE",        22 },
        {"OBJECT_PRIVATE",      22 },
        {"OBJECT_SPACE",        28 },
        {"OBJECT_UNUSED",       22 },
        {"QUEUE_PRIORITY",      22 },
        {"IOCTL_UNKNOWN",       22 },
        {"DRAFT_EXTENSIONS",    22 },
        {"DRAFT_TYPE",          22 },
        {"DRAFT_RESULT",        22 },
        {"DRAFT_PAYLOAD_FAULT", 14 },
        {"DRAFT_CAPS",          22 },
        {"DRAFT_FLAGS",         22 },
        {"DRAFT_ATTACHMENT",    22 },
        {"DRAFT_QUEUE_CAPS",    22 },
        {"DRAFT_BIND_OP",       22 },
        {"DRAFT_BIND_WHOLE",    22 },
        {"DRAFT_BIND_BUSY",     28 },
        {"DRAFT_UNBIND",        524},
        {"DRAFT_UNBIND_UNUSED", 22 },
        {"NOTATION",            22 },
        {"NOTATION_NUMBER",     22 },
        {"CHECK_IMPLIED",       0  },
        {"CHECK_OWN_COMPUTE",   0  },
        {"CHECK_NO_PRIOR",      0  },
        {"CHECK_MISSING",       0  },
        {"CHECK_ACCIDENT",      0  },
        {"CHECK_ALONE",         0  },
        {"CHECK_STAMP_ALIGN",   0  },
        {"CHECK_BLIT",          0  },
        {"CHECK_UNMAPPED",      0  },
        {"CHECK_READ_ONLY",     0  },
        {"CHECK_WRITE_ONLY",    0  },
        {"CHECK_BLOCK",         0  },
        {"CHECK_NO_END",        0  },
    };
    const uint32_t count = (uint32_t)(sizeof rows / sizeof rows[0]);
    for (uint32_t i = 0; i < count; i++) {
        TEXT(gpucmd_agx_rule_name((gpucmd_agx_rule)i), rows[i].name);
        EQUAL(gpucmd_agx_rule_errno((gpucmd_agx_rule)i), rows[i].err);
    }
    TEXT(gpucmd_agx_rule_name((gpucmd_agx_rule)count), "?");
    EQUAL(gpucmd_agx_rule_errno((gpucmd_agx_rule)count), 0);
}

/* Lengths of the arrays of the interface: halves 2, firmware queues 3, commands 64. */
static void arrays(void)
{
#define COUNT(type, member, want)                                                                  \
    EQUAL(sizeof(((type *)0)->member) / sizeof(((type *)0)->member[0]), want)
    EQUAL(GPUCMD_AGX_RINGS, 3);
    COUNT(gpucmd_agx_job, commands, 64);
    COUNT(gpucmd_agx_taken, stamps, 2);
    COUNT(gpucmd_agx_clock, ended, 3);
    COUNT(gpucmd_agx_lowering, tail, 3);
    COUNT(gpucmd_agx_lowering, last, 2);
    COUNT(gpucmd_agx_lowering, render_end, 65);
    COUNT(gpucmd_agx_lowering, compute_end, 65);
    COUNT(gpucmd_agx_order, before, 64);
    COUNT(gpucmd_agx_order, before[0], 2);
    COUNT(gpucmd_agx_durations, ring, 3);
    COUNT(gpucmd_agx_result, start, 2);
    COUNT(gpucmd_agx_result, end, 2);
    COUNT(gpucmd_agx_result, outcome, 2);
    COUNT(gpucmd_agx_exec_job, results, 64);
    COUNT(gpucmd_agx_exec_queue, rings, 3);
    COUNT(gpucmd_agx_stamps, at, 64);
    COUNT(gpucmd_agx_stamps, at[0], 2);
    COUNT(gpucmd_agx_stamps, at[0][0], 2);
    COUNT(gpucmd_agx_stamps, result, 64);
    COUNT(gpucmd_agx_stamps, result_bytes, 64);
    COUNT(gpucmd_agx_kernel, taken, 64);
    COUNT(gpucmd_agx_exec_store, slots, 8 * 3 * 1280);
    COUNT(gpucmd_agx_exec_store, jobs, 16);
#undef COUNT
    EQUAL(GPUCMD_AGX_NONE, 0xffffffffu);
    EQUAL(GPUCMD_AGX_OP_RUN, 0);
    EQUAL(GPUCMD_AGX_OP_WAIT, 1);
}

/* The chips of the fact sheet, 13.3: id, generation, variant, dies, clusters, cores of a cluster. */
static void chips(void)
{
    static const struct {
        const char *product, *name;
        uint32_t values[6];
    } rows[] = {
        {"m1",       "T8103", {0x8103, 13, 'G', 1, 1, 8} },
        {"m1_pro",   "T6000", {0x6000, 13, 'S', 1, 2, 8} },
        {"m1_max",   "T6001", {0x6001, 13, 'C', 1, 4, 8} },
        {"m1_ultra", "T6002", {0x6002, 13, 'D', 2, 8, 8} },
        {"m2",       "T8112", {0x8112, 14, 'G', 1, 1, 10}},
        {"m2_pro",   "T6020", {0x6020, 14, 'S', 1, 2, 10}},
        {"m2_max",   "T6021", {0x6021, 14, 'C', 1, 4, 10}},
        {"m2_ultra", "T6022", {0x6022, 14, 'D', 2, 8, 10}},
    };
    static const char *const unknown[] = {"", "m", "m11", "m1_", "t8103x", "@8103", "M3"};
    struct gpucmd_drm_asahi_params_global p;
    gpucmd_agx_chip chip = GPUCMD_AGX_CHIP_T6022;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint32_t *v = rows[i].values;
        EQUAL(gpucmd_agx_chip_from_name(rows[i].product, &chip), GPUCMD_OK);
        EQUAL(chip, i);
        TEXT(gpucmd_agx_chip_name(chip), rows[i].name);
        EQUAL(gpucmd_agx_chip_from_name(rows[i].name, &chip), GPUCMD_OK);
        EQUAL(chip, i);
        EQUAL(gpucmd_agx_chip_from_id(v[0], &chip), GPUCMD_OK);
        EQUAL(chip, i);
        EQUAL(gpucmd_agx_params_init(&p, chip), GPUCMD_OK);
        EQUAL(p.chip_id, v[0]);
        EQUAL(p.gpu_generation, v[1]);
        EQUAL(p.gpu_variant, v[2]);
        EQUAL(p.num_dies, v[3]);
        EQUAL(p.num_clusters_total, v[4]);
        EQUAL(p.num_cores_per_cluster, v[5]);
        EQUAL(p.core_masks[v[4] - 1], v[5] == 8 ? 0xff : 0x3ff);
        EQUAL(p.core_masks[v[4]], 0);
        EQUAL(p.vm_end, 0x7fffff8000u);
    }
    EQUAL(gpucmd_agx_chip_from_name("M1_Ultra", &chip), GPUCMD_OK);
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        EQUAL(gpucmd_agx_chip_from_name(unknown[i], &chip), GPUCMD_RANGE);
    }
    EQUAL(gpucmd_agx_chip_from_id(0, &chip), GPUCMD_RANGE);
    EQUAL(chip, GPUCMD_AGX_CHIP_T6002);
    EQUAL(gpucmd_agx_params_init(&p, (gpucmd_agx_chip)8), GPUCMD_RANGE);
    TEXT(gpucmd_agx_chip_name((gpucmd_agx_chip)8), "?");
}

/* Every source that a rule cites has a row. */
static void cited(void)
{
#define KEY(key, kind, title)                  #key " " kind "\n"
#define SOURCE(name, err, severity, text, src) GPUCMD_AGX_SRC_##src,
    static const gpucmd_agx_source sources[] = {GPUCMD_AGX_RULES(SOURCE)};
    static const char keys[] = GPUCMD_AGX_SOURCES(KEY);
    TEXT(keys, "NOTES doc\nHWDOC re\nUAPI src\nDRV src\nDRVD src\nD06 src\nD11 src\nMESA src\n"
               "GENXML src\nREGS src\nCHAIN src\nOUR our\n");
#define UNIT(name, code, text, src)                                 GPUCMD_AGX_SRC_##src,
#define ADDRESS(id, command, member, part, form, rights, unit, src) GPUCMD_AGX_SRC_##src,
#define BLOCK(name, stream, type, words, pads, src)                 GPUCMD_AGX_SRC_##src,
#define PART(block, name, bit, words, src)                          GPUCMD_AGX_SRC_##src,
    static const gpucmd_agx_source more[] = {GPUCMD_AGX_UNITS(UNIT) GPUCMD_AGX_ADDRESSES(
        ADDRESS) GPUCMD_AGX_CTRL_BLOCKS(BLOCK) GPUCMD_AGX_CTRL_PARTS(PART)};
    EQUAL(more[0], GPUCMD_AGX_SRC_REGS);
#undef PART
#undef BLOCK
#undef ADDRESS
#undef UNIT
    EQUAL(sources[GPUCMD_AGX_RULE_NONE], GPUCMD_AGX_SRC_OUR);
    EQUAL(sources[GPUCMD_AGX_RULE_PAD], GPUCMD_AGX_SRC_UAPI);
    EQUAL(sources[GPUCMD_AGX_RULE_CHECK_BLIT], GPUCMD_AGX_SRC_NOTES);
#undef SOURCE
#undef KEY
}

/* A block with all of its parts has room in a gpucmd_agx_block. */
static void longest_blocks(void)
{
#define BLOCK(name, stream, type, words, pads, src) {GPUCMD_AGX_BLOCK_##name, (words) + (pads)},
#define PART(block, name, bit, words, src)          {GPUCMD_AGX_BLOCK_##block, words},
#define MODE(name, number, words, address_dw, bytes)                                               \
    {GPUCMD_AGX_BLOCK_CDM_LAUNCH, (words) + 2}, /* generation 14 */
    static const uint32_t blocks[][2] = {GPUCMD_AGX_CTRL_BLOCKS(BLOCK)};
    static const uint32_t parts[][2] = {GPUCMD_AGX_CTRL_PARTS(PART)};
    static const uint32_t modes[][2] = {GPUCMD_AGX_CDM_MODES(MODE)};
#undef MODE
#undef PART
#undef BLOCK
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        uint32_t words = blocks[i][1], most = 0;
        for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
            words += parts[k][0] == blocks[i][0] ? parts[k][1] : 0;
        }
        for (size_t k = 0; k < sizeof modes / sizeof modes[0]; k++) {
            most = modes[k][0] == blocks[i][0] && modes[k][1] > most ? modes[k][1] : most;
        }
        CHECK(words + most <= GPUCMD_AGX_BLOCK_DW);
    }
}

/* Rows of a store and least rows of each table, in order; flags of prior work. */
static void tables(void)
{
#define TABLE(id, member, count, type, store, each, least) {store, each, least},
    static const uint32_t rows[][3] = {GPUCMD_AGX_EXEC_TABLES(TABLE)
                                           GPUCMD_AGX_KERNEL_TABLES(TABLE)};
    static const uint32_t want[][3] = {
        {8,    1,  1  },
        {16,   1,  1  },
        {1280, 24, 194},
        {256,  1,  0  },
        {256,  1,  0  },
        {8,    1,  0  },
        {64,   1,  0  },
        {16,   1,  0  },
        {8,    1,  0  },
        {64,   1,  0  },
        {128,  1,  0  },
        {16,   1,  0  },
        {128,  1,  0  },
        {128,  1,  0  },
        {256,  1,  0  },
        {32,   1,  0  },
        {2048, 1,  0  },
    };
    EQUAL(sizeof rows, sizeof want);
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        CHECK(memcmp(rows[i], want[i], sizeof want[i]) == 0);
    }
    EQUAL(GPUCMD_AGX_HEADER_HI(0xffff, 0xffff), 0xffffffff);
    EQUAL(GPUCMD_AGX_HEADER_LO(0xffff, 0xffff), 0xffffffff);
    EQUAL(GPUCMD_AGX_COMMAND_ENTRIES, 5);
    EQUAL(GPUCMD_AGX_MAX_ENTRIES, 64 * 5); /* a render is 3 entries, a barrier before each half */
    EQUAL(GPUCMD_AGX_PRIOR_NONE, 0);
    EQUAL(GPUCMD_AGX_PRIOR_RENDER, 1);
    EQUAL(GPUCMD_AGX_PRIOR_COMPUTE, 2);
    EQUAL(GPUCMD_AGX_PRIOR_BOTH, 3);
}

int main(void)
{
    tables();
    longest_blocks();
    rules();
    chips();
    cited();
    arrays();
    layouts();
    leaves();
    numbers();
    draft_numbers();
    errnos();
    faults();
    return test_report("agx_facts");
}

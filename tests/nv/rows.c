/* Rows of the engines of NVIDIA GPUs, against lists typed from the sources: methods and fields of NVIDIA's
 * class headers and of envytools' rnndb (for NV30 to G80), classes and first chips of nouveau. Formats have
 * names that give their components; what clears must write comes from the name. Fields of registers: envytools
 * (rnndb nv4_pfifo, pstraps.rst) and NVIDIA's manuals. */
/* suite: executor */
#include "gpucmd_nv.h"
#include "test.h"
#include "nv/host.h"

#include <stdlib.h>

/* clang-format off */
/* NAME method; of driver_methods also the first class that has the method */
static const char *const engine_methods[] = {
    "COPY_SET_CTX_DMA 180;COPY_SET_MONITORED_FENCE_TYPE 21c;",
    "COPY_SET_MONITORED_FENCE_SIGNAL_ADDR_BASE_UPPER 220;",
    "COPY_SET_MONITORED_FENCE_SIGNAL_ADDR_BASE_LOWER 224;COPY_SET_SEMAPHORE_A 240;",
    "COPY_SET_SEMAPHORE_B 244;COPY_SET_SEMAPHORE_PAYLOAD 248;",
    "COPY_SET_SEMAPHORE_PAYLOAD_UPPER 24c;COPY_ADDRESSING_MODE 250;COPY_SET_RENDER_ENABLE_A 254;",
    "COPY_SET_RENDER_ENABLE_B 258;COPY_SET_RENDER_ENABLE_C 25c;COPY_SET_SRC_PHYS_MODE 260;",
    "COPY_SET_DST_PHYS_MODE 264;COPY_LAUNCH_DMA 300;COPY_OFFSET_IN_UPPER 400;",
    "COPY_OFFSET_IN_LOWER 404;COPY_OFFSET_OUT_UPPER 408;COPY_OFFSET_OUT_LOWER 40c;",
    "COPY_PITCH_IN 410;COPY_PITCH_OUT 414;COPY_LINE_LENGTH_IN 418;COPY_LINE_COUNT 41c;",
    "COPY_SET_SECURE_COPY_MODE 500;COPY_SET_DECRYPT_AUTH_TAG_COMPARE_ADDR_UPPER 514;",
    "COPY_SET_DECRYPT_AUTH_TAG_COMPARE_ADDR_LOWER 518;COPY_SET_ENCRYPT_AUTH_TAG_ADDR_UPPER 530;",
    "COPY_SET_ENCRYPT_AUTH_TAG_ADDR_LOWER 534;COPY_SET_ENCRYPT_IV_ADDR_UPPER 538;",
    "COPY_SET_ENCRYPT_IV_ADDR_LOWER 53c;COPY_SET_MEMORY_SCRUB_PARAMETERS 6fc;",
    "COPY_SET_REMAP_CONST_A 700;COPY_SET_REMAP_CONST_B 704;COPY_SET_REMAP_COMPONENTS 708;",
    "COPY_SET_DST_BLOCK_SIZE 70c;COPY_SET_DST_WIDTH 710;COPY_SET_DST_HEIGHT 714;",
    "COPY_SET_DST_DEPTH 718;COPY_SET_DST_LAYER 71c;COPY_SET_DST_ORIGIN 720;",
    "COPY_SET_SRC_BLOCK_SIZE 728;COPY_SET_SRC_WIDTH 72c;COPY_SET_SRC_HEIGHT 730;",
    "COPY_SET_SRC_DEPTH 734;COPY_SET_SRC_LAYER 738;COPY_SET_SRC_ORIGIN 73c;COPY_SRC_ORIGIN_X 744;",
    "COPY_SRC_ORIGIN_Y 748;COPY_DST_ORIGIN_X 74c;COPY_DST_ORIGIN_Y 750;COPY_SET_REQ_ATTR 754;",
    "M2MF_DMA_BUFFER_IN 184;M2MF_DMA_BUFFER_OUT 188;M2MF_SRC_LAYOUT 200;M2MF_SRC_BLOCK_SIZE 204;",
    "M2MF_SRC_WIDTH 208;M2MF_SRC_LAYER 214;M2MF_SRC_ORIGIN 218;M2MF_DST_LAYOUT 21c;",
    "M2MF_DST_BLOCK_SIZE 220;M2MF_DST_WIDTH 224;M2MF_DST_LAYER 230;M2MF_DST_ORIGIN 234;",
    "M2MF_G80_OFFSET_IN_UPPER 238;M2MF_G80_OFFSET_OUT_UPPER 23c;M2MF_OFFSET_OUT_UPPER 238;",
    "M2MF_OFFSET_OUT 23c;M2MF_LAUNCH_DMA 300;M2MF_LOAD_INLINE_DATA 304;M2MF_OFFSET_IN_UPPER 30c;",
    "M2MF_OFFSET_IN 310;M2MF_NV4_OFFSET_IN 30c;M2MF_NV4_OFFSET_OUT 310;M2MF_PITCH_IN 314;",
    "M2MF_PITCH_OUT 318;M2MF_LINE_LENGTH_IN 31c;M2MF_LINE_COUNT 320;M2MF_NV4_FORMAT 324;",
    "M2MF_NV4_BUFFER_NOTIFY 328;M2MF_SET_SEMAPHORE_A 32c;M2MF_SET_SEMAPHORE_B 330;",
    "M2MF_SET_SEMAPHORE_C 334;M2MF_SRC_ORIGIN_X 344;M2MF_SRC_ORIGIN_Y 348;M2MF_DST_ORIGIN_X 34c;",
    "M2MF_DST_ORIGIN_Y 350;INLINE_LINE_LENGTH_IN 180;INLINE_LINE_COUNT 184;",
    "INLINE_OFFSET_OUT_UPPER 188;INLINE_OFFSET_OUT 18c;INLINE_PITCH_OUT 190;",
    "INLINE_SET_DST_BLOCK_SIZE 194;INLINE_SET_DST_WIDTH 198;INLINE_SET_DST_LAYER 1a4;",
    "INLINE_SET_DST_ORIGIN_X 1a8;INLINE_SET_DST_ORIGIN_Y 1ac;INLINE_LAUNCH_DMA 1b0;",
    "INLINE_LOAD_INLINE_DATA 1b4;INLINE_SET_SEMAPHORE_A 1dc;INLINE_SET_SEMAPHORE_B 1e0;",
    "INLINE_SET_SEMAPHORE_C 1e4;",
};
static const char *const driver_methods[] = {
    "SOFTWARE_FAULT_CANCEL_A 0x104 C076;SOFTWARE_FAULT_CANCEL_B 0x108 C076;",
    "SOFTWARE_FAULT_CANCEL_C 0x10c C076;SOFTWARE_CLEAR_FAULTED_A 0x110 C076;",
    "SOFTWARE_CLEAR_FAULTED_B 0x114 C076;COMPUTE_NO_OPERATION 0x100 90C0;",
    "COMPUTE_SET_NOTIFY_A 0x104 90C0;COMPUTE_NOTIFY 0x10c 90C0;COMPUTE_WAIT_FOR_IDLE 0x110 90C0;",
    "COMPUTE_SEND_GO_IDLE 0x13c 90C0;COMPUTE_PM_TRIGGER 0x140 90C0;",
    "COMPUTE_SET_REPORT_SEMAPHORE_PAYLOAD_LOWER 0x158 C7C0;",
    "COMPUTE_REPORT_SEMAPHORE_EXECUTE 0x168 C7C0;COMPUTE_PERFMON_TRANSFER 0x210 A0C0;",
    "COMPUTE_SET_SHADER_SHARED_MEMORY_WINDOW 0x214 90C0;",
    "COMPUTE_INVALIDATE_SHADER_CACHES 0x21c 90C0;",
    "COMPUTE_INVALIDATE_TEXTURE_HEADER_CACHE_NO_WFI 0x244 90C0;",
    "COMPUTE_SET_CWD_REF_COUNTER 0x248 A0C0;COMPUTE_SET_COMPUTE_CLASS_VERSION 0x280 A0C0;",
    "COMPUTE_CHECK_COMPUTE_CLASS_VERSION 0x284 A0C0;COMPUTE_INVALIDATE_SKED_CACHES 0x298 B1C0;",
    "COMPUTE_SET_SHADER_SHARED_MEMORY_WINDOW_A 0x2a0 C0C0;COMPUTE_SET_CWD_SLOT_COUNT 0x2b0 A0C0;",
    "COMPUTE_SEND_PCAS_A 0x2b4 A0C0;COMPUTE_SEND_PCAS_B 0x2b8 A0C0;",
    "COMPUTE_SEND_SIGNALING_PCAS_B 0x2bc A0C0;COMPUTE_SEND_SIGNALING_PCAS2_B 0x2c0 C6C0;",
    "COMPUTE_SET_SKED_CACHE_CONTROL 0x2cc C3C0;",
    "COMPUTE_SET_SHADER_LOCAL_MEMORY_NON_THROTTLED_A 0x2e4 A0C0;",
    "COMPUTE_SET_SHADER_LOCAL_MEMORY_THROTTLED_A 0x2f0 A0C0;COMPUTE_SET_SPA_VERSION 0x310 A0C0;",
    "COMPUTE_LAUNCH 0x368 90C0;COMPUTE_SET_SHADER_LOCAL_MEMORY_WINDOW 0x77c 90C0;",
    "COMPUTE_SET_SHADER_LOCAL_MEMORY_A 0x790 90C0;",
    "COMPUTE_SET_SHADER_LOCAL_MEMORY_WINDOW_A 0x7b0 C0C0;",
    "COMPUTE_SET_SHADER_CACHE_CONTROL 0xd94 90C0;COMPUTE_SET_SPARE_NOOP00 0x1040 90C0;",
    "COMPUTE_INVALIDATE_SAMPLER_CACHE 0x1330 90C0;",
    "COMPUTE_INVALIDATE_TEXTURE_HEADER_CACHE 0x1334 90C0;",
    "COMPUTE_INVALIDATE_SAMPLER_CACHE_NO_WFI 0x1424 90C0;",
    "COMPUTE_SET_SHADER_EXCEPTIONS 0x1528 90C0;COMPUTE_SET_RENDER_ENABLE_A 0x1550 90C0;",
    "COMPUTE_SET_TEX_SAMPLER_POOL_A 0x155c 90C0;COMPUTE_SET_TEX_HEADER_POOL_A 0x1574 90C0;",
    "COMPUTE_SET_PROGRAM_REGION_A 0x1608 90C0;",
    "COMPUTE_INVALIDATE_SHADER_CACHES_NO_WFI 0x1698 90C0;",
    "COMPUTE_SET_RENDER_ENABLE_OVERRIDE 0x1944 90C0;COMPUTE_PIPE_NOP 0x1a2c 90C0;",
    "COMPUTE_SET_REPORT_SEMAPHORE_A 0x1b00 90C0;COMPUTE_SET_REPORT_SEMAPHORE_D 0x1b0c 90C0;",
    "COMPUTE_SET_TRAP_HANDLER_A 0x25f8 C3C0;COMPUTE_SET_BINDLESS_TEXTURE 0x2608 A0C0;",
};
static const char *const image_methods[] = {
    "SURFACE_DMA_DST 188;SURFACE_FORMAT 300;SURFACE_PITCH 304;SURFACE_OFFSET_DST 30c;",
    "SWIZZLED_DMA 184;SWIZZLED_FORMAT 300;SWIZZLED_OFFSET 304;SCALED_DMA 184;SCALED_SURFACE 198;",
    "SCALED_FORMAT 300;SCALED_OPERATION 304;SCALED_CLIP_POINT 308;SCALED_CLIP_SIZE 30c;",
    "SCALED_OUT_POINT 310;SCALED_OUT_SIZE 314;SCALED_DU_DX 318;SCALED_DV_DY 31c;SCALED_SIZE 400;",
    "SCALED_PITCH 404;SCALED_OFFSET 408;SCALED_POINT 40c;2D_DMA_DST 184;2D_DMA_SRC 188;",
    "2D_DST_FORMAT 200;2D_SRC_FORMAT 230;2D_CLIP_X 280;2D_CLIP_ENABLE 290;",
    "2D_COLOR_KEY_ENABLE 29c;2D_OPERATION 2ac;",
    "2D_ROP 2a0;2D_BETA4 2a8;2D_PATTERN_SELECT 2b4;2D_PATTERN_COLOR_FORMAT 2e8;",
    "2D_PATTERN_COLOR_1 2f4;2D_PATTERN_BITMAP 2f8;2D_INLINE_BITMAP 800;2D_INLINE_FORMAT 804;",
    "2D_INLINE_WIDTH 838;2D_INLINE_HEIGHT 83c;2D_INLINE_DU_DX 840;2D_INLINE_DST_X 850;",
    "2D_INLINE_DST_Y 85c;2D_INLINE_DATA 860;2D_BLIT_CONTROL 88c;2D_BLIT_DST_X 8b0;",
    "2D_BLIT_DU_DX 8c0;2D_BLIT_SRC_X 8d0;2D_BLIT_SRC_Y 8dc;3D_NV30_DMA_COLOR 194;",
    "3D_NV30_DMA_ZETA 198;3D_NV30_DMA_FENCE 1a4;3D_NV30_DMA_QUERY 1a8;3D_NV30_RT_HORIZ 200;",
    "3D_NV30_RT_VERT 204;3D_NV30_RT_FORMAT 208;3D_NV30_RT_PITCH 20c;3D_NV30_RT_OFFSET 210;",
    "3D_NV30_ZETA_OFFSET 214;3D_NV40_ZETA_PITCH 22c;3D_NV30_SCISSOR_HORIZ 8c0;",
    "3D_NV30_SCISSOR_VERT 8c4;3D_NV30_QUERY_GET 1800;3D_NV30_FENCE_OFFSET 1d6c;",
    "3D_NV30_FENCE_VALUE 1d70;3D_NV30_CLEAR_DEPTH 1d8c;3D_NV30_CLEAR_COLOR 1d90;",
    "3D_NV30_CLEAR_BUFFERS 1d94;3D_NV40_COND 1e98;3D_DMA_ZETA 184;3D_DMA_QUERY 188;",
    "3D_DMA_COLOR 1c0;3D_RT_G80 200;3D_RT_GF100 800;3D_CLEAR_COLOR d80;3D_CLEAR_DEPTH d90;",
    "3D_CLEAR_STENCIL da0;3D_ZETA fe0;3D_SCISSOR_HORIZ ff4;3D_SCISSOR_VERT ff8;",
    "3D_RT_ARRAY_MODE_G80 1224;3D_ZETA_HORIZ 1228;3D_ZETA_VERT 122c;3D_ZETA_ARRAY_MODE 1230;",
    "3D_RT_HORIZ_G80 1240;3D_RT_VERT_G80 1244;3D_ZETA_ENABLE 1538;3D_COND_UPPER 1550;",
    "3D_COND_LOWER 1554;3D_COND_MODE 1558;3D_ZETA_BASE_LAYER 179c;3D_CLEAR_BUFFERS 19d0;",
    "3D_REPORT_UPPER 1b00;3D_REPORT_LOWER 1b04;3D_REPORT_PAYLOAD 1b08;3D_REPORT_GET 1b0c;",
};
/* NAME first bit, last bit. A name that ends in a class has the width of that class. */
static const char *const register_fields[] = {
    "TOKEN_CHANNEL 11 0;TOKEN_RUNLIST 22 16;TOKEN_RUNLIST_GB100 21 16;TOKEN_GB202 30 30;",
    "USERMODE_CLASS 15 0;USERMODE_TIME_LO 31 5;USERMODE_TIME_HI 28 0;",
    "BLOCK_PTR 27 0;BLOCK_TARGET 29 28;BLOCK_MODE 31 31;",
    "CACHE1_STATE_NI 0 0;CACHE1_STATE_PRIV 1 1;CACHE1_STATE_MTHD 12 2;CACHE1_STATE_SUBC 15 13;",
    "CACHE1_STATE_LENP 16 16;CACHE1_STATE_SUBR_ACTIVE 17 17;CACHE1_STATE_NONMAIN 18 18;",
    "CACHE1_STATE_COUNT 28 18;CACHE1_STATE_ERROR 31 29;CACHE1_SUBROUTINE_ACTIVE 0 0;",
    "CACHE1_SUBROUTINE_RETURN 31 2;CACHE1_PUSH_ACCESS 0 0;CACHE1_PUSH_SUSPENDED 12 12;",
    "CACHE1_ADDR_NI 0 0;CACHE1_ADDR_MTHD 12 2;CACHE1_ADDR_SUBC 15 13;",
    "STRAP_NV20_VRAM 17 16;STRAP_NV20_MMIO 18 18;STRAP_NV17_VRAM 24 23;STRAP_NV17_MMIO 25 25;",
    "STRAP0_VRAM 15 14;STRAP1_PORTS 16 16;STRAP1_MMIO 19 17;STRAP1_VRAM 22 20;STRAP1_RAMIN 23 23;",
};
static const char *const host_fields[] = {
    "OBJECT_CLASS 15 0;OBJECT_ENGINE 20 16;SEM_UPPER 7 0;SEM_UPPER_C86F 24 0;SEM_LOWER 31 2;",
    "SEMAPHORED_OPERATION 4 0;SEMAPHORED_OPERATION_906F 3 0;SEMAPHORED_OPERATION_826F 2 0;",
    "SEMAPHORED_ACQUIRE_SWITCH 12 12;SEMAPHORED_RELEASE_WFI 20 20;SEMAPHORED_RELEASE_SIZE 24 24;",
    "SEMAPHORED_REDUCTION 30 27;SEMAPHORED_FORMAT 31 31;SEM_EXECUTE_OPERATION 2 0;",
    "SEM_EXECUTE_ACQUIRE_SWITCH_TSG 12 12;SEM_EXECUTE_RELEASE_WFI 20 20;",
    "SEM_EXECUTE_PAYLOAD_SIZE 24 24;SEM_EXECUTE_RELEASE_TIMESTAMP 25 25;",
    "SEM_EXECUTE_REDUCTION 30 27;SEM_EXECUTE_FORMAT 31 31;SEMAPHORE_OFFSET 11 2;",
    "SEMAPHORE_OFFSET_G80 15 2;MEM_OP_OPERATION 31 27;MEM_OP_OPERATION_866F 31 29;",
    "MEM_OP_FLUSH_ALL_866F 28 28;MEM_OP_LINES_866F 27 0;MEM_OP_TLB_PDB 0 0;MEM_OP_TLB_GPC 1 1;",
    "MEM_OP_TLB_ADDR_906F 29 2;MEM_OP_TLB_TARGET_906F 31 30;MEM_OP_TLB_TARGET 11 10;",
    "MEM_OP_TLB_ADDR_LO 31 12;MEM_OP_TLB_ADDR_HI_B06F 7 0;MEM_OP_TLB_ADDR_HI 26 0;",
    "MEM_OP_TLB_CLIENT 5 0;MEM_OP_TLB_SIZE 5 0;MEM_OP_TLB_GPC_ID 10 6;MEM_OP_TLB_SCOPE 7 6;",
    "MEM_OP_TLB_ENGINE_C36F 6 0;MEM_OP_TLB_ENGINE 8 0;MEM_OP_TLB_SYSMEMBAR 11 11;",
    "MEM_OP_TLB_VA_LO 31 12;MEM_OP_TLB_REPLAY 4 2;MEM_OP_TLB_ACK 6 5;MEM_OP_TLB_LEVEL 9 7;",
    "MEM_OP_TLB_ACCESS 9 7;MEM_OP_NOTIFY_TAG 19 0;MEM_OP_COUNTER_TYPE 1 0;",
    "MEM_OP_COUNTER_MOMC 2 2;MEM_OP_COUNTER_BANK 6 3;MEM_OP_MMU_OPERATION_TYPE 23 20;",
    "MEM_OP_MEMBAR_TYPE 2 0;WFI_SCOPE 0 0;YIELD_OP 1 0;CLEAR_FAULTED_CHID_C36F 11 0;",
    "CLEAR_FAULTED_CHID 15 0;CLEAR_FAULTED_TYPE 31 31;SYNCPOINT_OPERATION_A26F 1 0;",
    "SYNCPOINT_OPERATION 0 0;SYNCPOINT_WAIT_SWITCH 4 4;SYNCPOINT_BASE_A26F 5 5;",
    "SYNCPOINT_INDEX_A26F 15 8;SYNCPOINT_INDEX 19 8;",
};
static const char *const driver_fields[] = {
    "FAULT_INST_APERTURE 1 0;FAULT_INST_LOW 31 12;FAULT_CANCEL_CLIENT 5 0;FAULT_CANCEL_GPC 10 6;",
    "FAULT_CANCEL_MODE 31 30;CLEAR_FAULTED_ENGINE 2 2;PCAS_FROM 23 0;PCAS_DELTA 31 24;",
    "PCAS_INVALIDATE 0 0;PCAS_SCHEDULE 1 1;PCAS2_ACTION 3 0;SHADER_CACHES_INSTRUCTION 0 0;",
    "SHADER_CACHES_GLOBAL_DATA 4 4;SHADER_CACHES_CONSTANT 12 12;REPORT_EXECUTE_OPERATION 1 0;",
    "REPORT_EXECUTE_AWAKEN 2 2;REPORT_EXECUTE_STRUCTURE_SIZE 4 3;",
    "REPORT_EXECUTE_FLUSH_DISABLE 5 5;REPORT_EXECUTE_REDUCTION 6 6;",
    "REPORT_EXECUTE_REDUCTION_OP 9 7;REPORT_EXECUTE_REDUCTION_FORMAT 11 10;",
    "REPORT_EXECUTE_PAYLOAD_SIZE64 12 12;REPORT_EXECUTE_TRAP_TYPE 14 13;",
};
static const char *const engine_fields[] = {
    "COPY_UPPER 7 0;COPY_CTX_DMA 31 28;COPY_UPPER_C0B5 16 0;COPY_UPPER_C8B5 24 0;",
    "LAUNCH_TRANSFER 1 0;LAUNCH_FLUSH 2 2;LAUNCH_SEMAPHORE 4 3;LAUNCH_INTERRUPT 6 5;",
    "LAUNCH_SRC_PITCH 7 7;LAUNCH_DST_PITCH 8 8;LAUNCH_MULTI_LINE 9 9;LAUNCH_REMAP 10 10;",
    "ADDRESSING_SRC_PHYSICAL 0 0;ADDRESSING_DST_PHYSICAL 8 8;LAUNCH_SRC_PHYSICAL 12 12;",
    "LAUNCH_DST_PHYSICAL 13 13;LAUNCH_REDUCTION 17 14;LAUNCH_REDUCTION_SIGN 18 18;",
    "LAUNCH_REDUCTION_ENABLE 19 19;LAUNCH_BYPASS_L2_A0B5 11 11;LAUNCH_RMWDISABLE 11 11;",
    "LAUNCH_SRC_BYPASS_L2 20 20;LAUNCH_DST_BYPASS_L2 21 21;LAUNCH_COPY_TYPE 21 20;",
    "LAUNCH_VPRMODE 22 22;LAUNCH_SCRUB 23 23;LAUNCH_FLUSH_TYPE 25 25;LAUNCH_DISABLE_PLC 26 26;",
    "LAUNCH_PAYLOAD_SIZE 27 27;PHYS_TARGET 1 0;PHYS_BASIC_KIND 5 2;PHYS_PEER_ID 8 6;PHYS_FLA 9 9;",
    "ADDRESSING_SRC_TARGET 5 4;ADDRESSING_DST_TARGET 13 12;SECURE_MODE 0 0;SCRUB_DISCARDABLE 0 0;",
    "MONITORED_FENCE_TYPE 0 0;REQ_PREFETCH_L2_CLASS 1 0;REMAP_DST_X 2 0;REMAP_DST_Y 6 4;",
    "REMAP_DST_Z 10 8;REMAP_DST_W 14 12;REMAP_SIZE 17 16;REMAP_NUM_SRC 21 20;REMAP_NUM_DST 25 24;",
    "BLOCK_WIDTH 3 0;BLOCK_HEIGHT 7 4;BLOCK_DEPTH 11 8;BLOCK_GOB_HEIGHT 15 12;",
    "BLOCK_KIND_BPP 17 16;ORIGIN_X 15 0;ORIGIN_Y 31 16;M2MF_UPPER 7 0;M2MF_FORMAT_IN 7 0;",
    "M2MF_FORMAT_OUT 31 8;M2MF_FORMAT_OUT_5039 15 8;M2MF_SRC_INLINE 0 0;M2MF_SRC_PITCH 4 4;",
    "M2MF_DST_PITCH 8 8;M2MF_COMPLETION 13 12;M2MF_INTERRUPT 17 16;M2MF_STRUCT_SIZE 20 20;",
    "INLINE_UPPER 7 0;INLINE_UPPER_C0C0 16 0;INLINE_UPPER_CBC0 24 0;INLINE_DST_PITCH 0 0;",
    "INLINE_REDUCTION 1 1;INLINE_COMPLETION 5 4;INLINE_INTERRUPT 9 8;INLINE_STRUCT_SIZE 12 12;",
};
static const char *const image_fields[] = {
    "REPORT_UPPER 7 0;REPORT_UPPER_CB97 24 0;REPORT_OPERATION 1 0;REPORT_REDUCTION 3 3;",
    "REPORT_UNIT 15 12;REPORT_COUNTER 27 23;REPORT_SHORT 28 28;QUERY_OFFSET 23 0;",
    "COND_NV40_MODE 31 24;CLEAR_COLOR_RGBA 5 2;CLEAR_DEPTH_STENCIL 1 0;CLEAR_DEPTH 0 0;",
    "CLEAR_STENCIL 1 1;RT_LAYERS 15 0;RT_VOLUME 16 16;CLEAR_LAYER 25 10;CLEAR_LAYER_G80 20 10;",
    "CLEAR_TARGET 9 6;CLEAR_NV30_COLOR 7 4;RT_G80_LINEAR 31 31;RT_GF100_LINEAR 12 12;",
    "RT_LINEAR_PITCH 15 0;RT_TILE_HEIGHT 7 4;RT_SIZE 31 16;RT_START 15 0;RT_NV30_LAYOUT 11 8;",
    "RT_NV30_COLOR 4 0;RT_NV30_ZETA 7 5;RT_NV30_ZETA_PITCH 31 16;RT_NV30_WIDTH 23 16;",
    "RT_NV30_HEIGHT 31 24;SWIZZLED_COLOR 15 0;SWIZZLED_WIDTH 23 16;SWIZZLED_HEIGHT 31 24;",
    "SURFACE_PITCH_DST 31 16;SCALED_X 15 0;SCALED_Y 31 16;SCALED_PITCH_IN 15 0;",
    "SCALED_FILTER 31 24;2D_LINEAR 0 0;2D_FILTER 4 4;2D_ORIGIN 0 0;",
};
/* CLASS MODEL CHIP */
static const char *const objects[] = {
    "0039 M2MF_NV4 NV4;5039 M2MF_G80 G80;9039 M2MF_GF100 GF100;A040 INLINE GK104;",
    "A140 INLINE GK110;CAB5 COPY GB202;C9B5 COPY GB100;C8B5 COPY GH100;C7B5 COPY GA102;",
    "C6B5 COPY GA100;C5B5 COPY TU102;C3B5 COPY GV100;C1B5 COPY GP102;C0B5 COPY GP100;",
    "B0B5 COPY GM107;A0B5 COPY GK104;90B5 COPY GF100;85B5 COPY GT215;0062 SURFACE NV10;",
    "039E SWIZZLED NV30;309E SWIZZLED NV40;0389 SCALED NV30;3089 SCALED NV40;502D 2D_G80 G80;",
    "902D 2D_GF100 GF100;0397 3D_NV30 NV30;0497 3D_NV30 NV35;0697 3D_NV30 NV34;4097 3D_NV30 NV40;",
    "4497 3D_NV30 NV44;5097 3D_G80 G80;8297 3D_G80 G84;8397 3D_G80 G200;8597 3D_G80 GT215;",
    "8697 3D_G80 MCP89;9097 3D_GF100 GF100;9197 3D_GF100 GF108;9297 3D_GF100 GF110;",
    "A097 3D_GF100 GK104;A197 3D_GF100 GK110;A297 3D_GF100 GK20A;B097 3D_GF100 GM107;",
    "B197 3D_GF100 GM204;C097 3D_GF100 GP100;C197 3D_GF100 GP102;C397 3D_GF100 GV100;",
    "C597 3D_GF100 TU102;C697 3D_GF100 GA100;C797 3D_GF100 GA102;C997 3D_GF100 AD102;",
    "CB97 3D_GF100 GH100;CD97 3D_GF100 GB100;CE97 3D_GF100 GB202;A0C0 COMPUTE GK104;",
    "90C0 COMPUTE_GF100 GF100;91C0 COMPUTE_GF100 GF110;A1C0 COMPUTE GK110;B0C0 COMPUTE GM107;",
    "B1C0 COMPUTE GM204;C0C0 COMPUTE GP100;C1C0 COMPUTE GP102;C3C0 COMPUTE GV100;",
    "C5C0 COMPUTE TU102;C6C0 COMPUTE GA100;C7C0 COMPUTE_GA102 GA102;C9C0 COMPUTE_GA102 AD102;",
    "CBC0 COMPUTE_GA102 GH100;CDC0 COMPUTE_GA102 GB100;CEC0 COMPUTE_GA102 GB202;",
};
/* Columns of rows without text and source: values of fields; operations, bits of LAUNCH_DMA, errors of the
 * host; formats that have parts of bytes, that convert, of depth, of images, of surfaces; usermode classes. */
static const char *const values[] = {
    "TLB_TARGET_VID_MEM 0;TLB_TARGET_SYS_MEM_COHERENT 2;TLB_TARGET_SYS_MEM_NONCOHERENT 3;",
    "TLB_LEVEL_ALL 0;TLB_LEVEL_PTE_ONLY 1;TLB_LEVEL_UP_TO_PDE0 2;TLB_LEVEL_UP_TO_PDE1 3;",
    "TLB_LEVEL_UP_TO_PDE2 4;TLB_LEVEL_UP_TO_PDE3 5;TLB_LEVEL_UP_TO_PDE4 6;TLB_LEVEL_UP_TO_PDE5 7;",
    "TLB_ACK_NONE 0;TLB_ACK_GLOBALLY 1;TLB_ACK_INTRANODE 2;TLB_REPLAY_NONE 0;TLB_REPLAY_START 1;",
    "TLB_REPLAY_START_ACK_ALL 2;TLB_REPLAY_CANCEL_TARGETED 3;TLB_REPLAY_CANCEL_GLOBAL 4;",
    "TLB_REPLAY_CANCEL_VA_GLOBAL 5;TLB_SCOPE_ALL_TLBS 0;TLB_SCOPE_LINK_TLBS 1;",
    "TLB_SCOPE_NON_LINK_TLBS 2;TLB_ACCESS_READ 0;TLB_ACCESS_WRITE 1;TLB_ACCESS_ATOMIC_STRONG 2;",
    "TLB_ACCESS_ATOMIC_WEAK 4;TLB_ACCESS_ATOMIC_ALL 5;TLB_ACCESS_WRITE_AND_ATOMIC 6;",
    "TLB_ACCESS_ALL 7;ACCESS_COUNTER_MIMC 0;ACCESS_COUNTER_MOMC 1;ACCESS_COUNTER_ALL 2;",
    "ACCESS_COUNTER_TARGETED 3;WFI_SCOPE_CURRENT 0;WFI_SCOPE_ALL 1;CLEAR_FAULTED_PBDMA 0;",
    "CLEAR_FAULTED_ENG 1;PCAS2_NOP 0;PCAS2_INVALIDATE 1;PCAS2_SCHEDULE 2;",
    "PCAS2_INVALIDATE_COPY_SCHEDULE 3;PCAS2_INCREMENT_PUT 6;PCAS2_DECREMENT_DEPENDENCE 7;",
    "PCAS2_PREFETCH 8;PCAS2_PREFETCH_SCHEDULE 9;PCAS2_INVALIDATE_PREFETCH_COPY_SCHEDULE 10;",
    "PCAS2_INVALIDATE_PREFETCH_COPY_FORCE_REQUIRE_SCHEDULING 11;REPORT_EXECUTE_RELEASE 0;",
    "REPORT_EXECUTE_ACQUIRE 1;REPORT_EXECUTE_REPORT_ONLY 2;REPORT_EXECUTE_TRAP 3;",
    "PIPELINED LAUNCH_TRANSFER 1;NON_PIPELINED LAUNCH_TRANSFER 2;PREFETCH LAUNCH_TRANSFER 3;",
    "FLUSH_SYS LAUNCH_FLUSH 1;FLUSH_TYPE_GL LAUNCH_FLUSH_TYPE 1;SEM_ONE_WORD LAUNCH_SEMAPHORE 1;",
    "SEM_FOUR_WORD LAUNCH_SEMAPHORE 2;SEM_CONDITIONAL_INTR LAUNCH_SEMAPHORE 3;",
    "SEM_64BIT LAUNCH_PAYLOAD_SIZE 1;INTERRUPT_BLOCKING LAUNCH_INTERRUPT 1;",
    "INTERRUPT_NON_BLOCKING LAUNCH_INTERRUPT 2;REDUCTION LAUNCH_REDUCTION_ENABLE 1;",
    "REDUCTION_UNSIGNED LAUNCH_REDUCTION_SIGN 1;REDUCTION_IMIN LAUNCH_REDUCTION 0;",
    "REDUCTION_IMAX LAUNCH_REDUCTION 1;REDUCTION_IXOR LAUNCH_REDUCTION 2;",
    "REDUCTION_IAND LAUNCH_REDUCTION 3;REDUCTION_IOR LAUNCH_REDUCTION 4;",
    "REDUCTION_IADD LAUNCH_REDUCTION 5;REDUCTION_INC LAUNCH_REDUCTION 6;",
    "REDUCTION_DEC LAUNCH_REDUCTION 7;REDUCTION_FADD LAUNCH_REDUCTION 10;",
    "REDUCTION_FMIN LAUNCH_REDUCTION 11;REDUCTION_FMAX LAUNCH_REDUCTION 12;",
    "REDUCTION_FMUL LAUNCH_REDUCTION 13;REDUCTION_IMUL LAUNCH_REDUCTION 14;",
    "BYPASS_L2_A0B5 LAUNCH_BYPASS_L2_A0B5 1;FORCE_RMWDISABLE LAUNCH_RMWDISABLE 1;",
    "SRC_BYPASS_L2 LAUNCH_SRC_BYPASS_L2 1;DST_BYPASS_L2 LAUNCH_DST_BYPASS_L2 1;",
    "PROT2PROT LAUNCH_COPY_TYPE 0;SECURE LAUNCH_COPY_TYPE 1;NONPROT2NONPROT LAUNCH_COPY_TYPE 2;",
    "VPR_VID2VID LAUNCH_VPRMODE 1;SCRUB LAUNCH_SCRUB 1;DISABLE_PLC LAUNCH_DISABLE_PLC 1;",
    "PHYS_LOCAL_FB PHYS_TARGET 0;PHYS_COHERENT_SYSMEM PHYS_TARGET 1;",
    "PHYS_NONCOHERENT_SYSMEM PHYS_TARGET 2;PHYS_PEERMEM PHYS_TARGET 3;",
    "EVICT_FIRST REQ_PREFETCH_L2_CLASS 0;EVICT_NORMAL REQ_PREFETCH_L2_CLASS 1;",
    "EVICT_LAST REQ_PREFETCH_L2_CLASS 2;EVICT_DEMOTE REQ_PREFETCH_L2_CLASS 3;",
    "BL_32 BLOCK_KIND_BPP 0;BL_8 BLOCK_KIND_BPP 1;BL_16 BLOCK_KIND_BPP 2;BL_24 BLOCK_KIND_BPP 3;",
};
static const char *const operations[] = {
    "SEMAPHORED ACQUIRE 1 G84 LATER;SEMAPHORED RELEASE 2 G84 LATER;",
    "SEMAPHORED ACQ_CIRC_GEQ 4 G84 LATER;SEMAPHORED ACQ_AND 8 GF100 LATER;",
    "SEMAPHORED REDUCTION 16 GK110 GK20A;SEMAPHORED REDUCTION 16 GM107 LATER;",
    "SEM_EXECUTE ACQUIRE 0 GV100 LATER;SEM_EXECUTE RELEASE 1 GV100 LATER;",
    "SEM_EXECUTE ACQ_STRICT_GEQ 2 GV100 LATER;SEM_EXECUTE ACQ_CIRC_GEQ 3 GV100 LATER;",
    "SEM_EXECUTE ACQ_AND 4 GV100 LATER;SEM_EXECUTE ACQ_NOR 5 GV100 LATER;",
    "SEM_EXECUTE REDUCTION 6 GV100 LATER;IMIN 0 1 1 1 1;IMAX 1 1 1 1 1;IXOR 2 1 1 1 1;",
    "IAND 3 1 1 1 1;IOR 4 1 1 1 1;IADD 5 1 1 0 1;INC 6 0 1 0 0;DEC 7 0 1 0 0;",
    "MEMBAR 0x05 GF100 LATER;SOFT_FLUSH 0x06 GF100 GK20A;SOFT_FLUSH 0x06 GM107 GM204;",
    "MMU_TLB_INVALIDATE 0x09 GF100 LATER;MMU_TLB_INVALIDATE_TARGETED 0x0a GP100 LATER;",
    "MMU_OPERATION 0x0b GA102 LATER;L2_PEERMEM_INVALIDATE 0x0d GF100 GK20A;",
    "L2_PEERMEM_INVALIDATE 0x0d GM107 LATER;L2_SYSMEM_INVALIDATE 0x0e GF100 LATER;",
    "L2_CLEAN_COMPTAGS 0x0f GF100 LATER;L2_FLUSH_DIRTY 0x10 GF100 LATER;",
    "L2_SYSMEM_NCOH_INVALIDATE 0x11 GB100 LATER;L2_WAIT_FOR_SYS_PENDING_READS 0x15 GP100 LATER;",
    "ACCESS_COUNTER_CLR 0x16 GV100 LATER;NOP 0 NV40 LATER;PBDMA_TIMESLICE 1 GM204 GV100;",
    "NOP1 1 GA100 LATER;RUNLIST_TIMESLICE 2 GM204 GA100;TSG 3 GM204 LATER;10 0 85B5 FFFF;",
    "11 11 A0B5 C9B5;19 12 A0B5 FFFF;20 20 B0B5 C6B5;21 21 C0B5 C6B5;22 22 C1B5 FFFF;",
    "21 20 C8B5 FFFF;23 23 C8B5 FFFF;25 25 C3B5 FFFF;26 26 C5B5 FFFF;27 27 C7B5 FFFF;NONE NONE 0;",
    "CACHE_EMPTY_SUBCHANNEL CACHE 0;CACHE_NO_HASH CACHE 0;SEMAPHORE_INVALID_OPERAND SEMAPHORE 1;",
    "SEMAPHORE_ADDRESS_UNALIGNED SEMAPHORE 1;SEMAPHORE_INVALID_STATE SEMAPHORE 2;",
    "SEMAPHORE_ADDRESS_TOO_LARGE SEMAPHORE 3;SEMAPHORE_MEM_FAULT SEMAPHORE 4;",
};
static const char *const kinds[] = {
    "0x0a 4 0 32 8;0x13 2 0 16 8;0x14 4 1 24 0;0x15 4 0 24 8;0x16 4 0 24 3;0x19 8 0 32 4;",
    "0x3 0xa 4;0x7 0x4 2;0x8 0x1 1;0x9 0x1 1;C361 GV100;C461 TU102;C561 GA100;C661 GH100;",
    "C761 GB202;",
};
/* Numbers and names of SET_COLOR_TARGET_FORMAT. */
static const char *const pixel_formats[] = {
    "c0 RF32_GF32_BF32_AF32;c1 RS32_GS32_BS32_AS32;c2 RU32_GU32_BU32_AU32;c3 RF32_GF32_BF32_X32;",
    "c4 RS32_GS32_BS32_X32;c5 RU32_GU32_BU32_X32;c6 R16_G16_B16_A16;c7 RN16_GN16_BN16_AN16;",
    "c8 RS16_GS16_BS16_AS16;c9 RU16_GU16_BU16_AU16;ca RF16_GF16_BF16_AF16;cb RF32_GF32;",
    "cc RS32_GS32;cd RU32_GU32;ce RF16_GF16_BF16_X16;cf A8R8G8B8;d0 A8RL8GL8BL8;d1 A2B10G10R10;",
    "d2 AU2BU10GU10RU10;d5 A8B8G8R8;d6 A8BL8GL8RL8;d7 AN8BN8GN8RN8;d8 AS8BS8GS8RS8;",
    "d9 AU8BU8GU8RU8;da R16_G16;db RN16_GN16;dc RS16_GS16;dd RU16_GU16;de RF16_GF16;",
    "df A2R10G10B10;e0 BF10GF11RF11;e3 RS32;e4 RU32;e5 RF32;e6 X8R8G8B8;e7 X8RL8GL8BL8;e8 R5G6B5;",
    "e9 A1R5G5B5;ea G8R8;eb GN8RN8;ec GS8RS8;ed GU8RU8;ee R16;ef RN16;f0 RS16;f1 RU16;f2 RF16;",
    "f3 R8;f4 RN8;f5 RS8;f6 RU8;f7 A8;f8 X1R5G5B5;f9 X8B8G8R8;fa X8BL8GL8RL8;",
};
/* clang-format on */

#define METHOD(name, at, ...)           {#name, at, 0, NULL, NULL},
#define FIELD(name, hi, lo, ...)        {#name, hi, lo, NULL, NULL},
#define OBJECT(name, model, since, src) {#name, 0x##name, 0, #model, #since},
typedef struct row {
    const char *name;
    uint32_t a, b;
    const char *model, *chip;
} row;
static const row engine_method_rows[] = {GPUCMD_NV_ENGINE_METHODS(METHOD)};
static const row image_method_rows[] = {GPUCMD_NV_IMAGE_METHODS(METHOD)};
static const row register_field_rows[] = {GPUCMD_NV_USERMODE_FIELDS(FIELD) GPUCMD_NV_BLOCK_FIELDS(
    FIELD) GPUCMD_NV_CACHE1_FIELDS(FIELD) GPUCMD_NV_STRAP_FIELDS(FIELD)};
static const row host_field_rows[] = {GPUCMD_NV_HOST_FIELDS(FIELD)};
static const row driver_field_rows[] = {GPUCMD_NV_DRIVER_FIELDS(FIELD)};
static const row engine_field_rows[] = {GPUCMD_NV_ENGINE_FIELDS(FIELD)};
static const row image_field_rows[] = {GPUCMD_NV_IMAGE_FIELDS(FIELD)};
static const row object_rows[] = {GPUCMD_NV_OBJECTS(OBJECT)};

#define ALL2(a, b)                #a " " #b,
#define ALL3(a, b, c)             #a " " #b " " #c,
#define ALL4(a, b, c, d)          #a " " #b " " #c " " #d,
#define TEXT2(a, b, ...)          #a " " #b,
#define TEXT3(a, b, c, ...)       #a " " #b " " #c,
#define TEXT4(a, b, c, d, ...)    #a " " #b " " #c " " #d,
#define TEXT5(a, b, c, d, e, ...) #a " " #b " " #c " " #d " " #e,
#define TEXT6(a, b, c, d, e, f)   #a " " #b " " #c " " #d " " #e " " #f,
static const char *const value_rows[] = {GPUCMD_NV_HOST_VALUES(TEXT2) GPUCMD_NV_CE_VALUES(TEXT3)};
static const char *const driver_method_rows[] = {GPUCMD_NV_DRIVER_METHODS(TEXT3)};
static const char *const operation_rows[] = {
    GPUCMD_NV_SEM_OPS(TEXT5) GPUCMD_NV_REDUCTIONS(TEXT6) GPUCMD_NV_MEM_OPS(TEXT4, TEXT4)
        GPUCMD_NV_YIELDS(TEXT4) GPUCMD_NV_LAUNCH_BITS(ALL4) GPUCMD_NV_HOST_ERRORS(TEXT3)};
static const char *const kind_rows[] = {GPUCMD_NV_ZETA_FORMATS(TEXT5) GPUCMD_NV_IMAGE_FORMATS(ALL3)
                                            GPUCMD_NV_USERMODE_CLASSES(ALL2)};
#define PIXEL(format, name, ...) {#name, format, __VA_ARGS__},
enum { UNORM, FLOAT, SINT, UINT, SNORM, SRGB };
static const char letters[] = "RGBAX", encodings[] = "FSUNL"; /* of the names; none: UNORM */
static const struct {
    const char *name;
    uint32_t format, bytes, kind;
    uint32_t r, rn, g, gn, b, bn, a, an; /* lowest bit, bits */
    uint32_t x;
} pixel_rows[] = {GPUCMD_NV_PIXEL_FORMATS(PIXEL)};

/* The words of one item, which ends in ';'. */
typedef struct item {
    char word[3][64];
} item;

static item next_item(const char **at)
{
    item n;
    size_t len = 0, k = 0;
    memset(&n, 0, sizeof n);
    for (; **at != ';'; ++*at) {
        if (**at == ' ') {
            k++;
            len = 0;
        } else {
            n.word[k][len++] = **at;
        }
    }
    ++*at;
    return n;
}

static bool same(const row *r, const item *n, char kind)
{
    return strcmp(r->name, n->word[0]) == 0 &&
           (kind == 'o' ? strcmp(r->model, n->word[1]) == 0 && strcmp(r->chip, n->word[2]) == 0
                        : r->a == strtoul(n->word[1], NULL, kind == 'm' ? 16 : 10) &&
                              (kind == 'm' || r->b == strtoul(n->word[2], NULL, 10)));
}

/* Each item is one row of the header, and no row is without an item. */
static void compare(const char *const *lists, size_t lines, const row *rows, size_t count,
                    char kind)
{
    size_t items = 0;
    for (size_t line = 0; line < lines; line++) {
        for (const char *at = lists[line]; *at != '\0'; items++) {
            const item n = next_item(&at);
            unsigned found = 0;
            for (size_t i = 0; i < count; i++) {
                found += same(&rows[i], &n, kind);
            }
            if (!CHECK(found == 1)) {
                printf("    no row as %s %s %s\n", n.word[0], n.word[1], n.word[2]);
            }
        }
    }
    EQUAL(items, count);
}

/* The items are the rows, in their order. */
static void compare_text(const char *const *lists, size_t lines, const char *const *rows,
                         size_t count)
{
    size_t items = 0;
    for (size_t line = 0; line < lines; line++) {
        for (const char *at = lists[line]; *at != '\0'; items++) {
            const char *end = strchr(at, ';');
            const size_t len = (size_t)(end - at);
            if (!CHECK(items < count && strlen(rows[items]) == len &&
                       strncmp(rows[items], at, len) == 0)) {
                printf("    %s, expected %.*s\n", items < count ? rows[items] : "", (int)len, at);
            }
            at = end + 1;
        }
    }
    EQUAL(items, count);
}

/* The name of a format gives its parts: from the lowest bit with underscores, else from the highest. A part
 * is a letter, the encoding, the number of bits. X takes the place of alpha. */
static void pixels(void)
{
    size_t items = 0, line = 0;
    for (const char *at = pixel_formats[0]; *at != '\0'; items++) {
        const item n = next_item(&at);
        const char *p = n.word[1];
        uint32_t part[4][2] =
            {
                {0, 0},
                {0, 0},
                {0, 0},
                {0, 0}
        },
                 total = 0, x = 0, kind = UNORM;
        const bool up = strchr(p, '_') != NULL;
        while (*p != '\0') {
            const char *c = strchr(letters, *p++), *e = strchr(encodings, *p);
            char *end;
            const size_t k = c != NULL ? (size_t)(c - letters) % 5 : 0;
            uint32_t bits;
            if (e != NULL && *p != '\0') {
                kind = FLOAT + (uint32_t)(e - encodings);
                p++;
            }
            bits = (uint32_t)strtoul(p, &end, 10);
            p = *end == '_' ? end + 1 : end;
            x |= k == 4;
            part[k == 4 ? 3 : k][0] = up ? total : 0;
            part[k == 4 ? 3 : k][1] = bits;
            for (size_t i = 0; i < 4 && !up; i++) {
                part[i][0] += i != (k == 4 ? 3 : k) && part[i][1] != 0 ? bits : 0;
            }
            total += bits;
        }
        if (items < sizeof pixel_rows / sizeof pixel_rows[0]) {
            const uint32_t got_part[4][2] = {
                {pixel_rows[items].r, pixel_rows[items].rn},
                {pixel_rows[items].g, pixel_rows[items].gn},
                {pixel_rows[items].b, pixel_rows[items].bn},
                {pixel_rows[items].a, pixel_rows[items].an}
            };
            EQUAL(pixel_rows[items].format, strtoul(n.word[0], NULL, 16));
            EQUAL(pixel_rows[items].bytes, total / 8);
            EQUAL(pixel_rows[items].x, x);
            CHECK(strcmp(pixel_rows[items].name, n.word[1]) == 0);
            EQUAL(pixel_rows[items].kind, kind);
            if (!CHECK(memcmp(got_part, part, sizeof part) == 0)) {
                printf("    %s\n", n.word[1]);
            }
        }
        if (*at == '\0' && ++line < sizeof pixel_formats / sizeof pixel_formats[0]) {
            at = pixel_formats[line];
        }
    }
    EQUAL(items, sizeof pixel_rows / sizeof pixel_rows[0]);
}

#define TEXTS(list, rows)                                                                          \
    compare_text(list, sizeof(list) / sizeof(list)[0], rows, sizeof(rows) / sizeof(rows)[0])
#define COMPARE(list, rows, kind)                                                                  \
    compare(list, sizeof(list) / sizeof(list)[0], rows, sizeof(rows) / sizeof(rows)[0], kind)

#define DST (BASE + 0x4000)

/* A format that CLEAR_BUFFERS fills, by the name of its components, in the order of the bytes. [RNNDB] */
static const struct {
    uint32_t format;
    const char *name;
} formats[] = {
    {0xc0, "RGBA32F"},
    {0xc1, "RGBA32I"},
    {0xc2, "RGBA32U"},
    {0xc6, "RGBA16N"},
    {0xc8, "RGBA16I"},
    {0xc9, "RGBA16U"},
    {0xca, "RGBA16F"},
    {0xcb, "RG32F"  },
    {0xcc, "RG32I"  },
    {0xcd, "RG32U"  },
    {0xcf, "BGRA8N" },
    {0xd5, "RGBA8N" },
    {0xd8, "RGBA8I" },
    {0xd9, "RGBA8U" },
    {0xda, "RG16N"  },
    {0xdc, "RG16I"  },
    {0xdd, "RG16U"  },
    {0xde, "RG16F"  },
    {0xe3, "R32I"   },
    {0xe4, "R32U"   },
    {0xe5, "R32F"   },
    {0xe6, "BGRA8N" },
    {0xea, "RG8N"   },
    {0xec, "RG8I"   },
    {0xed, "RG8U"   },
    {0xee, "R16N"   },
    {0xf0, "R16I"   },
    {0xf1, "R16U"   },
    {0xf2, "R16F"   },
    {0xf3, "R8N"    },
    {0xf5, "R8I"    },
    {0xf6, "R8U"    },
    {0xf7, "A8N"    },
};

/* Clear colours: floats of -1, 0.5, 1, 0.25, and words that are no floats. Of a component of the kind:
 * N: 0..1 to all bits, half up; F of 16 bits; else the low bytes of the word. */
static const uint32_t floats[4] = {0xbf800000, 0x3f000000, 0x3f800000, 0x3e800000};
static const uint32_t halves[4] = {0xbc00, 0x3800, 0x3c00, 0x3400};
static const uint32_t norms[2][4] = {
    {0, 0x80,   0xff,   0x40  },
    {0, 0x8000, 0xffff, 0x4000}
};
static const uint32_t integers[4] = {0x80918283, 0x84858687, 0x88898a8b, 0x8c8d8e8f};

static void clears(void)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        const char *name = formats[i].name;
        const size_t count = strspn(name, "RGBA");
        const uint32_t bits = (uint32_t)strtoul(name + count, NULL, 10);
        const char kind = name[strlen(name) - 1];
        const uint32_t *color = kind == 'I' || kind == 'U' ? integers : floats;
        uint8_t want[32];
        memset(want, 0x11, sizeof want);
        for (size_t k = 0; k < count; k++) {
            const size_t c = (size_t)(strchr(letters, name[k]) - letters);
            const uint32_t v = kind == 'N'                 ? norms[bits / 8 - 1][c]
                               : kind == 'F' && bits == 16 ? halves[c]
                                                           : color[c];
            for (uint32_t b = 0; b < bits / 8; b++) {
                want[k * bits / 8 + b] = (uint8_t)(v >> 8 * b);
            }
        }
        start(GPUCMD_NV_CHIP_GK104);
        memset(ram + (DST - BASE), 0x11, 64);
        GO(IDLE, 0x20010000, 0xa097, 0x20090200, 0, DST, 1, 1, formats[i].format, 0, 1, 0, 0,
           0x20040360, color[0], color[1], color[2], color[3], 0x200203fd, 1 << 16, 1 << 16,
           0x20010674, 15 << 2);
        if (!CHECK(memcmp(ram + (DST - BASE), want, sizeof want) == 0)) {
            printf("    format 0x%x\n", (unsigned)formats[i].format);
        }
    }
}

/* Flags of nvgpu's ioctls: WDT, SETUP_BIND, FLUSH_L2. [NVGPU] */
/* What the models of engines keep: the first and the last method of each range, and the method that starts
 * an operation; LAST 0: one method that takes a block of data. From the class headers and rnndb: 0x184 to
 * 0x188 are DMA objects, OFFSET_IN 0x30c to BUFFER_NOTIFY 0x328; 2D 0x200 to 0x254 both surfaces, 0x8b0 to
 * 0x8dc the blit; 3D a render target each 0x20 or 0x40 bytes, CLEAR_COLOR 0xd80 to CLEAR_DEPTH 0xd90, ZETA
 * 0xfe0 to SCISSOR_VERT 0xff8, COND 0x1550 to 0x1558, REPORT 0x1b00 to 0x1b0c; compute the methods of
 * uploads, SEND_PCAS_A 0x2b4, the launches 0x2bc and 0x2c0, REPORT_SEMAPHORE_EXECUTE 0x168. */
/* clang-format off */
#define RANGES_2D(model)                                                                           \
    R(model, 200, 254, 0), R(model, 280, 290, 0), R(model, 29c, 2b4, 0), R(model, 2e8, 2fc, 0),    \
    R(model, 800, 804, 0), R(model, 838, 85c, 85c), R(model, 860, 0, 860), R(model, 88c, 88c, 0),  \
    R(model, 8b0, 8dc, 8dc)
#define RANGES_COMPUTE(model)                                                                      \
    R(model, 180, 1b0, 1b0), R(model, 1b4, 0, 1b4), R(model, 1dc, 1e4, 0), R(model, 2b4, 2b4, 0),  \
    R(model, 2bc, 2bc, 2bc), R(model, 2c0, 2c0, 2c0), R(model, 1b00, 1b0c, 1b0c)
#define R(model, first, last, trigger) {GPUCMD_NV_MODEL_##model, 0x##first, 0x##last, 0x##trigger}
static const struct {
    unsigned model, first, last, trigger;
} ranges[] = {
    R(COPY, 180, 1bc, 0), R(COPY, 240, 25c, 0), R(COPY, 300, 300, 300), R(COPY, 400, 41c, 0),
    R(COPY, 700, 750, 0), R(M2MF_NV4, 180, 188, 0), R(M2MF_NV4, 30c, 328, 328),
    R(M2MF_G80, 180, 188, 0), R(M2MF_G80, 200, 23c, 0), R(M2MF_G80, 30c, 328, 328),
    R(M2MF_GF100, 204, 23c, 0), R(M2MF_GF100, 300, 300, 300), R(M2MF_GF100, 304, 0, 304),
    R(M2MF_GF100, 30c, 350, 0), R(INLINE, 180, 1b0, 1b0), R(INLINE, 1b4, 0, 1b4), R(INLINE, 1dc, 1e4, 0),
    R(COMPUTE_GF100, 1b00, 1b0c, 1b0c), RANGES_COMPUTE(COMPUTE), R(COMPUTE_GA102, 158, 168, 168),
    RANGES_COMPUTE(COMPUTE_GA102),
    R(SURFACE, 184, 188, 0), R(SURFACE, 300, 30c, 0), R(SWIZZLED, 184, 184, 0),
    R(SWIZZLED, 300, 304, 0), R(SCALED, 184, 184, 0), R(SCALED, 198, 198, 0), R(SCALED, 300, 31c, 0),
    R(SCALED, 400, 40c, 40c), R(2D_G80, 184, 188, 0), RANGES_2D(2D_G80), RANGES_2D(2D_GF100),
    R(3D_NV30, 194, 198, 0), R(3D_NV30, 1a4, 1a8, 0), R(3D_NV30, 200, 214, 0), R(3D_NV30, 22c, 22c, 0),
    R(3D_NV30, 8c0, 8c4, 0), R(3D_NV30, 1800, 1800, 1800), R(3D_NV30, 1d6c, 1d70, 1d70),
    R(3D_NV30, 1d8c, 1d94, 1d94), R(3D_NV30, 1e98, 1e98, 0),
    R(3D_G80, 184, 188, 0), R(3D_G80, 1c0, 1dc, 0), R(3D_G80, 200, 210, 0), R(3D_G80, 220, 230, 0),
    R(3D_G80, 240, 250, 0), R(3D_G80, 260, 270, 0), R(3D_G80, 280, 290, 0), R(3D_G80, 2a0, 2b0, 0),
    R(3D_G80, 2c0, 2d0, 0), R(3D_G80, 2e0, 2f0, 0), R(3D_G80, d80, d90, 0), R(3D_G80, da0, da0, 0),
    R(3D_G80, fe0, ff8, 0), R(3D_G80, 1224, 1230, 0), R(3D_G80, 1240, 127c, 0), R(3D_G80, 1538, 1538, 0),
    R(3D_G80, 1550, 1558, 0), R(3D_G80, 19d0, 19d0, 19d0), R(3D_G80, 1b00, 1b0c, 1b0c),
    R(3D_GF100, 800, 820, 0), R(3D_GF100, 840, 860, 0), R(3D_GF100, 880, 8a0, 0), R(3D_GF100, 8c0, 8e0, 0),
    R(3D_GF100, 900, 920, 0), R(3D_GF100, 940, 960, 0), R(3D_GF100, 980, 9a0, 0), R(3D_GF100, 9c0, 9e0, 0),
    R(3D_GF100, d80, d90, 0), R(3D_GF100, da0, da0, 0), R(3D_GF100, fe0, ff8, 0),
    R(3D_GF100, 1228, 1230, 0), R(3D_GF100, 1538, 1538, 0), R(3D_GF100, 1550, 1558, 0),
    R(3D_GF100, 179c, 179c, 0), R(3D_GF100, 19d0, 19d0, 19d0), R(3D_GF100, 1b00, 1b0c, 1b0c),
};
/* clang-format on */
#undef R
#undef RANGES_2D
#undef RANGES_COMPUTE

static void windows(void)
{
    size_t i = 0;
#define ROW(m, mthd, words, triggers)                                                              \
    if (CHECK(i < sizeof ranges / sizeof ranges[0])) {                                             \
        EQUAL(GPUCMD_NV_MODEL_##m, ranges[i].model);                                               \
        EQUAL(mthd, ranges[i].first);                                                              \
        EQUAL(words, ranges[i].last != 0 ? (ranges[i].last - ranges[i].first) / 4 + 1 : 0);        \
        EQUAL(triggers, ranges[i].trigger != 0                                                     \
                            ? (uint32_t)1 << ((ranges[i].trigger - ranges[i].first) / 4)           \
                            : 0);                                                                  \
    }                                                                                              \
    i++;
    GPUCMD_NV_ENGINE_WINDOWS(ROW)
#undef ROW
    EQUAL(i, sizeof ranges / sizeof ranges[0]);
}

static void flags(void)
{
    EQUAL(GPUCMD_NVGPU_WDT_DISABLE, 1 << 0);
    EQUAL(GPUCMD_NVGPU_WDT_ENABLE, 1 << 1);
    EQUAL(GPUCMD_NVGPU_SETUP_VPR, 1 << 0);
    EQUAL(GPUCMD_NVGPU_SETUP_DETERMINISTIC, 1 << 1);
    EQUAL(GPUCMD_NVGPU_SETUP_REPLAYABLE_FAULTS, 1 << 2);
    EQUAL(GPUCMD_NVGPU_SETUP_USERMODE, 1 << 3);
    EQUAL(GPUCMD_NVGPU_SETUP_GPU_MAP_RESOURCES, 1 << 4);
    EQUAL(GPUCMD_NVGPU_L2_FLUSH, 1 << 0);
    EQUAL(GPUCMD_NVGPU_L2_INVALIDATE, 1 << 1);
    EQUAL(GPUCMD_NVGPU_FB_FLUSH, 1 << 2);
}

int main(void)
{
    flags();
    windows();
    COMPARE(engine_methods, engine_method_rows, 'm');
    TEXTS(driver_methods, driver_method_rows);
    COMPARE(image_methods, image_method_rows, 'm');
    COMPARE(register_fields, register_field_rows, 'f');
    COMPARE(host_fields, host_field_rows, 'f');
    COMPARE(driver_fields, driver_field_rows, 'f');
    COMPARE(engine_fields, engine_field_rows, 'f');
    COMPARE(image_fields, image_field_rows, 'f');
    COMPARE(objects, object_rows, 'o');
    TEXTS(values, value_rows);
    TEXTS(operations, operation_rows);
    TEXTS(kinds, kind_rows);
    pixels();
    clears();
    return test_report("nv_rows");
}

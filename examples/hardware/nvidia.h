/* nvidia.h - what nvidia.c says to NVIDIA's kernel driver: structures, numbers, calls.
 *
 * The names are the driver's own. Layouts and numbers are those of release 580, which
 * tests/nv/rm.c compares with tests/data/nv_rm_580.tsv and nv_rm_580_constants.tsv.
 * Include it after gpucmd_nv.h.
 */
#ifndef HW_NVIDIA_H
#define HW_NVIDIA_H

#include <stdio.h>
#include <string.h>

/* clang-format off */
#define HW_NVIDIA_STRUCTS(S, F, A, U, E)                                                           \
    S(nv_pci_info_t)                                                                               \
      A(u8, place, 8, 0) F(u16, vendor_id, 8) F(u16, device_id, 10) E(nv_pci_info_t, 12)           \
    S(nv_ioctl_card_info_t)                                                                        \
      F(u8, valid, 0) A(u8, pad0, 3, 1) F(nv_pci_info_t, pci_info, 4) F(u32, gpu_id, 16)           \
      F(u16, interrupt_line, 20) A(u8, pad1, 2, 22) F(u64, reg_address, 24)                        \
      F(u64, reg_size, 32) F(u64, fb_address, 40) F(u64, fb_size, 48)                              \
      F(u32, minor_number, 56) A(u8, dev_name, 10, 60) A(u8, pad2, 2, 70)                          \
      E(nv_ioctl_card_info_t, 72)                                                                  \
    S(nv_ioctl_rm_api_version_t)                                                                   \
      F(u32, cmd, 0) F(u32, reply, 4) A(u8, versionString, 64, 8)                                  \
      E(nv_ioctl_rm_api_version_t, 72)                                                             \
    S(nv_ioctl_register_fd_t)                                                                      \
      F(u32, ctl_fd, 0) E(nv_ioctl_register_fd_t, 4)                                               \
    S(NVOS00_PARAMETERS)                                                                           \
      F(u32, hRoot, 0) F(u32, hObjectParent, 4) F(u32, hObjectOld, 8) F(u32, status, 12)           \
      E(NVOS00_PARAMETERS, 16)                                                                     \
    S(NVOS21_PARAMETERS)                                                                           \
      F(u32, hRoot, 0) F(u32, hObjectParent, 4) F(u32, hObjectNew, 8) F(u32, hClass, 12)           \
      F(u64, pAllocParms, 16) F(u32, paramsSize, 24) F(u32, status, 28)                            \
      E(NVOS21_PARAMETERS, 32)                                                                     \
    S(NVOS54_PARAMETERS)                                                                           \
      F(u32, hClient, 0) F(u32, hObject, 4) F(u32, cmd, 8) F(u32, flags, 12)                       \
      F(u64, params, 16) F(u32, paramsSize, 24) F(u32, status, 28) E(NVOS54_PARAMETERS, 32)        \
    S(NVOS33_PARAMETERS)                                                                           \
      F(u32, hClient, 0) F(u32, hDevice, 4) F(u32, hMemory, 8) A(u8, pad0, 4, 12)                  \
      F(u64, offset, 16) F(u64, length, 24) F(u64, pLinearAddress, 32) F(u32, status, 40)          \
      F(u32, flags, 44) E(NVOS33_PARAMETERS, 48)                                                   \
    S(nv_ioctl_nvos33_parameters_with_fd)                                                          \
      F(NVOS33_PARAMETERS, params, 0) F(u32, fd, 48) A(u8, pad0, 4, 52)                            \
      E(nv_ioctl_nvos33_parameters_with_fd, 56)                                                    \
    S(NVOS46_PARAMETERS)                                                                           \
      F(u32, hClient, 0) F(u32, hDevice, 4) F(u32, hDma, 8) F(u32, hMemory, 12)                    \
      F(u64, offset, 16) F(u64, length, 24) F(u32, flags, 32) F(u32, flags2, 36)                   \
      F(u32, kindOverride, 40) A(u8, pad0, 4, 44) F(u64, dmaOffset, 48) F(u32, status, 56)         \
      A(u8, pad1, 4, 60) E(NVOS46_PARAMETERS, 64)                                                  \
    S(NVOS47_PARAMETERS)                                                                           \
      F(u32, hClient, 0) F(u32, hDevice, 4) F(u32, hDma, 8) F(u32, hMemory, 12)                    \
      F(u32, flags, 16) A(u8, pad0, 4, 20) F(u64, dmaOffset, 24) F(u64, size, 32)                  \
      F(u32, status, 40) A(u8, pad1, 4, 44) E(NVOS47_PARAMETERS, 48)                               \
    S(NvNotification)                                                                              \
      F(u64, timeStamp, 0) F(u32, info32, 8) F(u16, info16, 12) F(u16, status, 14)                 \
      E(NvNotification, 16)                                                                        \
    S(NV0080_ALLOC_PARAMETERS)                                                                     \
      F(u32, deviceId, 0) F(u32, hClientShare, 4) F(u32, hTargetClient, 8)                         \
      F(u32, hTargetDevice, 12) F(u32, flags, 16) A(u8, pad0, 4, 20) F(u64, vaSpaceSize, 24)       \
      F(u64, vaStartInternal, 32) F(u64, vaLimitInternal, 40) F(u32, vaMode, 48)                   \
      A(u8, pad1, 4, 52) E(NV0080_ALLOC_PARAMETERS, 56)                                            \
    S(NV2080_ALLOC_PARAMETERS)                                                                     \
      F(u32, subDeviceId, 0) E(NV2080_ALLOC_PARAMETERS, 4)                                         \
    S(NV_VASPACE_ALLOCATION_PARAMETERS)                                                            \
      F(u32, index, 0) F(u32, flags, 4) F(u64, vaSize, 8) F(u64, vaStartInternal, 16)              \
      F(u64, vaLimitInternal, 24) F(u32, bigPageSize, 32) A(u8, pad0, 4, 36)                       \
      F(u64, vaBase, 40) F(u32, pasid, 48) A(u8, pad1, 4, 52)                                      \
      E(NV_VASPACE_ALLOCATION_PARAMETERS, 56)                                                      \
    S(NV_MEMORY_ALLOCATION_PARAMS)                                                                 \
      F(u32, owner, 0) F(u32, type, 4) F(u32, flags, 8) F(u32, width, 12) F(u32, height, 16)       \
      F(u32, pitch, 20) F(u32, attr, 24) F(u32, attr2, 28) F(u32, format, 32)                      \
      F(u32, comprCovg, 36) F(u32, zcullCovg, 40) A(u8, pad0, 4, 44) F(u64, rangeLo, 48)           \
      F(u64, rangeHi, 56) F(u64, size, 64) F(u64, alignment, 72) F(u64, offset, 80)                \
      F(u64, limit, 88) F(u64, address, 96) F(u32, ctagOffset, 104) F(u32, hVASpace, 108)          \
      F(u32, internalflags, 112) F(u32, tag, 116) F(u32, numaNode, 120) A(u8, pad1, 4, 124)        \
      E(NV_MEMORY_ALLOCATION_PARAMS, 128)                                                          \
    S(NV_MEMORY_VIRTUAL_ALLOCATION_PARAMS)                                                         \
      F(u64, offset, 0) F(u64, limit, 8) F(u32, hVASpace, 16) A(u8, pad0, 4, 20)                   \
      E(NV_MEMORY_VIRTUAL_ALLOCATION_PARAMS, 24)                                                   \
    S(NV_CHANNEL_GROUP_ALLOCATION_PARAMETERS)                                                      \
      F(u32, hObjectError, 0) F(u32, hObjectEccError, 4) F(u32, hVASpace, 8)                       \
      F(u32, engineType, 12) F(u8, bIsCallingContextVgpuPlugin, 16) A(u8, pad0, 3, 17)             \
      E(NV_CHANNEL_GROUP_ALLOCATION_PARAMETERS, 20)                                                \
    S(NV_CHANNEL_ALLOC_PARAMS)                                                                     \
      F(u32, hObjectError, 0) F(u32, hObjectBuffer, 4) F(u64, gpFifoOffset, 8)                     \
      F(u32, gpFifoEntries, 16) F(u32, flags, 20) F(u32, hContextShare, 24)                        \
      F(u32, hVASpace, 28) A(u32, hUserdMemory, 8, 32) A(u64, userdOffset, 8, 64)                  \
      F(u32, engineType, 128) F(u32, cid, 132) F(u32, subDeviceId, 136)                            \
      F(u32, hObjectEccError, 140) A(u64, instanceMem, 3, 144) A(u64, userdMem, 3, 168)            \
      A(u64, ramfcMem, 3, 192) A(u64, mthdbufMem, 3, 216) F(u32, hPhysChannelGroup, 240)           \
      F(u32, internalFlags, 244) A(u64, errorNotifierMem, 3, 248)                                  \
      A(u64, eccErrorNotifierMem, 3, 272) F(u32, ProcessID, 296) F(u32, SubProcessID, 300)         \
      A(u32, encryptIv, 3, 304) A(u32, decryptIv, 3, 316) A(u32, hmacNonce, 8, 328)                \
      F(u32, tpcConfigID, 360) A(u8, pad0, 4, 364) E(NV_CHANNEL_ALLOC_PARAMS, 368)                 \
    S(NV_HOPPER_USERMODE_A_PARAMS)                                                                 \
      F(u8, bBar1Mapping, 0) F(u8, bPriv, 1) E(NV_HOPPER_USERMODE_A_PARAMS, 2)                     \
    S(NVB0B5_ALLOCATION_PARAMETERS)                                                                \
      F(u32, version, 0) F(u32, engineType, 4) E(NVB0B5_ALLOCATION_PARAMETERS, 8)                  \
    S(NV0000_CTRL_GPU_GET_ID_INFO_V2_PARAMS)                                                       \
      F(u32, gpuId, 0) F(u32, gpuFlags, 4) F(u32, deviceInstance, 8)                               \
      F(u32, subDeviceInstance, 12) F(u32, sliStatus, 16) F(u32, boardId, 20)                      \
      F(u32, gpuInstance, 24) F(u32, numaId, 28) E(NV0000_CTRL_GPU_GET_ID_INFO_V2_PARAMS, 32)      \
    S(NV0080_CTRL_GPU_GET_CLASSLIST_V2_PARAMS)                                                     \
      F(u32, numClasses, 0) A(u32, classList, 200, 4)                                              \
      E(NV0080_CTRL_GPU_GET_CLASSLIST_V2_PARAMS, 804)                                              \
    S(NV2080_CTRL_GPU_GET_ENGINES_V2_PARAMS)                                                       \
      F(u32, engineCount, 0) A(u32, engineList, 84, 4)                                             \
      E(NV2080_CTRL_GPU_GET_ENGINES_V2_PARAMS, 340)                                                \
    S(NV2080_CTRL_GPU_GET_GID_INFO_PARAMS)                                                         \
      F(u32, index, 0) F(u32, flags, 4) F(u32, length, 8) A(u8, data, 256, 12)                     \
      E(NV2080_CTRL_GPU_GET_GID_INFO_PARAMS, 268)                                                  \
    S(NV2080_CTRL_CE_GET_ALL_CAPS_PARAMS)                                                          \
      A(u8, capsTbl, 128, 0) F(u64, present, 128) E(NV2080_CTRL_CE_GET_ALL_CAPS_PARAMS, 136)       \
    S(NV2080_CTRL_TIMER_GET_TIME_PARAMS)                                                           \
      F(u64, time_nsec, 0) E(NV2080_CTRL_TIMER_GET_TIME_PARAMS, 8)                                 \
    S(NV2080_CTRL_MC_GET_ARCH_INFO_PARAMS)                                                         \
      F(u32, architecture, 0) F(u32, implementation, 4) F(u32, revision, 8)                        \
      F(u8, subRevision, 12) A(u8, pad0, 3, 13) E(NV2080_CTRL_MC_GET_ARCH_INFO_PARAMS, 16)         \
    S(NVA06F_CTRL_GPFIFO_SCHEDULE_PARAMS)                                                          \
      F(u8, bEnable, 0) F(u8, bSkipSubmit, 1) F(u8, bSkipEnable, 2)                                \
      E(NVA06F_CTRL_GPFIFO_SCHEDULE_PARAMS, 3)                                                     \
    S(NVA06C_CTRL_GPFIFO_SCHEDULE_PARAMS)                                                          \
      F(u8, bEnable, 0) F(u8, bSkipSubmit, 1) F(u8, bSkipEnable, 2)                                \
      E(NVA06C_CTRL_GPFIFO_SCHEDULE_PARAMS, 3)                                                     \
    S(NVC36F_CTRL_CMD_GPFIFO_GET_WORK_SUBMIT_TOKEN_PARAMS)                                         \
      F(u32, workSubmitToken, 0) E(NVC36F_CTRL_CMD_GPFIFO_GET_WORK_SUBMIT_TOKEN_PARAMS, 4)         \
    S(UVM_INITIALIZE_PARAMS)                                                                       \
      F(u64, flags, 0) F(u32, rmStatus, 8) A(u8, pad0, 4, 12) E(UVM_INITIALIZE_PARAMS, 16)         \
    S(UVM_MM_INITIALIZE_PARAMS)                                                                    \
      F(u32, uvmFd, 0) F(u32, rmStatus, 4) E(UVM_MM_INITIALIZE_PARAMS, 8)                          \
    S(UVM_REGISTER_GPU_PARAMS)                                                                     \
      A(u8, gpu_uuid, 16, 0) F(u8, numaEnabled, 16) A(u8, pad0, 3, 17) F(u32, numaNodeId, 20)      \
      F(u32, rmCtrlFd, 24) F(u32, hClient, 28) F(u32, hSmcPartRef, 32) F(u32, rmStatus, 36)        \
      E(UVM_REGISTER_GPU_PARAMS, 40)                                                               \
    S(UVM_REGISTER_GPU_VASPACE_PARAMS)                                                             \
      A(u8, gpuUuid, 16, 0) F(u32, rmCtrlFd, 16) F(u32, hClient, 20) F(u32, hVaSpace, 24)          \
      F(u32, rmStatus, 28) E(UVM_REGISTER_GPU_VASPACE_PARAMS, 32)                                  \
    S(UVM_UNREGISTER_GPU_VASPACE_PARAMS)                                                           \
      A(u8, gpuUuid, 16, 0) F(u32, rmStatus, 16) E(UVM_UNREGISTER_GPU_VASPACE_PARAMS, 20)          \
    S(UVM_REGISTER_CHANNEL_PARAMS)                                                                 \
      A(u8, gpuUuid, 16, 0) F(u32, rmCtrlFd, 16) F(u32, hClient, 20) F(u32, hChannel, 24)          \
      A(u8, pad0, 4, 28) F(u64, base, 32) F(u64, length, 40) F(u32, rmStatus, 48)                  \
      A(u8, pad1, 4, 52) E(UVM_REGISTER_CHANNEL_PARAMS, 56)                                        \
    S(UVM_UNREGISTER_CHANNEL_PARAMS)                                                               \
      A(u8, gpuUuid, 16, 0) F(u32, hClient, 16) F(u32, hChannel, 20) F(u32, rmStatus, 24)          \
      E(UVM_UNREGISTER_CHANNEL_PARAMS, 28)                                                         \
    S(UVM_CREATE_EXTERNAL_RANGE_PARAMS)                                                            \
      F(u64, base, 0) F(u64, length, 8) F(u32, rmStatus, 16) A(u8, pad0, 4, 20)                    \
      E(UVM_CREATE_EXTERNAL_RANGE_PARAMS, 24)                                                      \
    S(UvmGpuMappingAttributes)                                                                     \
      A(u8, gpuUuid, 16, 0) F(u32, gpuMappingType, 16) F(u32, gpuCachingType, 20)                  \
      F(u32, gpuFormatType, 24) F(u32, gpuElementBits, 28) F(u32, gpuCompressionType, 32)          \
      E(UvmGpuMappingAttributes, 36)                                                               \
    S(UVM_MAP_EXTERNAL_ALLOCATION_PARAMS)                                                          \
      F(u64, base, 0) F(u64, length, 8) F(u64, offset, 16)                                         \
      A(UvmGpuMappingAttributes, perGpuAttributes, 256, 24) F(u64, gpuAttributesCount, 9240)       \
      F(u32, rmCtrlFd, 9248) F(u32, hClient, 9252) F(u32, hMemory, 9256)                           \
      F(u32, rmStatus, 9260) E(UVM_MAP_EXTERNAL_ALLOCATION_PARAMS, 9264)                           \
    S(UVM_FREE_PARAMS)                                                                             \
      F(u64, base, 0) F(u64, length, 8) F(u32, rmStatus, 16) A(u8, pad0, 4, 20)                    \
      E(UVM_FREE_PARAMS, 24)
/* clang-format on */
GPUCMD_LAYOUT_STRUCTS(HW_NVIDIA_STRUCTS)
GPUCMD_LAYOUT_ASSERTS(HW_NVIDIA_STRUCTS)

/* A structure of the driver by its name. */
#define NV(tag) struct gpucmd_##tag

/* The resource manager's requests. The driver rejects another size with EINVAL. */
enum { HW_CARDS = 32 };
#define NV_ESC_CARD_INFO           GPUCMD_IOWR('F', 0xc8, NV(nv_ioctl_card_info_t)[HW_CARDS])
#define NV_ESC_REGISTER_FD         GPUCMD_IOWR('F', 0xc9, NV(nv_ioctl_register_fd_t))
#define NV_ESC_CHECK_VERSION_STR   GPUCMD_IOWR('F', 0xd2, NV(nv_ioctl_rm_api_version_t))
#define NV_ESC_RM_FREE             GPUCMD_IOWR('F', 0x29, NV(NVOS00_PARAMETERS))
#define NV_ESC_RM_CONTROL          GPUCMD_IOWR('F', 0x2a, NV(NVOS54_PARAMETERS))
#define NV_ESC_RM_ALLOC            GPUCMD_IOWR('F', 0x2b, NV(NVOS21_PARAMETERS))
#define NV_ESC_RM_MAP_MEMORY       GPUCMD_IOWR('F', 0x4e, NV(nv_ioctl_nvos33_parameters_with_fd))
#define NV_ESC_RM_MAP_MEMORY_DMA   GPUCMD_IOWR('F', 0x57, NV(NVOS46_PARAMETERS))
#define NV_ESC_RM_UNMAP_MEMORY_DMA GPUCMD_IOWR('F', 0x58, NV(NVOS47_PARAMETERS))

/* Classes of objects. */
enum {
    NV01_ROOT_CLIENT = 0x41,
    NV01_MEMORY_SYSTEM = 0x3e,
    NV01_MEMORY_LOCAL_USER = 0x40,
    NV01_MEMORY_VIRTUAL = 0x70,
    NV01_DEVICE_0 = 0x80,
    NV20_SUBDEVICE_0 = 0x2080,
    FERMI_VASPACE_A = 0x90f1,
    KEPLER_CHANNEL_GROUP_A = 0xa06c,
    HOPPER_USERMODE_A = 0xc661,
    HOPPER_CHANNEL_GPFIFO_A = 0xc86f,
    HOPPER_DMA_COPY_A = 0xc8b5,
};

/* Controls. The driver rejects another size with INVALID_PARAM_STRUCT. */
#define NV0000_CTRL_CMD_GPU_GET_ID_INFO_V2           0x205u
#define NV0080_CTRL_CMD_GPU_GET_CLASSLIST_V2         0x800292u
#define NV2080_CTRL_CMD_GPU_GET_ENGINES_V2           0x20800170u
#define NV2080_CTRL_CMD_GPU_GET_GID_INFO             0x2080014au
#define NV2080_CTRL_CMD_CE_GET_ALL_CAPS              0x20802a0au
#define NV2080_CTRL_CMD_TIMER_GET_TIME               0x20800403u
#define NV2080_CTRL_CMD_MC_GET_ARCH_INFO             0x20801701u
#define NVA06C_CTRL_CMD_GPFIFO_SCHEDULE              0xa06c0101u
#define NVA06F_CTRL_CMD_GPFIFO_SCHEDULE              0xa06f0103u
#define NVC36F_CTRL_CMD_GPFIFO_GET_WORK_SUBMIT_TOKEN 0xc36f0108u

/* Requests of the UVM driver: plain numbers without a size. */
enum {
    UVM_INITIALIZE = 0x30000001,
    UVM_MM_INITIALIZE = 0x4b,
    UVM_REGISTER_GPU = 0x25,
    UVM_REGISTER_GPU_VASPACE = 0x19,
    UVM_UNREGISTER_GPU_VASPACE = 0x1a,
    UVM_REGISTER_CHANNEL = 0x1b,
    UVM_UNREGISTER_CHANNEL = 0x1c,
    UVM_CREATE_EXTERNAL_RANGE = 0x49,
    UVM_MAP_EXTERNAL_ALLOCATION = 0x21,
    UVM_FREE = 0x22,
};

/* Statuses of both drivers; 0 is success. */
#define HW_NVIDIA_STATUSES(S)                                                                      \
    S(GPU_IS_LOST, 0x0f)                                                                           \
    S(INSUFFICIENT_RESOURCES, 0x1a)                                                                \
    S(INSUFFICIENT_PERMISSIONS, 0x1b)                                                              \
    S(INVALID_ARGUMENT, 0x1f)                                                                      \
    S(INVALID_BASE, 0x20)                                                                          \
    S(INVALID_CLASS, 0x22)                                                                         \
    S(INVALID_CLIENT, 0x23)                                                                        \
    S(INVALID_OBJECT_HANDLE, 0x33)                                                                 \
    S(INVALID_OBJECT_PARENT, 0x36)                                                                 \
    S(INVALID_OWNER, 0x39)                                                                         \
    S(INVALID_PARAM_STRUCT, 0x3a)                                                                  \
    S(INVALID_STATE, 0x40)                                                                         \
    S(NO_MEMORY, 0x51)                                                                             \
    S(OBJECT_NOT_FOUND, 0x57)                                                                      \
    S(RESET_REQUIRED, 0x62)                                                                        \
    S(STATE_IN_USE, 0x63)

#define HW_STATUS(name, value) NV_ERR_##name = (value),
enum { HW_NVIDIA_STATUSES(HW_STATUS) };
#undef HW_STATUS

static inline const char *hw_status_name(uint32_t status)
{
#define HW_STATUS(name, value)                                                                     \
    case value: return #name;
    switch (status) {
        HW_NVIDIA_STATUSES(HW_STATUS)
    }
#undef HW_STATUS
    return "?";
}

/* Kinds of memory: class, type, flags, attr; attr2 is 0. NOTIFIER and SYSTEM are cached system memory;
 * USERD and VIDEO are VRAM in pages of 4 KiB. */
#define HW_NVIDIA_MEMORIES(M)                                                                      \
    M(NOTIFIER, NV01_MEMORY_SYSTEM, 13, 0x100, 0x2a800000)                                         \
    M(SYSTEM, NV01_MEMORY_SYSTEM, 0, 0x100, 0x2a800000)                                            \
    M(USERD, NV01_MEMORY_LOCAL_USER, 6, 0x10100, 0x00800000)                                       \
    M(VIDEO, NV01_MEMORY_LOCAL_USER, 0, 0x10100, 0x00800000)

#define HW_MEMORY(name, class_id, type, flags, attr) HW_MEMORY_##name,
typedef enum hw_memory_kind { HW_NVIDIA_MEMORIES(HW_MEMORY) } hw_memory_kind;
#undef HW_MEMORY

/* Parameters of NV_ESC_RM_ALLOC. The driver reads and writes as many bytes as its own structure
 * has, so there is room for a longer one. */
typedef union hw_params {
    NV(NV0080_ALLOC_PARAMETERS) device;
    NV(NV2080_ALLOC_PARAMETERS) subdevice;
    NV(NV_VASPACE_ALLOCATION_PARAMETERS) space;
    NV(NV_MEMORY_VIRTUAL_ALLOCATION_PARAMS) range;
    NV(NV_MEMORY_ALLOCATION_PARAMS) memory;
    NV(NV_HOPPER_USERMODE_A_PARAMS) usermode;
    NV(NV_CHANNEL_GROUP_ALLOCATION_PARAMETERS) group;
    NV(NV_CHANNEL_ALLOC_PARAMS) channel;
    NV(NVB0B5_ALLOCATION_PARAMETERS) copy;
    uint64_t room[64];
} hw_params;

/* One thing to give back. */
typedef enum hw_undo_kind {
    HW_FD,
    HW_OBJECT,
    HW_DMA,
    HW_UVM_RANGE,
    HW_UVM_SPACE,
    HW_UVM_CHANNEL,
    HW_MAPPING,
} hw_undo_kind;

typedef struct hw_undo {
    hw_undo_kind kind;
    int fd;
    uint32_t handle;
    uint32_t parent;
    uint64_t va;
    void *cpu;
    size_t len_bytes;
} hw_undo;

enum { HW_UNDOS = 64 };

/* An open GPU. */
typedef struct hw_nvidia {
    gpucmd_sys_ops sys;
    gpucmd_wait_fn pause; /* between two polls of a fence; GPUCMD_LIMIT: give up */
    void *pause_user;
    bool quiet;         /* print failures only */
    bool is_privileged; /* has CAP_SYS_ADMIN */
    char version[64];
    int ctl;
    int uvm;        /* used if by_uvm */
    bool by_uvm;    /* the UVM driver maps memory for the GPU */
    uint32_t minor; /* of the node of the GPU */
    uint32_t client;
    uint32_t device;
    uint32_t subdevice;
    uint32_t space;
    uint32_t range;  /* used if not by_uvm */
    uint32_t engine; /* NV2080_ENGINE_TYPE of a copy engine */
    bool block_linear;
    uint8_t uuid[16];
    gpucmd_nv_chip chip;
    volatile uint32_t *usermode;
    hw_undo undo[HW_UNDOS];
    unsigned undos;
} hw_nvidia;

/* Remember what to give back. hw_call fails if there is no room. */
static inline hw_undo *hw_remember(hw_nvidia *g, hw_undo_kind kind)
{
    hw_undo *const u = &g->undo[g->undos++];
    memset(u, 0, sizeof *u);
    u->kind = kind;
    return u;
}

/* Call the driver. Print the name of the call, and what it returned if it failed. status points
 * into arg. */
static inline bool hw_call(hw_nvidia *g, int fd, const char *name, uint32_t request, void *arg,
                           const uint32_t *status)
{
    const int result =
        g->undos < HW_UNDOS ? g->sys.sys_ioctl(g->sys.user, fd, request, arg) : -GPUCMD_SYS_ENOSPC;
    const uint32_t code = status != NULL ? *status : 0;
    if (result < 0) {
        printf("%s: %s\n", name, gpucmd_sys_error_name(-result));
    } else if (code != 0) {
        printf("%s: status 0x%02x %s\n", name, (unsigned)code, hw_status_name(code));
    } else if (!g->quiet) {
        printf("%s\n", name);
    }
    return result >= 0 && code == 0;
}

/* Open a node. A node of the GPU is registered with the control node. */
static inline int hw_open(hw_nvidia *g, bool is_gpu)
{
    NV(nv_ioctl_register_fd_t) with = {(uint32_t)g->ctl};
    char path[32];
    int fd;
    snprintf(path, sizeof path, is_gpu ? "/dev/nvidia%u" : "/dev/nvidiactl", (unsigned)g->minor);
    fd = g->sys.sys_open(g->sys.user, path, GPUCMD_SYS_O_RDWR | GPUCMD_SYS_O_CLOEXEC);
    if (fd < 0) {
        printf("open %s: %s\n", path, gpucmd_sys_error_name(-fd));
    } else if (is_gpu && !hw_call(g, fd, "NV_ESC_REGISTER_FD", NV_ESC_REGISTER_FD, &with, NULL)) {
        (void)g->sys.sys_close(g->sys.user, fd);
        return -1;
    }
    return fd;
}

/* Allocate an object; params is zeroed except for what the class needs. */
static inline bool hw_alloc(hw_nvidia *g, const char *name, uint32_t class_id, uint32_t parent,
                            hw_params *params, uint32_t *handle)
{
    NV(NVOS21_PARAMETERS) a;
    memset(&a, 0, sizeof a);
    a.hRoot = g->client;
    a.hObjectParent = parent;
    a.hClass = class_id;
    a.pAllocParms = (uint64_t)(uintptr_t)params;
    if (!hw_call(g, g->ctl, name, NV_ESC_RM_ALLOC, &a, &a.status)) {
        return false;
    }
    hw_undo *const u = hw_remember(g, HW_OBJECT);
    u->parent = parent;
    u->handle = *handle = a.hObjectNew;
    return true;
}
#define HW_ALLOC(g, CLASS, parent, params, handle)                                                 \
    hw_alloc((g), "alloc " #CLASS, (CLASS), (parent), (params), (handle))

/* Call a control of an object. */
static inline bool hw_control(hw_nvidia *g, const char *name, uint32_t object, uint32_t cmd,
                              void *params, size_t len_bytes)
{
    NV(NVOS54_PARAMETERS) c;
    memset(&c, 0, sizeof c);
    c.hClient = g->client;
    c.hObject = object;
    c.cmd = cmd;
    c.params = (uint64_t)(uintptr_t)params;
    c.paramsSize = (uint32_t)len_bytes;
    return hw_call(g, g->ctl, name, NV_ESC_RM_CONTROL, &c, &c.status);
}
#define HW_CONTROL(g, object, CMD, params)                                                         \
    hw_control((g), "control " #CMD, (object), CMD, (params), sizeof *(params))

/* Give one thing back. */
static inline void hw_give_back(hw_nvidia *g, const hw_undo *u)
{
    NV(NVOS00_PARAMETERS) object = {g->client, u->parent, u->handle, 0};
    NV(NVOS47_PARAMETERS) dma;
    NV(UVM_FREE_PARAMS) range;
    NV(UVM_UNREGISTER_GPU_VASPACE_PARAMS) space;
    NV(UVM_UNREGISTER_CHANNEL_PARAMS) channel;
    char name[40];
    memset(&dma, 0, sizeof dma);
    memset(&range, 0, sizeof range);
    memset(&space, 0, sizeof space);
    memset(&channel, 0, sizeof channel);
    switch (u->kind) {
    case HW_FD: (void)g->sys.sys_close(g->sys.user, u->fd); break;
    case HW_MAPPING: (void)g->sys.sys_munmap(g->sys.user, u->cpu, u->len_bytes); break;
    case HW_OBJECT:
        snprintf(name, sizeof name, "NV_ESC_RM_FREE 0x%x", (unsigned)u->handle);
        (void)hw_call(g, g->ctl, name, NV_ESC_RM_FREE, &object, &object.status);
        break;
    case HW_DMA:
        dma.hClient = g->client;
        dma.hDevice = g->device;
        dma.hDma = g->range;
        dma.hMemory = u->handle;
        dma.dmaOffset = u->va;
        (void)hw_call(g, g->ctl, "NV_ESC_RM_UNMAP_MEMORY_DMA", NV_ESC_RM_UNMAP_MEMORY_DMA, &dma,
                      &dma.status);
        break;
    case HW_UVM_RANGE:
        range.base = u->va;
        range.length = u->len_bytes;
        (void)hw_call(g, g->uvm, "UVM_FREE", UVM_FREE, &range, &range.rmStatus);
        break;
    case HW_UVM_SPACE:
        memcpy(space.gpuUuid, g->uuid, sizeof space.gpuUuid);
        (void)hw_call(g, g->uvm, "UVM_UNREGISTER_GPU_VASPACE", UVM_UNREGISTER_GPU_VASPACE, &space,
                      &space.rmStatus);
        break;
    case HW_UVM_CHANNEL:
        memcpy(channel.gpuUuid, g->uuid, sizeof channel.gpuUuid);
        channel.hClient = g->client;
        channel.hChannel = u->handle;
        (void)hw_call(g, g->uvm, "UVM_UNREGISTER_CHANNEL", UVM_UNREGISTER_CHANNEL, &channel,
                      &channel.rmStatus);
        break;
    }
}

/* Give back everything after the first keep things, the last one first. */
static inline void hw_unwind(hw_nvidia *g, unsigned keep)
{
    while (g->undos > keep) {
        const hw_undo u = g->undo[--g->undos];
        hw_give_back(g, &u);
    }
}

/* Register the GPU and its address space with the UVM driver, which then maps memory. */
static inline bool hw_register(hw_nvidia *g)
{
    NV(UVM_INITIALIZE_PARAMS) start;
    NV(UVM_MM_INITIALIZE_PARAMS) mm = {0, 0};
    NV(UVM_REGISTER_GPU_PARAMS) gpu;
    NV(UVM_REGISTER_GPU_VASPACE_PARAMS) space;
    NV(NV2080_CTRL_GPU_GET_GID_INFO_PARAMS) gid;
    int mm_fd;
    memset(&start, 0, sizeof start);
    memset(&gpu, 0, sizeof gpu);
    memset(&space, 0, sizeof space);
    memset(&gid, 0, sizeof gid);
    g->uvm =
        g->sys.sys_open(g->sys.user, "/dev/nvidia-uvm", GPUCMD_SYS_O_RDWR | GPUCMD_SYS_O_CLOEXEC);
    if (g->uvm < 0) {
        printf("open /dev/nvidia-uvm: %s\n", gpucmd_sys_error_name(-g->uvm));
        return false;
    }
    hw_remember(g, HW_FD)->fd = g->uvm;
    gid.flags = 2; /* binary */
    gid.length = sizeof g->uuid;
    if (!hw_call(g, g->uvm, "UVM_INITIALIZE", UVM_INITIALIZE, &start, &start.rmStatus)) {
        return false;
    }
    mm_fd =
        g->sys.sys_open(g->sys.user, "/dev/nvidia-uvm", GPUCMD_SYS_O_RDWR | GPUCMD_SYS_O_CLOEXEC);
    if (mm_fd >= 0) { /* some kernels need this call, on others it fails */
        hw_remember(g, HW_FD)->fd = mm_fd;
        mm.uvmFd = (uint32_t)g->uvm;
        (void)g->sys.sys_ioctl(g->sys.user, mm_fd, UVM_MM_INITIALIZE, &mm);
    }
    if (!HW_CONTROL(g, g->subdevice, NV2080_CTRL_CMD_GPU_GET_GID_INFO, &gid)) {
        return false;
    }
    memcpy(g->uuid, gid.data, sizeof g->uuid);
    memcpy(gpu.gpu_uuid, g->uuid, sizeof g->uuid);
    memcpy(space.gpuUuid, g->uuid, sizeof g->uuid);
    gpu.rmCtrlFd = 0xffffffffu;
    space.rmCtrlFd = (uint32_t)g->ctl;
    space.hClient = g->client;
    space.hVaSpace = g->space;
    if (!hw_call(g, g->uvm, "UVM_REGISTER_GPU", UVM_REGISTER_GPU, &gpu, &gpu.rmStatus) ||
        !hw_call(g, g->uvm, "UVM_REGISTER_GPU_VASPACE", UVM_REGISTER_GPU_VASPACE, &space,
                 &space.rmStatus)) {
        return false;
    }
    (void)hw_remember(g, HW_UVM_SPACE);
    return true;
}

/* A memory object that the CPU and, unless va is 0, the GPU see. */
typedef struct hw_memory {
    uint32_t handle;
    uint64_t va;
    uint8_t *cpu;
    size_t len_bytes;
} hw_memory;

/* Map memory into the process with a node of its own: a driver maps once for each open node. hDevice
 * is the device or subdevice. */
static inline void *hw_map(hw_nvidia *g, bool by_gpu_node, uint32_t device, uint32_t handle,
                           size_t len_bytes, uint32_t flags)
{
    NV(nv_ioctl_nvos33_parameters_with_fd) m;
    gpucmd_sys_map map = {NULL,
                          len_bytes,
                          GPUCMD_SYS_PROT_READ | GPUCMD_SYS_PROT_WRITE,
                          GPUCMD_SYS_MAP_SHARED,
                          hw_open(g, by_gpu_node),
                          0};
    int result = -1;
    if (map.fd < 0) {
        return NULL;
    }
    memset(&m, 0, sizeof m);
    m.params.hClient = g->client;
    m.params.hDevice = device;
    m.params.hMemory = handle;
    m.params.length = len_bytes;
    m.params.flags = flags;
    m.fd = (uint32_t)map.fd;
    if (hw_call(g, g->ctl, "NV_ESC_RM_MAP_MEMORY", NV_ESC_RM_MAP_MEMORY, &m, &m.params.status)) {
        result = g->sys.sys_mmap(g->sys.user, &map);
        if (result < 0) {
            printf("mmap: %s\n", gpucmd_sys_error_name(-result));
        }
    }
    (void)g->sys.sys_close(g->sys.user, map.fd); /* the mapping stays */
    if (result < 0) {
        return NULL;
    }
    hw_undo *const u = hw_remember(g, HW_MAPPING);
    u->cpu = map.addr;
    u->len_bytes = len_bytes;
    return map.addr;
}

/* Map memory for the GPU at va: by the resource manager with snooping, in pages of 4 KiB, at a
 * fixed address; or by the UVM driver. */
static inline bool hw_map_gpu(hw_nvidia *g, const hw_memory *memory)
{
    static NV(UVM_MAP_EXTERNAL_ALLOCATION_PARAMS) map; /* 9264 bytes */
    NV(UVM_CREATE_EXTERNAL_RANGE_PARAMS) range;
    NV(NVOS46_PARAMETERS) dma;
    hw_undo *u;
    memset(&dma, 0, sizeof dma);
    memset(&map, 0, sizeof map);
    memset(&range, 0, sizeof range);
    if (!g->by_uvm) {
        dma.hClient = g->client;
        dma.hDevice = g->device;
        dma.hDma = g->range;
        dma.hMemory = memory->handle;
        dma.length = memory->len_bytes;
        dma.flags = 0x8110;
        dma.dmaOffset = memory->va;
        if (!hw_call(g, g->ctl, "NV_ESC_RM_MAP_MEMORY_DMA", NV_ESC_RM_MAP_MEMORY_DMA, &dma,
                     &dma.status)) {
            return false;
        }
        u = hw_remember(g, HW_DMA);
        u->handle = memory->handle;
        u->va = dma.dmaOffset;
        return dma.dmaOffset == memory->va;
    }
    range.base = map.base = memory->va;
    range.length = map.length = memory->len_bytes;
    if (!hw_call(g, g->uvm, "UVM_CREATE_EXTERNAL_RANGE", UVM_CREATE_EXTERNAL_RANGE, &range,
                 &range.rmStatus)) {
        return false;
    }
    u = hw_remember(g, HW_UVM_RANGE);
    u->va = memory->va;
    u->len_bytes = memory->len_bytes;
    memcpy(map.perGpuAttributes[0].gpuUuid, g->uuid, sizeof g->uuid);
    map.perGpuAttributes[0].gpuMappingType = 1; /* read, write, atomics */
    map.gpuAttributesCount = 1;
    map.rmCtrlFd = (uint32_t)g->ctl;
    map.hClient = g->client;
    map.hMemory = memory->handle;
    return hw_call(g, g->uvm, "UVM_MAP_EXTERNAL_ALLOCATION", UVM_MAP_EXTERNAL_ALLOCATION, &map,
                   &map.rmStatus);
}

/* Allocate memory, map it into the process and, unless va is 0, for the GPU; fill it with zeros. */
static inline bool hw_memory_open(hw_nvidia *g, hw_memory_kind kind, size_t len_bytes, uint64_t va,
                                  hw_memory *memory)
{
#define HW_MEMORY(name, class_id, type, flags, attr)                                               \
    {class_id, type, flags, attr, "alloc " #class_id},
    static const struct {
        uint32_t class_id, type, flags, attr;
        const char *name;
    } rows[] = {HW_NVIDIA_MEMORIES(HW_MEMORY)};
#undef HW_MEMORY
    hw_params p;
    memset(&p, 0, sizeof p);
    p.memory.owner = g->client;
    p.memory.type = rows[kind].type;
    p.memory.flags = rows[kind].flags;
    p.memory.attr = rows[kind].attr;
    p.memory.size = len_bytes;
    p.memory.alignment = 4096;
    memory->va = va;
    memory->len_bytes = len_bytes;
    if (!hw_alloc(g, rows[kind].name, rows[kind].class_id, g->device, &p, &memory->handle) ||
        (va != 0 && !hw_map_gpu(g, memory))) {
        return false;
    }
    memory->cpu = (uint8_t *)hw_map(g, rows[kind].class_id == NV01_MEMORY_LOCAL_USER, g->device,
                                    memory->handle, len_bytes, 0);
    if (memory->cpu != NULL) {
        memset(memory->cpu, 0, len_bytes);
    }
    return memory->cpu != NULL;
}

/* Register a channel with the UVM driver. Copy channels have no resources: base and length do not
 * matter. */
static inline bool hw_register_channel(hw_nvidia *g, uint32_t handle)
{
    NV(UVM_REGISTER_CHANNEL_PARAMS) c;
    memset(&c, 0, sizeof c);
    memcpy(c.gpuUuid, g->uuid, sizeof g->uuid);
    c.rmCtrlFd = (uint32_t)g->ctl;
    c.hClient = g->client;
    c.hChannel = handle;
    c.base = 0x7000000000u;
    c.length = 0x4000000;
    if (!hw_call(g, g->uvm, "UVM_REGISTER_CHANNEL", UVM_REGISTER_CHANNEL, &c, &c.rmStatus)) {
        return false;
    }
    hw_remember(g, HW_UVM_CHANNEL)->handle = handle;
    return true;
}

/* Statuses of the program, and sizes. */
enum { HW_OK = 0, HW_FAILED = 1, HW_NOTHING = 77, HW_ENTRIES_LOG2 = 9, HW_PAGE = 4096 };

/* A channel: page 0 of ring is the GPFIFO, the rest is for words. */
typedef struct hw_channel {
    uint32_t handle;
    hw_memory notifier, ring, userd;
    gpucmd_nv_gpfifo fifo;
} hw_channel;

/* The driver also writes the token of the doorbell to notifier 1. Print it if it differs. */
static inline void hw_check_token(const hw_channel *c, uint32_t token)
{
    const uint32_t noted = gpucmd_load32(c->notifier.cpu + 16 + 8, GPUCMD_LITTLE_ENDIAN);
    if (noted != token) {
        printf("token 0x%x, notifier 1 has 0x%x\n", (unsigned)token, (unsigned)noted);
    }
}

/* Poll the fence and the error notifier until the fence has value. */
static inline bool hw_wait(hw_nvidia *g, const hw_channel *c, const void *fence, uint32_t value)
{
    const volatile uint8_t *const note = c->notifier.cpu;
    gpucmd_status status = GPUCMD_OK;
    for (uint32_t tries = 0; status == GPUCMD_OK; tries++) {
        const uint32_t seen = gpucmd_load32(fence, GPUCMD_LITTLE_ENDIAN);
        GPUCMD_BARRIER_FULL();
        if (seen == value) {
            return true;
        }
        if (note[14] == 0xff && note[15] == 0xff) {
            printf("channel error: Xid %u, engine 0x%x, GP_GET %u\n",
                   (unsigned)gpucmd_load32(c->notifier.cpu + 8, GPUCMD_LITTLE_ENDIAN),
                   (unsigned)(note[12] | note[13] << 8),
                   (unsigned)gpucmd_load32(c->userd.cpu + GPUCMD_NV_AREA_IB_GET,
                                           GPUCMD_LITTLE_ENDIAN));
            return false;
        }
        status = g->pause(g->pause_user, tries);
    }
    printf("no answer: fence %u, expected %u; GP_GET %u\n",
           (unsigned)gpucmd_load32(fence, GPUCMD_LITTLE_ENDIAN), (unsigned)value,
           (unsigned)gpucmd_load32(c->userd.cpu + GPUCMD_NV_AREA_IB_GET, GPUCMD_LITTLE_ENDIAN));
    return false;
}

#if defined(CLOCK_MONOTONIC)
/* Poll without a pause for a while, then every 50 microseconds, at most 10 seconds. */
static inline gpucmd_status hw_pause(void *user, uint32_t try_count)
{
    const struct timespec span = {0, 50000};
    (void)user;
    if (try_count >= 1000) {
        (void)nanosleep(&span, NULL);
    }
    return try_count < 200000 ? GPUCMD_OK : GPUCMD_LIMIT;
}
#endif

#endif /* HW_NVIDIA_H */

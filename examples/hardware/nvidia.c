/* nvidia.c - a copy by the copy engine of an NVIDIA GPU, without CUDA.
 *
 * You learn: the calls of NVIDIA's kernel driver (release 580) from its control node to the
 * doorbell, in order, and how each is undone. The words come from gpucmd_nv.h. The program was
 * written for GH100 (H100, H200); on another chip or release it says so and does nothing.
 * Exit status 77: nothing to test here. Linux only. Read first: 11_ampere_copy.c, 15_doorbell.c.
 */
#if !defined(HW_NVIDIA_PART) /* a test includes this file and answers the calls */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define GPUCMD_IMPLEMENTATION
#endif
#include "gpucmd_nv.h"

#include "nvidia.h"

/* Step 1: the control node, the release of the driver, the first GPU whose node opens. */
static int hw_find(hw_nvidia *g, uint32_t *gpu_id)
{
    static NV(nv_ioctl_card_info_t) cards[HW_CARDS];
    NV(nv_ioctl_rm_api_version_t) version;
    memset(&version, 0, sizeof version);
    memset(cards, 0, sizeof cards);
    g->ctl = hw_open(g, false);
    if (g->ctl < 0) {
        return HW_NOTHING;
    }
    hw_remember(g, HW_FD)->fd = g->ctl;
    version.cmd = '2'; /* query: the only form that logs nothing */
    if (!hw_call(g, g->ctl, "NV_ESC_CHECK_VERSION_STR", NV_ESC_CHECK_VERSION_STR, &version, NULL)) {
        return HW_FAILED;
    }
    memcpy(g->version, version.versionString, sizeof g->version - 1);
    if (strncmp(g->version, "580.", 4) != 0) {
        printf("driver %s: this program knows the structures of release 580 only\n", g->version);
        return HW_NOTHING;
    }
    if (!hw_call(g, g->ctl, "NV_ESC_CARD_INFO", NV_ESC_CARD_INFO, cards, NULL)) {
        return HW_FAILED;
    }
    for (unsigned i = 0; i < HW_CARDS; i++) {
        int fd = -1;
        g->minor = cards[i].minor_number;
        if (cards[i].valid != 0 && (fd = hw_open(g, true)) >= 0) {
            hw_remember(g, HW_FD)->fd = fd;
            *gpu_id = cards[i].gpu_id;
            return HW_OK;
        }
    }
    printf("driver %s: no GPU whose node opens\n", g->version);
    return HW_NOTHING;
}

/* Step 2: client, device, subdevice. Return the status of the program. */
static int hw_objects(hw_nvidia *g, uint32_t gpu_id)
{
    NV(NV0000_CTRL_GPU_GET_ID_INFO_V2_PARAMS) id;
    NV(NV0080_CTRL_GPU_GET_CLASSLIST_V2_PARAMS) list;
    hw_params p;
    unsigned found = 0;
    memset(&id, 0, sizeof id);
    memset(&list, 0, sizeof list);
    memset(&p, 0, sizeof p);
    id.gpuId = gpu_id;
    if (!HW_ALLOC(g, NV01_ROOT_CLIENT, 0, NULL, &g->client) ||
        !HW_CONTROL(g, g->client, NV0000_CTRL_CMD_GPU_GET_ID_INFO_V2, &id)) {
        return HW_FAILED;
    }
    p.device.deviceId = id.deviceInstance;
    p.device.hClientShare = g->client; /* not the address space that clients share */
    if (!HW_ALLOC(g, NV01_DEVICE_0, g->client, &p, &g->device)) {
        return HW_FAILED;
    }
    memset(&p, 0, sizeof p);
    p.subdevice.subDeviceId = id.subDeviceInstance;
    if (!HW_ALLOC(g, NV20_SUBDEVICE_0, g->device, &p, &g->subdevice) ||
        !HW_CONTROL(g, g->device, NV0080_CTRL_CMD_GPU_GET_CLASSLIST_V2, &list)) {
        return HW_FAILED;
    }
    for (uint32_t i = 0; i < list.numClasses && i < 200; i++) {
        found |= list.classList[i] == HOPPER_CHANNEL_GPFIFO_A ? 1u : 0u;
        found |= list.classList[i] == HOPPER_DMA_COPY_A ? 2u : 0u;
        found |= list.classList[i] == HOPPER_USERMODE_A ? 4u : 0u;
    }
    g->chip = GPUCMD_NV_CHIP_GH100;
    if (found != 7) {
        printf("driver %s: this GPU is not a Hopper\n", g->version);
    }
    return found == 7 ? HW_OK : HW_NOTHING;
}

/* Step 3: a copy engine that shares nothing with graphics, if possible one for block-linear. */
static bool hw_engine(hw_nvidia *g)
{
    enum { GRCE = 0x01, NON_PIPELINED_BL = 0x01, PIPELINED_BL = 0x02 };
    NV(NV2080_CTRL_GPU_GET_ENGINES_V2_PARAMS) list;
    NV(NV2080_CTRL_CE_GET_ALL_CAPS_PARAMS) caps;
    memset(&list, 0, sizeof list);
    memset(&caps, 0, sizeof caps);
    if (!HW_CONTROL(g, g->subdevice, NV2080_CTRL_CMD_GPU_GET_ENGINES_V2, &list) ||
        !HW_CONTROL(g, g->subdevice, NV2080_CTRL_CMD_CE_GET_ALL_CAPS, &caps)) {
        return false;
    }
    for (uint32_t i = 0; i < list.engineCount && i < 84 && !g->block_linear; i++) {
        const uint32_t e = list.engineList[i];
        const uint32_t ce = e >= 0x34 ? e - 0x34 + 10 : e - 0x9; /* COPY0 is 0x9, COPY10 0x34 */
        if ((e >= 0x9 && e <= 0x12) || (e >= 0x34 && ce < 64)) {
            const uint8_t *const c = &caps.capsTbl[2 * ce];
            const bool tiles = (c[1] & NON_PIPELINED_BL) != 0 && (c[1] & PIPELINED_BL) != 0;
            if ((caps.present >> ce & 1) != 0 && (c[0] & GRCE) == 0 && (g->engine == 0 || tiles)) {
                g->engine = e;
                g->block_linear = tiles;
            }
        }
    }
    if (g->engine == 0) {
        printf("no asynchronous copy engine\n");
    }
    return g->engine != 0;
}

/* Step 4: an address space. The resource manager maps memory in it if NVOS46 reaches it: that is
 * tried with handles 0, which a driver answers with a status and a sandbox with an errno. */
static bool hw_space(hw_nvidia *g)
{
    NV(NVOS46_PARAMETERS) probe;
    hw_params p;
    memset(&probe, 0, sizeof probe);
    memset(&p, 0, sizeof p);
    g->by_uvm = g->sys.sys_ioctl(g->sys.user, g->ctl, NV_ESC_RM_MAP_MEMORY_DMA, &probe) < 0;
    if (g->by_uvm) {
        p.space.flags = 0x48; /* ENABLE_PAGE_FAULTING, IS_EXTERNALLY_OWNED */
        p.space.vaBase = 0x1000;
        p.space.vaSize = 0x1fffffb000000;
    }
    if (!HW_ALLOC(g, FERMI_VASPACE_A, g->device, &p, &g->space)) {
        p.space.vaSize = 0; /* the driver's own size */
        if (!g->by_uvm || !HW_ALLOC(g, FERMI_VASPACE_A, g->device, &p, &g->space)) {
            return false;
        }
    }
    if (g->by_uvm) {
        return hw_register(g);
    }
    memset(&p, 0, sizeof p);
    p.range.hVASpace = g->space;
    return HW_ALLOC(g, NV01_MEMORY_VIRTUAL, g->device, &p, &g->range);
}

/* Step 5: the page with the doorbell, in BAR1, where it is write only, or in BAR0. */
static bool hw_usermode(hw_nvidia *g)
{
    hw_params p;
    uint32_t handle = 0;
    uint32_t flags = 2; /* WRITE_ONLY */
    memset(&p, 0, sizeof p);
    p.usermode.bBar1Mapping = 1;
    if (!HW_ALLOC(g, HOPPER_USERMODE_A, g->subdevice, &p, &handle)) {
        flags = 0;
        if (!HW_ALLOC(g, HOPPER_USERMODE_A, g->subdevice, NULL, &handle)) {
            return false;
        }
    }
    g->usermode = (volatile uint32_t *)hw_map(g, true, g->subdevice, handle, 0x10000, flags);
    return g->usermode != NULL;
}

/* Open a GPU and everything that channels share. Return HW_OK, or the status of the program after
 * everything was given back. */
static int hw_open_gpu(hw_nvidia *g)
{
    uint32_t gpu_id = 0;
    int status;
    g->client = g->engine = 0;
    g->block_linear = false;
    status = hw_find(g, &gpu_id);
    if (status == HW_OK) {
        status = hw_objects(g, gpu_id);
    }
    if (status == HW_OK && !(hw_engine(g) && hw_space(g) && hw_usermode(g))) {
        status = HW_FAILED;
    }
    if (status != HW_OK) {
        hw_unwind(g, 0);
    }
    return status;
}

/* Step 6: a channel in a group of its own. The ring at va has 512 entries; words follow it. The first
 * entry sets address bits 56:40 of all segments. */
static bool hw_channel_open(hw_nvidia *g, uint64_t va, size_t ring_bytes, hw_channel *c)
{
    NV(NVC36F_CTRL_CMD_GPFIFO_GET_WORK_SUBMIT_TOKEN_PARAMS) token = {0};
    NV(NVA06C_CTRL_GPFIFO_SCHEDULE_PARAMS) schedule = {1, 0, 0};
    hw_params p;
    uint32_t group = 0;
    uint32_t object = 0;
    memset(&p, 0, sizeof p);
    if (!hw_memory_open(g, HW_MEMORY_NOTIFIER, HW_PAGE, 0, &c->notifier) ||
        !hw_memory_open(g, HW_MEMORY_SYSTEM, ring_bytes, va, &c->ring) ||
        !hw_memory_open(g, HW_MEMORY_USERD, HW_PAGE, 0, &c->userd)) {
        return false;
    }
    p.group.hVASpace = g->space;
    p.group.engineType = g->engine;
    if (!HW_ALLOC(g, KEPLER_CHANNEL_GROUP_A, g->device, &p, &group)) {
        return false;
    }
    memset(&p, 0, sizeof p);
    p.channel.hObjectError = c->notifier.handle;
    p.channel.gpFifoOffset = va;
    p.channel.gpFifoEntries = 1u << HW_ENTRIES_LOG2;
    p.channel.flags = g->is_privileged ? 0x00400080u : 0; /* ask for an ordinary channel */
    p.channel.hUserdMemory[0] = c->userd.handle;
    p.channel.engineType = g->engine;
    if (!HW_ALLOC(g, HOPPER_CHANNEL_GPFIFO_A, group, &p, &c->handle)) {
        return false;
    }
    memset(&p, 0, sizeof p);
    p.copy.version = 1;
    p.copy.engineType = g->engine;
    if (!HW_ALLOC(g, HOPPER_DMA_COPY_A, c->handle, &p, &object) ||
        !HW_CONTROL(g, c->handle, NVC36F_CTRL_CMD_GPFIFO_GET_WORK_SUBMIT_TOKEN, &token) ||
        (g->by_uvm && !hw_register_channel(g, c->handle)) ||
        !HW_CONTROL(g, group, NVA06C_CTRL_CMD_GPFIFO_SCHEDULE, &schedule) ||
        gpucmd_nv_gpfifo_init(&c->fifo, g->chip, c->ring.cpu, HW_ENTRIES_LOG2, NULL, NULL,
                              token.workSubmitToken) != GPUCMD_OK) {
        return false;
    }
    hw_check_token(c, token.workSubmitToken);
    c->fifo.userd = (volatile uint32_t *)(void *)c->userd.cpu;
    c->fifo.doorbell = g->usermode + GPUCMD_NV_USERMODE_NOTIFY_CHANNEL_PENDING / 4;
    return gpucmd_nv_gpfifo_push_control(
               &c->fifo, GPUCMD_NV_CONTROL_SET_PB_SEGMENT_EXTENDED_BASE,
               GPUCMD_FIELD_PUT(NV_EXTENDED_BASE, va >> GPUCMD_NV_ENTRY_VA_BITS), 0) == GPUCMD_OK;
}

/* Step 7: words, one entry, GP_PUT, doorbell, wait: a copy to VRAM, a time stamp, a fence. */
static bool hw_copy(hw_nvidia *g)
{
    enum { WORDS = 0x1000, STAMP = 0x8000, FENCE = 0x8010, SRC = 0x9000, TEXT_BYTES = 20 };
    const uint64_t va = 0x1000000000u;
    hw_channel c;
    hw_memory video;
    gpucmd_writer w;
    uint32_t dw[64];
    size_t len_dw = 0;
    if (!hw_channel_open(g, va, 0x10000, &c) ||
        !hw_memory_open(g, HW_MEMORY_VIDEO, HW_PAGE, va + 0x100000, &video)) {
        return false;
    }
    memcpy(c.ring.cpu + SRC, "from here to there", TEXT_BYTES - 1);
    gpucmd_writer_init(&w, dw, 64);
    gpucmd_nv_emit_set_object(&w, g->chip, 4, HOPPER_DMA_COPY_A);
    gpucmd_nv_emit_ce_copy_linear(&w, g->chip, 4, video.va, va + SRC, TEXT_BYTES);
    gpucmd_nv_emit_sem_release(&w, g->chip, va + STAMP, 1,
                               GPUCMD_NV_SEM_TIMESTAMP | GPUCMD_NV_SEM_WFI);
    gpucmd_nv_emit_sem_release(&w, g->chip, va + FENCE, 1, GPUCMD_NV_SEM_WFI);
    if (gpucmd_writer_finish(&w, &len_dw) != GPUCMD_OK) {
        return false;
    }
    gpucmd_store_words(c.ring.cpu + WORDS, dw, len_dw, GPUCMD_LITTLE_ENDIAN);
    if (gpucmd_nv_gpfifo_push(&c.fifo, va + WORDS, (uint32_t)len_dw, 0) != GPUCMD_OK) {
        return false;
    }
    gpucmd_nv_gpfifo_submit(&c.fifo);
    if (!hw_wait(g, &c, c.ring.cpu + FENCE, 1)) {
        return false;
    }
    if (!g->quiet) {
        printf("VRAM holds \"%.19s\", time %llu ns\n", (const char *)video.cpu,
               (unsigned long long)gpucmd_load64(c.ring.cpu + STAMP + 8, GPUCMD_LITTLE_ENDIAN));
    }
    return memcmp(video.cpu, c.ring.cpu + SRC, TEXT_BYTES) == 0;
}

#if !defined(HW_NVIDIA_PART)
int main(void)
{
    static hw_nvidia g;
    int status;
    gpucmd_sys_ops_init_linux(&g.sys);
    g.pause = hw_pause;
    g.is_privileged = geteuid() == 0;
    status = hw_open_gpu(&g);
    if (status == HW_OK) {
        status = hw_copy(&g) ? HW_OK : HW_FAILED;
        hw_unwind(&g, 0);
    }
    return status;
}
#endif

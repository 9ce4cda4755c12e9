/* nv/nvgpu.h - a model kernel with its tables, and a small engine that executes its channels, for
 * the tests and the fuzz harness of nvgpu. Include it after gpucmd_nv.h. */
#ifndef GPUCMD_TEST_NV_NVGPU_H
#define GPUCMD_TEST_NV_NVGPU_H

#include <stdlib.h>

#include "flips.h"

enum { RAM_BYTES = 24 << 20, PAGE = 4096 };

static gpucmd_nvgpu_kernel_file nvgpu_files[24];
static gpucmd_nvgpu_kernel_buffer nvgpu_buffers[24];
static gpucmd_nvgpu_kernel_handle nvgpu_handles[24];
static gpucmd_nvgpu_kernel_ctrl nvgpu_ctrls[3];
static gpucmd_nvgpu_kernel_as nvgpu_spaces[3];
static gpucmd_map nvgpu_ranges[24];
static gpucmd_nvgpu_kernel_tsg nvgpu_tsgs[3];
static gpucmd_nvgpu_kernel_channel nvgpu_channels[6];
static gpucmd_nvgpu_kernel_vma nvgpu_vmas[24];
static gpucmd_region nvgpu_regions[24];
static uint8_t nvgpu_ram[RAM_BYTES + PAGE];
static gpucmd_nvgpu_kernel m;
static gpucmd_sys_ops sys;

/* Semaphores of the host engine and a copy engine with pitch layout; only what tests use. */
static struct {
    gpucmd_mem *mem;
    uint32_t host[0x80 / 4];
    uint32_t copy[0x800 / 4];
    unsigned objects;
    unsigned methods;
} engine;

static uint64_t pair(const uint32_t *regs, uint32_t hi, uint32_t lo)
{
    return (uint64_t)regs[hi / 4] << 32 | regs[lo / 4];
}

static gpucmd_status engine_word(uint32_t mthd, uint32_t v)
{
    engine.methods++;
    if (mthd < 0x80) {
        engine.host[mthd / 4] = v;
        if (mthd == 0) {
            engine.objects++;
        }
        if (mthd == 0x6c && (v & 7) == 1) { /* SEM_EXECUTE RELEASE, 64-bit payload */
            return gpucmd_mem_write64(engine.mem, pair(engine.host, 0x60, 0x5c),
                                      GPUCMD_LITTLE_ENDIAN, pair(engine.host, 0x68, 0x64));
        }
        return GPUCMD_OK;
    }
    if (mthd < 0x800) {
        engine.copy[mthd / 4] = v;
    }
    if (mthd == 0x300) { /* LAUNCH_DMA: pitch, one line */
        return gpucmd_mem_copy(engine.mem, pair(engine.copy, 0x408, 0x40c),
                               pair(engine.copy, 0x400, 0x404), engine.copy[0x418 / 4]);
    }
    return GPUCMD_OK;
}

static gpucmd_status engine_event(void *user, const gpucmd_event *e)
{
    (void)user;
    for (uint32_t i = 0; e->kind == GPUCMD_EVENT_METHODS && i < e->count_dw; i++) {
        const gpucmd_status status = engine_word(
            gpucmd_nv_mthd_at(GPUCMD_NV_CHIP_GA10B, (gpucmd_nv_kind)e->code, e->addr, i),
            e->data[i]);
        if (status != GPUCMD_OK) {
            return status;
        }
    }
    return GPUCMD_OK;
}

static gpucmd_run engine_exec(void *user, uint32_t channel, gpucmd_nv_pbdma *p,
                              const gpucmd_env *env, uint64_t budget)
{
    gpucmd_env mine = *env;
    (void)user;
    (void)channel;
    engine.mem = env->mem;
    mine.event = engine_event;
    return gpucmd_nv_pbdma_run(p, &mine, budget);
}

/* Call an ioctl. In builds with FLIPS its argument changes while it is read; it is read once. */
static int (*nvgpu_ioctl_once)(void *user, int fd, uint32_t number, void *arg);

static int nvgpu_ioctl_flips(void *user, int fd, uint32_t number, void *arg)
{
    int result;
    flips_add(arg, arg != NULL ? number >> 16 & 0x3fff : 0);
    flips_arm(0);
    result = nvgpu_ioctl_once(user, fd, number, arg);
    if (flips_disarm() != 0) {
        abort();
    }
    flips_clear();
    return result;
}

/* Initialise the model kernel; nothing is open. */
static void nvgpu_setup(void)
{
    memset(&m, 0, sizeof m);
    memset(&engine, 0, sizeof engine);
#define TABLE(member, count, table)                                                                \
    m.member = table;                                                                              \
    m.count = (uint32_t)(sizeof table / sizeof table[0])
    TABLE(files, fd_count, nvgpu_files);
    TABLE(buffers, buffer_count, nvgpu_buffers);
    TABLE(handles, handle_count, nvgpu_handles);
    TABLE(ctrls, ctrl_count, nvgpu_ctrls);
    TABLE(spaces, space_count, nvgpu_spaces);
    TABLE(ranges, range_count, nvgpu_ranges);
    TABLE(tsgs, tsg_count, nvgpu_tsgs);
    TABLE(channels, channel_count, nvgpu_channels);
    TABLE(vmas, vma_count, nvgpu_vmas);
#undef TABLE
    m.regions = nvgpu_regions;
    m.ram = nvgpu_ram + (PAGE - (uintptr_t)nvgpu_ram % PAGE) % PAGE;
    m.ram_bytes = RAM_BYTES;
    if (gpucmd_nvgpu_kernel_init(&m) != GPUCMD_OK) {
        abort(); /* the tables above are valid */
    }
    m.exec = engine_exec;
    gpucmd_nvgpu_kernel_sys(&m, &sys);
    nvgpu_ioctl_once = sys.sys_ioctl;
    sys.sys_ioctl = nvgpu_ioctl_flips;
}

/* Return the sum of all counts; 0 if nothing exists. */
static inline uint64_t nvgpu_alive(void)
{
    gpucmd_nvgpu_kernel_counts c;
    gpucmd_nvgpu_kernel_count(&m, &c);
    return c.files + c.handles + c.buffers + c.spaces + c.reservations + c.mappings + c.tsgs +
           c.channels + c.vmas + c.ram_bytes;
}

/* A wait function that executes the channels. */
static inline gpucmd_status nvgpu_wait(void *user, uint32_t try_count)
{
    (void)user;
    (void)gpucmd_nvgpu_kernel_run(&m, 100000);
    return try_count < 4 ? GPUCMD_OK : GPUCMD_LIMIT;
}

#endif /* GPUCMD_TEST_NV_NVGPU_H */

/* Memory of a process that changes while a model kernel reads it: every second read of an address
 * gives another value. No call reads an address twice or writes outside; each state stays valid. */
#define _GNU_SOURCE 1
#include "flip.h"
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_agx.h"
#include "gpucmd_i915.h"
#include "gpucmd_nv.h"
#include "agx_test.h"
#include "agx_world.h"

#if defined(__linux__) && defined(__x86_64__)
#define USER_VA 0x7f0000000000u

/* The result is known if first reads give what the test has written. */
#ifdef FLIP_THREADS
#define RESULT(result, expected) CHECK((result) < 64)
#else
#define RESULT(result, expected) EQUAL(result, expected)
#endif

static gpucmd_region region;
static gpucmd_mem process;

static uint8_t *process_memory(void)
{
    uint8_t *memory = flip_memory();
    region.va = USER_VA;
    region.bytes = FLIP_BYTES;
    region.host = memory;
    region.access_mask = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
    EQUAL(gpucmd_mem_init(&process, &region, 1), GPUCMD_OK);
    return memory;
}

/* ---- AGX ---- */

static world agx;
static uint8_t stamps[3][GPUCMD_AGX_PAGE_BYTES]; /* the object is the one in the middle */

/* A VM, a queue, an object for timestamps, a sync object of each kind. */
static void agx_setup(void)
{
    struct gpucmd_drm_asahi_vm_create vm = {0x7000000000u, 0x7020000000u, 0, 0};
    struct gpucmd_drm_asahi_queue_create queue = {0, 1, 0, 0, 0x1000};
    struct gpucmd_drm_asahi_gem_create gem = {GPUCMD_AGX_PAGE_BYTES, 0, 0, 0, 0};
    struct gpucmd_drm_asahi_gem_bind_object object = {GPUCMD_DRM_ASAHI_BIND_OBJECT_OP_BIND,
                                                      GPUCMD_DRM_ASAHI_BIND_OBJECT_USAGE_TIMESTAMPS,
                                                      0,
                                                      0,
                                                      0,
                                                      GPUCMD_AGX_PAGE_BYTES,
                                                      0,
                                                      0};
    memset(&agx, 0, sizeof agx);
    EQUAL(world_init(&agx, NULL), GPUCMD_OK);
    agx.k.user = &process;
    agx.k.exec.durations.ring[0] = 4;
    agx.k.exec.durations.ring[1] = 2;
    agx.k.exec.durations.ring[2] = 3;
    EQUAL(gpucmd_agx_kernel_vm_create(&agx.k, &vm), 0);
    EQUAL(gpucmd_agx_kernel_queue_create(&agx.k, &queue), 0);
    EQUAL(gpucmd_agx_kernel_gem_create(&agx.k, &gem), 0);
    EQUAL(gpucmd_agx_kernel_back(&agx.k, gem.handle, stamps[1]), GPUCMD_OK);
    object.handle = gem.handle;
    EQUAL(gpucmd_agx_kernel_gem_bind_object(&agx.k, &object), 0);
    EQUAL(object.object_handle, 1);
    EQUAL(gpucmd_agx_kernel_syncobj_create(&agx.k), 1);
    EQUAL(gpucmd_agx_kernel_syncobj_create(&agx.k), 2);
    memset(stamps, 0x55, sizeof stamps);
}

/* Return true if nothing around the object of timestamps has changed. */
static bool agx_outside_untouched(void)
{
    bool same = true;
    for (size_t i = 0; i < GPUCMD_AGX_PAGE_BYTES; i++) {
        same = same && stamps[0][i] == 0x55 && stamps[2][i] == 0x55;
    }
    return same;
}

/* SUBMIT of two computes with timestamps, three syncs. */
static void agx_submit(uint32_t mask)
{
    uint8_t *memory = process_memory();
    struct gpucmd_drm_asahi_submit a;
    struct gpucmd_drm_asahi_cmd_compute c;
    uint32_t words[512];
    size_t len_bytes = 0;
    gpucmd_agx_stream s;
    gpucmd_agx_syncs l;
    agx_setup();
    gpucmd_agx_compute_init(&c, 0x1500010000u, 0x1500010080u);
    c.ts.start.handle = 1;
    c.ts.start.offset = 16;
    c.ts.end.handle = 1;
    c.ts.end.offset = GPUCMD_AGX_PAGE_BYTES - 8;
    gpucmd_agx_stream_init(&s, words, 512);
    gpucmd_agx_emit_compute(&s, GPUCMD_DRM_ASAHI_BARRIER_NONE, GPUCMD_DRM_ASAHI_BARRIER_NONE, &c);
    gpucmd_agx_emit_compute(&s, GPUCMD_DRM_ASAHI_BARRIER_NONE, 1, &c);
    EQUAL(gpucmd_agx_stream_finish(&s, &len_bytes), GPUCMD_OK);
    memcpy(memory + 4096, words, len_bytes);
    gpucmd_agx_syncs_init(&l, (struct gpucmd_drm_asahi_sync *)(void *)memory, 4);
    gpucmd_agx_emit_out_sync(&l, 1);
    gpucmd_agx_emit_out_timeline(&l, 2, 5);
    gpucmd_agx_emit_out_timeline(&l, 2, 6);
    memset(&a, 0, sizeof a);
    a.syncs = USER_VA;
    a.out_sync_count = 3;
    a.cmdbuf = USER_VA + 4096;
    a.cmdbuf_size = (uint32_t)len_bytes;
    a.queue_id = 1;
    flip_arm(mask);
    const int result = gpucmd_agx_kernel_submit(&agx.k, &a);
    EQUAL(flip_disarm(), 0);
    RESULT(result, 0); /* each value that was read is valid */
    CHECK(flips.faults > 0);
    for (uint32_t i = 0; i < 20; i++) {
        (void)gpucmd_agx_exec_run(&agx.k.exec, 50);
    }
    CHECK(agx_outside_untouched());
    CHECK(world_tear_down(&agx));
}

/* SUBMIT of a draft: two computes with attachments and results, two syncs. */
static void agx_draft_submit(uint32_t mask, gpucmd_agx_draft draft)
{
    enum { COMMANDS = 4096, PAYLOADS = 5120, LIST = 6144 };
    const bool old = draft == GPUCMD_AGX_DRAFT_10006;
    uint8_t *memory = process_memory();
    struct gpucmd_drm_asahi_draft_submit a;
    agx_setup();
    for (uint32_t i = 0; i < 2; i++) {
        const struct gpucmd_drm_asahi_draft_sync sync = {0, 0, 1 + i, 0};
        const struct gpucmd_drm_asahi_draft_command c = {
            0,  GPUCMD_DRM_ASAHI_DRAFT_CMD_COMPUTE, 0,  USER_VA + PAYLOADS + 256 * i,
            96, i * (GPUCMD_AGX_PAGE_BYTES - 64),   64, {0xffffffff, 0xffffffff}
        };
        uint32_t payload[24], list[8] = {0, 4096, 0, 0, 0, 0, 0, 0};
        memset(payload, 0, sizeof payload);
        payload[old ? 6 : 8] = (uint32_t)USER_VA + LIST + 64 * i;
        payload[old ? 7 : 9] = (uint32_t)(USER_VA >> 32);
        payload[old ? 8 : 10] = 1;
        list[4] = 1; /* order, of 10011 */
        list[1] = old ? 4096 : 0;
        list[2] = old ? 0 : 4096;
        memcpy(memory + i * sizeof sync, &sync, sizeof sync);
        memcpy(memory + COMMANDS + i * sizeof c, &c, sizeof c);
        memcpy(memory + PAYLOADS + 256 * i, payload, sizeof payload);
        memcpy(memory + LIST + 64 * i, list, sizeof list);
    }
    memset(&a, 0, sizeof a);
    a.in_syncs = USER_VA;
    a.out_syncs = USER_VA;
    a.commands = USER_VA + COMMANDS;
    a.queue_id = 1;
    a.result_handle = 1;
    a.out_sync_count = 2;
    a.command_count = 2;
    flip_arm(mask);
    const int result =
        gpucmd_agx_kernel_draft_ioctl(&agx.k, draft, GPUCMD_DRM_IOCTL_ASAHI_DRAFT_SUBMIT, &a);
    EQUAL(flip_disarm(), 0);
    RESULT(result, 0); /* each value that was read is valid */
    CHECK(flips.faults > 0);
    for (uint32_t i = 0; i < 20; i++) {
        (void)gpucmd_agx_exec_run(&agx.k.exec, 50);
    }
    CHECK(agx_outside_untouched());
    CHECK(world_tear_down(&agx));
}

/* VM_BIND of four operations: each is read once. */
static void agx_bind(uint32_t mask)
{
    uint8_t *memory = process_memory();
    struct gpucmd_drm_asahi_vm_bind a = {1, 4, sizeof(struct gpucmd_drm_asahi_gem_bind_op), 0,
                                         USER_VA};
    agx_setup();
    for (uint32_t i = 0; i < 4; i++) {
        const struct gpucmd_drm_asahi_gem_bind_op op = {
            GPUCMD_DRM_ASAHI_BIND_READ, 1, 0, GPUCMD_AGX_PAGE_BYTES,
            0x100000000u + (uint64_t)i * 2 * GPUCMD_AGX_PAGE_BYTES};
        memcpy(memory + i * sizeof op, &op, sizeof op);
    }
    flip_arm(mask);
    (void)gpucmd_agx_kernel_vm_bind(&agx.k, &a);
    EQUAL(flip_disarm(), 0);
    CHECK(flips.faults > 0);
    CHECK(world_tear_down(&agx));
}

/* ---- i915 ---- */

static uint32_t ring_words[1024];
static uint8_t objects_memory[6][4096]; /* objects are 1 to 4 */
static gpucmd_i915_object objects[4];
static struct gpucmd_drm_i915_gem_exec_object2 list[4];
static gpucmd_i915_syncobj syncobjs[1];
static gpucmd_i915_ring ring;
static gpucmd_i915_cs cs;
static gpucmd_i915_kernel kernel;

enum { ARG = 0, LIST = 256, RELOCS = 1024, FENCES = 2048, EXTENSION = 3072 };

static void i915_setup(gpucmd_i915_gen gen)
{
    gpucmd_mmio mmio;
    EQUAL(gpucmd_i915_cs_init(&cs, gen, GPUCMD_I915_RCS, 0), GPUCMD_OK);
    gpucmd_i915_cs_mmio(&cs, &mmio);
    EQUAL(gpucmd_i915_ring_init(&ring, ring_words, 4096, 0x30, &mmio, cs.base), GPUCMD_OK);
    EQUAL(gpucmd_i915_ring_start(&ring, 0x40000), GPUCMD_OK);
    gpucmd_i915_kernel_init(&kernel, gen, &process);
    memset(objects, 0, sizeof objects);
    memset(objects_memory, 0x55, sizeof objects_memory);
    for (uint32_t i = 0; i < 4; i++) {
        objects[i].handle = i + 1;
        objects[i].bytes = 4096;
        objects[i].host = objects_memory[i + 1];
    }
    memset(syncobjs, 0, sizeof syncobjs);
    syncobjs[0].handle = 9;
    kernel.objects = objects;
    kernel.object_count = 4;
    kernel.list = list;
    kernel.list_cap = 4;
    kernel.rings[1] = &ring;
    kernel.syncobjs = syncobjs;
    kernel.syncobj_count = 1;
}

/* EXECBUFFER2 with relocations, and a fence array or an extension. */
static void i915_submit(uint32_t mask, bool extension)
{
    uint8_t *memory = process_memory();
    struct gpucmd_drm_i915_gem_execbuffer2 arg;
    struct gpucmd_drm_i915_gem_execbuffer_ext_timeline_fences ext;
    struct gpucmd_drm_i915_gem_exec_fence fence = {9, GPUCMD_I915_EXEC_FENCE_SIGNAL};
    const uint64_t point = 3;
    i915_setup(GPUCMD_I915_GEN9);
    for (uint32_t i = 0; i < 2; i++) {
        struct gpucmd_drm_i915_gem_exec_object2 o;
        memset(&o, 0, sizeof o);
        o.handle = i + 1;
        o.relocation_count = i == 0 ? 2 : 0;
        o.relocs_ptr = USER_VA + RELOCS;
        memcpy(memory + LIST + i * sizeof o, &o, sizeof o);
    }
    for (uint32_t i = 0; i < 2; i++) {
        struct gpucmd_drm_i915_gem_relocation_entry r;
        memset(&r, 0, sizeof r);
        r.target_handle = 2;
        r.offset = i == 0 ? 64 : 4088;
        memcpy(memory + RELOCS + i * sizeof r, &r, sizeof r);
    }
    memset(&ext, 0, sizeof ext);
    ext.fence_count = 1;
    ext.handles_ptr = USER_VA + FENCES;
    ext.values_ptr = USER_VA + FENCES + 64;
    memcpy(memory + FENCES, &fence, sizeof fence);
    memcpy(memory + FENCES + 64, &point, sizeof point);
    memcpy(memory + EXTENSION, &ext, sizeof ext);
    memset(&arg, 0, sizeof arg);
    arg.buffers_ptr = USER_VA + LIST;
    arg.buffer_count = 2;
    arg.batch_len = 8;
    arg.cliprects_ptr = USER_VA + (extension ? EXTENSION : FENCES);
    arg.num_cliprects = extension ? 0 : 1;
    arg.flags = GPUCMD_I915_EXEC_RENDER | (extension ? (uint64_t)GPUCMD_I915_EXEC_USE_EXTENSIONS
                                                     : (uint64_t)GPUCMD_I915_EXEC_FENCE_ARRAY);
    memcpy(memory + ARG, &arg, sizeof arg);
    flip_arm(mask);
    const int result =
        gpucmd_i915_kernel_ioctl(&kernel, GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2, USER_VA + ARG);
    (void)result; /* any errno is right */
    EQUAL(flip_disarm(), 0);
    CHECK(flips.faults > 0);
    bool same = true;
    for (size_t i = 0; i < 4096; i++) {
        same = same && objects_memory[0][i] == 0x55 && objects_memory[5][i] == 0x55;
    }
    CHECK(same);
}

/* ---- nvgpu ---- */

static gpucmd_nvgpu_kernel_store nvgpu_store;
static gpucmd_nvgpu_kernel nvgpu;
static uint64_t nvgpu_ram[(1 << 20) / 8 + 512];
static gpucmd_sys_ops nvgpu_sys;

/* Call an ioctl whose argument lies in memory that changes; it is read once. */
static int nvgpu_ioctl(uint32_t mask, int fd, uint32_t number, const void *arg, size_t bytes)
{
    memcpy(process_memory(), arg, bytes);
    nvgpu.process = &process;
    flip_arm(mask);
    const int result = nvgpu_sys.sys_ioctl(&nvgpu, fd, number, (void *)(uintptr_t)USER_VA);
    EQUAL(flip_disarm(), 0);
    CHECK(flips.faults > 0);
    return result;
}

/* Each ioctl that points at memory, and one of each node. A flipped value may be refused. */
static void nvgpu_calls(uint32_t mask)
{
    struct gpucmd_nvmap_create_handle create;
    struct gpucmd_nvgpu_gpu_get_characteristics gpu;
    struct gpucmd_nvgpu_alloc_as_args space;
    struct gpucmd_nvgpu_as_get_va_regions_args regions;
    struct gpucmd_nvgpu_as_map_buffer_ex_args map;
    gpucmd_nvgpu_kernel_counts counts;
    uint8_t *const ram = (uint8_t *)nvgpu_ram + (4096 - (uintptr_t)nvgpu_ram % 4096) % 4096;
    memset(&nvgpu, 0, sizeof nvgpu);
    memset(&create, 0, sizeof create);
    memset(&gpu, 0, sizeof gpu);
    memset(&space, 0, sizeof space);
    memset(&regions, 0, sizeof regions);
    memset(&map, 0, sizeof map);
    EQUAL(gpucmd_nvgpu_kernel_init_store(&nvgpu, &nvgpu_store, ram, 1 << 20), GPUCMD_OK);
    gpucmd_nvgpu_kernel_sys(&nvgpu, &nvgpu_sys);
    EQUAL(nvgpu_sys.sys_open(&nvgpu, "/dev/nvmap", 2), 3);
    EQUAL(nvgpu_sys.sys_open(&nvgpu, "/dev/nvgpu/igpu0/ctrl", 2), 4);
    create.size = 8192;
    (void)nvgpu_ioctl(mask, 3, GPUCMD_NVMAP_IOC_CREATE, &create, sizeof create);
    gpu.gpu_characteristics_buf_size = 64;
    gpu.gpu_characteristics_buf_addr = USER_VA + 4096;
    (void)nvgpu_ioctl(mask, 4, GPUCMD_NVGPU_GPU_IOCTL_GET_CHARACTERISTICS, &gpu, sizeof gpu);
    space.flags = 2;
    space.va_range_start = 0x200000;
    space.va_range_end = 0xff00000000;
    RESULT(nvgpu_ioctl(mask, 4, GPUCMD_NVGPU_GPU_IOCTL_ALLOC_AS, &space, sizeof space), 0);
    regions.buf_addr = USER_VA + 4096;
    regions.buf_size = 24;
    (void)nvgpu_ioctl(mask, 5, GPUCMD_NVGPU_AS_IOCTL_GET_VA_REGIONS, &regions, sizeof regions);
    map.dmabuf_fd = 3;
    RESULT(nvgpu_ioctl(mask, 5, GPUCMD_NVGPU_AS_IOCTL_MAP_BUFFER_EX, &map, sizeof map),
           -GPUCMD_SYS_EINVAL);
    for (int fd = 3; fd <= 5; fd++) {
        RESULT(nvgpu_sys.sys_close(&nvgpu, fd), 0);
    }
    gpucmd_nvgpu_kernel_count(&nvgpu, &counts);
    EQUAL(counts.files + counts.handles + counts.buffers + counts.spaces + counts.ctrls, 0);
}

#ifndef FLIP_THREADS
/* The memory does what it says: a second read is counted and gives another value. */
static void control(void)
{
    const volatile uint8_t *memory = process_memory();
    flip_arm(0x01010101);
    const uint8_t first = memory[100], second = memory[100];
    EQUAL(flip_disarm(), 1);
    EQUAL(first ^ second, 1);
}

int main(void)
{
    control();
    for (uint32_t i = 0; i < 64; i++) {
        const uint32_t mask = i < 32 ? 1u << i : test_random(0xffffffff);
        agx_submit(mask);
        agx_draft_submit(mask, GPUCMD_AGX_DRAFT_10006);
        agx_draft_submit(mask, GPUCMD_AGX_DRAFT_10011);
        agx_bind(mask);
        i915_submit(mask, false);
        i915_submit(mask, true);
        nvgpu_calls(mask);
    }
    return test_report("user_memory");
}
#endif
#else
int main(void)
{
    return test_report("user_memory");
}
#endif

/* gpucmd_nvgpu against the model kernel: start-up, buffers, channels, submission, the desktop driver's
 * calls; every failure of the kernel at every step, after which nothing remains. */
/* suite: kernel */
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"
#include "test.h"

#include "nv/nvgpu.h"

static gpucmd_nvgpu g;

static void started(void)
{
    nvgpu_setup();
    EQUAL(gpucmd_nvgpu_start(&g, &sys), GPUCMD_OK);
}

/* Descriptors in the order of the facts' reference trace: nvmap 3, control 4, space 5, group 6. */
static void start_up(void)
{
    gpucmd_nvgpu_kernel_counts c;
    started();
    EQUAL(g.nvmap_fd, 3);
    EQUAL(g.ctrl_fd, 4);
    EQUAL(g.as_fd, 5);
    EQUAL(g.tsg_fd, 6);
    EQUAL(g.veid, 1);
    CHECK(g.usermode == (void *)m.ctrls[0].page);
    EQUAL(g.gpu.compute_class, 0xc7c0);
    EQUAL(g.gpu.dma_copy_class, 0xc7b5);
    EQUAL(g.gpu.gpfifo_class, 0xc76f);
    EQUAL(g.gpu.sm_arch_sm_version, 0x807);
    CHECK(strcmp((const char *)g.gpu.chipname, "ga10b") == 0);
    CHECK(g.gpu.device_instance_id != 0);
    gpucmd_nvgpu_kernel_count(&m, &c);
    EQUAL(c.reservations, 2);
    EQUAL(m.ranges[0].va, 0xfd00000000);
    EQUAL(m.ranges[0].bytes, 0x40000000);
    EQUAL(m.ranges[1].va, 0xfe00000000);
    EQUAL(m.ranges[1].bytes, 0x40000000);
    EQUAL(m.spaces[0].start, 0x200000);
    EQUAL(m.spaces[0].end, 0xff00000000);
    gpucmd_nvgpu_close(&g);
    EQUAL(nvgpu_alive(), 0);
    CHECK(g.usermode == NULL && !g.has_subcontext);
    EQUAL(g.nvmap_fd & g.ctrl_fd & g.as_fd & g.tsg_fd, -1);
    EQUAL(gpucmd_nvgpu_start(&g, &sys), GPUCMD_OK); /* again, from the beginning */
    EQUAL(g.nvmap_fd, 3);
    gpucmd_nvgpu_close(&g);
}

/* Each call of the start-up fails once: step and error say which, and nothing stays open. */
static void start_up_fails(void)
{
    static const gpucmd_nvgpu_step steps[] = {
        GPUCMD_NVGPU_STEP_OPEN_NVMAP,          GPUCMD_NVGPU_STEP_OPEN_CTRL,
        GPUCMD_NVGPU_STEP_GET_CHARACTERISTICS, GPUCMD_NVGPU_STEP_ALLOC_AS,
        GPUCMD_NVGPU_STEP_ALLOC_SPACE,         GPUCMD_NVGPU_STEP_ALLOC_SPACE,
        GPUCMD_NVGPU_STEP_MAP_USERMODE,        GPUCMD_NVGPU_STEP_OPEN_TSG,
        GPUCMD_NVGPU_STEP_CREATE_SUBCONTEXT,
    };
    nvgpu_setup();
    for (uint32_t k = 0; k < sizeof steps / sizeof steps[0]; k++) {
        m.fail_at = k + 1;
        m.fail_error = GPUCMD_SYS_ENOMEM;
        EQUAL(gpucmd_nvgpu_start(&g, &sys), GPUCMD_FAULT);
        EQUAL(g.step, steps[k]);
        EQUAL(g.error, GPUCMD_SYS_ENOMEM);
        EQUAL(nvgpu_alive(), 0);
        EQUAL(m.fail_at, 0);
    }
    EQUAL(gpucmd_nvgpu_start(&g, &sys), GPUCMD_OK);
    gpucmd_nvgpu_close(&g);
    /* A result that cannot be copied out comes as a positive number. */
    m.fail_copy_out = true;
    EQUAL(gpucmd_nvgpu_open(&g, &sys), GPUCMD_FAULT);
    EQUAL(g.step, GPUCMD_NVGPU_STEP_GET_CHARACTERISTICS);
    EQUAL(g.error, GPUCMD_SYS_EFAULT);
    EQUAL(nvgpu_alive(), 0);
    /* A GPU that lacks what is needed. */
    for (unsigned bit = 0; bit < 64; bit++) {
        nvgpu_setup();
        m.gpu.flags &= ~((uint64_t)1 << bit);
        const bool needed = bit == 8 || bit == 22 || bit == 30;
        EQUAL(gpucmd_nvgpu_open(&g, &sys), needed ? GPUCMD_UNSUPPORTED : GPUCMD_OK);
        EQUAL(g.error, 0);
        gpucmd_nvgpu_close(&g);
        EQUAL(nvgpu_alive(), 0);
    }
}

/* A kernel of the 35 series answers with 312 bytes, and one that came later with more. */
static int (*inner_ioctl)(void *user, int fd, uint32_t number, void *arg);
static uint64_t says_bytes;

static int other_release(void *user, int fd, uint32_t number, void *arg)
{
    const int result = inner_ioctl(user, fd, number, arg);
    if (number == 0xc0104705) {
        ((struct gpucmd_nvgpu_gpu_get_characteristics *)arg)->gpu_characteristics_buf_size =
            says_bytes;
    }
    return result;
}

static void releases(void)
{
    nvgpu_setup();
    inner_ioctl = sys.sys_ioctl;
    sys.sys_ioctl = other_release;
    says_bytes = 312;
    EQUAL(gpucmd_nvgpu_open(&g, &sys), GPUCMD_UNSUPPORTED);
    EQUAL(g.step, GPUCMD_NVGPU_STEP_GET_CHARACTERISTICS);
    EQUAL(nvgpu_alive(), 0);
    says_bytes = 336;
    EQUAL(gpucmd_nvgpu_open(&g, &sys), GPUCMD_OK);
    gpucmd_nvgpu_close(&g);
}

/* The address space: own checks before the kernel is asked. */
static void address_space(void)
{
    nvgpu_setup();
    EQUAL(gpucmd_nvgpu_open(&g, &sys), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_create_subcontext(&g), GPUCMD_ORDER);
    g.end_va = 0xffffe00000; /* its kernel part would pass 2^40 */
    EQUAL(gpucmd_nvgpu_alloc_as(&g), GPUCMD_RANGE);
    g.end_va = 0xff00000001;
    EQUAL(gpucmd_nvgpu_alloc_as(&g), GPUCMD_ALIGN);
    g.end_va = 0xfe00000000; /* without the shared window */
    EQUAL(gpucmd_nvgpu_alloc_as(&g), GPUCMD_RANGE);
    EQUAL(g.step, GPUCMD_NVGPU_STEP_ALLOC_AS);
    EQUAL(g.error, 0);
    g.end_va = 0xff00000000;
    g.first_va = 0;
    EQUAL(gpucmd_nvgpu_alloc_as(&g), GPUCMD_RANGE);
    g.first_va = 0x200000;
    g.shared_va = 0xfd00001000;
    EQUAL(gpucmd_nvgpu_alloc_as(&g), GPUCMD_RANGE);
    g.shared_va = 0xfe00000000;
    EQUAL(gpucmd_nvgpu_alloc_as(&g), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_alloc_as(&g), GPUCMD_ORDER);
    EQUAL(gpucmd_nvgpu_map_usermode(&g), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_map_usermode(&g), GPUCMD_ORDER);
    EQUAL(gpucmd_nvgpu_open_tsg(&g), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_open_tsg(&g), GPUCMD_ORDER);
    EQUAL(gpucmd_nvgpu_create_subcontext(&g), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_create_subcontext(&g), GPUCMD_ORDER);
    gpucmd_nvgpu_close(&g);
    EQUAL(nvgpu_alive(), 0);
}

/* Size and alignment policy, flags words 0x09000002 and 0x09000001. */
static void buffer_policy(void)
{
    static const struct {
        uint64_t bytes;
        uint64_t want_bytes;
        uint32_t align;
        bool device;
        uint32_t flags;
    } rows[] = {
        {1,        4096,     4096,    true,  0x09000002},
        {4097,     8192,     4096,    true,  0x09000002},
        {0x7fffff, 0x800000, 4096,    true,  0x09000002},
        {0x800000, 0x800000, 2097152, true,  0x09000002},
        {0x800001, 0xa00000, 2097152, true,  0x09000002},
        {0x800001, 0x801000, 4096,    false, 0x09000001},
    };
    gpucmd_nvgpu_buffer_req req;
    gpucmd_nvgpu_buffer b;
    started();
    const uint64_t before = nvgpu_alive();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gpucmd_nvgpu_buffer_req_init(&req, rows[i].bytes, rows[i].device);
        EQUAL(gpucmd_nvgpu_buffer_alloc(&g, &req, &b), GPUCMD_OK);
        EQUAL(b.asked_bytes, rows[i].bytes);
        EQUAL(b.bytes, rows[i].want_bytes);
        EQUAL(b.flags, rows[i].flags);
        EQUAL(m.buffers[0].align, rows[i].align);
        EQUAL(m.buffers[0].cache, rows[i].flags & 3);
        CHECK(b.va >= 0x200000 && b.va + b.bytes <= 0xff00000000);
        CHECK(b.cpu != NULL);
        memset(b.cpu, 0x5a, (size_t)b.bytes);
        gpucmd_nvgpu_buffer_free(&g, &b);
        CHECK(b.handle == 0 && b.fd == -1 && b.va == 0 && b.cpu == NULL);
        EQUAL(nvgpu_alive(), before);
        gpucmd_nvgpu_buffer_free(&g, &b); /* twice does no harm */
    }
    gpucmd_nvgpu_close(&g);
    EQUAL(nvgpu_alive(), 0);
}

static void buffer_refusals(void)
{
    gpucmd_nvgpu_buffer_req req;
    gpucmd_nvgpu_buffer b;
    memset(&b, 0x77, sizeof b);
    started();
#define REFUSED(status, member, value)                                                             \
    gpucmd_nvgpu_buffer_req_init(&req, 4096, true);                                                \
    req.member = value;                                                                            \
    EQUAL(gpucmd_nvgpu_buffer_alloc(&g, &req, &b), status);                                        \
    EQUAL(g.step, GPUCMD_NVGPU_STEP_PARAMS);                                                       \
    EQUAL(g.error, 0)
    REFUSED(GPUCMD_RANGE, bytes, 0);
    REFUSED(GPUCMD_RANGE, bytes, ((uint64_t)1 << 40) + 1);
    REFUSED(GPUCMD_RANGE, cache, 5); /* no cache mode */
    REFUSED(GPUCMD_RANGE, tag, 0x10000);
    REFUSED(GPUCMD_RANGE, heap_mask, 0);
    REFUSED(GPUCMD_ALIGN, align, 2048);
    REFUSED(GPUCMD_ALIGN, align, 12288);
    REFUSED(GPUCMD_ALIGN, align, 0);
    /* More than the machine has, below and above the 32 bits of CREATE. */
    gpucmd_nvgpu_buffer_req_init(&req, RAM_BYTES + 1, true);
    EQUAL(gpucmd_nvgpu_buffer_alloc(&g, &req, &b), GPUCMD_FAULT);
    EQUAL(g.step, GPUCMD_NVGPU_STEP_ALLOC);
    EQUAL(g.error, 12);
    gpucmd_nvgpu_buffer_req_init(&req, (uint64_t)5 << 30, true);
    EQUAL(gpucmd_nvgpu_buffer_alloc(&g, &req, &b), GPUCMD_FAULT);
    EQUAL(g.step, GPUCMD_NVGPU_STEP_ALLOC);
    EQUAL(g.error, 12);
    /* A fixed address without a reservation. */
    gpucmd_nvgpu_buffer_req_init(&req, 4096, true);
    req.map_flags = GPUCMD_NVGPU_MAP_FIXED_OFFSET;
    req.fixed_va = 0x10000000;
    EQUAL(gpucmd_nvgpu_buffer_alloc(&g, &req, &b), GPUCMD_FAULT);
    EQUAL(g.step, GPUCMD_NVGPU_STEP_MAP_BUFFER_EX);
    EQUAL(g.error, 22);
    /* A window is a reservation, so the kernel accepts the address; the library rejects it. */
    req.fixed_va = 0xfe00000000;
    EQUAL(gpucmd_nvgpu_buffer_alloc(&g, &req, &b), GPUCMD_RANGE);
    EQUAL(g.step, GPUCMD_NVGPU_STEP_MAP_BUFFER_EX);
    EQUAL(g.error, 0);
    EQUAL(b.handle, 0x77777777); /* unchanged after all failures */
    gpucmd_nvgpu_close(&g);
    EQUAL(nvgpu_alive(), 0);
    nvgpu_setup();
    EQUAL(gpucmd_nvgpu_open(&g, &sys), GPUCMD_OK);
    gpucmd_nvgpu_buffer_req_init(&req, 4096, true);
    EQUAL(gpucmd_nvgpu_buffer_alloc(&g, &req, &b), GPUCMD_ORDER); /* no address space yet */
    req.map_gpu = false;
    EQUAL(gpucmd_nvgpu_buffer_alloc(&g, &req, &b), GPUCMD_OK);
    EQUAL(b.va, 0);
    gpucmd_nvgpu_buffer_free(&g, &b);
    gpucmd_nvgpu_close(&g);
    EQUAL(nvgpu_alive(), 0);
}

/* Each step of the pipeline fails once. The first mmap may fail: the second one follows it. */
static void buffer_fails(void)
{
    static const gpucmd_nvgpu_step steps[] = {
        GPUCMD_NVGPU_STEP_CREATE,
        GPUCMD_NVGPU_STEP_ALLOC,
        GPUCMD_NVGPU_STEP_GET_FD,
        GPUCMD_NVGPU_STEP_MAP_BUFFER_EX,
    };
    gpucmd_nvgpu_buffer_req req;
    gpucmd_nvgpu_buffer b;
    started();
    const uint64_t before = nvgpu_alive();
    gpucmd_nvgpu_buffer_req_init(&req, 10000, true);
    for (uint32_t k = 0; k < 4; k++) {
        for (int error = 1; error < 40; error += 11) {
            m.fail_at = k + 1;
            m.fail_error = error;
            EQUAL(gpucmd_nvgpu_buffer_alloc(&g, &req, &b), GPUCMD_FAULT);
            EQUAL(g.step, steps[k]);
            EQUAL(g.error, error);
            EQUAL(nvgpu_alive(), before);
        }
    }
    m.fail_at = 5; /* mmap at the GPU address fails */
    m.fail_error = GPUCMD_SYS_EEXIST;
    EQUAL(gpucmd_nvgpu_buffer_alloc(&g, &req, &b), GPUCMD_OK);
    CHECK(b.cpu == (void *)m.buffers[0].cpu);
    gpucmd_nvgpu_buffer_free(&g, &b);
    EQUAL(nvgpu_alive(), before);
    gpucmd_nvgpu_close(&g);
}

/* No mmap works: the buffer is freed, error is that of the last mmap. */
static int no_mmap(void *user, gpucmd_sys_map *map)
{
    (void)user;
    return (map->flags & 0x100000) != 0 ? -17 : -12;
}

static void buffer_no_mmap(void)
{
    gpucmd_nvgpu_buffer_req req;
    gpucmd_nvgpu_buffer b;
    started();
    const uint64_t before = nvgpu_alive();
    sys.sys_mmap = no_mmap;
    gpucmd_nvgpu_buffer_req_init(&req, 4096, true);
    EQUAL(gpucmd_nvgpu_buffer_alloc(&g, &req, &b), GPUCMD_FAULT);
    EQUAL(g.step, GPUCMD_NVGPU_STEP_MMAP);
    EQUAL(g.error, 12);
    EQUAL(nvgpu_alive(), before);
}

/* What the library asks of mmap: first the GPU address with MAP_FIXED_NOREPLACE, never MAP_FIXED;
 * then no address. */
static uint32_t asked_flags[4];
static void *asked_addr[4];
static unsigned asked;
static int (*inner_mmap)(void *user, gpucmd_sys_map *map);

static int watch_mmap(void *user, gpucmd_sys_map *map)
{
    if (asked < 4) {
        asked_flags[asked] = map->flags;
        asked_addr[asked] = map->addr;
    }
    asked++;
    EQUAL(map->prot, 3);
    EQUAL(map->off_bytes, 0);
    return inner_mmap(user, map);
}

static void buffer_address(void)
{
    gpucmd_nvgpu_buffer_req req;
    gpucmd_nvgpu_buffer b;
    started();
    inner_mmap = sys.sys_mmap;
    sys.sys_mmap = watch_mmap;
    asked = 0;
    gpucmd_nvgpu_buffer_req_init(&req, 4096, true);
    EQUAL(gpucmd_nvgpu_buffer_alloc(&g, &req, &b), GPUCMD_OK);
    EQUAL(asked, 2);
    EQUAL(asked_flags[0], 0x100001);
    EQUAL((uintptr_t)asked_addr[0], b.va);
    EQUAL(asked_flags[1], 1);
    CHECK(asked_addr[1] == NULL);
    CHECK((uintptr_t)b.cpu != b.va);
    gpucmd_nvgpu_buffer_free(&g, &b);
    gpucmd_nvgpu_close(&g);
    EQUAL(nvgpu_alive(), 0);
    /* With identity, a GPU address in range equals the CPU address. */
    started();
    m.identity = true;
    EQUAL(gpucmd_nvgpu_buffer_alloc(&g, &req, &b), GPUCMD_OK);
    const uint64_t ram = (uintptr_t)m.ram;
    if (ram < 0xf000000000 && ram >= 0x200000) {
        EQUAL((uintptr_t)b.cpu, b.va);
    }
    gpucmd_nvgpu_buffer_free(&g, &b);
    gpucmd_nvgpu_close(&g);
    EQUAL(nvgpu_alive(), 0);
}

/* ---- channels ---- */

static void area_alloc(gpucmd_nvgpu_buffer *area)
{
    gpucmd_nvgpu_buffer_req req;
    gpucmd_nvgpu_buffer_req_init(&req, 0x10000, false);
    EQUAL(gpucmd_nvgpu_buffer_alloc(&g, &req, area), GPUCMD_OK);
}

static void two_channels(bool with_area)
{
    gpucmd_nvgpu_channel_req req;
    gpucmd_nvgpu_channel compute;
    gpucmd_nvgpu_channel copy;
    gpucmd_nvgpu_buffer area;
    started();
    area_alloc(&area);
    const uint64_t before = nvgpu_alive();
    memset(area.cpu, 0xa5, 0x10000);
    gpucmd_nvgpu_channel_req_init(&req);
    req.area = with_area ? &area : NULL;
    req.userd_off_bytes = 0x2000;
    EQUAL(gpucmd_nvgpu_channel_open(&g, &req, &compute), GPUCMD_OK);
    req.ring_off_bytes = 0x3000;
    req.userd_off_bytes = 0x5000;
    EQUAL(gpucmd_nvgpu_channel_open(&g, &req, &copy), GPUCMD_OK);
    EQUAL(compute.token, 511);
    EQUAL(copy.token, 510);
    EQUAL(compute.ring.bytes, 8192);
    EQUAL(compute.userd.bytes, 4096);
    EQUAL(m.channels[0].veid, 1);
    EQUAL(m.channels[1].veid, 1);
    EQUAL(m.tsgs[0].channels, 2);
    CHECK(!m.channels[0].watchdog);
    EQUAL(m.channels[0].pbdma.gp_base, 0xff00000000); /* the kernel's part */
    EQUAL(m.channels[1].pbdma.gp_base, 0xff00002000);
    EQUAL(m.channels[0].pbdma.limit2, 10);
    EQUAL(((const uint32_t *)compute.userd_cpu)[0x8c / 4], 0);
    if (with_area) {
        CHECK(compute.ring_cpu == area.cpu);
        CHECK(copy.userd_cpu == (void *)((uint8_t *)area.cpu + 0x5000));
        EQUAL(((const uint8_t *)area.cpu)[0x6000], 0xa5);
        CHECK(m.buffers[m.channels[0].ring - 1].cpu == (uint8_t *)area.cpu);
    } else {
        CHECK(compute.ring_cpu == compute.ring.cpu);
    }
    EQUAL(gpucmd_nvgpu_channel_alloc_obj(&g, &compute, g.gpu.compute_class), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_channel_alloc_obj(&g, &copy, g.gpu.dma_copy_class), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_channel_alloc_obj(&g, &compute, 0xc6c0), GPUCMD_FAULT);
    EQUAL(g.step, GPUCMD_NVGPU_STEP_ALLOC_OBJ_CTX);
    EQUAL(g.error, 22);
    gpucmd_nvgpu_channel_close(&g, &compute);
    EQUAL(m.tsgs[0].channels, 1);
    gpucmd_nvgpu_channel_close(&g, &copy);
    CHECK(copy.ring_cpu == NULL && copy.userd_cpu == NULL && copy.area == NULL && copy.fd == -1);
    gpucmd_nvgpu_channel_close(&g, &copy);
    for (size_t i = 0; i < 0x10000 && with_area; i++) { /* the area has its own pages again */
        if (((const uint8_t *)area.cpu)[i] != 0xa5) {
            EQUAL(i, 0x10000);
            break;
        }
    }
    EQUAL(m.tsgs[0].reserved, 0); /* the subcontext went with its last channel */
    gpucmd_nvgpu_buffer_free(&g, &area);
    CHECK(nvgpu_alive() < before);
    gpucmd_nvgpu_close(&g);
    EQUAL(nvgpu_alive(), 0);
}

static void channel_refusals(void)
{
    gpucmd_nvgpu_channel_req req;
    gpucmd_nvgpu_channel c;
    gpucmd_nvgpu_buffer area;
    nvgpu_setup();
    EQUAL(gpucmd_nvgpu_open(&g, &sys), GPUCMD_OK);
    gpucmd_nvgpu_channel_req_init(&req);
    EQUAL(gpucmd_nvgpu_channel_open(&g, &req, &c), GPUCMD_ORDER);
    EQUAL(gpucmd_nvgpu_alloc_as(&g), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_channel_open(&g, &req, &c), GPUCMD_ORDER);
    EQUAL(gpucmd_nvgpu_open_tsg(&g), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_channel_open(&g, &req, &c), GPUCMD_ORDER);
    EQUAL(gpucmd_nvgpu_create_subcontext(&g), GPUCMD_OK);
    area_alloc(&area);
    const uint64_t before = nvgpu_alive();
    static const uint32_t bad_entries[] = {0, 1, 3, 1000, 1025, 0x20000000, 0xffffffff};
    for (size_t i = 0; i < sizeof bad_entries / sizeof bad_entries[0]; i++) {
        req.entries = bad_entries[i];
        EQUAL(gpucmd_nvgpu_channel_open(&g, &req, &c), GPUCMD_RANGE);
    }
    static const struct {
        uint64_t ring;
        uint64_t userd;
        gpucmd_status status;
    } bad_places[] = {
        {0x100,                0x2000,  GPUCMD_ALIGN},
        {0,                    0x2004,  GPUCMD_ALIGN},
        {0xf000,               0x2000,  GPUCMD_RANGE},
        {0,                    0x10000, GPUCMD_RANGE},
        {0,                    0x1000,  GPUCMD_RANGE},
        {0xfffffffffffff000ul, 0x2000,  GPUCMD_RANGE},
    };
    req.entries = 1024;
    req.area = &area;
    for (size_t i = 0; i < sizeof bad_places / sizeof bad_places[0]; i++) {
        req.ring_off_bytes = bad_places[i].ring;
        req.userd_off_bytes = bad_places[i].userd;
        EQUAL(gpucmd_nvgpu_channel_open(&g, &req, &c), bad_places[i].status);
        EQUAL(g.step, GPUCMD_NVGPU_STEP_PARAMS);
    }
    gpucmd_nvgpu_buffer no_area = area;
    req.area = &no_area;
    req.ring_off_bytes = 0;
    req.userd_off_bytes = 0x2000;
    no_area.cpu = NULL;
    EQUAL(gpucmd_nvgpu_channel_open(&g, &req, &c), GPUCMD_RANGE);
    no_area = area;
    no_area.fd = -1;
    EQUAL(gpucmd_nvgpu_channel_open(&g, &req, &c), GPUCMD_RANGE);
    EQUAL(nvgpu_alive(), before);
    gpucmd_nvgpu_buffer_free(&g, &area);
    gpucmd_nvgpu_close(&g);
    EQUAL(nvgpu_alive(), 0);
}

/* Every call that a channel needs fails once; the mmap of a small buffer at its GPU address does
 * not exist, as it has none. */
static void channel_fails(bool with_area)
{
    static const gpucmd_nvgpu_step steps[] = {
        GPUCMD_NVGPU_STEP_OPEN_CHANNEL,
        GPUCMD_NVGPU_STEP_AS_BIND_CHANNEL,
        GPUCMD_NVGPU_STEP_TSG_BIND_CHANNEL,
        GPUCMD_NVGPU_STEP_WDT,
        GPUCMD_NVGPU_STEP_RING,
        GPUCMD_NVGPU_STEP_RING,
        GPUCMD_NVGPU_STEP_RING,
        GPUCMD_NVGPU_STEP_RING,
        GPUCMD_NVGPU_STEP_USERD,
        GPUCMD_NVGPU_STEP_USERD,
        GPUCMD_NVGPU_STEP_USERD,
        GPUCMD_NVGPU_STEP_USERD,
        GPUCMD_NVGPU_STEP_SETUP_BIND,
        GPUCMD_NVGPU_STEP_OVERLAY_RING,
        GPUCMD_NVGPU_STEP_OVERLAY_USERD,
    };
    gpucmd_nvgpu_channel_req req;
    gpucmd_nvgpu_channel c;
    gpucmd_nvgpu_channel other;
    gpucmd_nvgpu_buffer area;
    started();
    area_alloc(&area);
    gpucmd_nvgpu_channel_req_init(&req);
    EQUAL(gpucmd_nvgpu_channel_open(&g, &req, &other), GPUCMD_OK); /* keeps the subcontext */
    const uint64_t before = nvgpu_alive();
    req.area = with_area ? &area : NULL;
    req.userd_off_bytes = 0x2000;
    for (uint32_t k = 0; k < (with_area ? 15u : 13u); k++) {
        m.fail_at = k + 1;
        m.fail_error = GPUCMD_SYS_ENOMEM;
        EQUAL(gpucmd_nvgpu_channel_open(&g, &req, &c), GPUCMD_FAULT);
        EQUAL(g.step, steps[k]);
        EQUAL(g.error, GPUCMD_SYS_ENOMEM);
        EQUAL(m.fail_at, 0);
        CHECK(k == 14 || nvgpu_alive() == before);
    }
    gpucmd_nvgpu_channel_close(&g, &other);
    gpucmd_nvgpu_buffer_free(&g, &area);
    gpucmd_nvgpu_close(&g);
    EQUAL(nvgpu_alive(), 0);
}

/* ---- submission ---- */

static gpucmd_mmio bell;

/* Copy between two buffers on the copy channel and signal; the words are those of the facts: SET_OBJECT
 * on subchannel 4, release header 0x20050017 with 0x03100001. */
static void copy_for_real(bool plain_doorbell)
{
    gpucmd_nvgpu_buffer_req breq;
    gpucmd_nvgpu_channel_req creq;
    gpucmd_nvgpu_buffer words;
    gpucmd_nvgpu_buffer src;
    gpucmd_nvgpu_buffer dst;
    gpucmd_nvgpu_buffer sem;
    gpucmd_nvgpu_channel c;
    gpucmd_nv_gpfifo q;
    gpucmd_writer wr;
    size_t len_dw = 0;
    started();
    gpucmd_nvgpu_buffer_req_init(&breq, 0x3000, true);
    EQUAL(gpucmd_nvgpu_buffer_alloc(&g, &breq, &src), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_buffer_alloc(&g, &breq, &dst), GPUCMD_OK);
    gpucmd_nvgpu_buffer_req_init(&breq, 4096, false);
    EQUAL(gpucmd_nvgpu_buffer_alloc(&g, &breq, &words), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_buffer_alloc(&g, &breq, &sem), GPUCMD_OK);
    gpucmd_nvgpu_channel_req_init(&creq);
    EQUAL(gpucmd_nvgpu_channel_open(&g, &creq, &c), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_channel_alloc_obj(&g, &c, g.gpu.dma_copy_class), GPUCMD_OK);
    for (unsigned i = 0; i < 0x3000; i++) {
        ((uint8_t *)src.cpu)[i] = (uint8_t)(i * 7 + 3);
    }
    uint32_t cmd[64];
    gpucmd_writer_init(&wr, cmd, 64);
    gpucmd_nv_emit_inc1(&wr, 4, 0, g.gpu.dma_copy_class);
    gpucmd_nv_emit_inc4(&wr, 4, 0x400, (uint32_t)(src.va >> 32), (uint32_t)src.va,
                        (uint32_t)(dst.va >> 32), (uint32_t)dst.va);
    gpucmd_nv_emit_inc1(&wr, 4, 0x418, 0x2ffd);
    gpucmd_nv_emit_inc1(&wr, 4, 0x300, 0x182);
    gpucmd_nv_emit_inc5(&wr, 0, 0x5c, (uint32_t)sem.va, (uint32_t)(sem.va >> 32), 42, 1,
                        0x03100001);
    gpucmd_nv_emit_inc1(&wr, 0, 0x20, 0);
    EQUAL(gpucmd_writer_finish(&wr, &len_dw), GPUCMD_OK);
    EQUAL(cmd[0], 0x20018000);
    EQUAL(cmd[11], 0x20050017);
    EQUAL(cmd[17], 0x20010008);
    gpucmd_store_words(words.cpu, cmd, len_dw, GPUCMD_LITTLE_ENDIAN);
    gpucmd_nvgpu_kernel_mmio(&m, &bell);
    EQUAL(bell.read32(bell.user, GPUCMD_NV_USERMODE_NOTIFY_CHANNEL_PENDING), 0);
    gpucmd_nvgpu_gpfifo_init(&q, &c, plain_doorbell ? g.usermode : NULL, &bell);
    q.wait.fn = nvgpu_wait;
    EQUAL(gpucmd_nvgpu_submit(&q, words.va, (uint32_t)len_dw, GPUCMD_NV_ENTRY_SUBROUTINE),
          GPUCMD_OK);
    EQUAL(((const uint8_t *)dst.cpu)[0], 0); /* nothing has run yet */
    EQUAL(gpucmd_nvgpu_wait_sem(&q, sem.cpu, ((uint64_t)1 << 32) + 42), GPUCMD_OK);
    CHECK(memcmp(src.cpu, dst.cpu, 0x2ffd) == 0);
    EQUAL(((const uint8_t *)dst.cpu)[0x2ffd], 0);
    EQUAL(gpucmd_nv_gpfifo_drain(&q), GPUCMD_OK);
    EQUAL(q.get, 1);
    EQUAL(gpucmd_nvgpu_wait_sem(&q, sem.cpu, ((uint64_t)1 << 32) + 43), GPUCMD_LIMIT);
    gpucmd_nvgpu_channel_close(&g, &c);
    gpucmd_nvgpu_buffer_free(&g, &src);
    gpucmd_nvgpu_buffer_free(&g, &dst);
    gpucmd_nvgpu_buffer_free(&g, &words);
    gpucmd_nvgpu_buffer_free(&g, &sem);
    gpucmd_nvgpu_close(&g);
    EQUAL(nvgpu_alive(), 0);
}

/* Entries of the facts' table, stored as 64 bits, little-endian. */
static void entries(void)
{
    static uint64_t ring[8];
    static uint32_t userd[1024];
    static uint32_t doorbell[0x94 / 4];
    gpucmd_nvgpu_channel c;
    gpucmd_nv_gpfifo q;
    memset(&c, 0, sizeof c);
    memset(ring, 0, sizeof ring);
    memset(userd, 0, sizeof userd);
    c.ring_cpu = ring;
    c.userd_cpu = userd;
    c.entries = 8;
    gpucmd_nvgpu_gpfifo_init(&q, &c, doorbell, NULL);
    q.wait.max_tries = 3;
    EQUAL(gpucmd_nv_gpfifo_push(&q, 0x100200000, 16, GPUCMD_NV_ENTRY_SUBROUTINE), GPUCMD_OK);
    EQUAL(gpucmd_load64(&ring[0], GPUCMD_LITTLE_ENDIAN), 0x0000420100200000);
    EQUAL(gpucmd_nv_gpfifo_push(&q, 0xfefffffff0, 1, GPUCMD_NV_ENTRY_SUBROUTINE), GPUCMD_OK);
    EQUAL(gpucmd_load64(&ring[1], GPUCMD_LITTLE_ENDIAN), 0x000006fefffffff0);
    EQUAL(gpucmd_nv_gpfifo_push(&q, 0x200000, 0x1fffff, GPUCMD_NV_ENTRY_SUBROUTINE), GPUCMD_OK);
    EQUAL(gpucmd_load64(&ring[2], GPUCMD_LITTLE_ENDIAN), 0x7ffffe0000200000);
    EQUAL(gpucmd_nv_gpfifo_push(&q, 0x200000, 0, 0), GPUCMD_RANGE);
    EQUAL(gpucmd_nv_gpfifo_push(&q, 0x200000, 0x200000, 0), GPUCMD_RANGE);
    EQUAL(gpucmd_nv_gpfifo_push(&q, 0x200002, 1, 0), GPUCMD_ALIGN);
    EQUAL(gpucmd_nv_gpfifo_push(&q, (uint64_t)1 << 40, 1, 0), GPUCMD_RANGE);
    EQUAL(q.put, 3);
    EQUAL(ring[3], 0);
    EQUAL(gpucmd_nv_gpfifo_room(&q), 4);
    for (unsigned i = 0; i < 4; i++) {
        EQUAL(gpucmd_nv_gpfifo_push(&q, 0x200000, 1, 0), GPUCMD_OK);
    }
    EQUAL(gpucmd_nv_gpfifo_room(&q), 0); /* n - 1 of n */
    EQUAL(gpucmd_nv_gpfifo_push(&q, 0x200000, 1, 0), GPUCMD_LIMIT);
    EQUAL(ring[7], 0);
    gpucmd_store32(&userd[0x88 / 4], 2, GPUCMD_LITTLE_ENDIAN);
    EQUAL(gpucmd_nv_gpfifo_push(&q, 0x200000, 1, 0), GPUCMD_OK);
    EQUAL(q.put, 0); /* wrapped */
    EQUAL(q.get, 2);
    EQUAL(gpucmd_nv_gpfifo_room(&q), 1);
    EQUAL(gpucmd_nv_gpfifo_drain(&q), GPUCMD_LIMIT);
    gpucmd_store32(&userd[0x88 / 4], 8, GPUCMD_LITTLE_ENDIAN);
    EQUAL(gpucmd_nv_gpfifo_poll(&q), GPUCMD_FAULT); /* no index of this ring */
    EQUAL(gpucmd_nv_gpfifo_drain(&q), GPUCMD_FAULT);
    gpucmd_store32(&userd[0x88 / 4], 0, GPUCMD_LITTLE_ENDIAN);
    EQUAL(gpucmd_nv_gpfifo_drain(&q), GPUCMD_OK);
    gpucmd_nv_gpfifo_submit(&q);
    EQUAL(gpucmd_load32(&userd[0x8c / 4], GPUCMD_LITTLE_ENDIAN), 0);
}

/* More submissions than the ring has entries; a segment outside every mapping is a fault. */
static void ring_full(void)
{
    gpucmd_nvgpu_buffer_req breq;
    gpucmd_nvgpu_channel_req creq;
    gpucmd_nvgpu_buffer words;
    gpucmd_nvgpu_channel c;
    gpucmd_nv_gpfifo q;
    started();
    gpucmd_nvgpu_buffer_req_init(&breq, 4096, false);
    EQUAL(gpucmd_nvgpu_buffer_alloc(&g, &breq, &words), GPUCMD_OK);
    gpucmd_nvgpu_channel_req_init(&creq);
    creq.entries = 2;
    EQUAL(gpucmd_nvgpu_channel_open(&g, &creq, &c), GPUCMD_OK);
    EQUAL(c.ring.bytes, 4096); /* at least a page */
    gpucmd_store32(words.cpu, GPUCMD_NV_IMMD(1, 0x100, 5), GPUCMD_LITTLE_ENDIAN);
    gpucmd_nvgpu_kernel_mmio(&m, &bell);
    gpucmd_nvgpu_gpfifo_init(&q, &c, NULL, &bell);
    q.wait.fn = nvgpu_wait;
    for (unsigned i = 0; i < 100; i++) {
        EQUAL(gpucmd_nvgpu_submit(&q, words.va, 1, 0), GPUCMD_OK);
    }
    EQUAL(gpucmd_nv_gpfifo_drain(&q), GPUCMD_OK);
    EQUAL(engine.methods, 100);
    EQUAL(gpucmd_nvgpu_submit(&q, words.va + 0x100000, 1, 0), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_kernel_run(&m, 1000), GPUCMD_RUN_FAULT);
    CHECK(m.channels[0].timed_out);
    EQUAL(gpucmd_nvgpu_kernel_run(&m, 1000), GPUCMD_RUN_IDLE);
    gpucmd_nvgpu_channel_close(&g, &c);
    gpucmd_nvgpu_buffer_free(&g, &words);
    gpucmd_nvgpu_close(&g);
    EQUAL(nvgpu_alive(), 0);
}

/* ---- translation ---- */

static unsigned warnings;
static uint32_t warned;

static void warn(void *user, bool is_control, uint32_t number)
{
    (void)user;
    (void)is_control;
    warnings++;
    warned = number;
}

static void put32(uint8_t *params, unsigned off, uint32_t v)
{
    gpucmd_store32(params + off, v, gpucmd_cpu_endian());
}

static void put64(uint8_t *params, unsigned off, uint64_t v)
{
    gpucmd_store64(params + off, v, gpucmd_cpu_endian());
}

static uint32_t take32(const uint8_t *params, unsigned off)
{
    return gpucmd_load32(params + off, gpucmd_cpu_endian());
}

/* The order in which tinygrad issues the calls. */
static void translation(void)
{
    static gpucmd_nvgpu_rm_object objects[20];
    gpucmd_nvgpu_rm rm;
    gpucmd_nvgpu_buffer area;
    uint8_t params[368];
    uint32_t device, sub, space, usermode, vaspace, group, share, compute, copy, h;
    uint32_t buffer = 0;
    nvgpu_setup();
    m.root = true;
    EQUAL(gpucmd_nvgpu_open(&g, &sys), GPUCMD_OK);
    gpucmd_nvgpu_rm_init(&rm, &g, objects, 20);
    rm.warn = warn;
    warnings = 0;
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, 0, 0x80, NULL, 0, &device), GPUCMD_OK);
    EQUAL(device, 0x10001);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, device, 0x2080, NULL, 0, &sub), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, device, 0x9067, NULL, 0, &h), GPUCMD_ORDER);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, device, 0x70, NULL, 0, &space), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, device, 0x70, NULL, 0, &h), GPUCMD_ORDER);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, sub, 0xc461, NULL, 0, &usermode), GPUCMD_OK);
    /* PERF_BOOST, as tinygrad asks */
    memset(params, 0, sizeof params);
    put32(params, 0, 0x52);
    put32(params, 4, 0xffffffff);
    EQUAL(gpucmd_nvgpu_rm_control(&rm, sub, 0x2080200a, params, 7), GPUCMD_RANGE);
    EQUAL(gpucmd_nvgpu_rm_control(&rm, sub, 0x2080200a, params, 8), GPUCMD_OK);
    EQUAL(m.min_freq, 1300500000);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, device, 0x90f1, NULL, 0, &vaspace), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, device, 0xa06c, NULL, 0, &group), GPUCMD_OK);
    area_alloc(&area);
    EQUAL(gpucmd_nvgpu_rm_add_buffer(&rm, &area, &buffer), GPUCMD_OK);
    for (h = 0; objects[h].handle != buffer; h++) {
    }
    EQUAL(objects[h].parent | objects[h].number, 0); /* a buffer has neither */
    CHECK(objects[h].buffer == &area);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, group, 0x9067, NULL, 0, &share), GPUCMD_OK);
    memset(params, 0, sizeof params);
    put32(params, 4, buffer);
    put64(params, 8, area.va);
    put32(params, 16, 1024);
    put32(params, 24, share);
    put64(params, 64, 0x2000);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, group, 0xc56f, params, 367, &compute), GPUCMD_RANGE);
    put32(params, 128, 19); /* the video decoder */
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, group, 0xc56f, params, 368, &compute), GPUCMD_UNSUPPORTED);
    put32(params, 128, 0);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, group, 0xc56f, params, 368, &compute), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, compute, 0xc7c0, NULL, 0, &h), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, compute, 0xc6c0, NULL, 0, &h), GPUCMD_UNSUPPORTED);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, group, 0xc7c0, NULL, 0, &h), GPUCMD_ORDER);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, compute, 0x83de, NULL, 0, &h), GPUCMD_OK);
    put64(params, 8, area.va + 0x3000);
    put64(params, 64, 0x5000);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, group, 0xc76f, params, 368, &copy), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, copy, 0xc7b5, NULL, 0, &h), GPUCMD_OK);
    EQUAL(m.channels[0].objects, 1);
    EQUAL(m.channels[1].objects, 1);
    EQUAL(gpucmd_nvgpu_rm_control(&rm, compute, 0xc36f0108, params, 4), GPUCMD_OK);
    EQUAL(take32(params, 0), 511);
    EQUAL(gpucmd_nvgpu_rm_control(&rm, copy, 0xc36f0108, params, 4), GPUCMD_OK);
    EQUAL(take32(params, 0), 510);
    EQUAL(gpucmd_nvgpu_rm_control(&rm, group, 0xc36f0108, params, 4), GPUCMD_ORDER);
    EQUAL(gpucmd_nvgpu_rm_control(&rm, 0x4711, 0xc36f0108, params, 4), GPUCMD_ORDER);
    EQUAL(gpucmd_nvgpu_rm_control(&rm, group, 0xa06c0101, NULL, 0), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_rm_control(&rm, sub, 0x2080130e, NULL, 0), GPUCMD_OK);
    EQUAL(warnings, 0);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, device, 0xb0b5, NULL, 0, &h), GPUCMD_OK);
    EQUAL(warned, 0xb0b5);
    EQUAL(gpucmd_nvgpu_rm_control(&rm, sub, 0x20801234, NULL, 0), GPUCMD_OK);
    EQUAL(warned, 0x20801234);
    EQUAL(warnings, 2);
    EQUAL(gpucmd_nvgpu_rm_free(&rm, space), GPUCMD_ORDER); /* channels are left */
    EQUAL(gpucmd_nvgpu_rm_free(&rm, buffer), GPUCMD_ORDER);
    EQUAL(gpucmd_nvgpu_rm_free(&rm, copy), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_rm_free(&rm, copy), GPUCMD_ORDER);
    /* freeing the group keeps the address space */
    EQUAL(gpucmd_nvgpu_rm_free(&rm, compute), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_rm_free(&rm, group), GPUCMD_OK);
    CHECK(g.tsg_fd < 0 && g.as_fd >= 0);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, device, 0xa06c, NULL, 0, &group), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, group, 0x9067, NULL, 0, &share), GPUCMD_OK);
    /* the handle of a freed buffer, and of an object that has the row of the buffer */
    EQUAL(gpucmd_nvgpu_rm_free(&rm, buffer), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, group, 0xc76f, params, 368, &copy), GPUCMD_ORDER);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, device, 0x2080, NULL, 0, &h), GPUCMD_OK);
    put32(params, 4, h);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, group, 0xc76f, params, 368, &copy), GPUCMD_ORDER);
    gpucmd_nvgpu_rm_close(&rm);
    EQUAL(m.min_freq, 306000000);
    gpucmd_nvgpu_buffer_free(&g, &area);
    gpucmd_nvgpu_close(&g);
    EQUAL(nvgpu_alive(), 0);
}

/* GR_GET_INFO, GET_CLASSLIST, GET_GID_INFO. */
static void controls(void)
{
    static gpucmd_nvgpu_rm_object objects[2];
    static const uint32_t index[] = {0x0c, 0x0d, 0x14, 0x17, 0x20, 0x33};
    static const uint32_t value[] = {0x807, 48, 1, 4, 2, 0};
    static const uint8_t uuid[] = {0x4a, 0x4b, 0x4c, 0x4d, 0x4e, 0x4f, 0x50, 0x51,
                                   0x52, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59};
    gpucmd_nvgpu_rm rm;
    uint8_t params[268];
    uint8_t list[64];
    uint32_t sub;
    uint32_t h;
    nvgpu_setup();
    EQUAL(gpucmd_nvgpu_open(&g, &sys), GPUCMD_OK);
    gpucmd_nvgpu_rm_init(&rm, &g, objects, 2);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, 0x99, 0x2080, NULL, 0, &sub), GPUCMD_ORDER);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, 0, 0x2080, NULL, 0, &sub), GPUCMD_OK);
    memset(params, 0, sizeof params);
    memset(list, 0, sizeof list);
    for (unsigned i = 0; i < 6; i++) {
        put32(list, 8 * i, index[i]);
        put32(list, 8 * i + 4, 0xffffffff);
    }
    put32(params, 0, 6);
    put64(params, 8, (uintptr_t)list);
    put32(list, 52, 0xffffffff);
    EQUAL(gpucmd_nvgpu_rm_control(&rm, sub, 0x20801201, params, 32), GPUCMD_OK);
    for (unsigned i = 0; i < 6; i++) {
        EQUAL(take32(list, 8 * i + 4), value[i]);
    }
    EQUAL(take32(list, 48), 0);
    EQUAL(take32(list, 52), 0xffffffff);
    put32(params, 0, 0); /* how many classes? */
    EQUAL(gpucmd_nvgpu_rm_control(&rm, sub, 0x800201, params, 16), GPUCMD_OK);
    EQUAL(take32(params, 0), 4);
    memset(list, 0, sizeof list);
    put32(params, 0, 3);
    EQUAL(gpucmd_nvgpu_rm_control(&rm, sub, 0x800201, params, 16), GPUCMD_OK);
    EQUAL(take32(params, 0), 3);
    EQUAL(take32(list, 0), 0xc7c0);
    EQUAL(take32(list, 4), 0xc76f);
    EQUAL(take32(list, 8), 0xc7b5);
    EQUAL(take32(list, 12), 0);
    put32(params, 0, 9);
    EQUAL(gpucmd_nvgpu_rm_control(&rm, sub, 0x800201, params, 16), GPUCMD_OK);
    EQUAL(take32(params, 0), 4);
    EQUAL(take32(list, 12), 0xc461);
    memset(params, 0, sizeof params);
    EQUAL(gpucmd_nvgpu_rm_control(&rm, sub, 0x2080014a, params, 268), GPUCMD_OK);
    EQUAL(take32(params, 8), 16);
    CHECK(memcmp(params + 12, uuid, 16) == 0);
    EQUAL(params[28], 0);
    put32(params, 0, 2); /* no rights: no effect, no failure */
    EQUAL(gpucmd_nvgpu_rm_control(&rm, sub, 0x2080200a, params, 8), GPUCMD_OK);
    EQUAL(m.min_freq, 306000000);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, 0, 0x80, NULL, 0, &h), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, 0, 0x80, NULL, 0, &h), GPUCMD_FULL);
    gpucmd_nvgpu_rm_close(&rm);
    gpucmd_nvgpu_close(&g);
    EQUAL(nvgpu_alive(), 0);
}

static void class_kinds(void)
{
#define KIND(name) GPUCMD_NVGPU_CLASS_##name
    static const struct {
        gpucmd_nvgpu_class_kind kind;
        uint32_t classes[7];
    } rows[] = {
        {KIND(COMPUTE),  {0xc7c0, 0xc5c0, 0xc3c0, 0xc0c0, 0xb1c0}            },
        {KIND(COPY),     {0xc7b5, 0xc5b5, 0xc3b5, 0xc0b5, 0xb0b5, 0xa0b5}    },
        {KIND(CHANNEL),  {0xc76f, 0xc46f, 0xc36f, 0xc06f, 0xb06f}            },
        {KIND(GRAPHICS), {0xc797, 0xc597, 0xc397, 0xc097, 0xb197}            },
        {KIND(OTHER),    {0xc637, 0xc4b7, 0xa140, 0x902d}                    },
        {KIND(INVALID),  {0xc6c0, 0xc6b5, 0xc56f, 0xc697, 0xffffffff, 0xc7c1}},
    };
#undef KIND
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (unsigned k = 0; rows[i].classes[k] != 0; k++) {
            EQUAL(gpucmd_nvgpu_class_kind_of(rows[i].classes[k]), rows[i].kind);
        }
    }
    EQUAL(gpucmd_nvgpu_class_kind_of(0), GPUCMD_NVGPU_CLASS_INVALID);
}

int main(void)
{
    class_kinds();
    start_up();
    start_up_fails();
    releases();
    address_space();
    buffer_policy();
    buffer_refusals();
    buffer_fails();
    buffer_no_mmap();
    buffer_address();
    two_channels(false);
    two_channels(true);
    channel_refusals();
    channel_fails(false);
    channel_fails(true);
    copy_for_real(false);
    copy_for_real(true);
    entries();
    ring_full();
    translation();
    controls();
    return test_report("nv_nvgpu");
}

/* nv/nvgpu_edges.c - nvgpu at its edges: functions that the caller's table lacks or that return nothing, the
 * objects of the resource manager without a parent or a warning, files and mappings of the model kernel,
 * tables without rows, a host that maps pages, doorbells. */
/* suite: kernel */
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"
#include "test.h"

#include "nv/nvgpu.h"

static gpucmd_nvgpu g;

static int io(int fd, uint32_t number, void *arg)
{
    return sys.sys_ioctl(sys.user, fd, number, arg);
}

/* ---- clock ---- */

static int64_t moves; /* what read and write return */

static int64_t some_read(void *user, int fd, void *dst, size_t len_bytes)
{
    (void)user;
    (void)fd;
    (void)len_bytes;
    memcpy(dst, "1300500000\n", 11);
    return moves;
}

static int64_t some_write(void *user, int fd, const void *src, size_t len_bytes)
{
    (void)user;
    (void)fd;
    (void)src;
    (void)len_bytes;
    return moves;
}

/* A file that gives no byte is EIO; an errno stays. The failed step is named. */
static void clock_files(void)
{
    char saved[32] = {0};
    uint32_t saved_bytes = 7;
    nvgpu_setup();
    EQUAL(gpucmd_nvgpu_open(&g, &sys), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_unboost(&g, saved, 25), GPUCMD_ORDER); /* boost saves at most 24 bytes */
    EQUAL(g.step, GPUCMD_NVGPU_STEP_PARAMS);
    sys.sys_read = some_read;
    sys.sys_write = some_write;
    moves = 0;
    EQUAL(gpucmd_nvgpu_boost(&g, saved, &saved_bytes), GPUCMD_FAULT);
    EQUAL(g.step, GPUCMD_NVGPU_STEP_READ_MAX_FREQ);
    EQUAL(g.error, 5);
    moves = -GPUCMD_SYS_EINTR;
    EQUAL(gpucmd_nvgpu_boost(&g, saved, &saved_bytes), GPUCMD_FAULT);
    EQUAL(g.error, 4);
    EQUAL(saved_bytes, 7);
    sys.sys_write = NULL;
    EQUAL(gpucmd_nvgpu_boost(&g, saved, &saved_bytes), GPUCMD_UNSUPPORTED);
    gpucmd_nvgpu_close(&g);
    EQUAL(nvgpu_alive(), 0);
}

/* The clock files of the model: no write to a file opened to read, or to max_freq; no text without a
 * digit, and no clock above the highest. */
static void clock_writes(void)
{
    nvgpu_setup();
    m.root = true;
    const int to_read = sys.sys_open(sys.user, "/sys/class/devfreq/17000000.gpu/min_freq", 0);
    CHECK(to_read >= 0);
    EQUAL(sys.sys_write(sys.user, to_read, "306000000\n", 10), -9);
    EQUAL(sys.sys_write(sys.user, 23, "306000000\n", 10), -9);
    const int lowest = sys.sys_open(sys.user, "/sys/class/devfreq/17000000.gpu/min_freq", 1);
    CHECK(lowest >= 0);
    EQUAL(sys.sys_write(sys.user, lowest, "x", 1), -22);
    EQUAL(sys.sys_write(sys.user, lowest, ":", 1), -22);
    EQUAL(sys.sys_write(sys.user, lowest, "1300500001", 10), -22);
    EQUAL(sys.sys_write(sys.user, lowest, "9999999999999999999", 19), -22);
    EQUAL(m.min_freq, 306000000);
    EQUAL(sys.sys_write(sys.user, lowest, "1300500000", 10), 10);
    EQUAL(m.min_freq, 1300500000);
    /* no other file takes a clock */
    const int highest = sys.sys_open(sys.user, "/sys/class/devfreq/17000000.gpu/max_freq", 1);
    const int nvmap = sys.sys_open(sys.user, "/dev/nvmap", 2);
    CHECK(highest >= 0 && nvmap >= 0);
    EQUAL(sys.sys_write(sys.user, highest, "306000000", 9), -22);
    EQUAL(sys.sys_write(sys.user, nvmap, "306000000", 9), -22);
    EQUAL(m.max_freq, 1300500000);
    EQUAL(sys.sys_close(sys.user, highest), 0);
    EQUAL(sys.sys_close(sys.user, nvmap), 0);
    EQUAL(sys.sys_close(sys.user, to_read), 0);
    EQUAL(sys.sys_close(sys.user, lowest), 0);
    EQUAL(nvgpu_alive(), 0);
}

/* ---- objects of the resource manager ---- */

static void rm_objects(void)
{
    static gpucmd_nvgpu_rm_object objects[3];
    const gpucmd_nvgpu_buffer *const no_buffer = NULL;
    gpucmd_nvgpu_rm rm;
    uint32_t device, handle = 0;
    nvgpu_setup();
    EQUAL(gpucmd_nvgpu_open(&g, &sys), GPUCMD_OK);
    gpucmd_nvgpu_rm_init(&rm, &g, objects, 3); /* rm.warn is NULL */
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, 0, 0x80, NULL, 0, &device), GPUCMD_OK);
    /* an engine class needs a channel as its parent */
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, 0, 0xc7c0, NULL, 0, &handle), GPUCMD_ORDER);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, device, 0xc7b5, NULL, 0, &handle), GPUCMD_ORDER);
    EQUAL(handle, 0);
    /* a class and a control that no row knows */
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, device, 0x1234, NULL, 0, &handle), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_rm_control(&rm, device, 0x1234, NULL, 0), GPUCMD_OK);
    /* 0 is no object */
    EQUAL(gpucmd_nvgpu_rm_control(&rm, 0, 0x1234, NULL, 0), GPUCMD_ORDER);
    EQUAL(gpucmd_nvgpu_rm_free(&rm, 0), GPUCMD_ORDER);
    EQUAL(gpucmd_nvgpu_rm_add_buffer(&rm, no_buffer, &handle), GPUCMD_OK);
    const uint32_t last = handle;
    EQUAL(gpucmd_nvgpu_rm_add_buffer(&rm, no_buffer, &handle), GPUCMD_FULL);
    EQUAL(handle, last);
    gpucmd_nvgpu_rm_close(&rm);
    gpucmd_nvgpu_close(&g);
    EQUAL(nvgpu_alive(), 0);
}

/* Make a channel with 1024 entries at an offset of the area. */
static gpucmd_status rm_channel(gpucmd_nvgpu_rm *rm, uint32_t parent, const gpucmd_nvgpu_buffer *b,
                                uint32_t area, uint32_t off_bytes, uint32_t *handle)
{
    uint32_t params[92] = {0};
    const uint64_t at = b->va + off_bytes, userd = off_bytes + 0x2000;
    params[1] = area; /* hObjectBuffer; gpFifoOffset, gpFifoEntries; hUserdMemory, userdOffset */
    memcpy(&params[2], &at, sizeof at);
    params[4] = 1024;
    params[8] = area;
    memcpy(&params[16], &userd, sizeof userd);
    return gpucmd_nvgpu_rm_alloc(rm, parent, 0xc76f, params, sizeof params, handle);
}

/* The objects of a channel end with it, but not another channel, whose parent it is. */
static void channel_of_a_channel(void)
{
    static gpucmd_nvgpu_rm_object objects[8];
    uint32_t device, space, group, share, area, first, second, compute;
    gpucmd_nvgpu_buffer_req req;
    gpucmd_nvgpu_buffer b;
    gpucmd_nvgpu_rm rm;
    nvgpu_setup();
    EQUAL(gpucmd_nvgpu_open(&g, &sys), GPUCMD_OK);
    gpucmd_nvgpu_rm_init(&rm, &g, objects, 8);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, 0, 0x80, NULL, 0, &device), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, device, 0x70, NULL, 0, &space), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, device, 0xa06c, NULL, 0, &group), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, group, 0x9067, NULL, 0, &share), GPUCMD_OK);
    gpucmd_nvgpu_buffer_req_init(&req, 0x10000, false);
    EQUAL(gpucmd_nvgpu_buffer_alloc(&g, &req, &b), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_rm_add_buffer(&rm, &b, &area), GPUCMD_OK);
    EQUAL(rm_channel(&rm, group, &b, area, 0, &first), GPUCMD_OK);
    EQUAL(rm_channel(&rm, first, &b, area, 0x3000, &second), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, first, 0xc7c0, NULL, 0, &compute), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_rm_free(&rm, first), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_rm_free(&rm, compute), GPUCMD_ORDER); /* gone */
    EQUAL(gpucmd_nvgpu_rm_free(&rm, space), GPUCMD_ORDER);   /* the second channel uses it */
    EQUAL(gpucmd_nvgpu_rm_free(&rm, second), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_rm_free(&rm, area), GPUCMD_OK);
    gpucmd_nvgpu_buffer_free(&g, &b);
    EQUAL(gpucmd_nvgpu_rm_free(&rm, space), GPUCMD_OK);
    gpucmd_nvgpu_rm_close(&rm);
    gpucmd_nvgpu_close(&g);
    EQUAL(nvgpu_alive(), 0);
}

/* ---- tables ---- */

/* A table without rows needs no address, and each call that needs a row of it fails. */
static void no_rows(void)
{
    static uint8_t room[2 * PAGE];
    static gpucmd_region region;
    gpucmd_nvgpu_kernel_counts counts;
    gpucmd_nvgpu_kernel k;
    gpucmd_sys_ops ops;
    memset(&k, 0, sizeof k);
    k.regions = &region;
    k.ram = room + (PAGE - (uintptr_t)room % PAGE) % PAGE;
    k.ram_bytes = PAGE;
    EQUAL(gpucmd_nvgpu_kernel_init(&k), GPUCMD_OK);
    gpucmd_nvgpu_kernel_sys(&k, &ops);
    EQUAL(ops.sys_open(ops.user, "/dev/nvmap", 2), -24);
    EQUAL(k.table, GPUCMD_NVGPU_TABLE_FILES);
    EQUAL(ops.sys_close(ops.user, 3), -9);
    EQUAL(ops.sys_munmap(ops.user, (void *)(uintptr_t)4096, 4096), 0);
    EQUAL(gpucmd_nvgpu_kernel_run(&k, 100), GPUCMD_RUN_IDLE);
    gpucmd_nvgpu_kernel_count(&k, &counts);
    EQUAL(counts.files | counts.buffers | counts.vmas | counts.channels, 0);
}

/* A GPU has 512 channels, however many rows there are; the first is number 511, the last 0. */
static void channels_of_a_gpu(void)
{
    static gpucmd_nvgpu_kernel_file files[520];
    static gpucmd_nvgpu_kernel_channel channels[513];
    struct gpucmd_nvgpu_gpu_open_channel_args a;
    nvgpu_setup();
    m.files = files;
    m.fd_count = 520;
    m.channels = channels;
    m.channel_count = 513;
    EQUAL(gpucmd_nvgpu_kernel_init(&m), GPUCMD_OK);
    const int ctrl = sys.sys_open(sys.user, "/dev/nvgpu/igpu0/ctrl", 2);
    for (int i = 0; i < 512; i++) {
        a.in.runlist_id = -1;
        EQUAL(io(ctrl, 0xc004470b, &a), 0);
    }
    EQUAL(channels[0].number, 511);
    EQUAL(channels[511].number, 0);
    a.in.runlist_id = -1;
    EQUAL(io(ctrl, 0xc004470b, &a), -12);
    EQUAL(m.table, GPUCMD_NVGPU_TABLE_CHANNELS);
    EQUAL(m.finding.rule, GPUCMD_NVGPU_RULE_TABLE);
    CHECK(!channels[512].used);
    EQUAL(sys.sys_close(sys.user, 5), 0); /* one of them */
    EQUAL(io(ctrl, 0xc004470b, &a), 0);
}

/* ---- address spaces ---- */

static int dmabuf(uint32_t bytes)
{
    struct gpucmd_nvmap_create_handle c;
    struct gpucmd_nvmap_alloc_handle a;
    memset(&c, 0, sizeof c);
    memset(&a, 0, sizeof a);
    c.size = bytes;
    EQUAL(io(g.nvmap_fd, 0xc0084e00, &c), 0);
    a.handle = c.handle;
    a.heap_mask = 0x40000000;
    EQUAL(io(g.nvmap_fd, 0x40144e03, &a), 0);
    EQUAL(io(g.nvmap_fd, 0xc0084e0f, &c), 0);
    return c.fd;
}

static int space(uint64_t start, uint64_t end)
{
    struct gpucmd_nvgpu_alloc_as_args a;
    memset(&a, 0, sizeof a);
    a.va_range_start = start;
    a.va_range_end = end;
    EQUAL(io(g.ctrl_fd, 0xc0404708, &a), 0);
    return a.as_fd;
}

static int reserve(int as, uint64_t va)
{
    struct gpucmd_nvgpu_as_alloc_space_args a;
    memset(&a, 0, sizeof a);
    a.pages = 4;
    a.page_size = 4096;
    a.flags = 1;
    a.o_a.offset = va;
    return io(as, 0xc0204106, &a);
}

/* MAP_BUFFER_EX; with an address FIXED_OFFSET. Write the address to *va. */
static int map_gpu(int as, int fd, uint64_t *va)
{
    struct gpucmd_nvgpu_as_map_buffer_ex_args a;
    memset(&a, 0, sizeof a);
    a.flags = *va != 0;
    a.compr_kind = -1;
    a.dmabuf_fd = (uint32_t)fd;
    a.offset = *va;
    const int result = io(as, 0xc0284107, &a);
    *va = a.offset;
    return result;
}

static uint32_t mappings(void)
{
    gpucmd_nvgpu_kernel_counts c;
    gpucmd_nvgpu_kernel_count(&m, &c);
    return c.mappings;
}

static void free_at(int as, uint64_t va)
{
    struct gpucmd_nvgpu_as_free_space_args a;
    memset(&a, 0, sizeof a);
    a.offset = va;
    EQUAL(io(as, 0xc0204103, &a), 0);
}

static void reservations(void)
{
    struct gpucmd_nvgpu_as_unmap_buffer_args u = {0};
    uint64_t low = 0x400000, high = 0x600000, free_va = 0, other = 0, inside;
    nvgpu_setup();
    EQUAL(gpucmd_nvgpu_open(&g, &sys), GPUCMD_OK);
    const int as = space(0x200000, 0x800000), fd = dmabuf(0x2000), second = dmabuf(0x2000);
    /* without a reservation: an address of another mapping is no place for FIXED_OFFSET */
    EQUAL(map_gpu(as, fd, &free_va), 0);
    inside = free_va;
    EQUAL(map_gpu(as, second, &inside), -22);
    EQUAL(m.finding.rule, GPUCMD_NVGPU_RULE_MAP_RESERVED);
    /* FREE_SPACE ends the mappings of its reservation, not those of a later one */
    EQUAL(reserve(as, 0x400000), 0);
    EQUAL(reserve(as, 0x600000), 0);
    EQUAL(map_gpu(as, fd, &low), 0);
    EQUAL(map_gpu(as, fd, &high), 0);
    EQUAL(mappings(), 3);
    free_at(as, 0x401000);
    EQUAL(mappings(), 2);
    EQUAL(map_gpu(as, second, &low), -22); /* the reservation is gone */
    EQUAL(map_gpu(as, second, &high), -22);
    EQUAL(m.finding.rule, GPUCMD_NVGPU_RULE_MAP_BUSY);
    /* UNMAP_BUFFER ignores addresses at which no mapping begins */
    u.offset = 0x7ff000;
    EQUAL(io(as, 0xc0084105, &u), 0);
    u.offset = free_va + 0x1000;
    EQUAL(io(as, 0xc0084105, &u), 0);
    u.offset = 0x602000; /* in the reservation, after its mapping */
    EQUAL(io(as, 0xc0084105, &u), 0);
    EQUAL(mappings(), 2);
    u.offset = 0x600000;
    EQUAL(io(as, 0xc0084105, &u), 0);
    EQUAL(mappings(), 1);
    /* 24 ranges: then neither a reservation nor a mapping is made */
    for (uint64_t va = 0x300000; m.maps.count < 24; va += 0x4000) {
        EQUAL(reserve(as, va), 0);
    }
    EQUAL(reserve(as, 0x700000), -12);
    EQUAL(m.table, GPUCMD_NVGPU_TABLE_RANGES);
    EQUAL(m.finding.rule, GPUCMD_NVGPU_RULE_TABLE);
    EQUAL(map_gpu(as, second, &other), -12);
    EQUAL(m.table, GPUCMD_NVGPU_TABLE_RANGES);
    EQUAL(sys.sys_close(sys.user, as), 0);
    EQUAL(m.maps.count, 0);
    gpucmd_nvgpu_close(&g);
}

/* With identity, a buffer has its CPU address as GPU address, if nothing is there. */
static void identity(void)
{
    uint64_t va = 0, again = 0;
    nvgpu_setup();
    EQUAL(gpucmd_nvgpu_open(&g, &sys), GPUCMD_OK);
    const int as = space(0x200000, 0x1ffff00000000), fd = dmabuf(0x2000);
    m.identity = true;
    EQUAL(map_gpu(as, fd, &va), 0);
    EQUAL(va, (uintptr_t)m.buffers[0].cpu);
    struct gpucmd_nvgpu_as_map_buffer_ex_args a;
    memset(&a, 0, sizeof a);
    a.flags = 4; /* CACHEABLE: a second mapping */
    a.compr_kind = -1;
    a.dmabuf_fd = (uint32_t)fd;
    EQUAL(io(as, 0xc0284107, &a), 0);
    CHECK(a.offset + 0x2000 <= va || a.offset >= va + 0x2000);
    EQUAL(map_gpu(as, fd, &again), 0);
    EQUAL(again, va); /* the first mapping has another user */
    EQUAL(mappings(), 2);
    gpucmd_nvgpu_close(&g);
}

/* ---- buffers, mappings, descriptors ---- */

/* A CPU that can map a buffer at its GPU address. */
static int wanted_mmap(void *user, gpucmd_sys_map *map)
{
    (void)user;
    return map->addr != NULL && (map->flags & 0x100000) != 0 ? 0 : -12;
}

static int any_munmap(void *user, void *addr, size_t len_bytes)
{
    (void)user;
    (void)addr;
    (void)len_bytes;
    return 0;
}

static void one_address(void)
{
    gpucmd_nvgpu_buffer_req req;
    gpucmd_nvgpu_buffer b;
    nvgpu_setup();
    EQUAL(gpucmd_nvgpu_open(&g, &sys), GPUCMD_OK);
    g.end_va = 0x80000000; /* addresses that a 32-bit CPU has, too */
    g.local_va = 0x40000000;
    g.shared_va = 0x50000000;
    g.window_bytes = 0x1000000;
    EQUAL(gpucmd_nvgpu_alloc_as(&g), GPUCMD_OK);
    sys.sys_mmap = wanted_mmap;
    sys.sys_munmap = any_munmap;
    gpucmd_nvgpu_buffer_req_init(&req, 0x1000, false);
    EQUAL(gpucmd_nvgpu_buffer_alloc(&g, &req, &b), GPUCMD_OK);
    EQUAL((uintptr_t)b.cpu, b.va);
    gpucmd_nvgpu_buffer_free(&g, &b);
    gpucmd_nvgpu_close(&g);
    EQUAL(nvgpu_alive(), 0);
}

static void *cpu_at;

static int cpu_map(void *at, size_t len, uint32_t flags, int fd, uint64_t off)
{
    gpucmd_sys_map map = {at, len, 3, flags, fd, off};
    const int result = sys.sys_mmap(sys.user, &map);
    cpu_at = map.addr;
    return result;
}

static uint64_t cpu_bytes(void)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < m.vma_count; i++) {
        bytes += m.vmas[i].kind != GPUCMD_NVGPU_KERNEL_NONE ? m.vmas[i].bytes : 0;
    }
    return bytes;
}

/* Parts of mappings; MAP_FIXED that the model kernel, with one address for a page, cannot do. */
static void overlays(void)
{
    const uint32_t fixed = 0x11;
    nvgpu_setup();
    EQUAL(gpucmd_nvgpu_open(&g, &sys), GPUCMD_OK);
    const int area = dmabuf(0x10000), ring = dmabuf(0x2000);
    EQUAL(cpu_map(NULL, 0x10000, 1, area, 0), 0);
    uint8_t *const base = (uint8_t *)cpu_at;
    EQUAL(sys.sys_munmap(sys.user, base + 0xe000, 0x2000), 0); /* the end */
    EQUAL(cpu_bytes(), 0xe000);
    EQUAL(m.vmas[0].at, (uintptr_t)base);
    EQUAL(sys.sys_munmap(sys.user, base, 0x1000), 0); /* the start */
    EQUAL(cpu_bytes(), 0xd000);
    EQUAL(m.vmas[0].at, (uintptr_t)base + 0x1000);
    /* a buffer over itself at another offset */
    EQUAL(cpu_map(base + 0x1000, 0x1000, fixed, area, 0x4000), -12);
    EQUAL(m.finding.rule, GPUCMD_NVGPU_RULE_MMAP_MOVE);
    EQUAL(cpu_bytes(), 0xc000);
    /* the doorbell page over a buffer */
    EQUAL(cpu_map(base + 0x2000, 0x1000, fixed, g.ctrl_fd, 0), -12);
    EQUAL(m.finding.rule, GPUCMD_NVGPU_RULE_MMAP_MOVE);
    /* a buffer that is over another one, once more */
    memset(base + 0x4000, 0x11, 0x4000);
    EQUAL(cpu_map(base + 0x4000, 0x2000, fixed, ring, 0), 0);
    base[0x4000] = 0x22;
    EQUAL(cpu_map(base + 0x6000, 0x2000, fixed, ring, 0), -12);
    EQUAL(m.finding.rule, GPUCMD_NVGPU_RULE_MMAP_MOVE);
    EQUAL(base[0x4000], 0x22);
    EQUAL(sys.sys_munmap(sys.user, base, 0x10000), 0);
    EQUAL(cpu_bytes(), 0);
    EQUAL(m.buffers[1].own[0], 0x22);
    EQUAL(m.buffers[0].own[0x4000], 0x11);
    EQUAL(m.buffers[0].own[0x6000], 0x11);
    /* the doorbell page is unmapped as a whole; a buffer cannot replace a part of it */
    EQUAL(cpu_map(NULL, 0x10000, 1, g.ctrl_fd, 0), 0);
    uint8_t *const bell = (uint8_t *)cpu_at;
    EQUAL(cpu_map(bell + 0x1000, 0x1000, fixed, area, 0), -12);
    EQUAL(m.finding.rule, GPUCMD_NVGPU_RULE_MMAP_MOVE);
    EQUAL(cpu_bytes(), 0);
    EQUAL(cpu_map(NULL, 0x10000, 1, g.ctrl_fd, 0), 0);
    EQUAL(sys.sys_munmap(sys.user, (uint8_t *)cpu_at + 0x3000, 0x1000), 0);
    EQUAL(cpu_bytes(), 0);
    gpucmd_nvgpu_close(&g);
    EQUAL(sys.sys_close(sys.user, area), 0);
    EQUAL(sys.sys_close(sys.user, ring), 0);
    EQUAL(nvgpu_alive(), 0);
}

/* Calls of the host, which map memory of the model kernel. */
static gpucmd_sys_map host_map;
static void *host_gone;
static size_t host_gone_bytes;
static int host_error;

static int host_mmap(void *user, gpucmd_sys_map *map)
{
    (void)user;
    if ((map->flags & 0x10) == 0) {
        map->addr = (void *)(uintptr_t)(0x70000000 + map->off_bytes);
    }
    host_map = *map;
    return host_error;
}

static int host_munmap(void *user, void *addr, size_t len_bytes)
{
    (void)user;
    host_gone = addr;
    host_gone_bytes = len_bytes;
    return 0;
}

/* With a host, a page has as many addresses as the process maps. */
static void hosted(void)
{
    gpucmd_sys_ops host;
    nvgpu_setup();
    memset(&host, 0, sizeof host);
    host.sys_mmap = host_mmap;
    host.sys_munmap = host_munmap;
    m.host = &host;
    m.ram_fd = 77;
    EQUAL(gpucmd_nvgpu_open(&g, &sys), GPUCMD_OK);
    const int area = dmabuf(0x4000), ring = dmabuf(0x2000);
    const uint64_t area_at = (uint64_t)(m.buffers[0].own - m.ram);
    const uint64_t ring_at = (uint64_t)(m.buffers[1].own - m.ram);
    EQUAL(cpu_map(NULL, 0x3000, 0x8001, area, 0x1000), 0); /* MAP_POPULATE stays behind */
    EQUAL(host_map.flags, 1);
    EQUAL(host_map.fd, 77);
    EQUAL(host_map.off_bytes, area_at + 0x1000);
    EQUAL(host_map.len_bytes, 0x3000);
    EQUAL((uintptr_t)cpu_at, 0x70000000 + area_at + 0x1000);
    uint8_t *const base = (uint8_t *)cpu_at;
    EQUAL(cpu_map(base + 0x1000, 0x2000, 0x11, ring, 0), 0); /* over the last two pages */
    CHECK(host_gone == (void *)(base + 0x1000));
    EQUAL(host_gone_bytes, 0x2000);
    EQUAL(host_map.flags, 0x11);
    EQUAL(host_map.off_bytes, ring_at);
    EQUAL(m.buffers[1].moved_onto, 0);
    EQUAL(cpu_bytes(), 0x3000);
    host_error = -13;
    EQUAL(cpu_map(NULL, 0x1000, 1, ring, 0), -13);
    EQUAL(m.finding.rule, GPUCMD_NVGPU_RULE_NONE); /* no rule of the model kernel */
    host_error = 0;
    EQUAL(sys.sys_munmap(sys.user, base, 0x3000), 0);
    EQUAL(cpu_bytes(), 0);
    EQUAL(cpu_map(NULL, 0x10000, 1, g.ctrl_fd, 0), 0);
    void *const bell = cpu_at;
    EQUAL(sys.sys_munmap(sys.user, (uint8_t *)bell + 0x8000, 0x1000), 0);
    CHECK(host_gone == bell);
    EQUAL(host_gone_bytes, 0x10000);
    EQUAL(cpu_bytes(), 0);
    gpucmd_nvgpu_close(&g);
    EQUAL(sys.sys_close(sys.user, area), 0);
    EQUAL(sys.sys_close(sys.user, ring), 0);
    EQUAL(nvgpu_alive(), 0);
}

/* ---- channels ---- */

static uint32_t methods[3]; /* of the channels of mark */

static gpucmd_status on_method(void *user, const gpucmd_event *e)
{
    (void)user;
    if (e->kind == GPUCMD_EVENT_METHODS && e->data[0] < 3) {
        methods[e->data[0]]++;
    }
    return GPUCMD_OK;
}

static void ring_bell(void *page, uint32_t token)
{
    gpucmd_store32((uint8_t *)page + 0x90, token, GPUCMD_LITTLE_ENDIAN);
}

/* The doorbell page keeps one token: after any store, each channel with entries to execute runs.
 * Without exec the PBDMA passes all methods to the caller's event. */
static void doorbells(void)
{
    gpucmd_nvgpu_buffer_req breq;
    gpucmd_nvgpu_channel_req creq;
    gpucmd_nvgpu_buffer b, area;
    gpucmd_nvgpu_channel c[3];
    gpucmd_nv_gpfifo q[3];
    gpucmd_mmio mmio;
    struct gpucmd_nvgpu_gpu_open_channel_args idle;
    nvgpu_setup();
    memset(methods, 0, sizeof methods);
    EQUAL(gpucmd_nvgpu_start(&g, &sys), GPUCMD_OK);
    m.exec = NULL;
    m.event = on_method;
    gpucmd_nvgpu_kernel_mmio(&m, &mmio);
    gpucmd_nvgpu_buffer_req_init(&breq, 0x1000, false);
    EQUAL(gpucmd_nvgpu_buffer_alloc(&g, &breq, &b), GPUCMD_OK);
    gpucmd_nvgpu_buffer_req_init(&breq, 0x10000, false);
    EQUAL(gpucmd_nvgpu_buffer_alloc(&g, &breq, &area), GPUCMD_OK);
    gpucmd_nvgpu_channel_req_init(&creq);
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t dw[2] = {0x20010040, i}; /* method 0x100, which names the channel */
        creq.area = i == 0 ? &area : NULL;      /* the ring of the first is over pages of area */
        creq.userd_off_bytes = 0x2000;
        EQUAL(gpucmd_nvgpu_channel_open(&g, &creq, &c[i]), GPUCMD_OK);
        gpucmd_nvgpu_gpfifo_init(&q[i], &c[i], NULL, NULL);
        gpucmd_store_words((uint8_t *)b.cpu + 8 * i, dw, 2, GPUCMD_LITTLE_ENDIAN);
    }
    idle.in.runlist_id = -1;
    EQUAL(io(g.ctrl_fd, 0xc004470b, &idle), 0); /* number 508: never set up */
    const int second = sys.sys_open(sys.user, "/dev/nvgpu/igpu0/ctrl", 2);
    EQUAL(cpu_map(NULL, 0x10000, 1, second, 0), 0);
    void *const other_bell = cpu_at;
    EQUAL(gpucmd_nvgpu_submit(&q[0], b.va, 2, 0), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_submit(&q[1], b.va + 8, 2, 0), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_kernel_run(&m, 100), GPUCMD_RUN_IDLE); /* nothing was written */
    EQUAL(methods[0] | methods[1] | methods[2], 0);
    ring_bell(g.usermode, c[0].token);
    ring_bell(other_bell, 508);
    EQUAL(gpucmd_nvgpu_kernel_run(&m, 100), GPUCMD_RUN_IDLE);
    EQUAL(methods[0], 1);
    EQUAL(methods[1], 1); /* its token was lost, its GP_PUT was not */
    EQUAL(methods[2], 0);
    EQUAL(gpucmd_load32((uint8_t *)c[0].userd_cpu + 0x88, GPUCMD_LITTLE_ENDIAN), 1);
    EQUAL(gpucmd_load32((uint8_t *)c[1].userd_cpu + 0x88, GPUCMD_LITTLE_ENDIAN), 1);
    EQUAL(gpucmd_nvgpu_submit(&q[2], b.va + 16, 2, 0), GPUCMD_OK);
    mmio.write32(mmio.user, 0x90, 508);
    mmio.write32(mmio.user, 0x94, c[2].token); /* no doorbell */
    EQUAL(gpucmd_nvgpu_kernel_run(&m, 100), GPUCMD_RUN_IDLE);
    EQUAL(methods[2], 0);
    mmio.write32(mmio.user, 0x90, c[2].token);
    EQUAL(gpucmd_nvgpu_kernel_run(&m, 100), GPUCMD_RUN_IDLE);
    EQUAL(methods[2], 1);
    /* UNMAP_BUFFER leaves the ring, which the kernel mapped */
    struct gpucmd_nvgpu_as_unmap_buffer_args u = {m.channels[2].ring_va};
    CHECK(u.offset >= 0xff00000000);
    const uint32_t before = mappings();
    EQUAL(io(g.as_fd, 0xc0084105, &u), 0);
    EQUAL(mappings(), before);
    /* the area has no CPU mapping any more: nothing is mapped there again */
    EQUAL(sys.sys_munmap(sys.user, area.cpu, 0x10000), 0);
    area.cpu = NULL;
    gpucmd_nvgpu_channel_close(&g, &c[0]);
    EQUAL(cpu_bytes(), 0x1000 + 2 * 0x3000 + 0x20000); /* b, rings and USERDs, two doorbell pages */
    gpucmd_nvgpu_channel_close(&g, &c[1]);
    gpucmd_nvgpu_channel_close(&g, &c[2]);
    EQUAL(mappings(), 2);
    EQUAL(sys.sys_munmap(sys.user, other_bell, 0x10000), 0);
    EQUAL(sys.sys_close(sys.user, second), 0);
    EQUAL(sys.sys_close(sys.user, idle.out.channel_fd), 0);
    gpucmd_nvgpu_buffer_free(&g, &b);
    gpucmd_nvgpu_buffer_free(&g, &area);
    gpucmd_nvgpu_close(&g);
    EQUAL(nvgpu_alive(), 0);
}

static void buffers(void)
{
    gpucmd_nvgpu_buffer_req req;
    gpucmd_nvgpu_buffer b;
    nvgpu_setup();
    EQUAL(gpucmd_nvgpu_open(&g, &sys), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_alloc_as(&g), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_create_subcontext(&g), GPUCMD_ORDER); /* no group */
    gpucmd_nvgpu_buffer_req_init(&req, 0x1000, false);
    req.map_cpu = false;
    EQUAL(gpucmd_nvgpu_buffer_alloc(&g, &req, &b), GPUCMD_OK);
    CHECK(b.cpu == NULL && b.va != 0);
    gpucmd_nvgpu_buffer_free(&g, &b);
    EQUAL(sys.sys_munmap(sys.user, (void *)(uintptr_t)(~(uintptr_t)0 - 4095), 8192), -22);
    EQUAL(sys.sys_munmap(sys.user, (void *)(uintptr_t)4096, 0), -22);
    gpucmd_nvgpu_close(&g);
    EQUAL(nvgpu_alive(), 0);
    /* no free descriptor: EMFILE */
    m.fd_count = 1;
    EQUAL(sys.sys_open(sys.user, "/dev/nvmap", 2), -24);
}

int main(void)
{
    clock_files();
    clock_writes();
    rm_objects();
    channel_of_a_channel();
    no_rows();
    channels_of_a_gpu();
    reservations();
    identity();
    one_address();
    overlays();
    hosted();
    doorbells();
    buffers();
    return test_report("nv/nvgpu_edges");
}

/* nv/nvgpu_members.c - the rule that an ioctl, open or mmap breaks, the member, its value and its limit. For each rule a call that breaks it and the nearest right one. The errnos are those of the
 * drivers; the texts say what their checks compare. */
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"
#include "test.h"

static gpucmd_nvgpu_kernel k;
static gpucmd_nvgpu_kernel_store store;
static uint64_t pages_qw[(1u << 20) / 8 + 512];
static gpucmd_sys_ops ops;
static int ctrl, nvmap, as, buffer;

static int call(int fd, uint32_t number, void *arg)
{
    return ops.sys_ioctl(ops.user, fd, number, arg);
}

/* A buffer of 0x8000 bytes, an address space, and a reservation of 16 pages at 0x20000000. */
static void boot(void)
{
    uint8_t *pages = (uint8_t *)pages_qw;
    pages += (4096 - ((uintptr_t)pages & 4095)) % 4096;
    struct gpucmd_nvmap_create_handle c;
    struct gpucmd_nvmap_alloc_handle m;
    struct gpucmd_nvgpu_alloc_as_args s;
    struct gpucmd_nvgpu_as_alloc_space_args r;
    CHECK(gpucmd_nvgpu_kernel_init_store(&k, &store, pages, 1u << 20) == GPUCMD_OK);
    gpucmd_nvgpu_kernel_sys(&k, &ops);
    nvmap = ops.sys_open(ops.user, "/dev/nvmap", 2);
    ctrl = ops.sys_open(ops.user, "/dev/nvgpu/igpu0/ctrl", 2);
    memset(&c, 0, sizeof c);
    c.size = 0x8000;
    EQUAL(call(nvmap, GPUCMD_NVMAP_IOC_CREATE, &c), 0);
    memset(&m, 0, sizeof m);
    m.handle = c.handle;
    m.heap_mask = GPUCMD_NVMAP_HEAP_IOVMM;
    EQUAL(call(nvmap, GPUCMD_NVMAP_IOC_ALLOC, &m), 0);
    EQUAL(call(nvmap, GPUCMD_NVMAP_IOC_GET_FD, &c), 0);
    buffer = c.fd;
    memset(&s, 0, sizeof s);
    s.va_range_start = 0x4000000;
    s.va_range_end = 0x8000000000;
    EQUAL(call(ctrl, GPUCMD_NVGPU_GPU_IOCTL_ALLOC_AS, &s), 0);
    as = s.as_fd;
    memset(&r, 0, sizeof r);
    r.pages = 16;
    r.page_size = 4096;
    r.flags = GPUCMD_NVGPU_AS_ALLOC_SPACE_FIXED_OFFSET;
    r.o_a.offset = 0x20000000;
    EQUAL(call(as, GPUCMD_NVGPU_AS_IOCTL_ALLOC_SPACE, &r), 0);
    /* first descriptors: nvmap 3, ctrl 4, buffer 5, space 6 */
    EQUAL(nvmap, 3);
    EQUAL(ctrl, 4);
    EQUAL(buffer, 5);
    EQUAL(as, 6);
}

/* Expect this errno, and in k.finding the rule, value and limit. text: of the finding, from the
 * descriptor to the end, and of k.why what follows the name of the errno. */
static void says(int result, int err, gpucmd_nvgpu_rule rule, uint64_t value, uint64_t limit,
                 const char *text, int line)
{
    char buf[200], want[256];
    gpucmd_text t;
    test_equal((uint64_t)-result, (uint64_t)err, __FILE__, line, "errno");
    test_equal((uint64_t)k.finding.rule, (uint64_t)rule, __FILE__, line, "rule");
    test_equal(k.finding.value, value, __FILE__, line, "value");
    test_equal(k.finding.limit, limit, __FILE__, line, "limit");
    gpucmd_text_init(&t, buf, sizeof buf);
    gpucmd_nvgpu_print_finding(&t, &k.finding);
    test_equal(gpucmd_text_finish(&t), GPUCMD_OK, __FILE__, line, "finish");
    const char *const colon = strchr(text, ':');
    snprintf(want, sizeof want, "%.*s: error: %s%s (%s)", (int)(colon - text), text,
             gpucmd_nvgpu_rule_name(rule), colon, gpucmd_sys_error_name(err));
    if (!test_check(strcmp(buf, want) == 0, __FILE__, line, want)) {
        printf("    %s\n", buf);
    }
    test_equal(k.why.kind, GPUCMD_WHY_REFUSED, __FILE__, line, "kind");
    test_equal(k.why.value, value, __FILE__, line, "value of why");
    test_equal(k.why.va, limit, __FILE__, line, "limit of why");
    test_check(strcmp(k.why.name, gpucmd_sys_error_name(err)) == 0, __FILE__, line, "name of why");
    test_check(strcmp(k.why.text, colon + 2) == 0, __FILE__, line, "text of why");
}

#define SAYS(result, err, rule, value, limit, text)                                                \
    says(result, err, GPUCMD_NVGPU_RULE_##rule, value, limit, text, __LINE__)

/* Expect success, and no finding. */
#define TAKES(result)                                                                              \
    (EQUAL(result, 0), EQUAL(k.finding.rule, GPUCMD_NVGPU_RULE_NONE),                              \
     EQUAL(k.why.kind, GPUCMD_WHY_IDLE))

/* What every ioctl checks first. */
static void calls(void)
{
    struct gpucmd_nvgpu_gpu_l2_fb_args l2 = {
        1,
        {0, 0, 0, 0}
    };
    struct gpucmd_nvmap_create_handle c;
    char text[100];
    boot();
    SAYS(call(77, GPUCMD_NVGPU_GPU_IOCTL_FLUSH_L2, &l2), 9, CALL_FD, 77, 0,
         "descriptor 77: descriptor 77 is not open");
    snprintf(text, sizeof text, "space 6: request 0x%x has a letter, number or size without ioctl",
             (unsigned)GPUCMD_NVGPU_GPU_IOCTL_FLUSH_L2);
    SAYS(call(as, GPUCMD_NVGPU_GPU_IOCTL_FLUSH_L2, &l2), 22, CALL_RANGE,
         GPUCMD_NVGPU_GPU_IOCTL_FLUSH_L2, 0, text);
    snprintf(text, sizeof text, "nvmap 3: request 0x%x is no ioctl of this descriptor",
             (unsigned)GPUCMD_NVGPU_GPU_IOCTL_FLUSH_L2);
    SAYS(call(nvmap, GPUCMD_NVGPU_GPU_IOCTL_FLUSH_L2, &l2), 25, CALL_UNKNOWN,
         GPUCMD_NVGPU_GPU_IOCTL_FLUSH_L2, 0, text);
    snprintf(text, sizeof text, "buffer 5: request 0x%x is no ioctl of this descriptor",
             (unsigned)GPUCMD_NVMAP_IOC_CREATE);
    SAYS(call(buffer, GPUCMD_NVMAP_IOC_CREATE, &c), 25, CALL_UNKNOWN, GPUCMD_NVMAP_IOC_CREATE, 0,
         text);
    SAYS(call(ctrl, 0x80044701, &l2), 38, CALL_ABSENT, 0x80044701, 0,
         "ctrl 4: request 0x80044701 is an ioctl that the model kernel lacks");
    TAKES(call(ctrl, GPUCMD_NVGPU_GPU_IOCTL_FLUSH_L2, &l2));

    gpucmd_mem mem;
    gpucmd_region region;
    struct {
        struct gpucmd_nvmap_create_handle c;
    } far = {{{{{4096}, 0}}}};
    memset(&region, 0, sizeof region);
    region.va = 0x5000;
    region.bytes = 8;
    region.host = &far;
    region.access_mask = GPUCMD_ACCESS_READ | (uint32_t)GPUCMD_ACCESS_WRITE;
    EQUAL(gpucmd_mem_init(&mem, &region, 1), GPUCMD_OK);
    k.process = &mem;
    SAYS(call(nvmap, GPUCMD_NVMAP_IOC_CREATE, (void *)(uintptr_t)0x5001), 14, ARGUMENT_READ, 0x5001,
         0, "nvmap 3: 0x8 bytes at 0x5001 cannot be read");
    TAKES(call(nvmap, GPUCMD_NVMAP_IOC_CREATE, (void *)(uintptr_t)0x5000));
    k.fail_copy_out = true;
    far.c.size = 4096;
    SAYS(call(nvmap, GPUCMD_NVMAP_IOC_CREATE, (void *)(uintptr_t)0x5000), 14, ARGUMENT_WRITE,
         0x5000, 0, "nvmap 3: 0x8 bytes at 0x5000 cannot be written");
    k.process = NULL;
    /* a call that is let fail, and a table that is full */
    k.fail_at = 1;
    EQUAL(call(ctrl, GPUCMD_NVGPU_GPU_IOCTL_FLUSH_L2, &l2), -12);
    EQUAL(k.finding.rule, GPUCMD_NVGPU_RULE_NONE);
    EQUAL(k.why.kind, GPUCMD_WHY_IDLE);
    memset(&c, 0, sizeof c);
    c.size = 4096;
    int result = 0;
    for (int i = 0; i < 60 && result == 0; i++) {
        c.size = 4096;
        result = call(nvmap, GPUCMD_NVMAP_IOC_CREATE, &c);
    }
    SAYS(result, 12, TABLE, 0, 0, "nvmap 3: table BUFFERS of the model kernel is full");
    struct gpucmd_nvgpu_gpu_open_tsg_args g;
    memset(&g, 0, sizeof g);
    c.handle = 0x7fffffff; /* the first handle of a process */
    for (result = 0; result == 0;) {
        c.handle = 0x7fffffff;
        result = call(nvmap, GPUCMD_NVMAP_IOC_GET_FD, &c);
    }
    SAYS(result, 14, TABLE_GET_FD, 0, 0, "nvmap 3: table FILES of the model kernel is full");
    SAYS(call(ctrl, GPUCMD_NVGPU_GPU_IOCTL_OPEN_TSG, &g), 24, TABLE_FILES, 0, 0,
         "ctrl 4: table FILES of the model kernel is full");
}

static int map(uint32_t flags, uint64_t offset, uint64_t buffer_offset, uint64_t bytes, int fd)
{
    struct gpucmd_nvgpu_as_map_buffer_ex_args a;
    memset(&a, 0, sizeof a);
    a.flags = flags;
    a.compr_kind = -1;
    a.dmabuf_fd = (uint32_t)fd;
    a.offset = offset;
    a.buffer_offset = buffer_offset;
    a.mapping_size = bytes;
    return call(as, GPUCMD_NVGPU_AS_IOCTL_MAP_BUFFER_EX, &a);
}

/* Map the buffer with this kind. */
static int map_kind(int kind)
{
    struct gpucmd_nvgpu_as_map_buffer_ex_args a;
    memset(&a, 0, sizeof a);
    a.compr_kind = -1;
    a.incompr_kind = (int16_t)kind;
    a.dmabuf_fd = (uint32_t)buffer;
    return call(as, GPUCMD_NVGPU_AS_IOCTL_MAP_BUFFER_EX, &a);
}

/* Make a buffer, with memory if asked for. Return its dma-buf. */
static int make_buffer(uint32_t bytes, bool memory)
{
    struct gpucmd_nvmap_create_handle c;
    struct gpucmd_nvmap_alloc_handle m;
    memset(&c, 0, sizeof c);
    c.size = bytes;
    EQUAL(call(nvmap, GPUCMD_NVMAP_IOC_CREATE, &c), 0);
    memset(&m, 0, sizeof m);
    m.handle = c.handle;
    m.heap_mask = GPUCMD_NVMAP_HEAP_IOVMM;
    if (memory) {
        EQUAL(call(nvmap, GPUCMD_NVMAP_IOC_ALLOC, &m), 0);
    }
    EQUAL(call(nvmap, GPUCMD_NVMAP_IOC_GET_FD, &c), 0);
    return c.fd;
}

static void maps(void)
{
    const uint32_t fixed = GPUCMD_NVGPU_MAP_FIXED_OFFSET;
    boot();
    TAKES(map(fixed, 0x20000000, 0x4000, 0x4000, buffer)); /* the last bytes of the buffer */
    boot();
    SAYS(map(fixed, 0x20000000, 0x4000, 0x8000, buffer), 22, BUFFER_RANGE, 0x4000, 0x8000,
         "space 6: buffer_offset 0x4000 + 0x8000 exceeds buffer 5 (0x8000)");
    SAYS(map(fixed, 0x20000000, 0x4001, 0x4000, buffer), 22, BUFFER_RANGE, 0x4001, 0x8000,
         "space 6: buffer_offset 0x4001 + 0x4000 exceeds buffer 5 (0x8000)");
    EQUAL(k.finding.bytes, 0x4000);
    EQUAL(k.finding.object, 5);
    CHECK(strcmp(k.finding.member, "buffer_offset") == 0);
    /* 1 byte is a page, and the rest of the buffer is less */
    SAYS(map(fixed, 0x20000000, 0x7001, 1, buffer), 22, BUFFER_RANGE, 0x7001, 0x8000,
         "space 6: buffer_offset 0x7001 + 0x1000 exceeds buffer 5 (0x8000)");
    TAKES(map(fixed, 0x20000000, 0x7000, 1, buffer));
    boot();
    SAYS(map(fixed, 0x20000000, 0, 0x8001, buffer), 22, MAP_SIZE, 0x8001, 0x8000,
         "space 6: mapping_size 0x8001 exceeds buffer 5 (0x8000)");
    TAKES(map(fixed, 0x20000000, 0, 0x8000, buffer));
    boot();
    SAYS(map(0, 0x20000000, 0, 0, buffer), 22, MAP_FIXED, 0x20000000, 0,
         "space 6: offset 0x20000000 is not 0 without flag FIXED_OFFSET");
    SAYS(map(0, 0, 0x1000, 0, buffer), 22, MAP_FIXED, 0x1000, 0,
         "space 6: buffer_offset 0x1000 is not 0 without flag FIXED_OFFSET");
    SAYS(map(0, 0, 0, 1, buffer), 22, MAP_FIXED, 1, 0,
         "space 6: mapping_size 0x1 is not 0 without flag FIXED_OFFSET");
    SAYS(map(0x80000000, 0, 0, 0, buffer), 22, MAP_FLAGS, 0x80000000, 0xee5,
         "space 6: flags 0x80000000 has bits outside 0xee5");
    SAYS(map(0xc00, 0, 0, 0, buffer), 22, MAP_ACCESS, 0xc00, 0xc00,
         "space 6: flags 0xc00 has access 0xc00, which does not exist");
    TAKES(map(0x800, 0, 0, 0, buffer));
    SAYS(map(fixed, 0x20000fff, 0, 0, buffer), 22, MAP_ALIGN, 0x20000fff, 4096,
         "space 6: offset 0x20000fff is not a multiple of 0x1000");
    SAYS(map(fixed, 0x20010000, 0, 0, buffer), 22, MAP_RESERVED, 0x20010000, 0,
         "space 6: offset 0x20010000 is in no reservation");
    SAYS(map(fixed, 0x20009000, 0, 0, buffer), 22, MAP_RESERVED_END, 0x20009000, 0x20010000,
         "space 6: offset 0x20009000 + 0x8000 exceeds its reservation, 0x20000000 to 0x20010000");
    TAKES(map(fixed, 0x20008000, 0, 0, buffer));
    SAYS(map(fixed, 0x20007000, 0x1000, 0x2000, buffer), 22, MAP_BUSY, 0x20007000, 0,
         "space 6: offset 0x20007000 + 0x2000 overlaps another mapping");
    TAKES(map(fixed, 0x20007000, 0x1000, 0x1000, buffer));
    SAYS(map(0, 0, 0, 0, 77), 9, FD_CLOSED, 77, 0,
         "space 6: dmabuf_fd 77 is not an open descriptor");
    SAYS(map(0, 0, 0, 0, ctrl), 22, FD_DMABUF, 4, 0, "space 6: dmabuf_fd 4 is not a dma-buf");
    SAYS(map_kind(256), 12, MAP_KIND, 256, 255, "space 6: incompr_kind 0x100 is not 0 to 0xff");
    SAYS(map_kind(-1), 12, MAP_KIND, 0xffff, 255, "space 6: incompr_kind 0xffff is not 0 to 0xff");
    TAKES(map_kind(255));
    const int empty = make_buffer(4096, false);
    EQUAL(empty, 7);
    SAYS(map(0, 0, 0, 0, empty), 22, FD_EMPTY, 7, 0,
         "space 6: dmabuf_fd 7 is a buffer without memory");
    TAKES(map(0, 0, 0, 0, make_buffer(4096, true)));
}

/* Make an address space. */
static int space(uint64_t start, uint64_t end, uint32_t big, uint64_t split)
{
    struct gpucmd_nvgpu_alloc_as_args s;
    memset(&s, 0, sizeof s);
    s.va_range_start = start;
    s.va_range_end = end;
    s.big_page_size = big;
    s.va_range_split = split;
    const int result = call(ctrl, GPUCMD_NVGPU_GPU_IOCTL_ALLOC_AS, &s);
    if (result == 0) {
        as = s.as_fd;
    }
    return result;
}

static int reserve(uint64_t pages, uint32_t page_size, uint32_t flags, uint64_t offset)
{
    struct gpucmd_nvgpu_as_alloc_space_args r;
    memset(&r, 0, sizeof r);
    r.pages = pages;
    r.page_size = page_size;
    r.flags = flags;
    r.o_a.offset = offset;
    return call(as, GPUCMD_NVGPU_AS_IOCTL_ALLOC_SPACE, &r);
}

static void spaces(void)
{
    const uint32_t fixed = GPUCMD_NVGPU_AS_ALLOC_SPACE_FIXED_OFFSET;
    struct gpucmd_nvgpu_as_get_va_regions_args regions;
    struct gpucmd_nvgpu32_as_alloc_space_args old;
    boot();
    SAYS(reserve(1, 65536, 0, 0), 22, RESERVE_PAGE, 65536, 4096,
         "space 6: page_size 0x10000 is not the page size 0x1000");
    memset(&old, 0, sizeof old);
    old.pages = 1;
    old.page_size = 8192;
    SAYS(call(as, GPUCMD_NVGPU32_AS_IOCTL_ALLOC_SPACE, &old), 22, RESERVE_PAGE, 8192, 4096,
         "space 6: page_size 0x2000 is not the page size 0x1000");
    SAYS(reserve(0, 4096, 0, 0), 12, RESERVE_COUNT, 0, 0x1fffffffff,
         "space 6: pages 0x0 is not 1 to 0x1fffffffff");
    SAYS(reserve(0x2000000000, 4096, 0, 0), 12, RESERVE_COUNT, 0x2000000000, 0x1fffffffff,
         "space 6: pages 0x2000000000 is not 1 to 0x1fffffffff");
    SAYS(reserve(0x1fffffffff, 4096, 0, 0), 12, RESERVE_NO_GAP, 0x1fffffffff, 0,
         "space 6: pages 0x1fffffffff: 0x1fffffffff000 free bytes are nowhere");
    SAYS(reserve(1, 4096, fixed, 0x2000f000), 12, RESERVE_BUSY, 0x2000f000, 0,
         "space 6: offset 0x2000f000 + 0x1000 overlaps addresses in use");
    SAYS(reserve(1, 4096, fixed, 0x7ffffff800), 12, RESERVE_ALIGN, 0x7ffffff800, 4096,
         "space 6: offset 0x7ffffff800 is not a multiple of 0x1000");
    SAYS(reserve(2, 4096, fixed, 0x7ffffff000), 12, RESERVE_RANGE, 0x7ffffff000, 0x8000000000,
         "space 6: offset 0x7ffffff000 + 0x2000 is outside the space, 0x4000000 to 0x8000000000");
    SAYS(reserve(1, 4096, fixed, 0x3fff000), 12, RESERVE_RANGE, 0x3fff000, 0x8000000000,
         "space 6: offset 0x3fff000 + 0x1000 is outside the space, 0x4000000 to 0x8000000000");
    TAKES(reserve(1, 4096, fixed, 0x7ffffff000));
    TAKES(reserve(1, 4096, fixed, 0x4000000));
    TAKES(reserve(1, 4096, fixed, 0x20010000));
    TAKES(reserve(1, 4096, 0, 0));
    SAYS(space(0x4000001, 0x8000000000, 0, 0), 22, SPACE_START, 0x4000001, 0x200000,
         "ctrl 4: va_range_start 0x4000001 is 0 or not a multiple of 0x200000");
    SAYS(space(0, 0x8000000000, 0, 0), 22, SPACE_START, 0, 0x200000,
         "ctrl 4: va_range_start 0x0 is 0 or not a multiple of 0x200000");
    SAYS(space(0x200000, 0x200000, 0, 0), 22, SPACE_END, 0x200000, 0x200000,
         "ctrl 4: va_range_end 0x200000 is not a multiple of 0x200000 after the start 0x200000");
    SAYS(space(0x200000, 0x500000, 0, 0), 22, SPACE_END, 0x500000, 0x200000,
         "ctrl 4: va_range_end 0x500000 is not a multiple of 0x200000 after the start 0x200000");
    SAYS(space(0x200000, 0x1ffff00200000, 0, 0), 12, SPACE_LIMIT, 0x1ffff00200000, 0x1ffff00000000,
         "ctrl 4: va_range_end 0x1ffff00200000 exceeds 0x1ffff00000000");
    SAYS(space(0x200000, 0x400000, 65536, 0), 22, SPACE_PAGES, 65536, 0,
         "ctrl 4: big_page_size 0x10000 is not 0; Orin has no big pages, no split");
    SAYS(
        space(0x4000001, 0x8000000000, 0, 1), 22, SPACE_START, 0x4000001, 0x200000,
        "ctrl 4: va_range_start 0x4000001 is 0 or not a multiple of 0x200000"); /* the first check */
    SAYS(space(0x200000, 0x400000, 0, 1), 22, SPACE_PAGES, 1, 0,
         "ctrl 4: va_range_split 0x1 is not 0; Orin has no big pages, no split");
    TAKES(space(0x200000, 0x1ffff00000000, 0, 0));
    /* a space of 512 pages, and a buffer that does not fit into the rest */
    TAKES(space(0x200000, 0x400000, 0, 0));
    TAKES(reserve(505, 4096, 0, 0));
    SAYS(map(0, 0, 0, 0, buffer), 12, MAP_NO_GAP, 5, 0,
         "space 8: dmabuf_fd 5: the space has no 0x8000 free bytes");
    TAKES(map(0, 0, 0, 0, make_buffer(0x7000, true)));
    /* a process of 16 bytes, the argument; then one that has room for the region, too */
    static uint64_t bytes_qw[5];
    gpucmd_mem mem;
    gpucmd_region region;
    memset(&region, 0, sizeof region);
    region.va = 0x5000;
    region.bytes = 39;
    region.host = bytes_qw;
    region.access_mask = GPUCMD_ACCESS_READ | (uint32_t)GPUCMD_ACCESS_WRITE;
    EQUAL(gpucmd_mem_init(&mem, &region, 1), GPUCMD_OK);
    k.process = &mem;
    memset(&regions, 0, sizeof regions);
    regions.buf_addr = 0x5010;
    regions.buf_size = 24;
    memcpy(bytes_qw, &regions, sizeof regions);
    SAYS(call(as, GPUCMD_NVGPU_AS_IOCTL_GET_VA_REGIONS, (void *)(uintptr_t)0x5000), 14,
         ARGUMENT_WRITE, 0x5010, 0, "space 8: 0x18 bytes at 0x5010 cannot be written");
    region.bytes = 40;
    EQUAL(gpucmd_mem_init(&mem, &region, 1), GPUCMD_OK);
    TAKES(call(as, GPUCMD_NVGPU_AS_IOCTL_GET_VA_REGIONS, (void *)(uintptr_t)0x5000));
    k.process = NULL;
}

static int alloc(uint32_t handle, uint32_t heap_mask, uint32_t align, int node)
{
    struct gpucmd_nvmap_alloc_handle m;
    memset(&m, 0, sizeof m);
    m.handle = handle;
    m.heap_mask = heap_mask;
    m.align = align;
    m.numa_nid = node;
    return call(nvmap, GPUCMD_NVMAP_IOC_ALLOC, &m);
}

static void handles(void)
{
    const uint32_t iovmm = GPUCMD_NVMAP_HEAP_IOVMM;
    struct gpucmd_nvmap_create_handle c;
    struct gpucmd_nvmap_handle_parameters p;
    boot();
    memset(&c, 0, sizeof c);
    SAYS(call(nvmap, GPUCMD_NVMAP_IOC_CREATE, &c), 22, HANDLE_SIZE, 0, 0, "nvmap 3: size is 0");
    SAYS(call(nvmap, GPUCMD_NVMAP_IOC_CREATE_64, &c), 22, HANDLE_SIZE, 0, 0,
         "nvmap 3: size64 is 0");
    c.size64 = 0x8000000000000000;
    SAYS(call(nvmap, GPUCMD_NVMAP_IOC_CREATE_64, &c), 12, HANDLE_BYTES, 0x8000000000000000,
         0x7fffffffffffffff, "nvmap 3: size64 0x8000000000000000 exceeds 0x7fffffffffffffff");
    c.size64 = 0x7fffffffffffffff;
    TAKES(call(nvmap, GPUCMD_NVMAP_IOC_CREATE_64, &c));
    SAYS(alloc(c.handle64, iovmm, 0, 0), 12, TABLE, 0, 0,
         "nvmap 3: table RAM of the model kernel is full");
    memset(&c, 0, sizeof c);
    c.size = 1;
    TAKES(call(nvmap, GPUCMD_NVMAP_IOC_CREATE, &c));
    const uint32_t h = c.handle;
    SAYS(alloc(h, iovmm, 3, 0), 22, HANDLE_ALIGN, 3, 0, "nvmap 3: align 0x3 is not a power of two");
    SAYS(alloc(h, iovmm, 4, 17), 22, HANDLE_NODE, 17, 16,
         "nvmap 3: numa_nid 0x11 is not a node, from -1 to 16");
    SAYS(alloc(h, iovmm, 4, -2), 22, HANDLE_NODE, 0xfffffffe, 16,
         "nvmap 3: numa_nid 0xfffffffe is not a node, from -1 to 16");
    SAYS(alloc(0x7777, iovmm, 4, 16), 22, HANDLE_UNKNOWN, 0x7777, 0,
         "nvmap 3: handle 0x7777 names no buffer of this process");
    SAYS(alloc((uint32_t)buffer, iovmm, 4, 16), 22, HANDLE_UNKNOWN, 5, 0,
         "nvmap 3: handle 0x5 names no buffer of this process");
    SAYS(alloc(h, 2, 4, 16), 12, HANDLE_HEAP, 2, iovmm,
         "nvmap 3: heap_mask 0x2 lacks the heap IOVMM (0x40000000)");
    SAYS(alloc(h, iovmm | 2, 4, -1), 22, HANDLE_HEAPS, iovmm | 2, iovmm,
         "nvmap 3: heap_mask 0x40000002 has a heap that Orin lacks; it has 0x40000000");
    TAKES(alloc(h, iovmm, 4, 16));
    memset(&c, 0, sizeof c);
    c.handle = h;
    char text[80];
    snprintf(text, sizeof text, "nvmap 3: handle 0x%x has memory", (unsigned)h);
    SAYS(alloc(h, iovmm, 0, -1), 17, HANDLE_TWICE, h, 0, text);
    /* descriptors of handles, and back */
    c.handle = 0x7777;
    SAYS(call(nvmap, GPUCMD_NVMAP_IOC_GET_FD, &c), 9, HANDLE_GET_FD, 0x7777, 0,
         "nvmap 3: handle 0x7777 names no buffer of this process");
    c.handle = (uint32_t)ctrl;
    SAYS(call(nvmap, GPUCMD_NVMAP_IOC_GET_FD, &c), 22, HANDLE_UNKNOWN, 4, 0,
         "nvmap 3: handle 0x4 names no buffer of this process");
    c.handle = (uint32_t)buffer;
    SAYS(call(nvmap, GPUCMD_NVMAP_IOC_GET_FD, &c), 22, HANDLE_UNKNOWN, 5, 0,
         "nvmap 3: handle 0x5 names no buffer of this process");
    c.handle = h;
    TAKES(call(nvmap, GPUCMD_NVMAP_IOC_GET_FD, &c));
    c.fd = 77;
    SAYS(call(nvmap, GPUCMD_NVMAP_IOC_FROM_FD, &c), 9, FD_CLOSED, 77, 0,
         "nvmap 3: fd 77 is not an open descriptor");
    c.fd = ctrl;
    SAYS(call(nvmap, GPUCMD_NVMAP_IOC_FROM_FD, &c), 22, FD_DMABUF, 4, 0,
         "nvmap 3: fd 4 is not a dma-buf");
    c.fd = buffer;
    TAKES(call(nvmap, GPUCMD_NVMAP_IOC_FROM_FD, &c));
    memset(&p, 0, sizeof p);
    p.handle = 0x7777;
    SAYS(call(nvmap, GPUCMD_NVMAP_IOC_PARAMETERS, &p), 19, HANDLE_PARAMETERS, 0x7777, 0,
         "nvmap 3: handle 0x7777 names no buffer of this process");
    p.handle = h;
    TAKES(call(nvmap, GPUCMD_NVMAP_IOC_PARAMETERS, &p));
    k.next_handle = 0; /* 0x7fffffff to 0xffffffff were given */
    memset(&c, 0, sizeof c);
    c.size = 1;
    SAYS(call(nvmap, GPUCMD_NVMAP_IOC_CREATE, &c), 12, TABLE, 0, 0,
         "nvmap 3: table HANDLES of the model kernel is full");
}

/* ---- groups and channels ---- */

static int open_channel(int runlist)
{
    struct gpucmd_nvgpu_gpu_open_channel_args o;
    memset(&o, 0, sizeof o);
    o.in.runlist_id = runlist;
    const int result = call(ctrl, GPUCMD_NVGPU_GPU_IOCTL_OPEN_CHANNEL, &o);
    return result != 0 ? result : o.out.channel_fd;
}

static int open_group(uint32_t flags, uint64_t source, uint64_t token)
{
    struct gpucmd_nvgpu_gpu_open_tsg_args g;
    memset(&g, 0, sizeof g);
    g.flags = flags;
    g.source_device_instance_id = source;
    g.share_token = token;
    const int result = call(ctrl, GPUCMD_NVGPU_GPU_IOCTL_OPEN_TSG, &g);
    return result != 0 ? result : (int)g.tsg_fd;
}

static int join(int group, int channel, uint32_t subcontext)
{
    struct gpucmd_nvgpu_tsg_bind_channel_ex_args t;
    memset(&t, 0, sizeof t);
    t.channel_fd = channel;
    t.subcontext_id = subcontext;
    return call(group, GPUCMD_NVGPU_TSG_IOCTL_BIND_CHANNEL_EX, &t);
}

static int bind_space(int fd)
{
    struct gpucmd_nvgpu_as_bind_channel_args b = {(uint32_t)fd};
    return call(as, GPUCMD_NVGPU_AS_IOCTL_BIND_CHANNEL, &b);
}

static int subcontext(int group, uint32_t type, int fd)
{
    struct gpucmd_nvgpu_tsg_create_subcontext_args a = {type, fd, 0, 0};
    return call(group, GPUCMD_NVGPU_TSG_IOCTL_CREATE_SUBCONTEXT, &a);
}

static void groups(void)
{
    struct gpucmd_nvgpu_tsg_delete_subcontext_args d = {64, 0};
    struct gpucmd_nvgpu_timeslice_args slice = {999, 0};
    boot();
    SAYS(open_group(1, 0, 0), 22, GROUP_SHARE, 1, 0, "ctrl 4: flags 0x1 asks for a share token");
    SAYS(open_group(0, 9, 0), 22, NOT_ZERO, 9, 0, "ctrl 4: source_device_instance_id 0x9 is not 0");
    SAYS(open_group(0, 0, 7), 22, NOT_ZERO, 7, 0, "ctrl 4: share_token 0x7 is not 0");
    SAYS(open_channel(1), 22, CHANNEL_RUNLIST, 1, 0, "ctrl 4: runlist_id 0x1 is neither -1 nor 0");
    SAYS(open_channel(-2), 22, CHANNEL_RUNLIST, 0xfffffffe, 0,
         "ctrl 4: runlist_id 0xfffffffe is neither -1 nor 0");
    const int group = open_group(0, 0, 0);
    const int first = open_channel(-1), second = open_channel(0), third = open_channel(0);
    EQUAL(group, 7);
    EQUAL(first, 8);
    EQUAL(second, 9);
    SAYS(bind_space(ctrl), 22, FD_CHANNEL, 4, 0, "space 6: channel_fd 4 is not a channel");
    SAYS(join(group, first, 0), 22, GROUP_SPACE, 8, 0,
         "group 7: channel_fd 8 lacks the address space of subcontext 0");
    TAKES(bind_space(first));
    SAYS(bind_space(first), 22, SPACE_BOUND, 8, 0, "space 6: channel_fd 8 has an address space");
    SAYS(join(group, first, 0), 28, SUBCONTEXT_NO_SPACE, 8, 0,
         "group 7: channel_fd 8: subcontext 0 has no address space");
    const int other = open_group(0, 0, 0);
    EQUAL(other, 11);
    SAYS(join(other, ctrl, 0), 22, FD_CHANNEL, 4, 0, "group 11: channel_fd 4 is not a channel");
    SAYS(join(other, first, 64), 22, SUBCONTEXT_RANGE, 64, 63,
         "group 11: subcontext_id 64 exceeds 63");
    SAYS(join(other, first, 63), 22, GROUP_SPACE, 8, 0,
         "group 11: channel_fd 8 lacks the address space of subcontext 63");
    SAYS(subcontext(other, 2, as), 22, SUBCONTEXT_TYPE, 2, 1,
         "group 11: type 2 is not a type; the last is 1");
    SAYS(subcontext(other, 1, ctrl), 22, FD_SPACE, 4, 0,
         "group 11: as_fd 4 is not an address space");
    for (int i = 1; i < 64; i++) {
        TAKES(subcontext(other, 1, as));
    }
    TAKES(subcontext(other, 0, as)); /* number 0 */
    SAYS(subcontext(other, 1, as), 28, SUBCONTEXT_FULL, 1, 0,
         "group 11: type 1: no subcontext of this type is free");
    TAKES(join(other, first, 63));
    SAYS(join(other, first, 63), 22, GROUP_BOUND, 8, 0, "group 11: channel_fd 8 has a group");
    SAYS(call(other, GPUCMD_NVGPU_TSG_IOCTL_DELETE_SUBCONTEXT, &d), 22, SUBCONTEXT_RANGE, 64, 63,
         "group 11: veid 64 exceeds 63");
    d.veid = 63;
    SAYS(call(other, GPUCMD_NVGPU_TSG_IOCTL_DELETE_SUBCONTEXT, &d), 22, SUBCONTEXT_BUSY, 63, 0,
         "group 11: veid 63 is the subcontext of a channel");
    d.veid = 62;
    TAKES(call(other, GPUCMD_NVGPU_TSG_IOCTL_DELETE_SUBCONTEXT, &d));
    TAKES(bind_space(second));
    int32_t fd = second;
    SAYS(call(other, GPUCMD_NVGPU_TSG_IOCTL_UNBIND_CHANNEL, &fd), 22, GROUP_OTHER, 9, 0,
         "group 11: argument 9 is not in this group");
    fd = ctrl;
    SAYS(call(other, GPUCMD_NVGPU_TSG_IOCTL_UNBIND_CHANNEL, &fd), 22, FD_CHANNEL, 4, 0,
         "group 11: argument 4 is not a channel");
    SAYS(call(other, GPUCMD_NVGPU_TSG_IOCTL_BIND_CHANNEL, &fd), 22, FD_CHANNEL, 4, 0,
         "group 11: argument 4 is not a channel");
    fd = third;
    SAYS(call(other, GPUCMD_NVGPU_TSG_IOCTL_BIND_CHANNEL, &fd), 22, GROUP_SPACE, 10, 0,
         "group 11: argument 10 lacks the address space of subcontext 0");
    fd = second;
    store.tsgs[1].channels = 128; /* a group has at most 128 channels, the store fewer */
    SAYS(call(other, GPUCMD_NVGPU_TSG_IOCTL_BIND_CHANNEL, &fd), 22, GROUP_FULL, 9, 128,
         "group 11: argument 9 exceeds the 128 channels of a group");
    store.tsgs[1].channels = 127;
    TAKES(call(other, GPUCMD_NVGPU_TSG_IOCTL_BIND_CHANNEL, &fd));
    TAKES(call(other, GPUCMD_NVGPU_TSG_IOCTL_UNBIND_CHANNEL, &fd));
    SAYS(call(other, GPUCMD_NVGPU_IOCTL_TSG_SET_TIMESLICE, &slice), 22, GROUP_TIMESLICE, 999, 50000,
         "group 11: timeslice_us 999 is not 1000 to 50000");
    slice.timeslice_us = 50001;
    SAYS(call(other, GPUCMD_NVGPU_IOCTL_TSG_SET_TIMESLICE, &slice), 22, GROUP_TIMESLICE, 50001,
         50000, "group 11: timeslice_us 50001 is not 1000 to 50000");
    slice.timeslice_us = 50000;
    TAKES(call(other, GPUCMD_NVGPU_IOCTL_TSG_SET_TIMESLICE, &slice));
    slice.timeslice_us = 1000;
    TAKES(call(other, GPUCMD_NVGPU_IOCTL_TSG_SET_TIMESLICE, &slice));
    struct gpucmd_nvgpu_gpu_l2_fb_args l2 = {
        2,
        {0, 0, 0, 0}
    };
    SAYS(call(ctrl, GPUCMD_NVGPU_GPU_IOCTL_FLUSH_L2, &l2), 22, L2_FLUSH, 2, 0,
         "ctrl 4: flush 0x2 is no flush, or invalidates without one");
    l2.flush = 3;
    TAKES(call(ctrl, GPUCMD_NVGPU_GPU_IOCTL_FLUSH_L2, &l2));
}

static void channels(void)
{
    const uint32_t mode = GPUCMD_NVGPU_SETUP_USERMODE | (uint32_t)GPUCMD_NVGPU_SETUP_DETERMINISTIC;
    struct gpucmd_nvgpu_channel_setup_bind_args s;
    struct gpucmd_nvgpu_alloc_obj_ctx_args obj;
    struct gpucmd_nvgpu_channel_wdt_args wdt = {3, 0};
    struct gpucmd_nvgpu_submit_gpfifo_args submit;
    struct gpucmd_nvgpu_set_error_notifier note;
    boot();
    const int ch = open_channel(-1);
    EQUAL(ch, 7);
    memset(&submit, 0, sizeof submit);
    SAYS(call(ch, GPUCMD_NVGPU_IOCTL_CHANNEL_SUBMIT_GPFIFO, &submit), 110, SUBMIT_TIMED_OUT, 0, 0,
         "channel 7: the channel is timed out, or has no group");
    memset(&s, 0, sizeof s);
#define SETUP()  call(ch, GPUCMD_NVGPU_IOCTL_CHANNEL_SETUP_BIND, &s)
#define OBJECT() call(ch, GPUCMD_NVGPU_IOCTL_CHANNEL_ALLOC_OBJ_CTX, &obj)
    s.num_gpfifo_entries = 1024;
    s.flags = mode;
    SAYS(SETUP(), 22, CHANNEL_NO_SPACE, 0, 0, "channel 7: the channel has no address space");
    memset(&obj, 0, sizeof obj);
    obj.class_num = 0xc7c0;
    SAYS(OBJECT(), 22, CHANNEL_NO_SPACE, 0, 0, "channel 7: the channel has no address space");
    TAKES(bind_space(ch));
    SAYS(SETUP(), 22, CHANNEL_NO_GROUP, 0, 0, "channel 7: the channel has no group");
    SAYS(OBJECT(), 22, CHANNEL_NO_GROUP, 0, 0, "channel 7: the channel has no group");
    obj.class_num = 0xc56f; /* the class is checked before the group */
    SAYS(OBJECT(), 22, OBJECT_CLASS, 0xc56f, 0,
         "channel 7: class_num 0xc56f is not a class of the GPU");
    obj.class_num = 0xc7c0;
    const int group = open_group(0, 0, 0);
    TAKES(join(group, ch, 0));
    SAYS(call(ch, GPUCMD_NVGPU_IOCTL_CHANNEL_SUBMIT_GPFIFO, &submit), 12, SUBMIT_RING, 0, 0,
         "channel 7: the channel is not set up");
    s.num_gpfifo_entries = 1023;
    SAYS(SETUP(), 22, SETUP_ENTRIES, 1023, 0x1fffffff,
         "channel 7: num_gpfifo_entries 1023 is not a power of two, 2 to 536870911");
    s.num_gpfifo_entries = 0x20000000;
    SAYS(SETUP(), 22, SETUP_ENTRIES, 0x20000000, 0x1fffffff,
         "channel 7: num_gpfifo_entries 536870912 is not a power of two, 2 to 536870911");
    s.num_gpfifo_entries = 1;
    SAYS(SETUP(), 22, SETUP_ENTRIES, 1, 0x1fffffff,
         "channel 7: num_gpfifo_entries 1 is not a power of two, 2 to 536870911");
    s.flags = 0;
    s.num_gpfifo_entries = 2;
    SAYS(SETUP(), 22, SETUP_ENTRIES, 2, 0x1fffffff,
         "channel 7: num_gpfifo_entries 2 is not a power of two, 4 to 536870911");
    s.num_gpfifo_entries = 4;
    SAYS(SETUP(), 22, SETUP_MODE, 0, mode,
         "channel 7: flags 0x0 lacks USERMODE or DETERMINISTIC, 0xa");
    s.flags = mode;
    SAYS(SETUP(), 22, SETUP_WATCHDOG, mode, 0,
         "channel 7: flags 0xa has DETERMINISTIC, and the watchdog is on");
    SAYS(call(ch, GPUCMD_NVGPU_IOCTL_CHANNEL_WDT, &wdt), 22, WATCHDOG_VALUE, 3, 0,
         "channel 7: wdt_status 0x3 is neither ENABLE nor DISABLE");
    wdt.wdt_status = GPUCMD_NVGPU_WDT_DISABLE;
    TAKES(call(ch, GPUCMD_NVGPU_IOCTL_CHANNEL_WDT, &wdt));
    s.flags = mode | 1;
    SAYS(SETUP(), 22, SETUP_VPR, mode | 1, 0, "channel 7: flags 0xb has VPR");
    s.flags = mode;
    SAYS(SETUP(), 22, SETUP_BUFFER, 0, 0, "channel 7: userd_dmabuf_fd is 0");
    s.userd_dmabuf_fd = buffer;
    SAYS(SETUP(), 22, SETUP_BUFFER, 0, 0, "channel 7: gpfifo_dmabuf_fd is 0");
    s.gpfifo_dmabuf_fd = buffer;
    s.userd_dmabuf_offset = 8;
    SAYS(SETUP(), 22, NOT_ZERO, 8, 0, "channel 7: userd_dmabuf_offset 0x8 is not 0");
    s.userd_dmabuf_offset = 0;
    s.gpfifo_dmabuf_offset = 4096;
    SAYS(SETUP(), 22, NOT_ZERO, 4096, 0, "channel 7: gpfifo_dmabuf_offset 0x1000 is not 0");
    s.gpfifo_dmabuf_offset = 0;
    s.gpfifo_dmabuf_fd = 88;
    SAYS(SETUP(), 9, FD_CLOSED, 88, 0, "channel 7: gpfifo_dmabuf_fd 88 is not an open descriptor");
    s.gpfifo_dmabuf_fd = ctrl;
    SAYS(SETUP(), 22, FD_DMABUF, 4, 0, "channel 7: gpfifo_dmabuf_fd 4 is not a dma-buf");
    s.gpfifo_dmabuf_fd = make_buffer(4096, false);
    SAYS(SETUP(), 22, FD_EMPTY, 9, 0, "channel 7: gpfifo_dmabuf_fd 9 is a buffer without memory");
    s.gpfifo_dmabuf_fd = buffer;
    s.userd_dmabuf_fd = 88;
    SAYS(SETUP(), 9, FD_CLOSED, 88, 0, "channel 7: userd_dmabuf_fd 88 is not an open descriptor");
    s.userd_dmabuf_fd = buffer;
    s.num_gpfifo_entries = 8192; /* 65536 bytes into 0x8000 */
    SAYS(SETUP(), 22, SETUP_RING, 8192, 0x8000,
         "channel 7: num_gpfifo_entries 8192 needs 0x10000 bytes and exceeds buffer 5 (0x8000)");
    s.num_gpfifo_entries = 4096;
    store.buffers[0].bytes = (uint64_t)8 << 30; /* more than the kernel's part of the addresses */
    SAYS(SETUP(), 12, MAP_NO_GAP, 5, 0,
         "channel 7: gpfifo_dmabuf_fd 5: the space has no 0x200000000 free bytes");
    store.buffers[0].bytes = 0x8000;
    TAKES(SETUP());
    SAYS(SETUP(), 17, SETUP_TWICE, 0, 0, "channel 7: the channel is set up");
    SAYS(call(ch, GPUCMD_NVGPU_IOCTL_CHANNEL_SUBMIT_GPFIFO, &submit), 22, SUBMIT_DOORBELL, 0, 0,
         "channel 7: the channel submits with its doorbell");
    wdt.wdt_status = GPUCMD_NVGPU_WDT_ENABLE;
    SAYS(call(ch, GPUCMD_NVGPU_IOCTL_CHANNEL_WDT, &wdt), 22, WATCHDOG_LATE, 2, 0,
         "channel 7: wdt_status 0x2 is not DISABLE after SETUP_BIND");
    obj.class_num = 0x1234;
    SAYS(OBJECT(), 22, OBJECT_CLASS, 0x1234, 0,
         "channel 7: class_num 0x1234 is not a class of the GPU");
    obj.class_num = 0xc797;
    TAKES(OBJECT());
    store.channels[0].veid = 5;
    SAYS(OBJECT(), 22, OBJECT_SUBCONTEXT, 0xc797, 0,
         "channel 7: class_num 0xc797 is graphics; the channel has subcontext 5");
    obj.class_num = 0xc7c0;
    TAKES(OBJECT());
    /* notification of 16 bytes in 0x8000 */
    memset(&note, 0, sizeof note);
    note.mem = (uint32_t)ctrl;
    SAYS(call(ch, GPUCMD_NVGPU_IOCTL_CHANNEL_SET_ERROR_NOTIFIER, &note), 22, FD_DMABUF, 4, 0,
         "channel 7: mem 4 is not a dma-buf");
    note.mem = (uint32_t)buffer;
    note.offset = 0x7ff1;
    SAYS(call(ch, GPUCMD_NVGPU_IOCTL_CHANNEL_SET_ERROR_NOTIFIER, &note), 22, BUFFER_RANGE, 0x7ff1,
         0x8000, "channel 7: offset 0x7ff1 + 0x10 exceeds buffer 5 (0x8000)");
    note.offset = 0x8001;
    SAYS(call(ch, GPUCMD_NVGPU_IOCTL_CHANNEL_SET_ERROR_NOTIFIER, &note), 22, BUFFER_RANGE, 0x8001,
         0x8000, "channel 7: offset 0x8001 + 0x10 exceeds buffer 5 (0x8000)");
    note.offset = 0x7ff0;
    TAKES(call(ch, GPUCMD_NVGPU_IOCTL_CHANNEL_SET_ERROR_NOTIFIER, &note));
}

/* A failed copy of a result to the process: the drivers of other nodes than nvmap and address spaces
 * return the number of bytes, which is positive. */
static void lost_results(void)
{
    struct gpucmd_nvgpu_gpu_get_characteristics g;
    struct gpucmd_nvgpu_gpu_open_channel_args o;
    gpucmd_mem mem;
    gpucmd_region region;
    boot();
    memset(&region, 0, sizeof region);
    region.va = 0x5000;
    region.bytes = sizeof g;
    region.host = &g;
    region.access_mask = GPUCMD_ACCESS_READ | (uint32_t)GPUCMD_ACCESS_WRITE;
    EQUAL(gpucmd_mem_init(&mem, &region, 1), GPUCMD_OK);
    k.process = &mem;
    g.gpu_characteristics_buf_size = 400;
    g.gpu_characteristics_buf_addr = 0x9000;
    EQUAL(call(ctrl, GPUCMD_NVGPU_GPU_IOCTL_GET_CHARACTERISTICS, (void *)(uintptr_t)0x5000), 328);
    EQUAL(k.finding.rule, GPUCMD_NVGPU_RULE_ARGUMENT_WRITE);
    EQUAL(k.finding.value, 0x9000);
    EQUAL(k.finding.bytes, 328);
    CHECK(strcmp(k.finding.member, "gpu_characteristics_buf_addr") == 0);
    CHECK(strcmp(k.why.name, "EFAULT") == 0);
    CHECK(strcmp(k.why.text, "0x148 bytes at 0x9000 cannot be written") == 0);
    k.process = NULL;
    k.fail_copy_out = true;
    memset(&o, 0, sizeof o);
    EQUAL(call(ctrl, GPUCMD_NVGPU_GPU_IOCTL_OPEN_CHANNEL, &o), 4);
    EQUAL(k.finding.rule, GPUCMD_NVGPU_RULE_ARGUMENT_WRITE);
    EQUAL(k.finding.bytes, 4);
    CHECK(strcmp(k.why.name, "EFAULT") == 0);
}

/* ---- open, mmap ---- */

static int open_path(const char *path, uint32_t flags)
{
    return ops.sys_open(ops.user, path, flags);
}

static void opens(void)
{
    static const char *const ctrl_node = "/dev/nvgpu/igpu0/ctrl";
    static const char *const min_freq = "/sys/class/devfreq/17000000.gpu/min_freq";
    boot();
    EQUAL(k.finding.rule, GPUCMD_NVGPU_RULE_NONE);
    SAYS(open_path("/dev/null", 2), 2, OPEN_PATH, 0, 0,
         "open 7: path is none of the paths of the model kernel");
    SAYS(open_path(min_freq, 1), 13, OPEN_RIGHTS, 1, 0,
         "open 7: flags 0x1 writes, and the process is not root");
    SAYS(open_path(min_freq, 2), 13, OPEN_RIGHTS, 2, 0,
         "open 7: flags 0x2 writes, and the process is not root");
    EQUAL(open_path(min_freq, 0), 7);
    EQUAL(k.finding.rule, GPUCMD_NVGPU_RULE_NONE);
    EQUAL(k.why.kind, GPUCMD_WHY_IDLE);
    k.root = true;
    EQUAL(open_path(min_freq, 2), 8);
    for (int fd = 9; fd < 12; fd++) { /* the store has 4 control nodes */
        EQUAL(open_path(ctrl_node, 2), fd);
    }
    SAYS(open_path(ctrl_node, 2), 12, TABLE, 0, 0,
         "open 12: table CTRLS of the model kernel is full");
    k.fail_at = 1;
    EQUAL(open_path("/dev/nvmap", 2), -12);
    EQUAL(k.finding.rule, GPUCMD_NVGPU_RULE_NONE);
    EQUAL(k.why.kind, GPUCMD_WHY_IDLE);
    for (int fd = 12; fd < 64; fd++) {
        EQUAL(open_path("/dev/nvmap", 2), fd);
    }
    SAYS(open_path("/dev/nvmap", 2), 24, TABLE_FILES, 0, 0,
         "open 64: table FILES of the model kernel is full");
    /* Linux takes the descriptor first, do_sys_openat2 */
    SAYS(open_path("/dev/null", 2), 24, TABLE_FILES, 0, 0,
         "open 64: table FILES of the model kernel is full");
    SAYS(open_path(ctrl_node, 2), 24, TABLE_FILES, 0, 0,
         "open 64: table FILES of the model kernel is full");
}

enum { FIXED = 0x11, KEEP = 0x100001 }; /* MAP_SHARED with MAP_FIXED, MAP_FIXED_NOREPLACE */

static void *mapped;

static int cpu_map(void *at, size_t len, uint32_t flags, int fd, uint64_t off)
{
    gpucmd_sys_map map = {at, len, 3, flags, fd, off};
    const int result = ops.sys_mmap(ops.user, &map);
    mapped = map.addr;
    return result;
}

static uint32_t cpu_maps(void)
{
    gpucmd_nvgpu_kernel_counts counts;
    gpucmd_nvgpu_kernel_count(&k, &counts);
    return counts.vmas;
}

/* What mmap checks before it asks the driver, in the order of Linux. TASK_SIZE is 2^48. */
static void mmaps(void)
{
    char text[120];
    boot();
    SAYS(cpu_map(NULL, 0, 1, 77, 100), 22, MMAP_ALIGN, 100, 4096,
         "descriptor 77: off_bytes 0x64 is not a multiple of 0x1000");
    SAYS(cpu_map(NULL, 0, 1, 77, 0), 9, CALL_FD, 77, 0, "descriptor 77: descriptor 77 is not open");
    SAYS(cpu_map((void *)(uintptr_t)1, 0, FIXED, buffer, 0), 22, MMAP_LENGTH, 0, 0,
         "buffer 5: len_bytes is 0");
    SAYS(cpu_map((void *)(uintptr_t)0x1001, 4096, FIXED, buffer, 0), 22, MMAP_ALIGN, 0x1001, 4096,
         "buffer 5: addr 0x1001 is not a multiple of 0x1000");
    if (sizeof(size_t) == 8) {
        const size_t whole = (size_t)((uint64_t)1 << 47) * 2; /* 2^48 */
        SAYS(cpu_map((void *)(uintptr_t)1, whole + 1, 1, buffer, 0), 12, MMAP_END, 0, whole,
             "buffer 5: addr 0x0 + 0x1000000000001 exceeds the addresses, 0x1000000000000");
        SAYS(cpu_map((void *)(uintptr_t)(whole - 0x1fff), 0x2000, FIXED, buffer, 0), 12, MMAP_END,
             whole - 0x1fff, whole,
             "buffer 5: addr 0xffffffffe001 + 0x2000 exceeds the addresses, 0x1000000000000");
        SAYS(cpu_map((void *)(uintptr_t)(whole - 0x2000), 0x2000, FIXED, buffer, 0), 12, MMAP_MOVE,
             whole - 0x2000, 0,
             "buffer 5: addr 0xffffffffe000 + 0x2000: the buffer cannot move there");
    }
    EQUAL(cpu_map(NULL, 0x8000, 1, buffer, 0), 0);
    EQUAL(k.finding.rule, GPUCMD_NVGPU_RULE_NONE);
    EQUAL(k.why.kind, GPUCMD_WHY_IDLE);
    uint8_t *const base = (uint8_t *)mapped;
    snprintf(text, sizeof text, "buffer 5: addr 0x%llx + 0x1000 overlaps another mapping",
             (unsigned long long)(uintptr_t)(base + 0x7000));
    SAYS(cpu_map(base + 0x7000, 0x1000, KEEP, buffer, 0), 17, MMAP_BUSY, (uintptr_t)(base + 0x7000),
         0, text);
    /* address spaces, groups and channels have no function mmap: do_mmap fails, and mappings stay */
    const int group = open_group(0, 0, 0), ch = open_channel(0);
    EQUAL(group, 7);
    EQUAL(ch, 8);
    SAYS(cpu_map(base, 0x1000, FIXED, as, 0), 19, MMAP_NONE, 6, 0,
         "space 6: fd 6 has no memory to map");
    SAYS(cpu_map(base, 0x1000, FIXED, group, 0), 19, MMAP_NONE, 7, 0,
         "group 7: fd 7 has no memory to map");
    SAYS(cpu_map(base, 0x1000, FIXED, ch, 0), 19, MMAP_NONE, 8, 0,
         "channel 8: fd 8 has no memory to map");
    EQUAL(cpu_maps(), 1);
    EQUAL(store.vmas[0].bytes, 0x8000);
    k.fail_at = 1;
    EQUAL(cpu_map(NULL, 0x1000, 1, nvmap, 0), -12);
    EQUAL(k.finding.rule, GPUCMD_NVGPU_RULE_NONE);
    /* the drivers are asked after the old pages are gone */
    SAYS(cpu_map(base, 0x1000, FIXED, nvmap, 0), 1, MMAP_NVMAP, 3, 0,
         "nvmap 3: fd 3 is nvmap, whose buffers have descriptors");
    EQUAL(store.vmas[0].bytes, 0x7000);
    const int clock = open_path("/sys/class/devfreq/17000000.gpu/max_freq", 0);
    SAYS(cpu_map(NULL, 0x1000, 1, clock, 0), 19, MMAP_NONE, 9, 0,
         "devfreq 9: fd 9 has no memory to map");
}

/* What the drivers of dma-bufs and of the control node check; tables and memory that are full. */
static void mmap_objects(void)
{
    boot();
    SAYS(cpu_map(NULL, 0x2000, 1, buffer, 0x7000), 22, BUFFER_RANGE, 0x7000, 0x8000,
         "buffer 5: off_bytes 0x7000 + 0x2000 exceeds buffer 5 (0x8000)");
    SAYS(cpu_map(NULL, 0x8001, 1, buffer, 0), 22, BUFFER_RANGE, 0, 0x8000,
         "buffer 5: off_bytes 0x0 + 0x9000 exceeds buffer 5 (0x8000)");
    SAYS(cpu_map(NULL, 0x1000, 1, buffer, 0x9000), 22, BUFFER_RANGE, 0x9000, 0x8000,
         "buffer 5: off_bytes 0x9000 + 0x1000 exceeds buffer 5 (0x8000)");
    EQUAL(cpu_map(NULL, 0x1000, 1, buffer, 0x7000), 0);
    EQUAL(make_buffer(0x1000, false), 7);
    SAYS(cpu_map(NULL, 0x1000, 1, 7, 0), 1, MMAP_EMPTY, 7, 0,
         "buffer 7: fd 7 is a buffer without memory");
    SAYS(cpu_map(NULL, 0x10001, 1, ctrl, 0), 22, MMAP_DOORBELL, 0x11000, 0x10000,
         "ctrl 4: len_bytes 0x11000 exceeds the doorbell page, 0x10000");
    SAYS(cpu_map(NULL, 0x10000, 1, ctrl, 0x1000), 22, NOT_ZERO, 0x1000, 0,
         "ctrl 4: off_bytes 0x1000 is not 0");
    SAYS(cpu_map((void *)(uintptr_t)0x2000, 0x10000, FIXED, ctrl, 0), 12, MMAP_MOVE, 0x2000, 0,
         "ctrl 4: addr 0x2000 + 0x10000: the buffer cannot move there");
    EQUAL(cpu_map(NULL, 0x10000, 1, ctrl, 0), 0);
    SAYS(cpu_map(NULL, 0x20000, 1, ctrl, 0x1000), 16, MMAP_TWICE, 4, 0,
         "ctrl 4: fd 4: its doorbell page is mapped"); /* before length and offset */
    while (cpu_maps() < 64) {
        EQUAL(cpu_map(NULL, 0x1000, 1, buffer, 0), 0);
    }
    SAYS(cpu_map(NULL, 0x1000, 1, buffer, 0), 12, TABLE, 0, 0,
         "buffer 5: table VMAS of the model kernel is full");
    /* 1 MiB: all but 15 pages are taken, a doorbell page takes 16 */
    boot();
    EQUAL(make_buffer(0x100000 - 0x8000 - 0xf000, true), 7);
    SAYS(cpu_map(NULL, 0x10000, 1, ctrl, 0), 12, TABLE, 0, 0,
         "ctrl 4: table RAM of the model kernel is full");
    boot();
    EQUAL(make_buffer(0x100000 - 0x8000 - 0x10000, true), 7);
    EQUAL(cpu_map(NULL, 0x10000, 1, ctrl, 0), 0);
}

/* munmap and MAP_FIXED that must split a mapping without a free row change nothing. */
static void full_unmap(void)
{
    boot();
    const int other = make_buffer(0x1000, true);
    EQUAL(cpu_map(NULL, 0x2000, 1, buffer, 0), 0);
    uint8_t *const base = (uint8_t *)mapped;
    EQUAL(cpu_map(NULL, 0x8000, 1, buffer, 0), 0);
    CHECK(mapped == (void *)base);
    while (cpu_maps() < 64) {
        EQUAL(cpu_map(NULL, 0x1000, 1, other, 0), 0);
    }
    void *const filler = mapped;
    EQUAL(ops.sys_munmap(ops.user, base + 0x1000, 0x1000), -12);
    EQUAL(k.table, GPUCMD_NVGPU_TABLE_VMAS);
    EQUAL(store.vmas[0].bytes, 0x2000);
    EQUAL(store.vmas[1].bytes, 0x8000);
    SAYS(cpu_map(base + 0x1000, 0x1000, FIXED, other, 0), 12, TABLE, 0, 0,
         "buffer 7: table VMAS of the model kernel is full");
    EQUAL(store.vmas[0].bytes, 0x2000);
    EQUAL(store.vmas[1].bytes, 0x8000);
    EQUAL(ops.sys_munmap(ops.user, filler, 0x1000), 0);
    EQUAL(ops.sys_munmap(ops.user, base + 0x1000, 0x1000), 0);
    EQUAL(store.vmas[0].bytes, 0x1000);
    EQUAL(store.vmas[1].bytes, 0x1000);
    EQUAL(cpu_maps(), 64); /* with the pages after the hole */
}

/* The line of gpucmd_print_why, with a member and without one; numbers that name no rule. */
static void lines(void)
{
    static const char *const want[] = {
        "REFUSED ctrl 4: runlist_id 0x1 EINVAL: runlist_id 0x1 is neither -1 nor 0\n",
        "REFUSED channel 7: EINVAL: the channel has no address space\n",
    };
    struct gpucmd_nvgpu_alloc_obj_ctx_args obj = {0xc7c0, 0, 0};
    boot();
    const int ch = open_channel(0);
    for (int i = 0; i < 2; i++) {
        char buf[160];
        gpucmd_text t;
        CHECK((i == 0 ? open_channel(1)
                      : call(ch, GPUCMD_NVGPU_IOCTL_CHANNEL_ALLOC_OBJ_CTX, &obj)) == -22);
        gpucmd_text_init(&t, buf, sizeof buf);
        gpucmd_print_why(&t, &k.why);
        if (!CHECK(strcmp(buf, want[i]) == 0)) {
            printf("    %s", buf);
        }
    }
    CHECK(strcmp(gpucmd_nvgpu_rule_name((gpucmd_nvgpu_rule)4000), "?") == 0);
    EQUAL(gpucmd_nvgpu_rule_errno((gpucmd_nvgpu_rule)4000), 0);
    EQUAL(gpucmd_nvgpu_rule_errno(GPUCMD_NVGPU_RULE_NONE), 0);
}

/* Use the writer of test.h, so that the compiler does not report it as unused. */
static void shapes(void)
{
    EMITS(WORDS(0), gpucmd_nv_emit_nop(&w));
}

int main(void)
{
    calls();
    maps();
    spaces();
    handles();
    groups();
    channels();
    lost_results();
    opens();
    mmaps();
    mmap_objects();
    full_unmap();
    lines();
    shapes();
    return test_report("nv_nvgpu_members");
}

/* nv/nvgpu_members.c - the member that an ioctl of nvgpu or nvmap refuses, its value, its limit and the
 * rule. The errnos are those of the drivers; the texts say what their checks compare. */
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
}

/* Expect this line, and member why of the kernel with member, value and limit. */
static void says(int result, int err, const char *member, uint64_t value, uint64_t limit,
                 const char *text, int line)
{
    char buf[200];
    gpucmd_text t;
    test_equal((uint64_t)-result, (uint64_t)err, __FILE__, line, "errno");
    test_equal(k.why.kind, GPUCMD_WHY_REFUSED, __FILE__, line, "kind");
    test_check(k.why.reg != NULL && strcmp(k.why.reg, member) == 0, __FILE__, line, member);
    test_equal(k.why.value, value, __FILE__, line, "value");
    test_equal(k.why.va, limit, __FILE__, line, "limit");
    gpucmd_text_init(&t, buf, sizeof buf);
    gpucmd_print_why(&t, &k.why);
    if (!test_check(strstr(buf, text) != NULL, __FILE__, line, text)) {
        printf("    %s", buf);
    }
}

#define SAYS(result, err, member, value, limit, text)                                              \
    says(result, err, member, value, limit, text, __LINE__)

static int map(uint32_t flags, uint64_t offset, uint64_t buffer_offset, uint64_t bytes, int fd)
{
    struct gpucmd_nvgpu_as_map_buffer_ex_args a;
    memset(&a, 0, sizeof a);
    a.flags = flags;
    a.compr_kind = -1;
    a.incompr_kind = 0;
    a.dmabuf_fd = (uint32_t)fd;
    a.offset = offset;
    a.buffer_offset = buffer_offset;
    a.mapping_size = bytes;
    return call(as, GPUCMD_NVGPU_AS_IOCTL_MAP_BUFFER_EX, &a);
}

static void maps(void)
{
    const uint32_t fixed = GPUCMD_NVGPU_MAP_FIXED_OFFSET;
    boot();
    EQUAL(map(fixed, 0x20000000, 0x4000, 0x4000, buffer), 0); /* the last bytes of the buffer */
    EQUAL(k.why.kind, GPUCMD_WHY_IDLE);
    boot();
    SAYS(map(fixed, 0x20000000, 0x4000, 0x8000, buffer), 22, "buffer_offset", 0x4000, 0,
         "buffer_offset 0x4000 EINVAL: buffer_offset + mapping_size exceeds the buffer");
    SAYS(map(fixed, 0x20000000, 0x5000, 0x4000, buffer), 22, "buffer_offset", 0x5000, 0x4000,
         "exceeds the buffer, limit 0x4000");
    SAYS(map(fixed, 0x20000000, 0, 0x9000, buffer), 22, "mapping_size", 0x9000, 0x8000,
         "mapping_size 0x9000 EINVAL: exceeds the buffer, limit 0x8000");
    SAYS(map(0, 0x20000000, 0, 0, buffer), 22, "flags", 0, fixed, "without FIXED_OFFSET");
    SAYS(map(0x80000000, 0, 0, 0, buffer), 22, "flags", 0x80000000, 0xee5,
         "does not exist, limit 0xee5");
    SAYS(map(fixed, 0x20000800, 0, 0, buffer), 22, "offset", 0x20000800, 4096, "page size");
    SAYS(map(fixed, 0x30000000, 0, 0, buffer), 22, "offset", 0x30000000, 0, "in no reservation");
    SAYS(map(fixed, 0x20009000, 0, 0, buffer), 22, "offset", 0x20009000, 0x20010000,
         "the mapping passes the end of its reservation, limit 0x20010000");
    EQUAL(map(fixed, 0x20008000, 0, 0, buffer), 0);
    SAYS(map(fixed, 0x2000a000, 0x1000, 0x1000, buffer), 22, "offset", 0x2000a000, 0,
         "another mapping");
    SAYS(map(0, 0, 0, 0, 77), 9, "dmabuf_fd", 77, 0, "EBADF: not an open descriptor");
    SAYS(map(0, 0, 0, 0, ctrl), 22, "dmabuf_fd", (uint64_t)ctrl, 0, "not a dma-buf");
    EQUAL(map(0, 0, 0, 0, buffer), 0);
    EQUAL(k.why.kind, GPUCMD_WHY_IDLE);
}

static void spaces(void)
{
    struct gpucmd_nvgpu_as_alloc_space_args r;
    struct gpucmd_nvgpu_alloc_as_args s;
    boot();
    memset(&r, 0, sizeof r);
    r.pages = 1;
    r.page_size = 65536;
    SAYS(call(as, GPUCMD_NVGPU_AS_IOCTL_ALLOC_SPACE, &r), 22, "page_size", 65536, 4096,
         "page size");
    r.page_size = 4096;
    r.flags = GPUCMD_NVGPU_AS_ALLOC_SPACE_FIXED_OFFSET;
    r.o_a.offset = 0x2000f000;
    SAYS(call(as, GPUCMD_NVGPU_AS_IOCTL_ALLOC_SPACE, &r), 12, "offset", 0x2000f000, 0,
         "ENOMEM: the addresses are in use");
    r.o_a.offset = 0x7ffffff800;
    SAYS(call(as, GPUCMD_NVGPU_AS_IOCTL_ALLOC_SPACE, &r), 12, "offset", 0x7ffffff800, 4096,
         "page size");
    r.o_a.offset = 0x8000000000;
    SAYS(call(as, GPUCMD_NVGPU_AS_IOCTL_ALLOC_SPACE, &r), 12, "offset", 0x8000000000, 0x8000000000,
         "leaves the address space");
    r.o_a.offset = 0x7ffffff000;
    EQUAL(call(as, GPUCMD_NVGPU_AS_IOCTL_ALLOC_SPACE, &r), 0);
    memset(&s, 0, sizeof s);
    s.va_range_start = 0x4000001;
    s.va_range_end = 0x8000000000;
    SAYS(call(ctrl, GPUCMD_NVGPU_GPU_IOCTL_ALLOC_AS, &s), 22, "va_range_start", 0x4000001,
         GPUCMD_NVGPU_VA_ALIGN, "not a multiple");
    s.va_range_start = 0x8000000000;
    SAYS(call(ctrl, GPUCMD_NVGPU_GPU_IOCTL_ALLOC_AS, &s), 22, "va_range_end", 0x8000000000,
         GPUCMD_NVGPU_VA_ALIGN, "before the start");
    s.big_page_size = 65536;
    SAYS(call(ctrl, GPUCMD_NVGPU_GPU_IOCTL_ALLOC_AS, &s), 22, "big_page_size", 65536, 0,
         "big pages");
}

static void handles(void)
{
    struct gpucmd_nvmap_create_handle c;
    struct gpucmd_nvmap_alloc_handle m;
    boot();
    memset(&c, 0, sizeof c);
    SAYS(call(nvmap, GPUCMD_NVMAP_IOC_CREATE, &c), 22, "size", 0, 0, "handle 0");
    c.size = 4096;
    EQUAL(call(nvmap, GPUCMD_NVMAP_IOC_CREATE, &c), 0);
    memset(&m, 0, sizeof m);
    m.handle = c.handle;
    m.heap_mask = GPUCMD_NVMAP_HEAP_IOVMM;
    m.align = 3;
    SAYS(call(nvmap, GPUCMD_NVMAP_IOC_ALLOC, &m), 22, "align", 3, 0, "not a power of two");
    m.align = 4;
    m.numa_nid = 17;
    SAYS(call(nvmap, GPUCMD_NVMAP_IOC_ALLOC, &m), 22, "numa_nid", 17, 16, "not a node, limit 0x10");
    m.numa_nid = 0;
    m.handle = 0x7777;
    SAYS(call(nvmap, GPUCMD_NVMAP_IOC_ALLOC, &m), 22, "handle", 0x7777, 0, "not an nvmap handle");
    m.handle = c.handle;
    m.heap_mask |= GPUCMD_NVMAP_HEAP_IVM;
    SAYS(call(nvmap, GPUCMD_NVMAP_IOC_ALLOC, &m), 22, "heap_mask", m.heap_mask,
         GPUCMD_NVMAP_HEAP_IOVMM, "a heap");
    m.heap_mask = GPUCMD_NVMAP_HEAP_IOVMM;
    EQUAL(call(nvmap, GPUCMD_NVMAP_IOC_ALLOC, &m), 0);
}

/* A channel: address space, group, set-up, objects. */
static void channels(void)
{
    struct gpucmd_nvgpu_gpu_open_channel_args o;
    struct gpucmd_nvgpu_gpu_open_tsg_args g;
    struct gpucmd_nvgpu_as_bind_channel_args b;
    struct gpucmd_nvgpu_tsg_bind_channel_ex_args t;
    struct gpucmd_nvgpu_channel_setup_bind_args s;
    struct gpucmd_nvgpu_alloc_obj_ctx_args obj;
    struct gpucmd_nvgpu_channel_wdt_args wdt;
    boot();
    memset(&o, 0, sizeof o);
    o.in.runlist_id = -1;
    EQUAL(call(ctrl, GPUCMD_NVGPU_GPU_IOCTL_OPEN_CHANNEL, &o), 0);
    const int ch = o.out.channel_fd;
    memset(&s, 0, sizeof s);
    s.num_gpfifo_entries = 1024;
    s.flags = GPUCMD_NVGPU_SETUP_USERMODE | GPUCMD_NVGPU_SETUP_DETERMINISTIC;
    SAYS(call(ch, GPUCMD_NVGPU_IOCTL_CHANNEL_SETUP_BIND, &s), 22, "num_gpfifo_entries", 1024, 0,
         "no address space or no group");
    s.num_gpfifo_entries = 1023;
    SAYS(call(ch, GPUCMD_NVGPU_IOCTL_CHANNEL_SETUP_BIND, &s), 22, "num_gpfifo_entries", 1023, 2,
         "not a power of two");
    memset(&obj, 0, sizeof obj);
    obj.class_num = 0xc7c0;
    SAYS(call(ch, GPUCMD_NVGPU_IOCTL_CHANNEL_ALLOC_OBJ_CTX, &obj), 22, "class_num", 0xc7c0, 0,
         "no address space");
    b.channel_fd = (uint32_t)ctrl;
    SAYS(call(as, GPUCMD_NVGPU_AS_IOCTL_BIND_CHANNEL, &b), 22, "channel_fd", (uint64_t)ctrl, 0,
         "not a channel");
    b.channel_fd = (uint32_t)ch;
    EQUAL(call(as, GPUCMD_NVGPU_AS_IOCTL_BIND_CHANNEL, &b), 0);
    SAYS(call(as, GPUCMD_NVGPU_AS_IOCTL_BIND_CHANNEL, &b), 22, "channel_fd", (uint64_t)ch, 0,
         "the channel has an address space");
    memset(&g, 0, sizeof g);
    EQUAL(call(ctrl, GPUCMD_NVGPU_GPU_IOCTL_OPEN_TSG, &g), 0);
    memset(&t, 0, sizeof t);
    t.channel_fd = ch;
    t.subcontext_id = 64;
    SAYS(call((int)g.tsg_fd, GPUCMD_NVGPU_TSG_IOCTL_BIND_CHANNEL_EX, &t), 22, "subcontext_id", 64,
         63, "too large, limit 0x3f");
    t.subcontext_id = 0;
    EQUAL(call((int)g.tsg_fd, GPUCMD_NVGPU_TSG_IOCTL_BIND_CHANNEL_EX, &t), 0);
    SAYS(call((int)g.tsg_fd, GPUCMD_NVGPU_TSG_IOCTL_BIND_CHANNEL_EX, &t), 22, "channel_fd",
         (uint64_t)ch, GPUCMD_NVGPU_MAX_TSG_CHANNELS, "the channel has a group");
    SAYS(call(ch, GPUCMD_NVGPU_IOCTL_CHANNEL_SETUP_BIND, &s), 22, "num_gpfifo_entries", 1023, 2,
         "power of two");
    s.num_gpfifo_entries = 1024;
    SAYS(call(ch, GPUCMD_NVGPU_IOCTL_CHANNEL_SETUP_BIND, &s), 22, "flags", s.flags, 0,
         "with a watchdog");
    memset(&wdt, 0, sizeof wdt);
    wdt.wdt_status = GPUCMD_NVGPU_WDT_DISABLE;
    EQUAL(call(ch, GPUCMD_NVGPU_IOCTL_CHANNEL_WDT, &wdt), 0);
    s.num_gpfifo_entries = 8192; /* 65536 bytes into 0x8000 */
    s.gpfifo_dmabuf_fd = buffer;
    s.userd_dmabuf_fd = buffer;
    SAYS(call(ch, GPUCMD_NVGPU_IOCTL_CHANNEL_SETUP_BIND, &s), 22, "num_gpfifo_entries", 8192,
         0x8000, "do not fit into the bytes of the buffer, limit 0x8000");
    s.num_gpfifo_entries = 1024;
    s.gpfifo_dmabuf_fd = 0;
    SAYS(call(ch, GPUCMD_NVGPU_IOCTL_CHANNEL_SETUP_BIND, &s), 22, "gpfifo_dmabuf_fd", 0, 0,
         "no buffer");
    s.gpfifo_dmabuf_fd = 88;
    SAYS(call(ch, GPUCMD_NVGPU_IOCTL_CHANNEL_SETUP_BIND, &s), 9, "fd", 88, 0, "buffer 88");
    obj.class_num = 0x1234;
    SAYS(call(ch, GPUCMD_NVGPU_IOCTL_CHANNEL_ALLOC_OBJ_CTX, &obj), 22, "class_num", 0x1234, 0,
         "not a class");
    obj.class_num = 0xc7c0;
    EQUAL(call(ch, GPUCMD_NVGPU_IOCTL_CHANNEL_ALLOC_OBJ_CTX, &obj), 0);
}

/* Use the writer of test.h, so that the compiler does not report it as unused. */
static void shapes(void)
{
    EMITS(WORDS(0), gpucmd_nv_emit_nop(&w));
}

int main(void)
{
    maps();
    spaces();
    handles();
    channels();
    shapes();
    return test_report("nv_nvgpu_members");
}

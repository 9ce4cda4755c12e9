/* The library's system calls and their arguments against the reference trace and the orders of the
 * facts (6.6, 3.6, 6.5), typed from there. Then answers that the model kernel does not give: addresses
 * out of range, dirty memory, another directory of the clock. */
/* suite: kernel */
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"
#include "test.h"

#include "nv/nvgpu.h"

static gpucmd_nvgpu g;
static gpucmd_sys_ops inner; /* of the model kernel */

/* ---- a script of calls ---- */

typedef struct call {
    const char *what; /* path, "close", "ioctl", "mmap", "munmap" */
    int fd;
    uint32_t number; /* ioctl number; flags of mmap; bytes of munmap */
    const void *arg; /* expected argument before the call; NULL: not compared */
    uint64_t value;  /* of FREE; else size of *arg; bytes of mmap */
    uint64_t off;    /* of mmap */
} call;

static const call *script; /* ends with what NULL */
static unsigned line;

/* Return the next row of the script, which must be this call; NULL: no script is active. */
static const call *next(const char *what, int fd, uint32_t number)
{
    const call *const c = script;
    if (c == NULL) {
        return NULL;
    }
    line++;
    if (c->what == NULL || strcmp(c->what, what) != 0 || c->fd != fd || c->number != number) {
        printf("call %u: %s fd %d %x, expected %s fd %d %x\n", line, what, fd, number,
               c->what != NULL ? c->what : "nothing", c->fd, c->number);
        CHECK(false);
        script = NULL;
        return NULL;
    }
    CHECK(true);
    script++;
    return c;
}

static int on_open(void *user, const char *path, uint32_t flags)
{
    (void)next(path, 0, flags);
    return inner.sys_open(user, path, flags);
}

static int on_close(void *user, int fd)
{
    (void)next("close", fd, 0);
    CHECK(fd > 2); /* what was not opened is not closed */
    return inner.sys_close(user, fd);
}

static int on_ioctl(void *user, int fd, uint32_t number, void *arg)
{
    const call *const c = next("ioctl", fd, number);
    if (c != NULL && number == 0x4e04) {
        EQUAL((uintptr_t)arg, c->value);
    } else if (c != NULL && c->arg != NULL && memcmp(arg, c->arg, (size_t)c->value) != 0) {
        printf("call %u: argument of %s\n", line, gpucmd_nvgpu_ioctl_name(number));
        CHECK(false);
    }
    return inner.sys_ioctl(user, fd, number, arg);
}

static int on_mmap(void *user, gpucmd_sys_map *map)
{
    const call *const c = next("mmap", map->fd, map->flags);
    if (c != NULL) {
        EQUAL(map->len_bytes, c->value);
        EQUAL(map->prot, 3);
        EQUAL(map->off_bytes, c->off);
    }
    return inner.sys_mmap(user, map);
}

static int on_munmap(void *user, void *addr, size_t len_bytes)
{
    (void)next("munmap", 0, (uint32_t)len_bytes);
    return inner.sys_munmap(user, addr, len_bytes);
}

static void listen(const call *calls)
{
    test_dirty(); /* none of these bytes may get into an argument */
    script = calls;
    line = 0;
}

static void heard_all(void)
{
    CHECK(script != NULL && script->what == NULL);
    script = NULL;
}

static void setup(void)
{
    nvgpu_setup();
    inner = sys;
    sys.sys_open = on_open;
    sys.sys_close = on_close;
    sys.sys_ioctl = on_ioctl;
    sys.sys_mmap = on_mmap;
    sys.sys_munmap = on_munmap;
    script = NULL;
}

/* ---- arguments, typed from the facts ---- */

/* clang-format off */
#define IOCTL(fd, number, arg)         {"ioctl", fd, number, &(arg), sizeof(arg), 0}
#define FREE(handle)                   {"ioctl", 3, 0x4e04, NULL, handle, 0}
#define MMAP(fd, flags, bytes)         {"mmap", fd, flags, NULL, bytes, 0}
#define MMAP_AT(fd, flags, bytes, off) {"mmap", fd, flags, NULL, bytes, off}
#define SHUT(fd)                       {"close", fd, 0, NULL, 0, 0}
#define UNMAP(bytes)                   {"munmap", 0, bytes, NULL, 0, 0}
#define END                            {NULL, 0, 0, NULL, 0, 0}
/* clang-format on */

static struct gpucmd_nvgpu_gpu_get_characteristics read_gpu = {328, 0};
static const struct gpucmd_nvgpu_alloc_as_args alloc_as = {.flags = 2,
                                                           .va_range_start = 0x200000,
                                                           .va_range_end = 0xff00000000};
static const struct gpucmd_nvgpu_as_alloc_space_args local = {.pages = 262144,
                                                              .page_size = 4096,
                                                              .flags = 1,
                                                              .o_a.offset = 0xfd00000000};
static const struct gpucmd_nvgpu_as_alloc_space_args shared = {.pages = 262144,
                                                               .page_size = 4096,
                                                               .flags = 1,
                                                               .o_a.offset = 0xfe00000000};
static const struct gpucmd_nvgpu_gpu_open_tsg_args open_tsg = {.tsg_fd = 0};
static const struct gpucmd_nvgpu_tsg_create_subcontext_args subcontext = {.type = 1, .as_fd = 5};
static const struct gpucmd_nvgpu_gpu_open_channel_args run_list = {.in.runlist_id = -1};
static const struct gpucmd_nvgpu_channel_wdt_args watchdog = {1, 0};
static const struct gpucmd_nvgpu_alloc_obj_ctx_args compute_obj = {0xc7c0, 0, 0};
static const struct gpucmd_nvgpu_alloc_obj_ctx_args copy_obj = {0xc7b5, 0, 0};

static const struct gpucmd_nvmap_create_handle size_64k = {.size = 0x10000};
static const struct gpucmd_nvmap_create_handle size_8k = {.size = 8192};
static const struct gpucmd_nvmap_create_handle size_4k = {.size = 4096};

/* Return the n-th handle of the model kernel. */
#define HANDLE(n) (0x7fffffffu + (n))
#define ALLOC(n)                                                                                   \
    {                                                                                              \
        HANDLE(n), 0x40000000, 0x09000001, 4096, 0                                                 \
    }
#define GET_FD(n)                                                                                  \
    {                                                                                              \
        .size = 0, .handle = HANDLE(n)                                                             \
    }
#define AS_BIND(c)                                                                                 \
    {                                                                                              \
        .channel_fd = (c)                                                                          \
    }

static const struct gpucmd_nvmap_alloc_handle alloc[5] = {ALLOC(0), ALLOC(1), ALLOC(2), ALLOC(3),
                                                          ALLOC(4)};
static const struct gpucmd_nvmap_create_handle get_fd[5] = {GET_FD(0), GET_FD(1), GET_FD(2),
                                                            GET_FD(3), GET_FD(4)};
static const struct gpucmd_nvgpu_as_map_buffer_ex_args map_area = {.compr_kind = -1,
                                                                   .incompr_kind = 0,
                                                                   .dmabuf_fd = 7,
                                                                   .page_size = 4096};
static const struct gpucmd_nvgpu_as_bind_channel_args bind_as[2] = {AS_BIND(8), AS_BIND(11)};
static const struct gpucmd_nvgpu_tsg_bind_channel_ex_args bind_tsg[2] = {
    {.channel_fd = 8,  .subcontext_id = 1},
    {.channel_fd = 11, .subcontext_id = 1}
};
static const struct gpucmd_nvgpu_channel_setup_bind_args setup_bind[2] = {
    {.num_gpfifo_entries = 1024, .flags = 0x0a, .userd_dmabuf_fd = 10, .gpfifo_dmabuf_fd = 9 },
    {.num_gpfifo_entries = 1024, .flags = 0x0a, .userd_dmabuf_fd = 13, .gpfifo_dmabuf_fd = 12}
};
static const struct gpucmd_nvgpu_as_unmap_buffer_args unmap_area = {0x200000};

/* Rows 1 to 7 of the reference trace, then 8. Nodes are opened with O_RDWR | O_CLOEXEC. */
static const call start_calls[] = {
    {"/dev/nvmap",            0, 0x80002, NULL, 0, 0},
    {"/dev/nvgpu/igpu0/ctrl", 0, 0x80002, NULL, 0, 0},
    IOCTL(4, 0xc0104705, read_gpu),
    IOCTL(4, 0xc0404708, alloc_as),
    IOCTL(5, 0xc0204106, local),
    IOCTL(5, 0xc0204106, shared),
    MMAP(4, 1, 65536),
    IOCTL(4, 0xc0184709, open_tsg),
    END,
};

/* Row 9. The GPU addresses are not in the model's memory: the first mmap fails. */
static const call area_calls[] = {
    IOCTL(3, 0xc0084e00, size_64k),
    IOCTL(3, 0x40144e03, alloc[0]),
    IOCTL(3, 0xc0084e0f, get_fd[0]),
    IOCTL(5, 0xc0284107, map_area),
    MMAP(7, 0x100001, 0x10000),
    MMAP(7, 1, 0x10000),
    END,
};

/* Rows 10 to 19. Ring and USERD are also mapped, to clear them. */
static const call compute_calls[] = {
    IOCTL(6, 0xc0105412, subcontext),
    IOCTL(4, 0xc004470b, run_list),
    IOCTL(5, 0xc0044101, bind_as[0]),
    IOCTL(6, 0xc018540b, bind_tsg[0]),
    IOCTL(8, 0x40084877, watchdog),
    IOCTL(3, 0xc0084e00, size_8k),
    IOCTL(3, 0x40144e03, alloc[1]),
    IOCTL(3, 0xc0084e0f, get_fd[1]),
    MMAP(9, 1, 8192),
    UNMAP(8192),
    IOCTL(3, 0xc0084e00, size_4k),
    IOCTL(3, 0x40144e03, alloc[2]),
    IOCTL(3, 0xc0084e0f, get_fd[2]),
    MMAP(10, 1, 4096),
    UNMAP(4096),
    IOCTL(8, 0xc0684880, setup_bind[0]),
    MMAP(9, 0x11, 8192),
    MMAP(10, 0x11, 4096),
    IOCTL(8, 0xc010486c, compute_obj),
    END,
};

/* Row 20, without an area. */
static const call copy_calls[] = {
    IOCTL(4, 0xc004470b, run_list),
    IOCTL(5, 0xc0044101, bind_as[1]),
    IOCTL(6, 0xc018540b, bind_tsg[1]),
    IOCTL(11, 0x40084877, watchdog),
    IOCTL(3, 0xc0084e00, size_8k),
    IOCTL(3, 0x40144e03, alloc[3]),
    IOCTL(3, 0xc0084e0f, get_fd[3]),
    MMAP(12, 1, 8192),
    IOCTL(3, 0xc0084e00, size_4k),
    IOCTL(3, 0x40144e03, alloc[4]),
    IOCTL(3, 0xc0084e0f, get_fd[4]),
    MMAP(13, 1, 4096),
    IOCTL(11, 0xc0684880, setup_bind[1]),
    IOCTL(11, 0xc010486c, copy_obj),
    END,
};

/* A channel is closed before its memory is freed. There is no UNMAP_BUFFER. */
static const call copy_close_calls[] = {
    SHUT(11), UNMAP(8192), SHUT(12), FREE(HANDLE(3)), UNMAP(4096), SHUT(13), FREE(HANDLE(4)), END,
};

/* A buffer: UNMAP_BUFFER, munmap, close, FREE. */
static const call area_free_calls[] = {
    IOCTL(5, 0xc0084105, unmap_area), UNMAP(0x10000), SHUT(7), FREE(HANDLE(0)), END,
};

/* Doorbell page, group, address space, nvmap, control. */
static const call close_calls[] = {
    UNMAP(0x10000), SHUT(6), SHUT(5), SHUT(3), SHUT(4), END,
};

static void reference(void)
{
    gpucmd_nvgpu_buffer_req breq;
    gpucmd_nvgpu_channel_req creq;
    gpucmd_nvgpu_buffer area;
    gpucmd_nvgpu_channel compute;
    gpucmd_nvgpu_channel copy;
    setup();
    read_gpu.gpu_characteristics_buf_addr = (uintptr_t)&g.gpu;
    listen(start_calls);
    EQUAL(gpucmd_nvgpu_open(&g, &sys), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_alloc_as(&g), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_map_usermode(&g), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_open_tsg(&g), GPUCMD_OK);
    heard_all();
    listen(area_calls);
    gpucmd_nvgpu_buffer_req_init(&breq, 0x10000, false);
    EQUAL(gpucmd_nvgpu_buffer_alloc(&g, &breq, &area), GPUCMD_OK);
    heard_all();
    listen(compute_calls);
    EQUAL(gpucmd_nvgpu_create_subcontext(&g), GPUCMD_OK);
    gpucmd_nvgpu_channel_req_init(&creq);
    creq.area = &area;
    creq.userd_off_bytes = 0x2000;
    EQUAL(gpucmd_nvgpu_channel_open(&g, &creq, &compute), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_channel_alloc_obj(&g, &compute, g.gpu.compute_class), GPUCMD_OK);
    heard_all();
    listen(copy_calls);
    creq.area = NULL;
    EQUAL(gpucmd_nvgpu_channel_open(&g, &creq, &copy), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_channel_alloc_obj(&g, &copy, g.gpu.dma_copy_class), GPUCMD_OK);
    heard_all();
    EQUAL(compute.token, 511);
    EQUAL(copy.token, 510);
    listen(copy_close_calls);
    gpucmd_nvgpu_channel_close(&g, &copy);
    heard_all();
    gpucmd_nvgpu_channel_close(&g, &compute);
    listen(area_free_calls);
    gpucmd_nvgpu_buffer_free(&g, &area);
    heard_all();
    listen(close_calls);
    gpucmd_nvgpu_close(&g);
    heard_all();
    EQUAL(nvgpu_alive(), 0);
}

/* ---- descriptor 0 ---- */

/* open returns the lowest free descriptor, which is 0 if the process has closed its standard input.
 * The functions below show descriptor `zero` of the model kernel as 0. */
static int zero;
static unsigned zero_closed;

static int rename_fd(int fd)
{
    return fd == zero ? 0 : fd == 0 ? zero : fd;
}

/* Rename the descriptors in the argument of an ioctl: those that are read, or those that are written.
 * Offsets of members from section 2 of the facts. */
static void rename_arg(uint32_t number, void *arg, bool written)
{
    static const struct {
        uint32_t number;
        size_t off_bytes;
        bool written;
    } rows[] = {
        {0xc0404708, 4,  true }, /* ALLOC_AS as_fd */
        {0xc0184709, 0,  true }, /* OPEN_TSG tsg_fd */
        {0xc004470b, 0,  true }, /* OPEN_CHANNEL channel_fd */
        {0xc0084e0f, 0,  true }, /* GET_FD fd */
        {0xc0105412, 4,  false}, /* CREATE_SUBCONTEXT as_fd */
        {0xc018540b, 0,  false}, /* TSG BIND_CHANNEL_EX channel_fd */
        {0xc0044101, 0,  false}, /* AS BIND_CHANNEL channel_fd */
        {0xc0284107, 8,  false}, /* MAP_BUFFER_EX dmabuf_fd */
        {0xc0684880, 12, false}, /* SETUP_BIND userd_dmabuf_fd */
        {0xc0684880, 16, false}, /* SETUP_BIND gpfifo_dmabuf_fd */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].number == number && rows[i].written == written) {
            int fd;
            memcpy(&fd, (uint8_t *)arg + rows[i].off_bytes, sizeof fd);
            fd = rename_fd(fd);
            memcpy((uint8_t *)arg + rows[i].off_bytes, &fd, sizeof fd);
        }
    }
}

static int zero_open(void *user, const char *path, uint32_t flags)
{
    return rename_fd(inner.sys_open(user, path, flags));
}

static int zero_close(void *user, int fd)
{
    zero_closed += fd == 0;
    return inner.sys_close(user, rename_fd(fd));
}

static int zero_ioctl(void *user, int fd, uint32_t number, void *arg)
{
    int result;
    rename_arg(number, arg, false);
    result = inner.sys_ioctl(user, rename_fd(fd), number, arg);
    rename_arg(number, arg, false);
    if (result == 0) {
        rename_arg(number, arg, true);
    }
    return result;
}

static int64_t zero_read(void *user, int fd, void *to, size_t len_bytes)
{
    return inner.sys_read(user, rename_fd(fd), to, len_bytes);
}

static int64_t zero_write(void *user, int fd, const void *from, size_t len_bytes)
{
    return inner.sys_write(user, rename_fd(fd), from, len_bytes);
}

static int zero_mmap(void *user, gpucmd_sys_map *map)
{
    gpucmd_sys_map own = *map;
    own.fd = rename_fd(map->fd);
    const int result = inner.sys_mmap(user, &own);
    map->addr = own.addr;
    return result;
}

static void zero_setup(void)
{
    setup();
    sys.sys_open = zero_open;
    sys.sys_close = zero_close;
    sys.sys_ioctl = zero_ioctl;
    sys.sys_read = zero_read;
    sys.sys_write = zero_write;
    sys.sys_mmap = zero_mmap;
    zero_closed = 0;
}

/* Each descriptor of the reference trace, 3 to 13, is 0 once. */
static void descriptor_0(void)
{
    for (zero = 3; zero <= 13; zero++) {
        gpucmd_nvgpu_buffer_req breq;
        gpucmd_nvgpu_channel_req creq;
        gpucmd_nvgpu_buffer area;
        gpucmd_nvgpu_channel channels[2];
        zero_setup();
        EQUAL(gpucmd_nvgpu_start(&g, &sys), GPUCMD_OK);
        EQUAL(gpucmd_nvgpu_alloc_as(&g), GPUCMD_ORDER); /* each exists */
        EQUAL(gpucmd_nvgpu_open_tsg(&g), GPUCMD_ORDER);
        gpucmd_nvgpu_buffer_req_init(&breq, 0x10000, false);
        EQUAL(gpucmd_nvgpu_buffer_alloc(&g, &breq, &area), GPUCMD_OK);
        for (unsigned i = 0; i < 2; i++) {
            gpucmd_nvgpu_channel_req_init(&creq);
            creq.area = i == 0 ? &area : NULL;
            creq.userd_off_bytes = 0x2000;
            EQUAL(gpucmd_nvgpu_channel_open(&g, &creq, &channels[i]), GPUCMD_OK);
        }
        gpucmd_nvgpu_channel_close(&g, &channels[1]);
        gpucmd_nvgpu_channel_close(&g, &channels[0]);
        gpucmd_nvgpu_buffer_free(&g, &area);
        gpucmd_nvgpu_close(&g);
        EQUAL(nvgpu_alive(), 0);
        EQUAL(zero_closed, 1);
    }
}

/* The files of the clock: max_freq and min_freq are read, min_freq is written. */
static void clock_descriptor_0(void)
{
    char saved[24] = {0};
    uint32_t saved_bytes = 0;
    zero = 5;
    zero_setup();
    m.root = true;
    EQUAL(gpucmd_nvgpu_open(&g, &sys), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_boost(&g, saved, &saved_bytes), GPUCMD_OK);
    EQUAL(m.min_freq, 1300500000);
    EQUAL(zero_closed, 3);
    EQUAL(gpucmd_nvgpu_unboost(&g, saved, saved_bytes), GPUCMD_OK);
    EQUAL(m.min_freq, 306000000);
    EQUAL(zero_closed, 4);
    gpucmd_nvgpu_close(&g);
    EQUAL(nvgpu_alive(), 0);
}

/* A start that fails closes what it has opened, and nothing else: on_close checks it. */
static void failed_start(void)
{
    setup();
    for (uint32_t k = 1; k <= 9; k++) {
        m.fail_at = k;
        EQUAL(gpucmd_nvgpu_start(&g, &sys), GPUCMD_FAULT);
        EQUAL(m.fail_at, 0);
        CHECK(g.nvmap_fd == -1 && g.ctrl_fd == -1 && g.as_fd == -1 && g.tsg_fd == -1);
        EQUAL(nvgpu_alive(), 0);
    }
}

/* CREATE has a 32-bit size; 4 GiB and more need CREATE_64. */
static void wide_sizes(void)
{
    static const struct gpucmd_nvmap_create_handle most = {.size = 0xfffff000};
    static const struct gpucmd_nvmap_create_handle wide = {.size64 = 0x100000000};
    const call calls[] = {
        IOCTL(3, 0xc0084e00, most),
        IOCTL(3, 0x40144e03, alloc[0]),
        FREE(HANDLE(0)),
        IOCTL(3, 0xc0084e01, wide),
        IOCTL(3, 0x40144e03, alloc[1]),
        FREE(HANDLE(1)),
        END,
    };
    gpucmd_nvgpu_buffer_req req;
    gpucmd_nvgpu_buffer b;
    setup();
    EQUAL(gpucmd_nvgpu_open(&g, &sys), GPUCMD_OK);
    listen(calls);
    gpucmd_nvgpu_buffer_req_init(&req, 0xffffefff, false); /* more than the model has */
    req.map_gpu = false;
    EQUAL(gpucmd_nvgpu_buffer_alloc(&g, &req, &b), GPUCMD_FAULT);
    req.bytes = 0xfffff001;
    EQUAL(gpucmd_nvgpu_buffer_alloc(&g, &req, &b), GPUCMD_FAULT);
    heard_all();
    EQUAL(g.step, GPUCMD_NVGPU_STEP_ALLOC);
    EQUAL(g.error, 12);
    gpucmd_nvgpu_close(&g);
    EQUAL(nvgpu_alive(), 0);
}

/* ---- calls that fail alone, not inside gpucmd_nvgpu_start ---- */

static void alone(void)
{
    setup();
    EQUAL(gpucmd_nvgpu_open(&g, &sys), GPUCMD_OK);
    const uint64_t opened = nvgpu_alive();
    for (uint32_t k = 1; k <= 3; k++) {
        m.fail_at = k;
        EQUAL(gpucmd_nvgpu_alloc_as(&g), GPUCMD_FAULT);
        EQUAL(g.step, k == 1 ? GPUCMD_NVGPU_STEP_ALLOC_AS : GPUCMD_NVGPU_STEP_ALLOC_SPACE);
        EQUAL(g.error, 12);
        EQUAL(g.as_fd, -1);
        EQUAL(nvgpu_alive(), opened);
    }
    EQUAL(gpucmd_nvgpu_alloc_as(&g), GPUCMD_OK);
    m.fail_at = 1;
    EQUAL(gpucmd_nvgpu_map_usermode(&g), GPUCMD_FAULT);
    EQUAL(gpucmd_nvgpu_map_usermode(&g), GPUCMD_OK);
    m.fail_at = 1;
    EQUAL(gpucmd_nvgpu_open_tsg(&g), GPUCMD_FAULT);
    EQUAL(gpucmd_nvgpu_open_tsg(&g), GPUCMD_OK);
    m.fail_at = 1;
    EQUAL(gpucmd_nvgpu_create_subcontext(&g), GPUCMD_FAULT);
    EQUAL(gpucmd_nvgpu_create_subcontext(&g), GPUCMD_OK);
    EQUAL(g.veid, 1);
    gpucmd_nvgpu_close(&g);
    EQUAL(nvgpu_alive(), 0);
}

/* What the caller may set between open and alloc_as, one wrong member at a time. */
static void own_windows(void)
{
    static const struct {
        uint64_t start;
        uint64_t local;
        uint64_t shared;
        uint64_t bytes;
        gpucmd_status status;
    } rows[] = {
        {0x200000,     0xfd00000000,       0xfe00000000,       0x40000000,   GPUCMD_OK   },
        {0x200000,     0xfd00000000,       0xfe00000000,       0,            GPUCMD_RANGE},
        {0x200000,     0xfd00000000,       0xfe00000000,       0x40000800,   GPUCMD_ALIGN},
        {0x200000,     0xfd00000800,       0xfe00000000,       0x40000000,   GPUCMD_ALIGN},
        {0x200000,     0xfd00000000,       0xfe00000800,       0x40000000,   GPUCMD_ALIGN},
        {0x201000,     0xfd00000000,       0xfe00000000,       0x40000000,   GPUCMD_ALIGN},
        {0x200000,     0x1ff000,           0xfe00000000,       0x40000000,   GPUCMD_RANGE},
        {0x200000,     0xfec0001000,       0xfe00000000,       0x40000000,   GPUCMD_RANGE},
        {0x200000,     0xfd00000000,       0xfec0001000,       0x40000000,   GPUCMD_RANGE},
        {0x200000,     0xfd00000000,       0xff00000000,       0x40000000,   GPUCMD_RANGE},
        {0x200000,     0xfffffffffffff000, 0xfe00000000,       0x40000000,   GPUCMD_RANGE},
        {0x200000,     0xfd00000000,       0xfffffffffffff000, 0x40000000,   GPUCMD_RANGE},
        {0x200000,     0xfdc0000000,       0xfe00000000,       0x40001000,   GPUCMD_RANGE},
        {0x200000,     0xfe00000000,       0xfe00000000,       0x1000,       GPUCMD_RANGE},
        {0x200000,     0xfdc0000000,       0xfe00000000,       0x40000000,   GPUCMD_OK   },
        {0xff00000000, 0xfd00000000,       0xfe00000000,       0x40000000,   GPUCMD_RANGE},
        {0x200000,     0xfd00000000,       0xfe00000000,       0x8000000000, GPUCMD_RANGE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        setup();
        EQUAL(gpucmd_nvgpu_open(&g, &sys), GPUCMD_OK);
        g.first_va = rows[i].start;
        g.local_va = rows[i].local;
        g.shared_va = rows[i].shared;
        g.window_bytes = rows[i].bytes;
        test_equal(gpucmd_nvgpu_alloc_as(&g), rows[i].status, __FILE__, __LINE__, "row");
        EQUAL(g.error, 0);
        gpucmd_nvgpu_close(&g);
        EQUAL(nvgpu_alive(), 0);
    }
}

/* ---- a kernel that answers otherwise ---- */

static uint64_t told_va; /* what MAP_BUFFER_EX returns instead of the address */
static uint64_t true_va;

static int lying_ioctl(void *user, int fd, uint32_t number, void *arg)
{
    struct gpucmd_nvgpu_as_map_buffer_ex_args *const a =
        (struct gpucmd_nvgpu_as_map_buffer_ex_args *)arg;
    uint64_t *const va = (uint64_t *)arg;
    if (number == 0xc0084105 && *va == told_va) {
        *va = true_va;
    }
    const int result = inner.sys_ioctl(user, fd, number, arg);
    if (number == 0xc0284107 && result == 0) {
        true_va = a->offset;
        a->offset = told_va;
    }
    return result;
}

/* No buffer may lie outside the process's part or in a window, even if the kernel returns it. */
static void bad_addresses(void)
{
    static const struct {
        uint64_t va;
        gpucmd_status status;
    } rows[] = {
        {0x300000,           GPUCMD_OK   },
        {0x1fe000,           GPUCMD_RANGE},
        {0x1ff000,           GPUCMD_RANGE},
        {0xfcffffe000,       GPUCMD_OK   },
        {0xfcfffff000,       GPUCMD_RANGE},
        {0xfd00000000,       GPUCMD_RANGE},
        {0xfd3ffff000,       GPUCMD_RANGE},
        {0xfd40000000,       GPUCMD_OK   },
        {0xfdfffff000,       GPUCMD_RANGE},
        {0xfe3ffff000,       GPUCMD_RANGE},
        {0xfe40000000,       GPUCMD_OK   },
        {0xfeffffe000,       GPUCMD_OK   },
        {0xfefffff000,       GPUCMD_RANGE},
        {0xff00000000,       GPUCMD_RANGE},
        {0x10000000000,      GPUCMD_RANGE},
        {0xfffffffffffff000, GPUCMD_RANGE},
    };
    gpucmd_nvgpu_buffer_req req;
    gpucmd_nvgpu_buffer b;
    setup();
    EQUAL(gpucmd_nvgpu_start(&g, &sys), GPUCMD_OK);
    sys.sys_ioctl = lying_ioctl;
    const uint64_t before = nvgpu_alive();
    gpucmd_nvgpu_buffer_req_init(&req, 8192, true);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        told_va = rows[i].va;
        const gpucmd_status status = gpucmd_nvgpu_buffer_alloc(&g, &req, &b);
        EQUAL(status, rows[i].status);
        if (status == GPUCMD_OK) {
            EQUAL(b.va, told_va);
            gpucmd_nvgpu_buffer_free(&g, &b);
        } else {
            EQUAL(g.step, GPUCMD_NVGPU_STEP_MAP_BUFFER_EX);
            EQUAL(g.error, 0);
        }
        EQUAL(nvgpu_alive(), before);
    }
    gpucmd_nvgpu_close(&g);
    EQUAL(nvgpu_alive(), 0);
}

static int dirty_mmap(void *user, gpucmd_sys_map *map)
{
    const int result = inner.sys_mmap(user, map);
    if (result == 0 && (map->flags & 0x10) == 0) {
        memset(map->addr, 0xee, map->len_bytes);
    }
    return result;
}

static unsigned clean_bytes;

static int checking_ioctl(void *user, int fd, uint32_t number, void *arg)
{
    if (number == 0xc0684880) {
        const struct gpucmd_nvgpu_channel_setup_bind_args *const a =
            (const struct gpucmd_nvgpu_channel_setup_bind_args *)arg;
        const gpucmd_nvgpu_kernel_buffer *const ring = &m.buffers[m.files[a->gpfifo_dmabuf_fd].idx];
        const gpucmd_nvgpu_kernel_buffer *const page = &m.buffers[m.files[a->userd_dmabuf_fd].idx];
        for (unsigned i = 0; i < 8192; i++) {
            clean_bytes += ring->cpu[i] == 0;
        }
        for (unsigned i = 0; i < 4096; i++) {
            clean_bytes += page->cpu[i] == 0;
        }
    }
    return inner.sys_ioctl(user, fd, number, arg);
}

/* SETUP_BIND gets a cleared ring and USERD, also from used memory. */
static void dirty_memory(void)
{
    gpucmd_nvgpu_channel_req req;
    gpucmd_nvgpu_channel c;
    setup();
    EQUAL(gpucmd_nvgpu_start(&g, &sys), GPUCMD_OK);
    sys.sys_mmap = dirty_mmap;
    sys.sys_ioctl = checking_ioctl;
    clean_bytes = 0;
    gpucmd_nvgpu_channel_req_init(&req);
    EQUAL(gpucmd_nvgpu_channel_open(&g, &req, &c), GPUCMD_OK);
    EQUAL(clean_bytes, 8192 + 4096);
    gpucmd_nvgpu_channel_close(&g, &c);
    gpucmd_nvgpu_close(&g);
    EQUAL(nvgpu_alive(), 0);
}

/* ---- the subcontext and its last channel ---- */

/* Any call of the first channel fails: the subcontext may be gone with it, and the next channel works
 * all the same. */
static void first_channel_fails(void)
{
    gpucmd_nvgpu_channel_req req;
    gpucmd_nvgpu_channel c;
    gpucmd_nvgpu_channel second;
    gpucmd_nvgpu_channel_req_init(&req);
    for (uint32_t k = 1; k <= 13; k++) {
        setup();
        EQUAL(gpucmd_nvgpu_start(&g, &sys), GPUCMD_OK);
        const uint64_t before = nvgpu_alive();
        m.fail_at = k;
        EQUAL(gpucmd_nvgpu_channel_open(&g, &req, &c), GPUCMD_FAULT);
        EQUAL(m.fail_at, 0);
        EQUAL(nvgpu_alive(), before);
        EQUAL(gpucmd_nvgpu_channel_open(&g, &req, &c), GPUCMD_OK);
        EQUAL(gpucmd_nvgpu_channel_open(&g, &req, &second), GPUCMD_OK);
        EQUAL(m.channels[0].veid, 1);
        EQUAL(m.channels[1].veid, 1);
        EQUAL(m.tsgs[0].reserved, 2);
        gpucmd_nvgpu_channel_close(&g, &c);
        gpucmd_nvgpu_channel_close(&g, &second);
        gpucmd_nvgpu_close(&g);
        EQUAL(nvgpu_alive(), 0);
    }
}

static void subcontext_again(void)
{
    static const struct gpucmd_nvgpu_tsg_delete_subcontext_args one = {1, 0};
    const call none[] = {END};
    const call remove[] = {IOCTL(6, 0x40085413, one), END};
    gpucmd_nvgpu_channel_req req;
    gpucmd_nvgpu_channel a;
    gpucmd_nvgpu_channel b;
    setup();
    EQUAL(gpucmd_nvgpu_start(&g, &sys), GPUCMD_OK);
    listen(remove);
    test_dirty(); /* also where the frame of listen is */
    gpucmd_nvgpu_delete_subcontext(&g);
    heard_all();
    EQUAL(m.tsgs[0].reserved, 0);
    listen(none);
    gpucmd_nvgpu_delete_subcontext(&g); /* there is none */
    gpucmd_nvgpu_channel_req_init(&req);
    EQUAL(gpucmd_nvgpu_channel_open(&g, &req, &a), GPUCMD_ORDER);
    heard_all();
    EQUAL(gpucmd_nvgpu_create_subcontext(&g), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_channel_open(&g, &req, &a), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_channel_open(&g, &req, &b), GPUCMD_OK);
    gpucmd_nvgpu_channel_close(&g, &a);
    listen(none);
    gpucmd_nvgpu_delete_subcontext(&g); /* the other channel has it */
    EQUAL(gpucmd_nvgpu_create_subcontext(&g), GPUCMD_ORDER);
    heard_all();
    EQUAL(m.tsgs[0].reserved, 2);
    gpucmd_nvgpu_channel_close(&g, &b);
    gpucmd_nvgpu_channel_close(&g, &b);
    EQUAL(m.tsgs[0].reserved, 0);
    m.fail_at = 1; /* CREATE_SUBCONTEXT fails; the next call tries again */
    EQUAL(gpucmd_nvgpu_channel_open(&g, &req, &a), GPUCMD_FAULT);
    EQUAL(g.step, GPUCMD_NVGPU_STEP_CREATE_SUBCONTEXT);
    EQUAL(gpucmd_nvgpu_channel_open(&g, &req, &a), GPUCMD_OK);
    EQUAL(m.tsgs[0].reserved, 2);
    gpucmd_nvgpu_channel_close(&g, &a);
    listen(none);
    gpucmd_nvgpu_delete_subcontext(&g); /* gone already */
    heard_all();
    gpucmd_nvgpu_close(&g);
    EQUAL(nvgpu_alive(), 0);
}

/* ---- translation: every row of the facts' tables ---- */

static unsigned warnings;

static void warn(void *user, bool is_control, uint32_t number)
{
    (void)user;
    (void)is_control;
    (void)number;
    warnings++;
}

static void rm_classes(void)
{
    static const struct {
        uint32_t number;
        gpucmd_status status;
        unsigned calls; /* of the kernel */
        unsigned warnings;
    } rows[] = {
        {0x0000, GPUCMD_OK,          0, 0}, /* NV01_ROOT */
        {0x0041, GPUCMD_OK,          0, 0}, /* NV01_ROOT_CLIENT */
        {0x0080, GPUCMD_OK,          0, 0}, /* NV01_DEVICE_0 */
        {0x2080, GPUCMD_OK,          0, 0}, /* NV20_SUBDEVICE_0 */
        {0x9067, GPUCMD_ORDER,       0, 0}, /* FERMI_CONTEXT_SHARE_A, before what it needs */
        {0x0070, GPUCMD_OK,          3, 0}, /* NV01_MEMORY_VIRTUAL */
        {0x90f1, GPUCMD_OK,          0, 0}, /* FERMI_VASPACE_A */
        {0xa06c, GPUCMD_OK,          1, 0}, /* KEPLER_CHANNEL_GROUP_A */
        {0xa06c, GPUCMD_ORDER,       0, 0},
        {0x9067, GPUCMD_OK,          1, 0},
        {0xc56f, GPUCMD_RANGE,       0, 0}, /* AMPERE_CHANNEL_GPFIFO_A, without parameters */
        {0xc76f, GPUCMD_RANGE,       0, 0}, /* AMPERE_CHANNEL_GPFIFO_B */
        {0xc7c0, GPUCMD_ORDER,       0, 0}, /* AMPERE_COMPUTE_B, not below a channel */
        {0xc7b5, GPUCMD_ORDER,       0, 0}, /* AMPERE_DMA_COPY_B */
        {0x83de, GPUCMD_OK,          0, 0}, /* GT200_DEBUGGER */
        {0xc361, GPUCMD_OK,          0, 0}, /* VOLTA, TURING, AMPERE_USERMODE_A */
        {0xc461, GPUCMD_OK,          0, 0},
        {0xc561, GPUCMD_OK,          0, 0},
        {0x003e, GPUCMD_OK,          0, 0}, /* NV1_MEMORY_SYSTEM */
        {0x0040, GPUCMD_OK,          0, 0}, /* NV1_MEMORY_USER */
        {0x0071, GPUCMD_OK,          0, 0}, /* NV01_MEMORY_SYSTEM_OS_DESCRIPTOR */
        {0xb2cc, GPUCMD_OK,          0, 0}, /* MAXWELL_PROFILER_DEVICE */
        {0xc6c0, GPUCMD_UNSUPPORTED, 0, 0}, /* AMPERE_COMPUTE_A, AMPERE_DMA_COPY_A */
        {0xc6b5, GPUCMD_UNSUPPORTED, 0, 0},
        {0x1234, GPUCMD_OK,          0, 1},
    };
    static const struct {
        uint32_t command;
        uint32_t bytes; /* its parameters; 0: none needed */
        unsigned warnings;
    } controls[] = {
        {0x2080200a, 8,   0}, /* NV2080_CTRL_CMD_PERF_BOOST */
        {0xa06c0101, 0,   0}, /* NVA06C_CTRL_CMD_GPFIFO_SCHEDULE */
        {0xa06f0103, 0,   0}, /* NVA06F_CTRL_CMD_GPFIFO_SCHEDULE, BIND */
        {0xa06f0104, 0,   0},
        {0x20801201, 32,  0}, /* NV2080_CTRL_CMD_GR_GET_INFO */
        {0x2080122a, 0,   0}, /* NV2080_CTRL_CMD_GR_GET_GPC_MASK, TPC_MASK */
        {0x2080122b, 0,   0},
        {0x00800201, 16,  0}, /* NV0080_CTRL_CMD_GPU_GET_CLASSLIST */
        {0x2080014a, 268, 0}, /* NV2080_CTRL_CMD_GPU_GET_GID_INFO */
        {0x2080130e, 0,   0}, /* NV2080_CTRL_CMD_FB_FLUSH_GPU_CACHE */
        {0x20801202, 0,   1},
    };
    static gpucmd_nvgpu_rm_object objects[32];
    const call none[] = {END};
    gpucmd_nvgpu_rm rm;
    uint8_t params[268];
    uint32_t h = 0;
    uint32_t before = 0;
    setup();
    EQUAL(gpucmd_nvgpu_open(&g, &sys), GPUCMD_OK);
    gpucmd_nvgpu_rm_init(&rm, &g, objects, 32);
    rm.warn = warn;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        warnings = 0;
        m.fail_at = 100;
        const gpucmd_status status = gpucmd_nvgpu_rm_alloc(&rm, 0, rows[i].number, NULL, 0, &h);
        test_equal(status, rows[i].status, __FILE__, __LINE__, "class");
        EQUAL(100 - m.fail_at, rows[i].calls);
        EQUAL(warnings, rows[i].warnings);
        CHECK(status != GPUCMD_OK ? h == before : h != 0 && h != before);
        before = h;
    }
    m.fail_at = 0;
    memset(params, 0, sizeof params);
    listen(none);
    for (size_t i = 1; i < sizeof controls / sizeof controls[0]; i++) {
        const uint32_t bytes = controls[i].bytes;
        warnings = 0;
        EQUAL(gpucmd_nvgpu_rm_control(&rm, h, controls[i].command, params, bytes), GPUCMD_OK);
        EQUAL(warnings, controls[i].warnings);
        if (bytes != 0) {
            EQUAL(gpucmd_nvgpu_rm_control(&rm, h, controls[i].command, params, bytes - 1),
                  GPUCMD_RANGE);
            EQUAL(gpucmd_nvgpu_rm_control(&rm, h, controls[i].command, NULL, bytes), GPUCMD_RANGE);
        }
    }
    EQUAL(gpucmd_nvgpu_rm_control(&rm, h, 0xc36f0108, params, 4), GPUCMD_ORDER); /* no channel */
    EQUAL(gpucmd_nvgpu_rm_control(&rm, h, 0xc36f0108, params, 3), GPUCMD_RANGE);
    heard_all();
    gpucmd_nvgpu_rm_close(&rm);
    gpucmd_nvgpu_close(&g);
    EQUAL(nvgpu_alive(), 0);
}

static void put32(uint8_t *params, unsigned off, uint32_t v)
{
    gpucmd_store32(params + off, v, gpucmd_cpu_endian());
}

static void put64(uint8_t *params, unsigned off, uint64_t v)
{
    gpucmd_store64(params + off, v, gpucmd_cpu_endian());
}

/* Channels are made in a group, objects in a channel. Freeing a channel frees its objects too. */
static void rm_channels(void)
{
    static const call compute_object[] = {IOCTL(8, 0xc010486c, compute_obj), END};
    static const call copy_object[] = {IOCTL(11, 0xc010486c, copy_obj), END};
    static gpucmd_nvgpu_rm_object objects[8];
    gpucmd_nvgpu_buffer_req breq;
    gpucmd_nvgpu_buffer area;
    gpucmd_nvgpu_rm rm;
    uint8_t params[368];
    uint32_t space, group, share, channel, second, object, copy, debugger;
    uint32_t buffer = 0;
    setup();
    EQUAL(gpucmd_nvgpu_open(&g, &sys), GPUCMD_OK);
    gpucmd_nvgpu_rm_init(&rm, &g, objects, 8);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, 0, 0x70, NULL, 0, &space), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, 0, 0xa06c, NULL, 0, &group), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, group, 0x9067, NULL, 0, &share), GPUCMD_OK);
    gpucmd_nvgpu_buffer_req_init(&breq, 0x10000, false);
    EQUAL(gpucmd_nvgpu_buffer_alloc(&g, &breq, &area), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_rm_add_buffer(&rm, &area, &buffer), GPUCMD_OK);
    memset(params, 0, sizeof params);
    put32(params, 16, 1024);
    put64(params, 8, area.va);
    put64(params, 64, 0x2000);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, group, 0xc56f, params, 368, &channel), GPUCMD_ORDER);
    put32(params, 4, group); /* no buffer */
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, group, 0xc56f, params, 368, &channel), GPUCMD_ORDER);
    put32(params, 4, buffer);
    put64(params, 8, area.va - 4096);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, group, 0xc56f, params, 368, &channel), GPUCMD_RANGE);
    put64(params, 8, area.va + 4);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, group, 0xc56f, params, 368, &channel), GPUCMD_ALIGN);
    put64(params, 8, area.va);
    put64(params, 64, 0x10000); /* after the end of the area */
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, group, 0xc56f, params, 368, &channel), GPUCMD_RANGE);
    put64(params, 64, 0x2000);
    for (unsigned i = 0; i < 5; i++) {
        EQUAL(gpucmd_nvgpu_rm_alloc(&rm, group, 0xc56f, params, 368, &channel), GPUCMD_OK);
        EQUAL(gpucmd_nvgpu_rm_alloc(&rm, channel, 0xc7c0, NULL, 0, &object), GPUCMD_OK);
        EQUAL(gpucmd_nvgpu_rm_alloc(&rm, channel, 0x83de, NULL, 0, &debugger), GPUCMD_OK);
        EQUAL(gpucmd_nvgpu_rm_free(&rm, group), GPUCMD_ORDER);
        EQUAL(gpucmd_nvgpu_rm_free(&rm, share), GPUCMD_ORDER);
        EQUAL(gpucmd_nvgpu_rm_free(&rm, channel), GPUCMD_OK);
        EQUAL(gpucmd_nvgpu_rm_free(&rm, object), GPUCMD_ORDER); /* freed with the channel */
        EQUAL(gpucmd_nvgpu_rm_free(&rm, debugger), GPUCMD_ORDER);
    }
    /* Freeing one channel keeps the objects of another. No other engine has channels. */
    put32(params, 128, 9);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, group, 0xc56f, params, 368, &channel), GPUCMD_UNSUPPORTED);
    put32(params, 128, 0);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, group, 0xc56f, params, 368, &channel), GPUCMD_OK);
    listen(compute_object);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, channel, 0xc7c0, NULL, 0, &object), GPUCMD_OK);
    heard_all();
    put64(params, 8, area.va + 0x3000);
    put64(params, 64, 0x5000);
    put32(params, 16, 256);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, group, 0xc56f, params, 368, &second), GPUCMD_OK);
    EQUAL(m.channels[0].entries, 1024);
    EQUAL(m.channels[1].entries, 256);
    listen(copy_object);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, second, 0xc7b5, NULL, 0, &copy), GPUCMD_OK);
    heard_all();
    EQUAL(gpucmd_nvgpu_rm_free(&rm, second), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_rm_free(&rm, object), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_rm_free(&rm, channel), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_rm_free(&rm, buffer), GPUCMD_OK);
    gpucmd_nvgpu_buffer_free(&g, &area);
    EQUAL(gpucmd_nvgpu_rm_free(&rm, share), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_rm_free(&rm, group), GPUCMD_OK);
    EQUAL(g.tsg_fd, -1);
    EQUAL(gpucmd_nvgpu_rm_free(&rm, space), GPUCMD_OK);
    EQUAL(g.as_fd, -1);
    gpucmd_nvgpu_rm_close(&rm);
    gpucmd_nvgpu_close(&g);
    EQUAL(nvgpu_alive(), 0);
}

/* Free all objects: channel and overlays, ring and USERD, group, address space. The kernel has deleted
 * the subcontext. */
static const call rm_close_calls[] = {
    SHUT(8),
    MMAP_AT(7, 0x11, 8192, 0),
    MMAP_AT(7, 0x11, 4096, 0x2000),
    SHUT(9),
    FREE(HANDLE(1)),
    SHUT(10),
    FREE(HANDLE(2)),
    SHUT(6),
    SHUT(5),
    END,
};

static void rm_closes(void)
{
    static gpucmd_nvgpu_rm_object objects[8];
    gpucmd_nvgpu_buffer_req breq;
    gpucmd_nvgpu_buffer area;
    gpucmd_nvgpu_rm rm;
    uint8_t params[368] = {0};
    uint32_t h;
    uint32_t buffer = 0;
    setup();
    m.root = true;
    EQUAL(gpucmd_nvgpu_open(&g, &sys), GPUCMD_OK);
    gpucmd_nvgpu_rm_init(&rm, &g, objects, 8);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, 0, 0x70, NULL, 0, &h), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, 0, 0xa06c, NULL, 0, &h), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, 0, 0x9067, NULL, 0, &h), GPUCMD_OK);
    gpucmd_nvgpu_buffer_req_init(&breq, 0x10000, false);
    EQUAL(gpucmd_nvgpu_buffer_alloc(&g, &breq, &area), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_rm_add_buffer(&rm, &area, &buffer), GPUCMD_OK);
    put32(params, 4, buffer);
    put64(params, 8, area.va);
    put32(params, 16, 1024);
    put64(params, 64, 0x2000);
    EQUAL(gpucmd_nvgpu_rm_alloc(&rm, 0, 0xc56f, params, 368, &h), GPUCMD_OK);
    /* Boost, one level and to the maximum: the text before the first one comes back. */
    put32(params, 0, 1);
    EQUAL(gpucmd_nvgpu_rm_control(&rm, h, 0x2080200a, params, 8), GPUCMD_OK);
    EQUAL(m.min_freq, 1300500000);
    put32(params, 0, 0x52);
    EQUAL(gpucmd_nvgpu_rm_control(&rm, h, 0x2080200a, params, 8), GPUCMD_OK);
    put32(params, 0, 0x50);
    EQUAL(gpucmd_nvgpu_rm_control(&rm, h, 0x2080200a, params, 8), GPUCMD_OK);
    EQUAL(m.min_freq, 306000000);
    /* No list: only the count is written. */
    memset(params, 0, sizeof params);
    put32(params, 0, 5);
    EQUAL(gpucmd_nvgpu_rm_control(&rm, h, 0x20801201, params, 32), GPUCMD_OK);
    put32(params, 0, 3);
    EQUAL(gpucmd_nvgpu_rm_control(&rm, h, 0x800201, params, 16), GPUCMD_OK);
    EQUAL(gpucmd_load32(params, gpucmd_cpu_endian()), 4);
    listen(rm_close_calls);
    gpucmd_nvgpu_rm_close(&rm);
    heard_all();
    gpucmd_nvgpu_buffer_free(&g, &area);
    gpucmd_nvgpu_close(&g);
    EQUAL(nvgpu_alive(), 0);
}

/* ---- the clock ---- */

/* Older releases name the directory 17000000.ga10b. */
static int old_open(void *user, const char *path, uint32_t flags)
{
    if (strcmp(path, "/sys/class/devfreq/17000000.ga10b/max_freq") == 0) {
        return inner.sys_open(user, "/sys/class/devfreq/17000000.gpu/max_freq", flags);
    }
    if (strcmp(path, "/sys/class/devfreq/17000000.ga10b/min_freq") == 0) {
        return inner.sys_open(user, "/sys/class/devfreq/17000000.gpu/min_freq", flags);
    }
    return strncmp(path, "/sys", 4) == 0 ? -2 : inner.sys_open(user, path, flags);
}

static void clock_directory(void)
{
    char saved[24] = {0};
    uint32_t saved_bytes = 0;
    setup();
    sys.sys_open = old_open;
    EQUAL(gpucmd_nvgpu_open(&g, &sys), GPUCMD_OK);
    const uint64_t before = nvgpu_alive();
    EQUAL(gpucmd_nvgpu_boost(&g, saved, &saved_bytes), GPUCMD_FAULT); /* no rights */
    EQUAL(g.step, GPUCMD_NVGPU_STEP_WRITE_MIN_FREQ);
    EQUAL(g.error, 13); /* EACCES */
    EQUAL(saved_bytes, 0);
    EQUAL(nvgpu_alive(), before);
    EQUAL(gpucmd_nvgpu_unboost(&g, saved, saved_bytes), GPUCMD_ORDER);
    EQUAL(g.step, GPUCMD_NVGPU_STEP_PARAMS);
    EQUAL(g.error, 0);
    m.root = true;
    EQUAL(gpucmd_nvgpu_boost(&g, saved, &saved_bytes), GPUCMD_OK);
    EQUAL(m.min_freq, 1300500000);
    EQUAL(saved_bytes, 10);
    CHECK(memcmp(saved, "306000000\n", 10) == 0);
    EQUAL(gpucmd_nvgpu_unboost(&g, saved, saved_bytes), GPUCMD_OK);
    EQUAL(m.min_freq, 306000000);
    EQUAL(nvgpu_alive(), before);
    for (uint32_t k = 1; k <= 3; k++) { /* the old name is tried for each file that fails */
        m.fail_at = k;
        m.fail_error = GPUCMD_SYS_EACCES;
        EQUAL(gpucmd_nvgpu_boost(&g, saved, &saved_bytes), GPUCMD_FAULT);
        EQUAL(m.fail_at, 0);
        EQUAL(g.step, GPUCMD_NVGPU_STEP_READ_MAX_FREQ + k - 1);
        EQUAL(g.error, 13);
        EQUAL(m.min_freq, 306000000);
        EQUAL(nvgpu_alive(), before);
    }
    sys.sys_read = NULL;
    EQUAL(gpucmd_nvgpu_boost(&g, saved, &saved_bytes), GPUCMD_UNSUPPORTED);
    sys.sys_write = NULL;
    EQUAL(gpucmd_nvgpu_unboost(&g, "306000000\n", 10), GPUCMD_UNSUPPORTED);
    EQUAL(g.error, 0);
    gpucmd_nvgpu_close(&g);
    EQUAL(nvgpu_alive(), 0);
}

static gpucmd_status count_tries(void *user, uint32_t try_count)
{
    uint32_t *const tries = (uint32_t *)user;
    EQUAL(try_count, *tries);
    ++*tries;
    return GPUCMD_OK;
}

/* The semaphore is 64 bits wide. */
static void wide_semaphore(void)
{
    uint32_t sem[2], tries = 0;
    gpucmd_nv_gpfifo q;
    memset(&q, 0, sizeof q);
    q.wait.max_tries = 2;
    gpucmd_store32(&sem[0], 5, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store32(&sem[1], 1, GPUCMD_LITTLE_ENDIAN);
    EQUAL(gpucmd_nvgpu_wait_sem(&q, sem, 9), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_wait_sem(&q, sem, 0x100000005), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_wait_sem(&q, sem, 0x100000006), GPUCMD_LIMIT);
    q.wait.fn = count_tries;
    q.wait.user = &tries;
    EQUAL(gpucmd_nvgpu_wait_sem(&q, sem, 0x200000005), GPUCMD_LIMIT);
    EQUAL(tries, 2);
}

/* What the caller's wait returns ends every wait. */
static gpucmd_status give_up(void *user, uint32_t try_count)
{
    (void)user;
    return try_count == 1 ? GPUCMD_UNSUPPORTED : GPUCMD_OK;
}

static void waits(void)
{
    static uint64_t ring[2];
    static uint32_t userd[1024];
    static uint32_t sem[2];
    gpucmd_nvgpu_channel c;
    gpucmd_nv_gpfifo q;
    memset(&c, 0, sizeof c);
    c.ring_cpu = ring;
    c.userd_cpu = userd;
    c.entries = 2;
    gpucmd_nvgpu_gpfifo_init(&q, &c, NULL, NULL);
    EQUAL(q.wait.max_tries, 0x100000);
    q.wait.max_tries = 5;
    q.wait.fn = give_up;
    EQUAL(gpucmd_nvgpu_wait_sem(&q, sem, 1), GPUCMD_UNSUPPORTED);
    EQUAL(gpucmd_nvgpu_submit(&q, 0x200000, 1, 0), GPUCMD_OK);
    EQUAL(gpucmd_nvgpu_submit(&q, 0x200000, 1, 0), GPUCMD_UNSUPPORTED);
    EQUAL(gpucmd_nv_gpfifo_drain(&q), GPUCMD_UNSUPPORTED);
    EQUAL(ring[1], 0);
}

int main(void)
{
    reference();
    descriptor_0();
    clock_descriptor_0();
    failed_start();
    wide_sizes();
    alone();
    own_windows();
    bad_addresses();
    dirty_memory();
    first_channel_fails();
    subcontext_again();
    rm_classes();
    rm_channels();
    rm_closes();
    clock_directory();
    wide_semaphore();
    waits();
    return test_report("nv_nvgpu_trace");
}

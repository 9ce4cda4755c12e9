/* The model kernel against the tables of the facts: what the dispatchers reject, every check of
 * every ioctl with its errno in the driver's order, references and lifetimes. */
/* suite: kernel */
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"
#include "test.h"

#include "nv/nvgpu.h"
#include "nv/refused.h"

enum {
    OK = 0,
    EPERM_ = 1,
    ENOENT_ = 2,
    EBADF_ = 9,
    ENOMEM_ = 12,
    EACCES_ = 13,
    EFAULT_ = 14,
    EBUSY_ = 16,
    EEXIST_ = 17,
    ENODEV_ = 19,
    EINVAL_ = 22,
    EMFILE_ = 24,
    ENOTTY_ = 25,
    ENOSPC_ = 28,
    ENOSYS_ = 38,
    ETIMEDOUT_ = 110,
};

static int nvmap, ctrl, as, tsg;

/* Rows of the header's list, with what this program saw of each ioctl: bit i is errno i, bit 0 a
 * success. No errno of the model kernel is above 63 but ETIMEDOUT, which takes bit 63. */
#define ROW(name, handler, errors) {#name, GPUCMD_##name, #handler, errors, 0},
static struct {
    const char *name;
    uint32_t number;
    const char *handler;
    const char *errors;
    uint64_t seen;
} ioctls[] = {GPUCMD_NVGPU_IOCTLS(ROW)};
#undef ROW
enum { IOCTLS = sizeof ioctls / sizeof ioctls[0] };

static int io(int fd, uint32_t number, void *arg)
{
    const int error = -refused_ioctl(fd, number, arg);
    for (unsigned i = 0; i < IOCTLS && error >= 0; i++) {
        ioctls[i].seen |= ioctls[i].number == number ? 1ull << (error > 62 ? 63 : error) : 0;
    }
    return error;
}

static void open_nodes(void)
{
    nvgpu_setup();
    refused_watch();
    nvmap = sys.sys_open(sys.user, "/dev/nvmap", 2);
    ctrl = sys.sys_open(sys.user, "/dev/nvgpu/igpu0/ctrl", 2);
    EQUAL(nvmap, 3);
    EQUAL(ctrl, 4);
}

static int new_as(void)
{
    struct gpucmd_nvgpu_alloc_as_args a = {0};
    a.flags = 2;
    a.va_range_start = 0x200000;
    a.va_range_end = 0xff00000000;
    EQUAL(io(ctrl, 0xc0404708, &a), OK);
    return a.as_fd;
}

static int new_tsg(void)
{
    struct gpucmd_nvgpu_gpu_open_tsg_args a = {0};
    EQUAL(io(ctrl, 0xc0184709, &a), OK);
    return (int)a.tsg_fd;
}

static int new_channel(void)
{
    struct gpucmd_nvgpu_gpu_open_channel_args a;
    a.in.runlist_id = -1;
    EQUAL(io(ctrl, 0xc004470b, &a), OK);
    return a.out.channel_fd;
}

static uint32_t new_handle(uint32_t size)
{
    struct gpucmd_nvmap_create_handle a = {0};
    a.size = size;
    EQUAL(io(nvmap, 0xc0084e00, &a), OK);
    return a.handle;
}

static int alloc(uint32_t handle)
{
    struct gpucmd_nvmap_alloc_handle a = {0};
    a.handle = handle;
    a.heap_mask = 0x40000000;
    a.flags = 0x09000002;
    a.align = 4096;
    return io(nvmap, 0x40144e03, &a);
}

static int new_fd(uint32_t handle)
{
    struct gpucmd_nvmap_create_handle a = {0};
    a.handle = handle;
    EQUAL(io(nvmap, 0xc0084e0f, &a), OK);
    return a.fd;
}

static int new_dmabuf(uint32_t size)
{
    const uint32_t h = new_handle(size);
    EQUAL(alloc(h), OK);
    return new_fd(h);
}

static void *value(uint32_t v)
{
    return (void *)(uintptr_t)v;
}

static int bind_as(int fd)
{
    return io(as, 0xc0044101, &fd);
}

static int bind_tsg(int group, int fd, uint32_t veid)
{
    struct gpucmd_nvgpu_tsg_bind_channel_ex_args a = {0};
    a.channel_fd = fd;
    a.subcontext_id = veid;
    return io(group, 0xc018540b, &a);
}

static int subcontext(int group, uint32_t type, int space, uint32_t *veid)
{
    struct gpucmd_nvgpu_tsg_create_subcontext_args a = {0};
    a.type = type;
    a.as_fd = space;
    const int result = io(group, 0xc0105412, &a);
    *veid = a.veid;
    return result;
}

static int watchdog(int fd, uint32_t status)
{
    uint32_t a[2] = {status, 0};
    return io(fd, 0x40084877, a);
}

static void shut(int fd)
{
    EQUAL(sys.sys_close(sys.user, fd), 0);
}

static int host_map(void **at, size_t len, uint32_t flags, int fd, uint64_t off)
{
    gpucmd_sys_map map = {*at, len, 3, flags, fd, off};
    const int result = sys.sys_mmap(sys.user, &map);
    *at = map.addr;
    return -result;
}

/* Close and unmap everything that is open: nothing must exist afterwards. */
static void shut_all(void)
{
    for (int fd = 3; fd < 24; fd++) {
        (void)sys.sys_close(sys.user, fd);
    }
    for (unsigned i = 0; i < 24; i++) {
        if (m.vmas[i].kind != GPUCMD_NVGPU_KERNEL_NONE) {
            EQUAL(sys.sys_munmap(sys.user, (void *)m.vmas[i].at, (size_t)m.vmas[i].bytes), 0);
        }
    }
    EQUAL(nvgpu_alive(), 0);
}

/* Section 1.2: before a command runs. */
static void dispatch(void)
{
    uint8_t arg[300] = {0};
    uint32_t h;
    open_nodes();
    as = new_as();
    tsg = new_tsg();
    const int ch = new_channel();
    const int buf = new_dmabuf(4096);
    const int fds[4] = {ctrl, as, tsg, ch};
    const char letters[4] = {'G', 'A', 'T', 'H'};
    const uint32_t last[4] = {44, 14, 21, 128};
    const uint32_t most[4] = {264, 40, 32, 104};
    EQUAL(io(23, 0xc0104705, arg), EBADF_);
    EQUAL(io(0, 0xc0104705, arg), EBADF_);
    EQUAL(io(-1, 0xc0104705, arg), EBADF_);
    EQUAL(io(10000, 0xc0104705, arg), EBADF_);
    for (unsigned i = 0; i < 4; i++) {
        const uint32_t letter = (uint32_t)(unsigned char)letters[i] << 8;
        const uint32_t other = (uint32_t)(unsigned char)letters[(i + 1) % 4] << 8;
        EQUAL(io(fds[i], 0xc0040001 | other, arg), EINVAL_);
        EQUAL(io(fds[i], 0xc0040000 | letter, arg), EINVAL_);
        EQUAL(io(fds[i], 0xc0040000 | letter | (last[i] + 1), arg), EINVAL_);
        EQUAL(io(fds[i], 0xc0050000 | letter | last[i], arg), ENOTTY_);
        EQUAL(io(fds[i], 0xc0000001 | letter | most[i] << 16, arg), ENOTTY_);
        EQUAL(io(fds[i], 0xc0000001 | letter | (most[i] + 1) << 16, arg), EINVAL_);
        EQUAL(io(fds[i], 0x40040002 | letter, NULL),
              EFAULT_); /* unreadable comes before no match */
        EQUAL(io(fds[i], 0x40030002 | letter, arg), ENOTTY_);
        EQUAL(io(fds[i], 0x00000002 | letter, NULL), ENOTTY_);
    }
    EQUAL(io(nvmap, 0xc0104705, arg), ENOTTY_);
    EQUAL(io(nvmap, 0xc0004eff, arg), ENOTTY_);
    EQUAL(io(nvmap, 0x40104e03, NULL), ENOTTY_); /* the 16-byte ALLOC of old code */
    EQUAL(io(nvmap, 0x40144e03, NULL), EFAULT_);
    EQUAL(io(nvmap, 0xc0104e08, arg), ENOTTY_); /* PARAM, FROM_ID, GET_ID */
    EQUAL(io(nvmap, 0xc0084e02, arg), ENOTTY_);
    EQUAL(io(nvmap, 0xc0084e0d, arg), ENOTTY_);
    EQUAL(io(as, 0xc0204109, arg), ENOTTY_); /* COMPBITS */
    EQUAL(io(as, 0xc028410a, arg), ENOTTY_);
    EQUAL(io(ch, 0xc0104875, arg), ENOTTY_); /* EVENT_ID_CTRL, SET_RUNLIST_INTERLEAVE */
    EQUAL(io(ch, 0x40084878, arg), ENOTTY_);
    EQUAL(io(ctrl, 0xc0084712, arg), ENOSYS_); /* left out of the model kernel */
    for (unsigned i = 0; i < 4; i++) {
        EQUAL(io(buf, 0xc0040001 | (uint32_t)(unsigned char)letters[i] << 8, arg), ENOTTY_);
    }
    EQUAL(io(buf, 0xc0084e00, arg), ENOTTY_);
    EQUAL(sys.sys_open(sys.user, "/dev/nvgpu/igpu0/as", 2), -ENOENT_);
    EQUAL(sys.sys_open(sys.user, "/dev/nvma", 2), -ENOENT_);
    EQUAL(-sys.sys_close(sys.user, 22), EBADF_);
    /* Results that cannot be copied out: EFAULT, or the bytes that were not copied. */
    h = 0;
    m.fail_copy_out = true;
    EQUAL(sys.sys_ioctl(sys.user, tsg, 0x8008540a, arg), 8);
    m.fail_copy_out = true;
    EQUAL(sys.sys_ioctl(sys.user, ch, 0x8004480c, &h), 4);
    m.fail_copy_out = true;
    EQUAL(io(as, 0xc0104108, arg), EFAULT_);
    m.fail_copy_out = true;
    EQUAL(io(ctrl, 0xc0104705, arg), -16);
    EQUAL(io(ctrl, 0xc0104705, arg), OK); /* only the next copy fails */
    shut_all();
}

/* Sections 3.2 and 3.3, nvmap. */
static void memory_handles(void)
{
    struct gpucmd_nvmap_create_handle c = {0};
    struct gpucmd_nvmap_alloc_handle a = {0};
    struct gpucmd_nvmap_handle_parameters p = {0};
    open_nodes();
    EQUAL(io(nvmap, 0xc0084e00, &c), EINVAL_); /* size 0 */
    EQUAL(io(nvmap, 0xc0084e01, &c), EINVAL_);
    c.size = 5000;
    EQUAL(io(nvmap, 0xc0084e00, &c), OK);
    EQUAL(c.handle, 0x7fffffff);
    const uint32_t h = new_handle(1);
    EQUAL(h, 0x80000000);
    memset(&c, 0, sizeof c);
    c.size64 = (uint64_t)6 << 30;
    EQUAL(io(nvmap, 0xc0084e01, &c), OK);
    EQUAL(c.handle64, 0x80000001);
    EQUAL(alloc(0x80000001), ENOMEM_); /* more than the machine has */
    /* ALLOC, first failure wins: each row has the failures of all rows below it. */
    const int buf = new_fd(h);
    a.handle = 0;
    a.align = 3;
    a.numa_nid = -2;
    EQUAL(io(nvmap, 0x40144e03, &a), EINVAL_);
    a.align = 0;
    EQUAL(io(nvmap, 0x40144e03, &a), EINVAL_);
    a.handle = 0x1234;
    EQUAL(io(nvmap, 0x40144e03, &a), EINVAL_);
    a.numa_nid = -1;
    EQUAL(io(nvmap, 0x40144e03, &a), EINVAL_);
    a.handle = h;
    a.numa_nid = 17;
    EQUAL(io(nvmap, 0x40144e03, &a), EINVAL_);
    a.numa_nid = 16;       /* the largest; the next error is another one */
    a.handle = 0x80000001; /* IVM excludes other heaps, but the size is checked first */
    a.heap_mask = 0x40000002;
    EQUAL(io(nvmap, 0x40144e03, &a), ENOMEM_);
    a.heap_mask = 0;
    a.handle = (uint32_t)buf;
    EQUAL(io(nvmap, 0x40144e03, &a), EINVAL_);
    a.handle = h;
    EQUAL(io(nvmap, 0x40144e03, &a), ENOMEM_); /* no heap */
    a.heap_mask = 1;
    EQUAL(io(nvmap, 0x40144e03, &a), ENOMEM_); /* no carveout */
    a.heap_mask = 0x40000002;
    EQUAL(io(nvmap, 0x40144e03, &a), EINVAL_);
    a.heap_mask = 0x44000000;
    EQUAL(io(nvmap, 0x40144e03, &a), EINVAL_);
    p.handle = h;
    EQUAL(io(nvmap, 0x80484e1b, &p), OK);
    EQUAL(p.heap, 0);
    EQUAL(p.size, 4096);
    /* A dma-buf of a buffer without memory cannot be mapped. */
    void *at = NULL;
    EQUAL(host_map(&at, 4096, 1, buf, 0), EPERM_);
    a.heap_mask = 0x40000000;
    a.flags = 0x09000001;
    EQUAL(io(nvmap, 0x40144e03, &a), OK);
    EQUAL(io(nvmap, 0x40144e03, &a), EEXIST_);
    a.heap_mask = 0x40000002;
    EQUAL(io(nvmap, 0x40144e03, &a), EEXIST_); /* checked before the heaps */
    memset(&p, 0, sizeof p);
    p.handle = h;
    EQUAL(io(nvmap, 0x80484e1b, &p), OK);
    EQUAL(p.heap, 0x40000000);
    EQUAL(p.align, 4096);
    EQUAL(p.coherency, 1);
    p.handle = 77;
    EQUAL(io(nvmap, 0x80484e1b, &p), ENODEV_);
    EQUAL(io(nvmap, 0x80484e1b, NULL),
          EFAULT_); /* it reads the handle, although its number has no write bit */
    /* GET_FD */
    memset(&c, 0, sizeof c);
    c.handle = (uint32_t)buf;
    EQUAL(io(nvmap, 0xc0084e0f, &c), EINVAL_);
    c.handle = (uint32_t)ctrl;
    EQUAL(io(nvmap, 0xc0084e0f, &c), EINVAL_);
    c.handle = 20;
    EQUAL(io(nvmap, 0xc0084e0f, &c), EBADF_);
    c.handle = 0;
    EQUAL(io(nvmap, 0xc0084e0f, &c), EBADF_);
    const int again = new_fd(h);
    CHECK(again != buf);
    EQUAL(m.files[again].idx, m.files[buf].idx);
    /* FROM_FD returns a new handle of the same buffer. */
    memset(&c, 0, sizeof c);
    c.fd = buf;
    EQUAL(io(nvmap, 0xc0084e10, &c), OK);
    EQUAL(c.handle, 0x80000002);
    c.fd = ctrl;
    EQUAL(io(nvmap, 0xc0084e10, &c), EINVAL_);
    c.fd = 21;
    EQUAL(io(nvmap, 0xc0084e10, &c), EBADF_);
    /* FREE never fails, and closes a descriptor if the value is one. */
    EQUAL(io(nvmap, 0x4e04, value(0)), OK);
    EQUAL(io(nvmap, 0x4e04, value(0x11111111)), OK);
    EQUAL(io(nvmap, 0x4e04, value(h)), OK);
    EQUAL(io(nvmap, 0x4e04, value(h)), OK);
    EQUAL(alloc(h), EINVAL_);
    EQUAL(io(nvmap, 0x4e04, value((uint32_t)again)), OK);
    EQUAL(-sys.sys_close(sys.user, again), EBADF_);
    EQUAL(m.buffers[m.files[buf].idx].refs, 2); /* descriptor, second handle */
    /* Closing the last nvmap descriptor frees all handles. */
    const int second = sys.sys_open(sys.user, "/dev/nvmap", 2);
    shut(nvmap);
    nvmap = second;
    EQUAL(io(nvmap, 0x80484e1b, &p), ENODEV_);
    p.handle = 0x80000002;
    EQUAL(io(nvmap, 0x80484e1b, &p), OK);
    shut(nvmap);
    nvmap = sys.sys_open(sys.user, "/dev/nvmap", 2);
    EQUAL(io(nvmap, 0x80484e1b, &p), ENODEV_);
    EQUAL(new_handle(4096), 0x80000003); /* the counter goes on */
    EQUAL(m.buffers[m.files[buf].idx].refs, 1);
    shut_all();
}

/* No descriptor is free. */
static void descriptors(void)
{
    struct gpucmd_nvgpu_alloc_as_args a = {0};
    struct gpucmd_nvgpu_gpu_open_tsg_args t = {0};
    struct gpucmd_nvgpu_gpu_open_channel_args c;
    struct gpucmd_nvmap_create_handle g = {0};
    open_nodes();
    const uint32_t h = new_handle(4096);
    for (int fd = 5; fd < 24; fd++) {
        EQUAL(new_fd(h), fd); /* the lowest free one */
    }
    EQUAL(-sys.sys_open(sys.user, "/dev/nvmap", 2), EMFILE_);
    EQUAL(io(ctrl, 0xc0404708, &a), EMFILE_); /* before the arguments */
    c.in.runlist_id = 7;
    EQUAL(io(ctrl, 0xc004470b, &c), EMFILE_);
    t.share_token = 1;
    EQUAL(io(ctrl, 0xc0184709, &t), EINVAL_); /* checked after the flags */
    t.share_token = 0;
    EQUAL(io(ctrl, 0xc0184709, &t), EMFILE_);
    g.handle = h;
    EQUAL(io(nvmap, 0xc0084e0f, &g), EFAULT_); /* the driver loses EMFILE */
    shut(9);
    EQUAL(new_fd(h), 9); /* reused */
    shut_all();
}

/* Section 2.2: GET_CHARACTERISTICS. */
static void characteristics(void)
{
    struct gpucmd_nvgpu_gpu_get_characteristics a;
    uint8_t buf[400];
    open_nodes();
    memset(buf, 0xee, sizeof buf);
    a.gpu_characteristics_buf_size = 0;
    a.gpu_characteristics_buf_addr = (uintptr_t)buf;
    EQUAL(io(ctrl, 0xc0104705, &a), OK);
    EQUAL(a.gpu_characteristics_buf_size, 328);
    EQUAL(buf[0], 0xee);
    a.gpu_characteristics_buf_size = 100;
    EQUAL(io(ctrl, 0xc0104705, &a), OK);
    EQUAL(a.gpu_characteristics_buf_size, 328);
    EQUAL(gpucmd_load32(buf + 80, gpucmd_cpu_endian()), 0xc7c0);
    EQUAL(buf[100], 0xee);
    a.gpu_characteristics_buf_size = 400;
    EQUAL(io(ctrl, 0xc0104705, &a), OK);
    EQUAL(gpucmd_load32(buf + 308, gpucmd_cpu_endian()), 0x10000000);
    EQUAL(gpucmd_load32(buf + 196, gpucmd_cpu_endian()), 256); /* map_buffer_batch_limit */
    EQUAL(buf[328], 0xee);
    a.gpu_characteristics_buf_size = 328;
    a.gpu_characteristics_buf_addr = 0;
    EQUAL(refused_ioctl(ctrl, 0xc0104705, &a), 328); /* a positive number */
    const int second = sys.sys_open(sys.user, "/dev/nvgpu/igpu0/ctrl", 2);
    EQUAL(refused_ioctl(second, 0xc0104705, &a), 328); /* not its identity, either */
    /* Section 2.3: the reading of the driver, as one word. */
    EQUAL(m.gpu.flags, 0x01bf5fdf575d010d);
    /* All other members. Numbers of units, the clock and sm_arch_spa_version are choices of the model,
     * as small as those of a Jetson Orin Nano. */
    static const struct {
        unsigned off_bytes, len_bytes;
        uint64_t value;
    } rows[] = {
        {0,   4, 0x170             }, /* arch */
        {4,   4, 0xb               }, /* impl */
        {12,  4, 1                 }, /* num_gpc */
        {24,  8, 0x400000          }, /* L2_cache_size */
        {40,  4, 4                 }, /* num_tpc_per_gpc */
        {44,  4, 32                }, /* bus_type */
        {56,  4, 47                }, /* pde_coverage_bit_count */
        {64,  8, 0x01bf5fdf575d010d}, /* flags */
        {72,  4, 0x902d            }, /* twod_class */
        {76,  4, 0xc797            }, /* threed_class */
        {80,  4, 0xc7c0            }, /* compute_class */
        {84,  4, 0xc76f            }, /* gpfifo_class */
        {88,  4, 0xa140            }, /* inline_to_memory_class */
        {92,  4, 0xc7b5            }, /* dma_copy_class */
        {96,  4, 1                 }, /* gpc_mask */
        {100, 4, 0x807             }, /* sm_arch_sm_version */
        {104, 4, 0x807             }, /* sm_arch_spa_version */
        {108, 4, 48                }, /* sm_arch_warp_count */
        {112, 2, 44                }, /* gpu_ioctl_nr_last */
        {114, 2, 21                }, /* tsg_ioctl_nr_last */
        {116, 2, 33                }, /* dbg_gpu_ioctl_nr_last */
        {118, 2, 128               }, /* ioctl_channel_nr_last */
        {120, 2, 14                }, /* as_ioctl_nr_last */
        {122, 1, 40                }, /* gpu_va_bit_count */
        {148, 4, 1                 }, /* max_gpc_count */
        {196, 4, 256               }, /* map_buffer_batch_limit */
        {200, 8, 1300500000        }, /* max_freq */
        {208, 4, 3                 }, /* graphics_preemption_mode_flags: WFI, GFXP */
        {212, 4, 7                 }, /* compute_preemption_mode_flags: WFI, CTA, CILP */
        {248, 4, 1024              }, /* reg_ops_limit */
        {256, 2, 1                 }, /* event_ioctl_nr_last */
        {264, 2, 6                 }, /* ctxsw_ioctl_nr_last */
        {266, 2, 13                }, /* prof_ioctl_nr_last */
        {268, 2, 3                 }, /* nvs_ioctl_nr_last */
        {292, 4, 64                }, /* max_veid_count_per_tsg */
        {308, 4, 0x10000000        }, /* max_gpfifo_entries */
        {312, 4, 4000000           }, /* max_dbg_tsg_timeslice */
    };
    uint8_t want[328] = {0};
    memcpy(want + 160, "ga10b", 5);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (unsigned k = 0; k < rows[i].len_bytes; k++) {
            const unsigned at =
                gpucmd_cpu_endian() == GPUCMD_LITTLE_ENDIAN ? k : rows[i].len_bytes - 1 - k;
            want[rows[i].off_bytes + at] = (uint8_t)(rows[i].value >> 8 * k);
        }
    }
    for (unsigned i = 0; i < 320; i++) {
        test_equal(buf[i], want[i], __FILE__, (int)i, "byte of the characteristics");
    }
    CHECK(gpucmd_load64(buf + 320, gpucmd_cpu_endian()) != 0); /* device_instance_id */
    shut_all();
}

/* Sections 5.1 and 5.3. */
static void spaces(void)
{
    static const struct {
        uint32_t big;
        uint64_t start;
        uint64_t end;
        uint64_t split;
        int error;
    } rows[] = {
        {3,       0x200000, 0xff00000000,    0,        EINVAL_},
        {0x10000, 0x200000, 0xff00000000,    0,        EINVAL_},
        {0,       0,        0xff00000000,    0,        EINVAL_},
        {0,       0x100000, 0xff00000000,    0,        EINVAL_},
        {0,       0x200000, 0,               0,        EINVAL_},
        {0,       0x200000, 0xff00001000,    0,        EINVAL_},
        {0,       0x400000, 0x400000,        0,        EINVAL_},
        {0,       0x400000, 0x200000,        0,        EINVAL_},
        {0,       0x200000, 0xff00000000,    0x400000, EINVAL_},
        {0,       0x200000, 0x1ff00200000,   0,        OK     },
        {0,       0x200000, 0x1ffff00000000, 0,        OK     },
        {0,       0x200000, 0x1ffff00200000, 0,        ENOMEM_},
        {0,       0x200000, 0xffffe00000,    0,        OK     }, /* as in the author's code */
    };
    open_nodes();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct gpucmd_nvgpu_alloc_as_args a = {0};
        a.big_page_size = rows[i].big;
        a.flags = 0xffffffff; /* unknown bits are ignored */
        a.va_range_start = rows[i].start;
        a.va_range_end = rows[i].end;
        a.va_range_split = rows[i].split;
        EQUAL(io(ctrl, 0xc0404708, &a), rows[i].error);
        if (rows[i].error == OK) {
            shut(a.as_fd);
        }
    }
    as = new_as();
    static const struct {
        uint64_t pages;
        uint32_t page_size;
        uint32_t flags;
        uint64_t va;
        int error;
    } reserve[] = {
        {1,                 0,     1, 0x200000,           EINVAL_},
        {1,                 8192,  1, 0x200000,           EINVAL_},
        {1,                 65536, 1, 0x200000,           EINVAL_},
        {1,                 4096,  1, 0x200800,           ENOMEM_},
        {0,                 4096,  1, 0x200000,           ENOMEM_},
        {1,                 4096,  1, 0x1ff000,           ENOMEM_},
        {1,                 4096,  1, 0xff00000000,       ENOMEM_},
        {2,                 4096,  1, 0xfefffff000,       ENOMEM_},
        {1,                 4096,  1, 0xfffffffffffff000, ENOMEM_},
        {(uint64_t)1 << 52, 4096,  1, 0x200000,           ENOMEM_},
        {262144,            4096,  1, 0xfd00000000,       OK     },
        {262144,            4096,  1, 0xfe00000000,       OK     },
        {1,                 4096,  1, 0xfe00000000,       ENOMEM_},
        {2,                 4096,  1, 0xfcfffff000,       ENOMEM_},
        {0,                 4096,  0, 0,                  ENOMEM_},
        {16,                4096,  0, 0x123,              OK     }, /* the offset is not used */
    };
    for (size_t i = 0; i < sizeof reserve / sizeof reserve[0]; i++) {
        struct gpucmd_nvgpu_as_alloc_space_args a = {0};
        a.pages = reserve[i].pages;
        a.page_size = reserve[i].page_size;
        a.flags = reserve[i].flags;
        a.o_a.offset = reserve[i].va;
        EQUAL(io(as, 0xc0204106, &a), reserve[i].error);
        if (reserve[i].error == OK && reserve[i].flags == 1) {
            EQUAL(a.o_a.offset, reserve[i].va);
        }
    }
    struct gpucmd_nvgpu32_as_alloc_space_args old = {0}; /* the form of 32-bit programs */
    old.pages = 4;
    old.page_size = 4096;
    old.flags = 1;
    old.o_a.offset = 0x80000000;
    EQUAL(io(as, 0xc0184102, &old), OK);
    EQUAL(io(as, 0xc0184102, &old), ENOMEM_);
    struct gpucmd_nvgpu_as_free_space_args f = {0};
    for (unsigned i = 0; i < 2; i++) { /* the reservation does not contain these addresses */
        f.offset = i == 0 ? 0x7fffffff : 0x80004000;
        EQUAL(io(as, 0xc0204103, &f), OK);
        EQUAL(io(as, 0xc0184102, &old), ENOMEM_);
    }
    f.offset = 0x80003fff; /* any address inside; pages is not used */
    f.pages = 99;
    EQUAL(io(as, 0xc0204103, &f), OK);
    EQUAL(io(as, 0xc0204103, &f), OK);
    EQUAL(io(as, 0xc0184102, &old), OK);
    struct gpucmd_nvgpu_as_va_region region[2];
    struct gpucmd_nvgpu_as_get_va_regions_args v = {0};
    memset(region, 0xee, sizeof region);
    v.buf_addr = (uintptr_t)region;
    v.buf_size = 23;
    EQUAL(io(as, 0xc0104108, &v), OK);
    EQUAL(v.buf_size, 24);
    EQUAL(region[0].reserved, 0xeeeeeeee);
    v.buf_size = 48;
    EQUAL(io(as, 0xc0104108, &v), OK);
    EQUAL(region[0].offset, 0x200000);
    EQUAL(region[0].reserved, 0);
    EQUAL(region[0].page_size, 4096);
    EQUAL(region[0].pages, 0xfeffe00);
    EQUAL(region[1].reserved, 0xeeeeeeee);
    v.buf_addr = 0;
    v.buf_size = 24;
    EQUAL(io(as, 0xc0104108, &v), EFAULT_);
    shut_all();
}

static int map(int space, struct gpucmd_nvgpu_as_map_buffer_ex_args *a)
{
    return io(space, 0xc0284107, a);
}

static int unmap(int space, uint64_t va)
{
    return io(space, 0xc0084105, &va);
}

/* Section 3.3, MAP_BUFFER_EX: one wrong member at a time. */
static void mapping(void)
{
    const struct gpucmd_nvgpu_as_map_buffer_ex_args good = {
        0, -1, 0, 0, 4096, 0, 0, 0,
    };
    struct gpucmd_nvgpu_as_map_buffer_ex_args a;
    open_nodes();
    as = new_as();
    const uint32_t h = new_handle(0x3000);
    const int empty = new_fd(h);
#define MAP(error, fd, changes)                                                                    \
    a = good;                                                                                      \
    a.dmabuf_fd = (uint32_t)(fd);                                                                  \
    changes;                                                                                       \
    EQUAL(map(as, &a), error)
    MAP(EBADF_, 20, (void)0);
    MAP(EBADF_, -1, (void)0);
    MAP(EINVAL_, ctrl, (void)0);
    MAP(EINVAL_, empty, (void)0); /* no memory yet */
    EQUAL(alloc(h), OK);
    MAP(EINVAL_, empty, a.offset = 0x10000000);
    MAP(EINVAL_, empty, a.buffer_offset = 4096);
    MAP(EINVAL_, empty, a.mapping_size = 0x3000); /* even if it is the size */
    MAP(EINVAL_, empty, a.flags = 3 << 10);
    MAP(EINVAL_, empty, a.flags = 1 << 12);
    MAP(EINVAL_, empty, a.flags = 1 << 1);
    MAP(EINVAL_, empty, a.flags = 1u << 31);
    MAP(ENOMEM_, empty, a.incompr_kind = -1);
    MAP(ENOMEM_, empty, a.incompr_kind = 256);
    MAP(OK, empty, a.page_size = 12345); /* not used */
    const uint64_t va = a.offset;
    EQUAL(a.page_size, 12345);
    EQUAL(va % 4096, 0);
    /* The same buffer and flags: the same address with one more reference. Other flags: a new
     * one. */
    const int again = new_fd(h);
    MAP(OK, again, (void)0);
    EQUAL(a.offset, va);
    EQUAL(m.ranges[0].user[0], 2);
    MAP(OK, again, a.flags = 4);
    CHECK(a.offset != va);
    const uint64_t other_va = a.offset;
    MAP(OK, again, a.flags = 1 << 6 | 1 << 5 | 1 << 7 | 1 << 9 | 1 << 10);
    EQUAL(unmap(as, a.offset), 0);
    EQUAL(unmap(as, va + 4096), 0); /* ignored */
    EQUAL(unmap(as, va), 0);
    EQUAL(m.ranges[0].user[0], 1);
    EQUAL(unmap(as, va), 0);
    EQUAL(m.ranges[0].bytes, 0);
    EQUAL(unmap(as, other_va), 0);
    /* FIXED */
    struct gpucmd_nvgpu_as_alloc_space_args r = {0};
    r.pages = 4;
    r.page_size = 4096;
    r.flags = 1;
    r.o_a.offset = 0x40000000;
    EQUAL(io(as, 0xc0204106, &r), OK);
#define FIX(error, changes) MAP(error, empty, a.flags = 1; a.offset = 0x40000000; changes)
    FIX(EINVAL_, a.mapping_size = 0x3001);
    FIX(EINVAL_, a.buffer_offset = 0x3001);
    FIX(EINVAL_, a.buffer_offset = 0x1000); /* whole buffer plus an offset */
    FIX(EINVAL_, a.mapping_size = 0x1800; a.buffer_offset = 0x1800);
    FIX(EINVAL_, a.offset = 0x40000800);
    FIX(EINVAL_, a.offset = 0x3ffff000);
    FIX(EINVAL_, a.offset = 0x40004000);
    FIX(EINVAL_, a.offset = 0x40002000); /* passes the reservation's end */
    FIX(OK, a.mapping_size = 0x1800; a.buffer_offset = 0x1000);
    const gpucmd_space *fixed = &m.spaces[m.files[as].idx].fixed;
    const gpucmd_map *one = gpucmd_space_find(&m.maps, fixed, 0x40000000);
    EQUAL(one->bytes, 0x2000);
    EQUAL(one->offset, 0x1000);
    FIX(EINVAL_, a.offset = 0x40001000; a.mapping_size = 0x1000);
    FIX(OK, a.offset = 0x40002000; a.mapping_size = 0x1000);
    const gpucmd_map *two = gpucmd_space_find(&m.maps, fixed, 0x40002000);
    EQUAL(two->bytes, 0x1000);
    /* a mapping that exists is shared only if the argument is valid */
    FIX(EINVAL_, a.offset = 0x40002000; a.mapping_size = 0x3001);
    FIX(EINVAL_, a.offset = 0x40002000; a.buffer_offset = 0x3001);
    FIX(EINVAL_, a.offset = 0x40002000; a.mapping_size = 0x1000; a.buffer_offset = 0x2001);
    FIX(EINVAL_, a.offset = 0x40002000; a.flags = 1 | 1 << 12);
    EQUAL(two->user[0], 1);
    struct gpucmd_nvgpu_as_free_space_args f = {0};
    f.offset = 0x40003000;
    EQUAL(io(as, 0xc0204103, &f), OK); /* removes the mappings, too */
    EQUAL(one->bytes, 0);
    EQUAL(two->bytes, 0);
    /* No room: a space of 2 MiB. */
    struct gpucmd_nvgpu_alloc_as_args s = {0};
    s.va_range_start = 0x200000;
    s.va_range_end = 0x400000;
    EQUAL(io(ctrl, 0xc0404708, &s), OK);
    as = s.as_fd;
    const int big = new_dmabuf(0x200000);
    const int small = new_dmabuf(0x1000);
    MAP(OK, big, (void)0);
    EQUAL(a.offset, 0x200000);
    MAP(ENOMEM_, small, (void)0);
    EQUAL(unmap(as, 0x200000), 0);
    MAP(OK, small, (void)0);
    shut_all();
}

/* Sections 4.2, 4.3. */
static void groups(void)
{
    struct gpucmd_nvgpu_gpu_open_tsg_args t;
    struct gpucmd_nvgpu_gpu_open_channel_args c;
    uint32_t veid;
    uint32_t us[2] = {999, 0};
    open_nodes();
    memset(&t, 0, sizeof t);
    t.source_device_instance_id = 1;
    EQUAL(io(ctrl, 0xc0184709, &t), EINVAL_);
    t.flags = 1;
    EQUAL(io(ctrl, 0xc0184709, &t), EINVAL_);
    t.source_device_instance_id = 0;
    EQUAL(io(ctrl, 0xc0184709, &t), EINVAL_);
    t.source_device_instance_id = 1;
    t.share_token = 5;
    EQUAL(io(ctrl, 0xc0184709, &t), EINVAL_);
    tsg = new_tsg();
    as = new_as();
    const int other_as = new_as();
    const int other_tsg = new_tsg();
    const int third_tsg = new_tsg();
    memset(&t, 0, sizeof t);
    EQUAL(io(ctrl, 0xc0184709, &t), ENOMEM_); /* the table has three */
    shut(third_tsg);
    c.in.runlist_id = -2;
    EQUAL(io(ctrl, 0xc004470b, &c), EINVAL_);
    c.in.runlist_id = 1;
    EQUAL(io(ctrl, 0xc004470b, &c), EINVAL_);
    c.in.runlist_id = 0;
    EQUAL(io(ctrl, 0xc004470b, &c), OK);
    const int a = c.out.channel_fd;
    const int b = new_channel();
    EQUAL(m.channels[0].number, 511);
    EQUAL(m.channels[1].number, 510);
    /* AS BIND */
    EQUAL(bind_as(-1), EINVAL_);
    EQUAL(bind_as(22), EINVAL_);
    EQUAL(bind_as(ctrl), EINVAL_);
    /* A channel without a space gets into no group, not even by the kernel's hole. */
    EQUAL(bind_tsg(tsg, a, 0), EINVAL_);
    EQUAL(bind_tsg(tsg, a, 5), EINVAL_);
    EQUAL(bind_as(a), OK);
    EQUAL(bind_as(a), EINVAL_);
    /* id 0 stays reserved after that failure, without a space; DELETE_SUBCONTEXT frees it. */
    EQUAL(bind_tsg(tsg, a, 0), ENOSPC_);
    EQUAL(subcontext(tsg, 0, as, &veid), ENOSPC_);
    uint32_t id[2] = {0, 0};
    EQUAL(io(tsg, 0x40085413, id), OK);
    EQUAL(io(other_as, 0xc0044101, value(0)), EFAULT_);
    /* Subcontexts */
    EQUAL(subcontext(tsg, 2, as, &veid), EINVAL_);
    EQUAL(subcontext(tsg, 1, ctrl, &veid), EINVAL_);
    EQUAL(subcontext(tsg, 1, as, &veid), OK);
    EQUAL(veid, 1);
    EQUAL(subcontext(tsg, 1, as, &veid), OK);
    EQUAL(veid, 2);
    EQUAL(subcontext(tsg, 0, other_as, &veid), OK);
    EQUAL(veid, 0);
    EQUAL(subcontext(tsg, 0, as, &veid), ENOSPC_);
    for (uint32_t i = 3; i < 64; i++) {
        EQUAL(subcontext(tsg, 1, as, &veid), OK);
        EQUAL(veid, i);
    }
    EQUAL(subcontext(tsg, 1, as, &veid), ENOSPC_);
    for (uint32_t i = 0; i < 64; i++) {
        EQUAL(subcontext(other_tsg, 1, other_as, &veid), OK);
    }
    EQUAL(veid, 0); /* the last one left */
    id[0] = 64;
    EQUAL(io(tsg, 0x40085413, id), EINVAL_);
    id[0] = 40;
    EQUAL(io(tsg, 0x40085413, id), OK);
    EQUAL(io(tsg, 0x40085413, id), OK); /* also when there is none */
    EQUAL(bind_tsg(tsg, a, 40), EINVAL_);
    EQUAL(subcontext(tsg, 1, as, &veid), OK);
    EQUAL(veid, 40);
    /* TSG BIND */
    EQUAL(bind_tsg(tsg, -1, 1), EINVAL_);
    EQUAL(bind_tsg(tsg, ctrl, 1), EINVAL_);
    EQUAL(bind_tsg(tsg, a, 64), EINVAL_);
    EQUAL(bind_tsg(tsg, a, 0), EINVAL_); /* id 0 has the other space */
    uint32_t timed_out = 9;
    EQUAL(io(a, 0x8004480c, &timed_out), OK);
    EQUAL(timed_out, 1);
    EQUAL(bind_tsg(tsg, a, 2), OK);
    EQUAL(io(a, 0x8004480c, &timed_out), OK);
    EQUAL(timed_out, 0);
    EQUAL(bind_tsg(tsg, a, 2), EINVAL_);
    EQUAL(bind_tsg(other_tsg, a, 2), EINVAL_);
    id[0] = 2;
    EQUAL(io(tsg, 0x40085413, id), EINVAL_); /* a channel has it */
    /* UNBIND keeps the id; closing the last channel deletes it. */
    int fd = -1;
    EQUAL(io(tsg, 0x40045402, &fd), EINVAL_);
    fd = b;
    EQUAL(io(tsg, 0x40045402, &fd), EINVAL_);
    fd = a;
    EQUAL(io(other_tsg, 0x40045402, &fd), EINVAL_);
    EQUAL(io(tsg, 0x40045402, &fd), OK);
    EQUAL(io(a, 0x8004480c, &timed_out), OK);
    EQUAL(timed_out, 1);
    CHECK((m.tsgs[0].reserved >> 2 & 1) == 1);
    EQUAL(io(tsg, 0x40045401, &fd), OK); /* BIND_CHANNEL with the id it had */
    EQUAL(m.channels[0].veid, 2);
    shut(a);
    CHECK((m.tsgs[0].reserved >> 2 & 1) == 0);
    EQUAL(new_channel(), a); /* descriptor and number come back */
    EQUAL(m.channels[0].number, 511);
    /* id 0 is reserved on the spot for the channel's space */
    const int fresh = new_tsg();
    EQUAL(bind_as(b), OK);
    EQUAL(bind_tsg(fresh, b, 0), OK);
    EQUAL(subcontext(fresh, 0, as, &veid), ENOSPC_);
    EQUAL(io(tsg, 0x40085409, us), EINVAL_);
    us[0] = 50001;
    EQUAL(io(tsg, 0x40085409, us), EINVAL_);
    us[0] = 1000;
    EQUAL(io(tsg, 0x40085409, us), OK);
    us[0] = 50000;
    EQUAL(io(tsg, 0x40085409, us), OK);
    EQUAL(io(tsg, 0x8008540a, us), OK);
    EQUAL(us[0], 50000);
    EQUAL(io(fresh, 0x8008540a, us), OK);
    EQUAL(us[0], 1024);
    for (int i = 2; i < 6; i++) {
        (void)new_channel();
    }
    c.in.runlist_id = -1;
    EQUAL(io(ctrl, 0xc004470b, &c), ENOMEM_); /* the table has six */
    shut_all();
}

/* Section 4.4: all fifteen checks, first failure wins; section 4.5. */
static void set_up(void)
{
    struct gpucmd_nvgpu_channel_setup_bind_args a;
    struct gpucmd_nvgpu_channel_setup_bind_args good;
    struct gpucmd_nvgpu_alloc_obj_ctx_args o = {0};
    struct gpucmd_nvgpu_set_error_notifier n = {0};
    struct gpucmd_nvgpu_get_user_syncpoint_args sync;
    struct gpucmd_nvgpu_submit_gpfifo_args submit = {0};
    uint32_t veid;
    open_nodes();
    as = new_as();
    tsg = new_tsg();
    const int c = new_channel();
    const int ring = new_dmabuf(8192);
    const int user = new_dmabuf(4096);
    const int empty = new_fd(new_handle(8192));
    memset(&good, 0, sizeof good);
    good.num_gpfifo_entries = 1024;
    good.flags = 0x0a;
    good.userd_dmabuf_fd = user;
    good.gpfifo_dmabuf_fd = ring;
#define SETUP(error, changes)                                                                      \
    a = good;                                                                                      \
    changes;                                                                                       \
    EQUAL(io(c, 0xc0684880, &a), error)
    SETUP(EINVAL_, a.num_gpfifo_entries = 1);
    SETUP(EINVAL_, (void)0); /* no space */
    o.class_num = 0xc7c0;
    EQUAL(io(c, 0xc010486c, &o), EINVAL_);
    EQUAL(io(c, 0xc018486b, &submit), ETIMEDOUT_);
    EQUAL(bind_as(c), OK);
    SETUP(EINVAL_, (void)0); /* no group */
    EQUAL(io(c, 0xc010486c, &o), EINVAL_);
    EQUAL(subcontext(tsg, 1, as, &veid), OK);
    EQUAL(bind_tsg(tsg, c, veid), OK);
    EQUAL(io(c, 0xc018486b, &submit), ENOMEM_);
    SETUP(EINVAL_, (void)0); /* the watchdog is on */
    EQUAL(watchdog(c, 0), EINVAL_);
    EQUAL(watchdog(c, 3), EINVAL_);
    EQUAL(watchdog(c, 2), OK);
    SETUP(EINVAL_, (void)0);
    EQUAL(watchdog(c, 9), OK); /* off, no dump */
    SETUP(EINVAL_, a.num_gpfifo_entries = 0);
    SETUP(EINVAL_, a.num_gpfifo_entries = 1000);
    SETUP(EINVAL_, a.num_gpfifo_entries = 0x20000000);
    SETUP(EINVAL_, a.flags = 8); /* USERMODE without DETERMINISTIC */
    SETUP(EINVAL_, a.flags = 2);
    SETUP(EINVAL_, a.flags = 0x0b); /* VPR */
    SETUP(EINVAL_, a.userd_dmabuf_fd = 0);
    SETUP(EINVAL_, a.gpfifo_dmabuf_fd = 0);
    SETUP(EINVAL_, a.userd_dmabuf_offset = 4096);
    SETUP(EINVAL_, a.gpfifo_dmabuf_offset = 1);
    SETUP(EINVAL_, a.gpfifo_dmabuf_offset = 1; a.gpfifo_dmabuf_fd = 22);
    SETUP(EBADF_, a.gpfifo_dmabuf_fd = 22);
    SETUP(EBADF_, a.gpfifo_dmabuf_fd = -1);
    SETUP(EINVAL_, a.gpfifo_dmabuf_fd = ctrl);
    SETUP(EINVAL_, a.gpfifo_dmabuf_fd = empty);
    SETUP(EINVAL_, a.gpfifo_dmabuf_fd = user); /* too small */
    SETUP(EINVAL_, a.num_gpfifo_entries = 2048; a.userd_dmabuf_fd = 22);
    SETUP(EBADF_, a.userd_dmabuf_fd = 22);
    SETUP(EINVAL_, a.userd_dmabuf_fd = tsg);
    SETUP(EINVAL_, a.userd_dmabuf_fd = empty);
    gpucmd_nvgpu_kernel_counts before;
    gpucmd_nvgpu_kernel_count(&m, &before);
    EQUAL(before.mappings, 0); /* nothing remains */
    SETUP(OK, a.flags = 0xffffffea; a.reserved[8] = 7; a.num_inflight_jobs = 3);
    uint32_t shared = 0; /* the ring, which the kernel maps once */
    for (uint32_t i = 0; i < m.range_count; i++) {
        const gpucmd_map *r = &m.ranges[i];
        const bool own = (r->access_mask & GPUCMD_NVGPU_KERNEL_RANGE_KERNEL) != 0;
        shared += r->bytes != 0 && own ? r->user[0] : 0;
    }
    EQUAL(shared, 1);
    EQUAL(a.work_submit_token, 511);
    EQUAL(a.gpfifo_gpu_va | a.userd_gpu_va | a.usermode_mmio_gpu_va, 0);
    SETUP(EEXIST_, (void)0);
    SETUP(EINVAL_, a.num_gpfifo_entries = 3); /* still before "already" */
    SETUP(EINVAL_, a.num_gpfifo_entries = 0x20000000);
    SETUP(EINVAL_, a.num_gpfifo_entries = 2; a.flags = 2);
    SETUP(EEXIST_, a.num_gpfifo_entries = 4; a.flags = 2);
    SETUP(EEXIST_, a.num_gpfifo_entries = 2; a.flags = 8);
    EQUAL(watchdog(c, 2), EINVAL_);
    EQUAL(watchdog(c, 1), OK);
    EQUAL(io(c, 0xc018486b, &submit), EINVAL_);
    /* ALLOC_OBJ_CTX */
    static const uint32_t valid[] = {0xc7c0, 0xc7b5, 0xc76f, 0xc637, 0xc5c0, 0xc5b5, 0xc46f,
                                     0xc4b7, 0xc3c0, 0xc3b5, 0xc36f, 0xc0c0, 0xc0b5, 0xc06f,
                                     0xb1c0, 0xb0b5, 0xa0b5, 0xb06f, 0xa140, 0x902d, 0xc7c0};
    static const uint32_t invalid[] = {
        0,      0xc6c0, 0xc6b5, 0xc56f, 0xc697, 0xffffffff,
        0xc797, 0xc597, 0xc397, 0xc097, 0xb197}; /* graphics: id 0 only */
    for (size_t i = 0; i < sizeof valid / sizeof valid[0]; i++) {
        o.class_num = valid[i];
        EQUAL(io(c, 0xc010486c, &o), OK);
    }
    for (size_t i = 0; i < sizeof invalid / sizeof invalid[0]; i++) {
        o.class_num = invalid[i];
        EQUAL(io(c, 0xc010486c, &o), EINVAL_);
    }
    memset(&sync, 0xff, sizeof sync);
    EQUAL(io(c, 0x8010487e, &sync), OK);
    const uint32_t id = sync.syncpoint_id;
    EQUAL(sync.gpu_va, 0); /* whatever the argument held */
    EQUAL(sync.syncpoint_max, 0);
    EQUAL(io(c, 0x8010487e, &sync), OK);
    EQUAL(sync.syncpoint_id, id);
    /* A rejected notifier removes the old one. */
    n.mem = (uint32_t)user;
    n.offset = 4080;
    EQUAL(io(c, 0xc018486f, &n), OK);
    EQUAL(m.channels[0].notifier, 2);
    n.offset = 4081;
    EQUAL(io(c, 0xc018486f, &n), EINVAL_);
    EQUAL(m.channels[0].notifier, 0);
    n.offset = 0;
    n.mem = 0;
    EQUAL(io(c, 0xc018486f, &n), EINVAL_);
    n.mem = (uint32_t)ctrl;
    EQUAL(io(c, 0xc018486f, &n), EINVAL_);
    /* FLUSH_L2: which bits need which */
    for (uint8_t bits = 0; bits < 8; bits++) {
        uint8_t l2[5] = {bits, 0, 0, 0, 0};
        const bool fine = bits == 1 || bits == 3 || bits == 4 || bits == 5 || bits == 7;
        EQUAL(io(ctrl, 0xc005470c, l2), fine ? OK : EINVAL_);
    }
    /* Ring and USERD exist as long as the channel, in whatever order other things are closed. */
    shut(ring);
    shut(user);
    shut(as);
    shut(tsg);
    shut(nvmap);
    gpucmd_nvgpu_kernel_count(&m, &before);
    EQUAL(before.buffers, 3); /* the third by its descriptor */
    EQUAL(before.spaces, 1);
    EQUAL(before.tsgs, 1);
    shut(c);
    gpucmd_nvgpu_kernel_count(&m, &before);
    EQUAL(before.buffers, 1);
    EQUAL(before.spaces + before.tsgs + before.channels + before.mappings, 0);
    shut_all();
}

/* No free row for the ring's mapping: checked before USERD. Graphics classes on id 0; each
 * channel has its own syncpoint; a notifier exists as long as its channel. */
static void channels_of_id_0(void)
{
    struct gpucmd_nvgpu_channel_setup_bind_args a = {0};
    struct gpucmd_nvgpu_alloc_obj_ctx_args o = {0};
    struct gpucmd_nvgpu_set_error_notifier n = {0};
    struct gpucmd_nvgpu_get_user_syncpoint_args sync[2];
    static const uint32_t graphics[] = {0xc797, 0xc597, 0xc397, 0xc097, 0xb197};
    gpucmd_nvgpu_kernel_counts counts;
    open_nodes();
    as = new_as();
    tsg = new_tsg();
    const int c = new_channel();
    const int d = new_channel();
    const int ring = new_dmabuf(8192);
    const int user = new_dmabuf(4096);
    EQUAL(bind_as(c), OK);
    EQUAL(bind_tsg(tsg, c, 0), OK);
    EQUAL(watchdog(c, 1), OK);
    a.num_gpfifo_entries = 1024;
    a.flags = 0x0a;
    a.gpfifo_dmabuf_fd = ring;
    a.userd_dmabuf_fd = 22;
    EQUAL(io(c, 0xc0684880, &a), EBADF_);
    for (uint64_t k = 0; k < 24; k++) {
        struct gpucmd_nvgpu_as_alloc_space_args r = {0};
        r.pages = 1;
        r.page_size = 4096;
        EQUAL(io(as, 0xc0204106, &r), OK);
    }
    EQUAL(io(c, 0xc0684880, &a), ENOMEM_);
    struct gpucmd_nvgpu_as_map_buffer_ex_args map_args = {0, -1, 0, 0, 4096, 0, 0, 0};
    map_args.dmabuf_fd = (uint32_t)user;
    EQUAL(io(as, 0xc0284107, &map_args), ENOMEM_);
    struct gpucmd_nvgpu_as_free_space_args f = {0};
    f.offset = 0x200000;
    EQUAL(io(as, 0xc0204103, &f), OK);
    a.userd_dmabuf_fd = user;
    EQUAL(io(c, 0xc0684880, &a), OK);
    for (size_t i = 0; i < sizeof graphics / sizeof graphics[0]; i++) {
        o.class_num = graphics[i];
        EQUAL(io(c, 0xc010486c, &o), OK);
    }
    EQUAL(io(c, 0x8010487e, &sync[0]), OK);
    EQUAL(io(d, 0x8010487e, &sync[1]), OK);
    CHECK(sync[0].syncpoint_id != sync[1].syncpoint_id);
    const int note = new_dmabuf(4096);
    n.mem = (uint32_t)note;
    EQUAL(io(c, 0xc018486f, &n), OK);
    shut(nvmap); /* frees the handles */
    shut(note);
    gpucmd_nvgpu_kernel_count(&m, &counts);
    EQUAL(counts.buffers, 3);
    shut(c);
    gpucmd_nvgpu_kernel_count(&m, &counts);
    EQUAL(counts.buffers, 2);
    shut_all();
}

/* Section 3.3: when a mapping is shared; address spaces are separate; reservations stay free. */
static void same_mapping(void)
{
    static const struct {
        int16_t compr;
        int16_t incompr;
        bool same;
    } kinds[] = {
        {-1, 0, true },
        {-1, 1, false},
        {0,  7, true },
        {5,  0, false},
    };
    struct gpucmd_nvgpu_as_map_buffer_ex_args a;
    struct gpucmd_nvgpu_as_alloc_space_args r = {0};
    struct gpucmd_nvgpu_as_free_space_args f = {0};
    gpucmd_nvgpu_kernel_counts counts;
    open_nodes();
    as = new_as();
    const int other_as = new_as();
    const int buf = new_dmabuf(0x2000);
    r.pages = 16;
    r.page_size = 4096;
    r.flags = 1;
    r.o_a.offset = 0x201000;
    EQUAL(io(as, 0xc0204106, &r), OK);
    memset(&a, 0, sizeof a);
    a.compr_kind = -1;
    a.dmabuf_fd = (uint32_t)buf;
    EQUAL(map(as, &a), OK);
    const uint64_t va = a.offset;
    EQUAL(va, 0x211000); /* not in the reservation, and not into it */
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        memset(&a, 0, sizeof a);
        a.compr_kind = kinds[i].compr;
        a.incompr_kind = kinds[i].incompr;
        a.dmabuf_fd = (uint32_t)buf;
        EQUAL(map(as, &a), OK);
        test_equal(a.offset == va, kinds[i].same, __FILE__, __LINE__, "kind");
        EQUAL(unmap(as, a.offset), OK);
    }
    memset(&a, 0, sizeof a);
    a.compr_kind = -1;
    a.dmabuf_fd = (uint32_t)buf;
    EQUAL(map(other_as, &a), OK);
    EQUAL(a.offset, 0x200000); /* there is nothing here */
    a.offset = 0;
    EQUAL(map(other_as, &a), OK);
    EQUAL(unmap(as, 0x200000), OK); /* not that of the other space */
    gpucmd_nvgpu_kernel_count(&m, &counts);
    EQUAL(counts.mappings, 2);
    EQUAL(counts.ram_bytes, 0x2000);
    EQUAL(unmap(other_as, 0x200000), OK);
    gpucmd_nvgpu_kernel_count(&m, &counts);
    EQUAL(counts.mappings, 2);
    EQUAL(unmap(other_as, 0x200000), OK);
    EQUAL(unmap(as, va), OK);
    gpucmd_nvgpu_kernel_count(&m, &counts);
    EQUAL(counts.mappings, 0);
    /* FIXED: shared only at the same address; FREE_SPACE removes one reference each. */
    for (uint64_t k = 0; k < 3; k++) {
        memset(&a, 0, sizeof a);
        a.flags = 1;
        a.compr_kind = -1;
        a.dmabuf_fd = (uint32_t)buf;
        a.offset = 0x202000 + (k == 2 ? 0x4000 : 0);
        EQUAL(map(as, &a), OK);
        EQUAL(a.offset, k == 2 ? 0x206000 : 0x202000);
    }
    for (uint64_t k = 0; k < 3; k++) { /* of another space, and not in the reservation */
        memset(&a, 0, sizeof a);
        a.compr_kind = -1;
        a.incompr_kind = k == 1;
        a.dmabuf_fd = (uint32_t)buf;
        EQUAL(map(k < 2 ? other_as : as, &a), OK);
        EQUAL(a.offset, k == 0 ? 0x200000 : k == 1 ? 0x202000 : 0x211000);
    }
    f.offset = 0x201000;
    EQUAL(io(as, 0xc0204103, &f), OK);
    gpucmd_nvgpu_kernel_count(&m, &counts);
    EQUAL(counts.reservations, 0);
    EQUAL(counts.mappings, 4);
    EQUAL(unmap(other_as, 0x200000), OK);
    EQUAL(unmap(other_as, 0x202000), OK);
    EQUAL(unmap(as, 0x211000), OK);
    gpucmd_nvgpu_kernel_count(&m, &counts);
    EQUAL(counts.mappings, 1);
    EQUAL(unmap(as, 0x202000), OK);
    gpucmd_nvgpu_kernel_count(&m, &counts);
    EQUAL(counts.mappings, 0);
    /* Mappings at CPU addresses, in a space that contains them. */
    struct gpucmd_nvgpu_alloc_as_args wide = {0};
    wide.va_range_start = 0x200000;
    wide.va_range_end = 0x1ffff00000000;
    EQUAL(io(ctrl, 0xc0404708, &wide), OK);
    const uint64_t host = (uintptr_t)m.buffers[0].cpu;
    m.identity = true;
    memset(&a, 0, sizeof a);
    a.compr_kind = -1;
    a.dmabuf_fd = (uint32_t)buf;
    EQUAL(map(wide.as_fd, &a), OK);
    EQUAL(a.offset, host < 0x200000 || host > 0x1fffeffffe000 ? 0x200000 : host);
    void *at = (void *)(uintptr_t)a.offset;
    EQUAL(host_map(&at, 0x2000, 0x100001, buf, 0), a.offset == host ? OK : ENOMEM_);
    EQUAL((uintptr_t)at, a.offset);
    shut_all();
}

/* Limits: 512 channels with unique numbers, 128 of them in a group. */
static void many_channels(void)
{
    enum { FILES = 540, CHANNELS = 520 };
    static gpucmd_nvgpu_kernel_file files[FILES];
    static gpucmd_nvgpu_kernel_channel channels[CHANNELS];
    static bool seen[512];
    struct gpucmd_nvgpu_gpu_open_channel_args c;
    uint32_t veid;
    int fd[512];
    nvgpu_setup();
    refused_watch();
    m.files = files;
    m.fd_count = FILES;
    m.channels = channels;
    m.channel_count = CHANNELS;
    EQUAL(gpucmd_nvgpu_kernel_init(&m), GPUCMD_OK);
    nvmap = sys.sys_open(sys.user, "/dev/nvmap", 2);
    ctrl = sys.sys_open(sys.user, "/dev/nvgpu/igpu0/ctrl", 2);
    as = new_as();
    tsg = new_tsg();
    EQUAL(subcontext(tsg, 1, as, &veid), OK);
    for (unsigned i = 0; i < 512; i++) {
        fd[i] = new_channel();
        EQUAL(channels[i].number, 511 - i);
        seen[channels[i].number] = true;
    }
    for (unsigned i = 0; i < 512; i++) {
        CHECK(seen[i]);
    }
    c.in.runlist_id = -1;
    EQUAL(io(ctrl, 0xc004470b, &c), ENOMEM_);
    shut(fd[300]);
    fd[300] = new_channel();
    EQUAL(channels[300].number, 211);
    for (unsigned i = 0; i < 129; i++) {
        EQUAL(bind_as(fd[i]), OK);
        EQUAL(bind_tsg(tsg, fd[i], veid), i < 128 ? OK : EINVAL_);
    }
    shut(fd[5]);
    EQUAL(bind_tsg(tsg, fd[128], veid), OK); /* there is room again */
    for (int i = 3; i < FILES; i++) {
        (void)sys.sys_close(sys.user, i);
    }
    EQUAL(nvgpu_alive(), 0);
}

/* Section 8.2, mmap and munmap; 7.4, the doorbell page. */
static void host_addresses(void)
{
    open_nodes();
    memset(m.ram, 0x5a, (size_t)m.ram_bytes); /* old data of other processes */
    as = new_as();
    const int area = new_dmabuf(0x10000);
    const int ring = new_dmabuf(0x2000);
    void *at = NULL;
    EQUAL(host_map(&at, 4096, 1, 22, 0), EBADF_);
    EQUAL(host_map(&at, 0, 1, area, 0), EINVAL_);
    EQUAL(host_map(&at, 4096, 1, area, 100), EINVAL_);
    EQUAL(host_map(&at, 4096, 1, nvmap, 0), EPERM_);
    EQUAL(host_map(&at, 4096, 1, as, 0), ENODEV_);
    EQUAL(host_map(&at, 0x10001, 1, area, 0), EINVAL_);
    EQUAL(host_map(&at, 0x1000, 1, area, 0x10000), EINVAL_);
    /* Without MAP_FIXED an address is a hint, which need not be aligned or in the address space. */
    for (unsigned i = 0; i < 2; i++) {
        at = (void *)(i == 0 ? (uintptr_t)1 : ~(uintptr_t)0);
        EQUAL(host_map(&at, 0x1000, 1, area, 0), OK);
        EQUAL(sys.sys_munmap(sys.user, at, 0x1000), 0);
    }
    at = NULL;
    /* Linux, get_unmapped_area: an end above TASK_SIZE, 2^48 here, fails before the driver is asked */
    const size_t half = (size_t)((uint64_t)1 << 47), whole = 2 * half;
    EQUAL(host_map(&at, half, 1, area, 0), EINVAL_);
    EQUAL(host_map(&at, whole + (whole != 0), 1, area, 0), whole != 0 ? ENOMEM_ : EINVAL_);
    /* the order of errors: offset, descriptor, length, end, alignment of the address */
    EQUAL(host_map(&at, 0, 1, 22, 100), EINVAL_);
    EQUAL(host_map(&at, 0, 1, 22, 0), EBADF_);
    at = (void *)(uintptr_t)1;
    EQUAL(host_map(&at, 0, 0x11, area, 0), EINVAL_);
    EQUAL(host_map(&at, 4096, 0x11, area, 0), EINVAL_);
    at = (void *)~(uintptr_t)0;
    EQUAL(host_map(&at, 4096, 0x11, area, 0), whole != 0 ? ENOMEM_ : EINVAL_);
    at = NULL;
    EQUAL(host_map(&at, 0x10001, 1, ctrl, 0), EINVAL_);
    EQUAL(host_map(&at, 0x1000, 1, ctrl, 0x1000), EINVAL_);
    EQUAL(host_map(&at, 0x10000, 1, ctrl, 0), OK);
    void *const bell = at;
    for (unsigned i = 0; i < 0x10000; i++) { /* the register of the doorbell holds no token yet */
        if (((uint8_t *)bell)[i] != (i / 4 == 0x90 / 4 ? 0xff : 0)) {
            EQUAL(i, 0x10000);
            break;
        }
    }
    at = NULL;
    EQUAL(host_map(&at, 0x10000, 1, ctrl, 0), EBUSY_);
    EQUAL(host_map(&at, 0x20000, 1, ctrl, 0), EBUSY_); /* checked before the length */
    const int second = sys.sys_open(sys.user, "/dev/nvgpu/igpu0/ctrl", 2);
    EQUAL(host_map(&at, 0x1000, 1, second, 0), OK); /* shorter; another page */
    EQUAL(sys.sys_munmap(sys.user, at, 0x1000), 0);
    EQUAL(sys.sys_munmap(sys.user, bell, 0x10000), 0);
    at = NULL;
    EQUAL(host_map(&at, 0x10000, 1, ctrl, 0), OK); /* again */
    shut(ctrl);
    gpucmd_nvgpu_kernel_counts counts;
    gpucmd_nvgpu_kernel_count(&m, &counts);
    EQUAL(counts.vmas, 1);
    EQUAL(sys.sys_munmap(sys.user, at, 0x10000), 0);
    ctrl = sys.sys_open(sys.user, "/dev/nvgpu/igpu0/ctrl", 2);
    /* The ring is mapped over the first pages of the area. */
    at = NULL;
    EQUAL(host_map(&at, 0x10000, 1, area, 0), OK);
    uint8_t *const base = (uint8_t *)at;
    memset(base, 0x11, 0x10000);
    at = base + 1;
    EQUAL(host_map(&at, 0x2000, 0x11, ring, 0), EINVAL_);
    at = base;
    EQUAL(host_map(&at, 0x2000, 0x100001, ring, 0), EEXIST_);
    EQUAL(base[0], 0x11);
    EQUAL(host_map(&at, 0x2000, 0x11, ring, 0), OK);
    CHECK(at == (void *)base);
    EQUAL(base[0], 0);
    EQUAL(base[0x2000], 0x11);
    base[5] = 0x22;
    CHECK(m.buffers[1].cpu == base);
    gpucmd_nvgpu_kernel_count(&m, &counts);
    EQUAL(counts.vmas, 2);
    /* MAP_FIXED that the driver rejects: the old pages are unmapped anyway. */
    at = base + 0x4000;
    EQUAL(host_map(&at, 0x1000, 0x11, nvmap, 0), EPERM_);
    gpucmd_nvgpu_kernel_count(&m, &counts);
    EQUAL(counts.vmas, 3);
    /* One munmap removes area, hole and overlay; the ring keeps its contents. */
    EQUAL(-sys.sys_munmap(sys.user, base + 1, 0x1000), EINVAL_);
    EQUAL(sys.sys_munmap(sys.user, base, 0x10000), 0);
    gpucmd_nvgpu_kernel_count(&m, &counts);
    EQUAL(counts.vmas, 0);
    CHECK(m.buffers[1].cpu == m.buffers[1].own);
    EQUAL(m.buffers[1].cpu[5], 0x22);
    EQUAL(m.buffers[0].cpu[5], 0x11);
    /* A mapping keeps the memory after everything else is closed. */
    at = NULL;
    EQUAL(host_map(&at, 0x2000, 1, ring, 0), OK);
    shut(ring);
    shut(nvmap);
    gpucmd_nvgpu_kernel_count(&m, &counts);
    EQUAL(counts.buffers, 2);
    EQUAL(sys.sys_munmap(sys.user, at, 0x2000), 0);
    gpucmd_nvgpu_kernel_count(&m, &counts);
    EQUAL(counts.buffers, 1);
    shut_all();
}

/* A buffer has one CPU address: when it moves onto pages of another buffer, and when not. */
static void overlays(void)
{
    void *at = NULL;
    open_nodes();
    const int area = new_dmabuf(0x10000);
    const int ring = new_dmabuf(0x2000);
    const int other = new_dmabuf(0x2000);
    const int small = new_dmabuf(0x1000);
    EQUAL(host_map(&at, 0x10000, 1, area, 0), OK);
    uint8_t *const base = (uint8_t *)at;
    memset(base, 0x11, 0x10000);
    at = base;
    EQUAL(host_map(&at, 0x1000, 0x11, ring, 0), ENOMEM_); /* only the whole buffer can move */
    at = NULL;
    EQUAL(host_map(&at, 0x2000, 1, ring, 0), OK); /* mapped at another address */
    void *const home = at;
    at = base + 0x2000;
    EQUAL(host_map(&at, 0x2000, 0x11, ring, 0), ENOMEM_);
    EQUAL(sys.sys_munmap(sys.user, home, 1), 0); /* whole pages go */
    EQUAL(sys.sys_munmap(sys.user, (uint8_t *)home + 0x1000, 0xfff), 0);
    at = base + 0x4000;
    EQUAL(host_map(&at, 0x2000, 0x11, ring, 0), OK);
    base[0x4005] = 0x33;
    base[0x5005] = 0x44;
    at = base + 0x4000;
    EQUAL(host_map(&at, 0x1000, 0x11, small, 0),
          ENOMEM_); /* a buffer that has moved cannot be overlaid */
    at = base + 0x8000;
    EQUAL(host_map(&at, 0x2000, 0x11, other, 0), OK);
    /* Half an overlay is unmapped: the rest stays. The rejected call has unmapped the first
     * half. */
    EQUAL(base[0x5005], 0x44);
    EQUAL(m.buffers[1].cpu - base, 0x4000);
    EQUAL(sys.sys_munmap(sys.user, base + 0x5000, 0x1000), 0);
    CHECK(m.buffers[1].cpu == m.buffers[1].own);
    EQUAL(m.buffers[1].cpu[5], 0x33);
    EQUAL(m.buffers[1].cpu[0x1005], 0x44);
    EQUAL(m.buffers[0].cpu[0x4005], 0x11);
    /* A buffer whose pages have a guest goes nowhere itself. */
    EQUAL(sys.sys_munmap(sys.user, base, 0x8000), 0);
    EQUAL(sys.sys_munmap(sys.user, base + 0xa000, 0x6000), 0);
    const int large = new_dmabuf(0x20000);
    at = NULL;
    EQUAL(host_map(&at, 0x20000, 1, large, 0), OK);
    EQUAL(host_map(&at, 0x10000, 0x11, area, 0), ENOMEM_);
    shut_all();
    /* An overlay with a hole: its last page keeps it there. */
    open_nodes();
    const int ground = new_dmabuf(0x4000);
    const int guest = new_dmabuf(0x3000);
    at = NULL;
    EQUAL(host_map(&at, 0x4000, 1, ground, 0), OK);
    uint8_t *const there = (uint8_t *)at;
    EQUAL(host_map(&at, 0x3000, 0x11, guest, 0), OK);
    there[0x2007] = 0x55;
    EQUAL(sys.sys_munmap(sys.user, there + 0x1000, 0x1000), 0);
    EQUAL(sys.sys_munmap(sys.user, there, 0x1000), 0);
    CHECK(m.buffers[1].cpu == there);
    EQUAL(there[0x2007], 0x55);
    EQUAL(sys.sys_munmap(sys.user, there + 0x2000, 0x1000), 0);
    CHECK(m.buffers[1].cpu == m.buffers[1].own);
    EQUAL(m.buffers[1].cpu[0x2007], 0x55);
    shut_all();
    /* No row is left for the second half of a mapping with a hole. */
    open_nodes();
    const int big = new_dmabuf(0x3000);
    for (unsigned i = 0; i < 24; i++) {
        at = NULL;
        EQUAL(host_map(&at, 0x3000, 1, big, 0), OK);
    }
    EQUAL(-sys.sys_munmap(sys.user, (uint8_t *)at + 0x1000, 0x1000), ENOMEM_);
    at = NULL;
    EQUAL(host_map(&at, 0x3000, 1, big, 0), ENOMEM_);
    shut_all();
    /* The first page is unmapped: the rest is a mapping and keeps the buffer. */
    open_nodes();
    const int pages = new_dmabuf(0x3000);
    at = NULL;
    EQUAL(host_map(&at, 0x3000, 1, pages, 0), OK);
    EQUAL(sys.sys_munmap(sys.user, at, 0x1000), 0);
    EQUAL(m.vmas[0].at, (uintptr_t)at + 0x1000);
    EQUAL(m.vmas[0].bytes, 0x2000);
    EQUAL(sys.sys_munmap(sys.user, (uint8_t *)at + 0x1000, 0x2000), 0);
    EQUAL(m.vmas[0].kind, GPUCMD_NVGPU_KERNEL_NONE);
    shut_all();
}

/* Section 9: the files of the clock. */
static void clock_files(void)
{
    char text[24] = {0};
    open_nodes();
    const char *const max = "/sys/class/devfreq/17000000.gpu/max_freq";
    const char *const min = "/sys/class/devfreq/17000000.gpu/min_freq";
    EQUAL(-sys.sys_open(sys.user, min, 1), EACCES_);
    int fd = sys.sys_open(sys.user, max, 0);
    EQUAL(sys.sys_read(sys.user, fd, text, sizeof text), 11);
    CHECK(strcmp(text, "1300500000\n") == 0);
    EQUAL(-sys.sys_write(sys.user, fd, text, 11), EBADF_);
    EQUAL(io(fd, 0xc0104705, text), ENOTTY_);
    EQUAL(-sys.sys_read(sys.user, ctrl, text, 4), EINVAL_);
    EQUAL(-sys.sys_read(sys.user, 22, text, 4), EBADF_);
    shut(fd);
    m.root = true;
    fd = sys.sys_open(sys.user, min, 1);
    EQUAL(-sys.sys_read(sys.user, fd, text, sizeof text), EBADF_);
    EQUAL(sys.sys_write(sys.user, fd, "510000000\n", 10), 10);
    EQUAL(m.min_freq, 510000000);
    EQUAL(-sys.sys_write(sys.user, fd, "x", 1), EINVAL_);
    EQUAL(-sys.sys_write(sys.user, fd, "9999999999", 10), EINVAL_);
    shut_all();
}

/* Ioctls without a real handler, on the descriptor of their letter: ENOSYS or ENOTTY. */
static void every_row(void)
{
    uint8_t arg[264] = {0};
    open_nodes();
    as = new_as();
    tsg = new_tsg();
    const int ch = new_channel();
    for (unsigned i = 0; i < IOCTLS; i++) {
        const char letter = (char)(ioctls[i].number >> 8 & 0xff);
        const int fd = letter == 'G'   ? ctrl
                       : letter == 'A' ? as
                       : letter == 'T' ? tsg
                       : letter == 'H' ? ch
                                       : nvmap;
        if (strcmp(ioctls[i].handler, "absent") == 0) {
            EQUAL(io(fd, ioctls[i].number, arg), ENOSYS_);
        } else if (strcmp(ioctls[i].handler, "unknown") == 0) {
            EQUAL(io(fd, ioctls[i].number, arg), ENOTTY_);
        }
    }
    shut_all();
}

/* Which table or memory init rejects, and why. */
static void rejected_tables(void)
{
    static union {
        uint64_t align;
        uint8_t bytes[2 * 0x10000 + 2 * PAGE];
    } room;
    static gpucmd_nvgpu_kernel_store store;
    uint8_t *const page = room.bytes + (PAGE - (uintptr_t)room.bytes % PAGE) % PAGE;
    gpucmd_nvgpu_kernel k;
    memset(&k, 0, sizeof k);
#define REJECTS(table_, status, member, value_)                                                    \
    EQUAL(gpucmd_nvgpu_kernel_init_store(&k, &store, page, 0x11000), GPUCMD_OK);                   \
    EQUAL(k.table, GPUCMD_NVGPU_TABLE_NONE);                                                       \
    k.member = value_;                                                                             \
    EQUAL(gpucmd_nvgpu_kernel_init(&k), GPUCMD_##status);                                          \
    CHECK(strcmp(gpucmd_nvgpu_table_name(k.table), #table_) == 0)
    REJECTS(FILES, RANGE, files, NULL);
    REJECTS(BUFFERS, RANGE, buffers, NULL);
    REJECTS(HANDLES, RANGE, handles, NULL);
    REJECTS(CTRLS, RANGE, ctrls, NULL);
    REJECTS(SPACES, RANGE, spaces, NULL);
    REJECTS(RANGES, RANGE, ranges, NULL);
    REJECTS(TSGS, RANGE, tsgs, NULL);
    REJECTS(CHANNELS, RANGE, channels, NULL);
    REJECTS(VMAS, RANGE, vmas, NULL);
    REJECTS(REGIONS, RANGE, regions, NULL);
    REJECTS(RAM, RANGE, ram, NULL);
    REJECTS(RAM, RANGE, ram_bytes, 4095);
    REJECTS(RAM, ALIGN, ram, page + 8);
    void *const odd = page + 1;
    REJECTS(BUFFERS, ALIGN, buffers, (gpucmd_nvgpu_kernel_buffer *)odd);
    REJECTS(VMAS, ALIGN, vmas, (gpucmd_nvgpu_kernel_vma *)odd);
    REJECTS(REGIONS, ALIGN, regions, (gpucmd_region *)odd);
#undef REJECTS
    EQUAL(gpucmd_nvgpu_kernel_init_store(&k, &store, NULL, 1 << 20), GPUCMD_RANGE);
    EQUAL(k.table, GPUCMD_NVGPU_TABLE_RAM);
    EQUAL(gpucmd_nvgpu_kernel_init_store(&k, &store, page, 0xfff), GPUCMD_RANGE);
    EQUAL(k.table, GPUCMD_NVGPU_TABLE_RAM);
    CHECK(strcmp(gpucmd_nvgpu_table_name((gpucmd_nvgpu_table)12), "?") == 0);
}

/* The table that made a call fail has a name, until the next call. */
static void named_tables(void)
{
    struct gpucmd_nvgpu_alloc_as_args a = {0};
    open_nodes();
    for (unsigned i = 0; i < 3; i++) {
        as = new_as();
        tsg = new_tsg();
        EQUAL(m.table, GPUCMD_NVGPU_TABLE_NONE);
    }
    a.va_range_start = 0x200000;
    a.va_range_end = 0xff00000000;
    EQUAL(io(ctrl, 0xc0404708, &a), ENOMEM_);
    EQUAL(m.table, GPUCMD_NVGPU_TABLE_SPACES);
    struct gpucmd_nvgpu_gpu_open_tsg_args t = {0};
    EQUAL(io(ctrl, 0xc0184709, &t), ENOMEM_);
    EQUAL(m.table, GPUCMD_NVGPU_TABLE_TSGS);
    EQUAL(sys.sys_open(sys.user, "/dev/nvgpu/igpu0/ctrl", 2), 11);
    EQUAL(m.table, GPUCMD_NVGPU_TABLE_NONE);
    EQUAL(sys.sys_open(sys.user, "/dev/nvgpu/igpu0/ctrl", 2), 12);
    EQUAL(-sys.sys_open(sys.user, "/dev/nvgpu/igpu0/ctrl", 2), ENOMEM_);
    EQUAL(m.table, GPUCMD_NVGPU_TABLE_CTRLS);
    for (unsigned i = 0; i < 6; i++) {
        (void)new_channel();
    }
    struct gpucmd_nvgpu_gpu_open_channel_args c;
    c.in.runlist_id = -1;
    EQUAL(io(ctrl, 0xc004470b, &c), ENOMEM_);
    EQUAL(m.table, GPUCMD_NVGPU_TABLE_CHANNELS);
    while (sys.sys_open(sys.user, "/dev/nvmap", 2) > 0) {
    }
    EQUAL(m.table, GPUCMD_NVGPU_TABLE_FILES);
    EQUAL(-sys.sys_open(sys.user, "/dev/null", 2), EMFILE_); /* Linux takes the descriptor first */
    EQUAL(m.table, GPUCMD_NVGPU_TABLE_FILES);
    const uint32_t h = new_handle(RAM_BYTES);
    EQUAL(alloc(h), OK);
    EQUAL(alloc(new_handle(PAGE)), ENOMEM_);
    EQUAL(m.table, GPUCMD_NVGPU_TABLE_RAM);
    EQUAL(alloc(new_handle(RAM_BYTES + PAGE)), ENOMEM_);
    EQUAL(m.table, GPUCMD_NVGPU_TABLE_RAM);
    struct gpucmd_nvmap_create_handle get = {0};
    get.handle = h;
    EQUAL(io(nvmap, 0xc0084e0f, &get), EFAULT_);
    EQUAL(m.table, GPUCMD_NVGPU_TABLE_FILES);
    EQUAL(io(nvmap, 0xc0084e0f, NULL), EFAULT_);
    EQUAL(m.table, GPUCMD_NVGPU_TABLE_NONE);
    shut_all();
}

/* The tables of buffers and handles are full. */
/* The row after the table of CPU mappings looks like a mapping of each buffer in turn: no call uses
 * it. */
static void mappings_end(void)
{
    for (uint32_t idx = 0; idx < 2; idx++) {
        void *at = NULL;
        open_nodes();
        const int ground = new_dmabuf(0x4000);
        const int guest = new_dmabuf(0x2000);
        EQUAL(host_map(&at, 0x4000, 1, ground, 0), OK);
        uint8_t *const base = (uint8_t *)at;
        m.vma_count = 23;
        m.vmas[23] = m.vmas[0];
        m.vmas[23].idx = idx;
        m.vmas[23].at = (uintptr_t)base + 0x10000;
        at = base + 0x10000;
        EQUAL(host_map(&at, 0x2000, 0x11, guest, 0), ENOMEM_); /* nothing is there */
        EQUAL(sys.sys_munmap(sys.user, base + 0x10000, 0x2000), 0);
        CHECK(m.vmas[23].at == (uintptr_t)base + 0x10000 && m.vmas[23].bytes == 0x4000);
        at = base + 0x1000;
        EQUAL(host_map(&at, 0x2000, 0x11, guest, 0), OK);
        CHECK(m.buffers[1].cpu == base + 0x1000);
        EQUAL(sys.sys_munmap(sys.user, base + 0x1000, 0x2000), 0);
        CHECK(m.buffers[1].cpu == m.buffers[1].own);
        EQUAL(sys.sys_munmap(sys.user, base, 0x4000), 0);
        m.vmas[23].kind = GPUCMD_NVGPU_KERNEL_NONE;
        m.vma_count = 24;
        shut_all();
    }
}

static void full_handles(void)
{
    struct gpucmd_nvmap_create_handle a = {0};
    open_nodes();
    const int fd = new_dmabuf(PAGE);
    for (unsigned i = 1; i < 24; i++) {
        (void)new_handle(PAGE);
    }
    a.size = PAGE;
    EQUAL(io(nvmap, 0xc0084e00, &a), ENOMEM_);
    EQUAL(m.table, GPUCMD_NVGPU_TABLE_BUFFERS);
    memset(&a, 0, sizeof a);
    a.size64 = PAGE;
    EQUAL(io(nvmap, 0xc0084e01, &a), ENOMEM_);
    memset(&a, 0, sizeof a);
    a.fd = fd;
    EQUAL(io(nvmap, 0xc0084e10, &a), ENOMEM_);
    EQUAL(m.table, GPUCMD_NVGPU_TABLE_HANDLES);
    shut_all();
    /* handle numbers end: the last, and none after it */
    open_nodes();
    m.next_handle = 0xffffffff;
    EQUAL(new_handle(PAGE), 0xffffffff);
    memset(&a, 0, sizeof a);
    a.size = PAGE;
    EQUAL(io(nvmap, 0xc0084e00, &a), ENOMEM_);
    EQUAL(m.next_handle, 0);
    shut_all();
}

/* Arguments in the memory of another process; a result cannot be written to read-only memory. */
static void process_memory(void)
{
    static uint8_t page[64], locked[64];
    gpucmd_region r[2] = {
        {0x10000, sizeof page,   page,   3},
        {0x20000, sizeof locked, locked, 1}
    };
    gpucmd_mem mem;
    open_nodes();
    EQUAL(gpucmd_mem_init(&mem, r, 2), GPUCMD_OK);
    m.process = &mem;
    struct gpucmd_nvmap_create_handle a = {0};
    a.size = PAGE;
    memcpy(page + 8, &a, sizeof a);
    memcpy(locked, &a, sizeof a);
    EQUAL(io(nvmap, 0xc0084e00, value(0x10008)), OK);
    memcpy(&a, page + 8, sizeof a);
    EQUAL(a.handle, 0x7fffffff);
    EQUAL(io(nvmap, 0xc0084e00, value(0x20000)), EFAULT_);
    EQUAL(io(nvmap, 0xc0084e00, value(0x1003c)), EFAULT_); /* over the end */
    EQUAL(io(nvmap, 0xc0084e00, &a), EFAULT_);             /* not an address of the process */
    /* GET_CHARACTERISTICS: a pointer in the argument is an address of the process, too. */
    const uint64_t want[2] = {8, 0x10020};
    memcpy(page, want, sizeof want);
    EQUAL(io(ctrl, 0xc0104705, value(0x10000)), OK);
    EQUAL(gpucmd_load32(page + 0x20, gpucmd_cpu_endian()), 0x170);
    EQUAL(gpucmd_load32(page + 0x24, gpucmd_cpu_endian()), 0xb);
    m.process = NULL;
    shut_all();
}

/* The older forms: ALLOC_SPACE with 32 bits, and BIND_CHANNEL without a subcontext. */
static void old_forms(void)
{
    struct gpucmd_nvgpu32_as_alloc_space_args a = {0};
    int no_channel = 3;
    open_nodes();
    as = new_as();
    tsg = new_tsg();
    a.pages = 1;
    a.page_size = 65536;
    EQUAL(io(as, 0xc0184102, &a), EINVAL_);
    EQUAL(io(tsg, 0x40045401, &no_channel), EINVAL_);
    /* A channel without an address space is rejected, but subcontext 0 stays reserved. */
    int ch = new_channel();
    EQUAL(io(tsg, 0x40045401, &ch), EINVAL_);
    EQUAL(bind_as(ch), OK);
    EQUAL(io(tsg, 0x40045401, &ch), ENOSPC_);
    shut_all();
}

/* Return true if the list, names with a blank between, has this one. */
static bool lists(const char *list, const char *name)
{
    const size_t len = strlen(name);
    for (const char *at = strstr(list, name); at != NULL; at = strstr(at + 1, name)) {
        if ((at == list || at[-1] == ' ') && (at[len] == ' ' || at[len] == '\0')) {
            return true;
        }
    }
    return false;
}

/* Compare the column of errnos with what the handlers returned above: each errno was seen, no
 * other was. Every ioctl that a handler serves succeeded at least once. Any call can fail in
 * the dispatcher. */
static void error_lists(void)
{
#define ERROR(name)                                                                                \
    {                                                                                              \
#name, name##_                                                                             \
    }
    static const struct {
        const char *name;
        int number;
    } errors[] = {ERROR(EBADF),  ERROR(ENOMEM), ERROR(EFAULT),   ERROR(EEXIST),
                  ERROR(ENODEV), ERROR(EINVAL), ERROR(EMFILE),   ERROR(ENOTTY),
                  ERROR(ENOSPC), ERROR(ENOSYS), ERROR(ETIMEDOUT)};
#undef ERROR
    const uint64_t any = 1ull << EBADF_ | 1ull << EINVAL_ | 1ull << ENOTTY_ | 1ull << EFAULT_;
    for (unsigned i = 0; i < IOCTLS; i++) {
        uint64_t listed = 0;
        size_t len = strlen(ioctls[i].errors) + 1;
        for (unsigned j = 0; j < sizeof errors / sizeof errors[0]; j++) {
            if (lists(ioctls[i].errors, errors[j].name)) {
                listed |= 1ull << (errors[j].number > 62 ? 63 : errors[j].number);
                len -= strlen(errors[j].name) + 1;
            }
        }
        CHECK(len == 0 || ioctls[i].errors[0] == '\0'); /* no name but those above */
        test_equal(listed & ~ioctls[i].seen, 0, __FILE__, __LINE__, ioctls[i].name);
        test_equal(ioctls[i].seen & ~(listed | any | 1), 0, __FILE__, __LINE__, ioctls[i].name);
        const bool served =
            strcmp(ioctls[i].handler, "absent") != 0 && strcmp(ioctls[i].handler, "unknown") != 0 &&
            ioctls[i].number != GPUCMD_NVGPU_IOCTL_CHANNEL_SUBMIT_GPFIFO; /* always fails */
        test_equal(ioctls[i].seen & 1, served, __FILE__, __LINE__, ioctls[i].name);
    }
}

static struct {
    const char *call;
    int fd;
    uint64_t what;
    int result;
} calls[8];
static uint32_t call_count;

static void on_call(void *user, const char *call, int fd, uint64_t what, int64_t result)
{
    EQUAL(user == calls, true);
    if (call_count < 8) {
        calls[call_count].call = call;
        calls[call_count].fd = fd;
        calls[call_count].what = what;
        calls[call_count].result = (int)result;
    }
    call_count++;
}

/* The trace is told each system call: its name or the path, descriptor, number and result. */
static void traced(void)
{
    static const struct {
        const char *call;
        int fd;
        uint64_t what;
        int result;
    } want[] = {
        {"/dev/nvmap", 3,        2,      3       },
        {"/dev/none",  -ENOENT_, 1,      -ENOENT_},
        {"ioctl",      3,        0x1234, -ENOTTY_},
        {"ioctl",      9,        0x1234, -EBADF_ },
        {"munmap",     -1,       0,      -EINVAL_},
        {"close",      3,        0,      0       },
        {"close",      3,        0,      -EBADF_ },
    };
    const uint32_t n = sizeof want / sizeof want[0];
    nvgpu_setup();
    refused_watch();
    m.trace = on_call;
    m.trace_user = calls;
    call_count = 0;
    EQUAL(sys.sys_open(sys.user, "/dev/nvmap", 2), 3);
    EQUAL(sys.sys_open(sys.user, "/dev/none", 1), -ENOENT_);
    EQUAL(sys.sys_ioctl(sys.user, 3, 0x1234, NULL), -ENOTTY_);
    EQUAL(sys.sys_ioctl(sys.user, 9, 0x1234, NULL), -EBADF_);
    EQUAL(sys.sys_munmap(sys.user, NULL, 0), -EINVAL_);
    EQUAL(sys.sys_close(sys.user, 3), 0);
    EQUAL(sys.sys_close(sys.user, 3), -EBADF_);
    EQUAL(call_count, n);
    for (uint32_t i = 0; i < n; i++) {
        if (!CHECK(strcmp(calls[i].call, want[i].call) == 0) || !EQUAL(calls[i].fd, want[i].fd) ||
            !EQUAL(calls[i].what, want[i].what) || !EQUAL(calls[i].result, want[i].result)) {
            printf("    call %u: %s\n", (unsigned)i, calls[i].call);
        }
    }
}

int main(void)
{
    dispatch();
    every_row();
    memory_handles();
    descriptors();
    characteristics();
    spaces();
    mapping();
    groups();
    set_up();
    channels_of_id_0();
    same_mapping();
    many_channels();
    host_addresses();
    overlays();
    clock_files();
    rejected_tables();
    named_tables();
    mappings_end();
    full_handles();
    process_memory();
    old_forms();
    error_lists();
    traced();
    return test_report("nv_nvgpu_kernel");
}

/* CPU memory of the nvgpu model kernel: pages with several addresses, MAP_FIXED, lifetimes, doorbell
 * pages. Without a hook the memory is an array, and all mappings of a page have one address. On
 * Linux also with a hook, over a memory file. */
/* suite: native */
#define _GNU_SOURCE 1
#if defined(__linux__) && defined(__x86_64__)
#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>
#define HOOKS 2
#else
#define HOOKS 1
#endif
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"
#include "test.h"

#include "nv/nvgpu.h"

static gpucmd_nvgpu g;
static int hook; /* 1: m.ram is a mapping of a memory file */

/* A model kernel and a client of it. */
static void begin(void)
{
    nvgpu_setup();
    m.ram_bytes = 1 << 20;
#if HOOKS == 2
    static gpucmd_sys_ops host;
    if (hook != 0) {
        gpucmd_sys_ops_init_linux(&host);
        m.ram_fd = memfd_create("nvgpu", 0);
        CHECK(m.ram_fd >= 0 && ftruncate(m.ram_fd, 1 << 20) == 0);
        m.ram = (uint8_t *)mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED, m.ram_fd, 0);
        CHECK(m.ram != (uint8_t *)MAP_FAILED);
        m.host = &host;
    }
#endif
    EQUAL(gpucmd_nvgpu_start(&g, &sys), GPUCMD_OK);
}

static void end_host(void)
{
#if HOOKS == 2
    if (hook != 0) {
        EQUAL(munmap(m.ram, 1 << 20), 0);
        EQUAL(close(m.ram_fd), 0);
    }
#endif
}

static void end(void)
{
    gpucmd_nvgpu_close(&g);
    EQUAL(nvgpu_alive(), 0);
    end_host();
}

static gpucmd_nvgpu_buffer buffer(uint64_t bytes)
{
    gpucmd_nvgpu_buffer_req req;
    gpucmd_nvgpu_buffer b;
    gpucmd_nvgpu_buffer_req_init(&req, bytes, false);
    EQUAL(gpucmd_nvgpu_buffer_alloc(&g, &req, &b), GPUCMD_OK);
    return b;
}

/* As sys_mmap of len pages of fd from page off; at: with MAP_FIXED. */
static int try_map(int fd, size_t len, uint64_t off, void *at, gpucmd_sys_map *map)
{
    gpucmd_sys_map call;
    int result;
    call.addr = at;
    call.len_bytes = len * PAGE;
    call.prot = GPUCMD_SYS_PROT_READ | GPUCMD_SYS_PROT_WRITE;
    call.flags = GPUCMD_SYS_MAP_SHARED | (at != NULL ? (uint32_t)GPUCMD_SYS_MAP_FIXED : 0);
    call.fd = fd;
    call.off_bytes = off * PAGE;
    result = sys.sys_mmap(sys.user, &call);
    *map = call;
    return result;
}

static uint8_t *map(int fd, size_t len, uint64_t off, void *at)
{
    gpucmd_sys_map call;
    EQUAL(try_map(fd, len, off, at, &call), 0);
    CHECK(at == NULL || call.addr == at);
    return (uint8_t *)call.addr;
}

static void unmap(void *at, size_t len)
{
    EQUAL(sys.sys_munmap(sys.user, at, len * PAGE), 0);
}

/* Store and load a byte of a page that can have several addresses. volatile, because a compiler can
 * assume that two of its addresses are two objects, and exchange a store and a load. */
static void set(volatile uint8_t *at, uint8_t v)
{
    *at = v;
}

static uint8_t get(const volatile uint8_t *at)
{
    return *at;
}

/* One page at two and three addresses; the end of one leaves the others. */
static void twice(void)
{
    begin();
    gpucmd_nvgpu_buffer x = buffer(4 * PAGE);
    uint8_t *const a = (uint8_t *)x.cpu;
    uint8_t *const b = map(x.fd, 4, 0, NULL);
    uint8_t *const c = map(x.fd, 1, 2, NULL);
    CHECK(hook != 0 ? a != b && b != c : a == b && c == a + 2 * PAGE);
    set(&a[2 * PAGE + 5], 0x11);
    EQUAL(get(&b[2 * PAGE + 5]), 0x11);
    EQUAL(get(&c[5]), 0x11);
    unmap(b, 4);
    set(&c[6], 0x22);
    EQUAL(get(&a[2 * PAGE + 6]), 0x22);
    unmap(c, 1);
    EQUAL(get(&a[2 * PAGE + 5]), 0x11);
    x.cpu = NULL; /* only the mapping at a is left */
    gpucmd_nvgpu_buffer_free(&g, &x);
    for (unsigned i = 0; i < 3; i++) {
        gpucmd_nvgpu_buffer more = buffer(4 * PAGE);
        memset(more.cpu, 0xff, 4 * PAGE);
        gpucmd_nvgpu_buffer_free(&g, &more);
    }
    EQUAL(get(&a[2 * PAGE + 5]), 0x11);
    EQUAL(get(&a[2 * PAGE + 6]), 0x22);
    unmap(a, 4);
    end();
}

/* y over x at an offset, while y is mapped elsewhere; then other pages of y over it. */
static void over(void)
{
    begin();
    gpucmd_nvgpu_buffer x = buffer(4 * PAGE);
    gpucmd_nvgpu_buffer y = buffer(2 * PAGE);
    uint8_t *const at = (uint8_t *)x.cpu;
    uint8_t *const home = (uint8_t *)y.cpu;
    uint8_t *const other = map(x.fd, 4, 0, NULL);
    memset(at, 0x11, 4 * PAGE);
    memset(home, 0x22, PAGE);
    memset(home + PAGE, 0x33, PAGE);
    (void)map(y.fd, 2, 0, at + PAGE);
    EQUAL(get(&at[0]), 0x11);
    EQUAL(get(&at[PAGE]), 0x22);
    EQUAL(get(&at[2 * PAGE]), 0x33);
    EQUAL(get(&at[3 * PAGE]), 0x11);
    EQUAL(get(&other[PAGE]), 0x11);
    set(&at[PAGE + 7], 0x44);
    EQUAL(get(&home[7]), 0x44);
    (void)map(y.fd, 1, 1, at + PAGE); /* one page of y twice in a row */
    EQUAL(get(&at[PAGE]), 0x33);
    set(&at[PAGE], 0x55);
    EQUAL(get(&at[2 * PAGE]), 0x55);
    EQUAL(get(&home[PAGE]), 0x55);
    (void)map(x.fd, 1, 1, at + 2 * PAGE); /* x moves by a page */
    EQUAL(get(&at[2 * PAGE]), 0x11);
    unmap(at + PAGE, 1);
    EQUAL(get(&home[7]), 0x44);
    EQUAL(get(&other[3 * PAGE]), 0x11);
    unmap(other, 4);
    gpucmd_nvgpu_buffer_free(&g, &y);
    unmap(at, 4);
    x.cpu = NULL;
    gpucmd_nvgpu_buffer_free(&g, &x);
    end();
}

/* Without a hook a page cannot be at a second address. A buffer that is not mapped can move onto
 * another one. */
static void moved(void)
{
    gpucmd_sys_map call;
    begin();
    gpucmd_nvgpu_buffer x = buffer(4 * PAGE);
    gpucmd_nvgpu_buffer y = buffer(2 * PAGE);
    uint8_t *const at = (uint8_t *)x.cpu;
    uint8_t *const home = (uint8_t *)y.cpu;
    memset(at, 0x11, 4 * PAGE);
    memset(home, 0x22, 2 * PAGE);
    EQUAL(try_map(y.fd, 2, 0, at + PAGE, &call), -GPUCMD_SYS_ENOMEM);
    EQUAL(get(&home[2 * PAGE - 1]), 0x22);
    EQUAL(get(&at[0]), 0x11);
    EQUAL(get(&at[3 * PAGE]), 0x11);
    unmap(home, 2);
    y.cpu = NULL;
    (void)map(x.fd, 4, 0, at);
    EQUAL(get(&at[PAGE]), 0x11);
    (void)map(y.fd, 2, 0, at + PAGE);
    EQUAL(get(&at[0]), 0x11);
    EQUAL(get(&at[PAGE]), 0x22);
    EQUAL(get(&at[3 * PAGE - 1]), 0x22);
    EQUAL(get(&at[3 * PAGE]), 0x11);
    unmap(at + PAGE, 2);
    gpucmd_nvgpu_buffer_free(&g, &y);
    (void)map(x.fd, 4, 0, at);
    EQUAL(get(&at[PAGE]), 0x11); /* x again */
    x.cpu = at;
    gpucmd_nvgpu_buffer_free(&g, &x);
    end();
}

/* Memory that only a mapping keeps is not given to a new buffer. */
static void kept(void)
{
    begin();
    gpucmd_nvgpu_buffer x = buffer(8 * PAGE);
    gpucmd_nvgpu_buffer y = buffer(4 * PAGE);
    uint8_t *const a = map(x.fd, 2, 6, NULL);
    uint8_t *const at = (uint8_t *)y.cpu;
    if (hook != 0) {
        (void)map(x.fd, 1, 0, at + PAGE);
    }
    memset(a, 0x66, 2 * PAGE);
    set(&at[PAGE], 0x77);
    gpucmd_nvgpu_buffer_free(&g, &x);
    for (unsigned i = 0; i < 6; i++) {
        gpucmd_nvgpu_buffer more = buffer(8 * PAGE);
        memset(more.cpu, 0xff, 8 * PAGE);
        EQUAL(get(&a[0]), 0x66);
        EQUAL(get(&a[2 * PAGE - 1]), 0x66);
        EQUAL(get(&at[PAGE]), 0x77);
        gpucmd_nvgpu_buffer_free(&g, &more);
    }
    unmap(a, 2);
    gpucmd_nvgpu_buffer_free(&g, &y);
    end();
}

/* Write a release of v at sem to slot i of words and return its address. */
static uint64_t release(const gpucmd_nvgpu_buffer *words, unsigned i, uint64_t sem, uint32_t v)
{
    gpucmd_writer wr;
    uint32_t cmd[16];
    size_t len_dw = 0;
    gpucmd_writer_init(&wr, cmd, 16);
    gpucmd_nv_emit_inc5(&wr, 0, 0x5c, (uint32_t)sem, (uint32_t)(sem >> 32), v, 0, 0x01100001);
    EQUAL(gpucmd_writer_finish(&wr, &len_dw), GPUCMD_OK);
    gpucmd_store_words((uint8_t *)words->cpu + 32 * i, cmd, len_dw, GPUCMD_LITTLE_ENDIAN);
    return words->va + 32 * i;
}

/* Two channels with rings over an area; the GPU sees the area under them. Both channels ring by
 * plain stores before one run, twice: on one page, on two, or on one while there are two. */
static void channels(bool two_pages, bool both_ring)
{
    gpucmd_nvgpu_channel_req req;
    gpucmd_nvgpu_channel c[2];
    gpucmd_nv_gpfifo q[2];
    begin();
    gpucmd_nvgpu_buffer area = buffer(8 * PAGE);
    gpucmd_nvgpu_buffer words = buffer(PAGE);
    uint8_t *const under = map(area.fd, 8, 0, NULL);
    const int node = sys.sys_open(sys.user, "/dev/nvgpu/igpu0/ctrl", 2);
    uint8_t *const bell = two_pages ? map(node, 16, 0, NULL) : NULL;
    CHECK(bell != (uint8_t *)g.usermode);
    for (unsigned i = 0; i < 2; i++) {
        gpucmd_nvgpu_channel_req_init(&req);
        req.entries = 8;
        req.area = &area;
        req.ring_off_bytes = 2 * PAGE * i;
        req.userd_off_bytes = 2 * PAGE * i + PAGE;
        EQUAL(gpucmd_nvgpu_channel_open(&g, &req, &c[i]), GPUCMD_OK);
        EQUAL((uint8_t *)c[i].ring_cpu - (uint8_t *)area.cpu, 2 * PAGE * (int)i);
        gpucmd_nvgpu_gpfifo_init(&q[i], &c[i], i == 1 && both_ring ? bell : g.usermode, NULL);
    }
    for (uint32_t turn = 1; turn <= 2; turn++) {
        for (unsigned i = 0; i < 2; i++) {
            const uint64_t sem = area.va + 2 * PAGE * i + 0x100; /* under the ring */
            EQUAL(gpucmd_nvgpu_submit(&q[i], release(&words, i, sem, 10 * turn + i), 6,
                                      GPUCMD_NV_ENTRY_SUBROUTINE),
                  GPUCMD_OK);
        }
        EQUAL(gpucmd_nvgpu_kernel_run(&m, 1000), GPUCMD_RUN_IDLE);
        for (unsigned i = 0; i < 2; i++) {
            if (hook != 0) {
                EQUAL(under[2 * PAGE * i + 0x100], 10 * turn + i);
            }
            EQUAL(((uint8_t *)c[i].ring_cpu)[0x100], 0);
        }
    }
    for (unsigned i = 0; i < 2; i++) {
        gpucmd_nvgpu_channel_close(&g, &c[i]);
    }
    EQUAL(((uint8_t *)area.cpu)[0x100], 20);
    EQUAL(((uint8_t *)area.cpu)[2 * PAGE + 0x100], 21);
    unmap(under, 8);
    if (two_pages) {
        unmap(bell, 16);
    }
    EQUAL(sys.sys_close(sys.user, node), 0);
    gpucmd_nvgpu_buffer_free(&g, &words);
    gpucmd_nvgpu_buffer_free(&g, &area);
    end();
}

static uint32_t executions;

static gpucmd_run on_exec(void *user, uint32_t channel, gpucmd_nv_pbdma *p, const gpucmd_env *env,
                          uint64_t budget)
{
    executions++;
    return engine_exec(user, channel, p, env, budget);
}

/* A channel that is not rung does not run if no doorbell was written; a ring counts once. */
static void not_rung(void)
{
    gpucmd_nvgpu_channel_req req;
    gpucmd_nvgpu_channel c;
    gpucmd_nv_gpfifo q;
    uint32_t nowhere[0x94 / 4];
    begin();
    m.exec = on_exec;
    executions = 0;
    gpucmd_nvgpu_buffer words = buffer(PAGE);
    gpucmd_nvgpu_channel_req_init(&req);
    EQUAL(gpucmd_nvgpu_channel_open(&g, &req, &c), GPUCMD_OK);
    gpucmd_nvgpu_gpfifo_init(&q, &c, nowhere, NULL);
    volatile uint32_t *const unseen = q.doorbell;
    gpucmd_nvgpu_gpfifo_init(&q, &c, g.usermode, NULL);
    for (uint32_t turn = 1; turn <= 2; turn++) {
        EQUAL(gpucmd_nvgpu_submit(&q, release(&words, 0, words.va + 0x800, turn), 6,
                                  GPUCMD_NV_ENTRY_SUBROUTINE),
              GPUCMD_OK);
        EQUAL(gpucmd_nvgpu_kernel_run(&m, 1000), GPUCMD_RUN_IDLE);
        EQUAL(((uint8_t *)words.cpu)[0x800], 1);
        q.doorbell = unseen;
    }
    EQUAL(executions, 1);
    for (uint32_t turn = 2; turn <= 3; turn++) { /* rung with an entry, then without one */
        gpucmd_store32((uint8_t *)g.usermode + 0x90, c.token, GPUCMD_LITTLE_ENDIAN);
        EQUAL(gpucmd_nvgpu_kernel_run(&m, 1000), GPUCMD_RUN_IDLE);
        EQUAL(executions, turn);
        EQUAL(((uint8_t *)words.cpu)[0x800], 2);
    }
    gpucmd_store32((uint8_t *)g.usermode + 0x90, c.token - 1, GPUCMD_LITTLE_ENDIAN);
    EQUAL(gpucmd_nvgpu_kernel_run(&m, 1000), GPUCMD_RUN_IDLE);
    EQUAL(executions, 3); /* no channel has this token */
    gpucmd_nvgpu_channel_close(&g, &c);
    gpucmd_nvgpu_buffer_free(&g, &words);
    end();
}

/* Flag 6 is old: a mapping with it is the same mapping. */
static void old_flag(void)
{
    struct gpucmd_nvgpu_as_map_buffer_ex_args a;
    gpucmd_nvgpu_kernel_counts counts;
    begin();
    gpucmd_nvgpu_buffer x = buffer(PAGE);
    memset(&a, 0, sizeof a);
    a.compr_kind = -1;
    a.dmabuf_fd = (uint32_t)x.fd;
    a.flags = 1 << 6;
    EQUAL(sys.sys_ioctl(sys.user, g.as_fd, GPUCMD_NVGPU_AS_IOCTL_MAP_BUFFER_EX, &a), 0);
    EQUAL(a.offset, x.va);
    gpucmd_nvgpu_kernel_count(&m, &counts);
    EQUAL(counts.mappings, 1);
    gpucmd_nvgpu_buffer_free(&g, &x);
    gpucmd_nvgpu_close(&g);
    end_host();
}

#if HOOKS == 2
static const gpucmd_sys_ops *real;
static uint32_t host_flags;

static int on_host_mmap(void *user, gpucmd_sys_map *call)
{
    host_flags = call->flags;
    return real->sys_mmap(user, call);
}

/* What the host maps is shared with the GPU. Of the flags of the process only FIXED counts. */
static void flags(void)
{
    begin();
    gpucmd_nvgpu_buffer b = buffer(PAGE);
    gpucmd_sys_ops ops = *m.host;
    gpucmd_sys_map call = {NULL, PAGE, 3, MAP_SHARED | MAP_POPULATE, b.fd, 0};
    real = m.host;
    ops.sys_mmap = on_host_mmap;
    m.host = &ops;
    EQUAL(sys.sys_mmap(sys.user, &call), 0);
    EQUAL(host_flags, 1); /* MAP_SHARED */
    call.flags |= MAP_FIXED;
    EQUAL(sys.sys_mmap(sys.user, &call), 0);
    EQUAL(host_flags, 0x11);
    unmap(call.addr, 1);
    m.host = real;
    gpucmd_nvgpu_buffer_free(&g, &b);
    end();
}
#endif

int main(void)
{
    for (hook = 0; hook < HOOKS; hook++) {
        twice();
        if (hook != 0) {
            over();
#if HOOKS == 2
            flags();
#endif
        } else {
            moved();
        }
        kept();
        channels(false, false);
        channels(true, true);
        channels(true, false);
        not_rung();
        old_flag();
    }
    return test_report("nvgpu_memory");
}

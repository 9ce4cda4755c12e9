/* nv/nvgpu_edges.c - nvgpu at its edges: functions that the caller's table lacks or that return nothing, the
 * objects of the resource manager without a parent or a warning, files and mappings of the model kernel. */
/* suite: kernel */
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"
#include "test.h"

#include "nv/nvgpu.h"

static gpucmd_nvgpu g;

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

/* ---- buffers, mappings, descriptors ---- */

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
    buffers();
    return test_report("nv/nvgpu_edges");
}

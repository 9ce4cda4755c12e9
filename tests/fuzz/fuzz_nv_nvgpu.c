/* fuzz_nv_nvgpu.c - sequences of system calls, doorbells and GPU work for the model kernel, and
 * the calls of the library with failures at random places. No access may be outside of tables and
 * RAM, no call may hang, a refused system call changes nothing (nv/refused.h), and everything that was
 * opened must be closable.
 *
 * Arguments of ioctls change while they are read (nv/nvgpu.h).
 *
 * Input: bytes. The first chooses the mode; each later group chooses a call and its arguments. */
#include "gpucmd_nv.h"

#include "fuzz.h"

#include <stdio.h>

#include "nv/nvgpu.h"

/* For nv/refused.h: a check that fails ends the program, and only a page of memory is compared. */
#define REFUSED_RAM_BYTES 4096
#define CHECK(good)       (must(good), true)
static void test_dirty(void)
{
}
#include "nv/refused.h"

static const uint8_t *in;
static size_t left;

static uint32_t draw(unsigned n)
{
    uint32_t v = 0;
    while (n-- != 0) {
        v = v << 8 | (left != 0 ? *in : 0);
        if (left != 0) {
            in++;
            left--;
        }
    }
    return v;
}

/* Numbers of the ioctls that the model kernel implements; they are drawn more often. */
static const uint32_t numbers[] = {
    0xc0084e00, 0xc0084e01, 0x40144e03, 0xc0084e0f, 0x00004e04, 0xc0084e10, 0x80484e1b,
    0xc0104705, 0xc0404708, 0xc0184709, 0xc004470b, 0xc005470c, 0xc0044101, 0xc0184102,
    0xc0204103, 0xc0084105, 0xc0204106, 0xc0284107, 0xc0104108, 0x40045401, 0x40045402,
    0x40085409, 0x8008540a, 0xc018540b, 0xc0105412, 0x40085413, 0x8004480c, 0xc018486b,
    0xc010486c, 0xc018486f, 0x40084877, 0x8010487e, 0xc0684880,
};

/* Return a value that is likely to be valid for some argument. */
static uint32_t likely(void)
{
    const uint32_t kind = draw(1);
    const uint32_t v = draw(1);
    switch (kind % 8) {
    case 0: return v % 24;                       /* a descriptor */
    case 1: return 0x7fffffffu + v % 16;         /* a handle */
    case 2: return v * 4096;                     /* a size, an address */
    case 3: return (uint32_t)1 << v % 32;        /* a flag, a power of two */
    case 4: return v % 4;                        /* a mode */
    case 5: return v % 2 != 0 ? 0x40000000 : 10; /* the heap mask, the flags of SETUP_BIND */
    case 6: return 0xffffffff;
    default: return draw(4);
    }
}

/* True if the model kernel may use the pointers in an argument. */
static void fix_pointers(uint32_t number, uint8_t *arg, uint8_t *target)
{
    if (number == 0xc0104705) {
        gpucmd_store64(arg + 8, draw(1) % 4 == 0 ? 0 : (uintptr_t)target, gpucmd_cpu_endian());
        gpucmd_store64(arg, draw(2) % 400, gpucmd_cpu_endian());
    } else if (number == 0xc0104108) {
        gpucmd_store64(arg, draw(1) % 4 == 0 ? 0 : (uintptr_t)target, gpucmd_cpu_endian());
    }
}

/* Return a descriptor, mostly an open one of the kind that the letter of the ioctl selects. */
static int descriptor(uint32_t number)
{
    static const char letters[] = "NGATH";
    static const gpucmd_nvgpu_kernel_kind kinds[] = {
        GPUCMD_NVGPU_KERNEL_NVMAP, GPUCMD_NVGPU_KERNEL_CTRL, GPUCMD_NVGPU_KERNEL_AS,
        GPUCMD_NVGPU_KERNEL_TSG, GPUCMD_NVGPU_KERNEL_CHANNEL};
    const uint32_t v = draw(1);
    for (uint32_t i = 0; v >= 64 && i < 24 * 5; i++) {
        const uint32_t fd = (v + i / 5) % 24;
        if (nvgpu_files[fd].kind == kinds[i % 5] &&
            (number >> 8 & 255) == (uint8_t)letters[i % 5]) {
            return (int)fd;
        }
    }
    return (int)(v % 24);
}

static void one_ioctl(void)
{
#ifdef FUZZ_ALIAS
    uint8_t *const target = m.ram + (size_t)(draw(1) % 32) * 512;
    uint8_t *const arg = m.ram + (size_t)(draw(1) % 32) * 512;
#else
    static uint8_t target[400];
    static uint8_t arg[0x4000];
#endif
    const uint32_t pick = draw(1);
    const uint32_t number =
        pick < 250 ? numbers[pick % (sizeof numbers / sizeof numbers[0])] : draw(4);
    const int fd = descriptor(number);
    memset(arg, 0, 0x4000);
    for (unsigned i = 0; i < 104; i += 4) {
        const uint32_t v = draw(1) % 2 == 0 ? 0 : likely();
        gpucmd_store32(arg + i, v, gpucmd_cpu_endian());
        if (left == 0) {
            break;
        }
    }
    fix_pointers(number, arg, target);
    if (number == 0x4e04) {
        (void)refused_ioctl(fd, number, (void *)(uintptr_t)likely());
    } else {
        void *const pointer = draw(1) == 0 ? NULL : arg;
        (void)refused_ioctl(fd, number, pointer);
    }
}

static void one_map(void)
{
    static const uint32_t flags[] = {1, 0x11, 0x100001};
    const uint32_t how = draw(1);
    const int fd = (int)(draw(1) % 24);
    gpucmd_sys_map map;
    void *at = NULL;
    if (how % 4 != 0) { /* at a mapped address, or one page after it */
        at = how % 4 == 1 ? (void *)(m.ram + (size_t)(draw(2) % (RAM_BYTES / PAGE)) * PAGE)
                          : (void *)nvgpu_vmas[draw(1) % 24].at;
        at = at != NULL ? (uint8_t *)at + (how & 0x80 ? PAGE : 0) : NULL;
    }
    map.addr = at;
    map.len_bytes = (size_t)draw(1) % 8 * PAGE + (how >> 6 & 1);
    map.prot = 3;
    map.flags = flags[how / 4 % 3];
    map.fd = fd;
    map.off_bytes = (uint64_t)(draw(1) % 3) * PAGE;
    if (sys.sys_mmap(sys.user, &map) == 0) {
        const uintptr_t ram = (uintptr_t)m.ram;
        const uintptr_t got = (uintptr_t)map.addr;
        must(got >= ram && got < ram + RAM_BYTES);
    }
}

static void one_call(void)
{
    static const char *const paths[] = {
        "/dev/nvmap",
        "/dev/nvgpu/igpu0/ctrl",
        "/sys/class/devfreq/17000000.gpu/min_freq",
        "/nowhere",
    };
    const gpucmd_nvgpu_kernel_vma *v;
    uint32_t word;
    switch (draw(1) % 12) {
    case 0: (void)sys.sys_open(sys.user, paths[draw(1) % 4], draw(1) % 3); break;
    case 1: (void)sys.sys_close(sys.user, (int)draw(1) % 26 - 1); break;
    case 2: one_map(); break;
    case 3:
        v = &nvgpu_vmas[draw(1) % 24];
        (void)sys.sys_munmap(sys.user, (void *)(v->at + (uintptr_t)(draw(1) % 3) * PAGE),
                             (size_t)(draw(1) % 20) * PAGE);
        break;
    case 4: (void)gpucmd_nvgpu_kernel_run(&m, draw(2)); break;
    case 5: /* write a GET or PUT position, then the doorbell */
        v = &nvgpu_vmas[draw(1) % 24];
        if (v->kind == GPUCMD_NVGPU_KERNEL_DMABUF) {
            word = draw(4);
            memcpy((uint8_t *)v->at + draw(2) % 1024 * 4, &word, 4);
            memset((uint8_t *)v->at + 0x8c, (int)(draw(1) % 4), 1);
        }
        word = 511 - draw(1) % 4;
        if (m.ctrls[0].page != NULL) {
            gpucmd_store32(m.ctrls[0].page + 0x90, word, GPUCMD_LITTLE_ENDIAN);
        }
        break;
    case 6: m.fail_at = draw(1); break;
    case 7: m.fail_copy_out = draw(1) == 1; break;
    default: one_ioctl(); break;
    }
}

/* Open two channels, as a client does. Half of the inputs use one buffer for their rings. */
static void prelude(void)
{
    static gpucmd_nvgpu g;
    gpucmd_nvgpu_buffer_req breq;
    gpucmd_nvgpu_channel_req creq;
    static gpucmd_nvgpu_buffer area;
    gpucmd_nvgpu_channel c;
    must(gpucmd_nvgpu_start(&g, &sys) == GPUCMD_OK);
    gpucmd_nvgpu_buffer_req_init(&breq, 0x10000, false);
    must(gpucmd_nvgpu_buffer_alloc(&g, &breq, &area) == GPUCMD_OK);
    gpucmd_nvgpu_channel_req_init(&creq);
    creq.entries = 4;
    creq.area = draw(1) % 2 != 0 ? &area : NULL;
    creq.userd_off_bytes = 0x2000;
    must(gpucmd_nvgpu_channel_open(&g, &creq, &c) == GPUCMD_OK);
    creq.ring_off_bytes = 0x3000;
    creq.userd_off_bytes = 0x5000;
    must(gpucmd_nvgpu_channel_open(&g, &creq, &c) == GPUCMD_OK);
    (void)sys.sys_munmap(sys.user, g.usermode, draw(1) % 2 != 0 ? 0x10000 : 0);
}

/* Close all descriptors and mappings. No object of the model kernel may remain. */
static void give_back(void)
{
    m.fail_at = 0;
    for (int fd = 0; fd < 24; fd++) {
        (void)sys.sys_close(sys.user, fd);
    }
    for (unsigned k = 0; k < 24 * 24; k++) { /* repeated, because an unmap may split a mapping */
        const gpucmd_nvgpu_kernel_vma v = nvgpu_vmas[k % 24];
        if (v.kind != GPUCMD_NVGPU_KERNEL_NONE) {
            must(sys.sys_munmap(sys.user, (void *)v.at, (size_t)v.bytes) == 0);
        }
    }
    must(nvgpu_alive() == 0);
}

/* Run a whole client on a kernel that fails at the n-th call. The library must close everything. */
static void library(void)
{
    static gpucmd_nvgpu g;
    gpucmd_nvgpu_buffer_req breq;
    gpucmd_nvgpu_channel_req creq;
    gpucmd_nvgpu_buffer b;
    gpucmd_nvgpu_channel c;
    gpucmd_nv_gpfifo q;
    m.fail_at = draw(1) % 64;
    m.fail_error = (int)draw(1) % 40 + 1;
    m.identity = draw(1) % 2 != 0;
    if (gpucmd_nvgpu_start(&g, &sys) != GPUCMD_OK) {
        must(nvgpu_alive() == 0);
        return;
    }
    gpucmd_nvgpu_buffer_req_init(&breq, (uint64_t)draw(3) + 1, draw(1) % 2 != 0);
    breq.map_flags = draw(1) % 4 != 0 ? 0 : draw(2);
    if (gpucmd_nvgpu_buffer_alloc(&g, &breq, &b) == GPUCMD_OK) {
        gpucmd_nvgpu_channel_req_init(&creq);
        creq.entries = (uint32_t)1 << draw(1) % 12;
        creq.area = draw(1) % 2 != 0 ? &b : NULL;
        creq.ring_off_bytes = (uint64_t)(draw(1) % 8) * PAGE;
        creq.userd_off_bytes = (uint64_t)(draw(1) % 8) * PAGE;
        if (gpucmd_nvgpu_channel_open(&g, &creq, &c) == GPUCMD_OK) {
            const gpucmd_status made = gpucmd_nvgpu_channel_alloc_obj(&g, &c, draw(2));
            must(made == GPUCMD_OK || made == GPUCMD_FAULT);
            gpucmd_nvgpu_gpfifo_init(&q, &c, g.usermode, NULL);
            q.wait.max_tries = 3;
            q.wait.fn = nvgpu_wait;
            for (unsigned i = draw(1) % 8; i != 0; i--) {
                const gpucmd_status sent =
                    gpucmd_nvgpu_submit(&q, b.va + draw(2), draw(2), draw(1));
                must(sent != GPUCMD_ORDER);
            }
            (void)gpucmd_nvgpu_kernel_run(&m, 10000);
            gpucmd_nvgpu_channel_close(&g, &c);
        }
        gpucmd_nvgpu_buffer_free(&g, &b);
    }
    gpucmd_nvgpu_close(&g);
    must(nvgpu_alive() == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    in = data;
    left = bytes;
    nvgpu_setup();
    refused_watch();
#ifdef FUZZ_ALIAS
    memset(m.ram, 0, 1 << 20);
#endif
    if (draw(1) % 2 != 0) {
        library();
        return 0;
    }
    if (draw(1) % 2 != 0) {
        prelude();
    }
    while (left != 0) {
        one_call();
    }
    give_back();
    return 0;
}

#ifndef FUZZ_NAME
#define FUZZ_NAME "fuzz_nv_nvgpu"
#endif
#include "fuzz_main.h"

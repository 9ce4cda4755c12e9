/* i915.c - stores and blits on a real Intel GPU and on the executor, compared.
 *
 * You learn: the calls of example 20 against Linux: to find the node, to give objects their addresses,
 * to submit and to wait. Each batch of random stores and 2D commands also runs on the executor, from
 * the same memory; afterwards both memories must be equal.
 *   hw_i915 [GENERATION [SEED]]    8, 9, 11 or 12
 * Without a generation the program submits an empty batch only, because the driver does not tell it.
 * Exit status 77: there is no such node. Linux only. Read first: 20_i915_gem_exec_nop.c.
 */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define GPUCMD_IMPLEMENTATION
#include "gpucmd_i915.h"

#include "drm.h"

enum { DATA_BYTES = 65536, PITCH = 512, LINES = DATA_BYTES / PITCH, WORDS = 1024, BATCHES = 20 };
#define BATCH_VA 0x00200000u
#define DATA_VA  0x00300000u

static gpucmd_sys_ops sys;
static int fd;
static gpucmd_i915_gen gen;
static uint32_t words[WORDS], batch[WORDS]; /* batch: words as the GPU reads them */
static uint8_t start[DATA_BYTES], expected[DATA_BYTES], got[DATA_BYTES];

static bool call(const char *what, uint32_t number, void *arg)
{
    const int result = sys.sys_ioctl(sys.user, fd, number, arg);
    if (result < 0) {
        printf("%s: %s\n", what, gpucmd_sys_error_name(-result));
    }
    return result >= 0;
}

#define CALL(name, arg) call(#name, GPUCMD_DRM_IOCTL_I915_##name, (arg))

static uint32_t below(uint32_t n)
{
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)state * n >> 32);
}

/* Step 1: a random batch inside the data: stores, a flush, then fills and copies that do not overlap,
 * one half of the lines to the other. */
static bool write_batch(size_t *len_dw)
{
    gpucmd_i915_blt b;
    gpucmd_writer w;
    gpucmd_writer_init(&w, words, WORDS);
    for (unsigned i = 0; i < 8; i++) {
        gpucmd_i915_emit_mi_store_data_imm(&w, gen, 0, DATA_VA + 4 * below(DATA_BYTES / 4),
                                           below(0xffffffff));
    }
    gpucmd_i915_emit_mi_flush_dw(&w, gen, 0, 0, 0);
    for (unsigned i = 0; i < 8; i++) {
        const bool fills = below(2) != 0;
        memset(&b, 0, sizeof b);
        b.flags = GPUCMD_I915_PUT(BLT_WRITE_RGB, 1) | GPUCMD_I915_PUT(BLT_WRITE_ALPHA, 1);
        b.br13 = gpucmd_i915_br13(3, fills ? 0xf0 : 0xcc, PITCH);
        b.x1 = (int32_t)below(PITCH / 8);
        b.y1 = (int32_t)below(LINES / 4);
        b.x2 = b.x1 + 1 + (int32_t)below(PITCH / 8);
        b.y2 = b.y1 + 1 + (int32_t)below(LINES / 4);
        b.dst_va = DATA_VA;
        b.src_va = DATA_VA + DATA_BYTES / 2;
        b.src_pitch = PITCH;
        b.src_x = (int32_t)below(8);
        b.src_y = 0;
        b.color[0] = below(0xffffffff);
        gpucmd_i915_emit_blt(
            &w, gen, fills ? GPUCMD_I915_OP_XY_COLOR_BLT : GPUCMD_I915_OP_XY_SRC_COPY_BLT, &b);
    }
    gpucmd_i915_emit_mi_flush_dw(&w, gen, 0, 0, 0);
    gpucmd_i915_emit_mi_batch_buffer_end(&w, gen, 0);
    gpucmd_i915_emit_mi_noop(&w, gen, 0);
    return gpucmd_writer_finish(&w, len_dw) == GPUCMD_OK;
}

/* Step 2: the executor, from the same memory. It must accept the batch before a GPU gets it. */
static bool execute(size_t len_dw)
{
    const gpucmd_region regions[2] = {
        {BATCH_VA, sizeof batch, batch,    GPUCMD_ACCESS_READ                      },
        {DATA_VA,  DATA_BYTES,   expected, GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE},
    };
    static gpucmd_i915_cs cs;
    gpucmd_mem mem;
    gpucmd_env env;
    gpucmd_run run;
    memcpy(expected, start, DATA_BYTES);
    gpucmd_store_words(batch, words, len_dw, GPUCMD_LITTLE_ENDIAN);
    if (gpucmd_mem_init(&mem, regions, 2) != GPUCMD_OK ||
        gpucmd_i915_cs_init(&cs, gen, GPUCMD_I915_BCS, 0) != GPUCMD_OK ||
        gpucmd_i915_cs_batch(&cs, BATCH_VA, false) != GPUCMD_OK) {
        return false;
    }
    gpucmd_env_init(&env, &mem, NULL, NULL);
    run = gpucmd_i915_cs_run(&cs, &env, 1 << 20);
    if (run != GPUCMD_RUN_IDLE) {
        printf("the executor does not run the batch: %s\n", gpucmd_run_name(run));
    }
    return run == GPUCMD_RUN_IDLE;
}

/* Step 3: write both objects, submit, wait at most one second, read the data. */
static bool submit(const uint32_t handle[2], size_t len_dw, uint64_t engine)
{
    const struct {
        uint32_t handle;
        const void *from;
        size_t len_bytes;
    } rows[2] = {
        {handle[0], start, DATA_BYTES},
        {handle[1], batch, len_dw * 4}
    };
    struct gpucmd_drm_i915_gem_pread back = {handle[0], 0, 0, DATA_BYTES, 0};
    struct gpucmd_drm_i915_gem_wait wait = {handle[1], 0, 1000000000};
    struct gpucmd_drm_i915_gem_exec_object2 objects[2];
    struct gpucmd_drm_i915_gem_execbuffer2 arg;
    gpucmd_i915_exec exec;
    for (unsigned i = 0; i < 2; i++) {
        struct gpucmd_drm_i915_gem_pwrite to = {rows[i].handle, 0, 0, rows[i].len_bytes,
                                                (uint64_t)(uintptr_t)rows[i].from};
        if (!CALL(GEM_PWRITE, &to)) {
            return false;
        }
    }
    gpucmd_i915_exec_init(&exec, objects, 2);
    (void)gpucmd_i915_exec_add(
        &exec, handle[0], GPUCMD_EXEC_OBJECT_PINNED | GPUCMD_EXEC_OBJECT_WRITE, DATA_VA, NULL, 0);
    (void)gpucmd_i915_exec_add(&exec, handle[1], GPUCMD_EXEC_OBJECT_PINNED, BATCH_VA, NULL, 0);
    back.data_ptr = (uint64_t)(uintptr_t)got;
    return gpucmd_i915_exec_finish(&exec, engine, 0, (uint32_t)((len_dw * 4 + 7) & ~(size_t)7),
                                   &arg) == GPUCMD_OK &&
           CALL(GEM_EXECBUFFER2, &arg) && CALL(GEM_WAIT, &wait) && CALL(GEM_PREAD, &back);
}

/* Step 4: compare. */
static int compare(const uint32_t handle[2])
{
    for (unsigned n = 0; n < BATCHES; n++) {
        size_t len_dw = 0;
        for (unsigned i = 0; i < DATA_BYTES; i++) {
            start[i] = (uint8_t)below(256);
        }
        if (!write_batch(&len_dw) || !execute(len_dw) ||
            !submit(handle, len_dw, GPUCMD_I915_EXEC_BLT)) {
            return 1;
        }
        for (unsigned i = 0; i < DATA_BYTES; i++) {
            if (got[i] != expected[i]) {
                printf("batch %u: byte 0x%x: executor 0x%02x, GPU 0x%02x\n", n, i, expected[i],
                       got[i]);
                return 1;
            }
        }
    }
    printf("%u batches of stores and blits: the GPU and the executor agree\n", (unsigned)BATCHES);
    return 0;
}

int main(int argc, char **argv)
{
    struct gpucmd_drm_i915_gem_create data = {DATA_BYTES, 0, 0};
    struct gpucmd_drm_i915_gem_create code = {sizeof batch, 0, 0};
    uint32_t handle[2];
    char path[32];
    int status;
    gpucmd_sys_ops_init_linux(&sys);
    if (argc > 1 && (gpucmd_i915_gen_from_name(argv[1], &gen) != GPUCMD_OK ||
                     gen < GPUCMD_I915_GEN8 || gen > GPUCMD_I915_GEN12)) {
        printf("%s: expected 8, 9, 11 or 12\n", argv[1]);
        return 2;
    }
    fd = hw_drm_find(&sys, "i915", path);
    if (fd < 0) {
        printf("no render node of an Intel GPU\n");
        return 77;
    }
    printf("%s\n", path);
    if (!CALL(GEM_CREATE, &data) || !CALL(GEM_CREATE, &code)) {
        return 1;
    }
    handle[0] = data.handle;
    handle[1] = code.handle;
    batch[0] = GPUCMD_I915_MI_BATCH_BUFFER_END(0);
    batch[1] = GPUCMD_I915_MI_NOOP(0);
    status = !submit(handle, 2, GPUCMD_I915_EXEC_RENDER);
    printf("empty batch: %s\n", status == 0 ? "done" : "failed");
    for (unsigned long skip = argc > 2 ? strtoul(argv[2], NULL, 0) : 0; skip != 0; skip--) {
        (void)below(2);
    }
    if (status == 0 && argc > 1) {
        status = compare(handle);
    }
    return sys.sys_close(sys.user, fd) < 0 ? 1 : status;
}

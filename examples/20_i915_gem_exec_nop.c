/* 20_i915_gem_exec_nop.c - gem_exec_nop from the ioctl to the idle ring, in sixteen steps.
 *
 * You learn: how a batch reaches a command streamer: the list of objects, the
 * ring, HEAD, TAIL and ACTHD, the states RS0 to RS4 and BS0 to BS4. The steps
 * are those of "i915 command submission via gem_exec_nop"; ACTHD of step 14 is
 * printed as a full address.
 * Read first: the manual on top of gpucmd_i915.h.
 */

#define GPUCMD_IMPLEMENTATION
#include "gpucmd_i915.h"

#include <stdio.h>

static uint32_t ring_words[1024], batch[1024];
static struct {
    struct gpucmd_drm_i915_gem_execbuffer2 arg;
    struct gpucmd_drm_i915_gem_exec_object2 objects[1];
} user; /* the program's memory */
static gpucmd_i915_cs cs;
static gpucmd_mmio model;
static int step, wrong;

/* Print the next step and compare it with what the article says. */
static void show(gpucmd_i915_state state, uint32_t head, uint32_t tail, uint64_t acthd)
{
    printf("%2d  %s  HEAD %02x  TAIL %02x  ACTHD %llx\n", ++step, gpucmd_i915_state_name(cs.state),
           (unsigned)cs.head, (unsigned)cs.tail, (unsigned long long)cs.acthd);
    wrong |= cs.state != state || cs.head != head || cs.tail != tail || cs.acthd != acthd;
}

/* The kernel's register writes; before TAIL moves, both words of the start are in the ring. */
static void write32(void *unused, uint64_t off_bytes, uint32_t v)
{
    (void)unused;
    while (step >= 2 && step < 5 && off_bytes == cs.base + GPUCMD_I915_REG_TAIL) {
        show(GPUCMD_I915_RS0, 0x30, 0x30, 0x30);
    }
    model.write32(&cs, off_bytes, v);
}

/* Set up the hardware, the kernel and the program; leave after the ioctl. */
static bool submit(gpucmd_i915_gen gen, gpucmd_region *regions)
{
    static struct gpucmd_drm_i915_gem_exec_object2 list[1];
    static gpucmd_i915_object object = {1, sizeof batch, batch, 0x22000, true, 0, 0};
    gpucmd_region memory = {0, sizeof user, &user, GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE};
    gpucmd_mem mem;
    gpucmd_mmio mmio;
    gpucmd_i915_ring ring;
    gpucmd_i915_kernel kernel;
    gpucmd_i915_exec exec;

    /* Step 1: the ring is set up and empty. */
    if (gpucmd_i915_cs_init(&cs, gen, GPUCMD_I915_RCS, 0) != GPUCMD_OK) {
        return false;
    }
    gpucmd_i915_cs_mmio(&cs, &model);
    mmio = model;
    mmio.write32 = write32;
    if (gpucmd_i915_ring_init(&ring, ring_words, 4096, 0x30, &mmio, cs.base) != GPUCMD_OK ||
        gpucmd_i915_ring_start(&ring, 0x100000) != GPUCMD_OK) {
        return false;
    }
    show(GPUCMD_I915_RS0, 0x30, 0x30, 0x30);

    /* Step 2: the program writes its batch, lists one object, and calls the kernel. */
    gpucmd_store32(&batch[0], GPUCMD_I915_MI_BATCH_BUFFER_END(0), GPUCMD_LITTLE_ENDIAN);
    gpucmd_store32(&batch[1], GPUCMD_I915_MI_NOOP(0), GPUCMD_LITTLE_ENDIAN);
    gpucmd_i915_exec_init(&exec, user.objects, 1);
    (void)gpucmd_i915_exec_add(&exec, 1, 0, 0, NULL, 0);
    if (gpucmd_i915_exec_finish(&exec, GPUCMD_I915_EXEC_RENDER, 0, 8, &user.arg) != GPUCMD_OK) {
        return false;
    }
    show(GPUCMD_I915_RS0, 0x30, 0x30, 0x30);

    /* Steps 3 to 6: the kernel finds the batch at 0x22000, writes the start command, moves TAIL. */
    memory.va = (uint64_t)(uintptr_t)&user;
    if (gpucmd_mem_init(&mem, &memory, 1) != GPUCMD_OK) {
        return false;
    }
    gpucmd_i915_kernel_init(&kernel, gen, &mem);
    kernel.objects = &object;
    kernel.object_count = 1;
    kernel.list = list;
    kernel.list_cap = 1;
    kernel.rings[GPUCMD_I915_EXEC_RENDER] = &ring;
    return gpucmd_i915_kernel_ioctl(&kernel, GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2,
                                    (uint64_t)(uintptr_t)&user.arg) == 0 &&
           gpucmd_i915_kernel_regions(&kernel, regions, 1) == 1;
}

int main(void)
{
    gpucmd_region regions[2] = {
        {0,        0,                 NULL,       0                 },
        {0x100000, sizeof ring_words, ring_words, GPUCMD_ACCESS_READ}
    };
    gpucmd_mem mem;
    gpucmd_env env;

    printf("gen7: a start of two words\n");
    if (!submit(GPUCMD_I915_GEN7, regions) || gpucmd_mem_init(&mem, regions, 2) != GPUCMD_OK) {
        return 1;
    }
    gpucmd_env_init(&env, &mem, NULL, NULL);
    show(GPUCMD_I915_RS0, 0x30, 0x38, 0x30);

    /* Steps 7 to 16: the streamer fetches, parses, executes, and comes back. */
    for (int i = 0; i < 9; i++) {
        static const gpucmd_i915_state states[9] = {
            GPUCMD_I915_RS1, GPUCMD_I915_RS2, GPUCMD_I915_RS3, GPUCMD_I915_RS4, GPUCMD_I915_BS0,
            GPUCMD_I915_BS1, GPUCMD_I915_BS2, GPUCMD_I915_BS3, GPUCMD_I915_RS0};
        static const uint32_t acthd[9] = {0x30,    0x30,    0x30,    0x30, 0x22000,
                                          0x22000, 0x22000, 0x22004, 0x38};
        wrong |= gpucmd_i915_step(&cs, &env) != GPUCMD_RUN_DONE;
        show(states[i], i < 8 ? 0x30 : 0x38, 0x38, acthd[i]);
    }
    wrong |= gpucmd_i915_step(&cs, &env) != GPUCMD_RUN_IDLE;
    show(GPUCMD_I915_RS0, 0x38, 0x38, 0x38);

    /* The same on gen9: arbitration on, a start of three words, arbitration off, MI_NOOP. */
    printf("gen9: six words in the ring\n");
    step = 0;
    if (!submit(GPUCMD_I915_GEN9, regions)) {
        return 1;
    }
    show(GPUCMD_I915_RS0, 0x30, 0x48, 0x30);
    while (gpucmd_i915_step(&cs, &env) == GPUCMD_RUN_DONE) {
        printf(" %s", gpucmd_i915_state_name(cs.state));
    }
    printf("\n");
    show(GPUCMD_I915_RS0, 0x48, 0x48, 0x48);
    return wrong;
}

/* Output:
 * gen7: a start of two words
 *  1  RS0  HEAD 30  TAIL 30  ACTHD 30
 *  2  RS0  HEAD 30  TAIL 30  ACTHD 30
 *  3  RS0  HEAD 30  TAIL 30  ACTHD 30
 *  4  RS0  HEAD 30  TAIL 30  ACTHD 30
 *  5  RS0  HEAD 30  TAIL 30  ACTHD 30
 *  6  RS0  HEAD 30  TAIL 38  ACTHD 30
 *  7  RS1  HEAD 30  TAIL 38  ACTHD 30
 *  8  RS2  HEAD 30  TAIL 38  ACTHD 30
 *  9  RS3  HEAD 30  TAIL 38  ACTHD 30
 * 10  RS4  HEAD 30  TAIL 38  ACTHD 30
 * 11  BS0  HEAD 30  TAIL 38  ACTHD 22000
 * 12  BS1  HEAD 30  TAIL 38  ACTHD 22000
 * 13  BS2  HEAD 30  TAIL 38  ACTHD 22000
 * 14  BS3  HEAD 30  TAIL 38  ACTHD 22004
 * 15  RS0  HEAD 38  TAIL 38  ACTHD 38
 * 16  RS0  HEAD 38  TAIL 38  ACTHD 38
 * gen9: six words in the ring
 *  1  RS0  HEAD 30  TAIL 30  ACTHD 30
 *  2  RS0  HEAD 30  TAIL 30  ACTHD 30
 *  3  RS0  HEAD 30  TAIL 30  ACTHD 30
 *  4  RS0  HEAD 30  TAIL 30  ACTHD 30
 *  5  RS0  HEAD 30  TAIL 30  ACTHD 30
 *  6  RS0  HEAD 30  TAIL 48  ACTHD 30
 *  RS1 RS2 RS3 RS0 RS1 RS2 RS3 RS4 BS0 BS1 BS2 BS3 RS0 RS1 RS2 RS3 RS0 RS1 RS2 RS3 RS0
 *  7  RS0  HEAD 48  TAIL 48  ACTHD 48
 */

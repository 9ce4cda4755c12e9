/* 24_i915_states.c - gem_exec_nop inside the kernel and the streamer, in sixteen steps.
 *
 * You learn: what an ioctl writes into the ring, and how HEAD, TAIL, ACTHD and
 * the states RS0 to RS4 and BS0 to BS4 follow. The steps are those of "i915 command
 * submission via gem_exec_nop", on gen7. ACTHD of step 14 is a full address.
 * Read first: 20_i915_gem_exec_nop.c.
 */

#define GPUCMD_IMPLEMENTATION
#include "gpucmd_i915.h"

#include <stdio.h>

static gpucmd_i915_kernel kernel;
static gpucmd_i915_kernel_store store;
static gpucmd_i915_cs *const cs = &store.cs;
static gpucmd_mmio model;
static uint32_t batch[1024];
static int step, wrong;

/* Print the next step and compare it with the article. */
static void show(gpucmd_i915_state state, uint32_t head, uint32_t tail, uint64_t acthd)
{
    printf("%2d  %s  HEAD %02x  TAIL %02x  ACTHD %llx\n", ++step, gpucmd_i915_state_name(cs->state),
           (unsigned)cs->head, (unsigned)cs->tail, (unsigned long long)cs->acthd);
    wrong |= cs->state != state || cs->head != head || cs->tail != tail || cs->acthd != acthd;
}

/* Write a register. When the kernel moves TAIL, both words of the start are in the ring. */
static void write32(void *user, uint64_t off_bytes, uint32_t v)
{
    while (step >= 2 && step < 5 && off_bytes == cs->base + GPUCMD_I915_REG_TAIL) {
        show(GPUCMD_I915_RS0, 0x30, 0x30, 0x30);
    }
    model.write32(user, off_bytes, v);
}

/* Step 1: an empty ring at offset 0x30, and one object. */
static bool start(void)
{
    gpucmd_mmio mmio;
    if (gpucmd_i915_kernel_init_store(&kernel, GPUCMD_I915_GEN7, NULL, &store, NULL, 0) !=
        GPUCMD_OK) {
        return false;
    }
    gpucmd_i915_cs_mmio(cs, &model);
    mmio = model;
    mmio.write32 = write32;
    store.objects[0].handle = 1;
    store.objects[0].bytes = sizeof batch;
    store.objects[0].host = batch;
    return gpucmd_i915_ring_init(&store.ring, store.ring_words, 4096, 0x30, &mmio, cs->base) == 0 &&
           gpucmd_i915_ring_start(&store.ring, 0x100000) == GPUCMD_OK;
}

/* Steps 2 to 6: the client pins one object at address 0x22000; the kernel writes the start and moves TAIL. */
static int submit(void)
{
    struct gpucmd_drm_i915_gem_exec_object2 objects[1];
    struct gpucmd_drm_i915_gem_execbuffer2 arg;
    gpucmd_i915_exec exec;
    show(GPUCMD_I915_RS0, 0x30, 0x30, 0x30);
    gpucmd_store32(&batch[0], GPUCMD_I915_MI_BATCH_BUFFER_END(0), GPUCMD_LITTLE_ENDIAN);
    gpucmd_store32(&batch[1], GPUCMD_I915_MI_NOOP(0), GPUCMD_LITTLE_ENDIAN);
    gpucmd_i915_exec_init(&exec, objects, 1);
    (void)gpucmd_i915_exec_add(&exec, 1, GPUCMD_EXEC_OBJECT_PINNED, 0x22000, NULL, 0);
    wrong |= gpucmd_i915_exec_finish(&exec, GPUCMD_I915_EXEC_RENDER, 0, 8, &arg) != GPUCMD_OK;
    show(GPUCMD_I915_RS0, 0x30, 0x30, 0x30);
    return gpucmd_i915_kernel_ioctl(&kernel, GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2,
                                    (uint64_t)(uintptr_t)&arg);
}

int main(void)
{
    static const gpucmd_i915_state states[9] = {GPUCMD_I915_RS1, GPUCMD_I915_RS2, GPUCMD_I915_RS3,
                                                GPUCMD_I915_RS4, GPUCMD_I915_BS0, GPUCMD_I915_BS1,
                                                GPUCMD_I915_BS2, GPUCMD_I915_BS3, GPUCMD_I915_RS0};
    static const uint32_t acthd[9] = {0x30,    0x30,    0x30,    0x30, 0x22000,
                                      0x22000, 0x22000, 0x22004, 0x38};
    gpucmd_region regions[2] = {
        {0,        0,                       NULL,             0                 },
        {0x100000, sizeof store.ring_words, store.ring_words, GPUCMD_ACCESS_READ}
    };
    gpucmd_mem mem;
    gpucmd_env env;
    if (!start() || submit() != 0 || gpucmd_i915_kernel_regions(&kernel, regions, 1) != 1 ||
        gpucmd_mem_init(&mem, regions, 2) != GPUCMD_OK) {
        return 1;
    }
    show(GPUCMD_I915_RS0, 0x30, 0x38, 0x30);

    /* Steps 7 to 16: the streamer fetches, parses and executes, and returns to the ring. */
    gpucmd_env_init(&env, &mem, NULL, NULL);
    for (int i = 0; i < 9; i++) {
        wrong |= gpucmd_i915_cs_step(cs, &env) != GPUCMD_RUN_DONE;
        show(states[i], i < 8 ? 0x30 : 0x38, 0x38, acthd[i]);
    }
    wrong |= gpucmd_i915_cs_step(cs, &env) != GPUCMD_RUN_IDLE;
    show(GPUCMD_I915_RS0, 0x38, 0x38, 0x38);
    return wrong;
}

/* Output:
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
 */

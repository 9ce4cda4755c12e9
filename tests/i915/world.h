/* i915/world.h - a model kernel with four objects, rings for render and blits, queue and tables. */
#ifndef I915_WORLD_H
#define I915_WORLD_H

#include "i915/syncs.h"

enum { OBJECTS = 4, REQUESTS = 8 };
static gpucmd_i915_kernel k;
static gpucmd_i915_object objects[OBJECTS];
static struct gpucmd_drm_i915_gem_exec_object2 list[OBJECTS], given[OBJECTS];
static struct gpucmd_drm_i915_gem_execbuffer2 arg;
static struct gpucmd_drm_i915_gem_exec_fence fence;
static syncs sync_objects;
static gpucmd_i915_sync_file files[2];
static gpucmd_i915_context contexts[2];
static gpucmd_i915_vm vms[2];
static gpucmd_map vmas[16];
static gpucmd_i915_request requests[REQUESTS];
static gpucmd_i915_ring rings[4];
static gpucmd_i915_cs engines[4];
static uint32_t ring_words[4][1024];
static uint8_t memory[OBJECTS][4096];
static uint32_t synced, synced_space;

static int on_sync(void *user, uint32_t ring)
{
    (void)user;
    synced |= 1u << ring;
    synced_space = k.space;
    engines[ring].head = engines[ring].tail;
    return 0;
}

static void add_ring(uint32_t n, gpucmd_i915_engine engine)
{
    gpucmd_mmio mmio;
    EQUAL(gpucmd_i915_cs_init(&engines[n], k.gen, engine, 0), GPUCMD_OK);
    gpucmd_i915_cs_mmio(&engines[n], &mmio);
    EQUAL(gpucmd_i915_ring_init(&rings[n], ring_words[n], 4096, 0, &mmio, engines[n].base),
          GPUCMD_OK);
    EQUAL(gpucmd_i915_ring_start(&rings[n], 0x40000 + 0x1000 * n), GPUCMD_OK);
    gpucmd_i915_ring_set_wait(&rings[n], NULL, NULL, 0);
    k.rings[n] = &rings[n];
}

static void setup(gpucmd_i915_gen gen, uint32_t request_count)
{
    memset(objects, 0, sizeof objects);
    memset(given, 0, sizeof given);
    memset(&arg, 0, sizeof arg);
    memset(files, 0, sizeof files);
    memset(contexts, 0, sizeof contexts);
    memset(vms, 0, sizeof vms);
    memset(vmas, 0, sizeof vmas);
    memset(requests, 0, sizeof requests);
    memset(memory, 0, sizeof memory);
    gpucmd_i915_kernel_init(&k, gen, NULL);
    for (uint32_t i = 0; i < OBJECTS; i++) {
        objects[i].handle = 1 + i;
        objects[i].bytes = 4096;
        objects[i].host = memory[i];
        gpucmd_store32(memory[i], 0x05000000, GPUCMD_LITTLE_ENDIAN);
    }
    k.objects = objects;
    k.object_count = OBJECTS;
    k.list = list;
    k.list_cap = OBJECTS;
    CHECK(syncs_open(&k, &sync_objects, 9));
    k.sync_files = files;
    k.sync_file_count = 2;
    k.contexts = contexts;
    k.context_count = 2;
    k.vms = vms;
    k.vm_count = 2;
    k.vmas = vmas;
    k.vma_count = 16;
    k.requests = requests;
    k.request_count = request_count;
    k.sync_ring = on_sync;
    files[0].fd = 30;
    files[1].fd = 31;
    contexts[0].id = 7;
    contexts[1].id = 8;
    contexts[0].vm = 1;
    contexts[1].vm = 2;
    add_ring(GPUCMD_I915_EXEC_RENDER, GPUCMD_I915_RCS);
    if (gen >= GPUCMD_I915_GEN6) {
        add_ring(GPUCMD_I915_EXEC_BLT, GPUCMD_I915_BCS);
    }
    arg.buffers_ptr = (uint64_t)(uintptr_t)given;
    synced = 0;
}

/* Submit objects a and b, of which b is the batch; a is used with flags. */
static int submit(uint64_t exec, uint32_t a, uint64_t flags, uint32_t b)
{
    memset(given, 0, sizeof given);
    given[0].handle = a;
    given[0].flags = flags;
    given[1].handle = b;
    arg.buffer_count = 2;
    arg.flags = exec;
    return gpucmd_i915_kernel_ioctl(&k, GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2_WR,
                                    (uint64_t)(uintptr_t)&arg);
}

#endif /* I915_WORLD_H */

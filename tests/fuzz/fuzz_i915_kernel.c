/* fuzz_i915_kernel.c - the model kernel with a hostile process.
 *   byte 0  generation; bit 7: the memory of the process changes while it is read;
 *           bits 6:0 / 13 is odd: submissions wait in requests
 *   byte 1  options    then the memory of the process at
 *     0x1000, 1 KiB, which begins with struct gpucmd_drm_i915_gem_execbuffer2
 *     then the batch object
 * Sync object 7 waits for a fence of the caller, 8 has points that have signalled.
 * The ioctl is called twice. It returns 0 or a negative errno. A rejected
 * submission changes nothing (i915/refused.h), except by relocations. Only the
 * objects, the memory of the process and the ring change. A submitted batch is
 * executed. */
#include "gpucmd_i915.h"

#include "fuzz.h"

#include "i915/refused.h"

enum { USER_VA = 0x1000, USER_BYTES = 1024, RING_VA = 0x40000, GUARD = 0x5c };

static const gpucmd_i915_gen gens[] = {
    GPUCMD_I915_GEN2,  GPUCMD_I915_GEN3,  GPUCMD_I915_GEN4,   GPUCMD_I915_GEN4_5, GPUCMD_I915_GEN5,
    GPUCMD_I915_GEN6,  GPUCMD_I915_GEN7,  GPUCMD_I915_GEN7_5, GPUCMD_I915_GEN8,   GPUCMD_I915_GEN9,
    GPUCMD_I915_GEN11, GPUCMD_I915_GEN12, GPUCMD_I915_GEN12_5};

static const gpucmd_i915_engine engines[5] = {GPUCMD_I915_RCS, GPUCMD_I915_RCS, GPUCMD_I915_VCS,
                                              GPUCMD_I915_BCS, GPUCMD_I915_VECS};

/* Everything that a submission can change. */
static struct state {
    uint64_t user_words[USER_BYTES / 8];
    uint32_t ring_words[5][1024];
    uint64_t object_words[3][4096 / 8 + 2]; /* a guard before and after */
    gpucmd_i915_cs cs[5];
    gpucmd_i915_ring rings[5];
    gpucmd_i915_context contexts[1];
    gpucmd_i915_object objects[3];
    syncs sync;
    gpucmd_i915_sync_file files[2];
    gpucmd_i915_request requests[2];
    gpucmd_i915_vm vms[1];
    gpucmd_map vmas[3];
    gpucmd_i915_kernel k;
} it, before, after;

/* Execute the words of the ring. Objects that overlap it are not mapped. */
static void run(const gpucmd_i915_kernel *k, unsigned which)
{
    gpucmd_region regions[4];
    gpucmd_mem mem;
    gpucmd_env env;
    size_t i, n = 0;
    const size_t bound = gpucmd_i915_kernel_regions(k, regions + 1, 3);
    must(bound <= 3);
    for (i = 1; i <= bound; i++) {
        const gpucmd_region r = regions[i];
        if (r.va >= RING_VA + 4096 || r.va + r.bytes <= RING_VA) {
            regions[++n] = r;
        }
    }
    regions[0].va = RING_VA;
    regions[0].bytes = 4096;
    regions[0].host = it.ring_words[which];
    regions[0].access_mask = GPUCMD_ACCESS_READ;
    gpucmd_mem_sort(regions, n + 1);
    must(gpucmd_mem_init(&mem, regions, n + 1) == GPUCMD_OK);
    gpucmd_env_init(&env, &mem, NULL, NULL);
    if (gpucmd_i915_cs_run(&it.cs[which], &env, 300) == GPUCMD_RUN_FAULT) {
        must(it.cs[which].state == GPUCMD_I915_RS5);
    }
}

static int on_sync(void *user, uint32_t ring)
{
    run((const gpucmd_i915_kernel *)user, ring);
    return 0;
}

/* The caller's fence signals, and the rings run. Without work and without owners there are no
 * fences and no points. */
static void end(gpucmd_i915_kernel *k, uint32_t mine)
{
    uint32_t i;
    must(gpucmd_fence_signal(&k->fences, mine, 0) == GPUCMD_OK);
    gpucmd_fence_release(&k->fences, mine);
    for (i = 0; i < 100 && gpucmd_i915_kernel_run(k); i++) {
    }
    must(i < 100);
    for (i = 1; i <= 9; i++) {
        gpucmd_syncobj_release(&k->syncobjs, i);
    }
    for (i = 0; i < 2; i++) {
        gpucmd_fence_release(&k->fences, it.files[i].fence);
    }
    must(k->syncobjs.point_count == 0);
    must(k->fences.count == 0 || k->pending != 0);
}

static void guards(void)
{
    const uint8_t *bytes;
    for (unsigned i = 0; i < 3; i++) {
        bytes = (const uint8_t *)it.object_words[i];
        for (unsigned b = 0; b < 8; b++) {
            must(bytes[b] == GUARD && bytes[4096 + 8 + b] == GUARD);
        }
    }
}

static void normalise(struct state *s)
{
    refused_kernel(&s->k);
    refused_syncs(&s->k, &s->sync);
    refused_vm(&s->vms[0]);
    refused_vmas(s->vmas, 3);
    for (unsigned i = 0; i < 3; i++) {
        refused_object(&s->objects[i]);
    }
    refused_request(&s->requests[0]);
    refused_request(&s->requests[1]);
}

/* Expect the state of the copy `before`. DR4 of 0xffffffff becomes 0, as in the kernel. */
static void unchanged(bool memory_changes)
{
    struct gpucmd_drm_i915_gem_execbuffer2 *arg =
        (struct gpucmd_drm_i915_gem_execbuffer2 *)(void *)before.user_words;
    memcpy(&after, &it, sizeof it);
    arg->DR4 = arg->DR4 == 0xffffffff ? 0 : arg->DR4;
    arg = (struct gpucmd_drm_i915_gem_execbuffer2 *)(void *)after.user_words;
    arg->DR4 = arg->DR4 == 0xffffffff ? 0 : arg->DR4;
    if (memory_changes) {
        memcpy(after.user_words, before.user_words, sizeof after.user_words);
    }
    normalise(&after);
    normalise(&before);
    must(memcmp(&after, &before, sizeof after) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t by_index[4] = {3, 1, 200, 5};
    static const gpucmd_i915_engine_map maps[1] = {
        {7, 4, by_index}
    };
    struct gpucmd_drm_i915_gem_exec_object2 list[4];
    gpucmd_region region = {USER_VA, USER_BYTES, it.user_words,
                            GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE};
    gpucmd_i915_kernel *const k = &it.k;
    gpucmd_mem mem;
    gpucmd_i915_gen gen;
    if (size < 2 + 64 || size > 2 + USER_BYTES + 4096) {
        return 0;
    }
    gen = gens[data[0] % 13];
    memset(&it, 0, sizeof it);
    it.contexts[0].id = 7;
    memcpy(it.user_words, data + 2, size - 2 < USER_BYTES ? size - 2 : USER_BYTES);
    memset(it.object_words, GUARD, sizeof it.object_words);
    for (unsigned i = 0; i < 3; i++) {
        uint8_t *bytes = (uint8_t *)(it.object_words[i] + 1);
        memset(bytes, 0, 4096);
        if (size > 2 + USER_BYTES) {
            memcpy(bytes, data + 2 + USER_BYTES, size - 2 - USER_BYTES);
        }
        it.objects[i].handle = i + 1;
        it.objects[i].bytes = 4096;
        it.objects[i].host = bytes;
    }
    must(gpucmd_mem_init(&mem, &region, 1) == GPUCMD_OK);
    gpucmd_i915_kernel_init(k, gen, &mem);
    for (unsigned i = 1; i < 5; i++) {
        gpucmd_mmio mmio;
        if (gpucmd_i915_cs_init(&it.cs[i], gen, engines[i], 0) != GPUCMD_OK) {
            continue;
        }
        gpucmd_i915_cs_mmio(&it.cs[i], &mmio);
        must(gpucmd_i915_ring_init(&it.rings[i], it.ring_words[i], 4096, 0x30, &mmio,
                                   it.cs[i].base) == GPUCMD_OK);
        must(gpucmd_i915_ring_start(&it.rings[i], RING_VA) == GPUCMD_OK);
        gpucmd_i915_ring_set_wait(&it.rings[i], NULL, NULL, 0);
        k->rings[i] = &it.rings[i];
    }
    k->objects = it.objects;
    k->object_count = 3;
    k->list = list;
    k->list_cap = 4;
    k->contexts = it.contexts;
    k->context_count = 1;
    it.contexts[0].vm = data[1] >> 7;
    k->vms = it.vms;
    k->vm_count = 1;
    k->vmas = it.vmas;
    k->vma_count = 3u - (data[1] >> 7);
    k->requests = it.requests;
    k->request_count = (data[0] & 0x7fu) / 13 % 2 * 2;
    k->sync_ring = k->request_count != 0 ? on_sync : NULL;
    k->sync_user = k;
    must(syncs_open(k, &it.sync, 9));
    const uint32_t mine = gpucmd_fence_new(&k->fences, 0, 0);
    must(gpucmd_syncobj_replace(&k->syncobjs, 7, mine) == 0);
    must(gpucmd_syncobj_signal(&k->syncobjs, 8, 3) == 0);
    must(gpucmd_syncobj_signal(&k->syncobjs, 8, 5) == 0);
    if ((data[1] & 1) != 0) {
        must(gpucmd_syncobj_signal(&k->syncobjs, 9, 0) == 0);
    }
    k->master = (data[1] & 2) != 0;
    k->breadcrumb = (data[1] & 4) != 0;
    k->parser = (data[1] & 16) != 0;
    k->maps = maps;
    k->map_count = (data[1] & 32) != 0;
    it.files[0].fd = 3;
    it.files[0].used = true;
    it.files[0].fence = 77; /* there is no such fence */
    it.files[1].fd = -1;
    k->sync_files = it.files;
    k->sync_file_count = (data[1] & 64) != 0 ? 2 : 0;
    k->wedged = (data[1] & 0xf0) == 0xf0;
    for (int round = 0; round < 2; round++) {
        uint32_t tails[5] = {0, 0, 0, 0, 0};
        int result;
        for (unsigned i = 1; i < 5; i++) {
            tails[i] = it.rings[i].tail_bytes;
        }
        memcpy(&before, &it, sizeof it);
        memset(list, 0, sizeof list);
        flips_clear();
        if (data[0] >= 128) {
            flips_add(it.user_words, sizeof it.user_words);
            flips_arm(data[size - 1] * 0x01010101u);
        }
        result =
            gpucmd_i915_kernel_ioctl(k,
                                     (data[1] & 8) != 0 ? GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2_WR
                                                        : GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2,
                                     USER_VA);
        must(result <= 0 && result > -200);
        guards();
        (void)flips_disarm(); /* arrays may overlap, so a second read is not an error */
        if (result != 0 && (list[0].relocation_count | list[1].relocation_count |
                            list[2].relocation_count | list[3].relocation_count) == 0) {
            unchanged(data[0] >= 128);
        }
        for (unsigned i = 1; i < 5; i++) {
            if (k->rings[i] == NULL) {
                continue;
            }
            must(it.rings[i].tail_bytes % 8 == 0 && it.rings[i].tail_bytes < 4096);
            if (it.rings[i].tail_bytes == tails[i]) {
                continue;
            }
            must(result == 0);
            run(k, i);
        }
        guards();
    }
    end(k, mine);
    guards();
    return 0;
}

#define FUZZ_NAME "fuzz_i915_kernel"
#include "fuzz_main.h"

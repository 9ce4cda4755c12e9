/* nv/nouveau.h - a GPU with an open file of nouveau and memory of its process, for the tests and the
 * fuzz harness of the model kernel. Include it after gpucmd_nv.h and test.h or fuzz.h. */
#ifndef GPUCMD_TEST_NV_NOUVEAU_H
#define GPUCMD_TEST_NV_NOUVEAU_H

#include <string.h>

#include "flips.h"

enum { NOUVEAU_RAM = 8 << 20, NOUVEAU_PAGE = 0x1000, NOUVEAU_PAGES = 8 };

/* Addresses of the process: page i of nouveau_user is at NOUVEAU_VA + i * 0x1000. */
#define NOUVEAU_VA 0x7f0000000000u
static uint8_t nouveau_user[NOUVEAU_PAGES * NOUVEAU_PAGE];
static gpucmd_region nouveau_region;
static gpucmd_mem nouveau_process;

static gpucmd_nouveau_device nouveau_gpu;
static gpucmd_nouveau_store nouveau_store;
static gpucmd_nouveau_tables nouveau_tables;
static gpucmd_nouveau_kernel k;

/* Memory of objects: each takes the next bytes, which are never used again. */
static uint8_t nouveau_ram[NOUVEAU_RAM];
static size_t nouveau_used;
static unsigned nouveau_live; /* objects with memory */
static bool nouveau_poor;     /* the next object gets no memory */

static int nouveau_memory(void *user, gpucmd_nouveau_gem *gem)
{
    (void)user;
    if (nouveau_poor) {
        return -12;
    }
    gem->map_handle = 0x100000000u + nouveau_used;
    gem->host = NULL;
    if (gem->bytes <= NOUVEAU_RAM - nouveau_used) {
        gem->host = nouveau_ram + nouveau_used;
        nouveau_used += (size_t)gem->bytes;
    }
    nouveau_live++;
    return 0;
}

static void nouveau_release(void *user, const gpucmd_nouveau_gem *gem)
{
    (void)user;
    (void)gem;
    nouveau_live--;
}

/* A wait of an ioctl executes jobs; it ends if none can continue. */
static int nouveau_progress(void *user)
{
    (void)user;
    const uint32_t jobs = k.jobs;
    const gpucmd_run run = gpucmd_nouveau_kernel_run(&k, 1 << 20);
    return k.jobs == jobs && run == GPUCMD_RUN_BLOCKED ? -GPUCMD_SYS_ETIME : 0;
}

/* Open a fresh file of a GPU with this chip. */
static bool nouveau_open(gpucmd_nv_chip chip)
{
    memset(nouveau_user, 0, sizeof nouveau_user);
    memset(nouveau_ram, 0, nouveau_used);
    nouveau_used = 0;
    nouveau_live = 0;
    nouveau_poor = false;
    nouveau_region.va = NOUVEAU_VA;
    nouveau_region.bytes = sizeof nouveau_user;
    nouveau_region.host = nouveau_user;
    nouveau_region.access_mask = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
    gpucmd_nouveau_tables_init(&nouveau_tables, &nouveau_store);
    if (gpucmd_mem_init(&nouveau_process, &nouveau_region, 1) != GPUCMD_OK ||
        gpucmd_nouveau_device_init(&nouveau_gpu, chip) != GPUCMD_OK) {
        return false;
    }
    nouveau_gpu.memory = nouveau_memory;
    nouveau_gpu.release = nouveau_release;
    nouveau_gpu.vram_bytes = (uint64_t)16 << 30;
    nouveau_gpu.vram_user_bytes = nouveau_gpu.vram_bytes - (16 << 20);
    if (gpucmd_nouveau_kernel_init(&k, &nouveau_gpu, &nouveau_tables) != GPUCMD_OK) {
        return false;
    }
    k.process = &nouveau_process;
    k.progress = nouveau_progress;
    return true;
}

static inline uint8_t *nouveau_at(uint64_t va)
{
    return nouveau_user + (va - NOUVEAU_VA);
}

/* Write words to the process. */
static inline void nouveau_put(uint64_t va, const uint32_t *dw, size_t count)
{
    memcpy(nouveau_at(va), dw, count * 4);
}

/* ---- what a process can see ---- */

static uint64_t nouveau_sum;

static void nouveau_add(const void *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        nouveau_sum = (nouveau_sum ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3u;
    }
}

static void nouveau_add32(uint32_t v)
{
    nouveau_add(&v, sizeof v);
}

static void nouveau_add_space(const gpucmd_space *s)
{
    const gpucmd_map *m = gpucmd_space_find(&k.maps, s, 0);
    for (; m != NULL; m = gpucmd_space_next(&k.maps, m)) {
        nouveau_add(&m->va, sizeof m->va);
        nouveau_add(&m->bytes, sizeof m->bytes);
        nouveau_add(&m->offset, sizeof m->offset);
        nouveau_add32(m->object);
        nouveau_add32(m->tag);
        nouveau_add32(m->user[0] != 0);
    }
}

/* Return a number that differs if a state that a process can see, or a count of free rows, does. */
static inline uint64_t nouveau_state(void)
{
    nouveau_sum = 0xcbf29ce484222325u;
    for (uint32_t i = 0; i < k.t.vm_count; i++) {
        const gpucmd_nouveau_vm *const vm = &k.t.vms[i];
        nouveau_add32(vm->refs);
        nouveau_add_space(&vm->tree);
        nouveau_add_space(&vm->regions);
        nouveau_add_space(&vm->pages);
        nouveau_add_space(&vm->sparse);
    }
    for (uint32_t i = 0; i < k.t.gem_count; i++) {
        const gpucmd_nouveau_gem *const g = &k.t.gems[i];
        nouveau_add32(g->used);
        nouveau_add32(g->handles);
        nouveau_add32(g->jobs);
        nouveau_add(&g->bytes, sizeof g->bytes);
        nouveau_add(&g->va, sizeof g->va);
        nouveau_add32(g->all_fence);
        nouveau_add32(g->write_fence);
    }
    for (uint32_t i = 0; i < k.t.channel_count; i++) {
        const gpucmd_nouveau_channel *const c = &k.t.channels[i];
        nouveau_add32(c->used);
        nouveau_add32(c->killed);
        nouveau_add32(c->id);
        nouveau_add32(c->queue.first);
        nouveau_add32(c->queue.last);
    }
    for (uint32_t i = 0; i < k.t.name_count; i++) {
        nouveau_add32(k.t.names[i].kind);
        nouveau_add32(k.t.names[i].handle);
        nouveau_add32(k.t.names[i].oclass);
        nouveau_add(&k.t.names[i].object, 8);
    }
    for (uint32_t i = 0; i < k.t.syncobj_count; i++) {
        nouveau_add32(k.t.syncobjs[i].refs);
        nouveau_add32(k.t.syncobjs[i].refs != 0 ? k.t.syncobjs[i].fence : 0);
        nouveau_add(&k.t.syncobjs[i].last, 8);
    }
    for (uint32_t i = 0; i < k.t.handle_count; i++) {
        nouveau_add32(k.t.handles[i].object);
    }
    nouveau_add32(k.maps.count);
    nouveau_add32(k.fences.count);
    nouveau_add32(k.syncobjs.point_count);
    nouveau_add32(k.free_items);
    nouveau_add32(k.bind_rows);
    nouveau_add32(k.jobs);
    nouveau_add32(k.binds.first);
    nouveau_add32(k.vm_fence);
    nouveau_add32(nouveau_live);
    nouveau_add(nouveau_gpu.ids, sizeof nouveau_gpu.ids);
    nouveau_add(&nouveau_gpu.vram_used_bytes, 8);
    return nouveau_sum;
}

/* Return true if the tables are as after gpucmd_nouveau_kernel_init. */
static inline bool nouveau_is_empty(void)
{
    return k.maps.count == 0 && k.fences.count == 0 && k.free_items == k.t.item_count &&
           k.jobs == 0 && k.bind_rows == 0 && k.handles.count == 0 && k.syncobjs.count == 0 &&
           nouveau_live == 0;
}

#endif /* GPUCMD_TEST_NV_NOUVEAU_H */

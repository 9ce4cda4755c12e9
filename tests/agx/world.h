/* agx/world.h - a model kernel with tables of moderate size, for tests and fuzzers. */
#ifndef AGX_WORLD_H
#define AGX_WORLD_H

#define WORLD_QUEUES 4
#define WORLD_JOBS   8
#ifndef WORLD_ADDRESSES
#define WORLD_ADDRESSES 0 /* addresses of jobs are not compared with their VM */
#endif

typedef struct world {
    gpucmd_agx_kernel k;
    gpucmd_agx_vm vms[3];
    gpucmd_agx_gem gems[6];
    gpucmd_agx_object objects[3];
    gpucmd_agx_queue queues[WORLD_QUEUES];
    gpucmd_syncobj syncobjs[6];
    gpucmd_sync_point points[12];
    gpucmd_agx_stamps stamps[WORLD_JOBS];
    uint32_t fence_ids[10];
    struct gpucmd_drm_asahi_sync syncs[10];
    gpucmd_map maps[32];
    gpucmd_agx_place places[6];
    gpucmd_agx_address addresses[96];
    gpucmd_agx_exec_queue exec_queues[WORLD_QUEUES];
    gpucmd_agx_exec_job jobs[WORLD_JOBS];
    gpucmd_agx_slot slots[WORLD_QUEUES * GPUCMD_AGX_RINGS * 400];
    gpucmd_fence fences[20];
    gpucmd_agx_link links[32];
} world;

#define WORLD_COUNT(a) ((uint32_t)(sizeof(a) / sizeof((a)[0])))

static gpucmd_status world_init(world *it)
{
    gpucmd_agx_kernel_tables t;
    memset(&t, 0, sizeof t);
#define TABLE(id, member, count, type, store, each, least)                                         \
    t.member = it->member;                                                                         \
    t.count = WORLD_COUNT(it->member);
    GPUCMD_AGX_KERNEL_TABLES(TABLE)
#undef TABLE
    t.exec.queues = it->exec_queues;
    t.exec.queue_count = WORLD_COUNT(it->exec_queues);
    t.exec.jobs = it->jobs;
    t.exec.job_count = WORLD_COUNT(it->jobs);
    t.exec.slots = it->slots;
    t.exec.ring_entries = 400;
    t.exec.fences = it->fences;
    t.exec.fence_count = WORLD_COUNT(it->fences);
    t.exec.links = it->links;
    t.exec.link_count = WORLD_COUNT(it->links);
    t.address_count = WORLD_ADDRESSES;
    return gpucmd_agx_kernel_init(&it->k, &t);
}

/* Close everything; true if all tables are empty then. Nothing may wait or run. */
static bool world_tear_down(world *it)
{
    uint32_t links = 0, jobs = 0;
    for (uint32_t id = 1; id <= 6; id++) {
        const struct gpucmd_drm_asahi_vm_destroy vm = {id, 0};
        const struct gpucmd_drm_asahi_queue_destroy queue = {id, 0};
        (void)gpucmd_agx_kernel_queue_destroy(&it->k, &queue);
        (void)gpucmd_agx_kernel_gem_close(&it->k, id);
        (void)gpucmd_agx_kernel_vm_destroy(&it->k, &vm);
        gpucmd_syncobj_release(&it->k.syncobjs, id);
    }
    for (uint32_t l = it->k.exec.free_link; l != GPUCMD_AGX_NONE; l = it->links[l].next) {
        links++;
    }
    for (uint32_t j = it->k.exec.free_job; j != GPUCMD_AGX_NONE; j = it->jobs[j].next) {
        jobs++;
    }
    return it->k.maps.count == 0 && it->k.exec.fences.count == 0 && it->k.syncobjs.count == 0 &&
           it->k.syncobjs.point_count == 0 && links == WORLD_COUNT(it->links) &&
           jobs == WORLD_COUNT(it->jobs);
}

/* Create a sync object and return its handle; 0: the table is full. */
static inline uint32_t world_syncobj(gpucmd_agx_kernel *kernel)
{
    uint32_t handle = 0;
    return gpucmd_syncobj_create(&kernel->syncobjs, 0, &handle) == 0 ? handle : 0;
}

/* Look at a point of a timeline; 0: the newest fence. GPUCMD_OK: it has signalled, *error is its errno.
 * BLOCKED: not yet. ORDER: it does not exist. RANGE: no such handle. */
static inline gpucmd_status world_point(gpucmd_agx_kernel *kernel, uint32_t handle, uint64_t point,
                                        int32_t *error)
{
    uint32_t fence = 0;
    const int result = gpucmd_syncobj_find(&kernel->syncobjs, handle, point, &fence);
    if (result != 0) {
        return result == -GPUCMD_SYS_ENOENT ? GPUCMD_RANGE : GPUCMD_ORDER;
    }
    if (fence != 0 && !gpucmd_fence_signalled(&kernel->exec.fences, fence)) {
        return GPUCMD_BLOCKED;
    }
    *error = fence != 0 ? kernel->exec.fences.rows[fence - 1].error : 0;
    return GPUCMD_OK;
}

static inline bool world_signalled(gpucmd_agx_kernel *kernel, uint32_t handle, int32_t *error)
{
    return world_point(kernel, handle, 0, error) == GPUCMD_OK;
}

#endif /* AGX_WORLD_H */

/* agx_world.h - a model kernel with tables of moderate size, for tests and fuzzers. */
#ifndef AGX_WORLD_H
#define AGX_WORLD_H

#define WORLD_QUEUES 4
#define WORLD_JOBS   8

typedef struct world {
    gpucmd_agx_kernel k;
    gpucmd_agx_vm vms[3];
    gpucmd_agx_gem gems[6];
    gpucmd_agx_object objects[3];
    gpucmd_agx_queue queues[WORLD_QUEUES];
    gpucmd_agx_syncobj syncobjs[6];
    gpucmd_agx_point points[12];
    gpucmd_agx_stamps stamps[WORLD_JOBS];
    uint32_t fence_ids[10];
    struct gpucmd_drm_asahi_sync syncs[10];
    gpucmd_agx_map maps[32];
    gpucmd_agx_exec_queue exec_queues[WORLD_QUEUES];
    gpucmd_agx_exec_job jobs[WORLD_JOBS];
    gpucmd_agx_slot slots[WORLD_QUEUES * GPUCMD_AGX_RINGS * 400];
    gpucmd_agx_fence fences[20];
    gpucmd_agx_link links[32];
} world;

#define WORLD_COUNT(a) ((uint32_t)(sizeof(a) / sizeof((a)[0])))

static gpucmd_status world_init(world *it, const gpucmd_env *env)
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
    return gpucmd_agx_kernel_init(&it->k, &t, env);
}

/* Close everything; true if all tables are empty then. Nothing may wait or run. */
static bool world_tear_down(world *it)
{
    uint32_t fences = 0, points = 0, links = 0, jobs = 0;
    for (uint32_t id = 1; id <= 6; id++) {
        const struct gpucmd_drm_asahi_vm_destroy vm = {id, 0};
        const struct gpucmd_drm_asahi_queue_destroy queue = {id, 0};
        (void)gpucmd_agx_kernel_queue_destroy(&it->k, &queue);
        (void)gpucmd_agx_kernel_gem_close(&it->k, id);
        (void)gpucmd_agx_kernel_vm_destroy(&it->k, &vm);
        (void)gpucmd_agx_kernel_syncobj_destroy(&it->k, id);
    }
    for (uint32_t f = it->k.exec.free_fence; f != GPUCMD_AGX_NONE; f = it->fences[f].next) {
        fences++;
    }
    for (uint32_t p = it->k.free_point; p != GPUCMD_AGX_NONE; p = it->points[p].next) {
        points++;
    }
    for (uint32_t l = it->k.exec.free_link; l != GPUCMD_AGX_NONE; l = it->links[l].next) {
        links++;
    }
    for (uint32_t j = it->k.exec.free_job; j != GPUCMD_AGX_NONE; j = it->jobs[j].next) {
        jobs++;
    }
    return it->k.maps.count == 0 && fences == WORLD_COUNT(it->fences) &&
           points == WORLD_COUNT(it->points) && links == WORLD_COUNT(it->links) &&
           jobs == WORLD_COUNT(it->jobs);
}

#endif /* AGX_WORLD_H */

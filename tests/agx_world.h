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
    t.vms = it->vms;
    t.vm_count = WORLD_COUNT(it->vms);
    t.gems = it->gems;
    t.gem_count = WORLD_COUNT(it->gems);
    t.objects = it->objects;
    t.object_count = WORLD_COUNT(it->objects);
    t.queues = it->queues;
    t.queue_count = WORLD_COUNT(it->queues);
    t.syncobjs = it->syncobjs;
    t.syncobj_count = WORLD_COUNT(it->syncobjs);
    t.points = it->points;
    t.point_count = WORLD_COUNT(it->points);
    t.stamps = it->stamps;
    t.fence_ids = it->fence_ids;
    t.fence_id_count = WORLD_COUNT(it->fence_ids);
    t.maps = it->maps;
    t.map_count = WORLD_COUNT(it->maps);
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

#endif /* AGX_WORLD_H */

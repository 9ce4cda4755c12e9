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

static gpucmd_status world_init(world *w, const gpucmd_env *env)
{
    gpucmd_agx_kernel_tables t;
    memset(&t, 0, sizeof t);
    t.vms = w->vms;
    t.vm_count = WORLD_COUNT(w->vms);
    t.gems = w->gems;
    t.gem_count = WORLD_COUNT(w->gems);
    t.objects = w->objects;
    t.object_count = WORLD_COUNT(w->objects);
    t.queues = w->queues;
    t.queue_count = WORLD_COUNT(w->queues);
    t.syncobjs = w->syncobjs;
    t.syncobj_count = WORLD_COUNT(w->syncobjs);
    t.points = w->points;
    t.point_count = WORLD_COUNT(w->points);
    t.stamps = w->stamps;
    t.fence_ids = w->fence_ids;
    t.fence_id_count = WORLD_COUNT(w->fence_ids);
    t.maps = w->maps;
    t.map_count = WORLD_COUNT(w->maps);
    t.exec.queues = w->exec_queues;
    t.exec.queue_count = WORLD_COUNT(w->exec_queues);
    t.exec.jobs = w->jobs;
    t.exec.job_count = WORLD_COUNT(w->jobs);
    t.exec.slots = w->slots;
    t.exec.ring_entries = 400;
    t.exec.fences = w->fences;
    t.exec.fence_count = WORLD_COUNT(w->fences);
    t.exec.links = w->links;
    t.exec.link_count = WORLD_COUNT(w->links);
    return gpucmd_agx_kernel_init(&w->k, &t, env);
}

#endif /* AGX_WORLD_H */

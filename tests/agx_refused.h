/* agx_refused.h - a refused call changes nothing: a copy of the model kernel with all its tables before
 * a call, compared afterwards. Include it after agx_world.h. */
#ifndef AGX_REFUSED_H
#define AGX_REFUSED_H

static world refused_before, refused_after;
static uint8_t refused_memory[65536]; /* of the process */

/* Copy the kernel, and the memory of its process if that is not this program. */
static void refused_save(const world *it)
{
    size_t at = 0;
    memcpy(&refused_before, it, sizeof *it);
    for (size_t i = 0; it->k.user != NULL && i < it->k.user->count; i++) {
        const gpucmd_region *r = &it->k.user->regions[i];
        memcpy(refused_memory + at, r->host, (size_t)r->bytes);
        at += (size_t)r->bytes;
    }
}

/* Remove what a refused call may change: its report, scratch, and contents of free rows. */
static void refused_normalise(world *it)
{
    memset(&it->k.finding, 0, sizeof it->k.finding);
    memset(&it->k.job, 0, sizeof it->k.job);
    memset(it->k.taken, 0, sizeof it->k.taken);
    memset(it->fence_ids, 0, sizeof it->fence_ids);
    memset(it->syncs, 0, sizeof it->syncs);
    it->k.table = it->k.exec.table = GPUCMD_AGX_TABLE_NONE;
    it->k.draft = GPUCMD_AGX_DRAFT_10006;
#define FREE_ROWS(rows)                                                                            \
    for (uint32_t i = 0; i < WORLD_COUNT(it->rows); i++) {                                         \
        if (!it->rows[i].used) {                                                                   \
            memset(&it->rows[i], 0, sizeof it->rows[i]);                                           \
        }                                                                                          \
    }
    FREE_ROWS(vms)
    FREE_ROWS(gems)
    FREE_ROWS(objects)
    FREE_ROWS(queues)
    FREE_ROWS(syncobjs)
#undef FREE_ROWS
}

/* Return true if *it is as it was when it was saved; otherwise print the tables that have changed. */
static bool refused_same(const world *it)
{
    bool good = true;
    size_t at = 0;
    for (size_t i = 0; it->k.user != NULL && i < it->k.user->count; i++) {
        const gpucmd_region *r = &it->k.user->regions[i];
        good = good && memcmp(refused_memory + at, r->host, (size_t)r->bytes) == 0;
        at += (size_t)r->bytes;
    }
    memcpy(&refused_after, it, sizeof *it);
    refused_normalise(&refused_before);
    refused_normalise(&refused_after);
#define SAME(member)                                                                               \
    if (memcmp(&refused_before.member, &refused_after.member, sizeof it->member) != 0) {           \
        printf("    %s has changed\n", #member);                                                   \
        good = false;                                                                              \
    }
    SAME(k)
    SAME(vms)
    SAME(gems)
    SAME(objects)
    SAME(queues)
    SAME(syncobjs)
    SAME(points)
    SAME(stamps)
    SAME(maps)
    SAME(exec_queues)
    SAME(jobs)
    SAME(slots)
    SAME(fences)
    SAME(links)
#undef SAME
    return good;
}

#endif /* AGX_REFUSED_H */

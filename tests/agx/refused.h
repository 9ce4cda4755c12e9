/* agx/refused.h - a refused call changes nothing: a copy of the model kernel with all its tables before
 * a call, compared afterwards. Include it after agx/world.h. */
#ifndef AGX_REFUSED_H
#define AGX_REFUSED_H

static world refused_before, refused_after;
static uint8_t refused_memory[65536]; /* of the process */

/* Copy the memory of the kernel's process, if that is not this program. */
static void refused_save_memory(const world *it)
{
    size_t at = 0;
    for (size_t i = 0; it->k.user != NULL && i < it->k.user->count; i++) {
        const gpucmd_region *r = &it->k.user->regions[i];
        memcpy(refused_memory + at, r->host, (size_t)r->bytes);
        at += (size_t)r->bytes;
    }
}

/* Copy the kernel and the memory of its process. */
static void refused_save(const world *it)
{
    memcpy(&refused_before, it, sizeof *it);
    refused_save_memory(it);
}

/* Remove what a refused call may change: its report, scratch, and contents of free rows. */
static void refused_normalise(world *it)
{
    memset(&it->k.finding, 0, sizeof it->k.finding);
    memset(it->k.why_text, 0, sizeof it->k.why_text);
    memset(&it->k.job, 0, sizeof it->k.job);
    memset(it->k.taken, 0, sizeof it->k.taken);
    memset(&it->k.lists, 0, sizeof it->k.lists);
    for (uint32_t i = it->k.address_free; i != 0; i = it->addresses[i - 1].next) {
        const uint32_t next = it->addresses[i - 1].next;
        memset(&it->addresses[i - 1], 0, sizeof it->addresses[0]);
        it->addresses[i - 1].next = next;
    }
    memset(it->fence_ids, 0, sizeof it->fence_ids);
    memset(it->syncs, 0, sizeof it->syncs);
    it->k.table = it->k.exec.table = GPUCMD_AGX_TABLE_NONE;
    it->k.draft = GPUCMD_AGX_DRAFT_10006;
#define FREE_ROWS(rows, member)                                                                    \
    for (uint32_t i = 0; i < WORLD_COUNT(it->rows); i++) {                                         \
        if (!it->rows[i].member) {                                                                 \
            memset(&it->rows[i], 0, sizeof it->rows[i]);                                           \
        }                                                                                          \
    }
    FREE_ROWS(vms, used)
    FREE_ROWS(gems, used)
    FREE_ROWS(objects, used)
    FREE_ROWS(queues, used)
    FREE_ROWS(places, refs)
    FREE_ROWS(syncobjs, refs)
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
    SAME(places)
    SAME(addresses)
    SAME(exec_queues)
    SAME(jobs)
    SAME(slots)
    SAME(fences)
    SAME(links)
#undef SAME
    return good;
}

/* Return true if a fuzzer compares the state around this call of an input, counted from 0: the state is
 * large, so the first calls, and then one of eight. */
static inline bool refused_compares(unsigned call)
{
    return call < 8 || call % 8 == 7;
}

/* As refused_same, after a SUBMIT: a refused SUBMIT can free rows of points that have signalled, and of
 * their fences. A second one then changes nothing. */
static inline bool refused_same_submit(const world *it)
{
    memcpy(refused_before.points, it->points, sizeof it->points);
    memcpy(refused_before.fences, it->fences, sizeof it->fences);
    refused_before.k.syncobjs.point_free = it->k.syncobjs.point_free;
    refused_before.k.syncobjs.point_count = it->k.syncobjs.point_count;
    refused_before.k.exec.fences.free = it->k.exec.fences.free;
    refused_before.k.exec.fences.count = it->k.exec.fences.count;
    for (uint32_t i = 0; i < WORLD_COUNT(it->syncobjs); i++) {
        refused_before.syncobjs[i].passed = it->syncobjs[i].passed;
    }
    return refused_same(it);
}

#ifdef GPUCMD_TEST_H /* not in fuzzers */

/* The rules that each call broke while its state was compared. */
static struct refused_call {
    char name[32];
    uint64_t rules[2];
} refused_calls[32];

/* Count a rule that a call broke. name ends before '(' and may begin with gpucmd_agx_kernel_. */
static void refused_saw(const char *name, const gpucmd_agx_kernel *kernel)
{
    const gpucmd_agx_rule rule = kernel->finding.rule;
    const char *prefix = "gpucmd_agx_kernel_";
    const char *at = strncmp(name, prefix, strlen(prefix)) == 0 ? name + strlen(prefix) : name;
    const size_t n = strcspn(at, "(");
    struct refused_call *c = refused_calls;
    while (c->name[0] != 0 && (strlen(c->name) != n || strncmp(c->name, at, n) != 0)) {
        c++;
    }
    memcpy(c->name, at, n);
    c->rules[rule / 64] |= (uint64_t)1 << rule % 64;
}

/* Expect a call to have broken exactly these rules, in the order of their rows. */
static void refused_by(const char *name, const char *rules, uint64_t *all)
{
    char got[2048] = "";
    for (const struct refused_call *c = refused_calls; c->name[0] != 0; c++) {
        for (uint32_t r = 0; r < 128 && strcmp(c->name, name) == 0; r++) {
            if ((c->rules[r / 64] >> r % 64 & 1) != 0) {
                strcat(got, got[0] != 0 ? " " : "");
                strcat(got, gpucmd_agx_rule_name((gpucmd_agx_rule)r));
                all[r / 64] |= (uint64_t)1 << r % 64;
            }
        }
    }
    if (!CHECK(strcmp(got, rules) == 0)) {
        printf("    %s: got %s\n", name, got);
    }
}

/* Expect each rule with an errno, of the drafts or others, in all, except those in the text. */
static void refused_all(const uint64_t *all, bool drafts, const char *except)
{
#define RULE(name, errno_, severity, text, source) #name,
    static const char *const names[] = {GPUCMD_AGX_RULES(RULE)};
#undef RULE
    for (uint32_t r = 1; r < sizeof names / sizeof names[0]; r++) {
        const bool seen = (all[r / 64] >> r % 64 & 1) != 0;
        if (gpucmd_agx_rule_errno((gpucmd_agx_rule)r) != 0 &&
            (strncmp(names[r], "DRAFT_", 6) == 0) == drafts &&
            !CHECK(seen != (strstr(except, names[r]) != NULL))) {
            printf("    %s\n", names[r]);
        }
    }
}

#endif /* GPUCMD_TEST_H */
#endif /* AGX_REFUSED_H */

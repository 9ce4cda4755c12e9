/* agx/oracle.h - the formal definition of order and times, written from the fact sheet's section on
 * it and sharing nothing with gpucmd: direct predecessors of each operation, nothing about rings.
 *
 *   Cj    needs C(j-1); R[r]f if its render barrier is r; C[b] if its compute barrier is b
 *   Rkv   needs R(k-1)v; R[r]f; C[b]
 *   Rkf   needs R(k-1)f and Rkv
 *   Bkf   needs R(k-1)f; R[r]f; C[b]      (a blit has no vertex half)
 *
 * Number 0 is prior work, for which R0f needs R0v. */
#ifndef AGX_ORACLE_H
#define AGX_ORACLE_H

#define ORACLE_OPS (3 * 65)

typedef struct op_set {
    uint64_t bits[4];
} op_set;

static void op_set_add(op_set *s, unsigned op)
{
    s->bits[op / 64] |= (uint64_t)1 << op % 64;
}

static void op_set_join(op_set *s, const op_set *other)
{
    for (int i = 0; i < 4; i++) {
        s->bits[i] |= other->bits[i];
    }
}

static bool op_set_has(const op_set *s, unsigned op)
{
    return (s->bits[op / 64] >> op % 64 & 1) != 0;
}

/* Operation number: part 0 compute, 1 vertex, 2 fragment. */
static unsigned oracle_op(unsigned part, unsigned number)
{
    return part * 65 + number;
}

static bool oracle_has(const gpucmd_agx_job *job, uint32_t index, uint32_t part)
{
    switch ((gpucmd_agx_kind)job->commands[index].kind) {
    case GPUCMD_AGX_KIND_RENDER: return part != 0;
    case GPUCMD_AGX_KIND_COMPUTE: return part == 0;
    case GPUCMD_AGX_KIND_BLIT: return part == 2;
    }
    return false;
}

/* A barrier is 0 to the number of earlier commands of that kind. */
static bool oracle_legal(const gpucmd_agx_job *job, uint32_t vdm, uint32_t cdm)
{
    uint32_t renders = 0;
    uint32_t computes = 0;
    for (uint32_t i = 0; i < job->count; i++) {
        renders += job->commands[i].kind != GPUCMD_AGX_KIND_COMPUTE;
        computes += job->commands[i].kind == GPUCMD_AGX_KIND_COMPUTE;
    }
    return (vdm == 0xFFFF || vdm <= renders) && (cdm == 0xFFFF || cdm <= computes);
}

/* The last vertex half before render number k. */
static unsigned oracle_last_vertex(const gpucmd_agx_job *job, unsigned k)
{
    unsigned last = 0;
    for (uint32_t i = 0; i < job->count; i++) {
        if (job->commands[i].kind == GPUCMD_AGX_KIND_RENDER && job->commands[i].number < k) {
            last = job->commands[i].number;
        }
    }
    return last;
}

/* Direct predecessors of one half of a command; returns how many. */
static unsigned oracle_needs(const gpucmd_agx_job *job, uint32_t index, uint32_t part,
                             unsigned needs[4])
{
    const gpucmd_agx_command *c = &job->commands[index];
    const unsigned k = c->number;
    unsigned n = 0;
    if (part == 0) {
        needs[n++] = oracle_op(0, k - 1);
    } else if (part == 1) {
        needs[n++] = oracle_op(1, oracle_last_vertex(job, k));
    } else {
        needs[n++] = oracle_op(2, k - 1);
        if (c->kind == GPUCMD_AGX_KIND_RENDER) {
            needs[n++] = oracle_op(1, k);
            return n;
        }
    }
    if (c->render_barrier != 0xFFFF) {
        needs[n++] = oracle_op(2, c->render_barrier);
    }
    if (c->compute_barrier != 0xFFFF) {
        needs[n++] = oracle_op(0, c->compute_barrier);
    }
    return n;
}

static void oracle_prior_closure(op_set *before)
{
    memset(before, 0, ORACLE_OPS * sizeof *before);
    op_set_add(&before[oracle_op(2, 0)], oracle_op(1, 0));
}

/* Everything that must have ended before each operation. Prior work that does not exist needs no
 * wait, so it is left out unless the ring itself implies it. */
static void oracle_closure(const gpucmd_agx_job *job, uint32_t prior, op_set *before)
{
    oracle_prior_closure(before);
    for (uint32_t i = 0; i < job->count; i++) {
        for (uint32_t part = 0; part < 3; part++) {
            unsigned needs[4];
            if (!oracle_has(job, i, part)) {
                continue;
            }
            op_set *s = &before[oracle_op(part, job->commands[i].number)];
            const unsigned n = oracle_needs(job, i, part, needs);
            for (unsigned k = 0; k < n; k++) {
                const bool dead = k > 0 && ((needs[k] == oracle_op(2, 0) && (prior & 1) == 0) ||
                                            (needs[k] == oracle_op(0, 0) && (prior & 2) == 0));
                if (!dead) {
                    op_set_add(s, needs[k]);
                    op_set_join(s, &before[needs[k]]);
                }
            }
        }
    }
}

static bool oracle_same(const gpucmd_agx_job *job, const op_set *a, const op_set *b)
{
    for (uint32_t i = 0; i < job->count; i++) {
        for (uint32_t part = 0; part < 3; part++) {
            const unsigned op = oracle_op(part, job->commands[i].number);
            if (oracle_has(job, i, part) && memcmp(&a[op], &b[op], sizeof a[op]) != 0) {
                return false;
            }
        }
    }
    return true;
}

typedef struct oracle_times {
    uint64_t start[GPUCMD_AGX_MAX_COMMANDS][3];
    uint64_t end[GPUCMD_AGX_MAX_COMMANDS][3];
    uint64_t op_end[ORACLE_OPS];
    uint32_t count;
} oracle_times;

/* Earliest start of every operation: the latest end of what it needs. */
static void oracle_run(const gpucmd_agx_job *job, const uint64_t *prior_end,
                       uint64_t (*duration)(void *user, uint32_t command, gpucmd_agx_ring part),
                       void *user, oracle_times *t)
{
    memset(t, 0, sizeof *t);
    for (unsigned part = 0; part < 3; part++) {
        t->op_end[oracle_op(part, 0)] = prior_end != NULL ? prior_end[part] : 0;
    }
    for (uint32_t i = 0; i < job->count; i++) {
        for (uint32_t part = 0; part < 3; part++) {
            unsigned needs[4];
            uint64_t start = 0;
            if (!oracle_has(job, i, part)) {
                continue;
            }
            const unsigned n = oracle_needs(job, i, part, needs);
            for (unsigned k = 0; k < n; k++) {
                start = t->op_end[needs[k]] > start ? t->op_end[needs[k]] : start;
            }
            t->start[i][part] = start;
            t->end[i][part] = start + duration(user, i, (gpucmd_agx_ring)part);
            t->op_end[oracle_op(part, job->commands[i].number)] = t->end[i][part];
            t->count++;
        }
    }
}

#endif /* AGX_ORACLE_H */

/* Asynchronous submissions. A thread of this library executes a slice of a job at a time, under the
 * lock of the library. Of the jobs of an engine that can run, the one with the highest priority
 * runs; of equal ones, the oldest. */
#include "shim.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { ENGINES = 16, ENDED_MOST = 32 };

/* Time after which a job that does not end is a hang. */
static const uint64_t hang_ns = 3000000000u;

/* Time after which a job with the same priority gets the engine. */
static const uint64_t turn_ns = 1000000;

static shim_job *heads[ENGINES];
static shim_job *running[ENGINES];
static uint64_t turn_begin_ns[ENGINES];
static uint64_t step_ns[ENGINES]; /* when the last slice began */
static bool runs;                 /* the thread exists */

/* Jobs that have ended, and still keep objects and address spaces: Linux frees these after the
 * engine has gone on to the work that waited for the job. */
static shim_job *ended_jobs;
static uint32_t ended_count;

static void job_free(shim_job *job)
{
    if (shim_driver_current()->job_free != NULL) {
        shim_driver_current()->job_free(job);
    }
    for (size_t i = 0; i < job->hold_count; i++) {
        shim_storage_put(job->holds[i]);
    }
    free(job->holds);
    free(job->waits);
    free(job);
}

void shim_queue_retire(void)
{
    while (ended_jobs != NULL) {
        shim_job *job = ended_jobs;
        ended_jobs = job->next;
        job_free(job);
    }
    ended_count = 0;
}

static void job_end(shim_job *job, int error)
{
    shim_job **at = &heads[job->engine];
    while (*at != job) {
        at = &(*at)->next;
    }
    *at = job->next;
    if (running[job->engine] == job) {
        running[job->engine] = NULL;
    }
    for (shim_job *next = job->next; next != NULL; next = next->next) {
        if (next->key == job->key) {
            next->is_first = true;
            break;
        }
    }
    shim_fence_signal(job->fence, error);
    shim_driver_current()->job_end(job, error);
    job->next = ended_jobs;
    ended_jobs = job;
    ended_count++;
}

void shim_job_wait(shim_job *job, uint64_t fence)
{
    if (shim_fence_state(fence) != 1) {
        return;
    }
    if (job->wait_count == job->wait_cap) {
        if (job->wait_cap != 0) {
            job->wait_cap = 2 * job->wait_cap;
        } else {
            job->wait_cap = 8;
        }
        job->waits = realloc(job->waits, job->wait_cap * sizeof *job->waits);
        if (job->waits == NULL) {
            abort();
        }
    }
    job->waits[job->wait_count++] = fence;
}

static bool uses(const shim_job *job, const shim_storage *s)
{
    size_t i = 0;
    while (i < job->hold_count && job->holds[i] != s) {
        i++;
    }
    return i < job->hold_count;
}

uint32_t shim_queue_users(const shim_storage *s)
{
    uint32_t engines = 0;
    for (uint32_t i = 0; i < ENGINES; i++) {
        for (const shim_job *job = heads[i]; job != NULL && (engines >> i & 1) == 0;
             job = job->next) {
            engines |= (uint32_t)uses(job, s) << i;
        }
    }
    return engines;
}

void shim_queue_waits(const shim_storage *s, shim_job *job)
{
    for (uint32_t i = 0; i < ENGINES; i++) {
        for (const shim_job *other = heads[i]; other != NULL; other = other->next) {
            if (uses(other, s)) {
                shim_job_wait(job, other->fence);
            }
        }
    }
}

bool shim_queue_merge(const shim_storage *s, uint64_t *fence)
{
    for (uint32_t i = 0; i < ENGINES; i++) {
        for (const shim_job *job = heads[i]; job != NULL; job = job->next) {
            if (uses(job, s)) {
                *fence = shim_fence_merge(*fence, job->fence);
                if (*fence == 0) {
                    return false;
                }
            }
        }
    }
    return true;
}

/* Return whether the job of a fence has begun or ended. */
static bool has_begun(uint64_t fence)
{
    for (uint32_t i = 0; i < ENGINES; i++) {
        for (const shim_job *job = heads[i]; job != NULL; job = job->next) {
            if (job->fence == fence) {
                return job->begun;
            }
        }
    }
    return shim_fence_state(fence) != 1;
}

/* Return whether a job can run: it is the first of its key, and all its fences are signalled. */
static bool is_ready(shim_job *job)
{
    if (!job->is_first) {
        return false;
    }
    while (job->wait_count > 0 && shim_fence_state(job->waits[job->wait_count - 1]) != 1) {
        job->wait_count--;
    }
    return job->wait_count == 0 && (job->follows == 0 || has_begun(job->follows));
}

/* Return the job that should have the engine; NULL: none is ready. */
static shim_job *pick(uint32_t engine, uint64_t now_ns)
{
    shim_job *now = running[engine];
    const bool turn = now != NULL && now_ns - turn_begin_ns[engine] > turn_ns;
    shim_job *best = now;
    bool after = false; /* the job that runs was passed */
    for (shim_job *job = heads[engine]; job != NULL; job = job->next) {
        if (job == now || !is_ready(job)) {
            after = after || job == now;
            continue;
        }
        if (best == NULL || job->priority > best->priority ||
            (turn && best == now && job->priority == now->priority && after)) {
            best = job;
        }
    }
    for (shim_job *job = heads[engine]; job != now && turn && best == now; job = job->next) {
        if (is_ready(job) && job->priority == now->priority) {
            best = job; /* the turn begins again */
        }
    }
    return now != NULL && best != now && !shim_driver_current()->job_yields(now) ? now : best;
}

/* Execute a slice of a job of an engine. Return whether it ended. */
static bool step(uint32_t engine)
{
    const uint64_t now_ns = shim_now_ns();
    shim_job *job = pick(engine, now_ns);
    int result;
    if (job == NULL) {
        return false;
    }
    if (running[engine] == job) {
        job->run_ns += now_ns - step_ns[engine];
    } else {
        turn_begin_ns[engine] = now_ns;
    }
    running[engine] = job;
    job->begun = true;
    step_ns[engine] = now_ns;
    shim_work_begin(now_ns);
    result = shim_driver_current()->job_step(job);
    if (result == SHIM_LATER && job->run_ns > hang_ns) {
        result = shim_driver_current()->job_hangs(job);
    }
    if (result == SHIM_LATER) {
        return false;
    }
    job_end(job, result);
    return true;
}

bool shim_queue_step(void)
{
    bool ended = false, busy = false;
    for (uint32_t i = 0; i < ENGINES; i++) {
        ended = (heads[i] != NULL && step(i)) || ended;
    }
    for (uint32_t i = 0; i < ENGINES; i++) {
        busy = busy || heads[i] != NULL;
    }
    if (!ended || !busy || ended_count > ENDED_MOST || shim_driver_current()->job_free == NULL) {
        shim_queue_retire();
    }
    if (!ended) {
        shim_processes_sweep_rarely();
    }
    shim_sync_files_update();
    return ended;
}

static bool has_work(void)
{
    bool work = shim_sync_files_update();
    for (uint32_t i = 0; i < ENGINES; i++) {
        work = work || heads[i] != NULL;
    }
    return work;
}

static void *work(void *unused)
{
    static const struct timespec pause_time = {0, 20000};
    (void)unused;
    for (;;) {
        bool ended;
        shim_lock();
        while (!has_work()) {
            shim_lock_wait();
        }
        ended = shim_queue_step();
        shim_unlock();
        if (!ended) {
            nanosleep(&pause_time, NULL); /* other threads take the lock */
        }
    }
    return NULL;
}

void shim_queue_wake(void)
{
    pthread_t thread;
    if (!runs) {
        runs = pthread_create(&thread, NULL, work, NULL) == 0;
        if (runs) {
            pthread_detach(thread);
        }
    }
    shim_lock_signal();
}

/* Raise the jobs that a job waits for to its priority: those of its fences, and earlier ones of its
 * key. Return whether one was raised. */
static bool raise_for(const shim_job *job)
{
    bool raised = false;
    for (uint32_t i = 0; i < ENGINES; i++) {
        bool earlier = i == job->engine;
        for (shim_job *other = heads[i]; other != NULL; other = other->next) {
            bool needed = earlier && other->key == job->key;
            earlier = earlier && other != job;
            if (other == job || other->priority >= job->priority) {
                continue;
            }
            for (size_t n = 0; n < job->wait_count && !needed; n++) {
                needed = job->waits[n] == other->fence;
            }
            if (needed) {
                other->priority = job->priority;
                raised = true;
            }
        }
    }
    return raised;
}

/* The priority of a job goes on to those that it waits for, those that they wait for, and so on. */
static void inherit(const shim_job *from)
{
    bool again = raise_for(from);
    while (again) {
        again = false;
        for (uint32_t i = 0; i < ENGINES; i++) {
            for (const shim_job *job = heads[i]; job != NULL; job = job->next) {
                again = raise_for(job) || again;
            }
        }
    }
}

void shim_queue_add(shim_job *job)
{
    shim_job **at = &heads[job->engine];
    job->is_first = true;
    while (*at != NULL) {
        job->is_first = job->is_first && (*at)->key != job->key;
        at = &(*at)->next;
    }
    *at = job;
    inherit(job);
    shim_queue_wake();
}

uint32_t shim_queue_count(uint64_t key, uint32_t engine)
{
    uint32_t count = 0;
    for (const shim_job *job = heads[engine]; job != NULL; job = job->next) {
        count += job->key == key;
    }
    return count;
}

void shim_queue_reset(void)
{
    char path[PATH_MAX];
    FILE *file;
    int allowed = 1;
    snprintf(path, sizeof path, "%s/sys/kernel/debug/dri/0/i915_params/reset", shim.root);
    file = fopen(path, "r");
    if (file != NULL) {
        if (fscanf(file, "%d", &allowed) != 1) {
            allowed = 1;
        }
        fclose(file);
    }
    shim_wedged_set(allowed == 0);
    for (uint32_t i = 0; i < ENGINES; i++) {
        if (running[i] != NULL) {
            job_end(running[i], shim_driver_current()->job_hangs(running[i]));
        }
    }
    while (allowed == 0 && shim_queue_step()) { /* what waits for nothing fails */
    }
    shim_queue_retire();
}

shim_job *shim_queue_first(uint32_t engine)
{
    return heads[engine];
}

/* The jobs of the parent are not the child's, and do not keep its objects. */
void shim_queue_forked(void)
{
    for (uint32_t i = 0; i < ENGINES; i++) {
        running[i] = NULL;
        while (heads[i] != NULL) {
            shim_job *job = heads[i];
            heads[i] = job->next;
            shim_driver_current()->job_end(job, 0);
            job_free(job);
        }
    }
    shim_queue_retire();
    runs = false;
    shim_sync_files_forked();
}

/* At the end of the program: finish the work, because other processes may need it. */
__attribute__((destructor)) static void drain(void)
{
    const struct timespec pause_time = {0, 100000};
    const uint64_t end_ns = shim_now_ns() + hang_ns;
    bool work_left = runs;
    shim_lock();
    for (uint32_t i = 0; i < ENGINES; i++) {
        for (shim_job *job = heads[i]; job != NULL && shim_driver_current()->job_leaves != NULL;
             job = job->next) {
            shim_driver_current()->job_leaves(job);
        }
    }
    shim_unlock();
    while (work_left && shim_now_ns() < end_ns) {
        shim_lock();
        work_left = has_work() && (shim_queue_step() || has_work());
        shim_unlock();
        nanosleep(&pause_time, NULL);
    }
}

/* Asynchronous submissions: jobs in the order of their engine. A thread of this library executes a
 * slice of a job at a time, under the lock of the library. */
#include "shim.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { ENGINES = 16 };

/* Time after which a job that does not end is a hang. */
static const uint64_t hang_ns = 3000000000u;

static shim_job *heads[ENGINES];
static bool runs; /* the thread exists */

static void job_end(shim_job *job, int error)
{
    heads[job->engine] = job->next;
    shim_fence_signal(job->fence, error);
    shim_driver_current()->job_end(job, error);
    for (size_t i = 0; i < job->hold_count; i++) {
        shim_storage_put(job->holds[i]);
    }
    free(job->holds);
    free(job->waits);
    free(job);
}

static bool is_ready(const shim_job *job)
{
    for (size_t i = 0; i < job->wait_count; i++) {
        if (shim_fence_state(job->waits[i]) == 1) {
            return false;
        }
    }
    return true;
}

/* Execute a slice of the first job of an engine. Return whether it ended. */
static bool step(uint32_t engine)
{
    shim_job *job = heads[engine];
    const uint64_t now_ns = shim_now_ns();
    int result;
    if (!is_ready(job)) {
        return false;
    }
    job->begin_ns = job->begin_ns != 0 ? job->begin_ns : now_ns;
    shim_work_begin(now_ns);
    result = shim_driver_current()->job_step(job);
    if (result == SHIM_LATER && now_ns - job->begin_ns > hang_ns) {
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
    bool ended = false;
    for (uint32_t i = 0; i < ENGINES; i++) {
        ended = (heads[i] != NULL && step(i)) || ended;
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

void shim_queue_add(shim_job *job)
{
    shim_job **at = &heads[job->engine];
    while (*at != NULL) {
        at = &(*at)->next;
    }
    *at = job;
    shim_queue_wake();
}

shim_job *shim_queue_first(uint32_t engine)
{
    return heads[engine];
}

/* The jobs of the parent are not the child's. */
void shim_queue_forked(void)
{
    for (uint32_t i = 0; i < ENGINES; i++) {
        heads[i] = NULL;
    }
    runs = false;
    shim_sync_files_forked();
}

/* At the end of the program: finish the work, because other processes may need it. */
__attribute__((destructor)) static void drain(void)
{
    const struct timespec pause_time = {0, 100000};
    const uint64_t end_ns = shim_now_ns() + hang_ns;
    bool work_left = runs;
    while (work_left && shim_now_ns() < end_ns) {
        shim_lock();
        work_left = has_work() && (shim_queue_step() || has_work());
        shim_unlock();
        nanosleep(&pause_time, NULL);
    }
}

/* State that all processes of a run share: the head of the memory file. It holds the processes, the
 * rows of shared storages and synchronisation objects, and the fences of submissions. One robust
 * mutex protects it. */
#include "shim.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PROCESSES = 64, ROWS = 1 << 21, FENCES = 1 << 16 };
enum { FENCE_PENDING = 1 };

/* A process that has opened a node. A child has the pid of its parent until it runs. */
typedef struct process {
    int32_t pid;    /* 0: free */
    uint64_t start; /* start time of the process, because the system uses a pid again */
} process;

typedef struct fence {
    uint64_t seq;
    uint32_t slot; /* process that executes the submission */
    int32_t state; /* 1: pending; 0: done; negative: errno of a submission that failed */
} fence;

typedef struct shared {
    pthread_mutex_t lock;
    bool ready;
    bool wedged;       /* the GPU accepts no work */
    bool wrapped;      /* memory that was freed is used again */
    uint64_t next_off; /* where the search for free memory begins */
    uint64_t next_seq;
    uint32_t next_row; /* where the search for a free row begins */
    uint32_t end_row;  /* no higher row was ever used */
    uint32_t orphans;  /* rows that only a descriptor holds */
    process processes[PROCESSES];
    fence fences[FENCES]; /* by seq % FENCES */
    shim_row rows[ROWS];
} shared;

_Static_assert(sizeof(shared) <= SHIM_SHARED_BYTES, "the head of the memory file is too small");

static shared *all;
static uint32_t slot; /* of this process */
static uint32_t child_slot;

/* Return the start time of a process. 0: it has ended. */
static uint64_t process_start(int32_t pid)
{
    char path[64];
    char text[1024];
    const char *at;
    unsigned long long start = 0;
    char state = 'X';
    ssize_t n;
    int fd;
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        n = read(fd, text, sizeof text - 1);
    } else {
        n = -1;
    }
    if (fd >= 0) {
        close(fd);
    }
    text[n > 0 ? n : 0] = 0;
    at = strrchr(text, ')');
    if (at == NULL || sscanf(at + 1,
                             " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d "
                             "%*d %*d %llu",
                             &state, &start) != 2) {
        return 0;
    }
    return state == 'Z' || state == 'X' ? 0 : start;
}

void shim_shared_lock(void)
{
    if (all != NULL && pthread_mutex_lock(&all->lock) == EOWNERDEAD) {
        pthread_mutex_consistent(&all->lock); /* a process has ended inside */
    }
}

void shim_shared_unlock(void)
{
    if (all != NULL) {
        pthread_mutex_unlock(&all->lock);
    }
}

/* ---- rows ---- */

shim_row *shim_row_at(uint32_t row)
{
    return &all->rows[row];
}

static void file_of_row(uint32_t row, char *path)
{
    snprintf(path, PATH_MAX, "%s/" SHIM_SHARED_DIR "/%u", shim.root, row);
}

/* Return whether a descriptor of any process holds the row: the descriptor has a lock on a file. */
static bool row_has_descriptor(const shim_row *r, uint32_t row)
{
    char path[PATH_MAX];
    bool held;
    int fd;
    if (!r->exported) {
        return false;
    }
    file_of_row(row, path);
    fd = open(path, O_RDWR | O_CLOEXEC);
    held = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0;
    if (fd >= 0) {
        close(fd);
    }
    return held;
}

/* Free a row that no process holds, if no descriptor holds it. */
static void row_release(uint32_t row)
{
    shim_row *r = &all->rows[row];
    char path[PATH_MAX];
    if (r->kind == SHIM_ROW_FREE || r->holders != 0) {
        return;
    }
    if (row_has_descriptor(r, row)) {
        all->orphans += !r->orphan;
        r->orphan = true;
        return;
    }
    all->orphans -= r->orphan;
    if (r->exported) {
        file_of_row(row, path);
        unlink(path);
    }
    if (r->kind == SHIM_ROW_STORAGE || r->kind == SHIM_ROW_VIEW) {
        shim_memory_drop(r->storage.off_bytes, r->storage.bytes);
    }
    if (r->kind == SHIM_ROW_STORAGE && r->storage.view != 0) {
        row_release(r->storage.view);
    }
    memset(r, 0, sizeof *r);
}

uint32_t shim_row_new(shim_row_kind kind)
{
    uint32_t row = 0;
    shim_shared_lock();
    for (uint32_t i = 0; i < ROWS && row == 0; i++) {
        const uint32_t at = (all->next_row + i) % ROWS;
        row = at != 0 && all->rows[at].kind == SHIM_ROW_FREE ? at : 0;
    }
    if (row != 0) {
        memset(&all->rows[row], 0, sizeof all->rows[row]);
        all->rows[row].kind = kind;
        all->rows[row].holders = (uint64_t)1 << slot;
        all->next_row = row + 1;
        if (row >= all->end_row) {
            all->end_row = row + 1;
        }
    }
    shim_shared_unlock();
    return row;
}

bool shim_row_hold(uint32_t row, shim_row_kind kind)
{
    bool live;
    shim_shared_lock();
    live = row != 0 && row < ROWS && all->rows[row].kind == kind;
    if (live) {
        shim_row *r = &all->rows[row];
        r->holders |= (uint64_t)1 << slot;
        all->orphans -= r->orphan;
        r->orphan = false;
    }
    shim_shared_unlock();
    return live;
}

void shim_row_drop(uint32_t row)
{
    shim_shared_lock();
    all->rows[row].holders &= ~((uint64_t)1 << slot);
    row_release(row);
    shim_shared_unlock();
}

void shim_rows_sweep(void)
{
    if (all == NULL || all->orphans == 0) {
        return;
    }
    shim_shared_lock();
    for (uint32_t i = 1; i < all->end_row && all->orphans != 0; i++) {
        if (all->rows[i].orphan) {
            row_release(i);
        }
    }
    shim_shared_unlock();
}

/* Open the file of a row, of that many bytes. Its lock ends with the last descriptor, also of other
 * processes. */
int shim_row_export(uint32_t row, uint64_t bytes, int flags)
{
    char path[PATH_MAX];
    int fd;
    file_of_row(row, path);
    fd = open(path, O_RDWR | O_CREAT | (flags & O_CLOEXEC), 0666);
    if (fd < 0 || ftruncate(fd, (off_t)bytes) != 0 || flock(fd, LOCK_SH) != 0) {
        if (fd >= 0) {
            close(fd);
        }
        return -EMFILE;
    }
    shim_shared_lock();
    all->rows[row].exported = true;
    shim_shared_unlock();
    return fd;
}

uint32_t shim_row_of_path(const char *path, shim_row_kind kind)
{
    const unsigned long row = strtoul(path, NULL, 10);
    return all != NULL && row > 0 && row < ROWS && all->rows[row].kind == kind ? (uint32_t)row : 0;
}

/* ---- memory ranges ---- */

/* Find a free range of the memory file from next_off on, and after its end from the beginning. */
bool shim_range_new(uint32_t row, uint64_t bytes, uint64_t align, uint64_t end_off)
{
    uint64_t off;
    bool fits = false;
    shim_shared_lock();
    off = all->next_off;
    for (int wraps = 0; wraps < 2 && !fits;) {
        uint64_t next;
        off = (off + align - 1) & ~(align - 1);
        next = off;
        if (off > end_off || bytes > end_off - off) {
            off = SHIM_SHARED_BYTES;
            wraps++;
            all->wrapped = true;
            continue;
        }
        for (uint32_t i = 1; all->wrapped && i < all->end_row; i++) {
            const shim_row *r = &all->rows[i];
            if ((r->kind == SHIM_ROW_STORAGE || r->kind == SHIM_ROW_VIEW) &&
                r->storage.off_bytes < off + bytes &&
                off < r->storage.off_bytes + r->storage.bytes) {
                next = r->storage.off_bytes + r->storage.bytes;
            }
        }
        fits = next == off;
        off = next;
    }
    if (fits) {
        all->next_off = off + bytes;
        all->rows[row].storage.off_bytes = off;
        all->rows[row].storage.bytes = bytes;
    }
    shim_shared_unlock();
    return fits;
}

bool shim_view_new(uint32_t row, uint64_t bytes, uint64_t end_off)
{
    uint32_t view;
    shim_shared_lock();
    view = shim_row_new(SHIM_ROW_VIEW);
    if (view != 0) {
        all->rows[view].holders = 0;
        if (shim_range_new(view, bytes, 4096, end_off)) {
            all->rows[row].storage.view = view;
        } else {
            row_release(view);
        }
    }
    shim_shared_unlock();
    return all->rows[row].storage.view != 0;
}

/* ---- processes ---- */

/* Free a slot: the rows lose this holder, and the process's fences are signalled. */
static void slot_release(uint32_t s)
{
    const uint64_t bit = (uint64_t)1 << s;
    for (uint32_t i = 1; i < all->end_row; i++) {
        if ((all->rows[i].holders & bit) != 0) {
            all->rows[i].holders &= ~bit;
            row_release(i);
        }
    }
    for (uint32_t i = 0; i < FENCES && all->next_seq > 1; i++) {
        if (all->fences[i].state == FENCE_PENDING && all->fences[i].slot == s) {
            all->fences[i].state = -EIO;
        }
    }
    all->processes[s].pid = 0;
}

/* Take a free slot for a process. PROCESSES: none. */
static uint32_t slot_new(int32_t pid)
{
    uint32_t s = 0;
    while (s < PROCESSES && all->processes[s].pid != 0) {
        s++;
    }
    if (s < PROCESSES) {
        all->processes[s].pid = pid;
        all->processes[s].start = process_start(pid);
    }
    return s;
}

void shim_processes_sweep(void)
{
    if (all == NULL) {
        return;
    }
    shim_shared_lock();
    for (uint32_t i = 0; i < PROCESSES; i++) {
        const process *p = &all->processes[i];
        if (p->pid != 0 && i != slot && process_start(p->pid) != p->start) {
            slot_release(i);
        }
    }
    shim_shared_unlock();
    shim_rows_sweep();
}

void shim_processes_sweep_rarely(void)
{
    static uint64_t last_ns;
    const uint64_t now_ns = shim_now_ns();
    if (now_ns - last_ns > 50000000u) {
        last_ns = now_ns;
        shim_processes_sweep();
    }
}

/* Initialise the head of the memory file if no process has done it. A lock on the file excludes
 * other processes. */
static void initialise(int fd)
{
    flock(fd, LOCK_EX);
    if (!all->ready) {
        pthread_mutexattr_t attributes;
        pthread_mutexattr_init(&attributes);
        pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
        pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
        pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
        pthread_mutex_init(&all->lock, &attributes);
        pthread_mutexattr_destroy(&attributes);
        all->next_off = SHIM_SHARED_BYTES;
        all->next_row = 1;
        all->next_seq = 1;
        all->ready = true;
    }
    flock(fd, LOCK_UN);
}

bool shim_shared_start(int fd, void *head)
{
    const int32_t pid = getpid();
    char path[PATH_MAX];
    all = head;
    initialise(fd);
    snprintf(path, sizeof path, "%s/" SHIM_SHARED_DIR, shim.root);
    mkdir(path, 0777);
    shim_shared_lock();
    slot = PROCESSES;
    for (uint32_t i = 0; i < PROCESSES; i++) {
        if (all->processes[i].pid == pid) { /* this process before execve */
            slot_release(i);
        }
    }
    shim_processes_sweep();
    slot = slot_new(pid);
    shim_shared_unlock();
    if (slot == PROCESSES) {
        shim_log("more than %d processes", PROCESSES);
        all = NULL;
    }
    return all != NULL;
}

/* Before a fork: the child holds all rows that this process holds. The lock is released in the
 * parent only, because the child does not own it. */
void shim_shared_fork(void)
{
    if (all == NULL) {
        return;
    }
    shim_shared_lock();
    child_slot = slot_new(getpid());
    for (uint32_t i = 1; i < all->end_row && child_slot < PROCESSES; i++) {
        all->rows[i].holders |= (all->rows[i].holders >> slot & 1) << child_slot;
    }
    shim_shared_unlock();
}

bool shim_shared_forked(void)
{
    if (all == NULL) {
        return false;
    }
    slot = child_slot;
    if (slot >= PROCESSES) {
        all = NULL;
        return false;
    }
    shim_shared_lock();
    all->processes[slot].start = process_start(getpid());
    all->processes[slot].pid = getpid();
    shim_shared_unlock();
    return true;
}

/* ---- fences ---- */

bool shim_wedged(void)
{
    return all != NULL && __atomic_load_n(&all->wedged, __ATOMIC_ACQUIRE);
}

void shim_wedged_set(bool wedged)
{
    __atomic_store_n(&all->wedged, wedged, __ATOMIC_RELEASE);
}

uint64_t shim_fence_new(void)
{
    fence *f;
    uint64_t seq;
    shim_shared_lock();
    seq = all->next_seq++;
    f = &all->fences[seq % FENCES];
    f->seq = seq;
    f->slot = slot;
    f->state = FENCE_PENDING;
    shim_shared_unlock();
    return seq;
}

void shim_fence_signal(uint64_t seq, int error)
{
    fence *f = &all->fences[seq % FENCES];
    if (f->seq == seq) {
        __atomic_store_n(&f->state, error, __ATOMIC_RELEASE);
    }
}

int shim_fence_state(uint64_t seq)
{
    const fence *f = NULL;
    if (all != NULL) {
        f = &all->fences[seq % FENCES];
    }
    int state = 0;
    if (f != NULL) {
        state = __atomic_load_n(&f->state, __ATOMIC_ACQUIRE);
    }
    return seq == 0 || f == NULL || f->seq != seq ? 0 : state;
}

bool shim_fence_foreign(uint64_t seq)
{
    return all->fences[seq % FENCES].slot != slot;
}

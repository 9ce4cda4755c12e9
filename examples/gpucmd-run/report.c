/* Counters, in a file that all processes of the client share; log, dump and trace. */
#include "shim.h"

#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { LOG_LINES = 400 };

static shim_report spare; /* holds the counters if there is no file */
static shim_report *report = &spare;
static int log_fd = -1;

uint64_t *shim_own_counts;

static int open_in_root(const char *name, int flags)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", shim.root, name);
    return open(path, flags | O_CLOEXEC, 0666);
}

/* Move a descriptor to a high number, so that it does not meet the client's descriptors. */
int shim_move_up(int fd)
{
    int high = -1;
    if (fd >= 0) {
        high = fcntl(fd, F_DUPFD_CLOEXEC, 900);
    }
    if (high < 0) {
        return fd;
    }
    close(fd);
    return high;
}

void shim_report_forked(void)
{
    const uint64_t n = __atomic_fetch_add(&report->processes, 1, __ATOMIC_RELAXED);
    if (n < SHIM_REPORT_PROCESSES) {
        shim_own_counts = report->own[n];
    } else {
        shim_own_counts = NULL;
    }
}

void shim_report_start(void)
{
    const int fd = open_in_root(SHIM_REPORT_FILE, O_RDWR | O_CREAT);
    if (fd >= 0 && ftruncate(fd, sizeof *report) == 0) {
        void *at = mmap(NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (at != MAP_FAILED) {
            report = at;
        }
    }
    if (fd >= 0) {
        close(fd);
    }
    shim_report_forked();
    log_fd = shim_move_up(open_in_root(SHIM_LOG_FILE, O_WRONLY | O_CREAT | O_APPEND));
}

void shim_count(int counter, uint64_t n)
{
    __atomic_fetch_add(&report->count[counter], n, __ATOMIC_RELAXED);
}

uint64_t shim_findings(void)
{
    uint64_t n = __atomic_load_n(&report->count[SHIM_NOTES], __ATOMIC_RELAXED);
    for (int i = SHIM_UNKNOWN; i < SHIM_COUNTER_COUNT; i++) {
        n += __atomic_load_n(&report->count[i], __ATOMIC_RELAXED);
    }
    return n;
}

void shim_count_engine(uint32_t engine)
{
    if (engine < SHIM_ENGINES) {
        __atomic_fetch_add(&report->engine[engine], 1, __ATOMIC_RELAXED);
    }
}

uint64_t shim_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t shim_work_ns;
uint32_t shim_work_weight = 1;

void shim_work_begin(uint64_t now_ns)
{
    static uint32_t count, state;
    shim_work_ns = now_ns;
    if (++count > 64) {
        const uint32_t bits = count < 4096 ? 4 : 6;
        state = state * 1664525u + 1013904223u;
        shim_work_weight = (uint32_t)(state >> (32 - bits) == 0) << bits;
    }
}

__attribute__((format(printf, 1, 0))) static void log_line(const char *format, va_list args)
{
    char line[512];
    int n;
    if (log_fd < 0 || __atomic_fetch_add(&report->log_lines, 1, __ATOMIC_RELAXED) >= LOG_LINES) {
        return;
    }
    n = vsnprintf(line, sizeof line - 1, format, args);
    if (n < 0) {
        n = 0;
    } else if (n > (int)sizeof line - 2) {
        n = (int)sizeof line - 2;
    }
    line[n] = '\n';
    if (write(log_fd, line, (size_t)n + 1) < 0) {
        log_fd = -1;
    }
}

void shim_log(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    log_line(format, args);
    va_end(args);
}

void shim_error(int counter, const char *format, ...)
{
    va_list args;
    shim_count(counter, 1);
    va_start(args, format);
    log_line(format, args);
    va_end(args);
}

bool shim_is_off(const char *word)
{
    const size_t n = strlen(word);
    for (const char *at = shim.off; at != NULL && *at != 0;) {
        const size_t len = strcspn(at, ",");
        if (len == n && memcmp(at, word, n) == 0) {
            return true;
        }
        at += len + (at[len] == ',');
    }
    return false;
}

static void write_all(int fd, const void *data, size_t bytes)
{
    const char *at = data;
    while (bytes > 0) {
        const ssize_t n = write(fd, at, bytes);
        if (n <= 0) {
            return;
        }
        at += n;
        bytes -= (size_t)n;
    }
}

/* Columns of the index: number, stream, address, words, file. */
void shim_dump(const char *kind, uint64_t va, const uint32_t *dw, size_t len_dw)
{
    const uint64_t number = __atomic_fetch_add(&report->dumped, 1, __ATOMIC_RELAXED);
    char path[PATH_MAX];
    char line[256];
    int fd;
    snprintf(path, sizeof path, "%s/%06llu_%s.bin", shim.dump, (unsigned long long)number, kind);
    fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) {
        return;
    }
    write_all(fd, dw, len_dw * 4);
    close(fd);
    snprintf(path, sizeof path, "%s/index.tsv", shim.dump);
    fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0) {
        return;
    }
    snprintf(line, sizeof line, "%llu\t%s\t0x%llx\t%zu\t%06llu_%s.bin\n",
             (unsigned long long)number, kind, (unsigned long long)va, len_dw,
             (unsigned long long)number, kind);
    write_all(fd, line, strlen(line));
    close(fd);
}

uint64_t shim_report_record(void)
{
    return __atomic_fetch_add(&report->recorded, 1, __ATOMIC_RELAXED);
}

uint64_t shim_report_frame(void)
{
    return __atomic_fetch_add(&report->framed, 1, __ATOMIC_RELAXED);
}

void shim_trace(const char *text)
{
    write_all(STDERR_FILENO, text, strlen(text));
}

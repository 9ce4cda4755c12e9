/* The report from the preload library to the runner: one file of counters. Every process of the
 * client maps it, so that counts survive a client that is killed. */
#ifndef CLIENTS_REPORT_H
#define CLIENTS_REPORT_H

#include <stdint.h>

/* The columns: enum name, kind (n: information, e: an error under --check), name, meaning. */
/* clang-format off */
#define SHIM_COUNTERS(C)                                                                           \
    C( OPENS,       n, "opens",       "nodes opened" )                                             \
    C( IOCTLS,      n, "ioctls",      "calls of the fake driver" )                                 \
    C( SUBMITS,     n, "submits",     "EXECBUFFER2 or pushed segments" )                           \
    C( COMMANDS,    n, "commands",    "commands or methods the executor consumed" )                \
    C( BUFFERS,     n, "buffers",     "buffers walked by the checker" )                            \
    C( WORDS,       n, "words",       "words in these buffers" )                                   \
    C( NOTES,       n, "notes",       "findings of the checker that are not errors" )              \
    C( DRIVER_NS,   n, "driver_ns",   "whole time in the fake driver" )                            \
    C( CHECK_NS,    n, "check_ns",    "time in walker, checker, dump and trace" )                  \
    C( EXEC_NS,     n, "exec_ns",     "time in the executor" )                                     \
    C( REFUSED,     n, "refused",     "submissions answered with an error" )                       \
    C( HANGS,       n, "hangs",       "submissions that hang detection ended" )                    \
    C( FRAMES,      n, "frames",      "pictures that the display showed" )                         \
    C( UNLISTED,    n, "unlisted",    "accesses to bound objects that are not in the list" )       \
    C( UNKNOWN,     e, "unknown",     "words that the walker does not know" )                      \
    C( TRUNCATED,   e, "truncated",   "commands that pass the end of their buffer" )               \
    C( ERRORS,      e, "errors",      "findings of the checker that are errors" )                  \
    C( FAULTS,      e, "faults",      "executor stopped with a fault" )                            \
    C( SCRATCH,     e, "scratch",     "submissions that access memory of no object" )              \
    C( BLOCKED,     e, "blocked",     "executor waits for a condition that never holds" )          \
    C( UNDONE,      e, "undone",      "operations the executor did not perform" )                  \
    C( DIFFERENT,   e, "different",   "differences between a replay and its recording" )           \
    C( UNHANDLED,   e, "unhandled",   "ioctls without an answer" )
/* clang-format on */

#define SHIM_COUNTER_ENUM(name, kind, text, meaning) SHIM_##name,
enum { SHIM_COUNTERS(SHIM_COUNTER_ENUM) SHIM_COUNTER_COUNT };
#undef SHIM_COUNTER_ENUM

enum { SHIM_ENGINES = 8, SHIM_REPORT_PROCESSES = 64 };

typedef struct shim_report {
    uint64_t count[SHIM_COUNTER_COUNT];
    uint64_t engine[SHIM_ENGINES]; /* submissions: rcs vcs bcs vecs ccs; NVIDIA: channel 0.. */
    uint64_t log_lines;
    uint64_t dumped;
    uint64_t recorded;
    uint64_t framed;
    uint64_t processes;
    uint64_t own[SHIM_REPORT_PROCESSES][SHIM_COUNTER_COUNT]; /* more counts, by process */
} shim_report;

#define SHIM_REPORT_FILE "report"
#define SHIM_LOG_FILE    "log"

#endif /* CLIENTS_REPORT_H */

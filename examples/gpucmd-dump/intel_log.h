/* intel_log.h - kernel logs of i915, xe and gvt, dumps of their engines and excerpts with registers, for
 * gpucmd-dump.c. */
#ifndef DUMP_INTEL_LOG_H
#define DUMP_INTEL_LOG_H

#include "base.h"
#include "error.h"
#include "explain.h"
#include "hang.h"
#include "hex.h"
#include "intel_names.h"
#include "intel_rows.h"
#include "lines.h"
#include "registers.h"
#include "stream.h"
#include "text.h"

/* A text that begins a message, and what the message means. */
typedef struct log_row {
    const char *text;
    const char *meaning; /* "": the line is part of another message */
} log_row;

/* Messages that need no field. Linux 7.3, drivers/gpu/drm/i915 and xe; older wordings of 2.6.3x to
 * 5.x. */
static const log_row intel_rows[] = {
    {"GPU hangs can indicate a bug",              ""                                                          },
    {"Please file a _new_ bug report",            ""                                                          },
    {"Please see https://",                       ""                                                          },
    {"drm/i915 developers can then",              ""                                                          },
    {"The gpu crash dump is required",            ""                                                          },
    {"The GPU crash dump is required",            ""                                                          },
    {"GPU hang detected",                         "the GPU did not move on: a hang without a code"            },
    {"Hangcheck timer elapsed",                   "the GPU did not move on: a hang without a code"            },
    {"GPU hung",                                  "the GPU did not move on: a hang without a code"            },
    {"page table error",                          "the cause that EIR names: page table"                      },
    {"memory refresh error",                      "the cause that EIR names: refresh of memory"               },
    {"instruction error",                         "the cause that EIR names: a wrong command"                 },
    {"Failed to reset chip",                      "the reset failed: the driver uses the GPU no more (wedged)"},
    {"GPU reset disabled",                        "the driver was told not to reset"                          },
    {"GPU recovery failed",                       "the driver uses the GPU no more (wedged)"                  },
    {"Disabling the GPU",                         "the driver uses the GPU no more (wedged)"                  },
    {"engine reset failed",                       "the reset of one engine failed; the whole GPU is reset"    },
    {"Memory CAT error reported by GuC!",
     "an access that the page tables do not translate; the address is not told"                               },
    {"reset started",                             "the GT is being reset"                                     },
    {"reset done",                                "the GT was reset"                                          },
    {"reset failed",                              "the reset of the GT failed"                                },
    {"reset queued from ",                        "a reset of the GT is wanted by the function that follows"  },
    {"trying reset from ",                        "a reset of the GT is wanted by the function that follows"  },
    {"No forward process on H2G, reset required",
     "the GuC takes no messages: a reset of the GT follows"                                                   },
    {"No forward progress on H2G",                "the GuC takes no messages: a reset of the GT follows"      },
    {"Schedule disable failed to respond",
     "the GuC did not stop a queue: a reset of the GT follows"                                                },
    {"CRITICAL: Xe has declared device",          "wedged: every call of a program fails from here on"        },
    {"IOCTLs and executions are blocked",         ""                                                          },
    {"For recovery procedure",                    ""                                                          },
    {"Please file a ",                            ""                                                          },
    {"Ignoring context reset notification",
     "the GuC did a reset; the driver does not capture the state"                                             },
    {"Xe device coredump has been deleted",       "the coredump is gone"                                      },
    {"Xe device coredump has been created",
     "the state of the GPU at the hang is kept until it is read, for at most some minutes"                    },
    {"Timedout signal job",                       "a job of the kernel had an error and was signalled"        },
};

/* Causes of a reset, as "Resetting chip for" names them. */
static const log_row reset_rows[] = {
    {"stopped heartbeat on",            "nothing moved on for heartbeat_interval_ms"                     },
    {"no heartbeat on",                 "the heartbeat could not be sent"                                },
    {"preemption time out",             "the batch did not yield to other work within preempt_timeout_ms"},
    {"CS error",                        "the command streamer reported an error of the stream (EIR)"     },
    {"invalid CSB event",               "the engine reported an event that cannot be"                    },
    {"internal error",                  "the driver met a state that cannot be"                          },
    {"request cancellation by",         "a request was cancelled and did not end"                        },
    {"context closure in",              "a context was closed while its work did not end"                },
    {"GuC failed to reset engine",      "the GuC could not reset the engine: the whole GPU is reset"     },
    {"dead GuC",                        "the firmware GuC does not answer"                               },
    {"Manually reset engine mask",      "somebody asked for it (debugfs)"                                },
    {"Manually set wedged engine mask", "somebody asked for it (debugfs)"                                },
    {"gpu hang",                        "the GPU did not move on"                                        },
    {"hang on",                         "the engine did not move on"                                     },
    {"no progress on",                  "the engine did not move on"                                     },
    {"fault",                           "a fault of a page"                                              },
};

/* Return the row whose text begins at p, or NULL. */
static const log_row *find_row(const log_row *rows, size_t count, const char *p)
{
    for (size_t i = 0; i < count; i++) {
        if (strncmp(p, rows[i].text, strlen(rows[i].text)) == 0) {
            return &rows[i];
        }
    }
    return NULL;
}

/* A log being read. */
typedef struct intel_log {
    dump *d;
    int state;         /* of the engine whose registers follow */
    size_t saved_line; /* the line that says where the state is */
    bool has_dump;     /* the driver says that it saved the state */
    bool is_xe;
    bool wrapped;    /* has_log_prefixes */
    size_t known;    /* lines of drivers */
    size_t others;   /* lines of other programs */
    size_t other_at; /* the first of them */
    intel_row_reader rows;
} intel_log;

/* Return the name of an engine of GuC's class. */
static const char *guc_class_name(unsigned c)
{
    static const char *const names[] = {"render (rcs)", "video (vcs)", "video enhance (vecs)",
                                        "copy (bcs)", "compute (ccs)"};
    return c < sizeof names / sizeof names[0] ? names[c] : "unknown class";
}

/* ---- i915 ---- */

/* Explain "GPU HANG: ecode ...". */
static bool take_hang_line(intel_log *log, const text_line *line)
{
    const char *p = after(line, "GPU HANG: ");
    hang_code h;
    char text[700] = "";
    if (p == NULL) {
        return false;
    }
    begin_event(log->d, line, "the GPU did not move on (hang)");
    const char *code = after(line, "ecode ");
    if (code != NULL && read_hang(code, &h)) {
        h.line = line->number;
        name_hang_engine(&h, line);
        set_hang_chip(log->d, &h);
        if (log->d->hang_count < HANGS) {
            log->d->hangs[log->d->hang_count++] = h;
        }
        append_hang(log->d, &h, text, sizeof text);
        tell("    %s\n", text);
    }
    take_fact(log->d, line);
    const char *fault = after(line, "page fault @ ");
    if (fault != NULL) {
        tell("    fault of a page at %.*s\n", (int)strcspn(fault, ", "), fault);
    }
    const char *in = after(line, ", in ");
    if (in != NULL) {
        tell("    process %.*s\n", (int)strcspn(in, ","), in);
    }
    const char *reason = after(line, "reason: ");
    if (reason != NULL) {
        tell("    reason: %s\n", reason);
    }
    return true;
}

/* Explain "Resetting rcs0 for REASON", "NAME[PID] context reset due to GPU hang". */
static bool take_reset_line(intel_log *log, const text_line *line)
{
    char what[200];
    const char *p = after(line, "Resetting ");
    const char *context = after(line, " context reset due to GPU hang");
    if (context != NULL) {
        const int n = (int)(context - 30 - line->at);
        snprintf(what, sizeof what, "the work of %.*s was taken off the GPU, because it hung", n,
                 line->at);
        begin_event(log->d, line, what);
        return true;
    }
    if (p == NULL || p != line->at + 10) {
        return false;
    }
    const size_t n = strcspn(p, " ");
    const char *why = after(line, " for ");
    if (why == NULL) {
        why = after(line, " after ");
    }
    const bool chip = strncmp(p, "chip", 4) == 0;
    snprintf(what, sizeof what, "%s%.*s is being reset", chip ? "the whole GPU" : "engine ",
             chip ? 0 : (int)n, p);
    begin_event(log->d, line, what);
    if (why != NULL) {
        const log_row *row = find_row(reset_rows, sizeof reset_rows / sizeof reset_rows[0], why);
        tell("    reason: %s%s%s\n", why, row != NULL ? ": " : "", row != NULL ? row->meaning : "");
    }
    return true;
}

/* Explain the lines of the GuC that i915 prints. */
static bool take_guc_line(intel_log *log, const text_line *line)
{
    char what[240];
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    char name[16] = "";
    const char *p = after(line, "Got context reset notification: ");
    if (p != NULL && sscanf(p, "0x%x on %15[a-z0-9]", &a, name) >= 1) {
        snprintf(what, sizeof what,
                 "the GuC took context 0x%x off %s: it hung, or did not yield in time", a,
                 name[0] != '\0' ? name : "its engine");
        begin_event(log->d, line, what);
        tell("    the state is in the error file: /sys/class/drm/card0/error\n");
        return true;
    }
    p = after(line, "GuC failed to reset engine mask=");
    if (p != NULL) {
        snprintf(what, sizeof what,
                 "the GuC could not reset the engines of mask %.*s: the whole GPU is reset",
                 (int)strcspn(p, " ,"), p);
        begin_event(log->d, line, what);
        return true;
    }
    p = after(line, "ngine reset failed on ");
    if (p == NULL) {
        p = after(line, "GuC engine reset request failed on ");
    }
    if (p != NULL && sscanf(p, "%u:%u", &a, &b) == 2) {
        const char *because = strstr(p, "because 0x");
        if (because != NULL) {
            (void)sscanf(because, "because 0x%x", &c);
        }
        snprintf(what, sizeof what, "the GuC could not reset engine %u of class %u, %s (code 0x%x)",
                 b, a, guc_class_name(a), c);
        begin_event(log->d, line, what);
        return true;
    }
    return false;
}

/* Explain the lines that only i915 prints. */
static bool take_i915_line(intel_log *log, const text_line *line)
{
    char what[200];
    const char *p = after(line, "stuck on ");
    if (take_hang_line(log, line) || take_reset_line(log, line) || take_guc_line(log, line)) {
        return true;
    }
    if (p != NULL) {
        snprintf(what, sizeof what, "the %.*s did not move on (hang)", (int)strcspn(p, ",;("), p);
        begin_event(log->d, line, what);
        return true;
    }
    p = after(line, "crash dump saved to ");
    if (p == NULL) {
        p = after(line, "capturing error event; look for more information in ");
    }
    if (p != NULL) {
        log->has_dump = true;
        log->saved_line = line->number;
        snprintf(what, sizeof what,
                 "the state of the GPU is in %.*s: save this file whole, as root",
                 (int)lesser(strcspn(p, " \r"), 150), p);
        begin_event(log->d, line, what);
        return true;
    }
    p = after(line, "render error detected");
    if (p != NULL) {
        begin_event(log->d, line, "the GPU reported an error");
        log->state = find_state(log->d, "rcs0", true, line->number);
        (void)take_registers(&log->d->states[log->state], line, false);
        return true;
    }
    return false;
}

/* Explain the lines of the command parser: "CMD: Rejected register 0x2080 in command: 0x11000001
 * (rcs0)". */
static bool take_parser_line(intel_log *log, const text_line *line)
{
    const char *p = after(line, "CMD: ");
    char name[64];
    char engine[16] = "rcs0";
    char what[300] = "the command parser rejected the batch";
    if (p == NULL) {
        return false;
    }
    const char *open = strrchr(p, '(');
    if (open != NULL && match(open + 1, open + strlen(open), "$$$%") != 0) {
        snprintf(engine, sizeof engine, "%.*s", (int)strcspn(open + 1, ") "), open + 1);
    } else if (strncmp(p, "Abnormal blt", 12) == 0) {
        snprintf(engine, sizeof engine, "bcs0");
    } else if (strncmp(p, "Abnormal bsd", 12) == 0) {
        snprintf(engine, sizeof engine, "vcs0");
    }
    begin_event(log->d, line, what);
    tell("    %s\n", p);
    const char *reg = strstr(p, "register 0x");
    const char *cmd = reg != NULL ? strstr(reg, "in command") : NULL;
    if (cmd == NULL) {
        static const char *const keys[] = {"command: ", "command ", "length! "};
        for (size_t i = 0; i < 3 && cmd == NULL && reg == NULL; i++) {
            cmd = strstr(p, keys[i]);
        }
    }
    if (cmd == NULL && reg == NULL) {
        cmd = strstr(p, "batch length: ");
    }
    const char *end = p + strlen(p);
    const char *number = cmd != NULL ? strstr(cmd, "0x") : NULL;
    uint64_t v;
    if (number != NULL && take_hex(&number, end, &v)) {
        const bool named = intel_command_name(log->d, engine, (uint32_t)v, name, sizeof name);
        tell("    command 0x%08" PRIx64 ": %s\n", v, named ? name : "no command of this engine");
    }
    number = reg != NULL ? reg + 9 : NULL;
    if (number != NULL && take_hex(&number, end, &v)) {
        intel_register_name(log->d, engine, (uint32_t)v, name, sizeof name);
        tell("    register 0x%" PRIx64 ": %s; a batch without rights may not write it\n", v, name);
    }
    return true;
}

/* ---- xe ---- */

/* Write the value of "KEY=VALUE" in the line; "" if it is not there. */
static void key_value(const text_line *line, const char *key, char *value, size_t cap)
{
    const char *p = after(line, key);
    size_t n = 0;
    value[0] = '\0';
    if (p != NULL) {
        n = strcspn(p, ", ");
        snprintf(value, cap, "%.*s", (int)lesser(n, cap - 1), p);
    }
}

/* Explain "Timedout job: seqno=..., guc_id=..., flags=0x20 in app [77]". */
static bool take_timeout(intel_log *log, const text_line *line)
{
    static const char *const bits[] = {"kernel",        "permanent",   "VM bind", "child of a bind",
                                       "high priority", "low latency", "migrate"};
    const char *p = after(line, "Timedout job");
    char what[300];
    char guc[24];
    char flags[24];
    char sep[3] = ": ";
    if (p == NULL) {
        return false;
    }
    key_value(line, "guc_id=", guc, sizeof guc);
    key_value(line, "flags=", flags, sizeof flags);
    const char *in = after(line, " in ");
    if (in == NULL) {
        in = "a program";
    } else if (strncmp(in, "no process", 10) == 0) {
        in = "the kernel";
    }
    snprintf(what, sizeof what, "a job of %s did not end in time%s%s", in,
             guc[0] != '\0' ? ", queue of guc_id " : "", guc);
    begin_event(log->d, line, what);
    if (flags[0] != '\0') {
        const unsigned long v = strtoul(flags, NULL, 0);
        tell("    flags %s", flags);
        for (unsigned bit = 0; bit < sizeof bits / sizeof bits[0]; bit++) {
            if ((v >> bit & 1) != 0) {
                tell("%s%s", sep, bits[bit]);
                snprintf(sep, sizeof sep, ", ");
            }
        }
        tell("%s\n", (v & 1) != 0 ? "" : (v == 0 ? ": queue of a program" : " (bits of Linux 7)"));
    }
    log->is_xe = true;
    return true;
}

/* Explain "Check job timeout: ...". */
static bool take_check_timeout(intel_log *log, const text_line *line)
{
    char ran[24];
    char most[24];
    char what[240];
    if (after(line, "Check job timeout:") == NULL) {
        return false;
    }
    key_value(line, "running_time_ms=", ran, sizeof ran);
    key_value(line, "timeout_ms=", most, sizeof most);
    if (line_has(line, "not started")) {
        begin_event(log->d, line, "the GuC never scheduled the job: a reset of the GT follows");
    } else if (line_has(line, "timestamp stuck")) {
        begin_event(log->d, line,
                    "the clock of the job's context stands still: it hangs, or does not run");
    } else {
        snprintf(what, sizeof what, "the job ran for %s ms; %s ms are allowed",
                 ran[0] != '\0' ? ran : "?", most[0] != '\0' ? most : "?");
        begin_event(log->d, line, what);
    }
    log->is_xe = true;
    return true;
}

/* Explain "Engine reset: ..." and "Engine memory CAT error ...". */
static bool take_xe_engine(intel_log *log, const text_line *line)
{
    const char *cat = after(line, "Engine memory CAT error");
    char what[300];
    char name[24];
    char guc[24];
    char mask[24];
    if (cat == NULL) {
        cat = after(line, "Engine memory cat error");
    }
    if (cat == NULL && after(line, "Engine reset: ") == NULL) {
        return false;
    }
    key_value(line, "class=", name, sizeof name);
    key_value(line, "guc_id=", guc, sizeof guc);
    key_value(line, "logical_mask: ", mask, sizeof mask);
    if (cat != NULL) {
        snprintf(what, sizeof what,
                 "an engine of class %s made an access that the page tables do not translate",
                 name);
        begin_event(log->d, line, what);
        tell("    not mapped, or without the right; the address is not told\n");
        if (*cat == ' ' && cat[1] == '[') {
            tell("    type %.*s: its meaning is not public\n", (int)strcspn(cat + 2, "]"), cat + 2);
        }
    } else {
        snprintf(what, sizeof what, "the GuC reset an engine of class %s: its work hung or faulted",
                 name);
        begin_event(log->d, line, what);
    }
    tell("    queue of guc_id %s%s%s\n", guc, mask[0] != '\0' ? ", logical engines " : "", mask);
    log->is_xe = true;
    return true;
}

/* Names of a field of a page fault by number. */
static const char *fault_name(const char *key, unsigned v)
{
    static const char *const types[] = {"not present", "write without the right",
                                        "atomic access without the right"};
    static const char *const accesses[] = {"read", "write", "atomic", "reserved"};
    static const char *const levels[] = {"PTE", "PDE", "PDP", "PML4", "PML5"};
    static const char *const classes[] = {"rcs", "vcs", "vecs", "bcs", "other", "ccs"};
    if (strcmp(key, "FaultType") == 0) {
        return v == 15 ? "no type: translation of a tiled resource" : v < 3 ? types[v] : "unknown";
    }
    if (strcmp(key, "AccessType") == 0) {
        return v < 4 ? accesses[v] : "unknown";
    }
    if (strcmp(key, "FaultLevel") == 0) {
        return v < 5 ? levels[v] : "none";
    }
    return v < 6 ? classes[v] : "unknown";
}

/* Explain a line of the block that xe prints for a fault of a page. */
static bool take_page_fault(intel_log *log, const text_line *line)
{
    static const char *const keys[] = {"FaultType", "AccessType", "FaultLevel", "EngineClass"};
    static const char *const plain[] = {"ASID", "VFID", "PDATA", "EngineInstance"};
    const char *p = after(line, "Faulted Address: ");
    const char *end = line->at + line->len;
    uint64_t v;
    if (p != NULL && take_va(&p, end, &v)) {
        begin_event(log->d, line, "fault of a page");
        tell("    address 0x%" PRIx64 " (of the page)\n", v);
        log->is_xe = true;
        return true;
    }
    for (size_t i = 0; i < 4; i++) {
        char word[24];
        snprintf(word, sizeof word, "%s: ", keys[i]);
        if ((p = after(line, word)) != NULL && hex_digit(*p) < 10) {
            const unsigned n = (unsigned)strtoul(p, NULL, 0);
            tell("    %s %u: %s\n", keys[i], n, fault_name(keys[i], n));
            return true;
        }
        snprintf(word, sizeof word, "%s: ", plain[i]);
        if ((p = after(line, word)) != NULL) {
            tell("    %s %s\n", plain[i], p);
            return true;
        }
    }
    p = after(line, "Fault response: ");
    if (p != NULL) {
        begin_event(log->d, line,
                    "the driver could not resolve the fault: the work of the queue is lost");
        return true;
    }
    return false;
}

/* Explain the lines that only xe prints. */
static bool take_xe_log_line(intel_log *log, const text_line *line)
{
    const char *p = after(line, "Check your ");
    char what[240];
    if (take_timeout(log, line) || take_check_timeout(log, line) || take_xe_engine(log, line) ||
        take_page_fault(log, line)) {
        return true;
    }
    if (p != NULL && line_has(line, "devcoredump")) {
        snprintf(what, sizeof what,
                 "the coredump is in %.*s: copy it whole, as root, before it is dropped",
                 (int)lesser(strcspn(p, " \r"), 150), p);
        begin_event(log->d, line, what);
        log->has_dump = log->is_xe = true;
        return true;
    }
    if (line_has(line, "device wedged, ")) {
        begin_event(log->d, line,
                    "wedged: every call fails until the driver is bound anew or the bus is reset");
        return true;
    }
    if (line_has(line, "CTB is dead")) {
        begin_event(log->d, line,
                    "the channel to the GuC died; neither a job nor a VM is in this text");
        return true;
    }
    return false;
}

/* ---- gvt ---- */

/* Explain a line of gvt, the virtual GPUs of i915. */
static bool take_gvt_line(intel_log *log, const text_line *line)
{
    const char *p = after(line, "unknown cmd 0x");
    const char *end = line->at + line->len;
    char name[64];
    char engine[16] = "rcs0";
    uint64_t v;
    if (!line_has(line, "gvt: ") && !line_has(line, "gvt:") && !line_has(line, "cmd_parser: ") &&
        p == NULL) {
        return false;
    }
    const char *ring = after(line, "ring ");
    if (ring != NULL && match(ring, end, "$$$%") != 0) {
        snprintf(engine, sizeof engine, "%.*s", (int)strcspn(ring, ", "), ring);
    }
    const char *text = after(line, "gvt: ");
    begin_event(log->d, line, "a virtual GPU (gvt) refused a command");
    tell("    %s\n", text != NULL ? text : line->at);
    if (p != NULL && take_hex(&p, end, &v)) {
        const bool named = intel_command_name(log->d, engine, (uint32_t)v, name, sizeof name);
        tell("    command 0x%08" PRIx64 ": %s\n", v, named ? name : "no command of this engine");
    }
    static const char *const keys[] = {" reg (", " register (", " access to (", "RO reg "};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        p = after(line, keys[i]);
        if (p != NULL && take_hex(&p, end, &v)) {
            intel_register_name(log->d, engine, (uint32_t)v, name, sizeof name);
            tell("    register 0x%" PRIx64 ": %s\n", v, name);
        }
    }
    if ((p = after(line, "valid_len=")) != NULL) {
        tell("    the length is wrong; expected %s words\n", p);
    }
    if ((p = after(line, "Malicious ")) != NULL) {
        tell("    the operand of %.*s goes beyond what the guest owns\n", (int)strcspn(p, " "), p);
    }
    return true;
}

/* ---- the reader ---- */

/* Return true for a line that opens the registers of an engine: "rcs0", "-- engine rcs0 --",
 * "render command stream:". Its name is written. */
static bool is_engine_line(const text_line *line, char name[16])
{
    const char *end = line->at + line->len;
    const char *p = after(line, "-- engine ");
    const char *stream_at = after(line, " command stream");
    name[0] = '\0';
    if (p != NULL) {
        engine_name(p, name);
    } else if (stream_at != NULL && line->len < 80) {
        char owner[64];
        snprintf(owner, sizeof owner, "%.*s", (int)lesser((size_t)(stream_at - 15 - line->at), 63),
                 line->at);
        engine_name(owner, name);
    } else if (match(line->at, end, "$$$%") == line->len ||
               match(line->at, end, "$$$$%") == line->len ||
               match(line->at, end, "engine $$$%~") == line->len ||
               match(line->at, end, "engine $$$%_--") == line->len) {
        engine_name(starts_with(line, "engine ") ? line->at + 7 : line->at, name);
        gpucmd_i915_engine engine;
        char plain[16];
        snprintf(plain, sizeof plain, "%s", name);
        plain[strcspn(plain, "0123456789")] = '\0';
        if (gpucmd_i915_engine_from_name(plain, &engine) != GPUCMD_OK) {
            name[0] = '\0';
        }
    }
    return name[0] != '\0';
}

/* Read the registers of a line. Return false if it has none. */
static bool take_log_registers(intel_log *log, const text_line *line)
{
    if (take_registers(NULL, line, true) == 0 &&
        (log->state == NO_STATE || take_registers(NULL, line, false) == 0)) {
        return log->state != NO_STATE && is_space(line->at[0]); /* a fact of the engine's dump */
    }
    if (log->state == NO_STATE) {
        log->state = find_state(log->d, "", true, line->number);
    }
    if (log->state != NO_STATE) {
        (void)take_registers(&log->d->states[log->state], line,
                             log->d->states[log->state].name[0] == '\0');
    }
    return true;
}

/* Explain a line. Return false if it is not known. */
static bool take_log_line(intel_log *log, const text_line *line)
{
    char name[16];
    const log_row *row;
    if (is_engine_line(line, name)) {
        log->state = find_state(log->d, name, true, line->number);
        return true;
    }
    if (take_i915_line(log, line) || take_xe_log_line(log, line) || take_parser_line(log, line) ||
        take_gvt_line(log, line)) {
        return true;
    }
    row = find_row(intel_rows, sizeof intel_rows / sizeof intel_rows[0], line->at);
    if (row != NULL && row->meaning[0] != '\0') {
        begin_event(log->d, line, row->meaning);
    }
    if (row != NULL) {
        return true;
    }
    if (starts_with(line, "Platform: ") || starts_with(line, "PCI ID: ")) {
        take_fact(log->d, line);
        return true;
    }
    return take_log_registers(log, line);
}

static void begin_intel_log(void *state, dump *d, const text_lines *t)
{
    intel_log *log = state;
    log->d = d;
    log->state = NO_STATE;
    log->wrapped = has_log_prefixes(t);
    begin_intel_rows(&log->rows, d);
}

static void read_intel_log(void *state, dump *d, const text_lines *t)
{
    intel_log *log = state;
    log_line *joined = resize(NULL, 1, sizeof *joined);
    for (size_t i = 0; i < t->count && !d->full; i++) {
        char name[16];
        if (take_intel_row(&log->rows, &t->lines[i])) {
            continue;
        }
        make_log_line(t, &i, log->wrapped, joined);
        const text_line *line = &joined->line;
        if (is_engine_line(line, name)) {
            set_row_engine(&log->rows, name);
        }
        if (take_log_line(log, line)) {
            log->known++;
        } else if (d->beside) {
            continue;
        } else if ((line->prefix & PREFIX_INTEL) != 0) {
            not_explained(d, line);
        } else if (line->len != 0 && log->others++ == 0) {
            log->other_at = line->number;
        }
    }
    release(joined);
}

/* Compare the codes of hangs: few bits that differ are of INSTDONE. */
static void compare_hangs(const dump *d)
{
    for (size_t i = 1; i < d->hang_count; i++) {
        const hang_code *a = &d->hangs[i - 1];
        const hang_code *b = &d->hangs[i];
        const uint32_t differ = a->code ^ b->code;
        uint32_t dw = 0;
        if (differ == 0 || zeros_in(~differ, 0) > 6 || a->engine != b->engine) {
            continue;
        }
        tell("the codes of lines %zu and %zu differ in 0x%08" PRIx32
             ": the same command, with another INSTDONE",
             a->line, b->line, differ);
        if (common_hang_word(d, a, b, &dw)) {
            char name[64];
            (void)intel_command_name(d, "rcs0", dw, name, sizeof name);
            tell("; 0x%08" PRIx32 " %s fits both", dw, name);
        }
        tell("\n");
    }
}

static void end_intel_log(void *state, dump *d, size_t count)
{
    intel_log *log = state;
    (void)count;
    end_intel_rows(&log->rows);
    end_explained(d);
    compare_hangs(d);
    for (size_t i = 0; i < d->state_count; i++) {
        tell_registers(d, &d->states[i]);
    }
    tell_hang_registers(d);
    if (log->others != 0) {
        note(d, "%zu line%s without an event or words; the first: line %zu", log->others,
             plural(log->others), log->other_at);
    }
    d->is_xe = log->is_xe;
}

/* Return "i915-log" if the text has lines of i915, xe or gvt, or registers of their engines. */
static const char *recognise_intel_log(dump *d, const text_lines *t)
{
    static const char *const marks[] = {
        "GPU HANG: ",
        "Resetting chip ",
        "Resetting rcs0 ",
        "Engine reset: engine_class",
        "Timedout job",
        "Engine memory CAT",
        "Engine memory cat",
        "context reset notification",
        "CMD: Rejected",
        "CMD: Abnormal",
        "CMD: Unrecognized",
        "gvt: ",
        "stuck on ",
        "render error detected",
        "Xe device coredump has",
        "Faulted Address: ",
        "cmd_parser: ",
        "[head ",
        "Hangcheck timer elapsed",
        "CTB is dead",
        "GuC engine reset request failed",
        "Schedule disable failed to respond",
        "CMD: Command length",
        "CMD: Got to the end",
        "CMD: BB_START",
        "context reset due to GPU hang",
        "Memory CAT error",
        "ring->start:",
    };
    const bool own = strcmp(d->vendor, "i915") == 0;
    size_t registers = 0;
    for (size_t i = 0; i < t->count; i++) {
        const text_line *line = &t->lines[i];
        if (!has_text(line)) {
            continue;
        }
        for (size_t k = 0; k < sizeof marks / sizeof marks[0]; k++) {
            if (line_has(line, marks[k]) && (own || (line->prefix & PREFIX_INTEL) != 0)) {
                return "i915-log";
            }
        }
        registers += own ? take_registers(NULL, line, true) : 0;
    }
    return registers != 0 ? "i915-log" : NULL;
}

#endif

/* Runs a program on an emulated DRM device: builds the tree, starts the program with the preload
 * library, ends it after the time limit, and reports its submissions. README.md next to this file
 * describes the options. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "gpus.h"
#include "report.h"
#include "tree.h"

enum { EXIT_FOUND = 120, EXIT_TIMEOUT = 124, EXIT_RUNNER = 125, EXIT_NO_PROGRAM = 127 };

typedef struct options {
    const shim_gpu *gpu;
    const char *gpu_name;
    const char *seconds_text;
    const char *library;
    const char *dump;
    const char *off;
    const char *record;
    const char *replay;
    const char *report; /* file for "name value" lines */
    double seconds;     /* 0: no limit */
    bool trace;
    bool check;
    bool no_exec;
    bool async;
    bool quiet;
} options;

static const char usage[] =
    "usage: run --gpu NAME [options] -- PROGRAM [ARGUMENT...]\n"
    "  --gpu NAME      the GPU to be; --list shows the names\n"
    "  --check         walk and lint every submitted buffer; a finding makes the exit status 120\n"
    "  --trace         every submitted command as text on standard error\n"
    "  --dump DIR      every submitted buffer as a file, with DIR/index.tsv\n"
    "  --record DIR    record the submissions with their buffers and results\n"
    "  --replay DIR    execute a recording and compare; no program, no driver\n"
    "  --async         submissions return before they are executed; a hang is found\n"
    "  --no-exec       do not execute what is submitted\n"
    "  --off A,B       switch features off, to see what a client makes of it\n"
    "  --timeout S     end the program after S seconds: exit status 124\n"
    "  --report FILE   counters as lines `name value`\n"
    "  --quiet         no summary on standard error\n";

static char root[PATH_MAX];
static char memory_path[64]; /* of the memory file of the run, which all processes map */
static pid_t child;

static void die(const char *what)
{
    fprintf(stderr, "run: %s: %s\n", what, strerror(errno));
    if (root[0] != 0) {
        tree_remove(root);
    }
    exit(EXIT_RUNNER);
}

static void list(void)
{
    for (size_t i = 0; i < SHIM_GPU_COUNT; i++) {
        const shim_gpu *g = &shim_gpus[i];
        if (g->vendor == SHIM_INTEL) {
            printf("%s\tintel\t%u.%u\t%s\n", g->name, g->number / 10, g->number % 10, g->text);
        } else {
            printf("%s\tnvidia\t%x\t%s\n", g->name, g->number, g->text);
        }
    }
}

static void bad_usage(const char *what)
{
    fprintf(stderr, "run: %s\n%s", what, usage);
    exit(EXIT_RUNNER);
}

/* flag_of returns the member of an option without a value, text_of that of an option with a value.
 * NULL: the option is not of that kind. */
static bool *flag_of(options *o, const char *name)
{
    return strcmp(name, "--check") == 0     ? &o->check
           : strcmp(name, "--trace") == 0   ? &o->trace
           : strcmp(name, "--no-exec") == 0 ? &o->no_exec
           : strcmp(name, "--async") == 0   ? &o->async
           : strcmp(name, "--quiet") == 0   ? &o->quiet
                                            : NULL;
}

static const char **text_of(options *o, const char *name)
{
    return strcmp(name, "--gpu") == 0       ? &o->gpu_name
           : strcmp(name, "--dump") == 0    ? &o->dump
           : strcmp(name, "--off") == 0     ? &o->off
           : strcmp(name, "--record") == 0  ? &o->record
           : strcmp(name, "--replay") == 0  ? &o->replay
           : strcmp(name, "--report") == 0  ? &o->report
           : strcmp(name, "--timeout") == 0 ? &o->seconds_text
           : strcmp(name, "--library") == 0 ? &o->library
                                            : NULL;
}

/* Return the path of file number n of a recording. */
static const char *recording(const char *dir, unsigned n)
{
    static char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%06u.rec", dir, n);
    return path;
}

/* Return the name of the GPU in the first record of a recording: type 1, size, text. */
static const char *recorded_gpu(const char *dir)
{
    static struct {
        uint32_t type, bytes;
        char name[32];
    } first;
    FILE *file = fopen(recording(dir, 0), "rb");
    const size_t n = file != NULL ? fread(&first, 1, sizeof first, file) : 0;
    if (file != NULL) {
        fclose(file);
    }
    if (n != sizeof first || first.type != 1 || first.bytes > sizeof first.name) {
        return NULL;
    }
    first.name[sizeof first.name - 1] = 0;
    return first.name;
}

/* Fill o from the arguments before the program; return the index of the program. */
static int parse(options *o, int argc, char **argv)
{
    int i = 1;
    for (; i < argc && strncmp(argv[i], "--", 2) == 0; i++) {
        bool *flag = flag_of(o, argv[i]);
        const char **text = text_of(o, argv[i]);
        if (strcmp(argv[i], "--") == 0) {
            i++;
            break;
        }
        if (strcmp(argv[i], "--list") == 0) {
            list();
            exit(0);
        }
        if (strcmp(argv[i], "--help") == 0) {
            fputs(usage, stdout);
            exit(0);
        }
        if (flag != NULL) {
            *flag = true;
        } else if (text != NULL && i + 1 < argc) {
            *text = argv[++i];
        } else {
            bad_usage(text != NULL ? "an option without its value" : "unknown option");
        }
    }
    if (o->replay != NULL) {
        o->gpu_name = recorded_gpu(o->replay);
        o->check = true;
    }
    if (o->gpu_name == NULL || (i >= argc) != (o->replay != NULL) || o->library == NULL) {
        bad_usage(o->replay != NULL     ? "no recording, or a program with --replay"
                  : o->gpu_name == NULL ? "--gpu is missing"
                                        : "no program");
    }
    o->gpu = shim_gpu_find(o->gpu_name);
    if (o->gpu == NULL) {
        bad_usage("no such GPU");
    }
    o->seconds = o->seconds_text != NULL ? strtod(o->seconds_text, NULL) : 0;
    return i;
}

/* Make a path absolute, because the program may change its directory. */
static const char *absolute(const char *path)
{
    char *full = realpath(path, NULL);
    if (full == NULL) {
        die(path);
    }
    return full;
}

/* Create the directory of an option, if it is set, and return its absolute path. */
static const char *directory(const char *path)
{
    if (path == NULL) {
        return NULL;
    }
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        die(path);
    }
    return absolute(path);
}

/* Remove environment variables that the program must not inherit, and set those that it needs. */
static void set_environment(const options *o)
{
    static const char *const gone[] = {"LIBGL_ALWAYS_SOFTWARE", "MESA_LOADER_DRIVER_OVERRIDE",
                                       "GALLIUM_DRIVER", "DISPLAY", "WAYLAND_DISPLAY"};
    const char *const hasvk = "/usr/share/vulkan/icd.d/intel_hasvk_icd.x86_64.json";
    const char *const anv = "/usr/share/vulkan/icd.d/intel_icd.x86_64.json";
    for (size_t i = 0; i < sizeof gone / sizeof gone[0]; i++) {
        unsetenv(gone[i]);
    }
    if (o->gpu->vendor == SHIM_INTEL) {
        setenv("VK_ICD_FILENAMES", o->gpu->number < 90 ? hasvk : anv, 0);
    }
    setenv("MESA_SHADER_CACHE_DISABLE", "true", 0);
    setenv("GPUCMD_CLIENT_ROOT", root, 1);
    setenv("GPUCMD_CLIENT_MEMORY", memory_path, 1);
    setenv("GPUCMD_CLIENT_GPU", o->gpu->name, 1);
    setenv("GPUCMD_CLIENT_CHECK", o->check ? "1" : "0", 1);
    setenv("GPUCMD_CLIENT_TRACE", o->trace ? "1" : "0", 1);
    setenv("GPUCMD_CLIENT_ASYNC", o->async ? "1" : "0", 1);
    setenv("GPUCMD_CLIENT_EXEC", o->no_exec ? "0" : "1", 1);
    setenv("GPUCMD_CLIENT_DUMP", o->dump != NULL ? o->dump : "", 1);
    setenv("GPUCMD_CLIENT_RECORD", o->record != NULL ? o->record : "", 1);
    setenv("GPUCMD_CLIENT_OFF", o->off != NULL ? o->off : "", 1);
    if (o->replay == NULL) {
        setenv("LD_PRELOAD", o->library, 1);
    }
}

/* End the program and all its children: they form a process group with the id of the program. */
static void end_child(void)
{
    if (child > 0) {
        kill(-child, SIGKILL);
    }
}

/* Replay the files of a recording: the library does it without a driver. Each file needs a process
 * of its own, because each process of the recording had its own engines. Return the exit status. */
static int replay(const options *o)
{
    int status = 0;
    for (unsigned n = 0; status == 0 && access(recording(o->replay, n), R_OK) == 0; n++) {
        const pid_t pid = fork();
        if (pid == 0) {
            int (*run)(const char *) = NULL;
            void *library = dlopen(o->library, RTLD_NOW);
            if (library != NULL) {
                *(void **)&run = dlsym(library, "shim_replay");
            }
            _exit(run != NULL ? run(recording(o->replay, n)) : EXIT_RUNNER);
        }
        if (pid < 0 || waitpid(pid, &status, 0) != pid) {
            return EXIT_RUNNER;
        }
        status = WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_RUNNER;
    }
    return status;
}

static volatile sig_atomic_t stopped;

static void on_signal(int number)
{
    stopped = number;
    end_child();
}

static void start_child(const options *o, char **program, const sigset_t *mask)
{
    const pid_t parent = getpid();
    child = fork();
    if (child < 0) {
        die("fork");
    }
    if (child == 0) {
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) {
            _exit(EXIT_RUNNER);
        }
        sigprocmask(SIG_SETMASK, mask, NULL);
        set_environment(o);
        if (o->replay != NULL) {
            _exit(replay(o));
        }
        execvp(program[0], program);
        fprintf(stderr, "run: %s: %s\n", program[0], strerror(errno));
        _exit(EXIT_NO_PROGRAM);
    }
    setpgid(child, child);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Wait for the program and return its exit status. SIGCHLD must be blocked. */
static int wait_child(double seconds)
{
    const double end = now() + seconds;
    bool timeout = false;
    int status = 0;
    sigset_t chld;
    sigemptyset(&chld);
    sigaddset(&chld, SIGCHLD);
    while (waitpid(child, &status, WNOHANG) == 0) {
        const double left = seconds > 0 ? end - now() : 1;
        const struct timespec t = {(time_t)left, (long)((left - (double)(time_t)left) * 1e9)};
        if (left <= 0 && !timeout) {
            timeout = true;
            end_child();
        }
        sigtimedwait(&chld, NULL, timeout ? &(struct timespec){1, 0} : &t);
    }
    end_child(); /* end children that still run */
    if (timeout) {
        return EXIT_TIMEOUT;
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* ---- report and summary ---- */

static const char *const engine_names[SHIM_ENGINES] = {"rcs", "vcs", "bcs", "vecs", "ccs"};

#define NAME(name, kind, text, meaning) text,
static const char *const counter_names[SHIM_COUNTER_COUNT] = {SHIM_COUNTERS(NAME)};
#undef NAME
#define KIND_n                              false
#define KIND_e                              true
#define IS_ERROR(name, kind, text, meaning) KIND_##kind,
static const bool counter_is_error[SHIM_COUNTER_COUNT] = {SHIM_COUNTERS(IS_ERROR)};
#undef IS_ERROR

static bool load(shim_report *report)
{
    char path[PATH_MAX + 16];
    FILE *file;
    size_t n;
    snprintf(path, sizeof path, "%s/" SHIM_REPORT_FILE, root);
    file = fopen(path, "rb");
    memset(report, 0, sizeof *report);
    if (file == NULL) {
        return false;
    }
    n = fread(report, 1, sizeof *report, file);
    fclose(file);
    for (int i = 0; i < SHIM_REPORT_PROCESSES; i++) {
        for (int c = 0; c < SHIM_COUNTER_COUNT; c++) {
            report->count[c] += report->own[i][c];
        }
    }
    return n == sizeof *report;
}

static void write_report(const options *o, const shim_report *report, int status, double seconds)
{
    FILE *file = fopen(o->report, "w");
    if (file == NULL) {
        die(o->report);
    }
    fprintf(file, "status %d\nwall_ns %.0f\n", status, seconds * 1e9);
    for (int i = 0; i < SHIM_COUNTER_COUNT; i++) {
        fprintf(file, "%s %" PRIu64 "\n", counter_names[i], report->count[i]);
    }
    for (int i = 0; i < SHIM_ENGINES; i++) {
        if (engine_names[i] != NULL && o->gpu->vendor == SHIM_INTEL) {
            fprintf(file, "%s %" PRIu64 "\n", engine_names[i], report->engine[i]);
        } else if (o->gpu->vendor != SHIM_INTEL) {
            fprintf(file, "channel%d %" PRIu64 "\n", i, report->engine[i]);
        }
    }
    if (fclose(file) != 0) {
        die(o->report);
    }
}

static void show_log(void)
{
    char path[PATH_MAX + 16];
    char line[1024];
    FILE *file;
    snprintf(path, sizeof path, "%s/" SHIM_LOG_FILE, root);
    file = fopen(path, "r");
    for (int n = 0; file != NULL && n < 20 && fgets(line, sizeof line, file) != NULL; n++) {
        fprintf(stderr, "run:   %s", line);
    }
    if (file != NULL) {
        fclose(file);
    }
}

static void summary(const options *o, const shim_report *r, double seconds)
{
    fprintf(stderr, "run: %s: %" PRIu64 " submissions", o->gpu->name, r->count[SHIM_SUBMITS]);
    for (int i = 0; i < SHIM_ENGINES; i++) {
        if (r->engine[i] != 0) {
            if (o->gpu->vendor == SHIM_INTEL && engine_names[i] != NULL) {
                fprintf(stderr, ", %s %" PRIu64, engine_names[i], r->engine[i]);
            } else {
                fprintf(stderr, ", channel %d: %" PRIu64, i, r->engine[i]);
            }
        }
    }
    fprintf(stderr, "; %" PRIu64 " commands; %.3f s, driver %.3f, executor %.3f, checker %.3f\n",
            r->count[SHIM_COMMANDS], seconds, (double)r->count[SHIM_DRIVER_NS] * 1e-9,
            (double)r->count[SHIM_EXEC_NS] * 1e-9, (double)r->count[SHIM_CHECK_NS] * 1e-9);
    for (int i = 0; i < SHIM_COUNTER_COUNT; i++) {
        if (counter_is_error[i] && r->count[i] != 0) {
            fprintf(stderr, "run: %s %" PRIu64 "\n", counter_names[i], r->count[i]);
        }
    }
    if (r->count[SHIM_OPENS] == 0) {
        fprintf(stderr, "run: the program did not open the device\n");
    }
    show_log();
}

static bool found_errors(const shim_report *r)
{
    bool found = false;
    for (int i = 0; i < SHIM_COUNTER_COUNT; i++) {
        found = found || (counter_is_error[i] && r->count[i] != 0);
    }
    return found;
}

/* Create the directory of the run, with the tree in it. */
static void make_root(const options *o)
{
    const char *tmp = getenv("TMPDIR");
    int memory;
    snprintf(root, sizeof root, "%s/gpucmd-run-XXXXXX", tmp != NULL ? tmp : "/tmp");
    if (mkdtemp(root) == NULL) {
        root[0] = 0;
        die("a directory for the tree");
    }
    if (!tree_make(root, o->gpu, o->async)) {
        die("the tree");
    }
    memory = memfd_create("gpucmd", MFD_CLOEXEC);
    if (memory < 0) {
        die("the memory file");
    }
    snprintf(memory_path, sizeof memory_path, "/proc/%d/fd/%d", (int)getpid(), memory);
}

/* Run the program to its end and return its exit status. */
static int run_program(const options *o, char **program)
{
    const struct sigaction action = {.sa_handler = on_signal};
    sigset_t chld, before;
    sigemptyset(&chld);
    sigaddset(&chld, SIGCHLD);
    sigprocmask(SIG_BLOCK, &chld, &before);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    start_child(o, program, &before);
    return wait_child(o->seconds);
}

int main(int argc, char **argv)
{
    options o = {0};
    const int program = parse(&o, argc, argv);
    shim_report report;
    double begin;
    double seconds;
    int status;
    o.dump = directory(o.dump);
    o.record = directory(o.record);
    o.library = absolute(o.library);
    make_root(&o);
    begin = now();
    status = run_program(&o, argv + program);
    seconds = now() - begin;
    load(&report);
    if (status == 0 && o.check && found_errors(&report)) {
        status = EXIT_FOUND;
    }
    if (o.report != NULL) {
        write_report(&o, &report, status, seconds);
    }
    if (!o.quiet) {
        summary(&o, &report, seconds);
    }
    tree_remove(root);
    if (stopped != 0) {
        signal(stopped, SIG_DFL);
        raise(stopped);
    }
    return status;
}

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
    const char *driver; /* of the GPU: i915, xe, nouveau or asahi */
    const char *seconds_text;
    const char *library;
    const char *dump;
    const char *off;
    const char *record;
    const char *replay;
    const char *report;  /* file for "name value" lines */
    const char *display; /* WxH */
    const char *frames;
    const char *sysroot; /* another Debian, whose loader and libraries the program uses */
    const char *gl;      /* Mesa's GL driver; NULL: that of the GPU */
    double seconds;      /* 0: no limit */
    bool trace;
    bool check;
    bool no_exec;
    bool async;
    bool quiet;
} options;

static const char usage[] =
    "usage: gpucmd-run --gpu NAME [options] -- PROGRAM [ARGUMENT...]\n"
    "  --gpu NAME      the GPU to be\n"
    "  --driver NAME   xe: the driver of Intel's GPUs since Lunar Lake, for tgl and later, too\n"
    "  --gl NAME       Mesa's GL driver; zink: GL by the Vulkan driver of the GPU\n"
    "  --list          print the names of the GPUs\n"
    "  --check         walk and lint every submitted buffer; a finding makes the exit status 120\n"
    "  --trace         every submitted command as text on standard error\n"
    "  --dump DIR      every submitted buffer as a file, with DIR/index.tsv\n"
    "  --record DIR    record the submissions with their buffers and results\n"
    "  --replay DIR    execute a recording and compare; no program, no driver\n"
    "  --async         submissions return before they are executed; a hang is found\n"
    "  --display WxH   a display: a connector, a controller and its plane, on the card node\n"
    "  --frames DIR    write what the display shows as pictures\n"
    "  --no-exec       do not execute what is submitted\n"
    "  --off A,B       switch features off, to see what a client makes of it\n"
    "  --timeout S     end the program after S seconds: exit status 124\n"
    "  --sysroot DIR   the program, its loader and libraries are of the Debian below DIR\n"
    "  --report FILE   counters as lines `name value`\n"
    "  --quiet         no summary on standard error\n"
    "  --library FILE  the preload library; otherwise gpucmd-run.so beside this program, or of its\n"
    "                  installation\n";

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
        } else if (g->vendor == SHIM_APPLE) {
            printf("%s\tapple\tG%u\t%s\n", g->name, g->number, g->text);
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
    const struct {
        const char *name;
        bool *member;
    } rows[] = {
        {"--check",   &o->check  },
        {"--trace",   &o->trace  },
        {"--no-exec", &o->no_exec},
        {"--async",   &o->async  },
        {"--quiet",   &o->quiet  },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(name, rows[i].name) == 0) {
            return rows[i].member;
        }
    }
    return NULL;
}

static const char **text_of(options *o, const char *name)
{
    const struct {
        const char *name;
        const char **member;
    } rows[] = {
        {"--gpu",     &o->gpu_name    },
        {"--driver",  &o->driver      },
        {"--dump",    &o->dump        },
        {"--display", &o->display     },
        {"--frames",  &o->frames      },
        {"--off",     &o->off         },
        {"--record",  &o->record      },
        {"--replay",  &o->replay      },
        {"--report",  &o->report      },
        {"--sysroot", &o->sysroot     },
        {"--gl",      &o->gl          },
        {"--timeout", &o->seconds_text},
        {"--library", &o->library     },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(name, rows[i].name) == 0) {
            return rows[i].member;
        }
    }
    return NULL;
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
    size_t n = 0;
    if (file != NULL) {
        n = fread(&first, 1, sizeof first, file);
    }
    if (file != NULL) {
        fclose(file);
    }
    if (n != sizeof first || first.type != 1 || first.bytes > sizeof first.name) {
        return NULL;
    }
    first.name[sizeof first.name - 1] = 0;
    return first.name;
}

static void check_display(const options *o)
{
    unsigned width, height;
    char after;
    if (o->display == NULL && o->frames != NULL) {
        bad_usage("--frames needs --display");
    }
    if (o->display != NULL && o->gpu->vendor == SHIM_APPLE) {
        bad_usage("the driver of Apple GPUs has no display");
    }
    if (o->display != NULL && (sscanf(o->display, "%4ux%4u%c", &width, &height, &after) != 2 ||
                               width == 0 || height == 0)) {
        bad_usage("--display needs WxH, each from 1 to 9999");
    }
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
    if (o->gpu_name == NULL || (i >= argc) != (o->replay != NULL)) {
        if (o->replay != NULL) {
            bad_usage("no recording, or a program with --replay");
        }
        bad_usage(o->gpu_name == NULL ? "--gpu is missing" : "no program");
    }
    o->gpu = shim_gpu_find(o->gpu_name);
    if (o->gpu == NULL) {
        bad_usage("no such GPU");
    }
    o->driver = shim_gpu_driver(o->gpu, o->driver);
    if (o->driver == NULL) {
        bad_usage("the GPU does not have this driver");
    }
    if (o->record != NULL && (strcmp(o->driver, "xe") == 0 || strcmp(o->driver, "asahi") == 0)) {
        bad_usage("--record records submissions of i915 and nouveau only");
    }
    if (o->async && strcmp(o->driver, "xe") == 0) {
        bad_usage("--async is not possible with the driver xe");
    }
    check_display(o);
    if (o->seconds_text != NULL) {
        o->seconds = strtod(o->seconds_text, NULL);
    } else {
        o->seconds = 0;
    }
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

/* Return the absolute path of the preload library: beside this program, or where `make install` puts it. */
static const char *own_library(void)
{
    static const char *const names[] = {"gpucmd-run.so", "../libexec/gpucmd/gpucmd-run.so"};
    static char path[PATH_MAX];
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path - 64);
    char *end;
    path[n > 0 ? n : 0] = 0;
    end = strrchr(path, '/');
    for (size_t i = 0; end != NULL && i < sizeof names / sizeof names[0]; i++) {
        strcpy(end + 1, names[i]);
        if (access(path, R_OK) == 0) {
            break;
        }
    }
    return absolute(path);
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

static void set_flag(const char *name, bool value)
{
    setenv(name, value ? "1" : "0", 1);
}

/* text NULL: the variable is empty. */
static void set_text(const char *name, const char *text)
{
    setenv(name, text != NULL ? text : "", 1);
}

/* Return whether DIR/name of the sysroot, or name on this machine without one, can be read; then its
 * path is in *path. */
static bool readable(const options *o, const char *name, char path[PATH_MAX])
{
    const char *sysroot = "";
    if (o->sysroot != NULL) {
        sysroot = o->sysroot;
    }
    const int n = snprintf(path, PATH_MAX, "%s%s", sysroot, name);
    return n > 0 && n < PATH_MAX && access(path, R_OK) == 0;
}

/* Set VK_ICD_FILENAMES to the file of the GPU's driver, as this Mesa names it. Without such a file the
 * variable is not set, and the loader looks for drivers by itself. */
static void set_vulkan(const options *o)
{
#define ICD "/usr/share/vulkan/icd.d/"
    static const char *const hasvk[] = {ICD "intel_hasvk_icd.json",
                                        ICD "intel_hasvk_icd.x86_64.json", NULL};
    static const char *const anv[] = {ICD "intel_icd.json", ICD "intel_icd.x86_64.json", NULL};
    static const char *const hk[] = {ICD "asahi_icd.json", ICD "asahi_icd.x86_64.json", NULL};
    static const char *const nvk[] = {ICD "nouveau_icd.json", ICD "nouveau_icd.x86_64.json", NULL};
#undef ICD
    const char *const *names = nvk;
    char path[PATH_MAX];
    if (o->gpu->vendor == SHIM_INTEL) {
        names = o->gpu->number < 90 ? hasvk : anv;
        setenv("INTEL_FORCE_PROBE", "*", 0); /* Mesa 26.1 needs it for Nova Lake P */
    } else if (o->gpu->vendor == SHIM_APPLE) {
        names = hk;
    } else { /* Mesa 25.0 needs it before Turing and after Ada */
        setenv("NVK_I_WANT_A_BROKEN_VULKAN_DRIVER", "1", 0);
    }
    for (; *names != NULL; names++) {
        if (readable(o, *names, path)) {
            setenv("VK_ICD_FILENAMES", path, 0);
            return;
        }
    }
}

/* Set the variables by which libraries of the sysroot find their drivers. */
static void set_sysroot(const options *o)
{
    static const char *const rows[][2] = {
        {"LIBGL_DRIVERS_PATH",        "/usr/lib/x86_64-linux-gnu/dri"},
        {"LIBVA_DRIVERS_PATH",        "/usr/lib/x86_64-linux-gnu/dri"},
        {"GBM_BACKENDS_PATH",         "/usr/lib/x86_64-linux-gnu/gbm"},
        {"__EGL_VENDOR_LIBRARY_DIRS", "/usr/share/glvnd/egl_vendor.d"},
        {"OCL_ICD_VENDORS",           "/etc/OpenCL/vendors"          },
        {"XDG_DATA_DIRS",             "/usr/share"                   },
    };
    char path[PATH_MAX];
    set_text("GPUCMD_CLIENT_SYSROOT", o->sysroot);
    for (size_t i = 0; o->sysroot != NULL && i < sizeof rows / sizeof rows[0]; i++) {
        if (readable(o, rows[i][1], path)) {
            setenv(rows[i][0], path, 0);
        }
    }
}

/* Remove environment variables that the program must not inherit, and set those that it needs. */
static void set_environment(const options *o)
{
    static const char *const gone[] = {"LIBGL_ALWAYS_SOFTWARE", "MESA_LOADER_DRIVER_OVERRIDE",
                                       "GALLIUM_DRIVER", "DISPLAY", "WAYLAND_DISPLAY"};
    for (size_t i = 0; i < sizeof gone / sizeof gone[0]; i++) {
        unsetenv(gone[i]);
    }
    if (o->gl != NULL) {
        setenv("MESA_LOADER_DRIVER_OVERRIDE", o->gl, 1);
    }
    set_vulkan(o);
    set_sysroot(o);
    setenv("MESA_SHADER_CACHE_DISABLE", "true", 0);
    setenv("GPUCMD_CLIENT_ROOT", root, 1);
    setenv("GPUCMD_CLIENT_MEMORY", memory_path, 1);
    setenv("GPUCMD_CLIENT_GPU", o->gpu->name, 1);
    setenv("GPUCMD_CLIENT_DRIVER", o->driver, 1);
    set_flag("GPUCMD_CLIENT_CHECK", o->check);
    set_flag("GPUCMD_CLIENT_TRACE", o->trace);
    set_flag("GPUCMD_CLIENT_ASYNC", o->async);
    set_flag("GPUCMD_CLIENT_EXEC", !o->no_exec);
    set_text("GPUCMD_CLIENT_DUMP", o->dump);
    set_text("GPUCMD_CLIENT_RECORD", o->record);
    set_text("GPUCMD_CLIENT_DISPLAY", o->display);
    set_text("GPUCMD_CLIENT_FRAMES", o->frames);
    set_text("GPUCMD_CLIENT_OFF", o->off);
    if (o->replay == NULL) {
        setenv("LD_PRELOAD", o->library, 1);
    }
}

/* Return the path of the program: a name without "/" is looked up in the sysroot first. */
static const char *program_of_sysroot(const options *o, const char *name, char found[PATH_MAX])
{
    static const char *const dirs[] = {"/usr/bin/", "/usr/games/", "/usr/libexec/"};
    char path[PATH_MAX];
    for (size_t i = 0; strchr(name, '/') == NULL && i < sizeof dirs / sizeof dirs[0]; i++) {
        const int n = snprintf(path, sizeof path, "%s%s", dirs[i], name);
        if (n > 0 && n < PATH_MAX && readable(o, path, found)) {
            return found;
        }
    }
    return name;
}

/* Execute the program by the loader of the sysroot, with the libraries of the sysroot. Return if that
 * is not possible. */
static void exec_in_sysroot(const options *o, char **program)
{
    char loader[PATH_MAX], libraries[2 * PATH_MAX + 64], found[PATH_MAX];
    const char *before[] = {loader, "--library-path", libraries, "--argv0", program[0], NULL};
    enum { BEFORE = sizeof before / sizeof before[0] };
    const char **arguments;
    size_t count = 0;
    if (!readable(o, "/lib64/ld-linux-x86-64.so.2", loader)) {
        return;
    }
    before[BEFORE - 1] = program_of_sysroot(o, program[0], found);
    snprintf(libraries, sizeof libraries, "%s/usr/lib/x86_64-linux-gnu:%s/usr/lib", o->sysroot,
             o->sysroot);
    while (program[count] != NULL) {
        count++;
    }
    arguments = calloc(BEFORE + count, sizeof *arguments);
    if (arguments == NULL) {
        return;
    }
    memcpy(arguments, before, sizeof before);
    memcpy(arguments + BEFORE, program + 1, count * sizeof *program); /* with the NULL */
    execv(loader, (char **)(uintptr_t)arguments);
    free(arguments);
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
        if (o->sysroot != NULL) {
            exec_in_sysroot(o, program);
        } else {
            execvp(program[0], program);
        }
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
        double left = 1;
        if (seconds > 0) {
            left = end - now();
        }
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
    if (WIFSIGNALED(status)) {
        return 128 + WTERMSIG(status);
    }
    return WEXITSTATUS(status);
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
    if (!tree_make(root, o->gpu, o->driver, o->async)) {
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
    o.frames = directory(o.frames);
    if (o.sysroot != NULL) {
        o.sysroot = absolute(o.sysroot);
    }
    if (o.library != NULL) {
        o.library = absolute(o.library);
    } else {
        o.library = own_library();
    }
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

/* silicon.c - compares a GPU with the executor, stream by stream, then measures. README.md next to this
 * file says what it submits and what it never does. Linux, driver release 580, GH100.
 *
 *   silicon [--seconds N] [--streams N] [--seed N] [--risk 0|1|2] [--channels 1|2] [--report FILE]
 *
 * Exit status: 0 both agree, 1 they differ or the GPU stopped, 77 there is nothing to test. */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"

#define HW_NVIDIA_PART
#include "../../examples/hardware/nvidia.c"

#include "streams.h"

#include "compare.h"

enum {
    STOPPED = 1000,
    DIFFERENCES = 20,
    COPY_BYTES = ST_HALF,
    COPIES = 64,
    SUBMISSIONS = 20000,
    LATENCIES = 2000
};

static hw_nvidia gpu;
static si_gpu si;
static st_case stream;
static FILE *report;
static volatile sig_atomic_t interrupted;

static struct {
    unsigned long seconds, streams, seed, risk, channels;
} option = {60, 10000, 1, 1, 2};

/* The first signal ends the run after the stream; the second one ends the program, and with it what the
 * driver holds for it. */
static void on_signal(int number)
{
    (void)signal(number, SIG_DFL);
    interrupted = 1;
}

static double now_s(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Print a result, and write it to the report. */
static void result(const char *name, double value, const char *unit)
{
    printf("%-40s %14.3f %s\n", name, value, unit);
    if (report != NULL) {
        fprintf(report, "%s\t%.3f\t%s\n", name, value, unit);
    }
}

static void risk_result(unsigned risk, const char *name, double value, const char *unit)
{
    char text[64];
    snprintf(text, sizeof text, "risk %u: %s", risk, name);
    result(text, value, unit);
}

/* Print which chip answers. */
static bool describe(void)
{
    NV(NV2080_CTRL_MC_GET_ARCH_INFO_PARAMS) arch;
    memset(&arch, 0, sizeof arch);
    if (!HW_CONTROL(&gpu, gpu.subdevice, NV2080_CTRL_CMD_MC_GET_ARCH_INFO, &arch)) {
        return false;
    }
    printf("driver %s, chip 0x%x, revision 0x%x, copy engine %u%s, memory by %s\n", gpu.version,
           (unsigned)(arch.architecture | arch.implementation), (unsigned)arch.revision,
           (unsigned)gpu.engine, gpu.block_linear ? " with block-linear" : "",
           gpu.by_uvm ? "UVM" : "the resource manager");
    if (report != NULL) {
        fprintf(report, "driver\t%s\t\nchip\t0x%x\t\n", gpu.version,
                (unsigned)(arch.architecture | arch.implementation));
    }
    return true;
}

/* The CPU reads VRAM slowly, so a copy to system memory stands for it: check that copy once. */
static bool check_read_back(void)
{
    bool same;
    stream.seed = option.seed;
    stream.poke_count = 0;
    si_begin(&stream);
    memcpy(si.vid.cpu, si_start.vid, ST_VID_BYTES);
    same = si_copy_vid(&si, false) && memcmp(si.vid.cpu, si_start.vid, ST_VID_BYTES) == 0 &&
           memcmp(si.back.cpu, si_start.vid, ST_VID_BYTES) == 0;
    printf("copy of %u bytes from VRAM: %s\n", (unsigned)ST_VID_BYTES, same ? "right" : "WRONG");
    return same;
}

/* Submit words that the caller wrote to dw as a segment of channel 0 at word at_dw, with a fence. */
static bool submit(gpucmd_writer *w, uint32_t *dw, uint32_t at_dw)
{
    si.fence++;
    if (!si_submit_tail(&si, 0, w, dw, at_dw)) {
        return false;
    }
    gpucmd_nv_gpfifo_submit(&si.ch[0].fifo);
    return true;
}

static uint64_t stamp(unsigned k)
{
    return gpucmd_load64(si.sem.cpu + 16 * k + 8, GPUCMD_LITTLE_ENDIAN);
}

/* Check that a time stamp is inside the time that the driver tells before and after it. If it is not,
 * the streams check the order of their stamps only. */
static bool check_time(void)
{
    const uint64_t t0 = si_time(&si);
    uint32_t dw[32];
    gpucmd_writer w;
    uint64_t v;
    uint64_t t1;
    gpucmd_writer_init(&w, dw, 32);
    gpucmd_nv_emit_sem_release(&w, ST_CHIP, ST_SEM_VA, 0, GPUCMD_NV_SEM_TIMESTAMP);
    if (!submit(&w, dw, 0) || !si_wait(&si, 0)) {
        return false;
    }
    v = stamp(0);
    t1 = si_time(&si);
    si.any_time = v < t0 || v > t1 + 1000 || v % 32 != 0;
    printf("time stamp %llu, driver %llu to %llu: %s\n", (unsigned long long)v,
           (unsigned long long)t0, (unsigned long long)t1, si.any_time ? "OUTSIDE" : "inside");
    if (report != NULL && si.any_time) {
        fprintf(report, "difference\ttime stamp %llu\t%llu to %llu\n", (unsigned long long)v,
                (unsigned long long)t0, (unsigned long long)t1);
    }
    return true;
}

/* Print a difference. If one operation is left, operations of its kind are left out from now on, so
 * that one difference does not hide others. */
static si_result tell_difference(void)
{
    const si_result r = si_shrink(&si, &stream);
    unsigned left = 0;
    const char *name = "";
    printf("DIFFERENCE\n");
    si_print_stream(&stream);
    si_print_difference(&si);
    for (unsigned i = 0; i < stream.ops; i++) {
        if ((stream.keep >> i & 1) != 0) {
            left++;
            name = stream.names[i];
        }
    }
    for (unsigned k = 0; left == 1 && k < ST_ROWS; k++) {
        if (strcmp(st_rows[k].name, name) == 0) {
            stream.skip |= 1u << k;
            printf("%s (%s) is left out from now on\n", name, st_rows[k].plan);
        }
    }
    if (report != NULL) {
        fprintf(report, "difference\t%llu %s\t%s+0x%x\n", (unsigned long long)stream.seed,
                left == 1 ? name : "", si.difference.region, (unsigned)si.difference.off_bytes);
    }
    return r;
}

/* Compare streams of this risk until the time is over. Return the number of differences and of streams
 * that are not legal; STOPPED: the GPU stopped. */
static unsigned compare_all(unsigned risk, double seconds, unsigned long streams)
{
    const double start = now_s();
    const uint64_t words = si.words;
    unsigned differences = 0;
    unsigned illegal = 0;
    unsigned long n = 0;
    while (n < streams && now_s() - start < seconds && !interrupted && differences < DIFFERENCES) {
        si_result r;
        stream.seed = option.seed + n++;
        stream.keep = 0xffffffffu;
        stream.risk = risk;
        r = si_compare(&si, &stream);
        if (r == SI_DIFFERS) {
            differences++;
            r = tell_difference();
        } else if (r == SI_ILLEGAL) {
            illegal++;
            printf("seed %llu is not legal and was not submitted: %s\n",
                   (unsigned long long)stream.seed, si.why);
        }
        if (r == SI_STOPPED) {
            printf("STOPPED\n");
            si_print_stream(&stream);
            return STOPPED;
        }
    }
    printf("risk %u: streams of seeds %lu to %lu, %u channels\n", risk, option.seed,
           option.seed + n - 1, si.channels);
    risk_result(risk, "streams compared", (double)(n - illegal), "streams");
    risk_result(risk, "streams that differ", differences, "streams");
    risk_result(risk, "streams not submitted", illegal, "streams");
    risk_result(risk, "time of the comparison", now_s() - start, "s");
    risk_result(risk, "words executed by both", (double)(si.words - words), "words");
    return differences + illegal;
}

/* ---- measurements ---- */

/* The rate of the GPU's time stamps by the clock of the CPU. */
static bool measure_clock(void)
{
    const struct timespec half = {0, 500000000};
    double cpu_s[2] = {0, 0};
    uint32_t dw[32];
    for (unsigned k = 0; k < 2; k++) {
        gpucmd_writer w;
        gpucmd_writer_init(&w, dw, 32);
        gpucmd_nv_emit_sem_release(&w, ST_CHIP, ST_SEM_VA + 16 * k, 0, GPUCMD_NV_SEM_TIMESTAMP);
        if (!submit(&w, dw, 0) || !si_wait(&si, 0)) {
            return false;
        }
        cpu_s[k] = now_s();
        if (k == 0) {
            (void)nanosleep(&half, NULL);
        }
    }
    result("time stamps, nanoseconds in one second",
           (double)(stamp(1) - stamp(0)) / (cpu_s[1] - cpu_s[0]), "ns/s");
    return true;
}

/* COPIES copies of COPY_BYTES between two time stamps. */
static bool measure_copies(const char *name, uint64_t dst, uint64_t src)
{
    static uint32_t dw[COPIES * GPUCMD_NV_CE_COPY_LINEAR_DW + 64];
    gpucmd_writer w;
    gpucmd_writer_init(&w, dw, sizeof dw / 4);
    gpucmd_nv_emit_set_object(&w, ST_CHIP, ST_CE, gpucmd_nv_copy_class(ST_CHIP));
    gpucmd_nv_emit_ce_sem_release(&w, ST_CHIP, ST_CE, ST_SEM_VA, 0, GPUCMD_NV_SEM_TIMESTAMP);
    for (unsigned i = 0; i < COPIES; i++) {
        gpucmd_nv_emit_ce_copy_linear(&w, ST_CHIP, ST_CE, dst, src, COPY_BYTES);
    }
    gpucmd_nv_emit_ce_sem_release(&w, ST_CHIP, ST_CE, ST_SEM_VA + 16, 0, GPUCMD_NV_SEM_TIMESTAMP);
    if (!submit(&w, dw, 0) || !si_wait(&si, 0)) {
        return false;
    }
    result(name, (double)COPIES * COPY_BYTES / (double)(stamp(1) - stamp(0)), "GB/s");
    return true;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* From the doorbell until the CPU sees the fence. */
static bool measure_latency(void)
{
    static double us[LATENCIES];
    uint32_t dw[16];
    for (unsigned i = 0; i < LATENCIES; i++) {
        gpucmd_writer w;
        double start;
        gpucmd_writer_init(&w, dw, 16);
        si.fence++;
        if (!si_submit_tail(&si, 0, &w, dw, 0)) {
            return false;
        }
        start = now_s();
        gpucmd_nv_gpfifo_submit(&si.ch[0].fifo);
        if (!si_wait(&si, 0)) {
            return false;
        }
        us[i] = 1e6 * (now_s() - start);
    }
    qsort(us, LATENCIES, sizeof us[0], by_value);
    result("doorbell to fence, median", us[LATENCIES / 2], "us");
    result("doorbell to fence, 99 of 100", us[LATENCIES / 100 * 99], "us");
    return true;
}

/* Submissions of one semaphore release each, 256 on the way. */
static bool measure_rate(void)
{
    const double start = now_s();
    uint32_t dw[16];
    for (unsigned i = 0; i < SUBMISSIONS; i++) {
        gpucmd_writer w;
        gpucmd_writer_init(&w, dw, 16);
        if (!submit(&w, dw, 8 * (i % 256)) || (i % 256 == 255 && !si_wait(&si, 0))) {
            return false;
        }
    }
    if (!si_wait(&si, 0)) {
        return false;
    }
    result("submissions", SUBMISSIONS / (now_s() - start), "1/s");
    return true;
}

static bool measure(void)
{
    const uint64_t sys = ST_SYS_VA + ST_GUARD;
    const uint64_t vid = ST_VID_VA + ST_GUARD;
    return measure_clock() && measure_copies("copy, system memory to VRAM", vid, sys) &&
           measure_copies("copy, VRAM to system memory", sys, vid) &&
           measure_copies("copy, VRAM to VRAM", vid + ST_HALF, vid) && measure_latency() &&
           measure_rate();
}

/* ---- main ---- */

static bool parse(int argc, char **argv)
{
    static const struct {
        const char *name;
        unsigned long *value, most;
    } rows[] = {
        {"--seconds",  &option.seconds,  3600      },
        {"--streams",  &option.streams,  10000000  },
        {"--seed",     &option.seed,     0x7fffffff},
        {"--risk",     &option.risk,     2         },
        {"--channels", &option.channels, 2         }
    };
    for (int i = 1; i < argc; i += 2) {
        bool known = false;
        if (i + 1 < argc && strcmp(argv[i], "--report") == 0) {
            report = fopen(argv[i + 1], "w");
            known = report != NULL;
        }
        for (unsigned k = 0; i + 1 < argc && k < sizeof rows / sizeof rows[0]; k++) {
            if (strcmp(argv[i], rows[k].name) == 0) {
                char *end;
                *rows[k].value = strtoul(argv[i + 1], &end, 0);
                known = *end == '\0' && *rows[k].value <= rows[k].most;
            }
        }
        if (!known) {
            fprintf(stderr, "silicon: %s: not an option with a value in range\n", argv[i]);
            return false;
        }
    }
    return option.channels != 0;
}

/* Half of the time and of the streams for operations that drivers use every day, then the
 * measurements, then the rest: what may stop the channel comes last. */
static int compare_and_measure(void)
{
    const double half_s = (double)option.seconds / (option.risk != 0 ? 2 : 1);
    const unsigned long half = option.risk != 0 ? option.streams / 2 : option.streams;
    unsigned differences = compare_all(0, half_s, half);
    if (differences != STOPPED && !interrupted && !measure()) {
        return HW_FAILED;
    }
    for (unsigned risk = 1; risk <= option.risk && differences < STOPPED && !interrupted; risk++) {
        differences += compare_all(risk, half_s / (double)option.risk, half / option.risk);
    }
    return differences != 0 ? HW_FAILED : HW_OK;
}

/* Open, compare, measure. */
static int run(void)
{
    int status = hw_open_gpu(&gpu);
    if (status != HW_OK) {
        return status;
    }
    status = describe() && hw_copy(&gpu) ? HW_OK : HW_FAILED;
    hw_unwind(&gpu, 0);
    gpu.quiet = true;
    if (status != HW_OK || hw_open_gpu(&gpu) != HW_OK) {
        return HW_FAILED;
    }
    status = si_open(&si, &gpu, (unsigned)option.channels) && check_read_back() && check_time()
                 ? compare_and_measure()
                 : HW_FAILED;
    hw_unwind(&gpu, 0);
    return status;
}

int main(int argc, char **argv)
{
    int status;
    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    if (!parse(argc, argv)) {
        return 2;
    }
    (void)signal(SIGINT, on_signal);
    (void)signal(SIGTERM, on_signal);
    gpucmd_sys_ops_init_linux(&gpu.sys);
    gpu.pause = hw_pause;
    gpu.is_privileged = geteuid() == 0;
    status = run();
    if (report != NULL) {
        (void)fclose(report);
    }
    return status;
}

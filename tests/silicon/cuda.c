/* cuda.c - the measurements of silicon.c through NVIDIA's own library, for comparison. The library is
 * loaded at run time, so nothing of CUDA is needed to build this program.
 * Exit status 77: there is no libcuda.so.1, or no GPU for it. */
#define _DEFAULT_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BYTES = 1 << 20, COPIES = 64, SUBMISSIONS = 20000, LATENCIES = 2000 };

typedef uint64_t device_ptr;

/* Functions of the CUDA driver API; each returns 0 on success. */
static int (*init)(unsigned flags);
static int (*device_get)(int *device, int ordinal);
static int (*context_create)(void **context, unsigned flags, int device);
static int (*context_destroy)(void *context);
static int (*stream_create)(void **stream, unsigned flags);
static int (*stream_sync)(void *stream);
static int (*mem_alloc)(device_ptr *at, size_t bytes);
static int (*host_alloc)(void **at, size_t bytes, unsigned flags);
static int (*host_device)(device_ptr *at, void *host, unsigned flags);
static int (*copy_to_device)(device_ptr dst, const void *src, size_t bytes, void *stream);
static int (*copy_to_host)(void *dst, device_ptr src, size_t bytes, void *stream);
static int (*copy)(device_ptr dst, device_ptr src, size_t bytes, void *stream);
static int (*write_value)(void *stream, device_ptr at, uint32_t value, unsigned flags);

static FILE *report;
static void *context, *stream, *host;
static device_ptr device_memory[2], host_va;

static double now_s(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void result(const char *name, double value, const char *unit)
{
    printf("CUDA: %-34s %14.3f %s\n", name, value, unit);
    if (report != NULL) {
        fprintf(report, "CUDA: %s\t%.3f\t%s\n", name, value, unit);
    }
}

/* Find the functions. */
static int load(void)
{
    static const struct {
        const char *name;
        void *to;
    } rows[] = {
        {"cuInit",                       &init           },
        {"cuDeviceGet",                  &device_get     },
        {"cuCtxCreate_v2",               &context_create },
        {"cuCtxDestroy_v2",              &context_destroy},
        {"cuStreamCreate",               &stream_create  },
        {"cuStreamSynchronize",          &stream_sync    },
        {"cuMemAlloc_v2",                &mem_alloc      },
        {"cuMemHostAlloc",               &host_alloc     },
        {"cuMemHostGetDevicePointer_v2", &host_device    },
        {"cuMemcpyHtoDAsync_v2",         &copy_to_device },
        {"cuMemcpyDtoHAsync_v2",         &copy_to_host   },
        {"cuMemcpyDtoDAsync_v2",         &copy           },
        {"cuStreamWriteValue32_v2",      &write_value    }
    };
    void *const library = dlopen("libcuda.so.1", RTLD_NOW);
    for (unsigned i = 0; library != NULL && i < sizeof rows / sizeof rows[0]; i++) {
        void *const f = dlsym(library, rows[i].name);
        if (f == NULL) {
            printf("libcuda.so.1 lacks %s\n", rows[i].name);
            return 0;
        }
        memcpy(rows[i].to, &f, sizeof f);
    }
    return library != NULL;
}

static int start(void)
{
    int device = 0;
    return init(0) == 0 && device_get(&device, 0) == 0 &&
           context_create(&context, 0, device) == 0 && stream_create(&stream, 1) == 0 &&
           mem_alloc(&device_memory[0], BYTES) == 0 && mem_alloc(&device_memory[1], BYTES) == 0 &&
           host_alloc(&host, BYTES, 2) == 0 && host_device(&host_va, host, 0) == 0;
}

/* COPIES copies, by the clock of the CPU. way 0: to VRAM, 1: to system memory, 2: inside VRAM. */
static int measure_copies(const char *name, int way)
{
    double start_s = 0;
    for (int i = -4; i < COPIES; i++) { /* four to warm up */
        if (i == 0) {
            if (stream_sync(stream) != 0) {
                return 0;
            }
            start_s = now_s();
        }
        if ((way == 0   ? copy_to_device(device_memory[0], host, BYTES, stream)
             : way == 1 ? copy_to_host(host, device_memory[0], BYTES, stream)
                        : copy(device_memory[1], device_memory[0], BYTES, stream)) != 0) {
            return 0;
        }
    }
    if (stream_sync(stream) != 0) {
        return 0;
    }
    result(name, (double)COPIES * BYTES / (now_s() - start_s) * 1e-9, "GB/s");
    return 1;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* From the call until the CPU sees the value in its memory, at most 2 seconds each. */
static int measure_latency(void)
{
    static double us[LATENCIES];
    volatile uint32_t *const fence = host;
    for (uint32_t i = 0; i < LATENCIES; i++) {
        const double start_s = now_s();
        if (write_value(stream, host_va, i + 1, 0) != 0) {
            return 0;
        }
        while (*fence != i + 1) {
            if (now_s() - start_s > 2) {
                return 0;
            }
        }
        us[i] = 1e6 * (now_s() - start_s);
    }
    qsort(us, LATENCIES, sizeof us[0], by_value);
    result("doorbell to fence, median", us[LATENCIES / 2], "us");
    result("doorbell to fence, 99 of 100", us[LATENCIES / 100 * 99], "us");
    return 1;
}

static int measure_rate(void)
{
    const double start_s = now_s();
    for (uint32_t i = 0; i < SUBMISSIONS; i++) {
        if (write_value(stream, host_va, i, 0) != 0 ||
            (i % 256 == 255 && stream_sync(stream) != 0)) {
            return 0;
        }
    }
    if (stream_sync(stream) != 0) {
        return 0;
    }
    result("submissions", SUBMISSIONS / (now_s() - start_s), "1/s");
    return 1;
}

int main(int argc, char **argv)
{
    int good;
    if (!load() || !start()) {
        printf("CUDA: no library or no GPU\n");
        return 77;
    }
    report = argc > 1 ? fopen(argv[1], "a") : NULL;
    good = measure_copies("copy, system memory to VRAM", 0) &&
           measure_copies("copy, VRAM to system memory", 1) &&
           measure_copies("copy, VRAM to VRAM", 2) && measure_latency() && measure_rate();
    if (report != NULL) {
        (void)fclose(report);
    }
    (void)context_destroy(context);
    return !good;
}

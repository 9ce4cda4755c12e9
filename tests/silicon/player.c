/* player.c - plays the part of a driver's library for watch.c: it submits streams of a seed on two
 * channels and synchronises, and prints what it submitted, to compare with what was seen.
 *   player [bad]    bad: the last stream has a word that is no command */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <fcntl.h>
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

/* watch.c has it; without that library there is nothing to synchronise with. */
extern int cuCtxSynchronize(void *what) __attribute__((weak));

static hw_nvidia gpu;
static si_gpu si;
static st_case stream;

int main(int argc, char **argv)
{
    unsigned long segments = 0;
    (void)argv;
    gpucmd_sys_ops_init_linux(&gpu.sys);
    gpu.pause = hw_pause;
    gpu.quiet = true;
    if (hw_open_gpu(&gpu) != HW_OK || !hw_copy(&gpu)) {
        return 1;
    }
    hw_unwind(&gpu, 0);
    if (hw_open_gpu(&gpu) != HW_OK || !si_open(&si, &gpu, 2)) {
        return 1;
    }
    for (uint64_t seed = 1; seed <= 40; seed++) {
        stream.seed = seed;
        stream.keep = 0xffffffffu;
        stream.risk = 1;
        if (si_compare(&si, &stream) != SI_EQUAL) {
            printf("seed %llu\n", (unsigned long long)seed);
            return 1;
        }
        segments += 4; /* the fences of both channels, and the copies of VRAM */
        for (unsigned ch = 0; ch < 2; ch++) {
            for (unsigned i = 0; i < stream.entry_count[ch]; i++) {
                segments += !stream.entries[ch][i].is_control;
            }
        }
        if (cuCtxSynchronize != NULL) {
            (void)cuCtxSynchronize(NULL);
        }
    }
    if (argc > 1) {
        gpucmd_store32(si.ch[0].ring.cpu + 0x1000, 0xc0000001u, GPUCMD_LITTLE_ENDIAN);
        if (gpucmd_nv_gpfifo_push(&si.ch[0].fifo, ST_WORDS_VA(0), 1, 0) != GPUCMD_OK) {
            return 1;
        }
        gpucmd_nv_gpfifo_submit(&si.ch[0].fifo);
        segments++;
        si.words++;
    }
    hw_unwind(&gpu, 0);
    printf("%lu segments, %llu words\n", segments + 1, (unsigned long long)si.words);
    return 0;
}

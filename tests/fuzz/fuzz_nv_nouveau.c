/* fuzz_nv_nouveau.c - hostile clients of the model kernel of nouveau: sequences of ioctls with any
 * arguments and any memory of the process, fences of the caller, and turns of the executor between
 * them. No call may crash or hang, and a refused ioctl changes nothing that nouveau_state sees. After
 * the file is closed all tables are empty. The memory of the process changes while it is read. */
#include "gpucmd_nv.h"

#include "fuzz.h"

#include <stdio.h>

#include "nv/nouveau.h"

/* The ioctls, those that need more luck several times. */
static const uint32_t requests[] = {
    0xc0106440, 0xc0306480, 0xc0306480, 0xc0106450, 0xc0286451, 0xc0286451, 0xc0286451, 0xc0286451,
    0xc0286452, 0xc0286452, 0xc0286452, 0xc0586442, 0x40046443, 0x400c6444, 0xc0106445, 0x40086446,
    0xc0406481, 0xc0406481, 0x40086482, 0xc0286484, 0x40086409, 0x80306453, 0x40486447, 0xc0a06447,
    0x40386447, 0x40186447, 0xc0886447, 0xc00864bf, 0xc00864c0, 0xc02064c3, 0xc02864ca,
};

static const gpucmd_nv_chip chips[] = {
    GPUCMD_NV_CHIP_TU102, GPUCMD_NV_CHIP_GK104, GPUCMD_NV_CHIP_NV40,  GPUCMD_NV_CHIP_G84,
    GPUCMD_NV_CHIP_GM204, GPUCMD_NV_CHIP_GP100, GPUCMD_NV_CHIP_GV100, GPUCMD_NV_CHIP_GB202,
};

static uint32_t gate; /* a fence of the caller; 0: none */

/* Return a word that is likely to be valid for some member. */
static uint32_t word(input *in)
{
    const uint32_t kind = take(in, 1);
    const uint32_t v = take(in, 1);
    switch (kind % 8) {
    case 0: return 0;
    case 1: return v % 8;         /* a handle, a channel, a count */
    case 2: return v << 12;       /* a size, an address */
    case 3: return 1u << v % 32;  /* a flag */
    case 4: return (v % 8) << 12; /* the low half of an address of the process */
    case 5: return 0x7f00;        /* the high half */
    case 6: return v % 2 != 0 ? 0xffffffff : 0x80;
    default: return take(in, 4);
    }
}

/* Fill words of the process. */
static void fill(input *in)
{
    const uint32_t at = take(in, 2) % (sizeof nouveau_user / 4 - 40);
    const uint32_t count = take(in, 1) % 40;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t v = word(in);
        memcpy(nouveau_user + 4 * (at + i), &v, 4);
    }
}

static void ioctl(input *in)
{
    const uint32_t pick = take(in, 1);
    const uint32_t request = pick < 248 ? requests[pick % (sizeof requests / 4)] : take(in, 4);
    const uint64_t arg = NOUVEAU_VA + (take(in, 1) % 32) * 0x100;
    const uint32_t len_dw = GPUCMD_FIELD_GET(IOC_BYTES, request) / 4;
    const gpucmd_nouveau_state state = k.state;
    if (take(in, 1) % 4 != 0) {
        for (uint32_t i = 0; i < len_dw && i < 22; i++) {
            const uint32_t v = word(in);
            memcpy(nouveau_at(arg) + 4 * i, &v, 4);
        }
    }
    const uint64_t before = nouveau_state();
    const uint32_t jobs = k.jobs;
    flips_clear();
    flips_add(nouveau_user, sizeof nouveau_user);
    flips_arm(0x01010101);
    const int result = gpucmd_nouveau_kernel_ioctl(&k, request, arg);
    (void)flips_disarm();
    flips_clear();
    must(result <= 0 && result > -200);
    /* a wait inside an ioctl executes jobs; a copy to the process can fail after the effect */
    if (result != 0 && result != -14 && k.jobs == jobs && jobs == 0) {
        must(nouveau_state() == before);
        must(k.state == state || state == GPUCMD_NOUVEAU_FRESH);
    }
}

/* Make a fence of the caller that a sync object has, or signal it. */
static void fences(input *in)
{
    const uint32_t s = take(in, 1) % 8;
    if (gate != 0) {
        must(gpucmd_fence_signal(&k.fences, gate, (int32_t)(take(in, 1) % 2)) == GPUCMD_OK);
        gpucmd_fence_release(&k.fences, gate);
        gate = 0;
    } else {
        gate = gpucmd_fence_new(&k.fences, 0, 0);
        (void)!gpucmd_syncobj_replace(&k.syncobjs, s, gate);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input in = {data, size};
    const uint32_t mode = take(&in, 1);
    must(nouveau_open(chips[mode % 8]));
    gate = 0;
    nouveau_gpu.patch = mode / 8 % 4;
    nouveau_gpu.gsp = nouveau_gpu.gsp && mode < 128;
    if (mode % 3 == 0) {
        k.progress = NULL;
    }
    while (in.size != 0) {
        switch (take(&in, 1) % 8) {
        case 0:
        case 1: fill(&in); break;
        case 2: fences(&in); break;
        case 3: (void)gpucmd_nouveau_kernel_run(&k, take(&in, 2)); break;
        case 4: nouveau_gpu.now_ns += (uint64_t)take(&in, 1) << 28; break;
        case 5: nouveau_poor = take(&in, 1) % 8 == 0; break;
        default: ioctl(&in); break;
        }
    }
    gpucmd_nouveau_kernel_close(&k);
    if (gate != 0) {
        gpucmd_fence_release(&k.fences, gate);
    }
    must(nouveau_is_empty());
    return 0;
}

#define FUZZ_NAME "fuzz_nv_nouveau"
#include "fuzz_main.h"

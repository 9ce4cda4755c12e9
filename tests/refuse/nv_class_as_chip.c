/* refuse: a class where a chip is expected */
#include "gpucmd_nv.h"

void release(gpucmd_writer *w);

void release(gpucmd_writer *w)
{
#ifdef FIXED
    gpucmd_nv_emit_sem_release(w, GPUCMD_NV_CHIP_GA102, 0x100000, 7, 0);
#else
    gpucmd_nv_emit_sem_release(w, 0xc76f, 0x100000, 7, 0);
#endif
}

/* refuse: a chip where a class is expected */
#include "gpucmd_nv.h"

void bind_copy(gpucmd_writer *w);

void bind_copy(gpucmd_writer *w)
{
#ifdef FIXED
    gpucmd_nv_emit_set_object(w, GPUCMD_NV_CHIP_GA102, 4,
                              gpucmd_nv_copy_class(GPUCMD_NV_CHIP_GA102));
#else
    gpucmd_nv_emit_set_object(w, GPUCMD_NV_CHIP_GA102, 4, GPUCMD_NV_CHIP_GA102);
#endif
}

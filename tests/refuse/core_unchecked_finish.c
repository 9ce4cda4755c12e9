/* refuse: the status of gpucmd_writer_finish is not checked */
#include "gpucmd.h"

size_t finish(gpucmd_writer *w);

size_t finish(gpucmd_writer *w)
{
    size_t len_dw = 0;
#ifdef FIXED
    if (gpucmd_writer_finish(w, &len_dw) != GPUCMD_OK) {
        return 0;
    }
#else
    gpucmd_writer_finish(w, &len_dw);
#endif
    return len_dw;
}

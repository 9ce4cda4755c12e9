/* refuse: the status of an encoder is not checked */
#include "gpucmd_nv.h"

uint32_t word(void);

uint32_t word(void)
{
    uint32_t dw = 0;
#ifdef FIXED
    if (gpucmd_nv_encode_inc(&dw, 0, 0x0100, 1) != GPUCMD_OK) {
        return 0;
    }
#else
    gpucmd_nv_encode_inc(&dw, 0, 0x0100, 1);
#endif
    return dw;
}

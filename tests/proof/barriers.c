/* Stores around the barrier macros. The offsets 68, 132 and 260 mark the stores in the assembly. */
#include "gpucmd.h"

void order(uint32_t *words, uint32_t *put, uint32_t *bell);

void order(uint32_t *words, uint32_t *put, uint32_t *bell)
{
    words[17] = 1;
    GPUCMD_BARRIER_WRITE();
    put[33] = 2;
    GPUCMD_BARRIER_MMIO();
    bell[65] = 3;
    GPUCMD_BARRIER_FULL();
    words[18] = put[34];
}

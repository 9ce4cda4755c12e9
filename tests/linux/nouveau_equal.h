/* A header word of nouveau equals ours. */
_Static_assert(GPUCMD_NV_INC(3, 0x100, 5) ==
                   (NVVAL(NV906F, DMA, METHOD_ADDRESS, 0x100 >> 2) |
                    NVVAL(NV906F, DMA, METHOD_SUBCHANNEL, 3) | NVVAL(NV906F, DMA, METHOD_COUNT, 5) |
                    NVDEF(NV906F, DMA, SEC_OP, INC_METHOD)),
               "differs from nouveau");

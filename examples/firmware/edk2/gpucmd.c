/* gpucmd.c - an application of UEFI that writes and executes the streams of streams.h. It prints in
 * the debug port of QEMU, 0x402. */
#include <Uefi.h>
#include <Library/BaseLib.h>
#include <Library/BaseMemoryLib.h>
#include <Library/IoLib.h>

#define GPUCMD_MEMCPY(d, s, n)  CopyMem(d, s, n)
#define GPUCMD_MEMMOVE(d, s, n) CopyMem(d, s, n)
#define GPUCMD_MEMSET(d, b, n)  SetMem(d, n, b)
#define GPUCMD_IMPLEMENTATION
#define GPUCMD_STATIC
#include "streams.h"

EFI_STATUS EFIAPI UefiMain(EFI_HANDLE ImageHandle, EFI_SYSTEM_TABLE *SystemTable)
{
    char line[80];
    gpucmd_text t;
    UINTN i, done = 0;
    for (i = 0; i < 3; i++) {
        gpucmd_text_init(&t, line, sizeof line);
        done += (i == 0 ? streams_nv(&t) : i == 1 ? streams_i915(&t) : streams_agx(&t)) ? 1 : 0;
        IoWriteFifo8(0x402, AsciiStrLen(line), line);
    }
    SystemTable->RuntimeServices->ResetSystem(EfiResetShutdown, EFI_SUCCESS, 0, NULL);
    return done == 3 ? EFI_SUCCESS : EFI_DEVICE_ERROR;
}

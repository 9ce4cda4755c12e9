/* Hand-written code that the library is compared with. It uses no code of the library. */
#include "bench.h"
#include "i915.h"

size_t raw_i915_unit(uint32_t *dst, size_t cap_dw, size_t units, const uint32_t *v)
{
    uint32_t *cs = dst;
    (void)cap_dw;
    for (size_t i = 0; i < units; i++) {
        *cs++ = 0x10200003;
        *cs++ = STORE_VA;
        *cs++ = 0;
        *cs++ = v[0];
        *cs++ = v[1];
        *cs++ = 0x11000001;
        *cs++ = 0x2600;
        *cs++ = v[2];
        *cs++ = 0x11000001;
        *cs++ = 0x2604;
        *cs++ = v[3];
        *cs++ = 0x11000001;
        *cs++ = 0x2608;
        *cs++ = v[4];
        *cs++ = 0x11000001;
        *cs++ = 0x260c;
        *cs++ = v[5];
        *cs++ = 0x11000001;
        *cs++ = 0x2610;
        *cs++ = v[6];
        *cs++ = 0x11000001;
        *cs++ = 0x2614;
        *cs++ = v[7];
        *cs++ = 0x11000001;
        *cs++ = 0x2618;
        *cs++ = v[8];
        *cs++ = 0x11000001;
        *cs++ = 0x261c;
        *cs++ = v[9];
        *cs++ = 0x7a000004;
        *cs++ = 0x00104000;
        *cs++ = FENCE_VA;
        *cs++ = 0;
        *cs++ = v[10];
        *cs++ = v[11];
        *cs++ = 0x0e009002;
        *cs++ = v[12];
        *cs++ = FENCE_VA;
        *cs++ = 0;
        *cs++ = 0;
    }
    return (size_t)(cs - dst);
}

size_t raw_i915_walk(const uint32_t *dw, size_t len_dw)
{
    size_t commands = 0;
    size_t i = 0;
    while (i < len_dw) {
        const uint32_t head = dw[i];
        const uint32_t client = head >> 29;
        if (client == 0) {
            i += head >> 23 < 0x10 ? 1 : (head & (head >> 23 == 0x20 ? 0x3ff : 0xff)) + 2;
        } else if (client == 3) {
            i += (head >> 27 & 3) == 1 ? 1 : (head & 0xff) + 2;
        } else if (client == 2) {
            i += (head & 0xff) + 2;
        } else {
            return WALK_BAD;
        }
        commands++;
    }
    return i == len_dw ? commands : WALK_BAD;
}

/* Print one line: address, word, and the caller's text. */
#define LINE(...)                                                                                  \
    do {                                                                                           \
        at += (size_t)snprintf(buf + at, buf_bytes - at, "%08zx: %08x", 4 * i, dw[i]);             \
        at += (size_t)snprintf(buf + at, buf_bytes - at, __VA_ARGS__);                             \
        at += (size_t)snprintf(buf + at, buf_bytes - at, "\n");                                    \
        i++;                                                                                       \
    } while (0)

size_t raw_i915_print(char *buf, size_t buf_bytes, const uint32_t *dw, size_t len_dw)
{
    size_t at = 0;
    size_t i = 0;
    while (i < len_dw) {
        LINE(" MI_STORE_DATA_IMM QWORD=%u", dw[i] >> 21 & 1);
        LINE("   ADDRESS=0x%x", dw[i]);
        LINE("   ADDRESS_HIGH=0x%x", dw[i]);
        LINE("   DATA=0x%x", dw[i]);
        LINE("%s", "");
        for (int r = 0; r < 8; r++) {
            LINE(" MI_LOAD_REGISTER_IMM%s", "");
            LINE("   rcs0.CS_GPR%d%s", r / 2, r % 2 ? "_UDW" : "");
            LINE("%s", "");
        }
        LINE(" PIPE_CONTROL%s", "");
        LINE("   POST_SYNC=%u CS_STALL=%u", dw[i] >> 14 & 3, dw[i] >> 20 & 1);
        LINE("   ADDRESS=0x%x", dw[i]);
        LINE("   ADDRESS_HIGH=0x%x", dw[i]);
        LINE("   DATA=0x%x", dw[i]);
        LINE("   DATA_HIGH=0x%x", dw[i]);
        LINE(" MI_SEMAPHORE_WAIT POLL=%u COMPARE=%u", dw[i] >> 15 & 1, dw[i] >> 12 & 7);
        LINE("   DATA=0x%x", dw[i]);
        LINE("   ADDRESS=0x%x", dw[i]);
        LINE("   ADDRESS_HIGH=0x%x", dw[i]);
        LINE(" MI_NOOP%s", "");
    }
    return at;
}

/* nv/exec_diff.c - pusher and PBDMA compared with the oracles, 50000 streams each. Environment:
 * GPUCMD_DIFF_STREAMS sets another number of streams, GPUCMD_DIFF_FIRST the first seed. */
/* suite: executor, long */
#include "gpucmd_nv.h"

#include <stdlib.h>

#include "test.h"
#include "nv/diff.h"

static uint64_t number(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text != NULL ? strtoull(text, NULL, 0) : otherwise;
}

int main(void)
{
    const uint64_t count = number("GPUCMD_DIFF_STREAMS", 50000);
    CHECK(diff_all(count, number("GPUCMD_DIFF_FIRST", 1)));
    EQUAL(diff.streams, 2 * count);
    CHECK(diff_crcs(count / 50, 1));
    CHECK(diff_pbdma_stream(0xf83950fd0cfd0a6b)); /* a run that ends in a PB_CRC of 2 units */
    CHECK(count < 10000 || diff.crc_waits > 100);
    for (unsigned i = 1; i < 7 && count >= 10000; i++) { /* every error and interrupt was seen */
        CHECK(diff.errors[i] != 0);
    }
    static const unsigned raised[] = {13, 14, 15, 16, 18, 19, 30}; /* by the PBDMA itself */
    for (unsigned i = 0; i < sizeof raised / sizeof raised[0]; i++) {
        CHECK(count < 10000 || diff.intr_bits[raised[i]] != 0);
    }
    CHECK(count < 10000 || (diff.blocked != 0 && diff.faults != 0));
    diff_print();
    return test_report("nv_exec_diff");
}

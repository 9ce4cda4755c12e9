/* nv/exec_exhaustive.c - as nv_exec_diff, with 10 million streams and more for each executor. */
#include "gpucmd_nv.h"

#include <stdlib.h>

#include "test.h"
#include "nv/diff.h"

int main(void)
{
    const char *text = getenv("GPUCMD_DIFF_STREAMS");
    const uint64_t count = text != NULL ? strtoull(text, NULL, 0) : 10000000;
    CHECK(diff_all(count, 1000003));
    EQUAL(diff.streams, 2 * count);
    CHECK(diff_crcs(count / 50, 1000003));
    diff_print();
    return test_report("nv_exec_exhaustive");
}

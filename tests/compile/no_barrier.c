/* A compiler with unknown barriers, emulated by -U__GNUC__. Commands can be written. A program that
 * uses a barrier (-DUSES_BARRIER) does not link, and the undefined symbol names the reason. */
#include "all.h"

int main(void)
{
    uint32_t words[1] = {0};
    size_t len_dw = 0;
    gpucmd_writer w;

    gpucmd_writer_init(&w, words, 1);
    if (gpucmd_writer_reserve(&w, 1) != NULL) {
        words[0] = 7;
        gpucmd_writer_commit(&w, 1);
    }
#ifdef USES_BARRIER
    GPUCMD_BARRIER_FULL();
#endif
    return gpucmd_writer_finish(&w, &len_dw) != GPUCMD_OK || words[0] != 7;
}

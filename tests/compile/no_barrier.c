/* A compiler whose barriers are unknown, here by -U__GNUC__: commands are written all the same. A
 * program that uses a barrier, here by -DUSES_BARRIER, does not link, and the linker says why. */
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

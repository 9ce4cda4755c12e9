/* refuse: the size of the buffer in bytes where words are expected */
#include "gpucmd.h"

size_t first(void);

size_t first(void)
{
    uint32_t buf[16];
    gpucmd_writer w;
#ifdef FIXED
    gpucmd_writer_init(&w, buf, sizeof buf / 4);
#else
    gpucmd_writer_init(&w, buf, sizeof buf);
#endif
    return (size_t)(w.end - w.cur);
}

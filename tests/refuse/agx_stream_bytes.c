/* refuse: the size of a stream's buffer in bytes where words are expected */
#include "gpucmd_agx.h"

size_t first(void);

size_t first(void)
{
    uint32_t buf[16];
    gpucmd_agx_stream s;
#ifdef FIXED
    gpucmd_agx_stream_init(&s, buf, sizeof buf / 4);
#else
    gpucmd_agx_stream_init(&s, buf, sizeof buf);
#endif
    return (size_t)(s.w.end - s.w.cur);
}

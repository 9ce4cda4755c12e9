/* Words written through the library, for rows P1 to P6 and P8. The builds with other flags contain
 * only lib_s, under the name NAME. */
#include "nv.h"

GPUCMD_INLINE void s(gpucmd_writer *w, const uint32_t *v)
{
    gpucmd_nv_emit_inc5(w, 0, 0x005c, v[0], v[1], v[2], v[3], v[4]);
    gpucmd_nv_emit_immd(w, 0, 0x0078, 1);
    gpucmd_nv_emit_inc3(w, 4, 0x0400, v[5], v[6], v[7]);
}

#ifndef NAME
#define NAME lib_s
#define ALL
#endif

size_t NAME(uint32_t *dst, size_t cap_dw, size_t units, const uint32_t *v)
{
    gpucmd_writer w;
    size_t len_dw = 0;
    gpucmd_writer_init(&w, dst, cap_dw);
    for (size_t i = 0; i < units; i++) {
        s(&w, v);
    }
    return gpucmd_writer_finish(&w, &len_dw) == GPUCMD_OK ? len_dw : 0;
}

#ifdef ALL
/* Write unit S with one reserve for all its words. */
GPUCMD_INLINE void group(gpucmd_writer *w, const uint32_t *v)
{
    enum { N = GPUCMD_NV_INC_DW(5) + GPUCMD_NV_IMMD_DW + GPUCMD_NV_INC_DW(3) };
    uint32_t *at = gpucmd_writer_reserve(w, N);
    if (at != NULL) {
        at[0] = GPUCMD_NV_INC(0, 0x005c, 5);
        at[1] = v[0];
        at[2] = v[1];
        at[3] = v[2];
        at[4] = v[3];
        at[5] = v[4];
        at[6] = GPUCMD_NV_IMMD(0, 0x0078, 1);
        at[7] = GPUCMD_NV_INC(4, 0x0400, 3);
        at[8] = v[5];
        at[9] = v[6];
        at[10] = v[7];
        gpucmd_writer_commit(w, N);
    }
}

size_t lib_s_reserve(uint32_t *dst, size_t cap_dw, size_t units, const uint32_t *v)
{
    gpucmd_writer w;
    size_t len_dw = 0;
    gpucmd_writer_init(&w, dst, cap_dw);
    for (size_t i = 0; i < units; i++) {
        group(&w, v);
    }
    return gpucmd_writer_finish(&w, &len_dw) == GPUCMD_OK ? len_dw : 0;
}

size_t lib_m(uint32_t *dst, size_t cap_dw, size_t units, const uint32_t *v)
{
    gpucmd_writer w;
    size_t len_dw = 0;
    gpucmd_writer_init(&w, dst, cap_dw);
    for (size_t i = 0; i < units; i++) {
        s(&w, v);
        gpucmd_nv_emit_one_inc(&w, 1, 0x1b00, v + 8, 16);
        gpucmd_nv_emit_non_inc(&w, 4, 0x01b4, v + 24, 64);
    }
    return gpucmd_writer_finish(&w, &len_dw) == GPUCMD_OK ? len_dw : 0;
}

/* lib_unit and its variant with one reserve emit one unit through the writer of the caller. */
void lib_unit(gpucmd_writer *w, const uint32_t *v)
{
    s(w, v);
}

void lib_unit_reserve(gpucmd_writer *w, const uint32_t *v)
{
    group(w, v);
}

/* Push entries one at a time. The compiler must treat each push as a separate submission. */
uint64_t lib_push(gpucmd_nv_gpfifo *fifo, const uint64_t *va, const uint32_t *len_dw, size_t n)
{
    uint64_t bad = 0;
    for (size_t i = 0; i < n; i++) {
        bad += gpucmd_nv_gpfifo_push(fifo, va[i], len_dw[i], 0) != GPUCMD_OK;
        __asm__ __volatile__("" : : : "memory");
    }
    return bad;
}
#endif

/* Rows P16a, P16b and P16e.
 *   P16a  an out-of-line function that writes a method run of two words known at run time
 *   P16b  the code of a firmware that runs the pusher and decodes single commands
 *   P16e  the code of a firmware that submits segments through a GPFIFO and decodes single
 *         commands */
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"

void writer_probe(gpucmd_writer *w, uint32_t a, uint32_t b);
gpucmd_status decode_probe(const uint32_t *dw, size_t avail_dw, const gpucmd_nv_gate *gate,
                           gpucmd_nv_cmd *cmd);
gpucmd_run core_probe(gpucmd_nv_pusher *p, const gpucmd_env *env, uint64_t budget,
                      const uint32_t *dw, const gpucmd_nv_gate *gate, gpucmd_nv_cmd *cmd);
gpucmd_status push_probe(gpucmd_nv_gpfifo *fifo, uint64_t va, uint32_t len_dw, uint32_t flags);
gpucmd_status ring_probe(gpucmd_nv_gpfifo *fifo, const uint32_t *dw, gpucmd_nv_gate *gate,
                         gpucmd_nv_cmd *cmd);

void writer_probe(gpucmd_writer *w, uint32_t a, uint32_t b)
{
    gpucmd_nv_emit_inc2(w, 0, 0x0100, a, b);
}

gpucmd_status decode_probe(const uint32_t *dw, size_t avail_dw, const gpucmd_nv_gate *gate,
                           gpucmd_nv_cmd *cmd)
{
    return gpucmd_nv_decode(dw, avail_dw, gate, cmd);
}

/* Entry point for the link of P16b. */
gpucmd_run core_probe(gpucmd_nv_pusher *p, const gpucmd_env *env, uint64_t budget,
                      const uint32_t *dw, const gpucmd_nv_gate *gate, gpucmd_nv_cmd *cmd)
{
    (void)decode_probe(dw, 1, gate, cmd);
    (void)gpucmd_nv_pusher_step(p, env);
    return gpucmd_nv_pusher_run(p, env, budget);
}

/* The ring is inline; it is part of the measured size. */
gpucmd_status push_probe(gpucmd_nv_gpfifo *fifo, uint64_t va, uint32_t len_dw, uint32_t flags)
{
    const gpucmd_status status = gpucmd_nv_gpfifo_push(fifo, va, len_dw, flags);
    gpucmd_nv_gpfifo_submit(fifo);
    return status;
}

/* Entry point for the link of P16e. */
gpucmd_status ring_probe(gpucmd_nv_gpfifo *fifo, const uint32_t *dw, gpucmd_nv_gate *gate,
                         gpucmd_nv_cmd *cmd)
{
    gpucmd_status status = gpucmd_nv_gate_init(gate, fifo->chip, true, true, GPUCMD_NV_FMT_NEW);
    if (status == GPUCMD_OK) {
        status = decode_probe(dw, 1, gate, cmd);
    }
    return status == GPUCMD_OK ? push_probe(fifo, 0x1000, 1, 0) : status;
}

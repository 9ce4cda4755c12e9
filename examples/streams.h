/* streams.h - one small stream of each vendor, written and executed; for linux/ and firmware/.
 *
 * Each function appends one line to a text and returns true if the stream did
 * what it says. Nothing here needs a C library, an allocation or a float.
 */

#ifndef STREAMS_H
#define STREAMS_H

#include "gpucmd_nv.h"
#include "gpucmd_i915.h"
#include "gpucmd_agx.h"

#define STREAMS_VA 0x1000000000ull

/* GPU memory of both streams: the words at byte 0, the result at byte 512. */
static uint64_t streams_qw[128];
enum { STREAMS_RESULT = 512, STREAMS_RING = 768 };

static bool streams_line(gpucmd_text *t, const char *vendor, size_t words, gpucmd_run run,
                         uint32_t result, uint32_t expected)
{
    gpucmd_text_str(t, vendor);
    gpucmd_text_dec(t, words);
    gpucmd_text_str(t, " words, run ");
    gpucmd_text_str(t, gpucmd_run_name(run));
    gpucmd_text_str(t, ", result ");
    gpucmd_text_dec(t, result);
    gpucmd_text_char(t, '\n');
    return run == GPUCMD_RUN_IDLE && result == expected;
}

static gpucmd_status streams_mem(gpucmd_mem *mem, gpucmd_region *region, uint64_t va)
{
    region->va = va;
    region->bytes = sizeof streams_qw;
    region->host = streams_qw;
    region->access_mask = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
    return gpucmd_mem_init(mem, region, 1);
}

/* NVIDIA, GA102: one IB entry names words that release a semaphore with 7. */
static bool streams_nv(gpucmd_text *t)
{
    static gpucmd_nv_channel channel;
    uint8_t *const bytes = (uint8_t *)streams_qw;
    uint32_t dw[32], entry[2];
    gpucmd_region region;
    gpucmd_nv_card card;
    gpucmd_env env;
    gpucmd_mem mem;
    gpucmd_writer w;
    gpucmd_run run;
    size_t len_dw = 0;
    gpucmd_writer_init(&w, dw, 32);
    gpucmd_nv_emit_sem_release(&w, GPUCMD_NV_CHIP_GA102, STREAMS_VA + STREAMS_RESULT, 7, 0);
    if (gpucmd_writer_finish(&w, &len_dw) != GPUCMD_OK ||
        streams_mem(&mem, &region, STREAMS_VA) != GPUCMD_OK ||
        gpucmd_nv_channel_init(&channel, GPUCMD_NV_CHIP_GA102, &card) != GPUCMD_OK ||
        gpucmd_nv_encode_entry(entry, GPUCMD_NV_CHIP_GA102, STREAMS_VA, (uint32_t)len_dw, 0) !=
            GPUCMD_OK) {
        return false;
    }
    gpucmd_store_words(bytes, dw, len_dw, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store_words(bytes + STREAMS_RING, entry, 2, GPUCMD_LITTLE_ENDIAN);
    channel.pbdma.gp_base = STREAMS_VA + STREAMS_RING;
    channel.pbdma.limit2 = 1;
    channel.pbdma.gp_put = 1;
    gpucmd_nv_card_init(&card);
    gpucmd_env_init(&env, &mem, NULL, NULL);
    run = gpucmd_nv_channel_run(&channel, &env, 100);
    return streams_line(t, "nv: ", len_dw, run,
                        gpucmd_load32(bytes + STREAMS_RESULT, GPUCMD_LITTLE_ENDIAN), 7);
}

/* Intel, gen9: a batch loads 5 into register 0, adds it to itself, stores the sum. */
static bool streams_i915(gpucmd_text *t)
{
    static const uint32_t alu[] = {
        GPUCMD_I915_ALU(GPUCMD_I915_ALU_LOAD, GPUCMD_I915_ALU_SRCA, 0),
        GPUCMD_I915_ALU(GPUCMD_I915_ALU_LOAD, GPUCMD_I915_ALU_SRCB, 0),
        GPUCMD_I915_ALU(GPUCMD_I915_ALU_ADD, 0, 0),
        GPUCMD_I915_ALU(GPUCMD_I915_ALU_STORE, 1, GPUCMD_I915_ALU_ACCU),
    };
    static gpucmd_i915_cs cs;
    uint8_t *const bytes = (uint8_t *)streams_qw;
    const gpucmd_i915_gen gen = GPUCMD_I915_GEN9;
    uint32_t dw[32];
    gpucmd_region region;
    gpucmd_mem mem;
    gpucmd_env env;
    gpucmd_writer w;
    gpucmd_run run;
    size_t len_dw = 0;
    if (streams_mem(&mem, &region, 0x10000) != GPUCMD_OK ||
        gpucmd_i915_cs_init(&cs, gen, GPUCMD_I915_RCS, 0) != GPUCMD_OK) {
        return false;
    }
    gpucmd_writer_init(&w, dw, 32);
    gpucmd_i915_emit_mi_load_register_imm1(&w, gen, 0, GPUCMD_I915_GPR(cs.base, 0, 0), 5);
    gpucmd_i915_emit_mi_math(&w, gen, 0, alu, 4);
    gpucmd_i915_emit_mi_store_register_mem(&w, gen, 0, GPUCMD_I915_GPR(cs.base, 1, 0),
                                           0x10000 + STREAMS_RESULT);
    gpucmd_i915_emit_mi_batch_buffer_end(&w, gen, 0);
    if (gpucmd_writer_finish(&w, &len_dw) != GPUCMD_OK ||
        gpucmd_i915_cs_batch(&cs, 0x10000, false) != GPUCMD_OK) {
        return false;
    }
    gpucmd_store_words(bytes, dw, len_dw, GPUCMD_LITTLE_ENDIAN);
    gpucmd_env_init(&env, &mem, NULL, NULL);
    run = gpucmd_i915_cs_run(&cs, &env, 100);
    return streams_line(t, "i915: ", len_dw, run,
                        gpucmd_load32(bytes + STREAMS_RESULT, GPUCMD_LITTLE_ENDIAN), 10);
}

/* Apple: a compute command that waits for a render command; 2 + 3 + 4 units of time. */
static bool streams_agx(gpucmd_text *t)
{
    static uint32_t dw[256];
    static struct gpucmd_drm_asahi_cmd_render r;
    static struct gpucmd_drm_asahi_cmd_compute c;
    static gpucmd_agx_job job;
    static gpucmd_agx_exec_queue queues[1];
    static gpucmd_agx_exec_job jobs[1];
    static gpucmd_agx_slot slots[GPUCMD_AGX_RINGS * GPUCMD_AGX_RING_ENTRIES];
    static gpucmd_agx_exec x;
    const gpucmd_agx_exec_tables tables = {queues, 1, jobs, 1, slots, GPUCMD_AGX_RING_ENTRIES,
                                           NULL,   0, NULL, 0};
    const gpucmd_agx_submission submission = {&job, NULL, 0, 0, NULL, 0};
    gpucmd_agx_stream s;
    gpucmd_agx_finding finding;
    gpucmd_run run;
    size_t len_bytes = 0;
    uint32_t slot;
    gpucmd_agx_render_init(&r, 0x1500020000u, 1920, 1080);
    gpucmd_agx_compute_init(&c, 0x1500010000u, 0x1500010080u);
    gpucmd_agx_stream_init(&s, dw, 256);
    gpucmd_agx_emit_render(&s, GPUCMD_DRM_ASAHI_BARRIER_NONE, GPUCMD_DRM_ASAHI_BARRIER_NONE, &r);
    gpucmd_agx_emit_compute(&s, gpucmd_agx_after_render(&s, 1), GPUCMD_DRM_ASAHI_BARRIER_NONE, &c);
    if (gpucmd_agx_stream_finish(&s, &len_bytes) != GPUCMD_OK ||
        gpucmd_agx_parse_stream((const uint8_t *)dw, len_bytes, NULL, &job, &finding) !=
            GPUCMD_OK ||
        gpucmd_agx_exec_init(&x, &tables) != GPUCMD_OK) {
        return false;
    }
    x.durations.ring[GPUCMD_AGX_RING_COMPUTE] = 4;
    x.durations.ring[GPUCMD_AGX_RING_VERTEX] = 2;
    x.durations.ring[GPUCMD_AGX_RING_FRAGMENT] = 3;
    if (gpucmd_agx_exec_submit(&x, gpucmd_agx_exec_queue_open(&x, 1), &submission, &slot) !=
        GPUCMD_OK) {
        return false;
    }
    run = gpucmd_agx_exec_run(&x, NULL, 100);
    return streams_line(t, "agx: ", len_bytes / 4, run, (uint32_t)x.now, 9);
}

#endif

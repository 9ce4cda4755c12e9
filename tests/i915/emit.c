/* Words of emitters whose words no kernel's sequence in i915/encode.c has: one value of each argument, in
 * each form, from the fields of the sources. [K] [GX] [LD] [MD] */
#include "gpucmd_i915.h"
#include "test.h"

#define G(n)    GPUCMD_I915_GEN##n
#define REFUSED GPUCMD_UNSUPPORTED

/* An emitter, then its encoder: it stores the same words, or nothing if it refuses. */
#define E(name, g, ...)                                                                            \
    gpucmd_i915_emit_##name(&w, G(g), __VA_ARGS__);                                                \
    memset(encoded, 0x5a, sizeof encoded);                                                         \
    same_words(gpucmd_i915_encode_##name(encoded, G(g), __VA_ARGS__))

static uint32_t encoded[16], untouched[16];

static void same_words(gpucmd_status status)
{
    const size_t n = status == GPUCMD_OK ? gpucmd_writer_need_dw(&w) : 0;
    memset(untouched, 0x5a, sizeof untouched);
    EQUAL(w.status == GPUCMD_FULL ? GPUCMD_OK : w.status, status);
    CHECK(w.base == NULL || w.status != GPUCMD_OK || memcmp(encoded, test.words + 1, 4 * n) == 0);
    EQUAL(memcmp(encoded + n, untouched, sizeof encoded - 4 * n), 0);
}

static void single_words(void)
{
    EMITS(WORDS(0x0080000f), E(mi_set_predicate, 8, 0xf));
    EMITS(WORDS(0x00800003), E(mi_set_predicate, 7_5, 3));
    EMITS(WORDS(0x00800020), E(mi_set_predicate, 12_5, 0x20));
    FAILS(REFUSED, E(mi_set_predicate, 7, 0));
    FAILS(GPUCMD_RANGE, E(mi_set_predicate, 7_5, 4));
    EMITS(WORDS(0x01000000), E(mi_user_interrupt, 2, 0));
    FAILS(GPUCMD_RANGE, E(mi_user_interrupt, 30, 1));
    EMITS(WORDS(0x01800004), E(mi_wait_for_event, 2, 4));
    EMITS(WORDS(0x01802028), E(mi_wait_for_event, 6, 0x2028));
    EMITS(WORDS(0x01a00000), E(mi_wait_for_event, 30, 0x200000));
    FAILS(GPUCMD_RANGE, E(mi_wait_for_event, 8, 0x2000));
    EMITS(WORDS(0x02000004), E(mi_flush, 2, 4));
    FAILS(REFUSED, E(mi_flush, 11, 0));
    EMITS(WORDS(0x0200773f), E(mi_wait_for_event_2, 11, 0x773f));
    FAILS(REFUSED, E(mi_wait_for_event_2, 9, 0));
    EMITS(WORDS(0x02800000), E(mi_arb_check, 4, 0));
    EMITS(WORDS(0x02800101), E(mi_arb_check, 12, 0x101));
    FAILS(GPUCMD_RANGE, E(mi_arb_check, 11, 1));
    FAILS(REFUSED, E(mi_arb_check, 3, 0));
    EMITS(WORDS(0x03000001), E(mi_rs_control, 7_5, 1));
    FAILS(REFUSED, E(mi_rs_control, 7, 0));
    EMITS(WORDS(0x03800000), E(mi_report_head, 2, 0));
    EMITS(WORDS(0x04000001), E(mi_arb_on_off, 3, 1));
    EMITS(WORDS(0x04000003), E(mi_arb_on_off, 11, 3));
    FAILS(REFUSED, E(mi_arb_on_off, 2, 0));
    EMITS(WORDS(0x048ff1ff), E(mi_urb_atomic_alloc, 9, 0xff1ff));
    FAILS(REFUSED, E(mi_urb_atomic_alloc, 11, 0));
    EMITS(WORDS(0x04800003), E(mi_mem_fence, 20, 3));
    FAILS(REFUSED, E(mi_mem_fence, 12_7, 0));
    EMITS(WORDS(0x05800001), E(mi_suspend_flush, 5, 1));
    FAILS(REFUSED, E(mi_suspend_flush, 4_5, 0));
    EMITS(WORDS(0x060000c2), E(mi_predicate, 7, 0xc2));
    FAILS(REFUSED, E(mi_predicate, 6, 0));
    EMITS(WORDS(0x0680003f), E(mi_topology_filter, 7, 0x3f));
    FAILS(REFUSED, E(mi_topology_filter, 6, 0));
    EMITS(WORDS(0x0700008f), E(mi_set_appid, 12, 0x8f));
    FAILS(REFUSED, E(mi_set_appid, 6, 0));
    EMITS(WORDS(0x07800001), E(mi_rs_context, 7_5, 1));
    FAILS(REFUSED, E(mi_rs_context, 7, 0));
}

static void two_words(void)
{
    EMITS(WORDS(0x08a00000, 0x12345678), E(mi_overlay_flip, 2, 0x200000, 0x12345678));
    FAILS(REFUSED, E(mi_overlay_flip, 4, 0, 0));
    EMITS(WORDS(0x09260000, 0x10231fff), E(mi_load_scan_lines_incl, 8, 0x260000, 0x10231fff));
    EMITS(WORDS(0x09100000, 0x00230045), E(mi_load_scan_lines_incl, 2, 0x100000, 0x00230045));
    EMITS(WORDS(0x09a00000, 0x00230045), E(mi_load_scan_lines_excl, 30, 0x200000, 0x00230045));
    FAILS(GPUCMD_RANGE, E(mi_load_scan_lines_excl, 8, 0x20000, 0));
    FAILS(GPUCMD_RANGE, E(mi_load_scan_lines_excl, 8, 0, 0x2000));
    EMITS(WORDS(0x0b800000, 0x89abcdef), E(mi_vertex_buffer, 2, 0, 0x89abcdef));
    FAILS(REFUSED, E(mi_vertex_buffer, 3, 0, 0));
    EMITS(WORDS(0x0c800000, 0x1fff3fff), E(mi_urb_clear, 6, 0, 0x1fff3fff));
    EMITS(WORDS(0x0c800000, 0x3fff7fff), E(mi_urb_clear, 8, 0, 0x3fff7fff));
    FAILS(GPUCMD_RANGE, E(mi_urb_clear, 7, 0, 0x20000000));
    FAILS(GPUCMD_RANGE, E(mi_urb_clear, 7, 1, 0));
    FAILS(REFUSED, E(mi_urb_clear, 9, 0, 0));
    EMITS(WORDS(0x0da18000, 0x89abcdef), E(mi_semaphore_signal, 8, 0x218000, 0x89abcdef));
    EMITS(WORDS(0x0d878000, 7), E(mi_semaphore_signal, 11, 0x78000, 7));
    FAILS(GPUCMD_RANGE, E(mi_semaphore_signal, 9, 0x40000, 0));
    FAILS(REFUSED, E(mi_semaphore_signal, 7_5, 0, 0));
    EMITS(WORDS(0x0e800000, 0x00030003), E(mi_force_wakeup, 9, 0, 0x00030003));
    EMITS(WORDS(0x0e800000, 0x03000200), E(mi_force_wakeup, 12, 0, 0x03000200));
    FAILS(GPUCMD_RANGE, E(mi_force_wakeup, 11, 0, 0x100));
    FAILS(REFUSED, E(mi_force_wakeup, 8, 0, 0));
}

static void memory(void)
{
    EMITS(WORDS(0x10a00001, 0x7fc, 5), E(mi_store_data_index, 8, 0x200000, 0x7fc, 5));
    EMITS(WORDS(0x10a00002, 0x7f8, 5, 6),
          E(mi_store_data_index_qw, 8, 0x200000, 0x7f8, 0x600000005));
    FAILS(GPUCMD_RANGE, E(mi_store_data_index_qw, 7, 0x200000, 0, 0));
    FAILS(GPUCMD_RANGE, E(mi_store_data_index, 9, 0, 0x1000, 0));
    FAILS(GPUCMD_RANGE, E(mi_store_data_index, 9, 0, 0x42, 0));
    EMITS(WORDS(0x11c00004, 0xabcde000, 1, 2, 3, 4),
          E(mi_update_gtt, 6, 0x400000, 0xabcde000, (const uint32_t[]){1, 2, 3, 4}, 4));
    EMITS(WORDS(0x11800001, 0xabcde000, 1),
          E(mi_update_gtt, 9, 0, 0xabcde000, (const uint32_t[]){1}, 1));
    FAILS(GPUCMD_RANGE, E(mi_update_gtt, 8, 0x400000, 0x1000, (const uint32_t[]){1}, 1));
    FAILS(REFUSED, E(mi_update_gtt, 4, 0, 0, (const uint32_t[]){1}, 1));
    FAILS(REFUSED, E(mi_update_gtt, 11, 0, 0, (const uint32_t[]){1}, 1));
    EMITS(WORDS(0x13010201, 0, 0), E(mi_flush_dw_short, 12_5, 0x10200, 0));
    EMITS(WORDS(0x13004003, 0x12340, 1, 0x2a, 0x2b),
          E(mi_flush_dw_qw, 9, 0x4000, 0x100012340, 0x2b0000002a));
    EMITS(WORDS(0x13004002, 0x12344, 0x2a, 0x2b),
          E(mi_flush_dw_qw, 6, 0x4000, 0x12344, 0x2b0000002a));
    FAILS(REFUSED, E(mi_flush_dw_qw, 5, 0x4000, 0x12340, 0));
    EMITS(WORDS(0x13c00001, 0xabcdefc0, 0), E(mi_clflush, 6, 0x400000, 0xabcdefc0, 1));
    EMITS(WORDS(0x13800002, 0xabcdefc0, 0x1234, 0), E(mi_clflush, 8, 0, 0x1234abcdefc0, 1));
    FAILS(GPUCMD_RANGE, E(mi_clflush, 8, 0, 0x1234abcdefc0, 0));
    EMITS(WORDS(0x13800003, 0xabcdefc0, 0, 0, 0), E(mi_clflush, 8, 0, 0xabcdefc0, 2));
    FAILS(REFUSED, E(mi_clflush, 5, 0, 0, 1));
    EMITS(WORDS(0x14000001, 0x123451, 9), E(mi_report_perf_count, 7, 0, 0x123451, 9));
    EMITS(WORDS(0x14000002, 0x12351, 1, 9), E(mi_report_perf_count, 8, 0, 0x100012351, 9));
    FAILS(REFUSED, E(mi_report_perf_count, 4_5, 0, 0, 0));
    EMITS(WORDS(0x14e00001, 0x2358, 0x12344),
          E(mi_load_register_mem, 7, 0x600000, 0x2358, 0x12344));
    EMITS(WORDS(0x14ea0002, 0x3a8, 0x12340, 1),
          E(mi_load_register_mem, 12, 0x6a0000, 0x3a8, 0x100012340));
    FAILS(REFUSED, E(mi_load_register_mem, 6, 0, 0, 0));
    EMITS(WORDS(0x126a0002, 0x3a8, 0x12340, 1),
          E(mi_store_register_mem, 12, 0x6a0000, 0x3a8, 0x100012340));
    EMITS(WORDS(0x15040001, 0x600, 0x7018), E(mi_load_register_reg, 11, 0x40000, 0x600, 0x7018));
    EMITS(WORDS(0x15800002, 0, 0x12344, 9), E(mi_rs_store_data_imm, 7_5, 0, 0x12344, 9));
    EMITS(WORDS(0x15800002, 0x12344, 1, 9), E(mi_rs_store_data_imm, 8, 0, 0x100012344, 9));
    FAILS(REFUSED, E(mi_rs_store_data_imm, 7, 0, 0, 0));
    FAILS(GPUCMD_ALIGN, E(mi_rs_store_data_imm, 8, 0, 0x1001, 0));
    FAILS(GPUCMD_ALIGN, E(mi_rs_store_data_imm, 8, 0, 0x1002, 0));
    EMITS(WORDS(0x16000001, 0x7ffc, 0x12340), E(mi_load_urb_mem, 7_5, 0, 0x7ffc, 0x12340));
    EMITS(WORDS(0x16000002, 0x7ffc, 0x12340, 1), E(mi_load_urb_mem, 8, 0, 0x7ffc, 0x100012340));
    FAILS(REFUSED, E(mi_load_urb_mem, 11, 0, 0, 0));
    EMITS(WORDS(0x16800001, 0x7ffc, 0x12340), E(mi_store_urb_mem, 7_5, 0, 0x7ffc, 0x12340));
    EMITS(WORDS(0x16800002, 0x7ffc, 0x12340, 1), E(mi_store_urb_mem, 9, 0, 0x7ffc, 0x100012340));
    FAILS(GPUCMD_RANGE, E(mi_store_urb_mem, 9, 0, 0x8000, 0));
    EMITS(WORDS(0x17600003, 0x100000, 1, 0x200000, 2),
          E(mi_copy_mem_mem, 8, 0x600000, 0x100100000, 0x200200000));
    EMITS(WORDS(0x17c10501, 0x12340, 1), E(mi_atomic, 8, 0x410500, 0x100012340));
    FAILS(GPUCMD_RANGE, E(mi_atomic, 8, 0x410500 | 0x40000, 0x100012340));
    EMITS(WORDS(0x17800501, 0x12340, 0), E(mi_atomic, 8, 0x500, 0x12340));
    FAILS(REFUSED, E(mi_atomic, 7_5, 0x500, 0));
    EMITS(WORDS(0x1b645002, 7, 0x12340, 1),
          E(mi_conditional_batch_buffer_end, 12, 0x645000, 7, 0x100012340));
    EMITS(WORDS(0x40000006, 0x1000, 1, 64, 0x2000, 2, 128, 0),
          E(gsc_heci_cmd_pkt, 12_7, 0, 0x100001000, 64, 0x200002000, 128));
    EMITS(WORDS(0x40400002, 0x1000, 1, 0x80000400),
          E(gsc_fw_load, 12_7, 0, 0x100001000, 0x80000400));
    FAILS(REFUSED, E(gsc_fw_load, 12_5, 0, 0, 0));
}

/* The header has no constant for a size that depends on the generation or on data: a constant of
 * its name in this file is the only one. */
#define NO_SIZE(name)             GPUCMD_I915_##name##_DW, GPUCMD_I915_##name##_LEN_DW
#define NO_SIZE_ROW(x, name, ...) NO_SIZE(name),
/* clang-format off */
enum {
    GPUCMD_I915_BLTS(NO_SIZE_ROW, )
    NO_SIZE(MI_DISPLAY_FLIP), NO_SIZE(MI_MATH), NO_SIZE(MI_STORE_DATA_IMM),
    NO_SIZE(MI_STORE_DATA_IMM_QW), NO_SIZE(MI_STORE_DATA_IMM_WORDS), NO_SIZE(MI_LOAD_REGISTER_IMM),
    NO_SIZE(MI_UPDATE_GTT), NO_SIZE(MI_STORE_REGISTER_MEM), NO_SIZE(MI_FLUSH_DW),
    NO_SIZE(MI_FLUSH_DW_QW), NO_SIZE(MI_CLFLUSH), NO_SIZE(MI_REPORT_PERF_COUNT),
    NO_SIZE(MI_LOAD_REGISTER_MEM), NO_SIZE(MI_LOAD_URB_MEM), NO_SIZE(MI_STORE_URB_MEM),
    NO_SIZE(MI_BATCH_BUFFER_START), NO_SIZE(MI_CONDITIONAL_BATCH_BUFFER_END), NO_SIZE(PIPE_CONTROL),
    NO_SIZE(PIPE_CONTROL_SHORT),
    GPUCMD_I915_MI_FLUSH_DW /* the size of MI_FLUSH has another name */
};
/* clang-format on */

/* GPUCMD_I915_DISPATCH_DW is the most that gpucmd_i915_emit_dispatch appends. Xe starts a batch so on
 * gen20. [XEK] */
static void sizes(void)
{
    gpucmd_i915_target t;
    memset(&t, 0, sizeof t);
    t.gen = G(20);
    EMITS(WORDS(0x18800101, 0x1000, 1, 0x04000000),
          gpucmd_i915_emit_dispatch(&w, &t, false, 0x100001000));
    EQUAL(GPUCMD_I915_DISPATCH_DW(G(30)), 4);
    EQUAL(GPUCMD_I915_DISPATCH_DW(G(12_7)), 12);
    EQUAL(GPUCMD_I915_DISPATCH_DW(G(12)), 6);
    EQUAL(GPUCMD_I915_DISPATCH_DW(G(7_5)), 2);
    EQUAL(GPUCMD_I915_MI_CLFLUSH_DW(G(7), 2), 5);
    EQUAL(GPUCMD_I915_MI_CLFLUSH_DW(G(6), 2), 4);
}

/* Flags of a first-level batch without rights: PPGTT, bit 8; on Haswell's render engine also
 * NON_PRIVILEGED, bit 13. With rights: none. [K] */
static void batch_flags(void)
{
    static const struct {
        gpucmd_i915_gen gen;
        gpucmd_i915_engine engine;
        bool secure;
        uint32_t flags;
    } rows[] = {
        {G(6),   GPUCMD_I915_RCS, false, 0x100 },
        {G(7_5), GPUCMD_I915_RCS, false, 0x2100},
        {G(7_5), GPUCMD_I915_BCS, false, 0x100 },
        {G(7_5), GPUCMD_I915_RCS, true,  0     },
        {G(9),   GPUCMD_I915_RCS, false, 0x100 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t bits = 1;
        EQUAL(gpucmd_i915_batch_start_flags(rows[i].gen, rows[i].engine, rows[i].secure, &bits),
              rows[i].flags);
        EQUAL(bits, 0);
    }
}

int main(void)
{
    sizes();
    batch_flags();
    single_words();
    two_words();
    memory();
    return test_report("i915_emit");
}

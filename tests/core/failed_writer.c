/* core/failed_writer.c - gpucmd_print_writer prints which command failed, at which word and why,
 * for each vendor. */
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_agx.h"
#include "gpucmd_i915.h"
#include "gpucmd_nv.h"
#include "test.h"

static uint32_t buf[16];

/* Return whether the printed line of writer v is want. */
static bool says(const gpucmd_writer *v, gpucmd_command_fn command_dw, const void *rules,
                 const char *want)
{
    char line[128];
    gpucmd_text t;
    gpucmd_text_init(&t, line, sizeof line);
    gpucmd_print_writer(&t, v, command_dw, rules);
    if (strcmp(line, want) != 0) {
        printf("%s", line);
    }
    return strcmp(line, want) == 0;
}

static size_t avail[4]; /* avail_dw of the last calls of plain_dw, the latest first */

/* Size of a command in a format where the first word is the size; 0 is invalid. */
static size_t plain_dw(const void *rules, const uint32_t *words, size_t avail_dw)
{
    CHECK(rules == buf);
    memmove(avail + 1, avail, sizeof avail - sizeof avail[0]);
    avail[0] = avail_dw;
    return words[0] < avail_dw ? words[0] : avail_dw;
}

static void core(void)
{
    static const uint32_t two[2] = {2, 0}, three[3] = {3, 0, 0}, zero[1] = {0};
    gpucmd_writer_init(&w, buf, 6);
    CHECK(says(&w, plain_dw, buf, "OK: 0 words, 0 commands\n"));
    gpucmd_writer_emit_words(&w, two, 2);
    gpucmd_writer_emit_words(&w, zero, 1);
    CHECK(says(&w, plain_dw, buf, "OK: 3 words, 2 commands\n"));
    /* "avail_dw": the words from the command to the end of what was written */
    CHECK(avail[1] == 3 && avail[0] == 1);
    gpucmd_writer_emit_words(&w, three, 3);
    CHECK(says(&w, NULL, NULL, "OK: 6 words\n"));
    gpucmd_writer_emit_words(&w, two, 2);
    EQUAL(gpucmd_writer_commands(&w, plain_dw, buf), 3);
    CHECK(avail[2] == 6 && avail[1] == 4 && avail[0] == 3);
    CHECK(says(&w, plain_dw, buf,
               "FULL at word 6, command 3: no room in the buffer; 8 words needed so far\n"));
    CHECK(says(&w, NULL, NULL, "FULL at word 6: no room in the buffer; 8 words needed so far\n"));
    gpucmd_writer_init(&w, NULL, 0);
    gpucmd_writer_emit_words(&w, two, 2);
    gpucmd_writer_patch(&w, 2, 0);
    EQUAL(gpucmd_writer_commands(&w, plain_dw, buf), 0);
    CHECK(says(&w, plain_dw, buf, "RANGE at word 2: value is outside its field or table\n"));
}

static void vendors(void)
{
    gpucmd_nv_gate gate;
    gpucmd_i915_cmdset cmdset;
    struct gpucmd_drm_asahi_cmd_compute compute;
    gpucmd_agx_stream s;
    CHECK(gpucmd_nv_gate_init(&gate, GPUCMD_NV_CHIP_GA102, true, false, GPUCMD_NV_FMT_NEW) ==
          GPUCMD_OK);
    gpucmd_writer_init(&w, buf, 16);
    gpucmd_nv_emit_inc(&w, 0, 0x100, (uint32_t[]){1, 2, 3}, 3); /* 4 words */
    gpucmd_nv_emit_inc1(&w, 0, 0x100, 7);                       /* 2 words */
    gpucmd_nv_emit_inc1(&w, 9, 0x100, 7);                       /* subchannels end at 7 */
    CHECK(says(&w, gpucmd_nv_command_dw, &gate,
               "RANGE at word 6, command 2: value is outside its field or table\n"));
    CHECK(gpucmd_i915_cmdset_init(&cmdset, GPUCMD_I915_GEN9, GPUCMD_I915_RCS) == GPUCMD_OK);
    gpucmd_writer_init(&w, buf, 5);
    gpucmd_i915_emit_mi_noop(&w, GPUCMD_I915_GEN9, 0);                          /* 1 word */
    gpucmd_i915_emit_mi_load_register_imm1(&w, GPUCMD_I915_GEN9, 0, 0x2358, 1); /* 3 words */
    gpucmd_i915_emit_mi_load_register_imm1(&w, GPUCMD_I915_GEN9, 0, 0x2358, 1);
    CHECK(says(&w, gpucmd_i915_command_dw, &cmdset,
               "FULL at word 4, command 2: no room in the buffer; 7 words needed so far\n"));
    memset(&compute, 0, sizeof compute);
    gpucmd_agx_stream_init(&s, test.words, 100);
    gpucmd_agx_emit_compute(&s, GPUCMD_DRM_ASAHI_BARRIER_NONE, GPUCMD_DRM_ASAHI_BARRIER_NONE,
                            &compute);
    /* barrier 3 names a later command */
    gpucmd_agx_emit_compute(&s, GPUCMD_DRM_ASAHI_BARRIER_NONE, 3, &compute);
    CHECK(says(&s.w, gpucmd_agx_command_dw, NULL,
               "ORDER at word 18, command 1: call or value is not valid at this point\n"));
}

int main(void)
{
    core();
    vendors();
    return test_report("core_failed_writer");
}

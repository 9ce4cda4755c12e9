/* fuzz_nv_decode.c - decode, walk in two segments, print, check.
 *   byte 0  gate    byte 1  end of the first segment    then    words, little-endian */
#include "gpucmd_nv.h"

#include "fuzz.h"

static bool gate_of(gpucmd_nv_gate *gate, uint8_t pick)
{
    static const gpucmd_nv_chip chips[] = {
        GPUCMD_NV_CHIP_NV4, GPUCMD_NV_CHIP_NV10,  GPUCMD_NV_CHIP_NV1A,  GPUCMD_NV_CHIP_NV40,
        GPUCMD_NV_CHIP_G80, GPUCMD_NV_CHIP_MCP89, GPUCMD_NV_CHIP_GF100, GPUCMD_NV_CHIP_GB207};
    const unsigned fmt = pick >> 3 & 3;
    return gpucmd_nv_gate_init(gate, chips[pick & 7], (pick >> 5 & 1) != 0, (pick >> 6 & 1) != 0,
                               fmt == 1   ? GPUCMD_NV_FMT_OLD
                               : fmt == 2 ? GPUCMD_NV_FMT_BOTH
                                          : GPUCMD_NV_FMT_NEW) == GPUCMD_OK;
}

static gpucmd_status on_found(void *user, const gpucmd_nv_finding *finding)
{
    must(gpucmd_nv_rule_name(finding->rule)[0] != '?');
    must(gpucmd_nv_rule_text(finding->rule)[0] != '?');
    if (gpucmd_nv_rule_severity(finding->rule) == GPUCMD_SEVERITY_ERROR) {
        *(size_t *)user += 1;
    }
    return GPUCMD_OK;
}

/* Walk one segment. Commands must have no gap between them and must end with the segment. The quick
 * walk must find an equal number of valid commands, and the first invalid word at that position. */
static void walk_segment(gpucmd_nv_walk *walk, const uint32_t *dw, size_t len_dw)
{
    gpucmd_nv_cmd cmd;
    gpucmd_nv_walk quick = *walk;
    gpucmd_status status;
    size_t valid = 0;
    size_t valid_dw = 0;
    size_t counted = 0;
    size_t at_dw = 0;
    bool bad = false;
    gpucmd_nv_walk_segment(walk, dw, len_dw);
    gpucmd_nv_walk_segment(&quick, dw, len_dw);
    status = gpucmd_nv_walk_valid(&quick, &counted);
    while (gpucmd_nv_walk_next(walk, &cmd)) {
        char buf[4096];
        gpucmd_text t;
        must(cmd.len_dw >= 1 && cmd.len_dw <= len_dw - at_dw && cmd.head_dw <= cmd.len_dw);
        must(cmd.data == dw + at_dw + cmd.head_dw);
        gpucmd_text_init(&t, buf, sizeof buf);
        gpucmd_nv_print(&t, &walk->gate, &cmd, 0xfffffffffffffff0u + at_dw);
        must(t.len_bytes < sizeof buf && t.len_bytes <= t.need_bytes);
        at_dw += cmd.len_dw;
        bad = bad || cmd.form == GPUCMD_NV_FORM_INVALID;
        valid += !bad;
        valid_dw = bad ? valid_dw : at_dw;
    }
    must(at_dw == len_dw);
    must((status == GPUCMD_INVALID) == bad && counted == valid && quick.cur == dw + valid_dw);
    must(bad || gpucmd_nv_walk_pending(&quick) == gpucmd_nv_walk_pending(walk));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gpucmd_nv_gate gate;
    gpucmd_nv_walk walk;
    gpucmd_nv_check_options options = {NULL, NULL, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL, false};
    gpucmd_nv_cmd cmd;
    size_t len_dw;
    size_t cut_dw;
    size_t errors = 0;
    size_t counted = 0;
    uint32_t *dw;
    if (size < 6 || !gate_of(&gate, data[0])) {
        return 0;
    }
    len_dw = (size - 2) / 4;
    cut_dw = data[1] % (len_dw + 1);
    dw = (uint32_t *)malloc(len_dw * 4);
    must(dw != NULL);
    gpucmd_load_words(dw, data + 2, len_dw, GPUCMD_LITTLE_ENDIAN);
    for (size_t i = 0; i < len_dw; i++) {
        const gpucmd_status status = gpucmd_nv_decode(dw + i, len_dw - i, &gate, &cmd);
        must(cmd.len_dw >= 1 && cmd.len_dw <= len_dw - i);
        must((status == GPUCMD_INVALID) == (cmd.form == GPUCMD_NV_FORM_INVALID));
        must(status != GPUCMD_TRUNCATED || cmd.len_dw == len_dw - i);
    }
    gpucmd_nv_walk_init(&walk, &gate, NULL, 0);
    walk_segment(&walk, dw, cut_dw);
    walk_segment(&walk, dw + cut_dw, len_dw - cut_dw);
    options.found = on_found;
    options.user = &counted;
    options.va = 0x1000;
    must(gpucmd_nv_check(&gate, dw, len_dw, &options, &errors) == GPUCMD_OK);
    must(errors == counted);
    if (gate.chip >= GPUCMD_NV_CHIP_G80) {
        const gpucmd_region region = {0x1000, size, (void *)(uintptr_t)data, GPUCMD_ACCESS_READ};
        char buf[512];
        gpucmd_text t;
        gpucmd_mem mem;
        must(gpucmd_mem_init(&mem, &region, 1) == GPUCMD_OK);
        counted = 0;
        options.va = 0x2000;
        options.mem = &mem;
        must(gpucmd_nv_check_entries(&gate, dw, len_dw / 2, &options, &errors) == GPUCMD_OK);
        must(errors == counted);
        gpucmd_text_init(&t, buf, sizeof buf);
        for (size_t i = 0; i + 1 < len_dw; i++) {
            gpucmd_nv_print_entry(&t, gate.chip, dw + i, 0xfffffffffffffff0u);
        }
    }
    free(dw);
    return 0;
}

#define FUZZ_NAME "fuzz_nv_decode"
#include "fuzz_main.h"

/* The words that clients of nouveau submit: --dump, --trace, --check, and their execution with
 * engines switched off. This file uses only the public interface of gpucmd_nv.h. */
#define GPUCMD_STATIC
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"

#include "nouveau.h"

#include <stdlib.h>
#include <string.h>

static gpucmd_nv_gate gate; /* how words are read */

void nouveau_check_start(gpucmd_nv_chip chip)
{
    if (gpucmd_nv_gate_init(&gate, chip, chip >= GPUCMD_NV_CHIP_G80, false, GPUCMD_NV_FMT_NEW) !=
        GPUCMD_OK) {
        abort();
    }
}

/* ---- findings ---- */

/* Report a finding of gpucmd_nv_check. Errors are counted as errors, others as notes. */
static gpucmd_status show_finding(void *user, const gpucmd_nv_finding *finding)
{
    const gpucmd_severity severity = gpucmd_nv_rule_severity(finding->rule);
    (void)user;
    if (finding->rule == GPUCMD_NV_RULE_RETURN_OUTSIDE) {
        return GPUCMD_OK; /* the ring calls each segment */
    }
    if (severity == GPUCMD_SEVERITY_ERROR) {
        shim_error(SHIM_ERRORS, "nouveau: %s at %llx: %08x", gpucmd_nv_rule_name(finding->rule),
                   (unsigned long long)finding->at_va, finding->dw);
    } else {
        shim_count(SHIM_NOTES, 1);
        shim_log("nouveau: %s %s at %llx: %08x", gpucmd_severity_name(severity),
                 gpucmd_nv_rule_name(finding->rule), (unsigned long long)finding->at_va,
                 finding->dw);
    }
    return GPUCMD_OK;
}

/* Report a finding of gpucmd_nv_check_host. Errors are counted as errors, others as notes. */
static gpucmd_status show_host_finding(void *user, const gpucmd_nv_finding *finding)
{
    const gpucmd_severity severity = gpucmd_nv_rule_severity(finding->rule);
    (void)user;
    if (severity == GPUCMD_SEVERITY_ERROR) {
        shim_error(SHIM_ERRORS, "nouveau: %s at word %llx: subc %u mthd %04x value %llx",
                   gpucmd_nv_rule_name(finding->rule), (unsigned long long)finding->at_va / 4,
                   finding->subc, finding->mthd, (unsigned long long)finding->value);
    } else {
        shim_count(SHIM_NOTES, 1);
        shim_log("nouveau: %s %s at word %llx: subc %u mthd %04x value %llx",
                 gpucmd_severity_name(severity), gpucmd_nv_rule_name(finding->rule),
                 (unsigned long long)finding->at_va / 4, finding->subc, finding->mthd,
                 (unsigned long long)finding->value);
    }
    return GPUCMD_OK;
}

static void check_host(const nouveau_stream *s)
{
    gpucmd_nv_stream stream;
    gpucmd_nv_check_options check;
    size_t errors = 0;
    memset(&check, 0, sizeof check);
    memset(&stream, 0, sizeof stream);
    stream.dw = s->dw;
    stream.len_dw = s->len_dw;
    check.found = show_host_finding;
    if (stream.len_dw != 0 &&
        gpucmd_nv_check_host(&gate, &stream, 1, &check, &errors) != GPUCMD_OK) {
        abort();
    }
}

void nouveau_end(nouveau_stream *s)
{
    check_host(s);
    free(s->dw);
    memset(s, 0, sizeof *s);
}

/* ---- segments ---- */

/* Print one command for --trace. */
static void trace_command(const gpucmd_nv_cmd *cmd, uint64_t va)
{
    static char text[1 << 20];
    gpucmd_text t;
    gpucmd_text_init(&t, text, sizeof text);
    gpucmd_nv_print(&t, &gate, cmd, va);
    shim_trace(text);
}

/* Walk a segment and report each word that belongs to no known command. A run may continue in the
 * next segment of the submission. */
static void walk_segment(gpucmd_nv_walk *walk, const uint32_t *dw, size_t len_dw, uint64_t va)
{
    gpucmd_nv_cmd cmd;
    uint64_t commands = 0;
    gpucmd_nv_walk_segment(walk, dw, len_dw);
    while (gpucmd_nv_walk_next(walk, &cmd)) {
        commands++;
        if (cmd.form == GPUCMD_NV_FORM_INVALID) {
            shim_error(SHIM_UNKNOWN, "nouveau: word %08x", cmd.dw);
        }
        if (shim.trace) {
            trace_command(&cmd, va);
        }
        va += 4 * (uint64_t)cmd.len_dw;
    }
    if (shim.execute) {
        shim_count_own(SHIM_COMMANDS, commands);
    }
}

/* Keep the words of a segment for the checks at the end. */
static void keep(nouveau_stream *s, const uint32_t *dw, size_t len_dw)
{
    while (len_dw > s->cap_dw - s->len_dw) {
        s->cap_dw = s->cap_dw != 0 ? 2 * s->cap_dw : 256;
        s->dw = realloc(s->dw, s->cap_dw * sizeof *s->dw);
        if (s->dw == NULL) {
            abort();
        }
    }
    memcpy(s->dw + s->len_dw, dw, len_dw * sizeof *dw);
    s->len_dw += len_dw;
}

void nouveau_look(nouveau_stream *s, const uint32_t *dw, size_t len_dw, uint64_t va)
{
    const uint64_t start_ns = shim_now_ns();
    if (!s->open) {
        s->open = true;
        s->first_dw = s->len_dw;
        s->va = va;
        gpucmd_nv_walk_init(&s->walk, &gate, NULL, 0);
    }
    if (shim.dump != NULL) {
        shim_dump("pb", va, dw, len_dw);
    }
    walk_segment(&s->walk, dw, len_dw, va);
    if (shim.check) {
        shim_count_own(SHIM_BUFFERS, 1);
        shim_count_own(SHIM_WORDS, len_dw);
        keep(s, dw, len_dw);
    }
    shim_count(SHIM_CHECK_NS, shim_now_ns() - start_ns);
}

void nouveau_check(nouveau_stream *s)
{
    uint64_t start_ns;
    gpucmd_nv_check_options options;
    if (!s->open) {
        return;
    }
    start_ns = shim_now_ns();
    s->open = false;
    memset(&options, 0, sizeof options);
    options.found = show_finding;
    options.va = s->va;
    if (gpucmd_nv_walk_pending(&s->walk)) {
        shim_error(SHIM_TRUNCATED, "nouveau: run passes the end of its submission");
    }
    if (shim.check && gpucmd_nv_check(&gate, s->dw + s->first_dw, s->len_dw - s->first_dw, &options,
                                      NULL) != GPUCMD_OK) {
        abort();
    }
    shim_count(SHIM_CHECK_NS, shim_now_ns() - start_ns);
}

/* ---- execution ---- */

/* Accept methods of classes without an engine model: state, draws. A method that an
 * engine model cannot perform has va 0 and is counted as undone. */
gpucmd_status nouveau_methods(void *user, const gpucmd_event *event)
{
    (void)user;
    if (event->kind == GPUCMD_EVENT_METHODS) {
        if (event->va == 0) {
            shim_error(SHIM_UNDONE, "nouveau: subc %u mthd %04x data %08x", event->unit,
                       event->addr, event->data[0]);
        }
        *event->out_dw = event->count_dw;
    }
    return GPUCMD_OK;
}

/* Return the word of GPUCMD_CLIENT_OFF that switches an engine model off. */
static const char *model_word(gpucmd_nv_model model)
{
    switch (model) {
    case GPUCMD_NV_MODEL_M2MF_NV4:
    case GPUCMD_NV_MODEL_M2MF_G80:
    case GPUCMD_NV_MODEL_M2MF_GF100: return "m2mf";
    case GPUCMD_NV_MODEL_INLINE:
    case GPUCMD_NV_MODEL_COMPUTE:
    case GPUCMD_NV_MODEL_COMPUTE_GA102: return "upload";
    case GPUCMD_NV_MODEL_COPY: return "copy";
    case GPUCMD_NV_MODEL_SCALED: return "image";
    case GPUCMD_NV_MODEL_2D_G80:
    case GPUCMD_NV_MODEL_2D_GF100: return "2d";
    case GPUCMD_NV_MODEL_3D_NV30:
    case GPUCMD_NV_MODEL_3D_G80:
    case GPUCMD_NV_MODEL_3D_GF100: return "3d";
    case GPUCMD_NV_MODEL_NONE:
    case GPUCMD_NV_MODEL_SOFTWARE:
    case GPUCMD_NV_MODEL_OTHER:
    case GPUCMD_NV_MODEL_COMPUTE_GF100:
    case GPUCMD_NV_MODEL_SURFACE:
    case GPUCMD_NV_MODEL_SWIZZLED: break;
    }
    return "";
}

/* Run the channel until it stops or has used budget. If engines are switched off, execute word
 * by word, so that such an engine does nothing from its binding on. */
gpucmd_run nouveau_run(gpucmd_nv_channel *host, const gpucmd_env *env, uint64_t budget)
{
    gpucmd_run run = GPUCMD_RUN_DONE;
    if (shim.off == NULL) {
        return gpucmd_nv_channel_run(host, env, budget);
    }
    for (; run == GPUCMD_RUN_DONE; budget--) {
        if (budget == 0) {
            return GPUCMD_RUN_LIMIT;
        }
        for (size_t i = 0; i < GPUCMD_NV_SUBCHANNELS; i++) {
            if (shim_is_off(model_word(host->engines[i].model))) {
                host->engines[i].model = GPUCMD_NV_MODEL_OTHER;
            }
        }
        run = gpucmd_nv_channel_step(host, env);
    }
    return run;
}

/* intel_names.h - commands and registers by name where a text tells the generation or not, for the
 * readers of Intel's logs. */
#ifndef DUMP_INTEL_NAMES_H
#define DUMP_INTEL_NAMES_H

#include "base.h"
#include "chips.h"
#include "genxml.h"
#include "i915_names.h"
#include "stream.h"
#include "text.h"

/* Return the generation that an option or the input names; GPUCMD_I915_GEN9 and false: none does. */
static bool intel_gen(const dump *d, gpucmd_i915_gen *gen)
{
    *gen = GPUCMD_I915_GEN9;
    if (d->gen != 0) {
        *gen = (gpucmd_i915_gen)d->gen;
        return true;
    }
    return d->chip[0] != '\0' && gpucmd_i915_gen_from_name(d->chip, gen) == GPUCMD_OK;
}

/* Return the engine of a name such as "rcs0"; rcs if there is none. */
static gpucmd_i915_engine intel_engine(const char *name)
{
    char plain[16];
    gpucmd_i915_engine engine = GPUCMD_I915_RCS;
    snprintf(plain, sizeof plain, "%.15s", name);
    plain[strcspn(plain, "0123456789")] = '\0';
    if (gpucmd_i915_engine_from_name(plain, &engine) != GPUCMD_OK) {
        engine = GPUCMD_I915_RCS;
    }
    return engine;
}

/* Write the name of a first word: the library's, the tool's, or that of the lists of --names. Return
 * false if there is none. */
static bool find_command_name(const gpucmd_i915_cmdset *cmdset, const char *names, uint32_t dw,
                              char *text, size_t cap)
{
    const char *name = i915_command_name(cmdset, dw);
    text[0] = '\0';
    if (strcmp(name, "UNKNOWN") != 0 && strcmp(name, "GFX") != 0) {
        append(text, cap, "%s", name);
        return true;
    }
    if (names != NULL && find_genxml(names, gpucmd_i915_gen_name(cmdset->gen))) {
        const xml_element *e = find_instruction(dw);
        if (e != NULL) {
            append_name(text, cap, e->name);
            return true;
        }
    }
    append(text, cap, "%s", name);
    return false;
}

/* As find_command_name, on an engine of a name. Without a generation the first that has the command
 * names it. */
static bool intel_command_name(const dump *d, const char *engine, uint32_t dw, char *text,
                               size_t cap)
{
    static const gpucmd_i915_gen gens[] = {GPUCMD_I915_GEN9,   GPUCMD_I915_GEN12_5,
                                           GPUCMD_I915_GEN7_5, GPUCMD_I915_GEN6,
                                           GPUCMD_I915_GEN4_5, GPUCMD_I915_GEN3};
    gpucmd_i915_cmdset cmdset;
    gpucmd_i915_gen gen;
    const bool known = intel_gen(d, &gen);
    const gpucmd_i915_engine on = intel_engine(engine);
    for (size_t i = 0; i < sizeof gens / sizeof gens[0]; i++) {
        if (gpucmd_i915_cmdset_init(&cmdset, known ? gen : gens[i], on) == GPUCMD_OK &&
            find_command_name(&cmdset, d->names, dw, text, cap)) {
            return true;
        }
        if (known) {
            break;
        }
    }
    return false;
}

/* Write the name of a register by its offset, such as "rcs0.RING_TAIL"; without one the offset. */
static void intel_register_name(const dump *d, const char *engine, uint32_t reg, char *text,
                                size_t cap)
{
    gpucmd_i915_cmdset cmdset;
    gpucmd_i915_gen gen;
    gpucmd_text t;
    (void)intel_gen(d, &gen);
    text[0] = '\0';
    if (gpucmd_i915_cmdset_init(&cmdset, gen, intel_engine(engine)) != GPUCMD_OK) {
        return;
    }
    gpucmd_text_init(&t, text, cap);
    gpucmd_i915_print_register(&t, &cmdset, reg);
    if (t.len_bytes < cap) {
        text[t.len_bytes] = '\0';
    }
}

#endif

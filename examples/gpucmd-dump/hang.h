/* hang.h - the code of "GPU HANG: ecode" of i915: the command that may have hung, for i915.h. */
#ifndef DUMP_HANG_H
#define DUMP_HANG_H

#include "base.h"
#include "chips.h"
#include "explain.h"
#include "intel_names.h"
#include "lines.h"
#include "registers.h"
#include "stream.h"
#include "text.h"

/* Read "9:0:0x85dffffb" (generation, engine, code) or, from Linux 3.13 to 3.18, "0:0x87d3bffa". */
static bool read_hang(const char *p, hang_code *h)
{
    unsigned gen = 0;
    unsigned engine = 0;
    unsigned code = 0;
    int end = 0;
    memset(h, 0, sizeof *h);
    if (sscanf(p, "%u:%x:%x%n", &gen, &engine, &code, &end) != 3) {
        gen = 0;
        if (sscanf(p, "%x:%x%n", &engine, &code, &end) != 2) {
            return false;
        }
    }
    h->gen = gen;
    h->engine = engine;
    h->code = code;
    h->is_mask = memchr(p, 'x', (size_t)end) == NULL;
    return true;
}

/* Take the name of the engine that the line has besides: "Hang on rcs0", "hang on bcs0". */
static void name_hang_engine(hang_code *h, const text_line *line)
{
    const char *p = after(line, "ang on ");
    const char *end = line->at + line->len;
    if (p != NULL && (match(p, end, "$$$%") != 0 || match(p, end, "$$$$%") != 0)) {
        snprintf(h->name, sizeof h->name, "%.*s", (int)lesser(strcspn(p, ",; "), 15), p);
    } else if (p != NULL && strncmp(p, "render ring", 11) == 0) {
        snprintf(h->name, sizeof h->name, "rcs0");
    }
}

/* Let the generation of a code be that of the input, if nothing surer names one. */
static void set_hang_chip(dump *d, const hang_code *h)
{
    char gen[12];
    const char *name = NULL;
    snprintf(gen, sizeof gen, "%" PRIu32, h->gen);
    if (h->gen != 0 && h->gen < 100) {
        name = i915_gen_of_name(gen);
    }
    if (name != NULL && d->chip_rank < 1) {
        d->chip_rank = 1;
        snprintf(d->chip, sizeof d->chip, "%.15s", name);
        snprintf(d->chip_why, sizeof d->chip_why, "ecode of the hang");
    }
}

/* Keep the codes of the hangs that a text tells. */
static void take_hangs(dump *d, const text_lines *t)
{
    for (size_t i = 0; i < t->count && d->hang_count < HANGS; i++) {
        const char *p = after(&t->lines[i], "GPU HANG: ecode ");
        char text[40];
        if (p != NULL) {
            snprintf(text, sizeof text, "%.*s",
                     (int)lesser((size_t)(t->lines[i].at + t->lines[i].len - p), 39), p);
            hang_code *h = &d->hangs[d->hang_count];
            if (read_hang(text, h)) {
                h->line = t->lines[i].number;
                d->hang_count++;
            }
        }
    }
}

/* First words that may have hung with a code. */
typedef struct hang_guess {
    uint32_t words[3];
    unsigned low[3]; /* the opcode is bits 31:low */
    size_t count;    /* of all that fit as well, also if words does not hold them */
    unsigned cost;   /* see weigh_hang */
} hang_guess;

enum { WRONG_LENGTH = 6, MOST_COST = 7 };

static unsigned zeros_in(uint32_t v, unsigned low)
{
    unsigned n = 0;
    for (unsigned bit = low; bit < 32; bit++) {
        n += (v >> bit & 1) == 0;
    }
    return n;
}

/* Callback of a check: count wrong lengths. */
static gpucmd_status count_lengths(void *user, const gpucmd_i915_finding *f)
{
    unsigned *wrong = user;
    *wrong += f->rule == GPUCMD_I915_RULE_LENGTH && f->at_bytes == 0;
    return GPUCMD_OK;
}

/* Return true if the command with first word dw may have the length of dw. */
static bool has_length(const gpucmd_i915_cmdset *cmdset, uint32_t dw)
{
    const uint32_t words[260] = {dw};
    unsigned wrong = 0;
    gpucmd_i915_check_options check;
    memset(&check, 0, sizeof check);
    check.found = count_lengths;
    check.user = &wrong;
    return gpucmd_i915_check(cmdset, words, 260, &check, NULL) == GPUCMD_OK && wrong == 0;
}

/* Compare a first word whose opcode is bits 31:low with the best words so far. The cost of a word is
 * the number of bits of the opcode that INSTDONE has as 0 if this word hung. The bits 7:0 of
 * INSTDONE are taken as 1; if the command cannot have the length that then follows, it costs more. */
static void weigh_hang(const gpucmd_i915_cmdset *cmdset, uint32_t code, uint32_t dw, unsigned low,
                       hang_guess *best)
{
    unsigned cost = zeros_in(code ^ dw, low);
    const char *name = gpucmd_i915_name(cmdset, dw);
    if (cost > best->cost || strcmp(name, "UNKNOWN") == 0 || strcmp(name, "GFX") == 0) {
        return;
    }
    cost += has_length(cmdset, dw | (~code & 0xff)) ? 0 : WRONG_LENGTH;
    if (cost > best->cost) {
        return;
    }
    if (cost < best->cost) {
        best->cost = cost;
        best->count = 0;
    }
    if (best->count < 3) {
        best->words[best->count] = dw;
        best->low[best->count] = low;
    }
    best->count++;
}

/* The code is IPEHR xor INSTDONE, and INSTDONE of a GPU that hangs has few bits that are 0: find the
 * named commands of least cost. */
static void guess_hang(const gpucmd_i915_cmdset *cmdset, uint32_t code, hang_guess *best)
{
    memset(best, 0, sizeof *best);
    best->cost = MOST_COST;
    for (uint32_t op = 0; op < 64; op++) {
        weigh_hang(cmdset, code, op << 23, 23, best);
    }
    for (uint32_t op = 0; op < 128; op++) {
        weigh_hang(cmdset, code, 2u << 29 | op << 22, 22, best);
    }
    for (uint32_t op = 0; op < 8192; op++) {
        weigh_hang(cmdset, code, 3u << 29 | op << 16, 16, best);
    }
}

/* Append which engines the code is of. */
static void append_hang_engine(const hang_code *h, char *text, size_t cap)
{
    static const char *const classes[] = {"render", "copy", "video", "video enhance", "compute"};
    static const char *const numbers[] = {
        "render",
        "blitter; bsd up to Linux 4.5; render as a mask of early 5.x",
        "bsd; blitter up to Linux 4.5; copy as a mask of early 5.x",
        "bsd2; video enhance up to Linux 4.5",
        "video enhance; bsd2 up to Linux 4.5; video as a mask of early 5.x",
    };
    if (h->engine == 0 && h->code == 0) {
        append(text, cap, "no engine was found hung");
    } else if (h->name[0] != '\0') {
        append(text, cap, "engine %s", h->name);
    } else if (!h->is_mask) {
        append(text, cap, "engine %" PRIu32, h->engine);
        if (h->engine < sizeof numbers / sizeof numbers[0]) {
            append(text, cap, " (%s)", numbers[h->engine]);
        }
    } else {
        append(text, cap, "engines 0x%" PRIx32, h->engine);
        for (unsigned i = 0; i < 5; i++) {
            if ((h->engine >> i & 1) != 0) {
                append(text, cap, " %s", classes[i]);
            }
        }
    }
}

/* Make the command set of the first engine of the code. Return false if the engine is not told. */
static bool hang_cmdset(const hang_code *h, gpucmd_i915_gen gen, gpucmd_i915_cmdset *cmdset)
{
    static const gpucmd_i915_engine classes[] = {GPUCMD_I915_RCS, GPUCMD_I915_BCS, GPUCMD_I915_VCS,
                                                 GPUCMD_I915_VECS, GPUCMD_I915_CCS};
    unsigned i = 0;
    if (h->name[0] != '\0') {
        return gpucmd_i915_cmdset_init(cmdset, gen, intel_engine(h->name)) == GPUCMD_OK;
    }
    if (!h->is_mask) {
        return h->engine == 0 && gpucmd_i915_cmdset_init(cmdset, gen, classes[0]) == GPUCMD_OK;
    }
    while (i < 5 && (h->engine >> i & 1) == 0) {
        i++;
    }
    return i < 5 && gpucmd_i915_cmdset_init(cmdset, gen, classes[i]) == GPUCMD_OK;
}

/* Callback of a check: count reserved bits of the first word. */
static gpucmd_status count_reserved(void *user, const gpucmd_i915_finding *f)
{
    unsigned *wrong = user;
    *wrong += f->rule == GPUCMD_I915_RULE_RESERVED && f->at_bytes == 0;
    return GPUCMD_OK;
}

/* Return the first word that a code and an opcode give: bits that INSTDONE has as 1, without bits
 * that the command reserves. */
static uint32_t hang_word(const gpucmd_i915_cmdset *cmdset, uint32_t code, uint32_t opcode,
                          unsigned low)
{
    const uint32_t mask = (1u << low) - 1;
    uint32_t dw = opcode | (~code & mask);
    for (unsigned bit = 8; bit < low; bit++) {
        uint32_t words[260] = {0};
        unsigned wrong = 0;
        gpucmd_i915_check_options check;
        words[0] = opcode | (dw & 0xff) | 1u << bit;
        memset(&check, 0, sizeof check);
        check.found = count_reserved;
        check.user = &wrong;
        if ((dw >> bit & 1) != 0 &&
            gpucmd_i915_check(cmdset, words, 260, &check, NULL) == GPUCMD_OK && wrong != 0) {
            dw &= ~(1u << bit);
        }
    }
    return dw;
}

/* If one command alone fits both codes, write its first word with the bits that both leave. */
static bool common_hang_word(const dump *d, const hang_code *a, const hang_code *b, uint32_t *dw)
{
    gpucmd_i915_gen gen;
    gpucmd_i915_cmdset cmdset;
    hang_guess guess[2];
    if (!intel_gen(d, &gen) || !hang_cmdset(a, gen, &cmdset)) {
        return false;
    }
    guess_hang(&cmdset, a->code, &guess[0]);
    guess_hang(&cmdset, b->code, &guess[1]);
    if (guess[0].count != 1 || guess[1].count != 1 || guess[0].words[0] != guess[1].words[0]) {
        return false;
    }
    *dw = hang_word(&cmdset, a->code, guess[0].words[0], guess[0].low[0]) &
          hang_word(&cmdset, b->code, guess[1].words[0], guess[1].low[0]);
    return true;
}

/* If a code has several commands, or its generation is not told: append what INSTDONE was if the GPU was
 * at the command that starts each batch, unless that is one of them. */
static void append_batch_start(const hang_code *h, const gpucmd_i915_cmdset *cmdset, bool told,
                               const hang_guess *best, char *text, size_t cap)
{
    const uint32_t start = 0x18800101; /* as i915 writes it for gen8 and later */
    bool has = best->count == 1 && told;
    for (size_t i = 0; i < best->count && i < 3; i++) {
        has = has || best->words[i] >> 23 == start >> 23;
    }
    if (!has && (!told || cmdset->gen >= GPUCMD_I915_GEN8)) {
        append(text, cap,
               "; if the GPU was at the start of a batch, 0x%08" PRIx32
               " MI_BATCH_BUFFER_START (gen8 and later), INSTDONE is 0x%08" PRIx32,
               start, start ^ h->code);
    }
}

/* Append the commands that may have hung. Return false if there is none. */
static bool append_hang_guess(const hang_code *h, gpucmd_i915_gen gen, bool told, char *text,
                              size_t cap)
{
    gpucmd_i915_cmdset cmdset;
    hang_guess best;
    if (!hang_cmdset(h, gen, &cmdset)) {
        return false;
    }
    guess_hang(&cmdset, h->code, &best);
    if (best.count == 0 || best.count > 3) {
        return false;
    }
    for (size_t i = 0; i < best.count; i++) {
        const uint32_t dw = hang_word(&cmdset, h->code, best.words[i], best.low[i]);
        append(text, cap, "%s0x%08" PRIx32 " %s (then INSTDONE is 0x%08" PRIx32 ")",
               i == 0 ? ", IPEHR may be " : " or ", dw, gpucmd_i915_name(&cmdset, dw),
               dw ^ h->code);
    }
    if (!told) {
        append(text, cap, " on gen%s; the generation is not told: --gen",
               gpucmd_i915_gen_name(gen));
    }
    append_batch_start(h, &cmdset, told, &best, text, cap);
    return true;
}

/* Append what a code says. */
static void append_hang(const dump *d, const hang_code *h, char *text, size_t cap)
{
    static const gpucmd_i915_gen gens[] = {GPUCMD_I915_GEN7_5, GPUCMD_I915_GEN8, GPUCMD_I915_GEN6,
                                           GPUCMD_I915_GEN5, GPUCMD_I915_GEN4_5};
    gpucmd_i915_gen gen;
    bool guessed = false;
    if (h->gen != 0) {
        append(text, cap, "gen%" PRIu32 ", ", h->gen);
    }
    append_hang_engine(h, text, cap);
    if (h->code == 0) {
        return;
    }
    append(text, cap, ": IPEHR xor INSTDONE is 0x%08" PRIx32, h->code);
    if (intel_gen(d, &gen)) {
        guessed = append_hang_guess(h, gen, true, text, cap);
    }
    for (size_t i = 0; i < sizeof gens / sizeof gens[0] && !guessed && !intel_gen(d, &gen); i++) {
        guessed = append_hang_guess(h, gens[i], false, text, cap);
    }
    if (!guessed) {
        append(text, cap, ", which is like no single command%s",
               h->is_mask || h->engine == 0 || h->name[0] != '\0' ? "" : ", or of another engine");
    }
}

/* Explain the codes of hangs of an error state. */
static void tell_hangs(const dump *d)
{
    for (size_t i = 0; i < d->hang_count; i++) {
        char text[700] = "";
        append_hang(d, &d->hangs[i], text, sizeof text);
        tell("line %zu: hang of %s\n", d->hangs[i].line, text);
    }
}

/* Compare the registers of the text with the codes: two of IPEHR, INSTDONE and the code give the third. */
static void tell_hang_registers(const dump *d)
{
    for (size_t i = 0; i < d->state_count; i++) {
        const engine_state *state = &d->states[i];
        const uint32_t ipehr = (uint32_t)state->ipehr;
        const bool both = state_has(state, REG_instdone);
        for (size_t k = 0; k < d->hang_count && state_has(state, REG_ipehr); k++) {
            const hang_code *h = &d->hangs[k];
            char text[900] = "";
            if (both && h->code == (ipehr ^ (uint32_t)state->instdone)) {
                tell("the code of line %zu is IPEHR xor INSTDONE of %s\n", h->line,
                     state->name[0] != '\0' ? state->name : "this engine");
            } else if (!both && zeros_in(h->code ^ ipehr, 0) <= 8) {
                append_busy(d, state->name, "INSTDONE", h->code ^ ipehr, text, sizeof text);
                tell("the code of line %zu and IPEHR give INSTDONE 0x%08" PRIx32 "%s\n", h->line,
                     h->code ^ ipehr, text);
            }
        }
    }
}

#endif

/* hang.h - the code of "GPU HANG: ecode" of i915: the command that may have hung, for i915.h. */
#ifndef DUMP_HANG_H
#define DUMP_HANG_H

#include "base.h"
#include "lines.h"
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
    if (sscanf(p, "%u:%x:%x%n", &gen, &engine, &code, &end) != 3 &&
        sscanf(p, "%x:%x%n", &engine, &code, &end) != 2) {
        return false;
    }
    h->engine = engine;
    h->code = code;
    h->is_mask = memchr(p, 'x', (size_t)end) == NULL;
    return true;
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
            d->hang_count += read_hang(text, &d->hangs[d->hang_count]);
        }
    }
}

/* First words that may have hung with a code. */
typedef struct hang_guess {
    uint32_t words[3];
    size_t count;  /* of all that fit as well, also if words does not hold them */
    unsigned cost; /* see weigh_hang */
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
    if (!h->is_mask) {
        append(text, cap, "engine %" PRIu32 "%s", h->engine, h->engine == 0 ? " (render)" : "");
        return;
    }
    append(text, cap, "engines 0x%" PRIx32, h->engine);
    for (unsigned i = 0; i < 5; i++) {
        if ((h->engine >> i & 1) != 0) {
            append(text, cap, " %s", classes[i]);
        }
    }
}

/* Make the command set of the first engine of the code. Return false if the engine is not told. */
static bool hang_cmdset(const hang_code *h, gpucmd_i915_gen gen, gpucmd_i915_cmdset *cmdset)
{
    static const gpucmd_i915_engine classes[] = {GPUCMD_I915_RCS, GPUCMD_I915_BCS, GPUCMD_I915_VCS,
                                                 GPUCMD_I915_VECS, GPUCMD_I915_CCS};
    unsigned i = 0;
    if (!h->is_mask) {
        return h->engine == 0 && gpucmd_i915_cmdset_init(cmdset, gen, classes[0]) == GPUCMD_OK;
    }
    while (i < 5 && (h->engine >> i & 1) == 0) {
        i++;
    }
    return i < 5 && gpucmd_i915_cmdset_init(cmdset, gen, classes[i]) == GPUCMD_OK;
}

/* Append the commands that may have hung. */
static void append_hang_guess(const hang_code *h, gpucmd_i915_gen gen, char *text, size_t cap)
{
    gpucmd_i915_cmdset cmdset;
    hang_guess best;
    if (!hang_cmdset(h, gen, &cmdset)) {
        return;
    }
    guess_hang(&cmdset, h->code, &best);
    if (best.count == 0 || best.count > 3) {
        append(text, cap, ", which is like no single command");
        return;
    }
    for (size_t i = 0; i < best.count; i++) {
        append(text, cap, "%s %s", i == 0 ? ", IPEHR may be" : " or",
               gpucmd_i915_name(&cmdset, best.words[i]));
    }
}

/* Explain the codes of hangs. gen_known: the input or an option tells the generation. */
static void note_hangs(const dump *d, gpucmd_i915_gen gen, bool gen_known)
{
    for (size_t i = 0; i < d->hang_count; i++) {
        char text[240] = "";
        append_hang_engine(&d->hangs[i], text, sizeof text);
        append(text, sizeof text, ": IPEHR xor INSTDONE is 0x%08" PRIx32, d->hangs[i].code);
        if (gen_known) {
            append_hang_guess(&d->hangs[i], gen, text, sizeof text);
        } else {
            append(text, sizeof text, "; --gen tells which commands it is like");
        }
        note(d, "hang of %s", text);
    }
}

#endif

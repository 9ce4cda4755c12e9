/* All sequences of CALLS calls (7: 5,380,839 states) on a writer of 4 words, against a
 * restatement of its contract: a command is written whole or not at all, nothing outside the buffer
 * is stored, the first failure stays, counts are right.
 *   writer [CALLS]
 * The calls before the last one are shared by many sequences: the state after each is kept. */
#include "gpucmd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CAP = 4, GUARD = 2, CHOICES = 9, MAX_CALLS = 10 };

/* The contract, restated: the words accepted, the first failure, and words counted after it. */
typedef struct model {
    uint32_t words[CAP];
    size_t count, after;
    gpucmd_status status;
    size_t reserved; /* words that the caller may commit, from the last reserve */
} model;

typedef struct state {
    uint32_t memory[GUARD + CAP + GUARD];
    gpucmd_writer w;
    model m;
} state;

static const uint32_t source[CAP + 2] = {11, 12, 13, 14, 15, 16};

static void model_emit(model *m, size_t n)
{
    if (m->status == GPUCMD_OK && n <= CAP - m->count) {
        memcpy(m->words + m->count, source, n * 4);
        m->count += n;
    } else {
        m->status = m->status == GPUCMD_OK ? GPUCMD_FULL : m->status;
        m->after += n;
    }
}

/* One call of each kind on both. Emits of 0, 1, 2 and 5 words; reserve of 2 words and commit of 1 or
 * of 3; a patch of the first word or behind the last one. */
static void call(state *s, unsigned which)
{
    static const size_t sizes[] = {0, 1, 2, 5};
    model *m = &s->m;
    if (which < 4) {
        gpucmd_writer_emit_words(&s->w, which == 0 ? NULL : source, sizes[which]);
        if (sizes[which] != 0) {
            model_emit(m, sizes[which]);
        }
    } else if (which == 4) {
        uint32_t *at = gpucmd_writer_reserve(&s->w, 2);
        if (at != NULL) {
            at[0] = 11;
        }
        if (m->status == GPUCMD_OK && CAP - m->count >= 2) {
            m->words[m->count] = 11;
        } else {
            m->status = m->status == GPUCMD_OK ? GPUCMD_FULL : m->status;
            m->after += 2;
        }
    } else if (which == 5 || which == 6) {
        const size_t n = which == 5 ? 1 : 3;
        gpucmd_writer_commit(&s->w, n);
        if (m->status == GPUCMD_OK && CAP - m->count >= n) {
            m->count += n;
        } else {
            m->status = m->status == GPUCMD_OK ? GPUCMD_ORDER : m->status;
        }
    } else {
        const size_t at = which == 7 ? 0 : CAP;
        gpucmd_writer_patch(&s->w, at, 99);
        if (at < m->count) {
            m->words[at] = 99;
        } else {
            m->status = m->status == GPUCMD_OK ? GPUCMD_RANGE : m->status;
        }
    }
}

static bool same(const state *s)
{
    static const uint32_t guard[GUARD] = {0xdeadbeef, 0xdeadbeef};
    const model *m = &s->m;
    size_t len_dw = 77;
    const gpucmd_status status = gpucmd_writer_finish(&s->w, &len_dw);
    return status == m->status && len_dw == (status == GPUCMD_OK ? m->count : 77) &&
           gpucmd_writer_at_dw(&s->w) == m->count &&
           gpucmd_writer_need_dw(&s->w) == m->count + (status != GPUCMD_OK ? m->after : 0) &&
           memcmp(s->memory, guard, sizeof guard) == 0 &&
           memcmp(s->memory + GUARD + CAP, guard, sizeof guard) == 0 &&
           memcmp(s->memory + GUARD, m->words, m->count * 4) == 0;
}

/* Copy a state; the writer of the copy points into the memory of the copy. */
static void copy(state *to, const state *from)
{
    const ptrdiff_t delta = (char *)to->memory - (const char *)from->memory;
    *to = *from;
    to->w.base = (uint32_t *)((char *)from->w.base + delta);
    if (from->w.cur != NULL) {
        to->w.cur = (uint32_t *)((char *)from->w.cur + delta);
        to->w.end = (uint32_t *)((char *)from->w.end + delta);
    }
}

int main(int argc, char **argv)
{
    static state stack[MAX_CALLS + 1];
    const unsigned calls = argc > 1 ? (unsigned)atoi(argv[1]) : 7;
    unsigned choice[MAX_CALLS] = {0}, depth = 0;
    unsigned long passed = 0, failed = 0;
    for (size_t i = 0; i < GUARD + CAP + GUARD; i++) {
        stack[0].memory[i] = 0xdeadbeef;
    }
    memcpy(stack[0].m.words, stack[0].memory, sizeof stack[0].m.words);
    gpucmd_writer_init(&stack[0].w, stack[0].memory + GUARD, CAP);
    for (;;) {
        copy(&stack[depth + 1], &stack[depth]);
        call(&stack[depth + 1], choice[depth]);
        if (same(&stack[depth + 1])) {
            passed++;
        } else if (failed++ == 0) {
            printf("FAIL: writer:");
            for (unsigned i = 0; i <= depth; i++) {
                printf(" %u", choice[i]);
            }
            printf("\n");
        }
        if (depth + 1 < calls) {
            choice[++depth] = 0;
            continue;
        }
        while (++choice[depth] == CHOICES) {
            if (depth-- == 0) {
                printf("proof: %lu passed, %lu failed\n", passed, failed);
                return failed != 0;
            }
        }
    }
}

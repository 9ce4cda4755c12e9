/* Prints the words of a fixed list of emitter calls. The compile tier builds this with every
 * compiler, standard, optimisation level and host that it has and compares what comes out: words
 * depend on arguments only.
 *
 * To add a command: one line `SHOW("name", call);` in the vendor's block, where the call emits into
 * &w. `data` holds a few ready words. */
#include <stdio.h>
#include <string.h>

#include "all.h"

#define WORDS_MAX 512

static uint32_t buffer[WORDS_MAX];
static const uint32_t data[8] = {0x00000000u, 0xffffffffu, 0x01234567u, 0x89abcdefu,
                                 0x80000001u, 0x7fffffffu, 0xdeadbeefu, 0x00c0ffeeu};

static void show(const char *name, const gpucmd_writer *w)
{
    size_t len_dw = 0;
    size_t i;
    const gpucmd_status status = gpucmd_writer_finish(w, &len_dw);

    printf("%s: status %d,", name, (int)status);
    for (i = 0; i < len_dw && i < WORDS_MAX; i++) {
        printf(" %08lx", (unsigned long)buffer[i]);
    }
    printf("\n");
}

/* One command into a buffer full of rubbish, so that a word left out shows. */
#define SHOW(name, call)                                                                           \
    do {                                                                                           \
        gpucmd_writer w;                                                                           \
        memset(buffer, 0xa5, sizeof buffer);                                                       \
        gpucmd_writer_init(&w, buffer, WORDS_MAX);                                                 \
        call;                                                                                      \
        show(name, &w);                                                                            \
    } while (0)

static void core_words(void)
{
    SHOW("core words", gpucmd_writer_emit_words(&w, data, 8));
    SHOW("core patch", {
        gpucmd_writer_emit_words(&w, data, 3);
        gpucmd_writer_patch(&w, 1, gpucmd_float_bits(0.1f));
    });
}

#ifdef GPUCMD_NV_H
static void nv_words(void)
{
    SHOW("nv nothing", (void)w);
}
#endif

#ifdef GPUCMD_I915_H
static void i915_words(void)
{
    SHOW("i915 nothing", (void)w);
}
#endif

#ifdef GPUCMD_AGX_H
static void agx_words(void)
{
    SHOW("agx nothing", (void)w);
}
#endif

int main(void)
{
    core_words();
#ifdef GPUCMD_NV_H
    nv_words();
#endif
#ifdef GPUCMD_I915_H
    i915_words();
#endif
#ifdef GPUCMD_AGX_H
    agx_words();
#endif
    return 0;
}

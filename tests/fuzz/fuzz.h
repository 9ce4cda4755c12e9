/* fuzz.h - helpers for a fuzz harness: the function that libFuzzer calls, must() for conditions,
 * a reader of numbers from the input, and memory that changes while it is read (flips.h). The
 * harness includes fuzz_main.h last, which limits the time of an input. */
#ifndef GPUCMD_FUZZ_H
#define GPUCMD_FUZZ_H

#include <stdlib.h>
#include <string.h>

#include "flips.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
#define LLVMFuzzerTestOneInput fuzz_one /* fuzz_main.h calls it */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void must(bool good)
{
    if (!good) {
        abort();
    }
}

/* Input, read from its start; after its end all bytes are 0. */
typedef struct input {
    const uint8_t *data;
    size_t size;
} input;

static inline uint32_t take(input *in, size_t n_bytes)
{
    uint32_t v = 0;
    for (size_t i = 0; i < n_bytes && in->size != 0; i++, in->data++, in->size--) {
        v |= (uint32_t)*in->data << 8 * i;
    }
    return v;
}

#endif /* GPUCMD_FUZZ_H */

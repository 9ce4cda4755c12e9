/* fuzz.h - what a fuzz harness begins with: the prototype that libFuzzer calls, claims, and input as
 * a series of numbers. */
#ifndef GPUCMD_FUZZ_H
#define GPUCMD_FUZZ_H

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void must(bool good)
{
    if (!good) {
        abort();
    }
}

/* Input is read front to back; behind its end come zeros. */
typedef struct input {
    const uint8_t *data;
    size_t size;
} input;

static inline uint32_t take(input *in, size_t bytes)
{
    uint32_t v = 0;
    for (size_t i = 0; i < bytes && in->size != 0; i++, in->data++, in->size--) {
        v |= (uint32_t)*in->data << 8 * i;
    }
    return v;
}

#endif /* GPUCMD_FUZZ_H */

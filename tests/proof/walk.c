/* gpucmd_nv_walk_valid on each segment of 0 to 4 words of GF100 and later, with 8 forms and 6 counts a word,
 * in each state that the words before can leave: it reads nothing after the segment, and its result is
 * that of gpucmd_nv_walk_next. The page after the segment cannot be read. */
#define _DEFAULT_SOURCE
#define GPUCMD_STATIC
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { WORDS = 4, FORMS = 8, COUNTS = 6 };

static const uint32_t counts[COUNTS] = {0, 1, 2, 3, 4, 8191};

/* Commands before the first invalid word, by single steps. */
static gpucmd_status by_steps(gpucmd_nv_walk *walk, size_t *commands)
{
    gpucmd_nv_cmd cmd;
    while (gpucmd_nv_walk_next(walk, &cmd)) {
        if (cmd.form == GPUCMD_NV_FORM_INVALID) {
            walk->cur--;
            return GPUCMD_INVALID;
        }
        *commands += 1;
    }
    return GPUCMD_OK;
}

static bool same(const gpucmd_nv_gate *gate, const uint32_t *dw, size_t n, uint32_t left_dw)
{
    gpucmd_nv_walk fast, slow;
    size_t fast_count = 0, slow_count = 0;
    gpucmd_nv_walk_init(&fast, gate, NULL, 0);
    fast.form = GPUCMD_NV_FORM_INC;
    fast.left_dw = left_dw;
    gpucmd_nv_walk_segment(&fast, dw, n);
    slow = fast;
    return gpucmd_nv_walk_valid(&fast, &fast_count) == by_steps(&slow, &slow_count) &&
           fast_count == slow_count && fast.cur == slow.cur && fast.left_dw == slow.left_dw;
}

int main(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *two =
        (uint8_t *)mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    uint32_t *end = (uint32_t *)(void *)(two + page);
    unsigned long passed = 0, failed = 0;
    gpucmd_nv_gate gate;
    if (two == MAP_FAILED || mprotect(two + page, page, PROT_NONE) != 0 ||
        gpucmd_nv_gate_init(&gate, GPUCMD_NV_CHIP_GF100, false, false, GPUCMD_NV_FMT_NEW) !=
            GPUCMD_OK) {
        printf("proof: 0 passed, 1 failed\n");
        return 1;
    }
    for (size_t n = 0; n <= WORDS; n++) {
        uint32_t all = 1;
        for (size_t i = 0; i < n; i++) {
            all *= FORMS * COUNTS;
        }
        for (uint32_t k = 0; k < all; k++) {
            uint32_t rest = k;
            for (size_t i = 0; i < n; i++, rest /= FORMS * COUNTS) {
                end[i - n] = (rest % FORMS) << 29 | counts[rest / FORMS % COUNTS] << 16;
            }
            for (uint32_t left_dw = 0; left_dw <= WORDS + 1; left_dw++) {
                const bool good = same(&gate, end - n, n, left_dw);
                passed += good;
                failed += !good;
            }
        }
    }
    printf("proof: %lu passed, %lu failed\n", passed, failed);
    return failed != 0;
}

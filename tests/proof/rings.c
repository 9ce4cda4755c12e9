/* All states of small rings, with the functions of the headers and a GPU that consumes words at any
 * time: between two calls, and before each poll inside a call. A GPFIFO has 2 to 2^ORDER entries, an
 * NV4 ring 2 to WORDS words after 0 to 2 NOPs. The sets of states are closed, so that the claims hold
 * for streams of any length. For the i915 ring of 4096 bytes the claims are proved by induction over
 * all positions of HEAD and TAIL and all sizes of a group (every STEP-th).
 *   rings [ORDER WORDS STEP]
 * Claims: no word that the GPU has not consumed is overwritten, nothing outside the ring is stored,
 * put equal to get means that nothing waits, and at most one jump waits. */
#define GPUCMD_STATIC
#include "gpucmd_i915.h"
#include "gpucmd_nv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_WORDS = 16,
    MAX_STATES = 1 << 16,
    MAX_POLLS = 8,
    GUARD = 2,
    NO_JUMP = 31,
    BASE_VA = 0x1000,
    DATA = 0x11,
    JUMP = 0x20000000 | BASE_VA,
    OUTSIDE = 0x600df00d
};

/* What the CPU and the GPU know: positions in words, of a GPFIFO in entries. */
typedef struct state {
    uint8_t get;     /* what the GPU reads next */
    uint8_t reg;     /* the register: what the GPU may read ends there */
    uint8_t put;     /* next position of the CPU */
    uint8_t polled;  /* GPFIFO: get at the last poll */
    uint8_t jump;    /* NV4: position of the jump that waits, or NO_JUMP */
    uint8_t waiting; /* words from get to put, counted when they are stored and consumed */
} state;

static unsigned long passed, failed;
static uint32_t memory[GUARD + MAX_WORDS + GUARD], seen[GUARD + MAX_WORDS + GUARD];
static uint32_t size, first, dw_each; /* entries or words; NOPs at the start; words of an entry */
static state now;
static gpucmd_nv_ring ring;
static gpucmd_nv_gpfifo fifo;
static unsigned steps[MAX_POLLS]; /* of the GPU before each poll of a call */
static int polls, exhausted;      /* the first poll before which the GPU cannot do so many steps */

static void claim(bool good, const char *what)
{
    failed += !good;
    if (!good && failed == 1) {
        printf("FAIL: rings: %s: size %u first %u get %u reg %u put %u waiting %u\n", what,
               (unsigned)size, (unsigned)first, now.get, now.reg, now.put, now.waiting);
    }
}

static uint32_t after(uint32_t at)
{
    return memory[GUARD + at * dw_each] == JUMP ? 0 : dw_each == 2 ? (at + 1) % size : at + 1;
}

/* Compare the memory with the last look: no word that waits has changed, and none outside. */
static void look(void)
{
    uint32_t at = now.get, i;
    now.jump = NO_JUMP;
    for (i = 0; i < now.waiting; i++) {
        const uint32_t k = GUARD + at * dw_each;
        claim(memory[k] == seen[k], "a word that waits is overwritten");
        if (memory[k] == JUMP) {
            claim(now.jump == NO_JUMP, "two jumps wait");
            now.jump = (uint8_t)at;
        }
        at = after(at);
    }
    claim(at == now.put, "the words that wait do not lead to put");
    claim((now.put == now.get) == (now.waiting == 0), "put is get, and words wait");
    for (i = 0; i < GUARD; i++) {
        claim(memory[i] == OUTSIDE && memory[GUARD + size * dw_each + i] == OUTSIDE,
              "a word outside the ring is stored");
    }
    memcpy(seen, memory, sizeof seen);
}

static bool gpu_step(void)
{
    if (now.get == now.reg) {
        return false;
    }
    claim(now.waiting != 0, "the GPU reads where nothing waits");
    now.waiting--;
    now.get = (uint8_t)after(now.get);
    return true;
}

static uint32_t read32(void *user, uint64_t off_bytes)
{
    unsigned i;
    (void)user;
    (void)off_bytes;
    look();
    for (i = 0; i < steps[polls]; i++) {
        if (!gpu_step()) {
            exhausted = exhausted < 0 ? polls : exhausted;
        }
    }
    polls++;
    return dw_each == 2 ? now.get : BASE_VA + now.get * 4u;
}

static void write32(void *user, uint64_t off_bytes, uint32_t v)
{
    (void)user;
    look();
    if (dw_each == 2 && off_bytes == GPUCMD_NV_AREA_IB_PUT) {
        now.reg = (uint8_t)v;
    } else if (dw_each == 1 && off_bytes == GPUCMD_NV_AREA_DMA_PUT) {
        if (ring.put_dw < now.put) { /* the jump and the NOPs after it wait from here on */
            now.waiting = (uint8_t)(now.waiting + 1 + first);
            now.put = (uint8_t)ring.put_dw;
        }
        now.reg = (uint8_t)((v - BASE_VA) / 4);
    }
}

static const gpucmd_mmio area = {read32, write32, NULL};

static void load(const state *s)
{
    uint32_t i;
    now = *s;
    for (i = 0; i < GUARD + MAX_WORDS + GUARD; i++) {
        const bool inside = i >= GUARD && i < GUARD + size * dw_each;
        memory[i] = inside ? i < GUARD + first ? GPUCMD_NV_NOP : DATA : OUTSIDE;
    }
    if (s->jump != NO_JUMP) {
        memory[GUARD + s->jump] = JUMP;
    }
    memcpy(seen, memory, sizeof seen);
    ring.put_dw = fifo.put = s->put;
    ring.submitted_dw = fifo.submitted = s->reg;
    fifo.get = s->polled;
    polls = 0;
    exhausted = -1;
}

/* ---- the set of states ---- */

static state queue[MAX_STATES];
static uint8_t known[1 << 24];
static size_t queued;

static void add(void)
{
    const uint32_t key = now.get | (uint32_t)now.reg << 4 | (uint32_t)now.put << 8 |
                         (uint32_t)now.polled << 12 | (uint32_t)now.jump << 16;
    look();
    if (exhausted < 0 && !known[key] && queued < MAX_STATES) {
        known[key] = 1;
        passed++;
        queue[queued++] = now;
    }
}

/* Words for a group of n; then the end with 0 to n of them, each a state. */
static void group(uint32_t n)
{
    gpucmd_writer w;
    uint32_t len;
    const gpucmd_status status = gpucmd_nv_ring_begin(&ring, n, &w);
    const gpucmd_nv_ring begun = ring;
    const state at = now;
    add();
    for (len = 0; status == GPUCMD_OK && len <= n; len++) {
        gpucmd_writer copy = w;
        ring = begun;
        now = at;
        while (gpucmd_writer_at_dw(&copy) < len) {
            const uint32_t dw = DATA + 1;
            gpucmd_writer_emit_words(&copy, &dw, 1);
        }
        look();
        claim(gpucmd_nv_ring_end(&ring, &copy) == GPUCMD_OK, "a group has no end");
        now.waiting = (uint8_t)(now.waiting + ring.put_dw - now.put);
        now.put = (uint8_t)ring.put_dw;
        add();
    }
}

/* Call number n; false if there is none of this number. */
static bool call(unsigned n)
{
    if (n == 0) {
        if (gpu_step()) {
            add();
        }
    } else if (dw_each == 1) {
        if (n > size) {
            return false;
        }
        n == 1 ? gpucmd_nv_ring_submit(&ring) : group(n - 1);
        add();
    } else {
        gpucmd_status status = GPUCMD_OK;
        if (n > 4) {
            return false;
        }
        if (n == 1) {
            gpucmd_nv_gpfifo_submit(&fifo);
        } else if (n == 2) {
            status = gpucmd_nv_gpfifo_push(&fifo, 0x1000, 1, 0);
            claim(status == GPUCMD_OK || status == GPUCMD_LIMIT, "push");
        } else if (n == 3) {
            claim(gpucmd_nv_gpfifo_poll(&fifo) == GPUCMD_OK, "poll");
        } else {
            status = gpucmd_nv_gpfifo_drain(&fifo);
            claim(status != GPUCMD_OK || now.waiting == 0, "drained, and entries wait");
        }
        look();
        now.waiting = (uint8_t)(now.waiting + (n == 2 && status == GPUCMD_OK));
        now.put = (uint8_t)fifo.put;
        now.polled = (uint8_t)fifo.get;
        add();
    }
    return true;
}

/* Close the set: every call from every state, with every number of steps before each poll. */
static void explore(void)
{
    size_t i;
    unsigned n;
    memset(known, 0, sizeof known);
    queued = 0;
    exhausted = -1;
    now.get = now.reg = now.polled = 0;
    now.put = now.waiting = (uint8_t)first;
    now.jump = NO_JUMP;
    load(&(const state){0, 0, (uint8_t)first, 0, NO_JUMP, (uint8_t)first});
    add();
    for (i = 0; i < queued; i++) {
        for (n = 0;; n++) {
            int at = 0;
            memset(steps, 0, sizeof steps);
            do {
                load(&queue[i]);
                if (!call(n)) {
                    break;
                }
                at = (exhausted >= 0 ? exhausted : polls) - 1;
                if (at >= 0) {
                    steps[at]++;
                    memset(steps + at + 1, 0, (MAX_POLLS - 1 - (unsigned)at) * sizeof steps[0]);
                }
            } while (at >= 0);
            if (n > size + 4) {
                break;
            }
        }
    }
    claim(queued < MAX_STATES, "too many states");
}

static void nv_ring(uint32_t words, uint32_t skip)
{
    size = words + skip;
    first = skip;
    dw_each = 1;
    if (gpucmd_nv_ring_init(&ring, GPUCMD_NV_CHIP_NV4, memory + GUARD, BASE_VA, size, skip,
                            &area) != GPUCMD_OK) {
        claim(false, "ring_init");
    }
    ring.wait.max_tries = 1;
    explore();
    printf("rings: NV4 ring of %u words after %u NOPs: %lu states\n", (unsigned)words,
           (unsigned)skip, (unsigned long)queued);
}

static void gpfifo(uint32_t order)
{
    size = 1u << order;
    first = 0;
    dw_each = 2;
    if (gpucmd_nv_gpfifo_init(&fifo, GPUCMD_NV_CHIP_GF100, memory + GUARD, order, &area, NULL, 0) !=
        GPUCMD_OK) {
        claim(false, "gpfifo_init");
    }
    fifo.wait.max_tries = 1;
    explore();
    printf("rings: GPFIFO of %u entries: %lu states\n", (unsigned)size, (unsigned long)queued);
}

/* ---- i915 ---- */

enum { RING_DW = 1024, RING_BYTES = 4 * RING_DW, GAP_BYTES = 64 };

static uint32_t i915_memory[GUARD + RING_DW + GUARD], head[2];

/* HEAD at the first and at each later poll. */
static uint32_t i915_read32(void *user, uint64_t off_bytes)
{
    (void)user;
    (void)off_bytes;
    return head[polls++ != 0];
}

/* One group of n words. Before: waiting bytes from HEAD to tail, which are at most the ring without the
 * gap, so that HEAD at tail means that nothing waits. The same must hold after it. */
static void i915_group(gpucmd_i915_ring *r, uint32_t tail, uint32_t waiting, uint32_t n, bool all)
{
    gpucmd_writer w = {NULL, NULL, NULL, 0, 0, GPUCMD_OK};
    gpucmd_status status;
    uint32_t need = 0;
    r->tail_bytes = tail;
    r->open_bytes = 0;
    head[0] = (tail - waiting) & (RING_BYTES - 1);
    head[1] = all ? tail : head[0]; /* the GPU consumes nothing or all between two polls */
    polls = 0;
    status = gpucmd_i915_ring_begin(r, n, &w);
    if (r->tail_bytes != tail) {
        const uint32_t fill = RING_BYTES - tail;
        claim(r->tail_bytes == 0 && waiting + fill <= RING_BYTES - GAP_BYTES,
              "padding overwrites what waits");
        waiting = (all ? 0 : waiting) + fill;
    }
    if (status == GPUCMD_OK) {
        need = (uint32_t)(w.end - w.base) * 4;
        claim(w.base == i915_memory + GUARD + r->tail_bytes / 4 && need >= n * 4 &&
                  need < n * 4 + 8,
              "a group is not at tail");
        claim(r->tail_bytes + need <= r->usable_bytes, "a group does not end inside the ring");
        w.cur = w.end; /* n words are emitted */
        claim(gpucmd_i915_ring_end(r, &w) == GPUCMD_OK, "a group has no end");
        waiting += need;
    } else {
        claim(status == GPUCMD_BLOCKED, "neither room nor blocked");
    }
    claim(waiting <= RING_BYTES - GAP_BYTES, "the gap is filled");
    claim((r->tail_bytes - waiting) % RING_BYTES == head[polls > 1], "waiting bytes lead to tail");
    passed++;
    claim(i915_memory[GUARD - 1] == OUTSIDE && i915_memory[GUARD + RING_DW] == OUTSIDE,
          "a word outside the ring is stored");
}

static void i915(bool shorten, uint32_t step)
{
    static const gpucmd_mmio mmio = {i915_read32, NULL, NULL};
    gpucmd_i915_ring r;
    uint32_t tail, waiting, n;
    i915_memory[GUARD - 1] = i915_memory[GUARD + RING_DW] = OUTSIDE;
    if (gpucmd_i915_ring_init(&r, i915_memory + GUARD, RING_BYTES, 0, &mmio, 0) != GPUCMD_OK) {
        claim(false, "ring_init");
    }
    gpucmd_i915_ring_set_wait(&r, NULL, NULL, 0);
    if (shorten) {
        gpucmd_i915_ring_shorten(&r);
    }
    for (n = 2; n <= (r.usable_bytes - GAP_BYTES) / 4; n += step) {
        for (tail = 0; tail < r.usable_bytes; tail += 8) {
            for (waiting = 0; waiting <= RING_BYTES - GAP_BYTES; waiting += 4) {
                i915_group(&r, tail, waiting, n, false);
                i915_group(&r, tail, waiting, n, true);
            }
        }
    }
    printf("rings: i915 ring of %u bytes, TAIL up to %u\n", RING_BYTES, (unsigned)r.usable_bytes);
}

int main(int argc, char **argv)
{
    const uint32_t orders = argc > 3 ? (uint32_t)atoi(argv[1]) : 2;
    const uint32_t words = argc > 3 ? (uint32_t)atoi(argv[2]) : 5;
    const uint32_t step = argc > 3 ? (uint32_t)atoi(argv[3]) : 32;
    uint32_t i, skip;
    for (i = 1; i <= orders; i++) {
        gpfifo(i);
    }
    for (i = 2; i <= words; i++) {
        for (skip = 0; skip <= 2; skip++) {
            nv_ring(i, skip);
        }
    }
    i915(false, step);
    i915(true, step);
    printf("proof: %lu passed, %lu failed\n", passed, failed);
    return failed != 0;
}

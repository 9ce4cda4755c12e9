/* The ring writer: space rule, padding at the wrap, TAIL, registers, waiting; and the batch writer:
 * chaining, END and padding, relocations, calls. */
#include <stdint.h>

#define BASE 0x2000u
/* The log of register writes has barriers, too: kind in place of the register. */
static void write32(void *user, uint64_t off, uint32_t v);
#define GPUCMD_BARRIER_WRITE() write32(NULL, BASE + 'W', 0)
#define GPUCMD_BARRIER_MMIO()  write32(NULL, BASE + 'M', 0)

#include "gpucmd_i915.h"
#include "test.h"

static uint32_t words[4096 / 4 + 2];
static struct {
    uint32_t reg, value;
} log_rows[32];
static size_t log_count;
static uint32_t head;
static unsigned waits;

static uint32_t read32(void *user, uint64_t off)
{
    (void)user;
    EQUAL(off, BASE + 0x34);
    return head;
}

static void write32(void *user, uint64_t off, uint32_t v)
{
    (void)user;
    if (log_count < 32) {
        log_rows[log_count].reg = (uint32_t)off;
        log_rows[log_count++].value = v;
    }
}

static gpucmd_i915_ring ring;

static void setup(uint32_t tail, bool short_ring)
{
    const gpucmd_mmio mmio = {read32, write32, NULL};
    for (size_t i = 0; i < sizeof words / 4; i++) {
        words[i] = TEST_GUARD;
    }
    EQUAL(gpucmd_i915_ring_init(&ring, words + 1, 4096, tail, &mmio, BASE), GPUCMD_OK);
    gpucmd_i915_ring_set_wait(&ring, NULL, NULL, 0);
    if (short_ring) {
        gpucmd_i915_ring_shorten(&ring);
    }
    log_count = 0;
    waits = 0;
    head = tail;
}

static gpucmd_status emit(uint32_t n)
{
    gpucmd_status status = gpucmd_i915_ring_begin(&ring, n, &w);
    if (status == GPUCMD_OK) {
        for (uint32_t i = 0; i < n; i++) {
            gpucmd_i915_emit_mi_noop(&w, GPUCMD_I915_GEN9, 0x00400000 | (i + 1));
        }
        status = gpucmd_i915_ring_end(&ring, &w);
    }
    return status;
}

static uint32_t ring_word(uint32_t at_bytes)
{
    return gpucmd_load32(words + 1 + at_bytes / 4, GPUCMD_LITTLE_ENDIAN);
}

static void sizes(void)
{
    const gpucmd_mmio mmio = {read32, write32, NULL};
    EQUAL(gpucmd_i915_ring_init(&ring, words, 2048, 0, &mmio, BASE), GPUCMD_RANGE);
    EQUAL(gpucmd_i915_ring_init(&ring, words, 0x400000, 0, &mmio, BASE), GPUCMD_RANGE);
    EQUAL(gpucmd_i915_ring_init(&ring, words, 12288, 0, &mmio, BASE), GPUCMD_RANGE);
    EQUAL(gpucmd_i915_ring_init(&ring, words, 4096, 4096, &mmio, BASE), GPUCMD_RANGE);
    EQUAL(gpucmd_i915_ring_init(&ring, words, 4096, 4, &mmio, BASE), GPUCMD_ALIGN);
    memset(&ring, 0xff, sizeof ring);
    EQUAL(gpucmd_i915_ring_init(&ring, words, 4096, 8, &mmio, BASE), GPUCMD_OK);
    CHECK(ring.base == words && ring.bytes == 4096 && ring.usable_bytes == 4096);
    CHECK(ring.tail_bytes == 8 && ring.open_bytes == 0 && ring.reg_base == BASE);
    CHECK(ring.wait.fn == NULL && ring.wait.user == NULL);
    EQUAL(ring.wait.max_tries, GPUCMD_WAIT_TRIES);
    EQUAL(gpucmd_i915_ring_ctl(4096), 0x00000001);
    EQUAL(gpucmd_i915_ring_ctl(0x20000), 0x0001f001);
    EQUAL(gpucmd_i915_ring_ctl(0x200000), 0x001ff001);
    EQUAL(gpucmd_i915_ring_ctl_bytes(0x001ff001), 0x200000);
    EQUAL(gpucmd_i915_ring_ctl_bytes(0x0001f001), 0x20000);
}

/* Start-up order: empty it, off, HEAD and TAIL 0, START, HEAD and TAIL, barrier, CTL. */
static void start_up(void)
{
    static const uint32_t want[][2] = {
        {0x34, 0x30      },
        {0x30, 0x30      },
        {0x3c, 0         },
        {0x34, 0         },
        {0x30, 0         },
        {0x38, 0xfedcb000},
        {0x34, 0x30      },
        {0x30, 0x30      },
        {'M',  0         },
        {0x3c, 1         }
    };
    setup(0x30, false);
    for (uint32_t bit = 0; bit < 12; bit++) {
        EQUAL(gpucmd_i915_ring_start(&ring, 0x8000 | 1u << bit), GPUCMD_ALIGN);
    }
    EQUAL(log_count, 0);
    EQUAL(gpucmd_i915_ring_start(&ring, 0xfedcb000), GPUCMD_OK);
    EQUAL(log_count, sizeof want / sizeof want[0]);
    for (size_t i = 0; i < log_count; i++) {
        EQUAL(log_rows[i].reg, BASE + want[i][0]);
        EQUAL(log_rows[i].value, want[i][1]);
    }
}

/* Free space is head - tail - 64 round the ring; the wrap count of HEAD does not matter. */
static void space(void)
{
    setup(0, false);
    EQUAL(gpucmd_i915_ring_room(&ring, 0), 4096 - 64);
    EQUAL(gpucmd_i915_ring_room(&ring, 0x00600000), 4096 - 64);
    ring.tail_bytes = 0x100;
    EQUAL(gpucmd_i915_ring_room(&ring, 0), 4096 - 64 - 0x100);
    EQUAL(gpucmd_i915_ring_room(&ring, 0x140), 0);
    EQUAL(gpucmd_i915_ring_room(&ring, 0x148), 8);
}

/* A group can use the last free byte. A group larger than the ring less a cache
 * line is rejected. */
static void exact(void)
{
    setup(0x100, false);
    head = 0x148;
    EQUAL(emit(2), GPUCMD_OK);
    EQUAL(ring.tail_bytes, 0x108);
    EQUAL(emit(1), GPUCMD_BLOCKED);
    setup(0, false);
    EQUAL(gpucmd_i915_ring_begin(&ring, 1009, &w), GPUCMD_RANGE);
    EQUAL(emit(1008), GPUCMD_OK);
    EQUAL(ring.tail_bytes, 4096 - 64);
    setup(8, false);
    EQUAL(emit(1007), GPUCMD_OK);
    EQUAL(ring.tail_bytes, 4096 - 56);
    /* after the padding the group waits until HEAD has passed it; so the
     * padding is published */
    setup(0x800, false);
    EQUAL(emit(1008), GPUCMD_BLOCKED);
    EQUAL(ring.tail_bytes, 0);
    EQUAL(ring_word(0x800), 0);
    EQUAL(words[1], TEST_GUARD);
    gpucmd_i915_ring_submit(&ring);
    EQUAL(log_rows[1].value, 0);
    head = 0;
    EQUAL(emit(1008), GPUCMD_OK);
}

static void qwords(void)
{
    setup(0x30, false);
    EQUAL(emit(3), GPUCMD_OK);
    EQUAL(ring.tail_bytes, 0x40);
    EQUAL(ring_word(0x30), 0x00400001);
    EQUAL(ring_word(0x38), 0x00400003);
    EQUAL(ring_word(0x3c), 0); /* padded to a qword */
    EQUAL(words[1 + 0x40 / 4], TEST_GUARD);
    EQUAL(log_count, 0); /* not published yet */
    gpucmd_i915_ring_submit(&ring);
    EQUAL(log_count, 2);
    EQUAL(log_rows[0].reg, BASE + 'W'); /* the words, then TAIL */
    EQUAL(log_rows[1].reg, BASE + 0x30);
    EQUAL(log_rows[1].value, 0x40);
}

/* A group that does not fit before the end starts at offset 0; the rest is
 * MI_NOOP. TAIL is never the size of the ring. */
static void wrap(void)
{
    setup(4096 - 16, false);
    EQUAL(emit(4), GPUCMD_OK);
    EQUAL(ring.tail_bytes, 0);
    setup(4096 - 16, false);
    EQUAL(emit(5), GPUCMD_OK);
    EQUAL(ring.tail_bytes, 24);
    for (uint32_t at = 4096 - 16; at < 4096; at += 4) {
        EQUAL(ring_word(at), 0);
    }
    EQUAL(ring_word(0), 0x00400001);
    EQUAL(words[0], TEST_GUARD);
    EQUAL(words[1025], TEST_GUARD);
    /* 830 and 845 keep out of the last two cache lines */
    setup(4096 - 128 - 16, true);
    EQUAL(emit(5), GPUCMD_OK);
    EQUAL(ring.tail_bytes, 24);
    for (uint32_t at = 4096 - 128 - 16; at < 4096; at += 4) {
        EQUAL(ring_word(at), 0);
    }
    EQUAL(ring.usable_bytes, 4096 - 128 - 8);
    setup(4096 - 128 - 16, true); /* nor does TAIL point at them */
    EQUAL(emit(2), GPUCMD_OK);
    EQUAL(ring.tail_bytes, 4096 - 128 - 8);
    EQUAL(emit(2), GPUCMD_OK);
    EQUAL(ring.tail_bytes, 8);
    setup(0, true);
    EQUAL(gpucmd_i915_ring_begin(&ring, 975, &w), GPUCMD_RANGE);
    EQUAL(emit(974), GPUCMD_OK);
}

static gpucmd_status wait_for_head(void *user, uint32_t tries)
{
    EQUAL(tries, waits);
    waits++;
    if (user != NULL) {
        return *(gpucmd_status *)user;
    }
    if (waits == 3) {
        head = 0x00200200;
    }
    return GPUCMD_OK;
}

static void waiting(void)
{
    gpucmd_status answer = GPUCMD_FAULT;
    setup(0x100, false);
    head = 0x140; /* full */
    EQUAL(emit(1), GPUCMD_BLOCKED);
    EQUAL(words[1 + 0x100 / 4], TEST_GUARD);
    gpucmd_i915_ring_set_wait(&ring, wait_for_head, NULL, 10);
    EQUAL(emit(1), GPUCMD_OK);
    EQUAL(waits, 3);
    setup(0x100, false);
    head = 0x140;
    gpucmd_i915_ring_set_wait(&ring, wait_for_head, NULL, 2);
    EQUAL(emit(1), GPUCMD_LIMIT);
    setup(0x100, false);
    head = 0x140;
    gpucmd_i915_ring_set_wait(&ring, wait_for_head, &answer, 2);
    EQUAL(emit(1), GPUCMD_FAULT);
    EQUAL(waits, 1);
    setup(0x100, false);
    gpucmd_wait_init(&ring.wait); /* what a ring has after its init: it polls, then gives up */
    head = 0x140;
    EQUAL(emit(1), GPUCMD_LIMIT);
    EQUAL(ring.tail_bytes, 0x100);
}

static gpucmd_status wait_and_begin(void *user, uint32_t tries)
{
    (void)user;
    (void)tries;
    head = 0x800;
    EQUAL(emit(2), GPUCMD_ORDER);
    return GPUCMD_OK;
}

/* The wait function begins another group in the last room before the end. */
static void nested(void)
{
    setup(0xfc0, false);
    head = 0; /* full */
    gpucmd_i915_ring_set_wait(&ring, wait_and_begin, NULL, 2);
    EQUAL(emit(16), GPUCMD_OK);
    EQUAL(ring.tail_bytes, 0);
    EQUAL(gpucmd_load32(&words[1 + 0xfc0 / 4], GPUCMD_LITTLE_ENDIAN), 0x00400001);
    EQUAL(gpucmd_load32(&words[1 + 0xffc / 4], GPUCMD_LITTLE_ENDIAN), 0x00400010);
    EQUAL(words[1 + 0x1000 / 4], TEST_GUARD);
    EQUAL(emit(2), GPUCMD_OK);
    setup(0x100, false);
    head = 0x140;
    EQUAL(emit(1), GPUCMD_BLOCKED);
    EQUAL(emit(1), GPUCMD_BLOCKED); /* not as a group that is open */
}

static void order(void)
{
    gpucmd_writer other;
    setup(0, false);
    EQUAL(gpucmd_i915_ring_end(&ring, &w), GPUCMD_ORDER);
    EQUAL(gpucmd_i915_ring_begin(&ring, 0, &w), GPUCMD_RANGE);
    EQUAL(gpucmd_i915_ring_begin(&ring, 1024, &w), GPUCMD_RANGE);
    EQUAL(gpucmd_i915_ring_begin(&ring, 0xffffffff, &w), GPUCMD_RANGE);
    EQUAL(gpucmd_i915_ring_begin(&ring, 2, &w), GPUCMD_OK);
    EQUAL(gpucmd_i915_ring_begin(&ring, 2, &other), GPUCMD_ORDER);
    gpucmd_i915_emit_mi_store_data_imm(&w, GPUCMD_I915_GEN9, 0, 0, 0);
    EQUAL(gpucmd_i915_ring_end(&ring, &w), GPUCMD_FULL); /* more than asked for */
    EQUAL(ring.tail_bytes, 0);
    EQUAL(emit(2), GPUCMD_OK);
}

/* Any sequence of groups: HEAD = TAIL only when empty, no group split, all words read once. */
static void property(void)
{
    uint32_t seed = 1;
    setup(0, false);
    for (unsigned round = 0; round < 20000; round++) {
        const uint32_t n = (seed >> 16) % 200 + 1;
        const uint32_t before = ring.tail_bytes;
        const uint32_t room = gpucmd_i915_ring_room(&ring, head);
        seed = seed * 1103515245u + 12345u;
        if (emit(n) == GPUCMD_OK) {
            const uint32_t used = (ring.tail_bytes - before) & 4095;
            CHECK(used <= room && ring.tail_bytes < 4096 && (ring.tail_bytes & 7) == 0);
            CHECK(ring.tail_bytes != (head & 4095));
            /* with HEAD and TAIL in one cache line, HEAD is not above TAIL */
            CHECK((head & 4095) / 64 != ring.tail_bytes / 64 || (head & 4095) <= ring.tail_bytes);
            EQUAL(ring_word((ring.tail_bytes - ((n + 1) & ~1u) * 4) & 4095), 0x00400001);
        } else {
            head = ring.tail_bytes & ~((seed >> 8 & 7) * 8);
        }
    }
}

static uint32_t pieces[3][32];
static uint32_t next_piece;

static gpucmd_status next_chunk(void *user, gpucmd_i915_chunk *chunk)
{
    (void)user;
    if (next_piece == 3) {
        return GPUCMD_LIMIT;
    }
    chunk->base = pieces[next_piece];
    chunk->cap_dw = 32;
    chunk->va = 0x10000 + 0x1000 * next_piece;
    next_piece++;
    return GPUCMD_OK;
}

static uint32_t piece_word(uint32_t piece, uint32_t at)
{
    return gpucmd_load32(&pieces[piece][at], GPUCMD_LITTLE_ENDIAN);
}

static void batches(void)
{
    gpucmd_i915_batch b;
    gpucmd_i915_reloc relocs[2];
    gpucmd_i915_chunk chunk;
    uint32_t len_bytes = 0;
    next_piece = 0;
    memset(&b, 0xff, sizeof b);
    EQUAL(next_chunk(NULL, &chunk), GPUCMD_OK);
    EQUAL(gpucmd_i915_batch_init(&b, GPUCMD_I915_GEN7, GPUCMD_I915_RCS, false, &chunk), GPUCMD_OK);
    CHECK(b.next == NULL && b.relocs == NULL);
    gpucmd_i915_batch_set_next(&b, next_chunk, NULL);
    gpucmd_i915_batch_set_relocs(&b, relocs, 2);
    for (uint32_t i = 0; i < 12; i++) { /* 48 words: 28 in the first piece, 20 in the second */
        gpucmd_i915_batch_reserve(&b, 4);
        gpucmd_i915_emit_mi_store_data_imm(&b.w, GPUCMD_I915_GEN7, 0, 0x1000 + 8 * i, i);
        if (i == 1 || i == 8) {
            gpucmd_i915_batch_reloc(&b, 2, 5, 0x1000 + 8 * i, 4, 2);
        }
    }
    EQUAL(gpucmd_i915_batch_finish(&b, &len_bytes), GPUCMD_OK);
    EQUAL(len_bytes, 22 * 4);
    EQUAL(b.chunk_count, 2);
    EQUAL(piece_word(0, 28), 0x18800100); /* jump, then END and MI_NOOP */
    EQUAL(piece_word(0, 29), 0x00011000);
    EQUAL(piece_word(1, 19), 11);
    EQUAL(piece_word(1, 20), 0x05000000);
    EQUAL(piece_word(1, 21), 0);
    EQUAL(b.reloc_count, 2);
    EQUAL(relocs[0].chunk, 0);
    EQUAL(relocs[0].offset_bytes, 6 * 4);
    EQUAL(piece_word(0, 6), 0x1008);
    EQUAL(relocs[1].chunk, 1);
    EQUAL(relocs[1].offset_bytes, 6 * 4);
    EQUAL(piece_word(1, 6), 0x1040);
    EQUAL(relocs[1].target, 5);
    EQUAL(relocs[1].delta, 0x1040);
    EQUAL(relocs[1].read_domains, 4);
    EQUAL(relocs[1].write_domain, 2);
    /* the end fits into a piece that is full */
    next_piece = 2;
    EQUAL(next_chunk(NULL, &chunk), GPUCMD_OK);
    EQUAL(gpucmd_i915_batch_init(&b, GPUCMD_I915_GEN9, GPUCMD_I915_RCS, false, &chunk), GPUCMD_OK);
    const uint32_t room_dw = (uint32_t)(b.w.end - b.w.cur);
    gpucmd_i915_batch_reserve(&b, room_dw);
    for (uint32_t i = 0; i < room_dw; i++) {
        gpucmd_i915_emit_mi_noop(&b.w, GPUCMD_I915_GEN9, 0);
    }
    EQUAL(gpucmd_i915_batch_finish(&b, &len_bytes), GPUCMD_OK);
    EQUAL(len_bytes, (room_dw + 2 - room_dw % 2) * 4);
    EQUAL(piece_word(2, room_dw), 0x05000000);
    /* a call that does not fit into the piece begins in the next */
    next_piece = 1;
    EQUAL(next_chunk(NULL, &chunk), GPUCMD_OK);
    EQUAL(gpucmd_i915_batch_init(&b, GPUCMD_I915_GEN9, GPUCMD_I915_RCS, false, &chunk), GPUCMD_OK);
    gpucmd_i915_batch_set_next(&b, next_chunk, NULL);
    gpucmd_i915_batch_reserve(&b, room_dw);
    for (uint32_t i = 0; i < room_dw; i++) {
        gpucmd_i915_emit_mi_noop(&b.w, GPUCMD_I915_GEN9, 0);
    }
    gpucmd_i915_batch_call(&b, 0x22000);
    EQUAL(gpucmd_i915_batch_finish(&b, &len_bytes), GPUCMD_OK);
    EQUAL(piece_word(2, 0), 0x18c00101);
    /* no room at all, no next piece, misplaced pieces */
    next_piece = 2;
    EQUAL(next_chunk(NULL, &chunk), GPUCMD_OK);
    EQUAL(gpucmd_i915_batch_init(&b, GPUCMD_I915_GEN9, GPUCMD_I915_RCS, false, &chunk), GPUCMD_OK);
    gpucmd_i915_batch_set_next(&b, next_chunk, NULL);
    gpucmd_i915_batch_call(&b, 0x22000);
    gpucmd_i915_batch_reserve(&b, 26);
    EQUAL(b.w.status, GPUCMD_LIMIT);
    EQUAL(gpucmd_i915_batch_finish(&b, &len_bytes), GPUCMD_LIMIT);
    EQUAL(gpucmd_i915_batch_init(&b, GPUCMD_I915_GEN9, GPUCMD_I915_RCS, false, &chunk), GPUCMD_OK);
    gpucmd_i915_batch_call(&b, 0x22000);
    gpucmd_i915_batch_reloc(&b, 2, 0, 0, 0, 0);
    EQUAL(b.w.status, GPUCMD_FULL); /* no list */
    EQUAL(gpucmd_i915_batch_init(&b, GPUCMD_I915_GEN9, GPUCMD_I915_RCS, false, &chunk), GPUCMD_OK);
    gpucmd_i915_batch_call(&b, 0x22000);
    EQUAL(gpucmd_i915_batch_finish(&b, &len_bytes), GPUCMD_OK);
    EQUAL(len_bytes, 16);
    EQUAL(piece_word(2, 0), 0x18c00101);
    EQUAL(piece_word(2, 3), 0x05000000);
    EQUAL(gpucmd_i915_batch_init(&b, GPUCMD_I915_GEN7, GPUCMD_I915_RCS, false, &chunk), GPUCMD_OK);
    gpucmd_i915_batch_call(&b, 0x22000);
    EQUAL(b.w.status, GPUCMD_UNSUPPORTED);
    chunk.va = 0x10004;
    EQUAL(gpucmd_i915_batch_init(&b, GPUCMD_I915_GEN7, GPUCMD_I915_RCS, false, &chunk),
          GPUCMD_ALIGN);
    chunk.cap_dw = 7;
    EQUAL(gpucmd_i915_batch_init(&b, GPUCMD_I915_GEN7, GPUCMD_I915_RCS, false, &chunk),
          GPUCMD_RANGE);
}

static gpucmd_i915_chunk further;

static gpucmd_status give_further(void *user, gpucmd_i915_chunk *chunk)
{
    (void)user;
    *chunk = further;
    return GPUCMD_OK;
}

/* How chunks are chained: on gen3 an address bit makes a batch non-secure; on
 * gen9 the three words are padded to a qword. A next chunk that is too small or
 * not aligned is rejected. */
static void chains(void)
{
    gpucmd_i915_batch b;
    gpucmd_i915_chunk chunk;
    gpucmd_i915_reloc relocs[2];
    for (uint32_t gen3 = 0; gen3 < 2; gen3++) {
        const gpucmd_i915_gen gen = gen3 != 0 ? GPUCMD_I915_GEN3 : GPUCMD_I915_GEN9;
        memset(pieces, 0xee, sizeof pieces);
        next_piece = 0;
        EQUAL(next_chunk(NULL, &chunk), GPUCMD_OK);
        chunk.cap_dw = 8;
        EQUAL(gpucmd_i915_batch_init(&b, gen, GPUCMD_I915_RCS, false, &chunk), GPUCMD_OK);
        gpucmd_i915_batch_set_next(&b, next_chunk, NULL);
        gpucmd_i915_batch_reserve(&b, 4);
        for (uint32_t i = 0; i < 4; i++) {
            gpucmd_i915_emit_mi_noop(&b.w, gen, 0);
        }
        EQUAL(b.chunk_count, 1); /* a piece of 8 words has room for 4 */
        gpucmd_i915_batch_reserve(&b, 1);
        EQUAL(b.chunk_count, 2);
        EQUAL(piece_word(0, 4), gen3 != 0 ? 0x18800080 : 0x18800101);
        EQUAL(piece_word(0, 5), gen3 != 0 ? 0x00011001 : 0x00011000);
        EQUAL(piece_word(0, 6), gen3 != 0 ? 0xeeeeeeee : 0);
        EQUAL(piece_word(0, 7), gen3 != 0 ? 0xeeeeeeee : 0);
    }
    for (uint32_t i = 0; i < 4; i++) {
        static const struct {
            uint32_t cap_dw, va;
            gpucmd_status want;
        } rows[4] = {
            {32, 0x12004, GPUCMD_ALIGN},
            {3,  0x12000, GPUCMD_FULL },
            {13, 0x12000, GPUCMD_FULL },
            {14, 0x12000, GPUCMD_OK   },
        };
        further.base = pieces[1];
        further.cap_dw = rows[i].cap_dw;
        further.va = rows[i].va;
        chunk.base = pieces[0];
        chunk.cap_dw = 8;
        EQUAL(gpucmd_i915_batch_init(&b, GPUCMD_I915_GEN9, GPUCMD_I915_RCS, false, &chunk),
              GPUCMD_OK);
        gpucmd_i915_batch_set_next(&b, give_further, NULL);
        gpucmd_i915_batch_reserve(&b, 10);
        EQUAL(b.w.status, rows[i].want);
    }
    /* a relocation lies in the piece, and the list in its array */
    gpucmd_i915_batch_set_relocs(&b, relocs, 2);
    gpucmd_i915_emit_mi_noop(&b.w, GPUCMD_I915_GEN9, 0);
    gpucmd_i915_batch_reloc(&b, 1, 0, 0, 0, 0);
    gpucmd_i915_batch_reloc(&b, 0, 0, 0, 0, 0);
    EQUAL(b.w.status, GPUCMD_OK);
    EQUAL(relocs[0].offset_bytes, 0);
    EQUAL(relocs[1].offset_bytes, 4);
    EQUAL(relocs[1].chunk, 1);
    gpucmd_i915_batch_reloc(&b, 1, 0, 0, 0, 0);
    EQUAL(b.w.status, GPUCMD_FULL);
    gpucmd_i915_batch_set_relocs(&b, relocs, 2); /* empty again */
    EQUAL(b.reloc_count, 0);
    EQUAL(gpucmd_i915_batch_init(&b, GPUCMD_I915_GEN9, GPUCMD_I915_RCS, false, &chunk), GPUCMD_OK);
    gpucmd_i915_batch_set_relocs(&b, relocs, 2);
    gpucmd_i915_batch_reloc(&b, 1, 0, 0, 0, 0);
    EQUAL(b.w.status, GPUCMD_RANGE);
}

int main(void)
{
    sizes();
    start_up();
    space();
    exact();
    qwords();
    wrap();
    waiting();
    nested();
    order();
    property();
    batches();
    chains();
    return test_report("i915_ring");
}

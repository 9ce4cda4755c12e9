/* What a submission of the model kernel is checked for and what it leaves: every bit of every flags
 * word, the words in the ring, the rings that it waits for, hangs, full tables. */
/* suite: kernel */
#include "gpucmd_i915.h"
#include "test.h"
#include "i915/world.h"

/* Every bit of the flags of a submission of two objects on gen9, with a free row for a sync file.
 * [UAPI] i915_drm.h I915_EXEC_*, [K] i915_gem_execbuffer.c */
static void exec_flags(void)
{
    for (unsigned bit = 0; bit < 64; bit++) {
        const int want = bit <= 1 ? bit == 1 ? -GPUCMD_SYS_EINVAL : 0 /* 1 render, 2 no BSD here */
                         : bit == 9 ? -GPUCMD_SYS_EPERM               /* SECURE */
                         : bit == 10 || bit == 11 ||
                                 bit == 12 ||              /* IS_PINNED NO_RELOC HANDLE_LUT */
                                 bit == 17 || bit == 18 || /* FENCE_OUT BATCH_FIRST */
                                 bit == 19 || bit == 21    /* FENCE_ARRAY USE_EXTENSIONS */
                             ? 0
                             : -GPUCMD_SYS_EINVAL;
        setup(GPUCMD_I915_GEN9, 0);
        if (!EQUAL(submit((uint64_t)1 << bit, 1, 0, 2), want)) {
            printf("    bit %u\n", bit);
        }
        EQUAL(files[0].used, bit == 17);
        EQUAL(engines[1].tail != 0, want == 0);
    }
}

/* Every bit of the flags of an object, in the batch and in another object. */
static void object_flags(void)
{
    for (unsigned bit = 0; bit < 64; bit++) {
        for (int batch = 0; batch < 2; batch++) {
            for (int gen8 = 0; gen8 < 2; gen8++) {
                const bool good = bit < 8 && !(bit == 1 && gen8) && /* NEEDS_GTT: before gen8 */
                                  !(bit == 2 && batch);             /* WRITE: not the batch */
                setup(gen8 ? GPUCMD_I915_GEN8 : GPUCMD_I915_GEN7_5, 0);
                memset(given, 0, sizeof given);
                given[0].handle = 1;
                given[1].handle = 2;
                given[batch].flags = (uint64_t)1 << bit;
                given[batch].offset = 0x200000;
                arg.buffer_count = 2;
                if (!EQUAL(gpucmd_i915_kernel_ioctl(&k, GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2,
                                                    (uint64_t)(uintptr_t)&arg),
                           good ? 0 : -GPUCMD_SYS_EINVAL)) {
                    printf("    bit %u\n", bit);
                }
            }
        }
    }
}

/* The batch is the last object, with BATCH_FIRST the first. Its range: the offset below the size,
 * the end at most the size. */
static void batch_range(void)
{
    static const struct {
        uint32_t start, len;
        bool good;
    } rows[] = {
        {0,    0,    true },
        {0,    4096, true },
        {0,    4104, false},
        {4088, 0,    true },
        {4088, 8,    true },
        {4088, 16,   false},
        {4096, 0,    false},
        {4104, 0,    false},
        {4,    8,    false},
        {8,    4,    false},
        {8,    4088, true },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        setup(GPUCMD_I915_GEN9, 0);
        arg.batch_start_offset = rows[i].start;
        arg.batch_len = rows[i].len;
        EQUAL(submit(0, 1, 0, 2), rows[i].good ? 0 : -GPUCMD_SYS_EINVAL);
    }
    for (uint32_t first = 0; first < 2; first++) {
        setup(GPUCMD_I915_GEN9, 0);
        arg.batch_start_offset = 16;
        EQUAL(submit(first != 0 ? GPUCMD_I915_EXEC_BATCH_FIRST : 0, 1, 0, 2), 0);
        EQUAL(gpucmd_load32(ring_words[1] + 2, GPUCMD_LITTLE_ENDIAN), objects[1 - first].va + 16);
    }
}

/* The words of a submission in the ring, with the seqno stored to offset 0xc0 of the status page.
 * [K73] gen*_emit_bb_start, gen*_emit_breadcrumb; [IMI] MI_FLUSH_DW, PIPE_CONTROL */
static void ring_of(gpucmd_i915_gen gen, uint32_t ring, const uint32_t *want, uint32_t n, int line)
{
    setup(gen, 0);
    k.breadcrumb = true;
    k.seqno = 0x5432;
    EQUAL(submit(ring, 1, 0, 2), 0);
    test_equal(engines[ring].tail, 4 * n, __FILE__, line, "bytes");
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t w_ = want[i] == 0xba ? (uint32_t)objects[1].va : want[i];
        test_equal(gpucmd_load32(ring_words[ring] + i, GPUCMD_LITTLE_ENDIAN), w_, __FILE__, line,
                   "word");
    }
}
#define RING_OF(gen, ring, ...)                                                                    \
    do {                                                                                           \
        static const uint32_t want_[] = {__VA_ARGS__}; /* 0xba: the address of the batch */        \
        ring_of(GPUCMD_I915_##gen, ring, want_, sizeof want_ / 4, __LINE__);                       \
    } while (0)

#define TWICE(...) __VA_ARGS__, __VA_ARGS__
#define EIGHT(...) TWICE(TWICE(TWICE(__VA_ARGS__)))
#define STORE(at)  0x10800001, at, 0x5433
static void words_of_submission(void)
{
    RING_OF(GEN4, 1, 0x18800180, 0xba, 0x02000000, EIGHT(STORE(0x200)), EIGHT(STORE(0x200)),
            EIGHT(STORE(0xc0)), 0x01000000);
    RING_OF(GEN6, 1, 0x18800100, 0xba, /* a stall, a write to 0x200, then the flush and the seqno */
            0x7a000002, 0x00100002, 0, 0, 0x7a000002, 0x00204000, 0x204, 0, 0x7a000002, 0x00305021,
            0xc4, 0x5433, 0x01000000, 0);
    RING_OF(GEN6, 3, 0x18800100, 0xba, 0x13204001, 0xc4, 0x5433, 0x01000000);
    RING_OF(GEN7_5, 3, 0x18800100, 0xba, 0x13244001, 0xc4, 0x5433, EIGHT(STORE(0xc0)),
            EIGHT(STORE(0xc0)), EIGHT(STORE(0xc0)), EIGHT(STORE(0xc0)), 0x13000001, 0, 0,
            0x01000000, 0);
    RING_OF(GEN9, 1, 0x04000001, 0x18800101, 0xba, 0, 0x04000000, 0, /* arbitration on, off */
            0x7a000004, 0x00141021, 0, 0, 0, 0, 0x7a000004, 0x01304080, 0xc0, 0, 0x5433, 0,
            0x01000000, 0x04000001, 0x02800000, 0);
    RING_OF(GEN9, 3, 0x04000001, 0x18800101, 0xba, 0, 0x04000000, 0, /* */
            0x13204002, 0xc4, 0, 0x5433, 0x01000000, 0x04000001, 0x02800000, 0);
}

/* Expect the rings that the last submission waits for, and those that sync_ring was called for. */
#define WAITS(rings_)                                                                              \
    do {                                                                                           \
        EQUAL(k.wait_rings, (rings_));                                                             \
        EQUAL(synced, (rings_));                                                                   \
    } while (0)

/* Work of another ring that a submission depends on. bit 3: the ring of blits. */
static void waits(void)
{
    static const struct {
        uint64_t before, flags; /* of object 1, in the earlier work and in the submission */
        uint32_t want;
    } rows[] = {
        {0,                        0,                                                   0},
        {0,                        GPUCMD_EXEC_OBJECT_WRITE,                            8},
        {GPUCMD_EXEC_OBJECT_WRITE, 0,                                                   8},
        {GPUCMD_EXEC_OBJECT_WRITE, GPUCMD_EXEC_OBJECT_WRITE,                            8},
        {GPUCMD_EXEC_OBJECT_WRITE, GPUCMD_EXEC_OBJECT_ASYNC,                            0},
        {0,                        GPUCMD_EXEC_OBJECT_ASYNC | GPUCMD_EXEC_OBJECT_WRITE, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        setup(GPUCMD_I915_GEN9, 0);
        EQUAL(submit(GPUCMD_I915_EXEC_BLT, 1, rows[i].before, 3), 0);
        WAITS(0);
        EQUAL(submit(GPUCMD_I915_EXEC_RENDER, 1, rows[i].flags, 2), 0);
        WAITS(rows[i].want);
        engines[1].head = engines[1].tail; /* the work of the ring itself is no reason to wait */
        synced = 0;
        EQUAL(submit(GPUCMD_I915_EXEC_RENDER, 1, GPUCMD_EXEC_OBJECT_WRITE, 2), 0);
        EQUAL(synced & 2, 0);
    }
    /* a writer makes the readers before it nobody's concern */
    setup(GPUCMD_I915_GEN9, 0);
    EQUAL(submit(GPUCMD_I915_EXEC_BLT, 1, 0, 3), 0);
    EQUAL(submit(GPUCMD_I915_EXEC_RENDER, 1, GPUCMD_EXEC_OBJECT_WRITE, 2), 0);
    EQUAL(objects[0].readers, 2);
    EQUAL(objects[0].writer, 1);
    EQUAL(objects[1].readers, 2);
    EQUAL(objects[1].writer, 0);
    EQUAL(objects[2].readers, 8);
    /* a sync file and a sync object name the ring that signals them */
    for (unsigned how = 0; how < 3; how++) {
        setup(GPUCMD_I915_GEN9, 0);
        fence.handle = 9;
        fence.flags = GPUCMD_I915_EXEC_FENCE_SIGNAL;
        arg.num_cliprects = how == 2 ? 1 : 0;
        arg.cliprects_ptr = how == 2 ? (uint64_t)(uintptr_t)&fence : 0;
        EQUAL(submit(GPUCMD_I915_EXEC_BLT |
                         (how == 2 ? GPUCMD_I915_EXEC_FENCE_ARRAY : GPUCMD_I915_EXEC_FENCE_OUT),
                     1, 0, 3),
              0);
        EQUAL(arg.rsvd2 >> 32, how == 2 ? 0 : 30);
        EQUAL(how == 2 ? syncs_fence(&k, 9, 0) : files[0].fence, 1);
        arg.rsvd2 = 30;
        fence.flags = GPUCMD_I915_EXEC_FENCE_WAIT;
        EQUAL(submit(how == 0   ? GPUCMD_I915_EXEC_FENCE_IN
                     : how == 1 ? GPUCMD_I915_EXEC_FENCE_SUBMIT
                                : GPUCMD_I915_EXEC_FENCE_ARRAY,
                     4, 0, 2),
              0);
        WAITS(8);
    }
    /* a fence of ring 0 is the caller's */
    files[0].fence = gpucmd_fence_new(&k.fences, 0, 0);
    arg.num_cliprects = 0;
    arg.cliprects_ptr = 0;
    synced = 0;
    EQUAL(submit(GPUCMD_I915_EXEC_FENCE_IN, 4, 0, 2), -GPUCMD_SYS_EINVAL); /* no such file */
    files[0].used = true;
    EQUAL(submit(GPUCMD_I915_EXEC_FENCE_IN, 4, 0, 2), 0);
    WAITS(0);
}

/* A request waits for the request that was in a row when it was submitted, not for the next in it. */
static void rows_again(void)
{
    setup(GPUCMD_I915_GEN9, REQUESTS);
    EQUAL(submit(GPUCMD_I915_EXEC_BLT, 1, GPUCMD_EXEC_OBJECT_WRITE, 2), 0);
    EQUAL(submit(GPUCMD_I915_EXEC_RENDER, 1, 0, 3), 0);
    EQUAL(requests[1].wait, 1);
    CHECK(gpucmd_i915_kernel_run(&k)); /* the ring of blits; then request 1 is ready */
    EQUAL(k.pending, 2);
    for (uint32_t i = 2; i <= REQUESTS; i++) { /* all other rows, then row 0 */
        EQUAL(k.pending & 1, 0);
        EQUAL(submit(GPUCMD_I915_EXEC_BLT, 1, 0, 2), 0);
    }
    EQUAL(k.pending & 3, 3);
    EQUAL(requests[1].wait, 0);
    struct gpucmd_drm_gem_close unused = {4, 0}; /* freed at once: none of the work uses it */
    EQUAL(objects[3].handle, 4);
    EQUAL(gpucmd_i915_kernel_ioctl(&k, GPUCMD_DRM_IOCTL_GEM_CLOSE, (uint64_t)(uintptr_t)&unused),
          0);
    EQUAL(objects[3].handle, 0);
}

/* A reset before gen7 stops what runs on all rings, and counts it. */
static uint32_t resets;
static void on_reset(void *user, uint32_t ring)
{
    (void)user;
    resets |= 1u << ring;
}
static int on_no_sync(void *user, uint32_t ring)
{
    (void)user;
    (void)ring;
    return 0;
}

static void hangs(void)
{
    for (int gen7 = 0; gen7 < 2; gen7++) {
        for (int with = 0; with < 2; with++) {
            setup(gen7 ? GPUCMD_I915_GEN7 : GPUCMD_I915_GEN6, REQUESTS);
            k.sync_ring = on_no_sync;
            k.reset_ring = with ? on_reset : NULL;
            k.hang_runs = 2;
            resets = 0;
            arg.rsvd1 = 7;
            EQUAL(submit(GPUCMD_I915_EXEC_BLT, 1, 0, 2), 0);
            EQUAL(submit(GPUCMD_I915_EXEC_BLT, 1, 0, 2), 0); /* waits behind the first */
            arg.rsvd1 = 8;
            EQUAL(submit(GPUCMD_I915_EXEC_RENDER, 3, 0, 4), 0);
            requests[2].runs = 5; /* it has been looked at before: never the second time again */
            (void)gpucmd_i915_kernel_run(&k);
            CHECK(requests[0].running && requests[2].running && !requests[1].running);
            EQUAL(contexts[0].active, 0);
            CHECK(gpucmd_i915_kernel_run(&k));
            CHECK(requests[0].hung && !requests[1].hung && !requests[2].hung && !requests[3].hung);
            EQUAL(contexts[0].active, 1);
            EQUAL(contexts[0].pending, 0);
            EQUAL(contexts[1].active, 0);
            EQUAL(contexts[1].pending, gen7 ? 0 : 1);
            CHECK(!contexts[0].banned);
            EQUAL(resets, with ? 8 : 0);
            EQUAL(k.pending, 6);
            /* a banned context loses what waits, and not what runs */
            contexts[1].unrecoverable = true;
            requests[1].context = 8;
            requests[2].runs = 1;
            CHECK(gpucmd_i915_kernel_run(&k));
            CHECK(requests[2].hung && contexts[1].banned);
            CHECK(requests[1].hung);
            EQUAL(k.pending, 0);
        }
    }
}

/* The table that is too small: one address space more than there are rows for. */
static void full(void)
{
    setup(GPUCMD_I915_GEN9, 0);
    k.vma_count = 3;
    EQUAL(submit(0, 1, 0, 2), 0);
    EQUAL(k.table, GPUCMD_I915_TABLE_NONE);
    arg.rsvd1 = 7;
    EQUAL(submit(0, 1, 0, 2), -GPUCMD_SYS_ENOMEM);
    EQUAL(k.table, GPUCMD_I915_TABLE_VMAS);
    EQUAL(k.mappings.count, 2);
    k.vma_count = 4;
    EQUAL(submit(0, 1, 0, 2), 0);
    EQUAL(k.table, GPUCMD_I915_TABLE_NONE);
    EQUAL(k.mappings.count, 4);
}

/* A submission has at most 131072 fences, in one array or in all extensions together. */
static void most_fences(void)
{
    enum { MOST = 131072 };
    static struct gpucmd_drm_i915_gem_exec_fence fences[MOST];
    static uint64_t points[MOST];
    static gpucmd_i915_signal signals[MOST];
    static struct gpucmd_drm_i915_gem_execbuffer_ext_timeline_fences ext[2];
    setup(GPUCMD_I915_GEN9, 0);
    k.signals = signals;
    k.signal_count = MOST;
    for (uint32_t i = 0; i < MOST; i++) {
        fences[i].handle = 9;
        fences[i].flags = GPUCMD_I915_EXEC_FENCE_SIGNAL;
    }
    for (uint32_t more = 0; more < 2; more++) {
        const int want = more != 0 ? -GPUCMD_SYS_ENOMEM : 0;
        arg.cliprects_ptr = (uint64_t)(uintptr_t)fences;
        arg.num_cliprects = MOST + more;
        EQUAL(submit(GPUCMD_I915_EXEC_FENCE_ARRAY, 1, 0, 2), want);
        for (uint32_t i = 0; i < 2; i++) {
            ext[i].fence_count = i == 0 ? MOST : more;
            ext[i].handles_ptr = (uint64_t)(uintptr_t)fences;
            ext[i].values_ptr = (uint64_t)(uintptr_t)points;
        }
        ext[0].base.next_extension = (uint64_t)(uintptr_t)&ext[1];
        arg.cliprects_ptr = (uint64_t)(uintptr_t)ext;
        arg.num_cliprects = 0;
        EQUAL(submit(GPUCMD_I915_EXEC_USE_EXTENSIONS, 1, 0, 2), want);
    }
    arg.cliprects_ptr = (uint64_t)(uintptr_t)fences; /* one of 2^32 bytes is invalid */
    arg.num_cliprects = 0x1fffffff;
    EQUAL(submit(GPUCMD_I915_EXEC_FENCE_ARRAY, 1, 0, 2), -GPUCMD_SYS_ENOMEM);
    arg.num_cliprects = 0x20000000;
    EQUAL(submit(GPUCMD_I915_EXEC_FENCE_ARRAY, 1, 0, 2), -GPUCMD_SYS_EINVAL);
}

/* With NO_RELOC, relocations are done if any object of the list has another address than given. */
static void moved(void)
{
    for (uint32_t which = 0; which < 4; which++) {
        struct gpucmd_drm_i915_gem_relocation_entry reloc;
        setup(GPUCMD_I915_GEN9, 0);
        memset(&reloc, 0, sizeof reloc);
        memset(given, 0, sizeof given);
        reloc.target_handle = 3;
        reloc.offset = 16;
        for (uint32_t i = 0; i < 3; i++) {
            given[i].handle = i + 1;
            given[i].flags = GPUCMD_EXEC_OBJECT_PINNED;
            given[i].offset = 0x200000 + 0x1000 * i;
        }
        given[2].relocation_count = 1;
        given[2].relocs_ptr = (uint64_t)(uintptr_t)&reloc;
        if (which < 3) { /* not pinned, and no good place: the object moves */
            given[which].flags = 0;
            given[which].offset = 0x200000 + 0x1000 * ((which + 1) % 3);
        }
        arg.buffer_count = 3;
        arg.flags = GPUCMD_I915_EXEC_NO_RELOC;
        EQUAL(gpucmd_i915_kernel_ioctl(&k, GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2,
                                       (uint64_t)(uintptr_t)&arg),
              0);
        EQUAL(gpucmd_load64(memory[2] + 16, GPUCMD_LITTLE_ENDIAN), which < 3 ? objects[2].va : 0);
    }
}

int main(void)
{
    exec_flags();
    object_flags();
    batch_range();
    words_of_submission();
    waits();
    rows_again();
    hangs();
    full();
    most_fences();
    moved();
    return test_report("i915_submit");
}

/* Addresses of the model kernel: they come back after a close, idle objects are evicted, and the
 * rules for pinned objects, alignment, padding and the first 4 GiB hold. A long random run compares
 * each address with a list of all objects. */
/* suite: kernel */
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_i915.h"
#include "test.h"

enum {
    OBJECTS = 64,
    MANY = 4096,
    PINNED = GPUCMD_EXEC_OBJECT_PINNED,
    WIDE = GPUCMD_EXEC_OBJECT_SUPPORTS_48B_ADDRESS,
    PAD = GPUCMD_EXEC_OBJECT_PAD_TO_SIZE
};

static const uint64_t mib = 1 << 20;
static struct gpucmd_drm_i915_gem_execbuffer2 arg;
static struct gpucmd_drm_i915_gem_exec_object2 given[MANY], list[MANY];
static gpucmd_i915_object objects[MANY];
static gpucmd_map vmas[MANY];
static gpucmd_i915_vm vms[4];
static uint32_t ring_words[1024];
static uint8_t batch[4096];
static gpucmd_i915_ring ring;
static gpucmd_i915_cs cs;
static gpucmd_i915_kernel k;
static bool stuck; /* work stays in the ring */

static int on_sync(void *user, uint32_t number)
{
    (void)user;
    (void)number;
    cs.head = stuck ? cs.head : cs.tail;
    return 0;
}

static void setup(gpucmd_i915_gen gen)
{
    gpucmd_mmio mmio;
    memset(objects, 0, sizeof objects);
    memset(given, 0, sizeof given);
    memset(vmas, 0, sizeof vmas);
    memset(vms, 0, sizeof vms);
    memset(&arg, 0, sizeof arg);
    EQUAL(gpucmd_i915_cs_init(&cs, gen, GPUCMD_I915_RCS, 0), GPUCMD_OK);
    gpucmd_i915_cs_mmio(&cs, &mmio);
    EQUAL(gpucmd_i915_ring_init(&ring, ring_words, 4096, 0, &mmio, cs.base), GPUCMD_OK);
    EQUAL(gpucmd_i915_ring_start(&ring, 0x40000), GPUCMD_OK);
    gpucmd_i915_kernel_init(&k, gen, NULL);
    CHECK(k.why.kind == GPUCMD_WHY_IDLE && k.why.unit == 0 && k.why.at_va == 0 && k.why.value == 0);
    gpucmd_store32(batch, 0x05000000, GPUCMD_LITTLE_ENDIAN);
    for (uint32_t i = 0; i < MANY; i++) {
        objects[i].handle = i + 1;
        objects[i].bytes = 4096;
        objects[i].host = batch;
        given[i].handle = i + 1;
    }
    k.objects = objects;
    k.object_count = MANY;
    k.vmas = vmas;
    k.vma_count = MANY;
    k.vms = vms;
    k.vm_count = 4;
    k.list = list;
    k.list_cap = MANY;
    k.rings[1] = &ring;
    k.sync_ring = on_sync;
    stuck = false;
    arg.buffers_ptr = (uint64_t)(uintptr_t)given;
}

static int submit(uint32_t count)
{
    arg.buffer_count = count;
    const int err = gpucmd_i915_kernel_ioctl(&k, GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2,
                                             (uint64_t)(uintptr_t)&arg);
    cs.head = stuck ? cs.head : cs.tail;
    return err;
}

/* Submit one object with flags, presumed address and alignment. */
static int one(uint32_t handle, uint64_t bytes, uint64_t flags, uint64_t va, uint64_t align)
{
    memset(&given[0], 0, sizeof given[0]);
    given[0].handle = handle;
    given[0].flags = flags;
    given[0].offset = va;
    given[0].alignment = align;
    objects[handle - 1].bytes = bytes;
    return submit(1);
}

static int close_handle(uint32_t handle)
{
    struct gpucmd_drm_gem_close a = {handle, 0};
    const int err =
        gpucmd_i915_kernel_ioctl(&k, GPUCMD_DRM_IOCTL_GEM_CLOSE, (uint64_t)(uintptr_t)&a);
    objects[handle - 1].handle = handle; /* a new object in the row */
    objects[handle - 1].host = batch;
    return err;
}

/* Return the mapping of the object in row i; NULL: it has none. */
static const gpucmd_map *mapping(uint32_t i)
{
    return gpucmd_maps_first(&k.mappings, i + 1);
}

/* ---- random submissions ---- */

/* Walk the default space: mappings ascend and do not overlap. Return their number. */
static uint32_t ordered(void)
{
    const gpucmd_map *m = gpucmd_space_find(&k.mappings, &k.vm.space, 0);
    uint64_t end = 0;
    uint32_t n = 0;
    for (; m != NULL; m = gpucmd_space_next(&k.mappings, m)) {
        CHECK(m->va >= end && m->bytes != 0 && m->object != 0 && m->space == 0);
        CHECK(m == mapping(m->object - 1));
        end = m->va + m->bytes;
        n++;
    }
    return n;
}

static uint32_t rnd_state = 1;
static uint32_t rnd(uint32_t n)
{
    rnd_state = rnd_state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)rnd_state * n >> 32);
}

/* The place of an object is the first that its alignment allows. */
static void aligned(void)
{
    const uint64_t next_va = k.vm.next_va;
    for (uint32_t part = 0; part < 4; part++) {
        gpucmd_priv_i915_fit f = {4096ull << rnd(6), 4096ull << rnd(9), k.end_va};
        uint64_t va = k.first_va, found = 0, want = 0;
        const gpucmd_map *m = gpucmd_space_find(&k.mappings, &k.vm.space, va);
        uint32_t n = 0;
        for (;;) {
            const uint64_t at = (va + f.align - 1) & ~(f.align - 1);
            const uint64_t end = m != NULL ? m->va : k.end_va;
            n++;
            if (at < end && end - at >= f.bytes && at + f.bytes <= k.end_va) {
                want = at;
                break;
            }
            if (m == NULL) {
                break;
            }
            va = m->va + m->bytes;
            m = gpucmd_space_next(&k.mappings, m);
        }
        if (n < 60) { /* later only holes for any alignment are tried */
            k.vm.next_va = k.end_va;
            EQUAL(gpucmd_priv_i915_reserve_find(&k, &f, ~(uint64_t)0 - 4095, &found), want != 0);
            EQUAL(found, want);
            EQUAL(k.vm.next_va, k.end_va);
        }
    }
    k.vm.next_va = next_va;
}

/* The objects of the list are where their flags allow, and no two objects overlap. */
static void placed(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct gpucmd_drm_i915_gem_exec_object2 *e = &given[i];
        const gpucmd_i915_object *o = &objects[e->handle - 1];
        const uint64_t bytes = (e->flags & PAD) != 0 && e->rsvd1 > o->bytes ? e->rsvd1 : o->bytes;
        CHECK(o->bound && o->va == (e->offset & 0xffffffffffff));
        CHECK(e->alignment == 0 || o->va % e->alignment == 0);
        CHECK(o->va + bytes <=
              ((e->flags & WIDE) != 0 || k.end_va < 0xfffff000 ? k.end_va : 0xfffff000));
        CHECK(mapping(e->handle - 1)->bytes >= bytes);
    }
}

/* Random submissions in a space of 64 MiB: a refusal changes no address. */
static void random_run(gpucmd_i915_gen gen)
{
    static gpucmd_map old[OBJECTS]; /* bytes 0: the object has no mapping */
    uint32_t taken = 0, full = 0;
    setup(gen);
    k.end_va = k.first_va + 64 * mib;
    for (uint32_t round = 0; round < 3000; round++) {
        static gpucmd_i915_object before[OBJECTS];
        const uint32_t count = 1 + rnd(12);
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t h = 1 + (i * 5 + round) % OBJECTS;
            const uint64_t at = given[i].offset;
            memset(&given[i], 0, sizeof given[i]);
            given[i].handle = h;
            if (rnd(6) == 0) {
                EQUAL(close_handle(h), 0);
                objects[h - 1].bytes = 4096ull << rnd(13);
            }
            given[i].alignment = rnd(3) == 0 ? 4096ull << rnd(10) : 0;
            given[i].flags = rnd(2) == 0 ? WIDE : 0;
            given[i].offset = rnd(2) == 0 ? objects[h - 1].va : at;
            if (rnd(4) == 0) {
                given[i].flags |= PINNED;
                given[i].alignment = 0;
                given[i].offset = k.first_va + 4096ull * rnd(16384);
            }
            if (rnd(5) == 0) {
                given[i].flags |= PAD;
                given[i].rsvd1 = 4096ull * rnd(64);
            }
        }
        memcpy(before, objects, sizeof before);
        memset(old, 0, sizeof old);
        for (uint32_t i = 0; i < OBJECTS && round != 0; i++) {
            if (mapping(i) != NULL) {
                old[i] = *mapping(i);
            }
        }
        const int err = submit(count);
        if (err == 0) {
            taken++;
            placed(count);
        } else {
            CHECK(err == -GPUCMD_SYS_ENOSPC || err == -GPUCMD_SYS_EINVAL);
            full++;
            for (uint32_t i = 0; i < OBJECTS; i++) {
                const gpucmd_map *m = mapping(i);
                EQUAL(m != NULL ? m->bytes : 0, old[i].bytes);
                CHECK(m == NULL || m->va == old[i].va);
                CHECK(objects[i].va == before[i].va && objects[i].bound == before[i].bound);
            }
        }
        uint32_t bound = 0;
        for (uint32_t i = 0; i < OBJECTS; i++) {
            bound += mapping(i) != NULL;
        }
        EQUAL(ordered(), bound);
        EQUAL(k.mappings.count, bound);
        if (round % 8 == 0) {
            aligned();
        }
    }
    CHECK(taken > 500 && full > 100);
}

/* ---- rules ---- */

/* Create, use and close objects until ten spaces would be full. */
static void come_back(void)
{
    static const struct {
        gpucmd_i915_gen gen;
        uint64_t bytes; /* of the space */
    } rows[] = {
        {GPUCMD_I915_GEN4,   512ull << 20 },
        {GPUCMD_I915_GEN5,   512ull << 20 },
        {GPUCMD_I915_GEN6,   2048ull << 20},
        {GPUCMD_I915_GEN7_5, 2048ull << 20},
        {GPUCMD_I915_GEN8,   4096ull << 20},
        {GPUCMD_I915_GEN12,  4096ull << 20}
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        setup(rows[r].gen);
        for (uint32_t i = 0; i < 320; i++) {
            EQUAL(one(1, rows[r].bytes / 32, 0, 0, 0), 0);
            EQUAL(objects[0].va, 0x100000); /* an empty space starts again */
            EQUAL(close_handle(1), 0);
        }
        for (uint32_t i = 0; i < 320; i++) { /* without a close, idle ones are evicted */
            EQUAL(one(1 + i, rows[r].bytes / 32, 0, 0, 0), 0);
        }
        EQUAL(one(1, rows[r].bytes, 0, 0, 0), -GPUCMD_SYS_ENOSPC); /* larger than the space */
        CHECK(objects[319].bound);
        EQUAL(one(1, rows[r].bytes - 2 * mib, 0, 0, 0), 0); /* all others go */
        CHECK(!objects[319].bound && objects[0].bound);
    }
}

static void rules(void)
{
    setup(GPUCMD_I915_GEN9);
    EQUAL(one(1, 0x10000, 0, 0, 0), 0);
    EQUAL(one(2, 4096, 0, 0, 0), 0);
    EQUAL(close_handle(1), 0);
    EQUAL(one(3, 4096, 0, 0, 0x10000), 0); /* aligned after object 2, not in the hole before it */
    EQUAL(objects[2].va, 0x120000);
    setup(GPUCMD_I915_GEN9);
    EQUAL(one(1, 4096, 0, 0x777000, 0), 0); /* the presumed address is tried first */
    EQUAL(given[0].offset, 0x777000);
    EQUAL(one(2, 4096, 0, 0x777000, 0), 0); /* it is used */
    CHECK(given[0].offset != 0x777000 && objects[0].bound);
    EQUAL(one(3, 8192, PINNED, 0x776000, 0), 0); /* pinned: object 1 goes */
    CHECK(!objects[0].bound && objects[2].va == 0x776000);
    EQUAL(one(3, 8192, PINNED, 0x776000, 0x2000), 0);
    EQUAL(one(3, 8192, PINNED, 0x776000, 0x4000), -GPUCMD_SYS_EINVAL); /* its alignment */
    CHECK(objects[2].bound && objects[2].va == 0x776000);
    EQUAL(one(4, 8192, PINNED, 0, 0), 0); /* address 0 is as good as any other [K] */
    CHECK(objects[3].bound && objects[3].va == 0 && given[0].offset == 0);
    EQUAL(one(5, 4096, PINNED, 0x1000, 0), 0); /* object 4 goes, and comes back */
    CHECK(!objects[3].bound && objects[4].va == 0x1000);
    EQUAL(one(4, 8192, PINNED, 0, 0), 0);
    CHECK(objects[3].va == 0 && !objects[4].bound);
    /* the last page of 32 bits, and addresses over 4 GiB, need the flag */
    EQUAL(one(4, 4096, PINNED, 0xffffe000, 0), 0);
    EQUAL(one(4, 4096, PINNED, 0xfffff000, 0), -GPUCMD_SYS_EINVAL);
    EQUAL(one(4, 4096, PINNED, 0x100000000, 0), -GPUCMD_SYS_EINVAL);
    EQUAL(one(4, 4096, PINNED | WIDE, 0xfffff000, 0), 0);
    EQUAL(one(4, 4096, 0, 0xfffff000, 0), 0); /* without PINNED it moves */
    CHECK(objects[3].va < 0xfffff000);
    EQUAL(one(5, 4096, PINNED | WIDE, 0xfffffffff000, 0), -GPUCMD_SYS_EINVAL); /* not canonical */
    EQUAL(one(5, 4096, PINNED | WIDE, 0xfffffffffffff000, 0), 0);
    EQUAL(one(5, 8192, PINNED | WIDE, 0xfffffffffffff000, 0), -GPUCMD_SYS_EINVAL);
    /* padding counts */
    EQUAL(one(6, 4096, PINNED, 0x900000, 0), 0);
    EQUAL(one(7, 4096, PINNED, 0x901000, 0), 0);
    given[0].handle = 6;
    given[0].flags = PINNED | PAD;
    given[0].offset = 0x900000;
    given[0].rsvd1 = 0x2000;
    EQUAL(submit(1), 0);
    CHECK(objects[5].bound && !objects[6].bound);
    EQUAL(mapping(5)->bytes, 0x2000);
    /* two pinned ones at one place: refused, and neither is bound afterwards */
    given[0].handle = 8;
    given[1].handle = 9;
    given[0].flags = given[1].flags = PINNED;
    given[0].offset = given[1].offset = 0xa00000;
    EQUAL(submit(2), -GPUCMD_SYS_ENOSPC);
    CHECK(!objects[7].bound && !objects[8].bound);
    /* a pinned object of the list moves an unpinned one that is earlier in the list */
    EQUAL(one(8, 4096, PINNED, 0xb00000, 0), 0);
    given[0].flags = 0;
    given[1].offset = 0xb00000;
    EQUAL(submit(2), 0);
    CHECK(objects[7].va != 0xb00000 && objects[8].va == 0xb00000);
}

/* Objects that are held or in use keep their addresses. */
static void busy(void)
{
    setup(GPUCMD_I915_GEN9);
    EQUAL(one(1, 4096, PINNED, 0x300000, 0), 0);
    objects[0].pins = 1;
    EQUAL(one(2, 4096, PINNED, 0x300000, 0), -GPUCMD_SYS_ENOSPC);
    EQUAL(one(1, 4096, PINNED, 0x400000, 0), -GPUCMD_SYS_ENOSPC);
    EQUAL(one(1, 4096, 0, 0x400000, 0x200000), -GPUCMD_SYS_ENOSPC);
    objects[0].pins = 0;
    EQUAL(one(2, 4096, PINNED, 0x300000, 0), 0);
    CHECK(!objects[0].bound);
    stuck = true; /* object 3 is used by work that does not end */
    EQUAL(one(3, 4096, PINNED, 0x500000, 0), 0);
    EQUAL(one(4, 4096, PINNED, 0x500000, 0), -GPUCMD_SYS_ENOSPC);
    CHECK(objects[2].bound && !objects[3].bound);
    stuck = false; /* a wait ends the work */
    EQUAL(one(3, 4096, PINNED, 0x500000, 0), 0);
    EQUAL(one(4, 4096, PINNED, 0x500000, 0), 0);
    CHECK(!objects[2].bound && objects[3].bound);
}

/* A space in pieces: every second object of 1 MiB stays. What does not fit between them needs an
 * eviction; with objects that are held it is refused. */
static void pieces(void)
{
    setup(GPUCMD_I915_GEN6);
    k.end_va = k.first_va + 64 * mib;
    for (uint32_t i = 0; i < 64; i++) {
        EQUAL(one(1 + i, mib, PINNED, k.first_va + i * mib, 0), 0);
        objects[i].pins = i % 2;
    }
    for (uint32_t i = 0; i < 64; i += 2) {
        EQUAL(close_handle(1 + i), 0);
    }
    EQUAL(one(100, mib, 0, 0, mib), 0);
    EQUAL(objects[99].va, k.first_va); /* the first hole */
    EQUAL(one(101, mib + 4096, 0, 0, 0), -GPUCMD_SYS_ENOSPC);
    CHECK(objects[99].bound);
    objects[1].pins = 0;
    EQUAL(one(101, 2 * mib, 0, 0, 0), 0);
    CHECK(!objects[1].bound);
    EQUAL(one(102, mib, 0, 0, 2 * mib), 0); /* holes begin at odd MiB, so it goes to an even one */
    EQUAL(objects[101].va % (2 * mib), 0);
}

/* A full space whose idle objects move. Pinned objects of the list stay, and the others take the
 * first holes, whatever addresses the list has for them. */
static void moves(void)
{
    setup(GPUCMD_I915_GEN6);
    k.end_va = k.first_va + 4 * mib;
    EQUAL(one(1, mib, PINNED, k.first_va + mib, 0), 0);
    EQUAL(one(2, mib, PINNED, k.first_va, 0), 0);
    EQUAL(one(3, mib, PINNED, k.first_va + 3 * mib, 0), 0);
    objects[3].bytes = 2 * mib;
    given[0].handle = 1;
    given[0].flags = PINNED;
    given[0].offset = k.first_va + mib;
    given[1].handle = 4;
    given[1].flags = 0;
    EQUAL(submit(2), 0);
    CHECK(objects[0].va == k.first_va + mib && objects[3].va == k.first_va + 2 * mib);
    CHECK(!objects[1].bound && !objects[2].bound);
    objects[3].bytes = 3 * mib; /* object 1 at its old address leaves no room for object 4 */
    given[0].flags = 0;
    EQUAL(close_handle(1), 0);
    objects[0].bytes = mib;
    EQUAL(submit(2), 0);
    CHECK(objects[0].va == k.first_va && objects[3].va == k.first_va + mib);
    setup(GPUCMD_I915_GEN12); /* addresses below 4 GiB are scarce: object 2 is first */
    given[0].flags = WIDE;
    EQUAL(submit(2), 0);
    CHECK(objects[1].va == k.first_va && objects[0].va > objects[1].va);
}

/* Holes of one page at odd pages, then one at an even page. An object that needs an even page gets it
 * if at most 64 holes are before it; later only a hole is tried that is large enough in any case. */
static void hole_limit(void)
{
    for (uint32_t n = 60; n <= 70; n += 10) {
        setup(GPUCMD_I915_GEN6);
        k.end_va = k.first_va + (2 * n + 4) * 4096;
        for (uint32_t i = 0; i <= n + 1; i++) {
            const uint32_t page = i < n ? 2 * i : i == n ? 2 * n - 1 : 2 * n + 1;
            EQUAL(one(1 + i, 4096, PINNED, k.first_va + page * 4096, 0), 0);
            objects[i].pins = 1;
        }
        EQUAL(one(200, 8192, PINNED, k.first_va + (2 * n + 2) * 4096, 0), 0);
        objects[199].pins = 1;
        EQUAL(one(100, 4096, 0, 0, 8192), n == 60 ? 0 : -GPUCMD_SYS_ENOSPC);
        CHECK(n != 60 || objects[99].va == k.first_va + 2 * n * 4096);
    }
}

/* Exactly full: objects of 1 MiB in a list fill the space without a gap. */
static void full(void)
{
    setup(GPUCMD_I915_GEN7);
    k.end_va = k.first_va + 256 * mib;
    for (uint32_t i = 0; i < 256; i++) {
        objects[i].bytes = mib;
    }
    EQUAL(submit(256), 0);
    EQUAL(submit(256), 0); /* all stay */
    given[256].handle = 257;
    EQUAL(submit(257), -GPUCMD_SYS_ENOSPC);
    CHECK(objects[0].bound && objects[255].bound && !objects[256].bound);
}

/* Thousands of objects in one list, pinned at ascending addresses. */
static void many(void)
{
    setup(GPUCMD_I915_GEN12);
    for (uint32_t round = 0; round < 4; round++) {
        for (uint32_t i = 0; i < MANY; i++) {
            given[i].flags = (round & 1) == 0 ? PINNED | WIDE : 0;
            given[i].offset = (round & 1) == 0 ? 0x200000000 + (uint64_t)i * 4096 : 0;
        }
        EQUAL(submit(MANY), 0);
        EQUAL(ordered(), MANY);
    }
}

/* Object 1 at 0x300000, and in space 1 at 0x500000; object 2 at 0x300000 in space 1. Before gen8
 * object 1 at 0x500000 and object 2 at 0x300000 in the one space. */
static void addresses(bool gen8)
{
    uint64_t va = 1;
    CHECK(gpucmd_i915_kernel_address(&k, &objects[0], 0, &va));
    EQUAL(va, gen8 ? 0x300000 : 0x500000);
    va = 1;
    EQUAL(gpucmd_i915_kernel_address(&k, &objects[0], 1, &va), gen8);
    EQUAL(va, gen8 ? 0x500000 : 1);
    va = 1;
    EQUAL(gpucmd_i915_kernel_address(&k, &objects[1], gen8 ? 1 : 0, &va), true);
    EQUAL(va, 0x300000);
    va = 1;
    CHECK(!gpucmd_i915_kernel_address(&k, &objects[1], gen8 ? 0 : 1, &va));
    CHECK(!gpucmd_i915_kernel_address(&k, &objects[0], 3, &va));
    CHECK(!gpucmd_i915_kernel_address(&k, &objects[2], 0, &va));
    EQUAL(va, 1);
}

/* Two contexts with address spaces of their own: one address for two objects, two addresses for one
 * object. Before gen8 all share one space. */
static void spaces(void)
{
    static gpucmd_i915_context contexts[2];
    gpucmd_region r[4] = {
        {0, 0, NULL, 0}
    };
    for (int gen8 = 0; gen8 < 2; gen8++) {
        setup(gen8 != 0 ? GPUCMD_I915_GEN8 : GPUCMD_I915_GEN7);
        memset(contexts, 0, sizeof contexts);
        contexts[0].id = 7;
        contexts[0].vm = 1;
        contexts[1].id = 8;
        contexts[1].vm = 3;
        k.contexts = contexts;
        k.context_count = 2;
        EQUAL(one(1, 4096, PINNED, 0x300000, 0), 0);
        arg.rsvd1 = 7;
        EQUAL(one(2, 4096, PINNED, 0x300000, 0), 0);
        CHECK(objects[0].bound == (gen8 != 0) && objects[1].bound);
        EQUAL(one(1, 4096, PINNED, 0x500000, 0), 0);
        EQUAL(gpucmd_i915_kernel_regions(&k, r, 4), 2);
        CHECK(r[0].va == 0x300000 && r[1].va == 0x500000);
        addresses(gen8 != 0);
        arg.rsvd1 = 0;
        EQUAL(one(1, 4096, 0, 0, 0), 0); /* where it was in the default space */
        EQUAL(given[0].offset, gen8 != 0 ? 0x300000 : 0x500000);
        EQUAL(objects[0].va, given[0].offset);
        EQUAL(gpucmd_i915_kernel_regions(&k, r, 4), gen8 != 0 ? 1 : 2);
        arg.rsvd1 = 8;
        k.vma_count = k.mappings.used; /* no row for a third space of object 1 */
        EQUAL(k.mappings.count, k.mappings.used);
        EQUAL(one(1, 4096, 0, 0, 0), gen8 != 0 ? -GPUCMD_SYS_ENOMEM : 0);
        EQUAL(k.space, 0); /* refused: that of the call before */
        k.vma_count = 4 * OBJECTS;
        EQUAL(one(1, 4096, 0, 0, 0), 0);
        arg.rsvd1 = 7;
        gpucmd_i915_kernel_vm_free(&k, 1);
        CHECK(objects[0].bound && objects[1].bound == (gen8 == 0)); /* object 1 was there last */
        k.space = 1;
        EQUAL(gpucmd_i915_kernel_regions(&k, r, 4), 0);
        EQUAL(one(2, 4096, 0, 0, 0), 0);
        EQUAL(close_handle(1), 0); /* gone in all spaces */
        for (uint32_t vm = 0; vm < 4; vm++) {
            k.space = vm;
            EQUAL(gpucmd_i915_kernel_regions(&k, r, 4), vm == (gen8 != 0 ? 1 : 0) ? 1 : 0);
        }
        contexts[0].vm = 5; /* no such row */
        EQUAL(one(2, 4096, 0, 0, 0), gen8 != 0 ? -GPUCMD_SYS_EINVAL : 0);
        arg.rsvd1 = 8;
        for (uint32_t i = 0; i < 200; i++) { /* rows of vmas come back, too */
            const uint32_t h = 1 + i % 16;
            arg.rsvd1 = i % 3 == 0 ? 0 : 8;
            EQUAL(one(h, 4096, PINNED, 0x300000 + 4096 * (i / 40), 0), 0);
            EQUAL(i % 4 == 0 ? close_handle(h) : 0, 0);
        }
        CHECK(k.mappings.used <= 2 * OBJECTS);
        for (uint32_t i = 0; i < 3 * OBJECTS; i++) { /* a close gives all rows back */
            arg.rsvd1 = 0;
            EQUAL(one(20, 4096, PINNED, 0x300000, 0), 0);
            arg.rsvd1 = 8;
            EQUAL(one(20, 4096, PINNED, 0x300000, 0), 0);
            EQUAL(close_handle(20), 0);
        }
        for (uint32_t i = 0; i < 3 * OBJECTS; i++) { /* an eviction gives its row back */
            arg.rsvd1 = 0;
            EQUAL(one(100 + i, 4096, PINNED, 0x800000 + 4096 * i, 0), 0);
            arg.rsvd1 = 8;
            EQUAL(one(100 + i, 4096, PINNED, 0x300000, 0), 0);
        }
    }
}

int main(void)
{
    spaces();
    random_run(GPUCMD_I915_GEN6);
    random_run(GPUCMD_I915_GEN12);
    come_back();
    rules();
    busy();
    pieces();
    moves();
    hole_limit();
    full();
    many();
    return test_report("i915_space");
}

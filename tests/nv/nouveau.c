/* nv/nouveau.c - the ioctls of nouveau, as words: numbers, structures, errnos in the order of the
 * driver's checks, outputs. Each case starts from the state of setup: TU102 with GSP, a VM whose kernel
 * area is 2^39..2^40, three objects, a channel 3, three sync objects. A refused ioctl changes nothing.
 * Source: Linux 7.2, drivers/gpu/drm/nouveau. */
/* suite: kernel */
#include "gpucmd_nv.h"
#include "test.h"

#include "nv/nouveau.h"
#include "nv/nouveau_calls.h"

/* ---- start ---- */

static void start(void)
{
    CHECK(nouveau_open(GPUCMD_NV_CHIP_TU102));
    CALL(0xc0106450, 0, W(0, 0x80, 0, 0x80));
    GIVES(W(0, 0x80, 0, 0x80));
    CALL(0xc0106450, 0, W(0, 0x80, 0, 0x80)); /* twice: a new space */
    CALL(0x40106450, 0, W(0, 0x80, 0, 0x80)); /* the write-only code of clients */
    CALL(0xc0106450, 22, W(0, 0x8000, 1, 0));
    CALL(0xc0106450, 22, W(0xffffffff, 0xffffffff, 1, 0));
    CALL(0xc0106450, 0, W(0, 0x4000, 0, 0x4000));
    CHECK(nouveau_open(GPUCMD_NV_CHIP_GK104));
    CALL(0xc0106450, 22, W(0, 0x4000, 0, 0x4000));
    CALL(0xc0106450, 0, W(0, 0x80, 0, 0x80));
    CHECK(nouveau_open(GPUCMD_NV_CHIP_NV40));
    CALL(0xc0106450, 22, W(0, 0x80, 0, 0x80));
    CALL(0xc0106450, 0, W(0, 0x80, 0, 0));
    /* a GEM_NEW that fails ends the state in which VM_INIT is possible */
    CHECK(nouveau_open(GPUCMD_NV_CHIP_TU102));
    CALL(0xc0306480, 22, W(0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    CALL(0xc0106450, 38, W(0, 0x80, 0, 0x80));
    CALL(0xc0106450, 22, W(0, 0x8000, 1, 0)); /* range first */
    CHECK(nouveau_open(GPUCMD_NV_CHIP_TU102));
    CALL(0xc0586442, 38, W(0xffffffff, 3));
    CALL(0xc0106450, 38, W(0, 0x80, 0, 0x80));
}

static void parameters(void)
{
    setup();
    CALL(0xc0106440, 0, W(0x11, 0, 0, 0));
    GIVES(W(0x11, 0, 510, 0));
    CALL(0xc0106440, 22, W(0x15, 0, 7, 0));
    GIVES(W(0x15, 0, 7, 0));
    CALL(0xc0106440, 22, W(3, 1, 7, 0)); /* the id has 64 bits */
    CALL(0xc0106440, 0, W(3, 0, 0, 0));
    GIVES(W(3, 0, 0x10de, 0));
    CALL(0xc0106440, 0, W(0xb, 0, 0, 0));
    GIVES(W(0xb, 0, 0x162, 0));
    CALL(0xc0106440, 0, W(9, 0, 0, 0)); /* the size of the address space */
    GIVES(W(9, 0, 0, 0x20000));
    CALL(0xc0106440, 0, W(0xd, 0, 0, 0));
    GIVES(W(0xd, 0, 0x2206, 0));
    CALL(0xc0106440, 0, W(0x14, 0, 0, 0));
    GIVES(W(0x14, 0, 1, 0));
    CALL(0xc0106440, 0, W(0x13, 0, 0, 0)); /* VRAM_USED is never 0 */
    CHECK(nouveau_at(ARG)[11] != 0 || nouveau_at(ARG)[10] != 0);
    for (uint32_t id = 0; id < 24; id++) {
        const bool known = id == 3 || id == 4 || id == 5 || id == 8 || id == 9 || id >= 11;
        const uint32_t dw[4] = {id, 0, 0, 0};
        line_ = __LINE__;
        call(0xc0106440, dw, 4, known && id <= 20 ? 0 : 22);
    }
    /* 8 of 16 bytes: the id is read, the value is lost */
    CALL(0xc0086440, 0, W(0xb, 0, 0x77));
    GIVES(W(0xb, 0, 0x77));
    CALL(0xc0106441, 13, W(3, 0, 0, 0)); /* SETPARAM on a render node */
    CALL(0xc0106448, 38, W(0, 0, 0, 0)); /* SVM_INIT */
    CALL(0xc0406449, 38, W(0, 0, 0, 0)); /* SVM_BIND */
    /* GET_ZCULL_INFO clears the structure when it fails */
    CALL(0x80306453, 25, W(~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u));
    GIVES(W(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    CALL(0xc0106454, 22, W(0));
    CALL(0xc0106485, 22, W(0));
    CALL(0xc0107840, 25, W(0xb, 0)); /* type byte 'x' */
    line_ = __LINE__;
    EQUAL(gpucmd_nouveau_kernel_ioctl(&k, 0xc0106440, 0xdead0000), -14);
    CHECK(nouveau_open(GPUCMD_NV_CHIP_NV40));
    CALL(0xc0106440, 0, W(0x11, 0, 9, 0));
    GIVES(W(0x11, 0, 0, 0));
}

static void channels(void)
{
    setup();
    CHECK(gpucmd_nouveau_kernel_channel(&k, 3) != NULL);
    CASE(0xc0586442, 0, W(0xffffffff, 1, 0, 0, 0, 0));
    GIVES(W(0, 0, 4, 6, 5)); /* the next number, and the handle of the notifier object */
    CASE(0xc0586442, 0, W(0xffffffff, 0x30));
    CASE(0xc0586442, 38, W(0xffffffff, 3));
    GIVES(W(0xffffffff, 3));
    CASE(0xc0586442, 22, W(0xffffffff, 2)); /* no such engine */
    GIVES(W(0, 0));
    CASE(0xc0586442, 22, W(0, 0xffffffff));
    CASE(0xc0586442, 38, W(0xffffffff, 0x300));
    setup();
    nouveau_gpu.patch = 3; /* of Linux 7.3 */
    CALL(0xc0586442, 0, W(0xffffffff, 0x300));
    CASE(0x40046443, 2, W(9));
    CASE(0x40046443, 0, W(3));
    CALL(0x40046443, 2, W(3));
    CALL(0xc0286484, 0, W(4, 0)); /* the handle of the notifier object stays */
    GIVES(W(4, 4, 0x1000, 0));
    CALL(0xc0586442, 0, W(0, 0)); /* the number is free again */
    GIVES(W(0, 0, 3, 6));
    /* a VM without kernel area has no room for a ring */
    CHECK(nouveau_open(GPUCMD_NV_CHIP_TU102));
    CALL(0xc0106450, 0, W(0, 0x80, 0, 0));
    CALL(0xc0586442, 28, W(0xffffffff, 1));
    CHECK(nouveau_open(GPUCMD_NV_CHIP_G80));
    CALL(0xc0586442, 17, W(0, 0)); /* before GF100 the two handles must differ */
    CALL(0xc0586442, 22, W(0xffffffff, 1));
    CALL(0xc0586442, 0, W(0xbeef0201, 0xbeef0202));
    GIVES(W(0xbeef0201, 0xbeef0202, 2, 6, 1));
    CHECK(nouveau_open(GPUCMD_NV_CHIP_NV40));
    CALL(0xc0586442, 0, W(0xbeef0201, 0xbeef0202));
    GIVES(W(0xbeef0201, 0xbeef0202, 1, 4, 1));
}

static void objects(void)
{
    CHECK(nouveau_open(GPUCMD_NV_CHIP_TU102));
    CALL(0xc0106450, 0, W(0, 0x80, 0, 0x80));
    CALL(0xc0306480, 0, W(0, 0x2c, 0x10000, 0, 0, 0, 0, 0, 0, 0, 0, 0x1000));
    GIVES(W(1, 4, 0x10000, 0, 0, 0, 0, 1, 0, 0, 0, 0x1000));
    CHECK(nouveau_open(GPUCMD_NV_CHIP_TU102));
    CALL(0xc0306480, 22, W(0, 0x2c, 0x10000, 0, 0, 0, 0, 0, 0, 0, 0, 0x1000));
    CALL(0xc0106450, 38, W(0, 0x80, 0, 0x80));
    CASE(0xc0306480, 22, W(0, 0x2c, 0));
    CASE(0xc0306480, 22, W(0, 0x2c, 0x10000, 0, 0, 0, 0, 0, 0, 0x700, 0, 0x1000));
    CASE(0xc0306480, 22, W(0, 0x2c, 0x10000, 0, 0, 0, 0, 0, 0, 0xf00, 0, 0x1000));
    CASE(0xc0306480, 22, W(0, 0x2c, 0x10000, 0, 0, 0, 0, 0, 0, 0x1000, 0, 0x1000));
    CASE(0xc0306480, 0, W(0, 0x2c, 0x10000, 0, 0, 0, 0, 0, 0, 0x600, 0, 0x1000));
    /* VRAM of 2 MiB and more in pages of 2 MiB; with GART never */
    CASE(0xc0306480, 0, W(0, 2, 0x201000, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    GIVES(W(5, 2, 0x400000));
    CASE(0xc0306480, 0, W(0, 6, 0x201000, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    GIVES(W(5, 2, 0x201000));
    CASE(0xc0306480, 0, W(0, 0, 0x1000, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    GIVES(W(5, 2));
    CASE(0xc0306480, 0, W(0, 0x2c, 0x10000, 0, 0, 0, 0, 0, 0, 0, 0x55, 3));
    GIVES(W(5, 4, 0x10000, 0, 0, 0, 0x212000, 1, 0, 0, 0x55, 3));
    CASE(0xc0286484, 2, W(9));
    CASE(0xc0286484, 0, W(2, 0));
    GIVES(W(2, 2, 0x200000, 0, 0, 0, 0x10000, 1));
    CASE(0x40086482, 2, W(9, 0));
    CASE(0x40086482, 0, W(1, 5));
    CASE(0x40046483, 2, W(9));
    CASE(0x40046483, 0, W(1));
    CASE(0x40086409, 22, W(9, 0));
    CASE(0x40086409, 0, W(1, 0));
    CALL(0x40086409, 22, W(1, 0));
    setup();
    nouveau_poor = true; /* no memory */
    CALL(0xc0306480, 12, W(0, 0x2c, 0x10000, 0, 0, 0, 0, 0, 0, 0, 0, 0x1000));
    CASE(0xc0306480, 12, W(0, 2, 0, 0x100)); /* more than VRAM */
    CHECK(nouveau_open(GPUCMD_NV_CHIP_TU102));
    CALL(0xc0306480, 22, W(0, 1, 0x1000)); /* the old interface needs VRAM or GART */
    CALL(0xc0306480, 0, W(0, 2, 0x10000, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    GIVES(W(1, 2, 0x10000, 0, 0x10000, 0)); /* an address at a multiple of its page */
    CALL(0xc0306480, 0, W(0, 4, 0x1000, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    GIVES(W(2, 4, 0x1000, 0, 0x1000, 0));
}

/* ---- VM_BIND ---- */

static void bind_ops(void)
{
    OP(0, MAP1);
    CHECK(nouveau_open(GPUCMD_NV_CHIP_TU102));
    MORE(38, MAP1); /* no VM */
    OP(2, W(0, 0, 9, 0, 0x1000000, 0, 0, 0, 0x10000, 0));
    OP(2, W(0, 0, 9, 0, 0x1000000, 0, 0x800, 0, 0x10000, 0)); /* the handle comes first */
    OP(22, W(0, 0, 1, 0, 0x1000000, 0, 0x800, 0, 0x10000, 0));
    OP(22, W(0, 0, 1, 0, 0x1000000, 0, 0x10000, 0, 0x10000, 0));
    OP(22, W(0, 0, 1, 0, 0x1000000, 0, 0x1000, 0, 0x10000, 0));
    OP(22, W(0, 0, 1, 0, 0x1000800, 0, 0, 0, 0x10000, 0));
    OP(22, W(0, 0, 1, 0, 0x1000000, 0, 0, 0, 0x800, 0));
    OP(22, W(0, 0, 1, 0, 0xfffff000, 0x7f, 0, 0, 0x10000, 0)); /* touches the kernel area */
    OP(0, W(0, 0, 1, 0, 0xffff0000, 0x7f, 0, 0, 0x10000, 0));  /* ends at it */
    OP(0, W(0, 0, 1, 0, 0, 0x100, 0, 0, 0x10000, 0));          /* right after it */
    setup_chip(GPUCMD_NV_CHIP_GK104);
    MORE(22, W(0, 0, 1, 0, 0, 0x100, 0, 0, 0x10000, 0)); /* the space ends at 2^40 */
    OP(22, W(0, 0, 1, 0, 0xffff8000, 0x7fff, 0, 0, 0x10000, 0));
    OP(22, W(0, 0, 3, 0, 0x1000000, 0, 0, 0, 0x1000, 0)); /* neither VRAM nor GART */
    OP(0, W(0, 0, 1, 7, 0x1000000, 0, 0, 0, 0x10000, 0));
    OP(22, W(4, 0, 1, 0, 0x1000000, 0, 0, 0, 0x10000, 0));
    OP(0, W(1, 0, 0, 0, 0x5000000, 0, 0, 0, 0x10000, 0)); /* UNMAP of nothing */
    OP(0, W(0, 0, 1, 0, 0, 0, 0, 0, 0x10000, 0));         /* address 0 */
    OP(0, W(0, 0, 1, 0, 0x1000000, 0, 0, 0, 0, 0));       /* range 0 */
}

/* The kind is not reported: the range stays unmapped. */
static void kinds(void)
{
    static const struct {
        uint32_t flags;
        bool maps;
    } rows[] = {
        {6,           true },
        {0x80000000u, true },
        {7,           false},
        {0x10,        false},
        {0xe,         true }
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint32_t op[10] = {0, rows[i].flags, 1, 0, 0x1000000, 0, 0, 0, 0x10000, 0};
        setup();
        nouveau_put(OPS, op, 10);
        CALL(0xc0286451, 0, ONE_OP);
        const gpucmd_map *const m = gpucmd_space_find(&k.maps, &k.t.vms[k.vm - 1].pages, 0x1000000);
        EQUAL(m != NULL && m->va == 0x1000000, rows[i].maps);
    }
    /* an old mapping of the same bytes inside the range stays */
    OP(0, MAP1);
    MORE(0, W(0, 7, 1, 0, 0x1000000, 0, 0, 0, 0x10000, 0));
    const gpucmd_map *const m = gpucmd_space_find(&k.maps, &k.t.vms[k.vm - 1].pages, 0x1000000);
    CHECK(m != NULL && m->va == 0x1000000 && m->bytes == 0x10000);
    MORE(0, W(0, 7, 1, 0, 0x1000000, 0, 0x1000, 0, 0x1000, 0)); /* other bytes */
    const gpucmd_map *const rest = gpucmd_space_find(&k.maps, &k.t.vms[k.vm - 1].pages, 0x1000000);
    CHECK(rest != NULL && rest->va == 0x1001000);
    /* G80 until GF100: no MAP has an effect */
    CHECK(nouveau_open(GPUCMD_NV_CHIP_GT215));
    CALL(0xc0106450, 0, W(0, 0x80, 0, 0x80));
    CALL(0xc0306480, 0, W(0, 4, 0x10000, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    MORE(0, MAP1);
    CHECK(gpucmd_space_find(&k.maps, &k.t.vms[k.vm - 1].tree, 0) != NULL);
    CHECK(gpucmd_space_find(&k.maps, &k.t.vms[k.vm - 1].pages, 0) == NULL);
}

static void sparse(void)
{
    OP(0, SPARSE);
    MORE(28, SPARSE); /* again */
    OP(0, MAP1);
    MORE(28, W(0, 0x100, 0, 0, 0x1000000, 0, 0, 0, 0x200000, 0)); /* over a mapping */
    OP(0, W(2, 0, 0, 0, 0x4000000, 0, 0, 0, 0x200000, 0)); /* internal numbers are accepted */
    MORE(0, W(3, 0, 0, 0, 0x4000000, 0, 0, 0, 0x200000, 0));
    OP(0, SPARSE);
    MORE(0, W(0, 0, 1, 0, 0x2010000, 0, 0, 0, 0x10000, 0));
    MORE(28, W(0, 0, 1, 0, 0x21f8000, 0, 0, 0, 0x10000, 0)); /* crosses the border */
    MORE(0, W(1, 0, 0, 0, 0x1ff0000, 0, 0, 0, 0x220000, 0)); /* UNMAP across it is valid */
    MORE(28, SPARSE);                                        /* the region is still there */
    OP(0, SPARSE);
    MORE(2, W(1, 0x100, 0, 0, 0x2000000, 0, 0, 0, 0x100000, 0)); /* a half */
    MORE(0, UNSPARSE);
    MORE(2, UNSPARSE);
    MORE(0, SPARSE);
    setup_chip(GPUCMD_NV_CHIP_GM107);
    MORE(22, SPARSE); /* no sparse page tables */
}

static void two_ops(void)
{
    OP(0, SPARSE);
    TWO(28, UNSPARSE, SPARSE); /* against the regions before the call */
    MORE(28, SPARSE);
    TWO(22, UNSPARSE, W(0, 0, 1, 0, 0x2010000, 0, 0, 0, 0x10000, 0));
    MORE(28, SPARSE);
    TWO(2, UNSPARSE, UNSPARSE);
    MORE(28, SPARSE);
    setup();
    TWO(17, SPARSE, SPARSE);
    MORE(0, SPARSE); /* the first one was undone */
    setup();
    TWO(2, W(0, 0, 1, 0, 0x3000000, 0, 0, 0, 0x10000, 0),
        W(0, 0, 9, 0, 0x3000000, 0, 0, 0, 0x10000, 0));
    CHECK(gpucmd_space_find(&k.maps, &k.t.vms[k.vm - 1].tree, 0) == NULL);
    setup();
    TWO(2, W(4, 0, 1, 0, 0x3000000, 0, 0, 0, 0x10000, 0),
        W(0, 0, 9, 0, 0x3000000, 0, 0, 0, 0x10000, 0)); /* checks of all before row 10 */
    setup();
    TWO(28, W(0, 0, 1, 0, 0x2010000, 0, 0, 0, 0x10000, 0), SPARSE); /* mapped by this call */
    OP(0, W(0, 0, 1, 0, 0x2010000, 0, 0, 0, 0x10000, 0));
    TWO(0, W(1, 0, 0, 0, 0x2010000, 0, 0, 0, 0x10000, 0), SPARSE); /* unmapped by this call */
    setup();
    TWO(28, SPARSE, W(0, 0, 1, 0, 0x21f8000, 0, 0, 0, 0x10000, 0));
    MORE(0, SPARSE);
    setup();
    TWO(0, SPARSE, UNSPARSE);
    MORE(0, SPARSE);
    OP(0, MAP1);
    TWO(22, W(0, 0, 2, 0, 0x1000000, 0, 0, 0, 0x10000, 0),
        W(0, 0, 3, 0, 0x5000000, 0, 0, 0, 0x1000, 0));
}

static void bind_syncs(void)
{
    setup();
    PUT(OPS, MAP1);
    PUT(WAITS, W(0, 1, 0, 0));
    /* without RUN_ASYNC no sync; but the arrays are read first */
    CALL(0xc0286451, 22, W(1, 0, 1, 0, 0x4000, 0x7f00, 0, 0, 0x3000, 0x7f00));
    CALL(0xc0286451, 14, W(1, 0, 1, 0, 0xdead0000, 0, 0, 0, 0x3000, 0x7f00));
    CALL(0xc0286451, 14, W(1, 0, 0, 1, 0, 0, 0xdead0000, 0, 0x3000, 0x7f00));
    CALL(0xc0286451, 14, W(1, 0, 0, 0, 0, 0, 0, 0, 0xdead0000, 0));
    CALL(0xc0286451, 12, W(0xffffffff, 0, 0, 0, 0, 0, 0, 0, 0x3000, 0x7f00));
    CALL(0xc0286451, 0, W(1, 1, 1, 0, 0x4000, 0x7f00, 0, 0, 0x3000, 0x7f00));
    PUT(WAITS, W(0, 2, 0, 0)); /* no fence */
    CALL(0xc0286451, 22, W(1, 1, 1, 0, 0x4000, 0x7f00, 0, 0, 0x3000, 0x7f00));
    PUT(OPS, W(0, 0, 9, 0, 0x1000000, 0, 0, 0, 0x10000, 0));
    CALL(0xc0286451, 22, W(1, 1, 1, 0, 0x4000, 0x7f00, 0, 0, 0x3000, 0x7f00));
    PUT(OPS, MAP1);
    PUT(WAITS, W(0, 9, 0, 0));
    CALL(0xc0286451, 2, W(1, 1, 1, 0, 0x4000, 0x7f00, 0, 0, 0x3000, 0x7f00));
    PUT(WAITS, W(2, 9, 0, 0)); /* unknown type */
    CALL(0xc0286451, 95, W(1, 1, 1, 0, 0x4000, 0x7f00, 0, 0, 0x3000, 0x7f00));
    PUT(SIGS, W(2, 1, 0, 0));
    CALL(0xc0286451, 22, W(1, 1, 0, 1, 0x4000, 0x7f00, 0x5000, 0x7f00, 0x3000, 0x7f00));
    PUT(SIGS, W(0x10, 1, 0, 0)); /* bits outside the type */
    CALL(0xc0286451, 0, W(1, 1, 0, 1, 0x4000, 0x7f00, 0x5000, 0x7f00, 0x3000, 0x7f00));
    PUT(SIGS, W(0, 1, 0, 0));
    CALL(0xc0286451, 22, W(0, 0, 0, 1, 0x4000, 0x7f00, 0x5000, 0x7f00, 0, 0));
    CALL(0xc0286451, 0, W(0, 1, 0, 1, 0x4000, 0x7f00, 0x5000, 0x7f00, 0, 0)); /* no operations */
    uint32_t fence = 0;
    EQUAL(gpucmd_syncobj_find(&k.syncobjs, 1, 0, &fence), 0);
    CHECK(gpucmd_fence_signalled(&k.fences, fence));
}

/* ---- EXEC ---- */

#define ONE_WAIT W(3, 0, 1, 0, 0x4000, 0x7f00, 0x5000, 0x7f00, 0x6000, 0x7f00)
#define ONE_SIG  W(3, 0, 0, 1, 0x4000, 0x7f00, 0x5000, 0x7f00, 0x6000, 0x7f00)

#define PUSH(err, ...)                                                                             \
    do {                                                                                           \
        setup();                                                                                   \
        PUT(PUSHES, __VA_ARGS__);                                                                  \
        CALL(0xc0286452, err, ONE_PUSH);                                                           \
    } while (0)
#define WAIT(err, ...)                                                                             \
    do {                                                                                           \
        setup();                                                                                   \
        PUT(WAITS, __VA_ARGS__);                                                                   \
        CALL(0xc0286452, err, ONE_WAIT);                                                           \
    } while (0)
#define SIG(err, ...)                                                                              \
    do {                                                                                           \
        setup();                                                                                   \
        PUT(SIGS, __VA_ARGS__);                                                                    \
        CALL(0xc0286452, err, ONE_SIG);                                                            \
    } while (0)

static void exec(void)
{
    PUSH(0, W(0x1000000, 0, 0x40, 0));
    CASE(0xc0286452, 2, W(9, 1, 0, 0, 0x4000, 0x7f00, 0x5000, 0x7f00, 0x6000, 0x7f00));
    CASE(0xc0286452, 2, W(9, 0x1ff, 0, 0, 0x4000, 0x7f00, 0x5000, 0x7f00, 0x6000, 0x7f00));
    CASE(0xc0286452, 22, W(3, 0x1ff, 0, 0, 0x4000, 0x7f00, 0x5000, 0x7f00, 0x6000, 0x7f00));
    CASE(0xc0286452, 22, W(3, 0x1ff, 0, 0, 0, 0, 0, 0, 0xdead0000, 0));
    CASE(0xc0286452, 14, W(3, 1, 0, 0, 0, 0, 0, 0, 0xdead0000, 0));
    PUSH(22, W(0x1000000, 0, 0x800000, 0));
    PUSH(0, W(0x1000000, 0, 0x7fffff, 0));
    PUSH(0, W(2, 0, 0x7fffff, 0));
    setup();
    PUT(PUSHES, W(0x1000000, 0, 0x800000, 0));
    PUT(WAITS, W(0, 9, 0, 0));
    CALL(0xc0286452, 22, W(3, 1, 1, 0, 0x4000, 0x7f00, 0, 0, 0x6000, 0x7f00));
    CALL(0xc0286452, 14, W(3, 1, 1, 0, 0xdead0000, 0, 0, 0, 0x6000, 0x7f00));
    WAIT(0, W(1, 3, 4, 0));
    WAIT(22, W(1, 3, 5, 0)); /* a point that was not submitted */
    WAIT(0, W(1, 3, 0, 0));
    WAIT(22, W(1, 1, 1, 0)); /* a point of a binary object */
    WAIT(22, W(0, 2, 0, 0));
    WAIT(2, W(0, 9, 0, 0));
    WAIT(95, W(2, 9, 0, 0));
    SIG(0, W(1, 3, 5, 0));
    SIG(22, W(2, 3, 5, 0));
    SIG(2, W(0, 9, 0, 0));
    CASE(0xc0286452, 0, W(3, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    CHECK(nouveau_open(GPUCMD_NV_CHIP_TU102));
    CALL(0xc0286452, 38, W(9, 0, 0, 0, 0, 0, 0, 0, 0, 0)); /* no VM */
    /* killed: empty and wrong submissions alike */
    setup();
    gpucmd_nouveau_kernel_channel(&k, 3)->killed = true;
    CALL(0xc0286452, 19, W(3, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    CALL(0xc0286452, 19, W(3, 0x1ff, 0, 0, 0, 0, 0, 0, 0, 0));
    /* 510 pushes */
    setup();
    for (uint32_t i = 0; i < 510 / 2; i++) { /* one page of the process has 256 */
        static const uint32_t push[4] = {0x1000000, 0, 0x40, 0};
        nouveau_put(PUSHES + 16 * i, push, 4);
    }
    CALL(0xc0286452, 0, W(3, 0xff, 0, 0, 0, 0, 0, 0, 0x6000, 0x7f00));
    CALL(0xc0286452, 0, W(3, 0x1fe, 0, 0, 0, 0, 0, 0, 0x6000, 0x7f00));
}

/* ---- NVIF ---- */

static void nvif(void)
{
    setup();
    CALL(0x40486447, 0, NEW_DEVICE);
    CALL(0x40486447, 17, NEW_DEVICE);
    /* the type byte is not looked at */
    CALL(0x40487847, 0, W(0x200, 0xff0000, 0, 0, 0, 0, 0, 0, 0, 0, 0x1235, 0, 0, 0x80, 0, 0, 0, 0));
    CALL(0x40486447, 22,
         W(0x200, 0xff0000, 0, 0, 0, 0, 0, 0, 0, 0, 0x1236, 0, 0, 0x81, 0, 0, 0, 0));
    CALL(0x40486447, 22,
         W(0x200, 0xff0000, 0, 0, 1, 0, 0, 0, 0, 0, 0x1236, 0, 0, 0x80, 0, 0, 0, 0));
    CALL(0xc0886447, 0, INFO(0));
    GIVES(W(0x400, 0xff0000, 0, 0, 0x1234, 0, 0, 0, 0x01620300, 0x00000ca1, 0, 4, 0xff000000, 3));
    CHECK(strcmp((const char *)nouveau_at(ARG) + 32 + 24, "TU102") == 0);
    CALL(0xc0886447, 22, INFO(0x100)); /* TIME */
    CALL(0xc0906447, 22, INFO(0));
    CALL(0xc0886447, 22, W(0x400, 0xff0000, 0, 0, 0x9999)); /* not a device */
    CALL(0xc0a06447, 0, SCLASS(3, 16));
    GIVES(W(0x100, 0xff000000, 3, 0, 0, 0, 7 << 8, 0, 0x8000000e, 0, 0xa140, 0xffff, 0x902d, 0xffff,
            0xc597, 0xffff, 0xc5c0, 0xffff, 0xc5b5, 0xffff, 0xc5b5, 0xffff, 0, 0));
    CALL(0xc0286447, 0, SCLASS(3, 1)); /* room for one */
    GIVES(W(0x100, 0xff000000, 3, 0, 0, 0, 7 << 8, 0, 0x8000000e, 0, 0, 0));
    CALL(0xc0a86447, 22, SCLASS(3, 16));
    CALL(0xc0a06447, 22, SCLASS(9, 16));
    CALL(0xc0a06447, 22, W(0x100, 0, 3, 0, 0, 0, 0x1000)); /* route 0 */
    CALL(0x40386447, 0, NEW_OBJECT(3, 0x5678, 0xbef2003d, 0xc597));
    CALL(0x40386447, 17, NEW_OBJECT(3, 0x5678, 0, 0xc597)); /* the name is taken */
    CALL(0x40386447, 22,
         NEW_OBJECT(3, 0x5679, 0xbef2003d, 0xc597)); /* so is the handle, with GSP */
    CALL(0x40386447, 22, NEW_OBJECT(3, 0x5679, 0, 0xc697));
    CALL(0x40386447, 22, NEW_OBJECT(9, 0x5679, 0, 0xc597));
    CALL(0x40386447, 38, NEW_OBJECT(3, 0x5679, 0, 0x8000000e)); /* the event entry */
    CALL(0x40386447, 0, NEW_OBJECT(3, 0x5679, 0, 0xc597));
    CALL(0x40186447, 0, W(0x300, 0xff0000, 0, 0, 0x5678, 0));
    CALL(0x40186447, 0, W(0x300, 0xff0000, 0, 0, 0x5678, 0)); /* an unknown name is no error */
    CALL(0x40186447, 22, W(0x300, 0xff000000, 3, 0, 0x5678, 0));
    CALL(0x401c6447, 22, W(0x300, 0xff0000, 0, 0, 0x5678, 0, 0));
    CALL(0x40186447, 22, W(0, 0xff0000, 0, 0, 0, 0));      /* NOP */
    CALL(0x40106447, 22, W(0x300, 0xff0000, 0, 0));        /* size */
    CALL(0x40186447, 22, W(0x301, 0xff0000, 0, 0, 0, 0));  /* version */
    CALL(0x40186447, 22, W(0x300, 0x1ff0000, 0, 0, 0, 0)); /* route 1 */
    /* names stay taken after CHANNEL_FREE */
    CALL(0x40046443, 0, W(3));
    CALL(0xc0586442, 0, W(0, 0));
    CALL(0x40386447, 17, NEW_OBJECT(3, 0x5679, 0, 0xc597));
    EQUAL(gpucmd_nouveau_kernel_ioctl(&k, 0x40186447, 0xdead0000), -14);
    EQUAL(gpucmd_nouveau_kernel_ioctl(&k, 0xc0106447, 0xdead0000), -22);
}

/* ---- old interface ---- */

static void grobj(void)
{
    setup();
    CALL(0x400c6444, 2, W(9, 1, 0x902d));
    CALL(0x400c6444, 22, W(3, 0xffffffff, 0x902d));
    CALL(0x400c6444, 22, W(3, 1, 0x906e)); /* no software class */
    CALL(0x400c6444, 22, W(3, 1, 0));
    CALL(0x400c6444, 0, W(3, 1, 0x902d));
    CALL(0x40086446, 22, W(9, 1)); /* another errno than that of CHANNEL_FREE */
    CALL(0x40086446, 2, W(3, 2));
    CALL(0x40086446, 0, W(3, 1));
    CALL(0x40086446, 2, W(3, 1));
    CALL(0xc0106445, 22, W(3, 1, 0x20, 0)); /* GF100 and later have no notifiers */
    CHECK(nouveau_open(GPUCMD_NV_CHIP_GK104));
    CALL(0xc0586442, 0, W(0xffffffff, 1));
    GIVES(W(0, 0, 2, 6, 1));
    CALL(0x400c6444, 0, W(2, 1, 0x906e));
    EQUAL(k.t.names[0].oclass, 0xfffffff9u);
    CALL(0x400c6444, 0, W(2, 1, 0x902d)); /* the handle may repeat */
    CHECK(nouveau_open(GPUCMD_NV_CHIP_G80));
    CALL(0xc0586442, 0, W(0xbeef0201, 0xbeef0202));
    CALL(0xc0106445, 2, W(9, 0xbeef0301, 0x20, 0));
    CALL(0xc0106445, 0, W(2, 0xbeef0301, 0x20, 0));
    GIVES(W(2, 0xbeef0301, 0x20, 0));
    CALL(0xc0106445, 28, W(2, 0xbeef0302, 0xfe1, 0));
    CALL(0xc0106445, 17, W(2, 0xbeef0301, 0x20, 0));
    CALL(0xc0106445, 17, W(2, 0xbeef0202, 0x20, 0)); /* a handle of the channel */
    CALL(0xc0106445, 22, W(2, 0xbeef0302, 0, 0));
    CALL(0xc0106445, 0, W(2, 0xbeef0302, 0x21, 0));
    GIVES(W(2, 0xbeef0302, 0x21, 0x20)); /* no rounding */
    CALL(0xc0106445, 0, W(2, 0xbeef0303, 0x20, 0));
    GIVES(W(2, 0xbeef0303, 0x20, 0x41));
    CALL(0x40086446, 0, W(2, 0xbeef0301));
    CALL(0xc0106445, 0, W(2, 0xbeef0304, 0x10, 0));
    GIVES(W(2, 0xbeef0304, 0x10, 0)); /* the lowest free bytes */
    CALL(0x400c6444, 0, W(2, 0x1, 0x5097));
    CALL(0x400c6444, 17, W(2, 0x1, 0x5097));
    CALL(0x400c6444, 38, W(2, 0x2, 0x3d)); /* listed, but it needs data */
}

static void pushbuf(void)
{
    setup_old(GPUCMD_NV_CHIP_GK104);
    PUT(OPS, BUFFER(2, 4, 0, 4));
    PUT(PUSHES, W(0, 0, 0x100, 0, 0x40, 0));
    CALL(0xc0406481, 0, PUSHED);
    GIVES(W(2, 1, 0x3000, 0x7f00, 0, 1, 0, 0, 0x6000, 0x7f00, 0, 0, 0xff000000, 3, 0, 0x100));
    EQUAL(gpucmd_nouveau_kernel_run(&k, 1 << 16), GPUCMD_RUN_IDLE);
    CALL(0xc0406481, 2, W(9, 0, 0, 0, 0, 0));
    CALL(0xc0406481, 0, W(2, 0xffffffff, 0, 0, 0, 0, 0, 0, 0, 0, 7, 7)); /* nothing to do */
    GIVES(W(2, 0xffffffff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff000000, 3));
    /* too many: the free memory is written, the suffixes are not */
    CALL(0xc0406481, 22, W(2, 1, 0x3000, 0x7f00, 0, 0x201, 0, 0, 0x6000, 0x7f00, 7, 7, 0, 0, 0, 0));
    GIVES(W(2, 1, 0x3000, 0x7f00, 0, 0x201, 0, 0, 0x6000, 0x7f00, 7, 7, 0xff000000, 3));
    CALL(0xc0406481, 22, W(2, 0x401, 0x3000, 0x7f00, 0, 1, 0, 0, 0x6000, 0x7f00, 7, 7));
    CALL(0xc0406481, 22, W(2, 1, 0x3000, 0x7f00, 0x401, 1, 0, 0, 0x6000, 0x7f00, 7, 7));
    CALL(0xc0406481, 14, W(2, 1, 0x3000, 0x7f00, 0, 1, 0, 0, 0xdead0000, 0, 7, 7));
    CALL(0xc0406481, 14, W(2, 1, 0xdead0000, 0, 0, 1, 0, 0, 0x6000, 0x7f00, 7, 7));
    /* relocations are ignored, not even read */
    CALL(0xc0406481, 0, W(2, 1, 0x3000, 0x7f00, 1, 1, 0xdead0000, 0, 0x6000, 0x7f00, 0, 0));
    PUT(PUSHES, W(1, 0, 0x100, 0, 0x40, 0)); /* no such buffer */
    CALL(0xc0406481, 22, PUSHED);
    PUT(PUSHES, W(0, 0, 0x100, 0, 0x40, 0));
    PUT(OPS, BUFFER(9, 4, 0, 4));
    CALL(0xc0406481, 2, PUSHED);
    PUT(OPS, BUFFER(2, 4, 0, 1));
    CALL(0xc0406481, 22, PUSHED);
    PUT(OPS, BUFFER(2, 2, 0, 4)); /* VRAM of an object in GART */
    CALL(0xc0406481, 22, PUSHED);
    PUT(OPS, BUFFER(2, 4, 0, 4));
    PUT(OPS + 40, BUFFER(2, 4, 0, 4)); /* twice */
    CALL(0xc0406481, 22, W(2, 2, 0x3000, 0x7f00, 0, 1, 0, 0, 0x6000, 0x7f00));
    setup();
    CALL(0xc0406481, 38, W(9, 0, 0, 0, 0, 0)); /* a VM file, before the channel is looked up */
}

/* Before G80 the first push moves the buffers: their addresses come back, relocations are applied. */
static void relocations(void)
{
    setup_old(GPUCMD_NV_CHIP_NV40);
    GIVES(W(2, 4, 0x1000, 0, 0, 0)); /* no address */
    const uint32_t va = (uint32_t)k.t.gems[1].va;
    PUT(OPS, BUFFER(2, 4, 4, 4));
    PUT(PUSHES, W(0, 0, 0x100, 0, 8, 0));
    PUT(SIGS, W(0, 0x40, 0, 1, 0x10, 0, 0));           /* LOW */
    PUT(SIGS + 28, W(0, 0x46, 0, 4, 0x5, 0x10, 0x20)); /* OR: tor in GART; rounded to 0x44 */
    const uint32_t returns = 0x00020000;
    memcpy(nouveau_ram + (k.t.gems[1].map_handle - 0x100000000u) + 0x104, &returns, 4);
    CALL(0xc0406481, 0,
         W(1, 1, 0x3000, 0x7f00, 2, 1, 0x5000, 0x7f00, 0x6000, 0x7f00, 0, 0, 0, 0, 0, 0));
    GIVES(W(1, 1, 0x3000, 0x7f00, 2, 1, 0x5000, 0x7f00, 0x6000, 0x7f00, 0x20000, 0));
    uint32_t dw[4];
    memcpy(dw, nouveau_at(OPS) + 24, 16);
    EQUAL(dw[0], 0); /* not valid */
    EQUAL(dw[1], 4);
    EQUAL(dw[2], va);
    const uint8_t *const bytes = (const uint8_t *)k.t.gems[1].host;
    EQUAL(gpucmd_load32(bytes + 0x40, GPUCMD_LITTLE_ENDIAN), va + 0x10);
    EQUAL(gpucmd_load32(bytes + 0x44, GPUCMD_LITTLE_ENDIAN), 0x25);
    EQUAL(gpucmd_nouveau_kernel_run(&k, 1 << 16), GPUCMD_RUN_IDLE);
    /* the buffer has not moved: nothing is read */
    CALL(0xc0406481, 0,
         W(1, 1, 0x3000, 0x7f00, 2, 1, 0xdead0000, 0, 0x6000, 0x7f00, 0, 0, 0, 0, 0, 0));
    EQUAL(gpucmd_nouveau_kernel_run(&k, 1 << 16), GPUCMD_RUN_IDLE);
    PUT(OPS, BUFFER(2, 4, 4, 4));
    CALL(0xc0406481, 14,
         W(1, 1, 0x3000, 0x7f00, 2, 1, 0xdead0000, 0, 0x6000, 0x7f00, 0, 0, 0, 0, 0, 0));
    PUT(SIGS, W(0, 0x40, 1, 1, 0x10, 0, 0)); /* no such buffer */
    CALL(0xc0406481, 22,
         W(1, 1, 0x3000, 0x7f00, 1, 1, 0x5000, 0x7f00, 0x6000, 0x7f00, 0, 0, 0, 0, 0, 0));
    PUT(SIGS, W(0, 0xffd, 0, 1, 0x10, 0, 0)); /* outside the object */
    CALL(0xc0406481, 22,
         W(1, 1, 0x3000, 0x7f00, 1, 1, 0x5000, 0x7f00, 0x6000, 0x7f00, 0, 0, 0, 0, 0, 0));
}

/* Before G80 a push moves an object to a domain that the client allows. */
static void moves(void)
{
    static const uint32_t nop[2] = {0, 0x00020000};
    setup_old(GPUCMD_NV_CHIP_NV40);
    const uint64_t used = nouveau_gpu.vram_used_bytes;
    memcpy(nouveau_ram + (k.t.gems[1].map_handle - 0x100000000u) + 0x100, nop, 8);
    PUT(PUSHES, W(0, 0, 0x100, 0, 8, 0));
    for (uint32_t i = 0; i < 4; i++) {
        static const uint32_t asked[4] = {2, 6, 4, 6}, is_in[4] = {2, 2, 4, 4};
        const uint32_t buffer[10] = {0, 0, 2, asked[i], 0, 6};
        uint32_t presumed[3], info[2];
        nouveau_put(OPS, buffer, 10);
        CALL(0xc0406481, 0, W(1, 1, 0x3000, 0x7f00, 0, 1, 0, 0, 0x6000, 0x7f00, 0, 0, 0, 0, 0, 0));
        memcpy(presumed, nouveau_at(OPS) + 24, 12);
        EQUAL(presumed[0], 0); /* not valid */
        EQUAL(presumed[1], is_in[i]);
        EQUAL(presumed[2], (uint32_t)k.t.gems[1].va);
        EQUAL(nouveau_gpu.vram_used_bytes, used + (is_in[i] == 2 ? 0x1000 : 0));
        CALL(0xc0286484, 0, W(2, 0, 0, 0, 0, 0, 0, 0, 0, 0));
        memcpy(info, nouveau_at(ARG), 8);
        EQUAL(info[1], is_in[i]);
    }
    EQUAL(gpucmd_nouveau_kernel_run(&k, 1 << 16), GPUCMD_RUN_IDLE);
    PUT(OPS, BUFFER(2, 2, 0, 4)); /* no common domain */
    CALL(0xc0406481, 22, W(1, 1, 0x3000, 0x7f00, 0, 1, 0, 0, 0x6000, 0x7f00, 0, 0, 0, 0, 0, 0));
    gpucmd_nouveau_kernel_close(&k);
    EQUAL(nouveau_gpu.vram_used_bytes, used);
    /* on later chips an object that may be in both stays where it is */
    setup_old(GPUCMD_NV_CHIP_GK104);
    CALL(0xc0306480, 0, W(0, 6, 0x1000, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    PUT(OPS, BUFFER(3, 4, 0, 6));
    CALL(0xc0406481, 0, PUSHED);
    CALL(0xc0286484, 0, W(3, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    GIVES(W(3, 2, 0x1000, 0));
}

/* ---- names, tables ---- */

static void names(void)
{
    gpucmd_nouveau_tables t;
    EQUAL(strcmp(gpucmd_nouveau_ioctl_name(0xc0286452), "EXEC"), 0);
    EQUAL(strcmp(gpucmd_nouveau_ioctl_name(0x40486447), "NVIF"), 0);
    EQUAL(strcmp(gpucmd_nouveau_ioctl_name(0xc0106454), "?"), 0);
    EQUAL(strcmp(gpucmd_nouveau_table_name(GPUCMD_NOUVEAU_TABLE_POINTS), "POINTS"), 0);
    EQUAL(strcmp(gpucmd_nouveau_table_name(GPUCMD_NOUVEAU_TABLE_NONE), "NONE"), 0);
    CHECK(nouveau_open(GPUCMD_NV_CHIP_TU102));
    t = nouveau_tables;
    t.jobs = NULL;
    EQUAL(gpucmd_nouveau_kernel_init(&k, &nouveau_gpu, &t), GPUCMD_RANGE);
    EQUAL(k.table, GPUCMD_NOUVEAU_TABLE_JOBS);
    t = nouveau_tables;
    t.item_count = 0;
    EQUAL(gpucmd_nouveau_kernel_init(&k, &nouveau_gpu, &t), GPUCMD_RANGE);
    EQUAL(k.table, GPUCMD_NOUVEAU_TABLE_ITEMS);
    t = nouveau_tables;
    t.gems = (gpucmd_nouveau_gem *)(void *)((uint8_t *)t.gems + 4);
    EQUAL(gpucmd_nouveau_kernel_init(&k, &nouveau_gpu, &t), GPUCMD_ALIGN);
    EQUAL(k.table, GPUCMD_NOUVEAU_TABLE_GEMS);
    EQUAL(gpucmd_nouveau_device_init(&nouveau_gpu, GPUCMD_NV_CHIP_NV28), GPUCMD_UNSUPPORTED);
    EQUAL(gpucmd_nouveau_device_init(&nouveau_gpu, GPUCMD_NV_CHIP_GA10B), GPUCMD_UNSUPPORTED);
    EQUAL(gpucmd_nouveau_device_init(&nouveau_gpu, GPUCMD_NV_CHIP_GB207), GPUCMD_OK);
    setup();
    CHECK(!nouveau_is_empty());
    gpucmd_nouveau_kernel_close(&k);
    CHECK(nouveau_is_empty());
    EQUAL(nouveau_gpu.ids[0], 7);
}

/* Page kinds: the number of valid ones, and partners of compressed ones. */
static void page_kinds(void)
{
    uint32_t plain, g80 = 0, gf100 = 0, gm204 = 0, tu102 = 0;
    for (uint32_t kind = 0; kind < 0x400; kind++) {
        g80 += gpucmd_nouveau_kind(GPUCMD_NV_CHIP_G80, kind, &plain);
        gf100 += gpucmd_nouveau_kind(GPUCMD_NV_CHIP_GF100, kind, &plain);
        gm204 += gpucmd_nouveau_kind(GPUCMD_NV_CHIP_GM204, kind, &plain);
        tu102 += gpucmd_nouveau_kind(GPUCMD_NV_CHIP_TU102, kind, &plain);
    }
    EQUAL(g80, 1 + 4 + 4 + 7 + 7 + 14 + 3 + 7 + 8 + 4 + 6);
    EQUAL(gf100, 10 + 5 + 4 + 6 + 3 + 4 + 0 + 1 + 8 + 0 + 8 + 1 + 8 + 6 + 10 + 14);
    EQUAL(gm204, gf100 + 2);
    EQUAL(tu102, 14);
    CHECK(gpucmd_nouveau_kind(GPUCMD_NV_CHIP_TU102, 8, &plain));
    EQUAL(plain, 6);
    CHECK(gpucmd_nouveau_kind(GPUCMD_NV_CHIP_TU102, 0xb, &plain));
    EQUAL(plain, 1);
    CHECK(gpucmd_nouveau_kind(GPUCMD_NV_CHIP_GK104, 0xdb, &plain));
    EQUAL(plain, 0xfe);
    CHECK(gpucmd_nouveau_kind(GPUCMD_NV_CHIP_GK104, 0xc1, &plain));
    EQUAL(plain, 0xa9);
    CHECK(gpucmd_nouveau_kind(GPUCMD_NV_CHIP_GK104, 0xfe, &plain));
    EQUAL(plain, 0xfe);
    CHECK(!gpucmd_nouveau_kind(GPUCMD_NV_CHIP_GK104, 0xff, &plain));
}

int main(void)
{
    EQUAL(sizeof(struct gpucmd_drm_nouveau_exec), 40);
    if (gpucmd_cpu_endian() == GPUCMD_BIG_ENDIAN) {
        return test_report("nv/nouveau"); /* arguments are written as words, the lower one first */
    }
    start();
    parameters();
    channels();
    objects();
    bind_ops();
    kinds();
    sparse();
    two_ops();
    bind_syncs();
    exec();
    nvif();
    grobj();
    pushbuf();
    relocations();
    moves();
    names();
    page_kinds();
    return test_report("nv/nouveau");
}

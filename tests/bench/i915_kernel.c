/* The hand-written side of row P19, in the form of a kernel: a table selects one function per
 * operation and generation. Each function reserves its words once and has no other check. This
 * file uses no code of the library. */
#include "bench.h"
#include "i915_recipes.h"

typedef struct request {
    uint32_t *at, *end;
    uint32_t seqno;
    bool failed;
} request;

/* Reserve n words, as a ring does. */
static uint32_t *begin(request *rq, uint32_t n)
{
    uint32_t *cs = rq->at;
    if ((size_t)(rq->end - cs) < n) {
        rq->failed = true;
        return NULL;
    }
    rq->at = cs + n;
    return cs;
}

#define BEGIN(n)                                                                                   \
    uint32_t *cs = begin(rq, n);                                                                   \
    if (cs == NULL) {                                                                              \
        return;                                                                                    \
    }

static uint32_t *pipe4(uint32_t *cs, uint32_t flags, uint32_t address, uint32_t data)
{
    *cs++ = 0x7a000002;
    *cs++ = flags;
    *cs++ = address;
    *cs++ = data;
    return cs;
}

static uint32_t *pipe5(uint32_t *cs, uint32_t flags, uint32_t address)
{
    *cs++ = 0x7a000003;
    *cs++ = flags;
    *cs++ = address;
    *cs++ = 0;
    *cs++ = 0;
    *cs++ = 0;
    return cs;
}

static uint32_t *pipe6(uint32_t *cs, uint32_t flags0, uint32_t flags1, uint32_t address,
                       uint32_t data)
{
    *cs++ = 0x7a000004 | flags0;
    *cs++ = flags1;
    *cs++ = address;
    *cs++ = 0;
    *cs++ = data;
    *cs++ = 0;
    return cs;
}

static uint32_t *store(uint32_t *cs, uint32_t offset, uint32_t data, int n)
{
    while (n-- != 0) {
        *cs++ = 0x10800001;
        *cs++ = offset;
        *cs++ = data;
    }
    return cs;
}

/* ---- flush ---- */

static void flush_2(request *rq, bool invalidate)
{
    const uint32_t flush = 0x02000000 | (invalidate ? 1 : 0);
    BEGIN(50)
    *cs++ = flush;
    for (int i = 0; i < 12; i++) {
        cs = store(cs, 0x200, 0, 1);
        *cs++ = 0x02000004;
    }
    *cs = flush;
}

static void delay_4(request *rq, uint32_t flush)
{
    BEGIN(22)
    *cs++ = flush;
    *cs++ = 0x7a004002;
    *cs++ = SCRATCH_VA | 4;
    *cs++ = 0;
    *cs++ = 0;
    for (int i = 0; i < 12; i++) {
        *cs++ = 0x02000000;
    }
    *cs++ = 0x7a004002;
    *cs++ = SCRATCH_VA | 4;
    *cs++ = 0;
    *cs++ = 0;
    *cs = flush;
}

static void back_4(request *rq)
{
    BEGIN(2)
    *cs++ = 0x02000000;
    *cs = 0x02000000;
}

static void flush_4(request *rq, bool invalidate)
{
    if (invalidate) {
        delay_4(rq, 0x02000002);
    } else {
        back_4(rq);
    }
}

static void flush_5(request *rq, bool invalidate)
{
    if (invalidate) {
        delay_4(rq, 0x02000022);
    } else {
        back_4(rq);
    }
}

static void flush_6(request *rq, bool invalidate)
{
    BEGIN(16)
    cs = pipe5(cs, 0x00100002, (SCRATCH_VA + 128) | 4);
    cs = pipe5(cs, 0x00004000, (SCRATCH_VA + 128) | 4);
    pipe4(cs, invalidate ? 0x00144c1c : 0x00101001, (SCRATCH_VA + 128) | 4, 0);
}

static void flush_6_other(request *rq, bool invalidate)
{
    BEGIN(4)
    *cs++ = 0x13204001 | (invalidate ? 1 << 18 : 0);
    *cs++ = 0x204;
    *cs++ = 0;
    *cs++ = 0;
}

static void flush_7(request *rq, bool invalidate)
{
    if (invalidate) {
        BEGIN(8)
        cs = pipe4(cs, 0x00100002, 0, 0);
        pipe4(cs, 0x01154c1c, SCRATCH_VA + 128, 0);
    } else {
        BEGIN(4)
        pipe4(cs, 0x011050a1, SCRATCH_VA + 128, 0);
    }
}

static void flush_8(request *rq, bool invalidate)
{
    BEGIN(6)
    pipe6(cs, 0, invalidate ? 0x00344c1c : 0x001010a1, 0xd0, 0);
}

static void flush_9(request *rq, bool invalidate)
{
    if (invalidate) {
        BEGIN(12)
        cs = pipe6(cs, 0, 0, 0, 0);
        pipe6(cs, 0, 0x00344c1c, 0xd0, 0);
    } else {
        BEGIN(6)
        pipe6(cs, 0, 0x001010a1, 0xd0, 0);
    }
}

static void flush_8_other(request *rq, bool invalidate)
{
    BEGIN(4)
    *cs++ = 0x13204002 | (invalidate ? 1 << 18 : 0);
    *cs++ = 0xd0;
    *cs++ = 0;
    *cs++ = 0;
}

static void flush_11(request *rq, bool invalidate)
{
    BEGIN(6)
    pipe6(cs, 0, invalidate ? 0x20344c1c : 0x103050a1, 0xd0, 0);
}

static uint32_t *aux(uint32_t *cs, uint32_t reg)
{
    *cs++ = 0x11020001;
    *cs++ = reg;
    *cs++ = 1;
    *cs++ = 0x0e01c003;
    *cs++ = 0;
    *cs++ = reg;
    *cs++ = 0;
    *cs++ = 0;
    return cs;
}

static void flush_12(request *rq, bool invalidate)
{
    if (invalidate) {
        BEGIN(22)
        cs = pipe6(cs, 0x200, 0x103070a1, 0xd0, 0);
        *cs++ = 0x02800101;
        cs = pipe6(cs, 0, 0x20344c1c, 0xd0, 0);
        cs = aux(cs, 0x4208);
        *cs++ = 0x02800100;
    } else {
        BEGIN(6)
        pipe6(cs, 0x200, 0x183070a1, 0xd0, 0);
    }
}

static void flush_12_5(request *rq, bool invalidate)
{
    if (invalidate) {
        BEGIN(14)
        cs = pipe6(cs, 0, 1, 0xd0, 0);
        *cs++ = 0x02800101;
        cs = pipe6(cs, 0, 0x20344c1c, 0xd0, 0);
        *cs++ = 0x02800100;
    } else {
        BEGIN(12)
        cs = pipe6(cs, 0, 1, 0xd0, 0);
        pipe6(cs, 0x200, 0x183070a1, 0xd0, 0);
    }
}

static uint32_t *flush_dw(uint32_t *cs, uint32_t flags)
{
    *cs++ = 0x13204002 | flags;
    *cs++ = 0xd0;
    *cs++ = 0;
    *cs++ = 0;
    return cs;
}

static void flush_12_other(request *rq, bool invalidate)
{
    BEGIN(invalidate ? 14 : 12)
    if (invalidate) {
        *cs++ = 0x02800101;
    }
    cs = aux(flush_dw(cs, invalidate ? 1 << 18 | 1 << 16 : 0), 0x4248);
    if (invalidate) {
        *cs++ = 0x02800100;
    }
}

static void flush_12_5_other(request *rq, bool invalidate)
{
    BEGIN(invalidate ? 6 : 4)
    if (invalidate) {
        *cs++ = 0x02800101;
    }
    cs = flush_dw(cs, invalidate ? 1 << 18 : 0);
    if (invalidate) {
        *cs++ = 0x02800100;
    }
}

/* ---- batch start ---- */

static void start_2(request *rq, uint64_t va)
{
    BEGIN(2)
    *cs++ = 0x18800080;
    *cs++ = (uint32_t)va | 1;
}

static void start_4(request *rq, uint64_t va)
{
    BEGIN(2)
    *cs++ = 0x18800180;
    *cs++ = (uint32_t)va;
}

static void start_6(request *rq, uint64_t va)
{
    BEGIN(2)
    *cs++ = 0x18800100;
    *cs++ = (uint32_t)va;
}

static void start_7_5(request *rq, uint64_t va)
{
    BEGIN(2)
    *cs++ = 0x18802100;
    *cs++ = (uint32_t)va;
}

static void start_8(request *rq, uint64_t va)
{
    BEGIN(6)
    *cs++ = 0x04000001;
    *cs++ = 0x18800101;
    *cs++ = (uint32_t)va;
    *cs++ = (uint32_t)(va >> 32);
    *cs++ = 0x04000000;
    *cs++ = 0;
}

/* ---- copy of a page ---- */

static void copy_2(request *rq, uint64_t dst, uint64_t src)
{
    BEGIN(6)
    *cs++ = 0x50f00004;
    *cs++ = 0x03cc1000;
    *cs++ = 1 << 16 | 4096;
    *cs++ = (uint32_t)dst;
    *cs++ = 4096;
    *cs++ = (uint32_t)src;
}

static void copy_8(request *rq, uint64_t dst, uint64_t src)
{
    BEGIN(10)
    *cs++ = 0x54f00008;
    *cs++ = 0x03cc1000;
    *cs++ = 0;
    *cs++ = 1 << 16 | 1024;
    *cs++ = (uint32_t)dst;
    *cs++ = (uint32_t)(dst >> 32);
    *cs++ = 0;
    *cs++ = 4096;
    *cs++ = (uint32_t)src;
    *cs++ = (uint32_t)(src >> 32);
}

static void copy_9(request *rq, uint64_t dst, uint64_t src)
{
    BEGIN(10)
    *cs++ = 0x50800008;
    *cs++ = 0x03001000;
    *cs++ = 0;
    *cs++ = 1 << 16 | 1024;
    *cs++ = (uint32_t)dst;
    *cs++ = (uint32_t)(dst >> 32);
    *cs++ = 0;
    *cs++ = 4096;
    *cs++ = (uint32_t)src;
    *cs++ = (uint32_t)(src >> 32);
}

/* ---- breadcrumb ---- */

static void crumb_2(request *rq)
{
    BEGIN(74)
    *cs++ = 0x02000000;
    cs = store(cs, 0x200, rq->seqno, 16);
    cs = store(cs, SEQNO_VA & 0xfff, rq->seqno, 8);
    *cs++ = 0x01000000;
}

static void crumb_5(request *rq)
{
    BEGIN(50)
    *cs++ = 0x02000000;
    cs = store(cs, 0x200, rq->seqno, 8);
    cs = store(cs, SEQNO_VA & 0xfff, rq->seqno, 8);
    *cs++ = 0x01000000;
}

static void crumb_6(request *rq)
{
    BEGIN(14)
    cs = pipe4(cs, 0x00100002, 0, 0);
    cs = pipe4(cs, 0x00004000, SCRATCH_VA | 4, 0);
    cs = pipe4(cs, 0x00105021, SEQNO_VA | 4, rq->seqno);
    *cs++ = 0x01000000;
    *cs++ = 0;
}

static void crumb_6_other(request *rq)
{
    BEGIN(4)
    *cs++ = 0x13204001;
    *cs++ = (SEQNO_VA & 0xfff) | 4;
    *cs++ = rq->seqno;
    *cs++ = 0x01000000;
}

static void crumb_7(request *rq)
{
    BEGIN(6)
    cs = pipe4(cs, 0x011050a1, SEQNO_VA, rq->seqno);
    *cs++ = 0x01000000;
    *cs++ = 0;
}

static void crumb_7_other(request *rq)
{
    BEGIN(104)
    *cs++ = 0x13244001;
    *cs++ = (SEQNO_VA & 0xfff) | 4;
    *cs++ = rq->seqno;
    cs = store(cs, SEQNO_VA & 0xfff, rq->seqno, 32);
    *cs++ = 0x13000001;
    *cs++ = 0;
    *cs++ = 0;
    *cs++ = 0x01000000;
    *cs++ = 0;
}

static uint32_t *tail(uint32_t *cs)
{
    *cs++ = 0x01000000;
    *cs++ = 0x04000001;
    *cs++ = 0x02800000;
    *cs++ = 0;
    return cs;
}

static void crumb_8(request *rq)
{
    BEGIN(16)
    cs = pipe6(cs, 0, 0x00141021, 0, 0);
    tail(pipe6(cs, 0, 0x01104080, SEQNO_VA, rq->seqno));
}

static void crumb_11(request *rq)
{
    BEGIN(16)
    cs = pipe6(cs, 0, 0x10141021, 0, 0);
    tail(pipe6(cs, 0, 0x01104080, SEQNO_VA, rq->seqno));
}

static void crumb_12(request *rq)
{
    BEGIN(16)
    cs = pipe6(cs, 0x200, 0x181430a1, 0, 0);
    tail(pipe6(cs, 0, 0x01104080, SEQNO_VA, rq->seqno));
}

static void crumb_12_5(request *rq)
{
    BEGIN(22)
    cs = pipe6(cs, 0, 1, 0, 0);
    cs = pipe6(cs, 0x200, 0x181410a1, 0, 0);
    tail(pipe6(cs, 0, 0x01104080, SEQNO_VA, rq->seqno));
}

static uint32_t *flush_seqno(uint32_t *cs, uint32_t seqno)
{
    *cs++ = 0x13004002;
    *cs++ = SEQNO_VA | 4;
    *cs++ = 0;
    *cs++ = seqno;
    return cs;
}

static void crumb_8_other(request *rq)
{
    BEGIN(8)
    tail(flush_seqno(cs, rq->seqno));
}

static void crumb_12_other(request *rq)
{
    BEGIN(12)
    *cs++ = 0x13000002;
    *cs++ = 0;
    *cs++ = 0;
    *cs++ = 0;
    tail(flush_seqno(cs, rq->seqno));
}

/* ---- functions of each generation ---- */

typedef struct engine_ops {
    int until;
    void (*flush)(request *rq, bool invalidate);
    void (*start)(request *rq, uint64_t va);
    void (*copy)(request *rq, uint64_t dst, uint64_t src);
    void (*crumb)(request *rq);
} engine_ops;

static const engine_ops render[] = {
    {30,  flush_2,    start_2,   copy_2, crumb_2   },
    {40,  flush_4,    start_4,   copy_2, crumb_2   },
    {45,  flush_5,    start_4,   copy_2, crumb_2   },
    {50,  flush_5,    start_4,   copy_2, crumb_5   },
    {60,  flush_6,    start_6,   NULL,   crumb_6   },
    {70,  flush_7,    start_6,   NULL,   crumb_7   },
    {75,  flush_7,    start_7_5, NULL,   crumb_7   },
    {80,  flush_8,    start_8,   NULL,   crumb_8   },
    {90,  flush_9,    start_8,   NULL,   crumb_8   },
    {110, flush_11,   start_8,   NULL,   crumb_11  },
    {120, flush_12,   start_8,   NULL,   crumb_12  },
    {125, flush_12_5, start_8,   NULL,   crumb_12_5},
};

static const engine_ops blitter[] = {
    {60,  flush_6_other,    start_6,   copy_2, crumb_6_other },
    {70,  flush_6_other,    start_6,   copy_2, crumb_7_other },
    {75,  flush_6_other,    start_7_5, copy_2, crumb_7_other },
    {80,  flush_8_other,    start_8,   copy_8, crumb_8_other },
    {110, flush_8_other,    start_8,   copy_9, crumb_8_other },
    {120, flush_12_other,   start_8,   copy_9, crumb_12_other},
    {125, flush_12_5_other, start_8,   copy_9, crumb_12_other},
};

size_t raw_i915_requests(uint32_t *dst, gpucmd_i915_gen gen, gpucmd_i915_engine engine,
                         uint32_t first, uint32_t count)
{
    const engine_ops *ops = engine == GPUCMD_I915_BCS ? blitter : render;
    const uint64_t va = (int)gen < 80 ? (uint32_t)USER_VA : USER_VA;
    request rq = {NULL, NULL, 0, false};
    while (ops->until < (int)gen) {
        ops++;
    }
    for (uint32_t i = 0; i < count; i++) {
        rq.at = dst;
        rq.end = dst + REQUEST_DW;
        rq.seqno = first + i;
        ops->flush(&rq, true);
        ops->start(&rq, va);
        ops->flush(&rq, false);
        if (ops->copy != NULL) {
            ops->copy(&rq, va + 4096, va);
        }
        ops->crumb(&rq);
        if (rq.failed) {
            return 0;
        }
    }
    return (size_t)(rq.at - dst);
}

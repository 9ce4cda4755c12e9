/* streams.h - legal streams from a seed, for one channel or two of GH100. Include it after
 * gpucmd_nv.h.
 *
 * A stream is a list of operations. Each operation sets all state that it uses and touches memory of
 * its own channel, so any operation can be left out and the rest stays legal. Its random numbers come
 * from the seed and its index alone. The letter and number in a row name the test of the plan that the
 * operation belongs to; risk 0: drivers do it every day, 1: documented, 2: may stop the channel. */
#ifndef GPUCMD_TEST_SILICON_STREAMS_H
#define GPUCMD_TEST_SILICON_STREAMS_H

#include <stdio.h>
#include <string.h>

enum {
    ST_OPS = 24,        /* operations of a stream */
    ST_WORDS = 0x2000,  /* words of a channel */
    ST_ENTRIES = 128,   /* IB entries of a channel */
    ST_GUARD = 0x1000,  /* bytes before and after the data of a region */
    ST_HALF = 0x100000, /* bytes that belong to one channel */
    ST_SLOTS = 0x400,   /* bytes for the semaphores of one operation */
    ST_SEM_BYTES = 0x10000,
    ST_SYS_BYTES = ST_GUARD + 2 * ST_HALF + ST_GUARD,
    ST_VID_BYTES = ST_SYS_BYTES + ST_SEM_BYTES,
    ST_VID_SEM = ST_GUARD + 2 * ST_HALF, /* atomics of the host engine in VRAM */
    ST_CE = 4,                           /* subchannel of the copy engine */
};

#define ST_CHIP GPUCMD_NV_CHIP_GH100

/* Addresses. Each lies in a region of its own. */
#define ST_RING_VA(ch)  (0x1000000000u + (uint64_t)(ch)*0x10000000u)
#define ST_WORDS_VA(ch) (ST_RING_VA(ch) + 0x1000)
#define ST_SEM_VA       0x1020000000u
#define ST_SYS_VA       0x1030000000u
#define ST_VID_VA       0x1040000000u

typedef struct st_random {
    uint64_t state;
} st_random;

static uint32_t st_next(st_random *r)
{
    uint64_t z = r->state += 0x9e3779b97f4a7c15u; /* splitmix64 */
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ z >> 31) >> 16);
}

/* Return 0 to n - 1. */
static uint32_t st_below(st_random *r, uint32_t n)
{
    return st_next(r) % n;
}

/* A number that is short most of the time, 1 to n. */
static uint32_t st_length(st_random *r, uint32_t n)
{
    const uint32_t few = st_below(r, 4) == 0 ? n : n < 300 ? n : 300;
    return 1 + st_below(r, few);
}

/* A time stamp in the semaphore region. */
typedef struct st_stamp {
    uint32_t off_bytes;
    unsigned channel;
    bool in_video;
} st_stamp;

typedef struct st_entry {
    bool is_control;
    uint32_t at_dw, len_dw; /* segment */
    uint32_t operand;       /* control */
    uint32_t flags;
} st_entry;

/* A value of the initial memory. */
typedef struct st_poke {
    bool in_video;
    uint32_t off_bytes;
    uint64_t value;
} st_poke;

typedef struct st_case {
    uint64_t seed;
    unsigned channels, risk, ops;
    uint32_t keep;     /* bit i: operation i is part of the stream */
    bool block_linear; /* the copy engine has it */
    uint32_t words[2][ST_WORDS];
    size_t len_dw[2];
    st_entry entries[2][ST_ENTRIES];
    unsigned entry_count[2];
    st_stamp stamps[4 * ST_OPS];
    unsigned stamp_count;
    st_poke pokes[8 * ST_OPS];
    unsigned poke_count;
    const char *names[ST_OPS];
    uint32_t skip; /* bit k: operations of row k are left out */
    /* What the streams had since the caller cleared it: bits of block heights and depths, layers,
     * acquires; of reductions by 64-bit and signed. */
    uint32_t heights, depths, layers, acquires, reductions[2][2];
    bool bad; /* a stream that could not be made: an error of this program */
} st_case;

/* What an operation writes with. */
typedef struct st_op {
    st_case *c;
    st_random r;
    unsigned index, ch;
    gpucmd_writer *w, *other; /* of its channel, of the other one (NULL: one channel) */
    unsigned stamps;
} st_op;

static uint64_t st_sem(const st_op *o, unsigned k)
{
    return ST_SEM_VA + o->index * ST_SLOTS + k * 16;
}

static void st_poke_at(st_op *o, uint64_t va, uint64_t value)
{
    st_case *const c = o->c;
    st_poke *const p = &c->pokes[c->poke_count];
    if (c->poke_count == sizeof c->pokes / sizeof c->pokes[0]) {
        c->bad = true;
        return;
    }
    c->poke_count++;
    p->in_video = va >= ST_VID_VA;
    p->off_bytes = (uint32_t)(va - (p->in_video ? ST_VID_VA : ST_SEM_VA));
    p->value = value;
}

static void st_stamp_at(st_op *o, uint64_t va)
{
    st_case *const c = o->c;
    st_stamp *const s = &c->stamps[c->stamp_count];
    if (c->stamp_count == sizeof c->stamps / sizeof c->stamps[0]) {
        c->bad = true;
        return;
    }
    c->stamp_count++;
    s->channel = o->ch;
    s->in_video = va >= ST_VID_VA;
    s->off_bytes = (uint32_t)(va + 8 - (s->in_video ? ST_VID_VA : ST_SEM_VA));
}

/* Return an address of len_bytes bytes in the memory of the channel. */
static uint64_t st_place(st_op *o, bool in_video, uint32_t len_bytes, uint32_t align)
{
    const uint32_t room = ST_HALF - len_bytes;
    if (len_bytes > ST_HALF) {
        o->c->bad = true;
        return 0;
    }
    return (in_video ? ST_VID_VA : ST_SYS_VA) + ST_GUARD + (uint64_t)o->ch * ST_HALF +
           st_below(&o->r, room / align + 1) * align;
}

/* Two places that do not overlap. */
static void st_places(st_op *o, uint32_t src_bytes, uint32_t src_align, uint32_t dst_bytes,
                      uint32_t dst_align, uint64_t *src, uint64_t *dst)
{
    const bool src_video = st_below(&o->r, 2) != 0;
    const bool dst_video = st_below(&o->r, 2) != 0;
    *src = st_place(o, src_video, src_bytes, src_align);
    for (unsigned tries = 0; tries < 64; tries++) {
        *dst = st_place(o, dst_video, dst_bytes, dst_align);
        if (*dst + dst_bytes <= *src || *src + src_bytes <= *dst) {
            return;
        }
    }
    *dst = st_place(o, !src_video, dst_bytes, dst_align);
}

/* ---- host methods ---- */

static const uint64_t st_edges[] = {0,
                                    1,
                                    2,
                                    0x7fffffff,
                                    0x80000000,
                                    0xfffffffe,
                                    0xffffffff,
                                    0x100000000u,
                                    0x7fffffffffffffffu,
                                    0x8000000000000000u,
                                    0xfffffffffffffffeu,
                                    0xffffffffffffffffu};
enum { ST_EDGES = sizeof st_edges / sizeof st_edges[0] };

static uint64_t st_value(st_op *o, bool wide)
{
    const uint64_t any = (uint64_t)st_next(&o->r) << 32 | st_next(&o->r);
    const uint64_t v = st_below(&o->r, 3) == 0 ? any : st_edges[st_below(&o->r, ST_EDGES)];
    return wide ? v : v & 0xffffffffu;
}

static void st_release(st_op *o)
{
    const bool wide = st_below(&o->r, 2) != 0;
    const uint32_t off = wide ? 8 * st_below(&o->r, 2) : 4 * st_below(&o->r, 4);
    const uint32_t flags =
        (wide ? GPUCMD_NV_SEM_64BIT : 0u) | (st_below(&o->r, 2) != 0 ? GPUCMD_NV_SEM_WFI : 0u);
    gpucmd_nv_emit_sem_release(o->w, ST_CHIP, st_sem(o, 0) + off, st_value(o, wide), flags);
}

static void st_release_time(st_op *o)
{
    const bool wide = st_below(&o->r, 2) != 0;
    st_stamp_at(o, st_sem(o, 0));
    gpucmd_nv_emit_sem_release(o->w, ST_CHIP, st_sem(o, 0), st_value(o, wide),
                               (wide ? GPUCMD_NV_SEM_64BIT : 0u) | GPUCMD_NV_SEM_TIMESTAMP);
}

/* An acquire that memory satisfies from the start, whether it compares with sign or without; then a
 * release. */
static void st_acquire(st_op *o)
{
    static const struct {
        gpucmd_nv_sem_op op;
        uint32_t memory, payload;
    } rows[] = {
        {GPUCMD_NV_SEM_OP_ACQUIRE,        0,          0         },
        {GPUCMD_NV_SEM_OP_ACQUIRE,        0xffffffff, 0xffffffff},
        {GPUCMD_NV_SEM_OP_ACQ_STRICT_GEQ, 5,          5         },
        {GPUCMD_NV_SEM_OP_ACQ_STRICT_GEQ, 0x7fffffff, 3         },
        {GPUCMD_NV_SEM_OP_ACQ_CIRC_GEQ,   7,          7         },
        {GPUCMD_NV_SEM_OP_ACQ_CIRC_GEQ,   3,          0xfffffff0},
        {GPUCMD_NV_SEM_OP_ACQ_AND,        0xff,       0x80      },
        {GPUCMD_NV_SEM_OP_ACQ_NOR,        0x70,       0x0f      }
    };
    const unsigned i = st_below(&o->r, sizeof rows / sizeof rows[0]);
    const bool wide = st_below(&o->r, 2) != 0 && rows[i].op != GPUCMD_NV_SEM_OP_ACQ_NOR;
    const bool far = rows[i].op == GPUCMD_NV_SEM_OP_ACQ_CIRC_GEQ && wide;
    const uint64_t payload = far ? rows[i].memory : rows[i].payload;
    o->c->acquires |= 1u << rows[i].op;
    st_poke_at(o, st_sem(o, 0), rows[i].memory);
    gpucmd_nv_emit_sem_acquire(o->w, ST_CHIP, rows[i].op, st_sem(o, 0), payload,
                               (wide ? GPUCMD_NV_SEM_64BIT : 0u) |
                                   (st_below(&o->r, 2) != 0 ? GPUCMD_NV_SEM_SWITCH : 0u));
    gpucmd_nv_emit_sem_release(o->w, ST_CHIP, st_sem(o, 1), st_value(o, false), 0);
}

/* An acquire that the other channel satisfies. Operations are in the same order in both channels, so
 * none waits for a later one. */
static void st_acquire_other(st_op *o)
{
    const uint32_t payload = 1 + st_below(&o->r, 1000);
    if (o->other == NULL) {
        st_acquire(o);
        return;
    }
    st_poke_at(o, st_sem(o, 0), 0);
    gpucmd_nv_emit_sem_release(o->other, ST_CHIP, st_sem(o, 0), payload, GPUCMD_NV_SEM_WFI);
    gpucmd_nv_emit_sem_acquire(o->w, ST_CHIP, GPUCMD_NV_SEM_OP_ACQUIRE, st_sem(o, 0), payload,
                               GPUCMD_NV_SEM_SWITCH);
    gpucmd_nv_emit_sem_release(o->w, ST_CHIP, st_sem(o, 1), payload, 0);
}

static void st_reduce_with(st_op *o, uint32_t flags)
{
    const uint64_t va =
        ST_VID_VA + ST_VID_SEM + (uint64_t)o->index * ST_SLOTS + 16 * st_below(&o->r, 8);
    for (unsigned tries = 0; tries < 64; tries++) {
        const uint32_t reduction = st_below(&o->r, 8);
        const bool wide = st_below(&o->r, 2) != 0;
        const bool is_signed = st_below(&o->r, 2) != 0;
        if (gpucmd_nv_knows_reduction(reduction, wide, !is_signed)) {
            o->c->reductions[wide][is_signed] |= 1u << reduction;
            st_poke_at(o, va, st_value(o, true));
            if ((flags & GPUCMD_NV_SEM_TIMESTAMP) != 0) {
                st_stamp_at(o, va);
            }
            gpucmd_nv_emit_sem_reduction(o->w, ST_CHIP, (gpucmd_nv_reduction)reduction, va,
                                         st_value(o, wide),
                                         flags | (wide ? GPUCMD_NV_SEM_64BIT : 0u) |
                                             (is_signed ? GPUCMD_NV_SEM_SIGNED : 0u));
            return;
        }
    }
    o->c->bad = true;
}

static void st_reduce(st_op *o)
{
    st_reduce_with(o, 0);
}

static void st_reduce_time(st_op *o)
{
    st_reduce_with(o, GPUCMD_NV_SEM_TIMESTAMP);
}

static void st_membar(st_op *o)
{
    gpucmd_nv_emit_membar(o->w, ST_CHIP, st_below(&o->r, 2) != 0);
}

static void st_l2(st_op *o)
{
    static const gpucmd_nv_mem_op ops[] = {GPUCMD_NV_MEM_OP_L2_FLUSH_DIRTY,
                                           GPUCMD_NV_MEM_OP_L2_SYSMEM_INVALIDATE,
                                           GPUCMD_NV_MEM_OP_L2_WAIT_FOR_SYS_PENDING_READS};
    gpucmd_nv_emit_mem_op(o->w, ST_CHIP, ops[st_below(&o->r, 3)]);
}

static void st_wfi(st_op *o)
{
    gpucmd_nv_emit_wfi(o->w, ST_CHIP, st_below(&o->r, 2) != 0);
}

static void st_host_nop(st_op *o)
{
    gpucmd_nv_emit_inc1(o->w, st_below(&o->r, 5), GPUCMD_NV_HOST_NOP, st_next(&o->r));
}

/* ---- words and entries ---- */

/* Each form of method run sets a constant of the fill after it. */
static void st_forms(st_op *o)
{
    uint32_t data[4] = {st_next(&o->r), st_next(&o->r), st_next(&o->r), st_next(&o->r)};
    gpucmd_nv_fill fill = {st_place(o, st_below(&o->r, 2) != 0, 64, 8), 0, 8, 8};
    const uint32_t form = st_below(&o->r, 4);
    const uint32_t components = 3u << 16 | 1u << 24 | 4 | 5u << 4; /* 4 bytes, 2 of them: A, B */
    gpucmd_nv_emit_inc2(o->w, ST_CE, GPUCMD_NV_COPY_SET_REMAP_CONST_A, 1, 2);
    switch (form) {
    case 0: gpucmd_nv_emit_inc(o->w, ST_CE, GPUCMD_NV_COPY_SET_REMAP_CONST_A, data, 2); break;
    case 1: gpucmd_nv_emit_non_inc(o->w, ST_CE, GPUCMD_NV_COPY_SET_REMAP_CONST_A, data, 4); break;
    case 2: gpucmd_nv_emit_one_inc(o->w, ST_CE, GPUCMD_NV_COPY_SET_REMAP_CONST_A, data, 4); break;
    default:
        gpucmd_nv_emit_immd(o->w, ST_CE, GPUCMD_NV_COPY_SET_REMAP_CONST_B, data[0] & 0x1fff);
        break;
    }
    gpucmd_nv_emit_inc1(o->w, ST_CE, GPUCMD_NV_COPY_SET_REMAP_COMPONENTS, components);
    gpucmd_nv_emit_inc2(o->w, ST_CE, GPUCMD_NV_COPY_OFFSET_OUT_UPPER, (uint32_t)(fill.dst_va >> 32),
                        (uint32_t)fill.dst_va);
    gpucmd_nv_emit_inc1(o->w, ST_CE, GPUCMD_NV_COPY_LINE_LENGTH_IN, fill.count);
    gpucmd_nv_emit_inc1(o->w, ST_CE, GPUCMD_NV_COPY_LAUNCH_DMA, 0x582);
}

/* Words that do nothing: zero, headers of length 0, NO_OPERATION of the copy engine. */
static void st_nops(st_op *o)
{
    for (unsigned n = 1 + st_below(&o->r, 6); n != 0; n--) {
        switch (st_below(&o->r, 5)) {
        case 0: gpucmd_nv_emit_nop(o->w); break;
        case 1: gpucmd_nv_emit_inc(o->w, ST_CE, 0x100, NULL, 0); break;
        case 2: gpucmd_nv_emit_non_inc(o->w, ST_CE, 0x100, NULL, 0); break;
        case 3: gpucmd_nv_emit_one_inc(o->w, ST_CE, 0x100, NULL, 0); break;
        default: gpucmd_nv_emit_inc1(o->w, ST_CE, 0x100, st_next(&o->r)); break;
        }
    }
}

static void st_set_object(st_op *o)
{
    gpucmd_nv_emit_set_object(o->w, ST_CHIP, ST_CE, gpucmd_nv_copy_class(ST_CHIP));
}

/* End the segment of this channel here. flags are those of its entry. */
static void st_cut(st_op *o, uint32_t flags)
{
    st_case *const c = o->c;
    st_entry *const e = &c->entries[o->ch][c->entry_count[o->ch]];
    uint32_t from = 0;
    for (unsigned i = 0; i < c->entry_count[o->ch]; i++) {
        from += c->entries[o->ch][i].len_dw;
    }
    if (gpucmd_writer_at_dw(o->w) == from) {
        return;
    }
    if (c->entry_count[o->ch] + 2 >= ST_ENTRIES) {
        c->bad = true;
        return;
    }
    c->entry_count[o->ch]++;
    memset(e, 0, sizeof *e);
    e->at_dw = from;
    e->len_dw = (uint32_t)gpucmd_writer_at_dw(o->w) - from;
    e->flags = flags;
}

static void st_control_nop(st_op *o)
{
    st_case *const c = o->c;
    st_entry *const e = &c->entries[o->ch][c->entry_count[o->ch]];
    if (c->entry_count[o->ch] + 2 >= ST_ENTRIES) {
        c->bad = true;
        return;
    }
    c->entry_count[o->ch]++;
    memset(e, 0, sizeof *e);
    e->is_control = true;
    e->operand = st_below(&o->r, 3) == 0 ? 0 : st_next(&o->r) & 0xffffff;
}

/* Words after END_PB_SEGMENT are not executed. */
static void st_end_segment(st_op *o)
{
    st_cut(o, 0);
    gpucmd_nv_emit_sem_release(o->w, ST_CHIP, st_sem(o, 0), 1, 0);
    gpucmd_nv_emit_end_segment(o->w);
    gpucmd_nv_emit_sem_release(o->w, ST_CHIP, st_sem(o, 0), 2, 0);
    st_cut(o, 0);
}

/* A header in one segment, its data in the next one, a control entry between. */
static void st_span(st_op *o)
{
    const uint64_t va = st_sem(o, 0);
    gpucmd_nv_emit_sem_release(o->w, ST_CHIP, va, st_next(&o->r), 0);
    if (o->w->status == GPUCMD_OK) {
        const uint32_t inside_dw = 1 + st_below(&o->r, 5);
        o->w->cur -= inside_dw; /* the segment ends inside the command */
        st_cut(o, 0);
        o->w->cur += inside_dw;
        st_control_nop(o);
    }
}

/* A segment with options of its entry. */
static void st_entry_options(st_op *o)
{
    static const uint32_t flags[] = {GPUCMD_NV_ENTRY_SYNC_WAIT, GPUCMD_NV_ENTRY_SUBROUTINE,
                                     GPUCMD_NV_ENTRY_FETCH_CONDITIONAL,
                                     GPUCMD_NV_ENTRY_SYNC_WAIT | GPUCMD_NV_ENTRY_SUBROUTINE};
    st_cut(o, 0);
    gpucmd_nv_emit_sem_release(o->w, ST_CHIP, st_sem(o, 0), st_next(&o->r), 0);
    st_cut(o, flags[st_below(&o->r, 4)]);
    st_control_nop(o);
}

/* Subdevice masks that contain this GPU, whatever its number is; then the usual mask again. */
static void st_subdevice(st_op *o)
{
    gpucmd_nv_emit_sli_cond(o->w, 0xfff);
    gpucmd_nv_emit_sem_release(o->w, ST_CHIP, st_sem(o, 0), st_next(&o->r), 0);
    gpucmd_nv_emit_sli_store(o->w, 0xfff);
    gpucmd_nv_emit_sli_use(o->w);
    gpucmd_nv_emit_sem_release(o->w, ST_CHIP, st_sem(o, 1), st_next(&o->r), 0);
}

/* ---- copy engine ---- */

static void st_ce(st_op *o, uint32_t mthd, uint32_t v)
{
    gpucmd_nv_emit_inc1(o->w, ST_CE, mthd, v);
}

static void st_addresses(st_op *o, uint64_t src, uint64_t dst)
{
    gpucmd_nv_emit_inc4(o->w, ST_CE, GPUCMD_NV_COPY_OFFSET_IN_UPPER, (uint32_t)(src >> 32),
                        (uint32_t)src, (uint32_t)(dst >> 32), (uint32_t)dst);
}

/* LAUNCH_DMA. A pipelined copy may overtake earlier ones, so it comes after an idle engine. */
static void st_launch(st_op *o, uint32_t dw)
{
    const bool pipelined = st_below(&o->r, 4) == 0;
    if (pipelined) {
        gpucmd_nv_emit_wfi(o->w, ST_CHIP, false);
    }
    st_ce(o, GPUCMD_NV_COPY_LAUNCH_DMA,
          dw | GPUCMD_FIELD_PUT(NV_LAUNCH_TRANSFER, pipelined ? 1 : 2) |
              GPUCMD_FIELD_PUT(NV_LAUNCH_FLUSH, st_below(&o->r, 2)));
}

#define ST_PITCH  (GPUCMD_FIELD_MASK(NV_LAUNCH_SRC_PITCH) | GPUCMD_FIELD_MASK(NV_LAUNCH_DST_PITCH))
#define ST_LINES  GPUCMD_FIELD_MASK(NV_LAUNCH_MULTI_LINE)
#define ST_REMAPS GPUCMD_FIELD_MASK(NV_LAUNCH_REMAP)

static void st_linear(st_op *o)
{
    static const uint32_t lengths[] = {1, 4095, 4096, 4097, 65535, 65536, 0x40003};
    const uint32_t len =
        st_below(&o->r, 3) == 0 ? lengths[st_below(&o->r, 7)] : st_length(&o->r, 5000);
    uint64_t src;
    uint64_t dst;
    st_places(o, len, 1, len, 1, &src, &dst);
    st_addresses(o, src, dst);
    st_ce(o, GPUCMD_NV_COPY_LINE_LENGTH_IN, len);
    st_launch(o, ST_PITCH);
}

/* Source and destination are the same bytes: the only overlap with a defined result. */
static void st_in_place(st_op *o)
{
    const uint32_t len = st_length(&o->r, 5000);
    const uint64_t va = st_place(o, st_below(&o->r, 2) != 0, len, 1);
    st_addresses(o, va, va);
    st_ce(o, GPUCMD_NV_COPY_LINE_LENGTH_IN, len);
    st_launch(o, ST_PITCH);
}

/* Lines at pitches; a source may repeat bytes, with a pitch below its line or 0. */
static void st_lines(st_op *o)
{
    const uint32_t len = st_length(&o->r, 700);
    const uint32_t lines = 1 + st_below(&o->r, 64);
    const uint32_t pitch_in =
        st_below(&o->r, 4) == 0 ? st_below(&o->r, len + 1) : len + st_below(&o->r, 100);
    const uint32_t pitch_out = len + st_below(&o->r, 3) * st_below(&o->r, 100);
    uint64_t src;
    uint64_t dst;
    st_places(o, pitch_in * (lines - 1) + len, 1, pitch_out * (lines - 1) + len, 1, &src, &dst);
    st_addresses(o, src, dst);
    gpucmd_nv_emit_inc4(o->w, ST_CE, GPUCMD_NV_COPY_PITCH_IN, pitch_in, pitch_out, len, lines);
    st_launch(o, ST_PITCH | ST_LINES);
}

static void st_fill(st_op *o)
{
    const uint32_t size = 1u << st_below(&o->r, 4);
    const uint32_t count = st_length(&o->r, 1000);
    gpucmd_nv_fill fill = {st_place(o, st_below(&o->r, 2) != 0, size * count, size), 0, size,
                           count};
    fill.value = st_value(o, true);
    fill.value &= size == 8 ? ~(uint64_t)0 : ((uint64_t)1 << 8 * size) - 1;
    gpucmd_nv_emit_ce_fill(o->w, ST_CHIP, ST_CE, &fill);
}

/* Set a random remap. Write the bytes of an element of source and destination. No destination names a
 * source component that does not exist. */
static void st_components(st_op *o, uint32_t size, uint32_t src_n, uint32_t dst_n)
{
    uint32_t dw = (size - 1) << GPUCMD_NV_REMAP_SIZE_LO |
                  (src_n - 1) << GPUCMD_NV_REMAP_NUM_SRC_LO |
                  (dst_n - 1) << GPUCMD_NV_REMAP_NUM_DST_LO;
    for (unsigned k = 0; k < 4; k++) {
        const uint32_t pick = st_below(&o->r, src_n + 3);
        dw |= (pick < src_n ? pick : (uint32_t)GPUCMD_NV_REMAP_CONST_A + pick - src_n) << 4 * k;
    }
    gpucmd_nv_emit_inc3(o->w, ST_CE, GPUCMD_NV_COPY_SET_REMAP_CONST_A, st_next(&o->r),
                        st_next(&o->r), dw);
}

static void st_remap(st_op *o)
{
    const uint32_t size = 1 + st_below(&o->r, 4);
    const uint32_t src_n = 1 + st_below(&o->r, 4);
    const uint32_t dst_n = 1 + st_below(&o->r, 4);
    const uint32_t count = st_length(&o->r, 1000);
    uint64_t src;
    uint64_t dst;
    st_places(o, size * src_n * count, size == 3 ? 1 : size, size * dst_n * count,
              size == 3 ? 1 : size, &src, &dst);
    st_components(o, size, src_n, dst_n);
    st_addresses(o, src, dst);
    st_ce(o, GPUCMD_NV_COPY_LINE_LENGTH_IN, count);
    st_launch(o, ST_PITCH | ST_REMAPS);
}

/* Pitches are bytes; the length of a line is in elements. */
static void st_remap_lines(st_op *o)
{
    const uint32_t size = 1u << st_below(&o->r, 3);
    const uint32_t src_n = 1 + st_below(&o->r, 4);
    const uint32_t dst_n = 1 + st_below(&o->r, 4);
    const uint32_t count = st_length(&o->r, 100);
    const uint32_t lines = 1 + st_below(&o->r, 16);
    const uint32_t pitch_in = size * (src_n * count + st_below(&o->r, 9));
    const uint32_t pitch_out = size * (dst_n * count + st_below(&o->r, 9));
    uint64_t src;
    uint64_t dst;
    st_places(o, pitch_in * lines, size, pitch_out * lines, size, &src, &dst);
    st_components(o, size, src_n, dst_n);
    st_addresses(o, src, dst);
    gpucmd_nv_emit_inc4(o->w, ST_CE, GPUCMD_NV_COPY_PITCH_IN, pitch_in, pitch_out, count, lines);
    st_launch(o, ST_PITCH | ST_REMAPS | ST_LINES);
}

/* One side of a copy: a block-linear surface, or lines at a pitch. */
typedef struct st_side {
    bool tiled;
    uint32_t width, height, depth; /* elements, lines, layers */
    uint32_t rows_log2, slices_log2;
    uint32_t x, y, layer;
    uint32_t len_bytes;
} st_side;

/* Fill a side for a copy of count elements of unit bytes and lines lines. The surface fits the memory
 * of the channel. */
static void st_make_side(st_op *o, st_side *s, bool tiled, uint32_t unit, uint32_t count,
                         uint32_t lines, bool origin)
{
    memset(s, 0, sizeof *s);
    s->tiled = tiled;
    s->x = origin ? st_below(&o->r, 20) : 0;
    s->y = origin ? st_below(&o->r, 20) : 0;
    s->width = s->x + count + st_below(&o->r, 30);
    s->height = s->y + lines + st_below(&o->r, 10);
    s->depth = 1 + st_below(&o->r, 4);
    s->layer = st_below(&o->r, s->depth);
    s->rows_log2 = st_below(&o->r, 6);
    s->slices_log2 = st_below(&o->r, 6);
    if (!tiled) {
        s->len_bytes = s->width * unit * lines;
        return;
    }
    for (;;) {
        const uint32_t gobs = (s->width * unit + 63) / 64;
        const uint32_t rows = 8u << s->rows_log2;
        const uint32_t blocks = (s->height + rows - 1) / rows;
        const uint32_t slices = (s->depth + (1u << s->slices_log2) - 1) >> s->slices_log2;
        s->len_bytes = gobs * 64 * blocks * rows * (slices << s->slices_log2);
        if (s->len_bytes <= ST_HALF) {
            return;
        }
        if (s->slices_log2 != 0) {
            s->slices_log2--;
        } else if (s->rows_log2 != 0) {
            s->rows_log2--;
        } else if (s->depth != 1) {
            s->depth = 1; /* then it fits: 250 elements of 16 bytes, 110 lines */
            s->layer = 0;
        } else {
            o->c->bad = true;
            return;
        }
    }
}

static void st_emit_side(st_op *o, const st_side *s, uint32_t first_mthd)
{
    if (s->tiled) {
        o->c->heights |= 1u << s->rows_log2;
        o->c->depths |= 1u << s->slices_log2;
        o->c->layers |= 1u << s->layer;
        gpucmd_nv_emit_inc6(
            o->w, ST_CE, first_mthd,
            GPUCMD_FIELD_PUT(NV_BLOCK_HEIGHT, s->rows_log2) |
                GPUCMD_FIELD_PUT(NV_BLOCK_DEPTH, s->slices_log2) | 1u << 12, /* GOBs of 8 lines */
            s->width, s->height, s->depth, s->layer,
            GPUCMD_FIELD_PUT(NV_ORIGIN_X, s->x) | GPUCMD_FIELD_PUT(NV_ORIGIN_Y, s->y));
    }
}

static void st_tiled_with(st_op *o, uint32_t unit, bool origin)
{
    const uint32_t count = 1 + st_below(&o->r, 200);
    const uint32_t lines = 1 + st_below(&o->r, 80);
    const uint32_t ways = st_below(&o->r, 3); /* to tiles, from tiles, both */
    st_side src_side;
    st_side dst_side;
    uint64_t src;
    uint64_t dst;
    if (!o->c->block_linear) {
        st_lines(o);
        return;
    }
    st_make_side(o, &src_side, ways != 0, unit, count, lines, origin);
    st_make_side(o, &dst_side, ways != 1, unit, count, lines, origin);
    if (src_side.len_bytes + dst_side.len_bytes > ST_HALF) {
        src = st_place(o, false, src_side.len_bytes, 4096);
        dst = st_place(o, true, dst_side.len_bytes, 4096);
    } else {
        st_places(o, src_side.len_bytes, 4096, dst_side.len_bytes, 4096, &src, &dst);
    }
    if (unit != 1) {
        const uint32_t size = unit < 4 ? unit : 4;
        const uint32_t n = unit / size;
        gpucmd_nv_emit_inc1(o->w, ST_CE, GPUCMD_NV_COPY_SET_REMAP_COMPONENTS,
                            (size - 1) << GPUCMD_NV_REMAP_SIZE_LO |
                                (n - 1) << GPUCMD_NV_REMAP_NUM_SRC_LO |
                                (n - 1) << GPUCMD_NV_REMAP_NUM_DST_LO | 0x3210);
    }
    st_emit_side(o, &dst_side, GPUCMD_NV_COPY_SET_DST_BLOCK_SIZE);
    st_emit_side(o, &src_side, GPUCMD_NV_COPY_SET_SRC_BLOCK_SIZE);
    st_addresses(o, src, dst);
    gpucmd_nv_emit_inc4(o->w, ST_CE, GPUCMD_NV_COPY_PITCH_IN, src_side.width * unit,
                        dst_side.width * unit, count, lines);
    st_launch(o, (src_side.tiled ? 0 : GPUCMD_FIELD_MASK(NV_LAUNCH_SRC_PITCH)) |
                     (dst_side.tiled ? 0 : GPUCMD_FIELD_MASK(NV_LAUNCH_DST_PITCH)) | ST_LINES |
                     (unit != 1 ? ST_REMAPS : 0));
}

static void st_tiled(st_op *o)
{
    st_tiled_with(o, 1, false);
}

static void st_tiled_origin(st_op *o)
{
    st_tiled_with(o, 1, true);
}

static void st_tiled_remap(st_op *o)
{
    st_tiled_with(o, 1u << st_below(&o->r, 5), false);
}

/* ---- semaphores of the copy engine ---- */

static void st_ce_semaphore(st_op *o, uint64_t va, uint64_t payload, uint32_t launch)
{
    gpucmd_nv_emit_inc4(o->w, ST_CE, GPUCMD_NV_COPY_SET_SEMAPHORE_A, (uint32_t)(va >> 32),
                        (uint32_t)va, (uint32_t)payload, (uint32_t)(payload >> 32));
    st_ce(o, GPUCMD_NV_COPY_LAUNCH_DMA, launch | GPUCMD_FIELD_MASK(NV_LAUNCH_FLUSH));
}

static void st_ce_release(st_op *o)
{
    const bool timed = st_below(&o->r, 2) != 0;
    const uint64_t va = st_sem(o, 0) + (timed ? 0 : 4 * st_below(&o->r, 4));
    if (timed) {
        st_stamp_at(o, va);
    }
    st_ce_semaphore(o, va, st_next(&o->r), GPUCMD_FIELD_PUT(NV_LAUNCH_SEMAPHORE, timed ? 2 : 1));
}

/* A copy that ends with a semaphore. */
static void st_ce_copy_release(st_op *o)
{
    const uint32_t len = st_length(&o->r, 5000);
    uint64_t src;
    uint64_t dst;
    st_places(o, len, 1, len, 1, &src, &dst);
    st_addresses(o, src, dst);
    st_ce(o, GPUCMD_NV_COPY_LINE_LENGTH_IN, len);
    st_ce_semaphore(o, st_sem(o, 0), st_next(&o->r),
                    ST_PITCH | GPUCMD_FIELD_PUT(NV_LAUNCH_TRANSFER, 2) |
                        GPUCMD_FIELD_PUT(NV_LAUNCH_SEMAPHORE, 1));
}

static void st_ce_two_words(st_op *o)
{
    const bool timed = st_below(&o->r, 2) != 0;
    if (timed) {
        st_stamp_at(o, st_sem(o, 0));
    }
    st_ce_semaphore(o, st_sem(o, 0), st_value(o, true),
                    GPUCMD_FIELD_PUT(NV_LAUNCH_SEMAPHORE, timed ? 2 : 1) |
                        GPUCMD_FIELD_MASK(NV_LAUNCH_PAYLOAD_SIZE));
}

static void st_ce_reduce(st_op *o)
{
    const uint64_t va =
        ST_VID_VA + ST_VID_SEM + (uint64_t)o->index * ST_SLOTS + 16 * st_below(&o->r, 8);
    for (unsigned tries = 0; tries < 64; tries++) {
        const uint32_t reduction = st_below(&o->r, 8);
        const bool is_unsigned = st_below(&o->r, 2) != 0;
        if (gpucmd_nv_knows_reduction(reduction, false, is_unsigned)) {
            st_poke_at(o, va, st_value(o, true));
            st_ce_semaphore(o, va, st_value(o, false),
                            GPUCMD_FIELD_PUT(NV_LAUNCH_SEMAPHORE, 1) |
                                GPUCMD_FIELD_PUT(NV_LAUNCH_REDUCTION, reduction) |
                                GPUCMD_FIELD_PUT(NV_LAUNCH_REDUCTION_SIGN, is_unsigned) |
                                GPUCMD_FIELD_MASK(NV_LAUNCH_REDUCTION_ENABLE));
            return;
        }
    }
    o->c->bad = true;
}

/* ---- streams ---- */

/* clang-format off */
#define ST_OPERATIONS(R)                                                                           \
    /*  function          risk  weight  plan */                                                    \
    R( release,           0,    2,      H1 )                                                       \
    R( release_time,      0,    1,      H2 )                                                       \
    R( acquire,           0,    2,      H3 )                                                       \
    R( acquire_other,     0,    2,      H4 )                                                       \
    R( reduce,            0,    4,      H5 )                                                       \
    R( reduce_time,       1,    1,      H6 )                                                       \
    R( membar,            0,    1,      H7 )                                                       \
    R( l2,                1,    1,      H8 )                                                       \
    R( wfi,               0,    1,      H9 )                                                       \
    R( host_nop,          1,    1,      H10 )                                                      \
    R( forms,             0,    2,      P1 )                                                       \
    R( nops,              1,    1,      P2 )                                                       \
    R( end_segment,       1,    1,      P3 )                                                       \
    R( span,              1,    1,      P4 )                                                       \
    R( entry_options,     1,    2,      P5 )                                                       \
    R( subdevice,         2,    1,      P10 )                                                      \
    R( set_object,        0,    1,      P11 )                                                      \
    R( linear,            0,    4,      C1 )                                                       \
    R( in_place,          1,    1,      C4 )                                                       \
    R( lines,             0,    4,      C2 )                                                       \
    R( fill,              0,    3,      C5 )                                                       \
    R( remap,             0,    5,      C6 )                                                       \
    R( remap_lines,       1,    3,      C7 )                                                       \
    R( tiled,             0,    6,      C9 )                                                       \
    R( tiled_origin,      1,    3,      C9 )                                                       \
    R( tiled_remap,       1,    3,      C10 )                                                      \
    R( ce_release,        0,    2,      C11 )                                                      \
    R( ce_copy_release,   0,    1,      C11 )                                                      \
    R( ce_two_words,      1,    1,      C12 )                                                      \
    R( ce_reduce,         0,    2,      C13 )
/* clang-format on */

typedef struct st_row {
    const char *name, *plan;
    unsigned risk, weight;
    void (*emit)(st_op *o);
} st_row;

#define ST_ROW(function, risk, weight, plan) {#function, #plan, risk, weight, st_##function},
static const st_row st_rows[] = {ST_OPERATIONS(ST_ROW)};
#undef ST_ROW
enum { ST_ROWS = sizeof st_rows / sizeof st_rows[0] };

/* Return a random row of at most this risk. */
static const st_row *st_pick(st_random *r, unsigned risk)
{
    uint32_t sum = 0;
    uint32_t at;
    for (unsigned i = 0; i < ST_ROWS; i++) {
        sum += st_rows[i].risk <= risk ? st_rows[i].weight : 0;
    }
    at = st_below(r, sum);
    for (unsigned i = 0;; i++) {
        const uint32_t weight = st_rows[i].risk <= risk ? st_rows[i].weight : 0;
        if (at < weight) {
            return &st_rows[i];
        }
        at -= weight;
    }
}

/* Make the stream of c->seed, channels, risk and keep. */
static void st_make(st_case *c)
{
    gpucmd_writer w[2];
    st_random r = {c->seed};
    st_op last;
    memset(&last, 0, sizeof last);
    c->ops = 1 + st_below(&r, ST_OPS);
    c->stamp_count = c->poke_count = 0;
    c->bad = false;
    for (unsigned ch = 0; ch < 2; ch++) {
        c->entry_count[ch] = 0;
        gpucmd_writer_init(&w[ch], c->words[ch], ST_WORDS);
        gpucmd_nv_emit_set_object(&w[ch], ST_CHIP, ST_CE, gpucmd_nv_copy_class(ST_CHIP));
    }
    for (unsigned i = 0; i < c->ops; i++) {
        st_op o;
        const st_row *row;
        memset(&o, 0, sizeof o);
        o.c = c;
        o.r.state = c->seed * 1000003 + i;
        o.index = i;
        o.ch = st_below(&o.r, c->channels);
        o.w = &w[o.ch];
        o.other = c->channels == 2 ? &w[1 - o.ch] : NULL;
        row = st_pick(&o.r, c->risk);
        c->names[i] = row->name;
        if ((c->keep >> i & 1) != 0 && (c->skip >> (row - st_rows) & 1) == 0) {
            row->emit(&o);
            if (st_below(&o.r, 4) == 0) {
                st_cut(&o, 0);
            }
        }
    }
    last.c = c;
    for (unsigned ch = 0; ch < 2; ch++) {
        last.ch = ch;
        last.w = &w[ch];
        st_cut(&last, 0);
        c->bad |= gpucmd_writer_finish(&w[ch], &c->len_dw[ch]) != GPUCMD_OK;
    }
}

#endif /* GPUCMD_TEST_SILICON_STREAMS_H */

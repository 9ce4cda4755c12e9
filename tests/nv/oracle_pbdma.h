/* nv/oracle_pbdma.h - the GF100+ PBDMA, one word or one GP entry at a time - MIT
 *
 * An oracle for tests. It shares nothing with the library and follows the
 * chapters of [PBDMA] (GP entries, SUBDEVICE, CRCs, INTR_0) and [RAM]
 * "Host Pushbuffer Format".
 *
 *   nv_oracle_pbdma_init(&d, gen, fmt);    then set gp_base, limit2, gp_put
 *   nv_oracle_pbdma_step(&d, &env);        one word, or one GP entry
 *   nv_oracle_pbdma_clear(&d, intr_bits);  software has handled these
 *
 * Methods are passed to env.method; this file does not execute them.
 * Everything in memory is little-endian.
 *
 * Where the sources are silent or differ, this file decides:
 *  1. Order inside a step: pending interrupt (nothing happens), then a word of
 *     the current segment, then GPFIFO (ring passes the end), then GPPTR, then
 *     "ring is empty", then an entry. So GPFIFO and GPPTR are raised on an empty
 *     ring too, change nothing, and come back until software repairs the cause.
 *  2. A failed read gives the result FAULT, changes nothing and sets no
 *     interrupt bit; the next step tries again.
 *  3. TOP_LEVEL_GET follows the MODEL of dma_mget: copied when a MAIN segment is
 *     loaded, on each of its words, and when its rest is dropped. VALID is set by
 *     the first word fetched from a MAIN segment, whatever that word is.
 *  4. GP_CRC takes in a FETCH_CONDITIONAL entry that is skipped: it is a segment
 *     entry. An entry discarded by GPENTRY is not taken in; from GA100 on such an
 *     entry, control entries included, clears GP_CRC.
 *  5. A skipped entry starts no segment: PB_CRC, PB_GET, PB_PUT, TOP_LEVEL_GET
 *     and the seg_ fields stay. The same holds for control entries.
 *  6. PB_CRC is over all words up to and including END_PB_SEGMENT or the SET or
 *     USE that ends the segment, and pb_crc_indeterminate is set there. PB_CRC
 *     entries compare and do not clear: [PBDMA] INTR_0_PBCRC clears at the start
 *     of a segment, though its chapter PB_CRC says "check (and clear)".
 *  7. The rest of a segment is dropped in the step that decides so, without
 *     reading it: PB_GET becomes PB_PUT.
 *  8. USE, like SET, ends a FETCH_CONDITIONAL segment when it leaves STATUS
 *     inactive ([PBDMA] PB_HEADER_CONDITIONAL speaks of any instruction).
 *  9. PBSEG is raised by the first word of a FETCH_CONDITIONAL segment if that
 *     word is data of a header in an unconditional segment, not by the final data
 *     word ([PBDMA] INTR_0_PBSEG, second sentence). The word is consumed and its
 *     method generated all the same. A skipped segment raises nothing.
 * 10. After PBENTRY PB_COUNT is 0, so the next word is an instruction unless
 *     software writes PB_COUNT. HDR_SHADOW holds the offending word. PB_HEADER
 *     holds the decoded instruction for an address wrap and for SET and USE with
 *     CHANNEL_DMA 0, and is unchanged for a word that does not decode.
 * 11. Address wrap and CHANNEL_DMA are checked while STATUS is inactive too.
 * 12. With COUNT 0 PB_HEADER is unchanged; NOP likewise. HDR_SHADOW takes every
 *     instruction word.
 * 13. SET, STORE, USE and END_PB_SEGMENT change TYPE and (SET, STORE) the mask of
 *     PB_HEADER, nothing else of it. IMMD leaves PB_COUNT 0.
 * 14. The method address after the last word of INC or INC_ONCE is kept modulo
 *     0x4000. Old-form INC counts on past 0x1ffc.
 * 15. ni of env.method is 1 when TYPE is NON_INC at that moment, so from the
 *     second word of INC_ONCE on; IMMD has 0.
 * 16. NO_CONTEXT_SWITCH and PRIV are kept for generations that have them and are
 *     0 otherwise. SYNC is recorded only: segments are finished in order anyway.
 * 17. SET_PB_SEGMENT_EXTENDED_BASE ignores the other bits of OPERAND.
 * 18. init gives SUBDEVICE 0x30000001 (ID 1, ACTIVE, CHANNEL_DMA), as Linux does.
 * 19. With CHANNEL_DMA 0 the stored STATUS bit is kept but has no effect.
 * 20. DEVICE of a software method (subchannels 5 to 7, method 0 or 0x100 and above,
 *     Kepler and later, while ACTIVE) is raised before an entry with SYNC that would
 *     bring its data; the entry stays.
 */
#ifndef NV_ORACLE_PBDMA_H
#define NV_ORACLE_PBDMA_H

#include <stdint.h>
#include <string.h>

#ifndef NV_ORACLE_UNUSED
#if defined(__GNUC__) || defined(__clang__)
#define NV_ORACLE_UNUSED __attribute__((unused))
#else
#define NV_ORACLE_UNUSED
#endif
#endif

/* Generations that differ here, in order. Each includes all chips until the next. */
enum nv_oracle_gen {
    NV_ORACLE_FERMI,  /* 906F: NO_CONTEXT_SWITCH, PRIV */
    NV_ORACLE_KEPLER, /* A06F to C36F: PRIV */
    NV_ORACLE_TURING, /* C46F */
    NV_ORACLE_AMPERE, /* C56F, C76F: GPENTRY clears GP_CRC */
    NV_ORACLE_HOPPER, /* C86F on: 57-bit addresses */
};

enum nv_oracle_pbdma_fmt {
    NV_ORACLE_PBDMA_NEW,
    NV_ORACLE_PBDMA_OLD,  /* up to Pascal */
    NV_ORACLE_PBDMA_BOTH, /* up to Pascal */
};

/* PB_HEADER_TYPE */
enum nv_oracle_type {
    NV_ORACLE_TYPE_SSDM = 0,
    NV_ORACLE_TYPE_INC = 1,
    NV_ORACLE_TYPE_STORE_SDM = 2,
    NV_ORACLE_TYPE_NON_INC = 3,
    NV_ORACLE_TYPE_IMMD = 4,
    NV_ORACLE_TYPE_INC_ONCE = 5,
    NV_ORACLE_TYPE_USE_SDM = 6,
    NV_ORACLE_TYPE_END_SEG = 7,
};

/* INTR_0 */
#define NV_ORACLE_INTR_GPFIFO  ((uint32_t)1 << 13)
#define NV_ORACLE_INTR_GPPTR   ((uint32_t)1 << 14)
#define NV_ORACLE_INTR_GPENTRY ((uint32_t)1 << 15)
#define NV_ORACLE_INTR_GPCRC   ((uint32_t)1 << 16)
#define NV_ORACLE_INTR_PBENTRY ((uint32_t)1 << 18)
#define NV_ORACLE_INTR_PBCRC   ((uint32_t)1 << 19)
#define NV_ORACLE_INTR_DEVICE  ((uint32_t)1 << 23)
#define NV_ORACLE_INTR_PBSEG   ((uint32_t)1 << 30)

enum nv_oracle_pbdma_result {
    NV_ORACLE_PBDMA_IDLE,
    NV_ORACLE_PBDMA_OK,
    NV_ORACLE_PBDMA_INTR,    /* this step raised an interrupt */
    NV_ORACLE_PBDMA_STALLED, /* an interrupt waits to be cleared */
    NV_ORACLE_PBDMA_FAULT,   /* env.read8 failed */
};

struct nv_oracle_pbdma {
    enum nv_oracle_gen gen;
    enum nv_oracle_pbdma_fmt fmt;
    uint64_t gp_base;
    uint32_t limit2;
    uint32_t gp_get;
    uint32_t gp_put;
    uint64_t extended_base; /* bits 56:40 of segment addresses, in place */
    uint64_t pb_get;
    uint64_t pb_put;
    uint64_t top_level_get;
    int top_level_get_valid;
    struct {
        uint32_t method; /* byte address */
        uint32_t subch;
        enum nv_oracle_type type;
        uint32_t sdmask;
        int conditional; /* the instruction is from a FETCH_CONDITIONAL segment */
    } pb_header;
    uint32_t pb_count;
    uint32_t subdevice_id;
    uint32_t subdevice_stored_mask;
    int subdevice_status;
    int subdevice_channel_dma;
    uint32_t gp_crc;
    uint32_t pb_crc;
    uint64_t pb_crc_begin; /* the words that pb_crc covers */
    uint64_t pb_crc_end;
    int pb_crc_indeterminate;
    uint32_t gp_shadow_0;
    uint32_t gp_shadow_1;
    uint32_t hdr_shadow;
    int sync; /* SYNC of the last entry */
    int seg_conditional;
    int seg_subroutine;
    int seg_no_context_switch;
    int seg_priv;
    int seg_first; /* no word of the segment has been fetched */
    uint32_t intr;
};

/* read8 returns 0 and stores a byte. Any other result is a fault. */
struct nv_oracle_pbdma_env {
    void *user;
    int (*read8)(void *user, uint64_t addr, uint8_t *byte);
    void (*method)(void *user, uint32_t subch, uint32_t mthd_bytes, uint32_t data, int ni);
};

NV_ORACLE_UNUSED static void nv_oracle_pbdma_init(struct nv_oracle_pbdma *d, enum nv_oracle_gen gen,
                                                  enum nv_oracle_pbdma_fmt fmt)
{
    memset(d, 0, sizeof *d);
    d->gen = gen;
    d->fmt = fmt;
    d->subdevice_id = 1;
    d->subdevice_status = 1;
    d->subdevice_channel_dma = 1;
}

NV_ORACLE_UNUSED static void nv_oracle_pbdma_clear(struct nv_oracle_pbdma *d, uint32_t intr_bits)
{
    d->intr &= ~intr_bits;
}

/* The channel leaves the PBDMA. */
NV_ORACLE_UNUSED static void nv_oracle_pbdma_switch_out(struct nv_oracle_pbdma *d)
{
    d->top_level_get_valid = 0;
}

/* The polynomial 0x04c11db7, highest bit first, nothing reflected or inverted. */
NV_ORACLE_UNUSED static uint32_t nv_oracle_crc_byte(uint32_t crc, uint8_t byte)
{
    int bit;
    crc ^= (uint32_t)byte << 24;
    for (bit = 0; bit < 8; bit++) {
        if (crc & 0x80000000) {
            crc = (crc << 1) ^ 0x04c11db7;
        } else {
            crc = crc << 1;
        }
    }
    return crc;
}

/* The four bytes of a word, lowest first. */
NV_ORACLE_UNUSED static uint32_t nv_oracle_crc_word(uint32_t crc, uint32_t word)
{
    crc = nv_oracle_crc_byte(crc, (uint8_t)(word & 0xff));
    crc = nv_oracle_crc_byte(crc, (uint8_t)(word >> 8 & 0xff));
    crc = nv_oracle_crc_byte(crc, (uint8_t)(word >> 16 & 0xff));
    return nv_oracle_crc_byte(crc, (uint8_t)(word >> 24 & 0xff));
}

/* Read a word. Return 1, or 0 for a fault. */
static int nv_oracle_pbdma_read32(const struct nv_oracle_pbdma_env *env, uint64_t addr,
                                  uint32_t *word)
{
    uint8_t byte[4];
    uint32_t i;
    for (i = 0; i < 4; i++) {
        if (env->read8(env->user, addr + i, &byte[i]) != 0) {
            return 0;
        }
    }
    *word = (uint32_t)byte[3] << 24 | (uint32_t)byte[2] << 16 | (uint32_t)byte[1] << 8 | byte[0];
    return 1;
}

static enum nv_oracle_pbdma_result nv_oracle_raise(struct nv_oracle_pbdma *d, uint32_t intr_bit)
{
    d->intr |= intr_bit;
    return NV_ORACLE_PBDMA_INTR;
}

/* Return the value of a read of SUBDEVICE_STATUS. */
static int nv_oracle_active(const struct nv_oracle_pbdma *d)
{
    return !d->subdevice_channel_dma || d->subdevice_status;
}

static void nv_oracle_follow(struct nv_oracle_pbdma *d)
{
    if (!d->seg_subroutine) {
        d->top_level_get = d->pb_get;
    }
}

static void nv_oracle_drop_rest(struct nv_oracle_pbdma *d)
{
    d->pb_get = d->pb_put;
    d->pb_crc_indeterminate = 1;
    nv_oracle_follow(d);
}

static void nv_oracle_generate(struct nv_oracle_pbdma *d, const struct nv_oracle_pbdma_env *env,
                               uint32_t data)
{
    if (nv_oracle_active(d)) {
        env->method(env->user, d->pb_header.subch, d->pb_header.method, data,
                    d->pb_header.type == NV_ORACLE_TYPE_NON_INC);
    }
}

/* INC, NON_INC, INC_ONCE: count data words follow. addr_dw is a dword index. */
static enum nv_oracle_pbdma_result nv_oracle_header(struct nv_oracle_pbdma *d,
                                                    enum nv_oracle_type type, uint32_t subch,
                                                    uint32_t addr_dw, uint32_t count)
{
    if (count == 0) {
        return NV_ORACLE_PBDMA_OK;
    }
    d->pb_header.type = type;
    d->pb_header.subch = subch;
    d->pb_header.method = addr_dw * 4;
    d->pb_header.conditional = d->seg_conditional;
    if (type == NV_ORACLE_TYPE_INC && addr_dw + count - 1 > 0xfff) {
        return nv_oracle_raise(d, NV_ORACLE_INTR_PBENTRY);
    }
    if (type == NV_ORACLE_TYPE_INC_ONCE && addr_dw == 0xfff && count >= 2) {
        return nv_oracle_raise(d, NV_ORACLE_INTR_PBENTRY);
    }
    d->pb_count = count;
    return NV_ORACLE_PBDMA_OK;
}

static enum nv_oracle_pbdma_result nv_oracle_immd(struct nv_oracle_pbdma *d,
                                                  const struct nv_oracle_pbdma_env *env,
                                                  uint32_t word)
{
    d->pb_header.type = NV_ORACLE_TYPE_IMMD;
    d->pb_header.subch = word >> 13 & 7;
    d->pb_header.method = (word & 0xfff) * 4;
    d->pb_header.conditional = d->seg_conditional;
    nv_oracle_generate(d, env, word >> 16 & 0x1fff);
    return NV_ORACLE_PBDMA_OK;
}

/* SET_SUBDEVICE_MASK and USE_SUBDEVICE_MASK */
static enum nv_oracle_pbdma_result nv_oracle_compare_mask(struct nv_oracle_pbdma *d, uint32_t mask)
{
    if (!d->subdevice_channel_dma) {
        return nv_oracle_raise(d, NV_ORACLE_INTR_PBENTRY);
    }
    d->subdevice_status = (mask & d->subdevice_id) != 0;
    if (!d->subdevice_status && d->seg_conditional) {
        nv_oracle_drop_rest(d);
    }
    return NV_ORACLE_PBDMA_OK;
}

/* SEC_OP 0 */
static enum nv_oracle_pbdma_result nv_oracle_group0(struct nv_oracle_pbdma *d, uint32_t word)
{
    int accept_old = d->fmt != NV_ORACLE_PBDMA_NEW;
    int accept_new = d->fmt != NV_ORACLE_PBDMA_OLD;
    uint32_t tert_op = word >> 16 & 3;
    uint32_t value = word >> 4 & 0xfff;

    if (tert_op == 0 && accept_old) {
        return nv_oracle_header(d, NV_ORACLE_TYPE_INC, word >> 13 & 7, word >> 2 & 0x7ff,
                                word >> 18 & 0x7ff);
    }
    if (tert_op == 1) {
        d->pb_header.type = NV_ORACLE_TYPE_SSDM;
        d->pb_header.sdmask = value;
        d->pb_header.conditional = d->seg_conditional;
        return nv_oracle_compare_mask(d, value);
    }
    if (tert_op == 2 && accept_new) {
        d->pb_header.type = NV_ORACLE_TYPE_STORE_SDM;
        d->pb_header.sdmask = value;
        d->pb_header.conditional = d->seg_conditional;
        d->subdevice_stored_mask = value;
        return NV_ORACLE_PBDMA_OK;
    }
    if (tert_op == 3 && accept_new) {
        d->pb_header.type = NV_ORACLE_TYPE_USE_SDM;
        d->pb_header.conditional = d->seg_conditional;
        return nv_oracle_compare_mask(d, d->subdevice_stored_mask);
    }
    return nv_oracle_raise(d, NV_ORACLE_INTR_PBENTRY);
}

static enum nv_oracle_pbdma_result nv_oracle_instruction(struct nv_oracle_pbdma *d,
                                                         const struct nv_oracle_pbdma_env *env,
                                                         uint32_t word)
{
    int accept_old = d->fmt != NV_ORACLE_PBDMA_NEW;
    int accept_new = d->fmt != NV_ORACLE_PBDMA_OLD;
    uint32_t sec_op = word >> 29;
    uint32_t tert_op = word >> 16 & 3;
    uint32_t count = word >> 16 & 0x1fff;
    uint32_t subch = word >> 13 & 7;
    uint32_t address = word & 0xfff;

    d->hdr_shadow = word;
    if (word == 0) {
        return NV_ORACLE_PBDMA_OK;
    }
    if (sec_op == 0) {
        return nv_oracle_group0(d, word);
    }
    if (sec_op == 1 && accept_new) {
        return nv_oracle_header(d, NV_ORACLE_TYPE_INC, subch, address, count);
    }
    if (sec_op == 2 && tert_op == 0 && accept_old) {
        return nv_oracle_header(d, NV_ORACLE_TYPE_NON_INC, subch, word >> 2 & 0x7ff,
                                word >> 18 & 0x7ff);
    }
    if (sec_op == 3 && accept_new) {
        return nv_oracle_header(d, NV_ORACLE_TYPE_NON_INC, subch, address, count);
    }
    if (sec_op == 4 && accept_new) {
        return nv_oracle_immd(d, env, word);
    }
    if (sec_op == 5 && accept_new) {
        return nv_oracle_header(d, NV_ORACLE_TYPE_INC_ONCE, subch, address, count);
    }
    if (sec_op == 7 && accept_new) {
        d->pb_header.type = NV_ORACLE_TYPE_END_SEG;
        d->pb_header.conditional = d->seg_conditional;
        nv_oracle_drop_rest(d);
        return NV_ORACLE_PBDMA_OK;
    }
    return nv_oracle_raise(d, NV_ORACLE_INTR_PBENTRY);
}

static enum nv_oracle_pbdma_result nv_oracle_data(struct nv_oracle_pbdma *d,
                                                  const struct nv_oracle_pbdma_env *env,
                                                  uint32_t word, int first)
{
    nv_oracle_generate(d, env, word);
    if (d->pb_header.type == NV_ORACLE_TYPE_INC) {
        d->pb_header.method = (d->pb_header.method + 4) % 0x4000;
    } else if (d->pb_header.type == NV_ORACLE_TYPE_INC_ONCE) {
        d->pb_header.method = (d->pb_header.method + 4) % 0x4000;
        d->pb_header.type = NV_ORACLE_TYPE_NON_INC;
    }
    d->pb_count -= 1;
    if (first && d->seg_conditional && !d->pb_header.conditional) {
        return nv_oracle_raise(d, NV_ORACLE_INTR_PBSEG);
    }
    return NV_ORACLE_PBDMA_OK;
}

static enum nv_oracle_pbdma_result nv_oracle_pbdma_word(struct nv_oracle_pbdma *d,
                                                        const struct nv_oracle_pbdma_env *env)
{
    uint32_t word;
    int first = d->seg_first;

    if (!nv_oracle_pbdma_read32(env, d->pb_get, &word)) {
        return NV_ORACLE_PBDMA_FAULT;
    }
    d->seg_first = 0;
    d->pb_get += 4;
    nv_oracle_follow(d);
    if (!d->seg_subroutine) {
        d->top_level_get_valid = 1;
    }
    d->pb_crc = nv_oracle_crc_word(d->pb_crc, word);
    d->pb_crc_end = d->pb_get;
    if (d->pb_count != 0) {
        return nv_oracle_data(d, env, word, first);
    }
    return nv_oracle_instruction(d, env, word);
}

/* The entry is discarded: GP_GET has moved past it. */
static enum nv_oracle_pbdma_result nv_oracle_bad_entry(struct nv_oracle_pbdma *d)
{
    if (d->gen >= NV_ORACLE_AMPERE) {
        d->gp_crc = 0;
    }
    return nv_oracle_raise(d, NV_ORACLE_INTR_GPENTRY);
}

/* LENGTH 0 */
static enum nv_oracle_pbdma_result nv_oracle_control(struct nv_oracle_pbdma *d, uint32_t operand,
                                                     uint32_t opcode)
{
    uint32_t measured;
    if (opcode == 0) {
        /* NOP */
        return NV_ORACLE_PBDMA_OK;
    }
    if (opcode == 2) {
        /* GP_CRC */
        measured = d->gp_crc;
        d->gp_crc = 0;
        if (measured != operand) {
            return nv_oracle_raise(d, NV_ORACLE_INTR_GPCRC);
        }
        return NV_ORACLE_PBDMA_OK;
    }
    if (opcode == 3) {
        /* PB_CRC */
        if (d->pb_crc != operand) {
            return nv_oracle_raise(d, NV_ORACLE_INTR_PBCRC);
        }
        return NV_ORACLE_PBDMA_OK;
    }
    if (opcode == 4 && d->gen >= NV_ORACLE_HOPPER) {
        /* SET_PB_SEGMENT_EXTENDED_BASE: OPERAND 24:8 is bits 56:40 */
        d->extended_base = (uint64_t)(operand >> 8 & 0x1ffff) << 40;
        return NV_ORACLE_PBDMA_OK;
    }
    /* ILLEGAL and the rest */
    return nv_oracle_bad_entry(d);
}

static void nv_oracle_load_segment(struct nv_oracle_pbdma *d, uint32_t entry0, uint32_t entry1)
{
    uint64_t low = (uint64_t)(entry1 & 0xff) << 32 | (entry0 & 0xfffffffc);
    uint64_t length = entry1 >> 10 & 0x1fffff;

    d->pb_get = d->extended_base + low;
    d->pb_put = d->pb_get + length * 4;
    d->seg_conditional = (entry0 & 1) != 0;
    d->seg_no_context_switch = d->gen == NV_ORACLE_FERMI && (entry0 & 2) != 0;
    d->seg_priv = d->gen <= NV_ORACLE_KEPLER && (entry1 & 0x100) != 0;
    d->seg_subroutine = (entry1 & 0x200) != 0;
    d->seg_first = 1;
    d->pb_crc = 0;
    d->pb_crc_begin = d->pb_get;
    d->pb_crc_end = d->pb_get;
    d->pb_crc_indeterminate = 0;
    nv_oracle_follow(d);
}

static enum nv_oracle_pbdma_result nv_oracle_pbdma_entry(struct nv_oracle_pbdma *d,
                                                         const struct nv_oracle_pbdma_env *env)
{
    uint64_t addr = d->gp_base + (uint64_t)d->gp_get * 8;
    uint32_t entry0;
    uint32_t entry1;
    uint64_t low;
    uint64_t length;

    if (!nv_oracle_pbdma_read32(env, addr, &entry0) ||
        !nv_oracle_pbdma_read32(env, addr + 4, &entry1)) {
        return NV_ORACLE_PBDMA_FAULT;
    }
    if ((entry1 & 0x80000000) != 0 && d->gen != NV_ORACLE_FERMI && d->pb_count != 0 &&
        nv_oracle_active(d) && d->pb_header.subch >= 5 &&
        (d->pb_header.method == 0 || d->pb_header.method >= 0x100)) {
        return nv_oracle_raise(d, NV_ORACLE_INTR_DEVICE);
    }
    d->gp_shadow_0 = entry0;
    d->gp_shadow_1 = entry1;
    d->gp_get += 1;
    if (d->gp_get == (uint64_t)1 << d->limit2) {
        d->gp_get = 0;
    }
    d->sync = (entry1 & 0x80000000) != 0;
    length = entry1 >> 10 & 0x1fffff;
    if (length == 0) {
        return nv_oracle_control(d, entry0, entry1 & 0xff);
    }
    low = (uint64_t)(entry1 & 0xff) << 32 | (entry0 & 0xfffffffc);
    if (low + length * 4 > 0xffffffffff) {
        return nv_oracle_bad_entry(d);
    }
    d->gp_crc = nv_oracle_crc_word(d->gp_crc, entry0);
    d->gp_crc = nv_oracle_crc_word(d->gp_crc, entry1);
    if ((entry0 & 1) != 0 && !nv_oracle_active(d)) {
        /* FETCH_CONDITIONAL and inactive: as NOP */
        return NV_ORACLE_PBDMA_OK;
    }
    nv_oracle_load_segment(d, entry0, entry1);
    return NV_ORACLE_PBDMA_OK;
}

/* One word of the current segment, or one GP entry. limit2 is 0 to 31. */
NV_ORACLE_UNUSED static enum nv_oracle_pbdma_result nv_oracle_pbdma_step(
    struct nv_oracle_pbdma *d, const struct nv_oracle_pbdma_env *env)
{
    uint64_t last = d->gen >= NV_ORACLE_HOPPER ? 0x1ffffffffffffff : 0xffffffffff;
    uint64_t entries = (uint64_t)1 << d->limit2;

    if (d->intr != 0) {
        return NV_ORACLE_PBDMA_STALLED;
    }
    if (d->pb_get != d->pb_put) {
        return nv_oracle_pbdma_word(d, env);
    }
    if (d->gp_base + 8 * entries - 1 > last) {
        return nv_oracle_raise(d, NV_ORACLE_INTR_GPFIFO);
    }
    if (d->gp_get >= entries || d->gp_put >= entries) {
        return nv_oracle_raise(d, NV_ORACLE_INTR_GPPTR);
    }
    if (d->gp_get == d->gp_put) {
        return NV_ORACLE_PBDMA_IDLE;
    }
    return nv_oracle_pbdma_entry(d, env);
}

#endif /* NV_ORACLE_PBDMA_H */

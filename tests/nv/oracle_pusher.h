/* nv/oracle_pusher.h - the DMA pusher of NV4:GF100, one word at a time - MIT
 *
 * An oracle for tests. It shares nothing with the library. It follows the
 * pseudocode of [SEED0] "The pusher pseudocode - pre-GF100", with lines restored
 * that the text extraction lost, and the gates of its text.
 *
 *   nv_oracle_pusher_init(&p, chip_idx);    then set what the kernel would set
 *   nv_oracle_pusher_step(&p, &env);        one word, or one IB entry
 *   nv_oracle_pusher_recover(&p);           recovery of the kernel after an error
 *   nv_oracle_user_read(&p, off_bytes);     channel control area, for the shadows
 *   nv_oracle_user_write(&p, off_bytes, v);
 *
 * chip_idx is the position of the chip in the order NV1 0, NV3 1, NV3T 2,
 * NV4 3, NV5 4, NV6 5, NVA 6, NV10 7, NV15 8, NV1A 9, NV11 10 ... NV40 23 ...
 * G80 40, G84 41 ... MCP89 53, GF100 54. This file holds for 3 to 53.
 *
 * Where the sources are silent, this file decides:
 *  1. An address passes its end: dma_get + 4 is taken modulo 2^32 before G80
 *     and modulo 2^40 on G80; so is the address of an IB entry.
 *  2. A fault on any byte of a word, or on any word of an IB entry, is a fault
 *     of the whole, with nothing consumed.
 *  3. pfifo_endian and big_endian are 1 for big-endian.
 *  4. A switch the chip lacks is ignored whatever the state says: big_endian
 *     outside NV1A:G80, sli_enable before NV40, ib_enable before G80.
 *  5. dma_mget follows dma_get in NV4-style mode on G80 too (nonmain is 0
 *     there). It is copied when a word is fetched, so after a jump it holds the
 *     address past the jump word until the next fetch. It stays 0 before G80.
 *  6. The word fetched for lenp changes no debug shadow.
 *  7. After an error every step returns that error and changes nothing, until
 *     recovery clears it.
 *  8. Recovery also clears priv (it is in DMA_STATE) and leaves sli_active, the
 *     debug shadows, dma_mget and dma_mget_val unchanged. It does not depend on
 *     the kind of error.
 *  9. nv_oracle_pusher_init sets sli_active on NV40+, whatever sli_enable is.
 * 10. ib_get counts modulo 2^32 when ib_order is above 31.
 * 11. IB_PUT is writable in IB mode only. Areas not listed read as 0.
 * 12. On NV4, where a NON_INC command does not exist, ni is always 0.
 * 13. SetReference, at 0x50 from NV10 on, sets REF, in both modes.
 */
#ifndef NV_ORACLE_PUSHER_H
#define NV_ORACLE_PUSHER_H

#include <stdint.h>
#include <string.h>

#ifndef NV_ORACLE_UNUSED
#if defined(__GNUC__) || defined(__clang__)
#define NV_ORACLE_UNUSED __attribute__((unused))
#else
#define NV_ORACLE_UNUSED
#endif
#endif

enum nv_oracle_idx {
    NV_ORACLE_IDX_NV4 = 3,
    NV_ORACLE_IDX_NV5 = 4,
    NV_ORACLE_IDX_NV10 = 7,
    NV_ORACLE_IDX_NV1A = 9,
    NV_ORACLE_IDX_NV40 = 23,
    NV_ORACLE_IDX_G80 = 40,
    NV_ORACLE_IDX_G84 = 41,
    NV_ORACLE_IDX_MCP89 = 53,
    NV_ORACLE_IDX_GF100 = 54,
};

enum nv_oracle_pusher_error {
    NV_ORACLE_NO_ERROR = 0,
    NV_ORACLE_CALL_SUBR_ACTIVE = 1,
    NV_ORACLE_INVALID_MTHD = 2,
    NV_ORACLE_RET_SUBR_INACTIVE = 3,
    NV_ORACLE_INVALID_CMD = 4,
    NV_ORACLE_IB_EMPTY = 5,
    NV_ORACLE_MEM_FAULT = 6,
};

enum nv_oracle_pusher_result {
    NV_ORACLE_PUSHER_IDLE,
    NV_ORACLE_PUSHER_OK,
    NV_ORACLE_PUSHER_ERROR, /* the error is in state.error */
};

/* Names and widths as in the state table. */
struct nv_oracle_pusher {
    int chip_idx;
    uint32_t dma_limit; /* first byte not allowed */
    uint64_t dma_put;   /* b40 dma_put_high:dma_put */
    uint64_t dma_get;   /* b40 dma_get_high:dma_get */
    struct {
        uint32_t mthd; /* b11, dword index */
        uint32_t subc; /* b3 */
        uint32_t mcnt; /* b11, b24 on G80+ */
        int ni;
        int lenp;
    } dma_state;
    uint32_t dcount_shadow;
    uint32_t dma_get_jmp_shadow;
    uint32_t rsvd_shadow;
    uint32_t data_shadow;
    uint32_t ref;
    int subr_active;
    uint32_t subr_return;
    int big_endian;
    int sli_enable;
    uint32_t sli_mask; /* b12 */
    int sli_active;
    int ib_enable;
    int nonmain;
    uint32_t dma_put_high_rs; /* b8 */
    uint32_t dma_put_high_ws; /* b8 */
    uint32_t dma_get_high_rs; /* b8 */
    uint32_t ib_put;
    uint32_t ib_get;
    uint64_t ib_address; /* b40 */
    uint32_t ib_order;   /* b8 */
    uint64_t dma_mget;   /* b40 dma_mget_high:dma_mget */
    int dma_mget_val;
    uint32_t dma_mget_high_rs; /* b8 */
    int dma_mget_val_rs;
    int pfifo_endian;
    int priv;
    enum nv_oracle_pusher_error error;
};

/* read8 returns 0 and stores a byte. Any other result is a fault. */
struct nv_oracle_pusher_env {
    void *user;
    int (*read8)(void *user, uint64_t addr, uint8_t *byte);
    void (*method)(void *user, uint32_t subc, uint32_t mthd_bytes, uint32_t data, int ni);
};

NV_ORACLE_UNUSED static void nv_oracle_pusher_init(struct nv_oracle_pusher *p, int chip_idx)
{
    memset(p, 0, sizeof *p);
    p->chip_idx = chip_idx;
    if (chip_idx >= NV_ORACLE_IDX_NV40) {
        p->sli_active = 1;
    }
}

/* The channel leaves the pusher. */
NV_ORACLE_UNUSED static void nv_oracle_pusher_switch_out(struct nv_oracle_pusher *p)
{
    p->dma_mget_val = 0;
}

/* Return 1 if PULLER_KNOWS_MTHD holds. Table of [ENVY] puller.rst. */
NV_ORACLE_UNUSED static int nv_oracle_knows_mthd(int chip_idx, uint32_t mthd_bytes)
{
    if (mthd_bytes >= 0x100) {
        return 1;
    }
    switch (mthd_bytes) {
    case 0x00: return chip_idx >= NV_ORACLE_IDX_NV4;
    case 0x50: return chip_idx >= NV_ORACLE_IDX_NV10;
    case 0x60: return chip_idx >= NV_ORACLE_IDX_NV1A;
    case 0x64: return chip_idx >= NV_ORACLE_IDX_NV1A;
    case 0x68: return chip_idx >= NV_ORACLE_IDX_NV1A;
    case 0x6c: return chip_idx >= NV_ORACLE_IDX_NV1A;
    case 0x80: return chip_idx >= NV_ORACLE_IDX_NV40;
    case 0x10: return chip_idx >= NV_ORACLE_IDX_G84;
    case 0x14: return chip_idx >= NV_ORACLE_IDX_G84;
    case 0x18: return chip_idx >= NV_ORACLE_IDX_G84;
    case 0x1c: return chip_idx >= NV_ORACLE_IDX_G84;
    case 0x20: return chip_idx >= NV_ORACLE_IDX_G84;
    case 0x24: return chip_idx >= NV_ORACLE_IDX_G84;
    case 0x28: return chip_idx >= NV_ORACLE_IDX_MCP89;
    case 0x2c: return chip_idx >= NV_ORACLE_IDX_MCP89;
    default: return 0;
    }
}

/* READ_DMAOBJ_32: read a word. Return 1, or 0 for a fault. */
static int nv_oracle_pusher_read32(const struct nv_oracle_pusher_env *env, uint64_t addr, int big,
                                   uint32_t *word)
{
    uint8_t byte[4];
    uint32_t i;
    for (i = 0; i < 4; i++) {
        if (env->read8(env->user, addr + i, &byte[i]) != 0) {
            return 0;
        }
    }
    if (big) {
        *word =
            (uint32_t)byte[0] << 24 | (uint32_t)byte[1] << 16 | (uint32_t)byte[2] << 8 | byte[3];
    } else {
        *word =
            (uint32_t)byte[3] << 24 | (uint32_t)byte[2] << 16 | (uint32_t)byte[1] << 8 | byte[0];
    }
    return 1;
}

static enum nv_oracle_pusher_result nv_oracle_throw(struct nv_oracle_pusher *p,
                                                    enum nv_oracle_pusher_error error)
{
    p->error = error;
    return NV_ORACLE_PUSHER_ERROR;
}

static uint64_t nv_oracle_pusher_addr(const struct nv_oracle_pusher *p, uint64_t addr)
{
    return p->chip_idx >= NV_ORACLE_IDX_G80 ? addr & 0xffffffffff : addr & 0xffffffff;
}

/* The first word of a method command. */
static void nv_oracle_pusher_header(struct nv_oracle_pusher *p, uint32_t word, int ni)
{
    p->dma_state.mthd = (word >> 2) & 0x7ff;
    p->dma_state.subc = (word >> 13) & 7;
    p->dma_state.ni = ni;
    if (p->chip_idx >= NV_ORACLE_IDX_NV5) {
        p->dcount_shadow = 0;
    }
}

static enum nv_oracle_pusher_result nv_oracle_pusher_command(struct nv_oracle_pusher *p,
                                                             uint32_t word)
{
    int gpu = p->chip_idx;
    int ib_enable = gpu >= NV_ORACLE_IDX_G80 && p->ib_enable;
    int sli_enable = gpu >= NV_ORACLE_IDX_NV40 && p->sli_enable;

    if (gpu >= NV_ORACLE_IDX_NV5) {
        p->rsvd_shadow = word;
    }
    if ((word & 0xe0000003) == 0x20000000 && !ib_enable) {
        /* old jump */
        if (gpu >= NV_ORACLE_IDX_NV5) {
            p->dma_get_jmp_shadow = (uint32_t)p->dma_get;
        }
        p->dma_get = word & 0x1fffffff;
    } else if ((word & 3) == 1 && !ib_enable && gpu >= NV_ORACLE_IDX_NV1A) {
        /* jump */
        p->dma_get_jmp_shadow = (uint32_t)p->dma_get;
        p->dma_get = word & 0xfffffffc;
    } else if ((word & 3) == 2 && !ib_enable && gpu >= NV_ORACLE_IDX_NV1A) {
        /* call */
        if (p->subr_active) {
            return nv_oracle_throw(p, NV_ORACLE_CALL_SUBR_ACTIVE);
        }
        p->subr_return = (uint32_t)p->dma_get;
        p->subr_active = 1;
        p->dma_get = word & 0xfffffffc;
    } else if (word == 0x00020000 && !ib_enable && gpu >= NV_ORACLE_IDX_NV1A) {
        /* return */
        if (!p->subr_active) {
            return nv_oracle_throw(p, NV_ORACLE_RET_SUBR_INACTIVE);
        }
        p->dma_get = p->subr_return;
        p->subr_active = 0;
    } else if ((word & 0xe0030003) == 0) {
        /* increasing methods */
        nv_oracle_pusher_header(p, word, 0);
        p->dma_state.mcnt = (word >> 18) & 0x7ff;
    } else if ((word & 0xe0030003) == 0x40000000 && gpu >= NV_ORACLE_IDX_NV10) {
        /* non-increasing methods */
        nv_oracle_pusher_header(p, word, 1);
        p->dma_state.mcnt = (word >> 18) & 0x7ff;
    } else if ((word & 0xffff0003) == 0x00030000 && ib_enable) {
        /* long non-increasing methods */
        nv_oracle_pusher_header(p, word, 1);
        p->dma_state.lenp = 1;
    } else if ((word & 0xffff0003) == 0x00010000 && sli_enable) {
        /* SLI conditional */
        if (p->sli_mask & ((word >> 4) & 0xfff)) {
            p->sli_active = 1;
        } else {
            p->sli_active = 0;
        }
    } else {
        return nv_oracle_throw(p, NV_ORACLE_INVALID_CMD);
    }
    return NV_ORACLE_PUSHER_OK;
}

static enum nv_oracle_pusher_result nv_oracle_pusher_data(struct nv_oracle_pusher *p,
                                                          const struct nv_oracle_pusher_env *env,
                                                          uint32_t word)
{
    int sli_enable = p->chip_idx >= NV_ORACLE_IDX_NV40 && p->sli_enable;

    if (p->chip_idx >= NV_ORACLE_IDX_NV5) {
        p->data_shadow = word;
    }
    if (!nv_oracle_knows_mthd(p->chip_idx, p->dma_state.mthd * 4)) {
        return nv_oracle_throw(p, NV_ORACLE_INVALID_MTHD);
    }
    if (!sli_enable || p->sli_active) {
        env->method(env->user, p->dma_state.subc, p->dma_state.mthd * 4, word, p->dma_state.ni);
    }
    if (!p->dma_state.ni) {
        p->dma_state.mthd = (p->dma_state.mthd + 1) % 0x800;
    }
    p->dma_state.mcnt -= 1;
    if (p->chip_idx >= NV_ORACLE_IDX_NV5) {
        p->dcount_shadow += 1;
    }
    return NV_ORACLE_PUSHER_OK;
}

static enum nv_oracle_pusher_result nv_oracle_pusher_word(struct nv_oracle_pusher *p,
                                                          const struct nv_oracle_pusher_env *env)
{
    int gpu = p->chip_idx;
    int ib_enable = gpu >= NV_ORACLE_IDX_G80 && p->ib_enable;
    int big;
    uint32_t word;

    if (!ib_enable && p->dma_get >= p->dma_limit) {
        return nv_oracle_throw(p, NV_ORACLE_MEM_FAULT);
    }
    if (gpu < NV_ORACLE_IDX_NV1A) {
        big = 0;
    } else if (gpu < NV_ORACLE_IDX_G80) {
        big = p->big_endian;
    } else {
        big = p->pfifo_endian;
    }
    if (!nv_oracle_pusher_read32(env, p->dma_get, big, &word)) {
        return nv_oracle_throw(p, NV_ORACLE_MEM_FAULT);
    }
    p->dma_get = nv_oracle_pusher_addr(p, p->dma_get + 4);
    if (gpu >= NV_ORACLE_IDX_G80 && !p->nonmain) {
        p->dma_mget = p->dma_get;
        p->dma_mget_val = 1;
    }
    if (p->dma_state.lenp) {
        p->dma_state.lenp = 0;
        p->dma_state.mcnt = word & 0xffffff;
        return NV_ORACLE_PUSHER_OK;
    }
    if (p->dma_state.mcnt) {
        return nv_oracle_pusher_data(p, env, word);
    }
    return nv_oracle_pusher_command(p, word);
}

static enum nv_oracle_pusher_result nv_oracle_pusher_entry(struct nv_oracle_pusher *p,
                                                           const struct nv_oracle_pusher_env *env)
{
    uint64_t addr = nv_oracle_pusher_addr(p, p->ib_address + (uint64_t)p->ib_get * 8);
    uint32_t entry_low;
    uint32_t entry_high;
    uint64_t entry;
    uint64_t len_dw;

    if (!nv_oracle_pusher_read32(env, addr, p->pfifo_endian, &entry_low) ||
        !nv_oracle_pusher_read32(env, addr + 4, p->pfifo_endian, &entry_high)) {
        return nv_oracle_throw(p, NV_ORACLE_MEM_FAULT);
    }
    entry = (uint64_t)entry_high << 32 | entry_low;
    p->ib_get += 1;
    if (p->ib_order < 32 && p->ib_get == (uint64_t)1 << p->ib_order) {
        p->ib_get = 0;
    }
    if (entry & 1) {
        /* DISABLE */
        return NV_ORACLE_PUSHER_OK;
    }
    len_dw = (entry >> 42) & 0x3fffff;
    if (len_dw == 0) {
        return nv_oracle_throw(p, NV_ORACLE_IB_EMPTY);
    }
    p->dma_get = entry & 0xfffffffffc;
    p->dma_put = nv_oracle_pusher_addr(p, p->dma_get + len_dw * 4);
    if (entry & (uint64_t)1 << 41) {
        p->nonmain = 1;
    } else {
        p->nonmain = 0;
    }
    if (entry & (uint64_t)1 << 40) {
        p->priv = 1;
    } else {
        p->priv = 0;
    }
    if (!p->nonmain) {
        p->dma_mget = p->dma_get;
    }
    return NV_ORACLE_PUSHER_OK;
}

/* One word of the pushbuffer, or one IB entry. */
NV_ORACLE_UNUSED static enum nv_oracle_pusher_result nv_oracle_pusher_step(
    struct nv_oracle_pusher *p, const struct nv_oracle_pusher_env *env)
{
    if (p->error != NV_ORACLE_NO_ERROR) {
        return NV_ORACLE_PUSHER_ERROR;
    }
    if (p->dma_get != p->dma_put) {
        return nv_oracle_pusher_word(p, env);
    }
    if (p->chip_idx >= NV_ORACLE_IDX_G80 && p->ib_enable && p->ib_get != p->ib_put) {
        return nv_oracle_pusher_entry(p, env);
    }
    return NV_ORACLE_PUSHER_IDLE;
}

/* The interrupt handler of [LNX] engine/fifo/nv04.c for DMA_PUSHER. */
NV_ORACLE_UNUSED static void nv_oracle_pusher_recover(struct nv_oracle_pusher *p)
{
    if (p->chip_idx >= NV_ORACLE_IDX_G80) {
        p->dma_state.mcnt = 0; /* METHOD_COUNT := 0 */
        if (p->dma_get != p->dma_put) {
            p->dma_get = p->dma_put;
        } else if (p->ib_get != p->ib_put) {
            p->ib_get = p->ib_put;
        }
    } else if (p->dma_get != p->dma_put) {
        p->dma_get = p->dma_put;
    }
    /* DMA_STATE := 0 */
    p->dma_state.mthd = 0;
    p->dma_state.subc = 0;
    p->dma_state.mcnt = 0;
    p->dma_state.ni = 0;
    p->dma_state.lenp = 0;
    p->nonmain = 0;
    p->priv = 0;
    if (p->chip_idx >= NV_ORACLE_IDX_NV40) {
        p->subr_active = 0;
    }
    p->error = NV_ORACLE_NO_ERROR;
}

/* Channel control area: a 32-bit read at a byte offset. */
NV_ORACLE_UNUSED static uint32_t nv_oracle_user_read(struct nv_oracle_pusher *p, uint32_t off_bytes)
{
    int g80 = p->chip_idx >= NV_ORACLE_IDX_G80;

    if (off_bytes == 0x40) {
        p->dma_put_high_rs = (uint32_t)(p->dma_put >> 32);
        return (uint32_t)p->dma_put;
    }
    if (off_bytes == 0x44) {
        p->dma_get_high_rs = (uint32_t)(p->dma_get >> 32);
        return (uint32_t)p->dma_get;
    }
    if (off_bytes == 0x48 && p->chip_idx >= NV_ORACLE_IDX_NV10) {
        return p->ref;
    }
    if (off_bytes == 0x4c && g80) {
        return p->dma_put_high_rs;
    }
    if (off_bytes == 0x54 && p->chip_idx >= NV_ORACLE_IDX_NV40 && !(g80 && p->ib_enable)) {
        return p->subr_active ? p->subr_return : (uint32_t)p->dma_get;
    }
    if (off_bytes == 0x58 && g80) {
        p->dma_mget_high_rs = (uint32_t)(p->dma_mget >> 32);
        p->dma_mget_val_rs = p->dma_mget_val;
        return (uint32_t)p->dma_mget;
    }
    if (off_bytes == 0x5c && g80) {
        return p->dma_mget_high_rs | (p->dma_mget_val_rs ? 0x80000000 : 0);
    }
    if (off_bytes == 0x60 && g80) {
        return p->dma_get_high_rs;
    }
    if (off_bytes == 0x88 && g80) {
        return p->ib_get;
    }
    if (off_bytes == 0x8c && g80) {
        return p->ib_put;
    }
    return 0;
}

/* Channel control area: a 32-bit write at a byte offset. */
NV_ORACLE_UNUSED static void nv_oracle_user_write(struct nv_oracle_pusher *p, uint32_t off_bytes,
                                                  uint32_t value)
{
    int g80 = p->chip_idx >= NV_ORACLE_IDX_G80;
    int ib_enable = g80 && p->ib_enable;

    if (off_bytes == 0x40 && !ib_enable) {
        p->dma_put = (uint64_t)p->dma_put_high_ws << 32 | (value & 0xfffffffc);
    }
    if (off_bytes == 0x4c && g80 && !ib_enable) {
        p->dma_put_high_ws = value & 0xff;
    }
    if (off_bytes == 0x50 && p->chip_idx >= 7) {
        p->ref = value;
    }
    if (off_bytes == 0x8c && ib_enable) {
        p->ib_put = p->ib_order < 32 ? value & (uint32_t)(((uint64_t)1 << p->ib_order) - 1) : value;
    }
}

#endif /* NV_ORACLE_PUSHER_H */

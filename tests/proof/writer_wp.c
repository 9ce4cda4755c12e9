/* Contracts of the writer, for WP of Frama-C. The declarations below are those of gpucmd.h with a
 * contract before each; WP proves the functions of gpucmd.h against them. */
#include <stddef.h>
#define __builtin_memcpy(d, s, n) gpucmd_proof_copy((d), (s), (n))
extern void gpucmd_proof_copy(void *, const void *, size_t);
#define GPUCMD_STATIC
#include "gpucmd.h"

/*@ axiomatic Addresses {
      axiom word_addresses{L}:
        \forall uint32_t *p, *q;
          \base_addr(p) == \base_addr(q) && p <= q && \valid_read(p + (0 .. q - p - 1)) &&
          \block_length(p) <= 0xffffffffffffffff ==>
            (uintptr_t)q - (uintptr_t)p == 4 * (q - p);
      axiom null_address: (uintptr_t)(uint32_t *)\null == 0;
    }

    predicate measures(gpucmd_writer *w) =
      w->status == GPUCMD_OK && w->base == \null && w->cur == \null && w->end == \null;
    predicate failed{L}(gpucmd_writer *w) =
      w->status != GPUCMD_OK && w->cur == \null && w->end == \null &&
      (w->base != \null ==> \valid(w->base + (0 .. w->good_dw - 1)) &&
        \separated(w, w->base + (0 .. w->good_dw - 1)));
    predicate writes{L}(gpucmd_writer *w) =
      w->status == GPUCMD_OK && w->base != \null && w->cur != \null && w->end != \null &&
      \base_addr(w->cur) == \base_addr(w->base) && \base_addr(w->end) == \base_addr(w->base) &&
      w->base <= w->cur <= w->end && \block_length(w->base) <= 0xffffffffffffffff &&
      \valid(w->base + (0 .. w->end - w->base - 1)) &&
      \separated(w, w->base + (0 .. w->end - w->base - 1));
    predicate writer{L}(gpucmd_writer *w) =
      \valid(w) && (measures(w) || failed(w) || writes(w));
    predicate fits(gpucmd_writer *w, integer n) =
      w->cur != \null && n <= w->end - w->cur;

    // Words accepted; while measuring, counted.
    logic integer at_dw(gpucmd_writer *w) =
      w->status != GPUCMD_OK ? w->good_dw : w->base != \null ? w->cur - w->base : w->need_dw;
*/

/*@ requires writer(w);
    assigns \nothing;
    ensures n_dw >= 1 ==> (\result <==> fits(w, n_dw));
*/
GPUCMD_INLINE bool gpucmd_priv_writer_fits(const gpucmd_writer *w, size_t n_dw);

/*@ assigns \nothing;
    ensures \false;
*/
void __builtin_unreachable(void);

/*@ requires writer(w) && cur == w->cur && status != GPUCMD_OK;
    assigns *w;
    ensures failed(w) && w->base == \old(w->base);
    ensures \old(w->status) == GPUCMD_OK ==> w->status == status;
    ensures \old(w->status) != GPUCMD_OK ==> *w == \old(*w);
    ensures \old(writes(w)) ==> w->good_dw == \old(w->cur - w->base) && w->need_dw == \old(w->need_dw);
    ensures \old(measures(w)) ==> w->good_dw == \old(w->need_dw) && w->need_dw == 0;
*/
GPUCMD_INLINE void gpucmd_priv_writer_stop(gpucmd_writer *w, const uint32_t *cur,
                                           gpucmd_status status);

/*@ requires writer(w) && status != GPUCMD_OK;
    assigns *w;
    ensures failed(w) && w->base == \old(w->base);
    ensures \old(w->status) == GPUCMD_OK ==> w->status == status;
    ensures \old(w->status) != GPUCMD_OK ==> *w == \old(*w);
    ensures \old(writes(w)) ==> w->good_dw == \old(w->cur - w->base) && w->need_dw == \old(w->need_dw);
    ensures \old(measures(w)) ==> w->good_dw == \old(w->need_dw) && w->need_dw == 0;
*/
GPUCMD_INLINE void gpucmd_priv_writer_fail(gpucmd_writer *w, gpucmd_status status);

/*@ requires writer(w) && n_dw >= 1;
    assigns *w;
    ensures writer(w);
    ensures w->base == \old(w->base);
    behavior whole:
      assumes fits(w, n_dw);
      ensures \result == \old(w->cur) && w->cur == \result + n_dw && w->end == \old(w->end);
      ensures w->status == GPUCMD_OK && w->need_dw == \old(w->need_dw) && w->good_dw == \old(w->good_dw);
    behavior not_at_all:
      assumes !fits(w, n_dw);
      ensures \result == \null;
      ensures \old(writes(w)) ==> w->status == GPUCMD_FULL && w->good_dw == \old(w->cur - w->base);
      ensures !\old(writes(w)) ==> w->status == \old(w->status) && w->good_dw == \old(w->good_dw);
      ensures w->need_dw == (size_t)(\old(w->need_dw) + n_dw);
    complete behaviors;
    disjoint behaviors;
*/
GPUCMD_INLINE uint32_t *gpucmd_priv_writer_claim(gpucmd_writer *w, size_t n_dw);

/*@ requires \valid(w) && (base == \null || \block_length(base) <= 0xffffffffffffffff &&
      \valid(base + (0 .. cap_dw - 1)) && \separated(w, base + (0 .. cap_dw - 1)));
    assigns *w;
    ensures writer(w) && w->status == GPUCMD_OK && w->base == base && w->cur == base;
    ensures w->need_dw == 0 && w->good_dw == 0;
    ensures base != \null ==> w->end == base + cap_dw;
*/
GPUCMD_INLINE void gpucmd_writer_init(gpucmd_writer *w, uint32_t *base, size_t cap_dw);

/*@ requires \valid((uint32_t *)dst + (0 .. len_bytes / 4 - 1));
    requires \valid_read((uint32_t *)src + (0 .. len_bytes / 4 - 1));
    assigns ((uint32_t *)dst)[0 .. len_bytes / 4 - 1];
    ensures \forall integer i; 0 <= i < len_bytes / 4 ==>
      ((uint32_t *)dst)[i] == \old(((uint32_t *)src)[i]);
*/
GPUCMD_INLINE void gpucmd_priv_copy(void *dst, const void *src, size_t len_bytes);

/*@ requires writer(w) && \valid_read(data + (0 .. n_dw - 1));
    requires \separated(data + (0 .. n_dw - 1), w->base + (0 .. w->end - w->base - 1));
    requires \separated(data + (0 .. n_dw - 1), w);
    assigns *w, w->cur[0 .. n_dw - 1];
    ensures writer(w) && w->base == \old(w->base);
    ensures n_dw == 0 ==> *w == \old(*w);
    behavior whole:
      assumes n_dw != 0 && fits(w, n_dw);
      ensures w->cur == \old(w->cur) + n_dw && w->end == \old(w->end);
      ensures w->status == GPUCMD_OK && w->need_dw == \old(w->need_dw) && w->good_dw == \old(w->good_dw);
      ensures \forall integer i; 0 <= i < n_dw ==> \old(w->cur)[i] == data[i];
    behavior not_at_all:
      assumes n_dw != 0 && !fits(w, n_dw);
      assigns *w;
      ensures \old(writes(w)) ==> w->status == GPUCMD_FULL && w->good_dw == \old(w->cur - w->base);
      ensures !\old(writes(w)) ==> w->status == \old(w->status) && w->good_dw == \old(w->good_dw);
      ensures w->need_dw == (size_t)(\old(w->need_dw) + n_dw);
*/
GPUCMD_INLINE void gpucmd_writer_emit_words(gpucmd_writer *w, const uint32_t *data, size_t n_dw);

/*@ requires writer(w);
    assigns *w;
    ensures writer(w) && w->base == \old(w->base);
    ensures n_dw == 0 ==> \result == \old(w->cur) && *w == \old(*w);
    behavior room:
      assumes n_dw != 0 && fits(w, n_dw);
      ensures \result == \old(w->cur) && *w == \old(*w);
    behavior no_room:
      assumes n_dw != 0 && !fits(w, n_dw);
      ensures \result == \null;
      ensures \old(writes(w)) ==> w->status == GPUCMD_FULL && w->good_dw == \old(w->cur - w->base);
      ensures !\old(writes(w)) ==> w->status == \old(w->status) && w->good_dw == \old(w->good_dw);
      ensures w->need_dw == (size_t)(\old(w->need_dw) + n_dw);
*/
GPUCMD_INLINE uint32_t *gpucmd_writer_reserve(gpucmd_writer *w, size_t n_dw);

/*@ requires writer(w);
    assigns *w;
    ensures writer(w) && w->base == \old(w->base);
    ensures n_dw == 0 ==> *w == \old(*w);
    behavior whole:
      assumes n_dw != 0 && fits(w, n_dw);
      ensures w->cur == \old(w->cur) + n_dw && w->end == \old(w->end);
      ensures w->status == GPUCMD_OK && w->need_dw == \old(w->need_dw) && w->good_dw == \old(w->good_dw);
    behavior not_at_all:
      assumes n_dw != 0 && !fits(w, n_dw);
      ensures failed(w);
      ensures \old(w->status) == GPUCMD_OK ==> w->status == GPUCMD_ORDER;
      ensures \old(w->status) != GPUCMD_OK ==> *w == \old(*w);
      ensures \old(writes(w)) ==> w->good_dw == \old(w->cur - w->base) && w->need_dw == \old(w->need_dw);
*/
GPUCMD_INLINE void gpucmd_writer_commit(gpucmd_writer *w, size_t n_dw);

/*@ requires writer(w);
    assigns \nothing;
    ensures \result == at_dw(w);
*/
GPUCMD_INLINE size_t gpucmd_writer_at_dw(const gpucmd_writer *w);

/*@ requires writer(w);
    assigns \nothing;
    ensures \result == (size_t)(at_dw(w) + (w->status != GPUCMD_OK ? w->need_dw : 0));
*/
GPUCMD_INLINE size_t gpucmd_writer_need_dw(const gpucmd_writer *w);

/*@ requires writer(w);
    assigns *w, w->base[at_dw];
    ensures writer(w) && w->base == \old(w->base);
    behavior store:
      assumes at_dw < at_dw(w) && w->base != \null;
      assigns w->base[at_dw];
      ensures w->base[at_dw] == dw;
    behavior measure:
      assumes at_dw < at_dw(w) && w->base == \null;
      assigns \nothing;
    behavior range:
      assumes at_dw >= at_dw(w);
      assigns *w;
      ensures failed(w) && at_dw(w) == \old(at_dw(w));
      ensures \old(w->status) == GPUCMD_OK ==> w->status == GPUCMD_RANGE;
      ensures \old(w->status) != GPUCMD_OK ==> *w == \old(*w);
    complete behaviors;
    disjoint behaviors;
*/
GPUCMD_INLINE void gpucmd_writer_patch(gpucmd_writer *w, size_t at_dw, uint32_t dw);

/*@ requires writer(w);
    assigns \nothing;
    ensures \result == w->cur;
*/
GPUCMD_INLINE uint32_t *gpucmd_writer_next(const gpucmd_writer *w);

/*@ requires writer(w) && \valid(len_dw) && \separated(w, len_dw);
    assigns *len_dw;
    ensures \result == w->status;
    ensures w->status == GPUCMD_OK ==> *len_dw == at_dw(w);
    ensures w->status != GPUCMD_OK ==> *len_dw == \old(*len_dw);
*/
GPUCMD_INLINE gpucmd_status gpucmd_writer_finish(const gpucmd_writer *w, size_t *len_dw);

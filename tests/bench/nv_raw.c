/* Hand-written code that the library is compared with. It uses no code of the library. */
#include "bench.h"
#include "nv.h"

/* ---- 32-bit stores, one per word; volatile, so that the compiler makes no wider stores ---- */

#define PLAIN(i, x) (((volatile uint32_t *)p)[i] = (x))

size_t raw_s(uint32_t *dst, size_t cap_dw, size_t units, const uint32_t *v)
{
    uint32_t *p = dst;
    uint32_t a = v[0];
    uint32_t b = v[1];
    uint32_t c = v[2];
    uint32_t d = v[3];
    uint32_t e = v[4];
    uint32_t f = v[5];
    uint32_t g = v[6];
    uint32_t h = v[7];
    (void)cap_dw;
    __asm__ __volatile__(""
                         : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f), "+r"(g), "+r"(h));
    for (uint32_t *end = dst + units * S_DW; p != end; p += S_DW) {
        PLAIN(0, 0x20050017);
        PLAIN(1, a);
        PLAIN(2, b);
        PLAIN(3, c);
        PLAIN(4, d);
        PLAIN(5, e);
        PLAIN(6, 0x8001001e);
        PLAIN(7, 0x20038100);
        PLAIN(8, f);
        PLAIN(9, g);
        PLAIN(10, h);
    }
    return (size_t)(p - dst);
}

size_t raw_m(uint32_t *dst, size_t cap_dw, size_t units, const uint32_t *v)
{
    uint32_t unit[M_DW + 3];
    uint32_t *p = dst;
    (void)cap_dw;
    raw_s(unit, S_DW, 1, v);
    unit[11] = 0xa01026c0;
    memcpy(unit + 12, v + 8, 64);
    unit[28] = 0x6040806d;
    memcpy(unit + 29, v + 24, 256);
    for (size_t i = 0; i < units; i++, p += M_DW) {
        for (size_t k = 0; k < M_DW; k += 3) {
            PLAIN(k, unit[k]);
            PLAIN(k + 1, unit[k + 1]);
            PLAIN(k + 2, unit[k + 2]);
        }
    }
    return (size_t)(p - dst);
}

/* ---- macros in the style of drivers, without checks ---- */

#define HEAD(op, subc, mthd, n)                                                                    \
    (*p++ = (uint32_t)(op) << 29 | (uint32_t)(n) << 16 | (uint32_t)(subc) << 13 |                  \
            (uint32_t)(mthd) >> 2)
#define DATA(x)       (*p++ = (x))
#define BLOCK(src, n) (memcpy(p, src, 4 * (n)), p += (n))
#define HAND_S()                                                                                   \
    HEAD(1, 0, 0x005c, 5);                                                                         \
    DATA(v[0]);                                                                                    \
    DATA(v[1]);                                                                                    \
    DATA(v[2]);                                                                                    \
    DATA(v[3]);                                                                                    \
    DATA(v[4]);                                                                                    \
    HEAD(4, 0, 0x0078, 1);                                                                         \
    HEAD(1, 4, 0x0400, 3);                                                                         \
    DATA(v[5]);                                                                                    \
    DATA(v[6]);                                                                                    \
    DATA(v[7])

size_t hand_s(uint32_t *dst, size_t cap_dw, size_t units, const uint32_t *v)
{
    uint32_t *p = dst;
    (void)cap_dw;
    for (size_t i = 0; i < units; i++) {
        HAND_S();
    }
    return (size_t)(p - dst);
}

size_t hand_m(uint32_t *dst, size_t cap_dw, size_t units, const uint32_t *v)
{
    uint32_t *p = dst;
    (void)cap_dw;
    for (size_t i = 0; i < units; i++) {
        HAND_S();
        HEAD(5, 1, 0x1b00, 16);
        BLOCK(v + 8, 16);
        HEAD(3, 4, 0x01b4, 64);
        BLOCK(v + 24, 64);
    }
    return (size_t)(p - dst);
}

void raw_unit(raw_writer *w, const uint32_t *v)
{
    uint32_t *p = w->cur;
    HAND_S();
    w->cur = p;
}

/* ---- store of a precomputed entry into a ring ---- */

uint64_t raw_push(raw_ring *ring, const uint64_t *entry, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const uint32_t put = ring->put;
        memcpy(ring->base + (size_t)put * 8, &entry[i], 8);
        ring->put = (put + 1) & ring->mask;
        FORGET();
    }
    return 0;
}

/* ---- reading ---- */

size_t raw_walk(const uint32_t *dw, size_t len_dw)
{
    const uint32_t *end = dw + len_dw;
    size_t commands = 0;
    while (dw != end) {
        const uint32_t head = *dw++;
        const uint32_t op = head >> 29;
        if (op == 1 || op == 3 || op == 5) {
            const uint32_t n = head >> 16 & 0x1fff;
            if (n > (size_t)(end - dw)) {
                return WALK_BAD;
            }
            dw += n;
        } else if (op != 4 && op != 7 && (op != 0 || (head != 0 && (head >> 16 & 3) == 0))) {
            return WALK_BAD;
        }
        commands++;
    }
    return commands;
}

uint32_t raw_sum(const uint32_t *dw, size_t len_dw)
{
    typedef uint32_t vector __attribute__((vector_size(16)));
    vector sum[4] = {{0}, {0}, {0}, {0}};
    uint32_t total = 0;
    size_t i = 0;
    for (; i + 16 <= len_dw; i += 16) {
        for (size_t k = 0; k < 4; k++) {
            vector v;
            memcpy(&v, dw + i + 4 * k, sizeof v);
            sum[k] += v;
        }
    }
    for (; i < len_dw; i++) {
        total += dw[i];
    }
    sum[0] += sum[1] + sum[2] + sum[3];
    return total + sum[0][0] + sum[0][1] + sum[0][2] + sum[0][3];
}

/* Print the text of gpucmd_nv_print, for method runs and IMMD above the host methods. */
size_t raw_print(char *buf, size_t buf_bytes, const uint32_t *dw, size_t len_dw)
{
    static const char *const names[8] = {"", "INC", "", "NON_INC", "IMMD", "ONE_INC", "", ""};
    size_t at = 0;
    size_t i = 0;
    while (i < len_dw) {
        const uint32_t head = dw[i];
        const unsigned op = head >> 29;
        const unsigned subc = head >> 13 & 7;
        const unsigned mthd = (head & 0xfff) * 4;
        const unsigned n = head >> 16 & 0x1fff;
        if (op == 4) {
            at += (size_t)snprintf(buf + at, buf_bytes - at,
                                   "0x%06zx  %08x  %-13ss%u 0x%04x = 0x%x\n", 4 * i, head,
                                   names[op], subc, mthd, n);
            i++;
            continue;
        }
        at += (size_t)snprintf(buf + at, buf_bytes - at, "0x%06zx  %08x  %-13ss%u 0x%04x n%u\n",
                               4 * i, head, names[op], subc, mthd, n);
        i++;
        for (unsigned k = 0; k < n; k++, i++) {
            const unsigned step = op == 1 ? k : op == 5 && k != 0;
            at += (size_t)snprintf(buf + at, buf_bytes - at,
                                   "0x%06zx  %08x               s%u 0x%04x\n", 4 * i, dw[i], subc,
                                   mthd + 4 * step);
        }
    }
    return at;
}

/* Random programs of register, memory and arithmetic commands, run by the command streamer and by a
 * second executor written for this test alone: 64-bit registers in an array, memory in an array, one
 * function, no states. Both must end with the same registers and memory. */
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_i915.h"
#include "test.h"

#define BATCH_VA 0x00100000u
#define DATA_VA  0x00200000u
#define DATA_DW  64u

static uint32_t words[4096];
static size_t len_dw;
static uint8_t batch_bytes[sizeof words], data[DATA_DW * 4];
static const gpucmd_region regions[2] = {
    {BATCH_VA, sizeof batch_bytes, batch_bytes, GPUCMD_ACCESS_READ                      },
    {DATA_VA,  sizeof data,        data,        GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE},
};
static uint64_t seed = 1;

static uint32_t rnd(uint32_t below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % below;
}

static uint32_t value(void)
{
    static const uint32_t edges[] = {0, 1, 2, 0x7fffffff, 0x80000000, 0xffffffff};
    return rnd(3) == 0 ? edges[rnd(6)] : rnd(0x7fffffff) * 2 + rnd(2);
}

static void add(uint32_t dw)
{
    words[len_dw++] = dw;
}

static uint32_t gpr(void)
{
    return 0x2600 + 4 * rnd(32);
}

static uint32_t place(uint32_t align_dw)
{
    return DATA_VA + 4 * (rnd(DATA_DW / align_dw) * align_dw);
}

/* One random command. */
static void command(void)
{
    static const uint32_t ops[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const uint32_t wide = rnd(2), back = rnd(2);
    switch (rnd(10)) {
    case 0:
        add(0x11000003);
        add(gpr());
        add(value());
        add(gpr());
        add(value());
        break;
    case 1:
        add(0x12000002);
        add(gpr());
        add(place(1));
        add(0);
        break;
    case 2:
        add(0x14800002);
        add(gpr());
        add(place(1));
        add(0);
        break;
    case 3:
        add(0x15000001);
        add(gpr());
        add(gpr());
        break;
    case 4:
        add(0x17000003);
        add(place(1));
        add(0);
        add(place(1));
        add(0);
        break;
    case 5:
        add(0x10200003);
        add(place(2));
        add(0);
        add(value());
        add(value());
        break;
    case 6: /* MI_ATOMIC inline */
        add(0x17840009 | wide << 19 | back << 16 | (ops[rnd(15)] + 0x20 * wide) << 8);
        add(place(2));
        for (int i = 0; i < 9; i++) {
            add(i == 0 ? 0 : value());
        }
        break;
    case 7: /* predicate registers, and MI_PREDICATE */
        add(0x11000005);
        add(0x2400);
        add(rnd(3));
        add(0x2408);
        add(rnd(3));
        add(0x2410);
        add(rnd(3));
        add(0x06000000 | (rnd(2) == 0 ? 2u : 3u) << 6 | rnd(4) << 3 | rnd(4));
        add(0x12200002);
        add(gpr());
        add(place(1));
        add(0); /* predicated store */
        break;
    case 8: /* MI_SET_PREDICATE round a store */
        add(0x00800000 | (rnd(2) == 0 ? 3u : 4u));
        add(0x10000002);
        add(place(1));
        add(0);
        add(value());
        add(0x00800000);
        break;
    default: { /* arithmetic */
        static const uint32_t alu[] = {0x100, 0x101, 0x102, 0x103, 0x104};
        static const uint32_t loads[] = {0x080, 0x480, 0x081, 0x481};
        const uint32_t n = rnd(4) + 1;
        add(0x0d000000 | (4 * n - 1));
        for (uint32_t i = 0; i < n; i++) {
            add(loads[rnd(4)] << 20 | 0x20 << 10 | rnd(16));
            add(loads[rnd(4)] << 20 | 0x21 << 10 | rnd(16));
            add(alu[rnd(5)] << 20);
            add((rnd(2) == 0 ? 0x180u : 0x580u) << 20 | rnd(16) << 10 | (0x31 + rnd(3)));
        }
        break;
    }
    }
}

/* ---- the other executor ---- */

static struct {
    uint64_t gpr[16], src0, src1, delta;
    uint32_t mem[DATA_DW];
    bool predicate, skip;
} n;

static void set32(uint32_t reg, uint32_t v)
{
    uint64_t *r = reg >= 0x2600   ? &n.gpr[(reg - 0x2600) / 8]
                  : reg == 0x2400 ? &n.src0
                  : reg == 0x2408 ? &n.src1
                                  : &n.delta;
    *r = reg % 8 == 4 ? (*r & 0xffffffff) | (uint64_t)v << 32 : (*r & 0xffffffff00000000) | v;
}

static uint32_t get32(uint32_t reg)
{
    return (uint32_t)(n.gpr[(reg - 0x2600) / 8] >> (reg % 8 == 4 ? 32 : 0));
}

static uint32_t *at(uint32_t va)
{
    return &n.mem[(va - DATA_VA) / 4];
}

static void naive_atomic(const uint32_t *d)
{
    const bool wide = (d[0] >> 19 & 1) != 0;
    uint32_t *m = at(d[1]);
    const uint64_t old = m[0] | (wide ? (uint64_t)m[1] << 32 : 0);
    const uint64_t a = d[3] | (wide ? (uint64_t)d[5] << 32 : 0);
    const uint64_t b = d[4] | (wide ? (uint64_t)d[6] << 32 : 0);
    const int64_t so = wide ? (int64_t)old : (int32_t)old, sa = wide ? (int64_t)a : (int32_t)a;
    const uint64_t results[16] = {0,
                                  old & a,
                                  old | a,
                                  old ^ a,
                                  a,
                                  old + 1,
                                  old - 1,
                                  old + a,
                                  old - a,
                                  a - old,
                                  so > sa ? old : a,
                                  so < sa ? old : a,
                                  old > a ? old : a,
                                  old < a ? old : a,
                                  old == a ? b : old,
                                  old - 1};
    const uint64_t v = results[d[0] >> 8 & 15];
    m[0] = (uint32_t)v;
    if (wide) {
        m[1] = (uint32_t)(v >> 32);
    }
    if ((d[0] >> 16 & 1) != 0) {
        const uint64_t back = (d[0] >> 8 & 15) == 15 ? v : old;
        n.gpr[4] = wide ? back : (n.gpr[4] & 0xffffffff00000000) | (uint32_t)back;
    }
}

static void naive_math(const uint32_t *d, uint32_t count)
{
    uint64_t a = 0, b = 0, accu = 0;
    bool zf = false, cf = false;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t op = d[i] >> 20, x = d[i] >> 10 & 1023, y = d[i] & 1023;
        if (op == 0x80 || op == 0x480 || op == 0x81 || op == 0x481) {
            const uint64_t v = op == 0x80    ? n.gpr[y]
                               : op == 0x480 ? ~n.gpr[y]
                               : op == 0x81  ? 0
                                             : ~(uint64_t)0;
            *(x == 0x20 ? &a : &b) = v;
        } else if (op >= 0x100 && op <= 0x104) {
            accu = op == 0x100   ? a + b
                   : op == 0x101 ? a - b
                   : op == 0x102 ? (a & b)
                   : op == 0x103 ? (a | b)
                                 : (a ^ b);
            cf = op == 0x100 ? ~a < b : op == 0x101 && a < b;
            zf = accu == 0;
        } else {
            const uint64_t v = y == 0x31 ? accu : (y == 0x32 ? zf : cf) ? ~(uint64_t)0 : 0;
            n.gpr[x] = op == 0x580 ? ~v : v;
        }
    }
}

static void naive(void)
{
    for (size_t i = 0; i < len_dw;) {
        const uint32_t *d = words + i;
        const uint32_t op = d[0] >> 23;
        i += op < 16 ? 1 : (d[0] & 0xff) + 2;
        if (op == 0x01) {
            n.skip = (d[0] & 15) == 3 ? !n.predicate : (d[0] & 15) == 4 && n.predicate;
        }
        if (n.skip) {
            continue;
        }
        switch (op) {
        case 0x0c: {
            const uint32_t c = d[0] & 3;
            const bool v =
                c == 0 || (c == 2 && n.src0 == n.src1) || (c == 3 && n.src0 - n.src1 == n.delta);
            const bool mixed[4] = {v, v && n.predicate, v || n.predicate, v != n.predicate};
            n.predicate = mixed[d[0] >> 3 & 3] != ((d[0] >> 6 & 3) == 3);
            break;
        }
        case 0x22:
            for (uint32_t k = 1; k <= (d[0] & 0xff) + 1; k += 2) {
                set32(d[k], d[k + 1]);
            }
            break;
        case 0x24:
            if ((d[0] >> 21 & 1) == 0 || n.predicate) {
                *at(d[2]) = get32(d[1]);
            }
            break;
        case 0x29: set32(d[1], *at(d[2])); break;
        case 0x2a: set32(d[2], get32(d[1])); break;
        case 0x2e: *at(d[1]) = *at(d[3]); break;
        case 0x20:
            *at(d[1]) = d[3];
            if ((d[0] >> 21 & 1) != 0) {
                at(d[1])[1] = d[4];
            }
            break;
        case 0x2f: naive_atomic(d); break;
        case 0x1a: naive_math(d + 1, (d[0] & 0xff) + 1); break;
        default: break;
        }
    }
}

static void program(void)
{
    gpucmd_i915_cs cs;
    gpucmd_mem mem;
    gpucmd_env env;
    uint32_t differences = 0;
    len_dw = 0;
    memset(&n, 0, sizeof n);
    memset(data, 0, sizeof data);
    for (uint32_t i = 0, count = rnd(60) + 1; i < count; i++) {
        command();
    }
    gpucmd_store_words(batch_bytes, words, len_dw, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store32(batch_bytes + 4 * len_dw, 0x05000000, GPUCMD_LITTLE_ENDIAN);
    EQUAL(gpucmd_mem_init(&mem, regions, 2), GPUCMD_OK);
    gpucmd_env_init(&env, &mem, NULL, NULL);
    EQUAL(gpucmd_i915_cs_init(&cs, GPUCMD_I915_GEN9, GPUCMD_I915_RCS, 0), GPUCMD_OK);
    EQUAL(gpucmd_i915_cs_batch(&cs, BATCH_VA, false), GPUCMD_OK);
    EQUAL(gpucmd_i915_run(&cs, &env, 100000), GPUCMD_RUN_IDLE);
    naive();
    for (uint32_t i = 0; i < 16; i++) {
        differences += gpucmd_i915_cs_read(&cs, 0x2600 + 8 * i) != (uint32_t)n.gpr[i];
        differences += gpucmd_i915_cs_read(&cs, 0x2604 + 8 * i) != (uint32_t)(n.gpr[i] >> 32);
    }
    for (uint32_t i = 0; i < DATA_DW; i++) {
        differences += gpucmd_load32(data + 4 * i, GPUCMD_LITTLE_ENDIAN) != n.mem[i];
    }
    differences += (gpucmd_i915_cs_read(&cs, 0x2418) & 1) != n.predicate;
    EQUAL(differences, 0);
}

int main(void)
{
    for (int i = 0; i < 5000; i++) {
        program();
    }
    return test_report("i915_exec_diff");
}

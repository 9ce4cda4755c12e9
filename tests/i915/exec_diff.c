/* Random programs of MI commands and PIPE_CONTROL, executed by the command
 * streamer and by a second executor in this test: one loop over an array of
 * words, memory in an array, no states. Both must end at the same address, with
 * equal registers, memory and number of commands. The programs have registers,
 * memory, arithmetic, atomics, predicates, semaphores that block until the test
 * opens them, conditional ends, chains, and calls to second and nested levels.
 * They are secure and non-secure, for every generation with MI_MATH.
 * Random rings, also with commands that move HEAD or TAIL: gpucmd_i915_cs_run ends with the engine
 * that single steps end with. */
/* suite: executor */
#include "gpucmd_i915.h"
#include "test.h"

#define BATCH_VA 0x00100000u
#define DATA_VA  0x00200000u
#define DATA_DW  64u
#define SUB_DW   3072u /* subroutine k begins at word SUB_DW + 256 * k */
#define DEPTH    0x0000001200000034u

static uint32_t words[4096];
static size_t len_dw;
static uint8_t batch_bytes[sizeof words], data[DATA_DW * 4];
static const gpucmd_region regions[2] = {
    {BATCH_VA, sizeof batch_bytes, batch_bytes, GPUCMD_ACCESS_READ                      },
    {DATA_VA,  sizeof data,        data,        GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE},
};
static uint64_t seed = 1;
static int gen; /* times ten */

static uint32_t rnd(uint32_t below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % below;
}

/* One random number in each expression: no compiler is bound to an order of more. */
static uint32_t value(void)
{
    static const uint32_t edges[] = {0, 1, 2, 0x7fffffff, 0x80000000, 0xffffffff};
    const uint32_t even = rnd(0x7fffffff) * 2;
    return rnd(3) == 0 ? edges[rnd(6)] : even | rnd(2);
}

/* ---- writing programs ---- */

static void add(uint32_t dw)
{
    words[len_dw++] = dw;
}

/* Parts of the next word, and that word. */
static uint32_t parts;

static void part(uint32_t bits)
{
    parts |= bits;
}

static void add_parts(uint32_t bits)
{
    add(parts | bits);
    parts = 0;
}

static void add_va(uint32_t va)
{
    add(va);
    if (gen >= 80) {
        add(0);
    }
}

static const uint32_t some_registers[] = {0x2400, 0x2404, 0x2408, 0x240c, 0x2410, 0x2414,
                                          0x2418, 0x241c, 0x23bc, 0x20c0, 0x2050, 0x2094};

/* RESULT_2 of gen7.5 is elsewhere. [K2] */
static uint32_t some_register(uint32_t i)
{
    return some_registers[i] == 0x23bc && gen == 75 ? 0x2214 : some_registers[i];
}

static uint32_t reg(void)
{
    return rnd(6) != 0 ? 0x2600 + 4 * rnd(32) : some_register(rnd(12));
}

static uint32_t place(uint32_t align_dw)
{
    return DATA_VA + 4 * (rnd(DATA_DW / align_dw) * align_dw);
}

/* Bit 22, sometimes, where a batch may be without privilege. */
static uint32_t global(void)
{
    return gen >= 90 && rnd(4) == 0 ? 1u << 22 : 0;
}

static void add_alu(void)
{
    static const uint32_t loads[] = {0x080, 0x480, 0x081, 0x481};
    const uint32_t n = rnd(4) + 1;
    add(0x0d000000 | (5 * n - 1));
    for (uint32_t i = 0; i < n; i++) {
        part(loads[rnd(4)] << 20 | 0x20 << 10);
        add_parts(rnd(16));
        part(loads[rnd(4)] << 20 | 0x21 << 10);
        add_parts(rnd(16));
        add((0x100 + rnd(5)) << 20);
        part((rnd(2) == 0 ? 0x180u : 0x580u) << 20);
        part(rnd(16) << 10);
        add_parts(0x31 + rnd(3));
        if (rnd(2) == 0) {
            add(0);
        } else {
            part(0x18000000 | rnd(16) << 10);
            add_parts(0x31 + rnd(3));
        }
    }
}

static void add_atomic(void)
{
    const uint32_t wide = rnd(2), back = rnd(2) << 16, op = rnd(15) + 1;
    switch (rnd(4)) {
    case 0: /* operands in registers */
        add(0x17800001 | wide << 19 | back | (op + 0x20 * wide) << 8 | global());
        add_va(place(2));
        break;
    case 1: /* 16 bytes, from registers or inline */
        if (rnd(2) == 0) {
            add(0x17904e01 | back);
            add_va(place(4));
        } else {
            const uint32_t va = place(4);
            add(0x17944e09 | back);
            add_va(va);
            for (int i = 0; i < 8; i++) {
                add(rnd(8) == 0 ? 1 : 0);
            }
        }
        break;
    default:
        add(0x17840009 | wide << 19 | back | (op + 0x20 * wide) << 8 | global());
        add_va(place(2));
        for (int i = 0; i < 8; i++) {
            add(value());
        }
        break;
    }
}

static void add_predicate(void)
{
    add(0x11000005);
    add(0x2400);
    add(rnd(3));
    add(0x2408);
    add(rnd(3));
    add(0x2410);
    add(rnd(3));
    part(0x06000000 | (rnd(4) == 0 ? 0u : rnd(2) + 2) << 6);
    part(rnd(4) << 3);
    add_parts(rnd(4));
    add(0x12200001u + (gen >= 80));
    add(reg());
    add_va(place(1));
}

static void add_pipe_control(void)
{
    const uint32_t op = rnd(4);
    const bool lri = op == 0 && rnd(2) == 0;
    add(0x7a000003u + (gen >= 80));
    part(op << 14 | (lri ? 1u << 23 : 0) | 1u << 20);
    part(rnd(8) == 0 ? 1u << 8 : 0);
    add_parts(gen >= 90 && rnd(4) == 0 ? 1u << 24 : 0);
    add_va(lri ? reg() : place(2));
    add(value());
    add(value());
}

static void add_start(uint32_t flags, uint32_t at_dw)
{
    const uint32_t user = gen >= 90 && rnd(4) == 0 ? 0x100 : 0;
    add((0x18800000u + (gen >= 80)) | flags | user);
    add_va(BATCH_VA + 4 * at_dw);
}

static void add_wait(void)
{
    if (gen < 80) {
        add(rnd(2) == 0 ? 0x0b200001 : 0x0b100001); /* write memory, or wait for it */
        add(rnd(4));
        add(place(1));
    } else if (gen >= 90 && rnd(3) == 0) {
        add(0x0e018002 | rnd(6) << 12);
        add(rnd(4));
        add_va(0x2600 + 4 * rnd(32));
    } else {
        const uint32_t token = gen >= 120 && rnd(2) == 0;
        part((0x0e008002 + token) | rnd(6) << 12);
        add_parts(global());
        add(rnd(4));
        add_va(place(1));
        if (token != 0) {
            add(0);
        }
    }
}

static void add_conditional_end(void)
{
    part((0x1b000001u + (gen >= 80)) | (rnd(8) != 0 ? 1u << 21 : 0));
    part(gen >= 90 ? rnd(2) << 19 : 0);
    part(gen >= 120 ? rnd(2) << 18 : 0);
    part(gen >= 120 ? rnd(6) << 12 : 0);
    add_parts(global());
    add(rnd(3) == 0 ? value() : 0);
    add_va(place(2));
}

static void add_set_predicate(void)
{
    static const uint32_t modes[] = {0, 0, 1, 2, 3, 4, 15, 5, 6, 7};
    add(0x00800000 | modes[rnd(gen == 75 ? 4 : gen <= 90 ? 10 : 7)]);
}

/* One random command; sub: the first subroutine that may be called. */
static void command(uint32_t sub)
{
    switch (rnd(gen >= 80 ? 18 : 15)) {
    case 0:
        add(0x11000003 | (rnd(4) == 0 ? rnd(16) << 8 : 0));
        add(reg());
        add(value());
        add(reg());
        add(value());
        break;
    case 1:
        add((0x12000001u + (gen >= 80)) | global());
        add(reg());
        add_va(place(1));
        break;
    case 2:
        add((0x14800001u + (gen >= 80)) | global());
        add(reg());
        add_va(place(1));
        break;
    case 3:
        add(0x15000001);
        add(reg());
        add(reg());
        break;
    case 4: add_predicate(); break;
    case 5: add_set_predicate(); break;
    case 6:
    case 7: add_alu(); break;
    case 8: add_pipe_control(); break;
    case 9: add_wait(); break;
    case 10:
        if (rnd(4) == 0) {
            add_conditional_end();
        }
        break;
    case 11: { /* over some words that must not be executed */
        const size_t from = len_dw;
        const uint32_t junk = rnd(4);
        const uint32_t predicated = rnd(3) == 0 ? 0x8000 : 0;
        add_start(predicated, (uint32_t)from + (gen >= 80 ? 3 : 2) + (predicated != 0 ? 0 : junk));
        for (uint32_t i = 0; i < junk && predicated == 0; i++) {
            add(0xe0000000 | value() >> 3);
        }
        break;
    }
    case 12:
        if (sub < 4) {
            const uint32_t to = SUB_DW + 256 * (sub + rnd(2));
            add_start(0x00400000 | (rnd(3) == 0 ? 0x8000 : 0), to);
        }
        break;
    case 13:
        part(rnd(2) << 22);
        add_parts(rnd(1u << 22));
        if (rnd(3) == 0) {
            add(0x01000000);
        }
        break;
    case 14:
        if (gen >= 125 && rnd(4) == 0) {
            add(0x05008000);
        }
        break;
    case 15: {
        const uint32_t n = rnd(4) + 1, qword = n == 2 ? rnd(2) << 21 : 0;
        add((0x10000001 + n) | qword | global());
        add_va(DATA_VA + 8 * rnd(30));
        for (uint32_t i = 0; i < n; i++) {
            add(value());
        }
        break;
    }
    case 16:
        part(0x17000003 | global());
        add_parts(global() >> 1);
        add_va(place(1));
        add_va(place(1));
        break;
    default: add_atomic(); break;
    }
}

static void write_program(void)
{
    for (uint32_t k = 0; k < 4; k++) {
        len_dw = SUB_DW + 256 * k;
        for (uint32_t i = 0, count = rnd(5); i < count; i++) {
            command(k < 2 ? 2 : 4);
        }
        add(0x05000000);
    }
    len_dw = 0;
    for (uint32_t i = 0, count = rnd(60) + 1; i < count; i++) {
        command(0);
    }
    add(0x05000000);
}

/* ---- the other executor ---- */

enum { ENDED, STOPPED };

static struct {
    uint64_t gpr[16], src0, src1, delta;
    uint32_t result, result1, result2, instpm, psmi, nopid, shown; /* shown: 23b8 */
    uint32_t mem[DATA_DW];
    bool skip;
    size_t pc, back[4]; /* words */
    int level;          /* 1 to 3 */
    bool user[4];
    uint64_t commands, interrupts;
    uint32_t wait_va, wait_compare, wait_value; /* why it stopped */
} n;

static unsigned seen[64], seen_skipped, seen_waits, seen_ends, seen_calls, seen_refused;

static uint64_t *wide_register(uint32_t r)
{
    return r >= 0x2600  ? &n.gpr[(r - 0x2600) / 8]
           : r < 0x2408 ? &n.src0
           : r < 0x2410 ? &n.src1
                        : &n.delta;
}

static uint32_t *narrow_register(uint32_t r)
{
    return r == 0x2418   ? &n.result
           : r == 0x241c ? &n.result1
           : r == 0x23bc ? &n.result2
           : r == 0x2214 ? &n.result2
           : r == 0x20c0 ? &n.instpm
           : r == 0x2050 ? &n.psmi
                         : &n.nopid;
}

static bool is_wide(uint32_t r)
{
    return r >= 0x2600 || (r >= 0x2400 && r < 0x2418);
}

static uint32_t get32(uint32_t r)
{
    return is_wide(r) ? (uint32_t)(*wide_register(r) >> (r % 8 == 4 ? 32 : 0))
                      : *narrow_register(r);
}

static void set32(uint32_t r, uint32_t v)
{
    if (n.user[n.level] && r == 0x2050) {
        seen_refused++;
        return;
    }
    if (is_wide(r)) {
        uint64_t *w64 = wide_register(r);
        *w64 =
            r % 8 == 4 ? (*w64 & 0xffffffff) | (uint64_t)v << 32 : (*w64 & 0xffffffff00000000) | v;
    } else if (r == 0x20c0 || r == 0x2050) { /* bits 31:16 choose among bits 15:0 */
        for (uint32_t b = 0; b < 16; b++) {
            if ((v >> (16 + b) & 1) != 0) {
                *narrow_register(r) = (*narrow_register(r) & ~(1u << b)) | (v & 1u << b);
            }
        }
    } else {
        *narrow_register(r) = v;
    }
}

static uint32_t *at(uint32_t va)
{
    return &n.mem[(va - DATA_VA) / 4];
}

static void put64(uint32_t va, uint64_t v)
{
    at(va)[0] = (uint32_t)v;
    at(va)[1] = (uint32_t)(v >> 32);
}

static uint64_t join(uint32_t low, uint32_t high)
{
    return low | (uint64_t)high << 32;
}

static void naive_atomic16(const uint32_t *d)
{
    uint32_t *m = at(d[1]);
    uint32_t want[4], new[4], old[4];
    bool same = true;
    for (uint32_t i = 0; i < 4; i++) {
        const bool imm = (d[0] >> 18 & 1) != 0;
        want[i] = imm ? d[3 + 2 * i] : (uint32_t)(n.gpr[i / 2] >> (i % 2 * 32));
        new[i] = imm ? d[4 + 2 * i] : (uint32_t)(n.gpr[2 + i / 2] >> (i % 2 * 32));
        old[i] = m[i];
        same = same && want[i] == m[i];
    }
    for (uint32_t i = 0; i < 4 && same; i++) {
        m[i] = new[i];
    }
    if ((d[0] >> 16 & 1) != 0) {
        n.gpr[4] = join(old[0], old[1]);
        n.gpr[5] = join(old[2], old[3]);
    }
}

static void naive_atomic(const uint32_t *d)
{
    const bool wide = (d[0] >> 19 & 1) != 0, imm = (d[0] >> 18 & 1) != 0;
    uint32_t *m = at(d[1]);
    const uint64_t old = join(m[0], wide ? m[1] : 0);
    const uint64_t a = imm ? join(d[3], wide ? d[5] : 0) : wide ? n.gpr[0] : (uint32_t)n.gpr[0];
    const uint64_t b = imm ? join(d[4], wide ? d[6] : 0) : wide ? n.gpr[2] : (uint32_t)n.gpr[2];
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
        } else if (op != 0) {
            const uint64_t v = y == 0x20               ? a
                               : y == 0x21             ? b
                               : y == 0x31             ? accu
                               : (y == 0x32 ? zf : cf) ? ~(uint64_t)0
                                                       : 0;
            n.gpr[x] = op == 0x580 ? ~v : v;
        }
    }
}

static bool holds(uint32_t compare, uint32_t a, uint32_t b)
{
    const bool results[6] = {a > b, a >= b, a < b, a <= b, a == b, a != b};
    return results[compare];
}

static void naive_set_predicate(uint32_t mode)
{
    const bool r = (n.result & 1) != 0, r2 = (n.result2 & 1) != 0;
    const bool results[16] = {false, !r2, r2, !r, r, false, true, true, 0, 0, 0, 0, 0, 0, 0, true};
    n.skip = results[mode]; /* 5: the part has one slice */
    if (gen >= 120) {
        n.shown = n.skip;
    }
}

static void naive_predicate(uint32_t dw)
{
    const uint32_t c = dw & 3;
    const bool old = (n.result & 1) != 0;
    const bool v = c == 0 || (c == 2 && n.src0 == n.src1) || (c == 3 && n.src0 - n.src1 == n.delta);
    const bool mixed[4] = {v, v && old, v || old, v != old};
    n.delta = c == 2 ? n.src0 - n.src1 : n.delta;
    if ((dw >> 6 & 3) != 0) {
        n.result = mixed[dw >> 3 & 3] != ((dw >> 6 & 3) == 3);
    }
}

static void naive_pipe_control(const uint32_t *d)
{
    const uint32_t *imm = d + (gen >= 80 ? 4 : 3);
    const bool refused = n.user[n.level] && (d[1] >> 24 & 1) != 0;
    const uint32_t op = d[1] >> 14 & 3;
    if (op == 0 && (d[1] >> 23 & 1) != 0) {
        set32(d[2], imm[0]);
    } else if (op != 0 && refused) {
        seen_refused++;
    } else if (op != 0) {
        put64(d[2], op == 1 ? join(imm[0], imm[1]) : op == 2 ? DEPTH : n.commands);
    }
    n.interrupts += d[1] >> 8 & 1;
}

/* A semaphore; false: it is closed. */
static bool naive_wait(uint32_t va, bool in_register, uint32_t compare, uint32_t v)
{
    n.wait_va = va;
    n.wait_compare = compare;
    n.wait_value = v;
    return holds(compare, in_register ? get32(va) : *at(va), v);
}

/* One level up, or out of the batch. */
static bool naive_end(bool all)
{
    if (all || n.level == 1) {
        return false;
    }
    n.level--;
    n.pc = n.back[n.level];
    return true;
}

static bool naive_start(const uint32_t *d, size_t next)
{
    const bool off =
        (d[0] >> 15 & 1) != 0 && (gen >= 125 ? (n.shown & 1) != 0 : (n.result1 & 1) == 0);
    const bool user = n.user[n.level] || (gen >= 80 && (d[0] >> 8 & 1) != 0);
    if (off) {
        return true;
    }
    if ((d[0] >> 22 & 1) != 0) {
        seen_calls++;
        if (gen >= 125 || n.level == 1) {
            n.back[n.level] = next;
            n.level++;
        }
    }
    n.user[n.level] = user;
    n.pc = (d[1] - BATCH_VA) / 4;
    return true;
}

static bool refused(uint32_t bits)
{
    const bool no = n.user[n.level] && bits != 0;
    seen_refused += no;
    return no;
}

/* One command; false: the end, or stopped with n.pc at the command. */
static bool naive_command(const uint32_t *d, size_t next)
{
    const uint32_t op = d[0] >> 23, bit22 = d[0] >> 22 & 1;
    n.pc = next;
    if (n.skip && op != 0x00 && op != 0x01 && op != 0x0a &&
        !(op == 0x31 && (d[0] >> 15 & 1) == 0)) {
        seen_skipped++;
        return true;
    }
    seen[op < 64 ? op : 63]++;
    switch (op) {
    case 0x00:
        if (bit22 != 0) {
            n.nopid = d[0] & 0x3fffff;
        }
        return true;
    case 0x01: naive_set_predicate(d[0] & 15); return true;
    case 0x02: n.interrupts++; return true;
    case 0x0a:
        return (gen >= 125 && (d[0] >> 15 & 1) != 0 && (n.shown & 1) != 0) || naive_end(false);
    case 0x0c: naive_predicate(d[0]); return true;
    case 0x16:
        if ((d[0] >> 21 & 1) != 0) {
            *at(d[2]) = d[1];
            return true;
        }
        return naive_wait(d[2], false, 0, d[1]);
    case 0x1a: naive_math(d + 1, (d[0] & 0xff) + 1); return true;
    case 0x1c: return naive_wait(d[2], (d[0] >> 16 & 1) != 0, d[0] >> 12 & 7, d[1]);
    case 0x20:
        if (!refused(bit22)) {
            memcpy(at(d[1]), d + 3, 4 * ((d[0] & 0x3ff) - 1));
        }
        return true;
    case 0x22:
        for (uint32_t k = 1; k <= (d[0] & 0xff) + 1; k += 2) {
            uint32_t v = 0;
            for (uint32_t b = 0; b < 4; b++) {
                v |= ((d[0] >> (8 + b) & 1) != 0 ? get32(d[k]) : d[k + 1]) & 0xffu << 8 * b;
            }
            set32(d[k], v);
        }
        return true;
    case 0x24:
        if (((d[0] >> 21 & 1) == 0 || (n.result & 1) != 0) && !refused(bit22)) {
            *at(d[2]) = get32(d[1]);
        }
        return true;
    case 0x29:
        if (!refused(bit22)) {
            set32(d[1], *at(d[2]));
        }
        return true;
    case 0x2a: set32(d[2], get32(d[1])); return true;
    case 0x2e:
        if (!refused(d[0] >> 21 & 3)) {
            *at(d[1]) = *at(d[3]);
        }
        return true;
    case 0x2f: (d[0] >> 20 & 1) != 0 ? naive_atomic16(d) : naive_atomic(d); return true;
    case 0x31: return naive_start(d, next);
    case 0x36: {
        const uint32_t compare = gen >= 120 ? d[0] >> 12 & 7 : 0;
        const bool mask = gen >= 90 && (d[0] >> 19 & 1) != 0;
        const uint32_t v = mask ? at(d[2])[0] & at(d[2])[1] : *at(d[2]);
        if ((d[0] >> 21 & 1) == 0 || refused(bit22) || holds(compare, v, d[1])) {
            return true;
        }
        seen_ends++;
        return naive_end(gen < 120 || (d[0] >> 18 & 1) == 0);
    }
    default:
        if (d[0] >> 16 == 0x7a00) {
            naive_pipe_control(d);
        }
        return true;
    }
}

/* Until the end, or a closed semaphore. */
static int naive(void)
{
    for (;;) {
        const size_t pc = n.pc;
        const uint32_t *d = words + pc;
        const uint32_t op = d[0] >> 23;
        const bool is_wait = (op == 0x1c || op == 0x16) && !n.skip;
        const size_t length =
            d[0] >> 29 == 0 && op < 16 ? 1 : (d[0] & (op == 0x20 ? 0x3ff : 0xff)) + 2;
        if (!naive_command(d, pc + length)) {
            if (is_wait) {
                n.pc = pc;
                seen_waits++;
                return STOPPED;
            }
            n.commands++;
            return ENDED;
        }
        n.commands++;
    }
}

/* ---- both ---- */

/* A value for which the semaphore opens. */
static uint32_t opener(void)
{
    static const int32_t step[6] = {1, 0, -1, 0, 0, 1};
    return n.wait_value + (uint32_t)step[n.wait_compare];
}

static void program(bool secure)
{
    gpucmd_i915_cs cs;
    gpucmd_mem mem;
    gpucmd_env env;
    uint32_t differences = 0, opened = 0;
    const uint64_t began = seed;
    memset(words, 0xff, sizeof words);
    memset(&n, 0, sizeof n);
    memset(data, 0, sizeof data);
    write_program();
    n.level = 1;
    n.user[1] = !secure;
    gpucmd_store_words(batch_bytes, words, sizeof words / 4, GPUCMD_LITTLE_ENDIAN);
    EQUAL(gpucmd_mem_init(&mem, regions, 2), GPUCMD_OK);
    gpucmd_env_init(&env, &mem, NULL, NULL);
    EQUAL(gpucmd_i915_cs_init(&cs, (gpucmd_i915_gen)gen, GPUCMD_I915_RCS, 0), GPUCMD_OK);
    gpucmd_i915_cs_write(&cs, 0x2350, (uint32_t)DEPTH);
    gpucmd_i915_cs_write(&cs, 0x2354, (uint32_t)(DEPTH >> 32));
    EQUAL(gpucmd_i915_cs_batch(&cs, BATCH_VA, secure), GPUCMD_OK);
    for (;;) {
        const int end = naive();
        const gpucmd_run run = gpucmd_i915_cs_run(&cs, &env, 100000);
        EQUAL(run, end == ENDED ? GPUCMD_RUN_IDLE : GPUCMD_RUN_BLOCKED);
        if (end == ENDED || run != GPUCMD_RUN_BLOCKED || opened++ > 1000) {
            break;
        }
        EQUAL(cs.acthd, BATCH_VA + 4 * n.pc);
        if (n.wait_va < DATA_VA) {
            const bool user = n.user[n.level];
            n.user[n.level] = false;
            set32(n.wait_va, opener());
            n.user[n.level] = user;
            gpucmd_i915_cs_write(&cs, n.wait_va, opener());
        } else {
            *at(n.wait_va) = opener();
            gpucmd_store32(data + (n.wait_va - DATA_VA), opener(), GPUCMD_LITTLE_ENDIAN);
        }
    }
    for (uint32_t r = 0x2600; r < 0x2680; r += 4) {
        differences += gpucmd_i915_cs_read(&cs, r) != get32(r);
    }
    for (uint32_t i = 0; i < 12; i++) {
        differences += gpucmd_i915_cs_read(&cs, some_register(i)) != get32(some_register(i));
    }
    for (uint32_t i = 0; i < DATA_DW; i++) {
        differences += gpucmd_load32(data + 4 * i, GPUCMD_LITTLE_ENDIAN) != n.mem[i];
    }
    differences += cs.interrupts != n.interrupts;
    differences += cs.commands != n.commands;
    if (!EQUAL(differences, 0)) {
        printf("    gen %d, seed %llu, %s, error %s\n", gen, (unsigned long long)began,
               secure ? "secure" : "user", gpucmd_i915_error_name(cs.error));
    }
}

/* Fill the ring with random commands from word at on. Return the position of the next word; less
 * than 8 words before the end NOOPs follow. */
static uint32_t ring_command(uint32_t *ring, uint32_t at, uint32_t ring_dw, uint32_t base)
{
    static const uint32_t singles[] = {0x00000000, 0x00400005, 0x02000000, 0x02800000,
                                       0x04000001, 0x04000000, 0x00000000};
    const uint32_t what = rnd(12);
    if (what < 7 || ring_dw - at < 8) {
        ring[at] = singles[ring_dw - at < 8 ? 0 : what];
        return at + 1;
    }
    if (what < 10) { /* a batch, or its second level */
        ring[at] = gen >= 80 ? 0x18800001 : 0x18800000;
        ring[at + 1] = BATCH_VA + (rnd(2) != 0 ? 0 : 64);
        ring[at + 2] = 0;
        return at + (gen >= 80 ? 3 : 2);
    }
    ring[at] = 0x11000001; /* a general register; HEAD, over NOOPs; or TAIL, up to the end */
    ring[at + 1] = base + (what == 10 ? 0x600 : rnd(2) != 0 ? 0x34 : 0x30);
    ring[at + 2] = ring[at + 1] == base + 0x34   ? 4 * at + 8
                   : ring[at + 1] == base + 0x30 ? 4 * ((at + 8) & ~1u)
                                                 : value();
    return at + 3 + (what == 11 ? 2 : 0);
}

static void rings(void)
{
    static uint32_t ring[1024];
    const bool low = rnd(2) != 0; /* the addresses of the ring are its offsets */
    const gpucmd_region seen_by[3] = {
        {0,        sizeof ring, ring,        GPUCMD_ACCESS_READ},
        {BATCH_VA, 256,         batch_bytes, GPUCMD_ACCESS_READ},
        {DATA_VA,  sizeof ring, ring,        GPUCMD_ACCESS_READ},
    };
    static const uint32_t batch[] = {0, 0x02800000, 0x05000000};
    gpucmd_i915_cs run, step;
    gpucmd_mem mem;
    gpucmd_env env;
    uint32_t end_dw = 0;
    memset(ring, 0, sizeof ring);
    for (size_t i = 0; i < 256; i += 64) {
        memset(batch_bytes + i, 0, 64);
        for (uint32_t k = 0; k < 3; k++) {
            gpucmd_store32(batch_bytes + i + 4 * k, batch[k], GPUCMD_LITTLE_ENDIAN);
        }
    }
    EQUAL(gpucmd_mem_init(&mem, seen_by + (low ? 0 : 1), 2), GPUCMD_OK);
    gpucmd_env_init(&env, &mem, NULL, NULL);
    EQUAL(gpucmd_i915_cs_init(&run, (gpucmd_i915_gen)gen, GPUCMD_I915_RCS, 0), GPUCMD_OK);
    while (end_dw < 1024) {
        end_dw = ring_command(ring, end_dw, 1024, run.base);
    }
    for (uint32_t i = 0; i < 1024; i++) {
        gpucmd_store32((uint8_t *)&ring[i], ring[i], GPUCMD_LITTLE_ENDIAN);
    }
    run.start = low ? 0 : DATA_VA;
    run.ctl = 1;
    gpucmd_i915_cs_reset(&run, 0);
    run.tail = 8 * rnd(512);
    step = run;
    for (uint32_t i = 0; i < 40; i++) {
        gpucmd_run last;
        const uint64_t budget = rnd(2) != 0 ? 1 + rnd(20) : 5000;
        const uint64_t end = step.units + budget;
        const gpucmd_run result = gpucmd_i915_cs_run(&run, &env, budget);
        do {
            last = gpucmd_i915_cs_step(&step, &env);
        } while (last == GPUCMD_RUN_DONE &&
                 (result != GPUCMD_RUN_LIMIT || step.units < end || step.state != run.state));
        EQUAL(last, result == GPUCMD_RUN_LIMIT ? GPUCMD_RUN_DONE : result);
        CHECK(memcmp(&run, &step, sizeof run) == 0);
        if (result == GPUCMD_RUN_FAULT || (result == GPUCMD_RUN_IDLE && rnd(3) == 0)) {
            break;
        }
        run.tail = step.tail = result == GPUCMD_RUN_IDLE ? 8 * rnd(512) : run.tail;
    }
}

int main(void)
{
    static const int gens[] = {75, 80, 90, 110, 120, 125};
    static const uint32_t wanted[] = {0x00, 0x01, 0x02, 0x0a, 0x0c, 0x16, 0x1a, 0x1c, 0x20,
                                      0x22, 0x24, 0x29, 0x2a, 0x2e, 0x2f, 0x31, 0x36, 63};
    for (int i = 0; i < 12000; i++) {
        gen = gens[i % 6];
        program(gen < 90 || rnd(2) == 0);
    }
    for (int i = 0; i < 3000; i++) {
        static const int ring_gens[] = {20, 30, 40, 60, 75, 90, 125};
        gen = ring_gens[i % 7];
        rings();
    }
    for (size_t i = 0; i < sizeof wanted / 4; i++) { /* none of it was left out */
        CHECK(seen[wanted[i]] > 500);
    }
    CHECK(seen_skipped > 500 && seen_waits > 500 && seen_ends > 500 && seen_calls > 500 &&
          seen_refused > 500);
    return test_report("i915_exec_diff");
}

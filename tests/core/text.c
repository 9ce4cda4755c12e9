/* core/text.c - gpucmd_text: appended text, dropped characters and counts at every capacity. */
#include "gpucmd.h"
#include "test.h"

#define GUARD_BYTE 0x7e

static char buf[300];
static gpucmd_text t;

/* Start t in a buffer of buf_bytes bytes between guards. */
static void start(size_t buf_bytes)
{
    memset(buf, GUARD_BYTE, sizeof buf);
    gpucmd_text_init(&t, buf + 1, buf_bytes);
}

/* Expect the characters of want that fit, a terminator, unchanged guards, and correct counts. */
static void holds(const char *want, size_t buf_bytes, int line)
{
    const size_t need_bytes = strlen(want);
    const size_t len_bytes = buf_bytes == 0               ? 0
                             : need_bytes < buf_bytes - 1 ? need_bytes
                                                          : buf_bytes - 1;
    test_equal(t.len_bytes, len_bytes, __FILE__, line, "len_bytes");
    test_equal(t.need_bytes, need_bytes, __FILE__, line, "need_bytes");
    test_equal(gpucmd_text_finish(&t), len_bytes == need_bytes ? GPUCMD_OK : GPUCMD_FULL, __FILE__,
               line, "finish");
    test_check(memcmp(buf + 1, want, len_bytes) == 0, __FILE__, line, want);
    test_equal((unsigned char)buf[0], GUARD_BYTE, __FILE__, line, "byte before");
    if (buf_bytes != 0) {
        test_equal((unsigned char)buf[1 + len_bytes], 0, __FILE__, line, "terminator");
    }
    for (size_t i = buf_bytes == 0 ? 1 : 2 + len_bytes; i < sizeof buf; i++) {
        test_equal((unsigned char)buf[i], GUARD_BYTE, __FILE__, line, "byte after");
    }
}

/* Expect calls with &t to append this text, and in every smaller buffer the part that fits. */
#define GIVES(want, ...)                                                                           \
    do {                                                                                           \
        for (size_t cap_ = 0; cap_ <= sizeof want + 1; cap_++) {                                   \
            start(cap_);                                                                           \
            __VA_ARGS__;                                                                           \
            holds(want, cap_, __LINE__);                                                           \
        }                                                                                          \
    } while (0)

static void empty(void)
{
    GIVES("", (void)t);
    GIVES("", gpucmd_text_str(&t, ""));
    /* "buf may be NULL if buf_bytes is 0": all characters are counted */
    gpucmd_text_init(&t, NULL, 0);
    EQUAL(gpucmd_text_finish(&t), GPUCMD_OK);
    gpucmd_text_str(&t, "abc");
    gpucmd_text_dec(&t, 12);
    EQUAL(t.len_bytes, 0);
    EQUAL(t.need_bytes, 5);
    EQUAL(gpucmd_text_finish(&t), GPUCMD_FULL);
}

static void characters(void)
{
    GIVES("x", gpucmd_text_char(&t, 'x'));
    GIVES("hello, world\n", gpucmd_text_str(&t, "hello, world\n"));
    GIVES("abcdef", {
        gpucmd_text_str(&t, "ab");
        gpucmd_text_char(&t, 'c');
        gpucmd_text_str(&t, "def");
    });
}

static void hex(void)
{
    /* "lower-case hexadecimal, at least digits digits (1..16), without a prefix" */
    GIVES("0", gpucmd_text_hex(&t, 0, 1));
    GIVES("00000000", gpucmd_text_hex(&t, 0, 8));
    GIVES("f", gpucmd_text_hex(&t, 15, 1));
    GIVES("10", gpucmd_text_hex(&t, 16, 1));
    GIVES("0010", gpucmd_text_hex(&t, 16, 4));
    GIVES("12345", gpucmd_text_hex(&t, 0x12345, 4));
    GIVES("deadbeef", gpucmd_text_hex(&t, 0xdeadbeef, 8));
    GIVES("fedcba9876543210", gpucmd_text_hex(&t, 0xfedcba9876543210ull, 1));
    GIVES("0000000000000001", gpucmd_text_hex(&t, 1, 16));
    GIVES("ffffffffffffffff", gpucmd_text_hex(&t, 0xffffffffffffffffull, 16));
    for (unsigned digits = 1; digits <= 16; digits++) {
        char want[20];
        (void)snprintf(want, sizeof want, "%0*x", (int)digits, 0xa5u);
        start(20);
        gpucmd_text_hex(&t, 0xa5, digits);
        holds(want, 20, __LINE__);
    }
}

static void dec(void)
{
    GIVES("0", gpucmd_text_dec(&t, 0));
    GIVES("9", gpucmd_text_dec(&t, 9));
    GIVES("10", gpucmd_text_dec(&t, 10));
    GIVES("4294967295", gpucmd_text_dec(&t, 4294967295u));
    GIVES("4294967296", gpucmd_text_dec(&t, 4294967296ull));
    GIVES("18446744073709551615", gpucmd_text_dec(&t, 18446744073709551615ull));
    /* numbers near every power of ten, then numbers of every length in bits */
    uint64_t power = 1;
    for (int i = 0; i < 20; i++, power *= 10) {
        for (uint64_t v = power - 1; v <= power + 1; v++) {
            char want[24];
            (void)snprintf(want, sizeof want, "%llu", (unsigned long long)v);
            start(24);
            gpucmd_text_dec(&t, v);
            holds(want, 24, __LINE__);
        }
    }
    for (int i = 0; i < 64; i++) {
        char want[24];
        const uint64_t v = ((uint64_t)1 << i) * 0x9e3779b97f4a7c15ull;
        (void)snprintf(want, sizeof want, "%llu", (unsigned long long)v);
        start(24);
        gpucmd_text_dec(&t, v);
        holds(want, 24, __LINE__);
    }
}

static void pad(void)
{
    /* "spaces up to column column_bytes of the line, counted from 0" */
    GIVES("", gpucmd_text_pad(&t, 0));
    GIVES("    ", gpucmd_text_pad(&t, 4));
    GIVES("ab  cd", {
        gpucmd_text_str(&t, "ab");
        gpucmd_text_pad(&t, 4);
        gpucmd_text_str(&t, "cd");
    });
    GIVES("first\nab  cd", {
        gpucmd_text_str(&t, "first\nab");
        gpucmd_text_pad(&t, 4);
        gpucmd_text_str(&t, "cd");
    });
    GIVES("first\n  ab\n   c", {
        gpucmd_text_str(&t, "first\n");
        gpucmd_text_pad(&t, 2);
        gpucmd_text_str(&t, "ab\n");
        gpucmd_text_pad(&t, 3);
        gpucmd_text_char(&t, 'c');
    });
    /* "none if the line is already that long" */
    GIVES("abcd!", {
        gpucmd_text_str(&t, "abcd");
        gpucmd_text_pad(&t, 4);
        gpucmd_text_pad(&t, 3);
        gpucmd_text_pad(&t, 0);
        gpucmd_text_char(&t, '!');
    });
}

static void nothing_after_a_gap(void)
{
    /* "Characters that do not fit are dropped": after a dropped character, no later one is
     * stored */
    start(4);
    gpucmd_text_str(&t, "ab");
    gpucmd_text_str(&t, "cdef");
    gpucmd_text_str(&t, "g");
    holds("abcdefg", 4, __LINE__);
    start(3);
    gpucmd_text_dec(&t, 123456);
    gpucmd_text_char(&t, 'x');
    gpucmd_text_hex(&t, 1, 1);
    holds("123456x1", 3, __LINE__);
}

/* "kind, unit, position, the register, name and address that the kind has, and the text" */
static void why(void)
{
    gpucmd_why y = {.unit = 3,
                    .unit_number = 3,
                    .at_va = 0x1000,
                    .reg = "",
                    .name = "",
                    .text = "no work is left"};
    const gpucmd_why zero = {0};
    /* "A text that is NULL is left out." */
    GIVES("IDLE unit 0 at 0x0: \n", gpucmd_print_why(&t, &zero));
    GIVES("IDLE unit 3 at 0x1000: no work is left\n", gpucmd_print_why(&t, &y));
    y.kind = GPUCMD_WHY_ERROR;
    y.reg = "INTR_0";
    y.bits = 0x40000;
    y.name = "PBENTRY";
    y.text = "no such command";
    GIVES("ERROR unit 3 at 0x1000: INTR_0 0x00040000 PBENTRY: no such command\n",
          gpucmd_print_why(&t, &y));
    y.kind = GPUCMD_WHY_WAIT;
    y.reg = "";
    y.name = "ACQUIRE";
    y.va = 0x2004;
    y.value = 0x15;
    y.text = "waits for memory";
    GIVES("WAIT unit 3 at 0x1000: ACQUIRE 0x15 at 0x2004: waits for memory\n",
          gpucmd_print_why(&t, &y));
    y.kind = GPUCMD_WHY_MEMORY;
    y.status = GPUCMD_FAULT;
    y.name = "";
    y.text = "memory cannot be accessed";
    GIVES("MEMORY unit 3 at 0x1000: 0x2004: memory cannot be accessed\n", gpucmd_print_why(&t, &y));
    y.kind = GPUCMD_WHY_CALLBACK;
    y.name = "UNSUPPORTED";
    y.text = "a callback returned this status";
    GIVES("CALLBACK unit 3 at 0x1000: UNSUPPORTED: a callback returned this status\n",
          gpucmd_print_why(&t, &y));
    y.kind = GPUCMD_WHY_REFUSED;
    y.reg = "VM_BIND";
    y.value = 0x10;
    y.name = "EINVAL";
    y.text = "flags are unknown";
    GIVES("REFUSED unit 3: VM_BIND 0x10 EINVAL: flags are unknown\n", gpucmd_print_why(&t, &y));
    y.reg = ""; /* no register: no value */
    GIVES("REFUSED unit 3: EINVAL: flags are unknown\n", gpucmd_print_why(&t, &y));
    y.reg = NULL;
    GIVES("REFUSED unit 3: EINVAL: flags are unknown\n", gpucmd_print_why(&t, &y));
    /* a wait without a name counts what is missing; a register says who asked for it */
    y.kind = GPUCMD_WHY_WAIT;
    y.name = "";
    y.va = 0x100;
    y.value = 3;
    y.bits = 2;
    y.text = "data words are missing";
    GIVES("WAIT unit 3 at 0x1000: 3 data words are missing\n", gpucmd_print_why(&t, &y));
    y.reg = "";
    GIVES("WAIT unit 3 at 0x1000: 3 data words are missing\n", gpucmd_print_why(&t, &y));
    y.reg = "INC";
    GIVES("WAIT unit 3 at 0x1000: 3 data words are missing, from INC 0x100 of subchannel 2\n",
          gpucmd_print_why(&t, &y));
    y.value = 0;
    GIVES("WAIT unit 3 at 0x1000: data words are missing, from INC 0x100 of subchannel 2\n",
          gpucmd_print_why(&t, &y));
    y.reg = "";
    y.kind = GPUCMD_WHY_CALLBACK;
    y.name = "UNSUPPORTED";
    y.text = "a callback returned this status";
    /* the number of the text is unit_number, not unit */
    y.unit_name = "rcs";
    y.unit_number = 0;
    GIVES("CALLBACK rcs0 at 0x1000: UNSUPPORTED: a callback returned this status\n",
          gpucmd_print_why(&t, &y));
    y.unit_name = "channel ";
    y.unit_number = 12;
    GIVES("CALLBACK channel 12 at 0x1000: UNSUPPORTED: a callback returned this status\n",
          gpucmd_print_why(&t, &y));
    EQUAL(strcmp(gpucmd_why_name(GPUCMD_WHY_LIVELOCK), "LIVELOCK"), 0);
    EQUAL(strcmp(gpucmd_why_name((gpucmd_why_kind)99), "?"), 0);
}

int main(void)
{
    empty();
    characters();
    hex();
    dec();
    pad();
    nothing_after_a_gap();
    why();
    return test_report("core_text");
}

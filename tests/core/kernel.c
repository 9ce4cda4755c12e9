/* core/kernel.c - the helpers for model kernels: layouts of structures, memory of a process, nodes,
 * names of rows. */
/* suite: regions */
#include "gpucmd.h"
#include "test.h"

/* clang-format off */
#define STRUCTS(S, F, A, U, E)                                                                     \
    S( t_pair ) F( u32, lo, 0 ) F( u32, hi, 4 ) E( t_pair, 8 )                                     \
    S( t_outer ) F( u16, kind, 0 ) F( s16, delta, 2 ) F( u8, flag, 4 ) A( u8, pad, 3, 5 )          \
        F( t_pair, one, 8 ) A( t_pair, many, 2, 16 ) F( u64, va, 32 )                              \
        U( union { ) F( u32, fd, 40 ) U( int32_t error; }; ) A( u16, tail, 2, 44 ) E( t_outer, 48 )
#define MORE(S, F, A, U, E)                                                                        \
    S( t_deep ) F( t_outer, outer, 0 ) E( t_deep, 48 )                                             \
    S( t_four ) F( t_deep, deep, 0 ) E( t_four, 48 )                                               \
    S( t_five ) F( t_four, four, 0 ) F( u32, z, 48 ) F( u32, w, 52 ) E( t_five, 56 )               \
    S( t_odd ) F( t_pair, pair, 0 ) U( union { uint32_t a; int32_t b; } x; ) F( u32, z, 12 )       \
        E( t_odd, 16 )
/* clang-format on */

GPUCMD_LAYOUT_STRUCTS(STRUCTS)
GPUCMD_LAYOUT_STRUCTS(MORE)
GPUCMD_LAYOUT_STORES(STRUCTS)
GPUCMD_LAYOUT_STORES(MORE)
GPUCMD_LAYOUT_ASSERTS(STRUCTS)
GPUCMD_LAYOUT_ASSERTS(MORE)
enum { GPUCMD_LAYOUT_IDS(STRUCTS) GPUCMD_LAYOUT_IDS(MORE) };

static const char *layout(uint32_t index)
{
    switch (index) {
        GPUCMD_LAYOUT_TEXTS(STRUCTS)
        GPUCMD_LAYOUT_TEXTS(MORE)
    default: return NULL;
    }
}

/* t_outer as big-endian bytes and as little-endian bytes, written by hand. */
static const uint8_t big[48] = {
    0x12, 0x34, 0xff, 0xfe, 0x56, 1,    2,    3,    /* kind, delta, flag, pad */
    0,    0,    0,    7,    0,    0,    0,    8,    /* one */
    0,    0,    0,    0,    0x11, 0x22, 0x33, 0x44, /* many[0] */
    0,    0,    0,    9,    0,    0,    0,    0,    /* many[1] */
    1,    2,    3,    4,    5,    6,    7,    8,    /* va */
    0xff, 0xff, 0xff, 0xf3, 0,    0,    0xab, 0xcd, /* fd, tail */
};
static const uint8_t little[48] = {
    0x34, 0x12, 0xfe, 0xff, 0x56, 1,    2,    3,    7,    0,    0,    0,    8, 0, 0,    0,
    0,    0,    0,    0,    0x44, 0x33, 0x22, 0x11, 9,    0,    0,    0,    0, 0, 0,    0,
    8,    7,    6,    5,    4,    3,    2,    1,    0xf3, 0xff, 0xff, 0xff, 0, 0, 0xcd, 0xab,
};

static void layouts(void)
{
    struct gpucmd_t_outer o;
    uint8_t bytes[48];
    EQUAL(GPUCMD_STRUCT_t_outer, 1);
    EQUAL(GPUCMD_STRUCT_t_deep, 2);
    EQUAL(gpucmd_layout_bytes(layout, GPUCMD_STRUCT_t_pair), 8);
    EQUAL(gpucmd_layout_bytes(layout, GPUCMD_STRUCT_t_outer), 48);
    EQUAL(gpucmd_layout_bytes(layout, 6), 0);
    CHECK(strcmp(gpucmd_layout_name(layout, GPUCMD_STRUCT_t_odd), "t_odd") == 0);
    CHECK(strcmp(gpucmd_layout_name(layout, 6), "?") == 0);
    gpucmd_layout_convert(layout, GPUCMD_STRUCT_t_outer, &o, big, GPUCMD_BIG_ENDIAN);
    EQUAL(o.kind, 0x1234);
    EQUAL(o.delta, -2);
    EQUAL(o.pad[2], 3);
    EQUAL(o.one.hi, 8);
    EQUAL(o.many[0].hi, 0x11223344);
    EQUAL(o.many[1].lo, 9);
    EQUAL(o.va, 0x0102030405060708);
    EQUAL(o.error, -13);
    EQUAL(o.tail[1], 0xabcd);
    GPUCMD_LAYOUT_STORE(t_outer, bytes, &o);
    CHECK(memcmp(bytes, little, 48) == 0);
    memset(bytes, 0, sizeof bytes);
    gpucmd_layout_convert(layout, GPUCMD_STRUCT_t_outer, bytes, &o, GPUCMD_LITTLE_ENDIAN);
    CHECK(memcmp(bytes, little, 48) == 0);
    gpucmd_layout_convert(layout, GPUCMD_STRUCT_t_deep, bytes, &o, GPUCMD_BIG_ENDIAN);
    CHECK(memcmp(bytes, big, 48) == 0);
    gpucmd_layout_convert(layout, GPUCMD_STRUCT_t_outer, &o, &o, GPUCMD_BIG_ENDIAN);
    CHECK(memcmp(&o, big, 48) == 0);
}

static void prints(void)
{
    static const uint8_t odd[16] = {0, 0, 0, 0, 5, 0, 0, 0, 1, 2, 3, 4, 6};
    uint8_t five[56] = {[51] = 7};
    char buf[512];
    gpucmd_text t;
    gpucmd_text_init(&t, buf, sizeof buf);
    gpucmd_layout_print(&t, layout, GPUCMD_STRUCT_t_deep, big, GPUCMD_BIG_ENDIAN, 2);
    CHECK(strcmp(buf, "  outer.kind               0x1234\n"
                      "  outer.delta              0xfffe\n"
                      "  outer.flag               0x56\n"
                      "  outer.pad[0]             0x1\n"
                      "  outer.pad[1]             0x2\n"
                      "  outer.pad[2]             0x3\n"
                      "  outer.one.lo             0x7\n"
                      "  outer.one.hi             0x8\n"
                      "  outer.many[0].hi         0x11223344\n"
                      "  outer.many[1].lo         0x9\n"
                      "  outer.va                 0x102030405060708\n"
                      "  outer.fd                 0xfffffff3\n"
                      "  outer.tail[1]            0xabcd\n") == 0);
    gpucmd_text_init(&t, buf, sizeof buf);
    gpucmd_layout_print(&t, layout, GPUCMD_STRUCT_t_odd, odd, GPUCMD_LITTLE_ENDIAN, 0);
    CHECK(strcmp(buf, "pair.hi                  0x5\n"
                      "z                        0x6\n") == 0);
    /* four levels; numbers of a fifth are skipped */
    gpucmd_text_init(&t, buf, sizeof buf);
    gpucmd_layout_print(&t, layout, GPUCMD_STRUCT_t_four, big, GPUCMD_BIG_ENDIAN, 0);
    CHECK(strstr(buf, "deep.outer.one.lo        0x7\n") != NULL);
    CHECK(strstr(buf, "deep.outer.many[1].lo    0x9\n") != NULL);
    memcpy(five, big, sizeof big);
    gpucmd_text_init(&t, buf, sizeof buf);
    gpucmd_layout_print(&t, layout, GPUCMD_STRUCT_t_five, five, GPUCMD_BIG_ENDIAN, 0);
    CHECK(strcmp(buf, "four.deep.outer.kind     0x1234\n"
                      "four.deep.outer.delta    0xfffe\n"
                      "four.deep.outer.flag     0x56\n"
                      "four.deep.outer.pad[0]   0x1\n"
                      "four.deep.outer.pad[1]   0x2\n"
                      "four.deep.outer.pad[2]   0x3\n"
                      "four.deep.outer.va       0x102030405060708\n"
                      "four.deep.outer.fd       0xfffffff3\n"
                      "four.deep.outer.tail[1]  0xabcd\n"
                      "z                        0x7\n") == 0);
    gpucmd_text_init(&t, buf, sizeof buf);
    gpucmd_layout_print(&t, layout, 99, odd, GPUCMD_LITTLE_ENDIAN, 0);
    EQUAL(t.need_bytes, 0);
}

/* Access memory of a process in a gpucmd_mem, then the memory of this program with mem NULL. */
static void process(void)
{
    uint8_t memory[32], to[16];
    gpucmd_region r[2] = {
        {0x1000, 16, memory,      GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE},
        {0x1010, 16, memory + 16, GPUCMD_ACCESS_READ                      }
    };
    gpucmd_mem mem;
    CHECK(gpucmd_mem_init(&mem, r, 2) == GPUCMD_OK);
    for (int own = 0; own < 2; own++) {
        gpucmd_mem *const p = own != 0 ? NULL : &mem;
        const uint64_t at = own != 0 ? (uint64_t)(uintptr_t)memory : 0x1000;
        memset(memory, 0, sizeof memory);
        memory[3] = 3;
        memory[8] = 8;
        EQUAL(gpucmd_process_read(p, at, to, 9), 0);
        EQUAL(to[8], 8);
        EQUAL(gpucmd_process_read(p, 0, to, 0), 0);
        EQUAL(gpucmd_process_read(p, 0, to, 1), -14);
        EQUAL(gpucmd_process_read(p, 4095, to, 1), -14);
        EQUAL(gpucmd_process_read(p, ~(uint64_t)0, to, 2), -14);
        EQUAL(gpucmd_process_write(p, 0, to, 0), 0);
        EQUAL(gpucmd_process_write(p, 8, to, 1), -14);
        EQUAL(gpucmd_process_write(p, at + 15, "x", 1), 0);
        EQUAL(memory[15], 'x');
        /* an argument that is too short, exact, too long with zeros, too long */
        memset(to, 0xee, sizeof to);
        EQUAL(gpucmd_process_copy_in(p, at, 4, to, 8), 0);
        EQUAL(to[3], 3);
        EQUAL(to[4] | to[5] | to[6] | to[7], 0);
        EQUAL(to[8], 0xee);
        EQUAL(gpucmd_process_copy_in(p, at, 8, to, 4), 0);
        memset(to, 0xee, sizeof to);
        EQUAL(gpucmd_process_copy_in(p, at, 9, to, 4), -7);
        EQUAL(to[0], 0xee);
        EQUAL(gpucmd_process_copy_in(p, 8, 1, to, 4), -14);
        EQUAL(gpucmd_process_copy_in(p, 8, 8, to, 0), -14);
        EQUAL(gpucmd_process_copy_in(p, 8, 0, to, 4), 0);
        EQUAL(to[0] | to[3], 0);
        EQUAL(gpucmd_process_copy_out(p, at + 1, 2, "abc", 3), 0);
        EQUAL(memory[2], 'b');
        EQUAL(memory[3], 3);
        EQUAL(gpucmd_process_copy_out(p, 8, 2, "abc", 3), -14);
        CHECK(gpucmd_process_span(p, at, 16, GPUCMD_ACCESS_WRITE) == memory);
        CHECK(gpucmd_process_span(p, 0, 1, GPUCMD_ACCESS_READ) == NULL);
    }
    CHECK(gpucmd_process_span(NULL, 4095, 1, GPUCMD_ACCESS_READ) == NULL); /* the first page */
    CHECK((uintptr_t)gpucmd_process_span(NULL, 4096, 1, GPUCMD_ACCESS_READ) == 4096);
    CHECK(gpucmd_process_span(&mem, 0x1000, 17, GPUCMD_ACCESS_READ) == NULL); /* two regions */
    EQUAL(gpucmd_process_read(&mem, 0x100f, to, 2), 0);
    EQUAL(gpucmd_process_write(&mem, 0x100f, to, 2), -14);
}

static int last_number;

static int fake_ioctl(void *kernel, uint32_t number, void *arg)
{
    (void)arg;
    last_number = (int)number;
    return *(int *)kernel;
}

static int fake_mmap(void *kernel, gpucmd_sys_map *map)
{
    map->addr = kernel;
    return 0;
}

static void node(void)
{
    int answer = -22;
    gpucmd_sys_node n;
    gpucmd_sys_ops ops;
    gpucmd_sys_map map = {NULL, 16, 3, 1, 3, 0};
    memset(&ops, 1, sizeof ops);
    gpucmd_sys_ops_init_node(&ops, &n, fake_ioctl, &answer);
    CHECK(ops.sys_read == NULL && ops.sys_write == NULL);
    EQUAL(ops.sys_open(ops.user, "", 0), -2);
    EQUAL(ops.sys_ioctl(ops.user, 3, 9, NULL), -9);
    EQUAL(ops.sys_open(ops.user, "/dev/dri/renderD128", 0), 3);
    EQUAL(ops.sys_open(ops.user, "/dev/dri/renderD128", 0), -16);
    EQUAL(ops.sys_ioctl(ops.user, 3, 9, NULL), -22);
    answer = 5;
    EQUAL(ops.sys_ioctl(ops.user, 3, 10, NULL), 5);
    EQUAL(last_number, 10);
    EQUAL(ops.sys_ioctl(ops.user, 4, 9, NULL), -9);
    EQUAL(ops.sys_ioctl(ops.user, -1, 9, NULL), -9);
    EQUAL(ops.sys_mmap(ops.user, &map), -19);
    n.sys_mmap = fake_mmap;
    EQUAL(ops.sys_mmap(ops.user, &map), 0);
    CHECK(map.addr == &answer);
    EQUAL(ops.sys_munmap(ops.user, map.addr, 16), 0);
    map.fd = 2;
    EQUAL(ops.sys_mmap(ops.user, &map), -9);
    EQUAL(ops.sys_close(ops.user, 2), -9);
    EQUAL(ops.sys_close(ops.user, 3), 0);
    EQUAL(ops.sys_close(ops.user, 3), -9);
    EQUAL(ops.sys_ioctl(ops.user, 3, 9, NULL), -9);
    EQUAL(last_number, 10);
    EQUAL(ops.sys_open(ops.user, "/dev/dri/renderD128", 0), 3);
}

static int calls;

static gpucmd_status count_calls(void *user, uint32_t try_count)
{
    EQUAL(try_count, calls);
    calls++;
    return try_count == 2 ? *(gpucmd_status *)user : GPUCMD_OK;
}

/* Return the number of polls after the first one until the wait ends. Write its result to
 * *status. */
static uint32_t polls(const gpucmd_wait *wait, gpucmd_status *status)
{
    uint32_t tries = 0, n = 0;
    calls = 0;
    while ((*status = gpucmd_wait_again(wait, &tries)) == GPUCMD_OK) {
        n++;
    }
    return n;
}

static void waits(void)
{
    gpucmd_status answer = GPUCMD_FAULT, status;
    gpucmd_wait wait;
    gpucmd_wait_init(&wait);
    EQUAL(wait.max_tries, 1048576);
    EQUAL(polls(&wait, &status), 1048576);
    EQUAL(status, GPUCMD_LIMIT);
    wait.max_tries = 0;
    EQUAL(polls(&wait, &status), 0);
    EQUAL(status, GPUCMD_BLOCKED);
    wait.fn = count_calls;
    wait.user = &answer;
    EQUAL(polls(&wait, &status), 0);
    EQUAL(calls, 0);
    wait.max_tries = 2;
    EQUAL(polls(&wait, &status), 2);
    EQUAL(calls, 2);
    EQUAL(status, GPUCMD_LIMIT);
    wait.max_tries = 9;
    EQUAL(polls(&wait, &status), 2);
    EQUAL(calls, 3);
    EQUAL(status, GPUCMD_FAULT);
}

static void names(void)
{
    CHECK(strcmp(gpucmd_status_name(GPUCMD_OK), "OK") == 0);
    CHECK(strcmp(gpucmd_status_name(GPUCMD_BLOCKED), "BLOCKED") == 0);
    CHECK(strcmp(gpucmd_status_name((gpucmd_status)11), "?") == 0);
    CHECK(strcmp(gpucmd_status_text(GPUCMD_FULL), "no room in the buffer") == 0);
    CHECK(strcmp(gpucmd_severity_name(GPUCMD_SEVERITY_NOTE), "note") == 0);
    CHECK(strcmp(gpucmd_severity_name(GPUCMD_SEVERITY_ERROR), "error") == 0);
    CHECK(strcmp(gpucmd_severity_name((gpucmd_severity)3), "?") == 0);
    CHECK(strcmp(gpucmd_event_name(GPUCMD_EVENT_METHODS), "METHODS") == 0);
    CHECK(strcmp(gpucmd_event_name(GPUCMD_EVENT_ERROR), "ERROR") == 0);
    CHECK(strcmp(gpucmd_run_name(GPUCMD_RUN_LIMIT), "LIMIT") == 0);
    CHECK(strcmp(gpucmd_sys_error_name(-524), "ENOTSUPP") == 0);
    CHECK(strcmp(gpucmd_sys_error_name(61), "ENODATA") == 0);
    EQUAL(GPUCMD_SYS_0, 0);
}

/* Members of a type that no structure has are skipped; a type is compared to its end. */
static const char *strange(uint32_t index)
{
    return index == 0   ? "first\0nothing\0a\0000\0001\0u:8\0b\0000\0001\0u32\0c\0004\0001\0"
                          "pairs\0d\0008\0001\0u/8\0e\00010\0001\0pair\0f\00012\0001\0\00016"
           : index == 1 ? "pair\0u16\0lo\0000\0001\0s16\0hi\0002\0001\0\0004"
                        : NULL;
}

static void strange_layouts(void)
{
    static const uint8_t bytes[16] = {1, 0, 0, 0, 2, 3, 0, 0, 4, 0, 0, 0, 5, 6, 7, 8};
    static const uint8_t want[16] = {1, 0, 0, 0, 0, 0, 3, 2, 4, 0, 0, 0, 6, 5, 8, 7};
    uint8_t got[16];
    char buf[256];
    gpucmd_text t;
    gpucmd_text_init(&t, buf, sizeof buf);
    gpucmd_layout_print(&t, strange, 0, bytes, GPUCMD_LITTLE_ENDIAN, 1);
    CHECK(strcmp(buf, " c                        0x302\n"
                      " f.lo                     0x605\n"
                      " f.hi                     0x807\n") == 0);
    gpucmd_layout_convert(strange, 0, got, bytes,
                          gpucmd_cpu_endian() == GPUCMD_LITTLE_ENDIAN ? GPUCMD_BIG_ENDIAN
                                                                      : GPUCMD_LITTLE_ENDIAN);
    CHECK(memcmp(got, want, sizeof want) == 0);
    EQUAL(gpucmd_layout_bytes(strange, 0), 16);
    EQUAL(gpucmd_layout_bytes(strange, 1), 4);
    CHECK(strcmp(gpucmd_layout_name(strange, 0), "first") == 0);
    CHECK(strcmp(gpucmd_layout_name(strange, 2), "?") == 0);
}

/* errno of each status; numbers of Linux. */
static void status_errno(void)
{
    static const int expected[] = {0, -28, -34, -22, -22, -95, -61, -22, -14, -62, -11};
    int status;
    for (status = 0; status <= GPUCMD_BLOCKED; status++) {
        EQUAL(gpucmd_status_errno((gpucmd_status)status), expected[status]);
    }
    EQUAL(gpucmd_status_errno((gpucmd_status)(GPUCMD_BLOCKED + 1)), -22);
}

/* Fields of an ioctl number, _IOC_NR to _IOC_DIR of asm-generic/ioctl.h: 8, 8, 14 and 2 bits. */
static void numbers(void)
{
    EQUAL(GPUCMD_IOC_NR_LO, 0);
    EQUAL(GPUCMD_IOC_NR_HI, 7);
    EQUAL(GPUCMD_IOC_LETTER_LO, 8);
    EQUAL(GPUCMD_IOC_LETTER_HI, 15);
    EQUAL(GPUCMD_IOC_BYTES_LO, 16);
    EQUAL(GPUCMD_IOC_BYTES_HI, 29);
    EQUAL(GPUCMD_IOC_DIR_LO, 30);
    EQUAL(GPUCMD_IOC_DIR_HI, 31);
    EQUAL(GPUCMD_TRACE_VERSION, 1);
}

int main(void)
{
    numbers();
    status_errno();
    strange_layouts();
    layouts();
    prints();
    process();
    node();
    waits();
    names();
    return test_report("core_kernel");
}

/* agx/evil.c - hostile streams, notations, binds and submissions, one row each, with the rule that
 * they break and the place; unusual but valid ones run to their end. Every stream has memory of
 * exactly its size, so that a sanitizer reports a read after it. */
/* suite: regions */
#include "gpucmd_agx.h"

#include <stdlib.h>

#include "agx/agx.h"
#include "agx/world.h"

/* ---- streams ---- */

/* Headers: type, size, barriers. */
#define C0    "01000000ffffffff"                                                 /* empty compute */
#define C24   "01001800ffffffff000000000000000000000100150000008000010015000000" /* W1 */
#define ZEROS "0000000000000000000000000000000000000000000000000000000000000000"
#define R160                                                                                       \
    "0000a000ffffffff000000000000000000000200150000000000000000000000" ZEROS ZEROS ZEROS           \
    "00000000000000000000000000000000000000000000000002020000800738040100000020200104"

typedef struct stream_row {
    const char *name;
    const char *hex;
    gpucmd_agx_rule rule;
    int err;
    int command;
    unsigned off;
} stream_row;

static const stream_row stream_rows[] = {
    {"nothing",                                     "",                                                GPUCMD_AGX_RULE_COMMAND_COUNT,     22, -1, 0  },
    {"one byte",                                    "00",                                              GPUCMD_AGX_RULE_HEADER_TRUNCATED,  22, 0,  0  },
    {"seven bytes",                                 "01000000ffffff",                                  GPUCMD_AGX_RULE_HEADER_TRUNCATED,  22, 0,  0  },
    {"an empty compute",                            C0,                                                GPUCMD_AGX_RULE_NONE,              0,  -1, 0  },
    {"an empty render: all sizes are 0",            "00000000ffffffff",                                GPUCMD_AGX_RULE_RENDER_SIZE,       22, 0,  0  },
    {"the largest size with nothing behind it",     "0100ffffffffffff",
     GPUCMD_AGX_RULE_PAYLOAD_TRUNCATED,                                                                                                   22, 0,  0  },
    {"the largest size on an unknown type",         C0 "ffffffffffffffff",                             GPUCMD_AGX_RULE_COMMAND_UNKNOWN,
     22,                                                                                                                                      1,  8  },
    {"the largest size on attachments",             C0 "0200ffffffffffff",                             GPUCMD_AGX_RULE_ATTACHMENT_COUNT,  22,
     1,                                                                                                                                           8  },
    {"a size that jumps over the next header",      "01002800ffffffff0000000000000000" C24,
     GPUCMD_AGX_RULE_NONE,                                                                                                                0,  -1, 0  },
    {"a size that takes a part of the next header", "01000400ffffffff" C24,
     GPUCMD_AGX_RULE_COMPUTE_FLAGS,                                                                                                       22, 0,  0  },
    {"all zeros: a render of no size",              ZEROS,                                             GPUCMD_AGX_RULE_RENDER_SIZE,       22, 0,  0  },
    {"all ones",                                    "ffffffffffffffffffffffffffffffff",                GPUCMD_AGX_RULE_COMMAND_COUNT,     22, -1, 0  },
    {"software commands alone",                     "02000000ffffffff03000000ffffffff",                GPUCMD_AGX_RULE_COMMAND_COUNT,
     22,                                                                                                                                      -1, 0  },
    {"the draft's compute type",                    "0200180000000000" ZEROS C24,                      GPUCMD_AGX_RULE_SOFTWARE_BARRIER,  22,
     0,                                                                                                                                           0  },
    {"barrier 0 on a software command",             "03000000ffff0000" C24,                            GPUCMD_AGX_RULE_SOFTWARE_BARRIER,
     22,                                                                                                                                      0,  0  },
    {"barrier 0xfffe",                              "01000000fefffeff",                                GPUCMD_AGX_RULE_VDM_BARRIER,       22, 0,  0  },
    {"barrier on itself",                           "01000000ffff0100",                                GPUCMD_AGX_RULE_CDM_BARRIER,       22, 0,  0  },
    {"two that wait for each other",
     "010000000100ffff"
     "00000000ffff0100",                                                                               GPUCMD_AGX_RULE_VDM_BARRIER,       22, 0,  0  },
    {"both barriers on the future: render first",   C0 "0100000001000300",
     GPUCMD_AGX_RULE_VDM_BARRIER,                                                                                                         22, 1,  8  },
    {"a half header behind a good command",         C24 "01000000",                                    GPUCMD_AGX_RULE_HEADER_TRUNCATED,  22, 1,
     32                                                                                                                                              },
    {"a half header counts before all else",
     "0900000005000500"
     "0000",                                                                                           GPUCMD_AGX_RULE_HEADER_TRUNCATED,  22, 1,  8  },
    {"a payload cut inside a member",               "01000b00ffffffff0000000000000000000001",
     GPUCMD_AGX_RULE_NONE,                                                                                                                0,  -1, 0  },
    {"a compute with a tail of ones",               "01004800ffffffff" ZEROS ZEROS "ffffffffffffffff",
     GPUCMD_AGX_RULE_PAYLOAD_TAIL,                                                                                                        22, 0,  0  },
    {"a compute with a tail of zeros",              "01004800ffffffff" ZEROS ZEROS "0000000000000000",
     GPUCMD_AGX_RULE_NONE,                                                                                                                0,  -1, 0  },
    {"a timestamp without a look-up",
     "01004000ffffffff" ZEROS "00000000000000000000000000000000ffffffffffffffffffffffffffffffff",
     GPUCMD_AGX_RULE_TIMESTAMP_UNKNOWN,                                                                                                   2,  0,  0  },
    {"17 attachments announced, none there",        C0 "02009801ffffffff",
     GPUCMD_AGX_RULE_ATTACHMENT_COUNT,                                                                                                    22, 1,  8  },
    {"attachments that are no whole number",
     C0 "02001700ffffffff"
        "0000000000000000000000000000000000000000000000",                                              GPUCMD_AGX_RULE_ATTACHMENT_LENGTH, 22, 1,  8  },
    {"attachment of 2^64 - 1 bytes",
     C0 "04001800ffffffff"
        "0000000000000000ffffffffffffffff0000000000000000",                                            GPUCMD_AGX_RULE_ATTACHMENT_BYTES,  22, 1,  8  },
    {"a render that ends behind its size",          R160,                                              GPUCMD_AGX_RULE_NONE,              0,  -1, 0  },
    {"a good render in front of a bad one",         R160 "00000000ffffffff",                           GPUCMD_AGX_RULE_RENDER_SIZE,
     22,                                                                                                                                      1,  168},
};

static bool no_object(void *user, uint32_t handle, uint64_t *bytes)
{
    (void)user;
    (void)handle;
    (void)bytes;
    return false;
}

static gpucmd_status ignore(void *user, const gpucmd_agx_finding *f)
{
    *(size_t *)user += f->severity == GPUCMD_SEVERITY_ERROR;
    return GPUCMD_OK;
}

/* Lower, check, print and execute a valid job. */
static void legal(const gpucmd_agx_job *job)
{
    static gpucmd_agx_exec x;
    static gpucmd_agx_exec_queue queues[1];
    static gpucmd_agx_exec_job jobs[1];
    static gpucmd_agx_slot slots[GPUCMD_AGX_RINGS * 194];
    static const gpucmd_agx_exec_tables tables = {queues, 1, jobs, 1, slots, 194, NULL, 0, NULL, 0};
    gpucmd_agx_entry entries[GPUCMD_AGX_MAX_ENTRIES];
    uint32_t n = 0;
    size_t found = 0, told = 1;
    uint32_t slot;
    gpucmd_env env;
    const gpucmd_agx_check_options options = {
        ignore, &found, 3, 0, NULL, GPUCMD_AGX_OVER_ORDER_EACH, NULL, NULL, 0, NULL, NULL};
    const gpucmd_agx_submission submission = {job, NULL, 0, 0, NULL, 0};
    EQUAL(gpucmd_agx_lower(job, 3, entries, GPUCMD_AGX_MAX_ENTRIES, &n), GPUCMD_OK);
    EQUAL(gpucmd_agx_check(job, &options, &told), GPUCMD_OK);
    EQUAL(told, found);
    gpucmd_env_init(&env, NULL, NULL, NULL);
    EQUAL(gpucmd_agx_exec_init(&x, &tables), GPUCMD_OK);
    x.durations.ring[0] = ~(uint64_t)0; /* even if it lasts until the end of time */
    EQUAL(gpucmd_agx_exec_queue_open(&x, 1), 0);
    EQUAL(gpucmd_agx_exec_submit(&x, 0, &submission, &slot), GPUCMD_OK);
    EQUAL(gpucmd_agx_exec_run(&x, &env, 129), GPUCMD_RUN_IDLE);
}

static void streams(void)
{
    const gpucmd_agx_objects objects = {no_object, NULL, GPUCMD_AGX_BEHAVIOR_TEXT};
    static char text[8192];
    for (size_t i = 0; i < sizeof stream_rows / sizeof stream_rows[0]; i++) {
        const stream_row *r = &stream_rows[i];
        const size_t n = strlen(r->hex) / 2;
        uint8_t *bytes = (uint8_t *)malloc(n != 0 ? n : 1);
        size_t found = 0, told = 1;
        const gpucmd_agx_check_options options = {
            ignore, &found, 0, 0, NULL, GPUCMD_AGX_OVER_ORDER_EACH, NULL, NULL, 0, NULL, NULL};
        gpucmd_agx_job job;
        gpucmd_agx_finding f;
        gpucmd_text t;
        (void)unhex(r->hex, bytes);
        const gpucmd_status status = gpucmd_agx_parse_stream(bytes, n, &objects, &job, &f);
        if (!EQUAL(f.rule, r->rule) || !EQUAL(f.command, r->command) ||
            !EQUAL(f.at_bytes, r->off) || !EQUAL(gpucmd_agx_rule_errno(f.rule), r->err)) {
            printf("    %s: %s\n", r->name, gpucmd_agx_rule_name(f.rule));
        }
        EQUAL(status, r->rule == GPUCMD_AGX_RULE_NONE ? GPUCMD_OK : GPUCMD_INVALID);
        gpucmd_text_init(&t, text, sizeof text);
        gpucmd_agx_print_stream(&t, bytes, n);
        gpucmd_agx_print_finding(&t, &f);
        EQUAL(gpucmd_text_finish(&t), GPUCMD_OK);
        EQUAL(gpucmd_agx_check_stream(bytes, n, &options, &told), GPUCMD_OK);
        EQUAL(told, found);
        if (status == GPUCMD_OK) {
            legal(&job);
        }
        free(bytes);
    }
}

/* 64 commands that all wait for all before them, and one more. */
static void most_waits(void)
{
    static uint8_t bytes[65 * 8];
    gpucmd_agx_job job;
    gpucmd_agx_finding f;
    for (unsigned i = 0; i < 65; i++) {
        (void)unhex("0100000000000000", bytes + 8 * i);
        bytes[8 * i + 6] = (uint8_t)i;
    }
    EQUAL(gpucmd_agx_parse_stream(bytes, 64 * 8, NULL, &job, &f), GPUCMD_OK);
    legal(&job);
    EQUAL(gpucmd_agx_parse_stream(bytes, sizeof bytes, NULL, &job, &f), GPUCMD_INVALID);
    EQUAL(f.rule, GPUCMD_AGX_RULE_COMMAND_COUNT);
    bytes[8 * 63 + 6] = 64; /* the last command waits for itself */
    EQUAL(gpucmd_agx_parse_stream(bytes, 64 * 8, NULL, &job, &f), GPUCMD_INVALID);
    EQUAL(f.rule, GPUCMD_AGX_RULE_CDM_BARRIER);
    EQUAL(f.command, 63);
}

/* Ten thousand software commands around one compute: they do not count. */
static void many_software(void)
{
    const size_t each = 5000;
    const size_t n = (2 * each + 1) * 8;
    uint8_t *bytes = (uint8_t *)malloc(n);
    gpucmd_agx_job job;
    gpucmd_agx_finding f;
    for (size_t i = 0; i < 2 * each + 1; i++) {
        (void)unhex("02000000ffffffff", bytes + 8 * i);
        bytes[8 * i] = (uint8_t)(i == each ? 1 : 2 + i % 3);
    }
    EQUAL(gpucmd_agx_parse_stream(bytes, n, NULL, &job, &f), GPUCMD_OK);
    EQUAL(job.count, 1);
    EQUAL(job.commands[0].position, each);
    EQUAL(job.commands[0].off_bytes, 8 * each);
    free(bytes);
}

/* After one compute, a list of attachments that becomes 71 computes while the timestamps of the
 * first compute are checked. */
static bool more_commands(void *at, uint32_t handle, uint64_t *bytes)
{
    uint8_t *stream = (uint8_t *)at;
    CHECK(handle == 1);
    for (unsigned i = 0; i < 71; i++) {
        (void)unhex("0100000000000000", stream + 8 * i);
    }
    *bytes = 4096;
    return true;
}

static void grown(void)
{
    const size_t first = 8 + sizeof(struct gpucmd_drm_asahi_cmd_compute);
    const size_t n = first + 71 * 8;
    uint8_t *bytes = (uint8_t *)calloc(n, 1);
    const gpucmd_agx_objects objects = {more_commands, bytes + first, GPUCMD_AGX_BEHAVIOR_TEXT};
    struct gpucmd_drm_asahi_cmd_compute c;
    gpucmd_agx_job *job = (gpucmd_agx_job *)malloc(sizeof *job);
    gpucmd_agx_finding f;
    memset(&c, 0, sizeof c);
    c.ts.start.handle = 1;
    (void)unhex("0100000000000000", bytes);
    bytes[2] = (uint8_t)sizeof c;
    bytes[3] = (uint8_t)(sizeof c >> 8);
    agx_convert(GPUCMD_STRUCT_drm_asahi_cmd_compute, bytes + 8, &c);
    (void)unhex("02003002ffffffff", bytes + first);
    EQUAL(gpucmd_agx_parse_stream(bytes, n, &objects, job, &f), GPUCMD_INVALID);
    EQUAL(f.rule, GPUCMD_AGX_RULE_COMMAND_COUNT);
    EQUAL(f.command, -1);
    free(job);
    free(bytes);
}

/* ---- notations ---- */

static void notations(void)
{
    static const struct {
        const char *text;
        gpucmd_agx_rule rule;
    } rows[] = {
        {"R",                             GPUCMD_AGX_RULE_NOTATION       },
        {"R0",                            GPUCMD_AGX_RULE_NOTATION_NUMBER},
        {"R18446744073709551617",         GPUCMD_AGX_RULE_NOTATION       },
        {"R1 [R18446744073709551616,__]", GPUCMD_AGX_RULE_NOTATION       },
        {"#18446744073709551616 R1",      GPUCMD_AGX_RULE_NOTATION_NUMBER},
        {"R1 [",                          GPUCMD_AGX_RULE_NOTATION       },
        {"R1 barrier=barrier=[__,__]",    GPUCMD_AGX_RULE_NOTATION       },
        {"R1 [_",                         GPUCMD_AGX_RULE_NOTATION       },
        {"r1",                            GPUCMD_AGX_RULE_NOTATION       },
        {"\xff\xff\xff",                  GPUCMD_AGX_RULE_NOTATION       },
        {"R1\rR2",                        GPUCMD_AGX_RULE_NOTATION       },
        {"#",                             GPUCMD_AGX_RULE_COMMAND_COUNT  },
        {"\n\n\n",                        GPUCMD_AGX_RULE_COMMAND_COUNT  },
        {"C1 [R0,C0]implied",             GPUCMD_AGX_RULE_NOTATION       },
        {"C1 [R0,C0] [ implied",          GPUCMD_AGX_RULE_NONE           },
        {"R1 [__,__]###",                 GPUCMD_AGX_RULE_NONE           },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const size_t n = strlen(rows[i].text);
        char *text = (char *)malloc(n != 0 ? n : 1);
        gpucmd_agx_job job;
        gpucmd_agx_finding f;
        memcpy(text, rows[i].text, n);
        const gpucmd_status status = gpucmd_agx_parse_notation(text, n, false, &job, &f);
        if (!EQUAL(f.rule, rows[i].rule)) {
            printf("    %s: %s\n", rows[i].text, gpucmd_agx_rule_name(f.rule));
        }
        EQUAL(status == GPUCMD_OK, f.rule == GPUCMD_AGX_RULE_NONE);
        free(text);
    }
}

/* ---- binds ---- */

static world w_;
static uint8_t user[1024];
static gpucmd_region region = {0x10000, sizeof user, user, 3};
static gpucmd_mem mem;

/* VM 1 with its kernel window at 0x7000000000, objects 1 (four pages, shared) and 2 (one page,
 * private to VM 1), VM 2, one queue, one sync object. */
static void setup(void)
{
    struct gpucmd_drm_asahi_vm_create vm = {0x7000000000u, 0x7020000000u, 0, 0};
    struct gpucmd_drm_asahi_gem_create gem = {0x10000, 0, 0, 0, 0};
    struct gpucmd_drm_asahi_gem_create own = {1, 2, 1, 0, 0};
    struct gpucmd_drm_asahi_queue_create queue = {0, 1, 1, 0, 0};
    EQUAL(world_init(&w_), GPUCMD_OK);
    w_.k.behavior = GPUCMD_AGX_BEHAVIOR_TEXT;
    EQUAL(gpucmd_mem_init(&mem, &region, 1), GPUCMD_OK);
    memset(user, 0, sizeof user);
    w_.k.user = &mem;
    EQUAL(gpucmd_agx_kernel_vm_create(&w_.k, &vm), 0);
    EQUAL(gpucmd_agx_kernel_vm_create(&w_.k, &vm), 0);
    EQUAL(gpucmd_agx_kernel_gem_create(&w_.k, &gem), 0);
    EQUAL(gpucmd_agx_kernel_gem_create(&w_.k, &own), 0);
    EQUAL(gpucmd_agx_kernel_queue_create(&w_.k, &queue), 0);
    EQUAL(world_syncobj(&w_.k), 1);
}

#define TOP (~(uint64_t)0x3fff) /* the last page of 64 bits */

static void binds(void)
{
    static const struct {
        uint32_t vm;
        struct gpucmd_drm_asahi_gem_bind_op op; /* flags, handle, offset, range, addr */
        gpucmd_agx_rule rule;
    } rows[] = {
        {1,          {0xffffffff, 1, 0, 0x4000, 0x4000}, GPUCMD_AGX_RULE_BIND_FLAGS        },
        {1,          {0xfffffffe, 1, 0, 0x4000, 0x4000}, GPUCMD_AGX_RULE_BIND_FLAGS        },
        {1,          {6, 0, 0, 0x4000, 0x4000},          GPUCMD_AGX_RULE_GEM_UNKNOWN       },
        {1,          {6, 0xffffffff, 0, 0x4000, 0x4000}, GPUCMD_AGX_RULE_GEM_UNKNOWN       },
        {0,          {6, 1, 0, 0x4000, 0x4000},          GPUCMD_AGX_RULE_VM_UNKNOWN        },
        {0xffffffff, {6, 1, 0, 0x4000, 0x4000},          GPUCMD_AGX_RULE_VM_UNKNOWN        },
        {1,          {6, 1, TOP, 0x4000, 0x4000},        GPUCMD_AGX_RULE_BIND_OBJECT_RANGE },
        {1,          {6, 1, TOP, 0x8000, 0x4000},        GPUCMD_AGX_RULE_BIND_OBJECT_RANGE },
        {1,          {6, 1, 0, TOP, 0x4000},             GPUCMD_AGX_RULE_BIND_WINDOW       },
        {1,          {6, 1, 0, TOP, 0x8000},             GPUCMD_AGX_RULE_BIND_WINDOW       },
        {1,          {6, 1, 0, 0x4000, TOP},             GPUCMD_AGX_RULE_BIND_WINDOW       },
        {1,          {6, 1, 0, 0x7fffff4000u, 0x4000},   GPUCMD_AGX_RULE_BIND_KERNEL_WINDOW},
        {1,          {14, 1, 0, 0x6fffffc000u, 0x4000},  GPUCMD_AGX_RULE_NONE              },
        {1,          {14, 1, 0, 0x6fffffc000u, 0x8000},  GPUCMD_AGX_RULE_BIND_KERNEL_WINDOW},
        {1,          {6, 1, 1, 0x4000, 0x4000},          GPUCMD_AGX_RULE_BIND_ALIGN        },
        {1,          {6, 1, 0, 1, 0x4000},               GPUCMD_AGX_RULE_BIND_ALIGN        },
        {1,          {6, 1, 0, 0x4000, 1},               GPUCMD_AGX_RULE_BIND_ALIGN        },
        {1,          {6, 1, 0, 0, 0x4000},               GPUCMD_AGX_RULE_BIND_EMPTY        },
        {2,          {6, 2, 0, 0x4000, 0x4000},          GPUCMD_AGX_RULE_BIND_PRIVATE      },
        {1,          {8, 1, 0, 0x4000, 0x4000},          GPUCMD_AGX_RULE_BIND_RIGHTS       },
        {1,          {1, 0, 0, TOP, 0x4000},             GPUCMD_AGX_RULE_BIND_WINDOW       },
        {1,          {1, 0, 0, 0x7fffff4000u, 0x4000},   GPUCMD_AGX_RULE_BIND_KERNEL_WINDOW},
        {1,          {1, 1, 0, 0x4000, 0x4000},          GPUCMD_AGX_RULE_BIND_UNUSED       },
        {1,          {1, 0, 0x4000, 0x4000, 0x4000},     GPUCMD_AGX_RULE_BIND_UNUSED       },
        {1,          {1, 0, 0, 0x6fffffc000u, 0x4000},   GPUCMD_AGX_RULE_NONE              },
    };
    setup();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint32_t before = w_.k.maps.count;
        const gpucmd_agx_rule rule = gpucmd_agx_kernel_bind_op(&w_.k, rows[i].vm, &rows[i].op);
        if (!EQUAL(rule, rows[i].rule)) {
            printf("    row %u: %s\n", (unsigned)i, gpucmd_agx_rule_name(rule));
        }
        if (rule != GPUCMD_AGX_RULE_NONE) {
            EQUAL(w_.k.maps.count, before);
        }
    }
    EQUAL(w_.k.maps.count, 0);
}

/* Arrays of operations that overlap the end of the caller's memory, or count to the end of 32
 * bits. */
static void bind_arrays(void)
{
    static const struct {
        struct gpucmd_drm_asahi_vm_bind arg; /* vm_id, num_binds, stride, pad, userptr */
        gpucmd_agx_rule rule;
    } rows[] = {
        {{1, 0xffffffff, 0xffffffff, 0, 0x10000}, GPUCMD_AGX_RULE_BIND_OPS_FAULT},
        {{1, 0x10000000, 16, 0, 0x10000},         GPUCMD_AGX_RULE_BIND_OPS_FAULT}, /* 2^32 */
        {{1, 1, 0xffffffff, 0, 0x10000},          GPUCMD_AGX_RULE_BIND_OPS_FAULT},
        {{1, 33, 32, 0, 0x10000},                 GPUCMD_AGX_RULE_BIND_OPS_FAULT},
        {{1, 1, 32, 0, 0x103e1},                  GPUCMD_AGX_RULE_BIND_OPS_FAULT},
        {{1, 1, 32, 0, 0xffffffffffffffff},       GPUCMD_AGX_RULE_BIND_OPS_FAULT},
        {{1, 1, 0, 0, 0x10000},                   GPUCMD_AGX_RULE_BIND_STRIDE   },
        {{1, 0, 0, 0, 0},                         GPUCMD_AGX_RULE_BIND_STRIDE   },
        {{1, 1, 32, 0xffffffff, 0x10000},         GPUCMD_AGX_RULE_PAD           },
        {{0, 0, 32, 0, 0},                        GPUCMD_AGX_RULE_NONE          },
        {{1, 1, 1, 0, 0x10000},                   GPUCMD_AGX_RULE_BIND_EMPTY    }, /* zeros */
        {{1, 32, 32, 0, 0x10000},                 GPUCMD_AGX_RULE_BIND_EMPTY    },
    };
    setup();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const int got = gpucmd_agx_kernel_vm_bind(&w_.k, &rows[i].arg);
        if (!EQUAL(w_.k.finding.rule, rows[i].rule)) {
            printf("    row %u: %s\n", (unsigned)i, gpucmd_agx_rule_name(w_.k.finding.rule));
        }
        EQUAL(-got, gpucmd_agx_rule_errno(rows[i].rule));
    }
    EQUAL(w_.k.maps.count, 0);
}

/* ---- submissions ---- */

static void submits(void)
{
    /* user memory: sync array at 0x10000 (binary 1; timeline 1 @ 2^64 - 1), a compute at 0x10040 */
    static const struct {
        struct gpucmd_drm_asahi_submit arg; /* syncs, cmdbuf, flags, queue, in, out, bytes, pad */
        gpucmd_agx_rule rule;
    } rows[] = {
        {{0, 0x10040, 0xffffffff, 1, 0, 0, 32, 0},                GPUCMD_AGX_RULE_FLAGS            },
        {{0, 0x10040, 0, 1, 0, 0, 32, 0xffffffff},                GPUCMD_AGX_RULE_PAD              },
        {{0, 0x10040, 0, 0, 0, 0, 32, 0},                         GPUCMD_AGX_RULE_QUEUE_UNKNOWN    },
        {{0, 0x10040, 0, 0xffffffff, 0, 0, 32, 0},                GPUCMD_AGX_RULE_QUEUE_UNKNOWN    },
        {{0x10000, 0x10040, 0, 1, 0xffffffff, 0xffffffff, 32, 0}, GPUCMD_AGX_RULE_SYNC_COUNT       },
        {{0x10000, 0x10040, 0, 1, 0xffffffff, 0, 32, 0},          GPUCMD_AGX_RULE_SYNCS_FAULT      },
        {{0x10000, 0x10040, 0, 1, 0, 0xffffffff, 32, 0},          GPUCMD_AGX_RULE_SYNCS_FAULT      },
        {{0, 0x10040, 0, 1, 0, 1, 32, 0},                         GPUCMD_AGX_RULE_SYNCS_FAULT      },
        {{0xfffffffffffffff8, 0x10040, 0, 1, 1, 0, 32, 0},        GPUCMD_AGX_RULE_SYNCS_FAULT      },
        {{0x10000, 0x10040, 0, 1, 0, 40, 32, 0},                  GPUCMD_AGX_RULE_NO_MEMORY        },
        {{0x10000, 0x10040, 0, 1, 1, 0, 32, 0},                   GPUCMD_AGX_RULE_SYNC_NO_FENCE    },
        {{0, 0, 0, 1, 0, 0, 32, 0},                               GPUCMD_AGX_RULE_CMDBUF_FAULT     },
        {{0, 0x10040, 0, 1, 0, 0, 0xffffffff, 0},                 GPUCMD_AGX_RULE_CMDBUF_FAULT     },
        {{0, 0xffffffffffffffff, 0, 1, 0, 0, 2, 0},               GPUCMD_AGX_RULE_CMDBUF_FAULT     },
        {{0, 0x10040, 0, 1, 0, 0, 0, 0},                          GPUCMD_AGX_RULE_COMMAND_COUNT    },
        {{0, 0x10040, 0, 1, 0, 0, 31, 0},                         GPUCMD_AGX_RULE_PAYLOAD_TRUNCATED},
        {{0x10000, 0x10040, 0, 1, 0, 2, 32, 0},                   GPUCMD_AGX_RULE_NONE             },
        {{0x10010, 0x10040, 0, 1, 1, 0, 32, 0},                   GPUCMD_AGX_RULE_NONE             },
        {{0x10010, 0x10040, 0, 1, 0, 1, 32, 0},                   GPUCMD_AGX_RULE_NONE             },
    };
    const struct gpucmd_drm_asahi_sync binary = {0, 1, 0};
    const struct gpucmd_drm_asahi_sync last = {1, 1, ~(uint64_t)0};
    setup();
    agx_convert(GPUCMD_STRUCT_drm_asahi_sync, user, &binary);
    agx_convert(GPUCMD_STRUCT_drm_asahi_sync, user + 16, &last);
    (void)unhex(C24, user + 64);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const int got = gpucmd_agx_kernel_submit(&w_.k, &rows[i].arg);
        if (!EQUAL(w_.k.finding.rule, rows[i].rule)) {
            printf("    row %u: %s\n", (unsigned)i, gpucmd_agx_rule_name(w_.k.finding.rule));
        }
        EQUAL(-got, gpucmd_agx_rule_errno(rows[i].rule));
    }
    EQUAL(w_.k.syncobjs.merged_points, 1);
    EQUAL(gpucmd_agx_exec_run(&w_.k.exec, NULL, 100), GPUCMD_RUN_IDLE);
    CHECK(world_tear_down(&w_));
}

/* ioctl numbers with sizes that no structure has: longer ones must end in zeros, shorter ones are
 * followed by them, none makes the kernel read or write beyond what the number says. */
static void numbers(void)
{
    for (uint32_t bytes = 0; bytes <= 64; bytes++) {
        for (uint32_t id = 0; id < 256; id++) {
            uint8_t *arg = (uint8_t *)calloc(bytes + 1, 1);
            setup();
            for (uint32_t dir = 0; dir < 4; dir++) {
                const int got =
                    gpucmd_agx_kernel_ioctl(&w_.k, dir << 30 | bytes << 16 | 0x6400 | id, arg);
                CHECK(got <= 0 && got > -600);
            }
            free(arg);
            id = id == 0x3f ? 0x3f : id == 0x4b ? 254 : id < 0x3e ? 0x3e : id;
        }
    }
}

int main(void)
{
    streams();
    most_waits();
    many_software();
    grown();
    notations();
    binds();
    bind_arrays();
    submits();
    numbers();
    return test_report("agx_evil");
}

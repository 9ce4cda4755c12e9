/* agx/driver.c - the model kernel as the driver is shipped: orders of checks, windows, limits and
 * findings, where the driver differs from the text of the UAPI. Expected values are those of the
 * driver's sources. */
/* suite: regions */
#include "gpucmd_agx.h"
#include "agx/agx.h"
#include "agx/world.h"
#include "agx/refused.h"

#define RW (GPUCMD_DRM_ASAHI_BIND_READ | GPUCMD_DRM_ASAHI_BIND_WRITE)
#define UN GPUCMD_DRM_ASAHI_BIND_UNBIND

static world w_;
static gpucmd_agx_kernel *const k = &w_.k;

/* Memory of the process. */
#define USER_VA 0x7f0000000000u
static uint8_t user[16384];
static gpucmd_region user_region;
static gpucmd_mem user_mem;

static void setup(void)
{
    EQUAL(world_init(&w_), GPUCMD_OK);
    EQUAL(k->behavior, GPUCMD_AGX_BEHAVIOR_DRIVER);
    memset(user, 0, sizeof user);
    user_region.va = USER_VA;
    user_region.bytes = sizeof user;
    user_region.host = user;
    user_region.access_mask = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
    EQUAL(gpucmd_mem_init(&user_mem, &user_region, 1), GPUCMD_OK);
    k->user = &user_mem;
    for (int i = 0; i < GPUCMD_AGX_RINGS; i++) {
        k->exec.durations.ring[i] = 10;
    }
}

/* Expect an errno and the text of the finding; if the call is refused, the kernel is as before. */
static void expect(int got, int err, const char *says, int line)
{
    char text[256];
    gpucmd_text t;
    gpucmd_text_init(&t, text, sizeof text);
    gpucmd_agx_print_detail(&t, &k->finding);
    test_equal((uint64_t)(int64_t)-got, (uint64_t)(int64_t)err, __FILE__, line, "errno");
    test_text(text, says, __FILE__, line);
}
#define EXPECT(err, says, call)                                                                    \
    do {                                                                                           \
        refused_save(&w_);                                                                         \
        const int got_ = (call);                                                                   \
        CHECK(got_ == 0 || refused_same(&w_));                                                     \
        expect(got_, (err), (says), __LINE__);                                                     \
    } while (0)
#define TAKES(call) EXPECT(0, "all checks passed", call)

static int vm_create(uint64_t start, uint64_t end, uint32_t pad)
{
    struct gpucmd_drm_asahi_vm_create a = {start, end, 0, pad};
    return gpucmd_agx_kernel_vm_create(k, &a);
}

static int gem_create(uint64_t size, uint32_t flags, uint32_t vm_id, uint32_t pad)
{
    struct gpucmd_drm_asahi_gem_create a = {size, flags, vm_id, 0, pad};
    return gpucmd_agx_kernel_gem_create(k, &a);
}

static int gem_bind_object(uint32_t handle, uint64_t offset, uint64_t range)
{
    struct gpucmd_drm_asahi_gem_bind_object a = {0, 1, handle, 0, offset, range, 0, 0};
    return gpucmd_agx_kernel_gem_bind_object(k, &a);
}

static int unbind_object(uint32_t object)
{
    struct gpucmd_drm_asahi_gem_bind_object a = {1, 0, 0, 0, 0, 0, object, 0};
    return gpucmd_agx_kernel_gem_bind_object(k, &a);
}

static void put_op(uint32_t at, uint32_t flags, uint32_t handle, uint64_t offset, uint64_t range,
                   uint64_t addr)
{
    const struct gpucmd_drm_asahi_gem_bind_op op = {flags, handle, offset, range, addr};
    agx_convert(GPUCMD_STRUCT_drm_asahi_gem_bind_op, user + at, &op);
}

static int vm_bind(uint32_t vm, uint32_t count, uint32_t stride)
{
    const struct gpucmd_drm_asahi_vm_bind a = {vm, count, stride, 0, USER_VA};
    return gpucmd_agx_kernel_vm_bind(k, &a);
}

static int bind(uint32_t vm, uint32_t flags, uint32_t handle, uint64_t offset, uint64_t range,
                uint64_t addr)
{
    put_op(0, flags, handle, offset, range, addr);
    refused_save(&w_);
    return vm_bind(vm, 1, 32);
}

/* Members pad that the driver never looks at; an empty object. */
static void pads(void)
{
    const struct gpucmd_drm_asahi_vm_destroy vm = {2, 7};
    const struct gpucmd_drm_asahi_queue_destroy queue = {9, 7};
    setup();
    TAKES(vm_create(0x7000000000u, 0x7020000000u, 7));
    EXPECT(2, "vm_id 2 names no VM", gpucmd_agx_kernel_vm_destroy(k, &vm));
    EXPECT(2, "queue_id 9 names no queue", gpucmd_agx_kernel_queue_destroy(k, &queue));
    TAKES(gem_create(1, 0, 0, 7));
    EXPECT(28, "size 0x0 is zero", gem_create(0, 0, 0, 7));
    EXPECT(22, "flags 0x4 has bits outside 0x3", gem_create(0, 4, 0, 0));
    EXPECT(22, "vm_id 1 without flag VM_PRIVATE", gem_create(0, 0, 1, 0));
    EXPECT(2, "vm_id 9 names no VM", gem_create(0, 2, 9, 0));
    EXPECT(28, "size 0x0 is zero", gem_create(0, 2, 1, 0));
    EXPECT(22, "size 0xffffffffffffffff is not 1 to 2^64 - 16 KiB",
           gem_create(~(uint64_t)0, 0, 0, 0));
}

/* A kernel window is shrunk to multiples of 32 KiB. */
static void windows(void)
{
    setup();
    TAKES(vm_create(0x1080004000u, 0x10a000c000u, 0));
    EQUAL(w_.vms[0].kernel_start, 0x1080008000u);
    EQUAL(w_.vms[0].kernel_end, 0x10a0008000u);
    EXPECT(22,
           "kernel window 0x1080004000 + 0x1fffc000 is not 0x20000000 or more bytes in whole "
           "pages of the addresses from 0x4000 on",
           vm_create(0x1080004000u, 0x10a0000000u, 0)); /* too short before it is shrunk */
    TAKES(gem_create(0x4000, 0, 0, 0));
    TAKES(bind(1, RW, 1, 0, 0x4000, 0x1080004000u));
    EXPECT(22, "addr 0x1080008000 + 0x4000 overlaps the kernel window 0x1080008000 to 0x10a0008000",
           bind(1, RW, 1, 0, 0x4000, 0x1080008000u));
    TAKES(bind(1, RW, 1, 0, 0x4000, 0x10a0008000u));
    EXPECT(22, "addr 0x10a0004000 + 0x4000 overlaps the kernel window 0x1080008000 to 0x10a0008000",
           bind(1, RW, 1, 0, 0x4000, 0x10a0004000u));
    k->behavior = GPUCMD_AGX_BEHAVIOR_TEXT;
    TAKES(vm_create(0x1080004000u, 0x10a000c000u, 0));
    EQUAL(w_.vms[1].kernel_start, 0x1080004000u);
    EQUAL(w_.vms[1].kernel_end, 0x10a000c000u);
}

/* Each operation breaks one rule more than the operation before. */
static void bind_order(void)
{
    setup();
    TAKES(vm_create(0x7000000000u, 0x7020000000u, 0));
    TAKES(vm_create(0x7000000000u, 0x7020000000u, 0));
    TAKES(gem_create(0x8000, 0, 0, 0));
    TAKES(gem_create(0x8000, 2, 2, 0));
    EXPECT(22, "object 2 is private to another VM than 1", bind(1, RW, 2, 0, 0x4000, 0x4000));
    EXPECT(22, "addr 0x7000000000 + 0x4000 overlaps the kernel window 0x7000000000 to 0x7020000000",
           bind(1, RW, 2, 0, 0x4000, 0x7000000000u));
    EXPECT(2, "vm_id 9 names no VM", bind(9, RW, 2, 0, 0x4000, 0x7000000000u));
    EXPECT(22, "flags 0x0 has neither READ nor WRITE", bind(9, 0, 2, 0, 0x4000, 0x7000000000u));
    EXPECT(22, "addr 0x0 + 0x4000 is outside the addresses 0x4000 to 0x7fffff8000 of a VM",
           bind(9, 0, 2, 0, 0x4000, 0));
    EXPECT(22, "offset 0x4000 + 0x8000 exceeds object 1 (0x8000)",
           bind(9, 0, 1, 0x4000, 0x8000, 0));
    EXPECT(22,
           "addr 0xffffffffffffc000 + 0x8000 is outside the addresses 0x4000 to 0x7fffff8000 "
           "of a VM",
           bind(9, 0, 1, 0x4000, 0x8000, 0xffffffffffffc000u));
    EXPECT(2, "handle 9 names no object", bind(9, 0, 9, 0x4000, 0x8000, 0xffffffffffffc000u));
    EXPECT(22, "flags 0x10 has bits outside 0xe",
           bind(9, 16, 9, 0x4000, 0x8000, 0xffffffffffffc000u));
    EXPECT(22, "offset 0x4001 is not a multiple of 0x4000",
           bind(9, 16, 9, 0x4001, 0x8000, 0xffffffffffffc000u));
    EXPECT(22, "range 0x8001 is not a multiple of 0x4000",
           bind(9, 16, 9, 0x4001, 0x8001, 0xffffffffffffc000u));
    EXPECT(22, "addr 0x1 is not a multiple of 0x4000", bind(9, 16, 9, 0x4001, 0x8001, 1));
    /* SINGLE_PAGE: one page of the object counts */
    TAKES(bind(1, RW | 8, 1, 0x4000, 0x100000, 0x4000));
    EXPECT(22, "offset 0x8000 + 0x4000 exceeds object 1 (0x8000)",
           bind(1, RW | 8, 1, 0x8000, 0x100000, 0x4000));
    EXPECT(22, "offset 0xffffffffffffc000 + 0x4000 exceeds object 1 (0x8000)",
           bind(1, RW | 8, 1, 0xffffffffffffc000u, 0x100000, 0x4000));
}

static void unbind_order(void)
{
    setup();
    TAKES(vm_create(0x7000000000u, 0x7020000000u, 0));
    TAKES(gem_create(0x8000, 0, 0, 0));
    TAKES(bind(1, UN, 0, 0, 0x4000, 0x4000)); /* nothing is mapped there */
    EXPECT(22, "addr 0x7000000000 + 0x4000 overlaps the kernel window 0x7000000000 to 0x7020000000",
           bind(1, UN, 0, 0, 0x4000, 0x7000000000u));
    EXPECT(2, "vm_id 9 names no VM", bind(9, UN, 0, 0, 0x4000, 0x7000000000u));
    EXPECT(22, "addr 0x0 + 0x4000 is outside the addresses 0x4000 to 0x7fffff8000 of a VM",
           bind(9, UN, 0, 0, 0x4000, 0));
    EXPECT(22,
           "addr 0x4000 + 0xffffffffffffc000 is outside the addresses 0x4000 to 0x7fffff8000 "
           "of a VM",
           bind(9, UN, 0, 0, 0xffffffffffffc000u, 0x4000));
    EXPECT(22, "range 0x4001 is not a multiple of 0x4000", bind(9, UN, 0, 0, 0x4001, 0));
    EXPECT(22, "flags 0x3 has bits outside 0x1", bind(9, UN | 2, 0, 0, 0x4001, 0));
    EXPECT(22, "handle 0x1 of an unbind is not 0", bind(9, UN | 2, 1, 0, 0x4001, 0));
    EXPECT(22, "offset 0x4000 of an unbind is not 0", bind(9, UN | 2, 1, 0x4000, 0x4001, 0));
}

/* range = 0: after the VM is found, the address decides; nothing is mapped or unmapped. */
static void empty_ranges(void)
{
    static const struct {
        uint64_t addr;
        int err;
        const char *says;
    } rows[] = {
        {0x4000,        0,  "all checks passed"                                                     },
        {0x7fffff8000u, 0,  "all checks passed"                                                     },
        {0x7000000000u, 0,  "all checks passed"                                                     },
        {0x7020000000u, 0,  "all checks passed"                                                     },
        {0,             22, "addr 0x0 + 0x0 is outside the addresses 0x4000 to 0x7fffff8000 of a VM"},
        {0x7fffffc000u, 22,
         "addr 0x7fffffc000 + 0x0 is outside the addresses 0x4000 to 0x7fffff8000 of a VM"          },
        {0x7000004000u, 22,
         "addr 0x7000004000 + 0x0 overlaps the kernel window 0x7000000000 to 0x7020000000"          },
        {0x701fffc000u, 22,
         "addr 0x701fffc000 + 0x0 overlaps the kernel window 0x7000000000 to 0x7020000000"          },
    };
    setup();
    TAKES(vm_create(0x7000000000u, 0x7020000000u, 0));
    TAKES(gem_create(0x8000, 0, 0, 0));
    TAKES(bind(1, RW, 1, 0, 0x8000, 0x4000));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        EXPECT(rows[i].err, rows[i].says, bind(1, RW, 1, 0x8000, 0, rows[i].addr));
        EXPECT(rows[i].err, rows[i].says, bind(1, UN, 0, 0, 0, rows[i].addr));
    }
    EXPECT(2, "vm_id 9 names no VM", bind(9, RW, 1, 0, 0, 0));
    EXPECT(22, "flags 0x0 has neither READ nor WRITE", bind(9, 0, 1, 0, 0, 0));
    EXPECT(2, "handle 9 names no object", bind(9, RW, 9, 0, 0, 0));
    EXPECT(22, "offset 0xc000 + 0x0 exceeds object 1 (0x8000)", bind(1, RW, 1, 0xc000, 0, 0x4000));
    EQUAL(k->maps.count, 1);
}

static void bind_arrays(void)
{
    setup();
    TAKES(vm_create(0x7000000000u, 0x7020000000u, 0));
    TAKES(gem_create(0x8000, 0, 0, 0));
    TAKES(vm_bind(9, 0, 32)); /* no operation: the VM is not looked up */
    EXPECT(22, "stride 0x10000 times 65536 binds exceeds 32 bits", vm_bind(1, 0x10000, 0x10000));
    EXPECT(14, "the array of binds cannot be read: 0x7f0000000000", vm_bind(1, 0x10000, 0xffff));
    /* a stride above 32 is read as 32: the second bind is the tail of the first */
    put_op(0, RW, 1, 0, 0x4000, 0x4000);
    put_op(32, RW, 1, 0, 0x4000, 0x10000);
    put_op(64, RW, 9, 0, 0x4000, 0x20000);
    TAKES(vm_bind(1, 2, 64));
    EQUAL(k->maps.count, 2);
    EQUAL(w_.maps[1].va, 0x10000);
    /* binds before the refused one stay; the finding has its index and offset */
    put_op(0, RW, 1, 0, 0x4000, 0x30000);
    put_op(32, RW, 1, 0x4000, 0x8000, 0x40000);
    expect(vm_bind(1, 2, 32), 22, "offset 0x4000 + 0x8000 exceeds object 1 (0x8000)", __LINE__);
    EQUAL(k->maps.count, 3);
    char text[192];
    gpucmd_text t;
    gpucmd_why why;
    gpucmd_text_init(&t, text, sizeof text);
    gpucmd_agx_print_finding(&t, &k->finding);
    TEXT(text, "0x20, bind 1: error: BIND_OBJECT_RANGE: offset 0x4000 + 0x8000 exceeds object 1 "
               "(0x8000) (EINVAL)");
    gpucmd_agx_kernel_why(k, NULL, &why);
    EQUAL(why.kind, GPUCMD_WHY_REFUSED);
    gpucmd_text_init(&t, text, sizeof text);
    gpucmd_print_why(&t, &why);
    TEXT(text, "REFUSED bind 1: offset 0x4000 EINVAL: offset 0x4000 + 0x8000 exceeds object 1 "
               "(0x8000)\n");
    TAKES(vm_bind(1, 1, 32));
    gpucmd_agx_kernel_why(k, NULL, &why);
    EQUAL(why.kind, GPUCMD_WHY_IDLE);
}

/* All timestamp objects share 64 MiB: 4096 pages, best fit. */
static void timestamp_space(void)
{
    static world other;
    setup();
    TAKES(gem_create(0x4000000, 0, 0, 0));
    EXPECT(28, "range 0x0 has no room in the 0x4000000 bytes for timestamps of all files",
           gem_bind_object(1, 0, 0));
    TAKES(gem_bind_object(1, 0, 0x3ff0000)); /* 1: pages 0 to 4091 */
    TAKES(gem_bind_object(1, 0, 0x8000));    /* 2: pages 4092, 4093 */
    EXPECT(28, "range 0xc000 has no room in the 0x4000000 bytes for timestamps of all files",
           gem_bind_object(1, 0, 0xc000));
    TAKES(unbind_object(1));
    TAKES(gem_bind_object(1, 0, 0x8000)); /* 1: best fit: 4094, 4095 */
    EQUAL(w_.places[w_.objects[0].place - 1].at_pages, 4094);
    TAKES(gem_bind_object(1, 0, 0x3ff0000)); /* 3 */
    EQUAL(w_.places[w_.objects[2].place - 1].at_pages, 0);
    /* another file of the GPU has the same addresses */
    EQUAL(world_init(&other), GPUCMD_OK);
    other.k.places_of = k;
    struct gpucmd_drm_asahi_gem_create gem = {0x4000, 0, 0, 0, 0};
    struct gpucmd_drm_asahi_gem_bind_object object = {0, 1, 1, 0, 0, 0x4000, 0, 0};
    EQUAL(gpucmd_agx_kernel_gem_create(&other.k, &gem), 0);
    EQUAL(gpucmd_agx_kernel_gem_bind_object(&other.k, &object), -28);
    TAKES(unbind_object(2));
    EQUAL(gpucmd_agx_kernel_gem_bind_object(&other.k, &object), 0);
    EXPECT(28, "range 0x8000 has no room in the 0x4000000 bytes for timestamps of all files",
           gem_bind_object(1, 0, 0x8000));
    TAKES(gem_bind_object(1, 0, 0x4000));
    /* an object that is private, and one beyond its end, are refused before */
    TAKES(vm_create(0x7000000000u, 0x7020000000u, 0));
    TAKES(gem_create(0x4000, 2, 1, 0));
    EXPECT(22, "object 2 is private", gem_bind_object(2, 0, 0x4000));
    EXPECT(22, "offset 0x4000 + 0x4000 exceeds object 2 (0x4000)",
           gem_bind_object(2, 0x4000, 0x4000));
    EXPECT(2, "handle 9 names no object", gem_bind_object(9, 0, 0x4000));
    TAKES(gem_create(0x8000000, 0, 0, 0));
    EXPECT(28, "range 0x4004000 has no room in the 0x4000000 bytes for timestamps of all files",
           gem_bind_object(3, 0, 0x4004000));
    EXPECT(22, "range 0x5 is not a multiple of 0x4000", gem_bind_object(9, 0, 5));
}

/* The first of two gaps fits better than the larger one after it. */
static void first_gap(void)
{
    setup();
    TAKES(gem_create(0x8000, 0, 0, 0));
    TAKES(gem_bind_object(1, 0, 0x8000)); /* pages 0, 1 */
    TAKES(gem_bind_object(1, 0, 0x4000)); /* page 2 */
    TAKES(unbind_object(1));
    TAKES(gem_bind_object(1, 0, 0x4000));
    EQUAL(w_.places[w_.objects[0].place - 1].at_pages, 0);
}

/* An ioctl that is refused as a whole: the reason names no command and no member. */
static void refused_whole(void)
{
    char text[192];
    gpucmd_text t;
    gpucmd_why why;
    setup();
    EQUAL(gpucmd_agx_kernel_ioctl(k, 0x4028644B, NULL), -22);
    gpucmd_agx_kernel_why(k, NULL, &why);
    EQUAL(why.kind, GPUCMD_WHY_REFUSED);
    TEXT(why.reg, "");
    gpucmd_text_init(&t, text, sizeof text);
    gpucmd_print_why(&t, &why);
    TEXT(text, "REFUSED ioctl 0: EINVAL: ioctl is unknown\n");
}

static int submit(uint32_t bytes)
{
    const struct gpucmd_drm_asahi_submit a = {0, USER_VA, 0, 1, 0, 0, bytes, 0};
    return gpucmd_agx_kernel_submit(k, &a);
}

static void setup_queue(void)
{
    struct gpucmd_drm_asahi_queue_create q = {0, 1, 1, 0, 0};
    setup();
    TAKES(vm_create(0x7000000000u, 0x7020000000u, 0));
    TAKES(gpucmd_agx_kernel_queue_create(k, &q));
}

/* Write a command header. */
static void put_header(uint32_t at, uint32_t type, uint32_t size, uint32_t barriers)
{
    gpucmd_store32(user + at, type | size << 16, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store32(user + at + 4, barriers, GPUCMD_LITTLE_ENDIAN);
}

/* A payload longer than the structure: the driver takes the tail as the next header. */
static void long_payloads(void)
{
    setup_queue();
    put_header(0, 1, 72, 0xffffffff); /* 8 bytes of zeros: a render of size 0, width 0 */
    EXPECT(22, "width or height is not 1 to 16384", submit(80));
    EQUAL(k->finding.rule, GPUCMD_AGX_RULE_RENDER_SIZE);
    EQUAL(k->finding.command, 1);
    EQUAL(k->finding.at_bytes, 72);
    put_header(0, 1, 68, 0xffffffff); /* 4 bytes: no whole header */
    EXPECT(22, "fewer than 8 bytes remain for a command header: 0x4", submit(76));
    EQUAL(k->finding.at_bytes, 72);
    /* the header after 24 bytes is 00 01 00 18 00 ff ff ff: type 0x100, vdm_barrier 0xff00 */
    put_header(0, 3, 25, 0xffffffff); /* an attachment and a byte */
    put_header(33, 1, 24, 0xffffffff);
    EXPECT(22, "vdm_barrier 65280 exceeds the 0 renders before it", submit(65));
    /* the tail may be a command: one command is counted, and two are taken */
    memset(user, 0, sizeof user);
    put_header(0, 1, 64 + 8 + 24, 0xffffffff);
    put_header(72, 1, 24, 0x0001ffff);
    TAKES(submit(104));
    EQUAL(k->job.count, 2);
    EQUAL(k->job.commands[1].compute_barrier, 1);
    EQUAL(k->job.commands[1].off_bytes, 72);
    k->behavior = GPUCMD_AGX_BEHAVIOR_TEXT;
    EXPECT(22, "bytes after the known payload are not zero: 0x60", submit(104));
    put_header(72, 0, 0, 0);
    TAKES(submit(104));
    EQUAL(k->job.count, 1);
}

/* Tails can make more hardware commands than 64. The compute at 0 is one of them. */
static void many_tails(void)
{
    const uint32_t end = 72 + 64 * 8;
    setup_queue();
    put_header(0, 1, end - 8, 0xffffffff);
    for (uint32_t at = 72; at < end; at += 8) {
        put_header(at, 1, 0, 0xffffffff);
    }
    EXPECT(22, "65 hardware commands; 1 to 64 are valid", submit(end));
    put_header(end - 8, 5, 0, 0xffffffff); /* 64, then an unknown type */
    EXPECT(22, "cmd_type is unknown: 0x5", submit(end));
    put_header(end - 8, 2, 0, 0xffffffff); /* 64, then an empty list of attachments */
    TAKES(submit(end));
    EQUAL(k->job.count, 64);
}

/* A destroyed timestamp object keeps its addresses until jobs that use it have ended. */
static void places_of_jobs(void)
{
    setup_queue();
    TAKES(gem_create(0x4000000, 0, 0, 0));
    TAKES(gem_bind_object(1, 0, 0x4000000));
    put_header(0, 1, 64, 0xffffffff);
    gpucmd_store32(user + 8 + 48, 1, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store32(user + 8 + 56, 1, GPUCMD_LITTLE_ENDIAN);
    TAKES(submit(72));
    TAKES(unbind_object(1));
    EXPECT(28, "range 0x4000 has no room in the 0x4000000 bytes for timestamps of all files",
           gem_bind_object(1, 0, 0x4000));
    EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 100), GPUCMD_RUN_IDLE);
    TAKES(gem_bind_object(1, 0, 0x4000));
    EQUAL(w_.places[w_.objects[0].place - 1].refs, 1);
}

/* What a finding of SUBMIT and of other calls compares. */
static void findings(void)
{
    struct gpucmd_drm_asahi_submit a = {0, USER_VA, 0, 9, 0, 0, 72, 0};
    struct gpucmd_drm_asahi_queue_create q = {0, 1, 3, 0, 0};
    struct gpucmd_drm_asahi_sync s = {1, 1, 9};
    uint32_t handle = 0;
    setup_queue();
    EXPECT(22, "priority 3 is above MEDIUM (1)", gpucmd_agx_kernel_queue_create(k, &q));
    EXPECT(2, "queue_id 9 names no queue", gpucmd_agx_kernel_submit(k, &a));
    a.queue_id = 1;
    EQUAL(gpucmd_syncobj_create(&k->syncobjs, 0, &handle), 0);
    EQUAL(handle, 1);
    EQUAL(gpucmd_syncobj_signal(&k->syncobjs, 1, 5), 0);
    agx_convert(GPUCMD_STRUCT_drm_asahi_sync, user + 512, &s);
    a.syncs = USER_VA + 512;
    a.in_sync_count = 1;
    put_header(0, 1, 64, 0x0002ffff);
    EXPECT(22, "timeline_value 0x9 exceeds the newest point 0x5 of sync object 1",
           gpucmd_agx_kernel_submit(k, &a));
    s.timeline_value = 5; /* a point that the CPU signalled is an in-sync */
    agx_convert(GPUCMD_STRUCT_drm_asahi_sync, user + 512, &s);
    EXPECT(22, "cdm_barrier 2 exceeds the 0 computes before it", gpucmd_agx_kernel_submit(k, &a));
    put_header(0, 1, 64, 0xffffffff);
    gpucmd_store32(user + 8 + 48, 1, GPUCMD_LITTLE_ENDIAN);
    EXPECT(2, "timestamp handle 1 names no timestamp object", gpucmd_agx_kernel_submit(k, &a));
    TAKES(gem_create(0x4000, 0, 0, 0));
    TAKES(gem_bind_object(1, 0, 0x4000));
    gpucmd_store32(user + 8 + 52, 0x3ffc, GPUCMD_LITTLE_ENDIAN);
    EXPECT(34, "timestamp offset 0x3ffc + 0x8 exceeds timestamp object 1 (0x4000)",
           gpucmd_agx_kernel_submit(k, &a));
    gpucmd_store32(user + 8 + 52, 0x3ff8, GPUCMD_LITTLE_ENDIAN);
    TAKES(gpucmd_agx_kernel_submit(k, &a));
}

int main(void)
{
    pads();
    windows();
    bind_order();
    unbind_order();
    empty_ranges();
    bind_arrays();
    timestamp_space();
    first_gap();
    refused_whole();
    long_payloads();
    many_tails();
    places_of_jobs();
    findings();
    return test_report("agx_driver");
}

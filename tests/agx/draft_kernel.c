/* agx/draft_kernel.c - the model kernel of the draft UAPI: its limits on binds, queues with
 * capabilities, the published submission with its result buffer, failures in results. */
/* suite: regions */
#include "gpucmd_agx.h"
#include "agx/agx.h"
#include "agx/vectors.h"
#include "agx/world.h"
#include "agx/refused.h"

#define DRAFT_NONE 0xffffffffu

static world w_;
static gpucmd_agx_kernel *const k = &w_.k;
static gpucmd_agx_draft draft;

/* The caller's memory: syncs, payloads, commands, at the addresses of the known bytes. */
#define SYNC_VA    0x7f0000001000u
#define PAYLOAD_VA 0x7f0000500000u
#define COMMAND_VA 0x7f0000600000u
static uint8_t syncs[0x1000], payloads[0x8000], commands[0x2000];
static gpucmd_region regions[3];
static gpucmd_mem mem;

static void setup(gpucmd_agx_draft flavour)
{
    EQUAL(world_init(&w_), GPUCMD_OK);
    draft = flavour;
    memset(syncs, 0, sizeof syncs);
    memset(payloads, 0, sizeof payloads);
    memset(commands, 0, sizeof commands);
    regions[0].va = SYNC_VA;
    regions[0].bytes = sizeof syncs;
    regions[0].host = syncs;
    regions[1].va = PAYLOAD_VA;
    regions[1].bytes = sizeof payloads;
    regions[1].host = payloads;
    regions[2].va = COMMAND_VA;
    regions[2].bytes = sizeof commands;
    regions[2].host = commands;
    for (int i = 0; i < 3; i++) {
        regions[i].access_mask = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
    }
    EQUAL(gpucmd_mem_init(&mem, regions, 3), GPUCMD_OK);
    k->user = &mem;
    k->exec.durations.ring[0] = 4;
    k->exec.durations.ring[1] = 2;
    k->exec.durations.ring[2] = 3;
}

static void expect(int got, int err, gpucmd_agx_rule rule, const char *file, int line)
{
    test_equal((uint64_t)(int64_t)-got, (uint64_t)(int64_t)err, file, line, "errno");
    if (!test_equal(k->finding.rule, rule, file, line, "rule")) {
        printf("    got %s\n", gpucmd_agx_rule_name(k->finding.rule));
    }
}

static const char *last_call; /* name of its argument */

/* Call an ioctl. If it is refused, the kernel is as before. */
#define EXPECT(call, err, rule)                                                                    \
    do {                                                                                           \
        refused_save(&w_);                                                                         \
        const int got_ = (call);                                                                   \
        CHECK(got_ == 0 || refused_same(&w_));                                                     \
        if (got_ != 0) {                                                                           \
            refused_saw(last_call, k);                                                             \
        }                                                                                          \
        expect(got_, (err), GPUCMD_AGX_RULE_##rule, __FILE__, __LINE__);                           \
    } while (0)
#define TAKES(call) EXPECT(call, 0, NONE)

static int call(uint32_t request, void *arg)
{
    last_call = "unknown";
#define IOCTL(name, argument)                                                                      \
    last_call = request == GPUCMD_DRM_IOCTL_ASAHI_##name ? #argument : last_call;
    GPUCMD_AGX_DRAFT_IOCTLS(IOCTL)
#undef IOCTL
    return gpucmd_agx_kernel_draft_ioctl(k, draft, request, arg);
}

static int vm_create(void)
{
    struct gpucmd_drm_asahi_draft06_vm_create a06 = {0, 0, 0};
    struct gpucmd_drm_asahi_draft11_vm_create a11 = {0, 0x7000000000u, 0x7020000000u, 0, 0};
    return draft == GPUCMD_AGX_DRAFT_10006 ? call(0xC0106441, &a06) : call(0xC0206441, &a11);
}

static int gem_create(uint64_t size, uint32_t flags, uint32_t vm_id)
{
    struct gpucmd_drm_asahi_draft_gem_create a = {0, size, flags, vm_id, 0, 0};
    return call(0xC0206443, &a);
}

static int bind(uint32_t op, uint32_t flags, uint32_t handle, uint32_t vm_id, uint64_t offset,
                uint64_t range, uint64_t addr)
{
    struct gpucmd_drm_asahi_draft_gem_bind a = {0, op, flags, handle, vm_id, offset, range, addr};
    return call(0x40306445, &a);
}

static int queue_create(uint32_t caps, uint32_t priority, uint32_t vm_id)
{
    struct gpucmd_drm_asahi_draft_queue_create a = {0, 0, vm_id, caps, priority, 0, 0};
    return call(0xC0206446, &a);
}

/* ---- calls without a rule of their own ---- */

/* Each ioctl rejects each bit of extensions, whatever else is in the argument. */
static void extensions(void)
{
    static const uint32_t requests[] = {
#define IOCTL(name, argument) GPUCMD_DRM_IOCTL_ASAHI_##name,
        GPUCMD_AGX_DRAFT_IOCTLS(IOCTL)
#undef IOCTL
    };
    for (size_t i = 0; i < 64 * sizeof requests / sizeof requests[0]; i++) {
        uint64_t argument[16] = {(uint64_t)1 << i % 64};
        const uint32_t request = requests[i / 64];
        setup(request == GPUCMD_DRM_IOCTL_ASAHI_DRAFT11_VM_CREATE ? GPUCMD_AGX_DRAFT_10011
                                                                  : GPUCMD_AGX_DRAFT_10006);
        EXPECT(call(request, argument), 22, DRAFT_EXTENSIONS);
    }
}

/* Numbers that calls return. */
static void numbers(void)
{
    struct gpucmd_drm_asahi_draft_gem_create g = {0, 0x4000, 0, 0, 0, 0};
    struct gpucmd_drm_asahi_draft_queue_create q = {0, 0, 1, 1, 1, 0, 0};
    setup(GPUCMD_AGX_DRAFT_10006);
    TAKES(vm_create());
    for (uint32_t n = 1; n <= 2; n++) {
        TAKES(call(0xC0206443, &g));
        EQUAL(g.handle, n);
        TAKES(call(0xC0206446, &q));
        EQUAL(q.queue_id, n);
    }
}

static void small_calls(void)
{
    struct gpucmd_drm_asahi_draft_get_params p = {0, 0, 0, PAYLOAD_VA, 400};
    struct gpucmd_drm_asahi_draft06_vm_create vm = {1, 0, 1};
    struct gpucmd_drm_asahi_draft_vm_destroy vd = {1, 9, 0};
    struct gpucmd_drm_asahi_draft_gem_create g = {1, 1, 0, 0, 0, 0};
    struct gpucmd_drm_asahi_draft_gem_mmap_offset m = {1, 1, 0, 0};
    struct gpucmd_drm_asahi_draft_gem_bind b = {1, 0, 1, 1, 1, 0, 0x4000, 0x2000000000u};
    struct gpucmd_drm_asahi_draft_queue_create q = {1, 1, 1, 7, 0, 0, 0};
    struct gpucmd_drm_asahi_draft_queue_destroy qd = {1, 9, 0};
    setup(GPUCMD_AGX_DRAFT_10006);
    k->finding.rule = GPUCMD_AGX_RULE_IOCTL_UNKNOWN;
    k->finding.command = 3;
    EXPECT(call(0xC0206441, &vm), 22, IOCTL_UNKNOWN); /* the other draft's */
    EQUAL(k->finding.command, -1);                    /* not the place of an earlier call */
    EXPECT(call(0xC0286449, &vm), 22, IOCTL_UNKNOWN); /* GET_TIME */
    EXPECT(call(0xC0186442, &vm), 22, IOCTL_UNKNOWN); /* upstream VM_CREATE */
    EXPECT(call(0xC0106441, &vm), 22, DRAFT_EXTENSIONS);
    vm.extensions = 0;
    EXPECT(call(0xC0106441, &vm), 22, PAD);
    TAKES(vm_create());
    EQUAL(w_.vms[0].kernel_start, 0);
    EQUAL(w_.vms[0].kernel_end, 0);
    EXPECT(call(0x40106442, &vd), 22, DRAFT_EXTENSIONS);
    vd.extensions = 0;
    EXPECT(call(0x40106442, &vd), 2, VM_UNKNOWN);
    EXPECT(call(0xC0206443, &g), 22, DRAFT_EXTENSIONS);
    EXPECT(gem_create(1, 4, 0), 22, FLAGS);
    EXPECT(gem_create(1, 0, 1), 22, GEM_VM_ID);
    EXPECT(gem_create(1, 2, 9), 2, VM_UNKNOWN);
    TAKES(gem_create(1, 0, 0));
    EXPECT(call(0xC0186444, &m), 22, DRAFT_EXTENSIONS);
    m.extensions = 0;
    TAKES(call(0xC0186444, &m));
    CHECK(m.offset != 0);
    EXPECT(call(0x40306445, &b), 22, DRAFT_EXTENSIONS);
    EXPECT(call(0xC0206446, &q), 22, DRAFT_EXTENSIONS);
    q.extensions = 0;
    EXPECT(call(0xC0206446, &q), 22, FLAGS);
    EXPECT(queue_create(0, 0, 1), 22, DRAFT_QUEUE_CAPS);
    EXPECT(queue_create(8, 0, 1), 22, DRAFT_QUEUE_CAPS);
    EXPECT(queue_create(7, 4, 9), 22, QUEUE_PRIORITY);
    q.flags = 0;
    q.vm_id = 9;
    q.queue_id = 77;
    EXPECT(call(0xC0206446, &q), 2, VM_UNKNOWN);
    EQUAL(q.queue_id, 77);
    TAKES(queue_create(7, 0, 1)); /* 0 is the highest in the draft, 3 upstream */
    EQUAL(w_.queues[0].priority, GPUCMD_DRM_ASAHI_PRIORITY_REALTIME);
    TAKES(queue_create(4, 3, 1));
    EQUAL(w_.queues[1].priority, GPUCMD_DRM_ASAHI_PRIORITY_LOW);
    EXPECT(call(0x40106447, &qd), 22, DRAFT_EXTENSIONS);
    qd.extensions = 0;
    EXPECT(call(0x40106447, &qd), 2, QUEUE_UNKNOWN);
    qd.queue_id = 2;
    TAKES(call(0x40106447, &qd));
    /* parameters, by their offsets */
    p.extensions = 1;
    EXPECT(call(0xC0206440, &p), 22, DRAFT_EXTENSIONS);
    p.extensions = 0;
    p.param_group = 1;
    EXPECT(call(0xC0206440, &p), 22, PARAM_GROUP);
    p.param_group = 0;
    p.pad = 1;
    EXPECT(call(0xC0206440, &p), 22, PAD);
    p.pad = 0;
    k->crashed = true;
    EXPECT(call(0xC0206440, &p), 19, CRASHED);
    k->crashed = false;
    p.pointer = 1;
    EXPECT(call(0xC0206440, &p), 14, ARGUMENT_FAULT);
    p.pointer = PAYLOAD_VA;
    TAKES(call(0xC0206440, &p));
    EQUAL(gpucmd_load32(payloads, GPUCMD_LITTLE_ENDIAN), 10006);
    EQUAL(gpucmd_load32(payloads + 320, GPUCMD_LITTLE_ENDIAN), 0x4000);
    EQUAL(gpucmd_load64(payloads + 328, GPUCMD_LITTLE_ENDIAN), 0x2000000000u);
    EQUAL(gpucmd_load64(payloads + 336, GPUCMD_LITTLE_ENDIAN), 0x5FFFFFFFFFu);
    EQUAL(gpucmd_load64(payloads + 344, GPUCMD_LITTLE_ENDIAN), 0x1100000000u);
    EQUAL(gpucmd_load64(payloads + 352, GPUCMD_LITTLE_ENDIAN), 0x11FFFFFFFFu);
    EQUAL(gpucmd_load32(payloads + 360, GPUCMD_LITTLE_ENDIAN), 64);
    EQUAL(gpucmd_load32(payloads + 364, GPUCMD_LITTLE_ENDIAN), 64);
    EQUAL(gpucmd_load32(payloads + 368, GPUCMD_LITTLE_ENDIAN), 1024);
    EQUAL(gpucmd_load32(payloads + 372, GPUCMD_LITTLE_ENDIAN), 16);
    EQUAL(gpucmd_load32(payloads + 392, GPUCMD_LITTLE_ENDIAN), 96);
    EQUAL(gpucmd_load32(payloads + 396, GPUCMD_LITTLE_ENDIAN), 56);
    memset(payloads, 0xee, sizeof payloads);
    p.size = 1000;
    TAKES(call(0xC0206440, &p));
    EQUAL(payloads[399], 0);
    EQUAL(payloads[400], 0xee);
    setup(GPUCMD_AGX_DRAFT_10011);
    EXPECT(call(0xC0106441, &vm), 22, IOCTL_UNKNOWN);
    struct gpucmd_drm_asahi_draft11_vm_create vm11 = {1, 0x7000000000u, 0x7020000000u, 77, 1};
    EXPECT(call(0xC0206441, &vm11), 22, DRAFT_EXTENSIONS);
    vm11.extensions = 0;
    EXPECT(call(0xC0206441, &vm11), 22, PAD);
    vm11.pad = 0;
    vm11.kernel_end = 0x7000004000u;
    EXPECT(call(0xC0206441, &vm11), 22, VM_WINDOW);
    EQUAL(vm11.vm_id, 77);
    vm11.kernel_end = 0x7020000000u;
    TAKES(call(0xC0206441, &vm11));
    EQUAL(vm11.vm_id, 1);
    EQUAL(w_.vms[0].kernel_start, 0x7000000000u);
    EQUAL(w_.vms[0].kernel_end, 0x7020000000u);
    memset(payloads, 0xee, sizeof payloads);
    p.size = 1000;
    TAKES(call(0xC0206440, &p));
    EQUAL(gpucmd_load32(payloads, GPUCMD_LITTLE_ENDIAN), 10011);
    EQUAL(gpucmd_load64(payloads + 360, GPUCMD_LITTLE_ENDIAN), 0x20000000);
    EQUAL(gpucmd_load32(payloads + 368, GPUCMD_LITTLE_ENDIAN), 0); /* syncs: no limit */
    EQUAL(gpucmd_load32(payloads + 400, GPUCMD_LITTLE_ENDIAN), 96);
    EQUAL(payloads[424], 0xee);
    k->user = NULL;
    EXPECT(call(0xC0206440, &p), 14, ARGUMENT_FAULT);
}

/* All words of GET_PARAMS, at their offsets in 10006 and 10011; what is not in the list is 0. */
static void parameters(void)
{
    static const struct {
        uint32_t at06, at11, value;
    } words[] = {
        {24,  24,  0x101     },
        {28,  28,  0x102     },
        {32,  32,  0x103     },
        {36,  36,  0x104     },
        {40,  40,  0x105     },
        {44,  44,  0x106     },
        {48,  48,  0x107     },
        {320, 320, 0x4000    },
        {328, 999, 0         },
        {332, 999, 0x20      },
        {336, 999, 0xffffffff},
        {340, 999, 0x5f      },
        {344, 999, 0         },
        {348, 999, 0x11      },
        {352, 999, 0xffffffff},
        {356, 999, 0x11      },
        {360, 999, 64        },
        {364, 372, 64        },
        {368, 376, 1024      },
        {372, 380, 16        },
        {376, 384, 24000000  },
        {384, 392, 0x108     },
        {392, 400, 96        },
        {396, 404, 56        },
        {999, 328, 0x4000    },
        {999, 332, 0x11      },
        {999, 336, 0x7fff    },
        {999, 340, 0x22      },
        {999, 360, 0x40000000},
        {999, 364, 0         },
    };
    for (uint32_t later = 0; later < 2; later++) {
        const uint32_t len = later == 0 ? 400 : 424;
        struct gpucmd_drm_asahi_draft_get_params p = {0, 0, 0, PAYLOAD_VA, 424};
        setup(later == 0 ? GPUCMD_AGX_DRAFT_10006 : GPUCMD_AGX_DRAFT_10011);
        k->params.gpu_generation = 0x101;
        k->params.gpu_variant = 0x102;
        k->params.gpu_revision = 0x103;
        k->params.chip_id = 0x104;
        k->params.num_dies = 0x105;
        k->params.num_clusters_total = 0x106;
        k->params.num_cores_per_cluster = 0x107;
        k->params.max_frequency_khz = 0x108;
        k->params.vm_start = 0x1100004000u;
        k->params.vm_end = 0x2200008000u;
        k->params.vm_kernel_min_size = 0x40000000;
        k->timer_hz = 24000000;
        TAKES(call(0xC0206440, &p));
        EQUAL(gpucmd_load32(payloads, GPUCMD_LITTLE_ENDIAN), later == 0 ? 10006 : 10011);
        for (uint32_t at = 4; at < len; at += 4) {
            uint32_t want = 0;
            for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
                want += (later == 0 ? words[i].at06 : words[i].at11) == at ? words[i].value : 0;
            }
            EQUAL(gpucmd_load32(payloads + at, GPUCMD_LITTLE_ENDIAN), want);
        }
    }
}

/* ---- binds ---- */

/* 10006: whole objects, free ranges, unbind by object; unbind by range is not there. */
static void binds06(void)
{
    const uint64_t user = 0x2000000000u;
    setup(GPUCMD_AGX_DRAFT_10006);
    TAKES(vm_create());
    TAKES(vm_create());
    TAKES(gem_create(0x10000, 0, 0)); /* 1: shared, four pages */
    TAKES(gem_create(0x4000, 2, 1));  /* 2: private to VM 1 */
    TAKES(gem_create(0x4000, 0, 0));  /* 3: one page */
    EXPECT(bind(3, 3, 1, 1, 0, 0x10000, user), 22, DRAFT_BIND_OP);
    EXPECT(bind(0, 3, 1, 1, 0x4000, 0xC000, user), 22, DRAFT_BIND_WHOLE);
    EXPECT(bind(0, 3, 1, 1, 0, 0x10000, user + 1), 22, BIND_ALIGN);
    EXPECT(bind(0, 4, 1, 1, 0, 0x10000, user), 22, BIND_FLAGS);
    EXPECT(bind(0, 3, 9, 1, 0, 0x10000, user), 2, GEM_UNKNOWN);
    EXPECT(bind(0, 3, 1, 1, 0, 0xC000, user), 22, DRAFT_BIND_WHOLE);
    EXPECT(bind(0, 3, 1, 1, 0, 0x14000, user), 22, DRAFT_BIND_WHOLE);
    EXPECT(bind(0, 3, 1, 1, 0, 0x10000, user - 0x4000), 22, BIND_WINDOW);
    EXPECT(bind(0, 3, 1, 1, 0, 0x10000, 0x5FFFFF4000u), 22, BIND_WINDOW);
    EXPECT(bind(0, 3, 1, 1, 0, 0x10000, 0x11FFFF4000u), 22, BIND_WINDOW); /* half in, half out */
    EXPECT(bind(0, 3, 1, 1, 0, 0x10000, 0x10FFFFC000u), 22, BIND_WINDOW);
    EXPECT(bind(0, 3, 1, 1, 0, 0x10000, 0x4000), 22, BIND_WINDOW); /* valid upstream */
    EXPECT(bind(0, 3, 1, 1, 0, 0x10000, ~(uint64_t)0x3fff), 22, BIND_WINDOW);
    EXPECT(bind(0, 0, 1, 1, 0, 0x10000, user), 22, BIND_RIGHTS);
    EXPECT(bind(0, 3, 1, 9, 0, 0x10000, user), 2, VM_UNKNOWN);
    EXPECT(bind(0, 3, 2, 2, 0, 0x4000, user), 22, BIND_PRIVATE);
    TAKES(bind(0, 3, 2, 1, 0, 0x4000, user));
    TAKES(bind(0, 1, 1, 1, 0, 0x10000, 0x5FFFFF0000u)); /* up to the last byte */
    TAKES(bind(0, 3, 1, 1, 0, 0x10000, 0x1100000000u));
    EQUAL(k->maps.count, 3);
    /* in use: overlaps a mapping, or the page after it; or its own page after it overlaps the
     * next */
    EXPECT(bind(0, 3, 3, 1, 0, 0x4000, user), 28, DRAFT_BIND_BUSY);
    EXPECT(bind(0, 3, 3, 1, 0, 0x4000, user + 0x4000), 28, DRAFT_BIND_BUSY);
    TAKES(bind(0, 3, 3, 1, 0, 0x4000, user + 0x10000));
    EXPECT(bind(0, 3, 1, 1, 0, 0x10000, user + 0x8000), 28, DRAFT_BIND_BUSY);
    EXPECT(bind(0, 3, 3, 1, 0, 0x4000, user + 0xC000), 28, DRAFT_BIND_BUSY);
    TAKES(bind(0, 3, 3, 1, 0, 0x4000, user + 0x8000)); /* a page to either side */
    TAKES(bind(0, 3, 3, 2, 0, 0x4000, user));          /* another VM: free */
    EQUAL(k->maps.count, 6);
    uint32_t handle = 0;
    uint64_t offset = 0;
    EQUAL(gpucmd_agx_space_translate(&k->maps, &w_.vms[0].space, 0x5FFFFF4000u, GPUCMD_ACCESS_WRITE,
                                     &handle, &offset),
          GPUCMD_AGX_FAULT_READ_ONLY);
    EQUAL(gpucmd_agx_space_translate(&k->maps, &w_.vms[0].space, 0x5FFFFF4000u, GPUCMD_ACCESS_READ,
                                     &handle, &offset),
          GPUCMD_AGX_FAULT_NONE);
    EQUAL(handle, 1);
    EQUAL(offset, 0x4000);
    /* unbind: not by range; by object, with everything else zero */
    EXPECT(bind(1, 0, 0, 1, 0, 0x4000, user), 524, DRAFT_UNBIND);
    EXPECT(bind(2, 1, 3, 1, 0, 0, 0), 22, DRAFT_UNBIND_UNUSED);
    EXPECT(bind(2, 0, 3, 1, 0x4000, 0, 0), 22, DRAFT_UNBIND_UNUSED);
    EXPECT(bind(2, 0, 3, 1, 0, 0x4000, 0), 22, DRAFT_UNBIND_UNUSED);
    EXPECT(bind(2, 0, 3, 1, 0, 0, user), 22, DRAFT_UNBIND_UNUSED);
    EXPECT(bind(2, 0, 9, 1, 0, 0, 0), 2, GEM_UNKNOWN);
    EXPECT(bind(2, 0, 3, 9, 0, 0, 0), 2, VM_UNKNOWN);
    TAKES(bind(2, 0, 3, 1, 0, 0, 0)); /* out of VM 1 only */
    EQUAL(k->maps.count, 4);
    TAKES(bind(2, 0, 3, 0, 0, 0, 0)); /* out of all */
    EQUAL(k->maps.count, 3);
    TAKES(bind(2, 0, 3, 0, 0, 0, 0)); /* no mapping remains: no failure */
}

/* 10011: any range, unbind by range, and by object. */
static void binds11(void)
{
    setup(GPUCMD_AGX_DRAFT_10011);
    TAKES(vm_create());
    TAKES(gem_create(0x10000, 0, 0));
    TAKES(bind(0, 3, 1, 1, 0x4000, 0x8000, 0x1500000000u));
    TAKES(bind(0, 1, 1, 1, 0, 0x4000, 0x1500004000u)); /* over a part of it */
    EQUAL(k->maps.count, 2);
    EXPECT(bind(0, 4, 1, 1, 0, 0x4000, 0x1500000000u), 22, BIND_FLAGS);
    EXPECT(bind(0, 3, 1, 1, 0, 0x4000, 0x7000000000u), 22, BIND_KERNEL_WINDOW);
    EXPECT(bind(1, 1, 0, 1, 0, 0x4000, 0x1500000000u), 22, BIND_FLAGS);
    EXPECT(bind(1, 0, 1, 1, 0, 0x4000, 0x1500000000u), 22, BIND_UNUSED);
    TAKES(bind(1, 0, 0, 1, 0, 0x4000, 0x1500000000u));
    EQUAL(k->maps.count, 1);
    TAKES(bind(2, 0, 1, 0, 0, 0, 0));
    EQUAL(k->maps.count, 0);
}

/* ---- submissions and results ---- */

static uint8_t results[0x4000];

/* VM, three queues, result object 1, sync object, the six published commands with their
 * payloads. */
static struct gpucmd_drm_asahi_draft_submit published(void)
{
    struct gpucmd_drm_asahi_draft06_cmd_render r;
    struct gpucmd_drm_asahi_draft06_cmd_compute c;
    struct gpucmd_drm_asahi_draft_submit s;
    uint8_t bytes[56];
    setup(GPUCMD_AGX_DRAFT_10006);
    memset(results, 0xee, sizeof results);
    memset(&r, 0, sizeof r);
    memset(&c, 0, sizeof c);
    r.fb_width = 1920;
    r.fb_height = 1080;
    r.utile_width = 32;
    r.utile_height = 32;
    r.samples = 1;
    r.layers = 1;
    for (unsigned i = 0; i < 6; i++) {
        if (i == 1 || i == 2) {
            agx_convert(GPUCMD_STRUCT_drm_asahi_draft06_cmd_compute, payloads + 0x1000 * i, &c);
        } else {
            agx_convert(GPUCMD_STRUCT_drm_asahi_draft06_cmd_render, payloads + 0x1000 * i, &r);
        }
    }
    unhex(AGX_DRAFT_COMMANDS, commands);
    unhex(AGX_DRAFT_SUBMIT, bytes);
    agx_convert(GPUCMD_STRUCT_drm_asahi_draft_submit, &s, bytes);
    TAKES(vm_create());
    for (int i = 0; i < 3; i++) {
        TAKES(queue_create(7, 1, 1));
    }
    TAKES(gem_create(sizeof results, 0, 0));
    EQUAL(gpucmd_agx_kernel_back(k, 1, results), GPUCMD_OK);
    s.result_handle = 1; /* the known bytes name object 9 */
    const uint32_t timeline = world_syncobj(k);
    unhex(AGX_DRAFT_SYNC, syncs);
    gpucmd_store32(syncs + 12, timeline, GPUCMD_LITTLE_ENDIAN); /* the bytes name sync object 12 */
    return s;
}

static int submit(struct gpucmd_drm_asahi_draft_submit *s)
{
    return call(0x40386448, s);
}

static uint32_t word(unsigned command, unsigned at)
{
    return gpucmd_load32(results + 128 * command + at, GPUCMD_LITTLE_ENDIAN);
}

static uint64_t stamp(unsigned command, unsigned at)
{
    return gpucmd_load64(results + 128 * command + at, GPUCMD_LITTLE_ENDIAN);
}

static void tvb_fate(void *user, const gpucmd_agx_exec_job *job, uint32_t command,
                     gpucmd_agx_ring part, gpucmd_agx_fate *fate)
{
    (void)user;
    (void)job;
    if (part == GPUCMD_AGX_RING_VERTEX) {
        fate->tvb_size_bytes = 0x100000;
        fate->tvb_used_pages = 5 + command;
        fate->tvb_flags = GPUCMD_DRM_ASAHI_DRAFT_TVB_GROW_MIN;
    }
    fate->partial_renders = part == GPUCMD_AGX_RING_FRAGMENT && command == 3 ? 2 : 0;
}

/* Times of the published example on an idle queue: C1 0-4, C2 4-8, R1 0-2 2-5, R2 8-10 10-13,
 * R3 10-12 13-16, R4 16-18 18-21. Each result is written when its command is complete. */
static void published_results(void)
{
    static const unsigned done[6] = {5, 4, 8, 13, 16, 21};
    static const unsigned times[6][4] = {
        {0,  2,  2,  5 },
        {0,  4,  0,  0 },
        {4,  8,  0,  0 },
        {8,  10, 10, 13},
        {10, 12, 13, 16},
        {16, 18, 18, 21},
    };
    struct gpucmd_drm_asahi_draft_submit s = published();
    int32_t error = 0;
    gpucmd_run run = GPUCMD_RUN_DONE;
    k->exec.fate = tvb_fate;
    TAKES(submit(&s));
    EQUAL(world_signalled(k, 1, &error), false);
    while (run == GPUCMD_RUN_DONE) {
        run = gpucmd_agx_exec_step(&k->exec, NULL);
        for (unsigned i = 0; i < 6; i++) { /* written exactly from then on */
            if (k->exec.now != done[i]) {
                EQUAL(word(i, 0), k->exec.now > done[i] ? 1u : 0xeeeeeeee);
            }
        }
    }
    EQUAL(run, GPUCMD_RUN_IDLE);
    EQUAL(world_signalled(k, 1, &error), true);
    for (unsigned i = 0; i < 6; i++) {
        const bool compute = i == 1 || i == 2;
        EQUAL(word(i, 0), 1); /* COMPLETE */
        EQUAL(word(i, 4), 0);
        EQUAL(stamp(i, 24), 0);
        EQUAL(stamp(i, 40), times[i][0]);
        EQUAL(stamp(i, 48), times[i][1]);
        EQUAL(word(i, compute ? 56 : 96), 0xeeeeeeee); /* after the structure */
        if (!compute) {
            EQUAL(stamp(i, 56), times[i][2]);
            EQUAL(stamp(i, 64), times[i][3]);
            EQUAL(stamp(i, 72), 0x100000);
            EQUAL(stamp(i, 80), (5 + i) * 32768u);
            EQUAL(word(i, 88), i == 3 ? 2 : 0);
            EQUAL(stamp(i, 32), i == 3 ? 2 | 4 : 2); /* partial renders: overflowed */
        }
    }
}

/* Fewer bytes than the structure: as many as asked for. None: nothing. More: the structure. */
static void short_results(void)
{
    struct gpucmd_drm_asahi_draft_submit s = published();
    commands[0 * 56 + 40] = 40; /* up to the first time */
    commands[1 * 56 + 40] = 0;
    commands[2 * 56 + 40] = 0xff;
    TAKES(submit(&s));
    EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 100), GPUCMD_RUN_IDLE);
    EQUAL(word(0, 36), 0);
    EQUAL(word(0, 40), 0xeeeeeeee);
    EQUAL(word(1, 0), 0xeeeeeeee);
    EQUAL(word(2, 52), 0);
    EQUAL(word(2, 56), 0xeeeeeeee);
    /* an object without memory, or no result buffer at all */
    s = published();
    EQUAL(gpucmd_agx_kernel_back(k, 1, NULL), GPUCMD_OK);
    TAKES(submit(&s));
    EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 100), GPUCMD_RUN_IDLE);
    EQUAL(word(0, 0), 0xeeeeeeee);
    s = published();
    TAKES(submit(&s));
    EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 100), GPUCMD_RUN_IDLE);
    CHECK(word(0, 0) != 0xeeeeeeee);
    memset(results, 0xee, sizeof results);
    s.result_handle = 0;
    for (unsigned i = 0; i < 6; i++) {
        memset(commands + 56 * i + 32, 0, 16);
    }
    for (unsigned i = 0; i < WORLD_JOBS; i++) { /* in the rows of jobs with results, too */
        TAKES(submit(&s));
        EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 100), GPUCMD_RUN_IDLE);
        EQUAL(word(0, 0), 0xeeeeeeee);
    }
}

static void fault_fate(void *user, const gpucmd_agx_exec_job *job, uint32_t command,
                       gpucmd_agx_ring part, gpucmd_agx_fate *fate)
{
    (void)user;
    (void)job;
    if (command == 1) { /* C1 0-4: at its end R1f 2-5 runs */
        fate->outcome = GPUCMD_AGX_OUTCOME_FAULT;
        fate->fault.fault_type = GPUCMD_AGX_FAULT_WRITE_ONLY;
        fate->fault.unit = 7;
        fate->fault.is_read = 1;
        fate->fault.address = 0x150000107fu; /* the low 6 bits are dropped */
    }
    if (command == 4 && part == GPUCMD_AGX_RING_VERTEX) {
        fate->outcome = GPUCMD_AGX_OUTCOME_TIMEOUT; /* R3v 10-12; R2f 10-13 overlaps its end */
    }
}

static void faults(void)
{
    struct gpucmd_drm_asahi_draft_submit s = published();
    int32_t error = 0;
    k->exec.fate = fault_fate;
    TAKES(submit(&s));
    EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 100), GPUCMD_RUN_IDLE);
    EQUAL(word(1, 0), 4); /* FAULT */
    EQUAL(word(1, 4), 4); /* WRITE_ONLY */
    EQUAL(word(1, 8), 7);
    EQUAL(results[128 + 17], 1);
    EQUAL(stamp(1, 24), 0x1500001040u);
    EQUAL(stamp(1, 48), 4); /* the other members are also filled */
    EQUAL(word(0, 0), 5);   /* KILLED: in progress on another ring */
    EQUAL(stamp(0, 24), 0);
    EQUAL(word(2, 0), 1);
    EQUAL(word(3, 0), 5);
    EQUAL(word(4, 0), 3); /* TIMEOUT, no fault record */
    EQUAL(word(4, 4), 0);
    EQUAL(word(5, 0), 1); /* errors are not passed on */
    EQUAL(world_signalled(k, 1, &error), true);
    EQUAL(error, 125); /* the error set last stays: R2f, killed, ends at 13 */
}

/* The GPU is lost at time 4: C1 has ended; all else fails, the queue runs empty, and nothing is
 * taken any more. */
static void crash(void)
{
    struct gpucmd_drm_asahi_draft_submit s = published();
    struct gpucmd_drm_asahi_draft_get_params p = {0, 0, 0, PAYLOAD_VA, 400};
    int32_t error = 0;
    TAKES(submit(&s));
    while (k->exec.now < 4) {
        EQUAL(gpucmd_agx_exec_step(&k->exec, NULL), GPUCMD_RUN_DONE);
    }
    gpucmd_agx_kernel_crash(k);
    EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 100), GPUCMD_RUN_IDLE);
    EQUAL(k->exec.now, 4);
    EQUAL(word(1, 0), 1);
    EQUAL(word(0, 0), 6); /* NO_DEVICE */
    EQUAL(word(5, 0), 6);
    EQUAL(world_signalled(k, 1, &error), true);
    EQUAL(error, 19);
    EXPECT(submit(&s), 19, CRASHED);
    EXPECT(call(0xC0206440, &p), 19, CRASHED);
}

/* Checks of SUBMIT with queue and syncs between the others, in the driver's order. */
static void submit_order(void)
{
    struct gpucmd_drm_asahi_draft_submit s = published();
    s.flags = 1;
    s.queue_id = 9;
    EXPECT(submit(&s), 22, FLAGS);
    s.flags = 0;
    s.out_sync_count = 65;
    EXPECT(submit(&s), 22, SYNC_COUNT);
    s.out_sync_count = 1;
    EXPECT(submit(&s), 2, QUEUE_UNKNOWN);
    s.queue_id = 3;
    s.in_sync_count = 1;
    s.in_syncs = 1;
    s.out_syncs = 1;
    s.result_handle = 9;
    EXPECT(submit(&s), 14, SYNCS_FAULT);
    EQUAL(k->finding.item, GPUCMD_AGX_ITEM_IN_SYNC);
    EQUAL(k->finding.command, 0);
    s.in_syncs = SYNC_VA + 24;
    syncs[24] = 1;
    syncs[24 + 8] = 7;
    EXPECT(submit(&s), 22, DRAFT_EXTENSIONS);
    syncs[24] = 0;
    EXPECT(submit(&s), 22, SYNC_TYPE); /* the in-sync before the out-syncs are copied */
    syncs[24 + 8] = 0;
    syncs[24 + 12] = 1;
    EXPECT(submit(&s), 22, SYNC_NO_FENCE);
    s.in_sync_count = 0;
    EXPECT(submit(&s), 14, SYNCS_FAULT);
    EQUAL(k->finding.item, GPUCMD_AGX_ITEM_OUT_SYNC);
    EQUAL(k->finding.command, 0);
    s.out_syncs = SYNC_VA;
    EXPECT(submit(&s), 2, GEM_UNKNOWN);
    s.result_handle = 1;
    s.commands = 1;
    EXPECT(submit(&s), 14, CMDBUF_FAULT);
    s.commands = COMMAND_VA;
    s.in_sync_count = 64;
    EXPECT(submit(&s), 12, NO_MEMORY); /* more than the tables have room for */
    s.in_sync_count = 0;
    /* the payloads, at the command they belong to */
    gpucmd_store32(payloads + 0x3000 + 180, 0, GPUCMD_LITTLE_ENDIAN);
    EXPECT(submit(&s), 22, RENDER_SIZE);
    EQUAL(k->finding.command, 3);
    gpucmd_store32(payloads + 0x3000 + 180, 0x10000, GPUCMD_LITTLE_ENDIAN); /* not cut to 16 bits */
    EXPECT(submit(&s), 22, RENDER_SIZE);
    payloads[0x3000 + 8] = 4;
    EXPECT(submit(&s), 22, DRAFT_FLAGS); /* memoryless render targets; before the size */
    payloads[0x3000 + 8] = 3 | 8 | 16;
    gpucmd_store32(payloads + 0x3000 + 180, 16384, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store32(payloads + 0x3000 + 200, 2049, GPUCMD_LITTLE_ENDIAN);
    EXPECT(submit(&s), 22, RENDER_LAYERS);
    gpucmd_store32(payloads + 0x3000 + 200, 2048, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store32(payloads + 0x3000 + 188, 0x120, GPUCMD_LITTLE_ENDIAN);
    EXPECT(submit(&s), 22, RENDER_UTILE);
    gpucmd_store32(payloads + 0x3000 + 188, 16, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store32(payloads + 0x3000 + 192, 16, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store32(payloads + 0x3000 + 196, 0x101, GPUCMD_LITTLE_ENDIAN);
    EXPECT(submit(&s), 22, RENDER_SAMPLES);
    gpucmd_store32(payloads + 0x3000 + 196, 4, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store32(payloads + 0x3000 + 32, 17, GPUCMD_LITTLE_ENDIAN);
    EXPECT(submit(&s), 22, ATTACHMENT_COUNT);
    gpucmd_store32(payloads + 0x3000 + 32, 16, GPUCMD_LITTLE_ENDIAN);
    EXPECT(submit(&s), 14, DRAFT_PAYLOAD_FAULT); /* the list is not there */
    EQUAL(k->finding.command, 3);
    gpucmd_store64(payloads + 0x3000 + 24, PAYLOAD_VA + 0x7f01, GPUCMD_LITTLE_ENDIAN);
    EXPECT(submit(&s), 14, DRAFT_PAYLOAD_FAULT); /* the last byte is missing */
    gpucmd_store64(payloads + 0x3000 + 24, PAYLOAD_VA + 0x7f00, GPUCMD_LITTLE_ENDIAN);
    payloads[0x1000] = 1;
    EXPECT(submit(&s), 22, DRAFT_FLAGS);
    EQUAL(k->finding.command, 1);
    payloads[0x1000] = 0;
    commands[56 * 2 + 21] = 0x7e;
    EXPECT(submit(&s), 14, DRAFT_PAYLOAD_FAULT);
    EQUAL(k->finding.command, 2);
    EQUAL(k->finding.at_bytes, 112);
    commands[56 * 2 + 21] = 0x7f;
    /* the queue has no compute: checked after everything else of that command */
    TAKES(queue_create(1, 0, 1));
    s.queue_id = 4;
    EXPECT(submit(&s), 22, DRAFT_CAPS);
    EQUAL(k->finding.command, 1);
    /* none of these left a trace */
    EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 100), GPUCMD_RUN_IDLE);
    EQUAL(k->exec.now, 0);
    s.queue_id = 3;
    const uint32_t job = k->exec.free_job;
    k->exec.free_job = GPUCMD_AGX_NONE; /* no row for the job */
    EXPECT(submit(&s), 12, NO_MEMORY);
    EQUAL(k->table, GPUCMD_AGX_TABLE_EXEC_JOBS);
    k->exec.free_job = job;
    TAKES(submit(&s));
    EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 100), GPUCMD_RUN_IDLE);
    EQUAL(k->exec.now, 21);
}

/* Flags that came with 10011. */
static void flags11(void)
{
    struct gpucmd_drm_asahi_draft_submit s;
    struct gpucmd_drm_asahi_draft_command c;
    memset(&s, 0, sizeof s);
    memset(&c, 0, sizeof c);
    setup(GPUCMD_AGX_DRAFT_10011);
    TAKES(vm_create());
    TAKES(queue_create(5, 1, 1));
    c.cmd_buffer = PAYLOAD_VA;
    c.barriers[0] = c.barriers[1] = DRAFT_NONE;
    agx_convert(GPUCMD_STRUCT_drm_asahi_draft_command, commands, &c);
    s.commands = COMMAND_VA;
    s.queue_id = 1;
    s.command_count = 1;
    payloads[364] = payloads[368] = payloads[384] = 1; /* width, height, layers */
    payloads[372] = payloads[376] = 32;
    payloads[380] = 1;
    payloads[8] = 127;
    TAKES(submit(&s));
    payloads[8] = 128;
    EXPECT(submit(&s), 22, DRAFT_FLAGS);
    payloads[8] = 0;
    payloads[60] = 17; /* fragment attachments */
    EXPECT(submit(&s), 22, ATTACHMENT_COUNT);
    payloads[60] = 0;
    payloads[56] = 17;
    EXPECT(submit(&s), 22, ATTACHMENT_COUNT);
    payloads[56] = 1;
    payloads[60] = 1;
    gpucmd_store64(payloads + 40, PAYLOAD_VA + 0x1000, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store64(payloads + 48, PAYLOAD_VA + 0x2000, GPUCMD_LITTLE_ENDIAN);
    payloads[0x1000 + 16] = 1; /* order, 1 to 6 */
    EXPECT(submit(&s), 22, DRAFT_ATTACHMENT);
    payloads[0x2000 + 16] = 7;
    EXPECT(submit(&s), 22, DRAFT_ATTACHMENT);
    payloads[0x2000 + 16] = 6;
    TAKES(submit(&s));
    payloads[0x2000 + 20] = 1; /* flags */
    EXPECT(submit(&s), 22, DRAFT_ATTACHMENT);
    payloads[0x2000 + 20] = 0;
    gpucmd_store64(payloads + 0x1000 + 8, 0x7fffffff80u, GPUCMD_LITTLE_ENDIAN);
    TAKES(submit(&s));
    gpucmd_store64(payloads + 0x1000 + 8, 0x7fffffff81u, GPUCMD_LITTLE_ENDIAN);
    EXPECT(submit(&s), 22, ATTACHMENT_BYTES);
    gpucmd_store64(payloads + 48, 1, GPUCMD_LITTLE_ENDIAN);
    EXPECT(submit(&s), 22, ATTACHMENT_BYTES); /* vertex before fragment */
    gpucmd_store64(payloads + 0x1000 + 8, 0, GPUCMD_LITTLE_ENDIAN);
    EXPECT(submit(&s), 14, DRAFT_PAYLOAD_FAULT);
    EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 100), GPUCMD_RUN_IDLE);
    commands[8] = 2;
    memset(payloads + 40, 0, 8); /* in a compute, a count */
    payloads[0] = 1;
    TAKES(submit(&s));
    payloads[0] = 2;
    EXPECT(submit(&s), 22, DRAFT_FLAGS);
    s.in_sync_count = 65; /* no limit of 64, only that of the tables */
    EXPECT(submit(&s), 12, NO_MEMORY);
}

/* What the cases above do not refuse. */
static void others(void)
{
    struct gpucmd_drm_asahi_draft11_vm_create vm = {0, 0x7000000000u, 0x7020000000u, 0, 1};
    struct gpucmd_drm_asahi_draft06_vm_create vm06 = {0, 0, 0};
    struct gpucmd_drm_asahi_draft_vm_destroy vd = {0, 9, 1};
    struct gpucmd_drm_asahi_draft_gem_create g = {0, 0x4000, 0, 0, 0, 1};
    struct gpucmd_drm_asahi_draft_gem_mmap_offset m = {0, 9, 1, 0};
    struct gpucmd_drm_asahi_draft_queue_destroy qd = {0, 9, 1};
    struct gpucmd_drm_asahi_draft_submit s = published();
    TAKES(submit(&s));
    memcpy(syncs + 24, syncs, 24);
    gpucmd_store64(syncs + 24 + 16, 999, GPUCMD_LITTLE_ENDIAN);
    s.in_syncs = SYNC_VA + 24;
    s.in_sync_count = 1;
    EXPECT(submit(&s), 22, SYNC_POINT);
    EQUAL(k->finding.value, 999);
    s.in_sync_count = 0;
    s.out_sync_count = 2; /* the second is at 24 of its own array */
    gpucmd_store32(syncs + 24 + 12, 99, GPUCMD_LITTLE_ENDIAN);
    EXPECT(submit(&s), 2, SYNC_UNKNOWN);
    EQUAL(k->finding.item, GPUCMD_AGX_ITEM_OUT_SYNC);
    EQUAL(k->finding.command, 1);
    EQUAL(k->finding.at_bytes, 24);
    EQUAL(k->finding.value, 99);
    s.out_sync_count = 1;
    k->user = NULL;
    EXPECT(call(0, &g), 14, ARGUMENT_FAULT); /* each ioctl */
    k->user = &mem;
    EXPECT(gem_create(0, 0, 0), 22, GEM_SIZE);
    EXPECT(call(0xC0206443, &g), 22, PAD);
    EXPECT(call(0xC0186444, &m), 22, FLAGS);
    m.flags = 0;
    EXPECT(call(0xC0186444, &m), 2, GEM_UNKNOWN);
    EXPECT(call(0x40106442, &vd), 22, PAD);
    EXPECT(call(0x40106447, &qd), 22, PAD);
    while (gem_create(0x4000, 0, 0) == 0) {
    }
    EXPECT(gem_create(0x4000, 0, 0), 12, NO_MEMORY);
    while (vm_create() == 0) {
    }
    EXPECT(call(0xC0106441, &vm06), 12, NO_MEMORY);
    while (queue_create(7, 0, 1) == 0) {
    }
    EXPECT(queue_create(7, 0, 1), 12, NO_MEMORY);
    s.command_count = 65;
    EXPECT(submit(&s), 22, COMMAND_COUNT);
    s.command_count = 6;
    syncs[12] = 99;
    EXPECT(submit(&s), 2, SYNC_UNKNOWN);
    syncs[12] = 1;
    gpucmd_store64(syncs + 16, 5, GPUCMD_LITTLE_ENDIAN);
    syncs[8] = 0; /* binary */
    EXPECT(submit(&s), 22, SYNC_VALUE);
    gpucmd_store64(syncs + 16, 0, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store32(commands + 48, 1, GPUCMD_LITTLE_ENDIAN);
    EXPECT(submit(&s), 22, VDM_BARRIER);
    gpucmd_store32(commands + 48, 0xffffffff, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store32(commands + 52, 1, GPUCMD_LITTLE_ENDIAN);
    EXPECT(submit(&s), 22, CDM_BARRIER);
    gpucmd_store32(commands + 52, 0xffffffff, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store64(commands + 32, sizeof results, GPUCMD_LITTLE_ENDIAN);
    EXPECT(submit(&s), 22, DRAFT_RESULT);
    gpucmd_store64(commands + 32, 0, GPUCMD_LITTLE_ENDIAN);
    commands[8] = 1; /* a blit */
    EXPECT(submit(&s), 22, DRAFT_TYPE);
    setup(GPUCMD_AGX_DRAFT_10011);
    EXPECT(call(0xC0206441, &vm), 22, PAD);
    TAKES(vm_create());
    TAKES(gem_create(0x4000, 0, 0));
    EXPECT(bind(0, 3, 1, 1, 0, 0, 0x1500000000u), 22, BIND_EMPTY);
    EXPECT(bind(0, 3, 1, 1, 0, 0x8000, 0x1500000000u), 22, BIND_OBJECT_RANGE);
    for (uint64_t at = 0x1500000000u; bind(0, 3, 1, 1, 0, 0x4000, at) == 0; at += 0x8000) {
    }
    EXPECT(bind(0, 3, 1, 1, 0, 0x4000, 0x1600000000u), 12, NO_MEMORY);
    vm.pad = 0;
    while (vm_create() == 0) {
    }
    EXPECT(call(0xC0206441, &vm), 12, NO_MEMORY);
}

/* The rules that each call can break, in the order of their rows. Each occurred above, with the
 * state compared. */
static void complete(void)
{
    static const struct {
        const char *call, *rules;
    } rows[] = {
        {"draft_get_params",      "ARGUMENT_FAULT PAD CRASHED PARAM_GROUP DRAFT_EXTENSIONS"           },
        {"draft06_vm_create",     "PAD NO_MEMORY IOCTL_UNKNOWN DRAFT_EXTENSIONS"                      },
        {"draft11_vm_create",     "PAD NO_MEMORY VM_WINDOW IOCTL_UNKNOWN DRAFT_EXTENSIONS"            },
        {"draft_vm_destroy",      "PAD VM_UNKNOWN DRAFT_EXTENSIONS"                                   },
        {"draft_gem_create",      "FLAGS PAD NO_MEMORY VM_UNKNOWN GEM_SIZE GEM_VM_ID DRAFT_EXTENSIONS"},
        {"draft_gem_mmap_offset", "FLAGS GEM_UNKNOWN DRAFT_EXTENSIONS"                                },
        {"draft_gem_bind",
         "NO_MEMORY VM_UNKNOWN GEM_UNKNOWN BIND_FLAGS BIND_UNUSED BIND_ALIGN BIND_EMPTY "
         "BIND_OBJECT_RANGE BIND_WINDOW BIND_RIGHTS BIND_KERNEL_WINDOW BIND_PRIVATE "
         "DRAFT_EXTENSIONS DRAFT_BIND_OP DRAFT_BIND_WHOLE DRAFT_BIND_BUSY DRAFT_UNBIND "
         "DRAFT_UNBIND_UNUSED"                                                                        },
        {"draft_queue_create",
         "FLAGS NO_MEMORY VM_UNKNOWN QUEUE_PRIORITY DRAFT_EXTENSIONS DRAFT_QUEUE_CAPS"                },
        {"draft_queue_destroy",   "PAD QUEUE_UNKNOWN DRAFT_EXTENSIONS"                                },
        {"draft_submit",
         "FLAGS CRASHED NO_MEMORY QUEUE_UNKNOWN GEM_UNKNOWN SYNCS_FAULT SYNC_COUNT SYNC_TYPE "
         "SYNC_VALUE SYNC_UNKNOWN SYNC_NO_FENCE SYNC_POINT CMDBUF_FAULT COMMAND_COUNT VDM_BARRIER "
         "CDM_BARRIER RENDER_SIZE RENDER_LAYERS RENDER_UTILE RENDER_SAMPLES ATTACHMENT_COUNT "
         "ATTACHMENT_BYTES DRAFT_EXTENSIONS DRAFT_TYPE DRAFT_RESULT DRAFT_PAYLOAD_FAULT DRAFT_CAPS "
         "DRAFT_FLAGS DRAFT_ATTACHMENT"                                                               },
        {"unknown",               "ARGUMENT_FAULT IOCTL_UNKNOWN"                                      },
    };
#define IOCTL(name, argument) #argument,
    static const char *const ioctls[] = {GPUCMD_AGX_DRAFT_IOCTLS(IOCTL)};
#undef IOCTL
    uint64_t all[2] = {0, 0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        refused_by(rows[i].call, rows[i].rules, all);
        CHECK(i >= sizeof ioctls / sizeof ioctls[0] || strcmp(rows[i].call, ioctls[i]) == 0);
    }
    EQUAL(refused_calls[sizeof rows / sizeof rows[0]].name[0], 0); /* no other call */
    refused_all(all, true, "");
}

int main(void)
{
    extensions();
    numbers();
    small_calls();
    parameters();
    binds06();
    binds11();
    published_results();
    short_results();
    faults();
    crash();
    submit_order();
    flags11();
    others();
    complete();
    return test_report("agx_draft_kernel");
}

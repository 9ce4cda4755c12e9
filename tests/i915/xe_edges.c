/* i915/xe_edges.c - the model kernel of xe: rows of the fact sheet that the vectors do not reach,
 * by its sections 2.3 to 2.12, 3 and 4; tables that are full; what becomes of jobs when their VM or
 * queue is destroyed; fault mode; devices of the caller. */
/* suite: kernel */
#include "gpucmd_i915.h"
#include "flips.h"
#include "i915/xe_vectors.h"
#include "i915/xe_state.h"

enum {
    EPERM_ = 1,
    ENOENT_ = 2,
    EINTR_ = 4,
    EAGAIN_ = 11,
    ENOMEM_ = 12,
    EACCES_ = 13,
    EFAULT_ = 14,
    EBUSY_ = 16,
    ENODEV_ = 19,
    EINVAL_ = 22,
    ENOSPC_ = 28,
    ETIME_ = 62,
    EOPNOTSUPP_ = 95
};

/* VM 1 with these flags, object 1 of 64 KiB at 0x1a0000, and queue 1 of the render engine. pat: an
 * entry that an object in cached memory may have. */
static void world(gpucmd_xe_platform platform, uint32_t vm_flags)
{
    char text[32];
    start(platform, 0);
    snprintf(text, sizeof text, "0*2 %x 0*5", vm_flags);
    EQUAL(xe(XE(VM_CREATE), text), 0);
    EQUAL(xe(XE(GEM_CREATE), "0*2 10000 0 1 0 1 0 1 0*5"), 0);
    put(0x3000, SYNC_41);
    put(ARG, BIND_41);
    const uint32_t pat = platform == GPUCMD_XE_MTL ? 3 : platform <= GPUCMD_XE_DG2 ? 0 : 1;
    memcpy(user_at(ARG + 36), &pat, 4);
    EQUAL(gpucmd_xe_kernel_ioctl(&k, XE(VM_BIND), USER_VA + ARG), 0);
    put(0x4000, "0*4");
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "0*2 10001 1 0*2 4000 7f00 0*4"), 0);
}

static void batch(const char *text)
{
    uint32_t words[64];
    const uint32_t n = words_of(text, words);
    memcpy(ram, words, 4 * n);
}

static uint32_t ram_word(uint32_t off_bytes)
{
    return gpucmd_load32(ram + off_bytes, GPUCMD_LITTLE_ENDIAN);
}

/* A VM_BIND of one operation, with sync_count syncs at 0x3000. Return a positive errno, or 0. */
enum { MAP, UNMAP, MAP_USERPTR, UNMAP_ALL, PREFETCH };
static uint32_t bind_vm = 1, bind_queue, bind_region, bind_syncs;

static int bind(uint32_t op, uint32_t obj, uint32_t pat, uint64_t offset, uint64_t bytes,
                uint64_t va, uint32_t flags)
{
    struct gpucmd_drm_xe_vm_bind a;
    memset(&a, 0, sizeof a);
    a.vm_id = bind_vm;
    a.exec_queue_id = bind_queue;
    a.num_binds = 1;
    a.num_syncs = bind_syncs;
    a.syncs = USER_VA + 0x3000;
    a.bind.op = op;
    a.bind.obj = obj;
    a.bind.pat_index = (uint16_t)pat;
    a.bind.obj_offset = offset;
    a.bind.range = bytes;
    a.bind.addr = va;
    a.bind.flags = flags;
    a.bind.prefetch_mem_region_instance = bind_region;
    memcpy(user_at(ARG), &a, sizeof a);
    return -gpucmd_xe_kernel_ioctl(&k, XE(VM_BIND), USER_VA + ARG);
}

static int prefetch(uint32_t region, uint64_t va, uint64_t bytes)
{
    bind_region = region;
    const int err = bind(PREFETCH, 0, 1, 0, bytes, va, 0);
    bind_region = 0;
    return err;
}

/* Make a sync object whose fence has not signalled, and return that fence. */
static uint32_t waiting(uint32_t *handle)
{
    *handle = syncobj();
    const uint32_t fence = gpucmd_fence_new(&k.fences, 0, 0);
    EQUAL(gpucmd_syncobj_replace(&k.syncobjs, *handle, fence), 0);
    gpucmd_fence_release(&k.fences, fence);
    return fence;
}

/* Copy the word at va to 0x1a2000 with a job of queue 1, and return it. */
static uint32_t seen(uint64_t va)
{
    char text[128];
    gpucmd_store32(ram + 0x2000, 0x55555555, GPUCMD_LITTLE_ENDIAN);
    snprintf(text, sizeof text, "17000003 1a2000 0 %x %x 5000000 0", (uint32_t)va,
             (uint32_t)(va >> 32));
    batch(text);
    EQUAL(xe(XE(EXEC), "0*2 1 0*3 1a0000 0 1 0*5"), 0);
    return ram_word(0x2000);
}

/* ---- structures ---- */

/* Section 1.2: the structures and their sizes. */
static void layouts(void)
{
    static const struct {
        const char *name;
        size_t bytes;
    } rows[] = {
        {"drm_xe_user_extension",          16 },
        {"drm_xe_ext_set_property",        48 },
        {"drm_xe_engine_class_instance",   8  },
        {"drm_xe_device_query",            40 },
        {"drm_xe_mem_region",              88 },
        {"drm_xe_gt",                      96 },
        {"drm_xe_query_topology_mask",     8  },
        {"drm_xe_query_engine_cycles",     40 },
        {"drm_xe_query_uc_fw_version",     32 },
        {"drm_xe_oa_unit",                 72 },
        {"drm_xe_gem_create",              56 },
        {"drm_xe_gem_mmap_offset",         40 },
        {"drm_xe_vm_create",               32 },
        {"drm_xe_vm_destroy",              24 },
        {"drm_xe_vm_bind_op",              80 },
        {"drm_xe_vm_bind",                 136},
        {"drm_xe_sync",                    48 },
        {"drm_xe_exec_queue_create",       48 },
        {"drm_xe_exec_queue_destroy",      24 },
        {"drm_xe_exec_queue_get_property", 40 },
        {"drm_xe_exec_queue_set_property", 40 },
        {"drm_xe_exec",                    56 },
        {"drm_xe_wait_user_fence",         72 },
        {"drm_xe_observation_param",       32 },
        {"drm_xe_madvise",                 64 },
        {"drm_xe_vm_query_mem_range_attr", 64 },
        {"drm_xe_mem_range_attr",          64 },
        {"drm_xe_vm_get_property",         56 },
        {"xe_vm_fault",                    48 },
    };
    const uint32_t n = sizeof rows / sizeof rows[0];
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = 0;
        while (at < n && strcmp(gpucmd_layout_name(gpucmd_xe_layout, at), rows[i].name) != 0) {
            at++;
        }
        if (!EQUAL(gpucmd_layout_bytes(gpucmd_xe_layout, at), rows[i].bytes)) {
            printf("    %s\n", rows[i].name);
        }
    }
    CHECK(gpucmd_xe_layout(n) == NULL);
    CHECK(strcmp(gpucmd_xe_ioctl_name(0xc0286540), "?") == 0); /* type 'e' */
}

/* ---- rows of errors ---- */

/* Members that must be 0, and properties: on LNL, with queue 1. */
static void members(void)
{
    static const struct {
        uint32_t request;
        const char *text;
    } rows[] = {
        {XE(GEM_MMAP_OFFSET),          "1 0 1 0*7"                             },
        {XE(GEM_MMAP_OFFSET),          "0*2 1 0*6 1"                           },
        {XE(VM_DESTROY),               "1 0*4 1"                               },
        {XE(VM_GET_PROPERTY),          "0*2 1 0*10 1"                          },
        {XE(VM_GET_PROPERTY),          "1 0 1 0*11"                            },
        {XE(VM_GET_PROPERTY),          "0*2 1 0*2 1 0*8"                       },
        {XE(EXEC_QUEUE_CREATE),        "0*2 10001 1 0*2 4000 7f00 0*3 1"       },
        {XE(EXEC_QUEUE_DESTROY),       "1 0*4 1"                               },
        {XE(EXEC_QUEUE_GET_PROPERTY),  "0*2 1 0*6 1"                           },
        {XE(EXEC_QUEUE_SET_PROPERTY),  "0*2 1 5 0*5 1"                         },
        {XE(EXEC),                     "0*2 1 0*3 1a0000 0 1 0*4 1"            },
        {XE(WAIT_USER_FENCE),          "0*2 5000 7f00 0*2 1 0 ffffffff*2 0*7 1"},
        {XE(MADVISE),                  "0*2 1a0000 0 10000 0 1 2*2 0*6 1"      },
        {XE(VM_QUERY_MEM_RANGE_ATTRS), "0*2 1 0*5 40 0*7"                      },
        {XE(VM_QUERY_MEM_RANGE_ATTRS), "0*2 1*2 0*4 40 0*7"                    },
        {XE(OBSERVATION),              "0*2 1 0 1 0 4000 7f00"                 },
    };
    world(GPUCMD_XE_LNL, 1);
    const xe_state before = xe_state_of(&k);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!EQUAL(xe(rows[i].request, rows[i].text), EINVAL_)) {
            printf("    %s %s\n", gpucmd_xe_ioctl_name(rows[i].request), rows[i].text);
        }
        OUT(rows[i].text);
    }
    const xe_state after = xe_state_of(&k);
    CHECK(memcmp(&before, &after, sizeof before) == 0);
}

/* Section 6.2: an element of the chain of EXEC_QUEUE_CREATE, or two; then the errno. */
static void properties(void)
{
    static const struct {
        uint32_t first;
        uint64_t value;
        uint32_t second;
        int err;
    } rows[] = {
        {0,  2,                    99, 0      },
        {1,  10000000,             99, 0      },
        {1,  10000001,             99, EINVAL_},
        {2,  0,                    99, 0      },
        {2,  2,                    99, EINVAL_},
        {2,  0,                    4,  EINVAL_}, /* 7.3: PXP_TYPE and MULTI_GROUP */
        {3,  USER_VA + 0x6000,     99, 0      },
        {3,  USER_VA + USER_BYTES, 99, EFAULT_},
        {3,  USER_VA + 0x6000,     3,  EINVAL_},
        {5,  2,                    99, EINVAL_},
        {5,  3,                    99, EINVAL_},
        {7,  0,                    99, EINVAL_},
        {99, 0,                    99, EINVAL_},
    };
    world(GPUCMD_XE_LNL, 1);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct gpucmd_drm_xe_ext_set_property x[2];
        memset(x, 0, sizeof x);
        x[0].property = rows[i].first;
        x[0].value = rows[i].value;
        if (rows[i].second != 99) {
            x[0].base.next_extension = USER_VA + 0x5100 + sizeof x[0];
            x[1].property = rows[i].second;
            x[1].value = rows[i].value;
        }
        memcpy(user_at(0x5100), x, sizeof x);
        if (!EQUAL(xe(XE(EXEC_QUEUE_CREATE), "5100 7f00 10001 1 0*2 4000 7f00 0*4"), rows[i].err)) {
            printf("    property %u\n", rows[i].first);
        }
        if (rows[i].err == 0) {
            EQUAL(gpucmd_xe_kernel_queue(&k, 2)->priority, i == 0 ? 2 : 1);
            EQUAL(xe(XE(EXEC_QUEUE_DESTROY), "2 0*5"), 0);
        }
    }
    put(0x5100, "0*5 1 1 0*5"); /* the pad of the body */
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "5100 7f00 10001 1 0*2 4000 7f00 0*4"), EINVAL_);
}

/* Section 2.9: instances of a queue. */
static void instances(void)
{
    static const struct {
        const char *eci;
        const char *text; /* width and number of placements */
        int err;
    } rows[] = {
        {"3 1 10003 1", "0*2 10002 1 0*2 4000 7f00 0*4", 0          }, /* two vecs */
        {"2 1 3 1",     "0*2 10002 1 0*2 4000 7f00 0*4", EINVAL_    }, /* another class */
        {"2 1 10002 0", "0*2 10002 1 0*2 4000 7f00 0*4", EINVAL_    }, /* another GT */
        {"5 0 5 0",     "0*2 10002 1 0*2 4000 7f00 0*4", EINVAL_    }, /* a wide bind queue */
        {"4 0 10004 0", "0*2 10002 1 0*2 4000 7f00 0*4", EOPNOTSUPP_}, /* two ccs */
        {"4 0 10004 0", "0*2 20001 1 0*2 4000 7f00 0*4", 0          },
    };
    world(GPUCMD_XE_BMG, 1);
    k.device.ccs = 3; /* a mode of the driver with two compute engines */
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        put(0x4000, rows[i].eci);
        if (!EQUAL(xe(XE(EXEC_QUEUE_CREATE), rows[i].text), rows[i].err)) {
            printf("    %s\n", rows[i].eci);
        }
    }
    /* an engine that the generation lacks */
    world(GPUCMD_XE_TGL, 1);
    k.device.ccs = 1;
    put(0x4000, "4 0");
    const xe_state before = xe_state_of(&k);
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "0*2 10001 1 0*2 4000 7f00 0*4"), ENOMEM_);
    EQUAL(k.table, GPUCMD_XE_TABLE_CONTEXTS);
    const xe_state after = xe_state_of(&k);
    CHECK(memcmp(&before, &after, sizeof before) == 0);
}

/* Section 2.12, row 3: type, val, pad, data of MADVISE over the mapping of object 1. */
static int madvise(uint64_t start_va, uint64_t bytes, uint32_t type, uint32_t val, uint32_t pad,
                   uint64_t data)
{
    struct gpucmd_drm_xe_madvise a;
    memset(&a, 0, sizeof a);
    a.vm_id = 1;
    a.start = start_va;
    a.range = bytes;
    a.type = type;
    a.val = val;
    a.pad = pad;
    a.data = data;
    memcpy(user_at(ARG), &a, sizeof a);
    return -gpucmd_xe_kernel_ioctl(&k, XE(MADVISE), USER_VA + ARG);
}

static void advice(void)
{
    static const struct {
        uint32_t type, val, pad, data;
        int err;
    } rows[] = {
        {0, 0,              0,       0, 0      },
        {0, UINT32_MAX,     1,       0, 0      }, /* system memory, policy 1 */
        {0, UINT32_MAX - 1, 0,       0, EINVAL_},
        {0, 0,              0x10000, 0, EINVAL_}, /* region_instance */
        {0, UINT32_MAX,     0x10000, 0, EINVAL_},
        {0, 1,              0x10000, 0, ENOENT_}, /* no such fd */
        {0, 0,              2,       0, EINVAL_},
        {0, 0,              0,       8, EINVAL_},
        {1, 0,              0,       0, 0      },
        {1, 1,              0,       0, 0      }, /* in system memory: the platform can */
        {1, 4,              0,       0, EINVAL_},
        {1, 3,              1,       0, EINVAL_},
        {1, 3,              0,       8, EINVAL_},
        {2, 1,              0,       0, 0      },
        {2, 32,             0,       0, EINVAL_}, /* 32 entries */
        {2, 257,            0,       0, EINVAL_},
        {2, 1,              1,       0, EINVAL_},
        {3, 0,              0,       0, 0      }, /* without retained_ptr */
        {3, 2,              0,       0, EINVAL_},
        {3, 0,              1,       0, EINVAL_},
    };
    world(GPUCMD_XE_LNL, 1);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!EQUAL(madvise(0x1a0000, 0x10000, rows[i].type, rows[i].val, rows[i].pad, rows[i].data),
                   rows[i].err)) {
            printf("    type %u val %u pad %u\n", rows[i].type, rows[i].val, rows[i].pad);
        }
    }
    EQUAL(madvise(0x1a0000, 0, 2, 1, 0, 0), EINVAL_);
    EQUAL(madvise(0x100000, 0x1000, 2, 2, 0, 0), 0); /* nothing is before the mapping */
    EQUAL(xe(XE(VM_QUERY_MEM_RANGE_ATTRS), "0*2 1 0 100000 0 1000 0*9"), 0);
    OUT("0*2 1 0 100000 0 1000 0 40 0*7");
    k.maps.cap = k.maps.count + 1;
    EQUAL(madvise(0x1a0000, 0x10000, 2, 1, 0, 0), ENOMEM_);
    EQUAL(k.table, GPUCMD_XE_TABLE_MAPS);
}

/* ---- queries ---- */

static void queries(void)
{
    static const struct {
        gpucmd_xe_platform platform;
        const char *text, *size;
    } sizes[] = {
        {GPUCMD_XE_TGL, "0*2 8 0*7", "0*2 8 60 0*6" }, /* one unit with rcs */
        {GPUCMD_XE_MTL, "0*2 8 0*7", "0*2 8 c8 0*6" }, /* rcs, ccs; two vcs, one vecs */
        {GPUCMD_XE_BMG, "0*2 8 0*7", "0*2 8 160 0*6"}, /* four units, six engines */
    };
    static const uint32_t clocks[] = {0, 1, 4, 7, 11};
    char text[64];
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        start(sizes[i].platform, 0);
        EQUAL(xe(XE(DEVICE_QUERY), sizes[i].text), 0);
        OUT(sizes[i].size);
    }
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 8 160 1000 7f00 0*4"), 0);
    HAS(0x1000, "0*2 4 0");
    HAS(0x1010, "0*4 3f 0 124f800 0*9 2 0*3 4 0");           /* OAG */
    HAS(0x1068, "0*2 1 2 3f 0 124f800 0 1 0*9");             /* OAM_SAG */
    HAS(0x10b0, "0*2 2 1 3f 0 124f800 0 1 0*7 2 0 2 1 3 1"); /* SCMI_0: vcs0, vecs0 */
    HAS(0x1108, "0*2 3 1 3f 0 124f800 0 1 0*7 2 0 10002 1 10003 1");
    /* bytes in use, by region */
    EQUAL(xe(XE(GEM_CREATE), "0*2 10000 0 1 0*3 1 0*5"), 0);
    EQUAL(xe(XE(GEM_CREATE), "0*2 20000 0 2 0*3 2 0*5"), 0);
    EQUAL(xe(XE(GEM_CREATE), "0*2 40000 0 3 1 0*2 2 0*5"), 0); /* DEFER_BACKING */
    EQUAL(xe(XE(GEM_CREATE), "0*2 1000 0 1 0*3 1 0*5"), 0);
    EQUAL(xe(0x40086409, "2 0"), 0);
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 1 b8 1000 7f00 0*4"), 0);
    HAS(0x1000, "2 0*2 1000 0 4 11000 0*17");
    HAS(0x1060, "10001 1000 f8800000 2 40000 0 f8800000 2 40000 0");
    start(GPUCMD_XE_DG2, 0);
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 1 b8 1000 7f00 0*4"), 0);
    HAS(0x1060, "10001 10000"); /* pages of 64 KiB */
    start(GPUCMD_XE_TGL, 0);
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 5 50 1000 7f00 0*4"), 0);
    HAS(0x1000, "10000 10 3f 0*3 20000 10 0*4 30000 8 ff 0 40000 8 ffff 0");
    EQUAL(xe(XE(OBSERVATION), "0*2 1 0*5"), ENODEV_); /* no EU_STALL */
    for (size_t i = 0; i < sizeof clocks / sizeof clocks[0]; i++) {
        snprintf(text, sizeof text, "0*2 %x 0*7", clocks[i]);
        put(0x1000, text);
        EQUAL(xe(XE(DEVICE_QUERY), "0*2 6 28 1000 7f00 0*4"), 0);
    }
    put(0x1000, "0*2 c 0*7");
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 6 28 1000 7f00 0*4"), EINVAL_);
    put(0x1000, "0*5 1 0*2"); /* pad2 */
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 7 20 1000 7f00 0*4"), EINVAL_);
    put(0x1000, "0*6 1 0"); /* reserved */
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 7 20 1000 7f00 0*4"), EINVAL_);
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 7 20 8 0*5"), EFAULT_);
}

static void observation(void)
{
    world(GPUCMD_XE_LNL, 1);
    put(0x4100, "0*12");
    EQUAL(xe(XE(OBSERVATION), "0*6 4100 7f00"), EINVAL_); /* property 0 */
    put(0x4000, "4100 7f00 0*2 1 0*7");
    EQUAL(xe(XE(OBSERVATION), "0*6 4000 7f00"), EINVAL_); /* the second */
    put(0x4100, "0*4 1 0*7");
    EQUAL(xe(XE(OBSERVATION), "0*6 4000 7f00"), EACCES_);
    EQUAL(xe(XE(OBSERVATION), "0*4 1 0*3"), EACCES_); /* ADD_CONFIG */
}

static void devices(void)
{
    static const struct {
        uint32_t id;
        gpucmd_status status;
        gpucmd_xe_platform platform;
    } rows[] = {
        {0x9a49, GPUCMD_OK,          GPUCMD_XE_TGL},
        {0x56a0, GPUCMD_OK,          GPUCMD_XE_DG2},
        {0x0bd5, GPUCMD_OK,          GPUCMD_XE_PVC},
        {0x8a52, GPUCMD_UNSUPPORTED, GPUCMD_XE_TGL}, /* Ice Lake: i915 only */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gpucmd_xe_device device;
        EQUAL(gpucmd_xe_device_from_id(&device, rows[i].id), rows[i].status);
        if (rows[i].status == GPUCMD_OK) {
            EQUAL(device.platform, rows[i].platform);
        }
    }
}

/* Registers that the driver lets batches write besides those of the hardware [XEK]. */
static void grants(void)
{
    static const struct {
        gpucmd_xe_platform platform;
        const char *eci;
        uint32_t reg, grant;
    } rows[] = {
        {GPUCMD_XE_TGL,  "0*2", 0x24d0,  0x7010},
        {GPUCMD_XE_DG2,  "0*2", 0x24d0,  0     },
        {GPUCMD_XE_LNL,  "0*2", 0x24d0,  0x6210},
        {GPUCMD_XE_PTL,  "0*2", 0x24d4,  0x62a8},
        {GPUCMD_XE_NVLP, "0*2", 0x24d0,  0     },
        {GPUCMD_XE_LNL,  "1 0", 0x224d0, 0     },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        start(rows[i].platform, 0);
        EQUAL(xe(XE(VM_CREATE), "0*8"), 0);
        put(0x4000, rows[i].eci);
        EQUAL(xe(XE(EXEC_QUEUE_CREATE), "0*2 10001 1 0*2 4000 7f00 0*4"), 0);
        if (!EQUAL(gpucmd_i915_cs_read(&store.contexts[0].cs, rows[i].reg), rows[i].grant)) {
            printf("    row %u\n", (unsigned)i);
        }
    }
}

/* ---- objects ---- */

static void dma_buf(void)
{
    static gpucmd_xe_kernel other;
    static gpucmd_xe_kernel_store other_store;
    static uint8_t memory[8192];
    gpucmd_xe_dmabuf place, second, foreign = {0};
    gpucmd_xe_dmabuf *dmabuf = NULL, *again = NULL;
    uint32_t handle = 0;
    world(GPUCMD_XE_LNL, 1);
    other = k;
    EQUAL(gpucmd_xe_kernel_init_store(&other, &k.device, &user_mem, &other_store, ram, RAM_BYTES),
          GPUCMD_OK);
    EQUAL(xe(XE(GEM_CREATE), "0*2 1000 0 1 0*3 1 0*5"), 0);
    EQUAL(gpucmd_xe_kernel_gem_export(&k, 2, &place, &dmabuf), 0);
    EQUAL(gpucmd_xe_kernel_gem_export(&k, 2, &second, &again), 0);
    CHECK(again == &place); /* one dma-buf for an object */
    gpucmd_xe_kernel_dmabuf_close(&other, dmabuf);
    EQUAL(place.owner == &k, true);
    second = place; /* not the dma-buf of the object */
    gpucmd_xe_kernel_dmabuf_close(&k, &second);
    second.object = k.object_count + 1;
    gpucmd_xe_kernel_dmabuf_close(&k, &second);
    EQUAL(xe(0x40086409, "2 0"), 0);
    EQUAL(k.object_rows.count, 3); /* the dma-buf keeps the object */
    gpucmd_xe_kernel_dmabuf_close(&k, dmabuf);
    EQUAL(k.object_rows.count, 2);
    /* a foreign dma-buf */
    foreign.host = memory;
    EQUAL(-gpucmd_xe_kernel_gem_import(&k, &foreign, &handle), EINVAL_);
    foreign.bytes = 4097;
    EQUAL(-gpucmd_xe_kernel_gem_import(&k, &foreign, &handle), EINVAL_);
    foreign.bytes = 8192;
    const xe_state before = xe_state_of(&k);
    k.object_count = k.object_rows.used;
    k.object_rows.free = 0;
    EQUAL(-gpucmd_xe_kernel_gem_import(&k, &foreign, &handle), ENOMEM_);
    EQUAL(k.table, GPUCMD_XE_TABLE_OBJECTS);
    k.object_count = sizeof store.objects / sizeof store.objects[0];
    k.places.cap = k.places.count + 1;
    EQUAL(-gpucmd_xe_kernel_gem_import(&k, &foreign, &handle), ENOMEM_);
    EQUAL(k.table, GPUCMD_XE_TABLE_PLACES);
    k.places.cap = k.place_count;
    k.handles.freed = 0;
    k.handles.cap = k.handles.used;
    EQUAL(-gpucmd_xe_kernel_gem_import(&k, &foreign, &handle), ENOMEM_);
    EQUAL(k.table, GPUCMD_XE_TABLE_HANDLES);
    EQUAL(xe(XE(GEM_CREATE), "0*2 1000 0 1 0*3 1 0*5"), ENOMEM_);
    EQUAL(k.table, GPUCMD_XE_TABLE_HANDLES);
    k.handles.cap = k.handle_count;
    const xe_state after = xe_state_of(&k);
    CHECK(memcmp(&before, &after, sizeof before) == 0);
    EQUAL(gpucmd_xe_kernel_gem_import(&k, &foreign, &handle), 0);
    EQUAL(bind(MAP, handle, 0, 0, 0x2000, 0x300000, 0), EINVAL_); /* not coherent */
    EQUAL(bind(MAP, handle, 9, 0, 0x2000, 0x300000, 0), EINVAL_); /* compresses */
    EQUAL(bind(MAP, handle, 1, 0, 0x2000, 0x300000, 0), 0);
    EQUAL(madvise(0x300000, 0x2000, 2, 0, 0, 0), EINVAL_);
    gpucmd_store32(memory + 4096, 0x600d, GPUCMD_LITTLE_ENDIAN);
    EQUAL(seen(0x301000), 0x600d);
    gpucmd_xe_kernel_close(&k);
    EQUAL(k.object_rows.count, 1);
}

static uint32_t obtained;

static void *obtain(void *user, uint32_t object, uint64_t bytes)
{
    (void)user;
    (void)object;
    (void)bytes;
    obtained++;
    return ram;
}

/* Space for mmap is about 1 TiB; memory comes from a callback, which nothing gives back. */
static void mmap_space(void)
{
    start(GPUCMD_XE_LNL, 0);
    k.obtain = obtain;
    k.ram = NULL;
    k.ram_bytes = 0;
    EQUAL(gpucmd_xe_kernel_check(&k), GPUCMD_OK); /* no RAM is needed */
    EQUAL(xe(XE(GEM_CREATE), "0*2 0 100 1 0*3 1 0*5"), 0);
    EQUAL(xe(XE(GEM_CREATE), "0*2 1000 0 1 0*3 1 0*5"), ENOSPC_);
    EQUAL(k.object_rows.count, 2);
    EQUAL(xe(0x40086409, "1 0"), 0);
    EQUAL(xe(XE(GEM_CREATE), "0*2 1000 0 1 0*3 1 0*5"), 0);
    EQUAL(obtained, 2);
}

static void node_mmap(void)
{
    gpucmd_sys_ops sys;
    gpucmd_sys_map map = {NULL, 0x10000, 3, GPUCMD_SYS_MAP_SHARED, 3, (uint64_t)1 << 32};
    world(GPUCMD_XE_LNL, 1);
    gpucmd_xe_kernel_sys(&k, &sys);
    EQUAL(sys.sys_open(sys.user, "/dev/dri/renderD128", 2), 3);
    map.off_bytes = (uint64_t)2 << 32;
    EQUAL(-sys.sys_mmap(sys.user, &map), EINVAL_); /* nothing is there */
    map.off_bytes = (uint64_t)1 << 32;
    map.len_bytes = 0;
    EQUAL(-sys.sys_mmap(sys.user, &map), EINVAL_);
    map.len_bytes = 0x10000;
    map.flags = 0;
    EQUAL(-sys.sys_mmap(sys.user, &map), EINVAL_); /* MAP_PRIVATE */
    map.flags = GPUCMD_SYS_MAP_SHARED;
    EQUAL(madvise(0x1a0000, 0x10000, 3, 1, 0, 0), 0);
    EQUAL(-sys.sys_mmap(sys.user, &map), EBUSY_); /* DONTNEED */
    EQUAL(madvise(0x1a0000, 0x10000, 3, 0, 0, 0), 0);
    EQUAL(sys.sys_mmap(sys.user, &map), 0);
    EQUAL(xe(0x40086409, "1 0"), 0);
    EQUAL(-sys.sys_mmap(sys.user, &map), EACCES_); /* no handle, but a mapping in the VM */
}

/* Section 2.12, type 3: holders of an object. */
static void purgeable(void)
{
    gpucmd_xe_dmabuf place;
    gpucmd_xe_dmabuf *dmabuf = NULL;
    world(GPUCMD_XE_LNL, 1);
    EQUAL(xe(XE(GEM_CREATE), "0*2 2000 0 1 0*3 1 0*5"), 0);
    EQUAL(bind(MAP, 2, 1, 0, 0x2000, 0x300000, 0), 0);
    EQUAL(bind(MAP, 2, 1, 0, 0x2000, 0x400000, 0), 0);
    EQUAL(madvise(0x300000, 0x2000, 3, 1, 0, 0), 0);
    EQUAL(bind(MAP, 2, 1, 0, 0x2000, 0x500000, 0), 0); /* two mappings need it */
    EQUAL(bind(UNMAP, 0, 1, 0, 0x2000, 0x500000, 0), 0);
    EQUAL(madvise(0x400000, 0x2000, 3, 1, 0, 0), 0);
    EQUAL(bind(MAP, 2, 1, 0, 0x2000, 0x500000, 0), EBUSY_);
    EQUAL(prefetch(0, 0x300000, 0x2000), EBUSY_);
    EQUAL(-gpucmd_xe_kernel_gem_export(&k, 2, &place, &dmabuf), EBUSY_);
    EQUAL(madvise(0x400000, 0x2000, 3, 0, 0, 0), 0);
    EQUAL(gpucmd_xe_kernel_gem_export(&k, 2, &place, &dmabuf), 0);
    EQUAL(madvise(0x400000, 0x2000, 3, 1, 0, 0), 0);
    EQUAL(bind(MAP, 2, 1, 0, 0x2000, 0x500000, 0), 0); /* the dma-buf needs it */
    /* other mappings have no such state */
    EQUAL(bind(MAP, 0, 1, 0, 0x1000, 0x600000, 4), 0);
    EQUAL(madvise(0x600000, 0x1000, 3, 1, 0, 0), 0);
    EQUAL(bind(MAP, 2, 1, 0, 0x1000, 0x600000, 0), 0);
}

/* An object whose last handle is closed ends with its last mapping, also if other objects end in
 * the same bind: MAP of object 3 and UNMAP of it, after UNMAP of object 2, in one array. */
static void ends(void)
{
    uint32_t handle = 0;
    char text[32];
    world(GPUCMD_XE_LNL, 1);
    EQUAL(xe(XE(GEM_CREATE), "0*2 1000 0 1 0*3 1 0*5"), 0);
    EQUAL(xe(XE(GEM_CREATE), "0*2 1000 0 1 0*3 1 0*5"), 0);
    EQUAL(bind(MAP, 2, 1, 0, 0x1000, 0x300000, 0), 0);
    const uint32_t fence = waiting(&handle);
    snprintf(text, sizeof text, "0*4 %x 0*7", handle);
    put(0x3000, text);
    put(0x1000, "0*2 0 1 0*2 1000 0 300000 0 1 0*9");
    put(0x1050, "0*2 3 1 0*2 1000 0 400000 0*11");
    put(0x10a0, "0*2 0 1 0*2 1000 0 400000 0 1 0*9");
    EQUAL(xe(XE(VM_BIND), "0*2 1 0*2 3 1000 7f00 0*19 1 3000 7f00 0*4"), 0);
    EQUAL(xe(0x40086409, "2 0"), 0);
    EQUAL(xe(0x40086409, "3 0"), 0);
    EQUAL(k.object_rows.count, 4); /* process, 1, 2, 3 */
    EQUAL(gpucmd_fence_signal(&k.fences, fence, 0), GPUCMD_OK);
    CHECK(gpucmd_xe_kernel_run(&k));
    EQUAL(k.object_rows.count, 2);
    EQUAL(k.places.count, 2);
}

/* ---- VM_BIND ---- */

/* Section 2.8, rows 5 to 10, on LNL: object 2 is cached, object 3 is not, and its flag is
 * NO_COMPRESSION. */
static void bind_rules(void)
{
    static const struct {
        uint32_t op, obj, pat;
        uint64_t offset, bytes, va;
        uint32_t flags, region;
        int err;
    } rows[] = {
        {MAP,         0, 1,  0,       0x1000,          0x300000, 4,    0,          0          },
        {MAP,         0, 1,  0x1000,  0x1000,          0x300000, 4,    0,          EINVAL_    },
        {UNMAP,       0, 1,  0,       0x1000,          0x300000, 4,    0,          EINVAL_    },
        {MAP,         0, 1,  0,       0x1000000001000, 0,        4,    0,          EINVAL_    },
        {MAP,         0, 1,  0,       0x1000000000000, 0,        4,    0,          0          },
        {MAP,         2, 9,  0,       0x1000,          0x300000, 0,    0,          EINVAL_    },
        {MAP,         3, 9,  0,       0x1000,          0x300000, 0,    0,          EINVAL_    },
        {MAP,         3, 0,  0,       0x1000,          0x300000, 0,    0,          0          },
        {MAP,         3, 32, 0,       0x1000,          0x300000, 0,    0,          EINVAL_    },
        {MAP,         3, 60, 0,       0x1000,          0x300000, 0,    0,          EINVAL_    },
        {MAP,         3, 0,  0,       0x1000,          0x300000, 0x80, 0,          EOPNOTSUPP_},
        {UNMAP,       0, 0,  0,       0x1000,          0x300000, 0x80, 0,          EINVAL_    },
        {MAP,         3, 9,  0,       0x1000,          0x300000, 0x80, 0,          EINVAL_    },
        {MAP_USERPTR, 0, 0,  USER_VA, 0x1000,          0x300000, 0,    0,          EINVAL_    },
        {MAP_USERPTR, 0, 9,  USER_VA, 0x1000,          0x300000, 0,    0,          EINVAL_    },
        {MAP_USERPTR, 0, 1,  USER_VA, 0x1000,          0x300000, 0,    0,          0          },
        {PREFETCH,    2, 1,  0,       0x1000,          0x300000, 0,    0,          EINVAL_    },
        {PREFETCH,    0, 1,  0,       0x1000,          0x300000, 0,    1,          EINVAL_    },
        {PREFETCH,    0, 1,  0,       0x1000,          0x300000, 0,    32,         EINVAL_    },
        {PREFETCH,    0, 1,  0,       0x1000,          0x300000, 0,    0,          0          },
        {PREFETCH,    0, 1,  0,       0x1000,          0x300000, 0,    UINT32_MAX, 0          },
        {UNMAP_ALL,   2, 1,  0,       0,               0,        0,    0,          0          },
    };
    world(GPUCMD_XE_LNL, 1);
    EQUAL(xe(XE(GEM_CREATE), "0*2 1000 0 1 0*3 1 0*5"), 0);
    EQUAL(xe(XE(GEM_CREATE), "0*2 1000 0 1 8 0*2 2 0*5"), 0);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bind_region = rows[i].region;
        if (!EQUAL(bind(rows[i].op, rows[i].obj, rows[i].pat, rows[i].offset, rows[i].bytes,
                        rows[i].va, rows[i].flags),
                   rows[i].err)) {
            printf("    row %u: %s\n", (unsigned)i, k.why.reg);
        }
        bind_region = 0;
    }
    bind_queue = 1; /* no bind queue */
    EQUAL(bind(UNMAP, 0, 1, 0, 0x1000, 0x300000, 0), EINVAL_);
    bind_queue = 0;
    /* a table without a free entry */
    world(GPUCMD_XE_LNL, 1);
    memset(k.device.pat, '1', sizeof k.device.pat);
    EQUAL(bind(MAP_USERPTR, 0, 39, USER_VA, 0x1000, 0x300000, 0), 0);
    EQUAL(bind(MAP_USERPTR, 0, 40, USER_VA, 0x1000, 0x300000, 0), EINVAL_);
    /* Xe3: entry 16 is coherent and compresses; a userptr may not */
    world(GPUCMD_XE_PTL, 1);
    EQUAL(bind(MAP_USERPTR, 0, 16, USER_VA, 0x1000, 0x300000, 0), EINVAL_);
    EQUAL(bind(MAP, 1, 16, 0, 0x1000, 0x300000, 0), 0);
    /* DG2: objects of VRAM need 64 KiB; no DECOMPRESS */
    world(GPUCMD_XE_DG2, 1);
    EQUAL(xe(XE(GEM_CREATE), "0*2 20000 0 2 0*3 2 0*5"), 0);
    EQUAL(bind(MAP, 2, 0, 0, 0x10000, 0x310000, 0), 0);
    EQUAL(bind(MAP, 2, 0, 0, 0x10000, 0x308000, 0), EINVAL_);
    EQUAL(bind(MAP, 2, 0, 0x10000, 0x8000, 0x310000, 0), EINVAL_);
    EQUAL(bind(MAP, 2, 0, 0, 0x10000, 0x310000, 0x80), EOPNOTSUPP_);
    EQUAL(bind(MAP, 1, 0, 0, 0x1000, 0x301000, 0), 0); /* system memory: 4 KiB */
    /* a device with page faults, but not together with scratch pages */
    start(GPUCMD_XE_LNL, 0);
    k.device.traits &= ~(uint32_t)GPUCMD_XE_SCRATCH_FAULTS;
    EQUAL(xe(XE(VM_CREATE), "0*2 7 0*5"), EINVAL_);
    EQUAL(xe(XE(VM_CREATE), "0*2 6 0*5"), 0);
}

/* Section 2.8, row 17: object 2 must be in VRAM, object 3 can be in both; NULL and userptr mappings
 * do not move. From the second object on, the region is system memory. */
static void prefetches(void)
{
    world(GPUCMD_XE_BMG, 1);
    EQUAL(xe(XE(GEM_CREATE), "0*2 1000 0 2 0*3 2 0*5"), 0);
    EQUAL(xe(XE(GEM_CREATE), "0*2 1000 0 3 0*3 2 0*5"), 0);
    EQUAL(bind(MAP, 2, 0, 0, 0x1000, 0x300000, 0), 0);
    EQUAL(bind(MAP, 3, 0, 0, 0x1000, 0x301000, 0), 0);
    EQUAL(bind(MAP, 0, 0, 0, 0x1000, 0x302000, 4), 0);
    EQUAL(bind(MAP_USERPTR, 0, 1, USER_VA, 0x1000, 0x303000, 0), 0);
    EQUAL(bind(MAP, 2, 0, 0, 0x1000, 0x305000, 0), 0);
    EQUAL(prefetch(1, 0x300000, 0x4000), 0);
    EQUAL(prefetch(0, 0x300000, 0x4000), EINVAL_);
    EQUAL(prefetch(0, 0x301000, 0x1000), 0);
    EQUAL(prefetch(UINT32_MAX, 0x300000, 0x4000), 0);
    EQUAL(prefetch(1, 0x300000, 0x6000), EINVAL_); /* the third object */
    EQUAL(prefetch(1, 0x1a0000, 0x1000), EINVAL_); /* of system memory */
}

/* Section 2.12, row 10: objects of system memory, of VRAM and of both; and the mappings that keep
 * their attributes. */
static void atomics(void)
{
    static const struct {
        uint64_t va;
        uint32_t val; /* 1 DEVICE, 2 GLOBAL, 3 CPU */
        int err;
    } rows[] = {
        {0x1a0000, 1, EINVAL_},
        {0x1a0000, 2, EINVAL_},
        {0x1a0000, 3, 0      },
        {0x300000, 1, 0      },
        {0x300000, 2, EINVAL_},
        {0x300000, 3, EINVAL_},
        {0x301000, 1, 0      },
        {0x301000, 2, 0      },
        {0x301000, 3, 0      },
        {0x300000, 0, 0      },
        {0x302000, 2, 0      },
        {0x303000, 2, 0      },
    };
    world(GPUCMD_XE_BMG, 1);
    EQUAL(xe(XE(GEM_CREATE), "0*2 1000 0 2 0*3 2 0*5"), 0);
    EQUAL(xe(XE(GEM_CREATE), "0*2 1000 0 3 0*3 2 0*5"), 0);
    EQUAL(bind(MAP, 2, 0, 0, 0x1000, 0x300000, 0), 0);
    EQUAL(bind(MAP, 3, 0, 0, 0x1000, 0x301000, 0), 0);
    EQUAL(bind(MAP, 0, 0, 0, 0x1000, 0x302000, 4), 0);
    EQUAL(bind(MAP_USERPTR, 0, 1, USER_VA, 0x1000, 0x303000, 0), 0);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!EQUAL(madvise(rows[i].va, 0x1000, 1, rows[i].val, 0, 0), rows[i].err)) {
            printf("    row %u\n", (unsigned)i);
        }
    }
    EQUAL(xe(XE(VM_QUERY_MEM_RANGE_ATTRS), "0*2 1 2 302000 0 2000 0 40 0 1000 7f00 0*4"), 0);
    HAS(0x1000, "0*2 302000 0 303000 0*3 2 0*7");    /* NULL */
    HAS(0x1040, "0*2 303000 0 304000 0*5 1 0*5");    /* not of a userptr */
    EQUAL(madvise(0x300000, 0x1000, 2, 9, 0, 0), 0); /* discrete: any entry */
    /* an integrated GPU */
    world(GPUCMD_XE_LNL, 1);
    EQUAL(xe(XE(GEM_CREATE), "0*2 1000 0 1 0*3 2 0*5"), 0);
    EQUAL(bind(MAP, 2, 0, 0, 0x1000, 0x300000, 0), 0);
    EQUAL(bind(MAP, 0, 0, 0, 0x10000, 0x310000, 4), 0);
    EQUAL(bind(MAP_USERPTR, 0, 1, USER_VA, 0x1000, 0x303000, 0), 0);
    EQUAL(madvise(0x300000, 0x1000, 2, 3, 0, 0), 0);       /* not cached: any entry */
    EQUAL(madvise(0x303000, 0x1000, 2, 3, 0, 0), EINVAL_); /* memory of the process */
    EQUAL(madvise(0x303000, 0x1000, 2, 2, 0, 0), 0);
    EQUAL(madvise(0x313000, 0x4000, 2, 3, 0, 0), 0); /* NULL: divided at both ends */
    EQUAL(xe(XE(VM_QUERY_MEM_RANGE_ATTRS), "0*2 1 3 310000 0 10000 0 40 0 1000 7f00 0*4"), 0);
    HAS(0x1000, "0*2 310000 0 313000 0*9");
    HAS(0x1040, "0*2 313000 0 317000 0*5 3 0*5");
    HAS(0x1080, "0*2 317000 0 320000 0*9");
}

/* Section 4.4, E19: in fault mode a MAP needs no page table; IMMEDIATE does. */
static void fault_mode(void)
{
    uint32_t handle = 0;
    char text[32];
    world(GPUCMD_XE_LNL, 6);
    gpucmd_store32(ram + 0x3000, 0xabcd, GPUCMD_LITTLE_ENDIAN);
    EQUAL(bind(MAP, 1, 1, 0x3000, 0x1000, 0x300000, 0), 0);
    EQUAL(seen(0x300000), 0xabcd);
    /* the parts of a divided userptr show their own pages */
    EQUAL(bind(MAP_USERPTR, 0, 1, USER_VA + 0x5000, 0x2000, 0x310000, 0), 0);
    EQUAL(madvise(0x311000, 0x1000, 2, 2, 0, 0), 0);
    put(0x5000, "51");
    put(0x6000, "61");
    EQUAL(seen(0x310000), 0x51);
    EQUAL(seen(0x311000), 0x61);
    const uint32_t fence = waiting(&handle);
    snprintf(text, sizeof text, "0*4 %x 0*7", handle);
    put(0x3000, text);
    bind_syncs = 1;
    EQUAL(bind(MAP, 1, 1, 0x3000, 0x1000, 0x320000, 0), EOPNOTSUPP_);
    EQUAL(bind(MAP, 1, 1, 0x3000, 0x1000, 0x330000, 2), 0); /* IMMEDIATE */
    EQUAL(bind(MAP, 1, 1, 0x3000, 0x1000, 0x300000, 0), 0); /* over a mapping */
    EQUAL(bind(UNMAP, 0, 1, 0, 0x1000, 0x300000, 0), 0);
    bind_syncs = 0;
    EQUAL(gpucmd_fence_signal(&k.fences, fence, 0), GPUCMD_OK);
    while (gpucmd_xe_kernel_run(&k)) {
    }
    EQUAL(seen(0x320000), 0xabcd); /* the mapping stays */
    EQUAL(seen(0x330000), 0xabcd);
    /* LR: in-syncs of sync objects are allowed; 0 batches signal nothing */
    EQUAL(xe(XE(EXEC), "0*2 1 1 3000 7f00 1a0000 0 1 0*5"), 0);
    put(0x3000, "0*2 2 1 1a1000 0 77 0*5");
    memset(ram + 0x1000, 0, 8);
    EQUAL(xe(XE(EXEC), "0*2 1 1 3000 7f00 1a0000 0 0*6"), 0);
    EQUAL(ram_word(0x1000), 0);
}

/* ---- memory of jobs ---- */

/* Read and write at once: MI_ATOMIC, INC of 4 bytes. */
static void sparse(void)
{
    world(GPUCMD_XE_LNL, 1);
    batch("17800501 300000 0 17800501 300000 0 5000000 0");
    EQUAL(xe(XE(EXEC), "0*2 1 0*3 1a0000 0 1 0*5"), 0);
    EQUAL(k.bans, 0);
    EQUAL(seen(0x300000), 0);
    batch("17800501 1a3000 0 17800501 1a3000 0 5000000 0");
    EQUAL(xe(XE(EXEC), "0*2 1 0*3 1a0000 0 1 0*5"), 0);
    EQUAL(ram_word(0x3000), 2);
}

/* A userptr of two pages, of which the second goes away. */
static void userptr_pages(void)
{
    world(GPUCMD_XE_LNL, 1);
    put(0x5ffc, "5ffc 6000");
    EQUAL(bind(MAP_USERPTR, 0, 1, USER_VA + 0x5000, 0x2000, 0x300000, 0), 0);
    EQUAL(seen(0x300ffc), 0x5ffc);
    EQUAL(seen(0x301000), 0x6000);
    memmove(user_at(0x100), user_at(ARG), 56); /* EXEC of the page that stays */
    user_regions[0].bytes = 0x6000;
    batch("17000003 1a2000 0 300ffc 0 5000000 0");
    EQUAL(gpucmd_xe_kernel_ioctl(&k, XE(EXEC), USER_VA + 0x100), 0);
    EQUAL(ram_word(0x2000), 0x5ffc);
    EQUAL(k.bans, 0);
    batch("17000003 1a2000 0 301000 0 5000000 0");
    EQUAL(gpucmd_xe_kernel_ioctl(&k, XE(EXEC), USER_VA + 0x100), 0);
    EQUAL(k.bans, 1);
}

/* Section 2.6: at most 50 faults of a VM are kept, on devices that report page faults. */
static void faults(void)
{
    world(GPUCMD_XE_LNL, 0);
    EQUAL(xe(XE(EXEC_QUEUE_DESTROY), "1 0*5"), 0);
    batch("17800501 19f008 0 5000000 0"); /* below the mapping of object 1 */
    for (uint32_t i = 0; i < 51; i++) {
        EQUAL(xe(XE(EXEC_QUEUE_CREATE), "0*2 10001 1 0*2 4000 7f00 0*4"), 0);
        EQUAL(xe(XE(EXEC), "0*2 1 0*3 1a0000 0 1 0*5"), 0);
        EQUAL(xe(XE(EXEC_QUEUE_DESTROY), "1 0*5"), 0);
    }
    EQUAL(k.bans, 51);
    EQUAL(xe(XE(VM_GET_PROPERTY), "0*2 1 0*11"), 0);
    OUT("0*2 1 0 960 0*9");
    EQUAL(xe(XE(VM_GET_PROPERTY), "0*2 1 0 60 0 1000 7f00 0*6"), 0); /* the first two */
    HAS(0x1000, "19f000 0 1000 2 0*8");                              /* atomic, not present */
    world(GPUCMD_XE_TGL, 0);
    batch("17800501 19f008 0 5000000 0");
    EQUAL(xe(XE(EXEC), "0*2 1 0*3 1a0000 0 1 0*5"), 0);
    EQUAL(k.bans, 1);
    EQUAL(xe(XE(VM_GET_PROPERTY), "0*2 1 0*11"), 0);
    OUT("0*2 1 0*11");
}

static void look(void)
{
    gpucmd_priv_xe_view view;
    gpucmd_mem mem;
    uint32_t word = 0;
    world(GPUCMD_XE_LNL, 0);
    gpucmd_store32(ram + 0x4000, 0x4444, GPUCMD_LITTLE_ENDIAN);
    gpucmd_xe_kernel_look(&k, 1, &view, &mem);
    EQUAL(gpucmd_mem_read32(&mem, 0x1a4000, GPUCMD_LITTLE_ENDIAN, &word), GPUCMD_OK);
    EQUAL(word, 0x4444);
    EQUAL(gpucmd_mem_read32(&mem, GPUCMD_XE_RING_VA, GPUCMD_LITTLE_ENDIAN, &word),
          GPUCMD_FAULT); /* no ring is seen */
}

/* ---- jobs ---- */

static uint64_t started_va;
static uint32_t started_word;

static void on_start(void *user, uint32_t queue, const gpucmd_i915_cs *cs, uint64_t batch_va)
{
    (void)user;
    (void)queue;
    (void)cs;
    started_va = batch_va;
    EQUAL(gpucmd_mem_read32(&k.memory, batch_va, GPUCMD_LITTLE_ENDIAN, &started_word), GPUCMD_OK);
}

/* Option execute: without it jobs end at once and write nothing. */
static void not_executed(void)
{
    int32_t error = 1;
    world(GPUCMD_XE_LNL, 1);
    k.started = on_start;
    k.execute = false;
    EQUAL(syncobj(), 1);
    put(0x3000, "0*3 1*2 0*7");
    batch("10000002 1a2000 0 77 5000000 0");
    EQUAL(xe(XE(EXEC), "0*2 1*2 3000 7f00 1a0000 0 1 0*5"), 0);
    CHECK(signalled(1, &error));
    EQUAL(error, 0);
    EQUAL(started_va, 0x1a0000);
    EQUAL(started_word, 0x10000002);
    EQUAL(ram_word(0x2000), 0);
    k.execute = true;
    EQUAL(xe(XE(EXEC), "0*2 1*2 3000 7f00 1a0000 0 1 0*5"), 0);
    EQUAL(ram_word(0x2000), 0x77);
}

/* One lane ends before the other; without hang_runs a job never hangs. */
static void lanes(void)
{
    int32_t error = 1;
    world(GPUCMD_XE_BMG, 1);
    put(0x4000, "2 1 10002 1");
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "0*2 10002 1 0*2 4000 7f00 0*4"), 0);
    EQUAL(syncobj(), 1);
    batch("10000002 1a2000 0 11 5000000 0");
    uint32_t words[16];
    memcpy(ram + 0x800, words, 4 * words_of("e00c002 1 1a3000 0 5000000 0", words)); /* poll */
    put(0x1000, "1a0000 0 1a0800 0");
    put(0x3000, "0*3 1*2 0*7");
    k.hang_runs = 0;
    EQUAL(xe(XE(EXEC), "0*2 2 1 3000 7f00 1000 7f00 2 0*5"), 0);
    EQUAL(ram_word(0x2000), 0x11);
    for (uint32_t i = 0; i < 2000; i++) {
        (void)gpucmd_xe_kernel_run(&k);
    }
    CHECK(!signalled(1, &error));
    EQUAL(k.bans, 0);
    gpucmd_store32(ram + 0x3000, 1, GPUCMD_LITTLE_ENDIAN);
    while (gpucmd_xe_kernel_run(&k)) {
    }
    CHECK(signalled(1, &error));
    EQUAL(error, 0);
}

/* Option deferred; a VM that is destroyed while its jobs and binds wait. */
static void vm_ends(void)
{
    int32_t error = 1;
    uint32_t handle = 0;
    world(GPUCMD_XE_LNL, 1);
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "0*2 10001 1 0*2 4000 7f00 0*4"), 0);
    EQUAL(xe(XE(EXEC_QUEUE_DESTROY), "1 0*5"), 0); /* its row is free */
    EQUAL(xe(XE(VM_CREATE), "0*2 1 0*5"), 0);      /* VM 2 with queue 1 */
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "0*2 10001 2 0*2 4000 7f00 0*4"), 0);
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "0*2 10001 2 0*2 4000 7f00 0*4"), 0);
    EQUAL(xe(XE(EXEC_QUEUE_DESTROY), "1 0*5"), 0);
    k.deferred = true;
    batch("10000002 1a2000 0 77 5000000 0");
    EQUAL(xe(XE(EXEC), "0*2 2 0*3 1a0000 0 1 0*5"), 0);
    put(0x5000, "0");
    bind_syncs = 1;
    put(0x3000, SYNC_41);
    EQUAL(bind(MAP, 0, 1, 0, 0x1000, 0x300000, 4), 0);
    bind_syncs = 0;
    EQUAL(ram_word(0x2000), 0);
    HAS(0x5000, "0");
    EQUAL(xe(XE(VM_DESTROY), "1 0*5"), 0); /* its jobs and binds end first */
    EQUAL(ram_word(0x2000), 0x77);
    HAS(0x5000, "1");
    EQUAL(xe(XE(VM_DESTROY), "2 0*5"), 0);
    world(GPUCMD_XE_LNL, 1); /* a job alone */
    k.deferred = true;
    batch("10000002 1a2000 0 78 5000000 0");
    EQUAL(xe(XE(EXEC), "0*2 1 0*3 1a0000 0 1 0*5"), 0);
    EQUAL(xe(XE(VM_DESTROY), "1 0*5"), 0);
    EQUAL(ram_word(0x2000), 0x78);
    /* what waits for ever: the bind is done, the job ends with ETIME */
    world(GPUCMD_XE_LNL, 1);
    (void)waiting(&handle);
    EQUAL(handle, 1);
    EQUAL(syncobj(), 2);
    EQUAL(syncobj(), 3);
    put(0x3000, "0*4 1 0*7 0*3 1 2 0*7");
    bind_syncs = 2;
    EQUAL(bind(MAP, 0, 1, 0, 0x1000, 0x300000, 4), 0);
    bind_syncs = 0;
    put(0x3000, "0*4 1 0*7 0*3 1 3 0*7");
    EQUAL(xe(XE(EXEC), "0*2 1 2 3000 7f00 1a0000 0 1 0*5"), 0);
    CHECK(!signalled(2, &error));
    CHECK(!signalled(3, &error));
    EQUAL(xe(XE(VM_DESTROY), "1 0*5"), 0);
    CHECK(signalled(2, &error));
    EQUAL(error, 0);
    CHECK(signalled(3, &error));
    EQUAL(error, ETIME_);
    EQUAL(k.maps.count, 0);
}

/* A bind queue that is destroyed: its binds are done. */
static void bind_queue_ends(void)
{
    int32_t error = 1;
    uint32_t handle = 0;
    world(GPUCMD_XE_LNL, 1);
    put(0x4000, "5 0");
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "0*2 10001 1 0*2 4000 7f00 0*4"), 0);
    (void)waiting(&handle);
    EQUAL(syncobj(), 2);
    put(0x3000, "0*4 1 0*7 0*3 1 2 0*7");
    bind_syncs = 2;
    bind_queue = 2;
    EQUAL(bind(MAP, 1, 1, 0x4000, 0x1000, 0x300000, 0), 0);
    bind_syncs = bind_queue = 0;
    gpucmd_store32(ram + 0x4000, 0x4444, GPUCMD_LITTLE_ENDIAN);
    EQUAL(seen(0x300000), 0);
    EQUAL(xe(XE(EXEC_QUEUE_DESTROY), "2 0*5"), 0);
    CHECK(signalled(2, &error));
    EQUAL(error, 0);
    EQUAL(seen(0x300000), 0x4444);
}

/* Two VMs: the call moves the bind of the first, and has nothing for the second. */
static void two_vms(void)
{
    world(GPUCMD_XE_LNL, 1);
    EQUAL(xe(XE(VM_CREATE), "0*2 1 0*5"), 0);
    k.deferred = true;
    EQUAL(bind(MAP, 0, 1, 0, 0x1000, 0x300000, 4), 0);
    CHECK(gpucmd_xe_kernel_run(&k));
    CHECK(!gpucmd_xe_kernel_run(&k));
}

/* Closing the file: handles, queues and VMs that are free already, and those that are not. */
static void close_file(void)
{
    int32_t error = 0;
    world(GPUCMD_XE_LNL, 1);
    EQUAL(xe(XE(GEM_CREATE), "0*2 1000 0 1 0*3 1 0*5"), 0);
    EQUAL(xe(0x40086409, "1 0"), 0);
    EQUAL(xe(XE(VM_CREATE), "0*2 1 0*5"), 0);
    EQUAL(xe(XE(VM_CREATE), "0*2 1 0*5"), 0);
    EQUAL(xe(XE(VM_DESTROY), "2 0*5"), 0);
    EQUAL(syncobj(), 1);
    k.deferred = true;
    put(0x3000, "0*3 1*2 0*7");
    EQUAL(xe(XE(EXEC), "0*2 1*2 3000 7f00 1a0000 0 1 0*5"), 0);
    gpucmd_xe_kernel_close(&k);
    CHECK(signalled(1, &error));
    EQUAL(error, ETIME_);
    EQUAL(k.maps.count + k.places.count + k.vm_free.count + k.queue_free.count, 0);
    EQUAL(k.job_free.count + k.context_free.count, 0);
    EQUAL(k.object_rows.count, 1);
}

/* Section 2.11: absolute times; a negative timeout waits for ever. */
static int advance(void *user)
{
    (void)user;
    k.now_ns += 1000;
    if (k.now_ns >= 5000) {
        put(0x5000, "1");
    }
    return 0;
}

static void waits(void)
{
    world(GPUCMD_XE_LNL, 1);
    k.progress = advance;
    k.now_ns = 1000;
    put(0x5000, "0");
    flips_repeats(true); /* a wait looks again */
    EQUAL(xe(XE(WAIT_USER_FENCE), "0*2 5000 7f00 10000 0 1 0 ffffffff*2 bb8 0*6"), ETIME_);
    OUT("0*2 5000 7f00 10000 0 1 0 ffffffff*2 bb8 0*6"); /* 3000 ns, not changed */
    EQUAL(k.now_ns, 3000);
    EQUAL(xe(XE(WAIT_USER_FENCE), "0*2 5000 7f00 10000 0 1 0 ffffffff*2 ffffffff*2 0*6"), 0);
    EQUAL(k.now_ns, 5000);
    EQUAL(xe(XE(WAIT_USER_FENCE), "0*2 5000 7f00 5 0 1 0 ffffffff*2 0*8"), 0); /* LTE */
    EQUAL(xe(XE(WAIT_USER_FENCE), "0*2 5000 7f00 5 0*3 ffffffff*2 0*8"), ETIME_);
    flips_repeats(false);
}

/* ---- tables ---- */

static void full(void)
{
    world(GPUCMD_XE_LNL, 1);
    EQUAL(syncobj(), 1);
    EQUAL(syncobj(), 2);
    const xe_state before = xe_state_of(&k);
    k.vm_ids.cap = k.vm_ids.count;
    EQUAL(xe(XE(VM_CREATE), "0*2 1 0*5"), ENOMEM_);
    EQUAL(k.table, GPUCMD_XE_TABLE_VM_IDS);
    k.queue_ids.cap = k.queue_ids.count;
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "0*2 10001 1 0*2 4000 7f00 0*4"), ENOMEM_);
    EQUAL(k.table, GPUCMD_XE_TABLE_QUEUE_IDS);
    k.queue_count = k.queue_free.used;
    k.queue_free.free = 0;
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "0*2 10001 1 0*2 4000 7f00 0*4"), ENOMEM_);
    EQUAL(k.table, GPUCMD_XE_TABLE_QUEUES);
    put(0x3000, "0*2 1*3 0 1 0*5");
    k.syncobjs.point_cap = 0;
    EQUAL(xe(XE(EXEC), "0*2 1*2 3000 7f00 1a0000 0 1 0*5"), ENOMEM_);
    EQUAL(k.table, GPUCMD_XE_TABLE_POINTS);
    k.fences.cap = k.fences.count + 1;
    put(0x3000, "0*3 1*2 0*7");
    EQUAL(xe(XE(EXEC), "0*2 1*2 3000 7f00 1a0000 0 0*6"), ENOMEM_); /* 0 batches */
    EQUAL(k.table, GPUCMD_XE_TABLE_FENCES);
    bind_syncs = 1;
    EQUAL(bind(UNMAP, 0, 1, 0, 0x1000, 0x1a0000, 0), ENOMEM_);
    EQUAL(k.table, GPUCMD_XE_TABLE_FENCES);
    bind_syncs = 0;
    k.fences.cap = k.fence_count;
    k.job_count = k.job_free.used;
    k.job_free.free = 0;
    EQUAL(bind(UNMAP, 0, 1, 0, 0x1000, 0x1a0000, 0), ENOMEM_);
    EQUAL(k.table, GPUCMD_XE_TABLE_JOBS);
    const xe_state after = xe_state_of(&k);
    CHECK(memcmp(&before, &after, sizeof before) == 0);
    k.objects = NULL;
    EQUAL(gpucmd_xe_kernel_check(&k), GPUCMD_RANGE);
    EQUAL(k.table, GPUCMD_XE_TABLE_OBJECTS);
}

/* Larger tables in another place keep what they had. Section 2.10, row 6: 1000 jobs in a queue. */
static void many_jobs(void)
{
    static gpucmd_xe_job jobs[1001];
    static gpucmd_fence fences[1200];
    world(GPUCMD_XE_LNL, 1);
    memcpy(jobs, k.jobs, k.job_count * sizeof jobs[0]);
    memcpy(fences, k.fence_rows, k.fence_count * sizeof fences[0]);
    k.jobs = jobs;
    k.job_count = sizeof jobs / sizeof jobs[0];
    k.fence_rows = fences;
    k.fence_count = sizeof fences / sizeof fences[0];
    EQUAL(gpucmd_xe_kernel_check(&k), GPUCMD_OK);
    k.deferred = true;
    batch("5000000 0");
    for (uint32_t i = 0; i < 1000; i++) {
        EQUAL(xe(XE(EXEC), "0*2 1 0*3 1a0000 0 1 0*5"), 0);
    }
    EQUAL(xe(XE(EXEC), "0*2 1 0*3 1a0000 0 1 0*5"), EAGAIN_);
    const uint64_t before = k.jobs_done;
    while (gpucmd_xe_kernel_run(&k)) {
    }
    EQUAL(k.jobs_done - before, 1000);
    EQUAL(xe(XE(EXEC), "0*2 1 0*3 1a0000 0 1 0*5"), 0);
}

/* The number of a bind never becomes 0, which is the number of a mapping without a user fence. Two
 * in-syncs of one job. */
static void serials(void)
{
    uint32_t handle[2];
    world(GPUCMD_XE_LNL, 1);
    const uint32_t first = waiting(&handle[0]), second = waiting(&handle[1]);
    put(0x3000, "0*4 1 0*7 0*4 2 0*7");
    put(0x3060, SYNC_41);
    put(0x5000, "0");
    bind_syncs = 3;
    k.job_serial = UINT32_MAX;
    EQUAL(bind(MAP, 0, 1, 0, 0x1000, 0x300000, 4), 0);
    bind_syncs = 0;
    EQUAL(bind(UNMAP, 0, 1, 0, 0x1000, 0x300000, 0), EBUSY_); /* the fence is not written */
    EQUAL(gpucmd_fence_signal(&k.fences, first, 0), GPUCMD_OK);
    CHECK(!gpucmd_xe_kernel_run(&k));
    EQUAL(gpucmd_fence_signal(&k.fences, second, 0), GPUCMD_OK);
    CHECK(gpucmd_xe_kernel_run(&k));
    HAS(0x5000, "1");
    EQUAL(bind(UNMAP, 0, 1, 0, 0x1000, 0x300000, 0), 0);
}

int main(void)
{
    if (is_other_cpu()) {
        return test_report("i915/xe_edges");
    }
    layouts();
    members();
    properties();
    instances();
    advice();
    queries();
    observation();
    devices();
    grants();
    dma_buf();
    mmap_space();
    node_mmap();
    purgeable();
    ends();
    bind_rules();
    prefetches();
    atomics();
    fault_mode();
    sparse();
    userptr_pages();
    faults();
    look();
    not_executed();
    lanes();
    vm_ends();
    bind_queue_ends();
    two_vms();
    close_file();
    waits();
    full();
    many_jobs();
    serials();
    return test_report("i915/xe_edges");
}

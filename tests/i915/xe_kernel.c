/* i915/xe_kernel.c - the model kernel of xe: the vectors of the fact sheet, each errno with its
 * condition and in its order, a session from the VM to the user fence, bans, scratch pages. */
/* suite: kernel */
#include "gpucmd_i915.h"
#include "flips.h"
#include "i915/xe_vectors.h"

enum {
    EPERM_ = 1,
    ENOENT_ = 2,
    EIO_ = 5,
    E2BIG_ = 7,
    EACCES_ = 13,
    EFAULT_ = 14,
    EBUSY_ = 16,
    ENODEV_ = 19,
    EINVAL_ = 22,
    ENOTTY_ = 25,
    ENOSPC_ = 28,
    ETIME_ = 62,
    EOVERFLOW_ = 75,
    EOPNOTSUPP_ = 95,
    ENOBUFS_ = 105,
    ECANCELED_ = 125,
    ENOMEM_ = 12
};

/* ---- numbers ---- */

static void numbers(void)
{
    static const uint32_t codes[16] = {0xc0286440, 0xc0386441, 0xc0286442, 0xc0206443,
                                       0x40186444, 0x40886445, 0xc0306446, 0x40186447,
                                       0xc0286448, 0x40386449, 0xc048644a, 0x4020644b,
                                       0x4040644c, 0xc040644d, 0x4028644e, 0xc038644f};
    uint32_t i = 0;
#define ROW(name, tag, function)                                                                   \
    EQUAL(GPUCMD_DRM_IOCTL_XE_##name, codes[i]);                                                   \
    CHECK(strcmp(gpucmd_xe_ioctl_name(codes[i]), #name) == 0);                                     \
    i++;
    GPUCMD_XE_IOCTLS(ROW)
#undef ROW
    EQUAL(i, 16);
    CHECK(strcmp(gpucmd_xe_ioctl_name(0xc0286450), "?") == 0);
    EQUAL(sizeof(struct gpucmd_drm_xe_query_engine_cycles), 40);
    EQUAL(sizeof(struct gpucmd_drm_xe_mem_region), 88);
    EQUAL(sizeof(struct gpucmd_drm_xe_gt), 96);
    EQUAL(sizeof(struct gpucmd_xe_vm_fault), 48);
}

/* ---- vectors 1 to 24 ---- */

static void config(void)
{
    start(GPUCMD_XE_LNL, 4);
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 2 0*7"), 0);
    OUT("0*2 2 30 0*6");
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 2 30 1000 7f00 0*4"), 0);
    HAS(0x1000, "5 0 464a0 0 3a 0 1000 0 30 0 2 0"); /* a kernel without GPUSVM: no bit 2 */
    k.has_nice = false;
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 2 30 1000 7f00 0*4"), 0);
    HAS(0x1028, "1 0");
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 2 38 1000 7f00 0*4"), EINVAL_);
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 2 8 1000 7f00 0*4"), EINVAL_);
    OUT("0*2 2 8 1000 7f00 0*4");
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 b 0*7"), EINVAL_);
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 2 0*5 1 0"), EINVAL_);
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 2 0*4 1 0*2"), EINVAL_);
    EQUAL(xe(XE(DEVICE_QUERY), "1 0 2 0*7"), EINVAL_);
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 2 30 8 0*5"), EFAULT_);
    start(GPUCMD_XE_BMG, 0);
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 2 30 1000 7f00 0*4"), 0);
    HAS(0x1000, "5 0 e20b 0 3b 0 1000 0 30 0 2 0");
    start(GPUCMD_XE_DG2, 8);
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 2 30 1000 7f00 0*4"), 0);
    HAS(0x1000, "5 0 856a0 0 33 0 10000 0 30 0 2 0");
    start(GPUCMD_XE_TGL, 1);
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 2 30 1000 7f00 0*4"), 0);
    HAS(0x1000, "5 0 19a49 0 32 0 1000 0 30 0 2 0");
}

static void regions(void)
{
    start(GPUCMD_XE_LNL, 4);
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 1 60 8 0*5"), ENOSPC_);
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 1 0*7"), 0);
    OUT("0*2 1 60 0*6");
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 1 60 1000 7f00 0*4"), 0);
    HAS(0x1000, "1 0*2 1000 0 4 0*18");
    EQUAL(xe(XE(GEM_CREATE), "0*2 10000 0 1 0 0 0 1 0*5"), 0);
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 1 60 1000 7f00 0*4"), 0);
    HAS(0x1000, "1 0*2 1000 0 4 10000 0*17");
    start(GPUCMD_XE_BMG, 0);
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 1 0*7"), 0);
    OUT("0*2 1 b8 0*6");
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 1 b8 1000 7f00 0*4"), 0);
    HAS(0x1000, "2 0*2 1000 0 4 0*18 10001 1000 f8800000 2 0*2 f8800000 2 0*14");
}

static void engines(void)
{
    start(GPUCMD_XE_LNL, 4);
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 3 c8 1000 7f00 0*4"), 0);
    HAS(0x1000, "2 0*4 124f800 1 0*3 40014 4 0*14 1*2 0 124f800 1 0*3 14 4 0*14");
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 0 a8 1000 7f00 0*4"), 0);
    HAS(0x1000, "5 0*9 1 0*7 4 0*7 2 1 0*6 3 1 0*6");
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 5 a0 1000 7f00 0*4"), 0);
    HAS(0x1000, "10000 10 ff 0*3 20000 10 ff 0*3 30000 8 ffff 0 50000 8 ff 0 10001 10 0*4 20001 10 "
                "0*4 30001 8 0*2 50001 8 0*2");
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 4 0*7"), 0);
    OUT("0*2 4 0*7");
    start(GPUCMD_XE_BMG, 0);
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 3 c8 1000 7f00 0*4"), 0);
    HAS(0x1000, "2 0*4 124f800 2 0 1 0 10014 4 0*14 1*2 0 124f800 2 0 1 0 1000d 4 0*14");
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 0 0*7"), 0);
    OUT("0*2 0 e8 0*6"); /* seven engines */
    start(GPUCMD_XE_TGL, 1);
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 0 a8 1000 7f00 0*4"), 0);
    HAS(0x1000, "5 0*9 1 0*7 2 0*7 10002 0*7 3 0*7");
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 3 68 1000 7f00 0*4"), 0);
    HAS(0x1000, "1 0*4 124f800 1 0*18");
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 5 0*7"), 0);
    OUT("0*2 5 50 0*6");
    start(GPUCMD_XE_PTL, 0);
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 5 0*7"), 0);
    OUT("0*2 5 90 0*6"); /* the media GT has no mask of L3 banks */
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 5 90 1000 7f00 0*4"), 0);
    HAS(0x1000, "10000 10 fff 0*3 20000 10 fff 0*3 30000 8 ffff 0 50000 8 ff 0 10001 10 0*4 20001 "
                "10 0*4 50001 8 0*2");
}

static void versions(void)
{
    start(GPUCMD_XE_LNL, 4);
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 7 20 1000 7f00 0*4"), 0);
    HAS(0x1000, "0*2 1 1a 0*4");
    put(0x1000, "2 0*7");
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 7 20 1000 7f00 0*4"), EINVAL_);
    put(0x1000, "10000 0*7");
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 7 20 1000 7f00 0*4"), EINVAL_);
    put(0x1000, "1 0*7");
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 7 20 1000 7f00 0*4"), ENODEV_);
    k.ticks = 0x123456789a;
    k.now_ns = 77;
    put(0x1000, "0*2 4 0*7");
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 6 28 1000 7f00 0*4"), 0);
    HAS(0x1000, "0*2 4 40 3456789a 12 4d 0*3");
    put(0x1000, "0*2 2 0*7");
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 6 28 1000 7f00 0*4"), EINVAL_);
    put(0x1000, "5 0 4 0*7"); /* class 5 */
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 6 28 1000 7f00 0*4"), EINVAL_);
    put(0x1000, "0 2 4 0*7"); /* GT 2 */
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 6 28 1000 7f00 0*4"), EINVAL_);
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 6 28 8 0*5"), EFAULT_);
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 9 0*7"), 0);
    OUT("0*2 9 8 0*6");
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 9 8 1000 7f00 0*4"), ENODEV_);
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 a 88 1000 7f00 0*4"), 0);
    HAS(0x1000, "0*2 1 0 40 0 80000 0*11 7 0 fb 0 1f6 0 2f1 0 3ec 0 4e7 0 5e2 0 6dd 0");
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 8 0*7"), 0);
    OUT("0*2 8 108 0*6"); /* 16 + 3 * 72 + 4 * 8 */
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 8 108 1000 7f00 0*4"), 0);
    HAS(0x1000, "0*2 3 0*5 3f 0 124f800 0*9 2 0*3 4 0*3 1 2 3f 0 124f800 0 1 0*9");
    start(GPUCMD_XE_TGL, 1);
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 a 0*7"), ENODEV_);
    put(0x1000, "0*2 4 0*7");
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 6 28 1000 7f00 0*4"), 0);
    HAS(0x100c, "24");
}

/* ---- vectors 25 to 67 ---- */

static void vms(void)
{
    start(GPUCMD_XE_LNL, 4);
    EQUAL(xe(XE(VM_CREATE), "0*2 1 0*5"), 0);
    OUT("0*2 1*2 0*4");
    static const char *const bad[] = {"0*2 4 0*5",  "0*2 5 0*5", "0*2 8 0*5", "0*2 a 0*5",
                                      "0*2 10 0*5", "1 0*7",     "0*4 1 0*3", "0*6 1 0"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        EQUAL(xe(XE(VM_CREATE), bad[i]), EINVAL_);
        OUT(bad[i]);
    }
    EQUAL(xe(XE(VM_CREATE), "0*2 6 0*5"), 0);
    EQUAL(xe(XE(VM_CREATE), "0*2 7 0*5"), 0);
    EQUAL(xe(XE(VM_CREATE), "0*2 f 0*5"), 0);
    EQUAL(xe(XE(VM_CREATE), "0*2 0 55 0*4"), 0);
    OUT("0*3 5 0*4");
    EQUAL(xe(XE(VM_DESTROY), "2 0*5"), 0);
    EQUAL(xe(XE(VM_CREATE), "0*2 0 55 0*4"), 0);
    OUT("0*3 2 0*4"); /* the lowest free id */
    EQUAL(xe(XE(VM_DESTROY), "9 0*5"), ENOENT_);
    EQUAL(xe(XE(VM_DESTROY), "0*6"), ENOENT_);
    EQUAL(xe(XE(VM_DESTROY), "1 1 0*4"), EINVAL_);
    EQUAL(xe(XE(VM_DESTROY), "9 1 0*4"), EINVAL_);
    EQUAL(xe(XE(VM_GET_PROPERTY), "0*2 1 0*11"), 0);
    OUT("0*2 1 0*11");
    EQUAL(xe(XE(VM_GET_PROPERTY), "0*2 1 0 30 0*9"), EINVAL_);
    EQUAL(xe(XE(VM_GET_PROPERTY), "0*2 9 1 0*10"), ENOENT_);
    EQUAL(xe(XE(VM_GET_PROPERTY), "0*2 1 1 0*10"), EINVAL_);
    start(GPUCMD_XE_TGL, 1);
    EQUAL(xe(XE(VM_CREATE), "0*2 6 0*5"), EINVAL_);
    EQUAL(xe(XE(VM_CREATE), "0*2 3 0*5"), 0);
    start(GPUCMD_XE_DG2, 8);
    EQUAL(xe(XE(VM_CREATE), "0*2 0 0*5"), 0);
    OUT("0*2 1*2 0*4"); /* SCRATCH_PAGE is set */
}

static void objects(void)
{
    static const char *const bad[] = {
        "0*2 10001 0 1 0 1 0 1 0*5",   "0*4 1 0 1 0 1 0*5",
        "0*2 10000 0 2 0 1 0 1 0*5",   "0*2 10000 0 0 0 1 0 1 0*5",
        "0*2 10000 0 1 10 1 0 1 0*5",  "0*2 10000 0 1 0 1*3 0*5",
        "0*2 10000 0 1 0 1 0 0*6",     "0*2 10000 0 1 0 1 0 3 0*5",
        "0*2 10000 0 1 2 1 0 1 0*5",   "0*2 10000 0 1 4 1 0 1 0*5",
        "0*2 10000 0 1 0 9 0*7",       "0*2 10000 0 1 0 1 0 10001 0*5",
        "0*2 10000 0 1 0 1 0 1 1 0*4", "0*2 10000 0 1 0 1 0 1 0*3 1 0"};
    start(GPUCMD_XE_LNL, 4);
    vm_and_object();
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        EQUAL(xe(XE(GEM_CREATE), bad[i]), EINVAL_);
    }
    EQUAL(xe(XE(GEM_CREATE), "0*2 10000 0 1 0 9 0 1 0*5"), ENOENT_);
    EQUAL(xe(XE(GEM_CREATE), "0*2 10000 0 1 2 0 0 2 0*5"), 0); /* SCANOUT, WC */
    EQUAL(xe(XE(GEM_CREATE), "0*2 10000 0 1 8 0 0 1 0*5"), 0);
    EQUAL(xe(XE(GEM_CREATE), "5100 7f00 1000 0 1 0 0 0 1 0*5"), 0); /* property 0 is 0 */
    put(0x5118, "1 0");
    EQUAL(xe(XE(GEM_CREATE), "5100 7f00 1000 0 1 0 0 0 1 0*5"), ENODEV_);
    put(0x5118, "2 0");
    EQUAL(xe(XE(GEM_CREATE), "5100 7f00 1000 0 1 0 0 0 1 0*5"), EINVAL_);
    EQUAL(xe(XE(GEM_CREATE), "8 0 1000 0 1 0 0 0 1 0*5"), EFAULT_);
    EQUAL(xe(XE(GEM_CREATE), "8 0 1000 0 1 0 9 0 1 0*5"), ENOENT_);
    EQUAL(k.object_rows.count, 5); /* the refused objects are gone */
    EQUAL(xe(XE(GEM_CREATE), "0*2 0 4000 1 0 0 0 1 0*5"), ENOSPC_);
    EQUAL(xe(XE(GEM_CREATE), "0*2 100000 0 1 0 0 0 1 0*5"), ENOMEM_);
    EQUAL(k.table, GPUCMD_XE_TABLE_RAM);
    EQUAL(xe(XE(GEM_MMAP_OFFSET), "0*2 1 0*7"), 0);
    OUT("0*2 1 0*2 1 0*4");
    EQUAL(xe(XE(GEM_MMAP_OFFSET), "0*2 2 0*7"), 0);
    OUT("0*2 2 0 10000 1 0*4");
    EQUAL(xe(XE(GEM_MMAP_OFFSET), "0*2 7 0*7"), ENOENT_);
    EQUAL(xe(XE(GEM_MMAP_OFFSET), "0*2 1 2 0*6"), EINVAL_);
    EQUAL(xe(XE(GEM_MMAP_OFFSET), "0*3 1 0*6"), EINVAL_);
    EQUAL(xe(0x40086409, "63 0"), EINVAL_);
    EQUAL(xe(0x40086409, "1 0"), 0);
    EQUAL(xe(0x40086409, "1 0"), EINVAL_);
    EQUAL(xe(XE(GEM_CREATE), "0*2 1000 0 1 0 0 0 1 0*5"), 0);
    OUT("0*2 1000 0 1 0 0 1 1 0*5"); /* the lowest free handle */
    start(GPUCMD_XE_BMG, 0);
    EQUAL(xe(XE(GEM_CREATE), "0*2 10000 0 2 4 0*2 2 0*5"), 0);
    OUT("0*2 10000 0 2 4 0 1 2 0*5");
    EQUAL(xe(XE(GEM_CREATE), "0*2 10000 0 2 0*3 1 0*5"), EINVAL_);
    EQUAL(xe(XE(GEM_CREATE), "0*2 0 3 2 0*3 2 0*5"), E2BIG_);
    EQUAL(xe(XE(GEM_MMAP_OFFSET), "0*3 1 0*6"), 0);
    OUT("0*3 1 50000 0*5");
    EQUAL(xe(XE(GEM_MMAP_OFFSET), "0*2 1*2 0*6"), EINVAL_);
    start(GPUCMD_XE_TGL, 1);
    EQUAL(xe(XE(GEM_CREATE), "0*2 10000 0 1 8 0 0 1 0*5"), EOPNOTSUPP_);
    start(GPUCMD_XE_DG2, 1);
    EQUAL(xe(XE(GEM_CREATE), "0*2 1000 0 2 0 0 0 2 0*5"), EINVAL_); /* 64 KiB */
    EQUAL(xe(XE(GEM_CREATE), "0*2 1000 0 1 0 0 0 2 0*5"), 0);
}

/* Vector 41 with one word replaced. */
static int bind_with(uint32_t word, uint32_t value)
{
    uint32_t words[64];
    const uint32_t n = words_of(BIND_41, words);
    words[word] = value;
    memcpy(user_at(ARG), words, 4 * n);
    return -gpucmd_xe_kernel_ioctl(&k, XE(VM_BIND), USER_VA + ARG);
}

static void binds(void)
{
    static const struct {
        uint32_t word, value;
        int err;
    } rows[] = {
        {2,  9,          EINVAL_    },
        {3,  9,          ENOENT_    },
        {9,  0,          EINVAL_    },
        {9,  0x10,       EINVAL_    },
        {9,  0x20,       EINVAL_    },
        {8,  9,          ENOENT_    },
        {8,  0,          EINVAL_    },
        {12, 0x11000,    EINVAL_    },
        {15, 0xffff8000, EINVAL_    },
        {14, 0x1a0800,   EINVAL_    },
        {12, 0,          EINVAL_    },
        {10, 0x1000,     EINVAL_    },
        {10, 0x800,      EINVAL_    },
        {16, 5,          EINVAL_    },
        {17, 0x100,      EINVAL_    },
        {17, 0x20,       EINVAL_    },
        {17, 0x40,       EINVAL_    },
        {17, 0x80,       EOPNOTSUPP_},
        {17, 4,          EINVAL_    },
        {18, 1,          EINVAL_    },
        {4,  1,          EINVAL_    },
        {26, 1,          EINVAL_    },
        {30, 1,          EINVAL_    },
        {33, 1,          EINVAL_    },
        {0,  1,          EINVAL_    },
        {27, 1025,       EINVAL_    },
        {5,  2,          EFAULT_    },
        {5,  1000,       ENOBUFS_   },
        {29, 0x7e00,     EFAULT_    },
    };
    start(GPUCMD_XE_LNL, 4);
    vm_and_object();
    put(0x3000, SYNC_41);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!EQUAL(bind_with(rows[i].word, rows[i].value), rows[i].err)) {
            printf("    word %u = %x\n", rows[i].word, rows[i].value);
        }
        EQUAL(k.maps.count, 0);
        EQUAL(k.op_free.count, 0);
        EQUAL(k.job_free.count, 0);
        EQUAL(k.objects[1].refs, 1);
    }
    HAS(0x5000, "0 0");
    EQUAL(bind_with(9, 0x12340001), 0); /* op.pad */
    HAS(0x5000, "1 0");
    EQUAL(bind_with(6, 1), 0);  /* op.extensions */
    EQUAL(bind_with(25, 1), 0); /* op.reserved */
    EQUAL(xe(XE(VM_BIND), "0*2 1 0*2 1 0*6 1000 0 200000 0*2 4 0*9 1 3000 7f00 0*4"), 0);
    EQUAL(xe(XE(VM_BIND), "0*2 1 0*2 1 0*2 1*2 0*6 3 8 0*9 1 3000 7f00 0*4"), 0); /* UNMAP_ALL */
    EQUAL(xe(XE(VM_BIND), "0*2 1 0*2 1 0*2 1*2 0*2 1000 0*3 3 8 0*9 1 3000 7f00 0*4"), EINVAL_);
    EQUAL(xe(XE(VM_BIND), "0*2 1 0*2 1 0*3 1 0*6 3 8 0*9 1 3000 7f00 0*4"), EINVAL_);
    EQUAL(xe(XE(VM_BIND), "0*2 1 0*2 1 0*2 1 0*7 3 8 0*9 1 3000 7f00 0*4"), EINVAL_);
    EQUAL(xe(XE(VM_BIND), "0*2 1 0*2 1 0*2 1*2 0*2 1000 0 1a0000 0 1 0*14"), EINVAL_);
    EQUAL(k.maps.count, 2); /* the NULL bind, as VMA and in the page tables */
    start(GPUCMD_XE_PTL, 0);
    EQUAL(xe(XE(VM_CREATE), "0*2 1 0*5"), 0);
    EQUAL(xe(XE(GEM_CREATE), "0*2 10000 0 1 0 1 0 2 0*5"), 0); /* WC */
    put(0x3000, SYNC_41);
    EQUAL(bind_with(9, 0x10), 0); /* entry 16 exists */
    EQUAL(bind_with(9, 0x11), EINVAL_);
    start(GPUCMD_XE_BMG, 0);
    EQUAL(xe(XE(VM_CREATE), "0*2 1 0*5"), 0);
    EQUAL(xe(XE(GEM_CREATE), "0*2 10000 0 1 0 1 0 2 0*5"), 0);
    put(0x3000, SYNC_41);
    EQUAL(bind_with(9, 0x1b), 0);
    EQUAL(bind_with(9, 0x1c), EINVAL_); /* 28 entries */
    EQUAL(bind_with(17, 0x80), 0);      /* DECOMPRESS */
}

/* Vectors 54 to 58, 113: a bind without effect. */
#define UNMAP_54 "0*2 1 0*2 1 0*6 1000 0 300000 0 1 0*10 1 3000 7f00 0*4"
static void empty_binds(void)
{
    int32_t error = 1;
    start(GPUCMD_XE_LNL, 4);
    vm_and_object();
    EQUAL(syncobj(), 1);
    put(0x3000, "0*3 1*2 0*7");
    EQUAL(xe(XE(VM_BIND), UNMAP_54), 0);
    CHECK(signalled(1, &error));
    EQUAL(error, 0);
    put(0x3000, "0*4 1 0*7");
    EQUAL(xe(XE(VM_BIND), UNMAP_54), EOPNOTSUPP_);
    EQUAL(xe(XE(VM_BIND), "0*2 1 0*2 1 0*6 1000 0 300000 0 1 0*17"), 0);
    EQUAL(syncobj(), 2);
    EQUAL(gpucmd_syncobj_signal(&k.syncobjs, 2, 1), 0);
    EQUAL(gpucmd_syncobj_signal(&k.syncobjs, 2, 2), 0);
    put(0x3000, "0*2 1 0 2 0 2 0*5");
    EQUAL(xe(XE(VM_BIND), UNMAP_54), EOPNOTSUPP_); /* the newest point is an in-sync */
    put(0x3000, "0*2 1 0 2 0 1 0*5");
    EQUAL(xe(XE(VM_BIND), UNMAP_54), 0); /* an older one is none */
    put(0x4000, "5 0");
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "0*2 10001 1 0*2 4000 7f00 0*4"), 0); /* 77 */
    OUT("0*2 10001 1 0 1 4000 7f00 0*4");
    EQUAL(syncobj(), 3);
    put(0x3000, "0*3 1 3 0*7");
    EQUAL(xe(XE(VM_BIND), "0*2 1 1 0*23 1 3000 7f00 0*4"), 0);
    CHECK(signalled(3, &error));
    put(0x3000, SYNC_41);
    EQUAL(xe(XE(VM_BIND), "0*2 1 1 0*23 1 3000 7f00 0*4"), EOPNOTSUPP_);
    EQUAL(xe(XE(VM_BIND), UNMAP_54), 0); /* a user fence of an empty bind is written */
    HAS(0x5000, "1 0");
    EQUAL(xe(XE(VM_CREATE), "0*2 1 0*5"), 0);
    put(0x3000, "0*3 1 3 0*7");
    EQUAL(xe(XE(VM_BIND), "0*2 2 1 0*23 1 3000 7f00 0*4"), EINVAL_); /* of another VM */
}

static void arrays(void)
{
    start(GPUCMD_XE_LNL, 4);
    vm_and_object();
    /* 62: A maps, B has an unknown object */
    put(0x1000, "0*2 1*2 0*2 10000 0 1a0000 0*11");
    put(0x1050, "0*2 9 1 0*2 1000 0 200000 0*11");
    EQUAL(xe(XE(VM_BIND), "0*2 1 0*2 2 1000 7f00 0*26"), ENOENT_);
    EQUAL(k.maps.count, 0);
    put(0x1058, "1");
    EQUAL(xe(XE(VM_BIND), "0*2 1 0*2 2 1000 7f00 0*26"), 0);
    EQUAL(k.maps.count, 4);
    /* 63: two user fences */
    put(0x3000, SYNC_41);
    put(0x3030, SYNC_41);
    EQUAL(bind_with(27, 2), EINVAL_);
    put(0x3000, "0*2 2 1 5004 7f00 1 0*5"); /* 64 */
    EQUAL(bind_with(2, 1), EINVAL_);
    put(0x3000, "0*2 2 0 5000 7f00 1 0*5");
    EQUAL(bind_with(2, 1), EOPNOTSUPP_);
    put(0x3000, "0*2 2 1 5000 7f00 1 0 1 0*3");
    EQUAL(bind_with(2, 1), EINVAL_);
    put(0x3000, "0*2 2 2 5000 7f00 1 0*5");
    EQUAL(bind_with(2, 1), EINVAL_);
    put(0x3000, "0*2 3 1 5000 7f00 1 0*5");
    EQUAL(bind_with(2, 1), EINVAL_);
    EQUAL(syncobj(), 1);
    put(0x3000, "0*2 1 0 1 0 5 0*5"); /* 65: no fence */
    EQUAL(bind_with(2, 1), EINVAL_);
    EQUAL(gpucmd_syncobj_signal(&k.syncobjs, 1, 4), 0);
    EQUAL(bind_with(2, 1), EINVAL_); /* the last point is 4 */
    put(0x3000, "0*2 1*3 0*7");      /* 66: point 0 */
    EQUAL(bind_with(2, 1), EINVAL_);
    put(0x3000, "0*3 1 9 0*7");
    EQUAL(bind_with(2, 1), ENOENT_);
    put(0x3000, "0*3 1 1 1 0*6");
    EQUAL(bind_with(2, 1), EINVAL_);
    put(0x3000, "0*2 2 1 8 0 1 0*5"); /* 114 */
    EQUAL(bind_with(2, 1), EFAULT_);
}

/* Vector 118: which of two errors is returned. */
static void orders(void)
{
    start(GPUCMD_XE_BMG, 0);
    vm_and_object();
    EQUAL(xe(XE(VM_BIND), "0*2 1 9 0 1 0*2 1 1c 0*2 1000 0 1a0000 0*19"), EINVAL_);
    EQUAL(xe(XE(VM_BIND), "0*2 1 9 0 1 0*2 9 1 0*2 1000 0 1a0000 0*19"), ENOENT_);
    EQUAL(xe(XE(VM_BIND), "0*2 1 0 0 1 0*2 9 1 0*2 1000 0 1a0000 0*12 1 8 0*5"), ENOENT_);
    put(0x4000, "6 0");
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "8 0 10001 9 0*2 4000 7f00 0*4"), EINVAL_); /* 119 */
    put(0x4000, "0 0");
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "8 0 10001 9 0*2 4000 7f00 0*4"), ENOENT_);
    EQUAL(xe(XE(EXEC), "0*2 9 1 8 0 1a0000 0 1 0*5"), ENOENT_); /* 117 */
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "0*2 10001 1 0*2 4000 7f00 0*4"), 0);
    EQUAL(xe(XE(EXEC), "0*2 1 1 8 0 1a0000 0 2 0*5"), EINVAL_);
    EQUAL(xe(XE(EXEC), "0*2 1 1 8 0 1a0000 0 1 0*5"), EFAULT_);
}

/* ---- vectors 68 to 98 ---- */

static void queues(void)
{
    static const char *const bad[] = {"0 1", "2 0", "10004 0", "6 0", "10001 0", "0 2", "10005 0"};
    start(GPUCMD_XE_LNL, 4);
    vm_and_object();
    put(0x4000, "0*2");
    put(0x5100, "0*6 1 0*5");
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "5100 7f00 10001 1 0*2 4000 7f00 0*4"), 0);
    OUT("5100 7f00 10001 1 0 1 4000 7f00 0*4");
    k.has_nice = false;
    put(0x5118, "2");
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "5100 7f00 10001 1 0*2 4000 7f00 0*4"), EPERM_);
    put(0x5118, "3");
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "5100 7f00 10001 1 0*2 4000 7f00 0*4"), EINVAL_);
    put(0x5100, "0*4 7 0 1 0*5");
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "5100 7f00 10001 1 0*2 4000 7f00 0*4"), EINVAL_);
    put(0x5100, "0*3 1 0*2 1 0*5");
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "5100 7f00 10001 1 0*2 4000 7f00 0*4"), EINVAL_);
    put(0x5100, "0*2 1 0*3 1 0*5");
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "5100 7f00 10001 1 0*2 4000 7f00 0*4"), EINVAL_);
    put(0x5100, "5100 7f00 0*4 1 0*5"); /* 71 */
    flips_repeats(true);
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "5100 7f00 10001 1 0*2 4000 7f00 0*4"), E2BIG_);
    flips_repeats(false);
    put(0x5100, "0*4 1 0 0*6");
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "5100 7f00 10001 1 0*2 4000 7f00 0*4"), EINVAL_);
    put(0x5100, "0*4 1 0 3e8 0*5");
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "5100 7f00 10001 1 0*2 4000 7f00 0*4"), 0);
    put(0x5100, "0*4 2 0 1 0*5");
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "5100 7f00 10001 1 0*2 4000 7f00 0*4"), ENODEV_);
    put(0x5100, "0*4 4 0 1 0*5");
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "5100 7f00 10001 1 0*2 4000 7f00 0*4"), ENODEV_);
    put(0x5100, "0*4 5 0 1 0*5");
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "5100 7f00 10001 1 0*2 4000 7f00 0*4"), EINVAL_);
    put(0x5100, "0*4 6 0 1 0*5");
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "5100 7f00 10001 1 0*2 4000 7f00 0*4"), 0);
    put(0x4000, "1 0");
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "5100 7f00 10001 1 0*2 4000 7f00 0*4"), EOPNOTSUPP_);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) { /* 72, 73 */
        put(0x4000, bad[i]);
        if (!EQUAL(xe(XE(EXEC_QUEUE_CREATE), "0*2 10001 1 0*2 4000 7f00 0*4"), EINVAL_)) {
            printf("    %s\n", bad[i]);
        }
    }
    put(0x4000, "0*4");
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "0*2 10001 9 0*2 4000 7f00 0*4"), ENOENT_);
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "0*2 10001 0 0*2 4000 7f00 0*4"), ENOENT_);
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "0*2 10002 1 0*2 4000 7f00 0*4"), EINVAL_); /* 75 */
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "0*2 10000 1 0*2 4000 7f00 0*4"), EINVAL_);
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "0*2 1000a 1 0*2 4000 7f00 0*4"), EINVAL_);
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "0*2 10001 1 2 0 4000 7f00 0*4"), EINVAL_);
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "0*2 10001 1 0*2 8 0*5"), EFAULT_);
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "0*2 20001 1 0*2 4000 7f00 0*4"), 0); /* twice rcs0 */
    EQUAL(xe(XE(EXEC_QUEUE_DESTROY), "1 0*5"), 0);                        /* 96 */
    EQUAL(xe(XE(EXEC_QUEUE_DESTROY), "1 0*5"), ENOENT_);
    EQUAL(xe(XE(EXEC_QUEUE_DESTROY), "2 1 0*4"), EINVAL_);
    EQUAL(xe(XE(EXEC_QUEUE_GET_PROPERTY), "0*2 2 0*7"), 0);
    OUT("0*2 2 0*7");
    EQUAL(xe(XE(EXEC_QUEUE_GET_PROPERTY), "0*2 2 1 0*6"), EINVAL_);
    EQUAL(xe(XE(EXEC_QUEUE_GET_PROPERTY), "0*2 9 1 0*6"), ENOENT_);
    EQUAL(xe(XE(EXEC_QUEUE_SET_PROPERTY), "0*2 2 0*7"), EINVAL_);
    EQUAL(xe(XE(EXEC_QUEUE_SET_PROPERTY), "0*2 2 5 0*6"), EINVAL_);
    EQUAL(xe(XE(EXEC_QUEUE_SET_PROPERTY), "0*2 9 5 0*6"), ENOENT_);
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "0*2 10001 1 0*2 4000 7f00 0*4"), 0);
    OUT("0*2 10001 1 0 1 4000 7f00 0*4"); /* the lowest free id */
    EQUAL(k.queue_free.count, 4);
}

/* Section 10.5: a session, with the words in the ring. */
static void session(void)
{
    static const uint32_t ring[48] = {
        0x04000001, 0,          0x12480002, 0x000003a8, 0xfe004200, 0,          0x02800101,
        0x7a000404, 0x20344c1c, 0x000000d0, 0,          0,          0,          0x02800100,
        0x10400002, 0xfe005008, 0,          0xffffff81, 0x18800101, 0x001a0000, 0,
        0x04000000, 0x7a000a04, 0x101010a1, 0,          0,          0,          0,
        0x10200003, 0x001a1000, 0,          0x00c0ffee, 0,          0x7a000004, 0x01104080,
        0xfe005000, 0,          0xffffff81, 0,          0x01000000, 0x04000001, 0x02800000};
    const uint32_t seqno = GPUCMD_XE_RING_DW + GPUCMD_XE_PAGE_DW;
    gpucmd_sys_ops sys;
    gpucmd_sys_map map = {NULL, 0x10000, 3, GPUCMD_SYS_MAP_SHARED, 3, (uint64_t)1 << 32};
    start(GPUCMD_XE_LNL, 4);
    gpucmd_xe_kernel_sys(&k, &sys);
    vm_and_object();
    EQUAL(xe(XE(GEM_MMAP_OFFSET), "0*2 1 0*7"), 0);
    OUT("0*2 1 0*2 1 0*4");
    EQUAL(sys.sys_open(sys.user, "/dev/dri/renderD128", 2), 3);
    EQUAL(sys.sys_mmap(sys.user, &map), 0);
    CHECK(map.addr == ram);
    map.off_bytes += 0x1000;
    EQUAL(-sys.sys_mmap(sys.user, &map), EINVAL_); /* not the start of an object */
    map.off_bytes -= 0x1000;
    map.len_bytes += 0x1000;
    EQUAL(-sys.sys_mmap(sys.user, &map), EINVAL_);
    bind_object();
    put(0x5000, "1 0");
    EQUAL(xe(XE(WAIT_USER_FENCE), "0*2 5000 7f00 0*2 1 0 ffffffff*2 3b9aca00 0*7"), 0);
    put(0x4000, "0*2");
    put(0x5100, "0*6 1 0*5");
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "5100 7f00 10001 1 0*2 4000 7f00 0*4"), 0);
    OUT("5100 7f00 10001 1 0 1 4000 7f00 0*4");
    uint32_t words[8];
    words_of("10000002 1a2000 0 deadbeef 5000000", words);
    memcpy(ram, words, 20);
    put(0x3000, "0*2 2 1 1a1000 0 c0ffee 0*5");
    const gpucmd_xe_context *const c = &store.contexts[0];
    EQUAL(gpucmd_load32(&c->words[seqno], GPUCMD_LITTLE_ENDIAN), 0xffffff80);
    EQUAL(xe(XE(EXEC), "0*2 1*2 3000 7f00 1a0000 0 1 0*5"), 0);
    EQUAL(xe(XE(WAIT_USER_FENCE), "0*2 1000 7f10 3 0 c0ffee 0 ffffffff*2 3b9aca00 0 1 0*5"), 0);
    memcpy(words, ram + 0x1000, 8);
    EQUAL(words[0], 0xc0ffee);
    EQUAL(words[1], 0);
    memcpy(words, ram + 0x2000, 4);
    EQUAL(words[0], 0xdeadbeef);
    for (uint32_t i = 0; i < 42; i++) {
        if (!EQUAL(gpucmd_load32(&c->words[i], GPUCMD_LITTLE_ENDIAN), ring[i])) {
            printf("    word %u of the ring\n", i);
        }
    }
    EQUAL(gpucmd_load32(&c->words[seqno], GPUCMD_LITTLE_ENDIAN), 0xffffff81);
    EQUAL(gpucmd_load32(&c->words[seqno + 2], GPUCMD_LITTLE_ENDIAN), 0xffffff81);
    EQUAL(xe(XE(EXEC_QUEUE_GET_PROPERTY), "0*2 1 0*7"), 0);
    OUT("0*2 1 0*7");
    put(0x3000, "0*2 2 1 5008 7f00 1 0*5");
    EQUAL(xe(XE(VM_BIND), "0*2 1 0*2 1 0*3 1 0*2 10000 0 1a0000 0 1 0*10 1 3000 7f00 0*4"), 0);
    HAS(0x5008, "1 0");
    EQUAL(xe(XE(EXEC_QUEUE_DESTROY), "1 0*5"), 0);
    EQUAL(xe(0x40086409, "1 0"), 0);
    EQUAL(xe(XE(VM_DESTROY), "1 0*5"), 0);
    EQUAL(k.maps.count + k.places.count + k.fences.count, 0);
    EQUAL(k.object_rows.count, 1);
    EQUAL(k.vm_free.count + k.queue_free.count + k.context_free.count + k.job_free.count, 0);
}

/* A queue of the render engine in VM 1, with object 1 at 0x1a0000. */
static void exec_world(uint32_t vm_flags)
{
    char text[32];
    start(GPUCMD_XE_LNL, 4);
    snprintf(text, sizeof text, "0*2 %x 0*5", vm_flags);
    EQUAL(xe(XE(VM_CREATE), text), 0);
    EQUAL(xe(XE(GEM_CREATE), "0*2 10000 0 1 0 1 0 1 0*5"), 0);
    bind_object();
    put(0x4000, "0*2");
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "0*2 10001 1 0*2 4000 7f00 0*4"), 0);
}

static void batch(const char *text)
{
    uint32_t words[64];
    const uint32_t n = words_of(text, words);
    memcpy(ram, words, 4 * n);
}

static void execs(void)
{
    int32_t error = 1;
    exec_world(1);
    batch("5000000 0");
    EQUAL(syncobj(), 1);
    put(0x3000, "0*2 2 1 1a1000 0 c0ffee 0*5");
    EQUAL(xe(XE(EXEC), "0*2 9 1 3000 7f00 1a0000 0 1 0*5"), ENOENT_); /* 80 */
    put(0x4000, "5 0");
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "0*2 10001 1 0*2 4000 7f00 0*4"), 0);
    EQUAL(xe(XE(EXEC), "0*2 2 1 3000 7f00 1a0000 0 1 0*5"), EINVAL_); /* a bind queue */
    EQUAL(xe(XE(EXEC), "0*2 1*2 3000 7f00 1a0000 0 2 0*5"), EINVAL_);
    EQUAL(xe(XE(EXEC), "0*2 1*2 3000 7f00 1a0000 0 1*2 0*4"), EINVAL_);
    EQUAL(xe(XE(EXEC), "1 0 1*2 3000 7f00 1a0000 0 1 0*5"), EINVAL_);
    EQUAL(xe(XE(EXEC), "0*2 1 401 3000 7f00 1a0000 0 1 0*5"), EINVAL_);
    put(0x3000, "0*2 2 1 1a1004 0 c0ffee 0*5"); /* 81 */
    EQUAL(xe(XE(EXEC), "0*2 1*2 3000 7f00 1a0000 0 1 0*5"), EINVAL_);
    put(0x3000, "0*2 2 1 0 7000 c0ffee 0*5"); /* 82: unbound, with scratch */
    EQUAL(xe(XE(EXEC), "0*2 1*2 3000 7f00 1a0000 0 1 0*5"), 0);
    EQUAL(k.bans, 0);
    put(0x3000, "0*3 1*2 0*7"); /* 83 */
    EQUAL(xe(XE(EXEC), "0*2 1*2 3000 7f00 1a0000 0 0*6"), 0);
    CHECK(signalled(1, &error));
    put(0x3000, "0*4 1 0*7"); /* 84 */
    EQUAL(xe(XE(EXEC), "0*2 1*2 3000 7f00 1a0000 0 0*6"), EOPNOTSUPP_);
    EQUAL(xe(XE(EXEC), "0*2 1*2 3000 7f00 1a0000 0 1 0*5"), 0);
    put(0x3000, "0*2 2 1 1a1000 0 c0ffee 0*5"); /* 85 */
    memset(ram + 0x1000, 0, 8);
    EQUAL(xe(XE(EXEC), "0*2 1*2 3000 7f00 1a0000 0 0*6"), 0);
    EQUAL(ram[0x1000], 0);
    put(0x3030, "0*2 2 1 1a1008 0 c0ffee 0*5"); /* two user fences: the last one counts */
    EQUAL(xe(XE(EXEC), "0*2 1 2 3000 7f00 1a0000 0 1 0*5"), 0);
    EQUAL(ram[0x1000], 0);
    EQUAL(ram[0x1008], 0xee);
    /* a user fence in the window of the ring */
    put(0x3000, "0*2 2 1 fe000010 0 c0ffee 0*5");
    EQUAL(xe(XE(EXEC), "0*2 1 1 3000 7f00 1a0000 0 1 0*5"), 0);
    EQUAL(k.bans, 0);
    /* a batch address in canonical form is accepted; there is no memory, so it reads zeros */
    exec_world(2); /* 86: LR */
    EQUAL(syncobj(), 1);
    put(0x3000, "0*3 1*2 0*7");
    EQUAL(xe(XE(EXEC), "0*2 1*2 3000 7f00 1a0000 0 1 0*5"), EOPNOTSUPP_);
    EQUAL(xe(XE(VM_DESTROY), "1 0*5"), EBUSY_); /* 98 */
    EQUAL(xe(XE(EXEC_QUEUE_DESTROY), "1 0*5"), 0);
    EQUAL(xe(XE(VM_DESTROY), "1 0*5"), 0);
}

static void waits(void)
{
    exec_world(1);
    batch("5000000 0");
    put(0x3000, "0*2 2 1 1a1000 0 c0ffee 0*5");
    EQUAL(xe(XE(EXEC), "0*2 1*2 3000 7f00 1a0000 0 1 0*5"), 0);
    EQUAL(xe(XE(WAIT_USER_FENCE), "0*2 1000 7f10 3 0 c0ffee 0 ffffffff*2 3b9aca00 0 1 0*5"),
          0); /* 87 */
    OUT("0*2 1000 7f10 3 0 c0ffee 0 ffffffff*2 3b9aca00 0 1 0*5");
    EQUAL(xe(XE(WAIT_USER_FENCE), "0*2 1000 7f10 3 0 c0ffef 0 ffffffff*2 0*2 1 0*5"), ETIME_);
    OUT("0*2 1000 7f10 3 0 c0ffef 0 ffffffff*2 0*2 1 0*5");
    EQUAL(xe(XE(WAIT_USER_FENCE), "0*2 1000 7f10 3 0 c0ffef 0 ffffffff*2 5 0 1 0*5"), ETIME_);
    static const struct {
        const char *text;
        int err;
    } rows[] = {
        {"0*2 8 0 3 0 0*2 ffffffff*2 0*2 1 0*5",           EFAULT_}, /* 89 */
        {"0*2 4 0 3 0 0*2 ffffffff*2 0*2 1 0*5",           EINVAL_},
        {"0*2 1000 7f10 6 0 0*2 ffffffff*2 0*2 1 0*5",     EINVAL_},
        {"0*2 1000 7f10 20003 0 0*2 ffffffff*2 0*2 1 0*5", EINVAL_},
        {"0*2 1000 7f10 3 1 0*2 ffffffff*2 0*2 1 0*5",     EINVAL_},
        {"1 0 1000 7f10 3 0 0*2 ffffffff*2 0*2 1 0*5",     EINVAL_},
        {"0*2 1000 7f10 3 0 0*2 ffffffff*2 0*2 1 1 0*4",   EINVAL_},
        {"0*2 1000 7f10 3 0 0*2 ffffffff*2 0*2 9 0*5",     ENOENT_}, /* 90 */
        {"0*2 1000 7f10 0 0 c0ffee 0 ffffffff*2 0*2 0*6",  0      },
        {"0*2 1000 7f10 1 0 c0ffee 0 ffffffff*2 0*2 0*6",  ETIME_ },
        {"0*2 1000 7f10 2 0 c0ffee 0 ffffffff*2 0*2 0*6",  ETIME_ },
        {"0*2 1000 7f10 2 0 c0ffed 0 ffffffff*2 0*2 0*6",  0      },
        {"0*2 1000 7f10 4 0 c0ffef 0 ffffffff*2 0*2 0*6",  0      },
        {"0*2 1000 7f10 5 0 c0ffee 0 ffffffff*2 0*2 0*6",  0      },
        {"0*2 1000 7f10 0 0 12c0ffee 0 ffffff 0 0*2 0*6",  0      }, /* masked */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!EQUAL(xe(XE(WAIT_USER_FENCE), rows[i].text), rows[i].err)) {
            printf("    %s\n", rows[i].text);
        }
    }
    store.queues[0].banned = true;
    EQUAL(xe(XE(WAIT_USER_FENCE), "0*2 1000 7f10 3 0 c0ffef 0 ffffffff*2 ffffffff*2 1 0*5"),
          EIO_); /* 91 */
    OUT("0*2 1000 7f10 3 0 c0ffef 0 ffffffff*2 ffffffff 7fffffff 1 0*5");
    EQUAL(xe(XE(WAIT_USER_FENCE), "0*2 1000 7f10 3 0 c0ffee 0 ffffffff*2 0*2 1 0*5"), 0); /* 92 */
    EQUAL(xe(XE(EXEC_QUEUE_GET_PROPERTY), "0*2 1 0*7"), 0);                               /* 93 */
    OUT("0*2 1 0 1 0*5");
    EQUAL(xe(XE(EXEC), "0*2 1 0*3 1a0000 0 1 0*5"), ECANCELED_); /* 95 */
    EQUAL(xe(XE(EXEC), "0*2 1 0*11"), ECANCELED_);
}

/* Vector 97: the queue of a destroyed VM. */
static void destroyed_vm(void)
{
    exec_world(1);
    batch("5000000 0");
    EQUAL(xe(XE(VM_DESTROY), "1 0*5"), 0);
    EQUAL(xe(XE(EXEC), "0*2 1 0*3 1a0000 0 1 0*5"), ECANCELED_);
    EQUAL(xe(XE(EXEC), "0*2 1 0*11"), 0);
    put(0x3000, SYNC_41);
    EQUAL(xe(XE(VM_BIND), BIND_41), EINVAL_);
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "0*2 10001 1 0*2 4000 7f00 0*4"), ENOENT_);
    EQUAL(xe(XE(VM_CREATE), "0*2 1 0*5"), 0);
    OUT("0*2 1*2 0*4"); /* the id is free, the row is not */
    EQUAL(k.vm_free.count, 2);
    EQUAL(xe(XE(EXEC_QUEUE_DESTROY), "1 0*5"), 0);
    EQUAL(k.vm_free.count, 1);
}

/* ---- bans, faults ---- */

static void bans(void)
{
    int32_t error = 0;
    exec_world(0); /* no scratch page */
    EQUAL(syncobj(), 1);
    EQUAL(syncobj(), 2);
    batch("10000002 300000 0 1 5000000 0"); /* a store to an address without memory */
    put(0x3000, "0*3 1*2 0*7");
    put(0x3030, "0*2 2 1 1a1000 0 c0ffee 0*5");
    EQUAL(xe(XE(EXEC), "0*2 1 2 3000 7f00 1a0000 0 1 0*5"), 0);
    CHECK(signalled(1, &error));
    EQUAL(error, EIO_);
    EQUAL(ram[0x1000], 0); /* the user fence is not written */
    EQUAL(k.bans, 1);
    EQUAL(xe(XE(EXEC_QUEUE_GET_PROPERTY), "0*2 1 0*7"), 0);
    OUT("0*2 1 0 1 0*5");
    EQUAL(xe(XE(EXEC), "0*2 1 0*3 1a0000 0 1 0*5"), ECANCELED_);
    EQUAL(xe(XE(VM_GET_PROPERTY), "0*2 1 0*11"), 0);
    OUT("0*2 1 0 30 0*9");
    EQUAL(xe(XE(VM_GET_PROPERTY), "0*2 1 0 30 0 1000 7f00 0*6"), 0);
    HAS(0x1000, "300000 0 1000 1 0*8"); /* not present, write */
    EQUAL(xe(XE(VM_GET_PROPERTY), "0*2 1 0 60 0 1000 7f00 0*6"), EINVAL_);
    EQUAL(xe(XE(VM_GET_PROPERTY), "0*2 1 0 20 0 1000 7f00 0*6"), EINVAL_);
    EQUAL(xe(XE(VM_GET_PROPERTY), "0*2 1 0 30 0 8 0*7"), EFAULT_);
    /* a new queue of the VM works */
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "0*2 10001 1 0*2 4000 7f00 0*4"), 0);
    batch("5000000 0");
    EQUAL(xe(XE(EXEC), "0*2 2 1 3000 7f00 1a0000 0 1 0*5"), 0);
    CHECK(signalled(1, &error));
    EQUAL(error, 0);
    /* an unknown command ends with ETIME */
    batch("20000000 0");
    EQUAL(xe(XE(EXEC), "0*2 2 1 3000 7f00 1a0000 0 1 0*5"), 0);
    CHECK(signalled(1, &error));
    EQUAL(error, ETIME_);
    /* an endless batch */
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "0*2 10001 1 0*2 4000 7f00 0*4"), 0);
    k.slice_units = 16;
    k.hang_runs = 8;
    batch("18800101 1a0000 0");
    EQUAL(xe(XE(EXEC), "0*2 3 1 3000 7f00 1a0000 0 1 0*5"), 0);
    CHECK(signalled(1, &error));
    EQUAL(error, ETIME_);
    EQUAL(k.bans, 3);
}

static void read_only(void)
{
    int32_t error = 0;
    exec_world(1);
    put(0x3000, "0*12");
    EQUAL(syncobj(), 1);
    put(0x3000, "0*3 1*2 0*7");
    EQUAL(bind_with(17, 1), 0); /* READONLY, over the old mapping */
    batch("10000002 1a2000 0 1 5000000 0");
    EQUAL(xe(XE(EXEC), "0*2 1*2 3000 7f00 1a0000 0 1 0*5"), 0);
    CHECK(signalled(1, &error));
    EQUAL(error, EIO_); /* also with scratch pages */
    EQUAL(xe(XE(VM_GET_PROPERTY), "0*2 1 0 30 0 1000 7f00 0*6"), 0);
    HAS(0x1000, "1a2000 0 1000 101 0*8");
}

/* Copy a word with MI_COPY_MEM_MEM: reads of NULL and scratch ranges give 0, writes are lost. */
static void scratch(void)
{
    exec_world(1);
    put(0x3000, "0*3 1*2 0*7");
    EQUAL(syncobj(), 1);
    /* store 7 to 0x300000, copy 0x300000 to 0x1a2000 */
    batch("10000002 300000 0 7 17000003 1a2000 0 300000 0 5000000 0");
    memset(ram + 0x2000, 0x55, 4);
    EQUAL(xe(XE(EXEC), "0*2 1*2 3000 7f00 1a0000 0 1 0*5"), 0);
    EQUAL(gpucmd_load32(ram + 0x2000, GPUCMD_LITTLE_ENDIAN), 0);
    exec_world(0); /* a NULL bind without scratch pages */
    EQUAL(xe(XE(VM_BIND), "0*2 1 0*2 1 0*6 1000 0 300000 0*2 4 0*16"), 0);
    batch("10000002 300000 0 7 17000003 1a2000 0 300000 0 5000000 0");
    memset(ram + 0x2000, 0x55, 4);
    EQUAL(xe(XE(EXEC), "0*2 1 0*3 1a0000 0 1 0*5"), 0);
    EQUAL(gpucmd_load32(ram + 0x2000, GPUCMD_LITTLE_ENDIAN), 0);
    EQUAL(k.bans, 0);
}

/* ---- mappings ---- */

/* Expect the mappings of VM 1 as words: start and end in pages, pat. */
static void vmas(const char *text, int line)
{
    uint32_t words[64], i;
    const uint32_t n = words_of(text, words);
    EQUAL(xe(XE(VM_QUERY_MEM_RANGE_ATTRS), "0*2 1 0*4 ffff 0*8"), 0);
    struct gpucmd_drm_xe_vm_query_mem_range_attr a;
    memcpy(&a, user_at(ARG), sizeof a);
    test_equal(a.num_mem_ranges, n / 3, __FILE__, line, "mappings");
    a.vector_of_mem_attr = USER_VA + 0x1000;
    memcpy(user_at(ARG), &a, sizeof a);
    EQUAL(-gpucmd_xe_kernel_ioctl(&k, XE(VM_QUERY_MEM_RANGE_ATTRS), USER_VA + ARG),
          n != 0 ? 0 : EINVAL_);
    for (i = 0; i < n / 3 && i < a.num_mem_ranges; i++) {
        struct gpucmd_drm_xe_mem_range_attr r;
        memcpy(&r, user_at(0x1000 + i * (uint32_t)sizeof r), sizeof r);
        test_equal(r.start >> 12, words[3 * i], __FILE__, line, "start");
        test_equal(r.end >> 12, words[3 * i + 1], __FILE__, line, "end");
        test_equal(r.pat_index, words[3 * i + 2], __FILE__, line, "pat");
    }
}
#define VMAS(text) vmas((text), __LINE__)

/* Map pages first..end - 1 of VM 1 to the pages of object 1 from `page` on. */
static int map_pages(uint32_t first, uint32_t end, uint32_t page, uint32_t pat)
{
    char text[128];
    snprintf(text, sizeof text, "0*2 1 0*2 1 0*2 1 %x %x 0 %x 0 %x 0*19", pat, page << 12,
             (end - first) << 12, first << 12);
    return xe(XE(VM_BIND), text);
}

static int unmap_pages(uint32_t first, uint32_t end)
{
    char text[128];
    snprintf(text, sizeof text, "0*2 1 0*2 1 0*6 %x 0 %x 0 1 0*17", (end - first) << 12,
             first << 12);
    return xe(XE(VM_BIND), text);
}

/* Fill the pages of object 1 with their numbers, and read page `page` of VM 1 with a job. */
static uint32_t page_seen(uint32_t page)
{
    char text[128];
    for (uint32_t i = 0; i < 16; i++) {
        gpucmd_store32(ram + 4096 * i + 64, 0x100 + i, GPUCMD_LITTLE_ENDIAN);
    }
    snprintf(text, sizeof text, "17000003 1a0100 0 %x 0 5000000", (page << 12) + 64);
    batch(text);
    EQUAL(xe(XE(EXEC), "0*2 1 0*3 1a0000 0 1 0*5"), 0);
    return gpucmd_load32(ram + 0x100, GPUCMD_LITTLE_ENDIAN);
}

static void splits(void)
{
    exec_world(1);
    VMAS("1a0 1b0 1");
    EQUAL(map_pages(0x10, 0x18, 0, 1), 0);
    VMAS("10 18 1 1a0 1b0 1");
    EQUAL(map_pages(0x18, 0x1a, 8, 1), 0);
    VMAS("10 18 1 18 1a 1 1a0 1b0 1"); /* neighbours are not merged */
    EQUAL(map_pages(0x12, 0x14, 12, 2), 0);
    VMAS("10 12 1 12 14 2 14 18 1 18 1a 1 1a0 1b0 1");
    EQUAL(page_seen(0x11), 0x101);
    EQUAL(page_seen(0x13), 0x10d);
    EQUAL(page_seen(0x14), 0x104);
    EQUAL(page_seen(0x19), 0x109);
    EQUAL(unmap_pages(0x13, 0x15), 0);
    VMAS("10 12 1 12 13 2 15 18 1 18 1a 1 1a0 1b0 1");
    EQUAL(page_seen(0x13), 0);
    EQUAL(page_seen(0x15), 0x105);
    EQUAL(map_pages(0x10, 0x20, 0, 1), 0);
    VMAS("10 20 1 1a0 1b0 1");
    EQUAL(xe(XE(VM_BIND), "0*2 1 0*2 1 0*2 1*2 0*6 3 0*17"), 0);
    VMAS("");
    EQUAL(k.maps.count, 0);
    EQUAL(unmap_pages(0x13, 0x15), 0);
}

/* Closing a handle unmaps nothing; the object goes with its last mapping. */
static void object_life(void)
{
    exec_world(1);
    EQUAL(xe(0x40086409, "1 0"), 0);
    EQUAL(k.object_rows.count, 2);
    EQUAL(page_seen(0x1a1), 0x101);
    EQUAL(xe(XE(GEM_CREATE), "0*2 1000 0 1 0 0 0 1 0*5"), 0);
    OUT("0*2 1000 0 1 0 0 1 1 0*5");
    EQUAL(map_pages(0x1a0, 0x1a1, 0, 1), 0);
    EQUAL(k.object_rows.count, 3);
    EQUAL(unmap_pages(0x100, 0x200), 0);
    EQUAL(k.object_rows.count, 2);
    EQUAL(k.places.count, 2);
}

static void userptr(void)
{
    exec_world(1);
    put(0x6000, "1234 0");
    /* 0x7f0000006000 at 0x300000, one page */
    EQUAL(xe(XE(VM_BIND), "0*2 1 0*2 1 0*3 1 6000 7f00 1000 0 300000 0 2 0*17"), 0);
    batch("17000003 1a2000 0 300000 0 10000002 300008 0 99 5000000 0");
    EQUAL(xe(XE(EXEC), "0*2 1 0*3 1a0000 0 1 0*5"), 0);
    EQUAL(gpucmd_load32(ram + 0x2000, GPUCMD_LITTLE_ENDIAN), 0x1234);
    HAS(0x6008, "99");
    EQUAL(xe(XE(VM_BIND), "0*2 1 0*2 1 0*3 1 6000 7f01 1000 0 300000 0 2 0*17"), EFAULT_);
    EQUAL(xe(XE(VM_BIND), "0*2 1 0*2 1 0*3 1 fffff000 ffffffff 2000 0 300000 0 2 0*17"),
          EOVERFLOW_);
    EQUAL(xe(XE(VM_BIND), "0*2 1 0*2 1 0*4 6000 7f00 1000 0 300000 0 2 0*17"), EINVAL_);
    EQUAL(xe(XE(VM_BIND), "0*2 1 0*2 1 0*2 1*2 6000 7f00 1000 0 300000 0 2 0*17"), EINVAL_);
    user_regions[0].access_mask = GPUCMD_ACCESS_READ;
    put(ARG, "0*2 1 0*2 1 0*3 1 6000 7f00 1000 0 300000 0 2 0*17");
    EQUAL(-gpucmd_xe_kernel_ioctl(&k, XE(VM_BIND), USER_VA + ARG), EPERM_);
    put(ARG, "0*2 1 0*2 1 0*3 1 6000 7f00 1000 0 300000 0 2 1 0*16");
    EQUAL(-gpucmd_xe_kernel_ioctl(&k, XE(VM_BIND), USER_VA + ARG), 0);
    user_regions[0].access_mask = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
    /* pages that are gone ban the queue, but EXEC succeeds */
    user_regions[0].bytes = 0x6000;
    user_regions[0].host = user_words;
    batch("17000003 1a2000 0 300000 0 5000000 0");
    uint32_t words[16];
    words_of("0*2 1 0*3 1a0000 0 1 0*5", words);
    memcpy(user_at(0x100), words, 56);
    EQUAL(gpucmd_xe_kernel_ioctl(&k, XE(EXEC), USER_VA + 0x100), 0);
    EQUAL(k.bans, 1);
}

/* ---- order of jobs ---- */

/* A job waits for a syncobj; a bind that waits has changed the VMAs, but not what jobs see. */
static void order(void)
{
    int32_t error = 0;
    uint32_t fence = 0;
    exec_world(1);
    EQUAL(syncobj(), 1);
    EQUAL(syncobj(), 2);
    EQUAL(syncobj(), 3);
    fence = gpucmd_fence_new(&k.fences, 0, 0);
    EQUAL(gpucmd_syncobj_replace(&k.syncobjs, 1, fence), 0);
    gpucmd_fence_release(&k.fences, fence);
    put(0x3000, "0*4 1 0*7 0*3 1 2 0*7"); /* wait for 1, signal 2 */
    put(0x3060, "0*2 2 1 5000 7f00 1 0*5");
    EQUAL(xe(XE(VM_BIND), "0*2 1 0*2 1 0*2 1*2 0*2 1000 0 300000 0*12 3 3000 7f00 0*4"), 0);
    CHECK(!signalled(2, &error));
    HAS(0x5000, "0 0");
    VMAS("1a0 1b0 1 300 301 1");
    EQUAL(page_seen(0x300), 0);                                               /* still scratch */
    EQUAL(xe(XE(VM_BIND), "0*2 1 0*2 1 0*6 1000 0 300000 0 1 0*17"), EBUSY_); /* 120 */
    EQUAL(map_pages(0x300, 0x301, 0, 1), EBUSY_);
    batch("5000000 0");
    put(0x3000, "0*4 2 0*7 0*3 1 3 0*7"); /* wait for 2, signal 3 */
    EQUAL(xe(XE(EXEC), "0*2 1 2 3000 7f00 1a0000 0 1 0*5"), 0);
    CHECK(!signalled(3, &error));
    EQUAL(gpucmd_fence_signal(&k.fences, fence, 0), GPUCMD_OK);
    CHECK(gpucmd_xe_kernel_run(&k));
    HAS(0x5000, "1 0");
    while (gpucmd_xe_kernel_run(&k)) {
    }
    CHECK(signalled(2, &error));
    CHECK(signalled(3, &error));
    EQUAL(page_seen(0x300), 0x100);
    EQUAL(unmap_pages(0x300, 0x301), 0);
}

/* A batch waits for a semaphore in memory; the CPU writes it while the ioctl waits. */
static int write_semaphore(void *user)
{
    (void)user;
    gpucmd_store32(ram + 0x3000, 1, GPUCMD_LITTLE_ENDIAN);
    k.now_ns += 100;
    return 0;
}

static void semaphores(void)
{
    int32_t error = 0;
    exec_world(1);
    EQUAL(syncobj(), 1);
    batch("e00c002 1 1a3000 0 5000000 0"); /* poll: memory == 1 */
    put(0x3000, "0*3 1*2 0*7 0*2 2 1 1a1000 0 5 0*5");
    EQUAL(xe(XE(EXEC), "0*2 1 2 3000 7f00 1a0000 0 1 0*5"), 0);
    CHECK(!signalled(1, &error));
    EQUAL(xe(XE(WAIT_USER_FENCE), "0*2 1000 7f10 0*2 5 0 ffffffff*2 3b9aca00 0 1 0*5"), ETIME_);
    put(0x1000, "1");
    EQUAL(xe(0xc02064c3, "1000 7f00 ffffffff 7fffffff 1 0*3"), ETIME_); /* SYNCOBJ_WAIT */
    k.progress = write_semaphore;
    flips_repeats(true); /* a wait looks again */
    EQUAL(xe(XE(WAIT_USER_FENCE), "0*2 1000 7f10 0*2 5 0 ffffffff*2 3b9aca00 0 1 0*5"), 0);
    flips_repeats(false);
    OUT("0*2 1000 7f10 0*2 5 0 ffffffff*2 3b9ac99c 0 1 0*5");
    CHECK(signalled(1, &error));
    EQUAL(error, 0);
    /* EXEC_QUEUE_DESTROY kills what waits */
    k.progress = NULL;
    memset(ram + 0x3000, 0, 4);
    EQUAL(xe(XE(EXEC), "0*2 1 1 3000 7f00 1a0000 0 1 0*5"), 0);
    EQUAL(syncobj(), 2);
    put(0x3000, "0*3 1 2 0*7");
    EQUAL(xe(XE(EXEC), "0*2 1 1 3000 7f00 1a0000 0 1 0*5"), 0);
    EQUAL(xe(XE(EXEC_QUEUE_DESTROY), "1 0*5"), 0);
    CHECK(signalled(1, &error));
    EQUAL(error, ETIME_);
    CHECK(signalled(2, &error));
    EQUAL(error, ECANCELED_);
    gpucmd_xe_kernel_close(&k);
    EQUAL(k.maps.count + k.places.count + k.vm_free.count + k.job_free.count, 0);
}

/* Two lanes start together. */
static void lanes(void)
{
    start(GPUCMD_XE_BMG, 0);
    vm_and_object();
    bind_object();
    put(0x4000, "2 1 10002 1");
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "0*2 10002 1 0*2 4000 7f00 0*4"), 0); /* 78 */
    EQUAL(xe(XE(EXEC), "0*2 1 0*3 1000 7f00 1 0*5"), EINVAL_);
    EQUAL(xe(XE(EXEC), "0*2 1 0*3 8 0 2 0*5"), EFAULT_);
    batch("10000002 1a2000 0 11 5000000 0");
    memcpy(ram + 0x800, ram, 24);
    ram[0x804] = 4;
    ram[0x80c] = 0x22;
    put(0x1000, "1a0000 0 1a0800 0");
    put(0x3000, "0*2 2 1 1a1000 0 7 0*5");
    EQUAL(xe(XE(EXEC), "0*2 1 1 3000 7f00 1000 7f00 2 0*5"), 0);
    EQUAL(gpucmd_load32(ram + 0x2000, GPUCMD_LITTLE_ENDIAN), 0x11);
    EQUAL(gpucmd_load32(ram + 0x2004, GPUCMD_LITTLE_ENDIAN), 0x22);
    EQUAL(ram[0x1000], 7);
    put(0x4000, "10002 1 2 1");
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "0*2 10002 1 0*2 4000 7f00 0*4"), EINVAL_);
}

/* ---- the rest: vectors 99 to 116 ---- */

static void rest(void)
{
    exec_world(1);
    put(0x4000, "0*4 1 0*7");
    EQUAL(xe(XE(OBSERVATION), "0*6 4000 7f00"), EACCES_);
    EQUAL(xe(XE(OBSERVATION), "0*8"), EFAULT_);
    EQUAL(xe(XE(OBSERVATION), "0*2 2 0*3 4000 7f00"), EINVAL_);
    EQUAL(xe(XE(OBSERVATION), "0*4 3 0 4000 7f00"), EINVAL_);
    EQUAL(xe(XE(OBSERVATION), "1 0*7"), EINVAL_);
    EQUAL(xe(XE(OBSERVATION), "0*2 1 0*5"), EACCES_);
    EQUAL(xe(XE(MADVISE), "0*2 1a0000 0 10000 0 1 2*2 0*7"), 0); /* 101 */
    VMAS("1a0 1b0 2");
    EQUAL(xe(XE(MADVISE), "0*2 1a0000 0 10000 0 9 2*2 0*7"), EINVAL_);
    EQUAL(xe(XE(MADVISE), "0*2 1a0000 0 800 0 1 2*2 0*7"), EINVAL_);
    EQUAL(xe(XE(MADVISE), "0*2 1a0000 0 10000 0 1 4 2 0*7"), EINVAL_);
    EQUAL(xe(XE(MADVISE), "0*2 1a0000 0 10000 0 1 2 10 0*7"), EINVAL_);
    EQUAL(xe(XE(MADVISE), "0*2 1a0000 0 10000 0 1 2 0 0*7"), EINVAL_); /* WB, not coherent */
    EQUAL(xe(XE(MADVISE), "0*2 500000 0 10000 0 1 2 0 0*7"), 0);       /* nothing is there */
    EQUAL(xe(XE(MADVISE), "0*2 1a0000 0 10000 0 1 0 1 0*7"), ENOENT_); /* fd 1 */
    EQUAL(xe(XE(MADVISE), "0*2 1a0000 0 10000 0 1*2 3 0*7"), 0);
    put(0x6000, "0");
    EQUAL(xe(XE(MADVISE), "0*2 1a0000 0 10000 0 1 3 1 0 6000 7f00 0*4"), 0); /* DONTNEED */
    HAS(0x6000, "1");
    EQUAL(xe(XE(MADVISE), "0*2 1a0000 0 10000 0 1 3 0 0 6000 7f00 0*4"), EINVAL_); /* not 0 */
    EQUAL(map_pages(0x10, 0x11, 0, 1), EBUSY_);
    put(0x6000, "0");
    EQUAL(xe(XE(MADVISE), "0*2 1a0000 0 10000 0 1 3 0 0 6000 7f00 0*4"), 0);
    EQUAL(map_pages(0x10, 0x11, 0, 1), 0);
    EQUAL(xe(XE(VM_QUERY_MEM_RANGE_ATTRS), "0*2 1 0 1a0000 0 10000 0*9"), 0); /* 103 */
    OUT("0*2 1*2 1a0000 0 10000 0 40 0*7");
    EQUAL(xe(XE(VM_QUERY_MEM_RANGE_ATTRS), "0*2 1*2 1a0000 0 10000 0 40 0 1000 7f00 0*4"), 0);
    HAS(0x1000, "0*2 1a0000 0 1b0000 0*3 3 0 2 0*5"); /* atomic CPU, pat 2 */
    EQUAL(xe(XE(VM_QUERY_MEM_RANGE_ATTRS), "0*2 1*2 1a0000 0 10000 0 20 0 1000 7f00 0*4"), EINVAL_);
    EQUAL(xe(XE(VM_QUERY_MEM_RANGE_ATTRS), "0*2 1 0 1a0000 0 10000 0*3 1000 7f00 0*4"), EINVAL_);
    EQUAL(xe(XE(VM_QUERY_MEM_RANGE_ATTRS), "0*2 9 0*13"), EINVAL_);
    EQUAL(xe(XE(VM_QUERY_MEM_RANGE_ATTRS), "0*2 1*2 0*3 ffff 40 0 1000 7f00 0*4"), ENOSPC_);
    EQUAL(xe(XE(VM_QUERY_MEM_RANGE_ATTRS), "0*2 1*2 1a0000 0 10000 0 40 0 8 0*5"), EFAULT_);
    EQUAL(xe(0xc0286450, "0*10"), EINVAL_);
    EQUAL(xe(0xc0286540, "0*10"), ENOTTY_);
    EQUAL(-gpucmd_xe_kernel_ioctl(&k, XE(VM_BIND), 8), EFAULT_);
    k.wedged = true;
    EQUAL(xe(XE(VM_CREATE), "0*2 1 0*5"), ECANCELED_);
    k.wedged = false;
    k.unplugged = true;
    EQUAL(xe(XE(VM_CREATE), "0*2 1 0*5"), ENODEV_);
}

static void dmabufs(void)
{
    static gpucmd_xe_kernel other;
    static gpucmd_xe_kernel_store other_store;
    gpucmd_xe_dmabuf place;
    gpucmd_xe_dmabuf *dmabuf = NULL;
    uint32_t handle = 0;
    start(GPUCMD_XE_LNL, 4);
    vm_and_object();
    EQUAL(xe(XE(GEM_CREATE), "0*2 10000 0 1 0 0 0 1 0*5"), 0);
    EQUAL(-gpucmd_xe_kernel_gem_export(&k, 1, &place, &dmabuf), EPERM_); /* 112 */
    EQUAL(-gpucmd_xe_kernel_gem_export(&k, 9, &place, &dmabuf), ENOENT_);
    EQUAL(gpucmd_xe_kernel_gem_export(&k, 2, &place, &dmabuf), 0);
    CHECK(dmabuf == &place);
    EQUAL(gpucmd_xe_kernel_gem_import(&k, dmabuf, &handle), 0);
    EQUAL(handle, 2);
    EQUAL(gpucmd_xe_kernel_init_store(&other, &k.device, &user_mem, &other_store, ram, 4096),
          GPUCMD_OK);
    EQUAL(gpucmd_xe_kernel_gem_import(&other, dmabuf, &handle), 0);
    EQUAL(handle, 1);
    CHECK(other.objects[gpucmd_xe_kernel_object(&other, 1) - 1].host == ram + 0x10000);
    EQUAL(xe(0x40086409, "2 0"), 0);
    EQUAL(k.object_rows.count, 3); /* the dma-buf keeps it */
    EQUAL(gpucmd_xe_kernel_gem_import(&k, dmabuf, &handle), 0);
    EQUAL(handle, 2);
    gpucmd_xe_kernel_dmabuf_close(&k, dmabuf);
    EQUAL(xe(0x40086409, "2 0"), 0);
    EQUAL(k.object_rows.count, 2);
    gpucmd_xe_kernel_close(&other);
    EQUAL(other.object_rows.count, 1);
}

/* ---- tables ---- */

static void tables(void)
{
    gpucmd_xe_device device;
    gpucmd_status status;
    EQUAL(gpucmd_xe_device_init(&device, (gpucmd_xe_platform)99), GPUCMD_RANGE);
    EQUAL(gpucmd_xe_device_from_id(&device, 0x1234), GPUCMD_UNSUPPORTED);
    EQUAL(gpucmd_xe_device_from_id(&device, 0x1912), GPUCMD_UNSUPPORTED);
    EQUAL(gpucmd_xe_device_from_id(&device, 0x6420), GPUCMD_OK);
    EQUAL(device.platform, GPUCMD_XE_LNL);
    EQUAL(device.device_id, 0x6420);
    EQUAL(gpucmd_xe_device_from_id(&device, 0xe212), GPUCMD_OK);
    EQUAL(device.platform, GPUCMD_XE_BMG);
    EQUAL(gpucmd_xe_device_from_id(&device, 0xb0a0), GPUCMD_OK);
    EQUAL(device.platform, GPUCMD_XE_PTL);
    EQUAL(gpucmd_xe_device_from_id(&device, 0x7d67), GPUCMD_OK);
    EQUAL(device.platform, GPUCMD_XE_MTL);
    EQUAL(gpucmd_xe_kernel_init_store(&k, &device, NULL, NULL, ram, RAM_BYTES), GPUCMD_RANGE);
    EQUAL(gpucmd_xe_kernel_init_store(&k, &device, NULL, &store, ram, 4095), GPUCMD_RANGE);
    EQUAL(k.table, GPUCMD_XE_TABLE_RAM);
    EQUAL(gpucmd_xe_kernel_init_store(&k, &device, NULL, &store, ram + 1, 8192), GPUCMD_ALIGN);
#define ROW(id, member, count, type, rows)                                                         \
    start(GPUCMD_XE_LNL, 4);                                                                       \
    k.count = 0;                                                                                   \
    status = gpucmd_xe_kernel_check(&k);                                                           \
    EQUAL(status, GPUCMD_RANGE);                                                                   \
    EQUAL(k.table, GPUCMD_XE_TABLE_##id);                                                          \
    CHECK(strcmp(gpucmd_xe_table_name(k.table), #id) == 0);
    GPUCMD_XE_KERNEL_TABLES(ROW)
#undef ROW
}

/* A full table: -ENOMEM, and nothing has changed. */
static void full_tables(void)
{
    exec_world(1);
    k.vm_count = k.vm_free.count;
    EQUAL(xe(XE(VM_CREATE), "0*2 1 0*5"), ENOMEM_);
    EQUAL(k.table, GPUCMD_XE_TABLE_VMS);
    k.object_count = k.object_rows.used;
    EQUAL(xe(XE(GEM_CREATE), "0*2 1000 0 1 0 0 0 1 0*5"), ENOMEM_);
    EQUAL(k.table, GPUCMD_XE_TABLE_OBJECTS);
    k.context_count = 1;
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "0*2 10001 1 0*2 4000 7f00 0*4"), ENOMEM_);
    EQUAL(k.table, GPUCMD_XE_TABLE_CONTEXTS);
    k.maps.cap = k.maps.count + 3;
    EQUAL(map_pages(0x10, 0x11, 0, 1), ENOMEM_);
    EQUAL(k.table, GPUCMD_XE_TABLE_MAPS);
    k.maps.cap = k.maps.count + 4;
    EQUAL(map_pages(0x10, 0x11, 0, 1), 0);
    k.job_count = 0;
    k.job_free.used = 0;
    k.job_free.free = 0;
    batch("5000000 0");
    EQUAL(xe(XE(EXEC), "0*2 1 0*3 1a0000 0 1 0*5"), ENOMEM_);
    EQUAL(k.table, GPUCMD_XE_TABLE_JOBS);
    k.fences.cap = k.fences.count;
    EQUAL(xe(XE(EXEC), "0*2 1 0*3 1a0000 0 1 0*5"), ENOMEM_);
    EQUAL(k.table, GPUCMD_XE_TABLE_FENCES);
    k.sync_count = 0;
    put(0x3000, SYNC_41);
    EQUAL(xe(XE(VM_BIND), BIND_41), ENOMEM_);
    EQUAL(k.table, GPUCMD_XE_TABLE_SYNCS);
}

/* ---- rings of all engines and platforms ---- */

/* Submit an empty batch to an engine with a user fence; expect the number of words of the job. */
static void engine_words(gpucmd_xe_platform platform, const char *eci, uint32_t vm_flags,
                         uint32_t want_dw, int line)
{
    char text[32];
    start(platform, 0);
    snprintf(text, sizeof text, "0*2 %x 0*5", vm_flags);
    EQUAL(xe(XE(VM_CREATE), text), 0);
    EQUAL(xe(XE(GEM_CREATE), "0*2 10000 0 1 0 1 0 1 0*5"), 0);
    put(0x3000, SYNC_41);
    EQUAL(bind_with(9, platform == GPUCMD_XE_MTL ? 3 : platform <= GPUCMD_XE_DG2 ? 0 : 1), 0);
    put(0x4000, eci);
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "0*2 10001 1 0*2 4000 7f00 0*4"), 0);
    batch("10000002 1a2000 0 77 5000000 0");
    EQUAL(xe(XE(EXEC), "0*2 1 0*3 1a0000 0 1 0*5"), 0);
    test_equal(store.contexts[0].cs.tail, 8 + 4 * ((want_dw + 1) & ~1u), __FILE__, line, eci);
    put(0x3000, "0*2 2 1 1a1000 0 c0ffee 0*5");
    EQUAL(xe(XE(EXEC), "0*2 1 1 3000 7f00 1a0000 0 1 0*5"), 0);
    test_equal(k.bans, 0, __FILE__, line, eci);
    EQUAL(gpucmd_load32(ram + 0x1000, GPUCMD_LITTLE_ENDIAN), 0xc0ffee);
    EQUAL(gpucmd_load32(ram + 0x2000, GPUCMD_LITTLE_ENDIAN), 0x77);
}
#define ENGINE_WORDS(platform, eci, flags, dw)                                                     \
    engine_words(GPUCMD_XE_##platform, (eci), (flags), (dw), __LINE__)

static void all_engines(void)
{
    ENGINE_WORDS(LNL, "1 0", 0, 19); /* bcs */
    ENGINE_WORDS(LNL, "2 1", 0, 21); /* vcs */
    ENGINE_WORDS(LNL, "3 1", 0, 21); /* vecs */
    ENGINE_WORDS(LNL, "0 0", 0, 35); /* rcs */
    ENGINE_WORDS(LNL, "4 0", 0, 35); /* ccs */
    ENGINE_WORDS(LNL, "1 0", 1, 21); /* with a flush of the TLB */
    ENGINE_WORDS(LNL, "2 1", 1, 21);
    ENGINE_WORDS(LNL, "1 0", 3, 19); /* LR: no flush */
    ENGINE_WORDS(LNL, "0 0", 1, 35);
    ENGINE_WORDS(BMG, "0 0", 1, 35);
    ENGINE_WORDS(BMG, "10002 1", 1, 21);
    ENGINE_WORDS(BMG, "10003 1", 1, 21);
    ENGINE_WORDS(PTL, "0 0", 1, 35);
    ENGINE_WORDS(PTL, "1 0", 1, 21);
    ENGINE_WORDS(MTL, "0 0", 1, 41); /* a PIPE_CONTROL before the flush */
    ENGINE_WORDS(MTL, "10002 1", 0, 21);
    ENGINE_WORDS(DG2, "0 0", 1, 41);
    ENGINE_WORDS(DG2, "10003 0", 1, 21);
    ENGINE_WORDS(TGL, "0 0", 1, 49); /* auxiliary tables: 35 + flush + 8 */
    ENGINE_WORDS(TGL, "10002 0", 0, 29);
    ENGINE_WORDS(TGL, "3 0", 0, 29);
    ENGINE_WORDS(TGL, "1 0", 0, 19);
}

/* ---- devices with addresses of 57 bits, and Nova Lake P ---- */

/* Answers about Ponte Vecchio: nine engines, one GT without GMD_ID, no render engine. */
static void ponte_vecchio(void)
{
    start(GPUCMD_XE_PVC, 1);
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 2 30 1000 7f00 0*4"), 0);
    HAS(0x1000, "5 0 10bd5 0 33 0 10000 0 39 0 2 0");
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 3 68 1000 7f00 0*4"), 0);
    HAS(0x1000, "1 0*4 124f800 2 0 1 0*17");
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 0 128 1000 7f00 0*4"), 0);
    HAS(0x1000, "9 0 1 0*7 10001 0*7 20001 0*7 30001 0*7");
    HAS(0x1088, "40001 0*7 50001 0*7 60001 0*7 70001 0*7 4 0*7");
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 5 50 1000 7f00 0*4"), 0);
    HAS(0x1000, "10000 10 0*4 20000 10 ffffffff*2 0*2 30000 8 ffffffff*2 50000 8 ff 0");
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 a 88 1000 7f00 0*4"), 0); /* EU_STALL */
    EQUAL(xe(XE(OBSERVATION), "0*2 1 0*5"), EACCES_);         /* not ENODEV */
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 8 60 1000 7f00 0*4"), 0); /* OAG with ccs0 */
    HAS(0x1000, "0*2 1 0*5 3f 0 124f800 0*9 1 0 4 0");
    put(0x1000, "1 0 4 0*7");
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 6 28 1000 7f00 0*4"), 0);
    HAS(0x100c, "24"); /* 36 bits */
    put(0x1000, "0*2 4 0*7");
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 6 28 1000 7f00 0*4"), EINVAL_); /* no rcs */
    EQUAL(xe(XE(VM_CREATE), "0*2 7 0*5"), EINVAL_);                 /* scratch and faults */
    EQUAL(xe(XE(VM_CREATE), "0*2 6 0*5"), 0);
    EQUAL(xe(XE(GEM_CREATE), "0*2 10000 0 1 8 0 0 1 0*5"), EOPNOTSUPP_); /* NO_COMPRESSION */
    EQUAL(xe(XE(GEM_CREATE), "0*2 1000 0 2 0 0 0 2 0*5"), EINVAL_);      /* 64 KiB */
}

/* Answers about Crescent Island: bcs1 to bcs7, no render engine, an OA unit of the MERT. */
static void crescent_island(void)
{
    start(GPUCMD_XE_CRI, 2);
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 2 30 1000 7f00 0*4"), 0);
    HAS(0x1000, "5 0 2674c 0 3b 0 1000 0 39 0 2 0");
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 3 c8 1000 7f00 0*4"), 0);
    HAS(0x1000, "2 0*4 124f800 2 0 1 0 b0023 4 0*14 1*2 0 124f800 2 0 1 0 30023 4 0*14");
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 0 188 1000 7f00 0*4"), 0);
    HAS(0x1000, "c 0 1 0*7 10001 0*7 20001 0*7 30001 0*7");
    HAS(0x1088, "40001 0*7 50001 0*7 60001 0*7 4 0*7");
    HAS(0x1108, "2 1 0*6 10002 1 0*6 3 1 0*6 10003 1 0*6");
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 8 1a0 1000 7f00 0*4"), 0);
    HAS(0x1000, "0*2 5 0*5 3f 0 124f800 0*9 1 0 4 0"); /* OAG */
    HAS(0x1060, "0*2 1 3 3f 0 124f800 0*11");          /* MERT: no engine */
    HAS(0x10a8, "0*2 2*2 3f 0 124f800 0 1 0*9");       /* SAG */
    HAS(0x10f0, "0*2 3 1 3f 0 124f800 0 1 0*7 2 0 2 1 3 1");
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 5 0*7"), 0);
    OUT("0*2 5 90 0*6");
    vm_and_object();
    put(0x3000, SYNC_41);
    EQUAL(bind_with(9, 11), EINVAL_); /* reserved entries of the PAT table */
    EQUAL(bind_with(9, 22), EINVAL_);
    EQUAL(bind_with(9, 32), EINVAL_);
    EQUAL(bind_with(9, 31), 0);
    EQUAL(bind_with(17, 0x80), EOPNOTSUPP_); /* DECOMPRESS */
}

static void nova_lake(void)
{
    start(GPUCMD_XE_NVLP, 0);
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 2 30 1000 7f00 0*4"), 0);
    HAS(0x1000, "5 0 d750 0 3a 0 1000 0 30 0 2 0");
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 3 c8 1000 7f00 0*4"), 0);
    HAS(0x1000, "2 0*4 124f800 1 0*3 a0023 4 0*14 1*2 0 124f800 1 0*3 23 4 0*14");
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 0 a8 1000 7f00 0*4"), 0);
    HAS(0x1000, "5 0*9 1 0*7 4 0*7 2 1 0*6 3 1 0*6");
    EQUAL(xe(XE(DEVICE_QUERY), "0*2 5 0*7"), 0);
    OUT("0*2 5 90 0*6");
    EQUAL(xe(XE(VM_CREATE), "0*2 7 0*5"), EINVAL_); /* scratch and faults */
    vm_and_object();
    put(0x3000, SYNC_41);
    EQUAL(bind_with(9, 17), EINVAL_); /* reserved; 18 and 19 are not, as on Panther Lake */
    EQUAL(bind_with(9, 18), EINVAL_); /* the GPU does not see the CPU's caches, the object is WB */
    EQUAL(bind_with(9, 19), 0);
    EQUAL(bind_with(15, 0x10000), EINVAL_); /* 2^48 */
    EQUAL(bind_with(15, 0xffff), 0);
}

/* Bind at an address with bits 56 and 48, execute and store there; the canonical form is the same
 * address. Without scratch the address of a fault has the canonical form of 57 bits. */
static void wide_addresses(gpucmd_xe_platform platform, const char *eci, uint32_t pat)
{
    start(platform, 0);
    vm_and_object();
    put(0x3000, SYNC_41);
    EQUAL(bind_with(15, 0x2000000), EINVAL_);
    EQUAL(bind_with(15, 0x80000000), EINVAL_);
    EQUAL(xe(XE(VM_CREATE), "0*8"), 0);
    for (uint32_t vm = 1; vm <= 2; vm++) {
        uint32_t words[64];
        const uint32_t n = words_of(BIND_41, words);
        words[2] = vm;
        words[9] = pat;
        words[15] = 0x1010000;
        put(0x5000, "0*2");
        memcpy(user_at(ARG), words, 4 * n);
        EQUAL(gpucmd_xe_kernel_ioctl(&k, XE(VM_BIND), USER_VA + ARG), 0);
    }
    put(0x4000, eci);
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "0*2 10001 1 0*2 4000 7f00 0*4"), 0);
    EQUAL(xe(XE(EXEC_QUEUE_CREATE), "0*2 10001 2 0*2 4000 7f00 0*4"), 0);
    batch("10000002 1a2000 1010000 77 10000002 1a3000 ff010000 78 "
          "10000002 1a4000 10000 79 5000000 0");
    put(0x3000, "0*2 2 1 1a1000 1010000 c0ffee 0*5");
    EQUAL(xe(XE(EXEC), "0*2 1 1 3000 7f00 1a0000 1010000 1 0*5"), 0);
    EQUAL(k.bans, 0);
    EQUAL(gpucmd_load32(ram + 0x1000, GPUCMD_LITTLE_ENDIAN), 0xc0ffee);
    EQUAL(gpucmd_load32(ram + 0x2000, GPUCMD_LITTLE_ENDIAN), 0x77);
    EQUAL(gpucmd_load32(ram + 0x3000, GPUCMD_LITTLE_ENDIAN), 0x78);
    EQUAL(gpucmd_load32(ram + 0x4000, GPUCMD_LITTLE_ENDIAN), 0); /* bit 56 is 0: scratch */
    batch("10000002 5000 1000000 77 5000000 0");
    EQUAL(xe(XE(EXEC), "0*2 2 0*3 1a0000 1010000 1 0*5"), 0);
    EQUAL(k.bans, 1);
    EQUAL(xe(XE(VM_GET_PROPERTY), "0*2 2 0 30 0 1000 7f00 0*6"), 0);
    HAS(0x1000, "5000 ff000000 1000 1");
}

static void wide(void)
{
    gpucmd_xe_device device;
    EQUAL(gpucmd_xe_device_from_id(&device, 0x0b6e), GPUCMD_OK);
    EQUAL(device.platform, GPUCMD_XE_PVC);
    EQUAL(gpucmd_xe_device_from_id(&device, 0x6750), GPUCMD_OK);
    EQUAL(device.platform, GPUCMD_XE_CRI);
    EQUAL(gpucmd_xe_device_from_id(&device, 0xd75f), GPUCMD_OK);
    EQUAL(device.platform, GPUCMD_XE_NVLP);
    EQUAL(device.device_id, 0xd75f);
    ponte_vecchio();
    crescent_island();
    nova_lake();
    wide_addresses(GPUCMD_XE_PVC, "1 0", 3);
    wide_addresses(GPUCMD_XE_PVC, "70001 0", 3);
    wide_addresses(GPUCMD_XE_PVC, "4 0", 3);
    wide_addresses(GPUCMD_XE_CRI, "1 0", 1);
    wide_addresses(GPUCMD_XE_CRI, "4 0", 1);
    wide_addresses(GPUCMD_XE_CRI, "10002 1", 1);
    wide_addresses(GPUCMD_XE_CRI, "3 1", 1);
}

/* The ring wraps: 16 KiB hold about 100 jobs. */
static void wrap(void)
{
    exec_world(1);
    put(0x3000, "0*2 2 1 1a1000 0 0 0*5");
    for (uint32_t i = 0; i < 500; i++) {
        batch("5000000 0");
        put64(0x3018, i + 1);
        EQUAL(xe(XE(EXEC), "0*2 1 1 3000 7f00 1a0000 0 1 0*5"), 0);
        EQUAL(gpucmd_load32(ram + 0x1000, GPUCMD_LITTLE_ENDIAN), i + 1);
    }
    EQUAL(k.bans, 0);
    EQUAL(store.contexts[0].seqno, 500 - 128);
}

int main(void)
{
    if (is_other_cpu()) {
        return test_report("i915/xe_kernel");
    }
    numbers();
    config();
    regions();
    engines();
    versions();
    vms();
    objects();
    binds();
    empty_binds();
    arrays();
    orders();
    queues();
    session();
    execs();
    waits();
    destroyed_vm();
    bans();
    read_only();
    scratch();
    splits();
    object_life();
    userptr();
    order();
    semaphores();
    lanes();
    rest();
    dmabufs();
    tables();
    full_tables();
    all_engines();
    wide();
    wrap();
    return test_report("i915/xe_kernel");
}

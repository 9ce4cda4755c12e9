/* core/drm.c - the front of drm_ioctl: which row a number names, what is copied in and out, and the
 * errno of each condition, in the order of Linux. Source: drm_ioctl.c of Linux. */
#define GPUCMD_IMPLEMENTATION
#include "gpucmd.h"
#include "test.h"

struct four {
    uint32_t a, b, c, d;
};

static struct {
    uint32_t calls;
    uint32_t number;
    struct four in;
    struct four out;
    int result;
} seen;

static int call(void *kernel, uint32_t number, void *arg)
{
    CHECK(kernel == &seen);
    CHECK((uintptr_t)arg % 8 == 0);
    seen.calls++;
    seen.number = number;
    memcpy(&seen.in, arg, sizeof seen.in);
    memcpy(arg, &seen.out, sizeof seen.out);
    return seen.result;
}

struct large {
    uint8_t bytes[GPUCMD_DRM_ARG_BYTES + 1];
};

enum {
    WR = GPUCMD_IOC_WRITE | GPUCMD_IOC_READ,
    RENDER = GPUCMD_DRM_RENDER_ALLOW,
};

#define NR(dir, nr, bytes) GPUCMD_IOC(dir, 'd', nr, bytes)

/* clang-format off */
static const gpucmd_drm_row rows[] = {
    {GPUCMD_IOWR('d', 0x40, struct four), RENDER},
    {GPUCMD_IOW('d', 0x41, struct four), RENDER},
    {GPUCMD_IOR('d', 0x42, struct four), RENDER},
    {GPUCMD_IO('d', 0x43), RENDER},
    {GPUCMD_IOWR('d', 0x45, struct large), RENDER},
    {GPUCMD_IOWR('d', 0x46, struct four), 0},
    {GPUCMD_IOWR('d', 0x47, struct four), GPUCMD_DRM_AUTH | RENDER},
    {GPUCMD_IOWR('d', 0x48, struct four), GPUCMD_DRM_MASTER},
    {GPUCMD_IOWR('d', 0x49, struct four), GPUCMD_DRM_ROOT_ONLY | RENDER},
};
/* clang-format on */

static gpucmd_mem mem;
static uint32_t user[12];
static gpucmd_drm drm = {
    rows, sizeof rows / sizeof rows[0], GPUCMD_DRM_FILE_RENDER, &mem, call, &seen, false};

/* Reset the process's words to 1, 2, 3, ... and the row's answer to a, b, c, d. */
static void reset(void)
{
    for (uint32_t i = 0; i < 12; i++) {
        user[i] = i + 1;
    }
    memset(&seen, 0, sizeof seen);
    const struct four out = {0xa, 0xb, 0xc, 0xd};
    seen.out = out;
}

/* Expect a call with this number to return `want`, the row to see the words of `in`, and the
 * process's words to be `back`, each as text. */
static void expect(uint32_t request, int want, const char *in, const char *back, int line)
{
    char text[120] = "";
    const uint32_t *const s = &seen.in.a;
    seen.in.a = seen.in.b = seen.in.c = seen.in.d = 99;
    test_equal((uint64_t)(int64_t)gpucmd_drm_ioctl(&drm, request, 0x10000), (uint64_t)(int64_t)want,
               __FILE__, line, "result");
    if (in != NULL) {
        snprintf(text, sizeof text, "%x %x %x %x", s[0], s[1], s[2], s[3]);
        if (!test_check(strcmp(text, in) == 0, __FILE__, line, "in")) {
            printf("    got \"%s\"\n", text);
        }
    }
    test_equal(seen.calls, in != NULL, __FILE__, line, "calls");
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (in != NULL && (rows[i].number & 0xff) == (request & 0xff)) {
            test_equal(seen.number, rows[i].number, __FILE__, line, "number");
        }
    }
    snprintf(text, sizeof text, "%x %x %x %x %x %x", user[0], user[1], user[2], user[3], user[4],
             user[5]);
    if (!test_check(strcmp(text, back) == 0, __FILE__, line, "back")) {
        printf("    got \"%s\"\n", text);
    }
    reset();
}
#define EXPECT(request, want, in, back) expect(request, want, in, back, __LINE__)

static void directions(void)
{
    const uint32_t one = 1; /* of a part of a word the first bytes are copied */
    const bool little = *(const uint8_t *)&one == 1;
    /* both directions: in and out */
    EXPECT(NR(WR, 0x40, 16), 0, "1 2 3 4", "a b c d 5 6");
    /* "a shorter structure is followed by zeros": old user space, new kernel */
    EXPECT(NR(WR, 0x40, 8), 0, "1 2 0 0", "a b 3 4 5 6");
    EXPECT(NR(WR, 0x40, 6), 0, little ? "1 2 0 0" : "1 0 0 0",
           little ? "a b 3 4 5 6" : "a 2 3 4 5 6");
    EXPECT(NR(WR, 0x40, 0), 0, "0 0 0 0", "1 2 3 4 5 6");
    /* "the tail of a longer one is ignored": new user space, old kernel */
    EXPECT(NR(WR, 0x40, 24), 0, "1 2 3 4", "a b c d 5 6");
    /* the directions of both are intersected */
    EXPECT(NR(GPUCMD_IOC_WRITE, 0x40, 16), 0, "1 2 3 4", "1 2 3 4 5 6");
    EXPECT(NR(GPUCMD_IOC_READ, 0x40, 16), 0, "0 0 0 0", "a b c d 5 6");
    EXPECT(NR(GPUCMD_IOC_NONE, 0x40, 16), 0, "0 0 0 0", "1 2 3 4 5 6");
    EXPECT(NR(WR, 0x41, 16), 0, "1 2 3 4", "1 2 3 4 5 6");
    EXPECT(NR(GPUCMD_IOC_READ, 0x41, 16), 0, "0 0 0 0", "1 2 3 4 5 6");
    EXPECT(NR(WR, 0x42, 16), 0, "0 0 0 0", "a b c d 5 6");
    EXPECT(NR(WR, 0x43, 16), 0, "0 0 0 0", "1 2 3 4 5 6");
    /* nothing went in: bytes beyond the kernel's structure come back as zeros */
    EXPECT(NR(GPUCMD_IOC_READ, 0x42, 24), 0, "0 0 0 0", "a b c d 0 0");
    EXPECT(NR(GPUCMD_IOC_READ, 0x42, 23), 0, "0 0 0 0", little ? "a b c d 0 0" : "a b c d 0 6");
    EXPECT(NR(GPUCMD_IOC_READ, 0x42, 8), 0, "0 0 0 0", "a b 3 4 5 6");
    /* a result of the row; outputs are copied back after a failure, too */
    seen.result = 3;
    EXPECT(NR(WR, 0x40, 16), 3, "1 2 3 4", "a b c d 5 6");
    seen.result = -GPUCMD_SYS_ENOSPC;
    EXPECT(NR(WR, 0x40, 16), -GPUCMD_SYS_ENOSPC, "1 2 3 4", "a b c d 5 6");
}

static void refusals(void)
{
    EXPECT(GPUCMD_IOC(WR, 'e', 0x40, 16), -GPUCMD_SYS_ENOTTY, NULL, "1 2 3 4 5 6");
    EXPECT(NR(WR, 0x4a, 16), -GPUCMD_SYS_EINVAL, NULL, "1 2 3 4 5 6");
    EXPECT(NR(WR, 0x3f, 16), -GPUCMD_SYS_EINVAL, NULL, "1 2 3 4 5 6");
    EXPECT(NR(WR, 0x44, 16), -GPUCMD_SYS_EINVAL, NULL, "1 2 3 4 5 6");
    EXPECT(NR(WR, 0x45, 16), -GPUCMD_SYS_ENOMEM, NULL, "1 2 3 4 5 6");
    drm.unplugged = true;
    EXPECT(GPUCMD_IOC(WR, 'e', 0x40, 16), -GPUCMD_SYS_ENODEV, NULL, "1 2 3 4 5 6");
    EXPECT(NR(WR, 0x40, 16), -GPUCMD_SYS_ENODEV, NULL, "1 2 3 4 5 6");
    drm.unplugged = false;
    CHECK(gpucmd_drm_find(&drm, NR(0, 0x41, 1)) == &rows[1]);
    CHECK(gpucmd_drm_find(&drm, NR(WR, 0x4a, 16)) == NULL);
    CHECK(gpucmd_drm_find(&drm, GPUCMD_IOC(WR, 'e', 0x40, 16)) == NULL);
}

static void rights(void)
{
    static const struct {
        uint32_t nr, file_mask;
        bool allowed;
    } table[] = {
        {0x40, 0,                                                      true },
        {0x40, GPUCMD_DRM_FILE_RENDER,                                 true },
        {0x46, 0,                                                      true },
        {0x46, GPUCMD_DRM_FILE_RENDER,                                 false},
        {0x46, GPUCMD_DRM_FILE_RENDER | GPUCMD_DRM_FILE_ROOT,          false},
        {0x47, 0,                                                      false},
        {0x47, GPUCMD_DRM_FILE_AUTHENTICATED,                          true },
        {0x47, GPUCMD_DRM_FILE_RENDER,                                 true },
        {0x48, GPUCMD_DRM_FILE_AUTHENTICATED,                          false},
        {0x48, GPUCMD_DRM_FILE_MASTER,                                 true },
        {0x48, GPUCMD_DRM_FILE_MASTER | GPUCMD_DRM_FILE_RENDER,        false},
        {0x49, GPUCMD_DRM_FILE_MASTER | GPUCMD_DRM_FILE_AUTHENTICATED, false},
        {0x49, GPUCMD_DRM_FILE_ROOT,                                   true },
        {0x49, GPUCMD_DRM_FILE_ROOT | GPUCMD_DRM_FILE_RENDER,          true },
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        drm.file_mask = table[i].file_mask;
        if (table[i].allowed) {
            EXPECT(NR(WR, 0, 16) + table[i].nr, 0, "1 2 3 4", "a b c d 5 6");
        } else { /* the structure comes back as it went in */
            EXPECT(NR(WR, 0, 16) + table[i].nr, -GPUCMD_SYS_EACCES, NULL, "1 2 3 4 5 6");
        }
    }
    /* EFAULT comes before EACCES */
    drm.file_mask = GPUCMD_DRM_FILE_RENDER;
    EQUAL(gpucmd_drm_ioctl(&drm, NR(WR, 0x46, 16), 0x5000), -GPUCMD_SYS_EFAULT);
}

static void faults(void)
{
    static const gpucmd_region only_read = {0x10000, sizeof user, user, GPUCMD_ACCESS_READ};
    static const gpucmd_region only_write = {0x10000, sizeof user, user, GPUCMD_ACCESS_WRITE};
    static const gpucmd_region both = {0x10000, sizeof user, user,
                                       GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE};
    /* the caller's whole size must be readable, also the tail */
    EXPECT(NR(WR, 0x40, sizeof user), 0, "1 2 3 4", "a b c d 5 6");
    EXPECT(NR(WR, 0x40, sizeof user + 1), -GPUCMD_SYS_EFAULT, NULL, "1 2 3 4 5 6");
    EXPECT(NR(WR, 0x41, 0x3fff), -GPUCMD_SYS_EFAULT, NULL, "1 2 3 4 5 6");
    /* outputs that cannot be written: the call has been done */
    EXPECT(NR(GPUCMD_IOC_READ, 0x42, sizeof user + 1), -GPUCMD_SYS_EFAULT, "0 0 0 0",
           "1 2 3 4 5 6");
    EQUAL(gpucmd_mem_init(&mem, &only_read, 1), GPUCMD_OK);
    EXPECT(NR(WR, 0x40, 16), -GPUCMD_SYS_EFAULT, "1 2 3 4", "1 2 3 4 5 6");
    seen.result = -GPUCMD_SYS_ENOSPC;
    EXPECT(NR(WR, 0x40, 16), -GPUCMD_SYS_EFAULT, "1 2 3 4", "1 2 3 4 5 6");
    EXPECT(NR(WR, 0x41, 16), 0, "1 2 3 4", "1 2 3 4 5 6");
    EQUAL(gpucmd_mem_init(&mem, &only_write, 1), GPUCMD_OK);
    EXPECT(NR(WR, 0x40, 16), -GPUCMD_SYS_EFAULT, NULL, "1 2 3 4 5 6");
    EXPECT(NR(WR, 0x42, 16), 0, "0 0 0 0", "a b c d 5 6");
    EQUAL(gpucmd_mem_init(&mem, &both, 1), GPUCMD_OK);
    /* a structure of 0 bytes is at no address */
    EQUAL(gpucmd_drm_ioctl(&drm, NR(WR, 0x43, 0), 0), 0);
    reset();
    /* memory of this program */
    drm.process = NULL;
    EQUAL(gpucmd_drm_ioctl(&drm, NR(WR, 0x40, 16), (uintptr_t)user), 0);
    EQUAL(user[3], 0xd);
    EQUAL(gpucmd_drm_ioctl(&drm, NR(WR, 0x40, 16), 0), -GPUCMD_SYS_EFAULT);
    EQUAL(gpucmd_drm_ioctl(&drm, NR(WR, 0x40, 16), ~(uint64_t)0), -GPUCMD_SYS_EFAULT);
    EQUAL(gpucmd_drm_ioctl(&drm, NR(GPUCMD_IOC_READ, 0x42, 16), 5), -GPUCMD_SYS_EFAULT);
    drm.process = &mem;
}

/* Memory of a process that is there for `times` accesses, as if the process unmapped it then. */
static uint32_t times;

static gpucmd_status find(void *it, uint64_t va, uint32_t access_mask, uint8_t **at,
                          uint64_t *bytes)
{
    (void)it;
    (void)access_mask;
    if (times == 0 || va - 0x10000 >= sizeof user) {
        return GPUCMD_FAULT;
    }
    times--;
    *at = (uint8_t *)user + (va - 0x10000);
    *bytes = sizeof user - (va - 0x10000);
    return GPUCMD_OK;
}

/* Memory that was probed is not there when it is accessed. */
static void vanishing(void)
{
    static const gpucmd_region both = {0x10000, sizeof user, user,
                                       GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE};
    EQUAL(gpucmd_mem_init(&mem, NULL, 0), GPUCMD_OK);
    mem.find = find;
    reset();
    times = 100;
    EXPECT(NR(WR, 0x40, 16), 0, "1 2 3 4", "a b c d 5 6");
    times = 1; /* for the probe */
    EXPECT(NR(WR, 0x40, 16), -GPUCMD_SYS_EFAULT, NULL, "1 2 3 4 5 6");
    /* one access more each time: nothing comes back, then the structure, then the zeros behind it */
    uint32_t last = 0, ends[3] = {0, 0, 0};
    for (uint32_t n = 0; last != 2 && n < 20; n++) {
        times = n;
        const int result = gpucmd_drm_ioctl(&drm, NR(GPUCMD_IOC_READ, 0x42, 24), 0x10000);
        const uint32_t end = user[4] == 0 ? 2 : user[0] == 0xa;
        EQUAL(result, end == 2 ? 0 : -GPUCMD_SYS_EFAULT);
        EQUAL(user[3], end == 0 ? 4 : 0xd);
        EQUAL(user[5], end == 2 ? 0 : 6);
        CHECK(end >= last);
        ends[last = end]++;
        reset();
    }
    CHECK(ends[0] > 0 && ends[1] > 0 && ends[2] == 1);
    EQUAL(gpucmd_mem_init(&mem, &both, 1), GPUCMD_OK);
}

int main(void)
{
    const gpucmd_region all = {0x10000, sizeof user, user,
                               GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE};
    EQUAL(gpucmd_mem_init(&mem, &all, 1), GPUCMD_OK);
    reset();
    directions();
    refusals();
    rights();
    faults();
    vanishing();
    return test_report("core_drm");
}

/* nv/refused.h - a refused system call of the nvgpu model kernel changes nothing: a copy of its tables
 * and of the start of its memory before the call, compared afterwards. Include it after nv/nvgpu.h. */
#ifndef GPUCMD_TEST_NV_REFUSED_H
#define GPUCMD_TEST_NV_REFUSED_H

#ifndef REFUSED_RAM_BYTES
#define REFUSED_RAM_BYTES (64 << 10)
#endif

/* Ioctls with exceptions; the header has these numbers only in its implementation. */
#define REFUSED_BIND_CHANNEL       0x40045401u
#define REFUSED_BIND_CHANNEL_EX    0xc018540bu
#define REFUSED_SET_ERROR_NOTIFIER 0xc018486fu
#define REFUSED_NVMAP_CREATE       0xc0084e00u

typedef struct refused_state {
    gpucmd_nvgpu_kernel m;
    uint8_t ram[REFUSED_RAM_BYTES];
#define TABLE(name, member, count, type, used, store) type member[24];
    GPUCMD_NVGPU_KERNEL_TABLES(TABLE)
#undef TABLE
} refused_state;
static refused_state refused_before, refused_after;

/* Copy the state, without what a refused call may change: its report, the countdown of failures, and
 * contents of free rows. */
static void refused_copy(refused_state *to)
{
    memset(to, 0, sizeof *to);
    memcpy(&to->m, &m, sizeof m);
    to->m.table = GPUCMD_NVGPU_TABLE_NONE;
    memset(&to->m.finding, 0, sizeof to->m.finding);
    memset(&to->m.why, 0, sizeof to->m.why);
    memset(to->m.why_text, 0, sizeof to->m.why_text);
    to->m.fail_at = 0;
    to->m.fail_copy_out = false;
    memcpy(to->ram, m.ram, sizeof to->ram);
#define TABLE(name, member, count, type, used, store)                                              \
    for (uint32_t i = 0; i < m.count && i < 24; i++) {                                             \
        if (m.member[i].used != 0) {                                                               \
            memcpy(&to->member[i], &m.member[i], sizeof to->member[i]);                            \
        }                                                                                          \
    }
    GPUCMD_NVGPU_KERNEL_TABLES(TABLE)
#undef TABLE
}

/* BIND_CHANNEL reserves subcontext 0 even if a later check fails. */
static void refused_allow(refused_state *to, uint32_t number)
{
    if (number == REFUSED_BIND_CHANNEL_EX || number == REFUSED_BIND_CHANNEL) {
        for (uint32_t i = 0; i < 24; i++) {
            to->tsgs[i].reserved &= ~(uint64_t)1;
            to->tsgs[i].as_serial[0] = 0;
        }
    }
}

/* Return true if the two copies are equal; otherwise print the tables that differ. */
static bool refused_same(void)
{
    bool good = true;
#define SAME(member)                                                                               \
    if (memcmp(&refused_before.member, &refused_after.member, sizeof refused_after.member) != 0) { \
        printf("    %s has changed\n", #member);                                                   \
        good = false;                                                                              \
    }
#define TABLE(name, member, count, type, used, store) SAME(member)
    SAME(m)
    SAME(ram)
    GPUCMD_NVGPU_KERNEL_TABLES(TABLE)
#undef TABLE
#undef SAME
    return good;
}

/* Call an ioctl. If it is refused, the state is as before, and so is its argument. Exceptions, as in
 * the driver: subcontext 0; SET_ERROR_NOTIFIER removes the old notifier; a result that cannot be
 * copied out is lost. */
static int refused_ioctl(int fd, uint32_t number, void *arg)
{
    const bool reads = (GPUCMD_FIELD_GET(IOC_DIR, number) & GPUCMD_IOC_WRITE) != 0;
    const bool lost = m.fail_copy_out || (!reads && (uintptr_t)arg < 4096);
    const bool seen =
        m.process == NULL && (uintptr_t)arg >= 4096 && gpucmd_nvgpu_ioctl_name(number)[0] != '?';
    const size_t bytes = seen ? GPUCMD_FIELD_GET(IOC_BYTES, number) : 0;
    uint8_t before[512];
    memcpy(before, bytes != 0 ? arg : before, bytes);
    refused_copy(&refused_before);
    test_dirty();
    const int result = sys.sys_ioctl(sys.user, fd, number, arg);
    refused_copy(&refused_after);
    refused_allow(&refused_before, number);
    refused_allow(&refused_after, number);
    if (result != 0 && !lost && number != REFUSED_SET_ERROR_NOTIFIER &&
        !(number == REFUSED_NVMAP_CREATE && result == -GPUCMD_SYS_EFAULT) &&
        !CHECK(refused_same() && memcmp(before, bytes != 0 ? arg : before, bytes) == 0)) {
        printf("    ioctl 0x%08x, result %d\n", number, result);
    }
    return result;
}

/* ---- other system calls ---- */

static gpucmd_sys_ops refused_sys; /* of the model kernel */

/* Expect the state of refused_before. */
static int refused_result(const char *call, int result)
{
    refused_copy(&refused_after);
    if (result < 0 && !CHECK(refused_same())) {
        printf("    %s, result %d\n", call, result);
    }
    return result;
}

static int refused_open(void *user, const char *path, uint32_t flags)
{
    refused_copy(&refused_before);
    return refused_result(path, refused_sys.sys_open(user, path, flags));
}

/* As in Linux, MAP_FIXED removes old mappings even if the new one fails. */
static int refused_mmap(void *user, gpucmd_sys_map *map)
{
    refused_copy(&refused_before);
    const int result = refused_sys.sys_mmap(user, map);
    return (map->flags & GPUCMD_SYS_MAP_FIXED) != 0 ? result : refused_result("mmap", result);
}

static int refused_munmap(void *user, void *addr, size_t len_bytes)
{
    refused_copy(&refused_before);
    return refused_result("munmap", refused_sys.sys_munmap(user, addr, len_bytes));
}

static int64_t refused_write(void *user, int fd, const void *src, size_t len_bytes)
{
    refused_copy(&refused_before);
    const int64_t result = refused_sys.sys_write(user, fd, src, len_bytes);
    (void)refused_result("write", result < 0 ? (int)result : 0);
    return result;
}

/* Compare the state also around open, mmap, munmap and write of sys. */
static void refused_watch(void)
{
    refused_sys = sys;
    sys.sys_open = refused_open;
    sys.sys_mmap = refused_mmap;
    sys.sys_munmap = refused_munmap;
    sys.sys_write = refused_write;
}

#endif /* GPUCMD_TEST_NV_REFUSED_H */

/* nv_refused.h - a refused ioctl of the nvgpu model kernel changes nothing: a copy of its tables and of
 * the start of its memory before the call, compared afterwards. Include it after nv_nvgpu.h. */
#ifndef GPUCMD_TEST_NV_REFUSED_H
#define GPUCMD_TEST_NV_REFUSED_H

enum { REFUSED_RAM_BYTES = 64 << 10 };

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
    if (number == GPUCMD_NVGPU_TSG_IOCTL_BIND_CHANNEL_EX ||
        number == GPUCMD_NVGPU_TSG_IOCTL_BIND_CHANNEL) {
        for (uint32_t i = 0; i < 24; i++) {
            to->tsgs[i].reserved &= ~(uint64_t)1;
            to->tsgs[i].as_serial[0] = 0;
        }
    }
}

/* Call an ioctl. If it is refused, the state is as before. Exceptions, as in the driver: subcontext 0;
 * SET_ERROR_NOTIFIER removes the old notifier; a result that cannot be copied out is lost. */
static int refused_ioctl(int fd, uint32_t number, void *arg)
{
    const bool lost = m.fail_copy_out;
    refused_copy(&refused_before);
    test_dirty();
    const int result = sys.sys_ioctl(sys.user, fd, number, arg);
    refused_copy(&refused_after);
    refused_allow(&refused_before, number);
    refused_allow(&refused_after, number);
    if (result != 0 && !lost && number != GPUCMD_NVGPU_IOCTL_CHANNEL_SET_ERROR_NOTIFIER &&
        !(number == GPUCMD_NVMAP_IOC_CREATE && result == -GPUCMD_SYS_EFAULT) &&
        !CHECK(memcmp(&refused_before, &refused_after, sizeof refused_before) == 0)) {
        printf("    ioctl 0x%08x, result %d\n", number, result);
    }
    return result;
}

#endif /* GPUCMD_TEST_NV_REFUSED_H */

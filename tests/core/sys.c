/* core/sys.c - the table of system calls: ioctl numbers, names of errnos, the Linux binding. */
#if defined(__linux__) && defined(__has_include)
#if __has_include(<asm/errno.h>)
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>
#endif
#endif
#include "gpucmd.h"
#include "test.h"

struct sixteen {
    uint64_t a;
    uint64_t b;
};

/* Expected values: the example of linux/ioctl.h, and numbers of known ioctls. */
static void numbers(void)
{
    EQUAL(GPUCMD_IOWR('G', 5, struct sixteen), 0xc0104705);
    EQUAL(GPUCMD_IOR('T', 10, uint64_t), 0x8008540a);
    EQUAL(GPUCMD_IOW('T', 1, uint32_t), 0x40045401);
    EQUAL(GPUCMD_IO('T', 3), 0x00005403);
    EQUAL(GPUCMD_IOC(3, 0xff, 0xff, 0x3fff), 0xffffffff);
    EQUAL(GPUCMD_FIELD_GET(IOC_DIR, 0x8030590aU), 2);
    EQUAL(GPUCMD_FIELD_GET(IOC_BYTES, 0x8030590aU), 0x30);
    EQUAL(GPUCMD_FIELD_GET(IOC_LETTER, 0x8030590aU), 'Y');
    EQUAL(GPUCMD_FIELD_GET(IOC_NR, 0x8030590aU), 10);
}

static void names(void)
{
    CHECK(strcmp(gpucmd_sys_error_name(22), "EINVAL") == 0);
    CHECK(strcmp(gpucmd_sys_error_name(-12), "ENOMEM") == 0);
    CHECK(strcmp(gpucmd_sys_error_name(110), "ETIMEDOUT") == 0);
    CHECK(strcmp(gpucmd_sys_error_name(0), "?") == 0);
    CHECK(strcmp(gpucmd_sys_error_name(1000), "?") == 0);
}

/* The binding passes every argument to the system call and returns failures as negative errno. */
static void linux_binding(void)
{
#ifdef GPUCMD_LINUX_H
    gpucmd_sys_ops ops;
    gpucmd_sys_map map = {NULL, 4096, 3, 1, 0, 0};
    char text[8] = {0};
    int pair[2];
    gpucmd_sys_ops_init_linux(&ops);
    EQUAL(-ops.sys_open(ops.user, "/nowhere/at/all", GPUCMD_SYS_O_RDWR), GPUCMD_SYS_ENOENT);
    const int fd =
        ops.sys_open(ops.user, "/dev/zero", GPUCMD_SYS_O_RDWR | (uint32_t)GPUCMD_SYS_O_CLOEXEC);
    CHECK(fd >= 3);
    CHECK((fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
    map.fd = fd;
    EQUAL(ops.sys_mmap(ops.user, &map), 0);
    CHECK(map.addr != NULL);
    memcpy(map.addr, "store", 6);
    EQUAL(ops.sys_munmap(ops.user, map.addr, 4096), 0);
    map.len_bytes = 0;
    map.addr = NULL;
    EQUAL(-ops.sys_mmap(ops.user, &map), GPUCMD_SYS_EINVAL);
    EQUAL(-ops.sys_ioctl(ops.user, fd, 0x5401, NULL), GPUCMD_SYS_ENOTTY);
    EQUAL(ops.sys_close(ops.user, fd), 0);
    EQUAL(-ops.sys_close(ops.user, fd), GPUCMD_SYS_EBADF);
    EQUAL(pipe(pair), 0);
    EQUAL(ops.sys_write(ops.user, pair[1], "abc", 3), 3);
    EQUAL(ops.sys_read(ops.user, pair[0], text, sizeof text), 3);
    CHECK(strcmp(text, "abc") == 0);
    EQUAL(-(int)ops.sys_read(ops.user, pair[1], text, 1), GPUCMD_SYS_EBADF);
    EQUAL(-(int)ops.sys_write(ops.user, pair[0], text, 1), GPUCMD_SYS_EBADF);
    EQUAL(-ops.sys_munmap(ops.user, text + 1, 4096), GPUCMD_SYS_EINVAL);
    errno = 5; /* 0 is no failure: the end of the pipe, no bytes, the result of an ioctl */
    EQUAL(ops.sys_write(ops.user, pair[1], "abc", 0), 0);
    int waiting = 77;
    EQUAL(ops.sys_ioctl(ops.user, pair[0], FIONREAD, &waiting), 0);
    EQUAL(waiting, 0);
    EQUAL(ops.sys_close(ops.user, pair[1]), 0);
    EQUAL(ops.sys_read(ops.user, pair[0], text, 1), 0);
    EQUAL(ops.sys_close(ops.user, pair[0]), 0);
    EQUAL(close(0), 0); /* descriptor 0 is one, too */
    EQUAL(ops.sys_open(ops.user, "/dev/null", GPUCMD_SYS_O_RDWR), 0);
#endif
}

/* Every errno by value. [LNX] asm-generic/errno*.h */
static void errnos(void)
{
#define ERRNO(name, number) {number, #name},
    static const struct {
        int number;
        const char *name;
    } rows[] =
        {
            GPUCMD_SYS_ERRORS(ERRNO)
    },
      want[] = {
          {1, "EPERM"},       {2, "ENOENT"},    {3, "ESRCH"},       {4, "EINTR"},
          {5, "EIO"},         {6, "ENXIO"},     {7, "E2BIG"},       {9, "EBADF"},
          {11, "EAGAIN"},     {12, "ENOMEM"},   {13, "EACCES"},     {14, "EFAULT"},
          {16, "EBUSY"},      {17, "EEXIST"},   {19, "ENODEV"},     {22, "EINVAL"},
          {24, "EMFILE"},     {25, "ENOTTY"},   {28, "ENOSPC"},     {34, "ERANGE"},
          {38, "ENOSYS"},     {61, "ENODATA"},  {62, "ETIME"},      {75, "EOVERFLOW"},
          {95, "EOPNOTSUPP"}, {105, "ENOBUFS"}, {110, "ETIMEDOUT"}, {125, "ECANCELED"},
          {524, "ENOTSUPP"},
      };
    EQUAL(sizeof rows, sizeof want);
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        EQUAL(rows[i].number, want[i].number);
        CHECK(strcmp(gpucmd_sys_error_name(want[i].number), want[i].name) == 0);
    }
    EQUAL(GPUCMD_VERSION_MAJOR << 16 | GPUCMD_VERSION_MINOR << 8 | GPUCMD_VERSION_PATCH,
          GPUCMD_VERSION);
}

int main(void)
{
    errnos();
    numbers();
    names();
    linux_binding();
    return test_report("core_sys");
}

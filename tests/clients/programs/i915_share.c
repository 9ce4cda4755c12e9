/* Objects and fences of several processes, by raw ioctls: imports by descriptor and by name,
 * stores to an imported object, a node that is opened again, a fence that another process polls,
 * processes that are killed. Needs run --async. */
#include <sys/socket.h>
#include <sys/stat.h>
#include <signal.h>
#include <sys/wait.h>

#include <linux/sync_file.h>

#include "client_i915.h"

enum { MIB = 1 << 20 };

static int ends[2]; /* of a socket: parent, child */

/* Send a descriptor. */
static void give(int to, int fd)
{
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control = {0};
    char byte = 0;
    struct iovec part = {&byte, 1};
    struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes};
    struct cmsghdr *c;
    m.msg_controllen = sizeof control.bytes;
    c = CMSG_FIRSTHDR(&m);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(c), &fd, sizeof fd);
    client_need(sendmsg(to, &m, 0) == 1, "message");
}

static int take(int from)
{
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control = {0};
    char byte;
    struct iovec part = {&byte, 1};
    struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes};
    int fd;
    m.msg_controllen = sizeof control.bytes;
    client_need(recvmsg(from, &m, 0) == 1 && CMSG_FIRSTHDR(&m) != NULL, "message");
    memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof fd);
    return fd;
}

static void open_card(const char *path)
{
    node = open(path, O_RDWR | O_CLOEXEC);
    client_need(node >= 0, "node");
}

static int export(uint32_t handle)
{
    struct drm_prime_handle a = {.handle = handle, .flags = DRM_CLOEXEC | DRM_RDWR};
    client_need(call(DRM_IOCTL_PRIME_HANDLE_TO_FD, &a) == 0, "export");
    return a.fd;
}

static uint32_t import(int fd)
{
    struct drm_prime_handle a = {.fd = fd};
    client_need(call(DRM_IOCTL_PRIME_FD_TO_HANDLE, &a) == 0, "import");
    return a.handle;
}

static int wait_child(pid_t child)
{
    int status = 0;
    client_need(waitpid(child, &status, 0) == child, "child");
    return status;
}

/* The second process, after execve: it has only what the socket gives it. */
static int second(void)
{
    struct drm_i915_gem_relocation_entry reloc;
    struct drm_gem_open named = {0};
    submission s;
    uint32_t handle;
    int fd;
    open_card("/dev/dri/card0");
    fd = take(ends[1]);
    show("SIZE", lseek(fd, 0, SEEK_END) == PAGE);
    handle = import(fd);
    show("SAME", import(fd) == handle);
    show("IMPORTED", *map(handle) == 0x11111111);
    client_need(read(ends[1], &named.name, sizeof named.name) == sizeof named.name, "name");
    show("NAMED", call(DRM_IOCTL_GEM_OPEN, &named) == 0 && named.size == PAGE &&
                      map(named.handle)[1] == 0x22222222);
    store(&s, &reloc, handle, 0x33333333);
    s.flags = I915_EXEC_RENDER;
    show("SUBMITTED", submit(&s) == 0 && wait_ns(handle, -1) == 0);
    fd = take(ends[1]);
    show("FOREIGN", !is_readable(fd, 20));
    client_need(write(ends[1], "", 1) == 1, "answer");
    show("FINISHED", is_readable(fd, 5000));
    return 0;
}

static void check_objects(char **argv)
{
    static char word[] = "second";
    char *const again[] = {argv[0], argv[1], argv[2], word, NULL};
    struct drm_gem_flink flink = {0};
    struct drm_i915_gem_relocation_entry reloc;
    const uint32_t handle = create();
    submission s;
    uint32_t *spinner = spin(&s, &reloc);
    char answer;
    pid_t child;
    map(handle)[0] = 0x11111111;
    map(handle)[1] = 0x22222222;
    flink.handle = handle;
    client_need(call(DRM_IOCTL_GEM_FLINK, &flink) == 0, "flink");
    child = fork();
    if (child == 0) {
        dup2(ends[1], 33);
        execv(argv[0], again);
        _exit(127);
    }
    give(ends[0], export(handle));
    client_need(write(ends[0], &flink.name, sizeof flink.name) == sizeof flink.name, "name");
    s.flags = I915_EXEC_RENDER | I915_EXEC_FENCE_OUT;
    client_need(submit(&s) == 0, "submit");
    give(ends[0], s.out);
    client_need(read(ends[0], &answer, 1) == 1, "answer");
    spinner[0] = END;
    show("SECOND", wait_child(child) == 0);
    show("STORED", map(handle)[0] == 0x33333333);
}

/* A node that is opened again by its descriptor has handles of its own. */
static void check_reopen(void)
{
    const uint32_t handle = create();
    const int before = node;
    struct drm_i915_gem_busy a = {.handle = handle};
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", node);
    open_card(path);
    show("REOPENED", call(DRM_IOCTL_I915_GEM_BUSY, &a) == -ENOENT);
    show("OWN", create() == 1);
    close(node);
    node = before;
}

/* Processes that create a large object and are killed: their memory returns. */
static void check_death(void)
{
    struct stat st;
    for (int i = 0; i < 8; i++) {
        const pid_t child = fork();
        if (child == 0) {
            struct drm_i915_gem_create a = {.size = 32 * MIB};
            struct drm_i915_gem_mmap_gtt m = {0};
            void *at;
            open_card("/dev/dri/card0");
            client_need(call(DRM_IOCTL_I915_GEM_CREATE, &a) == 0, "create");
            m.handle = a.handle;
            client_need(call(DRM_IOCTL_I915_GEM_MMAP_GTT, &m) == 0, "mmap offset");
            at = mmap(NULL, 32 * MIB, PROT_WRITE, MAP_SHARED, node, (off_t)m.offset);
            client_need(at != MAP_FAILED, "mmap");
            memset(at, 1, 32 * MIB);
            kill(getpid(), SIGKILL);
        }
        client_need(WIFSIGNALED(wait_child(child)), "killed");
    }
    open_card("/dev/dri/card0"); /* an open frees what dead processes held */
    client_need(stat(getenv("GPUCMD_CLIENT_MEMORY"), &st) == 0, "memory file");
    show("FREED", st.st_blocks * 512 < 64 * MIB);
}

/* The work of a context that does not persist ends with its process. */
static void check_exit(void)
{
    struct drm_i915_gem_context_param p = {.param = I915_CONTEXT_PARAM_PERSISTENCE};
    struct drm_i915_gem_relocation_entry reloc;
    struct sync_file_info info = {.status = 1};
    const pid_t child = fork();
    submission s;
    int fd;
    if (child == 0) {
        open_card("/dev/dri/card0");
        client_need(call(DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &p) == 0, "persistence");
        spin(&s, &reloc);
        s.flags = I915_EXEC_RENDER | I915_EXEC_FENCE_OUT;
        client_need(submit(&s) == 0, "submit");
        give(ends[1], s.out);
        exit(0);
    }
    fd = take(ends[0]);
    client_need(wait_child(child) == 0, "exit");
    show("EXIT",
         is_readable(fd, 1000) && ioctl(fd, SYNC_IOC_FILE_INFO, &info) == 0 && info.status == -EIO);
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    client_need(argc > 2, "name of the GPU and its generation");
    gen = atoi(argv[2]);
    if (argc > 3) {
        ends[1] = 33;
        return second();
    }
    client_need(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "socket");
    open_card("/dev/dri/card0");
    check_objects(argv);
    check_reopen();
    check_death();
    if (gen >= 9) {
        check_exit();
    }
    printf("DONE\n");
    return 0;
}

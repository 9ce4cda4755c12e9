/* xe_answers GPU: the answers of a node of xe, asked by its ioctls alone: a job on each engine, to its
 * fence in memory; syncs by their handles, with errnos of bad ones, which change nothing; a store to an
 * address that the VM does not map, which bans the queue and gives its fence an error. The structures
 * are those of gpucmd_i915.h, because the oldest libdrm has none. */
#include "client.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <drm.h>
#include <linux/sync_file.h>

#include "../../../gpucmd_i915.h"

enum { OBJECT_BYTES = 0x10000, OBJECT_VA = 0x1a0000, FENCE_OFF = 0x1000, STORED_OFF = 0x2000 };

static int fd;
static const char *label;
static bool right = true;

static void ask(int expected, unsigned long request, void *arg)
{
    const int got = ioctl(fd, request, arg) == 0 ? 0 : errno;
    if (got != expected) {
        printf("%s: ioctl 0x%lx: errno %d, not %d\n", label, request & 0xff, got, expected);
        right = false;
    }
}

static void done(void)
{
    printf("%s %s\n", label, right ? "RIGHT" : "WRONG");
    right = true;
}

static uint32_t *words; /* of the object */
static uint32_t vm_id;

/* Return the answer to a query. */
static const uint32_t *query(uint32_t number)
{
    struct gpucmd_drm_xe_device_query a;
    uint32_t *answer;
    memset(&a, 0, sizeof a);
    a.query = number;
    ask(0, GPUCMD_DRM_IOCTL_XE_DEVICE_QUERY, &a);
    answer = calloc(1, a.size);
    client_need(answer != NULL, "memory");
    a.data = (uintptr_t)answer;
    ask(0, GPUCMD_DRM_IOCTL_XE_DEVICE_QUERY, &a);
    return answer;
}

/* Return an entry of the PAT table that is coherent with the CPU's caches: 1, on Ponte Vecchio 3.
 * Info 0 of the query, which begins at byte 8, has the PCI id in its low half. */
static uint16_t coherent_entry(void)
{
    const uint32_t *const config = query(GPUCMD_DRM_XE_DEVICE_QUERY_CONFIG);
    return (config[2] & 0xffff) == 0x0bd5 ? 3 : 1;
}

/* Return a queue of one engine. */
static uint32_t queue_of(const struct gpucmd_drm_xe_engine_class_instance *engine)
{
    struct gpucmd_drm_xe_exec_queue_create queue;
    memset(&queue, 0, sizeof queue);
    queue.vm_id = vm_id;
    queue.width = 1;
    queue.num_placements = 1;
    queue.instances = (uintptr_t)engine;
    ask(0, GPUCMD_DRM_IOCTL_XE_EXEC_QUEUE_CREATE, &queue);
    return queue.exec_queue_id;
}

/* Make a VM without scratch pages, an object in it, and a queue. Return the queue. */
static uint32_t start(void)
{
    struct gpucmd_drm_xe_vm_create vm;
    struct gpucmd_drm_xe_gem_create gem;
    struct gpucmd_drm_xe_gem_mmap_offset offset;
    struct gpucmd_drm_xe_vm_bind bind;
    const struct gpucmd_drm_xe_engine_class_instance copy = {1, 0, 0, 0};
    uint32_t queue;
    label = "START";
    memset(&vm, 0, sizeof vm);
    memset(&gem, 0, sizeof gem);
    memset(&offset, 0, sizeof offset);
    memset(&bind, 0, sizeof bind);
    ask(0, GPUCMD_DRM_IOCTL_XE_VM_CREATE, &vm);
    vm_id = vm.vm_id;
    gem.size = OBJECT_BYTES;
    gem.placement = 1;
    gem.cpu_caching = GPUCMD_DRM_XE_GEM_CPU_CACHING_WB;
    ask(0, GPUCMD_DRM_IOCTL_XE_GEM_CREATE, &gem);
    offset.handle = gem.handle;
    ask(0, GPUCMD_DRM_IOCTL_XE_GEM_MMAP_OFFSET, &offset);
    words = mmap(NULL, OBJECT_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)offset.offset);
    client_need(words != MAP_FAILED, "mmap");
    bind.vm_id = vm.vm_id;
    bind.num_binds = 1;
    bind.bind.obj = gem.handle;
    bind.bind.pat_index = coherent_entry();
    bind.bind.range = OBJECT_BYTES;
    bind.bind.addr = OBJECT_VA;
    ask(0, GPUCMD_DRM_IOCTL_XE_VM_BIND, &bind);
    queue = queue_of(&copy);
    done();
    return queue;
}

static uint32_t syncobj(uint32_t flags)
{
    struct drm_syncobj_create create = {0, flags};
    ask(0, DRM_IOCTL_SYNCOBJ_CREATE, &create);
    return create.handle;
}

/* Submit a store to va, with syncs. */
static void submit(int expected, uint32_t queue, uint64_t va, const void *syncs, uint32_t count)
{
    const uint32_t batch[] = {0x10000002, (uint32_t)va, (uint32_t)(va >> 32), words[0] + 1,
                              0x05000000};
    struct gpucmd_drm_xe_exec a;
    memset(&a, 0, sizeof a);
    memcpy(words + 16, batch, sizeof batch);
    a.exec_queue_id = queue;
    a.num_syncs = count;
    a.syncs = (uintptr_t)syncs;
    a.address = OBJECT_VA + 64;
    a.num_batch_buffer = 1;
    ask(expected, GPUCMD_DRM_IOCTL_XE_EXEC, &a);
}

/* Return whether the object has a fence, and write the status of that fence to *status: 1 done. */
static bool has_fence(uint32_t handle, int *status)
{
    struct drm_syncobj_handle export = {handle, DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE, -1,
                                        0};
    struct sync_file_info info;
    memset(&info, 0, sizeof info);
    if (ioctl(fd, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &export) != 0) {
        return false;
    }
    right = right && ioctl(export.fd, SYNC_IOC_FILE_INFO, &info) == 0;
    *status = info.status;
    close(export.fd);
    return true;
}

static uint64_t point_of(uint32_t handle)
{
    uint64_t point = 0;
    struct drm_syncobj_timeline_array a = {(uintptr_t)&handle, (uintptr_t)&point, 1, 0};
    ask(0, DRM_IOCTL_SYNCOBJ_QUERY, &a);
    return point;
}

/* Submit a store to each engine; its fence is in memory. Print the engines by class and instance. */
static void engines(void)
{
    const uint32_t *answer; /* 8 bytes with the number of engines, then 32 bytes for each */
    label = "ENGINES";
    answer = query(GPUCMD_DRM_XE_DEVICE_QUERY_ENGINES);
    printf("LIST");
    for (uint32_t i = 0; i < answer[0]; i++) {
        const uint32_t batch[] = {0x10000002, OBJECT_VA + STORED_OFF, 0, 0xe0 + i, 0x05000000};
        struct gpucmd_drm_xe_engine_class_instance engine;
        struct gpucmd_drm_xe_sync fence;
        struct gpucmd_drm_xe_exec a;
        struct gpucmd_drm_xe_wait_user_fence wait;
        uint32_t queue;
        memcpy(&engine, answer + 2 + 8 * i, sizeof engine);
        queue = queue_of(&engine);
        memset(&fence, 0, sizeof fence);
        fence.type = GPUCMD_DRM_XE_SYNC_TYPE_USER_FENCE;
        fence.flags = GPUCMD_DRM_XE_SYNC_FLAG_SIGNAL;
        fence.addr = OBJECT_VA + FENCE_OFF;
        fence.timeline_value = i + 1;
        memset(&a, 0, sizeof a);
        memcpy(words + 16, batch, sizeof batch);
        a.exec_queue_id = queue;
        a.num_syncs = 1;
        a.syncs = (uintptr_t)&fence;
        a.address = OBJECT_VA + 64;
        a.num_batch_buffer = 1;
        ask(0, GPUCMD_DRM_IOCTL_XE_EXEC, &a);
        memset(&wait, 0, sizeof wait);
        wait.addr = (uintptr_t)(words + FENCE_OFF / 4);
        wait.op = GPUCMD_DRM_XE_UFENCE_WAIT_OP_EQ;
        wait.value = i + 1;
        wait.mask = UINT64_MAX;
        wait.timeout = 1000000000;
        wait.exec_queue_id = queue;
        ask(0, GPUCMD_DRM_IOCTL_XE_WAIT_USER_FENCE, &wait);
        right = right && words[STORED_OFF / 4] == 0xe0 + i && words[FENCE_OFF / 4] == i + 1;
        printf(" %u.%u", engine.engine_class, engine.engine_instance);
    }
    printf("\n");
    done();
}

static void syncs(uint32_t queue)
{
    const uint32_t none = syncobj(0), gone = syncobj(0), full = syncobj(1), line = syncobj(0);
    struct drm_syncobj_destroy destroy = {gone, 0};
    struct gpucmd_drm_xe_sync s[3];
    int status = 0;
    label = "SYNCS";
    ask(0, DRM_IOCTL_SYNCOBJ_DESTROY, &destroy);
    memset(s, 0, sizeof s);
    s[0].handle = full; /* a wait */
    s[1].handle = none;
    s[1].flags = GPUCMD_DRM_XE_SYNC_FLAG_SIGNAL;
    s[2].handle = gone;
    s[2].flags = GPUCMD_DRM_XE_SYNC_FLAG_SIGNAL;
    submit(ENOENT, queue, OBJECT_VA, s, 3);
    s[2].handle = 100000;
    submit(ENOENT, queue, OBJECT_VA, s, 3);
    submit(EFAULT, queue, OBJECT_VA, (void *)4096, 2);
    s[0].handle = none; /* it has no fence */
    submit(EINVAL, queue, OBJECT_VA, s, 2);
    right = right && words[0] == 0 && !has_fence(none, &status);
    s[0].handle = full;
    s[2] = s[1]; /* twice the same */
    submit(0, queue, OBJECT_VA, s, 3);
    right = right && words[0] == 1 && has_fence(none, &status) && status == 1;
    s[0].handle = none;
    s[1].handle = line;
    s[1].type = GPUCMD_DRM_XE_SYNC_TYPE_TIMELINE_SYNCOBJ;
    submit(EINVAL, queue, OBJECT_VA, s, 2); /* point 0 */
    s[1].timeline_value = 7;
    submit(0, queue, OBJECT_VA, s, 2);
    right = right && words[0] == 2 && point_of(line) == 7;
    s[0] = s[1];
    s[0].flags = 0;
    s[0].timeline_value = 8; /* not submitted */
    submit(EINVAL, queue, OBJECT_VA, s, 1);
    s[0].timeline_value = 6;
    s[1].timeline_value = 9;
    submit(0, queue, OBJECT_VA, s, 2);
    right = right && words[0] == 3 && point_of(line) == 9;
    done();
}

static void fault(uint32_t queue)
{
    struct gpucmd_drm_xe_exec_queue_get_property ban;
    struct gpucmd_drm_xe_sync s;
    const uint32_t out = syncobj(0);
    int status = 0;
    label = "FAULT";
    memset(&s, 0, sizeof s);
    s.handle = out;
    s.flags = GPUCMD_DRM_XE_SYNC_FLAG_SIGNAL;
    submit(0, queue, 0x7000000, &s, 1);
    right = right && has_fence(out, &status) && status < 0;
    memset(&ban, 0, sizeof ban);
    ban.exec_queue_id = queue;
    ask(0, GPUCMD_DRM_IOCTL_XE_EXEC_QUEUE_GET_PROPERTY, &ban);
    right = right && ban.value == 1;
    submit(ECANCELED, queue, OBJECT_VA, &s, 1);
    right = right && words[0] == 3;
    done();
}

int main(void)
{
    uint32_t queue;
    fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
    client_need(fd >= 0, "open");
    queue = start();
    engines();
    syncs(queue);
    fault(queue);
    return 0;
}

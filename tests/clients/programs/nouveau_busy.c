/* A busy GPU, by raw ioctls of nouveau: a channel that waits for a semaphore until the CPU releases
 * it, what is busy meanwhile, the order of channels, closed handles, and a channel that never ends.
 * Needs run --async. The GPU is GF100 or later. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <libdrm/drm.h>
#include <libdrm/nouveau_drm.h>

#include "client.h"

enum { PAGE = 4096, ACQUIRE = 1, RELEASE = 2 };

typedef struct memory {
    uint32_t handle;
    uint64_t va;
    volatile uint32_t *dw;
} memory;

static int node;
static int wrong;

static void show(const char *name, bool good)
{
    wrong += !good;
    printf("%s %s\n", name, good ? "RIGHT" : "WRONG");
}

#define CALL(number, arg) call(DRM_IOWR(DRM_COMMAND_BASE + DRM_NOUVEAU_##number, *(arg)), (arg))

static int call(unsigned long request, void *arg)
{
    return ioctl(node, request, arg) != 0 ? -errno : 0;
}

static memory create(void)
{
    struct drm_nouveau_gem_new a = {
        .info = {.domain = NOUVEAU_GEM_DOMAIN_GART, .size = PAGE}
    };
    memory m;
    void *at;
    client_need(CALL(GEM_NEW, &a) == 0, "memory");
    at = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, node, (off_t)a.info.map_handle);
    client_need(at != MAP_FAILED, "map");
    m.handle = a.info.handle;
    m.va = a.info.offset;
    m.dw = at;
    return m;
}

static int channel(void)
{
    struct drm_nouveau_channel_alloc a = {.fb_ctxdma_handle = ~0u, .tt_ctxdma_handle = 1};
    client_need(CALL(CHANNEL_ALLOC, &a) == 0, "channel");
    return a.channel;
}

/* Push a segment in the memory "in": for each of count operations a semaphore at va. */
static int push(int id, const memory *in, const memory *target, const uint32_t (*operations)[2],
                uint32_t count)
{
    struct drm_nouveau_gem_pushbuf_bo list[2];
    struct drm_nouveau_gem_pushbuf_push segment = {.bo_index = 0};
    struct drm_nouveau_gem_pushbuf a = {.channel = (uint32_t)id, .nr_buffers = 2, .nr_push = 1};
    memset(list, 0, sizeof list);
    for (uint32_t i = 0; i < count; i++) {
        volatile uint32_t *dw = in->dw + 5 * i;
        dw[0] = 0x20040004; /* SEMAPHOREA to SEMAPHORED */
        dw[1] = (uint32_t)(target->va >> 32);
        dw[2] = (uint32_t)target->va + 16 * i;
        dw[3] = operations[i][1];
        dw[4] = operations[i][0] | 1u << 24; /* 4 bytes */
    }
    list[0].handle = in->handle;
    list[0].valid_domains = list[0].read_domains = NOUVEAU_GEM_DOMAIN_GART;
    list[0].presumed.offset = in->va;
    list[1] = list[0];
    list[1].handle = target->handle;
    list[1].write_domains = NOUVEAU_GEM_DOMAIN_GART;
    list[1].presumed.offset = target->va;
    segment.length = 20 * count;
    a.buffers = (uintptr_t)list;
    a.push = (uintptr_t)&segment;
    return CALL(GEM_PUSHBUF, &a);
}

static int prep(const memory *m, uint32_t flags)
{
    struct drm_nouveau_gem_cpu_prep a = {.handle = m->handle, .flags = flags};
    return CALL(GEM_CPU_PREP, &a);
}

static void check_order(int one, int two)
{
    static const uint32_t wait_and_store[2][2] = {
        {ACQUIRE, 1},
        {RELEASE, 2}
    };
    static const uint32_t no_wait[2][2] = {
        {RELEASE, 9},
        {RELEASE, 3}
    };
    const uint32_t all = NOUVEAU_GEM_CPU_PREP_WRITE;
    const uint32_t now = NOUVEAU_GEM_CPU_PREP_NOWAIT;
    memory a = create(), b = create(), target = create();
    struct drm_gem_close gone = {.handle = a.handle};
    client_need(push(one, &a, &target, wait_and_store, 2) == 0, "push");
    client_need(push(two, &b, &target, no_wait, 2) == 0, "push");
    usleep(20000);
    show("BUSY", prep(&target, now) == -EBUSY && prep(&target, now | all) == -EBUSY);
    show("READ", prep(&a, now) == 0 && prep(&a, now | all) == -EBUSY); /* nothing writes it */
    show("HELD", target.dw[0] == 0 && target.dw[4] == 0); /* the second waits for the first */
    show("CLOSED", call(DRM_IOCTL_GEM_CLOSE, &gone) == 0 && prep(&a, now) == -ENOENT);
    target.dw[0] = 1;
    show("WAIT", prep(&target, all) == 0 && target.dw[0] == 9 && target.dw[4] == 3);
    show("IDLE", prep(&b, now | all) == 0);
}

/* Two channels that use no common memory do not wait for each other. */
static void check_hang(int one, int two)
{
    static const uint32_t never[1][2] = {
        {ACQUIRE, 1}
    };
    static const uint32_t store[1][2] = {
        {RELEASE, 7}
    };
    memory a = create(), b = create(), first = create(), second = create();
    client_need(push(one, &a, &first, never, 1) == 0, "push");
    client_need(push(two, &b, &second, store, 1) == 0, "push");
    show("OTHER", prep(&second, 0) == 0 && second.dw[0] == 7 &&
                      prep(&first, NOUVEAU_GEM_CPU_PREP_NOWAIT) == -EBUSY);
    show("HANG", prep(&first, 0) == 0 && first.dw[0] == 0);
    show("KILLED", push(one, &a, &first, store, 1) == -ENODEV);
    second.dw[0] = 0;
    show("LIVES",
         push(two, &b, &second, store, 1) == 0 && prep(&second, 0) == 0 && second.dw[0] == 7);
}

int main(int argc, char **argv)
{
    int one, two;
    (void)argv;
    setvbuf(stdout, NULL, _IONBF, 0);
    client_need(argc == 2, "name of the GPU");
    node = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
    client_need(node >= 0, "node");
    one = channel();
    two = channel();
    check_order(one, two);
    check_order(two, one);
    check_hang(one, two);
    printf("DONE\n");
    return wrong != 0;
}

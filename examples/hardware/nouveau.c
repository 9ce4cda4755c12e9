/* nouveau.c - copies and semaphores on an NVIDIA GPU under nouveau and on the executor, compared.
 *
 * You learn: nouveau's calls from the node to a push: channel, object, buffers, addresses. Each stream
 * of random copies and semaphore releases also runs on the executor, from the same memory; afterwards
 * both memories must be equal. GF100 and later.
 * Exit status 77: there is no such node. Linux only. Read first: 11_ampere_copy.c.
 */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"

#include "drm.h"

enum { DATA_BYTES = 65536, PUSH_BYTES = 16384, HALF = DATA_BYTES / 2, STREAMS = 20, SUBC = 4 };

#define NOUVEAU(tag) struct gpucmd_drm_nouveau_##tag
enum { GART = GPUCMD_NOUVEAU_GEM_DOMAIN_GART };

typedef struct buffer {
    uint32_t handle;
    uint64_t va;
    uint8_t *cpu;
} buffer;

static gpucmd_sys_ops sys;
static int fd;
static gpucmd_nv_chip chip;
static int32_t channel;
static buffer data, push;
static uint32_t words[PUSH_BYTES / 4], executed[PUSH_BYTES / 4];
static uint8_t expected[DATA_BYTES];

static bool call(const char *name, uint32_t number, void *arg)
{
    const int result = sys.sys_ioctl(sys.user, fd, number, arg);
    if (result < 0) {
        printf("%s: %s\n", name, gpucmd_sys_error_name(-result));
    }
    return result >= 0;
}

#define CALL(NUMBER, arg) call(#NUMBER, GPUCMD_DRM_IOCTL_NOUVEAU_##NUMBER, (arg))

static uint32_t below(uint32_t n)
{
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)state * n >> 32);
}

static uint32_t copy_class(void)
{
    return chip < GPUCMD_NV_CHIP_GK104 ? 0x9039 : gpucmd_nv_copy_class(chip);
}

/* Step 1: the chip. Return the status of the program. */
static int find_chip(void)
{
    NOUVEAU(getparam) id = {GPUCMD_NOUVEAU_GETPARAM_CHIPSET_ID, 0};
    if (!CALL(GETPARAM, &id)) {
        return 1;
    }
    if (gpucmd_nv_chip_from_id((uint32_t)id.value, &chip) != GPUCMD_OK ||
        chip < GPUCMD_NV_CHIP_GF100) {
        printf("chipset 0x%x: expected GF100 or later\n", (unsigned)id.value);
        return 77;
    }
    return 0;
}

/* Step 2: a channel, and the object that copies. */
static bool open_channel(void)
{
    NOUVEAU(channel_alloc) c;
    NOUVEAU(grobj_alloc) object = {0, 1, 0};
    memset(&c, 0, sizeof c);
    if (!CALL(CHANNEL_ALLOC, &c)) {
        return false;
    }
    channel = object.channel = c.channel;
    object.oclass = (int32_t)copy_class();
    printf("%s, channel %d, class %04x\n", gpucmd_nv_chip_name(chip), (int)channel,
           (unsigned)object.oclass);
    return CALL(GROBJ_ALLOC, &object);
}

/* Step 3: memory that the GPU and the process share. The driver chooses the address. */
static bool open_buffer(buffer *b, uint64_t len_bytes)
{
    NOUVEAU(gem_new) gem;
    gpucmd_sys_map map = {NULL,
                          (size_t)len_bytes,
                          GPUCMD_SYS_PROT_READ | GPUCMD_SYS_PROT_WRITE,
                          GPUCMD_SYS_MAP_SHARED,
                          fd,
                          0};
    memset(&gem, 0, sizeof gem);
    gem.info.domain = (uint32_t)GART | GPUCMD_NOUVEAU_GEM_DOMAIN_MAPPABLE;
    gem.info.size = len_bytes;
    gem.align = 4096;
    if (!CALL(GEM_NEW, &gem)) {
        return false;
    }
    map.off_bytes = gem.info.map_handle;
    if (sys.sys_mmap(sys.user, &map) < 0) {
        printf("mmap failed\n");
        return false;
    }
    b->handle = gem.info.handle;
    b->va = gem.info.offset;
    b->cpu = (uint8_t *)map.addr;
    return true;
}

/* Step 4: a random stream: copies from the upper half of the data to the lower half, then releases to
 * the upper half. */
static bool write_words(size_t *len_dw)
{
    const bool m2mf = chip < GPUCMD_NV_CHIP_GK104;
    const uint32_t subc = m2mf ? 2 : SUBC;
    gpucmd_writer w;
    gpucmd_writer_init(&w, words, PUSH_BYTES / 4);
    gpucmd_nv_emit_set_object(&w, chip, subc, copy_class());
    for (unsigned i = 0; i < 10; i++) {
        gpucmd_nv_copy copy;
        copy.line_bytes = 1 + below(200);
        copy.lines = 1 + below(20);
        copy.src_pitch = copy.line_bytes + below(100);
        copy.dst_pitch = copy.line_bytes + below(100);
        copy.src_va = data.va + HALF + below(HALF - 20 * 300);
        copy.dst_va = data.va + below(HALF - 20 * 300);
        if (m2mf) {
            gpucmd_nv_emit_m2mf_copy(&w, chip, subc, &copy);
        } else {
            gpucmd_nv_emit_ce_copy_2d(&w, chip, subc, &copy);
        }
    }
    for (unsigned i = 0; i < 10; i++) {
        gpucmd_nv_emit_sem_release(&w, chip, data.va + HALF + 4 * below(HALF / 4),
                                   below(0xffffffff), GPUCMD_NV_SEM_WFI);
    }
    if (gpucmd_writer_finish(&w, len_dw) != GPUCMD_OK) {
        printf("words: %s\n", gpucmd_status_text(w.status));
        return false;
    }
    return true;
}

/* Step 5: the executor, from the same memory. It must accept the words before a GPU gets them. */
static bool execute(size_t len_dw)
{
    const uint64_t ring_va = 0x100000000u;
    uint32_t entry[2];
    uint32_t ring[2];
    gpucmd_region regions[3] = {
        {0, DATA_BYTES,  expected, GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE},
        {0, PUSH_BYTES,  executed, GPUCMD_ACCESS_READ                      },
        {0, sizeof ring, ring,     GPUCMD_ACCESS_READ                      },
    };
    static gpucmd_nv_channel model;
    gpucmd_nv_card card;
    gpucmd_env env;
    gpucmd_mem mem;
    gpucmd_run run;
    regions[0].va = data.va;
    regions[1].va = push.va;
    regions[2].va = ring_va;
    memcpy(expected, data.cpu, DATA_BYTES);
    gpucmd_store_words(executed, words, len_dw, GPUCMD_LITTLE_ENDIAN);
    gpucmd_mem_sort(regions, 3);
    if (gpucmd_nv_encode_entry(entry, chip, push.va, (uint32_t)len_dw, 0) != GPUCMD_OK ||
        gpucmd_mem_init(&mem, regions, 3) != GPUCMD_OK ||
        gpucmd_nv_channel_init(&model, chip, &card) != GPUCMD_OK) {
        return false;
    }
    gpucmd_store_words(ring, entry, 2, GPUCMD_LITTLE_ENDIAN);
    model.pbdma.gp_base = ring_va;
    model.pbdma.limit2 = 1;
    model.pbdma.gp_put = 1;
    gpucmd_nv_card_init(&card);
    gpucmd_env_init(&env, &mem, NULL, NULL);
    run = gpucmd_nv_channel_run(&model, &env, 1 << 20);
    if (run != GPUCMD_RUN_IDLE) {
        printf("the executor does not run the stream: %s\n", gpucmd_run_name(run));
    }
    return run == GPUCMD_RUN_IDLE;
}

/* Step 6: push, and wait until the data are idle; the driver ends this wait by itself. */
static bool submit(size_t len_dw)
{
    NOUVEAU(gem_pushbuf_bo) buffers[2];
    NOUVEAU(gem_pushbuf_push) one = {1, 0, 0, 4 * (uint64_t)len_dw};
    NOUVEAU(gem_pushbuf) arg;
    NOUVEAU(gem_cpu_prep) prep = {data.handle, GPUCMD_NOUVEAU_GEM_CPU_PREP_WRITE};
    memset(buffers, 0, sizeof buffers);
    memset(&arg, 0, sizeof arg);
    for (unsigned i = 0; i < 2; i++) {
        buffers[i].handle = i == 0 ? data.handle : push.handle;
        buffers[i].valid_domains = GART;
        buffers[i].read_domains = GART;
        buffers[i].write_domains = i == 0 ? GART : 0;
        buffers[i].presumed.valid = 1;
        buffers[i].presumed.domain = GART;
        buffers[i].presumed.offset = i == 0 ? data.va : push.va;
    }
    arg.channel = (uint32_t)channel;
    arg.nr_buffers = 2;
    arg.buffers = (uint64_t)(uintptr_t)buffers;
    arg.nr_push = 1;
    arg.push = (uint64_t)(uintptr_t)&one;
    gpucmd_store_words(push.cpu, words, len_dw, GPUCMD_LITTLE_ENDIAN);
    return CALL(GEM_PUSHBUF, &arg) && CALL(GEM_CPU_PREP, &prep);
}

/* Step 7: compare. */
static int compare(void)
{
    for (unsigned n = 0; n < STREAMS; n++) {
        size_t len_dw = 0;
        for (unsigned i = 0; i < DATA_BYTES; i++) {
            data.cpu[i] = (uint8_t)below(256);
        }
        if (!write_words(&len_dw) || !execute(len_dw) || !submit(len_dw)) {
            return 1;
        }
        for (unsigned i = 0; i < DATA_BYTES; i++) {
            if (data.cpu[i] != expected[i]) {
                printf("stream %u: byte 0x%x: executor 0x%02x, GPU 0x%02x\n", n, i, expected[i],
                       data.cpu[i]);
                return 1;
            }
        }
    }
    printf("%u streams of copies and semaphores: the GPU and the executor agree\n",
           (unsigned)STREAMS);
    return 0;
}

int main(void)
{
    NOUVEAU(channel_free) gone = {0};
    char path[32];
    int status;
    gpucmd_sys_ops_init_linux(&sys);
    fd = hw_drm_find(&sys, "nouveau", path);
    if (fd < 0) {
        printf("no render node of nouveau\n");
        return 77;
    }
    printf("%s\n", path);
    status = find_chip();
    if (status == 0 && !open_channel()) {
        status = 1;
    } else if (status == 0) {
        status = 1;
        if (open_buffer(&data, DATA_BYTES) && open_buffer(&push, PUSH_BYTES)) {
            status = compare();
        }
        gone.channel = channel;
        (void)CALL(CHANNEL_FREE, &gone);
    }
    return sys.sys_close(sys.user, fd) < 0 ? 1 : status; /* closing frees the buffers */
}

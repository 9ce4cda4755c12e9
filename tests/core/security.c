/* The SECURITY part of the manual in gpucmd.h: a row for each of its sentences, with the test of that
 * sentence. The sentences are compared with the manual. */
/* suite: executor */
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_agx.h"
#include "gpucmd_i915.h"
#include "gpucmd_nv.h"
#include "test.h"

enum {
    R = GPUCMD_ACCESS_READ,
    RW = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE,
    PAGE_BYTES = 4096,
};
#define BATCH_VA 0x10000u /* readable and writable */
#define CONST_VA 0x20000u /* readable */
#define DATA_VA  0x30000u /* readable and writable */

/* Regions with memory around them that no region has. */
static uint8_t memory[7][PAGE_BYTES];
static uint8_t *const batch = memory[1], *const constant = memory[3], *const data = memory[5];
static gpucmd_region regions[3];
static gpucmd_mem mem;
static gpucmd_env env;
static gpucmd_i915_cs cs;
static gpucmd_nv_pbdma pbdma;
static gpucmd_nv_pusher pusher;
static uint32_t seed = 1;

static uint32_t below(uint32_t n)
{
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(seed >> 4) * n >> 28);
}

static void setup(void)
{
    const gpucmd_region rows[3] = {
        {BATCH_VA, PAGE_BYTES, batch,    RW},
        {CONST_VA, PAGE_BYTES, constant, R },
        {DATA_VA,  PAGE_BYTES, data,     RW},
    };
    memset(memory, 0x55, sizeof memory);
    memset(batch, 0, PAGE_BYTES);
    memcpy(regions, rows, sizeof rows);
    EQUAL(gpucmd_mem_init(&mem, regions, 3), GPUCMD_OK);
    gpucmd_env_init(&env, &mem, NULL, NULL);
}

static bool filled(const uint8_t *bytes, size_t len_bytes)
{
    size_t i = 0;
    while (i < len_bytes && bytes[i] == 0x55) {
        i++;
    }
    return i == len_bytes;
}

/* Return true if memory that no stream may write is unchanged. */
static bool others_unchanged(void)
{
    return filled(memory[0], PAGE_BYTES) && filled(memory[2], PAGE_BYTES) &&
           filled(memory[3], PAGE_BYTES) && filled(memory[4], PAGE_BYTES) &&
           filled(memory[6], PAGE_BYTES);
}

static void put(const uint32_t *words, size_t len_dw)
{
    gpucmd_store_words(batch, words, len_dw, GPUCMD_LITTLE_ENDIAN);
}

#define BATCH(...)                                                                                 \
    do {                                                                                           \
        const uint32_t words_[] = {__VA_ARGS__};                                                   \
        put(words_, sizeof words_ / 4);                                                            \
    } while (0)

static uint32_t load(const uint8_t *at)
{
    return gpucmd_load32(at, GPUCMD_LITTLE_ENDIAN);
}

static void i915_start(gpucmd_i915_gen gen, uint64_t va, bool secure)
{
    EQUAL(gpucmd_i915_cs_init(&cs, gen, GPUCMD_I915_RCS, 0), GPUCMD_OK);
    EQUAL(gpucmd_i915_cs_batch(&cs, va, secure), GPUCMD_OK);
}

/* Start words of the batch on GA102. */
static void pbdma_start(uint32_t len_dw)
{
    uint32_t entry[2] = {0, 0};
    EQUAL(gpucmd_nv_encode_entry(entry, GPUCMD_NV_CHIP_GA102, BATCH_VA, len_dw, 0), GPUCMD_OK);
    gpucmd_store_words(batch + 2048, entry, 2, GPUCMD_LITTLE_ENDIAN);
    EQUAL(gpucmd_nv_pbdma_init(&pbdma, GPUCMD_NV_CHIP_GA102), GPUCMD_OK);
    pbdma.gp_base = BATCH_VA + 2048;
    pbdma.limit2 = 1;
    pbdma.gp_put = 1;
}

/* ---- jobs of xe ---- */

enum { OBJECT_BYTES = 4 * PAGE_BYTES, OBJECTS = 3 };
#define JOB_VA  0x100000u /* object 1 in VM 1, object 2 in VM 2 */
#define READ_VA 0x200000u /* object 3 in VM 1, readable */

static gpucmd_xe_kernel xe;
static gpucmd_xe_kernel_store xe_store;
static uint8_t xe_memory[(4 * OBJECTS + 2) * PAGE_BYTES];

static int xe_call(uint32_t request, void *arg)
{
    return gpucmd_xe_kernel_ioctl(&xe, request, (uint64_t)(uintptr_t)arg);
}

static void xe_bind(uint32_t vm, uint32_t object, uint64_t va, uint32_t flags, uint32_t pat)
{
    struct gpucmd_drm_xe_vm_bind a;
    memset(&a, 0, sizeof a);
    a.vm_id = vm;
    a.num_binds = 1;
    a.bind.obj = object;
    a.bind.pat_index = (uint16_t)pat;
    a.bind.addr = va;
    a.bind.range = OBJECT_BYTES;
    a.bind.flags = flags;
    EQUAL(xe_call(GPUCMD_DRM_IOCTL_XE_VM_BIND, &a), 0);
}

/* Make a queue of VM 1 for the copy engine. */
static uint32_t xe_queue(void)
{
    struct gpucmd_drm_xe_engine_class_instance eci = {1, 0, 0, 0};
    struct gpucmd_drm_xe_exec_queue_create a;
    memset(&a, 0, sizeof a);
    a.width = a.num_placements = 1;
    a.vm_id = 1;
    a.instances = (uint64_t)(uintptr_t)&eci;
    EQUAL(xe_call(GPUCMD_DRM_IOCTL_XE_EXEC_QUEUE_CREATE, &a), 0);
    return a.exec_queue_id;
}

static void xe_setup(gpucmd_xe_platform platform)
{
    uint8_t *const ram = xe_memory + (PAGE_BYTES - ((uintptr_t)xe_memory & (PAGE_BYTES - 1)));
    const uint32_t pat = platform == GPUCMD_XE_TGL ? 0 : 3;
    gpucmd_xe_device device;
    EQUAL(gpucmd_xe_device_init(&device, platform), GPUCMD_OK);
    EQUAL(gpucmd_xe_kernel_init_store(&xe, &device, NULL, &xe_store, ram, OBJECTS * OBJECT_BYTES),
          GPUCMD_OK);
    xe.slice_units = 512;
    xe.hang_runs = 2;
    for (uint32_t i = 0; i < OBJECTS; i++) {
        struct gpucmd_drm_xe_gem_create a;
        memset(&a, 0, sizeof a);
        a.size = OBJECT_BYTES;
        a.placement = 1;
        a.cpu_caching = 2; /* WC: each entry of the PAT table is permitted */
        EQUAL(xe_call(GPUCMD_DRM_IOCTL_XE_GEM_CREATE, &a), 0);
    }
    for (uint32_t i = 0; i < 2; i++) {
        struct gpucmd_drm_xe_vm_create a;
        memset(&a, 0, sizeof a);
        EQUAL(xe_call(GPUCMD_DRM_IOCTL_XE_VM_CREATE, &a), 0);
    }
    xe_bind(1, 1, JOB_VA, 0, pat);
    xe_bind(2, 2, JOB_VA, 0, pat);
    xe_bind(1, 3, READ_VA, GPUCMD_DRM_XE_VM_BIND_FLAG_READONLY, pat);
    memset(xe_memory, 0x55, sizeof xe_memory);
}

static uint8_t *xe_host(uint32_t handle)
{
    return (uint8_t *)xe.objects[gpucmd_xe_kernel_object(&xe, handle) - 1].host;
}

/* Fill object 1 with a batch: a store to the object, then stores, copies between registers and
 * memory, and random words. */
static void xe_batch(void)
{
    static const uint32_t heads[] = {0x10000002, 0x10200003, 0x12000002, 0x14800002, 0x17000003,
                                     0x18800101, 0x13000003, 0x50400005, 0x11000001, 0x01000000};
    uint8_t *const at = xe_host(1);
    const uint32_t first[] = {0x10000002, JOB_VA + 64 + 4 * below(1000), 0, below(~0u)};
    uint32_t i = sizeof first / 4;
    gpucmd_store_words(at, first, i, GPUCMD_LITTLE_ENDIAN);
    while (i < OBJECT_BYTES / 4) {
        const uint32_t head = below(40) == 0 ? below(~0u) : heads[below(10)];
        const uint32_t parts[] = {
            JOB_VA, JOB_VA + OBJECT_BYTES, READ_VA, READ_VA - 8, 0x22600, 0x300000, 0, 8};
        gpucmd_store32(at + 4 * i++, head, GPUCMD_LITTLE_ENDIAN);
        for (uint32_t n = (head & 0xff) + 1; n != 0 && i < OBJECT_BYTES / 4 && n < 8; n--) {
            uint32_t v = below(3) == 0 ? 0 : parts[below(8)] + 4 * below(OBJECT_BYTES / 4);
            if (head == 0x11000001) {
                v = 0x22600 + 4 * below(32);
            }
            gpucmd_store32(at + 4 * i++, v, GPUCMD_LITTLE_ENDIAN);
        }
    }
}

/* A job changes only objects that its VM maps writable, and its queue ends at the latest with its
 * budget. */
static void xe_jobs(gpucmd_xe_platform platform)
{
    static uint8_t before[OBJECT_BYTES];
    uint32_t changed = 0, queue;
    xe_setup(platform);
    queue = xe_queue();
    for (uint32_t round = 0; round < 300; round++) {
        struct gpucmd_drm_xe_exec a;
        const uint64_t bans = xe.bans;
        memset(&a, 0, sizeof a);
        a.exec_queue_id = queue;
        a.address = JOB_VA;
        a.num_batch_buffer = 1;
        xe_batch();
        memcpy(before, xe_host(1), sizeof before);
        EQUAL(xe_call(GPUCMD_DRM_IOCTL_XE_EXEC, &a), 0);
        gpucmd_xe_kernel_run(&xe);
        gpucmd_xe_kernel_run(&xe);
        gpucmd_xe_kernel_run(&xe);
        changed += memcmp(before, xe_host(1), sizeof before) != 0;
        if (xe.bans != bans) {
            struct gpucmd_drm_xe_exec_queue_destroy d;
            memset(&d, 0, sizeof d);
            d.exec_queue_id = queue;
            EQUAL(xe_call(GPUCMD_DRM_IOCTL_XE_EXEC_QUEUE_DESTROY, &d), 0);
            queue = xe_queue();
        }
        EQUAL(xe.job_free.count, 0);
        if (!CHECK(filled(xe_host(2), OBJECT_BYTES) && filled(xe_host(3), OBJECT_BYTES))) {
            return;
        }
    }
    CHECK(changed > 250);
    CHECK(xe.bans > 100);
}

/* ---- streams ---- */

/* Random words in each table that an executor reads change only what regions allow. */
static void hostile(void)
{
    static const gpucmd_i915_gen gens[] = {GPUCMD_I915_GEN4, GPUCMD_I915_GEN5, GPUCMD_I915_GEN6,
                                           GPUCMD_I915_GEN7, GPUCMD_I915_GEN8, GPUCMD_I915_GEN9};
    for (uint32_t round = 0; round < 2000; round++) {
        setup();
        for (uint32_t i = 0; i < PAGE_BYTES / 4; i++) {
            static const uint32_t likely[] = {
                0x10000002, 0x13000001, 0x11000001, 0x12000002, 0x18800001, 0x05000000, BATCH_VA,
                CONST_VA,   DATA_VA,    0,          0x20050017, 0x20000000, 0x40000000, 0x80000000};
            const uint32_t v =
                below(3) != 0 ? likely[below(14)] + below(2) * below(64) : below(1u << 28);
            gpucmd_store32(batch + 4 * i, v, GPUCMD_LITTLE_ENDIAN);
        }
        i915_start(gens[below(6)], BATCH_VA, below(2) != 0);
        (void)!gpucmd_i915_cs_run(&cs, &env, 500);
        pbdma_start(512);
        (void)gpucmd_nv_pbdma_run(&pbdma, &env, 500);
        EQUAL(gpucmd_nv_pusher_init(&pusher, GPUCMD_NV_CHIP_NV40), GPUCMD_OK);
        pusher.dma_get = BATCH_VA;
        pusher.dma_put = BATCH_VA + 2048;
        (void)gpucmd_nv_pusher_run(&pusher, &env, 500);
        CHECK(others_unchanged());
    }
}

/* A store to the stream's own words takes effect if the words have not been executed. */
static void own_words(void)
{
    setup();
    BATCH(0x10000002, DATA_VA, 0, 1,         /* MI_STORE_DATA_IMM */
          0x10000002, BATCH_VA + 0x2c, 0, 7, /* of the value below */
          0x10000002, DATA_VA + 4, 0, 2, 0x05000000);
    i915_start(GPUCMD_I915_GEN9, BATCH_VA, true);
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_IDLE);
    EQUAL(load(data), 1);
    EQUAL(load(data + 4), 7);
    EQUAL(load(constant), 0x55555555);
}

/* A store without the right, and one outside all regions, stop the executor before they write. */
static void other_memory(void)
{
    static const uint32_t places[] = {CONST_VA, DATA_VA + PAGE_BYTES, BATCH_VA - 4};
    for (size_t i = 0; i < 3; i++) {
        setup();
        BATCH(0x10000002, places[i], 0, 1, 0x10000002, DATA_VA, 0, 2, 0x05000000);
        i915_start(GPUCMD_I915_GEN9, BATCH_VA, true);
        EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_FAULT);
        EQUAL(cs.fault_va, places[i]);
        CHECK(others_unchanged() && filled(data, PAGE_BYTES));
    }
    /* endless streams use their budget and no more */
    setup();
    BATCH(0x18800001, BATCH_VA, 0); /* MI_BATCH_BUFFER_START of itself */
    i915_start(GPUCMD_I915_GEN9, BATCH_VA, true);
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 1000), GPUCMD_RUN_LIMIT);
    EQUAL(cs.units, 1000);
    BATCH(0x20000000 | BATCH_VA); /* JMP to itself */
    EQUAL(gpucmd_nv_pusher_init(&pusher, GPUCMD_NV_CHIP_NV40), GPUCMD_OK);
    pusher.dma_get = BATCH_VA;
    pusher.dma_put = BATCH_VA + 64;
    EQUAL(gpucmd_nv_pusher_run(&pusher, &env, 1000), GPUCMD_RUN_LIMIT);
    EQUAL(pusher.dma_get, BATCH_VA);
    /* a load of a register outside the engine does not change the engine */
    BATCH(0x05000000);
    i915_start(GPUCMD_I915_GEN9, BATCH_VA, true);
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_IDLE);
    const gpucmd_i915_cs idle = cs;
    for (uint32_t reg = 0; reg < 0x40000; reg += 0x400) {
        if (reg - idle.base < GPUCMD_I915_WINDOW_BYTES) {
            continue;
        }
        BATCH(0x11000001, reg, 0xffffffff, 0x05000000);
        i915_start(GPUCMD_I915_GEN9, BATCH_VA, true);
        EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_IDLE);
        CHECK(memcmp(cs.reg, idle.reg, sizeof cs.reg) ==
              0); /* IPEHR is MI_BATCH_BUFFER_END in both */
    }
    xe_jobs(GPUCMD_XE_TGL);
    xe_jobs(GPUCMD_XE_LNL);
    xe_jobs(GPUCMD_XE_PVC);
}

/* ---- memory that changes ---- */

static uint32_t flipped;

/* Before the effect of each step: another thread writes into the stream. */
static gpucmd_status flip(void *user, const gpucmd_event *e)
{
    (void)user;
    (void)e;
    flipped++;
    const uint32_t at = below(PAGE_BYTES / 4) * 4;
    gpucmd_store32(batch + at, load(batch + at) ^ 1u << below(32), GPUCMD_LITTLE_ENDIAN);
    gpucmd_store32(batch + at % 64, load(batch + at % 64) + below(256), GPUCMD_LITTLE_ENDIAN);
    return GPUCMD_OK;
}

static void changing_memory(void)
{
    for (uint32_t round = 0; round < 500; round++) {
        setup();
        env.event = env.trace = flip;
        for (uint32_t i = 0; i < 512; i += 4) {
            const uint32_t words[4] = {below(2) != 0 ? 0x10000002 : 0x20020100, DATA_VA, 0, i};
            gpucmd_store_words(batch + 4 * i, words, 4, GPUCMD_LITTLE_ENDIAN);
        }
        i915_start(GPUCMD_I915_GEN9, BATCH_VA, true);
        (void)!gpucmd_i915_cs_run(&cs, &env, 200);
        pbdma_start(512);
        (void)gpucmd_nv_pbdma_run(&pbdma, &env, 200);
        CHECK(others_unchanged());
    }
    CHECK(flipped > 1000);
}

/* ---- a driver that answers with anything ---- */

static int any_open(void *user, const char *path, uint32_t flags)
{
    (void)user;
    (void)path;
    (void)flags;
    return below(8) == 0 ? -13 : 3 + (int)below(5);
}

static int any_close(void *user, int fd)
{
    (void)user;
    return fd < 3 ? -9 : below(8) == 0 ? -5 : 0;
}

/* Fill the argument and what it may point at with random bytes, small or large. */
static int any_ioctl(void *user, int fd, uint32_t number, void *arg)
{
    const uint32_t len_bytes = GPUCMD_FIELD_GET(IOC_BYTES, number);
    (void)user;
    (void)fd;
    for (uint32_t i = 0; i < len_bytes && (number >> 31) != 0; i++) {
        if (below(4) == 0) {
            ((uint8_t *)arg)[i] = (uint8_t)below(256);
        }
    }
    return below(6) == 0 ? -22 : below(6) == 0 ? (int)below(1000) : 0;
}

static uint8_t any_memory[1 << 16];

static int any_mmap(void *user, gpucmd_sys_map *map)
{
    (void)user;
    if (below(4) == 0 || map->len_bytes > sizeof any_memory) {
        return -12;
    }
    map->addr = any_memory;
    return 0;
}

static int any_munmap(void *user, void *addr, size_t len_bytes)
{
    (void)user;
    (void)addr;
    (void)len_bytes;
    return 0;
}

static int64_t any_read(void *user, int fd, void *dst, size_t len_bytes)
{
    (void)user;
    (void)fd;
    memset(dst, (int)below(256), len_bytes);
    return below(4) == 0 ? -5 : (int64_t)below((uint32_t)len_bytes + 1);
}

static int64_t any_write(void *user, int fd, const void *src, size_t len_bytes)
{
    (void)user;
    (void)fd;
    (void)src;
    return below(4) == 0 ? -5 : (int64_t)len_bytes;
}

static const gpucmd_sys_ops any = {any_open,   any_close, any_ioctl, any_mmap,
                                   any_munmap, any_read,  any_write, NULL};

static void clients(void)
{
    unsigned good = 0, bad = 0;
    for (uint32_t round = 0; round < 3000; round++) {
        gpucmd_agx_client c;
        uint32_t id = 0;
        int result = gpucmd_agx_client_open(&c, &any, "node");
        EQUAL(result < 0, c.fd == -1);
        if (result == 0) {
            result = gpucmd_agx_client_vm_create(&c, &id);
            (void)gpucmd_agx_client_close(&c);
        }
        CHECK(result == 0 || (result < 0 && result > -4096));
        good += result == 0;
        bad += result != 0;
        gpucmd_nvgpu g;
        gpucmd_nvgpu_buffer_req req;
        gpucmd_nvgpu_buffer b;
        gpucmd_status status = gpucmd_nvgpu_start(&g, &any);
        if (status == GPUCMD_OK) {
            gpucmd_nvgpu_buffer_req_init(&req, 4096, false);
            status = gpucmd_nvgpu_buffer_alloc(&g, &req, &b);
            if (status == GPUCMD_OK) {
                gpucmd_nvgpu_buffer_free(&g, &b);
            }
            gpucmd_nvgpu_close(&g);
        }
        CHECK(status <= GPUCMD_BLOCKED || status == GPUCMD_OK);
        good += status == GPUCMD_OK;
        bad += status != GPUCMD_OK;
    }
    CHECK(good > 100 && bad > 1000);
}

/* ---- callbacks that are NULL ---- */

static uint32_t reads_0(void *user, uint64_t off_bytes)
{
    (void)user;
    (void)off_bytes;
    return 0;
}

static void ignores(void *user, uint64_t off_bytes, uint32_t v)
{
    (void)user;
    (void)off_bytes;
    (void)v;
}

static void null_callbacks(void)
{
    static uint32_t ring_words[1024], words[100];
    const gpucmd_mmio mmio = {reads_0, ignores, NULL};
    gpucmd_i915_ring ring;
    gpucmd_writer wr;
    setup();
    BATCH(0x11000001, 0x7004, 1, 0x12000002, 0x9840, DATA_VA, 0, 0x7b000005, 0, 0, 0, 0, 0, 0,
          0x01000000, 0x05000000);
    i915_start(GPUCMD_I915_GEN9, BATCH_VA, true);
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_IDLE); /* event and trace are NULL */
    BATCH(0x20020100, 1, 2, 0x6001a140, 3);
    pbdma_start(5);
    EQUAL(gpucmd_nv_pbdma_run(&pbdma, &env, 100), GPUCMD_RUN_IDLE);
    EQUAL(gpucmd_i915_ring_init(&ring, ring_words, 4096, 0x30, &mmio, 0x2000), GPUCMD_OK);
    EQUAL(gpucmd_i915_ring_start(&ring, 0x40000), GPUCMD_OK);
    gpucmd_wait_init(&ring.wait);
    CHECK(ring.wait.fn == NULL);
    gpucmd_status status = GPUCMD_OK;
    for (uint32_t i = 0; i < 20 && status == GPUCMD_OK; i++) { /* HEAD stays 0 */
        status = gpucmd_i915_ring_begin(&ring, 100, &wr);
        if (status == GPUCMD_OK) {
            gpucmd_writer_emit_words(&wr, words, 100);
            EQUAL(gpucmd_i915_ring_end(&ring, &wr), GPUCMD_OK);
        }
    }
    EQUAL(status, GPUCMD_LIMIT);
}

/* ---- the batch that rewrites itself ---- */

/* Words of gen7 that the parser accepts. The first command makes the second a load of a register that the
 * parser rejects. */
static void rewrites_itself(void)
{
    static const uint32_t words[] = {
        0x10000002, 0,      BATCH_VA + 16 + 4,
        0x2244,                     /* MI_STORE_DATA_IMM: the register, below */
        0x11000001, 0x2358, 0x5555, /* MI_LOAD_REGISTER_IMM */
        0x05000000,
    };
    uint8_t bad[32];
    gpucmd_i915_cmdset set;
    for (int pass = 0; pass < 2; pass++) {
        setup();
        put(words, sizeof words / 4);
        EQUAL(gpucmd_i915_cs_init(&cs, GPUCMD_I915_GEN7, GPUCMD_I915_RCS, 0), GPUCMD_OK);
        set = cs.cmdset;
        EQUAL(gpucmd_i915_parse(&set, batch, 32, BATCH_VA, NULL), 0);
        gpucmd_store_words(bad, words, sizeof words / 4, GPUCMD_LITTLE_ENDIAN);
        gpucmd_store32(bad + 20, 0x2244, GPUCMD_LITTLE_ENDIAN);
        EQUAL(gpucmd_i915_parse(&set, bad, 32, BATCH_VA, NULL), -GPUCMD_SYS_EACCES);
        if (pass == 1) { /* a copy without the right */
            regions[0].access_mask = R;
            EQUAL(gpucmd_mem_init(&mem, regions, 3), GPUCMD_OK);
        }
        EQUAL(gpucmd_i915_cs_batch(&cs, BATCH_VA, true), GPUCMD_OK);
        EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), pass == 0 ? GPUCMD_RUN_IDLE : GPUCMD_RUN_FAULT);
        EQUAL(gpucmd_i915_cs_read(&cs, 0x2244), pass == 0 ? 0x5555 : 0);
    }
}

/* ---- the sentences ---- */

static void elsewhere(void)
{
}

/* clang-format off */
static const struct statement {
    const char *text;
    void (*run)(void);
} statements[] = {
    {"Hostile: streams, rings, tables in GPU memory, ioctl arguments, and memory of a "
     "process.", hostile},
    {"Trusted: the caller, its callbacks, tables and regions.", elsewhere}, /* a duty */
    {"A hostile stream can read and write all regions that its rights allow, also its "
     "own words.", own_words},
    {"It cannot access other memory, exceed the budget of a run, or change an "
     "executor except through the documented registers.", other_memory},
    {"A hostile process can change its memory during an ioctl.", elsewhere}, /* flips */
    {"Model kernels read each byte of it at most once and check the copy.", elsewhere}, /* flips */
    {"GPU memory may change during a run; an executor checks the words that it has "
     "loaded.", changing_memory},
    {"A driver that is not a model kernel may answer an ioctl with any "
     "values.", clients},
    {"Clients check the sizes and ranges that they use.", clients},
    {"If a check fails, they return a negative errno.", clients},
    {"The caller keeps regions valid and gives each run a budget.", elsewhere}, /* a duty */
    {"The caller must not call an executor from a callback of this executor.", elsewhere}, /* a duty */
    {"Two threads must not run executors that share an object.", elsewhere}, /* a duty */
    {"Callbacks that may be NULL: event and trace of gpucmd_env, find of gpucmd_mem, wait of "
     "rings, functions of gpucmd_sys_ops that the library does not call.", null_callbacks},
    {"If event, wait or sys_* fails, the call fails with the same status, fault or "
     "errno.", elsewhere}, /* failing */
    {"A gen7 batch that the command parser has accepted can still rewrite itself if "
     "it can write its own memory.", rewrites_itself},
    {"Submit a copy that the batch cannot write.", rewrites_itself},
};
/* clang-format on */

/* Read the part of the manual as one line, without the comment's stars. Return its length. */
static size_t read_part(char *text, size_t cap)
{
    char line[256];
    size_t n = 0;
    bool in_part = false;
    FILE *f = fopen("gpucmd.h", "r");
    while (CHECK(f != NULL) && fgets(line, sizeof line, f) != NULL) {
        const char *at = line + (line[0] == ' ' && line[1] == '*' ? 2 : 0);
        if (strncmp(at, " CONTENTS", 9) == 0) {
            break;
        }
        for (at += strspn(at, " "); in_part && *at != '\0' && n + 1 < cap; at++) {
            text[n++] = *at == '\n' ? ' ' : *at;
        }
        in_part = in_part || strcmp(line, " * SECURITY\n") == 0;
    }
    if (f != NULL) {
        (void)fclose(f);
    }
    while (n != 0 && text[n - 1] == ' ') {
        n--;
    }
    text[n] = '\0';
    return n;
}

int main(void)
{
    static char text[8192];
    const size_t len = read_part(text, sizeof text);
    size_t at = 0;
    for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++) {
        const size_t n = strlen(statements[i].text);
        if (!CHECK(strncmp(text + at, statements[i].text, n) == 0)) {
            printf("    manual: %.60s\n", text + at);
        }
        at += n + 1;
        if (i == 0 || statements[i].run != statements[i - 1].run) {
            statements[i].run();
        }
    }
    EQUAL(at, len + 1);
    return test_report("security");
}

/* NVIDIA's driver from user mode: layouts and numbers of examples/hardware/nvidia.h against the tables of
 * release 580, and the life of examples/hardware/nvidia.c on a model of the driver. */
/* suite: executor */
#include <stdbool.h>
#include <stdint.h>

/* The barriers of the program record what the GPU could see at that time. */
static void at_barrier(char kind);
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
static int
message(const char *format, ...);
#define GPUCMD_BARRIER_WRITE() at_barrier('w')
#define GPUCMD_BARRIER_FULL()  at_barrier('f')
#define GPUCMD_BARRIER_MMIO()  at_barrier('m')

#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* What the program prints. */
static char text[8192];
static size_t text_bytes;

static int message(const char *format, ...)
{
    va_list args;
    int n;
    va_start(args, format);
    n = vsnprintf(text + text_bytes, sizeof text - text_bytes, format, args);
    va_end(args);
    text_bytes += n > 0 && (size_t)n < sizeof text - text_bytes ? (size_t)n : 0;
    return n;
}

#define HW_NVIDIA_PART
#define printf message
#include "../../examples/hardware/nvidia.c"
#undef printf

#include "test.h"

#include "nv/rm.h"

/* ---- layouts ---- */

typedef struct row {
    const char *tag, *type, *name;
    size_t off_bytes, len_bytes;
} row;

#define ROW_S(tag)
#define ROW_F(type, name, off) {NULL, #type, #name, off, sizeof(gpucmd_layout_##type)},
#define ROW_A(type, name, count, off)                                                              \
    {NULL, #type, #name, off, (count) * sizeof(gpucmd_layout_##type)},
#define ROW_U(...)
#define ROW_E(tag, bytes) {#tag, "", "(size)", 0, bytes},
static const row rows[] = {HW_NVIDIA_STRUCTS(ROW_S, ROW_F, ROW_A, ROW_U, ROW_E)};
enum { ROWS = sizeof rows / sizeof rows[0] };

/* Return the last row of a structure, or NULL. */
static const row *end_of(const char *tag)
{
    for (size_t i = 0; i < ROWS; i++) {
        if (rows[i].tag != NULL && strcmp(rows[i].tag, tag) == 0) {
            return &rows[i];
        }
    }
    return NULL;
}

/* Find a member. name may be "a.b", or "a[3]", which names the array. */
static bool find(const char *tag, const char *name, size_t *off_bytes, size_t *len_bytes)
{
    const row *r = end_of(tag);
    const size_t n = strcspn(name, ".[");
    if (r == NULL) {
        return false;
    }
    if (strcmp(name, "(size)") == 0) {
        *off_bytes = 0;
        *len_bytes = r->len_bytes;
        return true;
    }
    while (r > rows && (--r)->tag == NULL) {
        if (strlen(r->name) == n && memcmp(r->name, name, n) == 0) {
            *off_bytes = r->off_bytes;
            *len_bytes = r->len_bytes;
            if (name[n] == '.') {
                size_t inner = 0;
                const bool found = find(r->type, name + n + 1, &inner, len_bytes);
                *off_bytes += inner;
                return found;
            }
            return true;
        }
    }
    return false;
}

static void layouts(void)
{
    FILE *const f = fopen("tests/data/nv_rm_580.tsv", "r");
    static char line[256];
    unsigned known = 0;
    unsigned sizes = 0;
    if (!CHECK(f != NULL)) {
        return;
    }
    while (fgets(line, sizeof line, f) != NULL) {
        char tag[80];
        char name[80];
        unsigned off = 0;
        unsigned len = 0;
        size_t our_off = 0;
        size_t our_len = 0;
        if (line[0] == '#' || sscanf(line, "%79s %79s %u %u", tag, name, &off, &len) != 4 ||
            end_of(tag) == NULL) {
            continue;
        }
        known++;
        sizes += strcmp(name, "(size)") == 0;
        if (!CHECK(find(tag, name, &our_off, &our_len)) || !EQUAL(our_off, off) ||
            !EQUAL(our_len, len)) {
            printf("    %s %s\n", tag, name);
        }
    }
    (void)fclose(f);
    /* Every structure of the header is in the table, except the one that the table flattens. */
    for (size_t i = 0; i < ROWS; i++) {
        if (rows[i].tag != NULL && strcmp(rows[i].tag, "nv_pci_info_t") != 0) {
            sizes--;
        } else if (rows[i].tag == NULL && strncmp(rows[i].name, "pad", 3) != 0 &&
                   strcmp(rows[i].name, "place") != 0) {
            known--;
        }
    }
    EQUAL(sizes, 0);
    EQUAL(known, 41); /* 41 sizes; each member was counted once in both */
}

static void numbers(void)
{
#define N(name)                                                                                    \
    {                                                                                              \
#name, (name)                                                                              \
    }
    static const struct {
        const char *name;
        uint32_t value;
    } ours[] = {N(NV_ESC_CARD_INFO),
                N(NV_ESC_REGISTER_FD),
                N(NV_ESC_CHECK_VERSION_STR),
                N(NV_ESC_RM_FREE),
                N(NV_ESC_RM_CONTROL),
                N(NV_ESC_RM_ALLOC),
                N(NV_ESC_RM_MAP_MEMORY),
                N(NV_ESC_RM_MAP_MEMORY_DMA),
                N(NV_ESC_RM_UNMAP_MEMORY_DMA),
                N(NV01_ROOT_CLIENT),
                N(NV01_MEMORY_SYSTEM),
                N(NV01_MEMORY_LOCAL_USER),
                N(NV01_MEMORY_VIRTUAL),
                N(NV01_DEVICE_0),
                N(NV20_SUBDEVICE_0),
                N(FERMI_VASPACE_A),
                N(KEPLER_CHANNEL_GROUP_A),
                N(HOPPER_USERMODE_A),
                N(HOPPER_CHANNEL_GPFIFO_A),
                N(HOPPER_DMA_COPY_A),
                N(NV0000_CTRL_CMD_GPU_GET_ID_INFO_V2),
                N(NV0080_CTRL_CMD_GPU_GET_CLASSLIST_V2),
                N(NV2080_CTRL_CMD_GPU_GET_ENGINES_V2),
                N(NV2080_CTRL_CMD_GPU_GET_GID_INFO),
                N(NV2080_CTRL_CMD_CE_GET_ALL_CAPS),
                N(NV2080_CTRL_CMD_TIMER_GET_TIME),
                N(NV2080_CTRL_CMD_MC_GET_ARCH_INFO),
                N(NVA06C_CTRL_CMD_GPFIFO_SCHEDULE),
                N(NVA06F_CTRL_CMD_GPFIFO_SCHEDULE),
                N(NVC36F_CTRL_CMD_GPFIFO_GET_WORK_SUBMIT_TOKEN),
                N(UVM_INITIALIZE),
                N(UVM_MM_INITIALIZE),
                N(UVM_REGISTER_GPU),
                N(UVM_REGISTER_GPU_VASPACE),
                N(UVM_UNREGISTER_GPU_VASPACE),
                N(UVM_REGISTER_CHANNEL),
                N(UVM_UNREGISTER_CHANNEL),
                N(UVM_CREATE_EXTERNAL_RANGE),
                N(UVM_MAP_EXTERNAL_ALLOCATION),
                N(UVM_FREE)};
#undef N
    FILE *const f = fopen("tests/data/nv_rm_580_constants.tsv", "r");
    static char line[256];
    bool seen[sizeof ours / sizeof ours[0]] = {false};
    if (!CHECK(f != NULL)) {
        return;
    }
    while (fgets(line, sizeof line, f) != NULL) {
        char name[80];
        char size[16];
        unsigned value = 0;
        if (sscanf(line, "%*s %79s %x %15s", name, &value, size) != 3) {
            continue;
        }
        for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++) {
            /* NV_ESC_RM_ALLOC has two sizes; ours is the smaller one. */
            if (strcmp(ours[i].name, name) == 0 && strcmp(size, "48") != 0) {
                EQUAL(ours[i].value, value);
                seen[i] = true;
            } else if (strcmp(ours[i].name, name) == 0 && value == ours[i].value) {
                seen[i] = true; /* NV_ESC_RM_UNMAP_MEMORY_DMA, 48 bytes */
            }
        }
    }
    (void)fclose(f);
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++) {
        if (!CHECK(seen[i])) {
            printf("    %s\n", ours[i].name);
        }
    }
}

/* ---- the program on the model ---- */

static hw_nvidia g;
static gpucmd_sys_ops sys;

/* What a GPU sees at each barrier of the program: w (write), f (full), then p if GP_PUT is set, d if
 * the doorbell is, e if the entry of the segment is in the ring, s if its first word is in memory. */
static char seen[512];
static size_t seen_bytes;

static void at_barrier(char kind)
{
    const uint8_t *userd = NULL;
    const uint8_t *ring = NULL;
    uint64_t got = 0;
    uint8_t *host = NULL;
    for (unsigned i = 0; i < RM_OBJECTS; i++) {
        if (rm_is(&rm.objects[i], HOPPER_CHANNEL_GPFIFO_A) && rm.objects[i].handle != 0) {
            userd = rm_find(rm.objects[i].userd)->cpu;
            if (gpucmd_mem_span(&rm.mem, rm.gpu[rm.objects[i].slot].pbdma.gp_base, 0x2000,
                                GPUCMD_ACCESS_READ, &host, &got) == GPUCMD_OK) {
                ring = host;
            }
        }
    }
    if (userd == NULL || ring == NULL || seen_bytes + 8 > sizeof seen) {
        return;
    }
    seen[seen_bytes++] = kind;
    if (gpucmd_load64(ring + 8, GPUCMD_LITTLE_ENDIAN) != 0) {
        seen[seen_bytes++] = 'e';
    }
    if (gpucmd_load32(ring + 0x1000, GPUCMD_LITTLE_ENDIAN) != 0) {
        seen[seen_bytes++] = 's';
    }
    if (gpucmd_load32(userd + 0x8c, GPUCMD_LITTLE_ENDIAN) != 0) {
        seen[seen_bytes++] = 'p';
    }
    if (gpucmd_load32((const uint8_t *)rm_page() + 0x90, GPUCMD_LITTLE_ENDIAN) != 0) {
        seen[seen_bytes++] = 'd';
    }
    seen[seen_bytes++] = ' ';
    seen[seen_bytes] = '\0';
}

/* The wait of the program: the GPU executes. */
static gpucmd_status run_gpu(void *user, uint32_t try_count)
{
    (void)user;
    (void)rm_run();
    return try_count < 3 ? GPUCMD_OK : GPUCMD_LIMIT;
}

static void start(void)
{
    rm_init(&sys);
    memset(&g, 0, sizeof g);
    g.sys = sys;
    g.pause = run_gpu;
    g.quiet = true;
    seen_bytes = 0;
    text_bytes = 0;
    text[0] = '\0';
}

/* Run the program as its main does; its messages go to the log of this test. */
static int run(void)
{
    int status = hw_open_gpu(&g);
    if (status == HW_OK) {
        status = hw_copy(&g) ? HW_OK : HW_FAILED;
        hw_unwind(&g, 0);
    }
    return status;
}

static void works(bool sandboxed)
{
    start();
    rm.sandboxed = sandboxed;
    EQUAL(run(), HW_OK);
    EQUAL(g.by_uvm, sandboxed);
    EQUAL(g.engine, 0xc); /* COPY3: 0 and 1 belong to graphics, 2 has no block-linear */
    EQUAL(rm_alive(), 0);
    if (!CHECK(rm.wrong == NULL)) {
        printf("    %s\n", rm.wrong);
    }
    /* Words and entry, barrier, GP_PUT, barrier, doorbell; then the fence was polled. */
    if (!CHECK(strncmp(seen, "wes fesp fespd ", 15) == 0)) {
        printf("    %s\n", seen);
    }
}

/* Each call of the program fails once, by errno and by status. Nothing stays open. */
static void each_fails(bool sandboxed)
{
    unsigned calls;
    start();
    rm.sandboxed = sandboxed;
    EQUAL(run(), HW_OK);
    calls = rm.calls;
    CHECK(calls > 60);
    for (unsigned way = 0; way < 2; way++) {
        unsigned failed = 0;
        for (unsigned i = 1; i <= calls; i++) {
            int status;
            start();
            rm.sandboxed = sandboxed;
            rm.fail_at = i;
            rm.fail_errno = way == 0 ? GPUCMD_SYS_EIO : 0;
            rm.fail_status = NV_ERR_INSUFFICIENT_RESOURCES;
            status = run();
            failed += status != HW_OK;
            /* A call that stops the program is named with its errno or status. */
            CHECK(status == HW_OK || strstr(text, way == 0 ? ": EIO\n" : ": E") != NULL ||
                  strstr(text, ": status 0x1a INSUFFICIENT_RESOURCES\n") != NULL ||
                  strstr(text, ": status 0x22 INVALID_CLASS\n") != NULL);
            if (!EQUAL(rm_alive(), 0) || !CHECK(rm.failed_call != NULL)) {
                printf("    call %u %s\n", i, rm.failed_call);
            }
        }
        CHECK(failed > 40 && failed < calls);
    }
}

/* What makes the program stop without a failure, and what makes it take another way. */
static void others(void)
{
    start();
    rm.version = "595.45.04";
    EQUAL(run(), HW_NOTHING);
    EQUAL(rm_alive(), 0);
    start();
    rm.not_hopper = true;
    EQUAL(run(), HW_NOTHING);
    EQUAL(rm_alive(), 0);
    start();
    rm.fail_at = 1; /* no control node */
    EQUAL(run(), HW_NOTHING);
    EQUAL(rm_alive(), 0);
    start();
    rm.no_bar1 = true;
    EQUAL(run(), HW_OK);
    EQUAL(rm_alive(), 0);
    start();
    g.is_privileged = true;
    EQUAL(run(), HW_OK);
}

/* A channel that stops: the notifier says so, and the program gives up. A blocked one: time-out. */
static void stop_words(uint8_t *words, size_t len_dw)
{
    if (len_dw > 2) {
        gpucmd_store32(words + 8, 0x20010001, GPUCMD_LITTLE_ENDIAN); /* ILLEGAL, method 0x4 */
    }
}

static void fault_words(uint8_t *words, size_t len_dw)
{
    for (size_t i = 0; i + 2 < len_dw; i++) {
        if (gpucmd_load32(words + 4 * i, GPUCMD_LITTLE_ENDIAN) == 0x20048100) { /* OFFSET_IN */
            gpucmd_store32(words + 4 * i + 4, 0x40, GPUCMD_LITTLE_ENDIAN);
        }
    }
}

static void block_words(uint8_t *words, size_t len_dw)
{
    for (size_t i = 0; i + 1 < len_dw; i++) {
        if (gpucmd_load32(words + 4 * i, GPUCMD_LITTLE_ENDIAN) == 0x20050017) { /* SEM_ADDR_LO */
            gpucmd_store32(words + 4 * i + 20, 0, GPUCMD_LITTLE_ENDIAN);        /* ACQUIRE */
        }
    }
}

static void errors(void)
{
    static void (*const edits[])(uint8_t * words, size_t len_dw) = {stop_words, fault_words,
                                                                    block_words};
    static const char *const told[] = {"channel error: Xid 32, engine 0xc",
                                       "channel error: Xid 31, engine 0xc",
                                       "no answer: fence 0, expected 1; GP_GET 2"};
    for (unsigned i = 0; i < 3; i++) {
        start();
        rm.edit = edits[i];
        EQUAL(run(), HW_FAILED);
        EQUAL(rm_alive(), 0);
        EQUAL(rm.dead[0], i < 2);
        if (!CHECK(strstr(text, told[i]) != NULL)) {
            printf("    %s\n", text);
        }
        CHECK(rm.wrong == NULL);
    }
}

/* ---- the model's own errors ---- */

static uint32_t alloc_status(uint32_t parent, uint32_t class_id, const void *params, size_t bytes)
{
    hw_params p;
    NV(NVOS21_PARAMETERS) a = {g.client, parent, 0, class_id, (uint64_t)(uintptr_t)&p, 0, 0};
    memset(&p, 0, sizeof p);
    memcpy(&p, params, bytes);
    EQUAL(sys.sys_ioctl(NULL, g.ctl, NV_ESC_RM_ALLOC, &a), 0);
    return a.status;
}

#define ALLOC_STATUS(parent, class_id, params)                                                     \
    alloc_status((parent), (class_id), &(params), sizeof(params))

static void model_objects(void)
{
    NV(NV_MEMORY_ALLOCATION_PARAMS) memory;
    NV(NV_VASPACE_ALLOCATION_PARAMETERS) space;
    NV(NV_HOPPER_USERMODE_A_PARAMS) page = {1, 1};
    NV(NV_CHANNEL_GROUP_ALLOCATION_PARAMETERS) group;
    start();
    EQUAL(hw_open_gpu(&g), HW_OK);
    memset(&memory, 0, sizeof memory);
    memset(&space, 0, sizeof space);
    memset(&group, 0, sizeof group);
    memory.attr = 0x2a800000;
    memory.size = 4096;
    EQUAL(ALLOC_STATUS(g.device, NV01_MEMORY_SYSTEM, memory), 0x39); /* owner 0 */
    memory.owner = g.client;
    EQUAL(ALLOC_STATUS(g.device, NV01_MEMORY_LOCAL_USER, memory), 0x1f); /* PCI in VRAM */
    memory.size = 0;
    EQUAL(ALLOC_STATUS(g.device, NV01_MEMORY_SYSTEM, memory), 0x1f);
    memory.size = (uint64_t)1 << 40;
    EQUAL(ALLOC_STATUS(g.device, NV01_MEMORY_SYSTEM, memory), 0x51);
    EQUAL(ALLOC_STATUS(g.client, NV20_SUBDEVICE_0, memory), 0x36);
    EQUAL(ALLOC_STATUS(0x1234, NV20_SUBDEVICE_0, memory), 0x36);
    EQUAL(ALLOC_STATUS(g.device, 0xcbc0, memory), 0x22);
    space.flags = 0x40;
    EQUAL(ALLOC_STATUS(g.device, FERMI_VASPACE_A, space), 0x1f);
    EQUAL(ALLOC_STATUS(g.subdevice, HOPPER_USERMODE_A, page), 0x1b);
    EQUAL(ALLOC_STATUS(g.device, KEPLER_CHANNEL_GROUP_A, group), 0x1f); /* no engine */
    hw_unwind(&g, 0);
    EQUAL(rm_alive(), 0);
}

static void model_calls(void)
{
    NV(NVOS54_PARAMETERS) c;
    NV(NV2080_CTRL_TIMER_GET_TIME_PARAMS) t = {0};
    NV(nv_ioctl_register_fd_t) with;
    NV(NVOS46_PARAMETERS) dma;
    NV(nv_ioctl_nvos33_parameters_with_fd) map;
    NV(UVM_REGISTER_GPU_PARAMS) gpu;
    gpucmd_sys_map m = {NULL, 4096, 3, GPUCMD_SYS_MAP_SHARED, 0, 0};
    hw_memory memory;
    int fd;
    int ctl;
    start();
    EQUAL(hw_open_gpu(&g), HW_OK);
    with.ctl_fd = (uint32_t)g.ctl;
    memset(&c, 0, sizeof c);
    c.hClient = g.client;
    c.hObject = g.subdevice;
    c.cmd = NV2080_CTRL_CMD_TIMER_GET_TIME;
    c.params = (uint64_t)(uintptr_t)&t;
    c.paramsSize = 4;
    EQUAL(sys.sys_ioctl(NULL, g.ctl, NV_ESC_RM_CONTROL, &c), 0);
    EQUAL(c.status, 0x3a);
    c.hClient = 7;
    EQUAL(sys.sys_ioctl(NULL, g.ctl, NV_ESC_RM_CONTROL, &c), 0);
    EQUAL(c.status, 0x23);
    /* A size of another release; a node of the other kind; registered twice. */
    EQUAL(sys.sys_ioctl(NULL, g.ctl, NV_ESC_RM_MAP_MEMORY_DMA - (8u << 16), &dma),
          -GPUCMD_SYS_EINVAL);
    fd = sys.sys_open(NULL, "/dev/nvidia0", 0x80002);
    EQUAL(sys.sys_ioctl(NULL, fd, NV_ESC_RM_CONTROL, &c), -GPUCMD_SYS_EINVAL);
    EQUAL(sys.sys_ioctl(NULL, g.ctl, NV_ESC_REGISTER_FD, &with), -GPUCMD_SYS_EINVAL);
    EQUAL(sys.sys_ioctl(NULL, fd, NV_ESC_REGISTER_FD, &with), 0);
    EQUAL(sys.sys_ioctl(NULL, fd, NV_ESC_REGISTER_FD, &with), -GPUCMD_SYS_EINVAL);
    /* One mapping for each open node; lengths. */
    CHECK(hw_memory_open(&g, HW_MEMORY_USERD, 8192, 0x1000000000u, &memory));
    memset(&map, 0, sizeof map);
    map.params.hClient = g.client;
    map.params.hDevice = g.device;
    map.params.hMemory = memory.handle;
    map.params.length = 8193;
    map.fd = (uint32_t)fd;
    EQUAL(sys.sys_ioctl(NULL, g.ctl, NV_ESC_RM_MAP_MEMORY, &map), 0);
    EQUAL(map.params.status, 0x20);
    map.params.length = 8192;
    map.fd = (uint32_t)g.ctl; /* VRAM needs a node of the GPU */
    EQUAL(sys.sys_ioctl(NULL, g.ctl, NV_ESC_RM_MAP_MEMORY, &map), 0);
    EQUAL(map.params.status, 0x1f);
    map.fd = (uint32_t)fd;
    EQUAL(sys.sys_ioctl(NULL, g.ctl, NV_ESC_RM_MAP_MEMORY, &map), 0);
    EQUAL(map.params.status, 0);
    EQUAL(sys.sys_ioctl(NULL, g.ctl, NV_ESC_RM_MAP_MEMORY, &map), 0);
    EQUAL(map.params.status, 0x63);
    m.fd = fd;
    EQUAL(sys.sys_mmap(NULL, &m), -GPUCMD_SYS_ENXIO);
    m.off_bytes = 4096;
    EQUAL(sys.sys_mmap(NULL, &m), -GPUCMD_SYS_EINVAL);
    EQUAL(sys.sys_close(NULL, fd), 0);
    /* Addresses of the GPU. */
    memset(&dma, 0, sizeof dma);
    EQUAL(sys.sys_ioctl(NULL, g.ctl, NV_ESC_RM_MAP_MEMORY_DMA, &dma), 0);
    EQUAL(dma.status, 0x23); /* the probe of the program */
    dma.hClient = g.client;
    dma.hDevice = g.device;
    dma.hDma = g.range;
    dma.hMemory = memory.handle;
    dma.flags = 0x8110;
    dma.dmaOffset = 0x1000000000u;
    dma.length = 8193;
    EQUAL(sys.sys_ioctl(NULL, g.ctl, NV_ESC_RM_MAP_MEMORY_DMA, &dma), 0);
    EQUAL(dma.status, 0x20);
    dma.length = 8192; /* mapped there */
    EQUAL(sys.sys_ioctl(NULL, g.ctl, NV_ESC_RM_MAP_MEMORY_DMA, &dma), 0);
    EQUAL(dma.status, 0x1f);
    /* UVM_INITIALIZE comes first. */
    memset(&gpu, 0, sizeof gpu);
    fd = sys.sys_open(NULL, "/dev/nvidia-uvm", 0x80002);
    EQUAL(sys.sys_ioctl(NULL, fd, UVM_REGISTER_GPU, &gpu), 0);
    EQUAL(gpu.rmStatus, 0x40);
    EQUAL(sys.sys_close(NULL, fd), 0);
    ctl = sys.sys_open(NULL, "/dev/nvidia9", 0x80002);
    EQUAL(ctl, -GPUCMD_SYS_ENOENT);
    /* Freeing the client alone frees the tree. */
    rm_drop(rm_find(g.client));
    EQUAL(rm_count(NULL), 0);
}

/* Statuses, typed from the table of refusals. */
static void statuses(void)
{
    static const struct {
        uint32_t value;
        const char *name;
    } rows_of[] = {
        {0x0f,   "GPU_IS_LOST"             },
        {0x1a,   "INSUFFICIENT_RESOURCES"  },
        {0x1b,   "INSUFFICIENT_PERMISSIONS"},
        {0x1f,   "INVALID_ARGUMENT"        },
        {0x20,   "INVALID_BASE"            },
        {0x22,   "INVALID_CLASS"           },
        {0x23,   "INVALID_CLIENT"          },
        {0x33,   "INVALID_OBJECT_HANDLE"   },
        {0x36,   "INVALID_OBJECT_PARENT"   },
        {0x39,   "INVALID_OWNER"           },
        {0x3a,   "INVALID_PARAM_STRUCT"    },
        {0x40,   "INVALID_STATE"           },
        {0x51,   "NO_MEMORY"               },
        {0x57,   "OBJECT_NOT_FOUND"        },
        {0x62,   "RESET_REQUIRED"          },
        {0x63,   "STATE_IN_USE"            },
        {0x7777, "?"                       }
    };
    for (size_t i = 0; i < sizeof rows_of / sizeof rows_of[0]; i++) {
        CHECK(strcmp(hw_status_name(rows_of[i].value), rows_of[i].name) == 0);
    }
}

int main(void)
{
    layouts();
    numbers();
    statuses();
    works(false);
    works(true);
    each_fails(false);
    each_fails(true);
    others();
    errors();
    model_objects();
    model_calls();
    return test_report("nv_rm");
}

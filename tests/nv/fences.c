/* Captured streams of nouveau are executed to their end. Then memory must contain every fence
 * value and every report that the driver requested. A separate scanner, which shares no code with
 * the header, finds the requests:
 *   G80 and later: 3D methods 0x1b00, 0x1b04 address, 0x1b08 value, 0x1b0c bits 1:0 = 0 (fence,
 *       one
 *     word) or 2 (counter or time, first word of the report)
 *   NV30, NV40: 3D methods 0x1d6c offset in the notifier, 0x1d70 value; 0x1800 query */
/* suite: executor */
#include "gpucmd_nv.h"
#include "test.h"
#include <stdlib.h>

#define CAPTURES "tests/data/captures/"

enum {
    VRAM_BYTES = 0x4000000, /* all addresses of the captures are lower */
    RING = 0x3800000,
    NOTIFIER = 0x3000000,
    MOST = 256,
};

static uint8_t *vram;
static gpucmd_mem mem;
static gpucmd_nv_card card;
static gpucmd_env env;
static gpucmd_nv_channel ch;

/* Requests of a stream. */
static struct {
    uint64_t va[MOST];
    uint32_t value[MOST];
    unsigned places;  /* different addresses */
    unsigned asked;   /* number of fences and reports */
    unsigned queries; /* NV30 */
    uint32_t method[8][0x1000];
    bool is_3d[8];
} want;

static uint32_t word(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void expect(uint64_t va, uint32_t value)
{
    unsigned i = 0;
    while (i < want.places && want.va[i] != va) {
        i++;
    }
    if (i < MOST) {
        want.va[i] = va;
        want.value[i] = value;
        want.places += i == want.places;
        want.asked++;
    }
}

/* Return the class of a handle that the driver allocated; the 3D class depends on the chipset. */
static uint32_t class_of(uint32_t handle, uint32_t chipset)
{
    switch (handle) {
    case 0xbeef3097: return chipset < 0x40 ? 0x0397 : 0x4097;
    case 0xbeef3901: return 0x0039;
    case 0xbeef6201: return 0x0062;
    case 0xbeef5201: return 0x039e;
    case 0xbeef7701: return 0x0389;
    case 0xbeef5097: return 0x5097;
    case 0xbeef502d: return 0x502d;
    case 0xbeef5039: return 0x5039;
    case 0xbeef50c0: return 0x50c0;
    default: return 0;
    }
}

static void scan_method(uint32_t chipset, uint32_t subc, uint32_t mthd, uint32_t v)
{
    uint32_t *m = want.method[subc];
    m[mthd / 4 & 0xfff] = v;
    if (mthd == 0) {
        want.is_3d[subc] = chipset < 0xc0 ? v == 0xbeef3097 || v == 0xbeef5097 : (v & 0xff) == 0x97;
    }
    if (!want.is_3d[subc]) {
        return;
    }
    if (chipset < 0x50) {
        if (mthd == 0x1d70) {
            expect(NOTIFIER + m[0x1d6c / 4], v);
        }
        want.queries += mthd == 0x1800;
    } else if (mthd == 0x1b0c && (v & 1) == 0) {
        expect((uint64_t)m[0x1b00 / 4] << 32 | m[0x1b04 / 4], m[0x1b08 / 4]);
    }
}

static void scan(uint32_t chipset, const uint8_t *at, size_t n_dw)
{
    for (size_t i = 0; i < n_dw;) {
        const uint32_t w0 = word(at + 4 * i++);
        const uint32_t subc = w0 >> 13 & 7;
        uint32_t op = w0 >> 29;
        uint32_t count = chipset < 0xc0 ? w0 >> 18 & 0x7ff : w0 >> 16 & 0x1fff;
        uint32_t mthd = chipset < 0xc0 ? w0 & 0x1ffc : (w0 & 0xfff) * 4;
        if (chipset < 0xc0) {
            if ((w0 & 0x30003) != 0) {
                continue; /* RETURN */
            }
            op = op == 0 ? 1 : 3;
        } else if (op == 4) {
            scan_method(chipset, subc, mthd, count);
            continue;
        }
        for (uint32_t k = 0; k < count && i < n_dw; k++) {
            scan_method(chipset, subc, mthd, word(at + 4 * i++));
            mthd += op == 1 || (op == 5 && k == 0) ? 4 : 0;
        }
    }
}

static uint32_t chipset_now;

static gpucmd_status find(void *user, uint32_t channel, uint32_t handle, gpucmd_nv_object *object)
{
    (void)user;
    (void)channel;
    object->class_id = class_of(handle, chipset_now);
    object->va = handle == 0xbeef1e00   ? NOTIFIER
                 : handle == 0xbeef0301 ? NOTIFIER + 0x1000
                 : handle == 0xbeef0351 ? NOTIFIER + 0x2000
                                        : 0;
    object->bytes = VRAM_BYTES;
    return GPUCMD_OK;
}

/* Methods that the model stores but cannot perform: events of one word, with va 0. */
static unsigned refused;

/* Accept methods of engines without an engine model, and of software objects. */
static gpucmd_status accept(void *user, const gpucmd_event *event)
{
    ++*(unsigned *)user;
    /* the captures lack the QMDs of launches, method 0x2bc of compute classes */
    if (event->kind == GPUCMD_EVENT_METHODS && event->va == 0 &&
        (event->unit != 1 || event->addr != 0x2bc)) {
        refused++;
        printf("    subchannel %u, method %x, %x: not done\n", (unsigned)event->unit,
               (unsigned)event->addr, (unsigned)event->data[0]);
    }
    return GPUCMD_OK;
}

/* Run the segment at va. */
static gpucmd_run run_segment(uint64_t va, uint32_t n_dw)
{
    const bool ib = ch.chip >= GPUCMD_NV_CHIP_G80;
    if (ch.chip >= GPUCMD_NV_CHIP_GF100) {
        ch.pbdma.gp_get = 0;
        ch.pbdma.gp_put = 1;
    } else if (ib) {
        ch.pusher.ib_get = 0;
        ch.pusher.ib_put = 1;
    } else {
        ch.pusher.dma_get = RING;
        ch.pusher.dma_put = RING + 4;
    }
    gpucmd_store32(vram + RING, (uint32_t)va | (ib ? 0 : 2), GPUCMD_LITTLE_ENDIAN); /* or CALL */
    gpucmd_store32(vram + RING + 4, n_dw << 10, GPUCMD_LITTLE_ENDIAN);
    return gpucmd_nv_channel_run(&ch, &env, 10000000);
}

static void start(gpucmd_nv_chip chip)
{
    static gpucmd_region region;
    static unsigned events;
    memset(vram, 0, VRAM_BYTES);
    memset(&want, 0, sizeof want);
    region.va = 0;
    region.bytes = VRAM_BYTES;
    region.host = vram;
    region.access_mask = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
    CHECK(gpucmd_mem_init(&mem, &region, 1) == GPUCMD_OK);
    gpucmd_nv_card_init(&card);
    gpucmd_env_init(&env, &mem, NULL, NULL);
    card.object = find;
    env.event = accept;
    env.user = &events;
    card.software = accept;
    card.software_user = &events;
    card.clock_ns = 5;
    CHECK(gpucmd_nv_channel_init(&ch, chip, &card) == GPUCMD_OK);
    ch.id = 1;
    ch.pbdma.gp_base = RING;
    ch.pbdma.limit2 = 1;
    ch.pusher.ib_enable = chip >= GPUCMD_NV_CHIP_G80;
    ch.pusher.ib_address = RING;
    ch.pusher.ib_order = 1;
}

/* What each folder asks for, counted once more by searching its files for the headers of these
 * methods: fences and reports in all; NV30 queries. fence: the place that the driver waits for and
 * the last value there, which counts up from 1. report: places of the other reports, all of value
 * 1. pixel: where gl_mix clears to (.2, .4, .6, .8), bytes 33 66 99 cc, on NV30 in the order BGRA,
 * and gles2_tri to (.5, .5, .75, 1). */
static const struct capture {
    const char *name;
    uint32_t chipset, asked, queries, fence_va, fence, report[3], pixel;
} captures[] = {
    {"gl_mix-nv30",     0x30,  7,  3, NOTIFIER,  7, {0, 0, 0},                         0x140d000},
    {"gl_mix-nv50",     0x50,  10, 0, 0x1209000, 7, {0x170e000, 0x1911010, 0x1911000}, 0x16f5000},
    {"gl_mix-gf100",    0xc0,  11, 0, 0x1241000, 8, {0x23ba000, 0x25c1010, 0x25c1000}, 0x23a1000},
    {"gl_mix-tu102",    0x162, 11, 0, 0x1241000, 8, {0x269a000, 0x28a1010, 0x28a1000}, 0x2681000},
    {"gles2_tri-nv40",  0x40,  5,  0, NOTIFIER,  5, {0, 0, 0},                         0x140d000},
    {"gles2_tri-nv50",  0x50,  7,  0, 0x1209000, 7, {0, 0, 0},                         0        },
    {"gles2_tri-gf100", 0xc0,  7,  0, 0x1241000, 7, {0, 0, 0},                         0        },
    {"gles2_tri-gk104", 0xe4,  7,  0, 0x1241000, 7, {0, 0, 0},                         0        },
    {"gles2_tri-gm107", 0x117, 7,  0, 0x1241000, 7, {0, 0, 0},                         0        },
    {"gles2_tri-gp102", 0x132, 7,  0, 0x1241000, 7, {0, 0, 0},                         0        },
    {"gles2_tri-tu102", 0x162, 7,  0, 0x1241000, 7, {0, 0, 0},                         0        },
};

/* Execute all files of one folder, in order. */
static void folder(const struct capture *c)
{
    const char *name = c->name;
    const uint32_t chipset = c->chipset;
    unsigned places = 1;
    char path[200];
    char line[400];
    gpucmd_nv_chip chip = GPUCMD_NV_CHIP_NV1;
    FILE *index;
    CHECK(gpucmd_nv_chip_from_id(chipset, &chip) == GPUCMD_OK);
    chipset_now = chipset;
    start(chip);
    snprintf(path, sizeof path, CAPTURES "%s/index.tsv", name);
    index = fopen(path, "r");
    if (!CHECK(index != NULL)) {
        return;
    }
    while (fgets(line, sizeof line, index) != NULL) {
        char file[40];
        unsigned long va, bytes;
        FILE *f;
        if (sscanf(line, "%39s %*s %*s %*s %lx %lu", file, &va, &bytes) != 3) {
            continue; /* the first line */
        }
        snprintf(path, sizeof path, CAPTURES "%s/%s", name, file);
        f = fopen(path, "rb");
        if (CHECK(f != NULL && va + bytes <= VRAM_BYTES)) {
            CHECK(fread(vram + va, 1, bytes, f) == bytes);
            scan(chipset, vram + va, bytes / 4);
            if (!CHECK(run_segment(va, (uint32_t)(bytes / 4)) == GPUCMD_RUN_IDLE)) {
                printf("    %s: intr %x, error %s, fault %d\n", path, (unsigned)ch.pbdma.intr,
                       gpucmd_nv_host_error_name(ch.puller.error), (int)ch.puller.fault);
            }
        }
        if (f != NULL) {
            fclose(f);
        }
        for (unsigned i = 0; i < want.places; i++) {
            EQUAL(word(vram + want.va[i]), want.value[i]);
        }
    }
    fclose(index);
    EQUAL(word(vram + c->fence_va), c->fence);
    for (unsigned i = 0; i < 3 && c->report[i] != 0; i++, places++) {
        EQUAL(word(vram + c->report[i]), 1);
    }
    if (!EQUAL(want.asked, c->asked) || !EQUAL(want.places, places) ||
        !EQUAL(want.queries, c->queries)) {
        printf("    in %s\n", name);
    }
    if (c->pixel != 0) {
        EQUAL(word(vram + c->pixel), chipset < 0x40   ? 0xcc336699
                                     : chipset < 0x50 ? 0xff8080bf
                                                      : 0xcc996633);
    }
    CHECK(c->queries == 0 || card.clock_ns > 5);
    EQUAL(refused, 0); /* every clear, copy, blit, upload and report was done */
}

/* Use the writer of test.h, so that the compiler does not report it as unused. */
static void shapes(void)
{
    EMITS(WORDS(0), gpucmd_nv_emit_nop(&w));
}

int main(void)
{
    vram = (uint8_t *)malloc(VRAM_BYTES);
    if (vram == NULL) {
        return 1;
    }
    for (size_t i = 0; i < sizeof captures / sizeof captures[0]; i++) {
        folder(&captures[i]);
    }
    shapes();
    free(vram);
    return test_report("nv_fences");
}

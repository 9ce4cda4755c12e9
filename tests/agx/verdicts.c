/* agx/verdicts.c - which check of a command stream fails first, and where: random streams, mostly
 * valid with a few errors, compared with a second implementation of the checks of the driver. */
#include "gpucmd_agx.h"
#include "agx/agx.h"

/* The checks, in the order of the fact sheet. */
typedef struct verdict {
    gpucmd_agx_rule rule;
    int command;
    size_t off_bytes;
    unsigned counts[2]; /* renders, computes */
} verdict;

static uint64_t number(const uint8_t *p, unsigned bytes)
{
    uint64_t v = 0;
    while (bytes-- != 0) {
        v = v << 8 | p[bytes];
    }
    return v;
}

/* Object 1 has 16 bytes, object 2 more than any offset reaches; there is no other. */
static bool object_bytes(void *user, uint32_t handle, uint64_t *bytes)
{
    (void)user;
    *bytes = handle == 1 ? 16 : (uint64_t)1 << 40;
    return handle == 1 || handle == 2;
}

static gpucmd_agx_rule stamps(const uint8_t *p, unsigned count)
{
    for (; count-- != 0; p += 8) {
        const uint64_t handle = number(p, 4);
        const uint64_t end = number(p + 4, 4) + 8;
        if (handle == 0) {
            continue;
        }
        if (handle > 2) {
            return GPUCMD_AGX_RULE_TIMESTAMP_UNKNOWN;
        }
        if (end > 0xffffffff) {
            return GPUCMD_AGX_RULE_TIMESTAMP_OVERFLOW;
        }
        if (handle == 1 && end > 16) {
            return GPUCMD_AGX_RULE_TIMESTAMP_RANGE;
        }
    }
    return GPUCMD_AGX_RULE_NONE;
}

static gpucmd_agx_rule render(const uint8_t *p)
{
    const uint64_t width = number(p + 148, 2), height = number(p + 150, 2),
                   layers = number(p + 152, 2);
    const unsigned uw = p[156], uh = p[157], samples = p[158];
    if ((number(p, 4) & ~(uint64_t)0x40007) != 0) {
        return GPUCMD_AGX_RULE_RENDER_FLAGS;
    }
    if (width < 1 || width > 16384 || height < 1 || height > 16384) {
        return GPUCMD_AGX_RULE_RENDER_SIZE;
    }
    const gpucmd_agx_rule rule = stamps(p + 208, 4);
    if (rule != GPUCMD_AGX_RULE_NONE) {
        return rule;
    }
    if (layers < 1 || layers > 2048) {
        return GPUCMD_AGX_RULE_RENDER_LAYERS;
    }
    if (!((uw == 32 && uh == 32) || (uw == 32 && uh == 16) || (uw == 16 && uh == 16))) {
        return GPUCMD_AGX_RULE_RENDER_UTILE;
    }
    return samples == 1 || samples == 2 || samples == 4 ? GPUCMD_AGX_RULE_NONE
                                                        : GPUCMD_AGX_RULE_RENDER_SAMPLES;
}

static gpucmd_agx_rule hardware(const uint8_t *p, size_t size, size_t left, unsigned type)
{
    const size_t known = type == 0 ? 240 : 64;
    uint8_t full[240];
    if (size > left) {
        return GPUCMD_AGX_RULE_PAYLOAD_TRUNCATED;
    }
    for (size_t i = known; i < size; i++) {
        if (p[i] != 0) {
            return GPUCMD_AGX_RULE_PAYLOAD_TAIL;
        }
    }
    memset(full, 0, sizeof full);
    memcpy(full, p, size < known ? size : known);
    if (type == 0) {
        return render(full);
    }
    return number(full, 4) != 0 ? GPUCMD_AGX_RULE_COMPUTE_FLAGS : stamps(full + 48, 2);
}

static gpucmd_agx_rule software(const uint8_t *p, size_t size, size_t left)
{
    if (size / 24 > 16) {
        return GPUCMD_AGX_RULE_ATTACHMENT_COUNT;
    }
    if (size % 24 != 0) {
        return GPUCMD_AGX_RULE_ATTACHMENT_LENGTH;
    }
    if (size > left) {
        return GPUCMD_AGX_RULE_PAYLOAD_TRUNCATED;
    }
    for (; size != 0; size -= 24, p += 24) {
        if (number(p + 16, 8) != 0) {
            return GPUCMD_AGX_RULE_ATTACHMENT_PAD;
        }
        if (number(p + 8, 8) > 0x7fffffff80u) { /* 2^32 - 1 lines of 128 bytes */
            return GPUCMD_AGX_RULE_ATTACHMENT_BYTES;
        }
    }
    return GPUCMD_AGX_RULE_NONE;
}

static verdict judge(const uint8_t *b, size_t n)
{
    verdict v = {
        GPUCMD_AGX_RULE_NONE,
        0,
        0,
        {0, 0}
    };
    unsigned hard = 0;
    for (; v.off_bytes < n; v.command++) {
        if (n - v.off_bytes < 8) {
            v.rule = GPUCMD_AGX_RULE_HEADER_TRUNCATED;
            return v;
        }
        hard += number(b + v.off_bytes, 2) <= 1;
        v.off_bytes += 8 + (size_t)number(b + v.off_bytes + 2, 2);
    }
    v.off_bytes = 0;
    if (hard < 1 || hard > 64) {
        v.rule = GPUCMD_AGX_RULE_COMMAND_COUNT;
        v.command = -1;
        return v;
    }
    for (v.command = 0; v.off_bytes < n; v.command++) {
        const uint8_t *h = b + v.off_bytes;
        const unsigned type = (unsigned)number(h, 2);
        const uint64_t vdm = number(h + 4, 2), cdm = number(h + 6, 2);
        const size_t size = (size_t)number(h + 2, 2), left = n - v.off_bytes - 8;
        v.rule = type >= 2 && type <= 4 && (vdm != 0xffff || cdm != 0xffff)
                     ? GPUCMD_AGX_RULE_SOFTWARE_BARRIER
                 : vdm != 0xffff && vdm > v.counts[0] ? GPUCMD_AGX_RULE_VDM_BARRIER
                 : cdm != 0xffff && cdm > v.counts[1] ? GPUCMD_AGX_RULE_CDM_BARRIER
                 : type <= 1                          ? hardware(h + 8, size, left, type)
                 : type <= 4                          ? software(h + 8, size, left)
                                                      : GPUCMD_AGX_RULE_COMMAND_UNKNOWN;
        if (v.rule != GPUCMD_AGX_RULE_NONE) {
            return v;
        }
        v.counts[type & 1] += type <= 1;
        v.off_bytes += 8 + size;
    }
    v.command = -1;
    v.off_bytes = 0;
    return v;
}

/* ---- streams ---- */

static uint8_t stream[40000];
static size_t stream_bytes;

static void put(size_t at, uint64_t v, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        stream[at + i] = (uint8_t)(v >> 8 * i);
    }
}

/* Return usual; in one of odds cases, return one of others. */
static uint64_t pick(unsigned odds, uint64_t usual, const uint64_t *others, unsigned count)
{
    return test_random(odds) != 0 ? usual : others[test_random(count)];
}

#define PICK(odds, usual, ...)                                                                     \
    pick((odds), (usual), (const uint64_t[]){__VA_ARGS__},                                         \
         sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

static void put_stamps(size_t at, unsigned count, unsigned odds)
{
    for (; count-- != 0; at += 8) {
        put(at, PICK(odds, 0, 1, 2, 3), 4);
        put(at + 4, PICK(odds, 0, 1, 8, 9, 0xfffffff7, 0xfffffff8), 4);
    }
}

static void one_command(unsigned odds, const unsigned *counts)
{
    const unsigned type = (unsigned)PICK(4, test_random(2), 2, 3, 4, 2, 3, 4, 5, 0x0100);
    const size_t at = stream_bytes;
    const size_t p = at + 8;
    size_t size;
    memset(stream + at, 0, 700);
    if (type == 0) {
        size = (size_t)PICK(odds, 240, 160, 152, 156, 159, 212, 248, 0, 8);
        put(p, PICK(odds, 7, 0x40000, 8, 0x80000, 0x80000000), 4);
        put(p + 148, PICK(odds, 1920, 0, 1, 16384, 16385, 65535), 2);
        put(p + 150, PICK(odds, 1080, 0, 1, 16384, 16385, 65535), 2);
        put(p + 152, PICK(odds, 1, 0, 2048, 2049, 65535), 2);
        put(p + 156, PICK(odds, 32, 16, 0, 64), 1);
        put(p + 157, PICK(odds, 32, 16, 0, 64), 1);
        put(p + 158, PICK(odds, 1, 0, 2, 3, 4, 5, 9, 255), 1);
        put_stamps(p + 208, 4, odds / 5);
    } else if (type == 1) {
        size = (size_t)PICK(odds, 64, 24, 0, 52, 61, 72);
        put(p, PICK(odds, 0, 1, 0x80000000), 4);
        put_stamps(p + 48, 2, odds / 5);
    } else {
        size = 24 * (size_t)PICK(odds, test_random(3), 16, 17) + (size_t)PICK(odds, 0, 1, 8, 23);
        put(p + 8, PICK(odds, 128, 0x7fffffff80, 0x7fffffff81, ~(uint64_t)0), 8);
        put(p + 16, PICK(odds, 0, 1, 0x80000000), 4);
        put(p + 20, PICK(odds, 0, 1, 0x80000000), 4);
    }
    const size_t known = type == 0 ? 240 : 64; /* bytes after it must be zero */
    if (type <= 1 && size > known && test_random(2) != 0) {
        stream[p + known + test_random((uint32_t)(size - known))] = 1;
    }
    put(at, type, 2);
    put(at + 2, size, 2);
    const bool none = type > 1 && test_random(odds) != 0;
    put(at + 4,
        none ? 0xffff : PICK(odds, test_random(counts[0] + 1), 0xffff, counts[0] + 1, 0xfffe), 2);
    put(at + 6,
        none ? 0xffff : PICK(odds, test_random(counts[1] + 1), 0xffff, counts[1] + 1, 0xfffe), 2);
    stream_bytes += 8 + size;
}

static unsigned seen[1024]; /* how often each rule was the first */

int main(void)
{
    const gpucmd_agx_objects objects = {object_bytes, NULL, GPUCMD_AGX_BEHAVIOR_TEXT};
    for (unsigned round = 0; round < 60000; round++) {
        const unsigned odds = round % 2 != 0 ? 20 : 100;
        const unsigned commands = round % 100 == 0 ? 60 + test_random(8) : 1 + test_random(5);
        unsigned counts[2] = {0, 0};
        gpucmd_agx_finding f;
        gpucmd_agx_job job;
        gpucmd_agx_job_init(&job);
        stream_bytes = 0;
        for (unsigned i = 0; i < commands; i++) {
            const size_t at = stream_bytes;
            one_command(odds, counts);
            if (number(stream + at, 2) <= 1) {
                counts[number(stream + at, 2)]++;
            }
        }
        if (test_random(10) == 0) {
            stream_bytes -= test_random(stream_bytes < 40 ? (uint32_t)stream_bytes : 40);
        }
        const verdict want = judge(stream, stream_bytes);
        const gpucmd_status status =
            gpucmd_agx_parse_stream(stream, stream_bytes, &objects, &job, &f);
        const bool good =
            status == (want.rule == GPUCMD_AGX_RULE_NONE ? GPUCMD_OK : GPUCMD_INVALID) &&
            f.rule == want.rule && f.command == want.command && f.at_bytes == want.off_bytes &&
            (want.rule != GPUCMD_AGX_RULE_NONE ||
             (job.renders == want.counts[0] && job.computes == want.counts[1]));
        if (!CHECK(good)) {
            printf("    %s at %d, 0x%x; expected %s at %d, 0x%zx\n", gpucmd_agx_rule_name(f.rule),
                   (int)f.command, (unsigned)f.at_bytes, gpucmd_agx_rule_name(want.rule),
                   want.command, want.off_bytes);
        }
        seen[want.rule]++;
    }
    /* none of the checks was left out */
    for (unsigned rule = GPUCMD_AGX_RULE_HEADER_TRUNCATED; rule <= GPUCMD_AGX_RULE_COMMAND_UNKNOWN;
         rule++) {
        if (!CHECK(seen[rule] >= 10)) {
            printf("    %s\n", gpucmd_agx_rule_name((gpucmd_agx_rule)rule));
        }
    }
    CHECK(seen[GPUCMD_AGX_RULE_NONE] >= 1000);
    return test_report("agx_verdicts");
}

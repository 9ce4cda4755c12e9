/* The order of a submission as the GPU sees it: barriers and the doorbell are replaced by functions
 * that record the ring and USERD. [facts 7.6: words, entry, store barrier, GP_PUT, full
 * barrier, doorbell] */
#include <stdint.h>

static void see(char what);
#define GPUCMD_BARRIER_WRITE() see('w')
#define GPUCMD_BARRIER_FULL()  see('f')
#define GPUCMD_BARRIER_MMIO()  see('m')
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"
#include "test.h"

static uint64_t ring[4];
static uint32_t userd[1024];
static struct {
    char what;
    uint64_t entry[4];
    uint32_t put;
    uint32_t token;
} seen[16];
static unsigned count;
static uint32_t rung;

static void see(char what)
{
    if (count < 16) {
        seen[count].what = what;
        for (unsigned i = 0; i < 4; i++) {
            seen[count].entry[i] = gpucmd_load64(&ring[i], GPUCMD_LITTLE_ENDIAN);
        }
        seen[count].put = gpucmd_load32(&userd[0x8c / 4], GPUCMD_LITTLE_ENDIAN);
        seen[count].token = rung;
    }
    count++;
}

static void doorbell(void *user, uint64_t off_bytes, uint32_t v)
{
    (void)user;
    EQUAL(off_bytes, 0x90);
    rung = v;
    see('d');
}

static uint32_t nothing(void *user, uint64_t off_bytes)
{
    (void)user;
    (void)off_bytes;
    return 0;
}

static void expect(unsigned at, char what, uint64_t entry0, uint64_t entry1, uint32_t put,
                   uint32_t token)
{
    EQUAL(seen[at].what, what);
    EQUAL(seen[at].entry[0], entry0);
    EQUAL(seen[at].entry[1], entry1);
    EQUAL(seen[at].put, put);
    EQUAL(seen[at].token, token);
}

int main(void)
{
    const gpucmd_mmio mmio = {nothing, doorbell, NULL};
    gpucmd_nvgpu_channel c;
    gpucmd_nv_gpfifo q;
    static uint32_t page[0x94 / 4];
    memset(&c, 0, sizeof c);
    c.ring_cpu = ring;
    c.userd_cpu = userd;
    c.entries = 4;
    c.token = 0x1ff;
    gpucmd_nvgpu_gpfifo_init(&q, &c, NULL, &mmio);
    EQUAL(gpucmd_nvgpu_submit(&q, 0x100200000, 16, GPUCMD_NV_ENTRY_SUBROUTINE), GPUCMD_OK);
    EQUAL(count, 3);
    expect(0, 'w', 0x0000420100200000, 0, 0, 0); /* the entry is there, GP_PUT is old */
    expect(1, 'f', 0x0000420100200000, 0, 1, 0); /* GP_PUT is there, the doorbell silent */
    expect(2, 'd', 0x0000420100200000, 0, 1, 0x1ff);
    /* Two entries and one kick: GP_PUT and doorbell are not written before it. */
    count = 0;
    rung = 0;
    EQUAL(gpucmd_nv_gpfifo_push(&q, 0x200000, 1, 0), GPUCMD_OK);
    EQUAL(gpucmd_nv_gpfifo_push(&q, 0x200004, 2, 0), GPUCMD_OK);
    EQUAL(count, 0);
    EQUAL(userd[0x8c / 4], gpucmd_load32("\1\0\0\0", gpucmd_cpu_endian()));
    gpucmd_nv_gpfifo_submit(&q);
    EQUAL(count, 3);
    expect(0, 'w', 0x0000420100200000, 0x0000040000200000, 1, 0);
    expect(1, 'f', 0x0000420100200000, 0x0000040000200000, 3, 0);
    expect(2, 'd', 0x0000420100200000, 0x0000040000200000, 3, 0x1ff);
    EQUAL(seen[0].entry[2], 0x0000080000200004);
    /* A mapped doorbell page: one little-endian 32-bit store at 0x90, after the full barrier. */
    gpucmd_store32(&userd[0x88 / 4], 3, GPUCMD_LITTLE_ENDIAN);
    gpucmd_nvgpu_gpfifo_init(&q, &c, page, NULL);
    q.put = 3;
    q.submitted = 3;
    count = 0;
    EQUAL(gpucmd_nvgpu_submit(&q, 0x200000, 1, 0), GPUCMD_OK);
    EQUAL(count, 2);
    EQUAL(seen[0].what, 'w');
    EQUAL(seen[0].put, 3);
    EQUAL(seen[1].what, 'f');
    EQUAL(seen[1].put, 0);
    EQUAL(gpucmd_load32(&page[0x90 / 4], GPUCMD_LITTLE_ENDIAN), 0x1ff);
    for (unsigned i = 0; i < 0x90 / 4; i++) {
        EQUAL(page[i], 0);
    }
    /* A full barrier follows the successful poll of a semaphore. */
    static uint32_t sem[2];
    count = 0;
    q.wait.max_tries = 2;
    gpucmd_store32(&sem[0], 4, GPUCMD_LITTLE_ENDIAN);
    EQUAL(gpucmd_nvgpu_wait_sem(&q, sem, 5), GPUCMD_LIMIT);
    EQUAL(count, 0);
    EQUAL(gpucmd_nvgpu_wait_sem(&q, sem, 4), GPUCMD_OK);
    EQUAL(count, 1);
    EQUAL(seen[0].what, 'f');
    /* A full ring or a rejected segment writes nothing. */
    count = 0;
    q.get = 1;
    q.put = 0;
    q.wait.max_tries = 2;
    gpucmd_store32(&userd[0x88 / 4], 1, GPUCMD_LITTLE_ENDIAN);
    EQUAL(gpucmd_nvgpu_submit(&q, 0x200000, 1, 0), GPUCMD_LIMIT);
    EQUAL(gpucmd_nvgpu_submit(&q, 0x200001, 1, 0), GPUCMD_ALIGN);
    EQUAL(count, 0);
    return test_report("nv_nvgpu_order");
}

/* nv/nouveau_refused.c - failures at every place of the model kernel of nouveau: tables with few rows,
 * memory of a process that ends at each byte, objects without memory. A refused ioctl changes nothing,
 * and afterwards the file can be closed and all tables are empty. */
/* suite: kernel */
#include "gpucmd_nv.h"
#include "test.h"

#include "nv/nouveau.h"

#define ARG    0x7f0000001000u
#define OPS    0x7f0000003000u
#define WAITS  0x7f0000004000u
#define SIGS   0x7f0000005000u
#define PUSHES 0x7f0000006000u

/* The script of a client with a VM, and of one with the old interface: request, then words. */
typedef struct step {
    uint32_t request;
    uint32_t count;
    uint32_t dw[22];
} step;

static const step vm_steps[] = {
    {0xc0106450, 4,  {0, 0x80, 0, 0x80}                                               },
    {0xc0306480, 12, {0, 0x2c, 0x10000, 0, 0, 0, 0, 0, 0, 0, 0, 0x1000}               },
    {0xc0306480, 12, {0, 2, 0x200000, 0, 0, 0, 0, 0, 0, 0, 0, 0}                      },
    {0xc00864bf, 2,  {0, 1}                                                           },
    {0xc00864bf, 2,  {0, 0}                                                           },
    {0xc0286451, 10, {2, 0, 0, 0, 0, 0, 0, 0, 0x3000, 0x7f00}                         },
    {0xc0286451, 10, {2, 1, 1, 2, 0x4000, 0x7f00, 0x5000, 0x7f00, 0x3000, 0x7f00}     },
    {0xc0586442, 22, {0xffffffff, 1}                                                  },
    {0x40486447, 18, {0x200, 0xff0000, 0, 0, 0, 0, 0, 0, 0, 0, 0x1234, 0, 0, 0x80}    },
    {0x40386447, 14, {0x200, 0xff000000, 3, 0, 0, 0, 0, 0, 0, 0, 0x5678, 0, 1, 0xc597}},
    {0x400c6444, 3,  {3, 2, 0x902d}                                                   },
    {0xc0286452, 10, {3, 2, 1, 2, 0x4000, 0x7f00, 0x5000, 0x7f00, 0x6000, 0x7f00}     },
    {0xc0286452, 10, {3, 0, 0, 2, 0x4000, 0x7f00, 0x5000, 0x7f00, 0x6000, 0x7f00}     },
    {0xc0106440, 4,  {0x11, 0, 0, 0}                                                  },
    {0x40046443, 1,  {3}                                                              },
};

static const step old_steps[] = {
    {0xc0586442, 22, {0xbeef0201, 0xbeef0202}                                    },
    {0xc0306480, 12, {0, 4, 0x1000, 0, 0, 0, 0, 0, 0, 0, 0, 0}                   },
    {0xc0306480, 12, {0, 4, 0x1000, 0, 0, 0, 0, 0, 0, 0, 0, 0}                   },
    {0xc0106445, 4,  {1, 0xbeef0301, 0x20, 0}                                    },
    {0x400c6444, 3,  {1, 5, 0x4097}                                              },
    {0xc0406481, 16, {1, 2, 0x3000, 0x7f00, 1, 1, 0x5000, 0x7f00, 0x6000, 0x7f00}},
    {0xc0406481, 16, {1, 2, 0x3000, 0x7f00, 0, 2, 0x5000, 0x7f00, 0x6000, 0x7f00}},
    {0x40086482, 2,  {2, 4}                                                      },
    {0x40086446, 2,  {1, 5}                                                      },
    {0x40086409, 2,  {2, 0}                                                      },
};

/* Arrays of the scripts. */
static void arrays(bool old)
{
    static const uint32_t ops[] = {0, 0x100, 0, 0, 0x2000000, 0, 0, 0, 0x200000, 0,
                                   0, 0,     1, 0, 0x1000000, 0, 0, 0, 0x10000,  0};
    static const uint32_t wait[] = {0, 1, 0, 0}, sigs[] = {0, 2, 0, 0, 1, 1, 7, 0};
    static const uint32_t pushes[] = {0x1000000, 0, 0, 0, 0x1000000, 0, 0, 0};
    static const uint32_t buffers[] = {0, 0, 2, 4, 4, 4, 0, 0, 0, 0, 0, 0, 3, 4, 0, 4, 0, 0, 0, 0};
    static const uint32_t reloc[] = {0, 0x40, 1, 1, 0, 0, 0};
    static const uint32_t segments[] = {0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 4, 0};
    if (old) {
        nouveau_put(OPS, buffers, 20);
        nouveau_put(SIGS, reloc, 7);
        nouveau_put(PUSHES, segments, 12);
    } else {
        nouveau_put(OPS, ops, 20);
        nouveau_put(WAITS, wait, 4);
        nouveau_put(SIGS, sigs, 8);
        nouveau_put(PUSHES, pushes, 8);
    }
}

/* Do a step. Return its errno; a failure must not have changed anything. */
static int do_step(const step *s)
{
    nouveau_put(ARG, s->dw, s->count);
    const uint64_t before = nouveau_state();
    const int result = gpucmd_nouveau_kernel_ioctl(&k, s->request, ARG);
    CHECK(result == 0 || nouveau_state() == before);
    return -result;
}

static size_t steps_of(bool old, const step **steps)
{
    *steps = old ? old_steps : vm_steps;
    return old ? sizeof old_steps / sizeof old_steps[0] : sizeof vm_steps / sizeof vm_steps[0];
}

static void open_file(bool old)
{
    CHECK(nouveau_open(old ? GPUCMD_NV_CHIP_NV40 : GPUCMD_NV_CHIP_TU102));
    arrays(old);
}

static void close_file(void)
{
    gpucmd_nouveau_kernel_close(&k);
    CHECK(nouveau_is_empty());
}

/* All steps succeed. */
static void whole(bool old)
{
    const step *steps;
    const size_t count = steps_of(old, &steps);
    open_file(old);
    for (size_t i = 0; i < count; i++) {
        if (old && i == 6) { /* the buffer has moved */
            arrays(old);
        }
        /* the second VM_BIND finds the region of the first */
        EQUAL(do_step(&steps[i]), !old && i == 6 ? 28 : 0);
    }
    close_file();
}

/* Each table in turn with few rows: the ioctl that needs more returns ENOMEM and names the table. */
static void small_tables(bool old)
{
    const step *steps;
    const size_t count = steps_of(old, &steps);
    unsigned refused = 0;
    for (uint32_t table = 1; table <= GPUCMD_NOUVEAU_TABLE_POINTS; table++) {
        for (uint32_t rows = 1; rows <= 12; rows++) {
            gpucmd_nouveau_tables t = nouveau_tables;
            open_file(old);
            uint32_t at = 1;
            t = nouveau_tables;
#define SHRINK(name, member, n, type, store)                                                       \
    if (at++ == table && rows < t.n) {                                                             \
        t.n = rows;                                                                                \
    }
            GPUCMD_NOUVEAU_TABLES(SHRINK)
#undef SHRINK
            EQUAL(gpucmd_nouveau_kernel_init(&k, &nouveau_gpu, &t), GPUCMD_OK);
            k.process = &nouveau_process;
            for (size_t i = 0; i < count; i++) {
                const int err = do_step(&steps[i]);
                if ((err == 12 || err == 28) && k.table != GPUCMD_NOUVEAU_TABLE_NONE) {
                    EQUAL(k.table, table);
                    refused++;
                }
            }
            close_file();
        }
    }
    CHECK(refused > 30);
}

/* The memory of the process ends at each word of the arrays in turn: EFAULT, and nothing changes. */
static void holes(bool old)
{
    static const uint32_t begins[] = {0x1000, 0x3000, 0x4000, 0x5000, 0x6000};
    const step *steps;
    const size_t count = steps_of(old, &steps);
    unsigned refused = 0;
    for (size_t hole = 0; hole < sizeof begins / sizeof begins[0]; hole++) {
        for (uint32_t at = 0; at < 88; at += 4) {
            gpucmd_region regions[2];
            open_file(old);
            regions[0] = nouveau_region;
            regions[0].bytes = begins[hole] + at;
            regions[1] = nouveau_region;
            regions[1].va += begins[hole] + 0x800;
            regions[1].host = nouveau_user + begins[hole] + 0x800;
            regions[1].bytes = sizeof nouveau_user - begins[hole] - 0x800;
            EQUAL(gpucmd_mem_init(&nouveau_process, regions, 2), GPUCMD_OK);
            for (size_t i = 0; i < count; i++) {
                refused += do_step(&steps[i]) == 14;
            }
            close_file();
        }
    }
    CHECK(refused > 100);
}

/* Each object in turn gets no memory. */
static void poor(bool old)
{
    const step *steps;
    const size_t count = steps_of(old, &steps);
    for (size_t without = 0; without < count; without++) {
        open_file(old);
        for (size_t i = 0; i < count; i++) {
            nouveau_poor = i == without;
            const int err = do_step(&steps[i]);
            if (i == without &&
                (steps[i].request == 0xc0306480 || steps[i].request == 0xc0586442)) {
                EQUAL(err, 12);
            }
        }
        close_file();
    }
}

int main(void)
{
    EQUAL(sizeof(struct gpucmd_drm_nouveau_exec), 40);
    if (gpucmd_cpu_endian() == GPUCMD_BIG_ENDIAN) {
        return test_report(
            "nv/nouveau_refused"); /* arguments are written as words, the lower one first */
    }
    for (int old = 0; old < 2; old++) {
        whole(old != 0);
        small_tables(old != 0);
        holes(old != 0);
        poor(old != 0);
    }
    return test_report("nv/nouveau_refused");
}

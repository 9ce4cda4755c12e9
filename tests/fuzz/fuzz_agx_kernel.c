/* fuzz_agx_kernel.c - hostile clients of the model kernel: sequences of ioctls with any arguments
 * and any user memory, and steps of the executor between them. No call may crash or hang, and a
 * refused call changes nothing (agx/refused.h). After everything is closed, all tables must be empty.
 * Operation 255 hides free rows of a table. In calls of a number from 128 on the memory of the user
 * and the argument change while they are read: SUBMIT reads each byte once. */
#include "gpucmd_agx.h"

#include "fuzz.h"

#include <stdio.h>

#define WORLD_ADDRESSES 96
#include "agx/world.h"
#include "agx/refused.h"

static world w;
static uint8_t backing[0x8000];
#ifdef FUZZ_ALIAS
#define user_memory backing
#else
static uint8_t user_memory[1024];
#endif

static bool compares; /* the state around this call */

/* Number of VM_BIND, which keeps the binds before the one that it refuses. */
enum { BIND_NR = GPUCMD_FIELD_GET(IOC_NR, GPUCMD_DRM_IOCTL_ASAHI_VM_BIND) };

/* Return an address, mostly made from one byte of input, so that ranges often overlap. */
static uint64_t address(input *in)
{
    const uint32_t v = take(in, 1);
    return v == 255 ? take(in, 4) : (uint64_t)v * 0x4000;
}

static int setup_call(input *in, uint32_t what)
{
    int result;
    struct gpucmd_drm_asahi_vm_create vm = {0x7000000000u, 0x7020000000u, 0, 0};
    struct gpucmd_drm_asahi_gem_create gem = {0x10000, 0, 0, 0, 0};
    struct gpucmd_drm_asahi_queue_create queue = {0, 0, 0, 0, 0};
    struct gpucmd_drm_asahi_gem_bind_object object = {0, 1, 0, 0, 0, 0x4000, 0, 0};
    switch (what) {
    case 0: return gpucmd_agx_kernel_vm_create(&w.k, &vm);
    case 1:
        gem.flags = take(in, 1);
        gem.vm_id = take(in, 1) & 3;
        result = gpucmd_agx_kernel_gem_create(&w.k, &gem);
        if (result == 0) {
            must(gpucmd_agx_kernel_back(&w.k, gem.handle, backing) == GPUCMD_OK);
            w.gems[gem.handle - 1].bytes = 0x8000; /* size of its memory */
        }
        return result;
    case 2:
        queue.vm_id = take(in, 1) & 3;
        queue.priority = take(in, 1) & 3;
        return gpucmd_agx_kernel_queue_create(&w.k, &queue);
    case 3: return (int)world_syncobj(&w.k);
    default:
        object.op = take(in, 1) & 3;
        object.flags = object.op == 0 ? 1 : 0;
        object.handle = object.op == 0 ? take(in, 1) & 7 : 0;
        object.range = object.op == 0 ? address(in) : 0;
        object.object_handle = take(in, 1) & 3;
        return gpucmd_agx_kernel_gem_bind_object(&w.k, &object);
    }
}

static int destroy_call(input *in, uint32_t what)
{
    const struct gpucmd_drm_asahi_vm_destroy vm = {take(in, 1) & 3, 0};
    const struct gpucmd_drm_asahi_queue_destroy queue = {vm.vm_id, 0};
    switch (what) {
    case 0: return gpucmd_agx_kernel_vm_destroy(&w.k, &vm);
    case 1: return gpucmd_agx_kernel_gem_close(&w.k, vm.vm_id);
    case 2: return gpucmd_agx_kernel_queue_destroy(&w.k, &queue);
    default: gpucmd_syncobj_release(&w.k.syncobjs, vm.vm_id); return 0;
    }
}

static int bind_call(input *in)
{
    struct gpucmd_drm_asahi_gem_bind_op op;
    const uint32_t vm = take(in, 1) & 3;
    op.flags = take(in, 1) & 15;
    op.handle = take(in, 1) & 7;
    op.offset = (uint64_t)(take(in, 1) & 3) * 0x4000;
    op.range = address(in);
    op.addr = address(in);
    if ((op.flags & 1) != 0) {
        op.flags = 1;
        op.handle = 0;
        op.offset = 0;
    }
    return -gpucmd_agx_rule_errno(gpucmd_agx_kernel_bind_op(&w.k, vm, &op));
}

/* Submit. User memory is filled from the input: first syncs, then a stream. */
static int submit_call(input *in, bool changes)
{
    int result;
    struct gpucmd_drm_asahi_submit s;
    memset(&s, 0, sizeof s);
    s.queue_id = take(in, 1) & 7;
    s.in_sync_count = take(in, 1) & 3;
    s.out_sync_count = take(in, 1) & 3;
    s.cmdbuf_size = take(in, 2) & 1023;
    s.syncs = 0x10000;
    s.cmdbuf = 0x10000 + 96;
    for (uint32_t i = 0; i < 6; i++) {
        const struct gpucmd_drm_asahi_sync sync = {take(in, 1) & 1, take(in, 1) & 7, take(in, 1)};
        gpucmd_layout_convert(gpucmd_agx_layout, GPUCMD_STRUCT_drm_asahi_sync, user_memory + 16 * i,
                              &sync, GPUCMD_LITTLE_ENDIAN);
    }
    for (uint32_t i = 96; i < 96 + s.cmdbuf_size && i < sizeof user_memory; i++) {
        user_memory[i] = (uint8_t)take(in, 1);
    }
    refused_save_memory(&w);
    if (!changes) {
        result = gpucmd_agx_kernel_submit(&w.k, &s);
        if (result != 0 && compares) {
            must(refused_same_submit(&w));
            refused_save(&w);
            must(gpucmd_agx_kernel_submit(&w.k, &s) == result && refused_same(&w));
        }
        return result;
    }
    flips_add(user_memory, sizeof user_memory);
    flips_arm(user_memory[96] * 0x01010101u);
    result = gpucmd_agx_kernel_submit(&w.k, &s);
    must(flips_disarm() == 0);
    must(result == 0 || !compares || refused_same_submit(&w));
    return result;
}

static int raw_call(input *in, bool changes)
{
    uint64_t arg[16], before[16];
    int result;
    uint32_t request = take(in, 4);
    for (size_t i = 0; i < 16; i++) {
        arg[i] = (uint64_t)take(in, 2) << (take(in, 1) & 31);
    }
    if ((request >> 16 & 0x3fff) > sizeof arg) {
        request &= 0xc07fffff;
    }
    if ((request >> 16 & 0x3fff) > sizeof arg) {
        return 0;
    }
    if (changes) {
        flips_add(user_memory, sizeof user_memory);
        flips_add(arg, sizeof arg);
        flips_arm(request);
    }
    memcpy(before, arg, sizeof before);
    result = gpucmd_agx_kernel_ioctl(&w.k, request, arg);
    (void)flips_disarm(); /* arrays may overlap, so a second read is not an error */
    if (result != 0 && compares && (request & 0xff) != BIND_NR) {
        refused_save_memory(&w);
        /* an argument that the kernel writes is written after a failure, too */
        must(refused_same_submit(&w) &&
             (changes || request >> 31 != 0 || memcmp(arg, before, sizeof arg) == 0));
    }
    return result;
}

static uint32_t hidden; /* first row of links that no list has */

/* Address of the link to the free row after the first `left` free rows of links. */
static uint32_t *free_link(uint32_t left)
{
    uint32_t *at = &w.k.exec.free_link;
    for (; left != 0 && *at != GPUCMD_AGX_NONE; left--) {
        at = &w.links[*at].next;
    }
    return at;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Leave a few free rows in points, fences, links or maps, as if the others were in use. */
static void hide_rows(uint32_t table, uint32_t left)
{
    if (table == 0) {
        w.k.syncobjs.point_cap = least(w.k.syncobjs.point_count + left, WORLD_COUNT(w.points));
    } else if (table == 1) {
        w.k.exec.fences.cap = least(w.k.exec.fences.count + left, WORLD_COUNT(w.fences));
    } else if (table == 3) {
        w.k.maps.cap = least(w.k.maps.count + left, WORLD_COUNT(w.maps));
    } else if (hidden == GPUCMD_AGX_NONE) {
        uint32_t *const at = free_link(left);
        hidden = *at;
        *at = GPUCMD_AGX_NONE;
    }
}

static void unhide_rows(void)
{
    *free_link(0xffffffff) = hidden;
    w.k.syncobjs.point_cap = WORLD_COUNT(w.points);
    w.k.exec.fences.cap = WORLD_COUNT(w.fences);
    w.k.maps.cap = WORLD_COUNT(w.maps);
}

static void fate(void *nothing, const gpucmd_agx_exec_job *job, uint32_t command,
                 gpucmd_agx_ring part, gpucmd_agx_fate *f)
{
    (void)nothing;
    f->duration = (job->number * 7 + command * 3 + (uint32_t)part) % 5;
    f->outcome =
        (job->number + command) % 11 == 10 ? GPUCMD_AGX_OUTCOME_FAULT : GPUCMD_AGX_OUTCOME_COMPLETE;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static gpucmd_region region;
    static gpucmd_mem mem;
    gpucmd_agx_deadlock arc;
    input in = {data, size};
    must(world_init(&w) == GPUCMD_OK);
    memset(user_memory, 0, sizeof user_memory);
    memset(backing, 0, sizeof backing);
    region.va = 0x10000;
    region.bytes = sizeof user_memory;
    region.host = user_memory;
    region.access_mask = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
    must(gpucmd_mem_init(&mem, &region, 1) == GPUCMD_OK);
    w.k.user = &mem;
    w.k.exec.fate = fate;
    hidden = GPUCMD_AGX_NONE;
    for (int calls = 0; calls < 400 && in.size != 0; calls++) {
        const uint32_t op = take(&in, 1);
        int result = 0;
        flips_clear();
        compares = refused_compares((unsigned)calls) && op % 8 != 7;
        if (compares) {
            refused_save(&w);
        }
        switch (op % 8) {
        case 0: result = setup_call(&in, op / 8 % 5); break;
        case 1: result = destroy_call(&in, op / 8 % 4); break;
        case 2:
        case 3: result = bind_call(&in); break;
        case 4:
        case 5: result = submit_call(&in, op >= 128); break;
        case 6: result = raw_call(&in, op >= 128); break;
        default:
            (void)gpucmd_agx_exec_run(&w.k.exec, NULL, op / 8);
            if (op == 255) {
                const uint32_t which = take(&in, 1);
                hide_rows(which % 4, which / 4 % 4);
            }
            break;
        }
        must(result > -600 && result < 100);
        must(result >= 0 || !compares || (op % 8 >= 4 && op % 8 <= 6) || refused_same(&w));
    }
    must(gpucmd_agx_exec_run(&w.k.exec, NULL, 100000) ==
         GPUCMD_RUN_IDLE); /* a deadlock is not possible */
    must(gpucmd_agx_exec_deadlock(&w.k.exec, &arc, 1) == 0);
    unhide_rows();
    must(world_tear_down(&w));
    return 0;
}

#ifndef FUZZ_NAME
#define FUZZ_NAME "fuzz_agx_kernel"
#endif
#include "fuzz_main.h"

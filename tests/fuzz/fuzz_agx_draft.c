/* fuzz_agx_draft.c - hostile calls to the model kernel of the draft UAPI, with two files that share
 * objects. Results must stay inside their buffers, a refused call changes nothing (agx/refused.h), and
 * all tables must be empty at the end. Two mappings of a 10006 VM must not be adjacent. If bit 7 of the
 * first byte is set, the memory of the user changes while it is read. */
#include "gpucmd_agx.h"

#include "fuzz.h"

#include <stdio.h>

#include "agx/world.h"
#include "agx/refused.h"

static world w;
static world other;
enum { USER_BYTES = 4096 };

static uint8_t backing[0x4000 + 16];
#ifdef FUZZ_ALIAS
#define user_memory backing
#else
static uint8_t user_memory[USER_BYTES];
#endif
static gpucmd_agx_dmabuf places[2];
static gpucmd_agx_draft draft;

static bool changes;
static unsigned calls_made; /* of call() */

static int call(uint32_t request, void *arg)
{
    int result;
    const bool compares = refused_compares(calls_made++);
    if (compares) {
        refused_save(&w);
    }
    flips_clear();
    if (changes) {
        flips_add(user_memory, USER_BYTES);
        flips_arm(user_memory[1024] * 0x01010101u);
    }
    result = gpucmd_agx_kernel_draft_ioctl(&w.k, draft, request, arg);
    (void)flips_disarm(); /* payloads may overlap, so a second read is not an error */
    if (result != 0 && compares) {
        if (changes) {
            refused_save_memory(&w);
        }
        must(request == GPUCMD_DRM_IOCTL_ASAHI_DRAFT_SUBMIT ? refused_same_submit(&w)
                                                            : refused_same(&w));
    }
    return result;
}

static int setup_call(input *in, uint32_t what)
{
    struct gpucmd_drm_asahi_draft06_vm_create vm06 = {0, 0, 0};
    struct gpucmd_drm_asahi_draft11_vm_create vm11 = {0, 0x7000000000u, 0x7020000000u, 0, 0};
    struct gpucmd_drm_asahi_draft_gem_create gem = {0, 0x4000, 0, 0, 0, 0};
    struct gpucmd_drm_asahi_draft_queue_create queue = {0, 0, 0, 0, 0, 0, 0};
    struct gpucmd_drm_asahi_draft_get_params params = {0, 0, 0, 0x10000, 0};
    switch (what) {
    case 0:
        return draft == GPUCMD_AGX_DRAFT_10006
                   ? call(GPUCMD_DRM_IOCTL_ASAHI_DRAFT06_VM_CREATE, &vm06)
                   : call(GPUCMD_DRM_IOCTL_ASAHI_DRAFT11_VM_CREATE, &vm11);
    case 1:
        gem.flags = take(in, 1) & 7;
        gem.vm_id = take(in, 1) & 3;
        if (call(GPUCMD_DRM_IOCTL_ASAHI_DRAFT_GEM_CREATE, &gem) == 0) {
            must(gpucmd_agx_kernel_back(&w.k, gem.handle, backing) == GPUCMD_OK);
        }
        return 0;
    case 2:
        queue.vm_id = take(in, 1) & 3;
        queue.queue_caps = take(in, 1) & 15;
        queue.priority = take(in, 1) & 7;
        return call(GPUCMD_DRM_IOCTL_ASAHI_DRAFT_QUEUE_CREATE, &queue);
    case 3: return (int)world_syncobj(&w.k);
    default:
        params.pointer += take(in, 2) & 0x1fff;
        params.size = take(in, 2);
        return call(GPUCMD_DRM_IOCTL_ASAHI_DRAFT_GET_PARAMS, &params);
    }
}

static int share_call(input *in, uint32_t what)
{
    gpucmd_agx_kernel *const k = (what & 1) != 0 ? &w.k : &other.k;
    gpucmd_agx_dmabuf *const place = &places[take(in, 1) & 1];
    gpucmd_agx_dmabuf *out = NULL;
    uint32_t handle = take(in, 1) & 7;
    if ((what & 2) != 0) {
        bool in_use = false; /* one entry of places exports at most one object at a time */
        for (uint32_t i = 0; i < WORLD_COUNT(w.gems); i++) {
            in_use = in_use || (w.gems[i].used && w.gems[i].dmabuf == place) ||
                     (other.gems[i].used && other.gems[i].dmabuf == place);
        }
        return in_use ? 0 : gpucmd_agx_kernel_gem_export(k, handle, place, &out);
    }
    return gpucmd_agx_kernel_gem_import(k, place, &handle);
}

static int destroy_call(input *in, uint32_t what)
{
    struct gpucmd_drm_asahi_draft_vm_destroy vm = {0, take(in, 1) & 3, 0};
    struct gpucmd_drm_asahi_draft_queue_destroy queue = {0, vm.vm_id, 0};
    switch (what) {
    case 0: return call(GPUCMD_DRM_IOCTL_ASAHI_DRAFT_VM_DESTROY, &vm);
    case 1: return gpucmd_agx_kernel_gem_close(&w.k, vm.vm_id);
    case 2: return call(GPUCMD_DRM_IOCTL_ASAHI_DRAFT_QUEUE_DESTROY, &queue);
    default: gpucmd_syncobj_release(&w.k.syncobjs, vm.vm_id); return 0;
    }
}

static int bind_call(input *in)
{
    struct gpucmd_drm_asahi_draft_gem_bind op;
    memset(&op, 0, sizeof op);
    op.op = take(in, 1) & 3;
    op.flags = take(in, 1) & 7;
    op.handle = take(in, 1) & 7;
    op.vm_id = take(in, 1) & 3;
    op.addr = 0x1100000000u + (uint64_t)take(in, 1) * 0x4000;
    op.range = (uint64_t)(take(in, 1) & 3) * 0x4000;
    if (op.op == GPUCMD_DRM_ASAHI_DRAFT_BIND_OP_UNBIND_ALL) {
        op.flags = 0;
        op.addr = 0;
        op.range = 0;
    }
    return call(GPUCMD_DRM_IOCTL_ASAHI_DRAFT_GEM_BIND, &op);
}

/* Submit. User memory holds four syncs, then up to six commands, then payloads from the input. */
static int submit_call(input *in)
{
    struct gpucmd_drm_asahi_draft_submit s;
    memset(&s, 0, sizeof s);
    s.queue_id = take(in, 1) & 7;
    s.result_handle = take(in, 1) & 7;
    s.in_sync_count = take(in, 1) & 3;
    s.out_sync_count = take(in, 1) & 3;
    s.command_count = take(in, 1) & 7;
    s.in_syncs = 0x10000;
    s.out_syncs = 0x10000 + 48;
    s.commands = 0x10000 + 160;
    for (uint32_t i = 0; i < 6; i++) {
        const struct gpucmd_drm_asahi_draft_sync sync = {0, take(in, 1) & 1, take(in, 1) & 7,
                                                         take(in, 1)};
        gpucmd_layout_convert(gpucmd_agx_layout, GPUCMD_STRUCT_drm_asahi_draft_sync,
                              user_memory + 24 * i, &sync, GPUCMD_LITTLE_ENDIAN);
    }
    for (uint32_t i = 0; i < 7; i++) {
        struct gpucmd_drm_asahi_draft_command c;
        memset(&c, 0, sizeof c);
        c.cmd_type = take(in, 1) & 3;
        c.cmd_buffer = 0x10000 + 1024 + (take(in, 2) & 0xfff);
        c.result_offset = take(in, 1) * (uint64_t)64;
        c.result_size = take(in, 1);
        c.barriers[0] = take(in, 1) - 1;
        c.barriers[1] = take(in, 1) - 1;
        gpucmd_layout_convert(gpucmd_agx_layout, GPUCMD_STRUCT_drm_asahi_draft_command,
                              user_memory + 160 + 56 * i, &c, GPUCMD_LITTLE_ENDIAN);
    }
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t at = take(in, 2);
        user_memory[1024 + at % 3072] = (uint8_t)(at >> 8);
    }
    return call(GPUCMD_DRM_IOCTL_ASAHI_DRAFT_SUBMIT, &s);
}

static void fate(void *nothing, const gpucmd_agx_exec_job *job, uint32_t command,
                 gpucmd_agx_ring part, gpucmd_agx_fate *f)
{
    (void)nothing;
    f->duration = (job->number * 7 + command * 3 + (uint32_t)part) % 5;
    f->outcome =
        (job->number + command) % 5 == 4 ? GPUCMD_AGX_OUTCOME_FAULT : GPUCMD_AGX_OUTCOME_COMPLETE;
}

/* Between the mappings of a VM of 10006 is at least one page. */
static void check_spaces(void)
{
    for (uint32_t v = 0; v < WORLD_COUNT(w.vms) && draft == GPUCMD_AGX_DRAFT_10006; v++) {
        const gpucmd_map *last = NULL;
        const gpucmd_map *m =
            w.vms[v].used ? gpucmd_space_find(&w.k.maps, &w.vms[v].space, 0) : NULL;
        for (; m != NULL; m = gpucmd_space_find(&w.k.maps, &w.vms[v].space, m->va + m->bytes)) {
            must(last == NULL || last->va + last->bytes + 0x4000 <= m->va);
            last = m;
        }
    }
}

/* Payloads of both drafts that the kernel accepts, unless the input changes them. */
static void payloads(void)
{
    for (uint32_t at = 1024; at + 464 <= USER_BYTES; at += 512) {
        user_memory[at + 180] = user_memory[at + 184] = user_memory[at + 200] =
            user_memory[at + 196] = 1;
        user_memory[at + 188] = user_memory[at + 192] = 32;
        user_memory[at + 364] = user_memory[at + 368] = user_memory[at + 384] =
            user_memory[at + 380] = 1;
        user_memory[at + 372] = user_memory[at + 376] = 32;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static gpucmd_region region;
    static gpucmd_mem mem;
    input in = {data, size};
    must(world_init(&w) == GPUCMD_OK && world_init(&other) == GPUCMD_OK);
    memset(user_memory, 0, USER_BYTES);
    memset(backing, 0, sizeof backing);
    memset(backing + 0x4000, 0x5a, 16);
    memset(places, 0, sizeof places);
    payloads();
    region.va = 0x10000;
    region.bytes = USER_BYTES;
    region.host = user_memory;
    region.access_mask = GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE;
    must(gpucmd_mem_init(&mem, &region, 1) == GPUCMD_OK);
    w.k.user = &mem;
    w.k.exec.fate = fate;
    const uint32_t first = take(&in, 1);
    draft = (first & 1) != 0 ? GPUCMD_AGX_DRAFT_10011 : GPUCMD_AGX_DRAFT_10006;
    changes = first >= 128;
    calls_made = 0;
    for (int calls = 0; calls < 400 && in.size != 0; calls++) {
        const uint32_t op = take(&in, 1);
        int result = 0;
        switch (op % 8) {
        case 0:
        case 1: result = setup_call(&in, op / 8 % 5); break;
        case 2: result = destroy_call(&in, op / 8 % 4); break;
        case 3: result = bind_call(&in); break;
        case 4:
        case 5: result = submit_call(&in); break;
        case 6: result = share_call(&in, op / 8); break;
        default:
            (void)gpucmd_agx_exec_run(&w.k.exec, NULL, op / 8);
            if (op == 255) {
                gpucmd_agx_kernel_crash(&w.k);
            }
            break;
        }
        must(result > -600 && result < 100);
        check_spaces();
    }
    must(gpucmd_agx_exec_run(&w.k.exec, NULL, 100000) == GPUCMD_RUN_IDLE);
    must(world_tear_down(&w) && world_tear_down(&other));
    for (int i = 0; i < 16; i++) {
        must(backing[0x4000 + i] == 0x5a);
    }
    return 0;
}

#ifndef FUZZ_NAME
#define FUZZ_NAME "fuzz_agx_draft"
#endif
#include "fuzz_main.h"

/* 31_agx_vm_bind.c - binding memory into a GPU address space.
 *
 * You learn how a client opens a node, makes a VM, shared and private objects, and binds ranges of
 * them; how mappings split and merge; what the kernel rejects. The node is the model kernel here:
 * with the table of gpucmd_sys_ops_init_linux the same client reaches the driver, as in hardware/asahi.c.
 * Read 30_agx_queues.c first. */
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_agx.h"

#include <stdio.h>

#define RW   (GPUCMD_DRM_ASAHI_BIND_READ | GPUCMD_DRM_ASAHI_BIND_WRITE)
#define PAGE 0x4000u
#define BASE 0x1500000000u

static gpucmd_agx_kernel kernel;
static gpucmd_agx_client client;

/* Bind, and print the result. */
static void bind(uint32_t vm, uint32_t flags, uint32_t handle, uint64_t page, uint64_t pages,
                 uint64_t va)
{
    const struct gpucmd_drm_asahi_gem_bind_op op = {flags, handle, page * PAGE, pages * PAGE, va};
    const int err = gpucmd_agx_client_vm_bind(&client, vm, &op);
    printf("vm %u %s object %u, %u pages at 0x%llx: %s\n", (unsigned)vm,
           (flags & GPUCMD_DRM_ASAHI_BIND_UNBIND) != 0 ? "unbind" : "bind", (unsigned)handle,
           (unsigned)pages, (unsigned long long)va,
           err == 0 ? "fine" : gpucmd_sys_error_name(-err));
    if (err != 0) {
        printf("    %s\n", gpucmd_agx_rule_text(kernel.finding.rule));
    }
}

static void list(uint32_t vm)
{
    const gpucmd_space *space = &kernel.t.vms[vm - 1].space;
    const gpucmd_map *m = gpucmd_space_find(&kernel.maps, space, 0);
    printf("vm %u:\n", (unsigned)vm);
    for (; m != NULL; m = gpucmd_space_find(&kernel.maps, space, m->va + m->bytes)) {
        printf("    0x%llx %3u pages of object %u from page %u%s\n", (unsigned long long)m->va,
               (unsigned)(m->bytes / PAGE), (unsigned)m->object, (unsigned)(m->offset / PAGE),
               (m->flags & GPUCMD_MAP_SINGLE_PAGE) != 0 ? ", repeated" : "");
    }
}

int main(void)
{
    static gpucmd_agx_kernel_store store;
    gpucmd_agx_kernel_tables tables;
    gpucmd_sys_ops sys;
    uint32_t vm1 = 0, vm2 = 0, shared = 0, own = 0, handle = 0;
    uint64_t offset = 0;
    /* Step 1: tables for the model kernel. The library allocates nothing. */
    gpucmd_agx_kernel_tables_init(&tables, &store);
    if (gpucmd_agx_kernel_init(&kernel, &tables) != GPUCMD_OK) {
        return 1;
    }

    /* Step 2: open the node; two VMs; an object for all and one for the first VM only. */
    gpucmd_agx_kernel_sys(&kernel, &sys);
    if (gpucmd_agx_client_open(&client, &sys, "/dev/dri/renderD128") != 0 ||
        gpucmd_agx_client_vm_create(&client, &vm1) != 0 ||
        gpucmd_agx_client_vm_create(&client, &vm2) != 0 ||
        gpucmd_agx_client_gem_create(&client, 0, 16 * PAGE, 0, &shared) != 0 ||
        gpucmd_agx_client_gem_create(&client, vm1, PAGE, 0, &own) != 0) {
        return 1;
    }

    /* Step 3: a sparse range: bind eight pages, unbind four of them, bind one again. */
    bind(vm1, RW, shared, 0, 8, BASE);
    bind(vm1, GPUCMD_DRM_ASAHI_BIND_UNBIND, 0, 0, 4, BASE + 2 * PAGE);
    bind(vm1, GPUCMD_DRM_ASAHI_BIND_READ, shared, 12, 1, BASE + 3 * PAGE);
    list(vm1);

    /* Step 4: bind the same memory to the hole: the mappings merge to one. */
    bind(vm1, RW, shared, 2, 4, BASE + 2 * PAGE);
    list(vm1);

    /* Step 5: repeat one page over a range, for sparse residency. */
    bind(vm1, RW | GPUCMD_DRM_ASAHI_BIND_SINGLE_PAGE, own, 0, 64, BASE + 64 * PAGE);

    /* Step 6: binds that the kernel rejects. */
    bind(vm2, RW, own, 0, 1, BASE);                               /* private to vm1 */
    bind(vm2, RW, shared, 15, 2, BASE);                           /* past the end */
    bind(vm2, RW, shared, 0, 1, client.params.vm_end - 4 * PAGE); /* the kernel window */
    bind(vm2, RW, shared, 0, 1, BASE + 8);

    /* Step 7: translate a GPU address to an object and an offset. */
    if (gpucmd_agx_space_translate(&kernel.maps, &kernel.t.vms[vm1 - 1].space,
                                   BASE + 100 * PAGE + 12, GPUCMD_ACCESS_WRITE, &handle,
                                   &offset) != GPUCMD_AGX_FAULT_NONE) {
        return 1;
    }
    printf("0x%llx is byte %u of object %u\n", (unsigned long long)(BASE + 100 * PAGE + 12),
           (unsigned)offset, (unsigned)handle);
    return gpucmd_agx_client_close(&client);
}

/* Output:
 * vm 1 bind object 1, 8 pages at 0x1500000000: fine
 * vm 1 unbind object 0, 4 pages at 0x1500008000: fine
 * vm 1 bind object 1, 1 pages at 0x150000c000: fine
 * vm 1:
 *     0x1500000000   2 pages of object 1 from page 0
 *     0x150000c000   1 pages of object 1 from page 12
 *     0x1500018000   2 pages of object 1 from page 6
 * vm 1 bind object 1, 4 pages at 0x1500008000: fine
 * vm 1:
 *     0x1500000000   8 pages of object 1 from page 0
 * vm 1 bind object 2, 64 pages at 0x1500100000: fine
 * vm 2 bind object 2, 1 pages at 0x1500000000: EINVAL
 *     object is private to another VM
 * vm 2 bind object 1, 2 pages at 0x1500000000: EINVAL
 *     offset + length exceeds the object
 * vm 2 bind object 1, 1 pages at 0x7ffffe8000: EINVAL
 *     range overlaps the kernel window
 * vm 2 bind object 1, 1 pages at 0x1500000008: EINVAL
 *     addr, range or offset is not a multiple of 16 KiB
 * 0x150019000c is byte 12 of object 2
 */

/* agx/addresses.c - addresses of commands compared with the VM: members, rights, the fault of the
 * operation, EIO in the fence, findings with member and address; names of units and members. */
/* suite: regions */
#define WORLD_ADDRESSES 96
#include "gpucmd_agx.h"
#include "agx/agx.h"
#include "agx/world.h"
#include "agx/refused.h"

#define READ  GPUCMD_DRM_ASAHI_BIND_READ
#define WRITE GPUCMD_DRM_ASAHI_BIND_WRITE
#define BASE  0x1000000000u /* usc_exec_base */
#define RW_VA 0x1500000000u /* 32 KiB, read and write */
#define RO_VA 0x1600000000u /* 16 KiB, read only */
#define WO_VA 0x1700000000u /* 16 KiB, write only */
#define NO_VA 0x1800000000u /* nothing is mapped here */

static world w_;
static gpucmd_agx_kernel *const k = &w_.k;
static uint32_t words[512];
static gpucmd_agx_stream s_;
static gpucmd_agx_result results[8];
static uint32_t result_count;

/* Copy the results of the first command when a job ends. */
static void job_ended(void *user, gpucmd_agx_exec_job *job)
{
    (void)user;
    for (uint32_t i = 0; i < job->job.count; i++) {
        results[result_count++ % 8] = job->results[i];
    }
}

static void map(uint32_t vm, uint32_t flags, uint32_t handle, uint64_t range, uint64_t addr)
{
    const struct gpucmd_drm_asahi_gem_bind_op op = {flags, handle, 0, range, addr};
    EQUAL(gpucmd_agx_kernel_bind_op(k, vm, &op), GPUCMD_AGX_RULE_NONE);
}

/* VM 1 with the ranges above, an object of 32 KiB; queue 1; sync object 1. */
static void setup(void)
{
    struct gpucmd_drm_asahi_vm_create vm = {0x7000000000u, 0x7020000000u, 0, 0};
    struct gpucmd_drm_asahi_gem_create gem = {0x8000, 0, 0, 0, 0};
    struct gpucmd_drm_asahi_queue_create queue = {0, 1, 1, 0, BASE};
    EQUAL(world_init(&w_), GPUCMD_OK);
    EQUAL(gpucmd_agx_kernel_vm_create(k, &vm), 0);
    EQUAL(gpucmd_agx_kernel_gem_create(k, &gem), 0);
    EQUAL(gpucmd_agx_kernel_queue_create(k, &queue), 0);
    EQUAL(world_syncobj(k), 1);
    map(1, READ | WRITE, 1, 0x8000, RW_VA);
    map(1, READ, 1, 0x4000, RO_VA);
    map(1, WRITE, 1, 0x4000, WO_VA);
    map(1, READ | WRITE, 1, 0x4000, BASE);
    for (int i = 0; i < GPUCMD_AGX_RINGS; i++) {
        k->exec.durations.ring[i] = 10;
    }
    k->exec.ended = job_ended;
    result_count = 0;
    gpucmd_agx_stream_init(&s_, words, 512);
}

/* Submit the stream with an out-sync; 0 or a negative errno. */
static int submit(void)
{
    struct gpucmd_drm_asahi_sync sync;
    struct gpucmd_drm_asahi_submit a;
    gpucmd_agx_syncs l;
    gpucmd_agx_syncs_init(&l, &sync, 1);
    gpucmd_agx_emit_out_sync(&l, 1);
    EQUAL(gpucmd_agx_encode_submit(&a, &s_, (uint64_t)(uintptr_t)words, &l,
                                   (uint64_t)(uintptr_t)&sync, 1),
          GPUCMD_OK);
    return gpucmd_agx_kernel_submit(k, &a);
}

/* Run to the end; return the errno of the fence. */
static int32_t run(void)
{
    int32_t error = -1;
    EQUAL(gpucmd_agx_exec_run(&k->exec, NULL, 1000), GPUCMD_RUN_IDLE);
    CHECK(world_signalled(k, 1, &error));
    uint32_t free_rows = 0;
    for (uint32_t i = k->address_free; i != 0; i = w_.addresses[i - 1].next) {
        free_rows++;
    }
    EQUAL(free_rows, WORLD_ADDRESSES);
    return error;
}

static void says(const gpucmd_agx_finding *f, const char *want, int line)
{
    char text[192];
    gpucmd_text t;
    gpucmd_text_init(&t, text, sizeof text);
    gpucmd_agx_print_finding(&t, f);
    test_text(text, want, __FILE__, line);
}

static char found_text[1024];

static gpucmd_status found(void *user, const gpucmd_agx_finding *f)
{
    gpucmd_text t;
    char line[192];
    (void)user;
    gpucmd_text_init(&t, line, sizeof line);
    gpucmd_agx_print_finding(&t, f);
    strcat(strcat(found_text, line), "\n");
    return GPUCMD_OK;
}

/* Check the stream against VM 1; return the number of errors. */
static size_t check(void)
{
    size_t errors = 99, len = 0;
    gpucmd_agx_check_options o;
    memset(&o, 0, sizeof o);
    o.found = found;
    o.maps = &k->maps;
    o.space = &w_.vms[0].space;
    o.usc_exec_base = BASE;
    found_text[0] = '\0';
    EQUAL(gpucmd_agx_stream_finish(&s_, &len), GPUCMD_OK);
    EQUAL(gpucmd_agx_check_stream((const uint8_t *)words, len, &o, &errors), GPUCMD_OK);
    return errors;
}

/* One member of a render has an address: fault type, unit and direction of the record; 0: no fault.
 * Then the member that the finding names. */
static void members_of_renders(void)
{
    static const struct {
        const char *name;
        uint64_t value;
        uint64_t zls_ctrl;
        uint32_t fault, unit, read, half;
        uint64_t address;
    } rows[] = {
        {"vdm_ctrl_stream_base",   NO_VA,        0,       2, 0x08, 1, 0, NO_VA        },
        {"vdm_ctrl_stream_base",   0,            0,       2, 0x08, 1, 0, 0            },
        {"vdm_ctrl_stream_base",   WO_VA,        0,       4, 0x08, 1, 0, WO_VA        },
        {"vdm_ctrl_stream_base",   RO_VA,        0,       0, 0,    0, 0, 0            },
        {"vertex_helper.binary",   0x4001,       0,       2, 0x01, 1, 0, BASE + 0x4000},
        {"vertex_helper.binary",   0x3fc1,       0,       0, 0,    0, 0, 0            },
        {"fragment_helper.binary", 0x4001,       0,       2, 0x01, 1, 1, BASE + 0x4000},
        {"isp_scissor_base",       NO_VA + 0x50, 0,       2, 0x0a, 1, 1, NO_VA + 0x40 },
        {"isp_dbias_base",         NO_VA,        0,       2, 0x0a, 1, 1, NO_VA        },
        {"isp_oclqry_base",        NO_VA,        0,       2, 0x0a, 0, 1, NO_VA        },
        {"isp_oclqry_base",        RO_VA,        0,       5, 0x0a, 0, 1, RO_VA        },
        {"isp_oclqry_base",        WO_VA,        0,       0, 0,    0, 0, 0            },
        {"depth.base",             NO_VA,        0,       0, 0,    0, 0, 0            },
        {"depth.base",             NO_VA,        0x8000,  2, 0x0e, 1, 1, NO_VA        },
        {"depth.base",             RO_VA,        0x8000,  0, 0,    0, 0, 0            },
        {"depth.base",             RO_VA,        0x88000, 5, 0x0e, 0, 1, RO_VA        },
        {"depth.comp_base",        NO_VA,        0x80000, 2, 0x0e, 0, 1, NO_VA        },
        {"stencil.base",           NO_VA,        0x88000, 0, 0,    0, 0, 0            },
        {"stencil.base",           WO_VA,        0x4000,  4, 0x0e, 1, 1, WO_VA        },
        {"stencil.comp_base",      NO_VA,        0x40000, 2, 0x0e, 0, 1, NO_VA        },
        {"bg.usc",                 0x4004,       0,       2, 0x01, 1, 1, BASE + 0x4000},
        {"bg.usc",                 0x0104,       0,       0, 0,    0, 0, 0            },
        {"eot.usc",                0x4004,       0,       2, 0x01, 1, 1, BASE + 0x4000},
        {"partial_bg.usc",         0x4004,       0,       2, 0x01, 1, 1, BASE + 0x4000},
        {"partial_eot.usc",        0x4004,       0,       2, 0x01, 1, 1, BASE + 0x4000},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct gpucmd_drm_asahi_cmd_render r;
        const char *n = rows[i].name;
        const uint64_t v = rows[i].value;
        setup();
        gpucmd_agx_render_init(&r, RW_VA, 64, 64);
        r.zls_ctrl = rows[i].zls_ctrl;
#define MEMBER(path, type)                                                                         \
    if (strcmp(n, #path) == 0) {                                                                   \
        r.path = (type)v;                                                                          \
    }
        MEMBER(vdm_ctrl_stream_base, uint64_t)
        MEMBER(vertex_helper.binary, uint32_t)
        MEMBER(fragment_helper.binary, uint32_t)
        MEMBER(isp_scissor_base, uint64_t)
        MEMBER(isp_dbias_base, uint64_t)
        MEMBER(isp_oclqry_base, uint64_t)
        MEMBER(depth.base, uint64_t)
        MEMBER(depth.comp_base, uint64_t)
        MEMBER(stencil.base, uint64_t)
        MEMBER(stencil.comp_base, uint64_t)
        MEMBER(bg.usc, uint32_t)
        MEMBER(eot.usc, uint32_t)
        MEMBER(partial_bg.usc, uint32_t)
        MEMBER(partial_eot.usc, uint32_t)
        gpucmd_agx_emit_render(&s_, NONE, NONE, &r);
        EQUAL(submit(), 0);
        EQUAL(run(), rows[i].fault != 0 ? 5 : 0);
        EQUAL(check(), rows[i].fault != 0);
        EQUAL(results[0].outcome[rows[i].half],
              rows[i].fault != 0 ? GPUCMD_AGX_OUTCOME_FAULT : GPUCMD_AGX_OUTCOME_COMPLETE);
        EQUAL(results[0].info.fault_type, rows[i].fault);
        EQUAL(results[0].info.unit, rows[i].unit);
        EQUAL(results[0].info.is_read, rows[i].read);
        EQUAL(results[0].info.address, rows[i].address);
        if (rows[i].fault != 0) {
            TEXT(k->fault.member, n);
        } else {
            EQUAL(k->fault.rule, GPUCMD_AGX_RULE_NONE);
        }
    }
}

static void computes(void)
{
    struct gpucmd_drm_asahi_cmd_compute c;
    setup();
    gpucmd_agx_compute_init(&c, RW_VA + 0x7fc0, RW_VA + 0x8000);
    c.sampler_heap = NO_VA; /* sampler_count is 0: not read */
    c.helper.binary = 0x41;
    gpucmd_agx_emit_compute(&s_, NONE, NONE, &c);
    EQUAL(check(), 0);
    EQUAL(submit(), 0);
    EQUAL(run(), 0);
    /* the end of the control stream is not mapped; the heap is used */
    gpucmd_agx_stream_init(&s_, words, 512);
    c.cdm_ctrl_stream_end = RW_VA + 0x8001;
    gpucmd_agx_emit_compute(&s_, NONE, NONE, &c);
    c.cdm_ctrl_stream_end = RW_VA + 0x8000;
    c.sampler_count = 1;
    gpucmd_agx_emit_compute(&s_, NONE, NONE, &c);
    EQUAL(check(), 2);
    TEXT(
        found_text,
        "0x0, command 0: error: CHECK_UNMAPPED: cdm_ctrl_stream_base 0x1500007fc0 is not mapped at "
        "0x1500008000\n"
        "0x48, command 1: error: CHECK_UNMAPPED: sampler_heap 0x1800000000 is not mapped at "
        "0x1800000000\n");
    EQUAL(submit(), 0);
    EQUAL(run(), 5);
    EQUAL(results[1].info.unit, 0xa2); /* dCDM */
    EQUAL(results[1].info.address, RW_VA + 0x8000);
    EQUAL(results[2].info.unit, 0x01);
    says(&k->fault,
         "0x48, command 1: error: CHECK_UNMAPPED: sampler_heap 0x1800000000 is not "
         "mapped at 0x1800000000",
         __LINE__);
    EQUAL(k->fault_number, 1);
}

/* Attachments are written in their whole length, by the commands after the SET command. */
static void attachments(void)
{
    const struct gpucmd_drm_asahi_attachment good = {RW_VA, 0x8000, 0, 0};
    const struct gpucmd_drm_asahi_attachment rows[2] = {
        {RW_VA, 0x8080, 0, 0},
        {RO_VA, 0x4000, 0, 0},
    };
    struct gpucmd_drm_asahi_cmd_compute c;
    struct gpucmd_drm_asahi_cmd_render r;
    setup();
    gpucmd_agx_compute_init(&c, RW_VA, RW_VA + 64);
    gpucmd_agx_render_init(&r, RW_VA, 64, 64);
    gpucmd_agx_emit_attachments(&s_, GPUCMD_DRM_ASAHI_SET_FRAGMENT_ATTACHMENTS, rows, 2);
    gpucmd_agx_emit_compute(&s_, NONE, NONE, &c); /* not of its stage */
    gpucmd_agx_emit_attachments(&s_, GPUCMD_DRM_ASAHI_SET_COMPUTE_ATTACHMENTS, &good, 1);
    gpucmd_agx_emit_compute(&s_, NONE, NONE, &c);
    EQUAL(check(), 2);
    TEXT(found_text,
         "0x0, command 0: error: CHECK_UNMAPPED: pointer 0x1500000000 is not mapped at "
         "0x1500008000\n"
         "0x0, command 0: error: CHECK_READ_ONLY: pointer 0x1600000000 is written, and is mapped "
         "for reads only at 0x1600000000\n");
    EQUAL(submit(), 0);
    EQUAL(run(), 0);
    gpucmd_agx_emit_render(&s_, NONE, NONE, &r);
    EQUAL(submit(), 0);
    EQUAL(run(), 5);
    EQUAL(results[4].outcome[0], GPUCMD_AGX_OUTCOME_COMPLETE);
    EQUAL(results[4].outcome[1], GPUCMD_AGX_OUTCOME_FAULT);
    EQUAL(results[4].info.fault_type, 2);
    EQUAL(results[4].info.unit, 0x02); /* CMP */
    EQUAL(results[4].info.address, RW_VA + 0x8000);
    EQUAL(k->fault.command, 4);
    /* SOFT_FAULTS: stores of shaders vanish, pixels are still compared */
    gpucmd_agx_stream_init(&s_, words, 512);
    gpucmd_agx_emit_attachments(&s_, GPUCMD_DRM_ASAHI_SET_COMPUTE_ATTACHMENTS, rows, 2);
    gpucmd_agx_emit_compute(&s_, NONE, NONE, &c);
    EQUAL(submit(), 0);
    EQUAL(run(), 5);
    k->params.features = GPUCMD_DRM_ASAHI_FEATURE_SOFT_FAULTS;
    EQUAL(submit(), 0);
    EQUAL(run(), 0);
    /* the same unit reads the code of shaders, which must be there */
    c.helper.binary = 0x4001;
    gpucmd_agx_stream_init(&s_, words, 512);
    gpucmd_agx_emit_compute(&s_, NONE, NONE, &c);
    EQUAL(submit(), 0);
    EQUAL(run(), 5);
    EQUAL(k->fault.value, BASE + 0x4000);
}

/* The mapping counts when the operation starts; a VM that was destroyed maps nothing. */
static void time_of_check(void)
{
    const struct gpucmd_drm_asahi_vm_destroy destroy = {1, 0};
    struct gpucmd_drm_asahi_vm_create vm = {0x7000000000u, 0x7020000000u, 0, 0};
    struct gpucmd_drm_asahi_cmd_compute c;
    setup();
    gpucmd_agx_compute_init(&c, NO_VA, NO_VA + 64);
    gpucmd_agx_emit_compute(&s_, NONE, NONE, &c);
    EQUAL(submit(), 0);
    map(1, READ, 1, 0x4000, NO_VA);
    EQUAL(run(), 0);
    EQUAL(submit(), 0);
    map(1, GPUCMD_DRM_ASAHI_BIND_UNBIND, 0, 0x4000, NO_VA);
    EQUAL(run(), 5);
    map(1, READ, 1, 0x4000, NO_VA);
    EQUAL(submit(), 0);
    EQUAL(gpucmd_agx_kernel_vm_destroy(k, &destroy), 0);
    EQUAL(gpucmd_agx_kernel_vm_create(k, &vm), 0); /* has the id of the old one */
    map(1, READ, 1, 0x4000, NO_VA);
    EQUAL(run(), 5);
    EQUAL(k->fault.rule, GPUCMD_AGX_RULE_CHECK_UNMAPPED);
    setup();
    gpucmd_agx_emit_compute(&s_, NONE, NONE, &c);
    map(1, READ, 1, 0x4000, NO_VA);
    EQUAL(submit(), 0);
    EQUAL(gpucmd_agx_kernel_vm_destroy(k, &destroy), 0); /* no other has its id */
    EQUAL(run(), 5);
}

/* A fault kills what runs in the same VM: ECANCELED; a caller can change it in exec.fate. */
static void no_fault(void *user, const gpucmd_agx_exec_job *job, uint32_t command,
                     gpucmd_agx_ring part, gpucmd_agx_fate *fate)
{
    (void)job;
    (void)command;
    (void)part;
    *(uint32_t *)user += fate->outcome == GPUCMD_AGX_OUTCOME_FAULT;
    fate->outcome = GPUCMD_AGX_OUTCOME_COMPLETE;
}

static void fates(void)
{
    struct gpucmd_drm_asahi_cmd_compute c;
    uint32_t seen = 0;
    setup();
    gpucmd_agx_compute_init(&c, NO_VA, 0);
    gpucmd_agx_emit_compute(&s_, NONE, NONE, &c);
    k->exec.fate = no_fault;
    k->exec.fate_user = &seen;
    EQUAL(submit(), 0);
    EQUAL(run(), 0);
    EQUAL(seen, 1);
}

/* A full table refuses the submission, and the free rows are as before. */
static void full_table(void)
{
    struct gpucmd_drm_asahi_attachment rows[16];
    struct gpucmd_drm_asahi_cmd_compute c;
    for (int i = 0; i < 16; i++) {
        rows[i].pointer = RW_VA;
        rows[i].size = 128;
        rows[i].pad = rows[i].flags = 0;
    }
    setup();
    gpucmd_agx_compute_init(&c, RW_VA, 0);
    gpucmd_agx_emit_attachments(&s_, GPUCMD_DRM_ASAHI_SET_COMPUTE_ATTACHMENTS, rows, 16);
    for (int i = 0; i < 6; i++) {
        gpucmd_agx_emit_compute(&s_, NONE, NONE, &c); /* 17 addresses each */
    }
    refused_save(&w_);
    EQUAL(submit(), -12);
    EQUAL(k->table, GPUCMD_AGX_TABLE_ADDRESSES);
    CHECK(refused_same(&w_));
    gpucmd_agx_stream_init(&s_, words, 512);
    gpucmd_agx_emit_attachments(&s_, GPUCMD_DRM_ASAHI_SET_COMPUTE_ATTACHMENTS, rows, 16);
    for (int i = 0; i < 5; i++) {
        gpucmd_agx_emit_compute(&s_, NONE, NONE, &c);
    }
    EQUAL(submit(), 0);
    EQUAL(run(), 0);
    /* a command that is refused after others */
    gpucmd_agx_emit_compute(&s_, NONE, NONE, &c);
    words[s_.w.cur - words - 16] = 1; /* flags */
    refused_save(&w_);
    EQUAL(submit(), -22);
    EQUAL(k->finding.rule, GPUCMD_AGX_RULE_COMPUTE_FLAGS);
    CHECK(refused_same(&w_));
}

static void names(void)
{
    TEXT(gpucmd_agx_unit_text("UL1C"), "L1 cache: loads and stores of shaders");
    TEXT(gpucmd_agx_unit_text("dCDM_KS"), "compute data master: reads control streams of computes");
    CHECK(gpucmd_agx_unit_text("UL1") == NULL);
    CHECK(gpucmd_agx_unit_text("UL1CX") == NULL);
    CHECK(gpucmd_agx_unit_text("") == NULL);
    TEXT(gpucmd_agx_address_name(GPUCMD_AGX_ADDRESS_DEPTH_COMP), "depth.comp_base");
    TEXT(gpucmd_agx_address_name((gpucmd_agx_address_id)(GPUCMD_AGX_ADDRESS_CDM_ATTACH + 1)), "?");
}

int main(void)
{
    members_of_renders();
    computes();
    attachments();
    time_of_check();
    fates();
    full_table();
    names();
    return test_report("agx_addresses");
}

/* agx/check_edges.c - the checker at the ends of its input: callbacks that end a check, tables without
 * room, addresses at the end of 64 bits, tails of payloads, the longest control stream; and findings
 * that are seldom printed. */
#define WORLD_ADDRESSES 3
#include "gpucmd_agx.h"
#include "agx/agx.h"
#include "agx/world.h"
#include "agx/refused.h"

#define MEM_VA 0x1500000000u
#define NO_VA  0x1800000000u /* nothing is mapped here */
#define BASE   0x1000000000u /* usc_exec_base */
#define BLOCKS 65536u        /* of a control stream, at most */

static uint32_t words[512]; /* of a stream */
static gpucmd_agx_stream s_;

/* ---- findings ---- */

static char found_text[1024];
static uint32_t found_count;
static gpucmd_status found_status; /* result of the callback */

static gpucmd_status found(void *user, const gpucmd_agx_finding *f)
{
    gpucmd_text t;
    char line[192];
    (void)user;
    gpucmd_text_init(&t, line, sizeof line);
    gpucmd_agx_print_finding(&t, f);
    strcat(strcat(found_text, line), "\n");
    found_count++;
    return found_status;
}

static void options_init(gpucmd_agx_check_options *o)
{
    memset(o, 0, sizeof *o);
    o->found = found;
    found_text[0] = '\0';
    found_count = 0;
    found_status = GPUCMD_OK;
}

/* ---- control streams ---- */

static uint32_t memory[BLOCKS + 64];
static gpucmd_region region;
static gpucmd_mem mem;
static gpucmd_map map_rows[4];
static gpucmd_maps maps;
static gpucmd_space space;

/* Store the words of a control stream at MEM_VA, little endian as the GPU reads them. */
static void put(const uint32_t *dw, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        gpucmd_store32((uint8_t *)memory + 4 * i, dw[i], GPUCMD_LITTLE_ENDIAN);
    }
}
#define PUT(...)                                                                                   \
    do {                                                                                           \
        const uint32_t dw_[] = {__VA_ARGS__};                                                      \
        put(dw_, sizeof dw_ / sizeof dw_[0]);                                                      \
    } while (0)

/* A VM that maps the memory at MEM_VA for reads, and an empty stream. */
static void setup(gpucmd_agx_check_options *o)
{
    gpucmd_map map;
    memset(memory, 0, sizeof memory);
    region.va = MEM_VA;
    region.bytes = sizeof memory;
    region.host = (uint8_t *)memory;
    region.access_mask = GPUCMD_ACCESS_READ;
    EQUAL(gpucmd_mem_init(&mem, &region, 1), GPUCMD_OK);
    gpucmd_maps_init(&maps, map_rows, 4);
    gpucmd_space_init(&space, 1);
    memset(&map, 0, sizeof map);
    map.va = MEM_VA;
    map.bytes = sizeof memory;
    map.object = 1;
    map.access_mask = GPUCMD_ACCESS_READ;
    EQUAL(gpucmd_space_bind(&maps, &space, &map), GPUCMD_OK);
    options_init(o);
    o->maps = &maps;
    o->space = &space;
    o->mem = &mem;
    o->usc_exec_base = BASE;
    gpucmd_agx_stream_init(&s_, words, 512);
}

static gpucmd_status check_words(const gpucmd_agx_check_options *o, size_t len_bytes)
{
    return gpucmd_agx_check_stream((const uint8_t *)words, len_bytes, o, NULL);
}

/* Check the stream of s_. */
static gpucmd_status check(const gpucmd_agx_check_options *o)
{
    size_t len = 0;
    EQUAL(gpucmd_agx_stream_finish(&s_, &len), GPUCMD_OK);
    return check_words(o, len);
}

/* The longest stream that is walked has its end in block 65536. */
static void longest(void)
{
    gpucmd_agx_check_options o;
    struct gpucmd_drm_asahi_cmd_compute c;
    for (uint32_t barriers = BLOCKS - 1; barriers <= BLOCKS; barriers++) {
        setup(&o);
        for (uint32_t i = 0; i < barriers; i++) { /* CDM_BARRIER, one word */
            gpucmd_store32((uint8_t *)memory + 4 * (size_t)i, 0x60000000, GPUCMD_LITTLE_ENDIAN);
        }
        gpucmd_store32((uint8_t *)memory + 4 * (size_t)barriers, 0x40000000, GPUCMD_LITTLE_ENDIAN);
        gpucmd_agx_compute_init(&c, MEM_VA, 0);
        gpucmd_agx_emit_compute(&s_, NONE, NONE, &c);
        EQUAL(check(&o), GPUCMD_OK);
        TEXT(found_text, barriers < BLOCKS ? ""
                                           : "0x0, command 0: warning: CHECK_NO_END: control "
                                             "stream has no end within 65536 blocks\n");
    }
}

static void control_streams(void)
{
    gpucmd_agx_check_options o;
    struct gpucmd_drm_asahi_cmd_render r;
    struct gpucmd_drm_asahi_cmd_compute c;
    /* a call of itself: 16 calls do not return */
    setup(&o);
    PUT(0x90000015, 0x00000000);
    gpucmd_agx_render_init(&r, MEM_VA, 64, 64);
    gpucmd_agx_emit_render(&s_, NONE, NONE, &r);
    EQUAL(check(&o), GPUCMD_OK);
    TEXT(found_text, "0x0, command 0: warning: CHECK_NO_END: control stream has no end within 16 "
                     "blocks\n");
    /* the callback ends the check at the first of two links to nothing */
    setup(&o);
    PUT(0x00000400 | 0x18, 0, 0x00000400 | 0x18, 0, 0xc0000000, 0);
    gpucmd_agx_emit_render(&s_, NONE, NONE, &r);
    EQUAL(check(&o), GPUCMD_OK);
    EQUAL(found_count, 2);
    options_init(&o);
    o.maps = &maps;
    o.space = &space;
    o.mem = &mem;
    found_status = GPUCMD_LIMIT;
    EQUAL(check(&o), GPUCMD_LIMIT);
    EQUAL(found_count, 1);
    /* of the mapped addresses of a render only the first is a control stream */
    setup(&o);
    PUT(0xc0000000, 0);
    memory[16] = 0xffffffff; /* no block of a stream has this first word */
    r.isp_scissor_base = MEM_VA + 64;
    gpucmd_agx_emit_render(&s_, NONE, NONE, &r);
    EQUAL(check(&o), GPUCMD_OK);
    TEXT(found_text, "");
    /* the address of a shader beyond 64 bits; attachments up to, and beyond, the last address */
    setup(&o);
    PUT(0x40000000, 0);
    o.usc_exec_base = 0xffffffffffffff00u;
    gpucmd_agx_compute_init(&c, MEM_VA, 0);
    c.helper.binary = 0x101;
    gpucmd_agx_emit_compute(&s_, NONE, NONE, &c);
    EQUAL(check(&o), GPUCMD_OK);
    TEXT(found_text, "0x0, command 0: error: CHECK_UNMAPPED: helper.binary 0xffffffffffffffff is "
                     "not mapped at 0xffffffffffffffff\n");
}

static void attachments(void)
{
    gpucmd_agx_check_options o;
    struct gpucmd_drm_asahi_cmd_compute c;
    const struct gpucmd_drm_asahi_attachment rows[] = {
        {NO_VA,               0,     0, 0}, /* no bytes: not accessed */
        {0xffffffffffffff80u, 0x80,  0, 0},
        {0xffffffffffffff80u, 0x100, 0, 0},
    };
    setup(&o);
    PUT(0x40000000, 0);
    gpucmd_agx_compute_init(&c, MEM_VA, 0);
    gpucmd_agx_emit_attachments(&s_, GPUCMD_DRM_ASAHI_SET_COMPUTE_ATTACHMENTS, rows, 3);
    gpucmd_agx_emit_compute(&s_, NONE, NONE, &c);
    EQUAL(check(&o), GPUCMD_OK);
    TEXT(found_text, "0x0, command 0: error: CHECK_UNMAPPED: pointer 0xffffffffffffff80 is not "
                     "mapped at 0xffffffffffffff80\n"
                     "0x0, command 0: error: CHECK_UNMAPPED: pointer 0xffffffffffffff80 is not "
                     "mapped at 0xffffffffffffff80\n");
}

/* ---- blocks ---- */

static void blocks(void)
{
    gpucmd_agx_check_options o;
    struct gpucmd_drm_asahi_params_global p;
    gpucmd_agx_ctrl_walk at;
    gpucmd_agx_block b;
    gpucmd_text t;
    char text[512];
    setup(&o);
    /* VDM_TESSELLATE: bit 21 a buffer of factors, bit 26 indirect; each alone */
    PUT(0xa0200012, 0x00000100, 0xa4000000, 0x00000013, 0x00000200, 0x40, 0xa0000000);
    gpucmd_agx_ctrl_init(&at, &mem, GPUCMD_AGX_CTRL_VDM, MEM_VA, NULL);
    CHECK(gpucmd_agx_ctrl_next(&at, &b));
    EQUAL(b.len_dw, 2);
    EQUAL(b.address_count, 1);
    TEXT(b.addresses[0].name, "factors");
    EQUAL(b.addresses[0].va, 0x1200000100u);
    CHECK(gpucmd_agx_ctrl_next(&at, &b));
    EQUAL(b.len_dw, 4);
    EQUAL(b.address_count, 1);
    TEXT(b.addresses[0].name, "indirect");
    EQUAL(b.addresses[0].va, 0x1300000200u);
    EQUAL(b.addresses[0].bytes, 0x40);
    CHECK(gpucmd_agx_ctrl_next(&at, &b));
    EQUAL(b.len_dw, 1);
    EQUAL(b.address_count, 0);
    /* CDM_LAUNCH has two more words on generation 14 with several clusters, not on m1_pro */
    PUT(0x00000000, 0x40, 1, 1, 1, 1, 1, 1, 0x40000000, 0);
    EQUAL(gpucmd_agx_params_init(&p, GPUCMD_AGX_CHIP_T6000), GPUCMD_OK);
    gpucmd_agx_ctrl_init(&at, &mem, GPUCMD_AGX_CTRL_CDM, MEM_VA, &p);
    CHECK(gpucmd_agx_ctrl_next(&at, &b));
    EQUAL(b.len_dw, 8);
    EQUAL(gpucmd_agx_params_init(&p, GPUCMD_AGX_CHIP_T6020), GPUCMD_OK);
    gpucmd_agx_ctrl_init(&at, &mem, GPUCMD_AGX_CTRL_CDM, MEM_VA, &p);
    CHECK(gpucmd_agx_ctrl_next(&at, &b));
    EQUAL(b.len_dw, 10);
    /* a block of the caller's with more words and addresses than a block has: 16 and 2 are printed */
    memset(&b, 0, sizeof b);
    b.id = GPUCMD_AGX_BLOCK_VDM_LINK;
    b.len_dw = 17;
    b.address_count = 3;
    b.addresses[0].name = "a";
    b.addresses[1].name = "b";
    gpucmd_text_init(&t, text, sizeof text);
    gpucmd_agx_print_block(&t, &b);
    TEXT(text,
         "0x0000000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 "
         "00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 VDM_LINK a 0x0 "
         "b 0x0");
}

/* ---- streams ---- */

/* Store a header: type, size of the payload; no barriers. */
static void put_header(size_t at_bytes, uint32_t cmd_type, uint32_t size_bytes)
{
    uint8_t *const at = (uint8_t *)words + at_bytes;
    gpucmd_store32(at, cmd_type | size_bytes << 16, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store32(at + 4, 0xffffffff, GPUCMD_LITTLE_ENDIAN);
}

/* The driver takes what it does not read of a payload as the next command. */
static void tails(void)
{
    gpucmd_agx_check_options o;
    options_init(&o);
    /* a compute, the tail of which is a compute with a timestamp at offset 4 of object 1 */
    memset(words, 0, sizeof words);
    put_header(0, GPUCMD_DRM_ASAHI_CMD_COMPUTE, 64 + 8 + 64);
    put_header(72, GPUCMD_DRM_ASAHI_CMD_COMPUTE, 64);
    gpucmd_store32((uint8_t *)words + 80 + 48, 1, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store32((uint8_t *)words + 80 + 52, 4, GPUCMD_LITTLE_ENDIAN);
    EQUAL(check_words(&o, 144), GPUCMD_OK);
    TEXT(found_text, "0x48, command 1: warning: CHECK_STAMP_ALIGN: timestamp offset is not a "
                     "multiple of 8: 0x4\n");
    gpucmd_store32((uint8_t *)words + 80 + 52, 8, GPUCMD_LITTLE_ENDIAN);
    options_init(&o);
    EQUAL(check_words(&o, 144), GPUCMD_OK);
    TEXT(found_text, "");
    /* attachments with 8 bytes too many, which are an unknown command: no command counts before it,
     * and the finding is about the command, not about the count */
    memset(words, 0, sizeof words);
    put_header(0, GPUCMD_DRM_ASAHI_SET_COMPUTE_ATTACHMENTS, 24 + 8);
    put_header(32, 9, 0);
    put_header(40, GPUCMD_DRM_ASAHI_CMD_COMPUTE, 64);
    options_init(&o);
    EQUAL(check_words(&o, 112), GPUCMD_OK);
    TEXT(found_text,
         "0x20, command 1: error: COMMAND_UNKNOWN: cmd_type is unknown: 0x9 (EINVAL)\n");
}

/* A stream of software commands alone, the second of which is a tail. */
static void software_alone(void)
{
    gpucmd_agx_check_options o;
    options_init(&o);
    memset(words, 0, sizeof words);
    put_header(0, GPUCMD_DRM_ASAHI_SET_COMPUTE_ATTACHMENTS, 24 + 8);
    put_header(32, GPUCMD_DRM_ASAHI_SET_COMPUTE_ATTACHMENTS, 0);
    EQUAL(check_words(&o, 40), GPUCMD_OK);
    TEXT(found_text, "error: COMMAND_COUNT: 0 hardware commands; 1 to 64 are valid (EINVAL)\n");
}

/* The callback ends a check: it is not called again. */
static void ended(void)
{
    gpucmd_agx_check_options o;
    gpucmd_agx_job job;
    struct gpucmd_drm_asahi_cmd_compute c;
    size_t errors = 99;
    options_init(&o);
    gpucmd_agx_job_init(&job);
    EQUAL(gpucmd_agx_job_add(&job, GPUCMD_AGX_KIND_BLIT, NONE, NONE), GPUCMD_OK);
    EQUAL(gpucmd_agx_job_add(&job, GPUCMD_AGX_KIND_BLIT, NONE, NONE), GPUCMD_OK);
    EQUAL(gpucmd_agx_check(&job, &o, &errors), GPUCMD_OK);
    EQUAL(found_count, 2);
    EQUAL(errors, 2);
    options_init(&o);
    found_status = GPUCMD_FULL;
    errors = 99;
    EQUAL(gpucmd_agx_check(&job, &o, &errors), GPUCMD_FULL);
    EQUAL(found_count, 1);
    EQUAL(errors, 99);
    /* two commands with a timestamp at offset 4, which the emitters refuse */
    options_init(&o);
    gpucmd_agx_stream_init(&s_, words, 512);
    gpucmd_agx_compute_init(&c, MEM_VA, 0);
    c.ts.start.handle = 1;
    gpucmd_agx_emit_compute(&s_, NONE, NONE, &c);
    gpucmd_agx_emit_compute(&s_, NONE, NONE, &c);
    gpucmd_store32((uint8_t *)words + 8 + 52, 4, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store32((uint8_t *)words + 72 + 8 + 52, 4, GPUCMD_LITTLE_ENDIAN);
    EQUAL(check(&o), GPUCMD_OK);
    EQUAL(found_count, 2);
    options_init(&o);
    found_status = GPUCMD_FULL;
    EQUAL(check(&o), GPUCMD_FULL);
    EQUAL(found_count, 1);
}

/* ---- submissions ---- */

/* VM 1, queue 1. The rows are enough for three addresses. */
static world w_;
static gpucmd_agx_kernel *const k = &w_.k;

static int submit(void)
{
    struct gpucmd_drm_asahi_submit a;
    struct gpucmd_drm_asahi_sync sync;
    gpucmd_agx_syncs l;
    gpucmd_agx_syncs_init(&l, &sync, 1);
    memset(&a, 0xff, sizeof a);
    EQUAL(gpucmd_agx_encode_submit(&a, &s_, (uint64_t)(uintptr_t)words, &l,
                                   (uint64_t)(uintptr_t)&sync, 1),
          GPUCMD_OK);
    EQUAL(a.in_sync_count, 0); /* no syncs: their address is ignored */
    EQUAL(a.out_sync_count, 0);
    EQUAL(a.syncs, 0);
    return gpucmd_agx_kernel_submit(k, &a);
}

/* A submission that the table of addresses has no room for: ENOMEM, and nothing has changed. */
static void refuses(void)
{
    refused_save(&w_);
    EQUAL(submit(), -12);
    EQUAL(k->finding.rule, GPUCMD_AGX_RULE_NO_MEMORY);
    EQUAL(k->table, GPUCMD_AGX_TABLE_ADDRESSES);
    CHECK(refused_same(&w_));
    gpucmd_agx_stream_init(&s_, words, 512);
}

static void full_table(void)
{
    struct gpucmd_drm_asahi_vm_create vm = {0x7000000000u, 0x7020000000u, 0, 0};
    struct gpucmd_drm_asahi_queue_create queue = {0, 1, 1, 0, BASE};
    struct gpucmd_drm_asahi_cmd_render r;
    struct gpucmd_drm_asahi_cmd_compute c;
    const struct gpucmd_drm_asahi_attachment rows[] = {
        {MEM_VA, 0x80, 0, 0},
        {MEM_VA, 0x80, 0, 0},
        {MEM_VA, 0x80, 0, 0},
        {MEM_VA, 0,    0, 0},
    };
    EQUAL(world_init(&w_), GPUCMD_OK);
    EQUAL(gpucmd_agx_kernel_vm_create(k, &vm), 0);
    EQUAL(gpucmd_agx_kernel_queue_create(k, &queue), 0);
    gpucmd_agx_stream_init(&s_, words, 512);
    gpucmd_agx_compute_init(&c, MEM_VA, 0); /* one address: the control stream */
    for (int i = 0; i < 4; i++) {
        gpucmd_agx_emit_compute(&s_, NONE, NONE, &c);
    }
    refuses();
    gpucmd_agx_render_init(&r, MEM_VA, 64, 64);
    for (int i = 0; i < 4; i++) {
        gpucmd_agx_emit_render(&s_, NONE, NONE, &r);
    }
    refuses();
    gpucmd_agx_emit_attachments(&s_, GPUCMD_DRM_ASAHI_SET_FRAGMENT_ATTACHMENTS, rows, 3);
    gpucmd_agx_emit_render(&s_, NONE, NONE, &r);
    refuses();
    gpucmd_agx_emit_attachments(&s_, GPUCMD_DRM_ASAHI_SET_COMPUTE_ATTACHMENTS, rows, 3);
    gpucmd_agx_emit_compute(&s_, NONE, NONE, &c);
    refuses();
    /* two attachments with bytes, and one without, fit */
    gpucmd_agx_emit_attachments(&s_, GPUCMD_DRM_ASAHI_SET_COMPUTE_ATTACHMENTS, rows + 1, 3);
    gpucmd_agx_emit_compute(&s_, NONE, NONE, &c);
    EQUAL(submit(), 0);
}

/* ---- what is printed ---- */

/* A finding of rule with a member, and a number for each letter of a text. */
static void says(gpucmd_agx_rule rule, const char *want, int line)
{
    char text[192];
    gpucmd_text t;
    gpucmd_agx_finding f;
    memset(&f, 0, sizeof f);
    f.rule = rule;
    f.text = "the text of the rule";
    f.member = "it";
    f.value = 17;
    f.bytes = 18;
    f.object = 19;
    f.least = 20;
    f.limit = 21;
    gpucmd_text_init(&t, text, sizeof text);
    gpucmd_agx_print_detail(&t, &f);
    test_text(text, want, __FILE__, line);
}
#define SAYS(rule, want) says(GPUCMD_AGX_RULE_##rule, want, __LINE__)

static void details(void)
{
    SAYS(FLAGS, "it 0x11 has bits outside 0x15");
    SAYS(PAD, "it 0x11 is not 0");
    SAYS(OBJECT_UNKNOWN, "it 17 names no timestamp object");
    SAYS(SYNC_COUNT, "it 17 + 0x12 syncs exceed 32 bits");
    SAYS(SYNC_NO_FENCE, "sync object 19 has no fence");
    SAYS(TIMESTAMP_OVERFLOW, "it 0x11 + 0x12 exceeds 32 bits");
    SAYS(TIMESTAMP_RANGE, "it 0x11 + 0x12 exceeds timestamp object 19 (0x15)");
    SAYS(GEM_EXPORT, "object 19 is private and cannot be exported");
    SAYS(OBJECT_VM_ID, "it 17 is not 0");
    SAYS(OBJECT_OP, "it 17 is neither BIND (0) nor UNBIND (1)");
    SAYS(OBJECT_FLAGS, "it 0x11 is not USAGE_TIMESTAMPS (0x15)");
    SAYS(OBJECT_PRIVATE, "object 19 is private");
    SAYS(OBJECT_UNUSED, "it 0x11 of an unbind is not 0");
    SAYS(CHECK_NO_PRIOR, "17 barriers of index 0 without prior work are ignored, first here");
    SAYS(CHECK_OWN_COMPUTE, "17 computes wait for the compute before them, first here");
    SAYS(CHECK_ACCIDENT, "17 barriers order commands that share no access, first here");
    SAYS(CHECK_BLIT, "the text of the rule: 0x11"); /* has no other text */
    EQUAL(gpucmd_agx_rule_severity(GPUCMD_AGX_RULE_CHECK_BLIT), GPUCMD_SEVERITY_ERROR);
    EQUAL(gpucmd_agx_rule_severity(GPUCMD_AGX_RULE_CHECK_NO_END), GPUCMD_SEVERITY_WARNING);
    EQUAL(gpucmd_agx_rule_severity((gpucmd_agx_rule)(GPUCMD_AGX_RULE_CHECK_NO_END + 1)),
          GPUCMD_SEVERITY_ERROR);
}

/* One barrier that orders too much is no summary. */
static void one_over(void)
{
    gpucmd_agx_check_options o;
    gpucmd_agx_job job;
    options_init(&o);
    o.over_order = GPUCMD_AGX_OVER_ORDER_SUMMARY;
    gpucmd_agx_job_init(&job);
    EQUAL(gpucmd_agx_job_add(&job, GPUCMD_AGX_KIND_COMPUTE, NONE, 0), GPUCMD_OK);
    EQUAL(gpucmd_agx_job_add(&job, GPUCMD_AGX_KIND_COMPUTE, NONE, NONE), GPUCMD_OK);
    EQUAL(gpucmd_agx_check(&job, &o, NULL), GPUCMD_OK);
    TEXT(found_text, "0x0, command 0, compute barrier: note: CHECK_NO_PRIOR: index 0 without prior "
                     "work is ignored\n");
}

/* Of two commands with a barrier that is too high, the first is reported; both are read. */
static void two_barriers(void)
{
    static const char text[] = "R1 [R1, __]\nR2 [R3, __]\n";
    gpucmd_agx_job job;
    gpucmd_agx_finding f;
    EQUAL(gpucmd_agx_parse_notation(text, sizeof text - 1, false, &job, &f), GPUCMD_INVALID);
    EQUAL(f.rule, GPUCMD_AGX_RULE_VDM_BARRIER);
    EQUAL(f.command, 0);
    EQUAL(f.at_bytes, 0);
    EQUAL(job.count, 2);
}

int main(void)
{
    longest();
    control_streams();
    attachments();
    blocks();
    tails();
    software_alone();
    ended();
    full_table();
    details();
    one_over();
    two_barriers();
    return test_report("agx/check_edges");
}

/* Words that drivers write, each with its number in section 8 of the fact sheet: the output of
 * UVM, nouveau and tinygrad for given parameters. Recipes must write these words. */
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"
#include "test.h"

#define CHIP(name) GPUCMD_NV_CHIP_##name

static bool seen[99];

/* As EMITS for several commands, which are not written as a whole. */
#define SEQUENCE(want, ...)                                                                        \
    do {                                                                                           \
        static const uint32_t want_[] = want;                                                      \
        const size_t n_ = sizeof want_ / sizeof want_[0];                                          \
        for (int pass_ = 0; pass_ < 4; pass_ += 3) {                                               \
            test_begin(pass_, n_);                                                                 \
            __VA_ARGS__;                                                                           \
            test_end(pass_, want_, n_, __FILE__, __LINE__, #__VA_ARGS__);                          \
        }                                                                                          \
    } while (0)

/* The following checks are for this number. */
static void known(unsigned number)
{
    seen[number] = true;
}

/* ---- MEM_OP --------------------------------------------------------------------------------- */

enum {
    COH = GPUCMD_NV_TLB_TARGET_SYS_MEM_COHERENT,
    GLOBALLY = GPUCMD_NV_TLB_ACK_GLOBALLY,
    HUB = GPUCMD_NV_TLB_HUB_ONLY,
    VA = GPUCMD_NV_TLB_TARGETED,
    SYS = GPUCMD_NV_TLB_SYSMEMBAR,
    SCOPE = GPUCMD_NV_TLB_SCOPE_NON_LINK_TLBS,
    PTE = GPUCMD_NV_TLB_LEVEL_PTE_ONLY,
    PDE0 = GPUCMD_NV_TLB_LEVEL_UP_TO_PDE0,
    PDE1 = GPUCMD_NV_TLB_LEVEL_UP_TO_PDE1,
    PDE2 = GPUCMD_NV_TLB_LEVEL_UP_TO_PDE2,
    PDE3 = GPUCMD_NV_TLB_LEVEL_UP_TO_PDE3,
    PDE4 = GPUCMD_NV_TLB_LEVEL_UP_TO_PDE4,
};

/* An invalidation, then barriers of the GPU, then of the system. */
typedef struct tlb_row {
    unsigned number;
    gpucmd_nv_chip chip;
    gpucmd_nv_tlb tlb;
    unsigned gpu_membars, sys_membars;
    uint32_t words[5]; /* of the invalidation; before GP100 3 */
} tlb_row;

/* clang-format off */
static const tlb_row tlb_rows[] = {
    { 9, CHIP(GM107), { .pdb_va = 0xc34d0bf000, .target = COH }, 0, 0,
      { 0x2002000a, 0xb0d342fc, 0x48000000 } },
    { 10, CHIP(GM200), { .pdb_va = 0x8c7ca12000, .target = COH }, 0, 0,
      { 0x2002000c, 0x7ca12800, 0x4800008c } },
    { 11, CHIP(GP100), { .pdb_va = 0x44f227b13000, .level = PDE3 }, 0, 0,
      { 0x2004000a, 0, 0, 0x27b13280, 0x480044f2 } },
    { 12, CHIP(GP100), { .pdb_va = 0x28d6e5419000, .level = PDE3, .ack = GLOBALLY }, 3, 0,
      { 0x2004000a, 0, 0, 0xe54192a0, 0x480028d6 } },
    { 13, CHIP(GP100), { .pdb_va = 0x5edcf2bac70000, .target = COH, .level = PDE1,
                         .ack = GLOBALLY }, 2, 1,
      { 0x2004000a, 0, 0, 0xbac709a0, 0x485edcf2 } },
    { 14, CHIP(GP104), { .pdb_va = 0x3060efe90000, .va = 0x2f6583a8f000, .flags = VA,
                         .level = PDE2, .ack = GLOBALLY }, 0, 0,
      { 0x2004000a, 0x83a8f000, 0x00002f65, 0xefe90220, 0x50003060 } },
    { 14, CHIP(GP104), { .pdb_va = 0x3060efe90000, .va = 0x2f6583a90000, .flags = VA,
                         .level = PDE2, .ack = GLOBALLY }, 1, 0,
      { 0x2004000a, 0x83a90000, 0x00002f65, 0xefe90220, 0x50003060 } },
    { 15, CHIP(GV100), { .pdb_va = 0x1360fe4a9000, .target = COH, .va = 0x1244f8960000,
                         .flags = VA, .size_log2 = 8, .level = PDE0, .ack = GLOBALLY }, 2, 1,
      { 0x2004000a, 0xf8960008, 0x00001244, 0xfe4a9920, 0x50001360 } },
    { 16, CHIP(GV100), { .pdb_va = 0x20007d149000, .va = 0x6fe2ed711000, .flags = VA | HUB,
                         .level = PDE0, .ack = GLOBALLY }, 2, 1,
      { 0x2004000a, 0xed711000, 0x00006fe2, 0x7d149122, 0x50002000 } },
    { 17, CHIP(TU102), { .pdb_va = 0x1d9ac04d5000, .target = COH, .level = PDE0 }, 0, 0,
      { 0x2004000a, 0, 0, 0xc04d5900, 0x48001d9a } },
    { 18, CHIP(TU102), { .pdb_va = 0xb3b4000b702000, .target = COH, .level = PDE2,
                         .ack = GLOBALLY }, 1, 0,
      { 0x2004000a, 0, 0, 0x0b702a20, 0x48b3b400 } },
    { 19, CHIP(TU102), { .pdb_va = 0x4d337846d000, .target = COH, .flags = SYS, .level = PDE1 },
      0, 0, { 0x2004000a, 0x800, 0, 0x7846d9a0, 0x48004d33 } },
    { 20, CHIP(TU102), { .pdb_va = 0x4d337846d000, .target = COH, .flags = SYS | VA,
                         .level = PDE1, .va = 0x65067485000, .size_log2 = 5 }, 0, 0,
      { 0x2004000a, 0x67485805, 0x650, 0x7846d9a0, 0x50004d33 } },
    { 21, CHIP(GA102), { .pdb_va = 0x3e19e29a5a5000, .level = PTE, .ack = GLOBALLY,
                         .scope = SCOPE }, 1, 0,
      { 0x2004000a, 0x80, 0, 0x9a5a50a0, 0x483e19e2 } },
    { 22, CHIP(GA102), { .pdb_va = 0x59db6af70000, .target = COH, .level = PDE0, .scope = SCOPE,
                         .flags = SYS }, 0, 0,
      { 0x2004000a, 0x880, 0, 0x6af70920, 0x480059db } },
    { 23, CHIP(GA102), { .pdb_va = 0x59db6af70000, .target = COH, .level = PDE0, .scope = SCOPE,
                         .flags = SYS | VA, .va = 0xb62a8bd0000, .size_log2 = 11 }, 0, 0,
      { 0x2004000a, 0xa8bd088b, 0xb62, 0x6af70920, 0x500059db } },
    { 24, CHIP(GH100), { .pdb_va = 0x19065a36a000, .target = COH, .level = PDE1, .scope = SCOPE,
                         .ack = GLOBALLY }, 1, 0,
      { 0x2004000a, 0x80, 0, 0x5a36a9a0, 0x48001906 } },
    { 25, CHIP(GH100), { .pdb_va = 0x2bc0d1cc7000, .level = PDE3, .scope = SCOPE, .flags = SYS },
      0, 0, { 0x2004000a, 0x880, 0, 0xd1cc72a0, 0x48002bc0 } },
    { 26, CHIP(GB100), { .pdb_va = 0x8e0c5127000, .level = PDE0, .scope = SCOPE,
                         .ack = GLOBALLY }, 0, 0,
      { 0x2004000a, 0x80, 0, 0xc5127120, 0x480008e0 } },
    { 27, CHIP(GB100), { .pdb_va = 0x1705dacec000, .level = PDE4, .scope = SCOPE, .flags = SYS },
      0, 0, { 0x2004000a, 0x880, 0, 0xdacec320, 0x48001705 } },
    { 28, CHIP(GB100), { .pdb_va = 0x1705dacec000, .level = PDE4, .scope = SCOPE,
                         .flags = SYS | VA, .va = 0xbda01aee075000, .size_log2 = 8 }, 0, 0,
      { 0x2004000a, 0xee075888, 0x00bda01a, 0xdacec320, 0x50001705 } },
    { 29, CHIP(TU102), { .pdb_va = 0xb3b4000b702000, .target = COH, .level = PDE2,
                         .ack = GLOBALLY, .flags = VA, .va = 0x10a4126e0000, .size_log2 = 9 }, 1, 0,
      { 0x2004000a, 0x126e0009, 0x10a4, 0x0b702a20, 0x50b3b400 } },
    { 31, CHIP(GB100), { .pdb_va = 0xee62da848c8000, .target = COH, .flags = HUB | VA,
                         .level = PTE }, 0, 0,
      { 0x2004000a, 0, 0, 0x848c8882, 0x50ee62da } },
    { 32, CHIP(GP100), { .pdb_va = 0x13333afd4000, .target = COH, .flags = VA, .level = PTE,
                         .replay = GPUCMD_NV_TLB_REPLAY_START }, 0, 0,
      { 0x2004000a, 0, 0, 0x3afd4884, 0x50001333 } },
    { 33, CHIP(GV100), { .flags = VA, .level = PTE,
                         .replay = GPUCMD_NV_TLB_REPLAY_START_ACK_ALL }, 0, 0,
      { 0x2004000a, 0, 0, 0x88, 0x50000000 } },
    { 34, CHIP(TU102), { .pdb_va = 0x645c90159000, .target = COH, .flags = VA, .engine = 120,
                         .va = 0x120306d9c000, .replay = GPUCMD_NV_TLB_REPLAY_CANCEL_VA_GLOBAL,
                         .access_mask = GPUCMD_NV_TLB_ACCESS_ALL }, 0, 0,
      { 0x2004000a, 0x06d9c078, 0x1203, 0x90159b94, 0x5000645c } },
    { 35, CHIP(GH100), { .pdb_va = 0x6ed4681e4000, .target = COH, .flags = VA, .engine = 307,
                         .va = 0x60f9624b3000, .replay = GPUCMD_NV_TLB_REPLAY_CANCEL_VA_GLOBAL,
                         .access_mask = GPUCMD_NV_TLB_ACCESS_ALL }, 0, 0,
      { 0x2004000a, 0x624b3133, 0x60f9, 0x681e4b94, 0x50006ed4 } },
    { 36, CHIP(TU102), { .pdb_va = 0x21832606a000, .flags = VA, .engine = 52,
                         .va = 0x14c0c76d000, .replay = GPUCMD_NV_TLB_REPLAY_CANCEL_VA_GLOBAL,
                         .access_mask = GPUCMD_NV_TLB_ACCESS_WRITE_AND_ATOMIC }, 0, 0,
      { 0x2004000a, 0x0c76d034, 0x14c, 0x2606a314, 0x50002183 } },
    /* 1.5: every page directory, physical addresses, on Blackwell */
    { 0, CHIP(GB100), { .flags = GPUCMD_NV_TLB_ALL | HUB, .scope = SCOPE }, 0, 0,
      { 0x2004000a, 0x80, 0, 3, 0x48000000 } },
    /* 1.4: CANCEL_TARGETED with GPC and uTLB, page directory of 59 bits */
    { 0, CHIP(GP100), { .pdb_va = 0x7fffffffffff000, .gpc = 29, .client = 20,
                        .replay = GPUCMD_NV_TLB_REPLAY_CANCEL_TARGETED }, 0, 0,
      { 0x2004000a, 0x754, 0, 0xfffff00c, 0x4fffffff } },
};
/* clang-format on */

/* Compare the words of w with the expected ones. */
static void same(const uint32_t *want, size_t n, unsigned number)
{
    size_t len_dw = 0;
    EQUAL(gpucmd_writer_finish(&w, &len_dw), GPUCMD_OK);
    EQUAL(len_dw, n);
    for (size_t i = 0; i < n && i < len_dw; i++) {
        if (!EQUAL(test.words[1 + i], want[i])) {
            printf("    number %u, word %u\n", number, (unsigned)i);
        }
    }
}

static void tlb(void)
{
    for (size_t i = 0; i < sizeof tlb_rows / sizeof tlb_rows[0]; i++) {
        const tlb_row *r = &tlb_rows[i];
        uint32_t want[20];
        size_t n = r->chip < CHIP(GP100) ? 3 : 5;
        memcpy(want, r->words, n * 4);
        for (unsigned k = 0; k < r->gpu_membars + r->sys_membars; k++, n += 5) {
            const uint32_t membar[5] = {0x2004000a, 0, 0, k < r->gpu_membars, 0x28000000};
            memcpy(want + n, membar, sizeof membar);
        }
        known(r->number);
        test_begin(0, n);
        gpucmd_nv_emit_tlb_invalidate(&w, r->chip, &r->tlb);
        for (unsigned k = 0; k < r->gpu_membars + r->sys_membars; k++) {
            gpucmd_nv_emit_membar(&w, r->chip, k < r->gpu_membars);
        }
        same(want, n, r->number);
    }
    /* sizes of 15, 20, 23, 28, 29; one page; a range with the highest bit */
    EQUAL(gpucmd_nv_tlb_size_log2(0x1244f8960000, 0x70000), 8);
    EQUAL(gpucmd_nv_tlb_size_log2(0x65067485000, 0x19000), 5);
    EQUAL(gpucmd_nv_tlb_size_log2(0xb62a8bd0000, 0x1c0000), 11);
    EQUAL(gpucmd_nv_tlb_size_log2(0xbda01aee075000, 0xd000), 8);
    EQUAL(gpucmd_nv_tlb_size_log2(0x10a4126e0000, 0xf0000), 9);
    EQUAL(gpucmd_nv_tlb_size_log2(0x5000, 0x1000), 0);
    EQUAL(gpucmd_nv_tlb_size_log2(0x7ffffffffffff000, 0x2000), 52);
}

/* Expect an invalidation to be rejected. */
static void tlb_fails(gpucmd_nv_chip chip, gpucmd_nv_tlb t, gpucmd_status status)
{
    FAILS(status, gpucmd_nv_emit_tlb_invalidate(&w, chip, &t));
}

#define TLB(...) ((gpucmd_nv_tlb){__VA_ARGS__})

static void tlb_rejected(void)
{
    /* SYSMEMBAR and replay belong to the TLBs of GPCs (number 30 of the sheet, a test of UVM, sets
     * SYSMEMBAR without them; the hardware ignores it) */
    known(30);
    tlb_fails(CHIP(GB202), TLB(.pdb_va = 0x499608d46000, .flags = HUB | SYS, .level = PDE3),
              GPUCMD_RANGE);
    tlb_fails(CHIP(GP100), TLB(.flags = HUB, .replay = 1), GPUCMD_RANGE);
    /* chips */
    tlb_fails(CHIP(MCP89), TLB(.flags = 0), GPUCMD_UNSUPPORTED);
    tlb_fails(CHIP(GM20B), TLB(.flags = SYS), GPUCMD_UNSUPPORTED);
    tlb_fails(CHIP(GM20B), TLB(.flags = VA), GPUCMD_UNSUPPORTED);
    tlb_fails(CHIP(GM107), TLB(.level = PTE), GPUCMD_UNSUPPORTED);
    tlb_fails(CHIP(GK104), TLB(.ack = 1), GPUCMD_UNSUPPORTED);
    tlb_fails(CHIP(GF100), TLB(.replay = 1), GPUCMD_UNSUPPORTED);
    tlb_fails(CHIP(GP10B), TLB(.flags = VA, .size_log2 = 1), GPUCMD_UNSUPPORTED);
    tlb_fails(CHIP(GP100), TLB(.flags = VA, .replay = 5), GPUCMD_UNSUPPORTED);
    tlb_fails(CHIP(TU102), TLB(.scope = SCOPE), GPUCMD_UNSUPPORTED);
    /* values */
    tlb_fails(CHIP(GF100), TLB(.pdb_va = 0x10000000000), GPUCMD_RANGE);
    tlb_fails(CHIP(GP100), TLB(.pdb_va = 0x800000000000000), GPUCMD_RANGE);
    tlb_fails(CHIP(GF100), TLB(.pdb_va = 0x800), GPUCMD_ALIGN);
    tlb_fails(CHIP(GV100), TLB(.flags = VA, .va = 0x800), GPUCMD_ALIGN);
    tlb_fails(CHIP(GF100), TLB(.target = 1), GPUCMD_RANGE);
    tlb_fails(CHIP(GP100), TLB(.target = 4), GPUCMD_RANGE);
    tlb_fails(CHIP(GP100), TLB(.flags = 16), GPUCMD_RANGE);
    tlb_fails(CHIP(GP100), TLB(.flags = GPUCMD_NV_TLB_ALL, .pdb_va = 0x1000), GPUCMD_RANGE);
    tlb_fails(CHIP(GP100), TLB(.flags = GPUCMD_NV_TLB_ALL, .target = COH), GPUCMD_RANGE);
    tlb_fails(CHIP(GP100), TLB(.flags = GPUCMD_NV_TLB_ALL | VA), GPUCMD_RANGE);
    tlb_fails(CHIP(GP100), TLB(.va = 0x1000), GPUCMD_RANGE);
    tlb_fails(CHIP(GP100), TLB(.level = 8), GPUCMD_RANGE);
    tlb_fails(CHIP(GP100), TLB(.ack = 3), GPUCMD_RANGE);
    tlb_fails(CHIP(GA100), TLB(.scope = 3), GPUCMD_RANGE);
    tlb_fails(CHIP(GA100), TLB(.scope = SCOPE, .replay = 1), GPUCMD_RANGE);
    tlb_fails(CHIP(GA100), TLB(.replay = 6), GPUCMD_RANGE);
    tlb_fails(CHIP(GV100), TLB(.size_log2 = 1), GPUCMD_RANGE);
    tlb_fails(CHIP(GV100), TLB(.flags = VA, .size_log2 = 52), GPUCMD_RANGE);
    tlb_fails(CHIP(GV100), TLB(.flags = VA, .size_log2 = 1, .replay = 4), GPUCMD_RANGE);
    tlb_fails(CHIP(GV100), TLB(.replay = 5), GPUCMD_RANGE);
    tlb_fails(CHIP(GV100), TLB(.flags = VA, .replay = 5, .level = PTE), GPUCMD_RANGE);
    tlb_fails(CHIP(GV100), TLB(.flags = VA, .replay = 5, .engine = 128), GPUCMD_RANGE);
    tlb_fails(CHIP(GH100), TLB(.flags = VA, .replay = 5, .engine = 512), GPUCMD_RANGE);
    tlb_fails(CHIP(GV100), TLB(.flags = VA, .replay = 5, .access_mask = 8), GPUCMD_RANGE);
    tlb_fails(CHIP(GV100), TLB(.flags = VA, .replay = 5, .access_mask = 3), GPUCMD_RANGE);
    tlb_fails(CHIP(GV100), TLB(.access_mask = 1), GPUCMD_RANGE);
    tlb_fails(CHIP(GV100), TLB(.engine = 1), GPUCMD_RANGE);
    tlb_fails(CHIP(GV100), TLB(.gpc = 1), GPUCMD_RANGE);
    tlb_fails(CHIP(GV100), TLB(.replay = 3, .gpc = 32), GPUCMD_RANGE);
    tlb_fails(CHIP(GV100), TLB(.replay = 3, .client = 64), GPUCMD_RANGE);
}

static void other_mem_ops(void)
{
    known(1);
    EMITS(WORDS(0x2001001e, 0), gpucmd_nv_emit_wfi(&w, CHIP(GM107), false));
    known(2); /* UVM writes B alone; the recipe also writes A = 0 */
    EMITS(WORDS(0x2001000b, 0x28000000),
          gpucmd_nv_emit_inc1(&w, 0, GPUCMD_NV_HOST_MEM_OP_B,
                              GPUCMD_FIELD_PUT(NV_MEM_OP_OPERATION, GPUCMD_NV_MEM_OP_MEMBAR)));
    EMITS(WORDS(0x2002000a, 0, 0x28000000), gpucmd_nv_emit_membar(&w, CHIP(GM107), false));
    EMITS(WORDS(0x2002000c, 0, 0x28000000), gpucmd_nv_emit_membar(&w, CHIP(GM200), false));
    known(3);
    EMITS(WORDS(0x2004000a, 0, 0, 0, 0x28000000), gpucmd_nv_emit_membar(&w, CHIP(GP100), false));
    known(4);
    EMITS(WORDS(0x2004000a, 0, 0, 1, 0x28000000), gpucmd_nv_emit_membar(&w, CHIP(GP100), true));
    known(41);
    EMITS(WORDS(0x20010021, 0x8000027e),
          gpucmd_nv_emit_clear_faulted(&w, CHIP(GV100), 0x27e, true));
    known(42);
    EMITS(WORDS(0x2004000a, 0, 0, 0, 0xb0000002),
          gpucmd_nv_emit_access_counter_clear(&w, CHIP(TU102), GPUCMD_NV_ACCESS_COUNTER_ALL, false,
                                              0, 0));
    known(43);
    EMITS(WORDS(0x2004000a, 0, 0, 0x45eeb, 0xb0000013),
          gpucmd_nv_emit_access_counter_clear(&w, CHIP(TU102), GPUCMD_NV_ACCESS_COUNTER_TARGETED,
                                              false, 2, 0x45eeb));
    EMITS(WORDS(0x2004000a, 0, 0, 0xfffff, 0xb000007f),
          gpucmd_nv_emit_access_counter_clear(&w, CHIP(GV100), 3, true, 15, 0xfffff));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_nv_emit_access_counter_clear(&w, CHIP(GP10B), 2, false, 0, 0));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_access_counter_clear(&w, CHIP(GV100), 4, false, 0, 0));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_access_counter_clear(&w, CHIP(GV100), 3, false, 16, 0));
    FAILS(GPUCMD_RANGE,
          gpucmd_nv_emit_access_counter_clear(&w, CHIP(GV100), 3, false, 0, 0x100000));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_access_counter_clear(&w, CHIP(GV100), 2, false, 0, 1));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_access_counter_clear(&w, CHIP(GV100), 2, true, 0, 0));
    known(44);
    EMITS(WORDS(0x2004000a, 0, 0, 0, 0x70000000),
          gpucmd_nv_emit_mem_op(&w, CHIP(GA102), GPUCMD_NV_MEM_OP_L2_SYSMEM_INVALIDATE));
    known(45);
    EMITS(WORDS(0x2004000a, 0, 0, 0, 0x80000000), gpucmd_nv_emit_l2_flush_dirty(&w, CHIP(GB100)));
    EMITS(WORDS(0x2004000a, 0, 0, 0, 0x88000000),
          gpucmd_nv_emit_mem_op(&w, CHIP(GB100), GPUCMD_NV_MEM_OP_L2_SYSMEM_NCOH_INVALIDATE));
    /* 1.4: MMU_OPERATION has one type, VIDMEM_ACCESS_BIT_DUMP */
    EMITS(WORDS(0x2004000a, 0, 0, 0, 0x58100000),
          gpucmd_nv_emit_mem_op(&w, CHIP(GH100), GPUCMD_NV_MEM_OP_MMU_OPERATION));
    FAILS(GPUCMD_UNSUPPORTED,
          gpucmd_nv_emit_mem_op(&w, CHIP(GA100), GPUCMD_NV_MEM_OP_MMU_OPERATION));
}

/* ---- copy engine ---------------------------------------------------------------------------- */

typedef struct ce_row {
    unsigned number;
    gpucmd_nv_chip chip;
    gpucmd_nv_ce ce;
    uint32_t words[20]; /* up to the first UNUSED */
} ce_row;

#define UNUSED   0xfeedface
#define CE(name) GPUCMD_NV_CE_##name
#define PHYS(at, mode)                                                                             \
    {                                                                                              \
        .va = (at), .physical = true, .phys_mode = GPUCMD_NV_CE_PHYS_##mode                        \
    }
#define PLAIN CE(NON_PIPELINED)
#define COMP1 0x00000005u /* one component of CONST_B, 1 byte */
#define COMP4 0x00030005u
#define COMP8 0x01030054u /* CONST_A, CONST_B, 4 bytes each */

/* clang-format off */
static const ce_row ce_rows[] = {
    { 55, CHIP(GM107), { .launch = CE(SEM_ONE_WORD) | CE(FLUSH_SYS), .sem_va = 0xd80391ffb0,
                         .sem_payload = 0x9ea524f2 },
      { 0x20038090, 0xd8, 0x0391ffb0, 0x9ea524f2, 0x200180c0, 0xc, UNUSED } },
    { 56, CHIP(GP100), { .launch = CE(SEM_ONE_WORD), .sem_va = 0x684410a90580,
                         .sem_payload = 0x661a61df },
      { 0x20038090, 0x6844, 0x10a90580, 0x661a61df, 0x200180c0, 0x8, UNUSED } },
    { 57, CHIP(GV100), { .launch = CE(SEM_ONE_WORD) | CE(FLUSH_GL), .sem_va = 0x74bb7a476330,
                         .sem_payload = 0x2167ed2 },
      { 0x20038090, 0x74bb, 0x7a476330, 0x2167ed2, 0x200180c0, 0x200000c, UNUSED } },
    { 58, CHIP(GA102), { .launch = CE(SEM_ONE_WORD) | CE(FLUSH_GL) | CE(DISABLE_PLC),
                         .sem_va = 0x46731ad6e680, .sem_payload = 0x8ea1b6a2 },
      { 0x20038090, 0x4673, 0x1ad6e680, 0x8ea1b6a2, 0x200180c0, 0x600000c, UNUSED } },
    { 59, CHIP(GH100), { .launch = CE(SEM_ONE_WORD) | CE(FLUSH_GL) | CE(DISABLE_PLC),
                         .sem_va = 0x92d25d95693260, .sem_payload = 0xb7fd127b },
      { 0x20038090, 0x92d25d, 0x95693260, 0xb7fd127b, 0x200180c0, 0x600000c, UNUSED } },
    { 60, CHIP(GA102), { .launch = CE(SEM_FOUR_WORD) | CE(FLUSH_SYS) | CE(DISABLE_PLC),
                         .sem_va = 0x19acb9f41080, .sem_payload = 0xdeadbeef },
      { 0x20038090, 0x19ac, 0xb9f41080, 0xdeadbeef, 0x200180c0, 0x4000014, UNUSED } },
    { 61, CHIP(GA102), { .launch = CE(SEM_ONE_WORD) | CE(REDUCTION) | CE(REDUCTION_INC) |
                                   CE(REDUCTION_UNSIGNED) | CE(FLUSH_SYS) | CE(DISABLE_PLC),
                         .sem_va = 0x19acb9f41380, .sem_payload = 0x6449ee1c },
      { 0x20038090, 0x19ac, 0xb9f41380, 0x6449ee1c, 0x200180c0, 0x40d800c, UNUSED } },
    { 62, CHIP(GH100), { .launch = CE(SEM_ONE_WORD) | CE(REDUCTION) | CE(REDUCTION_INC) |
                                   CE(REDUCTION_UNSIGNED) | CE(DISABLE_PLC),
                         .sem_va = 0x12adc3d42a5c20, .sem_payload = 0x55263ed9 },
      { 0x20038090, 0x12adc3, 0xd42a5c20, 0x55263ed9, 0x200180c0, 0x40d8008, UNUSED } },
    { 63, CHIP(GP100), { .launch = CE(PIPELINED), .dst = { .va = 0xd614ed24ae70 },
                         .src = PHYS(0x41fe2b350, COHERENT_SYSMEM), .length = 1016234 },
      { 0x20018098, 1, 0x20048100, 4, 0x1fe2b350, 0xd614, 0xed24ae70, 0x20018106, 0xf81aa,
        0x200180c0, 0x1181, UNUSED } },
    { 64, CHIP(TU102), { .launch = CE(PIPELINED) | CE(FLUSH_GL), .length = 320519,
                         .dst = PHYS(0x4f902c72d0, LOCAL_FB), .src = PHYS(0x4703b46e90, LOCAL_FB) },
      { 0x20028098, 0, 0, 0x20048100, 0x47, 0x03b46e90, 0x4f, 0x902c72d0, 0x20018106, 0x4e407,
        0x200180c0, 0x2003185, UNUSED } },
    { 65, CHIP(GA102), { .launch = PLAIN | CE(FLUSH_SYS) | CE(DISABLE_PLC), .length = 335243,
                         .dst = PHYS(0x83041b6480, PEERMEM), .src = { .va = 0x3bed95577c30 } },
      { 0x20018099, 3, 0x20048100, 0x3bed, 0x95577c30, 0x83, 0x041b6480, 0x20018106, 0x51d8b,
        0x200180c0, 0x4002186, UNUSED } },
    { 66, CHIP(GH100), { .launch = CE(PIPELINED) | CE(FLUSH_GL) | CE(DISABLE_PLC) |
                                   CE(NONPROT2NONPROT), .length = 146742,
                         .dst = { .va = 0x1ef7703464c12d0 }, .src = { .va = 0x1b811eeb7fed720 } },
      { 0x20048100, 0x1b811ee, 0xb7fed720, 0x1ef7703, 0x464c12d0, 0x20018106, 0x23d36, 0x200180c0,
        0x6200185, UNUSED } },
    { 67, CHIP(GP100), { .launch = PLAIN, .length = 34499, .components = COMP4,
                         .const_b = 0x77ad3cfa, .dst = PHYS(0x964b624920, LOCAL_FB) },
      { 0x200281c1, 0x77ad3cfa, 0x30005, 0x20018099, 0, 0x20028102, 0x96, 0x4b624920, 0x20018106,
        0x86c3, 0x200180c0, 0x2582, UNUSED } },
    { 68, CHIP(TU102), { .launch = CE(PIPELINED), .length = 260707, .components = COMP1,
                         .const_b = 0xe3, .dst = { .va = 0x6b08d6b86cc0 } },
      { 0x200281c1, 0xe3, 5, 0x20028102, 0x6b08, 0xd6b86cc0, 0x20018106, 0x3fa63, 0x200180c0,
        0x581, UNUSED } },
    { 69, CHIP(GA102), { .launch = CE(PIPELINED) | CE(FLUSH_GL) | CE(DISABLE_PLC),
                         .length = 69575, .components = COMP4, .const_b = 0x926f78e4,
                         .dst = { .va = 0x8ec115892740 } },
      { 0x200281c1, 0x926f78e4, 0x30005, 0x20028102, 0x8ec1, 0x15892740, 0x20018106, 0x10fc7,
        0x200180c0, 0x6000585, UNUSED } },
    { 71, CHIP(GH100), { .launch = CE(PIPELINED) | CE(DISABLE_PLC), .length = 69168,
                         .components = COMP8, .const_a = 0xfc9f28b8, .const_b = 0xd73c3e75,
                         .dst = { .va = 0x13ed4d2beb6f990 } },
      { 0x200381c0, 0xfc9f28b8, 0xd73c3e75, 0x1030054, 0x20028102, 0x13ed4d2, 0xbeb6f990,
        0x20018106, 0x10e30, 0x200180c0, 0x4000581, UNUSED } },
    { 72, CHIP(GH100), { .launch = PLAIN | CE(DISABLE_PLC) | CE(SCRUB), .length = 6082560,
                         .components = COMP8, .const_a = 0x96969696, .const_b = 0x96969696,
                         .dst = PHYS(0xb021980000, LOCAL_FB) },
      { 0x200381c0, 0x96969696, 0x96969696, 0x1030054, 0x20018099, 0, 0x200181bf, 0, 0x20028102,
        0xb0, 0x21980000, 0x20018106, 0x5cd000, 0x200180c0, 0x4802182, UNUSED } },
    { 73, CHIP(GH100), { .launch = CE(PIPELINED) | CE(DISABLE_PLC) | CE(SCRUB) | CE(FLUSH_SYS),
                         .length = 0x39a000, .components = COMP8, .const_a = 0x2bb77147,
                         .const_b = 0x1519c970, .dst = PHYS(0xe7dca7d000, LOCAL_FB) },
      { 0x200381c0, 0x2bb77147, 0x1519c970, 0x1030054, 0x20018099, 0, 0x200181bf, 0, 0x20028102,
        0xe7, 0xdca7d000, 0x20018106, 0x39a000, 0x200180c0, 0x4802185, UNUSED } },
    { 74, CHIP(GH100), { .launch = PLAIN | CE(DISABLE_PLC) | CE(SECURE), .length = 38336,
                         .dst = PHYS(0x6bb0e57080, COHERENT_SYSMEM), .src = { .va = 0x7458f33a20 },
                         .tag_va = 0xbad9149420, .iv_va = 0xe7a7fe87c0 },
      { 0x20018140, 0, 0x2004814c, 0xba, 0xd9149420, 0xe7, 0xa7fe87c0, 0x20018099, 1, 0x20048100,
        0x74, 0x58f33a20, 0x6b, 0xb0e57080, 0x20018106, 0x95c0, 0x200180c0, 0x4102182, UNUSED } },
    { 75, CHIP(GH100), { .launch = PLAIN | CE(DISABLE_PLC) | CE(SECURE) | CE(FLUSH_SYS),
                         .length = 107936, .decrypt = true, .dst = { .va = 0x68e00d1a60 },
                         .src = { .va = 0xb47c8d3040 }, .tag_va = 0x80d63da6a0 },
      { 0x20018140, 1, 0x20028145, 0x80, 0xd63da6a0, 0x20048100, 0xb4, 0x7c8d3040, 0x68,
        0xe00d1a60, 0x20018106, 0x1a5a0, 0x200180c0, 0x4100186, UNUSED } },
    { 92, CHIP(GK104), { .launch = PLAIN | CE(FLUSH_SYS), .immediate = true, .length = 4096,
                         .lines = 860, .dst = { .va = 0xb6b9aee000, .pitch = 4096 },
                         .src = { .va = 0x83f91ca000, .pitch = 4096 } },
      { 0x20088100, 0x83, 0xf91ca000, 0xb6, 0xb9aee000, 0x1000, 0x1000, 0x1000, 0x35c, 0x838680c0,
        UNUSED } },
    { 98, CHIP(GA102), { .launch = CE(SEM_FOUR_WORD) | CE(FLUSH_SYS), .sem_va = 0x92265b1f50,
                         .sem_payload = 0xc386bbc4 },
      { 0x20038090, 0x92, 0x265b1f50, 0xc386bbc4, 0x200180c0, 0x14, UNUSED } },
    /* 2.2: RM's copy with its semaphore in one launch, PAYLOAD_SIZE and an interrupt */
    { 0, CHIP(GA102), { .subc = 3, .launch = CE(PIPELINED) | CE(SEM_ONE_WORD) | CE(SEM_64BIT) |
                                             CE(INTERRUPT_NON_BLOCKING), .length = 16,
                        .dst = { .va = 0x1000 }, .src = { .va = 0x2000 }, .sem_va = 0x3008,
                        .sem_payload = 0x700000009 },
      { 0x20046100, 0, 0x2000, 0, 0x1000, 0x20016106, 16, 0x20046090, 0, 0x3008, 9, 7, 0x200160c0,
        0x80001c9, UNUSED } },
};
/* clang-format on */

static void copies(void)
{
    for (size_t i = 0; i < sizeof ce_rows / sizeof ce_rows[0]; i++) {
        gpucmd_nv_ce ce = ce_rows[i].ce;
        size_t n = 0;
        while (ce_rows[i].words[n] != UNUSED) {
            n++;
        }
        ce.subc = ce.subc != 0 ? ce.subc : 4;
        known(ce_rows[i].number);
        for (int pass = 0; pass < 4; pass++) {
            test_begin(pass, n);
            gpucmd_nv_emit_ce(&w, ce_rows[i].chip, &ce);
            test_end(pass, ce_rows[i].words, n, __FILE__, __LINE__, "emit_ce");
        }
    }
}

/* Both sides block-linear, with two lines: DST_BLOCK_SIZE 0x70c, SRC_BLOCK_SIZE 0x728, 6 words
 * each; LAUNCH_DMA bits 7, 8 are 0, bit 9 is MULTI_LINE. 2.1, 2.2 */
static void block_linear(void)
{
    static const gpucmd_nv_ce_blocks from = {0x1040, 256, 64, 1, 2, 3, 4};
    static const gpucmd_nv_ce_blocks to = {0x1110, 128, 32, 8, 7, 6, 5};
    gpucmd_nv_ce ce = {.subc = 4, .launch = PLAIN, .length = 32, .lines = 2};
    ce.sem_va = 3; /* not used: the copy has no semaphore */
    ce.sem_payload = 1ull << 32;
    ce.dst.va = 0x10000;
    ce.dst.blocks = &to;
    ce.src.va = 0x20000;
    ce.src.blocks = &from;
    EMITS(WORDS(0x200681c3, 0x1110, 128, 32, 8, 7, 0x50006, 0x200681ca, 0x1040, 256, 64, 1, 2,
                0x40003, 0x20088100, 0, 0x20000, 0, 0x10000, 0, 0, 32, 2, 0x200180c0, 0x202),
          gpucmd_nv_emit_ce(&w, CHIP(GA102), &ce));
    ce.src.blocks = NULL;
    ce.src.pitch = 64;
    EMITS(WORDS(0x200681c3, 0x1110, 128, 32, 8, 7, 0x50006, 0x20088100, 0, 0x20000, 0, 0x10000, 64,
                0, 32, 2, 0x200180c0, 0x282),
          gpucmd_nv_emit_ce(&w, CHIP(GA102), &ce));
    /* a fill of lines: OFFSET_OUT_UPPER to LINE_COUNT in one run */
    ce.components = COMP4;
    ce.dst.blocks = NULL;
    ce.dst.pitch = 128;
    EMITS(WORDS(0x200281c1, 0, COMP4, 0x20068102, 0, 0x10000, 64, 128, 32, 2, 0x200180c0, 0x782),
          gpucmd_nv_emit_ce(&w, CHIP(GA102), &ce));
}

/* Expect the operation to be rejected on the chip. */
static void ce_fails(gpucmd_nv_chip chip, gpucmd_nv_ce ce, gpucmd_status status)
{
    FAILS(status, gpucmd_nv_emit_ce(&w, chip, &ce));
}

/* A copy of one byte. */
static gpucmd_nv_ce one_byte(gpucmd_nv_ce ce)
{
    ce.length = 1;
    ce.launch = ce.launch != 0 ? ce.launch : PLAIN;
    return ce;
}

#define SEM(...) ((gpucmd_nv_ce){__VA_ARGS__})
#define OP(...)  one_byte(SEM(__VA_ARGS__))

/* Expect bits of LAUNCH_DMA from one chip on, until another. 2.2 */
static void launch_until(uint32_t launch, gpucmd_nv_chip since, gpucmd_nv_chip until)
{
    for (unsigned chip = CHIP(GF100); chip < GPUCMD_NV_CHIP_COUNT; chip++) {
        gpucmd_nv_ce ce = OP(.subc = 4);
        if (chip == (unsigned)CHIP(GP10B) && since == CHIP(GP102)) {
            continue; /* has C0B5 */
        }
        ce.launch = launch == CE(PREFETCH) ? launch : PLAIN | launch;
        test_begin(0, GPUCMD_NV_CE_MAX_DW);
        gpucmd_nv_emit_ce(&w, (gpucmd_nv_chip)chip, &ce);
        EQUAL(w.status,
              chip >= (unsigned)since && chip < (unsigned)until ? GPUCMD_OK : GPUCMD_UNSUPPORTED);
    }
}

/* Layouts, lines, remap and physical addresses are decided by other members, so their bits of
 * launch must be 0: 7 and 8 pitch, 9 lines, 10 remap, 12 and 13 physical. [85B5] LAUNCH_DMA */
static void launch_decided(void)
{
    static const uint32_t bits[] = {7, 8, 9, 10, 12, 13};
    for (unsigned i = 0; i < sizeof bits / sizeof bits[0]; i++) {
        gpucmd_nv_ce ce = OP(.subc = 4);
        ce.launch |= 1u << bits[i];
        ce_fails(CHIP(GA102), ce, GPUCMD_RANGE);
    }
}

static void launch_by_class(void)
{
    const gpucmd_nv_chip later = (gpucmd_nv_chip)GPUCMD_NV_CHIP_LATER;
    launch_until(CE(FLUSH_SYS), CHIP(GF100), later);
    launch_until(CE(FLUSH_GL), CHIP(GV100), later);
    launch_until(CE(SEM_ONE_WORD), CHIP(GF100), later);
    launch_until(CE(SEM_CONDITIONAL_INTR), CHIP(TU102), later);
    launch_until(CE(INTERRUPT_BLOCKING), CHIP(GF100), later);
    launch_until(CE(SEM_64BIT), CHIP(GA102), later);
    launch_until(CE(REDUCTION), CHIP(GK104), later);
    launch_until(CE(REDUCTION_UNSIGNED), CHIP(GK104), later);
    launch_until(CE(REDUCTION_FADD), CHIP(GK104), later);
    launch_until(CE(REDUCTION_IMUL), CHIP(GK104), CHIP(GM107));
    launch_until(1u << 11, CHIP(GK104), CHIP(GB100)); /* BYPASS_L2, then FORCE_RMWDISABLE */
    launch_until(CE(SRC_BYPASS_L2) | CE(DST_BYPASS_L2), CHIP(GP100), CHIP(GA100));
    launch_until(CE(VPR_VID2VID), CHIP(GP102), later);
    launch_until(CE(SCRUB), CHIP(GH100), later);
    launch_until(CE(DISABLE_PLC), CHIP(TU102), later);
    launch_until(CE(PREFETCH), CHIP(GB202), later);
    launch_until(1u << 24, later, later);
    launch_until(1u << 28, later, later);
}

static bool accepts(gpucmd_nv_chip chip, const gpucmd_nv_ce *ce)
{
    test_begin(0, GPUCMD_NV_CE_MAX_DW);
    gpucmd_nv_emit_ce(&w, chip, ce);
    CHECK(w.status == GPUCMD_OK || w.status == GPUCMD_UNSUPPORTED);
    return w.status == GPUCMD_OK;
}

/* Of each class: bits of LAUNCH_DMA, bit op of each SEMAPHORE_REDUCTION, and bits of
 * SET_*_PHYS_MODE, which 90b5 lacks. 2.2 */
static void launch_masks(void)
{
    static const struct {
        gpucmd_nv_chip chip;
        uint32_t class_id, mask, ops, phys;
    } rows[] = {
        {CHIP(GF100), 0x90b5, 0x000007ff, 0x0001, 0    },
        {CHIP(GK104), 0xa0b5, 0x000fffff, 0x7cff, 0x003}, /* all but 8, 9, f */
        {CHIP(GM107), 0xb0b5, 0x001fffff, 0x04ff, 0x003}, /* none of FMIN, FMAX, FMUL, IMUL */
        {CHIP(GP100), 0xc0b5, 0x003fffff, 0x04ff, 0x003},
        {CHIP(GP102), 0xc1b5, 0x007fffff, 0x04ff, 0x003},
        {CHIP(GV100), 0xc3b5, 0x027fffff, 0x04ff, 0x03f},
        {CHIP(TU102), 0xc5b5, 0x067fffff, 0x04ff, 0x03f},
        {CHIP(GA100), 0xc6b5, 0x064fffff, 0x04ff, 0x3ff},
        {CHIP(GA102), 0xc7b5, 0x0e4fffff, 0x1cff, 0x3ff}, /* FMIN, FMAX again */
        {CHIP(GH100), 0xc8b5, 0x0effffff, 0x1cff, 0x3ff},
        {CHIP(GB100), 0xc9b5, 0x0efff7ff, 0x1cff, 0x3ff},
        {CHIP(GB202), 0xcab5, 0x0efff7ff, 0x1cff, 0x3ff},
    };
    EQUAL(gpucmd_nv_launch_mask(0x5039), 0); /* M2MF of G80: no LAUNCH_DMA */
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        EQUAL(gpucmd_nv_launch_mask(rows[i].class_id), rows[i].mask);
        for (uint32_t op = 0; op < 16; op++) {
            gpucmd_nv_ce ce = OP(.subc = 4);
            ce.class_id = rows[i].class_id;
            ce.launch = PLAIN | op << 14;
            if (!EQUAL(accepts(rows[i].chip, &ce), rows[i].ops >> op & 1)) {
                printf("    class %04x, operation %x\n", (unsigned)ce.class_id, (unsigned)op);
            }
        }
        for (uint32_t k = 0; k < 2 * 34; k++) { /* each bit, the targets 0 and 3; of dst and src */
            gpucmd_nv_ce ce = OP(.subc = 4);
            gpucmd_nv_ce_side *const side = k % 2 != 0 ? &ce.dst : &ce.src;
            ce.class_id = rows[i].class_id;
            side->physical = true;
            side->phys_mode = k / 2 < 32 ? 1u << k / 2 : k / 2 == 32 ? 0 : 3;
            if (!EQUAL(accepts(rows[i].chip, &ce),
                       rows[i].phys != 0 && (side->phys_mode & ~rows[i].phys) == 0 &&
                           (side->phys_mode != 3 || ce.class_id >= 0xc6b5))) {
                printf("    class %04x, mode %x\n", (unsigned)ce.class_id,
                       (unsigned)side->phys_mode);
            }
        }
    }
}

static void ce_rejected(void)
{
    static const gpucmd_nv_ce_blocks tesla = {0x0000, 64, 8, 1, 0, 0, 0};
    static const gpucmd_nv_ce_blocks bpp = {0x11000, 64, 8, 1, 0, 0, 0};
    static const gpucmd_nv_ce_blocks far_x = {0x1000, 64, 8, 1, 0, 0x10000, 0};
    static const gpucmd_nv_ce_blocks far_y = {0x1000, 64, 8, 1, 0, 0, 0x10000};
    static const gpucmd_nv_ce_blocks wide = {0x1001, 64, 8, 1, 0, 0, 0};
    static const gpucmd_nv_ce_blocks stray = {0x41000, 64, 8, 1, 0, 0, 0};
    const uint32_t seven = 0x00000007;
    ce_fails(CHIP(MCP89), OP(.subc = 4), GPUCMD_UNSUPPORTED); /* 85B5 has DMA objects */
    ce_fails((gpucmd_nv_chip)GPUCMD_NV_CHIP_LATER, OP(.subc = 4), GPUCMD_UNSUPPORTED);
    ce_fails(CHIP(GA100), OP(.class_id = 0xc7b5), GPUCMD_UNSUPPORTED);
    ce_fails(CHIP(GA102), OP(.subc = 8), GPUCMD_RANGE);
    ce_fails(CHIP(GA102), OP(.launch = PLAIN | 1u << 7), GPUCMD_RANGE); /* other members decide */
    ce_fails(CHIP(GA102), OP(.launch = PLAIN | 1u << 13), GPUCMD_RANGE);
    ce_fails(CHIP(GA102), OP(.launch = PLAIN | 3u << 5), GPUCMD_UNSUPPORTED);
    ce_fails(CHIP(GH100), OP(.launch = PLAIN | 3u << 20), GPUCMD_UNSUPPORTED);
    ce_fails(CHIP(GA102), OP(.launch = PLAIN | CE(SECURE)), GPUCMD_UNSUPPORTED);
    ce_fails(CHIP(GA102), OP(.launch = PLAIN | 8u << 14), GPUCMD_UNSUPPORTED);
    ce_fails(CHIP(GA102), SEM(.launch = PLAIN), GPUCMD_RANGE);
    ce_fails(CHIP(GA102), SEM(.launch = PLAIN | CE(SEM_ONE_WORD), .sem_va = 0x1000), GPUCMD_RANGE);
    ce_fails(CHIP(GA102), OP(.components = seven), GPUCMD_RANGE);
    ce_fails(CHIP(GA102), OP(.components = 0x80000005), GPUCMD_RANGE);
    /* address bits: 40, 49, 57; an older class has fewer */
    ce_fails(CHIP(GM20B), OP(.dst = {.va = 1ull << 40}), GPUCMD_RANGE);
    ce_fails(CHIP(GP100), OP(.src = {.va = 1ull << 49}), GPUCMD_RANGE);
    ce_fails(CHIP(GH100), OP(.src = {.va = 1ull << 57}), GPUCMD_RANGE);
    ce_fails(CHIP(GP102), OP(.class_id = 0xb0b5, .src = {.va = 1ull << 40}), GPUCMD_RANGE);
    ce_fails(CHIP(GP102), SEM(.launch = CE(SEM_ONE_WORD), .sem_va = 1ull << 49), GPUCMD_RANGE);
    ce_fails(CHIP(GP102), SEM(.launch = CE(SEM_ONE_WORD), .sem_va = 2), GPUCMD_ALIGN);
    ce_fails(CHIP(GP102), SEM(.launch = CE(SEM_FOUR_WORD), .sem_va = 8), GPUCMD_ALIGN);
    ce_fails(CHIP(GA102), SEM(.launch = CE(SEM_ONE_WORD) | CE(SEM_64BIT), .sem_va = 4),
             GPUCMD_ALIGN);
    ce_fails(CHIP(GP102), SEM(.launch = CE(SEM_ONE_WORD), .sem_payload = 1ull << 32), GPUCMD_RANGE);
    /* SET_*_PHYS_MODE: A0B5; BASIC_KIND C3B5; PEERMEM, PEER_ID, FLA C6B5 */
    ce_fails(CHIP(GF100), OP(.dst = PHYS(0, LOCAL_FB)), GPUCMD_UNSUPPORTED);
    ce_fails(CHIP(GA100), OP(.dst = {.physical = true, .phys_mode = 0x400}), GPUCMD_UNSUPPORTED);
    ce_fails(CHIP(TU102), OP(.dst = PHYS(0, PEERMEM)), GPUCMD_UNSUPPORTED);
    ce_fails(CHIP(TU102), OP(.src = {.physical = true, .phys_mode = 0x40}), GPUCMD_UNSUPPORTED);
    ce_fails(CHIP(GP102), OP(.src = {.physical = true, .phys_mode = 4}), GPUCMD_UNSUPPORTED);
    /* GOBs of 4 lines until C0B5, KIND_BPP CAB5 */
    ce_fails(CHIP(GP100), OP(.src = {.blocks = &tesla}), GPUCMD_UNSUPPORTED);
    ce_fails(CHIP(GB100), OP(.dst = {.blocks = &bpp}), GPUCMD_UNSUPPORTED);
    ce_fails(CHIP(GB202), OP(.dst = {.blocks = &far_x}), GPUCMD_RANGE);
    ce_fails(CHIP(GB202), OP(.dst = {.blocks = &far_y}), GPUCMD_RANGE);
    ce_fails(CHIP(GB202), OP(.dst = {.blocks = &stray}), GPUCMD_UNSUPPORTED);
    ce_fails(CHIP(GP100), OP(.src = {.blocks = &wide}), GPUCMD_UNSUPPORTED); /* one GOB only */
    ce_fails(CHIP(GH100), OP(.launch = PLAIN | CE(SECURE), .tag_va = 8), GPUCMD_ALIGN);
    ce_fails(CHIP(GH100), OP(.launch = PLAIN | CE(SECURE), .iv_va = 1ull << 57), GPUCMD_RANGE);
}

/* ---- semaphores, fences, methods ------------------------------------------------------------- */

static void uvm_semaphores(void)
{
    known(7); /* before GP100 UVM's barrier is B alone, see number 2 */
    EMITS(WORDS(0x20040004, 0xbe, 0xeb8da160, 0xfb32555e, 0x1100002),
          gpucmd_nv_emit_sem_release(&w, CHIP(GM107), 0xbeeb8da160, 0xfb32555e, 0));
    known(8);
    EMITS(WORDS(0x20040004, 0xbe, 0xeb8da120, 0xfb32555f, 0x1004),
          gpucmd_nv_emit_sem_acquire(&w, CHIP(GM107), GPUCMD_NV_SEM_OP_ACQ_CIRC_GEQ, 0xbeeb8da120,
                                     0xfb32555f, GPUCMD_NV_SEM_SWITCH));
    known(46);
    SEQUENCE(WORDS(0x2001001e, 0, 0x20050017, 0xc6674890, 0x6f, 0x52314395, 0, 1),
             (gpucmd_nv_emit_wfi(&w, CHIP(TU102), false),
              gpucmd_nv_emit_sem_release(&w, CHIP(TU102), 0x6fc6674890, 0x52314395, 0)));
    known(47);
    SEQUENCE(WORDS(0x2001001e, 0, 0x2004000a, 0, 0, 1, 0x28000000, 0x20050017, 0x716257f0, 0x24,
                   0xd5d8f332, 0, 1),
             (gpucmd_nv_emit_wfi(&w, CHIP(TU102), false),
              gpucmd_nv_emit_membar(&w, CHIP(TU102), true),
              gpucmd_nv_emit_sem_release(&w, CHIP(TU102), 0x24716257f0, 0xd5d8f332, 0)));
    known(48);
    EMITS(WORDS(0x20050017, 0xc66748d0, 0x6f, 0x52314396, 0, 0x1003),
          gpucmd_nv_emit_sem_acquire(&w, CHIP(TU102), GPUCMD_NV_SEM_OP_ACQ_CIRC_GEQ, 0x6fc66748d0,
                                     0x52314396, GPUCMD_NV_SEM_SWITCH));
    known(49);
    SEQUENCE(WORDS(0x2001001e, 0, 0x2004000a, 0, 0, 0, 0x28000000, 0x20050017, 0x78b6a5b0, 0x2c,
                   0xdeadbeef, 0, 0x2000001),
             (gpucmd_nv_emit_wfi(&w, CHIP(GV100), false),
              gpucmd_nv_emit_membar(&w, CHIP(GV100), false),
              gpucmd_nv_emit_sem_release(&w, CHIP(GV100), 0x2c78b6a5b0, 0xdeadbeef,
                                         GPUCMD_NV_SEM_TIMESTAMP)));
    known(50);
    EMITS(WORDS(0x20050017, 0x25493f50, 0x100590, 0x9c13c55c, 0, 1),
          gpucmd_nv_emit_sem_release(&w, CHIP(GH100), 0x10059025493f50, 0x9c13c55c, 0));
}

/* Section 3.1: GV100 until GH100 take SEMAPHOREA to D, too. */
static void old_semaphores(void)
{
    const uint32_t old = GPUCMD_NV_SEM_OLD;
    const uint32_t interrupt = GPUCMD_NV_SEM_INTERRUPT;
    EMITS(WORDS(0x20040004, 0x12, 0x34567890, 5, 0x1100002),
          gpucmd_nv_emit_sem_release(&w, CHIP(GV100), 0x1234567890, 5, old));
    EMITS(WORDS(0x20040004, 0x12, 0x34567894, 5, 0x100002), /* 16 bytes; no driver checks 16 */
          gpucmd_nv_emit_sem_release(&w, CHIP(AD107), 0x1234567894, 5,
                                     old | GPUCMD_NV_SEM_TIMESTAMP));
    EMITS(WORDS(0x20040004, 0x12, 0x34567890, 5, 0x1004),
          gpucmd_nv_emit_sem_acquire(&w, CHIP(GA102), GPUCMD_NV_SEM_OP_ACQ_CIRC_GEQ, 0x1234567890,
                                     5, old | GPUCMD_NV_SEM_SWITCH));
    EMITS(WORDS(0x20040004, 0x12, 0x34567890, 5, 0xa8100010),
          gpucmd_nv_emit_sem_reduction(&w, CHIP(TU102), GPUCMD_NV_REDUCTION_IADD, 0x1234567890, 5,
                                       old));
    EMITS(WORDS(0x20040004, 0x12, 0x34567890, 5, 0x1100002), /* no other form: the same */
          gpucmd_nv_emit_sem_release(&w, CHIP(GF100), 0x1234567890, 5, old));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_nv_emit_sem_release(&w, CHIP(GH100), 0x1000, 5, old));
    FAILS(GPUCMD_UNSUPPORTED,
          gpucmd_nv_emit_sem_release(&w, CHIP(GA102), 0x1000, 5, old | GPUCMD_NV_SEM_64BIT));
    FAILS(GPUCMD_UNSUPPORTED,
          gpucmd_nv_emit_sem_acquire(&w, CHIP(GA102), GPUCMD_NV_SEM_OP_ACQ_NOR, 0x1000, 5, old));
    /* release and interrupt as one run, 0x10..0x20; with SEM_EXECUTE two runs */
    known(76);
    SEQUENCE(WORDS(0x00040060, 0xbeef0bee, 0x00140010, 0x71, 0xbb54d8d0, 0x90150280, 2, 0),
             (gpucmd_nv_emit_old_inc1(&w, 0, GPUCMD_NV_HOST_DMA_SEMAPHORE, 0xbeef0bee),
              gpucmd_nv_emit_sem_release(&w, CHIP(MCP79), 0x71bb54d8d0, 0x90150280,
                                         GPUCMD_NV_SEM_TIMESTAMP | interrupt)));
    known(77);
    SEQUENCE(WORDS(0x00040060, 0xbeef0bee, 0x00100010, 0x71, 0xbb54d8c0, 0x90150281, 4),
             (gpucmd_nv_emit_old_inc1(&w, 0, GPUCMD_NV_HOST_DMA_SEMAPHORE, 0xbeef0bee),
              gpucmd_nv_emit_sem_acquire(&w, CHIP(MCP79), GPUCMD_NV_SEM_OP_ACQ_CIRC_GEQ,
                                         0x71bb54d8c0, 0x90150281, 0)));
    known(78);
    EMITS(WORDS(0x20050004, 0x85, 0xe7bb0f10, 0x357e3da8, 2, 0),
          gpucmd_nv_emit_sem_release(&w, CHIP(GF119), 0x85e7bb0f10, 0x357e3da8,
                                     GPUCMD_NV_SEM_TIMESTAMP | GPUCMD_NV_SEM_WFI | interrupt));
    EMITS(
        WORDS(0x20050004, 0x85, 0xe7bb0f10, 0x357e3da8, 2, 0),
        gpucmd_nv_emit_sem_release(&w, CHIP(TU116), 0x85e7bb0f10, 0x357e3da8,
                                   GPUCMD_NV_SEM_TIMESTAMP | GPUCMD_NV_SEM_WFI | interrupt | old));
    known(79);
    EMITS(WORDS(0x20040004, 0x85, 0xe7bb0f00, 0x357e3da9, 0x1004),
          gpucmd_nv_emit_sem_acquire(&w, CHIP(GF119), GPUCMD_NV_SEM_OP_ACQ_CIRC_GEQ, 0x85e7bb0f00,
                                     0x357e3da9, GPUCMD_NV_SEM_SWITCH));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_nv_emit_sem_acquire(&w, CHIP(GF100), GPUCMD_NV_SEM_OP_ACQUIRE,
                                                         0x1000, 5, interrupt));
    known(93);
    EMITS(WORDS(0x20050017, 0x265b1f50, 0x92, 0xc386bbc4, 0x1027c4d, 0x1000003),
          gpucmd_nv_emit_sem_acquire(&w, CHIP(GA102), GPUCMD_NV_SEM_OP_ACQ_CIRC_GEQ, 0x92265b1f50,
                                     0x1027c4dc386bbc4, GPUCMD_NV_SEM_64BIT));
    known(94);
    EMITS(WORDS(0x20050017, 0x8f16adf0, 0xcd, 0xc386bbc4, 0x1027c4d, 0x3100001, 0x20010008, 0),
          gpucmd_nv_emit_sem_release(&w, CHIP(GA102), 0xcd8f16adf0, 0x1027c4dc386bbc4,
                                     GPUCMD_NV_SEM_64BIT | GPUCMD_NV_SEM_TIMESTAMP |
                                         GPUCMD_NV_SEM_WFI | interrupt));
    known(95);
    EMITS(WORDS(0x20050017, 0x8f16adf0, 0xcd, 0x1000000, 0, 4),
          gpucmd_nv_emit_sem_acquire(&w, CHIP(GA102), GPUCMD_NV_SEM_OP_ACQ_AND, 0xcd8f16adf0,
                                     0x1000000, 0));
}

/* Fences that are not recipes: the words of Linux and nouveau with writers of method runs. */
static void fences(void)
{
    known(80);
    SEQUENCE(WORDS(0x20030017, 0xfcd44d10, 0x9a, 0x4baa5dc0, 0x2001001b, 0x100001, 0x2004000a, 0, 0,
                   0, 0x28000000, 0x20010008, 0),
             (gpucmd_nv_emit_inc3(&w, 0, GPUCMD_NV_HOST_SEM_ADDR_LO, 0xfcd44d10, 0x9a, 0x4baa5dc0),
              gpucmd_nv_emit_inc1(&w, 0, GPUCMD_NV_HOST_SEM_EXECUTE, 0x100001),
              gpucmd_nv_emit_membar(&w, CHIP(TU102), false),
              gpucmd_nv_emit_non_stall_interrupt(&w, CHIP(TU102))));
    known(81);
    SEQUENCE(WORDS(0x20030017, 0xfcd44d00, 0x9a, 0x4baa5dc1, 0x2001001b, 0x1003),
             (gpucmd_nv_emit_inc3(&w, 0, GPUCMD_NV_HOST_SEM_ADDR_LO, 0xfcd44d00, 0x9a, 0x4baa5dc1),
              gpucmd_nv_emit_inc1(&w, 0, GPUCMD_NV_HOST_SEM_EXECUTE, 0x1003)));
    known(82);
    EMITS(WORDS(0x00040050, 0x90d7a28a), gpucmd_nv_emit_ref_cnt(&w, CHIP(G70), 0x90d7a28a));
    known(83);
    EMITS(WORDS(0x00042150, 0x90d7a28a), gpucmd_nv_emit_old_inc1(&w, 1, 0x150, 0x90d7a28a));
    known(84);
    EMITS(WORDS(0x00100060, 0x82000071, 0, 0xb7fd0b63, 0xb7fd0b64),
          gpucmd_nv_emit_old_inc4(&w, 0, GPUCMD_NV_HOST_DMA_SEMAPHORE, 0x82000071, 0, 0xb7fd0b63,
                                  0xb7fd0b64));
    known(85);
    EMITS(WORDS(0x00100060, 0x82000071, 0, 0xb7fd0b64, 0xb7fd0b65),
          gpucmd_nv_emit_old_inc4(&w, 0, GPUCMD_NV_HOST_DMA_SEMAPHORE, 0x82000071, 0, 0xb7fd0b64,
                                  0xb7fd0b65));
}

static void methods(void)
{
    gpucmd_nv_run run = {0};
    /* IMMD takes 13 bits; before GF100 there is none */
    EMITS(WORDS(0x9fff80c0), gpucmd_nv_emit_method(&w, CHIP(GK104), 4, 0x300, 0x1fff));
    EMITS(WORDS(0x200180c0, 0x2000), gpucmd_nv_emit_method(&w, CHIP(GK104), 4, 0x300, 0x2000));
    EMITS(WORDS(0x00048300, 0x110), gpucmd_nv_emit_method(&w, CHIP(GT215), 4, 0x300, 0x110));
    EQUAL(GPUCMD_NV_METHOD_DW(CHIP(GK104), 0x1fff), 1);
    EQUAL(GPUCMD_NV_METHOD_DW(CHIP(GK104), 0x2000), 2);
    EQUAL(GPUCMD_NV_METHOD_DW(CHIP(GT215), 0), 2);
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_method(&w, CHIP(GK104), 8, 0x300, 1));
    FAILS(GPUCMD_ALIGN, gpucmd_nv_emit_method(&w, CHIP(GK104), 0, 0x302, 1));
    /* a run goes on while methods follow one another and nothing else is written */
    SEQUENCE(WORDS(0x20038100, 1, 2, 3, 0x20018103, 4, 0x2001a104, 5, 0, 0x2001a105, 6),
             (memset(&run, 0, sizeof run),
              gpucmd_nv_emit_append(&w, CHIP(GK104), &run, 4, 0x400, 1),
              gpucmd_nv_emit_append(&w, CHIP(GK104), &run, 4, 0x404, 2),
              gpucmd_nv_emit_append(&w, CHIP(GK104), &run, 4, 0x408, 3), run.count_dw = 0,
              gpucmd_nv_emit_append(&w, CHIP(GK104), &run, 4, 0x40c, 4),
              gpucmd_nv_emit_append(&w, CHIP(GK104), &run, 5, 0x410, 5), gpucmd_nv_emit_nop(&w),
              gpucmd_nv_emit_append(&w, CHIP(GK104), &run, 5, 0x414, 6)));
    SEQUENCE(WORDS(0x0008230c, 1, 2, 0x0004230c, 3),
             (memset(&run, 0, sizeof run), gpucmd_nv_emit_append(&w, CHIP(NV40), &run, 1, 0x30c, 1),
              gpucmd_nv_emit_append(&w, CHIP(NV40), &run, 1, 0x310, 2),
              gpucmd_nv_emit_append(&w, CHIP(NV40), &run, 1, 0x30c, 3)));
    /* too small a buffer: nothing, but the size of the whole stream */
    test_begin(2, 0);
    memset(&run, 0, sizeof run);
    for (uint32_t k = 0; k < 3; k++) {
        gpucmd_nv_emit_append(&w, CHIP(GK104), &run, 4, 0x400 + 4 * k, k);
    }
    EQUAL(w.status, GPUCMD_FULL);
    EQUAL(gpucmd_writer_need_dw(&w), 4);
    /* the last method of the chip and the largest count end a run */
    test_begin(0, 64);
    memset(&run, 0, sizeof run);
    gpucmd_nv_emit_append(&w, CHIP(NV40), &run, 0, 0x1ffc, 1);
    gpucmd_nv_emit_append(&w, CHIP(NV40), &run, 0, 0x2000, 2);
    EQUAL(w.status, GPUCMD_RANGE);
    test_begin(0, 3000);
    memset(&run, 0, sizeof run);
    run = (gpucmd_nv_run){.end_dw = 0, .subc = 0, .mthd = 0, .count_dw = 2047};
    gpucmd_nv_emit_append(&w, CHIP(NV40), &run, 0, 0x1ffc, 7);
    EQUAL(test.words[1], 0x00041ffc);
    EQUAL(run.count_dw, 1);
}

/* Numbers 5, 6, 37 to 40, 51 to 54: what is neither MEM_OP nor copy in UVM. */
static void uvm_rest(void)
{
    uint32_t entry[2] = {0, 0};
    known(5); /* NOP for 3 words: the data words stay as they are */
    EMITS(WORDS(0x60020002, 7, 7),
          gpucmd_nv_emit_non_inc(&w, 0, GPUCMD_NV_HOST_NOP, (const uint32_t[]){7, 7}, 2));
    known(6);
    EMITS(WORDS(0x20010008, 0), gpucmd_nv_emit_non_stall_interrupt(&w, CHIP(GM107)));
    known(37);
    EMITS(WORDS(0x2001a000, 0xc076), gpucmd_nv_emit_set_object(&w, CHIP(GP100), 5, 0xc076));
    known(38); /* 1.6: FAULT_CANCEL_A to C; MODE 1 is GLOBAL */
    EMITS(WORDS(0x2003a041, 0xee867002, 0x35e3, 0x40000000),
          gpucmd_nv_emit_inc3(&w, 5, GPUCMD_NV_SOFTWARE_FAULT_CANCEL_A,
                              0xee867000 | GPUCMD_FIELD_PUT(NV_FAULT_INST_APERTURE, COH), 0x35e3,
                              GPUCMD_FIELD_PUT(NV_FAULT_CANCEL_MODE, 1)));
    known(39);
    EMITS(WORDS(0x2003a041, 0xee867002, 0x35e3, 0x754),
          gpucmd_nv_emit_inc3(&w, 5, GPUCMD_NV_SOFTWARE_FAULT_CANCEL_A,
                              0xee867000 | GPUCMD_FIELD_PUT(NV_FAULT_INST_APERTURE, COH), 0x35e3,
                              GPUCMD_FIELD_PUT(NV_FAULT_CANCEL_GPC, 29) |
                                  GPUCMD_FIELD_PUT(NV_FAULT_CANCEL_CLIENT, 20)));
    known(40);
    EMITS(WORDS(0x2002a044, 0xa2295004, 0x1aee),
          gpucmd_nv_emit_inc2(&w, 5, GPUCMD_NV_SOFTWARE_CLEAR_FAULTED_A,
                              0xa2295000 | GPUCMD_FIELD_PUT(NV_CLEAR_FAULTED_ENGINE, 1), 0x1aee));
    known(51);
    EQUAL(gpucmd_nv_encode_entry(entry, CHIP(GP100), 0x296deeedf8, 653071,
                                 GPUCMD_NV_ENTRY_SYNC_WAIT | GPUCMD_NV_ENTRY_PRIV),
          GPUCMD_OK);
    EQUAL(entry[0], 0x6deeedf8);
    EQUAL(entry[1], 0xa7dc3d29);
    known(52);
    EQUAL(
        gpucmd_nv_encode_entry(entry, CHIP(TU102), 0xad571c9d70, 44956, GPUCMD_NV_ENTRY_SYNC_WAIT),
        GPUCMD_OK);
    EQUAL(entry[0], 0x571c9d70);
    EQUAL(entry[1], 0x82be70ad);
    known(53); /* base 0x1234b0000000000 */
    EQUAL(gpucmd_nv_encode_control(entry, CHIP(GH100),
                                   GPUCMD_NV_CONTROL_SET_PB_SEGMENT_EXTENDED_BASE,
                                   GPUCMD_FIELD_PUT(NV_EXTENDED_BASE, 0x1234b), 0),
          GPUCMD_OK);
    EQUAL(entry[0], 0x01234b00);
    EQUAL(entry[1], 4);
    known(54);
    EMITS(WORDS(0x20010000, 0xb0b5), gpucmd_nv_emit_set_object(&w, CHIP(GM107), 0, 0xb0b5));
    known(70); /* more elements than one launch has: the second launch flushes */
    {
        gpucmd_nv_ce ce = {.subc = 4,
                           .launch = PLAIN,
                           .length = 0xffffffff,
                           .components = COMP4,
                           .const_b = 0xefe68aa6,
                           .dst = PHYS(0x3bd0258190, COHERENT_SYSMEM)};
        EMITS(WORDS(0x200281c1, 0xefe68aa6, 0x30005, 0x20018099, 1, 0x20028102, 0x3b, 0xd0258190,
                    0x20018106, 0xffffffff, 0x200180c0, 0x2582),
              gpucmd_nv_emit_ce(&w, CHIP(TU102), &ce));
        SEQUENCE(WORDS(0x20028102, 0x3f, 0xd025818c, 0x20018106, 0x44ff0, 0x200180c0, 0x2002586),
                 (gpucmd_nv_emit_inc2(&w, 4, GPUCMD_NV_COPY_OFFSET_OUT_UPPER, 0x3f, 0xd025818c),
                  gpucmd_nv_emit_inc1(&w, 4, GPUCMD_NV_COPY_LINE_LENGTH_IN, 0x44ff0),
                  gpucmd_nv_emit_inc1(&w, 4, GPUCMD_NV_COPY_LAUNCH_DMA, 0x2002586)));
    }
}

/* Numbers 86 to 91, 96, 97: nouveau's moves and tinygrad's compute methods. */
static void other_drivers(void)
{
    const gpucmd_nv_copy lines = {0xb6b9aee000, 0x83f91ca000, 4096, 4096, 4096, 860};
    const uint32_t falcon[] = {0x83, 0xf91ca000, 0xb6, 0xb9aee000, 4096, 4096, 4096, 860};
    known(86);
    SEQUENCE(
        WORDS(0x00088184, 0xbeef0bee, 0xbeef0bee, 0x0020830c, 0x10e2000, 0x7ef1000, 0x1000, 0x1000,
              0x1000, 0x4bf, 0x101, 0, 0x00048100, 0),
        (gpucmd_nv_emit_old_inc2(&w, 4, GPUCMD_NV_M2MF_DMA_BUFFER_IN, 0xbeef0bee, 0xbeef0bee),
         gpucmd_nv_emit_m2mf_copy(&w, CHIP(NV1A), 4,
                                  &(gpucmd_nv_copy){0x7ef1000, 0x10e2000, 4096, 4096, 4096, 1215}),
         gpucmd_nv_emit_old_inc1(&w, 4, 0x100, 0)));
    known(87);
    EMITS(WORDS(0x20018000, 0x910a), gpucmd_nv_emit_set_object(&w, CHIP(GK104), 4, 0x910a));
    known(88);
    EMITS(WORDS(0x2002808e, 0xb6, 0xb9aee000, 0x200680c3, 0x83, 0xf91ca000, 0x1000, 0x1000, 0x1000,
                0x35c, 0x200180c0, 0x100110),
          gpucmd_nv_emit_m2mf_copy(&w, CHIP(GF100), 4, &lines));
    known(89); /* class 74C1 */
    EMITS(WORDS(0x00188304, 0x35c000, 0x83, 0xf91ca000, 0xb6, 0xb9aee000, 0),
          gpucmd_nv_emit_old_inc6(&w, 4, 0x304, 0x35c000, 0x83, 0xf91ca000, 0xb6, 0xb9aee000, 0));
    known(90); /* nouveau's own code on the engine: other methods than 85B5, 90B5 */
    SEQUENCE(WORDS(0x0020830c, 0x83, 0xf91ca000, 0xb6, 0xb9aee000, 0x1000, 0x1000, 0x1000, 0x35c,
                   0x00048300, 0x110),
             (gpucmd_nv_emit_old_inc(&w, 4, 0x30c, falcon, 8),
              gpucmd_nv_emit_method(&w, CHIP(GT215), 4, 0x300, 0x110)));
    known(91);
    SEQUENCE(WORDS(0x200880c3, 0x83, 0xf91ca000, 0xb6, 0xb9aee000, 0x1000, 0x1000, 0x1000, 0x35c,
                   0x811080c0),
             (gpucmd_nv_emit_inc(&w, 4, 0x30c, falcon, 8),
              gpucmd_nv_emit_method(&w, CHIP(GF100), 4, 0x300, 0x110)));
    known(96);
    EMITS(WORDS(0x200125a6, 0x1011),
          gpucmd_nv_emit_inc1(&w, 1, GPUCMD_NV_COMPUTE_INVALIDATE_SHADER_CACHES_NO_WFI,
                              GPUCMD_FIELD_PUT(NV_SHADER_CACHES_INSTRUCTION, 1) |
                                  GPUCMD_FIELD_PUT(NV_SHADER_CACHES_GLOBAL_DATA, 1) |
                                  GPUCMD_FIELD_PUT(NV_SHADER_CACHES_CONSTANT, 1)));
    known(97);
    SEQUENCE(WORDS(0x20012000, 0xc7c0, 0x20018000, 0xc7b5, 0x200221ec, 0x18, 0x35bf992d, 0x200220a8,
                   7, 0x7ce42c82, 0x200221e4, 0xd5e4, 0xb06ce600, 0x200320b9, 0x16, 0x3ca828d0,
                   0xff),
             (gpucmd_nv_emit_set_object(&w, CHIP(GA102), 1, 0xc7c0),
              gpucmd_nv_emit_set_object(&w, CHIP(GA102), 4, 0xc7b5),
              gpucmd_nv_emit_inc2(&w, 1, GPUCMD_NV_COMPUTE_SET_SHADER_LOCAL_MEMORY_WINDOW_A, 0x18,
                                  0x35bf992d),
              gpucmd_nv_emit_inc2(&w, 1, GPUCMD_NV_COMPUTE_SET_SHADER_SHARED_MEMORY_WINDOW_A, 7,
                                  0x7ce42c82),
              gpucmd_nv_emit_inc2(&w, 1, GPUCMD_NV_COMPUTE_SET_SHADER_LOCAL_MEMORY_A, 0xd5e4,
                                  0xb06ce600),
              gpucmd_nv_emit_inc3(&w, 1, GPUCMD_NV_COMPUTE_SET_SHADER_LOCAL_MEMORY_NON_THROTTLED_A,
                                  0x16, 0x3ca828d0, 0xff)));
    /* launch of a QMD at 0x12345600: SEND_PCAS_A, then PCAS2_B with INVALIDATE_COPY_SCHEDULE */
    SEQUENCE(WORDS(0x200120ad, 0x123456, 0x800320b0),
             (gpucmd_nv_emit_inc1(&w, 1, GPUCMD_NV_COMPUTE_SEND_PCAS_A, 0x123456),
              gpucmd_nv_emit_method(&w, CHIP(GA102), 1, GPUCMD_NV_COMPUTE_SEND_SIGNALING_PCAS2_B,
                                    GPUCMD_NV_PCAS2_INVALIDATE_COPY_SCHEDULE)));
}

/* Every number of the sheet was checked. */
static void all_seen(void)
{
    for (unsigned i = 1; i < sizeof seen; i++) {
        if (!CHECK(seen[i])) {
            printf("    number %u\n", i);
        }
    }
}

/* The other side of conditions: values that change nothing, and the last one that is rejected. */
static void other_sides(void)
{
    gpucmd_nv_ce_blocks blocks = {0x1040, 256, 64, 1, 2, 3, 4};
    gpucmd_nv_ce ce = {.subc = 4, .launch = PLAIN, .length = 32, .lines = 2};
    gpucmd_nv_ce fill = {.subc = 4,
                         .launch = PLAIN,
                         .length = 34499,
                         .components = COMP4,
                         .const_b = 0x77ad3cfa};
    const gpucmd_nv_fill odd = {0x1000, 0, 3, 0};
    uint32_t entry[2] = {5, 6};
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_access_counter_clear(&w, CHIP(GV100), 2, false, 1, 0));
    /* a barrier includes an acknowledgement: row 25 */
    EMITS(WORDS(0x2004000a, 0x880, 0, 0xd1cc72a0, 0x48002bc0),
          gpucmd_nv_emit_tlb_invalidate(&w, CHIP(GH100),
                                        &TLB(.pdb_va = 0x2bc0d1cc7000, .level = PDE3,
                                             .scope = SCOPE, .flags = SYS, .ack = GLOBALLY)));
    /* a fill has no source, physical or not: row 67 */
    fill.dst = (gpucmd_nv_ce_side)PHYS(0x964b624920, LOCAL_FB);
    fill.src = (gpucmd_nv_ce_side)PHYS(0x41fe2b350, COHERENT_SYSMEM);
    EMITS(WORDS(0x200281c1, 0x77ad3cfa, 0x30005, 0x20018099, 0, 0x20028102, 0x96, 0x4b624920,
                0x20018106, 0x86c3, 0x200180c0, 0x2582),
          gpucmd_nv_emit_ce(&w, CHIP(GP100), &fill));
    /* a launch of more than 13 bits is no immediate: row 66 */
    EMITS(WORDS(0x20048100, 0x1b811ee, 0xb7fed720, 0x1ef7703, 0x464c12d0, 0x20018106, 0x23d36,
                0x200180c0, 0x6200185),
          gpucmd_nv_emit_ce(&w, CHIP(GH100),
                            &(gpucmd_nv_ce){.subc = 4,
                                            .launch = CE(PIPELINED) | CE(FLUSH_GL) |
                                                      CE(DISABLE_PLC) | CE(NONPROT2NONPROT),
                                            .immediate = true,
                                            .length = 146742,
                                            .dst = {.va = 0x1ef7703464c12d0},
                                            .src = {.va = 0x1b811eeb7fed720}}));
    /* the last subchannel */
    EMITS(WORDS(0x2004e100, 0, 0x2000, 0, 0x1000, 0x2001e106, 16, 0x2001e0c0, 0x182),
          gpucmd_nv_emit_ce(&w, CHIP(GA102),
                            &(gpucmd_nv_ce){.subc = 7,
                                            .launch = PLAIN,
                                            .length = 16,
                                            .dst = {.va = 0x1000},
                                            .src = {.va = 0x2000}}));
    /* BLOCK_SIZE: width 0 and GOBs of 8 lines from C0B5, 16 bits before CAB5 */
    ce.dst.va = 0x10000;
    ce.src.va = 0x20000;
    ce.src.blocks = &blocks;
    blocks.block_size = 0x1041;
    ce_fails(CHIP(GA102), ce, GPUCMD_UNSUPPORTED);
    blocks.block_size = 0x0040;
    ce_fails(CHIP(GA102), ce, GPUCMD_UNSUPPORTED);
    blocks.block_size = 0x11040;
    ce_fails(CHIP(GA102), ce, GPUCMD_UNSUPPORTED);
    blocks.block_size = 0x41040;
    ce_fails(CHIP(GB100), ce, GPUCMD_UNSUPPORTED);
    /* the chip is rejected first */
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_nv_emit_ce_fill(&w, CHIP(G80), 4, &odd));
    FAILS(GPUCMD_RANGE, gpucmd_nv_emit_ce_fill(&w, CHIP(GA102), 4, &odd));
    FAILS(GPUCMD_UNSUPPORTED, gpucmd_nv_emit_ce_sem_release(&w, CHIP(G80), 4, 0x40, 7, 0x80));
    /* control entries: no chip before GF100 has one, and only GH100 the last */
    for (uint32_t op = 0; op < 6; op++) {
        const gpucmd_nv_control c = (gpucmd_nv_control)op;
        EQUAL(gpucmd_nv_encode_control(entry, CHIP(G84), c, 0, 0), GPUCMD_UNSUPPORTED);
        EQUAL(entry[0] == 5 && entry[1] == 6, true);
        EQUAL(gpucmd_nv_encode_control(entry, CHIP(GA102), c, 0, 0),
              op < 4 ? GPUCMD_OK : GPUCMD_UNSUPPORTED);
        EQUAL(gpucmd_nv_encode_control(entry, CHIP(GH100), c, 0x100, 0),
              op < 5 ? GPUCMD_OK : GPUCMD_UNSUPPORTED);
        if (op < 5) {
            EQUAL(entry[0], 0x100);
            EQUAL(entry[1], op);
        }
        entry[0] = 5;
        entry[1] = 6;
    }
    gpucmd_nv_chip chip = CHIP(G80);
    EQUAL(gpucmd_nv_chip_from_name("gf{00", &chip), GPUCMD_RANGE);
    EQUAL(gpucmd_nv_chip_from_name("gf`00", &chip), GPUCMD_RANGE);
    EQUAL(gpucmd_nv_chip_from_name("gF100", &chip), GPUCMD_OK);
    EQUAL(chip, CHIP(GF100));
}

/* Numbers of semaphore operations, both ways. [906F] SEMAPHORED_OPERATION, [C36F] SEM_EXECUTE */
static void sem_numbers(void)
{
    static const struct {
        gpucmd_nv_chip chip;
        uint32_t mthd, number;
        gpucmd_nv_sem_op op;
    } rows[] = {
        {CHIP(G84),   0x1c, 1,  GPUCMD_NV_SEM_OP_ACQUIRE       },
        {CHIP(G84),   0x1c, 2,  GPUCMD_NV_SEM_OP_RELEASE       },
        {CHIP(GF100), 0x1c, 1,  GPUCMD_NV_SEM_OP_ACQUIRE       },
        {CHIP(GF100), 0x1c, 2,  GPUCMD_NV_SEM_OP_RELEASE       },
        {CHIP(GF100), 0x1c, 4,  GPUCMD_NV_SEM_OP_ACQ_CIRC_GEQ  },
        {CHIP(GK104), 0x1c, 8,  GPUCMD_NV_SEM_OP_ACQ_AND       },
        {CHIP(GK110), 0x1c, 16, GPUCMD_NV_SEM_OP_REDUCTION     },
        {CHIP(GK104), 0x1c, 16, GPUCMD_NV_SEM_OP_NONE          },
        {CHIP(GF100), 0x1c, 3,  GPUCMD_NV_SEM_OP_NONE          },
        {CHIP(GV100), 0x6c, 0,  GPUCMD_NV_SEM_OP_ACQUIRE       },
        {CHIP(GV100), 0x6c, 1,  GPUCMD_NV_SEM_OP_RELEASE       },
        {CHIP(GV100), 0x6c, 2,  GPUCMD_NV_SEM_OP_ACQ_STRICT_GEQ},
        {CHIP(GV100), 0x6c, 3,  GPUCMD_NV_SEM_OP_ACQ_CIRC_GEQ  },
        {CHIP(GV100), 0x6c, 4,  GPUCMD_NV_SEM_OP_ACQ_AND       },
        {CHIP(GV100), 0x6c, 5,  GPUCMD_NV_SEM_OP_ACQ_NOR       },
        {CHIP(GV100), 0x6c, 6,  GPUCMD_NV_SEM_OP_REDUCTION     },
        {CHIP(GV100), 0x6c, 7,  GPUCMD_NV_SEM_OP_NONE          },
        {CHIP(GP102), 0x6c, 0,  GPUCMD_NV_SEM_OP_NONE          },
        {CHIP(NV40),  0x1c, 1,  GPUCMD_NV_SEM_OP_NONE          },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t number = 99;
        if (!EQUAL(gpucmd_nv_sem_op_of(rows[i].chip, rows[i].mthd, rows[i].number), rows[i].op)) {
            printf("    row %zu\n", i);
        }
        if (rows[i].op != GPUCMD_NV_SEM_OP_NONE) {
            EQUAL(gpucmd_nv_sem_number(rows[i].chip, rows[i].mthd, rows[i].op, &number), GPUCMD_OK);
            EQUAL(number, rows[i].number);
        }
    }
    /* operations by number; from which chip, and until which the reduction has a gap */
    static const gpucmd_nv_sem_op old_ops[17] = {[1] = GPUCMD_NV_SEM_OP_ACQUIRE,
                                                 [2] = GPUCMD_NV_SEM_OP_RELEASE,
                                                 [4] = GPUCMD_NV_SEM_OP_ACQ_CIRC_GEQ,
                                                 [8] = GPUCMD_NV_SEM_OP_ACQ_AND,
                                                 [16] = GPUCMD_NV_SEM_OP_REDUCTION};
    static const gpucmd_nv_sem_op new_ops[17] = {
        GPUCMD_NV_SEM_OP_ACQUIRE,      GPUCMD_NV_SEM_OP_RELEASE, GPUCMD_NV_SEM_OP_ACQ_STRICT_GEQ,
        GPUCMD_NV_SEM_OP_ACQ_CIRC_GEQ, GPUCMD_NV_SEM_OP_ACQ_AND, GPUCMD_NV_SEM_OP_ACQ_NOR,
        GPUCMD_NV_SEM_OP_REDUCTION};
    for (unsigned i = 0; i <= GPUCMD_NV_CHIP_COUNT; i++) { /* and a number that is not a chip */
        const gpucmd_nv_chip chip = (gpucmd_nv_chip)i;
        const bool exists = i < GPUCMD_NV_CHIP_COUNT;
        for (uint32_t number = 0; number < 17; number++) {
            const bool has_old =
                number == 16  ? (chip >= CHIP(GK110) && chip < CHIP(GK20A)) || chip >= CHIP(GM107)
                : number == 8 ? chip >= CHIP(GF100)
                              : chip >= CHIP(G84);
            EQUAL(gpucmd_nv_sem_op_of(chip, 0x1c, number),
                  has_old && exists ? old_ops[number] : GPUCMD_NV_SEM_OP_NONE);
            EQUAL(gpucmd_nv_sem_op_of(chip, 0x6c, number),
                  chip >= CHIP(GV100) && exists ? new_ops[number] : GPUCMD_NV_SEM_OP_NONE);
            EQUAL(gpucmd_nv_sem_op_of(chip, 0x18, number), GPUCMD_NV_SEM_OP_NONE);
        }
    }
    for (unsigned chip = 0; chip <= GPUCMD_NV_CHIP_COUNT; chip++) {
        for (uint32_t mthd = 0; mthd < 0x100; mthd += 4) {
            for (unsigned op = 0; op <= GPUCMD_NV_SEM_OP_REDUCTION; op++) {
                uint32_t number = 99;
                const gpucmd_status status =
                    gpucmd_nv_sem_number((gpucmd_nv_chip)chip, mthd, (gpucmd_nv_sem_op)op, &number);
                EQUAL(status == GPUCMD_OK, number != 99);
                CHECK(status != GPUCMD_OK || chip < GPUCMD_NV_CHIP_COUNT);
                if (status == GPUCMD_OK) {
                    EQUAL(gpucmd_nv_sem_op_of((gpucmd_nv_chip)chip, mthd, number), op);
                }
            }
        }
    }
}

/* Which chips have which operations of MEM_OP and YIELD; a number that is not a chip has none.
 * [906F] [A06F] [A16F] [A26F] [B06F] [C06F] [C36F] [C56F] [C86F] [PBDMA] */
static void known_operations(void)
{
    static const struct {
        bool yields;
        uint32_t op;
        unsigned since, until; /* chips; COUNT: all later chips */
    } rows[] = {
        {false, 0x05, CHIP(GF100), CHIP(COUNT)},
        {false, 0x06, CHIP(GF100), CHIP(GK20A)},
        {false, 0x06, CHIP(GM107), CHIP(GM204)},
        {false, 0x09, CHIP(GF100), CHIP(COUNT)},
        {false, 0x0a, CHIP(GP100), CHIP(COUNT)},
        {false, 0x0b, CHIP(GA102), CHIP(COUNT)},
        {false, 0x0d, CHIP(GF100), CHIP(GK20A)},
        {false, 0x0d, CHIP(GM107), CHIP(COUNT)},
        {false, 0x0e, CHIP(GF100), CHIP(COUNT)},
        {false, 0x0f, CHIP(GF100), CHIP(COUNT)},
        {false, 0x10, CHIP(GF100), CHIP(COUNT)},
        {false, 0x11, CHIP(GB100), CHIP(COUNT)},
        {false, 0x15, CHIP(GP100), CHIP(COUNT)},
        {false, 0x16, CHIP(GV100), CHIP(COUNT)},
        {true,  0,    CHIP(NV40),  CHIP(COUNT)},
        {true,  1,    CHIP(GM204), CHIP(GV100)},
        {true,  1,    CHIP(GA100), CHIP(COUNT)},
        {true,  2,    CHIP(GM204), CHIP(GA100)},
        {true,  3,    CHIP(GM204), CHIP(COUNT)},
    };
    for (unsigned chip = 0; chip <= GPUCMD_NV_CHIP_COUNT; chip++) {
        for (uint32_t op = 0; op < 33; op++) {
            /* before GF100 the value of YIELD is not checked */
            bool has[2] = {false, chip >= CHIP(NV40) && chip < CHIP(GF100)};
            for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
                has[rows[i].yields] =
                    has[rows[i].yields] ||
                    (op == rows[i].op && chip >= rows[i].since && chip < rows[i].until);
            }
            if (!EQUAL(gpucmd_nv_knows_mem_op((gpucmd_nv_chip)chip, op), has[0]) ||
                !EQUAL(gpucmd_nv_knows_yield((gpucmd_nv_chip)chip, op), has[1])) {
                printf("    chip %u, operation 0x%x\n", chip, (unsigned)op);
            }
        }
    }
}

int main(void)
{
    uvm_semaphores();
    old_semaphores();
    fences();
    methods();
    uvm_rest();
    other_drivers();
    tlb();
    tlb_rejected();
    other_mem_ops();
    copies();
    block_linear();
    launch_decided();
    launch_by_class();
    launch_masks();
    ce_rejected();
    other_sides();
    sem_numbers();
    known_operations();
    all_seen();
    return test_report("nv_words");
}

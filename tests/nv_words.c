/* Words that drivers write, each with its number in section 8 of the fact sheet: the output of
 * UVM, nouveau and tinygrad for given parameters. Recipes must write these words. */
#define GPUCMD_IMPLEMENTATION
#include "gpucmd_nv.h"
#include "test.h"

#define CHIP(name) GPUCMD_NV_CHIP_##name

static bool seen[99];

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
                         .access = GPUCMD_NV_TLB_ACCESS_ALL }, 0, 0,
      { 0x2004000a, 0x06d9c078, 0x1203, 0x90159b94, 0x5000645c } },
    { 35, CHIP(GH100), { .pdb_va = 0x6ed4681e4000, .target = COH, .flags = VA, .engine = 307,
                         .va = 0x60f9624b3000, .replay = GPUCMD_NV_TLB_REPLAY_CANCEL_VA_GLOBAL,
                         .access = GPUCMD_NV_TLB_ACCESS_ALL }, 0, 0,
      { 0x2004000a, 0x624b3133, 0x60f9, 0x681e4b94, 0x50006ed4 } },
    { 36, CHIP(TU102), { .pdb_va = 0x21832606a000, .flags = VA, .engine = 52,
                         .va = 0x14c0c76d000, .replay = GPUCMD_NV_TLB_REPLAY_CANCEL_VA_GLOBAL,
                         .access = GPUCMD_NV_TLB_ACCESS_WRITE_AND_ATOMIC }, 0, 0,
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
    tlb_fails(CHIP(GV100), TLB(.flags = VA, .replay = 5, .access = 8), GPUCMD_RANGE);
    tlb_fails(CHIP(GV100), TLB(.flags = VA, .replay = 5, .access = 3), GPUCMD_RANGE);
    tlb_fails(CHIP(GV100), TLB(.access = 1), GPUCMD_RANGE);
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

int main(void)
{
    tlb();
    tlb_rejected();
    other_mem_ops();
    return test_report("nv_words");
}

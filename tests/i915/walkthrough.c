/* gem_exec_nop, step by step: HEAD, TAIL, ACTHD and the state after each of the
 * sixteen steps of "i915 command submission via gem_exec_nop": as printed
 * there, with its ACTHD corrected, and on gen8. Then the states after
 * errors. */
/* suite: executor */
#include "gpucmd_i915.h"
#include "test.h"

#define RING_VA  0x00100000u
#define BATCH_VA 0x00022000u

static uint8_t ring_bytes[4096], batch_bytes[8192];
static gpucmd_region regions[2];
static gpucmd_mem mem;
static gpucmd_env env;
static gpucmd_i915_cs cs;

static void put(uint8_t *at, size_t dw, uint32_t v)
{
    gpucmd_store32(at + 4 * dw, v, GPUCMD_LITTLE_ENDIAN);
}

static void power_up(gpucmd_i915_gen gen, gpucmd_i915_engine engine)
{
    const gpucmd_region r[2] = {
        {BATCH_VA, sizeof batch_bytes, batch_bytes, GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE},
        {RING_VA,  sizeof ring_bytes,  ring_bytes,  GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE},
    };
    memcpy(regions, r, sizeof r);
    memset(ring_bytes, 0, sizeof ring_bytes);
    memset(batch_bytes, 0, sizeof batch_bytes);
    EQUAL(gpucmd_mem_init(&mem, regions, 2), GPUCMD_OK);
    gpucmd_env_init(&env, &mem, NULL, NULL);
    EQUAL(gpucmd_i915_cs_init(&cs, gen, engine, 0), GPUCMD_OK);
    gpucmd_i915_cs_write(&cs, cs.base + GPUCMD_I915_REG_START, RING_VA);
    gpucmd_i915_cs_write(&cs, cs.base + GPUCMD_I915_REG_HEAD, 0x30);
    gpucmd_i915_cs_write(&cs, cs.base + GPUCMD_I915_REG_TAIL, 0x30);
    gpucmd_i915_cs_write(&cs, cs.base + GPUCMD_I915_REG_CTL, gpucmd_i915_ring_ctl(4096));
}

#define NOW(want_state, want_head, want_tail, want_acthd)                                          \
    do {                                                                                           \
        EQUAL(cs.state, GPUCMD_I915_##want_state);                                                 \
        EQUAL(cs.head, want_head);                                                                 \
        EQUAL(cs.tail, want_tail);                                                                 \
        EQUAL(cs.acthd, want_acthd);                                                               \
    } while (0)

/* State, HEAD, TAIL, ACTHD as members and as the processor reads them. */
typedef struct line {
    gpucmd_i915_state state;
    uint32_t head, tail;
    uint64_t acthd;
} line;

static void now(const line *want)
{
    EQUAL(cs.state, want->state);
    EQUAL(cs.head, want->head);
    EQUAL(cs.tail, want->tail);
    EQUAL(cs.acthd, want->acthd);
    EQUAL(gpucmd_i915_cs_read(&cs, cs.base + 0x34), want->head);
    EQUAL(gpucmd_i915_cs_read(&cs, cs.base + 0x30), want->tail);
    EQUAL(gpucmd_i915_cs_read(&cs, cs.base + (cs.cmdset.gen < GPUCMD_I915_GEN4 ? 0xc8 : 0x74)),
          want->acthd);
}

/* The walkthrough of the article, number by number. In step 14 the article has
 * ACTHD 4; correct is the address after MI_BATCH_BUFFER_END. */
static void sixteen_steps(gpucmd_i915_gen gen, gpucmd_i915_engine engine, uint32_t start,
                          uint32_t va_bits, bool literal)
{
    static const line steps[16] = {
        {GPUCMD_I915_RS0, 0x30, 0x30, 0x30   }, /* 1: idle */
        {GPUCMD_I915_RS0, 0x30, 0x30, 0x30   }, /* 2: the program submits */
        {GPUCMD_I915_RS0, 0x30, 0x30, 0x30   }, /* 3: the kernel picks 0x22000 */
        {GPUCMD_I915_RS0, 0x30, 0x30, 0x30   }, /* 4: first word of the start */
        {GPUCMD_I915_RS0, 0x30, 0x30, 0x30   }, /* 5: second word */
        {GPUCMD_I915_RS0, 0x30, 0x38, 0x30   }, /* 6: TAIL moves by 8 */
        {GPUCMD_I915_RS1, 0x30, 0x38, 0x30   }, /* 7: eight bytes fetched */
        {GPUCMD_I915_RS2, 0x30, 0x38, 0x30   }, /* 8: a command of two words */
        {GPUCMD_I915_RS3, 0x30, 0x38, 0x30   }, /* 9: executed */
        {GPUCMD_I915_RS4, 0x30, 0x38, 0x30   }, /* 10: batch fetched */
        {GPUCMD_I915_BS0, 0x30, 0x38, 0x22000}, /* 11: ACTHD is the batch */
        {GPUCMD_I915_BS1, 0x30, 0x38, 0x22000}, /* 12: the words are there */
        {GPUCMD_I915_BS2, 0x30, 0x38, 0x22000}, /* 13: MI_BATCH_BUFFER_END, one word */
        {GPUCMD_I915_BS3, 0x30, 0x38, 0x22004}, /* 14: executed */
        {GPUCMD_I915_RS0, 0x38, 0x38, 0x38   }, /* 15: back to the ring */
        {GPUCMD_I915_RS0, 0x38, 0x38, 0x38   }, /* 16: idle */
    };
    power_up(gen, engine);
    cs.seed_literal = literal;
    for (size_t i = 0; i < 16; i++) {
        line want = steps[i];
        want.acthd = literal && i == 13 ? 4 : want.acthd;
        switch (i) {
        case 1:
            put(batch_bytes, 0, 0x05000000);
            put(batch_bytes, 1, 0x00000000);
            break;
        case 3: put(ring_bytes, 0x30 / 4, start); break;
        case 4: put(ring_bytes, 0x34 / 4, BATCH_VA | va_bits); break;
        case 5: gpucmd_i915_cs_write(&cs, cs.base + 0x30, 0x38); break;
        case 0:
        case 2:
        case 15: EQUAL(gpucmd_i915_cs_step(&cs, &env), GPUCMD_RUN_IDLE); break;
        default: EQUAL(gpucmd_i915_cs_step(&cs, &env), GPUCMD_RUN_DONE); break;
        }
        now(&want);
        if (i == 7 || i == 12) {
            EQUAL(cs.cmd_dw, i == 7 ? 2 : 1);
        }
    }
    EQUAL(cs.commands, 2); /* the MI_NOOP of the batch never runs */
}

/* Gen8: three words of start and one MI_NOOP; the latter runs after the return. */
static void gen8_ring(gpucmd_i915_gen gen, gpucmd_i915_engine engine)
{
    static const line steps[] = {
        {GPUCMD_I915_RS1, 0x30, 0x40, 0x30   },
        {GPUCMD_I915_RS2, 0x30, 0x40, 0x30   },
        {GPUCMD_I915_RS3, 0x30, 0x40, 0x30   },
        {GPUCMD_I915_RS4, 0x30, 0x40, 0x30   },
        {GPUCMD_I915_BS0, 0x30, 0x40, 0x22000},
        {GPUCMD_I915_BS1, 0x30, 0x40, 0x22000},
        {GPUCMD_I915_BS2, 0x30, 0x40, 0x22000},
        {GPUCMD_I915_BS3, 0x30, 0x40, 0x22004},
        {GPUCMD_I915_RS0, 0x3c, 0x40, 0x3c   },
        {GPUCMD_I915_RS1, 0x3c, 0x40, 0x3c   },
        {GPUCMD_I915_RS2, 0x3c, 0x40, 0x3c   },
        {GPUCMD_I915_RS3, 0x3c, 0x40, 0x3c   },
        {GPUCMD_I915_RS0, 0x40, 0x40, 0x40   },
    };
    power_up(gen, engine);
    put(batch_bytes, 0, 0x05000000);
    put(ring_bytes, 0x30 / 4, 0x18800101);
    put(ring_bytes, 0x34 / 4, BATCH_VA);
    put(ring_bytes, 0x38 / 4, 0);
    put(ring_bytes, 0x3c / 4, 0);
    gpucmd_i915_cs_write(&cs, cs.base + GPUCMD_I915_REG_TAIL, 0x40);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        EQUAL(gpucmd_i915_cs_step(&cs, &env), GPUCMD_RUN_DONE);
        now(&steps[i]);
        if (i == 1 || i == 10) {
            EQUAL(cs.cmd_dw, i == 1 ? 3 : 1);
        }
    }
    EQUAL(gpucmd_i915_cs_step(&cs, &env), GPUCMD_RUN_IDLE);
    now(&steps[sizeof steps / sizeof steps[0] - 1]);
    EQUAL(cs.commands, 3);
}

/* Names of the states, which the example prints. */
static void names(void)
{
    static const char *const want[] = {"RS0", "RS1", "RS2", "RS3", "RS4", "RS5",
                                       "BS0", "BS1", "BS2", "BS3", "BS4"};
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        CHECK(strcmp(gpucmd_i915_state_name((gpucmd_i915_state)i), want[i]) == 0);
    }
}

/* The ring wraps: HEAD counts it in bits 31:21. */
static void wrap(void)
{
    power_up(GPUCMD_I915_GEN6, GPUCMD_I915_BCS);
    gpucmd_i915_cs_write(&cs, 0x22034, 0xff8);
    gpucmd_i915_cs_write(&cs, 0x22030, 0x008);
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 10), GPUCMD_RUN_IDLE);
    NOW(RS0, 0x00200008, 0x008, 0x008);
    EQUAL(cs.commands, 4);
}

/* RS5: an unknown command, one that passes TAIL, one outside memory, an END in the ring; a reset
 * leaves it. */
static void errors(void)
{
    static const struct {
        uint32_t words[2];
        gpucmd_i915_error error;
        gpucmd_i915_state before;
    } rows[] = {
        {{0x80000000, 0},          GPUCMD_I915_ERROR_UNKNOWN,     GPUCMD_I915_RS1},
        {{0x0f000000, 0},          GPUCMD_I915_ERROR_UNKNOWN,     GPUCMD_I915_RS1},
        {{0x50000003, 0},          GPUCMD_I915_ERROR_UNKNOWN,     GPUCMD_I915_RS1},
        {{0x11000001, 0x2094},     GPUCMD_I915_ERROR_TAIL,        GPUCMD_I915_RS1},
        {{0x18800100, 0x00500000}, GPUCMD_I915_ERROR_FETCH,       GPUCMD_I915_RS3},
        {{0x05000000, 0},          GPUCMD_I915_ERROR_END_IN_RING, GPUCMD_I915_RS2},
        {{0x18000001, 0x22000},    GPUCMD_I915_ERROR_UNKNOWN,     GPUCMD_I915_RS1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gpucmd_i915_state before = GPUCMD_I915_RS0;
        power_up(GPUCMD_I915_GEN6, GPUCMD_I915_RCS);
        put(ring_bytes, 0x30 / 4, rows[i].words[0]);
        put(ring_bytes, 0x34 / 4, rows[i].words[1]);
        gpucmd_i915_cs_write(&cs, 0x2030, 0x38);
        while (cs.state != GPUCMD_I915_RS5) {
            before = cs.state;
            if (gpucmd_i915_cs_step(&cs, &env) == GPUCMD_RUN_IDLE) {
                break;
            }
        }
        EQUAL(cs.state, GPUCMD_I915_RS5);
        EQUAL(before, rows[i].before);
        EQUAL(cs.error, rows[i].error);
        EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_FAULT);
        gpucmd_i915_cs_reset(&cs, 0x38);
        NOW(RS0, 0x38, 0x38, 0x38);
        gpucmd_i915_cs_write(&cs, 0x2030, 0x40);
        EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_IDLE);
        NOW(RS0, 0x40, 0x40, 0x40);
    }
}

/* MI_SET_PREDICATE also skips commands of the first level, until the batch
 * returns to the ring. */
static void predicate_ends(void)
{
    power_up(GPUCMD_I915_GEN9, GPUCMD_I915_RCS);
    put(ring_bytes, 0x30 / 4, 0x18800001);
    put(ring_bytes, 0x34 / 4, BATCH_VA);
    put(ring_bytes, 0x3c / 4, 0x18800001);
    put(ring_bytes, 0x40 / 4, BATCH_VA + 0x200);
    put(batch_bytes, 0, 0x18c00001); /* a call, which sets the predicate */
    put(batch_bytes, 1, BATCH_VA + 0x100);
    put(batch_bytes, 3, 0x10000002);
    put(batch_bytes, 4, BATCH_VA + 0x1000);
    put(batch_bytes, 6, 1);
    put(batch_bytes, 7, 0x05000000);
    put(batch_bytes, 0x100 / 4, 0x0080000f);
    put(batch_bytes, 0x104 / 4, 0x05000000);
    put(batch_bytes, 0x200 / 4, 0x10000002);
    put(batch_bytes, 0x204 / 4, BATCH_VA + 0x1004);
    put(batch_bytes, 0x20c / 4, 2);
    put(batch_bytes, 0x210 / 4, 0x05000000);
    gpucmd_i915_cs_write(&cs, 0x2030, 0x48);
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_IDLE);
    NOW(RS0, 0x48, 0x48, 0x48);
    EQUAL(gpucmd_load32(batch_bytes + 0x1000, GPUCMD_LITTLE_ENDIAN), 0);
    EQUAL(gpucmd_load32(batch_bytes + 0x1004, GPUCMD_LITTLE_ENDIAN), 2);
}

/* A batch that jumps to itself ends in LIMIT. A chain of any length needs one
 * END. */
static void chains(void)
{
    power_up(GPUCMD_I915_GEN7, GPUCMD_I915_RCS);
    put(batch_bytes, 0, 0x02800000);
    put(batch_bytes, 1, 0x18800100);
    put(batch_bytes, 2, BATCH_VA);
    EQUAL(gpucmd_i915_cs_batch(&cs, BATCH_VA, false), GPUCMD_OK);
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 1000), GPUCMD_RUN_LIMIT);
    CHECK(cs.commands > 900 && cs.commands <= 1000);
    put(batch_bytes, 0, 0x05000000); /* igt stops the batch in this way */
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 1000), GPUCMD_RUN_IDLE);
    NOW(RS0, 0x30, 0x30, 0x30);

    memset(batch_bytes, 0, sizeof batch_bytes);
    for (uint32_t i = 0; i < 100; i++) {
        put(batch_bytes, 4 * i, 0x18800100);
        put(batch_bytes, 4 * i + 1, BATCH_VA + 16 * (i + 1));
    }
    put(batch_bytes, 400, 0x05000000);
    EQUAL(gpucmd_i915_cs_batch(&cs, BATCH_VA, false), GPUCMD_OK);
    cs.commands = 0;
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 1000), GPUCMD_RUN_IDLE);
    EQUAL(cs.commands, 101);
}

/* Second level on Haswell: END returns to the command after the call. A call
 * from a second-level batch replaces that batch. A call from the ring is
 * rejected. */
static void second_level(void)
{
    static const uint32_t first[] = {0x00400001, 0x18c02100, BATCH_VA + 0x100, 0x00400004,
                                     0x05000000};
    static const uint32_t second[] = {0x00400002, 0x18c02100, BATCH_VA + 0x200};
    static const uint32_t third[] = {0x11000001, 0x2600, 3, 0x05000000};
    power_up(GPUCMD_I915_GEN7_5, GPUCMD_I915_RCS);
    for (size_t i = 0; i < 5; i++) {
        put(batch_bytes, i, first[i]);
        put(batch_bytes, 0x40 + i, i < 3 ? second[i] : 0);
        put(batch_bytes, 0x80 + i, i < 4 ? third[i] : 0);
    }
    EQUAL(gpucmd_i915_cs_batch(&cs, BATCH_VA, false), GPUCMD_OK);
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_IDLE);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x2094), 4);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x2600), 3);
    EQUAL(cs.commands, 8);
    put(ring_bytes, 0x30 / 4, 0x18c02100);
    put(ring_bytes, 0x34 / 4, BATCH_VA);
    gpucmd_i915_cs_write(&cs, 0x2030, 0x38);
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_FAULT);
    EQUAL(cs.error, GPUCMD_I915_ERROR_NESTING);
}

/* Gen12.5: three levels; each END returns one level, a fourth level is
 * rejected. */
static void nested(void)
{
    power_up(GPUCMD_I915_GEN12_5, GPUCMD_I915_RCS);
    for (uint32_t level = 0; level < 3; level++) {
        const size_t at = 0x40 * level;
        put(batch_bytes, at, 0x18c00101);
        put(batch_bytes, at + 1, BATCH_VA + 0x100 * (level + 1));
        put(batch_bytes, at + 2, 0);
        put(batch_bytes, at + 3, 0x00400010 + level);
        put(batch_bytes, at + 4, 0x05000000);
    }
    EQUAL(gpucmd_i915_cs_batch(&cs, BATCH_VA, true), GPUCMD_OK);
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_FAULT);
    EQUAL(cs.error, GPUCMD_I915_ERROR_NESTING);
    gpucmd_i915_cs_reset(&cs, 0x30);
    put(batch_bytes, 0x80, 0x00400020); /* the third level does not call */
    put(batch_bytes, 0x81, 0x05000000);
    cs.commands = 0;
    EQUAL(gpucmd_i915_cs_batch(&cs, BATCH_VA, true), GPUCMD_OK);
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_IDLE);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x2094), 0x10);
    EQUAL(cs.commands, 8);
    put(ring_bytes, 0x30 / 4, 0x18c00101); /* nor does the ring */
    put(ring_bytes, 0x34 / 4, BATCH_VA);
    gpucmd_i915_cs_write(&cs, 0x2030, 0x40);
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_FAULT);
    EQUAL(cs.error, GPUCMD_I915_ERROR_NESTING);
}

/* Gen12: MI_MODE bit 12 chooses between a second level that calls replace and nested ones; a start
 * without bit 22 stays in its level. */
static void gen12_modes(void)
{
    static const uint32_t words[3][9] = {
        {0x18c00101, BATCH_VA + 0x100, 0,         0x00400001,        0x05000000},
        {0x18c00101,          BATCH_VA + 0x200,                 0, 0x11000001, 0x2600, 1, 0x05000000},
        {0x18800101,    BATCH_VA + 0x300,                   0,                  0x80000000                                  },
    };
    static const uint32_t last[] = {0x11000001, 0x2608, 2, 0x05000000};
    for (uint32_t nest = 0; nest < 2; nest++) {
        power_up(GPUCMD_I915_GEN12, GPUCMD_I915_RCS);
        gpucmd_i915_cs_write(&cs, 0x209c, 0x10000000 | nest << 12);
        for (size_t i = 0; i < 9; i++) {
            put(batch_bytes, i, words[0][i]);
            put(batch_bytes, 0x40 + i, words[1][i]);
            put(batch_bytes, 0x80 + i, words[2][i]);
            put(batch_bytes, 0xc0 + i, i < 4 ? last[i] : 0);
        }
        EQUAL(gpucmd_i915_cs_batch(&cs, BATCH_VA, true), GPUCMD_OK);
        EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_IDLE);
        EQUAL(gpucmd_i915_cs_read(&cs, 0x2094), 1);    /* back in the first level */
        EQUAL(gpucmd_i915_cs_read(&cs, 0x2608), 2);    /* the last was there */
        EQUAL(gpucmd_i915_cs_read(&cs, 0x2600), nest); /* nested: the second came on */
        EQUAL(cs.commands, nest != 0 ? 9 : 7);
    }
}

/* Gen2 and 3: MI_BATCH_BUFFER runs to the qword it names, without an END. */
static void batch_with_end(void)
{
    power_up(GPUCMD_I915_GEN3, GPUCMD_I915_RCS);
    for (uint32_t i = 0; i < 8; i++) {
        put(batch_bytes, i, 0x00400001 + i);
    }
    put(ring_bytes, 0x30 / 4, 0x18000001);
    put(ring_bytes, 0x34 / 4, BATCH_VA | 1);
    put(ring_bytes, 0x38 / 4, BATCH_VA + 16 - 8);
    gpucmd_i915_cs_write(&cs, 0x2030, 0x40);
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 100), GPUCMD_RUN_IDLE);
    EQUAL(gpucmd_i915_cs_read(&cs, 0x2094), 4);
    EQUAL(cs.commands, 6);
    NOW(RS0, 0x40, 0x40, 0x40);
}

int main(void)
{
    for (int literal = 0; literal < 2; literal++) {
        sixteen_steps(GPUCMD_I915_GEN2, GPUCMD_I915_RCS, 0x18800080, 1, literal != 0);
        sixteen_steps(GPUCMD_I915_GEN3, GPUCMD_I915_RCS, 0x18800080, 1, literal != 0);
        sixteen_steps(GPUCMD_I915_GEN4, GPUCMD_I915_RCS, 0x18800180, 0, literal != 0);
        sixteen_steps(GPUCMD_I915_GEN4_5, GPUCMD_I915_VCS, 0x18800180, 0, literal != 0);
        sixteen_steps(GPUCMD_I915_GEN5, GPUCMD_I915_RCS, 0x18800180, 0, literal != 0);
        sixteen_steps(GPUCMD_I915_GEN6, GPUCMD_I915_RCS, 0x18800100, 0, literal != 0);
        sixteen_steps(GPUCMD_I915_GEN6, GPUCMD_I915_BCS, 0x18800100, 0, literal != 0);
        sixteen_steps(GPUCMD_I915_GEN7, GPUCMD_I915_RCS, 0x18800100, 0, literal != 0);
        sixteen_steps(GPUCMD_I915_GEN7, GPUCMD_I915_VCS, 0x18800100, 0, literal != 0);
        sixteen_steps(GPUCMD_I915_GEN7_5, GPUCMD_I915_RCS, 0x18802100, 0, literal != 0);
        sixteen_steps(GPUCMD_I915_GEN7_5, GPUCMD_I915_VECS, 0x18800100, 0, literal != 0);
    }
    gen8_ring(GPUCMD_I915_GEN8, GPUCMD_I915_RCS);
    gen8_ring(GPUCMD_I915_GEN9, GPUCMD_I915_BCS);
    gen8_ring(GPUCMD_I915_GEN11, GPUCMD_I915_VCS);
    gen8_ring(GPUCMD_I915_GEN12, GPUCMD_I915_VECS);
    gen8_ring(GPUCMD_I915_GEN12_5, GPUCMD_I915_CCS);
    names();
    wrap();
    errors();
    predicate_ends();
    chains();
    second_level();
    nested();
    gen12_modes();
    batch_with_end();
    return test_report("i915_walkthrough");
}

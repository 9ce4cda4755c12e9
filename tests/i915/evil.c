/* Hostile batches and rings, a row for each kind. Expected first: how the walk ends, how many
 * errors the checker finds and the rule of the first (where there is none, of the first warning),
 * how the streamer ends, its error, ACTHD there, and the first word of the data page. Every batch
 * runs without privilege, in one go and in single steps. */
/* suite: executor */
#include "gpucmd_i915.h"

#include <stdlib.h>

#include "test.h"

enum {
    BATCH = 0x10000,   /* 4 KiB, zero after the words of the row; no memory follows */
    OTHER = 0x18000,   /* 4 KiB with the row's second words */
    RING = 0x20000,    /* 4 KiB */
    DATA = 0x30000,    /* 4 KiB of zero */
    CODE = 0x40000,    /* 4 KiB of MI_BATCH_BUFFER_END that cannot be written */
    BLIND = 0x50000,   /* 4 KiB that cannot be read */
    NOWHERE = 0x60000, /* nothing */
    BUDGET = 5000,
};
#define TOP 0xfffffffff000u /* the last page of 48 bits, zero */

enum { GEN3 = 30, GEN6 = 60, GEN7 = 70, GEN7_5 = 75, GEN8 = 80, GEN9 = 90, GEN12_5 = 125 };
enum { RCS = 1, VCS = 2, BCS = 4, VECS = 8 };

enum walk { OK, INVALID, TRUNCATED };
enum rule {
    NO_FINDING = -1,
#define RULE(name, severity, text) IS_##name,
    GPUCMD_I915_RULES(RULE)
#undef RULE
};
enum run { IDLE, BLOCKED, FAULT, LIMIT };
enum error {
#define ERROR(name, text) ERR_##name,
    GPUCMD_I915_ERRORS(ERROR)
#undef ERROR
};

typedef struct row {
    enum walk walk;
    unsigned errors;
    enum rule rule;
    enum run run;
    enum error error;
    uint64_t acthd;
    uint32_t data;
    const char *what;
    int gen, engine;
    uint32_t at, n;
    uint32_t words[12];
    uint32_t second[5];
} row;

/* clang-format off */
static const row rows[] = {
    /* ---- ends ---- */
    {OK, 1, IS_NO_END, FAULT, ERR_FETCH, BATCH + 0x1000, 0,
     "nothing but zero", GEN9, RCS, BATCH, 2, {0, 0}, {0}},
    {OK, 1, IS_NO_END, FAULT, ERR_FETCH, 0x1000000000000u, 0,
     "over the end of the address space", GEN9, RCS, BATCH, 2, {0, 0}, {1}},
    {OK, 1, IS_NO_END, FAULT, ERR_FETCH, BATCH + 0x1000, 0,
     "END with a bit of the opcode lost", GEN9, RCS, BATCH, 2, {0x04800000, 0}, {0}},
    /* ---- not aligned ---- */
    {OK, 1, IS_BATCH_ALIGN, IDLE, ERR_NONE, 0, 0,
     "batch at 4 modulo 8", GEN9, RCS, BATCH + 4, 2, {0x05000000, 0}, {0}},
    {OK, 1, IS_BATCH_ALIGN, IDLE, ERR_NONE, 0, 0,
     "odd number of words", GEN9, RCS, BATCH, 1, {0x05000000}, {0}},
    {OK, 1, IS_ADDRESS_ALIGN, IDLE, ERR_NONE, 0, 0,
     "start at 3 modulo 4", GEN7, RCS, BATCH, 2, {0x18800100, CODE | 3}, {0}},
    {OK, 1, IS_ADDRESS_ALIGN, IDLE, ERR_NONE, 0, 0x55,
     "store at 2 modulo 4", GEN8, RCS, BATCH, 6, {0x10000002, DATA | 2, 0, 0x55, 0x05000000, 0}, {0}},
    {OK, 1, IS_QWORD_ALIGN, FAULT, ERR_OPERAND, BATCH, 0,
     "atomic of 8 bytes at 4 modulo 8", GEN8, RCS, BATCH, 4, {0x17802501, DATA + 4, 0, 0x05000000}, {0}},
    {OK, 1, IS_REGISTER_ALIGN, IDLE, ERR_NONE, 0, 0,
     "register at 2 modulo 4", GEN9, RCS, BATCH, 4, {0x11000001, 0x2602, 1, 0x05000000}, {0}},
    /* ---- truncated, too long, too short ---- */
    {TRUNCATED, 2, IS_TRUNCATED, FAULT, ERR_FETCH, BATCH + 0xff0, 0,
     "passes the end of memory", GEN9, RCS, BATCH + 0xff0, 4, {0x11000007, 0x2600, 1, 0x2604}, {0}},
    {TRUNCATED, 2, IS_TRUNCATED, FAULT, ERR_FETCH, BATCH + 0xff8, 0,
     "start without its address", GEN8, RCS, BATCH + 0xff8, 2, {0x18800101, CODE}, {0}},
    {TRUNCATED, 2, IS_TRUNCATED, FAULT, ERR_FETCH, BATCH + 0x1000, 0,
     "longest LOAD_REGISTER_IMM", GEN9, RCS, BATCH, 2, {0x110000ff, 0}, {0}},
    {TRUNCATED, 3, IS_LENGTH, FAULT, ERR_FETCH, BATCH, 0,
     "65537 words of media state", GEN9, RCS, BATCH, 2, {0x7000ffff, 0}, {0}},
    {TRUNCATED, 2, IS_TRUNCATED, FAULT, ERR_FETCH, BATCH, 0,
     "262145 words of vertices", GEN3, RCS, BATCH, 2, {0x7f03ffff, 0}, {0}},
    {TRUNCATED, 2, IS_TRUNCATED, FAULT, ERR_FETCH, BATCH, 0,
     "index list without an end", GEN3, RCS, BATCH, 2, {0x7f820000, 0}, {0}},
    {TRUNCATED, 2, IS_TRUNCATED, FAULT, ERR_FETCH, BATCH, 0,
     "1025 words to store", GEN9, RCS, BATCH, 4, {0x100003ff, DATA, 0, 1}, {0}},
    {OK, 1, IS_LENGTH, FAULT, ERR_LENGTH, BATCH, 0,
     "LOAD_REGISTER_IMM of two words", GEN9, RCS, BATCH, 4, {0x11000000, 0x2600, 0x05000000, 0}, {0}},
    {OK, 1, IS_LENGTH, IDLE, ERR_NONE, 0, 0,
     "LOAD_REGISTER_IMM with half a pair", GEN9, RCS, BATCH, 6, {0x11000002, 0x2600, 1, 0x2604, 0x05000000, 0}, {0}},
    {OK, 1, IS_LENGTH, FAULT, ERR_LENGTH, BATCH, 0,
     "store without data", GEN9, RCS, BATCH, 4, {0x10000001, DATA, 0, 0x05000000}, {0}},
    {OK, 1, IS_LENGTH, FAULT, ERR_LENGTH, BATCH, 0,
     "start of two words", GEN8, RCS, BATCH, 4, {0x18800100, CODE, 0x05000000, 0}, {0}},
    {OK, 1, IS_INLINE_DATA, FAULT, ERR_LENGTH, BATCH, 0,
     "atomic without its operands", GEN8, RCS, BATCH, 4, {0x17840701, DATA, 0, 0x05000000}, {0}},
    {OK, 1, IS_LENGTH, FAULT, ERR_LENGTH, BATCH, 0,
     "PIPE_CONTROL of two words", GEN9, RCS, BATCH, 4, {0x7a000000, 0x4000, 0x05000000, 0}, {0}},
    {OK, 1, IS_LENGTH, FAULT, ERR_LENGTH, BATCH, 0,
     "blit of four words", GEN8, BCS, BATCH, 6, {0x54300002, 0x03f00040, 0, 0x00010001, 0x05000000, 0}, {0}},
    /* ---- unknown ---- */
    {INVALID, 1, IS_UNKNOWN, FAULT, ERR_UNKNOWN, BATCH, 0,
     "client 1", GEN9, RCS, BATCH, 2, {0x20000000, 0x05000000}, {0}},
    {INVALID, 1, IS_UNKNOWN, FAULT, ERR_UNKNOWN, BATCH, 0,
     "client 4", GEN7, VCS, BATCH, 2, {0x80000000, 0x05000000}, {0}},
    {INVALID, 1, IS_UNKNOWN, FAULT, ERR_UNKNOWN, BATCH, 0,
     "client 5", GEN8, BCS, BATCH, 2, {0xa0000000, 0x05000000}, {0}},
    {INVALID, 1, IS_UNKNOWN, FAULT, ERR_UNKNOWN, BATCH, 0,
     "client 6", GEN3, RCS, BATCH, 2, {0xc0000000, 0x05000000}, {0}},
    {INVALID, 1, IS_UNKNOWN, FAULT, ERR_UNKNOWN, BATCH, 0,
     "client 7", GEN12_5, RCS, BATCH, 2, {0xffffffff, 0x05000000}, {0}},
    {INVALID, 1, IS_UNKNOWN, FAULT, ERR_UNKNOWN, BATCH, 0,
     "MI opcode 10", GEN9, RCS, BATCH, 2, {0x08000000, 0x05000000}, {0}},
    {INVALID, 2, IS_UNKNOWN, FAULT, ERR_UNKNOWN, BATCH + 4, 0,
     "MI opcode 3f behind a good command", GEN9, RCS, BATCH, 2, {0x02800000, 0x1f800000}, {0}},
    {INVALID, 1, IS_GENERATION, FAULT, ERR_UNKNOWN, BATCH, 0,
     "command of a later generation", GEN7, RCS, BATCH, 2, {0x00800001, 0x05000000}, {0}},
    {INVALID, 1, IS_GENERATION, FAULT, ERR_UNKNOWN, BATCH, 0,
     "command of an earlier generation", GEN8, RCS, BATCH, 4, {0x0b000001, 0, 0, 0x05000000}, {0}},
    {INVALID, 1, IS_ENGINE, FAULT, ERR_UNKNOWN, BATCH, 0,
     "blit on the render engine", GEN6, RCS, BATCH, 6, {0x50300003, 0x03f00040, 0x00010004, DATA, 7, 0x05000000}, {0}},
    {INVALID, 1, IS_ENGINE, FAULT, ERR_UNKNOWN, BATCH, 0,
     "3D on the copy engine", GEN9, BCS, BATCH, 8, {0x7a000004, 0x4000, DATA, 0, 1, 0, 0x05000000, 0}, {0}},
    {INVALID, 1, IS_ENGINE, FAULT, ERR_UNKNOWN, BATCH, 0,
     "PREDICATE on the video engine", GEN7, VCS, BATCH, 2, {0x06000082, 0x05000000}, {0}},
    /* ---- operands ---- */
    {OK, 0, NO_FINDING, FAULT, ERR_OPERAND, BATCH, 0,
     "ALU opcode fff", GEN9, RCS, BATCH, 4, {0x0d000000, 0xfff00000, 0x05000000, 0}, {0}},
    {OK, 0, NO_FINDING, FAULT, ERR_OPERAND, BATCH, 0,
     "ALU load of register 10", GEN9, RCS, BATCH, 4, {0x0d000000, 0x08008010, 0x05000000, 0}, {0}},
    {OK, 0, NO_FINDING, FAULT, ERR_OPERAND, BATCH, 0,
     "ALU store to register 3ff", GEN9, RCS, BATCH, 4, {0x0d000000, 0x180ffc31, 0x05000000, 0}, {0}},
    {OK, 0, NO_FINDING, FAULT, ERR_OPERAND, BATCH, 0,
     "ALU shift before gen12.5", GEN9, RCS, BATCH, 4, {0x0d000000, 0x10500000, 0x05000000, 0}, {0}},
    {OK, 0, NO_FINDING, FAULT, ERR_OPERAND, BATCH, 0,
     "atomic operation 0", GEN8, RCS, BATCH, 4, {0x17800001, DATA, 0, 0x05000000}, {0}},
    {OK, 0, NO_FINDING, FAULT, ERR_OPERAND, BATCH, 0,
     "atomic of width 3", GEN8, RCS, BATCH, 4, {0x17980501, DATA, 0, 0x05000000}, {0}},
    {OK, 0, NO_FINDING, FAULT, ERR_OPERAND, BATCH, 0,
     "semaphore compare 7", GEN8, RCS, BATCH, 6, {0x0e00f002, 0, DATA, 0, 0x05000000, 0}, {0}},
    {OK, 0, NO_FINDING, FAULT, ERR_OPERAND, BATCH, 0,
     "PREDICATE load 1", GEN7, RCS, BATCH, 2, {0x06000042, 0x05000000}, {0}},
    {OK, 0, NO_FINDING, FAULT, ERR_OPERAND, BATCH, 0,
     "SET_PREDICATE 9", GEN8, RCS, BATCH, 2, {0x00800009, 0x05000000}, {0}},
    {OK, 0, NO_FINDING, FAULT, ERR_OPERAND, BATCH, 0,
     "depth count from the copy engine", GEN8, BCS, BATCH, 6, {0x13008002, DATA, 0, 0, 0x05000000, 0}, {0}},
    /* ---- memory ---- */
    {OK, 0, NO_FINDING, FAULT, ERR_MEMORY, BATCH, 0,
     "store to nowhere", GEN8, RCS, BATCH, 6, {0x10000002, NOWHERE, 0, 1, 0x05000000, 0}, {0}},
    {OK, 0, NO_FINDING, FAULT, ERR_MEMORY, BATCH, 0,
     "store to read-only memory", GEN8, RCS, BATCH, 6, {0x10000002, CODE, 0, 1, 0x05000000, 0}, {0}},
    {OK, 1, IS_QWORD_ALIGN, FAULT, ERR_MEMORY, BATCH, 0,
     "8 bytes over the end of a page", GEN8, RCS, BATCH, 6, {0x10200003, DATA + 0xffc, 0, 1, 2, 0x05000000}, {0}},
    {OK, 0, NO_FINDING, FAULT, ERR_MEMORY, BATCH, 0,
     "load of what cannot be read", GEN8, RCS, BATCH, 6, {0x14800002, 0x2600, BLIND, 0, 0x05000000, 0}, {0}},
    {OK, 0, NO_FINDING, FAULT, ERR_MEMORY, BATCH, 0,
     "copy from nowhere", GEN8, RCS, BATCH, 6, {0x17000003, DATA, 0, NOWHERE, 0, 0x05000000}, {0}},
    {OK, 0, NO_FINDING, FAULT, ERR_MEMORY, BATCH, 0,
     "atomic on read-only memory", GEN8, RCS, BATCH, 4, {0x17800501, CODE, 0, 0x05000000}, {0}},
    {OK, 0, NO_FINDING, FAULT, ERR_MEMORY, BATCH, 0,
     "semaphore in nowhere", GEN8, RCS, BATCH, 6, {0x0e009002, 1, NOWHERE, 0, 0x05000000, 0}, {0}},
    {OK, 0, NO_FINDING, FAULT, ERR_MEMORY, BATCH, 0,
     "post-sync write to nowhere", GEN7, RCS, BATCH, 6, {0x7a000003, 0x4000, NOWHERE, 1, 0, 0x05000000}, {0}},
    {OK, 0, NO_FINDING, FAULT, ERR_MEMORY, BATCH, 7,
     "fill of 2 GiB", GEN8, BCS, BATCH, 8, {0x54300005, 0x03f07ffc, 0, 0x7fff0002, DATA, 0, 7, 0x05000000}, {0}},
    {OK, 0, NO_FINDING, FAULT, ERR_MEMORY, BATCH, 0,
     "fill at negative coordinates", GEN8, BCS, BATCH, 8, {0x54300005, 0x03f01000, 0x80008000, 0x80018001, DATA, 0, 7, 0x05000000}, {0}},
    {OK, 0, NO_FINDING, FAULT, ERR_MEMORY, BATCH, 7,
     "fill upwards out of memory", GEN8, BCS, BATCH, 8, {0x54300005, 0x03f08000, 0, 0x00020001, DATA, 0, 7, 0x05000000}, {0}},
    {OK, 0, IS_RECTANGLE, IDLE, ERR_NONE, 0, 0,
     "empty and turned rectangles", GEN8, BCS, BATCH, 8, {0x54300005, 0x03f01000, 0x00100010, 0x00080008, DATA, 0, 7, 0x05000000}, {0}},
    {OK, 0, NO_FINDING, IDLE, ERR_NONE, 0, 7,
     "pitch 0", GEN8, BCS, BATCH, 8, {0x54300005, 0x03f00000, 0, 0x7fff0001, DATA, 0, 7, 0x05000000}, {0}},
    /* ---- endless ---- */
    {OK, 1, IS_SELF_JUMP, LIMIT, ERR_NONE, BATCH, 0,
     "jump to itself", GEN7, RCS, BATCH, 2, {0x18800100, BATCH}, {0}},
    {OK, 1, IS_SELF_JUMP, LIMIT, ERR_NONE, BATCH, 0,
     "jump to itself, 64 bits", GEN9, RCS, BATCH, 4, {0x18800101, BATCH, 0, 0}, {0}},
    {OK, 0, NO_FINDING, LIMIT, ERR_NONE, BATCH, 0,
     "two that jump to each other", GEN7, RCS, BATCH, 2, {0x18800100, OTHER}, {0x18800100, BATCH}},
    {OK, 0, NO_FINDING, LIMIT, ERR_NONE, OTHER, 0,
     "second level that calls itself", GEN7_5, RCS, BATCH, 4, {0x18c02100, OTHER, 0x05000000, 0}, {0x18c02100, OTHER}},
    {OK, 0, NO_FINDING, LIMIT, ERR_NONE, OTHER, 0,
     "second level that jumps to itself", GEN8, RCS, BATCH, 4, {0x18c00101, OTHER, 0, 0x05000000}, {0x18800101, OTHER, 0}},
    {OK, 0, NO_FINDING, BLOCKED, ERR_NONE, BATCH, 0,
     "semaphore that nobody opens", GEN8, RCS, BATCH, 6, {0x0e00c002, 1, DATA, 0, 0x05000000, 0}, {0}},
    {OK, 1, IS_SELF_JUMP, IDLE, ERR_NONE, 0, 0,
     "END stored over a loop", GEN7, RCS, BATCH, 6, {0x10000002, 0, BATCH, 0x05000000, 0x18800100, BATCH}, {0}},
    {INVALID, 2, IS_UNKNOWN, IDLE, ERR_NONE, 0, 0,
     "END stored over an unknown word", GEN7, RCS, BATCH, 6, {0x10000002, 0, BATCH + 16, 0x05000000, 0x80000000, 0}, {0}},
    {OK, 0, NO_FINDING, FAULT, ERR_UNKNOWN, BATCH + 16, 0,
     "unknown word stored over END", GEN7, RCS, BATCH, 6, {0x10000002, 0, BATCH + 16, 0x80000000, 0x05000000, 0}, {0}},
    /* ---- chains and levels ---- */
    {OK, 0, NO_FINDING, FAULT, ERR_FETCH, BATCH, 0,
     "chain to nowhere", GEN7, RCS, BATCH, 2, {0x18800100, NOWHERE}, {0}},
    {OK, 0, NO_FINDING, FAULT, ERR_FETCH, BATCH, 0,
     "chain above 4 GiB", GEN8, RCS, BATCH, 4, {0x18800101, CODE, 1, 0}, {0}},
    {OK, 0, NO_FINDING, FAULT, ERR_FETCH, BATCH, 0,
     "chain to what cannot be read", GEN8, RCS, BATCH, 4, {0x18800101, BLIND, 0, 0}, {0}},
    {OK, 0, NO_FINDING, IDLE, ERR_NONE, 0, 0,
     "chain to what cannot be written", GEN8, RCS, BATCH, 4, {0x18800101, CODE, 0, 0}, {0}},
    {OK, 0, NO_FINDING, FAULT, ERR_FETCH, 0x1000000000000u, 0,
     "chain to the last word of all", GEN8, RCS, BATCH, 4, {0x18800101, 0xfffffffc, 0xffff, 0}, {0}},
    {OK, 1, IS_CANONICAL, IDLE, ERR_NONE, 0, 0,
     "address with bits 63:48", GEN8, RCS, BATCH, 4, {0x18800101, CODE, 0xabcd0000, 0}, {0}},
    {OK, 1, IS_SELF_JUMP, FAULT, ERR_NESTING, BATCH, 0,
     "nested too deep", GEN12_5, RCS, BATCH, 4, {0x18c00101, BATCH, 0, 0x05000000}, {0}},
    {OK, 0, NO_FINDING, FAULT, ERR_NESTING, BATCH, 0,
     "MI_BATCH_BUFFER in a batch", GEN3, RCS, BATCH, 4, {0x18000001, CODE, CODE + 8, 0x05000000}, {0}},
    {OK, 1, IS_SECOND_LEVEL, FAULT, ERR_NESTING, 0, 0,
     "second level from the ring", GEN8, RCS, RING, 4, {0x18c00101, CODE, 0, 0}, {0}},
    {OK, 1, IS_END_IN_RING, FAULT, ERR_END_IN_RING, 0, 0,
     "END in the ring", GEN9, RCS, RING, 2, {0x05000000, 0}, {0}},
    {OK, 0, NO_FINDING, FAULT, ERR_END_IN_RING, 0, 0,
     "END on a condition in the ring", GEN9, RCS, RING, 4, {0x1b200002, 5, DATA, 0}, {0}},
    {TRUNCATED, 1, IS_PAST_TAIL, FAULT, ERR_TAIL, 0, 0,
     "command passes TAIL", GEN9, RCS, RING, 2, {0x11000003, 0x2600}, {0}},
    /* ---- privilege ---- */
    {OK, 0, IS_PRIVILEGED, IDLE, ERR_NONE, 0, 0,
     "store through the global table", GEN7, RCS, BATCH, 6, {0x10400002, 0, DATA, 0x55, 0x05000000, 0}, {0}},
    {OK, 0, IS_PRIVILEGED, IDLE, ERR_NONE, 0, 0,
     "copy through the global table", GEN8, RCS, BATCH, 6, {0x17200003, DATA, 0, CODE, 0, 0x05000000}, {0}},
    {OK, 0, IS_PRIVILEGED, IDLE, ERR_NONE, 0, 0,
     "register to the global table", GEN8, RCS, BATCH, 6, {0x12400002, 0x2358, DATA, 0, 0x05000000, 0}, {0}},
    {OK, 0, IS_PRIVILEGED, IDLE, ERR_NONE, 0, 0,
     "post-sync write through the global table", GEN8, RCS, BATCH, 8, {0x7a000004, 0x01004000, DATA, 0, 1, 0, 0x05000000, 0}, {0}},
    {OK, 0, IS_PRIVILEGED, IDLE, ERR_NONE, 0, 0,
     "flush with a write to the status page", GEN8, BCS, BATCH, 6, {0x13204002, 0x40, 0, 1, 0x05000000, 0}, {0}},
    {OK, 0, IS_PRIVILEGED, IDLE, ERR_NONE, 0, 0,
     "flush with a write through the global table", GEN8, BCS, BATCH, 6, {0x13004002, DATA | 4, 0, 1, 0x05000000, 0}, {0}},
    {OK, 0, IS_PRIVILEGED, IDLE, ERR_NONE, 0, 0,
     "performance report through the global table", GEN8, RCS, BATCH, 6, {0x14000002, DATA | 1, 0, 7, 0x05000000, 0}, {0}},
    {OK, 0, IS_PRIVILEGED, IDLE, ERR_NONE, 0, 0,
     "cache lines of the global table", GEN8, RCS, BATCH, 4, {0x13c00001, DATA, 0, 0x05000000}, {0}},
    {OK, 0, IS_PRIVILEGED, IDLE, ERR_NONE, 0, 0,
     "register from the global table", GEN9, RCS, BATCH, 6, {0x14c00002, 0x2600, NOWHERE, 0, 0x05000000, 0}, {0}},
    {OK, 0, IS_PRIVILEGED, IDLE, ERR_NONE, 0, 1,
     "atomic: the bit is ignored", GEN8, RCS, BATCH, 4, {0x17c00501, DATA, 0, 0x05000000}, {0}},
    {OK, 0, IS_PRIVILEGED, IDLE, ERR_NONE, 0, 0,
     "semaphore: the bit is ignored", GEN8, RCS, BATCH, 6, {0x0e40c002, 0, DATA, 0, 0x05000000, 0}, {0}},
    {OK, 0, IS_PRIVILEGED, IDLE, ERR_NONE, 0, 0,
     "word for the status page", GEN8, RCS, BATCH, 4, {0x10800001, 0x40, 1, 0x05000000}, {0}},
    {OK, 0, IS_PRIVILEGED, IDLE, ERR_NONE, 0, 0,
     "END on a condition in the global table", GEN8, RCS, BATCH, 6, {0x1b600002, 5, NOWHERE, 0, 0x05000000, 0}, {0}},
    {OK, 0, IS_PRIVILEGED, IDLE, ERR_NONE, 0, 0,
     "no more arbitration", GEN8, RCS, BATCH, 2, {0x04000000, 0x05000000}, {0}},
    {OK, 0, IS_PRIVILEGED, IDLE, ERR_NONE, 0, 0,
     "another context", GEN8, RCS, BATCH, 4, {0x0c000000, DATA, 0x05000000, 0}, {0}},
    {OK, 0, IS_PRIVILEGED, IDLE, ERR_NONE, 0, 0,
     "new page table entries", GEN8, RCS, BATCH, 4, {0x11800001, 0, 1, 0x05000000}, {0}},
    {OK, 0, IS_PRIVILEGED, IDLE, ERR_NONE, 0, 0,
     "semaphore of the kernel", GEN7, RCS, BATCH, 4, {0x0b140001, 5, 0, 0x05000000}, {0}},
    {OK, 0, IS_REGISTER, IDLE, ERR_NONE, 0, 0,
     "TAIL of its own ring", GEN9, RCS, BATCH, 4, {0x11000001, 0x2030, 0x800, 0x05000000}, {0}},
    {OK, 0, IS_REGISTER, IDLE, ERR_NONE, 0, 0,
     "START of its own ring, from a register", GEN9, RCS, BATCH, 4, {0x15000001, 0x2600, 0x2038, 0x05000000}, {0}},
    {OK, 0, IS_REGISTER, IDLE, ERR_NONE, 0, 0,
     "CTL of its own ring, from memory", GEN9, RCS, BATCH, 6, {0x14800002, 0x203c, DATA, 0, 0x05000000, 0}, {0}},
    {OK, 0, NO_FINDING, IDLE, ERR_NONE, 0, 0,
     "a child that asks for all rights", GEN8, RCS, BATCH, 4, {0x18800001, OTHER, 0, 0}, {0x10400002, DATA, 0, 0x55, 0x05000000}},
};
/* clang-format on */

static uint8_t batch_bytes[4096], other_bytes[4096], ring_bytes[4096], data[4096], code[4096],
    blind[4096], top_bytes[4096];
static const gpucmd_region regions[] = {
    {BATCH, 4096, batch_bytes, GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE},
    {OTHER, 4096, other_bytes, GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE},
    {RING,  4096, ring_bytes,  GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE},
    {DATA,  4096, data,        GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE},
    {CODE,  4096, code,        GPUCMD_ACCESS_READ                      },
    {BLIND, 4096, blind,       GPUCMD_ACCESS_WRITE                     },
    {TOP,   4096, top_bytes,   GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE},
};
static gpucmd_mem mem;
static gpucmd_env env;
static gpucmd_i915_cs cs;

static enum rule first[3];

static gpucmd_status on_finding(void *user, const gpucmd_i915_finding *f)
{
    (void)user;
    if (first[f->severity] == NO_FINDING) {
        first[f->severity] = (enum rule)f->rule;
    }
    return GPUCMD_OK;
}

static void power_up(const row *r)
{
    uint8_t *const at = r->at < OTHER   ? batch_bytes + (r->at - BATCH)
                        : r->at == RING ? ring_bytes
                                        : top_bytes;
    memset(batch_bytes, 0, sizeof batch_bytes);
    memset(other_bytes, 0, sizeof other_bytes);
    memset(ring_bytes, 0, sizeof ring_bytes);
    memset(data, 0, sizeof data);
    memset(top_bytes, 0, sizeof top_bytes);
    for (uint32_t i = 0; i < sizeof code; i += 4) {
        gpucmd_store32(code + i, 0x05000000, GPUCMD_LITTLE_ENDIAN);
    }
    gpucmd_store_words(at, r->words, r->n, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store_words(other_bytes, r->second, 5, GPUCMD_LITTLE_ENDIAN);
    EQUAL(gpucmd_mem_init(&mem, regions, sizeof regions / sizeof regions[0]), GPUCMD_OK);
    gpucmd_env_init(&env, &mem, NULL, NULL);
    EQUAL(gpucmd_i915_cs_init(&cs, (gpucmd_i915_gen)r->gen, (gpucmd_i915_engine)r->engine, 0),
          GPUCMD_OK);
    gpucmd_i915_cs_write(&cs, cs.base + GPUCMD_I915_REG_HWS_PGA, DATA);
    gpucmd_i915_cs_write(&cs, cs.base + GPUCMD_I915_REG_START, RING);
    gpucmd_i915_cs_write(&cs, cs.base + GPUCMD_I915_REG_CTL, 1);
}

static void look(const row *r)
{
    static const gpucmd_status walks[] = {GPUCMD_OK, GPUCMD_INVALID, GPUCMD_TRUNCATED};
    gpucmd_i915_check_options options = {on_finding, NULL, 0, false, false, false, false};
    gpucmd_i915_walk k;
    gpucmd_i915_part part;
    uint32_t steps = 0;
    size_t errors = 99;
    options.ring = r->at == RING;
    options.va = r->at;
    first[0] = first[1] = first[2] = NO_FINDING;
    gpucmd_i915_walk_init(&k, &cs.cmdset, r->words, r->n);
    while (gpucmd_i915_walk_next(&k, &part) && steps++ < 100) {
        CHECK(part.len_dw >= 1 && part.dw + part.len_dw <= r->words + r->n);
        if (gpucmd_i915_ends_batch(cs.cmdset.gen, part.dw[0])) {
            break;
        }
    }
    EQUAL(k.status, walks[r->walk]);
    EQUAL(gpucmd_i915_check(&cs.cmdset, r->words, r->n, &options, &errors), GPUCMD_OK);
    EQUAL(errors, r->errors);
    EQUAL(first[2] != NO_FINDING ? first[2] : first[1], r->rule);
}

static gpucmd_run go(const row *r, bool stepping)
{
    gpucmd_run run = GPUCMD_RUN_DONE;
    power_up(r);
    if (r->at == RING) {
        gpucmd_i915_cs_write(&cs, cs.base + GPUCMD_I915_REG_TAIL, 4 * r->n);
    } else {
        EQUAL(gpucmd_i915_cs_batch(&cs, r->second[0] == 1 ? TOP : r->at, false), GPUCMD_OK);
    }
    if (!stepping) {
        return gpucmd_i915_cs_run(&cs, &env, BUDGET);
    }
    for (unsigned i = 0; i < 100 * BUDGET && run == GPUCMD_RUN_DONE; i++) {
        if (cs.commands == BUDGET && r->run == LIMIT && cs.state == GPUCMD_I915_BS2) {
            return GPUCMD_RUN_LIMIT;
        }
        run = gpucmd_i915_cs_step(&cs, &env);
    }
    return run;
}

static void evil(const row *r)
{
    static const gpucmd_run runs[] = {GPUCMD_RUN_IDLE, GPUCMD_RUN_BLOCKED, GPUCMD_RUN_FAULT,
                                      GPUCMD_RUN_LIMIT};
    const unsigned failed = test.failed;
    for (int stepping = 0; stepping < 2; stepping++) {
        EQUAL(go(r, stepping != 0), runs[r->run]);
        EQUAL(cs.state == GPUCMD_I915_RS5, r->run == FAULT);
        EQUAL(cs.error, r->error);
        EQUAL(cs.acthd, r->acthd);
        EQUAL(gpucmd_load32(data, GPUCMD_LITTLE_ENDIAN), r->data);
        EQUAL(cs.start, RING);
        EQUAL(cs.ctl & 0x001ff001, 1);
        EQUAL(cs.tail, r->at == RING ? 4 * r->n : 0);
        EQUAL(cs.reg[GPUCMD_I915_REG_CCID / 4], 0);
        EQUAL(gpucmd_load32(data + 0x40, GPUCMD_LITTLE_ENDIAN), 0); /* the status page */
        EQUAL(gpucmd_load32(code, GPUCMD_LITTLE_ENDIAN), 0x05000000);
        EQUAL(gpucmd_load32(data + 0xffc, GPUCMD_LITTLE_ENDIAN), 0);
        if (cs.state ==
            GPUCMD_I915_RS5) { /* it stays there until a reset, which leaves it usable */
            EQUAL(gpucmd_i915_cs_run(&cs, &env, BUDGET), GPUCMD_RUN_FAULT);
            gpucmd_i915_cs_reset(&cs, cs.tail);
            EQUAL(gpucmd_i915_cs_batch(&cs, CODE, false), GPUCMD_OK);
            EQUAL(gpucmd_i915_cs_run(&cs, &env, BUDGET), GPUCMD_RUN_IDLE);
        }
    }
    look(r);
    if (test.failed != failed) {
        printf("    %s\n", r->what);
    }
}

/* Values of the ring registers that no driver sets: HEAD, TAIL, START, CTL,
 * then the result. The ring is full of MI_NOOP, except a LOAD_REGISTER_IMM in
 * its last two words. */
static void rings(void)
{
    static const struct {
        gpucmd_run run;
        gpucmd_i915_error error;
        uint32_t end; /* HEAD */
        uint32_t head, tail, start, ctl;
    } bad[] = {
        {GPUCMD_RUN_IDLE,  GPUCMD_I915_ERROR_NONE,  0x000,  0x000,  0x100,  RING,    0}, /* off */
        {GPUCMD_RUN_IDLE,  GPUCMD_I915_ERROR_NONE,  0x100,  0x000,  0x107,  RING,
         1                                                                            }, /* TAIL has no bits 2:0 */
        {GPUCMD_RUN_FAULT, GPUCMD_I915_ERROR_TAIL,  0xff8,  0x800,  0x000,  RING,
         1                                                                            }, /* not split over the end */
        {GPUCMD_RUN_FAULT, GPUCMD_I915_ERROR_TAIL,  0xff8,  0x000,  0x1000, RING,
         1                                                                            }, /* TAIL of the ring's size */
        {GPUCMD_RUN_FAULT, GPUCMD_I915_ERROR_FETCH, 0x1800, 0x1800, 0x000,  RING,
         1                                                                            }, /* HEAD after the end of the ring */
        {GPUCMD_RUN_FAULT, GPUCMD_I915_ERROR_FETCH, 0x000,  0x000,  0x100,  NOWHERE, 1},
        {GPUCMD_RUN_FAULT, GPUCMD_I915_ERROR_FETCH, 0x000,  0x000,  0x100,  BLIND,   1},
        {GPUCMD_RUN_FAULT, GPUCMD_I915_ERROR_FETCH, 0xff8,  0x800,  0x1100, RING,
         0x1001                                                                       }, /* longer than its memory */
    };
    static const row zero = {OK, 0,    NO_FINDING, IDLE, ERR_NONE, 0,   0,
                             "", GEN9, RCS,        RING, 0,        {0}, {0}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        power_up(&zero);
        gpucmd_store32(ring_bytes + 0xff8, 0x11000001, GPUCMD_LITTLE_ENDIAN);
        gpucmd_store32(ring_bytes + 0xffc, 0x2600, GPUCMD_LITTLE_ENDIAN);
        gpucmd_i915_cs_write(&cs, 0x203c, 0);
        gpucmd_i915_cs_write(&cs, 0x2038, bad[i].start);
        gpucmd_i915_cs_write(&cs, 0x2034, bad[i].head);
        gpucmd_i915_cs_write(&cs, 0x2030, bad[i].tail);
        gpucmd_i915_cs_write(&cs, 0x203c, bad[i].ctl);
        EQUAL(gpucmd_i915_cs_run(&cs, &env, BUDGET), bad[i].run);
        EQUAL(cs.error, bad[i].error);
        EQUAL(cs.head, bad[i].end);
    }
}

/* A word that changes between parsing and execution, in the last words of
 * memory: the command stays as parsed. */
static void changed(void)
{
    static const struct {
        int gen, engine;
        uint32_t n;
        uint32_t words[4];
        uint32_t then; /* the first word as it is executed */
        gpucmd_i915_error error;
        uint32_t reg, value;
    } late[] = {
        {GEN7,
         VCS,       1,
         {0x00000000},
         0x17800503,                                         GPUCMD_I915_ERROR_FETCH,
         0x600,                                                                              0}, /* no atomics */
        {GEN8,
         BCS,       1,
         {0x00000000},
         0x0c000000,                                         GPUCMD_I915_ERROR_FETCH,
         0x180,                                                                              0}, /* no contexts */
        {GEN8, BCS, 1, {0x00000000},             0x54300005, GPUCMD_I915_ERROR_FETCH, 0x600, 0},
        {GEN9, RCS, 1, {0x00000000},             0x110000ff, GPUCMD_I915_ERROR_FETCH, 0x600, 0},
        {GEN9, RCS, 1, {0x05000000},             0x00000000, GPUCMD_I915_ERROR_NONE,  0x600, 0},
        {GEN9, RCS, 3, {0x11000001, 0x2600, 7},  0x05000000, GPUCMD_I915_ERROR_FETCH, 0x600, 7},
        {GEN9, RCS, 4, {0x0e00c002, 0, DATA, 0}, 0x17800509, GPUCMD_I915_ERROR_FETCH, 0x600, 0},
    };
    for (size_t i = 0; i < sizeof late / sizeof late[0]; i++) {
        uint8_t *words = (uint8_t *)malloc(4 * late[i].n);
        const gpucmd_region own[2] = {
            {BATCH, 4 * late[i].n, words, GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE},
            {DATA,  4096,          data,  GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE}
        };
        gpucmd_run run = GPUCMD_RUN_DONE;
        memset(data, 0, sizeof data);
        gpucmd_store_words(words, late[i].words, late[i].n, GPUCMD_LITTLE_ENDIAN);
        EQUAL(gpucmd_mem_init(&mem, own, 2), GPUCMD_OK);
        gpucmd_env_init(&env, &mem, NULL, NULL);
        EQUAL(gpucmd_i915_cs_init(&cs, (gpucmd_i915_gen)late[i].gen,
                                  (gpucmd_i915_engine)late[i].engine, 0),
              GPUCMD_OK);
        EQUAL(gpucmd_i915_cs_batch(&cs, BATCH, true), GPUCMD_OK);
        while (cs.state != GPUCMD_I915_BS2 && run == GPUCMD_RUN_DONE) {
            run = gpucmd_i915_cs_step(&cs, &env);
        }
        gpucmd_store32(words, late[i].then, GPUCMD_LITTLE_ENDIAN);
        while (run == GPUCMD_RUN_DONE) {
            run = gpucmd_i915_cs_step(&cs, &env);
        }
        EQUAL(cs.error, late[i].error);
        EQUAL(cs.commands, 1);
        EQUAL(gpucmd_i915_cs_read(&cs, cs.base + late[i].reg), late[i].value);
        free(words);
    }
}

/* A fill of 80 KiB overwrites itself with zeros, so its second part is an empty
 * fill. The next fill still begins with its first row. */
static void smaller(void)
{
    enum { NEXT = 0x14000 };
    static const uint32_t fill[] = {0x54300005, 0x03f01000, 0, 0x00140400, BATCH, 0, 0};
    static const uint32_t next[] = {0x54300005, 0x03f00004, 0,          0x00020001, DATA,
                                    0,          7,          0x05000000, 0};
    const size_t bytes = NEXT + sizeof next;
    uint8_t *words = (uint8_t *)calloc(bytes, 1);
    const gpucmd_region own[2] = {
        {BATCH, bytes, words, GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE},
        {DATA,  4096,  data,  GPUCMD_ACCESS_READ | GPUCMD_ACCESS_WRITE}
    };
    memset(data, 0, sizeof data);
    gpucmd_store_words(words, fill, sizeof fill / 4, GPUCMD_LITTLE_ENDIAN);
    gpucmd_store_words(words + NEXT, next, sizeof next / 4, GPUCMD_LITTLE_ENDIAN);
    EQUAL(gpucmd_mem_init(&mem, own, 2), GPUCMD_OK);
    gpucmd_env_init(&env, &mem, NULL, NULL);
    EQUAL(gpucmd_i915_cs_init(&cs, GPUCMD_I915_GEN8, GPUCMD_I915_BCS, 0), GPUCMD_OK);
    EQUAL(gpucmd_i915_cs_batch(&cs, BATCH, false), GPUCMD_OK);
    EQUAL(gpucmd_i915_cs_run(&cs, &env, 100000), GPUCMD_RUN_IDLE);
    EQUAL(gpucmd_load32(words, GPUCMD_LITTLE_ENDIAN), 0);
    EQUAL(gpucmd_load32(data, GPUCMD_LITTLE_ENDIAN), 7);
    EQUAL(gpucmd_load32(data + 4, GPUCMD_LITTLE_ENDIAN), 7);
    EQUAL(gpucmd_load32(data + 8, GPUCMD_LITTLE_ENDIAN), 0);
    free(words);
}

int main(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        evil(&rows[i]);
    }
    rings();
    changed();
    smaller();
    return test_report("i915_evil");
}

/* registers.h - registers of Intel's engines in a text, and what they say, for gpucmd-dump.c. */
#ifndef DUMP_REGISTERS_H
#define DUMP_REGISTERS_H

#include "base.h"
#include "explain.h"
#include "hex.h"
#include "intel_names.h"
#include "lines.h"
#include "stream.h"
#include "text.h"

/* Read hex digits at *at, with or without 0x. Return false if there are none. */
static bool take_hex(const char **at, const char *end, uint64_t *v)
{
    const char *p = *at;
    if (end - p > 2 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) {
        p += 2;
    }
    const size_t n = digits_of(p, end);
    if (n == 0 || n > 16) {
        return false;
    }
    *v = 0;
    for (size_t i = 0; i < n; i++) {
        *v = *v << 4 | hex_digit(p[i]);
    }
    *at = p + n;
    return true;
}

/* Read one number, or two halves of 8 digits with a blank or '_' between, high half first. */
static bool take_va(const char **at, const char *end, uint64_t *va)
{
    const char *p = *at;
    uint64_t low;
    if (!take_hex(&p, end, va)) {
        return false;
    }
    const char *high_end = p;
    if (p < end && (*p == ' ' || *p == '_') && digits_of(p + 1, end) == 8) {
        p++;
        (void)take_hex(&p, end, &low);
        *va = *va << 32 | low;
        *at = p;
        return true;
    }
    *at = high_end;
    return true;
}

/* ---- names ---- */

/* Names of registers in a text. half: 1 low, 2 high, 0 whole. sure: the name is no word of another
 * text. */
typedef struct register_row {
    char name[20];
    int reg; /* a member of engine_state, or REG_OTHER */
    int half;
    bool sure;
    char text[72]; /* what it holds */
} register_row;

enum { REG_OTHER = -1 };

/* Rows of Linux i915_reg.h and intel_engine_regs.h; meanings: Intel PRMs, volume of the command
 * streamers. */
static const register_row register_rows[] = {
    {"START",              REG_start,    0, false, "address of the ring"                        },
    {"HEAD",               REG_head,     0, false, "what the GPU reads next in the ring"        },
    {"TAIL",               REG_tail,     0, false, "where the driver wrote last in the ring"    },
    {"CTL",                REG_ctl,      0, false, "size and state of the ring"                 },
    {"ACTHD",              REG_acthd,    0, true,  "address of the command that is read"        },
    {"ACTHD_LDW",          REG_acthd,    1, true,  ""                                           },
    {"ACTHD_UDW",          REG_acthd,    2, true,  ""                                           },
    {"BBADDR",             REG_bbaddr,   0, true,  "address in the batch"                       },
    {"BBADDR_LOW32",       REG_bbaddr,   1, true,  ""                                           },
    {"BBADDR_UP32",        REG_bbaddr,   2, true,  ""                                           },
    {"BBADDR_UDW",         REG_bbaddr,   2, true,  ""                                           },
    {"IPEHR",              REG_ipehr,    0, true,  "first word of the command in execution"     },
    {"INSTDONE",           REG_instdone, 0, true,  "a 0 is a unit that works"                   },
    {"INSTDONE_0",         REG_instdone, 0, true,  "a 0 is a unit that works"                   },
    {"INSTDONE_I965",      REG_instdone, 0, true,  "a 0 is a unit that works"                   },
    {"INSTDONE_1",         REG_OTHER,    0, true,  "a 0 is a unit that works"                   },
    {"INSTDONE1",          REG_OTHER,    0, true,  "a 0 is a unit that works"                   },
    {"INSTDONE_2",         REG_OTHER,    0, true,  "a 0 is a unit that works"                   },
    {"SC_INSTDONE",        REG_OTHER,    0, true,  "a 0 is a unit of a slice that works"        },
    {"SC_INSTDONE_EXTRA",  REG_OTHER,    0, true,  "a 0 is a unit of a slice that works"        },
    {"SC_INSTDONE_EXTRA2", REG_OTHER,    0, true,  "a 0 is a unit of a slice that works"        },
    {"SLICE_COMM_DONE",    REG_OTHER,    0, true,  "a 0 is a unit of a slice that works"        },
    {"SAMPLER_INSTDONE",   REG_OTHER,    0, true,  "a 0 is a unit of a sampler that works"      },
    {"ROW_INSTDONE",       REG_OTHER,    0, true,  "a 0 is a unit of a row that works"          },
    {"GEOM_SVG_INSTDONE",  REG_OTHER,    0, true,  "a 0 is a unit of geometry that works"       },
    {"IPEIR",              REG_OTHER,    0, true,  "what was wrong with the command; 0: nothing"},
    {"INSTPS",             REG_OTHER,    0, true,  "state of the parser"                        },
    {"INSTPM",             REG_OTHER,    0, true,  "mode of the parser"                         },
    {"DMA_FADDR",          REG_OTHER,    0, true,  "address that is fetched"                    },
    {"FADDR",              REG_OTHER,    0, false, "address that is fetched"                    },
    {"EIR",                REG_OTHER,    0, false, "errors"                                     },
    {"ESR",                REG_OTHER,    0, false, "state of errors"                            },
    {"EMR",                REG_OTHER,    0, false, "errors that are masked"                     },
    {"PGTBL_ER",           REG_OTHER,    0, true,  "errors of the page table; 0: none"          },
    {"FAULT_REG",          REG_OTHER,    0, true,  "fault of a page"                            },
    {"FAULT_TLB_DATA",     REG_OTHER,    0, true,  "address of the fault"                       },
    {"ERR_INT",            REG_OTHER,    0, true,  "errors"                                     },
    {"BB_STATE",           REG_OTHER,    0, true,  "state of the batch"                         },
    {"MI_MODE",            REG_OTHER,    0, true,  "mode of the streamer"                       },
    {"GFX_MODE",           REG_OTHER,    0, true,  "mode of the engine"                         },
    {"MODE",               REG_OTHER,    0, false, "mode of the engine"                         },
    {"HWS",                REG_OTHER,    0, false, "address of the status page"                 },
    {"HWS_PGA",            REG_OTHER,    0, true,  "address of the status page"                 },
    {"CCID",               REG_OTHER,    0, true,  "context that runs"                          },
    {"EXECLIST_STATUS_LO", REG_OTHER,    0, true,  "contexts in the ports of the engine"        },
    {"EXECLIST_STATUS_HI", REG_OTHER,    0, true,  "contexts in the ports of the engine"        },
    {"EL_STAT_HI",         REG_OTHER,    0, true,  "contexts in the ports of the engine"        },
    {"EL_STAT_LO",         REG_OTHER,    0, true,  "contexts in the ports of the engine"        },
    {"PP_DIR_BASE",        REG_OTHER,    0, true,  "page directory"                             },
    {"ESR_LO",             REG_OTHER,    0, true,  "state of errors"                            },
    {"HWSTAM",             REG_OTHER,    0, true,  "interrupts that are masked"                 },
};

/* Return the row of a name of n characters, or NULL. "RING_" before a name and an index in brackets
 * do not count. */
static const register_row *find_register(const char *name, size_t n)
{
    if (n > 5 && memcmp(name, "RING_", 5) == 0) {
        name += 5;
        n -= 5;
    }
    const char *bracket = memchr(name, '[', n);
    if (bracket != NULL) {
        n = (size_t)(bracket - name);
    }
    for (size_t i = 0; i < sizeof register_rows / sizeof register_rows[0]; i++) {
        const register_row *row = &register_rows[i];
        if (strlen(row->name) == n && memcmp(name, row->name, n) == 0) {
            return row;
        }
    }
    return NULL;
}

static void set_register(engine_state *state, int reg, uint64_t v)
{
    state->have |= 1u << reg;
    switch (reg) {
#define ENGINE_REGISTER(member, text)                                                              \
    case REG_##member: state->member = v; break;
        ENGINE_REGISTERS(ENGINE_REGISTER)
#undef ENGINE_REGISTER
    default: break;
    }
}

/* Keep a register that has no member. */
static void add_other(engine_state *state, const char *name, size_t n, uint64_t v)
{
    other_register *r;
    if (state->other_count == OTHER_REGISTERS) {
        return;
    }
    r = &state->others[state->other_count++];
    snprintf(r->name, sizeof r->name, "%.*s", (int)lesser(n, sizeof r->name - 1), name);
    r->value = v;
}

/* Store the value v of the register of a row. */
static void store_register(engine_state *state, const register_row *row, const char *name, size_t n,
                           uint64_t v)
{
    if (row == NULL || row->reg == REG_OTHER) {
        add_other(state, name, n, v);
        return;
    }
    const uint64_t old = row->reg == REG_acthd ? state->acthd : state->bbaddr;
    if (row->half == 1) {
        v = old >> 32 << 32 | (uint32_t)v;
    } else if (row->half == 2) {
        v = v << 32 | (uint32_t)old;
    }
    set_register(state, row->reg, v);
}

/* Return the length of a name of a register at p: capitals, digits, '_' and indices in brackets. */
static size_t register_name_len(const char *p, const char *end)
{
    size_t n = 0;
    while (p + n < end && ((p[n] >= 'A' && p[n] <= 'Z') || (p[n] >= '0' && p[n] <= '9' && n != 0) ||
                           p[n] == '_')) {
        n++;
    }
    while (n != 0 && p + n < end && p[n] == '[') {
        const size_t k = match(p + n, end, "[%]");
        if (k == 0) {
            break;
        }
        n += k;
    }
    return n;
}

/* Read what stands between a name and its value: a colon, an equals sign, "is", a parenthesis.
 * Return the place of the value, or NULL. */
static const char *skip_to_value(const char *p, const char *end)
{
    bool sign = false;
    while (p < end && (is_space(*p) || strchr(":=(", *p) != NULL)) {
        sign = sign || !is_space(*p);
        p++;
    }
    if (match(p, end, "is_") != 0 || match(p, end, "was_") != 0) {
        p += match(p, end, "is_") + match(p, end, "was_");
        sign = true;
    }
    if (p == end || hex_digit(*p) >= 16 || (!sign && match(p, end, "0x") == 0)) {
        return NULL;
    }
    return p;
}

/* Read all registers of a line into state: "  HEAD:  0x062058cc [0x00005870]", "IPEHR is 0x7a000004".
 * only_sure: names that can be words of another text do not count. state NULL: they are counted.
 * Return the number. */
static size_t take_registers(engine_state *state, const text_line *line, bool only_sure)
{
    const char *end = line->at + line->len;
    size_t count = 0;
    for (const char *p = line->at; p < end; p++) {
        const size_t n = register_name_len(p, end);
        const register_row *row = NULL;
        const char *at = NULL;
        uint64_t v;
        if (n == 0) {
            continue;
        }
        if (p == line->at || !is_name(p[-1])) {
            row = find_register(p, n);
            at = skip_to_value(p + n, end);
        }
        const bool first = p == line->at || is_space(p[-1]);
        const bool sure = row != NULL && (row->sure || n > 8 ||
                                          (first && p + n < end && p[n] == ':' && p[0] == 'E'));
        const bool possible = !only_sure && at != NULL && match(at, end, "0x") != 0;
        if (at == NULL || (!sure && !possible) || !take_va(&at, end, &v)) {
            p += n - 1;
            continue;
        }
        count++;
        if (state != NULL) {
            store_register(state, row, p, n, v);
            if (row != NULL && row->reg == REG_head && match(at, end, "_[0x") != 0) {
                at += match(at, end, "_[");
                if (take_hex(&at, end, &v)) {
                    set_register(state, REG_request, v);
                }
            }
        }
        p = at - 1;
    }
    return count;
}

/* ---- meanings ---- */

/* Names of the bits of INSTDONE, from bit 0, "-": none; by generation. igt-gpu-tools, lib/instdone.c. */
static const struct {
    char reg[12];
    gpucmd_i915_gen since;
    gpucmd_i915_gen until;
    const char *bits;
} instdone_rows[] = {
    {"INSTDONE",   GPUCMD_I915_GEN2,    GPUCMD_I915_GEN2,
     "primary ring 0,primary ring 1,secondary ring 0,secondary ring 1,secondary ring 2,"
     "secondary ring 3,map L2,blitter,EF,WM,TB,QCC,PC,MEC,MG,IT,FTCH,DCMP,DG,CC,MCSTP,MCD,MECO,MPEG,"
     "binner,FBC,GMBUS"                                                                            },
    {"INSTDONE",   GPUCMD_I915_GEN3,    GPUCMD_I915_GEN3,
     "ring 0,ring 1,ring 2,-,-,-,map L2,map filter,colour calculator,pixel shader,bypass FIFO,filter,"
     "sampler cache,texture decompress,texture fetch,quad cache,dependent address,projection,"
     "dispatcher,interpolator,IZ,windower,setup,strips and fans,binner,FBC,IP,VLD,PR,IQ,IDCT"      },
    {"INSTDONE",   GPUCMD_I915_GEN4,    GPUCMD_I915_GEN4_5,
     "ring 0,CP,IC row 1,IC row 0,MA row 1,MA row 0,map L2,map filter,colour calculator,pixel shader,"
     "bypass FIFO,filter,sampler cache,texture decompress,texture fetch,quad cache,DG,projection,"
     "dispatcher,-,-,windower,setup,strips and fans,row 1 EU 3,row 1 EU 2,row 1 EU 1,row 1 EU 0,"
     "row 0 EU 3,row 0 EU 2,row 0 EU 1,row 0 EU 0"                                                 },
    {"INSTDONE",   GPUCMD_I915_GEN5,    GPUCMD_I915_GEN5,
     "-,AM,AC,AI,GW,TS,SVTS,TD,VFE,row 2 ISC,row 1 ISC,row 0 ISC,row 2 MA,row 1 MA,row 0 MA,VC1,"
     "row 2 math,row 1 math,row 0 math,VCP,row 2 EU 3,row 2 EU 2,row 2 EU 1,row 2 EU 0,row 1 EU 3,"
     "row 1 EU 2,row 1 EU 1,row 1 EU 0,row 0 EU 3,row 0 EU 2,row 0 EU 1,row 0 EU 0"                },
    {"INSTDONE",   GPUCMD_I915_GEN6,    GPUCMD_I915_GEN6,
     "-,AVS,HIZ,GW,TS,-,TD,VFE,IEF,VSC,ISC 32,ISC 10,IC 0,IC 1,IC 2,IC 3,EU 00,EU 01,EU 02,MA 0,EU 10,"
     "EU 11,EU 12,MA 1,EU 20,EU 21,EU 22,MA 2,EU 30,EU 31,EU 32,MA 3"                              },
    {"INSTDONE",   GPUCMD_I915_GEN7,    GPUCMD_I915_GEN11,
     "-,VF,VS,HS,TE,DS,GS,SOL,CL,SF,-,TDG1,TDG0,URBM,SVG,GAFS,VFE,TSG0,GAFM,GAM,RS,CS,SDE,FBC,TSG1"},
    {"INSTDONE",   GPUCMD_I915_GEN12,   GPUCMD_I915_GEN12,
     "-,VFG,VS,HS,TE,DS,GS,SOL,CL,SF,-,TDG1,TDG0,URBM,SVG,GAFS,VFE,TSG0,GAFM,GAFD,RS,CS,SDE,RCCFBC CS,"
     "TSG1"                                                                                        },
    {"INSTDONE",   GPUCMD_I915_GEN12_5, GPUCMD_I915_GEN12_7,
     "-,VFG,-,-,-,-,-,-,-,-,-,-,-,-,-,-,VFE,-,-,-,RS,CS,-,RCCFBC CS"                               },
    {"INSTDONE_1", GPUCMD_I915_GEN4,    GPUCMD_I915_GEN4,
     "VF CS,VS0 CS,GS CS,CL CS,ISC CS,URB CS,UC0 CS,UC1 CS,EM0 CS CR,EM1 CS CR,MAW CS CR,MASF CS CR,"
     "MASM CS CR,SVTW CS CR,SVRR CS CR,SVRW CS CR,SVDR CS CR,SVDW CS CR,SVSM CS CR,GW CS CR"       },
    {"INSTDONE_1", GPUCMD_I915_GEN4_5,  GPUCMD_I915_GEN5,
     "VF,VS0,GS,CL,SF,URB,WIZ,PL,SO,SI,DG,FT,DM,SC,FL,QC,MASM,SVSM,-,MT idle,MAWB,DAP,RC,MT,ISC,SVRR,"
     "SVRW,SVDR,SVDW,MASF,CS,BCS"                                                                  },
    {"INSTDONE_1", GPUCMD_I915_GEN6,    GPUCMD_I915_GEN6,
     "VF,VS0,GS,CL,SF,VME,PL,SO,SI,DG,FT,DM,SC,FL,QC,SVSM,WMFE,IZ,PSD,DAP,RCZ,VDI,RCPBE,RCPFE,MT,ISC,"
     "SVG,RCC,SVRW,WMBE,CS,GAM"                                                                    },
};

/* Append the name of bit `bit` of a list. Return false if it has none. */
static bool append_bit_name(const char *bits, unsigned bit, char *text, size_t cap)
{
    for (; bit != 0 && bits != NULL; bit--) {
        const char *comma = strchr(bits, ',');
        bits = comma != NULL ? comma + 1 : NULL;
    }
    if (bits == NULL || *bits == '-') {
        return false;
    }
    append(text, cap, "%.*s", (int)strcspn(bits, ","), bits);
    return true;
}

/* Append the bits of INSTDONE that are 0: units that work. engine: others than rcs have no names. */
static void append_busy(const dump *d, const char *engine, const char *reg, uint32_t v, char *text,
                        size_t cap)
{
    gpucmd_i915_gen gen;
    const bool known = intel_gen(d, &gen) && intel_engine(engine) == GPUCMD_I915_RCS;
    const char *bits = NULL;
    const char *sep = ": busy: ";
    for (size_t i = 0; i < sizeof instdone_rows / sizeof instdone_rows[0] && known; i++) {
        if (strcmp(instdone_rows[i].reg, reg) == 0 && gen >= instdone_rows[i].since &&
            gen <= instdone_rows[i].until) {
            bits = instdone_rows[i].bits;
        }
    }
    if (v == 0xffffffff) {
        append(text, cap, ": no unit is busy");
        return;
    }
    if (v == 0) {
        append(text, cap, ": all units are busy, or the register was not read");
        return;
    }
    for (unsigned bit = 0; bit < 32; bit++) {
        if ((v >> bit & 1) != 0) {
            continue;
        }
        append(text, cap, "%sbit %u", sep, bit);
        sep = ", ";
        char name[32] = "";
        if (append_bit_name(bits, bit, name, sizeof name)) {
            append(text, cap, " (%s)", name);
        }
    }
}

/* Append the errors of EIR. Linux i915_reg.h. */
static void append_eir(const dump *d, uint32_t v, char *text, size_t cap)
{
    gpucmd_i915_gen gen;
    const bool old = intel_gen(d, &gen) && gen < GPUCMD_I915_GEN4;
    const char *const names[] = {"a wrong command",
                                 "refresh of memory",
                                 NULL,
                                 "privilege of a command",
                                 old ? "page table" : "privilege of memory",
                                 "page table"};
    const char *sep = ": ";
    if (v == 0) {
        append(text, cap, ": none");
    }
    for (unsigned bit = 0; bit < 6; bit++) {
        if ((v >> bit & 1) != 0 && names[bit] != NULL) {
            append(text, cap, "%s%s", sep, names[bit]);
            sep = ", ";
        }
    }
}

/* If no command has the word and it is MI, append which one it is with its opcode one bit lower: drivers
 * have such words by mistake. */
static void append_shifted(const dump *d, const char *engine, bool named, uint32_t dw, char *text,
                           size_t cap)
{
    char name[64];
    const uint32_t other = (dw >> 24 & 0x1f) << 23 | (dw & 0x7fffff);
    if (!named && dw >> 29 == 0 && intel_command_name(d, engine, other, name, sizeof name)) {
        append(text, cap,
               "; it looks like %s (0x%08" PRIx32 ") with its opcode shifted by 24 instead of 23",
               name, other);
    }
}

/* Print one register. */
static void tell_register(const dump *d, const engine_state *state, const char *name, uint64_t v)
{
    const register_row *row = find_register(name, strlen(name));
    const uint32_t dw = (uint32_t)v;
    char text[900] = "";
    char command[64];
    const char *plain = strchr(name, '_');
    if (plain == NULL || strncmp(name, "RING_", 5) != 0) {
        plain = name;
    } else {
        plain++;
    }
    if (strcmp(plain, "IPEHR") == 0) {
        const bool named = intel_command_name(d, state->name, dw, command, sizeof command);
        append(text, sizeof text, " %s: %s",
               named ? command : "(no command of this engine is known with this word)", row->text);
        append_shifted(d, state->name, named, dw, text, sizeof text);
    } else if (strcmp(plain, "HEAD") == 0) {
        append(text, sizeof text, ": offset 0x%" PRIx32 " in the ring, wrapped %" PRIu32 " times",
               dw & 0x1ffffc, dw >> 21);
    } else if (strcmp(plain, "TAIL") == 0) {
        append(text, sizeof text, ": offset 0x%" PRIx32 " in the ring", dw & 0x1ffff8);
    } else if (strcmp(plain, "CTL") == 0) {
        append(text, sizeof text, ": a ring of 0x%" PRIx32 " bytes, %s", (dw & 0x1ff000) + 4096,
               (dw & 1) != 0 ? "on" : "off");
    } else if (strcmp(plain, "BBADDR") == 0) {
        append(text, sizeof text, ": address 0x%" PRIx64 " in the batch, %s", v & ~(uint64_t)3,
               (v & 1) != 0 ? "valid" : "not valid: no batch");
    } else if (strcmp(plain, "EIR") == 0) {
        append_eir(d, dw, text, sizeof text);
    } else if (strcmp(plain, "INSTDONE") == 0 || strncmp(plain, "INSTDONE", 8) == 0) {
        const bool second = strstr(plain, "_1") != NULL || strcmp(plain, "INSTDONE1") == 0;
        append_busy(d, state->name, second ? "INSTDONE_1" : "INSTDONE", dw, text, sizeof text);
    } else if (strstr(plain, "INSTDONE") != NULL || strstr(plain, "COMM_DONE") != NULL) {
        append_busy(d, state->name, plain, dw, text, sizeof text);
    } else if (row != NULL) {
        append(text, sizeof text, ": %s", row->text);
    }
    tell("    %s 0x%08" PRIx64 "%s\n", name, v, text);
}

/* Print where the engine stopped: in the ring or in a batch. */
static void tell_place(const engine_state *state)
{
    if (!state_has(state, REG_acthd)) {
        return;
    }
    if (state_has(state, REG_start) && state_has(state, REG_ctl)) {
        const uint64_t size = (state->ctl & 0x1ff000) + 4096;
        const bool inside = state->acthd >= state->start && state->acthd - state->start < size;
        tell("    the engine is %s\n", inside ? "in its ring, not in a batch" : "in a batch");
    }
    if (state_has(state, REG_head) && state_has(state, REG_tail) &&
        (state->head & 0x1ffffc) == (state->tail & 0x1ffff8)) {
        tell("    HEAD equals TAIL: the ring is empty, or its last batch runs\n");
    }
}

/* Print the registers of an engine. */
static void tell_registers(const dump *d, const engine_state *state)
{
    if (state->have == 0 && state->other_count == 0) {
        return;
    }
    tell("registers of %s",
         state->name[0] != '\0' ? state->name : "an engine that the text does not name");
    if (state->line != 0) {
        tell(", line %zu", state->line);
    }
    tell("\n");
#define TELL_REGISTER(member, text)                                                                \
    if (state_has(state, REG_##member)) {                                                          \
        tell_register(d, state, text, state->member);                                              \
    }
    ENGINE_REGISTERS(TELL_REGISTER)
#undef TELL_REGISTER
    for (size_t i = 0; i < state->other_count; i++) {
        tell_register(d, state, state->others[i].name, state->others[i].value);
    }
    tell_place(state);
}

#endif

/* dump_i915_names.h - names of Intel's registers and values, for dump_i915.h. */
#ifndef DUMP_I915_NAMES_H
#define DUMP_I915_NAMES_H

/* Registers that batches load and store, beside those of every engine. Linux 6.1 gt/intel_gt_regs.h,
 * gt/intel_engine_regs.h; Mesa genxml. */
static const struct {
    uint32_t offset;
    const char *name;
} i915_registers[] = {
    {0x02120, "CACHE_MODE_0"             },
    {0x02124, "CACHE_MODE_1"             },
    {0x0209c, "MI_MODE"                  },
    {0x020c0, "INSTPM"                   },
    {0x020d8, "CS_DEBUG_MODE2"           },
    {0x020e0, "FF_SLICE_CS_CHICKEN1"     },
    {0x020e4, "FF_SLICE_CS_CHICKEN2"     },
    {0x020ec, "CS_DEBUG_MODE1"           },
    {0x02088, "FF_THREAD_MODE"           },
    {0x02290, "PS_INVOCATION_COUNT_HI"   },
    {0x022c8, "TIMESTAMP_PRED"           },
    {0x02300, "HS_INVOCATION_COUNT"      },
    {0x02308, "DS_INVOCATION_COUNT"      },
    {0x02310, "IA_VERTICES_COUNT"        },
    {0x02318, "IA_PRIMITIVES_COUNT"      },
    {0x02320, "VS_INVOCATION_COUNT"      },
    {0x02328, "GS_INVOCATION_COUNT"      },
    {0x02330, "GS_PRIMITIVES_COUNT"      },
    {0x02338, "CL_INVOCATION_COUNT"      },
    {0x02340, "CL_PRIMITIVES_COUNT"      },
    {0x02348, "PS_INVOCATION_COUNT"      },
    {0x02350, "PS_DEPTH_COUNT"           },
    {0x02358, "TIMESTAMP"                },
    {0x0235c, "TIMESTAMP_UDW"            },
    {0x02420, "3DPRIM_END_OFFSET"        },
    {0x02430, "3DPRIM_START_VERTEX"      },
    {0x02434, "3DPRIM_VERTEX_COUNT"      },
    {0x02438, "3DPRIM_INSTANCE_COUNT"    },
    {0x0243c, "3DPRIM_START_INSTANCE"    },
    {0x02440, "3DPRIM_BASE_VERTEX"       },
    {0x02500, "GPGPU_DISPATCHDIMX"       },
    {0x02504, "GPGPU_DISPATCHDIMY"       },
    {0x02508, "GPGPU_DISPATCHDIMZ"       },
    {0x02580, "CS_CHICKEN1"              },
    {0x04200, "CCS_AUX_TABLE_BASE"       },
    {0x04204, "CCS_AUX_TABLE_BASE_HI"    },
    {0x04208, "CCS_AUX_INV"              },
    {0x05200, "SO_NUM_PRIMS_WRITTEN0"    },
    {0x05240, "SO_PRIM_STORAGE_NEEDED0"  },
    {0x05280, "SO_WRITE_OFFSET0"         },
    {0x05284, "SO_WRITE_OFFSET1"         },
    {0x05288, "SO_WRITE_OFFSET2"         },
    {0x0528c, "SO_WRITE_OFFSET3"         },
    {0x07000, "CACHE_MODE_0"             },
    {0x07004, "CACHE_MODE_1"             },
    {0x07008, "GT_MODE"                  },
    {0x07010, "COMMON_SLICE_CHICKEN1"    },
    {0x07014, "COMMON_SLICE_CHICKEN2"    },
    {0x07018, "HIZ_CHICKEN"              },
    {0x07034, "L3CNTLREG"                },
    {0x07300, "COMMON_SLICE_CHICKEN4"    },
    {0x07304, "COMMON_SLICE_CHICKEN3"    },
    {0x0731c, "SLICE_COMMON_ECO_CHICKEN1"},
    {0x083a8, "PERF_CNT_1"               },
    {0x0b010, "L3SQCREG1"                },
    {0x0b020, "L3CNTLREG2"               },
    {0x0b024, "L3CNTLREG3"               },
    {0x0b038, "SCRATCH1"                 },
    {0x0b0a4, "TCCNTLREG"                },
    {0x0b118, "L3SQCREG4"                },
    {0x0b134, "L3ALLOC"                  },
    {0x0e100, "HALF_SLICE_CHICKEN1"      },
    {0x0e180, "HALF_SLICE_CHICKEN2"      },
    {0x0e184, "HALF_SLICE_CHICKEN3"      },
    {0x0e188, "HALF_SLICE_CHICKEN5"      },
    {0x0e18c, "SAMPLER_MODE"             },
    {0x0e194, "HALF_SLICE_CHICKEN7"      },
    {0x0e420, "CACHE_MODE_SS"            },
    {0x0e48c, "ROW_CHICKEN4"             },
    {0x0e49c, "ROW_CHICKEN3"             },
    {0x0e4f0, "ROW_CHICKEN"              },
    {0x0e4f4, "ROW_CHICKEN2"             },
};

/* Write the name of a register, "" if it has none. */
static void i915_register_text(const gpucmd_i915_cmdset *cmdset, uint32_t reg, char *text,
                               size_t cap)
{
    uint32_t base = 0;
    text[0] = '\0';
    for (size_t i = 0; i < sizeof i915_registers / sizeof i915_registers[0]; i++) {
        if (i915_registers[i].offset == reg) {
            append(text, cap, "%s", i915_registers[i].name);
            return;
        }
    }
    for (uint32_t e = 1; e <= 32; e <<= 1) {
        for (uint32_t instance = 0; instance < 8; instance++) {
            if (gpucmd_i915_engine_base(cmdset->gen, (gpucmd_i915_engine)e, instance, &base) !=
                    GPUCMD_OK ||
                reg < base || reg - base >= 0x800) {
                continue;
            }
            const uint32_t off = reg - base;
            const char *engine = gpucmd_i915_engine_name((gpucmd_i915_engine)e);
            if (off >= GPUCMD_I915_REG_CS_GPR && off < GPUCMD_I915_REG_CS_GPR + 128) {
                append(text, cap, "%s%" PRIu32 ".CS_GPR%" PRIu32 "%s", engine, instance,
                       (off - GPUCMD_I915_REG_CS_GPR) / 8, (off & 4) != 0 ? "_HIGH" : "");
                return;
            }
#define I915_REGISTER_TEXT(name, at, meaning)                                                      \
    if (off == at) {                                                                               \
        append(text, cap, "%s%" PRIu32 "." #name, engine, instance);                               \
        return;                                                                                    \
    }
            GPUCMD_I915_RING_REGS(I915_REGISTER_TEXT)
#undef I915_REGISTER_TEXT
        }
    }
}

/* Return true if word i of a command names a register. */
static bool i915_is_register(gpucmd_i915_op op, uint32_t i)
{
    return (op == GPUCMD_I915_OP_MI_LOAD_REGISTER_IMM && i % 2 == 1) ||
           ((op == GPUCMD_I915_OP_MI_STORE_REGISTER_MEM ||
             op == GPUCMD_I915_OP_MI_LOAD_REGISTER_MEM) &&
            i == 1) ||
           (op == GPUCMD_I915_OP_MI_LOAD_REGISTER_REG && (i == 1 || i == 2));
}

/* Names of values: field of the library's text, value, meaning. Mesa genxml, Intel PRMs. */
static const struct {
    const char *field;
    uint32_t value;
    const char *name;
} i915_values[] = {
    {"POST_SYNC",   1,    "immediate"    },
    {"POST_SYNC",   2,    "depth count"  },
    {"POST_SYNC",   3,    "timestamp"    },
    {"COMPARE",     0,    "SAD > SDD"    },
    {"COMPARE",     1,    "SAD >= SDD"   },
    {"COMPARE",     2,    "SAD < SDD"    },
    {"COMPARE",     3,    "SAD <= SDD"   },
    {"COMPARE",     4,    "SAD == SDD"   },
    {"COMPARE",     5,    "SAD != SDD"   },
    {"LOAD",        0,    "keep"         },
    {"LOAD",        2,    "load"         },
    {"LOAD",        3,    "load inverted"},
    {"COMBINE",     0,    "set"          },
    {"COMBINE",     1,    "and"          },
    {"COMBINE",     2,    "or"           },
    {"COMBINE",     3,    "xor"          },
    {"COLOR_DEPTH", 0,    "8 bits"       },
    {"COLOR_DEPTH", 1,    "16 bits 565"  },
    {"COLOR_DEPTH", 2,    "16 bits 1555" },
    {"COLOR_DEPTH", 3,    "32 bits"      },
    {"ROP",         0xcc, "copy"         },
    {"ROP",         0xf0, "pattern"      },
    {"ROP",         0x00, "black"        },
    {"ROP",         0xff, "white"        },
};

/* 3D commands of gen2 and gen3 by first word: bits of the mask, value, name. libdrm
 * intel/intel_decode.c; Intel i915 PRM. */
static const struct {
    uint32_t mask;
    uint32_t value;
    const char *name;
} i915_gen3_names[] = {
    {0xff000000, 0x66000000, "3DSTATE_ANTI_ALIASING"          },
    {0xff000000, 0x67000000, "3DSTATE_RASTERIZATION_RULES"    },
    {0xff000000, 0x68000000, "3DSTATE_BACKFACE_STENCIL_OPS"   },
    {0xff000000, 0x69000000, "3DSTATE_BACKFACE_STENCIL_MASKS" },
    {0xff000000, 0x6b000000, "3DSTATE_INDEPENDENT_ALPHA_BLEND"},
    {0xff000000, 0x6c000000, "3DSTATE_MODES_5"                },
    {0xff000000, 0x6d000000, "3DSTATE_MODES_4"                },
    {0xff000000, 0x75000000, "3DSTATE_FOG_COLOR"              },
    {0xff000000, 0x76000000, "3DSTATE_COORD_SET_BINDINGS"     },
    {0xfff80000, 0x7c800000, "3DSTATE_SCISSOR_ENABLE"         },
    {0xfff80000, 0x7c880000, "3DSTATE_DEPTH_SUBRECT_DISABLE"  },
    {0xffff0000, 0x7d000000, "3DSTATE_MAP_STATE"              },
    {0xffff0000, 0x7d010000, "3DSTATE_SAMPLER_STATE"          },
    {0xffff0000, 0x7d030000, "3DSTATE_LOAD_INDIRECT_STATE"    },
    {0xffff0000, 0x7d040000, "3DSTATE_LOAD_STATE_IMMEDIATE_1" },
    {0xffff0000, 0x7d050000, "3DSTATE_PIXEL_SHADER_PROGRAM"   },
    {0xffff0000, 0x7d060000, "3DSTATE_PIXEL_SHADER_CONSTANTS" },
    {0xffff0000, 0x7d070000, "3DSTATE_LOAD_INDIRECT"          },
    {0xffff0000, 0x7d800000, "3DSTATE_DRAWING_RECTANGLE"      },
    {0xffff0000, 0x7d810000, "3DSTATE_SCISSOR_RECTANGLE"      },
    {0xffff0000, 0x7d830000, "3DSTATE_SPAN_STIPPLE"           },
    {0xffff0000, 0x7d850000, "3DSTATE_DEST_BUFFER_VARIABLES"  },
    {0xffff0000, 0x7d880000, "3DSTATE_CONSTANT_BLEND_COLOR"   },
    {0xffff0000, 0x7d890000, "3DSTATE_FOG_MODE"               },
    {0xffff0000, 0x7d8e0000, "3DSTATE_BUFFER_INFO"            },
    {0xffff0000, 0x7d970000, "3DSTATE_DEPTH_OFFSET_SCALE"     },
    {0xffff0000, 0x7d980000, "3DSTATE_DEFAULT_Z"              },
    {0xffff0000, 0x7d990000, "3DSTATE_DEFAULT_DIFFUSE"        },
    {0xffff0000, 0x7d9a0000, "3DSTATE_DEFAULT_SPECULAR"       },
    {0xffff0000, 0x7d9c0000, "3DSTATE_CLEAR_PARAMETERS"       },
    {0xff000000, 0x7f000000, "3DPRIMITIVE"                    },
};

/* Return the name of the command with first word dw; the library's, if it has one. */
static const char *i915_command_name(const gpucmd_i915_cmdset *cmdset, uint32_t dw)
{
    const char *name = gpucmd_i915_name(cmdset, dw);
    if (cmdset->gen > GPUCMD_I915_GEN3 || strcmp(name, "GFX") != 0) {
        return name;
    }
    for (size_t i = 0; i < sizeof i915_gen3_names / sizeof i915_gen3_names[0]; i++) {
        if ((dw & i915_gen3_names[i].mask) == i915_gen3_names[i].value) {
            return i915_gen3_names[i].name;
        }
    }
    return name;
}

/* Append a line of the library to line: FIELD=VALUE becomes FIELD=VALUE (name). */
static void i915_name_values(const char *at, const char *eol, char *line, size_t cap)
{
    while (at < eol) {
        const char *blank = memchr(at, ' ', (size_t)(eol - at));
        const char *end = blank != NULL ? blank : eol;
        const char *equals = memchr(at, '=', (size_t)(end - at));
        append(line, cap, "%.*s", (int)(end - at), at);
        for (size_t i = 0; equals != NULL && i < sizeof i915_values / sizeof i915_values[0]; i++) {
            const size_t n = strlen(i915_values[i].field);
            if (n == (size_t)(equals - at) && memcmp(at, i915_values[i].field, n) == 0 &&
                strtoul(equals + 1, NULL, 0) == i915_values[i].value) {
                append(line, cap, " (%s)", i915_values[i].name);
            }
        }
        if (blank != NULL) {
            append(line, cap, " ");
        }
        at = end + (blank != NULL);
    }
}

#endif

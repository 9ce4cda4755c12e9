/* i915_names.h - names of Intel's values, for i915.h. */
#ifndef DUMP_I915_NAMES_H
#define DUMP_I915_NAMES_H

#include "base.h"
#include "text.h"

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

/* Commands of HEVC on the video engine of gen9 and later by bits 31:16. Intel Skylake PRM, volume 2a; Mesa
 * genxml. */
static const struct {
    uint16_t value;
    char name[30];
} i915_hcp_names[] = {
    {0x7380, "HCP_PIPE_MODE_SELECT"       },
    {0x7381, "HCP_SURFACE_STATE"          },
    {0x7382, "HCP_PIPE_BUF_ADDR_STATE"    },
    {0x7383, "HCP_IND_OBJ_BASE_ADDR_STATE"},
    {0x7384, "HCP_QM_STATE"               },
    {0x7385, "HCP_FQM_STATE"              },
    {0x7390, "HCP_PIC_STATE"              },
    {0x7391, "HCP_TILE_STATE"             },
    {0x7392, "HCP_REF_IDX_STATE"          },
    {0x7393, "HCP_WEIGHTOFFSET_STATE"     },
    {0x7394, "HCP_SLICE_STATE"            },
    {0x73a0, "HCP_BSD_OBJECT"             },
};

/* Return the name of the command with first word dw; the library's, if it has one. */
static const char *i915_command_name(const gpucmd_i915_cmdset *cmdset, uint32_t dw)
{
    const char *name = gpucmd_i915_name(cmdset, dw);
    if (strcmp(name, "GFX") != 0) {
        return name;
    }
    for (size_t i = 0; i < sizeof i915_hcp_names / sizeof i915_hcp_names[0]; i++) {
        if (cmdset->gen >= GPUCMD_I915_GEN9 && cmdset->engine == GPUCMD_I915_VCS &&
            dw >> 16 == i915_hcp_names[i].value) {
            return i915_hcp_names[i].name;
        }
    }
    if (cmdset->gen > GPUCMD_I915_GEN3) {
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
        const char *end = eol;
        if (blank != NULL) {
            end = blank;
        }
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

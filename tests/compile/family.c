/* For the family tier, which only preprocesses this file: each row becomes `@ KIND COLUMN...`. */
#include "all.h"

#define ROW(...) @core.errno __VA_ARGS__
GPUCMD_SYS_ERRORS(ROW)
#undef ROW

#ifdef HAVE_NV
#define ROW(...) @nv.form __VA_ARGS__
GPUCMD_NV_FORMS(ROW)
#undef ROW
#define ROW(...) @nv.method __VA_ARGS__
GPUCMD_NV_HOST_METHODS(ROW, ROW)
#undef ROW
#define ROW(...) @nv.rule __VA_ARGS__
GPUCMD_NV_RULES(ROW)
#undef ROW
#define ROW(...) @nv.host_rule __VA_ARGS__
GPUCMD_NV_HOST_RULES(ROW)
#undef ROW
#define ROW(...) @nvgpu.ioctl __VA_ARGS__
GPUCMD_NVGPU_IOCTLS(ROW)
#undef ROW
#endif

#ifdef HAVE_I915
#define ROW(x, name, head, since, until, who, len, a, b, c, d, privilege, words, size)             \
    @i915.command name size words
GPUCMD_I915_COMMANDS(ROW, )
#undef ROW
#define ROW(...) @i915.form __VA_ARGS__
GPUCMD_I915_FORMS(ROW)
#undef ROW
#define ROW(x, ...) @i915.blt __VA_ARGS__
GPUCMD_I915_BLTS(ROW, )
#undef ROW
#define ROW(...) @i915.executed __VA_ARGS__
GPUCMD_I915_EXECUTED(ROW)
#undef ROW
#define ROW(...) @i915.executed __VA_ARGS__
GPUCMD_I915_EXECUTED_2D(ROW)
#undef ROW
#define ROW(...) @i915.executed __VA_ARGS__
GPUCMD_I915_EXECUTED_PARTS(ROW)
#undef ROW
#define ROW(...) @i915.executed __VA_ARGS__
GPUCMD_I915_NOT_EXECUTED(ROW)
#undef ROW
#define ROW(...) @i915.rule __VA_ARGS__
GPUCMD_I915_RULES(ROW)
#undef ROW
#define ROW(...) @i915.ioctl __VA_ARGS__
GPUCMD_I915_IOCTLS(ROW)
#undef ROW
#endif

#ifdef HAVE_AGX
#define ROW(...) @agx.command __VA_ARGS__
GPUCMD_AGX_CMD_TYPES(ROW)
#undef ROW
#define ROW(...) @agx.ioctl __VA_ARGS__
GPUCMD_AGX_IOCTLS(ROW)
#undef ROW
#define ROW(name) @agx.struct name
#define NONE(...)
GPUCMD_AGX_STREAM_STRUCTS(ROW, NONE, NONE, NONE, NONE)
GPUCMD_AGX_UAPI_STRUCTS(ROW, NONE, NONE, NONE, NONE)
#undef NONE
#undef ROW
#define ROW(...) @agx.rule __VA_ARGS__
GPUCMD_AGX_RULES(ROW)
#undef ROW
#endif

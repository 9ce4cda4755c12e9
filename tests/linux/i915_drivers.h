#include <linux/pci.h>
#include <drm/drm_drv.h>
#include <drm/drm_print.h>
#include <drm/i915_drm.h>
#include "gt/intel_gpu_commands.h"
#include "gt/intel_engine_regs.h"
#include "i915_reg.h"

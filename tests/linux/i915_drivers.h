/* Headers of i915, drm and PCI; the tier writes drm_headers.h. It names each header of include/drm and
 * include/uapi/drm in order of names, because drm_debugfs_crc.h needs drm_crtc.h before it. */
#include <linux/pci.h>
#include "drm_headers.h"
#include "gt/intel_gpu_commands.h"
#include "gt/intel_engine_regs.h"
#include "i915_reg.h"

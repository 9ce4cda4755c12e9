/* Headers of nouveau; the tier writes nouveau_classes.h. The other nvif/push*.h redefine the macros
 * of this one, and the tier compiles them alone. */
#include <linux/pci.h>
#include <drm/nouveau_drm.h>
#include <nvif/push906f.h>
#include "nouveau_classes.h"

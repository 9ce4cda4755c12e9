#include "nouveau_drivers.h"
#include "gpucmd_all.h"
#include "nouveau_equal.h"
